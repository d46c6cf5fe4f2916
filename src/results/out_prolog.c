/* SPDX-License-Identifier: MIT */
/* out_prolog.c: the head of a .out file: counts, names, topology, dimensions.
 *
 * Elements stand in EPANET's order (node_rank, link_rank). As EPANET does it, a tank's area is in square feet whatever
 * the units are, a pump has no length and no diameter, a valve has no length. Where EPANET is silent about words it
 * writes "Chemical", "AGE" / "hrs" and "% from" twice, and so do we.
 */
#include <math.h>

#include "base/bytes.h"
#include "network/network_impl.h"
#include "results/out_write_impl.h"

static void put_words(sl_out_writer *w, const void *words, size_t n) {
    void *at = sl_out_reserve(w, 4 * n);
    memcpy(at, words, 4 * n);
    sl_outfile_fix_words(at, n);
}

static void put_int(sl_out_writer *w, int32_t x) {
    put_words(w, &x, 1);
}

static void put_float(sl_out_writer *w, double x) {
    float f = sl_outfile_float(x);
    put_words(w, &f, 1);
}

/* Text in a field of fixed width that ends in a NUL: cut between characters, filled up with NULs. */
static inline void put_text(sl_out_writer *w, const char *text, size_t width) {
    size_t n = text ? sl_outfile_text_bytes(text, width) : 0;
    char *at = sl_out_reserve(w, width);
    memset(at, 0, width);
    if (n > 0) {
        memcpy(at, text, n);
    }
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

static int32_t link_type(const sl_network *net, int32_t link) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return link < net->n_pipe ? (net->pipe_check[link] ? 0 : 1) : valve >= 0 ? 3 + net->valve_kind[valve] : 2;
}

/* ---- Columns of elements, in the file's order ----------------------------------------------------
 *
 * A run at a time, each column in a loop of its own. */

enum { RUN_MAX = SL_OUT_LEAST_BLOCK / SL_OUTFILE_ID }; /* elements of a run whose ids fit into a block */

static inline char *set_int(char *at, int32_t x) {
    memcpy(at, &x, 4);
    sl_outfile_fix_words(at, 1);
    return at + 4;
}

/* x / unit of n elements; zeros where x is NULL. */
static void put_scaled(sl_out_writer *w, const double *x, int32_t n, double unit) {
    float *at = sl_out_reserve(w, 4 * (size_t)n);
    if (!x) {
        memset(at, 0, 4 * (size_t)n);
        return;
    }
#pragma omp simd
    for (int32_t i = 0; i < n; i++) {
        at[i] = sl_outfile_float(x[i] / unit);
    }
    sl_outfile_fix_words(at, (size_t)n);
}

/* As put_text, for ids that are not short. */
static void set_long_id(sl_out_writer *w, char *at, sl_str id) {
    memset(at, 0, SL_OUTFILE_ID);
    if (id.len >= SL_OUTFILE_ID) {
        memcpy(at, id.ptr, sl_outfile_text_bytes(id.ptr, SL_OUTFILE_ID));
        w->long_id = w->n_long_id++ == 0 ? id.ptr : w->long_id;
        return;
    }
    for (size_t i = 0; i < id.len; i += 8) {
        size_t n = id.len - i;
        sl_store8(at + i, n >= 8 ? sl_load8(id.ptr + i) : sl_load_up_to_8(id.ptr + i, n));
    }
}

/* The same; ids are short and many. first: the first text of those that stand in memory one behind the other. The word is
 * read that ends with the id, as long as there is enough before it: whatever the length, there is no branch to be guessed. */
static inline void set_id(sl_out_writer *w, char *at, sl_str id, const char *first) {
    if (id.len - 1 >= 8 || id.ptr - first < 8) {
        set_long_id(w, at, id);
        return;
    }
    sl_store8(at, sl_load8(id.ptr + id.len - 8) >> (64 - 8 * id.len));
    memset(at + 8, 0, SL_OUTFILE_ID - 8);
}

static void put_node_ids(sl_out_writer *w, int32_t first, int32_t end) {
    const char *begin = sl_ids_text(sl_network_impl_of(w->net)->node_ids, 0).ptr;
    char *at = sl_out_reserve(w, SL_OUTFILE_ID * (size_t)(end - first));
    for (int32_t node = first; node < end; node++, at += SL_OUTFILE_ID) {
        set_id(w, at, sl_network_node_text(w->net, node), begin);
    }
}

static void put_link_ids(sl_out_writer *w, int32_t first, int32_t end) {
    const char *begin = sl_ids_text(sl_network_impl_of(w->net)->link_ids, 0).ptr;
    char *at = sl_out_reserve(w, SL_OUTFILE_ID * (size_t)(end - first));
    for (int32_t link = first; link < end; link++, at += SL_OUTFILE_ID) {
        set_id(w, at, sl_network_link_text(w->net, link), begin);
    }
}

static void put_from(sl_out_writer *w, int32_t first, int32_t end) {
    char *at = sl_out_reserve(w, 4 * (size_t)(end - first));
    for (int32_t link = first; link < end; link++) {
        at = set_int(at, w->net->node_rank[w->net->link_from[link]] + 1);
    }
}

static void put_to(sl_out_writer *w, int32_t first, int32_t end) {
    char *at = sl_out_reserve(w, 4 * (size_t)(end - first));
    for (int32_t link = first; link < end; link++) {
        at = set_int(at, w->net->node_rank[w->net->link_to[link]] + 1);
    }
}

static void put_types(sl_out_writer *w, int32_t first, int32_t end) {
    char *at = sl_out_reserve(w, 4 * (size_t)(end - first));
    for (int32_t link = first; link < end; link++) {
        at = set_int(at, link_type(w->net, link));
    }
}

/* Reservoirs and tanks come last in EPANET's order, too. */
static void put_fixed(sl_out_writer *w, int32_t first, int32_t end) {
    for (int32_t node = first; node < end && first >= w->net->n_junction; node++) {
        put_int(w, w->net->node_rank[node] + 1);
    }
}

static void put_areas(sl_out_writer *w, int32_t first, int32_t end) {
    for (int32_t node = first; node < end && first >= w->net->n_junction; node++) {
        int32_t tank = node - w->net->n_junction - w->net->n_reservoir;
        put_float(w, tank >= 0 ? tank_area(w->net, tank) : 0.0);
    }
}

static void put_elevations(sl_out_writer *w, int32_t first, int32_t end) {
    put_scaled(w, w->net->node_elevation + first, end - first, w->values.factor[SL_Q_LENGTH]);
}

static void put_lengths(sl_out_writer *w, int32_t first, int32_t end) {
    const double *length = first < w->net->n_pipe ? w->net->pipe_length + first : NULL;
    put_scaled(w, length, end - first, w->values.factor[SL_Q_LENGTH]);
}

static void put_diameters(sl_out_writer *w, int32_t first, int32_t end) {
    const sl_network *net = w->net;
    int32_t valve = first - net->n_pipe - net->n_pump;
    const double *diameter = first < net->n_pipe ? net->pipe_diameter + first
                             : valve >= 0        ? net->valve_diameter + valve
                                                 : NULL;
    put_scaled(w, diameter, end - first, w->values.factor[SL_Q_DIAMETER]);
}

static void put_elements(sl_out_writer *w) {
    static const struct {
        void (*put)(sl_out_writer *w, int32_t first, int32_t end); /* elements of one kind, first to end - 1 */
        bool of_nodes;
    } columns[] = {{put_node_ids, true}, {put_link_ids, false}, {put_from, false}, {put_to, false},
                   {put_types, false},   {put_fixed, true},     {put_areas, true}, {put_elevations, true},
                   {put_lengths, false}, {put_diameters, false}};
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        const sl_out_order *order = columns[c].of_nodes ? &w->nodes : &w->links;
        for (int32_t k = 0; k < order->n; k++) {
            int32_t first = order->at[k].first, end = first + order->at[k].n;
            for (int32_t i = first; i < end; i += RUN_MAX) {
                columns[c].put(w, i, end - i < RUN_MAX ? end : i + RUN_MAX);
            }
        }
    }
}

void sl_out_write_prolog(sl_out_writer *w) {
    const sl_network *net = w->net;
    put_counts(w);
    put_names(w);
    put_elements(w);
    for (int32_t i = 0; i < net->n_pump; i++) { /* pumps are in EPANET's order among themselves */
        const float none[6] = {0};
        put_int(w, net->link_rank[net->n_pipe + i] + 1);
        put_words(w, none, 6);
    }
    put_float(w, 0.0);
}
