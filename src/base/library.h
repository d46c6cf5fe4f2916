/* SPDX-License-Identifier: MIT */
/* library.h: shared libraries that are loaded when first needed.
 *
 * The only calls of dlopen: a port to a system without it touches these three functions.
 */
#ifndef SL_BASE_LIBRARY_H
#define SL_BASE_LIBRARY_H

#include <sluice/base.h>

/* Loads the library of this name, as the system looks for it. SL_ERR_UNSUPPORTED: it cannot be; *why says why, borrowed until the
 * next call. It stays in memory when it is closed: few libraries were made to go. */
sl_status sl_library_open(const char *name, void **out, const char **why);
/* NULL: there is no such symbol. */
void *sl_library_symbol(void *library, const char *name);
/* NULL is fine. */
void sl_library_close(void *library);

#endif
