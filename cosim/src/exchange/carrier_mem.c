/* SPDX-License-Identifier: MIT */
/* carrier_mem.c: two exchanges of one process, usually in two threads: mem:NAME.
 *
 * Each end owns the place for the message it has put; the other end copies it out. So nobody frees what another has allocated,
 * and an end can go at any time. Ends that wait for their partner stand in a list of the process, the only state that
 * exchanges share; its lock also guards every pair (a message takes longer to make than to move).
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "exchange/receive_buffer.h"
#include "exchange/system.h"

typedef struct mem_end {
    sl_context *ctx;
    sl_reporter *reporter;
    struct mem_end *next, *partner;
    char *name;
    size_t name_size, max_bytes;
    sl_bytes out;
    bool full; /* out holds a message that was not taken */
    sl_receive_buffer in;
    bool gone, ended; /* the partner has left; it had aborted before */
    atomic_bool aborted;
    uint64_t bell, bell_seen; /* counts what concerns this end */
    pthread_cond_t rung;
} mem_end;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static mem_end *waiting = NULL;

static void ring(mem_end *e) {
    e->bell++;
    (void)pthread_cond_signal(&e->rung);
}

static sl_cosim_code mem_put(void *self, const char *bytes, size_t n) {
    mem_end *e = self;
    (void)pthread_mutex_lock(&lock);
    e->bell_seen = e->bell;
    sl_cosim_code code = e->gone ? SL_COSIM_GONE : e->full ? SL_COSIM_AGAIN : SL_COSIM_OK;
    (void)pthread_mutex_unlock(&lock);
    if (code != SL_COSIM_OK) {
        return code;
    }
    if (!SL_RESERVE(e->ctx, &e->out, (int64_t)n)) { /* nobody else looks at it while it is not full */
        return sl_reporter_error(e->reporter, SL_COSIM_MEMORY, "no memory for a message");
    }
    memcpy(e->out.at, bytes, n);
    e->out.n = (int64_t)n;
    (void)pthread_mutex_lock(&lock);
    e->full = true;
    if (e->partner) {
        ring(e->partner);
    }
    (void)pthread_mutex_unlock(&lock);
    return SL_COSIM_OK;
}

static bool mem_cancel(void *self) {
    (void)self;
    return true;
}

/* Copies the partner's message into the empty inbox. */
static sl_cosim_code fetch(mem_end *e) {
    sl_cosim_code code = SL_COSIM_AGAIN;
    (void)pthread_mutex_lock(&lock);
    const mem_end *p = e->partner;
    e->bell_seen = e->bell;
    if (p && p->full && !(p->out.n > 0 && SL_RESERVE(e->ctx, &e->in.bytes, p->out.n))) {
        code = sl_reporter_error(e->reporter, SL_COSIM_MEMORY, "no memory for a message");
    } else if (p && p->full) {
        memcpy(e->in.bytes.at, p->out.at, (size_t)p->out.n);
        e->in.bytes.n = p->out.n;
        code = SL_COSIM_OK;
    } else if (e->ended || (p && atomic_load(&p->aborted))) {
        code = SL_COSIM_END;
    } else if (e->gone) {
        code = SL_COSIM_GONE;
    }
    (void)pthread_mutex_unlock(&lock);
    return code;
}

static sl_cosim_code mem_done(void *self, bool bad) {
    mem_end *e = self;
    if (bad) {
        sl_receive_buffer_clear(&e->in);
    }
    if (bad || !sl_receive_buffer_done(&e->in)) {
        (void)pthread_mutex_lock(&lock);
        if (e->partner) {
            e->partner->full = false;
            ring(e->partner);
        }
        (void)pthread_mutex_unlock(&lock);
    }
    return SL_COSIM_OK;
}

static sl_cosim_code mem_take(void *self, int64_t n_expected, char **bytes, size_t *n) {
    mem_end *e = self;
    (void)n_expected;
    if (e->in.bytes.n == 0) {
        sl_cosim_code code = fetch(e);
        if (code != SL_COSIM_OK) {
            return code;
        }
    }
    size_t need;
    sl_cosim_code code = sl_receive_buffer_next(&e->in, e->max_bytes, e->reporter, bytes, n, &need);
    if (code == SL_COSIM_AGAIN) { /* a message comes whole or not at all */
        code = sl_reporter_error(e->reporter, SL_COSIM_BAD_FORMAT, "an incomplete message has arrived");
    }
    if (code < 0) {
        (void)mem_done(e, true);
    }
    return code;
}

static bool mem_is_free(void *self) {
    mem_end *e = self;
    (void)pthread_mutex_lock(&lock);
    bool is_free = !e->full || e->gone;
    (void)pthread_mutex_unlock(&lock);
    return is_free;
}

static void mem_wait(void *self, unsigned what, double seconds) {
    mem_end *e = self;
    (void)what;
    double until = sl_system_now() + seconds;
    struct timespec t = {(time_t)until, (long)(1e9 * (until - (double)(time_t)until))};
    (void)pthread_mutex_lock(&lock);
    int code = 0;
    while (e->bell == e->bell_seen && code == 0) {
        code = pthread_cond_timedwait(&e->rung, &lock, &t);
    }
    (void)pthread_mutex_unlock(&lock);
}

/* No lock in a signal handler: the partner looks every 50 ms. */
static void mem_abort(void *self) {
    mem_end *e = self;
    atomic_store(&e->aborted, true);
}

static void mem_close(void *self, bool keep) {
    mem_end *e = self;
    (void)keep;
    (void)pthread_mutex_lock(&lock);
    if (e->partner) {
        e->partner->partner = NULL;
        e->partner->gone = true;
        e->partner->ended = atomic_load(&e->aborted);
        ring(e->partner);
    }
    for (mem_end **p = &waiting; *p; p = &(*p)->next) {
        if (*p == e) {
            *p = e->next;
            break;
        }
    }
    (void)pthread_mutex_unlock(&lock);
    (void)pthread_cond_destroy(&e->rung);
    sl_bytes_fini(&e->out);
    sl_bytes_fini(&e->in.bytes);
    sl_free(e->ctx, e->name, e->name_size);
    sl_free(e->ctx, e, sizeof *e);
}

/* The end of that name that waits longest, or this one waits. */
static void meet(mem_end *e) {
    (void)pthread_mutex_lock(&lock);
    mem_end **p = &waiting;
    while (*p && strcmp((*p)->name, e->name) != 0) {
        p = &(*p)->next;
    }
    if (*p) {
        e->partner = *p;
        *p = e->partner->next;
        e->partner->next = NULL;
        e->partner->partner = e;
        ring(e->partner);
    } else {
        *p = e;
    }
    (void)pthread_mutex_unlock(&lock);
}

static sl_cosim_code mem_open(const sl_carrier_def *def, void **self) {
    if (def->rest.len == 0) {
        return sl_reporter_error(def->reporter, SL_COSIM_USE, "mem: needs a name that both sides use, mem:NAME");
    }
    mem_end *e = sl_alloc(def->ctx, sizeof *e);
    char *name = e ? sl_alloc(def->ctx, def->rest.len + 1) : NULL;
    if (!name) {
        sl_free(def->ctx, e, sizeof *e);
        return SL_COSIM_MEMORY;
    }
    e->ctx = def->ctx;
    e->reporter = def->reporter;
    e->max_bytes = def->def->max_bytes;
    e->name = memcpy(name, def->rest.ptr, def->rest.len);
    e->name_size = def->rest.len + 1;
    sl_bytes_init(&e->out, e->ctx);
    sl_bytes_init(&e->in.bytes, e->ctx);
    atomic_init(&e->aborted, false);
    pthread_condattr_t clock;
    (void)pthread_condattr_init(&clock);
    (void)pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&e->rung, &clock);
    (void)pthread_condattr_destroy(&clock);
    meet(e);
    *self = e;
    return SL_COSIM_OK;
}

const sl_carrier_ops sl_carrier_mem = {
    .scheme = "mem",
    .framed = true,
    .wakes = true,
    .open = mem_open,
    .put = mem_put,
    .cancel = mem_cancel,
    .take = mem_take,
    .done = mem_done,
    .is_free = mem_is_free,
    .wait = mem_wait,
    .abort = mem_abort,
    .close = mem_close,
};
