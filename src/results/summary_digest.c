/* SPDX-License-Identifier: MIT */
/* summary_digest.c: the digest of a run of a network, in its units; see summary.h and digest.h. */
#include "results/summary.h"

#include <math.h>

typedef struct page {
    const sl_summary *s;
    sl_display_units shown;
    sl_digest *d;
} page;

static sl_digest_point point_of(const char *kind, const sl_extreme *e, const char *id) {
    return (sl_digest_point){.value = e->index >= 0 ? e->value : (double)NAN,
                             .time = e->time,
                             .kind = e->index >= 0 ? kind : NULL,
                             .id = id,
                             .chainage = (double)NAN};
}

static sl_digest_point node_point(const sl_network *net, const sl_extreme *e) {
    return point_of("node", e, e->index >= 0 ? sl_network_node_id(net, e->index) : NULL);
}

static sl_digest_point link_point(const sl_network *net, const sl_extreme *e) {
    return point_of("link", e, e->index >= 0 ? sl_network_link_id(net, e->index) : NULL);
}

static sl_digest_point model_point(const sl_extreme *e) {
    return point_of(NULL, e, NULL);
}

static bool moves(const sl_summary *s) {
    return s->end > s->begin;
}

static const sl_display_unit percent = {0.01, "%"};

/* ---- Limits and extremes ------------------------------------------------------------------------ */

static void add_limits(page *p) {
    const sl_summary *s = p->s;
    sl_digest_list(p->d, SL_DIGEST_LIMITS, "limits", "Limits", "limit");
    if (s->service_given) {
        sl_digest_point worst = node_point(s->net, &s->service_low);
        sl_digest_limit(p->d, "service_pressure_m", "pressure at junctions with a demand at least", s->service,
                        p->shown.pressure, !sl_summary_breaks_service(s), &worst);
    }
    if (sl_summary_breaks_unserved(s) || (s->unserved_given && isfinite(s->unserved_limit))) {
        sl_digest_point worst = {.value = s->last[SL_COL_UNSERVED_SHARE], .time = (double)NAN, .chainage = (double)NAN};
        sl_digest_limit(p->d, "unserved_share", "share of the demand that is not served at most", s->unserved_limit,
                        percent, !sl_summary_breaks_unserved(s), &worst);
    }
}

static void add_limit_diag(const sl_summary *s, sl_diags *diags, const char *kind, const char *id, double time,
                           const char *text, const char *hint) {
    if (s->n_frame > 0) {
        sl_diags_add(diags, &(sl_diag){.size = sizeof(sl_diag),
                                       .severity = SL_WARNING,
                                       .code = SL_CODE_LIMIT,
                                       .text = text,
                                       .hint = hint,
                                       .object_kind = kind,
                                       .object_id = id,
                                       .time = time});
    }
}

void sl_summary_report_limits(const sl_summary *s, sl_diags *diags) {
    const sl_display_units shown = sl_display_units_of(s->net);
    char text[256];
    if (sl_summary_breaks_service(s)) {
        double unit = shown.pressure.factor;
        (void)sl_format(text, sizeof text,
                        "limit broken: %d junction%s with a demand below the service pressure of %.5g %s, lowest "
                        "%.5g %s here",
                        (int)s->n_unserved_demand, s->n_unserved_demand == 1 ? "" : "s", s->service / unit,
                        shown.pressure.name, s->service_low.value / unit, shown.pressure.name);
        add_limit_diag(s, diags, "junction", sl_network_node_id(s->net, s->service_low.index), s->service_low.time,
                       text, NULL);
    }
    if (sl_summary_breaks_unserved(s)) {
        double volume = s->last[SL_COL_ALL_UNSERVED] / shown.volume.factor;
        int n = sl_format(text, sizeof text, "limit broken: %.4g %% of the demand is not served, allowed are %.4g %%",
                          100.0 * s->last[SL_COL_UNSERVED_SHARE], 100.0 * s->unserved_limit);
        if (moves(s) && n > 0) {
            (void)sl_format(text + n, sizeof text - (size_t)n, " (%.5g %s in all)", volume, shown.volume.name);
        }
        add_limit_diag(s, diags, NULL, NULL, s->end, text,
                       "warnings of the run name the islands; --unserved SHARE allows more");
    }
}

/* Junctions that were ever under a pressure. */
static void add_under(page *p, const char *label, const char *count_key, const char *first_key, int32_t n,
                      const sl_extreme *first, const char *words) {
    sl_digest_point point = node_point(p->s->net, first);
    sl_digest_record(p->d, SL_DIGEST_EXTREMES, NULL, label);
    sl_digest_whole(p->d, count_key, n, words);
    sl_digest_point_cell(p->d, first_key, &point,
                         n > 0 ? sl_digest_format(p->d, "first %s%s", point.id, sl_digest_when(p->d, first->time))
                               : NULL);
}

static void add_percentiles(page *p) {
    static const int shares[] = {5, 25, 50, 75, 95};
    const sl_percentiles *x = &p->s->pressures;
    sl_digest *d = p->d;
    if (x->n == 0) {
        return;
    }
    sl_digest_record(d, SL_DIGEST_EXTREMES, "pressure_percentiles_m", "Percentiles");
    for (int i = 0; i < 5; i++) {
        double value = sl_percentiles_get(x, shares[i] / 100.0);
        sl_digest_number(d, sl_digest_format(d, "%d", shares[i]), value,
                         sl_digest_format(d, "%d %%: %s", shares[i],
                                          i == 4 ? sl_digest_display(d, value, p->shown.pressure)
                                                 : sl_digest_digits(d, value / p->shown.pressure.factor)));
    }
}

static void add_service(page *p) {
    const sl_summary *s = p->s;
    sl_digest *d = p->d;
    const char *bound = sl_digest_display(d, s->service, p->shown.pressure);
    const char *words =
        s->n_under_service == 0
            ? sl_digest_format(d, "no junction below %s", bound)
            : sl_digest_format(d, "%d of %d junctions below %s, %d of them with a demand", (int)s->n_under_service,
                               (int)s->net->n_junction, bound, (int)s->n_unserved_demand);
    if (s->pressures.n == 0) {
        return;
    }
    add_under(p, "Service", "junctions_below_service", "first_below_service_m", s->n_under_service, &s->under_service,
              words);
    sl_digest_whole(d, "junctions_below_service_with_demand", s->n_unserved_demand, NULL);
    sl_digest_number(d, "service_pressure_m", s->service, NULL);
    sl_digest_bool(d, "service_pressure_given", s->service_given, NULL);
}

static void add_pressures(page *p) {
    const sl_summary *s = p->s;
    sl_digest *d = p->d;
    sl_digest_point low = node_point(s->net, &s->pressure_low), high = node_point(s->net, &s->pressure_high);
    sl_digest_extreme(d, "pressure", "m", "Pressure", p->shown.pressure, &low, &high);
    add_percentiles(p);
    add_service(p);
    add_under(p, s->n_under_zero > 0 ? "Below zero" : NULL, "junctions_below_zero", "first_below_zero_m",
              s->n_under_zero, &s->under_zero,
              sl_digest_format(d, "%d junction%s", (int)s->n_under_zero, s->n_under_zero == 1 ? "" : "s"));
    sl_digest_point unserved = model_point(&s->unserved);
    sl_digest_extreme(d, "unserved", "m3_per_s", s->unserved.value > 0 ? "Unserved" : NULL, p->shown.flow, NULL,
                      &unserved);
}

static void add_links(page *p) {
    const sl_summary *s = p->s;
    const struct {
        const sl_extreme *e;
        const char *key, *unit, *label;
        sl_display_unit shown;
    } rows[] = {{&s->velocity, "velocity", "m_per_s", "Velocity", p->shown.velocity},
                {&s->flow, "flow", "m3_per_s", "Flow", p->shown.flow},
                {&s->unit_loss, "unit_headloss", "m_per_m", "Head loss", p->shown.slope}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        sl_digest_point high = link_point(s->net, rows[i].e);
        sl_digest_extreme(p->d, rows[i].key, rows[i].unit, rows[i].label, rows[i].shown, NULL, &high);
    }
}

/* ---- Tanks and pumps ---------------------------------------------------------------------------- */

/* "full 3 times (3:00, 7:12, 9:00)"; NULL: never. */
static const char *times_words(page *p, const char *word, const sl_summary_times *t) {
    const char *list = "";
    if (t->n == 0) {
        return NULL;
    }
    for (int64_t i = 0; i < t->n && i < 3; i++) {
        list = sl_digest_format(p->d, "%s%s%s", list, i > 0 ? ", " : "", sl_digest_time(p->d, t->at[i]));
    }
    return sl_digest_format(p->d, "%s %s (%s%s)", word,
                            t->n == 1 ? "once" : sl_digest_format(p->d, "%lld times", (long long)t->n), list,
                            t->n > 3 ? ", ..." : "");
}

static void add_times(page *p, const char *word, const sl_summary_times *t) {
    sl_digest *d = p->d;
    int32_t n = t->n < SL_SUMMARY_TIMES ? (int32_t)t->n : SL_SUMMARY_TIMES;
    sl_digest_whole(d, sl_digest_format(d, "%s_count", word), t->n, times_words(p, word, t));
    sl_digest_numbers(d, sl_digest_format(d, "%s_times_s", word), t->at, n, NULL);
}

static const char *level_words(page *p, const sl_summary_tank *t, const char *id) {
    sl_digest *d = p->d;
    const char *high = sl_digest_display(d, t->high.value, p->shown.length);
    if (t->low.index < 0) {
        return NULL;
    }
    if (!(t->high.value > t->low.value)) {
        return sl_digest_format(d, "%s: level %s%s", id, high, sl_digest_when(d, t->high.time));
    }
    return sl_digest_format(d, "%s: level %s%s to %s%s", id, sl_digest_digits(d, t->low.value / p->shown.length.factor),
                            sl_digest_when(d, t->low.time), high, sl_digest_when(d, t->high.time));
}

static void add_tanks(page *p) {
    const sl_network *net = p->s->net;
    sl_digest *d = p->d;
    sl_digest_list(d, SL_DIGEST_SECTIONS, "tanks", "Tanks", "tank");
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_summary_tank *t = &p->s->tanks[i];
        const char *id = sl_network_node_id(net, net->n_junction + net->n_reservoir + i);
        sl_digest_point low = model_point(&t->low), high = model_point(&t->high);
        sl_digest_row(d, NULL);
        sl_digest_text(d, "id", id, level_words(p, t, id));
        sl_digest_point_cell(d, "level_min_m", &low, NULL);
        sl_digest_point_cell(d, "level_max_m", &high, NULL);
        add_times(p, "empty", &t->empty);
        add_times(p, "full", &t->full);
        sl_digest_number(d, "overflow_m3", t->overflow,
                         t->overflow > 0
                             ? sl_digest_format(d, "overflow %s", sl_digest_display(d, t->overflow, p->shown.volume))
                             : NULL);
    }
}

static const char *pump_words(page *p, const sl_summary_pump *u, const char *id) {
    sl_digest *d = p->d;
    double span = p->s->end - p->s->begin;
    return span > 0 ? sl_digest_format(d, "%s: %s %% of the time", id, sl_digest_digits(d, 100 * u->online / span))
                    : sl_digest_format(d, "%s: %s", id, u->on ? "on" : "off");
}

/* An instant has a power, no energy and no cost. */
static void add_pump(page *p, const sl_summary_pump *u, const char *id) {
    sl_digest *d = p->d;
    bool span = moves(p->s), ran = span && u->online > 0;
    double efficiency = span ? u->efficiency : u->on ? u->efficiency_now : (double)NAN, none = (double)NAN;
    sl_digest_row(d, NULL);
    sl_digest_text(d, "id", id, pump_words(p, u, id));
    sl_digest_number(d, "online_s", u->online, NULL);
    sl_digest_whole(d, "starts", u->starts,
                    u->starts > 0 ? sl_digest_format(d, "%d start%s", (int)u->starts, u->starts == 1 ? "" : "s")
                                  : NULL);
    sl_digest_number(d, "energy_kwh", span ? u->kwh : none,
                     ran ? sl_digest_format(d, "%s kWh", sl_digest_digits(d, u->kwh)) : NULL);
    sl_digest_number(d, "power_kw", u->power,
                     !span && u->on ? sl_digest_format(d, "%s kW", sl_digest_digits(d, u->power)) : NULL);
    sl_digest_number(d, "efficiency", efficiency,
                     ran || (!span && u->on)
                         ? sl_digest_format(d, "efficiency %s %%", sl_digest_digits(d, 100 * efficiency))
                         : NULL);
    sl_digest_number(d, "peak_kw", span ? u->peak : u->power, NULL);
    sl_digest_number(d, "cost", span ? u->cost : none,
                     span && u->cost > 0 ? sl_digest_format(d, "cost %s", sl_digest_digits(d, u->cost)) : NULL);
}

static void add_pumps(page *p) {
    const sl_network *net = p->s->net;
    sl_digest_list(p->d, SL_DIGEST_SECTIONS, "pumps", "Pumps", "pump");
    for (int32_t i = 0; i < net->n_pump; i++) {
        add_pump(p, &p->s->pumps[i], sl_network_link_id(net, net->n_pipe + i));
    }
}

static void add_energy(page *p) {
    const sl_summary *s = p->s;
    sl_digest *d = p->d;
    double kwh = 0, cost = 0, power = 0, none = (double)NAN, demand = s->last[SL_COL_DEMAND_COST];
    for (int32_t i = 0; i < s->net->n_pump; i++) {
        kwh += s->pumps[i].kwh;
        cost += s->pumps[i].cost;
        power += s->pumps[i].power;
    }
    bool span = moves(s), any = span ? kwh > 0 : power > 0;
    double peak = span ? s->last[SL_COL_PEAK_ALL] : power, all = cost + (demand > 0 ? demand : 0);
    sl_digest_record(d, SL_DIGEST_SECTIONS, "energy", any ? "Energy" : NULL);
    sl_digest_number(d, "energy_kwh", span ? kwh : none,
                     span ? sl_digest_format(d, "%s kWh", sl_digest_digits(d, kwh)) : NULL);
    sl_digest_number(d, "power_kw", power, span ? NULL : sl_digest_format(d, "%s kW", sl_digest_digits(d, power)));
    sl_digest_number(d, "peak_kw", peak,
                     span && peak > 0 ? sl_digest_format(d, "peak %s kW", sl_digest_digits(d, peak)) : NULL);
    sl_digest_number(d, "demand_charge", span ? demand : none,
                     span && demand > 0 ? sl_digest_format(d, "demand charge %s", sl_digest_digits(d, demand)) : NULL);
    sl_digest_number(d, "cost", span ? cost : none,
                     span && all > 0 ? sl_digest_format(d, "cost %s", sl_digest_digits(d, all)) : NULL);
}

/* ---- Water and what it carries ------------------------------------------------------------------ */

/* Volumes over the run; those that are zero are left out in text but for the first two. */
static void add_water(page *p) {
    static const struct {
        sl_run_column column;
        const char *key, *words;
    } parts[] = {{SL_COL_INFLOW, "inflow_m3", "in"},
                 {SL_COL_OUTFLOW, "outflow_m3", NULL},
                 {SL_COL_CONSUMPTION, "consumption_m3", "consumed"},
                 {SL_COL_EMITTER, "emitters_m3", "by emitters"},
                 {SL_COL_LEAK, "leakage_m3", "leaked"},
                 {SL_COL_SPILLED, "overflow_m3", "overflowed"},
                 {SL_COL_STORAGE, "storage_m3", "into storage"},
                 {SL_COL_ROUNDED, "rounded_m3", NULL}, /* inflow + rounded = outflow + storage */
                 {SL_COL_DEFICIT, "deficit_m3", "missing"},
                 {SL_COL_ALL_UNSERVED, "unserved_m3", "unserved"}};
    const double *last = p->s->last;
    sl_digest *d = p->d;
    bool shown = moves(p->s) && !isnan(last[SL_COL_INFLOW]);
    sl_digest_record(d, SL_DIGEST_BALANCE, "balance", shown ? "Water" : NULL);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double x = last[parts[i].column];
        sl_display_unit unit = {p->shown.volume.factor, i == 0 ? p->shown.volume.name : ""};
        bool has_text = parts[i].words && !isnan(x) && (i < 3 || x != 0);
        sl_digest_number(d, parts[i].key, x,
                         has_text ? sl_digest_format(d, "%s %s", sl_digest_display(d, x, unit), parts[i].words) : NULL);
    }
    sl_digest_number(d, "unserved_share", last[SL_COL_UNSERVED_SHARE], NULL);
    sl_digest_number(d, "ratio", last[SL_COL_RATIO],
                     isnan(last[SL_COL_RATIO]) ? NULL
                                               : sl_digest_format(d, "; out and stored / in %.4f", last[SL_COL_RATIO]));
}

static const char *quality_label(page *p) {
    const sl_quality_options *q = &p->s->net->quality;
    if (q->kind == SL_QUALITY_TRACE && q->trace_node >= 0) {
        return sl_digest_format(p->d, "From %.48s", sl_network_node_id(p->s->net, q->trace_node));
    }
    return q->kind == SL_QUALITY_AGE ? "Age" : q->chemical ? q->chemical : "Quality";
}

/* Where the mass came from, then where it went or is: terms that are next to nothing are left out. A term of either sign
 * stands on the side where it is positive. */
static void add_mass_words(page *p) {
    static const struct {
        sl_run_column column;
        int sign;
        const char *words;
    } parts[] = {
        {SL_COL_Q_INITIAL, 1, "at the start"},  {SL_COL_Q_RESERVOIR, 1, "from reservoirs"},
        {SL_COL_Q_SOURCE, 1, "by sources"},     {SL_COL_Q_TIME, 1, "by time"},
        {SL_COL_Q_BULK, -1, "grown in pipes"},  {SL_COL_Q_WALL, -1, "grown at walls"},
        {SL_COL_Q_TANK, -1, "grown in tanks"},  {SL_COL_Q_ADJUSTED, 1, "with rounded volumes"},
        {SL_COL_Q_CONSUMED, 1, "consumed"},     {SL_COL_Q_RETURNED, 1, "into reservoirs"},
        {SL_COL_Q_BULK, 1, "decayed in pipes"}, {SL_COL_Q_WALL, 1, "at walls"},
        {SL_COL_Q_TANK, 1, "in tanks"},         {SL_COL_Q_ADJUSTED, -1, "with rounded volumes"},
        {SL_COL_Q_STORED, 1, "left"},
    };
    enum { N_CAME = 8 };
    const double *last = p->s->last;
    bool trace = p->s->net->quality.kind == SL_QUALITY_TRACE, any = false, went = false;
    double largest = 0.0;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        largest = fmax(largest, fabs(last[parts[i].column]));
    }
    sl_display_unit unit = largest < 1e4 * p->shown.mass.factor ? p->shown.mass : p->shown.large_mass;
    sl_digest_record(p->d, SL_DIGEST_BALANCE, NULL,
                     p->s->net->quality.kind == SL_QUALITY_CHEMICAL ? "Mass"
                     : trace                                        ? "Its water"
                                                                    : "Age x water");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        double x = last[parts[i].column] * parts[i].sign;
        if (!(x > 1e-6 * largest)) {
            continue;
        }
        const char *words = trace && parts[i].column == SL_COL_Q_SOURCE ? "from the node" : parts[i].words;
        sl_digest_words(p->d, sl_digest_format(p->d, "%s%s%s%s %s", i >= N_CAME && any && !went ? "\n" : "",
                                               sl_digest_digits(p->d, x / unit.factor), any ? "" : " ",
                                               any ? "" : unit.name, words));
        went = i >= N_CAME;
        any = true;
    }
    sl_digest_words(p->d,
                    sl_digest_format(p->d, "%sout and left / in %.7f", any ? "; " : "none; ", last[SL_COL_Q_RATIO]));
}

static const char *quality_words(page *p, const sl_extreme *e) {
    return sl_digest_format(p->d, "%s at %s%s", sl_digest_display(p->d, e->value, p->shown.quality),
                            sl_network_node_id(p->s->net, e->index), sl_digest_when(p->d, e->time));
}

static void add_quality_words(page *p) {
    const sl_summary *s = p->s;
    sl_digest *d = p->d;
    double delivered = sl_summary_delivered(s);
    sl_digest_record(d, SL_DIGEST_BALANCE, NULL, quality_label(p));
    if (s->quality_low.index >= 0) {
        sl_digest_words(d, sl_digest_format(d, "%s to %s%s", quality_words(p, &s->quality_low),
                                            quality_words(p, &s->quality_high),
                                            s->until - s->begin > 86400.0 ? " in the last day" : ""));
    }
    if (!isnan(delivered)) {
        sl_digest_words(d, sl_digest_format(d, "%sdelivered %s on average", s->quality_low.index >= 0 ? "; " : "",
                                            sl_digest_display(d, delivered, p->shown.quality)));
    }
    add_mass_words(p);
}

/* Concentrations in the unit of quality, masses in that times m3. */
static void add_quality(page *p) {
    static const char *const kinds[] = {"none", "chemical", "age", "trace"};
    static const char *const keys[] = {"initial", "reservoirs", "sources", "time",     "consumed", "returned",
                                       "bulk",    "wall",       "tanks",   "adjusted", "stored",   "ratio"};
    const sl_summary *s = p->s;
    const sl_quality_options *q = &s->net->quality;
    sl_digest *d = p->d;
    if (q->kind == SL_QUALITY_NONE || isnan(s->last[SL_COL_Q_RATIO])) {
        sl_digest_record(d, SL_DIGEST_BALANCE, NULL, NULL);
        sl_digest_point_cell(d, "quality", NULL, NULL);
        return;
    }
    sl_digest_point low = node_point(s->net, &s->quality_low), high = node_point(s->net, &s->quality_high);
    bool trace = q->kind == SL_QUALITY_TRACE && q->trace_node >= 0;
    sl_digest_record(d, SL_DIGEST_BALANCE, "quality", NULL);
    sl_digest_text(d, "kind", kinds[q->kind], NULL);
    sl_digest_text(d, trace ? "node" : "name",
                   trace                       ? sl_network_node_id(s->net, q->trace_node)
                   : q->kind == SL_QUALITY_AGE ? "age"
                   : q->chemical               ? q->chemical
                                               : "",
                   NULL);
    sl_digest_text(d, "unit", p->shown.quality.name, NULL);
    sl_digest_point_cell(d, "last_day_min", &low, NULL);
    sl_digest_point_cell(d, "last_day_max", &high, NULL);
    sl_digest_number(d, "delivered_mean", sl_summary_delivered(s), NULL);
    sl_digest_group(d, "mass");
    sl_digest_text(d, "unit", sl_digest_format(d, "%s m3", p->shown.quality.name), NULL);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        sl_digest_number(d, keys[i], s->last[SL_COL_Q_INITIAL + i], NULL);
    }
    sl_digest_group_end(d);
    if (moves(s)) {
        add_quality_words(p);
    }
}

/* ---- Residuals ---------------------------------------------------------------------------------- */

static void add_residuals(page *p) {
    const sl_summary *s = p->s;
    sl_digest *d = p->d;
    sl_digest_point head = model_point(&s->head_error), mass = model_point(&s->mass_error),
                    change = model_point(&s->flow_change);
    sl_digest_record(d, SL_DIGEST_RESIDUALS, "residuals", s->head_error.index >= 0 ? "Residuals" : NULL);
    sl_digest_point_cell(
        d, "head_max_m", &head,
        sl_digest_format(d, "head %.1e %s", s->head_error.value / p->shown.length.factor, p->shown.length.name));
    sl_digest_point_cell(
        d, "mass_max_m3_per_s", &mass,
        sl_digest_format(d, "flow %.1e %s at worst", s->mass_error.value / p->shown.flow.factor, p->shown.flow.name));
    sl_digest_point_cell(d, "flow_change_max", &change, NULL);
    sl_digest_whole(d, "unbalanced", s->n_unbalanced, NULL);
    sl_digest_number(d, "first_unbalanced_s", s->first_unbalanced, NULL);
    if (s->n_unbalanced > 0) {
        sl_digest_record(d, SL_DIGEST_RESIDUALS, NULL, "NOT BALANCED");
        sl_digest_words(d, sl_digest_format(d, "%lld solution%s%s", (long long)s->n_unbalanced,
                                            s->n_unbalanced == 1 ? "" : "s", sl_digest_when(d, s->first_unbalanced)));
    }
}

/* ---- The digest --------------------------------------------------------------------------------- */

static void add_sizes(page *p) {
    const sl_network *net = p->s->net;
    const struct {
        const char *key, *noun;
        int32_t n;
    } sizes[] = {{"junctions", "junction", net->n_junction},
                 {"reservoirs", "reservoir", net->n_reservoir},
                 {"tanks", "tank", net->n_tank},
                 {"pipes", "pipe", net->n_pipe},
                 {"pumps", "pump", net->n_pump},
                 {"valves", "valve", net->n_valve}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        sl_digest_size(p->d, sizes[i].key, sizes[i].n, sizes[i].noun);
    }
    sl_digest_count(p->d, "steps", (int64_t)fmax(p->s->last[SL_COL_STEPS], 0), "step");
    sl_digest_count(p->d, "trials", (int64_t)fmax(p->s->last[SL_COL_TRIALS], 0), "trial");
}

sl_status sl_summary_digest(const sl_summary *s, const sl_summary_facts *facts, int32_t rows, sl_digest *d) {
    sl_digest_head head = {.model = facts->name,
                           .title = s->net->n_title > 0 ? s->net->title[0] : NULL,
                           .engine = facts->engine,
                           .begin = s->begin,
                           .end = s->end,
                           .until = s->until,
                           .complete = s->complete,
                           .has_results = s->n_frame > 0,
                           .n_frame = s->n_frame};
    sl_digest_init(d, s->ctx, &head);
    page p = {s, sl_display_units_of(s->net), d};
    d->length = p.shown.length;
    d->rows_max = rows;
    add_sizes(&p);
    add_limits(&p);
    add_pressures(&p);
    add_links(&p);
    add_tanks(&p);
    add_pumps(&p);
    add_energy(&p);
    sl_digest_put_events(d, &s->events);
    add_water(&p);
    add_quality(&p);
    add_residuals(&p);
    if (facts->diags) {
        sl_digest_warnings(d, facts->diags);
    }
    return d->status;
}
