/* SPDX-License-Identifier: MIT */
/* valve.h: head loss of valves that let water pass by a law: those that throttle or break pressure, and all that are open. Active PRV, PSV and FCV
 * have none: they hold a head or a flow, whatever it takes.
 *
 * Units: m, m3/s, s/m2. Theory: docs/theory/hydraulics.md, "Valves".
 */
#ifndef SL_LAWS_VALVE_H
#define SL_LAWS_VALVE_H

#include <sluice/network.h>

/* h and dh/dQ at a flow q through a valve (index within the valves). minor: m of its loss coefficient (sl_minor_loss). setting: of
 * PBV, TCV and PCV, in SI; NaN: it does not govern, the valve is open. floor: least slope of its laws. */
void sl_valve_loss(const sl_network *net, int32_t valve, double minor, double setting, double q, double floor,
                   double *h, double *slope);
/* m of the law of a valve whose loss is m Q|Q|: of all kinds but breakers and those with a curve of losses. As above. */
double sl_valve_minor(const sl_network *net, int32_t valve, double minor, double setting);
/* That law, with its line near rest; without a loss coefficient the small one of an open valve. */
void sl_quadratic_loss(double m, double q, double floor, double *h, double *slope);
/* The head that a valve holds back while nothing passes [m]: a breaker its setting, forwards; one with a curve of losses that begins
 * above zero what it begins at, both ways. 0: none. */
double sl_valve_hold(const sl_network *net, int32_t valve, double setting, bool *both_ways);
/* The flow below which nothing passes a valve that holds so much back [m3/s]: its loss changes by that there. */
double sl_valve_dead_band(double hold);
/* Is it a position control valve that its setting shuts? Nothing passes then. (EPANET lets a little through.) */
bool sl_valve_is_shut(const sl_network *net, int32_t valve, double minor, double setting);
/* The loss coefficient m of a position control valve at an opening [%], from that of the open valve. */
double sl_position_loss(const sl_network *net, int32_t valve, double open_loss, double opening);

#endif
