/* SPDX-License-Identifier: MIT */
/* network_impl.h: what stands behind a sl_network: its memory and its id tables. */
#ifndef SL_NETWORK_IMPL_H
#define SL_NETWORK_IMPL_H

#include "base/ids.h"
#include "base/memory.h"
#include "base/shared.h"
#include <sluice/network.h>

typedef struct sl_network_impl {
    sl_network pub; /* first: a sl_network is one of these */
    sl_context *ctx;
    sl_arena arena; /* all arrays and text */
    sl_ids *node_ids, *link_ids, *pattern_ids, *curve_ids;
    /* Between positions in the id tables (order of arrival) and indices; NULL when they are the same. */
    const int32_t *node_at_id, *id_at_node, *link_at_id, *id_at_link;
    sl_shared owners;
} sl_network_impl;

static inline const sl_network_impl *sl_network_impl_of(const sl_network *net) {
    return (const sl_network_impl *)(const void *)net;
}

/* A copy whose options may be changed. It borrows all arrays and ids, and is not destroyed: its owners are counted apart. */
static inline sl_network_impl sl_network_borrow(const sl_network *net) {
    const sl_network_impl *from = sl_network_impl_of(net);
    return (sl_network_impl){.pub = from->pub,
                             .ctx = from->ctx,
                             .node_ids = from->node_ids,
                             .link_ids = from->link_ids,
                             .pattern_ids = from->pattern_ids,
                             .curve_ids = from->curve_ids,
                             .node_at_id = from->node_at_id,
                             .id_at_node = from->id_at_node,
                             .link_at_id = from->link_at_id,
                             .id_at_link = from->id_at_link};
}

/* One more owner: sl_network_destroy is to be called once more. Any thread. */
void sl_network_retain(const sl_network *net);
/* Of one owner among others, who see it as const. */
void sl_network_release(const sl_network *net);

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
