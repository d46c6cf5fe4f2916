/* SPDX-License-Identifier: MIT */
/* def.c: what a surge study is unless it says otherwise: defaults, words, the fluid, materials and wave speeds.
 *
 * Vapour pressure of water by Antoine's equation (1 to 100 degree C), the atmosphere of altitude by the standard one.
 * Wave speed by Korteweg: a = [rho (1/K + phi/p + c D/(E e))]^(-1/2), with c of the pipe's restraint, and for thick walls
 * c = 2 e (1 + nu)/D + D c_thin/(D + e). Theory: docs/theory/surge.md.
 */
#include <sluice/surge.h>

#include "base/sized.h"
#include "laws/constants.h"
#include "surge/study.h"

#include <math.h>

void sl_surge_fluid_default_fill(sl_surge_fluid *def, size_t size) {
    double none = (double)NAN;
    const sl_surge_fluid all = {0, none, none, none, none, none, none, none, none};
    sl_sized_default(def, size, &all, sizeof all);
}

static void unless_given(double *x, double value) {
    if (isnan(*x)) {
        *x = value;
    }
}

static double vapour_of_water(double celsius) {
    return 101325.0 / 760.0 * pow(10.0, 8.07131 - 1730.63 / (233.426 + celsius));
}

sl_status sl_surge_fluid_complete(sl_surge_fluid *out, double specific_gravity, double viscosity) {
    sl_surge_fluid own = sl_surge_fluid_default(), *fluid = &own;
    if (!out || !sl_sized_take(fluid, sizeof *fluid, out)) {
        return SL_ERR_USE;
    }
    unless_given(&fluid->gravity, 9.80665);
    unless_given(&fluid->density, 998.2 * specific_gravity);
    unless_given(&fluid->viscosity, viscosity);
    unless_given(&fluid->bulk_modulus, 2.19e9);
    unless_given(&fluid->altitude, 0.0);
    unless_given(&fluid->atmospheric_pressure, 101325.0 * pow(1.0 - 2.25577e-5 * fluid->altitude, 5.25588));
    unless_given(&fluid->temperature, 20.0);
    unless_given(&fluid->vapour_pressure, vapour_of_water(fluid->temperature));
    sl_sized_give(out, fluid, sizeof *fluid);
    return SL_OK;
}

/* clang-format off */
static const sl_surge_material materials[] = {
    {"steel",             205e9,   0.29, 130, 0.045e-3},
    {"ductile-iron",      170e9,   0.28, 135, 0.15e-3},
    {"cast-iron",         100e9,   0.25, 110, 0.26e-3},
    {"copper",            117e9,   0.34, 135, 0.0015e-3},
    {"brass",             100e9,   0.36, 135, 0.0015e-3},
    {"aluminium",         70e9,    0.33, 135, 0.0015e-3},
    {"concrete",          25e9,    0.13, 120, 0.6e-3},
    {"cylinder-concrete", 42e9,    0.15, 130, 0.3e-3},
    {"asbestos-cement",   23.5e9,  0.25, 140, 0.03e-3},
    {"pvc",               2.8e9,   0.45, 150, 0.003e-3},
    {"oriented-pvc",      3.8e9,   0.45, 150, 0.003e-3},
    {"cpvc",              2.7e9,   0.43, 150, 0.003e-3},
    {"hdpe",              0.9e9,   0.46, 150, 0.007e-3},
    {"mdpe",              0.7e9,   0.46, 150, 0.007e-3},
    {"ldpe",              0.15e9,  0.46, 150, 0.007e-3},
    {"polypropylene",     1.2e9,   0.42, 150, 0.007e-3},
    {"abs",               2.0e9,   0.33, 150, 0.007e-3},
    {"grp",               17e9,    0.30, 150, 0.02e-3},
    {"glass",             60e9,    0.24, 150, 0.0015e-3},
    {"lead",              10e9,    0.44, 135, 0.0015e-3},
    {"rubber",            0.08e9,  0.48, 140, 0.01e-3},
    {"rock",              35e9,    0.20, 90,  3e-3},
};
/* clang-format on */

const sl_surge_material *sl_surge_materials(int32_t *n) {
    if (!n) {
        return NULL;
    }
    *n = (int32_t)(sizeof materials / sizeof *materials);
    return materials;
}

/* Case and the kind of separator do not matter. */
static char plain(char c) {
    return c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

const sl_surge_material *sl_surge_material_find(sl_str name) {
    for (size_t i = 0; i < sizeof materials / sizeof *materials; i++) {
        const char *word = materials[i].name;
        size_t k = 0;
        while (k < name.len && word[k] && plain(name.ptr[k]) == word[k]) {
            k++;
        }
        if (k == name.len && !word[k]) {
            return &materials[i];
        }
    }
    return NULL;
}

double sl_surge_wave_speed(const sl_surge_fluid *caller_fluid, double diameter, const sl_surge_wall *wall) {
    if (!wall) {
        return (double)NAN;
    }
    sl_surge_fluid own = sl_surge_fluid_default();
    const sl_surge_fluid *fluid = &own;
    if (!sl_sized_take(&own, sizeof own, caller_fluid)) {
        return (double)NAN;
    }
    double nu = wall->poisson, e = wall->thickness;
    double c = wall->restraint == SL_SURGE_ANCHORED           ? 1.0 - nu * nu
               : wall->restraint == SL_SURGE_ANCHORED_ONE_END ? 1.25 - nu
                                                              : 1.0;
    if (diameter < 25.0 * e) {
        c = 2.0 * e / diameter * (1.0 + nu) + diameter / (diameter + e) * c;
    }
    double gas = wall->gas_fraction, soft = gas > 0.0 ? gas / wall->gas_pressure : 0.0;
    double compliance = soft + (1.0 - gas) / fluid->bulk_modulus + c * diameter / (wall->young * e);
    return 1.0 / sqrt((1.0 - gas) * fluid->density * compliance);
}

const char *const sl_surge_frictions[SL_SURGE_FRICTION_COUNT + 1] = {"steady", "quasi-steady", "acceleration",
                                                                     "convolution", "rthym-filter"};
const char *const sl_surge_cavitations[SL_SURGE_CAVITATION_COUNT + 1] = {"dgcm", "dvcm", "clamp", "liquid"};

const char *sl_surge_friction_word(sl_surge_friction friction) {
    return sl_surge_frictions[friction];
}

const char *sl_surge_cavitation_word(sl_surge_cavitation cavitation) {
    return sl_surge_cavitations[cavitation];
}

static const struct {
    const char *word, *meaning;
} alarms[SL_SURGE_ALARM_COUNT] = {
    [SL_SURGE_ALARM_JOUKOWSKY] = {"joukowsky",
                                  "a head changed by more than stopping or reversing all flow could cause; "
                                  "look at the friction model and at what was set"},
    [SL_SURGE_ALARM_ENERGY] = {"energy", "friction put energy into the water instead of taking it; use a physical "
                                         "friction model or a smaller time step"},
    [SL_SURGE_ALARM_MASS] = {"mass", "water was lost or made; use DGCM or DVCM and whole reaches"},
    [SL_SURGE_ALARM_CAVITY] = {"cavity", "a cavity grew beyond a tenth of its reach; use longer reaches, and read "
                                         "collapse heads there with caution"},
    [SL_SURGE_ALARM_NODES] = {"nodes", "heads at valves, pumps or outlets did not settle in a step; use a smaller time "
                                       "step"},
    [SL_SURGE_ALARM_FRICTION] = {"friction", "friction of a reach is large against its impedance; use the trapezoidal "
                                             "integration or a smaller time step"},
    [SL_SURGE_ALARM_TANK] = {"tank", "a tank ran empty, or filled without an overflow, and stays at that level; start "
                                     "from another time or end the run earlier"},
    [SL_SURGE_ALARM_GRID] = {"grid", "heads swing to and fro within less than ten time steps for long; use a smaller "
                                     "time step, and do not rely on highest and lowest heads there"},
};

const char *sl_surge_alarm_word(sl_surge_alarm alarm) {
    return alarms[alarm].word;
}

const char *sl_surge_alarm_meaning(sl_surge_alarm alarm) {
    return alarms[alarm].meaning;
}

sl_surge_valve sl_surge_valve_default(void) {
    return (sl_surge_valve){.link = -1,
                            .range = 30.0,
                            .opening = (double)NAN,
                            .k_open = (double)NAN,
                            .opens_in = (double)NAN,
                            .closes_in = (double)NAN,
                            .lag = (double)NAN};
}

double sl_surge_k_of_kv(double kv, double diameter, double gravity) {
    /* h = 1e5 Pa / (1000 kg/m3 g) at Kv/3600 m3/s. */
    double q = kv / 3600.0, area = SL_PI * diameter * diameter / 4.0, v = q / area;
    return 1e5 / (1000.0 * gravity) * 2.0 * gravity / (v * v);
}

sl_surge_pump sl_surge_pump_default(void) {
    double none = (double)NAN;
    return (sl_surge_pump){.link = -1,
                           .rated_flow = none,
                           .rated_head = none,
                           .rated_speed = none,
                           .rated_efficiency = none,
                           .inertia = none,
                           .check_valve = true};
}

sl_surge_check_valve sl_surge_check_valve_default(void) {
    return (sl_surge_check_valve){.link = -1, .bore = (double)NAN};
}

sl_surge_outlet sl_surge_outlet_default(void) {
    return (sl_surge_outlet){.node = -1, .pipe = -1, .exponent = 0.5, .back = (double)NAN};
}

sl_surge_event sl_surge_event_default(void) {
    return (sl_surge_event){.index = -1, .trigger = -1, .power = 1.0};
}

void sl_surge_default_fill(sl_surge_def *def, size_t size) {
    static const sl_surge_def all = {.duration = 10.0,
                                     .dt = (double)NAN,
                                     .optimise = true,
                                     .distortion_max = 0.15,
                                     .rigid_length = (double)NAN,
                                     .rigid_fraction = 0.5,
                                     .points_max = 200000000,
                                     .wave_speed = 1200.0,
                                     .friction = SL_SURGE_QUASI_STEADY,
                                     .friction_k = (double)NAN,
                                     .filter_time = 0.5,
                                     .gas_fraction = 1e-7,
                                     .cavity_weight = 1.0,
                                     .envelopes = true,
                                     .balances = true};
    sl_sized_default(def, size, &all, sizeof all);
}
