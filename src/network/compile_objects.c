/* SPDX-License-Identifier: MIT */
/* compile_objects.c: the arrays of nodes and links, from their records. */
#include "network/compile.h"

#include <math.h>

static void compile_nodes(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = net->n_node;
    double *elevation = NEW(c, double, n), *quality = NEW(c, double, n);
    uint32_t *line = NEW(c, uint32_t, n);
    double *emitter = NEW(c, double, net->n_junction);
    int32_t *pattern = NEW(c, int32_t, net->n_reservoir);
    if (c->oom) {
        return;
    }
    for (int32_t h = 0; h < n; h++) {
        const sl_node_rec *rec = &s->node.at[h];
        int32_t i = c->node_final[h];
        elevation[i] = rec->elevation;
        quality[i] = rec->quality;
        line[i] = rec->line;
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        emitter[i] = s->junction.at[i].emitter;
    }
    for (int32_t i = 0; i < net->n_reservoir; i++) {
        pattern[i] = s->reservoir.at[i];
    }
    net->node_elevation = elevation;
    net->node_quality = quality;
    net->node_line = line;
    net->emitter_coef = emitter;
    net->reservoir_pattern = pattern;
}

static void compile_places(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    if (!s->place.n) {
        return;
    }
    double *x = NEW(c, double, net->n_node), *y = NEW(c, double, net->n_node);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        x[i] = y[i] = NAN;
    }
    for (int64_t k = 0; k < s->place.n; k++) {
        int32_t i = c->node_final[s->place.at[k].owner];
        x[i] = s->place.at[k].x;
        y[i] = s->place.at[k].y;
    }
    net->node_x = x;
    net->node_y = y;
}

static void compile_tanks(sl_compiler *c) {
    sl_network *net = c->net;
    int32_t n = net->n_tank;
    double *init = NEW(c, double, n), *min = NEW(c, double, n), *max = NEW(c, double, n), *diameter = NEW(c, double, n);
    double *volume = NEW(c, double, n), *fraction = NEW(c, double, n), *bulk = NEW(c, double, n);
    int32_t *curve = NEW(c, int32_t, n);
    uint8_t *overflow = NEW(c, uint8_t, n), *mixing = NEW(c, uint8_t, n);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        const sl_tank_rec *t = &c->s->tank.at[i];
        init[i] = t->level_init;
        min[i] = t->level_min;
        max[i] = t->level_max;
        diameter[i] = t->diameter;
        volume[i] = t->volume_min;
        fraction[i] = t->mix_fraction;
        bulk[i] = t->bulk;
        curve[i] = sl_compile_curve(c, t->curve, SL_CURVE_VOLUME);
        overflow[i] = t->overflow;
        mixing[i] = t->mixing;
    }
    net->tank_level_init = init;
    net->tank_level_min = min;
    net->tank_level_max = max;
    net->tank_diameter = diameter;
    net->tank_volume_min = volume;
    net->tank_mix_fraction = fraction;
    net->tank_bulk = bulk;
    net->tank_curve = curve;
    net->tank_overflow = overflow;
    net->tank_mixing = mixing;
}

static void compile_links(sl_compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = net->n_link;
    int32_t *from = NEW(c, int32_t, n), *to = NEW(c, int32_t, n);
    uint8_t *status = NEW(c, uint8_t, n);
    uint32_t *line = NEW(c, uint32_t, n);
    if (c->oom) {
        return;
    }
    for (int32_t h = 0; h < n; h++) {
        const sl_link_rec *rec = &s->link.at[h];
        int32_t i = c->link_final[h];
        from[i] = c->node_final[rec->from];
        to[i] = c->node_final[rec->to];
        status[i] = rec->status;
        line[i] = rec->line;
    }
    net->link_from = from;
    net->link_to = to;
    net->link_status = status;
    net->link_line = line;
}

static void compile_pipes(sl_compiler *c) {
    sl_network *net = c->net;
    int32_t n = net->n_pipe;
    bool leaks = false, reacts = false;
    const sl_pipe_extra none = {.bulk = NAN, .wall = NAN};
    for (int64_t i = 0; i < c->s->pipe_extra.n; i++) {
        reacts = reacts || !isnan(c->s->pipe_extra.at[i].bulk) || !isnan(c->s->pipe_extra.at[i].wall);
        leaks = leaks || c->s->pipe_extra.at[i].leak_area != 0.0 || c->s->pipe_extra.at[i].leak_expansion != 0.0;
    }
    double *length = NEW(c, double, n), *diameter = NEW(c, double, n), *roughness = NEW(c, double, n);
    double *minor = NEW(c, double, n), *bulk = reacts ? NEW(c, double, n) : NULL,
           *wall = reacts ? NEW(c, double, n) : NULL;
    double *area = leaks ? NEW(c, double, n) : NULL, *expansion = leaks ? NEW(c, double, n) : NULL;
    uint8_t *check = NEW(c, uint8_t, n);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        const sl_pipe_rec *p = &c->s->pipe.at[i];
        length[i] = p->length;
        diameter[i] = p->diameter;
        roughness[i] = p->roughness;
        minor[i] = p->minor;
        const sl_pipe_extra *extra = p->extra < 0 ? &none : &c->s->pipe_extra.at[p->extra];
        if (reacts) {
            bulk[i] = extra->bulk;
            wall[i] = extra->wall;
        }
        check[i] = p->check;
        if (leaks) {
            area[i] = extra->leak_area;
            expansion[i] = extra->leak_expansion;
        }
    }
    net->pipe_length = length;
    net->pipe_diameter = diameter;
    net->pipe_roughness = roughness;
    net->pipe_minor = minor;
    net->pipe_bulk = bulk;
    net->pipe_wall = wall;
    net->pipe_check = check;
    net->pipe_leak_area = area;
    net->pipe_leak_expansion = expansion;
}

static void compile_pumps(sl_compiler *c) {
    sl_network *net = c->net;
    int32_t n = net->n_pump;
    int32_t *curve = NEW(c, int32_t, n), *pattern = NEW(c, int32_t, n);
    int32_t *efficiency = NEW(c, int32_t, n), *price_pattern = NEW(c, int32_t, n);
    double *power = NEW(c, double, n), *speed = NEW(c, double, n), *price = NEW(c, double, n);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        const sl_pump_rec *p = &c->s->pump.at[i];
        curve[i] = sl_compile_curve(c, p->curve, SL_CURVE_PUMP);
        power[i] = p->curve >= 0 ? 0.0 : p->power; /* a head curve wins */
        speed[i] = p->speed;
        pattern[i] = p->pattern;
        efficiency[i] = sl_compile_curve(c, p->efficiency_curve, SL_CURVE_EFFICIENCY);
        price[i] = p->price;
        price_pattern[i] = p->price_pattern;
    }
    net->pump_curve = curve;
    net->pump_power = power;
    net->pump_speed = speed;
    net->pump_pattern = pattern;
    net->pump_efficiency_curve = efficiency;
    net->pump_price = price;
    net->pump_price_pattern = price_pattern;
}

static void compile_valves(sl_compiler *c) {
    sl_network *net = c->net;
    int32_t n = net->n_valve;
    double *diameter = NEW(c, double, n), *setting = NEW(c, double, n), *minor = NEW(c, double, n);
    int32_t *curve = NEW(c, int32_t, n);
    uint8_t *kind = NEW(c, uint8_t, n);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        const sl_valve_rec *v = &c->s->valve.at[i];
        kind[i] = v->kind;
        diameter[i] = v->diameter;
        setting[i] = v->setting;
        minor[i] = v->minor;
        curve[i] = sl_compile_curve(c, v->curve, v->kind == SL_GPV ? SL_CURVE_HEADLOSS : SL_CURVE_VALVE);
    }
    net->valve_kind = kind;
    net->valve_diameter = diameter;
    net->valve_setting = setting;
    net->valve_minor = minor;
    net->valve_curve = curve;
}

void sl_compile_objects(sl_compiler *c) {
    compile_nodes(c);
    compile_places(c);
    compile_tanks(c);
    compile_links(c);
    compile_pipes(c);
    compile_pumps(c);
    compile_valves(c);
}
