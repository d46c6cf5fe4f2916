/* SPDX-License-Identifier: MIT */
/* state.c: the state of an execution as bytes; saved states by replay.
 *
 * A saved state is the state where motion began last, the number of pieces made since, and the ways chosen since. Restoring
 * reads the one and makes the others again. The pieces are the same functions of the state and of the ways, so the bits are
 * the same.
 */
#include "hybrid/impl.h"
#include "hybrid/motion.h"

#include "base/memory.h"
#include "base/report.h"

#include <math.h>
#include <string.h>

typedef struct section {
    void *at;
    size_t n;
} section;

enum { N_SECTION = 7 };

static void sections(const sl_hybrid *h, section s[N_SECTION]) {
    s[0] = (section){(void *)&h->now, sizeof h->now};
    s[1] = (section){h->x, (size_t)sl_hybrid_n_all(h) * sizeof *h->x};
    s[2] = (section){h->dx, (size_t)sl_hybrid_n_all(h) * sizeof *h->dx};
    s[3] = (section){h->cuts, (size_t)h->n_cut * sizeof *h->cuts};
    s[4] = (section){h->counters, sl_hybrid_n_counter(h) * sizeof *h->counters};
    s[5] = (section){h->relief, sl_hybrid_n_relief(h) * sizeof *h->relief};
    s[6] = (section){h->q, (size_t)h->n_q * sizeof *h->q};
}

size_t sl_state_size(const sl_hybrid *h) {
    section s[N_SECTION];
    size_t n = 0;
    sections(h, s);
    for (int k = 0; k < N_SECTION; k++) {
        n += s[k].n;
    }
    return n;
}

void sl_state_write(const sl_hybrid *h, char *bytes) {
    section s[N_SECTION];
    sections(h, s);
    for (int k = 0; k < N_SECTION; k++) {
        if (s[k].n > 0) {
            memcpy(bytes, s[k].at, s[k].n);
        }
        bytes += s[k].n;
    }
}

/* Numbers of modes are an execution's own: the bytes say whether the values belong to the mode of q. */
static sl_status find_mode_at_q(sl_hybrid *h, int32_t *id) {
    *id = 0;
    sl_status status = h->ops->mode ? h->ops->mode(h->instance, h->q, NULL, id) : SL_OK;
    *id = status == SL_OK ? *id : -1;
    return status;
}

sl_status sl_state_read(sl_hybrid *h, const char *bytes) {
    section s[N_SECTION];
    sections(h, s);
    for (int k = 0; k < N_SECTION; k++) {
        if (s[k].n > 0) {
            memcpy(s[k].at, bytes, s[k].n);
        }
        bytes += s[k].n;
    }
    sl_status status = SL_OK;
    if (h->n_cut > 0) {
        h->ops->set_cuts(h->instance, h->cuts);
    }
    if (h->now.mode >= 0) {
        status = find_mode_at_q(h, &h->now.mode);
    }
    h->zeno = -1;
    sl_zeno_pass_relief(h);
    sl_hybrid_store_q(h);
    sl_motion_forget(h);
    h->begin = h->end = h->now.t;
    h->n_before = h->now.n_crossing;
    return status;
}

sl_status sl_state_mark(sl_hybrid *h) {
    int32_t mode = h->now.mode, at_q = -1;
    sl_status status = mode >= 0 ? find_mode_at_q(h, &at_q) : SL_OK;
    mode = status == SL_OK ? mode : -1; /* what is not in the bytes must not be known here either */
    h->now.mode = mode >= 0 && mode == at_q ? 0 : -1;
    sl_state_write(h, h->origin);
    h->now.mode = mode;
    h->n_piece = h->n_taken = h->choices.n = 0;
    return status;
}

size_t sl_hybrid_save_size(const sl_hybrid *h) {
    return sl_state_size(h) + sizeof h->n_piece + (size_t)h->choices.n * sizeof *h->choices.at;
}

void sl_hybrid_save(const sl_hybrid *h, void *bytes) {
    size_t n = sl_state_size(h);
    memcpy(bytes, h->origin, n);
    memcpy((char *)bytes + n, &h->n_piece, sizeof h->n_piece);
    if (h->choices.n > 0) {
        memcpy((char *)bytes + n + sizeof h->n_piece, h->choices.at, (size_t)h->choices.n * sizeof *h->choices.at);
    }
}

/* Bytes may lie anywhere: they are looked at in the model's own memory. */
static bool cuts_are_valid(const sl_hybrid *h, const char *bytes) {
    size_t n = (size_t)h->n_cut * sizeof *h->cuts;
    if (n == 0) {
        return true;
    }
    double *cuts = sl_alloc(h->ctx, n);
    bool fine = cuts && memcpy(cuts, bytes, n) && h->ops->cuts_are_valid(h->instance, cuts);
    sl_free(h->ctx, cuts, cuts ? n : 0);
    return fine;
}

/* Is it a state where motion can begin (after the start, a reset, or what happened at an instant)? */
static bool state_is_consistent(const sl_hybrid *h, const char *bytes, int64_t n_piece) {
    const int64_t most = INT64_C(1) << 53; /* of counts */
    state_head head;
    memcpy(&head, bytes, sizeof head);
    bool fine = isfinite(head.t) && (head.phase == PHASE_INIT || head.phase == PHASE_GO) && head.n_crossing >= 0 &&
                head.n_crossing < most && head.i == 0 && head.round >= 0 && head.n_step >= 0 && n_piece >= 0;
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
    size_t size = sl_state_size(h), head = size + sizeof h->n_piece;
    int64_t n_piece = 0;
    if (n >= head) {
        memcpy(&n_piece, (const char *)bytes + size, sizeof n_piece);
    }
    if (n < head || (n - head) % sizeof(int64_t) || !state_is_consistent(h, bytes, n_piece)) {
        return refuse(diags);
    }
    sl_status status = sl_state_read(h, bytes);
    status = status == SL_OK ? sl_state_mark(h) : status;
    return status == SL_OK
               ? replay(h, n_piece, (const char *)bytes + head, (int64_t)((n - head) / sizeof(int64_t)), diags)
               : status;
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
    sl_motion_forget(h);
    h->now.n_crossing = t < h->end ? h->n_before : h->now.n_crossing;
    sl_zeno_clear(h);
    h->now.mode = h->n_cut > 0 ? -1 : h->now.mode; /* which side of cuts is in force is found out */
    h->now.t = t;
    h->now.phase = settled ? PHASE_GO : PHASE_INIT;
    h->now.i = h->now.round = h->now.n_step = 0;
    h->now.is_moved = 1;
    h->begin = h->end = t;
    h->n_before = h->now.n_crossing;
    (void)sl_state_mark(h); /* without memory for a mode the values are just taken for those of another */
    return SL_OK;
}
