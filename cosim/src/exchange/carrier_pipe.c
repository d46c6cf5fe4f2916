/* SPDX-License-Identifier: MIT */
/* carrier_pipe.c: two FIFOs, pipe:in=A;out=B. Missing ones are made, and removed by whoever made them.
 *
 * Our end for reading is opened at once; that for writing when the partner reads. Neither waits, so the two programs may come
 * in any order, and the death of the partner shows as the end of the one and a broken other.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exchange/carrier_stream.h"

static sl_cosim_code connect_pipe(sl_stream *s) {
    if (s->out < 0) {
        s->out = open(s->out_path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
        if (s->out < 0) {
            return errno == ENXIO || errno == EINTR
                       ? SL_COSIM_AGAIN
                       : sl_reporter_error(s->reporter, SL_COSIM_IO, "%s cannot be opened: %s", s->out_path,
                                           strerror(errno));
        }
    }
    return SL_COSIM_OK;
}

static sl_cosim_code make(sl_stream *s, const char *path, bool *made) {
    struct stat st;
    *made = mkfifo(path, 0600) == 0;
    if (!*made && errno != EEXIST) {
        return sl_reporter_error(s->reporter, SL_COSIM_IO, "the FIFO %s cannot be made: %s", path, strerror(errno));
    }
    if (stat(path, &st) != 0 || !S_ISFIFO(st.st_mode)) {
        return sl_reporter_error(s->reporter, SL_COSIM_USE, "%s is no FIFO", path);
    }
    return SL_COSIM_OK;
}

static sl_cosim_code begin(sl_stream *s, const sl_carrier_def *def) {
    sl_str in = sl_carrier_option(def->rest, "in"), out = sl_carrier_option(def->rest, "out");
    if (in.len == 0 || out.len == 0 || in.len >= SL_STREAM_PATH || out.len >= SL_STREAM_PATH || sl_str_equal(in, out)) {
        return sl_reporter_error(s->reporter, SL_COSIM_USE,
                                 "pipe: needs two FIFOs of less than %d bytes, pipe:in=A;out=B", SL_STREAM_PATH);
    }
    memcpy(s->path, in.ptr, in.len);
    memcpy(s->out_path, out.ptr, out.len);
    sl_cosim_code code = make(s, s->path, &s->made[0]);
    code = code == SL_COSIM_OK ? make(s, s->out_path, &s->made[1]) : code;
    if (code == SL_COSIM_OK) {
        s->in = open(s->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
        if (s->in < 0) {
            code = sl_reporter_error(s->reporter, SL_COSIM_IO, "%s cannot be opened: %s", s->path, strerror(errno));
        }
    }
    return code;
}

static sl_cosim_code pipe_open(const sl_carrier_def *def, void **self) {
    sl_stream *s = sl_stream_create(def);
    if (!s) {
        return SL_COSIM_MEMORY;
    }
    s->own_flags = true;
    s->connect = connect_pipe;
    sl_cosim_code code = begin(s, def);
    if (code != SL_COSIM_OK) {
        sl_stream_close(s, false);
        return code;
    }
    *self = s;
    return SL_COSIM_OK;
}

const sl_carrier_ops sl_carrier_pipe = SL_STREAM_OPS("pipe", pipe_open);
