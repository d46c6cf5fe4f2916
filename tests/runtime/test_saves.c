/* SPDX-License-Identifier: MIT */
/* test_saves.c: states of every kind of model at random times, in other sessions, threads and processes; see saves.c. slow_saves.c
 * makes ten thousand points. And states after sets at the limits of what a session accepts. */
#include "sl_test.h"

#include "base/out.h"
#include "models.h"
#include "saves.h"

static const char *self;

static void test_points(void **state) {
    (void)state;
    assert_true(saves_check(self, 60, 3) > 500);
}

/* Sets one variable to a value in a session of its own. Returns whether the session accepted it; its state then must be one that
 * another session accepts. */
static bool check_extreme(sl_context *ctx, const sl_model *m, const sl_var *v, double value, const char *what) {
    sl_session *a = NULL, *b = NULL;
    sl_bytes state;
    sl_bytes_init(&state, ctx);
    sl_sink sink = sl_bytes_sink(&state);
    sl_assert_ok(sl_session_create(ctx, m, NULL, &a));
    bool accepted = sl_session_set(a, v, 1, &value) == SL_OK;
    if (accepted) {
        sl_assert_ok(sl_session_create(ctx, m, NULL, &b));
        sl_assert_ok(sl_session_save(a, &sink));
        sl_status status = sl_session_restore(b, state.at, (size_t)state.n);
        if (status != SL_OK) {
            fail_msg("%s at %g: the saved state is refused", what, value);
        }
        sl_session_destroy(b);
    }
    sl_session_destroy(a);
    sl_bytes_fini(&state);
    return accepted;
}

/* What a session accepts can be saved and restored, for every quantity of every kind of model. */
static void test_extremes(void **state) {
    (void)state;
    static const double values[] = {0.0, 1.0, -1.0, 1e-12, 0.5, 30.0, 900.0, 1e6, -1e6, 1e9, -1e9, 1e12, 1e300};
    enum { PER_FIELD = 12 }; /* elements of each quantity, from the first and from the last on */
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    int n_accepted = 0;
    for (int32_t k = 0; k < n_model_row; k++) {
        sl_model *m = model_build(ctx, &model_rows[k]);
        sl_session *s = NULL;
        sl_assert_ok(sl_session_create(ctx, m, NULL, &s));
        for (uint32_t ref = 0; ref < (uint32_t)sl_session_n_var(s); ref++) {
            sl_var_info info = {.size = sizeof info};
            sl_assert_ok(sl_session_var(s, ref, &info));
            int32_t n = 0;
            (void)sl_session_view(s, info.var.field, &n);
            bool selected = info.var.index < PER_FIELD || info.var.index >= n - PER_FIELD;
            for (size_t i = 0; i < sizeof values / sizeof *values && selected && info.causality != SL_VAR_OUTPUT; i++) {
                n_accepted += check_extreme(ctx, m, &info.var, values[i], info.name);
            }
        }
        sl_session_destroy(s);
        sl_model_destroy(m);
    }
    sl_context_destroy(ctx);
    assert_true(n_accepted > 300);
}

int main(int argc, char **argv) {
    int code;
    if (saves_main(argc, argv, &code)) {
        return code;
    }
    self = argv[0];
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_extremes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
