/* SPDX-License-Identifier: MIT */
/* library.c: shared libraries, by the dynamic linker. */
#include "base/library.h"

#include <dlfcn.h>
#include <stddef.h>

#include "base/foreign_memory.h"

sl_status sl_library_open(const char *name, void **out, const char **why) {
    int before = sl_foreign_memory_begin();
    *out = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    bool no_memory = sl_foreign_memory_end(before) && !*out;
    *why = *out ? NULL : dlerror();
    return *out ? SL_OK : no_memory ? SL_ERR_MEMORY : SL_ERR_UNSUPPORTED;
}

void *sl_library_symbol(void *library, const char *name) {
    return dlsym(library, name);
}

void sl_library_close(void *library) {
    if (library) {
        dlclose(library);
    }
}
