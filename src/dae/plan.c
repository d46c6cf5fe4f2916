/* SPDX-License-Identifier: MIT */
/* plan.c: the structure of a reduction: offsets, blocks, and what the nodes are that no equation is solved for (reduce.h). Which are
 * solved for is found by pairs.c.
 *
 * Highest derivatives meet along tight entries (order = d_j - c_i). Their strong components are blocks in an order in which they can
 * be solved; the same entries stand at all lower derivatives of a block, which is why one plan serves all of them.
 */
#include "dae/plan.h"

#include "expr/interval.h"

#include <string.h>

enum { MAX_DIFFERENTIATED = 50 }; /* equations for each one that is written, on average */

/* ---- Rows --------------------------------------------------------------------------------------- */

static bool depends_on_values(const sl_reduction_def *def, sl_expr leaf) {
    bool is_parameter = sl_expr_op(def->g, leaf) == SL_OP_PARAMETER;
    return !is_parameter || (def->of_parameter && def->of_parameter[sl_expr_symbol(def->g, leaf)]);
}

/* Is an expression of other variables than j nowhere zero, by their bounds? */
static bool is_never_zero(const sl_reduction_def *def, sl_expr factor, int32_t j, sl_status *status) {
    sl_intervals ranges;
    bool fine = true;
    sl_intervals_init(&ranges, def->g, def->walk);
    sl_status found = sl_intervals_open(&ranges, factor);
    for (int64_t k = 0; k < ranges.leaves.n && found == SL_OK; k++) {
        sl_expr leaf = ranges.leaves.at[k];
        int32_t symbol = sl_expr_op(def->g, leaf) == SL_OP_TIME ? -1 : sl_expr_symbol(def->g, leaf);
        bool is_variable = sl_expr_op(def->g, leaf) == SL_OP_VARIABLE;
        sl_op op = sl_expr_op(def->g, leaf);
        fine = fine && op != SL_OP_ELEMENT && op != SL_OP_PARAMETER_ELEMENT && op != SL_OP_CELL; /* of a loop */
        if (is_variable) {
            fine = fine && def->of[symbol] != j;
        }
        if (is_variable && def->hints && sl_expr_order(def->g, leaf) == 0) {
            sl_intervals_set(&ranges, k, def->hints[symbol].low, def->hints[symbol].high);
        } else if (sl_expr_op(def->g, leaf) == SL_OP_PARAMETER && !depends_on_values(def, leaf)) {
            sl_intervals_set(&ranges, k, def->p[symbol], def->p[symbol]);
        }
    }
    sl_interval range = fine && found == SL_OK ? sl_intervals_eval(&ranges) : (sl_interval){-1.0, 1.0};
    sl_intervals_fini(&ranges);
    *status = *status == SL_OK ? found : *status;
    return sl_interval_is_true(range);
}

bool sl_reduction_is_number(const sl_reduction_def *def, sl_expr e, sl_expr_list *leaves, double *value,
                            sl_status *status) {
    if (e < 0) {
        return false; /* several derivatives in one place */
    }
    if (sl_expr_op(def->g, e) == SL_OP_CONST) {
        *value = sl_expr_value(def->g, e);
        return true;
    }
    leaves->n = 0;
    sl_status found = sl_walk_leaves(def->walk, def->g, 1, &e, leaves);
    for (int64_t k = 0; k < leaves->n && found == SL_OK; k++) {
        if (depends_on_values(def, leaves->at[k])) {
            return false;
        }
    }
    found = found == SL_OK ? sl_walk_eval(def->walk, def->g, e, &(sl_expr_point){.p = def->p}, value) : found;
    *status = *status == SL_OK ? found : *status;
    return found == SL_OK && *value - *value == 0.0;
}

/* Not zero: a number, or by its form and the bounds of variables. */
static bool is_solvable(const sl_reduction_def *def, sl_expr factor, int32_t j, sl_expr_list *leaves,
                        sl_status *status) {
    double value = 0.0;
    return sl_reduction_is_number(def, factor, leaves, &value, status)
               ? value != 0.0
               : factor >= 0 && is_never_zero(def, factor, j, status);
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
    return sl_reduction_cancel(r, def, from);
}

static sl_status mark_solvable(sl_reduction *r, const sl_reduction_def *def, const int32_t *from) {
    sl_expr_list leaves = {0};
    sl_status status = SL_OK;
    for (int32_t i = 0; i < r->n; i++) {
        for (int32_t k = r->start[i]; k < r->start[i + 1] && status == SL_OK; k++) {
            bool tight = sl_entry_is_tight(r, i, k);
            r->is_solvable[k] =
                tight && from[k] >= 0 && is_solvable(def, def->factors[from[k]], r->col[k], &leaves, &status);
        }
    }
    SL_ARRAY_FINI(def->walk->ctx, &leaves);
    return status;
}

/* ---- Blocks ------------------------------------------------------------------------------------- */

/* Tight entries by columns. */
bool sl_reduction_list_tight(sl_reduction_planner *s) {
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
                if (sl_entry_is_tight(r, i, k) && pass == 0) {
                    s->col_start[r->col[k] + 1]++;
                } else if (sl_entry_is_tight(r, i, k)) {
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

static sl_status find_blocks(sl_reduction_planner *s) {
    sl_reduction *r = s->r;
    sl_dm_decomposition parts;
    sl_status status = sl_dm_decomposition_init(&parts, r->ctx, &(sl_incidence){r->n, r->n, s->col_start, s->col_row});
    status = status == SL_OK ? sl_reduction_join_wanted(s, &parts) : status;
    if (status != SL_OK) {
        sl_dm_decomposition_fini(&parts);
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
static sl_status classify(sl_reduction_planner *s, int32_t b, int32_t below) {
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

static sl_status classify_all(sl_reduction_planner *s) {
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

static bool take_memory(sl_reduction_planner *s) {
    sl_reduction *r = s->r;
    size_t n = (size_t)r->n;
    int32_t **ints[] = {&s->support_begin, &s->support_end, &s->stamp,    &s->n_use,    &s->row_block,
                        &s->col_block,     &s->left,        &r->pair_col, &r->pair_row, &r->sequence,
                        &r->tear_row,      &r->tear_col,    &s->scratch,  &s->size};
    bool fine = true;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        *ints[k] = sl_arena_alloc(&r->arena, 2 * n * sizeof(int32_t));
        fine = fine && *ints[k];
    }
    s->has_rate = sl_arena_alloc(&r->arena, n);
    s->is_direct = sl_arena_alloc(&r->arena, n);
    s->is_known = sl_arena_alloc(&r->arena, n);
    s->is_watched = sl_arena_alloc(&r->arena, n);
    s->row_has_time = sl_arena_alloc(&r->arena, n);
    s->has_time = sl_arena_alloc(&r->arena, n);
    if (!fine || !s->has_rate || !s->is_direct || !s->is_known || !s->is_watched || !s->row_has_time || !s->has_time) {
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

/* What roots hold, and which equations hold time. */
static sl_status find_watched(sl_reduction_planner *s) {
    const sl_reduction_def *def = s->def;
    sl_expr_list leaves = {0};
    sl_status status = def->n_root > 0 ? sl_walk_leaves(def->walk, def->g, def->n_root, def->roots, &leaves) : SL_OK;
    for (int64_t k = 0; k < leaves.n; k++) {
        bool is_variable = sl_expr_op(def->g, leaves.at[k]) == SL_OP_VARIABLE;
        int32_t j = is_variable ? def->of[sl_expr_symbol(def->g, leaves.at[k])] : -1;
        if (j >= 0) {
            s->is_watched[j] = 1;
        }
    }
    int32_t row = 0;
    for (int32_t i = 0; i < def->n_part && def->n_root > 0 && status == SL_OK; i++) {
        leaves.n = 0;
        status = sl_walk_leaves(def->walk, def->g, 1, &def->rows[i], &leaves);
        bool has_time = false;
        for (int64_t k = 0; k < leaves.n; k++) {
            has_time = has_time || sl_expr_op(def->g, leaves.at[k]) == SL_OP_TIME;
        }
        for (int32_t c = 0; c < def->n_cell[i]; c++) {
            s->row_has_time[row++] = has_time;
        }
    }
    SL_ARRAY_FINI(def->walk->ctx, &leaves);
    return status;
}

/* Has every equation a variable of its own? */
static sl_status has_full_rank(const sl_reduction *r, bool *full) {
    size_t bytes = (2 * (size_t)r->n + 1) * sizeof(int32_t);
    int32_t *room = sl_alloc(r->ctx, bytes), n_pair = 0;
    if (!room) {
        return SL_ERR_MEMORY;
    }
    /* equations take the place of columns there */
    sl_status status = sl_match(r->ctx, &(sl_incidence){r->n, r->n, r->start, r->col}, room, room + r->n, &n_pair);
    *full = n_pair == r->n;
    sl_free(r->ctx, room, bytes);
    return status;
}

sl_status sl_reduction_is_needed(const sl_reduction_def *def, bool *needed) {
    sl_reduction r = {.ctx = def->walk->ctx, .n = def->n};
    int32_t *from = NULL;
    bool full = false;
    *needed = false;
    sl_arena_init(&r.arena, r.ctx);
    sl_status status = read_pattern(&r, def, &from);
    status = status == SL_OK ? has_full_rank(&r, &full) : status;
    if (status == SL_OK && full) {
        status = sl_offsets_init(&r.offsets, r.ctx, r.n, r.start, r.col, r.order);
        status = status == SL_OK ? sl_reduction_take_preferences(&r, def) : status;
        *needed = r.combinations || r.insists;
        for (int32_t i = 0; i < r.n && status == SL_OK; i++) {
            *needed = *needed || r.offsets.c[i] > 0;
        }
        sl_offsets_fini(&r.offsets);
    }
    sl_arena_fini(&r.arena);
    return status;
}

sl_status sl_reduction_number(sl_reduction *r, const sl_reduction_def *def, const uint8_t *least, bool *full) {
    int32_t *from = NULL;
    *full = false;
    sl_status status = read_pattern(r, def, &from);
    status = status == SL_OK ? has_full_rank(r, full) : status;
    if (status != SL_OK || !*full) {
        return status;
    }
    status = sl_offsets_init(&r->offsets, r->ctx, r->n, r->start, r->col, r->order);
    status = status == SL_OK ? sl_offsets_raise(&r->offsets, r->start, r->col, r->order, least) : status;
    return status == SL_OK && !number_nodes(r) ? SL_ERR_MEMORY : status;
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
    sl_reduction_planner s = {.r = r, .def = def};
    int32_t *from = NULL;
    bool full = false, plain = true;
    *worth = false;
    sl_status status = read_pattern(r, def, &from);
    status = status == SL_OK ? has_full_rank(r, &full) : status;
    if (status != SL_OK || !full) {
        return status;
    }
    status = sl_offsets_init(&r->offsets, r->ctx, r->n, r->start, r->col, r->order);
    status = status == SL_OK ? sl_reduction_take_preferences(r, def) : status;
    int64_t n_row = 0;
    for (int32_t i = 0; i < r->n && status == SL_OK; i++) {
        plain = plain && r->offsets.c[i] == 0 && r->offsets.d[i] > 0;
        n_row += r->offsets.c[i] + 1;
    }
    if (status != SL_OK || (plain && !r->insists && !r->combinations) ||
        n_row > (int64_t)MAX_DIFFERENTIATED * (r->n + MAX_DIFFERENTIATED)) {
        return status;
    }
    status = take_memory(&s) && sl_reduction_list_tight(&s) ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? find_watched(&s) : status;
    status = status == SL_OK ? find_blocks(&s) : status;
    status = status == SL_OK ? mark_solvable(r, def, from) : status;
    status = status == SL_OK ? sl_reduction_find_pairs(&s) : status;
    *worth = status == SL_OK && (r->insists || r->combinations || is_worth_it(r));
    if (*worth) {
        status = number_nodes(r) ? classify_all(&s) : SL_ERR_MEMORY;
    }
    SL_ARRAY_FINI(r->ctx, &s.supports);
    return status;
}
