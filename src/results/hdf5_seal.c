/* SPDX-License-Identifier: MIT */
/* hdf5_seal.c: see hdf5_seal.h. */
#include "results/hdf5_seal.h"

#include <string.h>

#include "base/bytes.h"
#include "results/hdf5_form.h"

enum { BLOCK = 1 << 16, HEAD = 1 << 18 /* bytes in which names of attributes of the file stand, of older files */ };

static const char mark[8] = {'S', 'L', 'U', 'I', 'C', 'E', '-', '3'},
                  old_mark[8] = {'S', 'L', 'U', 'I', 'C', 'E', 'H', '5'};

/* Each step is one-to-one in the word and in the hash: a change of one word is always seen. */
static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ hash >> 32;
}

void sl_hdf5_seal_add(sl_hdf5_seal *seal, const void *bytes, size_t n) {
    uint64_t hash = seal->hash;
    for (size_t i = 0; i < n; i += 8) {
        hash = mix(hash, sl_load8((const char *)bytes + i));
    }
    seal->hash = hash;
}

bool sl_hdf5_seal_skip(sl_context *ctx, sl_hdf5_seal *seal, uint64_t at, uint64_t n) {
    sl_hdf5_range *last = seal->ranges.n > 0 ? &seal->ranges.at[seal->ranges.n - 1] : NULL;
    if (last && last->at + last->n == at) {
        last->n += n;
        return true;
    }
    const sl_hdf5_range range = {at, n};
    return SL_PUSH(ctx, &seal->ranges, range);
}

/* What stands behind the HDF5 part: what was left out, and how long the rest is. */
static uint64_t close_hash(const sl_hdf5_seal *seal, uint64_t size) {
    uint64_t hash = mix(mix(seal->hash, size), (uint64_t)seal->ranges.n);
    for (int64_t i = 0; i < seal->ranges.n; i++) {
        hash = mix(mix(hash, seal->ranges.at[i].at), seal->ranges.at[i].n);
    }
    return hash;
}

char *sl_hdf5_seal_make(sl_context *ctx, sl_hdf5_seal *seal, uint64_t size, size_t *n) {
    *n = (size_t)seal->ranges.n * 16 + SL_HDF5_SEAL_END;
    char *out = sl_alloc(ctx, *n), *to = out;
    if (!out) {
        return NULL;
    }
    for (int64_t i = 0; i < seal->ranges.n; i++, to += 16) {
        sl_store8(to, seal->ranges.at[i].at);
        sl_store8(to + 8, seal->ranges.at[i].n);
    }
    sl_store8(to, (uint64_t)seal->ranges.n);
    sl_store8(to + 8, size);
    sl_store8(to + 16, close_hash(seal, size));
    memcpy(to + 24, mark, sizeof mark);
    return out;
}

void sl_hdf5_seal_fini(sl_context *ctx, sl_hdf5_seal *seal) {
    SL_ARRAY_FINI(ctx, &seal->ranges);
}

/* ---- Checking ----------------------------------------------------------------------------------- */

static sl_status hash_part(const sl_source_bytes *bytes, uint64_t from, uint64_t to, char *block, sl_hdf5_seal *seal) {
    sl_status status = SL_OK;
    for (uint64_t at = from; at < to && status == SL_OK; at += BLOCK) {
        size_t n = to - at < BLOCK ? (size_t)(to - at) : BLOCK;
        status = bytes->read(bytes->user, at, block, n);
        if (status == SL_OK) {
            sl_hdf5_seal_add(seal, block, n);
        }
    }
    return status;
}

/* The ranges are within the size, in order. */
static sl_status hash_all(sl_context *ctx, const sl_source_bytes *bytes, uint64_t size, sl_hdf5_seal *seal) {
    char *block = sl_alloc(ctx, BLOCK);
    sl_status status = block ? SL_OK : SL_ERR_MEMORY;
    uint64_t at = SL_HDF5_SUPERBLOCK;
    for (int64_t i = 0; i < seal->ranges.n && status == SL_OK; i++) {
        status = hash_part(bytes, at, seal->ranges.at[i].at, block, seal);
        at = seal->ranges.at[i].at + seal->ranges.at[i].n;
    }
    status = status == SL_OK ? hash_part(bytes, at, size, block, seal) : status;
    status = status == SL_OK ? hash_part(bytes, 0, SL_HDF5_SUPERBLOCK, block, seal) : status;
    sl_free(ctx, block, BLOCK);
    return status;
}

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

/* Is the file shorter than its superblock says? */
static sl_status is_cut_off(const sl_source_bytes *bytes, bool *cut) {
    char head[SL_HDF5_SUPERBLOCK];
    *cut = bytes->size < sizeof head;
    sl_status status = *cut ? SL_OK : bytes->read(bytes->user, 0, head, sizeof head);
    if (status == SL_OK && !*cut) {
        *cut = head[8] >= 2 && sl_load8(head + SL_HDF5_END_AT) > bytes->size;
    }
    return status;
}

/* Is it a file of ours? Names of attributes stand near the beginning of older ones, near the end of others. */
static sl_status guess(sl_context *ctx, const sl_source_bytes *bytes, sl_hdf5_seal_state *state) {
    size_t n = bytes->size < HEAD ? (size_t)bytes->size : HEAD;
    char *part = n > 0 ? sl_alloc(ctx, n) : NULL;
    const uint64_t from[2] = {0, bytes->size - n};
    bool cut = false;
    sl_status status = part ? is_cut_off(bytes, &cut) : SL_ERR_MEMORY;
    *state = cut ? SL_HDF5_SEAL_BROKEN : SL_HDF5_SEAL_FOREIGN;
    for (int i = 0; i < 2 && status == SL_OK && *state == SL_HDF5_SEAL_FOREIGN; i++) {
        status = bytes->read(bytes->user, from[i], part, n);
        if (status == SL_OK && has_text(part, n, "sluice_format")) {
            *state = SL_HDF5_SEAL_BROKEN;
        } else if (status == SL_OK && has_text(part, n, "program_version") && has_text(part, n, "sluice")) {
            *state = SL_HDF5_SEAL_OLD;
        }
    }
    sl_free(ctx, part, n);
    return status;
}

/* The list of ranges: within the file, in order. SL_ERR_INPUT: it is not. */
static sl_status read_ranges(sl_context *ctx, const sl_source_bytes *bytes, uint64_t size, uint64_t n,
                             sl_hdf5_seal *seal) {
    uint64_t at = SL_HDF5_SUPERBLOCK;
    if (!SL_RESERVE(ctx, &seal->ranges, (int64_t)n)) {
        return SL_ERR_MEMORY;
    }
    for (uint64_t i = 0; i < n; i++) {
        char pair[16];
        sl_status status = bytes->read(bytes->user, size + 16 * i, pair, sizeof pair);
        if (status != SL_OK) {
            return status;
        }
        const sl_hdf5_range range = {sl_load8(pair), sl_load8(pair + 8)};
        if (range.at < at || range.at > size || range.n > size - range.at || range.at % 8 != 0 || range.n % 8 != 0) {
            return SL_ERR_INPUT;
        }
        seal->ranges.at[seal->ranges.n++] = range;
        at = range.at + range.n;
    }
    return SL_OK;
}

sl_status sl_hdf5_seal_check(sl_context *ctx, const sl_source_bytes *bytes, sl_hdf5_seal_state *state, uint64_t *size) {
    char end[SL_HDF5_SEAL_END] = {0};
    *state = SL_HDF5_SEAL_FOREIGN;
    uint64_t rest = bytes->size > sizeof end ? bytes->size - sizeof end : 0;
    sl_status status = rest > 0 ? bytes->read(bytes->user, rest, end, sizeof end) : SL_OK;
    if (status != SL_OK) {
        return status;
    }
    if (memcmp(end + 24, old_mark, sizeof old_mark) == 0) {
        *state = SL_HDF5_SEAL_OLD;
        return SL_OK;
    }
    uint64_t n = sl_load8(end);
    *size = sl_load8(end + 8);
    if (memcmp(end + 24, mark, sizeof mark) != 0 || *size > rest || *size < SL_HDF5_SUPERBLOCK || *size % 8 != 0 ||
        n != (rest - *size) / 16 || (rest - *size) % 16 != 0) {
        return guess(ctx, bytes, state);
    }
    sl_hdf5_seal seal = {0};
    status = read_ranges(ctx, bytes, *size, n, &seal);
    status = status == SL_OK ? hash_all(ctx, bytes, *size, &seal) : status;
    bool whole = status == SL_OK && close_hash(&seal, *size) == sl_load8(end + 16);
    *state = whole ? SL_HDF5_SEAL_WHOLE : SL_HDF5_SEAL_BROKEN;
    sl_hdf5_seal_fini(ctx, &seal);
    return status == SL_ERR_INPUT ? SL_OK : status;
}
