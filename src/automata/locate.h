/* SPDX-License-Identifier: MIT */
/* locate.h: where a part of an automaton stands in its source, and a name within its texts: messages point at the name itself. */
#ifndef SL_AUTOMATA_LOCATE_H
#define SL_AUTOMATA_LOCATE_H

#include "expr/expr.h"

/* Text and its location; location NULL: none. */
typedef struct sl_located_text {
    sl_str text;
    const sl_text_location *location;
} sl_located_text;

typedef struct sl_element_location {
    const sl_text_location *element;
    const sl_located_text *variable, *formula; /* NULL: there is none */
    const sl_located_text *guard;              /* [n_guard] */
    int32_t n_guard;
} sl_element_location;

/* A leaf in the guards of a part (guard), or in its formula: where it is written, else the text, else the part. NULL: part is, or it
 * has no location. room is where the result is kept. */
const sl_text_location *sl_locate_leaf(const sl_element_location *part, bool guard, const sl_exprs *g, sl_expr leaf,
                                       sl_text_location *room);
/* The variable of a part, or its formula as a whole; else the part. */
const sl_text_location *sl_locate_variable(const sl_element_location *part);
const sl_text_location *sl_locate_formula(const sl_element_location *part);

#endif
