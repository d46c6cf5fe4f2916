/* SPDX-License-Identifier: MIT */
/* ldl_impl.h: what the analysis of a sparse system leaves behind for its factorisation; see ldl.h and
 * docs/theory/sparse.md.
 *
 * Unknowns are renumbered in the order of elimination: column k belongs to the caller's unknown order[k]. The factor is
 * kept by columns, rows ascending, without its diagonal. Its first n_head columns are the head: short columns, by their
 * height in the elimination tree. The other columns are the tail.
 */
#ifndef SL_NUMERIC_LDL_IMPL_H
#define SL_NUMERIC_LDL_IMPL_H

#include "base/memory.h"
#include "numeric/ldl.h"

enum {
    LDL_HEAD_LENGTH = 12,  /* entries of a column of the head: its list of targets costs 4 bytes per multiplication */
    LDL_IN_TAIL = 1 << 30, /* heights from here on: a column of the tail */
};

/* Columns of the head that follow each other with one height and one length. */
typedef struct ldl_run {
    int32_t end; /* after the last column; the run begins where the one before ends */
    int32_t length;
} ldl_run;

/* What row j meets to its left: the columns column .. end - 1, all of which have their last rest entries, from row j
 * on, in the same rows. */
typedef struct ldl_block {
    int32_t column;
    int32_t end;
    int32_t rest;
} ldl_block;

struct sl_ldl {
    sl_context *ctx;
    sl_arena arena; /* owns all arrays below */
    int32_t n;
    int32_t n_edge;
    int32_t n_head;
    int32_t n_run;
    bool ordered;        /* the unknowns are numbered as the columns: order[k] = k */
    int32_t *slots;      /* [n_edge] see sl_ldl_slots */
    int32_t *order;      /* [n] */
    int32_t *column;     /* [n] of each unknown: the inverse of order */
    int32_t *begin;      /* [n + 1] first entry of each column */
    int32_t *row;        /* [begin[n]] row of each entry */
    ldl_run *run;        /* [n_run] */
    int32_t *target;     /* entries changed by the head's columns, in the order of change */
    int32_t *left_begin; /* [n - n_head + 1] tail column j owns left[left_begin[j - n_head]] .. */
    ldl_block *left;     /* blocks of tail columns that row j meets, columns ascending */
};

/* An unknown while it is analysed: the unknowns it is joined to and that are not eliminated yet; in the end its column, in
 * any order. */
typedef struct ldl_vertex {
    int32_t begin, n, room; /* its list: place, length, and how long it may get there */
    int32_t position;       /* in the order of elimination; n: not yet */
    int32_t height;         /* in the elimination tree */
    int32_t met;            /* columns it is in */
    int32_t next, before;   /* in a ring of unknowns that are joined to equally many */
} ldl_vertex;

/* What ldl_order.c finds out. */
typedef struct ldl_columns {
    ldl_vertex *x;        /* [n] */
    int32_t *order;       /* [n] unknowns as they are eliminated */
    SL_ARRAY(int32_t) at; /* the lists */
} ldl_columns;

/* Does an edge have an entry in the matrix? */
static inline bool sl_ldl_is_entry(int32_t from, int32_t to) {
    return from >= 0 && to >= 0 && from != to;
}

/* c->at belongs to the caller, also after a failure; the rest is in scratch. */
sl_status sl_ldl_find_columns(sl_ldl *p, sl_arena *scratch, const int32_t *from, const int32_t *to, ldl_columns *c);

#endif
