/* SPDX-License-Identifier: MIT */
/* sl_test.h: what every unit test includes, and nothing else for testing.
 *
 * cmocka 1.1.5 wants several headers before its own and has no comparison of doubles; both are settled here.
 * Beside the assertions: an allocator that counts what is live and can refuse the n-th request, a sweep
 * that refuses each request in turn, and a small repeatable generator of numbers.
 */
#ifndef SL_TEST_H
#define SL_TEST_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sluice/base.h>

/* ---- Assertions --------------------------------------------------------------------------------- */

static inline void sl_test_near(double actual, double expected, double abs_tol, double rel_tol, const char *what,
                                const char *file, int line) {
    double tolerance = fmax(abs_tol, rel_tol * fabs(expected));
    if (!(fabs(actual - expected) <= tolerance)) { /* NaN fails */
        print_error("%s is %.17g, expected %.17g: off by %.3g, allowed %.3g\n", what, actual, expected,
                    fabs(actual - expected), tolerance);
        _fail(file, line);
    }
}

static inline void sl_test_same(double actual, double expected, const char *what, const char *file, int line) {
    if (!(actual == expected || (isnan(actual) && isnan(expected)))) {
        print_error("%s is %.17g (%a), expected exactly %.17g (%a)\n", what, actual, actual, expected, expected);
        _fail(file, line);
    }
}

static inline void sl_test_bits(double actual, double expected, const char *what, const char *file, int line) {
    if (memcmp(&actual, &expected, sizeof actual) != 0) {
        print_error("%s is %a, expected the bits of %a\n", what, actual, expected);
        _fail(file, line);
    }
}

static inline void sl_test_text(sl_str actual, sl_str expected, const char *what, const char *file, int line) {
    if (!sl_str_equal(actual, expected)) {
        print_error("%s is\n%.*s\nexpected\n%.*s\n", what, (int)actual.len, actual.len ? actual.ptr : "",
                    (int)expected.len, expected.len ? expected.ptr : "");
        _fail(file, line);
    }
}

static inline void sl_test_status(sl_status actual, sl_status expected, const char *what, const char *file, int line) {
    if (actual != expected) {
        print_error("%s gave \"%s\", expected \"%s\"\n", what, sl_status_text(actual), sl_status_text(expected));
        _fail(file, line);
    }
}

/* |actual - expected| within the larger of the absolute and the relative tolerance */
#define sl_assert_near(actual, expected, abs_tol, rel_tol) \
    sl_test_near((actual), (expected), (abs_tol), (rel_tol), #actual, __FILE__, __LINE__)
#define sl_assert_abs(actual, expected, tol) sl_assert_near(actual, expected, tol, 0.0)
#define sl_assert_rel(actual, expected, tol) sl_assert_near(actual, expected, 0.0, tol)
/* Equal by ==; NaN equals NaN */
#define sl_assert_double(actual, expected) sl_test_same((actual), (expected), #actual, __FILE__, __LINE__)
/* Equal in every bit: -0 is not 0 */
#define sl_assert_bits(actual, expected) sl_test_bits((actual), (expected), #actual, __FILE__, __LINE__)
/* sl_str against a C string */
#define sl_assert_str(actual, expected) sl_test_text((actual), sl_str_z(expected), #actual, __FILE__, __LINE__)
/* C strings, shown on lines of their own */
#define sl_assert_z(actual, expected) sl_test_text(sl_str_z(actual), sl_str_z(expected), #actual, __FILE__, __LINE__)
/* n bytes against a C string */
#define sl_assert_bytes(ptr, n, expected) \
    sl_test_text((sl_str){(ptr), (size_t)(n)}, sl_str_z(expected), #ptr, __FILE__, __LINE__)
#define sl_assert_status(actual, expected) sl_test_status((actual), (expected), #actual, __FILE__, __LINE__)
#define sl_assert_ok(actual) sl_assert_status(actual, SL_OK)

/* A call fills the structure that it is given, named `name` here: nothing without a size, and no more than its size. */
#define sl_assert_sized(type, name, call)                                                        \
    do {                                                                                         \
        type name;                                                                               \
        const size_t sized_half = (sizeof(size_t) + sizeof name) / 2;                            \
        unsigned char sized_bytes[sizeof name];                                                  \
        memset(&name, 0xA5, sizeof name);                                                        \
        name.size = 0;                                                                           \
        sl_assert_status(call, SL_ERR_USE);                                                      \
        memset(&name, 0xA5, sizeof name);                                                        \
        name.size = sized_half;                                                                  \
        sl_assert_ok(call);                                                                      \
        assert_int_equal(name.size, sized_half);                                                 \
        memcpy(sized_bytes, &name, sizeof name);                                                 \
        assert_true(sized_bytes[sizeof(size_t)] != 0xA5 || sized_bytes[sized_half - 1] != 0xA5); \
        for (size_t sized_i = sized_half; sized_i < sizeof name; sized_i++) {                    \
            assert_int_equal(sized_bytes[sized_i], 0xA5);                                        \
        }                                                                                        \
    } while (0)

/* ---- Memory ------------------------------------------------------------------------------------- */

/* Set fail_at before use; the rest is counted. May be used from several threads. */
typedef struct sl_test_memory {
    int64_t fail_at;    /* the request (from 1) to refuse; 0: none */
    bool fail_on;       /* refuse all later ones too */
    int64_t n_request;  /* allocations and growths asked for */
    int64_t n_refused;  /* of those, refused */
    int64_t n_block;    /* live */
    int64_t n_byte;     /* live */
    int64_t n_mismatch; /* blocks given back with another size than they had */
} sl_test_memory;

enum { SL_TEST_HEAD = 64 }; /* bytes before a block: its size, and alignment kept */

static inline void sl_test_give_back(sl_test_memory *m, char *base, size_t old_size) {
    size_t size;
    memcpy(&size, base, sizeof size);
    if (size != old_size) {
        __atomic_add_fetch(&m->n_mismatch, 1, __ATOMIC_SEQ_CST);
    }
    __atomic_sub_fetch(&m->n_block, 1, __ATOMIC_SEQ_CST);
    __atomic_sub_fetch(&m->n_byte, (int64_t)size, __ATOMIC_SEQ_CST);
    memset(base, 0xDD, SL_TEST_HEAD + size);
    free(base);
}

/* Always moves, so that a pointer kept across a growth is found out. */
static inline void *sl_test_resize(void *user, void *ptr, size_t old_size, size_t new_size) {
    sl_test_memory *m = (sl_test_memory *)user;
    char *base = ptr ? (char *)ptr - SL_TEST_HEAD : NULL;
    if (new_size == 0) {
        if (base) {
            sl_test_give_back(m, base, old_size);
        }
        return NULL;
    }
    int64_t request = __atomic_add_fetch(&m->n_request, 1, __ATOMIC_SEQ_CST);
    if (m->fail_at > 0 && (request == m->fail_at || (m->fail_on && request > m->fail_at))) {
        __atomic_add_fetch(&m->n_refused, 1, __ATOMIC_SEQ_CST);
        return NULL;
    }
    char *fresh = new_size <= PTRDIFF_MAX - SL_TEST_HEAD ? (char *)malloc(SL_TEST_HEAD + new_size) : NULL;
    if (!fresh) {
        return NULL;
    }
    memset(fresh, 0xA5, SL_TEST_HEAD + new_size);
    memcpy(fresh, &new_size, sizeof new_size);
    __atomic_add_fetch(&m->n_block, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&m->n_byte, (int64_t)new_size, __ATOMIC_SEQ_CST);
    if (base) {
        memcpy(fresh + SL_TEST_HEAD, ptr, old_size < new_size ? old_size : new_size);
        sl_test_give_back(m, base, old_size);
    }
    return fresh + SL_TEST_HEAD;
}

static inline sl_allocator sl_test_allocator(sl_test_memory *m) {
    return (sl_allocator){.size = sizeof(sl_allocator), .user = m, .resize = sl_test_resize};
}

/* A context on this memory with n_thread threads; the memory must outlive it. */
static inline sl_context *sl_test_context_threads(sl_test_memory *m, int32_t n_thread) {
    sl_context_def def = sl_context_default();
    const sl_allocator allocator = sl_test_allocator(m);
    def.allocator = &allocator;
    def.n_thread = n_thread;
    sl_context *ctx = NULL;
    sl_assert_ok(sl_context_create(&def, &ctx));
    return ctx;
}

static inline sl_context *sl_test_context(sl_test_memory *m) {
    return sl_test_context_threads(m, 1);
}

/* Destroys the context and checks that everything came back, in its true size. */
#define sl_test_context_end(ctx, m)           \
    do {                                      \
        sl_context_destroy(ctx);              \
        assert_int_equal((m)->n_block, 0);    \
        assert_int_equal((m)->n_byte, 0);     \
        assert_int_equal((m)->n_mismatch, 0); \
    } while (0)

/* Runs fn again and again and refuses its first, second, ... request until a run has none refused; after
 * each run nothing may be left. Twice: one refusal, and all requests from there on. Returns the runs made.
 * fn gets the number of refusals through m if it wants to know. */
static inline int64_t sl_test_sweep(void (*fn)(sl_context *ctx, sl_test_memory *m, void *user), void *user) {
    int64_t runs = 0;
    for (int on = 0; on < 2; on++) {
        for (int64_t k = 1;; k++) {
            sl_test_memory m = {0};
            sl_context *ctx = sl_test_context(&m);
            m.n_request = 0;
            m.fail_at = k;
            m.fail_on = on;
            fn(ctx, &m, user);
            bool refused = m.n_refused > 0;
            sl_test_context_end(ctx, &m);
            runs++;
            if (!refused) {
                break;
            }
        }
    }
    return runs;
}

/* ---- Texts -------------------------------------------------------------------------------------- */

#define assert_has(text, part)                                  \
    do {                                                        \
        if (!strstr((text), (part))) {                          \
            print_error("no \"%s\" in:\n%s\n", (part), (text)); \
            fail();                                             \
        }                                                       \
    } while (0)
#define assert_lacks(text, part)                                \
    do {                                                        \
        if (strstr((text), (part))) {                           \
            print_error("\"%s\" is in:\n%s\n", (part), (text)); \
            fail();                                             \
        }                                                       \
    } while (0)

/* ---- Numbers ------------------------------------------------------------------------------------ */

/* The next of a repeatable sequence of 64 random bits (splitmix64); start *state anywhere. */
static inline uint64_t sl_test_random(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* A whole number in [0, n) */
static inline int64_t sl_test_below(uint64_t *state, int64_t n) {
    return (int64_t)(sl_test_random(state) % (uint64_t)n);
}

/* In [0, 1) */
static inline double sl_test_unit(uint64_t *state) {
    return (double)(sl_test_random(state) >> 11) * 0x1p-53;
}

#endif
