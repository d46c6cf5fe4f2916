/* SPDX-License-Identifier: MIT */
/* network.c: building and checking; see network.h. */
#include "tunnel/network.h"

#include "base/out.h"
#include "numeric/lookup.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 400 };

double sl_tunnel_series_at(const sl_tunnel_series *s, double t) {
    sl_lookup_table table = {.n = s->n, .x = s->t, .y = s->value, .beyond = SL_TABLE_CONSTANT};
    return s->n > 0 ? sl_table_value(&table, t) : 0.0;
}

double sl_tunnel_reservoir_level(const sl_tunnel_valve *valve, double water) {
    const sl_tunnel_series *s = &valve->storage;
    const sl_lookup_table table = {.n = s->n, .x = s->t, .y = s->value, .beyond = SL_TABLE_EXTEND};
    return s->n > 0 ? sl_table_value(&table, water) : valve->bottom + water / valve->area;
}

double sl_tunnel_reservoir_water(const sl_tunnel_valve *valve, double level) {
    const sl_tunnel_series *s = &valve->storage;
    const sl_lookup_table table = {.n = s->n, .x = s->value, .y = s->t, .beyond = SL_TABLE_EXTEND};
    return s->n > 0 ? sl_table_value(&table, level) : valve->area * (level - valve->bottom);
}

double sl_tunnel_reservoir_area(const sl_tunnel_valve *valve, double water) {
    const sl_tunnel_series *s = &valve->storage;
    const sl_lookup_table table = {.n = s->n, .x = s->t, .y = s->value, .beyond = SL_TABLE_EXTEND};
    return s->n > 0 ? 1.0 / sl_table_slope(&table, water) : valve->area;
}

#define VISCOSITY 1.1e-6 /* of water at 16 C [m2/s] */

double sl_tunnel_friction(double roughness, double diameter, double velocity) {
    double reynolds = fmax(velocity * diameter / VISCOSITY, 5000.0);
    double x = log10(roughness / (3.7 * diameter) + 5.74 / pow(reynolds, 0.9));
    return 0.25 / (x * x);
}

bool sl_tunnel_find_gate(const sl_ids *valves, const sl_ids *pipes, sl_str name, sl_tunnel_move *out) {
    out->valve = sl_ids_find(valves, name);
    bool from = name.len > 5 && memcmp(name.ptr + name.len - 5, ".from", 5) == 0;
    bool to = name.len > 3 && memcmp(name.ptr + name.len - 3, ".to", 3) == 0;
    int32_t pipe = from || to ? sl_ids_find(pipes, (sl_str){name.ptr, name.len - (from ? 5u : 3u)}) : -1;
    out->end = out->valve < 0 && pipe >= 0 ? 2 * pipe + to : -1;
    return out->valve >= 0 || pipe >= 0;
}

sl_tunnel_network *sl_tunnel_network_create(sl_context *ctx, int32_t n_valve, int32_t n_pipe) {
    sl_tunnel_network *net = sl_alloc(ctx, sizeof *net);
    if (!net) {
        return NULL;
    }
    net->ctx = ctx;
    sl_arena_init(&net->arena, ctx);
    net->valve_ids = sl_ids_create(ctx);
    net->pipe_ids = sl_ids_create(ctx);
    net->valves = sl_arena_alloc(&net->arena, (size_t)n_valve * sizeof *net->valves);
    net->pipes = sl_arena_alloc(&net->arena, (size_t)n_pipe * sizeof *net->pipes);
    if (!net->valve_ids || !net->pipe_ids || !net->valves || !net->pipes) {
        sl_tunnel_network_destroy(net);
        return NULL;
    }
    return net;
}

void sl_tunnel_network_destroy(sl_tunnel_network *net) {
    if (net) {
        sl_ids_destroy(net->valve_ids);
        sl_ids_destroy(net->pipe_ids);
        sl_arena_fini(&net->arena);
        sl_free(net->ctx, net, sizeof *net);
    }
}

double sl_tunnel_series_integral(const sl_tunnel_series *s, double t) {
    if (s->n <= 1) {
        return s->n == 1 ? s->value[0] * t : 0.0;
    }
    int32_t k = sl_points_find(s->n, s->t, t), at = k > 0 ? k : 0;
    return s->sum[at] + 0.5 * (t - s->t[at]) * (s->value[at] + sl_tunnel_series_at(s, t));
}

/* Integrals from 0 to the points: first from the first point, then moved by what is up to 0. */
static bool sum_series(sl_tunnel_network *net, sl_tunnel_series *s) {
    if (s->n <= 1) {
        return true;
    }
    double *sum = sl_arena_alloc(&net->arena, (size_t)s->n * sizeof *sum);
    if (!sum) {
        return false;
    }
    s->sum = sum;
    for (int32_t k = 1; k < s->n; k++) {
        sum[k] = sum[k - 1] + 0.5 * (s->t[k] - s->t[k - 1]) * (s->value[k] + s->value[k - 1]);
    }
    double begin = sl_tunnel_series_integral(s, 0.0);
    for (int32_t k = 0; k < s->n; k++) {
        sum[k] -= begin;
    }
    return true;
}

/* ---- Checks ------------------------------------------------------------------------------------- */

typedef struct checker {
    sl_tunnel_network *net;
    sl_tunnel_complain complain;
    void *user;
    int32_t n_error;
} checker;

static void complain(checker *c, bool pipe, int32_t index, sl_code code, const char *hint, const char *text) {
    c->n_error++;
    c->complain(c->user, pipe, index, code, hint, text);
}

static bool is_at_least(double value, double least) {
    return isfinite(value) && value >= least;
}

static void check_valve(checker *c, int32_t v) {
    const sl_tunnel_valve *valve = &c->net->valves[v];
    if (!isfinite(valve->elevation)) {
        complain(c, false, v, SL_CODE_VALUE_RANGE, NULL, "the elevation is not a finite number");
    }
    if (!is_at_least(valve->suction, 0.0) || !is_at_least(valve->hysteresis, 0.0)) {
        complain(c, false, v, SL_CODE_VALUE_RANGE, NULL, "suction and hysteresis cannot be negative");
    }
    if (valve->tub != SL_TUB_RESERVOIR) {
        return;
    }
    const sl_tunnel_series *s = &valve->storage;
    for (int32_t k = 1; k < s->n; k++) {
        if (!(s->t[k] > s->t[k - 1] && s->value[k] > s->value[k - 1])) {
            complain(c, false, v, SL_CODE_CURVE_SHAPE, "put the points in order",
                     "the levels and volumes of the storage curve must rise");
            break;
        }
    }
    if (s->n > 0 && (s->n < 2 || s->t[0] != 0.0)) {
        complain(c, false, v, SL_CODE_CURVE_SHAPE, "begin with the bottom and 0 m3",
                 "a storage curve has two or more points, the first without water");
    }
    if (s->n == 0 && !(is_at_least(valve->area, 0.0) && valve->area > 0.0)) {
        complain(c, false, v, SL_CODE_VALUE_RANGE, NULL, "the area of a reservoir must be above 0");
    }
    if (!(valve->level >= valve->bottom)) {
        complain(c, false, v, SL_CODE_VALUE_RANGE, "raise the level, or lower the bottom",
                 "the level of the reservoir is below its bottom");
    }
    if (valve->bottom > valve->elevation) {
        complain(c, false, v, SL_CODE_VALUE_RANGE, "lower the bottom to the sill, or raise the sill",
                 "the bottom of the reservoir is above the sill: it would give water that it does not have");
    }
    int32_t to = valve->target;
    for (int32_t k = 0; k < c->net->n_valve && to >= 0 && to != v; k++) {
        to = c->net->valves[to].target;
    }
    if (to >= 0) {
        complain(c, false, v, SL_CODE_CONFLICT, "let one of them flood to nowhere",
                 "what floods comes back in a circle");
    } else if (valve->target >= 0 && c->net->valves[valve->target].tub != SL_TUB_RESERVOIR) {
        complain(c, false, v, SL_CODE_WRONG_KIND, "name a valve with a reservoir or an inlet, or leave `to` out",
                 "there is no reservoir where the flood is to go");
    }
    if (valve->rim < valve->level || valve->rim <= valve->elevation) {
        complain(c, false, v, SL_CODE_VALUE_RANGE, "raise the rim",
                 "the rim must be above the sill and not below the level");
    }
}

static void check_pipe(checker *c, int32_t i) {
    const sl_tunnel_pipe *p = &c->net->pipes[i];
    if (!(p->length > 0.0 && p->area > 0.0 && p->diameter > 0.0) || !isfinite(p->length * p->area * p->diameter)) {
        complain(c, true, i, SL_CODE_VALUE_RANGE, NULL, "length and area must be above 0");
    } else if (fabs(p->ends[1].elevation - p->ends[0].elevation) > p->length) {
        complain(c, true, i, SL_CODE_VALUE_RANGE, "make it longer, or correct the elevations",
                 "the ends differ in elevation by more than the length");
    }
    if (!(p->added_length > 0.0) || !isfinite(p->added_length)) {
        complain(c, true, i, SL_CODE_VALUE_RANGE, NULL,
                 "the added length must be above 0: a column without mass cannot move");
    }
    if (!is_at_least(p->friction, 0.0)) {
        complain(c, true, i, SL_CODE_VALUE_RANGE, NULL, "the friction factor cannot be negative");
    }
    for (int j = 0; j < 2; j++) {
        if (!is_at_least(p->ends[j].in, 0.0) || !is_at_least(p->ends[j].out, 0.0)) {
            complain(c, true, i, SL_CODE_VALUE_RANGE, NULL, "local losses cannot be negative");
        }
    }
    if (p->ends[0].valve == p->ends[1].valve) {
        complain(c, true, i, SL_CODE_SELF_LOOP, "lead it to another valve", "both ends are at the same valve");
    }
}

/* Ends of pipes by valve. */
static bool find_incidence(sl_tunnel_network *net) {
    net->start = sl_arena_alloc(&net->arena, (size_t)(net->n_valve + 2) * sizeof *net->start);
    net->ends = sl_arena_alloc(&net->arena, (size_t)(2 * net->n_pipe + 1) * sizeof *net->ends);
    if (!net->start || !net->ends) {
        return false;
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        net->start[net->pipes[e / 2].ends[e % 2].valve + 2]++;
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        int32_t n = net->start[v + 2];
        net->max_degree = n > net->max_degree ? n : net->max_degree;
        net->start[v + 2] += net->start[v + 1];
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        net->ends[net->start[net->pipes[e / 2].ends[e % 2].valve + 1]++] = e;
    }
    return true;
}

/* Valves by their targets. */
static bool find_sources(sl_tunnel_network *net) {
    int32_t n = net->n_valve;
    net->source_start = sl_arena_alloc(&net->arena, (size_t)(n + 2) * sizeof *net->source_start);
    net->sources = sl_arena_alloc(&net->arena, (size_t)(n + 1) * sizeof *net->sources);
    if (!net->source_start || !net->sources) {
        return false;
    }
    for (int32_t v = 0; v < n; v++) {
        if (net->valves[v].target >= 0) {
            net->source_start[net->valves[v].target + 2]++;
        }
    }
    for (int32_t v = 0; v < n; v++) {
        net->source_start[v + 2] += net->source_start[v + 1];
    }
    for (int32_t v = 0; v < n; v++) {
        if (net->valves[v].target >= 0) {
            net->sources[net->source_start[net->valves[v].target + 1]++] = v;
        }
    }
    return true;
}

/* Names a loop: from v upstream within what no order could be found for. */
static void name_loop(checker *c, const int32_t *n_in, int32_t v, int32_t *next) {
    const sl_tunnel_network *net = c->net;
    char text[TEXT];
    int32_t n = 0;
    for (int32_t step = 0; step <= net->n_valve; step++) { /* after so many steps v is on a loop */
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            int32_t e = net->ends[k], from = net->pipes[e / 2].ends[0].valve;
            if (e % 2 == 1 && from != v && n_in[from] > 0) {
                next[v] = e / 2;
                break;
            }
        }
        v = net->pipes[next[v]].ends[0].valve;
    }
    int32_t first = v, pipe = next[v];
    n += sl_format(text, sizeof text, "tunnels lead in a circle:");
    do {
        if (n < TEXT - 80) {
            n += sl_format(text + n, sizeof text - (size_t)n, " '%.60s'", sl_tunnel_pipe_id(net, next[v]));
        }
        v = net->pipes[next[v]].ends[0].valve;
    } while (v != first);
    complain(c, true, pipe, SL_CODE_CONFLICT,
             "swap `from` and `to` of one of them: tunnels point from the higher to the lower end", text);
}

static bool check_acyclic(checker *c) {
    sl_tunnel_network *net = c->net;
    int32_t n = net->n_valve, n_done = 0;
    int32_t *n_in = sl_alloc(net->ctx, (size_t)(3 * n + 1) * sizeof *n_in), *stack = n_in + n, *next = stack + n;
    int32_t n_stack = 0;
    if (!n_in) {
        return false;
    }
    for (int32_t i = 0; i < net->n_pipe; i++) { /* one from a valve to itself has been reported */
        n_in[net->pipes[i].ends[1].valve] += net->pipes[i].ends[0].valve != net->pipes[i].ends[1].valve;
    }
    for (int32_t v = 0; v < n; v++) {
        if (n_in[v] == 0) {
            stack[n_stack++] = v;
        }
    }
    while (n_stack > 0) {
        int32_t v = stack[--n_stack];
        n_done++;
        for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
            int32_t e = net->ends[k], to = net->pipes[e / 2].ends[1].valve;
            if (e % 2 == 0 && to != v && --n_in[to] == 0) {
                stack[n_stack++] = to;
            }
        }
    }
    for (int32_t v = 0; v < n && n_done < n; v++) {
        if (n_in[v] > 0) {
            name_loop(c, n_in, v, next);
            break;
        }
    }
    sl_free(net->ctx, n_in, (size_t)(3 * n + 1) * sizeof *n_in);
    return true;
}

static void check_connected(checker *c) {
    for (int32_t v = 0; v < c->net->n_valve; v++) {
        if (c->net->start[v] == c->net->start[v + 1]) {
            complain(c, false, v, SL_CODE_UNCONNECTED, "lead a tunnel to it, or leave it out",
                     "no tunnel leads to the valve");
        }
    }
}

static void check_water(checker *c, int32_t k) {
    const sl_tunnel_water *w = &c->net->waters[k];
    const sl_tunnel_pipe *p = &c->net->pipes[w->pipe];
    double capacity = p->length * p->area, volume = w->volume;
    char text[TEXT];
    for (int32_t i = 0; i < k; i++) {
        const sl_tunnel_water *other = &c->net->waters[i];
        if (other->pipe == w->pipe && (other->side == w->side || other->side < 0 || w->side < 0)) {
            complain(c, true, w->pipe, SL_CODE_CONFLICT, "name it once", "the water at the start is given twice");
        }
        volume += other->pipe == w->pipe ? other->volume : 0.0;
    }
    if (w->side >= 0 && !(w->volume > 0.0 && volume < capacity)) {
        (void)sl_format(text, sizeof text,
                        "%.6g m3 at the start: above 0 and less than the %.6g m3 that it holds are possible", volume,
                        capacity);
        complain(c, true, w->pipe, SL_CODE_VALUE_RANGE, "write `full` for a full tunnel", text);
    }
}

/* ---- Times -------------------------------------------------------------------------------------- */

static int by_time(const void *a, const void *b) {
    double x = ((const sl_tunnel_move *)a)->t, y = ((const sl_tunnel_move *)b)->t;
    return (x > y) - (x < y);
}

int32_t sl_tunnel_next_move(const sl_tunnel_network *net, double t) {
    int32_t low = 0, high = net->n_move;
    while (low < high) {
        int32_t middle = (low + high) / 2;
        if (net->moves[middle].t > t) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

sl_status sl_tunnel_network_finish(sl_tunnel_network *net, sl_tunnel_complain report, void *user) {
    checker c = {net, report, user, 0};
    if (net->n_pipe == 0) {
        complain(&c, false, -1, SL_CODE_NO_NODES, "write at least one", "there are no tunnels");
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        if (!sum_series(net, &net->valves[v].inflow)) {
            return SL_ERR_MEMORY;
        }
        check_valve(&c, v);
    }
    for (int32_t i = 0; i < net->n_pipe; i++) {
        check_pipe(&c, i);
    }
    if (!find_incidence(net) || !find_sources(net) || !check_acyclic(&c)) {
        return SL_ERR_MEMORY;
    }
    if (net->n_move > 0) {
        qsort(net->moves, (size_t)net->n_move, sizeof *net->moves, by_time);
    }
    check_connected(&c);
    for (int32_t k = 0; k < net->n_water; k++) {
        check_water(&c, k);
    }
    return c.n_error > 0 ? SL_ERR_INPUT : SL_OK;
}
