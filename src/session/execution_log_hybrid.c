/* SPDX-License-Identifier: MIT */
/* execution_log_hybrid.c: the log of a hybrid execution, piece by piece: rows at report times (between the steps of motion by the
 * integrator's own polynomial, so that rows change no bit of it), events with the elements that caused them.
 *
 * A piece that changed nothing is no event, but for the beginning, crossings and the end.
 */
#include "session/execution_log_impl.h"

#include <math.h>
#include <string.h>

typedef struct hybrid_run {
    sl_execution_log *t;
    sl_hybrid *h;
    double stop, step; /* [s] */
    int64_t row;       /* the next report */
    bool done;         /* the row at the end was reported */
    bool pending;      /* an event was met: a row is due when the execution settles */
    bool begun;        /* values are consistent */
} hybrid_run;

static double next_report(const hybrid_run *m) {
    return fmin((double)m->row * m->step, m->stop);
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static void store_values(hybrid_run *m) {
    sl_execution_log *t = m->t;
    memcpy(t->x, sl_hybrid_x(m->h), (size_t)t->n_x * sizeof *t->x);
    memcpy(t->dx, sl_hybrid_dx(m->h), (size_t)t->n_x * sizeof *t->dx);
    memcpy(t->q, sl_hybrid_q(m->h), (size_t)t->n_q * sizeof *t->q);
}

/* The report times within a step, but for its end. */
static sl_status rows_within(hybrid_run *m, const sl_hybrid_info *info) {
    sl_execution_log *t = m->t;
    sl_status status = SL_OK;
    for (; status == SL_OK && !m->done && next_report(m) < info->t; m->row++) {
        double time = next_report(m);
        status = sl_hybrid_interpolate(m->h, time, t->x, t->dx);
        status = status == SL_OK ? sl_execution_log_add_row(t, time) : status;
        m->done = time >= m->stop;
    }
    return status;
}

/* Settled: the report of now, or what an event has left. */
static sl_status row_here(hybrid_run *m) {
    double now = sl_hybrid_time(m->h);
    bool due = next_report(m) == now;
    sl_status status = SL_OK;
    if (due || m->pending) {
        store_values(m);
        status = sl_execution_log_add_row(m->t, now);
    }
    m->row += due;
    m->done = due && now >= m->stop;
    m->pending = false;
    return status;
}

/* ---- Events ------------------------------------------------------------------------------------- */

static sl_status report_crossing(hybrid_run *m, double now) {
    int32_t n = 0;
    const int8_t *fired = sl_hybrid_fired(m->h, &n);
    m->t->end.n_crossing++;
    for (int32_t i = 0; fired && i < n; i++) {
        if (fired[i]) {
            sl_execution_log_name(m->t, sl_sha_get_element(m->t->a, SL_SHA_ROOT, i).symbol);
        }
    }
    return sl_execution_log_add_event(m->t, now, "crossing", -1, 0.0, 0.0);
}

/* Changes of discrete variables against those kept. */
static sl_status report_discrete(hybrid_run *m, double now, const char *kind, bool roots) {
    sl_execution_log *t = m->t;
    const int32_t *q = sl_hybrid_q(m->h);
    void *instance = sl_hybrid_instance(m->h);
    sl_status status = SL_OK;
    for (int32_t j = -1; status == SL_OK && (j = sl_next_change(q, t->q, j + 1, t->n_q)) < t->n_q;) {
        for (int32_t i = 0; roots && i < sl_sha_n_element(t->a, SL_SHA_ROOT); i++) {
            sl_sha_element part = sl_sha_get_element(t->a, SL_SHA_ROOT, i);
            if (part.variable == j && sl_sha_is_active(instance, t->q, SL_SHA_ROOT, i)) {
                sl_execution_log_name(t, part.symbol);
            }
        }
        if (!roots) {
            sl_execution_log_name_transitions(t, j, sl_sda_run_time(sl_sha_run_of(instance)) - 1);
        }
        status = sl_execution_log_add_event(t, now, kind, t->n_x + j, t->q[j], q[j]);
    }
    return status;
}

/* Names the actions in force that set a variable; true: there are some. */
static bool name_actions(hybrid_run *m, int32_t j) {
    sl_execution_log *t = m->t;
    bool any = false;
    for (int32_t i = 0; i < sl_sha_n_element(t->a, SL_SHA_ACTION); i++) {
        sl_sha_element part = sl_sha_get_element(t->a, SL_SHA_ACTION, i);
        if ((part.variable == j || part.variable < 0) &&
            sl_sha_is_active(sl_hybrid_instance(m->h), t->q, SL_SHA_ACTION, i)) {
            sl_execution_log_name(t, part.symbol);
            any = true;
        }
    }
    return any;
}

/* Changes of continuous variables: by actions, or because values had to be made consistent. Of the latter those count that are
 * more than an error of the integrator. */
static sl_status report_continuous(hybrid_run *m, double now, bool actions) {
    sl_execution_log *t = m->t;
    const sl_dae_def *def = &sl_automaton_model(t->m)->def.dae;
    const double *x = sl_hybrid_x(m->h);
    sl_status status = SL_OK;
    for (int32_t j = 0; j < t->n_x && status == SL_OK; j++) {
        bool changed = x[j] != t->x[j], acted = changed && actions && name_actions(m, j);
        if (acted || (changed && fabs(x[j] - t->x[j]) > def->rtol * fabs(x[j]) + def->atol)) {
            status = sl_execution_log_add_event(t, now, acted ? "action" : "init", j, t->x[j], x[j]);
        }
    }
    return status;
}

static sl_status report_piece(hybrid_run *m, const sl_hybrid_info *info) {
    sl_status status = SL_OK;
    switch (info->event) {
    case SL_HYBRID_INIT: {
        int64_t before = m->t->end.n_event;
        status = report_continuous(m, info->t, false);
        bool silent = m->t->end.n_event == before && before == 0;
        return status == SL_OK && silent ? sl_execution_log_add_event(m->t, info->t, "init", -1, 0.0, 0.0) : status;
    }
    case SL_HYBRID_ROOT: return report_discrete(m, info->t, "root", true);
    case SL_HYBRID_TRANSITION: return report_discrete(m, info->t, "transition", false);
    case SL_HYBRID_SETTLED:
        return info->i > 0 ? sl_execution_log_add_event(m->t, info->t, "settled", -1, 0.0, 0.0) : SL_OK;
    case SL_HYBRID_ACTION:
        status = report_continuous(m, info->t, true);
        return status == SL_OK ? report_discrete(m, info->t, "root", true) : status;
    case SL_HYBRID_CROSSING: return report_crossing(m, info->t);
    default: return SL_OK;
    }
}

/* ---- The execution ------------------------------------------------------------------------------ */

static sl_status one_piece(hybrid_run *m) {
    sl_hybrid_info info;
    const sl_execution_log_handler *handler = m->t->handler;
    if (handler->stopped && handler->stopped(handler->user)) {
        return SL_ERR_CANCELLED;
    }
    store_values(m);
    if (m->begun) {
        sl_execution_log_add_point(m->t);
    }
    m->begun = true;
    sl_status status = sl_hybrid_next(m->h, SL_HYBRID_ANY, m->t->diags, &info);
    if (status != SL_OK) {
        return status;
    }
    bool moved = info.event & (SL_HYBRID_STEP | SL_HYBRID_CROSSING | SL_HYBRID_JUMP);
    status = moved ? rows_within(m, &info) : SL_OK;
    if (status != SL_OK || m->done) {
        return status;
    }
    bool event = info.event & (SL_HYBRID_CROSSING | SL_HYBRID_JUMP);
    if (m->t->def->at_events && event) {
        store_values(m);
        status = sl_execution_log_add_row(m->t, info.t);
        m->pending = true;
    }
    status = status == SL_OK ? report_piece(m, &info) : status;
    return status == SL_OK && sl_hybrid_is_settled(m->h) ? row_here(m) : status;
}

sl_status sl_execution_log_hybrid(sl_execution_log *t, double stop) {
    static const double by_default = 0.01; /* of the whole, between reports */
    const sl_hybrid_model *model = sl_automaton_model(t->m);
    sl_hybrid_def def = model->def;
    hybrid_run m = {.t = t, .stop = stop, .step = model->report_step};
    m.step = m.step > 0.0 ? m.step : by_default * stop;
    def.end = isfinite(def.end) ? fmax(def.end, stop) : stop; /* an earlier stop is not an event */
    sl_status status = sl_hybrid_create(t->ctx, model->ops, model->model, &def, t->diags, &m.h);
    while (status == SL_OK && !m.done) {
        status = one_piece(&m);
    }
    status = status == SL_OK ? sl_execution_log_add_event(t, stop, "stop", -1, 0.0, 0.0) : status;
    sl_hybrid_destroy(m.h);
    return status;
}
