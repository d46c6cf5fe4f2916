/* SPDX-License-Identifier: MIT */
/* eval.c: the value of operations, tables, and of one expression by a walk over the graph. */
#include <math.h>
#include <string.h>

#include "expr/impl.h"
#include "expr/scalar.h"

int32_t sl_table_find(const sl_lookup_table *table, double x) {
    int32_t low = -1, high = table->n;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (table->x[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Fritsch and Butland 1984: the harmonic mean of the slopes on both sides, weighted by the lengths; 0 where they differ in
 * sign. At the ends the parabola through three points, cut to what keeps the piece monotone. */
static double end_slope(double h0, double h1, double s0, double s1) {
    double d = ((2.0 * h0 + h1) * s0 - h0 * s1) / (h0 + h1);
    if (d * s0 <= 0.0) {
        return 0.0;
    }
    return s0 * s1 <= 0.0 && fabs(d) > 3.0 * fabs(s0) ? 3.0 * s0 : d;
}

static double chord(const double *x, const double *y, int32_t i) {
    return (y[i + 1] - y[i]) / (x[i + 1] - x[i]);
}

void sl_table_find_slopes(int32_t n, const double *x, const double *y, double *slopes) {
    for (int32_t i = 0; i < n; i++) {
        slopes[i] = n == 2 ? chord(x, y, 0) : 0.0;
    }
    for (int32_t i = 1; i + 1 < n; i++) {
        double h0 = x[i] - x[i - 1], h1 = x[i + 1] - x[i], s0 = chord(x, y, i - 1), s1 = chord(x, y, i);
        double w0 = 2.0 * h1 + h0, w1 = h1 + 2.0 * h0;
        slopes[i] = s0 * s1 > 0.0 ? (w0 + w1) / (w0 / s0 + w1 / s1) : 0.0;
    }
    if (n > 2) {
        slopes[0] = end_slope(x[1] - x[0], x[2] - x[1], chord(x, y, 0), chord(x, y, 1));
        slopes[n - 1] = end_slope(x[n - 1] - x[n - 2], x[n - 2] - x[n - 3], chord(x, y, n - 2), chord(x, y, n - 3));
    }
}

void sl_table_segment(const sl_lookup_table *table, int32_t i, double c[5]) {
    int32_t last = table->n - 1, k = i < 0 ? 0 : i;
    bool between = i >= 0 && i < last;
    memset(c, 0, 5 * sizeof *c);
    c[0] = table->x[k];
    c[1] = table->y[k];
    if (table->kind == SL_TABLE_HOLD || (!between && (table->beyond != SL_TABLE_EXTEND || last == 0))) {
        return;
    }
    if (table->kind == SL_TABLE_LINEAR) {
        c[2] = chord(table->x, table->y, k < last ? k : last - 1);
        return;
    }
    c[2] = table->slopes[k];
    if (between) {
        double h = table->x[k + 1] - table->x[k], s = chord(table->x, table->y, k), d = table->slopes[k + 1];
        c[3] = (3.0 * s - 2.0 * c[2] - d) / h;
        c[4] = (c[2] + d - 2.0 * s) / (h * h);
    }
}

double sl_table_value(const sl_lookup_table *table, double x) {
    double c[5];
    sl_table_segment(table, sl_table_find(table, x), c);
    double u = x - c[0], most = c[2] + u * (c[3] + u * c[4]);
    return most == 0.0 ? c[1] : c[1] + u * most; /* constant also at infinity */
}
double sl_table_slope(const sl_lookup_table *table, double x) {
    double c[5];
    sl_table_segment(table, sl_table_find(table, x), c);
    double u = x - c[0];
    return table->kind == SL_TABLE_CUBIC ? c[2] + u * (2.0 * c[3] + u * 3.0 * c[4]) : c[2];
}

#define FOLD(first, step)                 \
    {                                     \
        double y = (first);               \
        for (int32_t i = 1; i < n; i++) { \
            double b = v[i];              \
            y = (step);                   \
        }                                 \
        return y;                         \
    }

static double apply_many(sl_op op, int32_t n, const double *v) {
    switch ((int)op) {
    case SL_OP_ADD: FOLD(v[0], y + b)
    case SL_OP_MUL: FOLD(v[0], y * b)
    case SL_OP_MIN: FOLD(v[0], sl_min2(y, b))
    case SL_OP_MAX: FOLD(v[0], sl_max2(y, b))
    case SL_OP_AND: FOLD((double)(v[0] != 0.0), (double)(y != 0.0 && b != 0.0))
    default: FOLD((double)(v[0] != 0.0), (double)(y != 0.0 || b != 0.0))
    }
}

/* Functions of one argument from libm, by operation. */
typedef double unary(double);
static unary *const unaries[SL_OP_COUNT] = {
    [SL_OP_SQRT] = sqrt, [SL_OP_EXP] = exp,     [SL_OP_LOG] = log,   [SL_OP_LOG10] = log10, [SL_OP_SIN] = sin,
    [SL_OP_COS] = cos,   [SL_OP_TAN] = tan,     [SL_OP_ASIN] = asin, [SL_OP_ACOS] = acos,   [SL_OP_ATAN] = atan,
    [SL_OP_SINH] = sinh, [SL_OP_COSH] = cosh,   [SL_OP_TANH] = tanh, [SL_OP_ABS] = fabs,    [SL_OP_SIGN] = sl_sign1,
    [SL_OP_CEIL] = ceil, [SL_OP_FLOOR] = floor,
};

double sl_expr_apply(const sl_exprs *g, sl_op op, int32_t symbol, int32_t n, const double *v) {
    if (unaries[op]) {
        return unaries[op](v[0]);
    }
    switch ((int)op) {
    case SL_OP_DIV: return v[0] / v[1];
    case SL_OP_NEG: return -v[0];
    case SL_OP_POW: return sl_pow2(v[0], v[1]);
    case SL_OP_ATAN2: return atan2(v[0], v[1]);
    case SL_OP_MOD: return sl_mod2(v[0], v[1]);
    case SL_OP_IF: return v[0] != 0.0 ? v[1] : v[2];
    case SL_OP_LT: return v[0] < v[1];
    case SL_OP_LE: return v[0] <= v[1];
    case SL_OP_EQ: return v[0] == v[1];
    case SL_OP_NE: return v[0] != v[1];
    case SL_OP_NOT: return v[0] == 0.0;
    case SL_OP_SMOOTH: return v[0];
    case SL_OP_STICK: return sl_sign1(v[0]);
    case SL_OP_TABLE: return sl_table_value(&g->tables.at[symbol], v[0]);
    case SL_OP_SLOPE: return sl_table_slope(&g->tables.at[symbol], v[0]);
    default: return apply_many(op, n, v);
    }
}

static double leaf_value(const sl_node *node, const sl_expr_point *at) {
    switch ((int)node->op) {
    case SL_OP_CONST: return node->u.value;
    case SL_OP_VARIABLE: return at->x[node->order][node->symbol];
    case SL_OP_PARAMETER: return at->p[node->symbol];
    default: return at->t;
    }
}

sl_status sl_walk_eval(sl_walk *w, const sl_exprs *g, sl_expr e, const sl_expr_point *at, double *out) {
    sl_expr_list *list = &w->below;
    list->n = 0;
    sl_status status = sl_walk_below(w, g, 1, &e, list);
    int32_t most = 1;
    for (int64_t k = 0; k < list->n; k++) {
        most = sl_node_at(g, list->at[k])->n > most ? sl_node_at(g, list->at[k])->n : most;
    }
    if (status != SL_OK || !SL_RESERVE(w->ctx, &w->values, list->n + most)) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    double *values = w->values.at, *v = values + list->n;
    for (int64_t k = 0; k < list->n; k++) {
        const sl_node *node = sl_node_at(g, list->at[k]);
        for (int32_t i = 0; i < node->n; i++) {
            v[i] = values[w->place[sl_node_args(g, list->at[k])[i]]];
        }
        values[k] = node->n == 0 ? leaf_value(node, at) : sl_expr_apply(g, (sl_op)node->op, node->symbol, node->n, v);
    }
    *out = values[list->n - 1];
    return SL_OK;
}

sl_status sl_expr_eval(const sl_exprs *g, sl_expr e, const sl_expr_point *at, double *out) {
    sl_walk walk;
    sl_walk_init(&walk, g->ctx);
    sl_status status = sl_walk_eval(&walk, g, e, at, out);
    sl_walk_fini(&walk);
    return status;
}
