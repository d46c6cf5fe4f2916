/* SPDX-License-Identifier: MIT */
/* hdf5_put.c: bytes, texts and datasets into an HDF5 file; see hdf5_put.h. */
#include "results/hdf5_put.h"

#include <string.h>

#include "base/bytes.h"
#include "base/library.h"
#include "base/report.h"

enum {
    HEAP = 1 << 16,       /* bytes of a heap of texts, or what one text needs */
    HEAP_TEXTS = 1 << 15, /* in it, at most */
    FEW = 1 << 14,        /* texts of a column that are written at the end */
    STAGED = 1024,        /* values that are turned into bytes at once */
    DEFLATE_LEVEL = 4
};

static const char zeros[64];

void sl_hdf5_fail(sl_hdf5_output *out, sl_status status, const char *reason) {
    if (out->status == SL_OK) {
        out->status = status;
        out->reason = reason;
    }
}

/* False, and memory is short. */
static bool check(sl_hdf5_output *out, bool fine) {
    if (!fine) {
        sl_hdf5_fail(out, SL_ERR_MEMORY, NULL);
    }
    return fine;
}

/* ---- Bytes -------------------------------------------------------------------------------------- */

static void write_out(sl_hdf5_output *out, const void *bytes, size_t n) {
    if (out->status == SL_OK && n > 0) {
        sl_hdf5_fail(out, out->sink.write(out->sink.user, bytes, n), NULL);
    }
}

static void flush(sl_hdf5_output *out) {
    sl_hdf5_seal_add(&out->seal, out->buffer, out->n);
    write_out(out, out->buffer, out->n);
    out->n = 0;
}

void sl_hdf5_put(sl_hdf5_output *out, const void *bytes, size_t n) {
    const char *from = bytes;
    out->at += n;
    while (n > 0 && out->status == SL_OK) {
        size_t k = SL_HDF5_BUFFER - out->n < n ? SL_HDF5_BUFFER - out->n : n;
        memcpy(out->buffer + out->n, from, k);
        out->n += k;
        from += k;
        n -= k;
        if (out->n == SL_HDF5_BUFFER) {
            flush(out);
        }
    }
}

static void put_zeros(sl_hdf5_output *out, uint64_t n) {
    for (; n > 0 && out->status == SL_OK; n -= n < sizeof zeros ? n : sizeof zeros) {
        sl_hdf5_put(out, zeros, n < sizeof zeros ? (size_t)n : sizeof zeros);
    }
}

void sl_hdf5_put_align(sl_hdf5_output *out) {
    put_zeros(out, sl_hdf5_round_up(out->at) - out->at);
}

/* Values, which the seal leaves out. */
static void put_values(sl_hdf5_output *out, const void *bytes, size_t n) {
    sl_hdf5_put_align(out);
    flush(out);
    uint64_t whole = sl_hdf5_round_up(n);
    (void)check(out, sl_hdf5_seal_skip(out->ctx, &out->seal, out->at, whole));
    write_out(out, bytes, n);
    write_out(out, zeros, (size_t)(whole - n));
    out->at += whole;
}

/* ---- Texts -------------------------------------------------------------------------------------- */

/* How many of n texts the next heap takes, and its bytes. An empty text needs none. */
static int64_t fill_heap(const sl_str *texts, int64_t n, uint64_t *size) {
    uint64_t fill = SL_HDF5_HEAP_HEAD;
    int64_t i = 0, n_text = 0;
    for (; i < n; i++) {
        uint64_t need = texts[i].len > 0 ? SL_HDF5_HEAP_HEAD + sl_hdf5_round_up(texts[i].len) : 0;
        if (need > 0 && n_text > 0 && (fill + need > HEAP || n_text == HEAP_TEXTS)) {
            break;
        }
        fill += need;
        n_text += need > 0;
    }
    *size = n_text == 0 ? 0 : fill < SL_HDF5_HEAP_LEAST ? SL_HDF5_HEAP_LEAST : fill;
    return i;
}

uint64_t sl_hdf5_heap_size(const sl_str *texts, int64_t n) {
    uint64_t all = 0, size = 0;
    for (int64_t i = 0; i < n;) {
        i += fill_heap(texts + i, n - i, &size);
        all += size;
    }
    return all;
}

/* Number and length of a text in a heap; number 0: what is free of it, with this head. */
static void put_heap_entry(sl_hdf5_output *out, uint64_t number, uint64_t size) {
    char head[SL_HDF5_HEAP_HEAD];
    sl_store8(head, number | (uint64_t)(number > 0) << 16); /* used once */
    sl_store8(head + 8, size);
    sl_hdf5_put(out, head, sizeof head);
}

static void put_heap(sl_hdf5_output *out, const sl_str *texts, int64_t n, uint64_t size, char *references) {
    char head[SL_HDF5_HEAP_HEAD] = {'G', 'C', 'O', 'L', 1};
    const uint64_t begin = out->at;
    uint64_t number = 0;
    sl_store8(head + 8, size);
    sl_hdf5_put(out, head, sizeof head);
    for (int64_t i = 0; i < n && out->status == SL_OK; i++) {
        char *to = references + i * SL_HDF5_REFERENCE;
        memset(to, 0, SL_HDF5_REFERENCE);
        if (texts[i].len == 0) {
            continue;
        }
        if (texts[i].len > UINT32_MAX) {
            sl_hdf5_fail(out, SL_ERR_IO, "a text is longer than 4 GB");
        }
        sl_store8(to + 4, begin);
        for (int k = 0; k < 4; k++) {
            to[k] = (char)(unsigned char)(texts[i].len >> 8 * k);
            to[12 + k] = (char)(unsigned char)((number + 1) >> 8 * k);
        }
        put_heap_entry(out, ++number, texts[i].len);
        sl_hdf5_put(out, texts[i].ptr, texts[i].len);
        sl_hdf5_put_align(out);
    }
    uint64_t left = size - (out->at - begin);
    if (left >= SL_HDF5_HEAP_HEAD && out->status == SL_OK) {
        put_heap_entry(out, 0, left);
        put_zeros(out, left - SL_HDF5_HEAP_HEAD);
    }
}

void sl_hdf5_put_texts(sl_hdf5_output *out, const sl_str *texts, int64_t n, char *references) {
    uint64_t size = 0;
    sl_hdf5_put_align(out);
    for (int64_t i = 0; i < n && out->status == SL_OK;) {
        int64_t k = fill_heap(texts + i, n - i, &size);
        if (size > 0) {
            put_heap(out, texts + i, k, size, references + i * SL_HDF5_REFERENCE);
        } else {
            memset(references + i * SL_HDF5_REFERENCE, 0, (size_t)k * SL_HDF5_REFERENCE);
        }
        i += k;
    }
}

/* ---- Columns ------------------------------------------------------------------------------------ */

static void put_numbers(sl_hdf5_output *out, int64_t n, sl_hdf5_type type, const void *values) {
    char staged[STAGED * 8];
    for (int64_t i = 0; i < n && out->status == SL_OK; i += STAGED) {
        int64_t k = n - i < STAGED ? n - i : STAGED;
        for (int64_t j = 0; j < k; j++) {
            if (type == SL_HDF5_REAL) {
                uint64_t word;
                memcpy(&word, (const double *)values + i + j, sizeof word);
                sl_store8(staged + 8 * j, word);
            } else {
                uint32_t word = (uint32_t)((const int32_t *)values)[i + j];
                for (int b = 0; b < 4; b++) {
                    staged[4 * j + b] = (char)(unsigned char)(word >> 8 * b);
                }
            }
        }
        sl_hdf5_put(out, staged, (size_t)k * sl_hdf5_types[type].size);
    }
}

/* Numbers as one piece; the address of it. */
static uint64_t put_piece(sl_hdf5_output *out, int64_t n, sl_hdf5_type type, const void *values) {
    sl_hdf5_put_align(out);
    uint64_t at = out->at;
    if (type == SL_HDF5_TEXT) {
        sl_hdf5_put(out, values, (size_t)n * SL_HDF5_REFERENCE);
    } else {
        put_numbers(out, n, type, values);
    }
    sl_hdf5_put_align(out);
    return at;
}

static uint64_t put_text_piece(sl_hdf5_output *out, int64_t n, const char *const *values) {
    const size_t n_text = (size_t)n * sizeof(sl_str), n_reference = (size_t)n * SL_HDF5_REFERENCE;
    sl_str *texts = sl_alloc(out->ctx, n_text);
    char *references = texts ? sl_alloc(out->ctx, n_reference) : NULL;
    uint64_t at = SL_HDF5_NOWHERE;
    if (check(out, references != NULL)) {
        for (int64_t i = 0; i < n; i++) {
            texts[i] = sl_str_z(values[i]);
        }
        sl_hdf5_put_texts(out, texts, n, references);
        at = put_piece(out, n, SL_HDF5_TEXT, references);
    }
    sl_free(out->ctx, texts, texts ? n_text : 0);
    sl_free(out->ctx, references, references ? n_reference : 0);
    return at;
}

static sl_hdf5_object *add_set(sl_hdf5_output *out, const char *name, sl_hdf5_type type, int rank) {
    sl_hdf5_object *set = out->status == SL_OK ? sl_alloc(out->ctx, sizeof *set) : NULL;
    if (out->status != SL_OK || !check(out, set != NULL)) {
        return NULL;
    }
    if (!check(out, SL_PUSH(out->ctx, &out->sets, set))) {
        sl_free(out->ctx, set, sizeof *set);
        return NULL;
    }
    *set = (sl_hdf5_object){.name = name, .type = type, .rank = rank, .data = SL_HDF5_NOWHERE};
    return set;
}

sl_hdf5_object *sl_hdf5_add_column(sl_hdf5_output *out, const char *name, int64_t n, sl_hdf5_type type,
                                   const void *values) {
    sl_hdf5_object *set = add_set(out, name, type, 1);
    if (set) {
        set->size[0] = (uint64_t)n;
        if (type == SL_HDF5_TEXT && n <= FEW) {
            set->texts = values;
        } else if (n > 0) {
            set->data = type == SL_HDF5_TEXT ? put_text_piece(out, n, values) : put_piece(out, n, type, values);
        }
    }
    return set;
}

sl_hdf5_object *sl_hdf5_add_series(sl_hdf5_output *out, const char *name, sl_hdf5_type type, int rank, int64_t n,
                                   const uint64_t chunk[2], bool pack) {
    sl_hdf5_object *set = add_set(out, name, type, rank);
    if (set) {
        set->grows = true;
        set->packed = pack;
        set->size[1] = (uint64_t)n;
        set->chunk[0] = chunk[0];
        set->chunk[1] = rank == 2 ? chunk[1] : 1;
    }
    return set;
}

/* ---- Chunks ------------------------------------------------------------------------------------- */

/* Memory of at least n bytes. */
static bool reserve(sl_hdf5_output *out, void *memory, size_t *have, size_t n) {
    void **at = memory;
    if (*have < n) {
        sl_free(out->ctx, *at, *have);
        *at = sl_alloc(out->ctx, n);
        *have = *at ? n : 0;
    }
    return check(out, *at != NULL);
}

/* The first bytes of all values, then the second ones: more alike. */
static void shuffle(char *to, const char *from, size_t n, size_t each) {
    size_t count = n / each;
    for (size_t b = 0; b < each; b++) {
        for (size_t i = 0; i < count; i++) {
            *to++ = from[i * each + b];
        }
    }
}

static void put_packed(sl_hdf5_output *out, const char *bytes, size_t n, size_t each, sl_hdf5_chunk *chunk) {
    size_t most = n + n / 1000 + 64; /* what compress2 may need */
    if (!reserve(out, &out->pack.shuffled, &out->pack.n_shuffled, n) ||
        !reserve(out, &out->pack.packed, &out->pack.n_packed, most)) {
        return;
    }
    shuffle(out->pack.shuffled, bytes, n, each);
    unsigned long size = (unsigned long)most;
    if (check(out, out->pack.compress(out->pack.packed, &size, (const unsigned char *)out->pack.shuffled,
                                      (unsigned long)n, DEFLATE_LEVEL) == 0)) { /* it fails without memory only */
        chunk->n = (uint32_t)size;
        put_values(out, out->pack.packed, size);
    }
}

void sl_hdf5_put_chunk(sl_hdf5_output *out, sl_hdf5_object *set, const char *bytes, size_t n) {
    if (!set || out->status != SL_OK) {
        return;
    }
    sl_hdf5_put_align(out);
    sl_hdf5_chunk chunk = {out->at, (uint32_t)n};
    if (set->packed) {
        put_packed(out, bytes, n, sl_hdf5_types[set->type].size, &chunk);
    } else {
        put_values(out, bytes, n);
    }
    (void)check(out, SL_PUSH(out->ctx, &set->chunks, chunk));
}

void sl_hdf5_put_next(sl_hdf5_output *out, sl_hdf5_object *set, int64_t n, const void *values) {
    if (!set || out->status != SL_OK) {
        return;
    }
    const size_t size = sl_hdf5_types[set->type].size;
    sl_hdf5_chunk chunk = {put_piece(out, n, set->type, values), (uint32_t)(set->chunk[0] * size)};
    put_zeros(out, sl_hdf5_round_up(chunk.n) - (out->at - chunk.at));
    set->size[0] += (uint64_t)n;
    (void)check(out, SL_PUSH(out->ctx, &set->chunks, chunk));
}

/* ---- Attributes --------------------------------------------------------------------------------- */

static void put_attribute(sl_hdf5_output *out, sl_hdf5_object *of, const sl_hdf5_attribute *a) {
    if (of && out->status == SL_OK) {
        (void)check(out, SL_PUSH(out->ctx, &of->attributes, *a));
    }
}

void sl_hdf5_put_text(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, const char *text) {
    put_attribute(out, of, &(sl_hdf5_attribute){.name = name, .type = SL_HDF5_TEXT, .text = text});
}

void sl_hdf5_put_number(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, double x) {
    put_attribute(out, of, &(sl_hdf5_attribute){.name = name, .type = SL_HDF5_REAL, .number = x});
}

void sl_hdf5_put_flag(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, bool x) {
    put_attribute(out, of, &(sl_hdf5_attribute){.name = name, .type = SL_HDF5_CODE, .number = x});
}

void sl_hdf5_put_codes(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, int32_t n) {
    put_attribute(out, of, &(sl_hdf5_attribute){.name = name, .type = SL_HDF5_CODE, .n = n});
}

void sl_hdf5_make_scale(sl_hdf5_object *set) {
    if (set) {
        set->is_scale = true;
    }
}

void sl_hdf5_attach(sl_hdf5_output *out, sl_hdf5_object *set, sl_hdf5_object *scale, int dimension) {
    if (set && scale && out->status == SL_OK) {
        set->dimension[dimension] = scale;
        const sl_hdf5_user user = {set, dimension};
        (void)check(out, SL_PUSH(out->ctx, &scale->users, user));
    }
}

/* ---- The file ----------------------------------------------------------------------------------- */

static const char zlib_name[] = "libz.so.1";

static sl_status load_zlib(sl_hdf5_output *out, sl_diags *diags) {
    const char *why = NULL;
    sl_status status = sl_library_open(zlib_name, &out->pack.library, &why);
    if (status == SL_ERR_MEMORY) {
        return status;
    }
    void *symbol = status == SL_OK ? sl_library_symbol(out->pack.library, "compress2") : NULL;
    memcpy(&out->pack.compress, &symbol, sizeof symbol);
    if (!symbol) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
                  "install zlib (Debian: apt-get install zlib1g), or write without --compress",
                  "packed files need %s, which cannot be loaded: %s", zlib_name, why ? why : "it lacks a function");
    }
    return symbol ? SL_OK : SL_ERR_UNSUPPORTED;
}

sl_status sl_hdf5_output_init(sl_hdf5_output *out, sl_context *ctx, const sl_patch_sink *sink, bool pack,
                              sl_diags *diags) {
    *out = (sl_hdf5_output){.ctx = ctx, .sink = *sink};
    out->root = (sl_hdf5_object){.data = SL_HDF5_NOWHERE};
    out->buffer = sl_alloc(ctx, SL_HDF5_BUFFER);
    if (!out->buffer) {
        return SL_ERR_MEMORY;
    }
    /* the superblock is written at the end: nothing of the seal */
    char none[SL_HDF5_SUPERBLOCK] = {0};
    write_out(out, none, sizeof none);
    out->at = sizeof none;
    return out->status == SL_OK && pack ? load_zlib(out, diags) : out->status;
}

static void fini_object(sl_context *ctx, sl_hdf5_object *o) {
    SL_ARRAY_FINI(ctx, &o->chunks);
    SL_ARRAY_FINI(ctx, &o->attributes);
    SL_ARRAY_FINI(ctx, &o->users);
}

void sl_hdf5_output_fini(sl_hdf5_output *out) {
    if (!out->ctx) {
        return;
    }
    for (int64_t i = 0; i < out->sets.n; i++) {
        fini_object(out->ctx, out->sets.at[i]);
        sl_free(out->ctx, out->sets.at[i], sizeof *out->sets.at[i]);
    }
    fini_object(out->ctx, &out->root);
    SL_ARRAY_FINI(out->ctx, &out->sets);
    sl_hdf5_seal_fini(out->ctx, &out->seal);
    sl_free(out->ctx, out->buffer, out->buffer ? SL_HDF5_BUFFER : 0);
    sl_free(out->ctx, out->pack.shuffled, out->pack.n_shuffled);
    sl_free(out->ctx, out->pack.packed, out->pack.n_packed);
    sl_library_close(out->pack.library);
}
