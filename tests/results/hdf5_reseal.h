/* SPDX-License-Identifier: MIT */
/* hdf5_reseal.h: an HDF5 result whose bytes were changed gets checksums and a seal that fit, as somebody would make it who means harm:
 * what the file says then comes to the reader's own checks. Used by tests and by the fuzzer. */
#ifndef SL_TESTS_HDF5_RESEAL_H
#define SL_TESTS_HDF5_RESEAL_H

#include <string.h>

#include "base/bytes.h"
#include "results/hdf5_form.h"
#include "results/hdf5_seal.h"

static void hdf5_put_checksum(char *at, size_t n) {
    const uint32_t sum = sl_hdf5_checksum((const unsigned char *)at, n);
    for (int i = 0; i < 4; i++) {
        at[n + (size_t)i] = (char)(unsigned char)(sum >> 8 * i);
    }
}

/* The size of the HDF5 part: what may be changed. */
static uint64_t hdf5_part(const char *file, size_t n) {
    return sl_load8(file + n - SL_HDF5_SEAL_END + 8);
}

static void hdf5_reseal(sl_context *ctx, char *file, size_t n) {
    const uint64_t size = hdf5_part(file, n);
    sl_hdf5_seal seal = {0};
    uint64_t at = SL_HDF5_SUPERBLOCK;
    for (size_t i = 0; i + SL_HDF5_HEADER_HEAD + 4 <= size; i += 8) {
        const uint64_t length = memcmp(file + i, "OHDR", 4) == 0 ? sl_load4(file + i + 6) + SL_HDF5_HEADER_HEAD : 0;
        if (length > 0 && i + length + 4 <= size) {
            hdf5_put_checksum(file + i, (size_t)length);
        }
    }
    hdf5_put_checksum(file, SL_HDF5_SUPERBLOCK - 4);
    const char *range = file + size;
    for (; range < file + n - SL_HDF5_SEAL_END; range += 16) {
        const uint64_t from = sl_load8(range), length = sl_load8(range + 8);
        sl_hdf5_seal_add(&seal, file + at, (size_t)(from - at));
        (void)sl_hdf5_seal_skip(ctx, &seal, from, length);
        at = from + length;
    }
    sl_hdf5_seal_add(&seal, file + at, (size_t)(size - at));
    sl_hdf5_seal_add(&seal, file, SL_HDF5_SUPERBLOCK);
    size_t n_seal = 0;
    char *bytes = sl_hdf5_seal_make(ctx, &seal, size, &n_seal);
    if (bytes) {
        memcpy(file + size, bytes, n_seal);
    }
    sl_free(ctx, bytes, bytes ? n_seal : 0);
    sl_hdf5_seal_fini(ctx, &seal);
}

#endif
