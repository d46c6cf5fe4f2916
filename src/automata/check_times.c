/* SPDX-License-Identifier: MIT */
/* check_times.c: which times have to be looked at. Guards and equations depend on t through comparisons with what is bounded, which
 * settle, and through mod(t, k), which repeats: then times below a horizon and one period after it stand for all. c t + r, with a whole
 * number c and r free of t, is compared or divided as it stands there; anything else depends on t for ever.
 */
#include <math.h>

#include "automata/check_impl.h"

typedef struct times {
    sl_checker *c;
    sl_expr_list all; /* nodes, ascending */
    double *slope;    /* [all] of c t + r: c; 0: nothing below depends on t but by settling and repeating */
    const int32_t *place;
    double horizon, period;
    bool endless; /* something depends on t for ever */
} times;

/* The largest |r| of c t + r, whatever the variables are. */
static double reach(times *s, sl_expr e) {
    sl_intervals *r = &s->c->search.ranges;
    const sl_sda *a = s->c->a;
    s->c->memory = s->c->memory || sl_intervals_open(r, e) != SL_OK;
    for (int64_t i = 0; i < r->leaves.n && !s->c->memory; i++) {
        bool variable = sl_expr_op(a->g, r->leaves.at[i]) == SL_OP_VARIABLE;
        double most = variable ? sl_sda_domain(a, sl_sda_variable_of(a, sl_expr_symbol(a->g, r->leaves.at[i]))) - 1 : 0;
        sl_intervals_set(r, i, variable && sl_expr_order(a->g, r->leaves.at[i]) > 0 ? -most : 0.0, most);
    }
    if (s->c->memory) {
        return INFINITY;
    }
    sl_interval range = sl_intervals_eval(r);
    return fmax(fabs(range.low), fabs(range.high));
}

/* From when on |c| t is above all that it is compared with. */
static void settle(times *s, double slope, double most) {
    double at = floor(most / fabs(slope)) + 1.0;
    s->horizon = fmax(s->horizon, at);
    s->endless = s->endless || !(at < 1e9);
}

static double common_multiple(double a, double b) {
    double x = a, y = b;
    while (y > 0.0) {
        double rest = fmod(x, y);
        x = y;
        y = rest;
    }
    return a / x * b;
}

static void repeat(times *s, double slope, sl_expr divisor) {
    const sl_exprs *g = s->c->a->g;
    double k = sl_expr_op(g, divisor) == SL_OP_CONST ? fabs(sl_expr_value(g, divisor)) : 0.0;
    bool whole = k >= 1.0 && k == floor(k) && slope == floor(slope);
    s->endless = s->endless || !whole;
    s->period = whole ? common_multiple(s->period, k) : s->period;
    s->endless = s->endless || !(s->period < 1e6);
}

/* The slope of a node whose arguments' are known. */
static double node_slope(times *s, sl_expr e) {
    const sl_exprs *g = s->c->a->g;
    const sl_expr *args = sl_expr_args(g, e);
    int32_t n = sl_expr_n_arg(g, e), n_open = 0;
    double sum = 0.0, product = 1.0;
    sl_op op = sl_expr_op(g, e);
    if (op == SL_OP_TIME) {
        return 1.0;
    }
    for (int32_t i = 0; i < n; i++) {
        double slope = s->slope[s->place[args[i]]];
        bool number = sl_expr_op(g, args[i]) == SL_OP_CONST;
        n_open += slope != 0.0;
        sum += slope;
        product *= slope != 0.0 ? slope : number ? sl_expr_value(g, args[i]) : (double)NAN;
    }
    if (n_open == 0) {
        return 0.0;
    }
    switch ((int)op) {
    case SL_OP_ADD: return sum;
    case SL_OP_NEG: return -sum;
    case SL_OP_MUL: s->endless = s->endless || n_open > 1 || !(fabs(product) > 0.0); return product;
    case SL_OP_LT:
    case SL_OP_LE:
    case SL_OP_EQ:
    case SL_OP_NE: {
        double slope = s->slope[s->place[args[0]]] - s->slope[s->place[args[1]]];
        sl_expr both[2] = {args[0], args[1]};
        if (slope != 0.0) {
            settle(s, slope, reach(s, both[0]) + reach(s, both[1]));
        }
        return 0.0;
    }
    case SL_OP_MOD:
        s->endless = s->endless || s->slope[s->place[args[1]]] != 0.0;
        repeat(s, sum, args[1]);
        return 0.0;
    default: s->endless = true; return 0.0;
    }
}

bool sl_check_find_times(sl_checker *c, int32_t *horizon, int32_t *period) {
    const sl_sda *a = c->a;
    times s = {.c = c, .period = 1.0};
    sl_expr_list roots = {0};
    bool good = true;
    for (int64_t j = 0; good && j < a->transitions.n; j++) {
        good = SL_PUSH(a->ctx, &roots, a->transitions.at[j].guard) &&
               SL_PUSH(a->ctx, &roots, a->transitions.at[j].equation);
    }
    for (int32_t i = 0; good && i < c->def.n_action; i++) {
        good = SL_PUSH(a->ctx, &roots, c->def.actions[i]);
    }
    good = good && sl_expr_below(a->g, (int32_t)roots.n, roots.at, &s.all) == SL_OK;
    size_t bytes = ((size_t)s.all.n + 1) * sizeof *s.slope, map = (size_t)sl_exprs_count(a->g) * sizeof(int32_t);
    s.slope = good ? sl_alloc(a->ctx, bytes) : NULL;
    int32_t *place = good ? sl_alloc(a->ctx, map) : NULL; /* of the walk others are made meanwhile */
    c->memory = c->memory || !s.slope || !place;
    for (int64_t k = 0; k < s.all.n && !c->memory; k++) {
        place[s.all.at[k]] = (int32_t)k;
    }
    s.place = place;
    for (int64_t k = 0; k < s.all.n && !c->memory && !s.endless; k++) {
        s.slope[k] = node_slope(&s, s.all.at[k]);
    }
    for (int64_t i = 0; i < roots.n && !c->memory && !s.endless; i++) {
        double slope = s.slope[place[roots.at[i]]];
        bool guard = i >= 2 * a->transitions.n || i % 2 == 0;
        s.endless = slope != 0.0 && !guard;
        if (slope != 0.0 && guard) { /* t itself: true where it is not 0 */
            settle(&s, slope, reach(&s, roots.at[i]));
        }
    }
    *horizon = (int32_t)s.horizon;
    *period = (int32_t)s.period;
    sl_free(a->ctx, place, place ? map : 0);
    sl_free(a->ctx, s.slope, s.slope ? bytes : 0);
    sl_expr_list_fini(a->g, &s.all);
    sl_expr_list_fini(a->g, &roots);
    return !c->memory && !s.endless;
}
