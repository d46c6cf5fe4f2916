/* SPDX-License-Identifier: MIT */
/* out_layout.h: sizes and numbers of EPANET's binary result file, shared by its reader and its writer.
 * docs/reference/outfile.md has the layout in words. */
#ifndef SL_RESULTS_OUT_LAYOUT_H
#define SL_RESULTS_OUT_LAYOUT_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <sluice/results.h>

enum {
    SL_OUTFILE_MAGIC = 516114521,
    SL_OUTFILE_VERSION = 20012,
    SL_OUTFILE_N_HEAD = 15, /* integers */
    SL_OUTFILE_TITLE = 80,  /* bytes, the NUL included; so below */
    SL_OUTFILE_NAME = 260,
    SL_OUTFILE_ID = 32,
    SL_OUTFILE_ENERGY = 28, /* bytes of a pump */
    SL_OUTFILE_EPILOG = 28,
    SL_OUTFILE_NODE = 4, /* floats of a node in a period */
    SL_OUTFILE_LINK = 8
};

/* How many bytes of a text a field of this width keeps: cut between characters, room for a NUL. */
static inline size_t sl_outfile_text_bytes(const char *text, size_t width) {
    size_t n = strlen(text);
    if (n > width - 1) {
        n = width - 1;
        while (n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80) {
            n--;
        }
    }
    return n;
}

/* Bytes before the first period. Counts are below 2^31, so nothing here overflows. */
static inline uint64_t sl_outfile_head_size(const sl_outfile_info *f) {
    uint64_t n_node = (uint64_t)f->n_node, n_link = (uint64_t)f->n_link;
    return 4 * SL_OUTFILE_N_HEAD + 3 * SL_OUTFILE_TITLE + 2 * SL_OUTFILE_NAME + 2 * SL_OUTFILE_ID +
           SL_OUTFILE_ID * (n_node + n_link) + 20 * n_link + 8 * (uint64_t)f->n_fixed + 4 * n_node +
           SL_OUTFILE_ENERGY * (uint64_t)f->n_pump + 4;
}

/* Where a variable begins among the floats of a period. */
static inline uint64_t sl_outfile_variable_at(sl_out_variable v, int32_t n_node, int32_t n_link) {
    return v < SL_OUT_FLOW ? (uint64_t)v * (uint64_t)n_node
                           : SL_OUTFILE_NODE * (uint64_t)n_node + (uint64_t)(v - SL_OUT_FLOW) * (uint64_t)n_link;
}

/* Words in place between the file's order of bytes (little endian) and the machine's: nothing happens on most. */
static inline void sl_outfile_fix_words(void *words, size_t n) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    (void)words;
    (void)n;
#else
    unsigned char *b = words;
    for (size_t i = 0; i < n; i++, b += 4) {
        uint32_t x = (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
        memcpy(b, &x, 4);
    }
#endif
}

/* A number that the file can hold: what is not finite becomes 0. */
static inline float sl_outfile_float(double x) {
    return fabs(x) <= (double)FLT_MAX ? (float)x : 0.0f;
}

#endif
