/* SPDX-License-Identifier: MIT */
/* test_tunnel.c: the suite of session semantics over tunnels: columns fill, meet and move by parts. */
#include "sl_test.h"

#include "models.h"
#include "suite.h"

static void test_tunnels(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    const model_row *row = model_rows;
    while (strcmp(row->name, "tunnel with a shaft") != 0) {
        row++;
    }
    sl_model *model = model_build(ctx, row);
    suite_case c = {.model = model,
                    .duration = 400.0,
                    .input = row->input,
                    .values = {row->values[0], row->values[1]},
                    .bad_value = (double)NAN,
                    .output = "valve.'intake'.head",
                    .grows = true,
                    .n_event = 8,
                    .n_part = 37};
    suite_check(&c);
    sl_model_destroy(model);
    sl_test_context_end(ctx, &memory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tunnels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
