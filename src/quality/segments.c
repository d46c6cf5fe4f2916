/* SPDX-License-Identifier: MIT */
/* segments.c: room for the rows of segments.h. */
#include "quality/segments.h"

#include "base/memory.h"

#include <string.h>

static uint32_t class_of(uint32_t capacity) {
    uint32_t k = 0;
    while (((uint32_t)SL_ROW_LEAST << k) < capacity) {
        k++;
    }
    return k;
}

static sl_status reserve(sl_segments *s, uint64_t n) {
    if (n <= s->capacity) {
        return SL_OK;
    }
    if (n > UINT32_MAX) {
        return SL_ERR_MEMORY;
    }
    sl_segment *pool = sl_resize(s->ctx, s->pool, s->capacity * sizeof *pool, (size_t)n * sizeof *pool);
    if (!pool) {
        return SL_ERR_MEMORY;
    }
    s->pool = pool;
    s->capacity = (uint32_t)n;
    return SL_OK;
}

/* A ring of this class, from those that were left or from the end of the pool. Places begin at 1: 0 means none. */
static sl_status ring(sl_segments *s, uint32_t k, uint32_t *at) {
    if (s->free[k]) {
        *at = s->free[k];
        memcpy(&s->free[k], &s->pool[*at], sizeof s->free[k]);
        return SL_OK;
    }
    uint64_t n = (uint64_t)SL_ROW_LEAST << k, need = s->used + n;
    sl_status status = need <= s->capacity ? SL_OK : reserve(s, need + need / 2);
    if (status != SL_OK) {
        return status;
    }
    *at = s->used;
    s->used += (uint32_t)n;
    return SL_OK;
}

/* Where rings begin: not at 0, and so that the smallest ones are in one cache line each. */
static uint32_t first_place(const sl_segments *s) {
    size_t line = (size_t)SL_ROW_LEAST * sizeof *s->pool;
    return (uint32_t)((line - (uintptr_t)s->pool % line) / sizeof *s->pool);
}

void sl_segments_clear(sl_segments *s) {
    s->used = first_place(s);
    s->n_plain = 0;
    memset(s->free, 0, sizeof s->free);
    for (int32_t i = 0; i < s->n_row; i++) {
        s->row[i] = (sl_row){.at = s->used, .mask = SL_ROW_LEAST - 1};
        s->used += SL_ROW_LEAST;
    }
}

sl_status sl_segments_create(sl_context *ctx, int32_t n, uint32_t spare, sl_segments *out) {
    *out = (sl_segments){.ctx = ctx, .n_row = n};
    uint64_t room = SL_ROW_LEAST + (uint64_t)n * SL_ROW_LEAST + spare;
    if (room > UINT32_MAX) {
        return SL_ERR_MEMORY;
    }
    out->row = sl_alloc(ctx, (size_t)(n > 0 ? n : 1) * sizeof *out->row);
    out->pool = sl_alloc(ctx, (size_t)room * sizeof *out->pool);
    out->capacity = out->pool ? (uint32_t)room : 0;
    if (!out->row || !out->pool) {
        sl_segments_destroy(out);
        return SL_ERR_MEMORY;
    }
    sl_segments_clear(out);
    return SL_OK;
}

void sl_segments_destroy(sl_segments *s) {
    if (s->ctx) {
        sl_free(s->ctx, s->row, (size_t)(s->n_row > 0 ? s->n_row : 1) * sizeof *s->row);
        sl_free(s->ctx, s->pool, s->capacity * sizeof *s->pool);
    }
    *s = (sl_segments){0};
}

/* The capacity that a copied row gets: some room to grow. */
static uint32_t capacity_for(uint32_t n) {
    return n + 1 <= SL_ROW_LEAST ? SL_ROW_LEAST : 1u << (32 - __builtin_clz(n + 1));
}

/* A pool that is often copied is laid out anew: it is then shorter, and read from one end to the other by the next step. */
enum { PLAIN_COPIES = 2, SMALL = 1 << 15, PLAIN_COPIES_SMALL = 63 }; /* small: the second cache holds it in any order */

bool sl_segments_large(const sl_segments *s) {
    return s->used > SMALL;
}

bool sl_segments_lay_out(const sl_segments *from) {
    return from->n_plain >= (sl_segments_large(from) ? PLAIN_COPIES : PLAIN_COPIES_SMALL);
}

sl_status sl_segments_ready(sl_segments *to, const sl_segments *from) {
    uint64_t need = SL_ROW_LEAST;
    if (!sl_segments_lay_out(from)) {
        need = from->used;
    } else {
        for (int32_t i = 0; i < from->n_row; i++) {
            need += capacity_for(from->row[i].n);
        }
    }
    return need <= to->capacity ? SL_OK : reserve(to, need + need / 4);
}

static void lay_out(sl_segments *to, const sl_segments *from, const int32_t *sequence) {
    memset(to->free, 0, sizeof to->free);
    to->used = first_place(to);
    to->n_plain = 0;
    for (int32_t k = 0; k < from->n_row; k++) {
        int32_t i = sequence ? sequence[k] : k;
        const sl_row *r = &from->row[i];
        uint32_t capacity = capacity_for(r->n);
        sl_segment *at = to->pool + to->used;
        for (uint32_t j = 0; j < r->n; j++) { /* a handful: a call would take longer */
            at[j] = *sl_segment_at(from, r, j);
        }
        to->row[i] = (sl_row){.at = to->used, .n = r->n, .mask = capacity - 1};
        to->used += capacity;
    }
}

void sl_segments_copy(sl_segments *to, const sl_segments *from, const int32_t *sequence) {
    if (sl_segments_lay_out(from)) {
        lay_out(to, from, sequence);
        return;
    }
    memcpy(to->free, from->free, sizeof to->free);
    memcpy(to->row, from->row, (size_t)from->n_row * sizeof *to->row);
    memcpy(to->pool, from->pool, (size_t)from->used * sizeof *to->pool);
    to->used = from->used;
    to->n_plain = from->n_plain + 1;
}

int64_t sl_segments_total(const sl_segments *s) {
    int64_t n = 0;
    for (int32_t i = 0; i < s->n_row; i++) {
        n += s->row[i].n;
    }
    return n;
}

sl_status sl_segments_grow(sl_segments *s, int32_t row) {
    sl_row *r = &s->row[row];
    uint32_t capacity = r->mask + 1, k = class_of(capacity), at;
    if (k + 1 >= SL_ROW_CLASSES) {
        return SL_ERR_MEMORY;
    }
    sl_status status = ring(s, k + 1, &at);
    if (status != SL_OK) {
        return status;
    }
    for (uint32_t i = 0; i < r->n; i++) {
        s->pool[at + i] = *sl_segment_at(s, r, i);
    }
    memcpy(&s->pool[r->at], &s->free[k], sizeof s->free[k]);
    s->free[k] = r->at;
    *r = (sl_row){.at = at, .n = r->n, .mask = 2 * capacity - 1};
    return SL_OK;
}
