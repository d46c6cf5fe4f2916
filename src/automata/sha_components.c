/* SPDX-License-Identifier: MIT */
/* sha_components.c: hybrid automata as src/hybrid moves them, by parts: which activities and roots are in force, and systems of some of
 * them, with the cuts that these hold. */
#include "automata/sha_run.h"

#include <stdlib.h>
#include <string.h>

const sl_hybrid_incidence *sl_sha_incidence(const void *instance) {
    return &((const sha_instance *)instance)->a->incidence;
}

bool sl_sha_take_lists(sha_instance *s) {
    size_t n_q = (size_t)sl_sda_n_variable(s->a->discrete), n_row = (size_t)(s->a->n_equation + s->a->n_root);
    s->since = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->is_since = sl_arena_alloc(&s->arena, n_q);
    s->force = sl_arena_alloc(&s->arena, n_row);
    s->noted = sl_arena_alloc(&s->arena, n_row * sizeof(int32_t));
    s->is_noted = sl_arena_alloc(&s->arena, n_row);
    return s->since && s->is_since && s->force && s->noted && s->is_noted &&
           sl_equation_space_create(s->ctx, s->a->g, &s->space) == SL_OK;
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

void sl_sha_set_force(sha_instance *s, int32_t row, bool on) {
    if (s->force[row] == on) {
        return;
    }
    s->force[row] = on;
    if (!s->is_noted[row]) {
        s->is_noted[row] = 1;
        s->noted[s->n_noted++] = row;
    }
}

void sl_sha_note_guard(sha_instance *s, int32_t guard) {
    const sl_sha *a = s->a;
    int32_t first_action = sha_first_guard(a, SL_SHA_ACTION), first_root = sha_first_guard(a, SL_SHA_ROOT);
    bool on = s->on[guard];
    if (guard >= first_root) {
        sl_sha_set_force(s, a->n_equation + guard - first_root, on);
    } else if (guard >= first_action) {
        sl_sha_note_action(s, guard - first_action, on);
    } else if (s->force[guard] != on) {
        sl_sha_set_force(s, guard, on);
        sl_sha_use_cuts(s, guard, on);
    }
}

sl_status sl_sha_force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out) {
    sha_instance *s = instance;
    (void)diags;
    sl_sha_follow(s, q);
    *out = (sl_hybrid_force){
        .equations = s->force, .roots = s->force + s->a->n_equation, .changed = s->noted, .n_changed = s->n_noted};
    for (int32_t k = 0; k < s->n_noted; k++) {
        s->is_noted[s->noted[k]] = 0;
    }
    s->n_noted = 0;
    return SL_OK;
}

/* ---- Systems ------------------------------------------------------------------------------------ */

static void destroy_part(sha_instance *s, sha_part *p) {
    sl_equations_destroy(p->system);
    sl_tape_destroy(p->cut_tape);
    sl_tape_destroy(p->time_tape);
    sl_free(s->ctx, p, p->n_byte);
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sorts numbers; each stays once. */
static int64_t sort_out(int32_t *at, int64_t n) {
    int64_t kept = 0;
    if (n > 1) {
        qsort(at, (size_t)n, sizeof *at, by_number);
    }
    for (int64_t k = 0; k < n; k++) {
        if (kept == 0 || at[kept - 1] != at[k]) {
            at[kept++] = at[k];
        }
    }
    return kept;
}

static bool add_cuts_of(sha_instance *s, int32_t row) {
    const sl_sha *a = s->a;
    bool fine = true;
    for (int32_t k = a->row_cut_start[row]; k < a->row_cut_start[row + 1] && fine; k++) {
        fine = SL_PUSH(s->ctx, &s->cut_room, a->row_cuts[k]);
    }
    return fine;
}

/* The cuts of some equations and roots, then the variables that these cuts read, into cut_room. */
static bool find_cuts(sha_instance *s, int32_t n_equation, const int32_t *equations, int32_t n_root,
                      const int32_t *roots, int64_t *n_cut) {
    const sl_sha *a = s->a;
    bool fine = true;
    s->cut_room.n = 0;
    for (int32_t i = 0; i < n_equation && fine; i++) {
        fine = add_cuts_of(s, equations[i]);
    }
    for (int32_t i = 0; i < n_root && fine; i++) {
        fine = add_cuts_of(s, a->n_equation + roots[i]);
    }
    int64_t n = *n_cut = s->cut_room.n = sort_out(s->cut_room.at, s->cut_room.n);
    for (int64_t i = 0; i < n && fine; i++) {
        int32_t k = s->cut_room.at[i];
        for (int32_t l = a->cut_read_start[k]; l < a->cut_read_start[k + 1] && fine; l++) {
            fine = SL_PUSH(s->ctx, &s->cut_room, a->cut_reads[l]);
        }
    }
    s->cut_room.n = n + (n > 0 ? sort_out(s->cut_room.at + n, s->cut_room.n - n) : 0);
    return fine;
}

/* Tapes for the values of cuts, and for when they change by themselves. */
static sl_status make_tapes(sha_instance *s, int64_t n_cut, sha_part *p) {
    const sl_sha *a = s->a;
    s->root_room.n = 0;
    for (int64_t i = 0; i < 3 * n_cut; i++) {
        if (!SL_PUSH(s->ctx, &s->root_room, a->cut_values[3 * s->cut_room.at[i / 3] + i % 3])) {
            return SL_ERR_MEMORY;
        }
    }
    for (int64_t i = 0; i < n_cut; i++) {
        int32_t k = s->cut_room.at[i];
        for (int32_t l = 2 * a->time_start[k]; l < 2 * a->time_start[k + 1]; l++) {
            if (!SL_PUSH(s->ctx, &s->root_room, a->times[l])) {
                return SL_ERR_MEMORY;
            }
        }
    }
    p->n_cut = (int32_t)n_cut;
    p->n_time = (int32_t)(s->root_room.n - 3 * n_cut) / 2;
    sl_status status = n_cut > 0 ? sl_tape_create(a->g, &s->walk, 3 * p->n_cut, s->root_room.at, &p->cut_tape) : SL_OK;
    return status == SL_OK && p->n_time > 0
               ? sl_tape_create(a->g, &s->walk, 2 * p->n_time, s->root_room.at + 3 * n_cut, &p->time_tape)
               : status;
}

/* The equations, with the unknowns of cuts that rest. */
static sl_status make_system(sha_instance *s, int32_t n_equation, const int32_t *equations, int32_t n_root,
                             const int32_t *roots, sl_equations **out) {
    const sl_sha *a = s->a;
    int32_t n_activity = (int32_t)a->parts[SL_SHA_ACTIVITY].n;
    s->root_room.n = 0;
    for (int32_t k = 0; k < n_root; k++) {
        if (!SL_PUSH(s->ctx, &s->root_room, a->roots[roots[k]])) {
            return SL_ERR_MEMORY;
        }
    }
    for (int32_t i = n_equation - 1; i >= 0 && equations[i] >= n_activity; i--) {
        sl_equation_space_fix(s->space, a->cuts.at[equations[i] - n_activity].unknown, false);
    }
    sl_status status = sl_equations_create_in(s->space, &a->sets[0], &s->walk, n_equation, equations, n_root,
                                              s->root_room.at, s->p, out);
    for (int32_t i = n_equation - 1; i >= 0 && equations[i] >= n_activity; i--) {
        sl_equation_space_fix(s->space, a->cuts.at[equations[i] - n_activity].unknown, true);
    }
    return status;
}

/* One block: the part, doubles, then numbers. */
static sl_status finish_part(sha_instance *s, const sha_part *head, int32_t n_root, const int32_t *roots,
                             sl_hybrid_mode *out) {
    const sl_sha *a = s->a;
    size_t n = (size_t)sl_dae_n_value(sl_equations_system(head->system)), r = (size_t)n_root;
    size_t n_value = (size_t)(3 * head->n_cut > 2 * head->n_time ? 3 * head->n_cut : 2 * head->n_time);
    size_t work = head->cut_tape ? sl_tape_work_size(head->cut_tape) : 0,
           time_work = head->time_tape ? sl_tape_work_size(head->time_tape) : 0;
    work = (work > time_work ? work : time_work) / sizeof(double) + 1;
    size_t n_room = (size_t)s->cut_room.n;
    size_t n_byte = sizeof *head + (n + n_value + work) * sizeof(double) + (n + r + n_room) * sizeof(int32_t);
    sha_part *p = sl_alloc(s->ctx, n_byte);
    if (!p) {
        return SL_ERR_MEMORY;
    }
    *p = *head;
    p->n_byte = n_byte;
    double *tolerances = (double *)(void *)(p + 1);
    p->values = tolerances + n;
    p->work = p->values + n_value;
    int32_t *variables = (int32_t *)(void *)(p->values + n_value + work);
    p->roots = variables + n;
    p->n_root = n_root;
    p->cuts = p->roots + r;
    for (size_t k = 0; k < n; k++) {
        variables[k] = a->x_of[sl_equations_variables(p->system)[k]];
        const sha_variable *v = variables[k] < a->variables.n ? &a->variables.at[variables[k]] : NULL;
        tolerances[k] = v && v->tolerance > 0.0 ? v->tolerance : v ? -v->nominal : 0.0; /* of the run, times the size */
    }
    if (r > 0) {
        memcpy(p->roots, roots, r * sizeof *roots);
    }
    if (n_room > 0) {
        memcpy(p->cuts, s->cut_room.at, n_room * sizeof *p->cuts);
    }
    *out = (sl_hybrid_mode){.system = *sl_equations_system(p->system),
                            .variables = variables,
                            .atols = tolerances,
                            .own = p,
                            .size = n_byte + sl_equations_size(p->system),
                            .reads = p->cuts + p->n_cut,
                            .n_read = (int32_t)n_room - p->n_cut};
    return SL_OK;
}

sl_status sl_sha_compile_component(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                                   const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out) {
    sha_instance *s = instance;
    sha_part head = {0};
    int64_t n_cut;
    (void)diags;
    sl_status status = find_cuts(s, n_equation, equations, n_root, roots, &n_cut) ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? make_tapes(s, n_cut, &head) : status;
    status = status == SL_OK ? make_system(s, n_equation, equations, n_root, roots, &head.system) : status;
    status = status == SL_OK ? finish_part(s, &head, n_root, roots, out) : status;
    if (status != SL_OK) {
        sl_equations_destroy(head.system);
        sl_tape_destroy(head.cut_tape);
        sl_tape_destroy(head.time_tape);
    }
    return status;
}

sl_status sl_sha_compile_all(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_mode *out) {
    sha_instance *s = instance;
    sl_hybrid_force force;
    sl_status status = sl_sha_force(s, q, diags, &force);
    int32_t n_equation = s->a->n_equation, n_root = s->a->n_root, n = 0, r = 0;
    size_t bytes = ((size_t)n_equation + (size_t)n_root + 1) * sizeof(int32_t);
    int32_t *rows = status == SL_OK ? sl_alloc(s->ctx, bytes) : NULL;
    for (int32_t i = 0; rows && i < n_equation; i++) {
        rows[n] = i;
        n += force.equations[i] != 0;
    }
    for (int32_t i = 0; rows && i < n_root; i++) {
        rows[n + r] = i;
        r += force.roots[i] != 0;
    }
    status = status == SL_OK && !rows ? SL_ERR_MEMORY : status;
    status = status == SL_OK ? sl_sha_compile_component(s, n, rows, r, rows + n, diags, out) : status;
    sl_free(s->ctx, rows, rows ? bytes : 0);
    return status;
}

void sl_sha_release_component(void *instance, int32_t id, const sl_hybrid_mode *mode) {
    (void)id;
    destroy_part(instance, mode->own);
}

void sl_sha_stand(void *instance, int32_t variable, double value) {
    sha_instance *s = instance;
    sl_equation_space_hold(s->space, s->a->variables.at[variable].graph, value);
}
