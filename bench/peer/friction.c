/* SPDX-License-Identifier: MIT */
/* friction.c: independent blocks with dry friction: what a block costs that comes to rest or breaks away, whatever the number of blocks.
 *
 * Each block of mass m is pushed by a force a sin(w t + c) against friction f: m v' = a sin(w t + c) - f sign(v). It slides, rests while
 * the force is below f, and breaks away to the other side. Prints blocks, times at which equations change (starts of integrators but the
 * first of each), seconds of the processor for building the model and for the run of 24 s, steps of integrators, their starts, bytes of
 * compiled equations and integrators, and the most memory that the program had [bytes].
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "automata/sha.h"

static sl_context *ctx;
static sl_diags *diags;
static sl_exprs *g;

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

static void add_block(sl_sha *a, int i) {
    char name[32];
    double mass = 1.0 + fmod(0.6180339887498949 * (i + 1), 1.0), push = 2.0 + fmod(0.414213562373095 * (i + 1), 1.0);
    double phase = 6.283 * fmod(0.7320508075688772 * (i + 1), 1.0);
    (void)snprintf(name, sizeof name, "v[%d]", i);
    must(sl_sha_add_variable(a, sl_str_z(name), 0.5, 0.0, NULL, diags, NULL), "speed");
    must(sl_sha_add_activity(
             a, sl_str_z(""),
             parse("%.17g*der(v[%d]) = %.17g*sin(2*t + %.17g) - 1.5*sign(v[%d])", mass, i, push, phase, i),
             parse("true"), NULL, diags),
         "block");
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    must(sl_context_create(NULL, &ctx), "context");
    must(sl_diags_create(ctx, &diags), "messages");
    g = sl_exprs_create(ctx);
    sl_sha *a = NULL;
    sl_hybrid *h = NULL;
    double t0 = now();
    must(sl_sha_create(ctx, g, &a), "automaton");
    for (int i = 0; i < n; i++) {
        add_block(a, i);
    }
    must(sl_sha_finish(a, diags), "finish");
    double t1 = now();
    sl_hybrid_def def = sl_hybrid_default();
    def.end = 24.0;
    sl_hybrid_info info;
    must(sl_hybrid_create(ctx, &sl_sha_ops, a, &def, diags, &h), "execution");
    must(sl_hybrid_next(h, SL_HYBRID_STOP, diags, &info), "run");
    double t2 = now();
    sl_hybrid_stats s = sl_hybrid_statistics(h);
    struct rusage used;
    (void)getrusage(RUSAGE_SELF, &used);
    printf("%d %lld %.6f %.6f %lld %lld %lld %.0f\n", n, (long long)s.n_restart - n, t1 - t0, t2 - t1,
           (long long)s.dae.n_step, (long long)s.n_restart, (long long)s.bytes, 1024.0 * (double)used.ru_maxrss);
    sl_hybrid_destroy(h);
    sl_sha_destroy(a);
    sl_exprs_destroy(g);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
