/* SPDX-License-Identifier: MIT */
/* carrier_file_begin.c: what lies there when an exchange over files begins.
 *
 * Our own out-file is of an earlier run, since we have not written yet. The partner's may be too, or be the first message of a
 * partner that was started before us. It is the latter when the partner's lock is held, when the file is younger than this
 * process, or when it is whole and of the first time expected (0 when none was given). Otherwise it is put aside: an old END
 * would end the run at once, old data would shift every exchange by a step. Ages are compared by the clock of the file system.
 */
#include "exchange/carrier_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "exchange/message.h"

/* ---- Names -------------------------------------------------------------------------------------- */

static const char *base_of(const char *path) {
    return path + sl_disk_folder(path);
}

static sl_cosim_code check_names(sl_file_carrier *f) {
    const char *paths[] = {f->in, f->out};
    sl_disk_stamp st[2];
    for (int i = 0; i < 2; i++) {
        if (!*base_of(paths[i])) {
            return sl_reporter_error(f->reporter, SL_COSIM_USE, "'%s' is not the name of a file", paths[i]);
        }
        const char *folder = i == 0 ? f->in_folder : f->out_folder;
        if (!sl_disk_is_folder(folder, &st[i])) {
            return sl_reporter_error(f->reporter, SL_COSIM_IO, "there is no folder %s for %s", folder, paths[i]);
        }
    }
    if (!sl_disk_may_create(f->out_folder)) {
        return sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be written: %s", f->out, strerror(errno));
    }
    if (st[0].device == st[1].device && st[0].id == st[1].id && strcmp(base_of(f->in), base_of(f->out)) == 0) {
        return sl_reporter_error(f->reporter, SL_COSIM_USE,
                                 "in and out are the same file, %s: ours is the partner's, and the reverse", f->in);
    }
    return SL_COSIM_OK;
}

/* <out>.<pid>.tmp of processes that are no more. */
static void remove_if_dead(void *user, const char *name) {
    const sl_file_carrier *f = user;
    const char *base = base_of(f->out);
    size_t n = strlen(base), len = strlen(name);
    int64_t pid;
    char path[1024];
    if (len > n + 5 && memcmp(name, base, n) == 0 && name[n] == '.' && strcmp(name + len - 4, ".tmp") == 0 &&
        sl_number_parse_int((sl_str){name + n + 1, len - n - 5}, &pid) == SL_NUMBER_OK && pid > 0 && pid <= INT32_MAX &&
        sl_system_is_dead(pid)) {
        int size = sl_format(path, sizeof path, "%s%s", f->out_folder, name);
        if (size > 0 && (size_t)size < sizeof path) {
            (void)sl_disk_remove(path);
        }
    }
}

/* By the clock of the file system, whose ticks, like those of the age, are 10 ms. */
static bool is_younger(const sl_file_carrier *f, int64_t changed) {
    return 1e-9 * (double)(sl_disk_now(f->out, f->out_tmp) - changed) < sl_system_age() + 0.02;
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

static sl_cosim_code inspect_in(sl_file_carrier *f, const sl_cosim_def *def) {
    int64_t changed = sl_disk_changed(f->in);
    if (changed == INT64_MIN || def->stale == SL_COSIM_STALE_KEEP) {
        return SL_COSIM_OK;
    }
    if (def->stale == SL_COSIM_STALE_REFUSE) {
        return sl_reporter_error(f->reporter, SL_COSIM_STALE,
                                 "%s is there already: of an earlier run? Delete it, or start this program first",
                                 f->in);
    }
    if (def->stale == SL_COSIM_STALE_DISCARD) {
        sl_reporter_warning(f->reporter, SL_WARNING_LEFT_OVER, "%s was there already and is deleted", f->in);
        return sl_disk_remove(f->in) == 0 || errno == ENOENT
                   ? SL_COSIM_OK
                   : sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be deleted: %s", f->in, strerror(errno));
    }
    if (sl_lock_is_held(f->in) || is_younger(f, changed)) {
        return SL_COSIM_OK;
    }
    sl_disk_stamp stamp;
    sl_cosim_code code = sl_file_load(f, f->in, &stamp);
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
    if (sl_disk_rename(f->in, f->in_stale, true) != 0 && errno != ENOENT) {
        return sl_reporter_error(f->reporter, SL_COSIM_IO, "%s cannot be renamed: %s", f->in, strerror(errno));
    }
    sl_reporter_warning(f->reporter, SL_WARNING_LEFT_OVER,
                        "%s is older than this program and not of the first time: of an earlier run, put aside as %s",
                        f->in, f->in_stale);
    return SL_COSIM_OK;
}

sl_cosim_code sl_file_begin(sl_file_carrier *f, const sl_cosim_def *def) {
    sl_cosim_code code = check_names(f);
    if (code != SL_COSIM_OK) {
        return code;
    }
    f->lock = sl_lock_take(f->out); /* where locks do not work there is none */
    if (f->lock == SL_NO_HANDLE && errno == EEXIST) {
        return sl_reporter_error(f->reporter, SL_COSIM_STALE,
                                 "another program exchanges by %s and runs: end it, or use another name", f->out);
    }
    sl_disk_list(f->out_folder, remove_if_dead, f);
    if (sl_disk_exists(f->out)) {
        if (def->stale == SL_COSIM_STALE_REFUSE) {
            return sl_reporter_error(f->reporter, SL_COSIM_STALE, "%s is there already: of an earlier run? Delete it",
                                     f->out);
        }
        if (sl_disk_remove(f->out) != 0 && errno != ENOENT) {
            return sl_reporter_error(f->reporter, SL_COSIM_IO, "%s of an earlier run cannot be deleted: %s", f->out,
                                     strerror(errno));
        }
        sl_reporter_warning(f->reporter, SL_WARNING_LEFT_OVER, "%s was left by an earlier run and is deleted", f->out);
    }
    return inspect_in(f, def);
}
