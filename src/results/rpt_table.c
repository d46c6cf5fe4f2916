/* SPDX-License-Identifier: MIT */
/* rpt_table.c: the tables of nodes and links.
 *
 * A field is a row of one list: its title, where its values come from, and how a block of them is worked out, in the
 * network's units. An element is shown when every field that has limits is within them (BELOW: not above; ABOVE: not
 * below), whether that field is shown or not, as EPANET does it. Flows keep their sign at a time; a statistic is one of
 * amounts (EPANET again), over the report times.
 */
#include "results/rpt_impl.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/memory.h"
#include <sluice/results.h>
#include <sluice/units.h>

typedef struct sl_rpt_field {
    sl_report_field_id id;
    const char *title;
    int column;   /* sl_run_column, -1: of the network itself */
    size_t shown; /* its unit: a member of sl_display_units; 0: none */
    /* NULL: scaled by the unit. */
    void (*fill)(const sl_rpt *r, const double *x, const int32_t *at, int32_t n, double *y);
} sl_rpt_field;

enum { ID_WIDTH = 15, ID_WIDTH_MAX = 48, VALUE_WIDTH = 10 };

/* ---- Values, block by block --------------------------------------------------------------------- */

static void scaled(double factor, const double *x, const int32_t *at, int32_t n, double *y) {
    for (int32_t i = 0; i < n; i++) {
        y[i] = x[at[i]] / factor;
    }
}

#define FILL(name) static void fill_##name(const sl_rpt *r, const double *x, const int32_t *at, int32_t n, double *y)

FILL(elevation) {
    (void)x;
    scaled(r->shown.length.factor, r->net->node_elevation, at, n, y);
}

FILL(pipe_length) {
    (void)x;
    for (int32_t i = 0; i < n; i++) {
        y[i] = at[i] < r->net->n_pipe ? r->net->pipe_length[at[i]] / r->shown.length.factor : 0;
    }
}

FILL(diameter) {
    const sl_network *net = r->net;
    int32_t valves = net->n_pipe + net->n_pump;
    (void)x;
    for (int32_t i = 0; i < n; i++) {
        double d = at[i] < net->n_pipe ? net->pipe_diameter[at[i]]
                   : at[i] < valves    ? 0
                                       : net->valve_diameter[at[i] - valves];
        y[i] = d / r->shown.diameter.factor;
    }
}

/* Of a pipe per 1000 units of its length, without sign; of a pump (a gain is negative) or valve the whole. */
FILL(headloss) {
    const sl_network *net = r->net;
    for (int32_t i = 0; i < n; i++) {
        int32_t k = at[i];
        y[i] = k < net->n_pipe                 ? fabs(x[k]) / net->pipe_length[k] / r->shown.slope.factor
               : k < net->n_pipe + net->n_pump ? x[k] / r->shown.length.factor
                                               : fabs(x[k]) / r->shown.length.factor;
    }
}

/* A pipe's is its roughness, a pump's its speed. */
FILL(setting) {
    const sl_network *net = r->net;
    int32_t valves = net->n_pipe + net->n_pump;
    for (int32_t i = 0; i < n; i++) {
        int32_t k = at[i];
        y[i] = k < net->n_pipe ? (isnan(x[k]) ? net->pipe_roughness[k] : x[k]) / r->shown.roughness
               : k < valves
                   ? x[k]
                   : x[k] / sl_display_setting_unit(&r->shown, (sl_valve_kind)net->valve_kind[k - valves]).factor;
    }
}

/* ---- The list of fields ------------------------------------------------------------------------- */

static const char *unit_quality(const sl_rpt *r) {
    const sl_quality_options *q = &r->net->quality;
    switch (q->kind) {
    case SL_QUALITY_AGE: return "h";
    case SL_QUALITY_TRACE: return "%";
    default: return q->mass_unit ? q->mass_unit : "";
    }
}

static const sl_display_unit *unit_of(const sl_rpt *r, const sl_rpt_field *f) {
    static const sl_display_unit none = {1.0, ""};
    return f->shown > 0 ? (const sl_display_unit *)(const void *)((const char *)&r->shown + f->shown) : &none;
}

/* Without quality its column has the unit that the file names all the same. */
static const char *unit_name(const sl_rpt *r, const sl_rpt_field *f) {
    bool quality = f->id == SL_FIELD_QUALITY || f->id == SL_FIELD_LINK_QUALITY;
    return quality ? unit_quality(r) : unit_of(r, f)->name;
}

#define IN(member) offsetof(sl_display_units, member)
static const sl_rpt_field node_fields[] = {
    {SL_FIELD_ELEVATION, "Elevation", -1, IN(length), fill_elevation},
    {SL_FIELD_DEMAND, "Demand", SL_COL_DEMAND, IN(flow), NULL},
    {SL_FIELD_HEAD, "Head", SL_COL_HEAD, IN(length), NULL},
    {SL_FIELD_PRESSURE, "Pressure", SL_COL_PRESSURE, IN(pressure), NULL},
    {SL_FIELD_QUALITY, "Quality", SL_COL_QUALITY, 0, NULL},
};

static const sl_rpt_field link_fields[] = {
    {SL_FIELD_LENGTH, "Length", -1, IN(length), fill_pipe_length},
    {SL_FIELD_DIAMETER, "Diameter", -1, IN(diameter), fill_diameter},
    {SL_FIELD_FLOW, "Flow", SL_COL_FLOW, IN(flow), NULL},
    {SL_FIELD_VELOCITY, "Velocity", SL_COL_VELOCITY, IN(velocity), NULL},
    {SL_FIELD_HEADLOSS, "Head loss", SL_COL_HEADLOSS, IN(slope), fill_headloss},
    {SL_FIELD_LINK_QUALITY, "Quality", SL_COL_LINK_QUALITY, 0, NULL},
    {SL_FIELD_LINK_STATE, "State", SL_COL_STATUS, 0, NULL},
    {SL_FIELD_SETTING, "Setting", SL_COL_SETTING, 0, fill_setting},
    {SL_FIELD_REACTION, "Reaction", SL_COL_REACTION, 0, NULL},
    {SL_FIELD_FRICTION, "F-factor", SL_COL_FRICTION, 0, NULL},
};

static const sl_report_field *asked(const sl_rpt *r, const sl_rpt_field *f) {
    return &r->net->report.field[f->id];
}

static bool limited(const sl_report_field *a) {
    return !isnan(a->below) || !isnan(a->above);
}

/* ---- Making ready ------------------------------------------------------------------------------- */

static void choose_fields(sl_rpt *r, sl_rpt_table *t) {
    const sl_rpt_field *fields = t->links ? link_fields : node_fields;
    size_t n = t->links ? sizeof link_fields / sizeof *link_fields : sizeof node_fields / sizeof *node_fields;
    for (size_t i = 0; i < n; i++) {
        bool known = fields[i].column < 0 || r->columns.place[fields[i].column] >= 0;
        const sl_report_field *a = asked(r, &fields[i]);
        if (known && (a->enabled || limited(a))) {
            t->field[t->n_field++] = &fields[i];
        }
    }
}

/* The elements asked for, by their place in the file. */
static bool choose_elements(sl_rpt *r, sl_rpt_table *t) {
    const sl_report_options *o = &r->net->report;
    sl_report_which which = t->links ? o->links : o->nodes;
    int32_t n_all = t->links ? r->net->n_link : r->net->n_node;
    const int32_t *rank = t->links ? r->net->link_rank : r->net->node_rank;
    const int32_t *list = t->links ? o->link_list : o->node_list;
    int32_t n_list = which == SL_REPORT_ALL ? n_all : t->links ? o->n_link_list : o->n_node_list;
    if (which == SL_REPORT_NONE || n_list == 0) {
        return true;
    }
    size_t size = (size_t)n_all * sizeof(int32_t);
    t->order = sl_alloc(r->ctx, size);
    int32_t *at_rank = t->order ? sl_alloc(r->ctx, size) : NULL;
    if (!at_rank) {
        return false;
    }
    for (int32_t i = 0; i < n_list; i++) {
        int32_t e = which == SL_REPORT_ALL ? i : list[i];
        at_rank[rank[e]] = e + 1; /* 0: not asked for */
    }
    for (int32_t i = 0; i < n_all; i++) {
        if (at_rank[i] > 0) {
            t->order[t->n++] = at_rank[i] - 1;
        }
    }
    sl_free(r->ctx, at_rank, size);
    return true;
}

static const char *id_of(const sl_rpt *r, const sl_rpt_table *t, int32_t element) {
    return t->links ? sl_network_link_id(r->net, element) : sl_network_node_id(r->net, element);
}

static size_t kept_size(const sl_rpt_table *t) {
    return (size_t)t->n_field * (size_t)t->n * sizeof(double);
}

static bool keep_values(sl_rpt *r, sl_rpt_table *t) {
    if (!r->counting || kept_size(t) == 0) {
        return true;
    }
    t->sum = sl_alloc(r->ctx, kept_size(t));
    t->low = sl_alloc(r->ctx, kept_size(t));
    t->high = sl_alloc(r->ctx, kept_size(t));
    return t->sum && t->low && t->high;
}

sl_status sl_rpt_table_init(sl_rpt *r, sl_rpt_table *t, bool links) {
    *t = (sl_rpt_table){.links = links, .width = ID_WIDTH};
    choose_fields(r, t);
    if (!choose_elements(r, t) || !keep_values(r, t)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < t->n && t->width < ID_WIDTH_MAX; i++) {
        int32_t n = (int32_t)strlen(id_of(r, t, t->order[i])) + 1;
        t->width = n > t->width ? n : t->width;
    }
    return SL_OK;
}

void sl_rpt_table_fini(sl_rpt *r, sl_rpt_table *t) {
    sl_free(r->ctx, t->order, (size_t)(t->links ? r->net->n_link : r->net->n_node) * sizeof(int32_t));
    sl_free(r->ctx, t->sum, kept_size(t));
    sl_free(r->ctx, t->low, kept_size(t));
    sl_free(r->ctx, t->high, kept_size(t));
    *t = (sl_rpt_table){0};
}

void sl_rpt_table_criteria(sl_rpt *r, const sl_rpt_table *t) {
    const sl_report_options *o = &r->net->report;
    static const char *const words[] = {"no", "all", "some"};
    sl_rpt_line(r, "  Reported: %s %s", words[t->links ? o->links : o->nodes], t->links ? "links" : "nodes");
    for (int32_t i = 0; i < t->n_field && t->n > 0; i++) {
        const sl_rpt_field *f = t->field[i];
        const sl_report_field *a = asked(r, f);
        if (!isnan(a->below)) {
            sl_rpt_line(r, "    with %s below %.*f %s", f->title, a->precision, a->below, unit_name(r, f));
        }
        if (!isnan(a->above)) {
            sl_rpt_line(r, "    with %s above %.*f %s", f->title, a->precision, a->above, unit_name(r, f));
        }
    }
}

/* ---- Writing ------------------------------------------------------------------------------------ */

static int32_t value_width(const sl_report_field *a) {
    return a->precision > 3 ? VALUE_WIDTH + a->precision - 3 : VALUE_WIDTH;
}

static void put_right(sl_out *out, const char *text, int32_t width) {
    int32_t n = (int32_t)strlen(text);
    sl_out_pad(out, out->column + (size_t)(n < width ? width - n : 0), 1);
    sl_out_z(out, text);
}

static void put_head(sl_rpt *r, const sl_rpt_table *t, const char *title, bool again) {
    int32_t width = t->width;
    sl_rpt_line(r, "%s", "");
    sl_rpt_line(r, "%s%s", title, again ? " (continued)" : "");
    for (int32_t i = 0; i < t->n_field; i++) {
        width += asked(r, t->field[i])->enabled ? value_width(asked(r, t->field[i])) : 0;
    }
    sl_rpt_rule(r, width);
    for (int line = 0; line < 2; line++) {
        (void)sl_rpt_line_begin(r);
        sl_out_z(&r->out, line == 0 ? "  " : t->links ? "  Link" : "  Node");
        sl_out_pad(&r->out, 2 + (size_t)t->width, 0);
        for (int32_t i = 0; i < t->n_field; i++) {
            const sl_report_field *a = asked(r, t->field[i]);
            if (a->enabled) {
                put_right(&r->out, line == 0 ? t->field[i]->title : unit_name(r, t->field[i]), value_width(a));
            }
        }
        sl_rpt_line_end(r);
    }
    sl_rpt_rule(r, width);
}

static const char *kind_of(const sl_rpt *r, const sl_rpt_table *t, int32_t element) {
    const sl_network *net = r->net;
    if (!t->links) {
        static const char *const kinds[] = {"", "  Reservoir", "  Tank"};
        return kinds[sl_network_node_kind(net, element)];
    }
    static const char *const valves[] = {"  PRV", "  PSV", "  PBV", "  FCV", "  TCV", "  GPV", "  PCV"};
    int32_t first = net->n_pipe + net->n_pump;
    return element < net->n_pipe ? "" : element < first ? "  Pump" : valves[net->valve_kind[element - first]];
}

static const char *state_word(double status) {
    int code = (int)status;
    return code <= SL_STATUS_CLOSED ? "closed" : code == SL_STATUS_ACTIVE ? "active" : "open";
}

static bool within(const sl_rpt *r, const sl_rpt_table *t, const double *y, int32_t stride) {
    for (int32_t f = 0; f < t->n_field; f++) {
        const sl_report_field *a = asked(r, t->field[f]);
        double v = y[f * stride];
        if ((!isnan(a->below) && v > a->below) || (!isnan(a->above) && v < a->above)) {
            return false;
        }
    }
    return true;
}

/* One element; y[f * stride] is its value of field f. */
static void put_row(sl_rpt *r, const sl_rpt_table *t, const char *title, int32_t element, const double *y,
                    int32_t stride) {
    if (sl_rpt_line_begin(r)) {
        put_head(r, t, title, true);
        (void)sl_rpt_line_begin(r);
    }
    sl_out_z(&r->out, "  ");
    sl_out_z(&r->out, id_of(r, t, element));
    sl_out_pad(&r->out, 2 + (size_t)t->width, 0);
    for (int32_t f = 0; f < t->n_field; f++) {
        const sl_report_field *a = asked(r, t->field[f]);
        if (!a->enabled) {
            continue;
        }
        if (t->field[f]->id == SL_FIELD_LINK_STATE) {
            put_right(&r->out, state_word(y[f * stride]), value_width(a));
        } else {
            sl_rpt_number(&r->out, y[f * stride], a->precision, value_width(a));
        }
    }
    sl_out_z(&r->out, kind_of(r, t, element));
    sl_rpt_line_end(r);
}

/* ---- A frame ------------------------------------------------------------------------------------ */

static void fill_block(sl_rpt *r, const sl_rpt_table *t, int32_t first, int32_t n) {
    for (int32_t f = 0; f < t->n_field; f++) {
        const sl_rpt_field *field = t->field[f];
        const double *x = field->column >= 0 ? r->columns.at[field->column] : NULL;
        double *y = r->block + (ptrdiff_t)f * SL_RPT_BLOCK;
        if (field->fill) {
            field->fill(r, x, t->order + first, n, y);
        } else {
            scaled(unit_of(r, field)->factor, x, t->order + first, n, y);
        }
    }
}

/* A state is kept as it is last, all else by its amount when it is a flow. */
static void count_block(sl_rpt *r, sl_rpt_table *t, int32_t first, int32_t n) {
    for (int32_t f = 0; f < t->n_field; f++) {
        const double *y = r->block + (ptrdiff_t)f * SL_RPT_BLOCK;
        ptrdiff_t at = (ptrdiff_t)f * t->n + first;
        bool state = t->field[f]->id == SL_FIELD_LINK_STATE, amount = t->field[f]->id == SL_FIELD_FLOW;
        for (int32_t i = 0; i < n; i++) {
            double v = amount ? fabs(y[i]) : y[i];
            bool start = r->n_frame == 0 || state;
            t->sum[at + i] = start ? v : t->sum[at + i] + v;
            t->low[at + i] = start || v < t->low[at + i] ? v : t->low[at + i];
            t->high[at + i] = start || v > t->high[at + i] ? v : t->high[at + i];
        }
    }
}

static void show_blocks(sl_rpt *r, sl_rpt_table *t, const char *title) {
    sl_rpt_need(r, 8);
    put_head(r, t, title, false);
    for (int32_t first = 0; first < t->n; first += SL_RPT_BLOCK) {
        int32_t n = t->n - first < SL_RPT_BLOCK ? t->n - first : SL_RPT_BLOCK;
        fill_block(r, t, first, n);
        for (int32_t i = 0; i < n; i++) {
            if (within(r, t, r->block + i, SL_RPT_BLOCK)) {
                put_row(r, t, title, t->order[first + i], r->block + i, SL_RPT_BLOCK);
            }
        }
    }
}

void sl_rpt_table_frame(sl_rpt *r, sl_rpt_table *t) {
    if (t->n == 0 || t->n_field == 0) {
        return;
    }
    if (!r->counting) {
        char time[64] = "", title[128];
        if (r->until > 0) {
            sl_time_format(r->columns.time, time, sizeof time);
        }
        (void)sl_format(title, sizeof title, "%s%s%s", t->links ? "Links" : "Nodes", *time ? " at " : "", time);
        show_blocks(r, t, title);
        return;
    }
    for (int32_t first = 0; first < t->n; first += SL_RPT_BLOCK) {
        int32_t n = t->n - first < SL_RPT_BLOCK ? t->n - first : SL_RPT_BLOCK;
        fill_block(r, t, first, n);
        count_block(r, t, first, n);
    }
}

static double statistic(const sl_rpt *r, const sl_rpt_table *t, int32_t f, int32_t i) {
    ptrdiff_t at = (ptrdiff_t)f * t->n + i;
    if (t->field[f]->id == SL_FIELD_LINK_STATE) {
        return t->sum[at];
    }
    switch (r->net->times.statistic) {
    case SL_STAT_AVERAGE: return t->sum[at] / (double)r->n_frame;
    case SL_STAT_MINIMUM: return t->low[at];
    case SL_STAT_MAXIMUM: return t->high[at];
    default: return t->high[at] - t->low[at];
    }
}

void sl_rpt_table_close(sl_rpt *r, sl_rpt_table *t) {
    static const char *const words[] = {"", "average", "minimum", "maximum", "range"};
    if (!r->counting || t->n == 0 || t->n_field == 0 || r->n_frame == 0) {
        return;
    }
    char title[128];
    (void)sl_format(title, sizeof title, "%s: %s over the report times", t->links ? "Links" : "Nodes",
                    words[r->net->times.statistic]);
    sl_rpt_need(r, 8);
    put_head(r, t, title, false);
    for (int32_t i = 0; i < t->n; i++) {
        double y[SL_RPT_FIELDS];
        for (int32_t f = 0; f < t->n_field; f++) {
            y[f] = statistic(r, t, f, i);
        }
        if (within(r, t, y, 1)) {
            put_row(r, t, title, t->order[i], y, 1);
        }
    }
}
