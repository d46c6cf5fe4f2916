/* out_prolog.c: the head of a .out file: counts, names, topology, dimensions.
 *
 * Elements stand in EPANET's order (node_rank, link_rank). As EPANET does it, a tank's area is in square feet whatever
 * the units are, a pump has no length and no diameter, a valve has no length. Where EPANET is silent about words it
 * writes "Chemical", "AGE" / "hrs" and "% from" twice, and so do we.
 */
#include <math.h>

#include "base/memory.h"
#include "results/out_write_impl.h"

static void put_words(sl_out_writer *w, const void *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char b[4];
        memcpy(b, (const unsigned char *)words + 4 * i, 4);
        sl_outfile_fix_words(b, 1);
        sl_out_bytes(&w->text, b, 4);
    }
}

static void put_int(sl_out_writer *w, int32_t x) {
    put_words(w, &x, 1);
}

static void put_float(sl_out_writer *w, double x) {
    float f = sl_outfile_float(x);
    put_words(w, &f, 1);
}

/* Text in a field of fixed width that ends in a NUL: cut between characters, filled up with NULs. */
static void put_text(sl_out_writer *w, const char *text, size_t width) {
    static const char filling[SL_OUTFILE_NAME] = {0};
    size_t n = text ? sl_outfile_kept(text, width) : 0;
    sl_out_bytes(&w->text, text, n);
    sl_out_bytes(&w->text, filling, width - n);
}

static int32_t whole(double seconds) {
    return seconds >= INT32_MAX ? INT32_MAX : seconds > 0.0 ? (int32_t)lround(seconds) : 0;
}

static void put_counts(sl_out_writer *w) {
    const sl_network *net = w->net;
    bool trace = net->quality.kind == SL_QUALITY_TRACE && net->quality.trace_node >= 0;
    const int32_t head[SL_OUTFILE_N_HEAD] = {
        SL_OUTFILE_MAGIC,
        SL_OUTFILE_VERSION,
        net->n_node,
        net->n_reservoir + net->n_tank,
        net->n_link,
        net->n_pump,
        net->n_valve,
        (int32_t)net->quality.kind,
        trace ? net->node_rank[net->quality.trace_node] + 1 : 0,
        (int32_t)w->units.flow,
        (int32_t)w->units.pressure,
        (int32_t)net->times.statistic,
        whole(w->report_start),
        whole(w->report_step),
        whole(w->duration),
    };
    put_words(w, head, SL_OUTFILE_N_HEAD);
}

static void put_names(sl_out_writer *w) {
    const sl_network *net = w->net;
    for (int i = 0; i < 3; i++) {
        put_text(w, i < net->n_title ? net->title[i] : "", SL_OUTFILE_TITLE);
    }
    put_text(w, w->def.input_name ? w->def.input_name : net->name, SL_OUTFILE_NAME);
    put_text(w, w->def.report_name, SL_OUTFILE_NAME);
    static const char *const words[][2] = {[SL_QUALITY_NONE] = {"Chemical", ""},
                                           [SL_QUALITY_AGE] = {"AGE", "hrs"},
                                           [SL_QUALITY_TRACE] = {"% from", "% from"}};
    bool chemical = net->quality.kind == SL_QUALITY_CHEMICAL;
    put_text(w, chemical ? net->quality.chemical : words[net->quality.kind][0], SL_OUTFILE_ID);
    put_text(w, chemical ? net->quality.mass_unit : words[net->quality.kind][1], SL_OUTFILE_ID);
}

/* Square feet. With a volume curve, the mean over the whole curve. */
static double tank_area(const sl_network *net, int32_t tank) {
    const double square_foot = SL_EPANET_FOOT * SL_EPANET_FOOT;
    int32_t curve = net->tank_curve[tank];
    if (curve >= 0) {
        int32_t a = net->curve_start[curve], b = net->curve_start[curve + 1] - 1;
        return (net->curve_y[b] - net->curve_y[a]) / (net->curve_x[b] - net->curve_x[a]) / square_foot;
    }
    return 3.14159265358979323846 / 4.0 * net->tank_diameter[tank] * net->tank_diameter[tank] / square_foot;
}

static double link_length(const sl_network *net, int32_t link) {
    return link < net->n_pipe ? net->pipe_length[link] : 0.0;
}

static double link_diameter(const sl_network *net, int32_t link) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return link < net->n_pipe ? net->pipe_diameter[link] : valve >= 0 ? net->valve_diameter[valve] : 0.0;
}

static int32_t link_type(const sl_network *net, int32_t link) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return link < net->n_pipe ? (net->pipe_check[link] ? 0 : 1) : valve >= 0 ? 3 + net->valve_kind[valve] : 2;
}

/* The element at each place of the file. */
static int32_t *by_rank(sl_context *ctx, const int32_t *rank, int32_t n) {
    int32_t *at = sl_alloc(ctx, (size_t)n * sizeof *at);
    for (int32_t i = 0; at && i < n; i++) {
        at[rank[i]] = i;
    }
    return at;
}

static void put_elements(sl_out_writer *w, const int32_t *node, const int32_t *link) {
    const sl_network *net = w->net;
    for (int32_t i = 0; i < net->n_node; i++) {
        put_text(w, sl_network_node_id(net, node[i]), SL_OUTFILE_ID);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        put_text(w, sl_network_link_id(net, link[i]), SL_OUTFILE_ID);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        put_int(w, net->node_rank[net->link_from[link[i]]] + 1);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        put_int(w, net->node_rank[net->link_to[link[i]]] + 1);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        put_int(w, link_type(net, link[i]));
    }
    for (int32_t i = net->n_junction; i < net->n_node; i++) { /* they come last in EPANET's order, too */
        put_int(w, i + 1);
    }
    for (int32_t i = net->n_junction; i < net->n_node; i++) {
        int32_t tank = node[i] - net->n_junction - net->n_reservoir;
        put_float(w, tank >= 0 ? tank_area(net, tank) : 0.0);
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        put_float(w, net->node_elevation[node[i]] / w->factor[SL_Q_LENGTH]);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        put_float(w, link_length(net, link[i]) / w->factor[SL_Q_LENGTH]);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        put_float(w, link_diameter(net, link[i]) / w->factor[SL_Q_DIAMETER]);
    }
}

sl_status sl_out_write_prolog(sl_out_writer *w) {
    const sl_network *net = w->net;
    int32_t *node = by_rank(w->ctx, net->node_rank, net->n_node);
    int32_t *link = by_rank(w->ctx, net->link_rank, net->n_link);
    sl_status status = (node || !net->n_node) && (link || !net->n_link) ? SL_OK : SL_ERR_MEMORY;
    if (status == SL_OK) {
        const sl_sink sink = {.user = w->sink->user, .write = w->sink->write};
        sl_out_init(&w->text, &sink);
        put_counts(w);
        put_names(w);
        put_elements(w, node, link);
        for (int32_t i = 0; i < net->n_pump; i++) { /* pumps are in EPANET's order among themselves */
            const float none[6] = {0};
            put_int(w, net->link_rank[net->n_pipe + i] + 1);
            put_words(w, none, 6);
        }
        put_float(w, 0.0);
        status = sl_out_flush(&w->text);
    }
    sl_free(w->ctx, node, (size_t)net->n_node * sizeof *node);
    sl_free(w->ctx, link, (size_t)net->n_link * sizeof *link);
    return status;
}
