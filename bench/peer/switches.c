/* SPDX-License-Identifier: MIT */
/* switches.c: what a mode switch costs, with a mode that is met for the first time and with one that was kept.
 *
 * A hybrid automaton of 1000 continuous variables (an oscillator whose zero crossings are the events, and cells of a chain that
 * exchange heat) and 10 000 discrete ones (registers; one counts the events). Each count has equations of its own for one cell in
 * ten. Prints seconds per switch, from the crossing until motion can begin: new, kept; then integration of a large DAE: equations,
 * seconds, steps.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "automata/sha.h"
#include "dae/equations.h"

enum { CELLS = 998, REGISTERS = 9998, MODES = 8, LARGE = 100000 };

static sl_context *ctx;
static sl_diags *diags;
static sl_exprs *g;

/* Of the processor: others may be busy too. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(sl_status status, const char *what) {
    if (status != SL_OK) {
        fprintf(stderr, "%s: %s\n", what, sl_status_text(status));
        for (int32_t k = 0; diags && k < sl_diags_size(diags); k++) {
            fprintf(stderr, "%s\n", sl_diags_at(diags, k)->text);
        }
        exit(1);
    }
}

static sl_expr parse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
static sl_expr parse(const char *fmt, ...) {
    char text[256];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_expr e = SL_EXPR_NONE;
    must(sl_expr_parse(g, sl_str_z(text), NULL, diags, &e), text);
    return e;
}

static sl_str name(const char *fmt, int i) {
    static char text[64];
    (void)snprintf(text, sizeof text, fmt, i);
    return sl_str_z(text);
}

static sl_sha *automaton(void) {
    sl_sha *a = NULL;
    int32_t n, sign;
    sl_str none = {"", 0};
    must(sl_sha_create(ctx, g, &a), "automaton");
    sl_sda *d = sl_sha_discrete(a);
    must(sl_sda_add_variable(d, sl_str_z("up"), 2, NULL, diags, &sign), "up");
    must(sl_sda_add_variable(d, sl_str_z("seen"), 2, NULL, diags, &n), "seen");
    must(sl_sda_add_variable(d, sl_str_z("k"), MODES, NULL, diags, &n), "k");
    for (int i = 0; i < REGISTERS - 1; i++) {
        must(sl_sda_add_variable(d, name("r[%d]", i), 2, NULL, diags, &n), "register");
    }
    must(sl_sda_add_transition(d, none, parse("der(k) = 1"), parse("up != seen"), NULL, diags, &n), "count");
    must(sl_sda_add_transition(d, none, parse("der(seen) = 1"), parse("up != seen"), NULL, diags, &n), "seen");
    must(sl_sha_add_variable(a, sl_str_z("u"), 0.0, 0.0, NULL, diags, NULL), "u");
    must(sl_sha_add_variable(a, sl_str_z("v"), 1.0, 0.0, NULL, diags, NULL), "v");
    for (int i = 0; i < CELLS; i++) {
        must(sl_sha_add_variable(a, name("x[%d]", i), 1.0 + i % 7, 0.0, NULL, diags, NULL), "cell");
    }
    sl_expr always = parse("true");
    must(sl_sha_add_activity(a, none, parse("der(u) = 6*v"), always, NULL, diags), "u");
    must(sl_sha_add_activity(a, none, parse("der(v) = -6*u"), always, NULL, diags), "v");
    for (int i = 0; i < CELLS; i++) {
        int left = i > 0 ? i - 1 : i, right = i + 1 < CELLS ? i + 1 : i, every = i % 10 == 0 ? MODES : 1;
        for (int k = 0; k < every; k++) {
            sl_expr e = parse("der(x[%d]) = %d*(x[%d] - 2*x[%d] + x[%d]) - 0.01*x[%d]*abs(x[%d])", i, k + 1, left, i,
                              right, i, i);
            must(sl_sha_add_activity(a, none, e, every > 1 ? parse("k = %d", k) : always, NULL, diags), "cell");
        }
    }
    must(sl_sha_add_root(a, none, sign, parse("u"), always, NULL, diags), "root");
    must(sl_sha_finish(a, diags), "finish");
    return a;
}

/* From each crossing until motion can begin: roots, discrete execution, the mode, consistent values. */
static void switches(const sl_sha *a, double *fresh, double *kept) {
    sl_hybrid_def def = sl_hybrid_default();
    sl_hybrid *h = NULL;
    sl_hybrid_info info;
    def.dae.rtol = 1e-4;
    def.dae.atol = 1e-6;
    must(sl_hybrid_create(ctx, &sl_sha_ops, a, &def, diags, &h), "execution");
    double sum = 0.0, best = 1e9;
    for (int k = 0; k < 4 * MODES; k++) {
        must(sl_hybrid_next(h, SL_HYBRID_CROSSING, diags, &info), "run");
        double t = now();
        while (!sl_hybrid_is_settled(h)) {
            must(sl_hybrid_next(h, SL_HYBRID_ANY, diags, &info), "run");
        }
        t = now() - t;
        sum += k > 0 && k < MODES ? t : 0.0;
        best = k > MODES + 1 && t < best ? t : best;
    }
    *fresh = sum / (MODES - 1);
    *kept = best;
    sl_hybrid_destroy(h);
}

/* A chain of cells of heat with a nonlinear loss, from expressions. */
static void large(double *seconds, double *steps) {
    sl_exprs *own = sl_exprs_create(ctx);
    sl_expr *equations = calloc(LARGE, sizeof *equations);
    int32_t *rows = calloc(LARGE, sizeof *rows);
    double *x = calloc(2 * LARGE, sizeof *x);
    sl_equation_set set;
    sl_equations *e = NULL;
    sl_dae *d = NULL;
    g = own;
    for (int i = 0; i < LARGE; i++) {
        sl_expr v;
        must(sl_expr_declare_variable(g, name("x[%d]", i), 0, NULL, diags, &v), "variable");
        rows[i] = i;
        x[i] = 1.0 + sin(1e-4 * i);
    }
    for (int i = 0; i < LARGE; i++) {
        int left = i > 0 ? i - 1 : i, right = i + 1 < LARGE ? i + 1 : i;
        equations[i] =
            sl_expr_residual(g, parse("der(x[%d]) = 100*(x[%d] - 2*x[%d] + x[%d]) - x[%d]^3", i, left, i, right, i));
    }
    must(sl_equation_set_init(&set, ctx, g, LARGE, equations, NULL, NULL, diags), "set");
    must(sl_equations_create(&set, sl_exprs_walk(g), LARGE, rows, 0, NULL, NULL, NULL, &e), "equations");
    sl_dae_def def = sl_dae_default();
    must(sl_dae_create(ctx, sl_equations_system(e), &def, diags, &d), "dae");
    double t = now();
    must(sl_dae_init(d, 0.0, x, x + LARGE, NULL, diags), "init");
    must(sl_dae_start(d, 0.0, x, x + LARGE, (double)INFINITY, NULL, diags), "start");
    sl_dae_step_info info;
    while (sl_dae_time(d) < 1.0) {
        must(sl_dae_step(d, diags, &info), "step");
    }
    *seconds = now() - t;
    *steps = (double)sl_dae_statistics(d).n_step;
    sl_dae_destroy(d);
    sl_equations_destroy(e);
    sl_equation_set_fini(&set);
    sl_exprs_destroy(own);
    free(equations);
    free(rows);
    free(x);
}

int main(void) {
    double fresh, kept, seconds, steps;
    must(sl_context_create(NULL, &ctx), "context");
    must(sl_diags_create(ctx, &diags), "messages");
    g = sl_exprs_create(ctx);
    sl_sha *a = automaton();
    switches(a, &fresh, &kept);
    sl_sha_destroy(a);
    sl_exprs_destroy(g);
    large(&seconds, &steps);
    printf("%.9f %.9f %d %.6f %.0f\n", fresh, kept, (int)LARGE, seconds, steps);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
