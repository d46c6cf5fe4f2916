/* SPDX-License-Identifier: MIT */
/* moved.c: what the last step and the pieces since have moved: of a model of many parts few, so that nobody has to look at all values
 * after each step. A part whose own step ends later is on its way: its values at the present are its polynomial's, and count when it
 * has arrived. */
#include "hybrid/impl.h"
#include "hybrid/motion_impl.h"

/* Adds the unknowns of a part to those that were found: there are n. */
static int32_t add_unknowns(const sl_hybrid *h, const sl_component *at, int32_t n, int32_t *which, uint8_t *mark) {
    const sl_hybrid_mode *mode = &at->unit->mode;
    for (int32_t k = 0; k < sl_dae_n_value(&mode->system); k++) {
        int32_t j = mode->variables ? mode->variables[k] : k;
        if (j < h->n_x && !mark[j]) {
            mark[j] = 1;
            which[n++] = j;
        }
    }
    return n;
}

/* In the heap below place k: those whose steps end at the present are on top. */
static int32_t add_ended(const sl_hybrid *h, int64_t k, int32_t n, int32_t *which, uint8_t *mark) {
    const sl_motion *m = h->motion;
    if (k >= m->heap.n || m->heap.at[k].t > h->now.t) {
        return n;
    }
    n = add_unknowns(h, &m->parts.at[m->heap.at[k].part], n, which, mark);
    n = add_ended(h, 2 * k + 1, n, which, mark);
    return add_ended(h, 2 * k + 2, n, which, mark);
}

static int32_t add_parts(const sl_hybrid *h, int32_t *which, uint8_t *mark) {
    const sl_motion *m = h->motion;
    int32_t n = add_ended(h, 0, 0, which, mark);
    for (int64_t k = 0; k < m->pending.n; k++) {
        const sl_component *at = &m->parts.at[m->pending.at[k]];
        n = at->flags & PART_IN_FORCE ? add_unknowns(h, at, n, which, mark) : n;
    }
    for (int64_t k = 0; k < m->retired.n; k++) { /* what has no equation any more stands still from here on */
        n = add_unknowns(h, &m->parts.at[m->retired.at[k]], n, which, mark);
    }
    return n;
}

int32_t sl_hybrid_moved_x(const sl_hybrid *h, int32_t *which, uint8_t *mark) {
    if (!h->motion->all) {
        return -1;
    }
    int32_t n = add_parts(h, which, mark);
    for (int64_t k = 0; k < h->old_x.n; k++) {
        int32_t j = h->old_x.at[k].j;
        if (j < h->n_x && !mark[j]) {
            mark[j] = 1;
            which[n++] = j;
        }
    }
    for (int32_t k = 0; k < n; k++) {
        mark[which[k]] = 0;
    }
    return n;
}

int32_t sl_hybrid_moved_q(const sl_hybrid *h, int32_t *which) {
    for (int64_t k = 0; k < h->old_q.n; k++) {
        which[k] = h->old_q.at[k].j;
    }
    return (int32_t)h->old_q.n;
}
