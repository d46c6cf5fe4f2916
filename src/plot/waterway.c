/* SPDX-License-Identifier: MIT */
/* waterway.c: see waterway.h. */
#include "plot/waterway.h"

#include <math.h>

#include "base/out.h"
#include "plot/profile.h"

static const double width_fitting = 900.0, height_fitting = 490.0, row = 20.0;
static const double wall = 9.0, inside = 6.0, gate = 9.0; /* widths of lines */
enum { LEGEND = 165, LEVEL_HALF = 13 };

typedef struct colours {
    uint32_t rock, air, water, head, gate;
} colours;

static colours colours_of(const sl_picture *p) {
    bool dark = p->def->dark;
    return (colours){.rock = sl_mix(p->theme->paper, p->theme->soft, 0.55),
                     .air = p->theme->paper,
                     .water = sl_line_colour(0, dark),
                     .head = sl_line_colour(1, dark),
                     .gate = dark ? 0xff6b6b : 0xc1121f};
}

/* ---- Axes --------------------------------------------------------------------------------------- */

static void take(double y, double span[2]) {
    if (isfinite(y)) {
        span[0] = fmin(span[0], y);
        span[1] = fmax(span[1], y);
    }
}

/* So far down that names have room below the tunnels. */
static void find_axes(sl_profile_page *g, const sl_waterway *w) {
    const sl_plot_def *def = g->p->def;
    double y[2] = {INFINITY, -INFINITY}, end = 0.0;
    for (int32_t k = 0; k < w->n_place; k++) {
        take(w->places[k].z, y);
        take(w->places[k].level, y);
        end = fmax(end, w->places[k].x);
    }
    for (int32_t k = 0; k < w->n_piece; k++) {
        take(w->pieces[k].z[0], y);
        take(w->pieces[k].z[1], y);
        take(w->pieces[k].head[0], y);
        take(w->pieces[k].head[1], y);
    }
    double rise = fmax(y[1] - y[0], 1.0), part = (g->names + wall) / g->f.height;
    double low = isnan(def->low) ? y[0] - rise * part / (1.0 - part) : def->low;
    double high = isnan(def->high) ? y[1] + 0.03 * rise : def->high;
    int32_t most = (int32_t)fmax(g->f.height / 45.0, 3.0);
    bool whole = isnan(def->low) && isnan(def->high);
    g->f.value = whole || !(low < high) ? sl_axis_tight(low, high > low ? high : low + 1.0, most)
                                        : sl_axis_exact(low, high, most);
    g->f.x = SL_PAGE_MARGIN + sl_frame_labels(&g->f);
    g->f.width = fmax(g->p->width - g->f.x - SL_PAGE_MARGIN - LEGEND, 60.0);
    double room = 0.02 * end; /* levels at the ends do not stand on the labels */
    g->f.time.axis = sl_axis_exact(-room, end + room, (int32_t)fmax(g->f.width / 80.0, 2.0));
}

/* ---- What there is ------------------------------------------------------------------------------ */

/* The part of a stretch between two parts of its length, and from one height to another. */
static void draw_part(const sl_profile_page *g, const sl_waterway_piece *t, const double part[2], const double y[2],
                      const char *tip) {
    double x[2];
    for (int j = 0; j < 2; j++) {
        x[j] = sl_frame_x(&g->f, t->x[0] + part[j] * (t->x[1] - t->x[0]));
    }
    sl_draw_stroke(g->p->draw, x[0], sl_frame_y(&g->f, y[0]), x[1], sl_frame_y(&g->f, y[1]), tip);
}

static double axis_at(const sl_waterway_piece *t, double part) {
    return t->z[0] + part * (t->z[1] - t->z[0]);
}

static void draw_tunnels(const sl_profile_page *g, const sl_waterway *w, const colours *c) {
    static const double all[2] = {0.0, 1.0};
    for (int pass = 0; pass < 2; pass++) {
        sl_draw_pen(g->p->draw, pass == 0 ? c->rock : c->air, pass == 0 ? wall : inside, 0.0);
        for (int32_t k = 0; k < w->n_piece; k++) {
            draw_part(g, &w->pieces[k], all, w->pieces[k].z, pass == 0 ? NULL : w->pieces[k].name);
        }
    }
}

/* Columns, each with the head along it. */
static void draw_water(const sl_profile_page *g, const sl_waterway *w, const colours *c) {
    for (int32_t k = 0; k < w->n_piece; k++) {
        const sl_waterway_piece *t = &w->pieces[k];
        bool full = t->wet[0] >= 1.0;
        for (int j = 0; j < (full ? 1 : 2); j++) {
            char tip[SL_TITLE_MAX];
            const double part[2] = {j == 0 ? 0.0 : 1.0, j == 0 ? fmin(t->wet[0], 1.0) : 1.0 - t->wet[1]};
            const double y[2] = {axis_at(t, part[0]), axis_at(t, part[1])};
            const double head[2] = {t->head[j], full ? t->head[1] : y[1]}; /* a free front has no pressure */
            if (t->wet[j] <= 0.0) {
                continue;
            }
            (void)sl_format(tip, sizeof tip, "%s: %.4g m³/s", t->name, t->flow[j]);
            sl_draw_pen(g->p->draw, c->water, inside, 0.0);
            draw_part(g, t, part, y, tip);
            if (isfinite(head[0]) && isfinite(head[1])) {
                sl_draw_pen(g->p->draw, c->head, 1.6, 0.0);
                draw_part(g, t, part, head, NULL);
            }
        }
    }
}

static bool draw_gates(const sl_profile_page *g, const sl_waterway *w, const colours *c) {
    bool any = false;
    sl_draw_pen(g->p->draw, c->gate, 3.0, 0.0);
    for (int32_t k = 0; k < w->n_piece; k++) {
        const sl_waterway_piece *t = &w->pieces[k];
        for (int j = 0; j < 2; j++) {
            double x = sl_frame_x(&g->f, t->x[j]) + (j == 0 ? 3.0 : -3.0), y = sl_frame_y(&g->f, t->z[j]);
            if (t->shut[j]) {
                sl_draw_stroke(g->p->draw, x, y - gate, x, y + gate, "a gate that is shut");
                any = true;
            }
        }
    }
    return any;
}

/* A level: a short line with a triangle on it, over its sill. */
static void put_level(const sl_profile_page *g, double x, double y, uint32_t colour, const char *tip) {
    static const double triangle[3][2] = {{0.0, 0.0}, {-1.0, -1.6}, {1.0, -1.6}};
    sl_draw_pen(g->p->draw, colour, 2.0, 0.0);
    sl_draw_stroke(g->p->draw, x - LEVEL_HALF, y, x + LEVEL_HALF, y, tip);
    sl_draw_fill(g->p->draw, colour, 1.0);
    sl_draw_begin(g->p->draw);
    sl_draw_polygon(g->p->draw, triangle, 3, x, y, 5.0);
    sl_draw_end(g->p->draw, NULL);
}

static bool draw_levels(const sl_profile_page *g, const sl_waterway *w, const colours *c) {
    bool any = false;
    for (int32_t k = 0; k < w->n_place; k++) {
        const sl_waterway_place *at = &w->places[k];
        if (isfinite(at->level)) {
            char tip[SL_TITLE_MAX];
            double x = sl_frame_x(&g->f, at->x);
            (void)sl_format(tip, sizeof tip, "%s: %.6g m", at->name, at->level);
            sl_draw_pen(g->p->draw, c->water, 1.0, 2.5);
            sl_draw_stroke(g->p->draw, x, sl_frame_y(&g->f, at->z), x, sl_frame_y(&g->f, at->level), NULL);
            put_level(g, x, sl_frame_y(&g->f, at->level), c->water, tip);
            any = true;
        }
    }
    return any;
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void put_sample(const sl_profile_page *g, int32_t k, uint32_t colour, double width, const char *name) {
    double x = g->f.x + g->f.width + 14.0, y = g->f.y + 8.0 + row * k;
    sl_font font = sl_picture_font(g->p);
    sl_draw_pen(g->p->draw, colour, width, 0.0);
    sl_draw_stroke(g->p->draw, x, y, x + 16.0, y, NULL);
    if (name) {
        sl_draw_text_within(g->p->draw, &font, x + 25.0, y + 4.0, LEGEND - 40.0, name);
    }
}

static void put_legend(const sl_profile_page *g, const colours *c, bool gates, bool levels) {
    int32_t n = 3;
    put_sample(g, 0, c->rock, wall, "tunnel");
    put_sample(g, 0, c->air, inside, NULL);
    put_sample(g, 1, c->water, inside, "water");
    put_sample(g, 2, c->head, 1.6, "head");
    if (gates) {
        put_sample(g, n++, c->gate, 3.0, "gate, shut");
    }
    if (levels) {
        put_sample(g, n, c->water, 2.0, "level outside");
    }
}

sl_status sl_waterway_draw(sl_picture *p, const sl_waterway *w) {
    sl_profile_mark *marks = sl_arena_alloc(&p->arena, ((size_t)w->n_place + 1) * sizeof *marks);
    if (!marks) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < w->n_place; k++) {
        const sl_waterway_place *at = &w->places[k];
        marks[k] = (sl_profile_mark){
            .x = at->x, .name = at->name, .kind = isfinite(at->level) ? SL_PROFILE_SOURCE : SL_PROFILE_NODE};
    }
    const sl_profile names = {.marks = marks, .n_mark = w->n_place};
    sl_profile_page g = {.p = p, .of = &names, .f.time.unit = 1.0};
    sl_status status = sl_picture_open(p, width_fitting, height_fitting, w->second);
    if (status != SL_OK) {
        return status;
    }
    const colours c = colours_of(p);
    g.f.y = SL_PAGE_HEAD + p->extra + 24.0;
    g.f.height = fmax(p->height - g.f.y - 54.0, 60.0);
    g.names = SL_PROFILE_ROW * SL_PROFILE_ROWS + 8.0;
    find_axes(&g, w);
    sl_frame_values(p, &g.f);
    sl_draw_clip(p->draw, g.f.x - 2.0, g.f.y - 2.0, g.f.width + 4.0, g.f.height + 4.0);
    draw_tunnels(&g, w, &c);
    draw_water(&g, w, &c);
    bool gates = draw_gates(&g, w, &c);
    bool levels = draw_levels(&g, w, &c);
    sl_draw_unclip(p->draw);
    put_legend(&g, &c, gates, levels);
    sl_profile_names(&g);
    sl_frame_time(p, &g.f, "Chainage [m]");
    sl_picture_axis_label(p, &g.f, SL_AXIS_LIFT, "Elevation [m]");
    return SL_OK;
}
