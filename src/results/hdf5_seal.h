/* SPDX-License-Identifier: MIT */
/* hdf5_seal.h: a seal at the end of an HDF5 file that shows damage before libhdf5 reads it.
 *
 * libhdf5 (1.10) trusts what a file says about itself: a byte that changed in a datatype or in a heap of texts can end the program
 * that reads it. The seal is a hash of all that libhdf5 interprets, behind the end of its part of the file, where other programs do
 * not look. Values (chunks of quantities) are left out, so that a large file need not be read to be opened: they are listed.
 *
 *     ranges      16 bytes each: offset and length of bytes that are left out, in order
 *     32 bytes    number of ranges, size of the HDF5 part, hash of it and of the list, "SLUICEH5"
 *
 * Numbers are 8 bytes, little-endian.
 */
#ifndef SL_RESULTS_HDF5_SEAL_H
#define SL_RESULTS_HDF5_SEAL_H

#include <sluice/results.h>

#include "base/memory.h"

typedef struct sl_hdf5_range {
    uint64_t at, n;
} sl_hdf5_range;

typedef SL_ARRAY(sl_hdf5_range) sl_hdf5_ranges;

enum { SL_HDF5_SEAL_END = 32 }; /* bytes of the last part */

/* Orders the ranges and joins neighbours. */
void sl_hdf5_ranges_join(sl_hdf5_ranges *ranges);
/* The seal of the bytes, which are the HDF5 part. Into *seal, of *n bytes from sl_alloc. */
sl_status sl_hdf5_seal_make(sl_context *ctx, const sl_source_bytes *bytes, const sl_hdf5_ranges *ranges, char **seal,
                            size_t *n);

typedef enum sl_hdf5_seal_state {
    SL_HDF5_SEAL_WHOLE = 0,
    SL_HDF5_SEAL_BROKEN, /* a file of ours that is damaged, or that another program changed */
    SL_HDF5_SEAL_OLD,    /* of an older sluice */
    SL_HDF5_SEAL_FOREIGN
} sl_hdf5_seal_state;

sl_status sl_hdf5_seal_check(sl_context *ctx, const sl_source_bytes *bytes, sl_hdf5_seal_state *state);

#endif
