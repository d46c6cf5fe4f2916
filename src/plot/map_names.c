/* SPDX-License-Identifier: MIT */
/* map_names.c: the names that have room on a map: beside what they name, off the pipes where there is such a place, never on each other. */
#include <limits.h>
#include <math.h>

#include "plot/map.h"

typedef struct box {
    double x1, y1, x2, y2;
} box;

enum {
    BOXES_MAX = 200,
    NAMED_SOURCES = 24,
    NAMED_MACHINES = 16,
    NAMED_JUNCTIONS = 30,
    LABELS_MAX = 40,
    CROSSINGS_MAX = 2000
};

typedef struct names {
    sl_map *m;
    box *taken;
    int n;
} names;

static bool is_free(const names *s, const box *b) {
    const sl_picture *p = s->m->p;
    if (b->x1 < 2.0 || b->y1 < SL_PAGE_HEAD + p->extra - 6.0 ||
        b->x2 > p->width - SL_MAP_LEGEND - SL_PAGE_MARGIN - 4.0 || b->y2 > p->height - 2.0) {
        return false;
    }
    for (int i = 0; i < s->n; i++) {
        const box *o = &s->taken[i];
        if (b->x1 < o->x2 && o->x1 < b->x2 && b->y1 < o->y2 && o->y1 < b->y2) {
            return false;
        }
    }
    return true;
}

static void take(names *s, box b) {
    if (s->n < BOXES_MAX) {
        s->taken[s->n++] = b;
    }
}

/* Does the line from a to b pass through the box? The part of it that is left between the sides, side by side. */
static bool passes(const box *o, const double a[2], const double b[2]) {
    const double low[2] = {o->x1, o->y1}, high[2] = {o->x2, o->y2};
    double begin = 0.0, end = 1.0;
    for (int k = 0; k < 2; k++) {
        double d = b[k] - a[k];
        if (d == 0.0) {
            end = a[k] < low[k] || a[k] > high[k] ? -1.0 : end;
            continue;
        }
        double t1 = (low[k] - a[k]) / d, t2 = (high[k] - a[k]) / d;
        begin = fmax(begin, fmin(t1, t2));
        end = fmin(end, fmax(t1, t2));
    }
    return begin <= end;
}

/* How many links a name there would cover; not counted in large networks, where it does anyway. */
static int covered(const names *s, const box *inner) {
    const sl_map *m = s->m;
    double rim = m->pen;
    const box wide = {inner->x1 - rim, inner->y1 - rim, inner->x2 + rim, inner->y2 + rim}, *o = &wide;
    int n = 0;
    for (int32_t i = 0; i < m->net->n_link && m->net->n_link <= CROSSINGS_MAX; i++) {
        double a[2] = {0}, b[2];
        bool hit = false;
        for (int32_t k = 0; k < sl_map_points(m, i) && !hit; k++) {
            sl_map_point(m, i, k, b);
            b[0] = sl_map_x(m, b[0]);
            b[1] = sl_map_y(m, b[1]);
            hit = k > 0 && passes(o, a, b);
            a[0] = b[0];
            a[1] = b[1];
        }
        n += hit;
    }
    return n;
}

/* Beside the place, where it covers least; nowhere when there is no room. */
static void put_name(names *s, const double at[2], double away, int rings, const sl_font *font, const char *text) {
    static const double side[][2] = {{1.0, 0.0},  {-1.0, 0.0}, {0.0, -1.0},  {0.0, 1.0},
                                     {1.0, -1.0}, {1.0, 1.0},  {-1.0, -1.0}, {-1.0, 1.0}};
    char buf[SL_TEXT_MAX];
    sl_text_fit(text, font->size, font->bold, 180.0, buf);
    double w = sl_text_width(buf, font->size, font->bold), h = font->size;
    int best = -1, least = INT_MAX;
    box place = {0};
    for (int i = 0; i < 8 * rings && least > 0; i++) {
        int k = i % 8; /* farther off only where nothing nearer is off the pipes */
        double near = (k < 4 ? away : 0.6 * away) + 5.0 * (i / 8); /* corners of a symbol are farther than its sides */
        double x = at[0] + side[k][0] * (near + 3.0 + 0.5 * w), y = at[1] + side[k][1] * (near + 2.0 + 0.5 * h);
        box b = {x - 0.5 * w - 1.0, y - 0.5 * h - 1.0, x + 0.5 * w + 1.0, y + 0.5 * h + 1.0};
        int n = is_free(s, &b) ? covered(s, &b) : INT_MAX;
        if (n < least) {
            least = n;
            best = k;
            place = b;
        }
    }
    if (best < 0) {
        return;
    }
    sl_font own = *font;
    own.anchor = side[best][0] > 0.0 ? SL_ANCHOR_START : side[best][0] < 0.0 ? SL_ANCHOR_END : SL_ANCHOR_MIDDLE;
    double x = 0.5 * (place.x1 + place.x2) - 0.5 * w * side[best][0];
    sl_draw_text(s->m->p->draw, &own, x, 0.5 * (place.y1 + place.y2) + 0.36 * h, buf);
    take(s, place);
}

static void take_symbols(names *s) {
    sl_map *m = s->m;
    double at[2], to[2], r = m->symbol;
    for (int32_t i = m->net->n_pipe; i < m->net->n_link; i++) {
        if (sl_map_place(m, i, at, to)) {
            take(s, (box){at[0] - r, at[1] - r, at[0] + r, at[1] + r});
        }
    }
    for (int32_t i = m->net->n_junction; i < m->net->n_node; i++) {
        if (sl_map_has(m, i)) {
            sl_map_node(m, i, at);
            take(s, (box){at[0] - r, at[1] - r, at[0] + r, at[1] + r});
        }
    }
}

static void name_nodes(names *s, int32_t begin, int32_t end, double away, const sl_font *font) {
    for (int32_t i = begin; i < end; i++) {
        double at[2];
        if (sl_map_has(s->m, i)) {
            sl_map_node(s->m, i, at);
            put_name(s, at, away, 2, font, sl_network_node_id(s->m->net, i));
        }
    }
}

sl_status sl_map_names(sl_map *m) {
    const sl_network *net = m->net;
    names s = {.m = m, .taken = sl_arena_alloc(&m->p->arena, BOXES_MAX * sizeof *s.taken)};
    if (!s.taken) {
        return SL_ERR_MEMORY;
    }
    take_symbols(&s);
    sl_font font = sl_picture_font(m->p);
    font.halo = m->p->theme->paper;
    if (net->n_node - net->n_junction <= NAMED_SOURCES) {
        font.bold = true;
        name_nodes(&s, net->n_junction, net->n_node, m->symbol, &font);
        font.bold = false;
    }
    font.size = 11.0;
    if (net->n_link - net->n_pipe <= NAMED_MACHINES) {
        for (int32_t i = net->n_pipe; i < net->n_link; i++) {
            double at[2], to[2];
            if (sl_map_place(m, i, at, to)) {
                put_name(&s, at, m->symbol, 2, &font, sl_network_link_id(net, i));
            }
        }
    }
    if (net->n_junction <= NAMED_JUNCTIONS) {
        name_nodes(&s, 0, net->n_junction, 1.5 * m->pen, &font);
    }
    font.italic = true;
    font.colour = m->p->theme->soft;
    for (int32_t i = 0; i < net->n_label && net->n_label <= LABELS_MAX;
         i++) { /* texts of the map begin at their place */
        double at[2] = {sl_map_x(m, net->labels[i].x), sl_map_y(m, net->labels[i].y)};
        if (isfinite(at[0]) && isfinite(at[1])) {
            put_name(&s, at, -3.0, 8, &font, net->labels[i].text);
        }
    }
    return SL_OK;
}
