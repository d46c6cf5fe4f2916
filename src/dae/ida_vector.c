/* SPDX-License-Identifier: MIT */
/* ida_vector.c: see ida_vector.h. The operations that IDA and its Newton iteration use, in plain loops.
 *
 * Sums go by index. A linear combination with equal or opposite factors multiplies once: SUNDIALS' serial vectors do so, and the bits
 * of their results are kept.
 */
#include "dae/ida_vector.h"

#include "base/memory.h"

#include <math.h>

typedef struct vector {
    struct _generic_N_Vector base; /* first: an N_Vector points to it */
    sl_ida_vectors *all;
    double x[];
} vector;

double *sl_ida_vector_values(N_Vector v) {
    return ((vector *)v)->x;
}

/* Values are called as in SUNDIALS' documentation: x and y go in, z comes out; any of them may be the same. */
#define OF(v) (((vector *)(v))->x)
#define N(v) (((const vector *)(v))->all->n)

/* ---- Life --------------------------------------------------------------------------------------- */

static size_t size_of(const sl_ida_vectors *all) {
    return sizeof(vector) + (size_t)(all->n > 0 ? all->n : 1) * sizeof(double);
}

N_Vector sl_ida_vector_create(sl_ida_vectors *all) {
    vector *v = sl_alloc(all->ctx, size_of(all));
    if (!v) {
        return NULL;
    }
    v->all = all;
    v->base.content = v;
    v->base.ops = &all->ops;
#if SUNDIALS_VERSION_MAJOR >= 6
    v->base.sunctx = all->sun;
#endif
    return &v->base;
}

static N_Vector clone(N_Vector like) {
    sl_ida_vectors *all = ((vector *)like)->all;
    N_Vector v = sl_ida_vector_create(all);
    all->is_short = all->is_short || !v;
    return v ? v : all->spare;
}

static void destroy(N_Vector v) {
    sl_ida_vectors *all = ((vector *)v)->all;
    if (v != all->spare) {
        sl_free(all->ctx, (vector *)v, size_of(all));
    }
}

/* ---- Operations --------------------------------------------------------------------------------- */

static void linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z) {
    const double *from = OF(x), *with = OF(y);
    double *to = OF(z);
    int32_t n = N(z);
    if (a == b) {
        for (int32_t i = 0; i < n; i++) {
            to[i] = a * (from[i] + with[i]);
        }
    } else if (a == -b) {
        for (int32_t i = 0; i < n; i++) {
            to[i] = a * (from[i] - with[i]);
        }
    } else {
        for (int32_t i = 0; i < n; i++) {
            to[i] = a * from[i] + b * with[i];
        }
    }
}

static void set_all(sunrealtype c, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = c;
    }
}

static void product(N_Vector x, N_Vector y, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = OF(x)[i] * OF(y)[i];
    }
}

static void quotient(N_Vector x, N_Vector y, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = OF(x)[i] / OF(y)[i];
    }
}

static void scale(sunrealtype c, N_Vector x, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = c * OF(x)[i];
    }
}

static void absolute(N_Vector x, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = fabs(OF(x)[i]);
    }
}

static void inverse(N_Vector x, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = 1.0 / OF(x)[i];
    }
}

static void add_to_all(N_Vector x, sunrealtype b, N_Vector z) {
    for (int32_t i = 0; i < N(z); i++) {
        OF(z)[i] = OF(x)[i] + b;
    }
}

static sunrealtype largest(N_Vector x) {
    double most = 0.0;
    for (int32_t i = 0; i < N(x); i++) {
        most = fabs(OF(x)[i]) > most ? fabs(OF(x)[i]) : most;
    }
    return most;
}

static sunrealtype least(N_Vector x) {
    double least_value = OF(x)[0];
    for (int32_t i = 1; i < N(x); i++) {
        least_value = OF(x)[i] < least_value ? OF(x)[i] : least_value;
    }
    return least_value;
}

static sunrealtype norm(N_Vector x, N_Vector weight) {
    double sum = 0.0;
    for (int32_t i = 0; i < N(x); i++) {
        double e = OF(x)[i] * OF(weight)[i];
        sum += e * e;
    }
    return sqrt(sum / N(x));
}

/* Of those elements where id is positive. */
static sunrealtype norm_where(N_Vector x, N_Vector weight, N_Vector id) {
    double sum = 0.0;
    for (int32_t i = 0; i < N(x); i++) {
        double e = OF(x)[i] * OF(weight)[i];
        sum += OF(id)[i] > 0.0 ? e * e : 0.0;
    }
    return sqrt(sum / N(x));
}

/* ---- All ---------------------------------------------------------------------------------------- */

static N_Vector_ID kind_of(N_Vector v) {
    (void)v;
    return SUNDIALS_NVEC_CUSTOM;
}

static sunindextype length(N_Vector v) {
    return N(v);
}

sl_status sl_ida_vectors_init(sl_ida_vectors *all, sl_context *ctx, SUNContext sun, int32_t n) {
    *all = (sl_ida_vectors){.ctx = ctx, .sun = sun, .n = n};
    all->ops = (struct _generic_N_Vector_Ops){
        .nvgetvectorid = kind_of,
        .nvclone = clone,
        .nvdestroy = destroy,
        .nvgetlength = length,
        .nvlinearsum = linear_sum,
        .nvconst = set_all,
        .nvprod = product,
        .nvdiv = quotient,
        .nvscale = scale,
        .nvabs = absolute,
        .nvinv = inverse,
        .nvaddconst = add_to_all,
        .nvmaxnorm = largest,
        .nvwrmsnorm = norm,
        .nvwrmsnormmask = norm_where,
        .nvmin = least,
    };
    all->spare = sl_ida_vector_create(all);
    return all->spare ? SL_OK : SL_ERR_MEMORY;
}

void sl_ida_vectors_fini(sl_ida_vectors *all) {
    if (all->spare) {
        sl_free(all->ctx, (vector *)all->spare, size_of(all));
        all->spare = NULL;
    }
}
