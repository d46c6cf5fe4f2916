/* SPDX-License-Identifier: MIT */
/* csv_read.c: .csv files of results read back, by their form; see csv_read.h and docs/reference/results.md.
 *
 * Values are gathered frame by frame, as they stand in the file, and brought into blocks by quantity at the end.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "results/csv_read.h"

enum { BEFORE = 8 }; /* bytes readable before the text */

/* ---- Groups ------------------------------------------------------------------------------------- */

static sl_csv_class *sl_csv_class_last(sl_csv_reader *c) {
    assert(c->parts.n == 0 || c->parts.at);
    return c->parts.n > 0 ? &c->parts.at[c->parts.n - 1] : NULL;
}

/* The last part, or a new one of this name. NULL: status has why. */
sl_csv_class *sl_csv_class_enter(sl_csv_reader *c, const char *name, sl_str at, int64_t stride, sl_status *status) {
    sl_csv_class *p = sl_csv_class_last(c);
    if (p && strcmp(p->name, name) == 0) {
        return p;
    }
    int32_t known = sl_ids_add(c->names, sl_str_z(name));
    *status = SL_OK;
    if (known == INT32_MIN) {
        *status = SL_ERR_MEMORY;
    } else if (known < 0) {
        *status = sl_csv_fail(&c->text, at, "the elements of a group do not follow each other");
    } else if (!SL_PUSH(c->r->ctx, &c->parts, ((sl_csv_class){.name = name, .first = c->n_value, .stride = stride}))) {
        *status = SL_ERR_MEMORY;
    }
    return *status == SL_OK ? sl_csv_class_last(c) : NULL;
}

sl_status sl_csv_class_add_element(sl_csv_reader *c, sl_csv_class *p, const char *kind, const char *id) {
    p->has_kind = p->has_kind || *kind;
    return SL_PUSH(c->r->ctx, &p->ids, id) && SL_PUSH(c->r->ctx, &p->kinds, kind) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_csv_class_add_quantity(sl_csv_reader *c, sl_csv_class *p, sl_results_column quantity, int64_t offset) {
    int64_t number = p - c->parts.at;
    size_t n = strlen(quantity.name);
    char *key = sl_arena_alloc(&c->r->arena, sizeof number + n);
    if (!key) {
        return SL_ERR_MEMORY;
    }
    memcpy(key, &number, sizeof number);
    memcpy(key + sizeof number, quantity.name, n);
    int32_t known = sl_ids_add(c->quantities, (sl_str){key, sizeof number + n});
    if (known < 0 && known != INT32_MIN) {
        return sl_csv_fail(&c->text, (sl_str){c->text.line_start, 0}, "a group has a quantity twice");
    }
    bool fine = known >= 0 && SL_PUSH(c->r->ctx, &p->quantities, quantity) && SL_PUSH(c->r->ctx, &p->offsets, offset);
    return fine ? SL_OK : SL_ERR_MEMORY;
}

static const char differ[] = "the elements of a group have different quantities";

/* One value more of the last element of a group: elements have the same quantities in the same order. */
static sl_status add_value(sl_csv_reader *c, sl_csv_class *p, const char *name, const char *unit, sl_str at) {
    int64_t n = p->ids.n, k = c->n_value - p->first - (n - 1) * p->stride; /* values of this element before this one */
    c->n_value++;
    if (n == 1) {
        p->stride = k + 1;
        return sl_csv_class_add_quantity(c, p, (sl_results_column){.name = name, .unit = unit, .meaning = ""}, k);
    }
    bool same =
        k < p->stride && strcmp(p->quantities.at[k].name, name) == 0 && strcmp(p->quantities.at[k].unit, unit) == 0;
    return same ? SL_OK : sl_csv_fail(&c->text, at, differ);
}

/* Has the last element all that the others of its group have? Before the next one. */
static sl_status check_element(sl_csv_reader *c, sl_str at) {
    const sl_csv_class *p = sl_csv_class_last(c);
    return !p || c->n_value - p->first == p->ids.n * p->stride ? SL_OK : sl_csv_fail(&c->text, at, differ);
}

/* ---- Times -------------------------------------------------------------------------------------- */

/* The execution, where there are several, and the time. */
sl_status sl_csv_time_read(sl_csv_reader *c, double *time, int32_t *execution) {
    sl_csv_cell cell;
    int64_t number = 0;
    sl_status status = SL_OK;
    if (c->several) {
        status = sl_csv_next(&c->text, &cell);
        if (status == SL_OK &&
            (sl_number_parse_int(cell.raw, &number) != SL_NUMBER_OK || number < 1 || number > INT32_MAX)) {
            return sl_csv_fail(&c->text, cell.raw, "the number of an execution is expected here");
        }
        status = status == SL_OK ? sl_csv_expect_end(&c->text, false) : status;
    }
    *execution = (int32_t)number;
    status = status == SL_OK ? sl_csv_next(&c->text, &cell) : status;
    if (status == SL_OK && (!sl_csv_cell_number(cell, time) || isnan(*time))) {
        return sl_csv_fail(&c->text, cell.raw, "a time is expected here");
    }
    return status;
}

static bool same_frame(const sl_csv_reader *c, double time, int32_t execution) {
    int64_t n = c->times.n;
    return n > 0 && c->times.at[n - 1] == time && c->executions.at[n - 1] == execution;
}

static sl_status add_frame(sl_csv_reader *c, double time, int32_t execution) {
    int64_t n = c->times.n;
    if (n > 0 &&
        (execution < c->executions.at[n - 1] || (execution == c->executions.at[n - 1] && time < c->times.at[n - 1]))) {
        return sl_csv_fail(&c->text, (sl_str){c->text.line_start, 0}, "the time goes back");
    }
    bool fine = SL_PUSH(c->r->ctx, &c->times, time) && SL_PUSH(c->r->ctx, &c->executions, execution);
    return fine ? SL_OK : SL_ERR_MEMORY;
}

/* Begins a frame where there is one. named: the bytes that name the row. *first: it belongs to the first frame, which names rows. */
sl_status sl_csv_row_enter(sl_csv_reader *c, double time, int32_t execution, sl_str named, bool *first) {
    bool again = c->rows.n > 0 && sl_str_equal(named, c->rows.at[0]);
    sl_status status = SL_OK;
    if (!same_frame(c, time, execution) || again) {
        if (c->times.n > 1 && c->row < c->rows.n) {
            return sl_csv_fail(&c->text, named, "rows are missing before this one: the first time has more");
        }
        c->row = 0;
        status = add_frame(c, time, execution);
    }
    *first = c->times.n <= 1;
    if (status == SL_OK && *first) {
        status = SL_PUSH(c->r->ctx, &c->rows, named) ? SL_OK : SL_ERR_MEMORY;
    } else if (status == SL_OK && (c->row >= c->rows.n || !sl_str_equal(named, c->rows.at[c->row]))) {
        status = sl_csv_fail(&c->text, named, "the rows of every time are those of the first one, in the same order");
    }
    c->row++;
    return status;
}

/* ---- Rows --------------------------------------------------------------------------------------- */

/* group, kind, id. *named: all of it as it stands. */
sl_status sl_csv_element_read(sl_csv_reader *c, sl_csv_cell element[3], sl_str *named) {
    sl_status status = SL_OK;
    for (int i = 0; i < 3 && status == SL_OK; i++) {
        status = sl_csv_expect_end(&c->text, false);
        status = status == SL_OK ? sl_csv_next(&c->text, &element[i]) : status;
    }
    if (status == SL_OK) {
        const char *end = element[2].raw.ptr + element[2].raw.len;
        *named = (sl_str){element[0].raw.ptr, (size_t)(end - element[0].raw.ptr)};
    }
    return status;
}

sl_status sl_csv_element_name(sl_csv_reader *c, const sl_csv_cell element[3], int64_t stride, sl_csv_class **out) {
    const char *text[3];
    for (int i = 0; i < 3; i++) {
        text[i] = sl_csv_cell_text(&c->r->arena, element[i]);
        if (!text[i]) {
            return SL_ERR_MEMORY;
        }
    }
    sl_status status = SL_OK;
    *out = sl_csv_class_enter(c, text[0], element[0].raw, stride, &status);
    return *out ? sl_csv_class_add_element(c, *out, text[1], text[2]) : status;
}

/* ---- One row per value -------------------------------------------------------------------------- */

/* before: what named the element of the row before. */
static sl_status name_value(sl_csv_reader *c, const sl_csv_cell element[3], sl_str named, sl_csv_cell quantity,
                            sl_csv_cell unit, sl_str *before) {
    sl_csv_class *p = sl_csv_class_last(c);
    sl_status status = SL_OK;
    if (!sl_str_equal(named, *before)) {
        status = check_element(c, named);
        status = status == SL_OK ? sl_csv_element_name(c, element, 0, &p) : status;
    }
    *before = named;
    const char *name = sl_csv_cell_text(&c->r->arena, quantity), *of = sl_csv_cell_text(&c->r->arena, unit);
    if (status == SL_OK && (!name || !of)) {
        status = SL_ERR_MEMORY;
    }
    return status == SL_OK ? add_value(c, p, name, of, quantity.raw) : status;
}

static sl_status read_values(sl_csv_reader *c) {
    sl_csv_cell element[3], rest[3]; /* rest: quantity, value, unit */
    sl_str named = {0}, before = {0};
    double time = 0.0;
    int32_t execution = 0;
    bool first = false;
    sl_status status = SL_OK;
    while (c->text.at < c->text.end && status == SL_OK) {
        double x = (double)NAN;
        status = sl_csv_time_read(c, &time, &execution);
        status = status == SL_OK ? sl_csv_element_read(c, element, &named) : status;
        for (int i = 0; i < 3 && status == SL_OK; i++) {
            status = sl_csv_expect_end(&c->text, false);
            status = status == SL_OK ? sl_csv_next(&c->text, &rest[i]) : status;
        }
        status = status == SL_OK ? sl_csv_expect_end(&c->text, true) : status;
        if (status != SL_OK) {
            return status;
        }
        sl_str whole = {named.ptr, (size_t)(rest[0].raw.ptr + rest[0].raw.len - named.ptr)};
        status = sl_csv_row_enter(c, time, execution, whole, &first);
        status = status == SL_OK && first ? name_value(c, element, named, rest[0], rest[2], &before) : status;
        if (status == SL_OK && !sl_csv_cell_number(rest[1], &x)) {
            status = sl_csv_fail(&c->text, rest[1].raw, "a number is expected here");
        }
        if (status == SL_OK && !SL_PUSH(c->r->ctx, &c->data, x)) {
            status = SL_ERR_MEMORY;
        }
        c->text.line++;
        c->text.line_start = c->text.at;
    }
    return status == SL_OK ? check_element(c, (sl_str){c->text.at, 0}) : status;
}

/* ---- One column per value ----------------------------------------------------------------------- */

/* The part of names that are those of elements alone: of the variables first, then of what is discrete. */
static const char *bare_group(const sl_csv_reader *c) {
    bool last = c->parts.n > 0 && strcmp(c->parts.at[c->parts.n - 1].name, "variable") == 0;
    return last || sl_ids_find(c->names, sl_str_z("variable")) < 0 ? "variable" : "discrete";
}

/* Is there a group, or a name in two parts, that automata do not have? Names in quotes are of variables only. */
static bool head_is_of_no_automaton(const sl_csv_text *text) {
    const char *start = text->at;
    bool quoted = false, other = false, seen = false; /* the group of this name */
    for (const char *p = start; p < text->end && *p != '\n'; p++) {
        if (*p == '\'' && p == start) {
            return false;
        }
        if (quoted && *p == '\\' && p + 1 < text->end) {
            p++;
        } else if (*p == '\'') {
            quoted = !quoted;
        } else if (!quoted && *p == ',') {
            start = p + 1;
            seen = false;
        } else if (!quoted && !seen && *p == '.') {
            size_t n = (size_t)(p - start);
            bool known =
                n == strlen("variable") && (memcmp(start, "variable", n) == 0 || memcmp(start, "discrete", n) == 0);
            other = other || !known;
            seen = true;
        }
    }
    return other;
}

static sl_status name_column(sl_csv_reader *c, sl_str at, const char *group, const char *id, sl_str quantity,
                             const char *unit) {
    sl_status status = SL_OK;
    sl_csv_class *p = sl_csv_class_last(c);
    char *name = sl_arena_copy(&c->r->arena, quantity);
    if (!name) {
        return SL_ERR_MEMORY;
    }
    if (!p || strcmp(p->name, group) != 0 || strcmp(p->ids.at[p->ids.n - 1], id) != 0) {
        status = check_element(c, at);
        p = status == SL_OK ? sl_csv_class_enter(c, group, at, 0, &status) : NULL;
        status = p ? sl_csv_class_add_element(c, p, "", id) : status;
    }
    return status == SL_OK ? add_value(c, p, name, unit, at) : status;
}

/* "node.J1.head_m"; "balance.ratio" of the model; "T" of a variable. */
static sl_status read_column_name(sl_csv_reader *c, sl_csv_cell cell) {
    static const char wrong[] = "this is not the name of a value: group.id.quantity";
    const char *text = sl_csv_cell_text(&c->r->arena, cell);
    sl_str rest = sl_str_z(text ? text : ""), group, id = {0};
    bool quoted;
    if (!text) {
        return SL_ERR_MEMORY;
    }
    if (!sl_csv_id_take(&rest, &group, &quoted) || (quoted && rest.len > 0)) {
        return sl_csv_fail(&c->text, cell.raw, wrong);
    }
    char *first = sl_arena_copy(&c->r->arena, group);
    if (!first) {
        return SL_ERR_MEMORY;
    }
    bool bare = rest.len == 0 && *text && text[group.len] != '.';
    if (quoted || (bare && !c->bare_is_model)) {
        return name_column(c, cell.raw, bare_group(c), first, sl_str_z("value"), "");
    }
    bool fine = bare || (sl_csv_id_take(&rest, &id, &quoted) && *first);
    if (fine && rest.len == 0 && !quoted) {
        rest = sl_str_z(text);
        const char *unit = sl_csv_unit_take(&rest);
        return name_column(c, cell.raw, "model", "", rest, unit);
    }
    const char *unit = sl_csv_unit_take(&rest);
    char *own = sl_arena_copy(&c->r->arena, id);
    if (!fine || rest.len == 0) {
        return sl_csv_fail(&c->text, cell.raw, wrong);
    }
    return own ? name_column(c, cell.raw, first, own, rest, unit) : SL_ERR_MEMORY;
}

static sl_status read_columns(sl_csv_reader *c) {
    sl_status status = SL_OK;
    while (c->text.at < c->text.end && status == SL_OK) {
        double time = 0.0;
        int32_t execution = 0;
        status = sl_csv_time_read(c, &time, &execution);
        status = status == SL_OK ? add_frame(c, time, execution) : status;
        status = status == SL_OK ? sl_csv_expect_end(&c->text, c->n_value == 0) : status;
        if (status == SL_OK && !SL_RESERVE(c->r->ctx, &c->data, c->data.n + c->n_value)) {
            status = SL_ERR_MEMORY;
        }
        for (int64_t i = 0; i < c->n_value && status == SL_OK; i++) {
            sl_csv_cell cell;
            status = sl_csv_next(&c->text, &cell);
            if (status == SL_OK && !sl_csv_cell_number(cell, &c->data.at[c->data.n++])) {
                status = sl_csv_fail(&c->text, cell.raw, "a number is expected here");
            }
            status = status == SL_OK ? sl_csv_expect_end(&c->text, i + 1 == c->n_value) : status;
        }
        c->text.line++;
        c->text.line_start = c->text.at;
    }
    return status;
}

/* ---- Events ------------------------------------------------------------------------------------- */

static sl_status read_event(sl_csv_reader *c) {
    sl_event_info e = {.size = sizeof e};
    const char *text[7] = {NULL}; /* kind, class, element, quantity, from, to, cause */
    double number[7];
    sl_status status = sl_csv_time_read(c, &e.time, &e.execution);
    for (int i = 0; i < 7 && status == SL_OK; i++) {
        sl_csv_cell cell;
        bool is_number = i == 4 || i == 5;
        status = sl_csv_expect_end(&c->text, false);
        status = status == SL_OK ? sl_csv_next(&c->text, &cell) : status;
        if (status == SL_OK && is_number && !sl_csv_cell_number(cell, &number[i])) {
            status = sl_csv_fail(&c->text, cell.raw, "a number is expected here");
        } else if (status == SL_OK && !is_number) {
            text[i] = sl_csv_cell_text(&c->r->arena, cell);
            status = text[i] ? SL_OK : SL_ERR_MEMORY;
        }
    }
    status = status == SL_OK ? sl_csv_expect_end(&c->text, true) : status;
    if (status != SL_OK) {
        return status;
    }
    int64_t n = c->events.n;
    const sl_event_info *last = n > 0 ? &c->events.at[n - 1] : NULL;
    if (last && (e.execution < last->execution || (e.execution == last->execution && e.time < last->time))) {
        return sl_csv_fail(&c->text, (sl_str){c->text.line_start, 0}, "the time goes back");
    }
    e.kind = text[0];
    e.element_class = text[1];
    e.element = text[2];
    e.quantity = text[3];
    e.from = number[4];
    e.to = number[5];
    e.cause = text[6];
    return SL_PUSH(c->r->ctx, &c->events, e) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status read_events(sl_csv_reader *c) {
    sl_status status = SL_OK;
    while (c->text.at < c->text.end && status == SL_OK) {
        status = read_event(c);
        c->text.line++;
        c->text.line_start = c->text.at;
    }
    return status;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* The groups of the layout from the parts. */
static sl_status put_groups(sl_csv_reader *c) {
    sl_arena *arena = &c->r->arena;
    size_t n = (size_t)c->parts.n;
    sl_results_group *groups = sl_arena_alloc(arena, n * sizeof *groups);
    for (size_t g = 0; groups && g < n; g++) {
        const sl_csv_class *p = &c->parts.at[g];
        size_t n_id = (size_t)p->ids.n, n_quantity = (size_t)p->quantities.n;
        const char **ids = sl_arena_alloc(arena, n_id * sizeof *ids);
        const char **kinds = sl_arena_alloc(arena, n_id * sizeof *kinds);
        sl_results_column *fact = sl_arena_alloc(arena, sizeof *fact);
        sl_results_column *quantities = sl_arena_alloc(arena, n_quantity * sizeof *quantities);
        if (!ids || !kinds || !fact || !quantities) {
            return SL_ERR_MEMORY;
        }
        memcpy(ids, p->ids.at, n_id * sizeof *ids);
        memcpy(kinds, p->kinds.at, n_id * sizeof *kinds);
        for (size_t q = 0; q < n_quantity; q++) {
            quantities[q] = p->quantities.at[q];
        }
        *fact = (sl_results_column){.name = "kind", .unit = "", .meaning = "what it is", .text = kinds};
        groups[g] = (sl_results_group){.name = p->name,
                                       .meaning = "",
                                       .n = (int32_t)n_id,
                                       .ids = ids,
                                       .n_fact = p->has_kind,
                                       .facts = fact,
                                       .n_quantity = (int32_t)n_quantity,
                                       .quantities = quantities};
        c->r->n_quantity += (int32_t)n_quantity;
    }
    c->r->layout.groups = groups;
    c->r->layout.n_group = (int32_t)n;
    return groups ? SL_OK : SL_ERR_MEMORY;
}

static sl_status put_block(sl_csv_reader *c, const sl_csv_class *p, int64_t offset, const double **out) {
    int64_t n = p->ids.n, n_frame = c->times.n;
    double *block = sl_arena_alloc(&c->r->arena, (size_t)(n * n_frame) * sizeof *block);
    for (int64_t f = 0; block && f < n_frame; f++) {
        const double *from = c->data.at + f * c->n_value + p->first + offset;
        for (int64_t i = 0; i < n; i++) {
            block[f * n + i] = from[i * p->stride];
        }
    }
    *out = block;
    return block ? SL_OK : SL_ERR_MEMORY;
}

static sl_status put_blocks(sl_csv_reader *c) {
    const double **block = sl_arena_alloc(&c->r->arena, (size_t)(c->r->n_quantity + 1) * sizeof *block);
    sl_status status = block ? SL_OK : SL_ERR_MEMORY;
    c->r->block = block;
    for (int64_t g = 0; g < c->parts.n && status == SL_OK; g++) {
        const sl_csv_class *p = &c->parts.at[g];
        for (int64_t q = 0; q < p->quantities.n && status == SL_OK; q++) {
            status = put_block(c, p, p->offsets.at[q], block++);
        }
    }
    return status;
}

/* Times, executions and events where the results keep them. */
static sl_status put_times(sl_csv_reader *c) {
    sl_results *r = c->r;
    size_t n = (size_t)c->times.n, n_event = (size_t)c->events.n;
    double *times = sl_arena_alloc(&r->arena, n * sizeof *times);
    int32_t *executions = sl_arena_alloc(&r->arena, n * sizeof *executions);
    sl_event_info *events = sl_arena_alloc(&r->arena, n_event * sizeof *events);
    if (!times || !executions || !events) {
        return SL_ERR_MEMORY;
    }
    if (n > 0) {
        memcpy(times, c->times.at, n * sizeof *times);
        memcpy(executions, c->executions.at, n * sizeof *executions);
    }
    if (n_event > 0) {
        memcpy(events, c->events.at, n_event * sizeof *events);
    }
    r->times = times;
    r->executions = c->several ? executions : NULL;
    r->events = events;
    r->n_frame = (int64_t)n;
    r->n_event = (int64_t)n_event;
    r->layout.n_frame = (double)n;
    r->layout.several = c->several;
    r->end.complete = true; /* a .csv does not say */
    return SL_OK;
}

/* ---- The format --------------------------------------------------------------------------------- */

/* Takes a word off the text. */
static bool take_word(sl_str *text, const char *word) {
    size_t n = strlen(word);
    if (text->len < n || memcmp(text->ptr, word, n) != 0) {
        return false;
    }
    text->ptr += n;
    text->len -= n;
    return true;
}

/* The time's column, and what stands before it, up to the comma or line end. NULL: it is none. */
static const char *take_time_head(sl_str *head, bool *several) {
    (void)take_word(head, "\xEF\xBB\xBF"); /* spreadsheets put a mark of UTF-8 there */
    *several = take_word(head, "execution,");
    const char *unit = take_word(head, "time_steps") ? "steps" : take_word(head, "time_s") ? "s" : NULL;
    return unit && (head->len == 0 || strchr(",\r\n", head->ptr[0])) ? unit : NULL;
}

bool sl_csv_recognise(const unsigned char *head, size_t n, uint64_t size) {
    (void)size;
    bool several;
    return take_time_head(&(sl_str){(const char *)head, n}, &several) != NULL;
}

static bool head_is(sl_csv_text *t, const char *names) {
    sl_str rest = {t->at, (size_t)(t->end - t->at)};
    if (t->row_ended || !take_word(&rest, names) || (rest.len > 0 && !strchr(",\r\n", rest.ptr[0]))) {
        return false;
    }
    t->row_ended = rest.len == 0 || rest.ptr[0] != ',';
    rest.ptr += rest.len > 0 && rest.ptr[0] == '\r';
    t->at = rest.ptr < t->end ? rest.ptr + 1 : t->end;
    return true;
}

static sl_status read_form(sl_csv_reader *c) {
    sl_csv_text *t = &c->text;
    sl_status status = SL_OK;
    bool values = head_is(t, "element,kind,id,quantity,value,unit");
    bool events = !values && head_is(t, "kind,class,element,quantity,from,to,cause");
    bool rows = !values && !events && head_is(t, "element,kind,id");
    c->r->form = values ? SL_CSV_VALUES : events ? SL_CSV_EVENTS : rows ? SL_CSV_ROWS : SL_CSV_COLUMNS;
    if (rows) {
        status = sl_csv_rows_read_head(c);
    } else if (!values && !events) {
        c->bare_is_model = head_is_of_no_automaton(t);
        while (!t->row_ended && status == SL_OK) {
            sl_csv_cell cell;
            status = sl_csv_next(t, &cell);
            status = status == SL_OK ? read_column_name(c, cell) : status;
        }
        status = status == SL_OK ? check_element(c, (sl_str){t->line_start, 0}) : status;
    }
    if (status == SL_OK && !t->row_ended) {
        return sl_csv_fail(t, (sl_str){t->at, 0}, "no more columns are expected here");
    }
    t->line++;
    t->line_start = t->at;
    if (status != SL_OK) {
        return status;
    }
    status = events ? read_events(c) : values ? read_values(c) : rows ? sl_csv_rows_read(c) : read_columns(c);
    if (status == SL_OK && (rows || values) && c->times.n > 1 && c->row < c->rows.n) {
        return sl_csv_fail(t, (sl_str){t->at, 0}, "the file ends within a time: rows are missing");
    }
    return status == SL_OK && rows ? sl_csv_rows_finish(c) : status;
}

static void free_reader(sl_csv_reader *c) {
    sl_context *ctx = c->r->ctx;
    for (int64_t i = 0; i < c->parts.n; i++) {
        sl_csv_class *p = &c->parts.at[i];
        SL_ARRAY_FINI(ctx, &p->ids);
        SL_ARRAY_FINI(ctx, &p->kinds);
        SL_ARRAY_FINI(ctx, &p->quantities);
        SL_ARRAY_FINI(ctx, &p->offsets);
    }
    for (int64_t i = 0; i < c->columns.n; i++) {
        SL_ARRAY_FINI(ctx, &c->columns.at[i].words);
    }
    SL_ARRAY_FINI(ctx, &c->parts);
    SL_ARRAY_FINI(ctx, &c->columns);
    SL_ARRAY_FINI(ctx, &c->rows);
    SL_ARRAY_FINI(ctx, &c->data);
    SL_ARRAY_FINI(ctx, &c->used);
    SL_ARRAY_FINI(ctx, &c->times);
    SL_ARRAY_FINI(ctx, &c->executions);
    SL_ARRAY_FINI(ctx, &c->events);
    sl_ids_destroy(c->names);
    sl_ids_destroy(c->quantities);
}

static sl_status read_text(sl_csv_reader *c, const char *text, size_t n) {
    sl_str head = {text, n};
    c->text.line_start = text;
    c->text.line = 1;
    c->text.end = text + n;
    c->names = sl_ids_create(c->r->ctx);
    c->quantities = sl_ids_create(c->r->ctx);
    c->r->layout.time_unit = take_time_head(&head, &c->several);
    c->text.at = head.ptr;
    if (!c->names || !c->quantities || !c->r->layout.time_unit) {
        return c->names && c->quantities ? SL_ERR_INPUT : SL_ERR_MEMORY;
    }
    sl_csv_cell rest;
    sl_status status = sl_csv_next(&c->text, &rest); /* the comma or line end behind the time */
    status = status == SL_OK ? read_form(c) : status;
    status = status == SL_OK ? put_groups(c) : status;
    status = status == SL_OK ? put_blocks(c) : status;
    return status == SL_OK ? put_times(c) : status;
}

sl_status sl_csv_open(sl_results *r, sl_diags *diags) {
    if (r->bytes.size > SIZE_MAX - BEFORE) {
        return SL_ERR_MEMORY;
    }
    size_t n = (size_t)r->bytes.size;
    char *text = sl_resize(r->ctx, NULL, 0, BEFORE + n);
    if (!text) {
        return SL_ERR_MEMORY;
    }
    memset(text, 0, BEFORE);
    sl_csv_reader c = {.r = r, .text = {.file = r->name, .diags = diags}};
    sl_status status = r->bytes.read(r->bytes.user, 0, text + BEFORE, n);
    status = status == SL_OK ? read_text(&c, text + BEFORE, n) : status;
    free_reader(&c);
    sl_free(r->ctx, text, BEFORE + n);
    return status;
}
