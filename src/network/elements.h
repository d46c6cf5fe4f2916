/* SPDX-License-Identifier: MIT */
/* elements.h: elements of a network by the classes of engine fields: how many there are, and their ids. */
#ifndef SL_NETWORK_ELEMENTS_H
#define SL_NETWORK_ELEMENTS_H

#include <sluice/network.h>

#include "engine/engine.h"

/* 1 for the model as a whole. */
int32_t sl_elements_count(const sl_network *net, sl_field_of of);
/* "" for the model as a whole. */
const char *sl_elements_id(const sl_network *net, sl_field_of of, int32_t index);

#endif
