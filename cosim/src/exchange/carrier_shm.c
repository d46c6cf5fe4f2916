/* SPDX-License-Identifier: MIT */
/* carrier_shm.c: memory that two processes share, shm:NAME: a place for one message each way, and a bell for each side.
 *
 * The first to come is side 0, the second side 1; each holds a lock on a byte of the object as long as it lives, which the
 * system gives back whatever kills it: no mutex that could stay locked, no process id that could be another's. The name is
 * removed as soon as both are there, so that nothing is left behind by any death. Only the page with the bells is mapped;
 * messages are copied by read and write, which fail where memory is short, and are looked at only after that: the partner may
 * be broken or hostile, its lengths are checked at every step. Objects of other users are refused.
 */
#define _GNU_SOURCE /* OFD locks */ /* NOLINT: that is its name */
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "exchange/receive_buffer.h"
#include "exchange/system.h"

enum { PAGE = 4096, NAME = 128, MAGIC = 0x534C4D31 };

typedef struct shm_side {
    _Atomic uint32_t bell; /* rung by the other side */
    _Atomic uint32_t full; /* this side has put a message that was not taken */
    _Atomic uint64_t n;    /* its bytes */
    _Atomic uint32_t here, aborted, left;
} shm_side;

typedef struct shm_page {
    _Atomic uint32_t magic; /* last of what side 0 sets up */
    uint32_t unused;
    shm_side side[2];
} shm_page;

typedef struct shm {
    sl_context *ctx;
    sl_reporter *reporter;
    size_t max_bytes;
    char name[NAME];
    int fd, side;
    bool named; /* the name is there, and ours */
    shm_page *page;
    sl_receive_buffer in;
    uint32_t bell_seen;
} shm;

static shm_side *mine(const shm *s) {
    return &s->page->side[s->side];
}

static shm_side *theirs(const shm *s) {
    return &s->page->side[1 - s->side];
}

/* Where the message of a side lies. */
static off_t message_offset(const shm *s, int side) {
    return PAGE + (off_t)side * (off_t)((s->max_bytes + PAGE - 1) / PAGE * PAGE);
}

/* Safe in a signal handler. */
static void ring(const shm *s) {
    atomic_fetch_add(&theirs(s)->bell, 1);
    (void)syscall(SYS_futex, &theirs(s)->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static bool lock_byte(int fd, int byte) {
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(fd, F_OFD_SETLK, &l) == 0;
}

static bool is_locked(int fd, int byte) {
    struct flock l = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

static bool is_ready(const shm *s) {
    return atomic_load(&s->page->magic) == MAGIC;
}

/* ---- Messages ----------------------------------------------------------------------------------- */

static sl_cosim_code shm_put(void *self, const char *bytes, size_t n) {
    shm *s = self;
    s->bell_seen = atomic_load(&mine(s)->bell);
    if (!is_ready(s) || atomic_load(&mine(s)->full)) {
        return atomic_load(&theirs(s)->left) ? SL_COSIM_GONE : SL_COSIM_AGAIN;
    }
    for (size_t done = 0; done < n;) {
        ssize_t k = pwrite(s->fd, bytes + done, n - done, message_offset(s, s->side) + (off_t)done);
        if (k < 0 && errno != EINTR) {
            return sl_reporter_error(s->reporter, SL_COSIM_IO, "a message does not fit into shared memory: %s",
                                     strerror(errno));
        }
        done += k > 0 ? (size_t)k : 0;
    }
    atomic_store(&mine(s)->n, n);
    atomic_store(&mine(s)->full, 1);
    ring(s);
    return SL_COSIM_OK;
}

static bool shm_cancel(void *self) {
    (void)self;
    return true;
}

static sl_cosim_code fetch(shm *s) {
    if (!is_ready(s) || !atomic_load(&theirs(s)->full)) {
        return !is_ready(s)                       ? SL_COSIM_AGAIN
               : atomic_load(&theirs(s)->aborted) ? SL_COSIM_END
               : atomic_load(&theirs(s)->left)    ? SL_COSIM_GONE
                                                  : SL_COSIM_AGAIN;
    }
    uint64_t n = atomic_load(&theirs(s)->n);
    if (n == 0 || n > s->max_bytes) {
        return sl_reporter_error(s->reporter, SL_COSIM_LIMIT, "a message of %llu bytes cannot be; %zu are allowed",
                                 (unsigned long long)n, s->max_bytes);
    }
    if (!SL_RESERVE(s->ctx, &s->in.bytes, (int64_t)n)) {
        return sl_reporter_error(s->reporter, SL_COSIM_MEMORY, "no memory for a message");
    }
    for (uint64_t done = 0; done < n;) {
        ssize_t k =
            pread(s->fd, s->in.bytes.at + done, (size_t)(n - done), message_offset(s, 1 - s->side) + (off_t)done);
        if (k == 0 || (k < 0 && errno != EINTR)) {
            return sl_reporter_error(s->reporter, SL_COSIM_IO, "a message cannot be read from shared memory");
        }
        done += k > 0 ? (uint64_t)k : 0;
    }
    s->in.bytes.n = (int64_t)n;
    return SL_COSIM_OK;
}

static sl_cosim_code shm_done(void *self, bool bad) {
    shm *s = self;
    if (bad) {
        sl_receive_buffer_clear(&s->in);
    }
    if (bad || !sl_receive_buffer_done(&s->in)) {
        atomic_store(&theirs(s)->full, 0);
        ring(s);
    }
    return SL_COSIM_OK;
}

static sl_cosim_code shm_take(void *self, int64_t n_expected, char **bytes, size_t *n) {
    shm *s = self;
    (void)n_expected;
    s->bell_seen = atomic_load(&mine(s)->bell);
    if (s->in.bytes.n == 0) {
        sl_cosim_code code = fetch(s);
        if (code != SL_COSIM_OK) {
            return code;
        }
    }
    size_t need;
    sl_cosim_code code = sl_receive_buffer_next(&s->in, s->max_bytes, s->reporter, bytes, n, &need);
    if (code == SL_COSIM_AGAIN) {
        code = sl_reporter_error(s->reporter, SL_COSIM_BAD_FORMAT, "an incomplete message has arrived");
    }
    if (code < 0) {
        (void)shm_done(s, true);
    }
    return code;
}

static bool shm_is_free(void *self) {
    shm *s = self;
    return !atomic_load(&mine(s)->full) || atomic_load(&theirs(s)->left);
}

static bool shm_is_gone(void *self) {
    shm *s = self;
    bool here = s->side == 1 || atomic_load(&theirs(s)->here);
    return here && !is_locked(s->fd, 1 - s->side);
}

static void shm_wait(void *self, unsigned what, double seconds) {
    shm *s = self;
    (void)what;
    seconds = is_ready(s) ? seconds : fmin(seconds, 0.001);
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)syscall(SYS_futex, &mine(s)->bell, FUTEX_WAIT, s->bell_seen, &t, NULL, 0);
}

static void shm_abort(void *self) {
    shm *s = self;
    atomic_store(&mine(s)->aborted, 1);
    ring(s);
}

/* ---- Opening, closing --------------------------------------------------------------------------- */

static void shm_close(void *self, bool keep) {
    shm *s = self;
    (void)keep;
    struct stat held, named;
    if (s->page) {
        atomic_store(&mine(s)->left, 1);
        ring(s);
        if (s->side == 0 && !atomic_load(&theirs(s)->here)) {
            int fd = shm_open(s->name, O_RDWR | O_CLOEXEC, 0);
            if (fd >= 0 && fstat(fd, &named) == 0 && fstat(s->fd, &held) == 0 && named.st_ino == held.st_ino) {
                (void)shm_unlink(s->name);
            }
            if (fd >= 0) {
                (void)close(fd);
            }
        }
        (void)munmap(s->page, PAGE);
    }
    if (s->fd >= 0) {
        (void)close(s->fd);
    }
    sl_bytes_fini(&s->in.bytes);
    sl_free(s->ctx, s, sizeof *s);
}

/* Is what the name leads to still what we have open? */
static bool is_named(const shm *s) {
    struct stat held, named;
    int fd = shm_open(s->name, O_RDWR | O_CLOEXEC, 0);
    bool same = fd >= 0 && fstat(fd, &named) == 0 && fstat(s->fd, &held) == 0 && named.st_ino == held.st_ino;
    if (fd >= 0) {
        (void)close(fd);
    }
    return same;
}

/* Takes a side: OK, AGAIN when the object went while we came, or an error. */
static sl_cosim_code take_side(shm *s) {
    struct stat st;
    s->fd = shm_open(s->name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (s->fd < 0) {
        return sl_reporter_error(s->reporter, SL_COSIM_IO, "shared memory %s cannot be opened: %s", s->name,
                                 strerror(errno));
    }
    if (fstat(s->fd, &st) != 0 || st.st_uid != geteuid()) {
        return sl_reporter_error(s->reporter, SL_COSIM_IO, "shared memory %s belongs to another user", s->name);
    }
    bool orphan = is_locked(s->fd, 1); /* before: a partner of ours comes after us */
    s->side = lock_byte(s->fd, 0) ? 0 : lock_byte(s->fd, 1) ? 1 : -1;
    if (!is_named(s)) {
        (void)close(s->fd);
        s->fd = -1;
        return SL_COSIM_AGAIN;
    }
    if (s->side < 0 || (s->side == 0 && orphan)) {
        return sl_reporter_error(s->reporter, SL_COSIM_STALE,
                                 "two other programs use the shared memory %s: take another name", s->name);
    }
    off_t size = message_offset(s, 2);
    if (s->side == 0 &&
        (ftruncate(s->fd, 0) != 0 || ftruncate(s->fd, size) != 0 || posix_fallocate(s->fd, 0, PAGE) != 0)) {
        return sl_reporter_error(s->reporter, SL_COSIM_IO, "shared memory %s cannot be made: %s", s->name,
                                 strerror(errno));
    }
    return SL_COSIM_OK;
}

static sl_cosim_code map(shm *s) {
    struct stat st;
    double until = sl_system_now() + 1.0;
    while (fstat(s->fd, &st) == 0 && st.st_size < PAGE &&
           sl_system_now() < until) { /* side 0 is about to make it so large */
        const struct timespec moment = {0, 1000000};
        (void)nanosleep(&moment, NULL);
    }
    if (st.st_size < message_offset(s, 2)) {
        return sl_reporter_error(
            s->reporter, SL_COSIM_LIMIT,
            "the partner has made shared memory %s for smaller messages than the %zu bytes allowed here", s->name,
            s->max_bytes);
    }
    s->page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (s->page == MAP_FAILED) {
        s->page = NULL;
        return sl_reporter_error(s->reporter, SL_COSIM_IO, "shared memory %s cannot be mapped: %s", s->name,
                                 strerror(errno));
    }
    atomic_store(&mine(s)->here, 1);
    if (s->side == 0) {
        atomic_store(&s->page->magic, MAGIC);
    } else {
        (void)shm_unlink(s->name); /* both are here: no third one may come */
        ring(s);
    }
    return SL_COSIM_OK;
}

static sl_cosim_code shm_begin(const sl_carrier_def *def, void **self) {
    static const char prefix[] = "/sluice.";
    if (def->rest.len == 0 || def->rest.len > NAME - sizeof prefix || memchr(def->rest.ptr, '/', def->rest.len)) {
        return sl_reporter_error(def->reporter, SL_COSIM_USE,
                                 "shm: needs a name of up to %zu bytes without '/', shm:NAME", NAME - sizeof prefix);
    }
    shm *s = sl_alloc(def->ctx, sizeof *s);
    if (!s) {
        return SL_COSIM_MEMORY;
    }
    s->ctx = def->ctx;
    s->reporter = def->reporter;
    s->max_bytes = def->def->max_bytes;
    s->fd = -1;
    sl_bytes_init(&s->in.bytes, s->ctx);
    memcpy(s->name, prefix, sizeof prefix - 1);
    memcpy(s->name + sizeof prefix - 1, def->rest.ptr, def->rest.len);
    sl_cosim_code code;
    do {
        code = take_side(s);
    } while (code == SL_COSIM_AGAIN);
    code = code == SL_COSIM_OK ? map(s) : code;
    if (code != SL_COSIM_OK) {
        shm_close(s, false);
        return code;
    }
    *self = s;
    return SL_COSIM_OK;
}

const sl_carrier_ops sl_carrier_shm = {
    .scheme = "shm",
    .framed = true,
    .wakes = true,
    .open = shm_begin,
    .put = shm_put,
    .cancel = shm_cancel,
    .take = shm_take,
    .done = shm_done,
    .is_free = shm_is_free,
    .is_gone = shm_is_gone,
    .wait = shm_wait,
    .abort = shm_abort,
    .close = shm_close,
};
