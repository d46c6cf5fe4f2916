/* SPDX-License-Identifier: MIT */
/* convert.c: a result that was read, written again: another format, all of it or a part; see sluice/results.h.
 *
 * Events are those between the first and the last time that is selected. Tables of the end say what the whole run came to, and go
 * along as they are.
 */
#include <math.h>

#include <sluice/results.h>

#include "base/context.h"
#include "base/sized.h"
#include "results/format.h"

typedef struct conversion {
    sl_context *ctx;
    sl_results *r;
    sl_diags *diags;
    sl_arena arena;
    sl_results_choice choice;
    sl_results_writer *writer;
    double **values; /* [quantity of the whole]; NULL: not selected */
    int64_t n_event; /* written, or passed over */
} conversion;

/* The step between frames; 0: they are not equally far apart. */
static double step_of(const sl_results *r) {
    double step =
        r->n_frame > 1 && !r->executions ? (r->times[r->n_frame - 1] - r->times[0]) / (double)(r->n_frame - 1) : 0.0;
    for (int64_t i = 1; i < r->n_frame && step > 0.0; i++) {
        step = fabs(r->times[i] - r->times[0] - (double)i * step) <= 1e-9 * fabs(r->times[i]) ? step : 0.0;
    }
    return step;
}

/* Chooses the part, counts its frames. every counts from the first frame that is selected. */
static sl_status choose(conversion *c, const sl_results_select *select) {
    const sl_results *r = c->r;
    double start = (double)INFINITY, end = -(double)INFINITY;
    for (int64_t i = 0; i < r->n_frame; i++) {
        start = fmin(start, r->times[i]);
        end = fmax(end, r->times[i]);
    }
    bool some = r->n_frame > 0;
    sl_status status = sl_results_choose(&c->arena, &r->layout, select, some ? start : 0.0,
                                         some ? end : (double)INFINITY, step_of(r), c->diags, &c->choice);
    double first = (double)INFINITY;
    for (int64_t i = 0; i < r->n_frame && status == SL_OK; i++) {
        if (r->times[i] >= c->choice.first - 1e-9 * fabs(r->times[i])) {
            first = fmin(first, r->times[i]);
        }
    }
    c->choice.first = isfinite(first) ? first : c->choice.first;
    c->choice.layout.n_frame = 0.0;
    for (int64_t i = 0; i < r->n_frame && status == SL_OK; i++) {
        c->choice.layout.n_frame += sl_results_choice_wants(&c->choice, r->times[i]);
    }
    return status;
}

static sl_status alloc_values(conversion *c) {
    c->values = sl_arena_alloc(&c->arena, (size_t)c->r->n_quantity * sizeof *c->values);
    bool fine = c->values != NULL;
    for (int32_t i = 0; i < c->choice.n_quantity && fine; i++) {
        int32_t q = c->choice.quantity[i];
        size_t n = (size_t)c->r->layout.groups[c->r->group_of[q]].n;
        c->values[q] = sl_arena_alloc(&c->arena, n * sizeof(double));
        fine = c->values[q] != NULL;
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* Events up to the time of an execution. */
static sl_status write_events(conversion *c, int32_t execution, double time) {
    sl_status status = SL_OK;
    sl_results_choice window = c->choice;
    window.every = 0.0;
    for (; c->n_event < c->r->n_event && status == SL_OK; c->n_event++) {
        const sl_event_info *e = &c->r->events[c->n_event];
        if (e->execution > execution || (e->execution == execution && e->time > time)) {
            break;
        }
        status = sl_results_choice_wants(&window, e->time) ? sl_results_writer_event(c->writer, e, c->diags) : SL_OK;
    }
    return status;
}

static sl_status write_frames(conversion *c) {
    sl_status status = SL_OK;
    for (int64_t f = 0; f < c->r->n_frame && status == SL_OK; f++) {
        sl_results_frame whole = {.time = c->r->times[f],
                                  .values = (const double *const *)c->values,
                                  .execution = c->r->executions ? c->r->executions[f] : 0};
        if (!sl_results_choice_wants(&c->choice, whole.time)) {
            continue;
        }
        status = write_events(c, whole.execution, whole.time);
        for (int32_t i = 0; i < c->choice.n_quantity && status == SL_OK; i++) {
            int32_t q = c->choice.quantity[i];
            status = sl_results_read(c->r, f, q, c->values[q]);
        }
        if (status == SL_OK) {
            const sl_results_frame part = sl_results_choice_gather(&c->choice, &whole);
            status = sl_results_writer_frame(c->writer, &part, c->diags);
        }
        if (status == SL_OK && !sl_progress_report(c->ctx, "converting", f + 1, c->r->n_frame)) {
            status = SL_ERR_CANCELLED;
        }
    }
    return status == SL_OK ? write_events(c, INT32_MAX, (double)INFINITY) : status;
}

static sl_status convert(conversion *c, const sl_results_select *select, const sl_results_target *target_) {
    sl_results_target target = sl_results_target_default();
    if (!sl_sized_take(&target, sizeof target, target_)) {
        return SL_ERR_USE;
    }
    target.csv = target.csv == SL_CSV_BY_MODEL ? c->r->form : target.csv;
    sl_status status = choose(c, select);
    status = status == SL_OK ? alloc_values(c) : status;
    status =
        status == SL_OK ? sl_results_writer_create(c->ctx, &target, &c->choice.layout, c->diags, &c->writer) : status;
    status = status == SL_OK ? write_frames(c) : status;
    return status == SL_OK ? sl_results_writer_end(c->writer, &c->r->end, c->diags) : status;
}

sl_status sl_results_write(sl_context *ctx, sl_results *r, const sl_results_select *select,
                           const sl_results_target *target, sl_diags *diags) {
    if (!ctx || !SL_HANDLE_IS(r, SL_HANDLE_RESULTS) || !target) {
        return SL_ERR_USE;
    }
    conversion c = {.ctx = ctx, .r = r, .diags = diags};
    sl_arena_init(&c.arena, ctx);
    sl_status status = convert(&c, select, target);
    sl_results_writer_destroy(c.writer);
    sl_arena_fini(&c.arena);
    return status;
}
