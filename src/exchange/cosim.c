/* cosim.c: the manager of an exchange: variables, the store, reading and writing. Waiting and closing are in cosim_wait.c.
 *
 * A message is read as a whole, checked, put into the store, and only then given back to the carrier: the partner learns that
 * it was taken when it was. Times in seconds; what values mean is the application's business.
 */
#include "exchange/cosim_impl.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/context.h"
#include "exchange/cosim_wait.h"
#include "exchange/frame.h"

static const size_t MOST = (size_t)64 << 20;
static const double SHORT_WAIT = 5.0;

const char *sl_cosim_code_text(sl_cosim_code code) {
    static const struct {
        sl_cosim_code code;
        const char *text;
    } texts[] = {
        {SL_COSIM_OK, "ok"},
        {SL_COSIM_END, "the partner has ended"},
        {SL_COSIM_AGAIN, "nothing there yet"},
        {SL_COSIM_BAD_FORMAT, "not a message"},
        {SL_COSIM_IO, "input or output failed"},
        {SL_COSIM_TIMEOUT, "waited as long as allowed"},
        {SL_COSIM_GONE, "the partner died"},
        {SL_COSIM_STALE, "files of an earlier run are in the way"},
        {SL_COSIM_USE, "wrong use"},
        {SL_COSIM_NO_DATA, "no such value"},
        {SL_COSIM_LIMIT, "larger than allowed"},
        {SL_COSIM_MEMORY, "out of memory"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i].code == code) {
            return texts[i].text;
        }
    }
    return "unknown code";
}

sl_cosim_def sl_cosim_default(void) {
    return (sl_cosim_def){.size = sizeof(sl_cosim_def), .in = "cosim_in.cosim", .out = "cosim_out.cosim", .start = NAN};
}

bool sl_cosim_reads(int64_t step, int64_t skip) {
    return step >= skip;
}

bool sl_cosim_writes(int64_t step, int64_t skip) {
    return step >= skip - 1;
}

/* ---- Opening ------------------------------------------------------------------------------------ */

sl_str sl_carrier_option(sl_str rest, const char *key) {
    size_t n = strlen(key);
    while (rest.len > 0) {
        const char *stop = memchr(rest.ptr, ';', rest.len);
        size_t len = stop ? (size_t)(stop - rest.ptr) : rest.len;
        if (len > n && memcmp(rest.ptr, key, n) == 0 && rest.ptr[n] == '=') {
            return (sl_str){rest.ptr + n + 1, len - n - 1};
        }
        rest = stop ? (sl_str){stop + 1, rest.len - len - 1} : (sl_str){NULL, 0};
    }
    return rest;
}

static sl_cosim_code open_carrier(sl_cosim *x) {
    static const sl_carrier_ops *const carriers[] = {&sl_carrier_file, &sl_carrier_mem,  &sl_carrier_fd,
                                                     &sl_carrier_pipe, &sl_carrier_unix, &sl_carrier_shm};
    sl_carrier_def def = {.ctx = x->ctx, .tell = &x->tell, .def = &x->def, .rest = {"", 0}};
    x->ops = &sl_carrier_file;
    if (x->def.uri) {
        size_t n = strcspn(x->def.uri, ":");
        x->ops = NULL;
        for (size_t i = 0; i < sizeof carriers / sizeof *carriers; i++) {
            if (strlen(carriers[i]->scheme) == n && memcmp(carriers[i]->scheme, x->def.uri, n) == 0 && x->def.uri[n]) {
                x->ops = carriers[i];
                def.rest = sl_str_z(x->def.uri + n + 1);
            }
        }
        if (!x->ops) {
            return sl_tell_error(
                &x->tell, SL_COSIM_USE,
                "'%s' names no carrier: file:in=A;out=B mem:NAME fd:IN,OUT pipe:in=A;out=B unix:PATH shm:NAME",
                x->def.uri);
        }
    }
    return x->ops->open(&def, &x->carrier);
}

/* Values that make no sense. */
static sl_cosim_code check_def(const sl_cosim *x) {
    const sl_cosim_def *d = &x->def;
    bool fine = d->read_timeout >= 0 && d->write_timeout >= 0 && d->close_timeout >= 0 && d->short_wait >= 0 &&
                d->partner >= 0 && d->partner <= INT32_MAX && (d->uri || (d->in && d->out)) &&
                d->phase >= SL_COSIM_PHASE_AUTO && d->phase <= SL_COSIM_PHASE_NONE && d->stale >= SL_COSIM_STALE_AUTO &&
                d->stale <= SL_COSIM_STALE_REFUSE && d->ack >= SL_COSIM_ACK_DELETE && d->ack <= SL_COSIM_ACK_OVERWRITE;
    return fine ? SL_COSIM_OK : SL_COSIM_USE;
}

static sl_cosim_code begin(sl_cosim *x) {
    sl_cosim_code code = check_def(x);
    if (code != SL_COSIM_OK) {
        return sl_tell_error(&x->tell, code, "the definition of the exchange has a value that cannot be");
    }
    x->def.most = x->def.most ? x->def.most : MOST;
    x->def.short_wait = x->def.short_wait > 0 ? x->def.short_wait : SHORT_WAIT;
    code = open_carrier(x);
    if (code == SL_COSIM_MEMORY) {
        (void)sl_tell_error(&x->tell, code, "no memory to open the exchange");
    }
    if (code == SL_COSIM_OK) {
        sl_cosim_watch_partner(x);
    }
    x->checks.phase = x->def.phase == SL_COSIM_PHASE_START ? -1 : 0;
    x->def.in = x->def.out = x->def.uri = NULL; /* the caller's */
    return code;
}

sl_cosim_code sl_cosim_open(sl_context *ctx, const sl_cosim_def *def, sl_cosim **out) {
    if (!out) {
        return SL_COSIM_USE;
    }
    *out = NULL;
    sl_cosim_def d = sl_cosim_default();
    if (def) {
        if (def->size < offsetof(sl_cosim_def, uri)) {
            return SL_COSIM_USE; /* not from sl_cosim_default */
        }
        memcpy(&d, def, def->size < sizeof d ? def->size : sizeof d);
    }
    sl_context *own = NULL;
    if (!ctx && sl_context_create(NULL, &own) != SL_OK) {
        return SL_COSIM_MEMORY;
    }
    ctx = ctx ? ctx : own;
    sl_cosim *x = sl_alloc(ctx, sizeof *x);
    if (!x) {
        sl_context_destroy(own);
        return SL_COSIM_MEMORY;
    }
    x->ctx = ctx;
    x->own = own;
    x->def = d;
    x->tell = (sl_teller){.warning = d.warning, .error = d.error, .user = d.user, .strict = d.strict};
    x->partner = -1;
    x->time = x->next = NAN;
    sl_arena_init(&x->arena, ctx);
    sl_store_init(&x->store, ctx);
    sl_message_init(&x->got);
    sl_message_init(&x->put);
    sl_bytes_init(&x->bytes, ctx);
    atomic_init(&x->aborted, false);
    sl_cosim_code code = begin(x);
    if (code != SL_COSIM_OK) {
        sl_cosim_free(x);
        return code;
    }
    *out = x;
    return SL_COSIM_OK;
}

void sl_cosim_free(sl_cosim *x) {
    sl_context *ctx = x->ctx, *own = x->own;
    if (x->partner >= 0) {
        (void)close(x->partner);
    }
    sl_bytes_fini(&x->bytes);
    sl_message_fini(ctx, &x->got);
    sl_message_fini(ctx, &x->put);
    sl_store_fini(&x->store);
    sl_arena_fini(&x->arena);
    SL_ARRAY_FINI(ctx, &x->in);
    SL_ARRAY_FINI(ctx, &x->out);
    SL_ARRAY_FINI(ctx, &x->checks.entity);
    sl_free(ctx, x, sizeof *x);
    sl_context_destroy(own);
}

/* ---- Variables ---------------------------------------------------------------------------------- */

static sl_cosim_code add(sl_cosim *x, bool is_in, sl_cosim_entity entity, sl_cosim_type type, const char *text) {
    if (!x) {
        return SL_COSIM_USE;
    }
    const char *list = is_in ? "read" : "written";
    if (x->begun) {
        return sl_tell_error(&x->tell, SL_COSIM_USE,
                             "a variable (entity %lld, type %ld) was added after the first message", (long long)entity,
                             (long)type);
    }
    sl_store_entry *e = sl_store_find(&x->store, type, entity);
    if (e && (is_in ? e->in : e->out) >= 0) {
        return sl_tell_error(&x->tell, SL_COSIM_USE,
                             "entity %lld of type %ld is already among the variables that are %s", (long long)entity,
                             (long)type, list);
    }
    int64_t n = is_in ? x->in.n : x->out.n;
    bool room = is_in ? SL_RESERVE(x->ctx, &x->in, n + 1) : SL_RESERVE(x->ctx, &x->out, n + 1);
    const char *copy = text && *text ? sl_arena_copy(&x->arena, sl_str_z(text)) : "";
    e = room && copy ? sl_store_make(&x->store, type, entity) : NULL;
    if (!e) {
        return sl_tell_error(&x->tell, SL_COSIM_MEMORY, "no memory for a variable");
    }
    int64_t index = e - x->store.entry.at;
    if (is_in) {
        e->in = n;
        e->in_text = copy;
        x->in.at[x->in.n++] = index;
    } else {
        e->out = n;
        e->out_text = copy;
        x->out.at[x->out.n++] = index;
    }
    return SL_COSIM_OK;
}

sl_cosim_code sl_cosim_add_in(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, const char *text) {
    return add(x, true, entity, type, text);
}

sl_cosim_code sl_cosim_add_out(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, const char *text) {
    return add(x, false, entity, type, text);
}

/* ---- Reading ------------------------------------------------------------------------------------ */

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
            code = sl_tell_content(&x->tell, SL_TELL_ENTITY, "nothing is known of entity %lld",
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
        (void)sl_tell_error(&x->tell, code, "message %lld, line %lld: %s", (long long)x->stats.n_read + 1,
                            (long long)x->got.error_line, x->got.error);
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
            return sl_tell_error(&x->tell, code, "no memory for a message of %zu bytes", n);
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

/* The places of the in-variables in the order of their numbers, when these are to count and no two are equal. */
static bool sort_entities(sl_cosim *x) {
    sl_cosim_checks *c = &x->checks;
    if (!SL_RESERVE(x->ctx, &c->entity, 2 * x->in.n)) {
        return false;
    }
    int64_t n = x->in.n, *from = c->entity.at, *to = from + n;
    for (int64_t i = 0; i < n; i++) {
        from[i] = i;
    }
    for (int64_t width = 1; width < n; width *= 2) { /* merging runs */
        for (int64_t low = 0; low < n; low += 2 * width) {
            int64_t mid = low + width < n ? low + width : n, high = low + 2 * width < n ? low + 2 * width : n;
            for (int64_t a = low, b = mid, k = low; k < high; k++) {
                bool left = a < mid && (b >= high || x->store.entry.at[x->in.at[from[a]]].entity <=
                                                         x->store.entry.at[x->in.at[from[b]]].entity);
                to[k] = left ? from[a++] : from[b++];
            }
        }
        int64_t *swap = from;
        from = to;
        to = swap;
    }
    if (from != c->entity.at) {
        memcpy(c->entity.at, from, (size_t)n * sizeof *from);
    }
    c->entity.n = n;
    bool unique = true;
    for (int64_t i = 1; i < n && unique; i++) {
        unique = x->store.entry.at[x->in.at[c->entity.at[i]]].entity !=
                 x->store.entry.at[x->in.at[c->entity.at[i - 1]]].entity;
    }
    x->by_entity = c->entity_known = unique;
    if (!unique) {
        sl_tell_warning(&x->tell, SL_TELL_ENTITY,
                        "two variables that are read have the same number: values go by position");
    }
    return true;
}

/* From the first message on the lists are fixed. */
static sl_cosim_code fix_lists(sl_cosim *x) {
    if (!x->begun && x->def.map_entity && x->in.n > 0 && !sort_entities(x)) {
        return sl_tell_error(&x->tell, SL_COSIM_MEMORY, "no memory for the variables");
    }
    x->begun = true;
    return SL_COSIM_OK;
}

static sl_cosim_code read_message(sl_cosim *x, bool wait) {
    if (!x) {
        return SL_COSIM_USE;
    }
    sl_cosim_code code = fix_lists(x);
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
        code = sl_cosim_look(x, try_take, NULL);
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

bool sl_cosim_is_terminated(const sl_cosim *x) {
    return x && x->terminated;
}

double sl_cosim_time(const sl_cosim *x) {
    return x ? x->time : (double)NAN;
}

double sl_cosim_next(const sl_cosim *x) {
    return x ? x->next : (double)NAN;
}

sl_cosim_code sl_cosim_value(const sl_cosim *x, sl_cosim_type type, sl_cosim_entity entity, double *value) {
    if (!x || !value) {
        return SL_COSIM_USE;
    }
    *value = sl_store_value(&x->store, sl_store_find(&x->store, type, entity));
    return isnan(*value) ? SL_COSIM_NO_DATA : SL_COSIM_OK;
}

sl_cosim_code sl_cosim_values(const sl_cosim *x, double *values, size_t n) {
    if (!x || (!values && n > 0)) {
        return SL_COSIM_USE;
    }
    for (size_t i = 0; i < n; i++) {
        values[i] = i < (size_t)x->in.n ? sl_store_value(&x->store, &x->store.entry.at[x->in.at[i]]) : (double)NAN;
    }
    return SL_COSIM_OK;
}

const char *sl_cosim_text(const sl_cosim *x, sl_cosim_type type, sl_cosim_entity entity) {
    return x ? sl_store_text(&x->store, sl_store_find(&x->store, type, entity)) : NULL;
}

/* ---- Writing ------------------------------------------------------------------------------------ */

sl_cosim_code sl_cosim_prepare(sl_cosim *x) {
    if (!x) {
        return SL_COSIM_USE;
    }
    sl_store_clear(&x->store);
    return SL_COSIM_OK;
}

sl_cosim_code sl_cosim_set(sl_cosim *x, sl_cosim_entity entity, sl_cosim_type type, double value, const char *text) {
    if (!x) {
        return SL_COSIM_USE;
    }
    sl_store_entry *e = sl_store_make(&x->store, type, entity);
    if (!e || !sl_store_set(&x->store, e, value, sl_str_z(text))) {
        return sl_tell_error(&x->tell, SL_COSIM_MEMORY, "no memory for a value");
    }
    return SL_COSIM_OK;
}

/* Who we are, and all variables: ahead of the first message, and with it, so that a place for one message is enough. */
static bool greet(sl_cosim *x) {
    sl_message m;
    sl_message_init(&m);
    m.kind = SL_MESSAGE_HELLO;
    m.seq = (uint64_t)getpid();
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
        return sl_tell_error(&x->tell, SL_COSIM_MEMORY, "no memory for a message");
    }
    if ((size_t)x->bytes.n > x->def.most) {
        return sl_tell_error(&x->tell, SL_COSIM_LIMIT, "a message of %lld bytes is larger than the %zu allowed",
                             (long long)x->bytes.n, x->def.most);
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

/* False in *go: the message is pointless or cannot be. */
static sl_cosim_code begin_write(sl_cosim *x, double t, double dt, bool *go) {
    *go = false;
    if (!x) {
        return SL_COSIM_USE;
    }
    sl_cosim_code code = fix_lists(x);
    if (code != SL_COSIM_OK || x->terminated || atomic_load(&x->aborted)) {
        return code;
    }
    if (!isfinite(t)) {
        return sl_tell_error(&x->tell, SL_COSIM_USE, "the time of a message is not finite");
    }
    if (!isfinite(dt)) {
        sl_tell_warning(&x->tell, SL_TELL_MISSING, "the step after %.9g s is not finite and is written as NaN", t);
    }
    x->put.row.n = 0;
    if (!SL_RESERVE(x->ctx, &x->put.row, x->out.n)) {
        return sl_tell_error(&x->tell, SL_COSIM_MEMORY, "no memory for a message");
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
        sl_tell_warning(
            &x->tell, SL_TELL_MISSING,
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
        return sl_tell_error(&x->tell, SL_COSIM_USE, "no values to write");
    }
    if (n != (size_t)x->out.n) {
        sl_tell_warning(&x->tell, SL_TELL_ROWS, "%zu values for %lld variables", n, (long long)x->out.n);
    }
    for (int64_t i = 0; i < x->out.n; i++) {
        const sl_store_entry *e = &x->store.entry.at[x->out.at[i]];
        x->put.row.at[x->put.row.n++] =
            (sl_message_row){e->entity, e->type, (size_t)i < n ? values[i] : (double)NAN, sl_str_z(e->out_text)};
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
        const char *text = e->text_round == x->store.round ? sl_store_text(&x->store, e) : e->out_text;
        x->put.row.at[x->put.row.n++] =
            (sl_message_row){e->entity, e->type, sl_store_value(&x->store, e), sl_str_z(text)};
    }
    check_values(x, t);
    return write_rows(x, t, dt);
}

sl_cosim_stats sl_cosim_stats_of(const sl_cosim *x) {
    sl_cosim_stats stats = {0};
    if (x) {
        stats = x->stats;
        stats.n_warning = x->tell.n_warning;
    }
    return stats;
}
