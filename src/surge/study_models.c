/* SPDX-License-Identifier: MIT */
/* study_models.c: how a study is computed: times, fluid, grid, friction, cavitation, demands, tanks. */
#include "surge/study_impl.h"

#include <stddef.h>
#include <string.h>

#include "base/context.h"

typedef struct number_row {
    const char *key, *unit;
    unsigned flags;
    size_t offset;
} number_row;

static void read_numbers(sl_yaml_map *m, const number_row *rows, size_t n, void *into) {
    for (size_t i = 0; i < n; i++) {
        double x;
        if (sl_yaml_number(m, rows[i].key, rows[i].flags, rows[i].unit, &x)) {
            memcpy((char *)into + rows[i].offset, &x, sizeof x);
        }
    }
}

static void read_fluid(sl_study *s, sl_yaml_map *m) {
#define ROW(name, unit, flags) \
    { #name, unit, flags, offsetof(sl_surge_fluid, name) }
    static const number_row rows[] = {
        ROW(gravity, "m/s2", SL_YAML_POSITIVE),
        ROW(density, "kg/m3", SL_YAML_POSITIVE),
        ROW(viscosity, "m2/s", SL_YAML_POSITIVE),
        ROW(bulk_modulus, "Pa", SL_YAML_POSITIVE),
        ROW(atmospheric_pressure, "Pa", SL_YAML_POSITIVE),
        ROW(altitude, "m", 0),
        ROW(vapour_pressure, "Pa", 0),
        ROW(temperature, "degC", 0),
    };
#undef ROW
    sl_yaml_map sub;
    if (sl_yaml_submap(m, "fluid", 0, &sub)) {
        read_numbers(&sub, rows, sizeof rows / sizeof *rows, &s->fluid);
        sl_yaml_done(&sub);
    }
}

static void read_grid(sl_study *s, sl_yaml_map *m) {
    static const char *const schemes[] = {"adjust", "interpolate", NULL}; /* sl_surge_scheme */
    static const char *const actions[] = {"warn", "error", NULL};
    sl_surge_def *g = &s->def;
    sl_yaml_map sub;
    if (!sl_yaml_submap(m, "grid", 0, &sub)) {
        return;
    }
    int scheme = (int)g->scheme, action = g->distortion_error;
    int64_t reaches = g->reaches;
    sl_yaml_word(&sub, "scheme", 0, schemes, &scheme);
    sl_yaml_time(&sub, "step", SL_YAML_POSITIVE, &g->dt);
    if (g->duration / g->dt > SL_STEPS_MOST * s->ctx->def.effort) { /* NaN: there is none */
        sl_yaml_report(s->doc, sl_yaml_get(&sub, "step", 0), SL_ERROR, SL_CODE_VALUE_RANGE,
                       "write a longer step, or a shorter duration; --effort allows more",
                       "%.6g s at a time step of %.6g s are %.3g steps", g->duration, g->dt, g->duration / g->dt);
    }
    sl_yaml_bool(&sub, "optimise", 0, &g->optimise);
    sl_yaml_int(&sub, "reaches", 0, 1, 1000000, &reaches);
    sl_yaml_number(&sub, "distortion", SL_YAML_NOT_NEGATIVE, NULL, &g->distortion_max);
    sl_yaml_word(&sub, "on_distortion", 0, actions, &action);
    sl_yaml_number(&sub, "rigid_length", SL_YAML_NOT_NEGATIVE, "m", &g->rigid_length);
    sl_yaml_number(&sub, "rigid_part", SL_YAML_NOT_NEGATIVE, NULL, &g->rigid_fraction);
    sl_yaml_int(&sub, "points_max", 0, 1, INT64_MAX, &g->points_max);
    sl_yaml_done(&sub);
    g->scheme = (sl_surge_scheme)scheme;
    g->distortion_error = action == 1;
    g->reaches = (int32_t)reaches;
}

/* A model by its word alone, or as a map with `model` and what belongs to it; true: sub is to be taken further. */
static bool read_model(sl_yaml_map *m, const char *key, const char *const *words, int *word, sl_yaml_map *sub) {
    const sl_yaml_node *node = sl_yaml_get(m, key, 0);
    if (!node) {
        return false;
    }
    if (node->kind != SL_YAML_MAP) {
        (void)sl_yaml_as_word(m->doc, node, words, word);
        return false;
    }
    if (!sl_yaml_open_map(m->doc, node, sub)) {
        return false;
    }
    sl_yaml_word(sub, "model", SL_YAML_NEEDED, words, word);
    return true;
}

static void read_friction(sl_study *s, sl_yaml_map *m) {
    static const char *const integrations[] = {"trapezoidal", "explicit", NULL}; /* sl_surge_integration */
    sl_yaml_map sub;
    int friction = (int)s->def.friction, integration = (int)s->def.integration;
    if (read_model(m, "friction", sl_surge_frictions, &friction, &sub)) {
        sl_yaml_word(&sub, "integration", 0, integrations, &integration);
        sl_yaml_number(&sub, "coefficient", SL_YAML_NOT_NEGATIVE, NULL, &s->def.friction_k);
        sl_yaml_time(&sub, "filter_time", SL_YAML_POSITIVE, &s->def.filter_time);
        sl_yaml_done(&sub);
    }
    s->def.friction = (sl_surge_friction)friction;
    s->def.integration = (sl_surge_integration)integration;
}

static void read_cavitation(sl_study *s, sl_yaml_map *m) {
    sl_yaml_map sub;
    int cavitation = (int)s->def.cavitation;
    if (read_model(m, "cavitation", sl_surge_cavitations, &cavitation, &sub)) {
        sl_yaml_number(&sub, "gas_fraction", SL_YAML_POSITIVE, NULL, &s->def.gas_fraction);
        sl_yaml_number(&sub, "weight", SL_YAML_POSITIVE, NULL, &s->def.cavity_weight);
        sl_yaml_done(&sub);
    }
    s->def.cavitation = (sl_surge_cavitation)cavitation;
}

void sl_study_read_models(sl_study *s, sl_yaml_map *m) {
    static const char *const demands[] = {"orifice", "intrusion", "fixed", NULL}; /* sl_surge_demand */
    static const char *const tanks[] = {"move", "hold", NULL};                    /* sl_surge_tanks */
    int demand = (int)s->def.demand, tank = (int)s->def.tanks;
    sl_yaml_time(m, "start", SL_YAML_NOT_NEGATIVE, &s->def.start);
    sl_yaml_time(m, "duration", SL_YAML_NEEDED | SL_YAML_POSITIVE, &s->def.duration);
    read_fluid(s, m);
    read_grid(s, m);
    read_friction(s, m);
    read_cavitation(s, m);
    sl_yaml_word(m, "demands", 0, demands, &demand);
    sl_yaml_word(m, "tanks", 0, tanks, &tank);
    s->def.demand = (sl_surge_demand)demand;
    s->def.tanks = (sl_surge_tanks)tank;
}
