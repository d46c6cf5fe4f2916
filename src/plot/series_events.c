/* SPDX-License-Identifier: MIT */
/* series_events.c: events of a result for a chart: what changed, to what, in the words of the result: "WP2 open". Where
 * crossings of roots have names, these and what schedules set are the events: "fill(main)". In charts of automata, crossings are lines without text,
 * because the lanes say what followed; what has no element (the run begins) is left out. */
#include <string.h>

#include "base/out.h"
#include "plot/series.h"
#include "results/network_columns.h"

/* The words of a code that changed; NULL: it is none. */
static const char *word_of(const sl_picture *p, const sl_event_info *e) {
    const sl_results_column *q = sl_group_quantity(sl_picture_group(p, e->element_class), e->quantity);
    bool coded = q && q->words && e->to >= 0.0 && e->to < q->n_word;
    bool status = strcmp(e->element_class, "link") == 0 && strcmp(e->quantity, "status") == 0 && e->to >= 0.0 &&
                  e->to < SL_NETWORK_STATUSES; /* also where only other quantities are in the result */
    return coded ? q->words[(int32_t)e->to] : status ? sl_network_statuses[(int32_t)e->to] : NULL;
}

/* Pumps, valves and pipes are links by other names. */
static bool is_shown(const sl_series *s, const sl_event_info *e) {
    bool node = strcmp(e->element_class, "node") == 0;
    for (int32_t i = 0; i < s->n_part; i++) {
        const sl_series_quantity *part = &s->parts[i];
        bool alike = (strcmp(part->group->name, "node") == 0) == node;
        for (int32_t k = 0; k < part->n && alike; k++) {
            if (strcmp(part->group->ids[part->element[k]], e->element) == 0) {
                return true;
            }
        }
    }
    return false;
}

static const char *text_of(sl_picture *p, const sl_event_info *e) {
    const sl_chart_lane lane = {.words = (const char *const[]){word_of(p, e)}, .n_word = 1};
    char buf[SL_LABEL_MAX];
    const char *word = lane.words[0] ? sl_lane_text(&(sl_chart){0}, &lane, 0.0, buf) : NULL;
    size_t n = strlen(e->element) + (word ? strlen(word) : strlen(e->kind)) + 2;
    char *text = sl_arena_alloc(&p->arena, n);
    if (text) {
        (void)sl_format(text, n, "%s %s", e->element, word ? word : e->kind);
    }
    return text;
}

static bool is_root(const sl_event_info *e) {
    return strcmp(e->kind, "crossing") == 0 || strcmp(e->kind, "root") == 0;
}

/* ---- Crossings with names ----------------------------------------------------------------------- */

/* Do crossings name what was crossed? All else that happens then follows from it. */
static bool has_named_crossings(sl_results *r) {
    sl_event_info e = {.size = sizeof e};
    for (int64_t i = 0; i < sl_results_n_event(r); i++) {
        if (sl_results_event(r, i, &e) == SL_OK && strcmp(e.kind, "crossing") == 0 && e.cause[0]) {
            return true;
        }
    }
    return false;
}

/* Does a discrete variable keep the value that event i gives it, at least for some time? Controls are taken back at once. */
static bool is_kept(sl_results *r, int64_t i, const sl_event_info *e) {
    sl_event_info next = {.size = sizeof next};
    for (int64_t k = i + 1; k < sl_results_n_event(r) && sl_results_event(r, k, &next) == SL_OK; k++) {
        if (next.time > e->time) {
            return true;
        }
        if (strcmp(next.element, e->element) == 0 && next.to == e->from) {
            return false;
        }
    }
    return true;
}

/* "fill(main)" of a crossing, "gate[main,0] = 1" of what a schedule sets; NULL: it is neither. "": no memory. */
static const char *name_of(sl_picture *p, int64_t i, const sl_event_info *e) {
    if (strcmp(e->kind, "crossing") == 0 && e->cause[0]) {
        const char *text = sl_arena_copy(&p->arena, sl_str_z(e->cause));
        return text ? text : "";
    }
    bool set = strcmp(e->kind, "root") == 0 && strcmp(e->element_class, "discrete") == 0 && e->time > 0.0;
    if (!set || !is_kept(p->results, i, e)) {
        return NULL;
    }
    const char *text = sl_arena_format(&p->arena, "%s = %g", e->element, e->to);
    return text ? text : "";
}

static sl_status name_events(sl_picture *p, sl_series *s, sl_chart_event *events) {
    int64_t n = sl_results_n_event(p->results), kept = 0;
    for (int64_t i = 0; i < n; i++) {
        sl_event_info e = {.size = sizeof e};
        sl_status status = sl_results_event(p->results, i, &e);
        const char *text = status == SL_OK ? name_of(p, i, &e) : NULL;
        if (status != SL_OK || (text && !text[0])) {
            return status != SL_OK ? status : SL_ERR_MEMORY;
        }
        if (text) {
            events[kept++] = (sl_chart_event){.time = e.time, .text = text, .shown = true};
        }
    }
    s->chart.events = events;
    s->chart.n_event = kept;
    return SL_OK;
}

/* ---- All ---------------------------------------------------------------------------------------- */

sl_status sl_series_events(sl_picture *p, sl_series *s) {
    bool automaton = sl_picture_group(p, "discrete") || sl_picture_group(p, "variable");
    int64_t n = sl_results_n_event(p->results), kept = 0;
    sl_chart_event *events = sl_arena_alloc(&p->arena, (size_t)(n + 1) * sizeof *events);
    if (!events) {
        return SL_ERR_MEMORY;
    }
    if (!automaton && has_named_crossings(p->results)) {
        return name_events(p, s, events);
    }
    for (int64_t i = 0; i < n; i++) {
        sl_event_info e = {.size = sizeof e};
        sl_status status = sl_results_event(p->results, i, &e);
        if (status != SL_OK) {
            return status;
        }
        if (automaton ? !is_root(&e) : !e.element[0]) {
            continue;
        }
        const char *text = automaton ? "" : text_of(p, &e);
        if (!text) {
            return SL_ERR_MEMORY;
        }
        events[kept++] = (sl_chart_event){.time = e.time, .text = text, .shown = is_shown(s, &e)};
    }
    s->chart.events = events;
    s->chart.n_event = kept;
    return SL_OK;
}
