/* SPDX-License-Identifier: MIT */
/* ldl_order.c: the order of elimination, and the columns of the factor that it makes; see docs/theory/sparse.md.
 *
 * An unknown that few others are joined to is eliminated on the graph itself: its neighbours are joined to each other, and
 * its list of neighbours, which stays as it is from then on, is its column. The one with the fewest goes first (minimum
 * degree); of several, the one whose list changed last. In networks nearly all go this way, in half the time of a general
 * ordering with the search for the pattern that has to follow it: lists are short, and little is guessed wrong.
 *
 * Longer lists would cost too much that way. The rest is ordered by approximate minimum degree (AMD, Amestoy, Davis, Duff
 * 1996 and 2004), by SuiteSparse's amd_2: the entry point that works in memory of the caller, so that the context's
 * allocator sees all of it. A column of the rest is what its unknown is joined to, with the columns of its children in the
 * elimination tree.
 */
#include "numeric/ldl_impl.h"

#include <amd.h>
#include <assert.h>
#include <string.h>

/* Unknowns with more neighbours are for AMD: beyond this the factor gets larger than AMD's. */
enum { FEW = 6 };
/* Lists are as long as whole blocks, which are read without looking for their end. */
enum { BLOCK = 8 };
/* Neighbours of an unknown with a longer list are for AMD, too: to look through it again and again takes long. */
enum { LONGEST = 64 };
/* What lists may take more when an unknown is eliminated. */
enum { MOST_MORE = FEW * (2 * ((int)LONGEST + (int)FEW) + (int)BLOCK) };

typedef struct graph {
    sl_context *ctx;
    ldl_columns *c;
    ldl_vertex *x; /* [n + FEW + 2] the unknowns; then rings of those with 0 .. FEW neighbours, and of all others */
    int32_t n;
    int32_t n_done; /* eliminated so far */
    int32_t *seen;  /* [n + 1] the last search that met an unknown */
    int32_t search;
    bool any_long; /* there may be lists of more than LONGEST */
} graph;

static int32_t *ints(sl_arena *arena, int64_t n) {
    return sl_arena_alloc(arena, (size_t)n * sizeof(int32_t));
}

static int32_t whole_blocks(int32_t n) {
    return (n + BLOCK - 1) & ~(BLOCK - 1);
}

static void unlink(ldl_vertex *x, int32_t u) {
    x[x[u].before].next = x[u].next;
    x[x[u].next].before = x[u].before;
}

static void link_first(ldl_vertex *x, int32_t u, int32_t ring) {
    x[u].before = ring;
    x[u].next = x[ring].next;
    x[x[ring].next].before = u;
    x[ring].next = u;
}

static int32_t ring_of(const graph *g, int32_t n_neighbour) {
    return g->n + (n_neighbour <= FEW ? n_neighbour : FEW + 1);
}

/* Room for so many more numbers in lists. */
static sl_status reserve(graph *g, int64_t n) {
    if (g->c->at.n + n > INT32_MAX) {
        return SL_ERR_UNSUPPORTED;
    }
    return SL_RESERVE(g->ctx, &g->c->at, g->c->at.n + n) ? SL_OK : SL_ERR_MEMORY;
}

/* ---- The graph ---------------------------------------------------------------------------------- */

/* Room for the lists, filled up with n, which is no unknown. */
static sl_status make_lists(graph *g, int32_t n_edge, const int32_t *from, const int32_t *to) {
    ldl_vertex *x = g->x;
    for (int32_t e = 0; e < n_edge; e++) {
        if (sl_ldl_is_entry(from[e], to[e])) {
            x[from[e]].room++;
            x[to[e]].room++;
        }
    }
    int64_t all = 0;
    for (int32_t i = 0; i < g->n; i++) {
        all += whole_blocks(x[i].room);
    }
    sl_status status = reserve(g, all + all / 2 + MOST_MORE); /* some will grow */
    if (status != SL_OK) {
        return status;
    }
    int32_t end = 0, none = g->n, *at = g->c->at.at;
    for (int32_t i = 0; i < g->n; i++) {
        x[i].begin = end;
        x[i].room = whole_blocks(x[i].room);
        g->any_long |= x[i].room > LONGEST;
        end += x[i].room;
    }
    g->c->at.n = end;
#pragma omp simd
    for (int32_t i = 0; i < end; i++) {
        at[i] = none;
    }
    return SL_OK;
}

/* Neighbours of each unknown, each once, and the rings. */
static sl_status make_graph(graph *g, int32_t n_edge, const int32_t *from, const int32_t *to) {
    ldl_vertex *x = g->x;
    sl_status status = make_lists(g, n_edge, from, to);
    if (status != SL_OK) {
        return status;
    }
    int32_t *at = g->c->at.at;
    for (int32_t e = 0; e < n_edge; e++) {
        if (sl_ldl_is_entry(from[e], to[e])) {
            at[x[from[e]].begin + x[from[e]].n++] = to[e];
            at[x[to[e]].begin + x[to[e]].n++] = from[e];
        }
    }
    for (int32_t r = g->n; r < g->n + FEW + 2; r++) {
        x[r].next = x[r].before = r;
    }
    for (int32_t i = 0; i < g->n; i++) {
        int32_t *list = at + x[i].begin, n = 0;
        g->search++;
        for (int32_t a = 0; a < x[i].n; a++) { /* edges side by side count once */
            int32_t v = list[a];
            list[n] = v;
            n += g->seen[v] != g->search;
            g->seen[v] = g->search;
        }
        for (int32_t a = n; a < x[i].n; a++) {
            list[a] = g->n;
        }
        x[i].n = n;
        x[i].position = g->n;
        link_first(x, i, ring_of(g, n));
    }
    return SL_OK;
}

/* ---- Few neighbours ----------------------------------------------------------------------------- */

/* Joins u, a neighbour of p, to the other ones instead of p: list has n of them. */
static void join(graph *g, int32_t p, int32_t u, const int32_t *list, int32_t n) {
    ldl_vertex *x = &g->x[u];
    int32_t *restrict seen = g->seen, search = ++g->search, last = x->n - 1;
    int32_t *at = g->c->at.at;
    if (last + n > x->room) {
        int32_t *to = at + g->c->at.n, room = whole_blocks(2 * (last + n));
        memcpy(to, at + x->begin, (size_t)x->n * sizeof *to);
        for (int32_t i = x->n; i < room; i++) {
            to[i] = g->n;
        }
        x->begin = (int32_t)g->c->at.n;
        x->room = room;
        g->any_long |= room > LONGEST;
        g->c->at.n += room;
    }
    int32_t *own = at + x->begin, place = 0;
    for (int32_t first = 0; first <= last; first += BLOCK) {
#pragma GCC unroll 8
        for (int32_t i = first; i < first + BLOCK; i++) {
            seen[own[i]] = search;
            place = own[i] == p ? i : place;
        }
    }
    own[place] = own[last];
    seen[u] = search;
    for (int32_t i = 0; i < n; i++) { /* behind those that are left without p */
        own[last] = list[i];
        last += seen[list[i]] != search;
    }
    own[last] = g->n;
    x->n = last;
}

static bool has_long_neighbour(const graph *g, int32_t p) {
    const int32_t *list = g->c->at.at + g->x[p].begin;
    int32_t longest = 0;
    for (int32_t i = 0; i < g->x[p].n; i++) {
        longest = g->x[list[i]].n > longest ? g->x[list[i]].n : longest;
    }
    return longest > LONGEST;
}

/* Eliminates p, unless a neighbour's list is very long. */
static sl_status eliminate(graph *g, int32_t p, int32_t *fewest) {
    ldl_vertex *x = g->x;
    unlink(x, p);
    if (g->any_long && has_long_neighbour(g, p)) {
        link_first(x, p, g->n + FEW + 1);
        return SL_OK;
    }
    sl_status status = reserve(g, MOST_MORE);
    if (status != SL_OK) {
        return status;
    }
    int32_t n = x[p].n;
    const int32_t *list = g->c->at.at + x[p].begin;
    x[p].position = g->n_done;
    g->c->order[g->n_done++] = p;
    for (int32_t i = 0; i < n; i++) {
        int32_t u = list[i];
        join(g, p, u, list, n);
        x[u].met++;
        x[u].height = x[u].height > x[p].height ? x[u].height : x[p].height + 1;
        int32_t ring = ring_of(g, x[u].n);
        unlink(x, u);
        link_first(x, u, ring);
        *fewest = ring - g->n < *fewest ? ring - g->n : *fewest;
    }
    return SL_OK;
}

static_assert((int)FEW <= (int)LDL_HEAD_LENGTH, "what is eliminated here belongs to the head");

static sl_status eliminate_few(graph *g) {
    for (int32_t fewest = 0; fewest <= FEW;) {
        int32_t p = g->x[g->n + fewest].next;
        if (p >= g->n) {
            fewest++;
            continue;
        }
        sl_status status = eliminate(g, p, &fewest);
        if (status != SL_OK) {
            return status;
        }
    }
    return SL_OK;
}

/* ---- The rest ----------------------------------------------------------------------------------- */

static sl_status order_rest(graph *g, sl_arena *scratch) {
    static_assert(sizeof(int) == sizeof(int32_t), "amd_2 works on int");
    int32_t n = g->n - g->n_done, *name = g->seen, n_entry = 0, i = 0;
    int32_t *who = ints(scratch, n), *begin = ints(scratch, n), *length = ints(scratch, n),
            *work = ints(scratch, 7 * (int64_t)n);
    if (!who || !begin || !length || !work) {
        return SL_ERR_MEMORY;
    }
    for (int32_t u = 0; u < g->n; u++) {
        if (g->x[u].position == g->n) {
            who[i] = u;
            name[u] = i++;
            n_entry += g->x[u].n;
        }
    }
    int64_t room = (int64_t)n_entry + n_entry / 5 + n; /* what AMD recommends */
    int32_t *at = room <= INT32_MAX ? ints(scratch, room) : NULL, *order = work + 6 * (size_t)n;
    if (!at) {
        return room <= INT32_MAX ? SL_ERR_MEMORY : SL_ERR_UNSUPPORTED;
    }
    for (int32_t k = 0, end = 0; k < n; k++) {
        const ldl_vertex *x = &g->x[who[k]];
        begin[k] = end;
        length[k] = x->n;
        for (int32_t a = 0; a < x->n; a++) {
            at[end++] = name[g->c->at.at[x->begin + a]];
        }
    }
    amd_2(n, begin, at, length, (int)room, n_entry, work, work + n, order, work + 2 * (size_t)n, work + 3 * (size_t)n,
          work + 4 * (size_t)n, work + 5 * (size_t)n, NULL, NULL);
    for (int32_t k = 0; k < n; k++) {
        g->c->order[g->n_done + k] = who[order[k]];
        g->x[who[order[k]]].position = g->n_done + k;
        g->seen[who[order[k]]] = 0;
    }
    g->search = 0;
    return SL_OK;
}

/* Adds to the column that ends the lists, of unknown p, what is in this list and not yet eliminated nor there. */
static void add_list(graph *g, const ldl_vertex *x, int32_t p) {
    const int32_t *from = g->c->at.at + x->begin;
    int32_t *to = g->c->at.at + g->c->at.n, n = 0, after = g->x[p].position;
    for (int32_t i = 0; i < x->n; i++) {
        int32_t v = from[i];
        to[n] = v;
        n += (g->x[v].position > after) & (g->seen[v] != g->search);
        g->seen[v] = g->search;
    }
    g->c->at.n += n;
}

/* Children of an unknown in the elimination tree, each as 1 + its number; 0: there are no more. */
typedef struct tree {
    int32_t *child, *sibling; /* [n] */
} tree;

/* The column of p: what it is joined to, with the columns of its children. */
static sl_status make_column(graph *g, const tree *t, int32_t p) {
    ldl_vertex *x = g->x;
    int64_t most = x[p].n, begin = g->c->at.n;
    for (int32_t c = t->child[p]; c > 0; c = t->sibling[c - 1]) {
        most += x[c - 1].n;
    }
    sl_status status = reserve(g, most);
    if (status != SL_OK) {
        return status;
    }
    g->search++;
    add_list(g, &x[p], p);
    for (int32_t c = t->child[p]; c > 0; c = t->sibling[c - 1]) {
        add_list(g, &x[c - 1], p);
    }
    x[p].begin = (int32_t)begin;
    x[p].n = (int32_t)(g->c->at.n - begin);
    if (x[p].n > LDL_HEAD_LENGTH && x[p].height < LDL_IN_TAIL) {
        x[p].height = LDL_IN_TAIL;
    }
    return SL_OK;
}

/* In the order of elimination: children come before their parent, which is the first of their column to be eliminated. */
static sl_status merge_rest(graph *g, sl_arena *scratch) {
    ldl_vertex *x = g->x;
    tree t = {ints(scratch, g->n), ints(scratch, g->n)};
    if (!t.child || !t.sibling) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = g->n_done; k < g->n; k++) {
        int32_t p = g->c->order[k], parent = g->n;
        sl_status status = make_column(g, &t, p);
        if (status != SL_OK) {
            return status;
        }
        for (int32_t a = x[p].begin; a < x[p].begin + x[p].n; a++) {
            int32_t v = g->c->at.at[a];
            x[v].met++;
            parent = x[v].position < parent ? x[v].position : parent;
        }
        if (parent < g->n) {
            int32_t u = g->c->order[parent];
            t.sibling[p] = t.child[u];
            t.child[u] = p + 1;
            x[u].height = x[u].height > x[p].height ? x[u].height : x[p].height + 1;
        }
    }
    return SL_OK;
}

sl_status sl_ldl_find_columns(sl_ldl *p, sl_arena *scratch, const int32_t *from, const int32_t *to, ldl_columns *c) {
    graph g = {.ctx = p->ctx, .c = c, .n = p->n};
    g.x = c->x = sl_arena_alloc(scratch, (size_t)(p->n + FEW + 2) * sizeof *g.x);
    g.seen = ints(scratch, (int64_t)p->n + 1);
    c->order = ints(scratch, p->n);
    if (!g.x || !g.seen || !c->order) {
        return SL_ERR_MEMORY;
    }
    sl_status status = make_graph(&g, p->n_edge, from, to);
    status = status == SL_OK ? eliminate_few(&g) : status;
    if (status == SL_OK && g.n_done < g.n) {
        status = order_rest(&g, scratch);
        status = status == SL_OK ? merge_rest(&g, scratch) : status;
    }
    return status;
}
