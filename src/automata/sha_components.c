/* SPDX-License-Identifier: MIT */
/* sha_components.c: hybrid automata whose activities move by parts: what activities and roots hold, what of them is in force, and systems
 * of some of them. Automata with cuts move as one. */
#include "automata/sha_run.h"

#include <string.h>

/* ---- What they hold ----------------------------------------------------------------------------- */

/* Rows of continuous variables that expressions hold. */
static sl_status list_held(sl_sha *a, int32_t n, const sl_expr *of, int32_t **start, int32_t **variables) {
    SL_ARRAY(int32_t) all = {0};
    sl_expr_list leaves = {0};
    sl_status status = SL_OK;
    *start = sl_arena_alloc(&a->arena, ((size_t)n + 1) * sizeof **start);
    for (int32_t i = 0; i < n && status == SL_OK && *start; i++) {
        leaves.n = 0;
        status = sl_expr_leaves(a->g, 1, &of[i], &leaves);
        for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
            bool is_variable = sl_expr_op(a->g, leaves.at[k]) == SL_OP_VARIABLE;
            int32_t j = is_variable ? a->x_of[sl_expr_symbol(a->g, leaves.at[k])] : -1;
            status = j < 0 || SL_PUSH(a->ctx, &all, j) ? SL_OK : SL_ERR_MEMORY;
        }
        (*start)[i + 1] = (int32_t)all.n;
    }
    *variables = *start && status == SL_OK ? sl_arena_keep(&a->arena, all.at, (size_t)all.n * sizeof(int32_t)) : NULL;
    status = status == SL_OK && !*variables ? SL_ERR_MEMORY : status;
    sl_expr_list_fini(a->g, &leaves);
    SL_ARRAY_FINI(a->ctx, &all);
    return status;
}

sl_status sl_sha_list_held(sl_sha *a) {
    int32_t n_equation = (int32_t)a->parts[SL_SHA_ACTIVITY].n, n_root = (int32_t)a->parts[SL_SHA_ROOT].n;
    int32_t *start[2], *variables[2];
    if (a->cuts.n > 0 || a->merged) {
        return SL_OK;
    }
    sl_status status = list_held(a, n_equation, a->equations[0], &start[0], &variables[0]);
    status = status == SL_OK ? list_held(a, n_root, a->roots, &start[1], &variables[1]) : status;
    if (status == SL_OK) {
        a->incidence = (sl_hybrid_incidence){.n_equation = n_equation,
                                             .n_root = n_root,
                                             .start = start[0],
                                             .variables = variables[0],
                                             .root_start = start[1],
                                             .root_variables = variables[1],
                                             .decides = a->root_variables};
    }
    return status;
}

const sl_hybrid_incidence *sl_sha_incidence(const void *instance) {
    const sl_sha *a = ((const sha_instance *)instance)->a;
    return a->incidence.start ? &a->incidence : NULL;
}

/* ---- What is in force --------------------------------------------------------------------------- */

void sl_sha_changed(void *instance, int32_t n, const int32_t *which, const int32_t *q) {
    sha_instance *s = instance;
    const sl_sda *d = s->a->discrete;
    s->is_reported = true;
    if (n < 0) {
        s->is_astray = s->is_elsewhere = true;
        return;
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t j = which[k];
        if (s->q[j] != q[j]) {
            s->q[j] = q[j];
            sl_live_set_variable(s->live, sl_sda_graph_variable(d, j), 0, q[j]);
            s->is_stale = true;
        }
        if (!s->is_since[j]) {
            s->is_since[j] = 1;
            s->since[s->n_since++] = j;
        }
    }
}

/* A guard has changed: the next query reports it. */
void sl_sha_note_guard(sha_instance *s, int32_t guard) {
    int32_t n_activity = (int32_t)s->a->parts[SL_SHA_ACTIVITY].n, first_root = sha_first_guard(s->a, SL_SHA_ROOT);
    int32_t i = guard < n_activity ? guard : guard >= first_root ? guard - first_root + n_activity : -1;
    if (i >= 0 && !s->is_noted[i]) {
        s->is_noted[i] = 1;
        s->noted[s->n_noted++] = i;
    }
    if (i >= 0) {
        return;
    }
    int32_t action = guard - n_activity; /* those in force stand in a list */
    if (s->on[guard] && s->acting_place[action] < 0) {
        s->acting_place[action] = s->n_acting;
        s->acting[s->n_acting++] = action;
    } else if (!s->on[guard] && s->acting_place[action] >= 0) {
        int32_t last = s->acting[--s->n_acting], place = s->acting_place[action];
        s->acting[place] = last;
        s->acting_place[last] = place;
        s->acting_place[action] = -1;
    }
}

sl_status sl_sha_force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out) {
    sha_instance *s = instance;
    (void)diags;
    sl_sha_follow(s, q);
    *out = (sl_hybrid_force){.equations = s->on,
                             .roots = s->on + sha_first_guard(s->a, SL_SHA_ROOT),
                             .changed = s->noted,
                             .n_changed = s->n_noted};
    for (int32_t k = 0; k < s->n_noted; k++) {
        s->is_noted[s->noted[k]] = 0;
    }
    s->n_noted = 0;
    return SL_OK;
}

/* ---- Systems ------------------------------------------------------------------------------------ */

/* What a compiled part is, before its arrays. */
typedef struct sha_part {
    sl_equations *system;
    size_t n_byte;
} sha_part;

static void destroy_part(sha_instance *s, sha_part *p) {
    sl_equations_destroy(p->system);
    sl_free(s->ctx, p, p->n_byte);
}

sl_status sl_sha_compile_component(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                                   const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out) {
    sha_instance *s = instance;
    const sl_sha *a = s->a;
    (void)diags;
    sl_equations *e = NULL;
    s->root_room.n = 0;
    for (int32_t k = 0; k < n_root; k++) {
        if (!SL_PUSH(s->ctx, &s->root_room, a->roots[roots[k]])) {
            return SL_ERR_MEMORY;
        }
    }
    sl_status status = sl_equations_create_in(s->space, &a->sets[0], &s->walk, n_equation, equations, n_root,
                                              s->root_room.at, s->p, &e);
    if (status != SL_OK) {
        return status;
    }
    size_t n = (size_t)sl_dae_n_value(sl_equations_system(e));
    size_t n_byte = sizeof(sha_part) + n * (sizeof(double) + sizeof(int32_t));
    sha_part *p = sl_alloc(s->ctx, n_byte);
    if (!p) {
        sl_equations_destroy(e);
        return SL_ERR_MEMORY;
    }
    *p = (sha_part){e, n_byte};
    double *tolerances = (double *)(void *)(p + 1);
    int32_t *variables = (int32_t *)(void *)(tolerances + n);
    for (size_t k = 0; k < n; k++) {
        variables[k] = a->x_of[sl_equations_variables(e)[k]];
        tolerances[k] = a->variables.at[variables[k]].tolerance;
    }
    *out = (sl_hybrid_mode){.system = *sl_equations_system(e),
                            .variables = variables,
                            .atols = tolerances,
                            .own = p,
                            .size = n_byte + sl_equations_size(e)};
    return SL_OK;
}

void sl_sha_release_component(sha_instance *s, const sl_hybrid_mode *mode) {
    destroy_part(s, mode->own);
}

void sl_sha_stand(void *instance, int32_t variable, double value) {
    sha_instance *s = instance;
    sl_equation_space_hold(s->space, s->a->variables.at[variable].graph, value);
}

const int32_t *sl_sha_acted_on(const void *instance, int32_t *n) {
    const sha_instance *s = instance;
    return s->n_acted_on < 0 ? NULL : (*n = s->n_acted_on, s->acted_on);
}
