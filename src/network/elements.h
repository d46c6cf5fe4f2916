/* SPDX-License-Identifier: MIT */
/* elements.h: elements of a network by the classes of engine fields: how many there are, and their ids. */
#ifndef SL_NETWORK_ELEMENTS_H
#define SL_NETWORK_ELEMENTS_H

#include <sluice/network.h>

#include "engine/engine.h"

/* Classes of the engines of networks; an engine may have others from SL_CLASS_NETWORK_COUNT on. */
enum {
    SL_CLASS_NODE = SL_CLASS_MODEL + 1,
    SL_CLASS_RESERVOIR,
    SL_CLASS_TANK,
    SL_CLASS_LINK,
    SL_CLASS_PIPE,
    SL_CLASS_PUMP,
    SL_CLASS_VALVE,
    SL_CLASS_NETWORK_COUNT
};

/* Their rows of an engine's list. */
#define SL_CLASS_NETWORK_ROWS                                                                                      \
    [SL_CLASS_MODEL] = {"", "the model as a whole"}, [SL_CLASS_NODE] = {"node", "junctions, reservoirs, tanks"},   \
    [SL_CLASS_RESERVOIR] = {"reservoir", "nodes of a given head"}, [SL_CLASS_TANK] = {"tank", "nodes that store"}, \
    [SL_CLASS_LINK] = {"link", "pipes, pumps, valves"}, [SL_CLASS_PIPE] = {"pipe", "pipes"},                       \
    [SL_CLASS_PUMP] = {"pump", "pumps"}, [SL_CLASS_VALVE] = {"valve", "valves"}

extern const sl_class sl_network_classes[SL_CLASS_NETWORK_COUNT];

/* 1 for the model as a whole. */
int32_t sl_elements_count(const sl_network *net, int32_t of);
/* "" for the model as a whole. */
const char *sl_elements_id(const sl_network *net, int32_t of, int32_t index);

#endif
