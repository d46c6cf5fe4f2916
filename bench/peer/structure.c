/* SPDX-License-Identifier: MIT */
/* structure.c: what it takes from the text of an automaton to an execution that moves.
 *
 *     structure FILE
 *
 * Prints seconds of the processor and resident bytes: reading (with expressions, derivatives and all that is made once), an execution,
 * consistent values (patterns, reduction, tapes, factors and integrator of what is in force), the first step; then the seconds of the
 * structure report, which compiles once more and analyses; then unknowns, index and the peak of resident memory in bytes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

#include <sluice/sluice.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident(void) {
    FILE *f = fopen("/proc/self/statm", "r");
    long all = 0, here = 0;
    if (f && fscanf(f, "%ld %ld", &all, &here) != 2) {
        here = 0;
    }
    if (f) {
        fclose(f);
    }
    return 4096.0 * (double)here;
}

static void must(sl_status status, const sl_diags *diags, const char *what) {
    if (status != SL_OK) {
        fprintf(stderr, "%s: %s\n", what, sl_diags_size(diags) > 0 ? sl_diags_at(diags, 0)->text : "failed");
        exit(1);
    }
}

int main(int argc, char **argv) {
    FILE *f = argc > 1 ? fopen(argv[1], "rb") : NULL;
    if (!f) {
        return 1;
    }
    fseek(f, 0, SEEK_END);
    size_t n = (size_t)ftell(f);
    rewind(f);
    char *text = malloc(n + 1);
    n = fread(text, 1, n, f);
    fclose(f);
    sl_context *ctx = NULL;
    sl_diags *diags = NULL;
    sl_automaton *a = NULL;
    sl_execution *e = NULL;
    must(sl_context_create(NULL, &ctx), NULL, "context");
    must(sl_diags_create(ctx, &diags), NULL, "diags");
    double t[6], r[6];
    t[0] = now();
    r[0] = resident();
    must(sl_automaton_read(ctx, text, n, argv[1], diags, &a), diags, "read");
    t[1] = now();
    r[1] = resident();
    must(sl_execution_create(a, NULL, diags, &e), diags, "create");
    t[2] = now();
    r[2] = resident();
    sl_execution_info info = {.size = sizeof info};
    must(sl_execution_next(e, SL_EVENT_INIT, &info), diags, "init");
    t[3] = now();
    r[3] = resident();
    must(sl_execution_next(e, SL_EVENT_STEP, &info), diags, "step");
    t[4] = now();
    r[4] = resident();
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    sl_structure found = {.size = sizeof found};
    must(sl_automaton_structure(a, NULL, NULL, NULL, diags, &found), diags, "structure");
    t[5] = now();
    for (int k = 0; k < 4; k++) {
        printf("%g %g ", t[k + 1] - t[k], r[k + 1] - r[k]);
    }
    printf("%g %d %d %g\n", t[5] - t[4], (int)found.n_unknown, (int)found.index, 1024.0 * (double)usage.ru_maxrss - r[0]);
    sl_execution_destroy(e);
    sl_automaton_destroy(a);
    sl_diags_destroy(diags);
    sl_context_destroy(ctx);
    free(text);
    return 0;
}
