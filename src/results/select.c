/* SPDX-License-Identifier: MIT */
/* select.c: which elements, quantities and times of a result are taken; see format.h.
 *
 * Ids may hold anything, commas too. A text that is an id means that element; only else it is taken apart at commas. The part has
 * all its quantities for all its elements of a group: patterns that name head of one node and pressure of another give both of both.
 */
#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"
#include "results/select_impl.h"

void sl_results_select_default_fill(sl_results_select *def, size_t size) {
    const sl_results_select all = {.from = -1.0, .to = -1.0, .every = -1.0};
    sl_sized_default(def, size, &all, sizeof all);
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* The elements of a group by id. */
typedef struct directory {
    sl_ids *ids;
    int32_t *element; /* of an id */
} directory;

static bool directory_open(sl_results_selection *s, const sl_results_group *g, directory *d) {
    d->element = sl_arena_alloc(s->arena, (size_t)g->n * sizeof *d->element);
    d->ids = sl_ids_create(s->arena->ctx);
    bool fine = d->element && d->ids && sl_ids_reserve(d->ids, g->n, 0);
    for (int32_t i = 0; i < g->n && fine; i++) {
        int32_t k = sl_ids_add(d->ids, sl_str_z(g->ids[i]));
        fine = k != INT32_MIN;
        if (k >= 0) {
            d->element[k] = i;
        }
    }
    s->no_memory = s->no_memory || !fine;
    return fine;
}

static bool is_word(sl_str text, const char *word) {
    return sl_str_equal_nocase(text, sl_str_z(word));
}

/* One id or word; false: it is none. */
static bool pick(const directory *d, sl_str text, uint8_t *picked, int32_t n) {
    int32_t k = sl_ids_find(d->ids, text);
    if (k >= 0) {
        picked[d->element[k]] = 1;
        return true;
    }
    if (is_word(text, "all")) {
        memset(picked, 1, (size_t)n);
    }
    return is_word(text, "all") || is_word(text, "none");
}

static void report_unknown(sl_results_selection *s, const char *group, const directory *d, sl_str text) {
    char id[SL_QUOTE_MAX], near_quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 32];
    int32_t near = sl_ids_nearest(d->ids, text);
    if (near >= 0) {
        sl_format(hint, sizeof hint, "did you mean %s?", sl_quote(sl_ids_text(d->ids, near), near_quoted));
    }
    sl_format(id, sizeof id, "%.*s", (int)(text.len < sizeof id ? text.len : sizeof id - 1), text.ptr);
    sl_report(s->diags, SL_ERROR, strcmp(group, "node") == 0 ? SL_CODE_UNKNOWN_NODE : SL_CODE_UNKNOWN_LINK, NULL, group,
              id, near >= 0 ? hint : NULL, "is selected, but does not exist");
    s->wrong = true;
}

/* Picks those of a group whose elements are some of another's: pumps of links. */
static void pick_among(sl_results_selection *s, int32_t g, const char *name, const directory *d,
                       const uint8_t *picked) {
    const sl_results_group *group = &s->whole->groups[g];
    if (!group->among || strcmp(group->among, name) != 0) {
        return;
    }
    for (int32_t i = 0; i < group->n; i++) {
        int32_t k = sl_ids_find(d->ids, sl_str_z(group->ids[i]));
        s->element[g][i] |= k >= 0 && picked[d->element[k]];
    }
    memset(s->quantity + s->first[g], 1, (size_t)group->n_quantity);
}

static void pick_elements(sl_results_selection *s, const char *name, const char *const *text, int32_t n_text) {
    const sl_results_group *group = sl_results_find_group(s->whole, name);
    int32_t g = group ? (int32_t)(group - s->whole->groups) : -1;
    if (n_text <= 0) {
        return;
    }
    if (!group) {
        char has[SL_QUOTE_MAX];
        sl_selection_describe(s->whole, false, has, sizeof has);
        sl_report(s->diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL, "select variables by their names",
                  "%ss are selected, but this result has none: its groups are %s", name, *has ? has : "none");
        s->wrong = true;
        return;
    }
    directory d = {0};
    bool fine = directory_open(s, group, &d);
    for (int32_t i = 0; i < n_text && fine; i++) {
        sl_str rest = sl_str_z(text[i]), piece;
        for (bool whole = pick(&d, rest, s->element[g], group->n); !whole && sl_selection_piece(&rest, &piece);) {
            if (!pick(&d, piece, s->element[g], group->n)) {
                report_unknown(s, name, &d, piece);
            }
        }
    }
    memset(s->quantity + s->first[g], 1, (size_t)group->n_quantity);
    for (int32_t k = 0; k < s->whole->n_group && fine; k++) {
        pick_among(s, k, name, &d, s->element[g]);
    }
    sl_ids_destroy(d.ids);
}

/* ---- Times -------------------------------------------------------------------------------------- */

static void format_time(const sl_results_selection *s, double t, char *buf, size_t size) {
    if (strcmp(s->whole->time_unit, "s") == 0) {
        sl_time_format(t, buf, size);
    } else {
        sl_format(buf, size, "%.15g %s", t, s->whole->time_unit);
    }
}

/* Times of two sources that mean the same differ by rounding. */
static double tolerance(double a, double b) {
    return 1e-9 * fmax(fabs(a), fabs(b));
}

static void choose_times(sl_results_selection *s, double start, double end, double step, sl_results_choice *c) {
    const sl_results_select *d = &s->d;
    c->every = d->every > 0.0 ? d->every : 0.0;
    c->last = d->to >= 0.0 ? d->to : (double)INFINITY;
    c->first = start;
    if (d->from > start) {
        c->first = step > 0.0 ? start + ceil((d->from - start) / step - 1e-9) * step : d->from;
    }
    double until = fmin(c->last, end);
    if (c->first > until + tolerance(c->first, until)) {
        char a[32], b[32];
        format_time(s, start, a, sizeof a);
        format_time(s, end, b, sizeof b);
        sl_report(s->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
                  isfinite(end) ? "no results are at the times selected: there are some from %s to %s"
                                : "no results are at the times selected: there are some from %s on",
                  a, b);
        s->wrong = true;
    }
    double stride = fmax(step, c->every);
    if (stride > 0.0 && isfinite(until)) {
        c->layout.n_frame = fmin(floor((until - c->first) / stride + 1e-9), 1e15) + 1.0;
    } else if (start == end) {
        c->layout.n_frame = 1.0;
    }
}

bool sl_results_choice_wants(const sl_results_choice *c, double time) {
    double near = tolerance(time, c->every);
    return time >= c->first - near && time <= c->last + near &&
           (c->every <= 0.0 || fabs(remainder(time - c->first, c->every)) <= near);
}

/* ---- The part ----------------------------------------------------------------------------------- */

/* Where are the elements? On a map, between others, or along a line. */
static bool is_located(const sl_results_group *g) {
    return (sl_results_find_fact(g, "x") && sl_results_find_fact(g, "y")) ||
           (sl_results_find_fact(g, "from") && sl_results_find_fact(g, "to")) || g->along;
}

static int32_t count_picked(const sl_results_selection *s, int32_t g) {
    const sl_results_group *group = &s->whole->groups[g];
    int32_t n = 0;
    for (int32_t i = 0; s->narrowed && i < group->n; i++) {
        n += s->element[g][i];
    }
    return s->narrowed ? n : group->n;
}

static int32_t count_quantities(const sl_results_selection *s, int32_t g) {
    int32_t n = 0;
    for (int32_t q = 0; q < s->whole->groups[g].n_quantity; q++) {
        n += s->quantity[s->first[g] + q];
    }
    return n;
}

/* Picks the nodes at the ends of selected links, where no quantity of nodes is selected: they say where the links are. */
static void pick_ends(sl_results_selection *s) {
    const sl_results_group *nodes = sl_results_find_group(s->whole, "node"),
                           *links = sl_results_find_group(s->whole, "link");
    if (!s->narrowed || !nodes || !links || !is_located(nodes)) {
        return;
    }
    int32_t at = (int32_t)(nodes - s->whole->groups), of = (int32_t)(links - s->whole->groups);
    if (count_quantities(s, at) > 0 && count_picked(s, at) > 0) {
        return;
    }
    const sl_results_column *ends[2] = {sl_results_find_fact(links, "from"), sl_results_find_fact(links, "to")};
    directory d = {0};
    bool fine = directory_open(s, nodes, &d);
    for (int k = 0; k < 2 && fine; k++) {
        for (int32_t i = 0; ends[k] && ends[k]->text && i < links->n; i++) {
            int32_t node = s->element[of][i] ? sl_ids_find(d.ids, sl_str_z(ends[k]->text[i])) : -1;
            if (node >= 0) {
                s->element[at][d.element[node]] = 1;
            }
        }
    }
    memset(s->quantity + s->first[at], 0, (size_t)nodes->n_quantity);
    sl_ids_destroy(d.ids);
}

static const void *gather(sl_arena *arena, const void *from, size_t size, const int32_t *at, int32_t n) {
    char *to = from ? sl_arena_alloc(arena, (size_t)n * size) : NULL;
    for (int32_t i = 0; to && i < n; i++) {
        memcpy(to + (size_t)i * size, (const char *)from + (size_t)at[i] * size, size);
    }
    return to;
}

/* Cuts a group down to its picked elements, in the order of the whole. at NULL: all. False: out of memory. */
static bool narrow(sl_results_selection *s, sl_results_group *g, const uint8_t *picked, int32_t n, int32_t **at) {
    int32_t *list = sl_arena_alloc(s->arena, (size_t)n * sizeof *list), k = 0;
    sl_results_column *facts = sl_arena_alloc(s->arena, (size_t)g->n_fact * sizeof *facts);
    for (int32_t i = 0; list && i < g->n; i++) {
        if (picked[i]) {
            list[k++] = i;
        }
    }
    bool fine = list && facts;
    for (int32_t i = 0; i < g->n_fact && fine; i++) {
        facts[i] = g->facts[i];
        facts[i].real = gather(s->arena, g->facts[i].real, sizeof *facts[i].real, list, n);
        facts[i].text = gather(s->arena, g->facts[i].text, sizeof *facts[i].text, list, n);
        fine = facts[i].real || facts[i].text;
    }
    g->ids = fine ? gather(s->arena, g->ids, sizeof *g->ids, list, n) : NULL;
    g->n = n;
    g->facts = facts;
    *at = list;
    return g->ids != NULL;
}

/* The part of a group, whose quantities go to the end of the choice's. False: out of memory. */
static bool cut_group(sl_results_selection *s, int32_t g, sl_results_choice *c, sl_results_group *part) {
    const sl_results_group *group = &s->whole->groups[g];
    int32_t n = count_picked(s, g), n_quantity = n > 0 || group->n == 0 ? count_quantities(s, g) : 0, *at = NULL;
    *part = *group;
    if (n < group->n && !narrow(s, part, s->element[g], n, &at)) {
        return false;
    }
    sl_results_column *quantities = sl_arena_alloc(s->arena, (size_t)n_quantity * sizeof *quantities);
    part->n_quantity = 0;
    part->quantities = quantities;
    for (int32_t q = 0; quantities && q < group->n_quantity && n_quantity > 0; q++) {
        if (s->quantity[s->first[g] + q]) {
            int32_t k = c->n_quantity++;
            quantities[part->n_quantity++] = group->quantities[q];
            c->quantity[k] = s->first[g] + q;
            c->elements[k] = at;
            c->n_element[k] = n;
            c->gathered[k] = at ? sl_arena_alloc(s->arena, (size_t)n * sizeof(double)) : NULL;
            if (at && !c->gathered[k]) {
                return false;
            }
        }
    }
    return quantities != NULL;
}

static void cut(sl_results_selection *s, sl_results_choice *c) {
    size_t n = (size_t)s->n_quantity;
    sl_results_group *groups = sl_arena_alloc(s->arena, (size_t)s->whole->n_group * sizeof *groups);
    c->quantity = sl_arena_alloc(s->arena, n * sizeof *c->quantity);
    c->elements = sl_arena_alloc(s->arena, n * sizeof *c->elements);
    c->n_element = sl_arena_alloc(s->arena, n * sizeof *c->n_element);
    c->gathered = sl_arena_alloc(s->arena, n * sizeof *c->gathered);
    c->values = sl_arena_alloc(s->arena, n * sizeof *c->values);
    bool fine = groups && c->quantity && c->elements && c->n_element && c->gathered && c->values;
    c->layout.n_group = 0;
    c->layout.groups = groups;
    for (int32_t g = 0; g < s->whole->n_group && fine; g++) {
        sl_results_group *part = &groups[c->layout.n_group];
        const sl_results_group *group = &s->whole->groups[g];
        fine = cut_group(s, g, c, part);
        bool stays =
            part->n_quantity > 0 || (is_located(group) && part->n > 0) || (!s->narrowed && group->n_quantity == 0);
        c->layout.n_group += stays;
    }
    s->no_memory = s->no_memory || !fine;
}

static void report_nothing(sl_results_selection *s) {
    char has[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 32];
    sl_selection_describe(s->whole, true, has, sizeof has);
    sl_format(hint, sizeof hint, "there are %s", has);
    sl_report(s->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, hint,
              "nothing is selected: no selected element has any of the selected quantities");
    s->wrong = true;
}

/* Texts that people give may have the bytes of the model's file; ids of results are UTF-8. */
static const char *const *read_texts(sl_results_selection *s, const char *const *texts, int32_t n) {
    const char **to = sl_arena_alloc(s->arena, (size_t)(n > 0 ? n : 1) * sizeof *to);
    s->no_memory = s->no_memory || !to;
    for (int32_t i = 0; i < n && !s->no_memory; i++) {
        to[i] = sl_results_text(s->arena, texts[i]);
        s->no_memory = !to[i];
    }
    return to;
}

/* Numbers the quantities and marks what is picked before anything is named: all, or nothing. */
static void begin(sl_results_selection *s) {
    const sl_results_layout *l = s->whole;
    s->narrowed = s->d.n_node > 0 || s->d.n_link > 0 || s->d.n_variable > 0;
    s->first = sl_arena_alloc(s->arena, (size_t)l->n_group * sizeof *s->first);
    s->element = sl_arena_alloc(s->arena, (size_t)l->n_group * sizeof *s->element);
    s->no_memory = !s->first || !s->element;
    s->d.node = read_texts(s, s->d.node, s->d.n_node);
    s->d.link = read_texts(s, s->d.link, s->d.n_link);
    s->d.variable = read_texts(s, s->d.variable, s->d.n_variable);
    for (int32_t g = 0; g < l->n_group && !s->no_memory; g++) {
        s->first[g] = s->n_quantity;
        s->n_quantity += l->groups[g].n_quantity;
        s->element[g] = s->narrowed ? sl_arena_alloc(s->arena, (size_t)l->groups[g].n) : NULL;
        s->no_memory = s->narrowed && !s->element[g];
    }
    s->quantity = sl_arena_alloc(s->arena, (size_t)s->n_quantity);
    s->no_memory = s->no_memory || !s->quantity;
    if (!s->no_memory) {
        memset(s->quantity, !s->narrowed, (size_t)s->n_quantity);
    }
}

sl_status sl_results_choose(sl_arena *arena, const sl_results_layout *whole, const sl_results_select *select,
                            double start, double end, double step, sl_diags *diags, sl_results_choice *out) {
    sl_results_selection s = {.arena = arena, .whole = whole, .d = sl_results_select_default(), .diags = diags};
    *out = (sl_results_choice){.layout = *whole};
    if (!sl_sized_take(&s.d, sizeof s.d, select)) {
        return SL_ERR_USE;
    }
    begin(&s);
    if (!s.no_memory) {
        pick_elements(&s, "node", s.d.node, s.d.n_node);
        pick_elements(&s, "link", s.d.link, s.d.n_link);
        sl_selection_pick_variables(&s);
        sl_selection_choose_quantities(&s);
        choose_times(&s, start, end, step, out);
    }
    if (!s.no_memory && !s.wrong) {
        pick_ends(&s);
        cut(&s, out);
        if (out->n_quantity == 0 && s.n_quantity > 0) {
            report_nothing(&s);
        }
    }
    return s.no_memory ? SL_ERR_MEMORY : s.wrong ? SL_ERR_INPUT : SL_OK;
}

sl_results_frame sl_results_choice_gather(sl_results_choice *c, const sl_results_frame *whole) {
    for (int32_t q = 0; q < c->n_quantity; q++) {
        const double *x = whole->values[c->quantity[q]];
        const int32_t *at = c->elements[q];
        double *to = c->gathered[q];
        for (int32_t i = 0; at && i < c->n_element[q]; i++) {
            to[i] = x[at[i]];
        }
        c->values[q] = at ? to : x;
    }
    return (sl_results_frame){.time = whole->time, .values = c->values, .execution = whole->execution};
}
