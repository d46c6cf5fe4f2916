/* SPDX-License-Identifier: MIT */
/* equations_pattern.c: the unknowns of a system of equations and its pattern, with the place of every derivative in it. The marks (linear?
 * of time?) come from the leaves of the derivatives. A loop is one row of derivatives; its cells are gone through by their numbers alone.
 */
#include "dae/equations_impl.h"

#include <stdlib.h>
#include <string.h>

static uint8_t marks(const sl_equation_set *set, sl_walk *walk, sl_expr_list *leaves, sl_expr entry, bool of_dx,
                     sl_status *status) {
    const sl_exprs *g = set->g;
    uint8_t kind = of_dx ? SL_DAE_DX : SL_DAE_X;
    if (sl_expr_op(g, entry) == SL_OP_CONST) {
        return kind;
    }
    leaves->n = 0;
    sl_status found = sl_walk_leaves(walk, g, 1, &entry, leaves);
    for (int64_t k = 0; k < leaves->n && found == SL_OK; k++) {
        sl_op op = sl_expr_op(g, leaves->at[k]);
        bool is_parameter = op == SL_OP_PARAMETER || op == SL_OP_PARAMETER_ELEMENT || op == SL_OP_CELL;
        bool is_variable = op == SL_OP_VARIABLE || op == SL_OP_ELEMENT;
        bool by_dx = is_variable && sl_expr_order(g, leaves->at[k]) > 0;
        if (op == SL_OP_PARAMETER && set->of_parameter) {
            kind |= set->of_parameter[sl_expr_symbol(g, leaves->at[k])];
        }
        kind |= (uint8_t)(op == SL_OP_TIME ? SL_DAE_TIME : is_variable ? SL_DAE_NONLINEAR : 0);
        kind |= (uint8_t)(of_dx && by_dx ? SL_DAE_NONLINEAR_DX : 0);
        kind |= (uint8_t)(of_dx && !is_parameter ? SL_DAE_SCALED : 0);
    }
    *status = *status == SL_OK ? found : *status;
    return kind;
}

static int64_t row_length(const sl_jacobian *j, int32_t row) {
    return j->start[row + 1] - j->start[row];
}

/* Is this variable an unknown of one more, or of some? Of a loop it is a range. */
static void mark_unknowns(const sl_equations *e,
                          void mark(sl_equations *e, int32_t variable, const void *user, int32_t *of), const void *user,
                          int32_t *of) {
    const sl_jacobian *halves[2] = {&e->set->by_x, &e->set->by_dx};
    for (int32_t i = 0; i < e->n_part; i++) {
        for (int w = 0; w < 2; w++) {
            const sl_jacobian *j = halves[w];
            for (int64_t k = j->start[e->rows[i]]; k < j->start[e->rows[i] + 1]; k++) {
                for (int32_t c = 0, n = j->moves[k] ? e->n_cell[i] : 1; c < n; c++) {
                    mark((sl_equations *)(uintptr_t)e, j->column[k] + c, user, of);
                }
            }
        }
    }
}

static void mark_one(sl_equations *e, int32_t variable, const void *user, int32_t *of) {
    const uint8_t *held = user;
    (void)e;
    of[variable] = held && held[variable] ? -1 : 0;
}

/* Which variables of the graph occur, and their place among the unknowns: of[variable], -1 for none. */
sl_status sl_equations_find_unknowns(sl_equations *e, const uint8_t *held, int32_t *of) {
    memset(of, -1, (size_t)e->n_graph * sizeof *of);
    mark_unknowns(e, mark_one, held, of);
    for (int32_t v = 0; v < e->n_graph; v++) {
        of[v] = of[v] == 0 ? e->n_col++ : -1;
    }
    e->variables = sl_arena_alloc(&e->arena, (size_t)e->n_col * sizeof *e->variables);
    for (int32_t v = 0; e->variables && v < e->n_graph; v++) {
        if (of[v] >= 0) {
            e->variables[of[v]] = v;
        }
    }
    return e->variables ? SL_OK : SL_ERR_MEMORY;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The same, without a look at the whole graph: of is -1 everywhere. First how many, which of remembers. */
static void count_one(sl_equations *e, int32_t variable, const void *user, int32_t *of) {
    const uint8_t *is_fixed = user;
    if (of[variable] == -1 && !is_fixed[variable]) {
        of[variable] = -2;
        e->n_col++;
    }
}

static void list_one(sl_equations *e, int32_t variable, const void *user, int32_t *of) {
    (void)user;
    if (of[variable] == -2) {
        of[variable] = -1;
        e->variables[e->n_col++] = variable;
    }
}

sl_status sl_equations_find_few_unknowns(sl_equations *e, const uint8_t *is_fixed, int32_t *of) {
    mark_unknowns(e, count_one, is_fixed, of);
    e->variables = sl_arena_alloc(&e->arena, (size_t)e->n_col * sizeof *e->variables);
    if (!e->variables) {
        memset(of, -1, (size_t)e->n_graph * sizeof *of);
        e->n_col = 0;
        return SL_ERR_MEMORY;
    }
    e->n_col = 0;
    mark_unknowns(e, list_one, NULL, of);
    bool sorted = true;
    for (int32_t c = 1; c < e->n_col && sorted; c++) {
        sorted = e->variables[c - 1] < e->variables[c];
    }
    if (!sorted) {
        qsort(e->variables, (size_t)e->n_col, sizeof *e->variables, ascending);
    }
    for (int32_t c = 0; c < e->n_col; c++) {
        of[e->variables[c]] = c;
    }
    return SL_OK;
}

/* The entries of the set in these rows, with their marks; most: those of the pattern at most. */
static sl_status list_entries(sl_equations *e, sl_walk *walk, const int32_t *of, int w, sl_equation_half *h,
                              int64_t *most) {
    const sl_jacobian *j = w == 0 ? &e->set->by_x : &e->set->by_dx;
    int64_t n = 0;
    for (int32_t i = 0; i < e->n_part; i++) {
        n += row_length(j, e->rows[i]);
    }
    h->entry = sl_arena_alloc(&e->arena, (size_t)n * sizeof *h->entry);
    h->n_cell = sl_arena_alloc(&e->arena, (size_t)n * sizeof *h->n_cell);
    h->first = sl_arena_alloc(&e->arena, (size_t)n * sizeof *h->first);
    h->kind = sl_arena_alloc(&e->arena, (size_t)n);
    if (!h->entry || !h->n_cell || !h->first || !h->kind) {
        return SL_ERR_MEMORY;
    }
    sl_status status = SL_OK;
    sl_expr_list leaves = {0};
    int64_t cells = 0;
    for (int32_t i = 0; i < e->n_part; i++) {
        for (int64_t k = j->start[e->rows[i]]; k < j->start[e->rows[i] + 1]; k++) {
            bool is_unknown = e->n_cell[i] > 1 || of[j->column[k]] >= 0;
            h->entry[h->n_entry] = j->entry[k];
            h->n_cell[h->n_entry] = is_unknown ? e->n_cell[i] : 0; /* of what is held nothing is evaluated */
            h->first[h->n_entry] = (int32_t)cells;
            h->kind[h->n_entry] = is_unknown ? marks(e->set, walk, &leaves, j->entry[k], w == 1, &status) : 0;
            cells += is_unknown ? e->n_cell[i] : 0;
            h->n_entry += is_unknown;
        }
    }
    SL_ARRAY_FINI(walk->ctx, &leaves);
    if (cells > INT32_MAX / 2) {
        return SL_ERR_MEMORY;
    }
    h->n = (int32_t)cells;
    h->place = sl_arena_alloc(&e->arena, (size_t)cells * sizeof *h->place);
    *most += cells;
    return status == SL_OK && !h->place ? SL_ERR_MEMORY : status;
}

typedef struct pattern_work {
    int32_t *next, *last; /* [n_col] of columns: where the next entry goes; the row of the last one */
    const int32_t *of;
    bool fills; /* else it counts */
} pattern_work;

/* Entry m of a half, of the set's entry k, in cell c of equation i. */
static void place_entry(sl_equations *e, pattern_work *p, const sl_jacobian *j, sl_equation_half *h, int64_t k,
                        int32_t m, int32_t row, int32_t cell) {
    int32_t c = p->of[j->column[k] + (j->moves[k] ? cell : 0)];
    int32_t *place = &h->place[h->first[m] + cell];
    if (c < 0) {
        *place = -1;
        return;
    }
    bool is_new = p->last[c] != row;
    p->last[c] = row;
    if (!p->fills) {
        e->start[c + 1] += is_new;
        return;
    }
    int32_t at = is_new ? p->next[c]++ : p->next[c] - 1;
    uint8_t bit = h == &e->by_x ? SL_DAE_X : SL_DAE_DX;
    bool is_again =
        (e->kind[at] & bit) != 0; /* two of one kind in one place: an element of a loop, and the same by itself */
    e->row[at] = row;
    e->kind[at] |= h->kind[m];
    e->factors[at] = is_again ? SL_EXPR_NONE : j->entry[k]; /* of x first, then of x' */
    *place = at;
}

static void place_all(sl_equations *e, pattern_work *p) {
    const sl_jacobian *halves[2] = {&e->set->by_x, &e->set->by_dx};
    sl_equation_half *to[2] = {&e->by_x, &e->by_dx};
    int32_t first[2] = {0, 0};
    for (int32_t i = 0; i < e->n_part; i++) {
        int32_t m[2] = {0, 0};
        for (int32_t cell = 0; cell < e->n_cell[i]; cell++) {
            for (int w = 0; w < 2; w++) {
                m[w] = first[w];
                for (int64_t k = halves[w]->start[e->rows[i]]; k < halves[w]->start[e->rows[i] + 1]; k++) {
                    if (e->n_cell[i] > 1 || p->of[halves[w]->column[k]] >= 0) {
                        place_entry(e, p, halves[w], to[w], k, m[w]++, e->first_row[i] + cell, cell);
                    }
                }
            }
        }
        first[0] = m[0];
        first[1] = m[1];
    }
}

/* The union of both halves, by columns. Rows are visited in order, so columns come out sorted. */
sl_status sl_equations_make_pattern(sl_equations *e, sl_walk *walk, const int32_t *of) {
    int64_t most = 0;
    sl_status status = list_entries(e, walk, of, 0, &e->by_x, &most);
    status = status == SL_OK ? list_entries(e, walk, of, 1, &e->by_dx, &most) : status;
    size_t n_col = (size_t)e->n_col, bytes = 2 * (n_col + 1) * sizeof(int32_t);
    e->start = sl_arena_alloc(&e->arena, (n_col + 1) * sizeof *e->start);
    int32_t *room = sl_alloc(e->ctx, bytes);
    status = status == SL_OK && (!e->start || !room) ? SL_ERR_MEMORY : status;
    pattern_work p = {.next = room, .last = room ? room + n_col + 1 : NULL, .of = of};
    for (int pass = 0; pass < 2 && status == SL_OK; pass++) {
        p.fills = pass == 1;
        memset(p.last, -1, n_col * sizeof *p.last);
        if (pass == 1) {
            for (int32_t c = 0; c < e->n_col; c++) {
                e->start[c + 1] += e->start[c];
                p.next[c] = e->start[c];
            }
            size_t n = (size_t)e->start[e->n_col];
            e->row = sl_arena_alloc(&e->arena, n * sizeof *e->row);
            e->kind = sl_arena_alloc(&e->arena, n);
            e->factors = sl_arena_alloc(&e->arena, n * sizeof *e->factors);
            status = e->row && e->kind && e->factors ? SL_OK : SL_ERR_MEMORY;
        }
        if (status == SL_OK) {
            place_all(e, &p);
        }
    }
    sl_free(e->ctx, room, room ? bytes : 0);
    return status;
}
