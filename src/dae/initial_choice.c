/* SPDX-License-Identifier: MIT */
/* initial_choice.c: which start values hold where equations and what is fixed leave a choice (initial.h).
 *
 * Structure alone would hold the first ones, and x of a pendulum that hangs at x = 0 settles nothing about y. So the numbers decide: open
 * nodes that share an equation are a group, its m equations between n > m nodes are eliminated with the largest pivots, rows over their
 * largest entry and columns in nominal values. Derivatives and guesses are eliminated first, then variables without derivatives, then
 * those with one: what is left over holds. In groups too large for that structure decides.
 */
#include "dae/initial_impl.h"

#include <math.h>
#include <string.h>

enum { MAX_DENSE = 200000 };
static const double good_pivot = 1e-3, any_pivot = 1e-10; /* of rows of size 1 */

/* Conditions and nodes of one group. */
typedef struct group {
    int32_t n_row, n_col;
    int32_t *rows, *cols;
} group;

typedef struct chooser {
    sl_start_system *s;
    int32_t *parent; /* [n_node] of groups, as trees */
    int32_t *value;  /* [n_node] its start value as a condition, -1: none */
    int32_t *place;  /* [n_node] column in the group at work */
    double *a;
    uint8_t *is_done, *is_dependent;
} chooser;

static int32_t root_of(int32_t *parent, int32_t k) {
    while (parent[k] != k) {
        parent[k] = parent[parent[k]];
        k = parent[k];
    }
    return k;
}

/* An equation that is in and holds open nodes. */
static bool is_between(const sl_start_system *s, int32_t c, int32_t *first) {
    *first = -1;
    for (int64_t k = s->by.start[c]; k < s->by.start[c + 1] && s->is_in[c] && *first < 0; k++) {
        *first = s->is_open[s->by.column[k]] ? s->by.column[k] : -1;
    }
    return *first >= 0;
}

static void join(chooser *w) {
    const sl_start_system *s = w->s;
    for (int32_t k = 0; k < s->n_node; k++) {
        w->parent[k] = k;
    }
    for (int32_t c = 0; c < s->n_row; c++) {
        int32_t first;
        if (!is_between(s, c, &first)) {
            continue;
        }
        for (int64_t k = s->by.start[c]; k < s->by.start[c + 1]; k++) {
            if (s->is_open[s->by.column[k]]) {
                w->parent[root_of(w->parent, s->by.column[k])] = root_of(w->parent, first);
            }
        }
    }
}

/* ---- Elimination -------------------------------------------------------------------------------- */

static void fill(chooser *w, const group *g) {
    sl_start_system *s = w->s;
    memset(w->a, 0, (size_t)g->n_row * (size_t)g->n_col * sizeof *w->a);
    for (int32_t i = 0; i < g->n_row; i++) {
        double *row = w->a + (size_t)i * (size_t)g->n_col, most = 0.0;
        for (int64_t k = s->by.start[g->rows[i]]; k < s->by.start[g->rows[i] + 1]; k++) {
            int32_t node = s->by.column[k], c = s->is_open[node] ? w->place[node] : -1;
            double entry = c >= 0 ? sl_start_evaluate(s, s->by.entry[k]) : 0.0;
            if (c >= 0 && isfinite(entry)) {
                row[c] = entry * s->nominal[node];
                most = fmax(most, fabs(row[c]));
            }
        }
        for (int32_t c = 0; c < g->n_col && most > 0.0; c++) {
            row[c] /= most;
        }
    }
}

static void eliminate(chooser *w, const group *g, int32_t p, int32_t q) {
    size_t n = (size_t)g->n_col;
    const double *pivot = w->a + (size_t)p * n;
    for (int32_t i = 0; i < g->n_row; i++) {
        double *row = w->a + (size_t)i * n, factor = row[q] / pivot[q];
        for (size_t k = 0; k < n && !w->is_done[i] && i != p && factor != 0.0; k++) {
            row[k] -= factor * pivot[k];
        }
    }
    w->is_done[p] = 1;
    w->is_dependent[q] = 1;
}

/* Eliminates with nodes of one class while there is a pivot of this size. */
static int32_t eliminate_class(chooser *w, const group *g, int class, double least) {
    const sl_start_system *s = w->s;
    int32_t n = 0;
    for (;;) {
        double best = least;
        int32_t p = -1, q = -1;
        for (int32_t i = 0; i < g->n_row; i++) {
            for (int32_t c = 0; c < g->n_col && !w->is_done[i]; c++) {
                int32_t node = g->cols[c], value = w->value[node];
                int own = value < 0 ? 0 : s->r->offsets.d[s->r->variable_of[node]] > 0 ? 2 : 1;
                double size = fabs(w->a[(size_t)i * (size_t)g->n_col + (size_t)c]);
                if (own == class && !w->is_dependent[c] && size > best) {
                    best = size;
                    p = i;
                    q = c;
                }
            }
        }
        if (p < 0) {
            return n;
        }
        eliminate(w, g, p, q);
        n++;
    }
}

static void choose(chooser *w, const group *g) {
    sl_start_system *s = w->s;
    int32_t n = 0, n_given = 0;
    memset(w->is_done, 0, (size_t)g->n_row);
    memset(w->is_dependent, 0, (size_t)g->n_col);
    fill(w, g);
    for (int class = 0; class < 3; class ++) {
        n += eliminate_class(w, g, class, good_pivot);
    }
    for (int class = 0; class < 3; class ++) {
        n += eliminate_class(w, g, class, any_pivot);
    }
    for (int32_t c = 0; c < g->n_col; c++) {
        n_given += !w->is_dependent[c] && w->value[g->cols[c]] >= 0;
    }
    if (n < g->n_row || n_given < g->n_col - g->n_row) {
        return; /* singular here: what structure says may do where the search leads */
    }
    for (int32_t c = 0; c < g->n_col; c++) {
        if (w->value[g->cols[c]] >= 0) {
            s->is_in[w->value[g->cols[c]]] = !w->is_dependent[c];
        }
    }
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static sl_status list_groups(chooser *w, int32_t **row_start, int32_t **rows, int32_t **col_start, int32_t **cols) {
    sl_start_system *s = w->s;
    size_t n = (size_t)s->n_node + 2, m = (size_t)s->n_row + 1;
    *row_start = sl_arena_alloc(&s->arena, n * sizeof(int32_t));
    *col_start = sl_arena_alloc(&s->arena, n * sizeof(int32_t));
    *rows = sl_arena_alloc(&s->arena, m * sizeof(int32_t));
    *cols = sl_arena_alloc(&s->arena, n * sizeof(int32_t));
    if (!*row_start || !*col_start || !*rows || !*cols) {
        return SL_ERR_MEMORY;
    }
    int32_t first;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t c = 0; c < s->n_row; c++) {
            if (is_between(s, c, &first) && pass == 0) {
                (*row_start)[root_of(w->parent, first) + 2]++;
            } else if (first >= 0) {
                (*rows)[(*row_start)[root_of(w->parent, first) + 1]++] = c;
            }
        }
        for (int32_t k = 0; k < s->n_node; k++) {
            if (s->is_open[k] && pass == 0) {
                (*col_start)[root_of(w->parent, k) + 2]++;
            } else if (s->is_open[k]) {
                (*cols)[(*col_start)[root_of(w->parent, k) + 1]++] = k;
            }
        }
        for (size_t k = 1; k + 1 < n && pass == 0; k++) {
            (*row_start)[k + 1] += (*row_start)[k];
            (*col_start)[k + 1] += (*col_start)[k];
        }
    }
    return SL_OK;
}

sl_status sl_start_choose(sl_start_system *s) {
    chooser w = {.s = s};
    size_t n = (size_t)s->n_node + 1;
    int32_t *row_start, *rows, *col_start, *cols;
    bool any = false;
    for (int32_t k = 0; k < s->n_node; k++) {
        any = any || s->is_open[k];
    }
    if (!any) {
        return SL_OK;
    }
    w.parent = sl_arena_alloc(&s->arena, n * sizeof(int32_t));
    w.value = sl_arena_alloc(&s->arena, n * sizeof(int32_t));
    w.place = sl_arena_alloc(&s->arena, n * sizeof(int32_t));
    w.is_done = sl_arena_alloc(&s->arena, (size_t)s->n_row + 1);
    w.is_dependent = sl_arena_alloc(&s->arena, n);
    if (!w.parent || !w.value || !w.place || !w.is_done || !w.is_dependent) {
        return SL_ERR_MEMORY;
    }
    memset(w.value, -1, n * sizeof(int32_t));
    for (int32_t k = s->n_fixed; k < s->n_value; k++) {
        int32_t node = s->r->base[s->value_of[k]];
        w.value[node] = s->is_open[node] ? s->n_row + k : -1;
    }
    join(&w);
    sl_status status = list_groups(&w, &row_start, &rows, &col_start, &cols);
    size_t most = 0;
    for (int pass = 0; pass < 2 && status == SL_OK; pass++) {
        for (int32_t k = 0; k < s->n_node; k++) {
            group g = {.n_row = row_start[k + 1] - row_start[k],
                       .n_col = col_start[k + 1] - col_start[k],
                       .rows = rows + row_start[k],
                       .cols = cols + col_start[k]};
            size_t size = (size_t)g.n_row * (size_t)g.n_col;
            if (g.n_row == 0 || size > MAX_DENSE) {
                continue;
            }
            most = size > most ? size : most;
            for (int32_t c = 0; c < g.n_col && pass == 1; c++) {
                w.place[g.cols[c]] = c;
            }
            if (pass == 1) {
                choose(&w, &g);
            }
        }
        w.a = pass == 0 ? sl_arena_alloc(&s->arena, (most + 1) * sizeof *w.a) : w.a;
        status = w.a ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}
