/* SPDX-License-Identifier: MIT */
/* verify_tanks.c: the verifier at tanks: levels stay within limits, start where the model says, and follow from flows.
 *
 * What can be known from saved periods: if one hydraulic step leads from a period to the next, the volume changes by the
 * net inflow at its start times the step (EPANET's update; Sluice's too unless a tank is stiff). A tank is surely not
 * stiff when even with all its neighbours held at their heads its inflow would answer too weakly to a rise. Where one may be,
 * all tanks may have been moved in parts or implicitly: then the inflow of each stays between what its links can carry while
 * heads follow the levels from one period to the next. If anything can have split the step (patterns, controls, a tank at its
 * limit, rules), the flows in between are not in the file and only limits are checked. docs/theory/verify.md has the reasons.
 */
#include "results/verify.h"

#include <math.h>
#include <string.h>

double sl_verify_tank_volume(const sl_network *net, int32_t tank, double level) {
    if (net->tank_curve[tank] >= 0) {
        return sl_verify_curve(net, net->tank_curve[tank], level);
    }
    double d = net->tank_diameter[tank];
    return 3.14159265358979323846 / 4.0 * d * d * level; /* up to a constant: only differences are used */
}

/* Mean area between two levels. */
double sl_verify_tank_area(const sl_network *net, int32_t tank, double a, double b) {
    double half = fmax(0.5 * fabs(b - a), 1e-3), mid = 0.5 * (a + b);
    return (sl_verify_tank_volume(net, tank, mid + half) - sl_verify_tank_volume(net, tank, mid - half)) / (2.0 * half);
}

static int32_t node_of(const sl_network *net, int32_t tank) {
    return net->n_junction + net->n_reservoir + tank;
}

static bool is_closed_for(const sl_verifier *v, int32_t node) {
    for (int32_t k = 0; k < v->net->n_link; k++) {
        if ((v->net->link_from[k] == node || v->net->link_to[k] == node) && v->status[k] == SL_STATUS_TEMP_CLOSED) {
            return true;
        }
    }
    return false;
}

/* Is the tank as near to a limit as this, so that it may keep links closed? It leaves a limit at a millimetre from it, so that
 * links do not open and shut all the time; one that comes back too soon at up to a tenth of its range, and then it has a link
 * that is closed for it. */
static bool is_near(const sl_verifier *v, int32_t tank, double away) {
    double range = v->net->tank_level_max[tank] - v->net->tank_level_min[tank],
           round = sl_verify_round(v->head[node_of(v->net, tank)]);
    return away <= 1e-3 + round || (away <= 0.1 * range + round && is_closed_for(v, node_of(v->net, tank)));
}

bool sl_verify_tank_full(const sl_verifier *v, int32_t tank) {
    int32_t node = node_of(v->net, tank);
    return is_near(v, tank, v->net->tank_level_max[tank] - (v->head[node] - v->net->node_elevation[node]));
}

bool sl_verify_tank_empty(const sl_verifier *v, int32_t tank) {
    int32_t node = node_of(v->net, tank);
    return is_near(v, tank, v->head[node] - v->net->node_elevation[node] - v->net->tank_level_min[tank]);
}

/* A full tank takes nothing (unless it may run over), an empty one gives nothing. Whether it is exactly there is known at the
 * start from the model, later to rounding. */
static void check_passed_limit(sl_verifier *v, int32_t tank) {
    const sl_network *net = v->net;
    int32_t node = node_of(net, tank);
    bool start = v->time == 0.0;
    double level = start ? net->tank_level_init[tank] : v->head[node] - net->node_elevation[node];
    double near = start ? 1e-7 : 2.0 * sl_verify_round(v->head[node]), q = v->demand[node];
    bool full = level >= net->tank_level_max[tank] - near && !net->tank_overflow[tank];
    bool empty = level <= net->tank_level_min[tank] + near;
    if (!full && !empty) {
        return;
    }
    double wrong = full && q > 0.0 ? q : empty && q < 0.0 ? -q : 0.0;
    if (sl_verify_check_residual(v, SL_VERIFY_MASS, node, wrong, v->flow_slack + v->net_inflow_slack[node])) {
        sl_verify_add_diag(v, SL_VERIFY_MASS, node, "it is %s and %s %.6g %s", q > 0.0 ? "full" : "empty",
                           q > 0.0 ? "takes" : "gives", wrong / v->flow_unit, v->flow_word);
    }
}

static void say(sl_verifier *v, int32_t tank, const char *what, double level, double expected, double tolerance) {
    sl_verify_add_diag(v, SL_VERIFY_TANK, node_of(v->net, tank),
                       "its level is %.7g %s, %s %.7g (off by %.3g, allowed %.2g)", level / v->length_unit,
                       v->length_word, what, expected / v->length_unit, fabs(level - expected) / v->length_unit,
                       tolerance / v->length_unit);
}

static void judge_level(sl_verifier *v, int32_t tank, double level, double expected, double tolerance,
                        const char *what) {
    if (sl_verify_check_residual(v, SL_VERIFY_TANK, node_of(v->net, tank), fabs(level - expected), tolerance)) {
        say(v, tank, what, level, expected, tolerance);
    }
}

/* ---- Can the step from the last period have been split? ----------------------------------------- */

/* Is there a whole multiple of step, less offset, strictly within the step? */
static bool passes_multiple(const sl_verifier *v, double step, double offset) {
    double next = (floor((v->time_before + offset) / step) + 1.0) * step - offset;
    return next < v->time;
}

static bool control_between(const sl_verifier *v, const sl_control *c) {
    const sl_network *net = v->net;
    if (!c->enabled) {
        return false;
    }
    if (c->kind == SL_CONTROL_TIME) {
        return c->threshold > v->time_before && c->threshold < v->time;
    }
    if (c->kind == SL_CONTROL_CLOCK) {
        return passes_multiple(v, 86400.0, net->times.start_clock - c->threshold);
    }
    int32_t tank = c->node - net->n_junction - net->n_reservoir;
    if (tank < 0) {
        return false; /* a junction's pressure is looked at when a step is made, it makes none */
    }
    double now = v->head[c->node] - net->node_elevation[c->node], before = v->level_before[tank];
    double low = fmin(before, fmin(now, v->planned[tank])), high = fmax(before, fmax(now, v->planned[tank]));
    double slack = v->def.head_abs; /* a threshold just at the end may or may not have made a step of its own */
    return c->threshold > low - slack && c->threshold < high + slack;
}

/* The level whose volume differs from the start's by what flowed in; levels are few curves' pieces apart, so a
 * bisection on the rising volume will do. */
static double level_after(const sl_network *net, int32_t tank, double start, double inflow) {
    double target = sl_verify_tank_volume(net, tank, start) + inflow,
           step = fabs(inflow) / sl_verify_tank_area(net, tank, start, start) + 1e-6;
    double low = start, high = start;
    for (int i = 0; i < 60 && sl_verify_tank_volume(net, tank, low) > target; i++) {
        low -= step;
        step *= 2.0;
    }
    for (int i = 0; i < 60 && sl_verify_tank_volume(net, tank, high) < target; i++) {
        high += step;
        step *= 2.0;
    }
    for (int i = 0; i < 100; i++) {
        double mid = 0.5 * (low + high);
        *(sl_verify_tank_volume(net, tank, mid) < target ? &low : &high) = mid;
    }
    return 0.5 * (low + high);
}

static bool one_step(const sl_verifier *v) {
    const sl_network *net = v->net;
    if (v->has_rules || net->times.hydraulic_step < v->time - v->time_before ||
        passes_multiple(v, net->times.pattern_step, net->times.pattern_start)) {
        return false;
    }
    for (int32_t i = 0; i < net->n_control; i++) {
        if (control_between(v, &net->controls[i])) {
            return false;
        }
    }
    /* A tank that gets full or empty ends a step, and one that would be within the next second is put on its limit. */
    for (int32_t i = 0; i < net->n_tank; i++) {
        double q = v->inflow_before[i], slack = v->def.head_abs;
        double soon = level_after(net, i, v->planned[i], q);
        if ((q > 0.0 && soon > net->tank_level_max[i] - slack) || (q < 0.0 && soon < net->tank_level_min[i] + slack)) {
            return false;
        }
    }
    return true;
}

/* From this number dt (-dQ/dH) / A on a tank may have been moved otherwise than by one explicit step, with all others. */
#define MAY_BE_STIFF 0.5
/* What the substeps of stiff tanks may miss, as docs/theory/hydraulics.md says [m]. */
#define IMPLICIT_ERROR 0.05

/* ---- The step ----------------------------------------------------------------------------------- */

/* How far tanks moved within the step, up and down: the first two of each, so that one of them can be left out. */
typedef struct moves {
    double up[2], down[2]; /* [m] */
    int32_t up_tank, down_tank;
} moves;

static void note_move(double *first_two, int32_t *first, int32_t tank, double by) {
    if (by > first_two[0]) {
        first_two[1] = first_two[0];
        first_two[0] = by;
        *first = tank;
    } else {
        first_two[1] = fmax(first_two[1], by);
    }
}

/* Flow of a link at another head difference than it had at the start of the step: its loss rises with the flow. */
static double flow_at(const sl_verifier *v, int32_t k, double drop) {
    double q = v->flow_then[k], step = fmax(fabs(q), 1e-4), low = q, high = q;
    int status = v->status_then[k];
    for (int i = 0; i < 40 && sl_verify_loss(v->net, k, status, v->setting_then[k], low) > drop; i++, step *= 2.0) {
        low -= step;
    }
    step = fmax(fabs(q), 1e-4);
    for (int i = 0; i < 40 && sl_verify_loss(v->net, k, status, v->setting_then[k], high) < drop; i++, step *= 2.0) {
        high += step;
    }
    for (int i = 0; i < 60; i++) {
        double mid = 0.5 * (low + high);
        *(sl_verify_loss(v->net, k, status, v->setting_then[k], mid) < drop ? &low : &high) = mid;
    }
    bool one_way = k < v->net->n_pipe ? v->net->pipe_check[k] : k < v->net->n_pipe + v->net->n_pump;
    double flow = 0.5 * (low + high);
    return one_way ? fmax(flow, fmin(q, 0.0)) : flow;
}

/* The most (or the least) that can flow into a tank that has moved by so much, with all links as they were at the start of the step.
 * Heads follow the levels of tanks, each by a share of at most one: what the tank itself does moves its neighbours no further than
 * it moves, and what others do moves them no further than the others. So at each link the head difference changes by no more
 * than the tank's own way back, and the other tanks' longest way. */
static double inflow_at(const sl_verifier *v, int32_t tank, const moves *m, double own, bool most) {
    const sl_network *net = v->net;
    int32_t node = node_of(net, tank);
    double up = m->up_tank == tank ? m->up[1] : m->up[0], down = m->down_tank == tank ? m->down[1] : m->down[0];
    double change = most ? up + fmax(-own, 0.0) : down + fmax(own, 0.0), sum = 0.0;
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t from = net->link_from[k], to = net->link_to[k];
        if (!v->open_then[k] || (from != node && to != node)) {
            continue;
        }
        /* Where a link is wide the rounding of heads is much flow. */
        double slack = sl_verify_round(v->head_then[from]) + sl_verify_round(v->head_then[to]);
        double drop = v->head_then[from] - v->head_then[to];
        bool into = to == node, more = into == most;
        double q = flow_at(v, k, more ? drop + change + slack : drop - change - slack);
        sum += into ? q : -q;
    }
    return sum;
}

/* The highest (or lowest) level that a tank can have reached at the end of the step: its path with that inflow, in implicit parts,
 * which lag behind. */
enum { PARTS = 8, HALVINGS = 40 };
static double furthest_level(const sl_verifier *v, int32_t tank, const moves *m, bool highest) {
    const sl_network *net = v->net;
    double before = v->level_before[tank], level = before, dt = (v->time - v->time_before) / PARTS;
    for (int i = 0; i < PARTS; i++) {
        double q = inflow_at(v, tank, m, level - before, highest), volume = sl_verify_tank_volume(net, tank, level);
        double near = level, far = level_after(net, tank, level, q * dt);
        for (int n = 0; n < HALVINGS; n++) {
            double mid = 0.5 * (near + far), into = dt * inflow_at(v, tank, m, mid - before, highest);
            bool short_of = (sl_verify_tank_volume(net, tank, mid) - volume - into) * (q > 0.0 ? 1.0 : -1.0) < 0.0;
            *(short_of ? &near : &far) = mid;
        }
        level = 0.5 * (near + far);
    }
    return level;
}

static double now_level(const sl_verifier *v, int32_t tank) {
    int32_t node = node_of(v->net, tank);
    return v->head[node] - v->net->node_elevation[node];
}

/* Controls on pressures act in every solve, within a step that is made of parts too. */
static bool steered_by_pressure(const sl_network *net) {
    bool any = false;
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        any |= c->enabled && c->kind <= SL_CONTROL_BELOW && c->node < net->n_junction;
    }
    return any;
}

static void check_step(sl_verifier *v, int32_t tank, bool exact, const moves *m) {
    const sl_network *net = v->net;
    int32_t node = node_of(net, tank);
    double dt = v->time - v->time_before, before = v->level_before[tank], now = now_level(v, tank);
    double a = sl_verify_tank_area(net, tank, before, now), q = v->inflow_before[tank], planned = v->planned[tank];
    /* Levels at both ends are differences of rounded heads; the inflow is rounded over the whole step. */
    double tolerance = 1e-6 + sl_verify_round(before + net->node_elevation[node]) + sl_verify_round(v->head[node]) +
                       dt * (v->flow_slack + sl_verify_round(q)) / a;
    if (exact || fabs(now - planned) <= tolerance) {
        judge_level(v, tank, now, planned, tolerance, "the flow into it leads to");
        return;
    }
    if (memcmp(v->open_then, v->open, (size_t)net->n_link) != 0 || steered_by_pressure(net)) {
        return; /* some link opened or shut on the way, nobody knows when, or may have opened and shut again */
    }
    double low = furthest_level(v, tank, m, false), high = furthest_level(v, tank, m, true);
    judge_level(v, tank, now, fmin(fmax(now, low), high), tolerance + IMPLICIT_ERROR,
                "further than its flow can lead, to");
}

static void check_steps(sl_verifier *v) {
    const sl_network *net = v->net;
    double dt = v->time - v->time_before;
    moves m = {.up_tank = -1, .down_tank = -1};
    bool exact = true; /* no tank can be stiff: the update is explicit */
    for (int32_t i = 0; i < net->n_tank; i++) {
        double before = v->level_before[i], now = now_level(v, i);
        v->planned[i] = level_after(net, i, before, v->inflow_before[i] * dt);
        note_move(m.up, &m.up_tank, i, now - before);
        note_move(m.down, &m.down_tank, i, before - now);
        exact = exact && dt * v->pull[i] / sl_verify_tank_area(net, i, before, now) < MAY_BE_STIFF;
    }
    v->one_step = one_step(v);
    for (int32_t i = 0; v->one_step && i < net->n_tank; i++) {
        check_step(v, i, exact, &m);
    }
    v->one_step = v->one_step && exact; /* what flowed at the start need not have flowed all the time */
}

/* ---- The start of the next step ----------------------------------------------------------------- */

/* With its neighbours held, a tank's inflow falls by the sum of 1/(dh/dq) of its links per metre of rise; the network
 * behind them only weakens that. */
static void add_pull(sl_verifier *v, int32_t link, int32_t node) {
    const sl_network *net = v->net;
    int32_t tank = node - net->n_junction - net->n_reservoir;
    if (tank < 0 || !v->open[link]) {
        return;
    }
    double q = v->flow[link], dq = fmax(1e-4 * fabs(q), 1e-7);
    double slope = (sl_verify_loss(net, link, v->status[link], v->setting[link], q + dq) -
                    sl_verify_loss(net, link, v->status[link], v->setting[link], q - dq)) /
                   (2.0 * dq);
    v->pull[tank] += slope > 1e-12 ? 1.0 / slope : 1e12;
}

static void store_period(sl_verifier *v) {
    const sl_network *net = v->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t node = node_of(net, i);
        v->level_before[i] = v->head[node] - net->node_elevation[node];
        v->inflow_before[i] = v->demand[node];
        v->pull[i] = 0.0;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        add_pull(v, k, net->link_from[k]);
        add_pull(v, k, net->link_to[k]);
    }
    memcpy(v->head_then, v->head, (size_t)net->n_node * sizeof *v->head);
    memcpy(v->flow_then, v->flow, (size_t)net->n_link * sizeof *v->flow);
    memcpy(v->setting_then, v->setting, (size_t)net->n_link * sizeof *v->setting);
    memcpy(v->status_then, v->status, (size_t)net->n_link);
    memcpy(v->open_then, v->open, (size_t)net->n_link);
    v->time_before = v->time;
}

void sl_verify_tanks(sl_verifier *v) {
    const sl_network *net = v->net;
    if (net->n_tank == 0) {
        v->one_step = v->period > 0 && one_step(v);
        v->time_before = v->time;
        return;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t node = node_of(net, i);
        double level = v->head[node] - net->node_elevation[node];
        double tolerance = sl_verify_round(v->head[node]) + 1e-9; /* data, no solution: rounding only */
        double clamped = fmin(fmax(level, net->tank_level_min[i]), net->tank_level_max[i]);
        /* a step ends on a whole second: a limit may be passed by half a second's flow, well below the head tolerance */
        judge_level(v, i, level, clamped, tolerance + v->def.head_abs,
                    level > clamped ? "above the highest" : "below the lowest");
        check_passed_limit(v, i);
        if (v->time == 0.0) {
            judge_level(v, i, level, net->tank_level_init[i], tolerance, "the model starts it at");
        }
    }
    if (v->period > 0) {
        check_steps(v);
    }
    store_period(v);
}
