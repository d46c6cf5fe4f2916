/* SPDX-License-Identifier: MIT */
/* out_energy.c: the pumps' energy over a run (pump_energy.h) in the floats of a .out file, and the network's reaction rates. */
#include <assert.h>
#include <math.h>

#include "base/report.h"
#include "results/out_write_impl.h"
#include "results/pump_energy.h"

static sl_pump_account account_of(const sl_out_writer *w, double elapsed) {
    return (sl_pump_account){.net = w->net,
                             .ops = w->layout.ops,
                             .engine = w->layout.engine,
                             .elapsed = elapsed,
                             .flow_unit = w->units.flow};
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
    float numbers[SL_PUMP_ENERGIES];
} pump_row;
static_assert(sizeof(pump_row) == SL_OUTFILE_ENERGY, "a row has no gaps");

static pump_row row_of(const sl_out_writer *w, const sl_pump_account *account, int32_t pump, sl_diags *diags) {
    const sl_network *net = w->net;
    pump_row row = {.link = net->link_rank[net->n_pipe + pump] + 1};
    double x[SL_PUMP_ENERGIES];
    bool fits = true;
    sl_pump_energies(account, pump, x);
    for (int i = 0; i < SL_PUMP_ENERGIES; i++) {
        fits = fits && fabs(x[i]) <= (double)FLT_MAX;
        row.numbers[i] = sl_outfile_float(x[i]);
    }
    if (!fits) {
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
    const sl_pump_account account = account_of(w, elapsed);
    sl_status status = SL_OK;
    for (int32_t i = 0; i < net->n_pump && status == SL_OK; i++) {
        pump_row row = row_of(w, &account, i, diags);
        status = w->block_size - w->n_block < sizeof row ? patch_block(w, &at) : SL_OK;
        memcpy(w->block + w->n_block, &row, sizeof row);
        w->n_block += sizeof row;
    }
    if (status == SL_OK) {
        status = patch_block(w, &at);
    }
    double all = sl_pump_demand_charge(&account);
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
    const sl_pump_account account = account_of(w, elapsed);
    static const char *const names[4] = {"quality.bulk", "quality.wall", "quality.tank", "quality.source"};
    for (int i = 0; i < 4; i++) {
        rate[i] = elapsed > 0.0 && chemical
                      ? sl_outfile_float(1000.0 * fabs(sl_pump_account_value(&account, names[i])) / elapsed * 3600.0)
                      : 0.0f;
    }
}
