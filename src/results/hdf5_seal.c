/* SPDX-License-Identifier: MIT */
/* hdf5_seal.c: see hdf5_seal.h. */
#include "results/hdf5_seal.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1 << 16, HEAD = 1 << 18 /* bytes in which names of attributes of the file stand */ };

static const char mark[8] = {'S', 'L', 'U', 'I', 'C', 'E', 'H', '5'};

static uint64_t get_word(const unsigned char *p) {
    uint64_t x = 0;
    for (int i = 7; i >= 0; i--) {
        x = x << 8 | p[i];
    }
    return x;
}

static void put_word(char *p, uint64_t x) {
    for (int i = 0; i < 8; i++) {
        p[i] = (char)(unsigned char)(x >> 8 * i);
    }
}

/* Each step is one-to-one in the word and in the hash: a change of one word is always seen. */
static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

static uint64_t mix_bytes(uint64_t hash, const unsigned char *p, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        hash = mix(hash, get_word(p + i));
    }
    unsigned char tail[8] = {0};
    memcpy(tail, p + i, n - i);
    return mix(mix(hash, get_word(tail)), n);
}

/* ---- Ranges ------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    uint64_t x = ((const sl_hdf5_range *)a)->at, y = ((const sl_hdf5_range *)b)->at;
    return (x > y) - (x < y);
}

void sl_hdf5_ranges_join(sl_hdf5_ranges *ranges) {
    if (ranges->n == 0) {
        return;
    }
    qsort(ranges->at, (size_t)ranges->n, sizeof *ranges->at, compare);
    int64_t n = 0;
    for (int64_t i = 1; i < ranges->n; i++) {
        sl_hdf5_range *last = &ranges->at[n];
        if (ranges->at[i].at == last->at + last->n) {
            last->n += ranges->at[i].n;
        } else {
            ranges->at[++n] = ranges->at[i];
        }
    }
    ranges->n = n + 1;
}

/* ---- Hash --------------------------------------------------------------------------------------- */

static sl_status hash_part(const sl_source_bytes *bytes, uint64_t from, uint64_t to, unsigned char *block,
                           uint64_t *hash) {
    sl_status status = SL_OK;
    for (uint64_t at = from; at < to && status == SL_OK; at += BLOCK) {
        size_t n = to - at < BLOCK ? (size_t)(to - at) : BLOCK;
        status = bytes->read(bytes->user, at, block, n);
        *hash = status == SL_OK ? mix_bytes(*hash, block, n) : *hash;
    }
    return status;
}

/* Ranges are within the size, in order. */
static sl_status hash_all(sl_context *ctx, const sl_source_bytes *bytes, uint64_t size, const sl_hdf5_range *ranges,
                          int64_t n, uint64_t *hash) {
    unsigned char *block = sl_alloc(ctx, BLOCK);
    sl_status status = block ? SL_OK : SL_ERR_MEMORY;
    uint64_t at = 0;
    *hash = mix(mix(0, (uint64_t)n), size);
    for (int64_t i = 0; i < n && status == SL_OK; i++) {
        *hash = mix(mix(*hash, ranges[i].at), ranges[i].n);
        status = hash_part(bytes, at, ranges[i].at, block, hash);
        at = ranges[i].at + ranges[i].n;
    }
    status = status == SL_OK ? hash_part(bytes, at, size, block, hash) : status;
    sl_free(ctx, block, BLOCK);
    return status;
}

sl_status sl_hdf5_seal_make(sl_context *ctx, const sl_source_bytes *bytes, const sl_hdf5_ranges *ranges, char **seal,
                            size_t *n) {
    uint64_t hash = 0;
    sl_status status = hash_all(ctx, bytes, bytes->size, ranges->at, ranges->n, &hash);
    *n = (size_t)ranges->n * 16 + SL_HDF5_SEAL_END;
    *seal = status == SL_OK ? sl_alloc(ctx, *n) : NULL;
    if (!*seal) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    char *to = *seal;
    for (int64_t i = 0; i < ranges->n; i++, to += 16) {
        put_word(to, ranges->at[i].at);
        put_word(to + 8, ranges->at[i].n);
    }
    put_word(to, (uint64_t)ranges->n);
    put_word(to + 8, bytes->size);
    put_word(to + 16, hash);
    memcpy(to + 24, mark, sizeof mark);
    return SL_OK;
}

/* ---- Checking ----------------------------------------------------------------------------------- */

static bool has_text(const char *bytes, size_t n, const char *text) {
    size_t k = strlen(text);
    for (const char *p = bytes; p && (size_t)(p - bytes) + k <= n; p++) {
        p = memchr(p, text[0], n - k + 1 - (size_t)(p - bytes));
        if (!p) {
            return false;
        }
        if (memcmp(p, text, k) == 0) {
            return true;
        }
    }
    return false;
}

/* Whose file is it that has no valid seal? By the names of its attributes. */
static sl_status guess(sl_context *ctx, const sl_source_bytes *bytes, sl_hdf5_seal_state *state) {
    size_t n = bytes->size < HEAD ? (size_t)bytes->size : HEAD;
    char *head = n > 0 ? sl_alloc(ctx, n) : NULL;
    sl_status status = head ? bytes->read(bytes->user, 0, head, n) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        *state = has_text(head, n, "sluice_format")                                    ? SL_HDF5_SEAL_BROKEN
                 : has_text(head, n, "program_version") && has_text(head, n, "sluice") ? SL_HDF5_SEAL_OLD
                                                                                       : SL_HDF5_SEAL_FOREIGN;
    }
    sl_free(ctx, head, n);
    return status;
}

/* The list of ranges: within the file, in order. SL_ERR_INPUT: it is not. */
static sl_status read_ranges(const sl_source_bytes *bytes, uint64_t size, sl_hdf5_range *ranges, int64_t n) {
    uint64_t at = 0;
    sl_status status = SL_OK;
    for (int64_t i = 0; i < n && status == SL_OK; i++) {
        unsigned char pair[16];
        status = bytes->read(bytes->user, size + 16 * (uint64_t)i, pair, sizeof pair);
        if (status == SL_OK) {
            ranges[i] = (sl_hdf5_range){get_word(pair), get_word(pair + 8)};
            bool fine = ranges[i].at >= at && ranges[i].at <= size && ranges[i].n <= size - ranges[i].at;
            at = ranges[i].at + ranges[i].n;
            status = fine ? SL_OK : SL_ERR_INPUT;
        }
    }
    return status;
}

sl_status sl_hdf5_seal_check(sl_context *ctx, const sl_source_bytes *bytes, sl_hdf5_seal_state *state) {
    unsigned char end[SL_HDF5_SEAL_END] = {0};
    *state = SL_HDF5_SEAL_FOREIGN;
    uint64_t rest = bytes->size > sizeof end ? bytes->size - sizeof end : 0;
    sl_status status = rest > 0 ? bytes->read(bytes->user, rest, end, sizeof end) : SL_OK;
    if (status != SL_OK) {
        return status;
    }
    uint64_t n = get_word(end), size = get_word(end + 8), hash = 0;
    if (memcmp(end + 24, mark, sizeof mark) != 0 || size > rest || n != (rest - size) / 16 || (rest - size) % 16 != 0) {
        return guess(ctx, bytes, state);
    }
    size_t list_size = (size_t)(n + 1) * sizeof(sl_hdf5_range);
    sl_hdf5_range *ranges = sl_alloc(ctx, list_size);
    status = ranges ? read_ranges(bytes, size, ranges, (int64_t)n) : SL_ERR_MEMORY;
    status = status == SL_OK ? hash_all(ctx, bytes, size, ranges, (int64_t)n, &hash) : status;
    sl_free(ctx, ranges, list_size);
    bool whole = status == SL_OK && hash == get_word(end + 16);
    *state = whole ? SL_HDF5_SEAL_WHOLE : SL_HDF5_SEAL_BROKEN;
    return status == SL_ERR_INPUT ? SL_OK : status;
}
