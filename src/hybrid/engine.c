/* SPDX-License-Identifier: MIT */
/* engine.c: see engine.h.
 *
 * A saved state is that of src/hybrid (the last beginning of motion and the pieces since) and what the last step began with, for
 * the times within it. It is restored into an execution of its own, which takes over when all went well: so a restore is all or
 * none. The execution that stood before is kept for the next restore, for the modes that it has compiled.
 */
#include "hybrid/engine.h"

#include "base/memory.h"
#include "base/report.h"
#include "hybrid/recorder.h"

#include <math.h>
#include <string.h>

typedef struct engine {
    sl_context *ctx;
    const sl_hybrid_model *model;
    sl_hybrid *h;
    sl_hybrid *spare; /* for restoring; NULL until then */
    int32_t n_x, n_q;
    bool is_computed;              /* derivatives belong to the values at the boundary */
    bool has_derivatives;          /* there are some: after a set those from before it */
    double t_before;               /* where the last step began */
    int32_t n_taken, taken_before; /* of the model's choices, at the boundary and where the last step began */
    double shown;                  /* the time that data belong to [s] */
    bool is_filled;                /* they are in the next ones: only when somebody asks */
    double *x, *dx, *q, events;
    int32_t *states;            /* [n_q] room */
    bool was_put;               /* something was put from outside since the last step */
    bool any_moved;             /* any element may have been moved by it */
    int32_t *x_moved, *q_moved; /* [n_x], [n_q] those that were */
    uint8_t *mark;              /* [n_x] 0 */
    sl_hybrid_recorder recorder;
    double *block;
    size_t n_block;
} engine;

static const sl_class classes[SL_HYBRID_N_CLASS] = {[SL_CLASS_MODEL] = {"", "the model as a whole"},
                                                    [SL_HYBRID_CLASS_VARIABLE] = {"variable", "continuous variables"},
                                                    [SL_HYBRID_CLASS_DISCRETE] = {"discrete", "discrete variables"}};

static const sl_field fields[SL_HYBRID_N_FIELD] = {
    [SL_HYBRID_VALUE] = {.name = "value",
                         .unit = "",
                         .of = SL_HYBRID_CLASS_VARIABLE,
                         .flags = SL_FIELD_STATE | SL_FIELD_INPUT,
                         .meaning = "of a continuous variable; to set one that equations determine has no effect"},
    [SL_HYBRID_DERIVATIVE] = {.name = "derivative",
                              .unit = "",
                              .of = SL_HYBRID_CLASS_VARIABLE,
                              .flags = SL_FIELD_OUTPUT,
                              .meaning = "of a continuous variable by time; 0 where no equation has it"},
    [SL_HYBRID_STATE] = {.name = "state",
                         .unit = "1",
                         .of = SL_HYBRID_CLASS_DISCRETE,
                         .flags = SL_FIELD_STATE | SL_FIELD_INPUT | SL_FIELD_DISCRETE,
                         .meaning = "of a discrete variable",
                         .type = SL_FIELD_INT},
    [SL_HYBRID_EVENTS] = {.name = "events",
                          .unit = "1",
                          .flags = SL_FIELD_STATE | SL_FIELD_DISCRETE,
                          .meaning = "crossings of roots so far",
                          .type = SL_FIELD_INT},
};

/* ---- What is shown ------------------------------------------------------------------------------ */

static void show_boundary(engine *e) {
    e->shown = sl_hybrid_time(e->h);
    e->is_filled = false;
}

/* Values at a time within the last step. */
static sl_status read_values(engine *e, double t) {
    bool within = t < sl_hybrid_time(e->h);
    if (within) {
        sl_hybrid_q_before(e->h, e->states);
        return sl_hybrid_interpolate(e->h, t, e->x, e->dx);
    }
    memcpy(e->x, sl_hybrid_x(e->h), (size_t)e->n_x * sizeof *e->x);
    memcpy(e->dx, sl_hybrid_dx(e->h), (size_t)e->n_x * sizeof *e->dx);
    memcpy(e->states, sl_hybrid_q(e->h), (size_t)e->n_q * sizeof *e->states);
    return SL_OK;
}

static void fill(engine *e) {
    bool within = e->shown < sl_hybrid_time(e->h);
    (void)read_values(e, e->shown); /* it was looked at when it was chosen */
    for (int32_t j = 0; j < e->n_x && !within && !e->has_derivatives; j++) {
        e->dx[j] = (double)NAN;
    }
    for (int32_t j = 0; j < e->n_q; j++) {
        e->q[j] = e->states[j];
    }
    e->events = (double)(within ? sl_hybrid_n_crossing_before(e->h) : sl_hybrid_n_crossing(e->h));
    e->is_filled = true;
}

/* The boundary becomes the beginning too: nothing before it can be shown any more. */
static void keep_boundary(engine *e) {
    e->t_before = sl_hybrid_time(e->h);
    e->taken_before = e->n_taken;
}

/* Something was put from outside: values that do not move may be others. */
static void note_put(engine *e) {
    e->was_put = e->any_moved = true;
    e->recorder.follows = false;
}

/* ---- Life --------------------------------------------------------------------------------------- */

static void destroy(void *engine_) {
    engine *e = engine_;
    if (e) {
        sl_hybrid_destroy(e->h);
        sl_hybrid_destroy(e->spare);
        SL_ARRAY_FINI(e->ctx, &e->recorder.changes);
        sl_event_log_fini(&e->recorder.log);
        sl_free(e->ctx, e->block, e->block ? e->n_block : 0);
        sl_free(e->ctx, e, sizeof *e);
    }
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    *out = NULL;
    engine *e = sl_alloc(ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    *e = (engine){.ctx = ctx, .model = model};
    sl_event_log_init(&e->recorder.log, ctx);
    sl_status status = sl_hybrid_create(ctx, e->model->ops, e->model->model, &e->model->def, diags, &e->h);
    if (status == SL_OK) {
        e->model->ops->sizes(sl_hybrid_instance(e->h), &e->n_x, &e->n_q);
        size_t x = (size_t)e->n_x, q = (size_t)e->n_q;
        e->n_block = (2 * x + q) * sizeof(double) + (x + 3 * q) * sizeof(int32_t) + x + 1;
        e->block = sl_alloc(ctx, e->n_block);
        status = e->block ? SL_OK : SL_ERR_MEMORY;
        e->x = e->block;
        e->dx = e->x + x;
        e->q = e->dx + x;
        e->states = (int32_t *)(void *)(e->q + q);
        e->recorder.q = e->states + q;
        e->q_moved = e->recorder.q + q;
        e->x_moved = e->q_moved + q;
        e->mark = (uint8_t *)(e->x_moved + x);
        if (e->block) {
            memset(e->mark, 0, x);
        }
    }
    if (status != SL_OK) {
        destroy(e);
        return status;
    }
    e->recorder.ops = e->model->ops;
    e->recorder.rtol = e->model->def.dae.rtol;
    e->recorder.atol = e->model->def.dae.atol;
    e->recorder.n_x = e->n_x;
    e->recorder.n_q = e->n_q;
    note_put(e);
    keep_boundary(e);
    show_boundary(e);
    *out = e;
    return SL_OK;
}

static int32_t count(const void *engine_, int32_t field) {
    const engine *e = engine_;
    return fields[field].of == SL_HYBRID_CLASS_VARIABLE   ? e->n_x
           : fields[field].of == SL_HYBRID_CLASS_DISCRETE ? e->n_q
                                                          : 1;
}

static const char *element(const void *engine_, int32_t field, int32_t index) {
    const engine *e = engine_;
    const sl_hybrid_ops *ops = e->model->ops;
    const void *instance = sl_hybrid_instance(e->h);
    return fields[field].of == SL_HYBRID_CLASS_VARIABLE   ? ops->x_name(instance, index)
           : fields[field].of == SL_HYBRID_CLASS_DISCRETE ? ops->q_name(instance, index)
                                                          : "";
}

static double now(const void *engine_) {
    return sl_hybrid_time(((const engine *)engine_)->h);
}

static double end_time(const void *engine_) {
    return ((const engine *)engine_)->model->def.end;
}

static double next_event(const void *engine_) {
    return nextafter(now(engine_), (double)INFINITY); /* steps and events come as they come */
}

static void report(const void *engine_, double *start, double *step) {
    const engine *e = engine_;
    *start = e->model->report_start;
    *step = e->model->report_step;
}

static const double *data(const void *engine_, int32_t field) {
    engine *e = (engine *)engine_; /* what is shown is no state */
    if (!e->is_filled) {
        fill(e);
    }
    switch (field) {
    case SL_HYBRID_VALUE: return e->x;
    case SL_HYBRID_DERIVATIVE: return e->dx;
    case SL_HYBRID_STATE: return e->q;
    default: return &e->events;
    }
}

static const int32_t *moved(const void *engine_, int32_t field, int32_t *n) {
    const engine *e = engine_;
    static const int32_t first = 0;
    *n = -1;
    if (e->any_moved || field == SL_HYBRID_DERIVATIVE) {
        return NULL;
    }
    if (field == SL_HYBRID_EVENTS) {
        *n = 1;
        return &first;
    }
    bool discrete = field == SL_HYBRID_STATE;
    *n = discrete ? sl_hybrid_moved_q(e->h, e->q_moved) : sl_hybrid_moved_x(e->h, e->x_moved, e->mark);
    return discrete ? e->q_moved : e->x_moved;
}

static double value(const void *engine_, int32_t field, int32_t index) {
    const engine *e = engine_;
    switch (field) {
    case SL_HYBRID_VALUE: return sl_hybrid_x_now(e->h, index);
    case SL_HYBRID_STATE: return sl_hybrid_q(e->h)[index];
    case SL_HYBRID_EVENTS: return (double)sl_hybrid_n_crossing(e->h);
    default: return data(e, field)[index]; /* no derivative is said to have moved */
    }
}

/* ---- Motion ------------------------------------------------------------------------------------- */

static sl_status choose(engine *e) {
    bool known = e->n_taken < e->model->n_choice;
    return sl_hybrid_choose(e->h, known ? e->model->choices[e->n_taken++] : 0);
}

static sl_status settle(engine *e, sl_diags *diags) {
    sl_hybrid_info info;
    sl_status status = SL_OK;
    while (status == SL_OK && !sl_hybrid_is_settled(e->h)) {
        status = sl_hybrid_next(e->h, SL_HYBRID_ANY, diags, &info);
        if (status == SL_OK && info.event == SL_HYBRID_CHOICE) {
            status = choose(e);
        } else if (status == SL_OK) {
            status = sl_hybrid_recorder_after(&e->recorder, e->h, &info);
        }
    }
    return status;
}

/* Back to where the step began: what happened since is nothing. */
static sl_status give_up(engine *e, sl_status status) {
    sl_event_log_clear(&e->recorder.log);
    double t = e->t_before;
    (void)read_values(e, t);
    (void)sl_hybrid_reset(e->h, t, e->x, e->dx, e->states, e->is_computed);
    e->n_taken = e->taken_before;
    note_put(e);
    keep_boundary(e);
    show_boundary(e);
    return status;
}

/* Takes up what was set. */
static sl_status compute_boundary(engine *e, sl_diags *diags) {
    if (e->is_computed && sl_hybrid_is_settled(e->h)) {
        return SL_OK;
    }
    keep_boundary(e);
    sl_status status = settle(e, diags);
    status = status == SL_OK ? sl_event_log_close(&e->recorder.log) : status;
    if (status != SL_OK) {
        return give_up(e, status);
    }
    e->is_computed = e->has_derivatives = true;
    keep_boundary(e);
    return SL_OK;
}

static sl_status refresh(void *engine_, sl_diags *diags) {
    sl_status status = compute_boundary(engine_, diags);
    if (status == SL_OK) {
        show_boundary(engine_);
    }
    return status;
}

static sl_status step(void *engine_, sl_diags *diags, sl_engine_step *out) {
    engine *e = engine_;
    if (now(e) >= end_time(e)) {
        return SL_ERR_USE;
    }
    sl_event_log_clear(&e->recorder.log);
    sl_status status = compute_boundary(e, diags);
    if (status != SL_OK) {
        return status;
    }
    keep_boundary(e);
    sl_hybrid_info info;
    status = sl_hybrid_next(e->h, SL_HYBRID_STEP | SL_HYBRID_CROSSING | SL_HYBRID_JUMP, diags, &info);
    if (status == SL_OK) {
        sl_hybrid_recorder_moved(&e->recorder, e->h, &info);
        status = settle(e, diags);
    }
    double t = now(e);
    bool finished = t >= end_time(e);
    if (status == SL_OK && finished) {
        sl_event_log_add_plain(&e->recorder.log, t, "stop");
    }
    status = status == SL_OK ? sl_event_log_close(&e->recorder.log) : status;
    if (status != SL_OK) {
        return give_up(e, status);
    }
    show_boundary(e);
    e->any_moved = e->was_put || finished; /* at the end all steps end, but for rounding */
    e->was_put = false;
    *out =
        (sl_engine_step){.begin = e->t_before, .end = t, .finished = finished, .n_part = sl_hybrid_n_component(e->h)};
    return SL_OK;
}

static sl_status show(void *engine_, double t, sl_diags *diags) {
    engine *e = engine_;
    (void)diags;
    if (!(t >= e->t_before && t <= now(e))) {
        return SL_ERR_USE;
    }
    if (e->shown != t || t < now(e)) {
        e->is_filled = false;
    }
    e->shown = t;
    return SL_OK;
}

static sl_status cut(void *engine_, double t, sl_diags *diags) {
    engine *e = engine_;
    sl_status status = show(e, t, diags);
    if (status == SL_OK && t < now(e)) {
        status = read_values(e, t);
        status = status == SL_OK ? sl_hybrid_reset(e->h, t, e->x, e->dx, e->states, true) : status;
        e->n_taken = e->taken_before;
        note_put(e);
        keep_boundary(e);
        sl_event_log_cut(&e->recorder.log, t);
    }
    return status;
}

static const sl_engine_event *events(const void *engine_, int32_t *n) {
    const sl_event_log *log = &((const engine *)engine_)->recorder.log;
    *n = (int32_t)log->events.n;
    return log->events.at;
}

static sl_status check(const void *engine_, int32_t field, int32_t index, double value, sl_diags *diags) {
    const engine *e = engine_;
    if (index < 0 || index >= count(e, field)) {
        return SL_ERR_USE;
    }
    bool fine = isfinite(value) && (fields[field].flags & SL_FIELD_INPUT);
    if (fine && field == SL_HYBRID_STATE) {
        const sl_hybrid_ops *ops = e->model->ops;
        double n = ops->q_domain ? ops->q_domain(sl_hybrid_instance(e->h), index) : 0x1p31;
        fine = value == floor(value) && value < n && value >= (ops->q_domain ? 0.0 : -n);
    }
    if (!fine) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, classes[fields[field].of].name, element(e, field, index),
                  NULL, "%s cannot be set to %g", fields[field].name, value);
    }
    return fine ? SL_OK : SL_ERR_INPUT;
}

static sl_status set(void *engine_, int32_t field, int32_t index, double value, sl_diags *diags) {
    engine *e = engine_;
    sl_status status = check(e, field, index, value, diags);
    if (status != SL_OK) {
        return status;
    }
    keep_boundary(e);
    (void)read_values(e, e->t_before);
    if (field == SL_HYBRID_VALUE) {
        e->x[index] = value;
    } else {
        e->states[index] = (int32_t)value;
    }
    (void)sl_hybrid_reset(e->h, e->t_before, e->x, e->dx, e->states, false);
    e->is_computed = false;
    note_put(e);
    show_boundary(e);
    return SL_OK;
}

/* ---- State -------------------------------------------------------------------------------------- */

/* Where the last step began; the bytes of src/hybrid follow. */
typedef struct saved_head {
    double t_before;
    uint64_t computed; /* 1: is_computed, 2: has_derivatives; above them twice 31 bits: n_taken, taken_before */
} saved_head;

static int32_t saved_taken(const saved_head *head, bool before) {
    return (int32_t)(head->computed >> (before ? 33 : 2) & INT32_MAX);
}

static size_t save_size(const void *engine_) {
    return sizeof(saved_head) + sl_hybrid_save_size(((const engine *)engine_)->h);
}

static void save(const void *engine_, void *bytes) {
    const engine *e = engine_;
    uint64_t computed = (uint64_t)e->is_computed | (uint64_t)e->has_derivatives << 1;
    computed |= (uint64_t)e->n_taken << 2 | (uint64_t)e->taken_before << 33;
    const saved_head head = {e->t_before, computed};
    memcpy(bytes, &head, sizeof head);
    sl_hybrid_save(e->h, (char *)bytes + sizeof head);
}

/* May the engine stand where the execution stands, after a last step that began as the bytes say? */
static bool fits(const engine *e, const saved_head *head) {
    return saved_taken(head, false) <= e->model->n_choice && saved_taken(head, true) <= saved_taken(head, false) &&
           head->t_before <= sl_hybrid_time(e->spare) && head->t_before >= sl_hybrid_step_begin(e->spare);
}

static void take_over(engine *e, const saved_head *head) {
    sl_hybrid *old = e->h;
    e->h = e->spare;
    e->spare = old;
    e->recorder.begun = true;
    sl_event_log_clear(&e->recorder.log);
    e->t_before = head->t_before;
    e->is_computed = head->computed & 1;
    e->has_derivatives = head->computed >> 1 & 1;
    e->n_taken = saved_taken(head, false);
    e->taken_before = saved_taken(head, true);
    note_put(e);
    show_boundary(e);
}

static sl_status restore(void *engine_, const void *bytes, size_t n) {
    engine *e = engine_;
    const char *from = bytes;
    saved_head head;
    if (n < sizeof head) {
        return SL_ERR_INPUT;
    }
    memcpy(&head, from, sizeof head);
    sl_status status =
        e->spare ? SL_OK : sl_hybrid_create(e->ctx, e->model->ops, e->model->model, &e->model->def, NULL, &e->spare);
    if (status == SL_OK) {
        status = sl_hybrid_restore(e->spare, from + sizeof head, n - sizeof head, NULL);
    }
    if (status == SL_OK && fits(e, &head)) {
        take_over(e, &head);
        return SL_OK;
    }
    sl_hybrid_destroy(e->spare); /* it may be anywhere */
    e->spare = NULL;
    return status == SL_ERR_MEMORY ? status : SL_ERR_INPUT;
}

static uint64_t model_hash(const void *engine_) {
    return ((const engine *)engine_)->model->hash;
}

static const char *const recorded[] = {"variable.value", "discrete.state", NULL};

const sl_engine_ops sl_hybrid_engine = {.name = "hybrid",
                                        .classes = classes,
                                        .n_class = SL_HYBRID_N_CLASS,
                                        .time_unit = "s",
                                        .fields = fields,
                                        .n_field = SL_HYBRID_N_FIELD,
                                        .recorded = recorded,
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
                                        .moved = moved,
                                        .value = value,
                                        .cut = cut,
                                        .check = check,
                                        .set = set,
                                        .events = events,
                                        .save_size = save_size,
                                        .save = save,
                                        .restore = restore,
                                        .model_hash = model_hash};
