/* SPDX-License-Identifier: MIT */
/* sha_held.c: what the rows of a hybrid automaton hold, found once when it is finished: the continuous variables and the cuts of
 * activities and roots. By that src/hybrid moves it by parts, and knows which of them a cut concerns.
 *
 * The roots of cuts stand behind those of the automaton, and the equations that hold at rest behind the activities, one per cut. Who
 * holds the unknown of a cut holds the variables of its argument too: at rest they are solved together.
 */
#include "automata/sha_impl.h"

#include <stdlib.h>
#include <string.h>

/* ---- Roots -------------------------------------------------------------------------------------- */

sl_status sl_sha_list_roots(sl_sha *a) {
    int32_t n_own = (int32_t)a->parts[SL_SHA_ROOT].n, n = n_own;
    a->n_equation = (int32_t)(a->parts[SL_SHA_ACTIVITY].n + a->cuts.n);
    for (int32_t k = 0; k < a->cuts.n; k++) {
        n += sha_is_timed(a, k) ? 0 : a->cuts.at[k].n_root;
    }
    a->n_root = n;
    sl_expr *roots = sl_arena_alloc(&a->arena, (size_t)n * sizeof *roots);
    int32_t *cuts = sl_arena_alloc(&a->arena, (size_t)n * sizeof *cuts);
    int32_t *variables = sl_arena_alloc(&a->arena, (size_t)n * sizeof *variables);
    a->root_sides = sl_arena_alloc(&a->arena, (size_t)n * sizeof *a->root_sides);
    a->cut_root_start = sl_arena_alloc(&a->arena, ((size_t)a->cuts.n + 1) * sizeof *a->cut_root_start);
    if (!a->cut_root_start || !roots || !cuts || !variables || !a->root_sides) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n_own; i++) {
        roots[i] = a->roots[i];
        variables[i] = a->root_variables[i];
        cuts[i] = -1;
    }
    n = n_own;
    for (int32_t k = 0; k < a->cuts.n; k++) {
        a->cut_root_start[k] = n;
        for (int32_t i = 0; i < a->cuts.at[k].n_root && !sha_is_timed(a, k); i++, n++) {
            roots[n] = a->cuts.at[k].roots[i];
            variables[n] = -1;
            cuts[n] = k;
            a->root_sides[n] = i;
        }
    }
    a->cut_root_start[a->cuts.n] = n;
    a->roots = roots;
    a->root_variables = variables;
    a->incidence = (sl_hybrid_incidence){
        .n_equation = a->n_equation, .n_root = a->n_root, .decides = variables, .root_cuts = cuts};
    return SL_OK;
}

/* ---- Lists -------------------------------------------------------------------------------------- */

/* Rows of numbers while they are made: each number once per row. */
typedef struct rows {
    sl_context *ctx;
    SL_ARRAY(int32_t) all;
    SL_ARRAY(int32_t) start;
    int32_t *stamp; /* [n_number] the row that has it */
    size_t n_number;
} rows;

static bool begin(rows *r, sl_context *ctx, size_t n_number) {
    *r = (rows){.ctx = ctx, .n_number = n_number + 1};
    r->stamp = sl_alloc(ctx, r->n_number * sizeof *r->stamp);
    return r->stamp && SL_PUSH(ctx, &r->start, 0);
}

/* Adds a number to the row at hand. */
static bool add(rows *r, int32_t number) {
    int32_t row = (int32_t)r->start.n;
    if (r->stamp[number] == row) {
        return true;
    }
    r->stamp[number] = row;
    return SL_PUSH(r->ctx, &r->all, number);
}

/* ... all of an older row. */
static bool add_row(rows *r, int32_t row) {
    bool fine = true;
    for (int64_t k = r->start.at[row]; k < r->start.at[row + 1] && fine; k++) {
        fine = add(r, r->all.at[k]);
    }
    return fine;
}

static bool is_sorted(const int32_t *at, int64_t n) {
    bool sorted = true;
    for (int64_t k = 1; k < n && sorted; k++) {
        sorted = at[k - 1] < at[k];
    }
    return sorted;
}

static int ascending(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static bool end_row(rows *r) {
    int64_t first = r->start.at[r->start.n - 1], n = r->all.n - first;
    if (n > 1 && !is_sorted(r->all.at + first, n)) {
        qsort(r->all.at + first, (size_t)n, sizeof *r->all.at, ascending);
    }
    return SL_PUSH(r->ctx, &r->start, (int32_t)r->all.n);
}

static void drop(rows *r) {
    SL_ARRAY_FINI(r->ctx, &r->all);
    SL_ARRAY_FINI(r->ctx, &r->start);
    sl_free(r->ctx, r->stamp, r->stamp ? r->n_number * sizeof *r->stamp : 0);
}

/* Keeps rows from `first` on with the automaton. */
static sl_status keep(sl_sha *a, const rows *r, int64_t first, int32_t **start, int32_t **all) {
    int64_t n = r->start.n - first, begin_at = r->start.at[first];
    *start = sl_arena_alloc(&a->arena, (size_t)n * sizeof **start);
    *all = sl_arena_alloc(&a->arena, (size_t)(r->all.n - begin_at) * sizeof **all);
    if (!*start || !*all) {
        return SL_ERR_MEMORY;
    }
    for (int64_t k = 0; k < n; k++) {
        (*start)[k] = (int32_t)(r->start.at[first + k] - begin_at);
    }
    if (r->all.n > begin_at) {
        memcpy(*all, r->all.at + begin_at, (size_t)(r->all.n - begin_at) * sizeof **all);
    }
    return SL_OK;
}

/* ---- What expressions hold ---------------------------------------------------------------------- */

/* Adds the variables of an expression; of the unknown of a cut those of its argument, which are row k. */
static sl_status add_variables(sl_sha *a, rows *r, sl_expr_list *leaves, sl_expr e) {
    leaves->n = 0;
    sl_status status = sl_expr_leaves(a->g, 1, &e, leaves);
    for (int64_t i = 0; i < leaves->n && status == SL_OK; i++) {
        bool is_variable = sl_expr_op(a->g, leaves->at[i]) == SL_OP_VARIABLE;
        int32_t j = is_variable ? a->x_of[sl_expr_symbol(a->g, leaves->at[i])] : -1, n = (int32_t)a->variables.n;
        bool fine = j < 0 || (j < n ? add(r, j) : add_row(r, j - n));
        status = fine ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

/* Adds the cuts of an expression, and all that these depend on, which are row k. */
static sl_status add_cuts(sl_sha *a, rows *r, sl_expr_list *leaves, sl_expr e) {
    leaves->n = 0;
    sl_status status = sl_expr_leaves(a->g, 1, &e, leaves);
    for (int64_t i = 0; i < leaves->n && status == SL_OK; i++) {
        int32_t k = sl_cuts_of_leaf(&a->cuts, leaves->at[i]);
        status = k < 0 || add_row(r, k) ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

/* ... of the cells of a loop. */
static sl_status add_elements(sl_sha *a, rows *r, sl_expr_list *leaves, sl_expr e, int32_t n_cell) {
    leaves->n = 0;
    sl_status status = sl_expr_leaves(a->g, 1, &e, leaves);
    for (int64_t i = 0; i < leaves->n && status == SL_OK; i++) {
        bool moves = sl_expr_op(a->g, leaves->at[i]) == SL_OP_ELEMENT;
        for (int32_t c = 0; moves && c < n_cell && status == SL_OK; c++) {
            status = add(r, a->x_of[sl_expr_symbol(a->g, leaves->at[i]) + c]) ? SL_OK : SL_ERR_MEMORY;
        }
    }
    return status;
}

typedef sl_status adder(sl_sha *a, rows *r, sl_expr_list *leaves, sl_expr e);

/* First a row per cut, for what its argument and its limit hold; then the equations; then the roots. */
static sl_status list_rows(sl_sha *a, rows *r, adder *add_one, bool is_itself) {
    sl_expr_list leaves = {0};
    sl_status status = SL_OK;
    for (int32_t k = 0; k < a->cuts.n && status == SL_OK; k++) {
        const sl_cut *cut = &a->cuts.at[k];
        status = is_itself && !add(r, k) ? SL_ERR_MEMORY : add_one(a, r, &leaves, cut->argument);
        status = status == SL_OK && cut->unknown >= 0 ? add_one(a, r, &leaves, cut->limit) : status;
        status = status == SL_OK && !end_row(r) ? SL_ERR_MEMORY : status;
    }
    for (int32_t i = 0; i < a->n_equation && status == SL_OK; i++) {
        int32_t k = i - (int32_t)a->parts[SL_SHA_ACTIVITY].n;
        status = add_one(a, r, &leaves, a->equations[0][i]);
        if (status == SL_OK && add_one == add_variables && a->n_cell && a->n_cell[i] > 1) {
            status = add_elements(a, r, &leaves, a->equations[0][i], a->n_cell[i]);
        }
        status = status == SL_OK && k >= 0 && !add_row(r, k) ? SL_ERR_MEMORY : status;
        status = status == SL_OK && !end_row(r) ? SL_ERR_MEMORY : status;
    }
    for (int32_t i = 0; i < a->n_root && status == SL_OK; i++) {
        int32_t k = a->incidence.root_cuts[i];
        status = add_one(a, r, &leaves, a->roots[i]);
        status = status == SL_OK && k >= 0 && !add_row(r, k) ? SL_ERR_MEMORY : status;
        status = status == SL_OK && !end_row(r) ? SL_ERR_MEMORY : status;
    }
    sl_expr_list_fini(a->g, &leaves);
    return status;
}

/* The rows that hold each cut. */
static sl_status turn_over(sl_sha *a) {
    int32_t n_row = a->n_equation + a->n_root, n = (int32_t)a->cuts.n;
    int32_t *start = sl_arena_alloc(&a->arena, ((size_t)n + 2) * sizeof *start);
    int32_t *list = sl_arena_alloc(&a->arena, (size_t)a->row_cut_start[n_row] * sizeof *list);
    if (!start || !list) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < a->row_cut_start[n_row]; k++) {
        start[a->row_cuts[k] + 2]++;
    }
    for (int32_t k = 0; k < n; k++) {
        start[k + 2] += start[k + 1];
    }
    for (int32_t i = 0; i < n_row; i++) {
        for (int32_t k = a->row_cut_start[i]; k < a->row_cut_start[i + 1]; k++) {
            list[start[a->row_cuts[k] + 1]++] = i;
        }
    }
    a->incidence.cut_start = start;
    a->incidence.cut_rows = list;
    return SL_OK;
}

/* The variables of one kind of rows, as they are for src/hybrid. */
static sl_status list_variables(sl_sha *a) {
    rows r;
    int32_t *start, *all;
    sl_status status = begin(&r, a->ctx, (size_t)a->variables.n) ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? list_rows(a, &r, add_variables, false) : status;
    status = status == SL_OK ? keep(a, &r, 0, &start, &all) : status;
    drop(&r);
    if (status == SL_OK) {
        a->cut_read_start = start;
        a->cut_reads = all;
        a->incidence.start = start + a->cuts.n;
        a->incidence.root_start = a->incidence.start + a->n_equation;
        a->incidence.variables = a->incidence.root_variables = all;
    }
    return status;
}

static sl_status list_cuts(sl_sha *a) {
    rows r;
    sl_status status = begin(&r, a->ctx, (size_t)a->cuts.n) ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? list_rows(a, &r, add_cuts, true) : status;
    status = status == SL_OK ? keep(a, &r, a->cuts.n, &a->row_cut_start, &a->row_cuts) : status;
    drop(&r);
    return status == SL_OK ? turn_over(a) : status;
}

/* The variable whose value before it is, or -1: parameters were declared in the order of variables. */
static int32_t variable_before(const sl_sha *a, int32_t parameter) {
    int32_t low = 0, high = (int32_t)a->variables.n;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (a->variables.at[middle].pre < parameter) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < a->variables.n && a->variables.at[low].pre == parameter ? low : -1;
}

/* The variable that a leaf of an action is about, or -1. */
static int32_t variable_of(const sl_sha *a, sl_expr leaf) {
    switch (sl_expr_op(a->g, leaf)) {
    case SL_OP_VARIABLE: return a->x_of[sl_expr_symbol(a->g, leaf)];
    case SL_OP_PARAMETER: return variable_before(a, sl_expr_symbol(a->g, leaf));
    default: return -1;
    }
}

/* The variables that each action reads: those of its value, or of its equation, which sets them too. */
static sl_status list_actions(sl_sha *a) {
    rows r;
    sl_expr_list leaves = {0};
    sl_status status = begin(&r, a->ctx, (size_t)a->variables.n) ? SL_OK : SL_ERR_MEMORY;
    for (int64_t i = 0; i < a->parts[SL_SHA_ACTION].n && status == SL_OK; i++) {
        const sha_element *p = &a->parts[SL_SHA_ACTION].at[i];
        leaves.n = 0;
        status = sl_expr_leaves(a->g, 1, &p->expr, &leaves);
        for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
            int32_t j = variable_of(a, leaves.at[k]);
            status = j < 0 || add(&r, j) ? SL_OK : SL_ERR_MEMORY;
        }
        status = status == SL_OK && !end_row(&r) ? SL_ERR_MEMORY : status;
    }
    sl_expr_list_fini(a->g, &leaves);
    status = status == SL_OK ? keep(a, &r, 0, &a->action_start, &a->action_reads) : status;
    drop(&r);
    return status;
}

/* Of an algebraic variable, of a derivative and of what is unknown at rest no slope is known. */
static sl_status find_blind(sl_sha *a) {
    sl_expr_list leaves = {0};
    uint8_t *moves = sl_arena_alloc(&a->arena, (size_t)a->n_graph);
    a->is_blind = sl_arena_alloc(&a->arena, (size_t)a->cuts.n);
    sl_status status = moves && a->is_blind ? SL_OK : SL_ERR_MEMORY;
    int32_t n_activity = (int32_t)a->parts[SL_SHA_ACTIVITY].n;
    status = status == SL_OK ? sl_expr_leaves(a->g, n_activity, a->equations[0], &leaves) : status;
    for (int64_t i = 0; i < leaves.n && status == SL_OK; i++) {
        if (sl_expr_op(a->g, leaves.at[i]) == SL_OP_VARIABLE && sl_expr_order(a->g, leaves.at[i]) > 0) {
            moves[sl_expr_symbol(a->g, leaves.at[i])] = 1;
        }
    }
    for (int32_t i = 0; i < n_activity && status == SL_OK && a->n_cell; i++) {
        leaves.n = 0;
        status = a->n_cell[i] > 1 ? sl_expr_leaves(a->g, 1, &a->equations[0][i], &leaves) : SL_OK;
        for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
            bool moves_on = sl_expr_op(a->g, leaves.at[k]) == SL_OP_ELEMENT && sl_expr_order(a->g, leaves.at[k]) > 0;
            for (int32_t c = 0; moves_on && c < a->n_cell[i]; c++) {
                moves[sl_expr_symbol(a->g, leaves.at[k]) + c] = 1;
            }
        }
    }
    for (int32_t k = 0; k < a->cuts.n && status == SL_OK; k++) {
        leaves.n = 0;
        status = sl_expr_leaves(a->g, 1, &a->cuts.at[k].argument, &leaves);
        a->is_blind[k] = a->cuts.at[k].holds_dx;
        for (int64_t i = 0; i < leaves.n; i++) {
            bool is_variable = sl_expr_op(a->g, leaves.at[i]) == SL_OP_VARIABLE;
            a->is_blind[k] = a->is_blind[k] || (is_variable && !moves[sl_expr_symbol(a->g, leaves.at[i])]);
        }
    }
    sl_expr_list_fini(a->g, &leaves);
    return status;
}

sl_status sl_sha_list_held(sl_sha *a) {
    sl_status status = find_blind(a);
    status = status == SL_OK ? list_variables(a) : status;
    status = status == SL_OK ? list_cuts(a) : status;
    return status == SL_OK ? list_actions(a) : status;
}
