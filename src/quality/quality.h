/* SPDX-License-Identifier: MIT */
/* quality.h: what water carries: a chemical, its age, or the share that came from one node.
 *
 * Parcels of water (segments) move through pipes without mixing; they mix at junctions and in tanks and react on the way.
 * Hydraulics come from outside, one step at a time, as mean flows over the step. Theory: docs/theory/quality.md.
 *
 * Concentrations are in the model's own unit (network.h, [conc]), volumes in m3, times in s; masses are conc * m3. A run
 * keeps the state at both ends of the last step, so that any time within it can be looked at or made its end.
 */
#ifndef SL_QUALITY_QUALITY_H
#define SL_QUALITY_QUALITY_H

#include <sluice/network.h>

#include "engine/engine.h"

/* Where the mass came from and where it went, each term added up where it happens [conc * m3]; of an age model volume
 * times age [h m3]. */
typedef struct sl_quality_ledger {
    double initial;          /* in pipes and tanks at the start */
    double reservoir;        /* with water from reservoirs */
    double source;           /* by sources; of a trace what makes its node's water full */
    double time;             /* age: the passing of time */
    double consumed;         /* to consumers, through emitters and leaks, and over the rim of tanks */
    double returned;         /* into reservoirs */
    double bulk, wall, tank; /* consumed by reactions; negative: produced */
    double adjusted;         /* with water that hydraulics added: tanks put on a limit or set, imbalance of junctions */
    double stored;           /* in pipes and tanks now: summed afresh when looked at */
} sl_quality_ledger;

/* All that went out and is still there over all that came in; 1 when nothing did. */
double sl_quality_ratio(const sl_quality_ledger *l);
/* All that came in, for comparing errors with. */
double sl_quality_handled(const sl_quality_ledger *l);

/* The hydraulics of one step. */
typedef struct sl_quality_flows {
    const double *flow;    /* [n_link] mean flow from the first to the second node [m3/s] */
    const double *outflow; /* [n_junction] all that leaves; negative: comes in from outside [m3/s] */
    const double *volume;  /* [n_tank] at the beginning [m3]; NULL: what transport has there */
    double begin, end;     /* [s] */
} sl_quality_flows;

typedef struct sl_quality_model sl_quality_model;
typedef struct sl_quality sl_quality;

/* What is const in all runs of a network with a quality model; the network is borrowed. exact: reactions are integrated
 * over a quality step, else they move by their rate at its beginning, as EPANET's do. */
sl_status sl_quality_model_create(sl_context *ctx, const sl_network *net, bool exact, sl_quality_model **out);
void sl_quality_model_destroy(sl_quality_model *m);

sl_status sl_quality_create(sl_context *ctx, const sl_quality_model *m, sl_quality **out);
void sl_quality_destroy(sl_quality *q);

/* Pipes of other sizes than the network's, before the start; the arrays are borrowed. */
void sl_quality_pipes(sl_quality *q, const double *diameter, const double *length);
/* The state at the start of the run: each pipe is filled with what its second node begins with, as EPANET 2.3 does. */
sl_status sl_quality_start(sl_quality *q, const double *volume);
/* One step on from now. When it fails nothing has happened: memory is short, or (SL_ERR_SOLVE, also at the start) masses grow
 * beyond 1e30, as by a reaction of growth without a limit. */
sl_status sl_quality_step(sl_quality *q, const sl_quality_flows *f);
/* Undoes the last step: now is what was before it. */
void sl_quality_undo_step(sl_quality *q);

/* Which state the values below belong to: the end of the last step, its beginning, or a time between. */
sl_status sl_quality_show(sl_quality *q, double t);
/* Makes the state shown the present one. */
sl_status sl_quality_cut(sl_quality *q);

bool sl_quality_begun(const sl_quality *q); /* a step was made since the start */
/* The values of a field of fields.h: its class, and its place among those of this class. */
void sl_quality_field(const sl_quality *q, int32_t of, int32_t which, double *x);
sl_quality_ledger sl_quality_ledger_of(const sl_quality *q); /* all terms, with what is stored */
/* After a step: how much of itself a substance changes by in the longest quality step where it reacts fastest, at the step's
 * flows; *row: that pipe, or n_link + tank. 0 when nothing reacts, or reactions are exact. */
double sl_quality_step_error(const sl_quality *q, int32_t *row);

/* Has the node a source, and a strength for it that holds from now on. */
bool sl_quality_has_source(const sl_quality *q, int32_t node);
void sl_quality_set_source(sl_quality *q, int32_t node, double strength);
/* Has the source another strength than the network's; that of the network again. */
bool sl_quality_source_is_set(const sl_quality *q, int32_t node);
void sl_quality_release_source(sl_quality *q, int32_t node);

/* The run as bytes, live content only. */
size_t sl_quality_save_size(const sl_quality *q);
void sl_quality_save(const sl_quality *q, void *bytes);
/* A new run from bytes; SL_ERR_INPUT when they are none of this model's. */
sl_status sl_quality_restore(sl_context *ctx, const sl_quality_model *m, const void *bytes, size_t n, sl_quality **out);

#endif
