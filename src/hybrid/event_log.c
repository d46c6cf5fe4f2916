/* SPDX-License-Identifier: MIT */
/* event_log.c: see event_log.h. Texts may move while they grow, so causes are places until the log is closed. */
#include "hybrid/event_log.h"

#include <math.h>
#include <string.h>

void sl_event_log_init(sl_event_log *log, sl_context *ctx) {
    *log = (sl_event_log){.ctx = ctx};
}

void sl_event_log_fini(sl_event_log *log) {
    SL_ARRAY_FINI(log->ctx, &log->events);
    SL_ARRAY_FINI(log->ctx, &log->causes);
    SL_ARRAY_FINI(log->ctx, &log->text);
}

void sl_event_log_clear(sl_event_log *log) {
    log->events.n = log->causes.n = log->text.n = log->n_named = 0;
    log->failed = false;
}

static void append(sl_event_log *log, const char *bytes, size_t n) {
    if (log->failed || !SL_RESERVE(log->ctx, &log->text, log->text.n + (int64_t)n)) {
        log->failed = true;
        return;
    }
    memcpy(log->text.at + log->text.n, bytes, n);
    log->text.n += (int64_t)n;
    log->n_named += (int64_t)n;
}

void sl_event_log_name(void *log_, const char *symbol) {
    sl_event_log *log = log_;
    if (symbol[0]) {
        if (log->n_named > 0) {
            append(log, ", ", 2);
        }
        append(log, symbol, strlen(symbol));
    }
}

void sl_event_log_add(sl_event_log *log, sl_engine_event event) {
    append(log, "", 1);
    if (!log->failed && SL_RESERVE(log->ctx, &log->events, log->events.n + 1) &&
        SL_PUSH(log->ctx, &log->causes, log->text.n - log->n_named)) {
        event.cause = "";
        log->events.at[log->events.n++] = event;
    } else {
        log->failed = true;
    }
    log->n_named = 0;
}

void sl_event_log_add_plain(sl_event_log *log, double time, const char *kind) {
    sl_event_log_add(
        log,
        (sl_engine_event){
            .time = time, .kind = kind, .of = SL_CLASS_MODEL, .field = -1, .from = (double)NAN, .to = (double)NAN});
}

sl_status sl_event_log_close(sl_event_log *log) {
    for (int64_t k = 0; k < log->events.n; k++) {
        log->events.at[k].cause = log->text.at + log->causes.at[k];
    }
    return log->failed ? SL_ERR_MEMORY : SL_OK;
}

void sl_event_log_cut(sl_event_log *log, double t) {
    while (log->events.n > 0 && log->events.at[log->events.n - 1].time > t) {
        log->events.n--;
        log->causes.n--;
    }
}
