/* SPDX-License-Identifier: MIT */
/* selection.c: the elements of a chart over time: found by id, read from the result, and what many of them have
 * in common.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <sluice/units.h>

#include "base/context.h"
#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "plot/picture.h"

const char *sl_selection_id(const sl_picture *p, const sl_selection *c, int32_t i) {
    return c->links ? sl_outfile_link_id(p->file, c->element[i]) : sl_outfile_node_id(p->file, c->element[i]);
}

/* What they are called. */
static const char *element_noun(const sl_selection *c) {
    return c->links ? c->n == 1 ? "link" : "links" : c->n == 1 ? "node" : c->junctions ? "junctions" : "nodes";
}

void sl_selection_title(const sl_picture *p, const sl_selection *c, char line[SL_TITLE_MAX]) {
    if (c->n == 1) {
        sl_format(line, SL_TITLE_MAX, "%s of %s %s", p->label, element_noun(c), sl_selection_id(p, c, 0));
    } else {
        sl_format(line, SL_TITLE_MAX, "%s of %d %s", p->label, (int)c->n, element_noun(c));
    }
}

/* ---- Reading ------------------------------------------------------------------------------------ */

static sl_status read_period(sl_picture *p, const sl_selection *c, int32_t i) {
    if (!sl_progress_report(p->ctx, "reading", i, c->n_period)) {
        return SL_ERR_CANCELLED;
    }
    return sl_outfile_read(p->file, c->first + i, c->variable, c->all);
}

sl_status sl_selection_read(sl_picture *p, const sl_selection *c, const int32_t *which, int32_t n, float *x) {
    for (int32_t i = 0; i < c->n_period; i++) {
        sl_status status = read_period(p, c, i);
        if (status != SL_OK) {
            return status;
        }
        for (int32_t k = 0; k < n; k++) {
            x[(size_t)k * (size_t)c->n_period + (size_t)i] = c->all[c->element[which[k]]];
        }
    }
    return SL_OK;
}

static int compare_values(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void spread_period(const sl_selection *c, sl_spread *s, double *ordered, int32_t period) {
    static const double part[5] = {0.0, 0.1, 0.5, 0.9, 1.0};
    int64_t n = 0;
    for (int32_t k = 0; k < c->n; k++) {
        double x = (double)c->all[c->element[k]];
        if (!isfinite(x)) {
            continue;
        }
        ordered[n++] = x;
        if (s->highest < 0 || x > s->max) {
            s->max = x;
            s->highest = k;
        }
        if (s->lowest < 0 || x < s->min) {
            s->min = x;
            s->lowest = k;
        }
    }
    qsort(ordered, (size_t)n, sizeof *ordered, compare_values);
    for (int j = 0; j < 5; j++) {
        s->level[j][period] = n > 0 ? sl_quantile(ordered, n, part[j]) : (double)NAN;
    }
}

sl_status sl_spread_read(sl_picture *p, const sl_selection *c, sl_spread *s) {
    *s = (sl_spread){.highest = -1, .lowest = -1};
    bool memory = true;
    for (int j = 0; j < 5; j++) {
        s->level[j] = sl_arena_alloc(&p->arena, (size_t)c->n_period * sizeof(double));
        memory = memory && s->level[j];
    }
    double *ordered = sl_arena_alloc(&p->arena, (size_t)c->n * sizeof *ordered);
    if (!memory || !ordered) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < c->n_period; i++) {
        sl_status status = read_period(p, c, i);
        if (status != SL_OK) {
            return status;
        }
        spread_period(c, s, ordered, i);
    }
    return SL_OK;
}

/* ---- Finding ------------------------------------------------------------------------------------ */

typedef struct id_search {
    sl_picture *p;
    bool links;
    bool junctions;
    int32_t n_all, n, n_unknown;
    int32_t *element;
    uint8_t *taken;
} id_search;

static const char *id_of(const id_search *s, int32_t i) {
    return s->links ? sl_outfile_link_id(s->p->file, i) : sl_outfile_node_id(s->p->file, i);
}

static int32_t find_element(const id_search *s, sl_str id) {
    return s->links ? sl_outfile_find_link(s->p->file, id) : sl_outfile_find_node(s->p->file, id);
}

static void select_element(id_search *s, int32_t i) {
    if (!s->taken[i]) {
        s->taken[i] = 1;
        s->element[s->n++] = i;
    }
}

/* The pressure of a tank is its level, the demand of a reservoir what flows in: among those of junctions they mislead. */
static void select_all(id_search *s) {
    const sl_outfile_info *f = s->p->info;
    s->junctions = !s->links && s->p->what->of_junctions && f->n_fixed < f->n_node;
    for (int32_t i = 0; i < f->n_fixed && s->junctions; i++) {
        s->taken[f->fixed_node[i]] = 1;
    }
    for (int32_t i = 0; i < s->n_all; i++) {
        select_element(s, i);
    }
}

/* The id that was probably meant, or else whether the other kind of element has this one. */
static void report_unknown(id_search *s, sl_str id) {
    enum { UNKNOWN_IDS_MAX = 20 };
    if (s->n_unknown++ >= UNKNOWN_IDS_MAX) {
        return;
    }
    char quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 40] = "";
    int best = (int)(id.len < 64 ? 2 * id.len + 2 : 0) / 3, near = -1;
    for (int32_t i = 0; i < s->n_all && best >= 0; i++) {
        int d = sl_edit_distance(id, sl_str_z(id_of(s, i)), best);
        if (d <= best) {
            best = d - 1;
            near = i;
        }
    }
    bool other = s->links ? sl_outfile_find_node(s->p->file, id) >= 0 : sl_outfile_find_link(s->p->file, id) >= 0;
    if (other) {
        sl_format(hint, sizeof hint, "it is a %s: --%s", s->links ? "node" : "link", s->links ? "node" : "link");
    } else if (near >= 0) {
        sl_format(hint, sizeof hint, "did you mean %s?", sl_quote(sl_str_z(id_of(s, near)), quoted));
    }
    sl_report(s->p->diags, SL_ERROR, s->links ? SL_CODE_UNKNOWN_LINK : SL_CODE_UNKNOWN_NODE, NULL, NULL, NULL,
              hint[0] ? hint : NULL, "the result has no %s %s", s->links ? "link" : "node", sl_quote(id, quoted));
}

static void select_ids(id_search *s, const char *text) {
    int32_t whole = find_element(s, sl_str_z(text));
    if (whole >= 0) {
        select_element(s, whole);
        return;
    }
    if (sl_str_equal_nocase(sl_str_z(text), sl_str_z("all"))) {
        select_all(s);
        return;
    }
    while (*text) {
        size_t n = strcspn(text, ",");
        int32_t i = find_element(s, (sl_str){text, n});
        if (i >= 0) {
            select_element(s, i);
        } else if (n > 0) {
            report_unknown(s, (sl_str){text, n});
        }
        text += n + (text[n] == ',');
    }
}

/* Times of reports within [from, to]. */
static sl_status find_periods(sl_picture *p, sl_selection *c) {
    int32_t first = 0, last = p->info->n_period - 1;
    while (first <= last && sl_outfile_time(p->file, first) < p->def->from) {
        first++;
    }
    while (first <= last && sl_outfile_time(p->file, last) > p->def->to) {
        last--;
    }
    c->first = first;
    c->n_period = last - first + 1;
    if (c->n_period > 0) {
        return SL_OK;
    }
    char a[SL_LABEL_MAX], b[SL_LABEL_MAX];
    sl_time_format(sl_outfile_time(p->file, 0), a, sizeof a);
    sl_time_format(sl_outfile_time(p->file, p->info->n_period - 1), b, sizeof b);
    sl_report(p->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
              "no report lies in the time asked for: the result goes from %s to %s", a, b);
    return SL_ERR_INPUT;
}

sl_status sl_selection_find(sl_picture *p, sl_selection *c) {
    id_search s = {.p = p, .links = p->def->links};
    s.n_all = s.links ? p->info->n_link : p->info->n_node;
    s.element = sl_arena_alloc(&p->arena, (size_t)s.n_all * sizeof *s.element);
    s.taken = sl_arena_alloc(&p->arena, (size_t)s.n_all);
    c->all = sl_arena_alloc(&p->arena, (size_t)s.n_all * sizeof *c->all);
    if (!s.element || !s.taken || !c->all) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < p->def->n_id; i++) {
        select_ids(&s, p->def->ids[i]);
    }
    c->links = s.links;
    c->junctions = s.junctions && p->def->n_id == 1;
    c->variable = (sl_out_variable)(s.links ? p->what->link : p->what->node);
    c->element = s.element;
    c->n = s.n;
    if (s.n_unknown > 0 || s.n == 0) {
        if (s.n_unknown == 0) {
            sl_report(p->diags, SL_ERROR, SL_CODE_MISSING_VALUE, NULL, NULL, NULL, NULL, "no %s is asked for",
                      s.links ? "link" : "node");
        }
        return SL_ERR_INPUT;
    }
    return find_periods(p, c);
}
