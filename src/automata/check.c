/* SPDX-License-Identifier: MIT */
/* check.c: guards that exclude each other, equations with one solution, guards that never hold, variables that nobody needs. */
#include <math.h>

#include "automata/check_impl.h"
#include "base/context.h"
#include "base/out.h"

static const double WORK = 2e8; /* nodes evaluated by all questions of a check: some seconds */

sl_check_def sl_check_default(void) {
    return (sl_check_def){.most_cases = 100000,
                          .most_findings = 100,
                          .n_try = 32,
                          .most_states = 1 << 20,
                          .where = SL_EXPR_NONE,
                          .t = -1};
}
const char *sl_verdict_text(sl_verdict verdict) {
    static const char *const texts[] = {"proved", "refuted", "unknown"};
    return texts[verdict];
}
void sl_verdict_lower(sl_verdict *verdict, sl_verdict to) {
    if (*verdict != SL_REFUTED) {
        *verdict = to;
    }
}

void sl_checker_note(sl_checker *c, sl_finding finding, bool witness) {
    sl_sda_report *r = c->report;
    if (c->n_of_kind[finding.kind]++ >= c->def.most_findings) {
        return;
    }
    int64_t n = witness ? c->search.witness.n : 0;
    if (!sl_array_reserve(r->ctx, (void **)&r->witnesses, &r->cap_witness, r->n_witness + n + 1,
                          sizeof *r->witnesses) ||
        !sl_array_reserve(r->ctx, (void **)&r->findings, &r->cap_finding, r->n_finding + 1, sizeof *r->findings)) {
        c->memory = true;
        return;
    }
    finding.first_witness = r->n_witness;
    finding.n_witness = (int32_t)n;
    for (int64_t i = 0; i < n; i++) {
        r->witnesses[r->n_witness++] = c->search.witness.at[i];
    }
    r->findings[r->n_finding++] = finding;
}

void sl_checker_forget(sl_checker *c, sl_finding_kind kind) {
    sl_sda_report *r = c->report;
    int64_t n = 0;
    for (int64_t i = 0; i < r->n_finding; i++) {
        if (r->findings[i].kind != kind) {
            r->findings[n++] = r->findings[i];
        }
    }
    r->n_finding = n;
    c->n_of_kind[kind] = 0;
}

bool sl_checker_goes_on(sl_checker *c) {
    if (!c->cancelled && !sl_progress_report(c->a->ctx, "checking", 0.0, 0.0)) {
        c->cancelled = c->memory = true;
    }
    return !c->cancelled;
}

sl_search_result sl_checker_ask(sl_checker *c, sl_expr condition, sl_finding about) {
    if (c->given != SL_EXPR_NONE) {
        condition = sl_expr_2(c->a->g, SL_OP_AND, c->given, condition);
    }
    condition = sl_checker_with_levels(c, sl_expr_simplify(c->a->g, condition), false);
    sl_search_result answer = sl_checker_goes_on(c) ? sl_search_ask(&c->search, condition) : SL_SEARCH_OUT_OF_MEMORY;
    if (answer == SL_SEARCH_OUT_OF_MEMORY) {
        c->memory = true;
    } else if (answer == SL_SEARCH_LIMIT) {
        about.kind = SL_FINDING_GAVE_UP;
        sl_checker_note(c, about, false);
    }
    return answer;
}

/* ---- Values of explicit equations ------------------------------------------------------------------- */

/* Whole whatever its leaves are, by its form: discrete variables and times are whole. */
static bool is_whole(sl_checker *c, sl_expr e) {
    const sl_exprs *g = c->a->g;
    sl_expr_list all = {0};
    bool whole = sl_expr_below(c->a->g, 1, &e, &all) == SL_OK;
    c->memory = c->memory || !whole;
    for (int64_t k = 0; whole && k < all.n; k++) {
        switch ((int)sl_expr_op(g, all.at[k])) {
        case SL_OP_CONST: whole = sl_expr_value(g, all.at[k]) == floor(sl_expr_value(g, all.at[k])); break;
        case SL_OP_VARIABLE:
        case SL_OP_TIME:
        case SL_OP_ADD:
        case SL_OP_NEG:
        case SL_OP_MUL:
        case SL_OP_ABS:
        case SL_OP_SIGN:
        case SL_OP_FLOOR:
        case SL_OP_CEIL:
        case SL_OP_MIN:
        case SL_OP_MAX:
        case SL_OP_IF:
        case SL_OP_LT:
        case SL_OP_LE:
        case SL_OP_EQ:
        case SL_OP_NE:
        case SL_OP_NOT:
        case SL_OP_AND:
        case SL_OP_OR: break;
        default: whole = false; break;
        }
    }
    sl_expr_list_fini(c->a->g, &all);
    return whole;
}

/* As executions take it (solve.c): rounded, if it is whole but for rounding. */
sl_expr sl_checker_whole(sl_checker *c, sl_expr value) {
    sl_exprs *g = c->a->g;
    return is_whole(c, value) ? value
                              : sl_expr_1(g, SL_OP_FLOOR, sl_expr_2(g, SL_OP_ADD, value, sl_expr_const(g, 0.5)));
}

sl_expr sl_checker_not_whole(sl_checker *c, sl_expr value) {
    sl_exprs *g = c->a->g;
    if (is_whole(c, value)) {
        return sl_expr_const(g, 0.0);
    }
    sl_expr off = sl_expr_1(g, SL_OP_ABS, sl_expr_minus(g, value, sl_checker_whole(c, value)));
    return sl_expr_1(g, SL_OP_NOT, sl_expr_2(g, SL_OP_LE, off, sl_expr_const(g, 1e-9)));
}

/* ---- Pairs of transitions --------------------------------------------------------------------------- */

/* Unique solutions, and solutions at all, are in doubt or refuted. */
static void lower(sl_checker *c, sl_verdict to, bool solvable) {
    sl_verdict_lower(&c->report->deterministic, to);
    if (solvable) {
        sl_verdict_lower(&c->report->solvable, to);
    }
}

/* A condition under which something is wrong; solvable: there is no derivative then, not several. */
static void ask_against(sl_checker *c, sl_expr condition, sl_finding about, bool solvable) {
    sl_search_result answer = sl_checker_ask(c, condition, about);
    if (answer == SL_SEARCH_YES) {
        sl_checker_note(c, about, true);
    }
    if (answer != SL_SEARCH_NO) {
        lower(c, answer == SL_SEARCH_YES ? SL_REFUTED : SL_UNKNOWN, solvable);
    }
}

/* Two transitions of a variable in a phase. */
static void check_pair(sl_checker *c, int32_t phase, int32_t variable, int32_t i, int32_t j) {
    sl_exprs *g = c->a->g;
    const sl_sda_phase_transition *x = sl_sda_phase_transition_at(c->a, phase, i),
                                  *y = sl_sda_phase_transition_at(c->a, phase, j);
    sl_finding about = {.kind = SL_FINDING_OVERLAP, .variable = variable, .transition = {i, j}, .t = phase};
    sl_expr both = sl_expr_2(g, SL_OP_AND, x->guard, y->guard);
    sl_search_result answer = sl_checker_ask(c, both, about);
    if (answer == SL_SEARCH_NO) {
        return;
    }
    sl_verdict_lower(&c->report->exclusive, answer == SL_SEARCH_YES ? SL_REFUTED : SL_UNKNOWN);
    if (answer == SL_SEARCH_YES) {
        sl_checker_note(c, about, true);
    }
    if (!x->explicit_value || !y->explicit_value) {
        about.kind = SL_FINDING_COUPLED;
        sl_checker_note(c, about, false);
        lower(c, SL_UNKNOWN, true);
        return;
    }
    about.kind = SL_FINDING_CONTRADICTION;
    sl_expr differ = sl_expr_2(g, SL_OP_NE, sl_checker_whole(c, x->value), sl_checker_whole(c, y->value));
    ask_against(c, sl_expr_2(g, SL_OP_AND, both, differ), about, true);
}

/* ---- Single equations -------------------------------------------------------------------------------- */

enum { MOST_VALUES = 16 }; /* of a derivative that is not given explicitly */

/* A condition that holds where the equation has a solution d. */
static sl_expr solved_by(sl_checker *c, const sl_sda_phase_transition *part, int32_t variable, int32_t d) {
    sl_exprs *g = c->a->g;
    sl_expr der = sl_expr_variable(g, c->a->variables.at[variable].graph, 1), value = sl_expr_const(g, d);
    sl_expr residual = sl_expr_1(g, SL_OP_ABS, sl_expr_substitute(g, part->value, 1, &der, &value));
    return sl_expr_2(g, SL_OP_LE, residual, sl_expr_const(g, 1e-9));
}

static void check_explicit(sl_checker *c, const sl_sda_phase_transition *part, sl_finding about) {
    sl_exprs *g = c->a->g;
    double span = c->a->variables.at[about.variable].n - 1;
    sl_expr value = sl_checker_whole(c, part->value);
    sl_expr outside =
        sl_expr_3(g, SL_OP_OR, sl_expr_2(g, SL_OP_LT, value, sl_expr_const(g, -span)),
                  sl_expr_2(g, SL_OP_LT, sl_expr_const(g, span), value), sl_checker_not_whole(c, part->value));
    about.kind = SL_FINDING_NO_SOLUTION;
    ask_against(c, sl_expr_2(g, SL_OP_AND, part->guard, outside), about, true);
}

/* A condition that holds where no other transition holds the variable: another one could choose among solutions. */
static sl_expr is_alone(sl_checker *c, const sl_finding *about) {
    const sl_sda *a = c->a;
    sl_expr alone = sl_expr_const(a->g, 1.0);
    for (int32_t k = a->first_user[about->variable]; k < a->first_user[about->variable + 1]; k++) {
        if (a->users[k] != about->transition[0]) {
            sl_expr guard = sl_sda_phase_transition_at(a, about->t, a->users[k])->guard;
            alone = sl_expr_2(a->g, SL_OP_AND, alone, sl_expr_1(a->g, SL_OP_NOT, guard));
        }
    }
    return alone;
}

static void check_implicit(sl_checker *c, const sl_sda_phase_transition *part, sl_finding about) {
    sl_exprs *g = c->a->g;
    int32_t span = c->a->variables.at[about.variable].n - 1;
    if (2 * span + 1 > MOST_VALUES) {
        about.kind = SL_FINDING_GAVE_UP;
        sl_checker_note(c, about, false);
        lower(c, SL_UNKNOWN, true);
        return;
    }
    sl_expr count = sl_expr_const(g, 0.0);
    for (int32_t d = -span; d <= span; d++) {
        count = sl_expr_2(g, SL_OP_ADD, count, solved_by(c, part, about.variable, d));
    }
    sl_expr one = sl_expr_const(g, 1.0);
    about.kind = SL_FINDING_NO_SOLUTION;
    ask_against(c, sl_expr_2(g, SL_OP_AND, part->guard, sl_expr_2(g, SL_OP_LT, count, one)), about, true);
    about.kind = SL_FINDING_MANY_SOLUTIONS;
    sl_expr many = sl_expr_2(g, SL_OP_AND, part->guard, sl_expr_2(g, SL_OP_LT, one, count));
    ask_against(c, sl_expr_2(g, SL_OP_AND, many, is_alone(c, &about)), about, false); /* where it is not: check_pair */
}

/* An equation while its guard holds, and whether that can be. Gives whether it can. */
static bool check_transition(sl_checker *c, int32_t phase, int32_t j) {
    const sl_sda *a = c->a;
    const sl_sda_transition *t = &a->transitions.at[j];
    const sl_sda_phase_transition *part = sl_sda_phase_transition_at(a, phase, j);
    sl_finding about = {.variable = a->unknowns.at[t->first_unknown], .transition = {j, -1}, .t = phase};
    about.kind = SL_FINDING_NEVER_ACTIVE;
    sl_search_result possible = sl_checker_ask(c, part->guard, about);
    if (possible == SL_SEARCH_NO) {
        return false;
    }
    if (t->n_unknown > 1) {
        about.kind = SL_FINDING_COUPLED;
        sl_checker_note(c, about, false);
        lower(c, SL_UNKNOWN, true);
    } else if (part->explicit_value) {
        check_explicit(c, part, about);
    } else {
        check_implicit(c, part, about);
    }
    return true;
}

/* The phases of the times that are asked about: first to last. */
static int32_t first_phase(const sl_checker *c) {
    return c->def.t < 0 ? 0 : sl_sda_phase(c->a, c->def.t);
}
static int32_t last_phase(const sl_checker *c) {
    return c->def.t < 0 ? c->a->n_phase - 1 : first_phase(c);
}

/* Is the question about all states and times? */
static bool is_global(const sl_checker *c) {
    return c->given == SL_EXPR_NONE && c->def.t < 0;
}

static void check_transitions(sl_checker *c) {
    const sl_sda *a = c->a;
    for (int32_t j = 0; j < a->transitions.n && !c->memory; j++) {
        bool possible = false;
        for (int32_t p = first_phase(c); p <= last_phase(c) && !c->memory; p++) {
            possible = check_transition(c, p, j) || possible;
        }
        if (!possible && is_global(c)) {
            sl_finding about = SL_NO_FINDING;
            about.kind = SL_FINDING_NEVER_ACTIVE;
            about.variable = a->unknowns.at[a->transitions.at[j].first_unknown];
            about.transition[0] = j;
            sl_checker_note(c, about, false);
        }
    }
}

static void check_pairs(sl_checker *c) {
    const sl_sda *a = c->a;
    for (int32_t u = 0; u < a->variables.n; u++) {
        for (int32_t i = a->first_user[u]; i < a->first_user[u + 1]; i++) {
            for (int32_t j = i + 1; j < a->first_user[u + 1]; j++) {
                for (int32_t p = first_phase(c); p <= last_phase(c) && !c->memory; p++) {
                    check_pair(c, p, u, a->users[i], a->users[j]);
                }
            }
        }
    }
}

/* ---- Actions ------------------------------------------------------------------------------------------ */

/* The condition that a discrete execution can be at rest as far as some transitions are concerned: those that move what the guard of
 * an action holds, and those that hold nothing else. */
static sl_expr rests(sl_checker *c, int32_t phase, sl_expr guard) {
    enum { MOST = 64 }; /* transitions; fewer of them say less, nothing wrong */
    const sl_sda *a = c->a;
    sl_exprs *g = a->g;
    sl_expr_list leaves = {0};
    sl_expr all = sl_expr_const(g, 1.0);
    int32_t n = 0;
    c->memory = c->memory || sl_expr_leaves(g, 1, &guard, &leaves) != SL_OK;
    for (int64_t i = 0; i < leaves.n && !c->memory; i++) {
        bool variable = sl_expr_op(g, leaves.at[i]) == SL_OP_VARIABLE;
        int32_t v = variable ? sl_sda_variable_of(a, sl_expr_symbol(g, leaves.at[i])) : -1;
        for (int32_t k = v < 0 ? 0 : a->first_user[v]; v >= 0 && k < a->first_user[v + 1] && n < MOST; k++, n++) {
            const sl_sda_phase_transition *part = sl_sda_phase_transition_at(a, phase, a->users[k]);
            sl_expr off = sl_expr_1(g, SL_OP_NOT, part->guard), zero = sl_expr_const(g, 0.0);
            sl_expr still = part->explicit_value ? sl_expr_2(g, SL_OP_EQ, sl_checker_whole(c, part->value), zero)
                                                 : sl_expr_const(g, 1.0);
            still = c->def.rule == SL_SDA_UNTIL_QUIET ? zero : still;
            all = sl_expr_2(g, SL_OP_AND, all, sl_expr_2(g, SL_OP_OR, off, still));
        }
    }
    sl_expr_list_fini(g, &leaves);
    return all;
}

/* Can an action act: with its guard true where the transitions rest, after one step at least? */
static void check_action(sl_checker *c, int32_t i) {
    const sl_sda *a = c->a;
    sl_exprs *g = a->g;
    sl_finding about = SL_NO_FINDING;
    sl_expr time = sl_expr_time(g), guard = sl_expr_simplify(g, c->def.actions[i]);
    about.kind = SL_FINDING_NEVER_ACTIVE;
    about.is_action = true;
    about.transition[0] = i;
    sl_search_result possible = sl_checker_ask(c, guard, about);
    if (possible == SL_SEARCH_NO) {
        sl_checker_note(c, about, false);
        return;
    }
    about.kind = SL_FINDING_NEVER_ACTS;
    bool acts = false;
    for (int32_t p = a->n_phase > 1 ? 1 : 0; p < a->n_phase && !acts && !c->memory; p++) {
        sl_expr now = sl_expr_const(g, p), then = guard;
        if (a->phased && p < a->n_phase - 1) {
            then = sl_expr_substitute(g, guard, 1, &time, &now);
        }
        acts = sl_checker_ask(c, sl_expr_2(g, SL_OP_AND, then, rests(c, p, guard)), about) != SL_SEARCH_NO;
    }
    if (!acts && !c->memory) {
        sl_checker_note(c, about, false);
    }
    c->undecided = c->undecided || acts;
}

static void check_actions(sl_checker *c) {
    for (int32_t i = 0; i < c->def.n_action && !c->memory && is_global(c); i++) {
        check_action(c, i);
    }
}

/* ---- Variables --------------------------------------------------------------------------------------- */

static void check_unused(sl_checker *c) {
    const sl_sda *a = c->a;
    sl_expr_list roots = {0}, leaves = {0};
    sl_int_array used = {0};
    bool good = true;
    for (int64_t u = 0; good && u < a->variables.n; u++) {
        good = SL_PUSH(a->ctx, &used, 0);
    }
    for (int64_t j = 0; good && j < a->transitions.n; j++) {
        good = SL_PUSH(a->ctx, &roots, a->transitions.at[j].guard) &&
               SL_PUSH(a->ctx, &roots, a->transitions.at[j].equation);
    }
    good = good && sl_expr_leaves(a->g, (int32_t)roots.n, roots.at, &leaves) == SL_OK;
    for (int64_t i = 0; good && i < leaves.n; i++) {
        if (used.at && sl_expr_op(a->g, leaves.at[i]) == SL_OP_VARIABLE) {
            used.at[sl_sda_variable_of(a, sl_expr_symbol(a->g, leaves.at[i]))] = 1;
        }
    }
    for (int32_t u = 0; good && u < a->variables.n; u++) {
        if (!used.at[u]) {
            sl_finding about = SL_NO_FINDING;
            about.kind = SL_FINDING_UNUSED;
            about.variable = u;
            sl_checker_note(c, about, false);
        }
    }
    c->memory = c->memory || !good;
    sl_expr_list_fini(a->g, &roots);
    sl_expr_list_fini(a->g, &leaves);
    SL_ARRAY_FINI(a->ctx, &used);
}

/* ---- The whole ---------------------------------------------------------------------------------------- */

/* The set that is asked about, as a condition; SL_EXPR_NONE: all states. */
static sl_expr find_given(sl_checker *c) {
    sl_exprs *g = c->a->g;
    sl_expr given = c->def.where == SL_EXPR_NONE ? sl_expr_const(g, 1.0) : c->def.where;
    for (int32_t v = 0; c->def.at && v < c->a->variables.n; v++) {
        if (c->def.at[v] >= 0) {
            sl_expr q = sl_expr_variable(g, c->a->variables.at[v].graph, 0);
            sl_expr is = sl_expr_2(g, SL_OP_EQ, q, sl_expr_const(g, c->def.at[v]));
            given = sl_expr_2(g, SL_OP_AND, given, is);
        }
    }
    return sl_expr_is_const(g, given, 1.0) ? SL_EXPR_NONE : given;
}

static void check_all(sl_checker *c) {
    if (!c->memory) {
        c->given = find_given(c);
        c->def.counts = c->def.counts || c->given != SL_EXPR_NONE || c->def.t >= 0;
        check_transitions(c);
    }
    if (!c->memory) {
        check_pairs(c);
    }
    if (!c->memory && is_global(c)) {
        check_unused(c);
    }
    if (!c->memory) {
        check_actions(c);
    }
    if (!c->memory) {
        sl_check_zeno(c);
    }
    if (!c->memory) {
        sl_check_states(c);
    }
}

sl_status sl_sda_check(const sl_sda *a, const sl_check_def *def, sl_sda_report *out) {
    *out = (sl_sda_report){.ctx = a->ctx, .bound = -1, .n_state = -1, .n_zeno = -1};
    if (!a->finished) {
        return SL_ERR_USE;
    }
    sl_sda own = *a; /* the same automaton over a graph of its own, in which questions are made */
    own.g = sl_exprs_copy(a->ctx, a->g);
    if (!own.g) {
        return SL_ERR_MEMORY;
    }
    sl_checker c = {.a = &own, .def = def ? *def : sl_check_default(), .report = out, .given = SL_EXPR_NONE};
    double effort = a->ctx->def.effort;
    c.steps_left = (int32_t)fmin(300000.0 * effort, INT32_MAX);
    c.trials_left = (int64_t)fmin(1e6 * effort, 0x1p60);
    sl_arena arena;
    sl_arena_init(&arena, a->ctx);
    sl_search_init(&c.search, &own, (int64_t)fmin((double)c.def.most_cases * effort, 0x1p60));
    c.search.work_left = (int64_t)fmin(WORK * effort, 0x1p60);
    c.memory = !sl_checker_rank(&c, &arena);
    check_all(&c);
    out->n_case = c.search.n_case;
    c.cancelled = c.cancelled || c.search.cancelled;
    sl_search_fini(&c.search);
    sl_arena_fini(&arena);
    sl_exprs_destroy(own.g);
    if (c.memory || c.cancelled) {
        sl_sda_report_fini(out);
        return c.cancelled ? SL_ERR_CANCELLED : SL_ERR_MEMORY;
    }
    return SL_OK;
}

void sl_sda_report_fini(sl_sda_report *report) {
    if (report->ctx) {
        sl_free(report->ctx, report->findings, (size_t)report->cap_finding * sizeof *report->findings);
        sl_free(report->ctx, report->witnesses, (size_t)report->cap_witness * sizeof *report->witnesses);
    }
    *report = (sl_sda_report){0};
}

/* ---- In words ------------------------------------------------------------------------------------------ */

static const struct {
    sl_severity severity;
    sl_code code;
    const char *text, *hint;
} words[SL_FINDING_KINDS] = {
    [SL_FINDING_OVERLAP] = {SL_INFO, SL_CODE_NONDETERMINISTIC, "two guards hold at once", NULL},
    [SL_FINDING_CONTRADICTION] = {SL_ERROR, SL_CODE_UNSOLVABLE,
                                  "two guards hold at once and their equations contradict",
                                  "make the guards exclude each other"},
    [SL_FINDING_NO_SOLUTION] = {SL_ERROR, SL_CODE_UNSOLVABLE, "the equation has no solution within the domain",
                                "a derivative is whole and less than the number of values, up or down"},
    [SL_FINDING_MANY_SOLUTIONS] = {SL_ERROR, SL_CODE_NONDETERMINISTIC, "the equation has several solutions", NULL},
    [SL_FINDING_COUPLED] = {SL_WARNING, SL_CODE_NONDETERMINISTIC, "not decided: the equation is not explicit", NULL},
    [SL_FINDING_DEPENDS_IN_A_CYCLE] = {SL_WARNING, SL_CODE_ZENO,
                                       "not decided: it changes and depends on itself through others", NULL},
    [SL_FINDING_GOES_ROUND] = {SL_WARNING, SL_CODE_ZENO, "it can change without end while nothing else changes", NULL},
    [SL_FINDING_STANDS_ACTIVE] =
        {SL_WARNING, SL_CODE_ZENO,
         "the equation can be active and change nothing; with `rest: guards` the execution then does not end",
         "make the guard false where nothing changes, or write `rest: derivative`"},
    [SL_FINDING_NO_HORIZON] = {SL_WARNING, SL_CODE_ZENO, "not decided: guards depend on t for ever",
                               "compare t with constants only"},
    [SL_FINDING_ENDLESS] = {SL_ERROR, SL_CODE_ZENO, "an execution never ends", NULL},
    [SL_FINDING_NEVER_ACTIVE] = {SL_WARNING, SL_CODE_IGNORED, "the guard can never hold", NULL},
    [SL_FINDING_NEVER_ACTS] = {SL_WARNING, SL_CODE_IGNORED,
                               "it never acts: its guard is false in every state in which discrete steps settle",
                               "an action acts after the last of some discrete steps; let a variable that nothing sets "
                               "up to then have the cause"},
    [SL_FINDING_UNUSED] = {SL_WARNING, SL_CODE_IGNORED, "nothing reads or changes the variable", NULL},
    [SL_FINDING_GAVE_UP] = {SL_WARNING, SL_CODE_IGNORED, "not decided: too many cases",
                            "--effort 10 allows ten times as many"},
};

enum { SHOWN = 12 };

static void report_witness(const sl_sda *a, const sl_sda_report *report, const sl_finding *f, sl_out *out) {
    if (f->t >= 0) {
        sl_out_printf(out, ", at t = %d", (int)f->t);
    }
    int32_t shown = 0;
    for (int32_t i = 0; i < f->n_witness && shown <= SHOWN; i++) {
        const sl_assignment *w = &report->witnesses[f->first_witness + i];
        if (f->n_witness > SHOWN && w->value == 0) {
            continue; /* of many only those that are not 0 */
        }
        sl_out_z(out, shown == SHOWN ? ", ..." : shown ? ", " : " with ");
        if (shown++ < SHOWN) {
            sl_out_str(out, sl_sda_variable_name(a, w->variable));
            sl_out_printf(out, " = %d", (int)w->value);
        }
    }
}

static void name_parts(const sl_sda *a, const sl_finding *f, const sl_check_names *names, sl_out *out) {
    const char *kind = f->is_action ? "action" : "transition";
    for (int k = 0; k < 2 && f->transition[k] >= 0; k++) {
        const char *symbol = !f->is_action            ? sl_sda_symbol(a, f->transition[k])
                             : names && names->action ? names->action(names->user, f->transition[k])
                                                      : "";
        sl_out_printf(out, "%s%s %d%s%s", k ? " and " : " (", kind, (int)f->transition[k], symbol[0] ? " " : "",
                      symbol);
    }
    sl_out_z(out, f->transition[0] >= 0 ? ")" : "");
}

void sl_sda_report_explain(const sl_sda *a, const sl_sda_report *report, const sl_check_names *names, sl_diags *diags) {
    for (int64_t i = 0; i < report->n_finding; i++) {
        const sl_finding *f = &report->findings[i];
        const sl_text_location *location = names && names->location ? names->location(names->user, f) : NULL;
        sl_bytes text;
        sl_bytes_init(&text, a->ctx);
        sl_sink sink = sl_bytes_sink(&text);
        sl_out out;
        sl_out_init(&out, &sink);
        if (f->variable >= 0) {
            sl_out_str(&out, sl_sda_variable_name(a, f->variable));
            sl_out_z(&out, ": ");
        }
        sl_out_z(&out, words[f->kind].text);
        name_parts(a, f, names, &out);
        report_witness(a, report, f, &out);
        sl_out_flush(&out);
        sl_report(diags, words[f->kind].severity, words[f->kind].code, location, NULL, NULL, words[f->kind].hint,
                  "%.*s", (int)text.n, text.n ? text.at : "");
        sl_bytes_fini(&text);
    }
}
