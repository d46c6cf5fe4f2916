/* SPDX-License-Identifier: MIT */
/* session_steps.c: a run in one call against the same run step by step from outside, as a partner would make it.
 *
 *     session_steps MODEL.inp whole|steps RUNS
 *
 * Prints the shortest time of a run [s], after the model was read. `steps`: a stop at every step of the engine, ten pressures
 * and ten flows read by reference, and the lowest pressure of all found in an array.
 */
#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void demand(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "%s failed\n", what);
        exit(1);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { N_VAR = 20 };

static void look(sl_session *s, const sl_var *var, int32_t pressure, double *sum) {
    double x[N_VAR];
    int32_t n = 0;
    demand(sl_session_get(s, var, N_VAR, x) == SL_OK, "get");
    const double *all = sl_session_view(s, pressure, &n);
    double least = (double)INFINITY;
    for (int32_t i = 0; i < n; i++) {
        least = all[i] < least ? all[i] : least;
    }
    *sum += x[0] + least;
}

static double run(sl_context *ctx, const sl_model *model, int steps, double *sum) {
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    sl_var var[N_VAR];
    demand(sl_session_create(ctx, model, NULL, &s) == SL_OK, "session");
    int32_t pressure = sl_session_field(s, "node.pressure"), flow = sl_session_field(s, "link.flow");
    for (int32_t i = 0; i < N_VAR; i++) {
        var[i] = (sl_var){i % 2 ? pressure : flow, i};
    }
    double begin = now();
    sl_status status = SL_OK;
    while (status == SL_OK && step.reason == SL_REASON_EVENT) {
        status = sl_session_advance(s, (double)INFINITY, steps ? SL_STOP_AT_EVENT : 0, &step);
        if (status == SL_OK && steps) {
            look(s, var, pressure, sum);
        }
    }
    double end = now();
    demand(status == SL_OK, "advance");
    sl_session_destroy(s);
    return end - begin;
}

int main(int argc, char **argv) {
    demand(argc == 4, "use: session_steps MODEL.inp whole|steps RUNS");
    FILE *file = fopen(argv[1], "rb");
    demand(file && fseek(file, 0, SEEK_END) == 0, "open");
    long size = ftell(file);
    rewind(file);
    char *text = malloc((size_t)size + 1);
    demand(text && fread(text, 1, (size_t)size, file) == (size_t)size, "read");
    fclose(file);
    sl_context *ctx = NULL;
    sl_network *net = NULL;
    sl_model *model = NULL;
    demand(sl_context_create(NULL, &ctx) == SL_OK, "context");
    demand(sl_inp_read(ctx, text, (size_t)size, NULL, NULL, &net) == SL_OK, "network");
    demand(sl_model_from_network(ctx, net, NULL, NULL, &model) == SL_OK, "model");
    double best = (double)INFINITY, sum = 0.0;
    for (int i = 0; i < atoi(argv[3]); i++) {
        double t = run(ctx, model, strcmp(argv[2], "steps") == 0, &sum);
        best = t < best ? t : best;
    }
    printf("%.9g\n", best);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_context_destroy(ctx);
    free(text);
    return isnan(sum);
}
