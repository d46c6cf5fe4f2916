/* SPDX-License-Identifier: MIT */
/* contract.c: the promises of engine/engine.h, checked for any engine. */
#include "sl_test.h"

#include "contract.h"

#include <pthread.h>

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
    sl_assert_ok(c->ops->create(b->ctx, c->model, NULL, &b->engine));
}

static void bench_end(bench *b) {
    b->c->ops->destroy(b->engine);
    sl_test_context_end(b->ctx, &b->memory); /* asserts that nothing is left */
}

double contract_time(const sl_engine_ops *ops, double begin, double end, double share) {
    double t = begin + (end - begin) * share;
    return strcmp(ops->time_unit, "steps") == 0 ? floor(t) : t;
}

/* A step, with what next_event and end say about it. */
static void step(bench *b, sl_engine_step *out) {
    const sl_engine_ops *ops = b->c->ops;
    double t = ops->time(b->engine), next = ops->next_event(b->engine);
    assert_true(t < ops->end(b->engine));
    sl_assert_ok(ops->step(b->engine, NULL, out));
    sl_assert_double(out->begin, t);
    sl_assert_double(out->end, ops->time(b->engine));
    assert_true(out->end > out->begin);
    assert_true(next > t && next <= out->end);
    assert_int_equal(out->finished, out->end >= ops->end(b->engine));
}

static void steps(bench *b, int32_t n) {
    sl_engine_step s;
    for (int32_t k = 0; k < n; k++) {
        step(b, &s);
    }
}

static unsigned char *saved(const bench *b, size_t *n) {
    *n = b->c->ops->save_size(b->engine);
    unsigned char *bytes = malloc(*n + 1);
    memset(bytes, 0xA5, *n + 1);
    b->c->ops->save(b->engine, bytes);
    assert_int_equal(bytes[*n], 0xA5); /* no more than it said */
    return bytes;
}

static void assert_same_state(const bench *a, const bench *b) {
    size_t n, m;
    unsigned char *x = saved(a, &n), *y = saved(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

/* Every value that the two show, bit for bit. */
static void assert_same_data(const bench *a, const bench *b) {
    const sl_engine_ops *ops = a->c->ops;
    for (int32_t f = 0; f < ops->n_field; f++) {
        size_t n = (size_t)ops->count(a->engine, f);
        for (size_t i = 0; i < n; i++) {
            double x = ops->data(a->engine, f)[i], y = ops->data(b->engine, f)[i];
            if (memcmp(&x, &y, sizeof x) != 0) {
                print_error("%s of '%s', at %g s\n", ops->fields[f].name, ops->element(a->engine, f, (int32_t)i),
                            ops->time(a->engine));
                sl_assert_bits(y, x);
            }
        }
    }
}

/* Fields are described and found by their names; fields of one class have the same elements. */
static void check_fields(const contract_case *c) {
    bench b;
    bench_start(&b, c);
    int32_t first[64];
    assert_true(c->ops->n_class <= 64 && c->ops->classes[SL_CLASS_MODEL].name[0] == 0);
    memset(first, -1, sizeof first);
    for (int32_t f = 0; f < c->ops->n_field; f++) {
        const sl_field *field = &c->ops->fields[f];
        assert_true(field->name[0] && field->unit && field->meaning[0]);
        assert_true(field->type != SL_FIELD_ENUM || field->words);
        assert_int_equal(sl_engine_find_field(c->ops, sl_field_class(c->ops, f), sl_str_z(field->name)), f);
        first[field->of] = first[field->of] < 0 ? f : first[field->of];
        int32_t n = c->ops->count(b.engine, f);
        assert_int_equal(n, c->ops->count(b.engine, first[field->of]));
        assert_true(field->of != SL_CLASS_MODEL || n == 1);
        for (int32_t i = 0; i < n; i++) {
            const char *id = c->ops->element(b.engine, f, i);
            assert_string_equal(id, c->ops->element(b.engine, first[field->of], i));
            for (int32_t k = 0; i < 200 && k < i; k++) { /* ids are unique; not all pairs of a large model */
                assert_string_not_equal(id, c->ops->element(b.engine, f, k));
            }
        }
    }
    assert_int_equal(sl_engine_find_field(c->ops, "", sl_str_z("no such field")), -1);
    bench_end(&b);
}

/* 1: showing changes nothing, at the boundary it gives the data, and outside the last step nothing. */
static void check_show(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    bench plain, watched;
    bench_start(&plain, c);
    bench_start(&watched, c);
    sl_assert_ok(ops->refresh(plain.engine, NULL));
    sl_assert_ok(ops->refresh(watched.engine, NULL));
    sl_assert_ok(ops->show(watched.engine, ops->time(watched.engine), NULL)); /* before the first step too */
    assert_same_data(&plain, &watched);
    for (int32_t k = 0; k < c->n_step; k++) {
        sl_engine_step s;
        step(&plain, &s);
        step(&watched, &s);
        for (int part = 0; part < 4; part++) {
            sl_assert_ok(ops->show(watched.engine, contract_time(ops, s.begin, s.end, part / 4.0), NULL));
        }
        assert_same_state(&plain, &watched);
        sl_assert_double(ops->time(watched.engine), s.end);
        sl_assert_double(ops->next_event(watched.engine), ops->next_event(plain.engine));
        sl_assert_status(ops->show(watched.engine, s.end + 1.0, NULL), SL_ERR_USE);
        sl_assert_status(ops->show(watched.engine, s.begin - 1.0, NULL), SL_ERR_USE);
        if (k % 2) { /* step on from a time shown in between every other time */
            sl_assert_ok(ops->show(watched.engine, s.end, NULL));
            assert_same_data(&plain, &watched);
        }
    }
    bench_end(&plain);
    bench_end(&watched);
}

/* SL_ERR_INPUT for a value or field, SL_ERR_USE or that for an element that does not exist. */
static void refuse(const bench *b, int32_t field, int32_t index, double value) {
    const sl_engine_ops *ops = b->c->ops;
    size_t n, m;
    unsigned char *before = saved(b, &n);
    bool exists = index >= 0 && index < ops->count(b->engine, field);
    sl_status status = ops->check(b->engine, field, index, value, NULL);
    assert_true(status == SL_ERR_INPUT || (status == SL_ERR_USE && !exists));
    sl_assert_status(ops->set(b->engine, field, index, value, NULL), status);
    unsigned char *after = saved(b, &m);
    assert_int_equal(n, m);
    assert_memory_equal(before, after, n);
    free(before);
    free(after);
}

/* 2: a set acts from the cut on; check tells what set will do and changes nothing; a refused set changes nothing. */
static void check_set(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    bench plain, changed;
    bench_start(&plain, c);
    bench_start(&changed, c);
    sl_engine_step s, other;
    step(&plain, &s);
    step(&changed, &other);
    double t = contract_time(ops, s.begin, s.end, 0.5);
    sl_assert_ok(ops->cut(changed.engine, t, NULL));
    sl_assert_double(ops->time(changed.engine), t);
    sl_assert_ok(ops->show(plain.engine, t, NULL));
    assert_same_data(&plain, &changed); /* the cut is what was shown there */
    if (c->bad_field >= 0) {
        refuse(&changed, c->bad_field, 0, c->value);
    }
    refuse(&changed, c->field, c->index, (double)NAN);
    refuse(&changed, c->field, c->index, (double)INFINITY);
    refuse(&changed, c->field, -1, c->value);
    refuse(&changed, c->field, ops->count(changed.engine, c->field), c->value);
    if (!isnan(c->bad_value)) {
        refuse(&changed, c->field, c->index, c->bad_value);
    }
    sl_assert_ok(ops->check(changed.engine, c->field, c->index, c->value, NULL));
    assert_same_data(&plain, &changed);
    sl_assert_ok(ops->set(changed.engine, c->field, c->index, c->value, NULL));
    sl_assert_double(ops->data(changed.engine, c->field)[c->index], c->value);
    step(&changed, &other);
    sl_assert_double(other.begin, t);
    sl_assert_status(ops->cut(changed.engine, other.begin - 1.0, NULL), SL_ERR_USE);
    sl_assert_status(ops->cut(changed.engine, other.end + 1.0, NULL), SL_ERR_USE);
    bench_end(&plain);
    bench_end(&changed);
}

/* 2: a set that was refreshed and one that the step takes up lead to the same; a second refresh does nothing. */
static void check_refresh(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    bench lazy, eager;
    bench_start(&lazy, c);
    bench_start(&eager, c);
    steps(&lazy, 2);
    steps(&eager, 2);
    sl_assert_ok(ops->refresh(eager.engine, NULL));
    assert_same_state(&lazy, &eager);
    sl_assert_ok(ops->set(lazy.engine, c->field, c->index, c->value, NULL));
    sl_assert_ok(ops->set(eager.engine, c->field, c->index, c->value, NULL));
    sl_assert_ok(ops->refresh(eager.engine, NULL));
    sl_assert_ok(ops->refresh(eager.engine, NULL));
    steps(&lazy, 3);
    steps(&eager, 3);
    assert_same_state(&lazy, &eager);
    assert_same_data(&lazy, &eager);
    bench_end(&lazy);
    bench_end(&eager);
}

/* 3: saved and restored equals uninterrupted, also in another engine and with a set pending; a wrong size is refused. */
static void check_restore(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    bench a, b;
    bench_start(&a, c);
    bench_start(&b, c);
    assert_true(ops->model_hash(a.engine) == ops->model_hash(b.engine));
    steps(&a, c->n_step / 2);
    steps(&b, 1);
    for (int set = 0; set < 2; set++) {
        if (set) {
            sl_assert_ok(ops->set(a.engine, c->field, c->index, c->value, NULL));
        }
        size_t n;
        unsigned char *bytes = saved(&a, &n);
        sl_assert_status(ops->restore(b.engine, bytes, n - 1), SL_ERR_INPUT);
        sl_assert_status(ops->restore(b.engine, bytes, 0), SL_ERR_INPUT);
        sl_assert_ok(ops->restore(b.engine, bytes, n));
        free(bytes);
        assert_same_state(&a, &b);
        assert_same_data(&a, &b);
        steps(&a, c->n_step / 4);
        steps(&b, c->n_step / 4);
        assert_same_state(&a, &b);
        assert_same_data(&a, &b);
    }
    bench_end(&a);
    bench_end(&b);
}

/* The same values at the same times of the last step, and nothing beyond it. */
static void assert_same_shown(const bench *a, const bench *b, double begin) {
    const sl_engine_ops *ops = a->c->ops;
    double end = ops->time(a->engine);
    bool whole = strcmp(ops->time_unit, "steps") == 0; /* a step cannot be cut within */
    for (int part = 0; part <= 5; part++) {
        double t = part == 5 ? end : begin + (end - begin) * (whole ? 0.0 : part / 5.0);
        sl_assert_ok(ops->show(a->engine, t, NULL));
        sl_assert_ok(ops->show(b->engine, t, NULL));
        assert_same_data(a, b);
    }
    if (end > begin) {
        sl_assert_status(ops->show(b->engine, begin - 0.5 * (end - begin), NULL), SL_ERR_USE);
    }
}

typedef struct restored_job {
    const bench *a;
    bench *b;
    const unsigned char *bytes;
    size_t n;
    sl_status status;
} restored_job;

static void *restore_apart(void *user) {
    restored_job *job = user;
    job->status = job->b->c->ops->restore(job->b->engine, job->bytes, job->n);
    return NULL;
}

/* Saves a, of which the times from begin on can be shown, restores in another thread into b; both go on: by steps, or from a cut
 * at t with a set. */
static void restore_and_go_on(const bench *a, bench *b, double begin, double cut, bool set) {
    const sl_engine_ops *ops = a->c->ops;
    restored_job job = {.a = a, .b = b};
    unsigned char *bytes = saved(a, &job.n);
    job.bytes = bytes;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, restore_apart, &job), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    free(bytes);
    sl_assert_ok(job.status);
    sl_assert_bits(ops->time(b->engine), ops->time(a->engine));
    sl_assert_bits(ops->end(b->engine), ops->end(a->engine));
    assert_same_data(a, b);
    assert_same_state(a, b);
    assert_same_shown(a, b, begin);
    for (int w = 0; w < 2 && !isnan(cut); w++) {
        const bench *x = w ? b : a;
        sl_assert_ok(ops->cut(x->engine, cut, NULL));
        if (set) {
            sl_assert_ok(ops->set(x->engine, a->c->field, a->c->index, a->c->value, NULL));
        }
    }
    assert_same_state(a, b);
    assert_same_data(a, b);
}

/* 3: at every step of a run, at random times within it, into an engine that is fresh or has been elsewhere. */
static void check_restore_within(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    uint64_t seed = 7;
    bench warm;
    bench_start(&warm, c);
    bool whole = strcmp(ops->time_unit, "steps") == 0; /* a step cannot be cut within */
    for (int32_t k = 0; k <= c->n_step / 2; k++) {
        bench a, fresh;
        sl_engine_step s = {0};
        bench_start(&a, c);
        bench_start(&fresh, c);
        s.begin = s.end = ops->time(a.engine);
        for (int32_t i = 0; i < k; i++) {
            step(&a, &s);
        }
        bench *b = k % 2 ? &warm : &fresh;
        double part = whole ? (double)sl_test_below(&seed, 2) : sl_test_unit(&seed);
        double t = s.begin + part * (s.end - s.begin);
        t = t > s.end ? s.end : t;
        if (k % 3 == 2) { /* refreshed at the boundary before it is saved: what was made can still be shown */
            sl_assert_ok(ops->refresh(a.engine, NULL));
        }
        sl_assert_ok(ops->show(a.engine, t, NULL));
        sl_assert_ok(ops->show(a.engine, s.end, NULL));
        restore_and_go_on(&a, b, s.begin, k % 2 ? t : (double)NAN, k % 4 == 1);
        steps(&a, 2);
        steps(b, 2);
        assert_same_state(&a, b);
        assert_same_data(&a, b);
        restore_and_go_on(&a, &warm, ops->time(a.engine), (double)NAN, false); /* and once more, where it stands now */
        bench_end(&a);
        bench_end(&fresh);
    }
    bench_end(&warm);
}

/* 6: engines of one model in several threads, without assertions, which belong to the main thread. */
enum { N_CROWD = 8 };

typedef struct crowd_member {
    pthread_t thread;
    const contract_case *c;
    int32_t n_step;
    unsigned char *bytes; /* its state at the end */
    size_t n;
    sl_status status;
} crowd_member;

static void *run_apart(void *user) {
    crowd_member *w = user;
    const sl_engine_ops *ops = w->c->ops;
    sl_context *ctx = NULL;
    void *engine = NULL;
    sl_engine_step s;
    w->status = sl_context_create(NULL, &ctx);
    w->status = w->status == SL_OK ? ops->create(ctx, w->c->model, NULL, &engine) : w->status;
    for (int32_t k = 0; k < w->n_step && w->status == SL_OK; k++) {
        w->status = ops->step(engine, NULL, &s);
    }
    if (w->status == SL_OK) {
        w->n = ops->save_size(engine);
        w->bytes = malloc(w->n + 1);
        ops->save(engine, w->bytes);
    }
    ops->destroy(engine);
    sl_context_destroy(ctx);
    return NULL;
}

static void check_threads(const contract_case *c) {
    crowd_member alone = {.c = c, .n_step = c->n_step}, crowd[N_CROWD];
    run_apart(&alone);
    sl_assert_ok(alone.status);
    for (int i = 0; i < N_CROWD; i++) {
        crowd[i] = (crowd_member){.c = c, .n_step = c->n_step};
        assert_int_equal(pthread_create(&crowd[i].thread, NULL, run_apart, &crowd[i]), 0);
    }
    for (int i = 0; i < N_CROWD; i++) {
        assert_int_equal(pthread_join(crowd[i].thread, NULL), 0);
    }
    for (int i = 0; i < N_CROWD; i++) {
        sl_assert_ok(crowd[i].status);
        assert_int_equal(crowd[i].n, alone.n);
        assert_memory_equal(crowd[i].bytes, alone.bytes, alone.n);
        free(crowd[i].bytes);
    }
    free(alone.bytes);
}

/* Events are those of the step, in order, about elements that exist; a cut forgets later ones, a restore all. */
static void check_some_events(const bench *b, double begin, double end) {
    const sl_engine_ops *ops = b->c->ops;
    int32_t n = 0;
    const sl_engine_event *events = ops->events(b->engine, &n);
    double last = begin;
    for (int32_t k = 0; k < n; k++) {
        const sl_engine_event *e = &events[k];
        assert_true(e->time >= last && e->time <= end);
        last = e->time;
        assert_true(e->kind && e->kind[0] && e->cause);
        assert_true(e->of >= 0 && e->of < ops->n_class && e->index >= 0 && e->field >= -1 && e->field < ops->n_field);
        assert_true(e->field < 0 || (ops->fields[e->field].of == e->of && e->index < ops->count(b->engine, e->field)));
        assert_true(e->field >= 0 || (isnan(e->from) && isnan(e->to)));
    }
}

static void check_events(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    if (!ops->events) {
        return;
    }
    bench b;
    bench_start(&b, c);
    sl_assert_ok(ops->refresh(b.engine, NULL));
    check_some_events(&b, ops->time(b.engine), ops->time(b.engine));
    int32_t n_cut = 0;
    for (int32_t k = 0; k < 4 * c->n_step && ops->time(b.engine) < ops->end(b.engine); k++) {
        sl_engine_step s;
        int32_t n = 0, m = 0;
        step(&b, &s);
        check_some_events(&b, s.begin, s.end);
        (void)ops->events(b.engine, &n);
        sl_assert_ok(ops->show(b.engine, s.begin, NULL));
        (void)ops->events(b.engine, &m);
        assert_int_equal(n, m);
        if (n > 0 && (k % 2 || n_cut == 0)) {
            n_cut++;
            sl_assert_ok(ops->cut(b.engine, s.begin, NULL));
            check_some_events(&b, s.begin, s.begin);
        }
        if (k % 7 == 6) {
            unsigned char *bytes = saved(&b, &(size_t){0});
            sl_assert_ok(ops->restore(b.engine, bytes, ops->save_size(b.engine)));
            (void)ops->events(b.engine, &n);
            assert_int_equal(n, 0);
            free(bytes);
        }
    }
    bench_end(&b);
}

/* The end: reached exactly, and nothing beyond it. */
static void check_end(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    bench b;
    sl_engine_step s;
    bench_start(&b, c);
    if (isfinite(ops->end(b.engine))) {
        while (ops->time(b.engine) < ops->end(b.engine)) {
            step(&b, &s);
        }
        double t = ops->time(b.engine);
        sl_assert_status(ops->step(b.engine, NULL, &s), SL_ERR_USE);
        sl_assert_double(ops->time(b.engine), t);
        sl_assert_ok(ops->refresh(b.engine, NULL));
    }
    bench_end(&b);
}

/* 5: a warm step allocates nothing, nor does showing, cutting, setting and refreshing. */
static void check_allocation(const contract_case *c) {
    const sl_engine_ops *ops = c->ops;
    bench b;
    sl_engine_step s;
    bench_start(&b, c);
    int64_t before = 0;
    for (int32_t k = 0; k < c->n_step; k++) {
        step(&b, &s);
        if (k % 8 == 0) {
            double t = contract_time(ops, s.begin, s.end, 0.5);
            sl_assert_ok(ops->show(b.engine, t, NULL));
            sl_assert_ok(ops->cut(b.engine, t, NULL));
            sl_assert_ok(ops->set(b.engine, c->field, c->index, c->value, NULL));
            sl_assert_ok(ops->refresh(b.engine, NULL));
        }
        before = k == 8 ? b.memory.n_request : before; /* warm from here */
    }
    assert_true(c->n_step > 16);
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

/* A restore for which memory is short leaves the engine as it was. */
static void restore_once(sl_context *ctx, sl_test_memory *m, void *user) {
    const contract_case *c = user;
    bench from;
    bench_start(&from, c);
    steps(&from, 3);
    size_t n;
    unsigned char *bytes = saved(&from, &n);
    bench to = {.c = c, .ctx = ctx};
    sl_engine_step s;
    sl_status status = c->ops->create(ctx, c->model, NULL, &to.engine);
    status = status == SL_OK ? c->ops->step(to.engine, NULL, &s) : status;
    if (status == SL_OK) {
        size_t n_before, n_after;
        unsigned char *before = saved(&to, &n_before);
        status = c->ops->restore(to.engine, bytes, n);
        unsigned char *after = saved(&to, &n_after);
        const unsigned char *expected = status == SL_OK ? bytes : before;
        assert_int_equal(n_after, status == SL_OK ? n : n_before);
        assert_memory_equal(after, expected, n_after);
        free(before);
        free(after);
    }
    assert_true(status == SL_OK || (status == SL_ERR_MEMORY && m->n_refused > 0));
    free(bytes);
    c->ops->destroy(to.engine);
    bench_end(&from);
}

void contract_check(const contract_case *c) {
    contract_case copy = *c;
    check_fields(c);
    check_show(c);
    check_set(c);
    check_refresh(c);
    check_restore(c);
    check_restore_within(c);
    check_threads(c);
    check_events(c);
    assert_true(sl_test_sweep(restore_once, &copy) > 2);
    check_end(c);
    if (!c->grows) {
        check_allocation(c);
    }
    assert_true(sl_test_sweep(create_once, &copy) > 2);
    contract_check_events(c);
}
