/* SPDX-License-Identifier: MIT */
/* explain_impl.h: a page in the making: between explain.c (content) and explain_write.c (layout). */
#ifndef SL_AUTOMATA_EXPLAIN_IMPL_H
#define SL_AUTOMATA_EXPLAIN_IMPL_H

#include "automata/explain.h"
#include "base/memory.h"
#include "base/out.h"

typedef enum sl_relation { SL_RELATION_NONE = 0, SL_RELATION_EQUALS, SL_RELATION_BECOMES } sl_relation;

/* A line of a section: a label, a formula (left, relation, right), the guard, and words; each may be missing. */
typedef struct sl_explain_item {
    const char *label; /* "" : none */
    sl_expr left, right;
    sl_relation relation;
    sl_expr guard; /* SL_EXPR_NONE: always */
    const char *words;
    sl_expr_loop loop;       /* whose cells it stands for; n = 0: none */
    int32_t location, group; /* among those of its section; of the first with the same left side */
} sl_explain_item;

typedef struct sl_explain_page {
    sl_exprs *g;
    sl_out *out;
    sl_status status; /* the first failure of a formula */
    sl_bytes room;    /* for measuring */
    sl_json json;
    sl_expr_loop loop; /* of the item at work */
} sl_explain_page;

typedef struct sl_explain_writer {
    void (*open)(sl_explain_page *p, const char *title, const char *what);
    void (*section)(sl_explain_page *p, const char *title, const char *note, int32_t n, const sl_explain_item *items);
    void (*close)(sl_explain_page *p);
} sl_explain_writer;

extern const sl_explain_writer sl_explain_writers[SL_EXPLAIN_FORMS];

#endif
