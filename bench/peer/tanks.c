/* SPDX-License-Identifier: MIT */
/* tanks.c: independent tanks with events of their own: what an event costs, whatever the number of tanks.
 *
 * Each tank drains by the root of its level and is filled while a valve is open, which opens at a low level and closes at a high
 * one. Prints tanks, crossings, seconds of the processor for building the model and for the run of 24 s, steps of integrators, their
 * starts, bytes of compiled equations and integrators, and the most memory that the program had [bytes].
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

static sl_str name(const char *fmt, int i) {
    static char text[64];
    (void)snprintf(text, sizeof text, fmt, i);
    return sl_str_z(text);
}

static void add_tank(sl_sha *a, int i) {
    sl_sda *d = sl_sha_discrete(a);
    sl_str none = {"", 0};
    int32_t low, high, open, unused;
    double leak = 0.3 + 0.1 * fmod(0.6180339887498949 * (i + 1), 1.0),
           start = 1.0 + 0.8 * fmod(0.414213562373095 * (i + 1), 1.0);
    must(sl_sda_add_variable(d, name("low[%d]", i), 2, NULL, diags, &low), "low");
    must(sl_sda_add_variable(d, name("high[%d]", i), 2, NULL, diags, &high), "high");
    must(sl_sda_add_variable(d, name("open[%d]", i), 2, NULL, diags, &open), "open");
    must(sl_sda_add_transition(d, none, parse("der(open[%d]) = 1", i), parse("low[%d] & !open[%d]", i, i), NULL, diags,
                               &unused),
         "opens");
    must(sl_sda_add_transition(d, none, parse("der(open[%d]) = -1", i), parse("high[%d] & open[%d]", i, i), NULL, diags,
                               &unused),
         "closes");
    must(sl_sha_add_variable(a, name("h[%d]", i), start, 0.0, NULL, diags, NULL), "level");
    must(sl_sha_add_activity(a, none, parse("der(h[%d]) = 0.6 - %.17g*sqrt(h[%d])", i, leak, i), parse("open[%d]", i),
                             NULL, diags),
         "filled");
    must(sl_sha_add_activity(a, none, parse("der(h[%d]) = -%.17g*sqrt(h[%d])", i, leak, i), parse("!open[%d]", i), NULL,
                             diags),
         "drains");
    must(sl_sha_add_root(a, none, low, parse("1 - h[%d]", i), parse("true"), NULL, diags), "low");
    must(sl_sha_add_root(a, none, high, parse("h[%d] - 2", i), parse("true"), NULL, diags), "high");
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
        add_tank(a, i);
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
    printf("%d %lld %.6f %.6f %lld %lld %lld %.0f\n", n, (long long)sl_hybrid_n_crossing(h), t1 - t0, t2 - t1,
           (long long)s.dae.n_step, (long long)s.n_restart, (long long)s.bytes, 1024.0 * (double)used.ru_maxrss);
    sl_hybrid_destroy(h);
    sl_sha_destroy(a);
    sl_exprs_destroy(g);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    return 0;
}
