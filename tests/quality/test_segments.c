/* SPDX-License-Identifier: MIT */
/* test_segments.c: rows of segments against a plain list, through many random changes at both ends. */
#include "sl_test.h"

#include "quality/segments.h"

enum { ROWS = 5, MOST = 4000 };

typedef struct list {
    sl_segment at[2 * MOST];
    int first, n;
} list;

static void assert_same(const sl_segments *s, const list *lists) {
    int64_t total = 0;
    for (int r = 0; r < ROWS; r++) {
        assert_int_equal(s->row[r].n, lists[r].n);
        total += lists[r].n;
        for (int i = 0; i < lists[r].n; i++) {
            const sl_segment *x = sl_segment_at(s, &s->row[r], (uint32_t)i), *y = &lists[r].at[lists[r].first + i];
            sl_assert_bits(x->v, y->v);
            sl_assert_bits(x->c, y->c);
        }
    }
    assert_int_equal(sl_segments_total(s), total);
}

/* Taking from a plain list: as much as there is, whole segments first. */
static double take(list *l, bool front, double v, double *taken) {
    double mass = 0.0, left = v;
    while (l->n > 0 && left > 0.0) {
        sl_segment *x = &l->at[front ? l->first : l->first + l->n - 1];
        if (x->v > left) {
            mass += left * x->c;
            x->v -= left;
            left = 0.0;
        } else {
            mass += x->v * x->c;
            left -= x->v;
            l->first += front;
            l->n--;
        }
    }
    *taken = v - left;
    return mass;
}

static void test_against_lists(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_segments s, copy;
    sl_assert_ok(sl_segments_create(ctx, ROWS, 4096, &s));
    sl_assert_ok(sl_segments_create(ctx, ROWS, 4096, &copy));
    list *lists = calloc(ROWS, sizeof *lists);
    uint64_t random = 3;
    for (int r = 0; r < ROWS; r++) {
        lists[r].first = MOST;
    }
    for (int i = 0; i < 60000; i++) {
        int r = (int)sl_test_below(&random, ROWS);
        list *l = &lists[r];
        bool front = sl_test_below(&random, 2), grow = sl_test_unit(&random) < (i / 3000 % 2 ? 0.3 : 0.7);
        if (grow && l->first > 1 && l->first + l->n < 2 * MOST - 1) {
            sl_segment x = {sl_test_unit(&random), sl_test_unit(&random)};
            assert_true(sl_segment_add(&s, r, front, x.v, x.c, 0.0));
            l->first -= front;
            l->at[front ? l->first : l->first + l->n] = x;
            l->n++;
        } else {
            double v = 2.0 * sl_test_unit(&random), taken, wanted;
            double mass = sl_segment_withdraw(&s, r, front, v, &taken), expected = take(l, front, v, &wanted);
            sl_assert_bits(mass, expected);
            sl_assert_bits(taken, wanted);
            l->first = l->n == 0 ? MOST : l->first;
        }
        if (i % 1000 == 0) {
            assert_same(&s, lists);
            sl_assert_ok(sl_segments_ready(&copy, &s));
            sl_segments_copy(&copy, &s, NULL);
            assert_same(&copy, lists);
        }
    }
    assert_same(&s, lists);
    sl_segments_clear(&s);
    assert_int_equal(sl_segments_total(&s), 0);
    free(lists);
    sl_segments_destroy(&s);
    sl_segments_destroy(&copy);
    sl_test_context_end(ctx, &memory);
}

/* A close concentration joins its neighbour and keeps volume and mass; with no tolerance nothing ever joins. */
static void test_joining(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    sl_segments s;
    sl_assert_ok(sl_segments_create(ctx, 1, 4096, &s));
    for (int front = 0; front < 2; front++) {
        sl_segments_clear(&s);
        assert_true(sl_segment_add(&s, 0, front, 2.0, 1.0, 0.01));
        assert_true(sl_segment_add(&s, 0, front, 6.0, 1.008, 0.01));
        assert_int_equal(s.row[0].n, 1);
        sl_assert_rel(sl_segment_front(&s, &s.row[0])->c, 1.006, 1e-15);
        sl_assert_double(sl_segment_front(&s, &s.row[0])->v, 8.0);
        assert_true(sl_segment_add(&s, 0, front, 1.0, 1.017, 0.01)); /* 0.011 off the mean */
        assert_int_equal(s.row[0].n, 2);
        assert_true(sl_segment_add(&s, 0, front, 1.0, 1.017, 0.0));
        assert_int_equal(s.row[0].n, 3);
        double taken;
        sl_assert_rel(sl_segment_withdraw(&s, 0, front, 100.0, &taken), 8.0 * 1.006 + 2.0 * 1.017, 1e-14);
        sl_assert_double(taken, 10.0);
    }
    sl_segments_destroy(&s);
    sl_test_context_end(ctx, &memory);
}

static void some_rows(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    sl_segments s;
    if (sl_segments_create(ctx, 2, 4096, &s) != SL_OK) {
        assert_true(m->n_refused > 0);
        return;
    }
    bool ok = true;
    int n = 0;
    for (int i = 0; ok && i < 3000; i++) {
        ok = sl_segment_add(&s, i % 2, i % 3 == 0, 1.0, i, 0.0);
        n += ok;
    }
    assert_true(ok || m->n_refused > 0);
    assert_int_equal(sl_segments_total(&s), n); /* what was refused did not harm the rest */
    sl_segments_destroy(&s);
}

static void test_memory(void **state) {
    (void)state;
    assert_true(sl_test_sweep(some_rows, NULL) > 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_lists),
        cmocka_unit_test(test_joining),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
