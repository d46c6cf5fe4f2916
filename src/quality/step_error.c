/* SPDX-License-Identifier: MIT */
/* step_error.c: the error of an explicit quality step for what reacts in it.
 *
 * An explicit step of length dt errs, per step, by about (s dt)^2 / 2 of the concentration, where s is the slope dr/dc of the
 * rate: for decay of first order the coefficient itself. Of s dt = 0.1 a passage of many steps loses some 5 % of its
 * logarithm: e^(-1) becomes e^(-1.05).
 */
#include "quality/impl.h"

#include <math.h>

/* The largest concentration that the model names: where kinetics of higher order are fastest. */
static double highest_concentration(const sl_network *net) {
    double c = 0.0;
    for (int32_t i = 0; i < net->n_node; i++) {
        c = fmax(c, net->node_quality[i]);
    }
    for (int32_t i = 0; i < net->n_source; i++) {
        c = net->sources[i].kind == SL_SOURCE_MASS ? c : fmax(c, net->sources[i].strength);
    }
    return c > 0.0 ? c : 1.0;
}

static double rate_slope(const sl_kinetics *x, double k, double c) {
    const double h = 1e-6;
    return k == 0.0 ? 0.0 : fabs(sl_bulk_rate(x, k, c * (1.0 + h)) - sl_bulk_rate(x, k, c)) / (c * h);
}

double sl_quality_step_error(const sl_quality *q, int32_t *row) {
    const sl_quality_model *m = q->m;
    const sl_network *net = m->net;
    double worst = 0.0, c = highest_concentration(net);
    *row = -1;
    for (int32_t k = 0; m->bulk && k < net->n_pipe; k++) {
        double wall = m->wall[k] != 0.0 && net->quality.wall_order == 1 ? fabs(q->apparent[k]) : 0.0;
        double x = m->step * (rate_slope(&m->kinetics, m->bulk[k], c) + wall);
        if (x > worst) {
            worst = x;
            *row = k;
        }
    }
    for (int32_t i = 0; m->tank_bulk && i < net->n_tank; i++) {
        double x = m->step * rate_slope(&m->tank_kinetics, m->tank_bulk[i], c);
        if (x > worst) {
            worst = x;
            *row = net->n_link + i;
        }
    }
    return m->exact ? 0.0 : worst;
}
