/* SPDX-License-Identifier: MIT */
/* profile_names.c: names on a profile: nodes in the ground, in rows, where they do not cover each other; pumps and valves as symbols
 * at their place, with their names over the frame. Ends of the line come first, then reservoirs and tanks, then junctions. */
#include <math.h>

#include "plot/profile.h"

enum { TAKEN_MAX = 200 };
static const double size = 11.0, between = 5.0;

typedef struct rows {
    struct {
        double low, high;
        int row;
    } at[TAKEN_MAX];
    int n;
} rows;

bool sl_profile_has_machines(const sl_profile *f) {
    for (int32_t k = 0; k < f->n_mark; k++) {
        if (f->marks[k].kind >= SL_PROFILE_PUMP) {
            return true;
        }
    }
    return false;
}

static bool is_free(const rows *r, int row, double low, double high) {
    for (int i = 0; i < r->n; i++) {
        if (r->at[i].row == row && low < r->at[i].high + between && high > r->at[i].low - between) {
            return false;
        }
    }
    return r->n < TAKEN_MAX;
}

/* Puts a name into the first row with room; -1: there is none. *x is moved so that it lies within the frame. */
static int take(rows *r, const sl_profile_page *g, double width, int n_row, double *x) {
    double half = 0.5 * width;
    *x = fmin(fmax(*x, g->f.x + half + 2.0), g->f.x + g->f.width - half - 2.0);
    for (int row = 0; row < n_row; row++) {
        if (is_free(r, row, *x - half, *x + half)) {
            r->at[r->n].low = *x - half;
            r->at[r->n].high = *x + half;
            r->at[r->n++].row = row;
            return row;
        }
    }
    return -1;
}

static sl_font font_of(const sl_profile_page *g) {
    sl_font font = sl_picture_font(g->p);
    font.size = size;
    font.anchor = SL_ANCHOR_MIDDLE;
    return font;
}

static void put_node(const sl_profile_page *g, rows *r, const sl_profile_mark *m) {
    char buf[SL_TEXT_MAX];
    sl_font font = font_of(g);
    font.bold = m->kind == SL_PROFILE_SOURCE;
    sl_text_fit(m->name, size, font.bold, 120.0, buf);
    double at = sl_frame_x(&g->f, m->x), x = at;
    int row = take(r, g, sl_text_width(buf, size, font.bold), SL_PROFILE_ROWS, &x);
    if (row < 0) {
        return;
    }
    double bottom = g->f.y + g->f.height;
    sl_draw_pen(g->p->draw, g->p->theme->soft, 1.0, 0.0);
    sl_draw_stroke(g->p->draw, at, bottom, at, bottom - 5.0, NULL);
    sl_draw_text(g->p->draw, &font, x, bottom - 10.0 - SL_PROFILE_ROW * row, buf);
}

static void put_machine(const sl_profile_page *g, rows *r, const sl_profile_mark *m) {
    static const double right[2] = {1.0, 0.0};
    char buf[SL_TEXT_MAX];
    sl_font font = font_of(g);
    double x = sl_frame_x(&g->f, m->x), text = x;
    double y = isfinite(m->y[0]) && isfinite(m->y[1]) ? sl_frame_y(&g->f, 0.5 * (m->y[0] + m->y[1])) : g->f.y;
    const double at[2] = {x, fmin(fmax(y, g->f.y + 8.0), g->f.y + g->f.height - 8.0)};
    sl_draw_pen(g->p->draw, g->p->theme->neutral, 1.0, 2.0);
    sl_draw_stroke(g->p->draw, x, g->f.y - 4.0, x, at[1], NULL);
    sl_map map = {.p = g->p};
    sl_map_put_symbol(&map, m->kind == SL_PROFILE_PUMP ? SL_MAP_PUMP : SL_MAP_VALVE, m->off, at, right, 7.0, m->name);
    sl_text_fit(m->name, size, false, 120.0, buf);
    if (take(r, g, sl_text_width(buf, size, false), 1, &text) == 0) {
        sl_draw_text(g->p->draw, &font, text, g->f.y - 8.0, buf);
    }
}

void sl_profile_names(const sl_profile_page *g) {
    const sl_profile *of = g->of;
    rows nodes = {0}, machines = {0};
    for (int pass = 0; pass < 3; pass++) {
        for (int32_t k = 0; k < of->n_mark; k++) {
            const sl_profile_mark *m = &of->marks[k];
            bool end = k == 0 || k == of->n_mark - 1;
            int own = end ? 0 : m->kind == SL_PROFILE_SOURCE ? 1 : 2;
            if (m->kind < SL_PROFILE_PUMP && own == pass) {
                put_node(g, &nodes, m);
            }
        }
    }
    for (int32_t k = 0; k < of->n_mark; k++) {
        if (of->marks[k].kind >= SL_PROFILE_PUMP) {
            put_machine(g, &machines, &of->marks[k]);
        }
    }
}
