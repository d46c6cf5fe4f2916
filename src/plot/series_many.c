/* SPDX-License-Identifier: MIT */
/* series_many.c: what many elements have in common over time: from least to most, the middle 80 %, the median, and the two that go
 * highest and lowest; when they are not very many, all of them as thin lines instead of bands. */
#include <math.h>

#include "base/out.h"
#include "plot/series.h"

enum { THIN = 24, LEVELS = 5 };

typedef struct spread {
    double *level[LEVELS];   /* least, 10 %, median, 90 %, most, by frame; NaN: no value */
    int32_t highest, lowest; /* indices into the elements; -1: no value */
    double min, max;
} spread;

static void take_frame(const sl_series *s, const sl_series_quantity *part, spread *d, const double *x, double time,
                       double *ordered, int64_t frame) {
    static const double share[LEVELS] = {0.0, 0.1, 0.5, 0.9, 1.0};
    int64_t n = 0;
    bool seen = time >= s->chart.from && time <= s->chart.to;
    for (int32_t k = 0; k < part->n; k++) {
        double y = x[part->element[k]];
        if (!isfinite(y)) {
            continue;
        }
        ordered[n++] = y;
        if (seen && (d->highest < 0 || y > d->max)) {
            d->max = y;
            d->highest = k;
        }
        if (seen && (d->lowest < 0 || y < d->min)) {
            d->min = y;
            d->lowest = k;
        }
    }
    sl_sort(ordered, n);
    for (int j = 0; j < LEVELS; j++) {
        d->level[j][frame] = n > 0 ? sl_quantile(ordered, n, share[j]) : (double)NAN;
    }
}

static sl_status read_spread(sl_picture *p, const sl_series *s, const sl_series_quantity *part, spread *d) {
    *d = (spread){.highest = -1, .lowest = -1};
    bool memory = true;
    for (int j = 0; j < LEVELS; j++) {
        d->level[j] = sl_arena_alloc(&p->arena, (size_t)p->n_time * sizeof(double));
        memory = memory && d->level[j];
    }
    double *x = sl_arena_alloc(&p->arena, (size_t)part->group->n * sizeof *x);
    double *ordered = sl_arena_alloc(&p->arena, (size_t)part->n * sizeof *ordered);
    sl_status status = memory && x && ordered ? SL_OK : SL_ERR_MEMORY;
    for (int64_t i = 0; i < p->n_time && status == SL_OK; i++) {
        status = sl_picture_read(p, i, part->quantity, x);
        if (status == SL_OK) {
            take_frame(s, part, d, x, p->times[i], ordered, i);
        }
    }
    return status;
}

static const char *name_extreme(sl_picture *p, const sl_series_quantity *part, int32_t i, const char *word) {
    char *text = sl_arena_alloc(&p->arena, SL_TITLE_MAX);
    if (text) {
        (void)sl_format(text, SL_TITLE_MAX, "%.150s, %s", part->group->ids[part->element[i]], word);
    }
    return text;
}

/* The named ones, the median, then thin lines of all. */
static sl_status fill_lines(sl_picture *p, const sl_series_quantity *part, const spread *d, sl_chart_panel *panel) {
    bool dark = p->def->dark;
    uint32_t thin = sl_mix(p->theme->paper, sl_line_colour(0, dark), 0.55);
    int32_t n_thin = part->n <= THIN ? part->n : 0, n = 0;
    sl_chart_line *lines = sl_arena_alloc(&p->arena, (size_t)(n_thin + 3) * sizeof *lines);
    sl_status status = lines ? SL_OK : SL_ERR_MEMORY;
    const int32_t named[2] = {d->highest, d->lowest};
    for (int k = 0; k < 2 && status == SL_OK; k++) {
        if (named[k] >= 0 && (k == 0 || named[1] != named[0])) {
            const char *name = name_extreme(p, part, named[k], k == 0 ? "highest" : "lowest");
            lines[n] = (sl_chart_line){.name = name, .colour = sl_line_colour(k + 1, dark), .width = 1.6};
            status = name ? sl_series_line(p, part, named[k], &lines[n++]) : SL_ERR_MEMORY;
        }
        if (k == 0 && status == SL_OK) {
            lines[n++] = (sl_chart_line){.name = "median",
                                         .t = p->times,
                                         .y = d->level[2],
                                         .n = p->n_time,
                                         .colour = p->theme->ink,
                                         .width = 2.0};
        }
    }
    for (int32_t i = 0; i < n_thin && status == SL_OK; i++) {
        lines[n] = (sl_chart_line){.name = i == 0 ? "each of the others" : NULL, .colour = thin, .width = 1.0};
        status = sl_series_line(p, part, i, &lines[n++]);
    }
    panel->lines = lines;
    panel->n_line = n;
    return status;
}

sl_status sl_series_many(sl_picture *p, const sl_series *s, const sl_series_quantity *part, sl_chart_panel *panel) {
    spread d;
    char *label = sl_arena_alloc(&p->arena, SL_AXIS_MAX);
    sl_chart_line *bands = sl_arena_alloc(&p->arena, 2 * sizeof *bands);
    if (!label || !bands) {
        return SL_ERR_MEMORY;
    }
    *panel = (sl_chart_panel){.label = sl_quantity_label(part->column, label), .bands = bands, .listed = true};
    sl_status status = read_spread(p, s, part, &d);
    status = status == SL_OK ? fill_lines(p, part, &d, panel) : status;
    if (status == SL_OK && part->n > THIN) {
        uint32_t tint = sl_line_colour(0, p->def->dark), paper = p->theme->paper;
        for (int k = 0; k < 2; k++) {
            bands[k] = (sl_chart_line){.name = k == 0 ? "least to most" : "10 to 90 %",
                                       .t = p->times,
                                       .low = d.level[k],
                                       .y = d.level[4 - k],
                                       .n = p->n_time,
                                       .colour = sl_mix(paper, tint, k == 0 ? 0.13 : 0.30)};
        }
        panel->n_band = 2;
    }
    return status;
}
