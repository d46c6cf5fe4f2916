/* SPDX-License-Identifier: MIT */
/* record_network.h: what all models of a network have in common in results. */
#ifndef SL_RESULTS_RECORD_NETWORK_H
#define SL_RESULTS_RECORD_NETWORK_H

#include "results/network_values.h"
#include "results/record.h"

/* Title, units, and of the groups "node" and "link" EPANET's order and facts. */
sl_status sl_record_network_facts(sl_recorder *r);

#endif
