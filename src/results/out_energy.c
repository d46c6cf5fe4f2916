/* SPDX-License-Identifier: MIT */
/* out_energy.c: the pumps' energy over a run, as .out files have it, and the network's reaction rates.
 *
 * Six numbers per pump: the share of the run it was on [%], and while it was on the mean efficiency [%], the mean of
 * energy per volume [kWh/m3, or kWh per million US gallons in US units], the mean power [kW]; the peak [kW]; the cost per
 * day. Means are over time; energy per volume is the mean of power over flow, not total energy over total volume. The
 * demand charge is the price per kW times the highest power of all pumps together.
 *
 * A run without a duration has no time to integrate over: its pumps are on for 100 % or not at all, and the numbers are
 * those of the instant. EPANET does the same. All conventions were checked against files of EPANET 2.3.5.
 */
#include <assert.h>
#include <math.h>

#include "base/report.h"
#include "results/out_write_impl.h"

/* Power by EPANET's figures: horsepower = Q H / 8.814 in ft3/s and ft, a horsepower 0.7457 kW; here kW per m3/s and m. */
#define WATER_KW (0.7457 / 8.814 / (SL_EPANET_FOOT * SL_EPANET_FOOT * SL_EPANET_FOOT * SL_EPANET_FOOT))

typedef struct pump_sums {
    double online, efficiency, intensity, kwh, peak, cost;
} pump_sums;

/* An element of a field of the engine, 0 when it has no such field. */
static double value_of(const sl_out_writer *w, const char *of, const char *name, int32_t index) {
    const sl_engine_ops *ops = w->layout.ops;
    int32_t field = sl_engine_find_field(ops, of, sl_str_z(name));
    if (field < 0 || index >= ops->count(w->layout.engine, field)) {
        return 0.0;
    }
    const double *x = ops->data(w->layout.engine, field);
    return x ? x[index] : (double)NAN; /* no room to show it */
}

static pump_sums sums_of(const sl_out_writer *w, int32_t pump) {
    return (pump_sums){
        .online = value_of(w, "pump", "energy.online", pump),
        .efficiency = value_of(w, "pump", "energy.efficiency", pump),
        .intensity = value_of(w, "pump", "energy.intensity", pump),
        .kwh = value_of(w, "pump", "energy.kwh", pump),
        .peak = value_of(w, "pump", "energy.peak", pump),
        .cost = value_of(w, "pump", "energy.cost", pump),
    };
}

/* Price of a kWh at the start. */
static double first_price(const sl_network *net, int32_t pump) {
    double price = isnan(net->pump_price[pump]) ? net->energy.price : net->pump_price[pump];
    int32_t pattern = net->pump_price_pattern[pump];
    pattern = pattern >= 0 ? pattern : net->energy.price_pattern;
    if (pattern < 0) {
        return price;
    }
    int32_t first = net->pattern_start[pattern], n = net->pattern_start[pattern + 1] - first;
    double period = floor(net->times.pattern_start / net->times.pattern_step);
    return n > 0 ? price * net->pattern_factor[first + (int32_t)fmod(period, n)] : price;
}

/* An hour of the instant: without a duration the engine has integrated nothing. */
static pump_sums sums_of_instant(const sl_out_writer *w, int32_t pump) {
    const double hour = 3600.0;
    int32_t link = w->net->n_pipe + pump;
    double kw = value_of(w, "pump", "energy.peak", pump);
    double flow = value_of(w, "link", "flow", link);
    double gain = -value_of(w, "link", "headloss", link);
    if (!(kw > 0.0) || !(flow > 0.0)) {
        return (pump_sums){.peak = kw};
    }
    double water_kw = fabs(gain) * flow * w->net->hydraulics.specific_gravity * WATER_KW;
    return (pump_sums){.online = hour,
                       .efficiency = water_kw / kw * hour,
                       .intensity = kw / flow * hour,
                       .kwh = kw,
                       .peak = kw,
                       .cost = kw * first_price(w->net, pump)};
}

/* kWh per m3 or per million gallons from kW per m3/s, by the figures for litres and gallons. */
static double per_volume(const sl_out_writer *w) {
    bool metric = sl_flow_unit_is_metric(w->units.flow);
    sl_unit_system units = w->units;
    units.flow = metric ? SL_LPS : SL_GPM;
    double factor[SL_Q_COUNT];
    sl_epanet_factors(&units, factor);
    return factor[SL_Q_FLOW] / (metric ? 3.6 : 60e-6);
}

/* The numbers of a row; false when one of them is beyond what the file can hold and is 0 there. */
static bool energy_row(const pump_sums *s, double elapsed, double volume, float row[6]) {
    const double hour = 3600.0, day = 86400.0;
    double x[6] = {[4] = s->peak, [5] = s->cost * day / elapsed};
    if (s->online > 0.0) {
        x[0] = s->online / elapsed * 100.0;
        x[1] = s->efficiency / s->online * 100.0;
        x[2] = s->intensity / s->online * volume;
        x[3] = s->kwh / (s->online / hour);
    }
    bool fits = true;
    for (int i = 0; i < 6; i++) {
        fits = fits && fabs(x[i]) <= (double)FLT_MAX;
        row[i] = sl_outfile_float(x[i]);
    }
    return fits;
}

static void report_too_large(const char *kind, const char *id, sl_diags *diags) {
    sl_report(diags, SL_WARNING, SL_CODE_NOT_FINITE, NULL, kind, id, NULL,
              "an energy is beyond what .out files can hold; they have 0 instead");
}

/* What was gathered in the block goes into the file at *at. */
static sl_status patch_block(sl_out_writer *w, uint64_t *at) {
    sl_status status = w->n_block > 0 ? w->sink->patch(w->sink->user, *at, w->block, w->n_block) : SL_OK;
    *at += w->n_block;
    w->n_block = 0;
    return status;
}

/* The row of a pump, as it stands in the file. */
typedef struct pump_row {
    int32_t link;
    float numbers[6];
} pump_row;
static_assert(sizeof(pump_row) == SL_OUTFILE_ENERGY, "a row has no gaps");

static pump_row row_of(const sl_out_writer *w, int32_t pump, double elapsed, double volume, sl_diags *diags) {
    const sl_network *net = w->net;
    pump_row row = {.link = net->link_rank[net->n_pipe + pump] + 1};
    pump_sums s = sums_of(w, pump);
    double time = elapsed;
    if (!(elapsed > 0.0)) {
        s = s.online > 0.0 ? s : sums_of_instant(w, pump);
        time = s.online > 0.0 ? s.online : 3600.0;
    }
    if (!energy_row(&s, time, volume, row.numbers)) {
        report_too_large("pump", sl_network_link_id(net, net->n_pipe + pump), diags);
    }
    sl_outfile_fix_words(&row, sizeof row / 4);
    return row;
}

/* Everything has been sent: the block is free to gather what reaches the file in one piece. */
sl_status sl_out_patch_energy(sl_out_writer *w, double elapsed, sl_diags *diags) {
    const sl_network *net = w->net;
    uint64_t at = sl_outfile_head_size(
        &(sl_outfile_info){.n_node = net->n_node, .n_link = net->n_link, .n_fixed = net->n_reservoir + net->n_tank});
    at -= 4; /* the charge comes after the pumps */
    double volume = per_volume(w);
    sl_status status = SL_OK;
    for (int32_t i = 0; i < net->n_pump && status == SL_OK; i++) {
        pump_row row = row_of(w, i, elapsed, volume, diags);
        status = SL_OUT_BLOCK - w->n_block < sizeof row ? patch_block(w, &at) : SL_OK;
        memcpy(w->block + w->n_block, &row, sizeof row);
        w->n_block += sizeof row;
    }
    if (status == SL_OK) {
        status = patch_block(w, &at);
    }
    double all = net->energy.demand_charge * value_of(w, "", "energy.peak", 0);
    if (!(fabs(all) <= (double)FLT_MAX)) {
        report_too_large(NULL, NULL, diags);
    }
    float charge = sl_outfile_float(all);
    if (status != SL_OK || charge == 0.0f) { /* the file has 0 there */
        return status;
    }
    sl_outfile_fix_words(&charge, 1);
    return w->sink->patch(w->sink->user, at, &charge, sizeof charge);
}

void sl_out_reactions(const sl_out_writer *w, double elapsed, float rate[4]) {
    /* EPANET's numbers have no sign, and a traced node is none of its sources. */
    bool chemical = w->net->quality.kind == SL_QUALITY_CHEMICAL;
    static const char *const names[4] = {"quality.bulk", "quality.wall", "quality.tank", "quality.source"};
    for (int i = 0; i < 4; i++) {
        rate[i] = elapsed > 0.0 && chemical
                      ? sl_outfile_float(1000.0 * fabs(value_of(w, "", names[i], 0)) / elapsed * 3600.0)
                      : 0.0f;
    }
}
