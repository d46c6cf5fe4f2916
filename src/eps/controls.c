/* SPDX-License-Identifier: MIT */
/* controls.c: what changes at the beginning of a step: patterns, values set from outside, simple controls. */
#include "eps/impl.h"

#include "numeric/vecmath.h"

#include <math.h>

double sl_eps_pattern_factor(const sl_network *net, int32_t pattern, double time) {
    if (pattern < 0) {
        return 1.0;
    }
    int32_t at = net->pattern_start[pattern], n = net->pattern_start[pattern + 1] - at;
    double period = floor((time + net->times.pattern_start) / net->times.pattern_step);
    return net->pattern_factor[at + (int32_t)fmod(period, (double)n)];
}

/* Whole days are taken off by a division: fmod, which takes off bit by bit, was a thirtieth of a run with rules. */
double sl_eps_clock(const sl_network *net, double t) {
    const double day = 86400.0;
    double of = t + net->times.start_clock, left = of - day * floor(of / day);
    return left < 0.0 ? left + day : left;
}

/* Closed class or not. */
static bool is_closed(const sl_eps_state *s, int32_t k) {
    return s->status[k] <= SL_STATUS_CLOSED;
}

static void open_link(sl_eps *e, sl_eps_state *s, int32_t k, uint8_t status) {
    if (is_closed(s, k)) {
        s->flow[k] = sl_eps_first_flow(e, s, k);
    }
    s->status[k] = status;
}

static void close_link(sl_eps_state *s, int32_t k) {
    s->status[k] = SL_STATUS_CLOSED;
    s->flow[k] = 0.0;
}

static bool apply_to_pump(sl_eps *e, sl_eps_state *s, int32_t k, sl_link_status status, double speed) {
    if (isnan(speed)) {
        speed = status == SL_CLOSED ? 0.0 : 1.0;
    }
    /* A pump that the solver has closed for a while is still switched on. */
    bool off = s->status[k] == SL_STATUS_CLOSED, turn_off = speed <= 0.0;
    if (off == turn_off && s->setting[k] == speed) {
        return false;
    }
    s->setting[k] = speed;
    if (turn_off) {
        close_link(s, k);
    } else {
        open_link(e, s, k, SL_STATUS_OPEN);
    }
    return true;
}

bool sl_eps_apply(sl_eps *e, sl_eps_state *s, int32_t k, sl_link_status status, double setting) {
    const sl_network *net = e->m->net;
    if (sl_is_pump(net, k)) {
        return apply_to_pump(e, s, k, status, setting);
    }
    bool valve = sl_is_valve(net, k);
    int kind = sl_valve_kind_of(net, k);
    if (valve && kind != SL_GPV && !isnan(setting)) {
        if (s->setting[k] == setting) {
            return false;
        }
        s->setting[k] = setting;
        open_link(e, s, k, SL_STATUS_ACTIVE);
        return true;
    }
    if (status == SL_ACTIVE) {
        return false; /* a word without a number says nothing */
    }
    bool closing = status == SL_CLOSED, was = s->status[k] == SL_STATUS_CLOSED,
         governed = valve && !isnan(s->setting[k]);
    if (was == closing && !(governed && kind != SL_GPV)) {
        return false;
    }
    if (valve && kind != SL_GPV) {
        s->setting[k] = (double)NAN; /* the status governs until a setting is given again */
    }
    if (closing) {
        close_link(s, k);
    } else {
        open_link(e, s, k, SL_STATUS_OPEN);
    }
    return true;
}

/* Demands of junctions that have one each, as nearly all have; their sum, in strands: the same bits whatever the width of
 * vectors. */
SL_SIMD(double, want_one,
        (int32_t n, const double *restrict base, const int32_t *restrict pattern, const double *restrict factor,
         double multiplier, double *restrict wanted),
        (n, base, pattern, factor, multiplier, wanted)) {
    enum { STRANDS = 8 };
    double sum[STRANDS] = {0};
    int32_t i = 0;
    for (; i + STRANDS <= n; i += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            double d = base[i + l] * factor[pattern[i + l]];
            wanted[i + l] = d * multiplier;
            sum[l] += d;
        }
    }
    for (int l = 0; i < n; i++, l++) {
        double d = base[i] * factor[pattern[i]];
        wanted[i] = d * multiplier;
        sum[l] += d;
    }
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

static double want_any(const sl_network *net, const double *factor, double multiplier, double *wanted) {
    double total = 0.0;
    for (int32_t i = 0, d = 0; i < net->n_junction; i++) {
        double sum = 0.0;
        for (int32_t end = net->demand_start[i + 1]; d < end; d++) {
            sum += net->demand_base[d] * factor[net->demand_pattern[d]];
        }
        wanted[i] = sum * multiplier;
        total += sum;
    }
    return total;
}

/* Demands at this time. Each pattern is looked up once: there are far fewer of them than demands. */
static void want(sl_eps *e, sl_eps_state *s, double t) {
    const sl_network *net = e->m->net;
    double *factor = e->w.factor + 1, multiplier = net->hydraulics.demand_multiplier; /* factor[-1]: of no pattern */
    for (int32_t p = 0; p < net->n_pattern; p++) {
        factor[p] = sl_eps_pattern_factor(net, p, t);
    }
    factor[-1] = sl_eps_pattern_factor(net, net->hydraulics.default_pattern, t);
    double total = e->m->one_demand_each
                       ? want_one(net->n_junction, net->demand_base, net->demand_pattern, factor, multiplier, s->wanted)
                       : want_any(net, factor, multiplier, s->wanted);
    s->x->demand = total * multiplier;
}

void sl_eps_patterns(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    double t = s->x->time;
    want(e, s, t);
    for (int32_t i = 0; i < net->n_reservoir; i++) {
        int32_t node = net->n_junction + i;
        s->head[node] = net->node_elevation[node] * sl_eps_pattern_factor(net, net->reservoir_pattern[i], t);
    }
    for (int32_t i = 0; i < net->n_pump; i++) {
        if (net->pump_pattern[i] >= 0) {
            double speed = sl_eps_pattern_factor(net, net->pump_pattern[i], t);
            sl_eps_apply(e, s, net->n_pipe + i, speed > 0.0 ? SL_OPEN : SL_CLOSED, fmax(speed, 0.0));
        }
    }
    sl_eps_overrides(e, s);
}

/* ---- Simple controls ---------------------------------------------------------------------------- */

/* Levels are compared as volumes, within what flows in one second: the clock knows whole seconds only. */
static bool level_fires(const sl_eps *e, const sl_eps_state *s, const sl_control *c) {
    const sl_network *net = e->m->net;
    double at = net->node_elevation[c->node] + c->threshold, h = s->head[c->node];
    int32_t tank = c->node - sl_first_tank(net);
    if (tank < 0) { /* a reservoir */
        return c->kind == SL_CONTROL_BELOW ? h <= at : h >= at;
    }
    const sl_tank_law *law = &e->m->tank[tank];
    double second = fabs(s->inflow[tank]), v = sl_tank_volume(law, h), limit = sl_tank_volume(law, at);
    return c->kind == SL_CONTROL_BELOW ? v <= limit + second : v >= limit - second;
}

static bool fires(const sl_eps *e, const sl_eps_state *s, const sl_control *c) {
    const sl_network *net = e->m->net;
    switch (c->kind) {
    case SL_CONTROL_TIME: return true; /* at no other time is it asked */
    case SL_CONTROL_CLOCK: return sl_eps_clock(net, s->x->time) == c->threshold;
    default:
        /* Junctions' pressures are looked at within the solution. */
        return c->node >= net->n_junction && level_fires(e, s, c);
    }
}

/* The first control AT TIME from t on, in the order of times. */
static int32_t first_timed(const sl_eps_model *m, double t) {
    int32_t low = 0, high = m->n_timed;
    while (low < high) {
        int32_t mid = low + (high - low) / 2;
        if (m->timed[mid].at < t) {
            low = mid + 1;
        } else {
            high = mid;
        }
    }
    return low;
}

/* The next one in the order of the file that may act at t, or -1. *timed and *untimed: how far both lists are done. */
static int32_t next_control(const sl_eps_model *m, double t, int32_t *timed, int32_t *untimed) {
    int32_t a = *timed < m->n_timed && m->timed[*timed].at == t ? m->timed[*timed].control : INT32_MAX;
    int32_t b = *untimed < m->n_untimed ? m->untimed[*untimed] : INT32_MAX;
    *timed += a < b;
    *untimed += b < a;
    return a == b ? -1 : a < b ? a : b;
}

int32_t sl_eps_controls(sl_eps *e, sl_eps_state *s, sl_diags *diags) {
    const sl_network *net = e->m->net;
    double t = s->x->time;
    int32_t changed = 0, timed = first_timed(e->m, t), untimed = 0;
    for (int32_t i; (i = next_control(e->m, t, &timed, &untimed)) >= 0;) {
        const sl_control *c = &net->controls[i];
        if (!fires(e, s, c)) {
            continue;
        }
        sl_eps_single from = sl_eps_link_state(e, s, c->link);
        if (sl_eps_apply(e, s, c->link, c->status, c->setting)) {
            changed++;
            sl_eps_note_control(e, s, i, from);
            if (net->report.status > 0) {
                sl_eps_add_diag(e, s->x->time, SL_INFO, SL_CODE_CONTROL_ACTED, diags, sl_eps_link_kind(net, c->link),
                                sl_network_link_id(net, c->link), "%s by the control of line %u",
                                is_closed(s, c->link) ? "closed" : "opened or set", c->line);
            }
        }
    }
    return changed;
}

bool sl_eps_would_change(const sl_eps *e, const sl_eps_state *s, const sl_control *c) {
    const sl_network *net = e->m->net;
    bool closed = s->status[c->link] == SL_STATUS_CLOSED;
    if (sl_is_pump(net, c->link)) {
        double speed = isnan(c->setting) ? (c->status == SL_CLOSED ? 0.0 : 1.0) : c->setting;
        return s->setting[c->link] != speed || closed != (speed <= 0.0);
    }
    if (sl_is_valve(net, c->link) && !isnan(c->setting)) {
        return s->setting[c->link] != c->setting;
    }
    return closed != (c->status == SL_CLOSED) || (sl_is_valve(net, c->link) && !isnan(s->setting[c->link]));
}

double sl_eps_control_step(const sl_eps *e, const sl_eps_state *s, double dt, const double *rate) {
    const sl_network *net = e->m->net;
    double now = s->x->time;
    for (int32_t i = 0; i < e->m->n_untimed; i++) {
        const sl_control *c = &net->controls[e->m->untimed[i]];
        double t = 0.0;
        if (c->kind == SL_CONTROL_CLOCK) {
            t = c->threshold - sl_eps_clock(net, now);
            t = t < 0.0 ? t + 86400.0 : t;
        } else {
            int32_t tank = c->node - sl_first_tank(net);
            if (tank < 0) {
                continue;
            }
            double q = s->inflow[tank], at = net->node_elevation[c->node] + c->threshold, h = s->head[c->node];
            bool towards = c->kind == SL_CONTROL_ABOVE ? h < at && q > 0.0 : h > at && q < 0.0;
            if (!towards || fabs(q) < 1e-9) {
                continue;
            }
            t = floor((sl_tank_volume(&e->m->tank[tank], at) - s->volume[tank]) / q + 0.5);
            t = rate[tank] * t >= 1.0 ? 0.0 : t;
        }
        if (t > 0.0 && t < dt && sl_eps_would_change(e, s, c)) {
            dt = t;
        }
    }
    for (int32_t i = first_timed(e->m, now); i < e->m->n_timed && e->m->timed[i].at - now < dt; i++) {
        double t = e->m->timed[i].at - now;
        if (t > 0.0 && sl_eps_would_change(e, s, &net->controls[e->m->timed[i].control])) {
            dt = t;
        }
    }
    return dt;
}
