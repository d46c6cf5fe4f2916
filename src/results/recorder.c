/* SPDX-License-Identifier: MIT */
/* recorder.c: a session's values and events on their way into result files; see sluice/results.h and record.h.
 *
 * A recorder is a sink of its session. Frames come at the report times of the engine and, where the style has not set them alone, at the
 * end; of an engine without report times after each of its steps. Nothing is kept but the frame at hand.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include <sluice/eps.h>

#include "base/handle.h"
#include "base/sized.h"
#include "results/record.h"

static const sl_record_style *const styles[] = {&sl_record_network, &sl_record_surge, NULL};

static const sl_recorder_def default_recorder = {.size = sizeof(sl_recorder_def)};

void sl_recorder_default_fill(sl_recorder_def *def, size_t size) {
    sl_sized_default(def, size, &default_recorder, sizeof default_recorder);
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* Shown values of the chosen quantities, from the fields of the sink. */
static void take_values(sl_recorder *r, const double *const *data) {
    for (int32_t i = 0; i < r->choice.n_quantity; i++) {
        int32_t k = r->choice.quantity[i];
        const sl_record_quantity *q = r->quantities[k];
        const sl_record_group *g = r->group_of[k];
        const double *x[2] = {q->slots[0] >= 0 ? data[q->slots[0]] : NULL, q->slots[1] >= 0 ? data[q->slots[1]] : NULL};
        if (q->show) {
            q->show(r, g, q, x, q->values);
            continue;
        }
        assert((x[0] || g->shown.n == 0) && "a quantity without a function has a field");
        for (int32_t j = 0; j < g->shown.n; j++) {
            q->values[j] = x[0][g->order ? g->order[j] : j] * q->by;
        }
    }
}

/* ---- Frames ------------------------------------------------------------------------------------- */

static sl_status write_frame(sl_recorder *r, double t, sl_diags *diags) {
    const sl_results_frame whole = {.time = t, .values = r->whole, .execution = r->execution};
    const sl_results_frame part = sl_results_choice_gather(&r->choice, &whole);
    sl_status status = SL_OK;
    for (int64_t i = 0; i < r->writers.n && status == SL_OK; i++) {
        status = sl_results_writer_frame(r->writers.at[i], &part, diags);
    }
    return status;
}

/* A value as it enters a statistic. */
static double in_statistic(sl_record_sum sum, double x) {
    return sum == SL_RECORD_SIZE ? fabs(x) : sum == SL_RECORD_OPEN ? (x > (double)SL_STATUS_CLOSED ? 1.0 : 0.0) : x;
}

/* Of statistics: takes the frame into the sums. */
static void add_to_sums(sl_recorder *r, double t) {
    bool first = r->n_taken == 0;
    for (int32_t i = 0; i < r->choice.n_quantity; i++) {
        int32_t k = r->choice.quantity[i];
        const sl_record_quantity *q = r->quantities[k];
        for (int32_t j = 0; j < r->group_of[k]->shown.n; j++) {
            double x = in_statistic(q->sum, q->values[j]), low = r->low[k][j];
            r->low[k][j] = first ? x : r->statistic == 1 ? low + x : fmin(low, x);
            r->high[k][j] = first ? x : fmax(r->high[k][j], x);
        }
    }
    r->first_time = first ? t : r->first_time;
    r->n_taken++;
}

static double statistic_of(const sl_recorder *r, double low, double high) {
    return r->statistic == 1   ? low / (double)r->n_taken
           : r->statistic == 2 ? low
           : r->statistic == 3 ? high
                               : high - low;
}

/* The one frame has the time of the first report, as in .out files. Other codes than statuses are the last ones. */
static sl_status write_statistic(sl_recorder *r, sl_diags *diags) {
    if (r->n_taken == 0) {
        return SL_OK;
    }
    for (int32_t i = 0; i < r->choice.n_quantity; i++) {
        int32_t k = r->choice.quantity[i];
        const sl_record_quantity *q = r->quantities[k];
        for (int32_t j = 0; j < r->group_of[k]->shown.n; j++) {
            double x = statistic_of(r, r->low[k][j], r->high[k][j]);
            if (q->sum == SL_RECORD_OPEN) {
                q->values[j] = x >= 0.5 ? (double)SL_STATUS_OPEN : (double)SL_STATUS_CLOSED;
            } else if (!q->column.words) {
                q->values[j] = x;
            }
        }
    }
    return write_frame(r, r->first_time, diags);
}

static sl_status put_frame(sl_recorder *r, double t, sl_diags *diags) {
    r->frame_time = t;
    if (!sl_results_choice_wants(&r->choice, t)) {
        return SL_OK;
    }
    if (r->statistic) {
        add_to_sums(r, t);
        return SL_OK;
    }
    return write_frame(r, t, diags);
}

/* The frames before and after the events of this instant. */
static sl_status put_frames_at_event(sl_recorder *r, double t, const double *const *data, sl_diags *diags) {
    for (int64_t i = r->changes.n - 1; i >= 0; i--) { /* the first change of a value last */
        r->quantities[r->changes.at[i].quantity]->values[r->changes.at[i].element] = r->changes.at[i].from;
    }
    sl_status status = put_frame(r, t, diags);
    take_values(r, data);
    return status == SL_OK ? put_frame(r, t, diags) : status;
}

/* ---- The sink ----------------------------------------------------------------------------------- */

static sl_status begin(void *recorder, const sl_result_layout *layout, sl_diags *diags) {
    sl_recorder *r = recorder;
    (void)diags;
    r->ops = layout->ops;
    r->engine = layout->engine;
    return SL_OK;
}

static sl_status frame(void *recorder, const sl_result_frame *f, sl_diags *diags) {
    sl_recorder *r = recorder;
    if (r->ended) {
        return SL_OK;
    }
    r->by_report = true;
    take_values(r, f->data);
    return put_frame(r, f->time, diags);
}

/* The session goes before the recorder. */
static void forget_session(void *recorder) {
    sl_recorder *r = recorder;
    r->session = NULL;
}

/* A change is kept for the frame before it. */
static sl_status note_change(sl_recorder *r, const sl_engine_event *e) {
    if (r->instant != e->time) {
        r->changes.n = 0;
        r->is_change = false;
    }
    r->instant = e->time;
    r->is_change = r->is_change || e->field >= 0 || strcmp(e->kind, "crossing") == 0;
    for (int32_t i = 0; i < r->choice.n_quantity && e->field >= 0; i++) {
        int32_t k = r->choice.quantity[i];
        const sl_record_quantity *q = r->quantities[k];
        if (q->fields[0] == e->field && !q->show && !r->group_of[k]->order) {
            sl_record_change change = {k, e->index, e->from * q->by};
            return SL_PUSH(r->ctx, &r->changes, change) ? SL_OK : SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

static sl_status event(void *recorder, const sl_engine_event *e, sl_diags *diags) {
    sl_recorder *r = recorder;
    if (r->ended) {
        return SL_OK;
    }
    sl_event_info info = sl_session_event_info(r->session, e);
    info.execution = r->execution;
    sl_status status = note_change(r, e);
    for (int64_t i = 0; i < r->writers.n && status == SL_OK; i++) {
        status = sl_results_writer_event(r->writers.at[i], &info, diags);
    }
    return status;
}

/* Values are read where there is a frame only: reading those of all parts of a model costs more than moving one of them. */
static sl_status step(void *recorder, const sl_result_step *at, sl_diags *diags) {
    sl_recorder *r = recorder;
    double t = at->time;
    if (r->ended) {
        return SL_OK;
    }
    r->step_time = t;
    bool at_event = r->def.at_events && r->is_change && r->instant == t && t > r->begin;
    if (r->frame_time == t || (r->by_report && !at_event)) {
        return SL_OK;
    }
    sl_status status = sl_result_step_read(at);
    if (status != SL_OK) {
        return status;
    }
    take_values(r, at->data);
    return at_event ? put_frames_at_event(r, t, at->data, diags) : put_frame(r, t, diags);
}

/* ---- The layout --------------------------------------------------------------------------------- */

static sl_status fill_layout(sl_recorder *r) {
    size_t n_quantity = 0, n_group = (size_t)r->groups.n;
    for (int64_t i = 0; i < r->groups.n; i++) {
        n_quantity += (size_t)r->groups.at[i].quantities.n;
    }
    sl_results_group *groups = sl_arena_alloc(&r->arena, n_group * sizeof *groups);
    sl_results_column *columns = sl_arena_alloc(&r->arena, n_quantity * sizeof *columns);
    r->whole = sl_arena_alloc(&r->arena, n_quantity * sizeof *r->whole);
    r->quantities = sl_arena_alloc(&r->arena, n_quantity * sizeof(sl_record_quantity *));
    r->group_of = sl_arena_alloc(&r->arena, n_quantity * sizeof(sl_record_group *));
    r->fields = sl_arena_alloc(&r->arena, (2 * n_quantity + 1) * sizeof *r->fields);
    r->data = sl_arena_alloc(&r->arena, (2 * n_quantity + 1) * sizeof *r->data);
    if (!groups || !columns || !r->whole || !r->quantities || !r->group_of || !r->fields || !r->data) {
        return SL_ERR_MEMORY;
    }
    size_t at = 0;
    for (size_t i = 0; i < n_group; i++) {
        sl_record_group *g = &r->groups.at[i];
        g->shown.n_quantity = (int32_t)g->quantities.n;
        g->shown.quantities = columns + at;
        groups[i] = g->shown;
        for (int64_t k = 0; k < g->quantities.n; k++, at++) {
            columns[at] = g->quantities.at[k].column;
            r->quantities[at] = &g->quantities.at[k];
            r->group_of[at] = g;
        }
    }
    r->layout.n_group = (int32_t)n_group;
    r->layout.groups = groups;
    r->layout.n_attribute = (int32_t)r->attributes.n;
    r->layout.attributes = r->attributes.at;
    return SL_OK;
}

static int32_t slot_of(sl_recorder *r, int32_t field) {
    int32_t k = 0;
    if (field < 0) {
        return -1;
    }
    while (k < r->n_field && r->fields[k] != field) {
        k++;
    }
    if (k == r->n_field) {
        r->fields[r->n_field++] = field;
    }
    return k;
}

/* Memory for what was chosen, and the fields that it comes from. */
static sl_status reserve(sl_recorder *r) {
    size_t n_all = (size_t)sl_results_count_quantities(&r->layout);
    if (r->statistic) {
        r->low = sl_arena_alloc(&r->arena, n_all * sizeof *r->low);
        r->high = sl_arena_alloc(&r->arena, n_all * sizeof *r->high);
        if (!r->low || !r->high) {
            return SL_ERR_MEMORY;
        }
    }
    for (int32_t i = 0; i < r->choice.n_quantity; i++) {
        int32_t k = r->choice.quantity[i];
        sl_record_quantity *q = r->quantities[k];
        size_t size = (size_t)r->group_of[k]->shown.n * sizeof *q->values;
        q->values = sl_arena_alloc(&r->arena, size);
        r->whole[k] = q->values;
        q->slots[0] = slot_of(r, q->fields[0]);
        q->slots[1] = slot_of(r, q->fields[1]);
        if (r->statistic) {
            r->low[k] = sl_arena_alloc(&r->arena, size);
            r->high[k] = sl_arena_alloc(&r->arena, size);
        }
        if (!q->values || (r->statistic && (!r->low[k] || !r->high[k]))) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

static sl_status choose(sl_recorder *r, sl_diags *diags) {
    double start = 0.0, report_step = 0.0, last = sl_session_end(r->session);
    r->ops->report(r->engine, &start, &report_step);
    sl_status status =
        sl_results_choose(&r->arena, &r->layout, r->def.select, start, last, report_step, diags, &r->choice);
    double spacing = r->choice.every > report_step ? r->choice.every : report_step;
    double to = fmin(last, r->choice.last);
    r->choice.layout.n_frame =
        spacing > 0.0 && isfinite(to) ? fmax(floor((to - fmax(start, r->choice.first)) / spacing), 0.0) + 1.0 : 0.0;
    return status;
}

/* Groups that say nothing go. */
static void drop_empty_groups(sl_recorder *r) {
    int64_t n = 0;
    for (int64_t i = 0; i < r->groups.n; i++) {
        sl_record_group *g = &r->groups.at[i];
        if (g->quantities.n > 0 || g->shown.n_fact > 0) {
            r->groups.at[n++] = *g;
        } else {
            SL_ARRAY_FINI(r->ctx, &g->quantities);
        }
    }
    r->groups.n = n;
}

static sl_status make_layout(sl_recorder *r, const sl_recorder_more *more, sl_diags *diags) {
    const void *engine;
    const sl_engine_ops *ops = sl_session_ops(r->session, &engine);
    r->layout = (sl_results_layout){.size = sizeof r->layout,
                                    .model = sl_results_text(&r->arena, r->def.name ? r->def.name : ""),
                                    .title = sl_results_text(&r->arena, ops->title ? ops->title(engine) : ""),
                                    .engine = r->ops->name,
                                    .time_unit = r->ops->time_unit};
    sl_status status = r->layout.model && r->layout.title ? sl_record_groups_make(r) : SL_ERR_MEMORY;
    for (int i = 0; styles[i] && !r->style && status == SL_OK; i++) {
        bool fits = false;
        status = styles[i]->fits(r, &fits);
        r->style = fits ? styles[i] : NULL;
    }
    status = status == SL_OK && r->style ? r->style->arrange(r) : status;
    drop_empty_groups(r);
    for (int32_t i = 0; i < more->n_attribute && status == SL_OK; i++) {
        status = SL_PUSH(r->ctx, &r->attributes, more->attributes[i]) ? SL_OK : SL_ERR_MEMORY;
    }
    r->layout.title = more->title ? more->title : r->layout.title;
    status = status == SL_OK ? fill_layout(r) : status;
    status = status == SL_OK ? choose(r, diags) : status;
    return status == SL_OK ? reserve(r) : status;
}

/* ---- The recorder ------------------------------------------------------------------------------- */

sl_status sl_recorder_follow(sl_recorder *r, sl_session *s) {
    double start = 0.0, report_step = 0.0;
    r->session = s;
    r->ops = sl_session_ops(s, &r->engine);
    r->execution += r->choice.layout.several;
    r->begin = sl_session_time(s);
    r->last = sl_session_end(s);
    r->frame_time = r->step_time = r->instant = (double)NAN;
    r->by_report = r->is_change = r->ended = false;
    r->changes.n = 0;
    r->ops->report(r->engine, &start, &report_step);
    bool only_reports = report_step > 0.0 && !r->def.at_events && r->style && r->style->at_report_times;
    sl_result_sink sink = {.user = r,
                           .begin = begin,
                           .frame = frame,
                           .destroy = forget_session,
                           .event = event,
                           .step = only_reports ? NULL : step};
    return sl_session_add_sink(s, &sink, r->fields, r->n_field);
}

sl_status sl_recorder_create_more(sl_context *ctx, sl_session *s, const sl_recorder_def *def,
                                  const sl_recorder_more *more, sl_diags *diags, sl_recorder **out) {
    *out = NULL;
    sl_recorder *r = sl_alloc(ctx, sizeof *r);
    if (!r) {
        return SL_ERR_MEMORY;
    }
    *r = (sl_recorder){.handle = SL_HANDLE_RECORDER,
                       .ctx = ctx,
                       .def = *def,
                       .session = s,
                       .frame_time = (double)NAN,
                       .step_time = (double)NAN,
                       .net = sl_model_network(sl_session_model(s)),
                       .routes = more->routes,
                       .n_route = more->n_route};
    r->ops = sl_session_ops(s, &r->engine);
    sl_arena_init(&r->arena, ctx);
    sl_status status = make_layout(r, more, diags);
    r->choice.layout.several = more->several;
    if (status == SL_OK && !more->several) {
        status = sl_recorder_follow(r, s);
    }
    if (status != SL_OK) {
        sl_recorder_destroy(r);
        return status;
    }
    *out = r;
    return SL_OK;
}

sl_status sl_recorder_create(sl_context *ctx, sl_session *s, const sl_recorder_def *def_, sl_diags *diags,
                             sl_recorder **out) {
    sl_recorder_def def = default_recorder;
    if (!ctx || !SL_HANDLE_IS(s, SL_HANDLE_SESSION) || !out || !sl_sized_take(&def, sizeof def, def_)) {
        return SL_ERR_USE;
    }
    return sl_recorder_create_more(ctx, s, &def, &(sl_recorder_more){0}, diags, out);
}

const sl_results_layout *sl_recorder_layout(const sl_recorder *r) {
    return SL_HANDLE_IS(r, SL_HANDLE_RECORDER) ? &r->choice.layout : NULL;
}

sl_status sl_recorder_add(sl_recorder *r, const sl_results_target *target, sl_diags *diags) {
    sl_results_writer *w = NULL;
    if (!SL_HANDLE_IS(r, SL_HANDLE_RECORDER) || r->closed || !isnan(r->frame_time) ||
        !isnan(r->step_time)) { /* a file has all frames */
        return SL_ERR_USE;
    }
    /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers */
    bool fine = SL_RESERVE(r->ctx, &r->writers, r->writers.n + 1);
    sl_status status = fine ? sl_results_writer_create(r->ctx, target, &r->choice.layout, diags, &w) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        r->writers.at[r->writers.n++] = w;
    }
    return status;
}

static sl_status put_last_frame(sl_recorder *r, sl_diags *diags) {
    sl_status status = sl_session_read(r->session, r->fields, r->n_field, r->data);
    if (status != SL_OK) {
        return status;
    }
    take_values(r, r->data);
    return put_frame(r, sl_session_time(r->session), diags);
}

/* A report time need not be the end: the last step has its frame too. */
sl_status sl_recorder_leave(sl_recorder *r, bool complete, sl_diags *diags) {
    bool missing = complete && r->step_time > r->frame_time && !(r->style && r->style->at_report_times);
    sl_status status = missing ? put_last_frame(r, diags) : SL_OK;
    r->ended = true;
    sl_session_drop_sink(r->session, r);
    return status == SL_OK && r->statistic ? write_statistic(r, diags) : status;
}

sl_status sl_recorder_end_each(sl_recorder *r, bool complete, sl_diags *diags, sl_status *each) {
    bool several = SL_HANDLE_IS(r, SL_HANDLE_RECORDER) && r->choice.layout.several;
    if (!SL_HANDLE_IS(r, SL_HANDLE_RECORDER) || r->closed || (!several && !r->session)) {
        return SL_ERR_USE;
    }
    r->closed = true;
    sl_status status = r->ended || several ? SL_OK : sl_recorder_leave(r, complete, diags);
    status = status == SL_OK && r->style && r->style->end ? r->style->end(r, complete) : status;
    /* An engine of a network that halts by itself says that it is done. */
    bool halted = r->net && !several && sl_session_time(r->session) < r->last;
    const sl_results_end last = {.size = sizeof last,
                                 .complete = complete && !halted,
                                 .n_attribute = (int32_t)r->end_attributes.n,
                                 .attributes = r->end_attributes.at,
                                 .n_table = (int32_t)r->tables.n,
                                 .tables = r->tables.at};
    sl_status first = status;
    for (int64_t i = 0; i < r->writers.n; i++) { /* all of them, whatever one says */
        sl_status ended = status == SL_OK ? sl_results_writer_end(r->writers.at[i], &last, diags) : status;
        sl_results_writer_destroy(r->writers.at[i]);
        first = first == SL_OK ? ended : first;
        if (each) {
            each[i] = ended;
        }
    }
    r->writers.n = 0;
    return first;
}

sl_status sl_recorder_end(sl_recorder *r, bool complete, sl_diags *diags) {
    return sl_recorder_end_each(r, complete, diags, NULL);
}

void sl_recorder_destroy(sl_recorder *r) {
    if (!SL_HANDLE_IS(r, SL_HANDLE_RECORDER)) {
        return;
    }
    r->handle = SL_HANDLE_GONE;
    if (r->session && !r->ended) { /* one that has ended is no sink any more, and its session may have gone */
        sl_session_drop_sink(r->session, r);
    }
    for (int64_t i = 0; i < r->writers.n; i++) {
        sl_results_writer_destroy(r->writers.at[i]);
    }
    for (int64_t i = 0; i < r->groups.n; i++) {
        SL_ARRAY_FINI(r->ctx, &r->groups.at[i].quantities);
    }
    SL_ARRAY_FINI(r->ctx, &r->writers); /* NOLINT(bugprone-sizeof-expression): an array of pointers */
    SL_ARRAY_FINI(r->ctx, &r->groups);
    SL_ARRAY_FINI(r->ctx, &r->attributes);
    SL_ARRAY_FINI(r->ctx, &r->changes);
    SL_ARRAY_FINI(r->ctx, &r->end_attributes);
    SL_ARRAY_FINI(r->ctx, &r->tables);
    sl_arena_fini(&r->arena);
    sl_free(r->ctx, r, sizeof *r);
}
