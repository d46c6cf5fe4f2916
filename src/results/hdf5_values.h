/* SPDX-License-Identifier: MIT */
/* hdf5_values.h: values of an HDF5 file with results, read as they are asked for. */
#ifndef SL_RESULTS_HDF5_VALUES_H
#define SL_RESULTS_HDF5_VALUES_H

#include "results/hdf5_get.h"

/* A quantity in the file. */
typedef struct sl_hdf5_values {
    sl_hdf5_pieces pieces;
    bool code; /* bytes, -1: none; else 8-byte floats */
    bool packed;
    int32_t n;
    int64_t chunk[2];      /* rows and columns of a chunk */
    int32_t rows, columns; /* that are read at once */
    int64_t first;         /* frames in the cache: from here */
    int32_t n_cached;      /* so many */
    double *cache;         /* [rows][n], made when first needed */
    size_t cache_size;
} sl_hdf5_values;

/* The reader behind sl_results. */
typedef struct sl_hdf5_reader {
    sl_hdf5_input in;
    sl_context *ctx;
    int64_t n_frame;
    int32_t n_quantity;
    sl_hdf5_values *quantity;
    void *zlib; /* loaded where a quantity is packed */
    int (*uncompress)(unsigned char *to, unsigned long *n_to, const unsigned char *from, unsigned long n);
    char *chunk, *packed; /* a chunk on its way; its bytes as they stand in the file */
    size_t chunk_size, packed_size;
    /* All frames of neighbouring elements of one quantity. */
    double *strip;
    size_t strip_size;
    int32_t strip_quantity, strip_first, strip_columns; /* columns 0: nothing is there */
} sl_hdf5_reader;

/* Takes the chunks of a dataset; it is closed with the reader. total: values of a frame, of all quantities. */
void sl_hdf5_values_init(sl_hdf5_reader *reader, sl_hdf5_values *v, const sl_hdf5_node *set, int64_t total);
/* zlib, where a quantity is packed. */
sl_status sl_hdf5_values_load(sl_hdf5_reader *reader, sl_diags *diags);
sl_status sl_hdf5_values_frame(void *reader, int64_t frame, int32_t quantity, double *x);
sl_status sl_hdf5_values_series(void *reader, int32_t quantity, int32_t element, double *x);
void sl_hdf5_reader_close(void *reader);

#endif
