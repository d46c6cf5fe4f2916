/* SPDX-License-Identifier: MIT */
/* transport.c: quality steps: every node in the order of flow takes what arrives, mixes it, and sends it on.
 *
 * Flows stay the same over many quality steps, so a node can be done for a whole batch of them before the next one is
 * met: the link between them takes and gives step by step, in the same order as if all nodes took turns, but is brought
 * into the cache once for all of them. What a link gives is added at once to what has arrived at the node downstream. Only
 * nodes of a circle take turns in every step. What a link is given at one end it gives at the other within the same step, so
 * its volume stays; cut links that hold less than a step's flow are the exception, and the state says so.
 *
 * Every term of the ledger is added where the water is: none is a difference of others.
 */
#include "quality/moving.h"

#include <math.h>

/* The sum of x dt. */
static double over_time(const sl_quality_batch *w, const double *x) {
    double part[PAIR] = {0};
    for (int32_t i = 0; i < w->stride; i += PAIR) {
        for (int32_t j = 0; j < PAIR; j++) {
            part[j] += x[i + j] * w->dt[i + j];
        }
    }
    return part[0] + part[1];
}

/* All that is sent in the steps being made, per flow. */
static double total(const sl_quality_batch *w) {
    int32_t j = w->from;
    return w->to - j == 1 ? (w->c[j] + w->clock[j]) * w->dt[j] : over_time(w, w->c) + w->clocks;
}

/* Concentrations of mass and of clean water, which is as old as the clock is less, in a flow; the mass is gone. Returns their
 * total. */
static SL_INLINE double mix(sl_quality_batch *w, double *restrict mass, double clean, double flow) {
    double part[PAIR] = {0};
    for (int32_t i = 0; i < w->stride; i += PAIR) {
        for (int32_t j = 0; j < PAIR; j++) {
            double dt = w->dt[i + j];
            double c = (mass[i + j] - clean * dt * w->clock[i + j]) / (flow * w->over[i + j]);
            w->c[i + j] = c;
            part[j] += c * dt;
            mass[i + j] = 0.0;
        }
    }
    return part[0] + part[1] + w->clocks;
}

/* The same in a circle, where one step is made: what arrives in others waits. */
static double mix_step(sl_quality_batch *w, double *mass, double clean, double flow) {
    int32_t j = w->from;
    w->c[j] = (mass[j] - clean * w->dt[j] * w->clock[j]) / (flow * w->over[j]);
    mass[j] = 0.0;
    return total(w);
}

static double positive(double x) {
    return x > 0.0 ? x : 0.0;
}

/* What comes out of a link that is cut: from what it holds, before it is given anything. Returns the volume. */
static double receive_from_cut_link(sl_quality_batch *w, int32_t row, bool front, double *mass) {
    double want = fabs(w->flow[row]) * w->dt[w->from], got;
    sl_quality_apply_decay(w->q, w->s, row);
    mass[w->from] += sl_segment_withdraw(&w->s->segments, row, front, want, &got);
    if (got < want) {
        w->s->pipe_volume += want - got; /* it gets all of it, and ages in the steps that follow */
        for (int32_t j = w->from + 1; j < w->n; j++) {
            w->sum.time += (want - got) * w->dt[j];
        }
        w->s->excess |= want - got > 1e-9 * want;
    }
    return got;
}

/* What cut links bring to a node of a circle, per time. */
static double receive_from_cut_links(sl_quality_batch *w, int32_t node, double *mass) {
    const sl_quality_model *m = w->q->m;
    double volume = 0.0;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        int32_t k = (int32_t)m->at[a].link;
        bool arrives = m->at[a].from ? w->q->order.direction[k] < 0 : w->q->order.direction[k] > 0;
        if (arrives && w->q->order.cut[k]) {
            volume += receive_from_cut_link(w, k, m->at[a].from, mass);
        }
    }
    return volume / w->dt[w->from];
}

/* All that comes to a node in the steps being made: how much per time; its mass waits in `arrived`. */
static SL_INLINE double arrive(sl_quality_batch *w, int32_t node, bool circle) {
    double at = w->arrived_at[node];
    if (!circle || w->to == w->n) {
        w->arrived_at[node] = 0.0;
    }
    return circle ? at + receive_from_cut_links(w, node, w->arrived + (ptrdiff_t)node * w->stride) : at;
}

/* Into a link that is cut: in a circle, which goes one step at a time. */
static void fill_cut_link(sl_quality_batch *w, sl_quality_incidence p) {
    int32_t row = (int32_t)p.link, j = w->from;
    if (row < w->n_pipe && w->reacts) {
        sl_quality_react_pipe(w->q, w->s, row, length_of(w, j), w->dt[j], &w->sum);
    }
    sl_quality_apply_decay(w->q, w->s, row);
    if (!sl_segment_add(&w->s->segments, row, p.from, fabs(w->flow[row]) * w->dt[j], w->c[j], w->tolerance)) {
        w->status = SL_ERR_MEMORY;
    }
}

/* Returns how much leaves through links [m3/s]. */
static SL_INLINE double send(sl_quality_batch *w, const sl_quality_node_visit *p, bool circle) {
    const sl_quality_incidence *pass = w->q->order.pass + p->first, *end = pass + p->n_out;
    double sum = 0.0;
    for (; pass < end; pass++) {
        double flow = fabs(w->flow[pass->link]), *out = w->arrived + (ptrdiff_t)pass->far * w->stride;
        sum += flow;
        if (circle && w->q->order.cut[pass->link]) {
            fill_cut_link(w, *pass);
            continue;
        }
        if (!circle || w->from == 0) { /* once for all steps */
            w->arrived_at[pass->far] += flow;
        }
        if ((int32_t)pass->link < w->n_pipe) {
            sl_quality_through_pipe(w, *pass, flow, out);
            continue;
        }
        for (int32_t j = w->from; j < w->to; j++) { /* pumps and valves hold nothing */
            out[j] += flow * w->dt[j] * w->c[j];
        }
    }
    return sum;
}

/* A node without inflow keeps its water, which reacts as it would in the pipes that end there: by the mean of them. */
static double react_at_node(const sl_quality_batch *w, int32_t node, int32_t j, double c) {
    const sl_quality_model *m = w->q->m;
    double sum = 0.0;
    int n = 0;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        if ((int32_t)m->at[a].link < m->net->n_pipe) {
            sum += sl_quality_react_water(w->q, (int32_t)m->at[a].link, c, length_of(w, j), w->dt[j]);
            n++;
        }
    }
    return n > 0 ? sum / n : c;
}

/* What leaves through links, and to consumers besides [m3/s]. */
static double all_that_leaves(const sl_quality_batch *w, const sl_quality_node_visit *p, double used) {
    double sum = used;
    for (int32_t a = p->first; a < p->first + p->n_out; a++) {
        sum += fabs(w->flow[w->q->order.pass[a].link]);
    }
    return sum;
}

/* What a source adds to the concentration c of all that leaves, out; outside: what comes from there. */
static double dose(const sl_quality_batch *w, int32_t node, double out, double outside, double c) {
    const sl_quality_model *m = w->q->m;
    int32_t i = m->source_at ? m->source_at[node] : -1;
    bool junction = node < m->net->n_junction, still = out <= SL_QUALITY_STILL;
    bool reservoir = !junction && node < m->net->n_junction + m->net->n_reservoir;
    if (i < 0 || (still && (!reservoir || m->net->sources[i].kind == SL_SOURCE_MASS))) {
        return 0.0; /* a reservoir has the concentration that is set even while nothing leaves it */
    }
    const sl_quality_source *x = &m->net->sources[i];
    double s = w->q->used[i] * sl_quality_source_pattern(w->q, x);
    switch (x->kind) {
    case SL_SOURCE_MASS: return s / 60.0 / (out * 1000.0); /* per minute, into litres */
    case SL_SOURCE_SETPOINT: return positive(s - c);
    case SL_SOURCE_CONCEN: return junction ? s * outside / out : reservoir ? s - c : s;
    default: return s;
    }
}

/* By a source or, in a trace, at its node, to what leaves in one step; counted. */
static double added(sl_quality_batch *w, int32_t node, int32_t j, double out, double outside) {
    const sl_quality_model *m = w->q->m;
    double c = w->c[j];
    bool traced = node == w->traced;
    double more = traced                           ? 100.0 - c
                  : m->kind == SL_QUALITY_CHEMICAL ? fmax(dose(w, node, out, outside, c), -c)
                                                   : 0.0; /* takes what is there at most */
    w->sum.source += more * out * w->dt[j];
    return more;
}

/* A node without inflow keeps its water. Returns the total that it sends. */
static double keep_water(sl_quality_batch *w, int32_t node) {
    double c = w->node_c[node];
    bool reacts = w->reacts && (c != 0.0 || w->creates);
    for (int32_t j = w->from; j < w->to; j++) {
        w->c[j] = c = reacts ? react_at_node(w, node, j, c) : c;
    }
    return total(w);
}

/* Doses what leaves a junction. Returns the total that it sends then. */
static double dose_junction(sl_quality_batch *w, const sl_quality_node_visit *p, double used, double from_outside) {
    double out = all_that_leaves(w, p, used);
    for (int32_t j = w->from; j < w->to; j++) {
        w->c[j] += added(w, p->node, j, out, from_outside);
    }
    return total(w);
}

static SL_INLINE void junction(sl_quality_batch *w, const sl_quality_node_visit *p, bool circle) {
    int32_t node = p->node;
    double at = arrive(w, node, circle), outflow = w->outflow[node];
    if (at == 0.0 && !circle && fabs(outflow) < SL_QUALITY_STILL) {
        outflow = 0.0; /* without inflow by links so little is none: the node is at rest and keeps its quality */
    }
    double from_outside = positive(-outflow), used = positive(outflow), v = at + from_outside;
    double *mass = w->arrived + (ptrdiff_t)node * w->stride;
    double before = v > 0.0 ? (circle ? mix_step : mix)(w, mass, from_outside, v) : keep_water(w, node), after = before;
    if ((w->source_at && w->source_at[node] >= 0) || node == w->traced) {
        after = dose_junction(w, p, used, from_outside);
    }
    w->sum.consumed += after * used;
    w->node_c[node] = w->c[w->to - 1];
    w->sum.adjusted += before * (send(w, p, circle) + used - v); /* water that hydraulics lose or find here */
}

static void give_from_reservoir(sl_quality_batch *w, const sl_quality_node_visit *p) {
    double own = w->q->m->initial[p->node], out = all_that_leaves(w, p, 0.0);
    for (int32_t j = 0; j < w->n; j++) {
        w->c[j] = own - w->clock[j];
        w->c[j] += added(w, p->node, j, out, 0.0);
        w->sum.reservoir += own * out * w->dt[j];
    }
    w->node_c[p->node] = w->c[w->n - 1];
    (void)send(w, p, false);
}

/* When all is done: what a reservoir gives does not depend on it. */
static void take_into_reservoir(sl_quality_batch *w, int32_t node) {
    double at = arrive(w, node, false), *mass = w->arrived + (ptrdiff_t)node * w->stride;
    for (int32_t j = 0; j < w->n; j++) {
        w->sum.returned += mass[j] + at * w->dt[j] * w->clock[j];
        mass[j] = 0.0;
    }
}

static void tank(sl_quality_batch *w, const sl_quality_node_visit *p, bool circle) {
    sl_quality_state *s = w->s;
    const sl_quality_model *m = w->q->m;
    int32_t i = p->node - m->net->n_junction - m->net->n_reservoir;
    const sl_tank_law *law = &m->tank[i];
    bool traced = p->node == w->traced;
    double shown = 0.0, v = s->tank_volume[i], out = all_that_leaves(w, p, 0.0);
    double at = arrive(w, p->node, circle), *mass = w->arrived + (ptrdiff_t)p->node * w->stride;
    for (int32_t j = w->from; j < w->to; j++) {
        double c_out, spilled = 0.0, clock = w->clock[j], v_in = at * w->dt[j], v_out = out * w->dt[j];
        w->sum.time += v * w->dt[j];
        if (m->tank_bulk) {
            sl_quality_react_tank(w->q, s, i, w->dt[j], &w->sum);
        }
        v += v_in - v_out;
        if (law->overflows && v > law->v_max && v_in > 0.0) {
            spilled = v - law->v_max;
            v = law->v_max;
        }
        double c = sl_quality_mix(w->q, s, i, v_in, mass[j], v_out + spilled, &c_out, &w->status);
        mass[j] = 0.0;
        if (v < 0.0) { /* gave more than it had: hydraulics put it on its limit at the end of their step */
            w->sum.adjusted -= (c_out + clock) * v;
            v = 0.0;
        }
        w->sum.consumed += (c_out + clock) * spilled;
        w->c[j] = c_out;
        w->c[j] += added(w, p->node, j, out, 0.0);
        shown = traced ? w->c[j] : c;
    }
    s->tank_volume[i] = v;
    w->node_c[p->node] = shown;
    (void)send(w, p, circle);
}

static void add_up(sl_quality_ledger *l, const sl_quality_ledger *x) {
    l->reservoir += x->reservoir;
    l->source += x->source;
    l->time += x->time;
    l->consumed += x->consumed;
    l->returned += x->returned;
    l->bulk += x->bulk;
    l->wall += x->wall;
    l->tank += x->tank;
    l->adjusted += x->adjusted;
}

static SL_INLINE void meet(sl_quality_batch *w, const sl_quality_node_visit *p, bool circle) {
    if (p->node < w->n_junction) {
        junction(w, p, circle);
    } else if (p->node < w->n_junction + w->q->m->net->n_reservoir) {
        give_from_reservoir(w, p);
    } else {
        tank(w, p, circle);
    }
}

/* Rows lie anywhere: a row is asked for some stops before it is met, what it holds a little later. */
enum { PREFETCH_FAR = 12, PREFETCH = 6 };

static void prefetch_rows(const sl_quality_batch *w, int32_t i) {
    const sl_quality_node_order *o = &w->q->order;
    if (i + PREFETCH_FAR >= o->n_stop) {
        return;
    }
    const sl_quality_node_visit *p = &o->stop[i + PREFETCH_FAR];
    for (int32_t a = p->first; a < p->first + p->n_out; a++) {
        int32_t k = (int32_t)o->pass[a].link;
        __builtin_prefetch(&w->row[k]);
        if (w->fade && k < w->n_pipe) {
            __builtin_prefetch(&w->span[0].change[k]);
            __builtin_prefetch(&w->fade[k], 1);
        }
    }
    p = &o->stop[i + PREFETCH];
    for (int32_t a = p->first; a < p->first + p->n_out; a++) {
        const sl_row *r = &w->row[o->pass[a].link];
        __builtin_prefetch(&w->s->segments.pool[r->at + (r->head & r->mask)]);
    }
}

/* Quality steps from one to another, of one length. */
static void add_span(sl_quality_batch *w, int32_t from, int32_t to) {
    int length = length_of(w, from);
    const sl_pipe_change *change = w->fade ? w->q->change[length] : NULL;
    if (from < to) {
        w->span[w->n_span++] = (sl_quality_span){from, to, length, w->dt[from], change};
    }
}

static void take_steps(sl_quality_batch *w, int32_t from, int32_t to) {
    int32_t whole = to < w->whole ? to : w->whole;
    w->from = from;
    w->to = to;
    w->n_span = 0;
    add_span(w, from, whole);
    add_span(w, from > whole ? from : whole, to);
}

/* Nodes of a circle take turns in every step. */
static void meet_circle(sl_quality_batch *w, const sl_quality_node_visit *first) {
    for (int32_t j = 0; j < w->n; j++) {
        take_steps(w, j, j + 1);
        for (int32_t k = 0; k < first->circle; k++) {
            meet(w, &first[k], true);
        }
    }
    take_steps(w, 0, w->n);
}

/* Lengths of the steps, and the age of water at their ends. */
static void set_steps(sl_quality_batch *w, double rest) {
    double step = w->q->m->step;
    bool ages = w->q->m->kind == SL_QUALITY_AGE;
    for (int32_t j = 0; j < SL_BATCH; j++) {
        w->over[j] = j < w->whole ? step : j < w->n ? rest : 1.0;
    }
    for (int32_t j = 0; j < w->n; j++) {
        double begin = j > w->whole - 1 && w->whole > 0 ? w->clock[w->whole - 1] : w->s->clock;
        int32_t steps = j < w->whole ? j + 1 : 1;
        w->dt[j] = j < w->whole ? step : rest;
        w->clock[j] = ages ? begin + steps * w->dt[j] / SL_QUALITY_HOUR : 0.0;
        w->clocks += w->clock[j] * w->dt[j];
        w->sum.time += w->s->pipe_volume * w->dt[j];
    }
}

static sl_quality_batch batch(sl_quality *q, sl_quality_state *s, int32_t whole, double rest) {
    const sl_quality_model *m = q->m;
    int32_t n = whole + (rest > 0.0);
    sl_quality_batch w = {.q = q,
                          .s = s,
                          .n = n,
                          .whole = whole,
                          .stride = (n + PAIR - 1) / PAIR * PAIR,
                          .flow = q->flow,
                          .outflow = q->outflow,
                          .row = s->segments.row,
                          .fade = s->fade,
                          .rate = s->rate,
                          .arrived = q->arrived,
                          .arrived_at = q->arrived_at,
                          .node_c = s->node,
                          .source_at = m->source_at,
                          .tolerance = m->net->quality.tolerance,
                          .n_pipe = m->net->n_pipe,
                          .n_junction = m->net->n_junction,
                          .traced = m->kind == SL_QUALITY_TRACE ? m->net->quality.trace_node : -1,
                          .reacts = m->bulk != NULL,
                          .creates = m->creates};
    set_steps(&w, rest);
    for (int32_t j = 0; w.reacts && j < n; j = j < whole ? whole : n) {
        sl_quality_changes(q, length_of(&w, j), w.dt[j]);
    }
    take_steps(&w, 0, n);
    return w;
}

sl_status sl_quality_move(sl_quality *q, sl_quality_state *s, int32_t whole, double rest) {
    sl_quality_batch w = batch(q, s, whole, rest);
    const sl_quality_node_order *o = &q->order;
    const sl_network *net = q->m->net;
    for (int32_t i = 0; w.reacts && i < o->n_rest; i++) {
        sl_quality_react_at_no_flow(&w, o->rest[i]);
    }
    bool large = sl_segments_large(&s->segments);
    for (int32_t i = 0; i < o->n_stop; i++) {
        if (o->stop[i].circle == 0) {
            if (large) {
                prefetch_rows(&w, i);
            }
            meet(&w, &o->stop[i], false);
        } else {
            meet_circle(&w, &o->stop[i]);
            i += o->stop[i].circle - 1;
        }
    }
    for (int32_t i = net->n_junction; i < net->n_junction + net->n_reservoir; i++) {
        take_into_reservoir(&w, i);
    }
    w.sum.time *= q->m->kind == SL_QUALITY_AGE ? 1.0 / SL_QUALITY_HOUR : 0.0; /* volumes times seconds so far */
    s->clock = w.clock[w.n - 1];
    add_up(&s->ledger, &w.sum);
    return w.status;
}
