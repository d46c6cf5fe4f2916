/* SPDX-License-Identifier: MIT */
/* hdf5_form.c: see hdf5_form.h. */
#include "results/hdf5_form.h"

#include "base/bytes.h"

const unsigned char sl_hdf5_mark[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1A, '\n'};

/* Class and version, three bytes of properties, size; where bits lie. A text is a sequence of bytes, of which it says the type. */
const sl_hdf5_type_form sl_hdf5_types[SL_HDF5_TYPES] = {
    [SL_HDF5_REAL] = {8, 20, {0x11, 0x20, 63, 0, 8, 0, 0, 0, 0, 0, 64, 0, 52, 11, 0, 52, 0xFF, 0x03, 0, 0}},
    [SL_HDF5_INT] = {4, 12, {0x10, 0x08, 0, 0, 4, 0, 0, 0, 0, 0, 32, 0}},
    [SL_HDF5_CODE] = {1, 12, {0x10, 0x08, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0}},
    [SL_HDF5_TEXT] = {SL_HDF5_REFERENCE, 20, {0x19, 1, 1, 0, 16, 0, 0, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0, 8, 0}},
};

static uint32_t rotate(uint32_t x, int k) {
    return x << k | x >> (32 - k);
}

static void mix(uint32_t s[3]) {
    static const int turns[6] = {4, 6, 8, 16, 19, 4};
    for (int i = 0; i < 6; i++) {
        uint32_t *a = &s[i % 3], *b = &s[(i + 1) % 3], *c = &s[(i + 2) % 3];
        *a = (*a - *c) ^ rotate(*c, turns[i]);
        *c += *b;
    }
}

static void mix_last(uint32_t s[3]) {
    static const int turns[7] = {14, 11, 25, 16, 4, 14, 24};
    for (int i = 0; i < 7; i++) {
        uint32_t *to = &s[(i + 2) % 3], from = s[(i + 1) % 3];
        *to = (*to ^ from) - rotate(from, turns[i]);
    }
}

uint32_t sl_hdf5_checksum(const unsigned char *bytes, size_t n) {
    uint32_t s[3];
    s[0] = s[1] = s[2] = 0xDEADBEEFU + (uint32_t)n;
    for (; n > 12; n -= 12, bytes += 12) {
        for (int i = 0; i < 3; i++) {
            s[i] += (uint32_t)sl_load4((const char *)bytes + 4 * i);
        }
        mix(s);
    }
    if (n == 0) {
        return s[2];
    }
    for (size_t i = 0; i < n; i++) {
        s[i / 4] += (uint32_t)bytes[i] << 8 * (i % 4);
    }
    mix_last(s);
    return s[2];
}
