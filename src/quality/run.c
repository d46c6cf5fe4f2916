/* SPDX-License-Identifier: MIT */
/* run.c: a run of the transport: its states, its steps, what it shows. */
#include "network/elements.h"
#include "quality/impl.h"

#include "laws/constants.h"

#include <math.h>
#include <string.h>

/* ---- Making ------------------------------------------------------------------------------------- */

static void *alloc_array(sl_quality *q, int64_t n, size_t size, bool *bad) {
    void *p = sl_arena_alloc(&q->arena, (size_t)(n > 0 ? n : 1) * size);
    *bad |= p == NULL;
    return p;
}

/* Small models get room for all the segments they are likely to need, so that their steps are warm from the start; an
 * instant has no steps. */
static uint32_t spare_segments(const sl_network *net, int32_t n_row) {
    uint32_t each = n_row < 4096 ? 15 * SL_ROW_LEAST : SL_ROW_LEAST;
    return net->times.duration > 0.0 ? 4095 + each * (uint32_t)n_row : 0;
}

static sl_status make_state(sl_quality *q, sl_quality_state *s) {
    const sl_network *net = q->m->net;
    bool bad = false;
    s->node = alloc_array(q, net->n_node, sizeof(double), &bad);
    s->tank_volume = alloc_array(q, net->n_tank, sizeof(double), &bad);
    s->rate = q->m->bulk ? alloc_array(q, net->n_pipe, sizeof(double), &bad) : NULL;
    s->fade = q->m->bulk && q->m->linear ? alloc_array(q, net->n_pipe, sizeof *s->fade, &bad) : NULL;
    s->device = alloc_array(q, net->n_link - net->n_pipe, sizeof *s->device, &bad);
    int32_t n = net->n_link + net->n_tank;
    return bad ? SL_ERR_MEMORY : sl_segments_create(q->ctx, n, spare_segments(net, n), &s->segments);
}

static bool alloc_buffers(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    bool bad = false;
    q->flow = alloc_array(q, net->n_link, sizeof(double), &bad);
    q->outflow = alloc_array(q, net->n_junction, sizeof(double), &bad);
    q->volume = alloc_array(q, net->n_tank, sizeof(double), &bad);
    q->hold = alloc_array(q, net->n_link, sizeof(double), &bad);
    q->strength = alloc_array(q, net->n_source, sizeof(double), &bad);
    q->used = alloc_array(q, net->n_source, sizeof(double), &bad);
    o->direction = alloc_array(q, net->n_link + 8, 1, &bad);
    o->next = alloc_array(q, net->n_link + 8, 1, &bad);
    o->changed = alloc_array(q, net->n_link + 8, sizeof(int32_t), &bad);
    o->cut = alloc_array(q, net->n_link, 1, &bad);
    o->stop = alloc_array(q, net->n_node, sizeof *o->stop, &bad);
    o->moved = alloc_array(q, net->n_node, sizeof *o->moved, &bad);
    o->place = alloc_array(q, net->n_node, sizeof(int32_t), &bad);
    o->pass = alloc_array(q, 2 * (int64_t)net->n_link + 1, sizeof *o->pass, &bad);
    q->seen = alloc_array(q, 1, sizeof *q->seen, &bad);
    q->arrived = alloc_array(q, net->n_node, SL_BATCH * sizeof(double), &bad);
    q->arrived_at = alloc_array(q, net->n_node, sizeof(double), &bad);
    o->sequence = alloc_array(q, (int64_t)net->n_link + net->n_tank, sizeof(int32_t), &bad);
    o->rest = alloc_array(q, (int64_t)net->n_pipe + 1, sizeof(int32_t), &bad);
    int32_t **of_nodes[] = {&o->waits, &o->queue, &o->seen, &o->number, &o->low, &o->set, &o->list, &o->path};
    for (int i = 0; i < 8; i++) {
        *of_nodes[i] = alloc_array(q, (int64_t)net->n_node + 1, sizeof(int32_t), &bad);
    }
    if (q->m->bulk) {
        q->apparent = alloc_array(q, net->n_pipe, sizeof(double), &bad);
        q->transfer = alloc_array(q, net->n_pipe, sizeof(double), &bad);
        for (int i = 0; i < SL_STEP_LENGTHS; i++) {
            q->change[i] = alloc_array(q, net->n_pipe, sizeof *q->change[i], &bad);
        }
    }
    return !bad && make_state(q, q->now) == SL_OK && make_state(q, q->before) == SL_OK;
}

void sl_quality_pipes(sl_quality *q, const double *diameter, const double *length) {
    const sl_network *net = q->m->net;
    q->diameter = diameter;
    q->length = length;
    q->hold_all = 0.0;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        q->hold[k] = SL_PI * diameter[k] * diameter[k] / 4.0 * length[k];
        q->hold_all += q->hold[k];
    }
    q->change_dt[SL_WHOLE_STEP] = q->change_dt[SL_LAST_STEP] = 0.0;
}

sl_status sl_quality_create(sl_context *ctx, const sl_quality_model *m, sl_quality **out) {
    *out = NULL;
    sl_quality *q = sl_alloc(ctx, sizeof *q);
    if (!q) {
        return SL_ERR_MEMORY;
    }
    q->ctx = ctx;
    q->m = m;
    q->now = &q->state[0];
    q->before = &q->state[1];
    q->other = &q->state[2];
    q->shown = q->now;
    sl_arena_init(&q->arena, ctx);
    if (!alloc_buffers(q)) {
        sl_quality_destroy(q);
        return SL_ERR_MEMORY;
    }
    sl_quality_pipes(q, m->net->pipe_diameter, m->net->pipe_length);
    for (int32_t i = 0; i < m->net->n_source; i++) {
        q->strength[i] = m->net->sources[i].strength;
    }
    *out = q;
    return SL_OK;
}

void sl_quality_destroy(sl_quality *q) {
    if (q) {
        for (int i = 0; i < 3; i++) {
            sl_segments_destroy(&q->state[i].segments);
        }
        sl_arena_fini(&q->arena);
        sl_free(q->ctx, q, sizeof *q);
    }
}

/* Chooses the state to be shown, which may be another one than it was. */
static void look_at(sl_quality *q, const sl_quality_state *s) {
    q->shown = s;
    q->seen->of = NULL;
}

/* ---- States ------------------------------------------------------------------------------------- */

/* Makes room in `to`, after which copy_into cannot fail. */
static sl_status ready(sl_quality_state *to, const sl_quality_state *from) {
    return sl_segments_ready(&to->segments, &from->segments);
}

static void copy_into(sl_quality *q, sl_quality_state *to, const sl_quality_state *from) {
    const sl_network *net = q->m->net;
    sl_quality_state keep = *to;
    const int32_t *sequence = NULL;
    if (sl_segments_lay_out(&from->segments) && q->order.n_stop > 0) { /* as the next step meets them */
        sl_quality_sequence(q);
        sequence = q->order.sequence;
    }
    sl_segments_copy(&keep.segments, &from->segments, sequence);
    *to = *from;
    to->node = keep.node;
    to->tank_volume = keep.tank_volume;
    to->rate = keep.rate;
    to->fade = keep.fade;
    to->device = keep.device;
    to->segments = keep.segments;
    memcpy(to->node, from->node, (size_t)net->n_node * sizeof *to->node);
    memcpy(to->tank_volume, from->tank_volume, (size_t)net->n_tank * sizeof *to->tank_volume);
    memcpy(to->device, from->device, (size_t)(net->n_link - net->n_pipe) * sizeof *to->device);
    if (to->rate) {
        memcpy(to->rate, from->rate, (size_t)net->n_pipe * sizeof *to->rate);
    }
    if (to->fade) {
        memcpy(to->fade, from->fade, (size_t)net->n_pipe * sizeof *to->fade);
    }
}

/* What a row of this mass, relative to the clock, holds in truth. */
static double row_content(const sl_quality_state *s, double mass, double volume) {
    return s->clock != 0.0 ? mass + s->clock * volume : mass;
}

static double stored(const sl_quality *q, const sl_quality_state *s) {
    const sl_segments *g = &s->segments;
    double sum = 0.0;
    for (int32_t i = 0; i < g->n_row; i++) {
        sum += row_content(s, sl_quality_row_mass(g, i) * sl_quality_decay_factor(q, s, i),
                           s->clock != 0.0 ? sl_quality_row_volume(g, i) : 0.0);
    }
    return sum;
}

/* Growth without a limit leaves what numbers (of result files: floats) can hold, and what has a meaning long before. */
#define BOUND 1e30

static bool bounded(const sl_quality_ledger *l) {
    return sl_quality_handled(l) <= BOUND && fabs(l->bulk) + fabs(l->wall) + fabs(l->tank) + fabs(l->consumed) <= BOUND;
}

sl_status sl_quality_start(sl_quality *q, const double *volume) {
    const sl_quality_model *m = q->m;
    const sl_network *net = m->net;
    sl_quality_state *s = q->now;
    s->time = s->clock = 0.0;
    s->ledger = (sl_quality_ledger){0};
    s->pipe_volume = q->hold_all;
    s->excess = s->begun = s->filled = false;
    q->order.made = false; /* a run is the same whatever was run before */
    sl_segments_clear(&s->segments);
    memcpy(s->node, m->initial, (size_t)net->n_node * sizeof *s->node);
    if (m->kind == SL_QUALITY_TRACE && net->quality.trace_node >= 0) {
        s->node[net->quality.trace_node] = 100.0;
    }
    if (s->rate) {
        memset(s->rate, 0, (size_t)net->n_pipe * sizeof *s->rate);
    }
    bool ok = true;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        if (s->fade) {
            s->fade[k] = (sl_quality_decay){1.0, NAN};
        }
        double c = s->node[net->link_to[k]];
        ok = ok && sl_segment_add(&s->segments, k, false, q->hold[k], c, 0.0);
    }
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        s->device[k - net->n_pipe] = (sl_quality_device){s->node[net->link_from[k]], 0.0};
    }
    for (int32_t i = 0; ok && i < net->n_tank; i++) {
        s->tank_volume[i] = volume[i];
        ok = sl_quality_fill_tank(m, s, i, volume[i], m->initial[net->n_junction + net->n_reservoir + i]) == SL_OK;
    }
    s->ledger.initial = stored(q, s);
    s->filled = ok;
    s->nothing = sl_quality_is_nothing(q, s);
    look_at(q, s);
    q->stepped = false;
    if (ok && !bounded(&s->ledger)) { /* nothing that could be shown */
        s->ledger = (sl_quality_ledger){0};
        s->filled = false;
        sl_segments_clear(&s->segments);
        memset(s->node, 0, (size_t)net->n_node * sizeof *s->node);
        return SL_ERR_SOLVE;
    }
    return ok ? SL_OK : SL_ERR_MEMORY;
}

/* Links of circles may hold more than their volume while the circle lasts, pumps and valves too. */
static sl_status trim(const sl_quality *q, sl_quality_state *s) {
    sl_segments *g = &s->segments;
    bool ok = true;
    for (int32_t k = 0; k < q->m->net->n_link; k++) {
        double v = sl_quality_row_volume(g, k), over = v - q->hold[k], taken, mass;
        if (fabs(over) <= 1e-9 * q->hold[k]) {
            continue;
        }
        sl_quality_apply_decay(q, s, k);
        if (over > 0.0) {
            mass = -sl_segment_withdraw(g, k, q->flow[k] < 0.0, over, &taken);
        } else {
            const sl_segment *x = sl_segment_end(g, &g->row[k], q->flow[k] >= 0.0);
            double c = x ? x->c : s->node[q->m->net->link_from[k]];
            mass = -over * c;
            ok = ok && sl_segment_add(g, k, q->flow[k] >= 0.0, -over, c, 0.0);
        }
        s->ledger.adjusted += mass - over * s->clock;
    }
    s->pipe_volume = q->hold_all;
    s->excess = false;
    return ok ? SL_OK : SL_ERR_MEMORY;
}

/* Pumps and valves at the end of a step. */
static void update_devices(const sl_quality *q, sl_quality_state *s) {
    const sl_network *net = q->m->net;
    for (int32_t k = net->n_pipe; k < net->n_link; k++) {
        sl_quality_device *x = &s->device[k - net->n_pipe];
        int8_t d = q->order.direction[k];
        x->shut = d == 0 ? 1.0 : 0.0;
        x->c = d == 0 ? x->c : s->node[d > 0 ? net->link_from[k] : net->link_to[k]];
    }
}

/* From the beginning of the step to t. */
static sl_status advance(sl_quality *q, sl_quality_state *s, double t) {
    if (q->m->empty) {
        s->begun = true;
        s->time = t;
        return SL_OK;
    }
    s->begun = true;
    s->nothing = s->nothing && sl_quality_brings_nothing(q);
    if (s->nothing) {
        sl_quality_pass_over(q, s, t);
        s->time = t;
        update_devices(q, s);
        return SL_OK;
    }
    sl_status status = s->excess ? trim(q, s) : SL_OK;
    for (int32_t i = 0; status == SL_OK && i < q->m->net->n_tank; i++) {
        status = sl_quality_adjust_tank(q->m, s, i, q->volume[i]);
        s->tank_volume[i] = q->volume[i];
    }
    double step = q->m->step, whole = floor((t - s->time) / step), rest = t - (s->time + whole * step);
    for (bool ended = t <= s->time; status == SL_OK && !ended;) {
        int32_t n = (int32_t)(whole < SL_BATCH ? whole : SL_BATCH);
        ended = n == whole && (n < SL_BATCH || rest <= 0.0);
        whole -= n;
        status = sl_quality_move(q, s, n, ended && rest > 0.0 ? rest : 0.0);
    }
    s->time = t;
    update_devices(q, s);
    return status == SL_OK && !bounded(&s->ledger) ? SL_ERR_SOLVE : status;
}

/* ---- Moving ------------------------------------------------------------------------------------- */

static void swap(sl_quality *q) {
    sl_quality_state *was = q->before;
    q->before = q->now;
    q->now = was;
}

sl_status sl_quality_step(sl_quality *q, const sl_quality_flows *f) {
    const sl_network *net = q->m->net;
    sl_status status = q->now->filled ? ready(q->before, q->now) : SL_ERR_USE;
    if (status != SL_OK) {
        return status;
    }
    memcpy(q->flow, f->flow, (size_t)net->n_link * sizeof *q->flow);
    memcpy(q->outflow, f->outflow, (size_t)net->n_junction * sizeof *q->outflow);
    memcpy(q->volume, f->volume ? f->volume : q->now->tank_volume, (size_t)net->n_tank * sizeof *q->volume);
    memcpy(q->used, q->strength, (size_t)net->n_source * sizeof *q->used);
    q->begin = f->begin;
    q->end = f->end;
    q->stepped = true;
    if (!q->m->empty) {
        sl_quality_order(q);
    }
    if (!q->m->empty || !q->now->begun) { /* a warning asks for the rates of the first step */
        sl_quality_rates(q);
    }
    if (!q->m->empty || !q->before->filled) { /* states of an empty model differ by their time alone */
        copy_into(q, q->before, q->now);
    }
    swap(q);
    q->now->time = f->begin;
    status = advance(q, q->now, f->end);
    if (status != SL_OK) {
        sl_quality_undo_step(q);
    }
    look_at(q, q->now);
    return status;
}

void sl_quality_undo_step(sl_quality *q) {
    swap(q);
    q->stepped = false;
    look_at(q, q->now);
}

sl_status sl_quality_show(sl_quality *q, double t) {
    if (t == q->now->time) {
        look_at(q, q->now);
        return SL_OK;
    }
    if (!q->stepped || t < q->begin || t > q->end) {
        return SL_ERR_USE;
    }
    if (t == q->begin) {
        look_at(q, q->before);
        return SL_OK;
    }
    if (!q->other_made) {
        sl_status status = make_state(q, q->other);
        if (status != SL_OK) {
            return status;
        }
        q->other_made = true;
    }
    sl_status status = ready(q->other, q->before);
    if (status == SL_OK) {
        sl_quality_rates(q); /* a restored run has none yet */
        copy_into(q, q->other, q->before);
        status = advance(q, q->other, t);
    }
    look_at(q, status == SL_OK ? q->other : q->now);
    return status;
}

sl_status sl_quality_cut(sl_quality *q) {
    sl_status status = q->shown == q->now ? SL_OK : ready(q->now, q->shown);
    if (status == SL_OK) {
        if (q->shown != q->now) {
            copy_into(q, q->now, q->shown);
        }
        look_at(q, q->now);
        q->end = q->now->time;
    }
    return status;
}

/* ---- Showing ------------------------------------------------------------------------------------ */

bool sl_quality_begun(const sl_quality *q) {
    return q->now->begun;
}

/* Ages are kept relative to the clock: fresh water may be younger than new by a rounding. */
static double shown_value(const sl_quality_state *s, double c) {
    double x = c + s->clock;
    return s->clock > 0.0 && x < 0.0 ? 0.0 : x;
}

static void show_nodes(const sl_quality *q, double *c) {
    const sl_quality_state *s = q->shown;
    for (int32_t i = 0; i < q->m->net->n_node; i++) {
        c[i] = shown_value(s, s->node[i]);
    }
}

/* A pump or valve, or a pipe that holds nothing: the mean of its ends while water runs. */
static double device_value(const sl_quality_state *s, const sl_network *net, int32_t k) {
    const sl_quality_device *x = k >= net->n_pipe ? &s->device[k - net->n_pipe] : NULL;
    return x && x->shut != 0.0 ? x->c : 0.5 * s->node[net->link_from[k]] + 0.5 * s->node[net->link_to[k]];
}

static void show_links(const sl_quality *q, double *c) {
    const sl_quality_state *s = q->shown;
    const sl_network *net = q->m->net;
    double sum = 0.0; /* as stored() has it, on the way */
    for (int32_t k = 0; k < net->n_link; k++) {
        const sl_row *r = &s->segments.row[k];
        const sl_segment *pool = s->segments.pool + r->at;
        double v = 0.0, mass = 0.0;
        for (uint32_t i = r->head; i != r->head + r->n; i++) {
            const sl_segment *x = &pool[i & r->mask];
            v += x->v;
            mass += x->v * x->c;
        }
        mass *= sl_quality_decay_factor(q, s, k);
        c[k] = shown_value(s, v > 0.0 ? mass / v : device_value(s, net, k));
        sum += row_content(s, mass, v);
    }
    for (int32_t i = net->n_link; i < s->segments.n_row; i++) {
        sum += row_content(s, sl_quality_row_mass(&s->segments, i), sl_quality_row_volume(&s->segments, i));
    }
    *q->seen = (sl_quality_mass_cache){s, sum};
}

static void show_reactions(const sl_quality *q, double *c) {
    const sl_network *net = q->m->net;
    memset(c, 0, (size_t)net->n_link * sizeof *c);
    if (q->shown->rate) {
        memcpy(c, q->shown->rate, (size_t)net->n_pipe * sizeof *c);
    }
}

sl_quality_ledger sl_quality_ledger_of(const sl_quality *q) {
    sl_quality_ledger l = q->shown->ledger;
    if (q->seen->of != q->shown) {
        *q->seen = (sl_quality_mass_cache){q->shown, stored(q, q->shown)};
    }
    l.stored = q->seen->stored;
    return l;
}

/* A term that may have either sign counts on the side where it is positive. */
static double in(double x) {
    return fmax(x, 0.0);
}

double sl_quality_handled(const sl_quality_ledger *l) {
    return l->initial + l->reservoir + in(l->source) + l->time + in(-l->bulk) + in(-l->wall) + in(-l->tank) +
           in(l->adjusted);
}

/* Less than this is the rounding of what passed through [conc * m3]. */
#define NOTHING 1e-9

double sl_quality_ratio(const sl_quality_ledger *l) {
    double came = sl_quality_handled(l);
    double went = l->consumed + l->returned + l->stored + in(-l->source) + in(l->bulk) + in(l->wall) + in(l->tank) +
                  in(-l->adjusted);
    return came > NOTHING || went > NOTHING ? went / came : 1.0;
}

static void show_sources(const sl_quality *q, double *x) {
    memset(x, 0, (size_t)q->m->net->n_node * sizeof *x);
    for (int32_t i = 0; i < q->m->net->n_source; i++) {
        x[q->m->net->sources[i].node] = q->strength[i];
    }
}

static double ledger_term(const sl_quality *q, int32_t which) {
    sl_quality_ledger l = sl_quality_ledger_of(q);
    const double x[] = {l.initial, l.reservoir, l.source, l.time,     l.consumed, l.returned,
                        l.bulk,    l.wall,      l.tank,   l.adjusted, l.stored,   sl_quality_ratio(&l)};
    return x[which];
}

void sl_quality_field(const sl_quality *q, int32_t of, int32_t which, double *x) {
    if (of == SL_CLASS_NODE) {
        (which == 0 ? show_nodes : show_sources)(q, x);
    } else if (of == SL_CLASS_LINK) {
        (which == 0 ? show_links : show_reactions)(q, x);
    } else {
        *x = ledger_term(q, which);
    }
}

bool sl_quality_has_source(const sl_quality *q, int32_t node) {
    return q->m->source_at && q->m->source_at[node] >= 0;
}

void sl_quality_set_source(sl_quality *q, int32_t node, double strength) {
    q->strength[q->m->source_at[node]] = strength;
}

bool sl_quality_source_is_set(const sl_quality *q, int32_t node) {
    int32_t at = q->m->source_at[node];
    return q->strength[at] != q->m->net->sources[at].strength;
}

void sl_quality_release_source(sl_quality *q, int32_t node) {
    int32_t at = q->m->source_at[node];
    q->strength[at] = q->m->net->sources[at].strength;
}
