/* SPDX-License-Identifier: MIT */
/* net_near.c: two networks with the same quantities but for rounding; see net_test.h. */
#include "net_test.h"

static void doubles(const char *what, const double *a, const double *b, int64_t n, double rel) {
    assert_int_equal(a == NULL, b == NULL);
    for (int64_t i = 0; a && i < n; i++) {
        bool both_nan = isnan(a[i]) && isnan(b[i]);
        if (!both_nan && !(fabs(a[i] - b[i]) <= rel * fabs(a[i]))) {
            print_error("%s[%d]: %.17g and %.17g\n", what, (int)i, a[i], b[i]);
            fail();
        }
    }
}

#define D(f, n) doubles(#f, a->f, b->f, (n), rel)
#define N(f) doubles(#f, &a->f, &b->f, 1, rel)
#define I(f) assert_int_equal(a->f, b->f)

static void near_objects(const sl_network *a, const sl_network *b, double rel) {
    D(node_elevation, a->n_node);
    D(node_quality, a->n_node);
    D(node_x, a->n_node);
    D(demand_base, a->n_demand);
    D(emitter_coef, a->n_junction);
    D(tank_level_init, a->n_tank);
    D(tank_level_min, a->n_tank);
    D(tank_level_max, a->n_tank);
    D(tank_diameter, a->n_tank);
    D(tank_volume_min, a->n_tank);
    D(tank_mix_fraction, a->n_tank);
    D(tank_bulk, a->n_tank);
    D(pipe_length, a->n_pipe);
    D(pipe_diameter, a->n_pipe);
    D(pipe_roughness, a->n_pipe);
    D(pipe_minor, a->n_pipe);
    D(pipe_bulk, a->n_pipe);
    D(pipe_wall, a->n_pipe);
    D(pipe_leak_area, a->n_pipe);
    D(pipe_leak_expansion, a->n_pipe);
    D(pump_power, a->n_pump);
    D(pump_speed, a->n_pump);
    D(pump_price, a->n_pump);
    D(valve_diameter, a->n_valve);
    D(valve_setting, a->n_valve);
    D(valve_minor, a->n_valve);
    for (int32_t i = 0; i < a->n_link; i++) {
        I(link_from[i]);
        I(link_to[i]);
        I(link_status[i]);
        assert_string_equal(sl_network_link_id(a, i), sl_network_link_id(b, i));
    }
}

static void near_tables(const sl_network *a, const sl_network *b, double rel) {
    /* A curve may be known by another index: what counts is what its users see. */
    for (int32_t i = 0; i < a->n_tank + 2 * a->n_pump + a->n_valve; i++) {
        int32_t k = i - a->n_tank, v = k - 2 * a->n_pump;
        int32_t x = k < 0    ? a->tank_curve[i]
                    : v >= 0 ? a->valve_curve[v]
                    : k % 2  ? a->pump_efficiency_curve[k / 2]
                             : a->pump_curve[k / 2];
        int32_t y = k < 0    ? b->tank_curve[i]
                    : v >= 0 ? b->valve_curve[v]
                    : k % 2  ? b->pump_efficiency_curve[k / 2]
                             : b->pump_curve[k / 2];
        assert_int_equal(x < 0, y < 0);
        if (x >= 0) {
            int32_t n = a->curve_start[x + 1] - a->curve_start[x];
            assert_int_equal(b->curve_start[y + 1] - b->curve_start[y], n);
            assert_int_equal(a->curve_kind[x], b->curve_kind[y]);
            doubles("curve x", a->curve_x + a->curve_start[x], b->curve_x + b->curve_start[y], n, rel);
            doubles("curve y", a->curve_y + a->curve_start[x], b->curve_y + b->curve_start[y], n, rel);
        }
    }
    I(n_pattern);
    D(pattern_factor, a->pattern_start[a->n_pattern]);
    for (int32_t i = 0; i < a->n_control; i++) {
        I(controls[i].link);
        I(controls[i].kind);
        I(controls[i].status);
        N(controls[i].setting);
        N(controls[i].threshold);
    }
    for (int32_t i = 0; i < a->n_premise; i++) {
        I(premises[i].variable);
        I(premises[i].index);
        N(premises[i].value);
    }
    for (int32_t i = 0; i < a->n_action; i++) {
        I(actions[i].link);
        I(actions[i].status);
        N(actions[i].setting);
    }
    for (int32_t i = 0; i < a->n_source; i++) {
        I(sources[i].node);
        N(sources[i].strength);
    }
}

void net_assert_near(const sl_network *a, const sl_network *b, double rel) {
    I(n_junction);
    I(n_reservoir);
    I(n_tank);
    I(n_pipe);
    I(n_pump);
    I(n_valve);
    I(n_demand);
    I(n_control);
    I(n_rule);
    I(n_premise);
    I(n_action);
    I(n_source);
    I(n_title);
    I(n_node_note);
    I(n_link_note);
    I(n_node_tag);
    near_objects(a, b, rel);
    near_tables(a, b, rel);
    if (a->hydraulics.demand_model == SL_PDA) { /* without it the default of 0.1 units is no quantity of the model */
        N(hydraulics.pressure_min);
        N(hydraulics.pressure_required);
    }
    N(hydraulics.pressure_exponent);
    N(hydraulics.demand_multiplier);
    N(hydraulics.emitter_exponent);
    N(hydraulics.specific_gravity);
    N(hydraulics.viscosity);
    N(hydraulics.accuracy);
    N(hydraulics.head_error);
    N(hydraulics.flow_change);
    N(hydraulics.head_tolerance);
    N(hydraulics.flow_tolerance);
    N(quality.tolerance);
    N(quality.diffusivity);
    N(quality.bulk_coef);
    N(quality.wall_coef);
    N(quality.limit_potential);
    N(quality.roughness_factor);
    N(energy.price);
    N(energy.efficiency);
    N(times.duration);
    N(times.hydraulic_step);
    I(hydraulics.trials);
    I(hydraulics.headloss);
    I(hydraulics.demand_model);
    I(quality.kind);
    I(quality.wall_order);
}
