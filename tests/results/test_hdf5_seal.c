/* SPDX-License-Identifier: MIT */
/* The seal of HDF5 files, by itself: every byte that changes outside the values is seen; within them none is looked at. */
#include "base/out.h"
#include "random_results.h"
#include "results/hdf5_form.h"
#include "results/hdf5_seal.h"

enum { SIZE = 200000 };

static sl_hdf5_seal_state state_of(sl_context *ctx, const char *bytes, size_t n) {
    sl_str all = {bytes, n};
    const sl_source_bytes source = random_results_source(&all);
    sl_hdf5_seal_state state = SL_HDF5_SEAL_FOREIGN;
    sl_assert_ok(sl_hdf5_seal_check(ctx, &source, &state, &(uint64_t){0}));
    return state;
}

static void test_seal(void **unused) {
    (void)unused;
    sl_test_memory m = {0};
    sl_context *ctx = sl_test_context(&m);
    uint64_t seed = 4;
    char *file = malloc(SIZE + 1000), *seal = NULL;
    for (int i = 0; i < SIZE; i++) {
        file[i] = (char)sl_test_random(&seed);
    }
    memcpy(file + 100, "sluice_format", 13);
    const sl_hdf5_range parts[] = {{1008, 50000}, {51008, 20000}, {150000, 504}}; /* two of them neighbours */
    sl_hdf5_seal made = {0};
    uint64_t from = SL_HDF5_SUPERBLOCK;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        sl_hdf5_seal_add(&made, file + from, parts[i].at - from);
        assert_true(sl_hdf5_seal_skip(ctx, &made, parts[i].at, parts[i].n));
        from = parts[i].at + parts[i].n;
    }
    assert_int_equal(made.ranges.n, 2);
    sl_hdf5_seal_add(&made, file + from, SIZE - from);
    sl_hdf5_seal_add(&made, file, SL_HDF5_SUPERBLOCK);
    size_t n = 0;
    seal = sl_hdf5_seal_make(ctx, &made, SIZE, &n);
    assert_non_null(seal);
    assert_int_equal(n, 2 * 16 + SL_HDF5_SEAL_END);
    memcpy(file + SIZE, seal, n);
    assert_int_equal(state_of(ctx, file, SIZE + n), SL_HDF5_SEAL_WHOLE);
    for (int k = 0; k < 500; k++) {
        int64_t at = k < (int)n ? SIZE + k : sl_test_below(&seed, SIZE);
        bool value = (at >= 1008 && at < 71008) || (at >= 150000 && at < 150504);
        file[at] ^= 0x40;
        assert_int_equal(state_of(ctx, file, SIZE + n), value ? SL_HDF5_SEAL_WHOLE : SL_HDF5_SEAL_BROKEN);
        file[at] ^= 0x40;
    }
    file[15] ^= (char)0x80; /* the top bits of neighbours, which a simple sum would lose */
    file[23] ^= (char)0x80;
    assert_int_equal(state_of(ctx, file, SIZE + n), SL_HDF5_SEAL_BROKEN);
    assert_int_equal(state_of(ctx, file, SIZE), SL_HDF5_SEAL_BROKEN);
    assert_int_equal(state_of(ctx, file + 200, 10), SL_HDF5_SEAL_BROKEN); /* no superblock is that short */
    memset(file, 0, 1000);
    assert_int_equal(state_of(ctx, file, 1000), SL_HDF5_SEAL_FOREIGN);
    sl_free(ctx, seal, n);
    sl_hdf5_seal_fini(ctx, &made);
    free(file);
    sl_test_context_end(ctx, &m);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_seal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
