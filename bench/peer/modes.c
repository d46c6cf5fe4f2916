/* modes.c: what a change of mode costs on a model with 1000 continuous and 10 000 discrete variables: one discrete variable flips,
 * guards follow, the equations that are active now are found: compiled, or remembered. Prints seconds of both.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "automata/modes.h"
#include "expr/live.h"

enum { X = 1000, Q = 10000, MODES = 20 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static sl_expr op2(sl_exprs *g, sl_op op, sl_expr a, sl_expr b) {
    return sl_expr_2(g, op, a, b);
}

static sl_expr equations[2 * X], guards[2 * X];
static int32_t column[X + Q], active[2 * X], changed[2 * X];
static double values[X + Q], rates[X + Q];

/* x_i moves towards its neighbour, or, while q_i holds, falls; every guard looks at ten discrete variables. */
static void build(sl_exprs *g) {
    sl_expr x[X], q[Q];
    char name[32];
    for (int i = 0; i < X + Q; i++) {
        snprintf(name, sizeof name, "%c[%d]", i < X ? 'x' : 'q', i < X ? i : i - X);
        (void)sl_expr_declare_variable(g, sl_str_z(name), i < X ? 0 : SL_SYMBOL_BOOLEAN, NULL, NULL,
                                       i < X ? &x[i] : &q[i - X]);
        column[i] = i < X ? i : -1;
    }
    for (int i = 0; i < X; i++) {
        sl_expr rate = sl_expr_variable(g, i, 1), d = sl_expr_minus(g, x[i], x[(i + 1) % X]), any[9];
        for (int k = 1; k < 10; k++) {
            any[k - 1] = q[10 * i + k];
        }
        sl_expr on = op2(g, SL_OP_AND, q[10 * i], sl_expr_1(g, SL_OP_NOT, sl_expr_make(g, SL_OP_AND, 9, any)));
        equations[2 * i] = op2(g, SL_OP_ADD, rate, op2(g, SL_OP_MUL, d, sl_expr_1(g, SL_OP_ABS, d)));
        equations[2 * i + 1] = op2(g, SL_OP_ADD, rate, sl_expr_1(g, SL_OP_SQRT, sl_expr_1(g, SL_OP_ABS, x[i])));
        guards[2 * i] = sl_expr_1(g, SL_OP_NOT, on);
        guards[2 * i + 1] = on;
    }
}

/* The mode after q_i has flipped; all but the compilation costs what changes and the number of active equations. */
static const sl_mode *flip(sl_live *live, sl_modes *modes, int i, double to) {
    int32_t n = 0;
    const sl_mode *mode = NULL;
    sl_live_set_variable(live, X + 10 * i, 0, to);
    sl_live_update(live, changed);
    for (int k = 0; k < 2 * X; k++) {
        if (sl_live_root(live, k) != 0.0) {
            active[n++] = k;
        }
    }
    return sl_modes_find(modes, n, active, 0, NULL, &mode) == SL_OK ? mode : NULL;
}

int main(void) {
    sl_context *ctx = NULL;
    sl_expr cj;
    sl_live_plan *plan;
    sl_live *live;
    sl_modes *modes;
    if (sl_context_create(NULL, &ctx) != SL_OK) {
        return 1;
    }
    sl_exprs *g = sl_exprs_create(ctx);
    build(g);
    (void)sl_expr_declare_parameter(g, sl_str_z("cj"), 0, NULL, NULL, &cj);
    sl_modes_def def = {2 * X, 0, equations, NULL, X, column, cj, false};
    sl_expr_point at = {.x = {values, rates}};
    if (sl_live_plan_create(g, 2 * X, guards, &plan) != SL_OK || sl_live_create(plan, &at, &live) != SL_OK ||
        sl_modes_create(g, &def, &modes) != SL_OK || !flip(live, modes, 0, 1.0)) {
        return 1;
    }
    double took[2] = {0.0, 1e9};
    for (int round = 0; round < 50; round++) {
        double begin = now();
        for (int i = 1; i <= MODES; i++) { /* each mode has one more variable that falls */
            if (!flip(live, modes, i, 1.0)) {
                return 1;
            }
        }
        double one = (now() - begin) / MODES;
        for (int i = MODES; i >= 1; i--) {
            flip(live, modes, i, 0.0);
        }
        took[0] = round == 0 ? one : took[0];
        took[1] = round > 0 && one < took[1] ? one : took[1];
    }
    printf("%g %g\n", took[0], took[1]);
    return 0;
}
