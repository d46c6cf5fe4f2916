/* SPDX-License-Identifier: MIT */
/* sha_cuts.c: the cuts of hybrid automata (sha_split.c) while they are executed: their states as parameters of tapes, which of them are
 * in use, and how they follow the values. A call costs the cuts of the parts that it is about.
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
#include <stdlib.h>
#include <string.h>

/* What was tried at this instant. */
enum { TRIED_LOW = 1, TRIED_HIGH = 2, REST_REFUSED = 4, REST_IS_NEW = 8, HAS_CROSSED = 16, NOTED = 32, LEFT_REST = 64 };

bool sl_sha_take_cuts(sha_instance *s) {
    size_t n = (size_t)s->a->cuts.n;
    s->cuts = sl_arena_alloc(&s->arena, n * sizeof *s->cuts);
    s->n_user = sl_arena_alloc(&s->arena, n * sizeof *s->n_user);
    s->tried = sl_arena_alloc(&s->arena, n);
    s->trials = sl_arena_alloc(&s->arena, n * sizeof *s->trials);
    s->is_outside = sl_arena_alloc(&s->arena, n);
    s->cut_values = sl_arena_alloc(&s->arena, 3 * n * sizeof *s->cut_values);
    s->looked = sl_arena_alloc(&s->arena, n * sizeof *s->looked);
    s->is_looked = sl_arena_alloc(&s->arena, n);
    s->cuts_before = sl_arena_alloc(&s->arena, n * sizeof *s->cuts_before);
    s->cuts_changed = sl_arena_alloc(&s->arena, n * sizeof *s->cuts_changed);
    s->is_changed = sl_arena_alloc(&s->arena, n);
    return s->cuts && s->n_user && s->tried && s->trials && s->is_outside && s->cut_values && s->looked &&
           s->is_looked && s->cuts_before && s->cuts_changed && s->is_changed;
}

int32_t sl_sha_n_cut(const void *instance) {
    return (int32_t)((const sha_instance *)instance)->a->cuts.n;
}

/* What holds at rest is in force, or not. */
static void set_rest(sha_instance *s, int32_t k) {
    bool rests = s->cuts[k] == SL_CUT_HELD && s->a->cuts.at[k].unknown >= 0;
    sl_sha_set_force(s, (int32_t)s->a->parts[SL_SHA_ACTIVITY].n + k, rests && s->n_user[k] > 0);
}

/* One cut takes a state. */
static void put(sha_instance *s, int32_t k, double state) {
    const sl_cut *cut = &s->a->cuts.at[k];
    s->cuts[k] = state;
    sl_cut_apply(s->a->g, cut, state, s->p);
    if (cut->unknown >= 0 && state != SL_CUT_HELD) {
        sl_equation_space_hold(s->space, cut->unknown, sl_cut_known(cut, state));
    }
    set_rest(s, k);
}

void sl_sha_begin_cuts(sha_instance *s) {
    const sl_sha *a = s->a;
    for (int32_t k = 0; k < a->cuts.n; k++) {
        if (a->cuts.at[k].unknown >= 0) {
            sl_equation_space_fix(s->space, a->cuts.at[k].unknown, true);
        }
        put(s, k, s->cuts[k]);
    }
    for (int32_t i = 0; i < a->parts[SL_SHA_ROOT].n; i++) { /* whether they are asked or not */
        sl_sha_use_cuts(s, a->n_equation + i, true);
    }
}

void sl_sha_set_cuts(void *instance, int32_t n, const int32_t *which, const double *cuts) {
    sha_instance *s = instance;
    for (int32_t i = 0; i < (n < 0 ? (int32_t)s->a->cuts.n : n); i++) {
        int32_t k = n < 0 ? i : which[i];
        if (s->cuts[k] != cuts[k]) {
            put(s, k, cuts[k]);
        }
    }
}

void sl_sha_use_cuts(sha_instance *s, int32_t row, bool on) {
    const sl_sha *a = s->a;
    for (int32_t i = a->row_cut_start[row]; i < a->row_cut_start[row + 1]; i++) {
        int32_t k = a->row_cuts[i];
        s->n_user[k] += on ? 1 : -1;
        if (s->n_user[k] == on) { /* the first, or the last, of them */
            for (int32_t r = a->cut_root_start[k]; r < a->cut_root_start[k + 1]; r++) {
                sl_sha_set_force(s, a->n_equation + r, on);
            }
            set_rest(s, k);
        }
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

/* ---- Values of cuts ----------------------------------------------------------------------------- */

/* Arguments, slopes and limits with the states in force. */
static void evaluate(sha_instance *s, const sl_hybrid_cut_call *at) {
    const sl_sha *a = s->a;
    sl_expr_point point = {.t = at->t, .x = {s->x[0], s->x[1]}, .p = s->p};
    for (int32_t i = 0; i < at->n_part; i++) {
        const sl_hybrid_mode *mode = at->parts[i];
        const sha_part *part = mode->own;
        for (int32_t k = 0; k < mode->n_read; k++) {
            int32_t j = mode->reads[k];
            s->x[0][a->variables.at[j].graph] = at->x[j];
            s->x[1][a->variables.at[j].graph] = at->dx[j];
        }
        for (int32_t l = 0; l < part->n_cut; l++) {
            int32_t k = part->cuts[l];
            const sl_cut *cut = &a->cuts.at[k];
            if (cut->unknown >= 0) {
                bool rests = s->cuts[k] == SL_CUT_HELD;
                s->x[0][cut->unknown] = rests ? at->x[a->variables.n + k] : sl_cut_known(cut, s->cuts[k]);
                s->x[1][cut->unknown] = rests ? at->dx[a->variables.n + k] : 0.0;
            }
        }
        if (part->n_cut > 0) {
            sl_tape_eval(part->cut_tape, &point, part->work, part->values);
        }
        for (int32_t l = 0; l < part->n_cut; l++) {
            memcpy(&s->cut_values[3 * (size_t)part->cuts[l]], &part->values[3 * (size_t)l], 3 * sizeof(double));
        }
    }
}

static double value_of(const sha_instance *s, int32_t k) {
    return s->cut_values[3 * (size_t)k];
}

static double slope_of(const sha_instance *s, int32_t k) {
    return s->cut_values[3 * (size_t)k + 1];
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* The cuts of the parts that are asked for, ascending: arguments hold states of older ones. */
static void look(sha_instance *s, const sl_hybrid_cut_call *at) {
    s->n_looked = 0;
    for (int32_t i = 0; i < at->n_part; i++) {
        const sha_part *part = at->parts[i]->own;
        for (int32_t l = 0; l < part->n_cut; l++) {
            int32_t k = part->cuts[l];
            if (!s->is_looked[k] && s->n_user[k] > 0) {
                s->is_looked[k] = 1;
                s->looked[s->n_looked++] = k;
            }
        }
    }
    for (int32_t i = 0; i < s->n_looked; i++) {
        s->is_looked[s->looked[i]] = 0;
    }
    if (s->n_looked > 1) {
        qsort(s->looked, (size_t)s->n_looked, sizeof *s->looked, by_number);
    }
}

/* Notes what is tried at this instant. */
static void try_so(sha_instance *s, int32_t k, unsigned what) {
    if (s->tried[k] == 0) {
        s->trials[s->n_trial++] = k;
    }
    s->tried[k] |= (uint8_t)(what | NOTED);
}

static void forget_trials(sha_instance *s) {
    for (int32_t i = 0; i < s->n_trial; i++) {
        s->tried[s->trials[i]] = 0;
    }
    s->n_trial = 0;
}

/* A cut changes in this call. */
static void change(sha_instance *s, int32_t k, double *cuts, double to) {
    if (to == cuts[k]) {
        return;
    }
    if (!s->is_changed[k]) {
        s->is_changed[k] = 1;
        s->cuts_before[k] = cuts[k];
        s->cuts_changed[s->n_changed++] = k;
    }
    cuts[k] = to;
    put(s, k, to);
}

/* What counts as zero of a function of time: rounding. */
static double near_of(const sha_instance *s, int32_t k, const sl_hybrid_cut_call *at, double v, double slope) {
    if (!sha_is_timed(s->a, k)) {
        return at->near;
    }
    double product = fabs(slope * at->t);
    return 8.0 * DBL_EPSILON * (product + fabs(v) + fmax(product, fabs(v)));
}

/* Values alone: at zero nothing is decided, but of functions of time. */
static double state_before(const sha_instance *s, int32_t k, const sl_hybrid_cut_call *at) {
    const sl_cut *cut = &s->a->cuts.at[k];
    double v = value_of(s, k), slope = slope_of(s, k), near = near_of(s, k, at, v, slope);
    bool two_sides = cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN;
    if (!isfinite(v) || (two_sides && !sha_is_timed(s->a, k) && fabs(v) <= near)) {
        return s->cuts[k];
    }
    if (!sha_is_timed(s->a, k) && !two_sides) { /* within its ends as it is */
        double low = sl_cut_state(s->a->g, cut, v, -1.0, near), high = sl_cut_state(s->a->g, cut, v, 1.0, near);
        return s->cuts[k] == low || s->cuts[k] == high ? s->cuts[k] : sl_cut_state(s->a->g, cut, v, 0.0, near);
    }
    return sl_cut_state(s->a->g, cut, v, slope, near);
}

static double rest(sha_instance *s, int32_t k, double otherwise) {
    if (s->a->cuts.at[k].unknown < 0 || s->tried[k] & REST_REFUSED) {
        return otherwise;
    }
    try_so(s, k, REST_IS_NEW);
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
    if (stays && cut->kind == SL_CUT_SIDE) { /* at rest; or nothing is known of the slope, then a crossing tells */
        bool crossed = s->a->is_blind[k] && (s->tried[k] & HAS_CROSSED);
        return crossed || cut->is_continuous ? now : (double)cut->at_zero;
    }
    if (stays && (s->tried[k] & LEFT_REST)) {
        return now; /* what held it has just reached its limit: it begins to slip */
    }
    if (agrees) {
        return now;
    }
    bool both = s->tried[k] & (is_high ? TRIED_LOW : TRIED_HIGH);
    try_so(s, k, is_high ? TRIED_HIGH : TRIED_LOW);
    if (both && cut->is_continuous) {
        return now; /* both sides say the same: it is rounding that decides */
    }
    return both || stays ? rest(s, k, stays ? 0.0 : is_high ? low : 1.0) : is_high ? low : 1.0;
}

/* At rest with the value u that this takes. */
static double state_of_rest(sha_instance *s, int32_t k, double v, double u, double near) {
    const sl_cut *cut = &s->a->cuts.at[k];
    bool sign = cut->kind == SL_CUT_SIGN;
    double most = s->cut_values[3 * (size_t)k + 2], least = sign ? -most : 0.0, low = sign ? -1.0 : 0.0;
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
    double v = value_of(s, k), slope = slope_of(s, k), near = near_of(s, k, at, v, slope);
    bool two_sides = cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN;
    if (!isfinite(v) || sha_is_timed(a, k)) {
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
        try_so(s, k, TRIED_LOW);
    }
    return to;
}

/* ---- What the driver calls ---------------------------------------------------------------------- */

/* Roots of a part have fired. */
static void cross_part(sha_instance *s, const sha_part *part, const int8_t *fired, double *cuts, int32_t *n_fired) {
    const sl_sha *a = s->a;
    for (int32_t i = 0; i < part->n_root; i++) {
        int32_t r = part->roots[i], k = a->incidence.root_cuts[r];
        if (!fired[r] || k < 0) {
            continue;
        }
        const sl_cut *cut = &a->cuts.at[k];
        double to = sl_cut_next(a->g, cut, a->root_sides[r], fired[r] > 0, s->cuts[k]);
        bool two_sides = cut->kind == SL_CUT_SIDE || cut->kind == SL_CUT_SIGN;
        unsigned from = !two_sides ? 0 : to == 1.0 ? TRIED_LOW : TRIED_HIGH;
        ++*n_fired;
        s->tried[k] &= NOTED;
        try_so(s, k, HAS_CROSSED | from | (s->cuts[k] == SL_CUT_HELD ? LEFT_REST : 0));
        change(s, k, cuts, to);
    }
}

static void cross(sha_instance *s, const sl_hybrid_cut_call *at, double *cuts, sl_hybrid_cut_result *out) {
    forget_trials(s);
    for (int32_t i = 0; i < at->n_part; i++) {
        cross_part(s, at->parts[i]->own, at->fired, cuts, &out->n_fired);
    }
    s->has_crossed = s->n_changed > 0;
}

/* It rests, since now or at all, and does no more. */
static void refuse_rest(sha_instance *s, int32_t k, bool only_new, double *cuts) {
    const sl_cut *cut = &s->a->cuts.at[k];
    if (cut->unknown >= 0 && cuts[k] == SL_CUT_HELD && (!only_new || s->tried[k] & REST_IS_NEW)) {
        try_so(s, k, REST_REFUSED);
        s->tried[k] &= (uint8_t)~REST_IS_NEW;
        change(s, k, cuts, cut->kind == SL_CUT_SIGN ? 0.0 : cut->at_zero);
    }
}

/* There are no values with these cuts: those that have come to rest now do not; else none that rests does. */
static void fail(sha_instance *s, const sl_hybrid_cut_call *at, double *cuts) {
    int32_t n_activity = (int32_t)s->a->parts[SL_SHA_ACTIVITY].n;
    for (int pass = 0; pass < 2 && s->n_changed == 0; pass++) {
        for (int32_t i = 0; i < at->n_orphan; i++) {
            if (at->orphans[i] >= n_activity && at->orphans[i] < s->a->n_equation) {
                refuse_rest(s, at->orphans[i] - n_activity, pass == 0, cuts);
            }
        }
        for (int32_t i = 0; i < s->n_looked; i++) {
            refuse_rest(s, s->looked[i], pass == 0, cuts);
        }
    }
}

/* Values alone decide, as often as arguments hold states of older cuts. */
static void follow_before(sha_instance *s, const sl_hybrid_cut_call *at, double *cuts) {
    bool any = true;
    if (!s->has_crossed) {
        forget_trials(s);
    }
    s->has_crossed = false;
    for (int32_t sweep = 0; sweep <= s->n_looked && any; sweep++) {
        any = false;
        evaluate(s, at);
        for (int32_t i = 0; i < s->n_looked; i++) {
            int32_t k = s->looked[i];
            double to = state_before(s, k, at);
            any = any || to != cuts[k];
            change(s, k, cuts, to);
        }
    }
}

/* Values are those of the cuts in force. */
static void follow_after(sha_instance *s, const sl_hybrid_cut_call *at, double *cuts) {
    enum { ALL_AT_ONCE = 6 }; /* rounds; after these one after the other, so that they do not chase each other */
    s->has_crossed = false;
    evaluate(s, at);
    for (int32_t i = 0; i < s->n_looked && (s->n_changed == 0 || at->round < ALL_AT_ONCE); i++) {
        change(s, s->looked[i], cuts, state_after(s, s->looked[i], at));
    }
}

/* A table whose points motion leaves, or has left. */
static void look_outside(sha_instance *s, const sl_hybrid_cut_call *at, sl_hybrid_cut_result *out) {
    const sl_sha *a = s->a;
    bool any = false;
    for (int32_t i = 0; i < s->n_looked && !any; i++) {
        int32_t k = s->looked[i];
        any = !s->is_outside[k] && sl_cut_is_outside(a->g, &a->cuts.at[k], s->cuts[k]);
    }
    if (any) {
        evaluate(s, at);
    }
    for (int32_t i = 0; any && i < s->n_looked && out->outside < 0; i++) {
        int32_t k = s->looked[i];
        const sl_cut *cut = &a->cuts.at[k];
        double v = value_of(s, k), slope = slope_of(s, k), near = near_of(s, k, at, v, slope);
        double ahead = sl_cut_state(a->g, cut, v, slope, near), back = sl_cut_state(a->g, cut, v, -1.0, near);
        bool stays_at_end = slope == 0.0 && ahead != back;
        if (!s->is_outside[k] && !stays_at_end && sl_cut_is_outside(a->g, cut, ahead)) {
            s->is_outside[k] = 1;
            out->outside = k;
        }
    }
}

/* Those that are other than before the call. */
static void report_changes(sha_instance *s, const double *cuts, sl_hybrid_cut_result *out) {
    int32_t n = 0;
    for (int32_t i = 0; i < s->n_changed; i++) {
        int32_t k = s->cuts_changed[i];
        s->is_changed[k] = 0;
        if (cuts[k] != s->cuts_before[k]) {
            s->cuts_changed[n++] = k;
        }
    }
    out->changed = s->cuts_changed;
    out->n_changed = n;
}

sl_status sl_sha_cut(void *instance, const sl_hybrid_cut_call *at, double *cuts, sl_hybrid_cut_result *out) {
    sha_instance *s = instance;
    *out = (sl_hybrid_cut_result){.outside = -1};
    s->n_changed = 0;
    look(s, at);
    switch (at->moment) {
    case SL_HYBRID_CUTS_CROSSED: cross(s, at, cuts, out); break;
    case SL_HYBRID_CUTS_FAILED: fail(s, at, cuts); break;
    case SL_HYBRID_CUTS_BEGIN: look_outside(s, at, out); break;
    case SL_HYBRID_CUTS_BEFORE: follow_before(s, at, cuts); break;
    default: follow_after(s, at, cuts); break;
    }
    report_changes(s, cuts, out);
    return SL_OK;
}

double sl_sha_component_limit(void *instance, const sl_hybrid_mode *mode, double t) {
    const sha_instance *s = instance;
    const sha_part *part = mode->own;
    double first = (double)INFINITY;
    if (part->n_time == 0) {
        return first;
    }
    sl_expr_point point = {.t = t, .x = {s->x[0], s->x[1]}, .p = s->p};
    sl_tape_eval(part->time_tape, &point, part->work, part->values);
    for (int32_t i = 0; i < part->n_time; i++) {
        double slope = part->values[2 * i + 1], at = -part->values[2 * i] / slope;
        double rounding = 32.0 * DBL_EPSILON * (fabs(at) + fabs(t));
        bool comes = slope != 0.0;
        first = comes && at > t + rounding && at < first ? at : first;
    }
    return first;
}
