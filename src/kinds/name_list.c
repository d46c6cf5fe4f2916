/* SPDX-License-Identifier: MIT */
/* name_list.c: see name_list.h. */
#include "kinds/name_list.h"

#include <string.h>

void sl_name_list_add(sl_name_list *l, const char *text) {
    while (*text && !l->full) {
        size_t n = 0;
        for (int depth = 0; text[n] && (text[n] != ',' || depth > 0); n++) {
            depth += (text[n] == '[') - (text[n] == ']');
        }
        l->full = l->n == SL_NAMES_MAX || l->used + n + 1 > sizeof l->text;
        if (!l->full && n > 0) {
            l->at[l->n++] = memcpy(l->text + l->used, text, n);
            l->used += n;
            l->text[l->used++] = '\0';
        }
        text += n + (text[n] == ',');
    }
}
