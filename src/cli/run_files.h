/* SPDX-License-Identifier: MIT */
/* run_files.h: the files that a run writes: what they are called, and how they appear. What is in them is the report's business. */
#ifndef SL_CLI_RUN_FILES_H
#define SL_CLI_RUN_FILES_H

#include "cli/async_writer.h"
#include "cli/cli.h"
#include "kinds/kind.h"

enum { SL_RUN_FILES_MAX = 16 };

typedef struct sl_run_file {
    bool open;
    sl_output output;
    sl_patch_sink patch;
    sl_async_writer *async; /* writes to patch; NULL: nobody does */
    sl_sink sink;
} sl_run_file;

typedef struct sl_run_files {
    sl_cli *cli;
    bool async; /* a thread may write while the run goes on */
    int32_t n;
    sl_run_file file[SL_RUN_FILES_MAX];
    sl_report_target target[SL_RUN_FILES_MAX]; /* of file[i] */
} sl_run_files;

/* Notes a file to be written. option: that of the report which names it, NULL: -o; ending: one that counts instead of the path's, or
 * NULL. False: why not. */
bool sl_run_files_add(sl_run_files *files, const sl_kind *kind, const char *path, const char *option,
                      const char *ending, char *why, size_t size);
/* Does one of them have coordinates in it? */
bool sl_run_files_have_map(const sl_run_files *files);
/* Does one of them go to standard output? */
bool sl_run_files_take_standard_output(const sl_run_files *files);
/* The path of one that is given twice, or NULL. */
const char *sl_run_files_twice(const sl_run_files *files);
/* Do two paths name one file, or will they? */
bool sl_run_same_file(const char *a, const char *b);
/* Opens all. Returns an exit code; a message says what is wrong. */
int sl_run_files_open(sl_run_files *files);
/* Makes them appear (keep), or takes them away. Returns an exit code: SL_EXIT_WORLD when one could not be written. */
int sl_run_files_close(sl_run_files *files, bool keep);

#endif
