/* SPDX-License-Identifier: MIT */
/* friction.c: friction in segments: steady, quasi-steady, and the terms of unsteady friction.
 *
 * Friction over the way a wave goes in a step is h = r(Q) Q + u. r is that of the steady start or of the network's law at
 * the present flow. u is the unsteady part, one number per point and step:
 *
 *   acceleration  u = (k B/2) sgn(Q) max(0, sgn(Q) dQ/dt dt + |dQ/dx| dx), at most B|Q|. Vitkovsky's form of Brunone's term;
 *                 the bounds keep it from putting energy in where waves overlap
 *   convolution   u = (16 nu a dt/(g D^2 A)) sum y_k, y_k <- y_k e^(-n_k dtau) + m_k (1 - e^(-n_k dtau))/(n_k dtau) dQ, with
 *                 dtau = 4 nu dt/D^2: Zielke's weights (laminar, Kagawa's fit) or Vardy and Brown's (turbulent smooth)
 *   rthym-filter  u = k (a/g)(dt/0.01 s)(V - Vf), Vf a low-pass of V: no friction law, see the header
 *
 * A point gives the same u to what leaves it both ways: a kick to the flow that leaves the head alone, so that no water is
 * lost (docs/theory/surge.md, "What is conserved").
 */
#include "surge/points.h"

#include "base/simd.h"
#include "laws/constants.h"
#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

enum { RE_LAMINAR = 2000, N_TERM = 10 };

/* ---- Steady and quasi-steady -------------------------------------------------------------------- */

SL_SIMD(void, slope_hw, (int64_t n, double resistance, double minor, const double *restrict q, double *restrict r),
        (n, resistance, minor, q, r)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        double a = fabs(q[i]);
        r[i] = resistance * sl_vec_power(a, SL_HW_EXPONENT - 1.0) + minor * a;
    }
}

static void slope_square(int64_t n, double k, const double *restrict q, double *restrict r) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        r[i] = k * fabs(q[i]);
    }
}

void sl_surge_slope(const sl_surge_model *m, const sl_surge_loss *loss, int64_t n, const double *q, double *r) {
    bool steady = m->def.friction == SL_SURGE_STEADY || m->def.friction == SL_SURGE_RTHYM_FILTER;
    sl_headloss law = m->net->hydraulics.headloss;
    if (steady) {
        slope_square(n, loss->steady, q, r);
    } else if (law == SL_HAZEN_WILLIAMS) {
        slope_hw(n, loss->resistance, loss->minor, q, r);
    } else if (law == SL_CHEZY_MANNING) {
        slope_square(n, loss->resistance + loss->minor, q, r);
    } else {
        sl_pipe_slopes_dw(n, loss->resistance, loss->minor, loss->relative, loss->re_scale, q, r);
    }
}

/* ---- Unsteady ----------------------------------------------------------------------------------- */

static const double laminar_n[N_TERM] = {26.3744, 72.8033, 187.424, 536.626, 1570.60,
                                         4618.13, 13601.1, 40082.5, 118153,  348316};
static const double laminar_m[N_TERM] = {1.0,     1.16725, 2.20064, 3.92861, 6.78788,
                                         11.6761, 20.0612, 34.4541, 59.1642, 101.590};
static const double turbulent_n[N_TERM] = {4.78793, 51.0897, 210.868, 765.030, 2731.01,
                                           9731.44, 34668.5, 123511,  440374,  1590300};
static const double turbulent_m[N_TERM] = {5.03392, 6.48760, 10.7735, 19.9040, 37.4754,
                                           70.7117, 133.460, 251.933, 476.597, 932.860};

int32_t sl_surge_friction_memory(const sl_surge_model *m) {
    static const int32_t numbers[SL_SURGE_FRICTION_COUNT] = {
        [SL_SURGE_ACCELERATION] = 1, [SL_SURGE_CONVOLUTION] = N_TERM, [SL_SURGE_RTHYM_FILTER] = 1};
    return numbers[m->def.friction];
}

/* Vardy and Brown's shear decay coefficient, as k = sqrt(C)/2. */
static double vardy_brown(double re) {
    double c = re <= RE_LAMINAR ? 0.00476 : 7.41 / pow(re, log10(14.3 / pow(re, 0.05)));
    return 0.5 * sqrt(c);
}

void sl_surge_friction_prepare(const sl_surge_model *m, sl_surge_segment *g) {
    double nu = m->fluid.viscosity, v = fabs(g->flow) / g->area, re = v * g->diameter / nu;
    if (m->def.friction == SL_SURGE_ACCELERATION) {
        g->k_u = isnan(m->def.friction_k) ? vardy_brown(re) : m->def.friction_k;
    }
    if (m->def.friction == SL_SURGE_CONVOLUTION) {
        double dtau = 4.0 * nu * m->dt / (g->diameter * g->diameter);
        bool laminar = re <= RE_LAMINAR;
        double b = laminar ? 0.0 : pow(re, log10(15.29 / pow(re, 0.0567))) / 12.86, a = laminar ? 1.0 : 0.28209;
        for (int i = 0; i < N_TERM; i++) {
            double n = (laminar ? laminar_n[i] : turbulent_n[i]) + b, x = n * dtau;
            g->decay[i] = exp(-x);
            g->weight[i] = a * (laminar ? laminar_m[i] : turbulent_m[i]) * -expm1(-x) / x;
        }
        g->k_u = 16.0 * nu * g->a * m->dt / (m->fluid.gravity * g->diameter * g->diameter * g->area);
    }
}

/* Inner points only, which stand for the whole pipe: at its ends a term that acts on one wave alone would make water. */
static double share(const sl_surge_segment *g) {
    return g->n > 1 ? (double)g->n / (double)(g->n - 1) : 0.0;
}

static double flow_at(const sl_surge_run *e, const sl_surge_segment *g, int32_t j) {
    return sl_surge_flow_at(e->m, e->before, g, g->cell + j);
}

static void acceleration(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end, double *forth,
                         double *back) {
    const double *change = e->before->memory + g->cell;
    double k = 0.5 * g->k_u * share(g);
    for (int32_t j = begin > 1 ? begin : 1; j < end && j < g->n; j++) {
        double q = flow_at(e, g, j), left = fabs(q - flow_at(e, g, j - 1)), right = fabs(flow_at(e, g, j + 1) - q);
        double sign = q > 0.0 ? 1.0 : q < 0.0 ? -1.0 : 0.0;
        double u = k * fmax(0.0, sign * change[j] + g->courant * 0.5 * (left + right));
        u = sign * g->b * fmin(u, fabs(q));
        forth[j - begin] -= u;
        back[j - begin] += u;
    }
}

static void convolution(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end,
                        double *restrict forth, double *restrict back) {
    const double *restrict pull = e->before->pull + g->cell;
    double k_u = g->k_u * share(g);
    int32_t first = begin > 1 ? begin : 1, last = end < g->n ? end : g->n;
#pragma omp simd
    for (int32_t j = first; j < last; j++) {
        forth[j - begin] -= k_u * pull[j];
        back[j - begin] += k_u * pull[j];
    }
}

/* Its figures come from a program that works in feet: 0.01 s, and Re of the pipe's middle. */
static void filter(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end, double *forth,
                   double *back) {
    const sl_surge_model *m = e->m;
    const double *slow = e->before->memory + g->cell;
    double v = fabs(flow_at(e, g, g->n / 2)) / g->area, re = v * g->diameter / m->fluid.viscosity;
    double k = re > 100.0 ? 7.41 * pow(re, -0.352) / sqrt(SL_PI) : 0.0;
    double scale = k * g->a / m->fluid.gravity * (m->dt / 0.01) / g->area;
    for (int32_t j = begin; j < end; j++) {
        double u = scale * (flow_at(e, g, j) - slow[j]);
        forth[j - begin] -= u;
        back[j - begin] += u;
    }
}

void sl_surge_friction_leave(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end,
                             double *forth, double *back) {
    static void (*const terms[SL_SURGE_FRICTION_COUNT])(const sl_surge_run *, const sl_surge_segment *, int32_t,
                                                        int32_t, double *, double *) = {
        [SL_SURGE_ACCELERATION] = acceleration, [SL_SURGE_CONVOLUTION] = convolution, [SL_SURGE_RTHYM_FILTER] = filter};
    if (terms[e->m->def.friction]) {
        terms[e->m->def.friction](e, g, begin, end, forth, back);
    }
}

/* The memory of convolution lies in blocks of eight cells, term by term, so that a step reads and writes it once. n changes of flow
 * from the first cell of a block on, which become the sums of terms. */
enum { EIGHT = 8 };
SL_SIMD(void, convolve,
        (int64_t n_block, const double *restrict decay, const double *restrict weight, const double *restrict from,
         double *restrict to, double *restrict change, double *restrict sum),
        (n_block, decay, weight, from, to, change, sum)) {
    for (int64_t k = 0; k < n_block; k++) {
        const double *restrict x = from + k * EIGHT * N_TERM, *restrict dq = change + k * EIGHT;
        double *restrict y = to + k * EIGHT * N_TERM;
        double all[EIGHT] = {0};
        for (int t = 0; t < N_TERM; t++) {
#pragma omp simd
            for (int l = 0; l < EIGHT; l++) {
                double now = x[t * EIGHT + l] * decay[t] + weight[t] * dq[l];
                y[t * EIGHT + l] = now;
                all[l] += now;
            }
        }
#pragma omp simd
        for (int l = 0; l < EIGHT; l++) {
            sum[k * EIGHT + l] = all[l];
        }
    }
}

SL_SIMD(void, changes,
        (int64_t n, double admits, const double *restrict plus, const double *restrict minus,
         const double *restrict ease, const double *restrict old_plus, const double *restrict old_minus,
         const double *restrict old_ease, double *restrict change),
        (n, admits, plus, minus, ease, old_plus, old_minus, old_ease, change)) {
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        change[i] = 0.5 * admits * ((plus[i] - minus[i]) * ease[i] - (old_plus[i] - old_minus[i]) * old_ease[i]);
    }
}

/* Whole blocks from row begin on, which begins one; what comes after the last row is not used. */
static void remember_terms(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end) {
    double change[SL_SURGE_TILE + EIGHT];
    const sl_surge_state *b = e->before, *s = e->now;
    int64_t i = g->cell + begin, n = end - begin;
    memset(change + n, 0, EIGHT * sizeof *change);
    if (e->m->implicit > 0.0) {
        changes(n, 1.0 / g->b, s->plus + i, s->minus + i, s->ease + i, b->plus + i, b->minus + i, b->ease + i, change);
    } else {
        for (int64_t k = 0; k < n; k++) {
            change[k] = sl_surge_flow_at(e->m, s, g, i + k) - sl_surge_flow_at(e->m, b, g, i + k);
        }
    }
    convolve((n + EIGHT - 1) / EIGHT, g->decay, g->weight, b->memory + i * N_TERM, s->memory + i * N_TERM, change,
             s->pull + i);
}

void sl_surge_friction_remember(const sl_surge_run *e, const sl_surge_segment *g, int32_t begin, int32_t end) {
    const sl_surge_model *m = e->m;
    double *to = e->now->memory + g->cell, part = fmin(m->dt / m->def.filter_time, 1.0);
    const double *from = e->before->memory + g->cell;
    if (m->def.friction == SL_SURGE_CONVOLUTION) {
        if (begin > 0 && begin < g->n) {
            remember_terms(e, g, begin, end);
        }
        return;
    }
    for (int32_t j = begin; j < end; j++) {
        double q = sl_surge_flow_at(m, e->now, g, g->cell + j);
        to[j] = m->def.friction == SL_SURGE_ACCELERATION ? q - flow_at(e, g, j) : from[j] + part * (q - from[j]);
    }
}
