/* SPDX-License-Identifier: MIT */
/* test_nothing.c: steps in which there is nothing to carry are passed over, and change nothing: against the same run in which they are
 * made. Four tanks, one for each kind of mixing; a dead end whose flow turns. Flows are given, an hour at a time. */
#include "rich.h"

#include "network/elements.h"
#include "quality/impl.h"

enum { HOURS = 6 };

typedef struct nothing_case {
    const char *quality, *more;
    int hours;            /* so many of them are passed over */
    int still, turn, use; /* R gives nothing before, D gives to B from, D consumes from this hour on */
    int set;              /* A's source gets a strength at this hour */
} nothing_case;

static void begin_case(eps_run *r, const nothing_case *c, sl_quality_model **m) {
    char text[2000];
    int n =
        snprintf(text, sizeof text,
                 "[RESERVOIRS]\nR 50\n[TANKS]\nT1 20 3 0 5 10\nT2 20 3 0 5 10\nT3 20 3 0 5 10\nT4 20 3 0 5 10\n"
                 "[JUNCTIONS]\nA 0 1\nB 0 1\nD 0 0\n[PIPES]\n1 R A 500 200 100\n2 A T1 500 200 100\n"
                 "3 T1 B 500 200 100\n4 D B 500 200 100\n5 A T2 500 200 100\n6 A T3 500 200 100\n7 A T4 500 200 100\n"
                 "[MIXING]\nT2 2COMP 0.3\nT3 FIFO\nT4 LIFO\n[PATTERNS]\nS 0 0 1\nZ 0\n[OPTIONS]\nUNITS LPS\n"
                 "QUALITY %s\n[TIMES]\nDURATION 6\nQUALITY TIMESTEP 0:05\n%s\n",
                 c->quality, c->more);
    eps_begin_bytes(r, NULL, 1, text, (size_t)n);
    sl_assert_ok(sl_quality_model_create(r->ctx, r->net, false, m));
    assert_false((*m)->empty);
}

static void step(sl_quality *q, const nothing_case *c, int hour) {
    double in = hour < c->still ? 0.0 : 8e-3, turned = hour >= c->turn ? 1e-3 : -1e-3, tanks = hour % 2 ? -1e-3 : 2e-3;
    double flow[] = {in, tanks, 1e-3, turned, tanks, 1e-3, tanks};
    double outflow[] = {1e-3, 1e-3, hour >= c->use ? 1e-3 : 0.0};
    if (hour == c->set) {
        sl_quality_set_source(q, 0, 5.0);
    }
    sl_assert_ok(sl_quality_step(
        q, &(sl_quality_flows){.flow = flow, .outflow = outflow, .begin = 3600.0 * hour, .end = 3600.0 * (hour + 1)}));
}

/* The same values, to rounding; all of them 0 if asked for. */
static void assert_same_run(const sl_quality *a, const sl_quality *b, bool zero) {
    const sl_network *net = a->m->net;
    double x[16], y[16];
    static const int of[] = {SL_CLASS_NODE, SL_CLASS_LINK, SL_CLASS_LINK};
    for (int i = 0; i < 3; i++) {
        int32_t n = i == 0 ? net->n_node : net->n_link;
        sl_quality_field(a, of[i], i / 2, x);
        sl_quality_field(b, of[i], i / 2, y);
        for (int32_t k = 0; k < n; k++) {
            bool traced = i == 0 && a->m->kind == SL_QUALITY_TRACE && k == net->quality.trace_node;
            sl_assert_abs(x[k], y[k], zero ? 0.0 : 1e-11);
            assert_true(!zero || traced || x[k] == 0.0);
        }
    }
    sl_quality_ledger l = sl_quality_ledger_of(a), k = sl_quality_ledger_of(b);
    sl_assert_abs(l.source, k.source, 1e-9);
    sl_assert_abs(l.stored, k.stored, 1e-9);
    sl_assert_abs(l.consumed, k.consumed, 1e-9);
    sl_assert_abs(sl_quality_ratio(&l), 1.0, 1e-12);
    assert_true(!zero || (l.source == 0.0 && l.stored == 0.0 && l.consumed == 0.0 && l.adjusted == 0.0));
    for (int32_t i = 0; i < net->n_tank; i++) {
        sl_assert_rel(a->now->tank_volume[i], b->now->tank_volume[i], 1e-12);
    }
}

static void assert_same_bytes(const sl_quality *a, const sl_quality *b) {
    size_t n = sl_quality_save_size(a);
    assert_int_equal(sl_quality_save_size(b), n);
    unsigned char *x = malloc(n), *y = malloc(n);
    sl_quality_save(a, x);
    sl_quality_save(b, y);
    assert_memory_equal(x, y, n);
    free(x);
    free(y);
}

static void check_case(const nothing_case *c) {
    eps_run r;
    sl_quality_model *m;
    sl_quality *q, *made, *again;
    double volume[] = {235.0, 235.0, 235.0, 235.0};
    begin_case(&r, c, &m);
    sl_assert_ok(sl_quality_create(r.ctx, m, &q));
    sl_assert_ok(sl_quality_create(r.ctx, m, &made));
    sl_assert_ok(sl_quality_start(q, volume));
    sl_assert_ok(sl_quality_start(made, volume));
    made->now->nothing = false;
    int passed = 0;
    for (int hour = 0; hour < HOURS; hour++) {
        step(q, c, hour);
        step(made, c, hour);
        passed += q->now->nothing;
        assert_int_equal(q->now->nothing, hour < c->hours);
        assert_same_run(q, made, q->now->nothing);
        sl_assert_ok(sl_quality_show(q, 3600.0 * hour + 1000.0)); /* within the step too */
        sl_assert_ok(sl_quality_show(made, 3600.0 * hour + 1000.0));
        assert_same_run(q, made, q->now->nothing);
        sl_assert_ok(sl_quality_show(q, 3600.0 * (hour + 1)));
        sl_assert_ok(sl_quality_show(made, 3600.0 * (hour + 1)));
        if (hour == 0) {
            size_t n = sl_quality_save_size(q);
            unsigned char *saved = malloc(n);
            sl_quality_save(q, saved);
            sl_assert_ok(sl_quality_restore(r.ctx, m, saved, n, &again));
            free(saved);
        } else {
            step(again, c, hour);
            assert_same_bytes(q, again);
        }
    }
    assert_int_equal(passed, c->hours);
    sl_quality_destroy(q);
    sl_quality_destroy(made);
    sl_quality_destroy(again);
    sl_quality_model_destroy(m);
    eps_end(&r);
}

static void test_passed_over(void **state) {
    (void)state;
    static const nothing_case cases[] = {
        {"Salt mg/L", "[SOURCES]\nA MASS 0", 6, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nA MASS 0\n[REACTIONS]\nGLOBAL BULK -1\nGLOBAL WALL -1", 6, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nA MASS 0", 4, 0, 3, 3, 4},   /* a session sets it */
        {"Salt mg/L", "[SOURCES]\nA MASS 5 S", 2, 0, 3, 3, 9}, /* its pattern is 0 for two hours */
        {"Salt mg/L", "[SOURCES]\nR CONCEN 5 S", 2, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nT3 FLOWPACED 5 S", 2, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nR CONCEN 0\nB SETPOINT 3 Z\nT2 FLOWPACED 0", 6, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nA MASS 5", 0, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nA MASS 0\n[QUALITY]\nD 1", 0, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nA MASS 0\n[QUALITY]\nR 1", 0, 4, 3, 3, 9}, /* R's own, though none of it is given */
        {"Salt mg/L", "[SOURCES]\nA MASS 0\n[REACTIONS]\nORDER BULK 0\nGLOBAL BULK 1", 0, 0, 3, 3, 9},
        {"Salt mg/L", "[SOURCES]\nA MASS 0\n[REACTIONS]\nORDER TANK 0\nTANK T2 1", 0, 0, 3, 3, 9},
        {"TRACE D", "", 3, 0, 3, 9, 9}, /* D's flow turns */
        {"TRACE D", "", 2, 0, 9, 2, 9}, /* D consumes */
        {"TRACE D", "", 6, 0, 9, 9, 9},
        {"TRACE R", "", 2, 2, 3, 3, 9},
        {"TRACE R", "", 0, 0, 3, 3, 9},
        {"TRACE B", "", 0, 0, 3, 3, 9}, /* pipes end there: they hold its water */
        {"AGE", "", 0, 0, 3, 3, 9},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_case(&cases[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_passed_over)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
