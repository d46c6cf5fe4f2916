/* SPDX-License-Identifier: MIT */
/* network_plot.c: the map of a bare network. Whatever is not the network's own comes from a run. */
#include "kinds/rows.h"

static bool fits(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]) {
    return sl_run_plot.fits(def, name, why);
}

static bool is_bare(const sl_picture_def *def) {
    const char *what = def->page->what;
    return def->page->kind == SL_PLOT_MAP && !def->time.is_given &&
           (!what || sl_str_equal_nocase(sl_str_z(what), sl_str_z("elevation")) ||
            sl_str_equal_nocase(sl_str_z(what), sl_str_z("diameter")));
}

static sl_status draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    sl_network *net = NULL;
    if (!is_bare(def)) {
        return sl_run_plot.draw(load, def, sink, run);
    }
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
