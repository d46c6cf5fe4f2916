/* SPDX-License-Identifier: MIT */
/* texts.h: what an automaton was built from, as it was given: for writing it (write.c) and for telling automata apart. */
#ifndef SL_AUTOMATA_TEXTS_H
#define SL_AUTOMATA_TEXTS_H

#include "automata/automaton.h"
#include "base/memory.h"

/* Names and elements, in the order in which files have them. */
typedef enum sl_text_section {
    SL_TEXT_PARAMETER,
    SL_TEXT_TABLE,
    SL_TEXT_DISCRETE,
    SL_TEXT_CONTINUOUS,
    SL_TEXT_INITIAL,
    SL_TEXT_ELEMENT, /* and one more for each kind of element */
    SL_TEXT_COUNT = SL_TEXT_ELEMENT + SL_AUTOMATON_ELEMENT_COUNT
} sl_text_section;

/* A name, or an element. */
typedef struct sl_automaton_text {
    const char *name; /* or the symbol, which may be NULL */
    double first, second;
    int32_t n;           /* points of a table, or guards */
    const double *x, *y; /* of a table */
    const char *variable, *formula, *range;
    int32_t n_y;    /* of an array: in y; 0: as in x */
    int32_t n_made; /* variables that it stands for; 0: one */
    const char *const *guards;
    /* Of the name; of an element: its guard (the first; where there is none, the element), and its formula. Line 0: none. */
    sl_text_location location, formula_location;
    struct sl_automaton_text *next;
} sl_automaton_text;

typedef struct sl_automaton_texts {
    sl_automaton_text *first[SL_TEXT_COUNT], *last[SL_TEXT_COUNT];
    uint64_t hash[SL_TEXT_COUNT]; /* order between sections makes no difference */
    /* The file and the line of the last location, as they came and as they are kept: many locations share them. */
    const char *file_given, *file;
    sl_str line_given, line;
} sl_automaton_texts;

/* Everything is copied into the arena. False: no memory. */
bool sl_automaton_texts_add(sl_automaton_texts *texts, sl_arena *arena, sl_text_section section,
                            const sl_automaton_text *text);
bool sl_automaton_texts_add_element(sl_automaton_texts *texts, sl_arena *arena, const sl_automaton_element_def *def);
/* A section's i-th. */
const sl_automaton_text *sl_automaton_texts_get(const sl_automaton_texts *texts, sl_text_section section, int32_t i);
uint64_t sl_automaton_texts_hash(const sl_automaton_texts *texts);

/* Of an automaton. */
const sl_automaton_texts *sl_automaton_texts_of(const sl_automaton *a);
/* Its own rules, whatever its run. */
const sl_sda_def *sl_automaton_rules(const sl_automaton *a);

#endif
