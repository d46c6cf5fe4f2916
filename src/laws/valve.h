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
/* The flow below which, taken backwards, nothing passes a pressure breaker [m3/s]: its loss falls from the setting to nothing there. */
double sl_breaker_dead_band(double setting);
/* The loss coefficient m of a position control valve at an opening [%], from that of the open valve. */
double sl_position_loss(const sl_network *net, int32_t valve, double open_loss, double opening);

#endif
