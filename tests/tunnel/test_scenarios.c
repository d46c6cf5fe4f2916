/* SPDX-License-Identifier: MIT */
/* Networks made by hand whose end, and whose events as far as they are counted, follow from reasoning apart from the model: steady flows of
 * Darcy and Weisbach, times of free columns, what cannot happen. In all: water is kept, actions add no kinetic energy. */
#include "tunnel_test.h"

#include "hybrid/hybrid.h"
#include "tunnel/read.h"

typedef struct outcome {
    int n_crossing, n_coll_valve, n_coll_mid, n_branch, n_cut;
    double x[256]; /* at the end */
    const sl_tunnel_network *net;
} outcome;

static void count(outcome *out, const sl_hybrid *h) {
    const int32_t *q = sl_hybrid_q(h);
    for (int32_t j = 0; j < sl_tunnel_n_bit(out->net); j++) {
        const char *event = q[j] ? sl_tunnel_bit_event(out->net, j) : NULL;
        bool valve = sl_tunnel_block(out->net, j) < out->net->n_valve;
        bool mid = !valve && (j - sl_pipe_bits(out->net, 0)) % SL_PIPE_N_BIT < SL_MID_N_BIT;
        out->n_coll_valve += event && valve && strcmp(event, "coll") == 0;
        out->n_coll_mid += event && mid && strcmp(event, "coll") == 0;
        out->n_branch += event && mid && strcmp(event, "branch") == 0;
        out->n_cut += event && strcmp(event, "cut") == 0;
    }
}

static sl_tunnel_study *play(fixture *f, const char *text, outcome *out) {
    sl_tunnel_study *study = NULL;
    sl_hybrid *h = NULL;
    sl_status status = sl_tunnel_read(f->ctx, text, strlen(text), "t.yaml", NULL, f->diags, &study);
    for (int32_t k = 0; k < sl_diags_size(f->diags) && status != SL_OK; k++) {
        print_error("%s\n", sl_diags_at(f->diags, k)->text);
    }
    sl_assert_ok(status);
    sl_tunnel_model model = sl_tunnel_model_default(study->net);
    sl_hybrid_def def = sl_hybrid_default();
    model.all_reversals = study->all_reversals;
    def.dae.rtol = model.rtol = study->rtol;
    def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    def.dae.skip_algebraic = true;
    def.end = study->end;
    def.policy = study->policy;
    sl_assert_ok(sl_hybrid_create(f->ctx, &sl_tunnel_ops, &model, &def, f->diags, &h));
    *out = (outcome){.net = study->net};
    double volume = sl_tunnel_volume(study->net, sl_hybrid_x(h)), scale = 1.0, energy = 0.0;
    for (sl_hybrid_info info = {0}; info.event != SL_HYBRID_STOP;) {
        energy = sl_tunnel_kinetic_energy(study->net, sl_hybrid_x(h));
        status = sl_hybrid_next(h, SL_HYBRID_ANY, f->diags, &info);
        for (int32_t k = 0; k < sl_diags_size(f->diags) && status != SL_OK; k++) {
            print_error("%s\n", sl_diags_at(f->diags, k)->text);
        }
        sl_assert_ok(status);
        if (info.event == SL_HYBRID_ACTION) {
            double after = sl_tunnel_kinetic_energy(study->net, sl_hybrid_x(h));
            assert_true(after - energy <= 1e-12 * fmax(energy, 1e-3));
        }
        if (info.event == SL_HYBRID_SETTLED) {
            count(out, h);
        }
        for (int32_t v = 0; v < study->net->n_valve; v++) {
            scale = fmax(scale, fabs(sl_hybrid_x(h)[4 * study->net->n_pipe + v]));
        }
        sl_assert_abs(sl_tunnel_volume(study->net, sl_hybrid_x(h)), volume, 1e-11 * scale);
    }
    int32_t n_x, n_q;
    sl_tunnel_sizes(study->net, &n_x, &n_q);
    assert_true(n_x <= 256);
    memcpy(out->x, sl_hybrid_x(h), (size_t)n_x * sizeof(double));
    out->n_crossing = (int)sl_hybrid_n_crossing(h);
    sl_hybrid_destroy(h);
    return study;
}

static double flow_of(const outcome *o, int i, int end) {
    return o->x[2 * o->net->n_pipe + 2 * i + end];
}
static double water_in(const outcome *o) {
    double sum = 0.0;
    for (int e = 0; e < 2 * o->net->n_pipe; e++) {
        sum += o->x[e];
    }
    return sum;
}
/* Loss of head is this times the square of the flow [s2/m5], for pipes of the tests: area 1, f 0.02, losses 1 and 0. */
static double loss_of(double length) {
    double diameter = sqrt(4.0 / 3.14159265358979323846);
    return (0.02 * length / diameter + 1.0) / (2.0 * SL_TUNNEL_GRAVITY);
}

/* Four levels in a row, and dry tunnels between them: columns come from both ends of each and meet in its middle. Each tunnel then flows by
 * its own two levels. */
static void collisions_in_a_chain(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    sl_tunnel_study *s = play(
        &f,
        "sluice: tunnel/1\nrun: {end: 300}\nvalves:\n  a: {elevation: 10, tub: {level: 18}}\n"
        "  b: {elevation: 9, tub: {level: 16}}\n  c: {elevation: 8, tub: {level: 15}}\n  d: {elevation: 7, tub: {level: 11}}\n"
        "tunnels:\n  ab: {from: a, to: b, length: 60, area: 1, friction: 0.02}\n"
        "  bc: {from: b, to: c, length: 80, area: 1, friction: 0.02}\n  cd: {from: c, to: d, length: 70, area: 1, friction: 0.02}\n",
        &o);
    assert_int_equal(o.n_coll_mid, 3);
    assert_int_equal(o.n_branch, 3);
    assert_int_equal(o.n_cut, 0);
    const double drop[] = {2.0, 1.0, 4.0}, length[] = {60.0, 80.0, 70.0};
    for (int i = 0; i < 3; i++) {
        sl_assert_rel(flow_of(&o, i, 0), sqrt(drop[i] / loss_of(length[i])), 1e-6);
        sl_assert_rel(flow_of(&o, i, 1), flow_of(&o, i, 0), 1e-12);
    }
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

/* One arm of a diamond is much longer: its air is shut in between water that rises into it from below and its own column. In the end both
 * arms lose the same head. */
static void a_diamond_with_a_pocket_of_air(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    sl_tunnel_study *s = play(
        &f,
        "sluice: tunnel/1\nrun: {end: 600}\nvalves:\n  top: {elevation: 30, tub: {level: 40}}\n  fork: {elevation: 20}\n"
        "  low: {elevation: 5}\n  out: {elevation: 4, tub: {level: 12}}\n"
        "tunnels:\n  in: {from: top, to: fork, length: 50, area: 1, friction: 0.02}\n"
        "  short: {from: fork, to: low, length: 60, area: 1, friction: 0.02}\n"
        "  long: {from: fork, to: low, length: 240, area: 1, friction: 0.02}\n"
        "  away: {from: low, to: out, length: 50, area: 1, friction: 0.02}\n",
        &o);
    assert_int_equal(o.n_coll_mid, 2); /* in `away`, which fills from below too, and in `long` */
    double ratio = sqrt(loss_of(240.0) / loss_of(60.0)), in = flow_of(&o, 0, 0);
    sl_assert_rel(flow_of(&o, 1, 0), in * ratio / (1.0 + ratio), 1e-6);
    sl_assert_rel(flow_of(&o, 2, 0), in / (1.0 + ratio), 1e-6);
    double arm = in * ratio / (1.0 + ratio);
    sl_assert_rel(2.0 * loss_of(50.0) * in * in + loss_of(60.0) * arm * arm, 28.0, 1e-6);
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

/* A level sinks below the other one: the flow turns, and comes to that of the levels changed over. */
static void flow_turns_with_the_levels(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    sl_tunnel_study *s = play(
        &f,
        "sluice: tunnel/1\nrun: {end: 400, reversals: all}\nvalves:\n"
        "  a: {elevation: 10, tub: {level: {time: [0, 100, 140], value: [18, 18, 12]}}}\n  m: {elevation: 7}\n"
        "  b: {elevation: 9, tub: {level: 15}}\ntunnels:\n"
        "  am: {from: a, to: m, length: 60, area: 1, friction: 0.02}\n  bm: {from: b, to: m, length: 90, area: 1, friction: 0.02}\n",
        &o);
    double wanted = sqrt(3.0 / (loss_of(60.0) + loss_of(90.0)));
    sl_assert_rel(flow_of(&o, 0, 0), -wanted, 1e-6);
    sl_assert_rel(flow_of(&o, 1, 0), wanted, 1e-6);
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

/* Nothing but levels below their sills, and gates that move: nothing happens. */
static void what_is_dry_stays_dry(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    sl_tunnel_study *s = play(
        &f,
        "sluice: tunnel/1\nrun: {end: 100}\nvalves:\n  a: {elevation: 10, tub: {level: 9}}\n  m: {elevation: 7}\n"
        "  b: {elevation: 5, tub: {reservoir: {area: 10, bottom: 1, level: 4.9, inflow: 0.0005}}}\ntunnels:\n"
        "  am: {from: a, to: m, length: 60, area: 1, friction: 0.02}\n  mb: {from: m, to: b, length: 90, area: 1, friction: 0.02}\n"
        "gates: {a: [{at: 10, open: 0}, {at: 20, open: 1}], mb.from: [{at: 15, open: 0}]}\n",
        &o);
    assert_int_equal(o.n_crossing, 0);
    sl_assert_abs(water_in(&o), 0.0, 0.0);
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

/* Gates shut both ends of a tunnel that is half full, and open the lower one: what was in stays in, then all of it leaves. */
static void a_column_waits_behind_gates(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    static const char text[] =
        "sluice: tunnel/1\nrun: {end: %s}\nvalves:\n  a: {elevation: 20, tub: {level: 22}}\n  b: {elevation: 5, tub: outfall}\n"
        "tunnels:\n  t: {from: a, to: b, length: 60, area: 1, friction: 0.02, drops: both}\n"
        "gates: {t.to: [{at: 0, open: 0}, {at: 60, open: 1}], t.from: [{at: 2, open: 0}]}\n";
    char at[1024];
    snprintf(at, sizeof at, text, "50");
    sl_tunnel_study *s = play(&f, at, &o);
    double held = water_in(&o);
    assert_true(held > 1.0 && held < 60.0);
    sl_assert_abs(o.x[4] + held, 0.0, 1e-10); /* all that the level gave */
    sl_tunnel_study_destroy(s);
    snprintf(at, sizeof at, text, "200");
    s = play(&f, at, &o);
    sl_assert_abs(water_in(&o), 0.0, 1e-8);
    sl_assert_abs(o.x[5], held, 1e-8); /* and the outfall got it */
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

/* A dry tunnel without slope and friction, whose entry costs the velocity head, below a level h: l v' / g = h - v^2 / (2 g) with l' = v has
 * the solution v = sqrt(2 g h) from the first drop on. */
static void a_level_tunnel_fills_at_the_speed_of_torricelli(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    sl_tunnel_study *s =
        play(&f,
             "sluice: tunnel/1\nrun: {end: 10, tolerance: 1e-10}\nvalves:\n  a: {elevation: 5, tub: {level: 10}}\n"
             "  b: {elevation: 5, tub: outfall}\ntunnels:\n"
             "  t: {from: a, to: b, length: 500, area: 1, friction: 0, losses: {in: [1, 1]}, added_length: 1e-6}\n",
             &o);
    sl_assert_rel(flow_of(&o, 0, 0), sqrt(2.0 * SL_TUNNEL_GRAVITY * 5.0), 1e-6);
    sl_assert_rel(water_in(&o), 10.0 * sqrt(2.0 * SL_TUNNEL_GRAVITY * 5.0), 1e-6);
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

/* A reservoir that is wider above drains through a tunnel: quasi-steady, the time for each part of its curve is that of Torricelli with its
 * own area; the water in the tunnel and its start add less than a hundredth. What the plant has received is what the curve says. */
static void a_reservoir_with_a_curve_empties(void **state) {
    (void)state;
    fixture f;
    outcome o;
    fixture_init(&f);
    static const char text[] =
        "sluice: tunnel/1\nrun: {end: %.17g}\nvalves:\n"
        "  lake: {elevation: 10, tub: {reservoir: {storage: {level: [10, 12, 16], volume: [0, 400, 3600]}, level: 15}}}\n"
        "  plant: {elevation: 10, tub: outfall}\n"
        "tunnels:\n  t: {from: lake, to: plant, length: 5, area: 1, friction: 0, losses: {in: [1, 1]}, drops: both}\nstart: {full: [t]}\n";
    const double g2 = sqrt(2.0 * SL_TUNNEL_GRAVITY);
    double upper = 2.0 * 800.0 * (sqrt(5.0) - sqrt(2.0)) / g2, lower = 2.0 * 200.0 * (sqrt(2.0) - 1.0) / g2;
    char at[1024];
    snprintf(at, sizeof at, text, upper);
    sl_tunnel_study *s = play(&f, at, &o);
    sl_assert_rel(o.x[4], 400.0, 0.02);
    sl_tunnel_study_destroy(s);
    snprintf(at, sizeof at, text, upper + lower);
    s = play(&f, at, &o);
    sl_assert_rel(o.x[4], 200.0, 0.03); /* a metre of 200 m2 */
    sl_assert_abs(o.x[5] + o.x[4] + water_in(&o), 2800.0 + 5.0, 1e-8);
    sl_tunnel_study_destroy(s);
    fixture_fini(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(collisions_in_a_chain),
                                       cmocka_unit_test(a_diamond_with_a_pocket_of_air),
                                       cmocka_unit_test(flow_turns_with_the_levels),
                                       cmocka_unit_test(what_is_dry_stays_dry),
                                       cmocka_unit_test(a_column_waits_behind_gates),
                                       cmocka_unit_test(a_level_tunnel_fills_at_the_speed_of_torricelli),
                                       cmocka_unit_test(a_reservoir_with_a_curve_empties)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
