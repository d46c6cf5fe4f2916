/* SPDX-License-Identifier: MIT */
/* start.c: the values with which executions of a hybrid automaton begin, where something is said of them: fixed values, guesses, bounds,
 * initial equations. They are computed once, when the automaton is finished, from the activities in force at the discrete starts as they
 * are written: a comparison in them has the side on which the values are. So every execution begins with the same bits, in any thread.
 */
#include "automata/automaton.h"
#include "automata/sha_impl.h"

#include "base/handle.h"
#include "base/memory.h"
#include "base/sized.h"
#include "dae/initial.h"

#include <math.h>

typedef struct start_finder {
    sl_sha *a;
    sl_exprs *g; /* a copy: it gets new expressions */
    sl_arena arena;
    int32_t *rows; /* activities in force */
    const sl_text_location *(*location)(const void *user, bool is_variable, int32_t i);
    const void *user;
} start_finder;

static bool is_wanted(const sl_sha *a) {
    bool wanted = a->initial.n > 0;
    for (int64_t j = 0; j < a->variables.n && !wanted; j++) {
        const sha_variable *v = &a->variables.at[j];
        wanted = v->kind != SL_INITIAL_START || isfinite(v->low) || isfinite(v->high);
    }
    return wanted;
}

static const char *name(const void *user, sl_initial_subject subject, int32_t i) {
    const start_finder *s = user;
    switch (subject) {
    case SL_INITIAL_EQUATION: return s->a->parts[SL_SHA_ACTIVITY].at[s->rows[i]].symbol;
    case SL_INITIAL_CONDITION: return s->a->initial.at[i].symbol;
    default: return sl_exprs_variable_name(s->g, i).ptr;
    }
}

static const sl_text_location *location(const void *user, sl_initial_subject subject, int32_t i) {
    const start_finder *s = user;
    int32_t which = subject == SL_INITIAL_VARIABLE ? s->a->x_of[i] : i;
    return s->location && subject != SL_INITIAL_EQUATION ? s->location(s->user, subject == SL_INITIAL_VARIABLE, which)
                                                         : NULL;
}

/* The activities in force at the discrete starts. */
static sl_status list_rows(start_finder *s, sl_initial_def *def) {
    const sl_sha *a = s->a;
    const sha_elements *all = &a->parts[SL_SHA_ACTIVITY];
    size_t n_row = 1;
    for (int32_t i = 0; i < all->n; i++) {
        n_row += (size_t)sha_n_cell(a, i);
    }
    double *q = sl_arena_alloc(&s->arena, ((size_t)sl_exprs_n_variable(s->g) + 1) * sizeof *q);
    sl_expr *rows = sl_arena_alloc(&s->arena, n_row * sizeof *rows);
    sl_expr *initial = sl_arena_alloc(&s->arena, ((size_t)a->initial.n + 1) * sizeof *initial);
    s->rows = sl_arena_alloc(&s->arena, n_row * sizeof *s->rows);
    if (!q || !rows || !initial || !s->rows) {
        return SL_ERR_MEMORY;
    }
    for (int32_t j = 0; j < a->start.n; j++) {
        q[sl_sda_graph_variable(a->discrete, j)] = a->start.at[j];
    }
    for (int32_t i = 0; i < all->n; i++) {
        double on = 0.0;
        sl_status status =
            sl_walk_eval(sl_exprs_walk(s->g), s->g, all->at[i].guard, &(sl_expr_point){.x = {q}, .p = def->p}, &on);
        if (status != SL_OK) {
            return status;
        }
        for (int32_t c = 0, n = on != 0.0 ? sha_n_cell(a, i) : 0; c < n; c++) {
            rows[def->n_equation] = n > 1 ? sl_expr_cell(s->g, all->at[i].expr, c) : all->at[i].expr;
            s->rows[def->n_equation++] = i;
        }
    }
    for (int32_t i = 0; i < a->initial.n; i++) {
        initial[i] = a->initial.at[i].expr;
    }
    def->equations = rows;
    def->initial = initial;
    def->n_initial = (int32_t)a->initial.n;
    return SL_OK;
}

static sl_status solve(start_finder *s, sl_initial *out, sl_diags *diags) {
    sl_sha *a = s->a;
    size_t n = (size_t)sl_exprs_n_variable(s->g) + 1;
    sl_initial_value *values = sl_arena_alloc(&s->arena, n * sizeof *values);
    double *x = sl_arena_alloc(&s->arena, 2 * n * sizeof *x);
    uint8_t *held = sl_arena_alloc(&s->arena, n);
    sl_initial_def def = {
        .g = s->g, .values = values, .p = a->parameters.at, .name = name, .location = location, .user = s};
    sl_status status = values && x && held ? list_rows(s, &def) : SL_ERR_MEMORY;
    for (size_t k = 0; k < n && status == SL_OK; k++) {
        values[k] = (sl_initial_value){.low = -(double)INFINITY, .high = (double)INFINITY};
    }
    for (int32_t j = 0; j < a->variables.n && status == SL_OK; j++) {
        const sha_variable *v = &a->variables.at[j];
        values[v->graph] = (sl_initial_value){
            .start = v->given, .nominal = v->nominal, .low = v->low, .high = v->high, .kind = v->kind};
    }
    status = status == SL_OK ? sl_initial_solve(a->ctx, &def, x, x + n, held, out, diags) : status;
    for (int32_t j = 0; j < a->variables.n && status == SL_OK; j++) {
        sha_variable *v = &a->variables.at[j];
        v->start = x[v->graph];
        v->derivative = x[n + (size_t)v->graph];
        v->is_held = held[v->graph];
    }
    return status;
}

sl_status sl_sha_find_start(sl_sha *a,
                            const sl_text_location *(*location_of)(const void *user, bool is_variable, int32_t i),
                            const void *user, sl_diags *diags) {
    if (!is_wanted(a)) {
        return SL_OK;
    }
    start_finder s = {.a = a, .g = sl_exprs_copy(a->ctx, a->g), .location = location_of, .user = user};
    if (!s.g) {
        return SL_ERR_MEMORY;
    }
    sl_arena_init(&s.arena, a->ctx);
    sl_status status = solve(&s, &a->at_start, diags);
    sl_arena_fini(&s.arena);
    sl_exprs_destroy(s.g);
    return status;
}

sl_status sl_automaton_initial(const sl_automaton *m, void (*each)(void *user, const sl_initial_item *item), void *user,
                               sl_initial *out) {
    if (!SL_HANDLE_IS(m, SL_HANDLE_AUTOMATON) || !sl_automaton_is_finished(m) || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    const sl_sha *a = sl_automaton_get(m);
    for (int32_t j = 0; j < a->variables.n && each && a->at_start.n_unknown > 0; j++) {
        const sha_variable *v = &a->variables.at[j];
        each(user, &(sl_initial_item){.name = sl_sha_variable_name(a, j).ptr,
                                      .kind = v->kind,
                                      .is_held = v->is_held,
                                      .given = v->given,
                                      .value = v->start,
                                      .derivative = v->derivative});
    }
    sl_sized_give(out, &a->at_start, sizeof a->at_start);
    return SL_OK;
}
