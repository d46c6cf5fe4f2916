/* SPDX-License-Identifier: MIT */
/* state.c: a session's state as bytes, and back.
 *
 * A head tells what the bytes are and of what: engine, model, version. Then come the session's own few numbers, the
 * engine's bytes, and over all of it a checksum that finds every change within eight bytes, and others but for one in
 * 2^64. Numbers are those of the machine (a mark tells the order of bytes): state is for going on, not for exchange.
 * The time shown and the reports still to come follow from the session's time and are not stored.
 */
#include "session/session_impl.h"

#include "base/out.h"

#include <string.h>

enum { STATE_VERSION = 1, ORDER_MARK = 0x01020304 };

static const char magic[8] = {'S', 'L', 's', 't', 'a', 't', 'e', '\n'};

typedef struct head {
    char magic[8];
    uint32_t version, order;
    char engine[16], library[16]; /* names, zeros after them */
    uint64_t model;               /* its hash */
    uint64_t n;                   /* bytes of the engine that follow */
    double time;                  /* [s] */
    uint32_t started;
    int32_t n_tiny;
    uint64_t checksum; /* of all but itself */
} head;

_Static_assert(sizeof(head) == 88, "no gaps: every byte is written and checked");

/* Each step is a bijection of the sum for given bytes, and of the bytes for a given sum: no change of one word is lost. */
static uint64_t checksum(uint64_t sum, const void *bytes, size_t n) {
    const char *p = bytes;
    for (; n > 0; n -= n < 8 ? n : 8, p += 8) {
        uint64_t word = 0;
        memcpy(&word, p, n < 8 ? n : 8);
        sum = (sum ^ word) * UINT64_C(0x9E3779B97F4A7C15);
        sum ^= sum >> 32;
    }
    return sum;
}

static uint64_t checksum_of(const head *h, const void *bytes) {
    uint64_t sum = checksum(0, h, offsetof(head, checksum));
    return checksum(sum, bytes, (size_t)h->n);
}

static head make_head(const sl_session *s) {
    head h = {.version = STATE_VERSION,
              .order = ORDER_MARK,
              .model = s->ops->model_hash(s->engine),
              .n = s->ops->save_size(s->engine),
              .time = s->t,
              .started = s->started,
              .n_tiny = s->n_tiny};
    memcpy(h.magic, magic, sizeof magic);
    (void)sl_format(h.engine, sizeof h.engine, "%s", s->ops->name);
    (void)sl_format(h.library, sizeof h.library, "%s", sl_version());
    return h;
}

sl_status sl_session_save(sl_session *s, const sl_sink *sink) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !sink) {
        return SL_ERR_USE;
    }
    head h = make_head(s);
    void *bytes = sl_alloc(s->ctx, (size_t)h.n + 1); /* a size of 0 is not a failure */
    if (!bytes) {
        return SL_ERR_MEMORY;
    }
    s->ops->save(s->engine, bytes);
    h.checksum = checksum_of(&h, bytes);
    sl_status status = sink->write(sink->user, &h, sizeof h);
    if (status == SL_OK && h.n > 0) {
        status = sink->write(sink->user, bytes, (size_t)h.n);
    }
    sl_free(s->ctx, bytes, (size_t)h.n + 1);
    return status;
}

/* What is wrong with the bytes for this session; NULL: nothing. */
static const char *fault_of(const sl_session *s, const head *h, const void *bytes, size_t n) {
    head own = make_head(s);
    if (n < sizeof *h || memcmp(h->magic, magic, sizeof magic) != 0) {
        return "these bytes are no saved state";
    }
    if (h->version != own.version || memcmp(h->library, own.library, sizeof own.library) != 0) {
        return "the state was saved by another version of Sluice";
    }
    if (h->order != own.order) {
        return "the state was saved on another kind of machine";
    }
    if (h->n != n - sizeof *h) {
        return "the saved state is cut off or has something after it";
    }
    if (h->checksum != checksum_of(h, (const char *)bytes + sizeof *h)) {
        return "the saved state is damaged: its checksum does not fit";
    }
    if (memcmp(h->engine, own.engine, sizeof own.engine) != 0) {
        return "the state belongs to another engine";
    }
    return h->model != own.model ? "the state belongs to another model" : NULL;
}

/* The engine takes the bytes and can show the time, or is as it was. */
static sl_status replace_engine_state(sl_session *s, double t, const void *bytes, size_t n) {
    size_t size = s->ops->save_size(s->engine) + 1;
    void *backup = sl_alloc(s->ctx, size);
    if (!backup) {
        return SL_ERR_MEMORY;
    }
    s->ops->save(s->engine, backup);
    sl_status status = s->ops->restore(s->engine, bytes, n);
    bool replaced = status == SL_OK;
    s->shown = s->ops->time(s->engine);
    status = replaced ? sl_session_show(s, t) : status;
    if (status != SL_OK && replaced) {
        (void)s->ops->restore(s->engine, backup, size - 1);
        s->shown = s->ops->time(s->engine);
    }
    if (status != SL_OK) {
        (void)sl_session_show(s, s->t);
    }
    sl_free(s->ctx, backup, size);
    return status;
}

sl_status sl_session_restore(sl_session *s, const void *bytes, size_t n) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION) || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    if (sl_session_has_open_sink(s)) {
        return sl_session_refuse(s, "a state cannot be restored while results are being written",
                                 "end the results first, or restore before the first step");
    }
    head h = {0};
    memcpy(&h, bytes, n < sizeof h ? n : sizeof h);
    const char *fault = fault_of(s, &h, bytes, n);
    sl_status status = fault ? SL_ERR_INPUT : SL_OK;
    if (!fault) {
        status = replace_engine_state(s, h.time, (const char *)bytes + sizeof h, (size_t)h.n);
        fault = status == SL_OK || status == SL_ERR_MEMORY ? NULL : "the engine does not take the saved state";
    }
    if (fault) {
        sl_session_add_diag(s, SL_ERROR, SL_CODE_STATE, NULL, NULL, NULL, "%s", fault);
        status = status == SL_ERR_USE ? SL_ERR_INPUT : status; /* a time outside the engine's last step */
    }
    if (status != SL_OK) {
        return status;
    }
    s->t = s->progress_next = h.time;
    s->started = h.started != 0;
    s->n_tiny = h.n_tiny;
    s->touched = true;
    s->failed = SL_OK;
    sl_session_reports_drop(s);
    sl_session_events_drop(s);
    sl_session_reports_reset(s);
    return SL_OK;
}
