/* SPDX-License-Identifier: MIT */
/* test_quality.c: transport after hydraulics gives the numbers of transport beside them; its engine keeps the semantics of
 * a session; quality steps. */
#include "sl_test.h"

#include "suite.h"

#include <sluice/network_io.h>
#include <sluice/quality.h>

typedef struct town {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
} town;

/* A pump that follows a tank's level, a second tank with layers, a source with a pattern; the flow turns round. */
static const char text[] =
    "[JUNCTIONS]\nJ1 10 0.4 D\nJ2 12 0.6 D\nJ3 8 0.5\nJ4 9 0\n"
    "[RESERVOIRS]\nR 20\n"
    "[TANKS]\nT 60 2 0.5 4 9\nU 58 3 0.5 5 7\n"
    "[PIPES]\nP1 J1 J2 900 200 110\nP2 J2 T 300 200 110\nP3 J1 J3 700 150 110\nP4 J3 J2 500 150 110\n"
    "P5 J3 U 250 150 110\nP6 J3 J4 120 80 100\n"
    "[PUMPS]\nM R J1 HEAD C\n[CURVES]\nC 6 55\n"
    "[PATTERNS]\nD 0.4 1.6 1.0 2.2\nS 1 0.5 0 1.5\n"
    "[CONTROLS]\nLINK M CLOSED IF NODE T ABOVE 3.5\nLINK M OPEN IF NODE T BELOW 1.5\n"
    "[QUALITY]\nJ1 0.3\nJ2 0.2\nR 0.8\nT 0.5\nU 0.1\n"
    "[SOURCES]\nJ3 MASS 40 S\nJ1 SETPOINT 0.6\n"
    "[MIXING]\nT 2COMP 0.3\nU FIFO\n"
    "[REACTIONS]\nGLOBAL BULK -0.7\nGLOBAL WALL -0.2\n"
    "[TIMES]\nDURATION 24\nHYDRAULIC TIMESTEP 1:00\nQUALITY TIMESTEP 0:05\nPATTERN TIMESTEP 2:00\n"
    "[OPTIONS]\nUNITS LPS\nHEADLOSS H-W\nQUALITY CHLORINE mg/L\nTOLERANCE 0.001\n[END]\n";

static void begin(town *w) {
    *w = (town){0};
    w->ctx = sl_test_context(&w->memory);
    sl_assert_ok(sl_diags_create(w->ctx, &w->diags));
    sl_assert_ok(sl_inp_read(w->ctx, text, sizeof text - 1, NULL, w->diags, &w->net));
}

static void end(town *w) {
    sl_network_destroy(w->net);
    sl_diags_destroy(w->diags);
    sl_test_context_end(w->ctx, &w->memory);
}

/* All values that transport shows at the session's time, into x. */
static int64_t values(sl_session *s, double *x, int64_t most) {
    static const char *const names[] = {"node.quality",     "link.quality",   "link.reaction",     "quality.consumed",
                                        "quality.returned", "quality.stored", "quality.reservoir", "quality.source",
                                        "quality.bulk",     "quality.wall",   "quality.adjusted"};
    int64_t n = 0;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int32_t count;
        const double *at = sl_session_view(s, sl_session_field(s, names[i]), &count);
        assert_non_null(at);
        assert_true(n + count <= most);
        memcpy(x + n, at, (size_t)count * sizeof *x);
        n += count;
    }
    return n;
}

/* Hydraulics alone, with its steps kept. */
static sl_hydraulics *run_hydraulics(town *w) {
    sl_eps_def def = sl_eps_default();
    sl_model *model;
    sl_session *s;
    sl_hydraulics *kept;
    def.hydraulics_only = true;
    sl_assert_ok(sl_model_from_network(w->ctx, w->net, &def, w->diags, &model));
    sl_assert_ok(sl_session_create(w->ctx, model, w->diags, &s));
    sl_assert_ok(sl_hydraulics_create(w->ctx, w->net, &kept));
    sl_assert_ok(sl_session_store_hydraulics(s, kept));
    sl_assert_ok(sl_session_advance(s, (double)INFINITY, 0, NULL));
    assert_true(sl_hydraulics_steps(kept) >= 24);
    sl_session_destroy(s);
    sl_model_destroy(model);
    return kept;
}

static void test_after_is_as_beside(void **state) {
    (void)state;
    town w;
    begin(&w);
    sl_hydraulics *kept = run_hydraulics(&w);
    sl_model *one, *two;
    sl_session *beside, *after;
    sl_assert_ok(sl_model_from_network(w.ctx, w.net, NULL, w.diags, &one));
    sl_assert_ok(sl_model_from_hydraulics(w.ctx, w.net, kept, NULL, w.diags, &two));
    assert_string_equal(sl_model_engine(two), "quality");
    sl_assert_ok(sl_session_create(w.ctx, one, w.diags, &beside));
    sl_assert_ok(sl_session_create(w.ctx, two, w.diags, &after));
    double a[128], b[128];
    for (int k = 0; k <= 96; k++) { /* quarters of an hour: most lie within steps */
        sl_assert_ok(sl_session_advance(beside, 900.0 * k, 0, NULL));
        sl_assert_ok(sl_session_advance(after, 900.0 * k, 0, NULL));
        int64_t n = values(beside, a, 128);
        assert_int_equal(values(after, b, 128), n);
        assert_memory_equal(a, b, (size_t)n * sizeof *a);
    }
    assert_true(sl_session_time(after) == sl_session_end(after));
    sl_session_destroy(beside);
    sl_session_destroy(after);
    sl_model_destroy(one);
    sl_model_destroy(two);
    sl_hydraulics_destroy(kept);
    end(&w);
}

static void test_suite(void **state) {
    (void)state;
    town w;
    begin(&w);
    sl_hydraulics *kept = run_hydraulics(&w);
    sl_model *model;
    sl_assert_ok(sl_model_from_hydraulics(w.ctx, w.net, kept, NULL, w.diags, &model));
    suite_case c = {.model = model,
                    .duration = 86400.0,
                    .input = "node.'J3'.source",
                    .values = {10.0, 90.0},
                    .bad_value = -1.0,
                    .holds = true,
                    .n_part = 37};
    suite_check(&c);
    sl_model_destroy(model);
    sl_hydraulics_destroy(kept);
    end(&w);
}

/* Beside the hydraulics, with a source that is set. */
static void test_suite_beside(void **state) {
    (void)state;
    town w;
    begin(&w);
    sl_model *model;
    sl_assert_ok(sl_model_from_network(w.ctx, w.net, NULL, w.diags, &model));
    suite_case c = {.model = model,
                    .duration = 86400.0,
                    .input = "node.'J3'.source",
                    .values = {10.0, 90.0},
                    .bad_value = -1.0,
                    .parameter = "pipe.'P1'.diameter",
                    .parameter_value = 0.25,
                    .holds = true,
                    .n_part = 37};
    suite_check(&c);
    sl_model_destroy(model);
    end(&w);
}

/* Quality steps end where quality steps of a plain run do, and show its numbers. */
static void test_step_quality(void **state) {
    (void)state;
    town w;
    begin(&w);
    sl_model *model;
    sl_session *s, *plain;
    sl_assert_ok(sl_model_from_network(w.ctx, w.net, NULL, w.diags, &model));
    sl_assert_ok(sl_session_create(w.ctx, model, w.diags, &s));
    sl_assert_ok(sl_session_create(w.ctx, model, w.diags, &plain));
    double dt, a[128], b[128];
    int64_t n_step = 0;
    sl_assert_ok(sl_session_refresh(s));
    do {
        sl_assert_ok(sl_session_step_quality(s, &dt));
        assert_true(dt >= 0.0 && dt <= 300.0);
        n_step += dt > 0.0;
        if (fmod(sl_session_time(s), 3600.0) == 0.0) {
            sl_assert_ok(sl_session_advance(plain, sl_session_time(s), 0, NULL));
            int64_t n = values(s, a, 128);
            assert_int_equal(values(plain, b, 128), n);
            assert_memory_equal(a, b, (size_t)n * sizeof *a);
        }
    } while (dt > 0.0);
    assert_true(sl_session_time(s) == 86400.0);
    assert_true(n_step >= 288 && n_step < 320); /* a few more for the pump's events */
    sl_session_destroy(s);
    sl_session_destroy(plain);
    sl_model_destroy(model);
    end(&w);
}

/* A set cuts the last step: what is kept follows. */
static void test_kept_follows_sets(void **state) {
    (void)state;
    town w;
    begin(&w);
    sl_model *model, *two;
    sl_session *s, *after;
    sl_hydraulics *kept;
    sl_var demand;
    double x = 0.0012, a[128], b[128];
    sl_assert_ok(sl_model_from_network(w.ctx, w.net, NULL, w.diags, &model));
    sl_assert_ok(sl_session_create(w.ctx, model, w.diags, &s));
    sl_assert_ok(sl_hydraulics_create(w.ctx, w.net, &kept));
    sl_assert_ok(sl_session_store_hydraulics(s, kept));
    sl_assert_ok(sl_session_find(s, "node.'J2'.wanted", &demand));
    sl_assert_ok(sl_session_advance(s, 5000.0, 0, NULL)); /* within a step */
    sl_assert_ok(sl_session_set(s, &demand, 1, &x));
    assert_int_equal(sl_session_store_hydraulics(s, NULL), SL_OK); /* cut: it stands at a boundary */
    sl_assert_ok(sl_session_store_hydraulics(s, kept));
    sl_assert_ok(sl_session_advance(s, 40000.0, 0, NULL));
    assert_int_equal(sl_session_store_hydraulics(s, kept), SL_ERR_USE); /* within a step again */
    sl_assert_ok(sl_model_from_hydraulics(w.ctx, w.net, kept, NULL, w.diags, &two));
    sl_assert_ok(sl_session_create(w.ctx, two, w.diags, &after));
    sl_assert_ok(sl_session_advance(after, 40000.0, 0, NULL));
    int64_t n = values(s, a, 128);
    assert_int_equal(values(after, b, 128), n);
    assert_memory_equal(a, b, (size_t)n * sizeof *a);
    sl_session_destroy(s);
    sl_session_destroy(after);
    sl_model_destroy(model);
    sl_model_destroy(two);
    sl_hydraulics_destroy(kept);
    end(&w);
}

static void test_refusals(void **state) {
    (void)state;
    town w;
    begin(&w);
    sl_hydraulics *kept;
    sl_model *model = NULL;
    sl_assert_ok(sl_hydraulics_create(w.ctx, w.net, &kept));
    assert_int_equal(sl_model_from_hydraulics(w.ctx, w.net, kept, NULL, w.diags, &model), SL_ERR_INPUT); /* no step */
    assert_null(model);
    assert_non_null(strstr(sl_diags_at(w.diags, sl_diags_size(w.diags) - 1)->text, "no step"));
    sl_hydraulics_destroy(kept);
    end(&w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_after_is_as_beside), cmocka_unit_test(test_suite),
        cmocka_unit_test(test_suite_beside),       cmocka_unit_test(test_step_quality),
        cmocka_unit_test(test_kept_follows_sets),  cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
