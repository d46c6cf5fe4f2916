/* SPDX-License-Identifier: MIT */
/* run_files.h: the files that a run writes, by the ending of their names. A format is a row of one table. */
#ifndef SL_CLI_RUN_FILES_H
#define SL_CLI_RUN_FILES_H

#include "cli/async_writer.h"
#include "cli/input.h"
#include "results/out_write.h"
#include "results/rpt.h"
#include "results/table.h"
#include "session/session.h"

enum { SL_RUN_FILES_MAX = 9 };

typedef struct sl_run_file {
    const char *path; /* "-": standard output */
    const struct sl_run_format *format;
    bool open;
    int error; /* errno, 0: none */
    sl_output output;
    sl_patch_sink patch;
    sl_async_writer *async; /* writes to patch; NULL: nobody does */
    sl_sink sink;
    sl_out_writer *writer;
    sl_rpt *rpt;
    const sl_table_format *as; /* of a table: CSV, JSON, HDF5 */
    sl_table_run *table;
    const sl_session *session;
} sl_run_file;

typedef struct sl_run_files {
    sl_cli *cli;
    const sl_input *input;
    const sl_network *net;
    sl_diags *diags;     /* what making them has to say */
    bool async;          /* a thread may write while the run goes on */
    sl_table_def tables; /* what tables hold; format and target are each one's own */
    int n;
    sl_run_file file[SL_RUN_FILES_MAX];
} sl_run_files;

/* Notes a file to be written; format: an ending that counts instead of the path's, or NULL. False with the reason told
 * in why. */
bool sl_run_files_add(sl_run_files *files, const char *path, const char *format, char *why, size_t size);
/* Is one of them in this format? NULL: any table. */
bool sl_run_files_have(const sl_run_files *files, const sl_table_format *format);
/* The path of one that is given twice, or NULL. */
const char *sl_run_files_twice(const sl_run_files *files);
/* Do two paths name one file, or will they? */
bool sl_run_same_file(const char *a, const char *b);
/* Opens all and gives them to the session. Returns an exit code; what is wrong is told. */
int sl_run_files_open(sl_run_files *files, sl_session *session);
/* Makes them appear (keep), or takes them away. Returns an exit code: SL_EXIT_WORLD when one could not be written. */
int sl_run_files_close(sl_run_files *files, bool keep);

#endif
