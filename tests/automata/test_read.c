/* Automata from files: what is read, and everything that is wrong in one pass, each with its place. */
#include "automata_test.h"

#include "automata/check.h"
#include "automata/read.h"

static const char thermostat[] = "# keeps a room warm\n"
                                 "parameters: {outside: 15, power: 10}\n"
                                 "tables: {loss: [[0, 0], [10, 1]]}\n"
                                 "continuous:\n"
                                 "  x: 20\n"
                                 "discrete:\n"
                                 "  cold: 0\n"
                                 "  hot: 0\n"
                                 "  heat: 1\n"
                                 "  gear: {values: 4, start: 2}\n"
                                 "transitions:\n"
                                 "  - name: switch\n"
                                 "    equation: der(heat) = 1\n"
                                 "    when:\n"
                                 "      - \"!heat & cold\"\n"
                                 "      - heat & hot\n"
                                 "activities:\n"
                                 "  - {equation: der(x) = outside - x + power, when: heat}\n"
                                 "  - {equation: der(x) = outside - x + loss(x), when: \"!heat\"}\n"
                                 "actions:\n"
                                 "  - {variable: x, value: x + 0.5, when: gear = 3 & t > 0}\n"
                                 "roots:\n"
                                 "  - {variable: cold, function: 19 - x}\n"
                                 "  - {variable: hot, function: x - 21}\n";

static void a_file_is_read(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_diags *diags;
    sl_automaton *a;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_ok(sl_automaton_read(ctx, thermostat, strlen(thermostat), "room.yaml", diags, &a));
    sl_sda *d = sl_sha_discrete(a->h);
    assert_int_equal(sl_sda_n_variable(d), 4);
    assert_int_equal(sl_sda_n_transition(d), 1);
    assert_int_equal(sl_sda_domain(d, 3), 4);
    sl_assert_z(sl_sda_symbol(d, 0), "switch");
    assert_int_equal(sl_sha_count(a->h, SL_SHA_ACTIVITY), 2);
    assert_int_equal(sl_sha_count(a->h, SL_SHA_ACTION), 1);
    assert_int_equal(sl_sha_count(a->h, SL_SHA_ROOT), 2);
    assert_true(a->q0[2] == 1 && a->q0[3] == 2);
    sl_assert_double(a->x0[0], 20.0);
    sl_assert_double(a->p[1], 10.0);
    sl_sda_report r;
    sl_assert_ok(sl_sda_check(d, NULL, &r));
    assert_int_equal(r.deterministic, SL_PROVED);
    sl_sda_report_fini(&r);
    sl_sha_run *run;
    int32_t n_point;
    sl_assert_ok(sl_sha_run_create(a->h, a->q0, NULL, &run));
    const double x = 22.0, rate = 3.0;
    sl_sha_point at = {0.0, &x, &rate, a->p};
    sl_assert_ok(sl_sha_run_roots(run, &at, diags, NULL));
    assert_int_equal(sl_sha_run_settle(run, &n_point), SL_SDA_CONVERGED);
    assert_int_equal(sl_sha_run_value(run, 2), 0);
    sl_sha_run_destroy(run);
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &m);
}

static void all_errors_have_places(void **state) {
    (void)state;
    static const char text[] = "parameters: {k: many}\n"
                               "discrete: {q: 2, 1x: 0}\n"
                               "continuous: {x: 1}\n"
                               "transitions:\n"
                               "  - {equation: der(qq) = 1}\n"
                               "  - {equation: der(q) = 1, when: x > 0}\n"
                               "  - {equation: \"der(q) = 1 +\", wenn: q}\n"
                               "roots:\n"
                               "  - {variable: x, function: x}\n"
                               "actions:\n"
                               "  - {value: x}\n"
                               "speed: 3\n";
    static const struct {
        int line, column;
        sl_code code;
    } expected[] = {{1, 17, SL_CODE_NOT_A_NUMBER}, {2, 15, SL_CODE_VALUE_RANGE}, {2, 18, SL_CODE_BAD_ID},
                    {5, 20, SL_CODE_UNKNOWN_NAME}, {6, 16, SL_CODE_WRONG_KIND},  {7, 29, SL_CODE_SYNTAX},
                    {7, 32, SL_CODE_UNKNOWN_KEY},  {9, 16, SL_CODE_WRONG_KIND},  {11, 5, SL_CODE_MISSING_VALUE},
                    {12, 1, SL_CODE_UNKNOWN_KEY}};
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_diags *diags;
    sl_automaton *a;
    sl_assert_ok(sl_diags_create(ctx, &diags));
    sl_assert_status(sl_automaton_read(ctx, text, strlen(text), "bad.yaml", diags, &a), SL_ERR_INPUT);
    assert_null(a);
    sl_diags_sort(diags);
    for (int i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        if (i < 10 &&
            ((int)d->line != expected[i].line || (int)d->column != expected[i].column || d->code != expected[i].code)) {
            print_error("%d: %u:%u %s [%s]\n", i, d->line, d->column, d->text, sl_code_word(d->code));
            fail();
        }
    }
    assert_int_equal(sl_diags_size(diags), 10);
    sl_diags_destroy(diags);
    sl_test_context_end(ctx, &m);
}

static void read_once(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_automaton *a = NULL;
    sl_status status = sl_automaton_read(ctx, thermostat, strlen(thermostat), "room.yaml", NULL, &a);
    assert_true(status == SL_OK || status == SL_ERR_MEMORY);
    assert_true((a != NULL) == (status == SL_OK));
    sl_automaton_destroy(a);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(read_once, NULL) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_file_is_read), cmocka_unit_test(all_errors_have_places),
                                       cmocka_unit_test(every_allocation_may_fail)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
