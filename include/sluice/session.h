/* SPDX-License-Identifier: MIT */
/* sluice/session.h: a model in motion, driven from outside.
 *
 * A model is const and may be shared by sessions and threads. A session has a time, variables by name, and moves by
 * advance. Values are SI. One thread at a time per session; only pause and stop may be called from another thread.
 * What goes wrong on the way is in the session's own diagnostics, with time and object.
 *
 *     sl_model_from_network(ctx, net, NULL, diags, &model);
 *     sl_session_create(ctx, model, diags, &session);
 *     sl_session_find(session, "node.'J1'.pressure", &var);
 *     sl_step step = {.size = sizeof step};
 *     sl_session_advance(session, 3600.0, 0, &step);
 *     sl_session_get(session, &var, 1, &pressure);
 */
#ifndef SLUICE_SESSION_H
#define SLUICE_SESSION_H

#include <sluice/automaton.h>
#include <sluice/eps.h>
#include <sluice/network.h>
#include <sluice/quality.h>
#include <sluice/surge.h>
#include <sluice/tunnel.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Models ------------------------------------------------------------------------------------- */

typedef struct sl_model sl_model;

/* A model owns what it is made from: a network, an automaton or stored hydraulics may be destroyed after the call. Models come from
 * files (sluice/load.h) or from these builders. */

/* A model of a network. def may be NULL. */
SL_API sl_status sl_model_from_network(sl_context *ctx, const sl_network *net, const sl_eps_def *def, sl_diags *diags,
                                       sl_model **out);
/* Transport along stored hydraulics; the network says what is transported. Of def only the
 * reactions count; def may be NULL. The times are those of the hydraulics. */
SL_API sl_status sl_model_from_hydraulics(sl_context *ctx, const sl_network *net, const sl_hydraulics *hydraulics,
                                          const sl_eps_def *def, sl_diags *diags, sl_model **out);
/* Water hammer in a network, from the steady state of its extended-period run at def->start: solved here, so that a
 * network without one is refused here. def is copied. */
SL_API sl_status sl_model_from_surge(sl_context *ctx, const sl_network *net, const sl_surge_def *def, sl_diags *diags,
                                     sl_model **out);
/* An automaton. SL_ERR_USE when it is not finished. */
SL_API sl_status sl_model_of_automaton(sl_context *ctx, const sl_automaton *automaton, sl_model **out);
/* The same from YAML; file: as messages call the text; file may be NULL. Everything that is wrong is reported in one pass. */
SL_API sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *file,
                                         sl_diags *diags, sl_model **out);
/* Tunnels that fill and run dry, from YAML (docs/reference/tunnel.md); file may be NULL. Text that names files of series is for
 * sl_model_load. */
SL_API sl_status sl_model_from_tunnel(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                      sl_model **out);
/* The same by calls (sluice/tunnel.h). SL_ERR_USE: the run cannot be. */
SL_API sl_status sl_model_of_tunnels(sl_context *ctx, const sl_tunnels *tunnels, const sl_tunnels_run *run,
                                     sl_diags *diags, sl_model **out);
SL_API void sl_model_destroy(sl_model *model);
/* The network it was made from; NULL for a model that is none. */
SL_API const sl_network *sl_model_network(const sl_model *model);
/* "eps", "quality", "surge", "hybrid", "discrete", "tunnel". */
SL_API const char *sl_model_engine(const sl_model *model);

/* ---- Sessions and variables --------------------------------------------------------------------- */

typedef struct sl_session sl_session;

/* A session at the model's start time. */
SL_API sl_status sl_session_create(sl_context *ctx, const sl_model *model, sl_diags *diags, sl_session **out);
SL_API void sl_session_destroy(sl_session *s);

/* A variable: an element of a field. Stable for a model. No size: these two members for good, passed by value. */
typedef struct sl_var {
    int32_t field, index;
} sl_var;

typedef enum sl_var_type { SL_VAR_REAL = 0, SL_VAR_INT, SL_VAR_BOOL, SL_VAR_ENUM } sl_var_type;
typedef enum sl_causality { SL_VAR_OUTPUT = 0, SL_VAR_INPUT, SL_VAR_PARAMETER } sl_causality;
typedef enum sl_variability { SL_VAR_CONTINUOUS = 0, SL_VAR_DISCRETE, SL_VAR_FIXED } sl_variability;

/* What is known about a variable; text is borrowed from the session and valid until the next call that gives one. */
typedef struct sl_var_info {
    size_t size;
    sl_var var;
    uint32_t ref;     /* position among all variables */
    const char *name; /* node.'10'.pressure; ' and \ in an id are written \' and \\ */
    sl_var_type type;
    sl_causality causality;
    sl_variability variability;
    const char *unit; /* SI */
    const char *meaning;
    double start;             /* value at the model's start time; NaN: computed */
    double min, max;          /* -INFINITY, INFINITY: no bound */
    const char *const *words; /* of an enumeration, NULL-terminated; else NULL */
} sl_var_info;

/* Number of variables; info by position; position of a variable. */
SL_API int64_t sl_session_n_var(const sl_session *s);
SL_API sl_status sl_session_var(sl_session *s, uint32_t ref, sl_var_info *out);
SL_API int64_t sl_session_ref(const sl_session *s, sl_var v); /* -1: no such variable */
/* By name; SL_ERR_INPUT and a diagnostic with the nearest name when there is none. */
SL_API sl_status sl_session_find(sl_session *s, const char *name, sl_var *out);
/* Fields, for arrays over all elements: "node.pressure", "balance.ratio". -1: no such field. Fields are numbered from 0;
 * variables of a field stand together, in the order of the fields. */
SL_API int32_t sl_session_field(const sl_session *s, const char *name);

/* ---- Values ------------------------------------------------------------------------------------- */

/* Values at the session's time. After a set and before the next refresh or advance, outputs are the old ones; before
 * the first refresh or advance they are NaN. SL_ERR_MEMORY when there is no room to show them. */
SL_API sl_status sl_session_get(sl_session *s, const sl_var *v, int32_t n, double *x);
/* All or none: a value that is refused (not finite, out of bounds, not settable, or a parameter after the start) leaves
 * everything as it was; the diagnostic names the variable. Acts from the session's time on, also when the value is the one
 * the variable has: from then on it is held. */
SL_API sl_status sl_session_set(sl_session *s, const sl_var *v, int32_t n, const double *x);
/* Ends the hold of sets, all or none: from the session's time on patterns, controls, rules and schedules decide again. A variable
 * that is not held stays as it is. SL_ERR_INPUT for one that cannot be set. */
SL_API sl_status sl_session_release(sl_session *s, const sl_var *v, int32_t n);
/* All elements of a field, borrowed until the session moves, sets or restores. NULL: no such field, or an output that is
 * not computed yet; *n is the number of elements in any case, 0 without such a field; n may be NULL. */
SL_API const double *sl_session_view(sl_session *s, int32_t field, int32_t *n);

/* ---- Time --------------------------------------------------------------------------------------- */

typedef enum sl_stop_reason {
    SL_REASON_TARGET = 0, /* the time asked for */
    SL_REASON_EVENT,      /* a step of the engine ended before it */
    SL_REASON_END,        /* the model's own end, also when that was the time asked for */
    SL_REASON_PAUSED,
    SL_REASON_STOPPED,
    SL_REASON_FAILED /* the diagnostics say why; values are those of the last good time */
} sl_stop_reason;

enum { SL_STOP_AT_EVENT = 1 };

typedef struct sl_step {
    size_t size;
    double time; /* where the session is now [s] */
    sl_stop_reason reason;
    int32_t first_diag, n_diag; /* diagnostics added on the way */
    int64_t n_step;             /* engine steps taken */
} sl_step;

SL_API double sl_session_time(const sl_session *s);
/* "s", or "steps" of a model whose time counts: then every time in this header is a whole number of steps. */
SL_API const char *sl_session_time_unit(const sl_session *s);
SL_API double sl_session_end(const sl_session *s); /* the model's own end; INFINITY: none */
/* Moves to t (INFINITY: to the model's end). t = now refreshes the outputs. SL_OK for every reason but FAILED
 * (SL_ERR_SOLVE or what went wrong); after a failure every advance gives it again until a state is restored. A call that
 * is refused (SL_ERR_USE: a time before now, no end to go to) or finds no memory to record changes nothing. When the
 * context's progress callback asks to stop: SL_ERR_CANCELLED and SL_REASON_STOPPED at a good time; the next advance goes on.
 * out may be NULL. */
SL_API sl_status sl_session_advance(sl_session *s, double t, uint32_t flags, sl_step *out);
/* To the end of the engine's coming step, or of the one the session stands in; *dt is the time gone by, 0 at the end
 * (and when paused or stopped). dt may be NULL. */
SL_API sl_status sl_session_step(sl_session *s, double *dt);
/* To the end of the coming quality step: of the file's length, counted from the last event, at most to the next one.
 * SL_ERR_USE for a model without a network. dt may be NULL. */
SL_API sl_status sl_session_step_quality(sl_session *s, double *dt);
SL_API sl_status sl_session_refresh(sl_session *s);
/* The end of the coming step as far as it can be told; INFINITY at the model's end. */
SL_API double sl_session_next_event(sl_session *s);
/* From any thread: checked between engine steps. A paused advance returns SL_REASON_PAUSED and may be called again after
 * pause(false); after stop every advance returns SL_REASON_STOPPED. */
SL_API void sl_session_pause(sl_session *s, bool on);
SL_API void sl_session_stop(sl_session *s);

/* What only one engine has, by name: out is the structure that the name stands for, with its size set. SL_ERR_USE: the model has
 * no such facet, the structure has no size, or the session stands where there is none. The functions below
 * are those with types. */
SL_API sl_status sl_session_facet(sl_session *s, const char *name, void *out);
SL_API sl_status sl_model_facet(const sl_model *model, const char *name, void *out);
/* "surge.grid": the grid of a surge model, borrowed from it. */
SL_API sl_status sl_model_surge_grid(const sl_model *model, sl_surge_grid *out);
/* "surge.view": every grid point, the balances and the alarms of a surge session at its time; SL_ERR_USE before the first refresh or
 * advance. */
SL_API sl_status sl_session_surge(sl_session *s, sl_surge_view *out);
/* "eps.hydraulics": keeps the flows of every step of the hydraulics from now on, for transport after them; hydraulics may be NULL: no longer. They
 * outlive the session's use of them. SL_ERR_USE when they are of another network, or the session stands within a step. */
SL_API sl_status sl_session_store_hydraulics(sl_session *s, sl_hydraulics *hydraulics);

/* All diagnostics so far. */
SL_API const sl_diags *sl_session_diags(const sl_session *s);

/* ---- Past values -------------------------------------------------------------------------------- */

/* Keeps these fields ("node.pressure") at every report time from now on, in memory. The report at the start belongs to
 * the first refresh or advance. */
SL_API sl_status sl_session_record(sl_session *s, const char *const *fields, int32_t n);
/* Report times kept so far; borrowed. */
SL_API const double *sl_session_times(const sl_session *s, int32_t *n);
/* The value at a report time kept (within a billionth of it); SL_ERR_USE when the field is not recorded or no such time
 * is kept. */
SL_API sl_status sl_session_past(const sl_session *s, sl_var v, double t, double *x);
/* The values kept of a field as one block: element i at time k is block[k * n_element + i]; the times are the last n_time of
 * sl_session_times. Borrowed until the session moves, restores or records. NULL: the field is not recorded, or nothing was kept yet;
 * the numbers are there in any case, 0 without such a field, and either may be NULL. */
SL_API const double *sl_session_recorded(const sl_session *s, int32_t field, int32_t *n_time, int32_t *n_element);

/* ---- Events ------------------------------------------------------------------------------------- */

/* What happened at an instant: a status that changed, a root that was crossed, a cavity that opened. Within an instant events
 * have the order in which the engine did them. Texts are borrowed from the session until events are dropped. */
typedef struct sl_event_info {
    size_t size;
    double time;
    const char *kind;          /* "status", "root", "transition", "action", "cavity", ... */
    const char *element_class; /* "link"; "" for the model as a whole */
    const char *element;       /* its id; "" for the model as a whole */
    const char *quantity;      /* that changed: "status"; "": none */
    double from, to;           /* of the quantity; NaN: none */
    const char *cause;         /* "rule 'night'", the symbol of a root; "": none is known */
    int32_t execution;         /* in results of several executions: from 1; else 0 */
} sl_event_info;

/* Keeps events from now on (or no longer), in memory. They are no part of a saved state: a restore drops those of later times. */
SL_API sl_status sl_session_record_events(sl_session *s, bool on);
SL_API int64_t sl_session_n_event(const sl_session *s);
/* SL_ERR_USE: there is no such event. */
SL_API sl_status sl_session_event(const sl_session *s, int64_t i, sl_event_info *out);

/* ---- State -------------------------------------------------------------------------------------- */

/* The state as bytes with a header and checksum: bytes can be kept in a file. A restored session goes on bit for bit as
 * the saved one would. Recorded values are not part of it. A failed session saves its last good time. */
SL_API sl_status sl_session_save(sl_session *s, const sl_sink *sink);
/* All or none: bytes of another model, engine, version, or damaged ones are refused with a diagnostic. Recorded values
 * later than the restored time are dropped. A failure is forgotten, a stop is not. SL_ERR_USE while a recorder (sluice/results.h) is at
 * work: frames that are written cannot be taken back. */
SL_API sl_status sl_session_restore(sl_session *s, const void *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
