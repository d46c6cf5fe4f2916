/* SPDX-License-Identifier: MIT */
/* reduce.c: the expressions of a reduction (reduce.h): equations and roots in a graph of their own whose variables are the nodes,
 * differentiated as often as the offsets say, solved where plan.c says so, and written in terms of what remains.
 *
 * Nodes of one variable have successive numbers, so the derivative of an expression by time is that of the graph with der(node)
 * replaced by the next node. What stands still in the original graph, and its parameters, are parameters here, whose values are read
 * at each evaluation.
 */
#include "base/context.h"
#include "dae/reduce_impl.h"

#include "base/out.h"

#include <string.h>

/* ---- Into a graph of their own ------------------------------------------------------------------ */

typedef struct copy {
    sl_reduction *r;
    const sl_reduction_def *def;
    sl_expr *to;                             /* by place in the list of nodes */
    int32_t *of_table;                       /* [tables] in the new graph, -1: not yet */
    sl_expr *input_of[2];                    /* [parameters], [variables] of the original graph, NONE: not yet */
    int32_t cell;                            /* of a loop */
    SL_ARRAY(int32_t) parameters, variables; /* of the inputs, -1 where it is the other one */
    sl_status status;
} copy;

static sl_expr declare_input(copy *c, int32_t parameter, int32_t variable) {
    char name[32];
    int32_t k = (int32_t)c->parameters.n;
    int n = sl_format(name, sizeof name, "p%d", (int)k);
    sl_expr e = SL_EXPR_NONE, *known = parameter >= 0 ? &c->input_of[0][parameter] : &c->input_of[1][variable];
    if (*known != SL_EXPR_NONE) {
        return *known;
    }
    if (!SL_PUSH_BOTH(c->r->ctx, &c->parameters, parameter, &c->variables, variable)) {
        c->status = SL_ERR_MEMORY;
        return e;
    }
    c->status = sl_expr_declare_parameter(c->r->m, (sl_str){name, (size_t)n}, 0, NULL, NULL, &e);
    return *known = e;
}

/* A variable of the original graph, or a derivative of it. Beyond the highest derivative that has a node it is one of that node. */
static sl_expr copy_variable(copy *c, sl_expr e) {
    sl_reduction *r = c->r;
    const sl_exprs *g = c->def->g;
    int32_t symbol = sl_expr_symbol(g, e) + (sl_expr_op(g, e) == SL_OP_ELEMENT ? c->cell : 0);
    int32_t j = c->def->of[symbol], order = sl_expr_order(g, e);
    if (j < 0) {
        return order > 0 ? sl_expr_const(r->m, 0.0) : declare_input(c, -1, symbol);
    }
    int32_t last = r->base[j + 1] - r->base[j] - 1, most = order < last ? order : last;
    return sl_expr_variable(r->m, r->base[j] + most, order - most);
}

static sl_expr copy_table(copy *c, sl_expr e, sl_expr argument) {
    sl_reduction *r = c->r;
    const sl_exprs *g = c->def->g;
    int32_t table = sl_expr_symbol(g, e), n;
    if (c->of_table[table] < 0) {
        const double *x, *y;
        sl_table_kind kind;
        sl_table_beyond beyond;
        char name[32];
        sl_str made = {name, (size_t)sl_format(name, sizeof name, "t%d", (int)table)};
        (void)sl_exprs_table(g, table, &n, &x, &y);
        sl_exprs_table_shape(g, table, &kind, &beyond);
        c->status = sl_expr_declare_table(r->m, made, n, x, y, NULL, NULL, &c->of_table[table]);
        c->status = c->status == SL_OK ? sl_expr_shape_table(r->m, c->of_table[table], kind, beyond) : c->status;
    }
    return c->status == SL_OK ? sl_expr_table(r->m, c->of_table[table], sl_op_table_order(sl_expr_op(g, e)), argument)
                              : SL_EXPR_NONE;
}

static sl_expr copy_node(copy *c, sl_expr e, sl_expr *args) {
    sl_exprs *m = c->r->m;
    const sl_exprs *g = c->def->g;
    int32_t n = sl_expr_n_arg(g, e);
    for (int32_t k = 0; k < n; k++) {
        args[k] = c->to[c->def->walk->place[sl_expr_args(g, e)[k]]];
    }
    switch (sl_expr_op(g, e)) {
    case SL_OP_CONST: return sl_expr_const(m, sl_expr_value(g, e));
    case SL_OP_TIME: return sl_expr_time(m);
    case SL_OP_VARIABLE:
    case SL_OP_ELEMENT: return copy_variable(c, e);
    case SL_OP_PARAMETER: return declare_input(c, sl_expr_symbol(g, e), -1);
    case SL_OP_PARAMETER_ELEMENT: return declare_input(c, sl_expr_symbol(g, e) + c->cell, -1);
    case SL_OP_CELL: return sl_expr_const(m, sl_expr_symbol(g, e) + c->cell);
    case SL_OP_CALL: return args[0];
    case SL_OP_TABLE:
    case SL_OP_SLOPE:
    case SL_OP_CURVATURE: return copy_table(c, e, args[0]);
    default: return sl_expr_make(m, sl_expr_op(g, e), n, args);
    }
}

static bool keep_inputs(copy *c) {
    sl_reduction *r = c->r;
    r->n_input = (int32_t)c->parameters.n;
    size_t n = (size_t)r->n_input;
    r->input_parameter = sl_arena_keep(&r->arena, c->parameters.at, n * sizeof(int32_t));
    r->input_variable = sl_arena_keep(&r->arena, c->variables.at, n * sizeof(int32_t));
    r->inputs = sl_arena_alloc(&r->arena, (n + 1) * sizeof *r->inputs);
    r->marks = sl_arena_alloc(&r->arena, n + 1);
    for (size_t k = 0; r->input_parameter && r->marks && k < n; k++) {
        int32_t p = r->input_parameter[k];
        r->marks[k] = p >= 0 && c->def->of_parameter ? c->def->of_parameter[p] : 0;
    }
    return r->input_parameter && r->input_variable && r->inputs && r->marks;
}

/* All nodes below some expressions, once for each of n_cell cells; to has where they go, cell by cell. */
static sl_status copy_cells(copy *c, int32_t n, const sl_expr *all, int32_t n_cell, sl_expr **to) {
    const sl_reduction_def *def = c->def;
    sl_context *ctx = c->r->ctx;
    sl_expr_list list = {0};
    size_t n_arg = 1;
    sl_status status = sl_walk_below(def->walk, def->g, n, all, &list);
    for (int64_t k = 0; k < list.n; k++) {
        size_t count = (size_t)sl_expr_n_arg(def->g, list.at[k]);
        n_arg = count > n_arg ? count : n_arg;
    }
    size_t bytes = ((size_t)list.n + n_arg) * sizeof(sl_expr) + 1;
    c->to = status == SL_OK ? sl_alloc(ctx, bytes) : NULL;
    c->status = status == SL_OK && !c->to ? SL_ERR_MEMORY : status;
    for (c->cell = 0; c->cell < n_cell && c->status == SL_OK; c->cell++) {
        for (int64_t k = 0; k < list.n && c->status == SL_OK; k++) {
            c->to[k] = copy_node(c, list.at[k], c->to + list.n);
            c->status = c->status == SL_OK ? sl_exprs_status(c->r->m) : c->status;
        }
        for (int32_t i = 0; i < n && c->status == SL_OK; i++) {
            *to[(size_t)c->cell * (size_t)n + (size_t)i] = c->to[def->walk->place[all[i]]];
        }
    }
    sl_free(ctx, c->to, c->to ? bytes : 0);
    SL_ARRAY_FINI(def->walk->ctx, &list);
    return c->status;
}

static int32_t n_part_of(const sl_reduction_def *def) {
    return def->n_cell ? def->n_part : def->n;
}

static int32_t n_cell_of(const sl_reduction_def *def, int32_t part) {
    return def->n_cell ? def->n_cell[part] : 1;
}

static bool take_memos(copy *c) {
    size_t n_p = (size_t)sl_exprs_n_parameter(c->def->g), n_x = (size_t)sl_exprs_n_variable(c->def->g),
           n_table = (size_t)sl_exprs_n_table(c->def->g);
    c->of_table = sl_arena_alloc(&c->r->arena, n_table * sizeof(int32_t));
    c->input_of[0] = sl_arena_alloc(&c->r->arena, n_p * sizeof(sl_expr));
    c->input_of[1] = sl_arena_alloc(&c->r->arena, n_x * sizeof(sl_expr));
    if (!c->of_table || !c->input_of[0] || !c->input_of[1]) {
        return false;
    }
    memset(c->of_table, -1, n_table * sizeof(int32_t));
    memset(c->input_of[0], -1, n_p * sizeof(sl_expr));
    memset(c->input_of[1], -1, n_x * sizeof(sl_expr));
    return true;
}

/* Rows that are no loops, and roots. */
static sl_status copy_single(copy *c, sl_expr *all, sl_expr **to) {
    sl_reduction *r = c->r;
    int32_t n = 0, row = 0;
    for (int32_t i = 0; i < n_part_of(c->def); i++) {
        if (n_cell_of(c->def, i) == 1) {
            all[n] = c->def->rows[i];
            to[n++] = &r->rows[r->row_base[row]];
        }
        row += n_cell_of(c->def, i);
    }
    for (int32_t k = 0; k < c->def->n_root; k++) {
        all[n] = c->def->roots[k];
        to[n++] = &r->roots[k];
    }
    return copy_cells(c, n, all, 1, to);
}

static sl_status copy_loops(copy *c, sl_expr **to) {
    sl_reduction *r = c->r;
    int32_t row = 0;
    sl_status status = SL_OK;
    for (int32_t i = 0; i < n_part_of(c->def) && status == SL_OK; i++) {
        for (int32_t k = 0; k < n_cell_of(c->def, i); k++) {
            to[k] = &r->rows[r->row_base[row++]];
        }
        status = n_cell_of(c->def, i) > 1 ? copy_cells(c, 1, &c->def->rows[i], n_cell_of(c->def, i), to) : SL_OK;
    }
    return status;
}

/* Rows and roots; every node has a name, which nobody sees. */
static sl_status copy_expressions(sl_reduction *r, const sl_reduction_def *def) {
    copy c = {.r = r, .def = def};
    size_t n_all = (size_t)(r->n + def->n_root) + 1, bytes = n_all * (sizeof(sl_expr) + sizeof(sl_expr *));
    sl_expr **to = sl_alloc(r->ctx, bytes), *all = to ? (sl_expr *)(void *)(to + n_all) : NULL;
    sl_status status = all && take_memos(&c) ? SL_OK : SL_ERR_MEMORY;
    for (int32_t k = 0; k < r->n_node && status == SL_OK; k++) {
        char name[32];
        sl_expr e;
        int length = sl_format(name, sizeof name, "n%d", (int)k);
        status = sl_expr_declare_variable(r->m, (sl_str){name, (size_t)length}, 0, NULL, NULL, &e);
    }
    status = status == SL_OK ? copy_single(&c, all, to) : status;
    status = status == SL_OK ? copy_loops(&c, to) : status;
    status = status == SL_OK && !keep_inputs(&c) ? SL_ERR_MEMORY : status;
    sl_free(r->ctx, to, to ? bytes : 0);
    SL_ARRAY_FINI(r->ctx, &c.parameters);
    SL_ARRAY_FINI(r->ctx, &c.variables);
    return status;
}

/* ---- Replacing ---------------------------------------------------------------------------------- */

/* What replaces a leaf; SL_EXPR_NONE: nothing does. */
typedef sl_expr replacement(sl_reduction *r, sl_expr leaf);

static sl_expr replace(sl_reduction *r, sl_expr e, replacement *by) {
    sl_expr_list leaves = {0};
    bool found_leaves = e >= 0 && sl_expr_leaves(r->m, 1, &e, &leaves) == SL_OK;
    size_t bytes = (2 * (size_t)leaves.n + 1) * sizeof(sl_expr);
    sl_expr *from = found_leaves ? sl_alloc(r->ctx, bytes) : NULL, *to = from ? from + leaves.n : NULL;
    int32_t n = 0;
    for (int64_t k = 0; from && k < leaves.n; k++) {
        sl_expr found = sl_expr_op(r->m, leaves.at[k]) == SL_OP_VARIABLE ? by(r, leaves.at[k]) : SL_EXPR_NONE;
        if (found != SL_EXPR_NONE) {
            from[n] = leaves.at[k];
            to[n++] = found;
        }
    }
    sl_expr result = !from ? SL_EXPR_NONE : n > 0 ? sl_expr_substitute(r->m, e, n, from, to) : e;
    sl_free(r->ctx, from, from ? bytes : 0);
    sl_expr_list_fini(r->m, &leaves);
    return result;
}

/* What a row holds but does not depend on, as a - a: any number will do for it. The offsets know nothing of it. */
static sl_expr without_effect(sl_reduction *r, sl_expr leaf) {
    int32_t node = sl_expr_symbol(r->m, leaf), i = r->row_at_work;
    int32_t order = r->order_of[node] + sl_expr_order(r->m, leaf);
    for (int32_t k = r->start[i]; k < r->start[i + 1]; k++) {
        if (r->col[k] == r->variable_of[node] && order <= r->order[k]) {
            return SL_EXPR_NONE;
        }
    }
    return sl_expr_const(r->m, 0.0);
}

/* The derivative of a node is the next one. */
static sl_expr next_node(sl_reduction *r, sl_expr leaf) {
    return sl_expr_order(r->m, leaf) == 1 ? sl_reduction_node(r, sl_expr_symbol(r->m, leaf) + 1) : SL_EXPR_NONE;
}

/* A node by what remains. */
static sl_expr remaining_node(sl_reduction *r, sl_expr leaf) {
    int32_t node = sl_expr_symbol(r->m, leaf);
    if (sl_expr_order(r->m, leaf) > 0) {
        return SL_EXPR_NONE;
    }
    return r->kind[node] == NODE_SOLVED ? r->solved[node]
           : r->kind[node] == NODE_RATE ? sl_expr_variable(r->m, node - 1, 1)
                                        : SL_EXPR_NONE;
}

static sl_expr derive(sl_reduction *r, sl_expr e);

/* A derivative of a node, in what is derived by time or in a root. */
static sl_expr remaining_derivative(sl_reduction *r, sl_expr leaf) {
    int32_t node = sl_expr_symbol(r->m, leaf), j = r->variable_of[node];
    if (sl_expr_order(r->m, leaf) == 0) {
        return SL_EXPR_NONE;
    }
    if (sl_expr_order(r->m, leaf) > 1 || r->kind[node] == NODE_RATE) {
        return sl_expr_const(r->m, 0.0); /* of a rate of the integrator nothing is known */
    }
    if (node + 1 < r->base[j + 1]) {
        sl_expr next = sl_reduction_node(r, node + 1), found = remaining_node(r, next);
        return found != SL_EXPR_NONE ? found : next;
    }
    return r->kind[node] == NODE_SOLVED ? derive(r, r->solved[node]) : SL_EXPR_NONE;
}

/* The derivative by time of an expression of what remains, likewise. */
static sl_expr derive(sl_reduction *r, sl_expr e) {
    return replace(r, sl_expr_diff_time(r->m, e), remaining_derivative);
}

/* A node without derivatives. */
static sl_expr standing_node(sl_reduction *r, sl_expr leaf) {
    return r->order_of[sl_expr_symbol(r->m, leaf)] + sl_expr_order(r->m, leaf) > 0 ? sl_expr_const(r->m, 0.0)
                                                                                   : SL_EXPR_NONE;
}

/* Equations in whose combination derivatives cancel are linear in these: what is left of each without them is added. */
static sl_status combine(sl_reduction *r) {
    int32_t n = 0;
    for (const sl_combination *c = r->combinations; c; c = c->next) {
        n++;
    }
    sl_expr *made = sl_arena_alloc(&r->arena, ((size_t)n + 1) * sizeof *made);
    n = 0;
    for (const sl_combination *c = r->combinations; c && made; c = c->next) {
        sl_expr sum = SL_EXPR_NONE;
        for (int32_t k = 0; k < c->n; k++) {
            sl_expr rest = replace(r, r->rows[r->row_base[c->rows[k]]], standing_node);
            rest = sl_expr_2(r->m, SL_OP_MUL, sl_expr_const(r->m, c->factors[k]), rest);
            sum = k == 0 ? rest : sl_expr_2(r->m, SL_OP_ADD, sum, rest);
        }
        made[n++] = sum;
        if (sum < 0) {
            return sl_exprs_status(r->m) != SL_OK ? sl_exprs_status(r->m) : SL_ERR_MEMORY;
        }
    }
    n = 0; /* only now: one may be part of another */
    for (const sl_combination *c = r->combinations; c && made; c = c->next) {
        r->rows[r->row_base[c->row]] = made[n++];
    }
    return made ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Solving ------------------------------------------------------------------------------------ */

/* Derivatives of high order of a long formula grow without bound. Sixty-four times the text is more than any system needs whose index
 * physics gives; beyond it the equations stay as they are, and are refused for their index. */
enum { GROWTH = 64, SMALL = 200000 /* nodes that are always allowed */ };

static bool is_too_large(const sl_reduction *r, double most) {
    return (double)sl_exprs_count(r->m) > most * r->ctx->def.effort;
}

/* Differentiated rows. SL_ERR_SOLVE: they are too large. */
static sl_status differentiate(sl_reduction *r) {
    const double most = (double)GROWTH * (double)sl_exprs_count(r->m) + SMALL;
    for (int32_t i = 0; i < r->n; i++) {
        r->row_at_work = i;
        r->rows[r->row_base[i]] = replace(r, r->rows[r->row_base[i]], without_effect);
        for (int32_t k = r->row_base[i]; k + 1 < r->row_base[i + 1]; k++) {
            r->rows[k + 1] = replace(r, sl_expr_diff_time(r->m, r->rows[k]), next_node);
            if (r->rows[k + 1] < 0) {
                return sl_exprs_status(r->m) != SL_OK ? sl_exprs_status(r->m) : SL_ERR_MEMORY;
            }
            if (is_too_large(r, most)) {
                return SL_ERR_SOLVE;
            }
        }
        if (r->rows[r->row_base[i]] < 0) {
            return sl_exprs_status(r->m) != SL_OK ? sl_exprs_status(r->m) : SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

/* The node that solves an expression which is linear in it: the others are what remains. */
static sl_expr solve(sl_reduction *r, sl_expr e, int32_t node) {
    sl_expr it = sl_reduction_node(r, node), zero = sl_expr_const(r->m, 0.0);
    sl_expr factor = sl_expr_diff(r->m, e, it), rest = sl_expr_substitute(r->m, e, 1, &it, &zero);
    if (factor < 0 || rest < 0) {
        return SL_EXPR_NONE;
    }
    if (sl_expr_is_const(r->m, factor, -1.0)) {
        return rest;
    }
    rest = sl_expr_1(r->m, SL_OP_NEG, rest);
    return sl_expr_is_const(r->m, factor, 1.0) ? rest : sl_expr_2(r->m, SL_OP_DIV, rest, factor);
}

/* Is the factor of a node a number or made of parameters, and not zero? */
static bool is_linear_in(sl_reduction *r, sl_expr e, int32_t node, sl_status *status) {
    sl_expr factor = sl_expr_diff(r->m, e, sl_reduction_node(r, node));
    sl_expr_list leaves = {0};
    double value = 0.0;
    *status = factor >= 0 ? sl_expr_leaves(r->m, 1, &factor, &leaves) : SL_ERR_MEMORY;
    bool fine = *status == SL_OK;
    for (int64_t k = 0; k < leaves.n && fine; k++) {
        int32_t p = sl_expr_op(r->m, leaves.at[k]) == SL_OP_PARAMETER ? sl_expr_symbol(r->m, leaves.at[k]) : -1;
        fine = p >= 0 && r->input_parameter[p] >= 0 && !r->marks[p];
    }
    if (fine) {
        sl_reduction_gather(r);
        *status = sl_walk_eval(sl_exprs_walk(r->m), r->m, factor, &(sl_expr_point){.p = r->inputs}, &value);
    }
    sl_expr_list_fini(r->m, &leaves);
    return fine && *status == SL_OK && value != 0.0 && value - value == 0.0;
}

static bool solve_row(sl_reduction *r, int32_t row, int32_t node) {
    sl_expr e = replace(r, r->rows[row], remaining_node);
    r->solved[node] = e < 0 ? SL_EXPR_NONE : solve(r, e, node);
    return r->solved[node] >= 0;
}

/* A block of several equations of which one remains, and one variable: it may be linear in that by now. */
static bool solve_leftovers(sl_reduction *r) {
    for (int32_t b = 0; b < r->n_block; b++) {
        if (r->tear_row[b] < 0) {
            continue;
        }
        int32_t row = r->row_base[r->tear_row[b]], node = r->base[r->tear_col[b] + 1] - 1;
        sl_expr e = replace(r, r->rows[row], remaining_node);
        if (e < 0) {
            return false;
        }
        sl_status status;
        r->tear_row[b] = is_linear_in(r, e, node, &status) ? r->tear_row[b] : -1;
        if (status != SL_OK) {
            return false;
        }
        if (r->tear_row[b] >= 0) {
            r->solved[node] = solve(r, e, node);
            r->kind[node] = NODE_SOLVED;
            r->pair_col[r->tear_row[b]] = r->tear_col[b];
        }
        if (r->tear_row[b] >= 0 && r->solved[node] < 0) {
            return false;
        }
    }
    return true;
}

/* Solved nodes in the order in which they can be: far below the highest derivative first, and block by block. What a leftover solves is
 * written into those that were solved before it. */
static sl_status solve_all(sl_reduction *r) {
    int32_t most = 0;
    bool fine = true;
    for (int32_t k = 0; k < r->n_node; k++) {
        r->solved[k] = SL_EXPR_NONE;
    }
    for (int32_t i = 0; i < r->n; i++) {
        most = r->offsets.c[i] > most ? r->offsets.c[i] : most;
    }
    for (int32_t below = most; below >= 0 && fine; below--) {
        for (int32_t k = 0; k < r->n_pair && fine; k++) {
            int32_t i = r->sequence[k], j = r->pair_col[i], c = r->offsets.c[i];
            fine = c < below || solve_row(r, r->row_base[i] + c - below, r->base[j] + r->offsets.d[j] - below);
        }
    }
    fine = fine && solve_leftovers(r);
    for (int32_t k = 0; k < r->n_pair && fine; k++) { /* highest derivatives only: lower ones do not hold it */
        int32_t node = r->base[r->pair_col[r->sequence[k]] + 1] - 1;
        r->solved[node] = replace(r, r->solved[node], remaining_node);
        fine = r->solved[node] >= 0;
    }
    return fine ? SL_OK : sl_exprs_status(r->m) != SL_OK ? sl_exprs_status(r->m) : SL_ERR_MEMORY;
}

/* ---- What remains ------------------------------------------------------------------------------- */

static sl_expr derivative_of(sl_reduction *r, int32_t node) {
    sl_expr next = sl_reduction_node(r, node + 1), found = remaining_node(r, next);
    return found != SL_EXPR_NONE ? found : next;
}

static bool is_candidate(const sl_reduction *r, int32_t node) {
    bool moves = r->kind[node] == NODE_STATE || r->kind[node] == NODE_CHOICE;
    return moves && r->kind[node + 1] != NODE_RATE;
}

/* Equations that remain, and a row for each node that may be a state. */
static sl_status list_equations(sl_reduction *r) {
    size_t n_row = (size_t)r->n_row, n_node = (size_t)r->n_node;
    r->equations = sl_arena_alloc(&r->arena, (n_row + n_node) * sizeof *r->equations);
    r->left_rows = sl_arena_alloc(&r->arena, n_row * sizeof(int32_t));
    r->candidates = sl_arena_alloc(&r->arena, n_node * sizeof(int32_t));
    r->candidate_of = sl_arena_alloc(&r->arena, n_node * sizeof(int32_t));
    if (!r->equations || !r->left_rows || !r->candidates || !r->candidate_of) {
        return SL_ERR_MEMORY;
    }
    bool fine = true;
    for (int32_t i = 0; i < r->n; i++) {
        for (int32_t k = r->row_base[i]; k < r->row_base[i + 1] && r->pair_col[i] < 0; k++) {
            r->equations[r->n_left] = replace(r, r->rows[k], remaining_node);
            fine = fine && r->equations[r->n_left] >= 0;
            r->left_rows[r->n_left++] = k;
        }
    }
    for (int32_t k = 0; k < r->n_node; k++) {
        r->candidate_of[k] = is_candidate(r, k) ? r->n_candidate : -1;
        if (is_candidate(r, k)) {
            sl_expr moves = sl_expr_variable(r->m, k, 1);
            r->equations[r->n_left + r->n_candidate] = sl_expr_minus(r->m, moves, derivative_of(r, k));
            fine = fine && r->equations[r->n_left + r->n_candidate] >= 0;
            r->candidates[r->n_candidate++] = k;
        }
    }
    for (int32_t k = 0; k < r->n_root && fine; k++) {
        r->roots[k] = replace(r, replace(r, r->roots[k], remaining_derivative), remaining_node);
        fine = r->roots[k] >= 0;
    }
    return fine ? SL_OK : sl_exprs_status(r->m) != SL_OK ? sl_exprs_status(r->m) : SL_ERR_MEMORY;
}

/* x and x' of every variable by what remains, then the derivatives of candidates. */
static sl_status make_values(sl_reduction *r) {
    size_t n = (size_t)r->n;
    sl_expr *all = sl_arena_alloc(&r->arena, (2 * n + (size_t)r->n_candidate) * sizeof *all);
    bool fine = all != NULL;
    for (int32_t j = 0; j < r->n && fine; j++) {
        sl_expr x = sl_reduction_node(r, r->base[j]), found = remaining_node(r, x);
        all[j] = found != SL_EXPR_NONE ? found : x;
        all[n + (size_t)j] = derive(r, all[j]);
        fine = all[j] >= 0 && all[n + (size_t)j] >= 0;
    }
    for (int32_t k = 0; k < r->n_candidate && fine; k++) {
        all[2 * n + (size_t)k] = derivative_of(r, r->candidates[k]);
    }
    sl_status status = fine ? sl_exprs_status(r->m) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_tape_create(r->m, sl_exprs_walk(r->m), 2 * r->n, all, &r->values) : status;
    return status == SL_OK && r->n_candidate > 0
               ? sl_tape_create(r->m, sl_exprs_walk(r->m), r->n_candidate, all + 2 * n, &r->rates)
               : status;
}

/* ---- Life --------------------------------------------------------------------------------------- */

static sl_status make(sl_reduction *r, const sl_reduction_def *def) {
    size_t n_row = (size_t)r->n_row;
    r->m = sl_exprs_create(r->ctx);
    r->rows = sl_arena_alloc(&r->arena, n_row * sizeof *r->rows);
    r->solved = sl_arena_alloc(&r->arena, (size_t)r->n_node * sizeof *r->solved);
    r->roots = sl_arena_alloc(&r->arena, (size_t)r->n_root * sizeof *r->roots);
    sl_status status = r->m && r->rows && r->solved && r->roots ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? copy_expressions(r, def) : status;
    status = status == SL_OK ? combine(r) : status;
    status = status == SL_OK ? differentiate(r) : status;
    status = status == SL_OK ? solve_all(r) : status;
    status = status == SL_OK ? list_equations(r) : status;
    status = status == SL_OK ? make_values(r) : status;
    if (status == SL_OK) {
        status =
            sl_equation_set_init(&r->set, r->ctx, r->m, r->n_left + r->n_candidate, r->equations, NULL, NULL, NULL);
        r->has_set = status == SL_OK;
        r->set.of_parameter = r->marks;
    }
    return status == SL_OK ? sl_reduction_begin(r) : status;
}

sl_status sl_reduction_create(const sl_reduction_def *def, sl_reduction **out) {
    bool worth = false;
    *out = NULL;
    sl_reduction *r = sl_alloc(def->walk->ctx, sizeof *r);
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (sl_reduction){
        .ctx = def->walk->ctx, .n = def->n, .raw = def->raw, .n_root = def->n_root, .p = def->p, .x = def->x};
    sl_arena_init(&r->arena, r->ctx);
    sl_status status = sl_reduction_plan(r, def, &worth);
    status = status == SL_OK && worth ? make(r, def) : status;
    worth = worth && status != SL_ERR_SOLVE; /* the equations as they are tell why */
    status = status == SL_ERR_SOLVE ? SL_OK : status;
    if (status != SL_OK || !worth) {
        sl_reduction_destroy(r);
        return status;
    }
    *out = r;
    return SL_OK;
}

static sl_status expand(sl_reduction *r, const sl_reduction_def *def) {
    r->m = sl_exprs_create(r->ctx);
    r->rows = sl_arena_alloc(&r->arena, (size_t)r->n_row * sizeof *r->rows);
    r->roots = sl_arena_alloc(&r->arena, (size_t)r->n_root * sizeof *r->roots);
    sl_status status = r->m && r->rows && r->roots ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? copy_expressions(r, def) : status;
    status = status == SL_OK ? combine(r) : status;
    status = status == SL_OK ? differentiate(r) : status;
    for (int32_t k = 0; k < r->n_root && status == SL_OK; k++) {
        r->roots[k] = replace(r, r->roots[k], next_node);
        status = r->roots[k] < 0 ? SL_ERR_MEMORY : SL_OK;
    }
    return status;
}

sl_status sl_reduction_expand(const sl_reduction_def *def, const uint8_t *least, sl_reduction **out) {
    bool full = false;
    *out = NULL;
    sl_reduction *r = sl_alloc(def->walk->ctx, sizeof *r);
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (sl_reduction){
        .ctx = def->walk->ctx, .n = def->n, .raw = def->raw, .n_root = def->n_root, .p = def->p, .x = def->x};
    sl_arena_init(&r->arena, r->ctx);
    sl_status status = sl_reduction_number(r, def, least, &full);
    status = status == SL_OK && full ? expand(r, def) : status;
    if (status != SL_OK) {
        sl_reduction_destroy(r);
        return status;
    }
    *out = r;
    return SL_OK;
}

void sl_reduction_destroy(sl_reduction *r) {
    if (r) {
        sl_equations_destroy(r->e);
        sl_tape_destroy(r->values);
        sl_tape_destroy(r->rates);
        sl_tape_destroy(r->pivots);
        if (r->has_set) {
            sl_equation_set_fini(&r->set);
        }
        sl_exprs_destroy(r->m);
        sl_offsets_fini(&r->offsets);
        sl_arena_fini(&r->arena);
        sl_free(r->ctx, r, sizeof *r);
    }
}

const sl_dae_system *sl_reduction_system(const sl_reduction *r) {
    return &r->system;
}
