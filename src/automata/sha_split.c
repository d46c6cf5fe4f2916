/* SPDX-License-Identifier: MIT */
/* sha_split.c: the equations of a hybrid automaton cut where they jump or have a kink (expr/cuts.h), once, when it is finished.
 *
 * Activities are cut everywhere, root functions where time alone decides: a root function may jump and bend, for its sign is all
 * that matters, but what is over within a step would not be seen. A cut whose roots are a + b t by their form changes at the time
 * -a/b; motion ends there exactly, and no root is needed.
 */
#include "automata/sha_impl.h"

#include "base/out.h"

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

/* Values of parameters for all that the graph has by now. */
static sl_status grow_parameters(sl_sha *a) {
    while (a->parameters.n < sl_exprs_n_parameter(a->g)) {
        if (!SL_PUSH(a->ctx, &a->parameters, 0.0) || !SL_PUSH(a->ctx, &a->is_inner, 1)) {
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
        bool timed = cut->of_time;
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
