/* SPDX-License-Identifier: MIT */
/* elements.c: see elements.h. */
#include "network/elements.h"

const sl_class sl_network_classes[SL_CLASS_NETWORK_COUNT] = {SL_CLASS_NETWORK_ROWS};

int32_t sl_elements_count(const sl_network *net, int32_t of) {
    switch (of) {
    case SL_CLASS_NODE: return net->n_node;
    case SL_CLASS_RESERVOIR: return net->n_reservoir;
    case SL_CLASS_TANK: return net->n_tank;
    case SL_CLASS_LINK: return net->n_link;
    case SL_CLASS_PIPE: return net->n_pipe;
    case SL_CLASS_PUMP: return net->n_pump;
    case SL_CLASS_VALVE: return net->n_valve;
    default: return 1;
    }
}

const char *sl_elements_id(const sl_network *net, int32_t of, int32_t index) {
    switch (of) {
    case SL_CLASS_NODE: return sl_network_node_id(net, index);
    case SL_CLASS_RESERVOIR: return sl_network_node_id(net, net->n_junction + index);
    case SL_CLASS_TANK: return sl_network_node_id(net, net->n_junction + net->n_reservoir + index);
    case SL_CLASS_LINK:
    case SL_CLASS_PIPE: return sl_network_link_id(net, index);
    case SL_CLASS_PUMP: return sl_network_link_id(net, net->n_pipe + index);
    case SL_CLASS_VALVE: return sl_network_link_id(net, net->n_pipe + net->n_pump + index);
    default: return "";
    }
}
