/* SPDX-License-Identifier: MIT */
/* sda.c: building a structured discrete automaton (definition 3.1.1), its horizon, its phases and the plan of its guards. */
#include <math.h>
#include <stdlib.h>

#include "automata/sda_impl.h"

sl_status sl_sda_create(sl_exprs *g, sl_sda **out) {
    sl_context *ctx = sl_exprs_context(g);
    sl_sda *a = sl_alloc(ctx, sizeof *a);
    *out = a;
    if (!a) {
        return SL_ERR_MEMORY;
    }
    a->ctx = ctx;
    a->g = g;
    sl_arena_init(&a->arena, ctx);
    return SL_OK;
}

void sl_sda_destroy(sl_sda *a) {
    if (!a) {
        return;
    }
    sl_live_plan_destroy(a->plan);
    SL_ARRAY_FINI(a->ctx, &a->variables);
    SL_ARRAY_FINI(a->ctx, &a->transitions);
    SL_ARRAY_FINI(a->ctx, &a->unknowns);
    SL_ARRAY_FINI(a->ctx, &a->of_graph);
    sl_arena_fini(&a->arena);
    sl_free(a->ctx, a, sizeof *a);
}

int32_t sl_sda_n_variable(const sl_sda *a) {
    return (int32_t)a->variables.n;
}
int32_t sl_sda_n_transition(const sl_sda *a) {
    return (int32_t)a->transitions.n;
}
sl_str sl_sda_variable_name(const sl_sda *a, int32_t variable) {
    return sl_exprs_variable_name(a->g, a->variables.at[variable].graph);
}
int32_t sl_sda_domain(const sl_sda *a, int32_t variable) {
    return a->variables.at[variable].n;
}
int32_t sl_sda_variable_of(const sl_sda *a, int32_t graph_variable) {
    return graph_variable < a->of_graph.n ? a->of_graph.at[graph_variable] : -1;
}
int32_t sl_sda_graph_variable(const sl_sda *a, int32_t variable) {
    return a->variables.at[variable].graph;
}
const char *sl_sda_symbol(const sl_sda *a, int32_t transition) {
    return a->transitions.at[transition].symbol;
}
sl_expr sl_sda_equation(const sl_sda *a, int32_t transition) {
    return a->transitions.at[transition].equation;
}
sl_expr sl_sda_written(const sl_sda *a, int32_t transition) {
    return a->transitions.at[transition].written;
}
sl_expr sl_sda_guard(const sl_sda *a, int32_t transition) {
    return a->transitions.at[transition].guard;
}
int32_t sl_sda_horizon(const sl_sda *a) {
    return a->horizon;
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}
void sl_sda_sort(sl_int_array *items) {
    /* Mostly a few, mostly in order. */
    for (int64_t i = 1; i < items->n; i++) {
        if (items->at[i] < items->at[i - 1]) {
            qsort(items->at, (size_t)items->n, sizeof *items->at, by_number);
            return;
        }
    }
}

/* ---- Variables and transitions --------------------------------------------------------------------- */

sl_status sl_sda_add_variable(sl_sda *a, sl_str name, int32_t n, const sl_text_location *place, sl_diags *diags,
                              int32_t *out) {
    char quoted[SL_QUOTE_MAX];
    *out = -1;
    if (n < 1 || n > SL_SDA_DOMAIN_MAX) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, place, NULL, NULL, "a variable takes the values 0 to n - 1",
                  "the domain of %s has %d values, but 1 to %d are possible", sl_quote(name, quoted), (int)n,
                  (int)SL_SDA_DOMAIN_MAX);
        return SL_ERR_INPUT;
    }
    sl_expr e;
    if (!SL_RESERVE(a->ctx, &a->variables, a->variables.n + 1)) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_expr_declare_variable(a->g, name, n <= 2 ? SL_SYMBOL_BOOLEAN : 0, place, diags, &e);
    if (status != SL_OK) {
        return status;
    }
    int32_t graph = sl_expr_symbol(a->g, e);
    while (a->of_graph.n <= graph) {
        if (!SL_PUSH(a->ctx, &a->of_graph, -1)) {
            return SL_ERR_MEMORY;
        }
    }
    *out = a->of_graph.at[graph] = (int32_t)a->variables.n;
    a->variables.at[a->variables.n++] = (sl_sda_variable){graph, n};
    return SL_OK;
}

/* Checks the leaves of an expression; the derivatives among them are appended to unknowns, if there may be any. */
static sl_status check_leaves(sl_sda *a, sl_expr e, bool equation, const sl_element_location *place, sl_diags *diags) {
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(a->g, 1, &e, &leaves);
    for (int64_t i = 0; status == SL_OK && i < leaves.n; i++) {
        sl_expr leaf = leaves.at[i];
        if (sl_expr_op(a->g, leaf) == SL_OP_TIME) {
            continue;
        }
        bool variable = sl_expr_op(a->g, leaf) == SL_OP_VARIABLE;
        int32_t order = sl_expr_order(a->g, leaf), symbol = sl_expr_symbol(a->g, leaf);
        int32_t q = variable ? sl_sda_variable_of(a, symbol) : -1;
        if (q < 0 || order > (equation ? 1 : 0)) {
            char quoted[SL_QUOTE_MAX];
            sl_text_location room;
            sl_str name = variable ? sl_exprs_variable_name(a->g, symbol) : sl_exprs_parameter_name(a->g, symbol);
            sl_report(
                diags, SL_ERROR, SL_CODE_WRONG_KIND, sl_locate_leaf(place, !equation, a->g, leaf, &room), NULL, NULL,
                equation ? "an equation may hold discrete variables, their derivatives der(q), and t"
                         : "a guard may hold discrete variables and t",
                q < 0 ? "%s is no discrete variable of this automaton" : "the derivative of %s is not allowed here",
                sl_quote(name, quoted));
            status = SL_ERR_INPUT;
        } else if (order == 1 && !SL_PUSH(a->ctx, &a->unknowns, q)) {
            status = SL_ERR_MEMORY;
        }
    }
    sl_expr_list_fini(a->g, &leaves);
    return status;
}

sl_status sl_sda_add_transition(sl_sda *a, sl_str symbol, sl_expr equation, sl_expr guard,
                                const sl_element_location *place, sl_diags *diags, int32_t *out) {
    *out = -1;
    sl_sda_transition t = {.first_unknown = (int32_t)a->unknowns.n};
    t.equation = sl_expr_residual(a->g, equation);
    t.written = equation;
    t.guard = guard;
    if (t.equation < 0 || guard < 0) {
        return sl_exprs_status(a->g) != SL_OK ? sl_exprs_status(a->g) : SL_ERR_USE;
    }
    sl_status status = check_leaves(a, guard, false, place, diags);
    if (status == SL_OK) {
        status = check_leaves(a, t.equation, true, place, diags);
    }
    t.n_unknown = (int32_t)a->unknowns.n - t.first_unknown;
    if (status == SL_OK && t.n_unknown == 0) {
        sl_report(diags, SL_ERROR, SL_CODE_SYNTAX, sl_locate_formula(place), NULL, NULL,
                  "write der(q) = 1 to add 1 to q", "the equation holds no derivative: it determines nothing");
        status = SL_ERR_INPUT;
    }
    t.symbol = status == SL_OK ? sl_arena_copy(&a->arena, symbol) : NULL;
    if (status == SL_OK && (!t.symbol || !SL_PUSH(a->ctx, &a->transitions, t))) {
        status = SL_ERR_MEMORY;
    }
    if (status != SL_OK) {
        a->unknowns.n = t.first_unknown;
        return status;
    }
    *out = (int32_t)a->transitions.n - 1;
    return SL_OK;
}

/* ---- Horizon --------------------------------------------------------------------------------------- */

/* From which t on a comparison of t with a constant stays as it is. */
static double settles(sl_op op, bool time_first, double c) {
    switch ((int)op) {
    case SL_OP_LT: return time_first ? ceil(c) : floor(c) + 1.0;
    case SL_OP_LE: return time_first ? floor(c) + 1.0 : ceil(c);
    default: return floor(c) + 1.0;
    }
}

/* The horizon as far as this node is concerned; -1: there is none. */
static double horizon_of(const sl_sda *a, sl_expr e) {
    const sl_expr *args = sl_expr_args(a->g, e);
    int32_t n = sl_expr_n_arg(a->g, e), n_time = 0, other = 0;
    for (int32_t i = 0; i < n; i++) {
        bool time = sl_expr_op(a->g, args[i]) == SL_OP_TIME;
        n_time += time;
        other = time ? 1 - i : other;
    }
    sl_op op = sl_expr_op(a->g, e);
    if (n_time == 0) {
        return 0.0;
    }
    if (n_time > 1 || op < SL_OP_LT || op > SL_OP_NE || sl_expr_op(a->g, args[other]) != SL_OP_CONST) {
        return -1.0;
    }
    return fmax(0.0, settles(op, other == 1, sl_expr_value(a->g, args[other])));
}

static sl_status find_horizon(sl_sda *a) {
    sl_expr_list roots = {0}, all = {0};
    bool good = true, bare = false;
    for (int64_t j = 0; good && j < a->transitions.n; j++) {
        const sl_sda_transition *t = &a->transitions.at[j];
        good = SL_PUSH(a->ctx, &roots, t->guard) && SL_PUSH(a->ctx, &roots, t->equation);
        bare = bare || sl_expr_op(a->g, t->guard) == SL_OP_TIME;
    }
    sl_status status = good ? sl_expr_below(a->g, (int32_t)roots.n, roots.at, &all) : SL_ERR_MEMORY;
    double horizon = bare ? -1.0 : 0.0;
    for (int64_t i = 0; i < all.n && horizon >= 0.0; i++) {
        double h = horizon_of(a, all.at[i]);
        horizon = h < 0.0 ? h : fmax(h, horizon);
    }
    a->horizon = horizon >= 0.0 && horizon < 1e9 ? (int32_t)horizon : SL_SDA_NO_HORIZON;
    a->phased = a->horizon >= 0 && a->horizon <= SL_SDA_HORIZON_MAX;
    a->n_phase = a->phased ? a->horizon + 1 : 1;
    sl_expr_list_fini(a->g, &roots);
    sl_expr_list_fini(a->g, &all);
    return status;
}

/* ---- Phases and plan --------------------------------------------------------------------------------- */

/* Does an operation keep what is affine in its arguments affine, when those that hold the unknown are marked? A derivative that is
 * constant where it exists is not enough: mod(x, 3), x + floor(x/2) and x + (x > 0) have slope 1 and jumps. */
static bool keeps_affine(const sl_exprs *g, sl_expr e, const uint8_t *holds, const int32_t *place) {
    const sl_expr *args = sl_expr_args(g, e);
    int32_t n = sl_expr_n_arg(g, e), n_holding = 0;
    for (int32_t i = 0; i < n; i++) {
        n_holding += holds[place[args[i]]];
    }
    switch ((int)sl_expr_op(g, e)) {
    case SL_OP_ADD:
    case SL_OP_NEG: return true;
    case SL_OP_MUL: return n_holding == 1;
    case SL_OP_DIV: return !holds[place[args[1]]];
    case SL_OP_IF: return !holds[place[args[0]]];
    default: return false;
    }
}

/* Is e a sum of multiples of x and of what does not hold x? */
static sl_status is_affine(sl_sda *a, sl_expr e, sl_expr x, bool *out) {
    const int32_t *place;
    sl_expr_list all = {0};
    sl_status status = sl_expr_below(a->g, 1, &e, &all);
    size_t n = (size_t)all.n + 1;
    uint8_t *holds = status == SL_OK ? sl_alloc(a->ctx, n) : NULL;
    status = status == SL_OK && !holds ? SL_ERR_MEMORY : status;
    *out = status == SL_OK;
    place = sl_exprs_walk(a->g)->place;
    for (int64_t k = 0; *out && k < all.n; k++) {
        const sl_expr *args = sl_expr_args(a->g, all.at[k]);
        holds[k] = all.at[k] == x;
        for (int32_t i = 0; i < sl_expr_n_arg(a->g, all.at[k]); i++) {
            holds[k] |= holds[place[args[i]]];
        }
        *out = !holds[k] || all.at[k] == x || keeps_affine(a->g, all.at[k], holds, place);
    }
    sl_free(a->ctx, holds, holds ? n : 0);
    sl_expr_list_fini(a->g, &all);
    return status;
}

/* The equation as an explicit value of its only unknown, if it is affine in it with a constant factor. */
static sl_expr explicit_value(sl_sda *a, const sl_sda_transition *t, sl_expr equation, sl_status *status) {
    bool affine = false;
    if (t->n_unknown != 1) {
        return SL_EXPR_NONE;
    }
    sl_exprs *g = a->g;
    sl_expr der = sl_expr_variable(g, a->variables.at[a->unknowns.at[t->first_unknown]].graph, 1);
    *status = is_affine(a, equation, der, &affine);
    if (!affine) {
        return SL_EXPR_NONE;
    }
    sl_expr slope = sl_expr_simplify(g, sl_expr_diff(g, equation, der));
    if (slope < 0 || sl_expr_op(g, slope) != SL_OP_CONST || sl_expr_value(g, slope) == 0.0) {
        return SL_EXPR_NONE;
    }
    sl_expr zero = sl_expr_const(g, 0.0), rest = sl_expr_substitute(g, equation, 1, &der, &zero);
    sl_expr c = sl_expr_const(g, -sl_expr_value(g, slope));
    return sl_expr_simplify(g, sl_expr_2(g, SL_OP_DIV, rest, c));
}

static bool make_phase_transition(sl_sda *a, int32_t phase, int32_t j) {
    sl_sda_phase_transition *part = sl_sda_phase_transition_at(a, phase, j);
    const sl_sda_transition *t = &a->transitions.at[j];
    sl_expr equation = t->equation;
    part->guard = t->guard;
    if (a->phased) {
        sl_expr time = sl_expr_time(a->g), now = sl_expr_const(a->g, phase);
        part->guard = sl_expr_substitute(a->g, part->guard, 1, &time, &now);
        equation = sl_expr_substitute(a->g, equation, 1, &time, &now);
    }
    part->guard = sl_expr_simplify(a->g, part->guard);
    equation = sl_expr_simplify(a->g, equation);
    sl_status status = SL_OK;
    part->value = equation < 0 ? equation : explicit_value(a, t, equation, &status);
    part->explicit_value = part->value >= 0;
    part->value = part->explicit_value ? part->value : equation;
    return part->guard >= 0 && part->value >= 0 && status == SL_OK && sl_exprs_status(a->g) == SL_OK;
}

static bool make_plan(sl_sda *a) {
    int64_t n = a->n_phase * a->transitions.n;
    sl_expr_list roots = {0};
    bool good = true;
    a->transition_of_root = sl_arena_alloc(&a->arena, (size_t)(2 * n) * sizeof *a->transition_of_root);
    good = a->transition_of_root != NULL;
    for (int64_t i = 0; good && i < n; i++) {
        a->parts[i].guard_root = (int32_t)roots.n;
        a->transition_of_root[roots.n] = (int32_t)i;
        a->parts[i].value_root = (int32_t)roots.n + 1;
        a->transition_of_root[roots.n + 1] = -1;
        good = SL_PUSH(a->ctx, &roots, a->parts[i].guard) && SL_PUSH(a->ctx, &roots, a->parts[i].value);
    }
    a->n_root = (int32_t)roots.n;
    good = good && sl_live_plan_create(a->g, a->n_root, roots.at, &a->plan) == SL_OK;
    SL_ARRAY_FINI(a->ctx, &roots);
    return good;
}

static bool list_users(sl_sda *a) {
    size_t n = (size_t)a->variables.n;
    a->first_user = sl_arena_alloc(&a->arena, (n + 1) * sizeof *a->first_user);
    a->users = sl_arena_alloc(&a->arena, (size_t)a->unknowns.n * sizeof *a->users);
    int32_t *next = sl_arena_alloc(&a->arena, (n + 1) * sizeof *next);
    if (!a->first_user || !a->users || !next) {
        return false;
    }
    for (int64_t i = 0; i < a->unknowns.n; i++) {
        a->first_user[a->unknowns.at[i] + 1]++;
    }
    for (size_t i = 0; i < n; i++) {
        a->first_user[i + 1] += a->first_user[i];
        next[i] = a->first_user[i];
    }
    for (int64_t j = 0; j < a->transitions.n; j++) {
        const sl_sda_transition *t = &a->transitions.at[j];
        for (int32_t i = 0; i < t->n_unknown; i++) {
            a->users[next[a->unknowns.at[t->first_unknown + i]]++] = (int32_t)j;
        }
    }
    return true;
}

sl_status sl_sda_finish(sl_sda *a) {
    if (a->finished) {
        return SL_ERR_USE;
    }
    sl_status status = find_horizon(a);
    if (status != SL_OK) {
        return status;
    }
    a->parts = sl_arena_alloc(&a->arena, (size_t)a->n_phase * (size_t)a->transitions.n * sizeof *a->parts);
    bool good = a->parts != NULL;
    for (int32_t p = 0; good && p < a->n_phase; p++) {
        for (int32_t j = 0; good && j < a->transitions.n; j++) {
            good = make_phase_transition(a, p, j);
        }
    }
    if (!good || !make_plan(a) || !list_users(a)) {
        return SL_ERR_MEMORY;
    }
    a->finished = true;
    return SL_OK;
}
