/* SPDX-License-Identifier: MIT */
/* carrier_stream.c: frames over pipes and sockets, and the carrier fd:IN,OUT of descriptors that were inherited.
 *
 * A side that waits to write also reads, so that two large messages in opposite directions cannot block each other: a greeting
 * and a message, as large as they may be, and no more. Descriptors from elsewhere keep their flags, since others may share them: they are asked
 * (poll) before each call, and get no more than a pipe takes at once. A broken pipe raises no signal.
 */
#define _GNU_SOURCE /* ppoll */ /* NOLINT: that is its name */
#include "exchange/carrier_stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/number.h"

enum { CHUNK = 1 << 14 };

static short ask(int fd, short events) {
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, 0) > 0 ? p.revents : 0;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

/* write, but a broken pipe is an error and no signal: it is blocked in this thread, and taken back if it came from here. Safe
 * in a signal handler. */
static ssize_t write_quietly(int fd, const char *bytes, size_t n) {
    sigset_t pipe_only, old, pending;
    (void)sigemptyset(&pipe_only);
    (void)sigaddset(&pipe_only, SIGPIPE);
    bool before = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    (void)pthread_sigmask(SIG_BLOCK, &pipe_only, &old);
    ssize_t done = write(fd, bytes, n);
    int why = errno;
    if (done < 0 && why == EPIPE && !before) {
        const struct timespec at_once = {0, 0};
        while (sigtimedwait(&pipe_only, NULL, &at_once) < 0 && errno == EINTR) {}
    }
    (void)pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = why;
    return done;
}

/* What goes out now; -1 with EAGAIN: nothing. */
static ssize_t send_some(const sl_stream *s, const char *bytes, size_t n) {
    if (s->socket) {
        return send(s->out, bytes, n, MSG_NOSIGNAL | MSG_DONTWAIT);
    }
    if (!s->own_flags) {
        if (!(ask(s->out, POLLOUT) & (POLLOUT | POLLERR))) {
            errno = EAGAIN;
            return -1;
        }
        n = n < PIPE_BUF ? n : PIPE_BUF;
    }
    return write_quietly(s->out, bytes, n);
}

sl_cosim_code sl_stream_put(void *self, const char *bytes, size_t n) {
    sl_stream *s = self;
    sl_cosim_code code = s->connect ? s->connect(s) : SL_COSIM_OK;
    if (code != SL_COSIM_OK && s->out < 0) {
        return code;
    }
    while (s->sent < n) {
        ssize_t done = send_some(s, bytes + s->sent, n - s->sent);
        if (done >= 0) {
            s->sent += (size_t)done;
        } else if (errno == EAGAIN || errno == EWOULDBLOCK || errno == ENOBUFS) {
            return SL_COSIM_AGAIN;
        } else if (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN) {
            return SL_COSIM_GONE;
        } else if (errno != EINTR) {
            return sl_reporter_error(s->reporter, SL_COSIM_IO, "a message cannot be written: %s", strerror(errno));
        }
    }
    s->sent = 0;
    return SL_COSIM_OK;
}

bool sl_stream_cancel(void *self) {
    sl_stream *s = self;
    return s->sent == 0;
}

bool sl_stream_is_free(void *self) { /* what the system has taken will be read, or the partner is gone */
    (void)self;
    return true;
}

/* ---- Reading ------------------------------------------------------------------------------------ */

/* More bytes, as many as are there and the room allows: OK, AGAIN, GONE or an error. */
static sl_cosim_code fill(sl_stream *s, size_t need) {
    sl_bytes *b = &s->box.bytes;
    if (s->box.begin > 0) {
        memmove(b->at, b->at + s->box.begin, (size_t)(b->n - s->box.begin));
        b->n -= s->box.begin;
        s->box.begin = 0;
    }
    if (!SL_RESERVE(s->ctx, b, b->n + (need == 0 || need > CHUNK ? CHUNK : (int64_t)need))) {
        return sl_reporter_error(s->reporter, SL_COSIM_MEMORY, "no memory for a message");
    }
    size_t room = (size_t)(b->cap - b->n);
    ssize_t n;
    if (s->socket) {
        n = recv(s->in, b->at + b->n, room, MSG_DONTWAIT);
    } else {
        short is = ask(s->in, POLLIN);
        if (!(is & (POLLIN | POLLHUP | POLLERR))) {
            return SL_COSIM_AGAIN;
        }
        n = is & POLLIN ? read(s->in, b->at + b->n, room) : 0;
    }
    if (n > 0) {
        b->n += n;
        return SL_COSIM_OK;
    }
    if (n == 0 || errno == ECONNRESET) {
        s->eof = true;
        return SL_COSIM_GONE;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR) {
        return SL_COSIM_AGAIN;
    }
    return sl_reporter_error(s->reporter, SL_COSIM_IO, "a message cannot be read: %s", strerror(errno));
}

sl_cosim_code sl_stream_take(void *self, int64_t n_expected, char **bytes, size_t *n) {
    sl_stream *s = self;
    (void)n_expected;
    if (s->connect) {
        sl_cosim_code code = s->connect(s);
        if (code != SL_COSIM_OK && s->in < 0) {
            return code;
        }
    }
    for (;;) {
        size_t need;
        sl_cosim_code code = sl_receive_buffer_next(&s->box, s->max_bytes, s->reporter, bytes, n, &need);
        if (code != SL_COSIM_AGAIN) {
            s->eof = s->eof || code < 0; /* where the next message begins is not known any more */
            return code;
        }
        if (s->eof) {
            return SL_COSIM_GONE;
        }
        code = fill(s, need);
        if (code != SL_COSIM_OK) {
            return code;
        }
    }
}

sl_cosim_code sl_stream_done(void *self, bool bad) {
    sl_stream *s = self;
    (void)bad;
    (void)sl_receive_buffer_done(&s->box);
    return SL_COSIM_OK;
}

/* ---- Waiting ------------------------------------------------------------------------------------ */

bool sl_stream_is_gone(void *self) {
    sl_stream *s = self;
    return s->out >= 0 && !s->socket && ask(s->out, 0) & POLLERR;
}

void sl_stream_wait(void *self, unsigned what, double seconds) {
    sl_stream *s = self;
    struct pollfd p[3];
    nfds_t n = 0;
    bool writes = what & SL_WAIT_OUT && s->sent > 0;
    size_t ahead = (size_t)(s->box.bytes.n - s->box.begin);
    bool reads = s->in >= 0 && !s->eof && (writes ? ahead / 2 < s->max_bytes : s->box.size == 0);
    if (reads) {
        p[n++] = (struct pollfd){.fd = s->in, .events = POLLIN};
    }
    if (s->out >= 0 && writes) {
        p[n++] = (struct pollfd){.fd = s->out, .events = POLLOUT};
    }
    if (s->listener >= 0) {
        p[n++] = (struct pollfd){.fd = s->listener, .events = POLLIN};
    } else if (s->connect && (s->in < 0 || s->out < 0)) {
        seconds = fmin(seconds, 0.002); /* nobody tells when a FIFO gets its reader, or a socket its listener */
    }
    struct timespec t = {(time_t)seconds, (long)(1e9 * (seconds - floor(seconds)))};
    (void)ppoll(p, n, &t, NULL);
    while (reads && writes && ahead / 2 < s->max_bytes &&
           fill(s, 0) == SL_COSIM_OK) { /* so that the partner can go on */
        ahead = (size_t)(s->box.bytes.n - s->box.begin);
    }
}

/* ---- Opening, closing --------------------------------------------------------------------------- */

void sl_stream_abort(void *self) {
    sl_stream *s = self;
    if (s->out >= 0 && s->sent == 0) {
        (void)(send_some(s, s->end, s->n_end) > 0);
    }
    if (s->out >= 0 && s->socket) {
        (void)shutdown(s->out, SHUT_WR);
    }
}

void sl_stream_close(void *self, bool keep) {
    sl_stream *s = self;
    (void)keep;
    struct stat st;
    if (s->listener >= 0) {
        if (lstat(s->path, &st) == 0 && st.st_ino == s->listener_inode) {
            (void)unlink(s->path);
        }
        (void)close(s->listener);
    }
    if (s->made[0]) {
        (void)unlink(s->path);
    }
    if (s->made[1]) {
        (void)unlink(s->out_path);
    }
    if (s->in >= 0) {
        (void)close(s->in);
    }
    if (s->out >= 0 && s->out != s->in) {
        (void)close(s->out);
    }
    sl_bytes_fini(&s->box.bytes);
    sl_free(s->ctx, s, sizeof *s);
}

sl_stream *sl_stream_create(const sl_carrier_def *def) {
    sl_stream *s = sl_alloc(def->ctx, sizeof *s);
    if (s) {
        s->ctx = def->ctx;
        s->reporter = def->reporter;
        s->max_bytes = def->def->max_bytes;
        s->in = s->out = s->listener = -1;
        s->n_end = sl_frame_end(def->def->binary, s->end);
        sl_bytes_init(&s->box.bytes, def->ctx);
    }
    return s;
}

/* fd:IN,OUT, or fd:BOTH */
static sl_cosim_code fd_open(const sl_carrier_def *def, void **self) {
    const char *comma = def->rest.len ? memchr(def->rest.ptr, ',', def->rest.len) : NULL;
    size_t n = comma ? (size_t)(comma - def->rest.ptr) : def->rest.len;
    int64_t fd[2];
    bool fine = sl_number_parse_int((sl_str){def->rest.ptr, n}, &fd[0]) == SL_NUMBER_OK;
    fd[1] = fd[0];
    if (comma) {
        fine = fine && sl_number_parse_int((sl_str){comma + 1, def->rest.len - n - 1}, &fd[1]) == SL_NUMBER_OK;
    }
    struct stat st[2];
    for (int i = 0; i < 2 && fine; i++) {
        fine = fd[i] >= 0 && fd[i] <= INT_MAX && fstat((int)fd[i], &st[i]) == 0 &&
               (S_ISFIFO(st[i].st_mode) || S_ISSOCK(st[i].st_mode));
    }
    if (!fine) {
        return sl_reporter_error(def->reporter, SL_COSIM_USE,
                                 "fd:%.*s does not name two open pipes or a socket, fd:IN,OUT", (int)def->rest.len,
                                 def->rest.len ? def->rest.ptr : "");
    }
    sl_stream *s = sl_stream_create(def);
    if (!s) {
        return SL_COSIM_MEMORY;
    }
    s->in = (int)fd[0];
    s->out = (int)fd[1];
    s->socket = S_ISSOCK(st[0].st_mode) && S_ISSOCK(st[1].st_mode);
    (void)fcntl(s->in, F_SETFD, FD_CLOEXEC);
    (void)fcntl(s->out, F_SETFD, FD_CLOEXEC);
    *self = s;
    return SL_COSIM_OK;
}

const sl_carrier_ops sl_carrier_fd = SL_STREAM_OPS("fd", fd_open);
