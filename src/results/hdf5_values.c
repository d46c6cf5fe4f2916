/* SPDX-License-Identifier: MIT */
/* hdf5_values.c: values of an HDF5 file with results; see hdf5_values.h. Not built where the library was not there.
 *
 * The file has chunks of some frames and some elements. Who reads frame by frame gets them from a block of as many frames as a chunk
 * has, who reads element by element from a strip of as many elements: each chunk is read once.
 */
#include "results/hdf5_values.h"

#include <math.h>
#include <string.h>

enum {
    CACHED = 1 << 23, /* values of blocks, of all quantities: 64 MB; or one frame */
    STRIP = 1 << 22   /* values of a strip */
};

void sl_hdf5_values_init(sl_hdf5_reader *r, sl_hdf5_values *v, int64_t total) {
    hsize_t chunk[2] = {1, 1};
    hid_t p = sl_hdf5_id(&r->f, r->f.h.H5Dget_create_plist(v->set));
    if (r->f.h.H5Pget_chunk(p, 2, chunk) != 2) {
        sl_hdf5_reject(&r->f, "a quantity has no chunks");
    }
    (void)sl_hdf5_release(&r->f, r->f.h.H5Pclose(p));
    hsize_t rows = total > 0 && CACHED / total > 1 ? (hsize_t)(CACHED / total) : 1;
    v->rows = (int32_t)(chunk[0] < rows ? chunk[0] : rows);
    v->columns = chunk[1] < (hsize_t)v->n ? (int32_t)chunk[1] : v->n;
}

/* Memory of at least size bytes; false: there is none. */
static bool make_room(sl_context *ctx, void **at, size_t *have, size_t size) {
    if (*have >= size) {
        return true;
    }
    sl_free(ctx, *at, *have);
    *at = sl_alloc(ctx, size);
    *have = *at ? size : 0;
    return *at != NULL;
}

/* Values [from][count] of a dataset into to. */
static sl_status read_part(sl_hdf5_reader *r, const sl_hdf5_values *v, const hsize_t from[2], const hsize_t count[2],
                           double *to) {
    size_t n = (size_t)count[0] * (size_t)count[1];
    if (v->code && !make_room(r->ctx, (void **)&r->codes, &r->codes_size, n)) {
        return SL_ERR_MEMORY;
    }
    sl_hdf5_file *f = &r->f;
    sl_hdf5_enter(&f->h);
    hid_t file = sl_hdf5_id(f, f->h.H5Dget_space(v->set)),
          memory = sl_hdf5_id(f, f->h.H5Screate_simple(2, count, NULL));
    sl_hdf5_check(f, f->h.H5Sselect_hyperslab(file, H5S_SELECT_SET, from, NULL, count, NULL));
    hid_t type = v->code ? f->h.H5T_NATIVE_SCHAR_g : f->h.H5T_NATIVE_DOUBLE_g;
    sl_hdf5_check(f, f->h.H5Dread(v->set, type, memory, file, H5P_DEFAULT, v->code ? (void *)r->codes : to));
    (void)sl_hdf5_release(f, f->h.H5Sclose(memory));
    (void)sl_hdf5_release(f, f->h.H5Sclose(file));
    sl_hdf5_leave(&f->h);
    for (size_t i = 0; v->code && i < n; i++) {
        to[i] = r->codes[i] < 0 ? (double)NAN : (double)r->codes[i];
    }
    bool fine = !f->failed;
    f->failed = false; /* other parts may be there */
    return fine ? SL_OK : f->is_lost ? SL_ERR_MEMORY : SL_ERR_IO;
}

sl_status sl_hdf5_values_frame(void *reader, int64_t frame, int32_t quantity, double *x) {
    sl_hdf5_reader *r = reader;
    sl_hdf5_values *v = &r->quantity[quantity];
    if (v->n == 0) {
        return SL_OK;
    }
    if (frame < v->first || frame >= v->first + v->n_cached) {
        size_t size = (size_t)v->rows * (size_t)v->n * sizeof *v->cache;
        if (!make_room(r->ctx, (void **)&v->cache, &v->cache_size, size)) {
            return SL_ERR_MEMORY;
        }
        const hsize_t from[2] = {(hsize_t)(frame - frame % v->rows), 0}, left = (hsize_t)r->n_frame - from[0];
        const hsize_t count[2] = {left < (hsize_t)v->rows ? left : (hsize_t)v->rows, (hsize_t)v->n};
        v->n_cached = 0;
        sl_status status = read_part(r, v, from, count, v->cache);
        if (status != SL_OK) {
            return status;
        }
        v->first = (int64_t)from[0];
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
        if (!make_room(r->ctx, (void **)&r->strip, &r->strip_size, size)) {
            return SL_ERR_MEMORY;
        }
        int32_t first = element - element % columns, left = v->n - first;
        const hsize_t from[2] = {0, (hsize_t)first};
        const hsize_t count[2] = {(hsize_t)r->n_frame, (hsize_t)(left < columns ? left : columns)};
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
    if (r->f.h.library) {
        sl_hdf5_enter(&r->f.h);
        for (int32_t i = 0; i < r->n_quantity; i++) {
            (void)sl_hdf5_release(&r->f, r->f.h.H5Dclose(r->quantity[i].set));
        }
        sl_hdf5_file_close(&r->f);
        sl_hdf5_leave(&r->f.h);
        sl_hdf5_unload(&r->f.h);
    }
    for (int32_t i = 0; i < r->n_quantity; i++) {
        sl_free(r->ctx, r->quantity[i].cache, r->quantity[i].cache_size);
    }
    sl_free(r->ctx, r->strip, r->strip_size);
    sl_free(r->ctx, r->codes, r->codes_size);
    sl_free(r->ctx, r->image, r->image_size);
    sl_free(r->ctx, r, sizeof *r);
}
