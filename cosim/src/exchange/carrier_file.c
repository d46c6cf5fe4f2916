/* SPDX-License-Identifier: MIT */
/* carrier_file.c: messages as files: ours appears whole under its name, the partner's is read when it is whole, and deleted.
 *
 * Deleting is the acknowledgement. Ours replaces nothing, so that the partner never sees a part and never loses a message
 * (system.h says how). The partner may write as it likes: what it has written so far is judged by its
 * content (message.h). An unfinished file that stays as it is for `short_wait` is read as it is. Events of the folder end the
 * waiting early; the manager looks again anyway, because network file systems report nothing.
 */
#include "exchange/carrier_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "exchange/message.h"

static const double OPEN_WAIT = 0.05; /* all values are there, the last line has no end: so long without change [s] */
static const double LOCK_EVERY = 0.1;

/* ---- Reading ------------------------------------------------------------------------------------ */

sl_cosim_code sl_file_load(sl_file_carrier *f, const char *path, sl_disk_stamp *stamp) {
    sl_handle file = sl_disk_open(path, stamp);
    if (file == SL_NO_HANDLE) {
        return errno == EAGAIN ? SL_COSIM_AGAIN
               : errno == EINVAL
                   ? sl_reporter_error(f->reporter, SL_COSIM_IO, "%s is not a regular file", path)
                   : sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be opened: %s", path, strerror(errno));
    }
    sl_cosim_code code = SL_COSIM_OK;
    f->text.n = 0;
    while (code == SL_COSIM_OK) {
        int64_t want = f->text.n + 4096 > stamp->size + 1 ? f->text.n + 4096 : stamp->size + 1;
        if ((size_t)f->text.n > f->max_bytes || stamp->size > (int64_t)f->max_bytes) {
            code = sl_reporter_error(f->reporter, SL_COSIM_LIMIT, "%s is larger than the %zu bytes allowed", path,
                                     f->max_bytes);
        } else if (!SL_RESERVE(f->ctx, &f->text, want)) {
            code = sl_reporter_error(f->reporter, SL_COSIM_MEMORY, "no memory for %s", path);
        } else {
            int64_t n = sl_disk_read(file, f->text.at + f->text.n, (size_t)(f->text.cap - f->text.n));
            if (n == 0) {
                break;
            }
            if (n < 0) {
                code = errno == EAGAIN ? SL_COSIM_AGAIN
                                       : sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be read: %s", path,
                                                           strerror(errno));
            } else {
                f->text.n += n;
            }
        }
    }
    sl_disk_close(file);
    return code;
}

static uint64_t hash_of(const sl_bytes *b) {
    uint64_t h = UINT64_C(14695981039346656037);
    for (int64_t i = 0; i < b->n; i++) {
        h = (h ^ (unsigned char)b->at[i]) * UINT64_C(1099511628211);
    }
    return h;
}

static bool same_file(const sl_disk_stamp *a, const sl_disk_stamp *b) {
    return a->device == b->device && a->id == b->id && a->size == b->size && a->changed == b->changed;
}

/* A file that was put aside at the beginning was the partner's after all: it lives, has taken our first message without having
 * written since, and the file is of the same time. */
static void give_back(sl_file_carrier *f) {
    if (isnan(f->set_aside) || !f->put_once || sl_disk_exists(f->out)) {
        return;
    }
    double off = fabs(f->set_aside - f->put_time);
    bool fits = off <= fmax(f->set_aside_within, 1e-9 * fabs(f->put_time));
    f->set_aside = NAN;
    if (fits && sl_disk_rename(f->in_stale, f->in, false) == 0) { /* there is no new one */
        sl_reporter_warning(f->reporter, SL_WARNING_LEFT_OVER,
                            "%s was the partner's first message after all: it is read", f->in_stale);
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

static sl_cosim_code file_take(void *self, int64_t n_expected, char **bytes, size_t *n) {
    sl_file_carrier *f = self;
    sl_events_drop(f->events); /* ours are among them, and would only wake ourselves */
    if (!f->held) {
        sl_disk_stamp st = {0};
        double now = sl_system_now();
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
    double now = sl_system_now();
    if (now - f->lock_looked < LOCK_EVERY) {
        return false;
    }
    f->lock_looked = now;
    bool held = sl_lock_is_held(f->in);
    f->partner_seen = f->partner_seen || held;
    return f->partner_seen && !held;
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
        (void)sl_disk_rename(f->in, f->in_bad, true);
    } else if ((!f->overwrite || f->text.at[0] == 'E') && sl_disk_remove(f->in) != 0 && errno != ENOENT) {
        return sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be deleted: %s", f->in, strerror(errno));
    }
    return SL_COSIM_OK;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static sl_cosim_code file_put(void *self, const char *bytes, size_t n) {
    sl_file_carrier *f = self;
    sl_events_drop(f->events);
    if (sl_disk_publish(f->out, f->out_tmp, bytes, n, f->overwrite) != 0) {
        return errno == EEXIST
                   ? SL_COSIM_AGAIN
                   : sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be written: %s", f->out, strerror(errno));
    }
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
    (void)self;
    return true;
}

static bool file_is_free(void *self) {
    const sl_file_carrier *f = self;
    return f->overwrite || !sl_disk_exists(f->out);
}

static void file_wait(void *self, unsigned what, double seconds) {
    const sl_file_carrier *f = self;
    (void)what;
    sl_events_wait(f->events, seconds);
}

/* ---- Opening, closing --------------------------------------------------------------------------- */

static void file_abort(void *self) {
    const sl_file_carrier *f = self;
    (void)sl_disk_publish(f->out, f->out_tmp, "END\n", 4, true);
}

static bool file_is_seen(void *self) {
    return ((const sl_file_carrier *)self)->partner_seen;
}

static void file_close(void *self, bool keep) {
    sl_file_carrier *f = self;
    if (f->mine && !keep && !f->overwrite) {
        (void)sl_disk_remove(f->out);
    }
    if (f->lock != SL_NO_HANDLE) {
        sl_lock_release(f->lock);
    }
    if (f->events != SL_NO_HANDLE) {
        sl_events_close(f->events);
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
    size_t n = 1 + sl_number_format_int(sl_system_process(), tail + 1);
    memcpy(tail + n, ".tmp", 5);
    f->in = name(f, in, "");
    f->out = name(f, out, "");
    f->out_tmp = name(f, out, tail);
    f->in_bad = name(f, in, ".bad");
    f->in_stale = name(f, in, ".stale");
    f->in_folder = f->in ? name(f, (sl_str){f->in, sl_disk_folder(f->in)}, "") : NULL;
    f->out_folder = f->out ? name(f, (sl_str){f->out, sl_disk_folder(f->out)}, "") : NULL;
    return f->in && f->out && f->out_tmp && f->in_bad && f->in_stale && f->in_folder && f->out_folder;
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
                           .reporter = def->reporter,
                           .max_bytes = def->def->max_bytes,
                           .short_wait = def->def->short_wait,
                           .overwrite = def->def->ack == SL_COSIM_ACK_OVERWRITE,
                           .lock = SL_NO_HANDLE,
                           .events = SL_NO_HANDLE,
                           .set_aside = NAN};
    sl_arena_init(&f->arena, def->ctx);
    sl_bytes_init(&f->text, def->ctx);
    sl_cosim_code code = make_names(f, in, out) ? sl_file_begin(f, def->def) : SL_COSIM_MEMORY;
    if (code != SL_COSIM_OK) {
        file_close(f, true);
        return code;
    }
    f->events = sl_events_open(f->in, f->out);
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
