/* SPDX-License-Identifier: MIT */
/* test_automata.c: the suite of session semantics over automata: of continuous time, and of steps. */
#include "sl_test.h"

#include "models.h"
#include "suite.h"

static const model_row *find_row(const char *name) {
    for (int32_t i = 0; i < n_model_row; i++) {
        if (strcmp(model_rows[i].name, name) == 0) {
            return &model_rows[i];
        }
    }
    fail_msg("no such model: %s", name);
    return NULL;
}

static void check(const char *name, suite_case c) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    const model_row *row = find_row(name);
    sl_model *model = model_build(ctx, row);
    c.model = model;
    c.input = row->input;
    c.values[0] = row->values[0];
    c.values[1] = row->values[1];
    suite_check(&c);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

static void test_hybrid(void **state) {
    (void)state;
    check("hybrid", (suite_case){.duration = 40.0,
                                 .bad_value = (double)NAN,
                                 .output = "variable.'T'.derivative",
                                 .grows = true,
                                 .n_event = 4,
                                 .n_part = 37});
}

static void test_discrete(void **state) {
    (void)state;
    check("discrete", (suite_case){.whole = true,
                                   .finds_end = true,
                                   .duration = 150.0,
                                   .bad_value = 7.0,
                                   .grows = true,
                                   .n_event = 100,
                                   .n_part = 30});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_hybrid), cmocka_unit_test(test_discrete)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
