/* SPDX-License-Identifier: MIT */
/* shim.c: stands between a program and the C library (LD_PRELOAD) and lets chosen calls fail.
 *
 * FAULT names what fails, which call of it (from 1; 0: none), how many of them, and with which errno: "memory 17 1 0",
 * "write 3 -1 28" (-1: that and all later ones). With errno -1 a write is short instead: one byte of it. At the end
 * FAULT_LOG gets the numbers of calls, and where a signal ends the program, its stack: object, offset and nearest name per line.
 * FAULT_STACK=1: the program's own handlers of crashes are left out.
 * A library may die by a jump that leaves no handler a chance: then FAULT_LOG gets the stack of the last jump, word "jump".
 * FAULT_NAMED=1: the file system has no files without a name.
 * FAULT_LOSE=1: of a file that is renamed what was not flushed is lost, as by a power cut; nothing else tells a flush from none.
 * Programs that this one starts run without.
 */
#define _GNU_SOURCE /* NOLINT: RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

enum { MEMORY, WRITE, READ, FSYNC, RENAME, OPEN, NAMELESS, LINK, CLOSE, FALLOCATE, TRUNCATE, THREAD, MAP, N_KIND };
static const char *const kinds[N_KIND] = {"memory", "write", "read",      "fsync",    "rename", "open", "nameless",
                                          "link",   "close", "fallocate", "truncate", "thread", "map"};
static long counts[N_KIND];
static int kind = -1, error_number, ready, lose, named, keep_crash;
static long from, many;
static char log_path[4096];
static struct {
    dev_t device;
    ino_t file;
} unflushed[256]; /* files that were written since they were last flushed */

/* Does this call fail? */
static int fails(int what) {
    if (!ready) {
        return 0;
    }
    long at = __atomic_add_fetch(&counts[what], 1, __ATOMIC_SEQ_CST);
    if (what != kind || from == 0 || at < from || (many >= 0 && at >= from + many)) {
        return 0;
    }
    errno = error_number;
    return 1;
}

static void say(int fd, const char *text) {
    (void)syscall(SYS_write, fd, text, strlen(text));
}

static void tell_stack(const char *word) {
    void *at[256];
    int n = backtrace(at, 256), fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    char line[1024];
    for (int i = 0; i < n; i++) {
        Dl_info info = {0};
        (void)dladdr(at[i], &info);
        (void)snprintf(line, sizeof line, "%s %s %lx %s\n", word, info.dli_fname ? info.dli_fname : "?",
                       (unsigned long)((char *)at[i] - (char *)info.dli_fbase), info.dli_sname ? info.dli_sname : "?");
        say(fd, line);
    }
    (void)syscall(SYS_close, fd);
}

static void on_end(int sig) {
    ready = 0;
    tell_stack("stack");
    if (sig == 0) {
        _exit(255);
    }
    signal(sig, SIG_DFL);
    raise(sig);
}

__attribute__((constructor)) static void begin(void) {
    const char *fault = getenv("FAULT"), *path = getenv("FAULT_LOG");
    char what[32] = "";
    if (fault && sscanf(fault, "%31s %ld %ld %d", what, &from, &many, &error_number) == 4) {
        for (int i = 0; i < N_KIND; i++) {
            kind = strcmp(kinds[i], what) == 0 ? i : kind;
        }
    }
    (void)snprintf(log_path, sizeof log_path, "%s", path ? path : "");
    lose = getenv("FAULT_LOSE") != NULL;
    named = getenv("FAULT_NAMED") != NULL;
    keep_crash = 0;
    unsetenv("LD_PRELOAD");
    void *at[4];
    (void)backtrace(at, 4); /* loads what it needs */
    static const int ends[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
    for (size_t i = 0; log_path[0] && i < sizeof ends / sizeof *ends; i++) {
        struct sigaction crash = {.sa_handler = on_end, .sa_flags = SA_ONSTACK};
        (void)sigaction(ends[i], &crash, NULL);
    }
    keep_crash = getenv("FAULT_STACK") != NULL;
    static char stack[1 << 16];
    const stack_t other = {.ss_sp = stack, .ss_size = sizeof stack};
    if (keep_crash) {
        (void)sigaltstack(&other, NULL);
    }
    ready = 1;
}

__attribute__((destructor)) static void end(void) {
    ready = 0;
    if (log_path[0]) {
        int fd = (int)syscall(SYS_openat, AT_FDCWD, log_path, O_WRONLY | O_CREAT | O_APPEND, 0666);
        char line[128];
        for (int i = 0; i < N_KIND; i++) {
            (void)snprintf(line, sizeof line, "count %s %ld\n", kinds[i], counts[i]);
            say(fd, line);
        }
        (void)syscall(SYS_close, fd);
    }
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static int no_memory(void) {
    int failed = fails(MEMORY);
    if (failed) {
        errno = ENOMEM;
    }
    return failed;
}

void *malloc(size_t n) {
    return no_memory() ? NULL : __libc_malloc(n);
}

void *calloc(size_t n, size_t m) {
    return no_memory() ? NULL : __libc_calloc(n, m);
}

void *realloc(void *p, size_t n) {
    return n > 0 && no_memory() ? NULL : __libc_realloc(p, n);
}

void *memalign(size_t align, size_t n) {
    return no_memory() ? NULL : __libc_memalign(align, n);
}

void *aligned_alloc(size_t align, size_t n) {
    return no_memory() ? NULL : __libc_memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n) {
    int before = errno;
    *p = no_memory() ? NULL : __libc_memalign(align, n);
    errno = before;
    return *p ? 0 : ENOMEM;
}

/* Memory that a program asks the system for: what the C library and the loader take does not come by here. */
void *mmap(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
    if (fd < 0 && fails(MAP)) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    return (void *)syscall(SYS_mmap, at, n, protection, flags, fd, offset);
}

void *mmap64(void *at, size_t n, int protection, int flags, int fd, off_t offset) {
    return mmap(at, n, protection, flags, fd, offset);
}

/* ---- Files -------------------------------------------------------------------------------------- */

static void touched(int fd, int written) {
    struct stat st;
    if (!lose || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        return;
    }
    size_t i = 0, n = sizeof unflushed / sizeof *unflushed;
    while (i < n && unflushed[i].file != 0 && (unflushed[i].file != st.st_ino || unflushed[i].device != st.st_dev)) {
        i++;
    }
    if (i < n && (written || unflushed[i].file != 0)) {
        unflushed[i].file = written ? st.st_ino : 1; /* 1: a hole of the table that no file has */
        unflushed[i].device = st.st_dev;
    }
}

/* Standard error stays: it is what says why. -1: fails; else how many bytes are taken. */
static ssize_t taken(int what, int fd, size_t n) {
    if (what == WRITE) {
        touched(fd, 1);
    }
    if (fd == STDERR_FILENO || !fails(what)) {
        return (ssize_t)n;
    }
    return error_number == -1 ? (n > 0) : -1;
}

ssize_t write(int fd, const void *bytes, size_t n) {
    ssize_t k = taken(WRITE, fd, n);
    return k < 0 ? k : syscall(SYS_write, fd, bytes, (size_t)k);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t offset) {
    ssize_t k = taken(WRITE, fd, n);
    return k < 0 ? k : syscall(SYS_pwrite64, fd, bytes, (size_t)k, offset);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off_t offset) {
    return pwrite(fd, bytes, n, offset);
}

ssize_t writev(int fd, const struct iovec *v, int n) {
    ssize_t k = taken(WRITE, fd, 1);
    return k < 0 ? k : syscall(SYS_writev, fd, v, n);
}

ssize_t read(int fd, void *bytes, size_t n) {
    ssize_t k = taken(READ, fd, n);
    return k < 0 ? k : syscall(SYS_read, fd, bytes, (size_t)k);
}

ssize_t pread(int fd, void *bytes, size_t n, off_t offset) {
    ssize_t k = taken(READ, fd, n);
    return k < 0 ? k : syscall(SYS_pread64, fd, bytes, (size_t)k, offset);
}

ssize_t pread64(int fd, void *bytes, size_t n, off_t offset) {
    return pread(fd, bytes, n, offset);
}

int fsync(int fd) {
    if (fails(FSYNC)) {
        return -1;
    }
    touched(fd, 0);
    return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd) {
    return fsync(fd);
}

static int open_it(int folder, const char *path, int flags, mode_t mode) {
    if ((flags & O_TMPFILE) == O_TMPFILE && named) {
        errno = EOPNOTSUPP;
        return -1;
    }
    if ((flags & O_ACCMODE) != O_RDONLY && fails((flags & O_TMPFILE) == O_TMPFILE ? NAMELESS : OPEN)) {
        return -1;
    }
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

static mode_t mode_of(int flags, va_list args) {
    return flags & (O_CREAT | __O_TMPFILE) ? (mode_t)va_arg(args, int) : 0;
}

#define OPENS(name, ...)                                     \
    int name(__VA_ARGS__ const char *path, int flags, ...) { \
        va_list args;                                        \
        va_start(args, flags);                               \
        mode_t mode = mode_of(flags, args);                  \
        va_end(args);                                        \
        return open_it(folder, path, flags, mode);           \
    }
#define folder AT_FDCWD
OPENS(open, )
OPENS(open64, )
#undef folder
#define AND ,
OPENS(openat, int folder AND)
OPENS(openat64, int folder AND)

/* What was written since the last flush is lost; as nobody knows which part of a file that is, all of it. */
static void lose_unflushed(const char *path) {
    struct stat st;
    if (!lose || stat(path, &st) != 0) {
        return;
    }
    for (size_t i = 0; i < sizeof unflushed / sizeof *unflushed; i++) {
        if (unflushed[i].file == st.st_ino && unflushed[i].device == st.st_dev) {
            (void)!syscall(SYS_truncate, path, 0L);
        }
    }
}

int close(int fd) {
    int failed = fails(CLOSE);
    int done = (int)syscall(SYS_close, fd); /* as Linux does it: closed, whatever it says */
    if (failed) {
        errno = error_number;
    }
    return failed ? -1 : done;
}

int rename(const char *old, const char *new) {
    lose_unflushed(old);
    return fails(RENAME) ? -1 : (int)syscall(SYS_rename, old, new);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
    return fails(LINK) ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int fallocate(int fd, int mode, off_t offset, off_t n) {
    return fails(FALLOCATE) ? -1 : (int)syscall(SYS_fallocate, fd, mode, offset, n);
}

int fallocate64(int fd, int mode, off_t offset, off_t n) {
    return fallocate(fd, mode, offset, n);
}

int ftruncate(int fd, off_t n) {
    return fails(TRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, fd, n);
}

int ftruncate64(int fd, off_t n) {
    return ftruncate(fd, n);
}

/* ---- Signals ------------------------------------------------------------------------------------ */

/* A library that ends the program: with FAULT_STACK its stack is told as that of a crash. */
void exit(int code) {
    static void (*next)(int) __attribute__((noreturn));
    if (keep_crash && code != 0 && ready && error_number) {
        on_end(0);
    }
    *(void **)&next = dlsym(RTLD_NEXT, "exit");
    next(code);
}

/* With FAULT_STACK a crash stays one: the program does not get to hear of it. */
int sigaction(int sig, const struct sigaction *now, struct sigaction *old) {
    static int (*next)(int, const struct sigaction *, struct sigaction *);
    if (!next) {
        *(void **)&next = dlsym(RTLD_NEXT, "sigaction");
    }
    int crash = sig == SIGSEGV || sig == SIGBUS || sig == SIGABRT || sig == SIGFPE;
    return crash && keep_crash ? 0 : next(sig, now, old);
}

/* What longjmp is in libraries that were built with checks. */
void __longjmp_chk(void *to, int value) {
    static void (*next)(void *, int) __attribute__((noreturn));
    int before = ready;
    ready = 0;
    if (keep_crash && before) {
        tell_stack("jump");
    }
    *(void **)&next = dlsym(RTLD_NEXT, "__longjmp_chk");
    ready = before;
    next(to, value);
}

/* ---- Threads ------------------------------------------------------------------------------------ */

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *user) {
    static int (*next)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (!next) {
        int before = ready;
        ready = 0;
        *(void **)&next = dlsym(RTLD_NEXT, "pthread_create");
        ready = before;
    }
    return fails(THREAD) ? error_number : next(thread, attributes, run, user);
}
