/* SPDX-License-Identifier: MIT */
/* sha_run.c: hybrid automata as models of src/hybrid: what an execution holds, guards, and discrete executions. Guards are kept alive: a
 * change of q costs what depends on it.
 */
#include "automata/sha_run.h"

#include <stdlib.h>
#include <string.h>

/* ---- Life --------------------------------------------------------------------------------------- */

static void close_instance(void *instance) {
    sha_instance *s = instance;
    sl_sda_run_destroy(s->run);
    sl_live_destroy(s->live);
    SL_ARRAY_FINI(s->ctx, &s->root_room);
    SL_ARRAY_FINI(s->ctx, &s->cut_room);
    SL_ARRAY_FINI(s->ctx, &s->acted_on);
    SL_ARRAY_FINI(s->ctx, &s->acted_by);
    sl_equation_space_destroy(s->space);
    sl_walk_fini(&s->walk);
    sl_arena_fini(&s->arena);
    sl_free(s->ctx, s, sizeof *s);
}

static bool take_memory(sha_instance *s) {
    const sl_sha *a = s->a;
    size_t n_q = (size_t)sl_sda_n_variable(a->discrete), n_guard = (size_t)a->n_guard;
    s->on = sl_arena_alloc(&s->arena, n_guard);
    s->changed = sl_arena_alloc(&s->arena, n_guard * sizeof(int32_t));
    s->q = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->moved = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->moved_to = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->taken = sl_arena_alloc(&s->arena, (size_t)sl_sda_n_transition(a->discrete) * sizeof(int32_t));
    s->p = sl_arena_alloc(&s->arena, (size_t)a->parameters.n * sizeof(double));
    s->x[0] = sl_arena_alloc(&s->arena, (size_t)a->n_graph * sizeof(double));
    s->x[1] = sl_arena_alloc(&s->arena, (size_t)a->n_graph * sizeof(double));
    return sl_sha_take_lists(s) && sl_sha_take_actions(s) && sl_sha_take_cuts(s) && s->on && s->changed && s->q &&
           s->moved && s->moved_to && s->taken && s->p && s->x[0] && s->x[1];
}

static void set_guard(sha_instance *s, int32_t guard) {
    s->on[guard] = sl_live_root(s->live, guard) != 0.0;
    sl_sha_note_guard(s, guard);
}

void sl_sha_update_guards(sha_instance *s) {
    int32_t n = sl_live_update(s->live, s->changed);
    for (int32_t k = 0; k < n; k++) {
        set_guard(s, s->changed[k]);
    }
}

/* Guards at the start. */
static sl_status begin(sha_instance *s) {
    const sl_sha *a = s->a;
    int32_t n_q = sl_sda_n_variable(a->discrete);
    for (int32_t j = 0; j < n_q; j++) {
        s->q[j] = a->start.at[j];
        s->x[0][sl_sda_graph_variable(a->discrete, j)] = s->q[j];
    }
    if (a->parameters.n > 0) {
        memcpy(s->p, a->parameters.at, (size_t)a->parameters.n * sizeof *s->p);
    }
    sl_sha_begin_cuts(s);
    sl_expr_point at = {.t = 0.0, .x = {s->x[0], s->x[1]}, .p = s->p};
    sl_status status = sl_live_create(s->ctx, a->plan, &at, &s->live);
    for (int32_t k = 0; k < a->n_guard && status == SL_OK; k++) {
        set_guard(s, k);
    }
    return status == SL_OK ? sl_sda_run_create_in(s->ctx, a->discrete, s->q, &a->discrete_def, &s->run) : status;
}

static sl_status open_instance(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    (void)diags;
    *out = NULL;
    if (!((const sl_sha *)model)->is_finished) {
        return SL_ERR_USE;
    }
    sha_instance *s = sl_alloc(ctx, sizeof *s);
    if (!s) {
        return SL_ERR_MEMORY;
    }
    *s = (sha_instance){.a = model, .ctx = ctx};
    sl_arena_init(&s->arena, ctx);
    sl_walk_init(&s->walk, ctx);
    sl_status status = take_memory(s) ? begin(s) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        close_instance(s);
        return status;
    }
    *out = s;
    return SL_OK;
}

static void sizes(const void *instance, int32_t *n_x, int32_t *n_q) {
    const sl_sha *a = ((const sha_instance *)instance)->a;
    *n_x = (int32_t)a->variables.n;
    *n_q = sl_sda_n_variable(a->discrete);
}

static const char *x_name(const void *instance, int32_t i) {
    return sl_sha_variable_name(((const sha_instance *)instance)->a, i).ptr; /* the graph keeps names with a NUL */
}

static const char *q_name(const void *instance, int32_t i) {
    return sl_sda_variable_name(((const sha_instance *)instance)->a->discrete, i).ptr;
}
static const char *root_name(const void *instance, int32_t i) {
    const sha_instance *s = instance;
    return i < s->a->parts[SL_SHA_ROOT].n ? s->a->parts[SL_SHA_ROOT].at[i].symbol : ""; /* of cuts */
}

static int32_t q_domain(const void *instance, int32_t i) {
    return sl_sda_domain(((const sha_instance *)instance)->a->discrete, i);
}

static void start(const void *instance, double *t, double *x, int32_t *q) {
    const sl_sha *a = ((const sha_instance *)instance)->a;
    *t = 0.0;
    for (int32_t j = 0; j < a->variables.n; j++) {
        x[j] = a->variables.at[j].start;
    }
    for (int32_t j = 0; j < a->start.n; j++) {
        q[j] = a->start.at[j];
    }
}

/* ---- Guards ------------------------------------------------------------------------------------- */

/* Brings the guards in line with any q. */
static void follow_anywhere(sha_instance *s, const int32_t *q) {
    const sl_sda *d = s->a->discrete;
    int32_t n_q = sl_sda_n_variable(d);
    for (int32_t j = -1; (j = sl_next_change(q, s->q, j + 1, n_q)) < n_q;) {
        s->q[j] = q[j];
        sl_live_set_variable(s->live, sl_sda_graph_variable(d, j), 0, q[j]);
        s->is_astray = s->is_stale = true;
    }
    if (s->is_stale) {
        sl_sha_update_guards(s);
    }
    s->is_stale = false;
}

/* ... with that of the execution, whose changes are reported. */
void sl_sha_follow(sha_instance *s, const int32_t *q) {
    if (s->is_astray || !s->is_reported) {
        follow_anywhere(s, q);
        s->is_astray = false;
        return;
    }
    if (s->is_stale) {
        sl_sha_update_guards(s);
    }
    s->is_stale = false;
}

/* ---- Discrete executions ------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* A new discrete execution, from q. */
static void restart(sha_instance *s, const int32_t *q) {
    int32_t n_q = sl_sda_n_variable(s->a->discrete), n = 0;
    const int32_t *at = sl_sda_run_values(s->run);
    if (s->n_since > 1) {
        qsort(s->since, (size_t)s->n_since, sizeof *s->since, by_number);
    }
    for (int32_t k = 0; k < s->n_since; k++) {
        int32_t j = s->since[k];
        s->is_since[j] = 0;
        if (!s->is_elsewhere && at[j] != q[j]) {
            s->moved[n] = j;
            s->moved_to[n++] = q[j];
        }
    }
    bool all = s->is_elsewhere || !s->is_reported;
    for (int32_t j = -1; all && (j = sl_next_change(at, q, j + 1, n_q)) < n_q;) {
        s->moved[n] = j;
        s->moved_to[n++] = q[j];
    }
    s->n_since = 0;
    s->is_elsewhere = false;
    (void)sl_sda_run_restart(s->run, n, s->moved, s->moved_to);
}

static sl_status discrete(void *instance, double t, int32_t i, int64_t way, int32_t *q, sl_diags *diags,
                          sl_hybrid_step_result *out) {
    sha_instance *s = instance;
    (void)t;
    *out = (sl_hybrid_step_result){0};
    if (i == 0) {
        restart(s, q);
    }
    sl_sda_state state = sl_sda_run_state(s->run);
    int32_t before = sl_sda_run_time(s->run), n;
    if (state == SL_SDA_CHOICE && way == SL_HYBRID_ASK_CHOICE) {
        out->n_choice = sl_sda_run_n_choice(s->run);
        return SL_OK;
    }
    if (state == SL_SDA_RUNNING || (state == SL_SDA_CHOICE && way >= 0)) {
        const int32_t *active_now = sl_sda_run_active(s->run, &s->n_taken);
        if (s->n_taken > 0) {
            memcpy(s->taken, active_now, (size_t)s->n_taken * sizeof *s->taken);
        }
        state = sl_sda_run_step(s->run, way > 0 ? way : 0);
    }
    const sl_sda_change *changes = sl_sda_run_changes(s->run, before, &n);
    for (int32_t k = 0; k < n; k++) {
        q[changes[k].variable] = changes[k].to;
        s->moved[k] = changes[k].variable;
    }
    out->n_changed = n;
    out->changed = s->moved;
    if (sl_sda_run_time(s->run) > before && state != SL_SDA_FAILED) {
        return SL_OK; /* what stops it is told at the next step */
    }
    out->settled =
        state == SL_SDA_CONVERGED || (state == SL_SDA_BOUND && s->a->discrete_def.rule == SL_SDA_UNTIL_BOUND);
    if (out->settled) {
        return SL_OK;
    }
    sl_sda_run_explain(s->run, diags);
    return state == SL_SDA_FAILED ? SL_ERR_MEMORY : SL_ERR_SOLVE;
}

/* ---- Causes ------------------------------------------------------------------------------------- */

static void name_roots(const sl_sha *a, int32_t j, const uint8_t *on, void (*name)(void *user, const char *symbol),
                       void *user) {
    for (int32_t i = a->first_root[j]; i >= 0; i = a->next_root[i]) {
        if (on[i]) {
            name(user, a->parts[SL_SHA_ROOT].at[i].symbol);
        }
    }
}

/* Those of a variable, and those that are equations. */
static void name_actions(const sl_sha *a, int32_t j, const uint8_t *on, void (*name)(void *user, const char *symbol),
                         void *user) {
    const sha_elements *parts = &a->parts[SL_SHA_ACTION];
    for (int32_t i = 0; i < parts->n; i++) {
        if (on[i] && (parts->at[i].variable == j || parts->at[i].variable < 0)) {
            name(user, parts->at[i].symbol);
        }
    }
}

static void causes(void *instance, int event, int32_t j, const int32_t *q, void (*name)(void *user, const char *symbol),
                   void *user) {
    sha_instance *s = instance;
    if (event == SL_HYBRID_ROOT) {
        name_roots(s->a, j, sl_sha_active(s, q, SL_SHA_ROOT), name, user);
    } else if (event == SL_HYBRID_ACTION) {
        name_actions(s->a, j, s->acted, name, user);
    } else if (event == SL_HYBRID_TRANSITION) {
        sl_sda_name_transitions(s->a->discrete, j, s->n_taken, s->taken, name, user);
    }
}

/* ---- Looking ------------------------------------------------------------------------------------ */

const uint8_t *sl_sha_active(void *instance, const int32_t *q, sl_sha_kind kind) {
    sha_instance *s = instance;
    follow_anywhere(s, q);
    return s->on + sha_first_guard(s->a, kind);
}

bool sl_sha_is_active(void *instance, const int32_t *q, sl_sha_kind kind, int32_t i) {
    return sl_sha_active(instance, q, kind)[i];
}

const uint8_t *sl_sha_acted(const void *instance) {
    return ((const sha_instance *)instance)->acted;
}

const sl_sda_run *sl_sha_run_of(const void *instance) {
    return ((const sha_instance *)instance)->run;
}

const sl_hybrid_ops sl_sha_ops = {.name = "automaton",
                                  .open = open_instance,
                                  .close = close_instance,
                                  .sizes = sizes,
                                  .x_name = x_name,
                                  .q_name = q_name,
                                  .root_name = root_name,
                                  .q_domain = q_domain,
                                  .start = start,
                                  .release = sl_sha_release_component,
                                  .incidence = sl_sha_incidence,
                                  .changed = sl_sha_changed,
                                  .force = sl_sha_force,
                                  .compile_part = sl_sha_compile_component,
                                  .stand = sl_sha_stand,
                                  .part_limit = sl_sha_component_limit,
                                  .acted_on = sl_sha_acted_on,
                                  .acted_by = sl_sha_acted_by,
                                  .discrete = discrete,
                                  .act = sl_sha_act,
                                  .n_cut = sl_sha_n_cut,
                                  .set_cuts = sl_sha_set_cuts,
                                  .cuts_are_valid = sl_sha_cuts_are_valid,
                                  .cut = sl_sha_cut,
                                  .cut_name = sl_sha_cut_name,
                                  .causes = causes};
