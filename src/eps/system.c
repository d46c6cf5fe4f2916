/* system.c: the linear system of a Newton trial: put together, solved, and what follows from it.
 *
 * It is a system for the change of the heads, not for the heads: its right side is what is missing in each node's balance
 * with the linearised flows at the present heads. Flows then balance to the precision of flows; from heads of a hundred
 * metres and conductances of a million they would not.
 */
#include "eps/impl.h"

#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

/* Flows that sum to less than this are none [m3/s]. */
#define STILL 1e-6

/* ---- Heads that are given ----------------------------------------------------------------------- */

/* The unknowns at the ends of the branches, and their places in the matrix: what a given head would add goes to the
 * unknown that stands for all of these, and to a place behind the matrix. */
static void place_branches(sl_eps *e) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    if (x->placed && memcmp(x->pin, x->was_pin, (size_t)c->n_unknown) == 0) {
        return;
    }
    int32_t nowhere = c->n_unknown, behind = (int32_t)sl_ldl_size(c->ldl);
    for (int32_t b = 0; b < c->n_branch; b++) {
        int32_t u = c->unknown[c->from[b]], v = c->unknown[c->to[b]];
        u = u < nowhere && !x->pin[u] ? u : nowhere;
        v = v < nowhere && !x->pin[v] ? v : nowhere;
        x->u[b] = u;
        x->v[b] = v;
        x->place[b] = u < nowhere && v < nowhere ? c->slot[b] : behind;
    }
    memcpy(x->was_pin, x->pin, (size_t)c->n_unknown);
    x->placed = true;
}

bool sl_eps_pin_heads(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    uint8_t *pin = e->x.pin;
    bool moved = false;
    memset(pin, 0, (size_t)c->n_junction);
    for (int32_t u = 0; e->w.any_cut && u < c->n_junction; u++) {
        pin[u] = s->cut_off[c->node[u]];
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        pin[c->n_junction + i] = !e->w.free_tank[i];
    }
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        int32_t k = e->m->regulator[r];
        if (s->status[k] == SL_STATUS_ACTIVE) {
            int32_t node = sl_valve_kind_of(net, k) == SL_PRV ? net->link_to[k] : net->link_from[k];
            int32_t u = c->unknown[node];
            if (u < c->n_unknown && !pin[u]) {
                double head = sl_eps_valve_head(net, s, k);
                pin[u] = 1;
                moved |= s->head[node] != head;
                s->head[node] = head;
            }
        }
    }
    place_branches(e);
    return moved;
}

/* ---- The system --------------------------------------------------------------------------------- */

void sl_eps_linearise(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    const double *restrict head = s->head;
    for (int32_t b = 0; b < c->n_branch; b++) {
        x->miss[b] = x->h[b] - (head[c->from[b]] - head[c->to[b]]);
    }
    for (int32_t b = 0; b < c->n_chain; b++) {
        x->y[b] = x->q[b] - x->p[b] * x->miss[b];
    }
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        if (x->p[b] > 0.0) {
            x->y[b] = x->q[b] - x->p[b] * x->miss[b];
        } else {
            x->miss[b] = 0.0;
        }
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        e->w.oy[o] = s->outlet_flow[o] -
                     e->w.op[o] * (e->w.oh[o] - (s->head[e->m->outlet_node[o]] - e->m->outlet_zero[o]));
        if (e->w.op[o] == 0.0) {
            e->w.oy[o] = 0.0;
        }
    }
}

static void assemble(sl_eps *e, const sl_eps_state *s, double dt) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_network *net = m->net;
    sl_eps_numbers *x = &e->x;
    double *restrict a = x->a, *restrict base = x->base;
    memset(a, 0, ((size_t)sl_ldl_size(c->ldl) + 1) * sizeof *a);
    for (int32_t u = 0; u < c->n_junction; u++) {
        base[u] = -e->w.load[c->node[u]];
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t u = c->n_junction + i;
        base[u] = 0.0;
        if (e->w.free_tank[i]) { /* net inflow = (V(H) - V0) / dt */
            double h = s->head[sl_first_tank(net) + i];
            a[u] = sl_tank_surface(&m->tank[i], h) / dt;
            base[u] = (s->volume[i] - sl_tank_volume(&m->tank[i], h)) / dt;
        }
    }
    for (int32_t b = 0; b < c->n_branch; b++) {
        double p = x->p[b], y = x->y[b];
        int32_t u = x->u[b], v = x->v[b];
        a[u] += p;
        a[v] += p;
        a[x->place[b]] -= p;
        base[u] -= y;
        base[v] += y - x->drawn[b];
    }
    int32_t first = m->at_start[sl_first_tank(net)];
    for (int32_t at = first; at < m->at_start[net->n_node]; at++) {
        e->w.tank_p[at - first] = x->p[c->branch_of[m->at_link[at]]];
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t u = c->unknown[m->outlet_node[o]];
        a[u] += e->w.op[o];
        base[u] -= e->w.oy[o];
    }
    for (int32_t u = 0; u < c->n_unknown; u++) {
        if (x->pin[u]) {
            a[u] = 1.0;
            base[u] = 0.0;
        }
    }
    a[c->n_unknown] = 1.0;
    base[c->n_unknown] = 0.0;
}

/* A part that hangs on the rest by a conductance a million million times less than its own (a pump of constant power
 * near rest) is singular to rounding. Links that conduct much more than the weakest one are then taken as if they
 * conducted less: the step is still one towards the solution, and what counts as balanced does not depend on how it was
 * found. */
static bool factor(sl_eps *e, const sl_eps_state *s, double dt, int32_t *unfit) {
    sl_eps_numbers *x = &e->x;
    static const double contrasts[] = {1e12, 1e9, 1e6, 1e3, 1.0};
    int32_t n = e->core->n_branch;
    for (int i = 0;; i++) {
        *unfit = sl_ldl_factor(e->core->ldl, x->a, x->ldl);
        if (*unfit < 0 || i == 5) {
            return *unfit < 0;
        }
        double weakest = (double)INFINITY;
        sl_eps_coefficients(e, s);
        for (int32_t b = 0; b < n; b++) {
            weakest = x->p[b] > 0.0 ? fmin(weakest, x->p[b]) : weakest;
        }
        for (int32_t o = 0; o < e->m->n_outlet; o++) {
            weakest = e->w.op[o] > 0.0 ? fmin(weakest, e->w.op[o]) : weakest;
        }
        for (int32_t b = 0; b < n; b++) {
            x->p[b] = fmin(x->p[b], contrasts[i] * weakest);
        }
        sl_eps_linearise(e, s);
        assemble(e, s, dt);
    }
}

bool sl_eps_solve_heads(sl_eps *e, sl_eps_state *s, double dt) {
    const sl_eps_core *c = e->core;
    int32_t unfit;
    assemble(e, s, dt);
    if (!factor(e, s, dt, &unfit)) {
        s->x->facts.worst_node = c->node[unfit];
        return false;
    }
    sl_eps_regulator_flows(e, s);
    for (int32_t u = 0; u < c->n_unknown; u++) {
        s->head[c->node[u]] += e->x.rhs[u];
    }
    return true;
}

/* ---- What follows ------------------------------------------------------------------------------- */

double sl_eps_new_flows(sl_eps *e, sl_eps_state *s, double relax, double *most) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    const double *restrict rhs = x->rhs;
    double change = 0.0, total = 0.0;
    *most = 0.0;
    for (const sl_eps_group *g = c->group; g < c->group + c->n_group; g++) {
        double sum = 0.0;
        for (int32_t b = g->chain; b < g->chain + g->n; b++) {
            double dq = (x->y[b] + x->p[b] * (rhs[x->u[b]] - rhs[x->v[b]]) - x->q[b]) * relax;
            x->q[b] += dq;
            sum += fabs(dq);
            *most = fabs(dq) > *most ? fabs(dq) : *most;
        }
        change += g->length * sum;
    }
    total += sl_eps_chains_spread(e);
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        int32_t k = c->single[b - c->n_chain];
        if (x->p[b] == 0.0 && sl_eps_holds_head(m->net, s, k)) {
            total += fabs(s->flow[k]); /* its flow is there already */
            continue;
        }
        double dq = (x->y[b] + x->p[b] * (rhs[x->u[b]] - rhs[x->v[b]]) - x->q[b]) * relax;
        s->flow[k] += dq;
        change += fabs(dq);
        total += fabs(s->flow[k]);
        *most = fmax(*most, fabs(dq));
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        if (s->cut_off[node]) {
            continue;
        }
        double dq = (e->w.oy[o] + e->w.op[o] * sl_eps_change(e, node) - s->outlet_flow[o]) * relax;
        s->outlet_flow[o] += dq;
        change += fabs(dq);
        total += fabs(s->outlet_flow[o]);
        *most = fmax(*most, fabs(dq));
    }
    return change / fmax(total, STILL);
}
