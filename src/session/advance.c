/* SPDX-License-Identifier: MIT */
/* advance.c: how a session advances through time [s].
 *
 * The engine takes steps of its own until it has reached or passed the time asked for; the session then stands exactly
 * there and shows what the engine had at that time within its last step. A stop therefore changes no later bit, whatever
 * the partition; only a set cuts the engine's step (session.c). Between steps pause and stop are checked, and progress
 * is reported. A model whose events pile up at one instant (Zeno's ball) is found out by counting.
 */
#include "session/session_impl.h"

#include "base/context.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

enum {
    MAX_TINY = 1000,      /* steps in a row without progress, of each part that has its own */
    N_PROGRESS = 200,     /* reports of progress over a run with an end */
    PROGRESS_STEPS = 1000 /* steps between them at most: an end may be far, and a caller wants to stop */
};

/* Steps shorter than this make no progress [s]. */
static double tiny_step(double t) {
    return fmax(1e-9 * fabs(t), 1e-9);
}

double sl_session_time(const sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return (double)NAN;
    }
    return s->t;
}

const char *sl_session_time_unit(const sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return NULL;
    }
    return s->ops->time_unit;
}

double sl_session_end(const sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return (double)NAN;
    }
    return s->ops->end(s->engine);
}

double sl_session_next_event(sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return (double)NAN;
    }
    double end = s->ops->end(s->engine), boundary = s->ops->time(s->engine);
    if (s->t >= end) {
        return (double)INFINITY;
    }
    return fmin(end, s->t < boundary ? boundary : s->ops->next_event(s->engine));
}

void sl_session_pause(sl_session *s, bool on) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return;
    }
    atomic_store(&s->paused, on);
}

void sl_session_stop(sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return;
    }
    atomic_store(&s->stopped, true);
}

static bool stop_requested(const sl_session *s, sl_stop_reason *why) {
    bool stopped = atomic_load(&s->stopped), paused = atomic_load(&s->paused);
    *why = stopped ? SL_REASON_STOPPED : paused ? SL_REASON_PAUSED : *why;
    return stopped || paused;
}

/* Outputs at the session's time: computed when it stands on a boundary where something was set, else they are there. */
static sl_status refresh_outputs(sl_session *s) {
    if (s->t < s->ops->time(s->engine)) {
        return SL_OK;
    }
    int64_t errors = sl_diags_count(s->diags, SL_ERROR);
    s->touched = true;
    sl_status status = s->ops->refresh(s->engine, s->diags);
    s->shown = s->ops->time(s->engine);
    return status == SL_OK ? SL_OK : sl_session_fail(s, status, errors, "the outputs could not be computed");
}

/* What comes before the first move, and before every one: room for the reports up to target, sinks, first outputs. */
static sl_status prepare_advance(sl_session *s, double target) {
    double end = s->ops->end(s->engine);
    if (!s->started) {
        sl_session_reports_reset(s); /* a parameter may have changed them */
    }
    sl_status status = sl_session_reports_reserve(s, !s->started && isfinite(end) ? end : target);
    if (status != SL_OK) {
        return status;
    }
    status = sl_session_sinks_begin(s);
    bool first = !s->started;
    if (status == SL_OK && (first || target == s->t)) {
        status = refresh_outputs(s);
    }
    s->started = true;
    status = status == SL_OK ? sl_session_reports_emit(s) : status;
    return status == SL_OK && first && s->has_step_sink ? sl_session_steps_emit(s) : status;
}

/* False: the caller of the library wants to stop. */
static bool report_progress(sl_session *s) {
    bool due = s->t >= s->progress_next || (s->n_step > 0 && s->n_step % PROGRESS_STEPS == 0);
    if (!due) {
        return true;
    }
    double end = s->ops->end(s->engine), span = end - s->begin;
    s->progress_next = s->t + span / N_PROGRESS;
    return sl_progress_report(s->ctx, "simulating", s->t - s->begin, isfinite(end) ? span : 0.0);
}

static sl_status step_engine(sl_session *s) {
    sl_engine_step step = {0};
    int64_t errors = sl_diags_count(s->diags, SL_ERROR);
    sl_status status = s->ops->step(s->engine, s->diags, &step);
    s->events.n_given = 0; /* a new list */
    s->shown = (double)NAN;
    if (status != SL_OK) {
        return sl_session_fail(s, status, errors, "a step failed");
    }
    s->shown = s->ops->time(s->engine);
    s->n_step++;
    s->n_tiny = step.end - step.begin < tiny_step(step.end) ? s->n_tiny + 1 : 0;
    int64_t most = (int64_t)MAX_TINY * (step.n_part > 1 ? step.n_part : 1);
    if (s->n_tiny > most) {
        sl_session_add_diag(s, SL_ERROR, SL_CODE_CHATTERING, NULL, NULL,
                            "something switches to and fro: look at what changes there",
                            "more than %lld steps in a row without getting on from %g s", (long long)most, s->t);
        return sl_session_fail(s, SL_ERR_SOLVE, errors, "chattering");
    }
    return SL_OK;
}

/* From boundary to boundary until target is reached, the caller wants no more, or something goes wrong. */
static sl_status advance_engine(sl_session *s, double target, bool to_event, sl_step *out) {
    while (s->t < target && s->t < s->ops->end(s->engine)) { /* an engine may find its end on the way */
        if (stop_requested(s, &out->reason)) {
            return SL_OK;
        }
        if (!report_progress(s)) {
            out->reason = SL_REASON_STOPPED;
            return SL_ERR_CANCELLED;
        }
        if (!(s->t < s->ops->time(s->engine))) {
            sl_status status = step_engine(s);
            if (status != SL_OK) {
                return status;
            }
            out->n_step++;
        }
        double boundary = s->ops->time(s->engine);
        s->t = boundary < target ? boundary : target;
        sl_status status = sl_session_reports_emit(s);
        status = status == SL_OK && s->has_step_sink && s->t == boundary ? sl_session_steps_emit(s) : status;
        if (status != SL_OK) {
            return status;
        }
        if (to_event && s->t == boundary && s->t < target) {
            out->reason = SL_REASON_EVENT;
            return SL_OK;
        }
    }
    return SL_OK;
}

static sl_status advance_to(sl_session *s, double t, uint32_t flags, sl_step *out) {
    double target = fmax(s->t, fmin(t, s->ops->end(s->engine)));
    sl_status status = SL_OK;
    if (!stop_requested(s, &out->reason)) {
        status = prepare_advance(s, target);
        status = status == SL_OK ? advance_engine(s, target, flags & SL_STOP_AT_EVENT, out) : status;
    }
    int64_t errors = sl_diags_count(s->diags, SL_ERROR);
    sl_status shown = s->started ? sl_session_show(s, s->t) : SL_OK;
    if (shown != SL_OK && s->failed == SL_OK) {
        return sl_session_fail(s, shown, errors, "the values cannot be shown");
    }
    bool ended = s->started && s->t >= s->ops->end(s->engine), stopped = out->reason == SL_REASON_STOPPED;
    if (status == SL_OK && (ended || stopped)) {
        out->reason = stopped ? SL_REASON_STOPPED : SL_REASON_END;
        status = sl_session_end_sinks(s, ended);
        return status == SL_OK ? SL_OK : sl_session_fail(s, status, errors, "the results could not be completed");
    }
    return status;
}

/* Is this a call that makes sense? */
static sl_status check_call(sl_session *s, double t, uint32_t flags) {
    if (isnan(t) || t < s->t) {
        return sl_session_refuse(s, "a session cannot go back in time", "restore a saved state");
    }
    if (isfinite(t) && t != floor(t) && strcmp(s->ops->time_unit, "steps") == 0) {
        return sl_session_refuse(s, "the model's time counts steps: it has whole numbers only", NULL);
    }
    if (isinf(t) && isinf(s->ops->end(s->engine)) && !s->ops->finds_end && !(flags & SL_STOP_AT_EVENT)) {
        return sl_session_refuse(s, "the model has no end to go to", "advance to a time");
    }
    return SL_OK;
}

sl_status sl_session_advance(sl_session *s, double t, uint32_t flags, sl_step *out) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return SL_ERR_USE;
    }
    sl_step step = {.size = sizeof step, .reason = SL_REASON_TARGET, .first_diag = sl_diags_size(s->diags)};
    if (out && !sl_sized_valid(out)) {
        return sl_session_refuse(s, "the sl_step has no size", "set its member size");
    }
    sl_status status = s->failed != SL_OK ? s->failed : check_call(s, t, flags);
    if (status == SL_OK) {
        status = advance_to(s, t, flags, &step);
    }
    if (status != SL_OK && status != SL_ERR_CANCELLED) {
        step.reason = SL_REASON_FAILED;
    }
    step.time = s->t;
    step.n_diag = sl_diags_size(s->diags) - step.first_diag;
    if (out) {
        sl_sized_give(out, &step, sizeof step);
    }
    return status;
}

sl_status sl_session_step(sl_session *s, double *dt) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return SL_ERR_USE;
    }
    double before = s->t;
    sl_step step = {.size = sizeof step};
    sl_status status;
    do { /* an engine may take steps of no length; the guard above counts them */
        status = sl_session_advance(s, (double)INFINITY, SL_STOP_AT_EVENT, &step);
    } while (status == SL_OK && step.reason == SL_REASON_EVENT && s->t == before);
    if (dt) {
        *dt = s->t - before;
    }
    return status;
}

sl_status sl_session_refresh(sl_session *s) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SESSION)) {
        return SL_ERR_USE;
    }
    if (s->failed != SL_OK) {
        return s->failed;
    }
    sl_status status = prepare_advance(s, s->t);
    return status == SL_OK ? sl_session_show(s, s->t) : status;
}
