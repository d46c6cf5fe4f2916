/* SPDX-License-Identifier: MIT */
/* convert_results.c: a result file as a table. The file is read where it lies, a period at a time. */
#include "cli/convert_results.h"

#include <string.h>

#include "base/report.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/result.h"

typedef struct job {
    sl_result *result;
    sl_table_def *def;
} job;

static sl_status write_table(sl_cli *cli, void *user, const sl_sink *sink, const char *path) {
    const job *j = user;
    sl_diags *diags = j->result->diags;
    if (j->def->format->needs_path && !path) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, "give it a name, or write .csv or .json",
                  "an HDF5 file cannot go into a pipe");
        return SL_ERR_IO;
    }
    j->def->target.sink = sink;
    j->def->target.path = path;
    sl_status status = sl_table_convert(cli->ctx, j->result->file, j->def, diags);
    if (status == SL_ERR_IO && j->result->error) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, &(sl_text_location){.file = j->result->name}, NULL, NULL, NULL,
                  "cannot read the file: %s", sl_file_reason(j->result->error));
    }
    return status;
}

int sl_convert_results(sl_cli *cli, const char *in, const char *out, sl_table_def *def, bool json, bool strict) {
    sl_result result;
    int code = sl_result_open(cli, in, &result);
    if (code == SL_EXIT_FINE) {
        code = sl_exit_of(cli, def->format->ready ? def->format->ready(result.diags) : SL_OK);
    }
    if (code == SL_EXIT_FINE) {
        job j = {.result = &result, .def = def};
        code = sl_output_make_at(cli, out, write_table, &j);
    }
    if (code < SL_EXIT_SIGNAL && result.diags) {
        sl_show_diags(cli, result.diags, &(sl_show_options){.json = json, .to_stderr = strcmp(out, "-") == 0});
        if (code == SL_EXIT_FINE && strict && sl_diags_count(result.diags, SL_WARNING) > 0) {
            code = SL_EXIT_WARNINGS;
        }
    }
    sl_result_close(&result);
    return code;
}
