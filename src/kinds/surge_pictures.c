/* SPDX-License-Identifier: MIT */
/* surge_pictures.c: pictures of a surge run: traces, and the envelope along a route; see surge_report.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kinds/surge_report.h"
#include "plot/lines.h"

enum { FEW = 8 };

static const char *title_of(const sl_surge_outcome *r) {
    return r->study->title ? r->study->title : r->net->n_title > 0 && r->net->title[0][0] ? r->net->title[0] : r->name;
}

/* ---- Traces ------------------------------------------------------------------------------------- */

typedef struct ranked {
    double range;
    int64_t trace;
} ranked;

static int by_range(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->range != y->range ? (x->range < y->range) - (x->range > y->range)
                                : (x->trace > y->trace) - (x->trace < y->trace);
}

static int by_trace(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return (x->trace > y->trace) - (x->trace < y->trace);
}

static double range_of(const sl_surge_traces *t, int64_t k) {
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < t->time.n; i++) {
        low = fmin(low, t->x.at[i * t->list.n + k]);
        high = fmax(high, t->x.at[i * t->list.n + k]);
    }
    return high - low;
}

/* The quantity that is drawn: the first that was asked for, heads, or whatever there is. */
static const char *drawn(const sl_surge_outcome *r) {
    const sl_surge_traces *t = r->traces;
    const char *word = r->study->n_what > 0 ? r->study->what[0] : "head";
    for (int64_t k = 0; k < t->list.n; k++) {
        if (strcmp(t->list.at[k].quantity, word) == 0) {
            return word;
        }
    }
    return t->list.n > 0 ? t->list.at[0].quantity : word;
}

/* Those of the quantity; of many the eight that move most. */
static int32_t choose(const sl_surge_outcome *r, const char *quantity, ranked *all) {
    const sl_surge_traces *t = r->traces;
    int32_t n = 0;
    for (int64_t k = 0; k < t->list.n; k++) {
        if (strcmp(t->list.at[k].quantity, quantity) == 0) {
            all[n++] = (ranked){range_of(t, k), k};
        }
    }
    qsort(all, (size_t)n, sizeof *all, by_range);
    int32_t few = n < FEW ? n : FEW;
    qsort(all, (size_t)few, sizeof *all, by_trace);
    return few;
}

sl_status sl_surge_picture_traces(const sl_surge_outcome *r, sl_plot_format format, sl_diags *diags,
                                  const sl_sink *sink) {
    const sl_surge_traces *t = r->traces;
    const sl_display_units *s = &r->shown;
    const sl_display_unit units[SL_SURGE_UNIT_COUNT] = {{1.0, "-"}, s->length, s->pressure,
                                                        s->flow,    s->volume, {1.0, "N m"}};
    size_t bytes = (size_t)(t->list.n + 1) * sizeof(ranked);
    ranked *all = sl_alloc(r->ctx, bytes);
    sl_line lines[FEW];
    char second[160], label[80];
    if (!all) {
        return SL_ERR_MEMORY;
    }
    const char *quantity = drawn(r);
    int32_t n = choose(r, quantity, all);
    sl_display_unit unit = n > 0 ? units[t->list.at[all[0].trace].unit] : units[0];
    for (int32_t i = 0; i < n; i++) {
        lines[i] = (sl_line){.name = t->list.at[all[i].trace].id,
                             .x = t->time.at,
                             .y = t->x.at + all[i].trace,
                             .n = t->time.n,
                             .stride = t->list.n,
                             .factor = unit.factor,
                             .colour = i};
    }
    (void)sl_format(second, sizeof second, "%s over time%s", quantity, n == FEW ? ", where it moves most" : "");
    (void)sl_format(label, sizeof label, "%s [%s]", quantity, unit.name);
    sl_lines_def def = {.title = title_of(r),
                        .second = second,
                        .x_label = "Time [s]",
                        .y_label = label,
                        .lines = lines,
                        .n = n,
                        .format = format};
    sl_status status = sl_plot_lines(r->ctx, &def, diags, sink);
    sl_free(r->ctx, all, bytes);
    return status;
}

/* ---- Envelopes ---------------------------------------------------------------------------------- */

enum { GROUND, START, HIGHEST, LOWEST, VAPOUR, N_ARRAY };

sl_status sl_surge_picture_envelope(const sl_surge_outcome *r, const sl_study_route *route, sl_plot_format format,
                                    sl_diags *diags, const sl_sink *sink) {
    const sl_surge_view *w = &r->view;
    int64_t n = sl_surge_along(r, route, NULL, NULL);
    sl_arena arena;
    sl_arena_init(&arena, r->ctx);
    double *x = sl_arena_alloc(&arena, (size_t)(n + 1) * sizeof *x), *y[N_ARRAY];
    int64_t *point = sl_arena_alloc(&arena, (size_t)(n + 1) * sizeof *point);
    bool fine = x && point;
    for (int k = 0; k < N_ARRAY; k++) {
        y[k] = sl_arena_alloc(&arena, (size_t)(n + 1) * sizeof **y);
        fine = fine && y[k];
    }
    if (!fine) {
        sl_arena_fini(&arena);
        return SL_ERR_MEMORY;
    }
    (void)sl_surge_along(r, route, x, point);
    const double *from[N_ARRAY] = {w->elevation, w->head_start, w->head_max, w->head_min, w->vapour_head};
    for (int64_t i = 0; i < n; i++) {
        x[i] /= r->shown.length.factor;
        for (int k = 0; k < N_ARRAY; k++) {
            y[k][i] = from[k][point[i]];
        }
    }
    const double factor = r->shown.length.factor;
    const sl_line lines[] = {
        {"highest head", x, y[HIGHEST], n, 1, factor, SL_LINE_PLAIN, 1},
        {"head at the start", x, y[START], n, 1, factor, SL_LINE_PLAIN, 0},
        {"lowest head", x, y[LOWEST], n, 1, factor, SL_LINE_PLAIN, 2},
        {"vapour", x, y[VAPOUR], n, 1, factor, SL_LINE_DASHED, -1},
        {"ground", x, y[GROUND], n, 1, factor, SL_LINE_GROUND, -1},
    };
    char second[200], right[40], up[40];
    (void)sl_format(second, sizeof second, "Heads from %.60s to %.60s", sl_network_node_id(r->net, route->nodes[0]),
                    sl_network_node_id(r->net, route->nodes[route->n]));
    (void)sl_format(right, sizeof right, "Distance [%s]", r->shown.length.name);
    (void)sl_format(up, sizeof up, "Head [%s]", r->shown.length.name);
    sl_lines_def def = {.title = title_of(r),
                        .second = second,
                        .x_label = right,
                        .y_label = up,
                        .lines = lines,
                        .n = sizeof lines / sizeof *lines,
                        .format = format};
    sl_status status = sl_plot_lines(r->ctx, &def, diags, sink);
    sl_arena_fini(&arena);
    return status;
}
