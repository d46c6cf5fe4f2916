/* run_files.h: the files that a run writes, by the ending of their names. A format is a row of one table. */
#ifndef SL_CLI_RUN_FILES_H
#define SL_CLI_RUN_FILES_H

#include "cli/input.h"
#include "results/out_write.h"
#include "results/rpt.h"
#include "session/session.h"

enum { SL_RUN_FILES_MAX = 9 };

typedef struct sl_run_file {
    const char *path; /* "-": standard output */
    const struct sl_run_format *format;
    bool open;
    int error; /* errno, 0: none */
    sl_output output;
    sl_patch_sink patch;
    sl_sink sink;
    sl_out_writer *writer;
    sl_rpt *rpt;
    const sl_session *session;
} sl_run_file;

typedef struct sl_run_files {
    sl_cli *cli;
    const sl_input *input;
    const sl_network *net;
    sl_diags *diags; /* what making them has to say */
    int n;
    sl_run_file file[SL_RUN_FILES_MAX];
} sl_run_files;

/* Notes a file to be written; report: the text report whatever its name. False with the reason told in why. */
bool sl_run_files_add(sl_run_files *files, const char *path, bool report, char *why, size_t size);
/* Does one of them have this path, or is it the same file? */
bool sl_run_files_clash(const sl_run_files *files, const char *input, char *why, size_t size);
/* Opens all and gives them to the session. Returns an exit code; what is wrong is told. */
int sl_run_files_open(sl_run_files *files, sl_session *session);
/* Makes them appear (keep), or takes them away. Returns an exit code: SL_EXIT_WORLD when one could not be written. */
int sl_run_files_close(sl_run_files *files, bool keep);

#endif
