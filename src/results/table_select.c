/* SPDX-License-Identifier: MIT */
/* table_select.c: which elements, quantities and times of a table are written; see table.h.
 *
 * Ids may hold anything, commas too. A text that is an id means that element; only else it is taken apart at commas.
 */
#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "results/table_impl.h"

sl_table_select sl_table_select_default(void) {
    return (sl_table_select){.from = -1.0, .to = -1.0, .every = -1.0};
}

/* The next piece of a list at commas; false at its end. Empty pieces are passed over. */
static bool next_piece(sl_str *rest, sl_str *piece) {
    while (rest->len > 0) {
        const char *comma = memchr(rest->ptr, ',', rest->len);
        size_t n = comma ? (size_t)(comma - rest->ptr) : rest->len;
        *piece = (sl_str){rest->ptr, n};
        rest->ptr += comma ? n + 1 : n;
        rest->len -= comma ? n + 1 : n;
        while (piece->len > 0 && piece->ptr[0] == ' ') {
            piece->ptr++;
            piece->len--;
        }
        while (piece->len > 0 && piece->ptr[piece->len - 1] == ' ') {
            piece->len--;
        }
        if (piece->len > 0) {
            return true;
        }
    }
    return false;
}

/* ---- Elements ----------------------------------------------------------------------------------- */

typedef struct choice {
    sl_table_source *source;
    const sl_table_elements *all;
    sl_ids *ids;
    const int32_t *element; /* of an id */
    uint8_t *picked;
    bool unknown;
} choice;

static bool is_word(sl_str text, const char *word) {
    return sl_str_equal_nocase(text, sl_str_z(word));
}

/* One id or word; false: it is none. */
static bool pick(choice *c, sl_str text) {
    int32_t k = sl_ids_find(c->ids, text);
    if (k >= 0) {
        c->picked[c->element[k]] = 1;
        return true;
    }
    if (is_word(text, "all")) {
        memset(c->picked, 1, (size_t)c->all->n);
    }
    return is_word(text, "all") || is_word(text, "none");
}

static void report_unknown(choice *c, sl_str text) {
    char id[SL_QUOTE_MAX], near_quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 32];
    int32_t near = sl_ids_nearest(c->ids, text);
    if (near >= 0) {
        sl_format(hint, sizeof hint, "did you mean %s?", sl_quote(sl_ids_text(c->ids, near), near_quoted));
    }
    bool node = c->all->name[0] == 'n';
    sl_format(id, sizeof id, "%.*s", (int)(text.len < sizeof id ? text.len : sizeof id - 1), text.ptr);
    sl_report(c->source->diags, SL_ERROR, node ? SL_CODE_UNKNOWN_NODE : SL_CODE_UNKNOWN_LINK, NULL, c->all->name, id,
              near >= 0 ? hint : NULL, "is selected, but does not exist");
    c->unknown = true;
}

static sl_status pick_all(choice *c, const char *const *text, int32_t n_text) {
    int32_t n = c->all->n;
    int32_t *element = sl_arena_alloc(&c->source->arena, (size_t)n * sizeof *element);
    c->ids = sl_ids_create(c->source->ctx);
    bool fine = element && c->ids && sl_ids_reserve(c->ids, n, 0);
    for (int32_t i = 0; i < n && fine; i++) {
        int32_t k = sl_ids_add(c->ids, sl_str_z(c->all->id[i]));
        fine = k != INT32_MIN;
        if (k >= 0) {
            element[k] = i;
        }
    }
    c->element = element;
    for (int32_t i = 0; i < n_text && fine; i++) {
        sl_str rest = sl_str_z(text[i]), piece;
        for (bool whole = pick(c, rest); !whole && next_piece(&rest, &piece);) {
            if (!pick(c, piece)) {
                report_unknown(c, piece);
            }
        }
    }
    sl_ids_destroy(c->ids);
    return !fine ? SL_ERR_MEMORY : c->unknown ? SL_ERR_INPUT : SL_OK;
}

static const void *gather(sl_arena *arena, const void *from, size_t size, const int32_t *at, int32_t n) {
    char *to = from ? sl_arena_alloc(arena, (size_t)n * size) : NULL;
    for (int32_t i = 0; to && i < n; i++) {
        memcpy(to + (size_t)i * size, (const char *)from + (size_t)at[i] * size, size);
    }
    return to;
}

/* Cuts a side down to what is picked, in the order of the file. */
static sl_status narrow(sl_table_source *s, sl_table_side side, const uint8_t *picked) {
    sl_table_elements *e = &s->table.side[side];
    int32_t *at = sl_arena_alloc(&s->arena, (size_t)e->n * sizeof *at), n = 0;
    for (int32_t i = 0; at && i < e->n; i++) {
        if (picked[i]) {
            at[n++] = i;
        }
    }
    if (!at) {
        return SL_ERR_MEMORY;
    }
    s->chosen[side] = at;
    e->n = n;
    e->n_quantity = n > 0 ? e->n_quantity : 0;
    e->id = gather(&s->arena, e->id, sizeof *e->id, at, n);
    e->kind = gather(&s->arena, e->kind, sizeof *e->kind, at, n);
    bool fine = e->id && e->kind;
    for (int32_t i = 0; i < e->n_fact && fine; i++) {
        sl_table_fact *fact = &e->fact[i];
        fact->real = gather(&s->arena, fact->real, sizeof *fact->real, at, n);
        fact->place = gather(&s->arena, fact->place, sizeof *fact->place, at, n);
        fact->text = gather(&s->arena, fact->text, sizeof *fact->text, at, n);
        fine = fact->real || fact->place || fact->text;
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

static sl_status choose_elements(sl_table_source *s) {
    const sl_table_select *d = &s->def->select;
    if (d->n_node == 0 && d->n_link == 0) {
        return SL_OK;
    }
    const char *const *const text[SL_TABLE_SIDES] = {d->node, d->link};
    const int32_t n_text[SL_TABLE_SIDES] = {d->n_node, d->n_link};
    sl_status status[SL_TABLE_SIDES];
    uint8_t *picked[SL_TABLE_SIDES];
    for (int side = 0; side < SL_TABLE_SIDES; side++) { /* both, so that all that is wrong is told */
        const sl_table_elements *all = &s->table.side[side];
        picked[side] = sl_arena_alloc(&s->arena, (size_t)all->n);
        choice c = {.source = s, .all = all, .picked = picked[side]};
        status[side] = picked[side] ? pick_all(&c, text[side], n_text[side]) : SL_ERR_MEMORY;
    }
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        if (status[side] != SL_OK) {
            return status[side];
        }
    }
    sl_status nodes = narrow(s, SL_TABLE_NODES, picked[SL_TABLE_NODES]);
    return nodes == SL_OK ? narrow(s, SL_TABLE_LINKS, picked[SL_TABLE_LINKS]) : nodes;
}

/* ---- Quantities --------------------------------------------------------------------------------- */

bool sl_table_is_quantity(sl_str name, const char **near) {
    int best = name.len < 3 ? 2 : name.len < 40 ? (int)(2 * name.len / 3) : 26; /* half steps: a third of the letters */
    *near = NULL;
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        if (sl_str_equal_nocase(name, sl_str_z(sl_table_names[v]))) {
            return true;
        }
        int d = sl_edit_distance(name, sl_str_z(sl_table_names[v]), best);
        if (d < best || (d == best && !*near)) {
            best = d;
            *near = sl_table_names[v];
        }
    }
    return false;
}

static bool is_wanted(const sl_table_select *d, const char *name) {
    for (int32_t i = 0; i < d->n_what; i++) {
        sl_str rest = sl_str_z(d->what[i]), piece;
        while (next_piece(&rest, &piece)) {
            if (sl_str_equal_nocase(piece, sl_str_z(name))) {
                return true;
            }
        }
    }
    return false;
}

static bool has_quantity(const sl_table *t, sl_str name) {
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        for (int32_t q = 0; q < t->side[side].n_quantity; q++) {
            if (sl_str_equal_nocase(name, sl_str_z(t->side[side].quantity[q].name))) {
                return true;
            }
        }
    }
    return false;
}

static sl_status choose_quantities(sl_table_source *s) {
    const sl_table_select *d = &s->def->select;
    sl_status status = SL_OK;
    for (int32_t i = 0; i < d->n_what; i++) {
        sl_str rest = sl_str_z(d->what[i]), piece;
        while (next_piece(&rest, &piece)) {
            if (!has_quantity(&s->table, piece)) {
                const char *near;
                bool known = sl_table_is_quantity(piece, &near);
                char quoted[SL_QUOTE_MAX], hint[64];
                sl_format(hint, sizeof hint, "did you mean %s?", near ? near : "");
                sl_report(s->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, known || !near ? NULL : hint, "%s %s",
                          sl_quote(piece, quoted), known ? "is not in these results" : "is no quantity");
                status = SL_ERR_INPUT;
            }
        }
    }
    for (int side = 0; side < SL_TABLE_SIDES && d->n_what > 0; side++) {
        sl_table_elements *e = &s->table.side[side];
        int32_t n = 0;
        for (int32_t q = 0; q < e->n_quantity; q++) {
            if (is_wanted(d, e->quantity[q].name)) {
                e->quantity[n++] = e->quantity[q];
            }
        }
        e->n_quantity = n;
    }
    return status;
}

/* ---- Times -------------------------------------------------------------------------------------- */

static sl_status choose_times(sl_table_source *s) {
    const sl_table_select *d = &s->def->select;
    const sl_outfile_info *f = sl_outfile_get_info(s->file);
    bool series = f->statistic == SL_STAT_SERIES;
    double start = f->report_start, step = series ? f->report_step : 0.0;
    double end = start; /* of the last period */
    if (s->net && step > 0.0 && f->duration > start) {
        end = start + floor((f->duration - start) / step) * step;
    } else if (!s->net && f->n_period > 0) {
        end = start + (f->n_period - 1) * step;
    }
    s->every = d->every > 0.0 ? d->every : 0.0;
    s->last = d->to >= 0.0 ? d->to : (double)INFINITY;
    s->first = start;
    if (d->from > start) {
        s->first = step > 0.0 ? start + ceil((d->from - start) / step - 1e-9) * step : (double)INFINITY;
    }
    double until = fmin(s->last, end);
    if (s->first > until) {
        char a[32], b[32];
        sl_time_format(start, a, sizeof a);
        sl_time_format(end, b, sizeof b);
        sl_report(s->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
                  "no results are at the times selected: there are some from %s to %s", a, b);
        return SL_ERR_INPUT;
    }
    double stride = fmax(step, s->every);
    s->table.n_period = stride > 0.0 ? (int64_t)fmin((until - s->first) / stride, 1e15) + 1 : 1;
    return SL_OK;
}

sl_status sl_table_choose(sl_table_source *s) {
    sl_status quantities = choose_quantities(s), elements = choose_elements(s), times = choose_times(s);
    if (quantities != SL_OK || elements != SL_OK || times != SL_OK) {
        return elements != SL_OK ? elements : quantities != SL_OK ? quantities : times;
    }
    if (s->table.side[SL_TABLE_NODES].n_quantity == 0 && s->table.side[SL_TABLE_LINKS].n_quantity == 0) {
        sl_report(s->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL,
                  "demand, head and pressure are of nodes, flow, velocity and the rest of links",
                  "nothing is selected: no element has any of the quantities");
        return SL_ERR_INPUT;
    }
    return SL_OK;
}
