/* SPDX-License-Identifier: MIT */
/* network_explain.h: pages that explain a network: between network_explain.c (the whole), its links, its nodes, and controls in
 * words. */
#ifndef SL_KINDS_NETWORK_EXPLAIN_H
#define SL_KINDS_NETWORK_EXPLAIN_H

#include "kinds/sheet.h"

typedef struct sl_network_page {
    sl_sheet page;
    const sl_network *net;
    sl_session *s; /* at the page's time; NULL: of the model as a whole, which is not run */
    sl_display_units shown;
    double time; /* [s] */
} sl_network_page;

sl_status sl_network_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink);
void sl_explain_link(sl_network_page *p, int32_t link);
void sl_explain_node(sl_network_page *p, int32_t node);

/* Indices of the elements that were asked for, nodes first. SL_ERR_INPUT: there is none of an id; the diagnostics name it. */
typedef struct sl_asked {
    int32_t n_node, n_link;
    int32_t node[SL_TEXTS_MAX], link[SL_TEXTS_MAX];
} sl_asked;
sl_status sl_asked_find(const sl_network *net, const sl_page_def *def, sl_diags *diags, sl_asked *out);

/* "junction J1" */
enum { SL_WORDS_MAX = 400 };
const char *sl_node_words(const sl_network *net, int32_t node, char buf[SL_WORDS_MAX]);
/* Controls that act on a link, and rules; link -1: all of them. Lists of the section that is open; return how many there are. */
int32_t sl_explain_controls(sl_network_page *p, int32_t link);
int32_t sl_explain_rules(sl_network_page *p, int32_t link);
/* The factor of a pattern at the page's time; 1 of none. */
double sl_explain_pattern(const sl_network_page *p, int32_t pattern);
const char *sl_headloss_name(sl_headloss law);

#endif
