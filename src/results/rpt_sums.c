/* rpt_sums.c: the closing tables of the report: energy of pumps, and where the water went. */
#include "results/rpt_impl.h"

#include <math.h>

/* A column of one number per pump, or of the model; NaN when the engine has none. */
static double value(const sl_rpt *r, sl_rpt_column column, int32_t i) {
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
    double online = value(r, SL_RPT_ONLINE, i), cost = value(r, SL_RPT_COST, i);
    bool ran = online > 0;
    double cell[CELLS] = {
        span > 0 ? 100 * online / span : 100.0 * ran,
        ran ? 100 * value(r, SL_RPT_EFFICIENCY, i) / online : 0,
        ran ? value(r, SL_RPT_INTENSITY, i) / online / 3600 / r->shown.intensity.factor : 0, /* kW/(m3/s) is kWs/m3 */
        ran ? value(r, SL_RPT_KWH, i) / (online / 3600) : 0,
        value(r, SL_RPT_PEAK, i),
        span > 0 ? cost / (span / 86400) : (double)NAN,
    };
    put_cells(r, sl_network_link_id(r->net, r->net->n_pipe + i), cell);
}

void sl_rpt_energy(sl_rpt *r) {
    if (!r->net->report.energy || r->net->n_pump == 0 || !r->columns.at[SL_RPT_ONLINE]) {
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
        total += value(r, SL_RPT_COST, i);
    }
    sl_rpt_rule(r, width);
    double demand = value(r, SL_RPT_DEMAND_COST, 0);
    demand = demand > 0 ? demand : 0;
    sl_rpt_line(r, "%*s%*.2f", width - CELL, "Energy of the run", CELL, total);
    sl_rpt_line(r, "%*s%*.2f", width - CELL, "Demand charge", CELL, demand);
    sl_rpt_line(r, "%*s%*.2f", width - CELL, "Total cost", CELL, total + demand);
}

/* ---- Water -------------------------------------------------------------------------------------- */

void sl_rpt_water(sl_rpt *r) {
    static const struct {
        sl_rpt_column column;
        const char *words;
    } rows[] = {{SL_RPT_INFLOW, "Inflow from sources"},
                {SL_RPT_CONSUMPTION, "Consumption"},
                {SL_RPT_DEFICIT, "Demand not met"},
                {SL_RPT_EMITTER, "Emitters"},
                {SL_RPT_LEAK, "Leakage"},
                {SL_RPT_SPILLED, "Overflow of tanks"},
                {SL_RPT_OUTFLOW, "Outflow in all"},
                {SL_RPT_STORAGE, "Into storage"}};
    double span = r->end - r->begin;
    if (!r->net->report.summary || !r->columns.at[SL_RPT_INFLOW] || !(span > 0)) {
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
        if (!isnan(v)) {
            sl_rpt_line(r, "%-24s%16.3f%16.3f", rows[i].words, v / r->shown.volume.factor,
                        v / span / r->shown.flow.factor);
        }
    }
    sl_rpt_rule(r, 56);
    double ratio = value(r, SL_RPT_RATIO, 0);
    if (!isnan(ratio)) {
        sl_rpt_line(r, "%-24s%16.4f", "Out and stored / in", ratio);
    }
}
