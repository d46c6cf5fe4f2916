/* SPDX-License-Identifier: MIT */
/* dimension.h: dimensions of expressions, for checking units where they are declared: what is added, compared or chosen between has one
 * dimension, what exp and the like are taken of has none. What nobody has declared fits anything. A number is one without dimension where it
 * multiplies, and fits anything where it is added. All values are in SI units.
 */
#ifndef SL_EXPR_DIMENSION_H
#define SL_EXPR_DIMENSION_H

#include "expr/expr.h"

enum { SL_BASE_UNITS = 4 }; /* m, kg, s, K */

typedef enum sl_dimension_kind {
    SL_DIMENSION_UNKNOWN = 0,
    SL_DIMENSION_NUMBER, /* made of written numbers only */
    SL_DIMENSION_KNOWN
} sl_dimension_kind;

typedef struct sl_dimension {
    sl_dimension_kind kind;
    double exponent[SL_BASE_UNITS];
} sl_dimension;

/* Of a variable or a parameter. */
typedef sl_dimension sl_dimension_of_symbol(const void *user, bool is_parameter, int32_t symbol);

typedef struct sl_dimension_fault {
    sl_expr first, part;     /* arguments that do not fit; NONE: part must have none */
    sl_dimension one, other; /* of these */
} sl_dimension_fault;

/* The dimension of an expression. *fault has part SL_EXPR_NONE where all fits. SL_ERR_MEMORY. */
sl_status sl_expr_find_dimension(sl_exprs *g, sl_expr e, sl_dimension_of_symbol *of, const void *user,
                                 sl_dimension *out, sl_dimension_fault *fault);
bool sl_dimension_fits(const sl_dimension *a, const sl_dimension *b);
sl_dimension sl_dimension_none(void);

/* A unit as text, also one that is put together: kg/m3, Pa s, m2 s-1, 1/(Pa s). factor: to SI. False: it is none, or one with an offset. */
bool sl_dimension_parse(sl_str text, sl_dimension *out, double *factor);
enum { SL_DIMENSION_TEXT = 80 };
/* The usual name, as Pa, or kg m-1 s-2; which parse reads again where exponents are whole. */
void sl_dimension_text(const sl_dimension *d, char text[SL_DIMENSION_TEXT]);

#endif
