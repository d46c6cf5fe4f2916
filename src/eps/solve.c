/* SPDX-License-Identifier: MIT */
/* solve.c: heads and flows at one instant by the global gradient method, with a convergence that cannot lie.
 *
 * Every trial linearises each link at its flow, solves for the heads, takes the new flows, and lets links change their
 * status. It ends when all of this holds: the flows have settled (ACCURACY), every link's loss is the difference of
 * its heads, every junction's flows balance, and no link wishes another status. The head losses are those of the flows
 * reported, evaluated once more, not those of the linearisation.
 *
 * Statuses may go round in a circle. Status vectors met are remembered; when one comes back for the third time the
 * next method is tried: 1 damped steps, 2 one switch at a time (that violated most), 3 the same, looking at statuses
 * only when the flows have settled, 4 the first wish of a fixed order, only where all laws hold, 5 the same from a cold
 * start, 6 the same from where valves that act come to rest (relax.c). What is found in the end is checked in the same way,
 * whatever the method. When none of them balances, UNBALANCED CONTINUE n adds n trials with the statuses as they are. A solve
 * after one that did not balance begins cold.
 *
 * Method 4 ends where links pass one direction only and losses rise with the flow: each choice of statuses for some of the
 * links has one solution of the others, so the last link in the order is switched at most once, and the links before it
 * as often as that makes necessary (Murty, K. G.: Note on a Bard-type scheme for solving the complementarity problem.
 * Opsearch 11 (1974) 123-130).
 */
#include "eps/impl.h"

#include "base/ids.h"
#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

/* PLAIN_TRIALS: a first solve takes up to a dozen; only what takes longer goes round and is worth a search along its steps. */
enum { PLAIN_TRIALS = 12 };
/* So many trials that change little and balance nothing say that the statuses are wrong. */
enum { STUCK = 6 };
/* Trials of one method, whatever TRIALS says: fewer give up too early, more are a run that seems to hang. */
enum { LEAST_TRIALS = 100, MOST_TRIALS = 1000 };

/* What distinguishes the methods. */
typedef struct method {
    double share;     /* of a step that is taken until flows have settled */
    sl_eps_pick pick; /* which of the wishes are followed */
    bool settled;     /* statuses are looked at only when flows have settled */
    bool proved;      /* ... and losses and balances are met */
    bool cold;        /* begins with the flows and statuses of no solution */
    bool relaxed;     /* begins where valves that act come to rest (relax.c) */
    bool level;       /* ... and with elevations for heads instead of what the last method left */
    bool wide;      /* takes all parts that hang on little for singular, not those alone that surely are: other steps */
    int32_t trials; /* 0: as TRIALS asks */
} method;
static const method methods[] = {
    {.share = 1.0, .pick = SL_EPS_ALL},
    {.share = 0.6, .pick = SL_EPS_ALL, .wide = true},
    {.share = 1.0, .pick = SL_EPS_WORST},
    {.share = 1.0, .pick = SL_EPS_WORST, .settled = true, .wide = true},
    {.share = 1.0, .pick = SL_EPS_FIRST, .settled = true, .proved = true, .wide = true, .trials = 400},
    {.share = 1.0, .pick = SL_EPS_FIRST, .settled = true, .proved = true, .cold = true, .trials = 400},
    {.share = 1.0,
     .pick = SL_EPS_FIRST,
     .settled = true,
     .proved = true,
     .cold = true,
     .relaxed = true,
     .trials = 1000},
    {.share = 1.0,
     .pick = SL_EPS_FIRST,
     .settled = true,
     .proved = true,
     .cold = true,
     .relaxed = true,
     .level = true,
     .trials = 1000},
};
/* An implicit step that does not balance is explicit instead: a longer search does not pay. */
enum { METHODS = sizeof methods / sizeof *methods, IMPLICIT_METHODS = 4 };
_Static_assert((int)METHODS == (int)SL_EPS_METHODS, "one row for each method");

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

/* ---- The search --------------------------------------------------------------------------------- */

/* What the next phase of a search is:
 *
 *     EVALUATE -> CHECK | next trial    losses and conductances at the flows that stand
 *     CHECK    -> DONE | EVALUATE | next trial    flows have settled: do they balance, does no link run backwards?
 *     TRIAL    -> SWITCH | RESTART | GIVE_UP    one step of Newton's method; FAILED: no number, in an implicit step
 *     SWITCH   -> EVALUATE | RESTART    links change their status
 *     RESTART  -> EVALUATE              the next method, from the start
 *     GIVE_UP  -> DONE                  not balanced; how far off is measured
 *
 * The next trial is TRIAL while the method has trials left, else RESTART while there are methods, else GIVE_UP. */
typedef enum phase { EVALUATE, CHECK, TRIAL, SWITCH, RESTART, GIVE_UP, DONE, FAILED } phase;

typedef struct search {
    sl_eps *e;
    sl_eps_state *s;
    sl_eps_solve_facts *f;
    double dt;       /* [s] of an implicit step; 0: an instant */
    double limit;    /* [m] head-loss residual that counts as balanced */
    double accuracy; /* relative change of the flows that counts as settled */
    int32_t n_method, most_trials, extra_trials;
    int32_t method, method_trial, next_check, n_seen;
    int32_t switched;                     /* the trial of the method after which a status changed last */
    double change;                        /* of the flows by the trial before the last */
    enum { STALE, FRESH, PROVED } losses; /* fresh: those of the flows that stand; proved: and the flows balance */
    bool little;                          /* the last trial changed little flow */
    bool settled;                         /* and no status */
    bool whole;                           /* the flows balance: a full step was taken since a status changed */
    bool partial;                         /* the last trial took a part of its step */
    int32_t stuck;                        /* trials in a row that changed little and balanced nothing */
    bool linear;                          /* begun with linear pipes: the very first solve, and cold starts */
} search;

/* Remembers the status vector; true when it was met twice before. */
static bool goes_round(search *x) {
    sl_eps *e = x->e;
    uint64_t h = sl_hash_bytes(x->s->status, (size_t)e->m->net->n_link) & ~(uint64_t)3;
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
    w->islands_valid = false;
}

/* Parts, and the demands that are served then. */
static int32_t find_islands(sl_eps *e, sl_eps_state *s) {
    bool moved;
    int32_t opened = sl_eps_islands(e, s, &moved);
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

/* Flows and statuses of no solution. What controls, rules or the file have shut stays shut. */
static void cool(sl_eps *e, sl_eps_state *s) {
    const sl_network *net = e->m->net;
    for (int32_t k = 0; k < net->n_link; k++) {
        int kind = sl_valve_kind_of(net, k);
        bool governs = (kind == SL_PRV || kind == SL_PSV || kind == SL_FCV) && !isnan(s->setting[k]);
        bool decided = s->status[k] == SL_STATUS_XHEAD || s->status[k] == SL_STATUS_TEMP_CLOSED ||
                       (k < net->n_pipe && net->pipe_check[k]);
        if (governs || decided) {
            s->status[k] = sl_is_valve(net, k) && !isnan(s->setting[k]) ? SL_STATUS_ACTIVE : SL_STATUS_OPEN;
        }
        s->flow[k] = s->status[k] <= SL_STATUS_CLOSED ? 0.0 : sl_eps_first_flow(e, s, k);
    }
    sl_eps_first_outflows(e, s);
}

static void start(sl_eps *e, sl_eps_state *s, bool relaxed) {
    bool moved;
    begin(e, s);
    sl_eps_limit_supply(e, s);
    if (relaxed) {
        s->x->facts.trials += sl_eps_relax(e, s);
    }
    sl_eps_islands(e, s, &moved);
    sl_eps_loads(e, s);
    sl_eps_chains_begin(e, s);
}

/* Of coefficients that were looked at. all: both residuals also when the first is too large, and where. */
static bool balanced(sl_eps *e, const sl_eps_state *s, double dt, double limit, bool all, sl_eps_solve_facts *f) {
    sl_eps_residual res = sl_eps_head_residual(e, s, all, &f->worst_link);
    f->head_error = res.head;
    bool fine = res.head <= limit && res.flow <= FLOW_ERROR * res.largest + 1e-9;
    if (!fine && !all) {
        return false;
    }
    f->mass_error = sl_eps_mass_residual(e, s, dt, &f->worst_node, &e->x.through);
    return fine && f->mass_error <= fmax(1e-6 * e->x.through, 1e-9);
}

/* Have flows that the last trial still moved settled all the same? Yes, if the next trial would not move them: its step is
 * what is nearest to the flows p miss that the losses lack, among those that balance. So no trial is made for nothing.
 * A hundredth of the accuracy is asked for: where a last trial moves the flows by less than the accuracy, it leaves less
 * than that. *change: the relative size of that step. */
static bool flows_are_settled(const sl_eps *e, const sl_eps_state *s, double accuracy, double *change) {
    const sl_eps_core *c = e->core;
    const sl_eps_numbers *x = &e->x;
    double limit = e->m->net->hydraulics.flow_change, sum = 0.0, total = 0.0, most = 0.0;
    for (int32_t b = 0; b < c->n_chain; b++) {
        double dq = fabs(x->p[b] * x->miss[b]);
        sum += c->length[b] * dq;
        total += c->length[b] * fabs(x->q[b] - 0.5 * x->drawn[b]);
        most = dq > most ? dq : most;
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
static void recheck_statuses(sl_eps *e, const sl_eps_state *s, bool largest) {
    sl_eps_coefficients(e, s);
    sl_eps_linearise(e, s, largest);
}

/* ---- Its phases --------------------------------------------------------------------------------- */

static phase next_method(const search *x) {
    int32_t next = x->method + 1;
    return next < x->n_method || (next == x->n_method && x->extra_trials > 0) ? RESTART : GIVE_UP;
}

static phase next_trial(const search *x) {
    int32_t own = x->method < x->n_method ? methods[x->method].trials : x->extra_trials;
    int32_t enough = x->linear ? LEAST_TRIALS : x->method < x->n_method && own == 0 ? x->most_trials : own;
    if (x->method_trial < enough) {
        return TRIAL;
    }
    return next_method(x);
}

static phase evaluate(search *x) {
    if (x->losses == STALE) {
        recheck_statuses(x->e, x->s, x->settled);
    }
    return x->settled ? CHECK : next_trial(x);
}

static phase check(search *x) {
    if (x->partial) { /* of what a flow control valve lacks to its setting a part is left */
        return next_trial(x);
    }
    if (x->losses != PROVED && !balanced(x->e, x->s, x->dt, x->limit, false, x->f)) {
        return next_trial(x);
    }
    if (sl_eps_stop_backward(x->e, x->s) == 0 && (x->dt > 0.0 || sl_eps_stop_at_limits(x->e, x->s) == 0)) {
        x->f->balanced = sl_eps_supply_is_right(x->e, x->s);
        return x->f->balanced ? DONE : next_method(x);
    }
    x->settled = x->whole = false;
    x->losses = STALE;
    find_islands(x->e, x->s);
    return EVALUATE;
}

/* Coefficients of the linear system beyond those of the losses. */
static void prepare_trial(const search *x) {
    if (sl_eps_pin_heads(x->e, x->s)) {
        sl_eps_linearise(x->e, x->s, false);
    }
    if (x->whole && x->method_trial >= SLOW_TRIAL && x->f->flow_change > SLOW * x->change) {
        sl_eps_extrapolate_slopes(x->e);
    }
    if (x->linear && x->method_trial == 1) {
        sl_eps_first_trial(x->e, x->s);
    }
}

/* The share of a step that is taken. */
static double relaxation(const search *x, bool line) {
    double damp_limit = x->e->m->net->hydraulics.damp_limit;
    bool damped = (x->method < x->n_method && methods[x->method].share < 1.0) ||
                  (damp_limit > 0.0 && x->f->flow_change <= damp_limit);
    return damped && !x->settled && !line ? 0.6 : 1.0;
}

/* Has the trial changed little flow? most [m3/s]: the largest change. Where it changed not quite so little, the losses may prove
 * that another trial would. */
static bool changed_little(search *x, double most) {
    double largest = x->e->m->net->hydraulics.flow_change, change = x->f->flow_change;
    bool little = change <= x->accuracy && (largest <= 0.0 || most <= largest);
    x->losses = STALE;
    if (!little && x->method == 0 && x->dt <= 0.0 && change <= NEARLY) {
        recheck_statuses(x->e, x->s, true);
        little = balanced(x->e, x->s, x->dt, x->limit, false, x->f) &&
                 flows_are_settled(x->e, x->s, x->accuracy, &x->f->flow_change);
        x->losses = little ? PROVED : FRESH;
    } else if (little && x->method < x->n_method && methods[x->method].proved) {
        recheck_statuses(x->e, x->s, true);
        bool fine = balanced(x->e, x->s, x->dt, x->limit, false, x->f);
        x->losses = fine ? PROVED : FRESH;
        x->stuck = fine ? 0 : x->stuck + 1;
        little = fine || x->stuck > STUCK; /* no flow balances with these statuses */
    }
    return little;
}

/* What is no number leads nowhere: the next method begins without it. */
static phase lost(const search *x) {
    phase next = x->dt > 0.0 ? FAILED : next_method(x);
    if (next != FAILED) {
        sl_eps_forget_heads(x->e, x->s);
    }
    return next;
}

static phase make_trial(search *x) {
    x->method_trial++;
    x->f->trials++;
    x->f->method = x->method;
    /* Demands that follow the heads get their dozen after every switch: most settle then without a search along the steps. */
    bool follows = x->e->m->net->hydraulics.demand_model == SL_PDA;
    bool plain = x->method_trial - (follows ? x->switched : 0) <= PLAIN_TRIALS,
         line = x->whole && x->dt <= 0.0 && !plain;
    if (line) {
        sl_eps_line_search_begin(x->e, x->s);
    }
    sl_eps_breakers_begin(x->e, x->s);
    prepare_trial(x);
    if (!sl_eps_solve_heads(x->e, x->s, x->dt)) {
        return lost(x);
    }
    double relax = relaxation(x, line), most;
    x->change = x->f->flow_change;
    x->f->flow_change = sl_eps_new_flows(x->e, x->s, relax, &most);
    if (!isfinite(x->f->flow_change)) {
        return lost(x);
    }
    if (line) {
        sl_eps_line_search(x->e, x->s);
    }
    x->partial = relax < 1.0;
    x->whole = x->whole || !x->partial;
    bool stopped = sl_eps_breakers_stop(x->e, x->s);
    bool followed = plain && relax >= 1.0 && sl_eps_demands_follow(x->e, x->s);
    x->whole = x->whole && !stopped && !followed;
    x->losses = STALE;
    x->little = !stopped && changed_little(x, most);
    return SWITCH;
}

/* Status changes after a trial, those of controls apart. Returns how many. */
static int32_t switch_links(search *x, int32_t *controls) {
    sl_eps *e = x->e;
    const sl_hydraulic_options *o = &e->m->net->hydraulics;
    double change = x->f->flow_change;
    const method *way = &methods[x->method];
    bool one = way->pick != SL_EPS_ALL, settled_only = way->settled;
    bool regulators = x->little || (!settled_only && change <= (o->damp_limit > 0.0 ? o->damp_limit : ROUGHLY));
    bool watch = x->little || (!settled_only && change <= ROUGHLY && x->method_trial >= x->next_check &&
                               x->method_trial <= o->max_check);
    int32_t n = sl_eps_regulators(e, x->s, regulators, way->pick);
    if (watch && !(one && n)) {
        n += sl_eps_watch(e, x->s, way->pick);
        x->next_check = x->method_trial + (o->check_freq > 0 ? o->check_freq : 1);
    }
    *controls = x->little && n == 0 ? sl_eps_pressure_controls(e, x->s) : 0;
    return n;
}

static phase switch_statuses(search *x) {
    bool frozen = x->method >= x->n_method; /* not consistent */
    int32_t controls = 0, n = frozen ? 1 : switch_links(x, &controls);
    if (controls > 0 && x->e->m->limits_supply) { /* they may open and close ways, and set flow limits */
        sl_eps_limit_supply(x->e, x->s);
        sl_eps_loads(x->e, x->s);
        sl_eps_chains_spread(x->e);
    }
    n += find_islands(x->e, x->s);
    x->n_seen = controls > 0 ? 0 : x->n_seen; /* what a control has done may be met again on the way */
    bool same = n == 0 && controls == 0;
    x->settled = x->little && same;
    x->switched = same ? x->switched : x->method_trial;
    x->whole = x->whole && same;
    x->losses = same ? x->losses : STALE;
    return n > 0 && !frozen && goes_round(x) && x->method + 1 < x->n_method ? RESTART : EVALUATE;
}

/* Where the solve began: flows and statuses that went astray help nobody. */
static void take_start(const search *x) {
    sl_eps *e = x->e;
    sl_eps_state *s = x->s;
    const sl_eps_core *c = e->core;
    for (int32_t i = 0; i < c->n_single; i++) {
        int32_t k = c->single[i];
        s->flow[k] = e->x.start[i].flow;
        if (k >= e->m->net->n_pipe) {
            s->setting[k] = e->x.start[i].setting;
        }
        s->status[k] = e->x.start[i].status;
    }
    memcpy(s->outlet_flow, e->w.start_outlet, (size_t)e->m->n_outlet * sizeof *s->outlet_flow);
}

/* The next method begins where this one did. After a first trial with linear pipes the same one begins once more, without. */
static phase restart(search *x) {
    sl_eps *e = x->e;
    sl_eps_state *s = x->s;
    take_start(x);
    bool again = x->linear;
    x->method += !again;
    bool cold = x->method < x->n_method && methods[x->method].cold;
    if (cold) {
        cool(e, s);
    }
    if (x->method < x->n_method && methods[x->method].level) {
        sl_eps_forget_heads(e, s);
    }
    x->linear = cold && !again;
    e->w.latch = x->method < x->n_method && methods[x->method].proved;
    e->w.wide = x->method < x->n_method && methods[x->method].wide;
    start(e, s, x->method < x->n_method && methods[x->method].relaxed);
    x->method_trial = x->n_seen = x->switched = 0;
    x->next_check = 2;
    x->stuck = 0;
    x->settled = x->whole = false;
    x->losses = STALE;
    return EVALUATE;
}

/* What ran away is no result either: that of the start is shown then. */
static phase give_up(search *x) {
    if (sl_eps_search_ran_away(x->e, x->s)) {
        sl_eps_forget_heads(x->e, x->s);
        take_start(x);
        start(x->e, x->s, false);
    }
    recheck_statuses(x->e, x->s, true);
    (void)balanced(x->e, x->s, x->dt, x->limit, true, x->f);
    return DONE;
}

static search search_of(sl_eps *e, sl_eps_state *s, double dt) {
    const sl_hydraulic_options *o = &e->m->net->hydraulics;
    bool asked = e->m->def.head_error > 0.0; /* then what rounding leaves counts too */
    double limit = asked ? e->m->def.head_error : HEAD_ERROR;
    e->x.rounding = asked ? 0.0 : ROUNDING;
    s->x->facts = (sl_eps_solve_facts){.worst_link = -1, .worst_node = -1, .chatters = -1, .flow_change = 1.0};
    return (search){.e = e,
                    .s = s,
                    .f = &s->x->facts,
                    .dt = dt,
                    .n_method = dt > 0.0 ? IMPLICIT_METHODS : METHODS,
                    .limit = o->head_error > 0.0 ? fmin(limit, o->head_error) : limit,
                    .accuracy = fmin(o->accuracy, 1e-4),
                    .most_trials = o->trials < LEAST_TRIALS  ? LEAST_TRIALS
                                   : o->trials > MOST_TRIALS ? MOST_TRIALS
                                                             : o->trials,
                    .extra_trials = o->unbalanced_extra < MOST_TRIALS ? o->unbalanced_extra : MOST_TRIALS,
                    .next_check = 2,
                    .linear = s->x->n_trial == 0};
}

/* Newton's trials; what they leave is not expanded yet. */
static sl_status iterate(sl_eps *e, sl_eps_state *s, double dt) {
    static phase (*const enter[])(search * x) = {[EVALUATE] = evaluate,      [CHECK] = check,     [TRIAL] = make_trial,
                                                 [SWITCH] = switch_statuses, [RESTART] = restart, [GIVE_UP] = give_up};
    bool cold = s->x->n_trial > 0 && !s->x->facts.balanced;
    search x = search_of(e, s, dt);
    if (cold) { /* what did not balance is no start */
        cool(e, s);
        x.linear = true;
    }
    if (!x.linear) {
        sl_eps_demands_begin(e, s);
    }
    e->w.latch = false;
    e->w.wide = false;
    remember_start(e, s);
    sl_eps_supply_begin(e);
    start(e, s, false);
    phase next = EVALUATE;
    while (next < DONE) {
        next = enter[next](&x);
    }
    return next == DONE ? SL_OK : SL_ERR_SOLVE;
}

sl_status sl_eps_solve(sl_eps *e, sl_eps_state *s, double dt) {
    if (e->rows_stale) {
        sl_eps_load_pipe_laws(e);
    }
    sl_status status = iterate(e, s, dt);
    sl_eps_expand(e, s);
    return status == SL_OK && !sl_eps_solution_is_consistent(e, s) ? SL_ERR_SOLVE : status;
}
