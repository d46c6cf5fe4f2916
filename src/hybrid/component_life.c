/* SPDX-License-Identifier: MIT */
/* component_life.c: parts come into force, are begun anew, retire and are freed; memory for all of them and for who belongs to which.
 */
#include "hybrid/motion_impl.h"

#include "base/memory.h"

#include <string.h>

/* ---- Life of a part ----------------------------------------------------------------------------- */

/* Lists of parts have memory for all of them, twice: one may be retired and another take its number. */
static bool reserve(sl_hybrid *h, int64_t n) {
    sl_motion *m = h->motion;
    sl_component_list *lists[] = {&m->free, &m->pending, &m->asked, &m->retired, &m->fired, &m->ps, &m->places};
    bool fine = SL_RESERVE(h->ctx, &m->parts, n) && SL_RESERVE(h->ctx, &m->order, n) &&
                SL_RESERVE(h->ctx, &m->heap, n) && SL_RESERVE(h->ctx, &m->due, n);
    for (size_t k = 0; k < sizeof lists / sizeof *lists && fine; k++) {
        fine = SL_RESERVE(h->ctx, lists[k], n);
    }
    return fine;
}

int32_t sl_component_add(sl_hybrid *h, sl_hybrid_unit *u) {
    sl_motion *m = h->motion;
    int32_t p;
    if (m->free.n > 0) {
        p = m->free.at[--m->free.n];
    } else if (m->parts.n < m->parts.cap || reserve(h, m->parts.n + 1)) {
        p = (int32_t)m->parts.n++;
        if (!reserve(h, m->parts.cap)) {
            m->parts.n--;
            return -1;
        }
        m->parts.at[p] = (sl_component){0};
        m->places.at[p] = -1;
        m->places.n = m->parts.n;
    } else {
        return -1;
    }
    sl_component *at = &m->parts.at[p];
    at->unit = u;
    at->t = h->now.t;
    at->n_step = 0;
    at->synced = -1;
    at->log.n = 0;
    at->noted = -1;
    at->flags = (at->flags & (PART_PENDING | PART_ASKED)) | PART_IN_FORCE | PART_FRESH;
    m->n_in_force++;
    sl_component_ask(h, p);
    (void)sl_component_stop(h, p);
    return p;
}

void sl_component_ask(sl_hybrid *h, int32_t p) {
    sl_component *at = sl_component_at(h, p);
    if (!(at->flags & PART_ASKED)) {
        at->flags |= PART_ASKED;
        h->motion->asked.at[h->motion->asked.n++] = p;
    }
}

sl_status sl_component_renew(sl_hybrid *h, int32_t p) {
    sl_status status = sl_component_stop(h, p);
    sl_component_at(h, p)->flags |= PART_FRESH;
    sl_component_ask(h, p);
    return status;
}

sl_status sl_component_stop(sl_hybrid *h, int32_t p) {
    sl_component *at = sl_component_at(h, p);
    sl_status status = sl_component_sync(h, p);
    at->flags |= PART_MOVED;
    if ((at->flags & PART_AT_LIMIT) && at->t <= h->now.t) { /* what jumps here by itself must not be passed over */
        at->flags |= PART_FRESH;
        sl_component_ask(h, p);
    }
    if (!(at->flags & PART_PENDING)) {
        at->flags |= PART_PENDING;
        h->motion->pending.at[h->motion->pending.n++] = p;
    }
    return status;
}

void sl_component_free(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    sl_component *at = &m->parts.at[p];
    sl_unit_drop(h, at->unit);
    at->unit = NULL;
    at->flags &= PART_PENDING | PART_ASKED; /* it may still be in these lists */
    m->free.at[m->free.n++] = p;
}

void sl_component_retire(sl_hybrid *h, int32_t p) {
    sl_motion *m = h->motion;
    sl_component *at = &m->parts.at[p];
    sl_heap_remove(h, p);
    at->flags &= ~(uint32_t)PART_IN_FORCE;
    m->n_in_force--;
    if (at->flags & PART_SHOWN) {
        m->retired.at[m->retired.n++] = p;
    } else {
        sl_component_free(h, p);
    }
}

/* ---- Memory ------------------------------------------------------------------------------------- */

/* Rows by what they hold become lists by column. */
static void transpose(int32_t n_row, const int32_t *start, const int32_t *column, int32_t n_column, int32_t *to_start,
                      int32_t *to) {
    for (int32_t k = start[0]; k < start[n_row]; k++) {
        to_start[column[k] + 1]++;
    }
    for (int32_t j = 0; j < n_column; j++) {
        to_start[j + 1] += to_start[j];
    }
    for (int32_t i = 0; i < n_row; i++) {
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            to[to_start[column[k]]++] = i;
        }
    }
    for (int32_t j = n_column; j > 0; j--) {
        to_start[j] = to_start[j - 1];
    }
    to_start[0] = 0;
}

static bool take_scratch(sl_hybrid *h) {
    sl_motion *m = h->motion;
    const sl_hybrid_incidence *a = m->all;
    int64_t n = (int64_t)a->n_equation + a->n_root + h->n_x + 1;
    sl_component_list *lists[] = {&m->xs, &m->es, &m->rs, &m->toggled, &m->groups, &m->members, &m->joined};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (!SL_RESERVE(h->ctx, lists[k], 4 * n + 4)) {
            return false;
        }
    }
    return true;
}

bool sl_components_create(sl_hybrid *h) {
    sl_motion *m = h->motion;
    const sl_hybrid_incidence *a = m->all;
    m->empty = -1;
    if (!a) {
        return true;
    }
    size_t x = (size_t)sl_hybrid_n_all(h) + 1, e = (size_t)a->n_equation + 1, r = (size_t)a->n_root + 1,
           q = (size_t)h->n_q + 1;
    size_t held = (size_t)(a->root_start[a->n_root] - a->root_start[0]);
    struct {
        int32_t **at;
        size_t n;
    } ints[] = {{&m->part_of, x},          {&m->equation_part, e}, {&m->root_part, r},        {&m->root_place, r},
                {&m->x_root_start, x + 1}, {&m->x_roots, held},    {&m->q_root_start, q + 1}, {&m->q_roots, r},
                {&m->x_stamp, x},          {&m->moving_stamp, x},  {&m->equation_stamp, e},   {&m->root_stamp, r},
                {&m->parent, x},           {&m->group_of, x}};
    size_t n = 0;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        n += ints[k].n;
    }
    m->n_block = n * sizeof(int32_t) + e + 3 * r;
    m->block = sl_alloc(h->ctx, m->n_block);
    if (!m->block || !take_scratch(h)) {
        return false;
    }
    int32_t *at = (int32_t *)(void *)m->block;
    for (size_t k = 0; k < sizeof ints / sizeof *ints; k++) {
        *ints[k].at = at;
        at += ints[k].n;
    }
    m->equation_on = (uint8_t *)at;
    m->root_on = m->equation_on + e;
    m->above = m->root_on + r;
    m->fired_roots = (int8_t *)(m->above + r);
    transpose(a->n_root, a->root_start, a->root_variables, h->n_x, m->x_root_start, m->x_roots);
    for (int32_t i = 0; i < a->n_root; i++) { /* each decides one; those of cuts stand behind the last */
        m->root_place[i] = i;
        m->root_part[i] = a->decides[i] >= 0 ? a->decides[i] : h->n_q;
    }
    m->root_place[a->n_root] = a->n_root;
    transpose(a->n_root, m->root_place, m->root_part, h->n_q + 1, m->q_root_start, m->q_roots);
    memset(m->part_of, -1, x * sizeof(int32_t));
    memset(m->equation_part, -1, e * sizeof(int32_t));
    memset(m->root_part, -1, r * sizeof(int32_t));
    return true;
}

void sl_components_destroy(sl_hybrid *h) {
    sl_motion *m = h->motion;
    sl_component_list *lists[] = {&m->free,   &m->pending, &m->asked,  &m->retired, &m->places, &m->fired,
                                  &m->looked, &m->xs,      &m->es,     &m->rs,      &m->ps,     &m->toggled,
                                  &m->groups, &m->members, &m->joined, &m->orphans};
    for (int64_t p = 0; p < m->parts.n; p++) {
        SL_ARRAY_FINI(h->ctx, &m->parts.at[p].log);
    }
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        SL_ARRAY_FINI(h->ctx, lists[k]);
    }
    SL_ARRAY_FINI(h->ctx, &m->modes);
    SL_ARRAY_FINI(h->ctx, &m->parts);
    SL_ARRAY_FINI(h->ctx, &m->order);
    SL_ARRAY_FINI(h->ctx, &m->heap);
    SL_ARRAY_FINI(h->ctx, &m->due);
    sl_free(h->ctx, m->block, m->block ? m->n_block : 0);
}

/* No part is in force, and nothing known of equations. */
void sl_components_clear(sl_hybrid *h) {
    sl_motion *m = h->motion;
    for (int32_t p = 0; p < m->parts.n; p++) {
        if (m->parts.at[p].flags & PART_IN_FORCE) {
            m->parts.at[p].flags &= ~(uint32_t)PART_DISSOLVED;
            sl_component_retire(h, p);
        }
    }
    m->empty = m->mode = -1;
    m->is_entered = false;
    m->orphans.n = 0;
    if (m->all) {
        memset(m->part_of, -1, (size_t)h->n_x * sizeof(int32_t));
        memset(m->equation_part, -1, (size_t)m->all->n_equation * sizeof(int32_t));
        memset(m->root_part, -1, (size_t)m->all->n_root * sizeof(int32_t));
        memset(m->equation_on, 0, (size_t)m->all->n_equation);
        memset(m->root_on, 0, (size_t)m->all->n_root);
    }
}
