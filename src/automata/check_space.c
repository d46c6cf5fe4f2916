/* SPDX-License-Identifier: MIT */
/* check_space.c: see check_space.h. */
#include "automata/check_space.h"

#include <string.h>

#include "base/context.h"

enum {
    MOST_MOVES = 200000000,
    MOST_KEPT = 1 << 16 /* solutions of one group */
};

/* ---- Digits ------------------------------------------------------------------------------------- */

static bool mark_leaves(sl_space *s, int32_t n, const sl_expr *roots) {
    const sl_sda *a = s->a;
    sl_expr_list leaves = {0};
    bool good = sl_expr_leaves(a->g, n, roots, &leaves) == SL_OK;
    for (int64_t i = 0; good && i < leaves.n; i++) {
        if (sl_expr_op(a->g, leaves.at[i]) == SL_OP_VARIABLE) {
            s->matters[sl_sda_variable_of(a, sl_expr_symbol(a->g, leaves.at[i]))] = true;
        }
    }
    sl_expr_list_fini(a->g, &leaves);
    return good;
}

/* The variables that guards, equations, actions or the set hold. */
static bool find_what_matters(sl_space *s) {
    const sl_checker *c = s->c;
    bool good = c->given == SL_EXPR_NONE || mark_leaves(s, 1, &c->given);
    for (int64_t j = 0; good && j < s->a->transitions.n; j++) {
        const sl_expr both[2] = {s->a->transitions.at[j].guard, s->a->transitions.at[j].equation};
        good = mark_leaves(s, 2, both);
    }
    return good && (c->def.n_action == 0 || mark_leaves(s, c->def.n_action, c->def.actions));
}

/* Digits of all states from which executions begin (moving false), or of all that they come to. False: memory. s->n: how many
 * states, -1: more than most. */
bool sl_space_count(sl_space *s, bool moving, int64_t most) {
    const sl_sda *a = s->a;
    const sl_checker *c = s->c;
    s->digits.n = 0;
    s->n = 1;
    for (int32_t v = 0; v < a->variables.n && s->n >= 0; v++) {
        sl_digit d = {.n = a->variables.at[v].n, .variable = v, .quantity = c->rank[v].quantity, .fixed = -1};
        bool moves = a->first_user[v + 1] > a->first_user[v];
        if (!s->matters[v]) {
            continue;
        }
        if (d.quantity >= 0) {
            bool is_known = false; /* a digit of this quantity */
            for (int64_t k = 0; k < s->digits.n; k++) {
                is_known = is_known || s->digits.at[k].quantity == d.quantity;
            }
            if (is_known) {
                continue;
            }
            d.n = c->n_rank[d.quantity] + 1;
            d.variable = -1;
        } else if (c->def.at && c->def.at[v] >= 0 && !(moving && moves)) {
            d.n = 1;
            d.fixed = c->def.at[v];
        }
        s->weight[v] = s->n;
        s->n = s->n <= most / d.n ? s->n * d.n : -1;
        if (!SL_PUSH(a->ctx, &s->digits, d)) {
            return false;
        }
    }
    return true;
}

/* So many states are one for the checks: those that differ in what does not matter. -1: beyond numbers. */
static int64_t count_alike(const sl_space *s) {
    const sl_checker *c = s->c;
    int64_t n = 1;
    for (int32_t v = 0; v < s->a->variables.n && n > 0; v++) {
        int32_t values = s->matters[v] ? 1 : s->a->variables.at[v].n;
        bool counted = s->matters[v] || c->rank[v].quantity < 0;
        for (int32_t w = 0; w < s->a->variables.n && !counted;
             w++) { /* a quantity counts once, unless one of its levels matters */
            bool same = c->rank[w].quantity == c->rank[v].quantity;
            values = same && (s->matters[w] || w < v) ? 1
                     : same && w == v                 ? c->n_rank[c->rank[v].quantity] + 1
                                                      : values;
            counted = same && (s->matters[w] || w < v);
        }
        n = n <= INT64_MAX / values ? n * values : -1;
    }
    return n;
}

static int32_t value_of(const sl_space *s, const sl_digit *d, int64_t code, int32_t variable) {
    int32_t k = (int32_t)code;
    return d->quantity >= 0 ? sl_level_value(&s->c->rank[variable], k) : d->fixed >= 0 ? d->fixed : k;
}

/* Notes a variable of the state. */
static void note_value(sl_space *s, int32_t *n, int32_t variable, int32_t value) {
    if (sl_sda_run_value(s->run, variable) != value) {
        s->variables[*n] = variable;
        s->values[(*n)++] = value;
    }
    if (s->live) {
        sl_live_set_variable(s->live, s->a->variables.at[variable].graph, 0, value);
    }
}

/* The values of a state by which it differs from that of the run; returns how many. */
static int32_t decode(sl_space *s, int64_t state) {
    int32_t n = 0;
    for (int64_t k = 0; k < s->digits.n; k++) {
        const sl_digit *d = &s->digits.at[k];
        int64_t code = state % d->n;
        state /= d->n;
        if (d->variable >= 0) {
            note_value(s, &n, d->variable, value_of(s, d, code, d->variable));
        }
        for (int32_t v = 0; d->quantity >= 0 && v < s->a->variables.n; v++) {
            if (s->c->rank[v].quantity == d->quantity) {
                note_value(s, &n, v, value_of(s, d, code, v));
            }
        }
    }
    return n;
}

/* The state may have been left by the live values: of the set and the actions. */
bool sl_space_is_in_set(sl_space *s, int64_t state) {
    (void)decode(s, state);
    if (s->c->given == SL_EXPR_NONE) {
        return true;
    }
    (void)sl_live_update(s->live, NULL);
    return sl_live_root(s->live, 0) != 0.0;
}

/* Puts the run to a state; false: it cannot go on. */
bool sl_space_put(sl_space *s, int32_t t, int64_t state, double done) {
    int32_t n = decode(s, state);
    sl_checker *c = s->c;
    sl_sda_state found = sl_sda_run_move(s->run, t, n, s->variables, s->values);
    s->gave_up = s->gave_up || found == SL_SDA_GAVE_UP || sl_sda_run_is_truncated(s->run);
    c->memory = c->memory || found == SL_SDA_FAILED;
    c->report->n_visited++;
    if (++s->n_move % 1024 == 0 && !sl_progress_report(s->a->ctx, "states", done, (double)s->n)) {
        c->cancelled = c->memory = true;
    }
    s->gave_up = s->gave_up || s->n_move > MOST_MOVES;
    return !c->memory && s->n_move <= MOST_MOVES;
}

bool sl_space_run(sl_space *s, bool branches) {
    const sl_checker *c = s->c;
    sl_sda_def def = sl_sda_default();
    def.rule = c->def.rule == SL_SDA_UNTIL_QUIET ? SL_SDA_UNTIL_QUIET : SL_SDA_UNTIL_ZERO;
    def.most_steps = INT32_MAX;
    def.most_choices = MOST_KEPT;
    def.overdetermined_branches = branches;
    sl_sda_run_destroy(s->run);
    s->run = NULL;
    memset(s->values, 0, ((size_t)s->a->variables.n + 1) * sizeof *s->values);
    return sl_sda_run_create(s->a, s->values, &def, &s->run) == SL_OK;
}

/* The condition of the set and those of the actions, live. */
static bool make_live(sl_space *s) {
    const sl_checker *c = s->c;
    sl_expr_list roots = {0};
    sl_exprs *g = s->a->g;
    size_t n_graph = (size_t)sl_exprs_n_variable(g) + 1;
    double *zero = sl_arena_alloc(&s->arena, n_graph * sizeof *zero);
    bool good = zero && SL_PUSH(s->a->ctx, &roots, c->given == SL_EXPR_NONE ? sl_expr_const(g, 1.0) : c->given);
    for (int32_t i = 0; good && i < c->def.n_action; i++) {
        good = SL_PUSH(s->a->ctx, &roots, c->def.actions[i]);
    }
    sl_expr_point at = {.t = 0.0, .x = {zero}};
    good = good && sl_live_plan_create(g, (int32_t)roots.n, roots.at, &s->plan) == SL_OK &&
           sl_live_create(s->a->ctx, s->plan, &at, &s->live) == SL_OK;
    SL_ARRAY_FINI(s->a->ctx, &roots);
    return good;
}

/* The state of the run as the witness of a finding. */
void sl_space_note(sl_space *s, sl_finding about) {
    sl_checker *c = s->c;
    c->search.witness.n = 0;
    for (int32_t v = 0; v < s->a->variables.n; v++) {
        sl_assignment value = {v, sl_sda_run_value(s->run, v)};
        if (s->matters[v] && !SL_PUSH(s->a->ctx, &c->search.witness, value)) {
            c->memory = true;
            return;
        }
    }
    sl_checker_note(c, about, true);
}

void sl_space_report_counts(const sl_space *s, int64_t n_state, int64_t n_zeno) {
    int64_t alike = count_alike(s);
    bool fits = alike > 0 && n_state <= INT64_MAX / alike;
    s->c->report->n_state = fits ? n_state * alike : -1;
    s->c->report->n_zeno = fits ? n_zeno * alike : -1;
}

static bool open_space(sl_space *s) {
    size_t n = (size_t)s->a->variables.n + 1;
    s->matters = sl_arena_alloc(&s->arena, n * sizeof *s->matters);
    s->weight = sl_arena_alloc(&s->arena, n * sizeof *s->weight);
    s->variables = sl_arena_alloc(&s->arena, n * sizeof *s->variables);
    s->values = sl_arena_alloc(&s->arena, n * sizeof *s->values);
    s->acted = sl_arena_alloc(&s->arena, (size_t)s->c->def.n_action + 1);
    return s->matters && s->weight && s->variables && s->values && s->acted && find_what_matters(s) && make_live(s);
}

void sl_space_init(sl_space *s, sl_checker *c) {
    *s = (sl_space){.c = c, .a = c->a, .period = 1};
    sl_arena_init(&s->arena, c->a->ctx);
    c->memory = c->memory || !open_space(s);
    s->complete = !c->memory && sl_check_find_times(c, &s->horizon, &s->period);
}

void sl_space_fini(sl_space *s) {
    sl_sda_run_destroy(s->run);
    sl_live_destroy(s->live);
    sl_live_plan_destroy(s->plan);
    SL_ARRAY_FINI(s->a->ctx, &s->digits);
    sl_arena_fini(&s->arena);
}
