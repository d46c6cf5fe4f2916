/* SPDX-License-Identifier: MIT */
/* output.c: what a command makes, to a file or to standard output. */
#include "cli/output.h"

#include <errno.h>
#include <string.h>

int sl_output_failed(sl_cli *cli, const char *path, int error) {
    if (error == EINTR) {
        return sl_exit_of(cli, SL_ERR_CANCELLED);
    }
    if (error == EPIPE) { /* a named pipe whose reader has had enough */
        return SL_EXIT_FINE;
    }
    const char *reason =
        error == EFBIG ? "it would be larger than the system allows (ulimit -f)" : sl_file_reason(error);
    sl_cli_message(cli, "cannot write %s: %s", path, reason);
    return SL_EXIT_WORLD;
}

static sl_status make_into(sl_cli *cli, sl_output_stream *stream, const sl_patch_sink *patch, sl_make_fn make,
                           void *user) {
    sl_sink sink = sl_output_stream_sink(stream);
    sl_status status = make(cli, user, &sink, patch);
    sl_bar_clear(&cli->bar);
    return status;
}

static int make_file(sl_cli *cli, const char *path, sl_make_fn make, void *user) {
    sl_output output;
    int error = sl_output_open(cli->ctx, &output, path);
    if (error) {
        return sl_output_failed(cli, path, error);
    }
    sl_patch_sink patch;
    bool back = sl_output_patch_sink(&output, &patch) == 0;
    sl_status status = make_into(cli, &output.stream, back ? &patch : NULL, make, user);
    if (status == SL_OK) {
        error = sl_output_close(&output);
        return error ? sl_output_failed(cli, path, error) : SL_EXIT_FINE;
    }
    error = status == SL_ERR_IO ? output.stream.error : 0;
    sl_output_abandon(&output);
    return error ? sl_output_failed(cli, path, error) : sl_exit_of(cli, status);
}

int sl_output_make(sl_cli *cli, const char *path, sl_make_fn make, void *user) {
    if (strcmp(path, "-") != 0) {
        return make_file(cli, path, make, user);
    }
    sl_cli_flush(cli);
    sl_status status = make_into(cli, &cli->standard_output, NULL, make, user);
    if (status == SL_ERR_IO && cli->standard_output.error) {
        return SL_EXIT_FINE; /* sl_cli_finish looks at the stream */
    }
    return sl_exit_of(cli, status);
}
