/* SPDX-License-Identifier: MIT */
/* cancel.c: derivatives that cancel between equations (reduce.h). Node equations of a network of capacitors are
 *
 *     c1*(der(v1) - der(v2)) = i1,    -c1*(der(v1) - der(v2)) + c2*der(v2) = i2,    -c2*der(v2) = i3
 *
 * by whose form every equation could have a derivative of its own; by its numbers the matrix has rank 2, and the sum of the equations is a
 * constraint. Where all factors of the derivatives in an equation are numbers (constants and parameters) such equations are replaced by
 * the combination in which no derivative is left. So structure tells the truth about them.
 *
 * Elimination is sparse, row by row; what is left of an entry after cancelling beyond 12 digits is zero. It is given up when it fills in.
 */
#include "dae/plan.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-12;
enum { MOST_WORK = 100 }; /* operations for each entry, on average */

typedef struct term {
    int32_t at;        /* variable, or equation */
    double value, sum; /* what cancelled in it, in size */
} term;
typedef SL_ARRAY(term) terms;

typedef struct eliminator {
    sl_reduction *r;
    const sl_reduction_def *def;
    terms *rows;        /* [n] what is left of rows that have a pivot */
    terms *made_of;     /* [n] the equations of which these are made */
    int32_t *pivot_row; /* [n] of a variable, -1: none */
    int32_t *place;     /* [n] in the row at work, -1 */
    int64_t work, most;
    int32_t n_rank;
} eliminator;

static bool add(sl_context *ctx, terms *to, int32_t at, double value) {
    for (int64_t k = 0; k < to->n; k++) {
        if (to->at[k].at == at) {
            to->at[k].value += value;
            to->at[k].sum += fabs(value);
            return true;
        }
    }
    return SL_PUSH(ctx, to, ((term){at, value, fabs(value)}));
}

/* The derivatives of equation i; false: not all of their factors are numbers, or there are none. */
static bool read_row(eliminator *e, int32_t i, const int32_t *from, sl_expr_list *leaves, terms *row,
                     sl_status *status) {
    sl_reduction *r = e->r;
    const sl_reduction_def *def = e->def;
    row->n = 0;
    for (int32_t k = r->start[i]; k < r->start[i + 1] && *status == SL_OK; k++) {
        double value = 0.0;
        if (!r->order[k]) {
            continue;
        }
        if (!sl_reduction_is_number(def, def->factors[from[k]], leaves, &value, status)) {
            return false;
        }
        *status =
            *status != SL_OK || SL_PUSH(r->ctx, row, ((term){r->col[k], value, fabs(value)})) ? *status : SL_ERR_MEMORY;
    }
    return *status == SL_OK && row->n > 0;
}

/* Takes pivots out of a row. */
static sl_status reduce_row(eliminator *e, terms *row, terms *made_of) {
    sl_context *ctx = e->r->ctx;
    for (int64_t k = 0; k < row->n && e->work < e->most;) {
        term t = row->at[k];
        int32_t with = e->pivot_row[t.at];
        if (fabs(t.value) <= rounding * t.sum) {
            row->at[k] = row->at[--row->n];
            continue;
        }
        if (with < 0) {
            k++;
            continue;
        }
        const terms *other = &e->rows[with];
        double pivot = 0.0;
        for (int64_t m = 0; m < other->n; m++) {
            pivot = other->at[m].at == t.at ? other->at[m].value : pivot;
        }
        double factor = -t.value / pivot;
        bool fine = true;
        for (int64_t m = 0; m < other->n && fine; m++) {
            fine = other->at[m].at == t.at || add(ctx, row, other->at[m].at, factor * other->at[m].value);
        }
        for (int64_t m = 0; m < e->made_of[with].n && fine; m++) {
            fine = add(ctx, made_of, e->made_of[with].at[m].at, factor * e->made_of[with].at[m].value);
        }
        if (!fine) {
            return SL_ERR_MEMORY;
        }
        e->work += (row->n + 1) * other->n + (made_of->n + 1) * e->made_of[with].n;
        row->at[k] = row->at[--row->n];
        k = 0;
    }
    return SL_OK;
}

/* The largest is its pivot. */
static void take_pivot(eliminator *e, int32_t i, terms *row, terms *made_of) {
    int64_t best = 0;
    for (int64_t k = 1; k < row->n; k++) {
        best = fabs(row->at[k].value) > fabs(row->at[best].value) ? k : best;
    }
    e->pivot_row[row->at[best].at] = i;
    e->rows[i] = *row;
    e->made_of[i] = *made_of;
    *row = (terms){.at = NULL};
    *made_of = (terms){.at = NULL};
    e->n_rank++;
}

static sl_status keep_combination(sl_reduction *r, int32_t i, const terms *made_of) {
    sl_combination *c = sl_arena_alloc(&r->arena, sizeof *c);
    if (!c) {
        return SL_ERR_MEMORY;
    }
    *c = (sl_combination){.row = i, .n = (int32_t)made_of->n, .next = r->combinations};
    c->rows = sl_arena_alloc(&r->arena, (size_t)c->n * sizeof *c->rows);
    c->factors = sl_arena_alloc(&r->arena, (size_t)c->n * sizeof *c->factors);
    if (!c->rows || !c->factors) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < c->n; k++) {
        c->rows[k] = made_of->at[k].at;
        c->factors[k] = made_of->at[k].value;
    }
    r->combinations = c;
    return SL_OK;
}

/* How many equations could have a derivative of their own, by the form of those that were looked at. */
static sl_status structural_rank(sl_reduction *r, const uint8_t *is_read, int32_t *rank) {
    size_t n = (size_t)r->n;
    int32_t *start = sl_arena_alloc(&r->arena, (n + 2) * sizeof *start), at = 0;
    int32_t *col = sl_arena_alloc(&r->arena, ((size_t)r->start[r->n] + 1) * sizeof *col);
    int32_t *room = sl_arena_alloc(&r->arena, (2 * n + 1) * sizeof *room);
    if (!start || !col || !room) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < r->n; i++) {
        for (int32_t k = r->start[i]; k < r->start[i + 1] && is_read[i]; k++) {
            col[at] = r->col[k];
            at += r->order[k] != 0;
        }
        start[i + 1] = at;
    }
    return sl_match(r->ctx, &(sl_incidence){r->n, r->n, start, col}, room, room + n, rank);
}

/* The pattern with combined rows: what their equations hold, without derivatives. */
static sl_status combine_pattern(sl_reduction *r, const uint8_t *kinds, int32_t **from) {
    int64_t most = r->start[r->n];
    size_t n = (size_t)r->n;
    const sl_combination **of = sl_arena_alloc(&r->arena, (n + 1) * sizeof *of);
    int32_t *start = sl_arena_alloc(&r->arena, (n + 1) * sizeof *start), at = 0;
    int32_t *seen = sl_arena_alloc(&r->arena, (n + 1) * sizeof *seen);
    for (const sl_combination *c = r->combinations; c && of; c = c->next) {
        of[c->row] = c;
        for (int32_t k = 0; k < c->n; k++) {
            most += r->start[c->rows[k] + 1] - r->start[c->rows[k]];
        }
    }
    int32_t *col = sl_arena_alloc(&r->arena, ((size_t)most + 1) * sizeof *col);
    int32_t *origin = sl_arena_alloc(&r->arena, ((size_t)most + 1) * sizeof *origin);
    uint8_t *order = sl_arena_alloc(&r->arena, (size_t)most + 1);
    if (!of || !start || !seen || !col || !origin || !order) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < r->n; i++) {
        int32_t n_row = of[i] ? of[i]->n : 1;
        for (int32_t m = 0; m < n_row; m++) {
            int32_t row = of[i] ? of[i]->rows[m] : i;
            for (int32_t k = r->start[row]; k < r->start[row + 1]; k++) {
                bool is_gone = of[i] && (!(kinds[(*from)[k]] & SL_DAE_X) || seen[r->col[k]] == i + 1);
                if (!is_gone) {
                    seen[r->col[k]] = i + 1;
                    col[at] = r->col[k];
                    order[at] = of[i] ? 0 : r->order[k];
                    origin[at++] = of[i] ? -1 : (*from)[k];
                }
            }
        }
        start[i + 1] = at;
    }
    r->start = start;
    r->col = col;
    r->order = order;
    *from = origin;
    r->is_solvable = sl_arena_alloc(&r->arena, (size_t)at + 1);
    return r->is_solvable ? SL_OK : SL_ERR_MEMORY;
}

/* Where each equation has one derivative at most, form and numbers agree. */
static bool may_cancel(const sl_reduction *r) {
    for (int32_t i = 0; i < r->n; i++) {
        int n = 0;
        for (int32_t k = r->start[i]; k < r->start[i + 1]; k++) {
            n += r->order[k] != 0;
        }
        if (n > 1) {
            return true;
        }
    }
    return false;
}

sl_status sl_reduction_cancel(sl_reduction *r, const sl_reduction_def *def, int32_t **from) {
    if (!may_cancel(r)) {
        return SL_OK;
    }
    eliminator e = {.r = r, .def = def, .most = (int64_t)MOST_WORK * (r->start[r->n] + MOST_WORK)};
    size_t n = (size_t)r->n + 1;
    sl_expr_list leaves = {0};
    terms row = {.at = NULL}, made_of = {.at = NULL};
    e.rows = sl_arena_alloc(&r->arena, n * sizeof *e.rows);
    e.made_of = sl_arena_alloc(&r->arena, n * sizeof *e.made_of);
    e.pivot_row = sl_arena_alloc(&r->arena, n * sizeof *e.pivot_row);
    uint8_t *is_read = sl_arena_alloc(&r->arena, n);
    sl_status status = e.rows && e.made_of && e.pivot_row && is_read ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        memset(e.pivot_row, -1, n * sizeof *e.pivot_row);
    }
    for (int32_t i = 0; i < r->n && status == SL_OK && e.work < e.most; i++) {
        made_of.n = 0;
        if (!read_row(&e, i, *from, &leaves, &row, &status)) {
            continue;
        }
        is_read[i] = 1;
        status = SL_PUSH(r->ctx, &made_of, ((term){i, 1.0, 1.0})) ? reduce_row(&e, &row, &made_of) : SL_ERR_MEMORY;
        if (status == SL_OK && row.n > 0) {
            take_pivot(&e, i, &row, &made_of);
        } else if (status == SL_OK) {
            status = keep_combination(r, i, &made_of);
        }
    }
    int32_t rank = e.n_rank;
    if (status == SL_OK && r->combinations) {
        status = structural_rank(r, is_read, &rank);
    }
    if (e.work >= e.most || rank == e.n_rank) {
        r->combinations = NULL; /* what is too many is so by its form */
    }
    for (int32_t i = 0; i < r->n && e.rows && e.made_of; i++) {
        SL_ARRAY_FINI(r->ctx, &e.rows[i]);
        SL_ARRAY_FINI(r->ctx, &e.made_of[i]);
    }
    SL_ARRAY_FINI(r->ctx, &row);
    SL_ARRAY_FINI(r->ctx, &made_of);
    SL_ARRAY_FINI(def->walk->ctx, &leaves);
    return status == SL_OK && r->combinations ? combine_pattern(r, def->raw->pattern.kind, from) : status;
}
