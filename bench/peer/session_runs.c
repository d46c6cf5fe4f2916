/* SPDX-License-Identifier: MIT */
/* session_runs.c: runs a model many times in one process, the file read once; the peer of epanet_runs.c.
 *
 *     session_runs MODEL.inp RUNS
 *
 * Prints the shortest processor time [s] of a run: a session made from the model, advanced to its end, destroyed. With water
 * quality where the file asks for it. No results are written.
 */
#include <sluice/sluice.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static void demand(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "session_runs: %s failed\n", what);
        exit(1);
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double run(sl_context *ctx, const sl_model *model) {
    double begin = now();
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    demand(sl_session_create(ctx, model, NULL, &s) == SL_OK, "session");
    while (step.reason == SL_REASON_EVENT) {
        demand(sl_session_advance(s, (double)INFINITY, 0, &step) == SL_OK, "advance");
    }
    sl_session_destroy(s);
    return now() - begin;
}

int main(int argc, char **argv) {
    demand(argc == 3, "use: session_runs MODEL.inp RUNS, which");
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
    double best = (double)INFINITY;
    for (int i = 0; i < atoi(argv[2]); i++) {
        best = fmin(best, run(ctx, model));
    }
    printf("%.9g\n", best);
    sl_model_destroy(model);
    sl_network_destroy(net);
    sl_context_destroy(ctx);
    free(text);
    return 0;
}
