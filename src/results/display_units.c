/* SPDX-License-Identifier: MIT */
/* display_units.c: the file's units for people; see display_units.h. Factors are EPANET's, as in reading and writing
 * .inp, so that a number comes out as it went in. */
#include "results/display_units.h"

#include <math.h>
#include <string.h>

#include "base/number.h"

static const char *const flow_names[SL_FLOW_UNIT_COUNT] = {
    [SL_CFS] = "ft3/s",   [SL_GPM] = "gpm",  [SL_MGD] = "Mgal/d", [SL_IMGD] = "Mgal(imp)/d",
    [SL_AFD] = "ac-ft/d", [SL_LPS] = "L/s",  [SL_LPM] = "L/min",  [SL_MLD] = "ML/d",
    [SL_CMH] = "m3/h",    [SL_CMD] = "m3/d", [SL_CMS] = "m3/s",
};
static const char *const pressure_names[SL_PRESSURE_UNIT_COUNT] = {"psi", "kPa", "m", "bar", "ft"};

const char *sl_display_flow_name(sl_flow_unit unit) {
    return flow_names[unit];
}

const char *sl_display_pressure_name(sl_pressure_unit unit) {
    return pressure_names[unit];
}

static sl_display_unit quality_unit(const sl_quality_options *q) {
    switch (q->kind) {
    case SL_QUALITY_NONE: return (sl_display_unit){1.0, ""};
    case SL_QUALITY_AGE: return (sl_display_unit){1.0, "h"};
    case SL_QUALITY_TRACE: return (sl_display_unit){1.0, "%"};
    default: return (sl_display_unit){1.0, q->mass_unit ? q->mass_unit : ""};
    }
}

/* Of concentration times m3. A unit that nobody knows keeps its m3. */
static sl_display_unit mass_unit(const sl_quality_options *q, double volume, bool metric, bool large) {
    const char *word = q->mass_unit ? q->mass_unit : "";
    switch (q->kind) {
    case SL_QUALITY_AGE: return (sl_display_unit){volume, metric ? "h m3" : "h ft3"};
    case SL_QUALITY_TRACE: return (sl_display_unit){100.0 * volume, metric ? "m3" : "ft3"};
    default: break;
    }
    if (sl_str_equal_nocase(sl_str_z(word), sl_str_z("mg/L"))) {
        return large ? (sl_display_unit){1e3, "kg"} : (sl_display_unit){1.0, "g"};
    }
    if (sl_str_equal_nocase(sl_str_z(word), sl_str_z("ug/L"))) {
        return large ? (sl_display_unit){1e3, "g"} : (sl_display_unit){1.0, "mg"};
    }
    return (sl_display_unit){1.0, "units of m3"};
}

#define MILLION_GALLONS 3785.411784 /* [m3], exact */

sl_display_units sl_display_units_of(const sl_network *net) {
    double f[SL_Q_COUNT];
    sl_unit_system units = sl_network_units(&net->hydraulics, &net->quality);
    sl_epanet_factors(&units, f);
    bool metric = sl_flow_unit_is_metric(net->hydraulics.flow_unit);
    return (sl_display_units){
        .metric = metric,
        .flow = {f[SL_Q_FLOW], flow_names[net->hydraulics.flow_unit]},
        .length = {f[SL_Q_LENGTH], metric ? "m" : "ft"},
        .pressure = {f[SL_Q_PRESSURE], pressure_names[net->hydraulics.pressure_unit]},
        .diameter = {f[SL_Q_DIAMETER], metric ? "mm" : "in"},
        .velocity = {f[SL_Q_LENGTH], metric ? "m/s" : "ft/s"},
        .volume = {f[SL_Q_VOLUME], metric ? "m3" : "ft3"},
        .slope = {1e-3, metric ? "m/km" : "ft/kft"},
        .intensity = {metric ? 1.0 : 1.0 / MILLION_GALLONS, metric ? "kWh/m3" : "kWh/Mgal"},
        .roughness = f[SL_Q_ROUGHNESS],
        .quality = quality_unit(&net->quality),
        .wall = {f[SL_Q_WALL], net->quality.wall_order == 0 ? (metric ? "mass/m2/day" : "mass/ft2/day")
                               : metric                     ? "m/day"
                                                            : "ft/day"},
        .mass = mass_unit(&net->quality, f[SL_Q_VOLUME], metric, false),
        .large_mass = mass_unit(&net->quality, f[SL_Q_VOLUME], metric, true),
    };
}

bool sl_display_read_pressure(const sl_network *net, const char *text, double *head) {
    size_t n = strcspn(text, " abfkmpABFKMP");
    const char *unit = text + n + strspn(text + n, " ");
    sl_unit_system units = sl_network_units(&net->hydraulics, &net->quality);
    double f[SL_Q_COUNT], x = 0.0;
    bool known = *unit == '\0';
    for (int i = 0; i < SL_PRESSURE_UNIT_COUNT && !known; i++) {
        known = sl_str_equal_nocase(sl_str_z(unit), sl_str_z(pressure_names[i]));
        units.pressure = known ? (sl_pressure_unit)i : units.pressure;
    }
    sl_epanet_factors(&units, f);
    bool fine = known && sl_number_parse((sl_str){text, n}, &x) == SL_NUMBER_OK && isfinite(x);
    *head = fine ? x * f[SL_Q_PRESSURE] : (double)NAN;
    return fine;
}

sl_display_unit sl_display_unit_of(const sl_display_units *shown, const char *si, bool is_pressure) {
    return strcmp(si, "m3/s") == 0  ? shown->flow
           : strcmp(si, "m") == 0   ? (is_pressure ? shown->pressure : shown->length)
           : strcmp(si, "m3") == 0  ? shown->volume
           : strcmp(si, "m/s") == 0 ? shown->velocity
                                    : (sl_display_unit){1.0, si};
}

sl_display_unit sl_display_setting_unit(const sl_display_units *shown, sl_valve_kind kind) {
    switch (sl_valve_setting_quantity(kind)) {
    case SL_Q_PRESSURE: return shown->pressure;
    case SL_Q_FLOW: return shown->flow;
    default: return (sl_display_unit){1.0, ""};
    }
}
