/* SPDX-License-Identifier: MIT */
/* verify_nodes.c: the verifier at nodes: what flows in stays or is used, demands are those asked for, reservoirs stand at
 * their heads.
 *
 * A pressure-dependent outflow is judged as an interval: the pressure is known to within its rounding and the head
 * tolerance, and outflow rises with it. Theory: docs/theory/verify.md.
 */
#include "results/verify.h"

#include <math.h>
#include <string.h>

double sl_verify_base_demand(const sl_verifier *v, int32_t junction) {
    const sl_network *net = v->net;
    double sum = 0.0;
    for (int32_t d = net->demand_start[junction]; d < net->demand_start[junction + 1]; d++) {
        int32_t pattern = net->demand_pattern[d];
        sum += net->demand_base[d] * sl_verify_pattern(v, pattern < 0 ? net->hydraulics.default_pattern : pattern);
    }
    return sum * net->hydraulics.demand_multiplier;
}

/* ---- Cut off or not ----------------------------------------------------------------------------- */

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void find_cut(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_node; i++) {
        v->parent[i] = i < net->n_junction ? i : net->n_node - 1; /* all reservoirs and tanks are one */
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        if (v->open[k]) {
            int32_t a = root_of(v->parent, net->link_from[k]), b = root_of(v->parent, net->link_to[k]);
            v->parent[a < b ? a : b] = a < b ? b : a; /* the larger index leads: sources stay at the root */
        }
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        v->cut[i] = root_of(v->parent, i) < net->n_junction;
    }
}

/* Water at a node with a source that no flow controller stands before: links that carry a given flow, or whatever a held
 * head makes of it, are no way; nodes whose head is held are sources. */
bool sl_verify_free_path(sl_verifier *v, int32_t node) {
    const sl_network *net = v->net;
    int32_t *parent = v->other_parent, source = net->n_node - 1;
    for (int32_t i = 0; i < net->n_node; i++) {
        parent[i] = i < net->n_junction ? i : source;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        int kind = k >= net->n_pipe + net->n_pump ? (int)net->valve_kind[k - net->n_pipe - net->n_pump] : -1;
        bool active = v->status[k] == SL_STATUS_ACTIVE, holds = active && (kind == SL_PRV || kind == SL_PSV);
        if (!v->open[k] || (kind == SL_FCV && (active || v->status[k] == SL_STATUS_XFCV))) {
            continue;
        }
        int32_t a = holds && kind == SL_PRV ? source : net->link_from[k];
        int32_t b = holds && kind == SL_PSV ? source : net->link_to[k];
        a = root_of(parent, a);
        b = root_of(parent, b);
        parent[a < b ? a : b] = a < b ? b : a;
    }
    return root_of(parent, node) >= net->n_junction;
}

static void report_cut(sl_verifier *v, int32_t junction) {
    sl_diag d = {.size = sizeof d,
                 .severity = SL_WARNING,
                 .code = SL_CODE_NO_SUPPLY,
                 .text = "has no open path to a reservoir or tank: its head is undefined and not checked",
                 .object_kind = "junction",
                 .object_id = sl_network_node_id(v->net, junction),
                 .time = v->time};
    sl_diags_add(v->diags, &d);
}

void sl_verify_connect(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        bool pump_at_rest = k >= net->n_pipe && k < net->n_pipe + net->n_pump && !(v->setting[k] > 0.0);
        v->open[k] =
            v->status[k] > SL_STATUS_CLOSED && !pump_at_rest && !sl_verify_is_shut(net, k, v->status[k], v->setting[k]);
    }
    if (v->period == 0 || memcmp(v->open, v->open_before, (size_t)net->n_link) != 0) {
        find_cut(v);
        memcpy(v->open_before, v->open, (size_t)net->n_link);
    }
    bool first = v->out->n_isolated == 0;
    memset(v->part_demand, 0, (size_t)net->n_node * sizeof *v->part_demand);
    for (int32_t i = 0; i < net->n_junction; i++) {
        if (v->cut[i]) {
            /* An emitter that lets water in is a source of its own. */
            bool source = net->emitter_coef[i] > 0.0 && net->hydraulics.emitter_backflow;
            v->part_demand[root_of(v->parent, i)] += source ? -HUGE_VAL : sl_verify_base_demand(v, i);
            if (first) {
                report_cut(v, i);
                first = false;
            }
            v->out->n_isolated++;
        }
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        v->part_demand[i] = v->cut[i] ? v->part_demand[root_of(v->parent, i)] : 0.0;
    }
}

/* ---- Mass --------------------------------------------------------------------------------------- */

/* Of the flow through a node [1]. A solved network keeps mass far better; a flow wrong by 1e-3 is found. */
#define LOCAL_SHARE 1e-5

/* EPANET closes a link by a resistance of 1e8 ft per ft3/s and writes a flow of 0, so its files lack this much (doubled
 * for its rounding) [m2/s]: a fifth of a millilitre per second for a hundred metres. Not so between a supplied and a
 * cut-off part, nor beyond a kilometre: heads of minus a million metres would excuse anything. */
#define CLOSED_CONDUCTANCE (2e-8 * 0.3048 * 0.3048)
#define CLOSED_HEAD_MAX 1000.0

void sl_verify_sum(sl_verifier *v) {
    const sl_network *net = v->net;
    memset(v->throughput, 0, (size_t)net->n_node * sizeof *v->throughput);
    memset(v->net_inflow, 0, (size_t)net->n_node * sizeof *v->net_inflow);
    memset(v->net_inflow_slack, 0, (size_t)net->n_node * sizeof *v->net_inflow_slack);
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t from = net->link_from[k], to = net->link_to[k];
        double q = v->flow[k], slack = sl_verify_round(q);
        if (!v->open[k] && !v->cut[from] && !v->cut[to]) {
            slack += CLOSED_CONDUCTANCE * fmin(fabs(v->head[from] - v->head[to]), CLOSED_HEAD_MAX);
        }
        v->throughput[from] += 0.5 * fabs(q);
        v->throughput[to] += 0.5 * fabs(q);
        v->net_inflow[from] -= q;
        v->net_inflow[to] += q;
        v->net_inflow_slack[from] += slack;
        v->net_inflow_slack[to] += slack;
    }
    v->inflow = 0.0; /* what reservoirs, draining tanks and feeding junctions give */
    for (int32_t i = 0; i < net->n_node; i++) {
        v->inflow += v->demand[i] < 0.0 ? -v->demand[i] : 0.0;
    }
    v->flow_slack = SL_VERIFY_NO_FLOW + v->def.mass_rel * v->inflow;
}

static void check_mass(sl_verifier *v, int32_t i) {
    double residual = fabs(v->net_inflow[i] - v->demand[i]);
    /* A share of all that flows, but never more than a little of what passes here: else a small pipe of a large network
     * could be wrong by half. */
    double share = fmin(v->def.mass_rel * v->inflow, LOCAL_SHARE * v->throughput[i]);
    double tolerance = SL_VERIFY_NO_FLOW + share + v->net_inflow_slack[i] + sl_verify_round(v->demand[i]);
    if (sl_verify_check_residual(v, SL_VERIFY_MASS, i, residual, tolerance)) {
        sl_verify_add_diag(v, SL_VERIFY_MASS, i,
                           "its links bring %.7g %s, its demand is %.7g (off by %.3g, allowed %.2g)",
                           v->net_inflow[i] / v->flow_unit, v->flow_word, v->demand[i] / v->flow_unit,
                           residual / v->flow_unit, tolerance / v->flow_unit);
    }
}

/* ---- Demand ------------------------------------------------------------------------------------- */

/* All that leaves a junction at a pressure head [m]: demand (Wagner's law if it depends on pressure; inflows do not),
 * emitter, leaks. */
static double outflow(const sl_verifier *v, int32_t i, double wanted, double p) {
    const sl_hydraulic_options *h = &v->net->hydraulics;
    double q = wanted;
    if (h->demand_model == SL_PDA && wanted > 0.0) {
        double share = (p - h->pressure_min) / (h->pressure_required - h->pressure_min);
        q *= share <= 0.0 ? 0.0 : share >= 1.0 ? 1.0 : pow(share, h->pressure_exponent);
    }
    double c = v->net->emitter_coef[i];
    if (c > 0.0 && (p > 0.0 || h->emitter_backflow)) {
        q += copysign(c * pow(fabs(p), h->emitter_exponent), p);
    }
    return v->leak_area ? q + sl_verify_leak(v->leak_area[i], v->leak_expansion[i], p) : q;
}

/* What the walls let through that keep outlets from running backwards and demands from taking more than all: a thousand million
 * metres press their own measure through, the demand or what leaves at 1 m. */
static double wall_leak(const sl_verifier *v, int32_t i, double wanted, double p) {
    double measure = outflow(v, i, 0.0, 1.0) + (v->net->hydraulics.demand_model == SL_PDA ? fmax(wanted, 0.0) : 0.0);
    return measure * fmin(fabs(p), 1e8) / 1e9;
}

static void check_demand(sl_verifier *v, int32_t i) {
    double wanted = sl_verify_base_demand(v, i), p = v->head[i] - v->net->node_elevation[i];
    double expected = outflow(v, i, wanted, p), dp = v->def.head_abs + sl_verify_round(v->head[i]);
    double spread = fmax(outflow(v, i, wanted, p + dp) - expected, expected - outflow(v, i, wanted, p - dp));
    /* EPANET's orifice constant is rounded in the sixth digit; only leaks use it. */
    double leak = v->leak_area ? 3e-6 * sl_verify_leak(v->leak_area[i], v->leak_expansion[i], p) : 0.0;
    double residual = fabs(v->demand[i] - expected);
    double tolerance = v->flow_slack + sl_verify_round(expected) + spread + leak + wall_leak(v, i, wanted, p);
    double lacks = expected - v->demand[i];
    v->share_slack[i] = tolerance / fmax(wanted, 1e-300);
    if (v->net->hydraulics.demand_model == SL_DDA && lacks > tolerance && lacks <= wanted + tolerance) {
        sl_verify_unserved(v, i, 1.0 - lacks / wanted);
        return;
    }
    if (-lacks > tolerance && -lacks <= -wanted + tolerance) {
        sl_verify_refused(v, i, -lacks);
        return;
    }
    if (sl_verify_check_residual(v, SL_VERIFY_DEMAND, i, residual, tolerance)) {
        sl_verify_add_diag(v, SL_VERIFY_DEMAND, i,
                           "its demand is %.7g %s and should be %.7g (off by %.3g, allowed %.2g)",
                           v->demand[i] / v->flow_unit, v->flow_word, expected / v->flow_unit, residual / v->flow_unit,
                           tolerance / v->flow_unit);
    }
}

/* Without a head: no more than all of it, and not the other way. */
static void check_demand_at_cut(sl_verifier *v, int32_t i) {
    double wanted = sl_verify_base_demand(v, i), d = v->demand[i];
    bool outlets = v->net->emitter_coef[i] > 0.0 || (v->leak_area && v->leak_area[i] + v->leak_expansion[i] > 0.0);
    double residual = fmax(d - fmax(wanted, 0.0), fmin(wanted, 0.0) - d);
    double tolerance =
        v->flow_slack + sl_verify_round(wanted) + wall_leak(v, i, wanted, v->head[i] - v->net->node_elevation[i]);
    if (!outlets && sl_verify_check_residual(v, SL_VERIFY_DEMAND, i, fmax(residual, 0.0), tolerance)) {
        sl_verify_add_diag(v, SL_VERIFY_DEMAND, i, "its demand is %.7g %s, more than the %.7g that it asks for",
                           d / v->flow_unit, v->flow_word, wanted / v->flow_unit);
    }
}

/* ---- Reservoirs --------------------------------------------------------------------------------- */

static void check_reservoir(sl_verifier *v, int32_t i) {
    double expected =
        v->net->node_elevation[i] * sl_verify_pattern(v, v->net->reservoir_pattern[i - v->net->n_junction]);
    double residual = fabs(v->head[i] - expected);
    /* data, not a solution: rounding only, of the file and of the model's own digits */
    double tolerance = 2.0 * sl_verify_round(expected) + 1e-9;
    if (sl_verify_check_residual(v, SL_VERIFY_FIXED, i, residual, tolerance)) {
        sl_verify_add_diag(v, SL_VERIFY_FIXED, i, "its head is %.7g %s and should be %.7g (off by %.3g, allowed %.2g)",
                           v->head[i] / v->length_unit, v->length_word, expected / v->length_unit,
                           residual / v->length_unit, tolerance / v->length_unit);
    }
}

void sl_verify_nodes(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_node; i++) {
        check_mass(v, i); /* cut-off nodes too: demand that nothing brings is a contradiction within the file */
        if (i < net->n_junction) {
            if (!v->cut[i]) {
                check_demand(v, i);
            } else {
                check_demand_at_cut(v, i);
            }
        } else if (i < net->n_junction + net->n_reservoir) {
            check_reservoir(v, i);
        }
    }
    sl_verify_shares(v);
}
