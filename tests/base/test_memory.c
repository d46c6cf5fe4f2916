/* SPDX-License-Identifier: MIT */
/* Allocation, growable arrays and arenas, and that a refusal leaves everything as it was. */
#include "sl_test.h"

#include "base/memory.h"

static void test_alloc_is_zeroed(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    unsigned char *p = sl_alloc(ctx, 100);
    assert_non_null(p);
    for (int i = 0; i < 100; i++) assert_int_equal(p[i], 0);
    p[99] = 7;
    p = sl_resize(ctx, p, 100, 1000);
    assert_int_equal(p[99], 7);
    p = sl_resize(ctx, p, 1000, 100);
    assert_int_equal(p[99], 7);
    assert_null(sl_resize(ctx, p, 100, 0));
    assert_null(sl_alloc(ctx, 0));
    assert_null(sl_alloc(ctx, SIZE_MAX));
    sl_free(ctx, NULL, 0);
    sl_test_context_end(ctx, &m);
}

static void test_product_of_sizes(void **state) {
    (void)state;
    bool over = false;
    assert_int_equal(sl_mul_size(6, 7, &over), 42);
    assert_int_equal(sl_mul_size(0, SIZE_MAX, &over), 0);
    assert_int_equal(sl_mul_size(SIZE_MAX, 1, &over), SIZE_MAX);
    assert_false(over);
    assert_int_equal(sl_mul_size(SIZE_MAX / 2 + 1, 2, &over), 0);
    assert_true(over);
}

static void test_array_grows(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    SL_ARRAY(double) a = {0};
    for (int i = 0; i < 10000; i++) assert_true(SL_PUSH(ctx, &a, i * 0.5));
    assert_int_equal(a.n, 10000);
    for (int i = 0; i < 10000; i++) sl_assert_double(a.at[i], i * 0.5);
    assert_true(m.n_request < 20); /* by doubling, not one by one */
    double *before = a.at;
    int64_t cap = a.cap;
    assert_false(SL_RESERVE(ctx, &a, INT64_MAX));
    assert_false(SL_RESERVE(ctx, &a, INT64_MAX / 8));
    m.fail_at = m.n_request + 1;
    assert_false(SL_RESERVE(ctx, &a, cap + 1));
    assert_ptr_equal(a.at, before);
    assert_int_equal(a.cap, cap);
    SL_ARRAY_FINI(ctx, &a);
    assert_null(a.at);
    sl_test_context_end(ctx, &m);
}

/* Whichever of two growths is refused, neither list has one more. */
static void test_lists_grow_together(void **state) {
    (void)state;
    for (int64_t refused = 1; refused <= 2; refused++) {
        sl_test_memory m = {0};
        sl_context *ctx = sl_test_context(&m);
        m.fail_at = m.n_request + refused;
        SL_ARRAY(double) a = {0};
        SL_ARRAY(int32_t) b = {0};
        assert_false(SL_PUSH_BOTH(ctx, &a, 1.0, &b, 2));
        assert_int_equal(m.n_refused, 1);
        assert_int_equal(a.n, 0);
        assert_int_equal(b.n, 0);
        assert_true(SL_PUSH_BOTH(ctx, &a, 1.0, &b, 2));
        sl_assert_double(a.at[0], 1.0);
        assert_int_equal(b.at[0], 2);
        assert_int_equal(a.n + b.n, 2);
        SL_ARRAY_FINI(ctx, &a);
        SL_ARRAY_FINI(ctx, &b);
        sl_test_context_end(ctx, &m);
    }
}

static void test_arena_alignment_and_zero(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_arena arena;
    sl_arena_init(&arena, ctx);
    uint64_t seed = 1;
    unsigned char *last = NULL;
    size_t last_size = 0;
    for (int i = 0; i < 3000; i++) {
        size_t size = (size_t)sl_test_below(&seed, i % 50 == 0 ? 20000 : 200);
        unsigned char *p = sl_arena_alloc(&arena, size);
        assert_non_null(p);
        assert_int_equal((uintptr_t)p % (size >= 64 ? 64 : 16), 0);
        for (size_t k = 0; k < size; k++) assert_int_equal(p[k], 0);
        memset(p, 0xFF, size); /* a neighbour given the same bytes would not be zero */
        for (size_t k = 0; k < last_size; k++) assert_int_equal(last[k], 0xFF);
        last = p;
        last_size = size;
    }
    assert_true(m.n_request < 200);
    assert_null(sl_arena_alloc(&arena, SIZE_MAX));
    assert_null(sl_arena_alloc(&arena, PTRDIFF_MAX));
    sl_arena_fini(&arena);
    sl_test_context_end(ctx, &m);
}

static void test_arena_clear_reuses(void **state) {
    (void)state;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    sl_arena arena;
    sl_arena_init(&arena, ctx);
    sl_arena_clear(&arena);
    for (int round = 0; round < 50; round++) {
        for (int i = 0; i < 100; i++) {
            char *p = sl_arena_alloc(&arena, 16);
            assert_int_equal(p[0] | p[15], 0);
            memset(p, 1, 16);
        }
        sl_assert_z(sl_arena_copy(&arena, sl_str_z("abc")), "abc");
        sl_arena_clear(&arena);
    }
    assert_int_equal(m.n_block, 2); /* the context and one block */
    sl_assert_z(sl_arena_copy(&arena, (sl_str){NULL, 0}), "");
    sl_arena_fini(&arena);
    sl_test_context_end(ctx, &m);
}

static void arena_under_refusal(sl_context *ctx, sl_test_memory *m, void *user) {
    (void)user;
    sl_arena arena;
    sl_arena_init(&arena, ctx);
    int failed = 0;
    for (size_t i = 0; i < 40; i++) failed += sl_arena_alloc(&arena, i * 97) == NULL;
    assert_int_equal(failed > 0, m->n_refused > 0);
    sl_arena_fini(&arena);
}

static void test_arena_sweep(void **state) {
    (void)state;
    assert_true(sl_test_sweep(arena_under_refusal, NULL) > 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc_is_zeroed),
        cmocka_unit_test(test_product_of_sizes),
        cmocka_unit_test(test_lists_grow_together),
        cmocka_unit_test(test_array_grows),
        cmocka_unit_test(test_arena_alignment_and_zero),
        cmocka_unit_test(test_arena_clear_reuses),
        cmocka_unit_test(test_arena_sweep),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
