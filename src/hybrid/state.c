/* SPDX-License-Identifier: MIT */
/* state.c: the state of an execution as bytes; saved states by replay.
 *
 * A saved state is the origin: the state where motion stopped last (or that was set), with the parts under way (save.c); then the
 * number of pieces made since, and the ways chosen since. Restoring reads the one and makes the others again. The pieces are the
 * same functions of the state and of the ways, so the bits are the same.
 *
 * The origin is not copied at each event: what its pieces change is remembered, and put back for saving.
 */
#include "hybrid/impl.h"
#include "hybrid/motion.h"

#include "base/memory.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

/* ---- The origin --------------------------------------------------------------------------------- */

void sl_state_mark(sl_hybrid *h) {
    h->origin = h->now;
    for (int64_t k = 0; k < h->old_x.n; k++) {
        h->x_is_old[h->old_x.at[k].j] = 0;
    }
    for (int64_t k = 0; k < h->old_q.n; k++) {
        h->q_is_old[h->old_q.at[k].j] = 0;
    }
    for (int64_t k = 0; k < h->old_counters.n; k++) {
        h->counter_is_old[h->old_counters.at[k].item] = 0;
    }
    for (int64_t k = 0; k < h->old_cuts.n; k++) {
        h->cut_is_old[h->old_cuts.at[k].k] = 0;
    }
    h->old_x.n = h->old_q.n = h->old_counters.n = h->old_cuts.n = h->old_relief.n = 0;
    h->n_piece = h->n_taken = h->choices.n = 0;
}

bool sl_state_keep_x(sl_hybrid *h, int32_t j) {
    const old_x old = {j, h->x[j], h->dx[j]};
    if (h->x_piece[j] != h->piece) {
        h->x_piece[j] = h->piece;
        if (!SL_PUSH(h->ctx, &h->piece_x, ((sl_hybrid_change){j, h->x[j]}))) {
            return false;
        }
    }
    if (h->x_is_old[j]) {
        return true;
    }
    h->x_is_old[j] = SL_PUSH(h->ctx, &h->old_x, old);
    return h->x_is_old[j];
}

bool sl_state_keep_q(sl_hybrid *h, int32_t j, int32_t before) {
    const old_q old = {j, before};
    if (h->q_is_old[j]) {
        return true;
    }
    h->q_is_old[j] = SL_PUSH(h->ctx, &h->old_q, old);
    return h->q_is_old[j];
}

bool sl_state_keep_cut(sl_hybrid *h, int32_t k, double before) {
    const old_cut old = {k, before};
    if (h->cut_is_old[k]) {
        return true;
    }
    h->cut_is_old[k] = SL_PUSH(h->ctx, &h->old_cuts, old);
    return h->cut_is_old[k];
}

void sl_state_keep_counter(sl_hybrid *h, int32_t item) {
    const old_counter old = {item, h->counters[item]};
    if (!h->counter_is_old[item]) {
        h->counter_is_old[item] = SL_PUSH(h->ctx, &h->old_counters, old);
        h->is_short = h->is_short || !h->counter_is_old[item];
    }
}

/* ---- Bytes -------------------------------------------------------------------------------------- */

/* Head, x, dx, cuts, counters, relief, q; parts under way; pieces and choices since. */
static size_t fixed_size(const sl_hybrid *h) {
    return sizeof h->now +
           (2 * (size_t)sl_hybrid_n_all(h) + (size_t)h->n_cut + sl_hybrid_n_relief(h)) * sizeof(double) +
           sl_hybrid_n_counter(h) * sizeof *h->counters + (size_t)h->n_q * sizeof(int32_t);
}

size_t sl_hybrid_save_size(const sl_hybrid *h) {
    return fixed_size(h) + sl_motion_save_size(h) + sizeof h->n_piece + (size_t)h->choices.n * sizeof *h->choices.at;
}

/* x and dx of the origin, as bytes: room need not be aligned. */
static void save_values(const sl_hybrid *h, char *to) {
    size_t n = (size_t)sl_hybrid_n_all(h);
    if (h->origin.has_step) { /* within the last step of each part */
        (void)sl_motion_interpolate(h, h->origin.t, sl_hybrid_n_all(h), h->room, h->room + n);
    } else {
        memcpy(h->room, h->x, n * sizeof(double));
        memcpy(h->room + n, h->dx, n * sizeof(double));
        for (int64_t k = 0; k < h->old_x.n; k++) {
            h->room[h->old_x.at[k].j] = h->old_x.at[k].x;
            h->room[n + (size_t)h->old_x.at[k].j] = h->old_x.at[k].dx;
        }
    }
    memcpy(to, h->room, 2 * n * sizeof(double));
}

void sl_hybrid_save(const sl_hybrid *h, void *bytes) {
    char *to = bytes;
    size_t cuts = (size_t)h->n_cut * sizeof(double), counters = sl_hybrid_n_counter(h) * sizeof *h->counters,
           n_q = (size_t)h->n_q * sizeof(int32_t);
    memcpy(to, &h->origin, sizeof h->origin);
    to += sizeof h->origin;
    save_values(h, to);
    to += 2 * (size_t)sl_hybrid_n_all(h) * sizeof(double);
    memcpy(to, h->cuts, cuts);
    for (int64_t k = 0; k < h->old_cuts.n; k++) {
        memcpy(to + (size_t)h->old_cuts.at[k].k * sizeof(double), &h->old_cuts.at[k].state, sizeof(double));
    }
    to += cuts;
    memcpy(to, h->counters, counters);
    for (int64_t k = 0; k < h->old_counters.n; k++) {
        const old_counter *old = &h->old_counters.at[k];
        memcpy(to + (size_t)old->item * sizeof *h->counters, &old->counter, sizeof *h->counters);
    }
    to += counters;
    memcpy(to, h->relief, sl_hybrid_n_relief(h) * sizeof(double));
    for (int64_t k = h->old_relief.n - 1; k >= 0; k--) { /* the oldest last */
        memcpy(to + (size_t)h->old_relief.at[k].j * sizeof(double), &h->old_relief.at[k].relief, sizeof(double));
    }
    to += sl_hybrid_n_relief(h) * sizeof(double);
    memcpy(to, h->q, n_q);
    for (int64_t k = 0; k < h->old_q.n; k++) {
        memcpy(to + (size_t)h->old_q.at[k].j * sizeof(int32_t), &h->old_q.at[k].q, sizeof(int32_t));
    }
    to += n_q;
    sl_motion_save(h, to);
    to += sl_motion_save_size(h);
    memcpy(to, &h->n_piece, sizeof h->n_piece);
    if (h->choices.n > 0) {
        memcpy(to + sizeof h->n_piece, h->choices.at, (size_t)h->choices.n * sizeof *h->choices.at);
    }
}

static void read_section(const char **from, void *to, size_t n) {
    memcpy(to, *from, n);
    *from += n;
}

/* Where to be before pieces are made again. */
static sl_status read_origin(sl_hybrid *h, const char *from, size_t n, size_t *n_used, sl_diags *diags) {
    size_t values = (size_t)sl_hybrid_n_all(h) * sizeof(double);
    read_section(&from, &h->now, sizeof h->now);
    read_section(&from, h->x, values);
    read_section(&from, h->dx, values);
    read_section(&from, h->cuts, (size_t)h->n_cut * sizeof(double));
    read_section(&from, h->counters, sl_hybrid_n_counter(h) * sizeof *h->counters);
    read_section(&from, h->relief, sl_hybrid_n_relief(h) * sizeof *h->relief);
    read_section(&from, h->q, (size_t)h->n_q * sizeof *h->q);
    sl_hybrid_store_q(h);
    if (h->n_cut > 0) {
        memcpy(h->cuts_kept, h->cuts, (size_t)h->n_cut * sizeof *h->cuts);
        h->ops->set_cuts(h->instance, -1, NULL, h->cuts);
    }
    h->zeno = -1;
    h->is_short = false;
    sl_zeno_pass_relief(h);
    if (!sl_zeno_find_held(h)) {
        return SL_ERR_MEMORY;
    }
    sl_motion_forget(h, false);
    *n_used = 0;
    sl_status status = SL_OK;
    int32_t n_fired = 0;
    if (h->now.has_step) {
        status = sl_motion_restore(h, from, n - fixed_size(h), n_used, &n_fired, diags);
    } else if (h->now.is_known) {
        status = sl_motion_enter(h, diags);
        sl_motion_trust(h);
    }
    if (status == SL_OK && (n_fired > 0) != (h->now.has_step && h->now.phase == PHASE_ROOT)) {
        status = SL_ERR_INPUT;
    }
    sl_state_mark(h);
    return status == SL_OK && h->now.has_step ? sl_hybrid_arrive(h, diags, &n_fired) : status;
}

/* Bytes may lie anywhere: they are looked at in memory of our own. */
static bool cuts_are_valid(const sl_hybrid *h, const char *bytes) {
    if (h->n_cut == 0) {
        return true;
    }
    memcpy(h->room, bytes, (size_t)h->n_cut * sizeof *h->cuts);
    return h->ops->cuts_are_valid(h->instance, h->room);
}

/* Is it a state where motion can begin (after the start, a reset, or what happened at an instant)? */
static bool state_is_consistent(const sl_hybrid *h, const char *bytes) {
    const int64_t most = INT64_C(1) << 53; /* of counts */
    state_head head;
    memcpy(&head, bytes, sizeof head);
    bool stepped = head.has_step == 1;
    bool phase = head.phase == PHASE_INIT ||
                 (stepped ? head.phase == PHASE_ROOT || head.phase == PHASE_MOVE : head.phase == PHASE_GO);
    bool fine = isfinite(head.t) && isfinite(head.begin) && head.begin <= head.t && !isnan(head.limit) && phase &&
                (head.has_step == 0 || stepped) && head.n_crossing >= 0 && head.n_crossing < most &&
                head.n_before >= 0 && head.n_before <= head.n_crossing && head.i >= 0 && head.round >= 0;
    const char *at = bytes + sizeof head;
    for (int64_t k = 0; k < 2 * (int64_t)sl_hybrid_n_all(h) && fine; k++, at += sizeof(double)) {
        double v;
        memcpy(&v, at, sizeof v);
        fine = isfinite(v);
    }
    fine = fine && cuts_are_valid(h, at);
    at += (size_t)h->n_cut * sizeof *h->cuts + sl_hybrid_n_counter(h) * sizeof *h->counters;
    at += sl_hybrid_n_relief(h) * sizeof *h->relief;
    for (int32_t j = 0; j < h->n_q && fine && h->ops->q_domain; j++, at += sizeof(int32_t)) {
        int32_t q;
        memcpy(&q, at, sizeof q);
        fine = q >= 0 && q < h->ops->q_domain(h->instance, j);
    }
    return fine;
}

static sl_status refuse(sl_diags *diags) {
    sl_report(diags, SL_ERROR, SL_CODE_STATE, NULL, NULL, NULL, NULL, "the saved state is not one of this model");
    return SL_ERR_INPUT;
}

/* One piece of a replay. A state is saved from the last beginning of motion on: where motion begins once more on the way, the
 * number of pieces is made up. That also bounds the work, which is that of one beginning to the next. */
static sl_status replay_piece(sl_hybrid *h, sl_diags *diags) {
    sl_hybrid_info info;
    int64_t before = h->n_piece;
    sl_status status = sl_hybrid_piece(h, diags, &info);
    return status == SL_OK && h->n_piece != before + 1 ? refuse(diags) : status;
}

/* Makes the pieces again, with the ways that were chosen; the last one may wait for its piece. */
static sl_status replay(sl_hybrid *h, int64_t n_piece, const char *ways, int64_t n_way, sl_diags *diags) {
    sl_status status = SL_OK;
    for (int64_t k = 0; status == SL_OK; k++) {
        while (h->n_piece < n_piece && h->now.phase != PHASE_CHOICE && status == SL_OK) {
            status = replay_piece(h, diags);
        }
        if (k == n_way || status != SL_OK) {
            break;
        }
        int64_t way;
        memcpy(&way, ways + (size_t)k * sizeof way, sizeof way);
        status = sl_hybrid_choose(h, way);
        if (status == SL_OK && h->n_piece < n_piece) {
            status = replay_piece(h, diags);
        }
    }
    return status == SL_ERR_USE || (status == SL_OK && h->n_piece != n_piece) ? refuse(diags) : status;
}

sl_status sl_hybrid_restore(sl_hybrid *h, const void *bytes, size_t n, sl_diags *diags) {
    const char *from = bytes;
    size_t head = fixed_size(h), used = 0;
    int64_t n_piece = 0;
    if (n < head + sizeof n_piece || !state_is_consistent(h, from)) {
        return refuse(diags);
    }
    sl_status status = read_origin(h, from, n - sizeof n_piece, &used, diags);
    if (status == SL_OK) {
        memcpy(&n_piece, from + head + used, sizeof n_piece);
        from += head + used + sizeof n_piece;
        n -= head + used + sizeof n_piece;
        status = n_piece < 0 || n % sizeof(int64_t) ? SL_ERR_INPUT
                                                    : replay(h, n_piece, from, (int64_t)(n / sizeof(int64_t)), diags);
    }
    if (status != SL_OK) {
        h->now.phase = PHASE_FAILED;
    }
    return status == SL_ERR_INPUT && (!diags || sl_diags_size(diags) == 0) ? refuse(diags) : status;
}

sl_status sl_hybrid_copy(const sl_hybrid *h, sl_diags *diags, sl_hybrid **out) {
    *out = NULL;
    sl_hybrid *copy = NULL;
    size_t n = sl_hybrid_save_size(h);
    char *bytes = sl_alloc(h->ctx, n);
    sl_status status = bytes ? sl_hybrid_create(h->ctx, h->ops, h->model, &h->def, diags, &copy) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        sl_hybrid_save(h, bytes);
        status = sl_hybrid_restore(copy, bytes, n, diags);
    }
    sl_free(h->ctx, bytes, bytes ? n : 0);
    if (status != SL_OK) {
        sl_hybrid_destroy(copy);
        return status;
    }
    *out = copy;
    return SL_OK;
}

sl_status sl_hybrid_reset(sl_hybrid *h, double t, const double *x, const double *dx, const int32_t *q, bool settled) {
    if (!isfinite(t)) {
        return SL_ERR_USE;
    }
    sl_motion_write(h);
    if (x) {
        memmove(h->x, x, (size_t)h->n_x * sizeof *x);
    }
    if (dx) {
        memmove(h->dx, dx, (size_t)h->n_x * sizeof *dx);
    }
    if (q) {
        memmove(h->q, q, (size_t)h->n_q * sizeof *q);
    }
    sl_hybrid_store_q(h);
    h->now.n_crossing = t < h->now.t ? h->now.n_before : h->now.n_crossing;
    h->now = (state_head){.t = t,
                          .begin = t,
                          .n_crossing = h->now.n_crossing,
                          .n_before = h->now.n_crossing,
                          .phase = settled ? PHASE_GO : PHASE_INIT};
    /* Without memory for equations the values are just taken for those of others. */
    sl_zeno_clear(h);
    h->is_short = !sl_zeno_find_held(h);
    settled = settled && h->n_cut == 0; /* which side of cuts is in force is found out */
    sl_motion_forget(h, settled);
    h->now.is_known = settled && sl_motion_enter(h, NULL) == SL_OK && !sl_motion_is_fresh(h);
    if (settled && !h->now.is_known) {
        sl_motion_forget(h, false);
    }
    sl_state_mark(h);
    return SL_OK;
}
