/* SPDX-License-Identifier: MIT */
/* consistency.c: checks that models and solutions are finite and within the solver's limits.
 *
 * A reader takes any finite number, and products of such numbers need not be finite. Two gates keep results finite. A
 * model whose own figures are beyond SL_EPS_LARGEST, or whose element laws have no finite coefficients, is refused with
 * the element's name. A solution with a flow beyond that is no solution, nor one with a head that results cannot hold
 * (1e36 m; models without real diameters come to 1e31 and are solved to the digits of a double all the same). What is
 * added up from numbers within the limits (energy, volumes, costs) is far from overflow.
 */
#include "eps/impl.h"

#include "base/report.h"
#include "network/words.h"
#include "numeric/vecmath.h"

#include <float.h>
#include <math.h>

#define HIGHEST 1e36 /* [m] */

/* Is one of n numbers beyond a limit? */
SL_SIMD(bool, any_out_of_range, (const double *x, int32_t n, double limit), (x, n, limit)) {
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < n; i++) {
        any |= !(fabs(x[i]) <= limit);
    }
    return any;
}

/* Is one of n sizes too small to be divided by? */
SL_SIMD(bool, any_too_small, (const double *x, int32_t n), (x, n)) {
    int any = 0;
#pragma omp simd reduction(| : any)
    for (int32_t i = 0; i < n; i++) {
        any |= !(x[i] >= 1.0 / SL_EPS_LARGEST);
    }
    return any;
}

/* ---- Models ------------------------------------------------------------------------------------- */

typedef struct audit {
    const sl_eps_model *m;
    sl_diags *diags;
    int64_t n_bad;
} audit;

static bool is_in_range(double x) {
    return fabs(x) <= SL_EPS_LARGEST;
}

/* Above nothing, so that it can be divided by. */
static bool is_size_in_range(double x) {
    return is_in_range(x) && x >= 1.0 / SL_EPS_LARGEST;
}

static void report_bad_value(audit *a, const char *kind, const char *id, uint32_t line, const char *what, double x) {
    sl_text_location place = {.file = a->m->net->name, .line = line};
    sl_report(a->diags, SL_ERROR, SL_CODE_VALUE_RANGE, line ? &place : NULL, kind, id,
              "give a value that exists in a network of pipes",
              "%s (%g in SI units) is beyond what can be computed with", what, x);
    a->n_bad++;
}

static void check_node(audit *a, int32_t i, const char *what, double x, bool fine) {
    const sl_network *net = a->m->net;
    if (!fine) {
        report_bad_value(a, sl_node_kind_words[sl_network_node_kind(net, i)], sl_network_node_id(net, i),
                         net->node_line[i], what, x);
    }
}

static void check_link(audit *a, int32_t k, const char *what, double x, bool fine) {
    const sl_network *net = a->m->net;
    if (!fine) {
        report_bad_value(a, sl_eps_link_kind(net, k), sl_network_link_id(net, k), net->link_line[k], what, x);
    }
}

/* The many are checked together first: nearly always that is all. */
static void audit_junctions(audit *a) {
    const sl_network *net = a->m->net;
    const double limit = SL_EPS_LARGEST;
    if (!any_out_of_range(net->node_elevation, net->n_node, limit) &&
        !any_out_of_range(net->emitter_coef, net->n_junction, limit) &&
        !any_out_of_range(net->demand_base, net->n_demand, limit)) {
        return;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        check_node(a, i, "its elevation or head", net->node_elevation[i], is_in_range(net->node_elevation[i]));
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        check_node(a, i, "its emitter coefficient", net->emitter_coef[i], is_in_range(net->emitter_coef[i]));
        for (int32_t d = net->demand_start[i]; d < net->demand_start[i + 1]; d++) {
            check_node(a, i, "its demand", net->demand_base[d], is_in_range(net->demand_base[d]));
        }
    }
}

static void audit_nodes(audit *a) {
    const sl_network *net = a->m->net;
    audit_junctions(a);
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &a->m->tank[i];
        int32_t node = sl_first_tank(net) + i;
        check_node(a, node, "its area", law->area, is_size_in_range(law->area));
        check_node(a, node, "its volume", law->v_max,
                   is_in_range(law->v_max) && is_in_range(law->v_min) && is_in_range(law->v_init));
    }
    for (int32_t o = 0; o < a->m->n_outlet; o++) {
        const sl_outlet_law *law = &a->m->outlet[o];
        check_node(a, a->m->outlet_node[o], "its outflow per pressure", law->k,
                   isfinite(law->k) && isfinite(law->linear));
    }
}

static void audit_pipes(audit *a) {
    const sl_eps_model *m = a->m;
    const sl_network *net = m->net;
    int32_t n = net->n_pipe;
    if (!any_out_of_range(net->pipe_length, n, SL_EPS_LARGEST) && !any_too_small(net->pipe_length, n) &&
        !any_out_of_range(m->link_area, n, SL_EPS_LARGEST) && !any_too_small(m->link_area, n) &&
        !any_out_of_range(m->pipe_resistance, n, DBL_MAX) && !any_out_of_range(m->pipe_minor, n, DBL_MAX)) {
        return;
    }
    for (int32_t k = 0; k < n; k++) {
        double r = m->pipe_resistance[k], area = m->link_area[k];
        check_link(a, k, "its length", net->pipe_length[k], is_size_in_range(net->pipe_length[k]));
        check_link(a, k, "its bore", area, is_size_in_range(area));
        check_link(a, k, "its resistance", r, isfinite(r));
        check_link(a, k, "its minor loss", m->pipe_minor[k], isfinite(m->pipe_minor[k]));
    }
}

static void audit_links(audit *a) {
    const sl_eps_model *m = a->m;
    const sl_network *net = m->net;
    audit_pipes(a);
    for (int32_t i = 0; i < net->n_pump; i++) {
        const sl_pump_law *law = &m->pump[i];
        check_link(a, net->n_pipe + i, "its curve", law->r,
                   isfinite(law->r) && is_in_range(law->h0) && !isnan(law->q_max));
        check_link(a, net->n_pipe + i, "its power", net->pump_power[i], is_in_range(net->pump_power[i]));
        check_link(a, net->n_pipe + i, "its speed", net->pump_speed[i], is_in_range(net->pump_speed[i]));
        bool priced = isnan(net->pump_price[i]) || is_in_range(net->pump_price[i]);
        check_link(a, net->n_pipe + i, "its energy price", net->pump_price[i], priced);
    }
    for (int32_t i = 0; i < net->n_valve; i++) {
        int32_t k = net->n_pipe + net->n_pump + i;
        check_link(a, k, "its setting", net->valve_setting[i], is_in_range(net->valve_setting[i]));
        check_link(a, k, "its bore", m->link_area[k], is_size_in_range(m->link_area[k]));
        check_link(a, k, "its minor loss", m->valve_minor[i], isfinite(m->valve_minor[i]));
    }
}

static void audit_settings(audit *a) {
    const sl_network *net = a->m->net;
    for (int32_t p = 0; p < net->n_pattern; p++) {
        for (int32_t i = net->pattern_start[p]; i < net->pattern_start[p + 1]; i++) {
            if (!is_in_range(net->pattern_factor[i])) {
                report_bad_value(a, "pattern", sl_network_pattern_id(net, p), net->pattern_line[p], "a multiplier",
                                 net->pattern_factor[i]);
            }
        }
    }
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        check_link(a, c->link, "the setting of a control", c->setting, isnan(c->setting) || is_in_range(c->setting));
    }
    for (int32_t i = 0; i < net->n_action; i++) {
        const sl_action *x = &net->actions[i];
        check_link(a, x->link, "the setting of a rule", x->setting, isnan(x->setting) || is_in_range(x->setting));
    }
    const struct {
        const char *what;
        double x;
    } options[] = {{"viscosity", net->hydraulics.viscosity},
                   {"energy price", net->energy.price},
                   {"demand charge", net->energy.demand_charge}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        if (!is_in_range(options[i].x)) {
            report_bad_value(a, "option", options[i].what, 0, "its value", options[i].x);
        }
    }
}

bool sl_eps_model_is_consistent(const sl_eps_model *m, sl_diags *diags) {
    audit a = {.m = m, .diags = diags};
    audit_nodes(&a);
    audit_links(&a);
    audit_settings(&a);
    return a.n_bad == 0;
}

/* ---- Solutions ---------------------------------------------------------------------------------- */

/* The first such number, or -1. */
static int32_t first_out_of_range(const double *x, int32_t n, double limit) {
    for (int32_t i = 0; i < n; i++) {
        if (!(fabs(x[i]) <= limit)) {
            return i;
        }
    }
    return -1;
}

/* Insides of chains keep the flows of the start until a search ends. */
bool sl_eps_search_ran_away(const sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    bool any = any_out_of_range(e->x.q, c->n_branch, SL_EPS_LARGEST);
    for (int32_t u = 0; u < c->n_unknown; u++) {
        any |= !(fabs(s->head[c->node[u]]) <= HIGHEST);
    }
    return any;
}

void sl_eps_forget_heads(const sl_eps *e, sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    for (int32_t u = 0; u < c->n_unknown; u++) {
        int32_t node = c->node[u];
        bool known = u == c->given || node >= e->m->net->n_junction;
        s->head[node] = known ? s->head[node] : e->m->net->node_elevation[node];
    }
}

bool sl_eps_solution_is_consistent(const sl_eps *e, const sl_eps_state *s) {
    const sl_network *net = e->m->net;
    return !any_out_of_range(s->head, net->n_node, HIGHEST) &&
           !any_out_of_range(s->flow, net->n_link, SL_EPS_LARGEST) &&
           !any_out_of_range(s->outlet_flow, e->m->n_outlet, SL_EPS_LARGEST) &&
           !any_out_of_range(s->wanted, net->n_junction, SL_EPS_LARGEST);
}

void sl_eps_report_failure(const sl_eps *e, const sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    int32_t link = first_out_of_range(s->flow, net->n_link, SL_EPS_LARGEST),
            node = first_out_of_range(s->head, net->n_node, HIGHEST),
            i = first_out_of_range(s->wanted, net->n_junction, SL_EPS_LARGEST);
    double t = s->x->time;
    if (i >= 0) {
        sl_eps_add_diag(e, t, SL_ERROR, SL_CODE_NOT_BALANCED, diags, "junction", sl_network_node_id(net, i),
                        "no solution: its demand is %g m3/s, which is beyond what can be computed with", s->wanted[i]);
    } else if (node >= 0) {
        sl_eps_add_diag(e, t, SL_ERROR, SL_CODE_NOT_BALANCED, diags,
                        sl_node_kind_words[sl_network_node_kind(net, node)], sl_network_node_id(net, node),
                        "no solution: its head runs away (%g m after %d trials)", s->head[node], s->x->facts.trials);
    } else if (link >= 0) {
        sl_eps_add_diag(e, t, SL_ERROR, SL_CODE_NOT_BALANCED, diags, sl_eps_link_kind(net, link),
                        sl_network_link_id(net, link), "no solution: its flow runs away (%g m3/s after %d trials)",
                        s->flow[link], s->x->facts.trials);
    } else {
        node = s->x->facts.worst_node;
        sl_eps_add_diag(
            e, t, SL_ERROR, SL_CODE_NOT_BALANCED, diags, node >= 0 ? "node" : NULL,
            node >= 0 ? sl_network_node_id(net, node) : NULL,
            "no solution: the equations around it are linearly dependent in double precision; links there differ too "
            "much in size");
    }
}
