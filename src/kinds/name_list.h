/* SPDX-License-Identifier: MIT */
/* name_list.h: names of variables at commas, as options have them. Brackets hold commas of their own: end[0,1]. */
#ifndef SL_KINDS_NAME_LIST_H
#define SL_KINDS_NAME_LIST_H

#include <sluice/base.h>

enum { SL_NAMES_MAX = 64, SL_NAMES_TEXT = 2000 };

typedef struct sl_name_list {
    const char *at[SL_NAMES_MAX];
    int32_t n;
    char text[SL_NAMES_TEXT];
    size_t used;
    bool full; /* there were more */
} sl_name_list;

void sl_name_list_add(sl_name_list *l, const char *text);

#endif
