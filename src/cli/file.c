/* SPDX-License-Identifier: MIT */
/* file.c: bytes from files and to files.
 *
 * Files are read by read(), not mapped: a mapped file that somebody shortens meanwhile kills the program. A file is flushed to the
 * disk before it gets its name, once, so that a power cut leaves the old content or the new. Calls that a signal interrupts, and
 * those that write a part, go on.
 */
#define _GNU_SOURCE /* fallocate */ /* NOLINT: that is its name */
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/interrupt.h"
#include "cli/temporary.h"

/* ---- Streams ------------------------------------------------------------------------------------ */

static sl_status stream_write(void *user, const void *bytes, size_t n) {
    sl_output_stream *stream = user;
    const char *at = bytes;
    while (n > 0 && !stream->error) {
        if (sl_interrupt_signal()) {
            return SL_ERR_CANCELLED;
        }
        ssize_t k = write(stream->fd, at, n < ((size_t)1 << 24) ? n : (size_t)1 << 24);
        if (k > 0) {
            at += k;
            n -= (size_t)k;
        } else if (k == 0) {
            stream->error = EIO;
        } else if (errno == EAGAIN) { /* somebody made the descriptor non-blocking */
            poll(&(struct pollfd){.fd = stream->fd, .events = POLLOUT}, 1, -1);
        } else if (errno != EINTR) {
            stream->error = errno;
        }
    }
    return stream->error ? SL_ERR_IO : SL_OK;
}

sl_sink sl_output_stream_sink(sl_output_stream *stream) {
    return (sl_sink){.user = stream, .write = stream_write};
}

/* ---- Reading ------------------------------------------------------------------------------------ */

const char *sl_file_name(const char *path) {
    return strcmp(path, "-") == 0 ? "<stdin>" : path;
}

const char *sl_file_reason(int error) {
    switch (error) {
    case EISDIR: return "it is a folder, not a file";
    case EFBIG: return "it has more than 4 GB, or does not end";
    case ENAMETOOLONG: return "File name too long"; /* C libraries differ */
    case ENOENT: return "no such file or folder";
    case ESPIPE: return "it is a pipe, and this format needs a file";
    default: return strerror(error);
    }
}

const char *sl_path_split(const char *path, char folder[PATH_MAX]) {
    const char *slash = strrchr(path, '/');
    size_t n = slash ? (size_t)(slash - path) + 1 : 0;
    if (n >= PATH_MAX) {
        n = 0;
    }
    memcpy(folder, n > 0 ? path : ".", n > 0 ? n : 2);
    folder[n > 0 ? n : 1] = 0;
    return slash ? slash + 1 : path;
}

bool sl_path_beside(const char *file, const char *path, char out[PATH_MAX]) {
    const char *slash = strrchr(file, '/');
    bool beside = slash && path[0] != '/';
    int n = snprintf(out, PATH_MAX, "%.*s%s", beside ? (int)(slash - file) + 1 : 0, file, path);
    return n >= 0 && n < PATH_MAX;
}

static int read_all(int fd, int64_t expected, int64_t most, sl_bytes *bytes) {
    if (!SL_RESERVE(bytes->ctx, bytes, expected + 1)) {
        return ENOMEM;
    }
    for (;;) {
        if (sl_interrupt_signal()) {
            return EINTR;
        }
        if (!SL_RESERVE(bytes->ctx, bytes, bytes->n + 1)) {
            return ENOMEM;
        }
        int64_t room = bytes->cap - bytes->n;
        ssize_t k = read(fd, bytes->at + bytes->n, (size_t)(room < 1 << 24 ? room : 1 << 24));
        if (k == 0) {
            return 0;
        }
        if (k < 0 && errno != EINTR) {
            return errno;
        }
        bytes->n += k > 0 ? k : 0;
        if (bytes->n > most) {
            return EFBIG;
        }
    }
}

/* A signal that does not end the program is none. */
static int open_again(const char *path, int flags) {
    int fd;
    do {
        fd = open(path, flags | O_CLOEXEC);
    } while (fd < 0 && errno == EINTR && !sl_interrupt_signal());
    return fd;
}

#define DEVICE_MOST ((int64_t)64 << 20)

int sl_file_read(const char *path, sl_heap *heap, sl_bytes *bytes) {
    bool is_stdin = strcmp(path, "-") == 0;
    int fd = is_stdin ? STDIN_FILENO : open_again(path, O_RDONLY);
    if (fd < 0) {
        return errno;
    }
    struct stat st;
    int error = fstat(fd, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (!error) {
        bool known = S_ISREG(st.st_mode) && st.st_size > 0;
        int64_t expected = known ? st.st_size : 65536;
        sl_heap_expect(heap, known ? (size_t)expected : 0);
        bool device = S_ISCHR(st.st_mode) && !isatty(fd); /* they have nothing, or no end */
        error = expected > SL_FILE_MAX ? EFBIG : read_all(fd, expected, device ? DEVICE_MOST : SL_FILE_MAX, bytes);
    }
    if (!is_stdin) {
        close(fd);
    }
    if (error) {
        sl_bytes_fini(bytes);
    }
    return error;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Texts are in memory of the context: the C library's first piece costs a small run a twentieth of its time, most of it to give
 * it back. */
static char *copy_text(sl_context *ctx, const char *text) {
    size_t n = strlen(text) + 1;
    char *copy = sl_alloc(ctx, n);
    return copy ? memcpy(copy, text, n) : NULL;
}

static void free_text(sl_context *ctx, char *text) {
    if (text) {
        sl_free(ctx, text, strlen(text) + 1);
    }
}

/* A new file in the folder of the target. */
static int open_temp(sl_output *output) {
    const char *slash = strrchr(output->target, '/');
    size_t size = (slash ? (size_t)(slash - output->target) + 1 : 0) + SL_TEMPORARY_NAME;
    output->temp = sl_alloc(output->ctx, size);
    output->n_temp = size;
    int error = output->temp ? sl_temporary_open(output->target, output->temp, size, &output->stream.fd) : ENOMEM;
    if (!error && output->temp[0]) {
        sl_interrupt_guard(output->temp);
    }
    return error;
}

/* What is whole gets a name, by which it takes its place. */
static int name_temp(sl_output *output) {
    bool had = output->temp[0];
    int error = sl_temporary_name(output->target, output->temp, output->n_temp, &output->stream.fd);
    if (!error && !had) {
        sl_interrupt_guard(output->temp);
    }
    return error;
}

static void remove_temp(const sl_output *output) {
    if (output->temp[0]) {
        unlink(output->temp);
    }
}

/* A file that takes another's place takes over its owner and its rights, as far as it may. */
static void take_over(int fd, const struct stat *old) {
    if (fchown(fd, old->st_uid, old->st_gid) != 0) {
        /* not the owner: the new file is ours, as with any copy */
    }
    (void)fchmod(fd, old->st_mode & 07777);
}

static void forget(sl_output *output) {
    if (output->temp) {
        sl_interrupt_release(output->temp);
    }
    sl_free(output->ctx, output->temp, output->temp ? output->n_temp : 0);
    free_text(output->ctx, output->target);
    output->temp = output->target = NULL;
}

/* st is what path is now. A link stays: what it points to is replaced. */
static int open_to_replace(sl_output *output, const char *path, const struct stat *st) {
    struct stat self;
    bool link = lstat(path, &self) != 0 || !S_ISREG(self.st_mode);
    char *real = link ? realpath(path, NULL) : NULL;
    if (link && !real) {
        return errno;
    }
    output->target = copy_text(output->ctx, link ? real : path);
    free(real);
    if (!output->target || access(output->target, W_OK) != 0) {
        return output->target ? errno : ENOMEM;
    }
    output->renamed = true;
    int error = open_temp(output);
    if (!error) {
        take_over(output->stream.fd, st);
    }
    return error;
}

int sl_path_follow(const char *path, char to[PATH_MAX]) {
    enum { MOST_LINKS = 40 };
    char text[PATH_MAX];
    if (snprintf(to, PATH_MAX, "%s", path) >= PATH_MAX) {
        return ENAMETOOLONG;
    }
    for (int i = 0; i < MOST_LINKS; i++) {
        ssize_t n = readlink(to, text, sizeof text - 1);
        if (n < 0) {
            return errno == EINVAL || errno == ENOENT ? 0 : errno;
        }
        text[n] = '\0';
        const char *slash = strrchr(to, '/');
        size_t folder = text[0] != '/' && slash ? (size_t)(slash - to) + 1 : 0;
        if (folder + (size_t)n >= PATH_MAX) {
            return ENAMETOOLONG;
        }
        memcpy(to + folder, text, (size_t)n + 1);
    }
    return ELOOP;
}

static int open_new(sl_output *output, const char *path) {
    char to[PATH_MAX];
    int error = *path ? sl_path_follow(path, to) : ENOENT;
    if (error) {
        return error;
    }
    output->target = copy_text(output->ctx, to);
    output->renamed = true;
    return output->target ? open_temp(output) : ENOMEM;
}

int sl_output_open(sl_context *ctx, sl_output *output, const char *path) {
    *output = (sl_output){.ctx = ctx, .stream = {.fd = -1}};
    struct stat st;
    int error = stat(path, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (!error && !S_ISREG(st.st_mode)) { /* a device or a pipe must never be renamed over */
        output->stream.fd = open_again(path, O_WRONLY);
        return output->stream.fd < 0 ? errno : 0;
    }
    error = error == ENOENT ? open_new(output, path) : error ? error : open_to_replace(output, path, &st);
    if (error) {
        forget(output);
    }
    return error;
}

void sl_output_abandon(sl_output *output) {
    if (output->stream.fd >= 0) {
        close(output->stream.fd);
        output->stream.fd = -1;
        if (output->renamed) {
            remove_temp(output);
        }
    }
    forget(output);
}

/* For less it takes as long as it saves; more is left to the file system: no run of hours is to take all the disk at its
 * beginning. */
#define LEAST_RESERVED ((uint64_t)1 << 16)
#define MOST_RESERVED ((uint64_t)1 << 30)

/* What was taken of the disk and is not needed. */
static void give_back(sl_output_stream *stream) {
    off_t written = stream->reserved > 0 ? lseek(stream->fd, 0, SEEK_END) : -1;
    while (written >= 0 && (uint64_t)written < stream->reserved && ftruncate(stream->fd, written) != 0) {
        if (errno != EINTR) {
            stream->error = stream->error ? stream->error : errno;
            break;
        }
    }
    stream->reserved = 0;
}

static sl_status output_patch(void *user, uint64_t offset, const void *bytes, size_t n) {
    sl_output_stream *stream = user;
    const char *at = bytes;
    while (n > 0 && !stream->error) {
        ssize_t k = pwrite(stream->fd, at, n, (off_t)offset);
        if (k == 0) {
            stream->error = EIO;
        } else if (k > 0) {
            at += k;
            n -= (size_t)k;
            offset += (uint64_t)k;
        } else if (errno != EINTR) {
            stream->error = errno;
        }
    }
    return stream->error ? SL_ERR_IO : SL_OK;
}

/* Reserves the file's blocks at once: ext4 then writes a large file in two thirds of the time (33 MB: 4.8 instead of 7.1 ms).
 * Only a help: on other systems, and where a file system cannot or lacks the space, the file grows as it is written. */
static void output_expect(void *user, uint64_t size) {
    sl_output_stream *stream = user;
    if (size >= LEAST_RESERVED && size <= MOST_RESERVED) {
        stream->reserved = size;
#ifdef __linux__
        if (fallocate(stream->fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)size) != 0) {
            give_back(stream);
        }
#endif
    }
}

int sl_output_patch_sink(sl_output *output, sl_patch_sink *sink) {
    if (lseek(output->stream.fd, 0, SEEK_CUR) < 0) {
        return errno;
    }
    *sink = (sl_patch_sink){.user = &output->stream,
                            .write = stream_write,
                            .patch = output_patch,
                            .expect = output->renamed ? output_expect : NULL};
    return 0;
}

/* Some file systems cannot flush, and say so. */
static int flush(int fd) {
    int done;
    do {
        done = fsync(fd);
    } while (done != 0 && errno == EINTR);
    return done == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : errno;
}

static int give_name(const sl_output *output) {
    int done;
    do {
        done = rename(output->temp, output->target);
    } while (done != 0 && errno == EINTR);
    return done == 0 ? 0 : errno;
}

int sl_output_close(sl_output *output) {
    give_back(&output->stream);
    int error = output->stream.error;
    if (!error && sl_interrupt_signal()) {
        error = EINTR;
    }
    error = error || !output->renamed ? error : name_temp(output);
    error = error || !output->renamed ? error : flush(output->stream.fd);
    int closed = close(output->stream.fd) != 0 && errno != EINTR ? errno : 0;
    output->stream.fd = -1;
    error = error ? error : closed;
    if (output->renamed) {
        error = error ? error : give_name(output);
        if (error) {
            remove_temp(output);
        }
    }
    forget(output);
    return error;
}
