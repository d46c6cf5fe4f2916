/* SPDX-License-Identifier: MIT */
/* hdf5_read.h: the reading half of the format HDF5; see format.h. There also where the library was not there at build. */
#ifndef SL_RESULTS_HDF5_READ_H
#define SL_RESULTS_HDF5_READ_H

#include "results/format.h"

bool sl_hdf5_recognise(const unsigned char *head, size_t n, uint64_t size);
sl_status sl_hdf5_open(sl_results *r, sl_diags *diags);

#endif
