/* regulators.c: the flows of active pressure valves.
 *
 * Such a valve pins the head at one of its ends; what it carries follows from the balance of that node, that is, from
 * the heads around it. This the symmetric matrix cannot hold: water that a reducing valve takes at its start does not act
 * on the head that it holds at its end.
 */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

/* Rounds at most; before the system between the valves is solved; the same for a FEW valves. */
enum { ROUNDS = 40, ROUNDS_ALONE = 8, ROUNDS_FEW = 3, FEW = 4 };
/* Of the largest flow: what rounding leaves after a dozen sums and products. */
#define ENOUGH 1e-12

int32_t sl_eps_first_outlet(const sl_eps_model *m, int32_t node) {
    int32_t low = 0, high = m->n_outlet;
    while (low < high) {
        int32_t mid = low + (high - low) / 2;
        if (m->outlet_node[mid] < node) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

static int32_t held_node(const sl_network *net, int32_t k) {
    return sl_valve_kind_of(net, k) == SL_PRV ? net->link_to[k] : net->link_from[k];
}

/* The flow an active pressure valve, the r-th regulator, must carry for its node to balance, from the linearised flows
 * around it. */
static double regulator_flow(const sl_eps *e, const sl_eps_state *s, int32_t r) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_network *net = m->net;
    const sl_eps_numbers *x = &e->x;
    int32_t k = m->regulator[r], node = held_node(net, k), own = c->branch_of[k];
    double out = e->w.load[node]; /* what leaves the node beside the valve */
    for (int32_t a = c->held_start[r]; a < c->held_start[r + 1]; a++) {
        int32_t b = c->held_branch[a];
        if (b == own) {
            continue;
        }
        bool holds = b >= c->n_chain && sl_eps_holds_head(net, s, c->single[b - c->n_chain]);
        double q = holds ? s->flow[c->single[b - c->n_chain]]
                         : x->y[b] + x->p[b] * (x->rhs[x->u[b]] - x->rhs[x->v[b]]);
        out += c->from[b] == node ? q : x->drawn[b] - q;
    }
    for (int32_t o = sl_eps_first_outlet(m, node); o < m->n_outlet && m->outlet_node[o] == node; o++) {
        out += e->w.oy[o] + e->w.op[o] * sl_eps_change(e, node);
    }
    return sl_valve_kind_of(net, k) == SL_PRV ? out : -out;
}

/* The unknown at the end of a regulator that it does not hold; n_unknown when that head is given. */
static int32_t far_unknown(const sl_eps *e, int32_t r) {
    int32_t b = e->core->branch_of[e->m->regulator[r]];
    return sl_valve_kind_of(e->m->net, e->m->regulator[r]) == SL_PRV ? e->x.u[b] : e->x.v[b];
}

/* Adds to the right side what active valves with these flows bring to their other ends. */
static void valve_flows(const sl_eps *e, const int32_t *active, int32_t n, const double *q, double *rhs) {
    for (int32_t i = 0; i < n; i++) {
        rhs[far_unknown(e, active[i])] += sl_valve_kind_of(e->m->net, e->m->regulator[active[i]]) == SL_PRV ? -q[i] : q[i];
    }
    rhs[e->core->n_unknown] = 0.0;
}

/* The flows that balance the held nodes when the valves carry q: into out. The change of heads is in rhs then. */
static void valve_round(sl_eps *e, sl_eps_state *s, const int32_t *active, int32_t n, const double *q, double *out) {
    sl_eps_numbers *x = &e->x;
    memcpy(x->rhs, x->base, ((size_t)e->core->n_unknown + 1) * sizeof *x->rhs);
    valve_flows(e, active, n, q, x->rhs);
    sl_ldl_solve(e->core->ldl, x->ldl, x->rhs);
    for (int32_t i = 0; i < n; i++) {
        s->flow[e->m->regulator[active[i]]] = q[i];
    }
    for (int32_t i = 0; i < n; i++) {
        out[i] = regulator_flow(e, s, active[i]);
    }
}

/* q = g + M q exactly, with the columns of M from one solve each. False when that has no solution. */
static bool valve_system(sl_eps *e, sl_eps_state *s, const int32_t *active, int32_t n) {
    sl_eps_work *w = &e->w;
    double *a = w->valve_matrix, *q = w->valve_q, *g = w->valve_g, *column = w->valve_column;
    memset(q, 0, (size_t)n * sizeof *q);
    valve_round(e, s, active, n, q, g);
    for (int32_t j = 0; j < n; j++) {
        q[j] = 1.0;
        valve_round(e, s, active, n, q, column);
        q[j] = 0.0;
        for (int32_t i = 0; i < n; i++) {
            a[i * n + j] = (i == j) - (column[i] - g[i]);
        }
    }
    for (int32_t c = 0; c < n; c++) { /* Gauss with row pivoting */
        int32_t best = c;
        for (int32_t i = c + 1; i < n; i++) {
            best = fabs(a[i * n + c]) > fabs(a[best * n + c]) ? i : best;
        }
        if (!(fabs(a[best * n + c]) > 1e-12)) {
            return false;
        }
        for (int32_t j = 0; j < n && best != c; j++) {
            double t = a[c * n + j];
            a[c * n + j] = a[best * n + j];
            a[best * n + j] = t;
        }
        double t = g[c];
        g[c] = g[best];
        g[best] = t;
        for (int32_t i = c + 1; i < n; i++) {
            double f = a[i * n + c] / a[c * n + c];
            for (int32_t j = c; j < n; j++) {
                a[i * n + j] -= f * a[c * n + j];
            }
            g[i] -= f * g[c];
        }
    }
    for (int32_t c = n - 1; c >= 0; c--) {
        for (int32_t j = c + 1; j < n; j++) {
            g[c] -= a[c * n + j] * q[j];
        }
        q[c] = g[c] / a[c * n + c];
    }
    return true;
}

/* Two rounds, from q with the flows g and heads `before`, and from g with what stands in out and rhs, are two points of a
 * straight line. If what is missing, g - q, vanishes somewhere on it, that is the solution: then out and rhs become it.
 * Always so for one valve alone. */
static bool on_the_line(sl_eps *e, int32_t n, const double *q, const double *g, double *out) {
    double dot = 0.0, square = 0.0, size = 1e-9, left = 0.0;
    for (int32_t i = 0; i < n; i++) {
        double first = g[i] - q[i], second = out[i] - g[i], d = second - first;
        dot += first * d;
        square += d * d;
    }
    double t = -dot / square;
    if (!(fabs(t) < 1e6)) { /* an open way leads round the valve: there is no such point */
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        double first = g[i] - q[i], second = out[i] - g[i];
        left = fmax(left, fabs(first + t * (second - first)));
        size = fmax(size, fabs(g[i] + t * (out[i] - g[i])));
    }
    if (left > ENOUGH * size) {
        return false;
    }
    double *x = e->x.rhs;
    const double *before = e->x.rhs_before;
    for (int32_t u = 0; u <= e->core->n_unknown; u++) {
        x[u] = before[u] + t * (x[u] - before[u]);
    }
    for (int32_t i = 0; i < n; i++) {
        out[i] = g[i] + t * (out[i] - g[i]);
    }
    return true;
}

/* The flows of active pressure valves depend on the heads they feed, which the symmetric matrix cannot hold. They are
 * found by going round with the same factor, once per valve in a row; where water can come back to a held node by other
 * ways that may take long, and then the small system between the valves is solved as such. */
void sl_eps_regulator_flows(sl_eps *e, sl_eps_state *s) {
    sl_eps_work *w = &e->w;
    int32_t n = 0, *active = w->valve_list;
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        int32_t k = e->m->regulator[r];
        if (s->status[k] == SL_STATUS_ACTIVE) {
            w->valve_q[n] = s->flow[k];
            active[n++] = r;
        }
    }
    double midway = 0.0;
    int alone = n <= FEW ? ROUNDS_FEW : ROUNDS_ALONE;
    memset(w->adrift, 0, (size_t)e->m->n_regulator);
    for (int round = 0; round < ROUNDS; round++) {
        if (round == alone && n <= SL_EPS_VALVE_MAX && valve_system(e, s, active, n)) {
            valve_round(e, s, active, n, w->valve_q, w->valve_g);
            break;
        }
        if (round == 1) {
            memcpy(e->x.rhs_before, e->x.rhs, ((size_t)e->core->n_unknown + 1) * sizeof *e->x.rhs);
        }
        valve_round(e, s, active, n, w->valve_q, w->valve_g);
        if (round == 1 && on_the_line(e, n, w->valve_column, w->valve_q, w->valve_g)) {
            break;
        }
        double change = 0.0, size = 1e-9;
        for (int32_t i = 0; i < n; i++) {
            double dq = fabs(w->valve_g[i] - w->valve_q[i]);
            /* Where an open way leads round a valve no flow balances: it grows with every round. */
            w->adrift[active[i]] =
                round + 1 == ROUNDS && dq > 0.98 * midway && dq > e->m->net->hydraulics.flow_tolerance;
            change = fmax(change, dq);
            size = fmax(size, fabs(w->valve_g[i]));
            w->valve_column[i] = w->valve_q[i]; /* where this round began */
            w->valve_q[i] = w->valve_g[i];
        }
        midway = round + 1 == ROUNDS / 2 ? change : midway;
        if (change <= ENOUGH * size) {
            break;
        }
    } /* what is left shows in the mass balance */
    for (int32_t i = 0; i < n; i++) {
        s->flow[e->m->regulator[active[i]]] = w->valve_g[i];
    }
}
