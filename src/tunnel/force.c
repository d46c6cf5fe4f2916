/* SPDX-License-Identifier: MIT */
/* force.c: which equations and roots are in force at a discrete state, what they hold, and the values of roots.
 *
 * Roots are scaled so that 1 is the tolerance of what they watch, and are at zero where it is passed: at a volume of minus its
 * tolerance, a level its own tolerance beyond the sill. What is decided there needs less (sense.c), so an event always finds
 * something to do. Flows are watched where structure depends on their sign: at a wet tub without water outside. All other flow bits follow
 * at the next event, or, where all reversals are events, at once.
 */
#include "tunnel/instance.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

/* ---- Roots -------------------------------------------------------------------------------------- */

double tunnel_tub_flow(const tunnel_instance *o, const double *x, int32_t v) {
    const sl_tunnel_network *net = o->net;
    double sum = 0.0;
    for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
        int32_t e = net->ends[k];
        if (o->now.joined[e]) {
            sum += sl_end_sign(e) * x[x_flow(net, e)];
        }
    }
    return sum;
}

double tunnel_gain(const tunnel_instance *o, int32_t v, double t, const double *x) {
    const sl_tunnel_network *net = o->net;
    double gain = tub_inflow(net, v, t, x) - tunnel_tub_flow(o, x, v);
    for (int32_t k = net->source_start[v]; k < net->source_start[v + 1]; k++) {
        bool floods = o->equations[equation_of_valve(net, net->sources[k], EQUATION_RIM)];
        gain += floods ? tunnel_gain(o, net->sources[k], t, x) : 0.0;
    }
    return gain;
}

double tunnel_hysteresis(const tunnel_instance *o, int32_t v) {
    double times = o->relief ? o->relief[sl_valve_bits(v) + SL_TUB_LEGCTL] : 0.0;
    return fmax(o->net->valves[v].hysteresis, times > 0.0 ? 1e-3 : 0.0) * exp2(fmin(times, 20.0));
}

static double end_root(const tunnel_instance *o, int32_t e, int32_t k, const double *x) {
    const sl_tunnel_network *net = o->net;
    const sl_tunnel_pipe *pipe = &net->pipes[e / 2];
    switch (k) {
    case ROOT_EMPTY: return x[x_volume(e)] / volume_tolerance(pipe) + 1.0;
    case ROOT_FLOW: return x[x_flow(net, e)] / o->model->flow_tolerance + 1.0;
    case ROOT_BACK: return -x[x_flow(net, e)] / o->model->flow_tolerance + 1.0;
    default:
        return (pipe->ends[e % 2].elevation - x[x_head(net, sl_end_valve(net, e))]) / o->model->head_tolerance + 3.0;
    }
}

static double valve_root(const tunnel_instance *o, int32_t v, int32_t k, double t, const double *x) {
    const sl_tunnel_network *net = o->net;
    const sl_tunnel_valve *valve = &net->valves[v];
    double tol = LEVEL_TOLERANCE, z = valve->elevation;
    switch (k) {
    case ROOT_TUB_FLOW: return tunnel_tub_flow(o, x, v) / o->model->flow_tolerance + 1.0;
    case ROOT_TUB_BACK: return -tunnel_tub_flow(o, x, v) / o->model->flow_tolerance + 1.0;
    case ROOT_SPILL: return (z - x[x_head(net, v)]) / o->model->head_tolerance + 3.0;
    case ROOT_TUB_WET: return (z + tunnel_hysteresis(o, v) - tub_level(net, v, t, x)) / tol + 1.0;
    case ROOT_TUB_DRY: return (tub_level(net, v, t, x) - z) / tol + 1.0;
    case ROOT_SUCTION: return (x[x_head(net, v)] - z + valve->suction) / 1e-6 + 1.0;
    case ROOT_RIM: return (valve->rim - tub_level(net, v, t, x)) / tol + 1.0;
    default: return tunnel_gain(o, v, t, x) / o->model->flow_tolerance + 1.0;
    }
}

double tunnel_root(const tunnel_instance *o, int32_t root, double t, const double *x) {
    const sl_tunnel_network *net = o->net;
    int32_t n = net->n_pipe;
    if (root == root_of_schedule(net)) {
        return 1.0;
    }
    if (root < n) {
        const sl_tunnel_pipe *p = &net->pipes[root];
        double rest = pipe_capacity(p) - x[x_volume(2 * root)] - x[x_volume(2 * root + 1)];
        return rest / volume_tolerance(p) + 1.0;
    }
    root -= n;
    if (root < 2 * END_N_ROOT * n) {
        return end_root(o, root / END_N_ROOT, root % END_N_ROOT, x);
    }
    root -= 2 * END_N_ROOT * n;
    return valve_root(o, root / VALVE_N_ROOT, root % VALVE_N_ROOT, t, x);
}

/* ---- In force ------------------------------------------------------------------------------------- */

/* Flags of equations, and those of roots behind them: what is new is noted. */
static void put(tunnel_instance *o, bool root, int32_t i, bool value) {
    uint8_t *flag = root ? &o->roots[i] : &o->equations[i];
    if (*flag != value) {
        *flag = value;
        o->turned[o->n_turned++] = root ? o->n_equation + i : i;
    }
}

static void force_pipe(tunnel_instance *o, const int32_t *q, int32_t i) {
    const sl_tunnel_network *net = o->net;
    const sl_tunnel_structure *s = &o->now;
    const int32_t *mid = q + sl_pipe_bits(net, i);
    bool full = s->column[2 * i] == SL_TUNNEL_COLUMN_FULL, half = false;
    int32_t fronts = (s->joined[2 * i] ? 0 : 1) + (s->joined[2 * i + 1] ? 0 : 2);
    for (int32_t k = 0; k < 4; k++) {
        put(o, false, equation_of_pipe(net, i, EQUATION_FULL + k), full && k == fronts);
    }
    put(o, false, equation_of_pipe(net, i, EQUATION_SAME), full);
    for (int32_t e = 2 * i; e < 2 * i + 2; e++) {
        bool moves = s->column[e] == SL_TUNNEL_COLUMN_HALF;
        const int32_t *bits = q + sl_end_bits(net, e);
        half = half || moves;
        put(o, false, equation_of_end(e, EQUATION_VOLUME), moves);
        put(o, false, equation_of_end(e, EQUATION_HALF), moves);
        put(o, true, root_of_end(net, e, ROOT_EMPTY), moves);
        bool turns = o->model->all_reversals && s->column[e] && (!full || e % 2 == 0);
        put(o, true, root_of_end(net, e, ROOT_FLOW), turns && !bits[SL_END_FLOW]);
        put(o, true, root_of_end(net, e, ROOT_BACK), turns && bits[SL_END_FLOW]);
        put(o, true, root_of_end(net, e, ROOT_ENTER),
            s->head[sl_end_valve(net, e)] != SL_HEAD_NONE && !bits[SL_END_LEG] && bits[SL_END_OPEN] &&
                bits[SL_END_FLOW] == sl_end_sourcing(e));
    }
    put(o, true, root_of_pipe(i), !mid[SL_MID_JOINT] && half);
}

static void force_valve(tunnel_instance *o, const int32_t *q, int32_t v) {
    const sl_tunnel_network *net = o->net;
    const sl_tunnel_structure *s = &o->now;
    const sl_tunnel_valve *valve = &net->valves[v];
    const int32_t *bits = q + sl_valve_bits(v);
    bool joined = bits[SL_TUB_JOINT], leg = bits[SL_TUB_LEG], level = tub_has_level(valve);
    bool reservoir = valve->tub == SL_TUB_RESERVOIR, flood = q[q_flood(net, v)];
    bool turns = joined && (o->model->all_reversals || !leg);
    const bool equations[VALVE_N_EQUATION] = {[EQUATION_BALANCE] = s->head[v] == SL_HEAD_FREE,
                                              [EQUATION_LEVEL] = s->head[v] == SL_HEAD_LEVEL,
                                              [EQUATION_FALL] = s->head[v] == SL_HEAD_FALL,
                                              [EQUATION_PINNED] = s->head[v] == SL_HEAD_PINNED,
                                              [EQUATION_TUB] = joined && !flood,
                                              [EQUATION_STORE] = !joined && reservoir && !flood,
                                              [EQUATION_RIM] = flood,
                                              [EQUATION_FLOOD] = joined && flood,
                                              [EQUATION_FLOOD_STORE] = !joined && flood};
    const bool roots[VALVE_N_ROOT] = {[ROOT_TUB_FLOW] = turns && !bits[SL_TUB_FLOW],
                                      [ROOT_TUB_BACK] = turns && bits[SL_TUB_FLOW],
                                      [ROOT_SPILL] = s->head[v] >= SL_HEAD_FREE && bits[SL_TUB_OPEN] && !leg,
                                      [ROOT_TUB_WET] = level && !leg,
                                      [ROOT_TUB_DRY] = level && leg,
                                      [ROOT_SUCTION] = s->is_static[v],
                                      [ROOT_RIM] = reservoir && !flood && isfinite(valve->rim),
                                      [ROOT_EBB] = flood};
    for (int32_t k = 0; k < VALVE_N_EQUATION; k++) {
        put(o, false, equation_of_valve(net, v, k), equations[k]);
    }
    for (int32_t k = 0; k < VALVE_N_ROOT; k++) {
        put(o, true, root_of_valve(net, v, k), roots[k]);
    }
}

/* Only bodies of water that a change touches are found anew. */
sl_status tunnel_force(void *instance, const int32_t *q, sl_diags *diags, sl_hybrid_force *out) {
    tunnel_instance *o = instance;
    const sl_tunnel_network *net = o->net;
    const int32_t *in_force = state_in_force(o, q);
    (void)diags;
    o->n_turned = 0;
    if (o->stale.n > 0) {
        sl_tunnel_structure_follow(&o->now, net, in_force, &o->stale);
        for (int32_t k = 0; k < o->now.region.n; k++) {
            int32_t block = o->now.region.list[k];
            if (block < net->n_valve) {
                force_valve(o, in_force, block);
            } else {
                force_pipe(o, in_force, block - net->n_valve);
            }
        }
        put(o, true, root_of_schedule(net), net->n_move > 0);
        sl_tunnel_set_clear(&o->stale);
    }
    *out = (sl_hybrid_force){o->equations, o->roots, o->turned, o->n_turned};
    return SL_OK;
}

/* ---- Incidence ---------------------------------------------------------------------------------- */

/* Lists by rows; first only counted. */
typedef struct lister {
    const sl_tunnel_network *net;
    int32_t *start, *variables; /* variables NULL: only counted */
    int32_t n, n_row;
} lister;

static void begin_row(lister *l) {
    if (l->variables) {
        l->start[l->n_row] = l->n;
    }
    l->n_row++;
}
static void hold(lister *l, int32_t variable) {
    if (l->variables) {
        l->variables[l->n] = variable;
    }
    l->n++;
}
static void hold_flows(lister *l, int32_t v) {
    for (int32_t k = l->net->start[v]; k < l->net->start[v + 1]; k++) {
        hold(l, x_flow(l->net, l->net->ends[k]));
    }
}

/* Of the valve, and of those whose floods come here. */
static void hold_gain(lister *l, int32_t v) {
    hold_flows(l, v);
    for (int32_t k = l->net->source_start[v]; k < l->net->source_start[v + 1]; k++) {
        hold_gain(l, l->net->sources[k]);
    }
}

static void list_equations(lister *l) {
    const sl_tunnel_network *net = l->net;
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        begin_row(l); /* volume */
        hold(l, x_volume(e));
        hold(l, x_flow(net, e));
        begin_row(l); /* half */
        hold(l, x_volume(e));
        hold(l, x_flow(net, e));
        hold(l, x_head(net, sl_end_valve(net, e)));
    }
    for (int32_t i = 0; i < net->n_pipe; i++) {
        begin_row(l); /* same */
        hold(l, x_flow(net, 2 * i));
        hold(l, x_flow(net, 2 * i + 1));
        for (int32_t fronts = 0; fronts < 4; fronts++) {
            begin_row(l);
            hold(l, x_flow(net, 2 * i));
            for (int32_t j = 0; j < 2; j++) {
                if (!(fronts >> j & 1)) {
                    hold(l, x_head(net, sl_end_valve(net, 2 * i + j)));
                }
            }
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        for (int32_t k = 0; k < VALVE_N_EQUATION; k++) {
            begin_row(l);
            if (k >= EQUATION_LEVEL && k <= EQUATION_PINNED) {
                hold(l, x_head(net, v));
            } else if (k != EQUATION_BALANCE) {
                hold(l, k == EQUATION_FLOOD || k == EQUATION_FLOOD_STORE ? x_flood(net, v) : x_water(net, v));
            }
            if (k == EQUATION_LEVEL && net->valves[v].tub == SL_TUB_RESERVOIR) {
                hold(l, x_water(net, v));
            }
            if (k == EQUATION_BALANCE || k == EQUATION_TUB || k == EQUATION_FLOOD) {
                hold_flows(l, v);
            }
            if (k == EQUATION_BALANCE) {
                hold(l, x_head(net, v));
            }
            bool takes = k == EQUATION_TUB || k == EQUATION_STORE || k == EQUATION_FLOOD || k == EQUATION_FLOOD_STORE;
            for (int32_t s = net->source_start[v]; s < net->source_start[v + 1] && takes; s++) {
                hold(l, x_flood(net, net->sources[s]));
            }
        }
    }
}

static void list_roots(lister *l) {
    const sl_tunnel_network *net = l->net;
    for (int32_t i = 0; i < net->n_pipe; i++) {
        begin_row(l);
        hold(l, x_volume(2 * i));
        hold(l, x_volume(2 * i + 1));
    }
    for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
        begin_row(l);
        hold(l, x_volume(e));
        for (int32_t k = ROOT_FLOW; k <= ROOT_BACK; k++) {
            begin_row(l);
            hold(l, x_flow(net, e));
        }
        begin_row(l);
        hold(l, x_head(net, sl_end_valve(net, e)));
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        for (int32_t k = 0; k < VALVE_N_ROOT; k++) {
            begin_row(l);
            if (k == ROOT_EBB) {
                hold_gain(l, v);
            } else if (k == ROOT_TUB_FLOW || k == ROOT_TUB_BACK) {
                hold_flows(l, v);
            } else if (k == ROOT_SPILL || k == ROOT_SUCTION) {
                hold(l, x_head(net, v));
            } else if (net->valves[v].tub == SL_TUB_RESERVOIR) {
                hold(l, x_water(net, v));
            } else {
                hold(l, x_rise(net, v)); /* which stands: a level that is set is a root's value */
            }
        }
    }
    begin_row(l); /* the schedule's */
}

static bool list(tunnel_instance *o, void (*rows)(lister *), const int32_t **start, const int32_t **variables) {
    lister l = {.net = o->net};
    rows(&l);
    int32_t *block = sl_arena_alloc(&o->arena, (size_t)(l.n_row + 1 + l.n) * sizeof *block);
    if (!block) {
        return false;
    }
    *start = block;
    *variables = block + l.n_row + 1;
    block[l.n_row] = l.n;
    l = (lister){.net = o->net, .start = block, .variables = block + l.n_row + 1};
    rows(&l);
    return true;
}

/* The discrete variable that a root concerns: events are counted by it. */
static int32_t concerns(const sl_tunnel_network *net, int32_t root) {
    static const int32_t of_end[END_N_ROOT] = {[ROOT_EMPTY] = SL_END_LEGCTL,
                                               [ROOT_FLOW] = SL_END_FLOWCTL,
                                               [ROOT_BACK] = SL_END_FLOWCTL,
                                               [ROOT_ENTER] = SL_END_FLOWCTL};
    static const int32_t of_valve[VALVE_N_ROOT] = {
        [ROOT_TUB_FLOW] = SL_TUB_FLOWCTL, [ROOT_TUB_BACK] = SL_TUB_FLOWCTL, [ROOT_SPILL] = SL_TUB_FLOWCTL,
        [ROOT_TUB_WET] = SL_TUB_LEGCTL,   [ROOT_TUB_DRY] = SL_TUB_LEGCTL,   [ROOT_SUCTION] = SL_VALVE_REC};
    int32_t n = net->n_pipe;
    if (root == root_of_schedule(net)) {
        return q_action(net);
    }
    if (root < n) {
        return sl_pipe_bits(net, root) + SL_MID_CTL;
    }
    root -= n;
    if (root < 2 * END_N_ROOT * n) {
        return sl_end_bits(net, root / END_N_ROOT) + of_end[root % END_N_ROOT];
    }
    root -= 2 * END_N_ROOT * n;
    int32_t v = root / VALVE_N_ROOT, k = root % VALVE_N_ROOT;
    return k >= ROOT_RIM ? q_flood(net, v) : sl_valve_bits(v) + of_valve[k];
}

bool tunnel_make_incidence(tunnel_instance *o) {
    sl_hybrid_incidence *a = &o->incidence;
    int32_t *decides = sl_arena_alloc(&o->arena, (size_t)o->n_root * sizeof *decides);
    a->n_equation = o->n_equation;
    a->n_root = o->n_root;
    for (int32_t r = 0; decides && r < o->n_root; r++) {
        decides[r] = concerns(o->net, r);
    }
    a->decides = decides;
    return decides && list(o, list_equations, &a->start, &a->variables) &&
           list(o, list_roots, &a->root_start, &a->root_variables);
}
