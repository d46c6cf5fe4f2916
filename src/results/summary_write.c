/* SPDX-License-Identifier: MIT */
/* summary_write.c: the summary of a run as text, in the network's units and four digits, and as JSON, in SI units. */
#include "results/summary.h"

#include <math.h>

#include "base/number.h"
#include <sluice/units.h>

enum { DIGITS = 4, ONE_BY_ONE = 5 };

/* ---- Text --------------------------------------------------------------------------------------- */

typedef struct page {
    sl_out *out;
    const sl_summary *s;
    sl_display_units shown;
} page;

static void row(page *p, const char *label) {
    sl_out_printf(p->out, "\n  %s", label);
    sl_out_pad(p->out, 16, 2);
}

static void put(page *p, double x) {
    char text[SL_NUMBER_MAX] = "?";
    if (isfinite(x)) {
        sl_number_format_digits(x, DIGITS, text);
    }
    sl_out_z(p->out, text);
}

static void put_shown(page *p, double x, sl_display_unit unit) {
    put(p, x / unit.factor);
    sl_out_printf(p->out, " %s", unit.name);
}

/* A run of one moment needs no times. */
static void put_time(page *p, double t) {
    char text[64];
    if (p->s->end > p->s->begin) {
        sl_time_format(t, text, sizeof text);
        sl_out_printf(p->out, " (%s)", text);
    }
}

static void put_node(page *p, const char *words, const sl_extreme *e) {
    sl_out_z(p->out, words);
    put_shown(p, e->value, p->shown.pressure);
    sl_out_printf(p->out, " at %s", sl_network_node_id(p->s->net, e->index));
    put_time(p, e->time);
}

static void row_link(page *p, const char *label, const sl_extreme *e, sl_display_unit unit) {
    if (e->index >= 0) {
        row(p, label);
        sl_out_z(p->out, "at most ");
        put_shown(p, e->value, unit);
        sl_out_printf(p->out, " in %s", sl_network_link_id(p->s->net, e->index));
        put_time(p, e->time);
    }
}

static void page_head(page *p, const char *name) {
    const sl_summary *s = p->s;
    char text[64];
    sl_out_z(p->out, name);
    if (s->n_frame == 0) {
        sl_out_z(p->out, ": no results");
        return;
    }
    sl_time_format(s->end, text, sizeof text);
    if (!s->complete) {
        sl_out_printf(p->out, ": STOPPED at %s", text);
        sl_time_format(s->until, text, sizeof text);
        sl_out_printf(p->out, " of %s", text);
    } else if (s->end > 0) {
        sl_out_printf(p->out, ": %s simulated", text);
    } else {
        sl_out_z(p->out, ": one moment simulated");
    }
    if (s->last[SL_SUM_STEPS] > 0) {
        sl_out_printf(p->out, " in %.0f steps", s->last[SL_SUM_STEPS]);
    }
    if (s->last[SL_SUM_TRIALS] > 0) {
        sl_out_printf(p->out, ", %.0f trials", s->last[SL_SUM_TRIALS]);
    }
    sl_out_char(p->out, '\n');
}

static void page_extremes(page *p) {
    const sl_summary *s = p->s;
    if (s->pressure_low.index >= 0) {
        row(p, "Pressure");
        put_node(p, "", &s->pressure_low);
        put_node(p, " to ", &s->pressure_high);
    }
    if (s->n_under_zero > 0) {
        row(p, "Below zero");
        sl_out_printf(p->out, "%d junction%s, first %s", s->n_under_zero, s->n_under_zero == 1 ? "" : "s",
                      sl_network_node_id(s->net, s->under_zero.index));
        put_time(p, s->under_zero.time);
    }
    if (s->unserved.value > 0) {
        row(p, "Unserved");
        sl_out_z(p->out, "at most ");
        put_shown(p, s->unserved.value, p->shown.flow);
        put_time(p, s->unserved.time);
    }
    row_link(p, "Velocity", &s->velocity, p->shown.velocity);
    row_link(p, "Flow", &s->flow, p->shown.flow);
    row_link(p, "Head loss", &s->unit_loss, p->shown.slope);
}

static void put_rest(page *p, int32_t n, const char *things) {
    if (n > ONE_BY_ONE) {
        row(p, "");
        sl_out_printf(p->out, "and %d more %s (all of them: --json)", n - ONE_BY_ONE, things);
    }
}

static void page_tanks(page *p) {
    const sl_network *net = p->s->net;
    for (int32_t i = 0; i < net->n_tank && i < ONE_BY_ONE; i++) {
        const sl_summary_tank *t = &p->s->tanks[i];
        if (t->low.index < 0) {
            continue;
        }
        row(p, i == 0 ? "Tanks" : "");
        sl_out_printf(p->out, "%s: level ", sl_network_node_id(net, net->n_junction + net->n_reservoir + i));
        if (t->high.value > t->low.value) {
            put(p, t->low.value / p->shown.length.factor);
            put_time(p, t->low.time);
            sl_out_z(p->out, " to ");
        }
        put_shown(p, t->high.value, p->shown.length);
        put_time(p, t->high.time);
        if (t->overflow > 0) {
            sl_out_z(p->out, ", overflow ");
            put_shown(p, t->overflow, p->shown.volume);
        }
    }
    put_rest(p, net->n_tank, "tanks");
}

static void page_pumps(page *p) {
    const sl_summary *s = p->s;
    const sl_network *net = s->net;
    double span = s->end - s->begin;
    for (int32_t i = 0; i < net->n_pump && i < ONE_BY_ONE; i++) {
        const sl_summary_pump *u = &s->pumps[i];
        row(p, i == 0 ? "Pumps" : "");
        sl_out_printf(p->out, "%s: ", sl_network_link_id(net, net->n_pipe + i));
        if (span > 0) {
            put(p, 100 * u->online / span);
            sl_out_z(p->out, " % of the time");
        } else {
            sl_out_z(p->out, u->on ? "on" : "off");
        }
        if (u->starts > 0) {
            sl_out_printf(p->out, ", %d start%s", u->starts, u->starts == 1 ? "" : "s");
        }
        if (u->online > 0) {
            sl_out_z(p->out, ", ");
            put(p, u->kwh);
            sl_out_z(p->out, " kWh, efficiency ");
            put(p, 100 * u->efficiency);
            sl_out_z(p->out, " %");
        }
        if (u->cost > 0) {
            sl_out_z(p->out, ", cost ");
            put(p, u->cost);
        }
    }
    put_rest(p, net->n_pump, "pumps");
}

static void page_energy(page *p) {
    const sl_summary *s = p->s;
    double kwh = 0, cost = 0, demand = s->last[SL_SUM_DEMAND_COST];
    for (int32_t i = 0; i < s->net->n_pump; i++) {
        kwh += s->pumps[i].kwh;
        cost += s->pumps[i].cost;
    }
    if (s->net->n_pump == 0 || !(kwh > 0)) {
        return;
    }
    row(p, "Energy");
    put(p, kwh);
    sl_out_z(p->out, " kWh");
    if (s->last[SL_SUM_PEAK_ALL] > 0) {
        sl_out_z(p->out, ", peak ");
        put(p, s->last[SL_SUM_PEAK_ALL]);
        sl_out_z(p->out, " kW");
    }
    if (demand > 0) {
        sl_out_z(p->out, ", demand charge ");
        put(p, demand);
    }
    demand = demand > 0 ? demand : 0;
    if (cost + demand > 0) {
        sl_out_z(p->out, ", cost ");
        put(p, cost + demand);
    }
}

/* Volumes over the run; those that are zero are left out but for the first two. */
static void page_water(page *p) {
    static const struct {
        sl_summary_column column;
        const char *words;
    } parts[] = {{SL_SUM_INFLOW, "in"},      {SL_SUM_CONSUMPTION, "consumed"}, {SL_SUM_EMITTER, "by emitters"},
                 {SL_SUM_LEAK, "leaked"},    {SL_SUM_SPILLED, "overflowed"},   {SL_SUM_STORAGE, "into storage"},
                 {SL_SUM_DEFICIT, "missing"}};
    const double *last = p->s->last;
    if (!(p->s->end > p->s->begin) || isnan(last[SL_SUM_INFLOW])) {
        return;
    }
    row(p, "Water");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double x = last[parts[i].column] / p->shown.volume.factor;
        if (!isnan(x) && (i < 2 || x != 0)) {
            sl_out_z(p->out, i > 0 ? ", " : "");
            put(p, x);
            sl_out_printf(p->out, " %s", i == 0 ? p->shown.volume.name : "");
            sl_out_z(p->out, i == 0 ? " " : "");
            sl_out_z(p->out, parts[i].words);
        }
    }
    if (!isnan(last[SL_SUM_RATIO])) {
        sl_out_printf(p->out, "; out and stored / in %.4f", last[SL_SUM_RATIO]);
    }
}

/* ---- Quality in text ---------------------------------------------------------------------------- */

static void row_quality(page *p) {
    const sl_quality_options *q = &p->s->net->quality;
    if (q->kind == SL_QUALITY_TRACE && q->trace_node >= 0) {
        char label[64];
        (void)sl_format(label, sizeof label, "From %s", sl_network_node_id(p->s->net, q->trace_node));
        row(p, label);
    } else {
        row(p, q->kind == SL_QUALITY_AGE ? "Age" : q->chemical ? q->chemical : "Quality");
    }
}

static void put_quality(page *p, const sl_extreme *e) {
    put_shown(p, e->value, p->shown.quality);
    sl_out_printf(p->out, " at %s", sl_network_node_id(p->s->net, e->index));
    put_time(p, e->time);
}

/* Where the mass came from, then where it went or is: terms that are next to nothing are left out. A term of either sign stands on the
 * side where it is positive. */
static void page_mass(page *p) {
    static const struct {
        sl_summary_column column;
        int sign;
        const char *words;
    } parts[] = {
        {SL_SUM_Q_INITIAL, 1, "at the start"},  {SL_SUM_Q_RESERVOIR, 1, "from reservoirs"},
        {SL_SUM_Q_SOURCE, 1, "by sources"},     {SL_SUM_Q_TIME, 1, "by time"},
        {SL_SUM_Q_BULK, -1, "grown in pipes"},  {SL_SUM_Q_WALL, -1, "grown at walls"},
        {SL_SUM_Q_TANK, -1, "grown in tanks"},  {SL_SUM_Q_ADJUSTED, 1, "with rounded volumes"},
        {SL_SUM_Q_CONSUMED, 1, "consumed"},     {SL_SUM_Q_RETURNED, 1, "into reservoirs"},
        {SL_SUM_Q_BULK, 1, "decayed in pipes"}, {SL_SUM_Q_WALL, 1, "at walls"},
        {SL_SUM_Q_TANK, 1, "in tanks"},         {SL_SUM_Q_ADJUSTED, -1, "with rounded volumes"},
        {SL_SUM_Q_STORED, 1, "left"},
    };
    enum { N_CAME = 8 };
    const double *last = p->s->last;
    bool trace = p->s->net->quality.kind == SL_QUALITY_TRACE, any = false, went = false;
    double largest = 0.0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        largest = fmax(largest, fabs(last[parts[i].column]));
    }
    sl_display_unit unit = largest < 1e4 * p->shown.mass.factor ? p->shown.mass : p->shown.large_mass;
    row(p, p->s->net->quality.kind == SL_QUALITY_CHEMICAL ? "Mass" : trace ? "Its water" : "Age x water");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double x = last[parts[i].column] * parts[i].sign;
        if (!(x > 1e-6 * largest)) {
            continue;
        }
        if (i >= N_CAME && any && !went) {
            sl_out_char(p->out, ';');
            row(p, "");
        } else {
            sl_out_z(p->out, any ? ", " : "");
        }
        went = i >= N_CAME;
        put(p, x / unit.factor);
        sl_out_printf(p->out, "%s%s %s", any ? "" : " ", any ? "" : unit.name,
                      trace && parts[i].column == SL_SUM_Q_SOURCE ? "from the node" : parts[i].words);
        any = true;
    }
    sl_out_printf(p->out, "%sout and left / in %.7f", any ? "; " : "none; ", last[SL_SUM_Q_RATIO]);
}

static void page_quality(page *p) {
    const sl_summary *s = p->s;
    double delivered = sl_summary_delivered(s);
    if (s->net->quality.kind == SL_QUALITY_NONE || isnan(s->last[SL_SUM_Q_RATIO]) || !(s->end > s->begin)) {
        return;
    }
    row_quality(p);
    if (s->quality_low.index >= 0) {
        put_quality(p, &s->quality_low);
        sl_out_z(p->out, " to ");
        put_quality(p, &s->quality_high);
        sl_out_z(p->out, s->until - s->begin > 86400.0 ? " in the last day" : "");
    }
    if (!isnan(delivered)) {
        sl_out_z(p->out, s->quality_low.index >= 0 ? "; delivered " : "delivered ");
        put_shown(p, delivered, p->shown.quality);
        sl_out_z(p->out, " on average");
    }
    page_mass(p);
}

static void page_residuals(page *p) {
    const sl_summary *s = p->s;
    if (s->head_error.index >= 0) {
        row(p, "Residuals");
        sl_out_printf(p->out, "head %.1e %s, flow %.1e %s at worst", s->head_error.value / p->shown.length.factor,
                      p->shown.length.name, s->mass_error.value / p->shown.flow.factor, p->shown.flow.name);
    }
    if (s->n_unbalanced > 0) {
        row(p, "NOT BALANCED");
        sl_out_printf(p->out, "%lld solution%s", (long long)s->n_unbalanced, s->n_unbalanced == 1 ? "" : "s");
        put_time(p, s->first_unbalanced);
    }
}

void sl_summary_write_text(const sl_summary *summary, const char *name, sl_out *out) {
    page p = {.out = out, .s = summary, .shown = sl_display_units_of(summary->net)};
    page_head(&p, name);
    if (summary->n_frame > 0) {
        page_extremes(&p);
        page_tanks(&p);
        page_pumps(&p);
        page_energy(&p);
        page_water(&p);
        page_quality(&p);
        page_residuals(&p);
    }
    sl_out_char(out, '\n');
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void number(sl_json *json, const char *key, double x) {
    sl_json_key(json, key);
    sl_json_number(json, x);
}

static void integer(sl_json *json, const char *key, int64_t x) {
    sl_json_key(json, key);
    sl_json_int(json, x);
}

/* {"value": x, "node": "J1", "time_s": 3600}, or null. */
static void extreme(sl_json *json, const char *key, const sl_extreme *e, const char *kind, const char *id) {
    sl_json_key(json, key);
    if (e->index < 0) {
        sl_json_null(json);
        return;
    }
    sl_json_inline(json);
    sl_json_object(json);
    number(json, "value", e->value);
    if (kind) {
        sl_json_key(json, kind);
        sl_json_z(json, id);
    }
    number(json, "time_s", e->time);
    sl_json_end(json);
}

static void node_extreme(sl_json *json, const char *key, const sl_extreme *e, const sl_network *net) {
    extreme(json, key, e, "node", e->index >= 0 ? sl_network_node_id(net, e->index) : NULL);
}

static void link_extreme(sl_json *json, const char *key, const sl_extreme *e, const sl_network *net) {
    extreme(json, key, e, "link", e->index >= 0 ? sl_network_link_id(net, e->index) : NULL);
}

static void json_extremes(const sl_summary *s, sl_json *json) {
    node_extreme(json, "pressure_min_m", &s->pressure_low, s->net);
    node_extreme(json, "pressure_max_m", &s->pressure_high, s->net);
    integer(json, "junctions_below_zero", s->n_under_zero);
    node_extreme(json, "first_below_zero_m", &s->under_zero, s->net);
    extreme(json, "unserved_max_m3_per_s", &s->unserved, NULL, NULL);
    link_extreme(json, "velocity_max_m_per_s", &s->velocity, s->net);
    link_extreme(json, "flow_max_m3_per_s", &s->flow, s->net);
    link_extreme(json, "unit_headloss_max_m_per_m", &s->unit_loss, s->net);
}

static void json_tanks(const sl_summary *s, sl_json *json) {
    const sl_network *net = s->net;
    sl_json_key(json, "tanks");
    sl_json_array(json);
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_summary_tank *t = &s->tanks[i];
        sl_json_object(json);
        sl_json_inline(json);
        sl_json_key(json, "id");
        sl_json_z(json, sl_network_node_id(net, net->n_junction + net->n_reservoir + i));
        extreme(json, "level_min_m", &t->low, NULL, NULL);
        extreme(json, "level_max_m", &t->high, NULL, NULL);
        number(json, "overflow_m3", t->overflow);
        sl_json_end(json);
    }
    sl_json_end(json);
}

static void json_pumps(const sl_summary *s, sl_json *json) {
    sl_json_key(json, "pumps");
    sl_json_array(json);
    for (int32_t i = 0; i < s->net->n_pump; i++) {
        const sl_summary_pump *u = &s->pumps[i];
        sl_json_object(json);
        sl_json_inline(json);
        sl_json_key(json, "id");
        sl_json_z(json, sl_network_link_id(s->net, s->net->n_pipe + i));
        number(json, "online_s", u->online);
        integer(json, "starts", u->starts);
        number(json, "efficiency", u->efficiency);
        number(json, "energy_kwh", u->kwh);
        number(json, "peak_kw", u->peak);
        number(json, "cost", u->cost);
        sl_json_end(json);
    }
    sl_json_end(json);
}

static void json_sums(const sl_summary *s, sl_json *json) {
    static const struct {
        sl_summary_column column;
        const char *key;
    } water[] = {
        {SL_SUM_INFLOW, "inflow_m3"},    {SL_SUM_OUTFLOW, "outflow_m3"},  {SL_SUM_CONSUMPTION, "consumption_m3"},
        {SL_SUM_EMITTER, "emitters_m3"}, {SL_SUM_LEAK, "leakage_m3"},     {SL_SUM_DEFICIT, "deficit_m3"},
        {SL_SUM_STORAGE, "storage_m3"},  {SL_SUM_SPILLED, "overflow_m3"}, {SL_SUM_RATIO, "ratio"}};
    double kwh = 0, cost = 0;
    sl_json_key(json, "balance");
    sl_json_object(json);
    for (size_t i = 0; i < sizeof water / sizeof *water; i++) {
        number(json, water[i].key, s->last[water[i].column]);
    }
    sl_json_end(json);
    for (int32_t i = 0; i < s->net->n_pump; i++) {
        kwh += s->pumps[i].kwh;
        cost += s->pumps[i].cost;
    }
    sl_json_key(json, "energy");
    sl_json_object(json);
    number(json, "energy_kwh", kwh);
    number(json, "cost", cost);
    number(json, "peak_kw", s->last[SL_SUM_PEAK_ALL]);
    number(json, "demand_charge", s->last[SL_SUM_DEMAND_COST]);
    sl_json_end(json);
}

/* Concentrations in the unit of quality, masses in that times m3. */
static void json_quality(const sl_summary *s, sl_json *json) {
    static const char *const kinds[] = {"none", "chemical", "age", "trace"};
    static const char *const keys[] = {"initial", "reservoirs", "sources", "time",     "consumed", "returned",
                                       "bulk",    "wall",       "tanks",   "adjusted", "stored",   "ratio"};
    const sl_quality_options *q = &s->net->quality;
    sl_json_key(json, "quality");
    if (q->kind == SL_QUALITY_NONE || isnan(s->last[SL_SUM_Q_RATIO])) {
        sl_json_null(json);
        return;
    }
    sl_json_object(json);
    sl_json_key(json, "kind");
    sl_json_z(json, kinds[q->kind]);
    bool trace = q->kind == SL_QUALITY_TRACE && q->trace_node >= 0;
    sl_json_key(json, trace ? "node" : "name");
    sl_json_z(json, trace                       ? sl_network_node_id(s->net, q->trace_node)
                    : q->kind == SL_QUALITY_AGE ? "age"
                    : q->chemical               ? q->chemical
                                                : "");
    sl_json_key(json, "unit");
    sl_json_z(json, sl_display_units_of(s->net).quality.name);
    node_extreme(json, "last_day_min", &s->quality_low, s->net);
    node_extreme(json, "last_day_max", &s->quality_high, s->net);
    number(json, "delivered_mean", sl_summary_delivered(s));
    sl_json_key(json, "mass");
    sl_json_object(json);
    char unit[80];
    (void)sl_format(unit, sizeof unit, "%s m3", sl_display_units_of(s->net).quality.name);
    sl_json_key(json, "unit");
    sl_json_z(json, unit);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        number(json, keys[i], s->last[SL_SUM_Q_INITIAL + i]);
    }
    sl_json_end(json);
    sl_json_end(json);
}

void sl_summary_write_json(const sl_summary *s, sl_json *json) {
    sl_json_object(json);
    sl_json_key(json, "complete");
    sl_json_bool(json, s->complete);
    number(json, "begin_s", s->begin);
    number(json, "end_s", s->end);
    number(json, "until_s", s->until);
    integer(json, "report_times", s->n_frame);
    number(json, "steps", s->last[SL_SUM_STEPS]);
    number(json, "trials", s->last[SL_SUM_TRIALS]);
    json_extremes(s, json);
    json_tanks(s, json);
    json_pumps(s, json);
    json_sums(s, json);
    json_quality(s, json);
    sl_json_key(json, "residuals");
    sl_json_object(json);
    extreme(json, "head_max_m", &s->head_error, NULL, NULL);
    extreme(json, "mass_max_m3_per_s", &s->mass_error, NULL, NULL);
    extreme(json, "flow_change_max", &s->flow_change, NULL, NULL);
    integer(json, "unbalanced", s->n_unbalanced);
    number(json, "first_unbalanced_s", s->first_unbalanced);
    sl_json_end(json);
    sl_json_end(json);
}
