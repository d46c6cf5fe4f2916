/* SPDX-License-Identifier: MIT */
/* result_sink.h: where results go, frame by frame. A format (.out, CSV, HDF5, a plot in memory) is one of these.
 *
 * begin, then frames and events in order of time, events before the frame of the same time, then end. end is called exactly once after a successful begin, also when the run
 * failed (complete is false then), so that a file can say that it is not whole.
 */
#ifndef SL_ENGINE_RESULT_SINK_H
#define SL_ENGINE_RESULT_SINK_H

#include "engine/engine.h"

/* Which fields of which engine. */
typedef struct sl_result_layout {
    const sl_engine_ops *ops;
    const void *engine;
    const int32_t *fields;
    int32_t n_field;
} sl_result_layout;

/* One instant: data[i] has as many values as fields[i] has elements. */
typedef struct sl_result_frame {
    double time; /* [s] */
    const double *const *data;
} sl_result_frame;

/* The end of a step of the engine, whose ops show values there until the sink returns: it computes no more than what is asked for. */
typedef struct sl_result_step {
    double time; /* [s] */
    const sl_result_layout *layout;
    const double **data; /* [n_field] for sl_result_step_read */
} sl_result_step;

/* All values: data[i] as in a frame. SL_ERR_MEMORY: there is none to show them. */
sl_status sl_result_step_read(const sl_result_step *step);
/* As moved of the engine, of field i of the layout. */
const int32_t *sl_result_step_moved(const sl_result_step *step, int32_t i, int32_t *n);

typedef struct sl_result_sink {
    void *user;
    sl_status (*begin)(void *user, const sl_result_layout *layout, sl_diags *diags);
    sl_status (*frame)(void *user, const sl_result_frame *frame, sl_diags *diags);
    sl_status (*end)(void *user, bool complete, sl_diags *diags); /* NULL: nothing is to be done */
    /* Something happened; texts are borrowed until it returns. NULL: events are not wanted. A sink without fields takes these alone,
     * and its frame is not called. */
    sl_status (*event)(void *user, const sl_engine_event *event, sl_diags *diags);
    /* At the start and after every step of the engine, whose events and frames came before. NULL: not wanted. */
    sl_status (*step)(void *user, const sl_result_step *step, sl_diags *diags);
    /* When the session goes, begun or not: what it owns is given back, others forget it. NULL: nothing is to be done. */
    void (*destroy)(void *user);
} sl_result_sink;

#endif
