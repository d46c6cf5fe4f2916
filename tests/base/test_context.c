/* SPDX-License-Identifier: MIT */
/* The context: definition, allocator, log, progress; status words and borrowed text. */
#include "sl_test.h"

#include "base/context.h"
#include "base/memory.h"
#include "base/pool.h"

static void test_defaults(void **state) {
    (void)state;
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    assert_null(ctx->pool);
    sl_log(ctx, SL_ERROR, "silent %d", 1);
    assert_true(sl_progress_report(ctx, "nothing", 0, 0));
    sl_context_destroy(ctx);
    sl_context_destroy(NULL);
    assert_true(sl_progress_report(NULL, "nothing", 0, 0));
}

static void test_bad_definitions(void **state) {
    (void)state;
    sl_context *ctx = (sl_context *)1;
    sl_context_def def = sl_context_default();
    def.size = 0;
    sl_assert_status(sl_context_create(&def, &ctx), SL_ERR_USE);
    assert_null(ctx);
    def = sl_context_default();
    def.n_thread = -1;
    sl_assert_status(sl_context_create(&def, &ctx), SL_ERR_USE);
    def = sl_context_default();
    sl_allocator none = {.size = sizeof none};
    def.allocator = &none;
    sl_assert_status(sl_context_create(&def, &ctx), SL_ERR_USE);
    sl_test_memory m = {0};
    sl_allocator unsized = sl_test_allocator(&m);
    unsized.size = 0;
    def.allocator = &unsized;
    sl_assert_status(sl_context_create(&def, &ctx), SL_ERR_USE);
}

static void test_shorter_definition_of_an_older_caller(void **state) {
    (void)state;
    sl_context_def def = sl_context_default();
    def.n_thread = 77; /* beyond the size the caller knows: must not be read */
    def.size = offsetof(sl_context_def, n_thread);
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(&def, &ctx));
    assert_int_equal(ctx->def.n_thread, 1);
    assert_int_equal(ctx->def.size, sizeof def);
    sl_context_destroy(ctx);
}

static void collect_log(void *user, sl_severity severity, const char *text) {
    snprintf(user, 100, "%d:%s", (int)severity, text);
}

static bool stop_at_half(void *user, const sl_progress *p) {
    *(sl_progress *)user = *p;
    return p->done < p->total / 2;
}

static void test_log_and_progress(void **state) {
    (void)state;
    char line[100] = "";
    sl_progress seen = {0};
    sl_context_def def = sl_context_default();
    def.log = collect_log;
    def.log_user = line;
    def.progress = stop_at_half;
    def.progress_user = &seen;
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(&def, &ctx));
    sl_log(ctx, SL_WARNING, "pump %s at %.1f", "P1", 2.5);
    sl_assert_z(line, "1:pump P1 at 2.5");
    assert_true(sl_progress_report(ctx, "reading", 1, 4));
    sl_assert_z(seen.phase, "reading");
    sl_assert_double(seen.total, 4);
    assert_false(sl_progress_report(ctx, "reading", 2, 4));
    sl_context_destroy(ctx);
}

static void test_create_under_refusal(void **state) {
    (void)state;
    for (int64_t k = 1;; k++) {
        sl_test_memory m = {.fail_at = k};
        sl_context_def def = sl_context_default();
        const sl_allocator allocator = sl_test_allocator(&m);
        def.allocator = &allocator;
        def.n_thread = 3;
        sl_context *ctx = NULL;
        sl_status status = sl_context_create(&def, &ctx);
        if (status == SL_OK) {
            assert_int_equal(m.n_refused, 0);
            assert_int_equal(sl_pool_threads(ctx->pool), 3);
            sl_test_context_end(ctx, &m);
            assert_int_equal(k, 4); /* context, pool, its threads */
            return;
        }
        sl_assert_status(status, SL_ERR_MEMORY);
        assert_null(ctx);
        assert_int_equal(m.n_block, 0);
    }
}

static void test_words(void **state) {
    (void)state;
    sl_assert_z(sl_status_text(SL_OK), "ok");
    sl_assert_z(sl_status_text(SL_ERR_MEMORY), "out of memory");
    for (int i = 0; i <= SL_ERR_UNSUPPORTED; i++) {
        for (int j = 0; j < i; j++) assert_string_not_equal(sl_status_text(i), sl_status_text(j));
    }
    assert_non_null(sl_status_text((sl_status)99));
    int a = -1, b = -1, c = -1;
    assert_int_equal(sscanf(sl_version(), "%d.%d.%d", &a, &b, &c), 3);
}

static void test_text(void **state) {
    (void)state;
    assert_int_equal(sl_str_z(NULL).len, 0);
    assert_true(sl_str_equal(sl_str_z(NULL), (sl_str){NULL, 0}));
    assert_true(sl_str_equal(sl_str_z("abc"), (sl_str){"abcd", 3}));
    assert_false(sl_str_equal(sl_str_z("abc"), sl_str_z("abC")));
    assert_true(sl_str_equal_nocase(sl_str_z("aBc1"), sl_str_z("AbC1")));
    assert_false(sl_str_equal_nocase(sl_str_z("a"), sl_str_z("ab")));
    assert_false(sl_str_equal_nocase(sl_str_z("["), sl_str_z("{"))); /* 32 apart, but no letters */
    assert_false(sl_str_equal_nocase(sl_str_z("\xC3\x84"), sl_str_z("\xC3\xA4")));
}

/* Freed blocks come again to who wants their size, as if they were new where zeros are promised; no more than 32 and 8 MB are held. */
static void test_freed_blocks(void **state) {
    (void)state;
    enum { SIZE = 100000, BIG = 1 << 20, MANY = 40, ALL = 8 << 20 };
    assert_true(sl_block_cache_size(1) == 1 && sl_block_cache_size(16384) == 16384 &&
                sl_block_cache_size(16385) == 17408);
    sl_block_cache c = {.n = 0};
    void *block[MANY];
    for (int i = 0; i < MANY; i++) {
        block[i] = malloc(sl_block_cache_size(BIG));
        assert_non_null(block[i]);
    }
    for (int i = 0; i < MANY; i++) {
        sl_block_cache_give(&c, block[i], BIG);
        assert_true(c.total <= ALL);
    }
    assert_int_equal(c.total, ALL);
    assert_null(sl_block_cache_take(&c, BIG + 1024));
    void *again = sl_block_cache_take(&c, BIG - 1); /* the newest, by its whole size */
    assert_ptr_equal(again, block[MANY - 1]);
    assert_int_equal(c.total, ALL - BIG);
    sl_block_cache_give(&c, again, BIG);
    for (int i = 0; i < MANY; i++) {
        sl_block_cache_give(&c, malloc(sl_block_cache_size(SIZE)), SIZE); /* 32 of them: all that was there goes */
    }
    assert_int_equal(c.total, 32 * sl_block_cache_size(SIZE));
    assert_null(sl_block_cache_take(&c, BIG));
    sl_block_cache_clear(&c);
    assert_int_equal(c.total, 0);

    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    for (int i = 0; i < 3; i++) {
        unsigned char *x = sl_alloc(ctx, SIZE);
        assert_non_null(x);
        for (int k = 0; k < SIZE; k++) {
            assert_int_equal(x[k], 0);
            x[k] = 0xff;
        }
        x = sl_resize(ctx, x, SIZE, 3 * SIZE); /* a resized block keeps what is in it */
        assert_non_null(x);
        for (int k = 0; k < SIZE; k++) {
            assert_int_equal(x[k], 0xff);
        }
        memset(x, 0xff, 3 * SIZE);
        x = sl_resize(ctx, x, 3 * SIZE, SIZE);
        assert_non_null(x);
        sl_free(ctx, x, SIZE);
    }
    sl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_bad_definitions),
        cmocka_unit_test(test_shorter_definition_of_an_older_caller),
        cmocka_unit_test(test_log_and_progress),
        cmocka_unit_test(test_create_under_refusal),
        cmocka_unit_test(test_freed_blocks),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
