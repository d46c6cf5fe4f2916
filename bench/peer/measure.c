/* SPDX-License-Identifier: MIT */
/* measure.c: runs a command and prints what it took: wall clock [s], user + system time [s], peak resident memory [KiB].
 *
 *   measure COMMAND ARGUMENT...
 *
 * The command's output goes nowhere; its exit code is passed on. It exists because the peak memory that the kernel
 * reports for a child includes what its parent had when it began: a Python parent would add its own 16 MB. The child is
 * made by posix_spawn, which copies nothing of its parent: a fork would add two tenths of a millisecond that are not the
 * command's, a quarter of a small run.
 */
#define _GNU_SOURCE /* environ, wait4 */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double seconds(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

int main(int argc, char **argv) {
    if (argc < 2) {
        fprintf(stderr, "usage: measure COMMAND ARGUMENT...\n");
        return 4;
    }
    posix_spawn_file_actions_t quiet;
    posix_spawn_file_actions_init(&quiet);
    posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&quiet, 2, "/dev/null", O_WRONLY, 0);
    pid_t child;
    double start = now();
    errno = posix_spawn(&child, argv[1], &quiet, NULL, argv + 1, environ);
    if (errno) {
        perror("measure");
        return 127;
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 4;
    }
    double wall = now() - start;
    printf("%.6f %.6f %ld\n", wall, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
