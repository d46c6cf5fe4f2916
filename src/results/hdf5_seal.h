/* SPDX-License-Identifier: MIT */
/* hdf5_seal.h: a seal at the end of an HDF5 file that shows damage.
 *
 * The seal is a hash of all of the file but values, behind the end of its HDF5 part, where other programs do not look. Values (chunks
 * of quantities) are left out, so that a large file need not be read to be opened: they are listed. It is made as the file is
 * written, piece by piece; the superblock, which is known last, is hashed last.
 *
 *     ranges      16 bytes each: offset and length of bytes that are left out, in order
 *     32 bytes    number of ranges, size of the HDF5 part, hash of it and of the list, "SLUICE-3"
 *
 * Numbers are 8 bytes, little-endian. All offsets and lengths are multiples of 8.
 */
#ifndef SL_RESULTS_HDF5_SEAL_H
#define SL_RESULTS_HDF5_SEAL_H

#include <sluice/results.h>

#include "base/memory.h"

typedef struct sl_hdf5_range {
    uint64_t at, n;
} sl_hdf5_range;

typedef struct sl_hdf5_seal {
    uint64_t hash;
    SL_ARRAY(sl_hdf5_range) ranges;
} sl_hdf5_seal;

enum { SL_HDF5_SEAL_END = 32 }; /* bytes of the last part */

/* The next bytes of structure; n a multiple of 8. */
void sl_hdf5_seal_add(sl_hdf5_seal *seal, const void *bytes, size_t n);
/* The next bytes are values. False: out of memory. */
bool sl_hdf5_seal_skip(sl_context *ctx, sl_hdf5_seal *seal, uint64_t at, uint64_t n);
/* The seal as bytes, once the superblock is added as the last piece. size: of the HDF5 part. Into *out, of *n bytes from sl_alloc;
 * NULL: out of memory. */
char *sl_hdf5_seal_make(sl_context *ctx, sl_hdf5_seal *seal, uint64_t size, size_t *n);
void sl_hdf5_seal_fini(sl_context *ctx, sl_hdf5_seal *seal);

typedef enum sl_hdf5_seal_state {
    SL_HDF5_SEAL_WHOLE = 0,
    SL_HDF5_SEAL_BROKEN, /* a file of ours that is damaged, or that another program changed */
    SL_HDF5_SEAL_OLD,    /* of an older sluice */
    SL_HDF5_SEAL_FOREIGN
} sl_hdf5_seal_state;

/* *size: of the HDF5 part, where the seal is whole. */
sl_status sl_hdf5_seal_check(sl_context *ctx, const sl_source_bytes *bytes, sl_hdf5_seal_state *state, uint64_t *size);

#endif
