/* SPDX-License-Identifier: MIT */
/* automata.c: the discrete multibody network of so many pipes (tests/automata/multibody.c): seconds to build, to check, to execute
 * from a random state, and per step of executions that begin with one control. Prints pipes, variables, transitions, cases, these
 * times, and changes per step.
 */
#include <time.h>

#include "automata/check.h"
#include "automata_test.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char **argv) {
    int n_pipe = argc > 1 ? atoi(argv[1]) : 1000;
    uint64_t seed = 4;
    network net = network_random(n_pipe, &seed);
    sl_context *ctx = NULL;
    fixture f = {0};
    double t0 = now();
    if (sl_context_create(NULL, &ctx) != SL_OK || sl_diags_create(ctx, &f.diags) != SL_OK) {
        return 1;
    }
    f.ctx = ctx;
    f.g = sl_exprs_create(ctx);
    if (!f.g || sl_sda_create(f.g, &f.a) != SL_OK) {
        return 1;
    }
    network_write(&net, network_add, &f);
    fixture_finish(&f);
    double t1 = now();
    sl_sda_report r;
    if (sl_sda_check(f.a, NULL, &r) != SL_OK || r.deterministic != SL_PROVED || r.zeno_free != SL_PROVED) {
        return 1;
    }
    double t2 = now();
    int32_t n = sl_sda_n_variable(f.a), *q0 = calloc((size_t)n, sizeof *q0);
    for (int32_t i = 0; i < n; i++) {
        q0[i] = (int32_t)sl_test_below(&seed, 2);
    }
    sl_sda_run *run = NULL;
    if (sl_sda_run_create(f.a, q0, NULL, &run) != SL_OK || sl_sda_run_finish(run) != SL_SDA_CONVERGED) {
        return 1;
    }
    double t3 = now();
    int64_t n_step = 0, n_change = 0;
    for (int k = 0; k < 20000; k++) {
        char name[64];
        snprintf(name, sizeof name, k % 2 ? "mid[%d].ctl" : "end[%d,0].flowctl", k / 2 % n_pipe);
        const int32_t one = 1;
        const int32_t which = sl_sda_variable_of(f.a, sl_expr_symbol(f.g, sl_expr_find(f.g, sl_str_z(name))));
        sl_sda_run_restart(run, 1, &which, &one);
        sl_sda_run_finish(run);
        n_step += sl_sda_run_time(run) + 1;
        for (int32_t t = 0; t < sl_sda_run_time(run); t++) {
            int32_t c;
            sl_sda_run_changes(run, t, &c);
            n_change += c;
        }
    }
    double t4 = now();
    printf("%d %d %d %lld %g %g %g %g %g\n", n_pipe, (int)n, (int)sl_sda_n_transition(f.a), (long long)r.n_case,
           t1 - t0, t2 - t1, t3 - t2, (t4 - t3) / (double)n_step, (double)n_change / (double)n_step);
    return 0;
}
