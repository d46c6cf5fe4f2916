/* SPDX-License-Identifier: MIT */
/* validate_curves.c: do curves and patterns have the shape that their use needs? See validate.h. */
#include "network/validate.h"

#include "network/words.h"
#include "numeric/curve.h"

#include <math.h>

/* Lines of the points, in the order of the network's curve arrays. */
static bool make_point_lines(sl_validation *v) {
    const sl_network *net = v->net;
    int32_t n = net->n_curve_named, total = net->curve_start[n];
    sl_context *ctx = v->spec->ctx;
    int32_t *at = sl_alloc(ctx, ((size_t)n + 1) * sizeof *at);
    v->point_line = sl_alloc(ctx, ((size_t)total + 1) * sizeof *v->point_line);
    if (at && v->point_line) {
        for (int32_t i = 0; i < n; i++) {
            at[i] = net->curve_start[i];
        }
        for (int64_t i = 0; i < v->spec->point.n; i++) {
            v->point_line[at[v->spec->point.at[i].owner]++] = v->spec->point.at[i].line;
        }
    }
    sl_free(ctx, at, ((size_t)n + 1) * sizeof *at);
    return at && v->point_line;
}

static uint32_t point_line(const sl_validation *v, int32_t curve, int32_t k) {
    const sl_network *net = v->net;
    int32_t first = curve < net->n_curve_named ? curve : net->curve_twin[curve - net->n_curve_named];
    return net->curve_start[first] == net->curve_start[first + 1] ? net->curve_line[curve]
                                                                  : v->point_line[net->curve_start[first] + k];
}

static void curve_report(sl_validation *v, sl_severity severity, sl_code code, int32_t curve, int32_t k, int32_t tok,
                         const char *text) {
    sl_validate_report(v, severity, code, "curve", sl_network_curve_id(v->net, curve), point_line(v, curve, k), tok,
                       NULL, "%s", text);
}

/* The shape of a curve that nothing uses, whatever kind it is declared to be, cannot spoil a simulation. */
static sl_severity severity_of(const sl_network *net, int32_t c) {
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (net->tank_curve[i] == c) {
            return SL_ERROR;
        }
    }
    for (int32_t i = 0; i < net->n_pump; i++) {
        if (net->pump_curve[i] == c) {
            return SL_ERROR;
        }
    }
    return SL_WARNING;
}

static void check_y(sl_validation *v, int32_t c, const double *y, int32_t n) {
    static const char *const falls[SL_CURVE_KIND_COUNT] = {
        [SL_CURVE_VOLUME] = "the volume does not rise with the level",
        [SL_CURVE_HEADLOSS] = "the head loss falls with the flow: the solution may not be unique",
        [SL_CURVE_VALVE] = "the flow coefficient falls with the opening"};
    int kind = v->net->curve_kind[c];
    for (int32_t i = 0; i < n; i++) {
        bool percent = kind == SL_CURVE_EFFICIENCY || kind == SL_CURVE_VALVE;
        if (percent && !(y[i] >= 0.0 && y[i] <= 100.0)) {
            curve_report(v, SL_WARNING, SL_CODE_CURVE_SHAPE, c, i, 2, "a percentage below 0 or above 100");
        }
        bool fall = i > 0 && falls[kind] && (kind == SL_CURVE_VOLUME ? !(y[i] > y[i - 1]) : y[i] < y[i - 1]);
        if (fall) {
            curve_report(v, severity_of(v->net, c), SL_CODE_CURVE_SHAPE, c, i, 2, falls[kind]);
        }
    }
}

static bool check_x(sl_validation *v, int32_t c, const double *x, int32_t n) {
    int32_t fall = sl_curve_first_fall(x, n);
    if (fall == n) {
        return true;
    }
    sl_validate_report(v, SL_ERROR, SL_CODE_CURVE_SHAPE, "curve", sl_network_curve_id(v->net, c),
                       point_line(v, c, fall), 1, "points must be in order of x",
                       x[fall] == x[fall - 1] ? "x stays the same from one point to the next"
                                              : "x goes back from the point before");
    return false;
}

/* One point: its flow and head. Three from flow 0: a power law. Else pieces that fall. */
static const char *pump_curve_fault(const double *q, const double *h, int32_t n) {
    double r, e;
    if (n == 1) {
        return q[0] > 0.0 && h[0] > 0.0 ? NULL : "flow and head of the point must be above 0";
    }
    if (n == 3 && q[0] == 0.0) {
        return sl_power_fit(h[0], q[1], h[1], q[2], h[2], &r, &e)
                   ? NULL
                   : "no falling power law goes through the three points";
    }
    for (int32_t i = 1; i < n; i++) {
        if (!(h[i] < h[i - 1])) {
            return "the head does not fall as the flow rises";
        }
    }
    return NULL;
}

static void check_curve(sl_validation *v, int32_t c) {
    const sl_network *net = v->net;
    const double *x = net->curve_x + net->curve_start[c], *y = net->curve_y + net->curve_start[c];
    int32_t n = net->curve_start[c + 1] - net->curve_start[c];
    if (n == 0) {
        curve_report(v, SL_ERROR, SL_CODE_CURVE_EMPTY, c, 0, 0, "no points");
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            curve_report(v, SL_ERROR, SL_CODE_VALUE_RANGE, c, i, 1, "points must be finite numbers");
            return;
        }
    }
    if (!check_x(v, c, x, n)) {
        return;
    }
    check_y(v, c, y, n);
    const char *fault = net->curve_kind[c] == SL_CURVE_PUMP ? pump_curve_fault(x, y, n) : NULL;
    if (fault) {
        curve_report(v, severity_of(net, c), SL_CODE_PUMP_CURVE, c, 0, 0, fault);
    }
}

void sl_validate_curves(sl_validation *v) {
    const sl_network *net = v->net;
    if (make_point_lines(v)) {
        for (int32_t c = 0; c < net->n_curve; c++) {
            check_curve(v, c);
        }
    } else {
        v->oom = true;
    }
    sl_free(v->spec->ctx, v->point_line, ((size_t)net->curve_start[net->n_curve_named] + 1) * sizeof *v->point_line);
    v->point_line = NULL;
    for (int32_t p = 0; p < net->n_pattern; p++) {
        const char *id = sl_network_pattern_id(net, p);
        if (net->pattern_start[p] == net->pattern_start[p + 1]) {
            sl_validate_report(v, SL_ERROR, SL_CODE_PATTERN_EMPTY, "pattern", id, net->pattern_line[p], 0, NULL,
                               "no multipliers");
        }
        for (int32_t i = net->pattern_start[p]; i < net->pattern_start[p + 1]; i++) {
            if (!isfinite(net->pattern_factor[i])) {
                sl_validate_report(v, SL_ERROR, SL_CODE_VALUE_RANGE, "pattern", id, net->pattern_line[p], 0, NULL,
                                   "multipliers must be finite numbers");
                break;
            }
        }
    }
}
