/* SPDX-License-Identifier: MIT */
/* replay_main.c: runs a fuzz target over kept inputs, without a fuzzer.
 *
 * Arguments are files and folders; each file is one input, and the empty input always runs first. Inputs are copied to
 * blocks of their exact size, so that AddressSanitizer sees a read past the end.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

typedef struct replay {
    long n_input;
    int failed;
} replay;

static void run_file(replay *r, const char *path) {
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    struct stat info;
    if (!file || fstat(fileno(file), &info) != 0) {
        fprintf(stderr, "cannot read %s\n", path);
        r->failed = 1;
    } else {
        size_t size = (size_t)info.st_size;
        data = malloc(size ? size : 1);
        if (!data || fread(data, 1, size, file) != size) {
            fprintf(stderr, "cannot read %s\n", path);
            r->failed = 1;
        } else {
            if (getenv("REPLAY_VERBOSE")) {
                fprintf(stderr, "%s\n", path);
            }
            LLVMFuzzerTestOneInput(data, size);
            r->n_input++;
        }
    }
    free(data);
    if (file) {
        fclose(file);
    }
}

static void run_path(replay *r, const char *path) {
    DIR *dir = opendir(path);
    if (!dir) {
        run_file(r, path);
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        char inside[4096];
        if (entry->d_name[0] != '.' &&
            snprintf(inside, sizeof inside, "%s/%s", path, entry->d_name) < (int)sizeof inside) {
            run_path(r, inside);
        }
    }
    closedir(dir);
}

int main(int argc, char **argv) {
    replay r = {0, 0};
    const uint8_t nothing = 0;
    LLVMFuzzerTestOneInput(&nothing, 0);
    for (int i = 1; i < argc; i++) {
        run_path(&r, argv[i]);
    }
    printf("%ld inputs replayed\n", r.n_input);
    return r.failed;
}
