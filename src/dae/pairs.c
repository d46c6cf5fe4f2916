/* SPDX-License-Identifier: MIT */
/* pairs.c: which equations are solved for which variables by their form (reduce.h).
 *
 * In a block of one equation this is solved if the entry is solvable: a factor of numbers and parameters only. In a larger block
 * variables are taken as known (torn) until an equation has one unknown variable left, for which it is solved if the entry is solvable;
 * it remains otherwise (Elmqvist and Otter 1994). Torn first are variables that no equation can be solved for, then those in the most
 * equations.
 *
 * A root is looked at where steps end, and steps follow what is integrated. So a variable that a root holds and that is a function of
 * time is not made explicit: its equation stays, and steps stay short enough for it.
 *
 * What is solved is written into the equations that use it. So that these stay sparse, a variable whose expression holds many
 * variables and that many equations use stays an unknown.
 */
#include "dae/plan.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_GROWTH = 64, /* entries that writing an expression into equations may add */
    MAX_SIZE = 200   /* of an expression: differentiating many that hold each other stays linear in their number */
};

/* ---- Pairs -------------------------------------------------------------------------------------- */

static bool find(sl_reduction_planner *s, int32_t j) {
    if (s->stamp[j] != s->stamp_now) {
        s->stamp[j] = s->stamp_now;
        if (s->n_found == MAX_SUPPORT) {
            return false;
        }
        s->found[s->n_found++] = j;
    }
    return true;
}

/* What the expression of a variable of a pair holds; false: too much. */
static bool find_support(sl_reduction_planner *s, int32_t j) {
    bool fine = true;
    for (int32_t k = s->support_begin[j]; k < s->support_end[j] && fine; k++) {
        fine = find(s, s->supports.at[k]);
    }
    return fine;
}

/* Solves row i for the variable of its entry at, if that is of use. */
static bool try_pair(sl_reduction_planner *s, int32_t i, int32_t at, sl_status *status) {
    sl_reduction *r = s->r;
    int32_t to = r->col[at];
    bool holds_rate = false, holds_time = s->row_has_time[i], fine = r->is_solvable[at];
    int32_t size = 0;
    s->stamp_now++;
    s->n_found = 0;
    for (int32_t k = r->start[i]; k < r->start[i + 1] && fine; k++) {
        int32_t j = r->col[k];
        if (j == to) {
            fine = r->order[at] > 0 || r->order[k] == 0;
            continue;
        }
        bool is_whole = r->pair_row[j] >= 0 && r->offsets.d[j] == r->offsets.c[r->pair_row[j]];
        holds_time = holds_time || s->has_time[j];
        size += 1 + (size < MAX_SIZE ? s->size[j] : 0);
        holds_rate = holds_rate || (r->order[k] > 0 && (s->has_rate[j] || s->is_direct[j]));
        if (!is_whole) {
            fine = find(s, j);
        }
        if (r->pair_row[j] >= 0 && (is_whole || r->order[k] > 0 || r->offsets.c[i] > 0)) {
            fine = fine && find_support(s, j);
        }
    }
    int32_t n_use = r->order[at] > 0 ? 1 : s->n_use[to];
    fine = fine && !(sl_is_wanted_state(r, to) && r->offsets.c[i] == r->offsets.d[to]);
    fine = fine && !((holds_rate || (holds_time && s->is_watched[to])) && r->order[at] == 0) &&
           (s->n_found - 1) * (n_use - 1) <= MAX_GROWTH && size <= MAX_SIZE;
    if (!fine) {
        return false;
    }
    s->support_begin[to] = (int32_t)s->supports.n;
    for (int32_t k = 0; k < s->n_found && *status == SL_OK; k++) {
        *status = SL_PUSH(r->ctx, &s->supports, s->found[k]) ? SL_OK : SL_ERR_MEMORY;
    }
    s->support_end[to] = (int32_t)s->supports.n;
    s->has_rate[to] = holds_rate;
    s->size[to] = size;
    s->has_time[to] = holds_time && r->order[at] == 0;
    r->pair_col[i] = to;
    r->pair_row[to] = i;
    r->sequence[r->n_pair++] = i;
    return true;
}

static int32_t entry_of(const sl_reduction *r, int32_t i, int32_t j) {
    int32_t k = r->start[i];
    while (r->col[k] != j) {
        k++;
    }
    return k;
}

static bool is_differentiated(const sl_reduction *r, int32_t b) {
    int32_t most = 0;
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t c = r->offsets.c[r->block_rows[k]];
        most = c > most ? c : most;
    }
    return most > 0;
}

/* The highest derivative of what is not solved is the integrator's, where nothing of the block is differentiated. */
static void mark_direct(sl_reduction_planner *s, int32_t b) {
    sl_reduction *r = s->r;
    bool plain = !is_differentiated(r, b);
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t j = r->block_cols[k];
        s->is_direct[j] = plain && r->offsets.d[j] == 1 && r->pair_row[j] < 0;
    }
}

typedef struct tear_order {
    int32_t j, n_row;
    bool can_be_solved, is_wanted; /* as a state */
} tear_order;

static int by_use(const void *a, const void *b) {
    const tear_order *x = a, *y = b;
    int order = (y->is_wanted > x->is_wanted) - (y->is_wanted < x->is_wanted);
    order = order ? order : (x->can_be_solved > y->can_be_solved) - (x->can_be_solved < y->can_be_solved);
    order = order ? order : (x->n_row < y->n_row) - (x->n_row > y->n_row);
    return order ? order : (x->j > y->j) - (x->j < y->j);
}

/* Variables of a block in the order in which they are torn. */
static tear_order *order_of_tearing(sl_reduction_planner *s, int32_t b) {
    sl_reduction *r = s->r;
    int32_t n = r->block_start[b + 1] - r->block_start[b];
    tear_order *all = sl_arena_alloc(&r->arena, (size_t)n * sizeof *all);
    for (int32_t c = 0; all && c < n; c++) {
        int32_t j = r->block_cols[r->block_start[b] + c];
        all[c] = (tear_order){.j = j, .is_wanted = sl_is_wanted_state(r, j)};
        for (int32_t k = s->col_start[j]; k < s->col_start[j + 1]; k++) {
            if (s->row_block[s->col_row[k]] == b) {
                all[c].n_row++;
                all[c].can_be_solved = all[c].can_be_solved || r->is_solvable[s->col_entry[k]];
            }
        }
    }
    if (all) {
        qsort(all, (size_t)n, sizeof *all, by_use);
    }
    return all;
}

/* Variable j is known: rows with one unknown left go onto the stack. */
static void make_known(sl_reduction_planner *s, int32_t b, int32_t j, int32_t *stack, int32_t *n_stack) {
    s->is_known[j] = 1;
    for (int32_t k = s->col_start[j]; k < s->col_start[j + 1]; k++) {
        int32_t i = s->col_row[k];
        if (s->row_block[i] == b && --s->left[i] == 1) {
            stack[(*n_stack)++] = i;
        }
    }
}

/* The unknown variable that is left in a row, as an entry; -1: none. */
static int32_t last_unknown(const sl_reduction_planner *s, int32_t b, int32_t i) {
    const sl_reduction *r = s->r;
    for (int32_t k = r->start[i]; k < r->start[i + 1]; k++) {
        if (sl_entry_is_tight(r, i, k) && s->col_block[r->col[k]] == b && !s->is_known[r->col[k]]) {
            return k;
        }
    }
    return -1;
}

static int by_offset(const void *a, const void *b) {
    const int32_t *x = a, *y = b; /* offset, row */
    return x[0] != y[0] ? (x[0] > y[0]) - (x[0] < y[0]) : (x[1] < y[1]) - (x[1] > y[1]);
}

/* Rows with one unknown from the beginning, those that are differentiated most often last. */
static int32_t begin_stack(sl_reduction_planner *s, int32_t b, int32_t *stack) {
    sl_reduction *r = s->r;
    int32_t n = 0, (*pairs)[2] = (int32_t(*)[2])(void *)s->scratch;
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t i = r->block_rows[k];
        s->left[i] = 0;
        for (int32_t e = r->start[i]; e < r->start[i + 1]; e++) {
            s->left[i] += sl_entry_is_tight(r, i, e) && s->col_block[r->col[e]] == b;
        }
        if (s->left[i] == 1) {
            pairs[n][0] = r->offsets.c[i];
            pairs[n++][1] = i;
        }
    }
    qsort(pairs, (size_t)n, sizeof *pairs, by_offset);
    for (int32_t k = 0; k < n; k++) {
        stack[k] = pairs[k][1];
    }
    return n;
}

/* The row on the stack that is differentiated most often, taken off it; in small stacks only, else the last. */
static int32_t take_row(const sl_reduction *r, int32_t *stack, int32_t *n) {
    enum { LOOK = 16 };
    int32_t best = *n - 1;
    for (int32_t k = *n - 2; k >= 0 && k >= *n - LOOK; k--) {
        best = r->offsets.c[stack[k]] > r->offsets.c[stack[best]] ? k : best;
    }
    int32_t i = stack[best];
    stack[best] = stack[--*n];
    return i;
}

static sl_status tear(sl_reduction_planner *s, int32_t b) {
    sl_reduction *r = s->r;
    int32_t n = r->block_start[b + 1] - r->block_start[b], at = 0, n_stack;
    bool plain = !is_differentiated(r, b);
    tear_order *order = order_of_tearing(s, b);
    int32_t *stack = sl_arena_alloc(&r->arena, ((size_t)n + 1) * sizeof *stack);
    sl_status status = order && stack ? SL_OK : SL_ERR_MEMORY;
    for (n_stack = status == SL_OK ? begin_stack(s, b, stack) : 0; status == SL_OK;) {
        if (n_stack > 0) {
            int32_t i = take_row(r, stack, &n_stack), k = last_unknown(s, b, i);
            if (k >= 0 && try_pair(s, i, k, &status)) {
                make_known(s, b, r->col[k], stack, &n_stack);
            }
            continue;
        }
        while (at < n && s->is_known[order[at].j]) {
            at++;
        }
        if (at == n) {
            break;
        }
        /* a rate of this block may yet become the integrator's: an expression may not hold it */
        s->has_rate[order[at].j] = plain && r->offsets.d[order[at].j] == 1;
        make_known(s, b, order[at].j, stack, &n_stack);
    }
    return status;
}

static void find_leftover(sl_reduction_planner *s, int32_t b) {
    sl_reduction *r = s->r;
    int32_t n_row = 0, n_col = 0;
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        if (r->pair_col[r->block_rows[k]] < 0) {
            r->tear_row[b] = r->block_rows[k];
            n_row++;
        }
        if (r->pair_row[r->block_cols[k]] < 0) {
            r->tear_col[b] = r->block_cols[k];
            n_col++;
        }
    }
    if (n_row != 1 || n_col != 1 || r->block_start[b + 1] - r->block_start[b] == 1 ||
        r->offsets.c[r->tear_row[b]] > 0 || s->is_direct[r->tear_col[b]]) {
        r->tear_row[b] = r->tear_col[b] = -1;
    }
}

sl_status sl_reduction_find_pairs(sl_reduction_planner *s) {
    sl_reduction *r = s->r;
    sl_status status = SL_OK;
    for (int32_t b = 0; b < r->n_block && status == SL_OK; b++) {
        int32_t first = r->block_start[b];
        if (r->block_start[b + 1] - first == 1) {
            (void)try_pair(s, r->block_rows[first], entry_of(r, r->block_rows[first], r->block_cols[first]), &status);
        } else {
            status = tear(s, b);
        }
        mark_direct(s, b);
        find_leftover(s, b);
    }
    return status;
}
