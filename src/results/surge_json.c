/* SPDX-License-Identifier: MIT */
/* surge_json.c: a whole surge run as one JSON object, in SI units; see surge.h. */
#include <math.h>
#include <string.h>

#include "results/surge.h"

static void number(sl_json *j, const char *key, double x) {
    sl_json_key(j, key);
    sl_json_number(j, x);
}

static void integer(sl_json *j, const char *key, int64_t x) {
    sl_json_key(j, key);
    sl_json_int(j, x);
}

static void text(sl_json *j, const char *key, const char *z) {
    sl_json_key(j, key);
    sl_json_z(j, z);
}

/* An array on one line; stride 1 unless it is a column of a table. */
static void numbers(sl_json *j, const char *key, const double *x, int64_t n, int64_t stride) {
    sl_json_key(j, key);
    sl_json_inline(j);
    sl_json_array(j);
    for (int64_t i = 0; i < n; i++) {
        sl_json_number(j, x[i * stride]);
    }
    sl_json_end(j);
}

void sl_surge_json_grid_members(const sl_surge_outcome *r, sl_json *j) {
    const sl_surge_grid *g = &r->grid;
    number(j, "dt_s", g->dt);
    integer(j, "steps", g->n_step);
    integer(j, "points", g->n_point);
    integer(j, "cells", g->n_cell);
    integer(j, "rigid_pipes", g->n_rigid);
    integer(j, "state_bytes", (int64_t)g->state_bytes);
    number(j, "estimate_s", g->seconds);
    number(j, "distortion_max", g->distortion_max);
    text(j, "distortion_pipe", g->worst_pipe >= 0 ? sl_network_link_id(r->net, g->worst_pipe) : NULL);
    number(j, "start_residual_m", g->residual);
    sl_json_key(j, "pipes");
    sl_json_array(j);
    for (int32_t i = 0; i < g->n_pipe; i++) {
        const sl_surge_pipe *p = &g->pipes[i];
        sl_json_object(j);
        sl_json_inline(j);
        text(j, "id", sl_network_link_id(r->net, i));
        number(j, "length_m", p->length);
        number(j, "wave_speed_m_per_s", p->wave_speed);
        number(j, "wave_speed_used_m_per_s", p->wave_speed_used);
        number(j, "distortion", p->distortion);
        integer(j, "reaches", p->n_reach);
        number(j, "reach_m", p->reach);
        number(j, "courant", p->courant);
        number(j, "resistance", p->resistance);
        sl_json_key(j, "rigid");
        sl_json_bool(j, p->rigid);
        sl_json_end(j);
    }
    sl_json_end(j);
}

static void put_nodes(const sl_surge_outcome *r, sl_json *j) {
    sl_json_key(j, "nodes");
    sl_json_array(j);
    for (int32_t i = 0; i < r->net->n_node; i++) {
        sl_json_object(j);
        sl_json_inline(j);
        text(j, "id", sl_network_node_id(r->net, i));
        number(j, "elevation_m", r->net->node_elevation[i]);
        number(j, "head_max_m", r->head_max ? r->head_max[i] : (double)NAN);
        number(j, "time_max_s", r->time_max ? r->time_max[i] : (double)NAN);
        number(j, "head_min_m", r->head_min ? r->head_min[i] : (double)NAN);
        number(j, "time_min_s", r->time_min ? r->time_min[i] : (double)NAN);
        number(j, "cavity_max_m3", r->cavity_max ? r->cavity_max[i] : 0.0);
        sl_json_end(j);
    }
    sl_json_end(j);
}

static void put_pipes(const sl_surge_outcome *r, sl_json *j) {
    const sl_surge_view *w = &r->view;
    const struct {
        const char *key;
        const double *x;
    } columns[] = {
        {"chainage_m", w->chainage},         {"elevation_m", w->elevation},     {"head_start_m", w->head_start},
        {"head_max_m", w->head_max},         {"time_max_s", w->time_max},       {"head_min_m", w->head_min},
        {"time_min_s", w->time_min},         {"vapour_head_m", w->vapour_head}, {"cavity_max_m3", w->cavity_max},
        {"cavity_first_s", w->cavity_first}, {"cavity_for_s", w->cavity_time},  {"collapses", w->cavity_count}};
    sl_json_key(j, "envelopes");
    sl_json_array(j);
    for (int32_t p = 0; p < r->net->n_pipe; p++) {
        int64_t first = w->point_start[p], n = w->point_start[p + 1] - first;
        sl_json_object(j);
        text(j, "pipe", sl_network_link_id(r->net, p));
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++) {
            if (columns[k].x) {
                numbers(j, columns[k].key, columns[k].x + first, n, 1);
            }
        }
        sl_json_end(j);
    }
    sl_json_end(j);
}

static void put_traces(const sl_surge_outcome *r, sl_json *j) {
    static const char *const units[SL_SURGE_UNIT_COUNT] = {"", "m", "m", "m3/s", "m3", "N m"};
    const sl_surge_traces *t = r->traces;
    sl_json_key(j, "traces");
    sl_json_object(j);
    numbers(j, "time_s", t->time.at, t->time.n, 1);
    sl_json_key(j, "values");
    sl_json_array(j);
    for (int64_t k = 0; k < t->list.n; k++) {
        sl_json_object(j);
        text(j, "id", t->list.at[k].id);
        text(j, "quantity", t->list.at[k].quantity);
        text(j, "unit", units[t->list.at[k].unit]);
        numbers(j, "x", t->x.at + k, t->time.n, t->list.n);
        sl_json_end(j);
    }
    sl_json_end(j);
    sl_json_end(j);
}

static void put_limits(const sl_surge_outcome *r, sl_json *j) {
    static const char *const words[SL_SURGE_BOUND_COUNT] = {"pressure_max_m", "pressure_min_m", "cavity_max_m3"};
    sl_json_key(j, "limits");
    sl_json_array(j);
    for (int32_t i = 0; i < r->study->n_limit; i++) {
        const sl_study_limit *l = &r->study->limits[i];
        const double allowed[] = {l->pressure_max, l->pressure_min, l->cavity_max};
        for (int b = 0; b < SL_SURGE_BOUND_COUNT; b++) {
            sl_surge_verdict v;
            if (!sl_surge_check_limit(r, l, (sl_surge_bound)b, &v)) {
                continue;
            }
            sl_json_object(j);
            sl_json_inline(j);
            text(j, "limit", words[b]);
            number(j, "allowed", allowed[b]);
            sl_json_key(j, "kept");
            sl_json_bool(j, v.kept);
            number(j, "worst", v.value);
            number(j, "time_s", v.time);
            text(j, "node", v.node >= 0 ? sl_network_node_id(r->net, v.node) : NULL);
            text(j, "pipe", v.pipe >= 0 ? sl_network_link_id(r->net, v.pipe) : NULL);
            number(j, "chainage_m", v.pipe >= 0 ? v.chainage : (double)NAN);
            sl_json_end(j);
        }
    }
    sl_json_end(j);
}

static void put_balance(const sl_surge_outcome *r, sl_json *j) {
    const sl_surge_balance *b = &r->view.balance;
    const struct {
        const char *key;
        double x;
    } rows[] = {{"inflow_m3", b->inflow},   {"outflow_m3", b->outflow},
                {"demand_m3", b->demand},   {"outlets_m3", b->outlets},
                {"tanks_m3", b->tanks},     {"spilled_m3", b->spilled},
                {"stored_m3", b->stored},   {"cavities_m3", b->cavities},
                {"clamped_m3", b->clamped}, {"error_m3", b->error},
                {"scale_m3", b->scale},     {"kinetic_J", b->kinetic},
                {"elastic_J", b->elastic},  {"energy_start_J", b->energy_start},
                {"work_J", b->work},        {"friction_J", b->friction}};
    sl_json_key(j, "balance");
    sl_json_object(j);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        number(j, rows[i].key, rows[i].x);
    }
    sl_json_end(j);
}

static void put_alarms(const sl_surge_outcome *r, sl_json *j) {
    sl_json_key(j, "alarms");
    sl_json_array(j);
    for (int i = 0; i < SL_SURGE_ALARM_COUNT; i++) {
        const sl_surge_alarm_state *a = &r->view.alarms[i];
        if (a->count == 0) {
            continue;
        }
        sl_json_object(j);
        text(j, "alarm", sl_surge_alarm_word((sl_surge_alarm)i));
        text(j, "meaning", sl_surge_alarm_meaning((sl_surge_alarm)i));
        integer(j, "steps", a->count);
        number(j, "first_s", a->first);
        number(j, "worst", a->worst);
        number(j, "time_s", a->time);
        text(j, "node", a->node >= 0 ? sl_network_node_id(r->net, a->node) : NULL);
        text(j, "pipe", a->pipe >= 0 ? sl_network_link_id(r->net, a->pipe) : NULL);
        number(j, "chainage_m", a->pipe >= 0 ? a->chainage : (double)NAN);
        sl_json_end(j);
    }
    sl_json_end(j);
}

/* What the run told on its way: where the column broke first, alarms. */
static void put_events(const sl_surge_outcome *r, sl_json *j) {
    const sl_diags *said = sl_session_diags(r->session);
    sl_json_key(j, "events");
    sl_json_array(j);
    for (int32_t i = 0; i < sl_diags_size(said); i++) {
        const sl_diag *d = sl_diags_at(said, i);
        sl_json_object(j);
        sl_json_inline(j);
        number(j, "time_s", d->time);
        text(j, "code", sl_code_word(d->code));
        text(j, "kind", d->object_kind);
        text(j, "id", d->object_id);
        text(j, "text", d->text);
        sl_json_end(j);
    }
    sl_json_end(j);
}

static void put_members(const sl_surge_outcome *r, sl_json *j) {
    text(j, "engine", "surge");
    text(j, "title", r->study->title);
    text(j, "friction", sl_surge_friction_word(r->study->def.friction));
    text(j, "cavitation", sl_surge_cavitation_word(r->study->def.cavitation));
    number(j, "start_s", r->study->def.start);
    number(j, "time_s", r->view.time);
    sl_json_key(j, "grid");
    sl_json_object(j);
    sl_surge_json_grid_members(r, j);
    sl_json_end(j);
    put_limits(r, j);
    put_alarms(r, j);
    put_events(r, j);
    put_balance(r, j);
    put_nodes(r, j);
    put_pipes(r, j);
    if (r->traces) {
        put_traces(r, j);
    }
}

sl_status sl_surge_json(const sl_surge_outcome *r, const sl_sink *sink) {
    sl_out *out = sl_alloc(r->ctx, sizeof *out);
    sl_json j;
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    sl_json_init(&j, out, 1);
    sl_json_object(&j);
    text(&j, "study", r->name);
    put_members(r, &j);
    sl_json_end(&j);
    sl_out_char(out, '\n');
    sl_status status = sl_out_flush(out);
    sl_free(r->ctx, out, sizeof *out);
    return status;
}
