/* SPDX-License-Identifier: MIT */
/* automata_test.c: see automata_test.h. */
#include "automata_test.h"

void fixture_init(fixture *f) {
    *f = (fixture){0};
    f->ctx = sl_test_context(&f->memory);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    f->g = sl_exprs_create(f->ctx);
    assert_non_null(f->g);
    sl_assert_ok(sl_sda_create(f->g, &f->a));
}
void fixture_fini(fixture *f) {
    sl_sda_destroy(f->a);
    sl_exprs_destroy(f->g);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->memory);
}
int32_t fixture_variable(fixture *f, const char *name, int32_t n) {
    int32_t q;
    sl_assert_ok(sl_sda_add_variable(f->a, sl_str_z(name), n, NULL, f->diags, &q));
    return q;
}
sl_expr fixture_parse(fixture *f, const char *text) {
    sl_expr e;
    sl_status status = sl_expr_parse(f->g, sl_str_z(text), NULL, f->diags, &e);
    if (status != SL_OK) {
        print_error("%s: %s\n", text, sl_diags_at(f->diags, 0)->text);
    }
    sl_assert_ok(status);
    return e;
}
int32_t fixture_transition(fixture *f, const char *symbol, const char *equation, const char *guard) {
    int32_t t;
    sl_assert_ok(sl_sda_add_transition(f->a, sl_str_z(symbol), fixture_parse(f, equation), fixture_parse(f, guard),
                                       NULL, f->diags, &t));
    return t;
}
void fixture_finish(fixture *f) {
    sl_assert_ok(sl_sda_finish(f->a));
}
sl_sda_run *fixture_run(fixture *f, const int32_t *q0, const sl_sda_def *def) {
    sl_sda_run *run;
    sl_assert_ok(sl_sda_run_create(f->a, q0, def, &run));
    return run;
}

void make_ticker(fixture *f) {
    fixture_init(f);
    fixture_variable(f, "q0", 2);
    fixture_transition(f, "tick", "der(q0) - 1", "true");
    fixture_finish(f);
}
void make_delay(fixture *f) {
    fixture_init(f);
    fixture_variable(f, "q0", 2);
    fixture_transition(f, "", "der(q0) - 1", "t >= 1");
    fixture_finish(f);
}
void make_counting(fixture *f, int n) {
    char name[16], sum[256] = "sum(0";
    fixture_init(f);
    fixture_variable(f, "q0", n);
    for (int i = 1; i < n; i++) {
        snprintf(name, sizeof name, "q%d", i);
        fixture_variable(f, name, 2);
        strcat(strcat(sum, ", "), name);
    }
    strcat(sum, ")");
    char equation[300], guard[300];
    snprintf(equation, sizeof equation, "der(q0) = %s - q0", sum);
    snprintf(guard, sizeof guard, "q0 - %s != 0", sum);
    fixture_transition(f, "count", equation, guard);
    fixture_finish(f);
}
void make_unsolvable(fixture *f) {
    fixture_init(f);
    fixture_variable(f, "q0", 2);
    fixture_transition(f, "up", "der(q0) - 1", "true");
    fixture_transition(f, "stay", "der(q0)", "t > 0");
    fixture_finish(f);
}
void make_nondeterministic(fixture *f) {
    fixture_init(f);
    fixture_variable(f, "q0", 2);
    fixture_transition(f, "", "q0 - der(q0)^2", "true");
    fixture_finish(f);
}

char *automaton_example(const char *name) {
    char path[1024];
    (void)snprintf(path, sizeof path, "%s/examples/automata/%s.yaml", SL_TEST_SOURCE_DIR, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    char *text = calloc(1, 65536);
    assert_true(fread(text, 1, 65535, f) > 0);
    (void)fclose(f);
    return text;
}
