/* SPDX-License-Identifier: MIT */
/* energy.h: what the energy of a pump costs. */
#ifndef SL_LAWS_ENERGY_H
#define SL_LAWS_ENERGY_H

#include <sluice/network.h>

/* Price of a kWh at time t [s]: the pump's own if it has one above 0, else the global one (EPANET takes a price of 0 for none
 * as well), times the factor of its own pattern, else of the global one. */
double sl_energy_price(const sl_network *net, int32_t pump, double t);

#endif
