/* SPDX-License-Identifier: MIT */
/* hdf5_events.h: events on their way into an HDF5 file: a dataset per part of an event, that grow together. */
#ifndef SL_RESULTS_HDF5_EVENTS_H
#define SL_RESULTS_HDF5_EVENTS_H

#include "results/format.h"
#include "results/hdf5_put.h"

enum { SL_HDF5_EVENTS = 1024 };

/* The i-th part of an event, in the order of the file. */
const sl_event_field *sl_hdf5_event_field(int i);

typedef struct sl_hdf5_events {
    sl_arena texts;  /* of the events that are gathered */
    int32_t n;       /* gathered: at most SL_HDF5_EVENTS */
    int64_t written; /* before them */
    sl_hdf5_object *scale, *set[SL_EVENT_FIELDS];
    char name[SL_EVENT_FIELDS][32]; /* of the datasets */
    char *part[SL_EVENT_FIELDS];    /* values of a part */
    int32_t *number;
} sl_hdf5_events;

void sl_hdf5_events_init(sl_hdf5_events *e, sl_context *ctx);
void sl_hdf5_events_fini(sl_hdf5_events *e);
/* False: out of memory. */
bool sl_hdf5_events_add(sl_hdf5_events *e, sl_arena *arena, const sl_event_info *event);
/* Writes those that are gathered; makes the datasets with the first of them. */
void sl_hdf5_events_write(sl_hdf5_events *e, sl_hdf5_output *out, const sl_results_layout *layout);

#endif
