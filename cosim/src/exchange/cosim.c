/* SPDX-License-Identifier: MIT */
/* cosim.c: an exchange: opening it, its variables and their values. Messages come in by cosim_read.c, go out by cosim_write.c;
 * cosim_wait.c waits and ends. Times in seconds; what values mean is the application's business.
 */
#include "exchange/cosim_impl.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/sized.h"

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
        {SL_COSIM_STALE, "files of an earlier run exist"},
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

void sl_cosim_default_fill(sl_cosim_def *def, size_t size) {
    const sl_cosim_def all = {.in = "cosim_in.cosim", .out = "cosim_out.cosim", .start = NAN};
    sl_sized_default(def, size, &all, sizeof all);
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

/* Every carrier by its scheme; ops is NULL where the system has not what it needs. */
typedef struct carrier_kind {
    const char *scheme;
    const sl_carrier_ops *ops;
    const char *needs;
} carrier_kind;

static const carrier_kind CARRIERS[] = {
    {"file", &sl_carrier_file, NULL},
#ifdef _WIN32
    {"mem", NULL, "POSIX threads"},   {"fd", NULL, "a POSIX system"},
    {"pipe", NULL, "a POSIX system"}, {"unix", NULL, "a POSIX system"},
#else
    {"mem", &sl_carrier_mem, NULL},   {"fd", &sl_carrier_fd, NULL},
    {"pipe", &sl_carrier_pipe, NULL}, {"unix", &sl_carrier_unix, NULL},
#endif
#ifdef __linux__
    {"shm", &sl_carrier_shm, NULL},
#else
    {"shm", NULL, "Linux"},
#endif
};

static sl_cosim_code open_carrier(sl_cosim *x) {
    sl_carrier_def def = {.ctx = x->ctx, .reporter = &x->reporter, .def = &x->def, .rest = {"", 0}};
    const carrier_kind *kind = CARRIERS;
    if (x->def.uri) {
        size_t n = strcspn(x->def.uri, ":");
        kind = NULL;
        for (size_t i = 0; i < sizeof CARRIERS / sizeof CARRIERS[0]; i++) {
            const char *scheme = CARRIERS[i].scheme;
            if (strlen(scheme) == n && memcmp(scheme, x->def.uri, n) == 0 && x->def.uri[n]) {
                kind = &CARRIERS[i];
                def.rest = sl_str_z(x->def.uri + n + 1);
            }
        }
        if (!kind) {
            return sl_reporter_error(
                &x->reporter, SL_COSIM_USE,
                "'%s' names no carrier: file:in=A;out=B mem:NAME fd:IN,OUT pipe:in=A;out=B unix:PATH shm:NAME",
                x->def.uri);
        }
    }
    if (!kind->ops) {
        return sl_reporter_error(&x->reporter, SL_COSIM_USE, "'%s': this carrier needs %s; use files, file:in=A;out=B",
                                 x->def.uri, kind->needs);
    }
    x->ops = kind->ops;
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

/* A copy of the caller's text, which messages name; NULL stays. */
static bool copy_text(sl_cosim *x, const char **text) {
    bool there = *text;
    *text = there ? sl_arena_copy(&x->arena, sl_str_z(*text)) : NULL;
    return *text || !there;
}

static sl_cosim_code begin(sl_cosim *x) {
    sl_cosim_code code = check_def(x);
    if (code != SL_COSIM_OK) {
        return sl_reporter_error(&x->reporter, code, "the definition of the exchange has a value that cannot be");
    }
    if (!copy_text(x, &x->def.in) || !copy_text(x, &x->def.out) || !copy_text(x, &x->def.uri)) {
        return sl_reporter_error(&x->reporter, SL_COSIM_MEMORY, "no memory to open the exchange");
    }
    x->def.max_bytes = x->def.max_bytes ? x->def.max_bytes : MOST;
    x->def.short_wait = x->def.short_wait > 0 ? x->def.short_wait : SHORT_WAIT;
    code = open_carrier(x);
    if (code == SL_COSIM_MEMORY) {
        (void)sl_reporter_error(&x->reporter, code, "no memory to open the exchange");
    }
    if (code == SL_COSIM_OK && x->def.partner > 0) {
        x->partner = sl_system_watch(x->def.partner);
    }
    x->checks.phase = x->def.phase == SL_COSIM_PHASE_START ? -1 : 0;
    return code;
}

sl_cosim_code sl_cosim_open(sl_context *ctx, const sl_cosim_def *def, sl_cosim **out) {
    if (!def || !out) {
        return SL_COSIM_USE;
    }
    if (!out) {
        return SL_COSIM_USE;
    }
    *out = NULL;
    sl_cosim_def d = sl_cosim_default();
    if (!sl_sized_take(&d, sizeof d, def)) {
        return SL_COSIM_USE; /* not from sl_cosim_default */
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
    x->reporter =
        (sl_reporter){.warning = d.warning, .error = d.error, .waiting = d.waiting, .user = d.user, .strict = d.strict};
    x->partner = SL_NO_HANDLE;
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
    if (x->partner != SL_NO_HANDLE) {
        sl_system_unwatch(x->partner);
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
        return sl_reporter_error(&x->reporter, SL_COSIM_USE,
                                 "a variable (entity %lld, type %ld) was added after the first message",
                                 (long long)entity, (long)type);
    }
    sl_store_entry *e = sl_store_find(&x->store, type, entity);
    if (e && (is_in ? e->in : e->out) >= 0) {
        return sl_reporter_error(&x->reporter, SL_COSIM_USE,
                                 "entity %lld of type %ld is already among the variables that are %s",
                                 (long long)entity, (long)type, list);
    }
    int64_t n = is_in ? x->in.n : x->out.n;
    bool room = is_in ? SL_RESERVE(x->ctx, &x->in, n + 1) : SL_RESERVE(x->ctx, &x->out, n + 1);
    const char *copy = text && *text ? sl_arena_copy(&x->arena, sl_str_z(text)) : "";
    e = room && copy ? sl_store_make(&x->store, type, entity) : NULL;
    if (!e) {
        return sl_reporter_error(&x->reporter, SL_COSIM_MEMORY, "no memory for a variable");
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
        sl_reporter_warning(&x->reporter, SL_WARNING_ENTITY,
                            "two variables that are read have the same number: values go by position");
    }
    return true;
}

sl_cosim_code sl_cosim_fix_lists(sl_cosim *x) {
    if (!x->begun && x->def.map_entity && x->in.n > 0 && !sort_entities(x)) {
        return sl_reporter_error(&x->reporter, SL_COSIM_MEMORY, "no memory for the variables");
    }
    x->begun = true;
    return SL_COSIM_OK;
}

/* ---- Values ------------------------------------------------------------------------------------- */

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
        return sl_reporter_error(&x->reporter, SL_COSIM_MEMORY, "no memory for a value");
    }
    return SL_COSIM_OK;
}

sl_status sl_cosim_get_stats(const sl_cosim *x, sl_cosim_stats *out) {
    if (!x || !sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_cosim_stats stats = x->stats;
    stats.n_warning = x->reporter.n_warning;
    sl_sized_give(out, &stats, sizeof stats);
    return SL_OK;
}
