/* SPDX-License-Identifier: MIT */
/* test_variables.c: names and back, what is known about variables, and hints for slips. */
#include "sl_test.h"

#include "ball.h"
#include "ball_bench.h"
#include "suite.h"

static const char *const gauges[] = {"top", "it's", "a\\b", "10", "a.b'.c", "\\'", ""};
static const double levels[] = {1.5, 0.5, -1.0, 0.25, 0.0, 3.0, 4.0};
static const ball_model model = {
    .height = 2.0, .restitution = 0.8, .end = 5.0, .gauges = gauges, .levels = levels, .n_gauge = 7};

/* Every variable's name leads back to it. */
static void test_names_lead_back(void **state) {
    (void)state;
    ball_bench b;
    ball_bench_start(&b, &model);
    assert_int_equal(sl_session_n_var(b.s), BALL_N_SCALAR + 2 * 7);
    for (uint32_t ref = 0; ref < (uint32_t)sl_session_n_var(b.s); ref++) {
        sl_var_info info = {.size = sizeof info};
        sl_var v;
        sl_assert_ok(sl_session_var(b.s, ref, &info));
        assert_int_equal(info.ref, ref);
        char *name = strdup(info.name);
        sl_assert_ok(sl_session_find(b.s, name, &v));
        assert_int_equal(v.field, info.var.field);
        assert_int_equal(v.index, info.var.index);
        assert_int_equal(sl_session_ref(b.s, v), ref);
        free(name);
    }
    sl_var_info info = {.size = sizeof info};
    sl_assert_ok(sl_session_var(b.s, BALL_N_SCALAR + 1, &info));
    sl_assert_z(info.name, "part.'it\\'s'.level");
    sl_assert_ok(sl_session_var(b.s, BALL_N_SCALAR + 2, &info));
    sl_assert_z(info.name, "part.'a\\\\b'.level");
    sl_assert_status(sl_session_var(b.s, (uint32_t)sl_session_n_var(b.s), &info), SL_ERR_USE);
    assert_int_equal(sl_session_ref(b.s, (sl_var){BALL_LEVEL, 7}), -1);
    assert_int_equal(sl_session_field(b.s, "part.level"), BALL_LEVEL);
    assert_int_equal(sl_session_field(b.s, "energy.total"), BALL_ENERGY);
    assert_int_equal(sl_session_field(b.s, "level"), -1);
    assert_int_equal(sl_session_field(b.s, "part.height"), -1);
    ball_bench_end(&b);
}

static void test_what_is_known(void **state) {
    (void)state;
    ball_bench b;
    ball_bench_start(&b, &model);
    for (int moved = 0; moved < 2; moved++) { /* start values stay when the session moves on */
        sl_var_info info = {.size = sizeof info};
        sl_assert_ok(sl_session_var(b.s, BALL_GRAVITY, &info));
        sl_assert_double(info.start, 9.81);
        assert_int_equal(info.causality, SL_VAR_INPUT);
        assert_int_equal(info.variability, SL_VAR_CONTINUOUS);
        sl_assert_double(info.min, 0.01);
        sl_assert_double(info.max, 1000.0);
        assert_null(info.words);
        sl_assert_z(info.unit, "m/s2");
        sl_assert_ok(sl_session_var(b.s, BALL_FLOOR, &info));
        assert_int_equal(info.type, SL_VAR_ENUM);
        assert_int_equal(info.variability, SL_VAR_DISCRETE);
        sl_assert_z(info.words[1], "carpet");
        assert_true(isinf(info.min) && isinf(info.max));
        sl_assert_ok(sl_session_var(b.s, BALL_ENERGY, &info));
        assert_true(isnan(info.start));
        assert_int_equal(info.causality, SL_VAR_OUTPUT);
        sl_assert_ok(sl_session_var(b.s, BALL_N_SCALAR + 1, &info));
        assert_int_equal(info.causality, SL_VAR_PARAMETER);
        assert_int_equal(info.variability, SL_VAR_FIXED);
        sl_assert_double(info.start, 0.5);
        if (!moved) {
            int32_t n = 0;
            assert_null(sl_session_view(b.s, BALL_DISTANCE, &n));
            assert_int_equal(n, 7);
            suite_set(b.s, "gravity", 2.0);
            suite_set(b.s, "part.'it\\'s'.level", 0.75);
            suite_advance(b.s, 1.0, 0, 1.0, SL_REASON_TARGET);
            const double *distance = sl_session_view(b.s, BALL_DISTANCE, &n);
            assert_int_equal(n, 7);
            sl_assert_bits(distance[1], suite_get(b.s, "height") - 0.75);
        }
    }
    ball_bench_end(&b);
}

/* The slip, what the diagnostic says, and its hint. */
static const struct {
    const char *name, *text, *hint;
} slips[] = {
    {"part.'topp'.level", "no part has the id 'topp'", "did you mean part.'top'.level?"},
    {"part.'its'.level", "no part has the id", "did you mean part.'it\\'s'.level?"},
    {"prat.'top'.level", "no class 'prat'", "did you mean part.'top'.level?"},
    {"part.'top'.levle", "a part has no 'levle'", "did you mean part.'top'.level?"},
    {"part.'top'.zzzzzzz", "a part has no 'zzzzzzz'", NULL},
    {"pump.'top'.level", "no class 'pump'", NULL},
    {"part.top.level", "ids stand in quotes", "did you mean part.'ID'.level?"},
    {"gravty", "no such quantity", "did you mean gravity?"},
    {"energy", "no such quantity", NULL},
    {"part.'top", "ids stand in quotes", "did you mean part.'ID'.level?"},
    {"part.'top'", "ids stand in quotes", "did you mean part.'ID'.level?"},
    {"", "no such quantity", NULL},
    {"part.'zzzzzzzzzzzz'.level", "no part has the id", NULL},
};

static void test_slips_are_answered(void **state) {
    (void)state;
    ball_bench b;
    ball_bench_start(&b, &model);
    for (size_t i = 0; i < sizeof slips / sizeof *slips; i++) {
        sl_var v;
        sl_assert_status(sl_session_find(b.s, slips[i].name, &v), SL_ERR_INPUT);
        assert_int_equal(v.field, -1);
        const sl_diags *diags = sl_session_diags(b.s);
        assert_int_equal(sl_diags_size(diags), i + 1);
        const sl_diag *d = sl_diags_at(diags, (int32_t)i);
        assert_int_equal(d->code, SL_CODE_VARIABLE);
        if (!strstr(d->text, slips[i].text)) {
            sl_assert_z(d->text, slips[i].text);
        }
        if (slips[i].hint) {
            sl_assert_z(d->hint, slips[i].hint);
        } else {
            assert_null(d->hint);
        }
    }
    ball_bench_end(&b);
}

/* What is refused is refused by name, and says what would do. */
static void test_refusals_say_why(void **state) {
    (void)state;
    static const struct {
        sl_var var;
        double x;
        const char *text;
        sl_code code;
    } rows[] = {
        {{BALL_GRAVITY, 0}, NAN, "gravity cannot be NaN: it must be a finite number", SL_CODE_NOT_A_NUMBER},
        {{BALL_GRAVITY, 0}, -INFINITY, "gravity cannot be -infinity: it must be a finite number", SL_CODE_NOT_A_NUMBER},
        {{BALL_GRAVITY, 0}, 0.001, "gravity cannot be 0.001: it must be in 0.01 .. 1000", SL_CODE_VALUE_RANGE},
        {{BALL_FLOOR, 0}, 0.5, "floor cannot be 0.5: it must be a whole number", SL_CODE_VALUE_RANGE},
        {{BALL_FLOOR, 0}, 3.0, "floor cannot be 3: it must be in 0 .. 2", SL_CODE_VALUE_RANGE},
        {{BALL_DISTANCE, 0}, 1.0, "part.'top'.distance is an output", SL_CODE_VARIABLE},
        {{BALL_HEIGHT, 0}, 1.0, "height is an output", SL_CODE_VARIABLE},
        {{BALL_RESTITUTION, 0},
         0.5,
         "restitution is a parameter: it can be set before the first step only",
         SL_CODE_VARIABLE},
    };
    ball_bench b;
    ball_bench_start(&b, &model);
    suite_set(b.s, "restitution", 0.5);
    suite_advance(b.s, 0.25, 0, 0.25, SL_REASON_TARGET);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_assert_status(sl_session_set(b.s, &rows[i].var, 1, &rows[i].x), SL_ERR_INPUT);
        const sl_diag *d = sl_diags_at(sl_session_diags(b.s), (int32_t)i);
        sl_assert_z(d->text, rows[i].text);
        assert_int_equal(d->code, rows[i].code);
        sl_assert_double(d->time, 0.25);
    }
    ball_bench_end(&b);
}

/* A hundred thousand ids are found at once: a linear search for each would take minutes. */
static void test_many_ids(void **state) {
    (void)state;
    enum { N = 100000 };
    char(*text)[16] = malloc(N * sizeof *text);
    const char **ids = malloc(N * sizeof *ids);
    double *level = calloc(N, sizeof *level);
    for (int i = 0; i < N; i++) {
        snprintf(text[i], sizeof text[i], "g%d", i * 7 % N);
        ids[i] = text[i];
        level[i] = i;
    }
    ball_model large = {.height = 1.0, .restitution = 0.5, .gauges = ids, .levels = level, .n_gauge = N};
    ball_bench b;
    ball_bench_start(&b, &large);
    for (int i = 0; i < N; i++) {
        char name[40];
        sl_var v;
        snprintf(name, sizeof name, "part.'%s'.level", ids[i]);
        sl_assert_ok(sl_session_find(b.s, name, &v));
        assert_int_equal(v.index, i);
    }
    ball_bench_end(&b);
    free(text);
    free(ids);
    free(level);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_lead_back),    cmocka_unit_test(test_what_is_known),
        cmocka_unit_test(test_slips_are_answered), cmocka_unit_test(test_refusals_say_why),
        cmocka_unit_test(test_many_ids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
