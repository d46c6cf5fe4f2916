/* SPDX-License-Identifier: MIT */
/* epanet_runs.c: runs a model many times in one process by EPANET's toolkit, the file read once; the peer of session_runs.c.
 *
 *     epanet_runs LIBRARY MODEL.inp RUNS
 *
 * Prints the shortest processor time [s] of a run: EN_openH, EN_initH with flows set anew, EN_runH and EN_nextH to the end,
 * EN_closeH; where the file asks for water quality the same of the quality, from the hydraulics that were saved. No results are
 * written. Warnings of EPANET are fine. EPANET keeps files of its own in the working folder.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef void *project;

enum { SET_FLOWS = 10, SAVE = 1, MOST_WARNING = 100 };

static struct {
    int (*create)(project *), (*destroy)(project), (*open)(project, const char *, const char *, const char *);
    int (*open_h)(project), (*init_h)(project, int), (*run_h)(project, long *), (*next_h)(project, long *),
        (*close_h)(project);
    int (*open_q)(project), (*init_q)(project, int), (*run_q)(project, long *), (*next_q)(project, long *),
        (*close_q)(project);
    int (*quality)(project, int *, int *);
} en;

static void check(int code, const char *what) {
    if (code > MOST_WARNING) {
        fprintf(stderr, "epanet_runs: %s: EPANET error %d\n", what, code);
        exit(2);
    }
}

static void load(const char *path) {
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL); /* the package's library needs it and does not say so */
    void *lib = dlopen(path, RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "epanet_runs: %s\n", dlerror());
        exit(4);
    }
    const struct {
        void *pointer;
        const char *name;
    } functions[] = {
        {&en.create, "EN_createproject"},
        {&en.destroy, "EN_deleteproject"},
        {&en.open, "EN_open"},
        {&en.open_h, "EN_openH"},
        {&en.init_h, "EN_initH"},
        {&en.run_h, "EN_runH"},
        {&en.next_h, "EN_nextH"},
        {&en.close_h, "EN_closeH"},
        {&en.open_q, "EN_openQ"},
        {&en.init_q, "EN_initQ"},
        {&en.run_q, "EN_runQ"},
        {&en.next_q, "EN_nextQ"},
        {&en.close_q, "EN_closeQ"},
        {&en.quality, "EN_getqualtype"},
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *found = dlsym(lib, functions[i].name);
        if (!found) {
            fprintf(stderr, "epanet_runs: %s has no %s\n", path, functions[i].name);
            exit(4);
        }
        *(void **)functions[i].pointer = found;
    }
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void to_end(project p, int (*run)(project, long *), int (*next)(project, long *)) {
    long t = 0, step = 1;
    while (step > 0) {
        check(run(p, &t), "run");
        check(next(p, &step), "next");
    }
}

static double run(project p, int with_quality) {
    double begin = now();
    check(en.open_h(p), "EN_openH");
    check(en.init_h(p, SET_FLOWS + (with_quality ? SAVE : 0)), "EN_initH");
    to_end(p, en.run_h, en.next_h);
    check(en.close_h(p), "EN_closeH");
    if (with_quality) {
        check(en.open_q(p), "EN_openQ");
        check(en.init_q(p, 0), "EN_initQ");
        to_end(p, en.run_q, en.next_q);
        check(en.close_q(p), "EN_closeQ");
    }
    return now() - begin;
}

int main(int argc, char **argv) {
    if (argc < 4) {
        fprintf(stderr, "usage: epanet_runs LIBRARY MODEL.inp RUNS\n");
        return 4;
    }
    load(argv[1]);
    project p;
    int kind = 0, node = 0;
    check(en.create(&p), "EN_createproject");
    check(en.open(p, argv[2], "epanet_runs.rpt", ""), "EN_open");
    check(en.quality(p, &kind, &node), "EN_getqualtype");
    double best = (double)INFINITY;
    for (int i = 0; i < atoi(argv[3]); i++) {
        best = fmin(best, run(p, kind != 0));
    }
    printf("%.9g\n", best);
    en.destroy(p);
    return 0;
}
