/* SPDX-License-Identifier: MIT */
/* nodes.h: a node as its segments see it: what they deliver is w - s H. */
#ifndef SL_SURGE_NODES_H
#define SL_SURGE_NODES_H

#include "surge/impl.h"

/* Gathered once per step. */
typedef struct sl_node_line {
    double w, s;       /* [m3/s], [m2/s] straight part, with storage and fixed demand */
    double hv, gas, v; /* vapour head [m], gas constant [m4], volume before [m3] */
    double old;        /* head before [m] */
} sl_node_line;

sl_node_line sl_node_gather(const sl_surge_run *e, int32_t i);
/* The head of a node alone. */
double sl_node_head(const sl_surge_run *e, int32_t i, const sl_node_line *x);
/* What has to join so that it is h [m3/s]. */
double sl_node_lack(const sl_surge_run *e, int32_t i, const sl_node_line *x, double h);

#endif
