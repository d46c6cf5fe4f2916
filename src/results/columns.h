/* SPDX-License-Identifier: MIT */
/* columns.h: quantities of an engine by name, as a sink of results sees them.
 *
 * A sink knows the quantities it wants by their full names ("node.pressure"; a model's own has no class: "unserved").
 * An engine that lacks one is no error: its column is NULL, and the sink leaves out what it would have shown.
 */
#ifndef SL_RESULTS_COLUMNS_H
#define SL_RESULTS_COLUMNS_H

#include "engine/result_sink.h"

enum { SL_COLUMNS_MAX = 48 };

typedef struct sl_columns {
    const sl_engine_ops *ops;
    const void *engine;
    int32_t n;
    int32_t place[SL_COLUMNS_MAX];    /* in the frames, -1: not there */
    int32_t field[SL_COLUMNS_MAX];    /* of the engine, -1: not there */
    double time;                      /* what at belongs to [s] */
    const double *at[SL_COLUMNS_MAX]; /* values, one per element; NULL: not there */
} sl_columns;

/* Finds n names (at most SL_COLUMNS_MAX) in a layout. */
void sl_columns_open(sl_columns *columns, const sl_result_layout *layout, const char *const *names, int32_t n);
/* Points at the values of a frame. */
void sl_columns_bind(sl_columns *columns, const sl_result_frame *frame);
/* When a run ends: points at the engine's own values where it stands, if that is later than the last frame; sums of
 * water and energy are to cover the whole run, also what follows the last report time. Else false. */
bool sl_columns_bind_last(sl_columns *columns);

#endif
