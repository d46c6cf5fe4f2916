/* SPDX-License-Identifier: MIT */
/* frame.c: axes. */
#include <math.h>

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
    sl_draw_pen(d, p->theme->grid, 1.0, 0.0);
    sl_draw_begin(d);
    for (int32_t i = 0; i < a->n; i++) {
        double y = sl_frame_y(f, a->first + i * a->step);
        sl_draw_segment(d, f->x, y, f->x + f->width, y);
    }
    sl_draw_end(d, NULL);
    sl_font font = sl_picture_soft_font(p, SL_ANCHOR_END);
    for (int32_t i = 0; i < a->n; i++) {
        char label[SL_LABEL_MAX];
        double x = a->first + i * a->step;
        sl_draw_text(d, &font, f->x - label_gap, sl_frame_y(f, x) + 4.0, sl_axis_label(x, a->step, label));
    }
    if (a->low < 0.0 && a->high > 0.0) { /* zero is a line of its own */
        sl_draw_pen(d, p->theme->soft, 1.0, 0.0);
        sl_draw_stroke(d, f->x, sl_frame_y(f, 0.0), f->x + f->width, sl_frame_y(f, 0.0), NULL);
    }
}

void sl_picture_axis_label(sl_picture *p, const sl_frame *f, double lift, const char *label) {
    sl_font font = sl_picture_soft_font(p, SL_ANCHOR_START);
    sl_draw_text_within(p->draw, &font, SL_PAGE_MARGIN, f->y - lift, f->x + f->width - SL_PAGE_MARGIN, label);
}

void sl_frame_time(sl_picture *p, const sl_frame *f, const char *label) {
    sl_draw *d = p->draw;
    const sl_axis *a = &f->time.axis;
    double bottom = f->y + f->height;
    sl_draw_pen(d, p->theme->soft, 1.0, 0.0);
    sl_draw_begin(d);
    sl_draw_segment(d, f->x, bottom, f->x + f->width, bottom);
    for (int32_t i = 0; i < a->n; i++) {
        double x = sl_frame_x(f, a->first + i * a->step);
        sl_draw_segment(d, x, bottom, x, bottom + 5.0);
    }
    sl_draw_end(d, NULL);
    sl_font font = sl_picture_soft_font(p, SL_ANCHOR_MIDDLE);
    for (int32_t i = 0; i < a->n; i++) {
        char text[SL_LABEL_MAX];
        double x = a->first + i * a->step;
        sl_draw_text(d, &font, sl_frame_x(f, x), bottom + 19.0, sl_time_label(&f->time, x, text));
    }
    sl_draw_text(d, &font, f->x + f->width / 2.0, bottom + 38.0, label);
}
