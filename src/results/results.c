/* SPDX-License-Identifier: MIT */
/* results.c: readers behind sl_results: opening, finding, reading. See format.h. */
#include "base/utf8.h"
#include "results/format.h"

/* ---- Texts -------------------------------------------------------------------------------------- */

const char *sl_results_text(sl_arena *arena, const char *bytes) {
    sl_str s = sl_str_z(bytes);
    char *text = sl_arena_alloc(arena, 2 * s.len + 1); /* a byte becomes two at most */
    size_t n = 0;
    while (text && s.len > 0) {
        uint32_t c;
        size_t k = sl_utf8_decode(s, &c);
        n += sl_utf8_encode(c, text + n);
        s.ptr += k;
        s.len -= k;
    }
    return text;
}
