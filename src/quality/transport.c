/* SPDX-License-Identifier: MIT */
/* transport.c: quality steps: every node in the order of flow takes what arrives, mixes it, and sends it on.
 *
 * Flows stay the same over many quality steps, so a node can be done for a whole batch of them before the next one is
 * met: the link between them takes and gives step by step, in the same order as if all nodes took turns, but is brought
 * into the cache once for all of them. Only nodes of a circle take turns in every step. What a link is given at one end it gives at the other within the same step, so its volume stays;
 * cut links that hold less than a step's flow are the exception, and the state says so.
 *
 * Every term of the ledger is added where the water is: none is a difference of others.
 */
#include "quality/impl.h"

#include <math.h>

#include "base/simd.h"

typedef struct moving {
    sl_quality *q;
    sl_quality_state *s;
    double dt;
    int32_t n;              /* quality steps */
    int32_t from, to;       /* those of them that are being made: all, or one in a circle */
    double clock[SL_BATCH]; /* at the end of each */
    double clocks;          /* all of them together */
    double c[SL_BATCH];     /* what the node sends */
    double mass[SL_BATCH];  /* what arrives there */
    double volume;          /* arrives in each of them */
    sl_quality_ledger sum;
    sl_status status;
} moving;

/* Loops over the steps of a batch go by fours, for the sake of vectors: a few more than there are do no harm. */
enum { FOUR = 4 };

static void clear(double *x, int32_t n) {
    for (int32_t i = 0; i < n; i += FOUR) {
        for (int32_t j = i; j < i + FOUR; j++) {
            x[j] = 0.0;
        }
    }
}

static void add(double *restrict to, const double *restrict x, int32_t n) {
    for (int32_t i = 0; i < n; i += FOUR) {
        for (int32_t j = i; j < i + FOUR; j++) {
            to[j] += x[j];
        }
    }
}

static double sum_of(double *x, int32_t n) {
    double part[FOUR] = {0};
    for (int32_t j = n; j % FOUR != 0; j++) {
        x[j] = 0.0;
    }
    for (int32_t i = 0; i < n; i += FOUR) {
        for (int32_t j = 0; j < FOUR; j++) {
            part[j] += x[i + j];
        }
    }
    return (part[0] + part[1]) + (part[2] + part[3]);
}

/* Concentrations of mass and of clean water, which is as old as the clock is less, in a volume of 1/per. */
static void mix(double *restrict c, const double *restrict mass, const double *restrict clock, double clean, double per,
                int32_t n) {
    for (int32_t i = 0; i < n; i += FOUR) {
        for (int32_t j = i; j < i + FOUR; j++) {
            c[j] = (mass[j] - clean * clock[j]) * per;
        }
    }
}

static double positive(double x) {
    return x > 0.0 ? x : 0.0;
}

/* What comes out of a link that is cut: from what it holds, before it is given anything. */
static void receive_from_cut_link(moving *w, const sl_quality_link_visit *p) {
    double want = p->q * w->dt, got;
    sl_quality_apply_decay(w->q, w->s, p->row);
    w->mass[w->from] += sl_segment_withdraw(&w->s->segments, p->row, p->front, want, &got);
    w->volume += got;
    if (got < want) {
        w->s->pipe_volume += want - got; /* it gets all of it, and ages in the steps that follow */
        w->sum.time += (want - got) * (w->n - 1 - w->from);
        w->s->excess |= want - got > 1e-9 * want;
    }
}

static void arrive(moving *w, const sl_quality_node_visit *p) {
    const sl_quality_link_visit *pass = w->q->order.pass + p->first;
    clear(w->mass, w->n);
    w->volume = 0.0;
    for (int32_t a = 0; a < p->n_in; a++) {
        if (pass[a].slot < 0) {
            receive_from_cut_link(w, &pass[a]);
            continue;
        }
        add(w->mass, w->q->slot[pass[a].slot], w->n);
        w->volume += pass[a].q * w->dt;
    }
}

/* The open ends of a row while a batch goes through it: what was given last, by volume and mass, so that nothing has to be
 * divided when more of the same comes; and, where there is more than one segment, what goes next. SL_INLINE: the ends stay in registers. */
typedef struct ends {
    sl_segment *pool;
    uint32_t mask, n, up, down, way; /* way: a step upstream */
    double up_v, up_mass, down_v, down_c;
} ends;

static SL_INLINE void open_ends(ends *e, const sl_segments *g, const sl_row *r, bool front) {
    e->pool = g->pool + r->at;
    e->mask = r->mask;
    e->n = r->n;
    e->way = front ? UINT32_MAX : 1;
    e->up = front ? r->head : r->head + r->n - 1;
    e->down = front ? r->head + r->n - 1 : r->head;
    const sl_segment *up = &e->pool[e->up & e->mask], *down = &e->pool[e->down & e->mask];
    e->up_v = e->n > 0 ? up->v : 0.0;
    e->up_mass = e->n > 0 ? up->v * up->c : 0.0;
    e->down_v = e->n > 1 ? down->v : 0.0;
    e->down_c = e->n > 1 ? down->c : 0.0;
}

static SL_INLINE void close_ends(const ends *e, sl_row *r, bool front) {
    if (e->n > 0 && e->up_v > 0.0) {
        e->pool[e->up & e->mask] = (sl_segment){e->up_v, e->up_mass / e->up_v};
    }
    if (e->n > 1) {
        e->pool[e->down & e->mask].v = e->down_v;
    }
    r->head = front ? e->up : e->down;
    r->n = e->n;
}

/* v of concentration c begins a segment of its own. False: no memory. */
static SL_INLINE bool begin_segment(ends *e, sl_segments *g, int32_t row, bool front, double v, double c) {
    if (e->n > e->mask) {
        close_ends(e, &g->row[row], front);
        if (sl_segments_grow(g, row) != SL_OK) {
            return false;
        }
        open_ends(e, g, &g->row[row], front);
    }
    if (e->n > 0) {
        double was = e->up_v > 0.0 ? e->up_mass / e->up_v : c;
        e->pool[e->up & e->mask] = (sl_segment){e->up_v, was};
        if (e->n == 1) {
            e->down = e->up;
            e->down_v = e->up_v;
            e->down_c = was;
        }
        e->up += e->way;
    } else {
        e->down = e->up;
    }
    e->n++;
    e->up_v = v;
    e->up_mass = v * c;
    return true;
}

/* From the last segment that is left. */
static SL_INLINE double take_last(ends *e, double v) {
    double mass = e->up_mass;
    if (e->up_v > v) {
        mass *= v / e->up_v;
        e->up_v -= v;
        e->up_mass -= mass;
    } else {
        e->n = 0;
    }
    return mass;
}

static SL_INLINE double take_some(ends *e, double v) {
    double mass = 0.0;
    while (e->n > 1) {
        if (e->down_v > v) {
            e->down_v -= v;
            return mass + v * e->down_c;
        }
        mass += e->down_v * e->down_c;
        v -= e->down_v;
        e->down += e->way;
        if (--e->n > 1) {
            e->down_v = e->pool[e->down & e->mask].v;
            e->down_c = e->pool[e->down & e->mask].c;
        }
        if (v <= 0.0) {
            return mass;
        }
    }
    return e->n > 0 ? mass + take_last(e, v) : mass;
}

/* A factor that segments are not to be apart from what they hold by more than: far from where numbers end. */
#define FADED 1e-6

/* What a pipe does in the steps of a batch. */
typedef struct course {
    double v;         /* goes in and out in each step */
    double f, factor; /* of a step, and of all until now; 1 where nothing reacts */
    double mass;      /* in it, as its segments say */
    double sum, last; /* masses before each step, in truth: together, and the last */
} course;

/* It has reacted. */
static SL_INLINE void react_all(moving *w, int32_t pipe, const sl_pipe_change *change, const course *x) {
    w->s->fade[pipe] = (sl_quality_decay){x->factor, x->mass};
    if (x->factor < FADED || x->factor > 1.0 / FADED) {
        sl_quality_apply_decay(w->q, w->s, pipe);
    }
    w->sum.bulk -= change->bulk * x->sum;
    w->sum.wall -= change->wall * x->sum;
    w->s->rate[pipe] = change->rate * x->last;
}

/* The steps in which a pipe of one segment stays one: most pipes at most times. Concentrations are true ones here. Returns the
 * step that needs another segment. */
static SL_INLINE int32_t through_one(moving *w, ends *e, course *x, double tol, double *restrict out) {
    double mass = e->up_mass * x->factor, v = e->up_v, share = x->v / (v + x->v);
    int32_t j = w->from;
    for (; j < w->to; j++) {
        double c = w->c[j], left = mass * x->f;
        if (!(fabs(left - c * v) < tol * v)) {
            break;
        }
        x->sum += x->last = mass;
        x->factor *= x->f;
        left += x->v * c;
        out[j] = left * share;
        mass = left - out[j];
    }
    e->up_mass = x->mass = mass / x->factor;
    return j;
}

/* A pipe over the steps of a batch: in each it takes v at one end and gives v at the other. Where it reacts, all its segments
 * take the same factor in every step: see sl_quality_decay. */
static SL_INLINE void through(moving *w, const sl_quality_link_visit *p, bool reacts, const sl_pipe_change *change,
                              double *restrict out) {
    sl_segments *g = &w->s->segments;
    sl_row *r = &g->row[p->row];
    double v = p->q * w->dt, tol = w->q->m->net->quality.tolerance, inverse = 1.0;
    course x = {.v = v, .f = 1.0, .factor = 1.0};
    ends e;
    open_ends(&e, g, r, p->front);
    if (reacts) {
        const sl_quality_decay *fade = &w->s->fade[p->row];
        x.f = change->factor;
        x.factor = fade->factor;
        x.mass = isnan(fade->mass) ? sl_quality_row_mass(g, p->row) : fade->mass;
        inverse = 1.0 / x.f;
    }
    int32_t j = e.n == 1 ? through_one(w, &e, &x, tol, out) : w->from;
    double back = reacts && j < w->to ? 1.0 / x.factor : 1.0;
    for (; j < w->to; j++) {
        double c = w->c[j];
        if (reacts) {
            x.last = x.factor * x.mass; /* before it reacts */
            x.sum += x.last;
            x.factor *= x.f;
            back *= inverse;
            c *= back;
        }
        if (e.n > 0 && fabs(e.up_mass - c * e.up_v) < tol * back * e.up_v) {
            e.up_v += v;
            e.up_mass += v * c;
        } else if (!begin_segment(&e, g, p->row, p->front, v, c)) {
            w->status = SL_ERR_MEMORY;
            return;
        }
        double given = e.n > 1 && e.down_v > v ? (e.down_v -= v, v * e.down_c) : take_some(&e, v);
        if (reacts) {
            x.mass += v * c - given;
            given *= x.factor;
        }
        out[j] = given;
    }
    close_ends(&e, r, p->front);
    if (reacts) {
        react_all(w, p->row, change, &x);
    }
}

/* To the power of SL_BATCH still a number to divide by. */
static bool is_gentle(const moving *w, const sl_pipe_change *x) {
    return w->q->m->linear && x->factor > 0.05 && x->factor < 20.0;
}

/* A pipe in which nothing flows. */
static void react_at_no_flow(moving *w, int32_t pipe) {
    const sl_pipe_change *change = &w->q->change[pipe];
    if (!is_gentle(w, change)) {
        for (int32_t j = 0; j < w->n; j++) {
            sl_quality_react_pipe(w->q, w->s, pipe, w->dt, &w->sum);
        }
        return;
    }
    const sl_quality_decay *fade = &w->s->fade[pipe];
    course x = {.f = change->factor, .factor = fade->factor, .mass = fade->mass};
    x.mass = isnan(x.mass) ? sl_quality_row_mass(&w->s->segments, pipe) : x.mass;
    for (int32_t j = 0; j < w->n; j++) {
        x.sum += x.last = x.factor * x.mass;
        x.factor *= x.f;
    }
    react_all(w, pipe, change, &x);
}

/* The same with reactions that go segment by segment. */
static void through_reacting(moving *w, const sl_quality_link_visit *p, double *out) {
    const sl_quality_model *m = w->q->m;
    sl_segments *g = &w->s->segments;
    double v = p->q * w->dt, tol = m->net->quality.tolerance, got;
    const sl_reaction r = sl_quality_reaction_of(w->q, p->row);
    bool alone = m->linear; /* as one factor: too strong for that to be kept over a batch */
    sl_reacted last = {0};
    sl_quality_apply_decay(w->q, w->s, p->row);
    for (int32_t j = w->from; j < w->to; j++) {
        if (alone) {
            sl_quality_react_pipe(w->q, w->s, p->row, w->dt, &w->sum);
        } else if (r.k != 0.0 || r.wall_order >= 0) {
            last = sl_quality_react_row(g, p->row, &r, m->exact, w->dt);
            w->sum.bulk -= last.bulk;
            w->sum.wall -= last.wall;
        }
        if (!sl_segment_add(g, p->row, p->front, v, w->c[j], tol)) {
            w->status = SL_ERR_MEMORY;
        }
        out[j] = sl_segment_withdraw(g, p->row, !p->front, v, &got);
    }
    if (!alone) {
        w->s->rate[p->row] = last.moved / (w->q->hold[p->row] * w->dt);
    }
}

static void through_pipe(moving *w, const sl_quality_link_visit *p, double *out) {
    const sl_quality *q = w->q;
    if (!q->m->bulk) {
        through(w, p, false, NULL, out);
        return;
    }
    const sl_pipe_change *x = &q->change[p->row];
    if (is_gentle(w, x)) {
        through(w, p, true, x, out);
    } else {
        through_reacting(w, p, out);
    }
}

static void send(moving *w, const sl_quality_node_visit *p) {
    const sl_quality_link_visit *pass = w->q->order.pass + p->first + p->n_in;
    for (int32_t a = 0; a < p->n_out; a++) {
        bool pipe = pass[a].row < w->q->m->net->n_pipe;
        if (pass[a].slot < 0) { /* of a circle: one step at a time */
            if (pipe && w->q->m->bulk) {
                sl_quality_react_pipe(w->q, w->s, pass[a].row, w->dt, &w->sum);
            }
            sl_quality_apply_decay(w->q, w->s, pass[a].row);
            if (!sl_segment_add(&w->s->segments, pass[a].row, pass[a].front, pass[a].q * w->dt, w->c[w->from],
                                w->q->m->net->quality.tolerance)) {
                w->status = SL_ERR_MEMORY;
            }
            continue;
        }
        double *out = w->q->slot[pass[a].slot];
        if (pipe) {
            through_pipe(w, &pass[a], out);
            continue;
        }
        for (int32_t j = w->from; j < w->to; j++) { /* pumps and valves hold nothing */
            out[j] = pass[a].q * w->dt * w->c[j];
        }
    }
}

/* A node without inflow keeps its water, which reacts as it would in the pipes that end there: by the mean of them. */
static double react_at_node(const moving *w, int32_t node, double c) {
    const sl_quality_model *m = w->q->m;
    double sum = 0.0;
    int n = 0;
    for (int32_t a = m->at_start[node]; m->bulk && a < m->at_start[node + 1]; a++) {
        if ((int32_t)m->at[a].link < m->net->n_pipe) {
            sum += sl_quality_react_water(w->q, (int32_t)m->at[a].link, c, w->dt);
            n++;
        }
    }
    return n > 0 ? sum / n : c;
}

static double pattern(const sl_network *net, int32_t i, double t) {
    if (i < 0) {
        return 1.0;
    }
    int32_t first = net->pattern_start[i], n = net->pattern_start[i + 1] - first;
    double step = net->times.pattern_step, at = step > 0.0 ? floor((t + net->times.pattern_start) / step) : 0.0;
    return n > 0 ? net->pattern_factor[first + (int32_t)fmod(at, n)] : 1.0;
}

/* What a source adds to the concentration of all that leaves, c being without it. */
static double dose(const moving *w, const sl_quality_node_visit *p, double c) {
    const sl_quality_model *m = w->q->m;
    int32_t i = m->source_at ? m->source_at[p->node] : -1;
    bool junction = p->node < m->net->n_junction, still = p->out <= SL_QUALITY_STILL;
    bool reservoir = !junction && p->node < m->net->n_junction + m->net->n_reservoir;
    if (i < 0 || (still && (!reservoir || m->net->sources[i].kind == SL_SOURCE_MASS))) {
        return 0.0; /* a reservoir has the concentration that is set even while nothing leaves it */
    }
    const sl_quality_source *x = &m->net->sources[i];
    double s = w->q->used[i] * pattern(m->net, x->pattern, w->q->begin);
    switch (x->kind) {
    case SL_SOURCE_MASS: return s / 60.0 / (p->out * 1000.0); /* per minute, into litres */
    case SL_SOURCE_SETPOINT: return positive(s - c);
    case SL_SOURCE_CONCEN: return junction ? s * positive(-p->outflow) / p->out : reservoir ? s - c : s;
    default: return s;
    }
}

/* Of a source or, in a trace, of its node; counted. */
static double added(moving *w, const sl_quality_node_visit *p, double c) {
    const sl_quality_model *m = w->q->m;
    bool traced = m->kind == SL_QUALITY_TRACE && p->node == m->net->quality.trace_node;
    double more = traced                           ? 100.0 - c
                  : m->kind == SL_QUALITY_CHEMICAL ? fmax(dose(w, p, c), -c)
                                                   : 0.0; /* takes what is there at most */
    w->sum.source += more * p->out * w->dt;
    return more;
}

/* All that is sent in the steps being made, per volume. */
static double total(moving *w) {
    return w->to - w->from == 1 ? w->c[w->from] + w->clock[w->from] : sum_of(w->c, w->n) + w->clocks;
}

static void junction(moving *w, const sl_quality_node_visit *p) {
    const sl_quality_model *m = w->q->m;
    double from_outside = positive(-p->outflow) * w->dt, used = positive(p->outflow) * w->dt;
    const sl_quality_link_visit *in = w->q->order.pass + p->first;
    const double *mass = w->mass;
    if (p->n_in == 1 && in->slot >= 0) { /* nothing to add up */
        mass = w->q->slot[in->slot];
        w->volume = in->q * w->dt;
    } else {
        arrive(w, p);
    }
    double v = w->volume + from_outside;
    if (v > 0.0) {
        mix(w->c, mass, w->clock, from_outside, 1.0 / v, w->n);
    } else {
        double c = w->s->node[p->node];
        for (int32_t j = w->from; j < w->to; j++) {
            w->c[j] = c = react_at_node(w, p->node, c);
        }
    }
    double sum = total(w);
    w->sum.adjusted += sum * (p->out * w->dt - v); /* water that hydraulics lose or find here */
    bool dosed_here = m->source_at && m->source_at[p->node] >= 0;
    if (dosed_here || p->node == m->net->quality.trace_node) {
        for (int32_t j = w->from; j < w->to; j++) {
            w->c[j] += added(w, p, w->c[j]);
        }
        sum = total(w);
    }
    w->sum.consumed += sum * used;
    w->s->node[p->node] = w->c[w->to - 1];
    send(w, p);
}

/* Met twice: what it gives comes first, what it takes last. */
static void reservoir(moving *w, const sl_quality_node_visit *p) {
    double own = w->q->m->initial[p->node];
    if (p->n_in > 0) {
        arrive(w, p);
        for (int32_t j = w->from; j < w->to; j++) {
            w->sum.returned += w->mass[j] + w->volume * w->clock[j];
        }
        return;
    }
    for (int32_t j = w->from; j < w->to; j++) {
        w->c[j] = own - w->clock[j];
        w->c[j] += added(w, p, w->c[j]);
    }
    w->sum.reservoir += own * p->out * w->dt * (w->to - w->from);
    w->s->node[p->node] = w->c[w->to - 1];
    send(w, p);
}

static void tank(moving *w, const sl_quality_node_visit *p) {
    sl_quality_state *s = w->s;
    const sl_quality_model *m = w->q->m;
    int32_t i = p->node - m->net->n_junction - m->net->n_reservoir;
    const sl_tank_law *law = &m->tank[i];
    bool traced = m->kind == SL_QUALITY_TRACE && p->node == m->net->quality.trace_node;
    double shown = 0.0, v = s->tank_volume[i], v_out = p->out * w->dt;
    arrive(w, p);
    for (int32_t j = w->from; j < w->to; j++) {
        double c_out, spilled = 0.0, clock = w->clock[j];
        w->sum.time += v;
        if (m->tank_bulk) {
            sl_quality_react_tank(w->q, s, i, w->dt, &w->sum);
        }
        v += w->volume - v_out;
        if (law->overflows && v > law->v_max && w->volume > 0.0) {
            spilled = v - law->v_max;
            v = law->v_max;
        }
        double c = sl_quality_mix(w->q, s, i, w->volume, w->mass[j], v_out + spilled, &c_out, &w->status);
        if (v < 0.0) { /* gave more than it had: hydraulics put it on its limit at the end of their step */
            w->sum.adjusted -= (c_out + clock) * v;
            v = 0.0;
        }
        w->sum.consumed += (c_out + clock) * spilled;
        w->c[j] = c_out + added(w, p, c_out);
        shown = traced ? w->c[j] : c;
    }
    s->tank_volume[i] = v;
    s->node[p->node] = shown;
    send(w, p);
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

static void meet(moving *w, const sl_quality_node_visit *p) {
    const sl_network *net = w->q->m->net;
    if (p->node < net->n_junction) {
        junction(w, p);
    } else if (p->node < net->n_junction + net->n_reservoir) {
        reservoir(w, p);
    } else {
        tank(w, p);
    }
}

/* Rows lie anywhere: a row is asked for some stops before it is met, what it holds a little later. */
enum { PREFETCH_FAR = 12, PREFETCH = 6 };

static void prefetch_rows(const moving *w, int32_t i) {
    const sl_quality_node_order *o = &w->q->order;
    const sl_segments *g = &w->s->segments;
    if (i + PREFETCH_FAR >= o->n_stop) {
        return;
    }
    const sl_quality_node_visit *p = &o->stop[i + PREFETCH_FAR];
    for (int32_t a = p->first + p->n_in; a < p->first + p->n_in + p->n_out; a++) {
        __builtin_prefetch(&g->row[o->pass[a].row]);
        if (w->s->fade) {
            __builtin_prefetch(&w->q->change[o->pass[a].row]);
            __builtin_prefetch(&w->s->fade[o->pass[a].row], 1);
        }
    }
    p = &o->stop[i + PREFETCH];
    for (int32_t a = p->first + p->n_in; a < p->first + p->n_in + p->n_out; a++) {
        const sl_row *r = &g->row[o->pass[a].row];
        __builtin_prefetch(&g->pool[r->at + (r->head & r->mask)]);
    }
}

sl_status sl_quality_move(sl_quality *q, sl_quality_state *s, double dt, int32_t n) {
    bool ages = q->m->kind == SL_QUALITY_AGE;
    moving w = {.q = q, .s = s, .dt = dt, .n = n, .sum.time = s->pipe_volume * n};
    for (int32_t j = 0; j < SL_BATCH; j++) {
        w.clock[j] = ages ? s->clock + (j + 1) * dt / SL_QUALITY_HOUR : 0.0;
        w.clocks += j < n ? w.clock[j] : 0.0;
    }
    if (q->m->bulk) {
        sl_quality_changes(q, dt);
    }
    for (int32_t i = 0; q->m->bulk && i < q->order.n_rest; i++) {
        react_at_no_flow(&w, q->order.rest[i]);
    }
    for (int32_t i = 0; i < q->order.n_stop; i++) {
        int32_t circle = q->order.stop[i].circle;
        w.from = 0;
        w.to = n;
        if (circle == 0) {
            prefetch_rows(&w, i);
            meet(&w, &q->order.stop[i]);
            continue;
        }
        for (int32_t j = 0; j < n; j++) {
            w.from = j;
            w.to = j + 1;
            for (int32_t k = 0; k < circle; k++) {
                meet(&w, &q->order.stop[i + k]);
            }
        }
        i += circle - 1;
    }
    w.sum.time *= ages ? dt / SL_QUALITY_HOUR : 0.0; /* volumes so far */
    s->clock = w.clock[n - 1];
    add_up(&s->ledger, &w.sum);
    return w.status;
}
