/* SPDX-License-Identifier: MIT */
/* Offsets against all permutations of small systems, and on long chains. */
#include "sl_test.h"

#include "base/memory.h"
#include "dae/offsets.h"
#include "dae/structure.h"

enum { MOST = 6 };

/* The largest sum of orders over complete matchings by trying all; its matching in best. -1: there is none. */
static int try_all(int32_t n, int8_t sigma[MOST][MOST], int32_t i, unsigned used, int32_t *col_of, int32_t *best) {
    int most = -1;
    if (i == n) {
        memcpy(best, col_of, (size_t)n * sizeof *best);
        return 0;
    }
    for (int32_t j = 0; j < n; j++) {
        int32_t found[MOST];
        if (sigma[i][j] < 0 || (used >> j & 1u)) {
            continue;
        }
        col_of[i] = j;
        int rest = try_all(n, sigma, i + 1, used | 1u << j, col_of, found);
        if (rest >= 0 && rest + sigma[i][j] > most) {
            most = rest + sigma[i][j];
            memcpy(best, found, (size_t)n * sizeof *best);
        }
    }
    return most;
}

/* The smallest offsets for a matching, by repetition. */
static void settle(int32_t n, int8_t sigma[MOST][MOST], const int32_t *col_of, int32_t *c, int32_t *d) {
    memset(c, 0, MOST * sizeof *c);
    for (bool changed = true; changed;) {
        changed = false;
        for (int32_t j = 0; j < n; j++) {
            d[j] = 0;
            for (int32_t i = 0; i < n; i++) {
                d[j] = sigma[i][j] >= 0 && sigma[i][j] + c[i] > d[j] ? sigma[i][j] + c[i] : d[j];
            }
        }
        for (int32_t i = 0; i < n; i++) {
            int32_t wanted = d[col_of[i]] - sigma[i][col_of[i]];
            changed = changed || wanted > c[i];
            c[i] = wanted > c[i] ? wanted : c[i];
        }
    }
}

static void test_against_all_permutations(void **state) {
    (void)state;
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    uint64_t seed = 3;
    int32_t n_checked = 0;
    for (int round = 0; round < 4000; round++) {
        int8_t sigma[MOST][MOST];
        int32_t n = 1 + (int32_t)sl_test_below(&seed, MOST), start[MOST + 1] = {0}, col[MOST * MOST], m = 0;
        uint8_t order[MOST * MOST];
        int64_t dense = 2 + sl_test_below(&seed, 3), highest = 1 + sl_test_below(&seed, 3);
        for (int32_t i = 0; i < n; i++) {
            for (int32_t j = 0; j < n; j++) {
                bool occurs = sl_test_below(&seed, dense) == 0;
                sigma[i][j] = (int8_t)(occurs ? sl_test_below(&seed, highest + 1) : -1);
                if (occurs) {
                    col[m] = j;
                    order[m++] = (uint8_t)sigma[i][j];
                }
            }
            start[i + 1] = m;
        }
        int32_t col_of[MOST], best[MOST], c[MOST], d[MOST];
        int most = try_all(n, sigma, 0, 0, col_of, best);
        if (most < 0) {
            continue;
        }
        sl_offsets o;
        settle(n, sigma, best, c, d);
        sl_assert_ok(sl_offsets_init(&o, ctx, n, start, col, order));
        for (int32_t i = 0; i < n; i++) {
            assert_int_equal(o.c[i], c[i]);
            assert_int_equal(o.d[i], d[i]);
            most -= sigma[i][o.col_of[i]];
        }
        assert_int_equal(most, 0);
        n_checked++;
        sl_offsets_fini(&o);
    }
    assert_true(n_checked > 1000);
    sl_test_context_end(ctx, &memory);
}

/* Masses that move as one: x_i' = v_i, m v_i' = f_i - f_(i+1), x_i = x_(i+1); the last one is free. Equations come in an order that is
 * not the chain's. */
static void test_rigid_chain(void **state) {
    (void)state;
    enum { N_MASS = 33333, N = 3 * N_MASS - 1 };
    sl_test_memory memory = {0};
    sl_context *ctx = sl_test_context(&memory);
    /* columns: x_i = 3 i, v_i = 3 i + 1, f_i = 3 i + 2 (between i and i + 1) */
    int32_t *count = calloc(N + 1, sizeof *count), *row = malloc(4 * N * sizeof *row);
    uint8_t *kind = malloc(4 * N);
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < N_MASS; i++) {
            int32_t at = (int32_t)((int64_t)i * 7919 % N_MASS), last = N_MASS - 1;
            const struct {
                int32_t col, row;
                uint8_t kind;
                bool is_there;
            } entries[] = {{3 * at, at, SL_DAE_DX, true},
                           {3 * at + 1, at, SL_DAE_X, true},
                           {3 * at + 1, N_MASS + at, SL_DAE_DX, true},
                           {3 * at - 1, N_MASS + at, SL_DAE_X, at > 0},
                           {3 * at + 2, N_MASS + at, SL_DAE_X, at < last},
                           {3 * at, 2 * N_MASS + at, SL_DAE_X, at < last},
                           {3 * at + 3, 2 * N_MASS + at, SL_DAE_X, at < last}};
            for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
                if (entries[k].is_there && pass == 0) {
                    count[entries[k].col + 1]++;
                } else if (entries[k].is_there) {
                    int32_t to = count[entries[k].col]++;
                    row[to] = entries[k].row;
                    kind[to] = entries[k].kind;
                }
            }
        }
        for (int32_t j = 0; pass == 0 && j < N; j++) {
            count[j + 1] += count[j];
        }
    }
    memmove(count + 1, count, N * sizeof *count);
    count[0] = 0;
    for (int32_t j = 0; j < N; j++) { /* at most four rows each: in rising order */
        for (int32_t a = count[j] + 1; a < count[j + 1]; a++) {
            for (int32_t b = a; b > count[j] && row[b - 1] > row[b]; b--) {
                int32_t r = row[b];
                uint8_t k = kind[b];
                row[b] = row[b - 1], row[b - 1] = r;
                kind[b] = kind[b - 1], kind[b - 1] = k;
            }
        }
    }
    sl_dae_structure s;
    sl_assert_ok(sl_dae_analyse(ctx, &(sl_dae_pattern){N, N, count, row, kind}, NULL, NULL, &s));
    assert_int_equal(s.index, 3);
    assert_int_equal(s.n_free, 2);
    free(count);
    free(row);
    free(kind);
    sl_test_context_end(ctx, &memory);
}

static void find_once(sl_context *ctx, sl_test_memory *m, void *user) {
    static const int32_t start[] = {0, 2, 3}, col[] = {0, 1, 0};
    static const uint8_t order[] = {1, 0, 0};
    sl_offsets o;
    (void)user;
    sl_status status = sl_offsets_init(&o, ctx, 2, start, col, order);
    assert_int_equal(status, m->n_refused ? SL_ERR_MEMORY : SL_OK);
    sl_offsets_fini(&o);
}

static void test_memory_short(void **state) {
    (void)state;
    assert_true(sl_test_sweep(find_once, NULL) > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_all_permutations),
        cmocka_unit_test(test_rigid_chain),
        cmocka_unit_test(test_memory_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
