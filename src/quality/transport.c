/* transport.c: one quality step: every node in the order of flow takes what arrives, mixes it, and sends it on.
 *
 * What a link is given at one end it gives at the other within the same step, so its volume stays; the links of circles that
 * hold less than a step's flow are the exception, and the state says so. Every term of the ledger is added where the water
 * is: none is a difference of others.
 */
#include "quality/impl.h"

#include <math.h>

/* Sums of one quality step, so that long runs add up small numbers first. */
typedef struct moving {
    sl_quality *q;
    sl_quality_state *s;
    double dt, time; /* the step, and its end */
    sl_quality_ledger sum;
    sl_status status;
} moving;

static double inflow(moving *w, const sl_stop *p, double *volume) {
    sl_segments *g = &w->s->segments;
    const sl_pass *pass = w->q->order.pass + p->first;
    double mass = 0.0, v = 0.0;
    for (int32_t a = 0; a < p->n_in; a++) {
        double want = pass[a].q * w->dt, got;
        mass += sl_segment_take(g, pass[a].row, pass[a].front, want, &got);
        v += got;
        if (got < want) {
            w->s->pipe_volume += want - got; /* it gets all of it */
            w->s->excess |= want - got > 1e-9 * want;
        }
    }
    *volume = v;
    return mass;
}

static void send(moving *w, const sl_stop *p, double c) {
    const sl_pass *pass = w->q->order.pass + p->first + p->n_in;
    double tol = w->q->m->net->quality.tolerance;
    for (int32_t a = 0; a < p->n_out; a++) {
        if (!sl_segment_put(&w->s->segments, pass[a].row, pass[a].front, pass[a].q * w->dt, c, tol)) {
            w->status = SL_ERR_MEMORY;
        }
    }
}

/* A node without inflow whose water reacts: the mean of what lies in its pipes next to it. */
static double neighbours(const moving *w, int32_t node) {
    const sl_quality_model *m = w->q->m;
    const sl_segments *g = &w->s->segments;
    double sum = 0.0;
    int n = 0;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        int32_t k = m->at_link[a];
        const sl_segment *x = sl_segment_end(g, &g->row[k], m->net->link_from[k] == node);
        if (x) {
            sum += x->c;
            n++;
        }
    }
    return n > 0 ? sum / n : w->s->node[node];
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
static double dose(const moving *w, const sl_stop *p, double c) {
    const sl_quality_model *m = w->q->m;
    int32_t i = m->source_at ? m->source_at[p->node] : -1;
    if (i < 0 || p->out <= SL_QUALITY_STILL) {
        return 0.0;
    }
    const sl_source *x = &m->net->sources[i];
    double s = w->q->used[i] * pattern(m->net, x->pattern, w->q->begin);
    bool junction = p->node < m->net->n_junction,
         reservoir = !junction && p->node < m->net->n_junction + m->net->n_reservoir;
    switch (x->kind) {
    case SL_SOURCE_MASS: return s / 60.0 / (p->out * 1000.0); /* per minute, into litres */
    case SL_SOURCE_SETPOINT: return fmax(s - c, 0.0);
    case SL_SOURCE_CONCEN: return junction ? s * fmax(-p->outflow, 0.0) / p->out : reservoir ? s - c : s;
    default: return s;
    }
}

/* Of a source or, in a trace, of its node; counted. */
static double added(moving *w, const sl_stop *p, double c) {
    const sl_quality_model *m = w->q->m;
    if (m->kind == SL_QUALITY_AGE) {
        return 0.0;
    }
    double more = m->kind == SL_QUALITY_TRACE ? (p->node == m->net->quality.trace_node ? 100.0 - c : 0.0)
                                              : fmax(dose(w, p, c), -c); /* takes what is there at most */
    w->sum.source += more * p->out * w->dt;
    return more;
}

static void junction(moving *w, const sl_stop *p) {
    sl_quality_state *s = w->s;
    double v, mass = inflow(w, p, &v), from_outside = fmax(-p->outflow, 0.0) * w->dt, c;
    v += from_outside;
    mass += from_outside * sl_quality_clean(s);
    if (v > 0.0) {
        c = mass / v;
    } else {
        c = w->q->m->reacts ? neighbours(w, p->node) : s->node[p->node];
    }
    /* Water that hydraulics lose or find here. */
    w->sum.adjusted += (c + s->clock) * (p->out * w->dt - v);
    if (w->q->m->source_at || p->node == w->q->m->net->quality.trace_node) {
        c += added(w, p, c);
    }
    s->node[p->node] = c;
    w->sum.consumed += (c + s->clock) * fmax(p->outflow, 0.0) * w->dt;
    send(w, p, c);
}

/* Met twice: what it gives comes first, what it takes last. */
static void reservoir(moving *w, const sl_stop *p) {
    sl_quality_state *s = w->s;
    if (p->n_in > 0) {
        double v, mass = inflow(w, p, &v);
        w->sum.returned += mass + v * s->clock;
    } else {
        double c = w->q->m->initial[p->node] + sl_quality_clean(s), more = added(w, p, c);
        w->sum.reservoir += (c + s->clock) * p->out * w->dt;
        s->node[p->node] = c + more;
        send(w, p, c + more);
    }
}

static void tank(moving *w, const sl_stop *p) {
    sl_quality_state *s = w->s;
    const sl_network *net = w->q->m->net;
    int32_t i = p->node - net->n_junction - net->n_reservoir;
    const sl_tank_law *law = &w->q->m->tank[i];
    double v_in, mass = inflow(w, p, &v_in), v_out = p->out * w->dt, c_out, spilled = 0.0;
    double v = s->tank_volume[i] + v_in - v_out;
    if (law->overflows && v > law->v_max && v_in > 0.0) {
        spilled = v - law->v_max;
        v = law->v_max;
    }
    double c = sl_quality_mix(w->q, s, i, v_in, mass, v_out + spilled, &c_out, &w->status);
    if (v < 0.0) { /* gave more than it had: hydraulics put it on its limit at the end of their step */
        w->sum.adjusted -= (c_out + s->clock) * v;
        v = 0.0;
    }
    s->tank_volume[i] = v;
    w->sum.consumed += (c_out + s->clock) * spilled;
    double more = added(w, p, c_out);
    bool traced = w->q->m->kind == SL_QUALITY_TRACE && p->node == net->quality.trace_node;
    s->node[p->node] = traced ? c_out + more : c;
    send(w, p, c_out + more);
}

static void add_up(sl_quality_ledger *l, const sl_quality_ledger *x) {
    l->reservoir += x->reservoir;
    l->source += x->source;
    l->consumed += x->consumed;
    l->returned += x->returned;
    l->adjusted += x->adjusted;
}

sl_status sl_quality_move(sl_quality *q, sl_quality_state *s, double dt) {
    const sl_network *net = q->m->net;
    moving w = {.q = q, .s = s, .dt = dt, .time = s->time + dt};
    for (int32_t i = 0; i < q->order.n_stop; i++) {
        const sl_stop *p = &q->order.stop[i];
        if (p->node < net->n_junction) {
            junction(&w, p);
        } else if (p->node < net->n_junction + net->n_reservoir) {
            reservoir(&w, p);
        } else {
            tank(&w, p);
        }
    }
    add_up(&s->ledger, &w.sum);
    return w.status;
}
