/* SPDX-License-Identifier: MIT */
/* sluice/automaton.h: structured automata, discrete and hybrid: built by calls or read from YAML, checked, executed.
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
 * What the elements mean: docs/theory/automata.md; the YAML files: docs/reference/automaton.md; expressions are texts, whose
 * grammar is in docs/theory/expressions.md. Variables and elements are numbered from 0 in the order in which they were added. All
 * texts are copied. Time is in seconds, variables have the units that their equations give them.
 *
 * A finished automaton is const: any number of threads may execute and examine it at once. An execution belongs to one thread at a
 * time. Executions take memory from the automaton's context, whose allocator must then be one for several threads, as malloc is.
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

/* An empty one. name may be NULL. diags may be NULL; it is used until finish. An add that fails reports there with the element's symbol, adds nothing
 * and returns SL_ERR_INPUT; finish then refuses too. So one check at the end is enough. */
SL_API sl_status sl_automaton_create(sl_context *ctx, const char *name, sl_diags *diags, sl_automaton **out);
/* From YAML, finished. file: as messages call the text; file may be NULL. Everything that is wrong is reported in one pass. */
SL_API sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                   sl_automaton **out);
SL_API void sl_automaton_destroy(sl_automaton *a);

/* Names first: an expression knows what was declared before it. */
SL_API sl_status sl_automaton_add_parameter(sl_automaton *a, const char *name, double value);
/* A function of one argument, called as name(x): linear between n points with rising x, constant beyond them, of which a run
 * warns. */
SL_API sl_status sl_automaton_add_table(sl_automaton *a, const char *name, int32_t n, const double *x, const double *y);
/* What it is between its points, and beyond them. */
typedef enum sl_between {
    SL_BETWEEN_LINEAR = 0,
    SL_BETWEEN_HOLD, /* the value of the point before */
    SL_BETWEEN_CUBIC /* smooth, and nowhere rising or falling where the points do not */
} sl_between;
typedef enum sl_beyond {
    SL_BEYOND_WARN = 0, /* constant, with a warning */
    SL_BEYOND_CONSTANT,
    SL_BEYOND_EXTEND /* as it ends, with the slope that it has there */
} sl_beyond;
SL_API sl_status sl_automaton_add_shaped_table(sl_automaton *a, const char *name, int32_t n, const double *x,
                                               const double *y, sl_between between, sl_beyond beyond);
/* A discrete variable with the values 0 to n - 1. */
SL_API sl_status sl_automaton_add_discrete(sl_automaton *a, const char *name, int32_t n, int32_t start);
/* tolerance: absolute; 0: that of the execution. */
SL_API sl_status sl_automaton_add_continuous(sl_automaton *a, const char *name, double start, double tolerance);

/* Of a continuous variable. */
typedef struct sl_variable_def {
    size_t size;
    double start;          /* 0 */
    double tolerance;      /* absolute; 0: that of the execution, times nominal */
    sl_initial_kind kind;  /* what start is: SL_INITIAL_START */
    sl_state_choice state; /* SL_STATE_DEFAULT */
    double nominal;        /* its size, about; 0: 1 */
    double low, high;      /* bounds of its value; -INFINITY, INFINITY */
} sl_variable_def;
SL_DEFAULT(sl_variable_def, sl_variable_default)
/* def NULL: the defaults. */
SL_API sl_status sl_automaton_add_variable(sl_automaton *a, const char *name, const sl_variable_def *def);
/* The unit of a variable or a parameter, of an array by its name without brackets: Pa, kg/m3, m2 s-1. Values are in SI: a unit that is
 * not (bar) is SL_ERR_USE. Elements that are added after that are refused where they add, compare or equate what has different units;
 * what has no unit declared is not checked. */
SL_API sl_status sl_automaton_set_unit(sl_automaton *a, const char *name, const char *unit);
/* An array of n continuous variables, by its range: p[1..100], where whole parameters may stand too: p[0..N-1]. starts: one for all, or
 * one for each (n of them); NULL: that of def. Elements are variables as any other, called p[1] and so on. */
SL_API sl_status sl_automaton_add_array(sl_automaton *a, const char *name, int32_t n, const double *starts,
                                        const sl_variable_def *def);
/* ... of parameters. */
SL_API sl_status sl_automaton_add_parameter_array(sl_automaton *a, const char *name, int32_t n, const double *values);
/* An equation that holds at the start only. symbol: a name for people; symbol may be NULL or "". */
SL_API sl_status sl_automaton_add_initial(sl_automaton *a, const char *symbol, const char *equation);

/* Elements. symbol: a name for people (NULL or "": one is made for all but transitions); guard: over discrete variables (of
 * transitions and actions also discrete time t), NULL: always. So symbol and guard may be NULL. */
SL_API sl_status sl_automaton_add_transition(sl_automaton *a, const char *symbol, const char *equation,
                                             const char *guard);
SL_API sl_status sl_automaton_add_activity(sl_automaton *a, const char *symbol, const char *equation,
                                           const char *guard);
/* After a discrete execution that was not empty a continuous variable takes a value; or an equation holds for the values
 * after, in which pre.x is the value before. All that are active are solved together. */
SL_API sl_status sl_automaton_add_action(sl_automaton *a, const char *symbol, const char *variable, const char *value,
                                         const char *guard);
SL_API sl_status sl_automaton_add_action_equation(sl_automaton *a, const char *symbol, const char *equation,
                                                  const char *guard);
/* A discrete variable is 1 where the function is above 0, and 0 where it is below. */
SL_API sl_status sl_automaton_add_root(sl_automaton *a, const char *symbol, const char *variable, const char *function,
                                       const char *guard);

/* When a discrete execution ends. */
typedef enum sl_termination {
    SL_TERMINATION_DERIVATIVE = 0, /* nothing changes any more */
    SL_TERMINATION_GUARDS,         /* no transition is active */
    SL_TERMINATION_STEPS /* after n_step steps, whatever the state; only for automata without continuous variables and roots */
} sl_termination;
SL_API sl_status sl_automaton_set_termination(sl_automaton *a, sl_termination termination, int32_t n_step);
/* Transitions that exclude each other: an error (false, as it begins), or a choice between their largest subsets that do not. */
SL_API sl_status sl_automaton_set_conflicts(sl_automaton *a, bool branch);

SL_API sl_status sl_automaton_finish(sl_automaton *a);

/* ---- Queries ------------------------------------------------------------------------------------ */

SL_API const char *sl_automaton_name(const sl_automaton *a);
SL_API int32_t sl_automaton_n_discrete(const sl_automaton *a);
SL_API int32_t sl_automaton_n_continuous(const sl_automaton *a);
SL_API sl_str sl_automaton_discrete_name(const sl_automaton *a, int32_t i);
SL_API sl_str sl_automaton_continuous_name(const sl_automaton *a, int32_t i);
SL_API int32_t sl_automaton_domain(const sl_automaton *a, int32_t i); /* values of a discrete variable */
/* -1: there is none of this name. */
SL_API int32_t sl_automaton_find_discrete(const sl_automaton *a, const char *name);
SL_API int32_t sl_automaton_find_continuous(const sl_automaton *a, const char *name);

typedef enum sl_automaton_element {
    SL_AUTOMATON_TRANSITION = 0,
    SL_AUTOMATON_ACTIVITY,
    SL_AUTOMATON_ACTION,
    SL_AUTOMATON_ROOT,
    SL_AUTOMATON_ELEMENT_COUNT
} sl_automaton_element;

/* One activity, or action, for each value of an index: range is i in 1..N-1, and texts hold elements as p[i] and p[i+1]. An activity
 * that neither jumps nor bends stays one loop from here to its evaluation, however many cells it has. variable: of an action that sets
 * one; variable may be NULL for others. symbol may be NULL, guard may be NULL. */
SL_API sl_status sl_automaton_add_loop(sl_automaton *a, sl_automaton_element kind, const char *symbol,
                                       const char *range, const char *variable, const char *formula, const char *guard);
SL_API int32_t sl_automaton_n_element(const sl_automaton *a, sl_automaton_element kind);
SL_API const char *sl_automaton_symbol(const sl_automaton *a, sl_automaton_element kind, int32_t i);
/* The continuous variable that an action sets, the discrete one that a root decides; -1: none. */
SL_API int32_t sl_automaton_element_variable(const sl_automaton *a, sl_automaton_element kind, int32_t i);

typedef enum sl_formula_form {
    SL_FORMULA_TEXT = 0, /* reads back as the same */
    SL_FORMULA_LATEX,    /* for math mode */
    SL_FORMULA_C
} sl_formula_form;
/* The guard of an element; its equation, the value of an action, or the function of a root. SL_ERR_MEMORY, or what the sink says. */
SL_API sl_status sl_automaton_write_guard(const sl_automaton *a, sl_automaton_element kind, int32_t i,
                                          sl_formula_form form, const sl_sink *sink);
SL_API sl_status sl_automaton_write_formula(const sl_automaton *a, sl_automaton_element kind, int32_t i,
                                            sl_formula_form form, const sl_sink *sink);

/* The automaton as YAML: reading it gives one with the same elements and the same executions, bit by bit. */
SL_API sl_status sl_automaton_write(const sl_automaton *a, const sl_sink *sink);

/* ---- Checks ------------------------------------------------------------------------------------- */

/* What can be said of an automaton without running it. Verdicts are "proved", "refuted" or "unknown"; they are about the discrete
 * part. Variables that roots decide are free to take any values that their roots can have together: h > 1 and not h > 0.5 is none.
 * Nothing is unknown where the variables have at most a million states: then, if need be, every one of them is visited. The
 * equations are those of the mode at the start. */
typedef struct sl_automaton_facts {
    size_t size;
    int32_t n_discrete, n_continuous, n_transition, n_activity, n_action, n_root;
    const char *exclusive;     /* no two transitions of one variable are active at once */
    const char *deterministic; /* there is exactly one derivative everywhere */
    const char *zeno_free;     /* every discrete execution ends */
    int32_t bound;             /* after so many steps, if zeno_free is proved */
    int32_t n_equation;        /* at the start */
    const char *form;          /* "linear, semi-explicit, constant coefficients" */
    int32_t index;             /* structural; -1: over- or underdetermined */
    const char *solvable;      /* there is at least one derivative everywhere */
    int64_t n_state;           /* of a set: how many states it has; -1: they were not counted, or there is no set */
    int64_t n_zeno;            /* of these: those from which some execution never ends; -1 as n_state */
} sl_automaton_facts;

/* A set of states: solvability, determinism and zenoness are local (definitions 3.1.4 to 3.1.6 of the thesis). */
typedef struct sl_automaton_where {
    size_t size;
    const int32_t *states; /* [n_discrete] values, -1: any; NULL: any */
    const char *condition; /* over discrete variables; NULL: none */
    int32_t t;             /* discrete time; -1: any, and executions begin at 0 */
} sl_automaton_where;
SL_DEFAULT(sl_automaton_where, sl_automaton_where_default)

/* SL_ERR_INPUT when it is wrong: a property is refuted (determinism only where choices are an error), or the equations at the start are over- or underdetermined; the
 * diagnostics say why, with witnesses. facts are filled as far as it came. */
SL_API sl_status sl_automaton_examine(const sl_automaton *a, sl_diags *diags, sl_automaton_facts *facts);
/* The same, with verdicts about the states of a set. where NULL: all. SL_ERR_USE when a value is outside its domain, SL_ERR_INPUT also
 * when the condition is wrong; SL_ERR_CANCELLED when the context's progress asks to stop. */
SL_API sl_status sl_automaton_examine_at(const sl_automaton *a, const sl_automaton_where *where, sl_diags *diags,
                                         sl_automaton_facts *facts);
/* sl_automaton_examine for YAML; SL_ERR_INPUT also when it cannot be read. file may be NULL. */
SL_API sl_status sl_automaton_check(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                    sl_automaton_facts *facts);

/* The equations in force where the discrete variables have these values ([n_discrete]; states NULL: those of the start), and what is
 * integrated of them, with the states that are chosen at the start values. each gets the equations that were differentiated, then
 * every variable and its derivatives as far as these occur; each and user may be NULL. SL_ERR_INPUT and diagnostics when the equations
 * are over- or underdetermined: out is filled as far as that goes. */
SL_API sl_status sl_automaton_structure(const sl_automaton *a, const int32_t *states,
                                        void (*each)(void *user, const sl_structure_item *item), void *user,
                                        sl_diags *diags, sl_structure *out);

/* What was computed at the start: each gets every continuous variable; each and user may be NULL. Where no start value is fixed or a
 * guess, nothing is bounded and there are no initial equations nothing is computed before an execution begins: out has only 0 then, and
 * each is not called. */
SL_API sl_status sl_automaton_initial(const sl_automaton *a, void (*each)(void *user, const sl_initial_item *item),
                                      void *user, sl_initial *out);

/* ---- Executions --------------------------------------------------------------------------------- */

/* What is done where a discrete step has several derivatives. */
typedef enum sl_choices {
    SL_CHOICES_ERROR = 0, /* the execution ends with an error that names them */
    SL_CHOICES_FIRST,     /* the first is taken */
    SL_CHOICES_ASK /* it stands at SL_EVENT_CHOICE until one is chosen; sessions cannot ask, there it is an error */
} sl_choices;

/* What is done where something changes more often than that. */
typedef enum sl_chattering {
    SL_CHATTERING_ERROR = 0, /* the execution ends with an error that names it */
    SL_CHATTERING_SLIDE, /* the motion follows the line between two modes that lead into each other (Filippov 1988) */
    SL_CHATTERING_HOLD   /* what changes keeps its value for a thousandth of the run, with a warning */
} sl_chattering;

typedef struct sl_execution_def {
    size_t size;
    double end;           /* [s]; INFINITY */
    double report;        /* step of the reports of sessions [s]; 0: none */
    double rtol, atol;    /* of continuous variables; 1e-6, 1e-9 */
    double root_tol;      /* how far from zero a root must go to count again; 1e-10 */
    double max_step;      /* [s]; 0: none */
    int32_t max_discrete; /* steps of a discrete execution: 10000; more are a zeno execution, as is what follows */
    int32_t max_round;    /* changes of one variable at one instant: 20 */
    int32_t max_event;    /* ... or crossings of its roots, within the window: 50 */
    double window;        /* [s]; 0: 1e-6 of the run's length, at least 1e3 times what can be told apart */
    sl_choices choices;
    /* Of the automaton as a whole, set by sl_automaton_set_run: an execution's own definition cannot change them. */
    int32_t
        n_step; /* only of automata without continuous variables and roots: exactly so many steps, whatever holds; -1: by
                       the termination */
    bool relax; /* transitions that exclude each other are a choice, whatever sl_automaton_set_conflicts says */
    sl_chattering chattering; /* to be set before sl_automaton_finish when it slides */
} sl_execution_def;

SL_DEFAULT(sl_execution_def, sl_execution_default)
/* How it is executed where nobody says otherwise, as in sessions: the file's run, or what was set. */
SL_API sl_status sl_automaton_get_run(const sl_automaton *a, sl_execution_def *out);
/* SL_ERR_USE when a number makes no sense: also n_step of an automaton that moves in time. Nobody else may use the automaton
 * meanwhile. def may be NULL: the defaults. */
SL_API sl_status sl_automaton_set_run(sl_automaton *a, const sl_execution_def *def);

/* Pieces of an execution, as bits; docs/theory/hybrid.md has their order. An automaton without continuous variables and roots has
 * one discrete execution: init, transitions, settled, stop. */
typedef enum sl_event {
    SL_EVENT_INIT = 1,       /* consistent values at the start */
    SL_EVENT_ROOT = 2,       /* discrete variables taken from the signs of the roots */
    SL_EVENT_TRANSITION = 4, /* a discrete step */
    SL_EVENT_SETTLED = 8,    /* a discrete execution has settled */
    SL_EVENT_ACTION = 16,    /* values after actions, made consistent, and discrete variables after the roots */
    SL_EVENT_STEP = 32,      /* a step of continuous motion, ended by itself */
    SL_EVENT_CROSSING = 64,  /* ... ended by a root */
    SL_EVENT_JUMP = 128,     /* ... ended where something jumps by itself */
    SL_EVENT_STOP = 256,     /* the end */
    SL_EVENT_CHOICE = 512,   /* the coming discrete step has several derivatives: choose one */
    SL_EVENT_ANY = 1023
} sl_event;
/* "init", "root", ... */
SL_API const char *sl_event_text(sl_event event);

typedef struct sl_execution_info {
    size_t size;
    sl_event event;
    double begin, time; /* of the piece [s]: equal but for steps */
    int32_t step;       /* discrete time */
    int32_t n_changed;  /* discrete variables that the piece changed */
} sl_execution_info;

typedef struct sl_execution sl_execution;

/* The automaton is borrowed. def NULL: its own run. */
SL_API sl_status sl_execution_create(const sl_automaton *a, const sl_execution_def *def, sl_diags *diags,
                                     sl_execution **out);
/* One that goes on alone, from the same state with the same bits. */
SL_API sl_status sl_execution_copy(const sl_execution *e, sl_execution **out);
SL_API void sl_execution_destroy(sl_execution *e);

/* Sets its state: the next event is init, from these values at time t [s]; values and states may be NULL: as they are. Choices made before are
 * forgotten, and so is a failure. SL_ERR_USE when a value is not finite, a state outside its domain; nothing has changed. */
SL_API sl_status sl_execution_reset(sl_execution *e, double t, const double *values, const int32_t *states);

/* Goes on to an event that is wanted (bits), the end, or a choice. out may be NULL. SL_ERR_SOLVE: there is no execution beyond
 * here, or it is zeno; the execution's diagnostics say why. SL_ERR_USE after that or the end, and at a choice not made. */
SL_API sl_status sl_execution_next(sl_execution *e, uint32_t wanted, sl_execution_info *out);

SL_API const sl_diags *sl_execution_diags(const sl_execution *e);
SL_API const sl_automaton *sl_execution_automaton(const sl_execution *e);
SL_API double sl_execution_time(const sl_execution *e);
/* Of all continuous and discrete variables; borrowed until the execution moves. */
SL_API const double *sl_execution_values(const sl_execution *e);
SL_API const double *sl_execution_derivatives(const sl_execution *e);
SL_API const int32_t *sl_execution_states(const sl_execution *e);
/* Values and derivatives of all continuous variables at a time of the last step; SL_ERR_USE outside it. */
SL_API sl_status sl_execution_interpolate(const sl_execution *e, double t, double *values, double *derivatives);

/* The active elements, ascending; borrowed until the next call or move. Transitions are those of the discrete execution under way,
 * or of the last one when it settled; after SL_EVENT_ACTION actions are those that acted. *n is -1 when memory is short. */
SL_API const int32_t *sl_execution_active(sl_execution *e, sl_automaton_element kind, int32_t *n);
/* After SL_EVENT_CROSSING: 1 when this root rose, -1 when it fell, 0 else. */
SL_API int32_t sl_execution_fired(const sl_execution *e, int32_t root);

/* The derivatives of the discrete variables at the present point of a discrete execution: how many there are (0 elsewhere), and
 * one component. */
SL_API int64_t sl_execution_n_choice(const sl_execution *e);
SL_API int32_t sl_execution_difference(const sl_execution *e, int64_t choice, int32_t variable);
/* Takes one of them, at SL_EVENT_CHOICE; SL_ERR_USE elsewhere. */
SL_API sl_status sl_execution_choose(sl_execution *e, int64_t choice);
/* All choices made since the start, or since it was put somewhere: who makes them again gets the same execution. */
SL_API const int64_t *sl_execution_path(const sl_execution *e, int32_t *n);

/* The state as bytes with a header and checksum. A restored execution (of the same automaton and definition) goes on bit for bit as
 * the saved one would, choices included. */
SL_API sl_status sl_execution_save(const sl_execution *e, const sl_sink *sink);
/* SL_ERR_INPUT for bytes of another one, or damaged ones: nothing has changed. After SL_ERR_MEMORY it cannot go on. */
SL_API sl_status sl_execution_restore(sl_execution *e, const void *bytes, size_t n);

/* ---- All executions ----------------------------------------------------------------------------- */

typedef struct sl_explore_def {
    size_t size;
    bool depth_first;       /* else breadth first */
    int64_t max_executions; /* 1000 */
    int64_t max_open;       /* executions that wait at once: 1000 */
    int64_t max_pieces;     /* of all together: 10000000 */
} sl_explore_def;
SL_DEFAULT(sl_explore_def, sl_explore_default)

typedef struct sl_explored {
    size_t size;
    int64_t n_execution; /* handed out */
    int64_t n_piece;
    bool complete; /* no limit was met, and seen stopped nothing */
} sl_explored;
/* Hands every execution that goes on from where e stands to seen when it ends: at its stop (SL_OK) or where it cannot go on
 * (its diagnostics say why). It is borrowed; false stops. e itself, whose definition must be SL_CHOICES_ASK, stays where it is.
 * SL_ERR_MEMORY, SL_ERR_USE. def may be NULL. */
SL_API sl_status sl_execution_explore(const sl_execution *e, const sl_explore_def *def,
                                      bool (*seen)(void *user, sl_execution *e, sl_status status), void *user,
                                      sl_explored *out);

#ifdef __cplusplus
}
#endif
#endif
