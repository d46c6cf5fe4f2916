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
#include <strings.h>
#include <sys/stat.h>

typedef struct sl_run_format {
    const char *ending;
    sl_status (*create)(sl_run_files *files, sl_run_file *f);
    sl_result_sink (*sink)(sl_run_file *f);
    int32_t n_column; /* of sl_rpt_columns, from the first */
} sl_run_format;

/* ---- .out --------------------------------------------------------------------------------------- */

static sl_status out_create(sl_run_files *files, sl_run_file *f) {
    f->error = sl_output_patch_sink(&f->output, &f->patch);
    if (f->error) {
        return SL_ERR_IO;
    }
    sl_out_writer_def def = sl_out_writer_default(files->net);
    def.input_name = files->input->name;
    for (int i = 0; i < files->n; i++) {
        def.report_name = files->file[i].format->n_column == SL_RPT_N_COLUMN ? files->file[i].path : def.report_name;
    }
    f->async = files->async ? sl_async_writer_start(&f->patch) : NULL;
    const sl_patch_sink *sink = f->async ? sl_async_writer_sink(f->async) : &f->patch;
    return sl_out_writer_create(files->cli->ctx, files->net, &def, sink, files->diags, &f->writer);
}

/* EPANET's flag at the end of the file: the last of its warnings in this list that came up. */
static int32_t warning_flag(const sl_diags *diags) {
    static const struct {
        sl_code code;
        int32_t flag;
    } flags[] = {{SL_CODE_NOT_BALANCED, 1},     {SL_CODE_STATUS_CYCLE, 2}, {SL_CODE_UNSERVED, 3},
                 {SL_CODE_PUMP_HEAD, 4},        {SL_CODE_PUMP_FLOW, 4},    {SL_CODE_VALVE_UNABLE, 5},
                 {SL_CODE_NEGATIVE_PRESSURE, 6}};
    int32_t flag = 0;
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
            bool told = d->code == flags[k].code && d->severity != SL_INFO;
            flag = told && flags[k].flag > flag ? flags[k].flag : flag;
        }
    }
    return flag;
}

static sl_status out_begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    const sl_result_sink *sink = sl_out_writer_sink(((sl_run_file *)user)->writer);
    return sink->begin(sink->user, layout, diags);
}

static sl_status out_frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    const sl_result_sink *sink = sl_out_writer_sink(((sl_run_file *)user)->writer);
    return sink->frame(sink->user, frame, diags);
}

static sl_status out_end(void *user, bool complete, sl_diags *diags) {
    sl_run_file *f = user;
    const sl_result_sink *sink = sl_out_writer_sink(f->writer);
    sl_out_writer_warn(f->writer, warning_flag(sl_session_diags(f->session)));
    return sink->end(sink->user, complete, diags);
}

static sl_result_sink out_sink(sl_run_file *f) {
    return (sl_result_sink){.user = f, .begin = out_begin, .frame = out_frame, .end = out_end};
}

/* ---- .rpt --------------------------------------------------------------------------------------- */

static sl_status rpt_create(sl_run_files *files, sl_run_file *f) {
    bool standard = strcmp(f->path, "-") == 0;
    f->sink = sl_output_stream_sink(standard ? &files->cli->standard_output : &f->output.stream);
    sl_rpt_def def = {.net = files->net,
                      .name = files->input->name,
                      .input_diags = files->input->diags,
                      .run_diags = sl_session_diags(f->session),
                      .sink = &f->sink};
    return sl_rpt_create(files->cli->ctx, &def, &f->rpt);
}

static sl_result_sink rpt_sink(sl_run_file *f) {
    return sl_rpt_sink(f->rpt);
}

/* ---- Tables: .csv, .json, .h5 ------------------------------------------------------------------- */

static sl_status table_create(sl_run_files *files, sl_run_file *f) {
    bool standard = strcmp(f->path, "-") == 0;
    if (f->as->needs_path && (standard || !f->output.renamed)) {
        f->error = ESPIPE;
        return SL_ERR_IO;
    }
    f->sink = sl_output_stream_sink(standard ? &files->cli->standard_output : &f->output.stream);
    sl_table_def def = files->tables;
    def.format = f->as;
    def.name = files->input->name;
    def.target.sink = &f->sink;
    def.target.path = f->output.temp;
    return sl_table_run_create(files->cli->ctx, files->net, &def, files->diags, &f->table);
}

static sl_status table_begin(void *user, const sl_result_layout *layout, sl_diags *diags) {
    sl_result_sink sink = sl_table_run_sink(((sl_run_file *)user)->table);
    return sink.begin(sink.user, layout, diags);
}

static sl_status table_frame(void *user, const sl_result_frame *frame, sl_diags *diags) {
    sl_result_sink sink = sl_table_run_sink(((sl_run_file *)user)->table);
    return sink.frame(sink.user, frame, diags);
}

static sl_status table_end(void *user, bool complete, sl_diags *diags) {
    sl_run_file *f = user;
    sl_result_sink sink = sl_table_run_sink(f->table);
    sl_table_run_warn(f->table, warning_flag(sl_session_diags(f->session)));
    return sink.end(sink.user, complete, diags);
}

static sl_result_sink table_sink(sl_run_file *f) {
    return (sl_result_sink){.user = f, .begin = table_begin, .frame = table_frame, .end = table_end};
}

static const sl_run_format formats[] = {
    {"out", out_create, out_sink, SL_RPT_N_OUT_COLUMN},
    {"rpt", rpt_create, rpt_sink, SL_RPT_N_COLUMN},
};
static const sl_run_format table_format = {"", table_create, table_sink, SL_RPT_N_OUT_COLUMN};

/* ---- Names -------------------------------------------------------------------------------------- */

bool sl_run_files_add(sl_run_files *files, const char *path, const char *ending, char *why, size_t size) {
    const char *dot = strrchr(path, '.');
    ending = ending ? ending : dot ? dot + 1 : "";
    const sl_table_format *as = sl_table_format_find(ending);
    const sl_run_format *format = as ? &table_format : NULL;
    for (size_t i = 0; !format && i < sizeof formats / sizeof *formats; i++) {
        format = strcasecmp(ending, formats[i].ending) == 0 ? &formats[i] : NULL;
    }
    if (!format) {
        snprintf(why, size,
                 "%s does not end in .out (EPANET's binary results), .rpt (a text report), .csv, .json or .h5 (tables)",
                 path);
        return false;
    }
    if (files->n == SL_RUN_FILES_MAX) {
        snprintf(why, size, "more than %d files", SL_RUN_FILES_MAX);
        return false;
    }
    files->file[files->n++] = (sl_run_file){.path = path, .format = format, .as = as};
    return true;
}

bool sl_run_files_have(const sl_run_files *files, const sl_table_format *format) {
    for (int i = 0; i < files->n; i++) {
        if (format ? files->file[i].as == format : files->file[i].as != NULL) {
            return true;
        }
    }
    return false;
}

/* The folder of a path and the name in it. */
static const char *split(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n >= PATH_MAX) {
        n = 0;
    }
    memcpy(folder, n > 0 ? path : ".", n > 0 ? n : 2);
    folder[n > 0 ? n : 1] = 0;
    return slash ? slash + 1 : path;
}

static bool same_inode(const char *a, const char *b, struct stat *st) {
    struct stat sb;
    return stat(a, st) == 0 && stat(b, &sb) == 0 && st->st_dev == sb.st_dev && st->st_ino == sb.st_ino;
}

/* One file by two names, or files to be of one name. A device may be written by two. */
bool sl_run_same_file(const char *a, const char *b) {
    char folder_a[PATH_MAX], folder_b[PATH_MAX];
    struct stat st;
    if (same_inode(a, b, &st)) {
        return S_ISREG(st.st_mode);
    }
    if (stat(a, &st) == 0 || stat(b, &st) == 0) {
        return false;
    }
    return strcmp(split(a, folder_a), split(b, folder_b)) == 0 && same_inode(folder_a, folder_b, &st);
}

const char *sl_run_files_twice(const sl_run_files *files) {
    for (int i = 0; i < files->n; i++) {
        for (int k = 0; k < i; k++) {
            if (sl_run_same_file(files->file[i].path, files->file[k].path)) {
                return files->file[i].path;
            }
        }
    }
    return NULL;
}

/* ---- Opening and closing ------------------------------------------------------------------------ */

static int report_file_error(const sl_run_files *files, const sl_run_file *f, int error) {
    if (error == EINTR) {
        return sl_exit_of(files->cli, SL_ERR_CANCELLED);
    }
    if (error == EPIPE) { /* a named pipe whose reader has had enough */
        return SL_EXIT_FINE;
    }
    sl_cli_message(files->cli, "cannot write %s: %s", f->path, sl_file_reason(error));
    return SL_EXIT_WORLD;
}

static int open_file(sl_run_files *files, sl_run_file *f, sl_session *session) {
    f->session = session;
    if (strcmp(f->path, "-") != 0) {
        int error = sl_output_open(files->cli->ctx, &f->output, f->path);
        if (error) {
            return report_file_error(files, f, error);
        }
        f->open = true;
        f->output.synced = false; /* results can be made again */
    }
    sl_status status = f->format->create(files, f);
    int32_t fields[SL_RPT_N_COLUMN], n = 0;
    for (int32_t i = 0; i < f->format->n_column; i++) {
        int32_t field = sl_session_field(session, sl_rpt_columns[i]);
        bool known =
            f->writer && sl_out_writer_knows(files->net, (sl_out_variable)i); /* columns begin as variables do */
        if (field >= 0 && !known && sl_rpt_wants(files->net, i)) {
            fields[n++] = field;
        }
    }
    if (status == SL_OK) {
        sl_result_sink sink = f->format->sink(f);
        status = sl_session_add_sink(session, &sink, fields, n);
    }
    return f->error ? report_file_error(files, f, f->error) : sl_exit_of(files->cli, status);
}

int sl_run_files_open(sl_run_files *files, sl_session *session) {
    int code = SL_EXIT_FINE;
    for (int i = 0; i < files->n && code == SL_EXIT_FINE; i++) {
        code = open_file(files, &files->file[i], session);
    }
    return code;
}

int sl_run_files_close(sl_run_files *files, bool keep) {
    int worst = SL_EXIT_FINE;
    for (int i = 0; i < files->n; i++) { /* a file that failed takes none of the others with it */
        sl_run_file *f = &files->file[i];
        int code = SL_EXIT_FINE;
        sl_async_writer_stop(f->async);
        f->async = NULL;
        sl_table_run_destroy(f->table); /* first: it may have the file open itself */
        f->table = NULL;
        if (f->open && f->output.stream.error) {
            code = report_file_error(files, f, f->output.stream.error);
            sl_output_abandon(&f->output);
        } else if (f->open && keep) {
            int error = sl_output_close(&f->output);
            code = error ? report_file_error(files, f, error) : SL_EXIT_FINE;
        } else if (f->open) {
            sl_output_abandon(&f->output);
        }
        f->open = false;
        sl_out_writer_destroy(f->writer);
        sl_rpt_destroy(f->rpt);
        f->writer = NULL;
        f->rpt = NULL;
        worst = code > worst ? code : worst;
    }
    return worst;
}
