/* SPDX-License-Identifier: MIT */
/* test_extremes.c: sizes, steps and rates at the ends of what files can say: values stay finite, the ledger closes, or the
 * run says why it cannot. */
#include "rich.h"

/* To the end, looking at every boundary. Returns the steps made. */
static int run(eps_run *r, double ledger) {
    int n = 0;
    do {
        int32_t count;
        const char *const fields[] = {"node.quality", "link.quality", "link.reaction"};
        for (int f = 0; f < 3; f++) {
            const double *x = sl_session_view(r->s, sl_session_field(r->s, fields[f]), &count);
            for (int32_t i = 0; i < count; i++) {
                assert_true(isfinite(x[i]) && x[i] > -1e-9);
            }
        }
        sl_assert_abs(eps_get(r, "quality.ratio"), 1.0, ledger);
        n++;
    } while (eps_step(r));
    return n;
}

static double quality(eps_run *r, const char *node) {
    return eps_get(r, "node.'%s'.quality", node);
}

static const char *const kinds[] = {"QUALITY Salt mg/L", "QUALITY AGE", "QUALITY TRACE R"};

/* Many pipes of a millimetre and a bore of ten metres in one chain: water runs through all of them in a step. */
static void test_short_and_wide(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        char text[8192];
        size_t n = 0;
        n += (size_t)snprintf(text + n, sizeof text - n, "[RESERVOIRS]\nR 60\n[JUNCTIONS]\n");
        for (int i = 0; i <= 50; i++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "J%d 0 %d\n", i, i == 50 ? 5 : 0);
        }
        n += (size_t)snprintf(text + n, sizeof text - n, "[PIPES]\nP0 R J0 0.001 200 110\n");
        for (int i = 1; i <= 50; i++) {
            n += (size_t)snprintf(text + n, sizeof text - n, "P%d J%d J%d %s 110\n", i, i - 1, i,
                                  i == 25 ? "1000 10000" : "0.001 200");
        }
        eps_run r;
        eps_begin(&r, "%s[OPTIONS]\nUNITS LPS\n%s\n[QUALITY]\nR 7\n[TIMES]\nDURATION 48\n", text, kinds[k]);
        run(&r, 1e-11);
        sl_assert_rel(quality(&r, "J24"), k == 0 ? 7.0 : k == 1 ? 7.0 : 100.0, 1e-3);
        if (k == 0) {
            sl_assert_double(quality(&r, "J50"), 0.0); /* 78 540 m3 at 5 L/s */
        }
        eps_end(&r);
    }
}

/* Quality steps longer than the hydraulic one, and of a second. */
static void test_steps(void **state) {
    (void)state;
    static const char *const steps[] = {"48:00", "1 SEC", "59 SEC"};
    for (int i = 0; i < 3; i++) {
        size_t n;
        char *text = rich_text(0, &n);
        char *at = strstr(text, "QUALITY TIMESTEP 0:07");
        assert_non_null(at);
        memcpy(at, "; a comment instead   ", 21);
        char *end = strstr(text, "[END]");
        *end = '\0';
        eps_run r;
        eps_begin(&r, "%s[TIMES]\nDURATION 12\nQUALITY TIMESTEP %s\n", text, steps[i]);
        free(text);
        run(&r, 1e-11);
        eps_end(&r);
    }
}

/* Gone within a step, whatever the order; and nothing below zero. */
static void test_fast_decay(void **state) {
    (void)state;
    static const double orders[] = {0.0, 0.5, 1.0, 2.0, 3.0, -1.0};
    for (int i = 0; i < 6; i++) {
        for (int exact = 0; exact < 2; exact++) {
            sl_eps_def def = sl_eps_default();
            def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
            eps_run r;
            eps_begin_def(
                &r, &def,
                "[RESERVOIRS]\nR 60\n[TANKS]\nT 30 5 0 9 8\n[JUNCTIONS]\nA 0 3\nB 0 1\n[PIPES]\n1 R A 500 200 110\n2 A T "
                "500 100 110\n3 A B 1000 50 110\n[QUALITY]\nR 4\nA 2\nB 1\nT 3\n[REACTIONS]\nORDER BULK %g\nORDER TANK "
                "%g\nGLOBAL BULK -1e9\nGLOBAL WALL -1e9\nLIMITING POTENTIAL %g\n[OPTIONS]\nUNITS LPS\nQUALITY Chlorine "
                "mg/L\n[TIMES]\nDURATION 24\n",
                orders[i], orders[i], orders[i] < 0.0 ? 1e3 : 0.0);
            run(&r, 1e-11);
            sl_assert_abs(quality(&r, "B"), 0.0, exact && orders[i] > 1.0 ? 1e-2 : 1e-9);
            eps_end(&r);
        }
    }
}

/* To a limit it may grow as fast as it likes. */
static void test_fast_growth(void **state) {
    (void)state;
    static const double orders[] = {0.5, 1.0, 2.0, 3.0};
    for (int i = 0; i < 4; i++) {
        for (int exact = 0; exact < 2; exact++) {
            sl_eps_def def = sl_eps_default();
            def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
            eps_run r;
            eps_begin_def(
                &r, &def,
                "[RESERVOIRS]\nR 60\n[TANKS]\nT 30 5 0 9 8\n[JUNCTIONS]\nA 0 3\n[PIPES]\n1 R A 500 200 110\n2 A T 500 "
                "100 110\n[QUALITY]\nR 0.1\nA 0.1\nT 0.001\n[REACTIONS]\nORDER BULK %g\nORDER TANK %g\nGLOBAL BULK "
                "1e6\nLIMITING POTENTIAL 5\n[OPTIONS]\nUNITS LPS\nQUALITY Weed mg/L\n[TIMES]\nDURATION 24\n",
                orders[i], orders[i]);
            run(&r, 1e-11);
            sl_assert_abs(quality(&r, "A"), 5.0, 1e-9);
            sl_assert_abs(quality(&r, "T"), 5.0, 0.5);
            eps_end(&r);
        }
    }
}

/* Without a limit: first order for a day is only large; for a month it is told. */
static void test_endless_growth(void **state) {
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        sl_eps_def def = sl_eps_default();
        def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
        eps_run r;
        eps_begin_def(
            &r, &def,
            "[RESERVOIRS]\nR 60\n[TANKS]\nT 30 5 0 9 8\n[JUNCTIONS]\nA 0 3\nD 0 0\n[PIPES]\n1 R A 500 200 110\n2 A T 500 "
            "100 110\n3 A D 50 100 110\n[QUALITY]\nR 1\nD 1\nT 1\n[REACTIONS]\nGLOBAL BULK 20\n[OPTIONS]\nUNITS LPS\n"
            "QUALITY Weed mg/L\n[TIMES]\nDURATION 720\n");
        eps_to(&r, 86400.0);
        assert_true(quality(&r, "D") > 1e7);
        sl_step step = {.size = sizeof step};
        sl_assert_status(sl_session_advance(r.s, 720 * 3600.0, 0, &step), SL_ERR_SOLVE);
        assert_int_equal(eps_said(&r, SL_CODE_STEP_FAILED, NULL), 1);
        assert_true(isfinite(quality(&r, "D")) && sl_session_time(r.s) > 2 * 86400.0);
        eps_end(&r);
    }
}

/* Numbers that files can say and nobody can mean. */
static void test_absurd(void **state) {
    (void)state;
    static const char *const lines[] = {
        "[QUALITY]\nA 1e308\n",
        "[QUALITY]\nR 1e308\n",
        "[SOURCES]\nA FLOWPACED 1e308\n",
        "[SOURCES]\nA MASS 1e300 P\n",
        "[QUALITY]\nR 1\n[REACTIONS]\nGLOBAL BULK 1e308\n",
        "[QUALITY]\nR 1\n[REACTIONS]\nGLOBAL BULK -1e308\nGLOBAL WALL -1e300\n",
        "[QUALITY]\nR 1\n[REACTIONS]\nORDER BULK 50\nGLOBAL BULK -1e20\n",
        "[QUALITY]\nR 1\n[REACTIONS]\nORDER BULK 1e-9\nGLOBAL BULK 1e20\nLIMITING POTENTIAL 1e300\n"};
    for (int i = 0; i < 8; i++) {
        for (int exact = 0; exact < 2; exact++) {
            static const char text[] =
                "[RESERVOIRS]\nR 60\n[TANKS]\nT 30 5 0 9 8\n[JUNCTIONS]\nA 0 3\nD 0 0\n[PIPES]\n1 R A 500 200 "
                "110\n2 A T 500 100 110\n3 A D 50 100 110\n[PATTERNS]\nP 1e9\n[OPTIONS]\nUNITS "
                "LPS\nQUALITY Weed mg/L\n[TIMES]\nDURATION 24\n";
            sl_test_memory memory = {0};
            sl_context *ctx = sl_test_context(&memory);
            sl_eps_def def = sl_eps_default();
            def.reactions = exact ? SL_REACTIONS_EXACT : SL_REACTIONS_EXPLICIT;
            char all[1024];
            int n = snprintf(all, sizeof all, "%s%s", text, lines[i]);
            sl_network *net = NULL;
            sl_model *model = NULL;
            sl_session *s = NULL;
            sl_assert_ok(sl_inp_read(ctx, all, (size_t)n, NULL, NULL, &net));
            sl_assert_ok(sl_model_from_network(ctx, net, &def, NULL, &model));
            sl_assert_ok(sl_session_create(ctx, model, NULL, &s));
            sl_status status = sl_session_advance(s, 86400.0, 0, NULL);
            assert_true(status == SL_OK ||
                        (status == SL_ERR_SOLVE && sl_diags_count(sl_session_diags(s), SL_ERROR) == 1));
            assert_int_equal(status, i < 5 || i == 7 ? SL_ERR_SOLVE : SL_OK); /* decay never fails */
            const char *const fields[] = {"node.quality",   "link.quality",  "link.reaction",
                                          "quality.stored", "quality.ratio", "quality.bulk"};
            for (int f = 0; f < 6; f++) {
                int32_t count;
                const double *x = sl_session_view(s, sl_session_field(s, fields[f]), &count);
                for (int32_t k = 0; x && k < count; k++) {
                    assert_true(isfinite(x[k]));
                }
            }
            sl_session_destroy(s);
            sl_model_destroy(model);
            sl_network_destroy(net);
            sl_test_context_end(ctx, &memory);
        }
    }
}

static void test_tolerances(void **state) {
    (void)state;
    static const char *const tolerances[] = {"0", "1e-12", "1e9"};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            size_t n;
            char *text = rich_text(k, &n);
            *strstr(text, "[END]") = '\0';
            eps_run r;
            eps_begin(&r, "%s[OPTIONS]\nTOLERANCE %s\n", text, tolerances[i]);
            free(text);
            run(&r, 1e-11);
            eps_end(&r);
        }
    }
}

/* An instant: what is there at the start, and nothing else. */
static void test_no_duration(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        size_t n;
        char *text = rich_text(k, &n);
        *strstr(text, "[END]") = '\0';
        eps_run r;
        eps_begin(&r, "%s[TIMES]\nDURATION 0\n", text);
        free(text);
        assert_int_equal(run(&r, 0.0), 1);
        sl_assert_double(quality(&r, "A"), k == 0 ? 0.8 : 0.0);
        sl_assert_double(quality(&r, "B"), k == 0 ? 0.7 : k == 1 ? 0.0 : 100.0);
        sl_assert_rel(eps_get(&r, "quality.stored"), eps_get(&r, "quality.initial"), 1e-15);
        eps_end(&r);
    }
}

/* A pump and a valve in a circle without any pipe; two pumps against each other; pipes in the circle shorter than a step. */
static void test_circles(void **state) {
    (void)state;
    static const char *const circles[] = {
        "[PUMPS]\nU A B HEAD C\n[VALVES]\nV B A 100 TCV 100\n", "[PUMPS]\nU A B HEAD C\n[PIPES]\n9 B A 0.1 50 100\n",
        "[PUMPS]\nU A B HEAD C\n[PIPES]\n9 B A 3000 200 100\n",
        "[PUMPS]\nU A B HEAD C\n[VALVES]\nV B A 100 TCV 100\n[PIPES]\n9 B A 200 100 100\n"};
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            eps_run r;
            eps_begin(
                &r,
                "[RESERVOIRS]\nR 60\n[JUNCTIONS]\nA 0 1 P\nB 0 2\n[PIPES]\n1 R A 500 200 110\n[CURVES]\nC 10 5\n[PATTERNS]\nP "
                "1 3 0\nW 1 0 0.5\n%s[QUALITY]\nR 3\nA 2\n[OPTIONS]\nUNITS LPS\n%s\n[CONTROLS]\nLINK U CLOSED AT TIME 20\n"
                "LINK U OPEN AT TIME 30\n[TIMES]\nDURATION 48\nQUALITY TIMESTEP 0:07\n",
                circles[i], kinds[k]);
            assert_true(run(&r, 1e-11) > 40);
            if (k == 0) {
                sl_assert_rel(quality(&r, "B"), 3.0, 1e-3); /* in the end it is all R's water */
            }
            eps_end(&r);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_short_and_wide), cmocka_unit_test(test_steps),          cmocka_unit_test(test_fast_decay),
        cmocka_unit_test(test_fast_growth),    cmocka_unit_test(test_endless_growth), cmocka_unit_test(test_tolerances),
        cmocka_unit_test(test_no_duration),    cmocka_unit_test(test_circles),        cmocka_unit_test(test_absurd),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
