/* SPDX-License-Identifier: MIT */
/* test_history.c: the loops over points against others that do the same with other means.
 *
 * A pipe by itself and the same pipe among eight others side by side have the same bits. A pipe is computed again by a plain loop with
 * the equations of docs/theory/surge.md, also where friction is large and where the head is clamped. What is shown as highest, lowest
 * and longest is what somebody sees who looks at every step, whatever is set, cut or restored in between.
 */
#include "surge_test.h"

#include "base/out.h"

#include <string.h>

#define G 9.80665
enum { ROOM = 20000, REACHES = 40, SYSTEMS = 9, LONG = 1500, STEPS = 400 };

static const double nothing = 0.0;
static const double dt = 0.01, wave = 1000.0;

/* n systems of a reservoir, a pipe and a junction; the last one is long. */
static void systems(char *text, int n, double bore_mm, double resistance) {
    size_t at = (size_t)sprintf(text, "[JUNCTIONS]\n");
    for (int i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "E%d 0 20\n", i);
    }
    at += (size_t)sprintf(text + at, "[RESERVOIRS]\n");
    for (int i = 0; i < n; i++) {
        at += (size_t)sprintf(text + at, "R%d %d\n", i, bore_mm < 100.0 ? 600 : 60);
    }
    at += (size_t)sprintf(text + at, "[PIPES]\n");
    for (int i = 0; i < n; i++) {
        double reaches = n > 1 && i == n - 1 ? LONG : REACHES, bore = n > 1 && i == n - 1 ? 400.0 : bore_mm;
        at += (size_t)sprintf(text + at, "P%d R%d E%d %.6f %.6f %.6f 0\n", i, i, i, reaches * wave * dt, bore,
                              resistance);
    }
    (void)sprintf(text + at, "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\n[END]\n");
}

static bool lean; /* begin: without envelopes and balances */

static void begin(surge_bench *b, int n, double bore_mm, sl_surge_cavitation model, double duration) {
    static char text[ROOM];
    systems(text, n, bore_mm, 110.0);
    surge_open(b, text);
    sl_surge_def def = surge_def(duration, dt, wave);
    sl_surge_event events[SYSTEMS];
    for (int i = 0; i < n; i++) {
        char id[16];
        (void)snprintf(id, sizeof id, "E%d", i);
        events[i] = surge_jump(SL_SURGE_DEMAND_FACTOR, surge_node(b, id), 0.2, &nothing);
    }
    def.cavitation = model;
    def.demand = SL_SURGE_DEMAND_ORIFICE;
    def.events = events;
    def.n_event = n;
    def.envelopes = def.balances = !lean;
    surge_begin(b, &def);
}

static void test_side_by_side(void **state) {
    (void)state;
    for (int model = SL_SURGE_DGCM; model < SL_SURGE_CAVITATION_COUNT; model++) {
        surge_bench one, many;
        begin(&one, 1, 150.0, (sl_surge_cavitation)model, 4.0);
        begin(&many, SYSTEMS, 150.0, (sl_surge_cavitation)model, 4.0);
        for (int n = 1; n <= STEPS; n++) {
            surge_advance(&one, dt * n);
            surge_advance(&many, dt * n);
        }
        sl_surge_view x = surge_view(&one), y = surge_view(&many);
        for (int k = 0; k < SYSTEMS - 1; k++) {
            for (int64_t i = 0; i <= REACHES; i++) {
                int64_t j = y.point_start[k] + i;
                sl_assert_bits(x.head[i], y.head[j]);
                sl_assert_bits(x.flow_out[i], y.flow_out[j]);
                sl_assert_bits(x.head_min[i], y.head_min[j]);
                sl_assert_bits(x.time_max[i], y.time_max[j]);
                if (x.cavity) {
                    sl_assert_bits(x.cavity_time[i], y.cavity_time[j]);
                }
            }
        }
        surge_close(&one);
        surge_close(&many);
    }
}

/* Without envelopes and balances heads and flows have the same bits, and what is not kept is no number. */
static void test_without(void **state) {
    (void)state;
    for (int model = SL_SURGE_DGCM; model < SL_SURGE_CAVITATION_COUNT; model++) {
        surge_bench with, without;
        begin(&with, SYSTEMS, 150.0, (sl_surge_cavitation)model, 4.0);
        lean = true;
        begin(&without, SYSTEMS, 150.0, (sl_surge_cavitation)model, 4.0);
        lean = false;
        for (int n = 1; n <= STEPS; n++) {
            surge_advance(&with, dt * n);
            surge_advance(&without, dt * n);
        }
        sl_surge_view x = surge_view(&with), y = surge_view(&without);
        assert_true(x.n_point == y.n_point);
        for (int64_t i = 0; i < x.n_point; i++) {
            sl_assert_bits(x.head[i], y.head[i]);
            sl_assert_bits(x.flow_in[i], y.flow_in[i]);
            sl_assert_bits(x.flow_out[i], y.flow_out[i]);
            if (x.cavity) {
                sl_assert_bits(x.cavity_time[i], y.cavity_time[i]);
            }
        }
        for (int64_t i = 1; i < REACHES; i++) {
            assert_true(isnan(y.head_max[i]) && isnan(y.head_min[i]) && isnan(y.time_max[i]) && isnan(y.time_min[i]));
            assert_false(isnan(x.head_max[i]));
        }
        sl_assert_bits(x.head_max[REACHES], y.head_max[REACHES]); /* a node's */
        sl_assert_bits(x.time_min[REACHES], y.time_min[REACHES]);
        assert_true(isnan(y.balance.error) && isnan(y.balance.inflow) && isnan(y.balance.work));
        assert_false(isnan(x.balance.error));
        surge_close(&with);
        surge_close(&without);
    }
}

/* ---- A plain loop ------------------------------------------------------------------------------- */

typedef struct plain {
    double h[REACHES + 1], in[REACHES + 1], out[REACHES + 1], r[REACHES + 1];
    double b, k, hv, c, head; /* impedance, friction of a reach, vapour head, outlet, reservoir */
} plain;

/* Friction by predictor and corrector, the outlet by bisection. */
static void plain_step(plain *p, bool clamps, double factor) {
    double forth[REACHES + 1], back[REACHES + 1];
    for (int i = 0; i <= REACHES; i++) {
        forth[i] = p->h[i] + (p->b - 0.5 * p->r[i]) * p->out[i];
        back[i] = p->h[i] - (p->b - 0.5 * p->r[i]) * p->in[i];
    }
    double r0 = p->k * fabs(p->in[0]), r1 = p->k * fabs(p->out[REACHES]);
    for (int i = 1; i < REACHES; i++) {
        double cp = forth[i - 1], cm = back[i + 1], q = 0.5 * (cp - cm) / (p->b + 0.5 * p->r[i]);
        p->r[i] = p->k * fabs(q);
        double z = p->b + 0.5 * p->r[i];
        p->h[i] = 0.5 * (cp + cm);
        p->h[i] = clamps && p->h[i] < p->hv ? p->hv : p->h[i];
        p->in[i] = (cp - p->h[i]) / z;
        p->out[i] = (p->h[i] - cm) / z;
    }
    p->r[0] = r0;
    p->r[REACHES] = r1;
    p->h[0] = p->head;
    p->in[0] = p->out[0] = (p->head - back[1]) / (p->b + 0.5 * r0);
    double low = clamps ? p->hv : -1e4, high = 1e4, cp = forth[REACHES - 1], z = p->b + 0.5 * r1;
    for (int n = 0; n < 200; n++) {
        double h = 0.5 * (low + high), takes = factor * p->c * sqrt(fmax(h, 0.0));
        bool less = (cp - h) / z > takes;
        low = less ? h : low;
        high = less ? high : h;
    }
    p->h[REACHES] = low;
    p->in[REACHES] = p->out[REACHES] = (cp - low) / z;
}

static void compare(double bore_mm, sl_surge_cavitation model, double near) {
    surge_bench b;
    begin(&b, 1, bore_mm, model, 4.0);
    surge_advance(&b, 0.0);
    sl_surge_view v = surge_view(&b);
    double bore = b.net->pipe_diameter[0], area = 3.14159265358979323846 * bore * bore / 4.0;
    plain p = {.b = wave / (G * area), .hv = v.vapour_head[REACHES], .head = v.head[0]};
    double q = v.flow_out[0];
    p.k = (v.head[0] - v.head[REACHES]) / (REACHES * q * q);
    p.c = q / sqrt(v.head[REACHES]);
    for (int i = 0; i <= REACHES; i++) {
        p.h[i] = v.head[i];
        p.in[i] = p.out[i] = q;
        p.r[i] = p.k * q;
    }
    double lowest = 0.0;
    for (int n = 1; n <= STEPS; n++) {
        double t = dt * n;
        plain_step(&p, model == SL_SURGE_CLAMP, t < 0.2 - 1e-9 ? 1.0 : 0.0);
        surge_advance(&b, t);
        v = surge_view(&b);
        for (int i = 0; i <= REACHES; i++) {
            sl_assert_near(v.head[i], p.h[i], near, 0.0);
            sl_assert_near(v.flow_in[i], p.in[i], near / p.b, 0.0);
            sl_assert_near(v.flow_out[i], p.out[i], near / p.b, 0.0);
            lowest = fmin(lowest, p.h[i]);
        }
    }
    assert_true(model != SL_SURGE_CLAMP || lowest == p.hv);
    surge_close(&b);
}

/* 20 L/s in bores of 150 and 60 mm: wr/B of 0.001 and 0.03. Rounding grows with the steps: below 1e-9 m. */
static void test_plain_loop(void **state) {
    (void)state;
    compare(150.0, SL_SURGE_LIQUID, 1e-8);
    compare(150.0, SL_SURGE_CLAMP, 1e-8);
    compare(60.0, SL_SURGE_LIQUID, 1e-8);
}

/* ---- What somebody sees who looks at every step ------------------------------------------------- */

enum { POINTS = (SYSTEMS - 1) * (REACHES + 1) + LONG + 1 };
typedef struct seen {
    double high[POINTS], low[POINTS], at_high[POINTS], at_low[POINTS], first[POINTS], time[POINTS], count[POINTS];
    bool is[POINTS];
    bool began;
} seen;

static void look(seen *s, const sl_surge_view *v, double least, bool counts) {
    for (int64_t i = 0; i < v->n_point; i++) {
        if (!s->began) {
            s->high[i] = s->low[i] = v->head[i];
            s->at_high[i] = s->at_low[i] = 0.0;
            s->first[i] = (double)NAN;
        }
        s->at_high[i] = v->head[i] > s->high[i] ? v->time : s->at_high[i];
        s->high[i] = fmax(s->high[i], v->head[i]);
        s->at_low[i] = v->head[i] < s->low[i] ? v->time : s->at_low[i];
        s->low[i] = fmin(s->low[i], v->head[i]);
        bool is = v->cavity && v->cavity[i] > least;
        s->first[i] = isnan(s->first[i]) && is ? v->time : s->first[i];
        s->time[i] += is && counts ? dt : 0.0;
        s->count[i] += s->is[i] && !is ? 1.0 : 0.0;
        s->is[i] = is;
    }
    s->began = true;
}

static bool is_inner(const sl_surge_view *v, int64_t point) {
    for (int k = 0; k < SYSTEMS; k++) {
        if (point == v->point_start[k] || point == v->point_start[k + 1] - 1) {
            return false;
        }
    }
    return true;
}

static void assert_seen(const seen *s, const sl_surge_view *v) {
    for (int64_t i = 0; i < v->n_point; i++) {
        sl_assert_bits(v->head_max[i], s->high[i]);
        sl_assert_bits(v->head_min[i], s->low[i]);
        sl_assert_bits(v->time_max[i], s->at_high[i]);
        sl_assert_bits(v->time_min[i], s->at_low[i]);
        if (!is_inner(v, i)) { /* an end has the cavity of its node */
            continue;
        }
        assert_true(isnan(s->first[i]) ? isnan(v->cavity_first[i]) : v->cavity_first[i] == s->first[i]);
        sl_assert_near(v->cavity_time[i], s->time[i], 1e-9, 0.0);
        sl_assert_near(v->cavity_count[i], s->count[i], 0.0, 0.0);
    }
}

static void set_factor(surge_bench *b, int i, double x) {
    char name[40];
    (void)sprintf(name, "node.'E%d'.demand.factor", i);
    sl_var v;
    sl_assert_ok(sl_session_find(b->session, name, &v));
    sl_assert_ok(sl_session_set(b->session, &v, 1, &x));
}

/* Goes on, somewhere else, and comes back. */
static void leave_and_return(surge_bench *b, double t) {
    sl_bytes state;
    sl_bytes_init(&state, b->ctx);
    sl_sink sink = sl_bytes_sink(&state);
    sl_assert_ok(sl_session_save(b->session, &sink));
    set_factor(b, 1, 3.0);
    surge_advance(b, t + 0.7);
    sl_assert_ok(sl_session_restore(b->session, state.at, (size_t)state.n));
    sl_bytes_fini(&state);
}

static void test_every_step(void **state) {
    (void)state;
    static seen s;
    double sum = 0.0;
    for (int model = SL_SURGE_DVCM; model <= SL_SURGE_CLAMP; model++) {
        memset(&s, 0, sizeof s);
        surge_bench b;
        begin(&b, SYSTEMS, 150.0, (sl_surge_cavitation)model, 4.0);
        surge_advance(&b, 0.0);
        sl_surge_view v = surge_view(&b);
        look(&s, &v, 0.0, false);
        for (int n = 1; n <= STEPS; n++) {
            surge_advance(&b, dt * n);
            v = surge_view(&b);
            look(&s, &v, 0.0, true);
            if (n % 40 == 0) { /* at a boundary: what was seen there stays */
                set_factor(&b, n / 40 % SYSTEMS, n % 80 ? 0.3 : 0.0);
                assert_seen(&s, &v);
            }
            if (n == 150) {
                leave_and_return(&b, dt * n);
            }
        }
        v = surge_view(&b);
        assert_seen(&s, &v);
        for (int64_t i = 0; i < v.n_point; i++) {
            sum += s.count[i];
        }
        surge_close(&b);
    }
    assert_true(sum > 10.0); /* columns broke and joined */
}

/* Within a step: what a cut forgets is in no envelope. */
static void test_cut(void **state) {
    (void)state;
    surge_bench b;
    begin(&b, 1, 150.0, SL_SURGE_CLAMP, 4.0);
    for (int n = 21; n < 60; n++) {
        double kept[4][REACHES + 1];
        surge_advance(&b, dt * n + 0.4 * dt);
        sl_surge_view v = surge_view(&b);
        const double *shown[] = {v.head_max, v.head_min, v.cavity_time, v.cavity_count};
        for (int k = 0; k < 4; k++) {
            memcpy(kept[k], shown[k], sizeof kept[k]);
        }
        set_factor(&b, 0, n % 2 ? 0.5 : 0.0);
        v = surge_view(&b);
        const double *now[] = {v.head_max, v.head_min, v.cavity_time, v.cavity_count};
        for (int k = 0; k < 4; k++) {
            assert_memory_equal(kept[k], now[k], sizeof kept[k]);
        }
    }
    surge_close(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_side_by_side), cmocka_unit_test(test_without),
                                       cmocka_unit_test(test_plain_loop), cmocka_unit_test(test_every_step),
                                       cmocka_unit_test(test_cut)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
