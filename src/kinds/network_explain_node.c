/* SPDX-License-Identifier: MIT */
/* network_explain_node.c: the balance of a node with numbers put in: what each link brings, what consumers, emitters and leaks take by
 * their laws, what a tank stores. Theory: docs/theory/hydraulics.md, "Outlets", "Tanks".
 */
#include "kinds/network_explain.h"

#include <math.h>

#include "laws/outlet.h"
#include "laws/tank.h"
#include "network/words.h"

/* A node at the page's time. */
typedef struct view {
    int32_t node;
    double head, pressure;
    double brought; /* by all links [m3/s] */
} view;

static bool is_cut_off(sl_network_page *p, int32_t node) {
    return sl_sheet_get(&p->page, "node.cut_off", node) > 0.0;
}

/* ---- Data --------------------------------------------------------------------------------------- */

static void put_heads(sl_network_page *p, const view *v) {
    sl_sheet_quantity(&p->page, "head", "head H", v->head, "m");
    sl_sheet_quantity(&p->page, "elevation", "elevation z", p->net->node_elevation[v->node], "m");
    sl_sheet_value(&p->page, "pressure", "pressure p = H - z", v->pressure, "m", p->shown.pressure);
}

/* ---- Links -------------------------------------------------------------------------------------- */

/* What each link brings, with sign. */
static double put_links(sl_network_page *p, int32_t node) {
    const sl_network *net = p->net;
    double sum = 0.0;
    sl_sheet_list(&p->page, "links");
    for (int32_t k = 0; k < net->n_link; k++) {
        char label[SL_WORDS_MAX];
        bool from = net->link_from[k] == node, to = net->link_to[k] == node;
        if (!from && !to) {
            continue;
        }
        double q = sl_sheet_get(&p->page, "link.flow", k), brings = to ? q : -q;
        (void)sl_format(label, sizeof label, "%s %.100s %s %.100s", sl_link_kind_words[sl_network_link_kind(net, k)],
                        sl_network_link_id(net, k), to ? "from" : "to",
                        sl_network_node_id(net, to ? net->link_from[k] : net->link_to[k]));
        sum += from && to ? 0.0 : brings;
        sl_sheet_item_value(&p->page, sl_network_link_id(net, k), label, "inflow", brings, "m3/s");
    }
    sl_sheet_list_end(&p->page);
    return sum;
}

/* ---- Demands ------------------------------------------------------------------------------------ */

double sl_explain_pattern(const sl_network_page *p, int32_t pattern) {
    const sl_network *net = p->net;
    const sl_times *t = &net->times;
    if (pattern < 0) {
        return 1.0;
    }
    int32_t at = net->pattern_start[pattern], n = net->pattern_start[pattern + 1] - at;
    double period = t->pattern_step > 0.0 ? floor((p->time + t->pattern_start) / t->pattern_step) : 0.0;
    return n > 0 ? net->pattern_factor[at + (int32_t)fmod(period, n)] : 1.0;
}

/* Category by category: base x pattern x multiplier. Returns the sum. */
static double put_demands(sl_network_page *p, int32_t node) {
    const sl_network *net = p->net;
    double sum = 0.0, multiplier = net->hydraulics.demand_multiplier;
    sl_sheet_list(&p->page, "demands");
    for (int32_t d = net->demand_start[node]; d < net->demand_start[node + 1]; d++) {
        int32_t pattern = net->demand_pattern[d] >= 0 ? net->demand_pattern[d] : net->hydraulics.default_pattern;
        double factor = sl_explain_pattern(p, pattern), q = net->demand_base[d] * factor * multiplier;
        char label[SL_WORDS_MAX];
        (void)sl_format(label, sizeof label, "%.7g %s x %.7g (pattern %.100s) x %.7g",
                        net->demand_base[d] / p->shown.flow.factor, p->shown.flow.name, factor,
                        pattern >= 0 ? sl_network_pattern_id(net, pattern) : "none", multiplier);
        sl_sheet_item_value(&p->page, pattern >= 0 ? sl_network_pattern_id(net, pattern) : "", label, "demand", q,
                            "m3/s");
        sum += q;
    }
    sl_sheet_list_end(&p->page);
    return sum;
}

/* Wagner's law: what consumers get at a pressure. */
static void put_pressure_law(sl_network_page *p, const view *v, double wanted, double consumption) {
    const sl_hydraulic_options *o = &p->net->hydraulics;
    double share = (v->pressure - o->pressure_min) / (o->pressure_required - o->pressure_min);
    double law = wanted <= 0.0  ? wanted
                 : share <= 0.0 ? 0.0
                 : share >= 1.0 ? wanted
                                : wanted * pow(share, o->pressure_exponent);
    sl_sheet_words(&p->page, "demand_model", "demand model", "pressure driven (Wagner)");
    sl_sheet_formula(&p->page, "demand_formula", "delivered", "q", "D*min(1, max(0, (p - p_min)/(p_req - p_min)))^g");
    sl_sheet_value(&p->page, "pressure_min", "p_min", o->pressure_min, "m", p->shown.pressure);
    sl_sheet_value(&p->page, "pressure_required", "p_req", o->pressure_required, "m", p->shown.pressure);
    sl_sheet_si(&p->page, "pressure_exponent", "g", o->pressure_exponent, "");
    sl_sheet_quantity(&p->page, "delivered_by_law", "delivered by the law", law, "m3/s");
    sl_sheet_quantity(&p->page, "demand_residual", "residual: delivered - law", consumption - law, "m3/s");
}

static double put_consumers(sl_network_page *p, const view *v) {
    double wanted = sl_sheet_get(&p->page, "node.wanted", v->node);
    double consumption = sl_sheet_get(&p->page, "node.consumption", v->node);
    sl_sheet_section(&p->page, "demand", "Demand: base x pattern x multiplier");
    double sum = put_demands(p, v->node);
    sl_sheet_quantity(&p->page, "sum", "sum D", sum, "m3/s");
    sl_sheet_quantity(&p->page, "wanted", "asked for at this time", wanted, "m3/s");
    sl_sheet_quantity(&p->page, "consumption", "delivered", consumption, "m3/s");
    if (p->net->hydraulics.demand_model == SL_PDA && !is_cut_off(p, v->node)) {
        put_pressure_law(p, v, wanted, consumption);
    } else if (p->net->hydraulics.demand_model == SL_DDA) {
        sl_sheet_words(&p->page, "demand_model", "demand model", "demand driven: delivered whatever the pressure is");
    }
    return consumption;
}

/* ---- Outlets ------------------------------------------------------------------------------------ */

static double put_emitter(sl_network_page *p, const view *v) {
    const sl_hydraulic_options *o = &p->net->hydraulics;
    double c = p->net->emitter_coef[v->node], q = sl_sheet_get(&p->page, "node.emitter", v->node);
    if (!(c > 0.0)) {
        return 0.0;
    }
    sl_outlet_law law = sl_outlet_power(c, o->emitter_exponent, o->emitter_backflow);
    double by_law = sl_outlet_flow(&law, v->pressure);
    sl_sheet_section(&p->page, "emitter", "Emitter");
    sl_sheet_formula(&p->page, "formula", "law", "q", "C*p^g");
    sl_sheet_words(&p->page, "backflow", "backflow", "%s", o->emitter_backflow ? "water may come in" : "none");
    sl_sheet_si(&p->page, "coefficient", "C (SI: m3/s, m)", c, "");
    sl_sheet_si(&p->page, "exponent", "g", o->emitter_exponent, "");
    sl_sheet_quantity(&p->page, "flow", "flow", q, "m3/s");
    sl_sheet_quantity(&p->page, "flow_by_law", "flow by the law", by_law, "m3/s");
    sl_sheet_quantity(&p->page, "residual", "residual: flow - law", q - by_law, "m3/s");
    return q;
}

/* Coefficients of the leaks of the pipes that end here, one pipe at a time. */
static void leaks_of(const sl_network *net, int32_t node, double *fixed, double *growing) {
    *fixed = *growing = 0.0;
    for (int32_t k = 0; net->pipe_leak_area && k < net->n_pipe; k++) {
        double a, b;
        if (net->link_from[k] == node || net->link_to[k] == node) {
            sl_leaks_at(net, node, 1, &k, &a, &b);
            *fixed += a;
            *growing += b;
        }
    }
}

static double put_leak(sl_network_page *p, const view *v) {
    double fixed, growing, q = sl_sheet_get(&p->page, "node.leak", v->node);
    leaks_of(p->net, v->node, &fixed, &growing);
    if (!(fixed > 0.0) && !(growing > 0.0)) {
        return 0.0;
    }
    sl_outlet_law area = sl_outlet_power(fixed, 0.5, false), growth = sl_outlet_power(growing, 1.5, false);
    double by_law = (fixed > 0.0 ? sl_outlet_flow(&area, v->pressure) : 0.0) +
                    (growing > 0.0 ? sl_outlet_flow(&growth, v->pressure) : 0.0);
    sl_sheet_section(&p->page, "leakage", "Leakage of the pipes that end here");
    sl_sheet_formula(&p->page, "formula", "law", "q", "A*p^0.5 + B*p^1.5");
    sl_sheet_words(&p->page, "share", "share",
                   "half of each pipe; all of it where the other end is a reservoir or tank");
    sl_sheet_si(&p->page, "coefficient_area", "A (SI: m3/s, m)", fixed, "");
    sl_sheet_si(&p->page, "coefficient_growth", "B (SI: m3/s, m)", growing, "");
    sl_sheet_quantity(&p->page, "flow", "flow", q, "m3/s");
    sl_sheet_quantity(&p->page, "flow_by_law", "flow by the law", by_law, "m3/s");
    sl_sheet_quantity(&p->page, "residual", "residual: flow - law", q - by_law, "m3/s");
    return q;
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static void put_junction(sl_network_page *p, view *v) {
    sl_sheet_section(&p->page, "data", "Data");
    put_heads(p, v);
    if (is_cut_off(p, v->node)) {
        sl_sheet_words(&p->page, "cut_off", "cut off",
                       "no open link leads to a reservoir or tank: nothing is delivered, and the head means nothing");
    }
    double consumption = put_consumers(p, v), emitter = put_emitter(p, v), leak = put_leak(p, v);
    sl_sheet_section(&p->page, "balance", "Balance: what links bring leaves as demand, through the emitter or leaks");
    v->brought = put_links(p, v->node);
    sl_sheet_quantity(&p->page, "inflow", "sum of the links", v->brought, "m3/s");
    sl_sheet_quantity(&p->page, "consumption", "delivered to consumers", consumption, "m3/s");
    sl_sheet_quantity(&p->page, "emitter", "through the emitter", emitter, "m3/s");
    sl_sheet_quantity(&p->page, "leak", "through leaks", leak, "m3/s");
    sl_sheet_quantity(&p->page, "residual", "residual: in - out", v->brought - consumption - emitter - leak, "m3/s");
}

static void put_reservoir(sl_network_page *p, view *v) {
    int32_t pattern = p->net->reservoir_pattern[v->node - p->net->n_junction];
    double base = p->net->node_elevation[v->node], factor = sl_explain_pattern(p, pattern);
    sl_sheet_section(&p->page, "data", "Head: base x pattern");
    sl_sheet_quantity(&p->page, "base_head", "base", base, "m");
    sl_sheet_si(&p->page, "factor", "factor", factor, "");
    sl_sheet_words(&p->page, "pattern", "pattern", "%s",
                   pattern >= 0 ? sl_network_pattern_id(p->net, pattern) : "none");
    sl_sheet_quantity(&p->page, "head", "head H", v->head, "m");
    sl_sheet_quantity(&p->page, "residual", "residual: H - base x factor", v->head - base * factor, "m");
    sl_sheet_section(&p->page, "balance", "Balance: a reservoir supplies or receives the flow of its links");
    v->brought = put_links(p, v->node);
    sl_sheet_quantity(&p->page, "inflow", "sum of the links", v->brought, "m3/s");
    double demand = sl_sheet_get(&p->page, "node.demand", v->node);
    sl_sheet_quantity(&p->page, "net_inflow", "net inflow", demand, "m3/s");
    sl_sheet_quantity(&p->page, "residual", "residual", v->brought - demand, "m3/s");
}

static void put_tank_shape(sl_network_page *p, int32_t i, const sl_tank_law *law) {
    const sl_network *net = p->net;
    if (law->level) {
        sl_sheet_words(&p->page, "curve", "volume curve", "%s", sl_network_curve_id(net, net->tank_curve[i]));
        sl_sheet_words(&p->page, "law", "volume", "by straight pieces of the curve over the level");
    } else {
        sl_sheet_quantity(&p->page, "diameter", "diameter D", net->tank_diameter[i], "m");
        sl_sheet_formula(&p->page, "law", "volume", "V", "V_min + A*(L - L_min)");
        sl_sheet_value(
            &p->page, "area", "area A", law->area, "m2",
            (sl_display_unit){p->shown.length.factor * p->shown.length.factor, p->shown.metric ? "m2" : "ft2"});
        sl_sheet_quantity(&p->page, "volume_min", "V_min", law->v_min, "m3");
    }
    sl_sheet_quantity(&p->page, "level_min", "lowest level L_min", net->tank_level_min[i], "m");
    sl_sheet_quantity(&p->page, "level_max", "highest level", net->tank_level_max[i], "m");
    sl_sheet_words(&p->page, "overflow", "when it is full", "%s",
                   net->tank_overflow[i] ? "it spills" : "nothing more comes in");
}

static void put_tank(sl_network_page *p, view *v) {
    static const char *const states[] = {"still", "filling", "emptying", "overflowing"};
    const sl_network *net = p->net;
    int32_t i = v->node - net->n_junction - net->n_reservoir;
    sl_tank_law law = sl_tank_law_of(net, i);
    double volume = sl_sheet_get(&p->page, "tank.volume", i), inflow = sl_sheet_get(&p->page, "tank.inflow", i);
    int state = (int)sl_sheet_get(&p->page, "tank.state", i);
    sl_sheet_section(&p->page, "data", "Data");
    put_heads(p, v);
    sl_sheet_field(&p->page, "level", "level L", "tank.level", i);
    sl_sheet_section(&p->page, "storage", "Storage");
    put_tank_shape(p, i, &law);
    sl_sheet_quantity(&p->page, "volume", "volume V", volume, "m3");
    sl_sheet_quantity(&p->page, "volume_by_law", "volume by the law", sl_tank_volume(&law, v->head), "m3");
    sl_sheet_quantity(&p->page, "residual", "residual: volume - law", volume - sl_tank_volume(&law, v->head), "m3");
    sl_sheet_field(&p->page, "spilled", "spilled so far", "tank.overflow", i);
    sl_sheet_words(&p->page, "state", "state", "%s", state >= 0 && state < 4 ? states[state] : "none");
    sl_sheet_section(&p->page, "balance", "Balance: what links bring is stored");
    v->brought = put_links(p, v->node);
    sl_sheet_quantity(&p->page, "inflow", "sum of the links", v->brought, "m3/s");
    sl_sheet_quantity(&p->page, "net_inflow", "net inflow dV/dt", inflow, "m3/s");
    sl_sheet_quantity(&p->page, "residual", "residual", v->brought - inflow, "m3/s");
}

void sl_explain_node(sl_network_page *p, int32_t node) {
    const char *id = sl_network_node_id(p->net, node);
    sl_node_kind kind = sl_network_node_kind(p->net, node);
    char words[SL_WORDS_MAX];
    view v = {.node = node,
              .head = sl_sheet_get(&p->page, "node.head", node),
              .pressure = sl_sheet_get(&p->page, "node.pressure", node)};
    (void)sl_format(words, sizeof words, "Node %.100s: a %s", id, sl_node_kind_words[kind]);
    sl_sheet_element(&p->page, "node", id, sl_node_kind_words[kind], words);
    (kind == SL_JUNCTION ? put_junction : kind == SL_RESERVOIR ? put_reservoir : put_tank)(p, &v);
}
