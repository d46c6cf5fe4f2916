/* SPDX-License-Identifier: MIT */
/* both_runs.c: runs a model with libsluice and with EPANET's library in turns, all in one process.
 *
 *     both_runs LIBRARY MODEL.inp SLUICE.out EPANET.rpt EPANET.out SECONDS LEAST MOST
 *
 * A run reads the file, simulates the model and writes EPANET's binary results: sl_inp_read to sl_session_destroy with sl_write_out
 * on one side, EN_createproject, EN_runproject, EN_deleteproject on the other. Pairs of runs follow each other until SECONDS of
 * processor time have gone, at least LEAST of them and at most MOST. After each pair it prints the shortest processor time [s] of a
 * run of both: who reads takes the last line, also of a process that was ended. What loading the libraries takes is in none, nor
 * is the context of libsluice, which a program has for as long as it runs.
 */
#include <sluice/sluice.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef void *project;

enum { MOST_WARNING = 100 };

static void demand(int ok, const char *what) {
    if (!ok) {
        fprintf(stderr, "both_runs: %s\n", what);
        exit(2);
    }
}

/* That of the one thread: under a limit of processor time the clock of the process moves in ticks. */
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- Sluice ------------------------------------------------------------------------------------- */

static sl_status append(void *user, const void *bytes, size_t n) {
    for (const char *at = bytes; n > 0;) {
        ssize_t k = write(*(int *)user, at, n);
        if (k <= 0) {
            return SL_ERR_IO;
        }
        at += k;
        n -= (size_t)k;
    }
    return SL_OK;
}

static sl_status patch(void *user, uint64_t offset, const void *bytes, size_t n) {
    return pwrite(*(int *)user, bytes, n, (off_t)offset) == (ssize_t)n ? SL_OK : SL_ERR_IO;
}

/* As the command line does: a file whose size is known takes its blocks at once. */
static void expect(void *user, uint64_t size) {
    if (size >= 65536) { /* for less it takes as long as it saves */
        (void)posix_fallocate(*(int *)user, 0, (off_t)size);
    }
}

static char *read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    demand(file && fseek(file, 0, SEEK_END) == 0, "the model cannot be read");
    *size = (size_t)ftell(file);
    rewind(file);
    char *text = malloc(*size + 1);
    demand(text && fread(text, 1, *size, file) == *size, "the model cannot be read");
    fclose(file);
    return text;
}

static double run_sluice(sl_context *ctx, const char *path, const char *results) {
    remove(results); /* nobody pays for the pages of the last one */
    double begin = now();
    size_t size;
    char *text = read_file(path, &size);
    sl_network *net = NULL;
    sl_model *model = NULL;
    sl_session *s = NULL;
    sl_step step = {.size = sizeof step, .reason = SL_REASON_EVENT};
    int file = open(results, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    demand(file >= 0, "the results of Sluice cannot be written");
    sl_inp_read_def def = sl_inp_read_default();
    def.no_map = 1; /* as `sluice run` reads it */
    sl_patch_sink sink = {.user = &file, .write = append, .patch = patch, .expect = expect};
    demand(sl_inp_read(ctx, text, size, &def, NULL, &net) == SL_OK, "Sluice does not read it");
    demand(sl_model_from_network(ctx, net, NULL, NULL, &model) == SL_OK &&
               sl_session_create(ctx, model, NULL, &s) == SL_OK,
           "Sluice does not begin");
    demand(sl_write_out(s, &sink, path, NULL, SL_FLOW_UNIT_COUNT) == SL_OK, "Sluice does not write");
    while (step.reason == SL_REASON_EVENT) {
        demand(sl_session_advance(s, (double)INFINITY, 0, &step) == SL_OK, "Sluice fails");
    }
    sl_session_destroy(s);
    sl_model_destroy(model);
    sl_network_destroy(net);
    free(text);
    demand(close(file) == 0, "the results of Sluice cannot be written");
    return now() - begin;
}

/* ---- EPANET ------------------------------------------------------------------------------------- */

static struct {
    int (*create)(project *), (*destroy)(project);
    int (*run)(project, const char *, const char *, const char *, void *);
} en;

static void *function(void *lib, const char *name) {
    void *found = dlsym(lib, name);
    demand(found != NULL, "the library is not EPANET 2.2 or later");
    return found;
}

static void load(const char *path) {
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL); /* the package's library needs it and does not say so */
    void *lib = dlopen(path, RTLD_NOW);
    demand(lib != NULL, dlerror());
    *(void **)&en.create = function(lib, "EN_createproject");
    *(void **)&en.run = function(lib, "EN_runproject");
    *(void **)&en.destroy = function(lib, "EN_deleteproject");
}

static double run_epanet(const char *path, const char *report, const char *results) {
    remove(report);
    remove(results);
    double begin = now();
    project p;
    demand(en.create(&p) <= MOST_WARNING, "EPANET does not begin");
    demand(en.run(p, path, report, results, NULL) <= MOST_WARNING, "EPANET fails");
    en.destroy(p);
    return now() - begin;
}

int main(int argc, char **argv) {
    demand(argc == 9, "usage: both_runs LIBRARY MODEL.inp SLUICE.out EPANET.rpt EPANET.out SECONDS LEAST MOST");
    load(argv[1]);
    sl_context *ctx = NULL;
    demand(sl_context_create(NULL, &ctx) == SL_OK, "Sluice does not begin");
    double best[2] = {(double)INFINITY, (double)INFINITY}, end = now() + atof(argv[6]);
    int least = atoi(argv[7]), most = atoi(argv[8]);
    for (int i = 0; i < most && (i < least || now() < end); i++) {
        best[0] = fmin(best[0], run_sluice(ctx, argv[2], argv[3]));
        best[1] = fmin(best[1], run_epanet(argv[2], argv[4], argv[5]));
        printf("%.9g %.9g\n", best[0], best[1]);
        fflush(stdout);
    }
    sl_context_destroy(ctx);
    return 0;
}
