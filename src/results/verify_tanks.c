/* SPDX-License-Identifier: MIT */
/* verify_tanks.c: the verifier at tanks: levels stay within limits, start where the model says, and follow from flows.
 *
 * What can be known from saved periods: if one hydraulic step leads from a period to the next, the volume changes by the
 * net inflow at its start times the step (EPANET's update; Sluice's too unless the tank is stiff). A tank is surely not
 * stiff when even with all its neighbours held at their heads its inflow would answer too weakly to a rise. Else an
 * implicit update may have been made, of which only the maximum principle is certain: no level rises by more than the
 * fastest rising tank would, nor falls by more than the fastest falling one. If anything can have split the step (patterns,
 * controls, a tank at its limit, rules), the flows in between are not in the file and only limits are checked.
 * docs/theory/verify.md has the reasons.
 */
#include "results/verify.h"

#include <math.h>

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

/* A limit is left at a millimetre from it, so that links do not open and shut all the time. */
#define HYSTERESIS 1e-3

bool sl_verify_tank_full(const sl_verifier *v, int32_t tank) {
    int32_t node = node_of(v->net, tank);
    double level = v->head[node] - v->net->node_elevation[node];
    return level >= v->net->tank_level_max[tank] - HYSTERESIS - sl_verify_round(v->head[node]);
}

bool sl_verify_tank_empty(const sl_verifier *v, int32_t tank) {
    int32_t node = node_of(v->net, tank);
    double level = v->head[node] - v->net->node_elevation[node];
    return level <= v->net->tank_level_min[tank] + HYSTERESIS + sl_verify_round(v->head[node]);
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

/* ---- The step ----------------------------------------------------------------------------------- */

static void check_step(sl_verifier *v, int32_t tank, double fall, double rise) {
    const sl_network *net = v->net;
    int32_t node = node_of(net, tank);
    double dt = v->time - v->time_before, before = v->level_before[tank],
           now = v->head[node] - net->node_elevation[node];
    double a = sl_verify_tank_area(net, tank, before, now), q = v->inflow_before[tank], planned = v->planned[tank];
    /* Levels at both ends are differences of rounded heads; the inflow is rounded over the whole step. */
    double tolerance = 1e-6 + sl_verify_round(before + net->node_elevation[node]) + sl_verify_round(v->head[node]) +
                       dt * (v->flow_slack + sl_verify_round(q)) / a;
    bool may_be_implicit = dt * v->pull[tank] / a >= 1.0;
    if (may_be_implicit && fabs(now - planned) > tolerance) {
        double bound = now > before ? before + rise : before + fall;
        double beyond = now > before ? now - bound : bound - now;
        judge_level(v, tank, now, beyond > 0.0 ? bound : now, tolerance, "further than any start flow leads, to");
    } else {
        judge_level(v, tank, now, planned, tolerance, "the flow into it leads to");
    }
}

static void check_steps(sl_verifier *v) {
    const sl_network *net = v->net;
    double *planned = v->planned;
    double dt = v->time - v->time_before, fall = 0.0, rise = 0.0;
    for (int32_t i = 0; i < net->n_tank; i++) {
        planned[i] = level_after(net, i, v->level_before[i], v->inflow_before[i] * dt);
        fall = fmin(fall, planned[i] - v->level_before[i]);
        rise = fmax(rise, planned[i] - v->level_before[i]);
    }
    v->one_step = one_step(v);
    if (v->one_step) {
        for (int32_t i = 0; i < net->n_tank; i++) {
            check_step(v, i, fall, rise);
        }
    }
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
