/* SPDX-License-Identifier: MIT */
/* pump_energy.c: see pump_energy.h. */
#include "results/pump_energy.h"

#include <math.h>

#include "laws/energy.h"
#include "network/epanet_units.h"

/* Power by EPANET's figures: horsepower = Q H / 8.814 in ft3/s and ft, a horsepower 0.7457 kW; here kW per m3/s and m. */
#define WATER_KW (0.7457 / 8.814 / (SL_EPANET_FOOT * SL_EPANET_FOOT * SL_EPANET_FOOT * SL_EPANET_FOOT))

typedef struct pump_sums {
    double online, efficiency, intensity, kwh, peak, cost;
} pump_sums;

/* An element of a field of the engine, 0 when it has no such field. */
static double value_of(const sl_pump_account *a, const char *of, const char *name, int32_t index) {
    const sl_engine_ops *ops = a->ops;
    int32_t field = sl_engine_find_field(ops, of, sl_str_z(name));
    if (field < 0 || index >= ops->count(a->engine, field)) {
        return 0.0;
    }
    const double *x = ops->data(a->engine, field);
    return x ? x[index] : (double)NAN; /* no room to show it */
}

static pump_sums sums_of(const sl_pump_account *a, int32_t pump) {
    return (pump_sums){
        .online = value_of(a, "pump", "energy.online", pump),
        .efficiency = value_of(a, "pump", "energy.efficiency", pump),
        .intensity = value_of(a, "pump", "energy.intensity", pump),
        .kwh = value_of(a, "pump", "energy.kwh", pump),
        .peak = value_of(a, "pump", "energy.peak", pump),
        .cost = value_of(a, "pump", "energy.cost", pump),
    };
}

/* An hour of the instant: without a duration the engine has integrated nothing. */
static pump_sums sums_of_instant(const sl_pump_account *a, int32_t pump) {
    const double hour = 3600.0;
    int32_t link = a->net->n_pipe + pump;
    double kw = value_of(a, "pump", "energy.peak", pump);
    double flow = value_of(a, "link", "flow", link);
    double gain = -value_of(a, "link", "headloss", link);
    if (!(kw > 0.0) || !(flow > 0.0)) {
        return (pump_sums){.peak = kw};
    }
    double water_kw = fabs(gain) * flow * a->net->hydraulics.specific_gravity * WATER_KW;
    return (pump_sums){.online = hour,
                       .efficiency = water_kw / kw * hour,
                       .intensity = kw / flow * hour,
                       .kwh = kw,
                       .peak = kw,
                       .cost = kw * sl_energy_price(a->net, pump, 0.0)};
}

/* kWh per m3 or per million gallons from kW per m3/s, by the figures for litres and gallons. */
static double per_volume(const sl_pump_account *a) {
    bool metric = sl_flow_unit_is_metric(a->flow_unit);
    const sl_unit_system units = {.flow = metric ? SL_LPS : SL_GPM, .specific_gravity = 1.0};
    double factor[SL_Q_COUNT];
    sl_epanet_factors(&units, factor);
    return factor[SL_Q_FLOW] / (metric ? 3.6 : 60e-6);
}

void sl_pump_energies(const sl_pump_account *a, int32_t pump, double x[SL_PUMP_ENERGIES]) {
    const double hour = 3600.0, day = 86400.0;
    pump_sums s = sums_of(a, pump);
    double elapsed = a->elapsed;
    if (!(elapsed > 0.0)) {
        s = s.online > 0.0 ? s : sums_of_instant(a, pump);
        elapsed = s.online > 0.0 ? s.online : 3600.0;
    }
    bool ran = s.online > 0.0;
    x[0] = ran ? s.online / elapsed * 100.0 : 0.0;
    x[1] = ran ? s.efficiency / s.online * 100.0 : 0.0;
    x[2] = ran ? s.intensity / s.online * per_volume(a) : 0.0;
    x[3] = ran ? s.kwh / (s.online / hour) : 0.0;
    x[4] = s.peak;
    x[5] = s.cost * day / elapsed;
}

double sl_pump_demand_charge(const sl_pump_account *a) {
    return a->net->energy.demand_charge * value_of(a, "", "energy.peak", 0);
}

double sl_pump_account_value(const sl_pump_account *a, const char *name) {
    return value_of(a, "", name, 0);
}
