/* SPDX-License-Identifier: MIT */
/* check_zeno.c: whether every execution ends (definition 3.1.6).
 *
 * The argument: after the horizon nothing depends on t. Let every variable that can still change be ordered such that it depends
 * on itself and on earlier ones only, and let it change at most m times while the earlier ones stand still. Then it stands still
 * m steps after the last of those it depends on, and all do after a time that the longest chain gives: no execution is longer.
 * How often a variable can change alone is found by following it from value to value, each way with the condition under which it
 * goes there; a way that comes back to where it was is no proof.
 *
 * If executions end only where no guard holds, there must also be none that holds and changes nothing.
 *
 * Where the argument fails, executions from some states are tried: one that repeats refutes. What might go round does so at the
 * horizon; the state to begin with is found by putting the steps up to there into its condition.
 */
#include <string.h>

#include "automata/check_impl.h"

enum {
    FOLLOWED = 4, /* values of a variable that is followed value by value */
    TRIED = 64    /* values of a variable of a random state */
};

typedef struct zeno {
    sl_checker *c;
    sl_expr given; /* where executions begin; SL_EXPR_NONE: anywhere */
    int32_t phase; /* the last */
    bool *moves;
    int32_t *changes;               /* at most so often alone */
    int32_t *rest;                  /* after the horizon it stands still from here on */
    sl_int_array edges, first_edge; /* inputs of each variable */
    sl_expr_list rounds;            /* conditions under which a variable goes round alone */
} zeno;

static bool can_move(const zeno *z, int32_t j) {
    const sl_sda_phase_transition *part = sl_sda_phase_transition_at(z->c->a, z->phase, j);
    const sl_exprs *g = z->c->a->g;
    return !sl_expr_is_const(g, part->guard, 0.0) && !(part->explicit_value && sl_expr_is_const(g, part->value, 0.0));
}

/* ---- One variable alone -------------------------------------------------------------------------------- */

/* e with the variable at a value. */
static sl_expr with_value(zeno *z, sl_expr e, int32_t variable, int32_t value) {
    sl_exprs *g = z->c->a->g;
    sl_expr q = sl_expr_variable(g, z->c->a->variables.at[variable].graph, 0), v = sl_expr_const(g, value);
    return sl_expr_simplify(g, sl_expr_substitute(g, e, 1, &q, &v));
}

/* The condition under which transition j moves the variable from a by d. */
static sl_expr moves_by(zeno *z, int32_t j, int32_t variable, int32_t a, int32_t d) {
    sl_exprs *g = z->c->a->g;
    const sl_sda_phase_transition *part = sl_sda_phase_transition_at(z->c->a, z->phase, j);
    sl_expr guard = with_value(z, part->guard, variable, a), value = with_value(z, part->value, variable, a);
    return sl_expr_2(g, SL_OP_AND, guard, sl_expr_2(g, SL_OP_EQ, sl_checker_whole(z->c, value), sl_expr_const(g, d)));
}

/* The most changes from value a on, under a condition on the others; visited: values on the way. -1: it may go round or nobody
 * knows. Depth is at most the number of values. */
static int32_t follow(zeno *z, int32_t variable, int32_t a, sl_expr condition, unsigned visited) {
    const sl_sda *sda = z->c->a;
    int32_t n = sda->variables.at[variable].n, most = 0;
    sl_finding about = {.kind = SL_FINDING_GOES_ROUND, .variable = variable, .transition = {-1, -1}, .t = z->phase};
    for (int32_t k = sda->first_user[variable]; k < sda->first_user[variable + 1]; k++) {
        int32_t j = sda->users[k];
        for (int32_t d = 1 - n; can_move(z, j) && d < n; d++) {
            if (d == 0) {
                continue;
            }
            sl_expr way = sl_expr_2(sda->g, SL_OP_AND, condition, moves_by(z, j, variable, a, d));
            sl_search_result answer = sl_checker_ask(z->c, way, about);
            if (answer == SL_SEARCH_NO) {
                continue;
            }
            int32_t b = (a + d + n) % n;
            if (answer != SL_SEARCH_YES || (visited >> b & 1u)) {
                about.transition[0] = j;
                if (answer == SL_SEARCH_YES) {
                    sl_checker_note(z->c, about, true);
                    z->c->memory = z->c->memory || !SL_PUSH(sda->ctx, &z->rounds, way);
                }
                return -1;
            }
            int32_t more = follow(z, variable, b, sl_expr_simplify(sda->g, way), visited | 1u << b);
            if (more < 0) {
                return -1;
            }
            most = more + 1 > most ? more + 1 : most;
        }
    }
    return most;
}

/* Whether a variable of many values can change twice in a row. */
static int32_t changes_once(zeno *z, int32_t variable) {
    const sl_sda *a = z->c->a;
    sl_exprs *g = a->g;
    sl_expr q = sl_expr_variable(g, a->variables.at[variable].graph, 0), zero = sl_expr_const(g, 0.0);
    sl_finding about = {.kind = SL_FINDING_GOES_ROUND, .variable = variable, .transition = {-1, -1}, .t = z->phase};
    for (int32_t i = a->first_user[variable]; i < a->first_user[variable + 1]; i++) {
        const sl_sda_phase_transition *x = sl_sda_phase_transition_at(a, z->phase, a->users[i]);
        sl_expr step = sl_checker_whole(z->c, x->value), sum = sl_expr_2(g, SL_OP_ADD, q, step);
        sl_expr next = sl_expr_2(g, SL_OP_MOD, sum, sl_expr_const(g, a->variables.at[variable].n));
        sl_expr first = sl_expr_2(g, SL_OP_AND, x->guard, sl_expr_2(g, SL_OP_NE, step, zero));
        for (int32_t j = a->first_user[variable]; j < a->first_user[variable + 1]; j++) {
            const sl_sda_phase_transition *y = sl_sda_phase_transition_at(a, z->phase, a->users[j]);
            sl_expr moves = sl_expr_2(g, SL_OP_NE, sl_checker_whole(z->c, y->value), zero);
            sl_expr again = sl_expr_2(g, SL_OP_AND, y->guard, moves);
            again = sl_expr_substitute(g, again, 1, &q, &next);
            about.transition[0] = a->users[i];
            about.transition[1] = a->users[j];
            if (sl_checker_ask(z->c, sl_expr_2(g, SL_OP_AND, first, again), about) != SL_SEARCH_NO) {
                about.kind = SL_FINDING_GAVE_UP; /* twice is not for ever */
                sl_checker_note(z->c, about, false);
                return -1;
            }
        }
    }
    return 1;
}

static int32_t changes_alone(zeno *z, int32_t variable) {
    const sl_sda *a = z->c->a;
    int32_t most = 0;
    for (int32_t k = a->first_user[variable]; k < a->first_user[variable + 1]; k++) {
        if (can_move(z, a->users[k]) && !sl_sda_phase_transition_at(a, z->phase, a->users[k])->explicit_value) {
            return -1;
        }
    }
    if (a->variables.at[variable].n > FOLLOWED) {
        return changes_once(z, variable);
    }
    for (int32_t v = 0; v < a->variables.at[variable].n; v++) {
        int32_t n = follow(z, variable, v, sl_expr_const(a->g, 1.0), 1u << v);
        if (n < 0) {
            return -1;
        }
        most = n > most ? n : most;
    }
    return most;
}

/* ---- The order ------------------------------------------------------------------------------------------- */

/* Inputs of every variable that moves: other variables that move, in its guards and equations. */
static bool find_inputs(zeno *z) {
    const sl_sda *a = z->c->a;
    sl_expr_list leaves = {0};
    bool good = true;
    for (int32_t u = 0; good && u < a->variables.n; u++) {
        good = SL_PUSH(a->ctx, &z->first_edge, (int32_t)z->edges.n);
        for (int32_t k = a->first_user[u]; good && k < a->first_user[u + 1]; k++) {
            const sl_sda_phase_transition *part = sl_sda_phase_transition_at(a, z->phase, a->users[k]);
            if (!can_move(z, a->users[k])) {
                continue;
            }
            const sl_expr roots[2] = {part->guard, part->value};
            leaves.n = 0;
            good = sl_expr_leaves(a->g, 2, roots, &leaves) == SL_OK;
            for (int64_t i = 0; good && i < leaves.n; i++) {
                int32_t v = sl_expr_op(a->g, leaves.at[i]) == SL_OP_VARIABLE
                                ? sl_sda_variable_of(a, sl_expr_symbol(a->g, leaves.at[i]))
                                : -1;
                good = v < 0 || v == u || !z->moves[v] || SL_PUSH(a->ctx, &z->edges, v);
            }
        }
    }
    good = good && SL_PUSH(a->ctx, &z->first_edge, (int32_t)z->edges.n);
    sl_expr_list_fini(a->g, &leaves);
    return good;
}

/* rest of all variables, those before them first (an explicit stack: chains may be long). state: 0 new, 1 open, 2 done. A
 * variable that is met while it is open depends on itself. Returns the largest rest, or -1. */
static int32_t find_settled(zeno *z, uint8_t *state, int32_t *stack, int32_t *cyclic) {
    const sl_sda *a = z->c->a;
    int32_t latest = 0;
    for (int32_t s = 0; s < a->variables.n; s++) {
        if (!z->moves[s] || state[s] == 2) {
            continue;
        }
        int32_t n_stack = 0;
        stack[n_stack++] = s;
        while (n_stack > 0) {
            int32_t u = stack[n_stack - 1];
            bool waits = false;
            int32_t after = 0;
            state[u] = 1;
            for (int32_t e = z->first_edge.at[u]; e < z->first_edge.at[u + 1] && !waits; e++) {
                int32_t v = z->edges.at[e];
                if (state[v] == 1) {
                    *cyclic = v;
                    return -1;
                }
                waits = state[v] == 0;
                if (waits) {
                    stack[n_stack++] = v;
                }
                after = z->rest[v] > after ? z->rest[v] : after;
            }
            if (!waits) {
                z->rest[u] = after + z->changes[u];
                latest = z->rest[u] > latest ? z->rest[u] : latest;
                state[u] = 2;
                n_stack--;
            }
        }
    }
    return latest;
}

/* Where only the end of all guards is one: whether what is in force after the horizon always changes something. Then nothing is
 * in force where all stand still. */
static bool is_quiet_when_settled(zeno *z) {
    const sl_sda *a = z->c->a;
    sl_exprs *g = a->g;
    bool quiet = true;
    for (int32_t j = 0; j < a->transitions.n && !z->c->memory; j++) {
        const sl_sda_phase_transition *part = sl_sda_phase_transition_at(a, z->phase, j);
        sl_finding about = SL_NO_FINDING;
        about.kind = SL_FINDING_STANDS_ACTIVE;
        about.transition[0] = j;
        about.t = z->phase;
        sl_expr idle = part->guard;
        if (part->explicit_value) {
            sl_expr zero = sl_expr_2(g, SL_OP_EQ, sl_checker_whole(z->c, part->value), sl_expr_const(g, 0.0));
            idle = sl_expr_simplify(g, sl_expr_2(g, SL_OP_AND, idle, zero));
        }
        sl_search_result answer = sl_checker_ask(z->c, idle, about);
        if (answer == SL_SEARCH_YES) {
            sl_checker_note(z->c, about, true);
            z->c->memory = z->c->memory || !SL_PUSH(a->ctx, &z->rounds, idle);
        }
        quiet = quiet && answer == SL_SEARCH_NO;
    }
    return quiet;
}

/* ---- Refutation ------------------------------------------------------------------------------------------ */

static uint64_t next_random(uint64_t *seed) {
    uint64_t x = *seed += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* When executions begin. */
static int32_t first_time(const zeno *z) {
    return z->c->def.t > 0 ? z->c->def.t : 0;
}

/* Runs from a state; true: it never ends, which is noted. */
static bool try_state(zeno *z, const int32_t *q) {
    sl_checker *c = z->c;
    sl_sda_def def = sl_sda_default();
    sl_sda_run *run;
    if (c->steps_left <= 0) {
        return false;
    }
    def.rule = c->def.rule;
    def.most_work = c->trials_left; /* what all tries may take together; more finds nothing new, as a rule */
    def.most_steps = c->steps_left < def.most_steps ? c->steps_left : def.most_steps;
    def.overdetermined_branches = c->def.branches;
    if (!sl_checker_goes_on(c) || sl_sda_run_create(c->a, q, &def, &run) != SL_OK) {
        c->memory = true;
        return false;
    }
    if (first_time(z) > 0) {
        (void)sl_sda_run_move(run, first_time(z), 0, NULL, NULL);
    }
    bool endless = sl_sda_run_finish(run) == SL_SDA_ZENO;
    c->steps_left -= sl_sda_run_time(run);
    c->trials_left -= run->n_work < c->trials_left ? run->n_work : c->trials_left;
    sl_sda_run_destroy(run);
    if (endless) {
        c->search.witness.n = 0;
        for (int32_t i = 0; i < c->a->variables.n; i++) {
            if (!SL_PUSH(c->a->ctx, &c->search.witness, ((sl_assignment){i, q[i]}))) {
                c->memory = true;
                return false;
            }
        }
        sl_finding f = SL_NO_FINDING;
        f.kind = SL_FINDING_ENDLESS;
        f.t = first_time(z);
        sl_checker_note(c, f, true);
    }
    return endless;
}

/* A variable after a step from time t, as an expression of the state there; SL_EXPR_NONE: an equation is not explicit. */
static sl_expr after_step(zeno *z, int32_t t, int32_t variable) {
    const sl_sda *a = z->c->a;
    sl_exprs *g = a->g;
    sl_expr q = sl_expr_variable(g, a->variables.at[variable].graph, 0), sum = q;
    for (int32_t k = a->first_user[variable]; k < a->first_user[variable + 1]; k++) {
        const sl_sda_phase_transition *part = sl_sda_phase_transition_at(a, t, a->users[k]);
        if (sl_expr_is_const(g, part->guard, 0.0)) {
            continue;
        }
        if (!part->explicit_value) {
            return SL_EXPR_NONE;
        }
        sl_expr value = sl_checker_whole(z->c, part->value);
        sum = sl_expr_2(g, SL_OP_ADD, sum, sl_expr_3(g, SL_OP_IF, part->guard, value, sl_expr_const(g, 0.0)));
    }
    return sum == q ? q : sl_expr_2(g, SL_OP_MOD, sum, sl_expr_const(g, a->variables.at[variable].n));
}

/* What must hold at time t so that the condition holds after a step; SL_EXPR_NONE: not known, or memory. */
static sl_expr before_step(zeno *z, int32_t t, sl_expr condition) {
    const sl_sda *a = z->c->a;
    sl_expr_list from = {0}, to = {0};
    bool good = sl_expr_leaves(a->g, 1, &condition, &from) == SL_OK && SL_RESERVE(a->ctx, &to, from.n);
    for (int64_t i = 0; good && i < from.n; i++) {
        to.at[to.n] = after_step(z, t, sl_sda_variable_of(a, sl_expr_symbol(a->g, from.at[i])));
        good = to.at[to.n++] != SL_EXPR_NONE;
    }
    condition = good ? sl_expr_substitute(a->g, condition, (int32_t)from.n, from.at, to.at) : SL_EXPR_NONE;
    sl_expr_list_fini(a->g, &from);
    sl_expr_list_fini(a->g, &to);
    return condition == SL_EXPR_NONE ? condition : sl_expr_simplify(a->g, condition);
}

/* A random state of the set in which the condition holds: its variables get random values, one after the other, as long as it can
 * hold. */
static bool sample(zeno *z, sl_expr condition, int32_t *q, uint64_t *seed) {
    const sl_sda *a = z->c->a;
    sl_expr_list leaves = {0};
    for (int32_t i = 0; i < a->variables.n; i++) {
        q[i] = (int32_t)(next_random(seed) % (uint64_t)a->variables.at[i].n);
    }
    sl_checker_repair(z->c, q);
    if (z->given != SL_EXPR_NONE) {
        condition = sl_expr_simplify(a->g, sl_expr_2(a->g, SL_OP_AND, condition, z->given));
    }
    condition = sl_checker_with_levels(z->c, condition, true);
    bool good = condition >= 0 && sl_expr_leaves(a->g, 1, &condition, &leaves) == SL_OK;
    good = good && !sl_expr_is_const(a->g, condition, 0.0);
    for (int64_t i = 0; good && i < leaves.n && sl_checker_goes_on(z->c); i++) {
        int32_t v = sl_sda_variable_of(a, sl_expr_symbol(a->g, leaves.at[i])), n = a->variables.at[v].n, first = q[v];
        sl_expr rest = SL_EXPR_NONE;
        good = false;
        for (int32_t k = 0; k < n && k < TRIED && !good; k++) {
            q[v] = (first + k) % n;
            rest = with_value(z, condition, v, q[v]);
            good = sl_search_ask(&z->c->search, rest) == SL_SEARCH_YES;
        }
        condition = rest;
    }
    sl_expr_list_fini(a->g, &leaves);
    return good;
}

/* From states that lead to where a variable goes round at the horizon, if what it depends on stands still. */
static bool try_round(zeno *z, sl_expr condition, int32_t *q, uint64_t *seed, int32_t *n_reached) {
    bool found = false;
    for (int32_t t = z->phase; t-- > first_time(z) && condition != SL_EXPR_NONE && sl_checker_goes_on(z->c);) {
        condition = before_step(z, t, condition);
    }
    for (int32_t k = 0; k < z->c->def.n_try && !found && !z->c->memory && condition != SL_EXPR_NONE; k++) {
        if (!sample(z, condition, q, seed)) {
            return false;
        }
        *n_reached += k == 0;
        found = try_state(z, q);
    }
    return found;
}

/* From 0, from what leads to what might go round, from random states. */
static bool refute(zeno *z, int32_t *q) {
    enum { MOST_ROUNDS = 16 }; /* that can be reached at all */
    sl_checker *c = z->c;
    const sl_sda *a = c->a;
    uint64_t seed = 1;
    int32_t n_reached = 0;
    bool found = false, possible = true;
    memset(q, 0, (size_t)a->variables.n * sizeof *q);
    if (z->given == SL_EXPR_NONE) {
        sl_checker_repair(c, q);
        found = try_state(z, q);
    }
    for (int64_t i = 0; !found && !c->memory && i < z->rounds.n && n_reached < MOST_ROUNDS; i++) {
        found = try_round(z, z->rounds.at[i], q, &seed, &n_reached);
    }
    for (int32_t k = 0; !found && !c->memory && possible && k < c->def.n_try; k++) {
        possible = sample(z, sl_expr_const(a->g, 1.0), q, &seed);
        found = possible && try_state(z, q);
    }
    return found;
}

/* ---- The whole --------------------------------------------------------------------------------------------- */

/* The bound of all executions, or -1: no proof. */
static int32_t prove(zeno *z, uint8_t *state, int32_t *stack) {
    sl_checker *c = z->c;
    const sl_sda *a = c->a;
    sl_finding f = SL_NO_FINDING;
    if (a->horizon < 0 || !a->phased) {
        f.kind = SL_FINDING_NO_HORIZON;
        sl_checker_note(c, f, false);
        return -1;
    }
    bool all = true;
    for (int32_t u = 0; u < a->variables.n && !c->memory; u++) {
        for (int32_t k = a->first_user[u]; k < a->first_user[u + 1]; k++) {
            z->moves[u] = z->moves[u] || can_move(z, a->users[k]);
        }
        z->changes[u] = z->moves[u] ? changes_alone(z, u) : 0;
        all = all && z->changes[u] >= 0;
    }
    int32_t cyclic = -1, latest = -1;
    if (!c->memory && find_inputs(z)) {
        latest = find_settled(z, state, stack, &cyclic);
    } else {
        c->memory = true;
    }
    if (cyclic >= 0) {
        f.kind = SL_FINDING_DEPENDS_IN_A_CYCLE;
        f.variable = cyclic;
        sl_checker_note(c, f, false);
    }
    bool quiet = c->def.rule != SL_SDA_UNTIL_QUIET || is_quiet_when_settled(z);
    int32_t settled = a->horizon > first_time(z) ? a->horizon : first_time(z);
    return all && quiet && latest >= 0 ? settled + latest : -1;
}

/* Will every state be visited anyway? */
static bool is_small(const sl_checker *c) {
    int64_t n = 1;
    for (int32_t v = 0; v < c->a->variables.n && n <= c->def.most_states; v++) {
        n *= c->a->variables.at[v].n;
    }
    return n <= c->def.most_states;
}

void sl_check_zeno(sl_checker *c) {
    const sl_sda *a = c->a;
    size_t n = (size_t)a->variables.n + 1;
    zeno z = {.c = c, .phase = a->n_phase - 1, .given = c->given};
    if (c->def.rule == SL_SDA_UNTIL_BOUND) {
        c->report->zeno_free = SL_PROVED;
        c->report->bound = c->def.most_steps;
        return;
    }
    c->given = SL_EXPR_NONE; /* executions leave the set */
    sl_arena arena;
    sl_arena_init(&arena, a->ctx);
    z.moves = sl_arena_alloc(&arena, n * sizeof *z.moves);
    z.changes = sl_arena_alloc(&arena, n * sizeof *z.changes);
    z.rest = sl_arena_alloc(&arena, n * sizeof *z.rest);
    uint8_t *state = sl_arena_alloc(&arena, n);
    int32_t *q = sl_arena_alloc(&arena, n * sizeof *q), *stack = sl_arena_alloc(&arena, n * sizeof *stack);
    if (!z.moves || !z.changes || !z.rest || !state || !q || !stack) {
        c->memory = true;
    } else {
        c->report->bound = prove(&z, state, stack);
        c->report->zeno_free = c->report->bound >= 0 ? SL_PROVED : SL_UNKNOWN;
        bool may_repeat = a->horizon >= 0 && !is_small(c); /* without a horizon no state is seen to repeat */
        if (c->report->zeno_free == SL_UNKNOWN && !c->memory && may_repeat && refute(&z, q)) {
            c->report->zeno_free = SL_REFUTED;
        }
    }
    c->given = z.given;
    SL_ARRAY_FINI(a->ctx, &z.edges);
    SL_ARRAY_FINI(a->ctx, &z.first_edge);
    SL_ARRAY_FINI(a->ctx, &z.rounds);
    sl_arena_fini(&arena);
}
