/* SPDX-License-Identifier: MIT */
/* ball.c: a bouncing ball as an engine; see ball.h.
 *
 * Between bounces height and speed are polynomials in time, so showing any instant is exact. Its own step is a fixed
 * tenth of a second or the time to the next bounce, whichever is shorter: a step of a length nobody outside chooses. The
 * state keeps the boundary before the last step, so that a cut within the step is a fresh evaluation from there.
 */
#include "ball.h"

#include "base/ids.h"
#include "base/memory.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

typedef struct instant {
    double t, value[BALL_N_SCALAR];
} instant;

/* What is saved, followed by the levels of the gauges. */
typedef struct ball_state {
    instant before, now; /* both ends of the last step */
    double pending;      /* 1: the outputs do not belong to what was set */
} ball_state;

typedef struct ball {
    sl_context *ctx;
    const ball_model *model;
    ball_state state;
    instant shown;
    double *level, *distance; /* one block */
    sl_engine_event bounce;   /* of the last step */
    int32_t n_bounce;         /* 0 or 1 */
} ball;

enum { N_FLOOR = 3 };
static const char *const floors[N_FLOOR + 1] = {"bare", "carpet", "sand", NULL};
static const double softness[N_FLOOR] = {1.0, 0.5, 0.0}; /* times restitution */

enum { CLASS_GAUGE = SL_CLASS_MODEL + 1 };

static const sl_class classes[] = {{"", "the ball"}, {"part", "heights where it is watched"}};

static const sl_field fields[BALL_N_FIELD] = {
    {.name = "height", .unit = "m", .flags = SL_FIELD_STATE, .meaning = "above the floor"},
    {.name = "velocity", .unit = "m/s", .flags = SL_FIELD_STATE, .meaning = "upwards"},
    {.name = "gravity",
     .unit = "m/s2",
     .flags = SL_FIELD_STATE | SL_FIELD_INPUT,
     .meaning = "downwards",
     .min = 0.01,
     .max = 1000.0},
    {.name = "floor",
     .unit = "1",
     .flags = SL_FIELD_STATE | SL_FIELD_INPUT | SL_FIELD_DISCRETE,
     .meaning = "what it falls on",
     .type = SL_FIELD_ENUM,
     .words = floors},
    {.name = "restitution",
     .unit = "1",
     .flags = SL_FIELD_STATE | SL_FIELD_PARAMETER,
     .meaning = "speed after a bounce over speed before it",
     .min = 0.0,
     .max = 0.999},
    {.name = "bounces",
     .unit = "1",
     .flags = SL_FIELD_STATE | SL_FIELD_DISCRETE,
     .meaning = "so far",
     .type = SL_FIELD_INT},
    {.name = "energy.total", .unit = "m2/s2", .flags = SL_FIELD_OUTPUT, .meaning = "kinetic and potential, per mass"},
    {.name = "level",
     .unit = "m",
     .of = CLASS_GAUGE,
     .flags = SL_FIELD_STATE | SL_FIELD_PARAMETER,
     .meaning = "of a gauge"},
    {.name = "distance",
     .unit = "m",
     .of = CLASS_GAUGE,
     .flags = SL_FIELD_OUTPUT,
     .meaning = "of the ball above a gauge"},
};

/* ---- Motion ------------------------------------------------------------------------------------- */

static double energy(const instant *i) {
    const double *x = i->value;
    return 0.5 * x[BALL_VELOCITY] * x[BALL_VELOCITY] + x[BALL_GRAVITY] * x[BALL_HEIGHT];
}

static bool resting(const ball *b, const instant *i) {
    return !b->model->zeno && i->value[BALL_HEIGHT] == 0.0 && i->value[BALL_VELOCITY] < 1e-6;
}

/* Free flight from an instant. */
static instant fly(const instant *from, double t) {
    instant to = *from;
    double dt = t - from->t, g = from->value[BALL_GRAVITY], v = from->value[BALL_VELOCITY];
    to.t = t;
    to.value[BALL_HEIGHT] = from->value[BALL_HEIGHT] + v * dt - 0.5 * g * dt * dt;
    to.value[BALL_VELOCITY] = v - g * dt;
    to.value[BALL_ENERGY] = energy(&to);
    return to;
}

static double time_to_floor(const instant *from) {
    double g = from->value[BALL_GRAVITY], v = from->value[BALL_VELOCITY];
    return (v + sqrt(v * v + 2.0 * g * from->value[BALL_HEIGHT])) / g;
}

/* Where the coming step ends, and whether with a bounce. */
static double step_end(const ball *b, bool *bounce) {
    const instant *from = &b->state.now;
    double fall = resting(b, from) ? (double)INFINITY : time_to_floor(from);
    double end = b->model->end > 0.0 ? b->model->end : (double)INFINITY;
    double t = from->t + fmin(fall, 0.1);
    *bounce = fall <= 0.1 && t <= end;
    return fmin(t, end);
}

static instant look(const ball *b, double t) {
    const ball_state *s = &b->state;
    instant i = resting(b, &s->before) ? s->before : fly(&s->before, t);
    i.t = t;
    return t == s->now.t ? s->now : i;
}

static void choose(ball *b, const instant *i) {
    b->shown = *i;
    for (int32_t k = 0; k < b->model->n_gauge; k++) {
        bool computed = !isnan(i->value[BALL_ENERGY]);
        b->distance[k] = computed ? i->value[BALL_HEIGHT] - b->level[k] : (double)NAN;
    }
}

/* ---- Operations --------------------------------------------------------------------------------- */

static void destroy(void *engine) {
    ball *b = engine;
    if (b) {
        sl_free(b->ctx, b->level, 2 * (size_t)b->model->n_gauge * sizeof *b->level);
        sl_free(b->ctx, b, sizeof *b);
    }
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **engine) {
    const ball_model *m = model;
    *engine = NULL;
    if (!(m->height > 0.0) || !(m->restitution >= 0.0 && m->restitution < 1.0)) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "ball", NULL, NULL,
                  "height must be above 0, restitution in [0, 1)");
        return SL_ERR_INPUT;
    }
    ball *b = sl_alloc(ctx, sizeof *b);
    double *gauges = b ? sl_alloc(ctx, 2 * (size_t)m->n_gauge * sizeof *gauges) : NULL;
    if (!b || (m->n_gauge > 0 && !gauges)) {
        sl_free(ctx, b, b ? sizeof *b : 0);
        return SL_ERR_MEMORY;
    }
    *b = (ball){.ctx = ctx, .model = m, .level = gauges, .distance = gauges + m->n_gauge};
    if (m->n_gauge > 0) {
        memcpy(b->level, m->levels, (size_t)m->n_gauge * sizeof *b->level);
    }
    double *x = b->state.now.value;
    x[BALL_HEIGHT] = m->height;
    x[BALL_GRAVITY] = 9.81;
    x[BALL_RESTITUTION] = m->restitution;
    x[BALL_ENERGY] = (double)NAN;
    b->state.before = b->state.now;
    b->state.pending = 1.0;
    choose(b, &b->state.now);
    *engine = b;
    return SL_OK;
}

static int32_t count(const void *engine, int32_t field) {
    return fields[field].of == CLASS_GAUGE ? ((const ball *)engine)->model->n_gauge : 1;
}

static const char *element(const void *engine, int32_t field, int32_t index) {
    return fields[field].of == CLASS_GAUGE ? ((const ball *)engine)->model->gauges[index] : "";
}

static double now(const void *engine) {
    return ((const ball *)engine)->state.now.t;
}

static double end_time(const void *engine) {
    double end = ((const ball *)engine)->model->end;
    return end > 0.0 ? end : (double)INFINITY;
}

static double next_event(const void *engine) {
    bool bounce;
    return step_end(engine, &bounce);
}

static void report(const void *engine, double *start, double *step) {
    *start = 0.0;
    *step = ((const ball *)engine)->model->report_step;
}

static sl_status refresh(void *engine, sl_diags *diags) {
    ball *b = engine;
    (void)diags;
    if (b->state.pending != 0.0) {
        b->state.now.value[BALL_ENERGY] = energy(&b->state.now);
        b->state.before = b->state.now;
        b->state.pending = 0.0;
    }
    choose(b, &b->state.now);
    return SL_OK;
}

static sl_status step(void *engine, sl_diags *diags, sl_engine_step *out) {
    ball *b = engine;
    ball_state *s = &b->state;
    if (s->now.t >= end_time(b)) {
        return SL_ERR_USE;
    }
    if (b->model->fail_at > 0.0 && s->now.t >= b->model->fail_at) {
        choose(b, &s->now);
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "ball", NULL, NULL, "the ball is lost");
        return SL_ERR_SOLVE;
    }
    (void)refresh(b, diags);
    bool bounce;
    double end = step_end(b, &bounce);
    s->before = s->now;
    b->n_bounce = bounce;
    if (resting(b, &s->before)) {
        s->now.t = end;
        s->now.value[BALL_VELOCITY] = 0.0;
        s->now.value[BALL_ENERGY] = energy(&s->now);
    } else {
        s->now = fly(&s->before, end);
    }
    if (bounce) {
        s->now.value[BALL_HEIGHT] = 0.0;
        s->now.value[BALL_VELOCITY] *= -s->now.value[BALL_RESTITUTION] * softness[(int)s->now.value[BALL_FLOOR]];
        s->now.value[BALL_BOUNCES] += 1.0;
        b->bounce = (sl_engine_event){.time = end,
                                      .kind = "bounce",
                                      .field = BALL_BOUNCES,
                                      .from = s->before.value[BALL_BOUNCES],
                                      .to = s->now.value[BALL_BOUNCES],
                                      .cause = floors[(int)s->now.value[BALL_FLOOR]]};
        s->now.value[BALL_ENERGY] = energy(&s->now);
    }
    choose(b, &s->now);
    *out = (sl_engine_step){.begin = s->before.t, .end = s->now.t, .finished = s->now.t >= end_time(b)};
    return SL_OK;
}

static const double *data(const void *engine, int32_t field) {
    const ball *b = engine;
    return field == BALL_LEVEL ? b->level : field == BALL_DISTANCE ? b->distance : &b->shown.value[field];
}

static bool within(const ball *b, double t) {
    return t >= b->state.before.t && t <= b->state.now.t;
}

static sl_status show(void *engine, double t, sl_diags *diags) {
    ball *b = engine;
    (void)diags;
    if (!within(b, t)) {
        return SL_ERR_USE;
    }
    instant i = look(b, t);
    choose(b, &i);
    return SL_OK;
}

static sl_status cut(void *engine, double t, sl_diags *diags) {
    ball *b = engine;
    sl_status status = show(b, t, diags);
    if (status == SL_OK) {
        b->state.now = b->shown;
        b->n_bounce = b->n_bounce && b->bounce.time <= t;
    }
    return status;
}

static sl_status check(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    const ball *b = engine;
    bool fine = index >= 0 && index < count(b, field) && isfinite(value);
    switch (field) {
    case BALL_GRAVITY: fine = fine && value > 0.0; break;
    case BALL_FLOOR: fine = fine && value >= 0.0 && value < N_FLOOR && value == floor(value); break;
    case BALL_RESTITUTION: fine = fine && value >= 0.0 && value < 1.0; break;
    case BALL_LEVEL: break;
    default: fine = false;
    }
    if (!fine) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "ball", NULL, NULL, "%s cannot be %g", fields[field].name,
                  value);
    }
    return fine ? SL_OK : SL_ERR_INPUT;
}

static sl_status set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    ball *b = engine;
    sl_status status = check(b, field, index, value, diags);
    if (status != SL_OK) {
        return status;
    }
    if (field == BALL_LEVEL) {
        b->level[index] = value;
    } else {
        b->state.now.value[field] = value;
    }
    b->state.before = b->state.now;
    b->state.pending = 1.0;
    choose(b, &b->state.now);
    return SL_OK;
}

/* Sets hold nothing but the value: what the model had comes back. */
static sl_status release(void *engine, int32_t field, int32_t index, sl_diags *diags) {
    const ball *b = engine;
    double value = field == BALL_GRAVITY ? 9.81 : field == BALL_RESTITUTION ? b->model->restitution : 0.0;
    value = field == BALL_LEVEL ? b->model->levels[index] : value;
    double present = field == BALL_LEVEL ? b->level[index] : b->state.now.value[field];
    return present == value ? SL_OK : set(engine, field, index, value, diags);
}

static const sl_engine_event *events(const void *engine, int32_t *n) {
    const ball *b = engine;
    *n = b->n_bounce;
    return &b->bounce;
}

static size_t save_size(const void *engine) {
    const ball *b = engine;
    return sizeof(ball_state) + (size_t)b->model->n_gauge * sizeof(double);
}

static void save(const void *engine, void *bytes) {
    const ball *b = engine;
    memcpy(bytes, &b->state, sizeof b->state);
    for (int32_t k = 0; k < b->model->n_gauge; k++) {
        memcpy((char *)bytes + sizeof b->state + (size_t)k * sizeof(double), &b->level[k], sizeof(double));
    }
}

static sl_status restore(void *engine, const void *bytes, size_t n) {
    ball *b = engine;
    if (n != save_size(b)) {
        return SL_ERR_INPUT;
    }
    memcpy(&b->state, bytes, sizeof b->state);
    for (int32_t k = 0; k < b->model->n_gauge; k++) {
        memcpy(&b->level[k], (const char *)bytes + sizeof b->state + (size_t)k * sizeof(double), sizeof(double));
    }
    b->n_bounce = 0;
    choose(b, &b->state.now);
    return SL_OK;
}

static uint64_t model_hash(const void *engine) {
    const ball_model *m = ((const ball *)engine)->model;
    uint64_t parts[2] = {sl_hash_bytes((const double[]){m->height, m->restitution, m->end}, 3 * sizeof(double)), 0};
    for (int32_t k = 0; k < m->n_gauge; k++) {
        parts[1] = parts[1] * 31 + sl_hash_bytes(m->gauges[k], strlen(m->gauges[k]));
    }
    return sl_hash_bytes(parts, sizeof parts);
}

const sl_engine_ops ball_ops = {.name = "ball",
                                .classes = classes,
                                .n_class = 2,
                                .time_unit = "s",
                                .fields = fields,
                                .n_field = BALL_N_FIELD,
                                .create = create,
                                .destroy = destroy,
                                .count = count,
                                .element = element,
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
