/* SPDX-License-Identifier: MIT */
/* hdf5_values.c: values of an HDF5 file with results; see hdf5_values.h.
 *
 * The file has chunks of some frames and some elements. Who reads frame by frame gets them from a block of as many frames as a chunk
 * has, who reads element by element from a strip of as many elements: each chunk is read once.
 */
#include "results/hdf5_values.h"

#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "base/library.h"
#include "base/report.h"

enum {
    CACHED = 1 << 23, /* values of blocks, of all quantities: 64 MB; or one frame */
    STRIP = 1 << 22   /* values of a strip */
};

static const char zlib_name[] = "libz.so.1";

void sl_hdf5_values_init(sl_hdf5_reader *r, sl_hdf5_values *v, const sl_hdf5_node *set, int64_t total) {
    int64_t rows = total > 0 && CACHED / total > 1 ? CACHED / total : 1;
    if (!sl_hdf5_get_chunks(&r->in, set, &v->pieces)) {
        return;
    }
    v->packed = set->packed;
    v->chunk[0] = (int64_t)set->chunk[0];
    v->chunk[1] = (int64_t)set->chunk[1];
    v->rows = (int32_t)(v->chunk[0] < rows ? v->chunk[0] : rows);
    v->columns = v->chunk[1] < v->n ? (int32_t)v->chunk[1] : v->n;
}

sl_status sl_hdf5_values_load(sl_hdf5_reader *r, sl_diags *diags) {
    const char *why = NULL;
    bool packed = false;
    for (int32_t i = 0; i < r->n_quantity; i++) {
        packed = packed || r->quantity[i].packed;
    }
    sl_status status = packed ? sl_library_open(zlib_name, &r->zlib, &why) : SL_OK;
    if (!packed || status == SL_ERR_MEMORY) {
        return status;
    }
    void *symbol = status == SL_OK ? sl_library_symbol(r->zlib, "uncompress") : NULL;
    memcpy(&r->uncompress, &symbol, sizeof symbol);
    if (!symbol) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, "install zlib (Debian: apt-get install zlib1g)",
                  "packed files need %s, which cannot be loaded: %s", zlib_name, why ? why : "it lacks a function");
    }
    return symbol ? SL_OK : SL_ERR_UNSUPPORTED;
}

/* Memory of at least size bytes; false: there is none. */
static bool make_room(sl_context *ctx, void *memory, size_t *have, size_t size) {
    void **at = memory;
    if (*have >= size) {
        return true;
    }
    sl_free(ctx, *at, *have);
    *at = sl_alloc(ctx, size);
    *have = *at ? size : 0;
    return *at != NULL;
}

/* The bytes of a value behind each other again. */
static void unshuffle(char *to, const char *from, size_t n, size_t each) {
    size_t count = n / each;
    for (size_t b = 0; b < each; b++) {
        for (size_t i = 0; i < count; i++) {
            to[i * each + b] = *from++;
        }
    }
}

/* A chunk into memory, as it was before it was packed. */
static sl_status load_chunk(sl_hdf5_reader *r, const sl_hdf5_values *v, const sl_hdf5_piece *piece) {
    const size_t each = v->code ? 1 : 8, n = (size_t)(v->chunk[0] * v->chunk[1]) * each;
    if (!make_room(r->ctx, &r->chunk, &r->chunk_size, n) ||
        (v->packed && !make_room(r->ctx, &r->packed, &r->packed_size, piece->n > n ? piece->n : n))) {
        return SL_ERR_MEMORY;
    }
    const sl_source_bytes *bytes = r->in.bytes;
    if (!v->packed) {
        return bytes->read(bytes->user, piece->at, r->chunk, n);
    }
    sl_status status = bytes->read(bytes->user, piece->at, r->packed, piece->n);
    unsigned long got = (unsigned long)n;
    enum { NO_MEMORY = -4 /* Z_MEM_ERROR */ };
    int result =
        status == SL_OK ? r->uncompress((unsigned char *)r->chunk, &got, (unsigned char *)r->packed, piece->n) : 0;
    if (status != SL_OK || result != 0 || got != n) {
        return status != SL_OK ? status : result == NO_MEMORY ? SL_ERR_MEMORY : SL_ERR_IO;
    }
    unshuffle(r->packed, r->chunk, n, each);
    memcpy(r->chunk, r->packed, n);
    return SL_OK;
}

/* Values of one row of the chunk in memory. */
static void copy_row(const sl_hdf5_reader *r, const sl_hdf5_values *v, int64_t at, int64_t n, double *to) {
    for (int64_t i = 0; i < n; i++) {
        if (v->code) {
            signed char c = (signed char)r->chunk[at + i];
            to[i] = c < 0 ? (double)NAN : (double)c;
        } else {
            uint64_t word = sl_load8(r->chunk + 8 * (at + i));
            memcpy(to + i, &word, sizeof word);
        }
    }
}

/* Values [from][count] of a dataset into to. */
static sl_status read_part(sl_hdf5_reader *r, const sl_hdf5_values *v, const int64_t from[2], const int64_t count[2],
                           double *to) {
    const int64_t across = (v->n + v->chunk[1] - 1) / v->chunk[1], end[2] = {from[0] + count[0], from[1] + count[1]};
    sl_status status = SL_OK;
    for (int64_t i = from[0] / v->chunk[0]; i * v->chunk[0] < end[0] && status == SL_OK; i++) {
        for (int64_t k = from[1] / v->chunk[1]; k * v->chunk[1] < end[1] && status == SL_OK; k++) {
            const int64_t top = i * v->chunk[0], left = k * v->chunk[1];
            const int64_t row = top > from[0] ? top : from[0], column = left > from[1] ? left : from[1];
            const int64_t last = top + v->chunk[0] < end[0] ? top + v->chunk[0] : end[0];
            const int64_t right = left + v->chunk[1] < end[1] ? left + v->chunk[1] : end[1];
            status = load_chunk(r, v, &v->pieces.at[i * across + k]);
            for (int64_t j = row; j < last && status == SL_OK; j++) {
                copy_row(r, v, (j - top) * v->chunk[1] + column - left, right - column,
                         to + (j - from[0]) * count[1] + column - from[1]);
            }
        }
    }
    return status;
}

sl_status sl_hdf5_values_frame(void *reader, int64_t frame, int32_t quantity, double *x) {
    sl_hdf5_reader *r = reader;
    sl_hdf5_values *v = &r->quantity[quantity];
    if (v->n == 0) {
        return SL_OK;
    }
    if (frame < v->first || frame >= v->first + v->n_cached) {
        size_t size = (size_t)v->rows * (size_t)v->n * sizeof *v->cache;
        if (!make_room(r->ctx, &v->cache, &v->cache_size, size)) {
            return SL_ERR_MEMORY;
        }
        const int64_t from[2] = {(frame - frame % v->rows), 0}, left = r->n_frame - from[0];
        const int64_t count[2] = {left < v->rows ? left : v->rows, v->n};
        v->n_cached = 0;
        sl_status status = read_part(r, v, from, count, v->cache);
        if (status != SL_OK) {
            return status;
        }
        v->first = from[0];
        v->n_cached = (int32_t)count[0];
    }
    memcpy(x, v->cache + (size_t)(frame - v->first) * (size_t)v->n, (size_t)v->n * sizeof *x);
    return SL_OK;
}

sl_status sl_hdf5_values_series(void *reader, int32_t quantity, int32_t element, double *x) {
    sl_hdf5_reader *r = reader;
    const sl_hdf5_values *v = &r->quantity[quantity];
    if (r->n_frame == 0) {
        return SL_OK;
    }
    int64_t most = STRIP / r->n_frame;
    int32_t columns = v->columns < most ? v->columns : most > 1 ? (int32_t)most : 1;
    bool there =
        r->strip_quantity == quantity && element >= r->strip_first && element < r->strip_first + r->strip_columns;
    if (!there) {
        size_t size = (size_t)r->n_frame * (size_t)columns * sizeof *x;
        if (!make_room(r->ctx, &r->strip, &r->strip_size, size)) {
            return SL_ERR_MEMORY;
        }
        int32_t first = element - element % columns, left = v->n - first;
        const int64_t from[2] = {0, first};
        const int64_t count[2] = {r->n_frame, (left < columns ? left : columns)};
        r->strip_columns = 0;
        sl_status status = read_part(r, v, from, count, r->strip);
        if (status != SL_OK) {
            return status;
        }
        r->strip_quantity = quantity;
        r->strip_first = first;
        r->strip_columns = (int32_t)count[1];
    }
    const double *at = r->strip + (element - r->strip_first);
    for (int64_t i = 0; i < r->n_frame; i++) {
        x[i] = at[i * r->strip_columns];
    }
    return SL_OK;
}

void sl_hdf5_reader_close(void *reader) {
    sl_hdf5_reader *r = reader;
    for (int32_t i = 0; i < r->n_quantity; i++) {
        sl_free(r->ctx, r->quantity[i].cache, r->quantity[i].cache_size);
        SL_ARRAY_FINI(r->ctx, &r->quantity[i].pieces);
    }
    sl_hdf5_input_fini(&r->in);
    sl_library_close(r->zlib);
    sl_free(r->ctx, r->strip, r->strip_size);
    sl_free(r->ctx, r->chunk, r->chunk_size);
    sl_free(r->ctx, r->packed, r->packed_size);
    sl_free(r->ctx, r, sizeof *r);
}
