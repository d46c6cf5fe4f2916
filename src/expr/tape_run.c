/* SPDX-License-Identifier: MIT */
/* tape_run.c: evaluation of a tape: for every loop, block by block, one operation after the other on whole registers.
 * Operations that are not calls of libm are vector code for the processor at hand; every element gets the operations of
 * scalar.h, so the bits depend on neither block nor width. */
#include <math.h>

#include "expr/impl.h"
#include "expr/scalar.h"
#include "expr/tape_impl.h"
#include "numeric/vecmath.h"

typedef sl_tape_operands block;
typedef void kernel(const block *k);

/* to may be one of the operands: each element is read before it is written. */
#define KERNEL(name, ...)                                    \
    SL_SIMD(void, name, (const block *k), (k)) {             \
        double *to = k->to;                                  \
        const double *pa = k->a, *pb = k->b, *pc = k->c;     \
        (void)pb, (void)pc;                                  \
        _Pragma("omp simd") for (int i = 0; i < k->n; i++) { \
            const double a = pa[i];                          \
            to[i] = (__VA_ARGS__);                           \
        }                                                    \
    }
KERNEL(run_add, a + pb[i])
KERNEL(run_sub, a - pb[i])
KERNEL(run_add_mul, a + pb[i] * pc[i])
KERNEL(run_sub_mul, a - pb[i] * pc[i])
KERNEL(run_mul, a *pb[i])
KERNEL(run_div, a / pb[i])
KERNEL(run_neg, -a)
KERNEL(run_sqrt, sqrt(a))
KERNEL(run_abs, fabs(a))
KERNEL(run_sign, sl_sign1(a))
KERNEL(run_same, a)
KERNEL(run_floor, floor(a))
KERNEL(run_ceil, ceil(a))
KERNEL(run_mod, sl_mod2(a, pb[i]))
KERNEL(run_min, sl_min2(a, pb[i]))
KERNEL(run_max, sl_max2(a, pb[i]))
KERNEL(run_if, a != 0.0 ? pb[i] : pc[i])
KERNEL(run_lt, a < pb[i] ? 1.0 : 0.0)
KERNEL(run_le, a <= pb[i] ? 1.0 : 0.0)
KERNEL(run_eq, a == pb[i] ? 1.0 : 0.0)
KERNEL(run_ne, a != pb[i] ? 1.0 : 0.0)
KERNEL(run_not, a == 0.0 ? 1.0 : 0.0)
KERNEL(run_and, ((a != 0.0) & (pb[i] != 0.0)) ? 1.0 : 0.0)
KERNEL(run_or, ((a != 0.0) | (pb[i] != 0.0)) ? 1.0 : 0.0)
KERNEL(run_square, a *a)
KERNEL(run_cube, a *a *a)
KERNEL(run_fourth, (a * a) * (a * a))

/* Functions of libm, one call after the other. */
#define CALLS(name, call)                \
    static void name(const block *k) {   \
        for (int i = 0; i < k->n; i++) { \
            const double a = k->a[i];    \
            k->to[i] = call;             \
        }                                \
    }
CALLS(run_exp, exp(a))
CALLS(run_log, log(a))
CALLS(run_log10, log10(a))
CALLS(run_sin, sin(a))
CALLS(run_cos, cos(a))
CALLS(run_tan, tan(a))
CALLS(run_asin, asin(a))
CALLS(run_acos, acos(a))
CALLS(run_atan, atan(a))
CALLS(run_sinh, sinh(a))
CALLS(run_cosh, cosh(a))
CALLS(run_tanh, tanh(a))
CALLS(run_atan2, atan2(a, k->b[i]))
CALLS(run_pow, sl_pow2(a, k->b[i]))

static kernel *const kernels[SL_TAPE_OPS] = {
    [SL_TAPE_ADD_MUL] = run_add_mul,
    [SL_TAPE_SUB_MUL] = run_sub_mul,
    [SL_OP_ADD] = run_add,
    [SL_TAPE_SUB] = run_sub,
    [SL_OP_MUL] = run_mul,
    [SL_OP_DIV] = run_div,
    [SL_OP_NEG] = run_neg,
    [SL_OP_POW] = run_pow,
    [SL_OP_SQRT] = run_sqrt,
    [SL_OP_EXP] = run_exp,
    [SL_OP_LOG] = run_log,
    [SL_OP_LOG10] = run_log10,
    [SL_OP_SIN] = run_sin,
    [SL_OP_COS] = run_cos,
    [SL_OP_TAN] = run_tan,
    [SL_OP_ASIN] = run_asin,
    [SL_OP_ACOS] = run_acos,
    [SL_OP_ATAN] = run_atan,
    [SL_OP_SINH] = run_sinh,
    [SL_OP_COSH] = run_cosh,
    [SL_OP_TANH] = run_tanh,
    [SL_OP_ABS] = run_abs,
    [SL_OP_SIGN] = run_sign,
    [SL_OP_STICK] = run_sign,
    [SL_OP_SMOOTH] = run_same,
    [SL_OP_FLOOR] = run_floor,
    [SL_OP_CEIL] = run_ceil,
    [SL_OP_ATAN2] = run_atan2,
    [SL_OP_MOD] = run_mod,
    [SL_OP_MIN] = run_min,
    [SL_OP_MAX] = run_max,
    [SL_OP_IF] = run_if,
    [SL_OP_LT] = run_lt,
    [SL_OP_LE] = run_le,
    [SL_OP_EQ] = run_eq,
    [SL_OP_NE] = run_ne,
    [SL_OP_NOT] = run_not,
    [SL_OP_AND] = run_and,
    [SL_OP_OR] = run_or,
};

/* A constant exponent: a few by multiplication, without a look at each element. */
static void run_power(const block *k, double e) {
    static kernel *const few[] = {[2] = run_square, [3] = run_cube, [4] = run_fourth};
    if (e == 2.0 || e == 3.0 || e == 4.0) {
        few[(int)e](k);
        return;
    }
    if (sl_power_is_whole(e)) {
        int n = (int)fabs(e);
        for (int i = 0; i < k->n; i++) {
            double y = sl_power_whole(k->a[i], n);
            k->to[i] = e < 0.0 ? 1.0 / y : y;
        }
        return;
    }
    for (int i = 0; i < k->n; i++) {
        k->to[i] = sl_pow2(k->a[i], e);
    }
}

static void run_table(const sl_tape *tape, const block *k, int32_t number, bool slope) {
    const sl_tape_table *points = &tape->tables.at[number];
    double *x = tape->constants.at + points->first;
    sl_lookup_table table = {points->n, x, x + points->n, x + 2 * points->n, points->kind, points->beyond};
    for (int i = 0; i < k->n; i++) {
        k->to[i] = slope ? sl_table_slope(&table, k->a[i]) : sl_table_value(&table, k->a[i]);
    }
}

void sl_tape_run_op(const sl_tape *tape, int32_t op, int32_t c, double exponent, const sl_tape_operands *k) {
    if (kernels[op]) {
        kernels[op](k);
    } else if (op == SL_TAPE_POWER) {
        run_power(k, exponent);
    } else {
        run_table(tape, k, c, op == SL_OP_SLOPE);
    }
}

typedef struct run {
    const sl_tape *tape;
    const double *areas[SL_AREAS];
    double *values, *out; /* the areas that are written */
    double *registers;
    const double **pointers;
} run;

static double leaf_at(const run *r, const sl_tape_leaf *leaf, int64_t i) {
    int64_t at = leaf->mode == SL_MODE_UNIFORM  ? leaf->base
                 : leaf->mode == SL_MODE_STREAM ? leaf->base + i
                                                : r->tape->lists.at[leaf->list + i];
    return r->areas[leaf->area][at];
}

/* Leaves that are the same for all cells, once; and the pointers of registers. */
static void open_loop(const run *r, const sl_tape_loop *loop) {
    int32_t used = 0;
    int n = loop->n_cell < SL_TAPE_BLOCK ? (int)loop->n_cell : SL_TAPE_BLOCK;
    for (int32_t k = 0; k < loop->n_leaf; k++) {
        const sl_tape_leaf *leaf = &r->tape->leaves.at[loop->first_leaf + k];
        if (leaf->mode == SL_MODE_STREAM) {
            continue;
        }
        double *to = r->registers + (int64_t)used++ * SL_TAPE_STRIDE;
        r->pointers[k] = to;
        if (leaf->mode == SL_MODE_UNIFORM) {
            double value = r->areas[leaf->area][leaf->base];
            for (int i = 0; i < n; i++) {
                to[i] = value;
            }
        }
    }
    for (int32_t k = used; k < loop->n_register; k++) {
        r->pointers[loop->n_leaf + k - used] = r->registers + (int64_t)k * SL_TAPE_STRIDE;
    }
}

static void fetch(const run *r, const sl_tape_loop *loop, int64_t first, int n) {
    for (int32_t k = 0; k < loop->n_leaf; k++) {
        const sl_tape_leaf *leaf = &r->tape->leaves.at[loop->first_leaf + k];
        if (leaf->mode == SL_MODE_COUNT) {
            double *to = (double *)r->pointers[k];
            for (int i = 0; i < n; i++) {
                to[i] = (double)(leaf->base + first + i);
            }
        } else if (leaf->mode == SL_MODE_STREAM) {
            r->pointers[k] = r->areas[leaf->area] + leaf->base + first;
        } else if (leaf->mode == SL_MODE_LISTED) {
            const int32_t *list = r->tape->lists.at + leaf->list + first;
            const double *from = r->areas[leaf->area];
            double *to = (double *)r->pointers[k]; /* a register */
            for (int i = 0; i < n; i++) {
                to[i] = from[list[i]];
            }
        }
    }
}

/* How many are zero. */
SL_SIMD(int, count_zeros, (const double *v, int n), (v, n)) {
    int zeros = 0;
    _Pragma("omp simd reduction(+ : zeros)") for (int i = 0; i < n; i++) {
        zeros += v[i] == 0.0;
    }
    return zeros;
}

/* Is the side of a choice taken nowhere in the block? */
static bool is_skipped(const double *condition, int n, bool if_zero) {
    return count_zeros(condition, n) == (if_zero ? n : 0);
}

static void run_block(const run *r, const sl_tape_loop *loop, int64_t first, int n) {
    const sl_tape *tape = r->tape;
    double *area = loop->result.area == SL_AREA_OUT ? r->out : r->values;
    bool listed = loop->result.mode == SL_MODE_LISTED;
    fetch(r, loop, first, n);
    for (int64_t i = 0; i < loop->n_code; i++) {
        const sl_tape_code *c = &tape->code.at[loop->first_code + i];
        if (c->op == SL_TAPE_SKIP_IF_ZERO || c->op == SL_TAPE_SKIP_UNLESS_ZERO) {
            i += is_skipped(r->pointers[c->a], n, c->op == SL_TAPE_SKIP_IF_ZERO) ? c->c : 0;
            continue;
        }
        double *to = (double *)r->pointers[c->to];
        if (i + 1 == loop->n_code && !listed) {
            to = area + loop->result.base + first;
        }
        block k = {n, to, r->pointers[c->a], NULL, NULL};
        if (kernels[c->op]) {
            k.b = r->pointers[c->b];
            k.c = r->pointers[c->c];
        }
        sl_tape_run_op(tape, c->op, c->c, c->exponent, &k);
    }
    const double *last = r->pointers[tape->code.at[loop->first_code + loop->n_code - 1].to];
    for (int i = 0; listed && i < n; i++) {
        area[tape->lists.at[loop->result.list + first + i]] = last[i];
    }
}

static void run_reduction(const run *r, const sl_tape_reduction *reduction) {
    static const sl_op ops[] = {SL_OP_ADD, SL_OP_MUL, SL_OP_MIN, SL_OP_MAX, SL_OP_AND, SL_OP_OR};
    const sl_tape_leaf *leaves = r->tape->leaves.at + reduction->first_leaf;
    bool logic = reduction->op == ops[4] || reduction->op == ops[5];
    double y = leaf_at(r, &leaves[0], 0);
    y = logic ? (double)(y != 0.0) : y;
    for (int64_t i = 1; i < reduction->n; i++) {
        double b = leaf_at(r, &leaves[i], 0);
        switch ((int)reduction->op) {
        case SL_OP_ADD: y = y + b; break;
        case SL_OP_MUL: y = y * b; break;
        case SL_OP_MIN: y = sl_min2(y, b); break;
        case SL_OP_MAX: y = sl_max2(y, b); break;
        case SL_OP_AND: y = y != 0.0 && b != 0.0; break;
        default: y = y != 0.0 || b != 0.0; break;
        }
    }
    (reduction->result.area == SL_AREA_OUT ? r->out : r->values)[reduction->result.base] = y;
}

size_t sl_tape_work_size(const sl_tape *tape) {
    if (tape->steps.n > 0) {
        return 0;
    }
    return (size_t)(tape->n_value + tape->most_register * SL_TAPE_STRIDE) * sizeof(double) +
           (size_t)tape->most_pointer * sizeof(double *) + SL_TAPE_ALIGN;
}

void sl_tape_eval(const sl_tape *tape, const sl_expr_point *at, void *work, double *out) {
    if (tape->steps.n > 0) {
        sl_tape_run_small(tape, at, out);
        return;
    }
    run r = {.tape = tape, .values = work, .out = out};
    for (int k = 0; k < SL_EXPR_ORDERS; k++) {
        r.areas[k] = at->x[k];
    }
    r.areas[SL_AREA_PARAMETER] = at->p;
    r.areas[SL_AREA_TIME] = &at->t;
    r.areas[SL_AREA_CONST] = tape->constants.at;
    r.areas[SL_AREA_WORK] = r.values;
    r.areas[SL_AREA_OUT] = out;
    uintptr_t end = (uintptr_t)(r.values + tape->n_value);
    r.registers = r.values + tape->n_value + (-end & (SL_TAPE_ALIGN - 1)) / sizeof(double);
    r.pointers = (const double **)(void *)(r.registers + tape->most_register * SL_TAPE_STRIDE);
    int64_t loop = 0, reduction = 0;
    for (int32_t level = 0; level < tape->n_level; level++) {
        for (; loop < tape->loops.n && tape->loops.at[loop].level == level; loop++) {
            const sl_tape_loop *l = &tape->loops.at[loop];
            open_loop(&r, l);
            for (int64_t first = 0; first < l->n_cell; first += SL_TAPE_BLOCK) {
                int64_t left = l->n_cell - first;
                run_block(&r, l, first, left < SL_TAPE_BLOCK ? (int)left : SL_TAPE_BLOCK);
            }
        }
        for (; reduction < tape->reductions.n && tape->reductions.at[reduction].level == level; reduction++) {
            run_reduction(&r, &tape->reductions.at[reduction]);
        }
    }
    int64_t i = 0;
    for (int area = 0; i < tape->copies.n; area++) { /* sorted by areas */
        for (; i < tape->first_copy[area + 1]; i++) {
            out[tape->copies.at[i].to] = r.areas[area][tape->copies.at[i].from];
        }
    }
}

void sl_tape_destroy(sl_tape *tape) {
    if (!tape) {
        return;
    }
    sl_free(tape->ctx, tape, tape->n_byte);
}
