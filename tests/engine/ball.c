/* ball.c: a bouncing ball as an engine; see ball.h.
 *
 * Between bounces height and speed are polynomials in time, so observing is exact. Its own step is a fixed tenth of a
 * second or the time to the next bounce, whichever is shorter: a step of a length nobody outside chooses. The state
 * keeps the boundary before the last step, so that a cut within the step is a fresh evaluation from there.
 */
#include "ball.h"

#include "base/memory.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

typedef struct instant {
    double t, value[BALL_N_FIELD];
} instant;

typedef struct ball {
    sl_context *ctx;
    const ball_model *model;
    instant before, now; /* both ends of the last step */
} ball;

static const sl_field fields[BALL_N_FIELD] = {
    {"height", "m", SL_OF_MODEL, SL_FIELD_STATE, "above the floor"},
    {"velocity", "m/s", SL_OF_MODEL, SL_FIELD_STATE, "upwards"},
    {"gravity", "m/s2", SL_OF_MODEL, SL_FIELD_STATE | SL_FIELD_INPUT, "downwards, above 0"},
    {"bounces", "1", SL_OF_MODEL, SL_FIELD_STATE, "so far"},
};

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **engine) {
    const ball_model *m = model;
    *engine = NULL;
    if (!(m->height > 0.0) || !(m->restitution >= 0.0 && m->restitution < 1.0)) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "ball", NULL, NULL,
                  "height must be above 0, restitution in [0, 1)");
        return SL_ERR_INPUT;
    }
    ball *b = sl_alloc(ctx, sizeof *b);
    if (!b) {
        return SL_ERR_MEMORY;
    }
    b->ctx = ctx;
    b->model = m;
    b->now.value[BALL_HEIGHT] = m->height;
    b->now.value[BALL_GRAVITY] = 9.81;
    b->before = b->now;
    *engine = b;
    return SL_OK;
}

static void destroy(void *engine) {
    ball *b = engine;
    if (b) {
        sl_free(b->ctx, b, sizeof *b);
    }
}

static int32_t count(const void *engine, int32_t field) {
    (void)engine, (void)field;
    return 1;
}

static const char *element(const void *engine, int32_t field, int32_t index) {
    (void)engine, (void)field, (void)index;
    return "";
}

static double now(const void *engine) {
    return ((const ball *)engine)->now.t;
}

/* Free flight from an instant. */
static instant fly(const instant *from, double t) {
    instant to = *from;
    double dt = t - from->t, g = from->value[BALL_GRAVITY], v = from->value[BALL_VELOCITY];
    to.t = t;
    to.value[BALL_HEIGHT] = from->value[BALL_HEIGHT] + v * dt - 0.5 * g * dt * dt;
    to.value[BALL_VELOCITY] = v - g * dt;
    return to;
}

static double time_to_floor(const instant *from) {
    double g = from->value[BALL_GRAVITY], v = from->value[BALL_VELOCITY];
    return (v + sqrt(v * v + 2.0 * g * from->value[BALL_HEIGHT])) / g;
}

static sl_status step(void *engine, sl_diags *diags, sl_engine_step *out) {
    ball *b = engine;
    double fall = time_to_floor(&b->now), v = b->now.value[BALL_VELOCITY];
    (void)diags;
    b->before = b->now;
    if (b->now.value[BALL_HEIGHT] == 0.0 && v < 1e-6) { /* at rest */
        b->now.value[BALL_VELOCITY] = 0.0;
        b->now.t += 0.1;
    } else if (fall > 0.1) {
        b->now = fly(&b->before, b->before.t + 0.1);
    } else {
        b->now = fly(&b->before, b->before.t + fall);
        b->now.value[BALL_HEIGHT] = 0.0;
        b->now.value[BALL_VELOCITY] *= -b->model->restitution;
        b->now.value[BALL_BOUNCES] += 1.0;
    }
    *out = (sl_engine_step){.begin = b->before.t, .end = b->now.t};
    return SL_OK;
}

static const double *data(const void *engine, int32_t field) {
    return &((const ball *)engine)->now.value[field];
}

static bool within(const ball *b, double t) {
    return t >= b->before.t && t <= b->now.t;
}

static instant look(const ball *b, double t) {
    bool rest = b->before.value[BALL_HEIGHT] == 0.0 && b->now.value[BALL_VELOCITY] == 0.0;
    instant i = rest ? b->before : fly(&b->before, t);
    i.t = t;
    return t == b->now.t ? b->now : i;
}

static sl_status observe(const void *engine, double t, int32_t field, double *x) {
    const ball *b = engine;
    if (!within(b, t)) {
        return SL_ERR_USE;
    }
    *x = look(b, t).value[field];
    return SL_OK;
}

static sl_status cut(void *engine, double t) {
    ball *b = engine;
    if (!within(b, t)) {
        return SL_ERR_USE;
    }
    b->now = look(b, t);
    return SL_OK;
}

static sl_status set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    ball *b = engine;
    if (field != BALL_GRAVITY || index != 0 || !(value > 0.0) || !isfinite(value)) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, "ball", NULL, NULL, "gravity must be above 0");
        return SL_ERR_INPUT;
    }
    b->now.value[BALL_GRAVITY] = value;
    b->before = b->now;
    return SL_OK;
}

static size_t save_size(const void *engine) {
    (void)engine;
    return 2 * sizeof(instant);
}

static void save(const void *engine, void *bytes) {
    const ball *b = engine;
    memcpy(bytes, &b->before, sizeof(instant));
    memcpy((char *)bytes + sizeof(instant), &b->now, sizeof(instant));
}

static sl_status restore(void *engine, const void *bytes, size_t n) {
    ball *b = engine;
    if (n != 2 * sizeof(instant)) {
        return SL_ERR_INPUT;
    }
    memcpy(&b->before, bytes, sizeof(instant));
    memcpy(&b->now, (const char *)bytes + sizeof(instant), sizeof(instant));
    return SL_OK;
}

const sl_engine_ops ball_ops = {.name = "ball",
                                .fields = fields,
                                .n_field = BALL_N_FIELD,
                                .create = create,
                                .destroy = destroy,
                                .count = count,
                                .element = element,
                                .time = now,
                                .step = step,
                                .data = data,
                                .observe = observe,
                                .cut = cut,
                                .set = set,
                                .save_size = save_size,
                                .save = save,
                                .restore = restore};
