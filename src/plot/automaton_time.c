/* SPDX-License-Identifier: MIT */
/* automaton_time.c: the trace of an automaton as a chart over time (chart.h): curves of continuous variables, lanes of discrete ones,
 * crossings of roots as events. */
#include <math.h>

#include "base/count_text.h"
#include "base/report.h"
#include "plot/automaton.h"
#include "plot/chart.h"

enum { LANES = 40 };

/* ---- What is shown ------------------------------------------------------------------------------ */

static sl_status make_curves(const sl_automaton_page *a, sl_arena *arena, sl_chart *c) {
    const sl_trace *t = a->trace;
    size_t n = (size_t)t->n_x, points = (size_t)t->n_point;
    sl_chart_line *lines = sl_arena_alloc(arena, (n + 1) * sizeof *lines);
    const char **labels = sl_arena_alloc(arena, (n + 1) * sizeof *labels);
    double *y = sl_arena_alloc(arena, (n * points + 1) * sizeof *y);
    if (!lines || !labels || !y) {
        return SL_ERR_MEMORY;
    }
    for (size_t k = 0; k < n; k++, y += points) {
        for (size_t i = 0; i < points; i++) {
            y[i] = t->x[i * n + k];
        }
        lines[k] = (sl_chart_line){.name = t->x_names[k],
                                   .t = t->t,
                                   .y = y,
                                   .n = t->n_point,
                                   .colour = sl_line_colour((int32_t)k, a->def->dark),
                                   .width = 2.0};
        labels[k] = "";
    }
    return sl_chart_panels_make(arena, lines, labels, t->n_x, c);
}

static sl_status make_lanes(const sl_trace *t, sl_arena *arena, sl_chart *c) {
    c->n_lane = t->n_lane < LANES ? t->n_lane : LANES;
    sl_chart_lane *lanes = sl_arena_alloc(arena, (size_t)(c->n_lane + 1) * sizeof *lanes);
    if (!lanes) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < c->n_lane; k++) {
        int32_t variable = t->lanes[k];
        size_t n = 0;
        for (int64_t i = 0; i < t->n_change; i++) {
            n += t->changes[i].variable == variable;
        }
        double *time = sl_arena_alloc(arena, 2 * (n + 1) * sizeof *time), *value = time ? time + n : NULL;
        if (!time) {
            return SL_ERR_MEMORY;
        }
        lanes[k] =
            (sl_chart_lane){.name = t->q_names[variable], .t = time, .value = value, .n_value = t->q_domains[variable]};
        for (int64_t i = 0; i < t->n_change; i++) {
            if (t->changes[i].variable == variable) {
                time[lanes[k].n] = t->changes[i].t;
                value[lanes[k].n++] = t->changes[i].value;
            }
        }
    }
    c->lanes = lanes;
    return SL_OK;
}

static sl_status make_events(const sl_trace *t, sl_arena *arena, sl_chart *c) {
    sl_chart_event *events = sl_arena_alloc(arena, (size_t)(t->n_event + 1) * sizeof *events);
    for (int64_t i = 0; events && i < t->n_event; i++) {
        events[i] = (sl_chart_event){.time = t->events[i], .text = ""};
    }
    c->events = events;
    c->n_event = t->n_event;
    return events ? SL_OK : SL_ERR_MEMORY;
}

/* ---- The page ----------------------------------------------------------------------------------- */

static void second_line(const sl_trace *t, const sl_chart *c, char line[SL_TITLE_MAX]) {
    char from[SL_LABEL_MAX], parts[4][120] = {"", "", "", ""};
    bool flags = c->n_lane > 0 && !t->discrete;
    int64_t crossings = 0;
    for (int64_t i = 0; i < t->n_event; i++) {
        crossings += t->events[i] >= c->from && t->events[i] <= c->to;
    }
    (void)sl_format(line, SL_TITLE_MAX, t->discrete ? "%s to %.6g" : "%s to %.6g s",
                    sl_trace_time_text(t, c->from, from), c->to);
    (void)sl_format(parts[0], sizeof parts[0], "%s", t->outcome);
    if (crossings > 0) {
        (void)sl_format(parts[1], sizeof parts[1], "%lld crossing%s of roots (dotted)", (long long)crossings,
                        crossings == 1 ? "" : "s");
    }
    if (t->n_x < t->n_asked) {
        (void)sl_format(parts[2], sizeof parts[2], "the first %d of %d curves", (int)t->n_x, (int)t->n_asked);
    }
    if (c->n_lane < t->n_lane) {
        (void)sl_format(parts[3], sizeof parts[3], "the first %d of %d states", (int)c->n_lane, (int)t->n_lane);
    }
    for (int32_t k = 0; k < c->n_lane; k++) {
        flags = flags && t->q_domains[t->lanes[k]] <= 2;
    }
    for (int i = 0; i < 4; i++) {
        sl_append(line, SL_TITLE_MAX, "%s%s", parts[i][0] ? ", " : "", parts[i]);
    }
    sl_append(line, SL_TITLE_MAX, "%s", flags ? "; bars: 1, lines: 0" : "");
}

static sl_status check_window(const sl_automaton_page *a, const sl_chart *c) {
    char end[SL_LABEL_MAX];
    if (c->from <= c->to) {
        return SL_OK;
    }
    sl_report(a->p.diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, "choose an earlier --from",
              "nothing is left to be shown: the run ends at %s", sl_trace_time_text(a->trace, c->to, end));
    return SL_ERR_INPUT;
}

sl_status sl_plot_over_time(sl_automaton_page *a) {
    const sl_trace *t = a->trace;
    sl_arena *arena = &a->p.arena;
    char second[SL_TITLE_MAX];
    sl_chart c = {.steps = t->discrete, .second = second};
    c.from = isnan(a->def->from) ? t->begin : fmax(a->def->from, t->begin);
    c.to = isnan(a->def->to) ? t->end : fmin(a->def->to, t->end);
    if (t->discrete) {
        c.from = ceil(c.from);
        c.to = floor(c.to);
    }
    sl_status status = check_window(a, &c);
    status = status == SL_OK ? make_curves(a, arena, &c) : status;
    status = status == SL_OK ? make_lanes(t, arena, &c) : status;
    status = status == SL_OK ? make_events(t, arena, &c) : status;
    if (status != SL_OK) {
        return status;
    }
    second_line(t, &c, second);
    return sl_chart_draw(&a->p, &c);
}
