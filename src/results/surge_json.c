/* SPDX-License-Identifier: MIT */
/* surge_json.c: the grid of a surge model in JSON, in SI units, for `info`; see surge.h. */
#include "results/surge.h"

void sl_surge_json_grid_members(const sl_surge_outcome *r, sl_json *j) {
    const sl_surge_grid *g = &r->grid;
    static const char *const by[] = {"given", "reaches", "waves", "short", "rise", "cost"};
    sl_json_member_number(j, "dt_s", g->dt);
    sl_json_member_z(j, "dt_by", by[g->step_by]);
    sl_json_member_z(j, "dt_pipe", g->step_pipe >= 0 ? sl_network_link_id(r->net, g->step_pipe) : NULL);
    sl_json_member_int(j, "steps", g->n_step);
    sl_json_member_int(j, "points", g->n_point);
    sl_json_member_int(j, "cells", g->n_cell);
    sl_json_member_int(j, "rigid_pipes", g->n_rigid);
    sl_json_member_int(j, "state_bytes", (int64_t)g->state_bytes);
    sl_json_member_number(j, "estimate_s", g->seconds);
    sl_json_member_number(j, "distortion_max", g->distortion_max);
    sl_json_member_z(j, "distortion_pipe", g->worst_pipe >= 0 ? sl_network_link_id(r->net, g->worst_pipe) : NULL);
    sl_json_member_number(j, "start_residual_m", g->residual);
    sl_json_key(j, "pipes");
    sl_json_array(j);
    for (int32_t i = 0; i < g->n_pipe; i++) {
        const sl_surge_pipe *p = &g->pipes[i];
        sl_json_object(j);
        sl_json_inline(j);
        sl_json_member_z(j, "id", sl_network_link_id(r->net, i));
        sl_json_member_number(j, "length_m", p->length);
        sl_json_member_number(j, "wave_speed_m_per_s", p->wave_speed);
        sl_json_member_number(j, "wave_speed_used_m_per_s", p->wave_speed_used);
        sl_json_member_number(j, "distortion", p->distortion);
        sl_json_member_int(j, "reaches", p->n_reach);
        sl_json_member_number(j, "reach_m", p->reach);
        sl_json_member_number(j, "courant", p->courant);
        sl_json_member_number(j, "resistance", p->resistance);
        sl_json_member_bool(j, "rigid", p->rigid);
        sl_json_end(j);
    }
    sl_json_end(j);
}
