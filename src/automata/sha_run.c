/* SPDX-License-Identifier: MIT */
/* sha_run.c: hybrid automata as models of src/hybrid: what an execution holds and does.
 *
 * Guards are kept alive: a change of q costs what depends on it. The set of active activities, as bits, names a mode; its
 * equations are compiled when the execution first meets it. Actions are evaluated with the values before; where one of them
 * is an equation, all active ones are solved at once for the values after.
 */
#include "automata/sha_run.h"

#include "base/ids.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Life --------------------------------------------------------------------------------------- */

static void close_instance(void *instance) {
    sha_instance *s = instance;
    sl_sda_run_destroy(s->run);
    sl_live_destroy(s->live);
    sl_ids_destroy(s->modes);
    for (int64_t k = 0; k < s->met.n; k++) {
        sl_equations_destroy(s->met.at[k].system);
    }
    SL_ARRAY_FINI(s->ctx, &s->met);
    SL_ARRAY_FINI(s->ctx, &s->root_room);
    sl_equation_space_destroy(s->space);
    sl_walk_fini(&s->walk);
    sl_arena_fini(&s->arena);
    sl_free(s->ctx, s, sizeof *s);
}

/* Of what changes and is in force. */
static bool take_lists(sha_instance *s) {
    const sl_sha *a = s->a;
    size_t n_q = (size_t)sl_sda_n_variable(a->discrete), n_action = (size_t)a->parts[SL_SHA_ACTION].n;
    size_t n_force = (size_t)(a->parts[SL_SHA_ACTIVITY].n + a->parts[SL_SHA_ROOT].n);
    s->since = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->is_since = sl_arena_alloc(&s->arena, n_q);
    s->noted = sl_arena_alloc(&s->arena, n_force * sizeof(int32_t));
    s->is_noted = sl_arena_alloc(&s->arena, n_force);
    s->acting = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    s->acting_place = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    s->acted_on = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    s->last_acted = sl_arena_alloc(&s->arena, n_action * sizeof(int32_t));
    for (size_t k = 0; s->acting_place && k < n_action; k++) {
        s->acting_place[k] = -1;
    }
    return s->since && s->is_since && s->noted && s->is_noted && s->acting && s->acting_place && s->acted_on &&
           s->last_acted;
}

static bool take_memory(sha_instance *s) {
    const sl_sha *a = s->a;
    size_t n_q = (size_t)sl_sda_n_variable(a->discrete), n_guard = (size_t)a->n_guard, n_x = (size_t)a->variables.n;
    s->on = sl_arena_alloc(&s->arena, n_guard);
    s->changed = sl_arena_alloc(&s->arena, n_guard * sizeof(int32_t));
    s->q = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->moved = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->moved_to = sl_arena_alloc(&s->arena, n_q * sizeof(int32_t));
    s->taken = sl_arena_alloc(&s->arena, (size_t)sl_sda_n_transition(a->discrete) * sizeof(int32_t));
    s->n_guard_bytes = (size_t)a->parts[SL_SHA_ACTIVITY].n / 8 + 1;
    s->n_bits = s->n_guard_bytes + ((size_t)a->cuts.n + 7) / 8;
    s->bits = sl_arena_alloc(&s->arena, s->n_bits);
    s->p = sl_arena_alloc(&s->arena, (size_t)a->parameters.n * sizeof(double));
    s->x[0] = sl_arena_alloc(&s->arena, (size_t)a->n_graph * sizeof(double));
    s->x[1] = sl_arena_alloc(&s->arena, (size_t)a->n_graph * sizeof(double));
    s->values = sl_arena_alloc(&s->arena, (size_t)a->parts[SL_SHA_ACTION].n * sizeof(double));
    s->acted = sl_arena_alloc(&s->arena, (size_t)a->parts[SL_SHA_ACTION].n);
    s->new_x = sl_arena_alloc(&s->arena, 2 * n_x * sizeof(double));
    s->work = sl_arena_alloc(&s->arena, a->value_tape ? sl_tape_work_size(a->value_tape) : 0);
    s->modes = sl_ids_create(s->ctx);
    if (a->incidence.start && sl_equation_space_create(s->ctx, a->g, &s->space) != SL_OK) {
        return false;
    }
    return take_lists(s) && sl_sha_take_cuts(s) && s->on && s->changed && s->q && s->moved && s->moved_to && s->taken &&
           s->bits && s->p && s->x[0] && s->x[1] && s->values && s->acted && s->new_x && s->work && s->modes;
}

static void set_bit(sha_instance *s, int32_t guard) {
    s->on[guard] = sl_live_root(s->live, guard) != 0.0;
    if (guard < s->a->parts[SL_SHA_ACTIVITY].n) {
        uint8_t bit = (uint8_t)(1u << guard % 8);
        s->bits[guard / 8] = (uint8_t)(s->on[guard] ? s->bits[guard / 8] | bit : s->bits[guard / 8] & ~bit);
        s->mode = -1;
    }
    sl_sha_note_guard(s, guard);
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
    sl_sha_set_cuts(s, s->cuts);
    sl_expr_point at = {.t = 0.0, .x = {s->x[0], s->x[1]}, .p = s->p};
    sl_status status = sl_live_create(s->ctx, a->plan, &at, &s->live);
    for (int32_t k = 0; k < a->n_guard && status == SL_OK; k++) {
        set_bit(s, k);
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
    *s = (sha_instance){.a = model, .ctx = ctx, .mode = -1};
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
    return s->a->parts[SL_SHA_ROOT].at[i].symbol;
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

/* ---- Modes -------------------------------------------------------------------------------------- */

/* Brings the guards in line with any q. */
static void follow_anywhere(sha_instance *s, const int32_t *q) {
    const sl_sda *d = s->a->discrete;
    int32_t n_q = sl_sda_n_variable(d);
    for (int32_t j = -1; (j = sl_next_change(q, s->q, j + 1, n_q)) < n_q;) {
        s->q[j] = q[j];
        sl_live_set_variable(s->live, sl_sda_graph_variable(d, j), 0, q[j]);
        s->is_astray = s->is_stale = true;
    }
    int32_t n = s->is_stale ? sl_live_update(s->live, s->changed) : 0;
    for (int32_t k = 0; k < n; k++) {
        set_bit(s, s->changed[k]);
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
    int32_t n = s->is_stale ? sl_live_update(s->live, s->changed) : 0;
    for (int32_t k = 0; k < n; k++) {
        set_bit(s, s->changed[k]);
    }
    s->is_stale = false;
}

sl_status sl_sha_find_mode(sha_instance *s, int32_t *id) {
    if (s->mode < 0) {
        int32_t added = sl_ids_add(s->modes, (sl_str){(const char *)s->bits, s->n_bits});
        if (added == INT32_MIN) {
            return SL_ERR_MEMORY;
        }
        s->mode = added >= 0 ? added : -1 - added;
    }
    *id = s->mode;
    return SL_OK;
}

static sl_status mode(void *instance, const int32_t *q, sl_diags *diags, int32_t *id) {
    (void)diags;
    sl_sha_follow(instance, q);
    return sl_sha_find_mode(instance, id);
}

/* The active activities as a system, with what holds at rest. */
static sl_status make_system(sha_instance *s, sha_mode *m) {
    const sl_sha *a = s->a;
    int32_t n_activity = (int32_t)a->parts[SL_SHA_ACTIVITY].n, n = 0;
    size_t bytes = ((size_t)n_activity + (size_t)a->cuts.n + 1) * sizeof(int32_t);
    int32_t *rows = sl_alloc(s->ctx, bytes);
    if (!rows) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n_activity; i++) {
        if (s->on[i]) {
            rows[n++] = i;
        }
    }
    sl_status status = m->roots ? SL_OK : sl_sha_find_cuts(s, m, n, rows);
    for (int32_t i = 0; i < m->n_used && status == SL_OK; i++) {
        if (s->cuts[m->used[i]] == SL_CUT_HELD && a->cuts.at[m->used[i]].unknown >= 0) {
            rows[n++] = n_activity + m->used[i];
        }
    }
    status = status == SL_OK ? sl_equations_create(&a->sets[0], &s->walk, n, rows, m->n_root, m->roots, s->p,
                                                   a->cuts.n > 0 ? s->held : NULL, &m->system)
                             : status;
    sl_free(s->ctx, rows, bytes);
    return status;
}

/* Which variables its unknowns are: once per mode. */
static bool map_unknowns(sha_instance *s, sha_mode *m) {
    size_t n = (size_t)sl_dae_n_value(sl_equations_system(m->system));
    if (m->variables) {
        return true;
    }
    m->tolerances = sl_arena_alloc(&s->arena, (n + 1) * sizeof *m->tolerances);
    m->variables = m->tolerances ? sl_arena_alloc(&s->arena, (n + 1) * sizeof *m->variables) : NULL;
    for (size_t k = 0; m->variables && k < n; k++) {
        m->variables[k] = s->a->x_of[sl_equations_variables(m->system)[k]];
        bool of_cut = m->variables[k] >= s->a->variables.n;
        m->tolerances[k] = of_cut ? 0.0 : s->a->variables.at[m->variables[k]].tolerance;
    }
    return m->variables != NULL;
}

static sl_status compile(void *instance, int32_t id, const int32_t *q, sl_diags *diags, sl_hybrid_mode *out) {
    sha_instance *s = instance;
    (void)q, (void)diags;
    while (s->met.n <= id) {
        if (!SL_PUSH(s->ctx, &s->met, (sha_mode){0})) {
            return SL_ERR_MEMORY;
        }
    }
    sha_mode *m = &s->met.at[id];
    sl_status status = make_system(s, m);
    if (status == SL_OK && !map_unknowns(s, m)) {
        sl_equations_destroy(m->system);
        m->system = NULL;
        status = SL_ERR_MEMORY;
    }
    if (status == SL_OK) {
        *out = (sl_hybrid_mode){.system = *sl_equations_system(m->system),
                                .variables = m->variables,
                                .atols = m->tolerances,
                                .root_variables = m->root_variables};
    }
    return status;
}

static void release(void *instance, int32_t id, const sl_hybrid_mode *mode) {
    sha_instance *s = instance;
    if (id < 0) {
        sl_sha_release_component(s, mode);
        return;
    }
    sl_equations_destroy(s->met.at[id].system);
    s->met.at[id].system = NULL;
}

static void hold(void *instance, int32_t id, const double *x) {
    sha_instance *s = instance;
    for (int32_t j = 0; j < s->a->variables.n; j++) {
        sl_equations_hold(s->met.at[id].system, s->a->variables.at[j].graph, x[j]);
    }
    sl_sha_hold_cuts(s, s->met.at[id].system);
}

static void active(void *instance, int32_t id, const int32_t *q, uint8_t *on) {
    sha_instance *s = instance;
    (void)id;
    sl_sha_follow(s, q);
    memcpy(on, s->on + sha_first_guard(s->a, SL_SHA_ROOT),
           (size_t)s->a->parts[SL_SHA_ROOT].n); /* those of cuts always */
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

/* ---- Actions ------------------------------------------------------------------------------------ */

static const uint8_t *on_actions(const sha_instance *s) {
    return s->on + sha_first_guard(s->a, SL_SHA_ACTION);
}

static sl_status evaluate(sha_instance *s, double t, const double *x, const double *dx, double *new_x, bool *equations,
                          sl_diags *diags) {
    const sl_sha *a = s->a;
    const uint8_t *on = on_actions(s);
    for (int32_t j = 0; j < a->variables.n; j++) {
        s->x[0][a->variables.at[j].graph] = x[j];
        s->x[1][a->variables.at[j].graph] = dx[j];
        s->p[a->variables.at[j].pre] = x[j];
        new_x[j] = x[j];
        new_x[a->variables.n + j] = 0.0; /* who sets it */
    }
    sl_expr_point at = {.t = t, .x = {s->x[0], s->x[1]}, .p = s->p};
    sl_tape_eval(a->value_tape, &at, s->work, s->values);
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTION].n; i++) {
        const sha_element *p = &a->parts[SL_SHA_ACTION].at[i];
        *equations = *equations || (on[i] && p->variable < 0);
        if (!on[i] || p->variable < 0) {
            continue;
        }
        double *setter = &new_x[a->variables.n + p->variable];
        if (*setter != 0.0) {
            sl_report(diags, SL_ERROR, SL_CODE_CONFLICT, NULL, "action", p->symbol,
                      "make the guards of the actions of one variable exclude each other",
                      "at %.12g s the actions '%s' and '%s' both set '%s'", t,
                      a->parts[SL_SHA_ACTION].at[(int32_t)*setter - 1].symbol, p->symbol, x_name(s, p->variable));
            return SL_ERR_SOLVE;
        }
        if (!isfinite(s->values[i])) {
            sl_report(diags, SL_ERROR, SL_CODE_NOT_FINITE, NULL, "action", p->symbol, "values have left its range",
                      "at %.12g s the action '%s' gives no number for '%s'", t, p->symbol, x_name(s, p->variable));
            return SL_ERR_SOLVE;
        }
        *setter = i + 1.0;
        new_x[p->variable] = s->values[i];
        s->p[p->parameter] = s->values[i];
    }
    return SL_OK;
}

/* All active actions as equations for the values after, from the values before. */
static sl_status solve(sha_instance *s, double t, double *new_x, sl_diags *diags) {
    const sl_sha *a = s->a;
    const uint8_t *on = on_actions(s);
    size_t n_action = (size_t)a->parts[SL_SHA_ACTION].n, n_x = (size_t)a->variables.n;
    size_t bytes = (n_action + 1) * sizeof(int32_t), room = (2 * n_x + 1) * sizeof(double);
    int32_t *rows = sl_alloc(s->ctx, bytes), n = 0;
    double *x = sl_alloc(s->ctx, room), *dx = x + n_x;
    sl_equations *e = NULL;
    sl_dae *d = NULL;
    for (int32_t i = 0; rows && i < (int32_t)n_action; i++) {
        if (on[i]) {
            rows[n++] = i;
        }
    }
    sl_dae_def def = sl_dae_default();
    def.rtol = 1e-10;
    def.atol = 1e-12;
    sl_status status =
        rows && x ? sl_equations_create(&a->sets[1], &s->walk, n, rows, 0, NULL, s->p, NULL, &e) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_dae_create(s->ctx, sl_equations_system(e), &def, diags, &d) : status;
    int32_t n_unknown = e ? sl_dae_n_value(sl_equations_system(e)) : 0;
    for (int32_t k = 0; k < n_unknown && status == SL_OK; k++) {
        x[k] = new_x[a->x_of[sl_equations_variables(e)[k]]];
    }
    status = status == SL_OK ? sl_dae_init(d, t, x, dx, NULL, diags) : status == SL_ERR_INPUT ? SL_ERR_SOLVE : status;
    for (int32_t k = 0; k < n_unknown && status == SL_OK; k++) {
        new_x[a->x_of[sl_equations_variables(e)[k]]] = x[k];
    }
    sl_dae_destroy(d);
    sl_equations_destroy(e);
    sl_free(s->ctx, rows, rows ? bytes : 0);
    sl_free(s->ctx, x, x ? room : 0);
    return status;
}

/* The actions in force, as flags and with what they set. */
static void list_acting(sha_instance *s) {
    const sha_elements *actions = &s->a->parts[SL_SHA_ACTION];
    for (int32_t k = 0; k < s->n_acted; k++) {
        s->acted[s->last_acted[k]] = 0;
    }
    s->n_acted = s->n_acting;
    s->n_acted_on = 0;
    for (int32_t k = 0; k < s->n_acting; k++) {
        int32_t i = s->acting[k];
        s->acted[i] = 1;
        s->last_acted[k] = i;
        s->n_acted_on = actions->at[i].variable < 0 || s->n_acted_on < 0 ? -1 : s->n_acted_on + 1;
    }
    for (int32_t k = 0; k < s->n_acted_on; k++) {
        s->acted_on[k] = actions->at[s->acting[k]].variable;
    }
}

static sl_status act(void *instance, double t, const int32_t *q, int32_t n, double *x, const double *dx,
                     sl_diags *diags, bool *acted) {
    sha_instance *s = instance;
    const sl_sha *a = s->a;
    (void)n;
    sl_sha_follow(s, q);
    sl_live_set_time(s->live, sl_sda_run_time(s->run));
    int32_t n_changed = sl_live_update(s->live, s->changed);
    for (int32_t k = 0; k < n_changed; k++) {
        set_bit(s, s->changed[k]);
    }
    list_acting(s);
    *acted = s->n_acted > 0;
    if (!x || !*acted) {
        return SL_OK;
    }
    bool equations = false;
    sl_status status = evaluate(s, t, x, dx, s->new_x, &equations, diags);
    status = status == SL_OK && equations ? solve(s, t, s->new_x, diags) : status;
    if (status == SL_OK) {
        memcpy(x, s->new_x, (size_t)a->variables.n * sizeof *x);
    }
    return status;
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
                                  .mode = mode,
                                  .compile = compile,
                                  .release = release,
                                  .hold = hold,
                                  .active = active,
                                  .incidence = sl_sha_incidence,
                                  .changed = sl_sha_changed,
                                  .force = sl_sha_force,
                                  .compile_part = sl_sha_compile_component,
                                  .stand = sl_sha_stand,
                                  .acted_on = sl_sha_acted_on,
                                  .discrete = discrete,
                                  .act = act,
                                  .limit = sl_sha_limit,
                                  .n_cut = sl_sha_n_cut,
                                  .set_cuts = sl_sha_set_cuts,
                                  .cuts_are_valid = sl_sha_cuts_are_valid,
                                  .cut = sl_sha_cut,
                                  .cut_name = sl_sha_cut_name,
                                  .causes = causes};
