/* SPDX-License-Identifier: MIT */
/* hdf5_api.h: libhdf5 without linking it: the one door to <hdf5.h>.
 *
 * The program starts in under a millisecond, and libhdf5 alone would take more; most runs write no HDF5. So the library is
 * loaded when the first such file is asked for, by the name that it had when this was built, and what is used of it is
 * resolved into one table: h->H5Fcreate(...) is H5Fcreate(...), types and all.
 *
 * libhdf5 has state of its own that threads share, prints on errors unless told not to, and allocates by itself: calls
 * stand between sl_hdf5_enter and sl_hdf5_leave, one thread at a time.
 */
#ifndef SL_RESULTS_HDF5_API_H
#define SL_RESULTS_HDF5_API_H

#include <hdf5.h>
#include <hdf5_hl.h>

#include <sluice/diag.h>

#define SL_HDF5_CALLS(X)            \
    X(H5dont_atexit)                \
    X(H5open)                       \
    X(H5free_memory)                \
    X(H5Eget_auto2)                 \
    X(H5Eset_auto2)                 \
    X(H5Ewalk2)                     \
    X(H5Zfilter_avail)              \
    X(H5Fcreate)                    \
    X(H5Fopen)                      \
    X(H5Fclose)                     \
    X(H5Fflush)                     \
    X(H5Fget_file_image)            \
    X(H5FDopen)                     \
    X(H5FDclose)                    \
    X(H5FDset_eoa)                  \
    X(H5FDget_eof)                  \
    X(H5FDread)                     \
    X(H5FDwrite)                    \
    X(H5Pcreate)                    \
    X(H5Pclose)                     \
    X(H5Pset_chunk)                 \
    X(H5Pset_deflate)               \
    X(H5Pset_shuffle)               \
    X(H5Pset_link_creation_order)   \
    X(H5Pset_attr_creation_order)   \
    X(H5Pset_obj_track_times)       \
    X(H5Pset_file_image)            \
    X(H5Pset_fapl_core)             \
    X(H5Pget_chunk)                 \
    X(H5Pset_vlen_mem_manager)      \
    X(H5Screate)                    \
    X(H5Screate_simple)             \
    X(H5Sclose)                     \
    X(H5Sselect_hyperslab)          \
    X(H5Sget_simple_extent_ndims)   \
    X(H5Sget_simple_extent_dims)    \
    X(H5Sget_simple_extent_npoints) \
    X(H5Tcopy)                      \
    X(H5Tclose)                     \
    X(H5Tset_size)                  \
    X(H5Tset_cset)                  \
    X(H5Tget_class)                 \
    X(H5Tget_size)                  \
    X(H5Tis_variable_str)           \
    X(H5Gget_info)                  \
    X(H5Lget_name_by_idx)           \
    X(H5Oopen)                      \
    X(H5Oclose)                     \
    X(H5Iget_type)                  \
    X(H5Dcreate2)                   \
    X(H5Dclose)                     \
    X(H5Dwrite)                     \
    X(H5Dwrite_chunk)               \
    X(H5Dread)                      \
    X(H5Dget_space)                 \
    X(H5Dget_chunk_info_by_coord)   \
    X(H5Dget_type)                  \
    X(H5Dget_storage_size)          \
    X(H5Dget_create_plist)          \
    X(H5Dset_extent)                \
    X(H5Acreate2)                   \
    X(H5Awrite)                     \
    X(H5Aclose)                     \
    X(H5Aexists)                    \
    X(H5Aopen)                      \
    X(H5Aread)                      \
    X(H5Aget_space)                 \
    X(H5Aget_type)                  \
    X(H5DSset_scale)                \
    X(H5DSattach_scale)

/* H5F_ACC_TRUNC, H5F_ACC_RDONLY and H5F_ACC_RDWR without the calls that the macros make of their own. */
#define SL_HDF5_ACC_TRUNC 0x0002u
#define SL_HDF5_ACC_RDONLY 0x0000u
#define SL_HDF5_ACC_RDWR 0x0001u

/* Ids that the library keeps in variables; here their values. */
#define SL_HDF5_IDS(X)           \
    X(H5T_C_S1_g)                \
    X(H5T_IEEE_F32LE_g)          \
    X(H5T_IEEE_F64LE_g)          \
    X(H5T_STD_I8LE_g)            \
    X(H5T_STD_I32LE_g)           \
    X(H5T_NATIVE_INT_g)          \
    X(H5T_NATIVE_FLOAT_g)        \
    X(H5T_NATIVE_DOUBLE_g)       \
    X(H5T_NATIVE_SCHAR_g)        \
    X(H5P_CLS_FILE_CREATE_ID_g)  \
    X(H5P_CLS_FILE_ACCESS_ID_g)  \
    X(H5P_CLS_DATASET_XFER_ID_g) \
    X(H5P_CLS_DATASET_CREATE_ID_g)

typedef struct sl_hdf5 {
    void *library;
    H5E_auto2_t print; /* of the host program, while we are inside */
    void *print_user;
    int error_number; /* of the host program, while we are inside */
#define SL_HDF5_CALL(name) __typeof__(name) *(name);
    SL_HDF5_CALLS(SL_HDF5_CALL)
#undef SL_HDF5_CALL
#define SL_HDF5_ID(name) hid_t name;
    SL_HDF5_IDS(SL_HDF5_ID)
#undef SL_HDF5_ID
} sl_hdf5;

/* The library's file name, from the build. */
extern const char sl_hdf5_name[];

/* Loads and resolves; SL_ERR_UNSUPPORTED with a diagnostic that says what to install, or SL_ERR_MEMORY. */
sl_status sl_hdf5_load(sl_hdf5 *h, const char *name, sl_diags *diags);
void sl_hdf5_unload(sl_hdf5 *h);
/* Around all calls; leaves with the host's own error printing in its place. */
void sl_hdf5_enter(sl_hdf5 *h);
void sl_hdf5_leave(sl_hdf5 *h);

#endif
