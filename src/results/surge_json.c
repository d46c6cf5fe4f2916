/* SPDX-License-Identifier: MIT */
/* surge_json.c: the grid of a surge model in JSON, in SI units, for `info`; see surge.h. */
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
