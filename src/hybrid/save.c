/* SPDX-License-Identifier: MIT */
/* save.c: parts under way as bytes. Each is its integrator's last start, the steps since, and when other roots of it were looked at;
 * restoring makes the steps again. Parts come in the order of their first equations: which parts there are follows from q. */
#include "hybrid/motion_impl.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct part_head {
    int64_t n_dae, n_log; /* bytes that follow */
    int64_t n_step;
} part_head;

static int by_key(const void *a, const void *b) {
    const sl_component_key *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

/* Parts with a mark, in the order of bytes: lists of the motion have memory for them. */
static int32_t sort_parts(const sl_hybrid *h, uint32_t mark) {
    sl_motion *m = h->motion;
    m->order.n = 0;
    for (int32_t p = 0; p < m->parts.n; p++) {
        if (m->parts.at[p].flags & mark) {
            const sl_hybrid_unit *u = m->parts.at[p].unit;
            int32_t key = u->n_row > 0 ? u->rows[0] : u->n_root > 0 ? m->all->n_equation + u->rows[0] : INT32_MAX;
            m->order.at[m->order.n++] = (sl_component_key){key, p};
        }
    }
    if (m->order.n > 1) {
        qsort(m->order.at, (size_t)m->order.n, sizeof *m->order.at, by_key);
    }
    return (int32_t)m->order.n;
}

size_t sl_motion_save_size(const sl_hybrid *h) {
    size_t n = 0;
    for (int32_t p = 0; p < h->motion->parts.n; p++) {
        const sl_component *at = &h->motion->parts.at[p];
        if (at->flags & PART_SHOWN) {
            n += sizeof(part_head) + sl_dae_save_size(at->unit->dae) + (size_t)sl_component_n_log(h, at);
        }
    }
    return n;
}

void sl_motion_save(const sl_hybrid *h, char *bytes) {
    int32_t n = sort_parts(h, PART_SHOWN);
    for (int32_t k = 0; k < n; k++) {
        const sl_component *at = &h->motion->parts.at[h->motion->order.at[k].part];
        const part_head head = {(int64_t)sl_dae_save_size(at->unit->dae), sl_component_n_log(h, at), at->n_step};
        memcpy(bytes, &head, sizeof head);
        sl_dae_save(at->unit->dae, bytes + sizeof head);
        bytes += sizeof head + (size_t)head.n_dae;
        if (head.n_log > 0) {
            memcpy(bytes, at->log.at, (size_t)head.n_log);
            bytes += head.n_log;
        }
    }
}

/* What happened to the integrator after so many steps: entries of its log from *next on. */
static sl_status take_notes(sl_component *at, int32_t n_step, int64_t *next, sl_diags *diags) {
    sl_hybrid_unit *u = at->unit;
    size_t entry = sl_log_entry(at);
    sl_status status = SL_OK;
    for (int32_t when; *next < at->log.n && status == SL_OK; *next += (int64_t)entry) {
        memcpy(&when, at->log.at + *next, sizeof when);
        if (when != n_step) {
            break;
        }
        memcpy(u->active, at->log.at + *next + sizeof when, entry - sizeof when);
        status = sl_dae_set_active(u->dae, u->active, diags);
    }
    return status;
}

/* Makes the steps of a part again. */
static sl_status replay(sl_hybrid *h, sl_component *at, int32_t n_step, sl_diags *diags) {
    sl_dae *d = at->unit->dae;
    int64_t next = 0;
    sl_dae_step_info info = {0};
    sl_status status = take_notes(at, 0, &next, diags);
    sl_motion_hold(h, at->unit);
    for (int32_t k = 0; k < n_step && status == SL_OK; k++) {
        status = sl_dae_time(d) <= h->now.t ? sl_dae_step(d, diags, &info) : SL_ERR_INPUT;
        status = status == SL_OK ? take_notes(at, k + 1, &next, diags) : status;
    }
    at->t = sl_dae_time(d);
    at->flags |= (info.n_fired > 0 ? PART_FIRED : 0) | (info.at_limit ? PART_AT_LIMIT : 0);
    return status != SL_OK || (sl_dae_n_step(d) == n_step && next == at->log.n) ? status : SL_ERR_INPUT;
}

static sl_status restore_part(sl_hybrid *h, int32_t p, const char *bytes, size_t n, size_t *n_used, sl_diags *diags) {
    sl_component *at = sl_component_at(h, p);
    part_head head;
    int64_t entry = (int64_t)sl_log_entry(at);
    int32_t n_step = 0;
    if (n < sizeof head) {
        return SL_ERR_INPUT;
    }
    memcpy(&head, bytes, sizeof head);
    size_t rest = n - sizeof head;
    if (head.n_dae != (int64_t)sl_dae_save_size(at->unit->dae) || (size_t)head.n_dae > rest || head.n_log < 0 ||
        (size_t)head.n_log > rest - (size_t)head.n_dae || head.n_log % entry != 0 || head.n_step < 0 ||
        head.n_step > INT32_MAX) {
        return SL_ERR_INPUT;
    }
    if (!SL_RESERVE(h->ctx, &at->log, head.n_log)) {
        return SL_ERR_MEMORY;
    }
    if (head.n_log > 0) {
        memcpy(at->log.at, bytes + sizeof head + head.n_dae, (size_t)head.n_log);
    }
    at->log.n = head.n_log;
    at->n_step = (int32_t)head.n_step;
    sl_status status = sl_dae_rewind(at->unit->dae, bytes + sizeof head, (size_t)head.n_dae, diags, &n_step);
    status = status == SL_OK ? replay(h, at, n_step, diags) : status;
    sl_dae_get_active(at->unit->dae, at->unit->active);
    bool covers =
        status == SL_OK && at->t >= h->now.t - 300.0 * 2.2e-16 * fabs(h->now.t) &&
        (h->now.begin >= at->t || sl_dae_interpolate(at->unit->dae, h->now.begin, at->unit->x, at->unit->dx) == SL_OK);
    *n_used = sizeof head + (size_t)head.n_dae + (size_t)head.n_log;
    return status != SL_OK ? status : covers ? SL_OK : SL_ERR_INPUT;
}

sl_status sl_motion_restore(sl_hybrid *h, const char *bytes, size_t n, size_t *n_used, int32_t *n_fired,
                            sl_diags *diags) {
    sl_motion *m = h->motion;
    sl_status status = sl_motion_enter(h, diags);
    *n_used = 0;
    if (status != SL_OK || !h->now.has_step) {
        return status;
    }
    int32_t n_part = sort_parts(h, PART_IN_FORCE);
    for (int32_t k = 0; k < m->parts.n; k++) {
        m->parts.at[k].flags &= ~(uint32_t)PART_PENDING;
    }
    m->pending.n = 0;
    sl_motion_answered(h);
    for (int32_t k = 0; k < n_part && status == SL_OK; k++) {
        int32_t p = m->order.at[k].part;
        size_t used = 0;
        status = restore_part(h, p, bytes + *n_used, n - *n_used, &used, diags);
        *n_used += used;
        sl_component *at = &m->parts.at[p];
        at->flags &= ~(uint32_t)(PART_MOVED | PART_FRESH);
        at->flags |= PART_RUNNING | PART_SHOWN;
        at->synced = -1;
        sl_heap_set(h, p);
        if (status == SL_OK && (at->flags & PART_FIRED) && at->t <= h->now.t) {
            sl_component_notice_fired(h, p);
        }
    }
    *n_fired = sl_motion_n_fired(h);
    return status;
}
