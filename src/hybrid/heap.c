/* SPDX-License-Identifier: MIT */
/* heap.c: parts under way in a binary heap, by the end of their last steps; at equal ends by number. */
#include "hybrid/motion_impl.h"

static bool is_before(sl_component_end a, sl_component_end b) {
    return a.t < b.t || (a.t == b.t && a.part < b.part);
}

static void put(sl_motion *m, int64_t k, sl_component_end p) {
    m->heap.at[k] = p;
    m->parts.at[p.part].place = (int32_t)k;
}

static void settle(sl_motion *m, int64_t k, sl_component_end p) {
    while (k > 0 && is_before(p, m->heap.at[(k - 1) / 2])) {
        put(m, k, m->heap.at[(k - 1) / 2]);
        k = (k - 1) / 2;
    }
    for (int64_t child; (child = 2 * k + 1) < m->heap.n; k = child) {
        child += child + 1 < m->heap.n && is_before(m->heap.at[child + 1], m->heap.at[child]);
        if (!is_before(m->heap.at[child], p)) {
            break;
        }
        put(m, k, m->heap.at[child]);
    }
    put(m, k, p);
}

void sl_heap_set(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    int32_t place = m->parts.at[p].place;
    const sl_component_end end = {m->parts.at[p].t, p};
    settle(m, place >= 0 ? place : m->heap.n++, end); /* there is memory: sl_component_add has seen to that */
}

void sl_heap_remove(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    int32_t place = m->parts.at[p].place;
    if (place < 0) {
        return;
    }
    m->parts.at[p].place = -1;
    const sl_component_end last = m->heap.at[--m->heap.n];
    if (last.part != p) {
        settle(m, place, last);
    }
}
