/* carrier_file.c: messages as files: ours appears whole under its name, the partner's is read when it is whole, and deleted.
 *
 * Deleting is the acknowledgement. We write to a temporary file beside it and rename without replacing, so that the partner
 * never sees a part and never loses a message. The partner may write as it likes: what it has written so far is judged by its
 * content (message.h). An unfinished file that stays as it is for `short_wait` is read as it is. Events of the directory
 * (inotify) end the waiting early; the manager looks again anyway, because network file systems report nothing.
 */
#define _GNU_SOURCE /* OFD locks, syscall, ppoll */ /* NOLINT: that is its name */
#include "exchange/carrier_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/number.h"
#include "exchange/message.h"

static const double OPEN_WAIT = 0.05; /* all values are there, the last line has no end: so long without change [s] */
static const double LOCK_EVERY = 0.1;

/* ---- Reading ------------------------------------------------------------------------------------ */

sl_cosim_code sl_file_load(sl_file_carrier *f, const char *path, struct stat *st) {
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) {
        bool later = errno == ENOENT || errno == EACCES || errno == EBUSY || errno == ETXTBSY || errno == ESTALE ||
                     errno == EINTR;
        return later ? SL_COSIM_AGAIN
                     : sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be opened: %s", path, strerror(errno));
    }
    sl_cosim_code code = SL_COSIM_OK;
    if (fstat(fd, st) != 0 || !S_ISREG(st->st_mode)) {
        code = sl_tell_error(f->tell, SL_COSIM_IO, "%s is not a regular file", path);
    }
    f->text.n = 0;
    while (code == SL_COSIM_OK) {
        int64_t want = f->text.n + 4096 > st->st_size + 1 ? f->text.n + 4096 : st->st_size + 1;
        if ((size_t)f->text.n > f->most || st->st_size > (int64_t)f->most) {
            code = sl_tell_error(f->tell, SL_COSIM_LIMIT, "%s is larger than the %zu bytes allowed", path, f->most);
        } else if (!SL_RESERVE(f->ctx, &f->text, want)) {
            code = sl_tell_error(f->tell, SL_COSIM_MEMORY, "no memory for %s", path);
        } else {
            ssize_t n = read(fd, f->text.at + f->text.n, (size_t)(f->text.cap - f->text.n));
            if (n == 0) {
                break;
            }
            if (n < 0) {
                code = errno == EINTR || errno == EAGAIN || errno == ESTALE
                           ? SL_COSIM_AGAIN
                           : sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be read: %s", path, strerror(errno));
            } else {
                f->text.n += n;
            }
        }
    }
    (void)close(fd);
    return code;
}

static uint64_t hash_of(const sl_bytes *b) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (int64_t i = 0; i < b->n; i++) {
        h = (h ^ (unsigned char)b->at[i]) * UINT64_C(1099511628211);
    }
    return h;
}

static bool same_file(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
           a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* A file that was put aside at the beginning was the partner's after all: it lives, has taken our first message without having
 * written since, and the file is of the same time. */
static void give_back(sl_file_carrier *f) {
    if (isnan(f->set_aside) || !f->put_once || access(f->out, F_OK) == 0) {
        return;
    }
    double off = fabs(f->set_aside - f->put_time);
    bool fits = off <= fmax(f->set_aside_within, 1e-9 * fabs(f->put_time));
    f->set_aside = NAN;
    if (fits && link(f->in_stale, f->in) == 0) { /* unlike rename it fails when there is a new one */
        (void)unlink(f->in_stale);
        sl_tell_warning(f->tell, SL_TELL_LEFT_OVER, "%s was the partner's first message after all: it is read",
                        f->in_stale);
    }
}

/* In a directory where nothing is deleted a message is new when it begins otherwise than the last. */
static bool is_news(sl_file_carrier *f, sl_text_state state) {
    char begin[sizeof f->last] = {0};
    const char *stop = memchr(f->text.at, '\n', (size_t)f->text.n);
    size_t n = stop ? (size_t)(stop - f->text.at) : (size_t)f->text.n;
    memcpy(begin, f->text.at, n < sizeof begin ? n : sizeof begin);
    bool news = state == SL_TEXT_END || memcmp(begin, f->last, sizeof begin) != 0;
    if (news) {
        memcpy(f->last, begin, sizeof begin);
    }
    return news;
}

/* Events up to now: what they tell of is looked at next. Ours are among them, and would only wake ourselves. */
static void drain(const sl_file_carrier *f) {
    char events[4096];
    while (f->notify >= 0 && read(f->notify, events, sizeof events) == (ssize_t)sizeof events) {}
}

static sl_cosim_code file_take(void *self, int64_t n_expected, char **bytes, size_t *n) {
    sl_file_carrier *f = self;
    drain(f);
    if (!f->held) {
        struct stat st = {0};
        double now = sl_carrier_now();
        sl_cosim_code code = sl_file_load(f, f->in, &st);
        if (code != SL_COSIM_OK) {
            f->seen_at = 0;
            if (code == SL_COSIM_AGAIN && !isnan(f->set_aside)) {
                give_back(f);
            }
            return code;
        }
        uint64_t hash = hash_of(&f->text);
        if (f->seen_at == 0 || !same_file(&st, &f->seen) || hash != f->hash) {
            f->seen_at = now;
            f->seen = st;
            f->hash = hash;
        }
        sl_text_state state = sl_text_classify(f->text.at, (size_t)f->text.n, n_expected);
        double quiet = now - f->seen_at;
        if ((state == SL_TEXT_PARTIAL && quiet < f->short_wait) || (state == SL_TEXT_DATA_OPEN && quiet < OPEN_WAIT) ||
            (f->overwrite && !is_news(f, state))) {
            return SL_COSIM_AGAIN;
        }
        f->held = true;
    }
    *bytes = f->text.at;
    *n = (size_t)f->text.n;
    return SL_COSIM_OK;
}

/* By its lock, if it is one of us: dead, or closed, once it was seen to live. */
static bool file_is_gone(void *self) {
    sl_file_carrier *f = self;
    double now = sl_carrier_now();
    if (now - f->lock_looked < LOCK_EVERY) {
        return false;
    }
    f->lock_looked = now;
    int fd = open(f->in_lock, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return f->partner_seen && errno == ENOENT; /* it has closed, without us if we still wait */
    }
    struct flock who = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    struct stat st;
    bool gone = false;
    if (fstat(fd, &st) == 0 && fcntl(fd, F_OFD_GETLK, &who) == 0) {
        if (who.l_type != F_UNLCK) {
            f->partner_seen = true;
            f->partner_lock = st.st_ino;
        } else {
            gone = f->partner_seen && f->partner_lock == st.st_ino;
        }
    }
    (void)close(fd);
    return gone;
}

static sl_cosim_code file_done(void *self, bool bad) {
    sl_file_carrier *f = self;
    f->held = false;
    f->seen_at = 0;
    f->set_aside = NAN;
    if (f->lock_looked == 0) { /* whoever wrote this lives, most likely */
        (void)file_is_gone(f);
    }
    if (bad) { /* the evidence stays, and the partner sees that its file was taken */
        (void)rename(f->in, f->in_bad);
    } else if ((!f->overwrite || f->text.at[0] == 'E') && unlink(f->in) != 0 && errno != ENOENT) {
        return sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be deleted: %s", f->in, strerror(errno));
    }
    return SL_COSIM_OK;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Safe in a signal handler. */
static int write_tmp(const char *path, const char *bytes, size_t n) {
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) { /* of a dead process that had our number */
        (void)unlink(path);
        fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    }
    while (fd >= 0 && n > 0) {
        ssize_t done = write(fd, bytes, n);
        if (done < 0 && errno != EINTR) {
            int why = errno;
            (void)close(fd);
            (void)unlink(path);
            errno = why;
            return -1;
        }
        if (done > 0) {
            bytes += done;
            n -= (size_t)done;
        }
    }
    return fd < 0 ? -1 : close(fd);
}

/* 0, or -1 with EEXIST when there is one already. */
static int rename_new(const char *from, const char *to) {
    enum { NO_REPLACE = 1 }; /* RENAME_NOREPLACE, which not every C library knows, as little as renameat2 */
    int code = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, NO_REPLACE);
    if (code != 0 && (errno == EINVAL || errno == ENOSYS)) { /* not every file system knows how */
        code = link(from, to);
        if (code == 0) {
            (void)unlink(from);
        }
    }
    return code;
}

static sl_cosim_code file_put(void *self, const char *bytes, size_t n) {
    sl_file_carrier *f = self;
    drain(f);
    if (!f->ready && write_tmp(f->out_tmp, bytes, n) != 0) {
        return sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be written: %s", f->out_tmp, strerror(errno));
    }
    f->ready = true;
    if ((f->overwrite ? rename(f->out_tmp, f->out) : rename_new(f->out_tmp, f->out)) != 0) {
        if (errno == EEXIST) {
            return SL_COSIM_AGAIN;
        }
        return sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be renamed to %s: %s", f->out_tmp, f->out,
                             strerror(errno));
    }
    f->ready = false;
    f->mine = true;
    if (!f->put_once) {
        sl_str text = {bytes, n};
        const char *stop = memchr(bytes, '\n', n);
        text.len = stop ? (size_t)(stop - bytes) : 0;
        if (text.len < 5 || !sl_text_number((sl_str){text.ptr + 5, text.len - 5}, &f->put_time, NULL)) {
            f->put_time = NAN;
        }
        f->put_once = true;
    }
    return SL_COSIM_OK;
}

static bool file_cancel(void *self) {
    sl_file_carrier *f = self;
    if (f->ready) {
        (void)unlink(f->out_tmp);
        f->ready = false;
    }
    return true;
}

static bool file_is_free(void *self) {
    sl_file_carrier *f = self;
    struct stat st;
    return f->overwrite || lstat(f->out, &st) != 0;
}

/* ---- Waiting ------------------------------------------------------------------------------------ */

static void file_wait(void *self, unsigned what, double seconds) {
    sl_file_carrier *f = self;
    (void)what;
    struct pollfd p = {.fd = f->notify, .events = POLLIN};
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)ppoll(&p, f->notify >= 0, &t, NULL);
}

static void watch(sl_file_carrier *f) {
    const char *paths[] = {f->in, f->out};
    f->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    for (int i = 0; i < 2 && f->notify >= 0; i++) {
        char folder[PATH_MAX];
        const char *slash = strrchr(paths[i], '/');
        size_t n = slash ? (size_t)(slash - paths[i]) + 1 : 0;
        if (n + 2 > sizeof folder) {
            continue;
        }
        memcpy(folder, paths[i], n);
        memcpy(folder + n, ".", 2);
        (void)inotify_add_watch(f->notify, folder, IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM);
    }
}

/* ---- Opening, closing --------------------------------------------------------------------------- */

static void file_abort(void *self) {
    sl_file_carrier *f = self;
    if (write_tmp(f->out_tmp, "END\n", 4) == 0) {
        (void)rename(f->out_tmp, f->out);
    }
}

static bool file_is_seen(void *self) {
    return ((const sl_file_carrier *)self)->partner_seen;
}

static void file_close(void *self, bool keep) {
    sl_file_carrier *f = self;
    if (f->ready) {
        (void)unlink(f->out_tmp);
    }
    if (f->mine && !keep && !f->overwrite) {
        (void)unlink(f->out);
    }
    if (f->lock >= 0) {
        (void)unlink(f->out_lock);
        (void)close(f->lock);
    }
    if (f->notify >= 0) {
        (void)close(f->notify);
    }
    sl_context *ctx = f->ctx;
    sl_bytes_fini(&f->text);
    sl_arena_fini(&f->arena);
    sl_free(ctx, f, sizeof *f);
}

static const char *name(sl_file_carrier *f, sl_str base, const char *tail) {
    size_t n = base.len + strlen(tail) + 1;
    char *z = sl_arena_alloc(&f->arena, n);
    if (z) {
        (void)sl_format(z, n, "%.*s%s", (int)base.len, base.ptr, tail);
    }
    return z;
}

static bool make_names(sl_file_carrier *f, sl_str in, sl_str out) {
    char tail[SL_NUMBER_MAX + 8] = ".";
    size_t n = 1 + sl_number_format_int(getpid(), tail + 1);
    memcpy(tail + n, ".tmp", 5);
    f->in = name(f, in, "");
    f->out = name(f, out, "");
    f->out_tmp = name(f, out, tail);
    f->in_bad = name(f, in, ".bad");
    f->in_stale = name(f, in, ".stale");
    f->out_lock = name(f, out, ".lock");
    f->in_lock = name(f, in, ".lock");
    return f->in && f->out && f->out_tmp && f->in_bad && f->in_stale && f->out_lock && f->in_lock;
}

static sl_cosim_code file_open(const sl_carrier_def *def, void **self) {
    sl_str in = sl_carrier_option(def->rest, "in"), out = sl_carrier_option(def->rest, "out");
    in = in.len ? in : sl_str_z(def->def->in);
    out = out.len ? out : sl_str_z(def->def->out);
    sl_file_carrier *f = sl_alloc(def->ctx, sizeof *f);
    if (!f) {
        return SL_COSIM_MEMORY;
    }
    *f = (sl_file_carrier){.ctx = def->ctx,
                           .tell = def->tell,
                           .most = def->def->most,
                           .short_wait = def->def->short_wait,
                           .overwrite = def->def->ack == SL_COSIM_ACK_OVERWRITE,
                           .lock = -1,
                           .notify = -1,
                           .set_aside = NAN};
    sl_arena_init(&f->arena, def->ctx);
    sl_bytes_init(&f->text, def->ctx);
    sl_cosim_code code = make_names(f, in, out) ? sl_file_begin(f, def->def) : SL_COSIM_MEMORY;
    if (code != SL_COSIM_OK) {
        file_close(f, true);
        return code;
    }
    watch(f);
    *self = f;
    return SL_COSIM_OK;
}

const sl_carrier_ops sl_carrier_file = {
    .scheme = "file",
    .open = file_open,
    .put = file_put,
    .cancel = file_cancel,
    .take = file_take,
    .done = file_done,
    .is_free = file_is_free,
    .is_gone = file_is_gone,
    .is_seen = file_is_seen,
    .wait = file_wait,
    .abort = file_abort,
    .close = file_close,
};
