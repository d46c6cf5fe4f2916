/* SPDX-License-Identifier: MIT */
/* run.c: executions (definition 3.1.3): q(i + 1) = q(i) + dq(i) modulo the domains, until dq = 0.
 *
 * A step moves the variables that change, and the live values tell the guards that do. Zenoness (3.1.6) is proved by a state that
 * repeats after the horizon: every state has a hash that is kept up to date by its changes; where a hash repeats, the changes
 * since then are added up, and if they cancel the states are equal, not only their hashes.
 */
#include <stdlib.h>
#include <string.h>

#include "automata/sda_impl.h"

sl_sda_def sl_sda_default(void) {
    return (sl_sda_def){.most_steps = 100000, .most_choices = 64, .most_trials = 1000000, .most_work = 4000000};
}

const char *sl_sda_state_text(sl_sda_state state) {
    static const char *const texts[] = {"running", "converged", "unsolvable", "nondeterministic",
                                        "zeno",    "bound",     "given up",   "out of memory"};
    return texts[state];
}

/* ---- Life --------------------------------------------------------------------------------------------- */

static bool alloc_run(sl_sda_run *run) {
    const sl_sda *a = run->a;
    size_t n = (size_t)a->variables.n + 1, m = (size_t)a->transitions.n + 1, parts = (size_t)a->n_phase * m + 1;
    sl_context *ctx = run->ctx;
    run->q = sl_alloc(ctx, n * sizeof *run->q);
    run->group_of = sl_alloc(ctx, n * sizeof *run->group_of);
    run->slot_of = sl_alloc(ctx, n * sizeof *run->slot_of);
    run->mark = sl_alloc(ctx, n * sizeof *run->mark);
    run->transition_mark = sl_alloc(ctx, m * sizeof *run->transition_mark);
    run->location = sl_alloc(ctx, parts * sizeof *run->location);
    run->list = sl_alloc(ctx, (size_t)a->n_phase * sizeof *run->list);
    run->changed = sl_alloc(ctx, ((size_t)a->n_root + 1) * sizeof *run->changed);
    return run->q && run->group_of && run->slot_of && run->mark && run->transition_mark && run->location && run->list &&
           run->changed;
}

void sl_sda_run_destroy(sl_sda_run *run) {
    if (!run) {
        return;
    }
    const sl_sda *a = run->a;
    sl_context *ctx = run->ctx;
    size_t n = (size_t)a->variables.n + 1, m = (size_t)a->transitions.n + 1, parts = (size_t)a->n_phase * m + 1;
    for (int32_t p = 0; run->list && p < a->n_phase; p++) {
        SL_ARRAY_FINI(ctx, &run->list[p]);
    }
    sl_free(ctx, run->q, n * sizeof *run->q);
    sl_free(ctx, run->group_of, n * sizeof *run->group_of);
    sl_free(ctx, run->slot_of, n * sizeof *run->slot_of);
    sl_free(ctx, run->mark, n * sizeof *run->mark);
    sl_free(ctx, run->transition_mark, m * sizeof *run->transition_mark);
    sl_free(ctx, run->location, parts * sizeof *run->location);
    sl_free(ctx, run->list, (size_t)a->n_phase * sizeof *run->list);
    sl_free(ctx, run->changed, ((size_t)a->n_root + 1) * sizeof *run->changed);
    SL_ARRAY_FINI(ctx, &run->active);
    SL_ARRAY_FINI(ctx, &run->conflict);
    SL_ARRAY_FINI(ctx, &run->groups);
    SL_ARRAY_FINI(ctx, &run->group_variables);
    SL_ARRAY_FINI(ctx, &run->values);
    SL_ARRAY_FINI(ctx, &run->changes);
    SL_ARRAY_FINI(ctx, &run->starts);
    SL_ARRAY_FINI(ctx, &run->hashes);
    SL_ARRAY_FINI(ctx, &run->seen);
    SL_ARRAY_FINI(ctx, &run->queue);
    SL_ARRAY_FINI(ctx, &run->equations);
    SL_ARRAY_FINI(ctx, &run->unknowns);
    SL_ARRAY_FINI(ctx, &run->trial);
    SL_ARRAY_FINI(ctx, &run->kept);
    SL_ARRAY_FINI(ctx, &run->completion);
    sl_live_destroy(run->live);
    sl_free(ctx, run, sizeof *run);
}

#define COPY_ARRAY(ctx, to, from)                                                              \
    (SL_RESERVE((ctx), (to), (from)->n) &&                                                     \
     ((from)->n == 0 || memcpy((to)->at, (from)->at, (size_t)(from)->n * sizeof *(to)->at)) && \
     ((to)->n = (from)->n, true))

sl_status sl_sda_run_copy(const sl_sda_run *run, sl_sda_run **out) {
    const sl_sda *a = run->a;
    sl_context *ctx = run->ctx;
    size_t n = (size_t)a->variables.n, m = (size_t)a->transitions.n;
    sl_sda_run *c = sl_alloc(ctx, sizeof *c);
    *out = NULL;
    if (!c) {
        return SL_ERR_MEMORY;
    }
    c->ctx = ctx;
    c->a = a;
    bool good = alloc_run(c) && sl_live_copy(run->live, &c->live) == SL_OK;
    for (int32_t p = 0; good && p < a->n_phase; p++) {
        good = SL_RESERVE(ctx, &c->list[p], a->transitions.n) && COPY_ARRAY(ctx, &c->list[p], &run->list[p]);
    }
    good = good && COPY_ARRAY(ctx, &c->active, &run->active) && COPY_ARRAY(ctx, &c->conflict, &run->conflict) &&
           COPY_ARRAY(ctx, &c->groups, &run->groups) && COPY_ARRAY(ctx, &c->group_variables, &run->group_variables) &&
           COPY_ARRAY(ctx, &c->values, &run->values) && COPY_ARRAY(ctx, &c->changes, &run->changes) &&
           COPY_ARRAY(ctx, &c->starts, &run->starts) && COPY_ARRAY(ctx, &c->hashes, &run->hashes) &&
           COPY_ARRAY(ctx, &c->seen, &run->seen);
    if (!good) {
        sl_sda_run_destroy(c);
        return SL_ERR_MEMORY;
    }
    memcpy(c->q, run->q, n * sizeof *c->q);
    memcpy(c->group_of, run->group_of, n * sizeof *c->group_of);
    memcpy(c->slot_of, run->slot_of, n * sizeof *c->slot_of);
    memcpy(c->mark, run->mark, n * sizeof *c->mark);
    memcpy(c->transition_mark, run->transition_mark, m * sizeof *c->transition_mark);
    memcpy(c->location, run->location, (size_t)a->n_phase * m * sizeof *c->location);
    c->def = run->def;
    c->state = run->state;
    c->truncated = run->truncated;
    c->t = run->t;
    c->t0 = run->t0;
    c->hash = run->hash;
    c->stamp = run->stamp;
    c->n_choice = run->n_choice;
    c->cycle_first = run->cycle_first;
    c->cycle_length = run->cycle_length;
    *out = c;
    return SL_OK;
}

/* ---- Active guards ------------------------------------------------------------------------------------- */

static void set_active(sl_sda_run *run, int32_t part, bool active) {
    sl_int_array *list = &run->list[part / run->a->transitions.n];
    int32_t at = run->location[part];
    if (active && at < 0) {
        run->location[part] = (int32_t)list->n;
        list->at[list->n++] = part; /* there is room for all */
    } else if (!active && at >= 0) {
        int32_t last = list->at[--list->n];
        list->at[at] = last;
        run->location[last] = at;
        run->location[part] = -1;
    }
}

/* All guards, once. */
static bool fill_lists(sl_sda_run *run) {
    const sl_sda *a = run->a;
    for (int32_t p = 0; p < a->n_phase; p++) {
        if (!SL_RESERVE(run->ctx, &run->list[p], a->transitions.n)) {
            return false;
        }
    }
    for (int32_t i = 0; i < a->n_phase * a->transitions.n; i++) {
        run->location[i] = -1;
        set_active(run, i, sl_live_root(run->live, a->parts[i].guard_root) != 0.0);
    }
    return true;
}

static void update_lists(sl_sda_run *run) {
    int32_t n = sl_live_update(run->live, run->changed);
    for (int32_t i = 0; i < n; i++) {
        int32_t root = run->changed[i], part = run->a->transition_of_root[root];
        if (part >= 0) {
            set_active(run, part, sl_live_root(run->live, root) != 0.0);
        }
    }
}

/* ---- States --------------------------------------------------------------------------------------------- */

static uint64_t key_of(int32_t variable, int32_t value) {
    uint64_t z = ((uint64_t)(uint32_t)variable << 32 | (uint32_t)value) + UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static void set_value(sl_sda_run *run, int32_t variable, int32_t value) {
    run->hash ^= key_of(variable, run->q[variable]) ^ key_of(variable, value);
    run->q[variable] = value;
    sl_live_set_variable(run->live, run->a->variables.at[variable].graph, 0, value);
}

/* Whether the state at t is that of now. The first change of a variable since then tells its value at t. */
static bool is_state_of(sl_sda_run *run, int32_t t) {
    bool same = run->hashes.at[t - run->t0] == run->hash;
    run->stamp++;
    for (int64_t i = run->starts.at[t - run->t0]; same && i < run->changes.n; i++) {
        const sl_sda_change *c = &run->changes.at[i];
        same = run->mark[c->variable] == run->stamp || c->from == run->q[c->variable];
        run->mark[c->variable] = run->stamp;
    }
    return same;
}

/* The first time whose state may be met again. */
static int32_t first_counted(const sl_sda_run *run) {
    return run->a->horizon > run->t0 ? run->a->horizon : run->t0;
}

static bool grow_seen(sl_sda_run *run) {
    int64_t n = run->seen.n ? 2 * run->seen.n : 16;
    if (!SL_RESERVE(run->ctx, &run->seen, n)) {
        return false;
    }
    run->seen.n = n;
    memset(run->seen.at, 0xFF, (size_t)n * sizeof *run->seen.at);
    for (int64_t t = first_counted(run); t < run->t0 + run->hashes.n; t++) {
        int64_t i = (int64_t)(run->hashes.at[t - run->t0] & (uint64_t)(n - 1));
        while (run->seen.at[i] >= 0) {
            i = (i + 1) & (n - 1);
        }
        run->seen.at[i] = (int32_t)t;
    }
    return true;
}

/* Notes the state of now; true: it was there before, after the horizon. */
static bool is_repeated(sl_sda_run *run) {
    const sl_sda *a = run->a;
    bool counted = a->horizon >= 0 && run->t >= a->horizon && run->def.rule != SL_SDA_UNTIL_BOUND;
    if (counted && 2 * (run->t - first_counted(run) + 1) > run->seen.n && !grow_seen(run)) {
        run->state = SL_SDA_FAILED;
        return false;
    }
    if (counted) {
        int64_t mask = run->seen.n - 1, i = (int64_t)(run->hash & (uint64_t)mask);
        for (; run->seen.at[i] >= 0; i = (i + 1) & mask) {
            int32_t t = run->seen.at[i];
            if (is_state_of(run, t)) {
                run->cycle_first = t;
                run->cycle_length = run->t - t;
                return true;
            }
        }
        run->seen.at[i] = run->t;
    }
    if (!SL_PUSH(run->ctx, &run->hashes, run->hash)) {
        run->state = SL_SDA_FAILED;
    }
    return false;
}

/* The component of a derivative. */
static int32_t component(const sl_sda_run *run, const sl_sda_group *group, int64_t solution, int64_t slot) {
    return run->values.at[group->first_value + solution * group->n_variable + slot];
}

bool sl_sda_run_is_zero(const sl_sda_run *run, int64_t choice) {
    for (int64_t k = 0; k < run->groups.n; k++) {
        const sl_sda_group *group = &run->groups.at[k];
        int64_t solution = choice % group->n_solution;
        choice /= group->n_solution;
        for (int64_t i = 0; i < group->n_variable; i++) {
            if (component(run, group, solution, i) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* The state at a new point. */
static void arrive(sl_sda_run *run) {
    run->state = SL_SDA_RUNNING;
    bool repeated = is_repeated(run);
    if (run->state == SL_SDA_FAILED) {
        return;
    }
    if (!sl_sda_derive(run)) { /* that of the step after the last one that was asked for may be missing */
        bool made = run->def.rule == SL_SDA_UNTIL_BOUND && run->t >= run->def.most_steps;
        run->state = made && run->state != SL_SDA_FAILED ? SL_SDA_BOUND : run->state;
        return;
    }
    bool ends = run->def.rule == SL_SDA_UNTIL_ZERO    ? run->n_choice == 1 && sl_sda_run_is_zero(run, 0)
                : run->def.rule == SL_SDA_UNTIL_QUIET ? run->active.n == 0
                                                      : false;
    run->state = ends                            ? SL_SDA_CONVERGED
                 : repeated                      ? SL_SDA_ZENO
                 : run->t >= run->def.most_steps ? SL_SDA_BOUND
                 : run->n_choice > 1             ? SL_SDA_CHOICE
                                                 : SL_SDA_RUNNING;
}

/* ---- Moving --------------------------------------------------------------------------------------------- */

static bool is_value(const sl_sda *a, int32_t variable, int32_t value) {
    return value >= 0 && value < a->variables.at[variable].n;
}

sl_status sl_sda_run_create(const sl_sda *a, const int32_t *q0, const sl_sda_def *def, sl_sda_run **out) {
    return sl_sda_run_create_in(a->ctx, a, q0, def, out);
}

sl_status sl_sda_run_create_in(sl_context *ctx, const sl_sda *a, const int32_t *q0, const sl_sda_def *def,
                               sl_sda_run **out) {
    *out = NULL;
    for (int32_t i = 0; i < a->variables.n; i++) {
        if (!a->finished || !is_value(a, i, q0[i])) {
            return SL_ERR_USE;
        }
    }
    size_t n_graph = (size_t)sl_exprs_n_variable(a->g) + 1, size = 2 * n_graph * sizeof(double);
    sl_sda_run *run = sl_alloc(ctx, sizeof *run);
    double *x = sl_alloc(ctx, size);
    bool good = run && x;
    if (run) {
        run->ctx = ctx;
        run->a = a;
        run->def = def ? *def : sl_sda_default();
    }
    good = good && alloc_run(run);
    for (int32_t i = 0; good && i < a->variables.n; i++) {
        run->q[i] = q0[i];
        run->hash ^= key_of(i, q0[i]);
        x[a->variables.at[i].graph] = q0[i];
    }
    if (good) {
        sl_expr_point at = {.t = 0.0, .x = {x, x + n_graph}};
        good = sl_live_create(ctx, a->plan, &at, &run->live) == SL_OK && fill_lists(run);
    }
    sl_free(ctx, x, size);
    if (good) {
        arrive(run);
        good = run->state != SL_SDA_FAILED;
    }
    if (!good) {
        sl_sda_run_destroy(run);
        return SL_ERR_MEMORY;
    }
    *out = run;
    return SL_OK;
}

static int by_variable(const void *a, const void *b) {
    const sl_sda_change *x = a, *y = b;
    return (x->variable > y->variable) - (x->variable < y->variable);
}

/* The changes of a derivative into the history; false: memory. */
static bool note_changes(sl_sda_run *run, int64_t choice) {
    sl_context *ctx = run->ctx;
    int64_t first = run->changes.n;
    bool good = SL_PUSH(ctx, &run->starts, first), sorted = true;
    for (int64_t k = 0; good && k < run->groups.n; k++) {
        const sl_sda_group *group = &run->groups.at[k];
        int64_t solution = choice % group->n_solution;
        choice /= group->n_solution;
        for (int64_t i = 0; good && i < group->n_variable; i++) {
            int32_t dq = component(run, group, solution, i), u = run->group_variables.at[group->first_variable + i];
            int32_t n = run->a->variables.at[u].n, q = run->q[u], to = (int32_t)(((int64_t)q + dq + n) % n);
            if (to != q) {
                sorted = sorted && (run->changes.n == first || run->changes.at[run->changes.n - 1].variable < u);
                good = SL_PUSH(ctx, &run->changes, ((sl_sda_change){u, q, to}));
            }
        }
    }
    if (!sorted) {
        qsort(run->changes.at + first, (size_t)(run->changes.n - first), sizeof *run->changes.at, by_variable);
    }
    return good;
}

sl_sda_state sl_sda_run_step(sl_sda_run *run, int64_t choice) {
    if ((run->state != SL_SDA_RUNNING && run->state != SL_SDA_CHOICE) || choice < 0 || choice >= run->n_choice) {
        return run->state;
    }
    if (run->def.rule == SL_SDA_UNTIL_ZERO && sl_sda_run_is_zero(run, choice)) {
        return run->state = SL_SDA_CONVERGED;
    }
    if (!note_changes(run, choice)) {
        return run->state = SL_SDA_FAILED;
    }
    for (int64_t i = run->starts.at[run->t - run->t0]; i < run->changes.n; i++) {
        set_value(run, run->changes.at[i].variable, run->changes.at[i].to);
    }
    run->t++;
    if (!run->a->phased) {
        sl_live_set_time(run->live, run->t);
    }
    update_lists(run);
    arrive(run);
    return run->state;
}

sl_sda_state sl_sda_run_finish(sl_sda_run *run) {
    while (run->state == SL_SDA_RUNNING) {
        sl_sda_run_step(run, 0);
    }
    return run->state;
}

sl_sda_state sl_sda_run_restart(sl_sda_run *run, int32_t n, const int32_t *variables, const int32_t *values) {
    return sl_sda_run_move(run, 0, n, variables, values);
}

sl_sda_state sl_sda_run_move(sl_sda_run *run, int32_t t, int32_t n, const int32_t *variables, const int32_t *values) {
    for (int32_t i = 0; i < n; i++) {
        if (is_value(run->a, variables[i], values[i])) {
            set_value(run, variables[i], values[i]);
        }
    }
    run->t = run->t0 = t;
    run->changes.n = run->starts.n = run->hashes.n = run->seen.n = 0;
    if (!run->a->phased) {
        sl_live_set_time(run->live, t);
    }
    update_lists(run);
    arrive(run);
    return run->state;
}
