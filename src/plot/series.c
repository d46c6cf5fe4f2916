/* SPDX-License-Identifier: MIT */
/* series.c: quantities of a result over time, as a chart (chart.h).
 *
 * Up to eight elements of a quantity are lines of their own colours, named at their ends. More would be a tangle: then a panel shows
 * what they have in common (series_many.c); of pressure waves those that move most. Codes and the states of automata are lanes.
 */
#include "plot/series.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"

enum { FEW = SL_LINE_COLOURS, LANES_MAX = 40, PANELS_MAX = 8, WHAT_MAX = 8 };

/* ---- What is asked for -------------------------------------------------------------------------- */

/* Of a network pressures, of pressure waves heads; NULL: the group has none. */
static const char *usual_of(const sl_picture *p, const sl_results_group *g) {
    static const char *const words[] = {"pressure", "head", "flow", NULL};
    bool surge = strcmp(p->layout->engine, "surge") == 0;
    for (int i = surge ? 1 : 0; words[i]; i++) {
        if (sl_group_quantity(g, words[i])) {
            return words[i];
        }
    }
    return g->n_quantity > 0 ? g->quantities[0].name : NULL;
}

static const char *full_name(sl_picture *p, const sl_results_group *g, const char *quantity) {
    size_t n = strlen(g->name) + strlen(quantity) + 2;
    char *text = sl_arena_alloc(&p->arena, n);
    if (text) {
        (void)sl_format(text, n, "%s.%s", g->name, quantity);
    }
    return text;
}

/* Without a quantity: of the elements that are named the usual one; of none the variables of an automaton, or nodes. */
static sl_status fill_what(sl_picture *p, sl_results_select *s, const char *what[WHAT_MAX]) {
    if (s->n_what > 0 || s->n_variable > 0) {
        return SL_OK;
    }
    bool named = s->n_node > 0 || s->n_link > 0;
    const struct {
        const char *group;
        bool wanted;
    } groups[] = {
        {"node", s->n_node > 0 || !named}, {"link", s->n_link > 0}, {"variable", !named}, {"discrete", !named}};
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        const sl_results_group *g = groups[i].wanted ? sl_picture_group(p, groups[i].group) : NULL;
        const char *usual = g ? usual_of(p, g) : NULL;
        if (usual) {
            what[s->n_what] = full_name(p, g, usual);
            if (!what[s->n_what++]) {
                return SL_ERR_MEMORY;
            }
        }
    }
    if (s->n_what == 0 && p->layout->n_group > 0 && p->layout->groups[0].n_quantity > 0) {
        const sl_results_group *g = &p->layout->groups[0];
        what[0] = full_name(p, g, g->quantities[0].name);
        s->n_what = 1;
    }
    s->what = what;
    return s->n_what == 0 || what[0] ? SL_OK : SL_ERR_MEMORY;
}

static bool is_all(const sl_results_select *s) {
    for (int32_t i = 0; i < s->n_node; i++) {
        if (!sl_str_equal_nocase(sl_str_z(s->node[i]), sl_str_z("all"))) {
            return false;
        }
    }
    return s->n_variable == 0;
}

/* Only junctions where others mean something else. */
static void keep_junctions(sl_picture *p, sl_series_quantity *part) {
    const sl_results_column *kind = sl_group_fact(part->group, "kind");
    int32_t n = 0, *kept = sl_arena_alloc(&p->arena, (size_t)(part->n + 1) * sizeof *kept);
    for (int32_t i = 0; kind && kind->text && kept && i < part->n; i++) {
        if (strcmp(kind->text[part->element[i]], "junction") == 0) {
            kept[n++] = part->element[i];
        }
    }
    if (n > 0) {
        part->element = kept;
        part->n = n;
        part->junctions = true;
    }
}

static sl_status find_parts(sl_picture *p, sl_series *s) {
    sl_results_select select = sl_results_select_default();
    const char *what[WHAT_MAX];
    sl_results_choice choice;
    if (p->def->select && !sl_sized_take(&select, sizeof select, p->def->select)) {
        return SL_ERR_USE;
    }
    sl_status status = fill_what(p, &select, what);
    double first = p->times[0], last = p->times[p->n_time - 1];
    double from = select.from, to = select.to;
    select.from = select.to = select.every = -1.0; /* a window may lie between two frames */
    status = status == SL_OK ? sl_results_choose(&p->arena, p->layout, &select, first, last, 0.0, p->diags, &choice)
                             : status;
    s->parts = status == SL_OK ? sl_arena_alloc(&p->arena, (size_t)(choice.n_quantity + 1) * sizeof *s->parts) : NULL;
    if (!s->parts) {
        return status == SL_OK ? SL_ERR_MEMORY : status;
    }
    s->chart.from = from >= 0.0 ? fmax(from, first) : first;
    s->chart.to = to >= 0.0 ? fmin(to, last) : last;
    for (int32_t i = 0; i < choice.n_quantity; i++) {
        sl_series_quantity *part = &s->parts[s->n_part++];
        int32_t q = choice.quantity[i], g = sl_results_group_of(p->results, q), before = 0;
        for (int32_t k = 0; k < g; k++) {
            before += p->layout->groups[k].n_quantity;
        }
        *part = (sl_series_quantity){.quantity = q, .group = &p->layout->groups[g], .n = choice.n_element[i]};
        part->column = &part->group->quantities[q - before];
        int32_t *all = sl_arena_alloc(&p->arena, (size_t)(part->n + 1) * sizeof *all);
        for (int32_t k = 0; all && k < part->n; k++) {
            all[k] = choice.elements[i] ? choice.elements[i][k] : k;
        }
        part->element = all;
        if (!all) {
            return SL_ERR_MEMORY;
        }
        part->lanes = part->column->words != NULL || strcmp(part->group->name, "discrete") == 0;
        if (strcmp(part->group->name, "node") == 0 && sl_quantity_is_of_junctions(part->column->name) &&
            is_all(&select)) {
            keep_junctions(p, part);
        }
    }
    return SL_OK;
}

/* ---- Lines and lanes ---------------------------------------------------------------------------- */

static const char *name_of(const sl_series_quantity *part, int32_t i) {
    bool whole = strcmp(part->group->name, "model") == 0;
    return whole ? part->column->name : part->group->ids[part->element[i]];
}

static double *read_series(sl_picture *p, const sl_series_quantity *part, int32_t i, sl_status *status) {
    int64_t n = 0;
    (void)sl_results_times(p->results, &n); /* of all executions */
    double *y = sl_arena_alloc(&p->arena, (size_t)(n + 1) * sizeof *y);
    *status = y ? sl_results_read_series(p->results, part->quantity, part->element[i], y) : SL_ERR_MEMORY;
    return *status == SL_OK ? y : NULL;
}

sl_status sl_series_line(sl_picture *p, const sl_series_quantity *part, int32_t i, sl_chart_line *line) {
    sl_status status;
    line->t = p->times;
    line->y = read_series(p, part, i, &status);
    line->n = p->n_time;
    line->stepped = sl_quantity_is_stepped(part->column->name);
    return status;
}

typedef struct ranked {
    double range;
    int32_t at;
} ranked;

static int by_range(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->range != y->range ? (x->range < y->range) - (x->range > y->range) : x->at - y->at;
}

static int by_order(const void *a, const void *b) {
    const ranked *x = a, *y = b;
    return x->at - y->at;
}

/* The eight that move most. */
static sl_status keep_moving(sl_picture *p, sl_series_quantity *part) {
    ranked *all = sl_arena_alloc(&p->arena, (size_t)(part->n + 1) * sizeof *all);
    int32_t *kept = sl_arena_alloc(&p->arena, FEW * sizeof *kept);
    double *y[3];
    sl_status status = all && kept ? SL_OK : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_picture_range(p, part->group, part->quantity, part->element, part->n, 0, y) : status;
    if (status != SL_OK) {
        return status;
    }
    for (int32_t i = 0; i < part->n; i++) {
        all[i] = (ranked){y[2][i] - y[1][i], i};
    }
    qsort(all, (size_t)part->n, sizeof *all, by_range);
    qsort(all, FEW, sizeof *all, by_order);
    for (int i = 0; i < FEW; i++) {
        kept[i] = part->element[all[i].at];
    }
    part->element = kept;
    part->n_all = part->n;
    part->n = FEW;
    return SL_OK;
}

/* Names of several quantities of the model as a whole are labels enough. */
static const char *label_of(sl_picture *p, const sl_series_quantity *part) {
    char *label = sl_arena_alloc(&p->arena, SL_AXIS_MAX);
    bool plain = strcmp(part->column->name, "value") == 0 && !part->column->unit[0];
    if (label) {
        (void)sl_quantity_label(part->column, label);
        label[0] = plain ? '\0' : label[0];
    }
    return label;
}

static sl_status add_lines(sl_picture *p, sl_series *s, const sl_series_quantity *part) {
    const char *label = label_of(p, part);
    sl_status status = label ? SL_OK : SL_ERR_MEMORY;
    for (int32_t i = 0; i < part->n && status == SL_OK; i++) {
        int32_t number = strcmp(part->group->name, "model") == 0 ? s->n_line : i;
        uint32_t colour = sl_line_colour(number % SL_LINE_COLOURS, p->def->dark);
        s->lines[s->n_line] = (sl_chart_line){.name = name_of(part, i), .colour = colour, .width = 2.0};
        s->labels[s->n_line] = label;
        status = sl_series_line(p, part, i, &s->lines[s->n_line++]);
    }
    return status;
}

static sl_status add_lanes(sl_picture *p, sl_series *s, const sl_series_quantity *part) {
    sl_status status = SL_OK;
    for (int32_t i = 0; i < part->n && s->chart.n_lane < LANES_MAX && status == SL_OK; i++) {
        const double *y = read_series(p, part, i, &status);
        double most = 0.0;
        for (int64_t k = 0; y && k < p->n_time; k++) {
            most = fmax(most, y[k]);
        }
        s->lanes[s->chart.n_lane++] = (sl_chart_lane){.name = name_of(part, i),
                                                      .t = p->times,
                                                      .value = y,
                                                      .n = p->n_time,
                                                      .words = part->column->words,
                                                      .n_word = part->column->n_word,
                                                      .n_value = (int32_t)most + 1};
    }
    return status;
}

static sl_status fill_chart(sl_picture *p, sl_series *s) {
    size_t n_line = 0;
    for (int32_t i = 0; i < s->n_part; i++) {
        n_line += (size_t)(s->parts[i].n < FEW ? s->parts[i].n : FEW);
    }
    s->lines = sl_arena_alloc(&p->arena, (n_line + 1) * sizeof *s->lines);
    s->labels = sl_arena_alloc(&p->arena, (n_line + 1) * sizeof *s->labels);
    s->lanes = sl_arena_alloc(&p->arena, LANES_MAX * sizeof *s->lanes);
    sl_chart_panel *panels = sl_arena_alloc(&p->arena, (n_line + (size_t)s->n_part + 1) * sizeof *panels);
    if (!s->lines || !s->labels || !s->lanes || !panels) {
        return SL_ERR_MEMORY;
    }
    sl_status status = SL_OK;
    int32_t n_many = 0;
    bool surge = strcmp(p->layout->engine, "surge") == 0;
    for (int32_t i = 0; i < s->n_part && status == SL_OK; i++) {
        sl_series_quantity *part = &s->parts[i];
        if (!part->lanes && part->n > FEW && surge) {
            status = keep_moving(p, part);
        }
        if (status == SL_OK && !part->lanes && part->n > FEW) {
            status = sl_series_many(p, s, part, &panels[n_many++]);
        } else if (status == SL_OK) {
            status = (part->lanes ? add_lanes : add_lines)(p, s, part);
        }
    }
    status = status == SL_OK ? sl_chart_panels_make(&p->arena, s->lines, s->labels, s->n_line, &s->chart) : status;
    if (status == SL_OK) {
        memcpy(panels + n_many, s->chart.panels, (size_t)s->chart.n_panel * sizeof *panels);
        s->chart.panels = panels;
        s->chart.n_panel += n_many;
        s->chart.lanes = s->lanes;
    }
    return status;
}

/* ---- The page ----------------------------------------------------------------------------------- */

/* "Pressure [m] of 3 nodes, Flow [L/s] of link WP1, from 0:00 to 48:00". */
static void put_second(const sl_picture *p, const sl_series *s, char line[SL_TITLE_MAX]) {
    char from[SL_LABEL_MAX], to[SL_LABEL_MAX], label[SL_AXIS_MAX];
    size_t used = 0;
    line[0] = '\0';
    for (int32_t i = 0; i < s->n_part && used < SL_TITLE_MAX - 1; i++) {
        const sl_series_quantity *part = &s->parts[i];
        bool whole = strcmp(part->group->name, "model") == 0, one = part->n == 1;
        const char *noun = part->junctions ? "junction" : part->group->name;
        (void)sl_format(line + used, SL_TITLE_MAX - used, "%s%s", i > 0 ? ", " : "",
                        sl_quantity_label(part->column, label));
        used = strlen(line);
        if (part->n_all > 0) {
            (void)sl_format(line + used, SL_TITLE_MAX - used, " of the %d %ss of %d that move most", (int)part->n, noun,
                            (int)part->n_all);
        } else if (!whole && one) {
            (void)sl_format(line + used, SL_TITLE_MAX - used, " of %s %s", noun, name_of(part, 0));
        } else if (!whole) {
            (void)sl_format(line + used, SL_TITLE_MAX - used, " of %d %ss", (int)part->n, noun);
        }
        used = strlen(line);
    }
    if (s->chart.from > p->times[0] || s->chart.to < p->times[p->n_time - 1]) {
        (void)sl_format(line + used, SL_TITLE_MAX - used, ", from %s to %s",
                        sl_picture_time_text(p, s->chart.from, from), sl_picture_time_text(p, s->chart.to, to));
    }
}

static sl_status check_window(sl_picture *p, const sl_series *s) {
    char a[SL_LABEL_MAX], b[SL_LABEL_MAX];
    bool any = false;
    for (int64_t i = 0; i < p->n_time; i++) {
        any = any || (p->times[i] >= s->chart.from && p->times[i] <= s->chart.to);
    }
    if (any) {
        return SL_OK;
    }
    sl_report(p->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
              "no report lies in the time asked for: the result goes from %s to %s",
              sl_picture_time_text(p, p->times[0], a), sl_picture_time_text(p, p->times[p->n_time - 1], b));
    return SL_ERR_INPUT;
}

sl_status sl_plot_series(sl_picture *p) {
    sl_series s = {0};
    char second[SL_TITLE_MAX];
    sl_status status = find_parts(p, &s);
    status = status == SL_OK ? check_window(p, &s) : status;
    s.chart.steps = strcmp(p->layout->time_unit, "steps") == 0;
    s.chart.second = second;
    status = status == SL_OK ? fill_chart(p, &s) : status;
    status = status == SL_OK ? sl_series_events(p, &s) : status;
    if (status != SL_OK) {
        return status;
    }
    put_second(p, &s, second);
    return sl_chart_draw(p, &s.chart);
}
