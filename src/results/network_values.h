/* SPDX-License-Identifier: MIT */
/* network_values.h: the values of a network as results have them, from the arrays of its engine.
 *
 * Engines give SI in the network's order (by kind). EPANET's conventions, checked against its files: head loss is per 1000 units of
 * length for a pipe, the whole for a valve, both without sign, and H_from - H_to for a pump; 0 where a link is closed. Velocity has no
 * sign, a pump has none. A pipe's setting is its roughness (for Darcy-Weisbach in feet, whatever the units are), a closed or fixed
 * valve's is 0.
 */
#ifndef SL_RESULTS_NETWORK_VALUES_H
#define SL_RESULTS_NETWORK_VALUES_H

#include <sluice/results.h>

#include "network/epanet_units.h"

typedef struct sl_network_values {
    const sl_network *net;
    double factor[SL_Q_COUNT]; /* SI per shown unit */
    double roughness;          /* [m] of the unit of Darcy-Weisbach roughnesses; else 1 */
} sl_network_values;

/* In the units of a file, or in SI. */
sl_network_values sl_network_values_of(const sl_network *net, const sl_unit_system *units, bool si);
/* n elements of one kind from the first on: x and status are the engine's arrays over all elements, status only of HEADLOSS. */
void sl_network_values_show(const sl_network_values *v, sl_out_variable variable, const double *x, const double *status,
                            int32_t first, int32_t n, double *to);

#endif
