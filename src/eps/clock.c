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

/* The limits that do not depend on the water. */
static double scheduled_step(const sl_eps *e, double t) {
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
    double t = s->x->time, dt = scheduled_step(e, t);
    if (t >= e->m->duration || s->x->halted) {
        return (double)INFINITY;
    }
    if (e->dirty) {
        return t + fmin(dt, 1.0); /* not known before the solution is */
    }
    /* A stiff tank may reach a limit at any time: a step of one second is the least there is. */
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

/* One implicit step of at most *dt into `other`; *dt is what was taken. False: no balanced solution. */
static bool implicit_step(sl_eps *e, double *dt) {
    for (int attempt = 0; attempt < 30; attempt++) {
        sl_eps_state_copy(e->m, &e->other, &e->now);
        if (sl_eps_solve(e, &e->other, *dt) != SL_OK || !e->other.x->facts.balanced) {
            return false;
        }
        double share = passed(e, &e->now, &e->other);
        if (share >= 1.0 || *dt <= 1.0) {
            return true;
        }
        *dt = fmax(1.0, floor(*dt * fmin(fmax(share, 0.05), 0.9)));
    }
    return true;
}

static void tell_stiff(sl_eps *e, sl_diags *diags) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (e->w.free_tank[i] && !e->now.stiff[i]) {
            e->now.stiff[i] = 1;
            sl_eps_say(e, e->now.x->time, SL_WARNING, SL_CODE_STIFF_TANK, diags, "tank",
                       sl_network_node_id(net, sl_first_tank(net) + i),
                       "its level follows the network faster than the time step: it is integrated implicitly");
        }
    }
}

/* Net inflows of the tanks over the step that begins now, into before->mean_inflow; the flows that go with them. */
static const sl_eps_state *mean_flows(sl_eps *e, double *dt, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double *mean = e->before.mean_inflow;
    memcpy(mean, e->now.inflow, (size_t)net->n_tank * sizeof *mean);
    bool stiff = net->n_tank > 0 && sl_eps_find_stiff(e, &e->now, *dt) && sl_eps_make_other(e) == SL_OK;
    *dt = sl_eps_tank_step(e, &e->now, *dt, e->w.free_tank);
    *dt = sl_eps_control_step(e, &e->now, *dt, e->w.free_tank);
    if (!stiff) {
        return &e->before;
    }
    if (net->n_rule > 0) {
        *dt = rule_offset(e, e->now.x->time, *dt);
    }
    const sl_eps_state *flows = &e->before;
    if (e->m->def.tanks == SL_TANKS_AUTO) {
        tell_stiff(e, diags);
    }
    if (implicit_step(e, dt)) {
        sl_eps_tank_inflows(e, &e->other);
        for (int32_t i = 0; i < net->n_tank; i++) {
            double h = e->other.head[sl_first_tank(net) + i];
            mean[i] =
                e->w.free_tank[i] ? (sl_tank_volume(&e->m->tank[i], h) - e->now.volume[i]) / *dt : e->other.inflow[i];
        }
        /* Its end is the best start for the next solution. */
        memcpy(e->now.flow, e->other.flow, (size_t)net->n_link * sizeof(double));
        memcpy(e->now.status, e->other.status, (size_t)net->n_link);
        memcpy(e->now.outlet_flow, e->other.outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
        flows = &e->other;
    } else {
        *dt = sl_eps_tank_step(e, &e->now, *dt, e->w.no_tank);
    }
    memset(e->w.free_tank, 0, (size_t)net->n_tank);
    return flows;
}

sl_status sl_eps_move(sl_eps *e, sl_diags *diags) {
    const sl_network *net = e->m->net;
    sl_eps_state *s = &e->now;
    double t = s->x->time, dt = scheduled_step(e, t);
    sl_eps_state_copy(e->m, &e->before, s);
    const sl_eps_state *flows = mean_flows(e, &dt, diags);
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
    sl_eps_accounts(e, s, &e->before, flows, dt);
    s->x->time = t + dt;
    s->x->n_step++;
    return SL_OK;
}
