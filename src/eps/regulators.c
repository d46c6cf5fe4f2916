/* SPDX-License-Identifier: MIT */
/* regulators.c: the flows of active pressure valves.
 *
 * Such a valve pins the head at one of its ends; what it carries follows from the balance of that node, that is, from
 * the heads around it. This the symmetric matrix cannot hold: water that a reducing valve takes at its start does not act
 * on the head that it holds at its end.
 */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 40 };
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
        double q = holds ? s->flow[c->single[b - c->n_chain]] : x->y[b] + x->p[b] * (x->rhs[x->u[b]] - x->rhs[x->v[b]]);
        out += c->from[b] == node ? q : x->drawn[b] - q;
    }
    for (int32_t o = sl_eps_first_outlet(m, node); o < m->n_outlet && m->outlet_node[o] == node; o++) {
        out += e->w.oy[o] + e->w.op[o] * sl_eps_change(e, node);
    }
    return sl_valve_kind_of(net, k) == SL_PRV ? out : -out;
}

/* The unknown at the end of a regulator that it does not hold; core->given when that head is. */
static int32_t far_unknown(const sl_eps *e, int32_t r) {
    int32_t b = e->core->branch_of[e->m->regulator[r]];
    return sl_valve_kind_of(e->m->net, e->m->regulator[r]) == SL_PRV ? e->x.u[b] : e->x.v[b];
}

/* Adds to the right side what active valves with these flows bring to their other ends. */
static void valve_flows(const sl_eps *e, const int32_t *active, int32_t n, const double *q, double *rhs) {
    for (int32_t i = 0; i < n; i++) {
        rhs[far_unknown(e, active[i])] +=
            sl_valve_kind_of(e->m->net, e->m->regulator[active[i]]) == SL_PRV ? -q[i] : q[i];
    }
    rhs[e->core->given] = 0.0;
}

/* The flows that balance the held nodes when the valves carry q: into out. The change of heads is in rhs then. */
static void valve_round(sl_eps *e, sl_eps_state *s, const int32_t *active, int32_t n, const double *q, double *out) {
    sl_eps_numbers *x = &e->x;
    memcpy(x->rhs, x->base, (size_t)e->core->n_unknown * sizeof *x->rhs);
    valve_flows(e, active, n, q, x->rhs);
    sl_ldl_solve(e->core->ldl, x->ldl, x->rhs);
    for (int32_t i = 0; i < n; i++) {
        s->flow[e->m->regulator[active[i]]] = q[i];
    }
    for (int32_t i = 0; i < n; i++) {
        out[i] = regulator_flow(e, s, active[i]);
    }
}

/* Gauss with row pivoting: a q = g, n by n. False: singular. */
static bool solve_small(int32_t n, double *a, double *g, double *q) {
    for (int32_t c = 0; c < n; c++) {
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
            for (int32_t j = c; f != 0.0 && j < n; j++) {
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

/* What leaves a held node beside its valve when no head changes: returns that, and puts how it follows the heads around
 * the node into near. False in *alone: another pressure valve holds a head by a flow there. */
static double outflow_at_held_node(const sl_eps *e, const sl_eps_state *s, int32_t r, double *near, bool *alone) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    int32_t k = m->regulator[r], node = held_node(m->net, k), own = c->branch_of[k];
    double out = e->w.load[node];
    for (int32_t a = c->held_start[r]; a < c->held_start[r + 1]; a++) {
        int32_t b = c->held_branch[a];
        if (b == own) {
            continue;
        }
        *alone &= b < c->n_chain || !sl_eps_holds_head(m->net, s, c->single[b - c->n_chain]);
        out += c->from[b] == node ? x->y[b] : x->drawn[b] - x->y[b];
        if (c->near_slot[a] >= 0) {
            near[c->near_slot[a]] -= x->p[b];
        }
    }
    for (int32_t o = sl_eps_first_outlet(m, node); o < m->n_outlet && m->outlet_node[o] == node; o++) {
        out += e->w.oy[o];
    }
    return out;
}

/* The flows of all valves at once: q = g + M q, where g are the flows that the held nodes would need if no valve brought
 * anything, and M q what they need more because of it. M comes from products with the factor along the few columns that
 * the valves reach; heads are solved for once. False: no solution, or not to be had this way. */
static bool valve_system(sl_eps *e, sl_eps_state *s, const int32_t *active, int32_t n) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    double *a = e->w.valve_matrix, *q = e->w.valve_q, *g = e->w.valve_g;
    bool alone = true;
    if (!c->far_start) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t r = active[i], far = far_unknown(e, r);
        int32_t n_near = c->near_start[r + 1] - c->near_start[r], n_far = c->far_start[r + 1] - c->far_start[r];
        double *near = x->near + c->near_start[r], *at_far = x->far + c->far_start[r];
        memset(near, 0, (size_t)n_near * sizeof *near);
        g[i] = outflow_at_held_node(e, s, r, near, &alone);
        sl_ldl_lower_few(c->ldl, x->ldl, n_near, c->near_column + c->near_start[r], near, x->few);
        memset(at_far, 0, (size_t)n_far * sizeof *at_far);
        if (far != c->given) {
            at_far[0] = 1.0; /* the lowest column is its own */
            sl_ldl_lower_few(c->ldl, x->ldl, n_far, c->far_column + c->far_start[r], at_far, x->few);
        }
    }
    if (!alone) {
        return false;
    }
    double *y = sl_ldl_lower(c->ldl, x->ldl, x->base);
    for (int32_t i = 0; i < n; i++) {
        int32_t r = active[i], n_near = c->near_start[r + 1] - c->near_start[r];
        const int32_t *at = c->near_column + c->near_start[r];
        const double *near = x->near + c->near_start[r];
        bool reducing = sl_valve_kind_of(e->m->net, e->m->regulator[r]) == SL_PRV;
        g[i] += sl_ldl_product(c->ldl, x->ldl, n_near, at, near);
        g[i] = reducing ? g[i] : -g[i];
        for (int32_t j = 0; j < n; j++) {
            int32_t t = active[j], n_far = c->far_start[t + 1] - c->far_start[t];
            double d = sl_ldl_product_few(x->ldl, n_near, at, near, n_far, c->far_column + c->far_start[t],
                                          x->far + c->far_start[t]);
            bool takes = sl_valve_kind_of(e->m->net, e->m->regulator[t]) == SL_PRV; /* there, from its start */
            a[i * n + j] = (i == j) - (reducing == takes ? -d : d);
        }
    }
    if (!solve_small(n, a, g, q)) {
        return false;
    }
    for (int32_t j = 0; j < n; j++) {
        int32_t t = active[j];
        bool takes = sl_valve_kind_of(e->m->net, e->m->regulator[t]) == SL_PRV;
        for (int32_t i = c->far_start[t]; i < c->far_start[t + 1]; i++) {
            y[c->far_column[i]] += (takes ? -q[j] : q[j]) * x->far[i];
        }
    }
    sl_ldl_upper(c->ldl, x->ldl, x->rhs);
    memcpy(g, q, (size_t)n * sizeof *g);
    return true;
}

/* The flows of active pressure valves depend on the heads they feed, which the symmetric matrix cannot hold. Where the
 * system between the valves does not give them they are found by going round with the same factor, once per valve in a
 * row. */
void sl_eps_regulator_flows(sl_eps *e, sl_eps_state *s) {
    sl_eps_work *w = &e->w;
    int32_t n = 0, *active = w->valve_list;
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        w->adrift[r] = 0;
        if (s->status[e->m->regulator[r]] == SL_STATUS_ACTIVE) {
            active[n++] = r;
        }
    }
    double midway = 0.0;
    if (n == 0) {
        sl_ldl_lower(e->core->ldl, e->x.ldl, e->x.base);
        sl_ldl_upper(e->core->ldl, e->x.ldl, e->x.rhs);
        return;
    }
    bool solved = valve_system(e, s, active, n);
    for (int32_t i = 0; i < n && !solved; i++) {
        w->valve_q[i] = s->flow[e->m->regulator[active[i]]];
    }
    for (int round = 0; round < ROUNDS && !solved; round++) {
        valve_round(e, s, active, n, w->valve_q, w->valve_g);
        double change = 0.0, size = 1e-9;
        for (int32_t i = 0; i < n; i++) {
            double dq = fabs(w->valve_g[i] - w->valve_q[i]);
            /* Where an open way leads round a valve no flow balances: it grows with every round. */
            w->adrift[active[i]] =
                round + 1 == ROUNDS && dq > 0.98 * midway && dq > e->m->net->hydraulics.flow_tolerance;
            change = fmax(change, dq);
            size = fmax(size, fabs(w->valve_g[i]));
            w->valve_q[i] = w->valve_g[i];
        }
        midway = round + 1 == ROUNDS / 2 ? change : midway;
        solved = change <= ENOUGH * size;
    } /* what is left shows in the mass balance */
    for (int32_t i = 0; i < n; i++) {
        s->flow[e->m->regulator[active[i]]] = w->valve_g[i];
    }
}
