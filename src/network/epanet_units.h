/* SPDX-License-Identifier: MIT */
/* epanet_units.h: EPANET's own conversion factors, in one table.
 *
 * A number in an .inp file means what EPANET makes of it: a flow in L/s is (value / 28.317) ft3/s, not
 * value / 28.316846592. EPANET's factors are rounded and mutually inconsistent at 1e-5, so results agree with
 * EPANET's printed digits only if files are read with the same ones. Internally everything is SI: feet become
 * metres by the exact 0.3048, cubic feet by 0.3048^3. Exact units for all else are in sluice/units.h.
 *
 *   internal SI value = file value * factor[quantity]
 *
 * See docs/theory/units.md for the table in words.
 */
#ifndef SL_NETWORK_EPANET_UNITS_H
#define SL_NETWORK_EPANET_UNITS_H

#include <sluice/network.h>

typedef enum sl_quantity {
    SL_Q_NONE = 0,       /* a plain number */
    SL_Q_LENGTH,         /* ft | m: elevation, head, level, length, tank diameter, head-loss curves */
    SL_Q_DIAMETER,       /* in | mm -> m */
    SL_Q_ROUGHNESS,      /* Darcy-Weisbach: 1e-3 ft | mm -> m; plain number else */
    SL_Q_FLOW,           /* flow unit -> m3/s */
    SL_Q_PRESSURE,       /* pressure unit -> m of head */
    SL_Q_VOLUME,         /* ft3 | m3 -> m3 */
    SL_Q_POWER,          /* hp | kW -> W */
    SL_Q_EMITTER,        /* flow / (psi | m)^exponent -> m3/s / m^exponent, whatever the pressure unit is */
    SL_Q_LEAK_AREA,      /* mm2 per 100 (ft | m) of pipe -> m2 per m */
    SL_Q_LEAK_EXPANSION, /* the same per metre of head -> m2 per m per m */
    SL_Q_KINEMATIC,      /* ft2/s | m2/s -> m2/s */
    SL_Q_PER_DAY,        /* bulk coefficients: 1/day -> 1/s */
    SL_Q_WALL,           /* order 1: (ft | m)/day -> m/s; order 0: mass/(ft2 | m2)/day -> mass/L * m/s */
    SL_Q_FEET,           /* always ft: HTOL */
    SL_Q_CFS,            /* always ft3/s: QTOL */
    SL_Q_HOURS,          /* h -> s */
    SL_Q_COUNT
} sl_quantity;

/* What the factors depend on. */
typedef struct sl_unit_system {
    sl_flow_unit flow;
    sl_pressure_unit pressure;
    sl_headloss headloss;
    double specific_gravity;
    double emitter_exponent;
    int32_t wall_order;
} sl_unit_system;

sl_unit_system sl_network_units(const sl_hydraulic_options *h, const sl_quality_options *q);
void sl_epanet_factors(const sl_unit_system *units, double factor[SL_Q_COUNT]);
/* Factors of a curve's x and y. */
void sl_epanet_curve_factors(const double factor[SL_Q_COUNT], sl_curve_kind kind, double *fx, double *fy);
/* The quantity of a valve's setting. */
sl_quantity sl_valve_setting_quantity(sl_valve_kind kind);
/* The quantity of a rule's variable; that of SETTING depends on the link. */
sl_quantity sl_rule_quantity(sl_rule_variable variable);
/* The pressure unit that goes with a flow unit when a file gives none. */
sl_pressure_unit sl_default_pressure_unit(sl_flow_unit flow);

#define SL_EPANET_FOOT 0.3048
/* EPANET's defaults: 1.1e-5 ft2/s and 1.3e-8 ft2/s, as m2/s. */
#define SL_EPANET_VISCOSITY (1.1e-5 * SL_EPANET_FOOT * SL_EPANET_FOOT)
#define SL_EPANET_DIFFUSIVITY (1.3e-8 * SL_EPANET_FOOT * SL_EPANET_FOOT)

#endif
