/* SPDX-License-Identifier: MIT */
/* compare_tables.c: tables of the end and events of two results; see compare_impl.h. */
#include <math.h>
#include <string.h>

#include "base/ids.h"
#include "results/compare_impl.h"

/* ---- Tables ------------------------------------------------------------------------------------- */

/* Rows by id where both have ids, else by their number; -1: not in b. */
static sl_status match_rows(sl_comparison *c, const sl_results_table *a, const sl_results_table *b, int32_t *in_b) {
    const sl_results_column *of_a = sl_results_find_column(a->columns, a->n_column, "id"),
                            *of_b = sl_results_find_column(b->columns, b->n_column, "id");
    if (!of_a || !of_b || !of_a->text || !of_b->text) {
        for (int32_t i = 0; i < a->n; i++) {
            in_b[i] = i < b->n ? i : -1;
        }
        return SL_OK;
    }
    sl_ids *ids = sl_ids_create(c->ctx);
    int32_t *row = sl_arena_alloc(&c->arena, (size_t)b->n * sizeof *row), n = 0;
    sl_status status = ids && row ? SL_OK : SL_ERR_MEMORY;
    for (int32_t i = 0; i < b->n && status == SL_OK; i++) { /* of equal ones the first */
        int32_t k = sl_ids_add(ids, sl_str_z(of_b->text[i]));
        status = k == INT32_MIN ? SL_ERR_MEMORY : SL_OK;
        if (k >= 0) {
            row[n++] = i;
        }
    }
    for (int32_t i = 0; i < a->n && status == SL_OK; i++) {
        int32_t k = sl_ids_find(ids, sl_str_z(of_a->text[i]));
        bool in_place = i < b->n && sl_compare_same_id(c, of_a->text[i], of_b->text[i]);
        in_b[i] = in_place ? i : k >= 0 ? row[k] : -1;
    }
    sl_ids_destroy(ids);
    return status;
}

typedef struct cell {
    const char *column;
    int32_t row;    /* of a; -1: none */
    const char *id; /* of the row; NULL: none */
} cell;

static void note_cell(sl_compare_row *row, cell at, double part, double a, double b, const char *word_a,
                      const char *word_b) {
    row->n_over += !(part <= row->tolerance);
    if (sl_compare_note(row, part)) {
        row->name = at.column;
        row->element = at.row;
        row->id = at.id;
        row->frame = 0; /* something is noted */
        row->a = a;
        row->b = b;
        row->word_a = word_a;
        row->word_b = word_b;
    }
}

/* Differences are parts of the largest value of the column, infinite where all of a's is 0. */
static void compare_numbers(sl_compare_row *row, cell at, double a, double b, double largest) {
    double d = sl_compare_distance(a, b);
    row->n++;
    if (d != 0.0) {
        note_cell(row, at, d / largest, a, b, NULL, NULL);
    }
}

static void compare_texts(const sl_comparison *c, sl_compare_row *row, cell at, const char *a, const char *b) {
    row->n++;
    if (!sl_compare_same_id(c, a, b)) {
        note_cell(row, at, (double)INFINITY, 0.0, 0.0, a, b);
    }
}

static double largest_of(const double *x, int32_t n) {
    double largest = 0.0;
    for (int32_t i = 0; i < n; i++) {
        largest = isfinite(x[i]) ? fmax(largest, fabs(x[i])) : largest;
    }
    return largest;
}

static void compare_column(sl_comparison *c, sl_compare_row *row, const sl_results_table *t, const sl_results_column *a,
                           const sl_results_column *b, const int32_t *in_b) {
    const sl_results_column *id = sl_results_find_column(t->columns, t->n_column, "id");
    double by, plus, largest = a->real ? largest_of(a->real, t->n) : 0.0;
    bool numbers = a->real && b->real && sl_compare_convert(a->name, b->unit, a->unit, &by, &plus);
    for (int32_t i = 0; i < t->n; i++) {
        cell at = {.column = a->name, .row = i, .id = id && id->text ? id->text[i] : NULL};
        int32_t k = in_b[i];
        if (numbers) {
            compare_numbers(row, at, a->real[i], k >= 0 ? b->real[k] * by + plus : (double)NAN, largest);
        } else if (a->text && b->text && a != id) { /* ids were matched */
            compare_texts(c, row, at, a->text[i], k >= 0 ? b->text[k] : "");
        }
    }
}

static sl_status compare_table(sl_comparison *c, const sl_results_table *a, const sl_results_table *b,
                               sl_compare_row *row) {
    int32_t *in_b = sl_arena_alloc(&c->arena, (size_t)a->n * sizeof *in_b);
    sl_status status = in_b ? match_rows(c, a, b, in_b) : SL_ERR_MEMORY;
    for (int32_t i = 0; i < a->n_column && status == SL_OK; i++) {
        const sl_results_column *of_b = sl_results_find_column(b->columns, b->n_column, a->columns[i].name);
        if (of_b) {
            compare_column(c, row, a, &a->columns[i], of_b, in_b);
        }
    }
    return status;
}

static sl_status keep_row(sl_comparison *c, sl_compare_row *row) {
    c->result.same = c->result.same && !(row->decisive && row->n_over > 0);
    row->frame = -1;
    return SL_PUSH(c->ctx, &c->rows, *row) ? SL_OK : SL_ERR_MEMORY;
}

static sl_compare_row new_row(sl_compare_subject subject, const char *group, double tolerance) {
    return (sl_compare_row){.subject = subject,
                            .group = group,
                            .unit = "",
                            .tolerance = tolerance,
                            .scale = 1.0,
                            .element = -1,
                            .frame = -1,
                            .time = (double)NAN};
}

/* The energies of pumps and what the highest demand costs. */
static sl_status compare_energy(sl_comparison *c) {
    static const char name[] = "pump_energy", charge[] = "demand_charge";
    const sl_results_table *a = sl_results_find_table(&c->a->end, name), *b = sl_results_find_table(&c->b->end, name);
    const sl_results_attribute *of_a = sl_results_find_attribute(c->a->end.attributes, c->a->end.n_attribute, charge);
    const sl_results_attribute *of_b = sl_results_find_attribute(c->b->end.attributes, c->b->end.n_attribute, charge);
    if (!a || !b || a->n == 0) {
        return SL_OK;
    }
    sl_compare_row row = new_row(SL_COMPARE_TABLE, name, c->def.other_rel);
    row.decisive = true;
    sl_status status = compare_table(c, a, b, &row);
    if (of_a && of_b && status == SL_OK) {
        compare_numbers(&row, (cell){.column = charge, .row = -1}, of_a->number, of_b->number, fabs(of_a->number));
    }
    return status == SL_OK ? keep_row(c, &row) : status;
}

sl_status sl_compare_tables(sl_comparison *c) {
    sl_status status = compare_energy(c);
    for (int32_t i = 0; i < c->a->end.n_table && status == SL_OK; i++) {
        const sl_results_table *a = &c->a->end.tables[i], *b = sl_results_find_table(&c->b->end, a->name);
        if (b && strcmp(a->name, "pump_energy") != 0) {
            sl_compare_row row = new_row(SL_COMPARE_TABLE, a->name, c->def.rel);
            status = compare_table(c, a, b, &row);
            status = status == SL_OK ? keep_row(c, &row) : status;
        }
    }
    return status;
}

/* ---- Events ------------------------------------------------------------------------------------- */

static bool same_number(double a, double b) {
    double d = sl_compare_distance(a, b);
    return d == 0.0 || d <= 1e-6 * (1.0 + fabs(a));
}

static bool same_event(const sl_event_info *a, const sl_event_info *b) {
    return same_number(a->time, b->time) && a->execution == b->execution && strcmp(a->kind, b->kind) == 0 &&
           strcmp(a->element_class, b->element_class) == 0 && strcmp(a->element, b->element) == 0 &&
           strcmp(a->quantity, b->quantity) == 0 && same_number(a->from, b->from) && same_number(a->to, b->to);
}

/* Some formats have none beside values. */
static bool has_events(const sl_results *r) {
    return r->n_event > 0 || (r->format != &sl_format_csv && r->format != &sl_format_out);
}

sl_status sl_compare_events(sl_comparison *c) {
    const sl_results *a = c->a, *b = c->b;
    int64_t n = a->n_event > b->n_event ? a->n_event : b->n_event;
    if (!has_events(a) || !has_events(b) || n == 0) {
        return SL_OK;
    }
    sl_compare_row row = new_row(SL_COMPARE_EVENTS, "event", 0.0);
    row.name = "";
    row.n = n;
    row.a = (double)a->n_event;
    row.b = (double)b->n_event;
    row.decisive = c->quantities.n == 0;
    for (int64_t i = 0; i < n; i++) {
        if (i < a->n_event && i < b->n_event && same_event(&a->events[i], &b->events[i])) {
            continue;
        }
        if (row.n_over++ == 0) {
            const sl_event_info *e = i < a->n_event ? &a->events[i] : &b->events[i];
            row.frame = i;
            row.time = e->time;
            row.id = e->element;
            row.word_a = i < a->n_event ? a->events[i].kind : NULL;
            row.word_b = i < b->n_event ? b->events[i].kind : NULL;
        }
    }
    row.worst = (double)row.n_over;
    c->result.same = c->result.same && !(row.decisive && row.n_over > 0);
    return SL_PUSH(c->ctx, &c->rows, row) ? SL_OK : SL_ERR_MEMORY;
}
