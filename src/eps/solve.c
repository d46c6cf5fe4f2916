/* solve.c: heads and flows at one instant by the global gradient method, with a convergence that cannot lie.
 *
 * Every trial linearises each link at its flow, solves for the heads, takes the new flows, and lets links change their
 * status. It ends when all of this holds: the flows have settled (ACCURACY), every link's loss is the difference of
 * its heads, every junction's flows balance, and no link wishes another status. The head losses are those of the flows
 * reported, evaluated once more, not those of the linearisation.
 *
 * Statuses may go round in a circle. Status vectors met are remembered; when one comes back for the third time the
 * next method is tried: 1 damped steps, 2 one switch at a time (that violated most), 3 the same, looking at statuses
 * only when the flows have settled. What is found in the end is checked in the same way, whatever the method. When none
 * of them balances, UNBALANCED CONTINUE n adds n trials with the statuses as they are.
 */
#include "eps/impl.h"

#include "base/ids.h"

#include <math.h>
#include <string.h>

enum { METHODS = 4, PLAIN_TRIALS = 8 };
/* Trials of one method, whatever TRIALS says: fewer give up too early, more are a run that seems to hang. */
enum { LEAST_TRIALS = 100, MOST_TRIALS = 1000 };

/* Head-loss residual that counts as balanced [m]: a tenth of a millimetre is what spec and gauges ask; Newton's last
 * trial usually leaves far less. */
#define HEAD_ERROR 1e-6
/* What rounding leaves of a head: residuals below it say nothing. */
#define ROUNDING 4e-16
/* Flow that a head-loss residual may stand for, of the largest flow. */
#define FLOW_ERROR 1e-5
/* Statuses are looked at once the flows change by less than this: before, heads may be anywhere. */
#define ROUGHLY 0.1
/* Flows that sum to less than this are none [m3/s]. */
#define STILL 1e-6

/* ---- The linear system -------------------------------------------------------------------------- */

static void pin_heads(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    sl_eps_work *w = &e->w;
    for (int32_t i = 0; i < net->n_junction; i++) {
        w->pin[i] = s->cut_off[i];
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        w->pin[net->n_junction + i] = !w->free_tank[i];
    }
    for (int32_t r = 0; r < e->m->n_regulator; r++) {
        int32_t k = e->m->regulator[r];
        if (s->status[k] == SL_STATUS_ACTIVE) {
            int32_t node = sl_valve_kind_of(net, k) == SL_PRV ? net->link_to[k] : net->link_from[k];
            if (!w->pin[node]) {
                w->pin[node] = 1;
                s->head[node] = sl_eps_valve_head(net, s, k);
            }
        }
    }
}

/* The system for the change of the heads, not for the heads: its right side is what is missing in each node's balance
 * with the linearised flows at the present heads. Flows then balance to the precision of flows; from heads of a hundred
 * metres and conductances of a million they would not. */
static void assemble(sl_eps *e, const sl_eps_state *s, double dt) {
    const sl_eps_model *m = e->m;
    const sl_network *net = m->net;
    sl_eps_work *w = &e->w;
    memset(w->a, 0, (size_t)sl_ldl_size(m->ldl) * sizeof *w->a);
    for (int32_t i = 0; i < net->n_junction; i++) {
        w->base[i] = -sl_eps_fixed_demand(net, s, i);
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t u = net->n_junction + i;
        w->base[u] = 0.0;
        if (w->free_tank[i]) { /* net inflow = (V(H) - V0) / dt */
            double h = s->head[sl_first_tank(net) + i];
            w->a[u] = sl_tank_surface(&m->tank[i], h) / dt;
            w->base[u] = (s->volume[i] - sl_tank_volume(&m->tank[i], h)) / dt;
        }
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        double p = w->p[k];
        int32_t from = net->link_from[k], to = net->link_to[k];
        w->y[k] += p * (s->head[from] - s->head[to]); /* from here on: the linearised flow at the present heads */
        if (p == 0.0 && w->y[k] == 0.0) {
            continue;
        }
        int32_t u = sl_unknown_of(net, from), v = sl_unknown_of(net, to);
        bool free_u = u >= 0 && !w->pin[u], free_v = v >= 0 && !w->pin[v];
        if (free_u) {
            w->a[u] += p;
            w->base[u] -= w->y[k];
        }
        if (free_v) {
            w->a[v] += p;
            w->base[v] += w->y[k];
            if (free_u) {
                w->a[m->slot[k]] -= p;
            }
        }
    }
    int32_t first = m->at_start[sl_first_tank(net)];
    for (int32_t a = first; a < m->at_start[net->n_node]; a++) {
        w->tank_p[a - first] = w->p[m->at_link[a]];
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t u = m->outlet_node[o];
        w->oy[o] += w->op[o] * (s->head[u] - m->outlet_zero[o]);
        w->a[u] += w->op[o];
        w->base[u] -= w->oy[o];
    }
    for (int32_t u = 0; u < m->n_unknown; u++) {
        if (w->pin[u]) {
            w->a[u] = 1.0;
            w->base[u] = 0.0;
        }
    }
}

/* A part that hangs on the rest by a conductance a million million times less than its own (a pump of constant power
 * near rest) is singular to rounding. Links that conduct much more than the weakest one are then taken as if they
 * conducted less: the step is still one towards the solution, and what counts as balanced does not depend on how it was
 * found. */
static bool factor(sl_eps *e, const sl_eps_state *s, double dt, int32_t *unfit) {
    sl_eps_work *w = &e->w;
    static const double contrasts[] = {1e12, 1e9, 1e6, 1e3, 1.0};
    int32_t n = e->m->net->n_link;
    for (int i = 0;; i++) {
        *unfit = sl_ldl_factor(e->m->ldl, w->a, w->ldl);
        if (*unfit < 0 || i == 5) {
            return *unfit < 0;
        }
        double weakest = (double)INFINITY;
        sl_eps_coefficients(e, s);
        for (int32_t k = 0; k < n; k++) {
            weakest = w->p[k] > 0.0 ? fmin(weakest, w->p[k]) : weakest;
        }
        for (int32_t o = 0; o < e->m->n_outlet; o++) {
            weakest = w->op[o] > 0.0 ? fmin(weakest, w->op[o]) : weakest;
        }
        for (int32_t k = 0; k < n; k++) {
            if (w->p[k] > contrasts[i] * weakest) {
                w->p[k] = contrasts[i] * weakest;
                w->y[k] = s->flow[k] - w->p[k] * w->h[k];
            }
        }
        assemble(e, s, dt);
    }
}

/* New heads for the present coefficients. */
static bool solve_heads(sl_eps *e, sl_eps_state *s, double dt) {
    const sl_eps_model *m = e->m;
    const sl_network *net = m->net;
    sl_eps_work *w = &e->w;
    int32_t unfit;
    if (!factor(e, s, dt, &unfit)) {
        s->x->facts.worst_node = unfit < net->n_junction ? unfit : unfit + net->n_reservoir;
        return false;
    }
    sl_eps_regulator_flows(e, s);
    for (int32_t u = 0; u < m->n_unknown; u++) {
        s->head[u < net->n_junction ? u : u + net->n_reservoir] += w->rhs[u];
    }
    return true;
}

/* Takes the new flows; returns the relative change, *most the largest one. */
static double new_flows(sl_eps *e, sl_eps_state *s, double relax, double *most) {
    const sl_eps_model *m = e->m;
    const sl_network *net = m->net;
    const sl_eps_work *w = &e->w;
    double change = 0.0, total = 0.0;
    *most = 0.0;
    for (int32_t k = 0; k < net->n_link; k++) {
        double q = w->y[k] + w->p[k] * (sl_eps_change(e, net->link_from[k]) - sl_eps_change(e, net->link_to[k]));
        if (w->p[k] == 0.0 && sl_eps_holds_head(net, s, k)) {
            total += fabs(s->flow[k]); /* its flow is there already */
            continue;
        }
        double dq = q - s->flow[k];
        if (relax < 1.0) {
            dq *= relax;
        }
        s->flow[k] += dq;
        change += fabs(dq);
        total += fabs(s->flow[k]);
        *most = fmax(*most, fabs(dq));
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        if (s->cut_off[node]) {
            continue;
        }
        double dq = w->oy[o] + w->op[o] * sl_eps_change(e, node) - s->outlet_flow[o];
        if (relax < 1.0) {
            dq *= relax;
        }
        s->outlet_flow[o] += dq;
        change += fabs(dq);
        total += fabs(s->outlet_flow[o]);
        *most = fmax(*most, fabs(dq));
    }
    return change / fmax(total, STILL);
}

/* ---- Checks ------------------------------------------------------------------------------------- */

/* The largest |h(q) - (H1 - H2)| of the flows and heads that stand, with coefficients evaluated at these flows. Where a
 * law is flat (a pump at its shut-off head) little head may still be much flow: *flow is the largest that a residual
 * stands for, *largest the largest flow there is. */
static double head_residual(const sl_eps *e, const sl_eps_state *s, double rounding, int32_t *worst, double *flow,
                            double *largest) {
    const sl_eps_model *m = e->m;
    const sl_network *net = m->net;
    double most = 0.0;
    *worst = -1;
    *flow = *largest = 0.0;
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t i = net->link_from[k], j = net->link_to[k];
        if (e->w.p[k] == 0.0 || (e->w.any_cut && (e->w.part[i] || e->w.part[j]))) {
            continue;
        }
        double r = fabs(e->w.h[k] - (s->head[i] - s->head[j]));
        double noise = rounding * (fabs(s->head[i]) + fabs(s->head[j]));
        r = r <= noise ? 0.0 : r - noise;
        *flow = fmax(*flow, r * e->w.p[k]);
        *largest = fmax(*largest, fabs(s->flow[k]));
        if (!(r <= most) && !isnan(most)) { /* what is not a number stays the worst */
            most = r;
            *worst = k;
        }
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        if (e->w.op[o] == 0.0 || s->cut_off[node]) {
            continue;
        }
        double r = fabs(e->w.oh[o] - (s->head[node] - m->outlet_zero[o]));
        /* On the steep pieces a metre of head is a flow that nobody sees: weigh it by what it would change. */
        r *= fmin(1.0, e->w.op[o] * 1e6);
        if (!(r <= most) && !isnan(most)) {
            most = r;
            *worst = -2 - node;
        }
    }
    return most;
}

/* The largest imbalance of a junction (or of a tank that is being integrated), from the flows alone. */
static double mass_residual(sl_eps *e, const sl_eps_state *s, double dt, int32_t *worst, double *through) {
    const sl_eps_model *m = e->m;
    const sl_network *net = m->net;
    double *sum = e->w.rhs, most = 0.0, inflow = 0.0;
    memset(sum, 0, (size_t)m->n_unknown * sizeof *sum);
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t u = sl_unknown_of(net, net->link_from[k]), v = sl_unknown_of(net, net->link_to[k]);
        if (u >= 0) {
            sum[u] -= s->flow[k];
        }
        if (v >= 0) {
            sum[v] += s->flow[k];
        }
        if ((u < 0 || u >= net->n_junction) != (v < 0 || v >= net->n_junction)) {
            inflow += fabs(s->flow[k]);
        }
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        sum[m->outlet_node[o]] -= s->outlet_flow[o];
    }
    *worst = -1;
    for (int32_t u = 0; u < m->n_unknown; u++) {
        double r = sum[u];
        if (u < net->n_junction) {
            r -= s->cut_off[u] ? 0.0 : sl_eps_fixed_demand(net, s, u);
        } else {
            int32_t tank = u - net->n_junction;
            if (!e->w.free_tank[tank]) {
                continue;
            }
            r -= (sl_tank_volume(&m->tank[tank], s->head[u + net->n_reservoir]) - s->volume[tank]) / dt;
        }
        if (!(fabs(r) <= most)) {
            most = fabs(r);
            *worst = u < net->n_junction ? u : u + net->n_reservoir;
        }
    }
    *through = inflow;
    return most;
}

/* ---- The loop ----------------------------------------------------------------------------------- */

typedef struct search {
    int32_t method, trial, method_trial, next_check, n_seen;
    bool settled; /* the last trial changed no status and little flow */
    bool whole;   /* the flows balance: a full step was taken since a status changed */
} search;

/* Remembers the status vector; true when it was met twice before. */
static bool goes_round(sl_eps *e, const sl_eps_state *s, search *x) {
    uint64_t h = sl_hash_bytes(s->status, (size_t)e->m->net->n_link) & ~(uint64_t)3;
    for (int32_t i = 0; i < x->n_seen; i++) {
        if ((e->w.seen[i] & ~(uint64_t)3) == h) {
            return (++e->w.seen[i] & 3) >= 3;
        }
    }
    if (x->n_seen < SL_EPS_SEEN_MAX) {
        e->w.seen[x->n_seen++] = h | 1;
    }
    return false;
}

static void begin(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    sl_eps_work *w = &e->w;
    memset(w->lock + net->n_pipe + net->n_pump, 0, (size_t)net->n_valve);
    memset(w->acted, 0, (size_t)net->n_control);
    for (int32_t r = 0; r < e->m->n_regulator; r++) { /* a valve that could not hold gets another chance */
        int32_t k = e->m->regulator[r];
        if (s->status[k] == SL_STATUS_XPRESSURE) {
            s->status[k] = SL_STATUS_ACTIVE;
        }
    }
    w->parts_valid = false;
}

/* The next method begins where this one did: flows and statuses that went astray help nobody. */
static void next_method(sl_eps *e, sl_eps_state *s, search *x) {
    const sl_eps_work *w = &e->w;
    memcpy(s->flow, w->start_flow, (size_t)e->m->net->n_link * sizeof(double));
    memcpy(s->outlet_flow, w->start_outlet, (size_t)e->m->n_outlet * sizeof(double));
    memcpy(s->setting, w->start_setting, (size_t)e->m->net->n_link * sizeof(double));
    memcpy(s->status, w->start_status, (size_t)e->m->net->n_link);
    begin(e, s);
    sl_eps_parts(e, s);
    *x = (search){.method = x->method + 1, .trial = x->trial, .next_check = 2};
}

/* Status changes after a trial, those of controls apart. Returns how many. */
static int32_t switch_links(sl_eps *e, sl_eps_state *s, search *x, double change, bool little, int32_t *controls) {
    const sl_hydraulic_options *o = &e->m->net->hydraulics;
    bool one = x->method >= 2, settled_only = x->method >= 3;
    int32_t n = 0;
    bool regulators = little || (!settled_only && change <= (o->damp_limit > 0.0 ? o->damp_limit : ROUGHLY));
    bool watch = little || (!settled_only && change <= ROUGHLY && x->method_trial >= x->next_check &&
                            x->method_trial <= o->max_check);
    n += sl_eps_regulators(e, s, regulators, one);
    if (watch && !(one && n)) {
        n += sl_eps_watch(e, s, one);
        x->next_check = x->method_trial + (o->check_freq > 0 ? o->check_freq : 1);
    }
    *controls = little && n == 0 ? sl_eps_pressure_controls(e, s) : 0;
    return n;
}

/* all: both residuals also when the first is too large. */
static bool balanced(sl_eps *e, const sl_eps_state *s, double dt, double limit, double rounding, bool all,
                     sl_eps_solve_facts *f) {
    double through, flow, largest;
    f->head_error = head_residual(e, s, rounding, &f->worst_link, &flow, &largest);
    bool fine = f->head_error <= limit && flow <= FLOW_ERROR * largest + 1e-9;
    if (!fine && !all) {
        return false;
    }
    f->mass_error = mass_residual(e, s, dt, &f->worst_node, &through);
    return fine && f->mass_error <= fmax(1e-6 * through, 1e-9);
}

sl_status sl_eps_solve(sl_eps *e, sl_eps_state *s, double dt) {
    const sl_hydraulic_options *o = &e->m->net->hydraulics;
    bool asked = e->m->def.head_error > 0.0; /* then what rounding leaves counts too */
    double limit = asked ? e->m->def.head_error : HEAD_ERROR, rounding = asked ? 0.0 : ROUNDING;
    if (o->head_error > 0.0) {
        limit = fmin(limit, o->head_error);
    }
    double accuracy = fmin(o->accuracy, 1e-4);
    int32_t most_trials = o->trials < LEAST_TRIALS ? LEAST_TRIALS : o->trials > MOST_TRIALS ? MOST_TRIALS : o->trials;
    int32_t extra_trials = o->unbalanced_extra < MOST_TRIALS ? o->unbalanced_extra : MOST_TRIALS;
    search x = {.next_check = 2};
    sl_eps_solve_facts *f = &s->x->facts;
    *f = (sl_eps_solve_facts){.worst_link = -1, .worst_node = -1, .chatters = -1, .flow_change = 1.0};
    memcpy(e->w.start_flow, s->flow, (size_t)e->m->net->n_link * sizeof(double));
    memcpy(e->w.start_outlet, s->outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
    memcpy(e->w.start_setting, s->setting, (size_t)e->m->net->n_link * sizeof(double));
    memcpy(e->w.start_status, s->status, (size_t)e->m->net->n_link);
    memset(e->w.lock, 0, (size_t)e->m->net->n_link);
    begin(e, s);
    sl_eps_parts(e, s);
    for (;;) {
        sl_eps_coefficients(e, s);
        if (x.settled && balanced(e, s, dt, limit, rounding, false, f)) {
            f->balanced = sl_eps_stop_backward(e, s) == 0;
            if (f->balanced) {
                break;
            }
            x.settled = x.whole = false;
            sl_eps_parts(e, s);
            sl_eps_coefficients(e, s);
        }
        if (x.method_trial >= (x.method < METHODS ? most_trials : extra_trials)) {
            if (x.method + 1 >= METHODS && !(x.method + 1 == METHODS && extra_trials > 0)) {
                (void)balanced(e, s, dt, limit, rounding, true, f); /* how far off it is */
                break;
            }
            next_method(e, s, &x);
            sl_eps_coefficients(e, s);
        }
        x.trial++;
        x.method_trial++;
        f->trials = x.trial;
        f->method = x.method;
        bool line = x.whole && dt <= 0.0 && x.method_trial > PLAIN_TRIALS;
        if (line) {
            sl_eps_line_begin(e, s);
        }
        pin_heads(e, s);
        assemble(e, s, dt);
        if (!solve_heads(e, s, dt)) {
            return SL_ERR_SOLVE;
        }
        double relax = x.method == 1 && !x.settled ? 0.6 : 1.0, most;
        if (o->damp_limit > 0.0 && f->flow_change <= o->damp_limit && !x.settled) {
            relax = 0.6;
        }
        if (line) {
            relax = 1.0;
        }
        f->flow_change = new_flows(e, s, relax, &most);
        if (!isfinite(f->flow_change)) {
            return SL_ERR_SOLVE;
        }
        if (line) {
            sl_eps_line(e, s);
        }
        bool little = f->flow_change <= accuracy && (o->flow_change <= 0.0 || most <= o->flow_change);
        int32_t controls = 0, n = 1; /* frozen: not consistent */
        if (x.method < METHODS) {
            n = switch_links(e, s, &x, f->flow_change, little, &controls);
        }
        n += sl_eps_parts(e, s);
        x.settled = little && n == 0 && controls == 0;
        x.whole = n == 0 && controls == 0 && (x.whole || relax >= 1.0);
        if (n > 0 && x.method < METHODS && goes_round(e, s, &x) && x.method + 1 < METHODS) {
            next_method(e, s, &x);
        }
    }
    return sl_eps_solution_sound(e, s) ? SL_OK : SL_ERR_SOLVE;
}
