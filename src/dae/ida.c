/* SPDX-License-Identifier: MIT */
/* ida.c: see dae.h. IDA with vectors (ida_vector.c), a matrix and a linear solver of our own.
 *
 * IDA (Hindmarsh and others 2005) integrates by backward differences of variable order and step. It is driven step by
 * step and never given the times of outputs, so output changes nothing. The matrix is an array of numbers on the
 * system's pattern; the linear solver factors it with KLU. After a start the pivots are chosen by the first matrix of the
 * run, so that nothing of an earlier run decides a bit of this one.
 *
 * SUNDIALS prints errors unless it is told not to; here they are noted by their number and become diagnostics.
 *
 * What IDA itself takes comes from the C library, all of it at creation and at the first start. A failure there is that of a call.
 */
#include "dae/ida_vector.h"
#include "dae/impl.h"

#include "base/foreign_memory.h"
#include "base/memory.h"

#include <ida/ida.h>
#include <math.h>
#include <string.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>

#if SUNDIALS_VERSION_MAJOR < 6
#define IDACreate(sun) IDACreate()
#endif
#if SUNDIALS_VERSION_MAJOR >= 7
#define SUNLS_MEM_FAIL SUN_ERR_MEM_FAIL
#endif

struct sl_dae_home {
    sl_context *ctx;
    SUNContext sun;
};

struct sl_dae_ida {
    SUNContext sun; /* of its own, or that of def.home */
    void *mem;
    sl_ida_vectors vectors;
    N_Vector y, yp, atol, id, scratch;
    struct _generic_SUNMatrix matrix;
    struct _generic_SUNMatrix_Ops matrix_ops;
    struct _generic_SUNLinearSolver solver;
    struct _generic_SUNLinearSolver_Ops solver_ops;
    int *found; /* [n_root] */
    size_t n_found;
    bool is_short; /* of memory: a factorisation was refused it */
};

static const double no_limit = 1e300; /* IDA cannot take a stop time back */

/* ---- Matrix and linear solver ------------------------------------------------------------------- */

static SUNMatrix_ID matrix_id(SUNMatrix a) {
    (void)a;
    return SUNMATRIX_CUSTOM;
}

static int matrix_zero(SUNMatrix a) {
    (void)a; /* the Jacobian function sets every entry */
    return 0;
}

static SUNLinearSolver_Type solver_type(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_DIRECT;
}

static SUNLinearSolver_ID solver_id(SUNLinearSolver s) {
    (void)s;
    return SUNLINEARSOLVER_CUSTOM;
}

static int solver_setup(SUNLinearSolver s, SUNMatrix a) {
    sl_dae *d = s->content;
    (void)a;
    sl_status status = sl_integrator_factor(d);
    d->ida->is_short = d->ida->is_short || status == SL_ERR_MEMORY;
    return status == SL_OK ? 0 : status == SL_ERR_MEMORY ? SUNLS_MEM_FAIL : SUNLS_LUFACT_FAIL;
}

static int solver_solve(SUNLinearSolver s, SUNMatrix a, N_Vector x, N_Vector b, sunrealtype tol) {
    sl_dae *d = s->content;
    (void)a;
    (void)tol;
    double *to = sl_ida_vector_values(x), *from = sl_ida_vector_values(b);
    if (to != from) {
        memcpy(to, from, (size_t)d->n * sizeof *to);
    }
    sl_lu_solve(d->lu, to);
    return 0;
}

/* ---- What IDA calls ----------------------------------------------------------------------------- */

static int residual(sunrealtype t, N_Vector y, N_Vector yp, N_Vector r, void *user) {
    return sl_integrator_residual(user, t, sl_ida_vector_values(y), sl_ida_vector_values(yp), sl_ida_vector_values(r));
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector y, N_Vector yp, N_Vector r, SUNMatrix j, void *user,
                    N_Vector t1, N_Vector t2, N_Vector t3) {
    (void)r, (void)j, (void)t1, (void)t2, (void)t3;
    return sl_integrator_jacobian(user, t, c, sl_ida_vector_values(y), sl_ida_vector_values(yp));
}

static int roots(sunrealtype t, N_Vector y, N_Vector yp, sunrealtype *g, void *user) {
    return sl_roots_evaluate(user, t, sl_ida_vector_values(y), sl_ida_vector_values(yp), g);
}

/* ---- Versions ----------------------------------------------------------------------------------- */

static bool open_context(SUNContext *sun) {
#if SUNDIALS_VERSION_MAJOR < 6
    *sun = NULL;
    return true;
#elif SUNDIALS_VERSION_MAJOR == 6
    return SUNContext_Create(NULL, sun) == 0;
#else
    return SUNContext_Create(SUN_COMM_NULL, sun) == 0 && SUNContext_ClearErrHandlers(*sun) == 0;
#endif
}

static void close_context(SUNContext *sun) {
#if SUNDIALS_VERSION_MAJOR >= 6
    if (*sun) {
        (void)SUNContext_Free(sun);
    }
#endif
    *sun = NULL;
}

#if SUNDIALS_VERSION_MAJOR < 7
/* NOLINTNEXTLINE(readability-non-const-parameter): IDA's type of such functions */
static void silent(int code, const char *module, const char *function, char *text, void *user) {
    (void)code, (void)module, (void)function, (void)text, (void)user;
}
#endif

static bool silence(void *mem) {
#if SUNDIALS_VERSION_MAJOR < 7
    return IDASetErrHandlerFn(mem, silent, NULL) == 0;
#else
    return mem != NULL; /* the context has no handlers */
#endif
}

sl_status sl_dae_home_create(sl_context *ctx, sl_dae_home **out) {
    sl_dae_home *home = *out = sl_alloc(ctx, sizeof *home);
    if (!home) {
        return SL_ERR_MEMORY;
    }
    home->ctx = ctx;
    int before = sl_foreign_memory_begin();
    bool fine = open_context(&home->sun), failed = sl_foreign_memory_end(before);
    home->sun = failed ? NULL : home->sun; /* a logger that is half made crashes when it is freed */
    return fine && !failed ? SL_OK : SL_ERR_MEMORY;
}

void sl_dae_home_destroy(sl_dae_home *home) {
    if (home) {
        close_context(&home->sun);
        sl_free(home->ctx, home, sizeof *home);
    }
}

/* ---- Life --------------------------------------------------------------------------------------- */

static void make_solver(sl_dae *d) {
    sl_dae_ida *a = d->ida;
    a->matrix_ops = (struct _generic_SUNMatrix_Ops){.getid = matrix_id, .zero = matrix_zero};
    a->matrix.content = d;
    a->matrix.ops = &a->matrix_ops;
    a->solver_ops = (struct _generic_SUNLinearSolver_Ops){
        .gettype = solver_type, .getid = solver_id, .setup = solver_setup, .solve = solver_solve};
    a->solver.content = d;
    a->solver.ops = &a->solver_ops;
#if SUNDIALS_VERSION_MAJOR >= 6
    a->matrix.sunctx = a->solver.sunctx = a->sun;
#endif
}

static bool make_vectors(sl_dae *d) {
    sl_dae_ida *a = d->ida;
    N_Vector *all[] = {&a->y, &a->yp, &a->atol, &a->id, &a->scratch};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        *all[k] = sl_ida_vector_create(&a->vectors);
        if (!*all[k]) {
            return false;
        }
    }
    for (int32_t j = 0; j < d->n; j++) {
        sl_ida_vector_values(a->atol)[j] = d->atol[j];
        sl_ida_vector_values(a->id)[j] = d->differential[j];
    }
    return true;
}

static void set_differential(sl_dae *d) {
    for (int32_t j = 0; j < d->n; j++) {
        sl_ida_vector_values(d->ida->id)[j] = d->differential[j];
        sl_ida_vector_values(d->ida->atol)[j] = d->atol[j];
    }
    (void)IDASetId(d->ida->mem, d->ida->id); /* both copied into vectors that it has */
    (void)IDASVtolerances(d->ida->mem, d->def.rtol, d->ida->atol);
}

/* True when every call succeeded. */
static bool set_up(sl_dae *d) {
    sl_dae_ida *a = d->ida;
    bool fine = silence(a->mem) && IDAInit(a->mem, residual, 0.0, a->y, a->yp) == 0 && IDASetUserData(a->mem, d) == 0 &&
                IDASVtolerances(a->mem, d->def.rtol, a->atol) == 0 && IDASetId(a->mem, a->id) == 0 &&
                IDASetSuppressAlg(a->mem, d->def.skip_algebraic) == 0 && IDASetMaxOrd(a->mem, d->def.max_order) == 0 &&
                IDASetMaxStep(a->mem, d->def.max_step) == 0 &&
                IDASetLinearSolver(a->mem, &a->solver, &a->matrix) == 0 && IDASetJacFn(a->mem, jacobian) == 0 &&
                IDARootInit(a->mem, d->n_root, d->n_root > 0 ? roots : NULL) == 0 &&
                IDASetNoInactiveRootWarn(a->mem) == 0;
    if (!fine || d->n_root == 0) {
        return fine;
    }
    /* IDA copies the directions; the array of found roots is the room for them */
    for (int32_t i = 0; i < d->n_root; i++) {
        a->found[i] = (d->directions[i] > 0) - (d->directions[i] < 0);
    }
    return IDASetRootDirection(a->mem, a->found) == 0;
}

static sl_status create_all(sl_dae *d) {
    sl_dae_ida *a = d->ida;
    a->n_found = (size_t)d->n_root * sizeof *a->found;
    a->found = sl_alloc(d->ctx, a->n_found);
    if ((d->n_root > 0 && !a->found) || (!d->def.home && !open_context(&a->sun))) {
        return SL_ERR_MEMORY;
    }
    if (sl_foreign_memory_failed()) { /* it says nothing of a logger that is half made, and crashes when it frees one */
        a->sun = NULL;
        return SL_ERR_MEMORY;
    }
    a->sun = d->def.home ? d->def.home->sun : a->sun;
    a->mem = IDACreate(a->sun);
    make_solver(d);
    return a->mem && sl_ida_vectors_init(&a->vectors, d->ctx, a->sun, d->n) == SL_OK && make_vectors(d) && set_up(d) &&
                   !a->vectors.is_short
               ? SL_OK
               : SL_ERR_MEMORY;
}

static sl_status create(sl_dae *d) {
    sl_dae_ida *a = sl_alloc(d->ctx, sizeof *a);
    if (!a) {
        return SL_ERR_MEMORY;
    }
    d->ida = a;
    int before = sl_foreign_memory_begin();
    sl_status status = create_all(d);
    return sl_foreign_memory_end(before) ? SL_ERR_MEMORY : status;
}

static void destroy(sl_dae *d) {
    sl_dae_ida *a = d->ida;
    if (!a) {
        return;
    }
    if (a->mem) {
        IDAFree(&a->mem);
    }
    enum { N_VECTOR = 5 };
    N_Vector all[N_VECTOR] = {a->y, a->yp, a->atol, a->id, a->scratch};
    for (int k = 0; k < N_VECTOR; k++) {
        if (all[k]) {
            N_VDestroy(all[k]);
        }
    }
    sl_ida_vectors_fini(&a->vectors);
    if (!d->def.home) {
        close_context(&a->sun);
    }
    sl_free(d->ctx, a->found, a->n_found);
    sl_free(d->ctx, a, sizeof *a);
    d->ida = NULL;
}

static size_t size(const sl_dae *d) {
    enum { FIXED = 8000, N_VECTOR = 30 }; /* records and small blocks; vectors of history and work, measured */
    return FIXED + N_VECTOR * (size_t)d->n * sizeof(double) + 24 * (size_t)d->n_root * sizeof(double);
}

/* ---- Motion ------------------------------------------------------------------------------------- */

/* IDA counts from each start; the statistics are over all. */
static void collect(sl_dae *d) {
    long steps = 0, r = 0, setups = 0, fails = 0, newton = 0, newton_fails = 0, g = 0;
    int last = 0, current = 0;
    double first = 0.0, h = 0.0, next = 0.0, t = 0.0;
    (void)IDAGetIntegratorStats(d->ida->mem, &steps, &r, &setups, &fails, &last, &current, &first, &h, &next, &t);
    (void)IDAGetNumNonlinSolvIters(d->ida->mem, &newton);
    (void)IDAGetNumNonlinSolvConvFails(d->ida->mem, &newton_fails);
    (void)IDAGetNumGEvals(d->ida->mem, &g);
    d->stats.n_newton += newton;
    d->stats.n_error_fail += fails;
    d->stats.n_newton_fail += newton_fails;
    d->stats.n_root += g;
}

static void statistics(const sl_dae *d, sl_dae_stats *s) {
    sl_dae copy = *d;
    collect(&copy);
    *s = copy.stats;
    (void)IDAGetLastOrder(d->ida->mem, &s->order);
    (void)IDAGetLastStep(d->ida->mem, &s->last_step);
}

static sl_status start(sl_dae *d) {
    sl_dae_ida *a = d->ida;
    const sl_dae_point *p = &d->point;
    if (d->stats.n_restart > 0) {
        collect(d);
    }
    d->stats.n_restart++;
    memcpy(sl_ida_vector_values(a->y), d->x0, (size_t)d->n * sizeof(double));
    memcpy(sl_ida_vector_values(a->yp), d->dx0, (size_t)d->n * sizeof(double));
    d->fresh_pivots = true;
    bool fine = IDAReInit(a->mem, p->t, a->y, a->yp) == 0 && IDASetInitStep(a->mem, p->h) == 0 &&
                IDASetStopTime(a->mem, isfinite(p->limit) ? p->limit : no_limit) == 0;
    return !fine ? SL_ERR_USE : a->vectors.is_short ? SL_ERR_MEMORY : SL_OK;
}

static sl_dae_trouble trouble_of(int flag) {
    static const struct {
        int flag;
        sl_dae_trouble trouble;
    } all[] = {{IDA_ERR_FAIL, SL_DAE_NOT_EXACT},
               {IDA_CONV_FAIL, SL_DAE_NOT_SOLVED},
               {IDA_LSETUP_FAIL, SL_DAE_NO_MATRIX},
               {IDA_RES_FAIL, SL_DAE_NO_RESIDUAL},
               {IDA_REP_RES_ERR, SL_DAE_NO_RESIDUAL_NEARBY},
               {IDA_FIRST_RES_FAIL, SL_DAE_NO_RESIDUAL_AT_ONCE},
               {IDA_RTFUNC_FAIL, SL_DAE_NO_ROOT},
               {IDA_TOO_MUCH_ACC, SL_DAE_TOO_EXACT},
               {IDA_ILL_INPUT, SL_DAE_NO_VALUE},
               {IDA_MEM_FAIL, SL_DAE_NO_MEMORY}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        if (all[k].flag == flag) {
            return all[k].trouble;
        }
    }
    return SL_DAE_OTHER;
}

static double current(const sl_dae *d, const double **errors) {
    double h = 0.0;
    bool known = IDAGetEstLocalErrors(d->ida->mem, d->ida->scratch) == 0;
    *errors = known ? sl_ida_vector_values(d->ida->scratch) : NULL;
    (void)IDAGetCurrentStep(d->ida->mem, &h);
    return h;
}

static sl_dae_trouble step(sl_dae *d, int *end) {
    sl_dae_ida *a = d->ida;
    double t = d->t, ahead = isfinite(d->point.limit) ? d->point.limit : d->t + fmax(1.0, fabs(d->t));
    a->is_short = false;
    int flag = IDASolve(a->mem, ahead, &t, a->y, a->yp, IDA_ONE_STEP);
    if (a->is_short || a->vectors.is_short || flag == IDA_MEM_FAIL) {
        return SL_DAE_NO_MEMORY;
    }
    if (flag != IDA_SUCCESS && flag != IDA_ROOT_RETURN && flag != IDA_TSTOP_RETURN) {
        return trouble_of(flag);
    }
    d->t = flag == IDA_TSTOP_RETURN ? d->point.limit : t;
    memcpy(d->x, sl_ida_vector_values(a->y), (size_t)d->n * sizeof(double));
    memcpy(d->dx, sl_ida_vector_values(a->yp), (size_t)d->n * sizeof(double));
    *end = flag == IDA_ROOT_RETURN ? 1 : flag == IDA_TSTOP_RETURN ? 2 : 0;
    memset(d->fired, 0, (size_t)d->n_root);
    if (flag == IDA_ROOT_RETURN) {
        (void)IDAGetRootInfo(a->mem, a->found);
        for (int32_t i = 0; i < d->n_root; i++) {
            d->fired[i] = (int8_t)(a->found[i] > 0 ? 1 : a->found[i] < 0 ? -1 : 0);
        }
    }
    return SL_DAE_NO_TROUBLE;
}

static sl_status interpolate(const sl_dae *d, double t, double *x, double *dx) {
    sl_dae_ida *a = d->ida;
    double *to[2] = {x, dx};
    for (int k = 0; k < 2; k++) {
        if (IDAGetDky(a->mem, t, k, a->scratch) != 0) {
            return SL_ERR_USE;
        }
        memcpy(to[k], sl_ida_vector_values(a->scratch), (size_t)d->n * sizeof(double));
    }
    return SL_OK;
}

const sl_integrator sl_ida_integrator = {.create = create,
                                         .destroy = destroy,
                                         .set_differential = set_differential,
                                         .size = size,
                                         .start = start,
                                         .step = step,
                                         .interpolate = interpolate,
                                         .statistics = statistics,
                                         .current = current};
