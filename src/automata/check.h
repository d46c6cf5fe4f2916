/* SPDX-License-Identifier: MIT */
/* check.h: what can be said of a discrete automaton without running it. Every answer is proved, refuted with a witness, or
 * unknown. Theory: docs/theory/automata.md#checks.
 *
 *   exclusive      no two transitions of one variable are active at once
 *   solvable       at every t and q there is a derivative (definition 3.1.4)
 *   deterministic  ... exactly one (definition 3.1.5)
 *   zeno_free      no execution is infinite (definition 3.1.6); then every execution ends at t_m <= bound
 *
 * All of these are about every state, or about the states of a set: the definitions are local. What guards and equations do not
 * tell by their form is found by visiting every state (check_states.c), if there are at most so many: then nothing is unknown.
 *
 * Checking makes expressions, in a copy of the automaton's graph.
 */
#ifndef SL_AUTOMATA_CHECK_H
#define SL_AUTOMATA_CHECK_H

#include "automata/sda.h"

typedef enum sl_verdict { SL_PROVED = 0, SL_REFUTED, SL_UNKNOWN } sl_verdict;
const char *sl_verdict_text(sl_verdict verdict); /* "proved", ... */

typedef enum sl_finding_kind {
    SL_FINDING_OVERLAP = 0,   /* two guards of a variable hold at once (the equations agree: not wrong by itself) */
    SL_FINDING_CONTRADICTION, /* they do, and their equations have no common solution there */
    SL_FINDING_NO_SOLUTION,   /* an equation has no solution within the domain while its guard holds */
    SL_FINDING_MANY_SOLUTIONS,
    SL_FINDING_COUPLED,            /* an equation holds several derivatives: not decided */
    SL_FINDING_DEPENDS_IN_A_CYCLE, /* after the horizon variables change each other in a circle */
    SL_FINDING_GOES_ROUND,         /* a variable can go round while nothing else changes */
    SL_FINDING_STANDS_ACTIVE,      /* an equation holds and nothing changes, where only the end of all guards is one */
    SL_FINDING_NO_HORIZON,
    SL_FINDING_ENDLESS,      /* an execution that repeats; the witness is its initial state */
    SL_FINDING_NEVER_ACTIVE, /* a guard that cannot hold */
    SL_FINDING_NEVER_ACTS,   /* an action whose guard can hold, but not where a discrete execution comes to rest */
    SL_FINDING_UNUSED,       /* a variable that nothing reads and nothing changes */
    SL_FINDING_GAVE_UP,      /* a search came to its limit */
    SL_FINDING_KINDS
} sl_finding_kind;

typedef struct sl_assignment {
    int32_t variable, value;
} sl_assignment;

typedef struct sl_finding {
    sl_finding_kind kind;
    int32_t variable;      /* -1: none */
    int32_t transition[2]; /* -1: none; of SL_FINDING_NEVER_ACTS and actions that are never active, [0] is the action */
    bool is_action;
    int32_t t;             /* the time of the witness; the last phase stands for all later times too. -1: none */
    int64_t first_witness; /* of n_witness assignments; variables that are not there may have any value */
    int32_t n_witness;
} sl_finding;

typedef struct sl_sda_report {
    sl_context *ctx;
    sl_verdict exclusive, solvable, deterministic, zeno_free;
    int32_t bound;   /* if zeno_free is proved */
    int64_t n_state; /* of the set, if they were counted; -1: they were not */
    int64_t n_zeno;  /* of these: those from which an execution is infinite; -1: not counted */
    sl_finding *findings;
    int64_t n_finding, cap_finding;
    sl_assignment *witnesses;
    int64_t n_witness, cap_witness;
    int64_t n_case;    /* cases looked at */
    int64_t n_visited; /* states visited */
} sl_sda_report;

/* A variable of two values that only tells whether a quantity is above a level (below, if not above): it is 1 there. */
typedef struct sl_check_level {
    int32_t variable;
    int32_t quantity; /* a number: levels of one quantity belong together */
    double level;     /* the same number for the same level */
    bool above;
} sl_check_level;

typedef struct sl_check_def {
    int64_t most_cases;           /* per question: 100000 */
    int32_t most_findings;        /* of each kind; verdicts take all into account: 100 */
    int32_t n_try;                /* executions tried to refute: 32 */
    int64_t most_states;          /* that are all visited, if need be: 2^20 */
    sl_sda_rule rule;             /* when executions end: SL_SDA_UNTIL_ZERO; those of a number of steps do anyway */
    bool branches;                /* equations that exclude each other are a choice (sl_sda_def) */
    int32_t most_steps;           /* of SL_SDA_UNTIL_BOUND */
    const sl_check_level *levels; /* [n_level] */
    int32_t n_level;
    /* The set that is asked about; counts: its states are to be counted. */
    bool counts;
    const int32_t *at; /* [n_variable] values, -1: any; NULL: any */
    sl_expr where;     /* a condition over the variables, of the automaton's graph; SL_EXPR_NONE: none */
    int32_t t;         /* a time; -1: any (executions begin at 0) */
    /* Conditions under which something is done where a discrete execution has come to rest after at least one step; they may hold t. */
    const sl_expr *actions; /* [n_action], of the automaton's graph */
    int32_t n_action;
} sl_check_def;
sl_check_def sl_check_default(void);

/* SL_ERR_MEMORY; SL_ERR_CANCELLED when the context's progress asks to stop. */
sl_status sl_sda_check(const sl_sda *a, const sl_check_def *def, sl_sda_report *out);
void sl_sda_report_fini(sl_sda_report *report);
/* What findings are called and where they are; NULL, or a function that is NULL: nobody knows. */
typedef struct sl_check_names {
    const void *user;
    const char *(*action)(const void *user, int32_t i); /* the symbol */
    /* Of the guard, equation or variable that a finding is about; NULL: none. */
    const sl_text_location *(*location)(const void *user, const sl_finding *finding);
} sl_check_names;

/* The findings as diagnostics: what refutes is an error, what leaves a question open or looks odd a warning. */
void sl_sda_report_explain(const sl_sda *a, const sl_sda_report *report, const sl_check_names *names, sl_diags *diags);

#endif
