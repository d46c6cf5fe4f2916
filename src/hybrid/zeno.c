/* SPDX-License-Identifier: MIT */
/* zeno.c: executions without progress: discrete ones that do not settle, and what changes ever more often in ever less time (zeno
 * executions, chattering).
 *
 * No finite run can tell infinitely many changes from very many. So each discrete variable, each cut, and the roots of each
 * variable are counted by themselves: a change too many at one instant, or within a short time, is an error that names it. What
 * many do at the same time is not counted together: a thousand tanks may switch at once. A discrete execution counts as one
 * change of each variable that it changes: whether it comes to rest is a question of its own.
 */
#include "hybrid/impl.h"
#include "hybrid/motion.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MAX_NAMED = 5 };

void sl_zeno_clear(sl_hybrid *h) {
    size_t n = sl_hybrid_n_counter(h);
    if (n > 0) {
        memset(h->counters, 0, n * sizeof *h->counters);
    }
    for (size_t k = 0; k < n; k++) {
        h->counters[k].last = h->counters[k].since = (double)NAN;
    }
    h->zeno = -1;
}

static double run_length(const sl_hybrid *h) {
    return isfinite(h->def.end) ? h->def.end : fmax(fabs(h->now.t), 1e3);
}

/* Within which changes are counted: as the definition says, or a millionth of the run, but never below a thousand times what can
 * be distinguished: by rounding of the time, or because a root passes its tolerance so slowly. */
static double window(const sl_hybrid *h, double resolution) {
    if (h->def.window > 0.0) {
        return h->def.window;
    }
    double length = run_length(h);
    double rounding = DBL_EPSILON * fmax(length, fabs(h->now.t));
    return fmax(1e-6 * length, 1e3 * fmin(fmax(rounding, resolution), 1e-5 * length));
}

static void count(sl_hybrid *h, int32_t item, int32_t piece, double resolution) {
    zeno_counter *c = &h->counters[item];
    double t = h->now.t;
    bool is_now = c->last == t;
    if (is_now && piece > 0 && c->piece == piece) {
        return; /* the same discrete execution */
    }
    sl_state_keep_counter(h, item);
    if (!(t - c->since <= window(h, resolution))) {
        c->since = t;
        c->n = 0;
    }
    c->n++;
    c->n_now = is_now ? c->n_now + 1 : 1;
    c->last = t;
    c->piece = piece;
    if (h->zeno < 0 && (c->n > h->def.max_event || c->n_now > h->def.max_round)) {
        h->zeno = item;
        h->resolution = resolution;
    }
}

void sl_zeno_count_variable(sl_hybrid *h, int32_t j, bool discrete) {
    count(h, j, discrete ? h->now.round + 1 : 0, 0.0);
}

void sl_zeno_count_root(sl_hybrid *h, int32_t j, double resolution) {
    count(h, h->n_q + j, 0, resolution);
}

void sl_zeno_count_cut(sl_hybrid *h, int32_t k, double resolution) {
    count(h, 2 * h->n_q + k, 0, resolution);
}

/* Changes of variable j, or of roots that decide it. */
static int32_t recent(const sl_hybrid *h, int32_t j) {
    int32_t n = 0;
    for (int32_t item = j; item < 2 * h->n_q; item += h->n_q) {
        const zeno_counter *c = &h->counters[item];
        bool counts = h->now.t - c->since <= window(h, h->resolution) && c->n > n;
        n = counts ? c->n : n;
    }
    return n;
}

/* "valve (12 times), pump (12 times)": the discrete variables that changed most of late */
static void list_busy_variables(const sl_hybrid *h, char *text, size_t room) {
    size_t len = 0;
    int32_t below = INT32_MAX;
    text[0] = '\0';
    for (int32_t n = 0; n < MAX_NAMED;) {
        int32_t most = 0;
        for (int32_t j = 0; j < h->n_q; j++) {
            most = recent(h, j) < below && recent(h, j) > most ? recent(h, j) : most;
        }
        if (most == 0) {
            break;
        }
        for (int32_t j = 0; j < h->n_q && n < MAX_NAMED; j++) {
            if (recent(h, j) == most) {
                int wrote = sl_format(text + len, room - len, "%s%s (%d times)", n ? ", " : "",
                                      h->ops->q_name(h->instance, j), (int)most);
                len = wrote > 0 && (size_t)wrote < room - len ? len + (size_t)wrote : room - 1;
                n++;
            }
        }
        below = most;
    }
    if (len == 0) {
        (void)sl_format(text, room, "none");
    }
}

static sl_status report_zeno(const sl_hybrid *h, const char *what, const char *hint, sl_diags *diags) {
    char names[512];
    list_busy_variables(h, names, sizeof names);
    sl_report(diags, SL_ERROR, SL_CODE_ZENO, NULL, NULL, NULL, hint,
              "at %.12g s: %s; discrete variables that changed: %s", h->now.t, what, names);
    return SL_ERR_SOLVE;
}

/* What the counter is of: "the discrete variable 'q' has changed", "'if(x > 0, 1, 2)' has changed its side" */
static void name_item(const sl_hybrid *h, int32_t item, char *text, size_t room) {
    if (item < 2 * h->n_q) {
        bool roots = item >= h->n_q;
        (void)sl_format(text, room, roots ? "roots of '%s' have fired" : "'%s' has changed",
                        h->ops->q_name(h->instance, item % h->n_q));
        return;
    }
    char name[SL_HYBRID_CUT_NAME];
    h->ops->cut_name(h->instance, item - 2 * h->n_q, name);
    (void)sl_format(text, room, "'%s' in the equations has changed its side", name);
}

bool sl_zeno_find_held(sl_hybrid *h) {
    bool fine = true;
    h->held.n = 0;
    for (int32_t j = 0; h->def.policy == SL_HYBRID_POLICY_HOLD && j < h->n_q && fine; j++) {
        fine = !(h->relief[j] > h->now.t) || SL_PUSH(h->ctx, &h->held, j);
    }
    return fine;
}

double sl_zeno_limit(sl_hybrid *h) {
    double first = (double)INFINITY;
    int64_t n = 0;
    for (int64_t k = 0; k < h->held.n; k++) {
        int32_t j = h->held.at[k];
        if (h->relief[j] > h->now.t) {
            first = fmin(first, h->relief[j]);
            h->held.at[n++] = j;
        }
    }
    h->held.n = n;
    return first;
}

void sl_zeno_pass_relief(sl_hybrid *h) {
    bool wants = h->def.policy == SL_HYBRID_POLICY_WIDEN || h->def.policy == SL_HYBRID_POLICY_SMOOTH;
    if (wants && h->ops->set_relief) {
        h->ops->set_relief(h->instance, h->def.policy, h->relief);
    }
}

/* What the policy has for a discrete variable; false: nothing. */
static bool relieve(sl_hybrid *h, const char *what, sl_diags *diags) {
    enum { MOST_TIMES = 40 };
    bool holds = h->def.policy == SL_HYBRID_POLICY_HOLD;
    if (h->zeno >= 2 * h->n_q || sl_hybrid_n_relief(h) == 0) {
        return false;
    }
    int32_t j = h->zeno % h->n_q;
    if (!holds && (!h->ops->set_relief || h->relief[j] >= MOST_TIMES)) {
        return false;
    }
    if (!SL_PUSH(h->ctx, &h->old_relief, ((old_relief){j, h->relief[j]})) || (holds && !SL_PUSH(h->ctx, &h->held, j))) {
        h->is_short = true;
        return true;
    }
    h->relief[j] = holds ? h->now.t + 1e-3 * run_length(h) : h->relief[j] + 1.0;
    for (int32_t item = j; item < 2 * h->n_q; item += h->n_q) {
        h->counters[item].since = h->counters[item].last = (double)NAN;
    }
    h->zeno = -1;
    sl_zeno_pass_relief(h);
    if (!holds && sl_motion_restart(h) != SL_OK) {
        h->is_short = true;
    }
    if (holds) {
        sl_report(diags, SL_WARNING, SL_CODE_ZENO, NULL, NULL, NULL, NULL,
                  "at %.12g s: %s; it keeps its value up to %.12g s", h->now.t, what, h->relief[j]);
    } else {
        sl_report(diags, SL_WARNING, SL_CODE_ZENO, NULL, NULL, NULL, NULL, "at %.12g s: %s; %s for the %d. time",
                  h->now.t, what,
                  h->def.policy == SL_HYBRID_POLICY_WIDEN ? "its hysteresis is widened" : "it is smoothed",
                  (int)h->relief[j]);
    }
    return true;
}

sl_status sl_zeno_check(sl_hybrid *h, sl_diags *diags) {
    if (h->zeno < 0) {
        return SL_OK;
    }
    const zeno_counter *c = &h->counters[h->zeno];
    bool now = c->n_now > h->def.max_round;
    char name[SL_HYBRID_CUT_NAME + 64], what[SL_HYBRID_CUT_NAME + 192];
    name_item(h, h->zeno, name, sizeof name);
    if (now) {
        (void)sl_format(what, sizeof what, "%s %d times at one instant", name, (int)c->n_now);
    } else {
        (void)sl_format(what, sizeof what, "%s %d times within %.3g s, a zeno execution", name, (int)c->n,
                        c->last - c->since);
    }
    if (relieve(h, what, diags)) {
        return SL_OK;
    }
    return report_zeno(
        h, what,
        now ? "roots, modes, equations and actions answer each other for ever: break the circle "
              "(hysteresis, a mode of rest, a sliding mode)"
            : "add what ends the sequence (a mode of rest, a sliding mode, hysteresis), or allow more events",
        diags);
}

sl_status sl_zeno_check_discrete(sl_hybrid *h, int32_t n, sl_diags *diags) {
    if (n <= h->def.max_discrete) {
        return SL_OK;
    }
    char what[96];
    (void)sl_format(what, sizeof what, "a discrete execution of more than %d steps", (int)h->def.max_discrete);
    return report_zeno(h, what, "its transitions do not settle", diags);
}
