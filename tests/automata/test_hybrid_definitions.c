/* The definitions of section 3.2 that need no integration, by their numbers; and a thermostat whose motion is known in closed form,
 * driven through its subexecutions. */
#include "automata_test.h"

#include "automata/sha.h"

typedef struct hybrid {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags;
    sl_exprs *g;
    sl_sha *h;
    sl_expr cj;
} hybrid;

static void hybrid_init(hybrid *f) {
    *f = (hybrid){0};
    f->ctx = sl_test_context(&f->memory);
    sl_assert_ok(sl_diags_create(f->ctx, &f->diags));
    f->g = sl_exprs_create(f->ctx);
    sl_assert_ok(sl_sha_create(f->g, &f->h));
    sl_assert_ok(sl_expr_declare_parameter(f->g, sl_str_z("cj"), 0, NULL, f->diags, &f->cj));
}
static void hybrid_fini(hybrid *f) {
    sl_sha_destroy(f->h);
    sl_exprs_destroy(f->g);
    sl_diags_destroy(f->diags);
    sl_test_context_end(f->ctx, &f->memory);
}
static sl_expr parse(hybrid *f, const char *text) {
    sl_expr e;
    sl_assert_ok(sl_expr_parse(f->g, sl_str_z(text), NULL, f->diags, &e));
    return e;
}
static int32_t discrete(hybrid *f, const char *name) {
    int32_t q;
    sl_assert_ok(sl_sda_add_variable(sl_sha_discrete(f->h), sl_str_z(name), 2, NULL, f->diags, &q));
    return q;
}
static int32_t continuous(hybrid *f, const char *name) {
    int32_t x;
    sl_assert_ok(sl_sha_add_variable(f->h, sl_str_z(name), NULL, f->diags, &x));
    return x;
}
static sl_status try_add(hybrid *f, sl_sha_kind kind, int32_t subject, const char *e, const char *guard) {
    int32_t out;
    return sl_sha_add(f->h, kind, sl_str_z(""), subject, parse(f, e), parse(f, guard), NULL, f->diags, &out);
}
static void add(hybrid *f, sl_sha_kind kind, int32_t subject, const char *e, const char *guard) {
    sl_assert_ok(try_add(f, kind, subject, e, guard));
}
static void transition(hybrid *f, const char *equation, const char *guard) {
    int32_t out;
    sl_assert_ok(sl_sda_add_transition(sl_sha_discrete(f->h), sl_str_z(""), parse(f, equation), parse(f, guard), NULL,
                                       f->diags, &out));
}
static sl_sha_run *start(hybrid *f, const int32_t *q0) {
    sl_sha_run *run;
    sl_assert_ok(sl_sha_finish(f->h, f->cj, false));
    sl_assert_ok(sl_sha_run_create(f->h, q0, NULL, &run));
    return run;
}

static void definition_3_2_1_structured_hybrid_automaton(void **state) {
    (void)state;
    hybrid f;
    hybrid_init(&f);
    int32_t q = discrete(&f, "q"), x = continuous(&f, "x");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = -x", "q");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 1 + t", "!q");
    add(&f, SL_SHA_ACTION, x, "2*x", "q & t > 0");
    add(&f, SL_SHA_ROOT, q, "x - 1", "true");
    static const struct {
        sl_sha_kind kind;
        int subject;
        const char *e, *guard;
    } wrong[] = {
        {SL_SHA_ACTIVITY, -1, "der(x) = 1", "x > 0"},
        {SL_SHA_ACTIVITY, -1, "der(x) = 1", "t > 0"},
        {SL_SHA_ACTIVITY, -1, "der(x, 2) = 1", "q"},
        {SL_SHA_ACTIVITY, -1, "der(q) = 1", "q"},
        {SL_SHA_ACTIVITY, -1, "q = 1", "q"},
        {SL_SHA_ACTION, 1, "x", "q"},
        {SL_SHA_ROOT, 5, "x", "q"},
        {SL_SHA_ROOT, 0, "x", "t > 0"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        sl_assert_status(try_add(&f, wrong[i].kind, wrong[i].subject, wrong[i].e, wrong[i].guard), SL_ERR_INPUT);
        assert_int_equal(sl_diags_size(f.diags), (int)i + 1);
    }
    assert_int_equal(sl_sha_count(f.h, SL_SHA_ACTIVITY), 2);
    assert_int_equal(sl_sha_count(f.h, SL_SHA_ACTION), 1);
    assert_int_equal(sl_sha_count(f.h, SL_SHA_ROOT), 1);
    const int32_t q0 = 1;
    sl_sha_run *run = start(&f, &q0);
    int32_t n;
    assert_int_equal(sl_sha_run_active(run, SL_SHA_ACTIVITY, &n)[0], 0);
    assert_int_equal(n, 1);
    sl_sha_run_active(run, SL_SHA_ACTION, &n);
    assert_int_equal(n, 0); /* t is 0 */
    sl_sha_run_destroy(run);
    hybrid_fini(&f);
}

/* The sign, that of the derivative at 0, and the value as it was where both are 0. */
static void definition_3_2_2_root_function(void **state) {
    (void)state;
    hybrid f;
    hybrid_init(&f);
    int32_t q = discrete(&f, "q"), off = discrete(&f, "off"), x = continuous(&f, "x");
    (void)x;
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 1", "true");
    add(&f, SL_SHA_ROOT, q, "x - t", "!off");
    (void)off;
    const int32_t q0[] = {0, 0};
    sl_sha_run *run = start(&f, q0);
    static const struct {
        double t, x, dx;
        int expected;
    } cases[] = {{1.0, 2.0, 0.0, 1}, {1.0, 0.5, 9.0, 0}, {1.0, 1.0, 2.0, 1}, {1.0, 1.0, 0.5, 0},
                 {1.0, 1.0, 1.0, 0}, {1.0, 3.0, 0.0, 1}, {1.0, 1.0, 1.0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int32_t n_changed, before = sl_sha_run_value(run, q);
        sl_sha_point at = {cases[i].t, &cases[i].x, &cases[i].dx, NULL};
        sl_assert_ok(sl_sha_run_roots(run, &at, f.diags, &n_changed));
        assert_int_equal(sl_sha_run_value(run, q), cases[i].expected);
        assert_int_equal(n_changed, before != cases[i].expected);
    }
    sl_sha_run_destroy(run);
    hybrid_fini(&f);
}

/* Several roots of one variable: they have to agree. An inactive root changes nothing. */
static void definition_3_2_3_root_subexecution(void **state) {
    (void)state;
    hybrid f;
    hybrid_init(&f);
    int32_t q = discrete(&f, "q"), off = discrete(&f, "off");
    continuous(&f, "x");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 1", "true");
    add(&f, SL_SHA_ROOT, q, "x - 1", "!off");
    add(&f, SL_SHA_ROOT, q, "x - 2", "!off");
    const int32_t q0[] = {0, 0};
    sl_sha_run *run = start(&f, q0), *copy;
    const double rate = 1.0;
    for (int k = 0; k < 3; k++) {
        const double x = 0.5 + k;
        sl_sha_point at = {0.0, &x, &rate, NULL};
        sl_assert_status(sl_sha_run_roots(run, &at, f.diags, NULL), k == 1 ? SL_ERR_SOLVE : SL_OK);
        assert_int_equal(sl_sha_run_value(run, q), k == 2);
    }
    sl_assert_z(sl_diags_at(f.diags, 0)->text, "at t = 0 two roots want different values of q: number 0 and number 1");
    sl_sha_run_destroy(run);
    const int32_t q1[] = {0, 1};
    sl_assert_ok(sl_sha_run_create(f.h, q1, NULL, &run));
    const double x = 9.0;
    sl_sha_point at = {0.0, &x, &rate, NULL};
    sl_assert_ok(sl_sha_run_roots(run, &at, f.diags, NULL));
    assert_int_equal(sl_sha_run_value(run, q), 0);
    sl_assert_ok(sl_sha_run_copy(run, &copy));
    assert_int_equal(sl_sha_run_value(copy, off), 1);
    sl_sha_run_destroy(copy);
    sl_sha_run_destroy(run);
    hybrid_fini(&f);
}

static void definition_3_2_5_discrete_subexecution(void **state) {
    (void)state;
    hybrid f;
    hybrid_init(&f);
    discrete(&f, "a");
    discrete(&f, "b");
    continuous(&f, "x");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 1", "!b");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 2", "b");
    add(&f, SL_SHA_ROOT, 0, "x", "true");
    transition(&f, "der(b) = 1", "a != b");
    const int32_t q0[] = {0, 0};
    sl_sha_run *run = start(&f, q0);
    int32_t n_point, n;
    assert_int_equal(sl_sha_run_settle(run, &n_point), SL_SDA_CONVERGED);
    assert_int_equal(n_point, 1); /* empty */
    const double x = 1.0, rate = 1.0;
    sl_sha_point at = {0.0, &x, &rate, NULL};
    sl_assert_ok(sl_sha_run_roots(run, &at, f.diags, NULL));
    assert_int_equal(sl_sha_run_settle(run, &n_point), SL_SDA_CONVERGED);
    assert_int_equal(n_point, 2);
    assert_int_equal(sl_sha_run_active(run, SL_SHA_ACTIVITY, &n)[0], 1);
    assert_int_equal(n, 1);
    assert_int_equal(sl_sda_run_time(sl_sha_run_discrete(run)), 1);
    sl_sha_run_destroy(run);
    hybrid_fini(&f);
}

/* All values from before, at once; t of a guard is that of the execution that has ended. */
static void definition_3_2_6_action_function(void **state) {
    (void)state;
    hybrid f;
    hybrid_init(&f);
    discrete(&f, "a");
    continuous(&f, "x");
    continuous(&f, "y");
    continuous(&f, "z");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 1", "true");
    add(&f, SL_SHA_ACTION, 0, "y", "t > 0");
    add(&f, SL_SHA_ACTION, 1, "x + der(z) + a", "t > 0");
    add(&f, SL_SHA_ACTION, 0, "7", "a & t = 0");
    transition(&f, "der(a) = 1", "t = 0 & !a");
    const int32_t q0 = 0;
    sl_sha_run *run = start(&f, &q0);
    const double x[] = {1.0, 2.0, 3.0}, rates[] = {0.0, 0.0, 0.5};
    sl_sha_point at = {0.0, x, rates, NULL};
    double now[3];
    int32_t n_point, n;
    assert_int_equal(sl_sha_run_settle(run, &n_point), SL_SDA_CONVERGED);
    assert_int_equal(n_point, 2);
    sl_assert_ok(sl_sha_run_act(run, &at, now, f.diags, &n));
    assert_int_equal(n, 2);
    sl_assert_double(now[0], 2.0);
    sl_assert_double(now[1], 2.5);
    sl_assert_double(now[2], 3.0);
    assert_int_equal(sl_sha_run_settle(run, &n_point), SL_SDA_CONVERGED); /* nothing to do: t = 0 */
    sl_assert_ok(sl_sha_run_act(run, &at, now, f.diags, &n));
    sl_assert_double(now[0], 7.0);
    assert_int_equal(n, 1);
    sl_sha_run_destroy(run);
    hybrid_fini(&f);
}

/* x' = 15 - x + 10 heat, between 19 and 21: W D, then C W D again and again, and two modes. */
static void thermostat_in_closed_form(void **state) {
    (void)state;
    hybrid f;
    hybrid_init(&f);
    int32_t cold = discrete(&f, "cold"), hot = discrete(&f, "hot"), heat = discrete(&f, "heat");
    continuous(&f, "x");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 15 - x + 10", "heat");
    add(&f, SL_SHA_ACTIVITY, -1, "der(x) = 15 - x", "!heat");
    add(&f, SL_SHA_ROOT, cold, "19 - x", "true");
    add(&f, SL_SHA_ROOT, hot, "x - 21", "true");
    transition(&f, "der(heat) = 1", "!heat & cold | heat & hot");
    const int32_t q0[] = {0, 0, 0};
    sl_sha_run *run = start(&f, q0);
    double t = 0.0, x = 20.0;
    for (int k = 0; k < 40; k++) {
        int32_t n_point;
        double target = sl_sha_run_value(run, heat) ? 25.0 : 15.0, rate = target - x;
        sl_sha_point at = {t, &x, &rate, NULL};
        sl_assert_ok(sl_sha_run_roots(run, &at, f.diags, NULL));
        assert_int_equal(sl_sha_run_settle(run, &n_point), SL_SDA_CONVERGED);
        assert_int_equal(n_point, k == 0 ? 1 : 2);
        assert_int_equal(sl_sha_run_value(run, heat), k % 2);
        const sl_mode *mode;
        sl_assert_ok(sl_sha_run_mode(run, &mode));
        assert_int_equal(mode->number, k % 2);
        /* The mode's residual says what the rate is; the motion to the next root is known. */
        target = k % 2 ? 25.0 : 15.0;
        rate = target - x;
        const double cj = 0.0;
        at = (sl_sha_point){t, &x, &rate, &cj};
        sl_expr_point point = sl_sha_run_point(run, &at);
        void *work = malloc(mode->work_size);
        double residual, roots[2];
        sl_tape_eval(mode->residual, &point, work, &residual);
        sl_assert_double(residual, 0.0);
        sl_tape_eval(mode->root, &point, work, roots);
        sl_assert_double(roots[0], 19.0 - x);
        free(work);
        double next = k % 2 ? 21.0 : 19.0;
        t += log((x - target) / (next - target));
        x = next;
    }
    /* From 20 to 19, then 20 times up and 19 times down. */
    sl_assert_rel(t, log(5.0 / 4.0) + 20.0 * log(6.0 / 4.0) + 19.0 * log(6.0 / 4.0), 1e-12);
    sl_sha_run_destroy(run);
    hybrid_fini(&f);
}

static void build_all(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)m, (void)user;
    sl_exprs *g = sl_exprs_create(ctx);
    sl_sha *h = NULL;
    sl_sha_run *run = NULL, *copy = NULL;
    int32_t q, x, out;
    sl_expr e, guard, root;
    const int32_t q0 = 0;
    if (g && sl_sha_create(g, &h) == SL_OK &&
        sl_sda_add_variable(sl_sha_discrete(h), sl_str_z("q"), 2, NULL, NULL, &q) == SL_OK &&
        sl_sha_add_variable(h, sl_str_z("x"), NULL, NULL, &x) == SL_OK &&
        sl_expr_parse(g, sl_str_z("der(x) = x^2"), NULL, NULL, &e) == SL_OK &&
        sl_expr_parse(g, sl_str_z("!q"), NULL, NULL, &guard) == SL_OK &&
        sl_expr_parse(g, sl_str_z("x - 1"), NULL, NULL, &root) == SL_OK &&
        sl_sha_add(h, SL_SHA_ACTIVITY, sl_str_z("a"), -1, e, guard, NULL, NULL, &out) == SL_OK &&
        sl_sha_add(h, SL_SHA_ACTION, sl_str_z("b"), x, root, guard, NULL, NULL, &out) == SL_OK &&
        sl_sha_add(h, SL_SHA_ROOT, sl_str_z("c"), q, root, guard, NULL, NULL, &out) == SL_OK &&
        sl_sha_finish(h, SL_EXPR_NONE, true) == SL_OK && sl_sha_run_create(h, &q0, NULL, &run) == SL_OK) {
        const double at_x = 2.0, rate = 1.0;
        double now;
        int32_t n;
        const sl_mode *mode;
        sl_sha_point at = {0.0, &at_x, &rate, NULL};
        (void)sl_sha_run_roots(run, &at, NULL, NULL);
        (void)sl_sha_run_act(run, &at, &now, NULL, &n);
        (void)sl_sha_run_mode(run, &mode);
        (void)sl_sha_run_copy(run, &copy);
        (void)sl_sha_run_settle(run, &n);
    }
    sl_sha_run_destroy(copy);
    sl_sha_run_destroy(run);
    sl_sha_destroy(h);
    sl_exprs_destroy(g);
}
static void every_allocation_may_fail(void **state) {
    (void)state;
    assert_true(sl_test_sweep(build_all, NULL) > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(definition_3_2_1_structured_hybrid_automaton),
        cmocka_unit_test(definition_3_2_2_root_function),
        cmocka_unit_test(definition_3_2_3_root_subexecution),
        cmocka_unit_test(definition_3_2_5_discrete_subexecution),
        cmocka_unit_test(definition_3_2_6_action_function),
        cmocka_unit_test(thermostat_in_closed_form),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
