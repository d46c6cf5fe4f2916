/* contract.c: the five promises of engine/engine.h, checked for any engine. */
#include "sl_test.h"

#include "contract.h"

/* An engine on memory of its own. */
typedef struct bench {
    const contract_case *c;
    sl_test_memory memory;
    sl_context *ctx;
    void *engine;
} bench;

static void bench_start(bench *b, const contract_case *c) {
    *b = (bench){.c = c};
    b->ctx = sl_test_context(&b->memory);
    assert_int_equal(c->ops->create(b->ctx, c->model, NULL, &b->engine), SL_OK);
}

static void bench_end(bench *b) {
    b->c->ops->destroy(b->engine);
    sl_test_context_end(b->ctx, &b->memory); /* asserts that nothing is left */
}

static void step(bench *b, sl_engine_step *out) {
    double t = b->c->ops->time(b->engine);
    assert_int_equal(b->c->ops->step(b->engine, NULL, out), SL_OK);
    sl_assert_double(out->begin, t);
    sl_assert_double(out->end, b->c->ops->time(b->engine));
    assert_true(out->end > out->begin);
}

static unsigned char *saved(bench *b, size_t *n) {
    *n = b->c->ops->save_size(b->engine);
    unsigned char *bytes = malloc(*n + 1);
    memset(bytes, 0xA5, *n + 1);
    b->c->ops->save(b->engine, bytes);
    assert_int_equal(bytes[*n], 0xA5); /* no more than it said */
    return bytes;
}

static void assert_same_state(bench *a, bench *b) {
    size_t n, m;
    unsigned char *x = saved(a, &n), *y = saved(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

/* Fields are described, and found by their names. */
static void check_fields(const contract_case *c) {
    bench b;
    bench_start(&b, c);
    for (int32_t f = 0; f < c->ops->n_field; f++) {
        assert_true(c->ops->fields[f].name[0] && c->ops->fields[f].unit[0] && c->ops->fields[f].meaning[0]);
        assert_int_equal(sl_engine_find_field(c->ops, sl_str_z(c->ops->fields[f].name)), f);
        int32_t n = c->ops->count(b.engine, f);
        for (int32_t i = 0; i < n; i++) {
            assert_int_equal(sl_engine_find_element(c->ops, b.engine, f, sl_str_z(c->ops->element(b.engine, f, i))), i);
        }
    }
    assert_int_equal(sl_engine_find_field(c->ops, sl_str_z("no such field")), -1);
    bench_end(&b);
}

/* 1: observing changes nothing, and at the boundary it gives the data. */
static void check_observe(const contract_case *c) {
    bench plain, watched;
    bench_start(&plain, c);
    bench_start(&watched, c);
    for (int32_t k = 0; k < c->n_step; k++) {
        sl_engine_step s;
        step(&plain, &s);
        step(&watched, &s);
        for (int32_t f = 0; f < c->ops->n_field; f++) {
            int32_t n = c->ops->count(watched.engine, f);
            double *x = calloc((size_t)n + 1, sizeof *x);
            for (int part = 0; part <= 4; part++) {
                double t = part == 4 ? s.end : s.begin + (s.end - s.begin) * part / 4.0;
                sl_assert_ok(c->ops->observe(watched.engine, t, f, x));
            }
            for (int32_t i = 0; i < n; i++) {
                sl_assert_double(x[i], c->ops->data(watched.engine, f)[i]);
            }
            sl_assert_status(c->ops->observe(watched.engine, s.end + 1.0, f, x), SL_ERR_USE);
            free(x);
        }
        assert_same_state(&plain, &watched);
    }
    bench_end(&plain);
    bench_end(&watched);
}

/* 2: a set acts from the cut on; a refused one changes nothing. */
static void check_set(const contract_case *c) {
    bench plain, changed;
    bench_start(&plain, c);
    bench_start(&changed, c);
    sl_engine_step s, other;
    step(&plain, &s);
    step(&changed, &other);
    double t = s.begin + 0.5 * (s.end - s.begin);
    sl_assert_ok(c->ops->cut(changed.engine, t));
    sl_assert_double(c->ops->time(changed.engine), t);
    for (int32_t f = 0; f < c->ops->n_field; f++) { /* the cut is what observing showed */
        double x;
        if (c->ops->count(plain.engine, f) == 1) {
            sl_assert_ok(c->ops->observe(plain.engine, t, f, &x));
            sl_assert_double(c->ops->data(changed.engine, f)[0], x);
        }
    }
    sl_assert_status(c->ops->set(changed.engine, c->bad_field, 0, c->value, NULL), SL_ERR_INPUT);
    sl_assert_status(c->ops->set(changed.engine, c->field, c->index, NAN, NULL), SL_ERR_INPUT);
    sl_assert_ok(c->ops->set(changed.engine, c->field, c->index, c->value, NULL));
    sl_assert_double(c->ops->data(changed.engine, c->field)[c->index], c->value);
    step(&changed, &other);
    sl_assert_double(other.begin, t);
    sl_assert_status(c->ops->cut(changed.engine, s.begin - 1.0), SL_ERR_USE);
    bench_end(&plain);
    bench_end(&changed);
}

/* 3: saved and restored equals uninterrupted, also in another engine, and a wrong size is refused. */
static void check_restore(const contract_case *c) {
    bench a, b;
    sl_engine_step s;
    bench_start(&a, c);
    bench_start(&b, c);
    for (int32_t k = 0; k < c->n_step / 2; k++) {
        step(&a, &s);
    }
    size_t n;
    unsigned char *bytes = saved(&a, &n);
    sl_assert_status(c->ops->restore(b.engine, bytes, n - 1), SL_ERR_INPUT);
    sl_assert_ok(c->ops->restore(b.engine, bytes, n));
    free(bytes);
    for (int32_t k = 0; k < c->n_step / 2; k++) {
        step(&a, &s);
        step(&b, &s);
    }
    assert_same_state(&a, &b);
    bench_end(&a);
    bench_end(&b);
}

/* 5: a warm step allocates nothing. */
static void check_allocation(const contract_case *c) {
    bench b;
    sl_engine_step s;
    bench_start(&b, c);
    step(&b, &s);
    int64_t before = b.memory.n_request;
    for (int32_t k = 0; k < c->n_step; k++) {
        step(&b, &s);
    }
    assert_int_equal(b.memory.n_request, before);
    bench_end(&b);
}

/* Creation fails cleanly when memory is short. */
static void create_once(sl_context *ctx, sl_test_memory *m, void *user) {
    const contract_case *c = user;
    void *engine = NULL;
    sl_status status = c->ops->create(ctx, c->model, NULL, &engine);
    assert_true((engine != NULL) == (status == SL_OK));
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    c->ops->destroy(engine);
}

void contract_check(const contract_case *c) {
    contract_case copy = *c;
    check_fields(c);
    check_observe(c);
    check_set(c);
    check_restore(c);
    check_allocation(c);
    assert_true(sl_test_sweep(create_once, &copy) > 2);
}
