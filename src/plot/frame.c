/* SPDX-License-Identifier: MIT */
/* frame.c: axes, and curves and bands between them.
 *
 * Periods are evenly spaced: when there are more of them than pixels, neighbours are taken together, a curve by the least
 * and the most of each bunch, so that no peak is lost.
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "plot/picture.h"

static const double label_gap = 8.0;

double sl_frame_x(const sl_frame *f, double time) {
    const sl_axis *a = &f->time.axis;
    return f->x + f->width * (time - a->low) / (a->high - a->low);
}

double sl_frame_y(const sl_frame *f, double value) {
    const sl_axis *a = &f->value;
    return f->y + f->height * (a->high - value) / (a->high - a->low);
}

/* ---- Axes --------------------------------------------------------------------------------------- */

double sl_frame_labels(const sl_frame *f) {
    double widest = 0.0;
    for (int32_t i = 0; i < f->value.n; i++) {
        char label[SL_LABEL_MAX];
        sl_axis_label(f->value.first + i * f->value.step, f->value.step, label);
        widest = fmax(widest, sl_text_width(label, 12.0, false));
    }
    return widest + label_gap;
}

void sl_frame_values(sl_picture *p, const sl_frame *f) {
    sl_draw *d = p->draw;
    const sl_axis *a = &f->value;
    sl_draw_style(d, &(sl_style){.stroke = p->theme->grid, .fill = SL_NO_COLOUR, .width = 1.0, .opacity = 1.0});
    sl_draw_begin(d);
    for (int32_t i = 0; i < a->n; i++) {
        double y = sl_frame_y(f, a->first + i * a->step);
        sl_draw_segment(d, f->x, y, f->x + f->width, y);
    }
    sl_draw_end(d, NULL);
    sl_font font = sl_picture_font(p);
    font.anchor = SL_ANCHOR_END;
    font.colour = p->theme->soft;
    for (int32_t i = 0; i < a->n; i++) {
        char label[SL_LABEL_MAX];
        double x = a->first + i * a->step;
        sl_draw_text(d, &font, f->x - label_gap, sl_frame_y(f, x) + 4.0, sl_axis_label(x, a->step, label));
    }
    if (a->low < 0.0 && a->high > 0.0) { /* zero is a line of its own */
        sl_draw_style(d, &(sl_style){.stroke = p->theme->soft, .fill = SL_NO_COLOUR, .width = 1.0, .opacity = 1.0});
        sl_draw_begin(d);
        sl_draw_segment(d, f->x, sl_frame_y(f, 0.0), f->x + f->width, sl_frame_y(f, 0.0));
        sl_draw_end(d, NULL);
    }
}

void sl_picture_axis_label(sl_picture *p, const sl_frame *f, const char *label) {
    char buf[SL_TEXT_MAX];
    sl_font font = sl_picture_font(p);
    font.colour = p->theme->soft;
    sl_text_fit(label, font.size, false, f->x + f->width - SL_PAGE_MARGIN, buf);
    sl_draw_text(p->draw, &font, SL_PAGE_MARGIN, f->y - 11.0, buf);
}

void sl_frame_time(sl_picture *p, const sl_frame *f) {
    sl_draw *d = p->draw;
    const sl_axis *a = &f->time.axis;
    double bottom = f->y + f->height;
    sl_draw_style(d, &(sl_style){.stroke = p->theme->soft, .fill = SL_NO_COLOUR, .width = 1.0, .opacity = 1.0});
    sl_draw_begin(d);
    sl_draw_segment(d, f->x, bottom, f->x + f->width, bottom);
    for (int32_t i = 0; i < a->n; i++) {
        double x = sl_frame_x(f, a->first + i * a->step);
        sl_draw_segment(d, x, bottom, x, bottom + 5.0);
    }
    sl_draw_end(d, NULL);
    sl_font font = sl_picture_font(p);
    font.anchor = SL_ANCHOR_MIDDLE;
    font.colour = p->theme->soft;
    for (int32_t i = 0; i < a->n; i++) {
        char label[SL_LABEL_MAX];
        double x = a->first + i * a->step;
        sl_draw_text(d, &font, sl_frame_x(f, x), bottom + 19.0, sl_time_label(&f->time, x, label));
    }
    char name[SL_LABEL_MAX];
    sl_format(name, sizeof name, f->time.name ? "Time [%s]" : "Discrete time t", f->time.name);
    sl_draw_text(d, &font, f->x + f->width / 2.0, bottom + 38.0, name);
}

/* ---- Curves and bands --------------------------------------------------------------------------- */

int32_t sl_frame_bunch(const sl_frame *f, const sl_selection *c) {
    double per_pixel = c->n_period / fmax(f->width, 1.0);
    return per_pixel > 2.0 ? (int32_t)ceil(per_pixel) : 1;
}

static double time_at(const sl_picture *p, const sl_selection *c, int32_t i) {
    return sl_outfile_time(p->file, c->first + i);
}

/* Least and most of a bunch, in their order; false when a value is missing in it. */
static bool extremes(const float *x, int32_t begin, int32_t end, int32_t found[2]) {
    int32_t least = begin, most = begin;
    for (int32_t i = begin; i < end; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
        least = x[i] < x[least] ? i : least;
        most = x[i] > x[most] ? i : most;
    }
    found[0] = least < most ? least : most;
    found[1] = least < most ? most : least;
    return true;
}

void sl_frame_curve(sl_picture *p, const sl_frame *f, const sl_selection *c, const float *x, bool stepped,
                    const char *tip) {
    sl_draw *d = p->draw;
    int32_t k = sl_frame_bunch(f, c);
    bool down = false; /* the pen */
    double at = 0.0, y = 0.0;
    sl_draw_begin(d);
    for (int32_t i = 0; i < c->n_period; i += k) {
        int32_t end = i + k < c->n_period ? i + k : c->n_period, point[2];
        bool whole = extremes(x, i, end, point);
        if (down && (!whole || stepped)) {
            double next = sl_frame_x(f, time_at(p, c, i));
            sl_draw_line(d, stepped ? next : at, y); /* a lone point is a dot */
        }
        for (int j = 0; j < 2 && whole; j++) {
            at = sl_frame_x(f, time_at(p, c, point[j]));
            y = sl_frame_y(f, (double)x[point[j]]);
            (down ? sl_draw_line : sl_draw_move)(d, at, y);
            down = true;
        }
        down = whole;
    }
    if (down) {
        sl_draw_line(d, at, y);
    }
    sl_draw_end(d, tip);
}

static bool has(const double *low, const double *high, int32_t i) {
    return isfinite(low[i]) && isfinite(high[i]);
}

/* One stretch without gaps, there along the upper and back along the lower side. */
static void stretch(sl_picture *p, const sl_frame *f, const sl_selection *c, const double *low, const double *high,
                    int32_t begin, int32_t end) {
    int32_t k = sl_frame_bunch(f, c), n = (end - begin + k - 1) / k;
    for (int32_t j = 0; j < 2 * n; j++) {
        int32_t i = begin + k * (j < n ? j : 2 * n - 1 - j);
        double x = j < n ? high[i] : low[i];
        for (int32_t m = i; m < i + k && m < end; m++) {
            x = j < n ? fmax(x, high[m]) : fmin(x, low[m]);
        }
        (j == 0 ? sl_draw_move : sl_draw_line)(p->draw, sl_frame_x(f, time_at(p, c, i)), sl_frame_y(f, x));
    }
    sl_draw_close(p->draw);
}

void sl_frame_band(sl_picture *p, const sl_frame *f, const sl_selection *c, const double *low, const double *high) {
    sl_draw_begin(p->draw);
    for (int32_t i = 0; i < c->n_period;) {
        int32_t end = i;
        while (end < c->n_period && has(low, high, end)) {
            end++;
        }
        if (end > i) {
            stretch(p, f, c, low, high, i, end);
        }
        i = end + 1;
    }
    sl_draw_end(p->draw, NULL);
}
