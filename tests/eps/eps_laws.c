/* SPDX-License-Identifier: MIT */
/* eps_laws.c: the element laws once more and the check of a whole boundary against them; see eps_test.h.
 *
 * Everything here is written from docs/theory/hydraulics.md in feet where the page has feet, and shares nothing with
 * src/laws or src/eps: flows and heads are taken from the session, laws and data from the network.
 */
#include "eps_test.h"

/* ---- Formulas ----------------------------------------------------------------------------------- */

double eps_hw(double length, double diameter, double c, double q) {
    double l = length / EPS_FOOT, d = diameter / EPS_FOOT, a = fabs(q) / EPS_CFS;
    return copysign(EPS_FOOT * 4.727 * l * pow(c, -1.852) * pow(d, -4.871) * pow(a, 1.852), q);
}

double eps_cm(double length, double diameter, double n, double q) {
    double l = length / EPS_FOOT, d = diameter / EPS_FOOT, v = fabs(q) / EPS_CFS / (EPS_PI * d * d / 4.0);
    return copysign(EPS_FOOT * l * pow(v * n / 1.49, 2.0) * pow(d / 4.0, -1.333), q);
}

static double rough_factor(double re, double e) {
    return 0.25 / pow(log10(e + 5.74 * pow(re, -0.9)), 2.0);
}

double eps_dw(double length, double diameter, double roughness, double viscosity, double q) {
    double v = fabs(q) / (EPS_PI * diameter * diameter / 4.0), re = v * diameter / viscosity;
    double e = roughness / (3.7 * diameter), f;
    if (re <= 2000.0) { /* 64/Re, without the division by zero */
        return copysign(32.0 * viscosity * length * v / (32.2 * EPS_FOOT * diameter * diameter), q);
    }
    if (re >= 4000.0) {
        f = rough_factor(re, e);
    } else {
        double x = re / 2000.0 - 1.0, y = log(e + 5.74 * pow(4000.0, -0.9)), t = 5.74 * pow(4000.0, -0.9);
        double f1 = rough_factor(4000.0, e), s1 = 2000.0 * 1.8 * f1 * t / ((e + t) * 4000.0 * y);
        double f0 = 0.032, s0 = -0.032, d = f1 - f0;
        f = f0 + s0 * x + (3.0 * d - 2.0 * s0 - s1) * x * x + (s0 + s1 - 2.0 * d) * x * x * x;
    }
    return copysign(f * length / diameter * v * v / (2.0 * 32.2 * EPS_FOOT), q);
}

double eps_minor(double k, double diameter, double q) {
    double d = diameter / EPS_FOOT, a = fabs(q) / EPS_CFS;
    return copysign(EPS_FOOT * 0.02517 * k * pow(d, -4.0) * a * a, q);
}

/* ---- A boundary --------------------------------------------------------------------------------- */

typedef struct view {
    eps_run *r;
    const sl_network *net;
    const double *head, *demand, *wanted, *unserved, *consumption, *emitter, *leak, *cut, *flow, *status, *setting;
} view;

static const double *field(eps_run *r, const char *name) {
    int32_t n;
    const double *x = sl_session_view(r->s, sl_session_field(r->s, name), &n);
    assert_non_null(x);
    return x;
}

static double curve(const sl_network *net, int32_t c, double at, bool extend) {
    int32_t k = net->curve_start[c], last = net->curve_start[c + 1] - 1;
    const double *x = net->curve_x, *y = net->curve_y;
    if (!extend && at <= x[k]) {
        return y[k];
    }
    if (!extend && at >= x[last]) {
        return y[last];
    }
    while (k < last - 1 && at > x[k + 1]) {
        k++;
    }
    return y[k] + (y[k + 1] - y[k]) / (x[k + 1] - x[k]) * (at - x[k]);
}

static double pipe_loss(const sl_network *net, int32_t k, double q) {
    double l = net->pipe_length[k], d = net->pipe_diameter[k], e = net->pipe_roughness[k];
    double h = net->hydraulics.headloss == SL_HAZEN_WILLIAMS  ? eps_hw(l, d, e, q)
               : net->hydraulics.headloss == SL_CHEZY_MANNING ? eps_cm(l, d, e, q)
                                                              : eps_dw(l, d, e, net->hydraulics.viscosity, q);
    return h + eps_minor(net->pipe_minor[k], d, q);
}

/* Head gain of a pump with a curve at speed w. */
static double pump_gain(const sl_network *net, int32_t pump, double w, double q) {
    int32_t c = net->pump_curve[pump];
    if (c < 0) {
        return EPS_FOOT * 8.814 * (net->pump_power[pump] / 745.7) / (q / EPS_CFS);
    }
    int32_t at = net->curve_start[c], n = net->curve_start[c + 1] - at;
    const double *x = net->curve_x + at, *y = net->curve_y + at;
    if (n == 1 || (n == 3 && x[0] == 0.0)) {
        double h0 = n == 1 ? 1.33334 * y[0] : y[0], h1 = n == 1 ? y[0] : y[1], h2 = n == 1 ? 0.0 : y[2];
        double q1 = n == 1 ? x[0] : x[1], q2 = n == 1 ? 2.0 * x[0] : x[2];
        double b = log((h0 - h2) / (h0 - h1)) / log(q2 / q1);
        return w * w * (h0 - (h0 - h1) * pow(q / w / q1, b));
    }
    return w * w * curve(net, c, q / w, true);
}

static double valve_loss(const view *v, int32_t k, double q) {
    const sl_network *net = v->net;
    int32_t i = k - net->n_pipe - net->n_pump;
    double d = net->valve_diameter[i], coefficient = net->valve_minor[i], set = v->setting[k];
    switch (net->valve_kind[i]) {
    case SL_TCV: coefficient = isnan(set) ? coefficient : set; break;
    case SL_GPV: return copysign(curve(net, net->valve_curve[i], fabs(q), true), q);
    case SL_PBV:
        if (!isnan(set) && q >= 0.0 && set > eps_minor(coefficient, d, q)) {
            return set;
        }
        break;
    case SL_PCV:
        if (!isnan(set) && coefficient > 0.0) {
            double share = net->valve_curve[i] < 0 ? set : curve(net, net->valve_curve[i], set, false);
            coefficient /= pow(share / 100.0, 2.0);
        }
        break;
    default: break;
    }
    /* Without a coefficient: 1e-6 ft per ft3/s. */
    return coefficient > 0.0 ? eps_minor(coefficient, d, q) : 1e-6 * EPS_FOOT * (q / EPS_CFS);
}

static void fail_at(const view *v, const char *what, const char *id, double is, double should) {
    print_error("%s of %s at %g s is %.12g, not %.12g\n", what, id, sl_session_time(v->r->s), is, should);
    fail();
}

static void check_link(const view *v, int32_t k) {
    const sl_network *net = v->net;
    const char *id = sl_network_link_id(net, k);
    int32_t a = net->link_from[k], b = net->link_to[k], i = k - net->n_pipe - net->n_pump;
    double h1 = v->head[a], h2 = v->head[b], q = v->flow[k], dh = h1 - h2, h;
    double tol = 1.01 * EPS_HEAD, htol = net->hydraulics.head_tolerance, qtol = net->hydraulics.flow_tolerance;
    int status = (int)v->status[k];
    if (status <= SL_STATUS_CLOSED || v->cut[a] != 0.0 || v->cut[b] != 0.0) {
        if (q != 0.0) {
            fail_at(v, "flow", id, q, 0.0);
        }
        bool check = k < net->n_pipe && net->pipe_check[k];
        if (check && v->cut[a] == 0.0 && v->cut[b] == 0.0 && dh > htol) {
            fail_at(v, "head loss of a closed check valve", id, dh, 0.0);
        }
        return;
    }
    if (k < net->n_pipe) {
        h = pipe_loss(net, k, q);
        if (net->pipe_check[k] && q < -qtol) {
            fail_at(v, "flow of a check valve", id, q, 0.0);
        }
    } else if (i < 0) {
        if (q < -qtol) {
            fail_at(v, "flow of a pump", id, q, 0.0);
        }
        h = -pump_gain(net, k - net->n_pipe, v->setting[k], q);
    } else if (status == SL_STATUS_ACTIVE && net->valve_kind[i] == SL_PRV) {
        h = h1 - (net->node_elevation[b] + v->setting[k]); /* so that h2 is what is set */
        if (dh < eps_minor(net->valve_minor[i], net->valve_diameter[i], q) - htol || q < -qtol) {
            fail_at(v, "loss of an active PRV", id, dh, 0.0);
        }
    } else if (status == SL_STATUS_ACTIVE && net->valve_kind[i] == SL_PSV) {
        h = net->node_elevation[a] + v->setting[k] - h2;
        if (dh < eps_minor(net->valve_minor[i], net->valve_diameter[i], q) - htol || q < -qtol) {
            fail_at(v, "loss of an active PSV", id, dh, 0.0);
        }
    } else if (status == SL_STATUS_ACTIVE && net->valve_kind[i] == SL_FCV) {
        h = dh;
        if (fabs(q - v->setting[k]) > 1e-12 || dh < -htol) {
            fail_at(v, "flow of an active FCV", id, q, v->setting[k]);
        }
    } else {
        h = valve_loss(v, k, q);
    }
    if (!(fabs(h - dh) <= tol)) {
        fail_at(v, "head loss", id, dh, h);
    }
}

/* q = c (a + b p) sqrt(p) over the pipes that end here. */
static double leak_of(const sl_network *net, int32_t node, double p) {
    double area = 0.0;
    for (int32_t k = 0; net->pipe_leak_area && k < net->n_pipe; k++) {
        if (net->link_from[k] == node || net->link_to[k] == node) {
            int32_t other = net->link_from[k] + net->link_to[k] - node;
            double share = other >= net->n_junction ? 1.0 : 0.5;
            area += share * net->pipe_length[k] * (net->pipe_leak_area[k] + net->pipe_leak_expansion[k] * p);
        }
    }
    return p > 0.0 ? EPS_LEAK * area * sqrt(p) : 0.0;
}

static void check_outflow(const view *v, const char *what, int32_t node, double is, double should) {
    /* The law is met to 1e-6 m at some metres of pressure, the fixed figures to 1e-6 of themselves; a demand's
     * walls let 1e-7 of it through. */
    if (!(fabs(is - should) <= 2e-6 * fabs(should) + 1e-7 * fabs(v->wanted[node]) + 1e-9)) {
        fail_at(v, what, sl_network_node_id(v->net, node), is, should);
    }
}

static void check_junction(const view *v, int32_t i) {
    const sl_network *net = v->net;
    const sl_hydraulic_options *o = &net->hydraulics;
    double p = v->head[i] - net->node_elevation[i], c = net->emitter_coef[i], full = v->wanted[i];
    if (v->cut[i] != 0.0) {
        if (v->demand[i] != 0.0) {
            fail_at(v, "demand of a cut-off junction", sl_network_node_id(net, i), v->demand[i], 0.0);
        }
        return;
    }
    if (fabs(p) > 1e-3 && c > 0.0) {
        double q = c * pow(fabs(p), o->emitter_exponent);
        check_outflow(v, "emitter", i, v->emitter[i], p > 0.0 ? q : o->emitter_backflow ? -q : 0.0);
    }
    if (fabs(p) > 1e-3) {
        check_outflow(v, "leak", i, v->leak[i], leak_of(net, i, p));
    }
    if (o->demand_model == SL_DDA || full <= 0.0) {
        check_outflow(v, "consumption", i, v->consumption[i], full - v->unserved[i]);
    } else {
        double x = (p - o->pressure_min) / (o->pressure_required - o->pressure_min);
        check_outflow(v, "consumption", i, v->consumption[i],
                      x <= 0.0   ? 0.0
                      : x >= 1.0 ? full
                                 : full * pow(x, o->pressure_exponent));
    }
    double sum = v->consumption[i] + v->emitter[i] + v->leak[i];
    check_outflow(v, "demand", i, v->demand[i], sum);
}

static void check_mass(const view *v) {
    const sl_network *net = v->net;
    double *sum = calloc((size_t)net->n_node, sizeof *sum), through = 0.0;
    for (int32_t k = 0; k < net->n_link; k++) {
        sum[net->link_from[k]] -= v->flow[k];
        sum[net->link_to[k]] += v->flow[k];
        bool a = net->link_from[k] < net->n_junction, b = net->link_to[k] < net->n_junction;
        through += a != b ? fabs(v->flow[k]) : 0.0;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        if (!(fabs(sum[i] - v->demand[i]) <= fmax(1e-6 * through, 1e-9))) {
            double is = sum[i];
            free(sum);
            fail_at(v, "inflow", sl_network_node_id(net, i), is, v->demand[i]);
        }
    }
    free(sum);
}

void eps_check(eps_run *r) {
    if (eps_get(r, "solver.balanced") == 0.0) {
        assert_true(eps_said(r, SL_CODE_NOT_BALANCED, NULL) > 0);
        return;
    }
    view v = {.r = r,
              .net = r->net,
              .head = field(r, "node.head"),
              .demand = field(r, "node.demand"),
              .wanted = field(r, "node.wanted"),
              .unserved = field(r, "node.unserved"),
              .consumption = field(r, "node.consumption"),
              .emitter = field(r, "node.emitter"),
              .leak = field(r, "node.leak"),
              .cut = field(r, "node.cut_off"),
              .flow = field(r, "link.flow"),
              .status = field(r, "link.status"),
              .setting = field(r, "link.setting")};
    for (int32_t k = 0; k < r->net->n_link; k++) {
        check_link(&v, k);
    }
    for (int32_t i = 0; i < r->net->n_junction; i++) {
        check_junction(&v, i);
    }
    check_mass(&v);
}
