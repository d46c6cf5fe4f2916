/* SPDX-License-Identifier: MIT */
/* file.h: bytes from files and to files.
 *
 * A file is written beside its place under another name, flushed and renamed when it is complete, so that a reader sees
 * the old file or the new one, never half of one, and a file may be replaced by something made from itself.
 */
#ifndef SL_CLI_FILE_H
#define SL_CLI_FILE_H

#include <limits.h>

#include <sluice/results.h>

#include "cli/heap.h"
#include "base/out.h"

/* A descriptor that is written to. Nothing is written after the first failure. */
typedef struct sl_output_stream {
    int fd;
    int error;         /* errno of the first failure, 0: none */
    uint64_t reserved; /* bytes of the disk that were taken beforehand */
} sl_output_stream;

/* Gives SL_ERR_CANCELLED after an interruption. The stream must outlive the sink. */
sl_sink sl_output_stream_sink(sl_output_stream *stream);

/* Reads a whole file into empty bytes, "-" is standard input. Returns 0 or errno; EINTR means an interruption, EFBIG more
 * than SL_FILE_MAX bytes. Directories give EISDIR. The heap learns how much is about to come. */
#define SL_FILE_MAX ((int64_t)4 << 30)
int sl_file_read(const char *path, sl_heap *heap, sl_bytes *bytes);
/* What the file is called in messages: its path, or "<stdin>". */
const char *sl_file_name(const char *path);
/* Puts the folder of a path there, "." where it names none, and returns the name in it. */
const char *sl_path_split(const char *path, char folder[PATH_MAX]);
/* Where a path leads by symbolic links, though nothing be there. 0 or errno. */
int sl_path_follow(const char *path, char to[PATH_MAX]);
/* A path that a file names, from where that file is. False: it is too long. */
bool sl_path_beside(const char *file, const char *path, char out[PATH_MAX]);
/* "No such file or directory" and the like, with what to do about it where that is not plain. */
const char *sl_file_reason(int error);

/* A file in the making. */
typedef struct sl_output {
    sl_context *ctx; /* of the texts */
    sl_output_stream stream;
    bool renamed; /* temp becomes target; else written in place (a device, a pipe) */
    char *target, *temp;
    size_t n_temp; /* room of temp */
} sl_output;

/* Each returns 0 or errno. After a successful open exactly one of close and abandon is to be called; close
 * abandons by itself when it fails or when the program was interrupted (EINTR). */
int sl_output_open(sl_context *ctx, sl_output *output, const char *path);
/* For formats that go back and fill in what they know at the end. ESPIPE: the output is a pipe, where nobody can. */
int sl_output_patch_sink(sl_output *output, sl_patch_sink *sink);
int sl_output_close(sl_output *output);
void sl_output_abandon(sl_output *output);

#endif
