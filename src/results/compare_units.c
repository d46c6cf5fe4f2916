/* SPDX-License-Identifier: MIT */
/* compare_units.c: from the unit of one result to that of another; see compare_impl.h.
 *
 * The units of networks are converted by EPANET's factors, so that the same run in two units is the same; pressures are heads of water.
 * Others are exact (sluice/units.h).
 */
#include <string.h>

#include <sluice/units.h>

#include "network/epanet_units.h"
#include "results/compare_impl.h"
#include "results/display_units.h"

typedef enum dimension { NO_DIMENSION = 0, LENGTH, VELOCITY, FLOW, HEAD_OF_WATER, INTENSITY } dimension;

static dimension flow_factor(const char *unit, double factor[SL_Q_COUNT], double *out) {
    for (int i = 0; i < SL_FLOW_UNIT_COUNT; i++) {
        if (strcmp(unit, sl_display_flow_name((sl_flow_unit)i)) == 0) {
            sl_epanet_factors(&(sl_unit_system){.flow = (sl_flow_unit)i, .specific_gravity = 1.0}, factor);
            *out = factor[SL_Q_FLOW];
            return FLOW;
        }
    }
    return NO_DIMENSION;
}

static dimension pressure_factor(const char *unit, double factor[SL_Q_COUNT], double *out) {
    for (int i = 0; i < SL_PRESSURE_UNIT_COUNT; i++) {
        if (strcmp(unit, sl_display_pressure_name((sl_pressure_unit)i)) == 0) {
            sl_epanet_factors(&(sl_unit_system){.pressure = (sl_pressure_unit)i, .specific_gravity = 1.0}, factor);
            *out = factor[SL_Q_PRESSURE];
            return HEAD_OF_WATER;
        }
    }
    return NO_DIMENSION;
}

/* kWh per m3 from kWh per million gallons, by EPANET's figures. */
static double per_million_gallons(void) {
    double gallon = 0.0, litre = 0.0, factor[SL_Q_COUNT];
    (void)flow_factor("gpm", factor, &gallon);
    (void)flow_factor("L/s", factor, &litre);
    return litre * 1e3 / (gallon * 60.0 * 1e6);
}

/* What one unit is in SI, by EPANET's factors. */
static dimension epanet_factor(const char *quantity, const char *unit, double *out) {
    static const struct {
        const char *unit;
        dimension of;
        double factor;
    } fixed[] = {
        {"m", LENGTH, 1.0},         {"ft", LENGTH, SL_EPANET_FOOT},
        {"mm", LENGTH, 1e-3},       {"in", LENGTH, SL_EPANET_FOOT / 12.0},
        {"m/s", VELOCITY, 1.0},     {"ft/s", VELOCITY, SL_EPANET_FOOT},
        {"kWh/m3", INTENSITY, 1.0},
    };
    double factor[SL_Q_COUNT];
    if (strcmp(quantity, "pressure") == 0) {
        return pressure_factor(unit, factor, out);
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) {
        if (strcmp(unit, fixed[i].unit) == 0) {
            *out = fixed[i].factor;
            return fixed[i].of;
        }
    }
    if (strcmp(unit, "kWh/Mgal") == 0) {
        *out = per_million_gallons();
        return INTENSITY;
    }
    return flow_factor(unit, factor, out);
}

bool sl_compare_same_unit(const char *a, const char *b) {
    return strcmp(strcmp(a, "1") == 0 ? "" : a, strcmp(b, "1") == 0 ? "" : b) == 0;
}

bool sl_compare_convert(const char *quantity, const char *from, const char *to, double *by, double *plus) {
    double f = 1.0, t = 1.0;
    *by = 1.0;
    *plus = 0.0;
    if (sl_compare_same_unit(from, to)) {
        return true;
    }
    dimension d = epanet_factor(quantity, from, &f);
    if (d != NO_DIMENSION && epanet_factor(quantity, to, &t) == d) {
        *by = f / t;
        return true;
    }
    const sl_unit *b = sl_unit_find(sl_str_z(from)), *a = sl_unit_find(sl_str_z(to));
    if (!a || !b || !sl_unit_same_dimension(a, b)) {
        return false;
    }
    *by = b->factor / a->factor;
    *plus = (b->offset - a->offset) / a->factor;
    return true;
}
