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
#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

/* PLAIN_TRIALS: a first solve takes up to a dozen; only what takes longer goes round and is worth a search along its steps. */
enum { METHODS = 4, PLAIN_TRIALS = 12 };
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
/* A trial that moved the flows by more than this does not leave losses that pass. */
#define NEARLY 1e-3
/* From this trial on, and where the last one moved the flows by more than this share of the move before it, slopes look ahead. */
enum { SLOW_TRIAL = 4 };
#define SLOW 0.2

/* ---- Checks ------------------------------------------------------------------------------------- */

/* The branch of the largest residual, as a link, or -1. */
static int32_t worst_link(const sl_eps *e) {
    double most = 0.0;
    int32_t at = -1;
    for (int32_t b = 0; b < e->core->n_branch && !isnan(most); b++) {
        double r = e->x.p[b] > 0.0 ? fabs(e->x.miss[b]) : 0.0;
        if (!(r <= most)) {
            most = r;
            at = b;
        }
    }
    return at >= 0 ? sl_eps_branch_link(e, at) : -1;
}

/* That of branches, with outlets. *worst: the link, or -2 less the node of an outlet; looked for only when asked. */
static sl_eps_residual head_residual(const sl_eps *e, const sl_eps_state *s, bool name, int32_t *worst) {
    const sl_eps_model *m = e->m;
    sl_eps_residual res = e->x.residual;
    *worst = name ? worst_link(e) : -1;
    for (int32_t o = 0; o < m->n_outlet; o++) {
        int32_t node = m->outlet_node[o];
        if (e->w.op[o] == 0.0 || s->cut_off[node]) {
            continue;
        }
        double r = fabs(e->w.oh[o] - (s->head[node] - m->outlet_zero[o]));
        /* On the steep pieces a metre of head is a flow that nobody sees: weigh it by what it would change. */
        r *= fmin(1.0, e->w.op[o] * 1e6);
        if (!(r <= res.head) && !isnan(res.head)) {
            res.head = r;
            *worst = -2 - node;
        }
    }
    return res;
}

/* The largest imbalance of a core junction (or of a tank that is being integrated), from the flows alone. Trees and
 * insides of chains balance by construction. */
static double mass_residual(sl_eps *e, const sl_eps_state *s, double dt, int32_t *worst, double *through) {
    const sl_eps_model *m = e->m;
    const sl_eps_core *c = e->core;
    const sl_network *net = m->net;
    double *sum = e->x.rhs, most = 0.0, inflow = 0.0;
    memcpy(sum, e->x.load, (size_t)c->n_unknown * sizeof *sum);
    for (int32_t b = 0; b < c->n_branch; b++) {
        int32_t from = c->from[b], to = c->to[b];
        double q = b < c->n_chain ? e->x.q[b] : s->flow[c->single[b - c->n_chain]], end = q - e->x.drawn[b];
        sum[c->unknown[from]] -= q;
        sum[c->unknown[to]] += end;
        if ((from >= net->n_junction) != (to >= net->n_junction)) {
            inflow += fabs(from >= net->n_junction ? q : end);
        }
    }
    for (int32_t o = 0; o < m->n_outlet; o++) {
        sum[c->unknown[m->outlet_node[o]]] -= s->outlet_flow[o];
    }
    sum[c->given] = 0.0;
    for (int32_t i = 0; i < net->n_tank; i++) {
        double v = sl_tank_volume(&m->tank[i], s->head[sl_first_tank(net) + i]);
        sum[c->tank_unknown[i]] -= e->w.free_tank[i] ? (v - s->volume[i]) / dt : sum[c->tank_unknown[i]];
    }
    *worst = -1;
    for (int32_t u = 0; u < c->n_unknown; u++) {
        if (!(fabs(sum[u]) <= most)) {
            most = fabs(sum[u]);
            *worst = c->node[u];
        }
    }
    *through = inflow;
    return most;
}

/* ---- The loop ----------------------------------------------------------------------------------- */

typedef struct search {
    int32_t method, trial, method_trial, next_check, n_seen;
    double change; /* of the flows by the trial before the last */
    bool settled;  /* the last trial changed no status and little flow */
    bool whole;    /* the flows balance: a full step was taken since a status changed */
    bool linear;   /* the very first solve, begun with linear pipes */
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

/* Parts, and the demands that are served then. */
static int32_t find_parts(sl_eps *e, sl_eps_state *s) {
    bool moved;
    int32_t opened = sl_eps_parts(e, s, &moved);
    if (moved) {
        sl_eps_loads(e, s);
        sl_eps_chains_spread(e);
    }
    return opened;
}

/* Remembers where a solve begins. Flows inside trees and chains need no copy: they stay in s until it ends. */
static void remember_start(sl_eps *e, const sl_eps_state *s) {
    const sl_eps_core *c = e->core;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        double setting = k < e->m->net->n_pipe ? 0.0 : s->setting[k];
        e->x.start[i] = (sl_eps_single){s->flow[k], setting, s->status[k]};
    }
    memcpy(e->w.start_outlet, s->outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
    memset(e->w.lock, 0, (size_t)e->m->net->n_link);
}

static void start(sl_eps *e, sl_eps_state *s) {
    bool moved;
    begin(e, s);
    sl_eps_parts(e, s, &moved);
    sl_eps_loads(e, s);
    sl_eps_chains_begin(e, s);
}

/* The next method begins where this one did: flows and statuses that went astray help nobody. After a first trial with linear
 * pipes the same one begins once more, without. */
static void next_method(sl_eps *e, sl_eps_state *s, search *x) {
    const sl_eps_core *c = e->core;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        s->flow[k] = e->x.start[i].flow;
        if (k >= e->m->net->n_pipe) {
            s->setting[k] = e->x.start[i].setting;
        }
        s->status[k] = e->x.start[i].status;
    }
    memcpy(s->outlet_flow, e->w.start_outlet, (size_t)e->m->n_outlet * sizeof(double));
    start(e, s);
    *x = (search){.method = x->method + !x->linear, .trial = x->trial, .next_check = 2};
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

/* Of coefficients that were looked at. all: both residuals also when the first is too large, and where. */
static bool balanced(sl_eps *e, const sl_eps_state *s, double dt, double limit, bool all, sl_eps_solve_facts *f) {
    sl_eps_residual res = head_residual(e, s, all, &f->worst_link);
    f->head_error = res.head;
    bool fine = res.head <= limit && res.flow <= FLOW_ERROR * res.largest + 1e-9;
    if (!fine && !all) {
        return false;
    }
    double through;
    f->mass_error = mass_residual(e, s, dt, &f->worst_node, &through);
    return fine && f->mass_error <= fmax(1e-6 * through, 1e-9);
}

/* Have flows that the last trial still moved settled all the same? Yes, if the next trial would not move them: its step is
 * what is nearest to the flows p miss that the losses lack, among those that balance. So no trial is made for nothing.
 * A hundredth of the accuracy is asked for: where a last trial moves the flows by less than the accuracy, it leaves less
 * than that. *change: the relative size of that step. */
static bool at_rest(const sl_eps *e, const sl_eps_state *s, double accuracy, double *change) {
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    double limit = e->m->net->hydraulics.flow_change, sum = 0.0, total = 0.0, most = 0.0;
    for (const sl_eps_group *g = c->group; g < c->group + c->n_group; g++) {
        for (int32_t b = g->chain; b < g->chain + g->n; b++) {
            double dq = fabs(x->p[b] * x->miss[b]);
            sum += g->length * dq;
            total += g->length * fabs(x->q[b] - 0.5 * x->drawn[b]);
            most = dq > most ? dq : most;
        }
    }
    for (int32_t b = c->n_chain; b < c->n_branch; b++) {
        double dq = fabs(x->p[b] * x->miss[b]);
        sum += dq;
        total += fabs(x->q[b]);
        most = dq > most ? dq : most;
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        double dq = fabs(e->w.oy[o] - s->outlet_flow[o]);
        dq = e->w.op[o] > 0.0 ? dq : 0.0;
        sum += dq;
        total += fabs(s->outlet_flow[o]);
        most = dq > most ? dq : most;
    }
    double share = (sum + s->x->facts.mass_error) / fmax(total, 1e-6);
    if (!(share <= 0.01 * accuracy) || (limit > 0.0 && most > limit)) {
        return false;
    }
    *change = share;
    return true;
}

/* Losses and conductances at the flows that stand, and what they miss; the largest of that only where somebody asks. */
static void look_again(sl_eps *e, const sl_eps_state *s, bool largest) {
    sl_eps_coefficients(e, s);
    sl_eps_linearise(e, s, largest);
}

/* Newton's trials; what they leave is not expanded yet. */
static sl_status iterate(sl_eps *e, sl_eps_state *s, double dt) {
    const sl_hydraulic_options *o = &e->m->net->hydraulics;
    bool asked = e->m->def.head_error > 0.0; /* then what rounding leaves counts too */
    double limit = asked ? e->m->def.head_error : HEAD_ERROR;
    e->x.rounding = asked ? 0.0 : ROUNDING;
    if (o->head_error > 0.0) {
        limit = fmin(limit, o->head_error);
    }
    double accuracy = fmin(o->accuracy, 1e-4);
    int32_t most_trials = o->trials < LEAST_TRIALS ? LEAST_TRIALS : o->trials > MOST_TRIALS ? MOST_TRIALS : o->trials;
    int32_t extra_trials = o->unbalanced_extra < MOST_TRIALS ? o->unbalanced_extra : MOST_TRIALS;
    search x = {.next_check = 2, .linear = s->x->n_trial == 0};
    sl_eps_solve_facts *f = &s->x->facts;
    *f = (sl_eps_solve_facts){.worst_link = -1, .worst_node = -1, .chatters = -1, .flow_change = 1.0};
    remember_start(e, s);
    start(e, s);
    /* fresh: coefficients are those of the flows that stand; proved: and these balance. */
    for (bool fresh = false, proved = false;;) {
        if (!fresh) {
            look_again(e, s, x.settled);
        }
        if (x.settled && (proved || balanced(e, s, dt, limit, false, f))) {
            f->balanced = sl_eps_stop_backward(e, s) == 0;
            if (f->balanced) {
                break;
            }
            x.settled = x.whole = false;
            find_parts(e, s);
            look_again(e, s, false);
        }
        int32_t enough = x.linear ? LEAST_TRIALS : x.method < METHODS ? most_trials : extra_trials;
        if (x.method_trial >= enough) {
            if (x.method + 1 >= METHODS && !(x.method + 1 == METHODS && extra_trials > 0)) {
                sl_eps_linearise(e, s, true);
                (void)balanced(e, s, dt, limit, true, f); /* how far off it is */
                break;
            }
            next_method(e, s, &x);
            look_again(e, s, false);
        }
        x.trial++;
        x.method_trial++;
        f->trials = x.trial;
        f->method = x.method;
        bool line = x.whole && dt <= 0.0 && x.method_trial > PLAIN_TRIALS;
        if (line) {
            sl_eps_line_begin(e, s);
        }
        if (sl_eps_pin_heads(e, s)) {
            sl_eps_linearise(e, s, false);
        }
        if (x.whole && x.method_trial >= SLOW_TRIAL && f->flow_change > SLOW * x.change) {
            sl_eps_look_ahead(e);
        }
        if (x.linear && x.method_trial == 1) {
            sl_eps_first_trial(e, s);
        }
        if (!sl_eps_solve_heads(e, s, dt)) {
            return SL_ERR_SOLVE;
        }
        double relax = x.method == 1 && !x.settled ? 0.6 : 1.0, most;
        if (o->damp_limit > 0.0 && f->flow_change <= o->damp_limit && !x.settled) {
            relax = 0.6;
        }
        if (line) {
            relax = 1.0;
        }
        x.change = f->flow_change;
        f->flow_change = sl_eps_new_flows(e, s, relax, &most);
        if (!isfinite(f->flow_change)) {
            return SL_ERR_SOLVE;
        }
        if (line) {
            sl_eps_line(e, s);
        }
        bool little = f->flow_change <= accuracy && (o->flow_change <= 0.0 || most <= o->flow_change);
        fresh = !little && x.method == 0 && dt <= 0.0 && f->flow_change <= NEARLY;
        if (fresh) {
            look_again(e, s, true);
            little = balanced(e, s, dt, limit, false, f) && at_rest(e, s, accuracy, &f->flow_change);
        }
        proved = fresh && little;
        int32_t controls = 0, n = 1; /* frozen: not consistent */
        if (x.method < METHODS) {
            n = switch_links(e, s, &x, f->flow_change, little, &controls);
        }
        n += find_parts(e, s);
        x.settled = little && n == 0 && controls == 0;
        fresh = fresh && n == 0 && controls == 0;
        x.whole = n == 0 && controls == 0 && (x.whole || relax >= 1.0);
        if (n > 0 && x.method < METHODS && goes_round(e, s, &x) && x.method + 1 < METHODS) {
            next_method(e, s, &x);
        }
    }
    return SL_OK;
}

sl_status sl_eps_solve(sl_eps *e, sl_eps_state *s, double dt) {
    if (e->rows_stale) {
        sl_eps_take_rows(e);
    }
    sl_status status = iterate(e, s, dt);
    sl_eps_expand(e, s);
    return status == SL_OK && !sl_eps_solution_sound(e, s) ? SL_ERR_SOLVE : status;
}
