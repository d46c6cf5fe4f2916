/* SPDX-License-Identifier: MIT */
/* system.c: the linear system of a Newton trial: put together, solved, and what follows from it.
 *
 * It is a system for the change of the heads, not for the heads: its right side is what is missing in each node's balance
 * with the linearised flows at the present heads. Flows then balance to the precision of flows; from heads of a hundred
 * metres and conductances of a million they would not.
 */
#include "eps/impl.h"

#include "base/bytes.h"
#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

/* Flows that sum to less than this are none [m3/s]. */
#define STILL 1e-6

/* ---- Heads that are given ----------------------------------------------------------------------- */

/* The unknowns at the ends of the branches, and their places in the matrix: what a given head would add goes to the
 * unknown that stands for all of these, and to a place behind the matrix, in the scratch of the factorisation. */
static void place_branches(sl_eps *e) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    if (x->placed && sl_same_bytes(x->pin, x->was_pin, (size_t)c->n_unknown)) {
        return;
    }
    int32_t given = c->given, behind = (int32_t)sl_ldl_size(c->ldl);
    for (int32_t b = 0; b < c->n_branch; b++) {
        int32_t u = c->u[b], v = c->v[b];
        x->u[b] = x->pin[u] ? given : u;
        x->v[b] = x->pin[v] ? given : v;
        x->place[b] = x->pin[u] || x->pin[v] ? behind : c->slot[b];
    }
    memcpy(x->was_pin, x->pin, (size_t)c->n_unknown);
    x->n_pinned = 0;
    for (int32_t u = 0; u < c->n_unknown; u++) {
        if (x->pin[u]) {
            x->pinned[x->n_pinned++] = u;
        }
    }
    x->placed = true;
}

bool sl_eps_pin_heads(sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    const sl_network *net = e->m->net;
    uint8_t *pin = e->x.pin;
    bool moved = false;
    memset(pin, 0, (size_t)c->n_unknown);
    pin[c->given] = 1;
    for (int32_t i = 0; i < e->w.n_cut; i++) {
        int32_t u = c->unknown[e->w.cut[i]];
        if (u >= 0) {
            pin[u] = 1;
        }
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        pin[c->tank_unknown[i]] = !e->w.free_tank[i];
    }
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        int32_t k = e->m->regulator[r];
        if (s->status[k] == SL_STATUS_ACTIVE) {
            int32_t node = sl_valve_kind_of(net, k) == SL_PRV ? net->link_to[k] : net->link_from[k];
            if (!pin[c->unknown[node]]) {
                double head = sl_eps_valve_head(net, s, k);
                pin[c->unknown[node]] = 1;
                moved |= s->head[node] != head;
                s->head[node] = head;
            }
        }
    }
    place_branches(e);
    return moved;
}

/* ---- The system --------------------------------------------------------------------------------- */

enum { STRANDS = 8 };

/* Largest values in strands: the same bits whatever the width of vectors. */
typedef struct strands {
    double head[STRANDS], flow[STRANDS], all[STRANDS];
} strands;

static SL_INLINE void largest_change(double *restrict most, double *restrict flow, double *restrict all, double miss,
                                     double noise, double p, double q, double end) {
    double r = fabs(miss) - noise;
    r = r > 0.0 ? r : r <= 0.0 ? 0.0 : r; /* what is not a number stays so */
    r = p > 0.0 ? r : 0.0;
    double f = r * p, a = fabs(q), b = fabs(end);
    a = a > b ? a : b;
    a = p > 0.0 ? a : 0.0;
    *most = r <= *most ? *most : r;
    *flow = f > *flow ? f : *flow;
    *all = a > *all ? a : *all;
}

/* The same as linearise, with the largest residuals on the way. Where a law is flat (a pump at its shut-off head) little head
 * may still be much flow. A chain counts as one: its pipes share what it misses. */
SL_SIMD(void, linearise_and_measure,
        (int32_t n, const int32_t *restrict from, const int32_t *restrict to, const double *restrict head,
         double rounding, const double *restrict h, const double *restrict p, const double *restrict q,
         const double *restrict drawn, double *restrict miss, double *restrict y, strands *restrict out),
        (n, from, to, head, rounding, h, p, q, drawn, miss, y, out)) {
    double most[STRANDS] = {0}, flow[STRANDS] = {0}, all[STRANDS] = {0};
    int32_t b = 0;
    for (; b + STRANDS <= n; b += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            double h1 = head[from[b + l]], h2 = head[to[b + l]], lost = h[b + l] - (h1 - h2);
            miss[b + l] = lost;
            y[b + l] = q[b + l] - p[b + l] * lost;
            largest_change(&most[l], &flow[l], &all[l], lost, rounding * (fabs(h1) + fabs(h2)), p[b + l], q[b + l],
                           q[b + l] - drawn[b + l]);
        }
    }
    for (int l = 0; b < n; b++, l++) {
        double h1 = head[from[b]], h2 = head[to[b]], lost = h[b] - (h1 - h2);
        miss[b] = lost;
        y[b] = q[b] - p[b] * lost;
        largest_change(&most[l], &flow[l], &all[l], lost, rounding * (fabs(h1) + fabs(h2)), p[b], q[b],
                       q[b] - drawn[b]);
    }
    memcpy(out->head, most, sizeof most);
    memcpy(out->flow, flow, sizeof flow);
    memcpy(out->all, all, sizeof all);
}

SL_SIMD(void, linearise,
        (int32_t n, const int32_t *restrict from, const int32_t *restrict to, const double *restrict head,
         const double *restrict h, const double *restrict p, const double *restrict q, double *restrict miss,
         double *restrict y),
        (n, from, to, head, h, p, q, miss, y)) {
#pragma omp simd
    for (int32_t b = 0; b < n; b++) {
        double lost = h[b] - (head[from[b]] - head[to[b]]);
        miss[b] = lost;
        y[b] = q[b] - p[b] * lost;
    }
}

SL_SIMD(void, linearise_outlets,
        (int32_t n, const int32_t *restrict node, const double *restrict zero, const double *restrict head,
         const double *restrict q, const double *restrict h, const double *restrict p, double *restrict y),
        (n, node, zero, head, q, h, p, y)) {
#pragma omp simd
    for (int32_t o = 0; o < n; o++) {
        double lost = h[o] - (head[node[o]] - zero[o]), to = q[o] - p[o] * lost;
        y[o] = p[o] > 0.0 ? to : 0.0;
    }
}

static sl_eps_residual largest_of(const strands *x) {
    sl_eps_residual res = {0};
    for (int l = 0; l < STRANDS; l++) {
        res.head = isnan(res.head) || x->head[l] <= res.head ? res.head : x->head[l];
        res.flow = fmax(res.flow, x->flow[l]);
        res.largest = fmax(res.largest, x->all[l]);
    }
    return res;
}

void sl_eps_linearise(sl_eps *e, const sl_eps_state *s, bool with_largest) {
    const sl_eps_core *c = e->core;
    sl_eps_numbers *x = &e->x;
    strands most = {0};
    if (with_largest) {
        linearise_and_measure(c->n_chain, c->from, c->to, s->head, x->rounding, x->h, x->p, x->q, x->drawn, x->miss,
                              x->y, &most);
    } else {
        linearise(c->n_chain, c->from, c->to, s->head, x->h, x->p, x->q, x->miss, x->y);
    }
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        double h1 = s->head[c->from[b]], h2 = s->head[c->to[b]];
        x->miss[b] = x->p[b] > 0.0 ? x->h[b] - (h1 - h2) : 0.0;
        x->y[b] = x->p[b] > 0.0 ? x->q[b] - x->p[b] * x->miss[b] : x->y[b];
        if (with_largest) {
            largest_change(&most.head[0], &most.flow[0], &most.all[0], x->miss[b], x->rounding * (fabs(h1) + fabs(h2)),
                           x->p[b], x->q[b], x->q[b]);
        }
    }
    if (with_largest) {
        x->residual = largest_of(&most);
    }
    linearise_outlets(e->m->n_outlet, e->m->outlet_node, e->m->outlet_zero, s->head, s->outlet_flow, e->w.oh, e->w.op,
                      e->w.oy);
}

/* The diagonal and the right side of a row side by side: what a branch adds to both is one addition. */
static void add_branches(const sl_eps *e, double *restrict a, sl_two *restrict row) {
    const sl_eps_numbers *x = &e->x;
    const double *restrict p = x->p, *restrict y = x->y, *restrict drawn = x->drawn;
    const int32_t *restrict u = x->u, *restrict v = x->v, *restrict place = x->place;
    for (int32_t b = 0; b < e->core->n_branch; b++) {
        row[u[b]] += (sl_two){p[b], -y[b]};
        row[v[b]] += (sl_two){p[b], y[b] - drawn[b]};
        a[place[b]] -= p[b];
    }
    const double *restrict op = e->w.op, *restrict oy = e->w.oy;
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        row[x->outlet_u[o]] += (sl_two){op[o], -oy[o]};
    }
}

static void assemble(sl_eps *e, const sl_eps_state *s, double dt) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_network *net = m->net;
    sl_eps_numbers *x = &e->x;
    double *restrict a = sl_ldl_matrix(c->ldl, x->ldl), *restrict base = x->base;
    sl_two *restrict row = x->row;
    int32_t n = c->n_unknown;
    memset(a + n, 0, (size_t)(sl_ldl_size(c->ldl) - n) * sizeof *a);
    for (int32_t u = 0; u < n; u++) {
        row[u] = (sl_two){0.0, x->load[u]};
    }
    add_branches(e, a, row);
    for (int32_t u = 0; u < n; u++) {
        a[u] = row[u][0];
        base[u] = row[u][1];
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (e->w.free_tank[i]) { /* net inflow = (V(H) - V0) / dt */
            double h = s->head[sl_first_tank(net) + i];
            a[c->tank_unknown[i]] += sl_tank_surface(&m->tank[i], h) / dt;
            base[c->tank_unknown[i]] += (s->volume[i] - sl_tank_volume(&m->tank[i], h)) / dt;
        }
    }
    int32_t first = m->at_start[sl_first_tank(net)];
    for (int32_t at = first; at < m->at_start[net->n_node]; at++) {
        e->w.tank_p[at - first] = x->p[c->branch_of[m->at_link[at]]];
    }
    for (int32_t i = 0; i < x->n_pinned; i++) {
        a[x->pinned[i]] = 1.0;
        base[x->pinned[i]] = 0.0;
    }
}

/* Marks the unknowns that links and outlets of more than this conductance connect with a given head. */
static void mark_anchored(const sl_eps *e, double least, double *anchored) {
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    memset(anchored, 0, (size_t)c->n_unknown * sizeof *anchored);
    anchored[c->given] = 1.0;
    for (int32_t i = 0; i < x->n_pinned; i++) {
        anchored[x->pinned[i]] = 1.0;
    }
    for (int32_t i = 0; i < e->m->net->n_tank; i++) {
        anchored[c->tank_unknown[i]] = 1.0;
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        anchored[c->unknown[e->m->outlet_node[o]]] += e->w.op[o] > least ? 1.0 : 0.0;
    }
    for (bool again = true; again;) { /* seldom needed, and seldom many times */
        again = false;
        for (int32_t b = 0; b < c->n_branch; b++) {
            double *u = &anchored[x->u[b]], *v = &anchored[x->v[b]];
            if (x->p[b] > least && (*u > 0.0) != (*v > 0.0)) {
                *u = *v = 1.0;
                again = true;
            }
        }
    }
}

/* A part that hangs on so much of the largest conductance is not singular. */
#define HANGS 1e-12

/* A part that hangs on the rest by a conductance a million million times less than its own (a pump of constant power or a pressure
 * breaker near rest, demands that take nothing) is singular to rounding. Its links that conduct much more than the weakest one are
 * then taken as if they conducted less, and if that does not help those of all parts: the step is still one towards the
 * solution, and what counts as balanced does not depend on how it was found. */
static bool factor(sl_eps *e, const sl_eps_state *s, double dt, int32_t *unfit) {
    sl_eps_numbers *x = &e->x;
    static const double contrasts[] = {1e12, 1e9, 1e6, 1e3, 1.0};
    int32_t n = e->core->n_branch;
    for (int i = 0;; i++) {
        *unfit = sl_ldl_factor(e->core->ldl, x->ldl);
        if (*unfit < 0 || i == 5) {
            return *unfit < 0;
        }
        double weakest = (double)INFINITY, strongest = 0.0;
        sl_eps_coefficients(e, s);
        for (int32_t b = 0; b < n; b++) {
            weakest = x->p[b] > 0.0 ? fmin(weakest, x->p[b]) : weakest;
            strongest = fmax(strongest, x->p[b]);
        }
        for (int32_t o = 0; o < e->m->n_outlet; o++) {
            weakest = e->w.op[o] > 0.0 ? fmin(weakest, e->w.op[o]) : weakest;
        }
        double most = contrasts[i] * weakest;
        mark_anchored(e, e->w.wide ? most : fmin(most, HANGS * strongest), x->rhs);
        bool all = x->rhs[*unfit] > 0.0;
        for (int32_t b = 0; b < n; b++) {
            x->p[b] = all || !(x->rhs[x->u[b]] > 0.0) ? fmin(x->p[b], most) : x->p[b];
        }
        sl_eps_linearise(e, s, false);
        assemble(e, s, dt);
    }
}

SL_SIMD(int, any_not_finite, (int32_t n, const double *restrict x), (n, x)) {
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < n; i++) {
        any |= !(0.0 * x[i] == 0.0);
    }
    return any;
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
    if (any_not_finite(c->n_unknown, e->x.rhs)) { /* heads stay: those of tanks are given */
        return false;
    }
    for (int32_t u = 0; u < c->n_unknown; u++) {
        s->head[c->node[u]] += e->x.rhs[u];
    }
    return true;
}

/* ---- What follows ------------------------------------------------------------------------------- */

/* Moves the flows of n chains; adds up by how much, weighed by their lengths, in strands, and finds the largest move of each strand: the same bits whatever the
 * width of vectors. */
SL_SIMD(void, move,
        (int32_t n, const int32_t *restrict u, const int32_t *restrict v, const double *restrict rhs,
         const double *restrict p, const double *restrict y, const double *restrict length, double relax,
         double *restrict q, double *restrict moved, double *restrict sum, double *restrict most),
        (n, u, v, rhs, p, y, length, relax, q, moved, sum, most)) {
    int32_t b = 0;
    for (; b + STRANDS <= n; b += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            double dq = (y[b + l] + p[b + l] * (rhs[u[b + l]] - rhs[v[b + l]]) - q[b + l]) * relax;
            q[b + l] += dq;
            moved[b + l] = dq;
            sum[l] += length[b + l] * fabs(dq);
            most[l] = fabs(dq) > most[l] ? fabs(dq) : most[l];
        }
    }
    for (int l = 0; b < n; b++, l++) {
        double dq = (y[b] + p[b] * (rhs[u[b]] - rhs[v[b]]) - q[b]) * relax;
        q[b] += dq;
        moved[b] = dq;
        sum[l] += length[b] * fabs(dq);
        most[l] = fabs(dq) > most[l] ? fabs(dq) : most[l];
    }
}

/* Of the chains. */
static double move_chains(sl_eps *e, double relax, double *most) {
    sl_eps_numbers *x = &e->x;
    const sl_eps_core *c = e->core;
    double sum[STRANDS] = {0}, largest[STRANDS] = {0}, *before = x->moved_before;
    x->moved_before = x->moved;
    x->moved = before;
    move(c->n_chain, x->u, x->v, x->rhs, x->p, x->y, c->length, relax, x->q, x->moved, sum, largest);
    for (int l = 0; l < STRANDS; l++) {
        *most = fmax(*most, largest[l]);
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

/* The same of n outlets; full: 0 where nothing flows. sum: of their moves and, from STRANDS on, of their flows. */
SL_SIMD(void, move_outlets,
        (int32_t n, const int32_t *restrict u, const double *restrict rhs, const double *restrict full,
         const double *restrict p, const double *restrict y, double relax, double *restrict q, double *restrict sum,
         double *restrict most),
        (n, u, rhs, full, p, y, relax, q, sum, most)) {
    int32_t o = 0;
    for (; o + STRANDS <= n; o += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            double to = full[o + l] != 0.0 ? y[o + l] + p[o + l] * rhs[u[o + l]] : 0.0, dq = (to - q[o + l]) * relax;
            q[o + l] += dq;
            sum[l] += fabs(dq);
            sum[STRANDS + l] += fabs(q[o + l]);
            most[l] = fabs(dq) > most[l] ? fabs(dq) : most[l];
        }
    }
    for (int l = 0; o < n; o++, l++) {
        double to = full[o] != 0.0 ? y[o] + p[o] * rhs[u[o]] : 0.0, dq = (to - q[o]) * relax;
        q[o] += dq;
        sum[l] += fabs(dq);
        sum[STRANDS + l] += fabs(q[o]);
        most[l] = fabs(dq) > most[l] ? fabs(dq) : most[l];
    }
}

static double move_all_outlets(sl_eps *e, sl_eps_state *s, double relax, double *most, double *total) {
    double sum[2 * STRANDS] = {0}, largest[STRANDS] = {0}, change = 0.0;
    move_outlets(e->m->n_outlet, e->x.outlet_u, e->x.rhs, e->w.full, e->w.op, e->w.oy, relax, s->outlet_flow, sum,
                 largest);
    for (int l = 0; l < STRANDS; l++) {
        change += sum[l];
        *total += sum[STRANDS + l];
        *most = fmax(*most, largest[l]);
    }
    return change;
}

double sl_eps_new_flows(sl_eps *e, sl_eps_state *s, double relax, double *most) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    *most = 0.0;
    double change = move_chains(e, relax, most), total = sl_eps_chains_spread(e);
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        int32_t k = c->single[b - c->n_chain];
        if (x->p[b] == 0.0 && sl_eps_holds_head(m->net, s, k)) {
            total += fabs(s->flow[k]); /* its flow is there already */
            continue;
        }
        double dq = (x->y[b] + x->p[b] * (x->rhs[x->u[b]] - x->rhs[x->v[b]]) - x->q[b]) * relax;
        s->flow[k] += dq;
        change += fabs(dq);
        total += fabs(s->flow[k]);
        *most = fabs(dq) > *most ? fabs(dq) : *most;
    }
    change += move_all_outlets(e, s, relax, most, &total);
    return change / fmax(total, STILL);
}
