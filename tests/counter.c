/* SPDX-License-Identifier: MIT */
/* counter.c: counters that carry as an engine; see counter.h.
 *
 * A step of the engine ends with the first carry, after three counts, or at the end: several whole times lie within it. Any of
 * them is shown by counting again from the boundary before.
 */
#include "counter.h"

#include "base/ids.h"
#include "base/memory.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

enum { LONGEST = 3 };

/* A point in time: whole numbers all. */
typedef struct instant {
    double t, carries, total, rate; /* total and rate: of the last refresh or step */
    double *count;                  /* [n] */
} instant;

typedef struct counter {
    sl_context *ctx;
    const counter_model *model;
    instant before, now, shown;
    double *set, *held, *limit; /* [n] */
    double *step;               /* [n] in force at the time shown */
    double *block;              /* of all arrays */
    double pending;             /* 1: the outputs do not belong to what was set */
    SL_ARRAY(sl_engine_event) events;
} counter;

enum { CLASS_CELL = SL_CLASS_MODEL + 1, N_ARRAY = 7 };

static const sl_class classes[] = {{"", "the counter"}, {"cell", "digits that carry"}};

static const sl_field fields[COUNTER_N_FIELD] = {
    {.name = "count",
     .unit = "1",
     .of = CLASS_CELL,
     .flags = SL_FIELD_STATE | SL_FIELD_DISCRETE,
     .meaning = "so far",
     .type = SL_FIELD_INT},
    {.name = "step",
     .unit = "1",
     .of = CLASS_CELL,
     .flags = SL_FIELD_STATE | SL_FIELD_INPUT | SL_FIELD_DISCRETE,
     .meaning = "added at the next count",
     .type = SL_FIELD_INT,
     .min = 0.0,
     .max = 1e6},
    {.name = "limit",
     .unit = "1",
     .of = CLASS_CELL,
     .flags = SL_FIELD_STATE | SL_FIELD_PARAMETER,
     .meaning = "where it carries",
     .type = SL_FIELD_INT,
     .min = 1.0,
     .max = 1e6},
    {.name = "carries",
     .unit = "1",
     .flags = SL_FIELD_STATE | SL_FIELD_DISCRETE,
     .meaning = "out of the uppermost cells",
     .type = SL_FIELD_INT},
    {.name = "total", .unit = "1", .flags = SL_FIELD_OUTPUT, .meaning = "of all cells", .type = SL_FIELD_INT},
    {.name = "rate", .unit = "1", .flags = SL_FIELD_OUTPUT, .meaning = "of all steps", .type = SL_FIELD_INT},
};

/* ---- Counting ----------------------------------------------------------------------------------- */

static double step_at(const counter *c, int32_t i, double t) {
    return c->held[i] != 0.0 ? c->set[i] : c->model->step[i] * (fmod(t, 2.0) == 0.0 ? 1.0 : 2.0);
}

static int32_t parent_of(const counter_model *m, int32_t i) {
    const char *dot = strrchr(m->ids[i], '.');
    size_t n = dot ? (size_t)(dot - m->ids[i]) : 0;
    for (int32_t k = 0; dot && k < i; k++) {
        if (strlen(m->ids[k]) == n && memcmp(m->ids[k], m->ids[i], n) == 0) {
            return k;
        }
    }
    return -1;
}

static void compute_outputs(const counter *c, instant *at) {
    at->total = at->rate = 0.0;
    for (int32_t i = 0; i < c->model->n; i++) {
        at->total += at->count[i];
        at->rate += step_at(c, i, at->t);
    }
}

static bool push(counter *c, const sl_engine_event *event) {
    return SL_PUSH(c->ctx, &c->events, *event);
}

/* One count of an instant; *carried: a cell did. recorded: into the list of events. False: no memory for these. */
static bool count_on(counter *c, instant *at, bool recorded, bool *carried) {
    const counter_model *m = c->model;
    bool fine = true;
    double t = at->t++;
    for (int32_t i = m->n - 1; i >= 0; i--) { /* what is below carries first */
        at->count[i] += step_at(c, i, t);
        double full = at->count[i];
        if (full < c->limit[i]) {
            continue;
        }
        at->count[i] = fmod(full, c->limit[i]);
        int32_t above = parent_of(m, i);
        *(above >= 0 ? &at->count[above] : &at->carries) += 1.0;
        *carried = true;
        fine = fine && (!recorded || push(c, &(sl_engine_event){.time = at->t,
                                                                .kind = "carry",
                                                                .of = CLASS_CELL,
                                                                .index = i,
                                                                .field = COUNTER_COUNT,
                                                                .from = full,
                                                                .to = at->count[i],
                                                                .cause = above >= 0 ? m->ids[above] : ""}));
    }
    compute_outputs(c, at);
    return fine;
}

static void copy_instant(const counter *c, instant *to, const instant *from) {
    double *count = to->count;
    *to = *from;
    to->count = count;
    for (int32_t i = 0; i < c->model->n; i++) {
        count[i] = from->count[i];
    }
}

static void choose(counter *c, const instant *at) {
    if (at != &c->shown) {
        copy_instant(c, &c->shown, at);
    }
    for (int32_t i = 0; i < c->model->n; i++) {
        c->step[i] = step_at(c, i, c->shown.t);
    }
}

/* ---- Operations --------------------------------------------------------------------------------- */

static void destroy(void *engine) {
    counter *c = engine;
    if (c) {
        sl_free(c->ctx, c->block, c->block ? N_ARRAY * (size_t)c->model->n * sizeof *c->block : 0);
        SL_ARRAY_FINI(c->ctx, &c->events);
        sl_free(c->ctx, c, sizeof *c);
    }
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **engine) {
    const counter_model *m = model;
    (void)diags;
    *engine = NULL;
    counter *c = sl_alloc(ctx, sizeof *c);
    if (!c) {
        return SL_ERR_MEMORY;
    }
    c->ctx = ctx;
    c->model = m;
    size_t n = (size_t)m->n;
    c->block = sl_alloc(ctx, N_ARRAY * n * sizeof *c->block);
    if (!c->block || !SL_RESERVE(ctx, &c->events, m->n + 16)) {
        destroy(c);
        return SL_ERR_MEMORY;
    }
    double **arrays[N_ARRAY] = {&c->before.count, &c->now.count, &c->shown.count, &c->set,
                                &c->held,         &c->limit,     &c->step};
    for (int i = 0; i < N_ARRAY; i++) {
        *arrays[i] = c->block + (size_t)i * n;
    }
    memcpy(c->limit, m->limit, n * sizeof *c->limit);
    c->now.total = c->now.rate = (double)NAN;
    copy_instant(c, &c->before, &c->now);
    c->pending = 1.0;
    choose(c, &c->now);
    *engine = c;
    return SL_OK;
}

static int32_t count(const void *engine, int32_t field) {
    return fields[field].of == CLASS_CELL ? ((const counter *)engine)->model->n : 1;
}

static const char *element(const void *engine, int32_t field, int32_t index) {
    return fields[field].of == CLASS_CELL ? ((const counter *)engine)->model->ids[index] : "";
}

/* A cell's step is less than its limit in the model. */
static void describe(const void *engine, int32_t field, int32_t index, sl_field *out) {
    if (field == COUNTER_STEP) {
        out->max = ((const counter *)engine)->model->limit[index] - 1.0;
        out->meaning = index == 0 ? "added at the next count of the first cell" : out->meaning;
    }
}

static double now(const void *engine) {
    return ((const counter *)engine)->now.t;
}

static double end_time(const void *engine) {
    double end = ((const counter *)engine)->model->end;
    return end > 0.0 ? end : (double)INFINITY;
}

static double next_event(const void *engine) {
    return now(engine) + 1.0;
}

static void report(const void *engine, double *start, double *step) {
    *start = 0.0;
    *step = ((const counter *)engine)->model->report_step;
}

static sl_status refresh(void *engine, sl_diags *diags) {
    counter *c = engine;
    (void)diags;
    if (c->pending != 0.0) {
        double old = c->now.rate;
        compute_outputs(c, &c->now);
        copy_instant(c, &c->before, &c->now);
        c->pending = 0.0;
        if (!isnan(old) && old != c->now.rate &&
            !push(c, &(sl_engine_event){.time = c->now.t,
                                        .kind = "rate",
                                        .field = COUNTER_RATE,
                                        .from = old,
                                        .to = c->now.rate,
                                        .cause = "set"})) {
            return SL_ERR_MEMORY;
        }
    }
    choose(c, &c->now);
    return SL_OK;
}

static sl_status step(void *engine, sl_diags *diags, sl_engine_step *out) {
    counter *c = engine;
    if (c->now.t >= end_time(c)) {
        return SL_ERR_USE;
    }
    c->events.n = 0;
    sl_status status = refresh(c, diags);
    if (status != SL_OK) {
        return status;
    }
    copy_instant(c, &c->before, &c->now);
    bool carried = false, fine = true;
    for (int k = 0; k < LONGEST && !carried && fine && c->now.t < end_time(c); k++) {
        fine = count_on(c, &c->now, true, &carried);
    }
    if (!fine) {
        copy_instant(c, &c->now, &c->before);
        c->events.n = 0;
    }
    choose(c, &c->now);
    *out = (sl_engine_step){.begin = c->before.t, .end = c->now.t, .finished = c->now.t >= end_time(c)};
    return fine ? SL_OK : SL_ERR_MEMORY;
}

static const double *data(const void *engine, int32_t field) {
    const counter *c = engine;
    switch (field) {
    case COUNTER_COUNT: return c->shown.count;
    case COUNTER_STEP: return c->step;
    case COUNTER_LIMIT: return c->limit;
    case COUNTER_CARRIES: return &c->shown.carries;
    case COUNTER_TOTAL: return &c->shown.total;
    default: return &c->shown.rate;
    }
}

static sl_status show(void *engine, double t, sl_diags *diags) {
    counter *c = engine;
    (void)diags;
    if (!(t >= c->before.t && t <= c->now.t) || t != floor(t)) {
        return SL_ERR_USE;
    }
    if (t == c->now.t) {
        choose(c, &c->now);
        return SL_OK;
    }
    bool carried = false;
    copy_instant(c, &c->shown, &c->before);
    while (c->shown.t < t) {
        (void)count_on(c, &c->shown, false, &carried);
    }
    choose(c, &c->shown);
    return SL_OK;
}

static sl_status cut(void *engine, double t, sl_diags *diags) {
    counter *c = engine;
    sl_status status = show(c, t, diags);
    if (status == SL_OK) {
        copy_instant(c, &c->now, &c->shown);
        while (c->events.n > 0 && c->events.at[c->events.n - 1].time > t) {
            c->events.n--;
        }
    }
    return status;
}

static sl_status check(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    const counter *c = engine;
    bool fine = index >= 0 && index < count(c, field) && isfinite(value) && value == floor(value);
    fine = fine && ((field == COUNTER_STEP && value >= 0.0 && value < c->model->limit[index]) ||
                    (field == COUNTER_LIMIT && value >= 1.0));
    if (!fine) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "counter", NULL, NULL, "%s cannot be %g",
                  fields[field].name, value);
    }
    return fine ? SL_OK : SL_ERR_INPUT;
}

/* After a value was set or released: outputs stay the old ones. */
static void touch(counter *c) {
    copy_instant(c, &c->before, &c->now);
    c->pending = 1.0;
    choose(c, &c->now);
}

static sl_status set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    counter *c = engine;
    sl_status status = check(c, field, index, value, diags);
    if (status == SL_OK) {
        *(field == COUNTER_LIMIT ? &c->limit[index] : &c->set[index]) = value;
        c->held[index] = field == COUNTER_STEP ? 1.0 : c->held[index];
        touch(c);
    }
    return status;
}

static sl_status release(void *engine, int32_t field, int32_t index, sl_diags *diags) {
    counter *c = engine;
    (void)diags;
    if (field == COUNTER_LIMIT && c->limit[index] != c->model->limit[index]) {
        c->limit[index] = c->model->limit[index];
        touch(c);
    } else if (field == COUNTER_STEP && c->held[index] != 0.0) {
        c->held[index] = c->set[index] = 0.0;
        touch(c);
    }
    return SL_OK;
}

static const sl_engine_event *events(const void *engine, int32_t *n) {
    const counter *c = engine;
    *n = (int32_t)c->events.n;
    return c->events.at;
}

enum { N_SCALAR = 9 };

/* All that is saved, scalars first. */
static void list_scalars(counter *c, double *of[N_SCALAR]) {
    double *all[N_SCALAR] = {&c->before.t,    &c->before.carries, &c->before.total, &c->before.rate, &c->now.t,
                             &c->now.carries, &c->now.total,      &c->now.rate,     &c->pending};
    memcpy(of, all, sizeof all);
}

static size_t save_size(const void *engine) {
    return (N_SCALAR + 5 * (size_t)((const counter *)engine)->model->n) * sizeof(double);
}

static void save(const void *engine, void *bytes) {
    counter own = *(const counter *)engine;
    size_t n = (size_t)own.model->n * sizeof(double);
    double *scalars[N_SCALAR], *const arrays[] = {own.before.count, own.now.count, own.set, own.held, own.limit};
    char *to = bytes;
    list_scalars(&own, scalars);
    for (int i = 0; i < N_SCALAR; i++, to += sizeof(double)) {
        memcpy(to, scalars[i], sizeof(double));
    }
    for (int i = 0; i < 5; i++, to += n) {
        memcpy(to, arrays[i], n);
    }
}

static sl_status restore(void *engine, const void *bytes, size_t n_byte) {
    counter *c = engine;
    if (n_byte != save_size(c)) {
        return SL_ERR_INPUT;
    }
    size_t n = (size_t)c->model->n * sizeof(double);
    double *scalars[N_SCALAR], *const arrays[] = {c->before.count, c->now.count, c->set, c->held, c->limit};
    const char *from = bytes;
    list_scalars(c, scalars);
    for (int i = 0; i < N_SCALAR; i++, from += sizeof(double)) {
        memcpy(scalars[i], from, sizeof(double));
    }
    for (int i = 0; i < 5; i++, from += n) {
        memcpy(arrays[i], from, n);
    }
    c->events.n = 0;
    choose(c, &c->now);
    return SL_OK;
}

static uint64_t model_hash(const void *engine) {
    const counter_model *m = ((const counter *)engine)->model;
    uint64_t hash = (uint64_t)m->n;
    for (int32_t i = 0; i < m->n; i++) {
        double numbers[] = {m->step[i], m->limit[i]};
        hash = hash * 31 + sl_hash_bytes(m->ids[i], strlen(m->ids[i]));
        hash = hash * 31 + sl_hash_bytes(numbers, sizeof numbers);
    }
    return hash;
}

const sl_engine_ops counter_ops = {.name = "counter",
                                   .classes = classes,
                                   .n_class = 2,
                                   .time_unit = "steps",
                                   .fields = fields,
                                   .n_field = COUNTER_N_FIELD,
                                   .create = create,
                                   .destroy = destroy,
                                   .count = count,
                                   .element = element,
                                   .describe = describe,
                                   .time = now,
                                   .end = end_time,
                                   .next_event = next_event,
                                   .report = report,
                                   .step = step,
                                   .refresh = refresh,
                                   .show = show,
                                   .data = data,
                                   .cut = cut,
                                   .check = check,
                                   .set = set,
                                   .release = release,
                                   .events = events,
                                   .save_size = save_size,
                                   .save = save,
                                   .restore = restore,
                                   .model_hash = model_hash};
