/* SPDX-License-Identifier: MIT */
/* epanet_open.c: opens an .inp file with EPANET's library and ends; the peer of `sluice check` in read_inp.py.
 *
 *   epanet_open LIBRARY FILE.inp
 *
 * The library is loaded at run time, so that the one inside the Python package owa-epanet can be used without its
 * headers. What is measured: EN_createproject, EN_open, EN_close, EN_deleteproject, and the start of the process.
 * With --hydraulics as third argument, EN_openH and EN_closeH too: there EPANET checks that nodes are connected and that
 * curves make sense, which `sluice check` always does.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

typedef void *project;

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: epanet_open LIBRARY FILE.inp [--hydraulics]\n");
        return 4;
    }
    dlopen("libm.so.6", RTLD_NOW | RTLD_GLOBAL); /* the package's library needs it and does not say so */
    void *lib = dlopen(argv[1], RTLD_NOW);
    if (!lib) {
        fprintf(stderr, "epanet_open: %s\n", dlerror());
        return 4;
    }
    int (*create)(project *) = (int (*)(project *))dlsym(lib, "EN_createproject");
    int (*open)(project, const char *, const char *, const char *) =
        (int (*)(project, const char *, const char *, const char *))dlsym(lib, "EN_open");
    int (*close)(project) = (int (*)(project))dlsym(lib, "EN_close");
    int (*open_h)(project) = (int (*)(project))dlsym(lib, "EN_openH");
    int (*close_h)(project) = (int (*)(project))dlsym(lib, "EN_closeH");
    int (*destroy)(project) = (int (*)(project))dlsym(lib, "EN_deleteproject");
    int (*version)(int *) = (int (*)(int *))dlsym(lib, "EN_getversion");
    if (!create || !open || !close || !open_h || !close_h || !destroy || !version) {
        fprintf(stderr, "epanet_open: %s is not EPANET 2.2 or later\n", argv[1]);
        return 4;
    }
    if (strcmp(argv[2], "--version") == 0) {
        int v = 0;
        version(&v);
        printf("%d.%d.%d\n", v / 10000, v / 100 % 100, v % 100);
        return 0;
    }
    project p;
    int code = create(&p);
    if (!code) {
        code = open(p, argv[2], "/dev/null", "");
        if (code <= 100 && argc > 3) {
            code = open_h(p);
            close_h(p);
        }
        close(p);
        destroy(p);
    }
    if (code > 100) {
        fprintf(stderr, "epanet_open: EPANET error %d\n", code);
        return 2;
    }
    return 0;
}
