/* SPDX-License-Identifier: MIT */
/* validate.c: checks of single objects; see validate.h. Tokens are counted as in the object's own section. */
#include "network/validate.h"

#include "base/simd.h"
#include "network/words.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void sl_validate_report(sl_validation *v, sl_severity severity, sl_code code, const char *kind, const char *id,
                        uint32_t line, int32_t tok, const char *hint, const char *fmt, ...) {
    sl_text_location place = {0};
    bool placed = v->locate != NULL && line > 0;
    if (placed && !v->locate(v->user, line, tok, &place)) {
        return;
    }
    char text[600];
    va_list args;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    v->n_error += severity == SL_ERROR;
    sl_report(v->diags, severity, code, placed ? &place : NULL, kind, id, hint, "%s", text);
}

static void node_error(sl_validation *v, int32_t node, int32_t tok, sl_code code, const char *hint, const char *text) {
    sl_validate_report(v, SL_ERROR, code, sl_node_kind_words[sl_network_node_kind(v->net, node)],
                       sl_network_node_id(v->net, node), v->net->node_line[node], tok, hint, "%s", text);
}

static void link_error(sl_validation *v, int32_t link, int32_t tok, sl_code code, const char *hint, const char *text) {
    sl_validate_report(v, SL_ERROR, code, sl_link_kind_words[sl_network_link_kind(v->net, link)],
                       sl_network_link_id(v->net, link), v->net->link_line[link], tok, hint, "%s", text);
}

/* A value that must be positive (or, with zero, not negative) and finite. The good case is most of the work of
 * validation, so it is decided here, in line. */
static inline void check_value(sl_validation *v, int32_t link, int32_t tok, const char *what, double x, bool zero) {
    if ((x > 0.0 && x <= DBL_MAX) || (zero && x == 0.0)) {
        return;
    }
    char text[120];
    snprintf(text, sizeof text, "%s must be %s", what, zero ? "0 or more" : "above 0");
    link_error(v, link, tok, SL_CODE_VALUE_RANGE, NULL, text);
}

static inline void check_finite(sl_validation *v, int32_t node, int32_t tok, const char *what, double x) {
    if (x >= -DBL_MAX && x <= DBL_MAX) {
        return;
    }
    char text[120];
    snprintf(text, sizeof text, "%s must be a finite number", what);
    node_error(v, node, tok, SL_CODE_VALUE_RANGE, NULL, text);
}

/* Of the many all are looked at together first: nearly always that is all. */
SL_SIMD(bool, all_within, (int32_t n, const double *x, double low, double high), (n, x, low, high)) {
    int all = 1;
#pragma omp simd reduction(& : all)
    for (int32_t i = 0; i < n; i++) {
        all &= (x[i] >= low) & (x[i] <= high);
    }
    return all;
}

static void check_nodes(sl_validation *v) {
    const sl_network *net = v->net;
    if (all_within(net->n_node, net->node_elevation, -DBL_MAX, DBL_MAX) &&
        all_within(net->n_node, net->node_quality, 0.0, DBL_MAX) &&
        all_within(net->n_demand, net->demand_base, -DBL_MAX, DBL_MAX) &&
        all_within(net->n_junction, net->emitter_coef, 0.0, DBL_MAX)) {
        return;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        check_finite(v, i, 1, i < net->n_junction || i >= net->n_junction + net->n_reservoir ? "elevation" : "head",
                     net->node_elevation[i]);
        if (!(net->node_quality[i] >= 0.0) || !isfinite(net->node_quality[i])) {
            node_error(v, i, 0, SL_CODE_VALUE_RANGE, NULL, "initial quality must be 0 or more");
        }
    }
    for (int32_t j = 0; j < net->n_junction; j++) {
        for (int32_t k = net->demand_start[j]; k < net->demand_start[j + 1]; k++) {
            check_finite(v, j, 2, "demand", net->demand_base[k]);
        }
        if (!(net->emitter_coef[j] >= 0.0) || !isfinite(net->emitter_coef[j])) {
            node_error(v, j, 0, SL_CODE_VALUE_RANGE, NULL, "emitter coefficient must be 0 or more");
        }
    }
}

static void check_tank_curve(sl_validation *v, int32_t t, int32_t node) {
    const sl_network *net = v->net;
    int32_t c = net->tank_curve[t], first = net->curve_start[c], last = net->curve_start[c + 1] - 1;
    if (last < first) {
        return; /* an empty curve is reported by itself */
    }
    const double slack = 1e-6 * 0.3048; /* EPANET's 1e-6 ft */
    if (net->tank_level_min[t] < net->curve_x[first] - slack || net->tank_level_max[t] > net->curve_x[last] + slack) {
        node_error(v, node, 7, SL_CODE_TANK_LEVELS, "extend the curve, or move the levels",
                   "the volume curve does not cover the levels from minimum to maximum");
    }
}

static void check_tanks(sl_validation *v) {
    const sl_network *net = v->net;
    for (int32_t t = 0; t < net->n_tank; t++) {
        int32_t node = net->n_junction + net->n_reservoir + t;
        double init = net->tank_level_init[t], min = net->tank_level_min[t], max = net->tank_level_max[t];
        if (!isfinite(init) || !isfinite(min) || !isfinite(max) || !(min >= 0.0)) {
            node_error(v, node, 3, SL_CODE_TANK_LEVELS, NULL, "levels must be finite numbers of 0 or more");
            continue;
        }
        if (max < min) {
            node_error(v, node, 4, SL_CODE_TANK_LEVELS, NULL, "the maximum level is below the minimum level");
        }
        if (init < min) {
            node_error(v, node, 2, SL_CODE_TANK_LEVELS, NULL, "the initial level is below the minimum level");
        } else if (init > max) {
            node_error(v, node, 2, SL_CODE_TANK_LEVELS, NULL, "the initial level is above the maximum level");
        }
        if (!(net->tank_diameter[t] > 0.0) || !isfinite(net->tank_diameter[t])) {
            node_error(v, node, 5, SL_CODE_VALUE_RANGE, NULL, "diameter must be above 0");
        }
        if (!(net->tank_volume_min[t] >= 0.0)) {
            node_error(v, node, 6, SL_CODE_VALUE_RANGE, NULL, "minimum volume must be 0 or more");
        }
        if (net->tank_curve[t] >= 0) {
            check_tank_curve(v, t, node);
        }
    }
}

static void check_pipes(sl_validation *v) {
    const sl_network *net = v->net;
    const double above = DBL_TRUE_MIN;
    if (!net->pipe_leak_area && all_within(net->n_pipe, net->pipe_length, above, DBL_MAX) &&
        all_within(net->n_pipe, net->pipe_diameter, above, DBL_MAX) &&
        all_within(net->n_pipe, net->pipe_roughness, above, DBL_MAX) &&
        all_within(net->n_pipe, net->pipe_minor, 0.0, DBL_MAX)) {
        return;
    }
    for (int32_t i = 0; i < net->n_pipe; i++) {
        check_value(v, i, 3, "length", net->pipe_length[i], false);
        check_value(v, i, 4, "diameter", net->pipe_diameter[i], false);
        check_value(v, i, 5, "roughness", net->pipe_roughness[i], false);
        check_value(v, i, 6, "minor loss coefficient", net->pipe_minor[i], true);
        if (net->pipe_leak_area) {
            check_value(v, i, 0, "leak area", net->pipe_leak_area[i], true);
            check_value(v, i, 0, "leak expansion", net->pipe_leak_expansion[i], true);
        }
    }
}

static void check_pumps(sl_validation *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_pump; i++) {
        int32_t link = net->n_pipe + i;
        if (net->pump_curve[i] < 0 && net->pump_power[i] == 0.0) {
            link_error(v, link, 3, SL_CODE_NO_PUMP_DATA, "give HEAD curve or POWER value",
                       "neither a head curve nor a power is given");
        } else if (net->pump_curve[i] < 0) {
            check_value(v, link, 4, "power", net->pump_power[i], false);
        }
        check_value(v, link, 0, "speed", net->pump_speed[i], true);
    }
}

/* One point of a general purpose valve means the line through it and the origin. */
static void check_one_point(sl_validation *v, int32_t link, int32_t valve) {
    const sl_network *net = v->net;
    int32_t c = net->valve_kind[valve] == SL_GPV ? net->valve_curve[valve] : -1;
    if (c >= 0 && net->curve_start[c + 1] - net->curve_start[c] == 1) {
        double q = net->curve_x[net->curve_start[c]], h = net->curve_y[net->curve_start[c]];
        if (!(q > 0.0) || !(h >= 0.0)) {
            link_error(v, link, 5, SL_CODE_CURVE_SHAPE, "give the head loss at two flows or more",
                       "its curve has one point, which needs a flow above 0 and a head loss of 0 or more");
        }
    }
}

static void check_valves(sl_validation *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_valve; i++) {
        int32_t link = net->n_pipe + net->n_pump + i;
        check_value(v, link, 3, "diameter", net->valve_diameter[i], false);
        check_value(v, link, 6, "minor loss coefficient", net->valve_minor[i], true);
        if (net->valve_kind[i] == SL_GPV && net->valve_curve[i] < 0) {
            link_error(v, link, 5, SL_CODE_UNKNOWN_CURVE, "give the id of a head loss curve as setting",
                       "a general purpose valve needs a curve");
        }
        check_one_point(v, link, i);
        bool resistance = net->valve_kind[i] == SL_TCV || net->valve_kind[i] == SL_PCV;
        if (!isfinite(net->valve_setting[i]) || (resistance && net->valve_setting[i] < 0.0)) {
            link_error(v, link, 5, SL_CODE_VALUE_RANGE, NULL,
                       resistance ? "the setting must be 0 or more" : "the setting must be a finite number");
        }
    }
}

static void check_whole(sl_validation *v) {
    const sl_network *net = v->net;
    const char *text = NULL;
    sl_code code = SL_CODE_NO_NODES;
    if (net->n_node < 2) {
        text = "the network has fewer than two nodes";
    } else if (net->n_reservoir + net->n_tank == 0) {
        code = SL_CODE_NO_SOURCE;
        text = "the network has no reservoir or tank: there is no head to start from";
    }
    if (text) {
        sl_text_location place = {.file = net->name, .line = 1};
        sl_report(v->diags, SL_ERROR, code, v->locate ? &place : NULL, NULL, NULL, NULL, "%s", text);
        v->n_error++;
    }
    const sl_hydraulic_options *h = &net->hydraulics;
    if (h->demand_model == SL_PDA && !(h->pressure_required > h->pressure_min)) {
        sl_report(v->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
                  "the required pressure must be above the minimum pressure");
        v->n_error++;
    }
}

int64_t sl_network_validate(sl_validation *v) {
    check_nodes(v);
    check_tanks(v);
    check_pipes(v);
    check_pumps(v);
    check_valves(v);
    sl_validate_curves(v);
    sl_validate_graph(v);
    check_whole(v);
    sl_validate_settings(v);
    return v->n_error;
}
