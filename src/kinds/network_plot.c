/* SPDX-License-Identifier: MIT */
/* network_plot.c: the map of a network. Charts over time are of results. */
#include "kinds/network_report.h"
#include "kinds/rows.h"

static bool fits(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]) {
    if (!def->map) {
        (void)sl_format(why, SL_REFUSAL_MAX,
                        "%s is a model: it can be drawn as a --map; for charts over time, run it first: "
                        "sluice run %s -o RESULT.out",
                        name, name);
    }
    return def->map;
}

static sl_status draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    sl_network *net = NULL;
    *run = SL_OK;
    sl_status status = sl_network_load(load, -1, &net);
    if (status == SL_OK) {
        sl_diags_clear(load->diags); /* of the model's warnings a picture is not the place */
        status = sl_plot(load->ctx, net, NULL, def->page, load->diags, sink);
    }
    sl_network_destroy(net);
    return status;
}

const sl_plot_ops sl_network_plot = {.fits = fits, .draw = draw};
