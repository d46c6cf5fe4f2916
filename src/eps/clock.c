/* SPDX-License-Identifier: MIT */
/* clock.c: from one boundary to the next.
 *
 * The step is the least of: the hydraulic step, the time to the next pattern period, to the next report, to the end, to
 * a tank's limit, to a simple control that would change something; and with rules, the first rule step at which an action
 * changes something. The engine's own events fall on whole seconds.
 */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

/* Time to the next multiple of a step counted from a start; a step of 0 gives none. */
static double to_next(double t, double step) {
    return step > 0.0 ? (floor(t / step) + 1.0) * step - t : (double)INFINITY;
}

double sl_eps_scheduled_step(const sl_eps *e, double t) {
    const sl_times *x = &e->m->net->times;
    double dt = x->hydraulic_step;
    dt = fmin(dt, to_next(t + x->pattern_start, x->pattern_step));
    dt = fmin(dt, t < x->report_start ? x->report_start - t : to_next(t - x->report_start, x->report_step));
    return fmin(dt, e->m->duration - t);
}

static double rule_offset(const sl_eps *e, double t, double dt) {
    return fmin(to_next(t, e->m->net->times.rule_step), dt);
}

double sl_eps_next_time(const sl_eps *e) {
    const sl_eps_state *s = &e->now;
    double t = s->x->time, dt = sl_eps_scheduled_step(e, t);
    if (t >= e->m->duration || s->x->halted) {
        return (double)INFINITY;
    }
    if (e->dirty) {
        return t + fmin(dt, 1.0); /* not known before the solution is */
    }
    if (e->m->net->n_tank > 0 && memchr(s->swings, 1, (size_t)e->m->net->n_tank)) {
        return t + fmin(dt, 1.0); /* a stiff tank may reach a limit at any time: this is the shortest step there is */
    }
    dt = sl_eps_tank_step(e, s, dt, e->w.no_tank);
    dt = sl_eps_control_step(e, s, dt, e->w.no_tank);
    if (e->m->net->n_rule > 0) {
        dt = rule_offset(e, t, dt);
    }
    return t + fmin(dt, e->m->duration - t);
}

/* Did a stiff tank pass a limit or the level of a control within the step? Then the share of the step after which it
 * did, else 1. */
static double passed(const sl_eps *e, const sl_eps_state *from, const sl_eps_state *to) {
    const sl_network *net = e->m->net;
    double share = 1.0;
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (!e->w.free_tank[i]) {
            continue;
        }
        const sl_tank_law *law = &e->m->tank[i];
        int32_t node = sl_first_tank(net) + i;
        double h0 = from->head[node], h1 = to->head[node], tol = net->hydraulics.head_tolerance;
        if (h1 > law->h_max + tol && !law->overflows && h0 < law->h_max) {
            share = fmin(share, (law->h_max - h0) / (h1 - h0));
        }
        if (h1 < law->h_min - tol && h0 > law->h_min) {
            share = fmin(share, (law->h_min - h0) / (h1 - h0));
        }
    }
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        int32_t tank = c->node - sl_first_tank(net);
        if (!c->enabled || c->kind > SL_CONTROL_BELOW || tank < 0 || !e->w.free_tank[tank]) {
            continue;
        }
        double at = net->node_elevation[c->node] + c->threshold, h0 = from->head[c->node], h1 = to->head[c->node];
        bool up = c->kind == SL_CONTROL_ABOVE;
        if (up ? h0 < at - 1e-6 && h1 > at + 1e-3 : h0 > at + 1e-6 && h1 < at - 1e-3) {
            share = fmin(share, (at - h0) / (h1 - h0));
        }
    }
    return share;
}

/* For the transport: flows times a time, added to the means of the step. */
static void add_flows(sl_eps *e, const sl_eps_state *s, double part) {
    for (int32_t k = 0; k < e->m->net->n_link; k++) {
        e->mean_flow[k] += s->flow[k] * part;
    }
    sl_eps_outflows(e, s, e->substep_out);
    for (int32_t i = 0; i < e->m->net->n_junction; i++) {
        e->mean_out[i] += e->substep_out[i] * part;
    }
}

static void clear_flows(sl_eps *e) {
    memset(e->mean_flow, 0, (size_t)e->m->net->n_link * sizeof *e->mean_flow);
    memset(e->mean_out, 0, (size_t)e->m->net->n_junction * sizeof *e->mean_out);
}

static void divide_flows(sl_eps *e, double dt) {
    for (int32_t k = 0; e->mean_flow && k < e->m->net->n_link; k++) {
        e->mean_flow[k] /= dt;
    }
    for (int32_t i = 0; e->mean_flow && i < e->m->net->n_junction; i++) {
        e->mean_out[i] /= dt;
    }
}

/* Those of the solution at its beginning. */
static void take_flows(sl_eps *e, const sl_eps_state *s) {
    memcpy(e->mean_flow, s->flow, (size_t)e->m->net->n_link * sizeof *e->mean_flow);
    sl_eps_outflows(e, s, e->mean_out);
}

/* `other` moved over part of an implicit step that was just solved in it. */
static void interpolate_step(sl_eps *e, double part) {
    const sl_network *net = e->m->net;
    sl_eps_tank_inflows(e, &e->other);
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        double *h = &e->other.head[sl_first_tank(net) + i], *v = &e->other.volume[i];
        if (e->w.free_tank[i]) {
            *v = sl_tank_volume(law, *h);
        } else {
            *v += e->other.inflow[i] * part;
            *h = sl_tank_head(law, *v);
        }
    }
    sl_eps_balance rate = sl_eps_rates(e, &e->other);
    sl_eps_add_balance(&e->other.x->rate, &rate, part);
    if (e->mean_flow) {
        add_flows(e, &e->other, part);
    }
}

/* Parts of an implicit step: in a fast transient each is as long as all before it, so that what decays within seconds is
 * gone at the end and does not linger as backward Euler would let it. */
enum { PARTS = 10 };

/* From now over dt into `other`, in one part or in PARTS. False: no balanced solution. *share: after which share of dt
 * a stiff tank passed a limit, or 1. */
static bool implicit_parts(sl_eps *e, double dt, bool fast, double *share) {
    double gone = 0.0;
    *share = 1.0;
    sl_eps_state_copy(e->m, &e->other, &e->now);
    e->other.x->rate = (sl_eps_balance){0};
    if (e->mean_flow) {
        clear_flows(e);
    }
    for (int i = 0; i < (fast ? PARTS : 1); i++) {
        double part = !fast ? dt : i == 0 ? dt / (1 << (PARTS - 1)) : dt / (1 << (PARTS - i));
        if (sl_eps_solve(e, &e->other, part) != SL_OK || !e->other.x->facts.balanced) {
            return false;
        }
        interpolate_step(e, part);
        gone += part;
        *share = passed(e, &e->now, &e->other);
        if (*share < 1.0) {
            *share *= gone / dt;
            return true;
        }
    }
    return true;
}

/* The largest move of a stiff tank's level [m]. */
static double largest_move(const sl_eps *e) {
    double most = 0.0;
    for (int32_t i = 0; i < e->m->net->n_tank; i++) {
        int32_t node = sl_first_tank(e->m->net) + i;
        if (e->w.free_tank[i]) {
            most = fmax(most, fabs(e->other.head[node] - e->now.head[node]));
        }
    }
    return most;
}

/* One implicit step of at most *dt into `other`; *dt is what was taken. False: no balanced solution. */
static bool implicit_step(sl_eps *e, double *dt) {
    bool fast = false;
    for (int attempt = 0; attempt < 30; attempt++) {
        double share;
        if (!implicit_parts(e, *dt, fast, &share)) {
            return false;
        }
        if (!fast && largest_move(e) > SL_EPS_SWING) {
            fast = true;
            continue;
        }
        if (share >= 1.0 || *dt <= 1.0) {
            return true;
        }
        *dt = fmax(1.0, floor(*dt * fmin(fmax(share, 0.05), 0.9)));
    }
    return true;
}

static void report_stiff(sl_eps *e, sl_diags *diags) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (e->w.free_tank[i] && !e->now.stiff[i]) {
            e->now.stiff[i] = 1;
            sl_eps_add_diag(e, e->now.x->time, SL_WARNING, SL_CODE_STIFF_TANK, diags, "tank",
                            sl_network_node_id(net, sl_first_tank(net) + i),
                            "its level follows the network faster than the time step: it is integrated implicitly");
        }
    }
}

/* What moves over the step that begins now, into before: net inflows of the tanks and rates of the balance. */
static void mean_flows(sl_eps *e, double *dt, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double *mean = e->before.mean_inflow;
    memcpy(mean, e->now.inflow, (size_t)net->n_tank * sizeof *mean);
    e->before.x->rate = sl_eps_rates(e, &e->before);
    bool stiff =
        net->n_tank > 0 && memchr(e->now.swings, 1, (size_t)net->n_tank) && sl_eps_make_scratch_state(e) == SL_OK;
    if (stiff) {
        memcpy(e->w.free_tank, e->now.swings, (size_t)net->n_tank);
    }
    *dt = sl_eps_tank_step(e, &e->now, *dt, e->w.free_tank);
    *dt = sl_eps_control_step(e, &e->now, *dt, e->w.free_tank);
    if (!stiff) {
        if (e->mean_flow) {
            take_flows(e, &e->before);
        }
        return;
    }
    if (net->n_rule > 0) {
        *dt = rule_offset(e, e->now.x->time, *dt);
    }
    if (e->m->def.tanks == SL_TANKS_AUTO) {
        report_stiff(e, diags);
    }
    if (implicit_step(e, dt)) {
        for (int32_t i = 0; i < net->n_tank; i++) {
            mean[i] = (e->other.volume[i] - e->now.volume[i]) / *dt;
        }
        e->before.x->rate = (sl_eps_balance){0};
        sl_eps_add_balance(&e->before.x->rate, &e->other.x->rate, 1.0 / *dt);
        divide_flows(e, *dt);
        /* Its end is the best start for the next solution. */
        memcpy(e->now.flow, e->other.flow, (size_t)net->n_link * sizeof(double));
        memcpy(e->now.status, e->other.status, (size_t)net->n_link);
        memcpy(e->now.outlet_flow, e->other.outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
    } else {
        *dt = sl_eps_tank_step(e, &e->now, *dt, e->w.no_tank);
        if (e->mean_flow) {
            take_flows(e, &e->before);
        }
    }
    memset(e->w.free_tank, 0, (size_t)net->n_tank);
}

sl_status sl_eps_move(sl_eps *e, sl_diags *diags) {
    const sl_network *net = e->m->net;
    sl_eps_state *s = &e->now;
    double t = s->x->time, dt = sl_eps_scheduled_step(e, t);
    sl_eps_state oldest = e->older;
    e->older = e->before;
    e->before = oldest;
    sl_eps_state_copy(e->m, &e->before, s);
    mean_flows(e, &dt, diags);
    if (net->n_rule == 0) {
        sl_eps_tanks_fill(e, s, e->before.mean_inflow, dt);
    } else {
        double gone = 0.0, sub = rule_offset(e, t, dt);
        for (;;) {
            sl_eps_tanks_fill(e, s, e->before.mean_inflow, sub);
            gone += sub;
            if (sl_eps_rules(e, s, t + gone, sub, diags) || gone >= dt) {
                break;
            }
            sub = fmin(net->times.rule_step > 0.0 ? net->times.rule_step : dt, dt - gone);
        }
        dt = gone;
    }
    sl_eps_accounts(e, s, dt);
    s->x->time = t + dt;
    s->x->n_step++;
    return SL_OK;
}
