/* SPDX-License-Identifier: MIT */
/* epanet_units.c: the table of EPANET's conversion factors; see the header for why it exists. */
#include "network/epanet_units.h"

#include <math.h>

/* How many of the unit make one cubic foot per second. */
static const double per_cfs[SL_FLOW_UNIT_COUNT] = {
    [SL_CFS] = 1.0,    [SL_GPM] = 448.831, [SL_MGD] = 0.64632,  [SL_IMGD] = 0.5382,
    [SL_AFD] = 1.9837, [SL_LPS] = 28.317,  [SL_LPM] = 1699.0,   [SL_MLD] = 2.4466,
    [SL_CMH] = 101.94, [SL_CMD] = 2446.6,  [SL_CMS] = 0.028317,
};

#define FOOT SL_EPANET_FOOT
#define CUBIC_FOOT (FOOT * FOOT * FOOT)
#define PSI_PER_FOOT 0.4333
#define KPA_PER_PSI 6.895
#define BAR_PER_PSI 0.068948
#define WATT_PER_HP 745.7
#define DAY 86400.0

/* Metres of head per pressure unit. METERS and FEET are heads of the fluid itself: no specific gravity. */
static double pressure_factor(sl_pressure_unit unit, double sg) {
    switch (unit) {
    case SL_PSI: return FOOT / (PSI_PER_FOOT * sg);
    case SL_KPA: return FOOT / (KPA_PER_PSI * PSI_PER_FOOT * sg);
    case SL_BAR: return FOOT / (BAR_PER_PSI * PSI_PER_FOOT * sg);
    case SL_FEET: return FOOT;
    case SL_METERS:
    case SL_PRESSURE_UNIT_COUNT: break;
    }
    return 1.0;
}

bool sl_flow_unit_is_metric(sl_flow_unit unit) {
    return unit >= SL_LPS;
}

sl_pressure_unit sl_default_pressure_unit(sl_flow_unit flow) {
    return sl_flow_unit_is_metric(flow) ? SL_METERS : SL_PSI;
}

sl_unit_system sl_network_units(const sl_hydraulic_options *h, const sl_quality_options *q) {
    return (sl_unit_system){.flow = h->flow_unit,
                            .pressure = h->pressure_unit,
                            .headloss = h->headloss,
                            .specific_gravity = h->specific_gravity,
                            .emitter_exponent = h->emitter_exponent,
                            .wall_order = q->wall_order};
}

void sl_epanet_factors(const sl_unit_system *u, double factor[SL_Q_COUNT]) {
    bool metric = sl_flow_unit_is_metric(u->flow);
    double length = metric ? 1.0 : FOOT;
    double flow = CUBIC_FOOT / per_cfs[u->flow];
    /* The emitter's pressure is psi or metres by the flow unit alone, whatever PRESSURE says. */
    double emitter_head = metric ? 1.0 : pressure_factor(SL_PSI, u->specific_gravity);

    factor[SL_Q_NONE] = 1.0;
    factor[SL_Q_LENGTH] = length;
    factor[SL_Q_DIAMETER] = metric ? 1e-3 : FOOT / 12.0;
    factor[SL_Q_ROUGHNESS] = u->headloss == SL_DARCY_WEISBACH ? length * 1e-3 : 1.0;
    factor[SL_Q_FLOW] = flow;
    factor[SL_Q_PRESSURE] = pressure_factor(u->pressure, u->specific_gravity);
    factor[SL_Q_VOLUME] = length * length * length;
    factor[SL_Q_POWER] = metric ? 1000.0 : WATT_PER_HP;
    factor[SL_Q_EMITTER] = flow / pow(emitter_head, u->emitter_exponent);
    factor[SL_Q_LEAK_AREA] = 1e-6 / (100.0 * length);
    factor[SL_Q_LEAK_EXPANSION] = 1e-6 / (100.0 * length); /* per metre of head in US files too */
    factor[SL_Q_KINEMATIC] = length * length;
    factor[SL_Q_PER_DAY] = 1.0 / DAY;
    /* Order 0 is mass per area: 1 mass/m2 = 1e-3 (mass/L) * m. */
    factor[SL_Q_WALL] = u->wall_order == 0 ? 1e-3 / (length * length * DAY) : length / DAY;
    factor[SL_Q_FEET] = FOOT;
    factor[SL_Q_CFS] = CUBIC_FOOT;
    factor[SL_Q_HOURS] = 3600.0;
}

void sl_epanet_curve_factors(const double factor[SL_Q_COUNT], sl_curve_kind kind, double *fx, double *fy) {
    static const struct {
        sl_quantity x, y;
    } axes[SL_CURVE_KIND_COUNT] = {
        [SL_CURVE_GENERIC] = {SL_Q_NONE, SL_Q_NONE},    [SL_CURVE_PUMP] = {SL_Q_FLOW, SL_Q_LENGTH},
        [SL_CURVE_EFFICIENCY] = {SL_Q_FLOW, SL_Q_NONE}, [SL_CURVE_VOLUME] = {SL_Q_LENGTH, SL_Q_VOLUME},
        [SL_CURVE_HEADLOSS] = {SL_Q_FLOW, SL_Q_LENGTH}, [SL_CURVE_VALVE] = {SL_Q_NONE, SL_Q_NONE},
    };
    *fx = factor[axes[kind].x];
    *fy = factor[axes[kind].y];
}

sl_quantity sl_valve_setting_quantity(sl_valve_kind kind) {
    switch (kind) {
    case SL_PRV:
    case SL_PSV:
    case SL_PBV: return SL_Q_PRESSURE;
    case SL_FCV: return SL_Q_FLOW;
    default: return SL_Q_NONE;
    }
}

sl_quantity sl_rule_quantity(sl_rule_variable variable) {
    switch (variable) {
    case SL_RULE_DEMAND:
    case SL_RULE_FLOW: return SL_Q_FLOW;
    case SL_RULE_HEAD:
    case SL_RULE_GRADE:
    case SL_RULE_LEVEL: return SL_Q_LENGTH;
    case SL_RULE_PRESSURE: return SL_Q_PRESSURE;
    case SL_RULE_POWER: return SL_Q_POWER;
    default: return SL_Q_NONE;
    }
}
