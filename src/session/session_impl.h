/* SPDX-License-Identifier: MIT */
/* session_impl.h: what a session is made of; for the files of this folder only.
 *
 * The session's time t lies within the engine's last step: begin <= t <= ops->time(engine). The engine is ahead of the
 * session or level with it, never behind, so a stop costs nothing: values at t come from ops->show, and only a set cuts
 * the engine back to t.
 */
#ifndef SL_SESSION_SESSION_IMPL_H
#define SL_SESSION_SESSION_IMPL_H

#include "base/handle.h"
#include "base/ids.h"
#include "base/memory.h"
#include "session/session.h"

#include <stdatomic.h>

struct sl_model {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    const sl_engine_ops *ops;
    const void *model; /* the engine's; borrowed unless release is there */
    void (*release)(void *model);
    const sl_network *net;      /* may be NULL */
    const struct sl_kind *kind; /* NULL: of a builder */
    void *origin;               /* of the kind's load */
    void (*release_origin)(void *origin);
};

/* A model of an engine that it releases, also when there is no memory for it. */
sl_status sl_model_own(sl_context *ctx, const sl_engine_ops *ops, void *model, void (*release)(void *model),
                       const sl_network *net, sl_model **out);

/* One recorded field: rows of as many values as it has elements, the first row belonging to times[first]. */
typedef struct sl_column {
    int32_t field;
    int64_t first;
    SL_ARRAY(double) x;
} sl_column;

typedef struct sl_session_sink {
    sl_result_sink sink;
    int32_t *fields;
    const double **data; /* of the frame in hand */
    int32_t n_field;
    bool begun, ended;
} sl_session_sink;

/* What happened, and how much of what the engine shows was given on. */
typedef struct sl_session_events {
    int32_t n_taker; /* sinks that take events now */
    bool recording;
    int32_t n_given; /* of the engine's list; of no meaning while nobody wants events */
    SL_ARRAY(sl_engine_event) kept;
    SL_ARRAY(const char *) texts; /* causes, each once */
    sl_ids *ids;                  /* their numbers; NULL: there are none */
    sl_arena arena;
} sl_session_events;

struct sl_session {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    const sl_model *model;
    sl_model *owned; /* the model, when it goes with the session; or NULL */
    const sl_engine_ops *ops;
    void *engine;
    sl_diags *diags;

    double t;             /* [s] */
    double shown;         /* the time that the engine's data belongs to [s]; NaN: not known */
    double begin;         /* the model's start time [s] */
    double quality_begin; /* from where quality steps count [s] */
    bool started;         /* refreshed or advanced: outputs are there, parameters are fixed */
    bool touched;         /* no longer as created */
    sl_status failed;     /* SL_OK: it has not */
    int64_t n_tiny;       /* steps in a row without progress */
    atomic_bool paused, stopped;

    double progress_next; /* time of the next report of progress [s] */
    int64_t n_step;       /* engine steps, for progress without an end */

    int64_t *offset; /* position of each field's first variable; n_field + 1 of them */
    sl_ids **ids;    /* [n_class] tables of elements, made at the first search */
    SL_ARRAY(char) name;
    void *fresh; /* an engine as created, for start values; NULL until one is asked for */

    double report_start, report_step; /* [s] */
    int64_t next_report;              /* number of the next report */
    SL_ARRAY(double) times;
    SL_ARRAY(sl_column) columns;
    SL_ARRAY(sl_session_sink) sinks;
    bool has_step_sink; /* one of them wants every step */
    sl_session_events events;
};

/* ---- session.c ---------------------------------------------------------------------------------- */

/* Adds a diagnostic at the session's time; object_kind, object_id and hint may be NULL. */
void sl_session_add_diag(sl_session *s, sl_severity severity, sl_code code, const char *kind, const char *id,
                         const char *hint, const char *fmt, ...) SL_PRINTF(7, 8);
/* As above, with code not-allowed; returns SL_ERR_USE. */
sl_status sl_session_refuse(sl_session *s, const char *text, const char *hint);
/* The session goes on no more: remembers the status, and ends the sinks. Returns the status. A diagnostic is added when
 * errors, the number of them before the attempt, shows that nobody said why. */
sl_status sl_session_fail(sl_session *s, sl_status status, int64_t errors, const char *what);
/* Makes the engine's data belong to t. */
sl_status sl_session_show(sl_session *s, double t);
bool sl_session_has(const sl_session *s, sl_var v);
/* An output that nothing but a computation can tell. */
bool sl_session_uncomputed(const sl_session *s, int32_t field);

/* ---- vars.c ------------------------------------------------------------------------------------- */

/* The full name, in the session's buffer; when memory is short, the field's. */
const char *sl_session_name(sl_session *s, sl_var v);
/* What is known about a variable: the row of its field, with what the element has of its own. */
sl_field sl_session_describe(const sl_session *s, sl_var v);
void sl_session_vars_fini(sl_session *s);

/* ---- record.c ----------------------------------------------------------------------------------- */

/* Counts reports from the session's time on: the one at that time is to come unless the session has started. */
/* SL_ERR_INPUT and a diagnostic: there would be more reports than anybody wants. */
sl_status sl_session_reports_bound(sl_session *s, sl_diags *diags);
void sl_session_reports_reset(sl_session *s);
/* Room for all reports up to t; a long series grows on the way. */
sl_status sl_session_reports_reserve(sl_session *s, double t);
/* Gives the values at the session's time, a boundary of the engine, to the sinks that want every step. */
sl_status sl_session_steps_emit(sl_session *s);
/* Begins the sinks that have not begun. */
sl_status sl_session_sinks_begin(sl_session *s);
/* Gives every report up to the session's time to whoever wants it. */
sl_status sl_session_reports_emit(sl_session *s);
/* Forgets recorded values later than the session's time. */
void sl_session_reports_drop(sl_session *s);
bool sl_session_has_open_sink(const sl_session *s);
void sl_session_reports_fini(sl_session *s);

/* ---- events.c ----------------------------------------------------------------------------------- */

/* Gives every event up to t to whoever wants it. */
sl_status sl_session_events_emit(sl_session *s, double t);
/* The engine was cut: those after the session's time are gone. */
void sl_session_events_cut(sl_session *s);
/* The engine was restored: forgets recorded events later than the session's time. */
void sl_session_events_drop(sl_session *s);
void sl_session_events_fini(sl_session *s);

#endif
