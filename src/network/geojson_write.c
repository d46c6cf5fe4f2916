/* SPDX-License-Identifier: MIT */
/* geojson_write.c: the network as a GeoJSON FeatureCollection: nodes are points, links are lines through their
 * vertices. Coordinates are the file's own, whatever map they belong to: GeoJSON readers take them as longitude and
 * latitude unless told otherwise. */
#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "network/network_impl.h"
#include "network/words.h"
#include <sluice/network_io.h>

#include <math.h>

typedef struct writer {
    const sl_network *net;
    sl_json json;
    int64_t n_left_out;
} writer;

static void number(writer *w, const char *key, double x) {
    sl_json_key(&w->json, key);
    sl_json_number(&w->json, x);
}

static void text(writer *w, const char *key, const char *z) {
    sl_json_key(&w->json, key);
    sl_json_z(&w->json, z);
}

static void point(writer *w, double x, double y) {
    sl_json_array(&w->json);
    sl_json_number(&w->json, x);
    sl_json_number(&w->json, y);
    sl_json_end(&w->json);
}

static bool placed(const sl_network *net, int32_t node) {
    return net->node_x && !isnan(net->node_x[node]);
}

static void start_feature(writer *w, const char *geometry) {
    sl_json_object(&w->json);
    sl_json_inline(&w->json);
    text(w, "type", "Feature");
    sl_json_key(&w->json, "geometry");
    sl_json_object(&w->json);
    text(w, "type", geometry);
    sl_json_key(&w->json, "coordinates");
}

static void start_properties(writer *w, const char *id, const char *kind) {
    sl_json_end(&w->json); /* geometry */
    sl_json_key(&w->json, "properties");
    sl_json_object(&w->json);
    text(w, "id", id);
    text(w, "kind", kind);
}

static void end_feature(writer *w) {
    sl_json_end(&w->json);
    sl_json_end(&w->json);
}

static void write_node(writer *w, int32_t i) {
    const sl_network *net = w->net;
    if (!placed(net, i)) {
        w->n_left_out++;
        return;
    }
    sl_node_kind kind = sl_network_node_kind(net, i);
    start_feature(w, "Point");
    point(w, net->node_x[i], net->node_y[i]);
    start_properties(w, sl_network_node_id(net, i), sl_node_kind_words[kind]);
    number(w, kind == SL_RESERVOIR ? "head_m" : "elevation_m", net->node_elevation[i]);
    if (kind == SL_JUNCTION) {
        double demand = 0.0;
        for (int32_t k = net->demand_start[i]; k < net->demand_start[i + 1]; k++) {
            demand += net->demand_base[k];
        }
        number(w, "base_demand_m3_per_s", demand);
    } else if (kind == SL_TANK) {
        int32_t t = i - net->n_junction - net->n_reservoir;
        number(w, "level_init_m", net->tank_level_init[t]);
        number(w, "level_max_m", net->tank_level_max[t]);
        number(w, "diameter_m", net->tank_diameter[t]);
    }
    end_feature(w);
}

static void link_properties(writer *w, int32_t i) {
    const sl_network *net = w->net;
    text(w, "from", sl_network_node_id(net, net->link_from[i]));
    text(w, "to", sl_network_node_id(net, net->link_to[i]));
    int32_t pump = i - net->n_pipe, valve = pump - net->n_pump;
    if (pump < 0) {
        number(w, "length_m", net->pipe_length[i]);
        number(w, "diameter_m", net->pipe_diameter[i]);
        number(w, "roughness", net->pipe_roughness[i]);
        text(w, "status", net->pipe_check[i] ? "CV" : sl_status_words[net->link_status[i]]);
        return;
    }
    if (valve >= 0) {
        text(w, "type", sl_valve_words[net->valve_kind[valve]]);
        number(w, "diameter_m", net->valve_diameter[valve]);
        number(w, "setting", net->valve_setting[valve]);
    } else {
        number(w, "speed", net->pump_speed[pump]);
    }
    text(w, "status", sl_status_words[net->link_status[i]]);
}

static void write_link(writer *w, int32_t i) {
    const sl_network *net = w->net;
    int32_t a = net->link_from[i], b = net->link_to[i];
    if (!placed(net, a) || !placed(net, b)) {
        w->n_left_out++;
        return;
    }
    start_feature(w, "LineString");
    sl_json_array(&w->json);
    point(w, net->node_x[a], net->node_y[a]);
    for (int32_t k = net->vertex_start ? net->vertex_start[i] : 0; net->vertex_start && k < net->vertex_start[i + 1];
         k++) {
        point(w, net->vertex_x[k], net->vertex_y[k]);
    }
    point(w, net->node_x[b], net->node_y[b]);
    sl_json_end(&w->json);
    start_properties(w, sl_network_link_id(net, i), sl_link_kind_words[sl_network_link_kind(net, i)]);
    link_properties(w, i);
    end_feature(w);
}

sl_status sl_network_write_geojson(const sl_network *net, sl_diags *diags, const sl_sink *sink) {
    if (!net || !sink) {
        return SL_ERR_USE;
    }
    sl_context *ctx = sl_network_impl_of(net)->ctx;
    sl_out *out = sl_alloc(ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    writer w = {.net = net};
    sl_json_init(&w.json, out, 1);
    sl_json_object(&w.json);
    text(&w, "type", "FeatureCollection");
    sl_json_key(&w.json, "features");
    sl_json_array(&w.json);
    for (int32_t i = 0; i < net->n_node; i++) {
        write_node(&w, i);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        write_link(&w, i);
    }
    sl_json_end(&w.json);
    sl_json_end(&w.json);
    sl_out_char(out, '\n');
    sl_status status = sl_out_flush(out);
    sl_free(ctx, out, sizeof *out);
    if (w.n_left_out > 0) {
        sl_report(diags, SL_WARNING, SL_CODE_NO_COORDINATES, NULL, NULL, NULL, "add them to [COORDINATES]",
                  "%lld of %lld nodes and links have no coordinates and are left out", (long long)w.n_left_out,
                  (long long)net->n_node + net->n_link);
    }
    return status;
}
