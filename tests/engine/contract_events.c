/* SPDX-License-Identifier: MIT */
/* contract_events.c: what engine/engine.h says about events, releases and what elements have of their own, checked for any engine. */
#include "sl_test.h"

#include "contract.h"

static bool same_event(const sl_engine_event *a, const sl_engine_event *b) {
    return a->time == b->time && strcmp(a->kind, b->kind) == 0 && a->of == b->of && a->index == b->index &&
           a->field == b->field && memcmp(&a->from, &b->from, sizeof a->from) == 0 &&
           memcmp(&a->to, &b->to, sizeof a->to) == 0 && strcmp(a->cause, b->cause) == 0;
}

static int32_t n_element(const sl_engine_ops *ops, const void *engine, int32_t of) {
    for (int32_t f = 0; f < ops->n_field; f++) {
        if (ops->fields[f].of == of) {
            return ops->count(engine, f);
        }
    }
    return of == SL_CLASS_MODEL;
}

static void assert_event_is_good(const sl_engine_ops *ops, const void *engine, const sl_engine_event *e) {
    assert_true(e->kind && e->kind[0] && e->cause);
    assert_true(e->of >= 0 && e->of < ops->n_class);
    assert_true(e->index >= 0 && e->index < n_element(ops, engine, e->of));
    assert_true(e->field >= -1 && e->field < ops->n_field);
    assert_true(e->field < 0 || ops->fields[e->field].of == e->of);
    assert_true(e->field >= 0 || (isnan(e->from) && isnan(e->to)));
}

/* The list of a step: in order of time, from its beginning to its end; a second engine has the same. Returns how many. */
static int32_t check_list(const sl_engine_ops *ops, const void *a, const void *b, const sl_engine_step *s) {
    int32_t n, m;
    const sl_engine_event *x = ops->events(a, &n), *y = ops->events(b, &m);
    double last = s->begin;
    assert_int_equal(n, m);
    for (int32_t i = 0; i < n; i++) {
        assert_event_is_good(ops, a, &x[i]);
        assert_true(x[i].time >= last && x[i].time <= s->end);
        assert_true(same_event(&x[i], &y[i]));
        last = x[i].time;
    }
    return n;
}

/* A cut leaves those up to its time, a restore none. */
static void check_forgotten(const sl_engine_ops *ops, void *a, const void *b, double t) {
    int32_t n, m, kept = 0;
    const sl_engine_event *y = ops->events(b, &m);
    sl_assert_ok(ops->cut(a, t, NULL));
    const sl_engine_event *x = ops->events(a, &n);
    while (kept < m && y[kept].time <= t) {
        kept++;
    }
    assert_int_equal(n, kept);
    for (int32_t i = 0; i < n; i++) {
        assert_true(same_event(&x[i], &y[i]));
    }
    size_t size = ops->save_size(b);
    unsigned char *bytes = malloc(size + 1);
    ops->save(b, bytes);
    sl_assert_ok(ops->restore(a, bytes, size));
    (void)ops->events(a, &n);
    assert_int_equal(n, 0);
    free(bytes);
}

/* A set loses none of those that were, though nobody asked before. */
static void check_kept(const contract_case *c, void *a, const void *b) {
    const sl_engine_ops *ops = c->ops;
    int32_t n, m;
    sl_assert_ok(ops->set(a, c->field, c->index, c->value, NULL));
    const sl_engine_event *x = ops->events(a, &n), *y = ops->events(b, &m);
    assert_int_equal(n, m);
    for (int32_t i = 0; i < n; i++) {
        assert_true(same_event(&x[i], &y[i]));
    }
    check_forgotten(ops, a, b, ops->time(a));
}

static void check_events(const contract_case *c, sl_context *ctx) {
    const sl_engine_ops *ops = c->ops;
    void *a = NULL, *b = NULL;
    int32_t n = 0, total = 0;
    sl_engine_step s, other;
    sl_assert_ok(ops->create(ctx, c->model, NULL, &a));
    sl_assert_ok(ops->create(ctx, c->model, NULL, &b));
    (void)ops->events(a, &n);
    assert_int_equal(n, 0);
    for (int32_t k = 0; k < c->n_step; k++) {
        sl_assert_ok(ops->step(a, NULL, &s));
        sl_assert_ok(ops->step(b, NULL, &other));
        if (k % 2) {
            (void)ops->events(b, &n);
            total += n;
            check_kept(c, a, b);
            continue;
        }
        double t = contract_time(ops, s.begin, s.end, 0.25 * (k % 4));
        sl_assert_ok(ops->show(a, t, NULL)); /* showing changes no list */
        n = check_list(ops, a, b, &s);
        total += n;
        if (n > 0 || k % 3 == 2) {
            check_forgotten(ops, a, b, t);
        }
    }
    assert_true(total >= c->n_event);
    ops->destroy(a);
    ops->destroy(b);
}

static unsigned char *saved(const sl_engine_ops *ops, const void *engine, size_t *n) {
    *n = ops->save_size(engine);
    unsigned char *bytes = malloc(*n + 1);
    ops->save(engine, bytes);
    return bytes;
}

/* What is not held stays as it is, bit for bit. A value that was set and released is what it would be without, once refreshed. */
static void check_release(const contract_case *c, sl_context *ctx) {
    const sl_engine_ops *ops = c->ops;
    void *plain = NULL, *changed = NULL;
    size_t n, m;
    sl_engine_step s;
    sl_assert_ok(ops->create(ctx, c->model, NULL, &plain));
    sl_assert_ok(ops->create(ctx, c->model, NULL, &changed));
    for (int k = 0; k < 2; k++) {
        sl_assert_ok(ops->step(plain, NULL, &s));
        sl_assert_ok(ops->step(changed, NULL, &s));
    }
    sl_assert_ok(ops->release(changed, c->field, c->index, NULL));
    unsigned char *x = saved(ops, plain, &n), *y = saved(ops, changed, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
    sl_assert_ok(ops->set(changed, c->field, c->index, c->value, NULL));
    sl_assert_ok(ops->refresh(changed, NULL));
    sl_assert_double(ops->data(changed, c->field)[c->index], c->value);
    sl_assert_ok(ops->release(changed, c->field, c->index, NULL));
    sl_assert_ok(ops->refresh(changed, NULL));
    if (c->holds) {
        sl_assert_bits(ops->data(changed, c->field)[c->index], ops->data(plain, c->field)[c->index]);
    }
    x = saved(ops, changed, &n);
    sl_assert_ok(ops->release(changed, c->field, c->index, NULL));
    y = saved(ops, changed, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
    sl_assert_ok(ops->step(changed, NULL, &s));
    ops->destroy(plain);
    ops->destroy(changed);
}

/* Elements may differ in unit, meaning, bounds and words only. */
static void check_description(const contract_case *c, sl_context *ctx) {
    const sl_engine_ops *ops = c->ops;
    void *engine = NULL;
    sl_assert_ok(ops->create(ctx, c->model, NULL, &engine));
    for (int32_t f = 0; f < ops->n_field; f++) {
        for (int32_t i = 0; i < ops->count(engine, f) && i < 200; i++) {
            sl_field own = ops->fields[f];
            ops->describe(engine, f, i, &own);
            assert_string_equal(own.name, ops->fields[f].name);
            assert_true(own.of == ops->fields[f].of && own.flags == ops->fields[f].flags && own.unit && own.meaning);
            assert_true(own.type == ops->fields[f].type && own.min <= own.max);
        }
    }
    ops->destroy(engine);
}

/* ---- Elements with steps of their own ----------------------------------------------------------- */

/* Those that moved are elements, each once, with the values that data shows; of discrete fields the others are as before. */
static void check_field_moved(const sl_engine_ops *ops, const void *engine, int32_t field, const double *before) {
    int32_t n = 0, n_all = ops->count(engine, field);
    const int32_t *which = ops->moved(engine, field, &n);
    char *seen = calloc(1, (size_t)n_all + 1);
    assert_true(n >= -1 && n <= n_all);
    for (int32_t k = 0; k < n; k++) {
        assert_true(which[k] >= 0 && which[k] < n_all && !seen[which[k]]);
        seen[which[k]] = 1;
        sl_assert_bits(ops->value(engine, field, which[k]), ops->data(engine, field)[which[k]]);
    }
    for (int32_t j = 0; j < n_all && n >= 0 && (ops->fields[field].flags & SL_FIELD_DISCRETE); j++) {
        assert_true(seen[j] || ops->data(engine, field)[j] == before[j]);
    }
    free(seen);
}

static void check_moved(const contract_case *c, sl_context *ctx) {
    const sl_engine_ops *ops = c->ops;
    assert_true(!ops->moved == !ops->value);
    void *e = NULL;
    sl_engine_step out = {0};
    sl_assert_ok(ops->create(ctx, c->model, NULL, &e));
    sl_assert_ok(ops->refresh(e, NULL));
    for (int32_t k = 0; k < 20 * c->n_step && ops->moved && !out.finished; k++) {
        double *before[64] = {NULL};
        assert_true(ops->n_field <= 64);
        for (int32_t f = 0; f < ops->n_field; f++) {
            size_t bytes = (size_t)ops->count(e, f) * sizeof(double);
            before[f] = calloc(1, bytes + 1);
            memcpy(before[f], ops->data(e, f), bytes);
        }
        sl_assert_ok(ops->step(e, NULL, &out));
        for (int32_t f = 0; f < ops->n_field; f++) {
            check_field_moved(ops, e, f, before[f]);
            free(before[f]);
        }
    }
    ops->destroy(e);
}

void contract_check_events(const contract_case *c) {
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    assert_true(c->n_event == 0 || c->ops->events);
    if (c->ops->events) {
        check_events(c, ctx);
    }
    assert_true(!c->holds || c->ops->release);
    if (c->ops->release) {
        check_release(c, ctx);
    }
    if (c->ops->describe) {
        check_description(c, ctx);
    }
    check_moved(c, ctx);
    sl_test_context_end(ctx, &memory);
}
