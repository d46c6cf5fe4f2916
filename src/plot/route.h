/* SPDX-License-Identifier: MIT */
/* route.h: a line through a network, from node to node, the shortest by length of pipe. */
#ifndef SL_PLOT_ROUTE_H
#define SL_PLOT_ROUTE_H

#include "plot/picture.h"

typedef enum sl_route_kind { SL_ROUTE_PIPE = 0, SL_ROUTE_PUMP, SL_ROUTE_VALVE } sl_route_kind;

/* What can be walked: from the facts of a result or from the network, in the units of the result. */
typedef struct sl_route_graph {
    int32_t n_node, n_link;
    const char *const *node_ids, *const *link_ids;
    const int32_t *from, *to;         /* of the links; -1: unknown */
    const double *length, *elevation; /* elevation NULL: unknown */
    const uint8_t *kind;              /* of the links */
    const char *const *node_kind;     /* "junction", ...; NULL: unknown */
    const char *unit;                 /* of lengths */
} sl_route_graph;

/* Links one after the other. */
typedef struct sl_route {
    int32_t n;
    const int32_t *link;
    const int32_t *node;  /* [n + 1] */
    const bool *backward; /* from the second node of the link to the first */
} sl_route;

/* SL_ERR_INPUT: neither result nor network says how links are joined; reported. */
sl_status sl_route_graph_make(sl_picture *p, sl_route_graph *g);
/* Through all nodes that def->route names. SL_ERR_INPUT: one is not there, or no line joins them; reported. */
sl_status sl_route_find(sl_picture *p, const sl_route_graph *g, sl_route *out);

#endif
