/* SPDX-License-Identifier: MIT */
/* verify_supply.c: the verifier and demand that is not served in full.
 *
 * Where demands do not depend on pressure, only a limit keeps water from them: a flow control valve at its setting, a link that is
 * switched off, an empty tank. So from the sources one goes along every link that could bring more than it does; a junction that
 * is reached so must be served in full. Junctions that plain open pipes join share what there is: all of them are
 * served by the same share, and no tank beside them fills meanwhile. Theory: docs/theory/verify.md.
 */
#include "results/verify.h"

#include <math.h>
#include <string.h>

/* Shares are equal to this, beside what flows leave open. */
#define SHARE_SLACK 1e-6

static int valve_kind(const sl_network *net, int32_t link) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return valve >= 0 ? (int)net->valve_kind[valve] : SL_VALVE_KIND_COUNT;
}

/* Can a link bring more water in its direction (or against it) than it does? */
static bool can_pass(const sl_verifier *v, int32_t k, bool forward) {
    const sl_network *net = v->net;
    int kind = valve_kind(net, k), status = v->status[k];
    bool check = k < net->n_pipe && net->pipe_check[k];
    bool regulates = (kind == SL_PRV || kind == SL_PSV) && !v->steered[k] && net->link_status[k] == SL_ACTIVE;
    if (status == SL_STATUS_CLOSED && !check && !regulates) {
        return false;
    }
    if (k >= net->n_pipe && k < net->n_pipe + net->n_pump) {
        return forward && v->setting[k] > 0.0;
    }
    bool may_regulate = (kind == SL_PRV || kind == SL_PSV) && (v->steered[k] || net->link_status[k] == SL_ACTIVE);
    if (check || may_regulate) {
        return forward;
    }
    if (kind == SL_FCV && forward && status >= SL_STATUS_OPEN) {
        return v->setting[k] - v->flow[k] > v->flow_slack + 2.0 * sl_verify_round(v->setting[k]);
    }
    return !sl_verify_is_shut(net, k, status, v->setting[k]);
}

static bool is_source(const sl_verifier *v, int32_t node) {
    const sl_network *net = v->net;
    int32_t tank = node - net->n_junction - net->n_reservoir;
    return tank < 0 ? node >= net->n_junction : !sl_verify_tank_empty(v, tank);
}

/* Marks the junctions that water can reach from marked nodes, or, against it, from which it can reach them. */
static void spread(const sl_verifier *v, uint8_t *marked, bool against) {
    const sl_network *net = v->net;
    for (bool again = true; again;) { /* seldom needed, and seldom many times */
        again = false;
        for (int32_t k = 0; k < net->n_link; k++) {
            int32_t a = net->link_from[k], b = net->link_to[k];
            int32_t next = marked[a] && !marked[b] && can_pass(v, k, !against)  ? b
                           : marked[b] && !marked[a] && can_pass(v, k, against) ? a
                                                                                : -1;
            if (next >= 0 && next < net->n_junction) { /* an empty or full tank leads nowhere */
                marked[next] = 1;
                again = true;
            }
        }
    }
}

static void find_supplied(sl_verifier *v) {
    for (int32_t i = 0; i < v->net->n_node; i++) {
        v->supplied[i] = is_source(v, i);
    }
    spread(v, v->supplied, false);
}

/* Can a junction take more water than it does? It has an outlet, or asks for more. */
static bool takes_more(const sl_verifier *v, int32_t i) {
    double wanted = sl_verify_base_demand(v, i);
    return v->net->emitter_coef[i] > 0.0 || (v->leak_area && v->leak_area[i] + v->leak_expansion[i] > 0.0) ||
           (wanted > 0.0 && v->demand[i] < wanted * (1.0 - SHARE_SLACK) - v->flow_slack);
}

/* Marks the nodes from which more water than now finds a reservoir, a tank that is not full or may overflow, or a use. */
static void find_drained(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_node; i++) {
        int32_t tank = i - net->n_junction - net->n_reservoir;
        v->drained[i] = i < net->n_junction ? takes_more(v, i)
                                            : tank < 0 || net->tank_overflow[tank] || !sl_verify_tank_full(v, tank);
    }
    spread(v, v->drained, true);
}

void sl_verify_refused(sl_verifier *v, int32_t junction, double flow) {
    if (v->drain_period != v->period) {
        v->drain_period = v->period;
        find_drained(v);
    }
    if (sl_verify_check_residual(v, SL_VERIFY_DEMAND, junction, v->drained[junction], 0.5)) {
        sl_verify_add_diag(v, SL_VERIFY_DEMAND, junction, "%.6g %s of its inflow is not taken although a path leads on",
                           flow / v->flow_unit, v->flow_word);
    }
}

bool sl_verify_supplied(sl_verifier *v, int32_t node) {
    if (v->supply_period != v->period) {
        v->supply_period = v->period;
        find_supplied(v);
    }
    return v->supplied[node];
}

void sl_verify_unserved(sl_verifier *v, int32_t junction, double share) {
    if (v->share_period != v->period) {
        v->share_period = v->period;
        for (int32_t i = 0; i < v->net->n_junction; i++) {
            v->share[i] = 1.0;
        }
    }
    v->share[junction] = share;
    if (sl_verify_check_residual(v, SL_VERIFY_DEMAND, junction, sl_verify_supplied(v, junction), 0.5)) {
        sl_verify_add_diag(v, SL_VERIFY_DEMAND, junction,
                           "%.6g of its demand is served although nothing keeps a source from it", share);
    }
}

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        i = parent[i] = parent[parent[i]];
    }
    return i;
}

static bool plain_open(const sl_verifier *v, int32_t k) {
    return v->open[k] && !v->net->pipe_check[k];
}

/* What a tank takes from the junctions that open pipes join with this one, less what they take from it: water may pass a tank. */
static double zone_inflow(const sl_verifier *v, int32_t junction, int32_t tank_node, double *slack) {
    const sl_network *net = v->net;
    int32_t root = root_of(v->other_parent, junction);
    double sum = 0.0;
    *slack = 2.0 * v->flow_slack;
    for (int32_t k = 0; k < net->n_pipe; k++) {
        int32_t a = net->link_from[k], b = net->link_to[k], other = a == tank_node ? b : a;
        if ((a == tank_node || b == tank_node) && other < net->n_junction && plain_open(v, k) &&
            root_of(v->other_parent, other) == root) {
            sum += b == tank_node ? v->flow[k] : -v->flow[k];
            *slack += sl_verify_round(v->flow[k]);
        }
    }
    return sum;
}

/* Of one pipe that fills a tank beside a junction; inflow: its own. All junctions are joined by then. */
static void check_filling(sl_verifier *v, int32_t junction, int32_t node, double inflow) {
    if (node < v->net->n_junction + v->net->n_reservoir || v->share[junction] >= 1.0 - SHARE_SLACK || !(inflow > 0.0)) {
        return;
    }
    double slack;
    inflow = zone_inflow(v, junction, node, &slack);
    if (sl_verify_check_residual(v, SL_VERIFY_MASS, node, fmax(inflow, 0.0), slack)) {
        sl_verify_add_diag(v, SL_VERIFY_MASS, node, "it takes %.6g %s while demand beside it is not served",
                           inflow / v->flow_unit, v->flow_word);
    }
}

void sl_verify_shares(sl_verifier *v) {
    const sl_network *net = v->net;
    int32_t *parent = v->other_parent;
    if (v->share_period != v->period) {
        return;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        parent[i] = i;
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        int32_t a = net->link_from[k], b = net->link_to[k];
        if (plain_open(v, k) && a < net->n_junction && b < net->n_junction) {
            parent[root_of(parent, a)] = root_of(parent, b);
        }
    }
    for (int32_t k = 0; k < net->n_pipe; k++) {
        int32_t a = net->link_from[k], b = net->link_to[k];
        if (plain_open(v, k) && a < net->n_junction && b >= net->n_junction) {
            check_filling(v, a, b, v->flow[k]);
        } else if (plain_open(v, k) && b < net->n_junction && a >= net->n_junction) {
            check_filling(v, b, a, -v->flow[k]);
        }
    }
    /* The least and the largest share of a zone, kept at its root, each as far as flows tell; net_inflow is no longer needed. */
    double *least = v->net_inflow, *most = v->net_inflow_slack;
    for (int32_t i = 0; i < net->n_junction; i++) {
        least[i] = HUGE_VAL;
        most[i] = -HUGE_VAL;
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        int32_t root = root_of(parent, i);
        if (!v->cut[i] && sl_verify_base_demand(v, i) > 0.0) {
            least[root] = fmin(least[root], v->share[i] + v->share_slack[i]);
            most[root] = fmax(most[root], v->share[i] - v->share_slack[i]);
        }
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        if (least[i] < 1.0 && sl_verify_check_residual(v, SL_VERIFY_DEMAND, i, most[i] - least[i], SHARE_SLACK)) {
            sl_verify_add_diag(v, SL_VERIFY_DEMAND, i,
                               "junctions that open pipes join with it are served by %.6g to %.6g of their demand",
                               least[i], most[i]);
        }
    }
}
