/* SPDX-License-Identifier: MIT */
/* geo_json.c: results for maps as GeoJSON; see geo.h. A feature is one line. */

#include "base/out.h"
#include "results/geo.h"

typedef struct geo_json {
    sl_geo geo;
    sl_out out;
} geo_json;

static void put_position(const sl_geo *geo, int32_t group, int32_t element, sl_json *j) {
    double xy[4];
    int n = sl_geo_position(geo, group, element, xy);
    sl_json_key(j, "geometry");
    if (n == 0) {
        sl_json_null(j);
        return;
    }
    sl_json_object(j);
    sl_json_member_z(j, "type", n == 2 ? "LineString" : "Point");
    sl_json_key(j, "coordinates");
    if (n == 2) {
        sl_json_array(j);
    }
    for (int i = 0; i < n; i++) {
        sl_json_array(j);
        sl_json_number(j, xy[2 * i]);
        sl_json_number(j, xy[2 * i + 1]);
        sl_json_end(j);
    }
    if (n == 2) {
        sl_json_end(j);
    }
    sl_json_end(j);
}

/* False: out of memory. */
static bool put_group(sl_geo *geo, int32_t group, sl_json *j) {
    const sl_results_group *g = &geo->layout->groups[group];
    int32_t n = 0;
    const sl_geo_column *columns = sl_geo_columns(geo, group, &n);
    sl_geo_value *values = columns ? sl_arena_alloc(&geo->arena, (size_t)n * sizeof *values) : NULL;
    for (int32_t i = 0; i < g->n && values; i++) {
        sl_geo_values(geo, group, i, values);
        sl_json_object(j);
        sl_json_inline(j);
        sl_json_member_z(j, "type", "Feature");
        put_position(geo, group, i, j);
        sl_json_key(j, "properties");
        sl_json_object(j);
        sl_json_member_z(j, "element", g->name);
        for (int32_t k = 0; k < n; k++) {
            sl_json_key(j, columns[k].name);
            if (columns[k].text) {
                sl_json_z(j, values[k].text);
            } else {
                sl_json_number(j, values[k].number);
            }
        }
        sl_json_end(j);
        sl_json_end(j);
    }
    return values != NULL;
}

static sl_status end(void *self, const sl_results_end *end, sl_diags *diags) {
    geo_json *w = self;
    const sl_results_layout *l = w->geo.layout;
    sl_json j;
    (void)end;
    (void)diags;
    sl_out_init(&w->out, &w->geo.sink);
    sl_json_init(&j, &w->out, 1);
    sl_json_object(&j);
    sl_json_member_z(&j, "type", "FeatureCollection");
    sl_json_member_z(&j, "model", l->model);
    sl_json_member_int(&j, "frames", w->geo.n_frame);
    sl_json_member_number(&j, "from", w->geo.first);
    sl_json_member_number(&j, "until", w->geo.last);
    sl_json_key(&j, "features");
    sl_json_array(&j);
    bool fine = true;
    for (int32_t g = 0; g < l->n_group && fine; g++) {
        fine = !sl_geo_is_located(&w->geo, g) || put_group(&w->geo, g, &j);
    }
    sl_json_end(&j);
    sl_json_end(&j);
    sl_out_char(&w->out, '\n');
    sl_status status = sl_out_flush(&w->out);
    return fine ? status : SL_ERR_MEMORY;
}

static void destroy(void *self) {
    geo_json *w = self;
    sl_context *ctx = w->geo.ctx;
    sl_geo_fini(&w->geo);
    sl_free(ctx, w, sizeof *w);
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    geo_json *w = sl_alloc(ctx, sizeof *w);
    sl_status status = w ? sl_geo_init(&w->geo, ctx, target, layout, diags) : SL_ERR_MEMORY;
    if (w && status != SL_OK) {
        destroy(w);
    }
    *out = status == SL_OK ? w : NULL;
    return status;
}

const sl_results_format sl_format_geojson = {.ending = "geojson",
                                             .what = "results for maps (.geojson)",
                                             .create = create,
                                             .frame = sl_geo_frame,
                                             .end = end,
                                             .destroy = destroy};
