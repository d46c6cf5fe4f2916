/* SPDX-License-Identifier: MIT */
/* temporary.c: see temporary.h. */
#define _GNU_SOURCE /* locks of an open file */ /* NOLINT: that is its name */
#include "cli/temporary.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 1000 }; /* of one process in one folder */

/* ---- Left-overs --------------------------------------------------------------------------------- */

/* The process that such a name says, or 0. */
static long process_of(const char *name) {
    static const char begin[] = ".sluice-";
    char *end = NULL;
    if (strncmp(name, begin, sizeof begin - 1) != 0 || name[sizeof begin - 1] < '1' || name[sizeof begin - 1] > '9') {
        return 0;
    }
    errno = 0;
    long process = strtol(name + sizeof begin - 1, &end, 10);
    if (errno != 0 || process > INT_MAX || end[0] != '-' || end[1] < '0' || end[1] > '9') {
        return 0;
    }
    (void)strtol(end + 1, &end, 10);
    return strcmp(end, ".tmp") == 0 ? process : 0;
}

static bool is_dead(long process) {
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

/* The lock belongs to the open file, whoever else opens and closes it. */
static void lock(int fd) {
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    (void)fcntl(fd, F_OFD_SETLK, &whole); /* where there are no locks, the process alone tells */
#else
    (void)fd;
#endif
}

static bool is_locked(int fd) {
#ifdef F_OFD_SETLK
    struct flock whole = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
#else
    (void)fd;
    return false;
#endif
}

static void remove_left_over(int folder, const char *name) {
    struct stat st;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && !is_locked(fd)) {
            (void)unlinkat(folder, name, 0);
        }
        close(fd);
    }
}

/* Only a help: what cannot be read or removed stays. */
static void remove_left_overs(const char *folder) {
    DIR *all = opendir(folder);
    if (!all) {
        return;
    }
    for (const struct dirent *e = readdir(all); e; e = readdir(all)) {
        long process = e->d_name[0] == '.' ? process_of(e->d_name) : 0;
        if (process > 0 && is_dead(process)) {
            remove_left_over(dirfd(all), e->d_name);
        }
    }
    closedir(all);
}

/* ---- A new one ---------------------------------------------------------------------------------- */

int sl_temporary_open(const char *path, char *name, size_t size, int *fd) {
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    if (folder + SL_TEMPORARY_NAME > size) {
        return ENAMETOOLONG;
    }
    for (int i = 0; i < MOST;) {
        snprintf(name, size, "%.*s.sluice-%ld-%d.tmp", (int)folder, path, (long)getpid(), i);
        *fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (*fd >= 0) {
            lock(*fd);
            if (i == 0) { /* the first of this process here: others of it are not looked for again */
                char where[PATH_MAX];
                int n = snprintf(where, sizeof where, "%.*s", (int)folder, path);
                remove_left_overs(n > 0 && n < PATH_MAX ? where : ".");
            }
            return 0;
        }
        if (errno != EEXIST && errno != EINTR) {
            return errno;
        }
        i += errno == EEXIST;
    }
    return EEXIST;
}
