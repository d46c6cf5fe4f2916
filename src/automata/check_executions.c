/* SPDX-License-Identifier: MIT */
/* check_executions.c: every execution, followed (definition 3.1.6 word by word).
 *
 * From every state of the set, depth first along all derivatives, with two bits for each time and state: new, open, ends, infinite. One
 * that comes back to an open one after the horizon is infinite. Times are those below the horizon and one period after it
 * (check_times.c). Where guards depend on t for ever, executions are followed as long as there is memory: that all end is a proof even
 * so. Memory is bounded: two bits per time and state, four bytes per state after the horizon for the longest way, and the stack of
 * the way at hand.
 *
 * Where there are too many states, executions from a set of a few are followed one by one.
 */
#include "automata/check_space.h"

enum {
    MOST_NODES = 400000000, /* times and states */
    MOST_CYCLIC = 20000000, /* after the horizon */
    MOST_CHOICES = 1 << 24, /* derivatives at one point */
    MOST_FOLLOWED = 1024    /* branches of an execution that is followed alone */
};

typedef enum node_mark { MARK_NEW = 0, MARK_OPEN, MARK_ENDS, MARK_INFINITE } node_mark;

typedef struct frame {
    int32_t node;
    bool infinite;
    int64_t next, n_choice;
} frame;

typedef struct walk {
    sl_space *s;
    uint8_t *marks;
    int32_t *longest;
    SL_ARRAY(frame) stack;
    int32_t bound;
} walk;

/* ---- Executions --------------------------------------------------------------------------------- */

static node_mark mark_of(const walk *w, int64_t node) {
    return (node_mark)(w->marks[node >> 2] >> (2 * (node & 3)) & 3);
}
static void set_mark(walk *w, int64_t node, node_mark m) {
    uint8_t *at = &w->marks[node >> 2];
    int shift = 2 * (int)(node & 3);
    *at = (uint8_t)((*at & ~(3 << shift)) | (int)m << shift);
}

static int32_t time_of(const sl_space *s, int64_t node) {
    return (int32_t)(node / s->n);
}
/* Where t is kept: itself up to the horizon, then modulo the period. */
static int64_t place_of(const sl_space *s, int64_t t) {
    return t < s->horizon + s->period ? t : s->horizon + (t - s->horizon) % s->period;
}
static int32_t *longest_of(walk *w, int64_t node) {
    sl_space *s = w->s;
    return time_of(s, node) < s->horizon ? NULL : &w->longest[node - (int64_t)s->horizon * s->n];
}

/* The state that a derivative of the run leads to; -1: it is zero and ends the execution. */
static int64_t successor(const sl_space *s, int64_t state, int64_t choice) {
    const sl_sda_run *run = s->run;
    bool zero = true;
    for (int64_t k = 0; k < run->groups.n; k++) {
        const sl_sda_group *group = &run->groups.at[k];
        const int32_t *d = run->values.at + group->first_value + choice % group->n_solution * group->n_variable;
        choice /= group->n_solution;
        for (int64_t i = 0; i < group->n_variable; i++) {
            int32_t u = run->group_variables.at[group->first_variable + i], n = s->a->variables.at[u].n, q = run->q[u];
            zero = zero && d[i] == 0;
            state += ((q + d[i] + n) % n - q) * s->weight[u];
        }
    }
    return zero && run->def.rule == SL_SDA_UNTIL_ZERO ? -1 : state;
}

/* Can the execution end here? */
static bool may_rest(const sl_space *s) {
    const sl_sda_run *run = s->run;
    if (run->state == SL_SDA_CONVERGED || run->def.rule != SL_SDA_UNTIL_ZERO) {
        return run->state == SL_SDA_CONVERGED;
    }
    bool rests = run->state == SL_SDA_CHOICE;
    for (int64_t k = 0; k < run->groups.n && rests; k++) {
        const sl_sda_group *group = &run->groups.at[k];
        bool any = false;
        for (int64_t j = 0; j < group->n_solution && !any; j++) {
            any = true;
            for (int64_t i = 0; i < group->n_variable; i++) {
                any = any && run->values.at[group->first_value + j * group->n_variable + i] == 0;
            }
        }
        rests = any;
    }
    return rests;
}

/* At rest after at least one step: the actions whose condition holds do act. */
static void act(sl_space *s, int32_t t) {
    sl_live_set_time(s->live, t);
    (void)sl_live_update(s->live, NULL);
    for (int32_t i = 0; i < s->c->def.n_action; i++) {
        if (!s->acted[i] && sl_live_root(s->live, i + 1) != 0.0) {
            s->acted[i] = true;
            s->n_waiting--;
        }
    }
}

/* Comes to a node for the first time. */
static bool enter(walk *w, int64_t node, int32_t begin, double done) {
    sl_space *s = w->s;
    int32_t t = time_of(s, node);
    if (!sl_space_put(s, t, node % s->n, done)) {
        return false;
    }
    set_mark(w, node, MARK_OPEN);
    sl_sda_state found = s->run->state;
    bool goes_on = found == SL_SDA_RUNNING || found == SL_SDA_CHOICE;
    if (goes_on && s->run->n_choice > MOST_CHOICES) {
        s->gave_up = true;
    }
    if (may_rest(s)) {
        w->bound = t < s->horizon && t > w->bound ? t : w->bound;
        if (s->n_waiting > 0 && (t > begin || (t >= s->horizon && w->stack.n > 0))) {
            act(s, t);
        }
    }
    frame f = {(int32_t)node, false, 0, goes_on && s->run->n_choice <= MOST_CHOICES ? s->run->n_choice : 0};
    if (!SL_PUSH(s->a->ctx, &w->stack, f)) {
        s->c->memory = true;
    }
    return !s->c->memory;
}

/* A way from `from` (-1: the beginning, at time begin) to a node that is done. */
static void pass_longest(walk *w, int64_t from, int64_t to, int32_t begin) {
    const sl_space *s = w->s;
    int32_t *there = longest_of(w, to);
    if (!there) {
        return;
    }
    if (from < 0 || time_of(s, from) < s->horizon) {
        int64_t t = (from < 0 ? begin : s->horizon) + (int64_t)*there;
        w->bound = t > w->bound ? (int32_t)t : w->bound;
    } else {
        int32_t *here = longest_of(w, from);
        *here = *there + 1 > *here ? *there + 1 : *here;
    }
}

/* All executions from a state. True: one of them is infinite. */
static bool follow_all(walk *w, int64_t root, int32_t begin, double done) {
    sl_space *s = w->s;
    if (mark_of(w, root) != MARK_NEW) {
        pass_longest(w, -1, root, begin);
        return mark_of(w, root) == MARK_INFINITE;
    }
    w->stack.n = 0;
    if (!enter(w, root, begin, done)) {
        return false;
    }
    int64_t here = root; /* where the run stands */
    while (w->stack.n > 0) {
        frame *f = &w->stack.at[w->stack.n - 1];
        int64_t node = f->node;
        if (f->next < f->n_choice) {
            if (here != node && !sl_space_put(s, time_of(s, node), node % s->n, done)) {
                return false;
            }
            here = node;
            int64_t to = successor(s, node % s->n, f->next++), t = time_of(s, node) + 1;
            if (to < 0) {
                continue;
            }
            if (!s->complete && t >= s->horizon) { /* no time for more */
                s->gave_up = true;
                continue;
            }
            to += place_of(s, t) * s->n;
            switch ((int)mark_of(w, to)) {
            case MARK_NEW:
                if (!enter(w, to, begin, done)) {
                    return false;
                }
                here = to;
                break;
            case MARK_ENDS: pass_longest(w, node, to, begin); break;
            default: f->infinite = true; break;
            }
            continue;
        }
        bool infinite = f->infinite;
        set_mark(w, node, infinite ? MARK_INFINITE : MARK_ENDS);
        w->stack.n--;
        frame *before = w->stack.n > 0 ? &w->stack.at[w->stack.n - 1] : NULL;
        pass_longest(w, before ? before->node : -1, node, begin);
        if (before) {
            before->infinite = before->infinite || infinite;
        }
    }
    return mark_of(w, root) == MARK_INFINITE;
}

static void refute_ends(sl_space *s, int64_t state, int32_t begin) {
    sl_finding about = SL_NO_FINDING;
    about.kind = SL_FINDING_ENDLESS;
    about.t = begin;
    if (sl_space_put(s, begin, state, 0.0)) {
        sl_space_note(s, about);
    }
    s->c->report->zeno_free = SL_REFUTED;
}

static bool take_marks(walk *w) {
    sl_space *s = w->s;
    int64_t times = s->horizon + (s->complete ? s->period : 0), cyclic = s->complete ? s->period * s->n : 1;
    if (times > MOST_NODES / s->n || cyclic > MOST_CYCLIC) {
        return false;
    }
    w->marks = sl_alloc(s->a->ctx, (size_t)(times * s->n / 4 + 1));
    w->longest = sl_alloc(s->a->ctx, (size_t)cyclic * sizeof *w->longest);
    s->c->memory = s->c->memory || !w->marks || !w->longest;
    return !s->c->memory;
}
static void free_marks(walk *w) {
    sl_space *s = w->s;
    int64_t times = s->horizon + (s->complete ? s->period : 0), cyclic = s->complete ? s->period * s->n : 1;
    sl_free(s->a->ctx, w->marks, w->marks ? (size_t)(times * s->n / 4 + 1) : 0);
    sl_free(s->a->ctx, w->longest, w->longest ? (size_t)cyclic * sizeof *w->longest : 0);
    SL_ARRAY_FINI(s->a->ctx, &w->stack);
}

static void report_actions(const sl_space *s) {
    for (int32_t i = 0; i < s->c->def.n_action; i++) {
        sl_finding about = SL_NO_FINDING;
        about.kind = SL_FINDING_NEVER_ACTS;
        about.is_action = true;
        about.transition[0] = i;
        if (!s->acted[i]) {
            sl_checker_note(s->c, about, false);
        }
    }
}

/* From every state: until all that is wanted is known (a verdict, the number in a set, the actions that act). */
static void follow_states(walk *w, int32_t begin) {
    sl_space *s = w->s;
    sl_checker *c = s->c;
    sl_sda_report *r = c->report;
    bool counts = c->def.counts;
    int64_t n_zeno = 0, n_state = 0;
    for (int64_t k = 0; k < s->n && !c->memory && !(s->gave_up && !s->complete); k++) {
        if (!sl_space_is_in_set(s, k)) {
            continue;
        }
        bool infinite = follow_all(w, place_of(s, begin) * s->n + k, begin, (double)k);
        n_state++;
        n_zeno += infinite;
        if (infinite && r->zeno_free != SL_REFUTED && !c->memory) {
            refute_ends(s, k, begin);
        }
        if (!counts && r->zeno_free != SL_UNKNOWN && s->n_waiting == 0) {
            return;
        }
    }
    if (c->memory || s->gave_up) {
        return;
    }
    if (counts) {
        sl_space_report_counts(s, n_state, n_zeno);
    }
    if (r->zeno_free == SL_UNKNOWN) {
        r->zeno_free = SL_PROVED;
        r->bound = w->bound;
    }
    if (s->complete && !counts) {
        report_actions(s);
    }
}

void sl_check_executions(sl_space *s) {
    sl_checker *c = s->c;
    int32_t begin = c->def.t > 0 ? c->def.t : 0;
    walk w = {.s = s, .bound = begin};
    s->horizon += s->n_waiting > 0 && s->horizon == 0; /* what is at 0 only has made no step yet */
    if (!s->complete) {                                /* as many times as there is memory for */
        s->horizon = (int32_t)(MOST_NODES / s->n < 100000 ? MOST_NODES / s->n : 100000);
    }
    if (begin >= s->horizon && !s->complete) {
        return;
    }
    c->memory = c->memory || !sl_space_run(s, c->def.branches);
    s->gave_up = false;
    if (!c->memory && take_marks(&w)) {
        follow_states(&w, begin);
    }
    free_marks(&w);
}

/* ---- A few states of too many ------------------------------------------------------------------- */

typedef SL_ARRAY(sl_sda_run *) runs;

/* All executions from where a run stands, which is taken. */
static sl_verdict follow_branches(walk *w, sl_sda_run *first) {
    sl_space *s = w->s;
    runs open = {0};
    sl_verdict verdict = SL_PROVED;
    int32_t n = 0;
    bool good = SL_PUSH(s->a->ctx, &open, first);
    if (!good) {
        sl_sda_run_destroy(first);
    }
    while (good && open.n > 0 && verdict == SL_PROVED) {
        sl_sda_run *run = open.at[--open.n];
        sl_sda_state end = sl_sda_run_finish(run);
        verdict = end == SL_SDA_ZENO ? SL_REFUTED : end == SL_SDA_BOUND || end == SL_SDA_GAVE_UP ? SL_UNKNOWN : verdict;
        good = end != SL_SDA_FAILED;
        w->bound = end == SL_SDA_CONVERGED && run->t > w->bound ? run->t : w->bound;
        verdict = end == SL_SDA_CHOICE && (run->truncated || n + run->n_choice > MOST_FOLLOWED) ? SL_UNKNOWN : verdict;
        for (int64_t k = 0; end == SL_SDA_CHOICE && verdict == SL_PROVED && good && k < run->n_choice; k++, n++) {
            sl_sda_run *copy = NULL;
            good = sl_sda_run_copy(run, &copy) == SL_OK && SL_PUSH(s->a->ctx, &open, copy);
            if (good) {
                (void)sl_sda_run_step(copy, k);
            } else {
                sl_sda_run_destroy(copy);
            }
        }
        sl_sda_run_destroy(run);
    }
    while (open.n > 0) {
        sl_sda_run_destroy(open.at[--open.n]);
    }
    SL_ARRAY_FINI(s->a->ctx, &open);
    s->c->memory = s->c->memory || !good;
    return verdict;
}

void sl_check_each_execution(sl_space *s) {
    walk one = {.s = s}, *w = &one;
    sl_checker *c = s->c;
    int64_t n_state = 0, n_zeno = 0, n_open = 0;
    int32_t begin = c->def.t > 0 ? c->def.t : 0;
    sl_sda_def def = sl_sda_default();
    def.rule = c->def.rule;
    def.overdetermined_branches = c->def.branches;
    c->memory = c->memory || !sl_space_run(s, c->def.branches);
    w->bound = begin;
    for (int64_t k = 0; k < s->n && !c->memory; k++) {
        sl_sda_run *run = NULL;
        if (!sl_space_is_in_set(s, k) || !sl_space_put(s, begin, k, (double)k)) {
            continue;
        }
        if (sl_sda_run_create(s->a, s->run->q, &def, &run) != SL_OK) {
            c->memory = true;
            return;
        }
        if (begin > 0) {
            (void)sl_sda_run_move(run, begin, 0, NULL, NULL);
        }
        sl_verdict verdict = follow_branches(w, run);
        n_state++;
        n_zeno += verdict == SL_REFUTED;
        n_open += verdict == SL_UNKNOWN;
        if (verdict == SL_REFUTED && c->report->zeno_free != SL_REFUTED) {
            refute_ends(s, k, begin);
        }
    }
    if (!c->memory && n_open == 0) {
        sl_space_report_counts(s, n_state, n_zeno);
        if (c->report->zeno_free == SL_UNKNOWN) {
            c->report->zeno_free = SL_PROVED;
            c->report->bound = w->bound;
        }
    }
}
