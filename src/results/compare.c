/* SPDX-License-Identifier: MIT */
/* compare.c: are two results the same within tolerances? What is matched with what; see compare_impl.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ids.h"
#include "base/report.h"
#include "base/sized.h"
#include "results/compare_impl.h"
#include "results/csv_impl.h"

enum { OUT_ID = 31 }; /* bytes of an id in a .out file */

void sl_compare_default_fill(sl_compare_def *def, size_t size) {
    const sl_compare_def all = {.head_abs = 1e-3,
                                .head_rel = 1e-4,
                                .flow_rel = 1e-3,
                                .quality_abs = 1e-3,
                                .quality_rel = 1e-3,
                                .other_rel = 1e-3,
                                .rel = 1e-3};
    sl_sized_default(def, size, &all, sizeof all);
}

void sl_compare_differs(sl_comparison *c, sl_severity severity, const char *hint, const char *fmt, ...) {
    char text[512];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    c->result.same = false;
    sl_report(c->diags, severity, SL_CODE_NOT_COMPARABLE, NULL, NULL, NULL, hint, "%s", text);
}

/* ---- Finding ------------------------------------------------------------------------------------ */

bool sl_compare_same_id(const sl_comparison *c, const char *a, const char *b) {
    if (strcmp(a, b) == 0) {
        return true;
    }
    bool cut = c->a->format == &sl_format_out || c->b->format == &sl_format_out;
    size_t n = strlen(a), m = strlen(b);
    return cut && (n == OUT_ID || m == OUT_ID) && n >= OUT_ID && m >= OUT_ID && memcmp(a, b, OUT_ID) == 0;
}

/* ---- Elements ----------------------------------------------------------------------------------- */

/* Where ids of one group are in another; -1: nowhere. */
static sl_status look_up(sl_comparison *c, const sl_results_group *of, const sl_results_group *in, int32_t *place) {
    sl_ids *ids = sl_ids_create(c->ctx);
    sl_status status = ids ? SL_OK : SL_ERR_MEMORY;
    for (int32_t i = 0; i < in->n && status == SL_OK; i++) {
        status = sl_ids_add(ids, sl_str_z(in->ids[i])) == INT32_MIN ? SL_ERR_MEMORY : SL_OK;
    }
    for (int32_t i = 0; i < of->n && status == SL_OK; i++) {
        place[i] = sl_ids_find(ids, sl_str_z(of->ids[i]));
    }
    sl_ids_destroy(ids);
    return status;
}

static sl_status refuse_elements(sl_comparison *c, const sl_compared_group *g, const char *missing, const char *which) {
    c->result.same = false;
    sl_report(c->diags, SL_ERROR, SL_CODE_NOT_COMPARABLE, NULL, g->a->name, missing,
              "a selection can be compared with the same selection: `sluice convert` makes one",
              "the files are results of different %s: %d and %d elements of the group `%s`%s%s%s",
              c->result.network ? "networks" : "models", (int)g->a->n, (int)g->b->n, g->a->name,
              missing ? "; this one is in the " : "", missing ? which : "", missing ? " only" : "");
    return SL_ERR_INPUT;
}

/* All elements of part, which is a or b, in the other. */
static sl_status match_part(sl_comparison *c, sl_compared_group *g, const sl_results_group *part) {
    bool of_a = part == g->a;
    int32_t *own = of_a ? g->in_a : g->in_b, *other = of_a ? g->in_b : g->in_a;
    sl_status status = look_up(c, part, of_a ? g->b : g->a, other);
    for (int32_t i = 0; i < part->n && status == SL_OK; i++) {
        own[i] = i;
        if (other[i] < 0) {
            status = refuse_elements(c, g, part->ids[i], of_a ? "first" : "second");
        }
    }
    g->n = part->n;
    return status;
}

/* Equal lists match place by place, cut ids and all. part: whose elements all must be in the other, NULL: of both. */
static sl_status match_elements(sl_comparison *c, sl_compared_group *g, const sl_results_group *part) {
    const sl_results_group *a = g->a, *b = g->b;
    size_t n = (size_t)(a->n > b->n ? a->n : b->n);
    g->in_a = sl_arena_alloc(&c->arena, n * sizeof *g->in_a);
    g->in_b = sl_arena_alloc(&c->arena, n * sizeof *g->in_b);
    if (!g->in_a || !g->in_b) {
        return SL_ERR_MEMORY;
    }
    bool in_order = a->n == b->n;
    for (int32_t i = 0; i < a->n && in_order; i++) {
        g->in_a[i] = g->in_b[i] = i;
        in_order = sl_compare_same_id(c, a->ids[i], b->ids[i]);
    }
    g->n = a->n;
    sl_status status = in_order ? SL_OK : match_part(c, g, part ? part : a);
    return status == SL_OK && !part && a->n != b->n ? refuse_elements(c, g, NULL, NULL) : status;
}

/* ---- Facts -------------------------------------------------------------------------------------- */

static bool is_near(double a, double b) {
    return sl_compare_distance(a, b) <= 1e-4 * fmax(1.0, fabs(a));
}

/* Elements whose fact differs. */
static int32_t count_facts(const sl_comparison *c, const sl_compared_group *g, const sl_results_column *a,
                           const sl_results_column *b) {
    double by, plus;
    int32_t n = 0;
    bool number = a->real && b->real && sl_compare_convert(a->name, b->unit, a->unit, &by, &plus);
    for (int32_t i = 0; i < g->n; i++) {
        int32_t k = g->in_a[i], m = g->in_b[i];
        if (number) {
            n += !is_near(a->real[k], b->real[m] * by + plus);
        } else if (a->text && b->text) {
            n += !sl_compare_same_id(c, a->text[k], b->text[m]);
        }
    }
    return n;
}

/* Elevations, lengths, kinds and ends: different ones are another model, though the ids agree. Coordinates on the map change
 * nothing. */
static void compare_facts(sl_comparison *c, const sl_compared_group *g) {
    for (int32_t i = 0; i < g->a->n_fact; i++) {
        const sl_results_column *a = &g->a->facts[i], *b = sl_results_find_fact(g->b, a->name);
        bool on_map = strcmp(a->name, "x") == 0 || strcmp(a->name, "y") == 0;
        int32_t n = b && !on_map ? count_facts(c, g, a, b) : 0;
        if (n > 0) {
            sl_compare_differs(c, SL_WARNING, "the models were not the same",
                               "%d elements of the group `%s` differ in %s", (int)n, g->a->name, a->name);
        }
    }
}

/* A name for messages. */
static const char *engine_of(const sl_results *r) {
    return *r->layout.engine ? r->layout.engine : r->format->what;
}

static sl_status refuse(sl_comparison *c) {
    sl_compare_differs(
        c, SL_ERROR, NULL,
        "the files are results of different kinds: of %s (%s) and of %s (%s), which have no quantity in common",
        engine_of(c->a), c->a->name, engine_of(c->b), c->b->name);
    return SL_ERR_INPUT;
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static const char *const bare_groups[][2] = {{"variable", "value"}, {"discrete", "state"}};

/* A .csv of bare names does not say which of an automaton's variables are discrete, and of other models not that they are quantities
 * of the whole: all are in the group "variable". */
static bool is_bare(const sl_results *r) {
    return r->format == &sl_format_csv && sl_results_find(r, "variable", "value") >= 0 &&
           !sl_results_find_group(&r->layout, "discrete");
}

static sl_status add_group(sl_comparison *c, const sl_results_group *a, const sl_results_group *b,
                           const sl_results_group *part, const char *bare_a, const char *bare_b) {
    sl_compared_group *g = &c->groups[c->n_group++];
    *g = (sl_compared_group){.a = a, .b = b, .bare_a = bare_a, .bare_b = bare_b};
    sl_status status = match_elements(c, g, part);
    if (status == SL_OK) {
        compare_facts(c, g);
    }
    return status;
}

static int32_t find_element(const sl_results_group *g, const char *id) {
    for (int32_t i = 0; i < g->n; i++) {
        if (strcmp(g->ids[i], id) == 0) {
            return i;
        }
    }
    return -1;
}

/* The quantity of a model with the element of bare names that is called so. *n counts those found. */
static sl_status add_model_quantity(sl_comparison *c, const sl_results_group *model, const sl_results_column *q,
                                    const sl_results_group *all, int32_t *n) {
    const char *name = sl_csv_column_name(&c->arena, q->name, q->unit);
    int32_t *place = sl_arena_alloc(&c->arena, 2 * sizeof *place);
    if (!name || !place) {
        return SL_ERR_MEMORY;
    }
    int32_t element = find_element(all, name);
    if (element < 0) {
        return SL_OK;
    }
    bool of_a = is_bare(c->a);
    place[0] = of_a ? element : 0;
    place[1] = of_a ? 0 : element;
    c->groups[c->n_group++] = (sl_compared_group){.a = of_a ? all : model,
                                                  .b = of_a ? model : all,
                                                  .n = 1,
                                                  .in_a = &place[0],
                                                  .in_b = &place[1],
                                                  .bare_a = of_a ? "value" : q->name,
                                                  .bare_b = of_a ? q->name : "value"};
    ++*n;
    return SL_OK;
}

static sl_status match_bare_model(sl_comparison *c, const sl_results_layout *full, const sl_results_group *all,
                                  int32_t *n) {
    const sl_results_group *model = sl_results_find_group(full, "model");
    sl_status status = SL_OK;
    for (int32_t q = 0; model && model->n == 1 && q < model->n_quantity && status == SL_OK; q++) {
        status = add_model_quantity(c, model, &model->quantities[q], all, n);
    }
    return status;
}

/* The groups of the one that has some, each with the only group of the other. */
static sl_status match_bare(sl_comparison *c) {
    bool of_a = is_bare(c->a);
    const sl_results_layout *bare = of_a ? &c->a->layout : &c->b->layout, *full = of_a ? &c->b->layout : &c->a->layout;
    const sl_results_group *all = sl_results_find_group(bare, "variable");
    int32_t n = 0;
    sl_status status = match_bare_model(c, full, all, &n);
    for (size_t i = 0; i < sizeof bare_groups / sizeof *bare_groups && status == SL_OK; i++) {
        const sl_results_group *g = sl_results_find_group(full, bare_groups[i][0]);
        if (g) {
            status = of_a ? add_group(c, all, g, g, "value", bare_groups[i][1])
                          : add_group(c, g, all, g, bare_groups[i][1], "value");
            n += g->n;
        }
    }
    if (status == SL_OK && c->n_group == 0) {
        return refuse(c);
    }
    return status == SL_OK && n != all->n ? refuse_elements(c, &c->groups[0], NULL, NULL) : status;
}

static sl_status match_groups(sl_comparison *c) {
    const sl_results_layout *a = &c->a->layout, *b = &c->b->layout;
    c->groups =
        sl_arena_alloc(&c->arena, (size_t)(a->n_group + c->a->n_quantity + c->b->n_quantity + 2) * sizeof *c->groups);
    sl_status all = c->groups ? SL_OK : SL_ERR_MEMORY;
    if (all == SL_OK && is_bare(c->a) != is_bare(c->b)) {
        return match_bare(c);
    }
    for (int32_t i = 0; i < a->n_group && all != SL_ERR_MEMORY; i++) { /* every group that does not match is named */
        const sl_results_group *of_b = sl_results_find_group(b, a->groups[i].name);
        sl_status status = of_b ? add_group(c, &a->groups[i], of_b, NULL, NULL, NULL) : SL_OK;
        all = status == SL_OK ? all : status;
    }
    return all;
}

/* ---- Quantities --------------------------------------------------------------------------------- */

/* The factor of the units; false: there is none. */
static bool set_units(sl_comparison *c, sl_compared_quantity *q) {
    if (q->is_convertible || sl_compare_convert(q->a->name, q->b->unit, q->a->unit, &q->by, &q->plus)) {
        return true;
    }
    sl_compare_differs(c, SL_WARNING, NULL, "%s.%s is in units that cannot be converted, `%s` and `%s`: not compared",
                       q->of->a->name, q->a->name, q->a->unit, q->b->unit);
    return false;
}

static sl_status add_quantity(sl_comparison *c, sl_compared_group *g, const sl_results_column *a) {
    const char *other = g->bare_b ? g->bare_b : a->name;
    const sl_results_column *b = sl_results_find_column(g->b->quantities, g->b->n_quantity, other);
    if (!b || (g->bare_a && strcmp(a->name, g->bare_a) != 0)) {
        return SL_OK;
    }
    const bool of_b = g->bare_b && strcmp(g->bare_b, "value") != 0; /* the name that says more */
    sl_compared_quantity q = {.of = g,
                              .a = a,
                              .b = b,
                              .in_a = sl_results_find(c->a, g->a->name, a->name),
                              .in_b = sl_results_find(c->b, g->b->name, other),
                              .by = 1.0,
                              .rule = a->words || b->words ? SL_COMPARE_BY_CODE : SL_COMPARE_BY_RANGE,
                              .abs = c->def.abs,
                              .rel = c->def.rel,
                              .is_convertible = g->bare_a != NULL, /* the unit is a part of the name */
                              .row = {.group = of_b ? g->b->name : g->a->name,
                                      .name = of_b ? b->name : a->name,
                                      .unit = a->unit,
                                      .element = -1,
                                      .frame = -1,
                                      .time = (double)NAN,
                                      .decisive = true}};
    if (c->result.network) {
        sl_status status = sl_compare_network_quantity(c, &q);
        if (status != SL_OK || sl_compare_network_omits(c, &q)) {
            return status;
        }
    }
    return !set_units(c, &q) || SL_PUSH(c->ctx, &c->quantities, q) ? SL_OK : SL_ERR_MEMORY;
}

/* The quantities that only one of them has, in the order of its layout. */
static void name_lonely(sl_comparison *c, const sl_results *with, const sl_results *without, const char *which) {
    char text[256];
    size_t n = 0;
    int32_t k = 0;
    for (int32_t i = 0; i < with->layout.n_group; i++) {
        const sl_results_group *g = &with->layout.groups[i];
        for (int32_t q = 0; q < g->n_quantity; q++) {
            if (sl_results_find(without, g->name, g->quantities[q].name) < 0) {
                size_t left = sizeof text - n;
                int m = snprintf(text + n, left, "%s%s.%s", k ? ", " : "", g->name, g->quantities[q].name);
                n += m > 0 && (size_t)m < left ? (size_t)m : 0;
                text[n] = 0;
                k++;
            }
        }
    }
    if (k > 0) {
        sl_report(c->diags, SL_INFO, SL_CODE_NOT_COMPARABLE, NULL, NULL, NULL, NULL,
                  "%d quantities are in the %s result only and are not compared: %s", (int)k, which, text);
    }
}

/* One line for all. */
static void report_units(const sl_comparison *c) {
    char text[256];
    size_t n = 0;
    for (int64_t i = 0; i < c->quantities.n; i++) {
        const sl_compared_quantity *q = &c->quantities.at[i];
        if (!sl_compare_same_unit(q->a->unit, q->b->unit)) {
            size_t left = sizeof text - n;
            int m = snprintf(text + n, left, "%s%s in %s, not %s", n ? "; " : "", q->a->name, q->a->unit, q->b->unit);
            n += m > 0 && (size_t)m < left ? (size_t)m : 0;
            text[n] = 0;
        }
    }
    if (n > 0) {
        sl_report(c->diags, SL_INFO, SL_CODE_NOT_COMPARABLE, NULL, NULL, NULL, NULL,
                  "the units differ: compared in those of the first (%s), pressures for water", text);
    }
}

static sl_status match_quantities(sl_comparison *c) {
    sl_status status = SL_OK;
    for (int32_t g = 0; g < c->n_group; g++) {
        const sl_results_group *of = c->groups[g].a;
        for (int32_t q = 0; q < of->n_quantity && status == SL_OK; q++) {
            status = add_quantity(c, &c->groups[g], &of->quantities[q]);
        }
    }
    if (status == SL_OK && is_bare(c->a) == is_bare(c->b)) {
        name_lonely(c, c->a, c->b, "first");
        name_lonely(c, c->b, c->a, "second");
        report_units(c);
    }
    return status;
}

/* ---- Frames ------------------------------------------------------------------------------------- */

/* Times that were computed in different ways differ in their last bits. */
static int order_times(double a, double b) {
    return fabs(a - b) <= 1e-9 * (1.0 + fabs(a)) ? 0 : a < b ? -1 : 1;
}

static int32_t execution_of(const sl_results *r, int64_t frame) {
    return r->executions ? r->executions[frame] : 0;
}

/* A statistic has one frame, whatever its time. */
static bool is_series(const sl_results *r) {
    const sl_results_attribute *a = sl_results_find_attribute(r->layout.attributes, r->layout.n_attribute, "statistic");
    return !a || !a->text || strcmp(a->text, "series") == 0;
}

static sl_status match_frames(sl_comparison *c) {
    int64_t n[2] = {c->a->n_frame, c->b->n_frame}, i = 0, k = 0, most = n[0] < n[1] ? n[0] : n[1];
    for (int f = 0; f < 2; f++) {
        c->frames[f] = sl_arena_alloc(&c->arena, (size_t)most * sizeof *c->frames[f]);
        if (!c->frames[f]) {
            return SL_ERR_MEMORY;
        }
    }
    bool series = is_series(c->a) && is_series(c->b);
    while (i < n[0] && k < n[1]) {
        int32_t x = execution_of(c->a, i), y = execution_of(c->b, k);
        int order = x != y ? (x < y ? -1 : 1) : series ? order_times(c->a->times[i], c->b->times[k]) : 0;
        if (order == 0) {
            c->frames[0][c->result.n_frame] = i;
            c->frames[1][c->result.n_frame++] = k;
        }
        i += order <= 0;
        k += order >= 0;
    }
    bool none = c->quantities.n > 0 && c->result.n_frame == 0;
    if (none || c->result.n_frame < n[0] || c->result.n_frame < n[1]) {
        sl_compare_differs(c, SL_WARNING, NULL, "%lld %s are in both files; the first has %lld, the second %lld",
                           (long long)c->result.n_frame, c->result.network ? "periods" : "times", (long long)n[0],
                           (long long)n[1]);
    }
    return SL_OK;
}

/* ---- All of it ---------------------------------------------------------------------------------- */

static bool has_common_quantity(const sl_results *a, const sl_results *b) {
    bool common = is_bare(a) != is_bare(b); /* matching the names says more */
    for (int32_t g = 0; g < a->layout.n_group && !common; g++) {
        const sl_results_group *of = &a->layout.groups[g];
        for (int32_t q = 0; q < of->n_quantity && !common; q++) {
            common = sl_results_find(b, of->name, of->quantities[q].name) >= 0;
        }
    }
    bool events_alone = a->n_quantity == 0 && b->n_quantity == 0 && a->n_event > 0 && b->n_event > 0;
    return common || events_alone;
}

static sl_status check_runs(sl_comparison *c) {
    const sl_results *a = c->a, *b = c->b;
    if (!has_common_quantity(a, b) || strcmp(a->layout.time_unit, b->layout.time_unit) != 0) {
        return refuse(c);
    }
    if (c->result.network && !sl_compare_network_runs(c)) {
        return SL_ERR_INPUT;
    }
    bool says = a->format != &sl_format_csv && b->format != &sl_format_csv; /* a .csv does not */
    if (says && a->end.complete != b->end.complete) {
        sl_compare_differs(c, SL_WARNING, NULL, "the %s result ends before the run does",
                           a->end.complete ? "second" : "first");
    } else if (says && !a->end.complete) {
        sl_report(c->diags, SL_WARNING, SL_CODE_NOT_COMPARABLE, NULL, NULL, NULL, NULL,
                  "both results end before their runs do");
    }
    return SL_OK;
}

static sl_status alloc_values(sl_comparison *c) {
    for (int f = 0; f < 2; f++) {
        const sl_results_layout *l = f == 0 ? &c->a->layout : &c->b->layout;
        int32_t most = 0;
        for (int32_t g = 0; g < l->n_group; g++) {
            most = l->groups[g].n > most ? l->groups[g].n : most;
        }
        c->x[f] = sl_arena_alloc(&c->arena, (size_t)most * sizeof *c->x[f]);
        if (!c->x[f]) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

static sl_status compare(sl_comparison *c) {
    c->result.same = true;
    c->result.network = sl_compare_is_network(c->a, c->b);
    sl_status status = check_runs(c);
    status = status == SL_OK ? match_groups(c) : status;
    status = status == SL_OK ? sl_compare_network_begin(c) : status;
    status = status == SL_OK ? match_quantities(c) : status;
    status = status == SL_OK ? alloc_values(c) : status;
    status = status == SL_OK ? match_frames(c) : status;
    status = status == SL_OK ? sl_compare_values(c) : status;
    status = status == SL_OK ? sl_compare_tables(c) : status;
    status = status == SL_OK ? sl_compare_events(c) : status;
    c->result.rows = c->rows.at;
    c->result.n_row = (int32_t)c->rows.n;
    return status;
}

sl_status sl_compare(sl_context *ctx, sl_results *a, sl_results *b, const sl_compare_def *def, sl_diags *diags,
                     sl_comparison **out) {
    sl_compare_def own = sl_compare_default();
    if (!ctx || !SL_HANDLE_IS(a, SL_HANDLE_RESULTS) || !SL_HANDLE_IS(b, SL_HANDLE_RESULTS) || !out ||
        !sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_comparison *c = sl_alloc(ctx, sizeof *c);
    if (!c) {
        return SL_ERR_MEMORY;
    }
    *c = (sl_comparison){.handle = SL_HANDLE_COMPARISON, .ctx = ctx, .a = a, .b = b, .def = own, .diags = diags};
    sl_arena_init(&c->arena, ctx);
    sl_status status = compare(c);
    if (status != SL_OK) {
        sl_comparison_destroy(c);
        return status;
    }
    *out = c;
    return SL_OK;
}

const sl_compare_result *sl_comparison_result(const sl_comparison *c) {
    if (!SL_HANDLE_IS(c, SL_HANDLE_COMPARISON)) {
        return NULL;
    }
    return &c->result;
}

void sl_comparison_destroy(sl_comparison *c) {
    if (SL_HANDLE_IS(c, SL_HANDLE_COMPARISON)) {
        c->handle = SL_HANDLE_GONE;
        SL_ARRAY_FINI(c->ctx, &c->quantities);
        SL_ARRAY_FINI(c->ctx, &c->rows);
        sl_arena_fini(&c->arena);
        sl_free(c->ctx, c, sizeof *c);
    }
}
