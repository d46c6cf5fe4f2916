/* SPDX-License-Identifier: MIT */
/* curve.c: lines and bands; see chart.h. */
#include <math.h>

#include "plot/chart.h"

/* Points of a line that fall on one pixel. */
typedef struct pixel {
    int64_t first, least, most, last;
    bool open;
} pixel;

typedef struct pen {
    sl_picture *p;
    const sl_frame *f;
    const sl_chart_line *line;
    bool down;
    double x, y; /* where it is */
} pen;

static void go(pen *e, double x, double y) {
    (e->down ? sl_draw_line : sl_draw_move)(e->p->draw, x, y);
    e->down = true;
    e->x = x;
    e->y = y;
}

static void put_pixel(pen *e, const pixel *p) {
    bool rises = p->least < p->most;
    const int64_t order[4] = {p->first, rises ? p->least : p->most, rises ? p->most : p->least, p->last};
    for (int i = 0; i < 4; i++) {
        if (i > 0 && order[i] == order[i - 1]) {
            continue;
        }
        double x = sl_frame_x(e->f, e->line->t[order[i]]), y = sl_frame_y(e->f, e->line->y[order[i]]);
        if (e->line->stepped && e->down) {
            go(e, x, e->y);
        }
        go(e, x, y);
    }
}

static void lift(pen *e) {
    if (e->down) {
        sl_draw_line(e->p->draw, e->x, e->y); /* a lone point is a dot */
    }
    e->down = false;
}

/* Points from the last before the frame to the first behind it. */
static int64_t first_seen(const sl_frame *f, const double *t, int64_t n) {
    int64_t i = 0;
    while (i + 1 < n && t[i + 1] < f->time.axis.low) {
        i++;
    }
    return i;
}

static int64_t end_seen(const sl_frame *f, const double *t, int64_t n) {
    int64_t i = n;
    while (i > 1 && t[i - 2] > f->time.axis.high) {
        i--;
    }
    return i;
}

void sl_curve_draw(sl_picture *p, const sl_frame *f, const sl_chart_line *line) {
    pen e = {.p = p, .f = f, .line = line};
    pixel at = {0};
    int64_t first = first_seen(f, line->t, line->n), end = end_seen(f, line->t, line->n);
    bool dense = (double)(end - first) > 10.0 * f->width;
    double width = line->n == 1 ? 3.0 * line->width : dense ? 0.6 * line->width : line->width;
    sl_draw_pen(p->draw, line->colour, width, 0.0);
    sl_draw_begin(p->draw);
    for (int64_t i = first; i <= end; i++) {
        bool is = i < end && isfinite(line->y[i]);
        bool same = is && at.open && floor(sl_frame_x(f, line->t[i])) == floor(sl_frame_x(f, line->t[at.first]));
        if (at.open && !same) {
            put_pixel(&e, &at);
            at.open = false;
        }
        if (same) {
            at.least = line->y[i] < line->y[at.least] ? i : at.least;
            at.most = line->y[i] > line->y[at.most] ? i : at.most;
            at.last = i;
        } else if (is) {
            at = (pixel){i, i, i, i, true};
        } else {
            lift(&e);
        }
    }
    sl_draw_end(p->draw, line->name);
}

/* ---- Bands -------------------------------------------------------------------------------------- */

static bool has(const sl_chart_line *b, int64_t i) {
    return isfinite(b->low[i]) && isfinite(b->y[i]);
}

/* One stretch without gaps, there along the upper and back along the lower side. */
static void put_stretch(sl_picture *p, const sl_frame *f, const sl_chart_line *b, int64_t begin, int64_t end) {
    double per_pixel = (double)b->n / fmax(f->width, 1.0);
    int64_t k = per_pixel > 2.0 ? (int64_t)ceil(per_pixel) : 1, n = (end - begin + k - 1) / k;
    for (int64_t j = 0; j < 2 * n; j++) {
        bool upper = j < n;
        int64_t i = begin + k * (upper ? j : 2 * n - 1 - j);
        double y = upper ? b->y[i] : b->low[i];
        for (int64_t m = i; m < i + k && m < end; m++) {
            y = upper ? fmax(y, b->y[m]) : fmin(y, b->low[m]);
        }
        (j == 0 ? sl_draw_move : sl_draw_line)(p->draw, sl_frame_x(f, b->t[i]), sl_frame_y(f, y));
    }
    sl_draw_close(p->draw);
}

void sl_curve_fill(sl_picture *p, const sl_frame *f, const sl_chart_line *b) {
    sl_draw_style(p->draw, &(sl_style){.stroke = b->colour, .fill = b->colour, .width = 1.0, .opacity = 1.0});
    sl_draw_begin(p->draw);
    int64_t last = end_seen(f, b->t, b->n);
    for (int64_t i = first_seen(f, b->t, b->n); i < last;) {
        int64_t end = i;
        while (end < last && has(b, end)) {
            end++;
        }
        if (end > i) {
            put_stretch(p, f, b, i, end);
        }
        i = end + 1;
    }
    sl_draw_end(p->draw, b->name);
}
