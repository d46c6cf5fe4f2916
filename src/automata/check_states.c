/* SPDX-License-Identifier: MIT */
/* check_states.c: what guards and equations do not tell by their form, found by visiting every state: the definitions word by word.
 *
 * Points: the derivatives at every time and state of the set. Executions: from every state of the set, depth first along all
 * derivatives, with two bits for each time and state: new, open, ends, infinite. One that comes back to an open one after the horizon
 * is infinite. Times are those below the horizon and one period after it (check_times.c). Where guards depend on t for ever,
 * executions are followed as long as there is memory: that all end is a proof even so.
 *
 * A state is a number: the sum of digits times weights. A digit is the value of a variable that matters, or the position of a
 * quantity among its levels, which decides several variables at once. Memory is bounded: two bits per time and state, four bytes
 * per state after the horizon for the longest way, and the stack of the way at hand.
 *
 * Where there are too many states, executions from a set of a few are followed one by one.
 */
#include "automata/check_space.h"

enum {
    MOST_FOLLOWED = 1024, /* states of a set that are followed one by one */
    TIMES_TRIED = 64      /* where guards depend on t for ever */
};

/* ---- Points ------------------------------------------------------------------------------------- */

static void refute_solvable(sl_space *s, int32_t t) {
    const sl_int_array *conflict = &s->run->conflict;
    sl_finding about = SL_NO_FINDING;
    about.kind = conflict->n > 1 ? SL_FINDING_CONTRADICTION : SL_FINDING_NO_SOLUTION;
    about.t = t;
    for (int64_t k = 0; k < conflict->n && k < 2; k++) {
        about.transition[k] = conflict->at[k];
    }
    if (conflict->n > 0) {
        about.variable = s->a->unknowns.at[s->a->transitions.at[conflict->at[0]].first_unknown];
    }
    sl_space_note(s, about);
    s->c->report->solvable = s->c->report->deterministic = SL_REFUTED;
}

static void refute_unique(sl_space *s, int32_t t) {
    const sl_sda_run *run = s->run;
    sl_finding about = SL_NO_FINDING;
    about.kind = SL_FINDING_MANY_SOLUTIONS;
    about.t = t;
    for (int64_t k = 0; k < run->groups.n && about.variable < 0; k++) {
        if (run->groups.at[k].n_solution > 1) {
            about.variable = run->group_variables.at[run->groups.at[k].first_variable];
        }
    }
    for (int64_t k = 0; k < run->active.n && about.variable >= 0 && about.transition[0] < 0; k++) {
        const sl_sda_transition *active = &s->a->transitions.at[run->active.at[k]];
        for (int32_t i = 0; i < active->n_unknown; i++) {
            bool has = s->a->unknowns.at[active->first_unknown + i] == about.variable;
            about.transition[0] = has ? run->active.at[k] : about.transition[0];
        }
    }
    sl_space_note(s, about);
    s->c->report->deterministic = SL_REFUTED;
}

/* Two active transitions of one variable. */
static bool is_exclusive(sl_space *s, uint32_t *mark, uint32_t stamp) {
    const sl_sda_run *run = s->run;
    for (int64_t k = 0; k < run->active.n; k++) {
        const sl_sda_transition *t = &s->a->transitions.at[run->active.at[k]];
        for (int32_t i = 0; i < t->n_unknown; i++) {
            uint32_t *m = &mark[s->a->unknowns.at[t->first_unknown + i]];
            if (*m == stamp) {
                return false;
            }
            *m = stamp;
        }
    }
    return true;
}

/* What is still open of the points: only that is looked for. */
static bool wants_points(const sl_sda_report *r) {
    return r->exclusive == SL_UNKNOWN || r->solvable == SL_UNKNOWN || r->deterministic == SL_UNKNOWN;
}

static void look_at_point(sl_space *s, int32_t t, uint32_t *mark) {
    sl_sda_report *r = s->c->report;
    sl_sda_state found = sl_sda_run_state(s->run);
    if (r->exclusive == SL_UNKNOWN && !is_exclusive(s, mark, (uint32_t)s->n_move)) {
        r->exclusive = SL_REFUTED;
    }
    if (r->solvable == SL_UNKNOWN && found == SL_SDA_UNSOLVABLE) {
        refute_solvable(s, t);
    } else if (r->deterministic == SL_UNKNOWN && found == SL_SDA_UNSOLVABLE) {
        refute_solvable(s, t);
    } else if (r->deterministic == SL_UNKNOWN && found != SL_SDA_GAVE_UP && s->run->n_choice > 1) {
        refute_unique(s, t);
    }
}

static void visit_points(sl_space *s) {
    sl_checker *c = s->c;
    sl_sda_report *r = c->report;
    uint32_t *mark = sl_arena_alloc(&s->arena, ((size_t)s->a->variables.n + 1) * sizeof *mark);
    c->memory = c->memory || !mark || !sl_space_run(s, false);
    int32_t n_time = s->complete ? s->horizon + s->period : TIMES_TRIED;
    int32_t first = c->def.t < 0 ? 0 : c->def.t, end = c->def.t < 0 ? n_time : c->def.t + 1;
    for (int32_t t = first; t < end && wants_points(r) && !c->memory; t++) {
        for (int64_t k = 0; k < s->n && wants_points(r) && !c->memory; k++) {
            if (sl_space_is_in_set(s, k)) {
                if (!sl_space_put(s, t, k, (double)k)) {
                    return;
                }
                look_at_point(s, t, mark);
            }
        }
    }
    if (!c->memory && !s->gave_up && (s->complete || c->def.t >= 0)) {
        sl_verdict *all[] = {&r->exclusive, &r->solvable, &r->deterministic};
        for (int k = 0; k < 3; k++) {
            *all[k] = *all[k] == SL_UNKNOWN ? SL_PROVED : *all[k];
        }
    }
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* What was noted as not decided is decided now. */
static void forget_undecided(sl_checker *c) {
    const sl_sda_report *r = c->report;
    bool points = r->solvable != SL_UNKNOWN && r->deterministic != SL_UNKNOWN, ends = r->zeno_free != SL_UNKNOWN;
    if (points) {
        sl_checker_forget(c, SL_FINDING_COUPLED);
    }
    if (ends) {
        sl_checker_forget(c, SL_FINDING_DEPENDS_IN_A_CYCLE);
        sl_checker_forget(c, SL_FINDING_NO_HORIZON);
    }
    if (r->zeno_free == SL_PROVED) {
        sl_checker_forget(c, SL_FINDING_GOES_ROUND);
        sl_checker_forget(c, SL_FINDING_STANDS_ACTIVE);
    }
    if (points && ends && r->exclusive != SL_UNKNOWN) {
        sl_checker_forget(c, SL_FINDING_GAVE_UP);
    }
}

/* The actions that nobody has decided about yet. */
static void find_waiting(sl_space *s) {
    const sl_sda_report *r = s->c->report;
    for (int64_t i = 0; i < r->n_finding; i++) { /* those that are named already need no look */
        if (r->findings[i].is_action && r->findings[i].kind != SL_FINDING_GAVE_UP) {
            s->acted[r->findings[i].transition[0]] = true;
        }
    }
    for (int32_t i = 0; i < s->c->def.n_action && !s->c->def.counts; i++) {
        s->n_waiting += !s->acted[i];
    }
}

static void visit(sl_space *s, bool points, bool executions) {
    sl_checker *c = s->c;
    c->memory = c->memory || !sl_space_count(s, false, c->def.most_states);
    int64_t n_begin = s->n;
    if (!c->memory && points && s->n > 0) {
        visit_points(s);
    }
    if (c->memory || !executions) {
        return;
    }
    find_waiting(s);
    s->n_move = 0;
    c->memory = !sl_space_count(s, true, c->def.most_states);
    if (!c->memory && s->n > 0) {
        sl_check_executions(s);
    } else if (!c->memory && c->def.counts && n_begin > 0 && n_begin <= MOST_FOLLOWED) {
        c->memory = !sl_space_count(s, false, c->def.most_states);
        sl_check_each_execution(s);
    }
}

void sl_check_states(sl_checker *c) {
    sl_sda_report *r = c->report;
    bool points = wants_points(r);
    bool executions = r->zeno_free == SL_UNKNOWN || c->def.counts || c->undecided;
    if ((points || executions) && c->def.most_states > 0) {
        sl_space s;
        sl_space_init(&s, c);
        visit(&s, points, executions);
        sl_space_fini(&s);
    }
    if (!c->memory) {
        forget_undecided(c);
    }
}
