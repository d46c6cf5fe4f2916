/* measure.c: runs a command and prints what it took: wall clock [s], user + system time [s], peak resident memory [KiB].
 *
 *   measure COMMAND ARGUMENT...
 *
 * The command's output goes nowhere; its exit code is passed on. It exists because the peak memory that the kernel
 * reports for a child includes what its parent had at the fork: a Python parent would add its own 16 MB.
 */
#include <fcntl.h>
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
    double start = now();
    pid_t child = fork();
    if (child < 0) {
        perror("measure");
        return 4;
    }
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, 1);
        dup2(nowhere, 2);
        execv(argv[1], argv + 1);
        _exit(127);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) < 0) {
        perror("measure");
        return 4;
    }
    printf("%.6f %.6f %ld\n", now() - start, seconds(usage.ru_utime) + seconds(usage.ru_stime), usage.ru_maxrss);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
