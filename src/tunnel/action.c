/* SPDX-License-Identifier: MIT */
/* action.c: what an event does to volumes and flows: cuts, collisions, branching.
 *
 * Water that recedes from one end of a full pipe has its front there: its volume belongs to the other end from then on. Flows at ends
 * that no longer move stop. Then columns that are joined meet: their flows change by the shared impulses at their valves, as
 * little as possible in the norm of kinetic energy, to flows that balance at every valve without a given head. That is an orthogonal projection:
 *
 *     (B M^-1 B') l = B Q,    Q := Q - M^-1 B' l
 *
 * with the masses M of columns (inertances) and B as in the balance of heads; energy never grows. What can only push is held by an
 * active set: a tub without water outside gives none, and a column without volume cannot get shorter. A body whose flows balance
 * already is left alone, bit for bit. Bodies that no valve joins are projected one by one, and those that nothing happened to not at all.
 */
#include "tunnel/instance.h"

#include "base/memory.h"
#include "numeric/ldl.h"

#include <math.h>
#include <string.h>

/* A valve where water falls free balances once its tub would have to give what it does not have; a balance that follows from others is
 * left out. */
typedef enum valve_rule { RULE_HEAD = 0, RULE_BALANCE, RULE_LEFT_OUT } valve_rule;

/* Columns of a body, by the ends that stand for them: a half column's own, a full one's upper. */
typedef struct body {
    tunnel_instance *o;
    int32_t n_valve, n_column;
    int32_t *valves, *columns; /* [n] */
    int32_t *row;              /* [n_valve of the network] number of a valve that balances; -1 */
    uint8_t *rule;             /* [n_valve of the network] valve_rule */
    uint8_t *is_held;          /* [n_column] */
    double *mass, *flow;       /* [n_column] inertance, flow as it comes; [2 n_column] and what it becomes */
    double *impulse;           /* [n_valve] */
    int32_t *from, *to;        /* [n_column] valves that balance, by number; -1 */
} body;

static double column_mass(const sl_tunnel_network *net, const sl_tunnel_structure *s, const double *x, int32_t e) {
    const sl_tunnel_pipe *p = &net->pipes[e / 2];
    double mass = end_inertance(p, x[x_volume(e)]);
    return s->column[e] == SL_TUNNEL_COLUMN_FULL ? mass + end_inertance(p, x[x_volume(e ^ 1)]) : mass;
}

/* ---- Before columns meet ------------------------------------------------------------------------ */

/* The front of what has let go of one end is there: the water belongs to the other. */
static void move_volume(const sl_tunnel_network *net, const int32_t *q, double *x, int32_t e) {
    const int32_t *mid = q + sl_pipe_bits(net, e / 2), *o = q + sl_end_bits(net, e),
                  *other = q + sl_end_bits(net, e ^ 1);
    bool recedes = mid[SL_MID_JOINT] && mid[SL_MID_REC] && o[SL_END_REC] && !other[SL_END_REC];
    if (recedes || sl_tunnel_end_falls(net, q, e)) {
        double mass = end_inertance(&net->pipes[e / 2], x[x_volume(e ^ 1)]);
        x[x_volume(e ^ 1)] += x[x_volume(e)];
        x[x_volume(e)] = 0.0;
        if (!recedes) { /* what falls arrives at rest */
            x[x_flow(net, e ^ 1)] *= mass / end_inertance(&net->pipes[e / 2], x[x_volume(e ^ 1)]);
        }
    }
}

/* Roots fire a tolerance beyond empty and full. What a column that has run empty gave too much, and what a pipe holds too much that is
 * full no more, is settled with the account outside of the valve: nothing is lost, and the next column begins at zero. */
static void settle_rest(tunnel_instance *o, const int32_t *q, double *x, int32_t e) {
    const sl_tunnel_network *net = o->net;
    const int32_t *in_force = state_in_force(o, q), *end = in_force + sl_end_bits(net, e);
    double *volume = &x[x_volume(e)], *account = &x[x_water(net, sl_end_valve(net, e))], rest = 0.0;
    double capacity = pipe_capacity(&net->pipes[e / 2]);
    if (!in_force[sl_pipe_bits(net, e / 2) + SL_MID_JOINT]) {
        rest = *volume > capacity ? *volume - capacity : !end[SL_END_LEG] ? *volume : 0.0;
    }
    *volume -= rest;
    *account += rest;
}

/* The flow of a column that has become one is that of its masses together; what does not move has none. */
static void join_flows(tunnel_instance *o, double *x, int32_t i) {
    const sl_tunnel_network *net = o->net;
    double *flow = x + x_flow(net, 2 * i);
    if (o->now.column[2 * i] == SL_TUNNEL_COLUMN_FULL) {
        double a = end_inertance(&net->pipes[i], x[x_volume(2 * i)]);
        double b = end_inertance(&net->pipes[i], x[x_volume(2 * i + 1)]);
        if (flow[0] != flow[1]) {
            flow[0] = flow[1] = (a * flow[0] + b * flow[1]) / (a + b);
        }
        return;
    }
    for (int32_t j = 0; j < 2; j++) {
        flow[j] = o->now.column[2 * i + j] ? flow[j] : 0.0;
    }
}

/* ---- One body ------------------------------------------------------------------------------------ */

static bool balances(const body *b, int32_t v) {
    uint8_t head = b->o->now.head[v];
    return b->rule[v] != RULE_LEFT_OUT &&
           (head == SL_HEAD_FREE || (head == SL_HEAD_FALL && b->rule[v] == RULE_BALANCE));
}

static int32_t column_of(const tunnel_instance *o, int32_t e) {
    return o->now.column[e] == SL_TUNNEL_COLUMN_FULL ? e & ~1 : e;
}

/* Numbers valves that balance, and the ends of columns at them. A pinned valve's balance follows from the others'. */
static int32_t number(body *b) {
    const tunnel_instance *o = b->o;
    int32_t n = 0;
    for (int32_t k = 0; k < b->n_valve; k++) {
        int32_t v = b->valves[k];
        b->row[v] = balances(b, v) ? n++ : -1;
    }
    for (int32_t c = 0; c < b->n_column; c++) {
        int32_t e = b->columns[c], ends[2] = {-1, -1};
        for (int32_t j = 0; j < 2; j++) {
            int32_t end = (e & ~1) + j;
            bool of_it = o->now.column[e] == SL_TUNNEL_COLUMN_FULL || end == e;
            if (of_it && o->now.joined[end]) {
                int32_t row = b->row[sl_end_valve(o->net, end)];
                ends[j] = row >= 0 ? row : -1;
            }
        }
        b->from[c] = ends[0];
        b->to[c] = ends[1];
    }
    return n;
}

/* Flows that balance at n valves; held columns are zero. left_out: a valve whose balance follows from the others', or -1; flows are
 * not set then. False: no memory. */
static bool solve(body *b, int32_t n, double *flow, int32_t *left_out) {
    sl_context *ctx = b->o->ctx;
    sl_ldl *ldl = NULL;
    for (int32_t c = 0; c < b->n_column; c++) {
        flow[c] = b->is_held[c] ? 0.0 : b->flow[c];
    }
    *left_out = -1;
    if (n == 0) {
        return true;
    }
    if (sl_ldl_create(ctx, n, b->n_column, b->from, b->to, &ldl) != SL_OK) {
        return false;
    }
    size_t size = (size_t)sl_ldl_work(ldl) * sizeof(double);
    double *work = sl_alloc(ctx, size);
    bool fine = work != NULL;
    if (fine) {
        double *a = sl_ldl_matrix(ldl, work);
        const int32_t *slots = sl_ldl_slots(ldl);
        memset(b->impulse, 0, (size_t)n * sizeof *b->impulse);
        for (int32_t c = 0; c < b->n_column; c++) {
            double inverse = b->is_held[c] ? 0.0 : 1.0 / b->mass[c];
            int32_t ends[2] = {b->from[c], b->to[c]};
            for (int32_t j = 0; j < 2; j++) {
                if (ends[j] >= 0) {
                    a[ends[j]] += inverse;
                    b->impulse[ends[j]] += (j == 0 ? 1.0 : -1.0) * flow[c];
                }
            }
            if (slots[c] >= 0) {
                a[slots[c]] -= inverse;
            }
        }
        for (int32_t k = 0; k < n; k++) { /* a valve where nothing is left to move */
            a[k] = a[k] > 0.0 ? a[k] : 1.0;
        }
        *left_out = sl_ldl_factor(ldl, work);
        if (*left_out < 0) {
            sl_ldl_solve(ldl, work, b->impulse);
        }
        for (int32_t c = 0; c < b->n_column && *left_out < 0; c++) {
            double up = b->from[c] >= 0 ? b->impulse[b->from[c]] : 0.0,
                   down = b->to[c] >= 0 ? b->impulse[b->to[c]] : 0.0;
            flow[c] -= b->is_held[c] ? 0.0 : (up - down) / b->mass[c];
        }
    }
    sl_free(ctx, work, work ? size : 0);
    sl_ldl_destroy(ldl);
    return fine;
}

/* What can only push and pulls: true if there is any more. */
static bool hold_more(body *b, const double *flow, const double *x) {
    const tunnel_instance *o = b->o;
    bool more = false;
    for (int32_t c = 0; c < b->n_column; c++) {
        int32_t e = b->columns[c];
        bool empty = o->now.column[e] == SL_TUNNEL_COLUMN_HALF &&
                     x[x_volume(e)] <= 2.0 * volume_tolerance(&o->net->pipes[e / 2]);
        if (empty && !b->is_held[c] && sl_end_sign(e) * flow[c] < 0.0) {
            b->is_held[c] = 1;
            more = true;
        }
    }
    for (int32_t k = 0; k < b->n_valve; k++) {
        int32_t v = b->valves[k];
        double given = 0.0;
        if (o->now.head[v] != SL_HEAD_FALL || b->rule[v] != RULE_HEAD) {
            continue;
        }
        for (int32_t c = 0; c < b->n_column; c++) {
            for (int32_t j = 0; j < 2; j++) {
                int32_t end = (b->columns[c] & ~1) + j;
                bool of_it = o->now.column[b->columns[c]] == SL_TUNNEL_COLUMN_FULL || end == b->columns[c];
                given +=
                    of_it && o->now.joined[end] && sl_end_valve(o->net, end) == v ? sl_end_sign(end) * flow[c] : 0.0;
            }
        }
        if (given > o->model->flow_tolerance) {
            b->rule[v] = RULE_BALANCE;
            more = true;
        }
    }
    return more;
}

/* Is the sum of flows zero at every valve that balances, and nothing pulled? */
static bool is_balanced(const body *b, int32_t n) {
    double *sum = b->impulse;
    memset(sum, 0, (size_t)n * sizeof *sum);
    double most = 0.0;
    for (int32_t c = 0; c < b->n_column; c++) {
        most = fmax(most, fabs(b->flow[c]));
        if (b->from[c] >= 0) {
            sum[b->from[c]] += b->flow[c];
        }
        if (b->to[c] >= 0) {
            sum[b->to[c]] -= b->flow[c];
        }
    }
    for (int32_t k = 0; k < n; k++) {
        if (fabs(sum[k]) > 1e-15 * most) {
            return false;
        }
    }
    return true;
}

static sl_status project_body(body *b, double *x) {
    const sl_tunnel_network *net = b->o->net;
    double *flow = b->flow + b->n_column;
    int32_t n = number(b);
    bool balanced = is_balanced(b, n);
    memcpy(flow, b->flow, (size_t)b->n_column * sizeof *flow);
    for (int32_t k = 0; k <= 2 * b->n_valve + b->n_column; k++) { /* each time something more is held or left out */
        int32_t left_out = -1;
        if (!(k == 0 && balanced) && !solve(b, n, flow, &left_out)) {
            return SL_ERR_MEMORY;
        }
        for (int32_t i = 0; i < b->n_valve && left_out >= 0; i++) {
            if (b->row[b->valves[i]] == left_out) {
                b->rule[b->valves[i]] = RULE_LEFT_OUT;
            }
        }
        if (left_out < 0 && !hold_more(b, flow, x)) {
            break;
        }
        n = number(b);
    }
    for (int32_t c = 0; c < b->n_column; c++) {
        int32_t e = b->columns[c];
        x[x_flow(net, e)] = flow[c];
        if (b->o->now.column[e] == SL_TUNNEL_COLUMN_FULL) {
            x[x_flow(net, e ^ 1)] = flow[c];
        }
    }
    return SL_OK;
}

/* ---- All bodies --------------------------------------------------------------------------------- */

/* Valves that columns join, also over valves of a given head where water falls free: a tub that cannot give couples them. Collects the
 * body that holds valve v. */
static void collect(body *b, int32_t v) {
    const tunnel_instance *o = b->o;
    const sl_tunnel_network *net = o->net;
    uint8_t *seen = o->projection.valve_seen, *column_seen = o->projection.column_seen;
    b->n_valve = b->n_column = 0;
    b->valves[b->n_valve++] = v;
    seen[v] = 1;
    for (int32_t k = 0; k < b->n_valve; k++) {
        int32_t at = b->valves[k];
        b->rule[at] = RULE_HEAD;
        b->row[at] = -1;
        for (int32_t i = net->start[at]; i < net->start[at + 1]; i++) {
            int32_t e = net->ends[i], c = column_of(o, e), w = sl_end_valve(net, e ^ 1);
            if (!o->now.joined[e] || column_seen[c]) {
                continue;
            }
            column_seen[c] = 1;
            b->columns[b->n_column++] = c;
            if (sl_tunnel_connects(&o->now, e)) {
                b->row[w] = -1;
                if (!seen[w] && o->now.head[w] != SL_HEAD_LEVEL) {
                    seen[w] = 1;
                    b->valves[b->n_valve++] = w;
                }
            }
        }
    }
}

bool tunnel_projection_init(tunnel_projection *p, const sl_tunnel_network *net, sl_arena *arena) {
    size_t v = (size_t)net->n_valve, e = 2 * (size_t)net->n_pipe;
    p->impulse = sl_arena_alloc(arena, (v + 3 * e) * sizeof *p->impulse);
    p->valves = sl_arena_alloc(arena, (2 * v + 3 * e) * sizeof *p->valves);
    p->is_held = sl_arena_alloc(arena, 2 * v + 2 * e);
    if (!p->impulse || !p->valves || !p->is_held) {
        return false;
    }
    p->mass = p->impulse + v;
    p->flow = p->mass + e;
    p->columns = p->valves + v;
    p->row = p->columns + e;
    p->from = p->row + v;
    p->to = p->from + e;
    p->rule = p->is_held + e;
    p->valve_seen = p->rule + v;
    p->column_seen = p->valve_seen + v;
    return true;
}

/* Blocks that the next action concerns: those where something has changed, and the bodies there. */
static void find_region(tunnel_instance *o) {
    sl_tunnel_set_clear(&o->region);
    if (o->acts_on_all) {
        sl_tunnel_set_fill(&o->region, o->net);
        return;
    }
    sl_tunnel_set_add_all(&o->region, &o->altered);
    sl_tunnel_set_add_valves(&o->region, o->net);
    sl_tunnel_structure_spread(&o->now, o->net, &o->region);
    sl_tunnel_set_add_pipes(&o->region, o->net);
}

void tunnel_find_acted(tunnel_instance *o) {
    const sl_tunnel_network *net = o->net;
    find_region(o);
    o->n_acted = 0;
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t block = o->region.list[k], e = 2 * (block - net->n_valve);
        if (block < net->n_valve) {
            o->acted[o->n_acted++] = x_water(net, block);
            o->acted[o->n_acted++] = x_head(net, block);
            continue;
        }
        for (int32_t j = e; j < e + 2; j++) {
            o->acted[o->n_acted++] = x_volume(j);
            o->acted[o->n_acted++] = x_flow(net, j);
        }
    }
}

/* A body that has been projected already, or that no head of which follows from its columns. */
static bool is_done(const tunnel_instance *o, int32_t v) {
    return o->projection.valve_seen[v] || o->now.head[v] == SL_HEAD_NONE || o->now.head[v] == SL_HEAD_LEVEL;
}

static sl_status project_bodies(tunnel_instance *o, double *x) {
    const sl_tunnel_network *net = o->net;
    const tunnel_projection *p = &o->projection;
    body b = {o,          0,       0,       p->valves,  p->columns, p->row, p->rule,
              p->is_held, p->mass, p->flow, p->impulse, p->from,    p->to};
    sl_status status = SL_OK;
    for (int32_t k = 0; k < o->region.n && status == SL_OK; k++) {
        int32_t v = o->region.list[k];
        if (v >= net->n_valve || is_done(o, v)) {
            continue;
        }
        collect(&b, v);
        for (int32_t c = 0; c < b.n_column; c++) {
            b.is_held[c] = 0;
            b.mass[c] = column_mass(net, &o->now, x, b.columns[c]);
            b.flow[c] = x[x_flow(net, b.columns[c])];
        }
        status = project_body(&b, x);
    }
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t block = o->region.list[k], e = 2 * (block - net->n_valve);
        if (block < net->n_valve) {
            p->valve_seen[block] = 0;
        } else {
            p->column_seen[e] = p->column_seen[e + 1] = 0;
        }
    }
    return status;
}

sl_status tunnel_project(tunnel_instance *o, const int32_t *q, double *x) {
    const sl_tunnel_network *net = o->net;
    for (int32_t k = 0; k < o->region.n; k++) {
        int32_t block = o->region.list[k], e = 2 * (block - net->n_valve);
        if (block < net->n_valve) { /* the head at a dry valve is the sill's */
            double *head = &x[x_head(net, block)];
            *head = o->now.head[block] == SL_HEAD_NONE ? net->valves[block].elevation : *head;
        } else if (o->acts_on_all || o->altered.has[block]) {
            move_volume(net, q, x, e);
            move_volume(net, q, x, e + 1);
            settle_rest(o, q, x, e);
            settle_rest(o, q, x, e + 1);
            join_flows(o, x, e / 2);
        }
    }
    return project_bodies(o, x);
}
