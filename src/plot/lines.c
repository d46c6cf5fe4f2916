/* SPDX-License-Identifier: MIT */
/* lines.c: curves over a common axis; see lines.h.
 *
 * Where a curve has more points than pixels, the least and the most of each pixel are drawn, so that no peak is lost.
 */
#include "plot/lines.h"

#include <math.h>

#include "base/out.h"
#include "plot/picture.h"

enum { NAMES = 170 };
static const double width_fitting = 900.0, height_fitting = 470.0, row_height = 17.0;

typedef struct chart {
    const sl_lines_def *def;
    sl_draw *draw;
    const sl_theme *theme;
    double x, y, width, height; /* of the frame */
    sl_axis right, up;
} chart;

static double at_x(const chart *c, double x) {
    return c->x + c->width * (x - c->right.low) / (c->right.high - c->right.low);
}

static double at_y(const chart *c, double y) {
    return c->y + c->height * (c->up.high - y) / (c->up.high - c->up.low);
}

static double value(const sl_line *l, int64_t i) {
    return l->y[i * l->stride] / l->factor;
}

/* ---- Axes --------------------------------------------------------------------------------------- */

static void find_axes(chart *c) {
    double x0 = INFINITY, x1 = -INFINITY, y0 = INFINITY, y1 = -INFINITY;
    for (int32_t k = 0; k < c->def->n; k++) {
        const sl_line *l = &c->def->lines[k];
        for (int64_t i = 0; i < l->n; i++) {
            double y = value(l, i);
            if (isfinite(y) && isfinite(l->x[i])) {
                x0 = fmin(x0, l->x[i]);
                x1 = fmax(x1, l->x[i]);
                y0 = fmin(y0, y);
                y1 = fmax(y1, y);
            }
        }
    }
    if (!(x0 <= x1)) {
        x0 = y0 = 0.0;
        x1 = y1 = 1.0;
    }
    c->up = sl_axis_around(y0, y1, (int32_t)fmax(c->height / 45.0, 3.0));
    c->right = sl_axis_exact(x0, x1 > x0 ? x1 : x0 + 1.0, (int32_t)fmax(c->width / 80.0, 2.0));
}

static sl_font font_of(const chart *c, uint32_t colour, sl_anchor anchor) {
    (void)c;
    return (sl_font){.size = 12.0, .colour = colour, .halo = SL_NO_COLOUR, .anchor = anchor};
}

static void stroke(const chart *c, uint32_t colour, double width, double dash) {
    sl_draw_style(c->draw,
                  &(sl_style){.stroke = colour, .fill = SL_NO_COLOUR, .width = width, .opacity = 1.0, .dash = dash});
}

static void draw_axes(const chart *c) {
    char label[SL_LABEL_MAX];
    double bottom = c->y + c->height;
    stroke(c, c->theme->grid, 1.0, 0.0);
    sl_draw_begin(c->draw);
    for (int32_t i = 0; i < c->up.n; i++) {
        double y = at_y(c, c->up.first + i * c->up.step);
        sl_draw_segment(c->draw, c->x, y, c->x + c->width, y);
    }
    for (int32_t i = 0; i < c->right.n; i++) {
        double x = at_x(c, c->right.first + i * c->right.step);
        sl_draw_segment(c->draw, x, bottom, x, bottom + 5.0);
    }
    sl_draw_end(c->draw, NULL);
    sl_font font = font_of(c, c->theme->soft, SL_ANCHOR_END);
    for (int32_t i = 0; i < c->up.n; i++) {
        double y = c->up.first + i * c->up.step;
        sl_draw_text(c->draw, &font, c->x - 8.0, at_y(c, y) + 4.0, sl_axis_label(y, c->up.step, label));
    }
    font.anchor = SL_ANCHOR_MIDDLE;
    for (int32_t i = 0; i < c->right.n; i++) {
        double x = c->right.first + i * c->right.step;
        sl_draw_text(c->draw, &font, at_x(c, x), bottom + 19.0, sl_axis_label(x, c->right.step, label));
    }
    sl_draw_text(c->draw, &font, c->x + c->width / 2.0, bottom + 38.0, c->def->x_label);
    font.anchor = SL_ANCHOR_START;
    sl_draw_text(c->draw, &font, SL_PAGE_MARGIN, c->y - 10.0, c->def->y_label);
}

/* ---- Curves ------------------------------------------------------------------------------------- */

static uint32_t colour_of(const chart *c, const sl_line *l) {
    return l->style == SL_LINE_GROUND ? sl_mix(c->theme->paper, c->theme->soft, 0.35)
           : l->colour < 0            ? c->theme->soft
                                      : sl_line_colour(l->colour, c->def->dark);
}

static void draw_ground(const chart *c, const sl_line *l) {
    uint32_t colour = colour_of(c, l);
    sl_draw_style(c->draw, &(sl_style){.stroke = SL_NO_COLOUR, .fill = colour, .width = 1.0, .opacity = 1.0});
    sl_draw_begin(c->draw);
    for (int64_t i = 0; i < l->n; i++) {
        (i == 0 ? sl_draw_move : sl_draw_line)(c->draw, at_x(c, l->x[i]), at_y(c, value(l, i)));
    }
    if (l->n > 0) {
        sl_draw_line(c->draw, at_x(c, l->x[l->n - 1]), c->y + c->height);
        sl_draw_line(c->draw, at_x(c, l->x[0]), c->y + c->height);
        sl_draw_close(c->draw);
    }
    sl_draw_end(c->draw, l->name);
}

static void draw_curve(const chart *c, const sl_line *l) {
    int64_t bunch = l->n / (int64_t)fmax(c->width, 1.0) / 2;
    bunch = bunch < 1 ? 1 : bunch;
    bool down = false;
    stroke(c, colour_of(c, l), bunch > 1 ? 1.2 : 1.8, l->style == SL_LINE_DASHED ? 5.0 : 0.0);
    sl_draw_begin(c->draw);
    for (int64_t i = 0; i < l->n; i += bunch) {
        int64_t least = i, most = i, end = i + bunch < l->n ? i + bunch : l->n;
        for (int64_t k = i; k < end; k++) {
            least = value(l, k) < value(l, least) ? k : least;
            most = value(l, k) > value(l, most) ? k : most;
        }
        int64_t order[2] = {least < most ? least : most, least < most ? most : least};
        for (int k = order[0] == order[1]; k < 2; k++) {
            double y = value(l, order[k]);
            if (isfinite(y)) {
                (down ? sl_draw_line : sl_draw_move)(c->draw, at_x(c, l->x[order[k]]), at_y(c, y));
            }
            down = isfinite(y);
        }
    }
    sl_draw_end(c->draw, l->name);
}

static void draw_names(const chart *c) {
    double x = c->x + c->width + 12.0, y = c->y + 8.0;
    sl_font font = font_of(c, c->theme->ink, SL_ANCHOR_START);
    for (int32_t k = 0; k < c->def->n; k++, y += row_height) {
        char buf[SL_TEXT_MAX];
        const sl_line *l = &c->def->lines[k];
        stroke(c, colour_of(c, l), l->style == SL_LINE_GROUND ? 9.0 : 3.0, l->style == SL_LINE_DASHED ? 5.0 : 0.0);
        sl_draw_begin(c->draw);
        sl_draw_segment(c->draw, x + 2.0, y, x + 18.0, y);
        sl_draw_end(c->draw, NULL);
        sl_draw_text(c->draw, &font, x + 27.0, y + 4.0, sl_text_fit(l->name, font.size, false, NAMES - 40.0, buf));
    }
}

static void draw_all(chart *c) {
    draw_axes(c);
    sl_draw_clip(c->draw, c->x - 2.0, c->y - 2.0, c->width + 4.0, c->height + 4.0);
    for (int pass = 0; pass < 2; pass++) { /* the ground first */
        for (int32_t k = c->def->n - 1; k >= 0; k--) {
            const sl_line *l = &c->def->lines[k];
            if ((l->style == SL_LINE_GROUND) == (pass == 0) && l->n > 0) {
                (pass == 0 ? draw_ground : draw_curve)(c, l);
            }
        }
    }
    sl_draw_unclip(c->draw);
    draw_names(c);
}

sl_status sl_plot_lines(sl_context *ctx, const sl_lines_def *def, sl_diags *diags, const sl_sink *sink) {
    sl_plot_def page = sl_plot_default();
    page.format = def->format;
    page.width = def->width;
    page.height = def->height;
    page.dark = def->dark;
    sl_picture p = {.ctx = ctx, .def = &page, .diags = diags, .sink = sink, .theme = sl_theme_of(def->dark)};
    (void)sl_format(p.title, sizeof p.title, "%s", def->title);
    sl_status status = sl_picture_open(&p, width_fitting, height_fitting, def->second);
    if (status != SL_OK) {
        return status;
    }
    chart c = {.def = def, .draw = p.draw, .theme = p.theme, .y = SL_PAGE_HEAD + p.extra + 24.0};
    c.height = fmax(p.height - c.y - 54.0, 40.0);
    c.x = SL_PAGE_MARGIN + 60.0;
    c.width = fmax(p.width - c.x - SL_PAGE_MARGIN - NAMES, 60.0);
    find_axes(&c);
    draw_all(&c);
    return sl_draw_finish(p.draw);
}
