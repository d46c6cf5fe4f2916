/* SPDX-License-Identifier: MIT */
/* segments.h: parcels of water in a row, for every pipe and tank.
 *
 * A row is a ring of a power-of-two capacity in one pool, so that parcels join and leave at both ends without moving the
 * others: when the flow in a pipe turns round, only the ends change their roles. Rings that outgrow their room move to
 * one of twice the size; what they leave is kept for others. Most copies are plain; every third, of small pools every
 * 64th, is laid out anew, each row with the room it needs and in the order in which it is met.
 */
#ifndef SL_QUALITY_SEGMENTS_H
#define SL_QUALITY_SEGMENTS_H

#include <sluice/base.h>

typedef struct sl_segment {
    double v, c; /* volume, concentration */
} sl_segment;

typedef struct sl_row {
    uint32_t at;   /* first place in the pool */
    uint32_t head; /* offset of the front segment */
    uint32_t n;
    uint32_t mask; /* capacity - 1 */
} sl_row;

enum { SL_ROW_CLASSES = 31, SL_ROW_LEAST = 2 };

typedef struct sl_segments {
    sl_context *ctx;
    int32_t n_row;
    sl_row *row;
    sl_segment *pool;
    uint32_t used;                     /* of the pool */
    uint32_t capacity;                 /* of the pool */
    uint32_t n_plain;                  /* plain copies since the pool was laid out */
    uint32_t free[SL_ROW_CLASSES + 1]; /* first free ring of SL_ROW_LEAST << class, 0: none; the next one is in it */
} sl_segments;

/* n empty rows, with room for so many segments more than they begin with. */
sl_status sl_segments_create(sl_context *ctx, int32_t n, uint32_t spare, sl_segments *out);
void sl_segments_destroy(sl_segments *s);
/* Makes `to`, of the same number of rows, hold what `from` does; rows that are laid out lie in this sequence (NULL: their
 * own). ready makes the room for it: after that a copy cannot fail. */
bool sl_segments_lay_out(const sl_segments *from); /* will a copy be? */
sl_status sl_segments_ready(sl_segments *to, const sl_segments *from);
void sl_segments_copy(sl_segments *to, const sl_segments *from, const int32_t *sequence);
bool sl_segments_large(const sl_segments *s); /* more than the second cache holds */
void sl_segments_clear(sl_segments *s);
int64_t sl_segments_total(const sl_segments *s);
/* Makes room for one more in a full row. */
sl_status sl_segments_grow(sl_segments *s, int32_t row);

/* The i-th segment from the front. */
static inline sl_segment *sl_segment_at(const sl_segments *s, const sl_row *r, uint32_t i) {
    return &s->pool[r->at + ((r->head + i) & r->mask)];
}
static inline sl_segment *sl_segment_front(const sl_segments *s, const sl_row *r) {
    return sl_segment_at(s, r, 0);
}
static inline sl_segment *sl_segment_back(const sl_segments *s, const sl_row *r) {
    return sl_segment_at(s, r, r->n - 1);
}
/* One end of a row: the front, or the back. NULL: the row is empty. */
static inline sl_segment *sl_segment_end(const sl_segments *s, const sl_row *r, bool front) {
    return r->n == 0 ? NULL : front ? sl_segment_front(s, r) : sl_segment_back(s, r);
}

/* Adds v of concentration c at one end: to the segment there when that differs by less than tol. False: no memory. */
static inline bool sl_segment_add(sl_segments *s, int32_t row, bool front, double v, double c, double tol) {
    sl_row *r = &s->row[row];
    sl_segment *last = sl_segment_end(s, r, front);
    if (last && __builtin_fabs(last->c - c) < tol) {
        double sum = last->v + v;
        last->c = sum > 0.0 ? last->c + (c - last->c) * (v / sum) : c;
        last->v = sum;
        return true;
    }
    if (r->n > r->mask) {
        if (sl_segments_grow(s, row) != SL_OK) {
            return false;
        }
    }
    r->head -= front;
    r->n++;
    *sl_segment_end(s, r, front) = (sl_segment){v, c};
    return true;
}

/* Takes up to v away at one end; *taken is how much there was. Returns its mass. */
static inline double sl_segment_withdraw(sl_segments *s, int32_t row, bool front, double v, double *taken) {
    sl_row *r = &s->row[row];
    double mass = 0.0, left = v;
    while (r->n > 0) {
        sl_segment *x = sl_segment_end(s, r, front);
        if (x->v > left) {
            x->v -= left;
            mass += left * x->c;
            left = 0.0;
            break;
        }
        left -= x->v;
        mass += x->v * x->c;
        r->head += front;
        r->n--;
        if (left <= 0.0) {
            break;
        }
    }
    *taken = v - left;
    return mass;
}

#endif
