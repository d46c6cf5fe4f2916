/* SPDX-License-Identifier: MIT */
/* automaton_phase.c: the phase plane of two variables at a moment: the trajectory up to then with its start and its crossings,
 * the directions of motion in the mode in force, the curves on which active roots are zero, and cells of conditions.
 *
 * Directions are strokes of one length: how fast it goes is not shown.
 */
#include <math.h>

#include "base/out.h"
#include "plot/automaton.h"
#include "plot/contour.h"

enum { LEGEND_LEAST = 170, LEGEND_MOST = 380, SIGN = 70, RINGS = 400 };

static const double frame_fitting = 500.0, legend_from = 500.0, row = 20.0;

typedef struct chart {
    sl_automaton_page *a;
    sl_draw *draw;
    const sl_trace *trace;
    const sl_trace_plane *plane;
    sl_frame f;              /* its time axis is the first variable */
    double legend, legend_y; /* its width, its next row */
    bool has_moved;          /* the moment is not the start */
} chart;

static const double *point(const chart *c, int64_t i) {
    return &c->trace->x[i * c->trace->n_x];
}

/* ---- Axes --------------------------------------------------------------------------------------- */

static void draw_axes(const chart *c) {
    char label[SL_LABEL_MAX];
    const sl_theme *theme = c->a->p.theme;
    double bottom = c->f.y + c->f.height;
    sl_draw_pen(c->draw, theme->soft, 1.0, 0.0);
    sl_draw_begin(c->draw);
    sl_draw_box(c->draw, c->f.x, c->f.y, c->f.width, c->f.height);
    for (int32_t i = 0; i < c->f.time.axis.n; i++) {
        double x = sl_frame_x(&c->f, c->f.time.axis.first + i * c->f.time.axis.step);
        sl_draw_segment(c->draw, x, bottom, x, bottom + 5.0);
    }
    for (int32_t i = 0; i < c->f.value.n; i++) {
        double y = sl_frame_y(&c->f, c->f.value.first + i * c->f.value.step);
        sl_draw_segment(c->draw, c->f.x - 5.0, y, c->f.x, y);
    }
    sl_draw_end(c->draw, NULL);
    sl_font font = sl_picture_soft_font(&c->a->p, SL_ANCHOR_MIDDLE);
    for (int32_t i = 0; i < c->f.time.axis.n; i++) {
        double x = c->f.time.axis.first + i * c->f.time.axis.step;
        sl_draw_text(c->draw, &font, sl_frame_x(&c->f, x), bottom + 19.0, sl_axis_label(x, c->f.time.axis.step, label));
    }
    font.anchor = SL_ANCHOR_END;
    for (int32_t i = 0; i < c->f.value.n; i++) {
        double y = c->f.value.first + i * c->f.value.step;
        sl_draw_text(c->draw, &font, c->f.x - 9.0, sl_frame_y(&c->f, y) + 4.0,
                     sl_axis_label(y, c->f.value.step, label));
    }
    font.colour = theme->ink;
    font.italic = true;
    font.anchor = SL_ANCHOR_MIDDLE;
    sl_draw_text_within(c->draw, &font, c->f.x + c->f.width / 2.0, bottom + 38.0, c->f.width, c->trace->x_names[0]);
    font.anchor = SL_ANCHOR_START;
    sl_draw_text_within(c->draw, &font, SL_PAGE_MARGIN, c->f.y - 10.0, c->f.width, c->trace->x_names[1]);
}

/* ---- Plane -------------------------------------------------------------------------------------- */

/* A stroke through a point, with a head. */
static void put_arrow(const chart *c, double x, double y, double dx, double dy, double length) {
    double size = hypot(dx, dy), ux = dx / size, uy = dy / size, half = 0.5 * length, head = 0.36 * length;
    double tip[2] = {x + half * ux, y + half * uy};
    sl_draw_segment(c->draw, x - half * ux, y - half * uy, tip[0], tip[1]);
    sl_draw_segment(c->draw, tip[0] - head * (0.87 * ux - 0.5 * uy), tip[1] - head * (0.87 * uy + 0.5 * ux), tip[0],
                    tip[1]);
    sl_draw_line(c->draw, tip[0] - head * (0.87 * ux + 0.5 * uy), tip[1] - head * (0.87 * uy - 0.5 * ux));
}

static void draw_arrows(const chart *c) {
    double scale[2] = {c->f.width / (c->plane->high[0] - c->plane->low[0]),
                       c->f.height / (c->plane->high[1] - c->plane->low[1])};
    double length = 0.62 * fmin(c->f.width, c->f.height) / SL_TRACE_ARROWS;
    int32_t n = c->plane->arrows ? SL_TRACE_ARROWS * SL_TRACE_ARROWS : 0;
    double fastest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        const sl_trace_arrow *a = &c->plane->arrows[i];
        fastest = fmax(fastest, hypot(a->dx[0] * scale[0], a->dx[1] * scale[1]));
    }
    sl_draw_pen(c->draw, sl_mix(c->a->p.theme->paper, c->a->p.theme->neutral, 0.85), 1.0, 0.0);
    sl_draw_begin(c->draw);
    for (int32_t i = 0; i < n; i++) {
        const sl_trace_arrow *a = &c->plane->arrows[i];
        double dx = a->dx[0] * scale[0], dy = -a->dx[1] * scale[1];
        if (isfinite(dx) && isfinite(dy) && hypot(dx, dy) > 1e-9 * fastest) { /* the rest is at rest */
            put_arrow(c, sl_frame_x(&c->f, a->x[0]), sl_frame_y(&c->f, a->x[1]), dx, dy, length);
        }
    }
    sl_draw_end(c->draw, NULL);
}

/* Roots and conditions take colours in turn, each from their own end, after those of the trajectory. */
static uint32_t level_colour(const chart *c, int32_t i) {
    static const int32_t of_roots[] = {2, 3, 7, 6}, of_conditions[] = {4, 5, 3, 7};
    int32_t number = 0;
    bool is_root = c->plane->levels[i].is_root;
    for (int32_t k = 0; k < i; k++) {
        number += c->plane->levels[k].is_root == is_root;
    }
    return sl_line_colour((is_root ? of_roots : of_conditions)[number % 4], c->a->def->dark);
}

static sl_status draw_levels(const chart *c, bool roots) {
    sl_contour_box room = {c->f.x, c->f.y, c->f.width, c->f.height, SL_TRACE_CELLS};
    sl_status status = SL_OK;
    for (int32_t i = 0; i < c->plane->n_level && status == SL_OK; i++) {
        const sl_trace_level *l = &c->plane->levels[i];
        if (l->is_root != roots) {
            continue;
        }
        if (roots) {
            sl_draw_pen(c->draw, level_colour(c, i), 1.8, 6.0);
        } else {
            sl_draw_fill(c->draw, level_colour(c, i), 0.22);
        }
        sl_draw_begin(c->draw);
        if (roots) {
            status = sl_contour_curves(c->draw, l, &room, &c->a->p.arena);
        } else {
            sl_contour_area(c->draw, l, &room);
        }
        sl_draw_end(c->draw, l->label);
    }
    return status;
}

/* ---- Trajectory --------------------------------------------------------------------------------- */

/* Whether a segment covers a pixel of the frame that none before it did; it does then. */
static bool is_new(const chart *c, uint8_t *seen, const double a[2], const double b[2]) {
    double length = hypot(b[0] - a[0], b[1] - a[1]), most = c->f.width + c->f.height;
    int n = length < most ? (int)ceil(length) + 1 : (int)most;
    bool found = false;
    for (int i = 0; i <= n; i++) {
        double x = a[0] + (b[0] - a[0]) * i / n - c->f.x, y = a[1] + (b[1] - a[1]) * i / n - c->f.y;
        if (x >= 0.0 && y >= 0.0 && x < c->f.width && y < c->f.height) {
            uint8_t *pixel = &seen[(size_t)y * (size_t)ceil(c->f.width) + (size_t)x];
            found = found || !*pixel;
            *pixel = 1;
        }
    }
    return found;
}

/* What comes back to where it was, ten thousand times, is drawn once. */
static sl_status draw_trajectory(const chart *c) {
    uint8_t *seen = sl_arena_alloc(&c->a->p.arena, (size_t)ceil(c->f.width) * (size_t)(ceil(c->f.height) + 1.0));
    bool has_last = false, down = false;
    double last[2] = {0};
    if (!seen) {
        return SL_ERR_MEMORY;
    }
    sl_draw_pen(c->draw, sl_line_colour(0, c->a->def->dark), 2.0, 0.0);
    sl_draw_begin(c->draw);
    for (int64_t i = 0; i < c->plane->n_point; i++) {
        const double *x = point(c, i);
        double at[2] = {sl_frame_x(&c->f, x[0]), sl_frame_y(&c->f, x[1])};
        bool is = isfinite(x[0]) && isfinite(x[1]);
        bool near = has_last && hypot(at[0] - last[0], at[1] - last[1]) < 0.4 && i + 1 < c->plane->n_point;
        if (is && near) {
            continue;
        }
        bool seen_first = is && has_last && is_new(c, seen, last, at);
        if (seen_first && !down) {
            sl_draw_move(c->draw, last[0], last[1]);
        }
        if (seen_first) {
            sl_draw_line(c->draw, at[0], at[1]);
        }
        down = seen_first;
        has_last = is;
        last[0] = at[0];
        last[1] = at[1];
    }
    sl_draw_end(c->draw, NULL);
    return SL_OK;
}

static void put_dot(const chart *c, double x, double y) {
    sl_draw_disc(c->draw, sl_line_colour(1, c->a->def->dark), 9.0, x, y, NULL);
}

static void draw_rings(const chart *c, int64_t *n) {
    *n = 0;
    for (int64_t i = 0; i < c->trace->n_event && c->trace->event_points[i] < c->plane->n_point; i++) {
        const double *x = point(c, c->trace->event_points[i]);
        if (*n < RINGS) {
            sl_page_ring(c->a, sl_frame_x(&c->f, x[0]), sl_frame_y(&c->f, x[1]), 3.0,
                         sl_line_colour(0, c->a->def->dark));
        }
        ++*n;
    }
    if (c->plane->n_point > 0) {
        const double *x = point(c, 0);
        sl_page_ring(c->a, sl_frame_x(&c->f, x[0]), sl_frame_y(&c->f, x[1]), 5.0, c->a->p.theme->ink);
    }
    if (c->has_moved) {
        put_dot(c, sl_frame_x(&c->f, c->plane->x[0]), sl_frame_y(&c->f, c->plane->x[1]));
    }
}

/* ---- Legend ------------------------------------------------------------------------------------- */

/* The text beside a sign; the next row. */
static void put_row(chart *c, const char *text) {
    sl_font font = sl_picture_font(&c->a->p);
    sl_draw_text_within(c->draw, &font, c->f.x + c->f.width + 50.0, c->legend_y + 4.0, c->legend - SIGN + 4.0, text);
    c->legend_y += row;
}

static void put_line(chart *c, uint32_t colour, double width, double dash, const char *text) {
    sl_draw_pen(c->draw, colour, width, dash);
    sl_draw_stroke(c->draw, c->f.x + c->f.width + 18.0, c->legend_y, c->f.x + c->f.width + 42.0, c->legend_y, NULL);
    put_row(c, text);
}

static void draw_legend(chart *c, int64_t n_ring) {
    double sign = c->f.x + c->f.width + 30.0;
    bool dark = c->a->def->dark;
    char text[SL_TEXT_MAX], time[SL_LABEL_MAX], state[160];
    c->legend_y = c->f.y + 10.0;
    sl_page_ring(c->a, sign, c->legend_y, 5.0, c->a->p.theme->ink);
    put_row(c, "start");
    if (c->has_moved) {
        put_line(c, sl_line_colour(0, dark), 2.0, 0.0, "trajectory");
    }
    if (n_ring > 0) {
        sl_page_ring(c->a, sign, c->legend_y, 3.0, sl_line_colour(0, dark));
        put_row(c, n_ring == 1 ? "a root is crossed" : "roots are crossed");
    }
    if (c->has_moved) {
        put_dot(c, sign, c->legend_y);
        (void)sl_format(text, sizeof text, "at %s", sl_trace_time_text(c->trace, c->plane->time, time));
        put_row(c, text);
    }
    if (c->plane->arrows) {
        sl_draw_pen(c->draw, c->a->p.theme->neutral, 1.0, 0.0);
        sl_draw_begin(c->draw);
        put_arrow(c, sign, c->legend_y, 1.0, 0.0, 18.0);
        sl_draw_end(c->draw, NULL);
        sl_trace_state_text(c->trace, c->plane->q, 3, state, sizeof state);
        (void)sl_format(text, sizeof text, "motion%s%s", c->trace->n_q > 0 ? " in " : "", state);
        put_row(c, text);
    }
    for (int32_t i = 0; i < c->plane->n_level; i++) {
        const sl_trace_level *l = &c->plane->levels[i];
        if (l->is_root) {
            (void)sl_format(text, sizeof text, "%.200s = 0", l->label);
            put_line(c, level_colour(c, i), 1.8, 6.0, text);
        } else {
            sl_draw_fill(c->draw, level_colour(c, i), 0.22);
            sl_draw_begin(c->draw);
            sl_draw_box(c->draw, sign - 12.0, c->legend_y - 6.0, 24.0, 12.0);
            sl_draw_end(c->draw, NULL);
            put_row(c, l->label);
        }
    }
    if (c->plane->n_left_out > 0) {
        (void)sl_format(text, sizeof text, "and %d more roots", (int)c->plane->n_left_out);
        put_row(c, text);
    }
}

/* As wide as its longest text asks for. */
static double legend_width(const chart *c) {
    char state[160];
    double widest = sl_text_width(sl_trace_state_text(c->trace, c->plane->q, 3, state, sizeof state), 12.0, false) +
                    sl_text_width("motion in ", 12.0, false);
    for (int32_t i = 0; i < c->plane->n_level; i++) {
        const sl_trace_level *l = &c->plane->levels[i];
        widest = fmax(widest, sl_text_width(l->label, 12.0, false) + (l->is_root ? 30.0 : 0.0));
    }
    return fmin(fmax(widest + SIGN, LEGEND_LEAST), LEGEND_MOST);
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void second_line(const chart *c, char line[SL_TITLE_MAX]) {
    char time[SL_LABEL_MAX], state[120], x[2][SL_LABEL_MAX];
    sl_trace_state_text(c->trace, c->plane->q, 4, state, sizeof state);
    (void)sl_format(line, SL_TITLE_MAX, "at %s: %.30s = %s, %.30s = %s%s%s%s%s",
                    sl_trace_time_text(c->trace, c->plane->time, time), c->trace->x_names[0],
                    sl_value_label(c->plane->x[0], x[0]), c->trace->x_names[1], sl_value_label(c->plane->x[1], x[1]),
                    state[0] ? ", " : "", state, c->trace->outcome[0] ? "; " : "", c->trace->outcome);
}

sl_status sl_plot_phase(sl_automaton_page *a) {
    chart c = {.a = a, .trace = a->trace, .plane = &a->trace->plane, .f.y = SL_PAGE_HEAD + 24.0};
    char second[SL_TITLE_MAX];
    second_line(&c, second);
    bool narrow = a->def->width > 0 && a->def->width < legend_from; /* then there is none */
    c.legend = narrow ? SL_PAGE_MARGIN : legend_width(&c);
    c.has_moved = c.plane->time > c.trace->begin;
    double left = 60.0, across = SL_PAGE_MARGIN + left + c.legend, along = c.f.y + 54.0;
    sl_status status = sl_picture_open(&a->p, across + frame_fitting, along + frame_fitting, second);
    if (status != SL_OK) {
        return status;
    }
    c.draw = a->p.draw;
    c.f.x = SL_PAGE_MARGIN + left;
    c.f.width = fmax(a->p.width - across, 60.0);
    c.f.height = fmax(a->p.height - along, 60.0);
    if (a->def->equal) { /* the box is a square */
        c.f.width = c.f.height = fmin(c.f.width, c.f.height);
    }
    const double *low = c.plane->low, *high = c.plane->high;
    c.f.time.axis = sl_axis_exact(low[0], high[0], (int32_t)fmax(c.f.width / 60.0, 2.0));
    c.f.value = sl_axis_exact(low[1], high[1], (int32_t)fmax(c.f.height / 45.0, 2.0));
    int64_t n_ring = 0;
    sl_draw_clip(c.draw, c.f.x, c.f.y, c.f.width, c.f.height);
    status = draw_levels(&c, false);
    draw_arrows(&c);
    status = status == SL_OK ? draw_levels(&c, true) : status;
    status = status == SL_OK ? draw_trajectory(&c) : status;
    draw_rings(&c, &n_ring);
    sl_draw_unclip(c.draw);
    draw_axes(&c);
    if (!narrow) {
        draw_legend(&c, n_ring);
    }
    return status;
}
