/* SPDX-License-Identifier: MIT */
/* automaton_time.c: variables of an automaton over time: curves of continuous ones, and below them a lane for each discrete one.
 *
 * In a lane 0 is a thin line and anything else a bar; of variables with more than two values, and in discrete time, the bars
 * say the value where there is room. In discrete time a value belongs to its time t, so bars go from half a step before to half
 * a step after. Crossings of roots are dotted lines. Where there are more points than pixels the least and the most of each pixel
 * are drawn, so that no peak is lost.
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/report.h"
#include "plot/automaton.h"

enum { LANES = 40, LANE = 24, MARKS = 100, NAMES = 160 };

static const double width_fitting = 860.0, curves_fitting = 300.0, step_fitting = 56.0, bar = 15.0, row = 18.0,
                    gap = 20.0;

typedef struct chart {
    sl_automaton_page *a;
    sl_draw *draw;
    const sl_trace *trace;
    sl_frame f; /* of the curves; its time axis holds for all */
    double lanes_y, from, to;
    int64_t first, end; /* points from the last before the window to the first after it */
    int32_t n_curve, n_lane;
    int64_t n_mark; /* crossings in the window */
} chart;

/* ---- Axes --------------------------------------------------------------------------------------- */

/* Seconds in decimal steps where clocks are too coarse. */
static sl_time_axis time_axis(const chart *c, double width) {
    int32_t most = (int32_t)fmax(width / 60.0, 2.0);
    if (c->trace->discrete) {
        sl_axis axis = sl_axis_exact(c->from - 0.5, c->to + 0.5, most);
        if (axis.step < 1.0) {
            axis = (sl_axis){axis.low, axis.high, c->from, 1.0, (int32_t)(c->to - c->from) + 1};
        }
        return (sl_time_axis){.axis = axis, .unit = 1.0};
    }
    double to = c->to > c->from ? c->to : c->from + 1.0;
    if (to - c->from < 20.0) {
        return (sl_time_axis){.axis = sl_axis_exact(c->from, to, most), .unit = 1.0, .name = "s"};
    }
    return sl_time_axis_of(c->from, to, most);
}

static void find_values(chart *c) {
    const sl_trace *t = c->trace;
    const sl_plot_def *def = c->a->p.def;
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = c->first; i < c->end; i++) {
        for (int32_t k = 0; k < c->n_curve && t->t[i] >= c->from && t->t[i] <= c->to; k++) {
            double x = t->x[i * t->n_x + k];
            low = isfinite(x) ? fmin(low, x) : low;
            high = isfinite(x) ? fmax(high, x) : high;
        }
    }
    low = isfinite(low) ? low : 0.0;
    high = isfinite(high) ? high : 1.0;
    int32_t most = (int32_t)fmax(c->f.height / 45.0, 3.0);
    c->f.value = sl_axis_around(low, high, most);
    if (!isnan(def->low) || !isnan(def->high)) {
        low = isnan(def->low) ? fmin(c->f.value.low, def->high - 1.0) : def->low;
        high = isnan(def->high) ? fmax(c->f.value.high, def->low + 1.0) : def->high;
        c->f.value = sl_axis_exact(low, high, most);
    }
}

/* ---- Curves ------------------------------------------------------------------------------------- */

/* Points of a curve that fall on one pixel: the first, the least, the most and the last. */
typedef struct pixel {
    int64_t first, least, most, last;
    bool open;
} pixel;

static void put_pixel(const chart *c, const pixel *p, int32_t k, bool *down) {
    const sl_trace *t = c->trace;
    bool rises = p->least < p->most;
    const int64_t order[4] = {p->first, rises ? p->least : p->most, rises ? p->most : p->least, p->last};
    for (int i = 0; i < 4; i++) {
        if (i == 0 || order[i] != order[i - 1]) {
            (*down ? sl_draw_line : sl_draw_move)(c->draw, sl_frame_x(&c->f, t->t[order[i]]),
                                                  sl_frame_y(&c->f, t->x[order[i] * t->n_x + k]));
            *down = true;
        }
    }
}

static void draw_curve(const chart *c, int32_t k) {
    const sl_trace *t = c->trace;
    bool down = false;
    pixel p = {0};
    bool dense = (double)(c->end - c->first) > 40.0 * c->f.width;
    sl_page_stroke(c->a, sl_line_colour(k, c->a->def->dark), dense ? 1.2 : 2.0, 0.0);
    sl_draw_begin(c->draw);
    for (int64_t i = c->first; i <= c->end; i++) {
        const double *x = &t->x[k];
        bool is = i < c->end && isfinite(x[i * t->n_x]);
        bool same = is && p.open && floor(sl_frame_x(&c->f, t->t[i])) == floor(sl_frame_x(&c->f, t->t[p.first]));
        if (p.open && !same) {
            put_pixel(c, &p, k, &down);
            p.open = false;
        }
        if (same) {
            p.least = x[i * t->n_x] < x[p.least * t->n_x] ? i : p.least;
            p.most = x[i * t->n_x] > x[p.most * t->n_x] ? i : p.most;
            p.last = i;
        } else if (is) {
            p = (pixel){i, i, i, i, true};
        }
        down = down && is;
    }
    sl_draw_end(c->draw, t->x_names[k]);
}

static void draw_marks(const chart *c) {
    double bottom = c->lanes_y + LANE * c->n_lane;
    if (c->n_mark == 0 || c->n_mark > MARKS) {
        return;
    }
    sl_page_stroke(c->a, c->a->p.theme->neutral, 1.0, 2.0);
    sl_draw_begin(c->draw);
    for (int64_t i = 0; i < c->trace->n_event; i++) {
        double t = c->trace->events[i];
        if (t >= c->from && t <= c->to) {
            double x = sl_frame_x(&c->f, t);
            sl_draw_segment(c->draw, x, c->f.y, x, bottom);
        }
    }
    sl_draw_end(c->draw, NULL);
}

static void draw_names(const chart *c) {
    double x = c->f.x + c->f.width + 12.0, y = c->f.y + 8.0;
    sl_font font = sl_picture_font(&c->a->p);
    char buf[SL_TEXT_MAX];
    for (int32_t k = 0; k < c->n_curve; k++, y += row) {
        sl_page_stroke(c->a, sl_line_colour(k, c->a->def->dark), 3.0, 0.0);
        sl_draw_begin(c->draw);
        sl_draw_segment(c->draw, x + 2.0, y, x + 18.0, y);
        sl_draw_end(c->draw, NULL);
        sl_draw_text(c->draw, &font, x + 27.0, y + 4.0,
                     sl_text_fit(c->trace->x_names[k], font.size, false, NAMES - 40.0, buf));
    }
    if (c->n_curve > 0 && c->n_mark > 0 && c->n_mark <= MARKS) {
        sl_page_stroke(c->a, c->a->p.theme->neutral, 1.0, 2.0);
        sl_draw_begin(c->draw);
        sl_draw_segment(c->draw, x + 10.0, y - 7.0, x + 10.0, y + 7.0);
        sl_draw_end(c->draw, NULL);
        font.colour = c->a->p.theme->soft;
        sl_draw_text(c->draw, &font, x + 27.0, y + 4.0, "a root is crossed");
    }
}

/* ---- Lanes -------------------------------------------------------------------------------------- */

static uint32_t value_colour(const chart *c, int32_t domain, int32_t value) {
    const sl_theme *theme = c->a->p.theme;
    return value == 0       ? theme->neutral
           : domain <= 2    ? sl_line_colour(0, c->a->def->dark)
           : value < domain ? sl_class_colour(theme, value - 1, domain - 1)
                            : theme->soft;
}

static bool is_light(uint32_t colour) {
    return 0.299 * (colour >> 16 & 255) + 0.587 * (colour >> 8 & 255) + 0.114 * (colour & 255) > 140.0;
}

/* A stretch of one value. */
static void draw_stretch(const chart *c, int32_t lane, double x1, double x2, int32_t value) {
    const sl_trace *t = c->trace;
    int32_t variable = t->lanes[lane], domain = t->q_domains[variable];
    double y = c->lanes_y + LANE * (lane + 0.5);
    uint32_t colour = value_colour(c, domain, value);
    if (value == 0) {
        sl_page_stroke(c->a, colour, 1.5, 0.0);
        sl_draw_begin(c->draw);
        sl_draw_segment(c->draw, x1, y, x2, y);
    } else {
        sl_page_fill(c->a, colour);
        sl_draw_begin(c->draw);
        sl_draw_box(c->draw, x1, y - bar / 2.0, fmax(x2 - x1, 1.0), bar);
    }
    sl_draw_end(c->draw, NULL);
    char text[16];
    (void)sl_format(text, sizeof text, "%d", (int)value);
    sl_font font = sl_picture_font(&c->a->p);
    font.size = 11.0;
    font.anchor = SL_ANCHOR_MIDDLE;
    font.colour = value == 0 ? c->a->p.theme->soft : is_light(colour) ? 0x222222 : 0xffffff;
    font.halo = value == 0 ? c->a->p.theme->paper : SL_NO_COLOUR;
    if ((t->discrete || domain > 2) && x2 - x1 > sl_text_width(text, font.size, false) + 6.0) {
        sl_draw_text(c->draw, &font, (x1 + x2) / 2.0, y + 4.0, text);
    }
}

/* In discrete time every step is a cell of its own. */
static void draw_cells(const chart *c, int32_t lane, double t1, double t2, int32_t value) {
    double step = sl_frame_x(&c->f, 1.0) - sl_frame_x(&c->f, 0.0);
    if (step < 14.0) {
        draw_stretch(c, lane, sl_frame_x(&c->f, t1 - 0.5), sl_frame_x(&c->f, t2 - 0.5), value);
        return;
    }
    for (int64_t k = (int64_t)t1; k < (int64_t)t2; k++) {
        double t = (double)k;
        draw_stretch(c, lane, sl_frame_x(&c->f, t - 0.5) + 1.0, sl_frame_x(&c->f, t + 0.5) - 1.0, value);
    }
}

static void draw_lane(const chart *c, int32_t lane) {
    const sl_trace *t = c->trace;
    int32_t variable = t->lanes[lane], value = 0;
    double since = t->begin, end = t->discrete ? c->to + 1.0 : c->to, drawn = -INFINITY;
    for (int64_t i = 0; i <= t->n_change; i++) {
        if (i < t->n_change && t->changes[i].variable != variable) {
            continue;
        }
        double until = i < t->n_change ? fmin(t->changes[i].t, end) : end, begin = fmax(since, c->from);
        bool seen = sl_frame_x(&c->f, until) - drawn >= 0.5; /* of many within a pixel some are left out */
        if (until > begin && seen) {
            if (t->discrete) {
                draw_cells(c, lane, begin, until, value);
            } else {
                draw_stretch(c, lane, sl_frame_x(&c->f, begin), sl_frame_x(&c->f, until), value);
            }
            drawn = sl_frame_x(&c->f, until);
        }
        if (i < t->n_change) {
            since = t->changes[i].t;
            value = t->changes[i].value;
        }
    }
    char buf[SL_TEXT_MAX];
    sl_font font = sl_picture_font(&c->a->p);
    font.anchor = SL_ANCHOR_END;
    sl_draw_text(c->draw, &font, c->f.x - 8.0, c->lanes_y + LANE * (lane + 0.5) + 4.0,
                 sl_text_fit(t->q_names[variable], font.size, false, NAMES, buf));
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void second_line(const chart *c, char line[SL_TITLE_MAX]) {
    const sl_trace *t = c->trace;
    char from[SL_LABEL_MAX], parts[4][120] = {"", "", "", ""};
    bool flags = c->n_lane > 0 && !t->discrete;
    (void)sl_format(line, SL_TITLE_MAX, t->discrete ? "%s to %.6g" : "%s to %.6g s",
                    sl_trace_time_text(t, c->from, from), c->to);
    (void)sl_format(parts[0], sizeof parts[0], "%s", t->outcome);
    if (c->n_mark > 0) {
        (void)sl_format(parts[1], sizeof parts[1], "%lld crossing%s", (long long)c->n_mark, c->n_mark == 1 ? "" : "s");
    }
    if (t->n_x < t->n_asked) {
        (void)sl_format(parts[2], sizeof parts[2], "the first %d of %d curves", (int)t->n_x, (int)t->n_asked);
    }
    if (c->n_lane < t->n_lane) {
        (void)sl_format(parts[3], sizeof parts[3], "the first %d of %d states", (int)c->n_lane, (int)t->n_lane);
    }
    for (int i = 0; i < 4; i++) {
        size_t used = strlen(line);
        (void)sl_format(line + used, SL_TITLE_MAX - used, "%s%s", parts[i][0] ? ", " : "", parts[i]);
    }
    for (int32_t k = 0; k < c->n_lane; k++) {
        flags = flags && t->q_domains[t->lanes[k]] <= 2;
    }
    size_t used = strlen(line);
    (void)sl_format(line + used, SL_TITLE_MAX - used, "%s", flags ? "; bars: 1, lines: 0" : "");
}

static sl_status open_page(chart *c) {
    const sl_trace *t = c->trace;
    sl_picture *p = &c->a->p;
    char second[SL_TITLE_MAX];
    second_line(c, second);
    double lanes = LANE * c->n_lane, between = c->n_curve > 0 && c->n_lane > 0 ? gap : 0.0;
    double curves = c->n_curve > 0 ? curves_fitting : 0.0, top = SL_PAGE_HEAD + 14.0;
    double width = t->discrete ? fmax(200.0 + step_fitting * (c->to - c->from + 1.0), 400.0) : width_fitting;
    sl_status status = sl_picture_open(p, fmin(width, width_fitting), top + curves + between + lanes + 54.0, second);
    if (status != SL_OK) {
        return status;
    }
    c->draw = p->draw;
    c->f.y = top;
    c->f.height = c->n_curve > 0 ? fmax(p->height - top - between - lanes - 54.0, 40.0) : 0.0;
    c->lanes_y = top + c->f.height + between;
    find_values(c);
    double left = c->n_curve > 0 ? sl_frame_labels(&c->f) : 0.0, right = c->n_curve > 0 ? NAMES : SL_PAGE_MARGIN;
    for (int32_t k = 0; k < c->n_lane; k++) {
        left = fmax(left, fmin(sl_text_width(t->q_names[t->lanes[k]], 12.0, false), NAMES) + 8.0);
    }
    c->f.x = SL_PAGE_MARGIN + left;
    c->f.width = fmax(p->width - c->f.x - SL_PAGE_MARGIN - right, 60.0);
    c->f.time = time_axis(c, c->f.width);
    return SL_OK;
}

static sl_status check_window(const chart *c) {
    char end[SL_LABEL_MAX];
    if (c->from <= c->to) {
        return SL_OK;
    }
    sl_report(c->a->p.diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "choose an earlier --from",
              "nothing is left to be shown: the run ends at %s", sl_trace_time_text(c->trace, c->to, end));
    return SL_ERR_INPUT;
}

sl_status sl_plot_over_time(sl_automaton_page *a) {
    const sl_trace *t = a->trace;
    chart c = {.a = a, .trace = t};
    c.from = isnan(a->def->from) ? t->begin : fmax(a->def->from, t->begin);
    c.to = isnan(a->def->to) ? t->end : fmin(a->def->to, t->end);
    if (t->discrete) {
        c.from = ceil(c.from);
        c.to = floor(c.to);
    }
    c.n_curve = t->n_x; /* no more than there are colours */
    c.n_lane = t->n_lane < LANES ? t->n_lane : LANES;
    for (int64_t i = 0; i < t->n_event; i++) {
        c.n_mark += t->events[i] >= c.from && t->events[i] <= c.to;
    }
    while (c.first + 1 < t->n_point && t->t[c.first + 1] < c.from) {
        c.first++;
    }
    for (c.end = c.first; c.end < t->n_point && (c.end == 0 || t->t[c.end - 1] <= c.to); c.end++) {}
    sl_status status = check_window(&c);
    status = status == SL_OK ? open_page(&c) : status;
    if (status != SL_OK) {
        return status;
    }
    if (c.n_curve > 0) {
        sl_frame_values(&a->p, &c.f);
    }
    draw_marks(&c);
    sl_draw_clip(a->p.draw, c.f.x - 2.0, c.f.y - 2.0, c.f.width + 4.0, c.f.height + 4.0);
    for (int32_t k = c.n_curve - 1; k >= 0; k--) {
        draw_curve(&c, k);
    }
    sl_draw_unclip(a->p.draw);
    for (int32_t k = 0; k < c.n_lane; k++) {
        draw_lane(&c, k);
    }
    draw_names(&c);
    sl_frame whole = c.f;
    whole.height = c.lanes_y + LANE * c.n_lane - c.f.y;
    sl_frame_time(&a->p, &whole);
    return SL_OK;
}
