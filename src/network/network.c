/* SPDX-License-Identifier: MIT */
/* network.c: looking things up in a network. */
#include "network/network_impl.h"

void sl_network_retain(const sl_network *net) {
    sl_shared_retain(&((sl_network_impl *)(uintptr_t)net)->owners);
}

void sl_network_release(const sl_network *net) {
    sl_network_destroy((sl_network *)(uintptr_t)net);
}

void sl_network_destroy(sl_network *net) {
    sl_network_impl *impl = (sl_network_impl *)(void *)net;
    if (!net || !sl_shared_release(&impl->owners)) {
        return;
    }
    sl_ids_destroy(impl->node_ids);
    sl_ids_destroy(impl->link_ids);
    sl_ids_destroy(impl->pattern_ids);
    sl_ids_destroy(impl->curve_ids);
    sl_arena_fini(&impl->arena);
    sl_free(impl->ctx, impl, sizeof *impl);
}

const char *sl_network_node_id(const sl_network *net, int32_t node) {
    if (!net) {
        return NULL;
    }
    return sl_network_node_text(net, node).ptr;
}

const char *sl_network_link_id(const sl_network *net, int32_t link) {
    if (!net) {
        return NULL;
    }
    return sl_network_link_text(net, link).ptr;
}

const char *sl_network_pattern_id(const sl_network *net, int32_t pattern) {
    if (!net) {
        return NULL;
    }
    return sl_ids_z(sl_network_impl_of(net)->pattern_ids, pattern);
}

/* A second appearance stands behind all named curves and knows its first through curve_twin. */
const char *sl_network_curve_id(const sl_network *net, int32_t curve) {
    if (!net) {
        return NULL;
    }
    int32_t named = curve < net->n_curve_named ? curve : net->curve_twin[curve - net->n_curve_named];
    return sl_ids_z(sl_network_impl_of(net)->curve_ids, named);
}

int32_t sl_network_find_node(const sl_network *net, sl_str id) {
    if (!net) {
        return -1;
    }
    const sl_network_impl *impl = sl_network_impl_of(net);
    int32_t at = sl_ids_find(impl->node_ids, id);
    return at >= 0 && impl->node_at_id ? impl->node_at_id[at] : at;
}

int32_t sl_network_find_link(const sl_network *net, sl_str id) {
    if (!net) {
        return -1;
    }
    const sl_network_impl *impl = sl_network_impl_of(net);
    int32_t at = sl_ids_find(impl->link_ids, id);
    return at >= 0 && impl->link_at_id ? impl->link_at_id[at] : at;
}

int32_t sl_network_find_pattern(const sl_network *net, sl_str id) {
    if (!net) {
        return -1;
    }
    return sl_ids_find(sl_network_impl_of(net)->pattern_ids, id);
}

int32_t sl_network_find_curve(const sl_network *net, sl_str id) {
    if (!net) {
        return -1;
    }
    return sl_ids_find(sl_network_impl_of(net)->curve_ids, id);
}

sl_node_kind sl_network_node_kind(const sl_network *net, int32_t node) {
    if (!net) {
        return 0;
    }
    return node < net->n_junction ? SL_JUNCTION : node < net->n_junction + net->n_reservoir ? SL_RESERVOIR : SL_TANK;
}

sl_link_kind sl_network_link_kind(const sl_network *net, int32_t link) {
    if (!net) {
        return 0;
    }
    return link < net->n_pipe ? SL_PIPE : link < net->n_pipe + net->n_pump ? SL_PUMP : SL_VALVE;
}
