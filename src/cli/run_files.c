/* SPDX-License-Identifier: MIT */
/* run_files.c: the files that a run writes; see run_files.h.
 *
 * All are opened before the run, so that a wrong path is known at once and not after an hour, written beside their
 * places, and renamed when the run is over, also when it failed: what there is up to then is whole.
 */
#include "cli/run_files.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/count_text.h"
#include "cli/output.h"

enum { LIST_MAX = 256 };

/* ---- Names -------------------------------------------------------------------------------------- */

/* ".csv, .svg or .pdf": those of every run and of the kind. */
static void list_endings(const sl_kind *kind, const char *option, char list[LIST_MAX]) {
    const sl_report_ops *ops = kind->report ? kind->report : &sl_values_report;
    const char *endings[LIST_MAX / 8];
    int32_t n = 0;
    for (int32_t i = 0; i < sl_report_n_format + ops->n_format; i++) {
        const sl_report_format *f =
            i < sl_report_n_format ? &sl_report_formats[i] : &ops->formats[i - sl_report_n_format];
        bool known = option ? !f->option || strcmp(option, f->option) != 0 : f->option != NULL;
        for (int32_t k = 0; k < n && !known; k++) {
            known = strcmp(endings[k], f->ending) == 0;
        }
        if (!known && n < (int32_t)(sizeof endings / sizeof *endings)) {
            endings[n++] = f->ending;
        }
    }
    list[0] = '\0';
    for (int32_t i = 0; i < n; i++) {
        sl_append(list, LIST_MAX, "%s.%s", i == 0 ? "" : i + 1 == n ? " or " : ", ", endings[i]);
    }
}

/* The kind that has files of this ending; NULL: none. */
static const sl_kind *find_owner(const sl_cli *cli, const char *option, const char *form) {
    const sl_kind *const *kinds = cli->kinds;
    for (; *kinds && form && *form; kinds++) {
        if (sl_report_format_find(*kinds, option, form)) {
            return *kinds;
        }
    }
    return NULL;
}

bool sl_run_files_add(sl_run_files *files, const sl_kind *kind, const char *path, const char *option,
                      const char *ending, char *why, size_t size) {
    const char *dot = strrchr(path, '.');
    const char *form = ending ? ending : option && strcmp(path, "-") == 0 ? NULL : dot ? dot + 1 : "";
    const sl_report_format *format = sl_report_format_find(kind, option, form);
    if (!format) {
        char list[LIST_MAX];
        const sl_kind *owner = find_owner(files->cli, option, form);
        list_endings(kind, option, list);
        if (ending) {
            snprintf(why, size, "results are written as %s here, not as .%s", list, ending);
        } else {
            snprintf(why, size, "%s does not end in %s%s%s%s%s", path, list, owner ? ": ." : "", owner ? form : "",
                     owner ? " is for " : "", owner ? owner->noun : "");
        }
        return false;
    }
    if (files->n == SL_RUN_FILES_MAX) {
        snprintf(why, size, "more than %d files", SL_RUN_FILES_MAX);
        return false;
    }
    files->target[files->n++] = (sl_report_target){.path = path, .format = format};
    return true;
}

bool sl_run_files_have_map(const sl_run_files *files) {
    for (int i = 0; i < files->n; i++) {
        if (files->target[i].format->has_map) {
            return true;
        }
    }
    return false;
}

static bool is_standard(const sl_report_target *t) {
    return strcmp(t->path, "-") == 0;
}

bool sl_run_files_take_standard_output(const sl_run_files *files) {
    for (int i = 0; i < files->n; i++) {
        if (is_standard(&files->target[i])) {
            return true;
        }
    }
    return false;
}

static bool same_inode(const char *a, const char *b, struct stat *st) {
    struct stat sb;
    return stat(a, st) == 0 && stat(b, &sb) == 0 && st->st_dev == sb.st_dev && st->st_ino == sb.st_ino;
}

/* One file by two names, or files to be of one name. A device may be written by two. */
bool sl_run_same_file(const char *a, const char *b) {
    char folder_a[PATH_MAX], folder_b[PATH_MAX], to_a[PATH_MAX], to_b[PATH_MAX];
    struct stat st;
    if (same_inode(a, b, &st)) {
        return S_ISREG(st.st_mode);
    }
    if (stat(a, &st) == 0 || stat(b, &st) == 0) {
        return false;
    }
    return sl_path_follow(a, to_a) == 0 && sl_path_follow(b, to_b) == 0 &&
           strcmp(sl_path_split(to_a, folder_a), sl_path_split(to_b, folder_b)) == 0 &&
           same_inode(folder_a, folder_b, &st);
}

const char *sl_run_files_twice(const sl_run_files *files) {
    for (int i = 0; i < files->n; i++) {
        for (int k = 0; k < i; k++) {
            if (strcmp(files->target[i].path, files->target[k].path) == 0 ||
                sl_run_same_file(files->target[i].path, files->target[k].path)) {
                return files->target[i].path;
            }
        }
    }
    return NULL;
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

/* What the format needs of it. Returns 0 or errno. */
static int give_target(sl_run_files *files, sl_run_file *f, sl_report_target *t) {
    bool standard = is_standard(t);
    int error = 0;
    switch (t->format->needs) {
    case SL_REPORT_PATCH:
    case SL_REPORT_EITHER:
        error = standard ? ESPIPE : sl_output_patch_sink(&f->output, &f->patch);
        f->async = !error && files->async ? sl_async_writer_start(&f->patch) : NULL;
        t->patch = error ? NULL : f->async ? sl_async_writer_sink(f->async) : &f->patch;
        break;
    case SL_REPORT_SINK: break;
    }
    if (!t->patch && t->format->needs != SL_REPORT_PATCH) {
        f->sink = sl_output_stream_sink(standard ? &files->cli->standard_output : &f->output.stream);
        t->sink = &f->sink;
        error = 0;
    }
    return error;
}

int sl_run_files_open(sl_run_files *files) {
    int code = SL_EXIT_FINE;
    for (int i = 0; i < files->n && code == SL_EXIT_FINE; i++) {
        sl_run_file *f = &files->file[i];
        sl_report_target *t = &files->target[i];
        int error = is_standard(t) ? 0 : sl_output_open(files->cli->ctx, &f->output, t->path);
        if (!error && !is_standard(t)) {
            f->open = true;
        }
        error = error ? error : give_target(files, f, t);
        code = error ? sl_output_failed(files->cli, t->path, error) : SL_EXIT_FINE;
    }
    return code;
}

static int close_file(sl_run_files *files, sl_run_file *f, const sl_report_target *t, bool keep) {
    int code = SL_EXIT_FINE;
    sl_async_writer_stop(f->async);
    f->async = NULL;
    if (f->open && f->output.stream.error) {
        code = sl_output_failed(files->cli, t->path, f->output.stream.error);
        sl_output_abandon(&f->output);
    } else if (f->open && keep && t->status == SL_OK) {
        int error = sl_output_close(&f->output);
        code = error ? sl_output_failed(files->cli, t->path, error) : SL_EXIT_FINE;
    } else if (f->open) {
        sl_output_abandon(&f->output);
    }
    /* What standard output says, sl_cli_finish reports. */
    int error = is_standard(t) ? files->cli->standard_output.error : f->output.stream.error;
    bool failed = keep && t->status != SL_OK && code == SL_EXIT_FINE && !error;
    f->open = false;
    return failed ? sl_exit_of(files->cli, t->status) : code;
}

int sl_run_files_close(sl_run_files *files, bool keep) {
    int worst = SL_EXIT_FINE;
    for (int i = 0; i < files->n; i++) { /* a file that failed takes none of the others with it */
        int code = close_file(files, &files->file[i], &files->target[i], keep);
        worst = code > worst ? code : worst;
    }
    return worst;
}
