/* SPDX-License-Identifier: MIT */
/* hdf5_values.h: values of an HDF5 file with results, read as they are asked for. */
#ifndef SL_RESULTS_HDF5_VALUES_H
#define SL_RESULTS_HDF5_VALUES_H

#include "results/hdf5_file.h"

/* A quantity in the file. */
typedef struct sl_hdf5_values {
    hid_t set;
    bool code; /* bytes, -1: none; else 8-byte floats */
    int32_t n;
    int32_t rows, columns; /* of a chunk */
    int64_t first;         /* frames in the cache: from here */
    int32_t n_cached;      /* so many */
    double *cache;         /* [rows][n], made when first needed */
    size_t cache_size;
} sl_hdf5_values;

/* The reader behind sl_results. */
typedef struct sl_hdf5_reader {
    sl_hdf5_file f;
    sl_context *ctx;
    char *image; /* of a file without a path */
    size_t image_size;
    int64_t n_frame;
    int32_t n_quantity;
    sl_hdf5_values *quantity;
    signed char *codes; /* of a block of bytes on its way */
    size_t codes_size;
    /* All frames of neighbouring elements of one quantity. */
    double *strip;
    size_t strip_size;
    int32_t strip_quantity, strip_first, strip_columns; /* columns 0: nothing is there */
} sl_hdf5_reader;

/* Notes the chunks of a dataset, and how much of it is cached. total: values of a frame, of all quantities. */
void sl_hdf5_values_init(sl_hdf5_reader *reader, sl_hdf5_values *v, int64_t total);
sl_status sl_hdf5_values_frame(void *reader, int64_t frame, int32_t quantity, double *x);
sl_status sl_hdf5_values_series(void *reader, int32_t quantity, int32_t element, double *x);
void sl_hdf5_reader_close(void *reader);

#endif
