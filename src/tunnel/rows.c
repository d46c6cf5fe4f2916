/* SPDX-License-Identifier: MIT */
/* rows.c: see rows.h; the rows themselves are those of equations.c, force.c and action.c. */
#include "tunnel/rows.h"

#include "base/out.h"
#include "tunnel/instance.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    const sl_tunnel_network *net;
    sl_arena *arena;
    const uint8_t *equations, *roots;
    sl_tunnel_row_kind kind;
    sl_tunnel_take_row take;
    void *user;
    bool failed;
} writer;

static const char *text(writer *w, const char *fmt, ...) SL_PRINTF(2, 3);
static const char *text(writer *w, const char *fmt, ...) {
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    int n = sl_vformat(NULL, 0, fmt, args);
    char *at = n >= 0 ? sl_arena_alloc(w->arena, (size_t)n + 1) : NULL;
    if (at) {
        (void)sl_vformat(at, (size_t)n + 1, fmt, again);
    }
    va_end(again);
    va_end(args);
    w->failed = w->failed || !at;
    return at ? at : "";
}

static const char *plain(sl_arena *arena, const char *id) {
    char *name = sl_arena_copy(arena, sl_str_z(id)), *end = name;
    for (const char *c = name; c && *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9');
        bool more = end > name && end[-1] == '_'; /* one _ for all that follow each other */
        if (letter || !more) {
            *end++ = letter ? *c : '_';
        }
    }
    if (name) {
        end -= end > name + 1 && end[-1] == '_';
        *end = '\0';
    }
    return name;
}

const char *sl_tunnel_row_end(const sl_tunnel_network *net, sl_arena *arena, int32_t e) {
    const char *pipe = plain(arena, sl_tunnel_pipe_id(net, e / 2));
    return pipe ? sl_arena_format(arena, "%s_%s", pipe, e % 2 ? "to" : "from") : NULL;
}

const char *sl_tunnel_row_valve(const sl_tunnel_network *net, sl_arena *arena, int32_t v) {
    return plain(arena, sl_tunnel_valve_id(net, v));
}

static const char *end_name(writer *w, int32_t e) {
    const char *name = sl_tunnel_row_end(w->net, w->arena, e);
    w->failed = w->failed || !name;
    return name ? name : "";
}
static const char *pipe_name(writer *w, int32_t i) {
    const char *name = plain(w->arena, sl_tunnel_pipe_id(w->net, i));
    w->failed = w->failed || !name;
    return name ? name : "";
}
static const char *valve_name(writer *w, int32_t v) {
    const char *name = sl_tunnel_row_valve(w->net, w->arena, v);
    w->failed = w->failed || !name;
    return name ? name : "";
}
/* "main.from" */
static const char *end_label(writer *w, int32_t e) {
    return text(w, "%s.%s", sl_tunnel_pipe_id(w->net, e / 2), e % 2 ? "to" : "from");
}

static void give(writer *w, int32_t valve, int32_t pipe, int32_t number, const char *label, const char *left,
                 const char *right) {
    const sl_tunnel_row row = {w->kind, valve, pipe, number, label, left, right};
    w->failed = w->failed || !w->take(w->user, &row);
}

static bool holds(const writer *w, int32_t equation) {
    return !w->equations || w->equations[equation];
}

/* ---- Columns ------------------------------------------------------------------------------------ */

static const char *front(writer *w, int32_t e) {
    const sl_tunnel_end *ends = w->net->pipes[e / 2].ends;
    const char *p = pipe_name(w, e / 2), *n = end_name(w, e), *other = end_name(w, e ^ 1);
    bool falls = ends[1 - e % 2].elevation < ends[e % 2].elevation;
    return text(w, "z_%s + (z_%s - z_%s)/L_%s*(V_%s/A_%s%s%s)", n, other, n, p, n, p, falls ? " + l_" : "",
                falls ? p : "");
}

static void give_half(writer *w, int32_t e) {
    const char *p = pipe_name(w, e / 2), *n = end_name(w, e), *head = valve_name(w, sl_end_valve(w->net, e));
    const char *pressure = e % 2 ? text(w, "%s - H_%s", front(w, e), head) : text(w, "H_%s - (%s)", head, front(w, e));
    const char *left = text(w, "(V_%s/A_%s + l_%s)/(g*A_%s)*der(Q_%s)", n, p, p, p, n);
    const char *loss = text(w, "(f_%s*V_%s/(A_%s*D_%s) + if(%sQ_%s > 0, kin_%s, kout_%s))/(2*g*A_%s^2)*abs(Q_%s)*Q_%s",
                            p, n, p, p, e % 2 ? "-" : "", n, n, n, p, n, n);
    give(w, sl_end_valve(w->net, e), e / 2, equation_of_end(e, EQUATION_HALF), end_label(w, e), left,
         text(w, "%s - %s", pressure, loss));
}

static void give_full(writer *w, int32_t i, int32_t fronts) {
    const sl_tunnel_end *ends = w->net->pipes[i].ends;
    const char *p = pipe_name(w, i), *n[2] = {end_name(w, 2 * i), end_name(w, 2 * i + 1)}, *h[2];
    static const char *const where[4] = {"", ", free at from", ", free at to", ", free at both ends"};
    for (int32_t j = 0; j < 2; j++) {
        h[j] = fronts >> j & 1 ? text(w, "z_%s", n[j]) : text(w, "H_%s", valve_name(w, ends[j].valve));
    }
    const char *left = text(w, "(L_%s + 2*l_%s)/(g*A_%s)*der(Q_%s)", p, p, p, n[0]);
    const char *right = text(
        w, "%s - %s - (f_%s*L_%s/D_%s + if(Q_%s >= 0, kin_%s + kout_%s, kin_%s + kout_%s))/(2*g*A_%s^2)*abs(Q_%s)*Q_%s",
        h[0], h[1], p, p, p, n[0], n[0], n[1], n[1], n[0], p, n[0], n[0]);
    give(w, -1, i, equation_of_pipe(w->net, i, EQUATION_FULL + fronts),
         text(w, "%s%s", sl_tunnel_pipe_id(w->net, i), where[fronts]), left, right);
}

static void give_columns(writer *w) {
    const sl_tunnel_network *net = w->net;
    for (int32_t e = 0; e < 2 * net->n_pipe && !w->failed; e++) {
        if (w->kind == SL_TUNNEL_ROW_VOLUME && holds(w, equation_of_end(e, EQUATION_VOLUME))) {
            const char *n = end_name(w, e);
            give(w, -1, e / 2, equation_of_end(e, EQUATION_VOLUME), end_label(w, e), text(w, "der(V_%s)", n),
                 text(w, "%sQ_%s", e % 2 ? "-" : "", n));
        } else if (w->kind == SL_TUNNEL_ROW_HALF && holds(w, equation_of_end(e, EQUATION_HALF))) {
            give_half(w, e);
        }
    }
    for (int32_t i = 0; i < net->n_pipe && !w->failed; i++) {
        for (int32_t fronts = 0; fronts < 4 && w->kind == SL_TUNNEL_ROW_FULL; fronts++) {
            if (holds(w, equation_of_pipe(net, i, EQUATION_FULL + fronts))) {
                give_full(w, i, fronts);
            }
        }
        if (w->kind == SL_TUNNEL_ROW_SAME && holds(w, equation_of_pipe(net, i, EQUATION_SAME))) {
            give(w, -1, i, equation_of_pipe(net, i, EQUATION_SAME), sl_tunnel_pipe_id(net, i),
                 text(w, "der(Q_%s)", end_name(w, 2 * i)), text(w, "der(Q_%s)", end_name(w, 2 * i + 1)));
        }
    }
}

/* ---- Valves ------------------------------------------------------------------------------------- */

/* Is the water that moves at an end joined to its valve? */
static bool is_joined(const writer *w, int32_t e) {
    if (!w->equations) {
        return true;
    }
    bool joined = w->equations[equation_of_end(e, EQUATION_HALF)];
    for (int32_t fronts = 0; fronts < 4; fronts++) {
        bool in_force = w->equations[equation_of_pipe(w->net, e / 2, EQUATION_FULL + fronts)];
        joined = joined || (in_force && !(fronts >> e % 2 & 1));
    }
    return joined;
}

/* The sum of what leaves a valve, with something before and behind each flow: "der(Q_a_from) - der(Q_b_to)"; "0" without any. */
static const char *sum_at(writer *w, int32_t v, const char *before, const char *behind) {
    const char *sum = "";
    for (int32_t k = w->net->start[v]; k < w->net->start[v + 1]; k++) {
        int32_t e = w->net->ends[k];
        if (is_joined(w, e)) {
            const char *sign = sum[0] ? e % 2 ? " - " : " + " : e % 2 ? "-" : "";
            sum = text(w, "%s%s%s%s%s", sum, sign, before, end_name(w, e), behind);
        }
    }
    return sum[0] ? sum : "0";
}

/* Does the flood of a reservoir go on? */
static bool is_flooding(const writer *w, int32_t v) {
    return !w->equations || w->equations[equation_of_valve(w->net, v, EQUATION_RIM)];
}

/* What others flood into a reservoir: " + der(F_upper)". */
static const char *floods_into(writer *w, int32_t v) {
    const char *sum = "";
    for (int32_t k = w->net->source_start[v]; k < w->net->source_start[v + 1]; k++) {
        sum = is_flooding(w, w->net->sources[k]) ? text(w, "%s + der(F_%s)", sum, valve_name(w, w->net->sources[k]))
                                                 : sum;
    }
    return sum;
}

static bool has_inflow(const sl_tunnel_valve *valve) {
    return valve->inflow.n > 0;
}

/* The level outside. */
static const char *level(writer *w, int32_t v) {
    const sl_tunnel_valve *valve = &w->net->valves[v];
    const char *n = valve_name(w, v);
    return valve->tub == SL_TUB_LEVEL ? text(w, "level_%s + rise_%s", n, n)
           : has_inflow(valve)        ? text(w, "b_%s + (W_%s + J_%s)/S_%s", n, n, n, n)
                                      : text(w, "b_%s + W_%s/S_%s", n, n, n);
}

static void give_head(writer *w, int32_t v) {
    const sl_tunnel_network *net = w->net;
    const char *n = valve_name(w, v), *head = text(w, "H_%s", n), *id = sl_tunnel_valve_id(net, v);
    int32_t at = equation_of_valve(net, v, 0);
    if (tub_has_level(&net->valves[v]) && holds(w, at + EQUATION_LEVEL)) {
        give(w, v, -1, at + EQUATION_LEVEL, text(w, "%s, level outside", id), head, level(w, v));
    }
    if (net->valves[v].tub != SL_TUB_NONE && holds(w, at + EQUATION_FALL)) {
        give(w, v, -1, at + EQUATION_FALL, text(w, "%s, free fall", id), head, text(w, "z_%s", n));
    }
    if (holds(w, at + EQUATION_PINNED)) {
        give(w, v, -1, at + EQUATION_PINNED, text(w, "%s, by convention", id), head, text(w, "top_%s", n));
    }
}

static void give_outside(writer *w, int32_t v) {
    const sl_tunnel_network *net = w->net;
    const sl_tunnel_valve *valve = &net->valves[v];
    bool reservoir = valve->tub == SL_TUB_RESERVOIR, rim = reservoir && isfinite(valve->rim);
    const char *n = valve_name(w, v), *id = sl_tunnel_valve_id(net, v), *left = text(w, "der(W_%s)", n);
    int32_t at = equation_of_valve(net, v, 0);
    const char *set = reservoir ? text(w, "i_%s", n) : "";
    if (valve->tub != SL_TUB_NONE && holds(w, at + EQUATION_TUB)) {
        give(w, v, -1, at + EQUATION_TUB, id, left,
             text(w, "%s%s%s(%s)", set, floods_into(w, v), reservoir ? " - " : "-", sum_at(w, v, "Q_", "")));
    }
    if (reservoir && holds(w, at + EQUATION_STORE)) {
        give(w, v, -1, at + EQUATION_STORE, text(w, "%s, not joined", id), left,
             text(w, "%s%s", set, floods_into(w, v)));
    }
    if (rim && holds(w, at + EQUATION_RIM)) {
        give(w, v, -1, at + EQUATION_RIM, text(w, "%s, at its rim", id), left,
             has_inflow(valve) ? text(w, "-j_%s", n) : "0");
    }
}

static void give_flood(writer *w, int32_t v) {
    const sl_tunnel_valve *valve = &w->net->valves[v];
    const char *n = valve_name(w, v), *id = sl_tunnel_valve_id(w->net, v);
    int32_t at = equation_of_valve(w->net, v, 0);
    if (valve->tub != SL_TUB_RESERVOIR || !isfinite(valve->rim)) {
        return;
    }
    const char *inflow =
        text(w, "%s%s", has_inflow(valve) ? text(w, "j_%s + i_%s", n, n) : text(w, "i_%s", n), floods_into(w, v));
    if (holds(w, at + EQUATION_FLOOD)) {
        give(w, v, -1, at + EQUATION_FLOOD, id, text(w, "der(F_%s)", n),
             text(w, "%s - (%s)", inflow, sum_at(w, v, "Q_", "")));
    }
    if (holds(w, at + EQUATION_FLOOD_STORE)) {
        give(w, v, -1, at + EQUATION_FLOOD_STORE, text(w, "%s, not joined", id), text(w, "der(F_%s)", n), inflow);
    }
}

static void give_balance(writer *w, int32_t v) {
    int32_t at = equation_of_valve(w->net, v, EQUATION_BALANCE);
    if (holds(w, at)) {
        give(w, v, -1, at, sl_tunnel_valve_id(w->net, v), sum_at(w, v, "der(Q_", ")"), "0");
    }
}

/* What comes to a reservoir and does not leave it: inflow, what others gain while they flood, less what it gives. */
static const char *gain(writer *w, int32_t v) {
    const char *n = valve_name(w, v);
    const char *sum = has_inflow(&w->net->valves[v]) ? text(w, "j_%s + i_%s", n, n) : text(w, "i_%s", n);
    for (int32_t k = w->net->source_start[v]; k < w->net->source_start[v + 1]; k++) {
        int32_t from = w->net->sources[k];
        sum = is_flooding(w, from) ? text(w, "%s + (%s)", sum, gain(w, from)) : sum;
    }
    return text(w, "%s - (%s)", sum, sum_at(w, v, "Q_", ""));
}

/* ---- Roots -------------------------------------------------------------------------------------- */

static void give_root(writer *w, int32_t valve, int32_t pipe, int32_t root, const char *label, const char *g) {
    if (!w->roots || w->roots[root]) {
        give(w, valve, pipe, root, label, "g", g);
    }
}

static void give_pipe_roots(writer *w, int32_t i) {
    const sl_tunnel_network *net = w->net;
    const char *p = pipe_name(w, i), *id = sl_tunnel_pipe_id(net, i);
    give_root(w, -1, i, root_of_pipe(i), text(w, "fill(%s)", id),
              text(w, "A_%s*L_%s - V_%s - V_%s", p, p, end_name(w, 2 * i), end_name(w, 2 * i + 1)));
    for (int32_t e = 2 * i; e < 2 * i + 2; e++) {
        const char *n = end_name(w, e);
        int32_t v = sl_end_valve(net, e);
        give_root(w, -1, i, root_of_end(net, e, ROOT_EMPTY), text(w, "empty(%s,%d)", id, (int)(e % 2)),
                  text(w, "V_%s", n));
        give_root(w, -1, i, root_of_end(net, e, ROOT_FLOW), text(w, "flow(%s,%d)", id, (int)(e % 2)),
                  text(w, "Q_%s", n));
        give_root(w, -1, i, root_of_end(net, e, ROOT_BACK), text(w, "flow(%s,%d)", id, (int)(e % 2)),
                  text(w, "-Q_%s", n));
        give_root(w, v, i, root_of_end(net, e, ROOT_ENTER), text(w, "enter(%s,%d)", id, (int)(e % 2)),
                  text(w, "z_%s - H_%s", n, valve_name(w, v)));
    }
}

static void give_valve_roots(writer *w, int32_t v) {
    const sl_tunnel_network *net = w->net;
    const sl_tunnel_valve *valve = &net->valves[v];
    const char *n = valve_name(w, v), *id = sl_tunnel_valve_id(net, v);
    bool outside = valve->tub != SL_TUB_NONE, reservoir = valve->tub == SL_TUB_RESERVOIR;
    if (outside) {
        const char *sum = sum_at(w, v, "Q_", "");
        give_root(w, v, -1, root_of_valve(net, v, ROOT_TUB_FLOW), text(w, "tubflow(%s)", id), sum);
        give_root(w, v, -1, root_of_valve(net, v, ROOT_TUB_BACK), text(w, "tubflow(%s)", id), text(w, "-(%s)", sum));
        give_root(w, v, -1, root_of_valve(net, v, ROOT_SPILL), text(w, "spill(%s)", id), text(w, "z_%s - H_%s", n, n));
    }
    if (tub_has_level(valve)) {
        give_root(w, v, -1, root_of_valve(net, v, ROOT_TUB_WET), text(w, "tubwet(%s)", id),
                  text(w, "z_%s + hyst_%s - (%s)", n, n, level(w, v)));
        give_root(w, v, -1, root_of_valve(net, v, ROOT_TUB_DRY), text(w, "tubdry(%s)", id),
                  text(w, "%s - z_%s", level(w, v), n));
    }
    give_root(w, v, -1, root_of_valve(net, v, ROOT_SUCTION), text(w, "suction(%s)", id),
              text(w, "H_%s - z_%s + suction_%s", n, n, n));
    if (reservoir && isfinite(valve->rim)) {
        give_root(w, v, -1, root_of_valve(net, v, ROOT_RIM), text(w, "rim(%s)", id),
                  text(w, "rim_%s - (%s)", n, level(w, v)));
        give_root(w, v, -1, root_of_valve(net, v, ROOT_EBB), text(w, "ebb(%s)", id), gain(w, v));
    }
}

/* ---- Actions ------------------------------------------------------------------------------------ */

/* Is the head at a valve found by the balance of flows, so that an impulse can act there? */
static bool has_impulse(const writer *w, int32_t v) {
    return !w->equations || w->equations[equation_of_valve(w->net, v, EQUATION_BALANCE)] ||
           w->equations[equation_of_valve(w->net, v, EQUATION_PINNED)];
}

static const char *impulse(writer *w, int32_t e, bool joined) {
    int32_t v = sl_end_valve(w->net, e);
    return joined && has_impulse(w, v) ? text(w, " %s lambda_%s", e % 2 ? "+" : "-", valve_name(w, v)) : "";
}

/* M Q = M pre_Q - B' lambda */
static void give_impulses(writer *w) {
    const sl_tunnel_network *net = w->net;
    for (int32_t i = 0; i < net->n_pipe && !w->failed; i++) {
        const char *p = pipe_name(w, i);
        bool full = !w->equations || w->equations[equation_of_pipe(net, i, EQUATION_SAME)];
        if (full) {
            const char *n = end_name(w, 2 * i), *m = text(w, "(L_%s + 2*l_%s)/(g*A_%s)", p, p, p);
            give(w, -1, i, -1, text(w, "%s, full", sl_tunnel_pipe_id(net, i)), text(w, "%s*Q_%s", m, n),
                 text(w, "%s*pre_Q_%s%s%s", m, n, impulse(w, 2 * i, is_joined(w, 2 * i)),
                      impulse(w, 2 * i + 1, is_joined(w, 2 * i + 1))));
        }
        for (int32_t e = 2 * i; e < 2 * i + 2; e++) {
            if (holds(w, equation_of_end(e, EQUATION_HALF))) {
                const char *n = end_name(w, e), *m = text(w, "(V_%s/A_%s + l_%s)/(g*A_%s)", n, p, p, p);
                give(w, -1, i, -1, end_label(w, e), text(w, "%s*Q_%s", m, n),
                     text(w, "%s*pre_Q_%s%s", m, n, impulse(w, e, true)));
            }
        }
    }
}

/* ---- All ---------------------------------------------------------------------------------------- */

static void give_of_valve(writer *w, int32_t v) {
    switch ((int)w->kind) {
    case SL_TUNNEL_ROW_BALANCE: give_balance(w, v); break;
    case SL_TUNNEL_ROW_HEAD: give_head(w, v); break;
    case SL_TUNNEL_ROW_OUTSIDE: give_outside(w, v); break;
    case SL_TUNNEL_ROW_FLOOD: give_flood(w, v); break;
    case SL_TUNNEL_ROW_ROOT: give_valve_roots(w, v); break;
    case SL_TUNNEL_ROW_MEET:
        if (has_impulse(w, v)) {
            give(w, v, -1, -1, sl_tunnel_valve_id(w->net, v), sum_at(w, v, "Q_", ""), "0");
        }
        break;
    default: break;
    }
}

sl_status sl_tunnel_write_rows(const sl_tunnel_network *net, sl_context *ctx, sl_tunnel_row_kind kind,
                               const uint8_t *equations, const uint8_t *roots, sl_tunnel_take_row take, void *user) {
    sl_arena arena;
    writer w = {net, &arena, equations, roots, kind, take, user, false};
    sl_arena_init(&arena, ctx);
    if (kind <= SL_TUNNEL_ROW_SAME) {
        give_columns(&w);
    } else if (kind == SL_TUNNEL_ROW_IMPULSE) {
        give_impulses(&w);
    }
    for (int32_t i = 0; i < net->n_pipe && kind == SL_TUNNEL_ROW_ROOT && !w.failed; i++) {
        give_pipe_roots(&w, i);
        sl_arena_clear(&arena);
    }
    if (kind == SL_TUNNEL_ROW_ROOT && net->n_move > 0) { /* it never fires: steps end where gates move */
        give_root(&w, -1, -1, root_of_schedule(net), "schedule: never, but steps end there", "1");
    }
    for (int32_t v = 0; v < net->n_valve && !w.failed; v++) {
        give_of_valve(&w, v);
        sl_arena_clear(&arena);
    }
    sl_arena_fini(&arena);
    return w.failed ? SL_ERR_MEMORY : SL_OK;
}

/* ---- Data --------------------------------------------------------------------------------------- */

static int add_datum(sl_arena *arena, sl_tunnel_datum *out, int n, const char *symbol, const char *of, double value,
                     const char *unit, const char *meaning) {
    const char *name = n >= 0 && of ? sl_arena_format(arena, "%s_%s", symbol, of) : NULL;
    if (!name) {
        return -1;
    }
    out[n] = (sl_tunnel_datum){name, unit, meaning, value};
    return n + 1;
}

static int pipe_data(const sl_tunnel_network *net, sl_arena *arena, int32_t i, sl_tunnel_datum *out) {
    const sl_tunnel_pipe *p = &net->pipes[i];
    const char *id = plain(arena, sl_tunnel_pipe_id(net, i));
    int n = add_datum(arena, out, 0, "L", id, p->length, "m", "length");
    n = add_datum(arena, out, n, "A", id, p->area, "m2", "area");
    n = add_datum(arena, out, n, "D", id, p->diameter, "m", "hydraulic diameter");
    n = add_datum(arena, out, n, "f", id, p->friction, "", "friction factor");
    n = add_datum(arena, out, n, "l", id, p->added_length, "m", "added length at each end of a column");
    for (int32_t e = 2 * i; e < 2 * i + 2; e++) {
        const sl_tunnel_end *end = &p->ends[e % 2];
        const char *at = sl_tunnel_row_end(net, arena, e);
        n = add_datum(arena, out, n, "z", at, end->elevation, "m", e % 2 ? "elevation at 'to'" : "elevation at 'from'");
        n = add_datum(arena, out, n, "kin", at, end->in, "",
                      e % 2 ? "loss where water enters at 'to'" : "loss where water enters at 'from'");
        n = add_datum(arena, out, n, "kout", at, end->out, "",
                      e % 2 ? "loss where it leaves at 'to'" : "loss where it leaves at 'from'");
    }
    return n;
}

static int valve_data(const sl_tunnel_network *net, sl_arena *arena, int32_t v, sl_tunnel_datum *out) {
    const sl_tunnel_valve *valve = &net->valves[v];
    const char *id = plain(arena, sl_tunnel_valve_id(net, v));
    int n = add_datum(arena, out, 0, "z", id, valve->elevation, "m", "elevation of the sill");
    n = add_datum(arena, out, n, "suction", id, valve->suction, "m", "suction at which standing water lets go");
    if (tub_has_level(valve)) {
        n = add_datum(arena, out, n, "hyst", id, valve->hysteresis, "m",
                      "above the sill, from where water outside wets the gate");
    }
    if (valve->tub == SL_TUB_RESERVOIR) {
        n = add_datum(arena, out, n, "S", id, valve->area, "m2", "area of the reservoir");
        n = add_datum(arena, out, n, "b", id, valve->bottom, "m", "its bottom");
        if (isfinite(valve->rim)) {
            n = add_datum(arena, out, n, "rim", id, valve->rim, "m", "elevation of its rim");
        }
    }
    if (valve->tub == SL_TUB_LEVEL && valve->levels.n == 1) {
        n = add_datum(arena, out, n, "level", id, valve->levels.value[0], "m", "prescribed level");
    }
    return n;
}

int sl_tunnel_data(const sl_tunnel_network *net, sl_arena *arena, int32_t pipe, int32_t valve,
                   sl_tunnel_datum out[SL_TUNNEL_DATA_MAX]) {
    return pipe >= 0 ? pipe_data(net, arena, pipe, out) : valve_data(net, arena, valve, out);
}
