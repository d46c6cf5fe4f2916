/* SPDX-License-Identifier: MIT */
/* states.c: which nodes of a reduction are states.
 *
 * A choice is m equations between n > m nodes, and so many derivatives below the highest the same matrix stands everywhere (Griewank's
 * lemma, Pryce 2001). The m nodes of a nonsingular part of it follow from the others, which are states. They are found by elimination
 * with the largest pivot of all, each row scaled by its largest entry. What is dependent moves with the states by B = -D^-1 S. At the
 * choice the entries of B are near 1 at most; when one becomes large, small errors of the states are large ones of what depends on
 * them, and another choice is due.
 *
 * Beyond MAX_DENSE entries the dependent nodes are those of a matching; a singular matrix is then reported by the solver.
 */
#include "dae/reduce_impl.h"

#include "base/report.h"

#include <math.h>
#include <string.h>

enum { MAX_DENSE = 200000 };
static const double worn_at = 4.0;   /* of an entry of B */
static const double better_by = 0.5; /* another choice has to reduce that so far */

static bool is_dense(const state_choice *c) {
    return (int64_t)c->n_row * c->n_col <= MAX_DENSE;
}

/* ---- Entries ------------------------------------------------------------------------------------ */

static int32_t place_of(const state_choice *c, int32_t node) {
    int32_t low = 0, high = c->n_col;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (c->nodes[middle] < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < c->n_col && c->nodes[low] == node ? low : -1;
}

/* Entries of the matrices are those of the set's Jacobian; a tape of their own evaluates them. */
sl_status sl_reduction_list_pivots(sl_reduction *r) {
    const sl_jacobian *by = &r->set.by_x;
    int32_t *left_of = sl_arena_alloc(&r->arena, (size_t)r->n_row * sizeof *left_of), n = 0;
    sl_expr *entries = sl_arena_alloc(&r->arena, (size_t)by->nnz * sizeof *entries);
    size_t most = 0;
    if (!left_of || !entries) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < r->n_left; k++) {
        left_of[r->left_rows[k]] = k;
    }
    for (int32_t q = 0; q < r->n_choice; q++) {
        state_choice *c = &r->choices[q];
        size_t size = (size_t)c->n_row * (size_t)c->n_col;
        if (!is_dense(c)) {
            continue;
        }
        c->entry = sl_arena_alloc(&r->arena, size * sizeof *c->entry);
        if (!c->entry) {
            return SL_ERR_MEMORY;
        }
        memset(c->entry, -1, size * sizeof *c->entry);
        most = size > most ? size : most;
        for (int32_t i = 0; i < c->n_row; i++) {
            int32_t row = left_of[c->rows[i]];
            for (int64_t k = by->start[row]; k < by->start[row + 1]; k++) {
                int32_t at = place_of(c, by->column[k]);
                if (at >= 0) {
                    c->entry[(size_t)i * (size_t)c->n_col + (size_t)at] = n;
                    entries[n++] = by->entry[k];
                }
            }
        }
    }
    r->matrix = sl_arena_alloc(&r->arena, (2 * most + 1) * sizeof(double));
    r->order_room = sl_arena_alloc(&r->arena, (2 * (size_t)r->most_choice_nodes + 1) * sizeof(int32_t)); /* and flags */
    r->pivot_out = sl_arena_alloc(&r->arena, ((size_t)n + 1) * sizeof(double));
    if (!r->matrix || !r->order_room || !r->pivot_out) {
        return SL_ERR_MEMORY;
    }
    return n > 0 ? sl_tape_create(r->m, sl_exprs_walk(r->m), n, entries, &r->pivots) : SL_OK;
}

static void evaluate_pivots(sl_reduction *r, double t, const double *y, const double *dy) {
    sl_reduction_load(r, y, dy);
    if (r->pivots) {
        sl_tape_eval(r->pivots, &(sl_expr_point){.t = t, .x = {r->node[0], r->node[1]}, .p = r->inputs}, r->work,
                     r->pivot_out);
    }
}

/* The matrix of a choice at the values evaluated last; rows scaled by their largest entry. */
static void fill(const sl_reduction *r, const state_choice *c, double *a) {
    for (int32_t i = 0; i < c->n_row; i++) {
        double *row = a + (size_t)i * (size_t)c->n_col, most = 0.0;
        for (int32_t k = 0; k < c->n_col; k++) {
            int32_t entry = c->entry[(size_t)i * (size_t)c->n_col + (size_t)k];
            row[k] = entry >= 0 ? r->pivot_out[entry] : 0.0;
            row[k] = isfinite(row[k]) ? row[k] : 0.0;
            most = fmax(most, fabs(row[k]));
        }
        for (int32_t k = 0; k < c->n_col && most > 0.0; k++) {
            row[k] /= most;
        }
    }
}

/* ---- Elimination -------------------------------------------------------------------------------- */

/* Makes row p, column q of what is left a unit column. */
static void eliminate(const state_choice *c, double *a, int32_t p, int32_t q) {
    size_t n = (size_t)c->n_col;
    double *pivot_row = a + (size_t)p * n, pivot = pivot_row[q];
    for (size_t k = 0; k < n; k++) {
        pivot_row[k] /= pivot;
    }
    for (int32_t i = 0; i < c->n_row; i++) {
        double *row = a + (size_t)i * n, factor = row[q];
        for (size_t k = 0; i != p && factor != 0.0 && k < n; k++) {
            row[k] -= factor * pivot_row[k];
        }
        row[q] = i == p ? 1.0 : 0.0;
    }
}

/* What never should be a state is dependent first, what always should last; a preference is a factor of the pivot. */
enum { FIRST, MIDDLE, LAST, N_TURN };
static int turn_of(const sl_reduction *r, const state_choice *c, int32_t k) {
    uint8_t wanted = r->preferences[r->variable_of[c->nodes[k]]];
    bool own = r->order_of[c->nodes[k]] == 0;
    return own && wanted == SL_STATE_NEVER ? FIRST : own && wanted == SL_STATE_ALWAYS ? LAST : MIDDLE;
}
static double weight_of(const sl_reduction *r, const state_choice *c, int32_t k) {
    static const double preference_counts = 16.0;
    uint8_t wanted = r->preferences[r->variable_of[c->nodes[k]]];
    return wanted == SL_STATE_AVOID ? preference_counts : wanted == SL_STATE_PREFER ? 1.0 / preference_counts : 1.0;
}

/* The largest pivot of a turn; false: there is none. */
static bool find_pivot(const sl_reduction *r, const state_choice *c, const double *a, const uint8_t *allowed,
                       const uint8_t *dependent, const int32_t *row_done, int turn, int32_t *p, int32_t *q) {
    static const double rounding = 1e-10; /* of rows of size 1: less is rounding */
    double best = 0.0;
    *p = *q = -1;
    for (int32_t i = 0; i < c->n_row; i++) {
        for (int32_t k = 0; k < c->n_col && !row_done[i]; k++) {
            double size = fabs(a[(size_t)i * (size_t)c->n_col + (size_t)k]);
            if (size <= rounding || dependent[k] || (allowed && !allowed[k]) || turn_of(r, c, k) != turn) {
                continue;
            }
            size *= weight_of(r, c, k);
            if (size > best) {
                best = size;
                *p = i;
                *q = k;
            }
        }
    }
    return *p >= 0;
}

/* Eliminates with the columns allowed (NULL: any), each the largest pivot that is left. dependent[k]: columns taken. The largest entry of
 * the other columns, which is that of B; INFINITY where pivots are missing. */
static double reduce(const sl_reduction *r, const state_choice *c, double *a, const uint8_t *allowed,
                     uint8_t *dependent, int32_t *row_done) {
    size_t n = (size_t)c->n_col;
    double most = 0.0;
    memset(dependent, 0, n);
    memset(row_done, 0, (size_t)c->n_row * sizeof *row_done);
    for (int32_t step = 0; step < c->n_row; step++) {
        int32_t p = -1, q = -1;
        bool found = false;
        for (int turn = 0; turn < N_TURN && !found; turn++) {
            found = find_pivot(r, c, a, allowed, dependent, row_done, turn, &p, &q);
        }
        if (!found) {
            return (double)INFINITY;
        }
        row_done[p] = 1;
        dependent[q] = 1;
        eliminate(c, a, p, q);
    }
    for (size_t k = 0; k < n * (size_t)c->n_row; k++) {
        most = dependent[k % n] ? most : fmax(most, fabs(a[k]));
    }
    return most;
}

/* ---- Choices ------------------------------------------------------------------------------------ */

static uint8_t *flags_of(sl_reduction *r) {
    return (uint8_t *)(r->order_room + r->most_choice_nodes);
}

/* Where pivots are missing (equations that say the same here) the choice stays what it is. */
sl_status sl_reduction_choose(void *user, double t, const double *y, const double *dy, uint8_t *state) {
    sl_reduction *r = user;
    uint8_t *dependent = flags_of(r);
    evaluate_pivots(r, t, y, dy);
    sl_status status = sl_reduction_choose_by_structure(r);
    for (int32_t q = 0; q < r->n_choice && status == SL_OK; q++) {
        const state_choice *c = &r->choices[q];
        if (!is_dense(c)) {
            continue;
        }
        fill(r, c, r->matrix);
        if (isinf(reduce(r, c, r->matrix, NULL, dependent, r->order_room))) {
            continue;
        }
        for (int32_t k = 0; k < c->n_col; k++) {
            r->wanted[c->nodes[k]] = !dependent[k];
        }
    }
    for (int32_t k = 0; k < r->n_unknown && status == SL_OK; k++) {
        state[k] = r->wanted[r->unknown[k]];
    }
    return status;
}

bool sl_reduction_is_worn(void *user, double t, const double *y, const double *dy) {
    sl_reduction *r = user;
    uint8_t *dependent = flags_of(r), *allowed = dependent + r->most_choice_nodes;
    evaluate_pivots(r, t, y, dy);
    for (int32_t q = 0; q < r->n_choice; q++) {
        const state_choice *c = &r->choices[q];
        if (!is_dense(c)) {
            continue;
        }
        for (int32_t k = 0; k < c->n_col; k++) {
            allowed[k] = !r->state[c->nodes[k]];
        }
        fill(r, c, r->matrix);
        double present = reduce(r, c, r->matrix, allowed, dependent, r->order_room);
        if (!(present > worn_at)) {
            continue;
        }
        fill(r, c, r->matrix);
        if (reduce(r, c, r->matrix, NULL, dependent, r->order_room) < better_by * present) {
            return true;
        }
    }
    return false;
}

/* A matching of each choice's equations with its nodes, by where entries are. */
static sl_status match(sl_reduction *r, const state_choice *c, const int32_t *left_of) {
    const sl_jacobian *by = &r->set.by_x;
    size_t bytes = 0, n_row = (size_t)c->n_row, n_col = (size_t)c->n_col;
    int64_t n = 0;
    for (int32_t i = 0; i < c->n_row; i++) {
        n += by->start[left_of[c->rows[i]] + 1] - by->start[left_of[c->rows[i]]];
    }
    bytes = ((n_row + 1) + (size_t)n + n_row + n_col) * sizeof(int32_t);
    int32_t *start = sl_alloc(r->ctx, bytes), *node = start + n_row + 1, n_pair = 0;
    if (!start) {
        return SL_ERR_MEMORY;
    }
    int32_t *partner = node + n, *partner_back = partner + n_col;
    for (int32_t i = 0; i < c->n_row; i++) {
        int32_t row = left_of[c->rows[i]];
        start[i + 1] = start[i];
        for (int64_t k = by->start[row]; k < by->start[row + 1]; k++) {
            int32_t at = place_of(c, by->column[k]);
            if (at >= 0) {
                node[start[i + 1]++] = at;
            }
        }
    }
    /* equations take the place of columns there */
    sl_status status =
        sl_match(r->ctx, &(sl_incidence){c->n_col, c->n_row, start, node}, partner, partner_back, &n_pair);
    for (int32_t k = 0; k < c->n_col && status == SL_OK; k++) {
        r->by_structure[c->nodes[k]] = partner[k] < 0;
    }
    sl_free(r->ctx, start, bytes);
    return status;
}

sl_status sl_reduction_choose_by_structure(sl_reduction *r) {
    if (r->by_structure) {
        memcpy(r->wanted, r->by_structure, (size_t)r->n_node);
        return SL_OK;
    }
    size_t n_row = (size_t)r->n_row;
    int32_t *left_of = sl_arena_alloc(&r->arena, n_row * sizeof *left_of);
    r->by_structure = sl_arena_alloc(&r->arena, (size_t)r->n_node);
    r->wanted = sl_arena_alloc(&r->arena, (size_t)r->n_node);
    sl_status status = left_of && r->by_structure && r->wanted ? SL_OK : SL_ERR_MEMORY;
    for (int32_t k = 0; k < r->n_left && status == SL_OK; k++) {
        left_of[r->left_rows[k]] = k;
    }
    for (int32_t k = 0; k < r->n_node && status == SL_OK; k++) {
        r->by_structure[k] = r->kind[k] == NODE_STATE;
    }
    for (int32_t q = 0; q < r->n_choice && status == SL_OK; q++) {
        status = match(r, &r->choices[q], left_of);
    }
    if (status == SL_OK) {
        memcpy(r->wanted, r->by_structure, (size_t)r->n_node);
    }
    return status;
}

sl_status sl_reduction_check_states(void *user, sl_diags *diags) {
    const sl_reduction *r = user;
    sl_status status = SL_OK;
    char name[SL_DAE_NAME];
    for (int32_t j = 0; j < r->n; j++) {
        bool is_state = r->offsets.d[j] > 0 && r->state[r->base[j]];
        if (r->preferences[j] == SL_STATE_ALWAYS && !is_state) {
            sl_report(diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL, "write `state: prefer`, or leave it out",
                      "'%s' cannot be a state: the others that have to be, and the equations, determine it",
                      sl_dae_name(r->raw, false, j, name));
            status = SL_ERR_SOLVE;
        } else if (r->preferences[j] == SL_STATE_NEVER && is_state) {
            sl_report(diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL, "write `state: avoid`, or leave it out",
                      "'%s' has to be a state: without it the others do not determine everything",
                      sl_dae_name(r->raw, false, j, name));
            status = SL_ERR_SOLVE;
        }
    }
    return status;
}
