/* SPDX-License-Identifier: MIT */
/* heap.c: parts under way in a binary heap, by the end of their last steps; at equal ends by number. Where a part stands is in an array of
 * its own, not in the part: what moves in the heap are mostly parts that are not in the processor's cache. */
#include "hybrid/motion_impl.h"

#include <stdlib.h>

static bool is_before(sl_component_end a, sl_component_end b) {
    return a.t < b.t || (a.t == b.t && a.part < b.part);
}

static void put(sl_motion *m, int64_t k, sl_component_end p) {
    m->heap.at[k] = p;
    m->places.at[p.part] = (int32_t)k;
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
    int32_t place = m->places.at[p];
    const sl_component_end end = {m->parts.at[p].t, p};
    settle(m, place >= 0 ? place : m->heap.n++, end); /* there is memory: sl_component_add has seen to that */
}

void sl_heap_remove(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    int32_t place = m->places.at[p];
    if (place < 0) {
        return;
    }
    m->places.at[p] = -1;
    const sl_component_end last = m->heap.at[--m->heap.n];
    if (last.part != p) {
        settle(m, place, last);
    }
}

static int by_end(const void *a, const void *b) {
    const sl_component_end *x = a, *y = b;
    return is_before(*x, *y) ? -1 : is_before(*y, *x);
}

void sl_heap_find_due(sl_hybrid *h, double t) {
    sl_motion *m = h->motion;
    m->due.n = 0;
    if (m->heap.n > 0 && m->heap.at[0].t <= t) {
        m->due.at[m->due.n++] = (sl_component_end){m->heap.at[0].t, 0};
    }
    for (int64_t k = 0; k < m->due.n; k++) { /* places in the heap, from the top down */
        for (int32_t child = 2 * m->due.at[k].part + 1, side = 0; side < 2; child++, side++) {
            if (child < m->heap.n && m->heap.at[child].t <= t) {
                m->due.at[m->due.n++] = (sl_component_end){m->heap.at[child].t, child};
            }
        }
    }
    for (int64_t k = 0; k < m->due.n; k++) {
        m->due.at[k].part = m->heap.at[m->due.at[k].part].part;
    }
    if (m->due.n > 1) {
        qsort(m->due.at, (size_t)m->due.n, sizeof *m->due.at, by_end);
    }
}
