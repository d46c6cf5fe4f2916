/* SPDX-License-Identifier: MIT */
/* rpt_sums.c: the closing tables of the report: energy of pumps, where the water went, and what it carried. */
#include "results/rpt_impl.h"

#include <math.h>

/* A column of one number per pump, or of the model; NaN when the engine has none. */
static double value(const sl_rpt *r, sl_run_column column, int32_t i) {
    const double *x = r->columns.at[column];
    return x ? x[i] : (double)NAN;
}

/* ---- Energy ------------------------------------------------------------------------------------- */

enum { PUMP_WIDTH = 20, CELL = 11, CELLS = 6 };

static void put_cells(sl_rpt *r, const char *name, const double cell[CELLS]) {
    (void)sl_rpt_line_begin(r);
    sl_out_z(&r->out, "  ");
    sl_out_z(&r->out, name);
    sl_out_pad(&r->out, 2 + PUMP_WIDTH, 0);
    for (int i = 0; i < CELLS; i++) {
        sl_rpt_number(&r->out, cell[i], 2, CELL);
    }
    sl_rpt_line_end(r);
}

/* A run of one moment has no time to share: usage is all or nothing, and cost has no day. */
static void put_pump(sl_rpt *r, int32_t i) {
    double span = r->end - r->begin;
    double online = value(r, SL_COL_ONLINE, i), cost = value(r, SL_COL_COST, i);
    bool ran = online > 0;
    double cell[CELLS] = {
        span > 0 ? 100 * online / span : 100.0 * ran,
        ran ? 100 * value(r, SL_COL_EFFICIENCY, i) / online : 0,
        ran ? value(r, SL_COL_INTENSITY, i) / online / 3600 / r->shown.intensity.factor : 0, /* kW/(m3/s) is kWs/m3 */
        ran ? value(r, SL_COL_KWH, i) / (online / 3600) : 0,
        value(r, SL_COL_PEAK, i),
        span > 0 ? cost / (span / 86400) : (double)NAN,
    };
    put_cells(r, sl_network_link_id(r->net, r->net->n_pipe + i), cell);
}

void sl_rpt_energy(sl_rpt *r) {
    if (!r->net->report.energy || r->net->n_pump == 0 || !r->columns.at[SL_COL_ONLINE]) {
        return;
    }
    static const int32_t width = PUMP_WIDTH + CELLS * CELL;
    double total = 0;
    sl_rpt_need(r, 8);
    sl_rpt_heading(r, "Energy");
    sl_rpt_rule(r, width);
    sl_rpt_line(r, "%-*s%*s%*s%*s%*s%*s%*s", PUMP_WIDTH, "", CELL, "Usage", CELL, "Efficiency", CELL, "Intensity", CELL,
                "Average", CELL, "Peak", CELL, "Cost");
    sl_rpt_line(r, "%-*s%*s%*s%*s%*s%*s%*s", PUMP_WIDTH, "Pump", CELL, "%", CELL, "%", CELL, r->shown.intensity.name,
                CELL, "kW", CELL, "kW", CELL, "per day");
    sl_rpt_rule(r, width);
    for (int32_t i = 0; i < r->net->n_pump; i++) {
        put_pump(r, i);
        total += value(r, SL_COL_COST, i);
    }
    sl_rpt_rule(r, width);
    double demand = value(r, SL_COL_DEMAND_COST, 0);
    demand = demand > 0 ? demand : 0;
    sl_rpt_line(r, "%*s%*.2f", width - CELL, "Energy of the run", CELL, total);
    sl_rpt_line(r, "%*s%*.2f", width - CELL, "Demand charge", CELL, demand);
    sl_rpt_line(r, "%*s%*.2f", width - CELL, "Total cost", CELL, total + demand);
}

/* ---- Water -------------------------------------------------------------------------------------- */

void sl_rpt_water(sl_rpt *r) {
    static const struct {
        sl_run_column column;
        const char *words;
    } rows[] = {{SL_COL_INFLOW, "Inflow from sources"},
                {SL_COL_CONSUMPTION, "Consumption"},
                {SL_COL_DEFICIT, "Demand not met"},
                {SL_COL_EMITTER, "Emitters"},
                {SL_COL_LEAK, "Leakage"},
                {SL_COL_SPILLED, "Overflow of tanks"},
                {SL_COL_OUTFLOW, "Outflow in all"},
                {SL_COL_STORAGE, "Into storage"}};
    double span = r->end - r->begin;
    if (!r->net->report.summary || !r->columns.at[SL_COL_INFLOW] || !(span > 0)) {
        return;
    }
    sl_rpt_need(r, 14);
    sl_rpt_heading(r, "Water");
    sl_rpt_rule(r, 56);
    sl_rpt_line(r, "%-24s%16s%16s", "", "Volume", "Mean flow");
    sl_rpt_line(r, "%-24s%16s%16s", "", r->shown.volume.name, r->shown.flow.name);
    sl_rpt_rule(r, 56);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        double v = value(r, rows[i].column, 0);
        v += rows[i].column == SL_COL_DEFICIT ? value(r, SL_COL_ALL_UNSERVED, 0) : 0.0;
        if (!isnan(v)) {
            sl_rpt_line(r, "%-24s%16.3f%16.3f", rows[i].words, v / r->shown.volume.factor,
                        v / span / r->shown.flow.factor);
        }
    }
    sl_rpt_rule(r, 56);
    double ratio = value(r, SL_COL_RATIO, 0);
    if (!isnan(ratio)) {
        sl_rpt_line(r, "%-24s%16.4f", "Out and stored / in", ratio);
    }
}

/* ---- What the water carried --------------------------------------------------------------------- */

typedef struct term {
    sl_run_column column;
    int sign; /* a term of either sign stands on the side where it is positive */
    const char *words;
} term;

static const term came[] = {
    {SL_COL_Q_INITIAL, 1, "In pipes and tanks at the start"},
    {SL_COL_Q_RESERVOIR, 1, "From reservoirs"},
    {SL_COL_Q_SOURCE, 1, "By sources"},
    {SL_COL_Q_TIME, 1, "By the passing of time"},
    {SL_COL_Q_BULK, -1, "Grown in pipes"},
    {SL_COL_Q_WALL, -1, "Grown at walls of pipes"},
    {SL_COL_Q_TANK, -1, "Grown in tanks"},
    {SL_COL_Q_ADJUSTED, 1, "With rounded volumes"},
};
static const term went[] = {
    {SL_COL_Q_CONSUMED, 1, "To consumers, leaks, overflows"},
    {SL_COL_Q_RETURNED, 1, "Into reservoirs"},
    {SL_COL_Q_BULK, 1, "Reacted in pipes"},
    {SL_COL_Q_WALL, 1, "Reacted at walls of pipes"},
    {SL_COL_Q_TANK, 1, "Reacted in tanks"},
    {SL_COL_Q_ADJUSTED, -1, "With rounded volumes"},
    {SL_COL_Q_STORED, 1, "In pipes and tanks at the end"},
};
enum { N_CAME = sizeof came / sizeof *came, N_WENT = sizeof went / sizeof *went, MASS_RULE = 60 };

static double positive(const sl_rpt *r, const term *t) {
    return fmax(t->sign * value(r, t->column, 0), 0.0);
}

static void put_terms(sl_rpt *r, const term *list, int n, double sum, sl_display_unit unit) {
    for (int i = 0; i < n; i++) {
        double x = positive(r, &list[i]);
        if (x > 0) {
            bool traced = list[i].column == SL_COL_Q_SOURCE && r->net->quality.kind == SL_QUALITY_TRACE;
            sl_rpt_line(r, "%-32s%16.4f%12.4f", traced ? "From it" : list[i].words, x / unit.factor, 100.0 * x / sum);
        }
    }
    sl_rpt_rule(r, MASS_RULE);
}

void sl_rpt_quality(sl_rpt *r) {
    static const char *const titles[] = {"", "Mass in the water", "Age of the water, times its volume",
                                         "Water from the traced node"};
    sl_quality_kind kind = r->net->quality.kind;
    if (kind == SL_QUALITY_NONE || !r->net->report.summary || !r->columns.at[SL_COL_Q_RATIO] || !(r->end > r->begin)) {
        return;
    }
    double sum = 0.0;
    for (int i = 0; i < N_CAME; i++) {
        sum += positive(r, &came[i]);
    }
    sl_display_unit unit = sum < 1e6 * r->shown.mass.factor ? r->shown.mass : r->shown.large_mass;
    sl_rpt_need(r, 6 + N_CAME + N_WENT);
    sl_rpt_heading(r, titles[kind]);
    sl_rpt_rule(r, MASS_RULE);
    sl_rpt_line(r, "%-32s%16s%12s", "", unit.name, "% of all");
    sl_rpt_rule(r, MASS_RULE);
    if (sum > 0) {
        put_terms(r, came, N_CAME, sum, unit);
        put_terms(r, went, N_WENT, sum, unit);
    }
    sl_rpt_line(r, "%-32s%16.9f", "Out and left / in", value(r, SL_COL_Q_RATIO, 0));
}
