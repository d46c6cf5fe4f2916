/* compile.c: from growing records to the immutable network: arrays by kind, final indices, resolved defaults.
 *
 * Nothing is judged here (that is validate.c); the only values that change are the ones EPANET itself adjusts
 * after reading: time steps that must divide each other, the default pattern, the required pressure.
 */
#include "base/context.h"
#include "network/build.h"
#include "network/epanet_units.h"
#include "network/network_impl.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct compiler {
    const sl_spec *s;
    sl_network_impl *impl;
    sl_network *net;
    bool oom;
    int32_t *node_final, *link_final; /* by handle */
    int32_t *curve_final;             /* by curve and kind */
} compiler;

static void *new_array(compiler *c, int64_t n, size_t elem) {
    void *p = sl_arena_alloc(&c->impl->arena, (size_t)n * elem);
    if (!p) {
        c->oom = true;
    }
    return p;
}
#define NEW(c, T, n) ((T *)new_array((c), (n), sizeof(T)))

static const char *copy_text(compiler *c, const char *z) {
    if (!z) {
        return NULL;
    }
    const char *p = sl_arena_copy(&c->impl->arena, sl_str_z(z));
    if (!p) {
        c->oom = true;
    }
    return p;
}

/* ---- Final indices ------------------------------------------------------------------------------ */

static void number_nodes(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    net->n_junction = (int32_t)s->junction.n;
    net->n_reservoir = (int32_t)s->reservoir.n;
    net->n_tank = (int32_t)s->tank.n;
    net->n_node = (int32_t)s->node.n;
    int32_t base[3] = {0, net->n_junction, net->n_junction + net->n_reservoir};
    int32_t *final = c->node_final = NEW(c, int32_t, s->node.n);
    int32_t *back = NEW(c, int32_t, s->node.n);
    int32_t *rank = NEW(c, int32_t, s->node.n);
    if (c->oom) {
        return;
    }
    bool same = true;
    int32_t n_fixed = 0;
    for (int32_t h = 0; h < net->n_node; h++) {
        const sl_node_rec *rec = &s->node.at[h];
        int32_t i = base[rec->kind] + rec->index;
        final[h] = i;
        back[i] = h;
        same = same && i == h;
        rank[i] = rec->kind == SL_JUNCTION ? i : net->n_junction + n_fixed++;
    }
    net->node_rank = rank;
    if (!same) {
        c->impl->node_at_id = final;
        c->impl->id_at_node = back;
    }
}

static void number_links(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    net->n_pipe = (int32_t)s->pipe.n;
    net->n_pump = (int32_t)s->pump.n;
    net->n_valve = (int32_t)s->valve.n;
    net->n_link = (int32_t)s->link.n;
    int32_t base[3] = {0, net->n_pipe, net->n_pipe + net->n_pump};
    int32_t *final = c->link_final = NEW(c, int32_t, s->link.n);
    int32_t *back = NEW(c, int32_t, s->link.n);
    if (c->oom) {
        return;
    }
    bool same = true;
    for (int32_t h = 0; h < net->n_link; h++) {
        int32_t i = base[s->link.at[h].kind] + s->link.at[h].index;
        final[h] = i;
        back[i] = h;
        same = same && i == h;
    }
    net->link_rank = back; /* links arrive in EPANET's order */
    if (!same) {
        c->impl->link_at_id = final;
        c->impl->id_at_link = back;
    }
}

/* A curve takes the kind of its use. Used in several ways, it appears once for each. */
static void number_curves(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = sl_ids_count(s->curve_ids);
    net->n_pattern = sl_ids_count(s->pattern_ids);
    net->n_curve_named = n;
    uint8_t *used = NEW(c, uint8_t, n + 1);
    int32_t *final = c->curve_final = NEW(c, int32_t, (int64_t)n *SL_CURVE_KIND_COUNT + 1);
    if (c->oom) {
        return;
    }
#define USE(curve, kind) ((curve) >= 0 ? (void)(used[curve] |= (uint8_t)(1u << (kind))) : (void)0)
    for (int64_t i = 0; i < s->tank.n; i++) {
        USE(s->tank.at[i].curve, SL_CURVE_VOLUME);
    }
    for (int64_t i = 0; i < s->pump.n; i++) {
        USE(s->pump.at[i].curve, SL_CURVE_PUMP);
        USE(s->pump.at[i].efficiency_curve, SL_CURVE_EFFICIENCY);
    }
    for (int64_t i = 0; i < s->valve.n; i++) {
        USE(s->valve.at[i].curve, s->valve.at[i].kind == SL_GPV ? SL_CURVE_HEADLOSS : SL_CURVE_VALVE);
    }
#undef USE
    int32_t total = n;
    for (int32_t i = 0; i < n; i++) {
        for (int k = 1, first = 1; k < SL_CURVE_KIND_COUNT; k++) {
            if (used[i] & (1u << k)) {
                total += !first;
                first = 0;
            }
        }
    }
    net->n_curve = total;
    uint8_t *kind = NEW(c, uint8_t, total + 1);
    int32_t *twin = NEW(c, int32_t, total - n + 1);
    if (c->oom) {
        return;
    }
    int32_t next = n;
    for (int32_t i = 0; i < n; i++) {
        int declared = s->curve_kind.at[i];
        int main_kind = declared;
        if (used[i] && !(used[i] & (1u << declared))) {
            for (main_kind = 1; !(used[i] & (1u << main_kind)); main_kind++) {
            }
        }
        kind[i] = (uint8_t)main_kind;
        final[i * SL_CURVE_KIND_COUNT + main_kind] = i;
        for (int k = 1; k < SL_CURVE_KIND_COUNT; k++) {
            if (k != main_kind && (used[i] & (1u << k))) {
                kind[next] = (uint8_t)k;
                twin[next - n] = i;
                final[i * SL_CURVE_KIND_COUNT + k] = next++;
            }
        }
    }
    net->curve_kind = kind;
    net->curve_twin = twin;
}

static int32_t curve_index(const compiler *c, int32_t curve, sl_curve_kind kind) {
    return curve < 0 ? -1 : c->curve_final[curve * SL_CURVE_KIND_COUNT + (int)kind];
}

static int32_t node_index(const compiler *c, int32_t handle) {
    return handle < 0 ? -1 : c->node_final[handle];
}

static int32_t link_index(const compiler *c, int32_t handle) {
    return handle < 0 ? -1 : c->link_final[handle];
}

/* ---- Tables with ranges ------------------------------------------------------------------------- */

/* Offsets from counts: start[i + 1] holds the count of i. */
static void sum_up(int32_t *start, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        start[i + 1] += start[i];
    }
}

static void compile_patterns(compiler *c) {
    const sl_spec *s = c->s;
    int32_t n = c->net->n_pattern;
    int32_t *start = NEW(c, int32_t, n + 1), *at = NEW(c, int32_t, n + 1);
    double *factor = NEW(c, double, s->factor.n);
    uint32_t *line = NEW(c, uint32_t, n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->factor.n; i++) {
        start[s->factor.at[i].pattern + 1]++;
    }
    sum_up(start, n);
    memcpy(at, start, (size_t)(n + 1) * sizeof *at);
    for (int64_t i = 0; i < s->factor.n; i++) {
        factor[at[s->factor.at[i].pattern]++] = s->factor.at[i].factor;
    }
    for (int32_t i = 0; i < n; i++) {
        line[i] = s->pattern_line.at[i];
    }
    c->net->pattern_start = start;
    c->net->pattern_factor = factor;
    c->net->pattern_line = line;
}

static void compile_curves(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t named = net->n_curve_named, n = net->n_curve;
    int32_t *start = NEW(c, int32_t, n + 1), *at = NEW(c, int32_t, n + 1);
    uint32_t *line = NEW(c, uint32_t, n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->point.n; i++) {
        start[s->point.at[i].owner + 1]++;
    }
    for (int32_t i = named; i < n; i++) {
        start[i + 1] = start[net->curve_twin[i - named] + 1];
    }
    sum_up(start, n);
    double *x = NEW(c, double, start[n]), *y = NEW(c, double, start[n]);
    if (c->oom) {
        return;
    }
    memcpy(at, start, (size_t)(n + 1) * sizeof *at);
    for (int64_t i = 0; i < s->point.n; i++) { /* numbers as given */
        const sl_point_rec *p = &s->point.at[i];
        x[at[p->owner]] = p->x;
        y[at[p->owner]++] = p->y;
    }
    for (int32_t i = n - 1; i >= 0; i--) { /* twins first: they copy numbers as given */
        int32_t from = i < named ? i : net->curve_twin[i - named];
        double fx = s->curve_fx[net->curve_kind[i]], fy = s->curve_fy[net->curve_kind[i]];
        for (int32_t k = 0; k < start[i + 1] - start[i]; k++) {
            x[start[i] + k] = x[start[from] + k] * fx;
            y[start[i] + k] = y[start[from] + k] * fy;
        }
        line[i] = s->curve_line.at[from];
    }
    net->curve_start = start;
    net->curve_x = x;
    net->curve_y = y;
    net->curve_line = line;
}

static void compile_demands(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = net->n_junction;
    int32_t *start = NEW(c, int32_t, n + 1), *at = NEW(c, int32_t, n + 1);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        start[i + 1] = !s->junction.at[i].replaced;
    }
    for (int64_t i = 0; i < s->demand.n; i++) {
        start[s->demand.at[i].junction + 1]++;
    }
    sum_up(start, n);
    memcpy(at, start, (size_t)(n + 1) * sizeof *at);
    int64_t n_note = 0;
    for (int64_t i = 0; i < s->demand.n; i++) {
        n_note += s->demand.at[i].category != NULL;
    }
    double *base = NEW(c, double, start[n]);
    int32_t *pattern = NEW(c, int32_t, start[n]);
    sl_note *note = NEW(c, sl_note, n_note);
    if (c->oom) {
        return;
    }
    for (int32_t i = 0; i < n; i++) {
        if (!s->junction.at[i].replaced) {
            base[at[i]] = s->junction.at[i].demand;
            pattern[at[i]++] = s->junction.at[i].pattern;
        }
    }
    net->n_demand_note = 0;
    for (int64_t i = 0; i < s->demand.n; i++) {
        const sl_demand_rec *d = &s->demand.at[i];
        int32_t k = at[d->junction]++;
        base[k] = d->base;
        pattern[k] = d->pattern;
        if (d->category) {
            note[net->n_demand_note++] = (sl_note){k, copy_text(c, d->category)};
        }
    }
    net->demand_start = start;
    net->demand_base = base;
    net->demand_pattern = pattern;
    net->demand_note = note;
    net->n_demand = start[n];
}

static void compile_vertices(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    if (!s->vertex.n) {
        return;
    }
    int32_t n = net->n_link;
    int32_t *start = NEW(c, int32_t, n + 1), *at = NEW(c, int32_t, n + 1);
    double *x = NEW(c, double, s->vertex.n), *y = NEW(c, double, s->vertex.n);
    if (c->oom) {
        return;
    }
    for (int64_t i = 0; i < s->vertex.n; i++) {
        start[c->link_final[s->vertex.at[i].owner] + 1]++;
    }
    sum_up(start, n);
    memcpy(at, start, (size_t)(n + 1) * sizeof *at);
    for (int64_t i = 0; i < s->vertex.n; i++) {
        int32_t k = at[c->link_final[s->vertex.at[i].owner]]++;
        x[k] = s->vertex.at[i].x;
        y[k] = s->vertex.at[i].y;
    }
    net->vertex_start = start;
    net->vertex_x = x;
    net->vertex_y = y;
}

/* ---- Objects ------------------------------------------------------------------------------------ */

static void compile_nodes(compiler *c) {
    const sl_spec *s = c->s;
    sl_network *net = c->net;
    int32_t n = net->n_node;
    double *elevation = NEW(c, double, n), *quality = NEW(c, double, n);
    double *x = NEW(c, double, n), *y = NEW(c, double, n);
    uint32_t *line = NEW(c, uint32_t, n);
    double *emitter = NEW(c, double, net->n_junction);
    int32_t *pattern = NEW(c, int32_t, net->n_reservoir);
    if (c->oom) {
        return;
    }
    bool placed = false;
    for (int32_t h = 0; h < n; h++) {
        const sl_node_rec *rec = &s->node.at[h];
        int32_t i = c->node_final[h];
        elevation[i] = rec->elevation;
        quality[i] = rec->quality;
        x[i] = rec->x;
        y[i] = rec->y;
        line[i] = rec->line;
        placed = placed || !isnan(rec->x);
    }
    for (int32_t i = 0; i < net->n_junction; i++) {
        emitter[i] = s->junction.at[i].emitter;
    }
    for (int32_t i = 0; i < net->n_reservoir; i++) {
        pattern[i] = s->reservoir.at[i];
    }
    net->node_elevation = elevation;
    net->node_quality = quality;
    net->node_x = placed ? x : NULL;
    net->node_y = placed ? y : NULL;
    net->node_line = line;
    net->emitter_coef = emitter;
    net->reservoir_pattern = pattern;
}

static void compile_tanks(compiler *c) {
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
        curve[i] = curve_index(c, t->curve, SL_CURVE_VOLUME);
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

static void compile_links(compiler *c) {
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

static void compile_pipes(compiler *c) {
    sl_network *net = c->net;
    int32_t n = net->n_pipe;
    bool leaks = false;
    for (int32_t i = 0; i < n; i++) {
        leaks = leaks || c->s->pipe.at[i].leak_area != 0.0 || c->s->pipe.at[i].leak_expansion != 0.0;
    }
    double *length = NEW(c, double, n), *diameter = NEW(c, double, n), *roughness = NEW(c, double, n);
    double *minor = NEW(c, double, n), *bulk = NEW(c, double, n), *wall = NEW(c, double, n);
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
        bulk[i] = p->bulk;
        wall[i] = p->wall;
        check[i] = p->check;
        if (leaks) {
            area[i] = p->leak_area;
            expansion[i] = p->leak_expansion;
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

static void compile_pumps(compiler *c) {
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
        curve[i] = curve_index(c, p->curve, SL_CURVE_PUMP);
        power[i] = p->curve >= 0 ? 0.0 : p->power; /* a head curve wins */
        speed[i] = p->speed;
        pattern[i] = p->pattern;
        efficiency[i] = curve_index(c, p->efficiency_curve, SL_CURVE_EFFICIENCY);
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

static void compile_valves(compiler *c) {
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
        curve[i] = curve_index(c, v->curve, v->kind == SL_GPV ? SL_CURVE_HEADLOSS : SL_CURVE_VALVE);
    }
    net->valve_kind = kind;
    net->valve_diameter = diameter;
    net->valve_setting = setting;
    net->valve_minor = minor;
    net->valve_curve = curve;
}
