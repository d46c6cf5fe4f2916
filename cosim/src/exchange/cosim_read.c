/* SPDX-License-Identifier: MIT */
/* cosim_read.c: messages that come. Each is read as a whole, checked, put into the store, and only then given back to the
 * carrier: the partner learns that it was taken when it was.
 */
#include "exchange/cosim_impl.h"

#include "exchange/frame.h"

/* The in-variable that a row is for; NULL: none. */
static sl_store_entry *target(sl_cosim *x, int64_t i, sl_cosim_entity entity) {
    if (!x->by_entity) {
        return &x->store.entry.at[x->in.at[i]];
    }
    for (int64_t low = 0, high = x->in.n;
         low < high;) { /* checks.entity holds the list's numbers, sorted with their places */
        int64_t mid = low + (high - low) / 2;
        const sl_store_entry *e = &x->store.entry.at[x->in.at[x->checks.entity.at[mid]]];
        if (e->entity == entity) {
            return &x->store.entry.at[x->in.at[x->checks.entity.at[mid]]];
        }
        if (e->entity < entity) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return NULL;
}

static sl_cosim_code accept(sl_cosim *x, const sl_message *m) {
    sl_cosim_code code = sl_cosim_check_got(x, m);
    if (code != SL_COSIM_OK) {
        return code;
    }
    sl_store_clear(&x->store);
    for (int64_t i = 0; i < m->row.n; i++) {
        sl_store_entry *e = target(x, i, m->row.at[i].entity);
        if (!e) {
            code = sl_reporter_content(&x->reporter, SL_WARNING_ENTITY, "nothing is known of entity %lld",
                                       (long long)m->row.at[i].entity);
            if (code != SL_COSIM_OK) {
                return code;
            }
        } else if (!sl_store_set(&x->store, e, m->row.at[i].value, m->row.at[i].text)) {
            return SL_COSIM_MEMORY;
        }
    }
    x->time = m->time;
    x->next = m->next;
    return SL_COSIM_OK;
}

static sl_cosim_code decode(sl_cosim *x, char *bytes, size_t n) {
    sl_cosim_code code = x->ops->framed ? sl_frame_read(x->ctx, bytes, n, x->in.n, &x->got)
                                        : sl_text_read(x->ctx, bytes, n, x->in.n, &x->got);
    if (code == SL_COSIM_BAD_FORMAT) {
        (void)sl_reporter_error(
            &x->reporter, code, "%s, line %lld: %s (message %lld%s)", sl_cosim_endpoint_name(x, false),
            (long long)x->got.error_line, x->got.error, (long long)x->stats.n_read + 1,
            x->ops->framed || x->def.transient ? "" : "; the file is kept, with .bad after its name");
    }
    return code;
}

/* One look: the next message, if there is one. */
static sl_cosim_code try_take(sl_cosim *x, void *unused) {
    (void)unused;
    for (;;) {
        char *bytes = NULL;
        size_t n = 0;
        sl_cosim_code code = x->ops->take(x->carrier, x->in.n, &bytes, &n);
        if (code == SL_COSIM_END) {
            x->terminated = true;
        }
        if (code != SL_COSIM_OK) {
            return code;
        }
        code = decode(x, bytes, n);
        x->stats.bytes_read += (int64_t)n;
        bool hello = code == SL_COSIM_OK && x->got.kind == SL_MESSAGE_HELLO;
        if (hello) {
            x->was_greeted = true;
            code = sl_cosim_check_hello(x, &x->got);
        } else if (code == SL_COSIM_OK) {
            code = accept(x, &x->got);
        }
        if (code == SL_COSIM_MEMORY) {
            return sl_reporter_error(&x->reporter, code, "no memory for a message of %zu bytes", n);
        }
        sl_cosim_code gone = x->ops->done(x->carrier, code < 0);
        code = code >= 0 && gone < 0 ? gone : code;
        if (code == SL_COSIM_END) {
            x->terminated = true;
        }
        if (!hello || code != SL_COSIM_OK) {
            x->stats.n_read += code == SL_COSIM_OK;
            return code;
        }
    }
}

static sl_cosim_code read_message(sl_cosim *x, bool wait) {
    if (!x) {
        return SL_COSIM_USE;
    }
    sl_cosim_code code = sl_cosim_fix_lists(x);
    if (code != SL_COSIM_OK) {
        return code;
    }
    if (x->terminated || atomic_load(&x->aborted)) {
        sl_store_clear(&x->store);
        return SL_COSIM_END;
    }
    if (wait) {
        sl_store_clear(&x->store);
        code = sl_cosim_wait(x, try_take, NULL, SL_WAIT_IN, x->def.read_timeout);
    } else {
        code = sl_cosim_attempt_once(x, try_take, NULL);
    }
    if (code != SL_COSIM_OK && code != SL_COSIM_AGAIN) {
        sl_store_clear(&x->store);
    }
    return code;
}

sl_cosim_code sl_cosim_read(sl_cosim *x) {
    return read_message(x, true);
}

sl_cosim_code sl_cosim_try_read(sl_cosim *x) {
    return read_message(x, false);
}
