/* SPDX-License-Identifier: MIT */
/* Interned ids against a plain search, refusals, nearest id, edit distance. */
#include "sl_test.h"

#include "base/bytes.h"
#include "base/ids.h"

static void test_first_steps(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    assert_int_equal(sl_ids_find(ids, sl_str_z("A")), -1);
    assert_int_equal(sl_ids_add(ids, sl_str_z("A")), 0);
    assert_int_equal(sl_ids_add(ids, sl_str_z("a")), 1); /* case matters */
    assert_int_equal(sl_ids_add(ids, sl_str_z("A")), -1 - 0);
    assert_int_equal(sl_ids_add(ids, sl_str_z("a")), -1 - 1);
    assert_int_equal(sl_ids_add(ids, (sl_str){"x\0y", 3}), 2); /* any bytes */
    assert_int_equal(sl_ids_find(ids, (sl_str){"x\0z", 3}), -1);
    assert_int_equal(sl_ids_find(ids, (sl_str){"x", 1}), -1);
    assert_int_equal(sl_ids_add(ids, sl_str_z("")), 3);
    assert_int_equal(sl_ids_find(ids, (sl_str){NULL, 0}), 3);
    assert_int_equal(sl_ids_count(ids), 4);
    sl_assert_z(sl_ids_z(ids, 1), "a");
    assert_int_equal(sl_ids_text(ids, 2).len, 3);
    sl_ids_destroy(ids);
    sl_ids_destroy(NULL);
    sl_test_context_end(ctx, &m);
}

static void test_many(void **state) {
    (void)state;
    enum { N = 50000 };
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    for (int reserve = 0; reserve < 2; reserve++) {
        sl_ids *ids = sl_ids_create(ctx);
        if (reserve) assert_true(sl_ids_reserve(ids, N, 12 * N));
        int64_t before = m.n_request;
        char id[64];
        for (int i = 0; i < N; i++) {
            int n = snprintf(id, sizeof id, i % 3 ? "J-%d" : "a rather long name of node %d", i * 7);
            assert_int_equal(sl_ids_add(ids, (sl_str){id, (size_t)n}), i);
        }
        if (reserve)
            assert_true(m.n_request - before <= 10); /* a small table doubles up to 1024 slots, then all at once */
        for (int i = 0; i < 7 * N; i++) {
            int k = i % 7 ? -1 : i / 7;
            int n = snprintf(id, sizeof id, (i / 7) % 3 ? "J-%d" : "a rather long name of node %d", i);
            if (k >= 0 || i % 7 == 3) assert_int_equal(sl_ids_find(ids, (sl_str){id, (size_t)n}), k);
            if (k >= 0) sl_assert_str(sl_ids_text(ids, k), id);
        }
        sl_ids_destroy(ids);
    }
    sl_test_context_end(ctx, &m);
}

/* Ids that count are found by arithmetic; every mixture of runs, gaps, repeats, leading zeros and other prefixes must
 * give what a plain list gives. */
static void test_runs(void **state) {
    (void)state;
    enum { N = 4000 };
    static char list[N][24];
    uint64_t random = 7;
    for (int round = 0; round < 20; round++) {
        sl_test_memory m = {0};
        sl_context *ctx = sl_test_context(&m);
        sl_ids *ids = sl_ids_create(ctx);
        int n = 0;
        unsigned value = 0, prefix = 0;
        for (int i = 0; i < N; i++) {
            uint64_t x = sl_test_random(&random);
            if (x % 61 == 0) prefix = (unsigned)(x >> 8) % 6;
            if (x % 53 == 1) value = (unsigned)(x >> 8) % 3000;
            static const char *const prefixes[] = {"J", "", "P-", "Node1.", "JUNCTION-", "JUNCTI0N-OLD-"};
            char id[24];
            snprintf(id, sizeof id, "%s%s%u", prefixes[prefix], x % 97 == 5 ? "0" : "", value++);
            int known = -1;
            for (int k = 0; k < n && known < 0; k++) known = strcmp(list[k], id) == 0 ? k : -1;
            assert_int_equal(sl_ids_find(ids, sl_str_z(id)), known);
            assert_int_equal(sl_ids_add(ids, sl_str_z(id)), known >= 0 ? -1 - known : n);
            if (known < 0) memcpy(list[n++], id, sizeof id);
        }
        assert_int_equal(sl_ids_count(ids), n);
        for (int k = 0; k < n; k++) {
            assert_int_equal(sl_ids_find(ids, sl_str_z(list[k])), k);
            sl_assert_str(sl_ids_text(ids, k), list[k]);
        }
        static const char *const absent[] = {"J999999", "J-1", "J", "J01x", "99999999999999999999", "J000", "P-"};
        for (size_t k = 0; k < sizeof absent / sizeof *absent; k++)
            assert_int_equal(sl_ids_find(ids, sl_str_z(absent[k])), -1);
        sl_ids_destroy(ids);
        sl_test_context_end(ctx, &m);
    }
}

/* Ids in the order of the alphabet (A1 A10 A100 A1000 A1001 ... A101 ...) make short runs, which are given up on the way.
 * An add that fails changes nothing: the next attempt succeeds. */
static void add_alphabet(sl_context *ctx, sl_test_memory *m, void *user) {
    enum { N = 1500 };
    (void)user;
    sl_ids *ids = sl_ids_create(ctx);
    int n = 0;
    char id[16];
    int64_t refused = m->n_refused;
    for (int first = 1; ids && first <= 9; first++) {
        int stack[64], top = 0;
        stack[top++] = first;
        while (top > 0) {
            int value = stack[--top];
            snprintf(id, sizeof id, "A%d", value);
            int32_t at = sl_ids_add(ids, sl_str_z(id));
            if (at == INT32_MIN) {
                assert_true(m->n_refused > refused);
                assert_int_equal(sl_ids_find(ids, sl_str_z(id)), -1);
                assert_int_equal(sl_ids_count(ids), n);
                m->fail_at = 0; /* memory is there again */
                at = sl_ids_add(ids, sl_str_z(id));
            }
            assert_int_equal(at, n++);
            for (int digit = 9; digit >= 0 && 10 * value + digit <= N; digit--) stack[top++] = 10 * value + digit;
        }
    }
    for (int i = 0; ids && i < n; i++) {
        sl_str text = sl_ids_text(ids, i);
        assert_int_equal(sl_ids_find(ids, text), i);
        assert_int_equal(sl_ids_add(ids, text), -1 - i);
    }
    assert_true(!ids || n > 1000);
    sl_ids_destroy(ids);
}

static void test_alphabet(void **state) {
    (void)state;
    assert_true(sl_test_sweep(add_alphabet, NULL) > 20);
}

/* Numbers in no order at all: they belong to no runs, which are given up after the first hundreds. Ids that are there
 * are found from any hint, and move it; others are not, and leave it. */
static void test_loose_numbers(void **state) {
    (void)state;
    enum { N = 3001, STEP = 1234 }; /* a prime: all numbers once */
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    char z[40];
    for (int32_t i = 0; i < N; i++) {
        sprintf(z, "%s%d", i % 3 ? "" : "long prefix ", (int)((int64_t)i * STEP % N));
        assert_int_equal(sl_ids_add(ids, sl_str_z(z)), i);
        assert_int_equal(sl_ids_add(ids, sl_str_z(z)), -1 - i);
    }
    static const int32_t hints[] = {-1, 0, 7, N - 2, N - 1};
    for (int32_t i = 0; i < N; i++) {
        sl_str id = sl_ids_text(ids, i);
        for (size_t k = 0; k < sizeof hints / sizeof *hints + 2; k++) {
            int32_t hint =
                k < sizeof hints / sizeof *hints ? hints[k] : i - (int32_t)(k - sizeof hints / sizeof *hints);
            assert_int_equal(sl_ids_find_near(ids, id, sl_last_word(id.ptr, id.len), &hint), i);
            assert_int_equal(hint, i);
        }
        int32_t hint = i;
        assert_int_equal(sl_ids_find_near(ids, (sl_str){"nobody", 6}, sl_last_word("nobody", 6), &hint), -1);
        assert_int_equal(sl_ids_find_near(ids, (sl_str){"", 0}, 0, &hint), -1);
        assert_int_equal(hint, i);
    }
    sl_ids_destroy(ids);
    sl_test_context_end(ctx, &m);
}

static void test_every_length(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    char text[300];
    memset(text, 'x', sizeof text);
    for (int n = 0; n < 300; n++) assert_int_equal(sl_ids_add(ids, (sl_str){text, (size_t)n}), n);
    for (int n = 0; n < 300; n++) assert_int_equal(sl_ids_find(ids, (sl_str){text, (size_t)n}), n);
    /* One changed byte at any place must be seen, those before and behind the text do not count */
    for (int n = 1; n < 100; n++) {
        sl_str id = {text + 10, (size_t)n};
        for (int k = 0; k < 20 + n; k++) {
            bool inside = k >= 10 && k < 10 + n;
            text[k] = 'y';
            assert_int_equal(sl_ids_find(ids, id), inside ? -1 : n);
            assert_int_equal(sl_ids_find_word(ids, id, sl_last_word_within(id.ptr, id.len)), inside ? -1 : n);
            text[k] = 'x';
        }
    }
    sl_ids_destroy(ids);
    sl_test_context_end(ctx, &m);
}

static void test_add_of_own_text(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    sl_ids_add(ids, sl_str_z("abcdefghijklmnopqrstuvwxyz0123456789"));
    for (int n = 1; n < 36; n++) { /* parts of a text that moves while the table grows */
        sl_str part = {sl_ids_z(ids, 0), (size_t)n};
        assert_int_equal(sl_ids_add(ids, part), n);
    }
    sl_assert_z(sl_ids_z(ids, 20), "abcdefghijklmnopqrst");
    sl_ids_destroy(ids);
    sl_test_context_end(ctx, &m);
}

static void ids_under_refusal(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    sl_ids *ids = sl_ids_create(ctx);
    if (!ids) return;
    (void)sl_ids_reserve(ids, 20, 100);
    int32_t kept = 0;
    bool refused = false;
    for (int i = 0; i < 200; i++) {
        char id[16];
        int n = snprintf(id, sizeof id, "n%d", i);
        sl_str s = {id, (size_t)n};
        int32_t k = sl_ids_add(ids, s);
        if (k == INT32_MIN) {
            refused = true;
            assert_int_equal(sl_ids_find(ids, s), -1);
            assert_int_equal(sl_ids_count(ids), kept);
        } else {
            assert_int_equal(k, kept++);
            assert_int_equal(sl_ids_find(ids, s), k);
        }
    }
    assert_true(!refused || m->n_refused > 0);
    sl_ids_destroy(ids);
}

static void test_sweep(void **state) {
    (void)state;
    assert_true(sl_test_sweep(ids_under_refusal, NULL) > 10);
}

static void test_impossible_reserve(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    assert_false(sl_ids_reserve(ids, INT64_MAX, 0));
    assert_false(sl_ids_reserve(ids, -1, 0));
    assert_false(sl_ids_reserve(ids, 10, INT64_MAX));
    assert_int_equal(sl_ids_add(ids, sl_str_z("still works")), 0);
    sl_ids_destroy(ids);
    sl_test_context_end(ctx, &m);
}

static int distance(const char *a, const char *b, int limit) {
    int d = sl_edit_distance(sl_str_z(a), sl_str_z(b), limit);
    assert_int_equal(sl_edit_distance(sl_str_z(b), sl_str_z(a), limit), d);
    return d;
}

static void test_edit_distance(void **state) {
    (void)state;
    assert_int_equal(distance("", "", 9), 0);
    assert_int_equal(distance("abc", "abc", 0), 0);
    assert_int_equal(distance("abc", "abd", 9), 2);
    assert_int_equal(distance("abc", "abC", 9), 1);
    assert_int_equal(distance("abc", "ab", 9), 2);
    assert_int_equal(distance("abc", "xabc", 9), 2);
    assert_int_equal(distance("abcd", "abdc", 9), 2); /* swap */
    assert_int_equal(distance("abcd", "abDc", 9), 3); /* swap and case */
    assert_int_equal(distance("kitten", "sitting", 20), 6);
    assert_int_equal(distance("kitten", "sitting", 5), 6); /* beyond the limit */
    assert_int_equal(distance("abcdef", "uvwxyz", 3), 4);
    assert_int_equal(distance("", "abc", 9), 6);
    char far[66];
    memset(far, 'a', 65);
    far[65] = '\0';
    assert_int_equal(distance(far, far, 7), 8);
    assert_int_equal(distance(far + 1, far + 1, 7), 0);
}

static void test_nearest(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("x")), -1);
    const char *known[] = {"Reservoir", "Junction", "Junction1", "PumpStation", "P1", "P2"};
    for (int i = 0; i < 6; i++) sl_ids_add(ids, sl_str_z(known[i]));
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("Resevoir")), 0);
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("junction")), 1);
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("Juntcion1")), 2);
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("PUMPSTATION")), -1); /* ten changes of case are far */
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("pumpstation")), 3);
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("P3")), 4); /* the first of equals */
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("p2")), 5); /* case before letters */
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("Tank")), -1);
    assert_int_equal(sl_ids_nearest(ids, sl_str_z("")), -1);
    sl_ids_destroy(ids);
    sl_test_context_end(ctx, &m);
}

/* The shortcuts (length, set of letters) must not lose the best. */
static void test_nearest_against_plain_search(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_ids *ids = sl_ids_create(ctx);
    uint64_t seed = 5;
    for (int i = 0; i < 400; i++) {
        char id[12];
        size_t n = 1 + (size_t)sl_test_below(&seed, 8);
        for (size_t k = 0; k < n; k++) id[k] = "abAB12-x"[sl_test_below(&seed, 8)];
        sl_ids_add(ids, (sl_str){id, n});
    }
    for (int i = 0; i < 2000; i++) {
        char id[12];
        size_t n = 1 + (size_t)sl_test_below(&seed, 9);
        for (size_t k = 0; k < n; k++) id[k] = "abAB12-y"[sl_test_below(&seed, 8)];
        sl_str s = {id, n};
        int limit = (int)(2 * n + 2) / 3;
        int best = -1;
        int least = limit + 1;
        for (int k = 0; k < sl_ids_count(ids); k++) {
            int d = sl_edit_distance(s, sl_ids_text(ids, k), 1000);
            if (d < least) {
                least = d;
                best = k;
            }
        }
        assert_int_equal(sl_ids_nearest(ids, s), best);
    }
    sl_ids_destroy(ids);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_steps),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_runs),
        cmocka_unit_test(test_alphabet),
        cmocka_unit_test(test_loose_numbers),
        cmocka_unit_test(test_every_length),
        cmocka_unit_test(test_add_of_own_text),
        cmocka_unit_test(test_sweep),
        cmocka_unit_test(test_impossible_reserve),
        cmocka_unit_test(test_edit_distance),
        cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_nearest_against_plain_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
