/* SPDX-License-Identifier: MIT */
/* cli.c: the start and the end of the program, and how it speaks.
 *
 * A closed pipe (`sluice info town.inp | head -1`) is the reader's good right: the rest is dropped without a
 * word and the command's own exit code stands. Any other failure of standard output is told and gives 5.
 */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/term.h"
#include "kinds/kind.h"

/* A closed descriptor 0, 1 or 2 would be taken by the next file opened. /dev/null read-only holds its place
 * and still refuses what is written to it. */
static void hold_standard_descriptors(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)!open("/dev/null", O_RDONLY); /* takes the lowest number that is free: this one */
        }
    }
}

bool sl_cli_init(sl_cli *cli, const sl_kind *const *kinds) {
    cli->kinds = kinds ? kinds : sl_kinds;
    hold_standard_descriptors();
    signal(SIGPIPE, SIG_IGN); /* NOLINT: EPIPE is handled where it comes up */
    signal(SIGXFSZ, SIG_IGN); /* NOLINT: and so is EFBIG */
    sl_interrupt_init();
    cli->standard_output = (sl_output_stream){.fd = STDOUT_FILENO};
    sl_sink sink = sl_output_stream_sink(&cli->standard_output);
    sl_out_init(&cli->out, &sink);
    bool terminal = sl_term_is_terminal(STDERR_FILENO);
    cli->colour = terminal && sl_term_wants_colour();
    sl_bar_init(&cli->bar, terminal);
    cli->ctx = NULL;
    cli->holds_standard_input = false;
    cli->limits = (sl_limits){.effort = 1.0};
    cli->is_late = false;
    cli->memory = sl_limits_machine_memory();
    sl_heap_init(&cli->heap);
    return sl_cli_set_threads(cli, 1);
}

bool sl_cli_set_threads(sl_cli *cli, int32_t n_thread) {
    sl_context_def def = sl_context_default();
#ifdef SL_HEAP_SERVES
    const sl_allocator heap = sl_heap_allocator(&cli->heap);
    def.allocator = &heap;
#endif
    def.progress = sl_bar_progress;
    def.progress_user = &cli->bar;
    def.n_thread = n_thread;
    def.effort = cli->limits.effort;
    def.memory = cli->memory;
    sl_context_destroy(cli->ctx);
    cli->ctx = NULL;
    return sl_context_create(&def, &cli->ctx) == SL_OK;
}

int sl_cli_hold_standard_input(sl_cli *cli) {
    if (cli->holds_standard_input) {
        return 0;
    }
    sl_bytes_init(&cli->standard_input, cli->ctx);
    int error = sl_file_read("-", &cli->heap, &cli->standard_input);
    cli->holds_standard_input = error == 0;
    return error;
}

int sl_cli_read_file(sl_cli *cli, const char *path, sl_bytes *bytes) {
    if (!cli->holds_standard_input || strcmp(path, "-") != 0) {
        return sl_file_read(path, &cli->heap, bytes);
    }
    *bytes = cli->standard_input;
    cli->holds_standard_input = false;
    return 0;
}

void sl_cli_flush(sl_cli *cli) {
    sl_bar_clear(&cli->bar);
    (void)sl_out_flush(&cli->out); /* the status is sticky and looked at by sl_cli_finish */
}

int sl_cli_finish(sl_cli *cli, int code) {
    sl_cli_flush(cli);
    if (cli->holds_standard_input) {
        sl_bytes_fini(&cli->standard_input);
    }
    sl_context_destroy(cli->ctx);
    cli->ctx = NULL;
    bool late = sl_interrupt_signal() && sl_interrupt_time_is_over();
    if (late && code == SL_EXIT_FINE) { /* files were left out, or it took longer than it may */
        code = sl_exit_of(cli, SL_ERR_CANCELLED);
    }
    int sig = sl_interrupt_signal();
    if (sig && !late) {
        return SL_EXIT_SIGNAL + sig;
    }
    int error = cli->standard_output.error;
    if (error == EPIPE) {
        return code;
    }
    if (error) {
        sl_cli_message(cli, "cannot write the output: %s", strerror(error));
        return SL_EXIT_WORLD;
    }
    return code;
}

void sl_cli_message(sl_cli *cli, const char *fmt, ...) {
    sl_cli_flush(cli);
    char text[4096];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (n >= 0) {
        (void)dprintf(STDERR_FILENO, "%ssluice:%s %s\n", cli->colour ? "\033[1m" : "", cli->colour ? "\033[0m" : "",
                      text);
    }
}

int sl_exit_of(sl_cli *cli, sl_status status) {
    switch (status) {
    case SL_OK: return SL_EXIT_FINE;
    case SL_ERR_MEMORY:
        sl_cli_message(cli, "out of memory%s%s", cli->limits.memory ? ": more is needed than --memory " : "",
                       cli->limits.memory ? cli->limits.memory : "");
        return SL_EXIT_WORLD;
    case SL_ERR_INPUT: return SL_EXIT_INPUT;
    case SL_ERR_SOLVE: return SL_EXIT_SOLVE;
    case SL_ERR_IO: return SL_EXIT_WORLD;
    case SL_ERR_CANCELLED:
        if (sl_interrupt_time_is_over()) {
            if (!cli->is_late) {
                sl_cli_message(cli, "stopped after %s, the time limit", cli->limits.time.text);
            }
            cli->is_late = true;
            return SL_EXIT_SOLVE;
        }
        sl_cli_message(cli, "interrupted");
        return SL_EXIT_SIGNAL + sl_interrupt_signal();
    case SL_ERR_USE:
        sl_cli_message(cli, "the library refused the call (%s)", sl_status_text(status));
        return SL_EXIT_USE;
    case SL_ERR_UNSUPPORTED: return SL_EXIT_USE;
    }
    return SL_EXIT_USE;
}
