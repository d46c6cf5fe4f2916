/* SPDX-License-Identifier: MIT */
/* epanet_run.c: runs a model with EPANET's library and ends; the peer of `sluice run FILE -o FILE.out` in solve.py.
 *
 *   epanet_run LIBRARY FILE.inp FILE.rpt FILE.out
 *
 * The library is loaded at run time, so that the one inside the Python package owa-epanet can be used without its
 * headers. What is measured: EN_createproject, EN_runproject (reading, hydraulics, results, report), EN_deleteproject,
 * and the start of the process. Warnings of EPANET are fine.
 */
#include <dlfcn.h>
#include <stdio.h>

typedef void *project;

int main(int argc, char **argv) {
    if (argc < 5) {
        fprintf(stderr, "usage: epanet_run LIBRARY FILE.inp FILE.rpt FILE.out\n");
        return 4;
    }
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL); /* the package's library needs it and does not say so */
    void *lib = dlopen(argv[1], RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "epanet_run: %s\n", dlerror());
        return 4;
    }
    int (*create)(project *) = (int (*)(project *))dlsym(lib, "EN_createproject");
    int (*run)(project, const char *, const char *, const char *, void *) =
        (int (*)(project, const char *, const char *, const char *, void *))dlsym(lib, "EN_runproject");
    int (*destroy)(project) = (int (*)(project))dlsym(lib, "EN_deleteproject");
    if (!create || !run || !destroy) {
        fprintf(stderr, "epanet_run: %s is not EPANET 2.2 or later\n", argv[1]);
        return 4;
    }
    project p;
    int code = create(&p);
    if (!code) {
        code = run(p, argv[2], argv[3], argv[4], NULL);
        destroy(p);
    }
    if (code > 100) {
        fprintf(stderr, "epanet_run: EPANET error %d\n", code);
        return 2;
    }
    return 0;
}
