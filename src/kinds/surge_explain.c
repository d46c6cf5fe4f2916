/* SPDX-License-Identifier: MIT */
/* surge_explain.c: `explain` of a surge study: the grid, the models, and of elements the laws by which their heads and flows follow,
 * with the state at a time. Theory: docs/theory/surge.md.
 */
#include "kinds/surge_explain.h"

#include <math.h>

#include "kinds/rows.h"
#include "network/words.h"

#define PI 3.14159265358979323846

/* ---- Pipes -------------------------------------------------------------------------------------- */

static double impedance(const sl_surge_page *p, const sl_surge_pipe *g) {
    return g->wave_speed_used / (p->fluid.gravity * PI * g->diameter * g->diameter / 4.0);
}

static void put_grid_of_pipe(sl_surge_page *p, const sl_surge_pipe *g) {
    sl_sheet_section(&p->page, "grid", "Grid");
    sl_sheet_quantity(&p->page, "length", "length L", g->length, "m");
    sl_sheet_value(&p->page, "diameter", "diameter D", g->diameter, "m", p->shown.diameter);
    sl_sheet_quantity(&p->page, "wave_speed_asked", "wave speed asked for", g->wave_speed, "m/s");
    sl_sheet_quantity(&p->page, "wave_speed_used", "wave speed used a", g->wave_speed_used, "m/s");
    sl_sheet_value(&p->page, "distortion", "distortion", g->distortion, "", (sl_display_unit){0.01, "%"});
    sl_sheet_si(&p->page, "time_step", "time step dt", p->grid.dt, "s");
    sl_sheet_count(&p->page, "reaches", "reaches", g->n_reach);
    sl_sheet_quantity(&p->page, "reach", "length of a reach dx", g->reach, "m");
    sl_sheet_si(&p->page, "courant", "Courant number a dt/dx", g->courant, "");
    sl_sheet_si(&p->page, "friction_number", "friction R |Q|/B of a reach at the start", g->resistance, "");
    sl_sheet_words(&p->page, "scheme", "scheme", "%s",
                   g->rigid                            ? "rigid: inertia and storage, no travel time"
                   : p->def->scheme == SL_SURGE_ADJUST ? "whole reaches: the wave speed is changed a little"
                                                       : "wave speed as given: values between points are interpolated");
}

static void put_pipe_law(sl_surge_page *p, const sl_surge_pipe *g) {
    sl_sheet_section(&p->page, "law", "Law");
    if (g->rigid) {
        sl_sheet_words(&p->page, "name", "law", "a column of water that moves as one");
        sl_sheet_formula(&p->page, "formula", "motion", "L/(g*A)*dQ_dt", "H1 - H2 - h_Q");
    } else {
        sl_sheet_words(&p->page, "name", "law",
                       "characteristics: along C+ from the upstream point, along C- from the downstream point");
        sl_sheet_formula(&p->page, "formula_plus", "C+", "H", "H_1 + B*(Q_1 - Q) - R*Q*abs(Q)");
        sl_sheet_formula(&p->page, "formula_minus", "C-", "H", "H_2 - B*(Q_2 - Q) + R*Q*abs(Q)");
        sl_sheet_formula(&p->page, "impedance_formula", "impedance", "B", "a/(g*A)");
        sl_sheet_si(&p->page, "impedance", "B", impedance(p, g), "s/m2");
    }
    sl_sheet_si(&p->page, "gravity", "g", p->fluid.gravity, "m/s2");
    sl_sheet_words(&p->page, "friction", "friction", "%s, %s", sl_surge_friction_word(p->def->friction),
                   p->def->integration == SL_SURGE_TRAPEZOIDAL ? "trapezoidal" : "explicit");
    sl_sheet_words(&p->page, "cavitation", "cavitation", "%s", sl_surge_cavitation_word(p->def->cavitation));
}

/* The extremes over the points of a pipe. */
static void put_points(sl_surge_page *p, int32_t pipe) {
    const sl_surge_view *v = &p->view;
    int64_t first = v->point_start[pipe], end = v->point_start[pipe + 1], high = first, low = first;
    double cavity = 0.0;
    for (int64_t i = first; i < end; i++) {
        high = v->head_max[i] > v->head_max[high] ? i : high;
        low = v->head_min[i] < v->head_min[low] ? i : low;
        cavity += v->cavity ? v->cavity[i] : 0.0;
    }
    sl_sheet_quantity(&p->page, "head_max", "highest head so far", v->head_max[high], "m");
    sl_sheet_quantity(&p->page, "head_max_at", "  at chainage", v->chainage[high], "m");
    sl_sheet_si(&p->page, "head_max_time", "  first at", v->time_max[high], "s");
    sl_sheet_quantity(&p->page, "head_min", "lowest head so far", v->head_min[low], "m");
    sl_sheet_quantity(&p->page, "head_min_at", "  at chainage", v->chainage[low], "m");
    sl_sheet_si(&p->page, "head_min_time", "  first at", v->time_min[low], "s");
    sl_sheet_si(&p->page, "cavity", "gas and vapour in it", cavity, "m3");
}

/* ---- Valves and pumps --------------------------------------------------------------------------- */

/* What holds a setting, and how fast. */
static void put_regulator(sl_surge_page *p, int32_t link, const sl_surge_valve *record) {
    static const char *const holds[SL_VALVE_KIND_COUNT] = {[SL_PRV] = "the downstream pressure",
                                                           [SL_PSV] = "the pressure before it",
                                                           [SL_PBV] = "a difference of pressures",
                                                           [SL_FCV] = "a flow that it does not exceed"};
    int32_t valve = link - p->net->n_pipe - p->net->n_pump;
    const char *what = valve >= 0 ? holds[p->net->valve_kind[valve]] : NULL;
    if (what) {
        sl_sheet_words(&p->page, "regulates", "regulates", "%s, unless its status or an event governs", what);
        sl_sheet_si(&p->page, "lag", "lag of the pilot", record && !isnan(record->lag) ? record->lag : SL_REGULATOR_LAG,
                    "s");
        sl_sheet_si(&p->page, "closes_in", "stroke, closing",
                    record && !isnan(record->closes_in) ? record->closes_in : SL_REGULATOR_STROKE, "s");
        sl_sheet_si(&p->page, "opens_in", "stroke, opening",
                    record && !isnan(record->opens_in) ? record->opens_in : SL_REGULATOR_STROKE, "s");
    }
}

static void put_valve_law(sl_surge_page *p, int32_t link) {
    static const char *const phis[] = {"linear: phi = x", "equal percentage: phi = Rg^(x - 1), 0 at x = 0",
                                       "quick opening: phi = sqrt(x)", "by points"};
    const sl_surge_valve *found = NULL;
    for (int32_t i = 0; i < p->def->n_valve; i++) {
        found = p->def->valves[i].link == link ? &p->def->valves[i] : found;
    }
    sl_sheet_section(&p->page, "law", "Law");
    sl_sheet_words(
        &p->page, "name", "law",
        "the loss coefficient K follows the opening x; K_0 is that of the start at x_0; closed where phi is 0");
    sl_sheet_formula(&p->page, "formula", "loss", "H1 - H2", "K*abs(Q)*Q/(2*g*A^2)");
    sl_sheet_formula(&p->page, "coefficient_formula", "coefficient", "K", "K_0 + k_open*(1/phi_x^2 - 1/phi_x0^2)");
    sl_sheet_words(&p->page, "characteristic", "characteristic", "%s",
                   phis[found ? found->characteristic : SL_SURGE_LINEAR]);
    if (found && !isnan(found->k_open)) {
        sl_sheet_si(&p->page, "k_open", "k_open", found->k_open, "");
    }
    put_regulator(p, link, found);
}

static void put_pump_law(sl_surge_page *p, int32_t link) {
    const sl_surge_pump *found = NULL;
    for (int32_t i = 0; i < p->def->n_pump; i++) {
        found = p->def->pumps[i].link == link ? &p->def->pumps[i] : found;
    }
    sl_sheet_section(&p->page, "law", "Law");
    sl_sheet_words(
        &p->page, "name", "law",
        "four quadrants by Suter curves, through the state of the start; without power the shaft slows down by the torque of the water");
    sl_sheet_formula(&p->page, "formula", "shaft", "I*dw_dt", "-T");
    sl_sheet_words(&p->page, "curves", "Suter curves", "%s",
                   found && found->suter_head ? "of the study" : "of a radial pump, n_s = 35");
    sl_sheet_words(&p->page, "check_valve", "check valve", "%s",
                   !found || found->check_valve ? "yes: no water comes back" : "none");
    if (found && !isnan(found->inertia)) {
        sl_sheet_si(&p->page, "inertia", "inertia I", found->inertia, "kg m2");
    } else {
        sl_sheet_words(&p->page, "inertia", "inertia I", "estimated from rated power and speed (Thorley)");
    }
    if (found && !isnan(found->rated_speed)) {
        sl_sheet_value(&p->page, "rated_speed", "rated speed", found->rated_speed, "rad/s",
                       (sl_display_unit){PI / 30.0, "rpm"});
    }
}

/* ---- Links -------------------------------------------------------------------------------------- */

static void put_link_state(sl_surge_page *p, int32_t link) {
    const sl_network *net = p->net;
    char label[SL_WORDS_MAX];
    sl_sheet_section(&p->page, "state", "State");
    sl_sheet_field(&p->page, "flow", "flow at the first node", "link.flow", link);
    sl_sheet_field(&p->page, "flow_end", "flow at the second node", "link.flow.end", link);
    (void)sl_format(label, sizeof label, "head H1 at %.100s", sl_network_node_id(net, net->link_from[link]));
    sl_sheet_field(&p->page, "head_from", label, "node.head", net->link_from[link]);
    (void)sl_format(label, sizeof label, "head H2 at %.100s", sl_network_node_id(net, net->link_to[link]));
    sl_sheet_field(&p->page, "head_to", label, "node.head", net->link_to[link]);
    sl_sheet_field(&p->page, "opening", "opening x", "link.opening", link);
    if (link < net->n_pipe) {
        put_points(p, link);
    } else if (link < net->n_pipe + net->n_pump) {
        sl_sheet_field(&p->page, "speed", "speed", "pump.speed", link - net->n_pipe);
        sl_sheet_field(&p->page, "torque", "torque T", "pump.torque", link - net->n_pipe);
        sl_sheet_words(&p->page, "power", "power", "%s",
                       sl_sheet_get(&p->page, "pump.tripped", link - net->n_pipe) > 0.0 ? "none: it has failed" : "on");
    }
}

static void explain_link(sl_surge_page *p, int32_t link) {
    const sl_network *net = p->net;
    const char *id = sl_network_link_id(net, link);
    sl_link_kind kind = sl_network_link_kind(net, link);
    char words[SL_WORDS_MAX];
    (void)sl_format(words, sizeof words, "Link %.100s: a %s from %.100s to %.100s", id, sl_link_kind_words[kind],
                    sl_network_node_id(net, net->link_from[link]), sl_network_node_id(net, net->link_to[link]));
    sl_sheet_element(&p->page, "link", id, sl_link_kind_words[kind], words);
    if (kind == SL_PIPE) {
        put_grid_of_pipe(p, &p->grid.pipes[link]);
        put_pipe_law(p, &p->grid.pipes[link]);
        sl_explain_devices(p, -1, link);
    } else {
        (kind == SL_PUMP ? put_pump_law : put_valve_law)(p, link);
    }
    sl_sheet_section(&p->page, "events", "Events");
    (void)sl_explain_events(p, -1, link);
    put_link_state(p, link);
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static double vapour_gauge(const sl_surge_page *p) {
    return (p->fluid.vapour_pressure - p->fluid.atmospheric_pressure) / (p->fluid.density * p->fluid.gravity);
}

static void put_node_law(sl_surge_page *p, int32_t node) {
    static const char *const demands[] = {"q proportional to the square root of the pressure, none below 0",
                                          "q proportional to the square root of the pressure; below 0 water comes in",
                                          "fixed: as at the start, whatever the pressure is"};
    sl_node_kind kind = sl_network_node_kind(p->net, node);
    sl_sheet_section(&p->page, "law", "Boundary law");
    if (kind == SL_RESERVOIR) {
        sl_sheet_words(&p->page, "name", "law", "the head is given, the flows follow");
    } else if (kind == SL_TANK) {
        sl_sheet_words(&p->page, "name", "law", "%s",
                       p->def->tanks == SL_SURGE_TANKS_MOVE ? "the level follows the flows" : "the level is held");
    } else {
        sl_sheet_words(
            &p->page, "name", "law",
            "one head for all ends; what pipes bring by their characteristics leaves as demand, through outlets and devices, or a cavity takes it");
        sl_sheet_formula(&p->page, "formula", "balance", "sum(C_i/B_i) - H*sum(1/B_i)", "q_H + dV_dt");
        sl_sheet_words(&p->page, "demand", "demand", "%s", demands[p->def->demand]);
    }
    double vapour = vapour_gauge(p);
    sl_sheet_value(&p->page, "vapour_pressure", "pressure of vapour", vapour, "m", p->shown.pressure);
    sl_sheet_quantity(&p->page, "vapour_head", "head of vapour", p->net->node_elevation[node] + vapour, "m");
    sl_sheet_words(&p->page, "cavitation", "below it", "%s", sl_surge_cavitation_word(p->def->cavitation));
}

/* Ends of links at the node: what they bring, and of pipes their impedance. */
static void put_ends(sl_surge_page *p, int32_t node) {
    const sl_network *net = p->net;
    double sum = 0.0, demand = sl_sheet_get(&p->page, "node.demand", node);
    sl_sheet_section(&p->page, "balance", "Balance: what links bring leaves, but for what a cavity takes");
    sl_sheet_list(&p->page, "links");
    for (int32_t k = 0; k < net->n_link; k++) {
        bool from = net->link_from[k] == node, to = net->link_to[k] == node;
        char label[SL_WORDS_MAX];
        if (from == to) {
            continue;
        }
        double q = to ? sl_sheet_get(&p->page, "link.flow.end", k) : -sl_sheet_get(&p->page, "link.flow", k);
        (void)sl_format(label, sizeof label, "%s %.100s %s %.100s", sl_link_kind_words[sl_network_link_kind(net, k)],
                        sl_network_link_id(net, k), to ? "from" : "to",
                        sl_network_node_id(net, to ? net->link_from[k] : net->link_to[k]));
        sl_sheet_item_value(&p->page, sl_network_link_id(net, k), label, "inflow", q, "m3/s");
        sum += q;
    }
    sl_sheet_list_end(&p->page);
    sl_sheet_quantity(&p->page, "inflow", "sum of the links", sum, "m3/s");
    sl_sheet_quantity(&p->page, "demand", node < net->n_junction ? "leaves" : "net inflow", demand, "m3/s");
    sl_sheet_quantity(&p->page, "residual", "residual: in - out", sum - demand, "m3/s");
}

static void explain_node(sl_surge_page *p, int32_t node) {
    static const char *const rows[][3] = {{"head", "head H", "node.head"},
                                          {"head_max", "highest head so far", "node.head.max"},
                                          {"head_max_time", "  first at", "node.time.max"},
                                          {"head_min", "lowest head so far", "node.head.min"},
                                          {"head_min_time", "  first at", "node.time.min"}};
    const char *id = sl_network_node_id(p->net, node), *kind = sl_node_kind_words[sl_network_node_kind(p->net, node)];
    char words[SL_WORDS_MAX];
    (void)sl_format(words, sizeof words, "Node %.100s: a %s", id, kind);
    sl_sheet_element(&p->page, "node", id, kind, words);
    put_node_law(p, node);
    sl_explain_devices(p, node, -1);
    sl_sheet_section(&p->page, "events", "Events");
    (void)sl_explain_events(p, node, -1);
    sl_sheet_section(&p->page, "state", "State");
    sl_sheet_quantity(&p->page, "elevation", "elevation z", p->net->node_elevation[node], "m");
    sl_sheet_field(&p->page, "pressure", "pressure", "node.pressure", node);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_sheet_field(&p->page, rows[i][0], rows[i][1], rows[i][2], node);
    }
    sl_sheet_si(&p->page, "cavity", "gas and vapour at it", sl_sheet_get(&p->page, "node.cavity", node), "m3");
    put_ends(p, node);
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* Balances and alarms at the page's time. */
static void put_state(sl_surge_page *p) {
    const sl_surge_balance *b = &p->view.balance;
    sl_sheet_section(&p->page, "state", "State");
    sl_sheet_quantity(&p->page, "inflow", "in from reservoirs", b->inflow, "m3");
    sl_sheet_quantity(&p->page, "outflow", "out to reservoirs", b->outflow, "m3");
    sl_sheet_quantity(&p->page, "demand", "to consumers", b->demand, "m3");
    sl_sheet_quantity(&p->page, "stored", "more in pipes by pressure", b->stored, "m3");
    sl_sheet_quantity(&p->page, "cavities", "more gas and vapour", b->cavities, "m3");
    sl_sheet_quantity(&p->page, "residual", "residual of the balance", b->error, "m3");
    for (int k = 0; k < SL_SURGE_ALARM_COUNT; k++) {
        sl_sheet_count(&p->page, sl_surge_alarm_word((sl_surge_alarm)k), sl_surge_alarm_word((sl_surge_alarm)k),
                       p->view.alarms[k].count);
    }
}

static void put_whole(sl_surge_page *p) {
    const sl_surge_grid *g = &p->grid;
    const sl_surge_def *d = p->def;
    static const char *const demands[] = {"orifice", "intrusion", "fixed"};
    sl_sheet_section(&p->page, "grid", "Grid");
    sl_sheet_si(&p->page, "time_step", "time step dt", g->dt, "s");
    sl_sheet_si(&p->page, "duration", "duration", d->duration, "s");
    sl_sheet_value(&p->page, "start", "start, of the network's run", d->start, "s", (sl_display_unit){3600.0, "h"});
    sl_sheet_count(&p->page, "steps", "time steps", g->n_step);
    sl_sheet_count(&p->page, "points", "points", g->n_point);
    sl_sheet_count(&p->page, "pipes", "pipes", g->n_pipe);
    sl_sheet_count(&p->page, "rigid", "rigid pipes", g->n_rigid);
    sl_sheet_value(&p->page, "distortion_max", "largest change of a wave speed", g->distortion_max, "",
                   (sl_display_unit){0.01, "%"});
    if (g->worst_pipe >= 0) {
        sl_sheet_words(&p->page, "worst_pipe", "  in pipe", "%s", sl_network_link_id(p->net, g->worst_pipe));
    }
    sl_sheet_quantity(&p->page, "matched", "matched at the steady start", g->residual, "m");
    sl_sheet_section(&p->page, "models", "Models");
    sl_sheet_words(&p->page, "friction", "friction", "%s, %s", sl_surge_friction_word(d->friction),
                   d->integration == SL_SURGE_TRAPEZOIDAL ? "trapezoidal" : "explicit");
    sl_sheet_words(&p->page, "cavitation", "cavitation", "%s", sl_surge_cavitation_word(d->cavitation));
    sl_sheet_words(&p->page, "demand", "demand", "%s", demands[d->demand]);
    sl_sheet_words(&p->page, "tanks", "tanks", "%s",
                   d->tanks == SL_SURGE_TANKS_MOVE ? "levels follow the flows" : "held");
    sl_sheet_section(&p->page, "fluid", "Fluid");
    sl_sheet_si(&p->page, "gravity", "gravity g", p->fluid.gravity, "m/s2");
    sl_sheet_si(&p->page, "density", "density", p->fluid.density, "kg/m3");
    sl_sheet_si(&p->page, "viscosity", "kinematic viscosity", p->fluid.viscosity, "m2/s");
    sl_sheet_si(&p->page, "atmospheric_pressure", "pressure of the air", p->fluid.atmospheric_pressure, "Pa");
    sl_sheet_si(&p->page, "vapour_pressure", "pressure of vapour, absolute", p->fluid.vapour_pressure, "Pa");
    sl_sheet_value(&p->page, "vapour_gauge", "  above the elevation", vapour_gauge(p), "m", p->shown.pressure);
    sl_sheet_section(&p->page, "events", "Events");
    (void)sl_explain_events(p, -1, -1);
    if (p->s) {
        put_state(p);
    }
}

static sl_status explain_model(const sl_load *load, const sl_page_def *def, const sl_model *model,
                               const sl_sink *sink) {
    const sl_surge_origin *origin = sl_model_origin(model);
    sl_surge_page p = {.net = origin->net,
                       .def = &origin->study->def,
                       .grid = {.size = sizeof p.grid},
                       .view = {.size = sizeof p.view},
                       .shown = sl_display_units_of(origin->net)};
    sl_asked asked;
    const sl_hydraulic_options *o = &p.net->hydraulics;
    p.fluid = p.def->fluid ? *p.def->fluid : sl_surge_fluid_default();
    sl_status status = sl_surge_fluid_complete(&p.fluid, o->specific_gravity, o->viscosity);
    status = status == SL_OK ? sl_asked_find(p.net, def, load->diags, &asked) : status;
    status = status == SL_OK ? sl_model_surge_grid(model, &p.grid) : status;
    if (status == SL_OK && (asked.n_node + asked.n_link > 0 || def->at.is_given)) {
        status = sl_sheet_run(load->ctx, model, def, load->diags, &p.s);
        status = status == SL_OK ? sl_session_surge(p.s, &p.view) : status;
    }
    status = status == SL_OK ? sl_sheet_begin(&p.page, &sl_kind_surge, load, def, p.s, false, &p.shown, sink) : status;
    if (status == SL_OK && asked.n_node + asked.n_link == 0) {
        put_whole(&p);
    }
    for (int32_t i = 0; status == SL_OK && i < asked.n_node; i++) {
        explain_node(&p, asked.node[i]);
    }
    for (int32_t i = 0; status == SL_OK && i < asked.n_link; i++) {
        explain_link(&p, asked.link[i]);
    }
    status = status == SL_OK ? sl_sheet_close(&p.page) : status;
    sl_session_destroy(p.s);
    return status;
}

sl_status sl_surge_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink) {
    return sl_sheet_explain(&sl_kind_surge, load, def, sink, explain_model);
}
