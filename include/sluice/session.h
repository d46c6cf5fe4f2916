/* SPDX-License-Identifier: MIT */
/* sluice/session.h: sessions: a program advances a model in time and reads and sets its variables.
 *
 * A model is const; sessions and threads may share it. A session is one run of a model: it has a time and named variables.
 * Values are in SI units. One thread at a time may use a session; only pause and stop may be called from another thread.
 * Problems during the run are in the session's own diagnostics, with time and object. docs/reference/session.md introduces this header.
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
/* Transport along stored hydraulics (sluice/quality.h). The network states what is transported. Only the member reactions of def is
 * used; def may be NULL. The times are those of the hydraulics. */
SL_API sl_status sl_model_from_hydraulics(sl_context *ctx, const sl_network *net, const sl_hydraulics *hydraulics,
                                          const sl_eps_def *def, sl_diags *diags, sl_model **out);
/* Water hammer in a network, from the steady state of its extended-period run at def->start. This call computes the steady state and
 * refuses a network without one. def is copied. */
SL_API sl_status sl_model_from_surge(sl_context *ctx, const sl_network *net, const sl_surge_def *def, sl_diags *diags,
                                     sl_model **out);
/* An automaton. SL_ERR_USE when it is not finished. */
SL_API sl_status sl_model_of_automaton(sl_context *ctx, const sl_automaton *automaton, sl_model **out);
/* An automaton from YAML text. file is the name of the text in messages; file may be NULL. One pass reports every error. */
SL_API sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *file,
                                         sl_diags *diags, sl_model **out);
/* Tunnels that fill and drain, from YAML text (docs/reference/tunnel.md); file may be NULL. Use sl_model_load for text that refers to
 * files with time series. */
SL_API sl_status sl_model_from_tunnel(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                      sl_model **out);
/* Tunnels that were built by calls (sluice/tunnel.h). SL_ERR_USE: the values of run are not possible. */
SL_API sl_status sl_model_of_tunnels(sl_context *ctx, const sl_tunnels *tunnels, const sl_tunnels_run *run,
                                     sl_diags *diags, sl_model **out);
SL_API void sl_model_destroy(sl_model *model);
/* The network that the model was made from; NULL for a model without a network. */
SL_API const sl_network *sl_model_network(const sl_model *model);
/* "eps", "quality", "surge", "hybrid", "discrete", "tunnel". */
SL_API const char *sl_model_engine(const sl_model *model);

/* ---- Sessions and variables --------------------------------------------------------------------- */

typedef struct sl_session sl_session;

/* A session at the model's start time. */
SL_API sl_status sl_session_create(sl_context *ctx, const sl_model *model, sl_diags *diags, sl_session **out);
SL_API void sl_session_destroy(sl_session *s);

/* A variable: a field (one quantity of all elements of a class) and the index of an element. It is constant for a model. No size: these
 * two members are fixed for good; it is passed by value. */
typedef struct sl_var {
    int32_t field, index;
} sl_var;

typedef enum sl_var_type { SL_VAR_REAL = 0, SL_VAR_INT, SL_VAR_BOOL, SL_VAR_ENUM } sl_var_type;
typedef enum sl_causality { SL_VAR_OUTPUT = 0, SL_VAR_INPUT, SL_VAR_PARAMETER } sl_causality;
typedef enum sl_variability { SL_VAR_CONTINUOUS = 0, SL_VAR_DISCRETE, SL_VAR_FIXED } sl_variability;

/* Properties of a variable. Texts are borrowed from the session and valid until the next call that returns properties. */
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

/* Number of variables; properties by position; position of a variable. */
SL_API int64_t sl_session_n_var(const sl_session *s);
SL_API sl_status sl_session_var(sl_session *s, uint32_t ref, sl_var_info *out);
SL_API int64_t sl_session_ref(const sl_session *s, sl_var v); /* -1: no such variable */
/* Finds a variable by name. SL_ERR_INPUT: there is none; a diagnostic suggests the nearest name. */
SL_API sl_status sl_session_find(sl_session *s, const char *name, sl_var *out);
/* Fields, for arrays over all elements: "node.pressure", "balance.ratio". -1: no such field. Fields are numbered from 0.
 * The variables of a field have consecutive positions; fields follow each other in their order. */
SL_API int32_t sl_session_field(const sl_session *s, const char *name);

/* ---- Values ------------------------------------------------------------------------------------- */

/* Values at the session's time. Before the first refresh or advance, outputs are NaN. After a set, outputs keep their old values until
 * the next refresh or advance. SL_ERR_MEMORY: no memory to interpolate them. */
SL_API sl_status sl_session_get(sl_session *s, const sl_var *v, int32_t n, double *x);
/* Sets all values or none: a refused value (not finite, out of bounds, not settable, or a parameter after the start) leaves every
 * variable unchanged, and the diagnostic names the variable. A value acts from the session's time on and is held, even if it equals
 * the present value. */
SL_API sl_status sl_session_set(sl_session *s, const sl_var *v, int32_t n, const double *x);
/* Ends the hold of all these variables or of none. From the session's time on, patterns, controls, rules and schedules set them again.
 * A variable that is not held does not change. SL_ERR_INPUT: a variable cannot be set. */
SL_API sl_status sl_session_release(sl_session *s, const sl_var *v, int32_t n);
/* The values of all elements of a field, borrowed until the session advances, sets or restores. NULL: no such field, or an output that
 * is not computed yet. *n is the number of elements, 0 without such a field; n may be NULL. */
SL_API const double *sl_session_view(sl_session *s, int32_t field, int32_t *n);

/* ---- Time --------------------------------------------------------------------------------------- */

typedef enum sl_stop_reason {
    SL_REASON_TARGET = 0, /* the requested time */
    SL_REASON_EVENT,      /* a step of the engine ended earlier (SL_STOP_AT_EVENT) */
    SL_REASON_END,        /* the model's own end, also if that was the requested time */
    SL_REASON_PAUSED,
    SL_REASON_STOPPED,
    SL_REASON_FAILED /* the diagnostics have the reason; values are those of the last valid time */
} sl_stop_reason;

enum { SL_STOP_AT_EVENT = 1 };

typedef struct sl_step {
    size_t size;
    double time; /* of the session now [s] */
    sl_stop_reason reason;
    int32_t first_diag, n_diag; /* diagnostics that the call added */
    int64_t n_step;             /* engine steps taken */
} sl_step;

SL_API double sl_session_time(const sl_session *s);
/* "s"; or "steps" if the time of the model counts steps: then every time in this header is a whole number of steps. */
SL_API const char *sl_session_time_unit(const sl_session *s);
SL_API double sl_session_end(const sl_session *s); /* the model's own end; INFINITY: none */
/* Advances to t, or to the model's end if t is INFINITY. If t is the present time, it refreshes the outputs. Returns SL_OK for every
 * reason but FAILED, which returns SL_ERR_SOLVE or the status of its cause. After a failure, every advance returns that status until a
 * state is restored. A refused call changes nothing (SL_ERR_USE: t is in the past, or INFINITY without an end of the model); nor does a
 * call that finds no memory to record. If the context's progress callback asks to stop, the call returns SL_ERR_CANCELLED and
 * SL_REASON_STOPPED at a valid time, and the next advance continues. out may be NULL. */
SL_API sl_status sl_session_advance(sl_session *s, double t, uint32_t flags, sl_step *out);
/* Advances to the end of the engine's next step, or of the present step if the session is within one. *dt is the elapsed time: 0 at the
 * end of the model, or when paused or stopped. dt may be NULL. */
SL_API sl_status sl_session_step(sl_session *s, double *dt);
/* Advances to the end of the next quality step. The file gives its length; it starts at the last event and ends at the next event at the
 * latest. SL_ERR_USE: the model has no network. dt may be NULL. */
SL_API sl_status sl_session_step_quality(sl_session *s, double *dt);
SL_API sl_status sl_session_refresh(sl_session *s);
/* The end of the engine's next step as far as it is known; INFINITY at the model's end. */
SL_API double sl_session_next_event(sl_session *s);
/* Any thread may call pause and stop. Sessions check them between engine steps. A paused advance returns SL_REASON_PAUSED; call it again
 * after pause(false). After stop, every advance returns SL_REASON_STOPPED. */
SL_API void sl_session_pause(sl_session *s, bool on);
SL_API void sl_session_stop(sl_session *s);

/* Data that only one engine has, by name ("facets"). The name determines the type of the structure out, whose size must be set.
 * SL_ERR_USE: the model has no such facet, the structure has no size, or the facet does not exist at the session's time. The functions
 * below return facets with their types. */
SL_API sl_status sl_session_facet(sl_session *s, const char *name, void *out);
SL_API sl_status sl_model_facet(const sl_model *model, const char *name, void *out);
/* "surge.grid": the grid of a surge model, borrowed from it. */
SL_API sl_status sl_model_surge_grid(const sl_model *model, sl_surge_grid *out);
/* "surge.view": every grid point, the balances and the alarms of a surge session at its time; SL_ERR_USE before the first refresh or
 * advance. */
SL_API sl_status sl_session_surge(sl_session *s, sl_surge_view *out);
/* "eps.hydraulics": stores the flows of every hydraulic step from now on, for transport afterwards; hydraulics may be NULL, which ends the
 * storing. They must outlive the session's use of them. SL_ERR_USE: they belong to another network, or the session is within a step. */
SL_API sl_status sl_session_store_hydraulics(sl_session *s, sl_hydraulics *hydraulics);

/* All diagnostics so far. */
SL_API const sl_diags *sl_session_diags(const sl_session *s);

/* ---- Past values -------------------------------------------------------------------------------- */

/* Stores these fields ("node.pressure") in memory at every report time from now on. The first refresh or advance stores the report at
 * the start. */
SL_API sl_status sl_session_record(sl_session *s, const char *const *fields, int32_t n);
/* Report times stored so far; borrowed. */
SL_API const double *sl_session_times(const sl_session *s, int32_t *n);
/* The value at a stored report time; t may differ from it by a billionth. SL_ERR_USE: the field is not recorded, or no such time is
 * stored. */
SL_API sl_status sl_session_past(const sl_session *s, sl_var v, double t, double *x);
/* The stored values of a field as one block: element i at time k is block[k * n_element + i]. The times are the last n_time of
 * sl_session_times. The block is borrowed until the session advances, restores or records. NULL: the field is not recorded, or nothing
 * is stored yet. The two numbers are always set, to 0 without such a field; n_time and n_element may be NULL. */
SL_API const double *sl_session_recorded(const sl_session *s, int32_t field, int32_t *n_time, int32_t *n_element);

/* ---- Events ------------------------------------------------------------------------------------- */

/* An event: a status changed, a root was crossed, a cavity opened. Events at one time have the order in which the engine produced them.
 * Texts are borrowed from the session until events are removed. */
typedef struct sl_event_info {
    size_t size;
    double time;
    const char *kind;          /* "status", "root", "transition", "action", "cavity", ... */
    const char *element_class; /* "link"; "" for the model as a whole */
    const char *element;       /* its id; "" for the model as a whole */
    const char *quantity;      /* the quantity that changed: "status"; "": none */
    double from, to;           /* of the quantity; NaN: none */
    const char *cause;         /* "rule 'night'", the symbol of a root; "": none is known */
    int32_t execution;         /* in results of several executions: from 1; else 0 */
} sl_event_info;

/* Starts or stops storing events in memory. Events are not part of a saved state; a restore removes those after the restored time. */
SL_API sl_status sl_session_record_events(sl_session *s, bool on);
SL_API int64_t sl_session_n_event(const sl_session *s);
/* SL_ERR_USE: there is no such event. */
SL_API sl_status sl_session_event(const sl_session *s, int64_t i, sl_event_info *out);

/* ---- State -------------------------------------------------------------------------------------- */

/* Writes the state as bytes with a header and a checksum, for instance to a file. A restored session continues as the saved one would,
 * bit for bit. Recorded values are not part of the state. A failed session saves the state of its last valid time. */
SL_API sl_status sl_session_save(sl_session *s, const sl_sink *sink);
/* Restores the whole state or nothing. Damaged bytes, and bytes of another model, engine or version, are refused with a diagnostic.
 * Recorded values after the restored time are removed. A restore clears a failure, but not a stop. SL_ERR_USE: a recorder
 * (sluice/results.h) is active, whose written frames cannot be undone. */
SL_API sl_status sl_session_restore(sl_session *s, const void *bytes, size_t n);

#ifdef __cplusplus
}
#endif
#endif
