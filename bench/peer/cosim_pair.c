/* SPDX-License-Identifier: MIT */
/* cosim_pair.c: how long an exchange takes: two programs send n numbers each way, again and again.
 *
 *     cosim_pair CARRIER text|binary N_VALUES N_ROUNDS     prints the microseconds of a round (a message each way)
 *
 * CARRIER: file mem fd pipe unix shm. Two processes, but for mem, which has two threads. Works in the current folder.
 */
#include <sluice/cosim.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct side {
    char uri[128];
    bool first, binary, fine;
    int n, rounds;
    double seconds;
} side;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void on_error(void *user, sl_cosim_code code, const char *text) {
    (void)user;
    fprintf(stderr, "cosim_pair: %d: %s\n", (int)code, text);
}

static void *run(void *user) {
    side *s = user;
    sl_cosim_def def = sl_cosim_default();
    sl_cosim *x = NULL;
    double *v = calloc((size_t)s->n + 1, sizeof *v);
    def.uri = s->uri;
    def.binary = s->binary;
    def.error = on_error;
    def.read_timeout = def.write_timeout = def.close_timeout = 60;
    bool fine = v && sl_cosim_open(NULL, &def, &x) == SL_COSIM_OK;
    for (int i = 0; i < s->n && fine; i++) {
        fine = sl_cosim_add_in(x, i, 0, "in") == SL_COSIM_OK && sl_cosim_add_out(x, i, 0, "out") == SL_COSIM_OK;
        v[i] = 1.0 / (i + 3);
    }
    double begin = 0;
    for (int k = -10; k < s->rounds && fine; k++) { /* ten to begin with do not count */
        begin = k == 0 ? now() : begin;
        if (s->first) {
            fine = sl_cosim_write_values(x, k, 1, v, (size_t)s->n) == SL_COSIM_OK;
        }
        fine = fine && sl_cosim_read(x) == SL_COSIM_OK && sl_cosim_values(x, v, (size_t)s->n) == SL_COSIM_OK;
        if (!s->first) {
            fine = fine && sl_cosim_write_values(x, k, 1, v, (size_t)s->n) == SL_COSIM_OK;
        }
    }
    s->seconds = now() - begin;
    s->fine = fine && sl_cosim_close(x) == SL_COSIM_OK;
    free(v);
    return NULL;
}

static void name_ends(const char *carrier, side *a, side *b) {
    int ab[2], ba[2];
    if (strcmp(carrier, "fd") == 0 && pipe(ab) == 0 && pipe(ba) == 0) {
        snprintf(a->uri, sizeof a->uri, "fd:%d,%d", ba[0], ab[1]);
        snprintf(b->uri, sizeof b->uri, "fd:%d,%d", ab[0], ba[1]);
    } else if (strcmp(carrier, "file") == 0 || strcmp(carrier, "pipe") == 0) {
        snprintf(a->uri, sizeof a->uri, "%s:in=b2a;out=a2b", carrier);
        snprintf(b->uri, sizeof b->uri, "%s:in=a2b;out=b2a", carrier);
    } else {
        snprintf(a->uri, sizeof a->uri, "%s:bench-%d", carrier, (int)getpid());
        memcpy(b->uri, a->uri, sizeof b->uri);
    }
}

int main(int argc, char **argv) {
    if (argc != 5) {
        fprintf(stderr, "usage: cosim_pair CARRIER text|binary N_VALUES N_ROUNDS\n");
        return 4;
    }
    side a = {.first = true, .binary = strcmp(argv[2], "binary") == 0, .n = atoi(argv[3]), .rounds = atoi(argv[4])};
    side b = a;
    b.first = false;
    name_ends(argv[1], &a, &b);
    bool fine;
    if (strcmp(argv[1], "mem") == 0) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, run, &b) != 0) {
            return 5;
        }
        run(&a);
        pthread_join(thread, NULL);
        fine = a.fine && b.fine;
    } else {
        pid_t child = fork();
        if (child == 0) {
            run(&b);
            _exit(!b.fine);
        }
        int status = 1;
        run(&a);
        fine = child > 0 && waitpid(child, &status, 0) == child && status == 0 && a.fine;
    }
    if (fine) {
        printf("%.3f\n", 1e6 * a.seconds / a.rounds);
    }
    return fine ? 0 : 5;
}
