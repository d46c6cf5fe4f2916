/* SPDX-License-Identifier: MIT */
/* engine.c: the surge engine as the contract of engine/engine.h wants it.
 *
 * A step is one time step: what is small is copied, events act, inner points move, nodes are solved, ends follow, accounts
 * are kept. Time is begin + n dt, never a sum. Between two steps values are straight lines; a cut takes such a value as a
 * new beginning, and so does the end of the run when it is no multiple of the step.
 */
#include "surge/fields.h"
#include "engine/facets.h"
#include "surge/impl.h"

#include "base/report.h"

#include <math.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------- */

static void *alloc_array(sl_surge_run *e, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(&e->arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

static bool alloc_buffers(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    bool bad = false;
    e->arrive = alloc_array(e, 2 * (int64_t)m->n_segment, sizeof(double), &bad);
    e->admit = alloc_array(e, 2 * (int64_t)m->n_segment, sizeof(double), &bad);
    e->tile_torn = alloc_array(e, m->n_tile, sizeof(double), &bad);
    e->tile_clamped = alloc_array(e, m->n_tile, sizeof(double), &bad);
    bool gas = m->def.cavitation == SL_SURGE_DGCM || m->def.cavitation == SL_SURGE_DVCM;
    e->forth = alloc_array(e, gas ? m->n_cell : 0, sizeof(double), &bad);
    e->back = alloc_array(e, gas ? m->n_cell : 0, sizeof(double), &bad);
    e->group_work = alloc_array(e, m->n_group, sizeof(double), &bad);
    e->page = alloc_array(e, 1, sizeof *e->page, &bad);
    double **of_joints[] = {&e->joint_slope, &e->joint_loss, &e->joint_k, &e->joint_cap, &e->joint_last};
    for (int i = 0; i < 5; i++) {
        *of_joints[i] = alloc_array(e, m->n_joint, sizeof(double), &bad);
    }
    e->joint_shut = alloc_array(e, m->n_joint, 1, &bad);
    e->node_pin = alloc_array(e, m->n_slot, 1, &bad);
    e->node_miss = alloc_array(e, m->n_slot, sizeof(double), &bad);
    e->node_work = alloc_array(e, 6 * (int64_t)m->n_slot, sizeof(double), &bad);
    e->rhs = alloc_array(e, m->n_slot, sizeof(double), &bad);
    e->ldl = alloc_array(e, m->ldl ? sl_ldl_work(m->ldl) : 0, sizeof(double), &bad);
    e->cache = alloc_array(e, SL_SURGE_FIELD_COUNT, sizeof(double *), &bad);
    e->fresh = alloc_array(e, SL_SURGE_FIELD_COUNT, 1, &bad);
    void *now = alloc_array(e, (int64_t)m->state_size, 1, &bad),
         *before = alloc_array(e, (int64_t)m->state_size, 1, &bad),
         *history = alloc_array(e, (int64_t)m->history_size, 1, &bad);
    if (!bad) {
        (void)sl_surge_history_bind(m, &e->history, history);
        sl_surge_state_bind(m, e->now, now);
        sl_surge_state_bind(m, e->before, before);
    }
    return !bad;
}

static void destroy(void *engine) {
    sl_surge_run *e = engine;
    if (!e) {
        return;
    }
    for (int32_t f = 0; e->cache && f < SL_SURGE_FIELD_COUNT; f++) {
        int32_t n = sl_surge_count(e, f);
        sl_free(e->ctx, e->cache[f], (size_t)(n > 0 ? n : 1) * sizeof(double));
    }
    sl_arena_fini(&e->arena);
    sl_free(e->ctx, e, sizeof *e);
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **engine) {
    (void)diags;
    *engine = NULL;
    sl_surge_run *e = sl_alloc(ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    e->ctx = ctx;
    e->m = model;
    e->now = &e->states[0];
    e->before = &e->states[1];
    e->other = &e->states[2];
    sl_arena_init(&e->arena, ctx);
    if (!alloc_buffers(e) || !sl_surge_log_create(e)) {
        destroy(e);
        return SL_ERR_MEMORY;
    }
    sl_surge_state_start(e->m, e->now);
    memcpy(e->before->block, e->now->block, e->m->state_size);
    sl_surge_history_start(e->m, &e->history, e->now);
    e->shown = e->now;
    *engine = e;
    return SL_OK;
}

static sl_status make_other(sl_surge_run *e) {
    if (!e->other_made) {
        bool bad = false;
        void *block = alloc_array(e, (int64_t)e->m->state_size, 1, &bad);
        if (bad) {
            return SL_ERR_MEMORY;
        }
        sl_surge_state_bind(e->m, e->other, block);
        e->other_made = true;
    }
    return SL_OK;
}

/* ---- Moving ------------------------------------------------------------------------------------- */

static double time_of(const void *engine) {
    return ((const sl_surge_run *)engine)->now->x->time;
}

static double end_of(const void *engine) {
    double duration = ((const sl_surge_run *)engine)->m->def.duration;
    return duration > 0.0 ? duration : (double)INFINITY;
}

/* The end of the coming step by itself; a hair from the end of the run it is that end. */
static double step_end(const sl_surge_run *e) {
    double t = e->now->x->begin + (double)(e->now->x->n + 1) * e->m->dt, end = end_of(e);
    return fabs(t - end) < 1e-6 * e->m->dt ? end : t;
}

static double next_event(const void *engine) {
    return fmin(step_end(engine), end_of(engine));
}

static void report(const void *engine, double *first, double *step) {
    const sl_surge_model *m = ((const sl_surge_run *)engine)->m;
    *first = 0.0;
    *step = m->def.report_step > 0.0 ? m->def.report_step : m->dt;
}

static void stale(sl_surge_run *e, const sl_surge_state *shown) {
    memset(e->fresh, 0, SL_SURGE_FIELD_COUNT);
    e->page->points_fresh = e->page->nodes_fresh = false;
    e->shown = shown;
}

static sl_status refresh(void *engine, sl_diags *diags) {
    (void)diags;
    sl_surge_run *e = engine;
    e->started = true;
    stale(e, e->now);
    return SL_OK;
}

static void swap(sl_surge_run *e) {
    sl_surge_state *s = e->now;
    e->now = e->before;
    e->before = s;
}

/* Copies what is small, and what rarely changes where one of the two blocks has not the same. */
static void continue_run(sl_surge_run *e) {
    const sl_surge_model *m = e->m;
    bool rare = e->before->x->rare >= e->before->x->n_step - 1;
    size_t from = rare ? m->rare_at : m->small_at;
    memcpy(e->now->block + from, e->before->block + from, m->state_size - from);
    for (int32_t i = 0; i < m->n_node; i++) { /* solved by nobody */
        if (m->kind[i] == SL_NODE_FIXED) {
            e->now->node_head[i] = e->before->node_head[i];
            e->now->node_out[i] = e->before->node_out[i];
            e->now->node_gas[i] = e->before->node_gas[i];
        }
    }
}

/* now becomes the state one step after before. */
static bool compute(sl_surge_run *e, double t) {
    const sl_surge_model *m = e->m;
    sl_surge_state *s = e->now;
    continue_run(e);
    sl_surge_events(m, s, t);
    s->x->n++;
    s->x->n_step++;
    s->x->time = t;
    for (int32_t i = m->net->n_junction; i < m->net->n_node; i++) {
        s->node_head[i] = m->kind[i] == SL_NODE_FIXED ? s->given[i] : s->node_head[i];
    }
    sl_surge_inner(e);
    sl_surge_nodes(e);
    sl_surge_outer(e);
    sl_surge_accounts(e);
    return sl_surge_is_finite(e);
}

static sl_status step(void *engine, sl_diags *diags, sl_engine_step *out) {
    sl_surge_run *e = engine;
    double end = end_of(e), t = step_end(e);
    *out = (sl_engine_step){.begin = time_of(e), .end = time_of(e)};
    if (time_of(e) >= end) {
        return SL_ERR_USE;
    }
    sl_status status = t > end ? make_other(e) : SL_OK;
    if (status != SL_OK) {
        return status;
    }
    e->started = true;
    int64_t iterations = e->now->x->n_iteration;
    sl_surge_log_expect(e, false);
    swap(e);
    if (!compute(e, t)) {
        swap(e);
        memcpy(e->before->block, e->now->block, e->m->state_size);
        stale(e, e->now);
        sl_diags_add(diags, &(sl_diag){.size = sizeof(sl_diag),
                                       .severity = SL_ERROR,
                                       .code = SL_CODE_STEP_FAILED,
                                       .text = "heads grew beyond all bounds",
                                       .hint = "use a smaller time step, or the trapezoidal integration of friction",
                                       .time = e->now->x->time});
        return SL_ERR_SOLVE;
    }
    if (t > end) {
        sl_surge_state_between(e->m, e->other, e->before, e->now, end);
        memcpy(e->now->block, e->other->block, e->m->state_size);
    }
    sl_surge_report_events(e, diags);
    sl_surge_log_expect(e, true);
    stale(e, e->now);
    out->end = time_of(e);
    out->finished = out->end >= end;
    if (out->finished) {
        sl_surge_report_waiting(e, diags);
    }
    out->n_iteration = (int32_t)(e->now->x->n_iteration - iterations);
    return SL_OK;
}

static bool within(const sl_surge_run *e, double t) {
    return t >= e->before->x->time && t <= e->now->x->time;
}

static sl_status show(void *engine, double t, sl_diags *diags) {
    (void)diags;
    sl_surge_run *e = engine;
    if (!within(e, t)) {
        return SL_ERR_USE;
    }
    if (t == e->now->x->time || t == e->before->x->time) {
        stale(e, t == e->now->x->time ? e->now : e->before);
        return SL_OK;
    }
    sl_status status = make_other(e);
    if (status == SL_OK) {
        sl_surge_state_between(e->m, e->other, e->before, e->now, t);
        stale(e, e->other);
    }
    return status;
}

static sl_status cut(void *engine, double t, sl_diags *diags) {
    sl_surge_run *e = engine;
    sl_status status = show(e, t, diags);
    if (status == SL_OK && e->shown != e->now) {
        sl_surge_log_find(e);
        sl_surge_log_cut(e, t);
        memcpy(e->now->block, e->shown->block, e->m->state_size);
        stale(e, e->now);
    }
    return status;
}

static const double *data(const void *engine, int32_t field) {
    return sl_surge_data((sl_surge_run *)(uintptr_t)engine, field);
}

/* ---- Setting ------------------------------------------------------------------------------------ */

typedef struct settable {
    int32_t field;
    sl_surge_quantity what;
} settable;
static const settable inputs[] = {{SL_SURGE_F_FACTOR, SL_SURGE_DEMAND_FACTOR},
                                  {SL_SURGE_F_RESERVOIR_HEAD, SL_SURGE_HEAD},
                                  {SL_SURGE_F_OPENING, SL_SURGE_VALVE_OPENING},
                                  {SL_SURGE_F_SPEED, SL_SURGE_PUMP_SPEED},
                                  {SL_SURGE_F_TRIPPED, SL_SURGE_PUMP_TRIP}};

static const settable *input_of(int32_t field) {
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        if (inputs[i].field == field) {
            return &inputs[i];
        }
    }
    return NULL;
}

static int32_t index_of(const sl_surge_model *m, const settable *in, int32_t index) {
    bool pump = in->what == SL_SURGE_PUMP_SPEED || in->what == SL_SURGE_PUMP_TRIP;
    return pump ? m->net->n_pipe + index : in->what == SL_SURGE_HEAD ? m->net->n_junction + index : index;
}

static sl_status check(const void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    const sl_surge_run *e = engine;
    const sl_surge_model *m = e->m;
    const sl_field *f = &sl_surge_fields[field];
    const settable *in = input_of(field);
    const char *why = NULL, *hint = NULL;
    bool here = index >= 0 && index < sl_surge_count(e, field);
    const char *id = here ? sl_surge_element(e, field, index) : NULL;
    if (!in || !here) {
        why = "cannot be set";
    } else if (!isfinite(value) || value < f->min || value > f->max ||
               (f->type == SL_FIELD_BOOL && value != 0.0 && value != 1.0)) {
        why = "is out of its range";
    } else if (in->what == SL_SURGE_DEMAND_FACTOR && index >= m->net->n_junction) {
        why = "belongs to junctions";
    } else if (in->what == SL_SURGE_VALVE_OPENING &&
               (m->joint_of_link[index] < 0 || !m->joints[m->joint_of_link[index]].moves)) {
        why = "belongs to valves, and to pipes that can be shut";
        hint = "give the pipe a valve in the study";
    }
    if (why) {
        sl_report(diags, SL_ERROR, SL_CODE_VARIABLE, NULL, sl_field_class(&sl_surge_ops, field), id, hint, "%s %s: %g",
                  f->name, why, value);
    }
    return why ? SL_ERR_INPUT : SL_OK;
}

/* What was set holds from now on: the state before is gone. */
static void take_over(sl_surge_run *e) {
    sl_surge_history_settle(e);
    memcpy(e->before->block, e->now->block, e->m->state_size);
    stale(e, e->now);
}

static sl_status set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    sl_surge_run *e = engine;
    const sl_surge_model *m = e->m;
    sl_status status = check(e, field, index, value, diags);
    if (status != SL_OK) {
        return status;
    }
    const settable *in = input_of(field);
    int32_t at = index_of(m, in, index);
    sl_surge_log_find(e); /* before the ends of the step are lost */
    sl_surge_assign(m, e->now, in->what, at, value);
    for (int32_t i = 0; i < m->def.n_event; i++) { /* events that ruled it do so no more */
        const sl_surge_event *v = &m->def.events[i];
        if (sl_surge_same_target(v->what, in->what) && v->index == at) {
            e->now->ruler[m->event_target[i]] = -1.0;
        }
    }
    take_over(e);
    return SL_OK;
}

static sl_status release(void *engine, int32_t field, int32_t index, sl_diags *diags) {
    sl_surge_run *e = engine;
    (void)diags;
    const settable *in = input_of(field);
    if (!in || index < 0 || index >= sl_surge_count(e, field)) {
        return SL_ERR_INPUT;
    }
    int32_t at = index_of(e->m, in, index);
    if (sl_surge_is_held(e->m, e->now, in->what, at)) {
        sl_surge_log_find(e);
        sl_surge_release(e->m, e->now, in->what, at);
        take_over(e);
    }
    return SL_OK;
}

/* ---- Saving ------------------------------------------------------------------------------------- */

/* Eight bytes, the two ends of the last step, the history. */
static size_t save_size(const void *engine) {
    const sl_surge_model *m = ((const sl_surge_run *)engine)->m;
    return 8 + 2 * m->state_size + m->history_size;
}

static void save(const void *engine, void *bytes) {
    const sl_surge_run *e = engine;
    unsigned char *at = bytes;
    memset(at, 0, 8);
    at[0] = e->started;
    memcpy(at + 8, e->now->block, e->m->state_size);
    memcpy(at + 8 + e->m->state_size, e->before->block, e->m->state_size);
    memcpy(at + 8 + 2 * e->m->state_size, e->history.block, e->m->history_size);
}

static sl_status restore(void *engine, const void *bytes, size_t n) {
    sl_surge_run *e = engine;
    const unsigned char *at = bytes;
    if (n != save_size(e)) {
        return SL_ERR_INPUT;
    }
    e->started = at[0] != 0;
    memcpy(e->now->block, at + 8, e->m->state_size);
    memcpy(e->before->block, at + 8 + e->m->state_size, e->m->state_size);
    memcpy(e->history.block, at + 8 + 2 * e->m->state_size, e->m->history_size);
    sl_surge_log_expect(e, false);
    stale(e, e->now);
    return SL_OK;
}

static uint64_t model_hash(const void *engine) {
    return ((const sl_surge_run *)engine)->m->hash;
}

sl_status sl_surge_get_view(void *engine, sl_surge_view *out) {
    sl_surge_run *e = engine;
    const sl_surge_model *m = e->m;
    const sl_surge_state *s = e->shown;
    const sl_surge_copies *p = e->page;
    if (!e->started) {
        return SL_ERR_USE;
    }
    if (!sl_surge_page_points(e)) {
        return SL_ERR_MEMORY;
    }
    *out = (sl_surge_view){.time = s->x->time,
                           .n_point = m->n_point,
                           .point_start = m->point_start,
                           .chainage = m->chainage,
                           .elevation = m->elevation,
                           .head = p->head,
                           .flow_in = p->flow_in,
                           .flow_out = p->flow_out,
                           .head_start = m->point_start_head,
                           .head_max = p->hmax,
                           .head_min = p->hmin,
                           .time_max = p->tmax,
                           .time_min = p->tmin,
                           .vapour_head = m->vapour,
                           .cavity = p->cavity,
                           .cavity_max = p->cavity_max,
                           .cavity_first = p->cavity_first,
                           .cavity_time = p->cavity_time,
                           .cavity_count = p->cavity_count,
                           .pipe_joined = s->pipe_joined,
                           .node_cavity_max = p->node_gas_max,
                           .node_cavity_first = s->node_first,
                           .node_cavity_time = s->node_time,
                           .node_cavity_count = s->node_count,
                           .balance = sl_surge_balance_of(m, s)};
    memcpy(out->alarms, s->x->alarms, sizeof out->alarms);
    return SL_OK;
}

static sl_status get_grid(void *model, void *out) {
    sl_surge_model_grid(model, out);
    return SL_OK;
}

static sl_status get_view(void *engine, void *out) {
    return sl_surge_get_view(engine, out);
}

static const sl_facet facets[] = {
    {SL_FACET_SURGE_GRID, sizeof(sl_surge_grid), .of_model = true, .get = get_grid},
    {SL_FACET_SURGE_VIEW, sizeof(sl_surge_view), .get = get_view},
};

static const char *const recorded[] = {"node.head", "node.pressure", "link.flow", "pump.speed", "tank.level",
                                       "part.head", "part.pressure", "part.flow", NULL};

const sl_engine_ops sl_surge_ops = {
    .name = "surge",
    .classes = sl_surge_classes,
    .n_class = SL_CLASS_SURGE_COUNT,
    .time_unit = "s",
    .fields = sl_surge_fields,
    .n_field = SL_SURGE_FIELD_COUNT,
    .facets = facets,
    .n_facet = sizeof facets / sizeof *facets,
    .recorded = recorded,
    .create = create,
    .destroy = destroy,
    .count = sl_surge_count,
    .element = sl_surge_element,
    .time = time_of,
    .end = end_of,
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
    .events = sl_surge_log_events,
    .save_size = save_size,
    .save = save,
    .restore = restore,
    .model_hash = model_hash,
};
