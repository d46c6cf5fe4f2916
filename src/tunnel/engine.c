/* SPDX-License-Identifier: MIT */
/* engine.c: see engine.h. */
#include "tunnel/engine.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "hybrid/recorder.h"
#include "tunnel/instance.h"

#include <math.h>
#include <string.h>

enum { CLASS_VALVE = SL_HYBRID_N_CLASS, CLASS_END, N_CLASS };

enum {
    FIELD_HEAD = SL_HYBRID_N_FIELD,
    FIELD_WET,
    FIELD_WATER,
    FIELD_LEVEL,
    FIELD_GIVES,
    FIELD_FLOODED,
    FIELD_GATE,
    FIELD_INFLOW,
    FIELD_RISE,
    FIELD_END_VOLUME,
    FIELD_END_FLOW,
    FIELD_END_FULL,
    FIELD_END_GATE,
    N_FIELD
};

typedef struct engine {
    sl_context *ctx;
    const sl_tunnel_engine_model *model;
    void *under;       /* sl_hybrid_engine's */
    const char **ends; /* [2 n_pipe] names */
    double *values;    /* room for one field of each kind: [N_FIELD - FIELD_HEAD][most] */
    int32_t *moved;    /* [most] */
    int32_t *timed;    /* [n_timed] valves at which something follows from time alone */
    int32_t n_timed;
    uint8_t *mark; /* [most] */
    int32_t most;  /* elements of a class */
    double shown;  /* the time that views belong to [s] */
    sl_arena arena;
} engine;

static const sl_class classes[N_CLASS] = {[SL_CLASS_MODEL] = {"", "the model as a whole"},
                                          [SL_HYBRID_CLASS_VARIABLE] = {"variable", "continuous variables"},
                                          [SL_HYBRID_CLASS_DISCRETE] = {"discrete", "discrete variables"},
                                          [CLASS_VALVE] = {"valve", "valves, with what is outside of them"},
                                          [CLASS_END] = {"end", "ends of tunnels, as main.from and main.to"}};

/* What sl_hybrid_engine has comes first; see `fill_fields`. */
#define OWN(of_, name_, unit_, flags_, type_, lo, hi, meaning_)                                                   \
    {                                                                                                             \
        .name = (name_), .unit = (unit_), .of = (of_), .flags = (flags_), .meaning = (meaning_), .type = (type_), \
        .min = (lo), .max = (hi)                                                                                  \
    }
enum { STATE = SL_FIELD_STATE, OUTPUT = SL_FIELD_OUTPUT, INPUT = SL_FIELD_STATE | SL_FIELD_INPUT };
static const sl_field fields[N_FIELD] = {
    [SL_HYBRID_VALUE] = OWN(SL_HYBRID_CLASS_VARIABLE, "value", "", INPUT, SL_FIELD_REAL, 0.0, 0.0,
                            "of a continuous variable; to set one that equations determine has no effect"),
    [SL_HYBRID_DERIVATIVE] = OWN(SL_HYBRID_CLASS_VARIABLE, "derivative", "", OUTPUT, SL_FIELD_REAL, 0.0, 0.0,
                                 "of a continuous variable by time; 0 where no equation has it"),
    [SL_HYBRID_STATE] = OWN(SL_HYBRID_CLASS_DISCRETE, "state", "1", INPUT | SL_FIELD_DISCRETE, SL_FIELD_INT, 0.0, 0.0,
                            "of a discrete variable"),
    [SL_HYBRID_EVENTS] = OWN(SL_CLASS_MODEL, "events", "1", STATE | SL_FIELD_DISCRETE, SL_FIELD_INT, 0.0, 0.0,
                             "crossings of roots so far"),
    [FIELD_HEAD] = OWN(CLASS_VALVE, "head", "m", OUTPUT, SL_FIELD_REAL, 0.0, 0.0,
                       "of the water in the valve; where it is dry that of the sill"),
    [FIELD_WET] =
        OWN(CLASS_VALVE, "wet", "1", STATE | SL_FIELD_DISCRETE, SL_FIELD_BOOL, 0.0, 0.0, "there is water in the valve"),
    [FIELD_WATER] = OWN(CLASS_VALVE, "water", "m3", INPUT, SL_FIELD_REAL, 0.0, 0.0,
                        "of the reservoir; where there is none what the outside has received, which cannot be set"),
    [FIELD_LEVEL] = OWN(CLASS_VALVE, "level", "m", INPUT, SL_FIELD_REAL, 0.0, 0.0,
                        "of the water outside; where there is none that of the sill, which cannot be set"),
    [FIELD_GIVES] = OWN(CLASS_VALVE, "flow", "m3/s", STATE, SL_FIELD_REAL, 0.0, 0.0, "from outside into the tunnels"),
    [FIELD_FLOODED] = OWN(CLASS_VALVE, "flooded", "m3", STATE, SL_FIELD_REAL, 0.0, 0.0, "over the rim so far"),
    [FIELD_GATE] = OWN(CLASS_VALVE, "gate", "1", INPUT | SL_FIELD_DISCRETE, SL_FIELD_BOOL, 0.0, 1.0,
                       "the gate to the outside is open: schedules set it too"),
    [FIELD_INFLOW] =
        OWN(CLASS_VALVE, "inflow", "m3/s", INPUT, SL_FIELD_REAL, 0.0, 0.0, "to the reservoir, beside that of the file"),
    [FIELD_RISE] =
        OWN(CLASS_VALVE, "rise", "m", INPUT, SL_FIELD_REAL, 0.0, 0.0, "of a prescribed level, above that of the file"),
    [FIELD_END_VOLUME] =
        OWN(CLASS_END, "volume", "m3", STATE, SL_FIELD_REAL, 0.0, 0.0, "of water that lies at this end"),
    [FIELD_END_FLOW] = OWN(CLASS_END, "flow", "m3/s", STATE, SL_FIELD_REAL, 0.0, 0.0,
                           "at this end, positive from the upper valve to the lower"),
    [FIELD_END_FULL] =
        OWN(CLASS_END, "full", "1", STATE | SL_FIELD_DISCRETE, SL_FIELD_BOOL, 0.0, 0.0, "the tunnel is full there"),
    [FIELD_END_GATE] = OWN(CLASS_END, "gate", "1", INPUT | SL_FIELD_DISCRETE, SL_FIELD_BOOL, 0.0, 1.0,
                           "the gate at this end is open: schedules set it too"),
};

static const char *const recorded[] = {"valve.head",    "valve.level", "valve.water", "valve.flow",
                                       "valve.flooded", "end.volume",  "end.flow",    NULL};

static const sl_tunnel_network *net_of(const engine *e) {
    return e->model->tunnel.net;
}

/* ---- Views ---------------------------------------------------------------------------------------- */

/* The field of the engine beneath that holds the same numbers, and where they begin there; -1: none does. */
static int32_t find_under(const sl_tunnel_network *net, int32_t field, int32_t *offset) {
    const struct {
        int32_t under, offset;
    } same[N_FIELD] = {
        [FIELD_HEAD] = {SL_HYBRID_VALUE, x_head(net, 0)},        [FIELD_WATER] = {SL_HYBRID_VALUE, x_water(net, 0)},
        [FIELD_FLOODED] = {SL_HYBRID_VALUE, x_flood(net, 0)},    [FIELD_INFLOW] = {SL_HYBRID_VALUE, x_inflow(net, 0)},
        [FIELD_RISE] = {SL_HYBRID_VALUE, x_rise(net, 0)},        [FIELD_END_VOLUME] = {SL_HYBRID_VALUE, x_volume(0)},
        [FIELD_END_FLOW] = {SL_HYBRID_VALUE, x_flow(net, 0)},    [FIELD_GATE] = {SL_HYBRID_STATE, q_tub_gate(net, 0)},
        [FIELD_END_GATE] = {SL_HYBRID_STATE, q_end_gate(net, 0)}};
    *offset = 0;
    if (field < SL_HYBRID_N_FIELD) {
        return field;
    }
    bool derived = field == FIELD_WET || field == FIELD_LEVEL || field == FIELD_GIVES || field == FIELD_END_FULL ||
                   field == FIELD_WATER;
    *offset = same[field].offset;
    return derived ? -1 : same[field].under;
}

/* Where values come from: all of the time shown, or single ones of the boundary. */
typedef struct source {
    const engine *e;
    const double *x, *q; /* NULL: of the boundary */
    double t;
} source;

static double x_of(const source *s, int32_t j) {
    return s->x ? s->x[j] : sl_hybrid_engine.value(s->e->under, SL_HYBRID_VALUE, j);
}
static bool q_of(const source *s, int32_t j) {
    return (s->q ? s->q[j] : sl_hybrid_engine.value(s->e->under, SL_HYBRID_STATE, j)) != 0.0;
}

static double water_of(const source *s, int32_t v) {
    const sl_tunnel_network *net = net_of(s->e);
    return x_of(s, x_water(net, v)) + sl_tunnel_series_integral(&net->valves[v].inflow, s->t);
}

static double level_of(const source *s, int32_t v) {
    const sl_tunnel_network *net = net_of(s->e);
    const sl_tunnel_valve *valve = &net->valves[v];
    switch (valve->tub) {
    case SL_TUB_LEVEL: return sl_tunnel_series_at(&valve->levels, s->t) + x_of(s, x_rise(net, v));
    case SL_TUB_RESERVOIR: return sl_tunnel_reservoir_level(valve, water_of(s, v));
    default: return valve->elevation;
    }
}

static double derive(const source *s, int32_t field, int32_t k) {
    const sl_tunnel_network *net = net_of(s->e);
    switch (field) {
    case FIELD_WATER: return water_of(s, k);
    case FIELD_WET: return q_of(s, sl_valve_bits(k) + SL_VALVE_JOINT);
    case FIELD_LEVEL: return level_of(s, k);
    case FIELD_END_FULL: return q_of(s, sl_pipe_bits(net, k / 2) + SL_MID_JOINT);
    default: {
        double sum = 0.0;
        for (int32_t i = net->start[k]; i < net->start[k + 1] && q_of(s, sl_valve_bits(k) + SL_TUB_JOINT); i++) {
            int32_t end = net->ends[i];
            sum += q_of(s, sl_end_bits(net, end) + SL_END_JOINT) ? sl_end_sign(end) * x_of(s, x_flow(net, end)) : 0.0;
        }
        return sum;
    }
    }
}

/* ---- Life --------------------------------------------------------------------------------------- */

static void destroy(void *engine_) {
    engine *e = engine_;
    if (e) {
        if (e->under) {
            sl_hybrid_engine.destroy(e->under);
        }
        sl_arena_fini(&e->arena);
        sl_free(e->ctx, e, sizeof *e);
    }
}

static sl_status create(sl_context *ctx, const void *model, sl_diags *diags, void **out) {
    engine *e = sl_alloc(ctx, sizeof *e);
    *out = NULL;
    if (!e) {
        return SL_ERR_MEMORY;
    }
    e->ctx = ctx;
    e->model = model;
    const sl_tunnel_network *net = net_of(e);
    int32_t n_end = 2 * net->n_pipe;
    sl_arena_init(&e->arena, ctx);
    e->most = n_end > net->n_valve ? n_end : net->n_valve;
    e->ends = sl_arena_alloc(&e->arena, (size_t)n_end * sizeof *e->ends);
    e->moved = sl_arena_alloc(&e->arena, (size_t)e->most * sizeof *e->moved);
    e->mark = sl_arena_alloc(&e->arena, (size_t)e->most);
    e->values = sl_arena_alloc(&e->arena, (size_t)(N_FIELD * e->most) * sizeof *e->values);
    e->timed = sl_arena_alloc(&e->arena, (size_t)net->n_valve * sizeof *e->timed);
    for (int32_t v = 0; e->timed && v < net->n_valve; v++) {
        if (net->valves[v].inflow.n > 0 || net->valves[v].levels.n > 1) {
            e->timed[e->n_timed++] = v;
        }
    }
    bool fine = e->timed && e->ends && e->moved && e->mark && e->values;
    for (int32_t k = 0; fine && k < n_end; k++) {
        e->ends[k] = sl_arena_format(&e->arena, "%s.%s", sl_tunnel_pipe_id(net, k / 2), k % 2 ? "to" : "from");
        fine = e->ends[k] != NULL;
    }
    sl_status status = fine ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_hybrid_engine.create(ctx, model, diags, &e->under) : status;
    if (status != SL_OK) {
        destroy(e);
        return status;
    }
    *out = e;
    return SL_OK;
}

static int32_t count(const void *engine_, int32_t field) {
    const engine *e = engine_;
    return fields[field].of == CLASS_VALVE ? net_of(e)->n_valve
           : fields[field].of == CLASS_END ? 2 * net_of(e)->n_pipe
                                           : sl_hybrid_engine.count(e->under, field);
}

static const char *element(const void *engine_, int32_t field, int32_t index) {
    const engine *e = engine_;
    return fields[field].of == CLASS_VALVE ? sl_tunnel_valve_id(net_of(e), index)
           : fields[field].of == CLASS_END ? e->ends[index]
                                           : sl_hybrid_engine.element(e->under, field, index);
}

static const char *title(const void *engine_) {
    return ((const engine *)engine_)->model->study->title;
}

/* ---- What the engine beneath does ------------------------------------------------------------------ */

static double now(const void *e) {
    return sl_hybrid_engine.time(((const engine *)e)->under);
}
static double end_time(const void *e) {
    return sl_hybrid_engine.end(((const engine *)e)->under);
}
static double next_event(const void *e) {
    return sl_hybrid_engine.next_event(((const engine *)e)->under);
}
static void report(const void *e, double *start, double *step) {
    sl_hybrid_engine.report(((const engine *)e)->under, start, step);
}
static sl_status show(void *engine_, double t, sl_diags *diags) {
    engine *e = engine_;
    sl_status status = sl_hybrid_engine.show(e->under, t, diags);
    e->shown = status == SL_OK ? t : e->shown;
    return status;
}
/* After all that chooses the boundary. */
static sl_status at_boundary(engine *e, sl_status status) {
    e->shown = sl_hybrid_engine.time(e->under);
    return status;
}
static sl_status step(void *e, sl_diags *diags, sl_engine_step *out) {
    return at_boundary(e, sl_hybrid_engine.step(((engine *)e)->under, diags, out));
}
static sl_status refresh(void *e, sl_diags *diags) {
    return at_boundary(e, sl_hybrid_engine.refresh(((engine *)e)->under, diags));
}
static sl_status cut(void *e, double t, sl_diags *diags) {
    return at_boundary(e, sl_hybrid_engine.cut(((engine *)e)->under, t, diags));
}
static const sl_engine_event *events(const void *e, int32_t *n) {
    return sl_hybrid_engine.events(((const engine *)e)->under, n);
}
static size_t save_size(const void *e) {
    return sl_hybrid_engine.save_size(((const engine *)e)->under);
}
static void save(const void *e, void *bytes) {
    sl_hybrid_engine.save(((const engine *)e)->under, bytes);
}
static sl_status restore(void *e, const void *bytes, size_t n) {
    return at_boundary(e, sl_hybrid_engine.restore(((engine *)e)->under, bytes, n));
}
static uint64_t model_hash(const void *e) {
    return sl_hybrid_engine.model_hash(((const engine *)e)->under);
}

/* ---- Values ------------------------------------------------------------------------------------- */

static const double *data(const void *engine_, int32_t field) {
    engine *e = (engine *)(uintptr_t)engine_; /* what is shown is no state */
    int32_t offset, under = find_under(net_of(e), field, &offset);
    if (under >= 0) {
        const double *at = sl_hybrid_engine.data(e->under, under);
        return at ? at + offset : NULL;
    }
    const double *x = sl_hybrid_engine.data(e->under, SL_HYBRID_VALUE);
    const double *q = sl_hybrid_engine.data(e->under, SL_HYBRID_STATE);
    double *values = e->values + (ptrdiff_t)field * e->most;
    if (!x || !q) {
        return NULL;
    }
    const source all = {e, x, q, e->shown};
    for (int32_t k = 0; k < count(e, field); k++) {
        values[k] = derive(&all, field, k);
    }
    return values;
}

/* Elements of a class of ours with a variable that has moved, and valves at which something follows from time alone. */
static int32_t collect(engine *e, bool valve, const int32_t *under, int32_t n_under) {
    const sl_tunnel_network *net = net_of(e);
    int32_t n = 0, n_end = 2 * net->n_pipe;
    for (int32_t k = 0; k < n_under + (valve ? e->n_timed : 0); k++) {
        int32_t j = k < n_under ? under[k] : x_water(net, e->timed[k - n_under]), end = j % n_end;
        bool of_end = j < 2 * n_end;
        int32_t i = !valve ? end : of_end ? sl_end_valve(net, end) : (j - 2 * n_end) % net->n_valve;
        if ((valve || of_end) && !e->mark[i]) {
            e->mark[i] = 1;
            e->moved[n++] = i;
        }
    }
    for (int32_t k = 0; k < n; k++) {
        e->mark[e->moved[k]] = 0;
    }
    return n;
}

static const int32_t *moved(const void *engine_, int32_t field, int32_t *n) {
    engine *e = (engine *)(uintptr_t)engine_; /* room */
    if (field < SL_HYBRID_N_FIELD) {
        return sl_hybrid_engine.moved(e->under, field, n);
    }
    *n = -1;
    if (fields[field].flags & SL_FIELD_DISCRETE) {
        int32_t n_q;
        (void)sl_hybrid_engine.moved(e->under, SL_HYBRID_STATE, &n_q);
        *n = n_q == 0 ? 0 : -1;
        return e->moved;
    }
    int32_t n_x;
    const int32_t *under = sl_hybrid_engine.moved(e->under, SL_HYBRID_VALUE, &n_x);
    if (n_x < 0) {
        return NULL;
    }
    *n = collect(e, fields[field].of == CLASS_VALVE, under, n_x);
    return e->moved;
}

static double value(const void *engine_, int32_t field, int32_t index) {
    const engine *e = engine_;
    int32_t offset, under = find_under(net_of(e), field, &offset);
    const source boundary = {.e = e, .t = now(e)};
    return under >= 0 ? sl_hybrid_engine.value(e->under, under, offset + index) : derive(&boundary, field, index);
}

/* What is set of the engine beneath: a level is that of the water, or how far it is above the level of the file. */
static int32_t find_target(const engine *e, int32_t field, int32_t index, double *value_, int32_t *at) {
    const sl_tunnel_network *net = net_of(e);
    int32_t offset, under = find_under(net, field, &offset);
    *at = offset + index;
    if (field != FIELD_LEVEL && field != FIELD_WATER) {
        return under;
    }
    const sl_tunnel_valve *valve = &net->valves[index];
    bool prescribed = valve->tub == SL_TUB_LEVEL;
    double water = field == FIELD_WATER || prescribed ? *value_ : sl_tunnel_reservoir_water(valve, *value_);
    *value_ = prescribed ? *value_ - sl_tunnel_series_at(&valve->levels, now(e))
                         : water - sl_tunnel_series_integral(&valve->inflow, now(e));
    *at = prescribed ? x_rise(net, index) : x_water(net, index);
    return SL_HYBRID_VALUE;
}

/* An opening of nothing, an inflow to no reservoir: they would have no effect. */
static bool has_effect(const engine *e, int32_t field, int32_t index) {
    const sl_tunnel_valve *valves = net_of(e)->valves;
    return field == FIELD_LEVEL                            ? tub_has_level(&valves[index])
           : field == FIELD_WATER || field == FIELD_INFLOW ? valves[index].tub == SL_TUB_RESERVOIR
           : field == FIELD_RISE                           ? valves[index].tub == SL_TUB_LEVEL
           : field == FIELD_GATE                           ? valves[index].tub != SL_TUB_NONE
                                                           : true;
}

static sl_status check(const void *engine_, int32_t field, int32_t index, double value_, sl_diags *diags) {
    const engine *e = engine_;
    if (index < 0 || index >= count(e, field)) {
        return SL_ERR_USE;
    }
    bool input = fields[field].flags & SL_FIELD_INPUT, gate = field == FIELD_GATE || field == FIELD_END_GATE;
    if (!input || !has_effect(e, field, index) || !isfinite(value_) || (gate && value_ != 0.0 && value_ != 1.0)) {
        bool possible = input && has_effect(e, field, index);
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, classes[fields[field].of].name, element(e, field, index),
                  gate && possible ? "a gate is 0, shut, or 1, open" : NULL, "%s cannot be set%s", fields[field].name,
                  possible ? " to that" : "");
        return SL_ERR_INPUT;
    }
    int32_t at, under = find_target(e, field, index, &value_, &at);
    return sl_hybrid_engine.check(e->under, under, at, value_, diags);
}

static sl_status set(void *engine_, int32_t field, int32_t index, double value_, sl_diags *diags) {
    engine *e = engine_;
    sl_status status = check(e, field, index, value_, diags);
    if (status != SL_OK) {
        return status;
    }
    int32_t at, under = find_target(e, field, index, &value_, &at);
    return at_boundary(e, sl_hybrid_engine.set(e->under, under, at, value_, diags));
}

const sl_engine_ops sl_tunnel_engine = {.name = "tunnel",
                                        .classes = classes,
                                        .n_class = N_CLASS,
                                        .fields = fields,
                                        .n_field = N_FIELD,
                                        .recorded = recorded,
                                        .title = title,
                                        .time_unit = "s",
                                        .create = create,
                                        .destroy = destroy,
                                        .count = count,
                                        .element = element,
                                        .time = now,
                                        .end = end_time,
                                        .next_event = next_event,
                                        .report = report,
                                        .step = step,
                                        .refresh = refresh,
                                        .show = show,
                                        .data = data,
                                        .moved = moved,
                                        .value = value,
                                        .cut = cut,
                                        .check = check,
                                        .set = set,
                                        .events = events,
                                        .save_size = save_size,
                                        .save = save,
                                        .restore = restore,
                                        .model_hash = model_hash};

/* ---- Models ------------------------------------------------------------------------------------- */

/* All that decides a run. */
static uint64_t hash_study(const sl_tunnel_study *study) {
    const sl_tunnel_network *net = study->net;
    const double run[] = {study->end, study->rtol, study->all_reversals, (double)study->policy};
    uint64_t parts[2] = {sl_hash_bytes(run, sizeof run), 0};
    for (int32_t v = 0; v < net->n_valve; v++) {
        const sl_tunnel_valve *a = &net->valves[v];
        const double numbers[] = {a->elevation, a->suction, a->hysteresis, (double)a->tub, a->is_open,
                                  a->area,      a->bottom,  a->level,      a->rim,         a->target};
        const sl_tunnel_series *series[] = {&a->levels, &a->inflow, &a->storage};
        parts[1] = sl_hash_bytes(numbers, sizeof numbers);
        parts[0] = sl_hash_bytes(parts, sizeof parts);
        for (int k = 0; k < 3; k++) {
            size_t n = (size_t)series[k]->n * sizeof(double);
            parts[1] = n > 0 ? sl_hash_bytes(series[k]->t, n) ^ sl_hash_bytes(series[k]->value, n) << 1 : 0;
            parts[0] = sl_hash_bytes(parts, sizeof parts);
        }
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        const sl_tunnel_pipe *p = &net->pipes[e / 2];
        const sl_tunnel_end *end = &p->ends[e % 2];
        const double numbers[] = {p->length,      p->area, p->diameter, p->friction,  p->added_length, end->valve,
                                  end->elevation, end->in, end->out,    end->is_open, end->drops,      end->is_vented};
        parts[1] = sl_hash_bytes(numbers, sizeof numbers);
        parts[0] = sl_hash_bytes(parts, sizeof parts);
    }
    for (int32_t k = 0; k < net->n_move; k++) {
        const double numbers[] = {net->moves[k].t, net->moves[k].valve, net->moves[k].end, net->moves[k].is_open};
        parts[1] = sl_hash_bytes(numbers, sizeof numbers);
        parts[0] = sl_hash_bytes(parts, sizeof parts);
    }
    for (int32_t k = 0; k < net->n_water; k++) {
        const double numbers[] = {net->waters[k].pipe, net->waters[k].side, net->waters[k].volume};
        parts[1] = sl_hash_bytes(numbers, sizeof numbers);
        parts[0] = sl_hash_bytes(parts, sizeof parts);
    }
    return parts[0];
}

sl_status sl_tunnel_engine_model_create(sl_context *ctx, sl_tunnel_study *study, sl_tunnel_engine_model **out) {
    sl_tunnel_engine_model *m = sl_alloc(ctx, sizeof *m);
    *out = m;
    if (!m) {
        return SL_ERR_MEMORY;
    }
    m->study = study;
    m->tunnel = sl_tunnel_model_default(study->net);
    m->tunnel.rtol = study->rtol;
    m->tunnel.all_reversals = study->all_reversals;
    m->moves = (sl_hybrid_model){.ops = &sl_tunnel_ops,
                                 .model = &m->tunnel,
                                 .def = sl_hybrid_default(),
                                 .report_step = study->report,
                                 .hash = hash_study(study)};
    m->moves.def.end = study->end;
    m->moves.def.dae.rtol = study->rtol;
    m->moves.def.dae.root_tol = SL_TUNNEL_ROOT_TOLERANCE;
    m->moves.def.dae.skip_algebraic = true; /* heads follow from flows: they need no error test of their own */
    m->moves.def.policy = study->policy;
    return SL_OK;
}

void sl_tunnel_engine_model_destroy(sl_tunnel_engine_model *model) {
    if (model) {
        sl_context *ctx = model->study->ctx;
        sl_tunnel_study_destroy(model->study);
        sl_free(ctx, model, sizeof *model);
    }
}
