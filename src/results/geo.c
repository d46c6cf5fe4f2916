/* SPDX-License-Identifier: MIT */
/* geo.c: collects results for maps; see geo.h. */
#include "results/geo.h"

#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "results/csv_impl.h"

bool sl_geo_has_points(const sl_geo *geo, int32_t group) {
    const sl_results_group *g = &geo->layout->groups[group];
    const sl_results_column *x = sl_results_find_fact(g, "x"), *y = sl_results_find_fact(g, "y");
    return x && y && x->real && y->real;
}

bool sl_geo_has_lines(const sl_geo *geo, int32_t group) {
    return !sl_geo_has_points(geo, group) && geo->from[group] != NULL;
}

bool sl_geo_is_located(const sl_geo *geo, int32_t group) {
    return sl_geo_has_points(geo, group) || sl_geo_has_lines(geo, group);
}

/* ---- Lines -------------------------------------------------------------------------------------- */

/* The nodes that the texts name; NULL: out of memory. */
static int32_t *find_nodes(sl_geo *geo, const sl_ids *ids, const char *const *text, int32_t n) {
    int32_t *at = sl_arena_alloc(&geo->arena, (size_t)n * sizeof *at);
    for (int32_t i = 0; at && i < n; i++) {
        at[i] = sl_ids_find(ids, sl_str_z(text[i]));
    }
    return at;
}

/* False: out of memory. */
static bool find_ends(sl_geo *geo) {
    const sl_results_layout *l = geo->layout;
    const sl_results_group *nodes = geo->nodes >= 0 ? &l->groups[geo->nodes] : NULL;
    sl_ids *ids = sl_ids_create(geo->ctx);
    bool fine = ids != NULL;
    for (int32_t i = 0; nodes && i < nodes->n && fine; i++) {
        fine = sl_ids_add(ids, sl_str_z(nodes->ids[i])) == i; /* ids are unique */
    }
    for (int32_t g = 0; nodes && g < l->n_group && fine; g++) {
        const sl_results_column *from = sl_results_find_fact(&l->groups[g], "from"),
                                *to = sl_results_find_fact(&l->groups[g], "to");
        if (from && to && from->text && to->text) {
            geo->from[g] = find_nodes(geo, ids, from->text, l->groups[g].n);
            geo->to[g] = find_nodes(geo, ids, to->text, l->groups[g].n);
            fine = geo->from[g] && geo->to[g];
        }
    }
    sl_ids_destroy(ids);
    return fine;
}

int sl_geo_position(const sl_geo *geo, int32_t group, int32_t element, double xy[4]) {
    bool line = sl_geo_has_lines(geo, group);
    const sl_results_group *g = &geo->layout->groups[line ? geo->nodes : group];
    const int32_t at[2] = {line ? geo->from[group][element] : element, line ? geo->to[group][element] : -1};
    const sl_results_column *x = sl_results_find_fact(g, "x"), *y = sl_results_find_fact(g, "y");
    int n = line ? 2 : 1;
    for (int i = 0; i < n; i++) {
        if (at[i] < 0 || !isfinite(x->real[at[i]]) || !isfinite(y->real[at[i]])) {
            return 0;
        }
        xy[2 * i] = x->real[at[i]];
        xy[2 * i + 1] = y->real[at[i]];
    }
    return n;
}

/* ---- Collecting --------------------------------------------------------------------------------- */

static bool alloc_quantity(sl_geo *geo, sl_geo_quantity *q, int32_t n) {
    size_t size = (size_t)n * sizeof(double);
    q->min = sl_arena_alloc(&geo->arena, size);
    q->max = sl_arena_alloc(&geo->arena, size);
    q->sum = sl_arena_alloc(&geo->arena, size);
    q->last = sl_arena_alloc(&geo->arena, size);
    q->n = sl_arena_alloc(&geo->arena, (size_t)n * sizeof *q->n);
    bool fine = q->min && q->max && q->sum && q->last && q->n;
    for (int32_t i = 0; i < n && fine; i++) {
        q->min[i] = q->max[i] = q->last[i] = (double)NAN;
    }
    return fine;
}

static bool alloc_all(sl_geo *geo) {
    const sl_results_layout *l = geo->layout;
    int32_t n_quantity = sl_results_count_quantities(l);
    for (int32_t g = 0; g < l->n_group; g++) {
        geo->nodes = strcmp(l->groups[g].name, "node") == 0 && sl_geo_has_points(geo, g) ? g : geo->nodes;
    }
    geo->quantity = sl_arena_alloc(&geo->arena, (size_t)n_quantity * sizeof *geo->quantity);
    geo->first_of = sl_arena_alloc(&geo->arena, (size_t)l->n_group * sizeof *geo->first_of);
    geo->from = sl_arena_alloc(&geo->arena, (size_t)l->n_group * sizeof *geo->from);
    geo->to = sl_arena_alloc(&geo->arena, (size_t)l->n_group * sizeof *geo->to);
    bool fine = geo->quantity && geo->first_of && geo->from && geo->to && find_ends(geo);
    int32_t k = 0;
    for (int32_t g = 0; g < l->n_group && fine; g++) {
        geo->first_of[g] = k;
        for (int32_t q = 0; q < l->groups[g].n_quantity && fine; q++) {
            fine = alloc_quantity(geo, &geo->quantity[k++], l->groups[g].n);
        }
    }
    return fine;
}

sl_status sl_geo_init(sl_geo *geo, sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                      sl_diags *diags) {
    *geo = (sl_geo){.ctx = ctx, .layout = layout, .nodes = -1};
    sl_arena_init(&geo->arena, ctx);
    if (!target->sink) {
        return SL_ERR_USE;
    }
    geo->sink = *target->sink;
    if (!alloc_all(geo)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t g = 0; g < layout->n_group; g++) {
        if (layout->groups[g].n > 0 && sl_geo_is_located(geo, g)) {
            return SL_OK;
        }
    }
    sl_report(diags, SL_ERROR, SL_CODE_NO_COORDINATES, NULL, NULL, NULL, "write .csv, .json or .h5",
              "a map needs coordinates, and this result has none");
    return SL_ERR_INPUT;
}

void sl_geo_fini(sl_geo *geo) {
    sl_arena_fini(&geo->arena);
}

sl_status sl_geo_frame(void *writer, const sl_results_frame *frame, sl_diags *diags) {
    sl_geo *geo = writer;
    int32_t k = 0;
    (void)diags;
    for (int32_t g = 0; g < geo->layout->n_group; g++) {
        const sl_results_group *group = &geo->layout->groups[g];
        for (int32_t j = 0; j < group->n_quantity; j++, k++) {
            const sl_geo_quantity *q = &geo->quantity[k];
            const double *x = frame->values[k];
            for (int32_t i = 0; i < group->n; i++) {
                if (!isnan(x[i])) {
                    q->min[i] = q->n[i] == 0 || x[i] < q->min[i] ? x[i] : q->min[i];
                    q->max[i] = q->n[i] == 0 || x[i] > q->max[i] ? x[i] : q->max[i];
                    q->sum[i] += x[i];
                    q->n[i]++;
                }
                q->last[i] = x[i];
            }
        }
    }
    geo->first = geo->n_frame == 0 ? frame->time : geo->first;
    geo->last = frame->time;
    geo->n_frame++;
    return SL_OK;
}

/* ---- Columns ------------------------------------------------------------------------------------ */

/* "pressure" "_min" "m": pressure_min_m. NULL: out of memory. */
static const char *make_name(sl_geo *geo, const char *name, const char *which, const char *unit) {
    const char *whole = sl_arena_format(&geo->arena, "%s%s", name, which);
    return whole ? sl_csv_column_name(&geo->arena, whole, unit) : NULL;
}

/* Facts that are the position itself are left out. */
static bool is_shown(const sl_results_column *fact) {
    return strcmp(fact->name, "x") != 0 && strcmp(fact->name, "y") != 0;
}

const sl_geo_column *sl_geo_columns(sl_geo *geo, int32_t group, int32_t *n) {
    static const char *const whiches[] = {"_min", "_max", "_mean"};
    const sl_results_group *g = &geo->layout->groups[group];
    sl_geo_column *c = sl_arena_alloc(&geo->arena, (size_t)(1 + g->n_fact + 3 * g->n_quantity) * sizeof *c);
    if (!c) {
        return NULL;
    }
    *n = 0;
    c[(*n)++] = (sl_geo_column){"id", true};
    for (int32_t i = 0; i < g->n_fact; i++) {
        const sl_results_column *fact = &g->facts[i];
        if (is_shown(fact)) {
            c[(*n)++] = (sl_geo_column){make_name(geo, fact->name, "", fact->unit), fact->text || fact->words};
        }
    }
    for (int32_t i = 0; i < g->n_quantity; i++) {
        const sl_results_column *q = &g->quantities[i];
        int count = q->words || geo->n_frame <= 1 ? 1 : 3;
        for (int k = 0; k < count; k++) {
            c[(*n)++] =
                (sl_geo_column){make_name(geo, q->name, count == 3 ? whiches[k] : "", q->unit), q->words != NULL};
        }
    }
    for (int32_t i = 0; i < *n; i++) {
        if (!c[i].name) {
            return NULL;
        }
    }
    return c;
}

void sl_geo_values(const sl_geo *geo, int32_t group, int32_t element, sl_geo_value *v) {
    const sl_results_group *g = &geo->layout->groups[group];
    *v++ = (sl_geo_value){.text = g->ids[element]};
    for (int32_t i = 0; i < g->n_fact; i++) {
        const sl_results_column *fact = &g->facts[i];
        if (is_shown(fact)) {
            *v++ = fact->text    ? (sl_geo_value){.text = fact->text[element]}
                   : fact->words ? (sl_geo_value){.text = sl_results_word(fact, fact->real[element])}
                                 : (sl_geo_value){.number = fact->real[element]};
        }
    }
    for (int32_t i = 0; i < g->n_quantity; i++) {
        const sl_results_column *c = &g->quantities[i];
        const sl_geo_quantity *q = &geo->quantity[geo->first_of[group] + i];
        if (c->words) {
            *v++ = (sl_geo_value){.text = sl_results_word(c, q->last[element])};
        } else if (geo->n_frame <= 1) {
            *v++ = (sl_geo_value){.number = q->last[element]};
        } else {
            *v++ = (sl_geo_value){.number = q->min[element]};
            *v++ = (sl_geo_value){.number = q->max[element]};
            *v++ = (sl_geo_value){.number = q->n[element] > 0 ? q->sum[element] / (double)q->n[element] : (double)NAN};
        }
    }
}
