/* SPDX-License-Identifier: MIT */
/* dae.h: a system of differential-algebraic equations in motion: IDA with KLU, roots, restarts, saved states.
 *
 * One sl_dae integrates one system (one mode of a hybrid model), as often as wanted:
 *
 *     sl_dae_create(ctx, &system, &def, diags, &d);
 *     sl_dae_init(d, t, x, dx, NULL, diags);            consistent values
 *     sl_dae_start(d, t, x, dx, INFINITY, diags);       from here
 *     while (...) sl_dae_step(d, diags, &step);         a step of its own length, or to a root
 *     sl_dae_interpolate(d, t, x, dx);                         any time of the last step
 *
 * What holds: a step is a function of what was given at the start and of the number of steps since, bit for bit, whatever
 * was shown, saved or integrated before. So a saved state is the last start and that number, and restoring replays the
 * steps. A run starts itself anew after a fixed number of steps, so that this costs little. Variables keep the unit that
 * the system gives them; time is in seconds.
 *
 * A reduced system (reduce.h) has other unknowns than variables: x and dx here are those of the variables, and which unknowns are
 * differential is chosen at each start and where the run starts itself anew.
 *
 * KLU and what is small of SUNDIALS come from the C library; vectors and everything else from the context. A warm step allocates nothing
 * from the context, but for one that chooses other differential unknowns.
 */
#ifndef SL_DAE_DAE_H
#define SL_DAE_DAE_H

#include "dae/structure.h"

typedef struct sl_dae sl_dae;

/* What integrators of one thread can share: thousands of small ones take half the memory. */
typedef struct sl_dae_home sl_dae_home;
sl_status sl_dae_home_create(sl_context *ctx, sl_dae_home **out);
void sl_dae_home_destroy(sl_dae_home *home); /* after its integrators */

typedef struct sl_dae_def {
    double rtol;              /* of the local error, relative */
    double atol;              /* absolute, for variables without their own */
    const double *atols;      /* [n] or NULL, 0: atol, negative: so many times atol; borrowed during create */
    double first_step;        /* [s]; 0: estimated from x' */
    double max_step;          /* [s]; 0: none */
    int32_t max_order;        /* 1 to 5 */
    int32_t n_restart;        /* steps after which a run starts itself anew; 0: never */
    double root_tol;          /* how far a root must go from zero, once it was there, to count again */
    double root_rate;         /* of its unit [1/s]: slower, a root at zero is undecided; 0: at rest exactly at zero */
    const int8_t *directions; /* [n_root]: 1 rising only, -1 falling only, 0 both; NULL: both; borrowed during create */
    double stall;             /* [s] a run whose steps stay shorter fails; 0: when the time does not move any more */
    bool skip_algebraic;      /* leave algebraic variables out of the error test (index 2) */
    bool is_checked;          /* the structure is known to be sound: create does not analyse it */
    sl_dae_home *home;        /* NULL: the integrator has its own */
} sl_dae_def;

/* rtol 1e-6, atol 1e-9, order 5, restarts after 1000 steps, root_tol 1e-10 */
sl_dae_def sl_dae_default(void);

/* The system is copied; what it points to must outlive the integrator. Over- and underdetermined systems are refused with
 * SL_ERR_INPUT and named. A system without unknowns is one in which time passes: arrays of x and dx have one element then. */
sl_status sl_dae_create(sl_context *ctx, const sl_dae_system *system, const sl_dae_def *def, sl_diags *diags,
                        sl_dae **out);
void sl_dae_destroy(sl_dae *d);

/* What is looked for at the start: one unknown per variable. */
enum {
    SL_DAE_FIND_DX = 0, /* x is given: find x' */
    SL_DAE_FIND_X = 1   /* x' is given (or does not occur): find x */
};

/* Makes x and dx satisfy all equations at t, by damped Newton iteration from the values given. find is one of the above
 * per variable; NULL: x is given where x' occurs. All SL_DAE_FIND_X with dx = 0: a steady state. On failure x and dx
 * are as they were, and the diagnostics name the equations that are farthest from holding, or have too few unknowns. The run
 * goes on undisturbed, unless other unknowns of a reduced system become differential: then it has to be started. Of a reduced system
 * find is NULL. */
sl_status sl_dae_init(sl_dae *d, double t, double *x, double *dx, const uint8_t *find, sl_diags *diags);
/* How far values are from others in variables whose derivatives occur, at most, over their tolerances: 0 after sl_dae_init unless
 * constraints leave no choice. place: where each variable is in from; NULL: as in to. */
double sl_dae_distance(const sl_dae *d, const double *from, const int32_t *place, const double *to);
/* The largest residual over what errors within tolerance in x and dx could make of it: at most about 1 when they are
 * consistent. INFINITY where the residual cannot be computed. */
double sl_dae_inconsistency(sl_dae *d, double t, const double *x, const double *dx);

/* How a root is looked at: 0 not, or these bits. One within root_tol of zero is on the side to which its derivative points, or, with
 * one of the last two bits, on the side that they say. Without such a derivative it is undecided, and counts as above. */
enum { SL_DAE_ROOT_ON = 1, SL_DAE_ROOT_BELOW = 2, SL_DAE_ROOT_ABOVE = 4 };
/* On which side a root is: 1 above, 0 below, and beside it this bit where it is undecided. */
enum { SL_DAE_UNDECIDED = 2 };

/* Starts at values that are consistent. The system is not asked for anything beyond limit (INFINITY: none), where a step
 * ends exactly: for inputs that jump at known times. active says which roots are looked at, [n_root], NULL: all. Those
 * within root_tol of zero count as zero, take the sign of their derivative, and wait until they have left. */
sl_status sl_dae_start(sl_dae *d, double t, const double *x, const double *dx, double limit, const uint8_t *active,
                       sl_diags *diags);
/* Which roots are looked at, from the next step on: [n_root], NULL: all. Replaying such changes is the caller's. */
sl_status sl_dae_set_active(sl_dae *d, const uint8_t *active, sl_diags *diags);

/* ... and which are: [n_root]. */
void sl_dae_get_active(const sl_dae *d, uint8_t *active);

/* On which side of zero each root is, 1 above, 0 below, as the run sees it: one that waits is where it waits to be. Of
 * roots that are not active nothing is said. */
sl_status sl_dae_sides(sl_dae *d, uint8_t *above, sl_diags *diags);
/* The same for any values, as a start there would see it; active as there. Those that are undecided carry SL_DAE_UNDECIDED.
 * Changes nothing. */
sl_status sl_dae_sides_at(sl_dae *d, double t, const double *x, const double *dx, const uint8_t *active, uint8_t *above,
                          sl_diags *diags);

typedef struct sl_dae_step_info {
    double begin, end; /* [s] */
    int32_t n_fired;   /* roots at the end */
    bool at_limit;
    bool restarted; /* the run started itself anew at begin */
} sl_dae_step_info;

/* SL_ERR_SOLVE: it cannot go on; the diagnostics say why, and which variable is the hardest. The values stay those of the
 * last good step. SL_ERR_USE at the limit. */
sl_status sl_dae_step(sl_dae *d, sl_diags *diags, sl_dae_step_info *out);
/* [n_root] what happened to roots at the end of the last step: 1 rose, -1 fell, 0 nothing. */
const int8_t *sl_dae_fired(const sl_dae *d);

/* After a step: the time in which each root passes its tolerance, along x' [s], [n_root]; INFINITY: it stands still. Events that
 * are closer to each other are not distinguished. */
sl_status sl_dae_resolution(sl_dae *d, double *seconds);

double sl_dae_time(const sl_dae *d);
double sl_dae_limit(const sl_dae *d);   /* as it was given at the last start */
int32_t sl_dae_n_step(const sl_dae *d); /* since the last start, or since the run started itself anew */
const double *sl_dae_x(const sl_dae *d);
const double *sl_dae_dx(const sl_dae *d);
/* Values at a time of the last step, by the integrator's own polynomial; SL_ERR_USE outside it. */
sl_status sl_dae_interpolate(const sl_dae *d, double t, double *x, double *dx);

/* The last start and the steps since. */
size_t sl_dae_save_size(const sl_dae *d);
void sl_dae_save(const sl_dae *d, void *bytes);
/* Back to the last start; n_step gets the steps to be made again. */
sl_status sl_dae_rewind(sl_dae *d, const void *bytes, size_t n, sl_diags *diags, int32_t *n_step);
/* Back to where it was saved: rewinds and replays. */
sl_status sl_dae_restore(sl_dae *d, const void *bytes, size_t n, sl_diags *diags);

typedef struct sl_dae_stats {
    int64_t n_step, n_restart, n_residual, n_jacobian, n_newton, n_error_fail, n_newton_fail, n_root;
    int64_t n_factor, n_refactor; /* pivots chosen, pivots kept */
    int64_t n_factor_entry;
    int32_t order;    /* of the last step */
    double last_step; /* [s] */
} sl_dae_stats;

/* Bytes that it takes, about: SUNDIALS and KLU do not tell theirs. */
size_t sl_dae_size(const sl_dae *d);
/* Since creation. */
sl_dae_stats sl_dae_statistics(const sl_dae *d);

#endif
