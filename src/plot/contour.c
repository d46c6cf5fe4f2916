/* SPDX-License-Identifier: MIT */
/* contour.c: marching squares: a cell two or four of whose edges are crossed holds pieces of curves between the crossings; the
 * pieces are linked from cell to cell. See contour.h.
 */
#include "plot/contour.h"

#include <math.h>

typedef struct grid {
    const sl_trace_level *l;
    const sl_contour_box *box;
    int32_t n;
    int32_t (*links)[2]; /* by edge: those along the first axis, row by row, then those along the second; -1: none */
} grid;

static int32_t across(const grid *g, int32_t i, int32_t j) {
    return j * g->n + i;
}

static int32_t up(const grid *g, int32_t i, int32_t j) {
    return (g->n + 1) * g->n + j * (g->n + 1) + i;
}

static double page_x(const grid *g, double u) {
    return g->box->x + g->box->width * u / g->n;
}

static double page_y(const grid *g, double v) {
    return g->box->y + g->box->height * (1.0 - v / g->n);
}

/* The crossing of an edge on the page. */
static void page_point(const grid *g, int32_t edge, double at[2]) {
    int32_t n = g->n, n_across = (n + 1) * n, k = edge < n_across ? edge : edge - n_across;
    double u, v;
    if (edge < n_across) {
        u = k % n + (double)g->l->across[k];
        v = k / n;
    } else {
        u = k % (n + 1);
        v = k / (n + 1) + (double)g->l->up[k];
    }
    at[0] = page_x(g, u);
    at[1] = page_y(g, v);
}

/* ---- Curves ------------------------------------------------------------------------------------- */

static void join(grid *g, int32_t a, int32_t b) {
    g->links[a][g->links[a][0] >= 0] = b;
    g->links[b][g->links[b][0] >= 0] = a;
}

static void link_cell(grid *g, int32_t i, int32_t j) {
    int32_t edges[4] = {across(g, i, j), up(g, i + 1, j), across(g, i, j + 1), up(g, i, j)}, crossed[4], n = 0;
    const float values[4] = {g->l->across[j * g->n + i], g->l->up[j * (g->n + 1) + i + 1],
                             g->l->across[(j + 1) * g->n + i], g->l->up[j * (g->n + 1) + i]};
    for (int k = 0; k < 4; k++) {
        if (!isnan(values[k])) {
            crossed[n++] = edges[k];
        }
    }
    for (int k = 0; k + 1 < n; k += 2) {
        join(g, crossed[k], crossed[k + 1]);
    }
}

/* Follows a curve from one end, or round; the links are used up. Points on a straight line are left out. */
static void follow(grid *g, sl_draw *draw, int32_t edge) {
    static const double straight = 0.15; /* pixels */
    double last[2], at[2], next[2];
    page_point(g, edge, last);
    at[0] = last[0];
    at[1] = last[1];
    sl_draw_move(draw, last[0], last[1]);
    for (;;) {
        int32_t to = g->links[edge][0] >= 0 ? g->links[edge][0] : g->links[edge][1];
        if (to < 0) {
            break;
        }
        g->links[edge][g->links[edge][0] < 0] = -1;
        g->links[to][g->links[to][0] != edge] = -1;
        page_point(g, to, next);
        double d[2] = {next[0] - last[0], next[1] - last[1]}, length = hypot(d[0], d[1]);
        double off = length > 0.0 ? fabs((at[0] - last[0]) * d[1] - (at[1] - last[1]) * d[0]) / length : 0.0;
        if (off > straight) {
            sl_draw_line(draw, at[0], at[1]);
            last[0] = at[0];
            last[1] = at[1];
        }
        at[0] = next[0];
        at[1] = next[1];
        edge = to;
    }
    sl_draw_line(draw, at[0], at[1]);
}

sl_status sl_contour_curves(sl_draw *draw, const sl_trace_level *level, const sl_contour_box *box, sl_arena *arena) {
    grid g = {.l = level, .box = box, .n = box->n};
    int32_t n_edge = 2 * (g.n + 1) * g.n;
    g.links = sl_arena_alloc(arena, (size_t)n_edge * sizeof *g.links);
    if (!g.links) {
        return SL_ERR_MEMORY;
    }
    for (int32_t e = 0; e < n_edge; e++) {
        g.links[e][0] = g.links[e][1] = -1;
    }
    for (int32_t j = 0; j < g.n; j++) {
        for (int32_t i = 0; i < g.n; i++) {
            link_cell(&g, i, j);
        }
    }
    for (int round = 0; round < 2; round++) { /* those with ends, then those that are closed */
        for (int32_t e = 0; e < n_edge; e++) {
            bool first = g.links[e][0] >= 0, second = g.links[e][1] >= 0;
            if (round == 0 ? first != second : first || second) {
                follow(&g, draw, e);
            }
        }
    }
    return SL_OK;
}

/* ---- Areas -------------------------------------------------------------------------------------- */

static bool is_whole(const grid *g, int32_t i, int32_t j) {
    const uint8_t *in = &g->l->inside[j * (g->n + 1) + i];
    return in[0] && in[1] && in[g->n + 1] && in[g->n + 2];
}

/* What of a cell is inside: corners and crossings in turn, the way round that boxes go, so that neighbours make one area. */
static void draw_curve(const grid *g, sl_draw *draw, int32_t i, int32_t j) {
    const uint8_t *in = &g->l->inside[j * (g->n + 1) + i];
    const bool corner[4] = {in[0], in[g->n + 1], in[g->n + 2], in[1]};
    const double at[4][2] = {{i, j}, {i, j + 1}, {i + 1, j + 1}, {i + 1, j}};
    const int32_t edges[4] = {up(g, i, j), across(g, i, j + 1), up(g, i + 1, j), across(g, i, j)};
    int n = 0;
    for (int k = 0; k < 4; k++) {
        if (corner[k]) {
            (n++ ? sl_draw_line : sl_draw_move)(draw, page_x(g, at[k][0]), page_y(g, at[k][1]));
        }
        if (corner[k] != corner[(k + 1) % 4]) {
            double cut[2];
            page_point(g, edges[k], cut);
            (n++ ? sl_draw_line : sl_draw_move)(draw, cut[0], cut[1]);
        }
    }
    if (n > 0) {
        sl_draw_close(draw);
    }
}

void sl_contour_area(sl_draw *draw, const sl_trace_level *level, const sl_contour_box *box) {
    grid g = {.l = level, .box = box, .n = box->n};
    for (int32_t j = 0; j < g.n; j++) {
        for (int32_t i = 0; i < g.n;) {
            int32_t end = i;
            while (end < g.n && is_whole(&g, end, j)) {
                end++;
            }
            if (end > i) {
                sl_draw_box(draw, page_x(&g, i), page_y(&g, j + 1), page_x(&g, end) - page_x(&g, i),
                            page_y(&g, j) - page_y(&g, j + 1));
                i = end;
            } else {
                draw_curve(&g, draw, i, j);
                i++;
            }
        }
    }
}
