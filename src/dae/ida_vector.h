/* SPDX-License-Identifier: MIT */
/* ida_vector.h: vectors of SUNDIALS in memory of the context.
 *
 * SUNDIALS writes into what the clone of a vector returns before it looks whether there is one. So a clone is always one: where memory
 * ends, the spare vector, which all such clones share, and is_short says so. What was computed since is worthless then.
 */
#ifndef SL_DAE_IDA_VECTOR_H
#define SL_DAE_IDA_VECTOR_H

#include <sundials/sundials_nvector.h>

#include <sluice/base.h>

/* Three major versions of SUNDIALS will do: 5 (Ubuntu 22.04) has no contexts, 7 (Fedora 42) handles errors in them. */
#if SUNDIALS_VERSION_MAJOR < 6
typedef realtype sunrealtype;
typedef void *SUNContext;
#endif

/* Those of one system; stays in its place while it has vectors. */
typedef struct sl_ida_vectors {
    sl_context *ctx;
    SUNContext sun;
    struct _generic_N_Vector_Ops ops;
    int32_t n;
    bool is_short; /* a clone was refused */
    N_Vector spare;
} sl_ida_vectors;

/* SL_ERR_MEMORY: no spare vector. fini follows in any case, when all others are destroyed. */
sl_status sl_ida_vectors_init(sl_ida_vectors *all, sl_context *ctx, SUNContext sun, int32_t n);
void sl_ida_vectors_fini(sl_ida_vectors *all);
/* Zeros. NULL: no memory. Destroyed by N_VDestroy. */
N_Vector sl_ida_vector_create(sl_ida_vectors *all);
double *sl_ida_vector_values(N_Vector v);

#endif
