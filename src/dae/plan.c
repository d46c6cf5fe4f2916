/* SPDX-License-Identifier: MIT */
/* plan.c: the structure of a reduction: which equations are solved for which variables by their form, and what the nodes that remain
 * are (reduce.h).
 *
 * Highest derivatives meet along tight entries (order = d_j - c_i). Their strong components are blocks in an order in which they can
 * be solved; the same entries stand at all lower derivatives of a block, which is why one plan serves all of them. In a block of one
 * equation this is solved if the entry is solvable: a factor of numbers and parameters only. In a larger block variables are taken as
 * known (torn) until an equation has one unknown variable left, for which it is solved if the entry is solvable; it remains otherwise
 * (Elmqvist and Otter 1994). Torn first are variables that no equation can be solved for, then those in the most equations.
 *
 * What is solved is written into the equations that use it. So that these stay sparse, a variable whose expression holds many
 * variables and that many equations use stays an unknown.
 */
#include "dae/reduce_impl.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SUPPORT = 16, MAX_GROWTH = 64, MAX_DIFFERENTIATED = 50 };

typedef struct plan {
    sl_reduction *r;
    const sl_reduction_def *def;
    SL_ARRAY(int32_t) supports;           /* variables that a solved one holds, one list after the other */
    int32_t *support_begin, *support_end; /* [n] of a variable: in supports */
    int32_t *stamp, stamp_now;            /* [n] of variables in the list at work */
    int32_t found[MAX_SUPPORT], n_found;  /* that list */
    int32_t *n_use;                       /* [n] equations that hold a variable */
    uint8_t *has_rate;              /* [n] the derivative of a variable is, or holds, one that the integrator has */
    uint8_t *is_direct;             /* [n] its highest derivative is such a one */
    int32_t *row_block, *col_block; /* [n] */
    int32_t *left, *scratch;        /* [n] unknown variables of an equation; of tearing */
    uint8_t *is_known;              /* [n] variables of the block at work */
    int32_t *col_start, *col_row, *col_entry; /* tight entries by columns: their rows, their places by rows */
} plan;

static bool is_tight(const sl_reduction *r, int32_t i, int32_t k) {
    return r->order[k] + r->offsets.c[i] == r->offsets.d[r->col[k]];
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static bool depends_on_values(const sl_reduction_def *def, sl_expr leaf) {
    bool is_parameter = sl_expr_op(def->g, leaf) == SL_OP_PARAMETER;
    return !is_parameter || (def->of_parameter && def->of_parameter[sl_expr_symbol(def->g, leaf)]);
}

/* A number that is not zero, of constants and parameters that nobody changes. */
static bool is_solvable(const sl_reduction_def *def, sl_expr factor, sl_expr_list *leaves, sl_status *status) {
    double value = 0.0;
    if (sl_expr_op(def->g, factor) == SL_OP_CONST) {
        return sl_expr_value(def->g, factor) != 0.0;
    }
    leaves->n = 0;
    sl_status found = sl_walk_leaves(def->walk, def->g, 1, &factor, leaves);
    for (int64_t k = 0; k < leaves->n && found == SL_OK; k++) {
        if (depends_on_values(def, leaves->at[k])) {
            return false;
        }
    }
    found = found == SL_OK ? sl_expr_eval(def->g, factor, &(sl_expr_point){.p = def->p}, &value) : found;
    *status = *status == SL_OK ? found : *status;
    return value - value == 0.0 && value != 0.0;
}

/* The pattern by rows. */
static sl_status read_pattern(sl_reduction *r, const sl_reduction_def *def, int32_t **from) {
    const sl_dae_pattern *p = &def->raw->pattern;
    size_t n = (size_t)r->n, m = (size_t)p->start[r->n];
    r->start = sl_arena_alloc(&r->arena, (n + 1) * sizeof *r->start);
    r->col = sl_arena_alloc(&r->arena, m * sizeof *r->col);
    r->order = sl_arena_alloc(&r->arena, m);
    r->is_solvable = sl_arena_alloc(&r->arena, m);
    *from = sl_arena_alloc(&r->arena, m * sizeof **from);
    if (!r->start || !r->col || !r->order || !r->is_solvable || !*from) {
        return SL_ERR_MEMORY;
    }
    sl_incidence_transpose(&(sl_incidence){r->n, r->n, p->start, p->row}, r->start, r->col, *from);
    for (size_t k = 0; k < m; k++) {
        r->order[k] = (p->kind[(*from)[k]] & SL_DAE_DX) != 0;
    }
    return SL_OK;
}

static sl_status mark_solvable(sl_reduction *r, const sl_reduction_def *def, const int32_t *from) {
    sl_expr_list leaves = {0};
    sl_status status = SL_OK;
    for (int32_t i = 0; i < r->n; i++) {
        for (int32_t k = r->start[i]; k < r->start[i + 1] && status == SL_OK; k++) {
            bool tight = is_tight(r, i, k);
            r->is_solvable[k] = tight && is_solvable(def, def->factors[from[k]], &leaves, &status);
        }
    }
    SL_ARRAY_FINI(def->walk->ctx, &leaves);
    return status;
}

/* ---- Blocks ------------------------------------------------------------------------------------- */

/* Tight entries by columns. */
static bool list_tight(plan *s) {
    sl_reduction *r = s->r;
    s->col_start = sl_arena_alloc(&r->arena, ((size_t)r->n + 1) * sizeof(int32_t));
    s->col_row = sl_arena_alloc(&r->arena, (size_t)r->start[r->n] * sizeof(int32_t));
    s->col_entry = sl_arena_alloc(&r->arena, (size_t)r->start[r->n] * sizeof(int32_t));
    int32_t *next = sl_arena_alloc(&r->arena, ((size_t)r->n + 1) * sizeof(int32_t));
    if (!s->col_start || !s->col_row || !s->col_entry || !next) {
        return false;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < r->n; i++) {
            for (int32_t k = r->start[i]; k < r->start[i + 1]; k++) {
                if (is_tight(r, i, k) && pass == 0) {
                    s->col_start[r->col[k] + 1]++;
                } else if (is_tight(r, i, k)) {
                    s->col_row[next[r->col[k]]] = i;
                    s->col_entry[next[r->col[k]]++] = k;
                }
            }
        }
        for (int32_t j = 0; j < r->n && pass == 0; j++) {
            s->col_start[j + 1] += s->col_start[j];
            next[j] = s->col_start[j];
        }
        next[0] = 0;
    }
    return true;
}

static sl_status find_blocks(plan *s) {
    sl_reduction *r = s->r;
    sl_dm_decomposition parts;
    sl_status status = sl_dm_decomposition_init(&parts, r->ctx, &(sl_incidence){r->n, r->n, s->col_start, s->col_row});
    if (status != SL_OK) {
        return status;
    }
    size_t n = (size_t)r->n;
    r->n_block = parts.n_block;
    r->n_largest = parts.n_largest;
    r->block_start = sl_arena_alloc(&r->arena, ((size_t)r->n_block + 1) * sizeof(int32_t));
    r->block_rows = sl_arena_alloc(&r->arena, n * sizeof(int32_t));
    r->block_cols = sl_arena_alloc(&r->arena, n * sizeof(int32_t));
    int32_t *next = sl_arena_alloc(&r->arena, ((size_t)r->n_block + 1) * sizeof(int32_t));
    if (!r->block_start || !r->block_rows || !r->block_cols || !next) {
        sl_dm_decomposition_fini(&parts);
        return SL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < r->n; j++) {
        s->col_block[j] = parts.block_of[j];
        r->block_start[parts.block_of[j] + 1]++;
    }
    for (int32_t b = 0; b < r->n_block; b++) {
        r->block_start[b + 1] += r->block_start[b];
    }
    memcpy(next, r->block_start, (size_t)r->n_block * sizeof *next);
    for (int32_t j = 0; j < r->n; j++) {
        r->block_cols[next[s->col_block[j]]++] = j;
    }
    memcpy(next, r->block_start, (size_t)r->n_block * sizeof *next);
    for (int32_t i = 0; i < r->n; i++) {
        s->row_block[i] = parts.block_of[parts.col_of[i]];
        r->block_rows[next[s->row_block[i]]++] = i;
    }
    sl_dm_decomposition_fini(&parts);
    return SL_OK;
}

/* ---- Pairs -------------------------------------------------------------------------------------- */

static bool find(plan *s, int32_t j) {
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
static bool find_support(plan *s, int32_t j) {
    bool fine = true;
    for (int32_t k = s->support_begin[j]; k < s->support_end[j] && fine; k++) {
        fine = find(s, s->supports.at[k]);
    }
    return fine;
}

/* Solves row i for the variable of its entry at, if that is of use. */
static bool try_pair(plan *s, int32_t i, int32_t at, sl_status *status) {
    sl_reduction *r = s->r;
    int32_t to = r->col[at];
    bool holds_rate = false, fine = r->is_solvable[at];
    s->stamp_now++;
    s->n_found = 0;
    for (int32_t k = r->start[i]; k < r->start[i + 1] && fine; k++) {
        int32_t j = r->col[k];
        if (j == to) {
            fine = r->order[at] > 0 || r->order[k] == 0;
            continue;
        }
        bool is_whole = r->pair_row[j] >= 0 && r->offsets.d[j] == r->offsets.c[r->pair_row[j]];
        holds_rate = holds_rate || (r->order[k] > 0 && (s->has_rate[j] || s->is_direct[j]));
        if (!is_whole) {
            fine = find(s, j);
        }
        if (r->pair_row[j] >= 0 && (is_whole || r->order[k] > 0 || r->offsets.c[i] > 0)) {
            fine = fine && find_support(s, j);
        }
    }
    int32_t n_use = r->order[at] > 0 ? 1 : s->n_use[to];
    fine = fine && !(holds_rate && r->order[at] == 0) && (s->n_found - 1) * (n_use - 1) <= MAX_GROWTH;
    if (!fine) {
        return false;
    }
    s->support_begin[to] = (int32_t)s->supports.n;
    for (int32_t k = 0; k < s->n_found && *status == SL_OK; k++) {
        *status = SL_PUSH(r->ctx, &s->supports, s->found[k]) ? SL_OK : SL_ERR_MEMORY;
    }
    s->support_end[to] = (int32_t)s->supports.n;
    s->has_rate[to] = holds_rate;
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
static void mark_direct(plan *s, int32_t b) {
    sl_reduction *r = s->r;
    bool plain = !is_differentiated(r, b);
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t j = r->block_cols[k];
        s->is_direct[j] = plain && r->offsets.d[j] == 1 && r->pair_row[j] < 0;
    }
}

typedef struct tear_order {
    int32_t j, n_row;
    bool can_be_solved;
} tear_order;

static int by_use(const void *a, const void *b) {
    const tear_order *x = a, *y = b;
    int order = (x->can_be_solved > y->can_be_solved) - (x->can_be_solved < y->can_be_solved);
    order = order ? order : (x->n_row < y->n_row) - (x->n_row > y->n_row);
    return order ? order : (x->j > y->j) - (x->j < y->j);
}

/* Variables of a block in the order in which they are torn. */
static tear_order *order_of_tearing(plan *s, int32_t b) {
    sl_reduction *r = s->r;
    int32_t n = r->block_start[b + 1] - r->block_start[b];
    tear_order *all = sl_arena_alloc(&r->arena, (size_t)n * sizeof *all);
    for (int32_t c = 0; all && c < n; c++) {
        int32_t j = r->block_cols[r->block_start[b] + c];
        all[c] = (tear_order){.j = j};
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
static void make_known(plan *s, int32_t b, int32_t j, int32_t *stack, int32_t *n_stack) {
    s->is_known[j] = 1;
    for (int32_t k = s->col_start[j]; k < s->col_start[j + 1]; k++) {
        int32_t i = s->col_row[k];
        if (s->row_block[i] == b && --s->left[i] == 1) {
            stack[(*n_stack)++] = i;
        }
    }
}

/* The unknown variable that is left in a row, as an entry; -1: none. */
static int32_t last_unknown(const plan *s, int32_t b, int32_t i) {
    const sl_reduction *r = s->r;
    for (int32_t k = r->start[i]; k < r->start[i + 1]; k++) {
        if (is_tight(r, i, k) && s->col_block[r->col[k]] == b && !s->is_known[r->col[k]]) {
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
static int32_t begin_stack(plan *s, int32_t b, int32_t *stack) {
    sl_reduction *r = s->r;
    int32_t n = 0, (*pairs)[2] = (int32_t(*)[2])(void *)s->scratch;
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t i = r->block_rows[k];
        s->left[i] = 0;
        for (int32_t e = r->start[i]; e < r->start[i + 1]; e++) {
            s->left[i] += is_tight(r, i, e) && s->col_block[r->col[e]] == b;
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

static sl_status tear(plan *s, int32_t b) {
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

static void find_leftover(plan *s, int32_t b) {
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

static sl_status pair_all(plan *s) {
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

/* ---- Nodes -------------------------------------------------------------------------------------- */

static bool number_nodes(sl_reduction *r) {
    const sl_offsets *o = &r->offsets;
    r->base = sl_arena_alloc(&r->arena, ((size_t)r->n + 1) * sizeof(int32_t));
    r->row_base = sl_arena_alloc(&r->arena, ((size_t)r->n + 1) * sizeof(int32_t));
    for (int32_t k = 0; r->base && r->row_base && k < r->n; k++) {
        r->base[k + 1] = r->base[k] + o->d[k] + 1;
        r->row_base[k + 1] = r->row_base[k] + o->c[k] + 1;
    }
    if (!r->base || !r->row_base) {
        return false;
    }
    r->n_node = r->base[r->n];
    r->n_row = r->row_base[r->n];
    r->kind = sl_arena_alloc(&r->arena, (size_t)r->n_node);
    r->variable_of = sl_arena_alloc(&r->arena, (size_t)r->n_node * sizeof(int32_t));
    r->order_of = sl_arena_alloc(&r->arena, (size_t)r->n_node * sizeof(int32_t));
    for (int32_t j = 0; r->kind && r->variable_of && r->order_of && j < r->n; j++) {
        for (int32_t k = r->base[j]; k < r->base[j + 1]; k++) {
            r->variable_of[k] = j;
            r->order_of[k] = k - r->base[j];
        }
    }
    return r->kind && r->variable_of && r->order_of;
}

static bool is_solved(const sl_reduction *r, int32_t j, int32_t below) {
    return r->pair_row[j] >= 0 && r->offsets.c[r->pair_row[j]] >= below;
}

/* Nodes of a block that are so many derivatives below the highest, and the equations between them. */
static sl_status classify(plan *s, int32_t b, int32_t below) {
    sl_reduction *r = s->r;
    const sl_offsets *o = &r->offsets;
    int32_t n_row = 0, n_col = 0;
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t i = r->block_rows[k], j = r->block_cols[k];
        n_row += r->pair_col[i] < 0 && o->c[i] >= below;
        n_col += o->d[j] >= below && !is_solved(r, j, below);
    }
    node_kind kind = n_row == 0 ? NODE_STATE : n_row == n_col ? NODE_ALGEBRAIC : NODE_CHOICE;
    kind = below == 0 ? NODE_ALGEBRAIC : kind;
    state_choice *choice = kind == NODE_CHOICE ? &r->choices[r->n_choice++] : NULL;
    if (choice) {
        choice->rows = sl_arena_alloc(&r->arena, (size_t)n_row * sizeof(int32_t));
        choice->nodes = sl_arena_alloc(&r->arena, (size_t)n_col * sizeof(int32_t));
        r->most_choice_nodes = n_col > r->most_choice_nodes ? n_col : r->most_choice_nodes;
        if (!choice->rows || !choice->nodes) {
            return SL_ERR_MEMORY;
        }
    }
    for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
        int32_t i = r->block_rows[k], j = r->block_cols[k];
        if (choice && r->pair_col[i] < 0 && o->c[i] >= below) {
            choice->rows[choice->n_row++] = r->row_base[i] + o->c[i] - below;
        }
        if (o->d[j] < below) {
            continue;
        }
        int32_t node = r->base[j] + o->d[j] - below;
        bool solved = is_solved(r, j, below);
        r->kind[node] = (uint8_t)(solved ? NODE_SOLVED : below == 0 && s->is_direct[j] ? NODE_RATE : kind);
        if (choice && !solved) {
            choice->nodes[choice->n_col++] = node;
        }
    }
    return SL_OK;
}

static sl_status classify_all(plan *s) {
    sl_reduction *r = s->r;
    const sl_offsets *o = &r->offsets;
    size_t most = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t b = 0; b < r->n_block; b++) {
            int32_t highest = 0;
            for (int32_t k = r->block_start[b]; k < r->block_start[b + 1]; k++) {
                highest = o->d[r->block_cols[k]] > highest ? o->d[r->block_cols[k]] : highest;
            }
            for (int32_t below = 0; below <= highest; below++) {
                sl_status status = pass == 0 ? SL_OK : classify(s, b, below);
                if (status != SL_OK) {
                    return status;
                }
                most += pass == 0 && below > 0 && r->block_start[b + 1] - r->block_start[b] > 1;
            }
        }
        if (pass == 0) {
            r->choices = sl_arena_alloc(&r->arena, most * sizeof *r->choices);
            if (!r->choices) {
                return SL_ERR_MEMORY;
            }
        }
    }
    return SL_OK;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static bool take_memory(plan *s) {
    sl_reduction *r = s->r;
    size_t n = (size_t)r->n;
    int32_t **ints[] = {&s->support_begin, &s->support_end, &s->stamp,    &s->n_use,    &s->row_block,
                        &s->col_block,     &s->left,        &r->pair_col, &r->pair_row, &r->sequence,
                        &r->tear_row,      &r->tear_col,    &s->scratch};
    bool fine = true;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        *ints[k] = sl_arena_alloc(&r->arena, 2 * n * sizeof(int32_t));
        fine = fine && *ints[k];
    }
    s->has_rate = sl_arena_alloc(&r->arena, n);
    s->is_direct = sl_arena_alloc(&r->arena, n);
    s->is_known = sl_arena_alloc(&r->arena, n);
    if (!fine || !s->has_rate || !s->is_direct || !s->is_known) {
        return false;
    }
    memset(r->pair_col, -1, n * sizeof(int32_t));
    memset(r->pair_row, -1, n * sizeof(int32_t));
    memset(r->tear_row, -1, n * sizeof(int32_t));
    memset(r->tear_col, -1, n * sizeof(int32_t));
    for (int32_t k = 0; k < r->start[r->n]; k++) {
        s->n_use[r->col[k]]++;
    }
    return true;
}

/* Has every equation a variable of its own? */
static sl_status has_full_rank(const sl_reduction *r, const sl_dae_pattern *p, bool *full) {
    size_t bytes = (2 * (size_t)r->n + 1) * sizeof(int32_t);
    int32_t *room = sl_alloc(r->ctx, bytes), n_pair = 0;
    if (!room) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_match(r->ctx, &(sl_incidence){r->n, r->n, p->start, p->row}, room, room + r->n, &n_pair);
    *full = n_pair == r->n;
    sl_free(r->ctx, room, bytes);
    return status;
}

static bool is_worth_it(const sl_reduction *r) {
    for (int32_t i = 0; i < r->n; i++) {
        int32_t j = r->pair_col[i];
        if (r->offsets.c[i] > 0 || (j >= 0 && r->offsets.d[j] == r->offsets.c[i])) {
            return true;
        }
    }
    return false;
}

sl_status sl_reduction_plan(sl_reduction *r, const sl_reduction_def *def, bool *worth) {
    plan s = {.r = r, .def = def};
    int32_t *from = NULL;
    bool full = false, plain = true;
    *worth = false;
    sl_status status = has_full_rank(r, &def->raw->pattern, &full);
    status = status == SL_OK && full ? read_pattern(r, def, &from) : status;
    if (status != SL_OK || !full) {
        return status;
    }
    status = sl_offsets_init(&r->offsets, r->ctx, r->n, r->start, r->col, r->order);
    int64_t n_row = 0;
    for (int32_t i = 0; i < r->n && status == SL_OK; i++) {
        plain = plain && r->offsets.c[i] == 0 && r->offsets.d[i] > 0;
        n_row += r->offsets.c[i] + 1;
    }
    if (status != SL_OK || plain || n_row > (int64_t)MAX_DIFFERENTIATED * (r->n + MAX_DIFFERENTIATED)) {
        return status;
    }
    status = take_memory(&s) && list_tight(&s) ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? mark_solvable(r, def, from) : status;
    status = status == SL_OK ? find_blocks(&s) : status;
    status = status == SL_OK ? pair_all(&s) : status;
    *worth = status == SL_OK && is_worth_it(r);
    if (*worth) {
        status = number_nodes(r) ? classify_all(&s) : SL_ERR_MEMORY;
    }
    SL_ARRAY_FINI(r->ctx, &s.supports);
    return status;
}
