/* SPDX-License-Identifier: MIT */
/* build.c: see sluice/tunnel.h. What is added is kept as it was given; a network is made of it for each model, so that a builder stays as it
 * is. Ids are checked when something is added, all else by sl_tunnel_network_finish, as for files. */
#include "tunnel/build.h"

#include "base/handle.h"
#include "base/report.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

struct sl_tunnels {
    sl_handle_mark handle;
    sl_context *ctx;
    sl_diags *diags;
    sl_arena arena;
    const char *title;
    sl_ids *valve_ids, *pipe_ids;
    SL_ARRAY(sl_tunnel_valve) valves; /* targets are found when all are there */
    SL_ARRAY(const char *) targets;   /* by valve: NULL: none */
    SL_ARRAY(sl_tunnel_pipe) pipes;
    SL_ARRAY(sl_tunnel_move) moves;
    SL_ARRAY(sl_tunnel_water) waters;
    bool has_failed;
};

/* ---- Defaults ------------------------------------------------------------------------------------ */

void sl_tunnels_valve_default_fill(sl_tunnels_valve *def, size_t size) {
    const sl_tunnels_valve all = {.size = sizeof all, .suction = 10.0, .hysteresis = 1e-6, .rim = (double)NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_tunnels_pipe_default_fill(sl_tunnels_pipe *def, size_t size) {
    const sl_tunnels_pipe all = {.size = sizeof all,
                                 .diameter = (double)NAN,
                                 .elevation = {(double)NAN, (double)NAN},
                                 .in = {1.0, 1.0},
                                 .added_length = (double)NAN};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_tunnels_run_default_fill(sl_tunnels_run *def, size_t size) {
    const sl_tunnels_run all = {.size = sizeof all, .tolerance = 1e-8};
    sl_sized_default(def, size, &all, sizeof all);
}

/* ---- Life ---------------------------------------------------------------------------------------- */

sl_status sl_tunnels_create(sl_context *ctx, const char *title, sl_diags *diags, sl_tunnels **out) {
    if (!ctx || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_tunnels *t = sl_alloc(ctx, sizeof *t);
    if (!t) {
        return SL_ERR_MEMORY;
    }
    *t = (sl_tunnels){.handle = SL_HANDLE_TUNNELS, .ctx = ctx, .diags = diags};
    sl_arena_init(&t->arena, ctx);
    t->valve_ids = sl_ids_create(ctx);
    t->pipe_ids = sl_ids_create(ctx);
    t->title = sl_arena_copy(&t->arena, sl_str_z(title ? title : ""));
    if (!t->valve_ids || !t->pipe_ids || !t->title) {
        sl_tunnels_destroy(t);
        return SL_ERR_MEMORY;
    }
    *out = t;
    return SL_OK;
}

void sl_tunnels_destroy(sl_tunnels *t) {
    if (SL_HANDLE_IS(t, SL_HANDLE_TUNNELS)) {
        t->handle = SL_HANDLE_GONE;
        sl_ids_destroy(t->valve_ids);
        sl_ids_destroy(t->pipe_ids);
        SL_ARRAY_FINI(t->ctx, &t->valves);
        SL_ARRAY_FINI(t->ctx, &t->targets);
        SL_ARRAY_FINI(t->ctx, &t->pipes);
        SL_ARRAY_FINI(t->ctx, &t->moves);
        SL_ARRAY_FINI(t->ctx, &t->waters);
        sl_arena_fini(&t->arena);
        sl_free(t->ctx, t, sizeof *t);
    }
}

/* ---- Adding -------------------------------------------------------------------------------------- */

static sl_status refuse(sl_tunnels *t, sl_code code, const char *kind, const char *id, const char *hint,
                        const char *text) {
    t->has_failed = true;
    sl_report(t->diags, SL_ERROR, code, NULL, kind, id, hint, "%s", text);
    return SL_ERR_INPUT;
}

/* Of an id: its number, or below zero when it is taken, empty or there is no memory. */
static sl_status add_id(sl_tunnels *t, sl_ids *ids, const char *kind, const char *id) {
    if (!id || !id[0]) {
        return refuse(t, SL_CODE_MISSING_VALUE, kind, NULL, "give it an id", "there is no id");
    }
    int32_t k = sl_ids_find(ids, sl_str_z(id)) >= 0 ? -1 : sl_ids_add(ids, sl_str_z(id));
    if (k == INT32_MIN) {
        t->has_failed = true;
        return SL_ERR_MEMORY;
    }
    return k >= 0
               ? SL_OK
               : refuse(t, SL_CODE_DUPLICATE_ID, kind, id, "give it another name", "there is one of this id already");
}

static int32_t find_valve(sl_tunnels *t, const char *pipe, const char *id) {
    int32_t v = id ? sl_ids_find(t->valve_ids, sl_str_z(id)) : -1;
    if (v < 0) {
        t->has_failed = true;
        sl_report(t->diags, SL_ERROR, SL_CODE_UNKNOWN_NAME, NULL, "tunnel", pipe, "add the valves first",
                  "there is no valve '%.80s'", id ? id : "");
    }
    return v;
}

/* Of n points, or of one value: times rise, all is finite. */
static bool copy_series(sl_tunnels *t, const sl_tunnels_valve *def, double value, sl_tunnel_series *out,
                        bool *is_short) {
    int32_t n = def->n > 0 ? def->n : 1;
    double *times = sl_arena_alloc(&t->arena, 2 * (size_t)n * sizeof *times), *values = times + n;
    *is_short = !times;
    for (int32_t k = 0; k < n && times; k++) {
        times[k] = def->n > 0 ? def->time[k] : 0.0;
        values[k] = def->n > 0 ? def->value[k] : value;
        if (!isfinite(times[k]) || !isfinite(values[k]) || (k > 0 && !(times[k] > times[k - 1]))) {
            return false;
        }
    }
    *out = (sl_tunnel_series){n, times, values, NULL};
    return times != NULL;
}

static sl_status fill_valve(sl_tunnels *t, const sl_tunnels_valve *def, sl_tunnel_valve *valve) {
    static const sl_tub_kind kinds[] = {[SL_TUNNELS_NOTHING] = SL_TUB_NONE,
                                        [SL_TUNNELS_LEVEL] = SL_TUB_LEVEL,
                                        [SL_TUNNELS_RESERVOIR] = SL_TUB_RESERVOIR,
                                        [SL_TUNNELS_OUTFALL] = SL_TUB_OUTFALL};
    *valve = (sl_tunnel_valve){.elevation = def->elevation,
                               .suction = def->suction,
                               .hysteresis = def->hysteresis,
                               .tub = kinds[def->outside],
                               .is_open = true,
                               .area = def->area,
                               .bottom = def->bottom,
                               .level = def->level,
                               .rim = isnan(def->rim) ? (double)INFINITY : def->rim,
                               .target = -1};
    bool level = valve->tub == SL_TUB_LEVEL, fine = true, is_short = false;
    if (def->n_storage > 0) {
        size_t bytes = (size_t)def->n_storage * sizeof(double);
        double *both = sl_arena_alloc(&t->arena, 2 * bytes);
        if (!both) {
            return SL_ERR_MEMORY;
        }
        memcpy(both, def->storage_volume, bytes);
        memcpy(both + def->n_storage, def->storage_level, bytes);
        valve->storage = (sl_tunnel_series){def->n_storage, both, both + def->n_storage, NULL};
        valve->bottom = def->storage_level[0];
    }
    if (level || (valve->tub == SL_TUB_RESERVOIR && (def->n > 0 || def->inflow != 0.0))) {
        fine =
            copy_series(t, def, level ? def->level : def->inflow, level ? &valve->levels : &valve->inflow, &is_short);
    }
    return is_short ? SL_ERR_MEMORY
           : fine   ? SL_OK
                    : refuse(t, SL_CODE_CURVE_SHAPE, "valve", def->id, "put the points in order",
                             "the times of a series must rise, and all values be finite");
}

sl_status sl_tunnels_add_valve(sl_tunnels *t, const sl_tunnels_valve *given) {
    sl_tunnels_valve def = sl_tunnels_valve_default();
    sl_tunnel_valve valve;
    const char *target = NULL;
    if (!SL_HANDLE_IS(t, SL_HANDLE_TUNNELS) || !given || !sl_sized_take(&def, sizeof def, given) ||
        (unsigned)def.outside >= SL_TUNNELS_OUTSIDE_COUNT || def.n < 0 || (def.n > 0 && (!def.time || !def.value)) ||
        def.n_storage < 0 || (def.n_storage > 0 && (!def.storage_level || !def.storage_volume))) {
        return SL_ERR_USE;
    }
    if (def.flood_to && isnan(def.rim)) {
        return refuse(t, SL_CODE_CONFLICT, "valve", def.id, "give its rim", "a reservoir without a rim does not flood");
    }
    sl_status status = fill_valve(t, &def, &valve);
    if (status == SL_OK && def.flood_to) {
        target = sl_arena_copy(&t->arena, sl_str_z(def.flood_to));
        status = target ? SL_OK : SL_ERR_MEMORY;
    }
    bool room = SL_RESERVE(t->ctx, &t->valves, t->valves.n + 1) && SL_RESERVE(t->ctx, &t->targets, t->targets.n + 1);
    status = status == SL_OK && !room ? SL_ERR_MEMORY : status;
    status = status == SL_OK ? add_id(t, t->valve_ids, "valve", def.id) : status;
    if (status == SL_OK) {
        t->valves.at[t->valves.n++] = valve;
        t->targets.at[t->targets.n++] = target;
    }
    t->has_failed = t->has_failed || status != SL_OK;
    return status;
}

sl_status sl_tunnels_add_pipe(sl_tunnels *t, const sl_tunnels_pipe *given) {
    sl_tunnels_pipe def = sl_tunnels_pipe_default();
    if (!SL_HANDLE_IS(t, SL_HANDLE_TUNNELS) || !given || !sl_sized_take(&def, sizeof def, given)) {
        return SL_ERR_USE;
    }
    double diameter = isnan(def.diameter) ? sqrt(def.area / atan(1.0)) : def.diameter;
    sl_tunnel_pipe pipe = {.length = def.length,
                           .area = def.area,
                           .diameter = diameter,
                           .friction = def.friction,
                           .added_length = isnan(def.added_length) ? 0.5 * diameter : def.added_length};
    for (int j = 0; j < 2; j++) {
        int32_t v = find_valve(t, def.id, j == 0 ? def.from : def.to);
        if (v < 0) {
            return SL_ERR_INPUT;
        }
        double z = isnan(def.elevation[j]) ? t->valves.at[v].elevation : def.elevation[j];
        pipe.ends[j] = (sl_tunnel_end){v, z, def.in[j], def.out[j], true, def.drops[j], def.is_vented[j]};
    }
    sl_status status =
        SL_RESERVE(t->ctx, &t->pipes, t->pipes.n + 1) ? add_id(t, t->pipe_ids, "tunnel", def.id) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        t->pipes.at[t->pipes.n++] = pipe;
    }
    t->has_failed = t->has_failed || status != SL_OK;
    return status;
}

sl_status sl_tunnels_move_gate(sl_tunnels *t, const char *gate, double time, bool is_open) {
    if (!SL_HANDLE_IS(t, SL_HANDLE_TUNNELS) || !gate || !(time >= 0.0) || isinf(time)) {
        return SL_ERR_USE;
    }
    sl_tunnel_move move = {.t = time, .is_open = is_open};
    if (!sl_tunnel_find_gate(t->valve_ids, t->pipe_ids, sl_str_z(gate), &move)) {
        return refuse(t, SL_CODE_UNKNOWN_NAME, "gate", gate,
                      "name a valve for its tub, or the end of a tunnel as tunnel.from, tunnel.to",
                      "there is no such gate");
    }
    if (move.valve >= 0 && t->valves.at[move.valve].tub == SL_TUB_NONE) {
        return refuse(t, SL_CODE_WRONG_KIND, "gate", gate, "give the valve a tub, or name the end of a tunnel",
                      "the valve has no tub: there is nothing that its gate could shut");
    }
    if (time == 0.0) {
        *(move.valve >= 0 ? &t->valves.at[move.valve].is_open : &t->pipes.at[move.end / 2].ends[move.end % 2].is_open) =
            is_open;
        return SL_OK;
    }
    return SL_PUSH(t->ctx, &t->moves, move) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status add_water(sl_tunnels *t, const char *pipe, const char *valve, double volume) {
    sl_tunnel_water water = {.pipe = sl_ids_find(t->pipe_ids, sl_str_z(pipe)), .side = -1, .volume = volume};
    if (water.pipe < 0) {
        return refuse(t, SL_CODE_UNKNOWN_NAME, "tunnel", pipe, "add the tunnel first", "there is no such tunnel");
    }
    for (int32_t j = 0; j < 2 && valve; j++) {
        int32_t v = t->pipes.at[water.pipe].ends[j].valve;
        water.side = sl_str_equal(sl_str_z(sl_ids_z(t->valve_ids, v)), sl_str_z(valve)) ? j : water.side;
    }
    if (valve && water.side < 0) {
        return refuse(t, SL_CODE_CONFLICT, "tunnel", pipe, "name the valve at one of its ends",
                      "the tunnel does not lead to that valve");
    }
    return SL_PUSH(t->ctx, &t->waters, water) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_tunnels_fill(sl_tunnels *t, const char *pipe) {
    return SL_HANDLE_IS(t, SL_HANDLE_TUNNELS) && pipe ? add_water(t, pipe, NULL, 0.0) : SL_ERR_USE;
}

sl_status sl_tunnels_put(sl_tunnels *t, const char *pipe, const char *valve, double volume) {
    return SL_HANDLE_IS(t, SL_HANDLE_TUNNELS) && pipe && valve ? add_water(t, pipe, valve, volume) : SL_ERR_USE;
}

double sl_tunnels_friction(double roughness, double diameter, double velocity) {
    return sl_tunnel_friction(roughness, diameter, velocity);
}

/* ---- A study ------------------------------------------------------------------------------------- */

typedef struct complainer {
    const sl_tunnels *t;
    sl_diags *diags;
} complainer;

static void complain(void *user, bool pipe, int32_t index, sl_code code, const char *hint, const char *text) {
    const complainer *c = user;
    const char *id = index < 0 ? NULL : sl_ids_z(pipe ? c->t->pipe_ids : c->t->valve_ids, index);
    sl_report(c->diags, SL_ERROR, code, NULL, pipe ? "tunnel" : "valve", id, hint, "%s", text);
}

static bool copy_ids(sl_ids *to, const sl_ids *from) {
    bool fine = true;
    for (int32_t k = 0; k < sl_ids_count(from); k++) {
        fine = fine && sl_ids_add(to, sl_str_z(sl_ids_z(from, k))) == k;
    }
    return fine;
}

static bool copy_own(sl_tunnel_network *net, sl_tunnel_series *s) {
    double *both = s->n > 0 ? sl_arena_alloc(&net->arena, 2 * (size_t)s->n * sizeof *both) : NULL;
    if (both) {
        memcpy(both, s->t, (size_t)s->n * sizeof *both);
        memcpy(both + s->n, s->value, (size_t)s->n * sizeof *both);
        *s = (sl_tunnel_series){s->n, both, both + s->n, NULL};
    }
    return s->n == 0 || both;
}

static void *copy_array(sl_tunnel_network *net, const void *from, int64_t n, size_t size) {
    void *to = sl_arena_alloc(&net->arena, (size_t)n * size + 1);
    if (to && n > 0) {
        memcpy(to, from, (size_t)n * size);
    }
    return to;
}

/* Everything, but not finished. NULL: no memory. */
static sl_tunnel_network *copy_network(sl_context *ctx, const sl_tunnels *t) {
    sl_tunnel_network *net = sl_tunnel_network_create(ctx, (int32_t)t->valves.n, (int32_t)t->pipes.n);
    if (!net) {
        return NULL;
    }
    net->n_valve = (int32_t)t->valves.n;
    net->n_pipe = (int32_t)t->pipes.n;
    net->n_move = (int32_t)t->moves.n;
    net->n_water = (int32_t)t->waters.n;
    net->moves = copy_array(net, t->moves.at, t->moves.n, sizeof *net->moves);
    net->waters = copy_array(net, t->waters.at, t->waters.n, sizeof *net->waters);
    net->pipes = copy_array(net, t->pipes.at, t->pipes.n, sizeof *net->pipes);
    net->valves = copy_array(net, t->valves.at, t->valves.n, sizeof *net->valves);
    bool fine = net->moves && net->waters && net->pipes && net->valves && copy_ids(net->valve_ids, t->valve_ids) &&
                copy_ids(net->pipe_ids, t->pipe_ids);
    for (int32_t v = 0; v < net->n_valve && fine; v++) {
        fine = copy_own(net, &net->valves[v].levels) && copy_own(net, &net->valves[v].inflow) &&
               copy_own(net, &net->valves[v].storage);
    }
    if (!fine) {
        sl_tunnel_network_destroy(net);
        return NULL;
    }
    return net;
}

static sl_status find_targets(const sl_tunnels *t, sl_tunnel_network *net, sl_diags *diags) {
    sl_status status = SL_OK;
    for (int32_t v = 0; v < net->n_valve; v++) {
        const char *to = t->targets.at[v];
        net->valves[v].target = to ? sl_ids_find(t->valve_ids, sl_str_z(to)) : -1;
        if (to && net->valves[v].target < 0) {
            sl_report(diags, SL_ERROR, SL_CODE_UNKNOWN_NAME, NULL, "valve", sl_ids_z(t->valve_ids, v), NULL,
                      "it floods to '%.80s', which is no valve", to);
            status = SL_ERR_INPUT;
        }
    }
    return status;
}

sl_status sl_tunnels_study(sl_context *ctx, const sl_tunnels *t, const sl_tunnels_run *run, sl_diags *diags,
                           sl_tunnel_study **out) {
    static const sl_hybrid_policy policies[] = {[SL_TUNNELS_WIDEN] = SL_HYBRID_POLICY_WIDEN,
                                                [SL_TUNNELS_HOLD] = SL_HYBRID_POLICY_HOLD,
                                                [SL_TUNNELS_ERROR] = SL_HYBRID_POLICY_ERROR};
    sl_tunnels_run def = sl_tunnels_run_default();
    *out = NULL;
    if (!SL_HANDLE_IS(t, SL_HANDLE_TUNNELS) || !run || !sl_sized_take(&def, sizeof def, run) || !(def.end > 0.0) ||
        isinf(def.end) || !(def.report >= 0.0) || isinf(def.report) ||
        !(def.tolerance >= 1e-12 && def.tolerance <= 1e-2) || (unsigned)def.chattering >= SL_TUNNELS_CHATTERING_COUNT) {
        return SL_ERR_USE;
    }
    if (t->has_failed) {
        sl_report(diags, SL_ERROR, SL_CODE_CONFLICT, NULL, NULL, NULL, "look at what the calls returned",
                  "something could not be added to the tunnels: no model is made of the rest");
        return SL_ERR_INPUT;
    }
    sl_tunnel_study *study = sl_alloc(ctx, sizeof *study);
    if (!study) {
        return SL_ERR_MEMORY;
    }
    *study = (sl_tunnel_study){.ctx = ctx,
                               .net = copy_network(ctx, t),
                               .n_tunnel = (int32_t)t->pipes.n,
                               .end = def.end,
                               .report = def.report,
                               .rtol = def.tolerance,
                               .all_reversals = def.all_reversals,
                               .policy = policies[def.chattering]};
    study->title = study->net ? sl_arena_copy(&study->net->arena, sl_str_z(t->title)) : NULL;
    complainer c = {t, diags};
    sl_status status = study->title ? find_targets(t, study->net, diags) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_tunnel_network_finish(study->net, complain, &c) : status;
    if (status != SL_OK) {
        sl_tunnel_study_destroy(study);
        return status;
    }
    *out = study;
    return SL_OK;
}
