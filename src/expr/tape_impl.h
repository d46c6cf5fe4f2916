/* SPDX-License-Identifier: MIT */
/* tape_impl.h: what a tape is made of: between tape.c, which compiles, and tape_run.c, which runs.
 *
 * A loop computes cells of equal shape. Its operands stand in one table of pointers per block of cells: first the leaves,
 * then registers of SL_TAPE_BLOCK doubles, last the place of the result. Operations of a tape are those of expressions,
 * in twos and threes, and a few of its own. */
#ifndef SL_EXPR_TAPE_IMPL_H
#define SL_EXPR_TAPE_IMPL_H

#include "base/memory.h"
#include "expr/tape.h"

enum {
    SL_TAPE_BLOCK = 512,                /* cells at a time: registers of a usual loop stay in the first cache */
    SL_TAPE_STRIDE = SL_TAPE_BLOCK + 8, /* doubles from register to register: not a power of two, or stores and loads of
                                          * different registers would look alike to the processor */
    SL_TAPE_ALIGN = 64                  /* bytes: a vector lies in one cache line */
};

/* a - b, a + b c and a - b c with two roundings, a to a constant. The next c operations are left out where a is 0, or where it is
 * not, for all cells of the block: a side of a choice that is taken nowhere. */
enum {
    SL_TAPE_SUB = SL_OP_COUNT,
    SL_TAPE_ADD_MUL,
    SL_TAPE_SUB_MUL,
    SL_TAPE_POWER,
    SL_TAPE_SKIP_IF_ZERO,
    SL_TAPE_SKIP_UNLESS_ZERO,
    SL_TAPE_OPS
};

/* Where operands come from and results go. Variables by order come first. */
typedef enum sl_tape_area {
    SL_AREA_PARAMETER = SL_EXPR_ORDERS,
    SL_AREA_TIME,
    SL_AREA_CONST,
    SL_AREA_WORK,
    SL_AREA_OUT,
    SL_AREAS
} sl_tape_area;

typedef enum sl_tape_mode { SL_MODE_UNIFORM, SL_MODE_STREAM, SL_MODE_LISTED, SL_MODE_COUNT } sl_tape_mode;

/* Element base + i of an area for cell i, element base for all, or element list[i]; or the number base + i. */
typedef struct sl_tape_leaf {
    uint8_t area, mode;
    int32_t base;
    int64_t list; /* in lists */
} sl_tape_leaf;

typedef struct sl_tape_code {
    int32_t op, to, a, b, c; /* places in the table of pointers; c of TABLE and SLOPE: the table, of SKIP_*: a number */
    double exponent;         /* of POWER */
} sl_tape_code;

typedef struct sl_tape_loop {
    int32_t level;
    int32_t n_leaf, n_register; /* registers include one for each leaf that is no stream, which come first */
    int64_t first_leaf, first_code, n_code, n_cell;
    sl_tape_leaf result;
} sl_tape_loop;

/* One long sum, product, ... : op over n leaves. */
typedef struct sl_tape_reduction {
    int32_t level;
    sl_op op;
    int64_t first_leaf, n;
    sl_tape_leaf result;
} sl_tape_reduction;

/* Roots that are leaves or kept values: out[to] is element from of an area. */
typedef struct sl_tape_copy {
    int32_t from, to;
} sl_tape_copy;

typedef struct sl_tape_table {
    int32_t n;     /* 0: the tape does not use it */
    int64_t first; /* of its x in constants; y follow, and slopes of a cubic one */
    sl_table_kind kind;
    sl_table_beyond beyond;
} sl_tape_table;

/* A small tape is a sequence of these, on values by place. */
typedef struct sl_tape_step {
    uint8_t op, to, a, b;
    int32_t
        c; /* of LOAD: the element of its area, which b says; of STORE: of the output; of POWER: the place of its exponent in constants;
                * of TABLE and SLOPE: the table; of SKIP_*: a number of steps; else a third place */
} sl_tape_step;

enum { SL_TAPE_LOAD = SL_TAPE_OPS, SL_TAPE_STORE, SL_TAPE_STEPS, SL_TAPE_PLACES = 128 };

/* One block: arrays follow. */
struct sl_tape {
    sl_context *ctx;
    size_t n_byte;
    SL_ARRAY(sl_tape_step) steps; /* of a small tape, which ends before `loops` */
    SL_ARRAY(double) constants;
    SL_ARRAY(sl_tape_table) tables;
    sl_tape_stats stats;
    SL_ARRAY(sl_tape_loop) loops;           /* by level */
    SL_ARRAY(sl_tape_reduction) reductions; /* by level */
    SL_ARRAY(sl_tape_leaf) leaves;
    SL_ARRAY(sl_tape_code) code;
    SL_ARRAY(int32_t) lists;
    SL_ARRAY(sl_tape_copy) copies; /* by area */
    int64_t first_copy[SL_AREAS + 1];
    int32_t n_level;
    int64_t n_value; /* kept in work between levels */
    int64_t most_pointer, most_register;
    int64_t n_operation;
    int32_t n_side;
};

/* tape_small.c: as steps where they are few; else there are none. false: memory */
bool sl_tape_make_small(sl_tape *tape);
void sl_tape_run_small(const sl_tape *tape, const sl_expr_point *at, double *out);

/* tape_run.c: an operation on vectors of length n. */
typedef struct sl_tape_operands {
    int n;
    double *to;
    const double *a, *b, *c;
} sl_tape_operands;
void sl_tape_run_op(const sl_tape *tape, int32_t op, int32_t c, double exponent, const sl_tape_operands *k);

#endif
