/* SPDX-License-Identifier: MIT */
/* reduced.c: a reduction at work (reduce.h): the system for a choice of states, values of all variables, the report. */
#include "dae/reduce_impl.h"

#include "base/out.h"

#include <string.h>

/* ---- Values ------------------------------------------------------------------------------------- */

void sl_reduction_gather(sl_reduction *r) {
    for (int32_t k = 0; k < r->n_input; k++) {
        r->inputs[k] = r->input_parameter[k] >= 0 ? r->p[r->input_parameter[k]] : r->x[r->input_variable[k]];
    }
}

void sl_reduction_load(sl_reduction *r, const double *y, const double *dy) {
    sl_reduction_gather(r);
    for (int32_t k = 0; k < r->n_unknown; k++) {
        r->node[0][r->unknown[k]] = y[k];
        r->node[1][r->unknown[k]] = dy[k];
    }
}

static void evaluate(sl_reduction *r, const sl_tape *tape, double t, double *out) {
    sl_tape_eval(tape, &(sl_expr_point){.t = t, .x = {r->node[0], r->node[1]}, .p = r->inputs}, r->work, out);
}

static void expand(void *user, double t, const double *y, const double *dy, double *x, double *dx) {
    sl_reduction *r = user;
    size_t n = (size_t)r->n;
    sl_reduction_load(r, y, dy);
    evaluate(r, r->values, t, r->out);
    memcpy(x, r->out, n * sizeof *x);
    memcpy(dx, r->out + n, n * sizeof *dx);
}

/* Of a derivative that is no variable itself the first guess is 0. */
static void contract(void *user, const double *x, const double *dx, double *y, double *dy) {
    const sl_reduction *r = user;
    for (int32_t k = 0; k < r->n_unknown; k++) {
        int32_t j = r->variable_of[r->unknown[k]], order = r->order_of[r->unknown[k]];
        y[k] = order == 0 ? x[j] : order == 1 ? dx[j] : 0.0;
        dy[k] = order == 0 ? dx[j] : 0.0;
    }
}

static void complete(void *user, double t, const double *y, double *dy) {
    sl_reduction *r = user;
    if (!r->rates) {
        return;
    }
    sl_reduction_load(r, y, dy);
    evaluate(r, r->rates, t, r->rate_out);
    for (int32_t k = 0; k < r->n_candidate; k++) {
        int32_t node = r->candidates[k];
        if (!r->state[node]) {
            dy[r->unknown_of[node]] = r->rate_out[k];
        }
    }
}

/* ---- What the integrator calls ------------------------------------------------------------------ */

static int residual(void *user, double t, const double *x, const double *dx, double *out) {
    sl_reduction *r = user;
    const sl_dae_system *s = sl_equations_system(r->e);
    sl_reduction_gather(r);
    return s->residual(s->user, t, x, dx, out);
}

static int jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    sl_reduction *r = user;
    const sl_dae_system *s = sl_equations_system(r->e);
    sl_reduction_gather(r);
    return s->jacobian(s->user, t, x, dx, a, b, values);
}

static int find_roots(void *user, double t, const double *x, const double *dx, double *g) {
    sl_reduction *r = user;
    const sl_dae_system *s = sl_equations_system(r->e);
    sl_reduction_gather(r);
    return s->roots(s->user, t, x, dx, g);
}

static void name_node(const sl_reduction *r, int32_t node, char text[SL_DAE_NAME]) {
    char name[SL_DAE_NAME];
    const char *variable = sl_dae_name(r->raw, false, r->variable_of[node], name);
    int order = (int)r->order_of[node];
    if (order == 0) {
        (void)sl_format(text, SL_DAE_NAME, "%s", variable);
    } else if (order == 1) {
        (void)sl_format(text, SL_DAE_NAME, "der(%.80s)", variable);
    } else {
        (void)sl_format(text, SL_DAE_NAME, "der(%.80s, %d)", variable, order);
    }
}

static void name_row(const sl_reduction *r, int32_t row, char text[SL_DAE_NAME]) {
    char name[SL_DAE_NAME];
    if (row >= r->n_left) {
        name_node(r, r->candidates[row - r->n_left] + 1, text);
        return;
    }
    int32_t k = r->left_rows[row], i = 0;
    while (r->row_base[i + 1] <= k) {
        i++;
    }
    int times = (int)(k - r->row_base[i]);
    const char *equation = sl_dae_name(r->raw, true, i, name);
    if (times == 0) {
        (void)sl_format(text, SL_DAE_NAME, "%s", equation);
    } else {
        (void)sl_format(text, SL_DAE_NAME, times == 1 ? "%.60s, differentiated" : "%.60s, differentiated %d times",
                        equation, times);
    }
}

static void name(void *user, bool equation, int32_t i, char text[SL_DAE_NAME]) {
    const sl_reduction *r = user;
    if (equation) {
        name_row(r, r->selected[i], text);
    } else {
        name_node(r, r->unknown[i], text);
    }
}

/* ---- A choice ----------------------------------------------------------------------------------- */

static void report_roles(sl_reduction *r) {
    sl_dae_report *p = &r->report;
    uint8_t *role = (uint8_t *)p->role;
    p->n_state = p->n_algebraic = p->n_dummy = 0;
    for (int32_t k = 0; k < r->n_node; k++) {
        if (r->kind[k] == NODE_SOLVED) {
            continue; /* once for all */
        }
        bool has_rate = k + 1 < r->n_node && r->variable_of[k + 1] == r->variable_of[k];
        role[k] = (uint8_t)(r->kind[k] == NODE_RATE ? SL_DAE_RATE
                            : r->state[k]           ? SL_DAE_STATE
                            : has_rate              ? SL_DAE_DUMMY
                                                    : SL_DAE_ALGEBRAIC);
        p->n_state += role[k] == SL_DAE_STATE;
        p->n_algebraic += role[k] == SL_DAE_ALGEBRAIC || role[k] == SL_DAE_DUMMY;
        p->n_dummy += role[k] == SL_DAE_DUMMY;
    }
    p->n_unknown = p->n_state + p->n_algebraic;
}

/* The system for the states wanted. */
static sl_status make_system(sl_reduction *r) {
    int32_t n = r->n_left;
    sl_equations *e = NULL;
    for (int32_t k = 0; k < r->n_left; k++) {
        r->selected[k] = k;
    }
    for (int32_t k = 0; k < r->n_candidate; k++) {
        if (r->wanted[r->candidates[k]]) {
            r->selected[n++] = r->n_left + k;
        }
    }
    sl_status status =
        sl_equations_create(&r->set, sl_exprs_walk(r->m), n, r->selected, r->n_root, r->roots, r->inputs, NULL, &e);
    if (status != SL_OK) {
        return status;
    }
    const sl_dae_system *s = sl_equations_system(e);
    const int32_t *unknown = sl_equations_variables(e);
    bool same = s->pattern.n_variable == n && (!r->e || n == r->n_unknown);
    if (!same || (r->e && memcmp(unknown, r->unknown, (size_t)n * sizeof *unknown) != 0)) {
        sl_equations_destroy(e);
        return SL_ERR_SOLVE; /* by its form an equation holds less than its pattern says */
    }
    sl_equations_destroy(r->e);
    r->e = e;
    r->n_unknown = n;
    memcpy(r->unknown, unknown, (size_t)n * sizeof *unknown);
    memcpy(r->state, r->wanted, (size_t)r->n_node);
    for (int32_t k = 0; k < n; k++) {
        r->unknown_of[unknown[k]] = k;
    }
    r->system = (sl_dae_system){.pattern = s->pattern,
                                .n_root = r->n_root,
                                .user = r,
                                .residual = residual,
                                .jacobian = jacobian,
                                .roots = r->n_root > 0 ? find_roots : NULL,
                                .name = name,
                                .outside = &r->outside};
    report_roles(r);
    return SL_OK;
}

static sl_status apply(void *user, const uint8_t *state, sl_dae_system *out, bool *changed) {
    sl_reduction *r = user;
    *changed = false;
    for (int32_t k = 0; k < r->n_unknown; k++) {
        *changed = *changed || (state[k] != 0) != r->state[r->unknown[k]];
    }
    if (!*changed) {
        *out = r->system;
        return SL_OK;
    }
    memcpy(r->wanted, r->state, (size_t)r->n_node);
    for (int32_t k = 0; k < r->n_unknown; k++) {
        r->wanted[r->unknown[k]] = state[k] != 0;
    }
    sl_status status = make_system(r);
    *out = r->system;
    return status;
}

/* ---- Report ------------------------------------------------------------------------------------- */

/* The same as another node but for a sign and a constant. */
static bool is_alias(sl_reduction *r, sl_expr e, sl_status *status) {
    sl_expr_list leaves = {0};
    sl_expr variable = SL_EXPR_NONE;
    int32_t n = 0;
    *status = *status == SL_OK ? sl_expr_leaves(r->m, 1, &e, &leaves) : *status;
    bool fine = *status == SL_OK;
    for (int64_t k = 0; k < leaves.n; k++) {
        sl_op op = sl_expr_op(r->m, leaves.at[k]);
        fine = fine && op != SL_OP_TIME;
        n += op == SL_OP_VARIABLE;
        variable = op == SL_OP_VARIABLE ? leaves.at[k] : variable;
    }
    sl_expr_list_fini(r->m, &leaves);
    sl_expr slope = fine && n == 1 ? sl_expr_diff(r->m, e, variable) : SL_EXPR_NONE;
    return slope >= 0 && (sl_expr_is_const(r->m, slope, 1.0) || sl_expr_is_const(r->m, slope, -1.0));
}

static sl_status begin_report(sl_reduction *r) {
    sl_dae_report *p = &r->report;
    uint8_t *role = sl_arena_alloc(&r->arena, (size_t)r->n_node);
    sl_status status = SL_OK;
    if (!role) {
        return SL_ERR_MEMORY;
    }
    *p = (sl_dae_report){.n_equation = r->n,
                         .index = r->index,
                         .n_block = r->n_block,
                         .n_largest = r->n_largest,
                         .c = r->offsets.c,
                         .d = r->offsets.d,
                         .n_node = r->n_node,
                         .variable = r->variable_of,
                         .order = r->order_of,
                         .role = role};
    for (int32_t k = 0; k < r->n; k++) {
        p->n_differentiated += r->offsets.c[k] > 0;
        p->n_free += r->offsets.d[k] - r->offsets.c[k];
    }
    for (int32_t k = 0; k < r->n_node; k++) {
        if (r->kind[k] == NODE_SOLVED) {
            bool alias = is_alias(r, r->solved[k], &status);
            role[k] = alias ? SL_DAE_ALIAS : SL_DAE_EXPLICIT;
            p->n_alias += alias && r->order_of[k] == 0;
            p->n_explicit += !alias && r->order_of[k] == 0;
        }
    }
    return status == SL_OK ? sl_exprs_status(r->m) : status;
}

/* ---- Beginning ---------------------------------------------------------------------------------- */

static bool take_memory(sl_reduction *r) {
    size_t n = (size_t)r->n_node + 1, work = sl_tape_work_size(r->values), more = 0;
    more = r->rates ? sl_tape_work_size(r->rates) : 0;
    work = more > work ? more : work;
    more = r->pivots ? sl_tape_work_size(r->pivots) : 0;
    work = more > work ? more : work;
    r->state = sl_arena_alloc(&r->arena, n);
    r->unknown = sl_arena_alloc(&r->arena, n * sizeof(int32_t));
    r->unknown_of = sl_arena_alloc(&r->arena, n * sizeof(int32_t));
    r->selected = sl_arena_alloc(&r->arena, (size_t)(r->n_left + r->n_candidate + 1) * sizeof(int32_t));
    r->out = sl_arena_alloc(&r->arena, 2 * (size_t)r->n * sizeof(double));
    r->rate_out = sl_arena_alloc(&r->arena, n * sizeof(double));
    r->node[0] = sl_arena_alloc(&r->arena, n * sizeof(double));
    r->node[1] = sl_arena_alloc(&r->arena, n * sizeof(double));
    r->work = sl_arena_alloc(&r->arena, work + 64);
    return r->state && r->unknown && r->unknown_of && r->selected && r->out && r->rate_out && r->node[0] &&
           r->node[1] && r->work;
}

/* Elimination in all choices may cost as much as some hundred operations for each unknown, which a step takes. */
static int32_t steps_between(const sl_reduction *r) {
    enum { PER_UNKNOWN = 500, MOST = 20 };
    double work = 0.0;
    for (int32_t q = 0; q < r->n_choice; q++) {
        const state_choice *c = &r->choices[q];
        work += 2.0 * (double)c->n_row * (double)c->n_row * (double)c->n_col;
    }
    double n = 1.0 + work / (PER_UNKNOWN * (double)(r->n_unknown + 1));
    return n < MOST ? (int32_t)n : MOST;
}

sl_status sl_reduction_begin(sl_reduction *r) {
    sl_status status = sl_reduction_list_pivots(r);
    status = status == SL_OK && !take_memory(r) ? SL_ERR_MEMORY : status;
    status = status == SL_OK ? begin_report(r) : status;
    status = status == SL_OK ? sl_reduction_choose_by_structure(r) : status;
    if (status != SL_OK) {
        return status;
    }
    r->outside = (sl_dae_outside){.raw = r->raw,
                                  .report = &r->report,
                                  .n_entry_max = (int32_t)(r->set.by_x.nnz + r->set.by_dx.nnz),
                                  .expand = expand,
                                  .contract = contract,
                                  .complete = complete,
                                  .choose = r->n_choice > 0 ? sl_reduction_choose : NULL,
                                  .apply = r->n_choice > 0 ? apply : NULL,
                                  .is_worn = r->n_choice > 0 ? sl_reduction_is_worn : NULL,
                                  .check = r->insists ? sl_reduction_check_states : NULL};
    status = make_system(r);
    r->outside.n_between = steps_between(r);
    for (int32_t k = 0; k < r->n_unknown; k++) {
        r->outside.has_inner = r->outside.has_inner || r->order_of[r->unknown[k]] > 1;
    }
    return status;
}

size_t sl_reduction_size(const sl_reduction *r) {
    enum { PER_NODE = 200, PER_EXPRESSION = 60 }; /* arrays and tapes; nodes of the graph with their hash table */
    return sl_equations_size(r->e) + (size_t)r->n_node * PER_NODE + (size_t)sl_exprs_count(r->m) * PER_EXPRESSION;
}
