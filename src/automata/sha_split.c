/* SPDX-License-Identifier: MIT */
/* sha_split.c: the equations of a hybrid automaton cut where they jump or have a kink (expr/cuts.h), once, when it is finished.
 *
 * Activities are cut everywhere, root functions where time alone decides: a root function may jump and bend, for its sign is all
 * that matters, but what is over within a step would not be seen. A cut whose roots are a + b t by their form changes at the time
 * -a/b; motion ends there exactly, and no root is needed.
 */
#include "automata/sha_impl.h"

#include "base/out.h"

#include <math.h>
#include <string.h>

static sl_status split_all(sl_sha *a) {
    sl_status status = SL_OK;
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTIVITY].n && status == SL_OK; i++) {
        status = sl_cuts_split(&a->cuts, a->equations[0][i], &a->equations[0][i]);
    }
    sl_cuts_set_only_time(&a->cuts, true);
    for (int32_t i = 0; i < a->parts[SL_SHA_ROOT].n && status == SL_OK; i++) {
        status = sl_cuts_split(&a->cuts, a->roots[i], &a->roots[i]);
    }
    return status;
}

/* ---- Kinks that are none -------------------------------------------------------------------------- */

/* A choice like max(0, x)^2 has the same value and slope on both sides: no event is needed, the integrator takes it as it is. By
 * its form: the difference of both sides grows with the square of the distance from the cut, at random points. */

typedef struct trial {
    sl_sha *a;
    double *x[2], *p;
    uint64_t seed;
} trial;

static double draw(trial *r) {
    r->seed = r->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(r->seed >> 11) * 0x1p-53;
}

static double value_at(trial *r, sl_expr e, sl_status *status) {
    double v = (double)NAN;
    sl_expr_point at = {.t = 0.7, .x = {r->x[0], r->x[1]}, .p = r->p};
    *status = *status == SL_OK ? sl_expr_eval(r->a->g, e, &at, &v) : *status;
    return v;
}

/* Both sides of a row, their difference. */
static double step_at(trial *r, const sl_cut *cut, sl_expr row, sl_status *status) {
    r->p[cut->parameter] = 1.0;
    double high = value_at(r, row, status);
    r->p[cut->parameter] = 0.0;
    return high - value_at(r, row, status);
}

/* Moves one variable of the argument to where that is zero, by secants. NULL: not found. */
static double *find_zero(trial *r, const sl_cut *cut, const sl_expr_list *leaves, sl_status *status) {
    const sl_exprs *g = r->a->g;
    for (int64_t k = 0; k < leaves->n; k++) {
        if (sl_expr_op(g, leaves->at[k]) != SL_OP_VARIABLE || sl_expr_order(g, leaves->at[k]) > 1) {
            continue;
        }
        double *x = &r->x[sl_expr_order(g, leaves->at[k])][sl_expr_symbol(g, leaves->at[k])];
        double start = *x, a = start, fa = value_at(r, cut->argument, status), b = start + 0.1;
        for (int i = 0; i < 30 && fa != 0.0; i++) {
            *x = b;
            double fb = value_at(r, cut->argument, status), slope = (fb - fa) / (b - a);
            if (!isfinite(slope) || slope == 0.0) {
                break;
            }
            a = b;
            fa = fb;
            b -= fb / slope;
            *x = a;
        }
        if (fabs(fa) < 1e-12) {
            return x;
        }
        *x = start;
    }
    return NULL;
}

/* Random values for variables and cuts; parameters of the model have theirs. */
static void draw_values(trial *r, const sl_expr_list *leaves) {
    const sl_sha *a = r->a;
    for (int64_t k = 0; k < leaves->n; k++) {
        sl_expr leaf = leaves->at[k];
        int32_t i = sl_expr_symbol(a->g, leaf);
        if (sl_expr_op(a->g, leaf) == SL_OP_VARIABLE && sl_expr_order(a->g, leaf) <= 1) {
            r->x[sl_expr_order(a->g, leaf)][i] = 2.0 * draw(r) - 0.5;
        } else if (sl_expr_op(a->g, leaf) == SL_OP_PARAMETER) {
            r->p[i] = sl_cuts_of_leaf(&a->cuts, leaf) >= 0 ? (double)(draw(r) > 0.5) : a->parameters.at[i];
        }
    }
}

static bool is_smooth_row(trial *r, const sl_cut *cut, const sl_expr_list *row_leaves, const sl_expr_list *leaves,
                          sl_expr row, sl_status *status) {
    enum { POINTS = 3 };
    for (int k = 0; k < POINTS && *status == SL_OK; k++) {
        draw_values(r, row_leaves);
        draw_values(r, leaves);
        double *x = find_zero(r, cut, leaves, status);
        if (!x) {
            return false;
        }
        double at = *x, far = 0.0, near = 0.0, scale = fabs(value_at(r, row, status)) + 1.0;
        for (int side = -1; side <= 1; side += 2) {
            *x = at + side * 1e-3;
            far = fmax(far, fabs(step_at(r, cut, row, status)));
            *x = at + side * 1e-4;
            near = fmax(near, fabs(step_at(r, cut, row, status)));
        }
        if (!(near <= 0.02 * far + 1e-13 * scale)) {
            return false;
        }
    }
    return *status == SL_OK;
}

static int32_t n_cut_of(const sl_sha *a, const sl_expr_list *leaves) {
    int32_t n = 0;
    for (int64_t k = 0; k < leaves->n; k++) {
        n += sl_cuts_of_leaf(&a->cuts, leaves->at[k]) >= 0;
    }
    return n;
}

/* Each cut of a row costs evaluations of the whole row: in a row of many (a long min or max) none is tried, and all are events. */
enum { MOST_TRIED = 64 };

static sl_status test_rows(trial *r, uint8_t *is_rough, uint8_t *occurs) {
    const sl_sha *a = r->a;
    sl_expr_list of_row = {0}, of_cut = {0};
    sl_status status = SL_OK;
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTIVITY].n && status == SL_OK; i++) {
        of_row.n = 0;
        status = sl_expr_leaves(a->g, 1, &a->equations[0][i], &of_row);
        bool many = n_cut_of(a, &of_row) > MOST_TRIED;
        for (int64_t l = 0; l < of_row.n && status == SL_OK; l++) {
            int32_t k = sl_cuts_of_leaf(&a->cuts, of_row.at[l]);
            const sl_cut *cut = k >= 0 ? &a->cuts.at[k] : NULL;
            if (!cut || is_rough[k] || cut->kind != SL_CUT_SIDE || cut->of_time || cut->unknown >= 0 ||
                cut->table >= 0) {
                continue;
            }
            of_cut.n = 0;
            occurs[k] = 1;
            status = many ? SL_OK : sl_expr_leaves(a->g, 1, &cut->argument, &of_cut);
            is_rough[k] =
                many || status != SL_OK || !is_smooth_row(r, cut, &of_row, &of_cut, a->equations[0][i], &status);
        }
    }
    sl_expr_list_fini(a->g, &of_row);
    sl_expr_list_fini(a->g, &of_cut);
    return status;
}

/* The comparisons themselves in the place of their parameters: newest first, for their arguments may hold older ones. */
static sl_status undo(sl_sha *a, const uint8_t *goes, sl_expr *e) {
    sl_exprs *g = a->g;
    sl_expr_list leaves = {0};
    sl_status status = SL_OK;
    for (int32_t newest = 0; newest >= 0 && status == SL_OK && *e >= 0;) {
        newest = -1;
        leaves.n = 0;
        status = sl_expr_leaves(g, 1, e, &leaves);
        for (int64_t l = 0; l < leaves.n; l++) {
            int32_t k = sl_cuts_of_leaf(&a->cuts, leaves.at[l]);
            newest = k > newest && goes[k] ? k : newest;
        }
        if (newest >= 0 && status == SL_OK) {
            const sl_cut *cut = &a->cuts.at[newest];
            sl_expr from = sl_expr_parameter(g, cut->parameter), zero = sl_expr_const(g, 0.0);
            sl_expr to = sl_expr_2(g, cut->at_zero ? SL_OP_LE : SL_OP_LT, zero, cut->argument);
            *e = sl_expr_substitute(g, *e, 1, &from, &to);
        }
    }
    sl_expr_list_fini(g, &leaves);
    return status;
}

static sl_status undo_all(sl_sha *a, const uint8_t *goes) {
    sl_status status = SL_OK;
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTIVITY].n && status == SL_OK; i++) {
        status = undo(a, goes, &a->equations[0][i]);
    }
    for (int32_t k = 0; k < a->cuts.n; k++) {
        sl_cut *cut = &a->cuts.at[k];
        sl_expr *all[] = {&cut->argument, &cut->limit, &cut->at_rest, &cut->roots[0], &cut->roots[1]};
        for (size_t i = 0; i < sizeof all / sizeof *all && status == SL_OK; i++) {
            status = undo(a, goes, all[i]);
        }
        cut->n_root = goes[k] ? 0 : cut->n_root;
    }
    return status == SL_OK ? sl_exprs_status(a->g) : status;
}

static sl_status undo_smooth(sl_sha *a) {
    size_t n = (size_t)sl_exprs_n_variable(a->g), n_p = (size_t)sl_exprs_n_parameter(a->g), n_cut = (size_t)a->cuts.n;
    size_t bytes = (2 * n + n_p + 1) * sizeof(double) + 2 * n_cut;
    double *block = sl_alloc(a->ctx, bytes);
    if (!block) {
        return SL_ERR_MEMORY;
    }
    trial r = {.a = a, .x = {block, block + n}, .p = block + 2 * n, .seed = 1};
    uint8_t *is_rough = (uint8_t *)(block + 2 * n + n_p + 1), *goes = is_rough + n_cut;
    sl_status status = test_rows(&r, is_rough, goes);
    for (size_t k = 0; k < n_cut; k++) {
        goes[k] = goes[k] && !is_rough[k];
    }
    status = status == SL_OK ? undo_all(a, goes) : status;
    sl_free(a->ctx, block, bytes);
    return status;
}

/* ---- What executions need ----------------------------------------------------------------------- */

/* Values of parameters for all that the graph has by now. */
static sl_status grow_parameters(sl_sha *a) {
    while (a->parameters.n < sl_exprs_n_parameter(a->g)) {
        const int64_t n = a->parameters.n + 1; /* both lists grow, or none */
        if (!SL_RESERVE(a->ctx, &a->parameters, n) || !SL_RESERVE(a->ctx, &a->is_inner, n) ||
            !SL_PUSH(a->ctx, &a->parameters, 0.0) || !SL_PUSH(a->ctx, &a->is_inner, 1)) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

typedef struct short_text {
    char at[SL_HYBRID_CUT_NAME];
    size_t n;
} short_text;

static sl_status put(void *user, const void *bytes, size_t n) {
    short_text *t = user;
    size_t take = n < sizeof t->at - 1 - t->n ? n : sizeof t->at - 1 - t->n;
    memcpy(t->at + t->n, bytes, take);
    t->n += take;
    t->at[t->n] = '\0';
    return SL_OK;
}

static sl_status name_cuts(sl_sha *a) {
    a->cut_names = sl_arena_alloc(&a->arena, (size_t)a->cuts.n * sizeof *a->cut_names);
    for (int64_t k = 0; k < a->cuts.n; k++) {
        short_text text = {.n = 0};
        if (k > 0 && a->cuts.at[k].of == a->cuts.at[k - 1].of) { /* those of a long min or max */
            a->cut_names[k] = a->cut_names[k - 1];
            continue;
        }
        if (!a->cut_names || sl_expr_render(a->g, a->cuts.at[k].of, SL_EXPR_TEXT, &(sl_sink){&text, put}) != SL_OK) {
            return SL_ERR_MEMORY;
        }
        a->cut_names[k] = sl_arena_copy(&a->arena, (sl_str){text.at, text.n});
        if (!a->cut_names[k]) {
            return SL_ERR_MEMORY;
        }
    }
    return a->cut_names ? SL_OK : SL_ERR_MEMORY;
}

static bool holds_time(sl_sha *a, sl_expr e, sl_status *status) {
    sl_expr_list leaves = {0};
    bool any = false;
    *status = *status == SL_OK ? sl_expr_leaves(a->g, 1, &e, &leaves) : *status;
    for (int64_t k = 0; k < leaves.n; k++) {
        any = any || sl_expr_op(a->g, leaves.at[k]) == SL_OP_TIME;
    }
    sl_expr_list_fini(a->g, &leaves);
    return any;
}

/* Those whose roots are a + b t, and a and b of each. */
static sl_status find_times(sl_sha *a) {
    sl_exprs *g = a->g;
    int32_t n = (int32_t)a->cuts.n, most = SL_CUT_ROOTS * n;
    sl_expr time = sl_expr_time(g), zero = sl_expr_const(g, 0.0);
    sl_expr *at = sl_arena_alloc(&a->arena, 2 * (size_t)most * sizeof *at), *slope = at + most;
    a->is_timed = sl_arena_alloc(&a->arena, (size_t)n);
    a->time_cut = sl_arena_alloc(&a->arena, (size_t)most * sizeof *a->time_cut);
    sl_status status = at && a->is_timed && a->time_cut ? SL_OK : SL_ERR_MEMORY;
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        const sl_cut *cut = &a->cuts.at[k];
        int32_t first = a->n_time;
        bool timed = cut->of_time && cut->n_root > 0;
        for (int32_t i = 0; i < cut->n_root && timed; i++) {
            at[a->n_time] = sl_expr_substitute(g, cut->roots[i], 1, &time, &zero);
            slope[a->n_time] = sl_expr_diff(g, cut->roots[i], time);
            a->time_cut[a->n_time++] = k;
            timed = !holds_time(a, slope[a->n_time - 1], &status);
        }
        a->is_timed[k] = timed;
        a->n_time = timed ? a->n_time : first;
    }
    if (status == SL_OK && a->n_time > 0) {
        memmove(at + a->n_time, slope, (size_t)a->n_time * sizeof *at);
        status = sl_exprs_status(g);
        status = status == SL_OK ? sl_tape_create(g, sl_exprs_walk(g), 2 * a->n_time, at, &a->time_tape) : status;
    }
    return status;
}

/* Equations whose sides change with time or state are nonlinear, however they look on one side. */
static sl_status mark_parameters(sl_sha *a) {
    int32_t n = sl_exprs_n_parameter(a->g);
    a->marks = sl_arena_alloc(&a->arena, (size_t)n);
    for (int32_t i = 0; a->marks && i < n; i++) {
        int32_t k = sl_cuts_of_leaf(&a->cuts, sl_expr_parameter(a->g, i));
        a->marks[i] = k < 0 ? 0 : a->cuts.at[k].of_time ? SL_DAE_TIME : SL_DAE_NONLINEAR;
    }
    return a->marks ? SL_OK : SL_ERR_MEMORY;
}

static sl_status make_tape(sl_sha *a) {
    sl_exprs *g = a->g;
    size_t n = (size_t)a->cuts.n;
    sl_expr *all = sl_arena_alloc(&a->arena, 3 * n * sizeof *all);
    if (!all) {
        return SL_ERR_MEMORY;
    }
    for (size_t k = 0; k < n; k++) {
        const sl_cut *cut = &a->cuts.at[k];
        all[k] = cut->argument;
        all[n + k] = cut->holds_dx ? sl_expr_const(g, 0.0) : sl_expr_diff_time(g, cut->argument);
        all[2 * n + k] = cut->unknown >= 0 ? cut->limit : sl_expr_const(g, 1.0);
    }
    sl_status status = sl_exprs_status(g);
    return status == SL_OK ? sl_tape_create(g, sl_exprs_walk(g), 3 * (int32_t)n, all, &a->cut_tape) : status;
}

sl_status sl_sha_split(sl_sha *a) {
    sl_cuts_init(&a->cuts, a->ctx, a->g);
    a->cuts.slide = a->slides;
    sl_status status = split_all(a);
    status = status == SL_OK ? grow_parameters(a) : status;
    if (status != SL_OK || a->cuts.n == 0) {
        return status;
    }
    status = undo_smooth(a);
    if (status != SL_OK) {
        return status;
    }
    int32_t n = (int32_t)a->parts[SL_SHA_ACTIVITY].n;
    sl_expr *rows = sl_arena_alloc(&a->arena, (size_t)(n + a->cuts.n) * sizeof *rows);
    if (!rows) {
        return SL_ERR_MEMORY;
    }
    if (n > 0) {
        memcpy(rows, a->equations[0], (size_t)n * sizeof *rows);
    }
    for (int64_t k = 0; k < a->cuts.n; k++) { /* where nothing can rest, what holds nothing */
        rows[n + k] = a->cuts.at[k].unknown >= 0 ? a->cuts.at[k].at_rest : sl_expr_const(a->g, 0.0);
    }
    a->equations[0] = rows;
    status = name_cuts(a);
    status = status == SL_OK ? mark_parameters(a) : status;
    status = status == SL_OK ? find_times(a) : status;
    return status == SL_OK ? make_tape(a) : status;
}
