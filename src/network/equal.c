/* SPDX-License-Identifier: MIT */
/* equal.c: are two networks the same model? See sl_network_equal. */
#include "network/network_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct comparison {
    const sl_network *a, *b;
    char *reason;
    size_t size;
    bool differ;
} comparison;

static void differ(comparison *c, const char *what, int64_t i) {
    if (!c->differ && c->reason && c->size) {
        if (i < 0) {
            snprintf(c->reason, c->size, "%s differs", what);
        } else {
            snprintf(c->reason, c->size, "%s[%lld] differs", what, (long long)i);
        }
    }
    c->differ = true;
}

static bool same(double x, double y) {
    return x == y || (isnan(x) && isnan(y));
}

static void number(comparison *c, const char *what, double x, double y) {
    if (!same(x, y)) {
        differ(c, what, -1);
    }
}

static void doubles(comparison *c, const char *what, const double *x, const double *y, int64_t n) {
    if ((x == NULL) != (y == NULL)) {
        differ(c, what, -1);
        return;
    }
    for (int64_t i = 0; x && i < n && !c->differ; i++) {
        if (!same(x[i], y[i])) {
            differ(c, what, i);
        }
    }
}

static void ints(comparison *c, const char *what, const int32_t *x, const int32_t *y, int64_t n) {
    if ((x == NULL) != (y == NULL) && n > 0) {
        differ(c, what, -1);
        return;
    }
    for (int64_t i = 0; x && i < n && !c->differ; i++) {
        if (x[i] != y[i]) {
            differ(c, what, i);
        }
    }
}

static void bytes(comparison *c, const char *what, const uint8_t *x, const uint8_t *y, int64_t n) {
    for (int64_t i = 0; i < n && !c->differ; i++) {
        if (x[i] != y[i]) {
            differ(c, what, i);
        }
    }
}

static void text(comparison *c, const char *what, const char *x, const char *y, int64_t i) {
    if ((x == NULL) != (y == NULL) || (x && strcmp(x, y) != 0)) {
        differ(c, what, i);
    }
}

static void notes(comparison *c, const char *what, const sl_note *x, int32_t nx, const sl_note *y, int32_t ny) {
    if (nx != ny) {
        differ(c, what, -1);
        return;
    }
    for (int32_t i = 0; i < nx && !c->differ; i++) {
        if (x[i].index != y[i].index) {
            differ(c, what, i);
        } else {
            text(c, what, x[i].text, y[i].text, i);
        }
    }
}

#define COUNT(f) number(c, #f, a->f, b->f)
#define NUMBER(f) number(c, #f, a->f, b->f)
#define TEXT(f) text(c, #f, a->f, b->f, -1)
#define DOUBLES(f, n) doubles(c, #f, a->f, b->f, (n))
#define INTS(f, n) ints(c, #f, a->f, b->f, (n))
#define BYTES(f, n) bytes(c, #f, a->f, b->f, (n))
#define NOTES(f, n) notes(c, #f, a->f, a->n, b->f, b->n)

static void compare_ids(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    for (int32_t i = 0; i < a->n_node && !c->differ; i++) {
        text(c, "node id", sl_network_node_id(a, i), sl_network_node_id(b, i), i);
    }
    for (int32_t i = 0; i < a->n_link && !c->differ; i++) {
        text(c, "link id", sl_network_link_id(a, i), sl_network_link_id(b, i), i);
    }
    for (int32_t i = 0; i < a->n_pattern && !c->differ; i++) {
        text(c, "pattern id", sl_network_pattern_id(a, i), sl_network_pattern_id(b, i), i);
    }
    for (int32_t i = 0; i < a->n_curve && !c->differ; i++) {
        text(c, "curve id", sl_network_curve_id(a, i), sl_network_curve_id(b, i), i);
    }
}

static void compare_counts(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    COUNT(n_title);
    COUNT(n_junction);
    COUNT(n_reservoir);
    COUNT(n_tank);
    COUNT(n_pipe);
    COUNT(n_pump);
    COUNT(n_valve);
    COUNT(n_demand);
    COUNT(n_pattern);
    COUNT(n_curve);
    COUNT(n_curve_named);
    COUNT(n_control);
    COUNT(n_rule);
    COUNT(n_premise);
    COUNT(n_action);
    COUNT(n_source);
    COUNT(n_label);
    COUNT(n_backdrop);
}

static void compare_nodes(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    DOUBLES(node_elevation, a->n_node);
    DOUBLES(node_x, a->n_node);
    DOUBLES(node_y, a->n_node);
    DOUBLES(node_quality, a->n_node);
    INTS(demand_start, a->n_junction + 1);
    DOUBLES(demand_base, a->n_demand);
    INTS(demand_pattern, a->n_demand);
    DOUBLES(emitter_coef, a->n_junction);
    INTS(reservoir_pattern, a->n_reservoir);
    DOUBLES(tank_level_init, a->n_tank);
    DOUBLES(tank_level_min, a->n_tank);
    DOUBLES(tank_level_max, a->n_tank);
    DOUBLES(tank_diameter, a->n_tank);
    DOUBLES(tank_volume_min, a->n_tank);
    INTS(tank_curve, a->n_tank);
    BYTES(tank_overflow, a->n_tank);
    BYTES(tank_mixing, a->n_tank);
    DOUBLES(tank_mix_fraction, a->n_tank);
    DOUBLES(tank_bulk, a->n_tank);
}

static void compare_links(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    INTS(link_from, a->n_link);
    INTS(link_to, a->n_link);
    BYTES(link_status, a->n_link);
    DOUBLES(pipe_length, a->n_pipe);
    DOUBLES(pipe_diameter, a->n_pipe);
    DOUBLES(pipe_roughness, a->n_pipe);
    DOUBLES(pipe_minor, a->n_pipe);
    BYTES(pipe_check, a->n_pipe);
    DOUBLES(pipe_bulk, a->n_pipe);
    DOUBLES(pipe_wall, a->n_pipe);
    DOUBLES(pipe_leak_area, a->n_pipe);
    DOUBLES(pipe_leak_expansion, a->n_pipe);
    INTS(pump_curve, a->n_pump);
    DOUBLES(pump_power, a->n_pump);
    DOUBLES(pump_speed, a->n_pump);
    INTS(pump_pattern, a->n_pump);
    INTS(pump_efficiency_curve, a->n_pump);
    DOUBLES(pump_price, a->n_pump);
    INTS(pump_price_pattern, a->n_pump);
    BYTES(valve_kind, a->n_valve);
    DOUBLES(valve_diameter, a->n_valve);
    DOUBLES(valve_setting, a->n_valve);
    DOUBLES(valve_minor, a->n_valve);
    INTS(valve_curve, a->n_valve);
    if (a->vertex_start && b->vertex_start) {
        INTS(vertex_start, a->n_link + 1);
        if (!c->differ) {
            DOUBLES(vertex_x, a->vertex_start[a->n_link]);
            DOUBLES(vertex_y, a->vertex_start[a->n_link]);
        }
    } else if (a->vertex_start || b->vertex_start) {
        differ(c, "vertices", -1);
    }
}

static void compare_tables(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    INTS(pattern_start, a->n_pattern + 1);
    INTS(curve_start, a->n_curve + 1);
    BYTES(curve_kind, a->n_curve);
    if (!c->differ) {
        DOUBLES(pattern_factor, a->pattern_start[a->n_pattern]);
        DOUBLES(curve_x, a->curve_start[a->n_curve]);
        DOUBLES(curve_y, a->curve_start[a->n_curve]);
    }
    NOTES(demand_note, n_demand_note);
    NOTES(node_tags, n_node_tag);
    NOTES(link_tags, n_link_tag);
    NOTES(node_notes, n_node_note);
    NOTES(link_notes, n_link_note);
    NOTES(pattern_notes, n_pattern_note);
    NOTES(curve_notes, n_curve_note);
    for (int32_t i = 0; i < a->n_title && !c->differ; i++) {
        TEXT(title[i]);
    }
    for (int32_t i = 0; i < a->n_backdrop && !c->differ; i++) {
        TEXT(backdrop[i]);
    }
    for (int32_t i = 0; i < a->n_label && !c->differ; i++) {
        NUMBER(labels[i].x);
        NUMBER(labels[i].y);
        NUMBER(labels[i].anchor);
        TEXT(labels[i].text);
    }
}

static void compare_controls(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    for (int32_t i = 0; i < a->n_control && !c->differ; i++) {
        NUMBER(controls[i].kind);
        NUMBER(controls[i].link);
        NUMBER(controls[i].node);
        NUMBER(controls[i].status);
        NUMBER(controls[i].setting);
        NUMBER(controls[i].threshold);
        NUMBER(controls[i].enabled);
    }
    for (int32_t i = 0; i < a->n_rule && !c->differ; i++) {
        TEXT(rules[i].name);
        NUMBER(rules[i].premise_start);
        NUMBER(rules[i].n_premise);
        NUMBER(rules[i].n_then);
        NUMBER(rules[i].n_else);
        NUMBER(rules[i].priority);
        NUMBER(rules[i].enabled);
    }
    for (int32_t i = 0; i < a->n_premise && !c->differ; i++) {
        NUMBER(premises[i].logic);
        NUMBER(premises[i].object);
        NUMBER(premises[i].variable);
        NUMBER(premises[i].relation);
        NUMBER(premises[i].index);
        NUMBER(premises[i].status);
        NUMBER(premises[i].value);
    }
    for (int32_t i = 0; i < a->n_action && !c->differ; i++) {
        NUMBER(actions[i].link);
        NUMBER(actions[i].status);
        NUMBER(actions[i].setting);
    }
    for (int32_t i = 0; i < a->n_source && !c->differ; i++) {
        NUMBER(sources[i].node);
        NUMBER(sources[i].kind);
        NUMBER(sources[i].strength);
        NUMBER(sources[i].pattern);
    }
}

static void compare_options(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    NUMBER(hydraulics.flow_unit);
    NUMBER(hydraulics.pressure_unit);
    NUMBER(hydraulics.headloss);
    NUMBER(hydraulics.demand_model);
    NUMBER(hydraulics.pressure_min);
    NUMBER(hydraulics.pressure_required);
    NUMBER(hydraulics.pressure_exponent);
    NUMBER(hydraulics.demand_multiplier);
    NUMBER(hydraulics.emitter_exponent);
    NUMBER(hydraulics.emitter_backflow);
    NUMBER(hydraulics.specific_gravity);
    NUMBER(hydraulics.viscosity);
    NUMBER(hydraulics.trials);
    NUMBER(hydraulics.accuracy);
    NUMBER(hydraulics.head_error);
    NUMBER(hydraulics.flow_change);
    NUMBER(hydraulics.head_tolerance);
    NUMBER(hydraulics.flow_tolerance);
    NUMBER(hydraulics.rq_tolerance);
    NUMBER(hydraulics.check_freq);
    NUMBER(hydraulics.max_check);
    NUMBER(hydraulics.damp_limit);
    NUMBER(hydraulics.unbalanced_extra);
    NUMBER(hydraulics.default_pattern);
    TEXT(hydraulics.default_pattern_id);
    NUMBER(hydraulics.hydraulics_file);
    TEXT(hydraulics.hydraulics_path);
    TEXT(hydraulics.map_file);
    NUMBER(quality.kind);
    TEXT(quality.chemical);
    TEXT(quality.mass_unit);
    NUMBER(quality.trace_node);
    NUMBER(quality.tolerance);
    NUMBER(quality.diffusivity);
    NUMBER(quality.bulk_order);
    NUMBER(quality.tank_order);
    NUMBER(quality.wall_order);
    NUMBER(quality.bulk_coef);
    NUMBER(quality.wall_coef);
    NUMBER(quality.limit_potential);
    NUMBER(quality.roughness_factor);
    NUMBER(energy.price);
    NUMBER(energy.price_pattern);
    NUMBER(energy.efficiency);
    NUMBER(energy.demand_charge);
}

static void compare_settings(comparison *c) {
    const sl_network *a = c->a, *b = c->b;
    NUMBER(times.duration);
    NUMBER(times.hydraulic_step);
    NUMBER(times.quality_step);
    NUMBER(times.rule_step);
    NUMBER(times.pattern_step);
    NUMBER(times.pattern_start);
    NUMBER(times.report_step);
    NUMBER(times.report_start);
    NUMBER(times.start_clock);
    NUMBER(times.statistic);
    NUMBER(report.page_size);
    NUMBER(report.status);
    NUMBER(report.summary);
    NUMBER(report.messages);
    NUMBER(report.energy);
    NUMBER(report.nodes);
    NUMBER(report.links);
    NUMBER(report.n_node_list);
    NUMBER(report.n_link_list);
    if (!c->differ) {
        INTS(report.node_list, a->report.n_node_list);
        INTS(report.link_list, a->report.n_link_list);
    }
    TEXT(report.file);
    for (int k = 0; k < SL_REPORT_FIELD_COUNT && !c->differ; k++) {
        NUMBER(report.field[k].enabled);
        NUMBER(report.field[k].precision);
        NUMBER(report.field[k].below);
        NUMBER(report.field[k].above);
    }
}

// NOLINTNEXTLINE(readability-non-const-parameter): written through the comparison
bool sl_network_equal(const sl_network *a, const sl_network *b, char *why, size_t why_size) {
    if (!a || !b) {
        return false;
    }
    comparison c = {.a = a, .b = b, .reason = why, .size = why_size};
    static void (*const step[])(comparison *) = {compare_counts, compare_ids,      compare_nodes,   compare_links,
                                                 compare_tables, compare_controls, compare_options, compare_settings};
    for (size_t i = 0; i < sizeof step / sizeof *step && !c.differ; i++) {
        step[i](&c);
    }
    return !c.differ;
}
