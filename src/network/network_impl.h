/* SPDX-License-Identifier: MIT */
/* network_impl.h: what stands behind a sl_network: its memory and its id tables. */
#ifndef SL_NETWORK_IMPL_H
#define SL_NETWORK_IMPL_H

#include "base/ids.h"
#include "base/memory.h"
#include <sluice/network.h>

typedef struct sl_network_impl {
    sl_network pub; /* first: a sl_network is one of these */
    sl_context *ctx;
    sl_arena arena; /* all arrays and text */
    sl_ids *node_ids, *link_ids, *pattern_ids, *curve_ids;
    /* Between positions in the id tables (order of arrival) and indices; NULL when they are the same. */
    const int32_t *node_at_id, *id_at_node, *link_at_id, *id_at_link;
} sl_network_impl;

static inline const sl_network_impl *sl_network_impl_of(const sl_network *net) {
    return (const sl_network_impl *)(const void *)net;
}

/* As sl_network_node_id and sl_network_link_id, with their lengths. */
static inline sl_str sl_network_node_text(const sl_network *net, int32_t node) {
    const sl_network_impl *impl = sl_network_impl_of(net);
    return sl_ids_text(impl->node_ids, impl->id_at_node ? impl->id_at_node[node] : node);
}
static inline sl_str sl_network_link_text(const sl_network *net, int32_t link) {
    const sl_network_impl *impl = sl_network_impl_of(net);
    return sl_ids_text(impl->link_ids, impl->id_at_link ? impl->id_at_link[link] : link);
}

#endif
