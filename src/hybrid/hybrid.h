/* SPDX-License-Identifier: MIT */
/* hybrid.h: executions of hybrid models: continuous motion by src/dae, interrupted by discrete executions.
 *
 * A model has continuous variables x, discrete variables q, equations and roots that depend on q (a mode), discrete steps
 * and actions. It is driven through one table, sl_hybrid_ops; symbolic automata and native models implement it alike. The
 * order is that of structured hybrid automata (docs/theory/hybrid.md):
 *
 *     init --> root --> discrete --(changed)--> action --> discrete ...
 *                           |
 *                      (unchanged)
 *                           v
 *     root <--(sign changes)-- continuous
 *
 * The execution is a state machine that can be stopped after any piece: sl_hybrid_next makes pieces until one of a kind
 * that the caller wants. Everything it is made of can be looked at there. It has value semantics: it can be saved,
 * restored and copied at every such point, and goes on with the same bits.
 */
#ifndef SL_HYBRID_HYBRID_H
#define SL_HYBRID_HYBRID_H

#include "dae/dae.h"

/* The equations and roots of a mode. All arrays live until the mode is released. */
typedef struct sl_hybrid_mode {
    sl_dae_system system;
    const int32_t *variables; /* [n] the continuous variable that each unknown is; NULL: in order. Those that are not
                                      listed stand still. n_x + k: what is unknown while cut k rests. */
    const double *atols;      /* [n] or NULL */
    const int32_t
        *root_variables; /* [n_root] the discrete variable that a root decides: 1 above zero, 0 below; -1: it is
                                      the root of a cut */
    bool is_checked;     /* its structure is known to be sound */
    bool
        is_superset; /* it is all modes: one pattern, and functions that follow the mode which was asked for last. A change of
                          * mode keeps integrator and analysis, and begins anew */
    void *own;       /* the model's, for release */
    size_t size; /* bytes that the model keeps for it */
    /* Of a part: the continuous variables, ascending, on which its cuts depend. */
    const int32_t *reads;
    int32_t n_read;
} sl_hybrid_mode;

/* Cuts: where equations jump or have a kink, as a model knows them (expr/cuts.h). Each has a state, a number, that says what is in
 * force on which side; it is frozen while motion goes on, until a root of the cut comes to zero. */
typedef enum sl_hybrid_cut_moment {
    SL_HYBRID_CUTS_CROSSED = 0, /* roots have fired: the cuts to which they belong go on */
    SL_HYBRID_CUTS_BEFORE,      /* values may be anywhere: cuts follow as far as values alone decide */
    SL_HYBRID_CUTS_AFTER, /* the values are consistent with the cuts in force: those that contradict them change */
    SL_HYBRID_CUTS_BEGIN, /* motion goes on from here: says which tables it leaves, changes nothing */
    SL_HYBRID_CUTS_FAILED /* there are no such values: what was tried last is taken back */
} sl_hybrid_cut_moment;

typedef struct sl_hybrid_cut_call {
    sl_hybrid_cut_moment moment;
    int32_t round; /* of AFTER at one instant, from 0 */
    double t;
    const double *x, *dx; /* [n_x + n_cut] */
    const int8_t *fired;  /* [n_root] of CROSSED */
    double near;          /* what counts as zero, but for functions of time alone */
    /* Of a model that moves by parts: those whose cuts are asked for, in any order; x and dx hold what these read. */
    const sl_hybrid_mode *const *parts;
    int32_t n_part;
    /* Of FAILED: equations in force, and n_equation plus roots, that make no system; none: the part has no consistent values. */
    const int32_t *orphans;
    int32_t n_orphan;
} sl_hybrid_cut_call;

typedef struct sl_hybrid_cut_result {
    int32_t n_changed;      /* cuts */
    int32_t outside;        /* a cut whose table has been left, for the first time; -1: none */
    int32_t n_fired;        /* of CROSSED: roots of cuts that fired */
    const int32_t *changed; /* [n_changed] cuts; NULL: they are to be looked for */
} sl_hybrid_cut_result;

enum { SL_HYBRID_CUT_NAME = 160 };

/* What equations and roots hold, whether they are in force or not. Models that say it move by parts: equations in force that
 * share no unknowns are integrated apart (docs/theory/hybrid.md). Lists by rows: those of equation i are
 * variables[start[i]] to variables[start[i + 1]]. */
typedef struct sl_hybrid_incidence {
    int32_t n_equation, n_root;
    const int32_t *start, *variables;           /* continuous variables that an equation holds */
    const int32_t *root_start, *root_variables; /* ... that a root holds */
    const int32_t *decides;                     /* [n_root] the discrete variable that a root decides; -1: a cut's */
    /* With cuts: the cut that a root belongs to, [n_root], -1: none; the equations, then n_equation plus the roots, that change with
     * a cut. */
    const int32_t *root_cuts, *cut_start, *cut_rows;
} sl_hybrid_incidence;

/* What is in force at q, as flags, and what may have changed since the last time: numbers of equations, then n_equation plus
 * numbers of roots. */
typedef struct sl_hybrid_force {
    const uint8_t *equations, *roots;
    const int32_t *changed;
    int32_t n_changed; /* -1: anything */
} sl_hybrid_force;

/* Which way a discrete step takes where there are several: a number from 0, or one of these. */
enum {
    SL_HYBRID_ONLY_CHOICE = -1, /* several are an error that the model explains */
    SL_HYBRID_ASK_CHOICE = -2   /* several are counted, and nothing is done */
};

/* What a discrete step did. */
typedef struct sl_hybrid_step_result {
    int64_t n_choice;       /* above 1: there are so many choices, and one is to be made */
    const int32_t *changed; /* those that changed; NULL: they are to be looked for */
    int32_t n_changed;      /* variables that changed; steps may change none */
    bool settled;           /* there is no step: the discrete execution has settled */
} sl_hybrid_step_result;

/* What a model that decides from the values as a whole is asked with. Something has happened to the parts listed, and to discrete variables
 * that the model received by `changed` since the last call; elsewhere nothing was decided anew. */
typedef struct sl_hybrid_sense_call {
    double t;
    const double *x,
        *dx; /* consistent with what is in force; only those that need has been called for are of the present */
    void (*need)(void *user, int32_t j);
    void *user;
    bool all; /* values may be anywhere: motion has not begun since the start, or since they were set */
    const sl_hybrid_mode *const *parts; /* [n_part] in any order */
    int32_t n_part;
} sl_hybrid_sense_call;

/* What is done where something changes too often (zeno.c). */
typedef enum sl_hybrid_policy {
    SL_HYBRID_POLICY_ERROR = 0, /* the execution ends with an error */
    SL_HYBRID_POLICY_SLIDE,     /* the model is asked to follow the line between both sides */
    SL_HYBRID_POLICY_HOLD,      /* a discrete variable keeps its value for a while, with a warning */
    SL_HYBRID_POLICY_WIDEN,     /* the model is asked for a wider hysteresis */
    SL_HYBRID_POLICY_SMOOTH,    /* ... to do without the jump */
    SL_HYBRID_POLICY_COUNT
} sl_hybrid_policy;

/* What is done with a root that says nothing: it is at zero, and no derivative moves it away (sl_dae_def.root_tol, root_rate). */
typedef enum sl_hybrid_undecided {
    SL_HYBRID_UNDECIDED_ONE = 0, /* the variable that it decides is 1 */
    SL_HYBRID_UNDECIDED_ZERO,    /* ... 0 */
    SL_HYBRID_UNDECIDED_KEEP,    /* ... stays as it is */
    SL_HYBRID_UNDECIDED_ASK,     /* ... is what the model decides */
    SL_HYBRID_UNDECIDED_ERROR,   /* the execution ends with an error */
    SL_HYBRID_UNDECIDED_COUNT
} sl_hybrid_undecided;

/* What a model does. instance is one execution's own (caches, compiled modes): two executions of one model may run in two
 * threads. Functions that can fail return a status and say why in diags. */
typedef struct sl_hybrid_ops {
    const char *name;
    sl_status (*open)(sl_context *ctx, const void *model, sl_diags *diags, void **instance);
    void (*close)(void *instance);

    void (*sizes)(const void *instance, int32_t *n_x, int32_t *n_q);
    /* Names for messages and variables. */
    const char *(*x_name)(const void *instance, int32_t i);
    const char *(*q_name)(const void *instance, int32_t i);
    const char *(*root_name)(const void *instance,
                             int32_t i); /* NULL: roots have none; "": this one, as those of cuts */
    /* A discrete variable takes the values 0 to this, exclusive. NULL: any. */
    int32_t (*q_domain)(const void *instance, int32_t i);
    /* Where an execution begins. */
    void (*start)(const void *instance, double *t, double *x, int32_t *q);

    /* The number of the mode in force at q, from 0; the same for equal sets of equations. NULL: always 0. */
    sl_status (*mode)(void *instance, const int32_t *q, sl_diags *diags, int32_t *id);
    /* The equations of a mode: called when it is first needed, and again after release. */
    sl_status (*compile)(void *instance, int32_t id, const int32_t *q, sl_diags *diags, sl_hybrid_mode *out);
    void (*release)(void *instance, int32_t id, const sl_hybrid_mode *mode);
    /* Tells all x before a mode begins: those that are no unknowns of it keep these values. NULL: nobody wants to know. */
    void (*hold)(void *instance, int32_t id, const double *x);
    /* Which roots of a mode are in force at q: active is [n_root], all 1. NULL: all. */
    void (*active)(void *instance, int32_t id, const int32_t *q, uint8_t *active);
    /* A model that moves by parts has these instead of mode, compile, hold and active; with incidence NULL it moves as one.
     * changed: q of these variables is new (n = -1: of any), whoever changed it. force: what is in force at q. compile_part:
     * a system of these equations and roots (both ascending); in `out` unknowns are continuous variables, roots are in the
     * order given. stand: a variable that is no unknown keeps this value. */
    const sl_hybrid_incidence *(*incidence)(const void *instance);
    void (*changed)(void *instance, int32_t n, const int32_t *which, const int32_t *q);
    sl_status (*force)(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out);
    sl_status (*compile_part)(void *instance, int32_t n_equation, const int32_t *equations, int32_t n_root,
                              const int32_t *roots, sl_diags *diags, sl_hybrid_mode *out);
    void (*stand)(void *instance, int32_t variable, double value);

    /* The time after t up to which nothing jumps by itself at q, and up to which no cut of a part changes by itself [s]. NULL:
     * INFINITY. */
    double (*limit)(const void *instance, double t, const int32_t *q);
    double (*part_limit)(void *instance, const sl_hybrid_mode *part, double t);

    /* One discrete step, from step i of an execution: moves q on, within its domains. t is continuous time [s]. NULL: there
     * are none. */
    sl_status (*discrete)(void *instance, double t, int32_t i, int64_t way, int32_t *q, sl_diags *diags,
                          sl_hybrid_step_result *out);
    /* Applies the actions in force at q, after n discrete steps, to x. dx belongs to x. acted: whether there were any;
     * with x NULL that is only asked for. NULL: there are none. */
    sl_status (*act)(void *instance, double t, const int32_t *q, int32_t n, double *x, const double *dx,
                     sl_diags *diags, bool *acted);
    /* Prediction: at a q where wants_prediction says so (events are pending there, say), the next discrete execution is made on a copy
     * of q before values, actions and roots are asked for. set_prediction says where it leads, [n_q], for these: act, mode, active and
     * force may go by it, and by q. NULL: it holds no more. NULL functions: never. */
    bool (*wants_prediction)(const void *instance, const int32_t *q);
    void (*set_prediction)(void *instance, const int32_t *q_predicted);
    /* Under the policy to ask: is root i (numbered as in root_name), which is undecided, above zero? It decides variable j. */
    sl_status (*decide)(void *instance, double t, int32_t i, int32_t j, const double *x, const double *dx,
                        const int32_t *q, sl_diags *diags, bool *above);
    /* The continuous variables that the last actions set. NULL: any. */
    const int32_t *(*acted_on)(const void *instance, int32_t *n);
    /* ... that they read: x and dx of others need not be those of the present. NULL: any. */
    const int32_t *(*acted_by)(const void *instance, int32_t *n);

    /* Cuts, whose states the execution keeps; NULL: none. set_cuts says those that all other functions are about from there
     * on: these of them are new (n = -1: any). */
    int32_t (*n_cut)(const void *instance);
    void (*set_cuts)(void *instance, int32_t n, const int32_t *which, const double *cuts);
    bool (*cuts_are_valid)(const void *instance, const double *cuts);
    /* Moves cuts on, at the q that mode or force was asked for last. */
    sl_status (*cut)(void *instance, const sl_hybrid_cut_call *at, double *cuts, sl_hybrid_cut_result *out);
    void (*cut_name)(const void *instance, int32_t cut, char text[SL_HYBRID_CUT_NAME]);

    /* Under the policies to widen and to smooth: how often each discrete variable, [n_q], has changed too often. A model doubles a
     * hysteresis each time, or smooths what jumps. NULL: it can do neither. */
    void (*set_relief)(void *instance, sl_hybrid_policy policy, const double *n_times);

    /* Names the elements that caused what the last piece changed: of SL_HYBRID_ROOT the roots that decide discrete variable j at
     * the q before it, of SL_HYBRID_TRANSITION the transitions of discrete variable j, of SL_HYBRID_ACTION the actions that set
     * continuous variable j. NULL: elements have no names. */
    void (*causes)(void *instance, int event, int32_t j, const int32_t *q, void (*name)(void *user, const char *symbol),
                   void *user);
    /* The root function of a model that decides from the values as a whole, where signs of single roots would contradict each other: called
     * where roots would write q, in place of them. Writes q itself; changed: which variables, [*n_changed], borrowed until the next call. Its
     * roots only end steps. NULL: roots decide. */
    sl_status (*sense)(void *instance, const sl_hybrid_sense_call *at, int32_t *q, sl_diags *diags,
                       const int32_t **changed, int32_t *n_changed);
} sl_hybrid_ops;

/* What is done where a discrete step has several choices. */
typedef enum sl_hybrid_choices {
    SL_HYBRID_CHOICES_ERROR = 0, /* the execution ends with an error */
    SL_HYBRID_CHOICES_FIRST,     /* the first is taken */
    SL_HYBRID_CHOICES_ASK,       /* the execution waits (SL_HYBRID_CHOICE) until one is made */
    SL_HYBRID_CHOICES_COUNT
} sl_hybrid_choices;

typedef struct sl_hybrid_def {
    sl_dae_def dae;       /* atols and directions are not used */
    double end;           /* [s]; INFINITY: none */
    int32_t max_discrete; /* steps of one discrete execution */
    int32_t max_round;    /* changes of one variable at one instant: more are a zeno execution */
    int32_t max_event;    /* ... or crossings of its roots, within the window */
    double window;        /* [s]; 0: 1e-6 of the run's length, at least 1e3 times the resolution of time */
    sl_hybrid_policy policy;
    size_t kept; /* bytes of compiled equations that are kept though they are not in force, about */
    sl_hybrid_choices choices;
    sl_hybrid_undecided undecided;
    bool discrete_only; /* one discrete execution from the start, and nothing else */
} sl_hybrid_def;

/* sl_dae_default; no end; 10000 steps, 20 changes at an instant, 50 within the window, 256 MB of equations. */
sl_hybrid_def sl_hybrid_default(void);

/* Pieces of an execution, as bits. */
typedef enum sl_hybrid_event {
    SL_HYBRID_INIT = 1,       /* consistent values at the start */
    SL_HYBRID_ROOT = 2,       /* q taken from the signs of the roots */
    SL_HYBRID_TRANSITION = 4, /* a discrete step */
    SL_HYBRID_SETTLED = 8,    /* a discrete execution has come to rest */
    SL_HYBRID_ACTION = 16,    /* x after actions, made consistent, and q after the roots */
    SL_HYBRID_STEP = 32,      /* a step of continuous motion, ended by itself */
    SL_HYBRID_CROSSING = 64,  /* ... ended by a root */
    SL_HYBRID_JUMP = 128,     /* ... ended at the model's limit: something jumps here by itself */
    SL_HYBRID_STOP = 256,     /* the end */
    SL_HYBRID_CHOICE = 512,   /* a discrete step has several ways: one is to be chosen */
    SL_HYBRID_ANY = 1023
} sl_hybrid_event;

typedef struct sl_hybrid_info {
    sl_hybrid_event event;
    double begin, t;   /* of the piece [s]: equal but for steps */
    int32_t i;         /* discrete time: steps of the discrete execution so far */
    int32_t n_changed; /* discrete variables that the piece changed */
    int32_t mode;      /* in force after it */
    bool restarted;    /* a step: motion began anew before it */
} sl_hybrid_info;

typedef struct sl_hybrid sl_hybrid;

/* ops and model outlive it. */
sl_status sl_hybrid_create(sl_context *ctx, const sl_hybrid_ops *ops, const void *model, const sl_hybrid_def *def,
                           sl_diags *diags, sl_hybrid **out);
void sl_hybrid_destroy(sl_hybrid *h);

/* Makes pieces until one of the events wanted (bits), the end, or a choice. SL_ERR_SOLVE: there is no execution beyond here,
 * or it is zeno; the diagnostics say why. SL_ERR_USE after the end, and at a choice that was not made. */
sl_status sl_hybrid_next(sl_hybrid *h, uint32_t wanted, sl_diags *diags, sl_hybrid_info *out);

/* At a choice: how many ways there are; 0 elsewhere. */
int64_t sl_hybrid_n_choice(const sl_hybrid *h);
/* Takes one of them with the next piece. SL_ERR_USE when there is nothing to choose. */
sl_status sl_hybrid_choose(sl_hybrid *h, int64_t way);
/* One was chosen, and not taken yet. */
bool sl_hybrid_choice_made(const sl_hybrid *h);

double sl_hybrid_time(const sl_hybrid *h);
const double *sl_hybrid_x(const sl_hybrid *h);
const double *sl_hybrid_dx(const sl_hybrid *h);
const int32_t *sl_hybrid_q(const sl_hybrid *h);
void *sl_hybrid_instance(const sl_hybrid *h);
/* [n_root] of the present mode, of a model that moves by parts of all: 1 rose, -1 fell at the end of the last step; NULL without
 * one. */
const int8_t *sl_hybrid_fired(const sl_hybrid *h, int32_t *n_root);
/* Values at a time of the last continuous step. */
sl_status sl_hybrid_interpolate(const sl_hybrid *h, double t, double *x, double *dx);
/* The discrete state during that step, [n_q], and crossings before it ended. */
void sl_hybrid_q_before(const sl_hybrid *h, int32_t *q);
int64_t sl_hybrid_n_crossing_before(const sl_hybrid *h);

/* What the last piece, if it was no motion, has written to x and to q: numbers of variables and the values before. In any order;
 * values may be the same as before. */
typedef struct sl_hybrid_change {
    int32_t j;
    double from;
} sl_hybrid_change;
const sl_hybrid_change *sl_hybrid_x_changes(const sl_hybrid *h, int32_t *n);
const sl_hybrid_change *sl_hybrid_q_changes(const sl_hybrid *h, int32_t *n);
/* One value, at the present time. */
double sl_hybrid_x_now(const sl_hybrid *h, int32_t j);
/* Variables that the last step, and pieces since, brought to where they are: unknowns of parts whose own steps end at the present or
 * that begin anew there, and what was written. Each once, in any order; which, mark: [n_x], mark 0 before and after. -1: any.
 * Of discrete ones what pieces since have written. */
int32_t sl_hybrid_moved_x(const sl_hybrid *h, int32_t *which, uint8_t *mark);
int32_t sl_hybrid_moved_q(const sl_hybrid *h, int32_t *which);
/* Where the last continuous step began [s]; the present time if there is none since motion was put somewhere. */
double sl_hybrid_step_begin(const sl_hybrid *h);
/* Parts in force, each with steps of its own. */
int32_t sl_hybrid_n_component(const sl_hybrid *h);
/* Is the next piece one of continuous motion? */
bool sl_hybrid_is_settled(const sl_hybrid *h);

/* Crossings so far. */
int64_t sl_hybrid_n_crossing(const sl_hybrid *h);

/* Puts the state somewhere, from outside: the next piece finds consistent values, and roots follow. settled: these are
 * values of the execution itself, at the end or within the last step, and motion just begins anew there. x, dx and q may be
 * NULL: as they are. Counting towards zeno executions begins anew. */
sl_status sl_hybrid_reset(sl_hybrid *h, double t, const double *x, const double *dx, const int32_t *q, bool settled);

/* The state when motion stopped last, with the last start of each part and its steps since, and the pieces and choices since then,
 * which restoring makes again. An execution whose restoring failed
 * can only be restored or reset. */
size_t sl_hybrid_save_size(const sl_hybrid *h);
void sl_hybrid_save(const sl_hybrid *h, void *bytes);
sl_status sl_hybrid_restore(sl_hybrid *h, const void *bytes, size_t n, sl_diags *diags);
/* An execution of its own in the same state. */
sl_status sl_hybrid_copy(const sl_hybrid *h, sl_diags *diags, sl_hybrid **out);

/* The first place from `from` on where two states differ, or n: thousands of variables, of which few change. */
int32_t sl_next_change(const int32_t *a, const int32_t *b, int32_t from, int32_t n);

typedef struct sl_hybrid_stats {
    int64_t n_restart, n_discrete, n_action, n_compiled, n_mode_switch;
    int64_t n_prediction; /* predictions made */
    int64_t n_undecided;  /* roots that a policy other than SL_HYBRID_UNDECIDED_ONE decided */
    int64_t n_part;       /* in force */
    int64_t bytes;        /* of compiled equations and integrators, about */
    sl_dae_stats dae;
} sl_hybrid_stats;

sl_hybrid_stats sl_hybrid_statistics(const sl_hybrid *h);

#endif
