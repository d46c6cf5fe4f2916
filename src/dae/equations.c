/* SPDX-License-Identifier: MIT */
/* equations.c: see equations.h.
 *
 * The Jacobian is two tapes, dF/dx and dF/dx', whose outputs are added into the pattern with the factors asked for; each
 * entry of a tape knows its place there.
 */
#include "dae/equations_impl.h"

#include "base/out.h"
#include "base/report.h"

#include <string.h>

/* ---- The set ------------------------------------------------------------------------------------ */

static sl_status check_orders(sl_equation_set *s, sl_exprs *g, sl_diags *diags) {
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(g, s->n, s->equations, &leaves);
    for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
        sl_op op = sl_expr_op(s->g, leaves.at[k]);
        if ((op == SL_OP_VARIABLE || op == SL_OP_ELEMENT) && sl_expr_order(s->g, leaves.at[k]) > 1) {
            sl_str name = sl_exprs_variable_name(s->g, sl_expr_symbol(s->g, leaves.at[k]));
            sl_report(diags, SL_ERROR, SL_CODE_HIGH_INDEX, NULL, NULL, NULL, "add a variable for its first derivative",
                      "equations hold a second derivative of '%.*s'", (int)name.len, name.ptr);
            status = SL_ERR_INPUT;
        }
    }
    sl_expr_list_fini(s->g, &leaves);
    return status;
}

sl_status sl_equation_set_init(sl_equation_set *s, sl_context *ctx, sl_exprs *g, int32_t n, const sl_expr *equations,
                               const char *(*symbol)(const void *user, int32_t equation), const void *user,
                               sl_diags *diags) {
    *s = (sl_equation_set){.g = g, .n = n, .equations = equations, .symbol = symbol, .user = user, .ctx = ctx};
    size_t bytes = ((size_t)sl_exprs_n_variable(g) + 1) * sizeof(int32_t);
    int32_t *columns = sl_alloc(ctx, bytes);
    sl_status status = columns ? check_orders(s, g, diags) : SL_ERR_MEMORY;
    for (int32_t j = 0; columns && j < sl_exprs_n_variable(g); j++) {
        columns[j] = j;
    }
    sl_jacobian_def def = {.factor = {SL_EXPR_NONE, SL_EXPR_NONE, SL_EXPR_NONE, SL_EXPR_NONE}};
    sl_jacobian_def by_x = def, by_dx = def;
    by_x.column[0] = columns;
    by_dx.column[1] = columns;
    status = status == SL_OK ? sl_jacobian_create(g, n, equations, &by_x, &s->by_x) : status;
    status = status == SL_OK ? sl_jacobian_create(g, n, equations, &by_dx, &s->by_dx) : status;
    sl_free(ctx, columns, columns ? bytes : 0);
    if (status != SL_OK) {
        sl_equation_set_fini(s);
    }
    return status;
}

void sl_equation_set_fini(sl_equation_set *s) {
    sl_jacobian_fini(&s->by_x);
    sl_jacobian_fini(&s->by_dx);
    *s = (sl_equation_set){0};
}

/* ---- What systems share ------------------------------------------------------------------------- */

sl_status sl_equation_space_create(sl_context *ctx, const sl_exprs *g, sl_equation_space **out) {
    sl_equation_space *s = *out = sl_alloc(ctx, sizeof *s);
    if (!s) {
        return SL_ERR_MEMORY;
    }
    *s = (sl_equation_space){.ctx = ctx, .n_graph = sl_exprs_n_variable(g)};
    size_t n = (size_t)s->n_graph + 1;
    s->x[0] = sl_alloc(ctx, 2 * n * sizeof(double));
    s->of = sl_alloc(ctx, n * sizeof *s->of);
    s->is_fixed = sl_alloc(ctx, n);
    if (!s->x[0] || !s->of || !s->is_fixed) {
        return SL_ERR_MEMORY;
    }
    s->x[1] = s->x[0] + n;
    memset(s->of, -1, n * sizeof *s->of);
    return SL_OK;
}

void sl_equation_space_destroy(sl_equation_space *s) {
    if (s) {
        size_t n = (size_t)s->n_graph + 1;
        sl_free(s->ctx, s->x[0], s->x[0] ? 2 * n * sizeof(double) : 0);
        sl_free(s->ctx, s->of, s->of ? n * sizeof *s->of : 0);
        sl_free(s->ctx, s->is_fixed, s->is_fixed ? n : 0);
        sl_free(s->ctx, s->work, s->n_work);
        sl_free(s->ctx, s, sizeof *s);
    }
}

void sl_equation_space_hold(sl_equation_space *s, int32_t variable, double value) {
    s->x[0][variable] = value;
    s->x[1][variable] = 0.0;
}

void sl_equation_space_fix(sl_equation_space *s, int32_t variable, bool is_fixed) {
    s->is_fixed[variable] = is_fixed;
}

static void *work_of(const sl_equations *e) {
    return e->space ? e->space->work : e->work;
}

/* Work for tapes of this size; what was there is nothing. */
static bool take_work(sl_equations *e, size_t n) {
    sl_equation_space *s = e->space;
    if (!s) {
        e->work = sl_arena_alloc(&e->arena, n);
        return e->work != NULL;
    }
    if (n > s->n_work) {
        sl_free(s->ctx, s->work, s->n_work);
        s->work = sl_alloc(s->ctx, n);
        s->n_work = s->work ? n : 0;
    }
    return s->work != NULL;
}

/* ---- What the integrator calls ------------------------------------------------------------------ */

static sl_expr_point point(sl_equations *e, double t, const double *x, const double *dx) {
    for (int32_t k = 0; k < e->n_col; k++) {
        e->x[0][e->variables[k]] = x[k];
        e->x[1][e->variables[k]] = dx[k];
    }
    return (sl_expr_point){.t = t, .x = {e->x[0], e->x[1]}, .p = e->p};
}

static int residual(void *user, double t, const double *x, const double *dx, double *r) {
    sl_equations *e = user;
    sl_expr_point at = point(e, t, x, dx);
    sl_tape_eval(e->residual, &at, work_of(e), r);
    return 0;
}

static void add_half(sl_equations *e, sl_equation_half *h, const sl_expr_point *at, double factor, double *values) {
    if (factor == 0.0 || h->n == 0) {
        return;
    }
    if (h->tape) {
        sl_tape_eval(h->tape, at, work_of(e), h->out);
    }
    for (int32_t k = 0; k < h->n; k++) {
        if (h->place[k] >= 0) { /* what stands still has none */
            values[h->place[k]] += factor * h->out[k];
        }
    }
}

static int jacobian(void *user, double t, const double *x, const double *dx, double a, double b, double *values) {
    sl_equations *e = user;
    sl_expr_point at = point(e, t, x, dx);
    memset(values, 0, (size_t)e->start[e->n_col] * sizeof *values);
    add_half(e, &e->by_x, &at, a, values);
    add_half(e, &e->by_dx, &at, b, values);
    return 0;
}

static int find_roots(void *user, double t, const double *x, const double *dx, double *g) {
    sl_equations *e = user;
    sl_expr_point at = point(e, t, x, dx);
    sl_tape_eval(e->roots, &at, work_of(e), g);
    return 0;
}

/* Text into a name that may be too short for it. */
typedef struct short_text {
    char *at;
    size_t room;
} short_text;

static sl_status put(void *user, const void *bytes, size_t n) {
    short_text *s = user;
    size_t take = n < s->room ? n : s->room;
    memcpy(s->at, bytes, take);
    s->at += take;
    s->room -= take;
    *s->at = '\0';
    return SL_OK;
}

/* The part that an equation belongs to. */
static int32_t part_of(const sl_equations *e, int32_t row) {
    int32_t low = 0, high = e->n_part;
    while (low + 1 < high) {
        int32_t middle = low + (high - low) / 2;
        *(e->first_row[middle] <= row ? &low : &high) = middle;
    }
    return low;
}

/* By what it is called, and the number of the cell: from 1. */
static void name_cell(const sl_equations *e, int32_t part, int32_t cell, char text[SL_DAE_NAME]) {
    const sl_equation_set *s = e->set;
    (void)sl_format(text, SL_DAE_NAME, "%s, cell %d", s->symbol ? s->symbol(s->user, e->rows[part]) : "loop",
                    (int)cell + 1);
}

static void name(void *user, bool equation, int32_t i, char text[SL_DAE_NAME]) {
    const sl_equations *e = user;
    const sl_equation_set *s = e->set;
    int32_t part = equation ? part_of(e, i) : 0, cell = equation ? i - e->first_row[part] : 0;
    if (equation && e->n_cell[part] > 1) {
        name_cell(e, part, cell, text);
    } else if (!equation) {
        sl_str v = sl_exprs_variable_name(s->g, e->variables[i]);
        (void)sl_format(text, SL_DAE_NAME, "%.*s", (int)v.len, v.ptr);
    } else if (s->symbol) {
        (void)sl_format(text, SL_DAE_NAME, "%s", s->symbol(s->user, e->rows[part]));
    } else {
        short_text t = {text, SL_DAE_NAME - 5};
        (void)sl_expr_render(s->g, s->equations[e->rows[part]], SL_EXPR_TEXT, &(sl_sink){&t, put});
        (void)put(&t, " = 0", t.room >= 4 ? 4 : 0);
    }
}

/* ---- Creation ----------------------------------------------------------------------------------- */

/* The numbers of a half, or the tape that makes them. */
static sl_status make_half(sl_equations *e, sl_walk *walk, sl_equation_half *h) {
    const sl_exprs *g = e->set->g;
    bool numbers = true;
    h->out = sl_arena_alloc(&e->arena, (size_t)h->n * sizeof(double));
    for (int32_t k = 0; k < h->n_entry && h->out && numbers; k++) {
        numbers = sl_expr_op(g, h->entry[k]) == SL_OP_CONST;
        for (int32_t c = 0; numbers && c < h->n_cell[k]; c++) {
            h->out[h->first[k] + c] = sl_expr_value(g, h->entry[k]);
        }
    }
    return !h->out   ? SL_ERR_MEMORY
           : numbers ? SL_OK
                     : sl_tape_create_loops(g, walk, h->n_entry, h->entry, h->n_cell, &h->tape);
}

/* Values of variables by the graph's numbers. */
static sl_status take_values(sl_equations *e) {
    if (e->space) {
        e->x[0] = e->space->x[0];
        e->x[1] = e->space->x[1];
        return SL_OK;
    }
    e->x[0] = sl_arena_alloc(&e->arena, ((size_t)e->n_graph + 1) * sizeof(double));
    e->x[1] = sl_arena_alloc(&e->arena, ((size_t)e->n_graph + 1) * sizeof(double));
    return e->x[0] && e->x[1] ? SL_OK : SL_ERR_MEMORY;
}

static sl_status make_tapes(sl_equations *e, sl_walk *walk, int32_t n_root, const sl_expr *roots) {
    sl_status status = sl_tape_create_loops(e->set->g, walk, e->n_part, e->residuals, e->n_cell, &e->residual);
    sl_equation_half *halves[2] = {&e->by_x, &e->by_dx};
    for (int w = 0; w < 2 && status == SL_OK; w++) {
        status = make_half(e, walk, halves[w]);
    }
    if (status == SL_OK && n_root > 0) {
        status = sl_tape_create(e->set->g, walk, n_root, roots, &e->roots);
    }
    const sl_tape *all[4] = {e->residual, e->roots, e->by_x.tape, e->by_dx.tape};
    size_t most = 0;
    for (int k = 0; k < 4 && status == SL_OK; k++) {
        size_t size = all[k] ? sl_tape_work_size(all[k]) : 0;
        most = size > most ? size : most;
    }
    return status == SL_OK && !take_work(e, most + 64) ? SL_ERR_MEMORY : status;
}

/* A system of fewer unknowns, or of a lower index, where there is one. */
static sl_status reduce(sl_equations *e, sl_walk *walk, const int32_t *of, int32_t n_root, const sl_expr *roots) {
    e->raw = (sl_dae_system){.pattern = {e->n_row, e->n_col, e->start, e->row, e->kind}, .user = e, .name = name};
    if (!e->set->reduces || e->n_row != e->n_col) {
        return SL_OK;
    }
    const sl_reduction_def def = {.g = e->set->g,
                                  .walk = walk,
                                  .n = e->n_row,
                                  .rows = e->residuals,
                                  .n_part = e->n_part,
                                  .n_cell = e->n_cell,
                                  .variables = e->variables,
                                  .of = of,
                                  .raw = &e->raw,
                                  .factors = e->factors,
                                  .n_root = n_root,
                                  .roots = roots,
                                  .p = e->p,
                                  .x = e->x[0],
                                  .of_parameter = e->set->of_parameter,
                                  .hints = e->set->hints};
    bool needed = true; /* loops are taken apart only where they must be differentiated */
    sl_status status = e->has_loops ? sl_reduction_is_needed(&def, &needed) : SL_OK;
    return status == SL_OK && needed ? sl_reduction_create(&def, &e->reduction) : status;
}

static sl_status list_rows(sl_equations *e) {
    size_t n = (size_t)e->n_part;
    e->first_row = sl_arena_alloc(&e->arena, (n + 1) * sizeof *e->first_row);
    e->n_cell = sl_arena_alloc(&e->arena, n * sizeof *e->n_cell);
    e->residuals = sl_arena_alloc(&e->arena, n * sizeof *e->residuals);
    if (!e->first_row || !e->n_cell || !e->residuals) {
        return SL_ERR_MEMORY;
    }
    int64_t rows = 0;
    for (int32_t i = 0; i < e->n_part; i++) {
        e->residuals[i] = e->set->equations[e->rows[i]];
        e->n_cell[i] = e->set->n_cell ? e->set->n_cell[e->rows[i]] : 1;
        e->has_loops = e->has_loops || e->n_cell[i] > 1;
        rows += e->n_cell[i];
        e->first_row[i + 1] = (int32_t)(rows <= INT32_MAX ? rows : INT32_MAX);
    }
    e->n_row = e->first_row[e->n_part];
    return rows <= INT32_MAX ? SL_OK : SL_ERR_MEMORY;
}

static sl_status create(sl_equation_space *space, const sl_equation_set *set, sl_walk *walk, int32_t n_row,
                        const int32_t *rows, int32_t n_root, const sl_expr *roots, const double *p, const uint8_t *held,
                        sl_equations **out) {
    *out = NULL;
    sl_equations *e = sl_alloc(walk->ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    *e = (sl_equations){.set = set, .space = space, .ctx = walk->ctx, .n_part = n_row, .p = p};
    e->n_graph = sl_exprs_n_variable(set->g);
    sl_arena_init_small(&e->arena, walk->ctx);
    e->rows = sl_arena_keep(&e->arena, rows, (size_t)n_row * sizeof *rows);
    int32_t *of = space ? space->of : sl_arena_alloc(&e->arena, ((size_t)e->n_graph + 1) * sizeof *of);
    sl_status status = e->rows && of ? list_rows(e) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        status =
            space ? sl_equations_find_few_unknowns(e, space->is_fixed, of) : sl_equations_find_unknowns(e, held, of);
    }
    status = status == SL_OK ? sl_equations_make_pattern(e, walk, of) : status;
    status = status == SL_OK ? take_values(e) : status;
    status = status == SL_OK ? reduce(e, walk, of, n_root, roots) : status;
    status = status == SL_OK && !e->reduction ? make_tapes(e, walk, n_root, roots) : status;
    for (int32_t c = 0; space && e->variables && c < e->n_col; c++) {
        of[e->variables[c]] = -1;
    }
    if (status != SL_OK) {
        sl_equations_destroy(e);
        return status;
    }
    if (e->reduction) {
        e->system = *sl_reduction_system(e->reduction);
        *out = e;
        return SL_OK;
    }
    e->system = (sl_dae_system){.pattern = {e->n_row, e->n_col, e->start, e->row, e->kind},
                                .n_root = n_root,
                                .user = e,
                                .residual = residual,
                                .jacobian = jacobian,
                                .roots = n_root > 0 ? find_roots : NULL,
                                .name = name};
    *out = e;
    return SL_OK;
}

sl_status sl_equations_create(const sl_equation_set *set, sl_walk *walk, int32_t n_row, const int32_t *rows,
                              int32_t n_root, const sl_expr *roots, const double *p, const uint8_t *held,
                              sl_equations **out) {
    return create(NULL, set, walk, n_row, rows, n_root, roots, p, held, out);
}

sl_status sl_equations_create_in(sl_equation_space *space, const sl_equation_set *set, sl_walk *walk, int32_t n_row,
                                 const int32_t *rows, int32_t n_root, const sl_expr *roots, const double *p,
                                 sl_equations **out) {
    return create(space, set, walk, n_row, rows, n_root, roots, p, NULL, out);
}

size_t sl_equations_size(const sl_equations *e) {
    enum { FIXED = 600, PER_ENTRY = 40, PER_ROW = 16 }; /* of the arena */
    const sl_tape *tapes[4] = {e->residual, e->roots, e->by_x.tape, e->by_dx.tape};
    size_t n = sizeof *e + FIXED + (size_t)e->start[e->n_col] * PER_ENTRY + (size_t)e->n_row * PER_ROW;
    for (int k = 0; k < 4; k++) {
        n += tapes[k] ? sl_tape_size(tapes[k]) : 0;
    }
    return n + (e->space ? 0 : 2 * (size_t)e->n_graph * sizeof(double)) +
           (e->reduction ? sl_reduction_size(e->reduction) : 0);
}

void sl_equations_destroy(sl_equations *e) {
    if (e) {
        sl_reduction_destroy(e->reduction);
        sl_tape_destroy(e->residual);
        sl_tape_destroy(e->roots);
        sl_tape_destroy(e->by_x.tape);
        sl_tape_destroy(e->by_dx.tape);
        sl_arena_fini(&e->arena);
        sl_free(e->ctx, e, sizeof *e);
    }
}

const sl_dae_system *sl_equations_system(const sl_equations *e) {
    return &e->system;
}

const int32_t *sl_equations_variables(const sl_equations *e) {
    return e->variables;
}

const sl_expr *sl_equations_factors(const sl_equations *e) {
    return e->factors;
}

void sl_equations_hold(sl_equations *e, int32_t variable, double value) {
    e->x[0][variable] = value;
    e->x[1][variable] = 0.0;
}
