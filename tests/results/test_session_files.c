/* SPDX-License-Identifier: MIT */
/* test_session_files.c: EPANET's files of any session of a network (sl_write_out, sl_write_report). */
#include "fake.h"

#include "base/out.h"
#include "results/rpt.h"
#include "session/session.h"

static const char text[] =
    "[TITLE]\nA day\n[JUNCTIONS]\nA 10 5\nB 20 2\n[RESERVOIRS]\nR 12\n[TANKS]\nT 50 2 0 4 6\n"
    "[PIPES]\nP1 A B 500 200 120\nP2 B T 300 200 120\n[PUMPS]\nPU R A POWER 12\n[CONTROLS]\nLINK PU CLOSED IF NODE T ABOVE 3\n"
    "[OPTIONS]\nUnits LPS\nHeadloss H-W\n[TIMES]\nDuration 24:00\n[REPORT]\nSummary No\n[END]\n";

typedef struct bench {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_network *net;
    sl_model *model;
    sl_session *s;
} bench;

static void start(bench *b, bool surge) {
    *b = (bench){0};
    b->ctx = sl_test_context(&b->memory);
    sl_surge_def def = sl_surge_default();
    def.duration = 1.0;
    sl_assert_ok(sl_diags_create(b->ctx, &b->diags));
    sl_assert_ok(sl_inp_read(b->ctx, text, strlen(text), NULL, b->diags, &b->net));
    sl_assert_ok(surge ? sl_model_from_surge(b->ctx, b->net, &def, b->diags, &b->model)
                       : sl_model_from_network(b->ctx, b->net, NULL, b->diags, &b->model));
    sl_assert_ok(sl_session_create(b->ctx, b->model, b->diags, &b->s));
}

static void end(bench *b) {
    sl_session_destroy(b->s);
    sl_model_destroy(b->model);
    sl_network_destroy(b->net);
    sl_diags_destroy(b->diags);
    sl_test_context_end(b->ctx, &b->memory);
}

static bool has(const sl_bytes *b, const char *words) {
    size_t n = strlen(words);
    for (int64_t i = 0; i + (int64_t)n <= b->n; i++) {
        if (memcmp(b->at + i, words, n) == 0) {
            return true;
        }
    }
    return false;
}

/* The same bytes as by the writer itself, whether the session goes in one piece or by hand. */
static void test_out(void **state) {
    (void)state;
    fake_bytes whole = {0}, pieces = {0}, direct = {0};
    for (int k = 0; k < 2; k++) {
        bench b;
        sl_out_writer *writer = NULL;
        start(&b, false);
        sl_patch_sink sink = fake_patch_sink(k == 0 ? &whole : &pieces), own = fake_patch_sink(&direct);
        sl_assert_ok(sl_write_out(b.s, &sink, "day.inp", "day.rpt", SL_FLOW_UNIT_COUNT));
        if (k == 0) {
            int32_t fields[SL_COL_N_OUT], n = 0;
            sl_out_writer_def def = sl_out_writer_default(b.net);
            def.input_name = "day.inp";
            def.report_name = "day.rpt";
            sl_assert_ok(sl_out_writer_create(b.ctx, b.net, &def, &own, b.diags, &writer));
            for (int32_t i = 0; i < SL_COL_N_OUT; i++) {
                int32_t field = sl_session_field(b.s, sl_run_columns[i]);
                if (field >= 0 && !sl_out_writer_knows(b.net, (sl_out_variable)i)) {
                    fields[n++] = field;
                }
            }
            sl_assert_ok(sl_session_add_sink(b.s, sl_out_writer_sink(writer), fields, n));
            sl_assert_ok(sl_session_advance(b.s, (double)INFINITY, 0, NULL));
        }
        for (double t = 1000.0; k == 1 && t < 86400.0; t += 4321.0) {
            sl_assert_ok(sl_session_advance(b.s, t, 0, NULL));
        }
        sl_assert_ok(sl_session_advance(b.s, (double)INFINITY, 0, NULL));
        sl_session_destroy(b.s);
        b.s = NULL;
        sl_out_writer_destroy(writer);
        end(&b);
    }
    assert_int_equal(whole.n, direct.n);
    assert_int_equal(whole.at[whole.n - 8], 3); /* the flag of what was unserved, which the writer alone cannot know */
    direct.at[direct.n - 8] = 3;
    assert_memory_equal(whole.at, direct.at, direct.n);
    assert_int_equal(whole.n, pieces.n);
    assert_memory_equal(whole.at, pieces.at, pieces.n);
    fake_bytes_fini(&whole);
    fake_bytes_fini(&pieces);
    fake_bytes_fini(&direct);
}

/* In another flow unit, of a session that is destroyed on its way: a valid file that says so. */
static void test_units_and_stop(void **state) {
    (void)state;
    fake_bytes bytes = {0};
    bench b;
    start(&b, false);
    sl_patch_sink sink = fake_patch_sink(&bytes);
    sl_assert_ok(sl_write_out(b.s, &sink, NULL, NULL, SL_GPM));
    sl_assert_ok(sl_session_advance(b.s, 7200.0, 0, NULL));
    sl_session_destroy(b.s);
    b.s = NULL;
    sl_outfile *file = NULL;
    sl_source_bytes source = fake_source(&bytes);
    sl_assert_ok(sl_outfile_open(b.ctx, &source, "x.out", b.diags, &file));
    const sl_outfile_info *info = sl_outfile_get_info(file);
    assert_int_equal(info->flow_unit, SL_GPM);
    assert_int_equal(info->pressure_unit, SL_PSI);
    assert_int_equal(info->n_period, 3);
    assert_int_equal(info->warning, 1);
    sl_outfile_close(file);
    end(&b);
    fake_bytes_fini(&bytes);
}

/* The whole summary closes the report, whatever [REPORT] says. */
static void test_report(void **state) {
    (void)state;
    bench b;
    start(&b, false);
    sl_bytes report;
    sl_bytes_init(&report, b.ctx);
    sl_sink sink = sl_bytes_sink(&report);
    char name[] = "day.inp";
    sl_assert_ok(sl_write_report(b.s, &sink, name));
    name[0] = '?'; /* a copy is kept */
    sl_assert_ok(sl_session_advance(b.s, (double)INFINITY, 0, NULL));
    assert_true(has(&report, "\n    Input ............................. day.inp\n"));
    assert_true(has(&report, "\n  The run came to its end at 24:00.\n\n  Summary\n  day.inp: 24:00 simulated in "));
    assert_true(has(&report, "\n    Model         A day; eps, 2 junctions, 1 reservoir, 1 tank, 2 pipes, 1 pump\n"));
    assert_true(has(&report, "\n    Tanks         T: level "));
    assert_true(has(&report, "\n    Events        "));
    assert_false(has(&report, "Head loss ......")); /* Summary No */
    sl_bytes_fini(&report);
    end(&b);
}

static void test_wrong_use(void **state) {
    (void)state;
    bench b;
    fake_bytes bytes = {0};
    sl_patch_sink sink = fake_patch_sink(&bytes), broken = {0};
    sl_bytes report;
    start(&b, true); /* a network, but pressure waves: no tables over hours */
    sl_bytes_init(&report, b.ctx);
    sl_sink out = sl_bytes_sink(&report);
    sl_assert_status(sl_write_out(b.s, &sink, "a", "b", SL_LPS), SL_ERR_USE);
    sl_assert_status(sl_write_report(b.s, &out, "a"), SL_ERR_USE);
    end(&b);
    start(&b, false);
    sl_assert_status(sl_write_out(NULL, &sink, "a", "b", SL_LPS), SL_ERR_USE);
    sl_assert_status(sl_write_out(b.s, NULL, "a", "b", SL_LPS), SL_ERR_USE);
    sl_assert_status(sl_write_out(b.s, &broken, "a", "b", SL_LPS), SL_ERR_USE);
    sl_assert_status(sl_write_out(b.s, &sink, "a", "b", (sl_flow_unit)(SL_FLOW_UNIT_COUNT + 1)), SL_ERR_USE);
    sl_assert_status(sl_write_report(b.s, NULL, "a"), SL_ERR_USE);
    sl_assert_status(sl_write_report(NULL, &out, "a"), SL_ERR_USE);
    /* A session that never begins owns what it was given, and writes nothing. */
    sl_assert_ok(sl_write_out(b.s, &sink, "a", "b", SL_LPS));
    sl_assert_ok(sl_write_report(b.s, &out, "a"));
    end(&b);
    assert_int_equal(bytes.n, 0);
    assert_int_equal(report.n, 0);
    start(&b, false);
    sl_assert_ok(sl_session_refresh(b.s)); /* it has begun */
    sl_assert_status(sl_write_out(b.s, &sink, "a", "b", SL_LPS), SL_ERR_USE);
    sl_assert_status(sl_write_report(b.s, &out, "a"), SL_ERR_USE);
    end(&b);
    fake_bytes_fini(&bytes);
}

static void refused(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_session *s = NULL;
    fake_bytes bytes = {0};
    sl_patch_sink sink = fake_patch_sink(&bytes);
    sl_bytes report;
    sl_bytes_init(&report, ctx);
    sl_sink out = sl_bytes_sink(&report);
    sl_status status = sl_session_create(ctx, user, NULL, &s);
    status = status == SL_OK ? sl_write_out(s, &sink, "a", "b", SL_LPS) : status;
    status = status == SL_OK ? sl_write_report(s, &out, "a") : status;
    status = status == SL_OK ? sl_session_advance(s, 0.0, 0, NULL) : status;
    status = status == SL_OK ? sl_session_end_sinks(s, false) : status;
    assert_int_equal(status, m->n_refused > 0 ? SL_ERR_MEMORY : SL_OK);
    sl_session_destroy(s);
    sl_bytes_fini(&report);
    fake_bytes_fini(&bytes);
}

static void test_memory(void **state) {
    (void)state;
    bench b;
    start(&b, false);
    assert_true(sl_test_sweep(refused, b.model) > 40);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_out),       cmocka_unit_test(test_units_and_stop), cmocka_unit_test(test_report),
        cmocka_unit_test(test_wrong_use), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
