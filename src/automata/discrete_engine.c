/* SPDX-License-Identifier: MIT */
/* discrete_engine.c: see discrete_engine.h.
 *
 * A saved state is where the run's history begins (a time and the values there) and the number of steps since, which restoring
 * makes again with the choices taken since, in a run of its own that takes over when all went well. History decides when a state is met again. An execution
 * that ends after a number of steps needs none: there it begins anew now and then, so that a restore costs little.
 */
#include "automata/discrete_engine.h"

#include "base/memory.h"
#include "base/report.h"
#include "engine/facets.h"
#include "hybrid/event_log.h"

#include <math.h>
#include <string.h>

enum { FORGET = 1000 }; /* steps of history that are kept where none is needed */

typedef struct engine {
    sl_context *ctx;
    const sl_discrete_model *model;
    sl_sda_run *run, *spare; /* spare: for restoring; NULL until then */
    int32_t n;
    int32_t t0, t_before;                  /* where history begins; where the last step began */
    int32_t taken0, taken_before, n_taken; /* of the model's choices: at t0, at t_before, now */
    int32_t *q0;                           /* [n] at t0 */
    int32_t *q_before;                     /* [n] at t_before */
    int32_t *moved;                        /* [2 n] variables that are to move, and where to */
    int32_t *active, n_active;             /* [n_transition] where the last step began */
    double *q;                             /* [n] shown */
    bool is_stale;                         /* memory was short: the derivatives at the boundary are to be found */
    bool begun;                            /* the beginning is in the log, or was elsewhere */
    sl_event_log log;
    int32_t *block;
    size_t n_block;
} engine;

enum { CLASS_DISCRETE = SL_CLASS_MODEL + 1, N_CLASS };

static const sl_class classes[N_CLASS] = {
    [SL_CLASS_MODEL] = {"", "the model as a whole"}, [CLASS_DISCRETE] = {"discrete", "discrete variables"}};

static const sl_field fields[SL_DISCRETE_N_FIELD] = {
    [SL_DISCRETE_STATE] = {.name = "state",
                           .unit = "1",
                           .of = CLASS_DISCRETE,
                           .flags = SL_FIELD_STATE | SL_FIELD_INPUT | SL_FIELD_DISCRETE,
                           .meaning = "of a discrete variable",
                           .type = SL_FIELD_INT},
};

/* ---- Where it stands ---------------------------------------------------------------------------- */

static int32_t time_of(const engine *e) {
    return sl_sda_run_time(e->run);
}

static void show_values(engine *e, const int32_t *q) {
    for (int32_t j = 0; j < e->n; j++) {
        e->q[j] = q[j];
    }
}

/* History begins here. */
static void mark(engine *e) {
    e->t0 = e->t_before = time_of(e);
    e->taken0 = e->taken_before = e->n_taken;
    memcpy(e->q0, sl_sda_run_values(e->run), (size_t)e->n * sizeof *e->q0);
    memcpy(e->q_before, e->q0, (size_t)e->n * sizeof *e->q0);
    show_values(e, e->q0);
}

/* The run at t with these values, its history forgotten; false: memory. Values that are as they were cost nothing. */
static bool move_run(const engine *e, sl_sda_run *run, int32_t t, const int32_t *q, int32_t *values) {
    int32_t n = 0;
    for (int32_t j = 0; j < e->n; j++) {
        if (sl_sda_run_value(run, j) != q[j]) {
            e->moved[n] = j;
            values[n++] = q[j];
        }
    }
    return sl_sda_run_move(run, t, n, e->moved, values) != SL_SDA_FAILED;
}

static void move(engine *e, int32_t t, const int32_t *q) {
    e->is_stale = !move_run(e, e->run, t, q, e->moved + e->n);
    mark(e);
}

/* The derivative that is taken when so many choices were. */
static int64_t choice_after(const engine *e, int32_t n_taken) {
    return n_taken < e->model->n_choice ? e->model->choices[n_taken] : 0;
}

/* One step; *n_taken counts choices. */
static sl_sda_state step_run(const engine *e, sl_sda_run *run, int32_t *n_taken) {
    if (sl_sda_run_state(run) != SL_SDA_CHOICE) {
        return sl_sda_run_step(run, 0);
    }
    int64_t choice = choice_after(e, *n_taken);
    *n_taken += *n_taken < e->model->n_choice;
    return sl_sda_run_step(run, choice);
}

static bool is_settled(const engine *e) {
    const sl_sda_def *def = &e->model->def;
    switch ((int)sl_sda_run_state(e->run)) {
    case SL_SDA_CONVERGED: return true;
    case SL_SDA_BOUND: return def->rule == SL_SDA_UNTIL_BOUND;
    case SL_SDA_CHOICE: /* the one that is taken may be to stand still */
        return e->model->takes_first && def->rule == SL_SDA_UNTIL_ZERO &&
               sl_sda_run_is_zero(e->run, choice_after(e, e->n_taken));
    default: return false;
    }
}

static bool can_step(const engine *e, const sl_sda_run *run) {
    sl_sda_state state = sl_sda_run_state(run);
    return state == SL_SDA_RUNNING || (state == SL_SDA_CHOICE && e->model->takes_first);
}

/* ---- Life --------------------------------------------------------------------------------------- */

static void destroy(void *engine_) {
    engine *e = engine_;
    if (e) {
        sl_sda_run_destroy(e->run);
        sl_sda_run_destroy(e->spare);
        sl_event_log_fini(&e->log);
        sl_free(e->ctx, e->block, e->block ? e->n_block : 0);
        sl_free(e->ctx, e, sizeof *e);
    }
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    (void)diags;
    *out = NULL;
    engine *e = sl_alloc(ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    *e = (engine){.ctx = ctx, .model = model};
    sl_event_log_init(&e->log, ctx);
    e->n = sl_sda_n_variable(e->model->a);
    size_t n = (size_t)e->n, n_transition = (size_t)sl_sda_n_transition(e->model->a);
    e->n_block = (n + 1) * sizeof(double) + (4 * n + n_transition) * sizeof(int32_t);
    e->block = sl_alloc(ctx, e->n_block);
    sl_status status =
        e->block ? sl_sda_run_create_in(ctx, e->model->a, e->model->start, &e->model->def, &e->run) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        destroy(e);
        return status;
    }
    e->q = (double *)(void *)e->block;
    e->q0 = (int32_t *)(void *)(e->q + n + 1);
    e->q_before = e->q0 + n;
    e->moved = e->q_before + n;
    e->active = e->moved + 2 * n;
    mark(e);
    *out = e;
    return SL_OK;
}

static int32_t count(const void *engine_, int32_t field) {
    (void)field;
    return ((const engine *)engine_)->n;
}

static const char *element(const void *engine_, int32_t field, int32_t index) {
    (void)field;
    return sl_sda_variable_name(((const engine *)engine_)->model->a, index).ptr; /* the graph keeps names with a NUL */
}

static void describe(const void *engine_, int32_t field, int32_t index, sl_field *out) {
    (void)field;
    out->max = sl_sda_domain(((const engine *)engine_)->model->a, index) - 1;
}

static double now(const void *engine_) {
    return time_of(engine_);
}

static double end_time(const void *engine_) {
    const engine *e = engine_;
    if (!e->is_stale && is_settled(e)) {
        return now(e);
    }
    return e->model->def.rule == SL_SDA_UNTIL_BOUND ? e->model->def.most_steps : (double)INFINITY;
}

static double next_event(const void *engine_) {
    return now(engine_) + 1.0;
}

static void report(const void *engine_, double *start, double *step) {
    (void)engine_;
    *start = 0.0;
    *step = 1.0;
}

static const double *data(const void *engine_, int32_t field) {
    (void)field;
    return ((const engine *)engine_)->q;
}

/* ---- Motion ------------------------------------------------------------------------------------- */

/* It has settled, or there is no step from here. */
static void note_end(engine *e) {
    if (is_settled(e) || !can_step(e, e->run)) {
        sl_event_log_add_plain(&e->log, now(e), "stop");
    }
}

static sl_status refresh(void *engine_, sl_diags *diags) {
    engine *e = engine_;
    (void)diags;
    if (e->is_stale) {
        e->is_stale = sl_sda_run_move(e->run, time_of(e), 0, NULL, NULL) == SL_SDA_FAILED;
    }
    show_values(e, sl_sda_run_values(e->run));
    if (!e->is_stale && !e->begun) {
        sl_event_log_add_plain(&e->log, now(e), "init");
        note_end(e);
        e->begun = sl_event_log_close(&e->log) == SL_OK;
    }
    return e->is_stale || !e->begun ? SL_ERR_MEMORY : SL_OK;
}

/* The changes of the step from t on, with the transitions that were active there. */
static void note_step(engine *e, int32_t t) {
    int32_t n = 0;
    const sl_sda_change *changes = sl_sda_run_changes(e->run, t, &n);
    for (int32_t k = 0; k < n; k++) {
        sl_sda_name_transitions(e->model->a, changes[k].variable, e->n_active, e->active, sl_event_log_name, &e->log);
        sl_event_log_add(&e->log, (sl_engine_event){.time = now(e),
                                                    .kind = "transition",
                                                    .of = CLASS_DISCRETE,
                                                    .index = changes[k].variable,
                                                    .field = SL_DISCRETE_STATE,
                                                    .from = changes[k].from,
                                                    .to = changes[k].to});
    }
    note_end(e);
}

static sl_status step(void *engine_, sl_diags *diags, sl_engine_step *out) {
    engine *e = engine_;
    sl_event_log_clear(&e->log);
    sl_status status = refresh(e, diags);
    if (status != SL_OK || is_settled(e)) {
        return status != SL_OK ? status : SL_ERR_USE;
    }
    if (!can_step(e, e->run)) {
        sl_sda_run_explain(e->run, diags);
        return SL_ERR_SOLVE;
    }
    int32_t t = time_of(e);
    if (e->model->def.rule == SL_SDA_UNTIL_BOUND && t - e->t0 >= FORGET) {
        move(e, t, sl_sda_run_values(e->run));
        if (e->is_stale) {
            return SL_ERR_MEMORY;
        }
    }
    e->t_before = t;
    e->taken_before = e->n_taken;
    memcpy(e->q_before, sl_sda_run_values(e->run), (size_t)e->n * sizeof *e->q_before);
    const int32_t *active = sl_sda_run_active(e->run, &e->n_active);
    if (e->n_active > 0) {
        memcpy(e->active, active, (size_t)e->n_active * sizeof *active);
    }
    sl_sda_state state = step_run(e, e->run, &e->n_taken);
    if (state != SL_SDA_FAILED) {
        note_step(e, t);
    }
    if (state == SL_SDA_FAILED || sl_event_log_close(&e->log) != SL_OK) {
        e->n_taken = e->taken_before;
        move(e, t, e->q_before);
        sl_event_log_clear(&e->log);
        return SL_ERR_MEMORY;
    }
    show_values(e, sl_sda_run_values(e->run));
    *out = (sl_engine_step){.begin = t, .end = now(e), .finished = is_settled(e)};
    return SL_OK;
}

static sl_status show(void *engine_, double t, sl_diags *diags) {
    engine *e = engine_;
    (void)diags;
    if (!(t >= e->t_before && t <= now(e))) {
        return SL_ERR_USE;
    }
    show_values(e, t < now(e) ? e->q_before : sl_sda_run_values(e->run));
    return SL_OK;
}

/* Between two steps there is nothing to begin from. */
static sl_status cut(void *engine_, double t, sl_diags *diags) {
    engine *e = engine_;
    sl_status status = t == floor(t) ? show(e, t, diags) : SL_ERR_USE;
    if (status == SL_OK && t < now(e)) {
        e->n_taken = e->taken_before;
        move(e, (int32_t)t, e->q_before);
        sl_event_log_cut(&e->log, t);
    }
    return status;
}

static sl_status check(const void *engine_, int32_t field, int32_t index, double value, sl_diags *diags) {
    const engine *e = engine_;
    if (field != SL_DISCRETE_STATE || index < 0 || index >= e->n) {
        return SL_ERR_USE;
    }
    bool fine = value == floor(value) && value >= 0.0 && value < sl_sda_domain(e->model->a, index);
    if (!fine) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, classes[CLASS_DISCRETE].name, element(e, field, index),
                  NULL, "state cannot be set to %g", value);
    }
    return fine ? SL_OK : SL_ERR_INPUT;
}

static sl_status set(void *engine_, int32_t field, int32_t index, double value, sl_diags *diags) {
    engine *e = engine_;
    sl_status status = check(e, field, index, value, diags);
    if (status != SL_OK) {
        return status;
    }
    int32_t to = (int32_t)value;
    if (sl_sda_run_value(e->run, index) != to) {
        e->is_stale = sl_sda_run_move(e->run, time_of(e), 1, &index, &to) == SL_SDA_FAILED;
        mark(e);
    }
    show_values(e, sl_sda_run_values(e->run));
    return SL_OK;
}

static const sl_engine_event *events(const void *engine_, int32_t *n) {
    const engine *e = engine_;
    *n = (int32_t)e->log.events.n;
    return e->log.events.at;
}

/* ---- State -------------------------------------------------------------------------------------- */

typedef struct discrete_head {
    int32_t t0, n_step; /* where history begins, and steps since */
    int32_t taken0;     /* choices before */
} discrete_head;

static size_t save_size(const void *engine_) {
    return sizeof(discrete_head) + (size_t)((const engine *)engine_)->n * sizeof(int32_t);
}

static void save(const void *engine_, void *bytes) {
    const engine *e = engine_;
    discrete_head head = {e->t0, time_of(e) - e->t0, e->taken0};
    memcpy(bytes, &head, sizeof head);
    memcpy((char *)bytes + sizeof head, e->q0, (size_t)e->n * sizeof *e->q0);
}

static bool is_possible(const engine *e, const discrete_head *head, const int32_t *q) {
    bool counted = e->model->def.rule == SL_SDA_UNTIL_BOUND; /* then it begins anew now and then */
    bool fine = head->taken0 >= 0 && head->taken0 <= e->model->n_choice && head->t0 >= 0 && head->n_step >= 0 &&
                head->n_step <= INT32_MAX - head->t0 && head->n_step <= (counted ? FORGET : e->model->def.most_steps);
    for (int32_t j = 0; j < e->n && fine; j++) {
        fine = q[j] >= 0 && q[j] < sl_sda_domain(e->model->a, j);
    }
    return fine;
}

/* Makes the steps again; q is the state before the last one then, taken[0] and taken[1] the choices taken there and now. */
static sl_status replay(const engine *e, const discrete_head *head, int32_t *q, int32_t *values, int32_t taken[2]) {
    sl_sda_run *run = e->spare;
    if (!move_run(e, run, head->t0, q, values)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < head->n_step; k++) {
        if (!can_step(e, run)) {
            return SL_ERR_INPUT;
        }
        memcpy(q, sl_sda_run_values(run), (size_t)e->n * sizeof *q);
        taken[0] = taken[1];
        if (step_run(e, run, &taken[1]) == SL_SDA_FAILED) {
            return SL_ERR_MEMORY;
        }
    }
    return sl_sda_run_time(run) == head->t0 + head->n_step ? SL_OK : SL_ERR_INPUT;
}

static void take_over(engine *e, const discrete_head *head, const void *q0, const int32_t *q_before,
                      const int32_t taken[2]) {
    sl_sda_run *old = e->run;
    e->run = e->spare;
    e->spare = old;
    e->is_stale = false;
    e->begun = true;
    sl_event_log_clear(&e->log);
    e->t0 = head->t0;
    e->taken0 = head->taken0;
    e->taken_before = taken[0];
    e->n_taken = taken[1];
    e->t_before = head->t0 + (head->n_step > 0 ? head->n_step - 1 : 0);
    memcpy(e->q0, q0, (size_t)e->n * sizeof *e->q0);
    memcpy(e->q_before, q_before, (size_t)e->n * sizeof *e->q_before);
    show_values(e, sl_sda_run_values(e->run));
}

static sl_status restore(void *engine_, const void *bytes, size_t n) {
    engine *e = engine_;
    size_t size = (size_t)e->n * sizeof(int32_t);
    discrete_head head;
    if (n != sizeof head + size) {
        return SL_ERR_INPUT;
    }
    memcpy(&head, bytes, sizeof head);
    int32_t *q = sl_alloc(e->ctx, 2 * size + 1);
    if (!q) {
        return SL_ERR_MEMORY;
    }
    memcpy(q, (const char *)bytes + sizeof head, size);
    sl_status status = is_possible(e, &head, q) ? SL_OK : SL_ERR_INPUT;
    if (status == SL_OK && !e->spare) {
        status = sl_sda_run_create_in(e->ctx, e->model->a, q, &e->model->def, &e->spare);
    }
    int32_t taken[2] = {head.taken0, head.taken0};
    status = status == SL_OK ? replay(e, &head, q, q + e->n, taken) : status;
    if (status == SL_OK) {
        take_over(e, &head, (const char *)bytes + sizeof head, q, taken);
    } else {
        sl_sda_run_destroy(e->spare); /* it may be anywhere */
        e->spare = NULL;
    }
    sl_free(e->ctx, q, 2 * size + 1);
    return status;
}

static uint64_t model_hash(const void *engine_) {
    return ((const engine *)engine_)->model->hash;
}

static sl_status get_run(void *engine_, void *out) {
    ((sl_facet_discrete_run *)out)->run = ((const engine *)engine_)->run;
    return SL_OK;
}

static const sl_facet facets[] = {
    {SL_FACET_DISCRETE_RUN, sizeof(sl_facet_discrete_run), .at_boundary = true, .get = get_run}};

static const char *const recorded[] = {"discrete.state", NULL};

const sl_engine_ops sl_discrete_engine = {.name = "discrete",
                                          .classes = classes,
                                          .n_class = N_CLASS,
                                          .finds_end = true,
                                          .time_unit = "steps",
                                          .fields = fields,
                                          .n_field = SL_DISCRETE_N_FIELD,
                                          .facets = facets,
                                          .n_facet = 1,
                                          .recorded = recorded,
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
                                          .events = events,
                                          .save_size = save_size,
                                          .save = save,
                                          .restore = restore,
                                          .model_hash = model_hash};
