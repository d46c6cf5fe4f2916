/* SPDX-License-Identifier: MIT */
/* study.h: a study file of the surge engine (docs/reference/surge-study.md), as the definition of a model.
 *
 *     study: surge
 *     network: main.inp
 *     duration: 20 s
 *     wave_speed: 1100 m/s
 *     events:
 *       - {close: V1, at: 1 s, in: 2 s}
 *     limits:
 *       - {pressure_max: 10 bar, pressure_min: -3 m}
 *
 * The file is read in two steps, because its ids are those of a network that it names: sl_study_open finds that name,
 * sl_study_bind takes the rest apart. Every error has its place in the file, and all are found in one pass. Values are SI;
 * what is not said stays as sl_surge_default has it. A study may also be made without a file, for the few options of a
 * command line (sl_study_create, sl_study_add_event). Everything lives as long as the study.
 */
#ifndef SL_SURGE_STUDY_H
#define SL_SURGE_STUDY_H

#include <sluice/surge.h>

#include "base/memory.h"
#include "text/yaml.h"

/* A way through the network, pipe by pipe: the nodes that it passes, one more than links. */
typedef struct sl_study_route {
    const char *name;
    const int32_t *links;
    const int32_t *nodes; /* [n + 1] */
    int32_t n;
    uint32_t line;
} sl_study_route;

/* What must hold everywhere, or at the nodes and pipes that are named. */
typedef struct sl_study_limit {
    double pressure_max, pressure_min; /* [m]; NaN: not asked */
    double cavity_max;                 /* [m3]; NaN: not asked */
    const int32_t *nodes, *pipes;
    int32_t n_node, n_pipe; /* both 0: everywhere */
    uint32_t line;
} sl_study_limit;

/* Elements whose values are kept over time. */
typedef struct sl_study_choice {
    bool all, none; /* neither: those of the list; both cannot be */
    const int32_t *at;
    int32_t n;
} sl_study_choice;

typedef struct sl_study {
    sl_context *ctx;
    sl_arena arena;
    sl_yaml *doc; /* NULL: made without a file */
    const sl_network *net;
    sl_yaml_map root;
    const char *title;                /* may be NULL */
    const char *network;              /* as written */
    const sl_yaml_node *network_node; /* for messages about it; NULL without a file */
    sl_surge_def def;
    sl_surge_fluid fluid; /* of def */
    const sl_study_route *routes;
    const sl_study_limit *limits;
    int32_t n_route, n_limit;
    sl_study_choice nodes, links;
    const char *const *what; /* quantities; none: the usual ones */
    const char *const *results, *const *envelopes;
    int32_t n_what, n_result, n_envelope;
    bool no_memory;
} sl_study;

/* Reads the text and finds the network. name: as messages call the file. diags must outlive the study. */
sl_status sl_study_open(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                        sl_study **out);
/* One without a file, of the defaults; the network is borrowed. */
sl_status sl_study_create(sl_context *ctx, const sl_network *net, sl_study **out);
void sl_study_destroy(sl_study *s);
/* The rest of the file. net NULL: the ids are not looked at, so that a file is checked though its network cannot be read.
 * SL_ERR_INPUT: the diagnostics say what is wrong. */
sl_status sl_study_bind(sl_study *s, const sl_network *net);

/* Adds an event in words, as after --close: "V1@1s:2s" closes V1 from 1 s on within 2 s, "P1@5s" at 5 s at once. Times
 * have a unit, or are 0. SL_ERR_INPUT with the reason in why. */
sl_status sl_study_add_event(sl_study *s, const char *verb, const char *text, char *why, size_t size);

/* The way of least length along open or closed links from one node to another. SL_ERR_INPUT: there is none. */
sl_status sl_study_find_route(sl_study *s, int32_t from, int32_t to, sl_study_route *out);

/* The stroke and the lag of a valve that regulates, where the study gives none [s]. */
#define SL_REGULATOR_STROKE 10.0
#define SL_REGULATOR_LAG 1.0

/* The words of sl_surge_friction and sl_surge_cavitation, NULL-terminated. */
extern const char *const sl_surge_frictions[SL_SURGE_FRICTION_COUNT + 1];
extern const char *const sl_surge_cavitations[SL_SURGE_CAVITATION_COUNT + 1];
/* The words of events, NULL-terminated: close, open, trip, ... */
extern const char *const sl_study_verbs[];

#endif
