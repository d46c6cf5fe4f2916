/* SPDX-License-Identifier: MIT */
/* sha_cuts.c: the cuts of hybrid automata (sha_split.c) while they are executed: their states as parameters of tapes, the roots
 * that they add to a mode, and how they follow the values.
 *
 * At a zero of its argument a cut has to be on the side to which the argument then goes. Which one that is depends on the
 * equations, and they depend on the cut: a side is tried, consistent values are found, and the slope of the argument agrees or
 * not. Where neither side agrees, each pushes back to the other: the argument stays at zero. There sign and stick (and
 * comparisons, if asked for) rest, as long as what holds them stays within its limits. What is on the way is counted by the
 * driver like changes of any variable, so that sides that change for ever are an error.
 */
#include "automata/sha_run.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* What was tried at this instant. */
enum { TRIED_LOW = 1, TRIED_HIGH = 2, REST_REFUSED = 4, REST_IS_NEW = 8, HAS_CROSSED = 16, LEFT_REST = 32 };

bool sl_sha_take_cuts(sha_instance *s) {
    const sl_sha *a = s->a;
    size_t n = (size_t)a->cuts.n, work = a->cut_tape ? sl_tape_work_size(a->cut_tape) : 0;
    size_t time_work = a->time_tape ? sl_tape_work_size(a->time_tape) : 0;
    s->cuts = sl_arena_alloc(&s->arena, n * sizeof *s->cuts);
    s->held = sl_arena_alloc(&s->arena, (size_t)a->n_graph);
    s->tried = sl_arena_alloc(&s->arena, n);
    s->is_outside = sl_arena_alloc(&s->arena, n);
    s->cut_values = sl_arena_alloc(&s->arena, 3 * n * sizeof *s->cut_values);
    s->times = sl_arena_alloc(&s->arena, 2 * (size_t)a->n_time * sizeof *s->times);
    s->cut_work = sl_arena_alloc(&s->arena, work > time_work ? work : time_work);
    return s->cuts && s->held && s->tried && s->is_outside && s->cut_values && s->times && s->cut_work;
}

int32_t sl_sha_n_cut(const void *instance) {
    return (int32_t)((const sha_instance *)instance)->a->cuts.n;
}

/* One cut takes a state. */
static void put(sha_instance *s, int32_t k, double state) {
    const sl_sha *a = s->a;
    const sl_cut *cut = &a->cuts.at[k];
    bool rests = state == SL_CUT_HELD && cut->unknown >= 0;
    s->cuts[k] = state;
    sl_cut_apply(a->g, cut, state, s->p);
    if (cut->unknown >= 0) {
        size_t bit = 8 * s->n_guard_bytes + (size_t)k;
        uint8_t mask = (uint8_t)(1u << bit % 8), old = s->bits[bit / 8];
        s->bits[bit / 8] = (uint8_t)(rests ? old | mask : old & ~mask);
        s->mode = s->bits[bit / 8] == old ? s->mode : -1;
        s->held[cut->unknown] = !rests;
    }
}

void sl_sha_set_cuts(void *instance, const double *cuts) {
    sha_instance *s = instance;
    for (int32_t k = 0; k < s->a->cuts.n; k++) {
        put(s, k, cuts[k]);
    }
}

bool sl_sha_cuts_are_valid(const void *instance, const double *cuts) {
    const sl_sha *a = ((const sha_instance *)instance)->a;
    bool fine = true;
    for (int32_t k = 0; k < a->cuts.n && fine; k++) {
        fine = sl_cut_state_is_valid(a->g, &a->cuts.at[k], cuts[k]);
    }
    return fine;
}

void sl_sha_cut_name(const void *instance, int32_t cut, char text[SL_HYBRID_CUT_NAME]) {
    const sl_sha *a = ((const sha_instance *)instance)->a;
    size_t n = strlen(a->cut_names[cut]);
    memcpy(text, a->cut_names[cut], n + 1);
}

void sl_sha_hold_cuts(const sha_instance *s, sl_equations *system) {
    for (int32_t k = 0; k < s->a->cuts.n; k++) {
        const sl_cut *cut = &s->a->cuts.at[k];
        if (cut->unknown >= 0) {
            sl_equations_hold(system, cut->unknown, sl_cut_known(cut, s->cuts[k]));
        }
    }
}

/* ---- The cuts of a mode ------------------------------------------------------------------------- */

static sl_status mark_leaves(sha_instance *s, sl_expr_list *leaves, sl_expr e, uint8_t *is_used) {
    leaves->n = 0;
    sl_status status = sl_walk_leaves(&s->walk, s->a->g, 1, &e, leaves);
    for (int64_t i = 0; i < leaves->n && status == SL_OK; i++) {
        int32_t k = sl_cuts_of_leaf(&s->a->cuts, leaves->at[i]);
        if (k >= 0) {
            is_used[k] = 1;
        }
    }
    return status;
}

static sl_status find_used(sha_instance *s, int32_t n_row, const int32_t *rows, uint8_t *is_used) {
    const sl_sha *a = s->a;
    sl_expr_list leaves = {0};
    sl_status status = SL_OK;
    for (int32_t i = 0; i < n_row && status == SL_OK; i++) {
        status = mark_leaves(s, &leaves, a->equations[0][rows[i]], is_used);
    }
    for (int32_t i = 0; i < a->parts[SL_SHA_ROOT].n && status == SL_OK; i++) {
        status = mark_leaves(s, &leaves, a->roots[i], is_used);
    }
    for (int32_t k = (int32_t)a->cuts.n - 1; k >= 0 && status == SL_OK; k--) { /* arguments hold older ones */
        if (is_used[k]) {
            status = mark_leaves(s, &leaves, a->cuts.at[k].argument, is_used);
        }
        if (is_used[k] && status == SL_OK && a->cuts.at[k].unknown >= 0) {
            status = mark_leaves(s, &leaves, a->cuts.at[k].limit, is_used);
        }
    }
    SL_ARRAY_FINI(s->ctx, &leaves);
    return status;
}

static bool list_roots(sha_instance *s, sha_mode *m) {
    const sl_sha *a = s->a;
    int32_t n_own = (int32_t)a->parts[SL_SHA_ROOT].n, n = 0;
    size_t most = (size_t)(n_own + SL_CUT_ROOTS * m->n_used);
    m->root_variables = sl_arena_alloc(&s->arena, most * sizeof(int32_t));
    m->roots = sl_arena_alloc(&s->arena, most * sizeof(sl_expr));
    m->root_cuts = sl_arena_alloc(&s->arena, 2 * most * sizeof(int32_t));
    if (!m->root_variables || !m->roots || !m->root_cuts) {
        return false;
    }
    m->root_sides = m->root_cuts + most;
    for (; n < n_own; n++) {
        m->root_variables[n] = a->root_variables[n];
        m->roots[n] = a->roots[n];
        m->root_cuts[n] = -1;
    }
    for (int32_t i = 0; i < m->n_used; i++) {
        const sl_cut *cut = &a->cuts.at[m->used[i]];
        for (int32_t k = 0; k < cut->n_root && !a->is_timed[m->used[i]]; k++, n++) {
            m->root_variables[n] = -1;
            m->roots[n] = cut->roots[k];
            m->root_cuts[n] = m->used[i];
            m->root_sides[n] = k;
        }
    }
    m->n_root = n;
    return true;
}

sl_status sl_sha_find_cuts(sha_instance *s, sha_mode *m, int32_t n_row, const int32_t *rows) {
    size_t n = (size_t)s->a->cuts.n;
    uint8_t *is_used = n > 0 ? sl_alloc(s->ctx, n) : NULL;
    sl_status status = n > 0 && !is_used ? SL_ERR_MEMORY : SL_OK;
    if (n > 0 && status == SL_OK) {
        status = find_used(s, n_row, rows, is_used);
        m->used = status == SL_OK ? sl_arena_alloc(&s->arena, n * sizeof *m->used) : NULL;
        m->n_used = 0;
        for (int32_t k = 0; m->used && k < (int32_t)n; k++) {
            m->used[m->n_used] = k;
            m->n_used += is_used[k] != 0;
        }
        status = status == SL_OK && !m->used ? SL_ERR_MEMORY : status;
    }
    sl_free(s->ctx, is_used, is_used ? n : 0);
    return status == SL_OK && !list_roots(s, m) ? SL_ERR_MEMORY : status;
}

/* ---- Values of cuts ----------------------------------------------------------------------------- */

/* Arguments, slopes and limits with the states in force. */
static void evaluate(sha_instance *s, const sl_hybrid_cut_call *at) {
    const sl_sha *a = s->a;
    for (int32_t j = 0; j < a->variables.n; j++) {
        s->x[0][a->variables.at[j].graph] = at->x[j];
        s->x[1][a->variables.at[j].graph] = at->dx[j];
    }
    for (int32_t k = 0; k < a->cuts.n; k++) {
        const sl_cut *cut = &a->cuts.at[k];
        if (cut->unknown >= 0) {
            bool rests = s->cuts[k] == SL_CUT_HELD;
            s->x[0][cut->unknown] = rests ? at->x[a->variables.n + k] : sl_cut_known(cut, s->cuts[k]);
            s->x[1][cut->unknown] = rests ? at->dx[a->variables.n + k] : 0.0;
        }
    }
    sl_expr_point point = {.t = at->t, .x = {s->x[0], s->x[1]}, .p = s->p};
    sl_tape_eval(a->cut_tape, &point, s->cut_work, s->cut_values);
}

/* What counts as zero of a function of time: rounding. */
static double near_of(const sha_instance *s, int32_t k, const sl_hybrid_cut_call *at, double v, double slope) {
    if (!s->a->is_timed[k]) {
        return at->near;
    }
    double product = fabs(slope * at->t);
    return 8.0 * DBL_EPSILON * (product + fabs(v) + fmax(product, fabs(v)));
}

/* Values alone: at zero nothing is decided, but of functions of time. */
static double state_before(const sha_instance *s, int32_t k, const sl_hybrid_cut_call *at) {
    const sl_cut *cut = &s->a->cuts.at[k];
    double v = s->cut_values[k], slope = s->cut_values[s->a->cuts.n + k], near = near_of(s, k, at, v, slope);
    bool two_sides = cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN;
    if (!isfinite(v) || (two_sides && !s->a->is_timed[k] && fabs(v) <= near)) {
        return s->cuts[k];
    }
    if (!s->a->is_timed[k] && !two_sides) { /* within its ends as it is */
        double low = sl_cut_state(s->a->g, cut, v, -1.0, near), high = sl_cut_state(s->a->g, cut, v, 1.0, near);
        return s->cuts[k] == low || s->cuts[k] == high ? s->cuts[k] : sl_cut_state(s->a->g, cut, v, 0.0, near);
    }
    return sl_cut_state(s->a->g, cut, v, slope, near);
}

static double rest(sha_instance *s, int32_t k, double otherwise) {
    if (s->a->cuts.at[k].unknown < 0 || s->tried[k] & REST_REFUSED) {
        return otherwise;
    }
    s->tried[k] |= REST_IS_NEW;
    return SL_CUT_HELD;
}

/* At zero, on one of two sides, with a slope that belongs to it. */
static double state_of_side(sha_instance *s, int32_t k, double slope) {
    const sl_cut *cut = &s->a->cuts.at[k];
    double now = s->cuts[k], low = cut->kind == SL_CUT_SIGN ? -1.0 : 0.0;
    bool is_high = now == 1.0, stays = slope == 0.0, agrees = is_high ? slope > 0.0 : slope < 0.0;
    if (cut->kind == SL_CUT_SIGN && now == 0.0) {
        return stays ? rest(s, k, 0.0) : slope > 0.0 ? 1.0 : -1.0;
    }
    if (stays && cut->kind == SL_CUT_SIDE) {
        return s->tried[k] & HAS_CROSSED || cut->is_continuous ? now : (double)cut->at_zero;
    }
    if (stays && (s->tried[k] & LEFT_REST)) {
        return now; /* what held it has just reached its limit: it begins to slip */
    }
    if (agrees) {
        return now;
    }
    bool both = s->tried[k] & (is_high ? TRIED_LOW : TRIED_HIGH);
    s->tried[k] |= is_high ? TRIED_HIGH : TRIED_LOW;
    if (both && cut->is_continuous) {
        return now; /* both sides say the same: it is rounding that decides */
    }
    return both || stays ? rest(s, k, stays ? 0.0 : is_high ? low : 1.0) : is_high ? low : 1.0;
}

/* At rest with the value u that this takes. */
static double state_of_rest(sha_instance *s, int32_t k, double v, double u, double near) {
    const sl_cut *cut = &s->a->cuts.at[k];
    bool sign = cut->kind == SL_CUT_SIGN;
    double most = s->cut_values[2 * s->a->cuts.n + k], least = sign ? -most : 0.0, low = sign ? -1.0 : 0.0;
    double slack = 1e-9 * fmax(fabs(most), 1e-3);
    if (fabs(v) > 1e3 * near) { /* more than integration may have made of zero */
        return v > 0.0 ? 1.0 : low;
    }
    s->tried[k] &= (uint8_t)~REST_IS_NEW;
    return u > most + slack ? 1.0 : u < least - slack ? low : SL_CUT_HELD;
}

/* The values are those of the cuts in force. */
static double state_after(sha_instance *s, int32_t k, const sl_hybrid_cut_call *at) {
    const sl_sha *a = s->a;
    const sl_cut *cut = &a->cuts.at[k];
    double v = s->cut_values[k], slope = s->cut_values[a->cuts.n + k], near = near_of(s, k, at, v, slope);
    bool two_sides = cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN;
    if (!isfinite(v) || a->is_timed[k]) {
        return s->cuts[k];
    }
    if (s->cuts[k] == SL_CUT_HELD && two_sides) {
        return state_of_rest(s, k, v, at->x[a->variables.n + k], near);
    }
    if (two_sides && fabs(v) <= near) {
        return state_of_side(s, k, slope);
    }
    double to = sl_cut_state(a->g, cut, v, slope, near);
    bool again = s->tried[k] & TRIED_LOW; /* of others: was changed at this instant already */
    if (!two_sides && to != s->cuts[k]) {
        bool at_end = sl_cut_state(a->g, cut, v, -slope, near) == s->cuts[k];
        to = again && at_end && (cut->is_continuous || slope == 0.0) ? s->cuts[k] : to;
        s->tried[k] |= TRIED_LOW;
    }
    return to;
}

/* ---- What the driver calls ---------------------------------------------------------------------- */

static void cross(sha_instance *s, const sha_mode *m, const sl_hybrid_cut_call *at, double *cuts,
                  sl_hybrid_cut_result *out) {
    const sl_sha *a = s->a;
    memset(s->tried, 0, (size_t)a->cuts.n);
    for (int32_t i = (int32_t)a->parts[SL_SHA_ROOT].n; i < m->n_root; i++) {
        if (!at->fired[i]) {
            continue;
        }
        int32_t k = m->root_cuts[i];
        const sl_cut *cut = &a->cuts.at[k];
        double to = sl_cut_next(a->g, cut, m->root_sides[i], at->fired[i] > 0, s->cuts[k]);
        out->n_fired++;
        out->n_changed += to != cuts[k];
        bool two_sides = cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN;
        s->tried[k] = (uint8_t)(HAS_CROSSED | (s->cuts[k] == SL_CUT_HELD ? LEFT_REST : 0) |
                                (!two_sides  ? 0
                                 : to == 1.0 ? TRIED_LOW
                                             : TRIED_HIGH)); /* where it is from */
        cuts[k] = to;
    }
    s->has_crossed = out->n_changed > 0;
}

static void fail(sha_instance *s, const sha_mode *m, double *cuts, sl_hybrid_cut_result *out) {
    for (int pass = 0; pass < 2 && out->n_changed == 0; pass++) { /* those of now; else all that rest */
        for (int32_t i = 0; i < m->n_used; i++) {
            int32_t k = m->used[i];
            const sl_cut *cut = &s->a->cuts.at[k];
            if (cut->unknown >= 0 && cuts[k] == SL_CUT_HELD && (pass == 1 || s->tried[k] & REST_IS_NEW)) {
                s->tried[k] = (uint8_t)((s->tried[k] & ~REST_IS_NEW) | REST_REFUSED);
                cuts[k] = cut->kind == SL_CUT_SIGN ? 0.0 : cut->at_zero;
                out->n_changed++;
            }
        }
    }
}

static void follow(sha_instance *s, const sha_mode *m, const sl_hybrid_cut_call *at, double *cuts,
                   sl_hybrid_cut_result *out) {
    enum { ALL_AT_ONCE = 6 }; /* rounds; after these one after the other, so that they do not chase each other */
    bool before = at->moment == SL_HYBRID_CUTS_BEFORE;
    if (before && !s->has_crossed) {
        memset(s->tried, 0, (size_t)s->a->cuts.n);
    }
    s->has_crossed = false;
    int32_t n_changed = 1; /* arguments hold states of older cuts: as often as these change */
    for (int32_t sweep = 0; sweep <= m->n_used && n_changed > 0; sweep++) {
        n_changed = 0;
        evaluate(s, at);
        for (int32_t i = 0; i < m->n_used; i++) {
            int32_t k = m->used[i];
            double to = before ? state_before(s, k, at) : state_after(s, k, at);
            n_changed += to != cuts[k];
            cuts[k] = to;
            if (n_changed > 0 && !before && at->round >= ALL_AT_ONCE) {
                break;
            }
        }
        sl_sha_set_cuts(s, cuts);
        out->n_changed += n_changed;
        n_changed = before ? n_changed : 0;
    }
}

/* A table whose points motion leaves, or has left. */
static void look_outside(sha_instance *s, const sha_mode *m, const sl_hybrid_cut_call *at, sl_hybrid_cut_result *out) {
    bool any = false;
    for (int32_t i = 0; i < m->n_used && !any; i++) {
        any = !s->is_outside[m->used[i]] && sl_cut_is_outside(s->a->g, &s->a->cuts.at[m->used[i]], s->cuts[m->used[i]]);
    }
    if (any) {
        evaluate(s, at);
    }
    for (int32_t i = 0; any && i < m->n_used && out->outside < 0; i++) {
        int32_t k = m->used[i];
        const sl_cut *cut = &s->a->cuts.at[k];
        double v = s->cut_values[k], slope = s->cut_values[s->a->cuts.n + k], near = near_of(s, k, at, v, slope);
        double ahead = sl_cut_state(s->a->g, cut, v, slope, near), back = sl_cut_state(s->a->g, cut, v, -1.0, near);
        bool stays_at_end = slope == 0.0 && ahead != back;
        if (!s->is_outside[k] && !stays_at_end && sl_cut_is_outside(s->a->g, cut, ahead)) {
            s->is_outside[k] = 1;
            out->outside = k;
        }
    }
}

sl_status sl_sha_cut(void *instance, const sl_hybrid_cut_call *at, double *cuts, sl_hybrid_cut_result *out) {
    sha_instance *s = instance;
    int32_t id;
    *out = (sl_hybrid_cut_result){.outside = -1};
    sl_status status = sl_sha_find_mode(s, &id);
    if (status != SL_OK || id >= s->met.n) {
        return status;
    }
    switch (at->moment) {
    case SL_HYBRID_CUTS_CROSSED: cross(s, &s->met.at[id], at, cuts, out); break;
    case SL_HYBRID_CUTS_FAILED: fail(s, &s->met.at[id], cuts, out); break;
    case SL_HYBRID_CUTS_BEGIN: look_outside(s, &s->met.at[id], at, out); break;
    default: follow(s, &s->met.at[id], at, cuts, out); break;
    }
    sl_sha_set_cuts(s, cuts);
    return SL_OK;
}

double sl_sha_limit(const void *instance, double t, const int32_t *q) {
    sha_instance *s = (sha_instance *)instance; /* scratch */
    const sl_sha *a = s->a;
    double first = (double)INFINITY;
    int32_t id;
    (void)q;
    if (a->n_time == 0 || sl_sha_find_mode(s, &id) != SL_OK || id >= s->met.n) {
        return first;
    }
    const sha_mode *m = &s->met.at[id];
    sl_expr_point point = {.t = t, .x = {s->x[0], s->x[1]}, .p = s->p};
    sl_tape_eval(a->time_tape, &point, s->cut_work, s->times);
    int32_t i = 0;
    for (int32_t k = 0; k < a->n_time; k++) {
        while (i < m->n_used && m->used[i] < a->time_cut[k]) {
            i++;
        }
        double at = -s->times[k] / s->times[a->n_time + k], rounding = 32.0 * DBL_EPSILON * (fabs(at) + fabs(t));
        bool comes = i < m->n_used && m->used[i] == a->time_cut[k] && s->times[a->n_time + k] != 0.0;
        first = comes && at > t + rounding && at < first ? at : first;
    }
    return first;
}
