/* SPDX-License-Identifier: MIT */
/* profile.c: heads along a line; see profile.h. */
#include "plot/profile.h"

#include <math.h>

static const double width_fitting = 900.0, height_fitting = 490.0, row = 20.0;
enum { LEGEND = 165 };

typedef struct curve {
    const char *name;
    const double *y;
    uint32_t colour;
    double width, dash;
} curve;

/* ---- Axes --------------------------------------------------------------------------------------- */

static void extend(const double *y, int64_t n, double span[2]) {
    for (int64_t i = 0; y && i < n; i++) {
        if (isfinite(y[i])) {
            span[0] = fmin(span[0], y[i]);
            span[1] = fmax(span[1], y[i]);
        }
    }
}

/* So far down that names have room in the ground. */
static void find_axes(sl_profile_page *g) {
    const sl_profile *of = g->of;
    const double *const all[] = {of->ground, of->head, of->start, of->low, of->high, of->vapour};
    double y[2] = {INFINITY, -INFINITY}, x[2] = {INFINITY, -INFINITY};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        extend(all[k], of->n, y);
    }
    for (int32_t k = 0; k < of->n_limit; k++) {
        extend(&of->limits[k].y, 1, y);
    }
    extend(of->x, of->n, x);
    if (!(y[0] <= y[1])) {
        y[0] = 0.0;
        y[1] = 1.0;
    }
    const sl_plot_def *def = g->p->def;
    double rise = y[1] > y[0] ? y[1] - y[0] : 1.0, part = g->names / g->f.height;
    double low = isnan(def->low) ? y[0] - rise * part / (1.0 - part) : def->low;
    double high = isnan(def->high) ? y[1] : def->high;
    int32_t most = (int32_t)fmax(g->f.height / 45.0, 3.0);
    bool whole = isnan(def->low) && isnan(def->high);
    g->f.value = whole || !(low < high) ? sl_axis_tight(low, high > low ? high : low + 1.0, most)
                                        : sl_axis_exact(low, high, most);
    x[0] = isfinite(x[0]) ? x[0] : 0.0;
    x[1] = x[1] > x[0] ? x[1] : x[0] + 1.0;
    double room = 0.02 * (x[1] - x[0]), first = x[0], last = x[1];
    for (int32_t k = 0; k < of->n_mark; k++) { /* a pump at an end does not stand on the labels */
        bool machine = of->marks[k].kind >= SL_PROFILE_PUMP;
        x[0] = machine && of->marks[k].x - first < room ? first - room : x[0];
        x[1] = machine && last - of->marks[k].x < room ? last + room : x[1];
    }
    g->f.time.axis = sl_axis_exact(x[0], x[1], 10);
}

/* ---- What lies between them --------------------------------------------------------------------- */

/* Between two curves, or down to the axis; gaps divide it. */
static void fill(const sl_profile_page *g, uint32_t colour, const double *upper, const double *lower, const char *tip) {
    const sl_profile *of = g->of;
    sl_draw *d = g->p->draw;
    double bottom = g->f.y + g->f.height;
    sl_draw_fill(d, colour, 1.0);
    sl_draw_begin(d);
    for (int64_t i = 0; i < of->n;) {
        int64_t end = i;
        while (end < of->n && isfinite(upper[end]) && (!lower || isfinite(lower[end]))) {
            end++;
        }
        for (int64_t k = i; k < end; k++) {
            (k == i ? sl_draw_move : sl_draw_line)(d, sl_frame_x(&g->f, of->x[k]), sl_frame_y(&g->f, upper[k]));
        }
        for (int64_t k = end - 1; k >= i; k--) {
            sl_draw_line(d, sl_frame_x(&g->f, of->x[k]), lower ? sl_frame_y(&g->f, lower[k]) : bottom);
        }
        if (end > i) {
            sl_draw_close(d);
        }
        i = end + 1;
    }
    sl_draw_end(d, tip);
}

static void draw_curve(const sl_profile_page *g, const curve *c) {
    const sl_profile *of = g->of;
    bool down = false;
    sl_draw_pen(g->p->draw, c->colour, c->width, c->dash);
    sl_draw_begin(g->p->draw);
    for (int64_t i = 0; i < of->n; i++) {
        if (isfinite(c->y[i])) {
            (down ? sl_draw_line : sl_draw_move)(g->p->draw, sl_frame_x(&g->f, of->x[i]), sl_frame_y(&g->f, c->y[i]));
        }
        down = isfinite(c->y[i]);
    }
    sl_draw_end(g->p->draw, c->name);
}

static bool any_broken(const sl_profile *of) {
    for (int32_t k = 0; k < of->n_limit; k++) {
        if (of->limits[k].broken) {
            return true;
        }
    }
    return false;
}

static void draw_limits(const sl_profile_page *g, uint32_t colour) {
    for (int broken = 0; broken < 2; broken++) {
        sl_draw_pen(g->p->draw, colour, broken ? 3.0 : 1.6, broken ? 0.0 : 2.5);
        sl_draw_begin(g->p->draw);
        for (int32_t k = 0; k < g->of->n_limit; k++) {
            const sl_profile_limit *l = &g->of->limits[k];
            if (l->broken == (broken == 1) && isfinite(l->y)) {
                double y = sl_frame_y(&g->f, l->y);
                sl_draw_segment(g->p->draw, sl_frame_x(&g->f, l->x1), y, sl_frame_x(&g->f, l->x2), y);
            }
        }
        sl_draw_end(g->p->draw, broken ? "a limit that was broken" : "a limit");
    }
}

/* Cavities: a dot on the lowest head, no closer than dots can be distinguished. */
static bool draw_cavities(const sl_profile_page *g, uint32_t colour) {
    const sl_profile *of = g->of;
    bool any = false;
    double last = -INFINITY;
    for (int64_t i = 0; of->cavity && of->low && i < of->n; i++) {
        double x = sl_frame_x(&g->f, of->x[i]);
        if (of->cavity[i] > 0.0 && isfinite(of->low[i])) {
            any = true;
            if (x - last >= 6.0) {
                sl_draw_disc(g->p->draw, colour, 6.0, x, sl_frame_y(&g->f, of->low[i]), "a vapour cavity");
                last = x;
            }
        }
    }
    return any;
}

/* ---- The legend --------------------------------------------------------------------------------- */

static void put_sample(const sl_profile_page *g, double *y, const curve *c, bool field) {
    double x = g->f.x + g->f.width + 14.0;
    sl_font font = sl_picture_font(g->p);
    sl_draw_pen(g->p->draw, c->colour, field ? 11.0 : c->width, c->dash);
    sl_draw_begin(g->p->draw);
    if (c->width > 5.0 && !field) {
        sl_draw_dot(g->p->draw, x + 8.0, *y);
    } else {
        sl_draw_segment(g->p->draw, x + (field ? 5.0 : 0.0), *y, x + (field ? 11.0 : 16.0), *y);
    }
    sl_draw_end(g->p->draw, NULL);
    sl_draw_text_within(g->p->draw, &font, x + 25.0, *y + 4.0, LEGEND - 40.0, c->name);
    *y += row;
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void draw_heads(sl_profile_page *g) {
    const sl_profile *of = g->of;
    const sl_theme *theme = g->p->theme;
    bool dark = g->p->def->dark;
    uint32_t blue = sl_line_colour(0, dark), band = sl_mix(theme->paper, blue, 0.18);
    uint32_t earth = sl_mix(theme->paper, theme->soft, 0.35), red = dark ? 0xff6b6b : 0xc1121f;
    const curve curves[] = {{"highest head", of->high, sl_line_colour(1, dark), 1.6, 0.0},
                            {of->head_name, of->head, blue, 2.4, 0.0},
                            {"head at the start", of->start, sl_line_colour(6, dark), 1.6, 0.0},
                            {"lowest head", of->low, sl_line_colour(2, dark), 1.6, 0.0},
                            {"vapour", of->vapour, theme->soft, 1.4, 4.0}};
    enum { N = sizeof curves / sizeof *curves };
    double y = g->f.y + 8.0;
    sl_draw_clip(g->p->draw, g->f.x - 2.0, g->f.y - 2.0, g->f.width + 4.0, g->f.height + 4.0);
    if (of->ground) {
        fill(g, earth, of->ground, NULL, "ground");
    }
    if (of->low && of->high) {
        fill(g, band, of->high, of->low, "range over the run");
    }
    for (int k = N - 1; k >= 0; k--) {
        if (curves[k].y) {
            draw_curve(g, &curves[k]);
        }
    }
    draw_limits(g, red);
    bool cavities = draw_cavities(g, sl_line_colour(3, dark));
    sl_draw_unclip(g->p->draw);
    for (int k = 0; k < N; k++) {
        if (curves[k].y) {
            put_sample(g, &y, &curves[k], false);
        }
    }
    if (of->low && of->high) {
        put_sample(g, &y, &(curve){"range over the run", NULL, band, 0.0, 0.0}, true);
    }
    if (of->ground) {
        put_sample(g, &y, &(curve){"ground", NULL, earth, 0.0, 0.0}, true);
    }
    if (of->n_limit > 0) {
        put_sample(g, &y,
                   &(curve){any_broken(of) ? "limit that is broken" : "limit, kept", NULL, red,
                            any_broken(of) ? 3.0 : 1.6, any_broken(of) ? 0.0 : 2.5},
                   false);
    }
    if (cavities) {
        put_sample(g, &y, &(curve){"vapour cavity", NULL, sl_line_colour(3, dark), 6.0, 0.0}, false);
    }
}

sl_status sl_profile_draw(sl_picture *p, const sl_profile *of) {
    sl_profile_page g = {.p = p, .of = of, .f.time.unit = 1.0};
    sl_status status = sl_picture_open(p, width_fitting, height_fitting, of->second);
    if (status != SL_OK) {
        return status;
    }
    g.f.y = SL_PAGE_HEAD + p->extra + 24.0 + (sl_profile_has_machines(of) ? SL_PROFILE_ROW + 3.0 : 0.0);
    g.f.height = fmax(p->height - g.f.y - 54.0, 60.0);
    g.names = of->n_mark > 0 ? SL_PROFILE_ROW * SL_PROFILE_ROWS + 8.0 : 0.0;
    find_axes(&g);
    g.f.x = SL_PAGE_MARGIN + sl_frame_labels(&g.f);
    g.f.width = fmax(p->width - g.f.x - SL_PAGE_MARGIN - LEGEND, 60.0);
    g.f.time.axis = sl_axis_exact(g.f.time.axis.low, g.f.time.axis.high, (int32_t)fmax(g.f.width / 80.0, 2.0));
    sl_frame_values(p, &g.f);
    draw_heads(&g);
    sl_profile_names(&g);
    sl_frame_time(p, &g.f, of->x_label);
    sl_picture_axis_label(p, &g.f, SL_AXIS_LIFT + (sl_profile_has_machines(of) ? SL_PROFILE_ROW + 3.0 : 0.0),
                          of->y_label);
    return SL_OK;
}
