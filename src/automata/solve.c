/* SPDX-License-Identifier: MIT */
/* solve.c: the discrete derivatives at a point (definition 3.1.2): all whole dq, each component within the domain's span, that
 * satisfy every active equation; what no active equation holds is 0.
 *
 * Active equations fall into groups that share unknowns, and groups are solved apart. In most groups every equation gives its
 * only unknown explicitly. Else the explicit ones are taken first and the rest by search: an equation is looked at as soon as
 * its last unknown has a value. The number of combinations is limited, and giving up is reported.
 */
#include <math.h>
#include <string.h>

#include "automata/sda_impl.h"
#include "base/context.h"

/* What is being solved: equations (transitions) and unknowns (variables), both ascending. */
typedef struct problem {
    sl_sda_run *run;
    int32_t phase;
    const int32_t *equations, *unknowns;
    int64_t n_equation, n_unknown;
    int32_t *value; /* of the unknowns */
    int64_t n_found;
    bool memory, limit;
} problem;

static const sl_sda_phase_transition *phase_transition_of(const problem *p, int64_t i) {
    return sl_sda_phase_transition_at(p->run->a, p->phase, p->equations[i]);
}
static int32_t span_of(const problem *p, int64_t u) {
    return p->run->a->variables.at[p->unknowns[u]].n - 1;
}

/* The place of a variable among the unknowns. */
static int64_t find_unknown(const problem *p, int32_t variable) {
    int64_t low = 0, high = p->n_unknown;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (p->unknowns[middle] <= variable) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool is_whole(double x, int32_t span, int32_t *out) {
    double nearest = round(x);
    if (!(fabs(x - nearest) <= 1e-9) || fabs(nearest) > span) {
        return false;
    }
    *out = (int32_t)nearest;
    return true;
}

static bool keep(problem *p) {
    if (p->n_found >= p->run->def.most_choices) {
        p->run->truncated = true;
        p->limit = true;
        return false;
    }
    for (int64_t u = 0; u < p->n_unknown; u++) {
        if (!SL_PUSH(p->run->ctx, &p->run->values, p->value[u])) {
            p->memory = true;
            return false;
        }
    }
    p->n_found++;
    return true;
}

/* ---- Search ----------------------------------------------------------------------------------------- */

enum { OPEN = INT32_MIN };

/* Whether all unknowns of equation i have values. */
static bool is_complete(const problem *p, int64_t i) {
    const sl_sda *a = p->run->a;
    const sl_sda_transition *t = &a->transitions.at[p->equations[i]];
    for (int32_t k = 0; k < t->n_unknown; k++) {
        if (p->value[find_unknown(p, a->unknowns.at[t->first_unknown + k])] == OPEN) {
            return false;
        }
    }
    return true;
}

/* Gives an unknown its value for the residuals. */
static void try_value(problem *p, int64_t u, int32_t value) {
    const sl_sda *a = p->run->a;
    p->value[u] = value;
    if (value != OPEN) {
        sl_live_set_variable(p->run->live, a->variables.at[p->unknowns[u]].graph, 1, value);
    }
}

/* Whether the equations that unknown u completes hold. */
static bool holds(problem *p, int64_t u) {
    sl_live_update(p->run->live, NULL);
    const sl_sda *a = p->run->a;
    int32_t variable = p->unknowns[u];
    for (int64_t i = 0; i < p->n_equation; i++) {
        const sl_sda_transition *t = &a->transitions.at[p->equations[i]];
        bool has = false;
        for (int32_t k = 0; k < t->n_unknown; k++) {
            has = has || a->unknowns.at[t->first_unknown + k] == variable;
        }
        if (has && !phase_transition_of(p, i)->explicit_value && is_complete(p, i) &&
            !(fabs(sl_live_root(p->run->live, phase_transition_of(p, i)->value_root)) <= 1e-9)) {
            return false;
        }
    }
    return true;
}

/* The position of equation i's last open unknown: there it can be looked at. -1: it has none, or gives its unknown explicitly. */
static int32_t find_completion(const problem *p, int64_t i, const int32_t *open, int64_t n_open) {
    const sl_sda *a = p->run->a;
    const sl_sda_transition *t = &a->transitions.at[p->equations[i]];
    int32_t last = -1;
    for (int32_t k = 0; !phase_transition_of(p, i)->explicit_value && k < t->n_unknown; k++) {
        int32_t u = (int32_t)find_unknown(p, a->unknowns.at[t->first_unknown + k]);
        int64_t low = 0, high = n_open; /* open is ascending */
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (open[middle] < u) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        last = low < n_open && open[low] == u && (int32_t)low > last ? (int32_t)low : last;
    }
    return last;
}

/* Whether the equations that the open unknown at this position completes hold. */
static bool holds_at(const problem *p, int64_t position) {
    sl_live_update(p->run->live, NULL);
    for (int64_t i = 0; i < p->n_equation; i++) {
        if (p->run->completion.at[i] == position &&
            !(fabs(sl_live_root(p->run->live, phase_transition_of(p, i)->value_root)) <= 1e-9)) {
            return false;
        }
    }
    return true;
}

/* Whether any equation at hand holds the unknown: others are 0 (a subset of a group's equations is tried). */
static bool is_mentioned(const problem *p, int64_t u) {
    const sl_sda *a = p->run->a;
    for (int64_t i = 0; i < p->n_equation; i++) {
        const sl_sda_transition *t = &a->transitions.at[p->equations[i]];
        for (int32_t k = 0; k < t->n_unknown; k++) {
            if (a->unknowns.at[t->first_unknown + k] == p->unknowns[u]) {
                return true;
            }
        }
    }
    return false;
}

/* Counts a trial. A run may try more the farther it has got; --effort raises both bounds. */
static bool is_too_much(sl_sda_run *run) {
    double effort = run->ctx->def.effort;
    double most = effort * ((double)run->def.most_work + 1000.0 * (double)run->t);
    if (run->n_trial % 16384 == 16383 && !sl_progress_report(run->ctx, "trying combinations", 0.0, 0.0)) {
        return true; /* who asked for the derivatives is asked to stop, too */
    }
    return (double)++run->n_trial > effort * (double)run->def.most_trials || (double)++run->n_work > most;
}

/* All values of the open unknowns, the last one running fastest: an odometer that turns back where an equation fails. */
static void search(problem *p, const int32_t *open, int64_t n_open) {
    if (n_open == 0) {
        keep(p);
        return;
    }
    sl_int_array *completion = &p->run->completion;
    if (!SL_RESERVE(p->run->ctx, completion, p->n_equation)) {
        p->memory = true;
        return;
    }
    for (int64_t i = 0; i < p->n_equation; i++) {
        completion->at[i] = find_completion(p, i, open, n_open);
    }
    int64_t depth = 0;
    try_value(p, open[0], -span_of(p, open[0]));
    while (depth >= 0) {
        int64_t u = open[depth];
        if (p->value[u] > span_of(p, u)) { /* all tried: the one before goes on */
            p->value[u] = OPEN;
            if (--depth >= 0) {
                try_value(p, open[depth], p->value[open[depth]] + 1);
            }
            continue;
        }
        if (is_too_much(p->run)) {
            p->limit = true;
            return;
        }
        bool good = holds_at(p, depth);
        if (good && depth + 1 < n_open) {
            depth++;
            try_value(p, open[depth], -span_of(p, open[depth]));
            continue;
        }
        if (good && !keep(p)) {
            return;
        }
        try_value(p, u, p->value[u] + 1);
    }
}

/* Values of explicit equations; false: two disagree, or one is not possible. */
static bool take_explicit(problem *p) {
    const sl_sda *a = p->run->a;
    for (int64_t u = 0; u < p->n_unknown; u++) {
        p->value[u] = OPEN;
    }
    for (int64_t i = 0; i < p->n_equation; i++) {
        const sl_sda_phase_transition *part = phase_transition_of(p, i);
        if (!part->explicit_value) {
            continue;
        }
        int64_t u = find_unknown(p, a->unknowns.at[a->transitions.at[p->equations[i]].first_unknown]);
        int32_t value;
        if (!is_whole(sl_live_root(p->run->live, part->value_root), span_of(p, u), &value) ||
            (p->value[u] != OPEN && p->value[u] != value)) {
            return false;
        }
        p->value[u] = value;
    }
    return true;
}

/* All solutions of the problem, appended to the run's values. */
static void solve(problem *p) {
    sl_sda_run *run = p->run;
    p->n_found = 0;
    run->trial.n = run->kept.n = 0;
    if (!SL_RESERVE(run->ctx, &run->trial, p->n_unknown) || !SL_RESERVE(run->ctx, &run->kept, p->n_unknown)) {
        p->memory = true;
        return;
    }
    p->value = run->trial.at;
    if (!take_explicit(p)) {
        return;
    }
    for (int64_t u = 0; u < p->n_unknown; u++) {
        if (p->value[u] == OPEN && !is_mentioned(p, u)) {
            p->value[u] = 0;
        } else if (p->value[u] == OPEN) {
            run->kept.at[run->kept.n++] = (int32_t)u;
        } else {
            try_value(p, u, p->value[u]);
        }
    }
    bool good = true;
    for (int64_t u = 0; good && run->kept.n < p->n_unknown && u < p->n_unknown; u++) {
        good = p->value[u] == OPEN || holds(p, u);
    }
    if (good) {
        search(p, run->kept.at, run->kept.n);
    }
}

/* ---- Equations that exclude each other --------------------------------------------------------------- */

enum { MOST_EXCLUDING = 12 }; /* equations of a group whose subsets are looked at */

static bool has_solution(const problem *p, int64_t n, const int32_t *equations) {
    problem sub = *p;
    int64_t before = p->run->values.n;
    sub.equations = equations;
    sub.n_equation = n;
    solve(&sub);
    p->run->values.n = before;
    return sub.n_found > 0;
}

/* Leaves in conflict equations that cannot hold together, but could if any one were taken away. */
static bool explain_conflict(const problem *p) {
    sl_sda_run *run = p->run;
    run->conflict.n = 0;
    for (int64_t i = 0; i < p->n_equation; i++) {
        if (!SL_PUSH(run->ctx, &run->conflict, p->equations[i])) {
            return false;
        }
    }
    for (int64_t i = 0; p->n_equation <= 64 && i < run->conflict.n;) {
        int32_t one = run->conflict.at[i];
        memmove(run->conflict.at + i, run->conflict.at + i + 1, (size_t)(run->conflict.n - i - 1) * sizeof one);
        if (run->conflict.n > 1 && !has_solution(p, run->conflict.n - 1, run->conflict.at)) {
            run->conflict.n--;
            continue;
        }
        memmove(run->conflict.at + i + 1, run->conflict.at + i, (size_t)(run->conflict.n - i - 1) * sizeof one);
        run->conflict.at[i++] = one;
    }
    return true;
}

/* Removes the last solution if it is among those before. */
static void drop_double(problem *p, int64_t first) {
    sl_sda_run *run = p->run;
    int64_t last = run->values.n - p->n_unknown;
    for (int64_t at = first; at < last; at += p->n_unknown) {
        if (memcmp(run->values.at + at, run->values.at + last, (size_t)p->n_unknown * sizeof(int32_t)) == 0) {
            run->values.n = last;
            return;
        }
    }
}

/* The solutions of all maximal subsets of the equations that have one, largest subsets first. */
static void solve_subsets(problem *p) {
    sl_sda_run *run = p->run;
    int64_t first = run->values.n;
    uint32_t n = (uint32_t)p->n_equation, taken[1 << MOST_EXCLUDING], n_taken = 0;
    int32_t chosen[MOST_EXCLUDING];
    if (p->n_equation > MOST_EXCLUDING) {
        p->limit = true;
        return;
    }
    for (int size = (int)n - 1; size > 0; size--) {
        for (uint32_t mask = 1; mask < 1u << n; mask++) {
            bool inside = __builtin_popcount(mask) != size;
            for (uint32_t k = 0; !inside && k < n_taken; k++) {
                inside = (mask & taken[k]) == mask;
            }
            if (inside) {
                continue;
            }
            int64_t m = 0, before = run->values.n;
            for (uint32_t i = 0; i < n; i++) {
                if (mask >> i & 1u) {
                    chosen[m++] = p->equations[i];
                }
            }
            problem sub = *p;
            sub.equations = chosen;
            sub.n_equation = m;
            solve(&sub);
            p->memory = p->memory || sub.memory;
            p->limit = p->limit || sub.limit;
            if (sub.n_found > 0) {
                taken[n_taken++] = mask;
                int64_t end = run->values.n;
                run->values.n = before;
                for (int64_t at = before; at < end; at += p->n_unknown) {
                    memmove(run->values.at + run->values.n, run->values.at + at,
                            (size_t)p->n_unknown * sizeof(int32_t));
                    run->values.n += p->n_unknown;
                    drop_double(p, first);
                }
            }
        }
    }
    p->n_found = p->n_unknown ? (run->values.n - first) / p->n_unknown : 0;
}

/* ---- Groups ------------------------------------------------------------------------------------------ */

/* The active equations that share unknowns with this one, directly or through others: equations and unknowns, ascending. */
static bool gather(sl_sda_run *run, int32_t phase, int32_t first) {
    const sl_sda *a = run->a;
    sl_context *ctx = run->ctx;
    run->equations.n = run->unknowns.n = 0;
    run->transition_mark[first] = run->stamp;
    bool good = SL_PUSH(ctx, &run->equations, first);
    for (int64_t i = 0; good && i < run->equations.n; i++) {
        const sl_sda_transition *t = &a->transitions.at[run->equations.at[i]];
        for (int32_t k = 0; good && k < t->n_unknown; k++) {
            int32_t u = a->unknowns.at[t->first_unknown + k];
            if (run->mark[u] == run->stamp) {
                continue;
            }
            run->mark[u] = run->stamp;
            good = SL_PUSH(ctx, &run->unknowns, u);
            for (int32_t m = a->first_user[u]; good && m < a->first_user[u + 1]; m++) {
                int32_t other = a->users[m];
                bool active = run->location[(int64_t)phase * a->transitions.n + other] >= 0;
                if (active && run->transition_mark[other] != run->stamp) {
                    run->transition_mark[other] = run->stamp;
                    good = SL_PUSH(ctx, &run->equations, other);
                }
            }
        }
    }
    sl_sda_sort(&run->equations);
    sl_sda_sort(&run->unknowns);
    return good;
}

static bool end_with(sl_sda_run *run, sl_sda_state state) {
    run->state = state;
    return false;
}

static bool add_group(sl_sda_run *run, int32_t phase) {
    sl_context *ctx = run->ctx;
    sl_sda_group group = {run->group_variables.n, run->unknowns.n, run->values.n, 0};
    problem p = {.run = run,
                 .phase = phase,
                 .equations = run->equations.at,
                 .n_equation = run->equations.n,
                 .unknowns = run->unknowns.at,
                 .n_unknown = run->unknowns.n};
    run->n_trial = 0;
    solve(&p);
    if (p.n_found == 0 && !p.memory && !p.limit && run->def.overdetermined_branches) {
        solve_subsets(&p);
    }
    if (p.memory) {
        return end_with(run, SL_SDA_FAILED);
    }
    if (p.n_found == 0) {
        sl_sda_state state = p.limit ? SL_SDA_GAVE_UP : SL_SDA_UNSOLVABLE;
        return end_with(run, explain_conflict(&p) ? state : SL_SDA_FAILED);
    }
    run->truncated = run->truncated || p.limit;
    group.n_solution = p.n_found;
    for (int64_t k = 0; k < group.n_variable; k++) {
        int32_t u = run->unknowns.at[k];
        run->group_of[u] = (int32_t)run->groups.n;
        run->slot_of[u] = (int32_t)k;
        if (!SL_PUSH(ctx, &run->group_variables, u)) {
            return end_with(run, SL_SDA_FAILED);
        }
    }
    bool many = run->n_choice > INT64_MAX / group.n_solution;
    run->n_choice = many ? INT64_MAX : run->n_choice * group.n_solution;
    return SL_PUSH(ctx, &run->groups, group) || end_with(run, SL_SDA_FAILED);
}

bool sl_sda_derive(sl_sda_run *run) {
    const sl_sda *a = run->a;
    int32_t phase = sl_sda_phase(a, run->t);
    const sl_int_array *list = &run->list[phase];
    run->groups.n = run->group_variables.n = run->values.n = run->active.n = run->conflict.n = 0;
    run->n_choice = 1;
    run->truncated = false;
    run->stamp++;
    if (!SL_RESERVE(run->ctx, &run->active, list->n)) {
        return end_with(run, SL_SDA_FAILED);
    }
    for (int64_t i = 0; i < list->n; i++) {
        run->active.at[run->active.n++] = (int32_t)(list->at[i] - (int64_t)phase * a->transitions.n);
    }
    sl_sda_sort(&run->active);
    for (int64_t i = 0; i < run->active.n; i++) {
        if (run->transition_mark[run->active.at[i]] == run->stamp) {
            continue;
        }
        if (!gather(run, phase, run->active.at[i])) {
            return end_with(run, SL_SDA_FAILED);
        }
        if (!add_group(run, phase)) {
            return false;
        }
    }
    return true;
}
