/* SPDX-License-Identifier: MIT */
/* lanes.c: statuses over time, a lane per link: wide while it is open, a thin line while it is closed.
 *
 * A status holds from its report to the next. Codes are EPANET's: 0 to 2 closed, 3 open, 4 active (a valve that holds its
 * setting), 5 to 7 open but beyond what pump or valve can do.
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "plot/picture.h"

enum { LANES_MAX = 40, LANE = 22, N_STATE = 4 };

static const struct {
    const char *name;
    int32_t colour; /* of the lines, -1: neutral */
    double width;
} states[N_STATE] = {{"closed", -1, 1.5}, {"open", 0, 12.0}, {"active", 2, 12.0}, {"beyond its limits", 1, 12.0}};

static int state_of(float code) {
    return !(code >= 3.0F) ? 0 : code < 3.5F ? 1 : code < 4.5F ? 2 : 3;
}

static void set_style(sl_picture *p, int state) {
    uint32_t colour = states[state].colour < 0 ? p->theme->neutral : sl_line_colour(states[state].colour, p->def->dark);
    bool bar = states[state].colour >= 0;
    sl_draw_style(p->draw, &(sl_style){.stroke = bar ? SL_NO_COLOUR : colour,
                                       .fill = bar ? colour : SL_NO_COLOUR,
                                       .width = states[state].width,
                                       .opacity = 1.0});
}

static void put_bar(sl_picture *p, int state, double x1, double x2, double y) {
    double w = states[state].width;
    if (states[state].colour < 0) {
        sl_draw_segment(p->draw, x1, y, x2, y);
    } else {
        sl_draw_box(p->draw, x1, y - w / 2.0, fmax(x2 - x1, 1.0), w);
    }
}

/* All stretches of one state are one path. */
static void draw_state(sl_picture *p, const sl_frame *f, const sl_selection *c, const float *x, int32_t n, int state) {
    set_style(p, state);
    sl_draw_begin(p->draw);
    for (int32_t k = 0; k < n; k++) {
        const float *lane = x + (size_t)k * (size_t)c->n_period;
        double y = f->y + LANE * (k + 0.5);
        for (int32_t i = 0; i < c->n_period;) {
            int32_t end = i;
            while (end < c->n_period && state_of(lane[end]) == state_of(lane[i])) {
                end++;
            }
            bool last = end == c->n_period; /* the run ends with its last report */
            if (state_of(lane[i]) == state && (!last || i + 1 < end || c->n_period == 1)) {
                double to = last && c->n_period > 1 ? f->time.axis.high : sl_outfile_time(p->file, c->first + end);
                put_bar(p, state, sl_frame_x(f, sl_outfile_time(p->file, c->first + i)),
                        fmin(sl_frame_x(f, to), f->x + f->width), y);
            }
            i = end;
        }
    }
    sl_draw_end(p->draw, NULL);
}

static void draw_legend(sl_picture *p, const bool seen[N_STATE], double y) {
    double x = p->width - SL_PAGE_MARGIN;
    sl_font font = sl_picture_font(p);
    for (int s = N_STATE - 1; s >= 0; s--) {
        if (!seen[s]) {
            continue;
        }
        x -= sl_text_width(states[s].name, font.size, false);
        sl_draw_text(p->draw, &font, x, y + 4.0, states[s].name);
        set_style(p, s);
        sl_draw_begin(p->draw);
        put_bar(p, s, x - 26.0, x - 6.0, y);
        sl_draw_end(p->draw, NULL);
        x -= 42.0;
    }
}

static void draw_ids(sl_picture *p, const sl_frame *f, const sl_selection *c, int32_t n) {
    sl_font font = sl_picture_font(p);
    font.anchor = SL_ANCHOR_END;
    for (int32_t k = 0; k < n; k++) {
        char buf[SL_TEXT_MAX];
        sl_text_fit(sl_selection_id(p, c, k), font.size, false, 170.0, buf);
        sl_draw_text(p->draw, &font, f->x - 8.0, f->y + LANE * (k + 0.5) + 4.0, buf);
    }
}

static sl_status draw_page(sl_picture *p, const sl_selection *c, const float *x, int32_t n) {
    double left = 0.0;
    for (int32_t k = 0; k < n; k++) {
        left = fmax(left, fmin(sl_text_width(sl_selection_id(p, c, k), 12.0, false), 170.0));
    }
    char second[SL_TITLE_MAX];
    sl_selection_title(p, c, second);
    size_t used = strlen(second);
    if (n < c->n) {
        sl_format(second + used, sizeof second - used, ", the first %d", (int)n);
    }
    sl_status status = sl_picture_open(p, 860.0, SL_PAGE_HEAD + 34.0 + LANE * n + 60.0, second);
    if (status != SL_OK) {
        return status;
    }
    sl_frame f = {.x = SL_PAGE_MARGIN + left + 8.0, .y = SL_PAGE_HEAD + 24.0, .height = LANE * n};
    f.width = p->width - f.x - 2 * SL_PAGE_MARGIN;
    double from = sl_outfile_time(p->file, c->first), to = sl_outfile_time(p->file, c->first + c->n_period - 1);
    f.time = sl_time_axis_of(from, to, (int32_t)fmax(f.width / 60.0, 2.0));
    bool seen[N_STATE] = {0};
    for (int64_t i = 0; i < (int64_t)n * c->n_period; i++) {
        seen[state_of(x[i])] = true;
    }
    for (int s = 0; s < N_STATE; s++) {
        if (seen[s]) {
            draw_state(p, &f, c, x, n, s);
        }
    }
    draw_ids(p, &f, c, n);
    draw_legend(p, seen, SL_PAGE_HEAD + 4.0);
    sl_frame_time(p, &f);
    return SL_OK;
}

sl_status sl_series_lanes(sl_picture *p, const sl_selection *c) {
    int32_t which[LANES_MAX], n = c->n < LANES_MAX ? c->n : LANES_MAX;
    for (int32_t i = 0; i < n; i++) {
        which[i] = i;
    }
    float *x = sl_arena_alloc(&p->arena, (size_t)n * (size_t)c->n_period * sizeof *x);
    if (!x) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_selection_read(p, c, which, n, x);
    return status == SL_OK ? draw_page(p, c, x, n) : status;
}
