/* SPDX-License-Identifier: MIT */
/* library.c: shared libraries, by the dynamic linker. */
#include "base/library.h"

#include <dlfcn.h>
#include <stddef.h>

void *sl_library_open(const char *name, const char **why) {
    void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    *why = library ? NULL : dlerror();
    return library;
}

void *sl_library_symbol(void *library, const char *name) {
    return dlsym(library, name);
}

void sl_library_close(void *library) {
    if (library) {
        dlclose(library);
    }
}
