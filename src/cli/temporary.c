/* SPDX-License-Identifier: MIT */
/* temporary.c: see temporary.h. */
#define _GNU_SOURCE /* locks of an open file, files without a name */ /* NOLINT: that is its name */
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

#include "cli/file.h"

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

typedef int make_fn(const char *name, int fd);

/* Under the first name that is free; make gives a descriptor or -1. Returns 0 or errno. */
static int make_named(const char *path, char *name, size_t size, make_fn *make, int *fd) {
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    for (int i = 0; i < MOST;) {
        snprintf(name, size, "%.*s.sluice-%ld-%d.tmp", (int)folder, path, (long)getpid(), i);
        int made = make(name, *fd);
        if (made >= 0) {
            *fd = made;
            if (i == 0) { /* the first of this process here: others of it are not looked for again */
                char where[PATH_MAX];
                int n = snprintf(where, sizeof where, "%.*s", (int)folder, path);
                remove_left_overs(n > 0 && n < PATH_MAX ? where : ".");
            }
            return 0;
        }
        if (errno != EEXIST && errno != EINTR) {
            break;
        }
        i += errno == EEXIST;
    }
    int error = errno;
    name[0] = '\0';
    return error;
}

static int create(const char *name, int fd) {
    (void)fd;
    int new = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (new >= 0) {
        lock(new);
    }
    return new;
}

enum { LINK_NAME = 40 };

/* Where Linux shows an open file, which is what a link is made of. */
static const char *shown_at(int fd, char buf[LINK_NAME]) {
    snprintf(buf, LINK_NAME, "/proc/self/fd/%d", fd);
    return buf;
}

static int create_nameless(const char *path) {
#ifdef O_TMPFILE
    char folder[PATH_MAX], buf[LINK_NAME];
    (void)sl_path_split(path, folder);
    int fd = open(folder, O_RDWR | O_TMPFILE | O_CLOEXEC, 0666);
    if (fd >= 0 && access(shown_at(fd, buf), F_OK) != 0) {
        close(fd);
        fd = -1;
    }
    if (fd >= 0) {
        lock(fd); /* before anybody sees it */
    }
    return fd;
#else
    (void)path;
    return -1;
#endif
}

int sl_temporary_open(const char *path, char *name, size_t size, int *fd) {
    const char *slash = strrchr(path, '/');
    if ((slash ? (size_t)(slash - path) + 1 : 0) + SL_TEMPORARY_NAME > size) {
        return ENAMETOOLONG;
    }
    name[0] = '\0';
    *fd = create_nameless(path);
    return *fd >= 0 ? 0 : make_named(path, name, size, create, fd);
}

/* ---- A name for it ------------------------------------------------------------------------------ */

static int link_to(const char *name, int fd) {
    char buf[LINK_NAME];
    return linkat(AT_FDCWD, shown_at(fd, buf), AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? fd : -1;
}

/* All of one file into another, with its rights. 0 or errno. */
static int copy(int from, int to) {
    char buf[1 << 14];
    struct stat st;
    off_t done = 0;
    if (fstat(from, &st) == 0) {
        (void)!fchown(to, st.st_uid, st.st_gid); /* as far as we may */
        (void)fchmod(to, st.st_mode & 07777);
    }
    for (;;) {
        ssize_t n = pread(from, buf, sizeof buf, done);
        if (n == 0) {
            return 0;
        }
        for (ssize_t at = 0; at < n;) {
            ssize_t k = pwrite(to, buf + at, (size_t)(n - at), done + at);
            if (k <= 0 && (k == 0 || errno != EINTR)) {
                return k == 0 ? EIO : errno;
            }
            at += k > 0 ? k : 0;
        }
        if (n < 0 && errno != EINTR) {
            return errno;
        }
        done += n > 0 ? n : 0;
    }
}

int sl_temporary_name(const char *path, char *name, size_t size, int *fd) {
    if (name[0] || make_named(path, name, size, link_to, fd) == 0) {
        return 0;
    }
    int own = -1; /* somebody's rules forbid the link */
    int error = make_named(path, name, size, create, &own);
    error = error ? error : copy(*fd, own);
    if (error && own >= 0) {
        close(own);
        unlink(name);
        name[0] = '\0';
    } else if (!error) {
        close(*fd);
        *fd = own;
    }
    return error;
}
