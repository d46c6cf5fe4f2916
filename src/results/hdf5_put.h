/* SPDX-License-Identifier: MIT */
/* hdf5_put.h: an HDF5 file on its way (hdf5_form.h): datasets whose values are written as they come, and whose headers follow at the
 * end.
 *
 * Texts that are few are written at the end too: heaps have a least size, and so share them.
 *
 * The first failure is kept, and nothing is done after it: a step is checked once, at its end. Objects that could not be made are
 * NULL, which every function takes. Texts and names are borrowed until the end.
 */
#ifndef SL_RESULTS_HDF5_PUT_H
#define SL_RESULTS_HDF5_PUT_H

#include "base/memory.h"
#include "results/hdf5_form.h"
#include "results/hdf5_seal.h"

/* A chunk in the file. */
typedef struct sl_hdf5_chunk {
    uint64_t at;
    uint32_t n; /* bytes */
} sl_hdf5_chunk;

typedef struct sl_hdf5_object sl_hdf5_object;

typedef struct sl_hdf5_attribute {
    const char *name;
    sl_hdf5_type type;
    const char *text;
    double number; /* of a real or a code */
    int32_t n;     /* of codes in a row, which are 0, 1, ...; 0: one value */
} sl_hdf5_attribute;

/* A dataset that has this one as the scale of a dimension. */
typedef struct sl_hdf5_user {
    const sl_hdf5_object *set;
    int32_t dimension;
} sl_hdf5_user;

struct sl_hdf5_object {
    const char *name; /* NULL: the root group */
    sl_hdf5_type type;
    int rank;
    bool grows, packed, is_scale;
    uint64_t size[2];
    uint64_t data;            /* address of the values of one that does not grow, of the tree of one that does */
    const char *const *texts; /* few texts, which are written at the end; else NULL */
    uint64_t chunk[2];        /* of one that grows */
    SL_ARRAY(sl_hdf5_chunk) chunks;
    SL_ARRAY(sl_hdf5_attribute) attributes;
    SL_ARRAY(sl_hdf5_user) users;       /* of a scale */
    const sl_hdf5_object *dimension[2]; /* its scales */
    uint64_t header;                    /* its address, at the end */
};

enum { SL_HDF5_BUFFER = 1 << 16 };

typedef struct sl_hdf5_output {
    sl_context *ctx;
    sl_patch_sink sink;
    sl_status status;
    const char *reason; /* of SL_ERR_IO, where the sink does not know it */
    uint64_t at;        /* bytes so far, with those of the buffer */
    sl_hdf5_seal seal;
    size_t n;
    char *buffer; /* [SL_HDF5_BUFFER] structure that is not written yet */
    sl_hdf5_object root;
    SL_ARRAY(sl_hdf5_object *) sets;
    struct { /* packing */
        void *library;
        int (*compress)(unsigned char *to, unsigned long *n_to, const unsigned char *from, unsigned long n, int level);
        char *shuffled;
        unsigned char *packed;
        size_t n_shuffled, n_packed; /* bytes of memory */
    } pack;
} sl_hdf5_output;

/* SL_ERR_UNSUPPORTED: it is to be packed, and there is no zlib (diagnostics). */
sl_status sl_hdf5_output_init(sl_hdf5_output *out, sl_context *ctx, const sl_patch_sink *sink, bool pack,
                              sl_diags *diags);
void sl_hdf5_output_fini(sl_hdf5_output *out);
/* Headers, superblock and seal. */
void sl_hdf5_output_end(sl_hdf5_output *out);

void sl_hdf5_fail(sl_hdf5_output *out, sl_status status, const char *reason);

/* ---- Bytes -------------------------------------------------------------------------------------- */

/* Structure; sl_hdf5_put_align before a piece that has an address. */
void sl_hdf5_put(sl_hdf5_output *out, const void *bytes, size_t n);
void sl_hdf5_put_align(sl_hdf5_output *out);
/* Texts into heaps, and what refers to them into references, SL_HDF5_REFERENCE bytes each. */
void sl_hdf5_put_texts(sl_hdf5_output *out, const sl_str *texts, int64_t n, char *references);
/* Bytes of the heaps that these texts need. */
uint64_t sl_hdf5_heap_size(const sl_str *texts, int64_t n);

/* ---- Datasets ----------------------------------------------------------------------------------- */

/* A dataset of one dimension, whole. values: const double *, int32_t * or char *const * */
sl_hdf5_object *sl_hdf5_add_column(sl_hdf5_output *out, const char *name, int64_t n, sl_hdf5_type type,
                                   const void *values);
/* A dataset that grows: rank 1, or rank 2 with n columns. */
sl_hdf5_object *sl_hdf5_add_series(sl_hdf5_output *out, const char *name, sl_hdf5_type type, int rank, int64_t n,
                                   const uint64_t chunk[2], bool pack);
/* The next chunk, whole: bytes as the file has them, of values. */
void sl_hdf5_put_chunk(sl_hdf5_output *out, sl_hdf5_object *set, const char *bytes, size_t n);
/* The next chunk of a dataset of one dimension: n values, and nothing behind them. Of texts: what sl_hdf5_put_texts gave. */
void sl_hdf5_put_next(sl_hdf5_output *out, sl_hdf5_object *set, int64_t n, const void *values);

void sl_hdf5_make_scale(sl_hdf5_object *set);
void sl_hdf5_attach(sl_hdf5_output *out, sl_hdf5_object *set, sl_hdf5_object *scale, int dimension);

void sl_hdf5_put_text(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, const char *text);
void sl_hdf5_put_number(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, double x);
void sl_hdf5_put_flag(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, bool x);
/* The codes 0, 1, ... n - 1. */
void sl_hdf5_put_codes(sl_hdf5_output *out, sl_hdf5_object *of, const char *name, int32_t n);

#endif
