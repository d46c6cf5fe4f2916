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

/* The step that follows from the boundary now, at most *dt. True: in substeps, which may end it sooner. */
static bool plan_step(const sl_eps *e, double *dt) {
    const sl_eps_state *s = &e->now;
    double scheduled = *dt;
    *dt = sl_eps_tank_step(e, s, scheduled, e->w.no_rate);
    *dt = sl_eps_control_step(e, s, *dt, e->w.no_rate);
    if (!sl_eps_needs_substeps(e, s, *dt)) {
        return false;
    }
    *dt = sl_eps_tank_step(e, s, scheduled, s->rate);
    *dt = sl_eps_control_step(e, s, *dt, s->rate);
    if (e->m->net->n_rule > 0) { /* rules look at levels on a straight line: not beyond the first look */
        *dt = rule_offset(e, s->x->time, *dt);
    }
    return sl_eps_needs_substeps(e, s, *dt);
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
    bool substeps = plan_step(e, &dt);
    if (e->m->net->n_rule > 0) {
        dt = rule_offset(e, t, dt);
    }
    dt = substeps ? fmin(dt, 1.0) : dt; /* a tank may reach a limit at any time: this is the shortest step there is */
    return t + fmin(dt, e->m->duration - t);
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

static void report_stiff(sl_eps *e, sl_diags *diags) {
    const sl_network *net = e->m->net;
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (e->now.rate[i] > 0.0 && !e->now.stiff[i]) {
            e->now.stiff[i] = 1;
            sl_eps_add_diag(e, e->now.x->time, SL_WARNING, SL_CODE_STIFF_TANK, diags, "tank",
                            sl_network_node_id(net, sl_first_tank(net) + i),
                            "its level follows the network faster than the time step: it is integrated in substeps");
        }
    }
}

/* What moves over the step that begins now, into before: net inflows of the tanks and rates of the balance. */
static void mean_flows(sl_eps *e, double *dt, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double *mean = e->before.mean_inflow;
    memcpy(mean, e->now.inflow, (size_t)net->n_tank * sizeof *mean);
    e->before.x->rate = sl_eps_rates(e, &e->before);
    e->before.x->substepped = false;
    bool substeps = plan_step(e, dt) && sl_eps_make_scratch_state(e) == SL_OK;
    if (substeps && e->m->def.tanks == SL_TANKS_AUTO) {
        report_stiff(e, diags);
    }
    if (substeps && sl_eps_substeps(e, dt)) {
        for (int32_t i = 0; i < net->n_tank; i++) {
            mean[i] = (e->other.volume[i] - e->now.volume[i]) / *dt;
        }
        e->before.x->rate = (sl_eps_balance){0};
        sl_eps_add_balance(&e->before.x->rate, &e->other.x->rate, 1.0 / *dt);
        e->before.x->substepped = true;
        divide_flows(e, *dt);
        /* Its end is the best start for the next solution. */
        memcpy(e->now.flow, e->other.flow, (size_t)net->n_link * sizeof(double));
        memcpy(e->now.status, e->other.status, (size_t)net->n_link);
        memcpy(e->now.outlet_flow, e->other.outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
        return;
    }
    if (substeps) { /* without a solution on the way: by the inflows of the beginning, to the first limit */
        *dt = sl_eps_tank_step(e, &e->now, *dt, e->w.no_rate);
    }
    if (e->mean_flow) {
        take_flows(e, &e->before);
    }
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
        sl_eps_tanks_fill(e, s, e->before.mean_inflow, dt, t + dt);
    } else {
        double gone = 0.0, sub = rule_offset(e, t, dt);
        for (;;) {
            gone += sub;
            sl_eps_tanks_fill(e, s, e->before.mean_inflow, sub, t + gone);
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
