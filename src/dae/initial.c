/* SPDX-License-Identifier: MIT */
/* initial.c: which conditions hold at the start (initial.h), and what is said where they are too many or too few.
 *
 * A matching of conditions with nodes is grown in their order: equations, initial equations, fixed values, start values of differential
 * variables, of others. What finds no node of its own is surplus: those before it settle what it says. So the earlier a condition stands,
 * the sooner it counts, and all that are in can be solved as far as structure goes.
 */
#include "dae/initial_impl.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

/* ---- Names -------------------------------------------------------------------------------------- */

void sl_start_name_node(const sl_start_system *s, int32_t node, char *text, size_t room) {
    const sl_reduction *r = s->r;
    const char *name = s->def->name(s->def->user, SL_INITIAL_VARIABLE, s->variables[r->variable_of[node]]);
    int order = (int)r->order_of[node];
    if (order == 0) {
        (void)sl_format(text, room, "%s", name);
    } else if (order == 1) {
        (void)sl_format(text, room, "der(%s)", name);
    } else {
        (void)sl_format(text, room, "der(%s, %d)", name, order);
    }
}

void sl_start_name_condition(const sl_start_system *s, int32_t condition, char *text, size_t room) {
    const sl_initial_def *def = s->def;
    if (condition >= s->n_row) {
        (void)sl_format(text, room, "%s of '%s'", condition - s->n_row < s->n_fixed ? "fixed value" : "start value",
                        def->name(def->user, SL_INITIAL_VARIABLE, s->variables[s->value_of[condition - s->n_row]]));
    } else if (condition >= s->n_equation) {
        (void)sl_format(text, room, "initial equation '%s'",
                        def->name(def->user, SL_INITIAL_CONDITION, condition - s->n_equation));
    } else {
        int32_t i = 0;
        for (int32_t high = s->n; high - i > 1;) {
            int32_t middle = i + (high - i) / 2;
            *(s->r->row_base[middle] <= condition ? &i : &high) = middle;
        }
        int times = (int)(condition - s->r->row_base[i]);
        (void)sl_format(text, room, "equation '%s'%s", def->name(def->user, SL_INITIAL_EQUATION, i),
                        times == 0   ? ""
                        : times == 1 ? ", differentiated"
                                     : ", differentiated again");
    }
}

static const sl_text_location *location_of(const sl_start_system *s, int32_t condition) {
    const sl_initial_def *def = s->def;
    if (!def->location || condition < s->n_equation) {
        return NULL;
    }
    return condition < s->n_row
               ? def->location(def->user, SL_INITIAL_CONDITION, condition - s->n_equation)
               : def->location(def->user, SL_INITIAL_VARIABLE, s->variables[s->value_of[condition - s->n_row]]);
}

/* ---- Equations ---------------------------------------------------------------------------------- */

typedef struct raw {
    int32_t *of;    /* [variables of the graph] */
    uint8_t *least; /* [n] */
    sl_expr *all;
} raw;

/* The highest derivatives that initial equations hold. */
static sl_status find_least(sl_start_system *s, raw *w) {
    const sl_initial_def *def = s->def;
    sl_expr_list leaves = {0};
    sl_status status = def->n_initial > 0 ? sl_expr_leaves(def->g, def->n_initial, def->initial, &leaves) : SL_OK;
    for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
        bool is_variable = sl_expr_op(def->g, leaves.at[k]) == SL_OP_VARIABLE;
        int32_t j = is_variable ? w->of[sl_expr_symbol(def->g, leaves.at[k])] : -1;
        int32_t order = sl_expr_order(def->g, leaves.at[k]);
        if (j >= 0 && order > w->least[j]) {
            w->least[j] = (uint8_t)order;
        }
    }
    sl_expr_list_fini(def->g, &leaves);
    return status;
}

static const char *name_equation(const void *user, int32_t equation) {
    const sl_initial_def *def = user;
    return def->name(def->user, SL_INITIAL_EQUATION, equation);
}

static sl_status expand(sl_start_system *s, const double *x) {
    const sl_initial_def *def = s->def;
    raw w = {0};
    size_t n_graph = (size_t)sl_exprs_n_variable(def->g);
    int32_t *rows = sl_arena_alloc(&s->arena, (size_t)def->n_equation * sizeof *rows);
    sl_status status = rows ? sl_equation_set_init(&s->set, s->ctx, def->g, def->n_equation, def->equations,
                                                   name_equation, def, s->diags)
                            : SL_ERR_MEMORY;
    for (int32_t i = 0; i < def->n_equation && status == SL_OK; i++) {
        rows[i] = i;
    }
    status = status == SL_OK ? sl_equations_create(&s->set, sl_exprs_walk(def->g), def->n_equation, rows, 0, NULL,
                                                   def->p, NULL, &s->equations)
                             : status;
    if (status != SL_OK) {
        return status;
    }
    const sl_dae_system *system = sl_equations_system(s->equations);
    sl_dae_structure found;
    status = sl_dae_analyse(s->ctx, &system->pattern, system, s->diags, &found); /* says what is wrong */
    if (status != SL_OK) {
        return status;
    }
    s->n = system->pattern.n_variable;
    s->variables = sl_equations_variables(s->equations);
    w.of = sl_arena_alloc(&s->arena, (n_graph + 1) * sizeof *w.of);
    w.least = sl_arena_alloc(&s->arena, (size_t)s->n + 1);
    if (!w.of || !w.least) {
        return SL_ERR_MEMORY;
    }
    memset(w.of, -1, n_graph * sizeof *w.of);
    for (int32_t j = 0; j < s->n; j++) {
        w.of[s->variables[j]] = j;
    }
    status = find_least(s, &w);
    return status == SL_OK ? sl_reduction_expand(&(sl_reduction_def){.g = def->g,
                                                                     .walk = sl_exprs_walk(def->g),
                                                                     .n = s->n,
                                                                     .rows = def->equations,
                                                                     .variables = s->variables,
                                                                     .of = w.of,
                                                                     .raw = system,
                                                                     .factors = sl_equations_factors(s->equations),
                                                                     .n_root = def->n_initial,
                                                                     .roots = def->initial,
                                                                     .p = def->p,
                                                                     .x = x},
                                                 w.least, &s->r)
                           : status;
}

/* Rows of equations and initial equations with their derivatives by nodes. */
static sl_status make_rows(sl_start_system *s) {
    sl_reduction *r = s->r;
    s->n_node = r->n_node;
    s->n_equation = r->n_row;
    s->n_row = r->n_row + s->def->n_initial;
    s->rows = sl_arena_alloc(&s->arena, (size_t)s->n_row * sizeof *s->rows);
    int32_t *columns = sl_arena_alloc(&s->arena, (size_t)s->n_node * sizeof *columns);
    if (!s->rows || !columns) {
        return SL_ERR_MEMORY;
    }
    memcpy(s->rows, r->rows, (size_t)s->n_equation * sizeof *s->rows);
    for (int32_t k = 0; k < s->def->n_initial; k++) {
        s->rows[s->n_equation + k] = r->roots[k];
    }
    for (int32_t k = 0; k < s->n_node; k++) {
        columns[k] = k;
    }
    sl_reduction_gather(r);
    sl_jacobian_def def = {.column = {columns}, .factor = {SL_EXPR_NONE, SL_EXPR_NONE, SL_EXPR_NONE, SL_EXPR_NONE}};
    return sl_jacobian_create(r->m, s->n_row, s->rows, &def, &s->by);
}

/* Values of variables as conditions, and where the search begins. */
static sl_status list_values(sl_start_system *s) {
    const sl_reduction *r = s->r;
    size_t n = (size_t)s->n_node + 1;
    s->value_of = sl_arena_alloc(&s->arena, n * sizeof *s->value_of);
    s->z = sl_arena_alloc(&s->arena, n * sizeof(double));
    s->nominal = sl_arena_alloc(&s->arena, n * sizeof(double));
    s->low = sl_arena_alloc(&s->arena, n * sizeof(double));
    s->high = sl_arena_alloc(&s->arena, n * sizeof(double));
    s->is_open = sl_arena_alloc(&s->arena, n);
    s->is_in = sl_arena_alloc(&s->arena, (size_t)s->n_row + n);
    if (!s->value_of || !s->z || !s->nominal || !s->low || !s->high || !s->is_open || !s->is_in) {
        return SL_ERR_MEMORY;
    }
    for (int pass = 0; pass < 3; pass++) {
        for (int32_t j = 0; j < s->n; j++) {
            sl_initial_kind kind = s->def->values[s->variables[j]].kind;
            bool moves = r->offsets.d[j] > 0;
            bool fits = pass == 0 ? kind == SL_INITIAL_FIXED : kind == SL_INITIAL_START && moves == (pass == 1);
            if (fits) {
                s->value_of[s->n_value++] = j;
            }
        }
        s->n_fixed = pass == 0 ? s->n_value : s->n_fixed;
    }
    for (int32_t k = 0; k < s->n_node; k++) {
        const sl_initial_value *v = &s->def->values[s->variables[r->variable_of[k]]];
        bool own = r->order_of[k] == 0;
        s->nominal[k] = v->nominal > 0.0 ? v->nominal : 1.0;
        s->low[k] = own ? v->low : -(double)INFINITY;
        s->high[k] = own ? v->high : (double)INFINITY;
        s->z[k] = own ? fmin(fmax(v->start, s->low[k]), s->high[k]) : 0.0;
    }
    return SL_OK;
}

/* ---- Conditions --------------------------------------------------------------------------------- */

sl_status sl_start_list_conditions(sl_start_system *s, const uint8_t *is_in, sl_incidence *a, int32_t **col_condition) {
    int32_t n = 0, at = 0, n_all = sl_start_n_condition(s);
    int64_t most = s->by.nnz + s->n_value;
    int32_t *start = sl_arena_alloc(&s->arena, ((size_t)n_all + 1) * sizeof *start);
    int32_t *row = sl_arena_alloc(&s->arena, ((size_t)most + 1) * sizeof *row);
    *col_condition = sl_arena_alloc(&s->arena, ((size_t)n_all + 1) * sizeof **col_condition);
    if (!start || !row || !*col_condition) {
        return SL_ERR_MEMORY;
    }
    for (int32_t c = 0; c < n_all; c++) {
        if (!is_in[c]) {
            continue;
        }
        (*col_condition)[n] = c;
        if (c >= s->n_row) {
            row[at++] = s->r->base[s->value_of[c - s->n_row]];
        }
        for (int64_t k = c < s->n_row ? s->by.start[c] : 0; c < s->n_row && k < s->by.start[c + 1]; k++) {
            row[at++] = s->by.column[k];
        }
        start[++n] = at;
    }
    *a = (sl_incidence){s->n_node, n, start, row};
    return SL_OK;
}

/* Matches the conditions flagged, in their order; flags stay with those that find a node. n_open: nodes without one. */
static sl_status match(sl_start_system *s, uint8_t *flags, sl_incidence *a, int32_t **condition_of, int32_t **col_of,
                       int32_t **row_of, int32_t *n_open) {
    int32_t *columns, n_pair = 0;
    sl_status status = sl_start_list_conditions(s, flags, a, &columns);
    *col_of = sl_arena_alloc(&s->arena, ((size_t)s->n_node + 1) * sizeof **col_of);
    *row_of = sl_arena_alloc(&s->arena, ((size_t)a->n_col + 1) * sizeof **row_of);
    status = status == SL_OK && (!*col_of || !*row_of) ? SL_ERR_MEMORY : status;
    status = status == SL_OK ? sl_match(s->ctx, a, *col_of, *row_of, &n_pair) : status;
    for (int32_t c = 0; c < a->n_col && status == SL_OK; c++) {
        flags[columns[c]] = (*row_of)[c] >= 0;
    }
    *condition_of = columns;
    *n_open = s->n_node - n_pair;
    return status;
}

/* Nodes that alternating paths lead to from nodes without a condition. */
static sl_status mark_open(sl_start_system *s, const sl_incidence *a, const int32_t *col_of, const int32_t *row_of) {
    int32_t *start = sl_arena_alloc(&s->arena, ((size_t)s->n_node + 1) * sizeof *start);
    int32_t *col = sl_arena_alloc(&s->arena, ((size_t)a->start[a->n_col] + 1) * sizeof *col);
    int32_t *queue = sl_arena_alloc(&s->arena, ((size_t)s->n_node + 1) * sizeof *queue), head = 0, tail = 0;
    if (!start || !col || !queue) {
        return SL_ERR_MEMORY;
    }
    sl_incidence_transpose(a, start, col, NULL);
    for (int32_t k = 0; k < s->n_node; k++) {
        s->is_open[k] = col_of[k] < 0;
        queue[tail] = k;
        tail += s->is_open[k];
    }
    while (head < tail) {
        int32_t node = queue[head++];
        for (int32_t k = start[node]; k < start[node + 1]; k++) {
            int32_t on = row_of[col[k]];
            if (on >= 0 && !s->is_open[on]) {
                s->is_open[on] = 1;
                queue[tail++] = on;
            }
        }
    }
    return SL_OK;
}

/* ---- Too few, too many -------------------------------------------------------------------------- */

enum { MAX_NAMED = 8, NAME = 160, TEXT = MAX_NAMED * NAME };

typedef struct names {
    char text[TEXT];
    size_t len;
    int32_t n;
} names;

static void add_name(names *l, const char *name) {
    if (l->n++ < MAX_NAMED) {
        int wrote = sl_format(l->text + l->len, sizeof l->text - l->len, "%s%s", l->n > 1 ? ", " : "", name);
        l->len = wrote > 0 && (size_t)wrote < sizeof l->text - l->len ? l->len + (size_t)wrote : sizeof l->text - 1;
    }
}

static void end_names(names *l) {
    if (l->n > MAX_NAMED) {
        (void)sl_format(l->text + l->len, sizeof l->text - l->len, " and %d more", (int)(l->n - MAX_NAMED));
    }
}

/* Nodes are left that no start value settles: those of guesses could. */
static void report_open(sl_start_system *s, int32_t n_open) {
    names may = {.n = 0}, what = {.n = 0};
    char name[NAME];
    for (int32_t k = 0; k < s->n_node; k++) {
        if (!s->is_open[k]) {
            continue;
        }
        bool is_guess = s->def->values[s->variables[s->r->variable_of[k]]].kind == SL_INITIAL_GUESS;
        sl_start_name_node(s, k, name, sizeof name);
        add_name(s->r->order_of[k] == 0 && is_guess ? &may : &what, name);
    }
    end_names(&may);
    end_names(&what);
    sl_report(s->diags, SL_ERROR, SL_CODE_UNDERDETERMINED, NULL, NULL, NULL,
              may.n > 0
                  ? "fix so many of the guesses (`fixed` or `start` in place of `guess`), or add initial equations"
                  : "add initial equations",
              "the start is underdetermined: %d value%s left open; guesses: %s; what depends on them: %s", (int)n_open,
              n_open == 1 ? " is" : "s are", may.n > 0 ? may.text : "none", what.n > 0 ? what.text : "nothing");
}

/* Conditions that settle what a surplus one says: what alternating paths lead to from it. */
static sl_status list_rivals(sl_start_system *s, int32_t surplus, names *values, names *rest) {
    uint8_t *flags = sl_arena_alloc(&s->arena, (size_t)sl_start_n_condition(s) + 1);
    sl_incidence a;
    int32_t *condition_of, *col_of, *row_of, n_open, head = 0, tail = 0;
    if (!flags) {
        return SL_ERR_MEMORY;
    }
    memcpy(flags, s->is_in, (size_t)sl_start_n_condition(s));
    sl_status status = match(s, flags, &a, &condition_of, &col_of, &row_of, &n_open);
    uint8_t *seen = sl_arena_alloc(&s->arena, (size_t)s->n_node + 1);
    int32_t *queue = sl_arena_alloc(&s->arena, ((size_t)s->n_node + 2) * sizeof *queue);
    if (status != SL_OK || !seen || !queue) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    char name[NAME];
    for (int32_t c = surplus; c >= 0; c = head < tail ? queue[head++] : -1) {
        int64_t begin = c < s->n_row ? s->by.start[c] : 0, end = c < s->n_row ? s->by.start[c + 1] : 1;
        for (int64_t k = begin; k < end; k++) {
            int32_t node = c < s->n_row ? s->by.column[k] : s->r->base[s->value_of[c - s->n_row]];
            if (!seen[node] && col_of[node] >= 0) {
                seen[node] = 1;
                queue[tail++] = condition_of[col_of[node]];
            }
        }
    }
    for (int32_t k = 0; k < tail; k++) {
        sl_start_name_condition(s, queue[k], name, sizeof name);
        add_name(queue[k] >= s->n_row ? values : rest, name);
    }
    end_names(values);
    end_names(rest);
    return SL_OK;
}

double sl_start_evaluate(sl_start_system *s, sl_expr e) {
    double value = (double)NAN;
    sl_expr_point at = sl_start_point(s);
    s->lacks_memory = sl_walk_eval(sl_exprs_walk(s->r->m), s->r->m, e, &at, &value) != SL_OK || s->lacks_memory;
    return value;
}

static double off_by(sl_start_system *s, int32_t condition, double *tolerance) {
    static const double agree = 1e-6;
    if (condition >= s->n_row) {
        int32_t j = s->value_of[condition - s->n_row], node = s->r->base[j];
        double given = s->def->values[s->variables[j]].start;
        *tolerance = agree * (fabs(given) + s->nominal[node]);
        return s->z[node] - given;
    }
    double value = sl_start_evaluate(s, s->rows[condition]);
    *tolerance = 0.0;
    for (int64_t k = s->by.start[condition]; k < s->by.start[condition + 1]; k++) {
        int32_t node = s->by.column[k];
        *tolerance += agree * fabs(sl_start_evaluate(s, s->by.entry[k])) * (fabs(s->z[node]) + s->nominal[node]);
    }
    return value;
}

/* Surplus conditions hold too, or contradict the others. */
static sl_status check_surplus(sl_start_system *s) {
    sl_status status = SL_OK;
    char name[NAME];
    for (int32_t c = s->n_equation; c < s->n_row + s->n_fixed && status != SL_ERR_MEMORY; c++) {
        double tolerance = 0.0, off = s->is_in[c] ? 0.0 : off_by(s, c, &tolerance);
        s->out->n_surplus += !s->is_in[c];
        if (s->is_in[c] || fabs(off) <= tolerance) {
            continue;
        }
        names values = {.n = 0}, rest = {.n = 0};
        status = list_rivals(s, c, &values, &rest);
        sl_start_name_condition(s, c, name, sizeof name);
        sl_report(s->diags, SL_ERROR, SL_CODE_OVERDETERMINED, location_of(s, c), NULL, NULL,
                  c < s->n_row   ? "take it away, or take `fixed` from one of these values"
                  : values.n > 0 ? "write `start` or `guess` in place of `fixed` for one of these variables"
                                 : "write `start` or `guess` in place of `fixed`: the equations determine it",
                  "the start is overdetermined: the %s is off by %.3g; what holds instead: %s%s%s", name, off,
                  values.text, values.n > 0 && rest.n > 0 ? ", " : "", rest.text);
        status = status == SL_OK ? SL_ERR_INPUT : status;
    }
    return status;
}

static sl_status check_bounds(sl_start_system *s) {
    static const double near = 1e-9;
    sl_status status = SL_OK;
    char name[NAME];
    for (int32_t k = 0; k < s->n_node; k++) {
        double slack = near * (fabs(s->z[k]) + s->nominal[k]);
        if (s->z[k] < s->low[k] - slack || s->z[k] > s->high[k] + slack) {
            sl_start_name_node(s, k, name, sizeof name);
            sl_report(
                s->diags, SL_ERROR, SL_CODE_INCONSISTENT, NULL, NULL, NULL, "give other start values, or other bounds",
                "at the start '%s' is %.9g, outside its bounds %.9g to %.9g", name, s->z[k], s->low[k], s->high[k]);
            status = SL_ERR_INPUT;
        }
    }
    return status;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* Which conditions are in. */
static sl_status select(sl_start_system *s) {
    sl_incidence a;
    int32_t *condition_of, *col_of, *row_of, n_open, n_all = sl_start_n_condition(s);
    memset(s->is_in, 1, (size_t)(s->n_row + s->n_fixed));
    sl_status status = match(s, s->is_in, &a, &condition_of, &col_of, &row_of, &n_open);
    status = status == SL_OK && n_open > 0 ? mark_open(s, &a, col_of, row_of) : status;
    if (status != SL_OK || n_open == 0) {
        return status;
    }
    for (int32_t c = s->n_row + s->n_fixed; c < n_all; c++) {
        s->is_in[c] = s->is_open[s->r->base[s->value_of[c - s->n_row]]];
    }
    status = match(s, s->is_in, &a, &condition_of, &col_of, &row_of, &n_open);
    if (status == SL_OK && n_open > 0) {
        status = mark_open(s, &a, col_of, row_of);
        report_open(s, n_open);
        return status == SL_OK ? SL_ERR_INPUT : status;
    }
    return status;
}

static void give(sl_start_system *s, double *x, double *dx, uint8_t *held) {
    const sl_reduction *r = s->r;
    for (int32_t j = 0; j < s->n; j++) {
        x[s->variables[j]] = s->z[r->base[j]];
        if (dx) {
            dx[s->variables[j]] = r->offsets.d[j] > 0 ? s->z[r->base[j] + 1] : (double)NAN;
        }
        held[s->variables[j]] = 0;
    }
    for (int32_t k = 0; k < s->n_value; k++) {
        bool is_held = s->is_in[s->n_row + k] || k < s->n_fixed;
        held[s->variables[s->value_of[k]]] = is_held;
        s->out->n_held += is_held && k >= s->n_fixed;
    }
    s->out->n_fixed = s->n_fixed;
    s->out->n_equation = s->n_equation;
    s->out->n_initial = s->def->n_initial;
    s->out->n_unknown = s->n_node;
}

static sl_status solve(sl_start_system *s, const double *x) {
    sl_status status = expand(s, x);
    status = status == SL_OK ? make_rows(s) : status;
    status = status == SL_OK ? list_values(s) : status;
    status = status == SL_OK ? select(s) : status;
    status = status == SL_OK ? sl_start_solve_blocks(s, false) : status;
    status = status == SL_OK ? sl_start_choose(s) : status;
    status = s->lacks_memory ? SL_ERR_MEMORY : status;
    status = status == SL_OK ? sl_start_solve_blocks(s, true) : status;
    status = status == SL_OK ? check_surplus(s) : status;
    status = status == SL_OK ? check_bounds(s) : status;
    return s->lacks_memory ? SL_ERR_MEMORY : status;
}

sl_status sl_initial_solve(sl_context *ctx, const sl_initial_def *def, double *x, double *dx, uint8_t *held,
                           sl_initial *out, sl_diags *diags) {
    sl_start_system s = {.ctx = ctx, .def = def, .out = out, .diags = diags};
    int32_t n_graph = sl_exprs_n_variable(def->g);
    *out = (sl_initial){.size = sizeof *out};
    for (int32_t j = 0; j < n_graph; j++) {
        x[j] = def->values[j].start;
        held[j] = 1;
        if (dx) {
            dx[j] = (double)NAN;
        }
    }
    sl_arena_init(&s.arena, ctx);
    sl_status status = def->n_equation > 0 || def->n_initial > 0 ? solve(&s, x) : SL_OK;
    if (status == SL_OK && s.r) {
        give(&s, x, dx, held);
    }
    sl_jacobian_fini(&s.by);
    sl_reduction_destroy(s.r);
    sl_equations_destroy(s.equations);
    if (s.set.g) {
        sl_equation_set_fini(&s.set);
    }
    sl_arena_fini(&s.arena);
    return status;
}
