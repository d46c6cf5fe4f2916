/* SPDX-License-Identifier: MIT */
/* incidence.h: which links meet at each node. */
#ifndef SL_NETWORK_INCIDENCE_H
#define SL_NETWORK_INCIDENCE_H

#include <sluice/network.h>

/* The links at node i are list[start[i]] to list[start[i + 1] - 1], in their order. start: n_node + 2 zeros; list: 2 n_link. */
void sl_network_incidence(const sl_network *net, int32_t *start, int32_t *list);

#endif
