/* SPDX-License-Identifier: MIT */
/* incidence.c: links at nodes, by counting; see incidence.h. */
#include "network/incidence.h"

void sl_network_incidence(const sl_network *net, int32_t *start, int32_t *list) {
    for (int32_t k = 0; k < net->n_link; k++) { /* two places behind: the last loop moves all beginnings by one */
        start[net->link_from[k] + 2]++;
        start[net->link_to[k] + 2]++;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        start[i + 2] += start[i + 1];
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        list[start[net->link_from[k] + 1]++] = k;
        list[start[net->link_to[k] + 1]++] = k;
    }
}
