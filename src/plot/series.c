/* SPDX-License-Identifier: MIT */
/* series.c: quantities over time.
 *
 * Up to eight elements are lines of their own colours, named at their ends. More would be a tangle: then the picture
 * shows what they have in common (from least to most, the middle 80 %, the median) and the two that go highest and
 * lowest; when they are not very many, as thin lines instead of bands. Statuses are lanes (lanes.c).
 */
#include <math.h>
#include <stdlib.h>

#include "base/out.h"
#include "plot/picture.h"

enum { FEW = SL_LINE_COLOURS, THIN = 24, LEGEND_TEXT = 150 };

static const double width_fitting = 860.0, height_fitting = 460.0, line_width = 2.0, row = 17.0;

/* ---- The frame ---------------------------------------------------------------------------------- */

/* Opens the page and lays out its frame, with so much room at the right for names. */
static sl_status open_frame(sl_picture *p, const sl_selection *c, double min, double max, double names, sl_frame *f) {
    char second[SL_TITLE_MAX];
    sl_selection_title(p, c, second);
    sl_status status = sl_picture_open(p, width_fitting, height_fitting, second);
    if (status != SL_OK) {
        return status;
    }
    const sl_plot_def *def = p->def;
    f->y = SL_PAGE_HEAD + 14.0;
    f->height = fmax(p->height - f->y - 54.0, 40.0);
    int32_t max_tick = (int32_t)fmax(f->height / 45.0, 3.0);
    min = isfinite(min) ? min : 0.0;
    max = isfinite(max) ? max : 1.0;
    f->value = sl_axis_around(fmin(min, max), max, max_tick);
    if (!isnan(def->low) || !isnan(def->high)) {
        double low = isnan(def->low) ? fmin(f->value.low, def->high - 1.0) : def->low;
        double high = isnan(def->high) ? fmax(f->value.high, def->low + 1.0) : def->high;
        f->value = sl_axis_exact(low, high, max_tick);
    }
    f->x = SL_PAGE_MARGIN + sl_frame_labels(f);
    f->width = fmax(p->width - f->x - SL_PAGE_MARGIN - names, 60.0);
    double from = sl_outfile_time(p->file, c->first), to = sl_outfile_time(p->file, c->first + c->n_period - 1);
    f->time = sl_time_axis_of(from, to, (int32_t)fmax(f->width / 60.0, 2.0));
    sl_frame_values(p, f);
    return SL_OK;
}

static void set_line(sl_picture *p, uint32_t colour, double width) {
    sl_draw_style(p->draw, &(sl_style){.stroke = colour, .fill = SL_NO_COLOUR, .width = width, .opacity = 1.0});
}

/* ---- A few lines -------------------------------------------------------------------------------- */

typedef struct name {
    int32_t line;
    double y;
} name;

static int compare_names(const void *a, const void *b) {
    const name *x = a, *y = b;
    return x->y != y->y ? (x->y > y->y) - (x->y < y->y) : x->line - y->line;
}

/* Names beside the ends of their lines, moved apart where they would cover each other. */
static void put_names(sl_picture *p, const sl_frame *f, const sl_selection *c, const float *x) {
    name names[FEW] = {0};
    for (int32_t i = 0; i < c->n; i++) {
        float last = x[(size_t)(i + 1) * (size_t)c->n_period - 1];
        double y = isfinite(last) ? sl_frame_y(f, (double)last) : f->y + f->height;
        names[i] = (name){i, fmin(fmax(y, f->y), f->y + f->height)};
    }
    qsort(names, (size_t)c->n, sizeof *names, compare_names);
    for (int32_t i = 1; i < c->n; i++) {
        names[i].y = fmax(names[i].y, names[i - 1].y + row);
    }
    double limit = f->y + f->height;
    for (int32_t i = c->n - 1; i >= 0; i--) {
        names[i].y = fmin(names[i].y, limit);
        limit = names[i].y - row;
    }
    double at = f->x + f->width + 8.0;
    for (int32_t i = 0; i < c->n; i++) {
        char buf[SL_TEXT_MAX];
        sl_font font = sl_picture_font(p);
        set_line(p, sl_line_colour(names[i].line, p->def->dark), 3.0);
        sl_draw_begin(p->draw);
        sl_draw_segment(p->draw, at + 2.0, names[i].y, at + 14.0, names[i].y);
        sl_draw_end(p->draw, NULL);
        sl_text_fit(sl_selection_id(p, c, names[i].line), font.size, false, LEGEND_TEXT, buf);
        sl_draw_text(p->draw, &font, at + 21.0, names[i].y + 4.0, buf);
    }
}

static sl_status draw_few(sl_picture *p, const sl_selection *c) {
    size_t n = (size_t)c->n * (size_t)c->n_period;
    float *x = sl_arena_alloc(&p->arena, n * sizeof *x);
    if (!x) {
        return SL_ERR_MEMORY;
    }
    int32_t which[FEW];
    double names = 0.0, min = INFINITY, max = -INFINITY;
    for (int32_t i = 0; i < c->n; i++) {
        which[i] = i;
        names = fmax(names, fmin(sl_text_width(sl_selection_id(p, c, i), 12.0, false), LEGEND_TEXT));
    }
    sl_status status = sl_selection_read(p, c, which, c->n, x);
    for (size_t i = 0; i < n && status == SL_OK; i++) {
        min = isfinite(x[i]) ? fmin(min, (double)x[i]) : min;
        max = isfinite(x[i]) ? fmax(max, (double)x[i]) : max;
    }
    sl_frame f = {0};
    status = status == SL_OK ? open_frame(p, c, min, max, c->n > 1 ? names + 30.0 : 10.0, &f) : status;
    if (status != SL_OK) {
        return status;
    }
    sl_draw_clip(p->draw, f.x - 4.0, f.y - 4.0, f.width + 8.0, f.height + 8.0);
    double width = c->n_period == 1 ? 3.0 * line_width : sl_frame_bunch(&f, c) > 1 ? 0.5 * line_width : line_width;
    for (int32_t i = c->n - 1; i >= 0; i--) { /* the first on top */
        set_line(p, sl_line_colour(i, p->def->dark), width);
        sl_frame_curve(p, &f, c, x + (size_t)i * (size_t)c->n_period, p->what->stepped, sl_selection_id(p, c, i));
    }
    sl_draw_unclip(p->draw);
    if (c->n > 1) {
        put_names(p, &f, c, x);
    }
    sl_frame_time(p, &f);
    return SL_OK;
}

/* ---- Many --------------------------------------------------------------------------------------- */

typedef struct sample {
    const char *text;
    uint32_t colour;
    double width; /* of the mark: a line, or a field */
} sample;

static void put_samples(sl_picture *p, const sl_frame *f, const sample *samples, int n) {
    double x = f->x + f->width + 10.0, y = f->y + 8.0;
    sl_font font = sl_picture_font(p);
    for (int i = 0; i < n; i++, y += 1.25 * row) {
        char buf[SL_TEXT_MAX];
        set_line(p, samples[i].colour, samples[i].width);
        sl_draw_begin(p->draw);
        sl_draw_segment(p->draw, x + 5.0, y, x + 17.0, y);
        sl_draw_end(p->draw, NULL);
        sl_draw_text(p->draw, &font, x + 30.0, y + 4.0,
                     sl_text_fit(samples[i].text, font.size, false, LEGEND_TEXT, buf));
    }
}

static void fill_band(sl_picture *p, const sl_frame *f, const sl_selection *c, uint32_t colour, const double *low,
                      const double *high) {
    sl_draw_style(p->draw, &(sl_style){.stroke = colour, .fill = colour, .width = 1.0, .opacity = 1.0});
    sl_frame_band(p, f, c, low, high);
}

/* The median is a curve of 4-byte numbers as all others. */
static sl_status draw_median(sl_picture *p, const sl_frame *f, const sl_selection *c, const sl_spread *s) {
    float *x = sl_arena_alloc(&p->arena, (size_t)c->n_period * sizeof *x);
    if (!x) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < c->n_period; i++) {
        x[i] = (float)s->level[2][i];
    }
    set_line(p, p->theme->ink, line_width);
    sl_frame_curve(p, f, c, x, p->what->stepped, "median");
    return SL_OK;
}

/* Thin lines of all, when they are not too many, and the two that are named. */
static sl_status read_lines(sl_picture *p, const sl_selection *c, const sl_spread *s, float **x, int32_t *n,
                            int32_t named[2]) {
    int32_t which[THIN + 2];
    *n = c->n <= THIN ? c->n : 0;
    for (int32_t i = 0; i < *n; i++) {
        which[i] = i;
    }
    which[*n] = named[0] = s->highest;
    which[*n + 1] = named[1] = s->lowest;
    *x = sl_arena_alloc(&p->arena, (size_t)(*n + 2) * (size_t)c->n_period * sizeof **x);
    return *x ? sl_selection_read(p, c, which, *n + 2, *x) : SL_ERR_MEMORY;
}

/* All that is drawn of many. */
typedef struct many {
    sl_spread spread;
    int32_t n;        /* thin lines */
    int32_t named[2]; /* of the chosen: the highest and the lowest */
    float *x;         /* the thin lines, then the two */
    uint32_t outer, inner, thin, high, low;
} many;

static sl_status draw_many_curves(sl_picture *p, const sl_frame *f, const sl_selection *c, const many *m) {
    size_t length = (size_t)c->n_period;
    sl_draw_clip(p->draw, f->x - 2.0, f->y - 2.0, f->width + 4.0, f->height + 4.0);
    if (m->n == 0) {
        fill_band(p, f, c, m->outer, m->spread.level[0], m->spread.level[4]);
        fill_band(p, f, c, m->inner, m->spread.level[1], m->spread.level[3]);
    }
    set_line(p, m->thin, 1.0);
    for (int32_t i = 0; i < m->n; i++) {
        sl_frame_curve(p, f, c, m->x + (size_t)i * length, p->what->stepped, sl_selection_id(p, c, i));
    }
    sl_status status = draw_median(p, f, c, &m->spread);
    for (int i = m->named[0] != m->named[1]; i >= 0; i--) {
        set_line(p, i == 0 ? m->high : m->low, 1.6);
        sl_frame_curve(p, f, c, m->x + (size_t)(m->n + i) * length, p->what->stepped,
                       sl_selection_id(p, c, m->named[i]));
    }
    sl_draw_unclip(p->draw);
    return status;
}

static void explain_many(sl_picture *p, const sl_frame *f, const sl_selection *c, const many *m) {
    char high[SL_TEXT_MAX], low[SL_TEXT_MAX];
    sl_format(high, sizeof high, "%s, highest", sl_selection_id(p, c, m->named[0]));
    sl_format(low, sizeof low, "%s, lowest", sl_selection_id(p, c, m->named[1]));
    sample samples[5];
    int k = 0;
    samples[k++] = (sample){high, m->high, 3.0};
    samples[k++] = (sample){"median", p->theme->ink, 3.0};
    if (m->named[0] != m->named[1]) {
        samples[k++] = (sample){low, m->low, 3.0};
    }
    if (m->n > 0) {
        samples[k++] = (sample){c->links ? "each other link" : "each other node", m->thin, 1.0};
    } else {
        samples[k++] = (sample){"10 to 90 %", m->inner, 12.0};
        samples[k++] = (sample){"least to most", m->outer, 12.0};
    }
    put_samples(p, f, samples, k);
}

static sl_status draw_many(sl_picture *p, const sl_selection *c) {
    uint32_t tint = sl_line_colour(0, p->def->dark), paper = p->theme->paper;
    many m = {.outer = sl_mix(paper, tint, 0.13),
              .inner = sl_mix(paper, tint, 0.30),
              .thin = sl_mix(paper, tint, 0.55),
              .high = sl_line_colour(1, p->def->dark),
              .low = sl_line_colour(2, p->def->dark)};
    sl_spread *s = &m.spread;
    sl_status status = sl_spread_read(p, c, s);
    if (status == SL_OK && s->highest < 0) { /* nothing but gaps */
        s->highest = s->lowest = 0;
        s->min = s->max = NAN;
    }
    status = status == SL_OK ? read_lines(p, c, s, &m.x, &m.n, m.named) : status;
    sl_frame f = {0};
    status = status == SL_OK ? open_frame(p, c, s->min, s->max, LEGEND_TEXT + 44.0, &f) : status;
    status = status == SL_OK ? draw_many_curves(p, &f, c, &m) : status;
    if (status == SL_OK) {
        explain_many(p, &f, c, &m);
        sl_frame_time(p, &f);
    }
    return status;
}

sl_status sl_plot_series(sl_picture *p) {
    bool links = p->def->links;
    sl_status status = sl_picture_ask(p, links ? "flow" : "pressure", !links, links);
    sl_selection c = {0};
    status = status == SL_OK ? sl_selection_find(p, &c) : status;
    if (status != SL_OK) {
        return status;
    }
    if (c.variable == SL_OUT_STATUS) {
        return sl_series_lanes(p, &c);
    }
    return c.n <= FEW ? draw_few(p, &c) : draw_many(p, &c);
}
