/* SPDX-License-Identifier: MIT */
/* impl.h: what an integrator holds, shared by the files of this folder that do not see SUNDIALS. */
#ifndef SL_DAE_IMPL_H
#define SL_DAE_IMPL_H

#include "dae/dae.h"
#include "dae/lu.h"

/* How a root stands. */
enum {
    ROOT_ACTIVE = 1,  /* looked at */
    ROOT_WAITING = 2, /* was at zero and has not left it yet */
    ROOT_ABOVE = 4,   /* while waiting: which side it counts to be on */
    ROOT_NEW = 8,     /* to be judged: is it at zero, and where does it go */
    ROOT_GIVEN = 16,  /* ... if so, to the side that ROOT_ABOVE says */
    ROOT_UNDECIDED = 32
};

/* Where the run started last. Followed in saved states by x, dx, root. */
typedef struct sl_dae_point {
    double t, limit, h;
    int32_t n_step; /* since */
    int32_t n_root;
    int64_t n;
} sl_dae_point;

typedef struct sl_dae_ida sl_dae_ida; /* ida.c */
typedef struct sl_bdf sl_bdf;         /* bdf.c */

/* Why no step could be made. */
typedef enum sl_dae_trouble {
    SL_DAE_NO_TROUBLE = 0,
    SL_DAE_NOT_EXACT,           /* errors stay too large */
    SL_DAE_NOT_SOLVED,          /* Newton's method does not converge */
    SL_DAE_NO_MATRIX,           /* the Jacobian is singular or cannot be computed */
    SL_DAE_NO_RESIDUAL,         /* the equations cannot be evaluated */
    SL_DAE_NO_RESIDUAL_NEARBY,  /* ... however short the step */
    SL_DAE_NO_RESIDUAL_AT_ONCE, /* ... at the start */
    SL_DAE_NO_ROOT,             /* a root function cannot be evaluated */
    SL_DAE_TOO_EXACT,           /* rounding is larger than the tolerance */
    SL_DAE_STALLED,
    SL_DAE_NO_VALUE,
    SL_DAE_NO_MEMORY,
    SL_DAE_OTHER
} sl_dae_trouble;

/* Who makes steps: IDA (ida.c), or for small systems bdf.c. Both give the same bits, at different costs. */
typedef struct sl_integrator {
    sl_status (*create)(sl_dae *d);
    void (*destroy)(sl_dae *d);
    void (*set_differential)(sl_dae *d); /* which unknowns are, and tolerances, have changed */
    size_t (*size)(const sl_dae *d);     /* bytes, about */
    sl_status (*start)(sl_dae *d);       /* from x0, dx0 at d->point */
    /* d->t, x, dx, fired move on; *end tells how (0: a step, 1: a root, 2: the limit). */
    sl_dae_trouble (*step)(sl_dae *d, int *end);
    sl_status (*interpolate)(const sl_dae *d, double t, double *x, double *dx);
    void (*statistics)(const sl_dae *d, sl_dae_stats *s); /* adds what d->stats does not have */
    /* The length of the step that is tried [s], and the errors of the last one, NULL: not known. */
    double (*current)(const sl_dae *d, const double **errors);
} sl_integrator;
extern const sl_integrator sl_ida_integrator, sl_bdf_integrator;

/* The system of the unknowns at a start; init.c. */
typedef struct sl_start {
    int32_t *begin, *row; /* pattern, by columns */
    int32_t *from;        /* which entry of the whole pattern each is */
    size_t n_byte;
    sl_lu *lu;
    bool is_usual; /* x is given where x' occurs */
} sl_start;

struct sl_dae {
    sl_context *ctx;
    sl_dae_system system;
    sl_dae_def def;
    sl_lu *lu;
    const sl_integrator *integrator;
    sl_dae_ida *ida;
    sl_bdf *bdf;
    int32_t singular; /* the unknown without a pivot in the last factorisation, or -1 */
    sl_start start;
    int32_t n, n_root, n_entry;
    uint8_t *differential;      /* [n] x' occurs */
    double *atol;               /* [n] */
    double *values;             /* [n_entry] Jacobian */
    double *other;              /* [n_entry] the other half of it, while initial values are found */
    double *entries;            /* [n_entry] of the matrix of a start */
    double *x, *dx;             /* [n] at the end of the last step; IDA writes into them */
    double *x_begin, *dx_begin; /* [n] ... at its beginning */
    double *x0, *dx0;           /* [n] at the last start */
    double *work[6];            /* [n] */
    double *kept;               /* [2 n] values that are being made consistent */
    double *g;                  /* [6 n_root] scratch; the last four of hidden.c: begin, middle and end of a step */
    double *g_seen, *g_older;   /* [n_root] as the integrator saw them last; at the beginning of the step before */
    double seen_time, g_time;   /* [s] of g_seen, of the end in g; not a number: of none */
    double g_step, older_step;  /* [s] from begin to end in g; that of the step before */
    bool has_older;
    uint8_t *root, *root0;      /* [n_root] now, at the last start */
    uint8_t *scratch_root;      /* [n_root] */
    int8_t *fired, *directions; /* [n_root] */
    int8_t *passed;             /* [n_root] how hidden roots go */
    int32_t n_waiting, n_stuck;
    double stuck_from; /* [s] where steps without progress began */
    sl_dae_point point;
    double begin, t; /* ends of the last step [s] */
    /* of a reduced system, whose variables are not its unknowns: outside.c */
    const sl_dae_outside *outside; /* NULL: they are */
    double *x_out, *dx_out;        /* [n_value] at the end of the last step */
    double *y, *dy;                /* [n] values from outside */
    double *atol_state;            /* [n] absolute tolerances of unknowns while they are differential */
    uint8_t *states, *states0;     /* [n] which unknowns are differential: room; at the last start */
    int32_t n_value;
    bool is_worn; /* others should be */
    bool is_started, at_limit, fresh_pivots;
    bool
        is_behind; /* the last step ended at a hidden root: the integrator is ahead, and starts anew with the next one */
    sl_dae_stats stats;
    double *block; /* all of the above numbers */
    size_t n_block;
    uint8_t *bytes;
    size_t n_byte;
};

/* init.c: sl_dae_init for unknowns. */
sl_status sl_dae_search(sl_dae *d, double t, double *x, double *dx, const uint8_t *find, sl_diags *diags);

/* outside.c: between unknowns and variables. Without a reduction x, dx are what they were. */
/* Guesses of unknowns from variables, borrowed until the next call. */
void sl_dae_contract(sl_dae *d, const double **x, const double **dx);
/* ... with those that follow from equations alone. */
sl_status sl_dae_enter(sl_dae *d, double t, const double **x, const double **dx, sl_diags *diags);
/* The end of the last step, for sl_dae_x. */
void sl_dae_show(sl_dae *d);
/* Chooses differential unknowns at x, dx, and makes these consistent. The run is over if the choice is another one. */
sl_status sl_dae_settle(sl_dae *d, double t, double *x, double *dx, sl_diags *diags);
sl_status sl_dae_apply_states(sl_dae *d, const uint8_t *states);
void sl_dae_mark_differential(sl_dae *d);

/* integrate.c: what integrators share. */
/* By this one; sl_dae_create chooses by the size of the system. */
sl_status sl_dae_create_by(sl_context *ctx, const sl_dae_system *system, const sl_dae_def *def,
                           const sl_integrator *integrator, sl_diags *diags, sl_dae **out);
const sl_integrator *sl_integrator_of(int32_t n);
/* One call: SL_ERR_SOLVE with a message. */
sl_status sl_integrator_step(sl_dae *d, int *end, sl_diags *diags);
void sl_integrator_report_stuck(sl_dae *d, sl_diags *diags);
/* Of the system, counted: 0, positive: not here, negative: never. */
int sl_integrator_residual(sl_dae *d, double t, const double *x, const double *dx, double *r);
int sl_integrator_jacobian(sl_dae *d, double t, double c, const double *x, const double *dx);
/* Factors d->values: after a start pivots are chosen anew. */
sl_status sl_integrator_factor(sl_dae *d);

/* roots.c */
uint8_t sl_root_new(uint8_t active); /* as one that is to be judged stands */
sl_status sl_roots_start(sl_dae *d, sl_diags *diags);
/* As IDA is to see them. */
int sl_roots_evaluate(sl_dae *d, double t, const double *x, const double *dx, double *g);
/* After a step: what fired waits; what waits and has left zero does not any more. */
sl_status sl_roots_update(sl_dae *d, bool at_root, sl_diags *diags);

/* hidden.c: ends the step from `from` to d->t at a root that went through zero and back within it, with what fired. */
bool sl_roots_hidden(sl_dae *d, double from);

/* What counts as equal: rtol |v| + atol. */
static inline double sl_dae_tolerance(const sl_dae *d, int32_t j, double v) {
    return d->def.rtol * (v < 0.0 ? -v : v) + d->atol[j];
}

#endif
