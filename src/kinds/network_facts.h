/* SPDX-License-Identifier: MIT */
/* network_facts.h: a network in numbers, all SI. */
#ifndef SL_KINDS_NETWORK_FACTS_H
#define SL_KINDS_NETWORK_FACTS_H

#include <sluice/network.h>

typedef struct sl_range {
    double min, max; /* NaN when there is nothing */
} sl_range;

typedef struct sl_facts {
    int32_t valves[SL_VALVE_KIND_COUNT];
    int32_t check_valves, closed_links, leaking_pipes, emitters;
    int32_t demand_junctions; /* junctions whose base demands are not all 0 */
    double base_demand;       /* sum over all categories [m3/s], before multipliers and patterns */
    double pipe_length;       /* [m] */
    sl_range pipe_diameter;   /* [m] */
    sl_range elevation;       /* of junctions and tanks [m] */
    int32_t located_nodes;    /* nodes with coordinates */
    int32_t vertices;
    int32_t islands, dry_islands; /* connected parts; those without reservoir or tank */
} sl_facts;

/* False: out of memory. */
bool sl_facts_gather(sl_context *ctx, const sl_network *net, sl_facts *facts);

#endif
