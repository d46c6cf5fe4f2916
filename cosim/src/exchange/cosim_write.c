/* SPDX-License-Identifier: MIT */
/* cosim_write.c: messages that go: by order or from the store, with a greeting ahead of the first where messages have frames. */
#include "exchange/cosim_impl.h"

#include <math.h>
#include <string.h>

#include "exchange/frame.h"

/* Who we are, and all variables: ahead of the first message, and with it, so that a place for one message is enough. */
static bool greet(sl_cosim *x) {
    sl_message m;
    sl_message_init(&m);
    m.kind = SL_MESSAGE_HELLO;
    m.seq = (uint64_t)sl_system_process();
    m.time = x->def.start;
    m.n_in = x->in.n;
    int64_t n = x->in.n + x->out.n;
    bool ok = SL_RESERVE(x->ctx, &m.row, n);
    for (int64_t i = 0; i < n && ok; i++) {
        bool is_in = i < x->in.n;
        const sl_store_entry *e = &x->store.entry.at[is_in ? x->in.at[i] : x->out.at[i - x->in.n]];
        m.row.at[m.row.n++] =
            (sl_message_row){e->entity, e->type, (double)e->type, sl_str_z(is_in ? e->in_text : e->out_text)};
    }
    ok = ok && sl_frame_write(&x->bytes, &m, x->def.binary, x->def.csv_quote);
    sl_message_fini(x->ctx, &m);
    return ok;
}

sl_cosim_code sl_cosim_encode(sl_cosim *x, sl_message_kind kind, double t, double dt) {
    x->bytes.n = 0;
    bool ok = !x->ops->framed || x->greeted || greet(x);
    x->put.kind = kind;
    x->put.seq = x->seq;
    x->put.time = t;
    x->put.next = dt;
    ok = ok && (x->ops->framed ? sl_frame_write(&x->bytes, &x->put, x->def.binary, x->def.csv_quote)
                               : sl_text_write(&x->bytes, &x->put, x->def.csv_quote));
    if (!ok) {
        return sl_reporter_error(&x->reporter, SL_COSIM_MEMORY, "no memory for a message");
    }
    if ((size_t)x->bytes.n > x->def.max_bytes) {
        return sl_reporter_error(&x->reporter, SL_COSIM_LIMIT, "a message of %lld bytes is larger than the %zu allowed",
                                 (long long)x->bytes.n, x->def.max_bytes);
    }
    return SL_COSIM_OK;
}

/* Does the partner's END wait to be read? Then nobody needs our message. */
static bool end_is_waiting(sl_cosim *x) {
    char *bytes;
    size_t n;
    sl_cosim_code code = x->ops->take(x->carrier, x->in.n, &bytes, &n);
    if (code != SL_COSIM_OK) {
        return code == SL_COSIM_END;
    }
    char end[2][SL_FRAME_END_MOST];
    size_t n_end[2] = {sl_frame_end(false, end[0]), sl_frame_end(true, end[1])};
    if (!x->ops->framed) {
        return sl_text_classify(bytes, n, x->in.n) == SL_TEXT_END;
    }
    return (n == n_end[0] && memcmp(bytes, end[0], n) == 0) ||
           (n == n_end[1] && memcmp(bytes, "SLCS", 4) == 0 && bytes[6] == end[1][6]);
}

sl_cosim_code sl_cosim_try_put(sl_cosim *x, void *dropped) {
    sl_cosim_code code = x->ops->put(x->carrier, x->bytes.at, (size_t)x->bytes.n);
    if (code == SL_COSIM_AGAIN && dropped && end_is_waiting(x) && x->ops->cancel(x->carrier)) {
        *(bool *)dropped = true;
        return SL_COSIM_OK;
    }
    if (code == SL_COSIM_OK) {
        x->greeted = true;
        x->seq++;
        x->stats.bytes_written += x->bytes.n;
    }
    return code;
}

/* The rows are in x->put. */
static sl_cosim_code write_rows(sl_cosim *x, double t, double dt) {
    sl_cosim_code code = sl_cosim_encode(x, SL_MESSAGE_DATA, t, dt);
    if (code != SL_COSIM_OK) {
        return code;
    }
    bool dropped = false;
    code = sl_cosim_wait(x, sl_cosim_try_put, &dropped, SL_WAIT_IN | SL_WAIT_OUT, x->def.write_timeout);
    if (code != SL_COSIM_OK) {
        if (!x->ops->cancel(x->carrier)) {
            x->gone = true;
        }
        return code == SL_COSIM_END ? SL_COSIM_OK : code;
    }
    if (dropped) {
        return SL_COSIM_OK;
    }
    x->stats.n_written++;
    return sl_cosim_check_put(x, t, dt);
}

/* Binary messages do not repeat what the greeting has said of a variable. */
static sl_str text_of(const sl_cosim *x, const sl_store_entry *e) {
    return sl_str_z(x->ops->framed && x->def.binary ? "" : e->out_text);
}

/* False in *go: the message is pointless or cannot be. */
static sl_cosim_code begin_write(sl_cosim *x, double t, double dt, bool *go) {
    *go = false;
    if (!x) {
        return SL_COSIM_USE;
    }
    sl_cosim_code code = sl_cosim_fix_lists(x);
    if (code != SL_COSIM_OK || x->terminated || atomic_load(&x->aborted)) {
        return code;
    }
    if (!isfinite(t)) {
        return sl_reporter_error(&x->reporter, SL_COSIM_USE, "the time of a message is not finite");
    }
    if (!isfinite(dt)) {
        sl_reporter_warning(&x->reporter, SL_WARNING_MISSING,
                            "the step after %.9g s is not finite and is written as NaN", t);
    }
    x->put.row.n = 0;
    if (!SL_RESERVE(x->ctx, &x->put.row, x->out.n)) {
        return sl_reporter_error(&x->reporter, SL_COSIM_MEMORY, "no memory for a message");
    }
    *go = true;
    return SL_COSIM_OK;
}

/* Warns of values that are none; the first is named. */
static void check_values(sl_cosim *x, double t) {
    int64_t missing = 0;
    const sl_message_row *first = NULL;
    for (int64_t i = 0; i < x->put.row.n; i++) {
        if (!isfinite(x->put.row.at[i].value)) {
            first = missing++ == 0 ? &x->put.row.at[i] : first;
            x->put.row.at[i].value = NAN;
        }
    }
    if (missing > 0) {
        sl_reporter_warning(
            &x->reporter, SL_WARNING_MISSING,
            "at %.9g s %lld of %lld values are missing and are written as NaN; the first is of entity %lld (%.*s)", t,
            (long long)missing, (long long)x->put.row.n, (long long)first->entity,
            (int)(first->text.len < 100 ? first->text.len : 100), first->text.len ? first->text.ptr : "");
    }
}

sl_cosim_code sl_cosim_write_values(sl_cosim *x, double t, double dt, const double *values, size_t n) {
    bool go;
    sl_cosim_code code = begin_write(x, t, dt, &go);
    if (!go) {
        return code;
    }
    if (!values && n > 0) {
        return sl_reporter_error(&x->reporter, SL_COSIM_USE, "no values to write");
    }
    if (n != (size_t)x->out.n) {
        sl_reporter_warning(&x->reporter, SL_WARNING_ROWS, "%zu values for %lld variables", n, (long long)x->out.n);
    }
    for (int64_t i = 0; i < x->out.n; i++) {
        const sl_store_entry *e = &x->store.entry.at[x->out.at[i]];
        x->put.row.at[x->put.row.n++] =
            (sl_message_row){e->entity, e->type, (size_t)i < n ? values[i] : (double)NAN, text_of(x, e)};
    }
    check_values(x, t);
    return write_rows(x, t, dt);
}

sl_cosim_code sl_cosim_write(sl_cosim *x, double t, double dt) {
    bool go;
    sl_cosim_code code = begin_write(x, t, dt, &go);
    if (!go) {
        return code;
    }
    for (int64_t i = 0; i < x->out.n; i++) {
        const sl_store_entry *e = &x->store.entry.at[x->out.at[i]];
        bool said = e->text_round == x->store.round;
        x->put.row.at[x->put.row.n++] = (sl_message_row){e->entity, e->type, sl_store_value(&x->store, e),
                                                         said ? sl_str_z(sl_store_text(&x->store, e)) : text_of(x, e)};
    }
    check_values(x, t);
    return write_rows(x, t, dt);
}
