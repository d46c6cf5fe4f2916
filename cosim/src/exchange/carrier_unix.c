/* SPDX-License-Identifier: MIT */
/* carrier_unix.c: a local socket, unix:PATH. Whoever comes first listens, the other one connects; then the path is removed.
 *
 * A socket is bound and made to listen under another name and only then linked to PATH, so that a refused connection means that
 * its owner is dead. Two programs that remove the same dead socket at once may remove each other's: whoever listens looks from
 * time to time whether PATH is still its own, and begins again if it is not. Only programs of the same user are let in.
 */
#define _GNU_SOURCE /* accept4, struct ucred */ /* NOLINT: that is its name */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/number.h"
#include "base/out.h"
#include "exchange/carrier_stream.h"

static void use(sl_stream *s, int fd) {
    s->in = s->out = fd;
    s->connect = NULL;
}

static void stop_listening(sl_stream *s) {
    struct stat st;
    if (lstat(s->path, &st) == 0 && st.st_ino == s->listener_inode) {
        (void)unlink(s->path);
    }
    (void)close(s->listener);
    s->listener = -1;
}

static bool address_of(const char *path, struct sockaddr_un *a) {
    *a = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof a->sun_path) {
        return false;
    }
    memcpy(a->sun_path, path, strlen(path));
    return true;
}

/* Listens under a name of its own, then under PATH unless somebody else does by now. */
static sl_cosim_code listen_at(sl_stream *s) {
    char own[SL_STREAM_PATH + 32];
    struct sockaddr_un a;
    struct stat st;
    (void)sl_format(own, sizeof own, "%s.%ld.%lx", s->path, (long)getpid(),
                    (unsigned long)((uintptr_t)s >> 4 & 0xFFFFFF));
    if (!address_of(own, &a)) {
        return sl_reporter_error(s->reporter, SL_COSIM_USE, "the path %s is too long for a socket", s->path);
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool bound = fd >= 0 && bind(fd, (const struct sockaddr *)&a, sizeof a) == 0;
    bool there = bound && listen(fd, 1) == 0 && lstat(own, &st) == 0 && link(own, s->path) == 0;
    int why = errno;
    if (bound) {
        (void)unlink(own);
    }
    if (there) {
        s->listener = fd;
        s->listener_inode = st.st_ino;
        return SL_COSIM_AGAIN;
    }
    if (fd >= 0) {
        (void)close(fd);
    }
    return why == EEXIST ? SL_COSIM_AGAIN
                         : sl_reporter_error(s->reporter, SL_COSIM_IO, "the socket %s cannot be made: %s", s->path,
                                             strerror(why));
}

static bool is_same_user(int fd) {
#ifdef SO_PEERCRED
    struct ucred who;
    socklen_t n = sizeof who;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0 && who.uid == geteuid();
#else
    uid_t user;
    gid_t group;
    return getpeereid(fd, &user, &group) == 0 && user == geteuid();
#endif
}

static sl_cosim_code accept_partner(sl_stream *s) {
    int fd = accept4(s->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) {
        if (is_same_user(fd)) {
            stop_listening(s);
            use(s, fd);
            return SL_COSIM_OK;
        }
        (void)close(fd);
        return SL_COSIM_AGAIN;
    }
    struct stat st;
    if (lstat(s->path, &st) != 0 || st.st_ino != s->listener_inode) {
        stop_listening(s);
    }
    return SL_COSIM_AGAIN;
}

static sl_cosim_code connect_unix(sl_stream *s) {
    if (s->listener >= 0) {
        return accept_partner(s);
    }
    struct sockaddr_un a;
    if (!address_of(s->path, &a)) {
        return sl_reporter_error(s->reporter, SL_COSIM_USE, "the path %s is too long for a socket", s->path);
    }
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd >= 0 && connect(fd, (const struct sockaddr *)&a, sizeof a) == 0) {
        use(s, fd);
        return SL_COSIM_OK;
    }
    int why = errno;
    if (fd >= 0) {
        (void)close(fd);
    }
    if (why == ECONNREFUSED) { /* its owner is dead, if it is a socket at all */
        struct stat st;
        if (lstat(s->path, &st) == 0 && !S_ISSOCK(st.st_mode)) {
            return sl_reporter_error(s->reporter, SL_COSIM_USE, "%s is there and is no socket", s->path);
        }
        (void)unlink(s->path);
    }
    if (why == ECONNREFUSED || why == ENOENT) {
        return listen_at(s);
    }
    return why == EAGAIN || why == EINTR
               ? SL_COSIM_AGAIN
               : sl_reporter_error(s->reporter, SL_COSIM_IO, "%s cannot be connected: %s", s->path, strerror(why));
}

static sl_cosim_code unix_open(const sl_carrier_def *def, void **self) {
    if (def->rest.len == 0 || def->rest.len >= SL_STREAM_PATH) {
        return sl_reporter_error(def->reporter, SL_COSIM_USE,
                                 "unix: needs a path of less than about 90 bytes, unix:PATH");
    }
    sl_stream *s = sl_stream_create(def);
    if (!s) {
        return SL_COSIM_MEMORY;
    }
    memcpy(s->path, def->rest.ptr, def->rest.len);
    s->socket = s->own_flags = true;
    s->connect = connect_unix;
    sl_cosim_code code = connect_unix(s);
    if (code < 0) {
        sl_stream_close(s, false);
        return code;
    }
    *self = s;
    return SL_COSIM_OK;
}

const sl_carrier_ops sl_carrier_unix = SL_STREAM_OPS("unix", unix_open);
