/* SPDX-License-Identifier: MIT */
/* network_explain_link.c: a link of a network and its law, with numbers put in: what it is, the formula, flow and heads at the page's
 * time, the loss that the law gives there, and by how much the two differ. Laws: src/laws; theory: docs/theory/hydraulics.md.
 */
#include "kinds/network_explain.h"

#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "laws/constants.h"
#include "laws/pipe.h"
#include "laws/pump.h"
#include "laws/valve.h"
#include "network/words.h"

static const sl_display_unit percent = {1.0, "%"};

/* What is known of a link at the page's time. */
typedef struct view {
    int32_t link, from, to;
    double q, h1, h2, setting;
    int status;   /* sl_out_status */
    double floor; /* least slope of a law [s/m2] */
} view;

static view look(sl_network_page *p, int32_t k) {
    const sl_network *net = p->net;
    view v = {.link = k, .from = net->link_from[k], .to = net->link_to[k]};
    v.q = sl_sheet_get(&p->page, "link.flow", k);
    v.h1 = sl_sheet_get(&p->page, "node.head", v.from);
    v.h2 = sl_sheet_get(&p->page, "node.head", v.to);
    v.setting = sl_sheet_get(&p->page, "link.setting", k);
    v.status = (int)sl_sheet_get(&p->page, "link.status", k);
    v.floor = net->hydraulics.rq_tolerance * SL_FT_PER_CFS;
    return v;
}

/* ---- Rows that links share ---------------------------------------------------------------------- */

static void put_ends(sl_network_page *p, const view *v) {
    char text[SL_WORDS_MAX];
    sl_sheet_section(&p->page, "data", "Data");
    sl_sheet_words(&p->page, "from", "from", "%s", sl_node_words(p->net, v->from, text));
    sl_sheet_words(&p->page, "to", "to", "%s", sl_node_words(p->net, v->to, text));
}

/* Flow and heads; the numbers that the law takes. */
static void put_numbers(sl_network_page *p, const view *v) {
    char label[SL_WORDS_MAX];
    sl_sheet_section(&p->page, "numbers", "Numbers");
    sl_sheet_quantity(&p->page, "flow", "flow Q", v->q, "m3/s");
    (void)sl_format(label, sizeof label, "head H1 at %.100s", sl_network_node_id(p->net, v->from));
    sl_sheet_quantity(&p->page, "head_from", label, v->h1, "m");
    (void)sl_format(label, sizeof label, "head H2 at %.100s", sl_network_node_id(p->net, v->to));
    sl_sheet_quantity(&p->page, "head_to", label, v->h2, "m");
    sl_sheet_quantity(&p->page, "difference", "H1 - H2", v->h1 - v->h2, "m");
}

static void put_residual(sl_network_page *p, const char *key, const char *label, double law, const char *than,
                         double residual) {
    sl_sheet_quantity(&p->page, key, label, law, "m");
    sl_sheet_quantity(&p->page, "residual", than, residual, "m");
}

/* A closed link: its law is that nothing flows. */
static void put_closed(sl_network_page *p, const view *v) {
    sl_sheet_section(&p->page, "law", "Law");
    sl_sheet_words(&p->page, "name", "law", "closed: nothing flows, whatever the heads are");
    sl_sheet_formula(&p->page, "formula", "formula", "Q", "0");
    put_numbers(p, v);
    sl_sheet_quantity(&p->page, "residual_flow", "residual: Q - 0", v->q, "m3/s");
}

/* ---- Pipes -------------------------------------------------------------------------------------- */

const char *sl_headloss_name(sl_headloss law) {
    static const char *const names[] = {"Hazen-Williams", "Darcy-Weisbach", "Chezy-Manning"};
    return names[law];
}

typedef struct pipe_data {
    double length, diameter, roughness, k; /* as the session has them */
    double r, m;                           /* of the law */
    sl_dw_pipe dw;
} pipe_data;

static pipe_data pipe_of(sl_network_page *p, int32_t k) {
    const sl_hydraulic_options *o = &p->net->hydraulics;
    pipe_data d = {.length = sl_sheet_get(&p->page, "pipe.length", k),
                   .diameter = sl_sheet_get(&p->page, "pipe.diameter", k),
                   .roughness = sl_sheet_get(&p->page, "pipe.roughness", k),
                   .k = sl_sheet_get(&p->page, "pipe.minor", k)};
    d.r = sl_pipe_resistance(o->headloss, d.length, d.diameter, d.roughness);
    d.m = sl_minor_loss(d.k, d.diameter);
    d.dw = sl_dw_pipe_of(d.diameter, d.roughness, o->viscosity);
    return d;
}

static void put_pipe_data(sl_network_page *p, const view *v, const pipe_data *d) {
    sl_headloss law = p->net->hydraulics.headloss;
    put_ends(p, v);
    sl_sheet_quantity(&p->page, "length", "length L", d->length, "m");
    sl_sheet_value(&p->page, "diameter", "diameter D", d->diameter, "m", p->shown.diameter);
    if (law == SL_DARCY_WEISBACH) {
        sl_sheet_value(&p->page, "roughness", "roughness e", d->roughness, "m",
                       (sl_display_unit){p->shown.roughness, p->shown.metric ? "mm" : "1e-3 ft"});
    } else {
        sl_sheet_si(&p->page, "roughness", law == SL_HAZEN_WILLIAMS ? "coefficient C" : "coefficient n", d->roughness,
                    "");
    }
    sl_sheet_si(&p->page, "minor", "minor loss K", d->k, "");
    sl_sheet_words(&p->page, "check_valve", "check valve", "%s",
                   p->net->pipe_check[v->link] ? "yes: from the first node to the second only" : "none");
    if (p->net->pipe_leak_area && p->net->pipe_leak_area[v->link] > 0.0) {
        sl_sheet_si(&p->page, "leak_area", "leak area per length", p->net->pipe_leak_area[v->link], "m2/m");
        sl_sheet_si(&p->page, "leak_expansion", "its growth per head", p->net->pipe_leak_expansion[v->link], "m2/m2");
    }
}

/* Formulas of a pipe's law, with the figures in SI (docs/theory/hydraulics.md, "Pipes"). */
static void put_pipe_law(sl_network_page *p, const pipe_data *d) {
    static const char *const losses[] = {"r*abs(Q)^0.852*Q + m*abs(Q)*Q", "f*r*abs(Q)*Q + m*abs(Q)*Q",
                                         "r*abs(Q)*Q + m*abs(Q)*Q"};
    static const char *const resistances[] = {"10.66683*L/(C^1.852*D^4.871)", "L/(2*g*D*A^2)", "10.2366*n^2*L/D^5.333"};
    static const char *const labels[] = {"r [m/(m3/s)^1.852]", "r [s2/m5]", "r [s2/m5]"};
    sl_headloss law = p->net->hydraulics.headloss;
    sl_sheet_section(&p->page, "law", "Law");
    sl_sheet_words(&p->page, "name", "law", "%s: friction and minor loss take the head H1 - H2", sl_headloss_name(law));
    sl_sheet_formula(&p->page, "formula", "loss", "h", losses[law]);
    sl_sheet_formula(&p->page, "resistance_formula", "resistance", "r", resistances[law]);
    sl_sheet_formula(&p->page, "minor_formula", "minor loss", "m", "0.0825787*K/D^4");
    sl_sheet_si(&p->page, "resistance", labels[law], d->r, "");
    sl_sheet_si(&p->page, "minor_resistance", "m [s2/m5]", d->m, "");
    if (law == SL_DARCY_WEISBACH) {
        sl_sheet_si(&p->page, "gravity", "g", SL_LOSS_GRAVITY, "m/s2");
        sl_sheet_si(&p->page, "viscosity", "kinematic viscosity", p->net->hydraulics.viscosity, "m2/s");
    }
}

/* Reynolds number and friction factor, by the range that it is in. */
static void put_friction(sl_network_page *p, const view *v, const pipe_data *d) {
    double q = fabs(v->q), re = d->dw.re_scale * q, slope = 0.0;
    sl_pipe_slopes_dw(1, d->r, 0.0, d->dw.relative, d->dw.re_scale, &q, &slope);
    sl_sheet_si(&p->page, "reynolds", "Reynolds number Re", re, "");
    if (q > 0.0) {
        sl_sheet_si(&p->page, "friction_factor", "friction factor f", slope / (d->r * q), "");
    }
    if (re <= 2000.0) {
        sl_sheet_words(&p->page, "range", "range", "laminar (Hagen-Poiseuille)");
        sl_sheet_formula(&p->page, "friction_formula", "friction factor", "f", "64/Re");
    } else if (re >= 4000.0) {
        sl_sheet_words(&p->page, "range", "range", "turbulent (Swamee and Jain)");
        sl_sheet_formula(&p->page, "friction_formula", "friction factor", "f", "0.25/log10(e/(3.7*D) + 5.74/Re^0.9)^2");
    } else {
        sl_sheet_words(&p->page, "range", "range",
                       "between laminar and turbulent: Dunlop's cubic from 64/Re at 2000 to Swamee and Jain at 4000");
    }
}

static double pipe_loss(const sl_network_page *p, const view *v, const pipe_data *d, double m) {
    double h = 0.0, slope = 0.0;
    switch (p->net->hydraulics.headloss) {
    case SL_HAZEN_WILLIAMS: sl_pipes_hw(1, &d->r, &m, &v->q, v->floor, &h, &slope); break;
    case SL_CHEZY_MANNING: sl_pipes_cm(1, &d->r, &m, &v->q, v->floor, &h, &slope); break;
    default: sl_pipes_dw(1, &d->r, &m, &d->dw, &v->q, SL_FLAT, &h, &slope); break;
    }
    return h;
}

static void put_pipe(sl_network_page *p, const view *v) {
    pipe_data d = pipe_of(p, v->link);
    put_pipe_data(p, v, &d);
    if (v->status <= SL_STATUS_CLOSED) {
        put_closed(p, v);
        return;
    }
    double h = pipe_loss(p, v, &d, d.m), friction = pipe_loss(p, v, &d, 0.0);
    put_pipe_law(p, &d);
    put_numbers(p, v);
    sl_sheet_field(&p->page, "velocity", "velocity", "link.velocity", v->link);
    if (p->net->hydraulics.headloss == SL_DARCY_WEISBACH) {
        put_friction(p, v, &d);
    } else if (p->net->hydraulics.headloss == SL_HAZEN_WILLIAMS &&
               SL_HW_EXPONENT * d.r * pow(fabs(v->q), SL_HW_EXPONENT - 1.0) < v->floor) {
        sl_sheet_words(&p->page, "range", "range",
                       "near zero flow the law is a straight line of the slope RQTOL/1.852");
    }
    sl_sheet_quantity(&p->page, "friction_loss", "loss by friction", friction, "m");
    sl_sheet_quantity(&p->page, "minor_loss", "minor loss", h - friction, "m");
    put_residual(p, "loss", "loss by the law h(Q)", h, "residual: h(Q) - (H1 - H2)", h - (v->h1 - v->h2));
}

/* ---- Pumps -------------------------------------------------------------------------------------- */

static void put_curve(sl_network_page *p, int32_t c, bool flows, sl_display_unit x, sl_display_unit y) {
    const sl_network *net = p->net;
    sl_sheet_list(&p->page, "curve_points");
    for (int32_t i = net->curve_start[c]; i < net->curve_start[c + 1]; i++) {
        sl_sheet_item_point(&p->page, "point of the curve", net->curve_x[i], flows ? "m3/s" : "%", x, net->curve_y[i],
                            flows ? "m" : "%", y);
    }
    sl_sheet_list_end(&p->page);
}

static void put_pump_data(sl_network_page *p, const view *v, int32_t i) {
    const sl_network *net = p->net;
    put_ends(p, v);
    if (net->pump_curve[i] >= 0) {
        sl_sheet_words(&p->page, "curve", "head curve", "%s", sl_network_curve_id(net, net->pump_curve[i]));
        put_curve(p, net->pump_curve[i], true, p->shown.flow, p->shown.length);
    } else {
        sl_sheet_value(&p->page, "power", "power of the water P", net->pump_power[i], "W",
                       (sl_display_unit){p->shown.metric ? 1e3 : SL_HORSEPOWER, p->shown.metric ? "kW" : "hp"});
    }
    sl_sheet_si(&p->page, "speed_start", "speed in the file", net->pump_speed[i], "");
    if (net->pump_pattern[i] >= 0) {
        sl_sheet_words(&p->page, "speed_pattern", "pattern of the speed", "%s",
                       sl_network_pattern_id(net, net->pump_pattern[i]));
    }
}

static void put_pump_law(sl_network_page *p, const sl_pump_law *law) {
    sl_sheet_section(&p->page, "law", "Law");
    switch (law->kind) {
    case SL_PUMP_POWER_LAW:
        sl_sheet_words(&p->page, "name", "law", "power law through the curve, at speed w by the affinity laws");
        sl_sheet_formula(&p->page, "formula", "gain", "H2 - H1", "w^2*h_0 - r*w^(2 - n)*Q^n");
        sl_sheet_quantity(&p->page, "shutoff", "shut-off gain h_0", law->h0, "m");
        sl_sheet_si(&p->page, "coefficient", "r (SI)", law->r, "");
        sl_sheet_si(&p->page, "exponent", "n", law->n, "");
        break;
    case SL_PUMP_CUSTOM:
        sl_sheet_words(&p->page, "name", "law",
                       "straight pieces between the points of the curve g, at speed w by the affinity laws");
        sl_sheet_formula(&p->page, "formula", "gain", "H2 - H1", "w^2*g_Qw");
        sl_sheet_words(&p->page, "where", "where", "g_Qw is the curve at the flow Q/w");
        break;
    default:
        sl_sheet_words(&p->page, "name", "law", "constant power, with the cube of the speed w");
        sl_sheet_formula(&p->page, "formula", "gain", "H2 - H1", "w^3*W/Q");
        sl_sheet_si(&p->page, "work", "W = P/9802.37", law->work, "m4/s");
        break;
    }
}

static void put_pump(sl_network_page *p, const view *v) {
    int32_t i = v->link - p->net->n_pipe;
    sl_pump_law law = sl_pump_law_of(p->net, i);
    double h = 0.0, slope = 0.0;
    put_pump_data(p, v, i);
    if (v->status <= SL_STATUS_CLOSED || !(v->setting > 0.0)) {
        put_closed(p, v);
        return;
    }
    put_pump_law(p, &law);
    sl_pump_loss(&law, v->setting, v->q, v->floor, &h, &slope);
    put_numbers(p, v);
    sl_sheet_si(&p->page, "speed", "speed w", v->setting, "");
    put_residual(p, "gain", "gain by the law", -h, "residual: gain - (H2 - H1)", -h - (v->h2 - v->h1));
    sl_sheet_field(&p->page, "efficiency", "efficiency, wire to water", "pump.efficiency", i);
    sl_sheet_value(&p->page, "electric_power", "electrical power", sl_sheet_get(&p->page, "pump.power", i), "W",
                   (sl_display_unit){1e3, "kW"});
}

/* ---- Valves ------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *purpose;
} valve_texts[SL_VALVE_KIND_COUNT] = {
    [SL_PRV] = {"pressure reducing valve", "limits the downstream pressure to its setting, and prevents backflow"},
    [SL_PSV] = {"pressure sustaining valve", "keeps the pressure before it up to its setting, and lets nothing back"},
    [SL_PBV] = {"pressure breaker valve",
                "takes its setting off the head of water that passes forwards, and adds none"},
    [SL_FCV] = {"flow control valve", "lets no more than its setting pass"},
    [SL_TCV] = {"throttle control valve", "has its setting as loss coefficient"},
    [SL_GPV] = {"general purpose valve", "loses head by its curve"},
    [SL_PCV] = {"position control valve", "has the loss coefficient of its opening"},
};

static sl_display_unit valve_unit(const sl_network_page *p, int kind, const char **si) {
    sl_display_unit unit = sl_display_setting_unit(&p->shown, (sl_valve_kind)kind);
    *si = kind <= SL_PBV ? "m" : kind == SL_FCV ? "m3/s" : kind == SL_PCV ? "%" : "";
    return kind == SL_PCV ? percent : unit;
}

static void put_valve_data(sl_network_page *p, const view *v, int32_t i) {
    int kind = p->net->valve_kind[i];
    const char *si;
    sl_display_unit unit = valve_unit(p, kind, &si);
    put_ends(p, v);
    sl_sheet_words(&p->page, "type", "type", "%s: %s", sl_valve_words[kind], valve_texts[kind].purpose);
    sl_sheet_value(&p->page, "diameter", "diameter D", p->net->valve_diameter[i], "m", p->shown.diameter);
    sl_sheet_si(&p->page, "minor", "minor loss K when open", p->net->valve_minor[i], "");
    if (kind != SL_GPV) {
        sl_sheet_value(&p->page, "setting_start", "setting in the file", p->net->valve_setting[i], si, unit);
    }
    if (p->net->valve_curve[i] >= 0) {
        bool loss = kind == SL_GPV;
        sl_sheet_words(&p->page, "curve", "curve", "%s", sl_network_curve_id(p->net, p->net->valve_curve[i]));
        put_curve(p, p->net->valve_curve[i], loss, loss ? p->shown.flow : percent, loss ? p->shown.length : percent);
    }
}

/* An active PRV, PSV or FCV holds what it is set to. */
static void put_holding(sl_network_page *p, const view *v, int kind) {
    bool reduces = kind == SL_PRV;
    sl_sheet_section(&p->page, "law", "Law");
    if (kind == SL_FCV) {
        sl_sheet_words(&p->page, "name", "law", "active: the flow is the setting S, the head loss what remains");
        sl_sheet_formula(&p->page, "formula", "formula", "Q", "S");
        put_numbers(p, v);
        sl_sheet_quantity(&p->page, "setting", "setting S", v->setting, "m3/s");
        sl_sheet_quantity(&p->page, "residual_flow", "residual: Q - S", v->q - v->setting, "m3/s");
        return;
    }
    double z = p->net->node_elevation[reduces ? v->to : v->from], h = reduces ? v->h2 : v->h1;
    sl_sheet_words(
        &p->page, "name", "law",
        "active: the head %s it is the elevation z plus the setting S; the flow is what that node's balance asks for",
        reduces ? "behind" : "before");
    sl_sheet_formula(&p->page, "formula", "formula", reduces ? "H2" : "H1", "z + S");
    put_numbers(p, v);
    sl_sheet_quantity(&p->page, "elevation", "elevation z", z, "m");
    sl_sheet_value(&p->page, "setting", "setting S", v->setting, "m", p->shown.pressure);
    put_residual(p, "held_head", "head by the law z + S", z + v->setting,
                 reduces ? "residual: H2 - (z + S)" : "residual: H1 - (z + S)", h - (z + v->setting));
}

/* What governs a valve that lets water pass by a law. */
static void put_valve_law(sl_network_page *p, const view *v, int32_t i, int kind) {
    bool governed = !isnan(v->setting);
    double open = sl_minor_loss(p->net->valve_minor[i], p->net->valve_diameter[i]), m = open;
    sl_sheet_section(&p->page, "law", "Law");
    bool both_ways;
    double hold = sl_valve_hold(p->net, i, v->setting, &both_ways), rest = sl_valve_dead_band(hold);
    if (hold > 0.0 && fabs(v->q) < rest && (both_ways || v->q < 0.0)) {
        sl_sheet_words(&p->page, "name", "law",
                       both_ways ? "no flow: |H1 - H2| is at most the first head loss of the curve"
                                 : "no flow: H1 - H2 is between 0 and the setting S");
        sl_sheet_formula(&p->page, "formula", "flow", "Q", "0");
        return;
    }
    if (kind == SL_GPV && p->net->valve_curve[i] >= 0) {
        sl_sheet_words(&p->page, "name", "law", "head loss by straight pieces of the curve c, odd in Q");
        sl_sheet_formula(&p->page, "formula", "loss", "h", "sign(Q)*c");
        return;
    }
    if (kind == SL_PBV && governed && v->q >= 0.0 && v->setting > m * v->q * v->q) {
        sl_sheet_words(&p->page, "name", "law", "the loss is the setting S, as long as that is more than m Q^2");
        sl_sheet_formula(&p->page, "formula", "loss", "h", "S");
        return;
    }
    if (governed && kind == SL_TCV) {
        m = sl_minor_loss(v->setting, p->net->valve_diameter[i]);
    } else if (governed && kind == SL_PCV && m > 0.0) {
        m = sl_position_loss(p->net, i, m, v->setting);
    }
    bool lossless = !(m > 0.0);
    sl_sheet_words(&p->page, "name", "law", "%s",
                   lossless                       ? "open without a loss coefficient: all but no loss"
                   : governed && (kind == SL_TCV) ? "minor loss with the setting S as coefficient"
                   : governed && (kind == SL_PCV)
                       ? "minor loss of the full opening over the square of the share that the opening S lets through"
                       : "open: minor loss");
    sl_sheet_formula(&p->page, "formula", "loss", "h", lossless ? "s*Q" : "m*abs(Q)*Q");
    if (lossless) {
        sl_sheet_si(&p->page, "slope", "s", SL_OPEN_VALVE, "s/m2");
        return;
    }
    sl_sheet_formula(&p->page, "minor_formula", "coefficient", "m",
                     governed && kind == SL_TCV   ? "0.0825787*S/D^4"
                     : kind == SL_PCV && governed ? "0.0825787*K/(D^4*x^2)"
                                                  : "0.0825787*K/D^4");
    if (kind == SL_PCV && governed) {
        sl_sheet_si(&p->page, "share", "share x that the opening lets through", sqrt(open / m), "");
    }
    sl_sheet_si(&p->page, "minor_resistance", "m [s2/m5]", m, "");
}

static void put_valve(sl_network_page *p, const view *v) {
    int32_t i = v->link - p->net->n_pipe - p->net->n_pump;
    int kind = p->net->valve_kind[i];
    double h = 0.0, slope = 0.0;
    const char *si;
    sl_display_unit unit = valve_unit(p, kind, &si);
    put_valve_data(p, v, i);
    if (v->status <= SL_STATUS_CLOSED || sl_valve_is_shut(p->net, i, p->net->valve_minor[i], v->setting)) {
        put_closed(p, v);
        return;
    }
    if (v->status == SL_STATUS_ACTIVE && (kind == SL_PRV || kind == SL_PSV || kind == SL_FCV)) {
        put_holding(p, v, kind);
        return;
    }
    put_valve_law(p, v, i, kind);
    sl_valve_loss(p->net, i, sl_minor_loss(p->net->valve_minor[i], p->net->valve_diameter[i]), v->setting, v->q,
                  v->floor, &h, &slope);
    put_numbers(p, v);
    if (kind != SL_GPV) {
        sl_sheet_value(&p->page, "setting", "setting S", v->setting, si, unit);
    }
    put_residual(p, "loss", "loss by the law h(Q)", h, "residual: h(Q) - (H1 - H2)", h - (v->h1 - v->h2));
}

/* ---- Status ------------------------------------------------------------------------------------- */

static const struct {
    const char *word, *meaning;
} statuses[] = {{"xhead", "closed: the required head exceeds the shutoff head of the pump"},
                {"temp_closed",
                 "closed by the solver at this time: the tank at one end is full or empty, or the flow would reverse"},
                {"closed", "closed"},
                {"open", "open"},
                {"active", "the valve holds its setting"},
                {"xflow", "open: the flow exceeds the maximum of the pump curve"},
                {"xfcv", "open: the set flow cannot be reached"},
                {"xpressure", "open: the set pressure cannot be reached"}};

/* The last event that changed it, and its cause. */
static void put_why(sl_network_page *p, int32_t link) {
    sl_event_info e = {.size = sizeof e};
    char when[64];
    for (int64_t i = sl_session_n_event(p->s) - 1; i >= 0; i--) {
        if (sl_session_event(p->s, i, &e) == SL_OK && strcmp(e.element_class, "link") == 0 &&
            strcmp(e.element, sl_network_link_id(p->net, link)) == 0) {
            (void)sl_time_format(e.time, when, sizeof when);
            sl_sheet_words(&p->page, "why", "why", "%s since %s: %s", e.quantity, when,
                           e.cause[0] ? e.cause : "no cause is known");
            return;
        }
    }
    sl_sheet_words(&p->page, "why", "why", "as at the start of the run: nothing has changed it since");
}

static void put_status(sl_network_page *p, const view *v) {
    static const char *const given[] = {"closed", "open", "follows its setting"};
    sl_sheet_section(&p->page, "status", "Status");
    bool known = v->status >= 0 && v->status < (int)(sizeof statuses / sizeof *statuses);
    sl_sheet_words(&p->page, "status", "status", "%s", known ? statuses[v->status].word : "none");
    sl_sheet_words(&p->page, "meaning", "meaning", "%s", known ? statuses[v->status].meaning : "not known");
    sl_sheet_words(&p->page, "in_file", "in the file", "%s", given[p->net->link_status[v->link]]);
    put_why(p, v->link);
    if (sl_explain_controls(p, v->link) + sl_explain_rules(p, v->link) == 0) {
        sl_sheet_words(&p->page, "steered_by", "controls and rules", "none acts on it");
    }
}

void sl_explain_link(sl_network_page *p, int32_t link) {
    const sl_network *net = p->net;
    const char *id = sl_network_link_id(net, link);
    view v = look(p, link);
    sl_link_kind kind = sl_network_link_kind(net, link);
    int32_t valve = link - net->n_pipe - net->n_pump;
    char words[SL_WORDS_MAX];
    (void)sl_format(words, sizeof words, "Link %.100s: a %s from %.100s to %.100s", id,
                    kind == SL_VALVE ? valve_texts[net->valve_kind[valve]].name : sl_link_kind_words[kind],
                    sl_network_node_id(net, v.from), sl_network_node_id(net, v.to));
    sl_sheet_element(&p->page, "link", id, sl_link_kind_words[kind], words);
    (kind == SL_PIPE ? put_pipe : kind == SL_PUMP ? put_pump : put_valve)(p, &v);
    put_status(p, &v);
}
