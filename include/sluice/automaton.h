/* SPDX-License-Identifier: MIT */
/* sluice/automaton.h: discrete and hybrid automata: building by calls, reading YAML, checking, executing.
 *
 *     sl_automaton_create(ctx, "thermostat", diags, &a);
 *     sl_automaton_add_discrete(a, "hot", 2, 0);                                  values 0 and 1, starts at 0
 *     sl_automaton_add_continuous(a, "T", 20.0, 0.0);
 *     sl_automaton_add_root(a, "upper", "hot", "T - 22", NULL);                   hot follows the sign of T - 22
 *     sl_automaton_add_activity(a, "cool", "der(T) = 0.1*(10 - T)", "hot");
 *     sl_automaton_add_activity(a, "heat", "der(T) = 0.1*(40 - T)", "!hot");
 *     sl_automaton_finish(a);                                                     from here on it is const
 *
 *     sl_execution_info info = {.size = sizeof info};
 *     sl_execution_create(a, NULL, diags, &e);
 *     while (sl_execution_next(e, SL_EVENT_CROSSING, &info) == SL_OK && info.event != SL_EVENT_STOP) ...
 *
 * docs/theory/automata.md defines the elements, docs/reference/automaton.md the YAML files, and docs/theory/expressions.md the grammar of
 * expressions, which are texts. Variables and elements are numbered from 0 in the order in which they were added. All texts are copied.
 * Time is in seconds. Variables have the units that their equations imply.
 *
 * A finished automaton is const: any number of threads may execute and examine it at once. One thread at a time may use an execution.
 * Executions allocate from the automaton's context, whose allocator must then be thread-safe, as malloc is.
 */
#ifndef SLUICE_AUTOMATON_H
#define SLUICE_AUTOMATON_H

#include <sluice/dae.h>
#include <sluice/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_automaton sl_automaton;

/* ---- Building ----------------------------------------------------------------------------------- */

/* Creates an empty automaton. name may be NULL. diags may be NULL; it is used until finish. An add that fails writes a diagnostic with the
 * element's symbol, adds nothing and returns SL_ERR_INPUT; finish then fails too. One check at the end is therefore enough. */
SL_API sl_status sl_automaton_create(sl_context *ctx, const char *name, sl_diags *diags, sl_automaton **out);
/* Reads a finished automaton from YAML. file is the name of the text in messages; file may be NULL. One pass reports every error. */
SL_API sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                   sl_automaton **out);
SL_API void sl_automaton_destroy(sl_automaton *a);

/* Declare names first: an expression may use only names that were declared before it. */
SL_API sl_status sl_automaton_add_parameter(sl_automaton *a, const char *name, double value);
/* A function of one argument, used as name(x): linear between n points of increasing x and constant beyond them; a run warns when it
 * leaves their range. */
SL_API sl_status sl_automaton_add_table(sl_automaton *a, const char *name, int32_t n, const double *x, const double *y);
/* Interpolation between the points of a table, and values beyond them. */
typedef enum sl_between {
    SL_BETWEEN_LINEAR = 0,
    SL_BETWEEN_HOLD, /* the value of the point before */
    SL_BETWEEN_CUBIC /* smooth and monotone: it rises and falls only where the points do */
} sl_between;
typedef enum sl_beyond {
    SL_BEYOND_WARN = 0, /* constant, with a warning */
    SL_BEYOND_CONSTANT,
    SL_BEYOND_EXTEND /* straight, with the slope at the last point */
} sl_beyond;
SL_API sl_status sl_automaton_add_shaped_table(sl_automaton *a, const char *name, int32_t n, const double *x,
                                               const double *y, sl_between between, sl_beyond beyond);
/* A discrete variable with the values 0 to n - 1. */
SL_API sl_status sl_automaton_add_discrete(sl_automaton *a, const char *name, int32_t n, int32_t start);
/* tolerance: absolute; 0: that of the execution. */
SL_API sl_status sl_automaton_add_continuous(sl_automaton *a, const char *name, double start, double tolerance);

/* Definition of a continuous variable. */
typedef struct sl_variable_def {
    size_t size;
    double start;          /* default 0 */
    double tolerance;      /* absolute; 0: that of the execution, times nominal */
    sl_initial_kind kind;  /* meaning of start, default SL_INITIAL_START */
    sl_state_choice state; /* default SL_STATE_DEFAULT */
    double nominal;        /* typical magnitude; 0: 1 */
    double low, high;      /* bounds of its value; -INFINITY, INFINITY */
} sl_variable_def;
SL_DEFAULT(sl_variable_def, sl_variable_default)
/* def NULL: the defaults. */
SL_API sl_status sl_automaton_add_variable(sl_automaton *a, const char *name, const sl_variable_def *def);
/* Sets the unit of a variable or parameter: Pa, kg/m3, m2 s-1. An array is named without brackets. Values are in SI units; another unit
 * (bar) is SL_ERR_USE. Elements added later are refused if they add, compare or equate quantities of different units. Quantities without
 * a unit are not checked. */
SL_API sl_status sl_automaton_set_unit(sl_automaton *a, const char *name, const char *unit);
/* An array of n continuous variables. name has the range of indices: p[1..100], or with integer parameters p[0..N-1]. starts has one value
 * for all elements, or n values; NULL: the start of def. Each element is a variable with the name p[1] and so on. */
SL_API sl_status sl_automaton_add_array(sl_automaton *a, const char *name, int32_t n, const double *starts,
                                        const sl_variable_def *def);
/* An array of parameters. */
SL_API sl_status sl_automaton_add_parameter_array(sl_automaton *a, const char *name, int32_t n, const double *values);
/* An equation that holds only at the start. symbol is a name for people. symbol may be NULL: the library makes one. */
SL_API sl_status sl_automaton_add_initial(sl_automaton *a, const char *symbol, const char *equation);

/* Elements. symbol is a name for people; for NULL or "" the library makes one, except for transitions. guard is a condition on discrete
 * variables, for transitions and actions also on discrete time t; NULL: always true. So symbol and guard may be NULL. */
SL_API sl_status sl_automaton_add_transition(sl_automaton *a, const char *symbol, const char *equation,
                                             const char *guard);
SL_API sl_status sl_automaton_add_activity(sl_automaton *a, const char *symbol, const char *equation,
                                           const char *guard);
/* An action acts after a discrete execution with at least one step. It sets a continuous variable to a value, or it is an equation
 * between the values after the action, in which pre.x is the value before. All active actions are solved together. */
SL_API sl_status sl_automaton_add_action(sl_automaton *a, const char *symbol, const char *variable, const char *value,
                                         const char *guard);
SL_API sl_status sl_automaton_add_action_equation(sl_automaton *a, const char *symbol, const char *equation,
                                                  const char *guard);
/* A root sets a discrete variable to 1 where the function is above 0, and to 0 where it is below. */
SL_API sl_status sl_automaton_add_root(sl_automaton *a, const char *symbol, const char *variable, const char *function,
                                       const char *guard);

/* Condition under which a discrete execution ends. */
typedef enum sl_termination {
    SL_TERMINATION_DERIVATIVE = 0, /* nothing changes any more */
    SL_TERMINATION_GUARDS,         /* no transition is active */
    SL_TERMINATION_STEPS /* after n_step steps, whatever the state; only for automata without continuous variables and roots */
} sl_termination;
SL_API sl_status sl_automaton_set_termination(sl_automaton *a, sl_termination termination, int32_t n_step);
/* Active transitions that contradict each other are an error (false, the default), or a choice between their largest subsets without
 * contradiction (true). */
SL_API sl_status sl_automaton_set_conflicts(sl_automaton *a, bool branch);

SL_API sl_status sl_automaton_finish(sl_automaton *a);

/* ---- Queries ------------------------------------------------------------------------------------ */

SL_API const char *sl_automaton_name(const sl_automaton *a);
SL_API int32_t sl_automaton_n_discrete(const sl_automaton *a);
SL_API int32_t sl_automaton_n_continuous(const sl_automaton *a);
SL_API sl_str sl_automaton_discrete_name(const sl_automaton *a, int32_t i);
SL_API sl_str sl_automaton_continuous_name(const sl_automaton *a, int32_t i);
SL_API int32_t sl_automaton_domain(const sl_automaton *a, int32_t i); /* values of a discrete variable */
/* Index of a variable by name; -1: there is none. */
SL_API int32_t sl_automaton_find_discrete(const sl_automaton *a, const char *name);
SL_API int32_t sl_automaton_find_continuous(const sl_automaton *a, const char *name);

typedef enum sl_automaton_element {
    SL_AUTOMATON_TRANSITION = 0,
    SL_AUTOMATON_ACTIVITY,
    SL_AUTOMATON_ACTION,
    SL_AUTOMATON_ROOT,
    SL_AUTOMATON_ELEMENT_COUNT
} sl_automaton_element;

/* Adds one activity or action for each value of an index. range is "i in 1..N-1"; the texts contain elements such as p[i] and p[i+1]. A
 * smooth activity remains one loop from here to its evaluation, whatever the number of values. variable is the variable that an action
 * sets. symbol, guard and (without such a variable) variable may be NULL. */
SL_API sl_status sl_automaton_add_loop(sl_automaton *a, sl_automaton_element kind, const char *symbol,
                                       const char *range, const char *variable, const char *formula, const char *guard);
SL_API int32_t sl_automaton_n_element(const sl_automaton *a, sl_automaton_element kind);
SL_API const char *sl_automaton_symbol(const sl_automaton *a, sl_automaton_element kind, int32_t i);
/* The continuous variable that an action sets, or the discrete variable that a root sets; -1: none. */
SL_API int32_t sl_automaton_element_variable(const sl_automaton *a, sl_automaton_element kind, int32_t i);

typedef enum sl_formula_form {
    SL_FORMULA_TEXT = 0, /* reads back as the same formula */
    SL_FORMULA_LATEX,    /* for math mode */
    SL_FORMULA_C
} sl_formula_form;
/* Write the guard of an element; and its equation, the value of an action, or the function of a root. They return SL_ERR_MEMORY or the
 * status of the sink. */
SL_API sl_status sl_automaton_write_guard(const sl_automaton *a, sl_automaton_element kind, int32_t i,
                                          sl_formula_form form, const sl_sink *sink);
SL_API sl_status sl_automaton_write_formula(const sl_automaton *a, sl_automaton_element kind, int32_t i,
                                            sl_formula_form form, const sl_sink *sink);

/* Writes the automaton as YAML. Reading the text gives an automaton with the same elements and the same executions, bit for bit. */
SL_API sl_status sl_automaton_write(const sl_automaton *a, const sl_sink *sink);

/* ---- Checks ------------------------------------------------------------------------------------- */

/* Properties of an automaton that are found without running it. A verdict is "proved", "refuted" or "unknown" and concerns the discrete
 * variables. Variables of roots may have every combination of values that the roots allow: h > 1 and not h > 0.5 is excluded. With at
 * most a million states no verdict is "unknown": if necessary, every state is visited. The equations are those that are active at the
 * start. */
typedef struct sl_automaton_facts {
    size_t size;
    int32_t n_discrete, n_continuous, n_transition, n_activity, n_action, n_root;
    const char *exclusive;     /* no two transitions of one variable are active at once */
    const char *deterministic; /* every state has exactly one derivative */
    const char *zeno_free;     /* every discrete execution ends */
    int32_t bound;             /* largest number of steps, if zeno_free is proved */
    int32_t n_equation;        /* at the start */
    const char *form;          /* "linear, semi-explicit, constant coefficients" */
    int32_t index;             /* structural; -1: over- or underdetermined */
    const char *solvable;      /* every state has at least one derivative */
    int64_t n_state;           /* number of states of a set; -1: not counted, or no set */
    int64_t n_zeno;            /* number of these states from which some execution never ends; -1 as n_state */
} sl_automaton_facts;

/* A set of states: solvability, determinism and zenoness are local (definitions 3.1.4 to 3.1.6 of the thesis). */
typedef struct sl_automaton_where {
    size_t size;
    const int32_t *states; /* [n_discrete] values, -1: any; NULL: any */
    const char *condition; /* on discrete variables; NULL: none */
    int32_t t;             /* discrete time; -1: any, and executions begin at 0 */
} sl_automaton_where;
SL_DEFAULT(sl_automaton_where, sl_automaton_where_default)

/* Examines an automaton. SL_ERR_INPUT: a property is refuted (determinism only if choices are an error), or the equations at the start
 * are over- or underdetermined. The diagnostics have the reason and a state that shows it. facts is filled as far as possible. */
SL_API sl_status sl_automaton_examine(const sl_automaton *a, sl_diags *diags, sl_automaton_facts *facts);
/* The same, with verdicts about the states of a set. where NULL: all states. SL_ERR_USE: a value is outside its domain. SL_ERR_INPUT also
 * if the condition has errors. SL_ERR_CANCELLED: the context's progress callback asked to stop. */
SL_API sl_status sl_automaton_examine_at(const sl_automaton *a, const sl_automaton_where *where, sl_diags *diags,
                                         sl_automaton_facts *facts);
/* sl_automaton_examine for YAML text; SL_ERR_INPUT also if the text has errors. file may be NULL. */
SL_API sl_status sl_automaton_check(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                    sl_automaton_facts *facts);

/* The structure of the equations that are active for these values of the discrete variables ([n_discrete]; states NULL: the start values),
 * after reduction. States are selected at the start values. each receives the differentiated equations, then every variable and its
 * derivatives that occur; each and user may be NULL. SL_ERR_INPUT with diagnostics: the equations are over- or underdetermined; out is
 * filled as far as possible. */
SL_API sl_status sl_automaton_structure(const sl_automaton *a, const int32_t *states,
                                        void (*each)(void *user, const sl_structure_item *item), void *user,
                                        sl_diags *diags, sl_structure *out);

/* The computed start values: each receives every continuous variable; each and user may be NULL. An automaton without fixed values,
 * guesses, bounds and initial equations needs no computation before an execution: out is 0 then, and each is not called. */
SL_API sl_status sl_automaton_initial(const sl_automaton *a, void (*each)(void *user, const sl_initial_item *item),
                                      void *user, sl_initial *out);

/* ---- Executions --------------------------------------------------------------------------------- */

/* Treatment of a discrete step with several derivatives. */
typedef enum sl_choices {
    SL_CHOICES_ERROR = 0, /* the execution ends with an error that lists them */
    SL_CHOICES_FIRST,     /* the first one is selected */
    SL_CHOICES_ASK        /* the execution waits at SL_EVENT_CHOICE for sl_execution_choose; an error in sessions */
} sl_choices;

/* Treatment of a variable that changes more often than the limits below. */
typedef enum sl_chattering {
    SL_CHATTERING_ERROR = 0, /* the execution ends with an error that names it */
    SL_CHATTERING_SLIDE, /* the motion follows the line between two modes that lead into each other (Filippov 1988) */
    SL_CHATTERING_HOLD   /* the variable is held for a thousandth of the run, with a warning */
} sl_chattering;

typedef struct sl_execution_def {
    size_t size;
    double end;        /* [s], default INFINITY */
    double report;     /* step of the reports of sessions [s]; 0: none */
    double rtol, atol; /* tolerances of continuous variables, default 1e-6 and 1e-9 */
    double root_tol;   /* distance from zero after which a root can cross again, default 1e-10 */
    double max_step;   /* [s]; 0: none */
    int32_t
        max_discrete; /* steps of a discrete execution, default 10000. More are a zeno execution, as with the next two */
    int32_t max_round; /* changes of one variable at one instant, default 20 */
    int32_t max_event; /* changes of one variable or crossings of its roots within the window, default 50 */
    double window;     /* [s]; 0: 1e-6 of the run's length, at least 1e3 times the resolution of time */
    sl_choices choices;
    /* Of the automaton as a whole, set by sl_automaton_set_run: an execution's own definition cannot change them. */
    int32_t n_step;           /* exact number of steps, only without continuous variables and roots; -1: by
                       the termination */
    bool relax;               /* contradicting transitions are a choice, whatever sl_automaton_set_conflicts has set */
    sl_chattering chattering; /* set SL_CHATTERING_SLIDE before sl_automaton_finish */
} sl_execution_def;

SL_DEFAULT(sl_execution_def, sl_execution_default)
/* The default definition of executions, which sessions use: that of the file, or the one that was set. */
SL_API sl_status sl_automaton_get_run(const sl_automaton *a, sl_execution_def *out);
/* Sets the default definition of executions. SL_ERR_USE: a value is not possible, for instance n_step of an automaton with continuous
 * variables. No other thread may use the automaton during the call. def may be NULL: the defaults. */
SL_API sl_status sl_automaton_set_run(sl_automaton *a, const sl_execution_def *def);

/* Pieces of an execution, as bits; docs/theory/hybrid.md has their order. An automaton without continuous variables and roots has
 * one discrete execution: init, transitions, settled, stop. */
typedef enum sl_event {
    SL_EVENT_INIT = 1,       /* consistent values at the start */
    SL_EVENT_ROOT = 2,       /* discrete variables set from the signs of the roots */
    SL_EVENT_TRANSITION = 4, /* a discrete step */
    SL_EVENT_SETTLED = 8,    /* a discrete execution has settled */
    SL_EVENT_ACTION = 16,    /* values after actions, made consistent, and discrete variables after the roots */
    SL_EVENT_STEP = 32,      /* a complete step of continuous motion */
    SL_EVENT_CROSSING = 64,  /* a step that a root ended */
    SL_EVENT_JUMP = 128,     /* a step that ended at a jump of an equation */
    SL_EVENT_STOP = 256,     /* the end */
    SL_EVENT_CHOICE = 512,   /* the coming discrete step has several derivatives: choose one */
    SL_EVENT_ANY = 1023
} sl_event;
/* "init", "root", ... */
SL_API const char *sl_event_text(sl_event event);

typedef struct sl_execution_info {
    size_t size;
    sl_event event;
    double begin, time; /* of the piece [s]; they differ only for steps */
    int32_t step;       /* discrete time */
    int32_t n_changed;  /* discrete variables that the piece changed */
} sl_execution_info;

typedef struct sl_execution sl_execution;

/* The automaton is borrowed. def NULL: the automaton's default. */
SL_API sl_status sl_execution_create(const sl_automaton *a, const sl_execution_def *def, sl_diags *diags,
                                     sl_execution **out);
/* An independent copy, which continues from the same state with the same bits. */
SL_API sl_status sl_execution_copy(const sl_execution *e, sl_execution **out);
SL_API void sl_execution_destroy(sl_execution *e);

/* Sets the state at time t [s]; the next event is init. values and states may be NULL: unchanged. Earlier choices and a failure are
 * cleared. SL_ERR_USE: a value is not finite, or a state is outside its domain; nothing has changed. */
SL_API sl_status sl_execution_reset(sl_execution *e, double t, const double *values, const int32_t *states);

/* Continues to the next wanted event (bits), the end, or a choice. out may be NULL. SL_ERR_SOLVE: the execution cannot continue, or it is
 * zeno; the execution's diagnostics have the reason. SL_ERR_USE: after a failure or the end, or at a choice that was not made. */
SL_API sl_status sl_execution_next(sl_execution *e, uint32_t wanted, sl_execution_info *out);

SL_API const sl_diags *sl_execution_diags(const sl_execution *e);
SL_API const sl_automaton *sl_execution_automaton(const sl_execution *e);
SL_API double sl_execution_time(const sl_execution *e);
/* Values of all continuous and discrete variables; borrowed until the execution continues. */
SL_API const double *sl_execution_values(const sl_execution *e);
SL_API const double *sl_execution_derivatives(const sl_execution *e);
SL_API const int32_t *sl_execution_states(const sl_execution *e);
/* Values and derivatives of all continuous variables at a time of the last step; SL_ERR_USE outside it. */
SL_API sl_status sl_execution_interpolate(const sl_execution *e, double t, double *values, double *derivatives);

/* The active elements in ascending order; borrowed until the next call or event. Transitions are those of the present discrete execution,
 * or of the last one after it has settled. After SL_EVENT_ACTION, actions are those that acted. *n is -1 when memory runs out. */
SL_API const int32_t *sl_execution_active(sl_execution *e, sl_automaton_element kind, int32_t *n);
/* After SL_EVENT_CROSSING: 1 if this root rose, -1 if it fell, else 0. */
SL_API int32_t sl_execution_fired(const sl_execution *e, int32_t root);

/* The derivatives of the discrete variables at the present point of a discrete execution: how many there are (0 elsewhere), and
 * one component. */
SL_API int64_t sl_execution_n_choice(const sl_execution *e);
SL_API int32_t sl_execution_difference(const sl_execution *e, int64_t choice, int32_t variable);
/* Selects one of them at SL_EVENT_CHOICE; SL_ERR_USE elsewhere. */
SL_API sl_status sl_execution_choose(sl_execution *e, int64_t choice);
/* All choices since the start or the last reset. Repeating them reproduces the execution. */
SL_API const int64_t *sl_execution_path(const sl_execution *e, int32_t *n);

/* The state as bytes with a header and checksum. A restored execution (of the same automaton and definition) continues as the
 * saved one would, bit for bit, choices included. */
SL_API sl_status sl_execution_save(const sl_execution *e, const sl_sink *sink);
/* SL_ERR_INPUT: the bytes are damaged or belong to another automaton; nothing has changed. After SL_ERR_MEMORY the execution cannot
 * continue. */
SL_API sl_status sl_execution_restore(sl_execution *e, const void *bytes, size_t n);

/* ---- All executions ----------------------------------------------------------------------------- */

typedef struct sl_explore_def {
    size_t size;
    bool depth_first;       /* else breadth first */
    int64_t max_executions; /* default 1000 */
    int64_t max_open;       /* executions that wait at the same time, default 1000 */
    int64_t max_pieces;     /* of all executions together, default 10000000 */
} sl_explore_def;
SL_DEFAULT(sl_explore_def, sl_explore_default)

typedef struct sl_explored {
    size_t size;
    int64_t n_execution; /* passed to seen */
    int64_t n_piece;
    bool complete; /* no limit was reached, and seen never returned false */
} sl_explored;
/* Computes every execution that continues from the state of e, and passes each to seen when it ends: at its stop (SL_OK), or where it
 * cannot continue (its diagnostics have the reason). The execution is borrowed. seen returns false to end the search. e does not change;
 * its definition must have SL_CHOICES_ASK. Returns SL_ERR_MEMORY or SL_ERR_USE. def may be NULL. */
SL_API sl_status sl_execution_explore(const sl_execution *e, const sl_explore_def *def,
                                      bool (*seen)(void *user, sl_execution *e, sl_status status), void *user,
                                      sl_explored *out);

#ifdef __cplusplus
}
#endif
#endif
