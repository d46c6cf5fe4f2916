/* SPDX-License-Identifier: MIT */
/* residuals.c: what a solution misses: losses of links and outlets against the heads at their ends [m], and the balances of
 * junctions [m3/s]. They are those of the flows that are reported, with the laws evaluated at these very flows (coefficients.c,
 * system.c), and do not depend on how a solution was found.
 */
#include "eps/impl.h"

#include "numeric/vecmath.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Head by which a flow is behind a wall that should not be there [m]: the chord of outlets reaches as far. */
#define OFF_PIECE 1e-4

/* The branch of the largest residual, as a link, or -1. */
static int32_t worst_link(const sl_eps *e) {
    double most = 0.0;
    int32_t at = -1;
    for (int32_t b = 0; b < e->core->n_branch && !isnan(most); b++) {
        double r = e->x.p[b] > 0.0 ? fabs(e->x.miss[b]) : 0.0;
        if (!(r <= most)) {
            most = r;
            at = b;
        }
    }
    return at >= 0 ? sl_eps_branch_link(e, at) : -1;
}

/* Stands the flow of an outlet behind a wall of its law although the head does not press it there? */
static bool off_piece(const sl_eps *e, const sl_eps_state *s, int32_t o) {
    const sl_eps_model *m = e->m;
    int32_t node = m->outlet_node[o];
    double p = s->head[node] - m->outlet_zero[o], q = s->outlet_flow[o];
    bool demand = m->outlet_kind[o] == SL_OUTLET_DEMAND;
    return (q < 0.0 && p > OFF_PIECE && !m->outlet[o].both_ways) ||
           (demand && q > s->wanted[node] && p < m->demand.range - OFF_PIECE);
}

/* On the steep pieces of an outlet's law a metre of head is a flow that nobody sees: it is weighed by what it would change. */
static SL_INLINE double outlet_weight(double p) {
    double weight = p * 1e6;
    return weight < 1.0 ? weight : 1.0;
}

/* Outlets side by side: the largest of each strand is independent of the others, so that vectors keep all. */
enum { STRANDS = 8 };

/* Takes the residual of an outlet in. wanted: the full demand, 0: nothing is asked for, or it is cut off. *unsure: it may stand off its
 * piece, or is no number. */
static SL_INLINE void see_outlet(double *most, double *unsure, double range, double p, double wanted, double h,
                                 double conductance, double q) {
    double r = fabs(h - p) * outlet_weight(conductance);
    int off =
        ((q < 0.0) & (p > OFF_PIECE)) | ((wanted > 0.0) & (q > wanted) & (p < range - OFF_PIECE)) | !(r <= DBL_MAX);
    *unsure = (off & (wanted != 0.0)) ? 1.0 : *unsure;
    *most = ((wanted != 0.0) & (r > *most)) ? r : *most;
}

/* The largest residual of n outlets, none of which stands off its piece. A negative number: one may, or one is no number. */
SL_SIMD(double, outlet_residual,
        (int32_t n, double range, const int32_t *restrict node, const double *restrict zero,
         const double *restrict head, const double *restrict full, const double *restrict h,
         const double *restrict conductance, const double *restrict q),
        (n, range, node, zero, head, full, h, conductance, q)) {
    double most[STRANDS] = {0}, unsure[STRANDS] = {0};
    int32_t o = 0;
    for (; o + STRANDS <= n; o += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            see_outlet(&most[l], &unsure[l], range, head[node[o + l]] - zero[o + l], full[o + l], h[o + l],
                       conductance[o + l], q[o + l]);
        }
    }
    for (int l = 0; o < n; o++, l++) {
        see_outlet(&most[l], &unsure[l], range, head[node[o]] - zero[o], full[o], h[o], conductance[o], q[o]);
    }
    for (int l = 1; l < STRANDS; l++) {
        most[0] = most[l] > most[0] ? most[l] : most[0];
        unsure[0] = unsure[l] > 0.0 ? unsure[l] : unsure[0];
    }
    return unsure[0] > 0.0 ? -1.0 : most[0];
}

sl_eps_residual sl_eps_head_residual(const sl_eps *e, const sl_eps_state *s, bool name, int32_t *worst) {
    const sl_eps_model *m = e->m;
    sl_eps_residual res = e->x.residual;
    *worst = name ? worst_link(e) : -1;
    double most = name ? -1.0
                       : outlet_residual(m->n_outlet, m->demand.range, m->outlet_node, m->outlet_zero, s->head,
                                         e->w.full, e->w.oh, e->w.op, s->outlet_flow);
    if (most >= 0.0) {
        res.head = most > res.head ? most : res.head;
        return res;
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        if (e->w.op[o] == 0.0 || s->cut_off[node]) {
            continue;
        }
        double r = fabs(e->w.oh[o] - (s->head[node] - m->outlet_zero[o]));
        r *= off_piece(e, s, o) ? 1.0 : outlet_weight(e->w.op[o]);
        if (!(r <= res.head) && !isnan(res.head)) {
            res.head = r;
            *worst = -2 - node;
        }
    }
    return res;
}

/* What reservoirs and tanks give and take, each as a whole: water that enters one by a pipe and leaves by a pump does not count as
 * the network's inflow. */
static double exchanged(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    int32_t first = e->m->net->n_junction, n = e->m->net->n_reservoir + e->m->net->n_tank;
    double sum = 0.0;
    memset(e->x.given_by, 0, (size_t)n * sizeof *e->x.given_by);
    for (int32_t i = 0; i < c->n_feed; i++) {
        int32_t b = c->feed[i];
        double q = b < c->n_chain ? e->x.q[b] : s->flow[c->single[b - c->n_chain]];
        if (c->from[b] >= first) {
            e->x.given_by[c->from[b] - first] += q;
        } else {
            e->x.given_by[c->to[b] - first] -= q - e->x.drawn[b];
        }
    }
    for (int32_t i = 0; i < n; i++) {
        sum += fabs(e->x.given_by[i]);
    }
    return sum;
}

double sl_eps_mass_residual(sl_eps *e, const sl_eps_state *s, double dt, int32_t *worst, double *through) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_network *net = m->net;
    double *sum = e->x.rhs, most = 0.0;
    memcpy(sum, e->x.load, (size_t)c->n_unknown * sizeof *sum);
    for (int32_t b = 0; b < c->n_chain; b++) {
        sum[c->u[b]] -= e->x.q[b];
        sum[c->v[b]] += e->x.q[b] - e->x.drawn[b];
    }
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        double q = s->flow[c->single[b - c->n_chain]];
        sum[c->u[b]] -= q;
        sum[c->v[b]] += q;
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        sum[c->unknown[m->outlet_node[o]]] -= s->outlet_flow[o];
    }
    sum[c->given] = 0.0;
    for (int32_t i = 0; i < net->n_tank; i++) {
        double v = sl_tank_volume(&m->tank[i], s->head[sl_first_tank(net) + i]);
        sum[c->tank_unknown[i]] -= e->w.free_tank[i] ? (v - s->volume[i]) / dt : sum[c->tank_unknown[i]];
    }
    *worst = -1;
    for (int32_t u = 0; u < c->n_unknown; u++) {
        if (!(fabs(sum[u]) <= most)) {
            most = fabs(sum[u]);
            *worst = c->node[u];
        }
    }
    *through = exchanged(e, s);
    return most;
}
