/* SPDX-License-Identifier: MIT */
/* tape_build.h: a tape being compiled: between tape.c (trees and shapes) and tape_code.c (loops and registers). */
#ifndef SL_EXPR_TAPE_BUILD_H
#define SL_EXPR_TAPE_BUILD_H

#include "expr/impl.h"
#include "expr/tape_impl.h"

/* A shape is a sequence of words: level, kept; then SL_SHAPE_LEAF area, or op x y z and the bits of an exponent, each making
 * the next value from 0 on. */
enum { SL_SHAPE_LEAF = -1, SL_SHAPE_HEAD = 2 };

/* From so many arguments on, sums and the like run over kept values instead of being part of a tree. */
enum { SL_TAPE_LONG = 16 };

typedef SL_ARRAY(int32_t) sl_ints;

typedef struct sl_tape_group {
    int32_t level;
    bool kept; /* into work; else into out */
    int32_t n_leaf;
    int64_t first_word, n_word;
    sl_ints bases; /* n_leaf per cell: number in the area; of CONST and WORK: place in the list */
    sl_ints tops;  /* one per cell: place in the list */
} sl_tape_group;

/* A node whose operands are being written: the next argument, and of one that is part of it its next factor. */
typedef struct sl_tape_frame {
    int32_t k, next, factor;
} sl_tape_frame;

typedef struct sl_tape_builder {
    const sl_exprs *g;
    sl_walk *walk; /* over what is below the roots; memory is from its context */
    sl_tape *tape;
    sl_arena arena;
    sl_expr_list list;        /* nodes below the roots, ascending; everything here goes by the place in it */
    int32_t *tree;            /* top of the tree it belongs to */
    int32_t *output;          /* of a root: its place in what an evaluation gives; -2: several */
    const int32_t *positions; /* ... of each root; NULL: its number */
    int32_t *uses;            /* as an argument */
    int32_t *level;
    int32_t *slot; /* of a kept top: its place in work */
    bool *kept;
    bool is_template;   /* one root, of a loop: everything below is one tree */
    sl_ints leaf_modes; /* ... how its leaves go on from cell to cell */
    /* The tree at hand. */
    int32_t top, n_value;
    int32_t *seen, *value; /* the value of a node, if seen is top */
    sl_ints shape, leaf_bases;
    SL_ARRAY(sl_tape_frame) stack;
    /* Groups, by shape. */
    sl_ids *shapes;
    SL_ARRAY(sl_tape_group) groups;
    sl_ints words;
    sl_ints order;           /* of groups by level */
    sl_ints registers, free; /* of a loop being written */
} sl_tape_builder;

static inline int32_t sl_tape_position(const sl_tape_builder *b, int32_t root) {
    return b->positions ? b->positions[root] : root;
}

/* The tree at hand as a loop of n cells, whose results begin at `to`. */
bool sl_tape_write_template(sl_tape_builder *b, int32_t n, int32_t to);
bool sl_tape_write_tables(sl_tape_builder *b);

/* The leaf that node k is to others; its base is a place in the list for CONST and WORK. */
sl_tape_leaf sl_tape_leaf_of(const sl_tape_builder *b, int32_t k);
/* Loops, reductions, copies, tables. false: memory */
bool sl_tape_write(sl_tape_builder *b, int32_t n_root, const sl_expr *roots);

#endif
