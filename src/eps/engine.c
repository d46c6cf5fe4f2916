/* SPDX-License-Identifier: MIT */
/* engine.c: the eps engine as the contract of engine/engine.h wants it.
 *
 * A boundary is a time with its solution. A step moves the water to the next boundary (clock.c), applies what changes
 * there (controls.c), and solves (solve.c). The boundary before is kept, so that any time of the last step can be shown
 * or made the boundary: tanks are moved from there by their mean inflow, and the network is solved for that instant.
 */
#include "eps/fields.h"
#include "eps/impl.h"
#include "engine/facets.h"
#include "network/elements.h"
#include "quality/hydraulics.h"

#include "base/context.h"
#include "base/pool.h"
#include "laws/constants.h"

#include <math.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------- */

static void *alloc_array(sl_eps *e, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(&e->arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

static bool alloc_buffers(sl_eps *e) {
    const sl_eps_model *m = e->m;
    const sl_network *net = m->net;
    sl_eps_work *w = &e->w;
    bool bad = false;
    double **of_outlets[] = {&w->op, &w->oy, &w->oh, &w->from_outlet, &w->outlet_step, &w->start_outlet, &w->full};
    for (int i = 0; i < 7; i++) {
        *of_outlets[i] = alloc_array(e, m->n_outlet, sizeof(double), &bad);
    }
    w->tank_p = alloc_array(e, m->at_start[net->n_node] - m->at_start[sl_first_tank(net)], sizeof(double), &bad);
    w->load = alloc_array(e, net->n_node, sizeof(double), &bad);
    w->conducts = alloc_array(e, net->n_link, 1, &bad);
    w->adrift = alloc_array(e, m->n_regulator, 1, &bad);
    w->lock = alloc_array(e, net->n_link, 1, &bad);
    w->breaker_q = alloc_array(e, m->n_breaker, sizeof(double), &bad);
    w->island = alloc_array(e, net->n_node, sizeof(int32_t), &bad);
    w->cut = alloc_array(e, net->n_junction, sizeof(int32_t), &bad);
    w->free_tank = alloc_array(e, net->n_tank, 1, &bad);
    w->no_rate = alloc_array(e, net->n_tank, sizeof(double), &bad);
    w->stage_inflow = alloc_array(e, (int64_t)SL_EPS_STAGES * net->n_tank, sizeof(double), &bad);
    w->first_flow = alloc_array(e, net->n_link, sizeof(double), &bad);
    w->first_outlet = alloc_array(e, m->n_outlet, sizeof(double), &bad);
    w->first_head = alloc_array(e, net->n_node, sizeof(double), &bad);
    w->first_status = alloc_array(e, net->n_link, 1, &bad);
    w->tried_flow = alloc_array(e, net->n_link, sizeof(double), &bad);
    w->tried_outlet = alloc_array(e, m->n_outlet, sizeof(double), &bad);
    w->tried_status = alloc_array(e, net->n_link, 1, &bad);
    w->first_volume = alloc_array(e, net->n_tank, sizeof(double), &bad);
    w->factor = alloc_array(e, (int64_t)net->n_pattern + 1, sizeof(double), &bad);
    w->rules.value = alloc_array(e, m->rules.n_reading, sizeof(double), &bad);
    w->rules.truth = alloc_array(e, net->n_premise, 1, &bad);
    w->rules.holds = alloc_array(e, net->n_rule, 1, &bad);
    w->rules.moved = alloc_array(e, net->n_rule, 1, &bad);
    w->rules.queue = alloc_array(e, net->n_rule, sizeof(int32_t), &bad);
    w->rules.best = alloc_array(e, net->n_rule > 0 ? net->n_link : 0, sizeof(int32_t), &bad);
    w->rules.requests = alloc_array(e, net->n_action, sizeof *w->rules.requests, &bad);
    int64_t n_valve = m->n_regulator, most = n_valve < SL_EPS_VALVE_MAX ? n_valve : SL_EPS_VALVE_MAX;
    double **of_valves[] = {&w->valve_q, &w->valve_g};
    for (int i = 0; i < 2; i++) {
        *of_valves[i] = alloc_array(e, n_valve, sizeof(double), &bad);
    }
    w->valve_list = alloc_array(e, n_valve, sizeof(int32_t), &bad);
    w->valve_matrix = alloc_array(e, most * most, sizeof(double), &bad);
    w->acted = alloc_array(e, net->n_control, 1, &bad);
    w->seen = alloc_array(e, SL_EPS_SEEN_MAX, sizeof(uint64_t), &bad);
    e->cache = alloc_array(e, SL_EPS_FIELD_COUNT, sizeof(double *), &bad);
    e->fresh = alloc_array(e, SL_EPS_FIELD_COUNT, 1, &bad);
    void *now = alloc_array(e, (int64_t)m->state_size, 1, &bad),
         *before = alloc_array(e, (int64_t)m->state_size, 1, &bad);
    void *older = alloc_array(e, (int64_t)m->state_size, 1, &bad);
    if (!bad) {
        sl_eps_state_bind(m, &e->older, older);
        sl_eps_state_bind(m, &e->now, now);
        sl_eps_state_bind(m, &e->before, before);
    }
    return !bad && sl_eps_numbers_create(e->ctx, m, m->core, &e->x) == SL_OK;
}

sl_status sl_eps_make_scratch_state(sl_eps *e) {
    if (!e->other_made) {
        bool bad = false;
        void *block = alloc_array(e, (int64_t)e->m->state_size, 1, &bad);
        if (bad) {
            return SL_ERR_MEMORY;
        }
        sl_eps_state_bind(e->m, &e->other, block);
        e->other_made = true;
    }
    return SL_OK;
}

static void start_link(sl_eps *e, sl_eps_state *s, int32_t k) {
    const sl_network *net = e->m->net;
    bool closed = net->link_status[k] == SL_CLOSED ||
                  (sl_is_pump(net, k) && !(net->pump_speed[k - net->n_pipe] > 0.0)); /* speed 0 is off */
    s->status[k] = closed ? SL_STATUS_CLOSED : SL_STATUS_OPEN;
    if (sl_is_pump(net, k)) {
        s->setting[k] = closed ? 0.0 : net->pump_speed[k - net->n_pipe];
    } else if (sl_is_valve(net, k)) {
        bool active = net->link_status[k] == SL_ACTIVE;
        s->setting[k] = active ? net->valve_setting[k - net->n_pipe - net->n_pump] : (double)NAN;
        s->status[k] = active ? SL_STATUS_ACTIVE : s->status[k];
    }
    s->flow[k] = s->status[k] <= SL_STATUS_CLOSED ? 0.0 : sl_eps_first_flow(e, s, k);
}

static void start(sl_eps *e) {
    const sl_network *net = e->m->net;
    sl_eps_state *s = &e->now;
    const double *area = e->m->link_area;
    double *flow = s->flow;
    uint8_t *status = s->status;
#pragma omp simd
    for (int32_t k = 0; k < net->n_pipe; k++) {
        bool closed = net->link_status[k] == SL_CLOSED;
        status[k] = closed ? SL_STATUS_CLOSED : SL_STATUS_OPEN;
        flow[k] = closed ? 0.0 : SL_FOOT * area[k]; /* as sl_eps_first_flow */
    }
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        start_link(e, s, k);
    }
    memcpy(s->head, net->node_elevation, (size_t)net->n_node * sizeof(double));
    for (int32_t i = 0; i < net->n_tank; i++) {
        s->volume[i] = e->m->tank[i].v_init;
        s->head[sl_first_tank(net) + i] = sl_tank_head(&e->m->tank[i], s->volume[i]);
        s->x->balance.start_volume += s->volume[i];
        sl_eps_put_tank(e, s, i);
    }
    sl_eps_patterns(e, s);
    sl_eps_first_outflows(e, s);
    s->x->facts = (sl_eps_solve_facts){.worst_link = -1, .worst_node = -1, .chatters = -1}; /* nothing is solved yet */
    e->dirty = true;
    e->shown = s;
    sl_eps_state_copy(e->m, &e->before, s);
    sl_eps_state_copy(e->m, &e->older, s);
}

/* Room for the mean flows of a step. */
static bool make_means(sl_eps *e) {
    bool bad = false;
    if (!e->mean_flow) {
        double *flow = alloc_array(e, e->m->net->n_link, sizeof(double), &bad);
        e->mean_out = alloc_array(e, e->m->net->n_junction, sizeof(double), &bad);
        e->substep_flow = alloc_array(e, e->m->net->n_link, sizeof(double), &bad);
        e->substep_out = alloc_array(e, e->m->net->n_junction, sizeof(double), &bad);
        e->stage_out = alloc_array(e, e->m->net->n_junction, sizeof(double), &bad);
        e->mean_flow = bad ? NULL : flow;
    }
    return !bad;
}

static bool make_quality(sl_eps *e) {
    return !e->m->quality || (make_means(e) && sl_quality_create(e->ctx, e->m->quality, &e->quality) == SL_OK);
}

sl_status sl_eps_store_hydraulics(void *engine, sl_hydraulics *stored_hydraulics) {
    sl_eps *e = engine;
    if (stored_hydraulics && !make_means(e)) {
        return SL_ERR_MEMORY;
    }
    e->stored_hydraulics = stored_hydraulics;
    return SL_OK;
}

static void destroy(void *engine) {
    sl_eps *e = engine;
    if (!e) {
        return;
    }
    for (int32_t f = 0; e->cache && f < SL_EPS_FIELD_COUNT; f++) {
        int32_t n = sl_eps_count(e, f);
        sl_free(e->ctx, e->cache[f], (size_t)(n > 0 ? n : 1) * sizeof(double));
    }
    SL_ARRAY_FINI(e->ctx, &e->overrides);
    sl_eps_events_fini(e);
    sl_quality_destroy(e->quality);
    sl_eps_core_destroy(e->own_core);
    sl_arena_fini(&e->x.arena);
    sl_arena_fini(&e->arena);
    sl_free(e->ctx, e, sizeof *e);
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **engine) {
    (void)diags;
    const sl_eps_model *m = model;
    *engine = NULL;
    sl_eps *e = sl_alloc(ctx, sizeof *e);
    if (!e) {
        return SL_ERR_MEMORY;
    }
    e->ctx = ctx;
    e->m = m;
    e->resistance = m->pipe_resistance;
    e->minor = m->pipe_minor;
    e->dw = m->pipe_dw;
    e->roughness = m->net->pipe_roughness;
    e->diameter = m->net->pipe_diameter;
    e->length = m->net->pipe_length;
    e->core = m->core;
    sl_arena_init(&e->arena, ctx);
    sl_arena_init(&e->x.arena, ctx);
    if (!alloc_buffers(e) || !make_quality(e) || sl_eps_events_reserve(e) != SL_OK) {
        destroy(e);
        return SL_ERR_MEMORY;
    }
    sl_eps_load_pipe_laws(e);
    start(e);
    *engine = e;
    return SL_OK;
}

/* ---- Moving ------------------------------------------------------------------------------------- */

static double time_of(const void *engine) {
    return ((const sl_eps *)engine)->now.x->time;
}

static double end_of(const void *engine) {
    const sl_eps *e = engine;
    return e->now.x->halted ? e->now.x->time : e->m->duration;
}

static double next_event(const void *engine) {
    return sl_eps_next_time(engine);
}

static void report(const void *engine, double *first, double *step) {
    const sl_times *t = &((const sl_eps *)engine)->m->net->times;
    *first = t->report_start;
    *step = t->report_step;
}

void sl_eps_show_state(sl_eps *e, const sl_eps_state *shown) {
    memset(e->fresh, 0, SL_EPS_FIELD_COUNT);
    e->shown = shown;
}

/* What was asked for comes before what the file says. */
static bool stops_unbalanced(const sl_eps_model *m) {
    return m->def.unbalanced == SL_UNBALANCED_FILE ? m->net->hydraulics.unbalanced_extra < 0
                                                   : m->def.unbalanced == SL_UNBALANCED_STOP;
}

/* Solves the boundary and tells what there is to tell. */
static sl_status settle(sl_eps *e, sl_diags *diags) {
    sl_eps_state *s = &e->now;
    sl_status status = sl_eps_solve(e, s, 0.0);
    s->x->n_trial += s->x->facts.trials;
    if (status != SL_OK) {
        sl_eps_report_failure(e, s, diags);
        return status;
    }
    sl_eps_find_rates(e, s, sl_eps_scheduled_step(e, s->x->time));
    sl_eps_tank_inflows(e, s);
    sl_eps_report(e, s, diags);
    if (!s->x->facts.balanced && stops_unbalanced(e->m) && s->x->time < e->m->duration) {
        s->x->halted = true;
        sl_eps_add_diag(e, s->x->time, SL_ERROR, SL_CODE_NOT_BALANCED, diags, NULL, NULL,
                        "the run halts here: UNBALANCED STOP; --unbalanced continue goes on");
    }
    if (!s->x->halted && s->x->time < e->m->duration) {
        s->x->halted = sl_eps_halts_in_vain(e, s, diags);
    }
    e->dirty = false;
    e->started = true;
    sl_eps_show_state(e, s);
    return SL_OK;
}

/* Nothing moves, and heads are known of tanks only: what is shown when there never was a solution. */
static void set_to_no_flow(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    memset(s->block, 0, e->m->state_size);
    start(e);
    memset(s->flow, 0, (size_t)net->n_link * sizeof *s->flow);
    memset(s->outlet_flow, 0, (size_t)e->m->n_outlet * sizeof *s->outlet_flow);
    memset(s->wanted, 0, (size_t)net->n_junction * sizeof *s->wanted);
    memcpy(s->head, net->node_elevation, (size_t)sl_first_tank(net) * sizeof *s->head);
    s->x->facts = (sl_eps_solve_facts){.worst_link = -1, .worst_node = -1};
    s->x->halted = true;
}

static void report_growth(sl_eps *e, sl_status carried, sl_diags *diags) {
    if (carried == SL_ERR_SOLVE) {
        sl_eps_add_diag(e, e->now.x->time, SL_ERROR, SL_CODE_STEP_FAILED, diags, NULL, NULL,
                        "water quality grows beyond all bounds: give reactions of growth a LIMITING POTENTIAL");
    }
}

static sl_status refresh(void *engine, sl_diags *diags) {
    sl_eps *e = engine;
    if (!e->dirty) {
        return SL_OK;
    }
    bool first = !e->started;
    int64_t n_event = e->events.list.n;
    sl_status status = first ? SL_OK : sl_eps_make_scratch_state(e);
    status = status == SL_OK ? sl_eps_events_reserve(e) : status;
    if (status != SL_OK) {
        return status;
    }
    if (!first) {
        sl_eps_state_copy(e->m, &e->other, &e->now);
    }
    sl_eps_patterns(e, &e->now);
    if (first) {
        sl_eps_controls(e, &e->now, diags);
    }
    status = settle(e, diags);
    if (status == SL_OK && e->quality && !sl_quality_begun(e->quality)) {
        sl_quality_pipes(e->quality, e->diameter, e->length);
        status = sl_quality_start(e->quality, e->now.volume);
        report_growth(e, status, diags);
    }
    if (status != SL_OK) {
        if (first) {
            set_to_no_flow(e, &e->now);
        } else {
            sl_eps_state_copy(e->m, &e->now, &e->other);
        }
        sl_eps_show_state(e, &e->now);
        e->events.list.n = n_event;
        return status;
    }
    sl_eps_note_changes(e, first ? &e->before : &e->other, n_event);
    if (first && e->m->duration <= 0.0) { /* an instant: energy as if it lasted an hour, as EPANET counts it */
        sl_eps_state_copy(e->m, &e->before, &e->now);
        sl_eps_accounts(e, &e->now, 3600.0);
    }
    return status;
}

static sl_quality_flows flows_of_step(const sl_eps *e) {
    return (sl_quality_flows){.flow = e->mean_flow,
                              .outflow = e->mean_out,
                              .volume = e->before.volume,
                              .begin = e->before.x->time,
                              .end = e->now.x->time};
}

/* What follows the move: the solution at its end, and the transport along it. Neither needs the other. */
typedef struct pair {
    sl_eps *e;
    sl_diags *diags;
    sl_status solved, carried;
} pair;

static void one_of_both(void *user, int64_t begin, int64_t end, int64_t block) {
    (void)begin, (void)end;
    pair *p = user;
    sl_eps *e = p->e;
    if (block == 0) {
        sl_eps_note_tanks(e, &e->before);
        sl_eps_patterns(e, &e->now);
        sl_eps_controls(e, &e->now, p->diags);
        sl_eps_extrapolate_flows(e, &e->now);
        p->solved = settle(e, p->diags);
    } else {
        sl_quality_flows f = flows_of_step(e);
        p->carried = sl_quality_step(e->quality, &f);
    }
}

static sl_status both(sl_eps *e, sl_diags *diags) {
    pair p = {.e = e, .diags = diags};
    sl_pool_for(e->ctx->pool, e->quality ? 2 : 1, 1, one_of_both, &p);
    if (p.solved != SL_OK && e->quality && p.carried == SL_OK) {
        sl_quality_undo_step(e->quality);
    }
    report_growth(e, p.carried, diags);
    sl_status status = p.solved != SL_OK ? p.solved : p.carried;
    if (status == SL_OK && e->stored_hydraulics) {
        sl_quality_flows f = flows_of_step(e);
        status = sl_hydraulics_add(e->stored_hydraulics, &f);
        if (status != SL_OK && e->quality) {
            sl_quality_undo_step(e->quality);
        }
    }
    return status;
}

static sl_status step(void *engine, sl_diags *diags, sl_engine_step *out) {
    sl_eps *e = engine;
    bool ended = time_of(e) >= end_of(e);
    e->events.list.n = 0;
    sl_status status = refresh(e, diags);
    int64_t n_event = e->events.list.n;
    *out = (sl_engine_step){.begin = time_of(e), .end = time_of(e)};
    if (status != SL_OK) {
        return status;
    }
    if (time_of(e) >= end_of(e)) { /* what was set may have brought the run to a halt just now */
        out->finished = true;
        return ended ? SL_ERR_USE : SL_OK;
    }
    status = sl_eps_events_reserve(e);
    if (status != SL_OK) {
        return status;
    }
    status = sl_eps_move(e, diags);
    if (status == SL_OK) {
        status = both(e, diags);
    }
    if (status != SL_OK) { /* back to the last good boundary */
        e->events.list.n = n_event;
        sl_eps_state_copy(e->m, &e->now, &e->before);
        e->now.x->halted = true;
        sl_eps_show_state(e, &e->now);
        return status;
    }
    sl_eps_note_changes(e, &e->before, n_event);
    if (e->quality && e->now.x->n_step == 1) {
        sl_eps_report_step_error(e, diags);
    }
    out->end = time_of(e);
    out->finished = out->end >= end_of(e);
    out->n_iteration = e->now.x->facts.trials;
    return SL_OK;
}

/* The boundary before, moved on to t by the mean inflows of its step, into s; solved, with its accounts. */
static sl_status between(sl_eps *e, sl_eps_state *s, double t, sl_diags *diags) {
    double dt = t - e->before.x->time;
    sl_eps_state_copy(e->m, s, &e->before);
    sl_eps_tanks_fill(e, s, e->before.mean_inflow, dt, t);
    sl_eps_accounts(e, s, dt);
    s->x->time = t;
    s->x->n_step++;
    sl_eps_patterns(e, s);
    sl_status status = sl_eps_solve(e, s, 0.0);
    s->x->n_trial += s->x->facts.trials;
    if (status == SL_OK) {
        sl_eps_find_rates(e, s, sl_eps_scheduled_step(e, t));
        sl_eps_tank_inflows(e, s);
        sl_eps_report_balance(e, s, diags);
        e->between.n++;
        e->between.n_trial += s->x->facts.trials;
        e->between.n_unbalanced += !s->x->facts.balanced;
        return sl_eps_halts_in_vain(e, s, diags) ? SL_ERR_SOLVE : SL_OK;
    }
    sl_eps_report_failure(e, s, diags);
    return status;
}

static bool within(const sl_eps *e, double t) {
    return t >= e->before.x->time && t <= e->now.x->time;
}

static sl_status show(void *engine, double t, sl_diags *diags) {
    sl_eps *e = engine;
    if (!within(e, t)) {
        return SL_ERR_USE;
    }
    if (e->quality) {
        sl_status carried = sl_quality_show(e->quality, t);
        if (carried != SL_OK) {
            return carried;
        }
    }
    if (t == e->now.x->time) {
        sl_eps_show_state(e, &e->now);
        return SL_OK;
    }
    if (t == e->before.x->time) {
        sl_eps_show_state(e, &e->before);
        return SL_OK;
    }
    sl_status status = sl_eps_make_scratch_state(e);
    if (status == SL_OK) {
        status = between(e, &e->other, t, diags);
        sl_eps_show_state(e, status == SL_OK ? &e->other : &e->now);
    }
    return status;
}

static sl_status cut(void *engine, double t, sl_diags *diags) {
    sl_eps *e = engine;
    if (!within(e, t)) {
        return SL_ERR_USE;
    }
    if (t < e->now.x->time) {
        sl_status status = sl_eps_make_scratch_state(e);
        const sl_eps_state *at = &e->before;
        if (status == SL_OK && t > e->before.x->time) {
            status = between(e, &e->other, t, diags);
            at = &e->other;
        }
        if (status == SL_OK && e->quality) {
            status = sl_quality_show(e->quality, t);
        }
        if (status == SL_OK && e->quality) {
            status = sl_quality_cut(e->quality);
        }
        if (status != SL_OK) {
            return status;
        }
        if (e->stored_hydraulics) {
            sl_hydraulics_cut(e->stored_hydraulics, t);
        }
        sl_eps_state_copy(e->m, &e->now, at);
        sl_eps_events_cut(e, t);
        e->dirty = false;
    }
    sl_eps_show_state(e, &e->now);
    return SL_OK;
}

/* Outputs stay those of the last solution until the next one: it is kept aside when the first value is set or released. */
static sl_status keep_outputs(sl_eps *e) {
    sl_status status = sl_eps_make_scratch_state(e);
    if (status == SL_OK && !e->dirty) {
        sl_eps_state_copy(e->m, &e->other, &e->now);
        sl_eps_show_state(e, &e->other);
    }
    return status;
}

/* What was set shows at once. Where the state itself is shown, there are no older outputs: all follows it. */
static void forget_inputs(sl_eps *e) {
    bool all = e->shown == &e->now;
    for (int32_t f = 0; f < SL_EPS_FIELD_COUNT; f++) {
        e->fresh[f] &= !all && !(sl_eps_fields[f].flags & (SL_FIELD_INPUT | SL_FIELD_PARAMETER));
    }
}

static sl_status set(void *engine, int32_t field, int32_t index, double value, sl_diags *diags) {
    sl_eps *e = engine;
    sl_status status = sl_eps_check(e, field, index, value, diags);
    status = status == SL_OK ? keep_outputs(e) : status;
    if (status != SL_OK) {
        return status;
    }
    status = sl_eps_set(e, field, index, value, diags);
    forget_inputs(e);
    return status;
}

static sl_status release(void *engine, int32_t field, int32_t index, sl_diags *diags) {
    sl_eps *e = engine;
    (void)diags;
    if (field < 0 || field >= SL_EPS_FIELD_COUNT || index < 0 || index >= sl_eps_count(e, field)) {
        return SL_ERR_USE;
    }
    if (!sl_eps_is_held(e, field, index)) {
        return SL_OK;
    }
    sl_status status = keep_outputs(e);
    if (status == SL_OK) {
        sl_eps_release(e, field, index);
        forget_inputs(e);
    }
    return status;
}

static const double *data(const void *engine, int32_t field) {
    return sl_eps_data(engine, field);
}

static uint64_t model_hash(const void *engine) {
    return ((const sl_eps *)engine)->m->hash;
}

static double substep(const void *engine) {
    return ((const sl_eps *)engine)->m->net->times.quality_step;
}

static sl_status store_hydraulics(void *engine, void *request) {
    sl_hydraulics *h = ((const sl_facet_hydraulics *)request)->hydraulics;
    bool fits = !h || sl_hydraulics_fits(h, ((const sl_eps *)engine)->m->net);
    return fits ? sl_eps_store_hydraulics(engine, h) : SL_ERR_USE;
}

static const sl_facet facets[] = {
    {SL_FACET_HYDRAULICS, sizeof(sl_facet_hydraulics), .at_boundary = true, .get = store_hydraulics}};

static const char *const recorded[] = {"node.demand", "node.head",     "node.pressure", "node.quality",
                                       "link.flow",   "link.velocity", "link.headloss", "link.quality",
                                       "link.status", "link.setting",  "link.reaction", "link.friction",
                                       NULL};

const sl_engine_ops sl_eps_ops = {
    .name = "eps",
    .classes = sl_network_classes,
    .n_class = SL_CLASS_NETWORK_COUNT,
    .time_unit = "s",
    .fields = sl_eps_fields,
    .n_field = SL_EPS_FIELD_COUNT,
    .facets = facets,
    .n_facet = sizeof facets / sizeof *facets,
    .recorded = recorded,
    .create = create,
    .destroy = destroy,
    .count = sl_eps_count,
    .element = sl_eps_element,
    .describe = sl_eps_describe,
    .time = time_of,
    .end = end_of,
    .next_event = next_event,
    .report = report,
    .substep = substep,
    .step = step,
    .refresh = refresh,
    .show = show,
    .data = data,
    .cut = cut,
    .check = sl_eps_check,
    .set = set,
    .release = release,
    .events = sl_eps_events_of,
    .save_size = sl_eps_save_size,
    .save = sl_eps_save,
    .restore = sl_eps_restore,
    .model_hash = model_hash,
};
