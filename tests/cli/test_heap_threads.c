/* SPDX-License-Identifier: MIT */
/* The program's heap: blocks keep what they hold and never overlap, zeros are zeros, what is freed is used again. */
#include "sl_test.h"

#include <string.h>

#include "cli/heap.h"
#include "base/pool.h"

enum { SLOTS = 200, STEPS = 10000 };

typedef struct slot {
    unsigned char *at;
    size_t size;
    unsigned char mark;
} slot;

static uint32_t draw(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static bool holds(const slot *s) {
    for (size_t i = 0; i < s->size; i += i + 64 < s->size ? 61 : 1) {
        if (s->at[i] != s->mark) {
            return false;
        }
    }
    return true;
}

static size_t some_size(uint32_t *state) {
    uint32_t kind = draw(state) % 100;
    return 1 + (kind < 60 ? draw(state) % 1500 : kind < 99 ? draw(state) % 60000 : draw(state) % (5u << 20));
}

/* One change of a block. False: it does not hold what it should. */
static bool step(const sl_allocator *a, slot *s, uint32_t *state) {
    bool fine = holds(s);
    size_t size = draw(state) % 3 == 0 ? 0 : some_size(state);
    if (!s->at && size > 0 && draw(state) % 2) {
        *s = (slot){a->zeroed(a->user, size), size, 0};
    } else {
        s->at = a->resize(a->user, s->at, s->size, size);
        s->size = s->size < size ? s->size : size;
    }
    fine = fine && (s->at != NULL) == (size > 0) && ((uintptr_t)s->at & 15) == 0 && holds(s);
    s->size = size;
    s->mark = (unsigned char)draw(state);
    if (fine && size > 0) {
        memset(s->at, s->mark, size);
    }
    return fine;
}

static void test_blocks_keep_what_they_hold(void **state) {
    (void)state;
    for (int expected = 0; expected < 2; expected++) {
        sl_heap heap;
        sl_heap_init(&heap);
        sl_heap_expect(&heap, expected ? 100000 : 0);
        sl_allocator a = sl_heap_allocator(&heap);
        slot slots[SLOTS] = {0};
        uint32_t seed = 7;
        for (int i = 0; i < STEPS; i++) {
            assert_true(step(&a, &slots[draw(&seed) % SLOTS], &seed));
        }
        for (int i = 0; i < SLOTS; i++) {
            assert_true(holds(&slots[i]));
            a.resize(a.user, slots[i].at, slots[i].size, 0);
        }
    }
}

static void test_neighbours_become_one(void **state) {
    (void)state;
    enum { N = 8, SIZE = 4096 };
    sl_heap heap;
    sl_heap_init(&heap);
    sl_allocator a = sl_heap_allocator(&heap);
    char *block[N];
    for (int i = 0; i < N; i++) {
        block[i] = a.resize(a.user, NULL, 0, SIZE);
    }
    char *last = a.resize(a.user, NULL, 0, SIZE);
    static const int order[N] = {3, 1, 5, 2, 7, 4, 6, 0};
    for (int i = 0; i < N; i++) {
        a.resize(a.user, block[order[i]], SIZE, 0);
    }
    assert_true(a.resize(a.user, NULL, 0, N * SIZE) == block[0]);
    assert_true(a.resize(a.user, last, SIZE, 2 * SIZE) == last); /* nothing behind it */
    a.resize(a.user, last, 2 * SIZE, 0);
    char *zeros = a.zeroed(a.user, 3 * SIZE);
    assert_true(zeros == last);
    for (int i = 0; i < 3 * SIZE; i++) {
        assert_true(zeros[i] == 0);
    }
}

static void test_refuses_what_there_is_not(void **state) {
    (void)state;
    sl_heap heap;
    sl_heap_init(&heap);
    sl_allocator a = sl_heap_allocator(&heap);
    volatile size_t much = SIZE_MAX / 4, more = SIZE_MAX - 7;
    assert_true(a.resize(a.user, NULL, 0, much) == NULL);
    assert_true(a.zeroed(a.user, more) == NULL);
    char *p = a.resize(a.user, NULL, 0, 100);
    p[99] = 'x';
    assert_true(a.resize(a.user, p, 100, much) == NULL);
    assert_true(p[99] == 'x');
}

typedef struct shared {
    sl_allocator a;
    bool fine[8];
} shared;

static void allocate_in_turn(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)end;
    shared *x = user;
    slot s[10] = {0};
    uint32_t seed = (uint32_t)begin;
    bool fine = true;
    for (int k = 0; k < 2000; k++) {
        fine = step(&x->a, &s[draw(&seed) % 10], &seed) && fine;
    }
    for (int k = 0; k < 10; k++) {
        x->a.resize(x->a.user, s[k].at, s[k].size, 0);
    }
    x->fine[block] = fine;
}

static void test_threads_share_a_heap(void **state) {
    (void)state;
    sl_heap heap;
    sl_heap_init(&heap);
    shared x = {.a = sl_heap_allocator(&heap)};
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(NULL, &ctx));
    sl_pool *pool = NULL;
    sl_assert_ok(sl_pool_create(ctx, 4, &pool));
    sl_pool_for(pool, 8, 1, allocate_in_turn, &x);
    for (int i = 0; i < 8; i++) assert_true(x.fine[i]);
    sl_pool_destroy(pool);
    sl_context_destroy(ctx);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocks_keep_what_they_hold),
        cmocka_unit_test(test_neighbours_become_one),
        cmocka_unit_test(test_refuses_what_there_is_not),
        cmocka_unit_test(test_threads_share_a_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
