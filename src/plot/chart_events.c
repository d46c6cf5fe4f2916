/* SPDX-License-Identifier: MIT */
/* chart_events.c: when something happened: a tick at the top of the first panel, its text where there is room, and a dotted line
 * through all panels and lanes while there are few enough to be told apart. Events at one pixel share a tick and the first text. */
#include <math.h>

#include "plot/chart.h"

enum { LINES_MAX = 100, TEXTS_MAX = 40 };

static const double size = 11.0, between = 10.0;

static bool is_inside(const sl_chart *c, const sl_chart_event *e) {
    return e->time >= c->from && e->time <= c->to;
}

bool sl_chart_has_texts(const sl_chart *c) {
    for (int64_t i = 0; i < c->n_event; i++) {
        if (c->events[i].text[0] && is_inside(c, &c->events[i])) {
            return c->n_panel > 0;
        }
    }
    return false;
}

void sl_chart_event_lines(const sl_chart_page *g) {
    const sl_chart *c = g->c;
    int64_t n = 0;
    double last = -INFINITY;
    for (int64_t i = 0; i < c->n_event; i++) {
        n += is_inside(c, &c->events[i]);
    }
    if (n == 0) {
        return;
    }
    bool through = n <= LINES_MAX;
    sl_draw_pen(g->p->draw, g->p->theme->neutral, 1.0, through ? 2.0 : 0.0);
    sl_draw_begin(g->p->draw);
    for (int64_t i = 0; i < c->n_event; i++) {
        double x = sl_frame_x(&g->time, c->events[i].time);
        if (is_inside(c, &c->events[i]) && x - last >= 1.0) {
            sl_draw_segment(g->p->draw, x, g->top - 4.0, x, through ? g->bottom : g->top + 2.0);
            last = x;
        }
    }
    sl_draw_end(g->p->draw, NULL);
}

void sl_chart_event_texts(const sl_chart_page *g) {
    const sl_chart *c = g->c;
    double taken[TEXTS_MAX][2];
    int n = 0;
    sl_font font = sl_picture_soft_font(g->p, SL_ANCHOR_MIDDLE);
    font.size = size;
    for (int pass = 0; pass < 2 && sl_chart_has_texts(c); pass++) { /* first those of what is shown */
        for (int64_t i = 0; i < c->n_event && n < TEXTS_MAX; i++) {
            const sl_chart_event *e = &c->events[i];
            if (!e->text[0] || e->shown != (pass == 0) || !is_inside(c, e)) {
                continue;
            }
            char buf[SL_TEXT_MAX];
            sl_text_fit(e->text, size, false, SL_CHART_NAMES, buf);
            double half = 0.5 * sl_text_width(buf, size, false), x = sl_frame_x(&g->time, e->time);
            double low = g->time.x + half, high = g->time.x + g->time.width - half;
            x = fmin(fmax(x, low), fmax(high, low)); /* those at the ends stay within */
            bool free = true;
            for (int k = 0; k < n; k++) {
                free = free && (x + half + between < taken[k][0] || x - half - between > taken[k][1]);
            }
            if (free) {
                sl_draw_text(g->p->draw, &font, x, g->top - 8.0, buf);
                taken[n][0] = x - half;
                taken[n++][1] = x + half;
            }
        }
    }
}
