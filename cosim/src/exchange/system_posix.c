/* SPDX-License-Identifier: MIT */
/* system_posix.c: what an exchange needs of a POSIX system. What only Linux has is in #if blocks, each with a plain form for
 * other systems, which SL_NO_LINUX chooses on Linux too, for tests.
 *
 * Nothing but the message itself ever has a name in the folder. It is written to a file without a name (O_TMPFILE) and linked
 * to its own when it is whole; linking never replaces. The lock on a name is a lock on one byte of the folder, far behind its
 * end, whose number is a hash of the name: no lock file is needed that could stay behind. Folders can be opened for reading
 * only, so these locks are shared ones; whoever takes one checks that nobody else has it.
 */
#define _GNU_SOURCE /* OFD locks, O_TMPFILE, syscall, ppoll */ /* NOLINT: that is its name */
#include "exchange/system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"

#if defined(__linux__) && !defined(SL_NO_LINUX)
#define HAS_LINUX 1
#include <sys/inotify.h>
#include <sys/syscall.h>
#else
#define HAS_LINUX 0
#endif

/* ---- Clock, processes --------------------------------------------------------------------------- */

static double seconds_of(struct timespec t) {
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int64_t nanoseconds(struct timespec t) {
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

double sl_system_now(void) {
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return seconds_of(t);
}

double sl_system_age(void) {
#if HAS_LINUX
    char text[1024];
    int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    if (fd >= 0) {
        (void)close(fd);
    }
    if (n <= 0) {
        return 0;
    }
    text[n] = 0;
    const char *p = strrchr(text, ')'); /* the name before it may hold anything; the start is the 20th word after it */
    for (int word = 0; p && word < 20; word++) {
        p = strchr(p + 1, ' ');
    }
    size_t len = p ? strcspn(p + 1, " ") : 0;
    int64_t ticks = 0;
    struct timespec now;
    if (len == 0 || sl_number_parse_int((sl_str){p + 1, len}, &ticks) != SL_NUMBER_OK ||
        clock_gettime(CLOCK_BOOTTIME, &now) != 0) {
        return 0;
    }
    return fmax(seconds_of(now) - (double)ticks / (double)sysconf(_SC_CLK_TCK), 0);
#else
    return 0;
#endif
}

int64_t sl_system_process(void) {
    return getpid();
}

bool sl_system_is_dead(int64_t process) {
    return kill((pid_t)process, 0) != 0 && errno == ESRCH;
}

sl_handle sl_system_watch(int64_t process) {
#if HAS_LINUX && defined(SYS_pidfd_open)
    return syscall(SYS_pidfd_open, (pid_t)process, 0);
#else
    (void)process;
    return SL_NO_HANDLE;
#endif
}

bool sl_system_has_ended(sl_handle watch) {
    struct pollfd p = {.fd = (int)watch, .events = POLLIN};
    return poll(&p, 1, 0) > 0;
}

void sl_system_unwatch(sl_handle watch) {
    (void)close((int)watch);
}

/* ---- Names and stamps --------------------------------------------------------------------------- */

size_t sl_disk_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* The folder of a file, "." for the current one. Safe in a signal handler. */
static bool folder_of(const char *path, char folder[PATH_MAX]) {
    size_t n = sl_disk_folder(path);
    if (n + 2 > PATH_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(folder, path, n);
    memcpy(folder + n, ".", 2);
    return true;
}

static sl_disk_stamp stamp_of(const struct stat *st) {
#ifdef __APPLE__
    int64_t changed = nanoseconds(st->st_mtimespec);
#else
    int64_t changed = nanoseconds(st->st_mtim);
#endif
    return (sl_disk_stamp){(uint64_t)st->st_dev, (uint64_t)st->st_ino, st->st_size, changed};
}

bool sl_disk_is_folder(const char *folder, sl_disk_stamp *stamp) {
    struct stat st;
    if (stat(*folder ? folder : ".", &st) != 0 || !S_ISDIR(st.st_mode)) {
        return false;
    }
    *stamp = stamp_of(&st);
    return true;
}

bool sl_disk_may_create(const char *folder) {
    return access(*folder ? folder : ".", W_OK | X_OK) == 0;
}

bool sl_disk_exists(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0;
}

int64_t sl_disk_changed(const char *path) {
    struct stat st;
    return lstat(path, &st) == 0 ? stamp_of(&st).changed : INT64_MIN;
}

void sl_disk_list(const char *folder, void (*call)(void *user, const char *name), void *user) {
    DIR *dir = opendir(*folder ? folder : ".");
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) { /* NOLINT(concurrency-mt-unsafe): the stream is ours alone */
        call(user, entry->d_name);
    }
    if (dir) {
        (void)closedir(dir);
    }
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static bool is_passing(int why) {
    return why == ENOENT || why == EACCES || why == EBUSY || why == ETXTBSY || why == ESTALE || why == EINTR;
}

sl_handle sl_disk_open(const char *path, sl_disk_stamp *stamp) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    if (fd < 0) {
        errno = is_passing(errno) ? EAGAIN : errno;
        return SL_NO_HANDLE;
    }
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        (void)close(fd);
        errno = EINVAL;
        return SL_NO_HANDLE;
    }
    *stamp = stamp_of(&st);
    return fd;
}

int64_t sl_disk_read(sl_handle file, char *bytes, size_t n) {
    ssize_t done = read((int)file, bytes, n);
    if (done < 0 && (errno == EINTR || errno == ESTALE)) {
        errno = EAGAIN;
    }
    return done;
}

void sl_disk_close(sl_handle file) {
    (void)close((int)file);
}

/* ---- Writing ------------------------------------------------------------------------------------ */

int sl_disk_remove(const char *path) {
    return unlink(path);
}

int sl_disk_rename(const char *from, const char *to, bool replace) {
    if (replace) {
        return rename(from, to);
    }
    int code = -1;
    errno = ENOSYS;
#if HAS_LINUX && defined(SYS_renameat2)
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE, which not every C library knows, as little as renameat2 */
    code = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE);
#endif
    if (code != 0 && (errno == EINVAL || errno == ENOSYS)) { /* not every file system knows how */
        code = link(from, to);
        if (code == 0) {
            (void)unlink(from);
        }
    }
    return code;
}

static int write_all(int fd, const char *bytes, size_t n) {
    while (n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR) {
            return -1;
        }
        bytes += done > 0 ? done : 0;
        n -= done > 0 ? (size_t)done : 0;
    }
    return 0;
}

/* A file without a name in the folder of path; -1: this system or file system has none. */
static int open_nameless(const char *path) {
#if HAS_LINUX && defined(O_TMPFILE)
    char folder[PATH_MAX];
    return folder_of(path, folder) ? open(folder, O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666) : -1;
#else
    (void)path;
    return -1;
#endif
}

/* Written without a name, then linked to path. 1: not possible here, by this kernel or without /proc. */
static int write_nameless(const char *path, const char *bytes, size_t n) {
    int fd = open_nameless(path);
    if (fd < 0) {
        return 1;
    }
    int code = write_all(fd, bytes, n);
    if (code == 0) {
        char self[sizeof "/proc/self/fd/" + SL_NUMBER_MAX] = "/proc/self/fd/";
        (void)sl_number_format_int(fd, self + strlen(self));
        code = linkat(AT_FDCWD, self, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno == EEXIST ? -1 : 1;
    }
    int why = errno;
    (void)close(fd);
    errno = why;
    return code;
}

static int write_named(const char *path, const char *bytes, size_t n) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0) {
        return -1;
    }
    int code = write_all(fd, bytes, n), why = errno;
    if (close(fd) != 0 && code == 0) {
        code = -1;
        why = errno;
    }
    errno = why;
    return code;
}

static int write_and_rename(const char *path, const char *tmp, const char *bytes, size_t n, bool replace) {
    (void)unlink(tmp); /* of a dead process that had our number */
    int code = write_nameless(tmp, bytes, n);
    code = code == 1 ? write_named(tmp, bytes, n) : code;
    code = code == 0 ? sl_disk_rename(tmp, path, replace) : code;
    if (code != 0) {
        int why = errno;
        (void)unlink(tmp);
        errno = why;
    }
    return code;
}

int sl_disk_publish(const char *path, const char *tmp, const char *bytes, size_t n, bool replace) {
    if (!replace && sl_disk_exists(path)) {
        errno = EEXIST;
        return -1;
    }
    int code = replace ? 1 : write_nameless(path, bytes, n);
    if (code <= 0) {
        return code;
    }
    sigset_t all, before;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    code = write_and_rename(path, tmp, bytes, n, replace);
    int why = errno;
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = why;
    return code;
}

int64_t sl_disk_now(const char *path, const char *tmp) {
    sigset_t all, before;
    struct stat st;
    struct timespec wall = {0};
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &before);
    int fd = open_nameless(path);
    bool named = fd < 0 && (fd = open(tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666)) >= 0;
    bool known = fd >= 0 && fstat(fd, &st) == 0;
    if (fd >= 0) {
        (void)close(fd);
    }
    if (named) {
        (void)unlink(tmp);
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)clock_gettime(CLOCK_REALTIME, &wall);
    return known ? stamp_of(&st).changed : nanoseconds(wall);
}

/* ---- Locks -------------------------------------------------------------------------------------- */

#if HAS_LINUX && defined(F_OFD_SETLK)
static int open_folder(const char *path) {
    char folder[PATH_MAX];
    return folder_of(path, folder) ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
}

static struct flock byte_of(const char *path, short type) {
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    for (const char *p = path + sl_disk_folder(path); *p; p++) {
        h = (h ^ (unsigned char)*p) * UINT64_C(1099511628211);
    }
    return (struct flock){
        .l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)(h >> 2 | UINT64_C(1) << 61), .l_len = 1};
}

/* By another one than whoever opened fd. */
static bool is_held_elsewhere(int fd, const char *path) {
    struct flock who = byte_of(path, F_WRLCK); /* a query: would an exclusive lock conflict? */
    return fcntl(fd, F_OFD_GETLK, &who) == 0 && who.l_type != F_UNLCK;
}

sl_handle sl_lock_take(const char *path) {
    int fd = open_folder(path);
    struct flock mine = byte_of(path, F_RDLCK);
    bool locked = fd >= 0 && fcntl(fd, F_OFD_SETLK, &mine) == 0;
    bool taken = locked && is_held_elsewhere(fd, path);
    if (fd >= 0 && (!locked || taken)) {
        (void)close(fd);
    }
    errno = taken ? EEXIST : ENOLCK;
    return locked && !taken ? fd : SL_NO_HANDLE;
}

bool sl_lock_is_held(const char *path) {
    int fd = open_folder(path);
    bool held = fd >= 0 && is_held_elsewhere(fd, path);
    if (fd >= 0) {
        (void)close(fd);
    }
    return held;
}
#else
sl_handle sl_lock_take(const char *path) {
    (void)path;
    errno = ENOLCK;
    return SL_NO_HANDLE;
}

bool sl_lock_is_held(const char *path) {
    (void)path;
    return false;
}
#endif

void sl_lock_release(sl_handle lock) {
    (void)close((int)lock);
}

/* ---- Events ------------------------------------------------------------------------------------- */

sl_handle sl_events_open(const char *path, const char *other) {
#if HAS_LINUX
    const char *paths[] = {path, other};
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (int i = 0; i < 2 && fd >= 0; i++) {
        char folder[PATH_MAX];
        if (folder_of(paths[i], folder)) {
            (void)inotify_add_watch(fd, folder, IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM);
        }
    }
    return fd;
#else
    (void)path;
    (void)other;
    return SL_NO_HANDLE;
#endif
}

void sl_events_drop(sl_handle events) {
    char bytes[4096];
    while (events >= 0 && read((int)events, bytes, sizeof bytes) == (ssize_t)sizeof bytes) {}
}

void sl_events_wait(sl_handle events, double seconds) {
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
#if HAS_LINUX
    struct pollfd p = {.fd = (int)events, .events = POLLIN};
    (void)ppoll(&p, events >= 0, &t, NULL);
#else
    (void)events;
    (void)nanosleep(&t, NULL);
#endif
}

void sl_events_close(sl_handle events) {
    (void)close((int)events);
}
