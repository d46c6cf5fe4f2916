/* SPDX-License-Identifier: MIT */
/* coupler.c: a session in step with a partner; see coupler.h. Times are simulation times [s] unless said otherwise.
 *
 * A session that counts steps stands at the last whole step before the coupler's time: what is set between two steps acts at the
 * next one, and what is written is the state of the last one.
 */
#include "exchange/coupler.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/out.h"

struct sl_coupler {
    sl_context *ctx;
    sl_coupling *coupling;
    sl_session *session;
    sl_diags *told;
    sl_cosim *_Atomic x; /* NULL: closed; a signal handler may look at any time */
    sl_coupler_end_reason reason;
    atomic_bool aborted;
    bool failed; /* an error was told */
    int64_t n_step;
    double unit;      /* of the session's time [s]: 1, or the length of a step */
    double begin;     /* of the run */
    double now;       /* of a session that counts steps: the coupler's own time */
    bool counts;      /* it does */
    bool message;     /* this step began with one */
    double announced; /* the step that we told the partner last; NaN: none yet */
    double expected;  /* where the partner said it would be next; NaN: nowhere yet */
    int32_t n_tiny;   /* steps in a row of which the partner wanted less than counts as progress */
    sl_cosim_phase phase;
    double *number; /* of a message */
    sl_var *var;    /* to be set */
    double *value;
};

/* ---- The session's time --------------------------------------------------------------------------- */

static double time_now(const sl_coupler *c) {
    return c->counts ? c->now : sl_session_time(c->session);
}

static double time_end(const sl_coupler *c) {
    return c->unit * sl_session_end(c->session);
}

/* Whole steps until t; a time that is off by rounding counts as reached. */
static double whole_steps(const sl_coupler *c, double t) {
    return floor(t / c->unit + 1e-9);
}

/* Where the session would go by itself. */
static double time_next(sl_coupler *c) {
    return c->counts ? c->unit * (whole_steps(c, c->now) + 1.0) : sl_session_next_event(c->session);
}

static sl_status move_to(sl_coupler *c, double t, sl_step *moved) {
    t = fmin(t, time_end(c));
    if (!c->counts) {
        return sl_session_advance(c->session, t, 0, moved);
    }
    sl_status status = sl_session_advance(c->session, fmax(whole_steps(c, t), sl_session_time(c->session)), 0, moved);
    c->now = fmin(t, time_end(c)); /* some models tell their end when they are there */
    return status;
}

/* ---- What is said ------------------------------------------------------------------------------- */

/* Messages about one kind and id are one group when they are shown. */
static void report_about(sl_coupler *c, sl_severity severity, const char *kind, const char *id, const char *hint,
                         const char *text) {
    c->failed = c->failed || severity == SL_ERROR;
    sl_diags_add(c->told, &(sl_diag){.size = sizeof(sl_diag),
                                     .severity = severity,
                                     .code = SL_CODE_PARTNER,
                                     .object_kind = kind,
                                     .object_id = id,
                                     .text = text,
                                     .hint = hint,
                                     .time = time_now(c)});
}

static void report_coupling(sl_coupler *c, sl_severity severity, const char *hint, const char *fmt, ...)
    SL_PRINTF(4, 5);
static void report_coupling(sl_coupler *c, sl_severity severity, const char *hint, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    report_about(c, severity, NULL, NULL, hint, text);
}

static void on_warning(void *user, const char *text) {
    report_coupling(user, SL_WARNING, NULL, "%s", text);
}

static void on_waiting(void *user, const char *text) {
    const sl_coupling *coupling = ((const sl_coupler *)user)->coupling;
    coupling->waiting(coupling->user, text);
}

static void on_error(void *user, sl_cosim_code code, const char *text) {
    (void)code;
    if (!atomic_load(&((sl_coupler *)user)->aborted)) { /* then it is what was wanted */
        report_coupling(user, SL_ERROR, NULL, "%s", text);
    }
}

/* A call that went wrong, told by the handler. */
static sl_status fail(sl_coupler *c, sl_cosim_code code) {
    if (atomic_load(&c->aborted)) {
        return SL_ERR_CANCELLED;
    }
    if (code == SL_COSIM_MEMORY) {
        return SL_ERR_MEMORY;
    }
    if (!c->failed) {
        report_coupling(c, SL_ERROR, NULL, "the exchange failed: %s", sl_cosim_code_text(code));
    }
    c->reason = SL_COUPLER_PARTNER_FAILED;
    return SL_ERR_IO;
}

/* A time that does not fit: a warning, or with strict the end. */
static sl_status odd_time(sl_coupler *c, double theirs, const char *hint) {
    char a[32], b[32], text[128];
    bool strict = c->coupling->def.strict;
    sl_time_format(theirs, a, sizeof a);
    sl_time_format(time_now(c), b, sizeof b);
    (void)sl_format(text, sizeof text, "the partner's is %s, ours %s", a, b);
    report_about(c, strict ? SL_ERROR : SL_WARNING, "time", NULL, hint, text);
    return strict ? fail(c, SL_COSIM_BAD_FORMAT) : SL_OK;
}

/* ---- Time --------------------------------------------------------------------------------------- */

/* How far a time may be off that was printed with six digits, as streams do unless told otherwise. */
static double tolerance(double t) {
    char text[SL_NUMBER_MAX];
    double least = fmax(1e-9 * fabs(t), 1e-9);
    if (!isfinite(t) || t == 0.0) {
        return least;
    }
    sl_number_format_digits(t, 6, text);
    double short_t;
    bool six = sl_number_parse(sl_str_z(text), &short_t) == SL_NUMBER_OK && short_t == t;
    return six ? fmax(least, 0.5 * pow(10.0, floor(log10(fabs(t))) - 5.0)) : least;
}

/* The step that we would take from t on: the run file's, or the model's own; at the model's end the one before. */
static double own_step(sl_coupler *c, double t) {
    double h = c->coupling->step, end = time_end(c) - t;
    if (c->counts || !isfinite(h)) {
        h = time_next(c) - t;
    }
    h = end > 0.0 ? fmin(h, end) : h;
    return isfinite(h) && h > 0.0 ? h : isfinite(c->announced) ? c->announced : 1.0;
}

/* Which time the partner's messages carry, from the first of them. */
static sl_status find_phase(sl_coupler *c, double t, double theirs) {
    if (fabs(theirs - t) <= tolerance(theirs)) {
        c->phase = SL_COSIM_PHASE_START;
    } else if (theirs > t) {
        c->phase = SL_COSIM_PHASE_END;
    } else {
        c->phase = SL_COSIM_PHASE_NONE;
        return odd_time(c, theirs, "its times are taken to lag and are not checked; `phase: none` confirms that");
    }
    return SL_OK;
}

/* Steps so short keep both programs busy and lead nowhere: the least that counts is that of the resolution of times and of the length
 * of the run. Our own model may have some such, and its session counts them. */
static sl_status check_progress(sl_coupler *c, double step) {
    enum { MOST_TINY = 1000 };
    double t = time_now(c), length = time_end(c) - c->begin;
    double least = fmax(1e-9 * fabs(t), fmax(1e-9, isfinite(length) ? 1e-9 * length : 0.0));
    c->n_tiny = step < least ? c->n_tiny + 1 : 0;
    if (c->n_tiny <= MOST_TINY) {
        return SL_OK;
    }
    const sl_cosim_def *def = &c->coupling->def;
    char at[32];
    sl_time_format(t, at, sizeof at);
    report_coupling(
        c, SL_ERROR, "let it announce longer steps, or write `sync` and `step` so that it does not decide alone",
        "the partner of %s announced more than %d steps in a row of less than %.3g s, at %s one of %.3g s: the run "
        "makes no progress",
        def->uri  ? def->uri
        : def->in ? def->in
                  : "this run",
        MOST_TINY, least, at, step);
    return fail(c, SL_COSIM_BAD_FORMAT);
}

/* Where this step ends. */
static sl_status choose(sl_coupler *c, double *target) {
    double t = time_now(c), h = own_step(c, t);
    *target = t + h;
    if (!c->message) {
        return SL_OK;
    }
    sl_status status = SL_OK;
    double theirs = sl_cosim_time(c->x), next = sl_cosim_next(c->x);
    if (c->phase == SL_COSIM_PHASE_AUTO) {
        status = find_phase(c, t, theirs);
    } else if (c->phase == SL_COSIM_PHASE_START && !(fabs(theirs - t) <= tolerance(theirs))) {
        status = odd_time(c, theirs, "both must agree on the time of each exchange");
    }
    h = isfinite(c->announced) ? c->announced : h;
    bool usable = isfinite(next) && next > 0.0;
    double both = !usable ? h : c->coupling->def.sync == SL_COSIM_SYNC_SUB ? next : fmin(h, next);
    *target = t + both;
    if (c->phase == SL_COSIM_PHASE_END && theirs > t + tolerance(theirs)) {
        bool as_said = fabs(theirs - c->expected) <= tolerance(theirs);
        *target = as_said ? c->expected : theirs;
    } else if (c->phase == SL_COSIM_PHASE_END) {
        status = odd_time(c, theirs, "a time after ours was expected: that of the end of this step");
    }
    c->expected = usable ? *target + next : (double)NAN;
    return status == SL_OK ? check_progress(c, usable ? fmin(next, *target - t) : *target - t) : status;
}

/* ---- A step ------------------------------------------------------------------------------------- */

static const char *row_name(const sl_coupled *v) {
    return v->text ? v->text : v->variable;
}

/* Values of the message into the session. What is missing stays as it is. */
static sl_status set_values(sl_coupler *c) {
    const sl_coupled_list *list = &c->coupling->read;
    sl_cosim_code code = sl_cosim_values(c->x, c->number, (size_t)list->n);
    if (code < 0) {
        return fail(c, code);
    }
    int32_t n = 0;
    for (int32_t i = 0; i < list->n; i++) {
        const sl_coupled *v = &list->at[i];
        if (isnan(c->number[i])) {
            report_about(c, SL_WARNING, "variable", v->variable, "it keeps the value it has",
                         "the partner sent no value");
            continue;
        }
        c->var[n] = v->var;
        c->value[n++] = sl_coupled_in(v, c->number[i]);
    }
    sl_status status = n > 0 ? sl_session_set(c->session, c->var, n, c->value) : SL_OK;
    if (status != SL_OK && status != SL_ERR_MEMORY) {
        const sl_diags *said = sl_session_diags(c->session);
        const sl_diag *d = sl_diags_size(said) > 0 ? sl_diags_at(said, sl_diags_size(said) - 1) : NULL;
        report_coupling(c, SL_ERROR, d ? d->hint : NULL, "a value from the partner cannot be used: %s",
                        d ? d->text : "it was refused");
        return fail(c, SL_COSIM_BAD_FORMAT);
    }
    return status;
}

static void forget_partner(sl_coupler *c) {
    char now[32], end[32];
    sl_time_format(time_now(c), now, sizeof now);
    sl_time_format(time_end(c), end, sizeof end);
    if (c->coupling->alone) {
        report_coupling(c, SL_INFO, NULL, "the partner ended at %s; the run goes on alone", now);
    } else {
        report_coupling(c, SL_WARNING, "`alone: true` in the run file goes on without it",
                        "the partner ended at %s, the run with it; it would have gone on to %s", now, end);
        c->reason = SL_COUPLER_PARTNER_ENDED;
    }
}

static sl_status receive(sl_coupler *c) {
    c->message = false;
    if (sl_cosim_is_terminated(c->x) || !sl_cosim_reads(c->n_step, c->coupling->skip)) {
        return SL_OK;
    }
    sl_cosim_code code = sl_cosim_read(c->x);
    if (code == SL_COSIM_END && atomic_load(&c->aborted)) {
        return SL_ERR_CANCELLED;
    }
    if (code == SL_COSIM_END) {
        forget_partner(c);
        return SL_OK;
    }
    c->message = code == SL_COSIM_OK;
    return c->message ? set_values(c) : fail(c, code);
}

static sl_status send(sl_coupler *c) {
    const sl_coupled_list *list = &c->coupling->write;
    if (sl_cosim_is_terminated(c->x) || !sl_cosim_writes(c->n_step, c->coupling->skip)) {
        return SL_OK;
    }
    for (int32_t i = 0; i < list->n; i++) {
        double x;
        sl_status status = sl_session_get(c->session, &list->at[i].var, 1, &x);
        if (status != SL_OK) {
            return status;
        }
        c->number[i] = sl_coupled_out(&list->at[i], x);
    }
    double t = time_now(c), h = own_step(c, t);
    (void)sl_cosim_prepare(c->x);
    sl_cosim_code code = sl_cosim_write_values(c->x, t, h, c->number, (size_t)list->n);
    c->announced = h;
    return code < 0 ? fail(c, code) : SL_OK;
}

static sl_status step(sl_coupler *c) {
    double target;
    sl_step moved = {.size = sizeof moved, .reason = SL_REASON_TARGET};
    sl_status status = receive(c);
    if (status != SL_OK || c->reason != SL_COUPLER_RUNNING) {
        return status;
    }
    status = choose(c, &target);
    if (status == SL_OK) {
        status = move_to(c, target, &moved);
    }
    if (status == SL_OK &&
        (moved.reason == SL_REASON_PAUSED || moved.reason == SL_REASON_STOPPED || atomic_load(&c->aborted))) {
        return SL_ERR_CANCELLED;
    }
    status = status == SL_OK ? send(c) : status;
    if (status == SL_OK && time_now(c) >= time_end(c)) {
        c->reason = SL_COUPLER_COMPLETE;
    }
    c->n_step++;
    return status;
}

sl_status sl_coupler_run(sl_coupler *c) {
    sl_status status = SL_OK;
    while (status == SL_OK && c->reason == SL_COUPLER_RUNNING) {
        status = step(c);
    }
    c->failed = c->failed || status != SL_OK;
    return status;
}

/* ---- Begin and end ------------------------------------------------------------------------------ */

static sl_status add_rows(sl_coupler *c) {
    const sl_coupled_list *read = &c->coupling->read, *write = &c->coupling->write;
    sl_cosim_code code = SL_COSIM_OK;
    for (int32_t i = 0; i < read->n && code == SL_COSIM_OK; i++) {
        code = sl_cosim_add_in(c->x, read->at[i].entity, read->at[i].type, row_name(&read->at[i]));
    }
    for (int32_t i = 0; i < write->n && code == SL_COSIM_OK; i++) {
        code = sl_cosim_add_out(c->x, write->at[i].entity, write->at[i].type, row_name(&write->at[i]));
    }
    return code == SL_COSIM_OK ? SL_OK : fail(c, code);
}

static sl_status open_exchange(sl_coupler *c) {
    int64_t skip = c->coupling->skip;
    sl_cosim_def def = c->coupling->def;
    double t = time_now(c);
    def.start = t + own_step(c, t) * (double)(skip > 1 ? skip : 1);
    def.warning = on_warning;
    def.error = on_error;
    def.waiting = c->coupling->waiting ? on_waiting : NULL;
    def.user = c;
    sl_cosim *x = NULL;
    sl_cosim_code code = sl_cosim_open(c->ctx, &def, &x);
    c->x = x;
    return code == SL_COSIM_OK ? add_rows(c) : fail(c, code);
}

/* Numbers of the longer list. */
static size_t larger_list_size(const sl_coupler *c) {
    const sl_coupling *k = c->coupling;
    return (size_t)(k->read.n > k->write.n ? k->read.n : k->write.n) + 1;
}

static sl_status prepare(sl_coupler *c) {
    size_t n = larger_list_size(c);
    c->number = sl_alloc(c->ctx, n * sizeof *c->number);
    c->value = sl_alloc(c->ctx, n * sizeof *c->value);
    c->var = sl_alloc(c->ctx, n * sizeof *c->var);
    if (!c->number || !c->value || !c->var) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_session_refresh(c->session); /* then the first step can be told */
    return status == SL_OK ? open_exchange(c) : status;
}

sl_status sl_coupler_open(sl_context *ctx, sl_coupling *coupling, sl_session *session, sl_diags *told,
                          sl_coupler **out) {
    *out = NULL;
    sl_coupler *c = sl_alloc(ctx, sizeof *c);
    if (!c) {
        return SL_ERR_MEMORY;
    }
    c->ctx = ctx;
    c->coupling = coupling;
    c->session = session;
    c->told = told;
    c->phase = coupling->def.phase;
    c->counts = sl_session_counts_steps(session);
    c->unit = c->counts ? coupling->step : 1.0;
    c->now = c->begin = c->unit * sl_session_time(session);
    c->announced = c->expected = (double)NAN;
    atomic_init(&c->aborted, false);
    sl_status status = prepare(c);
    if (status != SL_OK) {
        c->failed = true;
        sl_coupler_destroy(c);
        return status;
    }
    *out = c;
    return SL_OK;
}

sl_coupler_end_reason sl_coupler_ended(const sl_coupler *c) {
    return c->reason;
}

void sl_coupler_abort(sl_coupler *c) {
    sl_cosim *x = c->x;
    atomic_store(&c->aborted, true);
    if (x) {
        sl_cosim_abort(x);
    }
}

sl_status sl_coupler_close(sl_coupler *c, sl_cosim_stats *stats) {
    if (!c->x) {
        return SL_OK;
    }
    if (stats) {
        (void)sl_cosim_get_stats(c->x, stats); /* of our own size */
    }
    bool failed = c->failed;
    if (failed) {
        sl_cosim_abort(c->x); /* nobody waits for a partner that may be gone */
    }
    sl_cosim_code code = sl_cosim_close(c->x);
    c->x = NULL;
    return code < 0 && !failed ? fail(c, code) : SL_OK;
}

void sl_coupler_destroy(sl_coupler *c) {
    if (!c) {
        return;
    }
    if (c->x) { /* it never ran to an end: nobody waits for the partner */
        sl_coupler_abort(c);
    }
    (void)sl_coupler_close(c, NULL);
    size_t n = larger_list_size(c);
    sl_free(c->ctx, c->number, c->number ? n * sizeof *c->number : 0);
    sl_free(c->ctx, c->value, c->value ? n * sizeof *c->value : 0);
    sl_free(c->ctx, c->var, c->var ? n * sizeof *c->var : 0);
    sl_free(c->ctx, c, sizeof *c);
}
