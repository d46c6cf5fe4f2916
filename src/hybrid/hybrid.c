/* SPDX-License-Identifier: MIT */
/* hybrid.c: the pieces of an execution in their order; see hybrid.h.
 *
 * Each piece takes the state from one point of the definitions to the next. Motion that was interrupted goes on without
 * beginning anew when the event has left mode and values as they were; otherwise values are made consistent in the new
 * mode and motion begins with a small step. Consistent values are computed where the definitions use the implicit
 * continuous solution: at the start, before and after actions, and when roots alone have led into another mode; there the
 * roots are asked again, so that motion never begins with a q that contradicts them.
 */
#include "hybrid/impl.h"
#include "hybrid/motion.h"

#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

sl_hybrid_def sl_hybrid_default(void) {
    return (sl_hybrid_def){.dae = sl_dae_default(),
                           .end = (double)INFINITY,
                           .max_discrete = 10000,
                           .max_round = 20,
                           .max_event = 50,

                           .kept = (size_t)256 << 20};
}

int32_t sl_next_change(const int32_t *a, const int32_t *b, int32_t from, int32_t n) {
    enum { BLOCK = 256 };
    while (from < n) {
        int32_t m = n - from < BLOCK ? n - from : BLOCK;
        if (memcmp(a + from, b + from, (size_t)m * sizeof *a) != 0) {
            while (a[from] == b[from]) {
                from++;
            }
            return from;
        }
        from += m;
    }
    return n;
}

/* ---- Values ------------------------------------------------------------------------------------- */

/* Counts what a piece did to q, tells the model, and keeps it for the next one. */
static sl_status changes(sl_hybrid *h, bool discrete, int32_t *n) {
    bool fine = true;
    *n = 0;
    for (int64_t k = 0; k < h->touched.n; k++) {
        int32_t j = h->touched.at[k];
        if (h->q[j] != h->q_kept[j]) {
            fine = sl_state_keep_q(h, j, h->q_kept[j]) && fine;
            fine = SL_PUSH(h->ctx, &h->piece_q, ((sl_hybrid_change){j, h->q_kept[j]})) && fine;
            h->q_kept[j] = h->q[j];
            if (h->q_predicted) {
                h->q_predicted[j] = h->q[j];
            }
            sl_zeno_count_variable(h, j, discrete);
            h->touched.at[(*n)++] = j;
        }
    }
    h->touched.n = 0;
    if (*n > 0 && h->ops->changed) {
        h->ops->changed(h->instance, *n, h->touched.at, h->q);
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* What a discrete step of the model has written to q. */
static sl_status note_step(sl_hybrid *h, const sl_hybrid_step_result *turn) {
    bool fine = true;
    for (int32_t k = 0; turn->changed && k < turn->n_changed && fine; k++) {
        fine = SL_PUSH(h->ctx, &h->touched, turn->changed[k]);
    }
    for (int32_t j = -1; !turn->changed && fine && (j = sl_next_change(h->q, h->q_kept, j + 1, h->n_q)) < h->n_q;) {
        fine = SL_PUSH(h->ctx, &h->touched, j);
    }
    for (int64_t k = 0; k < h->touched.n && fine && !h->def.discrete_only; k++) {
        fine = SL_PUSH(h->ctx, &h->turned, h->touched.at[k]);
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

void sl_hybrid_store_q(sl_hybrid *h) {
    memcpy(h->q_kept, h->q, (size_t)h->n_q * sizeof *h->q);
    if (h->q_predicted) {
        memcpy(h->q_predicted, h->q, (size_t)h->n_q * sizeof *h->q);
    }
    h->touched.n = h->turned.n = 0;
    if (h->ops->changed) {
        h->ops->changed(h->instance, -1, NULL, h->q);
    }
}

/* ---- Pieces ------------------------------------------------------------------------------------- */

static sl_status piece_init(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    out->event = SL_HYBRID_INIT;
    h->now.phase = h->def.discrete_only ? PHASE_DISCRETE : PHASE_ROOT;
    if (h->def.discrete_only) {
        return SL_OK;
    }
    sl_status status = sl_hybrid_predict(h, diags);
    status = status == SL_OK ? sl_motion_enter(h, diags) : status;
    return status == SL_OK ? sl_cuts_settle(h, diags) : status;
}

static sl_status piece_root(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    sl_status status = sl_hybrid_predict(h, diags);
    status = status == SL_OK ? sl_motion_enter(h, diags) : status;
    if (status == SL_OK && h->is_predicted && sl_motion_is_fresh(h)) {
        status = sl_cuts_settle(h, diags);
    }
    status = status == SL_OK ? sl_motion_roots(h, diags) : status;
    status = status == SL_OK ? changes(h, false, &out->n_changed) : status;
    out->event = SL_HYBRID_ROOT;
    h->now.phase = PHASE_DISCRETE;
    h->now.i = 0;
    return status == SL_OK ? sl_zeno_check(h, diags) : status;
}

/* The discrete execution has come to rest. */
static sl_status settle(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    out->event = SL_HYBRID_SETTLED;
    h->now.round++;
    sl_status status = sl_zeno_check(h, diags);
    if (h->def.discrete_only) {
        h->now.phase = PHASE_MOVE; /* to its end */
        return status;
    }
    if (h->now.i > 0) {
        h->now.phase = PHASE_ACTION;
        return status;
    }
    status = status == SL_OK ? sl_motion_enter(h, diags) : status;
    if (status == SL_OK) { /* in another mode the roots are asked again before motion begins */
        h->now.phase = sl_motion_goes_on(h) ? PHASE_MOVE : sl_motion_is_new(h) ? PHASE_INIT : PHASE_GO;
        h->stats.n_mode_switch += h->now.phase == PHASE_INIT;
    }
    return status;
}

static sl_status take_step(sl_hybrid *h, int64_t way, sl_diags *diags, sl_hybrid_info *out) {
    sl_hybrid_step_result turn = {.settled = true};
    if (h->ops->discrete) {
        sl_status status = h->ops->discrete(h->instance, h->now.t, h->now.i, way, h->q, diags, &turn);
        if (status != SL_OK) {
            return status;
        }
    }
    if (turn.n_choice > 1) {
        h->n_choice = turn.n_choice;
        h->now.phase = PHASE_CHOICE;
        out->event = SL_HYBRID_CHOICE;
        return SL_OK;
    }
    if (turn.settled) {
        return settle(h, diags, out);
    }
    h->now.i++;
    h->now.phase = PHASE_DISCRETE;
    h->stats.n_discrete++;
    out->event = SL_HYBRID_TRANSITION;
    sl_status status = note_step(h, &turn);
    status = status == SL_OK ? changes(h, true, &out->n_changed) : status;
    return status == SL_OK ? sl_zeno_check_discrete(h, h->now.i, diags) : status;
}

static sl_status piece_discrete(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    static const int64_t ways[SL_HYBRID_CHOICES_COUNT] = {[SL_HYBRID_CHOICES_ERROR] = SL_HYBRID_ONLY_CHOICE,
                                                          [SL_HYBRID_CHOICES_FIRST] = 0,
                                                          [SL_HYBRID_CHOICES_ASK] = SL_HYBRID_ASK_CHOICE};
    return take_step(h, ways[h->def.choices], diags, out);
}

static sl_status piece_choice(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    return take_step(h, h->choices.at[h->n_taken++], diags, out);
}

/* Writes out what actions read and what they are to set, and keeps the latter. */
static bool keep_acted(sl_hybrid *h) {
    int32_t n = h->n_x, n_read = 0;
    const int32_t *which = h->ops->acted_on ? h->ops->acted_on(h->instance, &n) : NULL;
    const int32_t *reads = which && h->ops->acted_by ? h->ops->acted_by(h->instance, &n_read) : NULL;
    bool fine = true;
    if (!reads) {
        sl_motion_write(h);
    }
    for (int32_t k = 0; k < n_read; k++) {
        fine = sl_motion_write_one(h, reads[k]) == SL_OK && fine;
    }
    for (int32_t k = 0; k < n; k++) {
        int32_t j = which ? which[k] : k;
        fine = sl_motion_write_one(h, j) == SL_OK && sl_state_keep_x(h, j) && fine;
    }
    return fine;
}

static sl_status piece_action(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    const sl_hybrid_ops *ops = h->ops;
    double t = h->now.t;
    int32_t n = h->now.i;
    bool acted = false;
    sl_status status = sl_hybrid_predict(h, diags);
    status = status == SL_OK ? sl_motion_enter(h, diags) : status;
    if (status == SL_OK && ops->act) {
        status = ops->act(h->instance, t, h->q, n, NULL, NULL, diags, &acted);
    }
    if (status == SL_OK && acted) {
        /* Actions are there because values do not fit the new mode: where none are consistent yet, they take the old ones. */
        if (sl_motion_is_fresh(h)) {
            status = sl_cuts_try(h);
            status = status == SL_OK ? sl_motion_enter(h, diags) : status;
        }
        status = status == SL_OK && !keep_acted(h) ? SL_ERR_MEMORY : status;
        status = status == SL_OK ? ops->act(h->instance, t, h->q, n, h->x, h->dx, diags, &acted) : status;
        status = status == SL_OK ? sl_motion_acted(h) : status;
        h->stats.n_action++;
    }
    if (status == SL_OK && sl_motion_is_fresh(h)) {
        status = sl_cuts_settle(h, diags);
    }
    status = status == SL_OK ? sl_motion_roots(h, diags) : status;
    status = status == SL_OK ? changes(h, false, &out->n_changed) : status;
    out->event = SL_HYBRID_ACTION;
    h->now.phase = PHASE_DISCRETE;
    h->now.i = 0;
    return status == SL_OK ? sl_zeno_check(h, diags) : status;
}

/* The phase is that of roots or of a jump when the step ended so. */
sl_status sl_hybrid_arrive(sl_hybrid *h, sl_diags *diags, int32_t *n_fired) {
    bool cut = false, jump = h->now.phase == PHASE_INIT;
    sl_status status = SL_OK;
    if (*n_fired > 0) {
        status = sl_cuts_cross(h, diags, n_fired, &cut);
    }
    if (status == SL_OK && jump) {
        status = sl_motion_jumped(h);
    }
    h->now.phase = *n_fired > 0 || cut ? PHASE_ROOT : jump ? PHASE_INIT : PHASE_MOVE;
    if (h->now.phase == PHASE_MOVE) {
        sl_motion_answered(h); /* roots of cuts decide nothing else */
    }
    h->now.n_crossing += *n_fired > 0;
    status = status == SL_OK ? sl_zeno_check(h, diags) : status;
    if (h->now.phase == PHASE_MOVE && !sl_motion_goes_on(h)) {
        h->now.phase = PHASE_GO; /* the model was asked for relief */
    }
    return status;
}

static sl_status piece_move(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    if (h->now.t >= h->def.end || h->def.discrete_only) {
        h->now.phase = PHASE_END;
        out->event = SL_HYBRID_STOP;
        return SL_OK;
    }
    sl_status status = SL_OK;
    sl_motion_info info = {0};
    if (h->now.phase == PHASE_GO) {
        status = sl_motion_begin(h, diags);
        out->restarted = true;
    }
    status = status == SL_OK ? sl_motion_step(h, diags, &info) : status;
    if (status != SL_OK) {
        return status;
    }
    bool jump = info.at_limit && info.end < h->def.end;
    h->now.begin = info.begin;
    h->now.t = info.end;
    h->now.has_step = 1;
    h->now.round = info.end > info.begin ? 0 : h->now.round;
    h->now.phase = info.n_fired ? PHASE_ROOT : jump ? PHASE_INIT : PHASE_MOVE;
    h->now.n_before = h->now.n_crossing;
    out->begin = info.begin;
    out->restarted = out->restarted || info.restarted;
    sl_state_mark(h);
    h->n_piece = -1; /* this one is counted below */
    status = sl_hybrid_arrive(h, diags, &info.n_fired);
    out->event = info.n_fired ? SL_HYBRID_CROSSING : jump ? SL_HYBRID_JUMP : SL_HYBRID_STEP;
    return status;
}

sl_status sl_hybrid_piece(sl_hybrid *h, sl_diags *diags, sl_hybrid_info *out) {
    static sl_status (*const pieces[])(sl_hybrid *, sl_diags *, sl_hybrid_info *) = {
        [PHASE_INIT] = piece_init,     [PHASE_ROOT] = piece_root,     [PHASE_DISCRETE] = piece_discrete,
        [PHASE_CHOICE] = piece_choice, [PHASE_ACTION] = piece_action, [PHASE_GO] = piece_move,
        [PHASE_MOVE] = piece_move};
    *out = (sl_hybrid_info){.begin = h->now.t};
    if (h->now.phase >= PHASE_END || (h->now.phase == PHASE_CHOICE && !sl_hybrid_choice_made(h))) {
        return SL_ERR_USE;
    }
    h->piece++;
    h->piece_x.n = h->piece_q.n = 0;
    sl_status status = pieces[h->now.phase](h, diags, out);
    sl_hybrid_end_prediction(h);
    status = status == SL_OK && h->is_short ? SL_ERR_MEMORY : status;
    h->n_piece++;
    out->t = h->now.t;
    out->i = h->now.i;
    out->mode = sl_motion_mode(h);
    if (status != SL_OK) {
        h->now.phase = PHASE_FAILED;
    }
    return status;
}

sl_status sl_hybrid_next(sl_hybrid *h, uint32_t wanted, sl_diags *diags, sl_hybrid_info *out) {
    sl_status status;
    do {
        status = sl_hybrid_piece(h, diags, out);
    } while (status == SL_OK && !(out->event & (wanted | SL_HYBRID_STOP | SL_HYBRID_CHOICE)));
    return status;
}

int64_t sl_hybrid_n_choice(const sl_hybrid *h) {
    return h->now.phase == PHASE_CHOICE ? h->n_choice : 0;
}

bool sl_hybrid_choice_made(const sl_hybrid *h) {
    return h->n_taken < h->choices.n;
}

sl_status sl_hybrid_choose(sl_hybrid *h, int64_t way) {
    if (way < 0 || way >= sl_hybrid_n_choice(h)) {
        return SL_ERR_USE;
    }
    h->choices.n = h->n_taken; /* one that was not taken yet is chosen again */
    return SL_PUSH(h->ctx, &h->choices, way) ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Life --------------------------------------------------------------------------------------- */

static bool take_memory(sl_hybrid *h) {
    size_t x = (size_t)sl_hybrid_n_all(h), q = (size_t)h->n_q, cuts = (size_t)h->n_cut, n = sl_hybrid_n_counter(h);
    size_t held = sl_hybrid_n_relief(h), doubles = (4 * x + 2 * cuts + held) * sizeof(double);
    size_t copy = h->ops->wants_prediction ? q : 0;
    h->n_block = doubles + n * sizeof(zeno_counter) + (2 * q + copy + x) * sizeof(int32_t) + x + q + n + cuts + 1;
    h->block = sl_alloc(h->ctx, h->n_block);
    if (!h->block || !sl_motion_create(h)) {
        return false;
    }
    h->x = (double *)(void *)h->block;
    h->dx = h->x + x;
    h->room = h->dx + x;
    h->cuts = h->room + 2 * x;
    h->cuts_kept = h->cuts + cuts;
    h->relief = h->cuts_kept + cuts;
    h->counters = (zeno_counter *)(void *)(h->relief + held);
    h->q = (int32_t *)(void *)(h->counters + n);
    h->q_kept = h->q + q;
    h->q_predicted = copy > 0 ? h->q_kept + q : NULL;
    h->x_piece = h->q_kept + q + copy;
    h->x_is_old = (uint8_t *)(h->x_piece + x);
    h->q_is_old = h->x_is_old + x;
    h->counter_is_old = h->q_is_old + q;
    h->cut_is_old = h->counter_is_old + n;
    return true;
}

sl_status sl_hybrid_create(sl_context *ctx, const sl_hybrid_ops *ops, const void *model, const sl_hybrid_def *def,
                           sl_diags *diags, sl_hybrid **out) {
    *out = NULL;
    if (def->max_event < 1 || def->max_round < 1 || def->max_discrete < 1 || !(def->window >= 0.0) ||
        (unsigned)def->choices >= SL_HYBRID_CHOICES_COUNT || (unsigned)def->policy >= SL_HYBRID_POLICY_COUNT ||
        (unsigned)def->undecided >= SL_HYBRID_UNDECIDED_COUNT || !(def->dae.root_rate >= 0.0) ||
        (def->undecided == SL_HYBRID_UNDECIDED_ASK && !ops->decide)) {
        return SL_ERR_USE;
    }
    sl_hybrid *h = sl_alloc(ctx, sizeof *h);
    if (!h) {
        return SL_ERR_MEMORY;
    }
    *h = (sl_hybrid){.ctx = ctx, .ops = ops, .model = model, .def = *def};
    sl_status status = ops->open(ctx, model, diags, &h->instance);
    if (status == SL_OK) {
        ops->sizes(h->instance, &h->n_x, &h->n_q);
        h->n_cut = ops->n_cut ? ops->n_cut(h->instance) : 0;
        status = take_memory(h) ? SL_OK : SL_ERR_MEMORY;
    }
    if (status != SL_OK) {
        sl_hybrid_destroy(h);
        return status;
    }
    ops->start(h->instance, &h->now.t, h->x, h->q);
    sl_hybrid_store_q(h);
    sl_zeno_clear(h);
    sl_zeno_pass_relief(h);
    h->now.begin = h->now.t;
    sl_state_mark(h);
    *out = h;
    return SL_OK;
}

void sl_hybrid_destroy(sl_hybrid *h) {
    if (!h) {
        return;
    }
    if (h->instance) {
        sl_motion_destroy(h); /* needs the instance */
        h->ops->close(h->instance);
    }
    SL_ARRAY_FINI(h->ctx, &h->choices);
    SL_ARRAY_FINI(h->ctx, &h->old_x);
    SL_ARRAY_FINI(h->ctx, &h->old_q);
    SL_ARRAY_FINI(h->ctx, &h->old_counters);
    SL_ARRAY_FINI(h->ctx, &h->old_cuts);
    SL_ARRAY_FINI(h->ctx, &h->old_relief);
    SL_ARRAY_FINI(h->ctx, &h->held);
    SL_ARRAY_FINI(h->ctx, &h->tried);
    SL_ARRAY_FINI(h->ctx, &h->touched);
    SL_ARRAY_FINI(h->ctx, &h->piece_x);
    SL_ARRAY_FINI(h->ctx, &h->piece_q);
    SL_ARRAY_FINI(h->ctx, &h->turned);
    SL_ARRAY_FINI(h->ctx, &h->predicted);
    sl_free(h->ctx, h->block, h->block ? h->n_block : 0);
    sl_free(h->ctx, h, sizeof *h);
}

/* ---- Looking ------------------------------------------------------------------------------------ */

double sl_hybrid_time(const sl_hybrid *h) {
    return h->now.t;
}

const double *sl_hybrid_x(const sl_hybrid *h) {
    sl_motion_write((sl_hybrid *)h); /* values that are in integrators: no state */
    return h->x;
}

const double *sl_hybrid_dx(const sl_hybrid *h) {
    sl_motion_write((sl_hybrid *)h);
    return h->dx;
}

const int32_t *sl_hybrid_q(const sl_hybrid *h) {
    return h->q;
}

void *sl_hybrid_instance(const sl_hybrid *h) {
    return h->instance;
}

int64_t sl_hybrid_n_crossing(const sl_hybrid *h) {
    return h->now.n_crossing;
}

bool sl_hybrid_is_settled(const sl_hybrid *h) {
    return h->now.phase == PHASE_GO || h->now.phase == PHASE_MOVE || h->now.phase == PHASE_END;
}

const int8_t *sl_hybrid_fired(const sl_hybrid *h, int32_t *n_root) {
    return sl_motion_fired(h, n_root);
}

sl_status sl_hybrid_interpolate(const sl_hybrid *h, double t, double *x, double *dx) {
    if (t == h->now.t) {
        memcpy(x, sl_hybrid_x(h), (size_t)h->n_x * sizeof *x);
        memcpy(dx, h->dx, (size_t)h->n_x * sizeof *dx);
        return SL_OK;
    }
    bool within = t >= h->now.begin && t <= h->now.t && h->now.has_step;
    return within ? sl_motion_interpolate(h, t, h->n_x, x, dx) : SL_ERR_USE;
}

void sl_hybrid_q_before(const sl_hybrid *h, int32_t *q) {
    memcpy(q, h->q, (size_t)h->n_q * sizeof *q);
    for (int64_t k = 0; k < h->old_q.n; k++) {
        q[h->old_q.at[k].j] = h->old_q.at[k].q;
    }
}

int64_t sl_hybrid_n_crossing_before(const sl_hybrid *h) {
    return h->now.has_step ? h->now.n_before : h->now.n_crossing;
}

const sl_hybrid_change *sl_hybrid_x_changes(const sl_hybrid *h, int32_t *n) {
    *n = (int32_t)h->piece_x.n;
    return h->piece_x.at;
}

const sl_hybrid_change *sl_hybrid_q_changes(const sl_hybrid *h, int32_t *n) {
    *n = (int32_t)h->piece_q.n;
    return h->piece_q.at;
}

double sl_hybrid_x_now(const sl_hybrid *h, int32_t j) {
    (void)sl_motion_write_one((sl_hybrid *)h, j);
    return h->x[j];
}

int32_t sl_hybrid_n_component(const sl_hybrid *h) {
    return sl_motion_n_component(h);
}

double sl_hybrid_step_begin(const sl_hybrid *h) {
    return h->now.has_step ? h->now.begin : h->now.t;
}

sl_hybrid_stats sl_hybrid_statistics(const sl_hybrid *h) {
    sl_hybrid_stats all = h->stats;
    sl_motion_add_statistics(h, &all);
    return all;
}
