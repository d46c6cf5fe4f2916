/* SPDX-License-Identifier: MIT */
/* Functions of time as CSV: what is read, and what is refused, each with its place. */
#include "sl_test.h"

#include <math.h>

#include "text/points.h"

typedef struct fixture {
    sl_test_memory m;
    sl_context *ctx;
    sl_diags *diags;
    sl_arena arena;
    sl_points points;
} fixture;

static sl_status read_text(fixture *f, const char *text, const char *unit) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->m);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    sl_arena_init(&f->arena, f->ctx);
    return sl_points_read(&f->arena, sl_str_z(text), "a.csv", unit, f->diags, &f->points);
}

static void end(fixture *f) {
    sl_arena_fini(&f->arena);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->m);
}

/* The same two points, written in many ways. */
static void what_is_read(void **state) {
    (void)state;
    static const char *const texts[] = {
        "0,1.5\n90,2\n",
        "0,1.5\r\n90,2",
        "\xef\xbb\xbf# a comment\n\"time [s]\",\"flow [m3/s]\"\n\n \"0\" , \"1.5\"\n\t90 ,2\n\n",
        "time,flow\n0 h,1500 l/s\n1.5 min,2 m3/s\n",
        "0:00,1.5e0\n0:01:30,+2\n",
    };
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        fixture f;
        sl_assert_ok(read_text(&f, texts[k], "m3/s"));
        assert_int_equal(f.points.n, 2);
        sl_assert_double(f.points.x[0], 0.0);
        sl_assert_rel(f.points.x[1], 90.0, 1e-15);
        sl_assert_rel(f.points.y[0], 1.5, 1e-15);
        sl_assert_double(f.points.y[1], 2.0);
        assert_int_equal(sl_diags_size(f.diags), 0);
        end(&f);
    }
}

static void what_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *text;
        uint32_t line, column;
        sl_code code;
        const char *says;
    } cases[] = {
        {"", 0, 0, SL_CODE_MISSING_VALUE, "there is no row with a time and a value"},
        {"time,level\n# none\n", 0, 0, SL_CODE_MISSING_VALUE, "there is no row with a time and a value"},
        {"0 1.5\n", 1, 1, SL_CODE_NOT_A_TIME, "'0 1.5' is not a time"},
        {"t,level\nu,level\n", 2, 1, SL_CODE_NOT_A_TIME, "'u' is not a time"},
        {"0,1\n,2\n", 2, 1, SL_CODE_NOT_A_TIME, "the time is missing"},
        {"0,1\n7\n", 2, 1, SL_CODE_SYNTAX, "'7' has one column"},
        {"0,1\n7,2,3\n", 2, 1, SL_CODE_SYNTAX, "'7,2,3' has more than two columns"},
        {"0,1\n  7,\n", 2, 5, SL_CODE_NOT_A_NUMBER, "the value is missing"},
        {"0,1\n7, x1\n", 2, 4, SL_CODE_NOT_A_NUMBER, "'x1' is not a number"},
        {"0,1\n7,1e999\n", 2, 3, SL_CODE_NOT_A_NUMBER, "'1e999' is not a number"},
        {"0,1\n7,2 ells\n", 2, 5, SL_CODE_UNIT, "'ells' is not a unit that is known"},
        {"0,1\n7,2 m3/s\n", 2, 5, SL_CODE_UNIT, "'m3/s' is a unit of something else"},
        {"0,1\n7,2\n7,3\n", 3, 1, SL_CODE_CURVE_SHAPE, "'7' is not later than the time before"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        fixture f;
        sl_assert_status(read_text(&f, cases[k].text, "m"), SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(f.diags), 1);
        const sl_diag *d = sl_diags_at(f.diags, 0);
        sl_assert_z(d->text, cases[k].says);
        assert_int_equal(d->code, cases[k].code);
        sl_assert_z(d->file, "a.csv");
        assert_int_equal(d->line, cases[k].line);
        assert_int_equal(d->column, cases[k].column);
        assert_true(d->hint && d->hint[0]);
        end(&f);
    }
}

/* A text of which any byte is another one, and what is before or behind it is missing: taken with finite points that rise, or refused
 * with a reason. */
static void damaged_texts(void **state) {
    (void)state;
    static const char text[] = "\xef\xbb\xbft,v\n# c\n0,1\n\"5 min\",\"2 m\"\r\n1:30,3e1\n",
                      others[] = "\0\n\r,\"#-9e \xff";
    int n_fine = 0;
    for (size_t i = 0; i < sizeof text - 1; i++) {
        for (size_t k = 0; k < sizeof others - 1; k++) {
            for (size_t begin = 0; begin <= i; begin += i > 0 ? i : 1) {
                char damaged[sizeof text];
                fixture f = {0};
                memcpy(damaged, text, sizeof text);
                damaged[i] = others[k];
                f.ctx = sl_test_context(&f.m);
                sl_assert_ok(sl_diags_create(f.ctx, &f.diags));
                sl_arena_init(&f.arena, f.ctx);
                sl_str part = {damaged + begin, sizeof text - 1 - begin};
                sl_status status = sl_points_read(&f.arena, part, "a.csv", "m", f.diags, &f.points);
                assert_true(status == SL_OK || status == SL_ERR_INPUT);
                assert_int_equal(status == SL_OK, sl_diags_count(f.diags, SL_ERROR) == 0);
                for (int32_t j = 0; status == SL_OK && j < f.points.n; j++) {
                    assert_true(isfinite(f.points.x[j]) && isfinite(f.points.y[j]));
                    assert_true(j == 0 || f.points.x[j] > f.points.x[j - 1]);
                }
                n_fine += status == SL_OK;
                end(&f);
            }
        }
    }
    assert_true(n_fine > 100);
}

static void try_without_memory(sl_context *ctx, sl_test_memory *m, void *user) {
    sl_arena arena;
    sl_points points;
    (void)m;
    sl_arena_init(&arena, ctx);
    sl_status status = sl_points_read(&arena, sl_str_z(user), "a.csv", "m", NULL, &points);
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    sl_arena_fini(&arena);
}

static void memory_may_be_short(void **state) {
    (void)state;
    static char text[] = "0,1\n2,3\n";
    assert_true(sl_test_sweep(try_without_memory, text) > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_read), cmocka_unit_test(what_is_refused),
                                       cmocka_unit_test(damaged_texts), cmocka_unit_test(memory_may_be_short)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
