/* SPDX-License-Identifier: MIT */
/* chart.c: the page of a chart over time; see chart.h. */
#include "plot/chart.h"

#include <math.h>
#include <stdlib.h>

#include "base/out.h"

enum { PANELS_MAX = 8, LINES_MAX = 64 };

static const double width_fitting = 860.0, step_fitting = 56.0, head = 24.0 /* of a panel: its label */,
                    text_row = 16.0, foot = 54.0 /* the axis of time */, between = 16.0, gap = 12.0 /* of panels */,
                    row = 17.0;

/* ---- Layout ------------------------------------------------------------------------------------- */

/* Heights of panels that leave a page of ordinary size. */
static double panel_fitting(int32_t n) {
    static const double heights[] = {0.0, 330.0, 190.0, 140.0};
    return heights[n < 4 ? n : 3];
}

/* Lines, then bands, the last on top. */
static const sl_chart_line *line_of(const sl_chart_panel *panel, int32_t i) {
    int32_t band = i - panel->n_line;
    return band < 0 ? &panel->lines[i] : &panel->bands[panel->n_band - 1 - band];
}

static sl_axis value_axis(const sl_picture *p, const sl_chart *c, const sl_chart_panel *panel, double height) {
    double min = INFINITY, max = -INFINITY;
    for (int32_t k = 0; k < panel->n_line + panel->n_band; k++) {
        const sl_chart_line *line = line_of(panel, k);
        const double *low = line->low ? line->low : line->y;
        for (int64_t i = 0; i < line->n; i++) {
            if (line->t[i] >= c->from && line->t[i] <= c->to && isfinite(low[i]) && isfinite(line->y[i])) {
                min = fmin(min, low[i]);
                max = fmax(max, line->y[i]);
            }
        }
    }
    int32_t most = (int32_t)fmax(height / 45.0, 3.0);
    sl_axis axis = isfinite(min) ? sl_axis_around(min, max, most) : sl_axis_around(0.0, 1.0, most);
    const sl_plot_def *def = p->def;
    if (!isnan(def->low) || !isnan(def->high)) {
        double low = isnan(def->low) ? fmin(axis.low, def->high - 1.0) : def->low;
        double high = isnan(def->high) ? fmax(axis.high, def->low + 1.0) : def->high;
        axis = sl_axis_exact(low, high, most);
    }
    return axis;
}

/* Seconds in decimal steps where clocks are too coarse. A run that ends just before a tick is shown up to it. */
static sl_time_axis time_axis(const sl_chart *c, double width) {
    int32_t most = (int32_t)fmax(width / 60.0, 2.0);
    if (c->steps) {
        sl_axis axis = sl_axis_exact(c->from - 0.5, c->to + 0.5, most);
        if (axis.step < 1.0) {
            axis = (sl_axis){axis.low, axis.high, c->from, 1.0, (int32_t)(c->to - c->from) + 1};
        }
        return (sl_time_axis){.axis = axis, .unit = 1.0};
    }
    double to = c->to;
    sl_time_axis t = {0};
    for (int pass = 0; pass < 2; pass++) {
        t = to > c->from && to - c->from < 20.5
                ? (sl_time_axis){.axis = sl_axis_exact(c->from, to, most), .unit = 1.0, .name = "s"}
                : sl_time_axis_of(c->from, to, most);
        double next = t.axis.first + t.axis.step * t.axis.n;
        to = next - to < 0.01 * (to - c->from) ? next : to;
    }
    return t;
}

static double names_width(const sl_chart *c) {
    double widest = 0.0;
    for (int32_t k = 0; k < c->n_panel; k++) {
        const sl_chart_panel *panel = &c->panels[k];
        int32_t n = panel->n_line + panel->n_band;
        for (int32_t i = 0; i < n && (n > 1 || c->n_panel > 1); i++) {
            const char *text = line_of(panel, i)->name;
            widest = text ? fmax(widest, sl_text_width(text, 12.0, false)) : widest;
        }
    }
    return widest > 0.0 ? fmin(widest, SL_CHART_NAMES) + 32.0 : 10.0;
}

/* Places of the panels, of which the page has room for the first few. */
static sl_status open_page(sl_chart_page *g, sl_frame frames[PANELS_MAX], int32_t n) {
    const sl_chart *c = g->c;
    sl_picture *p = g->p;
    double lanes = SL_CHART_LANE * c->n_lane, lanes_head = sl_chart_lanes_head(c);
    double fixed = SL_PAGE_HEAD + (n > 0 ? 0.0 : 14.0) + (sl_chart_has_texts(c) ? text_row : 0.0) + head * n +
                   (n > 1 ? gap * (n - 1) : 0.0) + (n > 0 && c->n_lane > 0 ? between : 0.0) + lanes_head + lanes + foot;
    double width = c->steps ? fmax(200.0 + step_fitting * (c->to - c->from + 1.0), 400.0) : width_fitting;
    sl_status status = sl_picture_open(p, fmin(width, width_fitting), fixed + n * panel_fitting(n), c->second);
    if (status != SL_OK) {
        return status;
    }
    fixed += p->extra;
    double height = n > 0 ? fmax((p->height - fixed) / n, 40.0) : 0.0, left = 0.0;
    double y = SL_PAGE_HEAD + p->extra + (n > 0 ? 0.0 : 14.0) + (sl_chart_has_texts(c) ? text_row : 0.0);
    for (int32_t k = 0; k < n; k++, y += head + height + (k < n ? gap : 0.0)) {
        frames[k] = (sl_frame){.y = y + head, .height = height, .value = value_axis(p, c, &c->panels[k], height)};
        left = fmax(left, sl_frame_labels(&frames[k]));
    }
    for (int32_t k = 0; k < c->n_lane; k++) {
        left = fmax(left, fmin(sl_text_width(c->lanes[k].name, 12.0, false), SL_CHART_NAMES) + 8.0);
    }
    g->top = n > 0 ? frames[0].y : y;
    g->lanes_y = y + (n > 0 && c->n_lane > 0 ? between : 0.0) + lanes_head;
    g->bottom = c->n_lane > 0 ? g->lanes_y + lanes : y;
    g->time = (sl_frame){.x = SL_PAGE_MARGIN + left, .y = g->top, .height = g->bottom - g->top};
    g->time.width = fmax(p->width - g->time.x - SL_PAGE_MARGIN - names_width(c), 60.0);
    g->time.time = time_axis(c, g->time.width);
    for (int32_t k = 0; k < n; k++) {
        frames[k].x = g->time.x;
        frames[k].width = g->time.width;
        frames[k].time = g->time.time;
    }
    return SL_OK;
}

/* ---- Names -------------------------------------------------------------------------------------- */

typedef struct name {
    const char *text;
    uint32_t colour;
    double thick, y;
    int32_t order;
} name;

static int compare_names(const void *a, const void *b) {
    const name *x = a, *y = b;
    return x->y != y->y ? (x->y > y->y) - (x->y < y->y) : x->order - y->order;
}

/* The last value in the window. */
static double last_value(const sl_chart *c, const sl_chart_line *line) {
    double y = NAN;
    for (int64_t i = line->n - 1; i >= 0 && isnan(y); i--) {
        y = line->t[i] <= c->to ? line->y[i] : (double)NAN;
    }
    return y;
}

/* Moves names apart where they would cover each other. */
static void spread_names(name *names, int32_t n, const sl_frame *f) {
    double step = fmin(row, n > 1 ? f->height / (n - 1) : row), limit = f->y + f->height;
    qsort(names, (size_t)n, sizeof *names, compare_names);
    for (int32_t i = 1; i < n; i++) {
        names[i].y = fmax(names[i].y, names[i - 1].y + step);
    }
    for (int32_t i = n - 1; i >= 0; i--) {
        names[i].y = fmin(names[i].y, limit);
        limit = names[i].y - step;
    }
}

static void put_names(const sl_chart_page *g, const sl_chart_panel *panel, const sl_frame *f) {
    name names[LINES_MAX];
    int32_t n = 0;
    sl_font font = sl_picture_font(g->p);
    for (int32_t i = 0; i < panel->n_line + panel->n_band && n < LINES_MAX; i++) {
        const sl_chart_line *line = line_of(panel, i);
        if (line->name) {
            double last = line->low ? (double)NAN : last_value(g->c, line);
            double y = panel->listed    ? f->y + 8.0 + 1.2 * row * n
                       : isfinite(last) ? sl_frame_y(f, last)
                                        : f->y + f->height;
            y = fmin(fmax(y, f->y), f->y + f->height);
            names[n] = (name){line->name, line->colour, line->low ? 12.0 : 3.0, y, n};
            n++;
        }
    }
    if (n == 0 || (n == 1 && g->c->n_panel == 1)) { /* the title says it */
        return;
    }
    spread_names(names, n, f);
    double x = f->x + f->width + 10.0;
    for (int32_t i = 0; i < n; i++) {
        sl_draw_pen(g->p->draw, names[i].colour, names[i].thick, 0.0);
        sl_draw_begin(g->p->draw);
        double field = names[i].thick > 5.0 ? 4.0 : 0.0; /* its ends are round */
        sl_draw_segment(g->p->draw, x + 2.0 + field, names[i].y, x + 14.0 - field, names[i].y);
        sl_draw_end(g->p->draw, NULL);
        sl_draw_text_within(g->p->draw, &font, x + 22.0, names[i].y + 4.0, SL_CHART_NAMES, names[i].text);
    }
}

/* ---- Drawing ------------------------------------------------------------------------------------ */

static void draw_panel(const sl_chart_page *g, const sl_chart_panel *panel, const sl_frame *f) {
    sl_draw *d = g->p->draw;
    sl_draw_clip(d, f->x - 3.0, f->y - 3.0, f->width + 6.0, f->height + 6.0);
    for (int32_t i = 0; i < panel->n_band; i++) {
        sl_curve_fill(g->p, f, &panel->bands[i]);
    }
    for (int32_t i = panel->n_line - 1; i >= 0; i--) {
        sl_curve_draw(g->p, f, &panel->lines[i]);
    }
    sl_draw_unclip(d);
    put_names(g, panel, f);
    bool under_texts = panel == g->c->panels && sl_chart_has_texts(g->c);
    sl_picture_axis_label(g->p, f, under_texts ? SL_AXIS_LIFT + text_row : SL_AXIS_LIFT, panel->label);
}

sl_status sl_chart_draw(sl_picture *p, const sl_chart *c) {
    sl_chart_page g = {.p = p, .c = c};
    sl_frame frames[PANELS_MAX];
    int32_t n = c->n_panel < PANELS_MAX ? c->n_panel : PANELS_MAX;
    sl_status status = open_page(&g, frames, n);
    if (status != SL_OK) {
        return status;
    }
    for (int32_t k = 0; k < n; k++) {
        sl_frame_values(p, &frames[k]);
    }
    sl_chart_event_lines(&g);
    for (int32_t k = 0; k < n; k++) {
        draw_panel(&g, &c->panels[k], &frames[k]);
    }
    sl_chart_event_texts(&g);
    sl_chart_lanes(&g);
    char label[SL_LABEL_MAX];
    sl_format(label, sizeof label, g.time.time.name ? "Time [%s]" : "Discrete time t", g.time.time.name);
    sl_frame_time(p, &g.time, label);
    return SL_OK;
}
