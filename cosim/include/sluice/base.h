/* SPDX-License-Identifier: MIT */
/* sluice/base.h: declarations that every other header uses.
 *
 * Status codes, borrowed text, the context (allocator, log, progress) and sinks.
 *
 * Ownership: an out-pointer is owned by the caller and released by the matching destroy function; a
 * returned pointer is borrowed. Everything is in SI units unless a name says otherwise.
 */
#ifndef SLUICE_BASE_H
#define SLUICE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__MINGW32__)
#define SL_API
#define SL_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#elif defined(__GNUC__)
#define SL_API __attribute__((visibility("default")))
#define SL_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define SL_API
#define SL_PRINTF(fmt, args)
#endif

/* An inline function of a header. In C++ all source files share one. */
#ifdef __cplusplus
#define SL_HEADER_INLINE inline
#else
#define SL_HEADER_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Structures that the caller owns and the library reads or fills begin with their size, so that members can be appended:
 *     sl_step step = {.size = sizeof step};              C
 *     sl_step step = {}; step.size = sizeof step;        C++
 * The default function of a definition (sl_..._def) sets the size. The library reads and writes only that number of bytes. A missing size
 * (0) is SL_ERR_USE. The comment of a structure without a size gives the reason: "No size: ...". */

/* Declares a default function NAME() of a definition. It is inline, so that the library fills only the members that the caller was
 * compiled with. Other languages call NAME_fill with their own size. */
#define SL_DEFAULT(type, name)                                                                              \
    SL_API void name##_fill(type *def, size_t size); /* NOLINT(bugprone-macro-parentheses): it is a type */ \
    SL_HEADER_INLINE type name(void) {                                                                      \
        type def;                                                                                           \
        name##_fill(&def, sizeof def);                                                                      \
        return def;                                                                                         \
    }

/* Result of a call. Unless a function states otherwise, every status but SL_OK sets its out-pointers to NULL. */
typedef enum sl_status {
    SL_OK = 0,
    SL_ERR_MEMORY,     /* the allocator refused */
    SL_ERR_INPUT,      /* the data has errors; the diagnostics list them with locations */
    SL_ERR_SOLVE,      /* a computation failed or did not balance */
    SL_ERR_IO,         /* input or output failed: a sink refused, a file could not be written */
    SL_ERR_USE,        /* the call is not allowed: wrong argument or wrong order */
    SL_ERR_CANCELLED,  /* the progress callback asked to stop */
    SL_ERR_UNSUPPORTED /* known, but not available in this build or version */
} sl_status;

/* A short lower-case name of a status, for messages ("out of memory"). */
SL_API const char *sl_status_text(sl_status status);

/* The library's version, "major.minor.patch". */
SL_API const char *sl_version(void);

/* Borrowed text: not owned, not NUL-terminated. No size: these two members are fixed for good; it is passed by value. */
typedef struct sl_str {
    const char *ptr;
    size_t len;
} sl_str;

/* Text from a NUL-terminated string; NULL gives empty text. */
SL_API sl_str sl_str_z(const char *z);
SL_API bool sl_str_equal(sl_str a, sl_str b);
/* Equal if the case of ASCII letters is ignored. */
SL_API bool sl_str_equal_nocase(sl_str a, sl_str b);

/* ---- Context ------------------------------------------------------------------------------------ */

typedef enum sl_severity { SL_INFO = 0, SL_WARNING, SL_ERROR } sl_severity;

/* One function allocates, grows, shrinks and frees.
 * resize(user, NULL, 0, n) allocates, resize(user, p, old, n) moves, resize(user, p, old, 0) frees and
 * returns NULL. Memory is aligned for any type. It may be called from several threads at once when a
 * context with more than one thread is used.
 * zeroed returns a new block of zeros, if that is cheaper than clearing one; NULL: the library calls resize and clears the block. */
typedef struct sl_allocator {
    size_t size;
    void *user;
    void *(*resize)(void *user, void *ptr, size_t old_size, size_t new_size);
    void *(*zeroed)(void *user, size_t size);
} sl_allocator;

/* State of a long computation. No size: the library passes it to the callback, so it can grow at its end. */
typedef struct sl_progress {
    const char *phase; /* "reading" */
    double done;       /* in [0, total] */
    double total;      /* 0 when unknown */
} sl_progress;

typedef struct sl_context_def {
    size_t size;                                                     /* of this struct, set by sl_context_default */
    const sl_allocator *allocator;                                   /* copied; NULL: malloc */
    void (*log)(void *user, sl_severity severity, const char *text); /* NULL: silent */
    void *log_user;
    bool (*progress)(void *user, const sl_progress *progress); /* NULL: none; returning false asks to stop */
    void *progress_user;
    int32_t n_thread; /* 1: no pool (default); 0: one per core */
    /* Factor on the limits that stop mistaken input: numbers of steps, reports, grid cells and cases. A model beyond them is refused.
     * Above 0, default 1. */
    double effort;
    double memory; /* limit [bytes]: a model with a larger estimate is refused; default 0: no limit */
} sl_context_def;

/* A context: allocator, log, progress callback, threads and limits of a program. It is read-only after creation and may be shared. */
typedef struct sl_context sl_context;

/* malloc, silent, no progress, one thread, no limit of memory. */
SL_DEFAULT(sl_context_def, sl_context_default)
/* def may be NULL for the defaults. */
SL_API sl_status sl_context_create(const sl_context_def *def, sl_context **out);
SL_API void sl_context_destroy(sl_context *ctx);

/* ---- Sinks -------------------------------------------------------------------------------------- */

/* Destination of bytes. No size: a function and its argument, fixed for good. write returns SL_OK when it has written all n bytes. */
typedef struct sl_sink {
    void *user;
    sl_status (*write)(void *user, const void *bytes, size_t n);
} sl_sink;

#ifdef __cplusplus
}
#endif
#endif
