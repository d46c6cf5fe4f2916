/* SPDX-License-Identifier: MIT */
/* passage.c: what happens in a pipe in a batch of quality steps: water comes in at one end, leaves at the other, and reacts.
 *
 * A step touches the ends of the row of segments only, where what reacts in it is of first order: then one factor stands for
 * all that it holds. The ends are open, in registers, as long as the batch goes through.
 */
#include "quality/moving.h"

#include <math.h>

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
    double sum, last; /* masses before each step of a span, in truth: together, and the last */
} course;

/* It has reacted. */
static SL_INLINE void react_all(sl_quality_batch *w, int32_t pipe, const sl_pipe_change *change, const course *x) {
    w->sum.bulk -= change->bulk * x->sum;
    w->sum.wall -= change->wall * x->sum;
    w->rate[pipe] = change->rate * x->last;
}

static SL_INLINE void keep_decay(sl_quality_batch *w, int32_t pipe, const course *x) {
    w->fade[pipe] = (sl_quality_decay){x->factor, x->mass};
    if (x->factor < FADED || x->factor > 1.0 / FADED) {
        sl_quality_apply_decay(w->q, w->s, pipe);
    }
}

static SL_INLINE void begin_span(course *x, const sl_quality_span *span, int32_t pipe, double flow, bool reacts) {
    x->v = flow * span->dt;
    x->f = reacts ? span->change[pipe].factor : 1.0;
    x->sum = 0.0;
}

/* Steps of one length. False: no memory. */
static SL_INLINE bool through_steps(const sl_quality_batch *w, sl_segments *g, sl_quality_incidence p, ends *e,
                                    course *x, bool reacts, int32_t from, int32_t to, double *restrict out) {
    double v = x->v, tol = w->tolerance, back = 1.0;
    for (int32_t j = from; j < to; j++) {
        double c = w->c[j];
        if (reacts) {
            x->last = x->factor * x->mass; /* before it reacts */
            x->sum += x->last;
            x->factor *= x->f;
            back = 1.0 / x->factor;
            c *= back;
        }
        if (e->n > 0 && fabs(e->up_mass - c * e->up_v) < tol * back * e->up_v) {
            e->up_v += v;
            e->up_mass += v * c;
        } else if (!begin_segment(e, g, (int32_t)p.link, p.from, v, c)) {
            return false;
        }
        double given = e->n > 1 && e->down_v > v ? (e->down_v -= v, v * e->down_c) : take_some(e, v);
        x->mass += v * c - given;
        out[j] += reacts ? given * x->factor : given;
    }
    return true;
}

/* From step j of a span on, which is begun. */
static SL_INLINE void through_many(sl_quality_batch *w, sl_quality_incidence p, double flow, bool reacts, course *x,
                                   int32_t span, int32_t j, double *restrict out) {
    sl_segments *g = &w->s->segments;
    ends e;
    open_ends(&e, g, &w->row[p.link], p.from);
    for (;;) {
        const sl_quality_span *now = &w->span[span];
        if (!through_steps(w, g, p, &e, x, reacts, j, now->to, out)) {
            w->status = SL_ERR_MEMORY;
            return;
        }
        if (reacts) {
            react_all(w, (int32_t)p.link, &now->change[p.link], x);
        }
        if (++span == w->n_span) {
            break;
        }
        j = w->span[span].from;
        begin_span(x, &w->span[span], (int32_t)p.link, flow, reacts);
    }
    close_ends(&e, &w->row[p.link], p.from);
    if (reacts) {
        keep_decay(w, (int32_t)p.link, x);
    }
}

/* The steps of a span in which a pipe of one segment stays one: most pipes at most times. Concentrations are true ones here, of
 * the water in the pipe and of what leaves it alike. Returns the step that needs another segment. */
static SL_INLINE int32_t through_one(const sl_quality_batch *w, course *x, const sl_quality_span *span, double v,
                                     double *c, double *restrict out) {
    double share = x->v / (v + x->v), tol = w->tolerance, was = *c;
    int32_t j = span->from;
    for (; j < span->to; j++) {
        double left = was * x->f, more = w->c[j] - left;
        if (!(fabs(more) < tol)) {
            break;
        }
        x->sum += x->last = v * was;
        x->factor *= x->f;
        was = left + more * share;
        out[j] += x->v * was;
    }
    *c = was;
    return j;
}

/* A pipe over the steps of a batch: in each it takes v at one end and gives v at the other. Where it reacts, all its segments
 * take the same factor in every step: see sl_quality_decay. */
static SL_INLINE void through(sl_quality_batch *w, sl_quality_incidence p, double flow, bool reacts,
                              double *restrict out) {
    sl_segments *g = &w->s->segments;
    const sl_row *r = &w->row[p.link];
    course x = {.f = 1.0, .factor = 1.0};
    if (reacts) {
        const sl_quality_decay *fade = &w->fade[p.link];
        x.factor = fade->factor;
        x.mass = fade->mass;
    }
    begin_span(&x, &w->span[0], (int32_t)p.link, flow, reacts);
    if (r->n != 1) {
        x.mass = reacts && isnan(x.mass) ? sl_quality_row_mass(g, (int32_t)p.link) : x.mass;
        through_many(w, p, flow, reacts, &x, 0, w->span[0].from, out);
        return;
    }
    sl_segment *only = sl_segment_front(g, r);
    double v = only->v, c = only->c * x.factor;
    for (int32_t k = 0;;) {
        const sl_quality_span *span = &w->span[k];
        int32_t j = through_one(w, &x, span, v, &c, out);
        if (j < span->to) {
            only->c = c / x.factor;
            x.mass = v * only->c;
            through_many(w, p, flow, reacts, &x, k, j, out);
            return;
        }
        if (reacts) {
            react_all(w, (int32_t)p.link, &span->change[p.link], &x);
        }
        if (++k == w->n_span) {
            break;
        }
        begin_span(&x, &w->span[k], (int32_t)p.link, flow, reacts);
    }
    only->c = c / x.factor;
    if (reacts) {
        x.mass = v * only->c;
        keep_decay(w, (int32_t)p.link, &x);
    }
}

/* To the power of SL_BATCH still a number to divide by. */
static SL_INLINE bool is_gentle(const sl_quality_batch *w, int32_t pipe) {
    const sl_pipe_change *change = w->span[0].change;
    return change && change[pipe].factor > 0.05 && change[pipe].factor < 20.0;
}

static void rest_at_first_order(sl_quality_batch *w, int32_t pipe) {
    const sl_quality_decay *fade = &w->fade[pipe];
    course x = {.factor = fade->factor, .mass = fade->mass};
    x.mass = isnan(x.mass) ? sl_quality_row_mass(&w->s->segments, pipe) : x.mass;
    for (int32_t k = 0; k < w->n_span; k++) {
        const sl_pipe_change *change = &w->span[k].change[pipe];
        x.sum = 0.0;
        for (int32_t j = w->span[k].from; j < w->span[k].to; j++) {
            x.sum += x.last = x.factor * x.mass;
            x.factor *= change->factor;
        }
        react_all(w, pipe, change, &x);
    }
    keep_decay(w, pipe, &x);
}

/* ---- Reactions that go segment by segment ------------------------------------------------------- */

/* Is there nothing in a pipe, and does nothing come of that? */
static bool is_void(const sl_quality_batch *w, int32_t pipe) {
    const sl_row *r = &w->row[pipe];
    return !w->creates && r->n == 1 && sl_segment_front(&w->s->segments, r)->c == 0.0;
}

static bool sends_nothing(const sl_quality_batch *w) {
    bool some = false;
    for (int32_t j = w->from; j < w->to; j++) {
        some |= w->c[j] != 0.0;
    }
    return !some;
}

static SL_INLINE sl_reacted react_row(sl_quality_batch *w, int32_t pipe, const sl_prepared_reaction *step) {
    sl_segments *g = &w->s->segments;
    sl_reacted x = {0};
    if (step->order_0 && g->row[pipe].n == 1) {
        sl_react_at_order_0(step, sl_segment_front(g, &g->row[pipe]), &x);
    } else if (step->of.k != 0.0 || step->of.wall_order >= 0) {
        x = sl_quality_react_row(g, pipe, step);
    }
    w->sum.bulk -= x.bulk;
    w->sum.wall -= x.wall;
    return x;
}

void sl_quality_react_at_no_flow(sl_quality_batch *w, int32_t pipe) {
    if (is_gentle(w, pipe)) {
        rest_at_first_order(w, pipe);
        return;
    }
    if (w->q->m->linear) {
        for (int32_t j = 0; j < w->n; j++) {
            sl_quality_react_pipe(w->q, w->s, pipe, length_of(w, j), w->dt[j], &w->sum);
        }
        return;
    }
    sl_reacted last = {0};
    const sl_reaction r = sl_quality_reaction_of(w->q, pipe);
    for (int32_t k = 0; k < w->n_span && !is_void(w, pipe); k++) {
        const sl_prepared_reaction step = sl_reaction_prepare(&r, w->q->m->exact, w->span[k].dt);
        for (int32_t j = w->span[k].from; j < w->span[k].to; j++) {
            last = react_row(w, pipe, &step);
        }
    }
    w->rate[pipe] = last.moved / (w->q->hold[pipe] * w->dt[w->n - 1]);
}

/* Of first order, as one factor, but too strong for that to be kept over a batch. */
static void through_strong_decay(sl_quality_batch *w, sl_quality_incidence p, double flow, double *out) {
    sl_segments *g = &w->s->segments;
    int32_t pipe = (int32_t)p.link;
    double got;
    sl_quality_apply_decay(w->q, w->s, pipe);
    for (int32_t j = w->from; j < w->to; j++) {
        sl_quality_react_pipe(w->q, w->s, pipe, length_of(w, j), w->dt[j], &w->sum);
        if (!sl_segment_add(g, pipe, p.from, flow * w->dt[j], w->c[j], w->tolerance)) {
            w->status = SL_ERR_MEMORY;
        }
        out[j] += sl_segment_withdraw(g, pipe, !p.from, flow * w->dt[j], &got);
    }
}

/* One step, in which v comes in and goes out. */
static SL_INLINE sl_reacted through_reacting_row(sl_quality_batch *w, sl_quality_incidence p, double v, int32_t j,
                                                 const sl_prepared_reaction *step, double *restrict out) {
    sl_segments *g = &w->s->segments;
    sl_row *r = &g->row[p.link];
    double c = w->c[j], got;
    sl_reacted x = react_row(w, (int32_t)p.link, step);
    sl_segment *only = sl_segment_front(g, r);
    if (r->n == 1 && fabs(only->c - c) < w->tolerance) { /* it stays one, and its water is what leaves */
        only->c += (c - only->c) * (v / (only->v + v));
        out[j] += v * only->c;
        return x;
    }
    if (!sl_segment_add(g, (int32_t)p.link, p.from, v, c, w->tolerance)) {
        w->status = SL_ERR_MEMORY;
    }
    out[j] += sl_segment_withdraw(g, (int32_t)p.link, !p.from, v, &got);
    return x;
}

static void through_reacting(sl_quality_batch *w, sl_quality_incidence p, double flow, double *restrict out) {
    int32_t pipe = (int32_t)p.link;
    sl_reacted last = {0};
    if (is_void(w, pipe) && sends_nothing(w)) {
        w->rate[pipe] = 0.0;
        return;
    }
    const sl_reaction r = sl_quality_reaction_of(w->q, pipe);
    for (int32_t k = 0; k < w->n_span; k++) {
        const sl_quality_span *span = &w->span[k];
        const sl_prepared_reaction step = sl_reaction_prepare(&r, w->q->m->exact, span->dt);
        for (int32_t j = span->from; j < span->to; j++) {
            last = through_reacting_row(w, p, flow * span->dt, j, &step, out);
        }
    }
    w->rate[pipe] = last.moved / (w->q->hold[pipe] * w->dt[w->to - 1]);
}

void sl_quality_through_pipe(sl_quality_batch *w, sl_quality_incidence p, double flow, double *restrict out) {
    if (!w->reacts) {
        through(w, p, flow, false, out);
    } else if (is_gentle(w, (int32_t)p.link)) {
        through(w, p, flow, true, out);
    } else if (w->fade) {
        through_strong_decay(w, p, flow, out);
    } else {
        through_reacting(w, p, flow, out);
    }
}
