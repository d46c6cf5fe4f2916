/* SPDX-License-Identifier: MIT */
/* csv_read.c: .csv files of results read back, by their form; see csv_read.h and docs/reference/results.md.
 *
 * Values are gathered frame by frame, as they stand in the file, and brought into blocks by quantity at the end.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/number.h"
#include "results/csv_read.h"

enum { BEFORE = 8 }; /* bytes readable before the text */

static bool is_fine(const sl_csv_reader *c) {
    return c->text.status == SL_OK;
}

/* ---- Texts -------------------------------------------------------------------------------------- */

const char *sl_csv_copy(sl_csv_reader *c, sl_str text) {
    const char *copy = sl_arena_copy(&c->r->arena, text);
    sl_csv_note(&c->text, copy != NULL);
    return copy ? copy : "";
}

const char *sl_csv_cell_text(sl_csv_reader *c, sl_csv_cell cell) {
    char *text = sl_arena_alloc(&c->r->arena, cell.raw.len + 1), *to = text;
    bool ascii = true;
    for (size_t i = cell.quoted; text && i + cell.quoted < cell.raw.len; i++) {
        ascii = ascii && (unsigned char)cell.raw.ptr[i] < 0x80;
        *to++ = cell.raw.ptr[i];
        i += cell.quoted && cell.raw.ptr[i] == '"'; /* the second of two */
    }
    const char *valid = ascii || !text ? text : sl_results_text(&c->r->arena, text);
    sl_csv_note(&c->text, valid != NULL);
    return valid ? valid : "";
}

void *sl_csv_own(sl_csv_reader *c, const void *values, int64_t n, size_t size) {
    void *own = sl_arena_keep(&c->r->arena, values, (size_t)n * size);
    sl_csv_note(&c->text, own != NULL);
    return own;
}

static double number_of(sl_csv_reader *c, sl_csv_cell cell) {
    double x;
    if (!sl_csv_cell_number(cell, &x)) {
        sl_csv_fail(&c->text, cell.raw, "a number is expected here");
    }
    return x;
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static sl_csv_class *last_class(sl_csv_reader *c) {
    assert(c->parts.n == 0 || c->parts.at);
    return c->parts.n > 0 ? &c->parts.at[c->parts.n - 1] : NULL;
}

/* One more element of the last part, or of a new one of this name. NULL: it failed. */
static sl_csv_class *add_element(sl_csv_reader *c, const char *group, sl_str at, int64_t stride, const char *kind,
                                 const char *id) {
    sl_csv_class *p = last_class(c);
    if (!is_fine(c)) {
        return NULL;
    }
    if (!p || strcmp(p->name, group) != 0) {
        const sl_csv_class new = {.name = group, .first = c->n_value, .stride = stride};
        int32_t known = sl_ids_add(c->names, sl_str_z(group));
        if (known != INT32_MIN && known < 0) {
            sl_csv_fail(&c->text, at, "the elements of a group do not follow each other");
            return NULL;
        }
        bool added = known >= 0 && SL_PUSH(c->r->ctx, &c->parts, new);
        sl_csv_note(&c->text, added);
        if (!added) {
            return NULL;
        }
        p = last_class(c);
    }
    p->has_kind = p->has_kind || *kind;
    sl_csv_note(&c->text, SL_PUSH_BOTH(c->r->ctx, &p->ids, id, &p->kinds, kind));
    return is_fine(c) ? p : NULL;
}

void sl_csv_class_add_quantity(sl_csv_reader *c, sl_csv_class *p, sl_results_column quantity, int64_t offset) {
    int64_t number = p - c->parts.at;
    size_t n = strlen(quantity.name);
    char *key = sl_arena_alloc(&c->r->arena, sizeof number + n);
    if (key) {
        memcpy(key, &number, sizeof number);
        memcpy(key + sizeof number, quantity.name, n);
    }
    int32_t known = key ? sl_ids_add(c->quantities, (sl_str){key, sizeof number + n}) : INT32_MIN;
    if (known < 0 && known != INT32_MIN) {
        sl_csv_fail(&c->text, (sl_str){c->text.line_start, 0}, "a group has a quantity twice");
    }
    sl_csv_note(&c->text, known >= 0 && SL_PUSH_BOTH(c->r->ctx, &p->quantities, quantity, &p->offsets, offset));
}

static const char differ[] = "the elements of a group have different quantities";

/* One value more of the last element of a group: elements have the same quantities in the same order. */
static void add_value(sl_csv_reader *c, sl_csv_class *p, const char *name, const char *unit, sl_str at) {
    int64_t n = p->ids.n, k = c->n_value - p->first - (n - 1) * p->stride; /* values of this element before this one */
    c->n_value++;
    if (n == 1) {
        p->stride = k + 1;
        sl_csv_class_add_quantity(c, p, (sl_results_column){.name = name, .unit = unit, .meaning = ""}, k);
    } else if (k >= p->stride || strcmp(p->quantities.at[k].name, name) != 0 ||
               strcmp(p->quantities.at[k].unit, unit) != 0) {
        sl_csv_fail(&c->text, at, differ);
    }
}

/* Has the last element all that the others of its group have? Before the next one. */
static void check_element(sl_csv_reader *c, sl_str at) {
    const sl_csv_class *p = last_class(c);
    if (p && c->n_value - p->first != p->ids.n * p->stride) {
        sl_csv_fail(&c->text, at, differ);
    }
}

/* ---- Times -------------------------------------------------------------------------------------- */

double sl_csv_time_read(sl_csv_reader *c, int32_t *execution) {
    int64_t number = 0;
    double time;
    sl_csv_cell cell = sl_csv_next(&c->text);
    if (c->r->layout.several) {
        if (sl_number_parse_int(cell.raw, &number) != SL_NUMBER_OK || number < 1 || number > INT32_MAX) {
            sl_csv_fail(&c->text, cell.raw, "the number of an execution is expected here");
        }
        cell = sl_csv_next_within(&c->text);
    }
    *execution = (int32_t)number;
    if (!sl_csv_cell_number(cell, &time) || isnan(time)) {
        sl_csv_fail(&c->text, cell.raw, "a time is expected here");
    }
    return time;
}

static bool same_frame(const sl_csv_reader *c, double time, int32_t execution) {
    int64_t n = c->r->kept.times.n;
    return n > 0 && c->r->kept.times.at[n - 1] == time && c->r->kept.executions.at[n - 1] == execution;
}

/* Executions follow each other, time goes on within one. */
static void check_order(sl_csv_reader *c, int32_t last_execution, double last, int32_t execution, double time) {
    if (execution < last_execution || (execution == last_execution && time < last)) {
        sl_csv_fail(&c->text, (sl_str){c->text.line_start, 0}, "the time goes back");
    }
}

static void add_frame(sl_csv_reader *c, double time, int32_t execution) {
    int64_t n = c->r->kept.times.n;
    if (n > 0) {
        check_order(c, c->r->kept.executions.at[n - 1], c->r->kept.times.at[n - 1], execution, time);
    }
    sl_csv_note(&c->text, sl_results_keep_frame(c->r, time, execution));
}

bool sl_csv_row_enter(sl_csv_reader *c, double time, int32_t execution, sl_str named) {
    bool again = c->rows.n > 0 && sl_str_equal(named, c->rows.at[0]);
    if (!is_fine(c)) {
        return false;
    }
    if (!same_frame(c, time, execution) || again) {
        if (c->r->kept.times.n > 1 && c->row < c->rows.n) {
            sl_csv_fail(&c->text, named, "rows are missing before this one: the first time has more");
        }
        c->row = 0;
        add_frame(c, time, execution);
    }
    bool first = c->r->kept.times.n <= 1;
    if (first) {
        sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &c->rows, named));
    } else if (c->row >= c->rows.n || !sl_str_equal(named, c->rows.at[c->row])) {
        sl_csv_fail(&c->text, named, "the rows of every time are those of the first one, in the same order");
    }
    c->row++;
    return first && is_fine(c);
}

/* ---- Rows --------------------------------------------------------------------------------------- */

sl_str sl_csv_element_read(sl_csv_reader *c, sl_csv_cell element[3]) {
    for (int i = 0; i < 3; i++) {
        element[i] = sl_csv_next_within(&c->text);
    }
    const char *end = element[2].raw.ptr + element[2].raw.len;
    return (sl_str){element[0].raw.ptr, (size_t)(end - element[0].raw.ptr)};
}

sl_csv_class *sl_csv_element_name(sl_csv_reader *c, const sl_csv_cell element[3], int64_t stride) {
    const char *group = sl_csv_cell_text(c, element[0]), *kind = sl_csv_cell_text(c, element[1]);
    return add_element(c, group, element[0].raw, stride, kind, sl_csv_cell_text(c, element[2]));
}

/* ---- One row per value -------------------------------------------------------------------------- */

static void name_value(sl_csv_reader *c, const sl_csv_cell element[3], sl_str named, sl_csv_cell quantity,
                       sl_csv_cell unit) {
    sl_csv_class *p = last_class(c);
    if (!sl_str_equal(named, c->before)) {
        check_element(c, named);
        p = sl_csv_element_name(c, element, 0);
    }
    c->before = named;
    const char *name = sl_csv_cell_text(c, quantity), *of = sl_csv_cell_text(c, unit);
    if (p && is_fine(c)) {
        add_value(c, p, name, of, quantity.raw);
    }
}

static void read_value(sl_csv_reader *c) {
    sl_csv_cell element[3], rest[3]; /* rest: quantity, value, unit */
    int32_t execution;
    double time = sl_csv_time_read(c, &execution);
    sl_str named = sl_csv_element_read(c, element);
    for (int i = 0; i < 3; i++) {
        rest[i] = sl_csv_next_within(&c->text);
    }
    sl_csv_expect_end(&c->text, true);
    sl_str whole = {named.ptr, (size_t)(rest[0].raw.ptr + rest[0].raw.len - named.ptr)};
    if (sl_csv_row_enter(c, time, execution, whole)) {
        name_value(c, element, named, rest[0], rest[2]);
    }
    double x = number_of(c, rest[1]);
    sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &c->data, x));
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

static void name_column(sl_csv_reader *c, sl_str at, const char *group, const char *id, sl_str quantity,
                        const char *unit) {
    sl_csv_class *p = last_class(c);
    const char *name = sl_csv_copy(c, quantity);
    if (!p || strcmp(p->name, group) != 0 || strcmp(p->ids.at[p->ids.n - 1], id) != 0) {
        check_element(c, at);
        p = add_element(c, group, at, 0, "", id);
    }
    if (p && is_fine(c)) {
        add_value(c, p, name, unit, at);
    }
}

/* "node.J1.head_m"; "balance.ratio" of the model; "T" of a variable. */
static void read_column_name(sl_csv_reader *c, sl_csv_cell cell) {
    static const char wrong[] = "this is not the name of a value: group.id.quantity";
    const char *text = sl_csv_cell_text(c, cell);
    sl_str rest = sl_str_z(text), group, id = {0};
    bool quoted;
    if (!sl_csv_id_take(&rest, &group, &quoted) || (quoted && rest.len > 0)) {
        sl_csv_fail(&c->text, cell.raw, wrong);
        return;
    }
    const char *first = sl_csv_copy(c, group);
    bool bare = rest.len == 0 && *text && text[group.len] != '.';
    if (quoted || (bare && !c->bare_is_model)) {
        name_column(c, cell.raw, bare_group(c), first, sl_str_z("value"), "");
        return;
    }
    bool fine = bare || (sl_csv_id_take(&rest, &id, &quoted) && *first);
    bool of_model = fine && rest.len == 0 && !quoted;
    rest = of_model ? sl_str_z(text) : rest;
    const char *unit = sl_csv_unit_take(&rest);
    if (of_model) {
        name_column(c, cell.raw, "model", "", rest, unit);
    } else if (!fine || rest.len == 0) {
        sl_csv_fail(&c->text, cell.raw, wrong);
    } else {
        name_column(c, cell.raw, first, sl_csv_copy(c, id), rest, unit);
    }
}

static void read_columns_head(sl_csv_reader *c) {
    c->bare_is_model = head_is_of_no_automaton(&c->text);
    while (!c->text.row_ended && is_fine(c)) {
        read_column_name(c, sl_csv_next(&c->text));
    }
    check_element(c, (sl_str){c->text.line_start, 0});
}

static void read_columns(sl_csv_reader *c) {
    int32_t execution;
    double time = sl_csv_time_read(c, &execution);
    add_frame(c, time, execution);
    sl_csv_note(&c->text, SL_RESERVE(c->r->ctx, &c->data, c->data.n + c->n_value));
    for (int64_t i = 0; i < c->n_value && is_fine(c); i++) {
        c->data.at[c->data.n++] = number_of(c, sl_csv_next_within(&c->text));
    }
    sl_csv_expect_end(&c->text, true);
}

/* ---- Events ------------------------------------------------------------------------------------- */

static void read_event(sl_csv_reader *c) {
    sl_event_info e = sl_event_none;
    e.time = sl_csv_time_read(c, &e.execution);
    for (int i = 1; i < SL_EVENT_FIELDS - 1; i++) {
        const sl_event_field *part = &sl_event_fields[i];
        sl_csv_cell cell = sl_csv_next_within(&c->text);
        if (part->type == SL_EVENT_TEXT) {
            *sl_event_field_text(&e, part) = sl_csv_cell_text(c, cell);
        } else {
            *sl_event_field_real(&e, part) = number_of(c, cell);
        }
    }
    sl_csv_expect_end(&c->text, true);
    const sl_event_info *last = c->r->kept.events.n > 0 ? &c->r->kept.events.at[c->r->kept.events.n - 1] : &e;
    check_order(c, last->execution, last->time, e.execution, e.time);
    sl_csv_note(&c->text, SL_PUSH(c->r->ctx, &c->r->kept.events, e));
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* The groups of the layout from the parts. */
static void put_groups(sl_csv_reader *c) {
    sl_results_group *groups = sl_arena_alloc(&c->r->arena, (size_t)c->parts.n * sizeof *groups);
    for (int64_t g = 0; groups && g < c->parts.n; g++) {
        const sl_csv_class *p = &c->parts.at[g];
        const sl_results_column kind = {
            .name = "kind",
            .unit = "",
            .meaning = "what it is",
            .text = sl_csv_own(c, p->kinds.at, p->kinds.n, sizeof *p->kinds.at),
        };
        groups[g] = (sl_results_group){
            .name = p->name,
            .meaning = "",
            .n = (int32_t)p->ids.n,
            .ids = sl_csv_own(c, p->ids.at, p->ids.n, sizeof *p->ids.at),
            .n_fact = p->has_kind,
            .facts = sl_csv_own(c, &kind, 1, sizeof kind),
            .n_quantity = (int32_t)p->quantities.n,
            .quantities = sl_csv_own(c, p->quantities.at, p->quantities.n, sizeof *p->quantities.at),
        };
    }
    sl_csv_note(&c->text, groups != NULL);
    c->r->layout.groups = groups;
    c->r->layout.n_group = (int32_t)c->parts.n;
}

/* The values of one quantity, from those of all that stand frame by frame. */
static void put_values(sl_csv_reader *c, const sl_csv_class *p, int64_t offset, int32_t quantity) {
    int64_t n = p->ids.n, n_frame = c->r->kept.times.n;
    if (!SL_RESERVE(c->r->ctx, &c->r->kept.values[quantity], n * n_frame)) {
        sl_csv_note(&c->text, false);
        return;
    }
    double *to = c->r->kept.values[quantity].at;
    for (int64_t f = 0; f < n_frame; f++) {
        const double *from = c->data.at + f * c->n_value + p->first + offset;
        for (int64_t i = 0; i < n; i++) {
            *to++ = from[i * p->stride];
        }
    }
}

static sl_status put_all(sl_csv_reader *c) {
    put_groups(c);
    sl_status status = is_fine(c) ? sl_results_number_quantities(c->r) : c->text.status;
    int32_t quantity = 0;
    for (int64_t g = 0; g < c->parts.n && status == SL_OK; g++) {
        for (int64_t q = 0; q < c->parts.at[g].quantities.n; q++) {
            put_values(c, &c->parts.at[g], c->parts.at[g].offsets.at[q], quantity++);
        }
        status = c->text.status;
    }
    c->r->end.complete = true; /* a .csv does not say */
    return status == SL_OK ? sl_results_use_buffers(c->r) : status;
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

/* By the head: what it has more, a row, and what is done at the end. */
static const struct form {
    sl_csv_form form;
    const char *head;
    void (*read_head)(sl_csv_reader *c); /* NULL: there is no more of it */
    void (*read_row)(sl_csv_reader *c);
} forms[] = {
    {SL_CSV_VALUES, "element,kind,id,quantity,value,unit", NULL, read_value},
    {SL_CSV_EVENTS, "kind,class,element,quantity,from,to,cause", NULL, read_event},
    {SL_CSV_ROWS, "element,kind,id", sl_csv_rows_read_head, sl_csv_rows_read},
    {SL_CSV_COLUMNS, NULL, read_columns_head, read_columns},
};

static void read_form(sl_csv_reader *c) {
    sl_csv_text *t = &c->text;
    const struct form *form = forms;
    while (form->head && !head_is(t, form->head)) {
        form++;
    }
    c->r->form = form->form;
    if (form->read_head) {
        form->read_head(c);
    }
    if (!t->row_ended) {
        sl_csv_fail(t, (sl_str){t->at, 0}, "no more columns are expected here");
    }
    sl_csv_next_line(t);
    double size = (double)(t->end - t->line_start);
    for (int64_t row = 0; t->at < t->end && is_fine(c); row++) {
        form->read_row(c);
        sl_csv_next_line(t);
        if (row % 256 == 0 && is_fine(c) &&
            !sl_progress_report(c->r->ctx, "reading", size - (double)(t->end - t->at), size)) {
            t->status = SL_ERR_CANCELLED;
        }
    }
    if (form->form == SL_CSV_VALUES) {
        check_element(c, (sl_str){t->at, 0});
    }
    if (c->r->kept.times.n > 1 && c->row < c->rows.n) {
        sl_csv_fail(t, (sl_str){t->at, 0}, "the file ends within a time: rows are missing");
    }
    if (form->form == SL_CSV_ROWS) {
        sl_csv_rows_finish(c);
    }
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
    c->r->layout.time_unit = take_time_head(&head, &c->r->layout.several);
    c->text.at = head.ptr;
    if (!c->names || !c->quantities || !c->r->layout.time_unit) {
        return c->names && c->quantities ? SL_ERR_INPUT : SL_ERR_MEMORY;
    }
    (void)sl_csv_next(&c->text); /* the comma or line end behind the time */
    read_form(c);
    return put_all(c);
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
