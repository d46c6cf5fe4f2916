/* schedule.h: what is to be set when: series bound to input elements of an engine. */
#ifndef SL_ENGINE_SCHEDULE_H
#define SL_ENGINE_SCHEDULE_H

#include "engine/engine.h"
#include "engine/series.h"

typedef struct sl_schedule_row {
    int32_t field, index;
    sl_series series; /* held values: a linear one would need a set at every instant */
} sl_schedule_row;

typedef struct sl_schedule {
    const sl_schedule_row *rows;
    int32_t n;
} sl_schedule;

/* Checks the rows against the engine: fields that are inputs, indices that exist, series that are valid and held. */
sl_status sl_schedule_check(const sl_schedule *s, const sl_engine_ops *ops, const void *engine, sl_diags *diags);
/* The first time after t at which a row changes; INFINITY when there is none. */
double sl_schedule_next(const sl_schedule *s, double t);
/* Sets every row whose value at the engine's time differs from the one it has. */
sl_status sl_schedule_apply(const sl_schedule *s, const sl_engine_ops *ops, void *engine, sl_diags *diags);

#endif
