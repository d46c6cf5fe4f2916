/* SPDX-License-Identifier: MIT */
/* result.c: a result file, read piece by piece at the offsets asked for: results of large networks are larger than
 * memory. Standard input is read as a whole. */
#include "cli/result.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/report.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "kinds/foreign.h"
#include "results/format.h"

static sl_status read_held(void *user, uint64_t offset, void *bytes, size_t n) {
    const sl_result *result = user;
    uint64_t size = (uint64_t)result->bytes.n;
    if (offset > size || n > size - offset) {
        return SL_ERR_IO;
    }
    memcpy(bytes, result->bytes.at + offset, n);
    return SL_OK;
}

static sl_status read_at(void *user, uint64_t offset, void *bytes, size_t n) {
    sl_result *result = user;
    char *at = bytes;
    while (n > 0) {
        if (sl_interrupt_signal()) {
            return SL_ERR_CANCELLED;
        }
        ssize_t k = pread(result->fd, at, n, (off_t)offset);
        if (k == 0 || (k < 0 && errno != EINTR)) { /* 0: shortened meanwhile */
            result->error = k < 0 ? errno : EIO;
            return SL_ERR_IO;
        }
        at += k > 0 ? k : 0;
        offset += k > 0 ? (uint64_t)k : 0;
        n -= k > 0 ? (size_t)k : 0;
    }
    return SL_OK;
}

/* By the beginning of the file; NULL: it is no result, or cannot be read. */
static const sl_results_format *format_of_path(const char *path) {
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) { /* looking into a pipe would take from it */
        return NULL;
    }
    unsigned char head[SL_RESULTS_HEAD];
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd >= 0 ? pread(fd, head, sizeof head, 0) : 0;
    if (fd >= 0) {
        close(fd);
    }
    return n > 0 ? sl_results_format_recognise(head, (size_t)n, (uint64_t)st.st_size) : NULL;
}

static const sl_results_format *format_of(const sl_result *result) {
    unsigned char head[SL_RESULTS_HEAD];
    const sl_source_bytes *s = &result->source;
    size_t n = s->size < sizeof head ? (size_t)s->size : sizeof head;
    return n > 0 && s->read(s->user, 0, head, n) == SL_OK ? sl_results_format_recognise(head, n, s->size) : NULL;
}

bool sl_result_is(sl_cli *cli, const char *path) {
    const sl_bytes *held = &cli->standard_input;
    if (strcmp(path, "-") != 0) {
        return format_of_path(path) != NULL;
    }
    if (sl_cli_hold_standard_input(cli) != 0 || held->n == 0) {
        return false;
    }
    size_t n = held->n < SL_RESULTS_HEAD ? (size_t)held->n : SL_RESULTS_HEAD;
    return sl_results_format_recognise((const unsigned char *)held->at, n, (uint64_t)held->n) != NULL;
}

/* A file that is none: what it is, by its beginning. False: nobody knows, or it looks like one, and reading it says what is wrong. */
static bool refuse_other(sl_cli *cli, sl_result *result, bool out_alone) {
    enum { BEGINNING = 65536 };
    char bytes[BEGINNING];
    size_t n = result->source.size < BEGINNING ? (size_t)result->source.size : BEGINNING;
    if (result->source.read(result, 0, bytes, n) != SL_OK) {
        return false;
    }
    const sl_source source = {.size = sizeof source, .name = result->name, .bytes = bytes, .n = n};
    sl_kind_head head;
    char hint[512];
    const char *base = strrchr(result->name, '/'), *dot = strrchr(base ? base : result->name, '.');
    int stem = (int)(dot ? (size_t)(dot - result->name) : strlen(result->name));
    sl_kind_head_init(&head, &source);
    (void)sl_format(hint, sizeof hint, "run it first: `sluice run %s -o %.*s.%s`", result->name, stem, result->name,
                    sl_kind_head_has_heading(&head) ? "out" : "csv");
    sl_foreign_kind kind = sl_foreign_recognise(&head).kind;
    bool looks_so = kind == SL_FOREIGN_OUT || (kind == SL_FOREIGN_RESULT && !out_alone);
    return !looks_so && sl_foreign_report(cli->kinds, &head, out_alone ? "a result (EPANET's .out)" : "a result", hint,
                                          result->diags);
}

static const char in_folder[] = "name the result in it";

static int open_standard_input(sl_cli *cli, sl_result *result) {
    sl_bytes_init(&result->bytes, cli->ctx);
    int error = sl_cli_read_file(cli, "-", &result->bytes);
    if (error) {
        return error == EINTR ? sl_exit_of(cli, SL_ERR_CANCELLED)
                              : sl_report_unreadable(result->diags, "-", error, in_folder);
    }
    result->source = (sl_source_bytes){result, (uint64_t)result->bytes.n, read_held};
    return SL_EXIT_FINE;
}

/* Up to the bytes. Returns an exit code. */
static int open_bytes(sl_cli *cli, const char *path, sl_result *result) {
    *result = (sl_result){.name = sl_file_name(path), .fd = -1};
    if (sl_diags_create(cli->ctx, &result->diags) != SL_OK) {
        return sl_exit_of(cli, SL_ERR_MEMORY);
    }
    if (strcmp(path, "-") == 0) {
        return open_standard_input(cli, result);
    }
    struct stat st;
    result->fd = open(path, O_RDONLY | O_CLOEXEC);
    int error = result->fd < 0 || fstat(result->fd, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (error) {
        return sl_report_unreadable(result->diags, path, error, in_folder);
    }
    result->source = (sl_source_bytes){result, (uint64_t)st.st_size, read_at};
    return SL_EXIT_FINE;
}

void sl_result_report(const sl_result *result) {
    if (result->error) {
        sl_report(result->diags, SL_ERROR, SL_CODE_IO, &(sl_text_location){.file = result->name}, NULL, NULL, NULL,
                  "cannot read the file: %s", sl_file_reason(result->error));
    }
}

int sl_result_open(sl_cli *cli, const char *path, sl_result *result) {
    int code = open_bytes(cli, path, result);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    if (!format_of(result) && refuse_other(cli, result, false)) {
        return SL_EXIT_INPUT;
    }
    sl_status status = sl_results_open(cli->ctx, &result->source, result->name, result->diags, &result->results);
    sl_result_report(result);
    return sl_exit_of(cli, status);
}

int sl_result_open_out(sl_cli *cli, const char *path, sl_result *result) {
    int code = open_bytes(cli, path, result);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    if (format_of(result) != &sl_format_out && refuse_other(cli, result, true)) {
        return SL_EXIT_INPUT;
    }
    return sl_exit_of(cli, sl_outfile_open(cli->ctx, &result->source, result->name, result->diags, &result->file));
}

void sl_result_close(sl_result *result) {
    sl_results_close(result->results);
    if (result->file) {
        sl_outfile_close(result->file);
    }
    if (result->fd >= 0 && result->diags) {
        close(result->fd);
    }
    if (result->bytes.ctx) {
        sl_bytes_fini(&result->bytes);
    }
    sl_diags_destroy(result->diags);
    *result = (sl_result){.fd = -1};
}
