/* carrier_file_begin.c: what lies there when an exchange over files begins.
 *
 * Our own out-file is of an earlier run, since we have not written yet. The partner's may be too, or be the first message of a
 * partner that was started before us. It is the latter when the partner's lock is held, when the file is younger than this
 * process, or when it is whole and of the first time expected (0 when none was given). Otherwise it is put aside: an old END
 * would end the run at once, old data would shift every exchange by a step. Ages are compared by the clock of the file system.
 */
#define _GNU_SOURCE /* OFD locks, ppoll */ /* NOLINT: that is its name */
#include "exchange/carrier_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "exchange/message.h"

/* ---- Names -------------------------------------------------------------------------------------- */

static sl_str folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? (sl_str){path, (size_t)(slash - path) + 1} : (sl_str){"./", 2};
}

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static sl_cosim_code check_names(sl_file_carrier *f) {
    const char *paths[] = {f->in, f->out};
    struct stat st[2];
    for (int i = 0; i < 2; i++) {
        if (!*base_of(paths[i])) {
            return sl_tell_error(f->tell, SL_COSIM_USE, "'%s' is not the name of a file", paths[i]);
        }
        const char *folder = sl_arena_copy(&f->arena, folder_of(paths[i]));
        if (!folder) {
            return SL_COSIM_MEMORY;
        }
        if (stat(folder, &st[i]) != 0 || !S_ISDIR(st[i].st_mode)) {
            return sl_tell_error(f->tell, SL_COSIM_IO, "there is no folder %s for %s", folder, paths[i]);
        }
    }
    if (st[0].st_dev == st[1].st_dev && st[0].st_ino == st[1].st_ino && strcmp(base_of(f->in), base_of(f->out)) == 0) {
        return sl_tell_error(f->tell, SL_COSIM_USE,
                             "in and out are the same file, %s: ours is the partner's, and the reverse", f->in);
    }
    return SL_COSIM_OK;
}

/* <out>.<pid>.tmp of processes that are no more. */
static void remove_dead(sl_file_carrier *f) {
    const char *folder = sl_arena_copy(&f->arena, folder_of(f->out)), *base = base_of(f->out);
    size_t n = strlen(base);
    DIR *dir = folder ? opendir(folder) : NULL;
    const struct dirent *entry;
    while (dir && (entry = readdir(dir)) != NULL) { /* NOLINT(concurrency-mt-unsafe): the stream is ours alone */
        const char *name = entry->d_name;
        size_t len = strlen(name);
        int64_t pid;
        if (len > n + 5 && memcmp(name, base, n) == 0 && name[n] == '.' && strcmp(name + len - 4, ".tmp") == 0 &&
            sl_number_parse_int((sl_str){name + n + 1, len - n - 5}, &pid) == SL_NUMBER_OK && pid > 0 &&
            pid <= INT32_MAX && kill((pid_t)pid, 0) != 0 && errno == ESRCH) {
            (void)unlinkat(dirfd(dir), name, 0);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
}

/* ---- Locks -------------------------------------------------------------------------------------- */

static bool is_locked(int fd) {
    struct flock who = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(fd, F_OFD_GETLK, &who) == 0 && who.l_type != F_UNLCK;
}

/* <out>.lock, locked as long as we live. Where locks do not work there is none. */
static sl_cosim_code take_lock(sl_file_carrier *f) {
    for (int attempt = 0; attempt < 10; attempt++) {
        int fd = open(f->out_lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
        if (fd < 0) {
            return sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be written: %s", f->out_lock, strerror(errno));
        }
        struct flock mine = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
        struct stat held, named;
        if (fcntl(fd, F_OFD_SETLK, &mine) != 0) {
            bool taken = errno == EAGAIN || errno == EACCES;
            (void)close(fd);
            if (taken) {
                return sl_tell_error(f->tell, SL_COSIM_STALE,
                                     "another program exchanges by %s and runs: end it, or use another name", f->out);
            }
            (void)unlink(f->out_lock);
            return SL_COSIM_OK;
        }
        if (fstat(fd, &held) == 0 && stat(f->out_lock, &named) == 0 && held.st_ino == named.st_ino) {
            char text[SL_NUMBER_MAX];
            size_t n = sl_number_format_int(getpid(), text);
            text[n++] = '\n';
            (void)(ftruncate(fd, 0) == 0 && write(fd, text, n) > 0); /* for those who look at it */
            f->lock = fd;
            return SL_COSIM_OK;
        }
        (void)close(fd); /* whoever had it deleted it while we opened it */
    }
    return sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be locked: it comes and goes", f->out_lock);
}

static bool partner_holds_lock(const sl_file_carrier *f) {
    int fd = open(f->in_lock, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool held = fd >= 0 && is_locked(fd);
    if (fd >= 0) {
        (void)close(fd);
    }
    return held;
}

/* ---- Ages --------------------------------------------------------------------------------------- */

/* How long this process has been running [s]; 0 when nobody tells. */
static double process_age(void) {
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
    double age = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec - (double)ticks / (double)sysconf(_SC_CLK_TCK);
    return age > 0 ? age : 0;
}

static double seconds(struct timespec t) {
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* By the clock of the file system: our lock was written just now. Ticks of both clocks are 10 ms. */
static bool is_younger(const sl_file_carrier *f, const struct stat *in) {
    struct stat fresh;
    struct timespec wall;
    double now = f->lock >= 0 && fstat(f->lock, &fresh) == 0 ? seconds(fresh.st_mtim) : 0;
    if (now == 0 && clock_gettime(CLOCK_REALTIME, &wall) == 0) {
        now = seconds(wall);
    }
    return now - seconds(in->st_mtim) < process_age() + 0.02;
}

/* ---- Left-overs --------------------------------------------------------------------------------- */

static bool is_first_message(sl_file_carrier *f, double start, sl_message *m) {
    if (sl_text_classify(f->text.at, (size_t)f->text.n, 0) == SL_TEXT_PARTIAL || f->text.n == 0 ||
        sl_text_read(f->ctx, f->text.at, (size_t)f->text.n, 0, m) != SL_COSIM_OK) {
        return false;
    }
    f->set_aside = m->time;
    f->set_aside_within = m->time_within;
    double expected = isnan(start) ? 0.0 : start;
    bool closed = f->text.at[f->text.n - 1] == '\n';
    return closed && fabs(m->time - expected) <= m->time_within + 1e-9 * fabs(expected);
}

static sl_cosim_code look_at_in(sl_file_carrier *f, const sl_cosim_def *def) {
    struct stat st;
    sl_cosim_code code = lstat(f->in, &st) != 0 ? SL_COSIM_AGAIN : SL_COSIM_OK;
    if (code != SL_COSIM_OK || def->stale == SL_COSIM_STALE_KEEP) {
        return SL_COSIM_OK;
    }
    if (def->stale == SL_COSIM_STALE_REFUSE) {
        return sl_tell_error(f->tell, SL_COSIM_STALE,
                             "%s is there already: of an earlier run? Delete it, or start this program first", f->in);
    }
    if (def->stale == SL_COSIM_STALE_DISCARD) {
        sl_tell_warning(f->tell, SL_TELL_LEFT_OVER, "%s was there already and is deleted", f->in);
        return unlink(f->in) == 0 || errno == ENOENT
                   ? SL_COSIM_OK
                   : sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be deleted: %s", f->in, strerror(errno));
    }
    if (partner_holds_lock(f) || is_younger(f, &st)) {
        return SL_COSIM_OK;
    }
    code = sl_file_load(f, f->in, &st);
    if (code != SL_COSIM_OK) {
        return code == SL_COSIM_AGAIN ? SL_COSIM_OK : code;
    }
    sl_message m;
    sl_message_init(&m);
    bool first = is_first_message(f, def->start, &m);
    sl_message_fini(f->ctx, &m);
    if (first) {
        f->set_aside = NAN;
        return SL_COSIM_OK;
    }
    if (rename(f->in, f->in_stale) != 0 && errno != ENOENT) {
        return sl_tell_error(f->tell, SL_COSIM_IO, "%s cannot be renamed: %s", f->in, strerror(errno));
    }
    sl_tell_warning(f->tell, SL_TELL_LEFT_OVER,
                    "%s is older than this program and not of the first time: of an earlier run, put aside as %s",
                    f->in, f->in_stale);
    return SL_COSIM_OK;
}

sl_cosim_code sl_file_begin(sl_file_carrier *f, const sl_cosim_def *def) {
    sl_cosim_code code = check_names(f);
    code = code == SL_COSIM_OK ? take_lock(f) : code;
    if (code != SL_COSIM_OK) {
        return code;
    }
    remove_dead(f);
    struct stat st;
    if (lstat(f->out, &st) == 0) {
        if (def->stale == SL_COSIM_STALE_REFUSE) {
            return sl_tell_error(f->tell, SL_COSIM_STALE, "%s is there already: of an earlier run? Delete it", f->out);
        }
        if (unlink(f->out) != 0 && errno != ENOENT) {
            return sl_tell_error(f->tell, SL_COSIM_IO, "%s of an earlier run cannot be deleted: %s", f->out,
                                 strerror(errno));
        }
        sl_tell_warning(f->tell, SL_TELL_LEFT_OVER, "%s was left by an earlier run and is deleted", f->out);
    }
    return look_at_in(f, def);
}
