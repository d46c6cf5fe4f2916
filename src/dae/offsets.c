/* SPDX-License-Identifier: MIT */
/* offsets.c: see offsets.h. The matching grows as Hopcroft and Karp (1973) do, over the entries that are tight for the present
 * duals; where no path leads on, the duals of all that was reached rise by the smallest slack. */
#include "dae/offsets.h"

#include "base/memory.h"

#include <string.h>

typedef struct search {
    const int32_t *start, *col;
    const uint8_t *order;
    int32_t n;
    int32_t *u, *v;           /* duals of rows and columns */
    int32_t *col_of, *row_of; /* the matching */
    int32_t *level;           /* [n] of rows, -1: not reached */
    int32_t *next;            /* [n] where the walk through a row stands */
    int32_t *queue;           /* [n] rows in the order of their levels; the path of a walk */
    int32_t *via;             /* [n] the column by which each row of the path goes on */
    uint8_t *is_reached;      /* [n] columns */
} search;

static bool is_tight(const search *s, int32_t i, int32_t k) {
    return s->order[k] + s->u[i] == s->v[s->col[k]];
}

/* Pairs rows with free columns along tight entries, as a beginning. */
static void match_cheaply(search *s) {
    for (int32_t i = 0; i < s->n; i++) {
        for (int32_t k = s->start[i]; k < s->start[i + 1] && s->col_of[i] < 0; k++) {
            if (s->row_of[s->col[k]] < 0 && is_tight(s, i, k)) {
                s->col_of[i] = s->col[k];
                s->row_of[s->col[k]] = i;
            }
        }
    }
}

/* Levels of rows from all those without a partner; true when a free column was found. n_reached rows are in the queue. */
static bool find_levels(search *s, int32_t *n_reached) {
    int32_t n = 0, last = INT32_MAX;
    memset(s->is_reached, 0, (size_t)s->n);
    for (int32_t i = 0; i < s->n; i++) {
        s->level[i] = s->col_of[i] < 0 ? 0 : -1;
        s->next[i] = s->start[i];
        if (s->col_of[i] < 0) {
            s->queue[n++] = i;
        }
    }
    for (int32_t at = 0; at < n && s->level[s->queue[at]] <= last; at++) {
        int32_t i = s->queue[at];
        for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            int32_t j = s->col[k];
            if (s->is_reached[j] || !is_tight(s, i, k)) {
                continue;
            }
            s->is_reached[j] = 1;
            int32_t on = s->row_of[j];
            if (on < 0) {
                last = s->level[i];
            } else {
                s->level[on] = s->level[i] + 1;
                s->queue[n++] = on;
            }
        }
    }
    *n_reached = n;
    return last < INT32_MAX;
}

/* A path from a free row down the levels to a free column, whose pairs are turned over. */
static bool augment(search *s, int32_t root) {
    int32_t depth = 0;
    s->queue[0] = root;
    while (depth >= 0) {
        int32_t i = s->queue[depth], k = s->next[i]++;
        if (k >= s->start[i + 1]) {
            depth--;
            continue;
        }
        int32_t j = s->col[k], on = s->row_of[j];
        if (!is_tight(s, i, k) || (on >= 0 && s->level[on] != s->level[i] + 1)) {
            continue;
        }
        s->via[depth] = j;
        if (on < 0) {
            for (; depth >= 0; depth--) {
                s->col_of[s->queue[depth]] = s->via[depth];
                s->row_of[s->via[depth]] = s->queue[depth];
            }
            return true;
        }
        s->queue[++depth] = on;
    }
    return false;
}

/* Duals of all that was reached rise until an entry to a column that was not becomes tight. */
static void raise_duals(search *s, int32_t n_reached) {
    int32_t least = INT32_MAX;
    for (int32_t at = 0; at < n_reached; at++) {
        int32_t i = s->queue[at];
        for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            int32_t slack = s->v[s->col[k]] - s->u[i] - s->order[k];
            least = !s->is_reached[s->col[k]] && slack < least ? slack : least;
        }
    }
    for (int32_t at = 0; at < n_reached; at++) {
        int32_t i = s->queue[at];
        s->u[i] += least;
        if (s->col_of[i] >= 0) {
            s->v[s->col_of[i]] += least; /* columns that were reached are those of rows that were */
        }
    }
}

static void match(search *s) {
    int32_t n_free = 0, n_reached;
    match_cheaply(s);
    for (int32_t i = 0; i < s->n; i++) {
        n_free += s->col_of[i] < 0;
    }
    while (n_free > 0) {
        if (!find_levels(s, &n_reached)) {
            raise_duals(s, n_reached);
            continue;
        }
        for (int32_t i = 0; i < s->n; i++) {
            n_free -= s->col_of[i] < 0 && augment(s, i);
        }
    }
}

/* The smallest offsets for the matching: what rises makes its column, and the partner of that, rise. */
static void relax(const search *s, int32_t *c, int32_t *d) {
    int32_t *order_of = s->via, *queue = s->queue, *is_queued = s->level, head = 0, n = s->n;
    for (int32_t i = 0; i < s->n; i++) {
        for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            order_of[i] = s->col[k] == s->col_of[i] ? s->order[k] : order_of[i];
        }
        queue[i] = i;
        is_queued[i] = 1;
        c[i] = d[i] = 0;
    }
    while (n > 0) {
        int32_t i = queue[head];
        head = head + 1 < s->n ? head + 1 : 0;
        n--;
        is_queued[i] = 0;
        for (int32_t k = s->start[i]; k < s->start[i + 1]; k++) {
            int32_t j = s->col[k], r = s->row_of[j];
            d[j] = s->order[k] + c[i] > d[j] ? s->order[k] + c[i] : d[j];
            if (d[j] - order_of[r] > c[r]) {
                c[r] = d[j] - order_of[r];
                int32_t end = head + n < s->n ? head + n : head + n - s->n;
                if (!is_queued[r]) {
                    queue[end] = r;
                    is_queued[r] = 1;
                    n++;
                }
            }
        }
    }
}

sl_status sl_offsets_init(sl_offsets *o, sl_context *ctx, int32_t n, const int32_t *start, const int32_t *col,
                          const uint8_t *order) {
    size_t m = (size_t)n;
    *o = (sl_offsets){.n = n, .ctx = ctx, .n_byte = (3 * m + 1) * sizeof(int32_t)};
    o->c = sl_alloc(ctx, o->n_byte);
    size_t bytes = (7 * m + 1) * sizeof(int32_t) + m;
    int32_t *room = o->c ? sl_alloc(ctx, bytes) : NULL;
    if (!room) {
        sl_offsets_fini(o);
        return SL_ERR_MEMORY;
    }
    o->d = o->c + m;
    o->col_of = o->d + m;
    search s = {.start = start, .col = col, .order = order, .n = n};
    s.u = room;
    s.v = s.u + m;
    s.col_of = o->col_of;
    s.row_of = s.v + m;
    s.level = s.row_of + m;
    s.next = s.level + m;
    s.queue = s.next + m;
    s.via = s.queue + m;
    s.is_reached = (uint8_t *)(s.via + m);
    memset(s.col_of, -1, m * sizeof *s.col_of);
    memset(s.row_of, -1, m * sizeof *s.row_of);
    for (int32_t k = 0; k < start[n]; k++) {
        s.v[col[k]] = order[k] > s.v[col[k]] ? order[k] : s.v[col[k]];
    }
    match(&s);
    relax(&s, o->c, o->d);
    sl_free(ctx, room, bytes);
    return SL_OK;
}

/* The row of a variable's partner has to be differentiated as often as the variable, and brings others with it. Offsets that are all
 * one larger do, so this ends. */
sl_status sl_offsets_raise(sl_offsets *o, const int32_t *start, const int32_t *col, const uint8_t *order,
                           const uint8_t *least) {
    size_t n = (size_t)o->n, bytes = (3 * n + 1) * sizeof(int32_t);
    int32_t *row_of = sl_alloc(o->ctx, bytes), *order_of = row_of + n, *stack = order_of + n, n_stack = 0;
    if (!row_of) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < o->n; i++) {
        row_of[o->col_of[i]] = i;
        for (int32_t k = start[i]; k < start[i + 1]; k++) {
            order_of[i] = col[k] == o->col_of[i] ? order[k] : order_of[i];
        }
    }
    for (int32_t first = 0; first < o->n; first++) {
        if (least[first] <= o->d[first]) {
            continue;
        }
        o->d[first] = least[first];
        for (stack[n_stack++] = row_of[first]; n_stack > 0;) {
            int32_t i = stack[--n_stack];
            o->c[i] = o->d[o->col_of[i]] - order_of[i];
            for (int32_t k = start[i]; k < start[i + 1]; k++) {
                bool is_waiting = o->c[row_of[col[k]]] < o->d[col[k]] - order_of[row_of[col[k]]];
                if (order[k] + o->c[i] > o->d[col[k]]) {
                    o->d[col[k]] = order[k] + o->c[i];
                    stack[n_stack] = row_of[col[k]];
                    n_stack += !is_waiting;
                }
            }
        }
    }
    sl_free(o->ctx, row_of, bytes);
    return SL_OK;
}

void sl_offsets_fini(sl_offsets *o) {
    if (o->ctx) {
        sl_free(o->ctx, o->c, o->c ? o->n_byte : 0);
    }
    *o = (sl_offsets){0};
}

int32_t sl_offsets_index(const sl_offsets *o) {
    int32_t most = 0;
    bool algebraic = false;
    for (int32_t i = 0; i < o->n; i++) {
        most = o->c[i] > most ? o->c[i] : most;
        algebraic = algebraic || o->d[i] == 0;
    }
    return most + algebraic;
}
