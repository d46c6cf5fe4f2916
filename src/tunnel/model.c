/* SPDX-License-Identifier: MIT */
/* model.c: the hybrid model of tunnels as src/hybrid asks for it; see model.h. */
#include "tunnel/model.h"

#include "base/memory.h"
#include "base/out.h"
#include "tunnel/instance.h"

#include <math.h>
#include <string.h>

#define WATER_DENSITY 1000.0 /* [kg/m3] */

sl_tunnel_model sl_tunnel_model_default(sl_tunnel_network *net) {
    return (sl_tunnel_model){.net = net, .rtol = 1e-8, .flow_tolerance = 1e-9, .head_tolerance = 1e-9};
}

/* ---- Life --------------------------------------------------------------------------------------- */

static void close_instance(void *instance) {
    tunnel_instance *o = instance;
    sl_tunnel_marks_fini(&o->marks, o->net, o->ctx);
    sl_tunnel_structure_fini(&o->now);
    sl_arena_fini(&o->arena);
    sl_free(o->ctx, o, sizeof *o);
}

static bool name_variables(tunnel_instance *o) {
    const sl_tunnel_network *net = o->net;
    static const char *const words[] = {"water", "head", "flood", "inflow", "rise"};
    sl_arena *arena = &o->arena;
    bool fine = true;
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        const char *id = sl_tunnel_pipe_id(net, e / 2);
        o->x_names[x_volume(e)] = sl_arena_format(arena, "volume[%s,%d]", id, (int)(e % 2));
        o->x_names[x_flow(net, e)] = sl_arena_format(arena, "flow[%s,%d]", id, (int)(e % 2));
        o->q_names[q_end_gate(net, e)] = sl_arena_format(arena, "gate[%s,%d]", id, (int)(e % 2));
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        const char *id = sl_tunnel_valve_id(net, v);
        for (int32_t k = 0; k < 5; k++) {
            o->x_names[x_water(net, v) + k * net->n_valve] = sl_arena_format(arena, "%s[%s]", words[k], id);
        }
        o->q_names[q_tub_gate(net, v)] = sl_arena_format(arena, "gate[%s]", id);
        o->q_names[q_flood(net, v)] = sl_arena_format(arena, "flooding[%s]", id);
    }
    o->q_names[q_action(net)] = sl_arena_format(arena, "structure");
    for (int32_t j = 0; j < o->n_bit && fine; j++) {
        fine = sl_tunnel_bit_name(net, j, arena, &o->q_names[j]) == SL_OK;
    }
    for (int32_t j = 0; j < o->n_x; j++) {
        fine = fine && o->x_names[j];
    }
    for (int32_t j = 0; j < o->n_q; j++) {
        fine = fine && o->q_names[j];
    }
    return fine;
}

static bool name_roots(tunnel_instance *o) {
    const sl_tunnel_network *net = o->net;
    static const char *const of_end[] = {"empty", "flow", "flow", "enter"};
    static const char *const of_valve[] = {"tubflow", "tubflow", "spill", "tubwet", "tubdry", "suction", "rim", "ebb"};
    bool fine = true;
    for (int32_t i = 0; i < net->n_pipe; i++) {
        o->root_names[root_of_pipe(i)] = sl_arena_format(&o->arena, "fill(%s)", sl_tunnel_pipe_id(net, i));
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        for (int32_t k = 0; k < END_N_ROOT; k++) {
            o->root_names[root_of_end(net, e, k)] =
                sl_arena_format(&o->arena, "%s(%s,%d)", of_end[k], sl_tunnel_pipe_id(net, e / 2), (int)(e % 2));
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        for (int32_t k = 0; k < VALVE_N_ROOT; k++) {
            o->root_names[root_of_valve(net, v, k)] =
                sl_arena_format(&o->arena, "%s(%s)", of_valve[k], sl_tunnel_valve_id(net, v));
        }
    }
    o->root_names[root_of_schedule(net)] = "schedule";
    for (int32_t r = 0; r < o->n_root; r++) {
        fine = fine && o->root_names[r];
    }
    return fine;
}

static bool take_memory(tunnel_instance *o) {
    const sl_tunnel_network *net = o->net;
    size_t x = (size_t)o->n_x, q = (size_t)o->n_q, eq = (size_t)o->n_equation, r = (size_t)o->n_root;
    size_t e = 2 * (size_t)net->n_pipe, v = (size_t)net->n_valve, values = (size_t)net->max_degree + v + 3;
    sl_tunnel_set *sets[] = {&o->stale, &o->ahead, &o->touched, &o->altered, &o->region, &o->again};
    double *doubles = sl_arena_alloc(&o->arena, (2 * x + values + q) * sizeof *doubles);
    const char **texts = sl_arena_alloc(&o->arena, (x + q + r) * sizeof *texts);
    int32_t *ints = sl_arena_alloc(&o->arena, (q + 1 + 2 * x + e + v + eq + r) * sizeof *ints);
    uint8_t *bytes = sl_arena_alloc(&o->arena, eq + r + 2 * e);
    bool fine = doubles && texts && ints && bytes && tunnel_projection_init(&o->projection, net, &o->arena);
    for (size_t k = 0; k < sizeof sets / sizeof *sets && fine; k++) {
        fine = sl_tunnel_set_init(sets[k], &o->arena, net);
    }
    if (!fine) {
        return false;
    }
    o->x = doubles;
    o->before = o->x + x;
    o->row_values = o->before + x;
    o->relief = o->row_values + values;
    o->x_names = texts;
    o->q_names = o->x_names + x;
    o->root_names = o->q_names + q;
    o->changed = ints;
    o->acted = o->changed + q + 1;
    o->local = o->acted + x;
    o->wanted = o->local + x;
    o->turned = o->wanted + e + v;
    o->equations = bytes;
    o->roots = o->equations + eq;
    o->is_front = o->roots + r;
    o->is_wanted = o->is_front + e;
    memset(o->local, -1, x * sizeof *o->local);
    sl_tunnel_set_fill(&o->stale, net);
    return true;
}

static sl_status open_instance(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    tunnel_instance *o = sl_alloc(ctx, sizeof *o);
    (void)diags;
    *out = o;
    if (!o) {
        return SL_ERR_MEMORY;
    }
    o->ctx = ctx;
    o->model = model;
    const sl_tunnel_network *net = o->net = o->model->net;
    sl_arena_init(&o->arena, ctx);
    o->n_bit = sl_tunnel_n_bit(net);
    sl_tunnel_sizes(net, &o->n_x, &o->n_q);
    o->n_equation = equation_of_valve(net, net->n_valve, 0);
    o->n_root = root_of_schedule(net) + 1;
    sl_status status = sl_tunnel_marks_init(&o->marks, net, ctx);
    status = status == SL_OK ? sl_tunnel_structure_init(&o->now, net, ctx) : status;
    bool fine = status == SL_OK && take_memory(o) && name_variables(o) && name_roots(o) && tunnel_make_incidence(o);
    if (!fine) {
        close_instance(o);
        *out = NULL;
        return SL_ERR_MEMORY;
    }
    return SL_OK;
}

static void sizes(const void *instance, int32_t *n_x, int32_t *n_q) {
    const tunnel_instance *o = instance;
    *n_x = o->n_x;
    *n_q = o->n_q;
}
static const char *x_name(const void *instance, int32_t i) {
    return ((const tunnel_instance *)instance)->x_names[i];
}
static const char *q_name(const void *instance, int32_t i) {
    return ((const tunnel_instance *)instance)->q_names[i];
}
static const char *root_name(const void *instance, int32_t i) {
    return ((const tunnel_instance *)instance)->root_names[i];
}
static int32_t q_domain(const void *instance, int32_t i) {
    const tunnel_instance *o = instance;
    const sl_tunnel_network *net = o->net;
    int32_t v = i < o->n_bit ? -1 : i < q_end_gate(net, 0) ? i - q_tub_gate(net, 0) : -1;
    if (v >= 0) {
        return net->valves[v].tub == SL_TUB_NONE ? 1 : 2;
    }
    return i < o->n_bit ? sl_tunnel_bit_domain(net, i) : 2;
}

/* ---- Where it begins ------------------------------------------------------------------------------ */

static void start_openings(const sl_tunnel_network *net, int32_t *q) {
    for (int32_t v = 0; v < net->n_valve; v++) {
        bool open = net->valves[v].is_open && net->valves[v].tub != SL_TUB_NONE;
        q[sl_valve_bits(v) + SL_TUB_OPEN] = q[q_tub_gate(net, v)] = open;
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        q[sl_end_bits(net, e) + SL_END_OPEN] = q[q_end_gate(net, e)] = net->pipes[e / 2].ends[e % 2].is_open;
    }
}

/* Water in an end, which is joined to its valve if it is open. */
static void start_end(const sl_tunnel_network *net, int32_t *q, int32_t e) {
    int32_t *o = q + sl_end_bits(net, e);
    o[SL_END_LEG] = 1;
    o[SL_END_FLOW] = sl_end_sourcing(e);
    if (o[SL_END_OPEN]) {
        o[SL_END_JOINT] = o[SL_END_SRC] = 1;
        q[sl_valve_bits(sl_end_valve(net, e)) + SL_VALVE_JOINT] = 1;
    }
}

static void start_water(const sl_tunnel_network *net, double *x, int32_t *q) {
    for (int32_t k = 0; k < net->n_water; k++) {
        const sl_tunnel_water *w = &net->waters[k];
        int32_t e = 2 * w->pipe + (w->side < 0 ? 0 : w->side);
        if (w->side < 0) {
            q[sl_pipe_bits(net, w->pipe) + SL_MID_JOINT] = 1;
            x[x_volume(e)] = x[x_volume(e ^ 1)] = 0.5 * pipe_capacity(&net->pipes[w->pipe]);
            start_end(net, q, e ^ 1);
        } else {
            x[x_volume(e)] = w->volume;
        }
        start_end(net, q, e);
    }
}

static void start_tub(const sl_tunnel_network *net, double t, double *x, int32_t *q, int32_t v) {
    const sl_tunnel_valve *valve = &net->valves[v];
    int32_t *o = q + sl_valve_bits(v);
    x[x_head(net, v)] = valve->elevation;
    x[x_water(net, v)] = valve->tub == SL_TUB_RESERVOIR ? sl_tunnel_reservoir_water(valve, valve->level) : 0.0;
    bool wet = o[SL_VALVE_JOINT], level = tub_has_level(valve) && tub_level(net, v, t, x) > valve->elevation;
    if (wet && o[SL_TUB_OPEN] && (level || valve->tub == SL_TUB_OUTFALL)) {
        o[SL_TUB_JOINT] = 1;
        o[SL_TUB_LEG] = o[SL_TUB_SRC] = level;
    }
    o[SL_TUB_FLOW] = !o[SL_TUB_LEG];
}

/* Ends without water take what comes, where they lead down from a dry valve. */
static void start_dry_end(const sl_tunnel_network *net, int32_t *q, int32_t e) {
    int32_t *o = q + sl_end_bits(net, e);
    if (!o[SL_END_LEG]) {
        const sl_tunnel_end *ends = net->pipes[e / 2].ends;
        bool falls = ends[1 - e % 2].elevation < ends[e % 2].elevation;
        o[SL_END_FLOW] = falls ? !sl_end_sourcing(e) : sl_end_sourcing(e);
    }
}

void sl_tunnel_sizes(const sl_tunnel_network *net, int32_t *n_x, int32_t *n_q) {
    *n_x = x_rise(net, net->n_valve);
    *n_q = q_action(net) + 1;
}

void sl_tunnel_start(const sl_tunnel_network *net, double *x, int32_t *q) {
    int32_t n_x, n_q;
    sl_tunnel_sizes(net, &n_x, &n_q);
    memset(x, 0, (size_t)n_x * sizeof *x);
    memset(q, 0, (size_t)n_q * sizeof *q);
    start_openings(net, q);
    start_water(net, x, q);
    for (int32_t v = 0; v < net->n_valve; v++) {
        start_tub(net, 0.0, x, q, v);
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        start_dry_end(net, q, e);
    }
}

static void start(const void *instance, double *t, double *x, int32_t *q) {
    *t = 0.0;
    sl_tunnel_start(((const tunnel_instance *)instance)->net, x, q);
}

/* ---- Pieces --------------------------------------------------------------------------------------- */

static const sl_hybrid_incidence *incidence(const void *instance) {
    return &((const tunnel_instance *)instance)->incidence;
}

/* Joints, legs and openings make the structure: what changes them calls for an action, and a mere flip of flow bits does not. */
static bool is_structure(const sl_tunnel_network *net, int32_t j) {
    int32_t n = SL_VALVE_N_BIT * net->n_valve, k;
    if (j < n) {
        k = j % SL_VALVE_N_BIT;
        return k == SL_VALVE_JOINT || k == SL_TUB_LEG || k == SL_TUB_JOINT || k == SL_TUB_OPEN;
    }
    k = (j - n) % SL_PIPE_N_BIT;
    if (k < SL_MID_N_BIT) {
        return k == SL_MID_JOINT;
    }
    k = (k - SL_MID_N_BIT) % SL_END_N_BIT;
    return k == SL_END_LEG || k == SL_END_JOINT || k == SL_END_OPEN;
}

/* Of all variables: a state from outside, where nothing is under way; the call of sense has `all` set. */
static void changed(void *instance, int32_t n, const int32_t *which, const int32_t *q) {
    tunnel_instance *o = instance;
    const sl_tunnel_network *net = o->net;
    (void)q;
    if (n < 0) {
        sl_tunnel_mark_all(&o->marks, net);
        sl_tunnel_set_fill(&o->stale, net);
        sl_tunnel_set_clear(&o->touched);
        sl_tunnel_set_clear(&o->altered);
        sl_tunnel_set_clear(&o->again);
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t j = which[k], v = j - q_flood(net, 0);
        if (j < o->n_bit) {
            int32_t block = sl_tunnel_block(net, j);
            sl_tunnel_mark(&o->marks, net, j);
            sl_tunnel_set_add(&o->stale, block);
            sl_tunnel_set_add(&o->touched, block);
            if (is_structure(net, j) || sl_tunnel_bit_event(net, j)) {
                sl_tunnel_set_add(&o->altered, block);
            }
        } else if (v >= 0 && v < net->n_valve) {
            sl_tunnel_set_add(&o->stale, v);
        }
    }
}

static void stand(void *instance, int32_t variable, double value) {
    ((tunnel_instance *)instance)->x[variable] = value;
}

static sl_status discrete(void *instance, double t, int32_t i, int64_t way, int32_t *q, sl_diags *diags,
                          sl_hybrid_step_result *out) {
    tunnel_instance *o = instance;
    (void)t, (void)way, (void)diags;
    int32_t n = sl_tunnel_step(o->net, &o->marks, i, q), at = q_action(o->net), due = 0;
    for (int32_t k = 0; k < n; k++) {
        o->changed[k] = o->marks.flips[k];
        due = due || is_structure(o->net, o->changed[k]);
    }
    if (i == 0 && q[at] != due) {
        q[at] = due;
        o->changed[n++] = at;
    }
    *out = (sl_hybrid_step_result){.changed = o->changed, .n_changed = n, .settled = n == 0};
    return SL_OK;
}

bool tunnel_has_events(const tunnel_instance *o, const int32_t *q) {
    const sl_tunnel_network *net = o->net;
    for (int32_t k = 0; k < o->marks.n; k++) {
        int32_t block = o->marks.list[k];
        bool pipe = block >= net->n_valve;
        int32_t at = pipe ? sl_pipe_bits(net, block - net->n_valve) : sl_valve_bits(block);
        for (int32_t j = at; j < at + (pipe ? (int32_t)SL_PIPE_N_BIT : (int32_t)SL_VALVE_N_BIT); j++) {
            if (q[j] && sl_tunnel_bit_event(net, j)) {
                return true;
            }
        }
    }
    return false;
}

static bool wants_prediction(const void *instance, const int32_t *q) {
    return tunnel_has_events(instance, q);
}

/* The model received what the prediction changes, and its reversal, before. */
static void set_prediction(void *instance, const int32_t *q_predicted) {
    tunnel_instance *o = instance;
    if (q_predicted) {
        sl_tunnel_set_add_all(&o->ahead, &o->stale);
    } else {
        sl_tunnel_set_add_all(&o->stale, &o->ahead);
        sl_tunnel_set_clear(&o->ahead);
    }
    o->predicted = q_predicted;
}

static sl_status act(void *instance, double t, const int32_t *q, int32_t n, double *x, const double *dx,
                     sl_diags *diags, bool *acted) {
    tunnel_instance *o = instance;
    (void)t, (void)n, (void)dx, (void)diags;
    if (!x) {
        *acted = q[q_action(o->net)] || tunnel_has_events(o, q);
        if (*acted) {
            tunnel_find_acted(o);
        }
        return SL_OK;
    }
    for (int32_t k = 0; k < o->n_acted; k++) {
        o->before[k] = x[o->acted[k]];
    }
    sl_status status = tunnel_project(o, q, x);
    int32_t n_acted = 0;
    for (int32_t k = 0; k < o->n_acted; k++) { /* those that are others now */
        if (memcmp(&x[o->acted[k]], &o->before[k], sizeof *x) != 0) {
            o->acted[n_acted++] = o->acted[k];
        }
    }
    o->n_acted = n_acted;
    return status;
}

/* What actions set they read too. */
static const int32_t *acted_on(const void *instance, int32_t *n) {
    const tunnel_instance *o = instance;
    *n = o->n_acted;
    return o->acted;
}

static void set_relief(void *instance, sl_hybrid_policy policy, const double *n_times) {
    tunnel_instance *o = instance;
    (void)policy;
    memcpy(o->relief, n_times, (size_t)o->n_q * sizeof *o->relief);
}

const sl_hybrid_ops sl_tunnel_ops = {.name = "tunnel",
                                     .open = open_instance,
                                     .close = close_instance,
                                     .sizes = sizes,
                                     .x_name = x_name,
                                     .q_name = q_name,
                                     .root_name = root_name,
                                     .q_domain = q_domain,
                                     .start = start,
                                     .release = tunnel_release_part,
                                     .incidence = incidence,
                                     .changed = changed,
                                     .force = tunnel_force,
                                     .compile_part = tunnel_compile_part,
                                     .stand = stand,
                                     .part_limit = tunnel_part_limit,
                                     .discrete = discrete,
                                     .act = act,
                                     .wants_prediction = wants_prediction,
                                     .set_prediction = set_prediction,
                                     .acted_on = acted_on,
                                     .acted_by = acted_on,
                                     .set_relief = set_relief,
                                     .sense = tunnel_sense};

/* ---- Totals ------------------------------------------------------------------------------------- */

double sl_tunnel_kinetic_energy(const sl_tunnel_network *net, const double *x) {
    double sum = 0.0;
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        double flow = x[x_flow(net, e)];
        sum +=
            0.5 * WATER_DENSITY * SL_TUNNEL_GRAVITY * end_inertance(&net->pipes[e / 2], x[x_volume(e)]) * flow * flow;
    }
    return sum;
}

double sl_tunnel_volume(const sl_tunnel_network *net, const double *x) {
    double sum = 0.0;
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        sum += x[x_volume(e)];
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        sum += x[x_water(net, v)] + (net->valves[v].target < 0 ? x[x_flood(net, v)] : 0.0);
    }
    return sum;
}
