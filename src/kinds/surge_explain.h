/* SPDX-License-Identifier: MIT */
/* surge_explain.h: pages that explain a surge study: between surge_explain.c (the whole and its elements) and surge_words.c. */
#ifndef SL_KINDS_SURGE_EXPLAIN_H
#define SL_KINDS_SURGE_EXPLAIN_H

#include "kinds/network_explain.h"

typedef struct sl_surge_explain_page {
    sl_sheet page;
    const sl_network *net;
    const sl_surge_def *def;
    sl_surge_fluid fluid; /* complete */
    sl_surge_grid grid;
    sl_session *s; /* at the page's time */
    sl_surge_view view;
    sl_display_units shown;
} sl_surge_explain_page;

sl_status sl_surge_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink);
/* Events that act on a node or a link (-1: not), or all of them, as a list of the section that is open. */
int32_t sl_explain_events(sl_surge_explain_page *p, int32_t node, int32_t link);
/* The section of what is at a node, or on a pipe, beside pipes. */
void sl_explain_devices(sl_surge_explain_page *p, int32_t node, int32_t pipe);

#endif
