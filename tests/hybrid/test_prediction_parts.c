/* SPDX-License-Identifier: MIT */
/* Predictions and roots that do not say on which side they are, in a model that moves by parts (crowd.h): each toy of a crowd moves as it
 * does alone, whatever happens to the others; saved, restored and copied at any piece. */
#include "crowd.h"
#include "predicted.h"

#include <sluice/diag.h>

#include <stdlib.h>

typedef struct setting {
    execution e;
    crowd c;
    toy toys[CROWD];
} setting;

/* A crowd of one kind of toy; the caller makes them differ before it begins. */
static void gather(setting *s, const toy *m, int32_t n_mode, bool tells_set) {
    *s = (setting){.c = {.n = CROWD, .n_mode = n_mode, .tells_set = tells_set}};
    for (int k = 0; k < CROWD; k++) {
        s->toys[k] = *m;
    }
    s->c.toys = s->toys;
}

static void begin(execution *e, const crowd *c, const sl_hybrid_def *def) {
    *e = (execution){0};
    e->ctx = sl_test_context(&e->memory);
    sl_assert_ok(sl_diags_create(e->ctx, &e->diags));
    sl_assert_ok(sl_hybrid_create(e->ctx, &crowd_ops, c, def, e->diags, &e->h));
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Times of crossings, rising; those within 1e-9 are one instant. */
enum { MOST_TIMES = 300 };
static int sort_times(double *t, int n) {
    int kept = 0;
    qsort(t, (size_t)n, sizeof *t, by_size);
    for (int i = 0; i < n; i++) {
        if (kept == 0 || t[i] - t[kept - 1] > 1e-9) {
            t[kept++] = t[i];
        }
    }
    return kept;
}

static int list_times(execution *e, double *t, int n) {
    for (double at; (at = next_crossing(e)) < (double)INFINITY;) {
        assert_true(n < MOST_TIMES);
        t[n++] = at;
    }
    return n;
}

/* To the end, and each alone: the same crossings, and the same states. */
static void check_alone(setting *s, const sl_hybrid_def *def, double tolerance) {
    double times[2][MOST_TIMES];
    int n_all, n = 0;
    int32_t n_x = s->toys->n_x, n_q = s->toys->n_q;
    begin(&s->e, &s->c, def);
    n_all = sort_times(times[0], list_times(&s->e, times[0], 0));
    assert_int_equal(sl_hybrid_statistics(s->e.h).n_part, CROWD);
    for (int k = 0; k < CROWD; k++) {
        execution e;
        execution_begin(&e, &s->toys[k], def);
        n = list_times(&e, times[1], n);
        for (int j = 0; j < n_x; j++) {
            sl_assert_abs(sl_hybrid_x(s->e.h)[n_x * k + j], sl_hybrid_x(e.h)[j], tolerance);
        }
        assert_memory_equal(sl_hybrid_q(s->e.h) + n_q * k, sl_hybrid_q(e.h), (size_t)n_q * sizeof(int32_t));
        execution_end(&e);
    }
    assert_int_equal(n_all, sort_times(times[1], n));
    for (int i = 0; i < n_all; i++) {
        sl_assert_abs(times[0][i], times[1][i], 1e-9 + tolerance);
    }
    execution_end(&s->e);
}

/* Saved at every so many pieces, restored into an execution with another past, or copied: the same bits from there on. */
static void check_saved(const setting *s, const sl_hybrid_def *def, int n_piece, int every) {
    enum { ROOM = 1 << 16 };
    static char bytes[ROOM], again[ROOM];
    execution a, b;
    begin(&a, &s->c, def);
    begin(&b, &s->c, def);
    size_t n_x = (size_t)(CROWD * s->toys->n_x) * sizeof(double),
           n_q = (size_t)(CROWD * s->toys->n_q) * sizeof(int32_t);
    sl_hybrid_info i = {0}, j;
    for (int k = 0; k < n_piece && i.event != SL_HYBRID_STOP; k++) {
        sl_assert_ok(sl_hybrid_next(a.h, SL_HYBRID_ANY, a.diags, &i));
        if (k % every == 0) {
            size_t n = sl_hybrid_save_size(a.h);
            assert_true(n <= ROOM);
            sl_hybrid_save(a.h, bytes);
            if (k % (2 * every) == 0) {
                sl_hybrid_destroy(b.h);
                sl_assert_ok(sl_hybrid_copy(a.h, b.diags, &b.h));
            } else {
                sl_assert_ok(sl_hybrid_restore(b.h, bytes, n, b.diags));
            }
            assert_int_equal(sl_hybrid_save_size(b.h), n);
            sl_hybrid_save(b.h, again);
            assert_memory_equal(bytes, again, n);
        } else {
            sl_assert_ok(sl_hybrid_next(b.h, SL_HYBRID_ANY, b.diags, &j));
            assert_int_equal(i.event, j.event);
        }
        sl_assert_bits(sl_hybrid_time(b.h), sl_hybrid_time(a.h));
        assert_memory_equal(sl_hybrid_x(b.h), sl_hybrid_x(a.h), n_x);
        assert_memory_equal(sl_hybrid_dx(b.h), sl_hybrid_dx(a.h), n_x);
        assert_memory_equal(sl_hybrid_q(b.h), sl_hybrid_q(a.h), n_q);
    }
    sl_hybrid_destroy(b.h); /* of its own context; then it goes with that */
    b.h = NULL;
    execution_end(&a);
    execution_end(&b);
}

/* ---- Predictions -------------------------------------------------------------------------------- */

/* Bodies that meet at different times, two of them at one instant; the flap of some shuts. */
static void test_bodies_join(void **state) {
    (void)state;
    for (int tells = 0; tells < 2; tells++) {
        setting s;
        gather(&s, &join_toy, 2, tells == 1);
        for (int k = 0; k < CROWD; k++) {
            s.toys[k].x[V_LEFT] += 0.3 * (k / 2);
            s.toys[k].q[FLAP] = k % 3 == 0;
        }
        sl_hybrid_def def = toy_def();
        def.end = 3.0;
        def.max_round = 2;
        check_alone(&s, &def, 1e-8);
        def.dae.n_restart = 40;
        check_saved(&s, &def, 400, 3);
    }
}

/* Only who wants a prediction is given one: what is pending elsewhere is not acted on. */
static void test_floors(void **state) {
    (void)state;
    setting s;
    gather(&s, &floor_toy, 1, true);
    for (int k = 0; k < CROWD; k++) {
        s.toys[k].x[0] = 1.0 + 0.37 * k;
    }
    s.toys[1].x[0] = 1.0; /* at the same times as the first */
    sl_hybrid_def def = toy_def();
    def.end = 7.0;
    check_alone(&s, &def, 1e-6);
    def.dae.n_restart = 25;
    check_saved(&s, &def, 600, 7);
}

/* An event begins its own part anew, also one with a prediction. */
static void test_own_part(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info;
    gather(&s, &floor_toy, 1, true);
    s.toys[0].x[0] = 0.5; /* the others do not fall that fast */
    sl_hybrid_def def = toy_def();
    def.end = 0.4;
    begin(&s.e, &s.c, &def);
    sl_assert_ok(sl_hybrid_next(s.e.h, SL_HYBRID_STOP, s.e.diags, &info));
    assert_int_equal(sl_hybrid_n_crossing(s.e.h), 1);
    assert_int_equal(sl_hybrid_statistics(s.e.h).n_restart, CROWD + 1);
    assert_int_equal(sl_hybrid_statistics(s.e.h).n_prediction, 1);
    execution_end(&s.e);
}

/* ---- Undecided roots ---------------------------------------------------------------------------- */

static const sl_hybrid_undecided policies[] = {SL_HYBRID_UNDECIDED_ONE, SL_HYBRID_UNDECIDED_ZERO,
                                               SL_HYBRID_UNDECIDED_KEEP, SL_HYBRID_UNDECIDED_ASK};
enum { N_POLICY = sizeof policies / sizeof *policies };

/* All of them rest at zero, with either value before, and leave to either side. */
static void test_policies(void **state) {
    (void)state;
    for (int p = 0; p < N_POLICY; p++) {
        setting s;
        gather(&s, &rest_toy, 2, p % 2 == 0);
        for (int k = 0; k < CROWD; k++) {
            s.toys[k].f = k % 2 ? rest_then_rise : rest_then_fall;
            s.toys[k].q[0] = k / 2 % 2;
            s.toys[k].decide = s.toys[k].q[0] ? is_zero : is_one;
        }
        sl_hybrid_def def = toy_def();
        def.undecided = policies[p];
        def.end = 2.0;
        def.dae.rtol = 1e-8;
        def.dae.max_step = 0.02;
        def.dae.n_restart = 20;
        check_alone(&s, &def, 1e-7);
        check_saved(&s, &def, 700, 13);
        sl_hybrid_info info;
        begin(&s.e, &s.c, &def);
        sl_assert_ok(sl_hybrid_next(s.e.h, SL_HYBRID_ROOT, s.e.diags, &info));
        for (int k = 0; k < CROWD; k++) {
            const int32_t expected[] = {1, 0, s.toys[k].q[0], !s.toys[k].q[0]};
            assert_int_equal(sl_hybrid_q(s.e.h)[k], expected[p]);
        }
        assert_int_equal(sl_hybrid_statistics(s.e.h).n_undecided, p == 0 ? 0 : CROWD);
        execution_end(&s.e);
    }
}

/* Roots that come into force while motion goes on. */
static void test_roots_come_into_force(void **state) {
    (void)state;
    for (int p = 0; p < N_POLICY; p++) {
        setting s;
        gather(&s, &later_toy, 1, true);
        for (int k = 0; k < CROWD; k++) {
            s.toys[k].q[0] = k % 2;
            s.toys[k].x[1] = 0.03 * k; /* one after the other */
            s.toys[k].decide = k % 2 ? is_zero : is_one;
        }
        sl_hybrid_def def = toy_def();
        def.undecided = policies[p];
        def.end = 2.0;
        def.dae.max_step = 0.02;
        check_alone(&s, &def, 1e-8);
        check_saved(&s, &def, 900, 11);
    }
}

static void test_undecided_can_fail(void **state) {
    (void)state;
    setting s;
    sl_hybrid_info info;
    gather(&s, &later_toy, 1, true);
    sl_hybrid_def def = toy_def();
    def.undecided = SL_HYBRID_UNDECIDED_ERROR;
    begin(&s.e, &s.c, &def);
    sl_assert_status(sl_hybrid_next(s.e.h, SL_HYBRID_STOP, s.e.diags, &info), SL_ERR_SOLVE);
    sl_assert_abs(sl_hybrid_time(s.e.h), 0.5, 1e-9);
    assert_int_equal(sl_diags_at(s.e.diags, 0)->code, SL_CODE_NONDETERMINISTIC);
    execution_end(&s.e);
}

static void run_once(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_hybrid_def def = toy_def();
    def.end = 1.5;
    sl_hybrid *h = NULL, *copy = NULL;
    sl_hybrid_info info;
    sl_status status = sl_hybrid_create(ctx, &crowd_ops, user, &def, NULL, &h);
    status = status == SL_OK ? sl_hybrid_next(h, SL_HYBRID_STOP, NULL, &info) : status;
    status = status == SL_OK ? sl_hybrid_copy(h, NULL, &copy) : status;
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_hybrid_destroy(copy);
    sl_hybrid_destroy(h);
}

static void test_memory_short(void **state) {
    (void)state;
    setting s;
    gather(&s, &floor_toy, 1, true);
    s.c.n = 3;
    assert_true(sl_test_sweep(run_once, &s.c) > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bodies_join),
        cmocka_unit_test(test_floors),
        cmocka_unit_test(test_own_part),
        cmocka_unit_test(test_policies),
        cmocka_unit_test(test_roots_come_into_force),
        cmocka_unit_test(test_undecided_can_fail),
        cmocka_unit_test(test_memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
