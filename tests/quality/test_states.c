/* SPDX-License-Identifier: MIT */
/* test_states.c: the same bits however a run is cut up, looked at, saved and restored; damaged bytes; refused memory. */
#include "rich.h"

#include "base/out.h"
#include "network/elements.h"
#include "quality/quality.h"

static sl_bytes save(eps_run *r) {
    sl_bytes saved;
    sl_bytes_init(&saved, r->ctx);
    sl_sink sink = sl_bytes_sink(&saved);
    sl_assert_ok(sl_session_save(r->s, &sink));
    return saved;
}

/* In one go, and in parts of all lengths with looks between. */
static void test_parts(void **state) {
    (void)state;
    uint64_t random = 11;
    for (int kind = 0; kind < 3; kind++) {
        for (int exact = 0; exact < (kind == 0 ? 2 : 1); exact++) {
            eps_run a, b, c;
            rich_begin(&a, kind, 1, exact);
            rich_begin(&b, kind, 1, exact);
            rich_begin(&c, kind, 2, exact);
            static const char *const pipes[] = {"P2", "P4", "P6"}; /* between tanks: their flows turn */
            double end = sl_session_end(a.s), turned = 0.0, before[3] = {0.0};
            for (double t = 0.0; t < end;) {
                double part = pow(10.0, 4.2 * sl_test_unit(&random));
                t = fmin(t + (sl_test_below(&random, 2) ? floor(part) : part), end);
                eps_to(&b, t);
                eps_to(&c, t);
                eps_assert_same(b.s, c.s);
                for (int i = 0; i < 3; i++) {
                    double q = eps_flow(&b, pipes[i]);
                    turned += before[i] * q < 0.0;
                    before[i] = q;
                }
            }
            assert_true(turned >= 2);
            eps_to(&a, end);
            eps_assert_same(a.s, b.s);
            sl_assert_abs(eps_get(&a, "quality.ratio"), 1.0, 1e-12);
            eps_end(&a);
            eps_end(&b);
            eps_end(&c);
        }
    }
}

/* From the state saved at every step and between steps, in a session that has been elsewhere. */
static void test_saved(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        eps_run whole, along, again;
        rich_begin(&whole, kind, 1, false);
        rich_begin(&along, kind, 1, false);
        rich_begin(&again, kind, 1, false);
        double end = sl_session_end(whole.s);
        eps_to(&whole, end);
        int i = 0;
        for (double t = 0.0; t < end; t += i % 3 ? 1800.0 : 1234.5, i++) {
            eps_to(&along, t);
            sl_bytes saved = save(&along);
            sl_assert_ok(sl_session_restore(again.s, saved.at, (size_t)saved.n));
            sl_bytes_fini(&saved);
            eps_assert_same(along.s, again.s);
            eps_to(&again, fmin(t + 700.0, end)); /* within the same step */
            eps_to(&again, fmin(t + 5000.0, end));
            if (i % 10 == 0) {
                eps_to(&again, end);
                eps_assert_same(whole.s, again.s);
            }
        }
        eps_end(&whole);
        eps_end(&along);
        eps_end(&again);
    }
}

/* A set within a step: quality up to there is what it would have been, and both ways of getting there agree. */
static void test_sets(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        eps_run plain, direct, late;
        rich_begin(&plain, kind, 1, false);
        rich_begin(&direct, kind, 1, false);
        rich_begin(&late, kind, 5, false);
        uint64_t random = 5;
        for (double t = 1000.0; t < 100000.0; t += 7777.7) {
            eps_to(&direct, t);
            for (double at = sl_session_time(late.s); at < t; at += 1.0 + 900.0 * sl_test_unit(&random)) {
                eps_to(&late, at);
            }
            eps_to(&late, t);
            double x = 0.0005 * (double)sl_test_below(&random, 12);
            eps_set(&direct, x, "node.'J3'.wanted");
            eps_set(&late, x, "node.'J3'.wanted");
            eps_assert_same(direct.s, late.s);
            if (sl_test_below(&random, 2)) {
                sl_assert_ok(sl_session_refresh(late.s));
            }
            if (t == 1000.0) {
                eps_to(&plain, t);
                int32_t n, field = sl_session_field(plain.s, "node.quality");
                const double *p = sl_session_view(plain.s, field, &n), *q = sl_session_view(direct.s, field, &n);
                assert_memory_equal(p, q, (size_t)n * sizeof *p);
            }
        }
        double end = sl_session_end(direct.s);
        eps_to(&direct, end);
        eps_to(&late, end);
        eps_assert_same(direct.s, late.s);
        sl_assert_abs(eps_get(&direct, "quality.ratio"), 1.0, 1e-12);
        eps_end(&plain);
        eps_end(&direct);
        eps_end(&late);
    }
}

/* ---- The transport alone: bytes that are not what they should be --------------------------------- */

typedef struct alone {
    eps_run r;
    sl_quality_model *m;
    sl_quality *q;
    double *flow, *out, *volume;
} alone;

static void alone_begin(alone *a, int kind) {
    rich_begin(&a->r, kind, 1, false);
    const sl_network *net = a->r.net;
    sl_assert_ok(sl_quality_model_create(a->r.ctx, net, kind == 0, &a->m));
    sl_assert_ok(sl_quality_create(a->r.ctx, a->m, &a->q));
    a->flow = calloc((size_t)net->n_link, sizeof(double));
    a->out = calloc((size_t)net->n_junction, sizeof(double));
    a->volume = calloc((size_t)net->n_tank, sizeof(double));
}

static void alone_end(alone *a) {
    free(a->flow);
    free(a->out);
    free(a->volume);
    sl_quality_destroy(a->q);
    sl_quality_model_destroy(a->m);
    eps_end(&a->r);
}

/* The hydraulics that the session shows now, for the transport. */
static sl_quality_flows flows(alone *a, double begin, double end) {
    const sl_network *net = a->r.net;
    int32_t n;
    memcpy(a->flow, sl_session_view(a->r.s, sl_session_field(a->r.s, "link.flow"), &n),
           (size_t)net->n_link * sizeof(double));
    memcpy(a->out, sl_session_view(a->r.s, sl_session_field(a->r.s, "node.demand"), &n),
           (size_t)net->n_junction * sizeof(double));
    memcpy(a->volume, sl_session_view(a->r.s, sl_session_field(a->r.s, "tank.volume"), &n),
           (size_t)net->n_tank * sizeof(double));
    return (sl_quality_flows){.flow = a->flow, .outflow = a->out, .volume = a->volume, .begin = begin, .end = end};
}

/* Uses a run as one would; nothing may crash or hang, whatever its numbers are. */
static void use(alone *a, sl_quality *q, double begin, double end) {
    double *x = malloc((size_t)(a->r.net->n_node + a->r.net->n_link) * sizeof *x);
    sl_quality_flows f = {.flow = a->flow, .outflow = a->out, .volume = a->volume, .begin = end, .end = end + 2000.0};
    (void)sl_quality_show(q, 0.5 * (begin + end));
    sl_quality_field(q, SL_CLASS_NODE, 0, x);
    sl_quality_field(q, SL_CLASS_LINK, 0, x);
    sl_quality_field(q, SL_CLASS_LINK, 1, x);
    (void)sl_quality_show(q, end);
    (void)sl_quality_step(q, &f);
    (void)sl_quality_show(q, end + 1000.0);
    (void)sl_quality_cut(q);
    (void)sl_quality_ledger_of(q);
    void *bytes = malloc(sl_quality_save_size(q));
    sl_quality_save(q, bytes);
    free(bytes);
    free(x);
}

static void test_damage(void **state) {
    (void)state;
    uint64_t random = 17;
    for (int kind = 0; kind < 3; kind++) {
        alone a;
        alone_begin(&a, kind);
        sl_quality_flows f = flows(&a, 0.0, 3600.0);
        sl_assert_status(sl_quality_step(a.q, &f), SL_ERR_USE); /* not started */
        sl_assert_ok(sl_quality_start(a.q, a.volume));
        for (int i = 0; i < 6; i++) {
            f = flows(&a, i * 3600.0, (i + 1) * 3600.0);
            sl_assert_ok(sl_quality_step(a.q, &f));
            eps_to(&a.r, (i + 1) * 3600.0);
        }
        size_t n = sl_quality_save_size(a.q);
        unsigned char *good = malloc(n), *bad = malloc(n), *again = malloc(n);
        sl_quality *q;
        sl_quality_save(a.q, good);
        sl_assert_ok(sl_quality_restore(a.r.ctx, a.m, good, n, &q));
        assert_int_equal(sl_quality_save_size(q), n);
        sl_quality_save(q, again);
        assert_memory_equal(good, again, n);
        sl_quality_destroy(q);
        for (size_t k = 0; k < n; k += 1 + n / 500) {
            sl_assert_status(sl_quality_restore(a.r.ctx, a.m, good, k, &q), SL_ERR_INPUT);
            assert_null(q);
        }
        int accepted = 0;
        for (int i = 0; i < 3000; i++) {
            memcpy(bad, good, n);
            size_t head = sl_test_below(&random, 2) ? n : 400; /* the head, or anywhere */
            for (int64_t k = sl_test_below(&random, 3); k >= 0; k--) {
                size_t at = (size_t)sl_test_below(&random, (int64_t)(head < n ? head : n));
                bad[at] = (unsigned char)sl_test_random(&random);
            }
            if (sl_quality_restore(a.r.ctx, a.m, bad, n, &q) == SL_OK) {
                use(&a, q, 5 * 3600.0, 6 * 3600.0);
                sl_quality_destroy(q);
                accepted++;
            }
        }
        assert_true(accepted > 100);
        free(good);
        free(bad);
        free(again);
        alone_end(&a);
    }
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static void test_refusals(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++) {
        eps_refusals_case c = {.set = "node.'J3'.wanted", .shown = "quality.stored", .t = {5000.0, 50000.0, 60000.0}};
        char *text = rich_text(kind, &c.n);
        c.text = text;
        eps_refusals(&c);
        free(text);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parts),  cmocka_unit_test(test_saved),    cmocka_unit_test(test_sets),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
