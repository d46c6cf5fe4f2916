/* SPDX-License-Identifier: MIT */
/* handle.h: what callers hold begins with a mark of its kind.
 *
 * A handle of another kind, and one whose object was destroyed, are recognised so: functions return SL_ERR_USE. Of a destroyed
 * one that is so as long as nothing else has its memory; debug builds, which watch memory, say where it was destroyed.
 */
#ifndef SL_BASE_HANDLE_H
#define SL_BASE_HANDLE_H

#include <stdint.h>

enum {
    SL_HANDLE_GONE = 0x4745,
    SL_HANDLE_MODEL = 0x534C4D4F,
    SL_HANDLE_SESSION = 0x534C5345,
    SL_HANDLE_AUTOMATON = 0x534C4155,
    SL_HANDLE_EXECUTION = 0x534C4558,
    SL_HANDLE_RESULTS = 0x534C5253,
    SL_HANDLE_SPEC = 0x534C5350,
    SL_HANDLE_HYDRAULICS = 0x534C4859,
    SL_HANDLE_OUTFILE = 0x534C4F46,
    SL_HANDLE_COMPARISON = 0x534C434F,
    SL_HANDLE_RECORDER = 0x534C5243,
    SL_HANDLE_WRITER = 0x534C5257,
    SL_HANDLE_TUNNELS = 0x534C5455
};

/* The first member of such an object. */
typedef uint32_t sl_handle_mark;

/* Is it one of this kind? object: a pointer to a structure with the member handle, or NULL. */
#define SL_HANDLE_IS(object, kind) ((object) && *(const sl_handle_mark *)(const void *)(object) == (kind))

#endif
