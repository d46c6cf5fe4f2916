/* SPDX-License-Identifier: MIT */
/* open.c: sources and sessions from files: beside the core, the only file here that reads the file system. Files are read, not
 * mapped: a mapped file that somebody shortens meanwhile ends the program.
 */
#include "kinds/kind.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ids.h"
#include "base/memory.h"

#define FILE_MOST ((int64_t)4 << 30)

/* A file that was read, its name behind it. */
typedef struct content {
    sl_source source; /* its user is this */
    sl_context *ctx;
    sl_bytes bytes;
    char name[]; /* NUL-terminated */
} content;

/* ---- Bytes -------------------------------------------------------------------------------------- */

static const char *reason(int error) {
    switch (error) {
    case EISDIR: return "it is a folder, not a file";
    case EFBIG: return "it has more than 4 GB, or does not end";
    case ENAMETOOLONG: return "the name is too long";
    case ENOENT: return "no such file or folder";
    case EACCES: return "permission denied";
    case EIO: return "the device failed";
    default: return "the system refuses";
    }
}

static int read_all(int fd, int64_t expected, sl_bytes *bytes) {
    if (!SL_RESERVE(bytes->ctx, bytes, expected + 1)) {
        return ENOMEM;
    }
    for (;;) {
        if (!SL_RESERVE(bytes->ctx, bytes, bytes->n + 1)) {
            return ENOMEM;
        }
        int64_t free_bytes = bytes->cap - bytes->n;
        ssize_t k = read(fd, bytes->at + bytes->n, (size_t)(free_bytes < 1 << 24 ? free_bytes : 1 << 24));
        if (k == 0 || (k < 0 && errno != EINTR)) {
            return k == 0 ? 0 : errno;
        }
        bytes->n += k > 0 ? k : 0;
        if (bytes->n > FILE_MOST) {
            return EFBIG;
        }
    }
}

/* 0 or errno. */
static int read_file(const char *path, sl_bytes *bytes) {
    bool standard = strcmp(path, "-") == 0;
    int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return errno;
    }
    struct stat st;
    int error = fstat(fd, &st) != 0 ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (!error) {
        int64_t expected = S_ISREG(st.st_mode) && st.st_size > 0 ? st.st_size : 65536;
        error = expected > FILE_MOST ? EFBIG : read_all(fd, expected, bytes);
    }
    if (!standard) {
        (void)close(fd);
    }
    return error;
}

/* ---- Sources ------------------------------------------------------------------------------------ */

static sl_status open_named(void *user, const sl_source *from, const char *path, sl_source *out, const char **why);
static void close_named(void *user, sl_source *opened);

/* 0 or errno. */
static int read_content(sl_context *ctx, const char *path, content **out) {
    const char *name = strcmp(path, "-") == 0 ? "<stdin>" : path;
    size_t n = strlen(name) + 1;
    content *c = sl_alloc(ctx, sizeof *c + n);
    *out = NULL;
    if (!c) {
        return ENOMEM;
    }
    c->ctx = ctx;
    memcpy(c->name, name, n);
    sl_bytes_init(&c->bytes, ctx);
    int error = read_file(path, &c->bytes);
    c->source = (sl_source){.size = sizeof c->source,
                            .name = c->name,
                            .bytes = c->bytes.at,
                            .n = (size_t)c->bytes.n,
                            .open = open_named,
                            .close = close_named,
                            .user = c};
    if (error) {
        sl_source_close(&c->source);
        return error;
    }
    *out = c;
    return 0;
}

void sl_source_close(const sl_source *source) {
    if (source) {
        content *c = source->user;
        sl_bytes_fini(&c->bytes);
        sl_free(c->ctx, c, sizeof *c + strlen(c->name) + 1);
    }
}

static void close_named(void *user, sl_source *opened) {
    (void)user; /* of the source that named it */
    sl_source_close(opened);
}

/* Relative to the folder of the source that names it. */
static sl_status open_named(void *user, const sl_source *from, const char *path, sl_source *out, const char **why) {
    sl_context *ctx = ((const content *)user)->ctx;
    const char *slash = from->name ? strrchr(from->name, '/') : NULL;
    int folder = slash && path[0] != '/' ? (int)(slash - from->name) + 1 : 0;
    char whole[PATH_MAX];
    content *c = NULL;
    int n = sl_format(whole, sizeof whole, "%.*s%s", folder, from->name ? from->name : "", path);
    bool too_long = n < 0 || n >= (int)sizeof whole;
    int error = too_long ? ENAMETOOLONG : strcmp(path, "-") == 0 ? ENOENT : read_content(ctx, whole, &c);
    if (error) {
        *why = reason(error);
        return error == ENOMEM ? SL_ERR_MEMORY : SL_ERR_IO;
    }
    *out = c->source;
    return SL_OK;
}

bool sl_file_find_similar(const char *path, char found[SL_NEAR_MAX]) {
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    char folder[PATH_MAX];
    int n = slash ? sl_format(folder, sizeof folder, "%.*s", (int)(slash - path) + 1, path)
                  : sl_format(folder, sizeof folder, ".");
    DIR *dir = n > 0 && n < (int)sizeof folder ? opendir(folder) : NULL;
    int limit = strlen(base) < 6 ? 2 : 4, best = limit + 1;
    for (const struct dirent *e = dir ? readdir(dir) : NULL; e; e = readdir(dir)) {
        int d = e->d_name[0] == '.' ? best : sl_edit_distance(sl_str_z(base), sl_str_z(e->d_name), limit);
        if (d < best) {
            best = d;
            (void)sl_format(found, SL_NEAR_MAX, "%s", e->d_name);
        }
    }
    if (dir) {
        (void)closedir(dir);
    }
    return best <= limit;
}

static void report_unreadable(const char *path, int error, sl_diags *diags) {
    char near[SL_NEAR_MAX], hint[2 * SL_NEAR_MAX];
    const char *help = error == EISDIR ? "name a model file in it" : NULL;
    if (error == ENOENT && sl_file_find_similar(path, near)) {
        (void)sl_format(hint, sizeof hint, "did you mean %s?", near);
        help = hint;
    }
    sl_text_location place = {.file = path};
    sl_report(diags, SL_ERROR, SL_CODE_IO, &place, NULL, NULL, help, "cannot read the file: %s", reason(error));
}

sl_status sl_source_open(sl_context *ctx, const char *path, sl_diags *diags, const sl_source **out) {
    if (!ctx || !path || !out) {
        return SL_ERR_USE;
    }
    content *c = NULL;
    *out = NULL;
    int error = read_content(ctx, path, &c);
    if (error) {
        if (error != ENOMEM) {
            report_unreadable(path, error, diags);
        }
        return error == ENOMEM ? SL_ERR_MEMORY : SL_ERR_IO;
    }
    *out = &c->source;
    return SL_OK;
}

sl_status sl_open(sl_context *ctx, const char *path, sl_diags *diags, sl_session **out) {
    if (!ctx || !path || !out) {
        return SL_ERR_USE;
    }
    const sl_source *source = NULL;
    sl_model *model = NULL;
    *out = NULL;
    sl_status status = sl_source_open(ctx, path, diags, &source);
    if (status != SL_OK) {
        return status;
    }
    status = sl_model_load(ctx, source, NULL, diags, &model);
    sl_source_close(source);
    status = status == SL_OK ? sl_session_create(ctx, model, diags, out) : status;
    if (status != SL_OK) {
        sl_model_destroy(model);
        return status;
    }
    sl_session_own_model(*out, model);
    return SL_OK;
}
