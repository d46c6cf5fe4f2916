/* SPDX-License-Identifier: MIT */
/* substeps.c: steps over which tanks do not keep their inflow.
 *
 * The levels H of the tanks obey A dH/dt = Q(H), and Q falls with H: rate = (-dQ/dH)/A [1/s] of the fastest tank times the step is
 * the stability number N. Where the step by the inflow at its beginning (clock.c) is unstable or misses the level by more
 * than the tolerance, the step is made of substeps, all of second order and with an estimate of their error in the level:
 *
 *  - N moderate: explicit stages of Runge, Kutta and Chebyshev (Sommeijer, Shampine, Verwer: RKC, J. Comput. Appl. Math. 88, 1997),
 *    which are stable for N up to 2/3 (s^2 - 1) with s stages. Each stage is a solve of the network that begins at the
 *    one before and takes a trial or two.
 *  - N large: the L-stable pair of order 2(1) of Alexander (SIAM J. Numer. Anal. 14, 1977), g = 1 - 1/sqrt 2:
 *
 *        V1 = V0 + g h Q1,    V2 = V0 + (1 - g) h Q1 + g h Q2.
 *
 *    Each stage is a solve in which the heads of the tanks are unknowns. The inflow at the beginning is in neither: what
 *    decays within a fraction of the step does not ask for short ones.
 *
 * All tanks take part. Substeps are no boundaries: patterns, controls and rules act at boundaries, on whole seconds.
 */
#include "eps/impl.h"

#include "base/bytes.h"

#include <math.h>
#include <string.h>

/* Level that a substep may miss [m], unless the definition says another. */
#define LEVEL_ERROR 0.05
/* A swing of a level that does no harm [m]. */
#define SWING 0.01
/* Part of the bound of stability that is used: the rate of one tank is that with the others at rest. */
#define SAFETY 0.97
/* A substep after this one is at most so many times as long, and a repeated one at least that part of it. */
#define LONGER 4.0
#define SHORTER 0.1
#define AGAIN 0.3
/* Explicit stages whose error is so many times the tolerance have gone astray. */
#define ASTRAY 4.0
/* Where a tank with such a stability number passes a level once more, the next try is that part of the time by which it did: it may
 * do so within any time. */
#define FAST 100.0
#define SOONER 0.002
/* Substeps that are not repeated however large their error is [s]: the clock knows whole seconds only. */
#define SHORTEST 1.0
/* Substeps of one step. */
enum { MOST = 400 };

/* Stages of a method for a stability number up to `bound`: volumes of the j-th stage from the inflows before it, V0 + h sum a F,
 * those of the last row being the result. */
typedef struct stages {
    int n;
    double bound;
    double a[SL_EPS_STAGES][SL_EPS_STAGES];
} stages;

/* By the recursions of the paper with its damping of 2/13. */
static const stages explicit_methods[] = {
    {2, 1.9630, {{0.24074074074074073}, {-1.0769230769230771, 2.0769230769230771}}},
    {3,
     5.2304,
     {{0.093198457089212358},
      {-0.39212932533496059, 0.77129569776628604},
      {-1.6674201219655764, 1.7882985606417101, 0.87912156132386599}}},
    {4,
     9.8043,
     {{0.050272027703624905},
      {-0.20692591284813058, 0.40994756318969272},
      {-0.89678266198870404, 0.95956234716257183, 0.47521182907098802},
      {-1.8963110267319438, 1.4956399528902651, 0.98139576286273866, 0.41927531097894027}}},
    {5,
     15.6848,
     {{0.031586202207757742},
      {-0.12868689768964547, 0.25580921303655973},
      {-0.56273436889922657, 0.60146274504511521, 0.29889203691079885},
      {-1.1993255830050153, 0.94240775721353853, 0.62190116704824916, 0.26450191543816665},
      {-2.0002622058002268, 1.2725082470423028, 0.94092523463991862, 0.53142193023596129, 0.25540679388204424}}},
    {6,
     22.8720,
     {{0.021721454524248562},
      {-0.08800291240520311, 0.17526003741714177},
      {-0.38672591990180605, 0.41308910819238398, 0.20566564110003796},
      {-0.82778982501626419, 0.64913272635729624, 0.42969723399445919, 0.18230631554884383},
      {-1.3872974381932148, 0.87941003458675615, 0.65306389213424931, 0.3683883452741718, 0.17632141705983534},
      {-2.0516111547665363, 1.1035102490556008, 0.8716985144605458, 0.55163487846627257, 0.35104432536038849,
       0.173723187423728}}},
};
enum { N_METHOD = sizeof explicit_methods / sizeof *explicit_methods };

#define GAMMA 0.29289321881345248 /* 1 - 1/sqrt 2 */

static double tolerance(const sl_eps *e) {
    return e->m->def.tank_error > 0.0 ? e->m->def.tank_error : LEVEL_ERROR;
}

static double highest_rate(const sl_eps *e, const sl_eps_state *s) {
    double most = 0.0;
    for (int32_t i = 0; i < e->m->net->n_tank; i++) {
        most = fmax(most, s->rate[i]);
    }
    return most;
}

bool sl_eps_needs_substeps(const sl_eps *e, const sl_eps_state *s, double dt) {
    const sl_network *net = e->m->net;
    if (e->m->def.tanks == SL_TANKS_IMPLICIT) {
        return net->n_tank > 0;
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        /* The flow of the beginning misses the level by H'' dt^2 / 2, and by no more than it moves it. Beyond 2 a swing grows. */
        if (s->rate[i] > 0.0) {
            double n = s->rate[i] * dt, tol = n < 2.0 ? tolerance(e) : fmin(tolerance(e), SWING);
            double area = sl_tank_surface(&e->m->tank[i], s->head[sl_first_tank(net) + i]);
            if (fmin(0.5 * n, 1.0) * fabs(s->inflow[i]) * dt > tol * area) {
                return true;
            }
        }
    }
    return false;
}

/* ---- Means of a step ---------------------------------------------------------------------------- */

/* For the transport and the balance: what s moves, times a time, added to the sums of the substep. */
static void add_flows(sl_eps *e, const sl_eps_state *s, double time, sl_eps_balance *sum) {
    sl_eps_balance rate = sl_eps_rates(e, s);
    sl_eps_add_balance(sum, &rate, time);
    if (!e->mean_flow) {
        return;
    }
    for (int32_t k = 0; k < e->m->net->n_link; k++) {
        e->substep_flow[k] += s->flow[k] * time;
    }
    sl_eps_outflows(e, s, e->stage_out);
    for (int32_t i = 0; i < e->m->net->n_junction; i++) {
        e->substep_out[i] += e->stage_out[i] * time;
    }
}

static void begin_sums(sl_eps *e, sl_eps_balance *sum) {
    *sum = (sl_eps_balance){0};
    if (e->mean_flow) {
        memset(e->substep_flow, 0, (size_t)e->m->net->n_link * sizeof *e->substep_flow);
        memset(e->substep_out, 0, (size_t)e->m->net->n_junction * sizeof *e->substep_out);
    }
}

/* The sums of a substep that counts, into those of the step. */
static void keep_sums(sl_eps *e, const sl_eps_balance *sum) {
    sl_eps_add_balance(&e->other.x->rate, sum, 1.0);
    for (int32_t k = 0; e->mean_flow && k < e->m->net->n_link; k++) {
        e->mean_flow[k] += e->substep_flow[k];
    }
    for (int32_t i = 0; e->mean_flow && i < e->m->net->n_junction; i++) {
        e->mean_out[i] += e->substep_out[i];
    }
}

/* ---- One substep -------------------------------------------------------------------------------- */

/* A substep in `other`. Inflows of its stages are rows of w.stage_inflow; row 0 is that of its beginning. */
typedef struct substep {
    sl_eps *e;
    double h, rest;     /* [s] its length, and what of the step comes after it */
    double error;       /* [m] that is left of the error of a level at the end of the step */
    bool implicit;      /* explicit stages have gone astray in this step */
    bool has_implicit;  /* it is made of implicit stages */
    double tried;       /* [s] length with which its first implicit stage was solved before, or 0 */
    double share;       /* of it after which a tank passes a limit or the level of a control, or 1 */
    int last;           /* row of the last stage */
    sl_eps_balance sum; /* moved */
} substep;

static double *inflow_of(const substep *x, int row) {
    return x->e->w.stage_inflow + (size_t)row * (size_t)x->e->m->net->n_tank;
}

static void set_volume(sl_eps *e, int32_t i, double v) {
    e->other.volume[i] = v;
    e->other.head[sl_first_tank(e->m->net) + i] = sl_tank_head(&e->m->tank[i], v);
}

/* Solves `other`, an instant or with the tanks' heads as unknowns over dt. Its trials count. */
static bool solve(sl_eps *e, double dt) {
    memset(e->w.free_tank, dt > 0.0, (size_t)e->m->net->n_tank);
    sl_status status = sl_eps_solve(e, &e->other, dt);
    memset(e->w.free_tank, 0, (size_t)e->m->net->n_tank);
    e->now.x->n_trial += e->other.x->facts.trials;
    sl_eps_tank_inflows(e, &e->other);
    return status == SL_OK && e->other.x->facts.balanced;
}

static void keep_inflow(const substep *x, int row) {
    memcpy(inflow_of(x, row), x->e->other.inflow, (size_t)x->e->m->net->n_tank * sizeof(double));
}

/* Flows of a solve at the share c of the substep, led on in a straight line from those at `from`, where no link was switched since
 * the beginning: what a solve begins with decides how many trials it takes. */
static void lead_on(const substep *x, double from, double c) {
    sl_eps *e = x->e;
    sl_eps_state *s = &e->other;
    if (!(from > 0.0) || !sl_same_bytes(s->status, e->w.first_status, (size_t)e->m->net->n_link)) {
        return;
    }
    double share = (c - from) / from;
    for (int32_t k = 0; k < e->m->net->n_link; k++) {
        s->flow[k] += share * (s->flow[k] - e->w.first_flow[k]);
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        s->outlet_flow[o] += share * (s->outlet_flow[o] - e->w.first_outlet[o]);
    }
}

/* `other` holds the solution at the beginning of a substep. */
static void begin_substep(substep *x) {
    sl_eps *e = x->e;
    const sl_network *net = e->m->net;
    memcpy(e->w.first_volume, e->other.volume, (size_t)net->n_tank * sizeof(double));
    memcpy(e->w.first_flow, e->other.flow, (size_t)net->n_link * sizeof(double));
    memcpy(e->w.first_outlet, e->other.outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
    memcpy(e->w.first_head, e->other.head, (size_t)net->n_node * sizeof(double));
    memcpy(e->w.first_status, e->other.status, (size_t)net->n_link);
    keep_inflow(x, 0);
    x->tried = 0.0;
}

/* The share of a substep after which a level is passed by more than a second's flow, which the next boundary makes up for,
 * or 1. */
static double passed_level(const substep *x, int32_t i, double head, bool up) {
    const sl_eps *e = x->e;
    double v0 = e->w.first_volume[i], v1 = e->other.volume[i], at = sl_tank_volume(&e->m->tank[i], head);
    double second = fabs(inflow_of(x, x->last)[i]), beyond = up ? v1 - at : at - v1;
    double least = 1e-3 * sl_tank_surface(&e->m->tank[i], head);
    bool passes = (up ? v0 < at : v0 > at) && beyond > fmax(second, least);
    if (!passes) {
        return 1.0;
    }
    /* A fast tank that begins far from its balance gets there by an exponential. */
    double share = (at - v0) / (v1 - v0), f0 = inflow_of(x, 0)[i], way = e->other.rate[i] * (at - v0) / f0;
    bool fast = e->other.rate[i] * x->h > 1.0 && way > 0.0 && way < 1.0;
    return fast ? fmin(share, -log1p(-way) / (e->other.rate[i] * x->h)) : share;
}

static double passed(const substep *x) {
    const sl_eps *e = x->e;
    const sl_network *net = e->m->net;
    double share = 1.0;
    for (int32_t i = 0; i < net->n_tank; i++) {
        const sl_tank_law *law = &e->m->tank[i];
        share = law->overflows ? share : fmin(share, passed_level(x, i, law->h_max, true));
        share = fmin(share, passed_level(x, i, law->h_min, false));
    }
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        int32_t tank = c->node - sl_first_tank(net);
        if (c->enabled && c->kind <= SL_CONTROL_BELOW && tank >= 0 && sl_eps_would_change(e, &e->now, c)) {
            double at = net->node_elevation[c->node] + c->threshold;
            share = fmin(share, passed_level(x, tank, at, c->kind == SL_CONTROL_ABOVE));
        }
    }
    return share;
}

/* Volumes of a stage. Returns its share of the substep. */
static double place_stage(const substep *x, const double *a, int n) {
    double c = 0.0;
    for (int k = 0; k < n; k++) {
        c += a[k];
    }
    for (int32_t i = 0; i < x->e->m->net->n_tank; i++) {
        double v = 0.0;
        for (int k = 0; k < n; k++) {
            v += a[k] * inflow_of(x, k)[i];
        }
        set_volume(x->e, i, x->e->w.first_volume[i] + x->h * v);
    }
    return c;
}

/* What is left of an error in the volume at the end of the step, as a level: a fast tank forgets. */
static double left_of(const substep *x, int32_t i, double miss) {
    const sl_eps *e = x->e;
    double area = sl_tank_surface(&e->m->tank[i], e->other.head[sl_first_tank(e->m->net) + i]), rate = e->other.rate[i];
    return fabs(miss) / (area * (1.0 + rate * x->rest));
}

/* How much of a volume the inflows of the stages do not explain: the mean of a decay lies between them. */
static double beyond_stages(const substep *x, int last, int32_t i, double moved) {
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (int k = 0; k <= last; k++) {
        least = fmin(least, x->h * inflow_of(x, k)[i]);
        most = fmax(most, x->h * inflow_of(x, k)[i]);
    }
    return fmax(fmax(least - moved, moved - most), 0.0);
}

/* By how much the inflow of a tank swings over the stages, as a volume, where they show a stability number beyond the bound of the
 * method: laws by a root are steeper near rest than where the substep began. Else 0. */
static double swing_of_stages(const substep *x, const stages *m, int32_t i) {
    double f0 = inflow_of(x, 0)[i], most = 0.0;
    bool beyond = false;
    for (int j = 1; j < m->n; j++) {
        double moved = 0.0, change = fabs(inflow_of(x, j)[i] - f0);
        for (int k = 0; k < j; k++) {
            moved += m->a[j - 1][k] * inflow_of(x, k)[i];
        }
        beyond |= change > m->bound * fabs(moved);
        most = fmax(most, change);
    }
    return beyond ? x->h * most : 0.0;
}

/* Of two stages: that of the first order, times what the next order is of it in a decay, N/3; N is at least what the stages
 * show of it, as links may open on the way. Of more: the difference to the rule of second order on the first and the last stage,
 * which differs in the third. Where inflows follow the level by a root both may miss by the same: what no inflow of a stage explains
 * is an error too. */
static double explicit_error(const substep *x, const stages *m, double n) {
    const sl_eps *e = x->e;
    int last = m->n - 1;
    double c = 0.0, error = 0.0;
    for (int k = 0; k < last; k++) {
        c += m->a[last - 1][k];
    }
    for (int32_t i = 0; i < e->m->net->n_tank; i++) {
        double moved = e->other.volume[i] - e->w.first_volume[i], f0 = inflow_of(x, 0)[i], f1 = inflow_of(x, last)[i];
        double other = m->n == 2 ? x->h * f0 : x->h * (f0 + (f1 - f0) / (2.0 * c));
        double seen = fabs(f1 - f0) > 0.0 ? fabs((f1 - f0) / (c * f0)) : 0.0;
        double miss = m->n == 2 ? fmin(fmax(n, seen) / 3.0, 1.0) * (moved - other) : moved - other;
        miss = fmax(fabs(miss), fmax(beyond_stages(x, last, i, moved), swing_of_stages(x, m, i)));
        error = fmax(error, left_of(x, i, miss));
    }
    return error;
}

static bool make_explicit(substep *x, double n) {
    const stages *m = explicit_methods;
    while (m < explicit_methods + N_METHOD - 1 && n > SAFETY * m->bound) {
        m++;
    }
    const double *b = m->a[m->n - 1];
    add_flows(x->e, &x->e->other, b[0] * x->h, &x->sum);
    double from = 0.0, c = 0.0;
    for (int j = 1; j < m->n; j++, from = c) {
        c = place_stage(x, m->a[j - 1], j);
        lead_on(x, from, c);
        if (!solve(x->e, 0.0)) {
            return false;
        }
        keep_inflow(x, j);
        add_flows(x->e, &x->e->other, b[j] * x->h, &x->sum);
    }
    place_stage(x, b, m->n);
    lead_on(x, c, 1.0);
    x->last = m->n - 1;
    x->error = explicit_error(x, m, n);
    x->share = passed(x);
    return true;
}

/* The less of two: by how much the inflows of both stages differ, which is that of the first order; and by how much the result
 * misses the trapezoidal rule, which is of the third but knows the inflow of the beginning. (Where N is large
 * the result keeps 4.8/N of a deviation.) */
static double implicit_error(const substep *x) {
    const sl_eps *e = x->e;
    double error = 0.0;
    for (int32_t i = 0; i < e->m->net->n_tank; i++) {
        double f0 = inflow_of(x, 0)[i], f1 = inflow_of(x, 1)[i], f2 = inflow_of(x, 2)[i];
        double first = GAMMA * fabs(f2 - f1), third = fabs((1.0 - GAMMA) * f1 + GAMMA * f2 - 0.5 * (f0 + f2));
        error = fmax(error, left_of(x, i, x->h * fmin(first, third) / (1.0 + e->other.rate[i] * x->h)));
    }
    return error;
}

/* Does a tank pass a level before the first stage? Then the second has nothing to say. */
static bool passes_first(substep *x) {
    for (int32_t i = 0; i < x->e->m->net->n_tank; i++) {
        x->e->other.volume[i] = x->e->w.first_volume[i] + GAMMA * x->h * inflow_of(x, 1)[i];
    }
    x->share = GAMMA * passed(x);
    x->error = 0.0;
    return x->share < GAMMA;
}

/* A repeated first stage begins between the flows of the beginning and those of the one before: with linear inflows the way of the
 * fastest tank within a stage of length t is in proportion to t / (1 + rate t). A tank that is fast goes all of it within any
 * length, and with it the statuses. */
static void begin_as_tried(const substep *x) {
    sl_eps *e = x->e;
    sl_eps_state *s = &e->other;
    double rate = GAMMA * highest_rate(e, s), share = x->h / x->tried * (1.0 + rate * x->tried) / (1.0 + rate * x->h);
    if (share < 0.5 && !sl_same_bytes(e->w.tried_status, e->w.first_status, (size_t)e->m->net->n_link)) {
        return;
    }
    for (int32_t k = 0; k < e->m->net->n_link; k++) {
        bool same = e->w.tried_status[k] == s->status[k];
        s->flow[k] = same ? s->flow[k] + share * (e->w.tried_flow[k] - s->flow[k]) : e->w.tried_flow[k];
    }
    for (int32_t o = 0; o < e->m->n_outlet; o++) {
        s->outlet_flow[o] += share * (e->w.tried_outlet[o] - s->outlet_flow[o]);
    }
    memcpy(s->status, e->w.tried_status, (size_t)e->m->net->n_link);
}

static void keep_tried(substep *x) {
    sl_eps *e = x->e;
    memcpy(e->w.tried_flow, e->other.flow, (size_t)e->m->net->n_link * sizeof(double));
    memcpy(e->w.tried_outlet, e->other.outlet_flow, (size_t)e->m->n_outlet * sizeof(double));
    memcpy(e->w.tried_status, e->other.status, (size_t)e->m->net->n_link);
    x->tried = x->h;
}

static bool make_implicit(substep *x) {
    sl_eps *e = x->e;
    const sl_network *net = e->m->net;
    const double share[2] = {1.0 - GAMMA, GAMMA};
    for (int j = 0; j < 2; j++) {
        for (int32_t i = 0; i < net->n_tank; i++) { /* heads stay: they are what the solve begins with */
            e->other.volume[i] = e->w.first_volume[i] + (j == 0 ? 0.0 : share[0] * x->h * inflow_of(x, 1)[i]);
        }
        if (j == 0 && x->tried > 0.0) {
            begin_as_tried(x);
        }
        if (!solve(e, GAMMA * x->h)) {
            return false;
        }
        if (j == 0) {
            keep_tried(x);
        }
        x->last = j + 1;
        keep_inflow(x, j + 1);
        add_flows(e, &e->other, share[j] * x->h, &x->sum);
        if (j == 0 && x->h > 2.0 * SHORTEST && passes_first(x)) {
            return true;
        }
    }
    /* By the flows, for the books: the solve leaves heads of no other volume. */
    for (int32_t i = 0; i < net->n_tank; i++) {
        set_volume(e, i, e->w.first_volume[i] + x->h * (share[0] * inflow_of(x, 1)[i] + share[1] * inflow_of(x, 2)[i]));
    }
    x->share = passed(x);
    x->error = implicit_error(x);
    return true;
}

/* ---- All of them -------------------------------------------------------------------------------- */

/* Back to the beginning of a substep. */
static void go_back(const substep *x) {
    sl_eps *e = x->e;
    const sl_network *net = e->m->net;
    memcpy(e->other.volume, e->w.first_volume, (size_t)net->n_tank * sizeof(double));
    memcpy(e->other.flow, e->w.first_flow, (size_t)net->n_link * sizeof(double));
    memcpy(e->other.outlet_flow, e->w.first_outlet, (size_t)e->m->n_outlet * sizeof(double));
    memcpy(e->other.head, e->w.first_head, (size_t)net->n_node * sizeof(double));
    memcpy(e->other.status, e->w.first_status, (size_t)net->n_link);
}

/* On to the next one. */
static bool go_on(substep *x, double planned) {
    if (!solve(x->e, 0.0)) {
        return false;
    }
    sl_eps_find_rates(x->e, &x->e->other, planned);
    begin_substep(x);
    return true;
}

/* A length that would meet the tolerance. Estimates are of the third order or less. What is repeated becomes much shorter: of what
 * a long implicit substep keeps, one of nearly the same length keeps as much. */
static double next_length(const substep *x, double tol) {
    double factor = x->error > 0.0 ? 0.9 * cbrt(tol / x->error) : LONGER;
    return x->h * fmin(fmax(factor, SHORTER), x->error > tol ? AGAIN : LONGER);
}

static bool make_substep(substep *x) {
    sl_eps *e = x->e;
    double n = highest_rate(e, &e->other) * x->h;
    begin_sums(e, &x->sum);
    bool explicit_one = !x->implicit && n <= SAFETY * explicit_methods[N_METHOD - 1].bound;
    x->has_implicit = !explicit_one;
    return explicit_one ? make_explicit(x, n) : make_implicit(x);
}

/* The whole second at which a step ends that passes a level after `time` within it, not before `gone`. */
static double second_of(double time, double gone) {
    return fmax(fmax(floor(time + 0.5), ceil(gone)), 1.0);
}

bool sl_eps_substeps(sl_eps *e, double *dt) {
    const sl_network *net = e->m->net;
    substep x = {.e = e, .h = *dt, .implicit = e->m->def.tanks == SL_TANKS_IMPLICIT};
    double gone = 0.0, tol = tolerance(e), planned = *dt;
    sl_eps_state_copy(e->m, &e->other, &e->now);
    e->other.x->rate = (sl_eps_balance){0};
    if (e->mean_flow) {
        memset(e->mean_flow, 0, (size_t)net->n_link * sizeof *e->mean_flow);
        memset(e->mean_out, 0, (size_t)net->n_junction * sizeof *e->mean_out);
    }
    begin_substep(&x);
    double part = 1.0;
    for (int i = 0; gone < *dt; i++) {
        double left = *dt - gone;
        planned = fmax(planned, SHORTEST);
        x.h = planned < 0.9 * left && i < MOST ? planned : left;
        x.rest = left - x.h;
        if (!make_substep(&x)) {
            return false;
        }
        planned = next_length(&x, tol);
        x.implicit |= x.error > ASTRAY * tol;
        double end = x.share < 1.0 ? second_of(gone + x.share * part * x.h, gone) : *dt;
        bool sooner = end < gone + x.h;
        bool shorter = x.error > tol && i < MOST && x.h > SHORTEST, otherwise = x.implicit && !x.has_implicit;
        if (sooner || shorter || otherwise) {
            part = sooner && highest_rate(e, &e->other) * x.h > FAST ? SOONER : part;
            planned = sooner ? left : planned;
            *dt = sooner ? end : *dt;
            go_back(&x);
            continue;
        }
        keep_sums(e, &x.sum);
        gone = x.h >= *dt - gone ? *dt : gone + x.h;
        if (gone < *dt && !go_on(&x, planned)) {
            return false;
        }
    }
    memcpy(e->now.inflow, inflow_of(&x, x.last), (size_t)net->n_tank * sizeof(double));
    return true;
}
