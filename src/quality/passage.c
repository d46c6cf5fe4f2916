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

void sl_quality_react_at_no_flow(sl_quality_batch *w, int32_t pipe) {
    if (!is_gentle(w, pipe)) {
        for (int32_t j = 0; j < w->n; j++) {
            sl_quality_react_pipe(w->q, w->s, pipe, length_of(w, j), w->dt[j], &w->sum);
        }
        return;
    }
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

/* The same with reactions that go segment by segment. */
static void through_reacting(sl_quality_batch *w, sl_quality_incidence p, double flow, double *out) {
    const sl_quality_model *m = w->q->m;
    sl_segments *g = &w->s->segments;
    int32_t pipe = (int32_t)p.link;
    double tol = w->tolerance, got;
    const sl_reaction r = sl_quality_reaction_of(w->q, pipe);
    bool alone = m->linear; /* as one factor: too strong for that to be kept over a batch */
    sl_reacted last = {0};
    sl_quality_apply_decay(w->q, w->s, pipe);
    for (int32_t j = w->from; j < w->to; j++) {
        if (alone) {
            sl_quality_react_pipe(w->q, w->s, pipe, length_of(w, j), w->dt[j], &w->sum);
        } else if (r.k != 0.0 || r.wall_order >= 0) {
            last = sl_quality_react_row(g, pipe, &r, m->exact, w->dt[j]);
            w->sum.bulk -= last.bulk;
            w->sum.wall -= last.wall;
        }
        if (!sl_segment_add(g, pipe, p.from, flow * w->dt[j], w->c[j], tol)) {
            w->status = SL_ERR_MEMORY;
        }
        out[j] += sl_segment_withdraw(g, pipe, !p.from, flow * w->dt[j], &got);
    }
    if (!alone) {
        w->s->rate[pipe] = last.moved / (w->q->hold[pipe] * w->dt[w->to - 1]);
    }
}

void sl_quality_through_pipe(sl_quality_batch *w, sl_quality_incidence p, double flow, double *restrict out) {
    if (!w->reacts) {
        through(w, p, flow, false, out);
    } else if (is_gentle(w, (int32_t)p.link)) {
        through(w, p, flow, true, out);
    } else {
        through_reacting(w, p, flow, out);
    }
}
