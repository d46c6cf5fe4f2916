/* SPDX-License-Identifier: MIT */
/* verify_quality.c: the verifier and what the water carries: values within their bounds, and the balance of the mass.
 *
 * A file has the quality of nodes and the mean of links at report times only, and flows that held from then on. So the mass
 * that passed a place between two periods is known as a bracket: flow times the lower and the higher of the two qualities
 * (of both flows too, when anything can have split the step). What is stored is known at each period: pipes hold their mean
 * times their volume, a mixed tank its quality times its volume; of tanks that do not mix only bounds are known. What
 * reacted is in the file's epilogue. Stored at the end = stored at the start + came - went, to within the brackets.
 * docs/theory/verify.md has the reasons.
 *
 * Masses are [conc * m3]; for age h m3, for a trace % m3.
 */
#include "results/verify.h"

#include <math.h>

#include "base/report.h"

/* Bounds hold to the rounding of some hundred operations on 4-byte numbers. */
#define BOUND_SLACK 1e-5
/* Share of the mass handled that hydraulics may lose or add: tanks are put on their limits by whole seconds. */
#define LEDGER_SLACK 1e-4
/* Below this nothing may move at a source [m3/s]: water at rest keeps its quality. */
#define BOOSTED_FLOW 1e-6

typedef struct span {
    double low, high;
} span;

static span over(double a, double b) {
    return (span){fmin(a, b), fmax(a, b)};
}

static span positive(span x) {
    return (span){fmax(x.low, 0.0), fmax(x.high, 0.0)};
}

static span times(span x, span y) { /* neither negative */
    return (span){x.low * y.low, x.high * y.high};
}

static span negated(span x) {
    return (span){-x.high, -x.low};
}

/* ---- Preparing ---------------------------------------------------------------------------------- */

static const sl_quality_source *source_of(const sl_network *net, int32_t node) {
    const sl_quality_source *found = NULL; /* the last counts, as in the engine */
    for (int32_t i = 0; net->quality.kind == SL_QUALITY_CHEMICAL && i < net->n_source; i++) {
        found = net->sources[i].node == node ? &net->sources[i] : found;
    }
    return found;
}

/* The factors that a pattern has from one time to another. */
static span pattern_span(const sl_network *net, int32_t pattern, double begin, double end) {
    if (pattern < 0) {
        return (span){1.0, 1.0};
    }
    const sl_times *t = &net->times;
    int32_t first = net->pattern_start[pattern], n = net->pattern_start[pattern + 1] - first;
    double from = fmax(floor((begin + t->pattern_start) / t->pattern_step), 0.0);
    double to = fmax(floor((end + t->pattern_start) / t->pattern_step), from);
    span s = {INFINITY, -INFINITY};
    for (double at = from; at <= to && at < from + n; at += 1.0) {
        double f = net->pattern_factor[first + (int32_t)fmod(at, n)];
        s = (span){fmin(s.low, f), fmax(s.high, f)};
    }
    return positive(s);
}

/* Signs of the coefficients that are there. */
static void find_signs(const sl_network *net, bool *decays, bool *grows) {
    const sl_quality_options *q = &net->quality;
    double sign[2] = {0.0, 0.0}; /* lowest and highest coefficient */
#define SEE(x) (sign[0] = fmin(sign[0], (x)), sign[1] = fmax(sign[1], (x)))
    SEE(q->bulk_coef);
    SEE(q->wall_coef);
    SEE(q->roughness_factor);
    for (int32_t k = 0; k < net->n_pipe; k++) {
        if (net->pipe_bulk && !isnan(net->pipe_bulk[k])) {
            SEE(net->pipe_bulk[k]);
        }
        if (net->pipe_wall && !isnan(net->pipe_wall[k])) {
            SEE(net->pipe_wall[k]);
        }
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (!isnan(net->tank_bulk[i])) {
            SEE(net->tank_bulk[i]);
        }
    }
#undef SEE
    *decays = sign[0] < 0.0;
    *grows = sign[1] > 0.0;
}

/* The highest concentration that anything can bring; infinite when nothing limits it. */
static double highest_of(const sl_network *net, bool grows) {
    bool trace = net->quality.kind == SL_QUALITY_TRACE;
    double c = trace ? 100.0 : 0.0;
    for (int32_t i = 0; !trace && i < net->n_node; i++) {
        c = fmax(c, net->node_quality[i]);
    }
    if (net->quality.kind != SL_QUALITY_CHEMICAL) {
        return c;
    }
    for (int32_t i = 0; i < net->n_source; i++) {
        const sl_quality_source *s = &net->sources[i];
        bool adds = s->kind == SL_SOURCE_MASS || s->kind == SL_SOURCE_FLOWPACED ||
                    (s->kind == SL_SOURCE_CONCEN && s->node >= net->n_junction + net->n_reservoir);
        double most = s->strength * pattern_span(net, s->pattern, 0.0, INFINITY).high;
        c = adds ? (double)INFINITY : fmax(c, most);
    }
    return !grows ? c : net->quality.limit_potential > 0.0 ? fmax(c, net->quality.limit_potential) : (double)INFINITY;
}

/* How much a source that holds a set point adds depends on what arrives, which is not in the file; their sum is, in its
 * epilogue. It cannot be used with sources at reservoirs: what those bring shows in the reservoirs' quality already. */
static bool source_sums_since_start(const sl_verifier *v) {
    const sl_network *net = v->net;
    bool set_point = false, reservoir = false;
    for (int32_t i = 0; net->quality.kind == SL_QUALITY_CHEMICAL && i < net->n_source; i++) {
        int32_t node = net->sources[i].node;
        reservoir |= node >= net->n_junction && node < net->n_junction + net->n_reservoir;
        set_point |= net->sources[i].kind == SL_SOURCE_SETPOINT;
    }
    return set_point && !reservoir && v->info->complete && v->info->report_start == 0.0;
}

sl_status sl_verify_quality_begin(sl_verifier *v) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    if (net->quality.kind == SL_QUALITY_NONE || v->info->quality == 0) {
        return SL_OK;
    }
    if ((int32_t)net->quality.kind != v->info->quality) {
        sl_report(v->diags, SL_WARNING, SL_CODE_NOT_THIS_MODEL, NULL, NULL, NULL, NULL,
                  "the result is of another kind of quality analysis: its qualities are not verified");
        return SL_OK;
    }
    double **per_node[] = {&x->node, &x->node_before, &x->demand_before, &x->passed_before};
    double **per_link[] = {&x->link, &x->link_before, &x->flow_before};
    for (int i = 0; i < 4; i++) {
        if (!(*per_node[i] = sl_arena_alloc(&v->arena, ((size_t)net->n_node + 1) * sizeof(double)))) {
            return SL_ERR_MEMORY;
        }
    }
    for (int i = 0; i < 3; i++) {
        if (!(*per_link[i] = sl_arena_alloc(&v->arena, ((size_t)net->n_link + 1) * sizeof(double)))) {
            return SL_ERR_MEMORY;
        }
    }
    x->volume = sl_arena_alloc(&v->arena, ((size_t)net->n_tank + 1) * sizeof(double));
    x->inflow = sl_arena_alloc(&v->arena, ((size_t)net->n_tank + 1) * sizeof(double));
    x->inflow_now = sl_arena_alloc(&v->arena, ((size_t)net->n_tank + 1) * sizeof(double));
    x->inflow_most = sl_arena_alloc(&v->arena, ((size_t)net->n_tank + 1) * sizeof(double));
    if (!x->volume || !x->inflow || !x->inflow_now || !x->inflow_most) {
        return SL_ERR_MEMORY;
    }
    if (net->quality.kind == SL_QUALITY_CHEMICAL) {
        find_signs(net, &x->decays, &x->grows);
    }
    x->sources_told = source_sums_since_start(v);
    x->highest = highest_of(net, x->grows);
    x->on = true;
    return SL_OK;
}

/* ---- Bounds ------------------------------------------------------------------------------------- */

static double bound_now(const sl_verifier *v) {
    bool age = v->net->quality.kind == SL_QUALITY_AGE;
    return v->quality.highest + (age ? v->time / 3600.0 : 0.0);
}

static void check_bounds(sl_verifier *v, sl_verify_check check, const double *c, int32_t n) {
    double most = bound_now(v), slack = BOUND_SLACK * (isfinite(most) ? fmax(most, 1e-6) : 1.0);
    for (int32_t i = 0; i < n; i++) {
        double beyond = isnan(c[i]) ? c[i] : fmax(fmax(c[i] - most, -c[i]), 0.0);
        v->quality.seen = fmax(v->quality.seen, c[i]);
        if (sl_verify_check_residual(v, check, i, beyond, slack)) {
            sl_verify_add_diag(v, check, i,
                               c[i] < 0.0 ? "its quality is %.6g, below zero"
                                          : "its quality is %.6g: nothing brings more than %.6g",
                               c[i], most);
        }
    }
}

/* What the model gives: all nodes at the start, reservoirs that nothing is added to at any time. A trace begins with nothing but
 * its node, whatever the file says of the others. */
static void check_given(sl_verifier *v) {
    const sl_network *net = v->net;
    bool start = v->time == 0.0;
    int32_t first = start ? 0 : net->n_junction, last = start ? net->n_node : net->n_junction + net->n_reservoir;
    for (int32_t i = first; i < last; i++) {
        bool trace = net->quality.kind == SL_QUALITY_TRACE, traced = trace && i == net->quality.trace_node;
        double given = traced ? 100.0 : trace ? 0.0 : net->node_quality[i], c = v->quality.node[i];
        if (!start && source_of(net, i)) {
            continue;
        }
        if (sl_verify_check_residual(v, SL_VERIFY_QUALITY, i, fabs(c - given), sl_verify_round(given) + 1e-12)) {
            sl_verify_add_diag(v, SL_VERIFY_QUALITY, i, "its quality is %.6g, the model gives it %.6g", c, given);
        }
    }
}

/* Water that leaves a junction with a booster carries at least what the booster holds (SETPOINT) or adds (FLOWPACED), at the
 * lower of the factors since the period before. */
static void check_boosted(sl_verifier *v) {
    const sl_network *net = v->net;
    const sl_verify_quality *x = &v->quality;
    for (int32_t i = 0; net->quality.kind == SL_QUALITY_CHEMICAL && i < net->n_source; i++) {
        const sl_quality_source *s = &net->sources[i];
        bool boosts = s->kind == SL_SOURCE_SETPOINT || s->kind == SL_SOURCE_FLOWPACED;
        bool moves = fmin(x->passed_before[s->node], v->throughput[s->node]) > BOOSTED_FLOW;
        if (!boosts || s->node >= net->n_junction || source_of(net, s->node) != s || !moves) {
            continue;
        }
        double least = s->strength * pattern_span(net, s->pattern, x->time_before, v->time).low, c = x->node[s->node];
        if (sl_verify_check_residual(v, SL_VERIFY_QUALITY, s->node, fmax(least - c, 0.0),
                                     BOUND_SLACK * fmax(least, 1e-6))) {
            sl_verify_add_diag(v, SL_VERIFY_QUALITY, s->node, "its quality is %.6g; its source makes it %.6g at least",
                               c, least);
        }
    }
}

/* ---- Stored ------------------------------------------------------------------------------------- */

static double tank_volume(const sl_verifier *v, int32_t tank) {
    const sl_network *net = v->net;
    int32_t node = net->n_junction + net->n_reservoir + tank;
    double level = v->head[node] - net->node_elevation[node], d = net->tank_diameter[tank];
    if (net->tank_curve[tank] >= 0) {
        return sl_verify_curve(net, net->tank_curve[tank], level);
    }
    double area = 3.14159265358979323846 / 4.0 * d * d, low = net->tank_level_min[tank];
    double least = net->tank_volume_min[tank] > 0.0 ? net->tank_volume_min[tank] : area * low;
    return fmax(least + area * (level - low), 0.0);
}

static double pipe_volume(const sl_network *net, int32_t k) {
    double d = net->pipe_diameter[k];
    return 3.14159265358979323846 / 4.0 * d * d * net->pipe_length[k];
}

/* At the start every tank holds what the model gives it, whatever its mixing. */
static span stored(const sl_verifier *v) {
    const sl_network *net = v->net;
    const sl_verify_quality *x = &v->quality;
    /* Water in a tank that does not mix ages unseen. */
    double most = net->quality.kind == SL_QUALITY_AGE ? bound_now(v) : fmin(bound_now(v), x->seen);
    span sum = {0.0, 0.0};
    for (int32_t k = 0; k < net->n_pipe; k++) {
        double m = pipe_volume(net, k) * x->link[k];
        sum = (span){sum.low + m, sum.high + m};
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        double c = x->node[net->n_junction + net->n_reservoir + i], volume = tank_volume(v, i);
        bool known = net->tank_mixing[i] == SL_MIX_FULL || v->time == 0.0;
        sum.low += known ? volume * c : 0.0;
        sum.high += volume * (known ? c : most);
    }
    return sum;
}

/* ---- What came and went between two periods ----------------------------------------------------- */

static span flow_span(const sl_verifier *v, double before, double now) {
    return v->one_step ? (span){before, before} : over(before, now);
}

static void add(sl_verify_quality *x, span mass) {
    x->low += mass.low;
    x->high += mass.high;
    x->handled += fmax(0.5 * (mass.low + mass.high), 0.0);
    x->slack += 3.0 * SL_VERIFY_ROUND * fmax(fabs(mass.low), fabs(mass.high));
}

/* Volume that passes from one period to the other. */
static span passing(span q, double dt) {
    return (span){q.low * dt, q.high * dt};
}

/* Demands that do not depend on pressures change with the patterns only, whatever controls do meanwhile. */
static bool demands_held(const sl_verifier *v) {
    const sl_times *t = &v->net->times;
    double next = (floor((v->quality.time_before + t->pattern_start) / t->pattern_step) + 1.0) * t->pattern_step;
    return v->net->hydraulics.demand_model == SL_DDA && !v->leak_area && next - t->pattern_start >= v->time;
}

static void pass_junctions(sl_verifier *v, double dt) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    bool held = demands_held(v);
    for (int32_t i = 0; i < net->n_junction; i++) {
        bool fixed = held && !(net->emitter_coef[i] != 0.0);
        span q =
            fixed ? over(x->demand_before[i], x->demand_before[i]) : flow_span(v, x->demand_before[i], v->demand[i]);
        span c = over(x->node_before[i], x->node[i]);
        add(x, negated(times(passing(positive(q), dt), c)));
        span in = passing(positive(negated(q)), dt);
        const sl_quality_source *s = in.high > 0.0 && !x->sources_told ? source_of(net, i) : NULL;
        if (s && s->kind == SL_SOURCE_CONCEN) {
            span f = pattern_span(net, s->pattern, v->quality.time_before, v->time);
            add(x, times(in, (span){s->strength * f.low, s->strength * f.high}));
        }
    }
}

/* Of a pipe in which nothing reacts the mean tells what it gained, so what came in at its near end tells what left for the
 * reservoir. */
static span through_pipe(sl_verifier *v, int32_t k, span in, span near, double dt) {
    sl_verify_quality *x = &v->quality;
    double volume = pipe_volume(v->net, k), aged = v->net->quality.kind == SL_QUALITY_AGE ? dt / 3600.0 : 0.0;
    double gained = volume * (x->link[k] - x->link_before[k] - aged);
    span mass = times(in, near);
    x->slack += 2.0 * SL_VERIFY_ROUND * volume * fmax(x->link[k], x->link_before[k]);
    return (span){mass.low - gained, mass.high - gained};
}

/* Links at reservoirs: what leaves has the reservoir's quality, what comes that of the link's end: of a link in which water
 * reacts or turns its mean and the node before it tell. Water that ages or reacts on its way is at the end as
 * far beyond the mean as the node is before it; what decays may be gone there. */
static void pass_reservoir(sl_verifier *v, int32_t k, int32_t node, int32_t other, double sign, double dt) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    if (node < net->n_junction || node >= net->n_junction + net->n_reservoir) {
        return;
    }
    span q = flow_span(v, sign * x->flow_before[k], sign * v->flow[k]); /* out of the reservoir */
    span own = over(x->node_before[node], x->node[node]);
    span near = over(x->node_before[other], x->node[other]), mean = over(x->link_before[k], x->link[k]);
    span end = {fmin(near.low, mean.low), fmax(near.high, mean.high)}, in = passing(positive(negated(q)), dt);
    bool reacts = x->decays || x->grows;
    if (k < net->n_pipe && q.high < 0.0 && !reacts) {
        add(x, negated(through_pipe(v, k, in, near, dt)));
        return;
    }
    if (net->quality.kind == SL_QUALITY_AGE || reacts) {
        end.low = x->decays ? 0.0 : fmax(fmin(end.low, 2.0 * mean.low - near.high), 0.0);
        end.high = fmin(fmax(end.high, 2.0 * mean.high - near.low), bound_now(v));
    }
    add(x, times(passing(positive(q), dt), own));
    add(x, negated(times(in, end)));
}

/* What sources add at junctions and tanks (what a reservoir's source does shows in its quality), and a traced node that is
 * no reservoir. */
static void pass_source(sl_verifier *v, int32_t node, const sl_quality_source *s, double dt) {
    sl_verify_quality *x = &v->quality;
    bool tank = node >= v->net->n_junction + v->net->n_reservoir;
    /* All that leaves gets it: of a junction as much as comes, also what is used there; of a tank half of its flows less half
     * of its net inflow. */
    double q0 = x->demand_before[node], q1 = v->demand[node];
    double more[2] = {0.5 * (tank ? -q0 : fabs(q0)), 0.5 * (tank ? -q1 : fabs(q1))};
    span out = passing(positive(over(x->passed_before[node] + more[0], v->throughput[node] + more[1])), dt);
    span f = s ? pattern_span(v->net, s->pattern, x->time_before, v->time) : (span){1.0, 1.0};
    span strength = {(s ? s->strength : 100.0) * f.low, (s ? s->strength : 100.0) * f.high};
    if (!s || s->kind == SL_SOURCE_SETPOINT) {
        add(x, (span){0.0, out.high * strength.high});
    } else if (s->kind == SL_SOURCE_FLOWPACED || (s->kind == SL_SOURCE_CONCEN && tank)) {
        add(x, times(out, strength));
    } else if (s->kind == SL_SOURCE_MASS) { /* per minute, of a unit that is a thousandth of conc * m3 */
        double minutes = 1e-3 * dt / 60.0;
        bool flows = fmin(x->passed_before[node], v->throughput[node]) > SL_VERIFY_NO_FLOW;
        add(x, (span){flows ? strength.low * minutes : 0.0, strength.high * minutes});
    }
}

static void pass_sources(sl_verifier *v, double dt) {
    const sl_network *net = v->net;
    int32_t first = net->n_junction, end = net->n_junction + net->n_reservoir;
    bool each = net->quality.kind == SL_QUALITY_CHEMICAL && !v->quality.sources_told;
    for (int32_t i = 0; each && i < net->n_source; i++) {
        int32_t node = net->sources[i].node;
        if ((node < first || node >= end) && source_of(net, node) == &net->sources[i]) {
            pass_source(v, node, &net->sources[i], dt);
        }
    }
    int32_t traced = net->quality.kind == SL_QUALITY_TRACE ? net->quality.trace_node : -1;
    if (traced >= 0 && (traced < first || traced >= end)) {
        pass_source(v, traced, NULL, dt);
    }
}

/* What flows into a tank and does not stay runs over its rim; and all water ages. */
static void pass_tanks(sl_verifier *v, double dt) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    span volume = {0.0, 0.0};
    for (int32_t k = 0; k < net->n_pipe; k++) {
        volume.low += pipe_volume(net, k);
    }
    volume.high = volume.low;
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t node = net->n_junction + net->n_reservoir + i;
        double now = tank_volume(v, i);
        span held = over(x->volume[i], now);
        volume = (span){volume.low + held.low, volume.high + held.high};
        double level = v->head[node] - net->node_elevation[node];
        if (net->tank_overflow[i] && level > net->tank_level_max[i] - v->def.head_abs) {
            span in = passing(flow_span(v, x->demand_before[node], v->demand[node]), dt);
            span spilled = positive((span){in.low - (now - x->volume[i]), in.high - (now - x->volume[i])});
            double most = net->tank_mixing[i] == SL_MIX_FULL ? fmax(x->node_before[node], x->node[node]) : x->seen;
            add(x, negated(times(spilled, (span){0.0, most})));
        }
    }
    if (net->quality.kind == SL_QUALITY_AGE) {
        add(x, passing(volume, dt / 3600.0));
    }
}

/* ---- Mixed tanks -------------------------------------------------------------------------------- */

static void find_inflows(sl_verifier *v) {
    const sl_network *net = v->net;
    int32_t first = net->n_junction + net->n_reservoir;
    double *q = v->quality.inflow_now;
    for (int32_t i = 0; i < net->n_tank; i++) {
        q[i] = 0.0;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t to = v->flow[k] > 0.0 ? net->link_to[k] : net->link_from[k];
        if (to >= first) {
            q[to - first] += fabs(v->flow[k]);
        }
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        v->quality.inflow_most[i] = fmax(v->quality.inflow_most[i], q[i]);
    }
}

/* Water of a mixed tank is replaced by inflow no faster than c' = (c_in - c) q / V: of what it showed at least
 * c exp(-q dt / V) is left, less what decays, and with c_in at its highest no more is there than that brings. When the step
 * may have been split, its inflow is taken as twice the largest of all periods so far and what stays in the tank: a pump may
 * have run in between. */
static void check_mixed(sl_verifier *v, int32_t tank, double dt) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    int32_t node = net->n_junction + net->n_reservoir + tank;
    double before = x->volume[tank], now = tank_volume(v, tank), least = fmin(before, now);
    double k = net->quality.kind != SL_QUALITY_CHEMICAL ? 0.0
               : isnan(net->tank_bulk[tank])            ? net->quality.bulk_coef
                                                        : net->tank_bulk[tank];
    bool first_order = net->quality.tank_order == 1.0 && !(net->quality.limit_potential > 0.0);
    if (net->tank_mixing[tank] != SL_MIX_FULL || !(least > 0.0) || (k != 0.0 && !first_order) || source_of(net, node) ||
        (net->quality.kind == SL_QUALITY_TRACE && node == net->quality.trace_node)) {
        return;
    }
    double in = dt * (v->one_step ? x->inflow[tank] : 2.0 * x->inflow_most[tank]);
    double left = exp(-(in + (v->one_step ? 0.0 : fabs(now - before))) / least);
    /* 1.1: an explicit step of decay takes more than the exponential, see the warning about coarse steps */
    double c = x->node[node], c0 = x->node_before[node], most = fmax(bound_now(v), c0);
    double low = c0 * left * exp(1.1 * fmin(k, 0.0) * dt);
    double high = k > 0.0 || !isfinite(most)
                      ? (double)INFINITY
                      : (c0 + (net->quality.kind == SL_QUALITY_AGE ? dt / 3600.0 : 0.0)) + (most - c0) * (1.0 - left);
    double beyond = fmax(fmax(low - c, c - high), 0.0);
    if (sl_verify_check_residual(v, SL_VERIFY_QUALITY, node, beyond, 1e-3 * c0 + BOUND_SLACK)) {
        sl_verify_add_diag(v, SL_VERIFY_QUALITY, node,
                           "its quality goes from %.6g to %.6g; what flows into it allows %.6g to %.6g", c0, c, low,
                           high);
    }
}

/* ---- The way through the periods ---------------------------------------------------------------- */

static void store_period(sl_verifier *v) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    for (int32_t i = 0; i < net->n_node; i++) {
        x->node_before[i] = x->node[i];
        x->demand_before[i] = v->demand[i];
        x->passed_before[i] = v->throughput[i];
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        x->link_before[k] = x->link[k];
        x->flow_before[k] = v->flow[k];
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        x->volume[i] = tank_volume(v, i);
        x->inflow[i] = x->inflow_now[i];
    }
    x->time_before = v->time;
}

void sl_verify_quality_period(sl_verifier *v) {
    const sl_network *net = v->net;
    sl_verify_quality *x = &v->quality;
    check_bounds(v, SL_VERIFY_QUALITY, x->node, net->n_node);
    check_bounds(v, SL_VERIFY_LINK_QUALITY, x->link, net->n_link);
    check_given(v);
    find_inflows(v);
    if (v->period > 0) {
        check_boosted(v);
        double dt = v->time - x->time_before;
        pass_junctions(v, dt);
        for (int32_t k = 0; k < net->n_link; k++) {
            pass_reservoir(v, k, net->link_from[k], net->link_to[k], 1.0, dt);
            pass_reservoir(v, k, net->link_to[k], net->link_from[k], -1.0, dt);
        }
        pass_sources(v, dt);
        pass_tanks(v, dt);
        for (int32_t i = 0; i < net->n_tank; i++) {
            check_mixed(v, i, dt);
        }
    } else {
        span s = stored(v);
        x->first_low = s.low;
        x->first_high = s.high;
        x->first_time = v->time;
        x->handled = 0.5 * (s.low + s.high);
    }
    store_period(v);
}

/* A sum of the epilogue since the start, as far as it can belong to the time up to the last period. */
static span sums_since_start(const sl_verifier *v, double rate) {
    double total = fabs(rate) * 1e-3 * v->info->duration / 3600.0;
    double missing = v->info->duration > 0.0 ? 1.0 - (v->time - v->quality.first_time) / v->info->duration : 0.0;
    return (span){total * fmax(1.0 - 3.0 * missing, 0.0), total};
}

/* What reacted between the first and the last period. The file has sums without their sign since its start, and EPANET's
 * count also what was asked of water that had nothing left, where the order is below one. */
static span reacted(const sl_verifier *v) {
    const sl_verify_quality *x = &v->quality;
    const sl_quality_options *q = &v->net->quality;
    const float *r = v->info->reaction;
    span sum = sums_since_start(v, fabs((double)r[0]) + fabs((double)r[1]) + fabs((double)r[2]));
    bool below_one = q->bulk_order < 1.0 || q->tank_order < 1.0 || q->wall_order < 1;
    double least = below_one ? 0.0 : sum.low, total = sum.high;
    return x->decays && x->grows ? (span){-total, total} : x->grows ? (span){least, total} : (span){-total, -least};
}

/* Does a tank that does not mix hold water that grows without a limit? It is seen when it leaves only. */
static bool grows_unseen(const sl_verifier *v) {
    const sl_network *net = v->net;
    bool some = false;
    for (int32_t i = 0; v->quality.grows && !isfinite(v->quality.highest) && i < net->n_tank; i++) {
        double k = isnan(net->tank_bulk[i]) ? net->quality.bulk_coef : net->tank_bulk[i];
        some |= net->tank_mixing[i] != SL_MIX_FULL && k > 0.0;
    }
    return some;
}

void sl_verify_quality_end(sl_verifier *v) {
    sl_verify_quality *x = &v->quality;
    bool reacts = x->decays || x->grows;
    v->period = v->info->n_period - 1;
    if (v->info->n_period < 2) {
        return;
    }
    if (reacts && (!v->info->complete || x->first_time > 0.0)) {
        sl_report(
            v->diags, SL_INFO, SL_CODE_UNSOUND, NULL, NULL, NULL, NULL,
            "the balance of mass is not verified: what reacted before the first or after the last period is not in "
            "the file");
        return;
    }
    if (grows_unseen(v)) {
        sl_report(v->diags, SL_INFO, SL_CODE_UNSOUND, NULL, NULL, NULL, NULL,
                  "the balance of mass is not verified: what grows in a tank that does not mix is not in the file");
        return;
    }
    if (reacts) {
        add(x, reacted(v));
    }
    if (x->sources_told) {
        add(x, sums_since_start(v, (double)v->info->reaction[3]));
    }
    span last = stored(v);
    double change = 0.5 * (last.low + last.high - x->first_low - x->first_high);
    double wide = 0.5 * (last.high - last.low + x->first_high - x->first_low) + 0.5 * (x->high - x->low);
    double handled = fmax(x->handled, 1e-30), imbalance = change - 0.5 * (x->low + x->high);
    double slack = x->slack + 2.0 * SL_VERIFY_ROUND * (last.high + x->first_high) + LEDGER_SLACK * handled;
    v->out->ledger = (sl_verify_ledger){.handled = x->handled, .imbalance = imbalance, .bracket = wide + slack};
    if (sl_verify_check_residual(v, SL_VERIFY_LEDGER, -1, fabs(imbalance) / handled, (wide + slack) / handled)) {
        sl_report(v->diags, SL_ERROR, SL_CODE_UNSOUND, NULL, NULL, NULL, NULL,
                  "%.4g %% of the transported mass %s; the values in the file leave %.4g %% undetermined",
                  100.0 * fabs(imbalance) / handled, imbalance < 0.0 ? "is missing" : "came from nowhere",
                  100.0 * (wide + slack) / handled);
    }
}
