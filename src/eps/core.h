/* SPDX-License-Identifier: MIT */
/* core.h: the network without its trees and chains: what Newton's method has to work on.
 *
 * Where demands are given, the flows of a tree of pipes are sums of demands, and the pipes of a chain (nodes of two pipes
 * in a row) share one unknown flow: the flow of each is that of the first one less the demands between. What is left are
 * the core nodes, joined by branches: chains (one pipe or more), and single links whose status may change. Heads inside
 * trees and chains follow when the core is solved. Of large networks a third of the junctions is core.
 *
 * Theory: docs/theory/hydraulics.md, "Trees, chains and the core".
 *
 * A junction is core when it has an outlet (its outflow depends on its head), when a single link ends there or a control
 * looks at its pressure, or when it is neither in a tree nor inside a chain. A pipe that is closed from the start and that
 * nothing can open belongs to nothing. A throttling or position control valve that nothing can switch or set is a pipe here.
 */
#ifndef SL_EPS_CORE_H
#define SL_EPS_CORE_H

#include "base/memory.h"
#include "numeric/ldl.h"

struct sl_eps_model;

/* Chains are in the order of their lengths. Of all that have so many pipes the t-th ones, a level, are side by side: that of chain b
 * is row row + b - chain of level t. So what is done along all chains takes as many loops as the longest has pipes. */
typedef struct sl_eps_level {
    int32_t chain; /* the first one with so many pipes; the later ones have them too */
    int32_t row;   /* of its pipe */
} sl_eps_level;

typedef struct sl_eps_core {
    sl_context *ctx;
    sl_arena arena; /* owns all arrays */

    /* Unknown heads, in the order of their elimination: those of core junctions, of tanks (pinned unless they are integrated
     * implicitly), and one that is always 0: it stands for every head that is given. */
    int32_t n_unknown, given;
    int32_t *node;         /* [n_unknown]; of given: any */
    int32_t *unknown;      /* [n_node]; given: a reservoir; -1: inside a tree or chain, or on an island */
    int32_t *tank_unknown; /* [n_tank] */

    /* Branches: chains, then single links. */
    int32_t n_chain, n_single, n_branch, n_level;
    sl_eps_level *level;   /* [n_level + 2]; beyond the last: the ends of chains and of their rows */
    double *length;        /* [n_chain] pipes of each */
    int32_t *last;         /* [n_chain] its last pipe, as in pipe; its first one is that of its own row */
    int32_t *from, *to;    /* [n_branch] nodes */
    int32_t *u, *v;        /* [n_branch] their unknowns */
    int32_t *feed, n_feed; /* branches of which one end is a reservoir or tank */
    int32_t *slot;         /* [n_branch] in the matrix; -1: none */
    int32_t *single;       /* [n_single] link */
    int32_t *branch_of;    /* [n_link] of a single link; -1 of others */

    /* Rows: pipes of chains, then pipes of trees, parents before children. */
    int32_t n_row, n_chain_row;
    int32_t *
        pipe; /* [n_row] pipe or fixed valve, or ~pipe when it runs against its chain, or towards the root of its tree */
    int32_t *inner; /* [n_row] node at its end, seen from the chain's begin or the root; of a chain's last row: the core
                        node where the chain ends */
    int32_t *parent;                 /* [n_row - n_chain_row] node from which a tree's pipe leads away */
    int32_t *valve_row, n_valve_row; /* [n_valve] rows of valves, those of chains first */
    int32_t n_chain_valve;           /* so many of them are in chains */

    /* Zones: what pipes join that nothing closes. */
    int32_t n_zone;
    int32_t *zone_start, *zone_node; /* [n_zone + 1], junctions of each, ascending */
    int32_t *zone_from, *zone_to;    /* [n_single] at the ends of single links */
    int32_t *source_zone;            /* [n_reservoir + n_tank] */
    int32_t *held_zone, *far_zone;   /* [n_regulator] at the end whose head the valve holds, and at the other one */

    /* Islands: what no source can ever reach. Neither core, tree nor chain; cut off for good. */
    int32_t n_island_node, n_island_pipe;
    int32_t *island_node, *island_label; /* [n_island_node], and which island, from 1 on */
    int32_t *island_pipe;                /* [n_island_pipe] */

    /* Branches at the node whose head a pressure valve holds. */
    int32_t *held_start, *held_branch; /* [n_regulator + 1], and the branches */

    sl_ldl *ldl;

    /* For the flows of pressure valves, unless there are very many: columns of the factor that the far end of each reaches,
     * and those that the neighbours of its held node reach, with the places of these neighbours. */
    int32_t *far_start, *far_column;   /* [n_regulator + 1]; NULL: too many valves */
    int32_t *near_start, *near_column; /* [n_regulator + 1] */
    int32_t *near_slot;                /* [held_start[n_regulator]] within the near columns; -1: head given */
    /* For the stiffness of tanks: columns that the neighbours of each reach. */
    int32_t *tank_start, *tank_column, longest_tank; /* [n_tank + 1]; the most columns of one */
    int32_t *tank_slot; /* of each link at a tank, in the order of at_link; -1: head given */
} sl_eps_core;

/* switched: links whose status or setting was set from outside (0 or 1 each), or NULL. */
sl_status sl_eps_core_create(const struct sl_eps_model *m, const uint8_t *switched, sl_eps_core **out);
void sl_eps_core_destroy(sl_eps_core *c);
/* core_reach.c: the last part of creating one. */
sl_status sl_eps_core_reach(sl_eps_core *c, const struct sl_eps_model *m, sl_arena *scratch);

/* The root of i in a forest in which up leads towards it and roots lead to themselves; ways are halved. */
static inline int32_t sl_eps_root(int32_t *up, int32_t i) {
    while (up[i] != i) {
        i = up[i] = up[up[i]];
    }
    return i;
}

#endif
