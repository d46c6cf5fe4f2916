/* SPDX-License-Identifier: MIT */
/* units.c: compiled equations of modes and parts, by what they are made of. Those that nothing moves by are kept, up to a number of
 * bytes; the one that was not used for the longest time goes first. Whether one was kept decides no bit.
 */
#include "hybrid/motion_impl.h"

#include "base/ids.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

static size_t own_size(const sl_hybrid_unit *u) {
    return sizeof *u + (size_t)(u->n_row + u->n_root) * sizeof(int32_t);
}

static void add_stats(sl_dae_stats *all, const sl_dae *d) {
    sl_dae_stats s = sl_dae_statistics(d);
    all->n_step += s.n_step;
    all->n_restart += s.n_restart;
    all->n_residual += s.n_residual;
    all->n_jacobian += s.n_jacobian;
    all->n_newton += s.n_newton;
    all->n_error_fail += s.n_error_fail;
    all->n_newton_fail += s.n_newton_fail;
    all->n_root += s.n_root;
    all->n_factor += s.n_factor;
    all->n_refactor += s.n_refactor;
}

void sl_motion_add_statistics(const sl_hybrid *h, sl_hybrid_stats *all) {
    const sl_motion *m = h->motion;
    all->dae = m->gone;
    all->n_part = m->n_in_force;
    all->bytes = (int64_t)m->bytes;
    for (int32_t k = 0; k < m->n_bucket; k++) {
        for (const sl_hybrid_unit *u = m->buckets[k]; u; u = u->same) {
            add_stats(&all->dae, u->dae);
        }
    }
}

/* ---- Release ------------------------------------------------------------------------------------ */

static void destroy(sl_hybrid *h, sl_hybrid_unit *u) {
    if (u->dae) {
        add_stats(&h->motion->gone, u->dae);
        sl_dae_destroy(u->dae);
    }
    sl_free(h->ctx, u->x, u->x ? u->n_room : 0);
    if (h->ops->release) {
        h->ops->release(h->instance, u->id, &u->mode);
    }
    h->motion->bytes -= u->size;
    sl_free(h->ctx, u, own_size(u));
}

static void unlink_idle(sl_motion *m, sl_hybrid_unit *u) {
    *(u->newer ? &u->newer->older : &m->newest) = u->older;
    *(u->older ? &u->older->newer : &m->oldest) = u->newer;
    u->newer = u->older = NULL;
    m->idle -= u->size;
}

static void release(sl_hybrid *h, sl_hybrid_unit *u) {
    sl_motion *m = h->motion;
    sl_hybrid_unit **at = &m->buckets[u->hash % (uint64_t)m->n_bucket];
    while (*at != u) {
        at = &(*at)->same;
    }
    *at = u->same;
    m->n_unit--;
    unlink_idle(m, u);
    destroy(h, u);
}

void sl_unit_drop(sl_hybrid *h, sl_hybrid_unit *u) {
    sl_motion *m = h->motion;
    if (--u->n_user > 0) {
        return;
    }
    u->older = m->newest;
    *(m->newest ? &m->newest->newer : &m->oldest) = u;
    m->newest = u;
    m->idle += u->size;
    while (m->idle > h->def.kept) {
        release(h, m->oldest);
    }
}

void sl_units_close(sl_hybrid *h) {
    sl_motion *m = h->motion;
    for (int32_t k = 0; k < m->n_bucket; k++) {
        for (sl_hybrid_unit *u = m->buckets[k], *next; u; u = next) {
            next = u->same;
            destroy(h, u);
        }
    }
    sl_free(h->ctx, m->buckets, m->buckets ? (size_t)m->n_bucket * sizeof *m->buckets : 0);
    m->buckets = NULL;
    m->n_bucket = m->n_unit = 0;
    m->newest = m->oldest = NULL;
}

/* ---- Finding ------------------------------------------------------------------------------------ */

static bool grow(sl_hybrid *h) {
    enum { FIRST = 16 };
    sl_motion *m = h->motion;
    if (m->n_unit < m->n_bucket) {
        return true;
    }
    int32_t n = m->n_bucket > 0 ? 2 * m->n_bucket : FIRST;
    sl_hybrid_unit **buckets = sl_alloc(h->ctx, (size_t)n * sizeof *buckets);
    if (!buckets) {
        return false;
    }
    for (int32_t k = 0; k < m->n_bucket; k++) {
        for (sl_hybrid_unit *u = m->buckets[k], *next; u; u = next) {
            next = u->same;
            sl_hybrid_unit **to = &buckets[u->hash % (uint64_t)n];
            u->same = *to;
            *to = u;
        }
    }
    sl_free(h->ctx, m->buckets, m->buckets ? (size_t)m->n_bucket * sizeof *m->buckets : 0);
    m->buckets = buckets;
    m->n_bucket = n;
    return true;
}

/* Has one more user, if there is one. */
static sl_hybrid_unit *find(sl_motion *m, uint64_t hash, int32_t id, int32_t n_row, const int32_t *rows, int32_t n_root,
                            const int32_t *roots) {
    for (sl_hybrid_unit *u = m->n_bucket > 0 ? m->buckets[hash % (uint64_t)m->n_bucket] : NULL; u; u = u->same) {
        if (u->hash == hash && u->id == id && u->n_row == n_row && u->n_root == n_root &&
            (n_row == 0 || memcmp(u->rows, rows, (size_t)n_row * sizeof *rows) == 0) &&
            (n_root == 0 || memcmp(u->rows + n_row, roots, (size_t)n_root * sizeof *roots) == 0)) {
            if (u->n_user++ == 0) {
                unlink_idle(m, u);
            }
            return u;
        }
    }
    return NULL;
}

/* Room and an integrator for what the model has compiled. */
static sl_status finish(sl_hybrid *h, sl_hybrid_unit *u, sl_diags *diags) {
    sl_dae_def def = h->def.dae;
    def.n_restart = 0; /* motion does that: it has more to remember */
    def.stall = def.stall > 0.0 ? def.stall : isfinite(h->def.end) ? 1e-12 * h->def.end : 0.0;
    def.atols = u->mode.atols;
    def.directions = NULL;
    def.is_checked = u->mode.is_checked;
    def.home = h->motion->home;
    size_t n = (size_t)sl_dae_n_value(&u->mode.system), r = (size_t)u->mode.system.n_root;
    sl_status status = sl_dae_create(h->ctx, &u->mode.system, &def, diags, &u->dae);
    u->n_room = (2 * n + r + 2) * sizeof(double) + 3 * r;
    u->x = status == SL_OK ? sl_alloc(h->ctx, u->n_room) : NULL;
    if (!u->x) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    u->dx = u->x + n + 1;
    u->seconds = u->dx + n + 1;
    u->active = (uint8_t *)(u->seconds + r);
    u->above = u->active + r;
    u->side = u->above + r;
    u->size = own_size(u) + u->n_room + u->mode.size + sl_dae_size(u->dae);
    return SL_OK;
}

static sl_status compile(sl_hybrid *h, sl_hybrid_unit *u, sl_diags *diags) {
    const sl_hybrid_ops *ops = h->ops;
    return u->id >= 0
               ? ops->compile(h->instance, u->id, h->q, diags, &u->mode)
               : ops->compile_part(h->instance, u->n_row, u->rows, u->n_root, u->rows + u->n_row, diags, &u->mode);
}

static sl_status make(sl_hybrid *h, uint64_t hash, int32_t id, int32_t n_row, const int32_t *rows, int32_t n_root,
                      const int32_t *roots, sl_diags *diags, sl_hybrid_unit **out) {
    sl_motion *m = h->motion;
    const sl_hybrid_unit head = {.id = id, .n_row = n_row, .n_root = n_root, .hash = hash, .n_user = 1};
    sl_hybrid_unit *u = grow(h) ? sl_alloc(h->ctx, own_size(&head)) : NULL;
    if (!u) {
        return SL_ERR_MEMORY;
    }
    *u = head;
    u->rows = (int32_t *)(void *)(u + 1);
    if (n_row > 0) {
        memcpy(u->rows, rows, (size_t)n_row * sizeof *rows);
    }
    if (n_root > 0) {
        memcpy(u->rows + n_row, roots, (size_t)n_root * sizeof *roots);
    }
    sl_status status = compile(h, u, diags);
    if (status != SL_OK) {
        sl_free(h->ctx, u, own_size(u));
        return status;
    }
    status = finish(h, u, diags);
    if (status != SL_OK) {
        u->size = 0;
        destroy(h, u);
        return status;
    }
    m->bytes += u->size;
    m->n_unit++;
    u->same = m->buckets[hash % (uint64_t)m->n_bucket];
    m->buckets[hash % (uint64_t)m->n_bucket] = u;
    h->stats.n_compiled++;
    *out = u;
    return SL_OK;
}

sl_status sl_unit_find_mode(sl_hybrid *h, int32_t id, sl_diags *diags, sl_hybrid_unit **out) {
    *out = find(h->motion, (uint64_t)id, id, 0, NULL, 0, NULL);
    return *out ? SL_OK : make(h, (uint64_t)id, id, 0, NULL, 0, NULL, diags, out);
}

sl_status sl_unit_find_component(sl_hybrid *h, int32_t n_row, const int32_t *rows, int32_t n_root, const int32_t *roots,
                                 sl_diags *diags, sl_hybrid_unit **out) {
    const uint64_t halves[2] = {sl_hash_bytes(rows, (size_t)n_row * sizeof *rows),
                                sl_hash_bytes(roots, (size_t)n_root * sizeof *roots)};
    uint64_t hash = sl_hash_bytes(halves, sizeof halves);
    *out = find(h->motion, hash, -1, n_row, rows, n_root, roots);
    return *out ? SL_OK : make(h, hash, -1, n_row, rows, n_root, roots, diags, out);
}
