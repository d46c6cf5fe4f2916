/* SPDX-License-Identifier: MIT */
/* surge_csv.c: traces and envelopes as tables for spreadsheets, in the units of the network; see surge.h. */
#include <math.h>
#include <string.h>

#include "results/surge.h"

/* A text as a field; in quotes where it has to be. */
static void put_text(sl_out *out, const char *z) {
    if (!strpbrk(z, ",\"\n\r")) {
        sl_out_z(out, z);
        return;
    }
    sl_out_char(out, '"');
    for (; *z; z++) {
        sl_out_z(out, *z == '"' ? "\"" : "");
        sl_out_char(out, *z);
    }
    sl_out_char(out, '"');
}

static sl_display_unit unit_of(const sl_display_units *s, sl_surge_unit unit) {
    const sl_display_unit units[SL_SURGE_UNIT_COUNT] = {
        [SL_SURGE_UNIT_NONE] = {1.0, ""}, [SL_SURGE_UNIT_LENGTH] = s->length, [SL_SURGE_UNIT_PRESSURE] = s->pressure,
        [SL_SURGE_UNIT_FLOW] = s->flow,   [SL_SURGE_UNIT_VOLUME] = s->volume, [SL_SURGE_UNIT_TORQUE] = {1.0, "N m"},
    };
    return units[unit];
}

/* Empty where there is no number. */
static void put_number(sl_out *out, double x) {
    if (isfinite(x)) {
        sl_out_number(out, x);
    }
}

static void put_name(sl_out *out, const sl_surge_outcome *r, const sl_surge_trace *t) {
    char name[640];
    const char *unit = unit_of(&r->shown, t->unit).name;
    (void)sl_format(name, sizeof name, *unit ? "%.500s %s [%s]" : "%.500s %s", t->id, t->quantity, unit);
    put_text(out, name);
}

sl_status sl_surge_traces_csv(const sl_surge_outcome *r, const sl_sink *sink) {
    const sl_surge_traces *t = r->traces;
    sl_out *out = sl_alloc(r->ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    sl_out_z(out, "time [s]");
    for (int64_t k = 0; k < t->list.n; k++) {
        sl_out_char(out, ',');
        put_name(out, r, &t->list.at[k]);
    }
    sl_out_char(out, '\n');
    for (int64_t i = 0; i < t->time.n && out->status == SL_OK; i++) {
        sl_out_number(out, t->time.at[i]);
        for (int64_t k = 0; k < t->list.n; k++) {
            sl_out_char(out, ',');
            put_number(out, t->x.at[i * t->list.n + k] / unit_of(&r->shown, t->list.at[k].unit).factor);
        }
        sl_out_char(out, '\n');
    }
    sl_status status = sl_out_flush(out);
    sl_free(r->ctx, out, sizeof *out);
    return status;
}

/* ---- Envelopes ---------------------------------------------------------------------------------- */

static void put_point(sl_out *out, const sl_surge_outcome *r, int64_t i) {
    const sl_surge_view *w = &r->view;
    double l = r->shown.length.factor, v = r->shown.volume.factor;
    bool cavity = w->cavity_first && !isnan(w->cavity_first[i]);
    const double x[] = {w->chainage[i] / l,
                        w->elevation[i] / l,
                        w->head_start[i] / l,
                        w->head_max[i] / l,
                        w->time_max[i],
                        w->head_min[i] / l,
                        w->time_min[i],
                        w->vapour_head[i] / l,
                        cavity ? w->cavity_max[i] / v : 0.0,
                        cavity ? w->cavity_first[i] : (double)NAN,
                        cavity ? w->cavity_time[i] : 0.0,
                        cavity ? w->cavity_count[i] : 0.0};
    for (size_t k = 0; k < sizeof x / sizeof *x; k++) {
        sl_out_char(out, ',');
        put_number(out, x[k]);
    }
    sl_out_char(out, '\n');
}

static void put_head(sl_out *out, const sl_surge_outcome *r, bool route) {
    const char *l = r->shown.length.name, *v = r->shown.volume.name;
    if (route) {
        sl_out_printf(out, "distance [%s],", l);
    }
    sl_out_printf(out,
                  "pipe,chainage [%s],elevation [%s],start head [%s],highest head [%s],at [s],lowest head [%s],at [s],"
                  "vapour head [%s],largest cavity [%s],first cavity [s],cavity for [s],collapses\n",
                  l, l, l, l, l, l, v);
}

static sl_status put_route(sl_out *out, const sl_surge_outcome *r, const sl_study_route *route) {
    int64_t n = sl_surge_along(r, route, NULL, NULL);
    double *distance = sl_alloc(r->ctx, (size_t)(n + 1) * sizeof *distance);
    int64_t *point = sl_alloc(r->ctx, (size_t)(n + 1) * sizeof *point);
    bool fine = distance && point;
    int32_t pipe = 0;
    if (fine) {
        (void)sl_surge_along(r, route, distance, point);
    }
    for (int64_t i = 0; fine && i < n; i++) {
        while (point[i] < r->view.point_start[pipe] || point[i] >= r->view.point_start[pipe + 1]) {
            pipe = (pipe + 1) % r->net->n_pipe;
        }
        sl_out_number(out, distance[i] / r->shown.length.factor);
        sl_out_char(out, ',');
        put_text(out, sl_network_link_id(r->net, pipe));
        put_point(out, r, point[i]);
    }
    sl_free(r->ctx, distance, (size_t)(n + 1) * sizeof *distance);
    sl_free(r->ctx, point, (size_t)(n + 1) * sizeof *point);
    return fine ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_surge_envelope_csv(const sl_surge_outcome *r, const sl_study_route *route, const sl_sink *sink) {
    sl_out *out = sl_alloc(r->ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    put_head(out, r, route != NULL);
    sl_status status = route ? put_route(out, r, route) : SL_OK;
    for (int32_t p = 0; !route && p < r->net->n_pipe; p++) {
        for (int64_t i = r->view.point_start[p]; i < r->view.point_start[p + 1]; i++) {
            put_text(out, sl_network_link_id(r->net, p));
            put_point(out, r, i);
        }
    }
    sl_status flushed = sl_out_flush(out);
    sl_free(r->ctx, out, sizeof *out);
    return status == SL_OK ? flushed : status;
}
