/* SPDX-License-Identifier: MIT */
/* network_values.c: a network's values in the units and by the conventions of results; see network_values.h.
 *
 * A long run shows far more numbers than it computes, so loops over elements of one kind are such that the compiler makes vector code
 * of them.
 */
#include "results/network_values.h"

#include <math.h>
#include <string.h>

#include "numeric/vecmath.h"

sl_network_values sl_network_values_of(const sl_network *net, const sl_unit_system *units, bool si) {
    sl_network_values v = {.net = net};
    bool darcy = net->hydraulics.headloss == SL_DARCY_WEISBACH;
    sl_epanet_factors(units, v.factor);
    for (int q = 0; si && q < SL_Q_COUNT; q++) {
        v.factor[q] = 1.0;
    }
    v.roughness = darcy && !si ? SL_EPANET_FOOT : 1.0;
    return v;
}

SL_SIMD(void, multiply, (const double *restrict x, int32_t n, double by, double *restrict to), (x, n, by, to)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        to[i] = x[i] * by;
    }
}

SL_SIMD(void, multiply_size, (const double *restrict x, int32_t n, double by, double *restrict to), (x, n, by, to)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        to[i] = fabs(x[i]) * by;
    }
}

/* Per 1000 units of length. */
SL_SIMD(void, slopes,
        (int32_t n, const double *restrict x, const double *restrict status, const double *restrict length,
         double *restrict to),
        (n, x, status, length, to)) {
    const double closed = SL_STATUS_CLOSED;
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double slope = 1000.0 * fabs(x[i]) / length[i];
        to[i] = status[i] <= closed ? 0.0 : slope;
    }
}

SL_SIMD(void, roughnesses,
        (int32_t n, const double *restrict x, const double *restrict of_network, double by, double *restrict to),
        (n, x, of_network, by, to)) {
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        double known = x[i] != x[i] ? of_network[i] : x[i];
        to[i] = known * by;
    }
}

static bool is_pump(const sl_network *net, int32_t link) {
    return link >= net->n_pipe && link < net->n_pipe + net->n_pump;
}

static void show_headloss(const sl_network_values *v, const double *x, const double *status, int32_t first, int32_t n,
                          double *to) {
    if (first < v->net->n_pipe) {
        slopes(n, x + first, status + first, v->net->pipe_length + first, to);
        return;
    }
    bool pump = is_pump(v->net, first);
    double unit = v->factor[SL_Q_LENGTH];
    for (int32_t i = 0; i < n; i++) {
        double loss = x[first + i];
        to[i] = status[first + i] <= (double)SL_STATUS_CLOSED ? 0.0 : (pump ? loss : fabs(loss)) / unit;
    }
}

static void show_setting(const sl_network_values *v, const double *x, int32_t first, int32_t n, double *to) {
    const sl_network *net = v->net;
    if (first < net->n_pipe) {
        roughnesses(n, x + first, net->pipe_roughness + first, 1.0 / v->roughness, to);
        return;
    }
    const uint8_t *kind = is_pump(net, first) ? NULL : net->valve_kind + (first - net->n_pipe - net->n_pump);
    for (int32_t i = 0; i < n; i++) {
        double unit = kind ? v->factor[sl_valve_setting_quantity((sl_valve_kind)kind[i])] : 1.0;
        to[i] = (isnan(x[first + i]) ? 0.0 : x[first + i]) / unit;
    }
}

/* What a variable is measured in; NONE: a plain number. */
static sl_quantity unit_of(sl_out_variable variable) {
    switch (variable) {
    case SL_OUT_DEMAND:
    case SL_OUT_FLOW: return SL_Q_FLOW;
    case SL_OUT_HEAD: return SL_Q_LENGTH;
    case SL_OUT_PRESSURE: return SL_Q_PRESSURE;
    case SL_OUT_REACTION: return SL_Q_PER_DAY;
    default: return SL_Q_NONE;
    }
}

void sl_network_values_show(const sl_network_values *v, sl_out_variable variable, const double *x, const double *status,
                            int32_t first, int32_t n, double *to) {
    switch (variable) {
    case SL_OUT_VELOCITY:
        if (is_pump(v->net, first)) {
            memset(to, 0, (size_t)n * sizeof *to);
        } else {
            multiply_size(x + first, n, 1.0 / v->factor[SL_Q_LENGTH], to);
        }
        return;
    case SL_OUT_HEADLOSS: show_headloss(v, x, status, first, n, to); return;
    case SL_OUT_SETTING: show_setting(v, x, first, n, to); return;
    default: multiply(x + first, n, 1.0 / v->factor[unit_of(variable)], to);
    }
}
