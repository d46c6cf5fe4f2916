/* SPDX-License-Identifier: MIT */
/* equations.c: the equations of a part of the model, compiled: residual, exact Jacobian and roots.
 *
 * Of end e of a pipe, with its volume V, flow Q, length of water l = V / A, sign s (+1 upstream, -1 downstream):
 *
 *     volume     V' = s Q
 *     half       (l + l_added) / (g A) Q' = s (H - z_front) - R |Q| Q
 *     full       (L + 2 l_added) / (g A) Q' = H_upper - H_lower - R |Q| Q,   and both ends have one Q'
 *
 * and of a valve, with the flows of what moves and is joined there:
 *
 *     balance    sum of s Q' = 0, which keeps the sum of flows where the action has put it: at zero
 *     level, fall, pinned   H is given
 *     tub        W' = -sum of s Q, beside the inflow
 *
 * R holds friction over the length of water and the local losses in the direction of flow. The system is linear in Q' and H, of index 1.
 */
#include "tunnel/instance.h"

#include "base/memory.h"
#include "base/out.h"
#include "numeric/lookup.h"

#include <math.h>
#include <string.h>

typedef enum row_kind {
    ROW_VOLUME = 0,
    ROW_HALF,
    ROW_SAME,
    ROW_FULL,
    ROW_BALANCE,
    ROW_LEVEL,
    ROW_FALL,
    ROW_PINNED,
    ROW_TUB,
    ROW_STORE,
    ROW_FLOOD,
    ROW_FLOOD_STORE,
    ROW_RIM
} row_kind;

/* first: the unknowns of a row in columns, from first[r] on; slot: where an entry of the Jacobian is. */
typedef struct row {
    uint8_t kind, fronts;      /* of ROW_FULL: bits of ends that are free */
    int32_t index;             /* end, pipe or valve */
    int32_t first, n, n_flood; /* the last ones are floods that come here */
} row;

typedef struct part {
    tunnel_instance *of;
    int32_t n, n_root, n_entry;
    row *rows;
    int32_t *variables;      /* [n] */
    const int32_t *roots;    /* [n_root] */
    int32_t *columns, *slot; /* [n_entry] by rows */
    int32_t *start, *entry_row;
    uint8_t *kinds; /* [n_entry] in slots */
    double *atols;  /* [n] */
    int32_t *timed; /* [n_timed] valves where something follows from time, with kinks */
    int32_t n_timed;
    bool has_schedule;
    size_t size;
} part;

/* ---- Rows --------------------------------------------------------------------------------------- */

static row find_row(const sl_tunnel_network *net, int32_t equation) {
    int32_t ends = 2 * END_N_EQUATION * net->n_pipe, pipes = PIPE_N_EQUATION * net->n_pipe;
    if (equation < ends) {
        return (row){.kind = (uint8_t)(equation % END_N_EQUATION ? ROW_HALF : ROW_VOLUME),
                     .index = equation / END_N_EQUATION};
    }
    equation -= ends;
    if (equation < pipes) {
        int32_t k = equation % PIPE_N_EQUATION;
        return (row){.kind = (uint8_t)(k < EQUATION_FULL ? ROW_SAME : ROW_FULL),
                     .fronts = (uint8_t)(k < EQUATION_FULL ? 0 : k - EQUATION_FULL),
                     .index = equation / PIPE_N_EQUATION};
    }
    equation -= pipes;
    return (row){.kind = (uint8_t)(ROW_BALANCE + equation % VALVE_N_EQUATION), .index = equation / VALVE_N_EQUATION};
}

/* The variable that is a row's own: there is one for each. */
static int32_t own_variable(const sl_tunnel_network *net, const row *r) {
    switch (r->kind) {
    case ROW_VOLUME: return x_volume(r->index);
    case ROW_HALF: return x_flow(net, r->index);
    case ROW_SAME: return x_flow(net, 2 * r->index + 1);
    case ROW_FULL: return x_flow(net, 2 * r->index);
    case ROW_TUB:
    case ROW_RIM:
    case ROW_STORE: return x_water(net, r->index);
    case ROW_FLOOD:
    case ROW_FLOOD_STORE: return x_flood(net, r->index);
    default: return x_head(net, r->index);
    }
}

/* One entry of a row while it is made. */
typedef struct entries {
    part *p;
    int32_t n;
    uint8_t *kinds; /* by rows */
} entries;

/* A variable that stands still in this part is not an unknown. */
static void add_entry(entries *w, int32_t variable, uint8_t kind) {
    int32_t column = w->p->of->local[variable];
    if (column >= 0) {
        w->p->columns[w->n] = column;
        w->kinds[w->n++] = kind;
    }
}

/* Flows that meet at a valve: ends that are joined there have a head in their equation, or are of a full column without a front. */
static void add_flows(entries *w, int32_t v, uint8_t kind) {
    const sl_tunnel_network *net = w->p->of->net;
    for (int32_t k = net->start[v]; k < net->start[v + 1]; k++) {
        int32_t e = net->ends[k];
        if (!w->p->of->is_front[e]) {
            add_entry(w, x_flow(net, e), kind);
        }
    }
}

/* Floods of other reservoirs that come to this one, as they rise. */
static void add_floods(entries *w, row *r) {
    const sl_tunnel_network *net = w->p->of->net;
    int32_t before = w->n;
    for (int32_t k = net->source_start[r->index]; k < net->source_start[r->index + 1]; k++) {
        add_entry(w, x_flood(net, net->sources[k]), SL_DAE_DX);
    }
    r->n_flood = w->n - before;
}

static void add_row(entries *w, row *r) {
    const sl_tunnel_network *net = w->p->of->net;
    const uint8_t linear = SL_DAE_X, rate = SL_DAE_DX, both = SL_DAE_X | SL_DAE_DX | SL_DAE_NONLINEAR;
    int32_t i = r->index;
    r->first = w->n;
    switch (r->kind) {
    case ROW_VOLUME:
        add_entry(w, x_volume(i), rate);
        add_entry(w, x_flow(net, i), linear);
        break;
    case ROW_HALF:
        add_entry(w, x_volume(i), SL_DAE_X | SL_DAE_NONLINEAR);
        add_entry(w, x_flow(net, i), both | SL_DAE_SCALED);
        add_entry(w, x_head(net, sl_end_valve(net, i)), linear);
        break;
    case ROW_SAME:
        add_entry(w, x_flow(net, 2 * i), rate);
        add_entry(w, x_flow(net, 2 * i + 1), rate);
        break;
    case ROW_FULL:
        add_entry(w, x_flow(net, 2 * i), both);
        for (int32_t j = 0; j < 2; j++) {
            if (!(r->fronts >> j & 1)) {
                add_entry(w, x_head(net, sl_end_valve(net, 2 * i + j)), linear);
            }
        }
        break;
    case ROW_BALANCE: add_flows(w, i, rate); break;
    case ROW_LEVEL:
        add_entry(w, x_head(net, i), linear);
        if (net->valves[i].tub == SL_TUB_RESERVOIR) {
            add_entry(w, x_water(net, i), linear);
        }
        break;
    case ROW_TUB:
        add_entry(w, x_water(net, i), rate);
        add_flows(w, i, linear);
        add_floods(w, r);
        break;
    case ROW_RIM: add_entry(w, x_water(net, i), rate); break;
    case ROW_STORE:
        add_entry(w, x_water(net, i), rate);
        add_floods(w, r);
        break;
    case ROW_FLOOD:
        add_entry(w, x_flood(net, i), rate);
        add_flows(w, i, linear);
        add_floods(w, r);
        break;
    case ROW_FLOOD_STORE:
        add_entry(w, x_flood(net, i), rate);
        add_floods(w, r);
        break;
    default: add_entry(w, x_head(net, i), linear);
    }
    r->n = w->n - r->first;
}

/* ---- Numbers ------------------------------------------------------------------------------------ */

static double resistance(const sl_tunnel_pipe *p, double length, double loss) {
    return (p->friction * length / p->diameter + loss) / (2.0 * SL_TUNNEL_GRAVITY * p->area * p->area);
}

static double half_resistance(const sl_tunnel_pipe *p, int32_t e, double volume, double q) {
    const sl_tunnel_end *end = &p->ends[e % 2];
    return resistance(p, volume / p->area, sl_end_sign(e) * q > 0.0 ? end->in : end->out);
}

static double full_resistance(const sl_tunnel_pipe *p, double q) {
    const sl_tunnel_end *from = &p->ends[q >= 0.0 ? 0 : 1], *to = &p->ends[q >= 0.0 ? 1 : 0];
    return resistance(p, p->length, from->in + to->out);
}

double tunnel_front(const sl_tunnel_pipe *p, int32_t side, double volume) {
    double slope = (p->ends[1 - side].elevation - p->ends[side].elevation) / p->length;
    return p->ends[side].elevation + slope * (volume / p->area + (slope < 0.0 ? p->added_length : 0.0));
}

static double full_inertance(const sl_tunnel_pipe *p) {
    return (p->length + 2.0 * p->added_length) / (SL_TUNNEL_GRAVITY * p->area);
}

/* The sum of flows, or of their derivatives, that leave a valve by the columns of a row. */
static double sum_flows(const part *p, const row *r, int32_t skip, const double *values) {
    const sl_tunnel_network *net = p->of->net;
    double sum = 0.0;
    for (int32_t k = r->first + skip; k < r->first + r->n - r->n_flood; k++) {
        sum += sl_end_sign(p->variables[p->columns[k]] - 2 * net->n_pipe) * values[p->columns[k]];
    }
    return sum;
}

static double sum_floods(const part *p, const row *r, const double *dy) {
    double sum = 0.0;
    for (int32_t k = r->first + r->n - r->n_flood; k < r->first + r->n; k++) {
        sum += dy[p->columns[k]];
    }
    return sum;
}

static double row_residual(const part *p, const row *r, double t, const double *y, const double *dy) {
    const sl_tunnel_network *net = p->of->net;
    const double *x = p->of->x; /* of all: unknowns are written there first */
    const int32_t *c = p->columns + r->first;
    int32_t i = r->index;
    const sl_tunnel_valve *valve = r->kind >= ROW_BALANCE ? &net->valves[i] : NULL;
    const sl_tunnel_pipe *pipe = valve ? NULL : &net->pipes[r->kind >= ROW_SAME ? i : i / 2];
    switch (r->kind) {
    case ROW_VOLUME: return dy[c[0]] - sl_end_sign(i) * x[x_flow(net, i)];
    case ROW_HALF: {
        double v = x[x_volume(i)], q = x[x_flow(net, i)], h = x[x_head(net, sl_end_valve(net, i))];
        return end_inertance(pipe, v) * dy[c[1]] - sl_end_sign(i) * (h - tunnel_front(pipe, i % 2, v)) +
               half_resistance(pipe, i, v, q) * q * fabs(q);
    }
    case ROW_SAME: return dy[c[0]] - dy[c[1]];
    case ROW_FULL: {
        double h[2], q = x[x_flow(net, 2 * i)];
        for (int32_t j = 0; j < 2; j++) {
            h[j] = r->fronts >> j & 1 ? pipe->ends[j].elevation : x[x_head(net, pipe->ends[j].valve)];
        }
        return full_inertance(pipe) * dy[c[0]] - (h[0] - h[1]) + full_resistance(pipe, q) * q * fabs(q);
    }
    case ROW_BALANCE: return sum_flows(p, r, 0, dy);
    case ROW_LEVEL: return y[c[0]] - tub_level(net, i, t, x);
    case ROW_FALL: return y[c[0]] - valve->elevation;
    case ROW_PINNED: return y[c[0]] - p->of->now.pinned[i];
    case ROW_TUB:
    case ROW_STORE: return dy[c[0]] + sum_flows(p, r, 1, y) - x[x_inflow(net, i)] - sum_floods(p, r, dy);
    case ROW_RIM: return dy[c[0]] + sl_tunnel_series_at(&valve->inflow, t);
    default: return dy[c[0]] + sum_flows(p, r, 1, y) - tub_inflow(net, i, t, x) - sum_floods(p, r, dy); /* floods */
    }
}

static void scatter(const part *p, const double *y) {
    for (int32_t k = 0; k < p->n; k++) {
        p->of->x[p->variables[k]] = y[k];
    }
}

static int residual(void *user, double t, const double *y, const double *dy, double *out) {
    const part *p = user;
    scatter(p, y);
    for (int32_t r = 0; r < p->n; r++) {
        out[r] = row_residual(p, &p->rows[r], t, y, dy);
    }
    return 0;
}

/* Derivatives of a row, by its entries: by x times a and by x' times b. */
static void row_jacobian(const part *p, const row *r, double t, const double *dy, double a, double b, double *out) {
    const sl_tunnel_network *net = p->of->net;
    const double *x = p->of->x;
    const int32_t *c = p->columns + r->first;
    int32_t i = r->index, k = 0;
    switch (r->kind) {
    case ROW_VOLUME:
        out[0] = b;
        out[1] = -sl_end_sign(i) * a;
        break;
    case ROW_HALF: {
        const sl_tunnel_pipe *pipe = &net->pipes[i / 2];
        double v = x[x_volume(i)], q = x[x_flow(net, i)], g = SL_TUNNEL_GRAVITY * pipe->area;
        double slope = (pipe->ends[1 - i % 2].elevation - pipe->ends[i % 2].elevation) / pipe->length;
        double by_length = dy[c[1]] / g + sl_end_sign(i) * slope + resistance(pipe, 1.0, 0.0) * q * fabs(q);
        out[0] = a * by_length / pipe->area;
        out[1] = a * 2.0 * half_resistance(pipe, i, v, q) * fabs(q) + b * end_inertance(pipe, v);
        out[2] = -sl_end_sign(i) * a;
        break;
    }
    case ROW_SAME:
        out[0] = b;
        out[1] = -b;
        break;
    case ROW_FULL: {
        const sl_tunnel_pipe *pipe = &net->pipes[i];
        double q = x[x_flow(net, 2 * i)];
        out[k++] = a * 2.0 * full_resistance(pipe, q) * fabs(q) + b * full_inertance(pipe);
        for (int32_t j = 0; j < 2; j++) {
            if (!(r->fronts >> j & 1)) {
                out[k++] = j == 0 ? -a : a;
            }
        }
        break;
    }
    case ROW_LEVEL:
        out[0] = a;
        if (r->n > 1) {
            out[1] = -a / sl_tunnel_reservoir_area(&net->valves[i], tub_water(net, i, t, x));
        }
        break;
    case ROW_FALL:
    case ROW_PINNED: out[0] = a; break;
    default: /* flows at a valve, after the water outside */
        if (r->kind != ROW_BALANCE) {
            out[k++] = b;
        }
        for (; k < r->n - r->n_flood; k++) {
            out[k] = sl_end_sign(p->variables[c[k]] - 2 * net->n_pipe) * (r->kind == ROW_BALANCE ? b : a);
        }
        for (; k < r->n; k++) {
            out[k] = -b;
        }
    }
}

static int jacobian(void *user, double t, const double *y, const double *dy, double a, double b, double *values) {
    const part *p = user;
    double *of_row = p->of->row_values;
    scatter(p, y);
    for (int32_t r = 0; r < p->n; r++) {
        row_jacobian(p, &p->rows[r], t, dy, a, b, of_row);
        for (int32_t k = 0; k < p->rows[r].n; k++) {
            values[p->slot[p->rows[r].first + k]] = of_row[k];
        }
    }
    return 0;
}

static int roots(void *user, double t, const double *y, const double *dy, double *g) {
    const part *p = user;
    (void)dy;
    scatter(p, y);
    for (int32_t k = 0; k < p->n_root; k++) {
        g[k] = tunnel_root(p->of, p->roots[k], t, p->of->x);
    }
    return 0;
}

static void name(void *user, bool equation, int32_t i, char text[SL_DAE_NAME]) {
    static const char *const rows[] = {[ROW_VOLUME] = "volume of",     [ROW_HALF] = "motion of half column",
                                       [ROW_SAME] = "one flow of",     [ROW_FULL] = "motion of full column",
                                       [ROW_BALANCE] = "balance at",   [ROW_LEVEL] = "level at",
                                       [ROW_FALL] = "free fall at",    [ROW_PINNED] = "pinned head at",
                                       [ROW_TUB] = "water outside of", [ROW_STORE] = "water outside of",
                                       [ROW_FLOOD] = "flood of",       [ROW_FLOOD_STORE] = "flood of",
                                       [ROW_RIM] = "water outside of"};
    const part *p = user;
    const sl_tunnel_network *net = p->of->net;
    if (!equation) {
        (void)sl_format(text, SL_DAE_NAME, "%.90s", p->of->x_names[p->variables[i]]);
        return;
    }
    const row *r = &p->rows[i];
    const char *id = r->kind >= ROW_BALANCE ? sl_tunnel_valve_id(net, r->index)
                                            : sl_tunnel_pipe_id(net, r->kind >= ROW_SAME ? r->index : r->index / 2);
    (void)sl_format(text, SL_DAE_NAME, "%s %.60s", rows[r->kind], id);
}

/* ---- Compiling ---------------------------------------------------------------------------------- */

/* By columns, rows ascending: rows are made in order, so that filling in order does it. */
static void make_pattern(part *p, const uint8_t *kinds) {
    for (int32_t k = 0; k < p->n_entry; k++) {
        p->start[p->columns[k] + 1]++;
    }
    for (int32_t c = 0; c < p->n; c++) {
        p->start[c + 1] += p->start[c];
    }
    int32_t *next = p->of->changed; /* room for all variables */
    memcpy(next, p->start, (size_t)p->n * sizeof *next);
    for (int32_t r = 0; r < p->n; r++) {
        for (int32_t k = p->rows[r].first; k < p->rows[r].first + p->rows[r].n; k++) {
            int32_t at = next[p->columns[k]]++;
            p->slot[k] = at;
            p->entry_row[at] = r;
            p->kinds[at] = kinds[k];
        }
    }
}

static void make_tolerances(part *p, double rtol) {
    const sl_tunnel_network *net = p->of->net;
    double tight = fmin(1.0, rtol * 1e6); /* a looser run may be looser */
    for (int32_t k = 0; k < p->n; k++) {
        int32_t j = p->variables[k], n = 2 * net->n_pipe, v = (j - 2 * n) % net->n_valve;
        const sl_tunnel_pipe *pipe = j < 2 * n ? &net->pipes[j % n / 2] : NULL;
        p->atols[k] =
            j < n       ? 1e-8 * pipe_capacity(pipe)
            : j < 2 * n ? 1e-6 * pipe->area
            : j >= x_head(net, 0) && j < x_flood(net, 0)
                ? 1e-6
                : 1e-6 *
                      (net->valves[v].tub == SL_TUB_RESERVOIR ? sl_tunnel_reservoir_area(&net->valves[v], 0.0) : 1.0);
        p->atols[k] *= tight;
    }
}

static sl_status allocate(tunnel_instance *o, int32_t n, int32_t n_entry, int32_t n_root, part **out) {
    size_t rows = (size_t)n, n_entries = (size_t)n_entry, n_roots = (size_t)n_root;
    size_t size = sizeof(part) + rows * (sizeof(double) + sizeof(row) + 3 * sizeof(int32_t)) +
                  (3 * n_entries + 2 * n_roots + 1) * sizeof(int32_t) + 2 * n_entries;
    part *p = sl_alloc(o->ctx, size);
    *out = p;
    if (!p) {
        return SL_ERR_MEMORY;
    }
    *p = (part){.of = o, .n = n, .n_root = n_root, .n_entry = n_entry, .size = size};
    p->atols = (double *)(void *)(p + 1);
    p->rows = (row *)(void *)(p->atols + rows);
    p->variables = (int32_t *)(void *)(p->rows + rows);
    p->columns = p->variables + rows;
    p->slot = p->columns + n_entries;
    p->entry_row = p->slot + n_entries;
    p->start = p->entry_row + n_entries;
    p->timed = p->start + rows + 1;
    int32_t *kept = p->timed + rows + n_roots;
    p->roots = kept;
    p->kinds = (uint8_t *)(kept + n_roots);
    return SL_OK;
}

/* The block that a root belongs to; -1: the schedule's. */
static int32_t block_of_root(const sl_tunnel_network *net, int32_t root) {
    int32_t ends = root - net->n_pipe, valves = ends - 2 * END_N_ROOT * net->n_pipe;
    return root == root_of_schedule(net) ? -1
           : valves >= 0                 ? valves / VALVE_N_ROOT
                                         : net->n_valve + (ends >= 0 ? ends / (2 * END_N_ROOT) : root);
}

static int32_t block_of_row(const sl_tunnel_network *net, const row *r) {
    return r->kind >= ROW_BALANCE ? r->index : net->n_valve + (r->kind >= ROW_SAME ? r->index : r->index / 2);
}

static void note_time(part *p, int32_t block) {
    const sl_tunnel_network *net = p->of->net;
    const sl_tunnel_valve *valve = block >= 0 && block < net->n_valve ? &net->valves[block] : NULL;
    p->has_schedule = p->has_schedule || block < 0;
    if (valve && (valve->levels.n > 1 || valve->inflow.n > 1) &&
        (p->n_timed == 0 || p->timed[p->n_timed - 1] != block)) {
        p->timed[p->n_timed++] = block;
    }
}

static void find_timed(part *p) {
    for (int32_t k = 0; k < p->n; k++) {
        note_time(p, block_of_row(p->of->net, &p->rows[k]));
    }
    for (int32_t k = 0; k < p->n_root; k++) {
        note_time(p, block_of_root(p->of->net, p->roots[k]));
    }
}

void tunnel_add_part(const tunnel_instance *o, const sl_hybrid_mode *mode, sl_tunnel_set *set) {
    const part *p = mode->own;
    for (int32_t k = 0; k < p->n; k++) {
        sl_tunnel_set_add(set, block_of_row(o->net, &p->rows[k]));
    }
    for (int32_t k = 0; k < p->n_root; k++) {
        int32_t block = block_of_root(o->net, p->roots[k]);
        if (block >= 0) {
            sl_tunnel_set_add(set, block);
        }
    }
}

/* The first point of a series after t. */
static double next_point(const sl_tunnel_series *s, double t) {
    int32_t k = s->n > 1 ? sl_points_find(s->n, s->t, t) + 1 : s->n;
    return k < s->n ? s->t[k] : (double)INFINITY;
}

double tunnel_part_limit(void *instance, const sl_hybrid_mode *mode, double t) {
    const part *p = mode->own;
    const sl_tunnel_network *net = ((const tunnel_instance *)instance)->net;
    double first = (double)INFINITY;
    for (int32_t k = 0; k < p->n_timed; k++) {
        const sl_tunnel_valve *valve = &net->valves[p->timed[k]];
        first = fmin(first, fmin(next_point(&valve->levels, t), next_point(&valve->inflow, t)));
    }
    if (p->has_schedule) {
        int32_t k = sl_tunnel_next_move(net, t);
        first = k < net->n_move ? fmin(first, net->moves[k].t) : first;
    }
    return first;
}

/* Marks ends whose column is free there, and unknowns, for as long as rows are made. */
static int32_t number_unknowns(tunnel_instance *o, int32_t n, const int32_t *equations, bool forget) {
    int32_t n_entry = 0;
    for (int32_t k = 0; k < n; k++) {
        row r = find_row(o->net, equations[k]);
        o->local[own_variable(o->net, &r)] = forget ? -1 : k;
        for (int32_t j = 0; j < 2 && r.kind == ROW_FULL; j++) {
            o->is_front[2 * r.index + j] = !forget && (r.fronts >> j & 1);
        }
        bool valve = r.kind >= ROW_BALANCE;
        int32_t at = r.index;
        n_entry += valve ? 2 + o->net->start[at + 1] - o->net->start[at] + o->net->source_start[at + 1] -
                               o->net->source_start[at]
                         : 3;
    }
    return n_entry; /* at most */
}

sl_status tunnel_compile_part(void *instance, int32_t n, const int32_t *equations, int32_t n_root, const int32_t *which,
                              sl_diags *diags, sl_hybrid_mode *out) {
    tunnel_instance *o = instance;
    part *p;
    (void)diags;
    int32_t most = number_unknowns(o, n, equations, false);
    sl_status status = allocate(o, n, most, n_root, &p);
    if (status == SL_OK) {
        entries w = {.p = p, .kinds = p->kinds + most}; /* by rows first */
        for (int32_t k = 0; k < n; k++) {
            p->rows[k] = find_row(o->net, equations[k]);
            p->variables[k] = own_variable(o->net, &p->rows[k]);
            add_row(&w, &p->rows[k]);
        }
        p->n_entry = w.n;
        memcpy((int32_t *)(uintptr_t)p->roots, which, (size_t)n_root * sizeof *which);
        make_pattern(p, w.kinds);
        make_tolerances(p, o->model->rtol);
        find_timed(p);
        *out = (sl_hybrid_mode){.system = {.pattern = {n, n, p->start, p->entry_row, p->kinds},
                                           .n_root = n_root,
                                           .user = p,
                                           .residual = residual,
                                           .jacobian = jacobian,
                                           .roots = n_root > 0 ? roots : NULL,
                                           .name = name},
                                .variables = p->variables,
                                .atols = p->atols,
                                .root_variables = NULL,
                                .is_checked = true,
                                .own = p,
                                .size = p->size};
    }
    (void)number_unknowns(o, n, equations, true);
    return status;
}

void tunnel_release_part(void *instance, int32_t id, const sl_hybrid_mode *mode) {
    tunnel_instance *o = instance;
    part *p = mode->own;
    (void)id;
    if (p) {
        sl_free(o->ctx, p, p->size);
    }
}
