/* SPDX-License-Identifier: MIT */
/* input.c: a model file on its way into a command, and how diagnostics are shown.
 *
 * When there are more diagnostics than anybody reads, errors come before warnings in the choice of those that
 * are shown; what is shown stays in the order of the file.
 */
#include "cli/input.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/budget.h"
#include "base/memory.h"
#include "base/report.h"

enum { KEPT_MAX = 1000000 };

/* ---- Reading ------------------------------------------------------------------------------------ */

int sl_report_unreadable(sl_diags *diags, const char *path, int error, const char *in_folder) {
    char near[SL_NEAR_MAX], hint[2 * SL_NEAR_MAX];
    const char *help = error == EISDIR ? in_folder : NULL;
    if (error == ENOENT && sl_file_find_similar(path, near)) {
        snprintf(hint, sizeof hint, "did you mean %s?", near);
        help = hint;
    }
    sl_text_location place = {.file = sl_file_name(path)};
    sl_report(diags, SL_ERROR, SL_CODE_IO, &place, NULL, NULL, help, "cannot read the file: %s", sl_file_reason(error));
    return SL_EXIT_WORLD;
}

/* ---- Files that are named in it ----------------------------------------------------------------- */

/* A file that a source names: its bytes, and its path behind them. */
typedef struct named_file {
    sl_bytes bytes;
    char path[PATH_MAX];
} named_file;

static sl_status open_named(void *user, const sl_source *from, const char *path, sl_source *out, const char **why) {
    sl_input *input = user;
    sl_cli *cli = input->cli;
    named_file *file = sl_alloc(cli->ctx, sizeof *file);
    if (!file) {
        return SL_ERR_MEMORY;
    }
    sl_bytes_init(&file->bytes, cli->ctx);
    const char *base = from == &input->source || from->bytes == input->source.bytes ? input->path : from->name;
    int error = sl_path_beside(strcmp(base, "-") == 0 ? "" : base, path, file->path)
                    ? sl_file_read(file->path, &cli->heap, &file->bytes)
                    : ENAMETOOLONG;
    if (error) {
        char near[SL_NEAR_MAX];
        bool is_near = error == ENOENT && sl_file_find_similar(file->path, near);
        snprintf(input->reason, sizeof input->reason, "%s%s%s%s", sl_file_reason(error),
                 is_near ? "; did you mean " : "", is_near ? near : "", is_near ? "?" : "");
        *why = input->reason;
        sl_bytes_fini(&file->bytes);
        sl_free(cli->ctx, file, sizeof *file);
        return error == EINTR ? SL_ERR_CANCELLED : error == ENOMEM ? SL_ERR_MEMORY : SL_ERR_IO;
    }
    *out = input->source;
    out->name = file->path;
    out->bytes = file->bytes.at;
    out->n = (size_t)file->bytes.n;
    return SL_OK;
}

static void close_named(void *user, sl_source *opened) {
    const sl_input *input = user;
    named_file *file = (named_file *)(uintptr_t)(opened->name - offsetof(named_file, path));
    sl_bytes_fini(&file->bytes);
    sl_free(input->cli->ctx, file, sizeof *file);
}

/* ---- The file ----------------------------------------------------------------------------------- */

/* What is made of a model takes some times its file at least: networks 5, YAML more. */
static bool fits_memory(sl_cli *cli, const char *path, const sl_input *input) {
    struct stat st;
    bool known = strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISREG(st.st_mode);
    sl_text_location place = {.file = input->name};
    return !known ||
           sl_budget_memory(cli->ctx, 4.0 * (double)st.st_size, input->diags, &place, "a model in a file of this size",
                            "allow more by --memory, or use another machine");
}

int sl_input_open(sl_cli *cli, const char *path, sl_input *input) {
    *input = (sl_input){.cli = cli, .path = path, .name = sl_file_name(path)};
    sl_bytes_init(&input->bytes, cli->ctx);
    if (sl_diags_create(cli->ctx, &input->diags) != SL_OK) {
        return sl_exit_of(cli, SL_ERR_MEMORY);
    }
    sl_diags_set_limit(input->diags, KEPT_MAX);
    if (!fits_memory(cli, path, input)) {
        return SL_EXIT_INPUT;
    }
    int error = sl_cli_read_file(cli, path, &input->bytes);
    input->n = (size_t)input->bytes.n;
    if (error == EINTR || error == ENOMEM) {
        return sl_exit_of(cli, error == EINTR ? SL_ERR_CANCELLED : SL_ERR_MEMORY);
    }
    if (error) {
        return sl_report_unreadable(input->diags, path, error, "name the model files in it, for example with *.inp");
    }
    input->source = (sl_source){.size = sizeof input->source,
                                .name = input->name,
                                .bytes = input->bytes.at,
                                .n = input->n,
                                .open = open_named,
                                .close = close_named,
                                .user = input};
    return SL_EXIT_FINE;
}

int sl_input_recognise(sl_cli *cli, sl_input *input, const char *asked, const sl_kind **kind) {
    sl_kind_head head;
    sl_kind_head_init(&head, &input->source);
    *kind = sl_kind_choose(cli->kinds, asked, &head, input->diags);
    bool is_model = *kind || sl_kind_recognise(cli->kinds, &head, NULL);
    return *kind ? SL_EXIT_FINE : is_model ? SL_EXIT_USE : SL_EXIT_INPUT;
}

sl_load sl_input_load_def(sl_cli *cli, sl_input *input, const void *args) {
    return (sl_load){
        .ctx = cli->ctx, .source = &input->source, .duration = (double)NAN, .args = args, .diags = input->diags};
}

int sl_load_exit(sl_cli *cli, sl_status status) {
    sl_bar_clear(&cli->bar);
    return status == SL_ERR_USE ? SL_EXIT_USE : sl_exit_of(cli, status);
}

int sl_input_read(sl_cli *cli, sl_input *input, bool tolerant) {
    sl_inp_read_def def = sl_inp_read_default();
    def.name = input->name;
    def.tolerant = tolerant;
    sl_status status = sl_inp_read(cli->ctx, input->bytes.at, input->n, &def, input->diags, &input->net);
    sl_bar_clear(&cli->bar);
    sl_bytes_fini(&input->bytes); /* network and diagnostics have copies of what they need */
    if (status == SL_OK && sl_diags_count(input->diags, SL_ERROR) > 0) {
        return SL_EXIT_INPUT;
    }
    return sl_exit_of(cli, status);
}

void sl_input_close(sl_input *input) {
    sl_network_destroy(input->net);
    sl_diags_destroy(input->diags);
    if (input->bytes.ctx) {
        sl_bytes_fini(&input->bytes);
    }
    *input = (sl_input){0};
}

int sl_input_load_network(sl_cli *cli, const char *path, const sl_show_options *show, sl_input *input) {
    const sl_kind *kind;
    int code = sl_input_open(cli, path, input);
    code = code == SL_EXIT_FINE ? sl_input_recognise(cli, input, "network", &kind) : code;
    if (code == SL_EXIT_FINE) {
        code = sl_input_read(cli, input, false);
    }
    sl_show_diags(cli, input->diags, show);
    return code;
}

int sl_strict_exit(int code, bool strict, const sl_diags *diags) {
    return code == SL_EXIT_FINE && strict && sl_diags_count(diags, SL_WARNING) > 0 ? SL_EXIT_WARNINGS : code;
}

/* ---- Words -------------------------------------------------------------------------------------- */

const char *sl_tally(int64_t errors, int64_t warnings, char buf[SL_TALLY_MAX]) {
    char e[SL_PLURAL_MAX], w[SL_PLURAL_MAX];
    snprintf(buf, SL_TALLY_MAX, "%s%s%s", errors > 0 ? sl_plural(errors, "error", NULL, e) : "",
             errors > 0 && warnings > 0 ? ", " : "", warnings > 0 ? sl_plural(warnings, "warning", NULL, w) : "");
    return buf;
}

/* ---- Showing ------------------------------------------------------------------------------------ */

/* How many of each severity are shown. */
typedef struct quota {
    int64_t errors, others;
} quota;

static quota share(const sl_diags *diags, const sl_show_options *show) {
    int64_t errors = sl_diags_count(diags, SL_ERROR);
    int64_t others = show->errors_only ? 0 : sl_diags_count(diags, SL_WARNING) + sl_diags_count(diags, SL_INFO);
    if (show->all) {
        return (quota){errors, others};
    }
    quota q = {errors < SL_SHOW_MAX ? errors : SL_SHOW_MAX, 0};
    int64_t room = SL_SHOW_MAX - q.errors;
    q.others = others < room ? others : room;
    return q;
}

static void show_text(sl_cli *cli, const sl_diags *diags, const sl_show_options *show, const sl_sink *sink) {
    sl_diags *shown = NULL;
    if (sl_diags_create(cli->ctx, &shown) != SL_OK) {
        (void)sl_diags_render_text(diags, sink, cli->colour); /* too many is better than none */
        return;
    }
    sl_diags_set_limit(shown, INT32_MAX);
    quota left = share(diags, show);
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *d = sl_diags_at(diags, i);
        int64_t *room = d->severity == SL_ERROR ? &left.errors : &left.others;
        if (*room > 0) {
            sl_diags_add(shown, d);
            --*room;
        }
    }
    (void)sl_diags_render_text(shown, sink, cli->colour);
    int64_t errors = sl_diags_count(diags, SL_ERROR) - sl_diags_count(shown, SL_ERROR);
    int64_t warnings = show->errors_only ? 0 : sl_diags_count(diags, SL_WARNING) - sl_diags_count(shown, SL_WARNING);
    if (errors + warnings > 0) {
        char tally[SL_TALLY_MAX];
        (void)dprintf(STDERR_FILENO, "... not shown: %s%s\n", sl_tally(errors, warnings, tally),
                      show->all ? "" : " (`sluice check --all` shows them)");
    }
    sl_diags_destroy(shown);
}

void sl_show_diags(sl_cli *cli, const sl_diags *diags, const sl_show_options *show) {
    sl_cli_flush(cli);
    sl_output_stream errors = {.fd = STDERR_FILENO};
    sl_sink to_stderr = sl_output_stream_sink(&errors);
    sl_sink to_stdout = sl_output_stream_sink(&cli->standard_output);
    if (!diags) {
        return;
    }
    if (!show->json) {
        show_text(cli, diags, show, &to_stderr);
    } else {
        (void)sl_diags_render_json(diags, show->to_stderr ? &to_stderr : &to_stdout);
    }
}

/* The library writes one object per line; here they are the elements of an array. */
sl_status sl_put_diags_member(sl_out *out, sl_context *ctx, const sl_diags *diags) {
    sl_bytes lines;
    sl_bytes_init(&lines, ctx);
    sl_sink sink = sl_bytes_sink(&lines);
    sl_status status = sl_diags_render_json(diags, &sink);
    sl_out_z(out, ",\n  \"diagnostics\": [");
    for (int64_t i = 0; status == SL_OK && i < lines.n;) {
        const char *end = memchr(lines.at + i, '\n', (size_t)(lines.n - i));
        int64_t n = end ? end - (lines.at + i) : lines.n - i;
        sl_out_z(out, i > 0 ? ",\n    " : "\n    ");
        sl_out_bytes(out, lines.at + i, (size_t)n);
        i += n + 1;
    }
    sl_out_z(out, lines.n > 0 ? "\n  ]" : "]");
    sl_bytes_fini(&lines);
    return status;
}
