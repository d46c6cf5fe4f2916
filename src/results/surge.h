/* SPDX-License-Identifier: MIT */
/* surge.h: what a surge run leaves behind beyond its values: limits, cavities, extremes, balances and alarms, in SI
 * (docs/reference/surge-results.md). Everything is read from the session when the run is over.
 */
#ifndef SL_RESULTS_SURGE_H
#define SL_RESULTS_SURGE_H

#include <sluice/session.h>

#include "base/memory.h"
#include "base/out.h"
#include "engine/result_sink.h"
#include "results/digest.h"
#include "surge/study.h"

/* ---- The run as a whole ------------------------------------------------------------------------- */

typedef struct sl_surge_outcome {
    sl_context *ctx;
    const char *name; /* of the study */
    const sl_network *net;
    const sl_study *study;
    const sl_model *model;
    sl_session *session;
    sl_display_units shown;
    sl_surge_grid grid;
    sl_surge_view view;
    const double *head_max, *head_min, *time_max, *time_min, *cavity_max; /* [n_node] */
} sl_surge_outcome;

/* Takes the state of the session, which has been advanced. */
sl_status sl_surge_outcome_init(sl_surge_outcome *r, sl_context *ctx, const char *name, const sl_study *study,
                                const sl_model *model, sl_session *session);

/* How a limit was kept. */
typedef struct sl_surge_verdict {
    bool kept;
    double value, time; /* the worst [m] or [m3], and when [s] (NaN: unknown) */
    int32_t node;       /* where: a node, */
    int32_t pipe;       /* or a pipe and */
    double chainage;    /* a place on it [m] */
} sl_surge_verdict;

typedef enum sl_surge_bound {
    SL_SURGE_HIGHEST = 0,
    SL_SURGE_LOWEST,
    SL_SURGE_CAVITY,
    SL_SURGE_BOUND_COUNT
} sl_surge_bound;

/* False: the limit says nothing about this. */
bool sl_surge_check_limit(const sl_surge_outcome *r, const sl_study_limit *limit, sl_surge_bound bound,
                          sl_surge_verdict *out);
/* How many limits were broken. */
int32_t sl_surge_broken(const sl_surge_outcome *r);

/* Vapour cavities of one pipe. */
typedef struct sl_surge_cavities {
    double volume, chainage; /* the largest [m3], and where [m] */
    double first, longest;   /* when the first one opened, how long the longest was open [s] */
    double collapses;        /* how often its water was whole again */
} sl_surge_cavities;

/* False: there was none. */
bool sl_surge_cavities_of(const sl_surge_outcome *r, int32_t pipe, sl_surge_cavities *out);

/* The points along a route, from its beginning: distance [m], and the index of the point. n is how many there are; out may
 * be NULL to count. */
int64_t sl_surge_along(const sl_surge_outcome *r, const sl_study_route *route, double *distance, int64_t *point);

/* ---- Files -------------------------------------------------------------------------------------- */

/* The grid of a model, without a run: members of an open object. */
void sl_surge_json_grid_members(const sl_surge_outcome *r, sl_json *json);
/* Fills d, which is initialised here and finished by the caller. rows: so many lines of a list; INT32_MAX: all. */
sl_status sl_surge_digest(const sl_surge_outcome *r, const sl_digest_events *events, int32_t rows, sl_digest *d);

#endif
