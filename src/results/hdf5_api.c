/* SPDX-License-Identifier: MIT */
/* hdf5_api.c: loads libhdf5; see hdf5_api.h. Not built where the library was not there. */
#include "results/hdf5_api.h"

#include <pthread.h>
#include <string.h>

#include "base/foreign_memory.h"
#include "base/library.h"
#include "base/report.h"

const char sl_hdf5_name[] = SLUICE_HDF5;

static pthread_mutex_t hdf5_lock = PTHREAD_MUTEX_INITIALIZER;

static sl_status refuse(sl_hdf5 *h, sl_diags *diags, const char *what, const char *why) {
    sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL,
              "install the HDF5 library (Debian: apt-get install libhdf5-dev), or write .csv or .json",
              "HDF5 files need %s, which cannot be loaded: %s", what, why ? why : "unknown reason");
    sl_library_close(h->library);
    *h = (sl_hdf5){0};
    return SL_ERR_UNSUPPORTED;
}

/* Function pointers and void * have the same size on every system that loads libraries. */
static bool resolve(const sl_hdf5 *h, const char *name, void *to) {
    void *symbol = sl_library_symbol(h->library, name);
    memcpy(to, &symbol, sizeof symbol);
    return symbol != NULL;
}

sl_status sl_hdf5_load(sl_hdf5 *h, const char *name, sl_diags *diags) {
    const char *why = NULL;
    *h = (sl_hdf5){.library = NULL};
    sl_status status = sl_library_open(name, &h->library, &why);
    if (status != SL_OK) {
        return status == SL_ERR_MEMORY ? status : refuse(h, diags, name, why);
    }
    int before = sl_foreign_memory_begin();
    bool fine = true;
#define SL_HDF5_CALL(name) fine = fine && resolve(h, #name, &h->name);
    SL_HDF5_CALLS(SL_HDF5_CALL)
#undef SL_HDF5_CALL
    if (!fine) {
        (void)sl_foreign_memory_end(before);
        return refuse(h, diags, name, "it is not as it was at build");
    }
    pthread_mutex_lock(&hdf5_lock);
    /* Its exit handler crashes over a file that a full disk kept from being closed (1.10). There is nothing for it to do:
     * whoever opens a file here closes it. A host that uses the library already is not affected. */
    (void)h->H5dont_atexit();
    fine = h->H5open() >= 0;
    pthread_mutex_unlock(&hdf5_lock);
    const hid_t *id = NULL;
#define SL_HDF5_ID(name)                           \
    fine = fine && resolve(h, #name, (void *)&id); \
    h->name = fine ? *id : -1;
    SL_HDF5_IDS(SL_HDF5_ID)
#undef SL_HDF5_ID
    if (sl_foreign_memory_end(before)) {
        sl_library_close(h->library);
        *h = (sl_hdf5){0};
        return SL_ERR_MEMORY;
    }
    return fine ? SL_OK : refuse(h, diags, name, "it is not as it was at build");
}

void sl_hdf5_unload(sl_hdf5 *h) {
    sl_library_close(h->library);
    h->library = NULL;
}

void sl_hdf5_enter(sl_hdf5 *h) {
    pthread_mutex_lock(&hdf5_lock);
    h->error_number = sl_foreign_memory_begin();
    h->H5Eget_auto2(H5E_DEFAULT, &h->print, &h->print_user);
    h->H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void sl_hdf5_leave(sl_hdf5 *h) {
    h->H5Eset_auto2(H5E_DEFAULT, h->print, h->print_user);
    (void)sl_foreign_memory_end(h->error_number);
    pthread_mutex_unlock(&hdf5_lock);
}
