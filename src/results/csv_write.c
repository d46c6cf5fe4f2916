/* SPDX-License-Identifier: MIT */
/* csv_write.c: results as comma-separated values, in forms; docs/reference/results.md has them.
 *
 * Numbers are the shortest that give the double back; one that is none is an empty cell. A text is quoted where RFC 4180 wants it;
 * lines end in a line feed. What stands before the values of a row is made once.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/out.h"
#include "base/report.h"
#include "results/csv_impl.h"

enum { BUFFER = 1 << 15, LEAST = 64 };

typedef struct csv {
    sl_context *ctx;
    sl_arena arena;
    const sl_results_layout *layout;
    sl_csv_form form;
    const char *table; /* this one alone; NULL: frames or events */
    int32_t n_column;  /* of ROWS */
    int32_t **number;  /* [group][column] number of the quantity; -1: none */
    sl_str **row;      /* [group][element] "node,junction,J1,", commas included */
    sl_str **words;    /* [quantity][code] as cells; NULL: numbers */
    int32_t *n_word;   /* [quantity] */
    sl_str *tail;      /* [quantity] of VALUES: "head," before the value, ",m\n" behind it */
    sl_str *name;      /* [quantity] */
    size_t n;          /* bytes in buffer */
    char buffer[BUFFER];
    sl_out out;
} csv;

/* ---- Pieces ------------------------------------------------------------------------------------- */

static void send(csv *w) {
    sl_out_bytes(&w->out, w->buffer, w->n);
    w->n = 0;
}

static inline void put(csv *w, const char *text, size_t n) {
    if (n > BUFFER - w->n) {
        send(w);
    }
    if (n > BUFFER) {
        sl_out_bytes(&w->out, text, n);
        return;
    }
    memcpy(w->buffer + w->n, text, n);
    w->n += n;
}

static void put_z(csv *w, const char *text) {
    put(w, text, strlen(text));
}

/* A number; a zero keeps its sign. */
static inline size_t format(double x, char *to) {
    if (x == 0.0 && signbit(x)) {
        to[0] = '-';
        to[1] = '0';
        return 2;
    }
    return isfinite(x) ? sl_number_format(x, to) : 0;
}

static inline void put_number(csv *w, double x) {
    if (BUFFER - w->n < LEAST) {
        send(w);
    }
    w->n += format(x, w->buffer + w->n);
}

/* The word of a code, else the number. */
static inline void put_value(csv *w, double x, const sl_str *words, int32_t n_word) {
    if (x >= 0.0 && x < (double)n_word && x == (double)(int32_t)x) {
        put(w, words[(int32_t)x].ptr, words[(int32_t)x].len);
    } else {
        put_number(w, x);
    }
}

/* A text as a cell, in the arena; NULL: out of memory. */
static const char *cell(csv *w, const char *text) {
    char *to = sl_arena_alloc(&w->arena, 2 * strlen(text) + 3);
    (void)(to && sl_csv_quote(text, to));
    return to;
}

/* text NULL: there was no memory for it. */
static void put_cell(csv *w, const char *text) {
    const char *quoted = !text || !*text ? text : cell(w, text);
    if (quoted) {
        put_z(w, quoted);
    } else {
        w->out.status = SL_ERR_MEMORY;
    }
}

static void put_time_head(csv *w) {
    put_z(w, w->layout->several ? "execution,time_" : "time_");
    put_z(w, w->layout->time_unit);
}

/* Up to the comma behind it. Returns the bytes. */
static size_t format_time(const csv *w, int32_t execution, double time, char to[2 * SL_NUMBER_MAX]) {
    size_t n = 0;
    if (w->layout->several) {
        n = sl_number_format_int(execution, to);
        to[n++] = ',';
    }
    n += format(time, to + n);
    return n;
}

/* ---- Columns of rows ---------------------------------------------------------------------------- */

static bool is_same(const sl_results_column *a, const sl_results_column *b) {
    return strcmp(a->name, b->name) == 0 && strcmp(a->unit, b->unit) == 0 && !a->words == !b->words;
}

/* Groups share a column where name and unit are the same, and it is of words or of numbers. Only groups with elements have some. */
static sl_status find_columns(csv *w, int32_t n_quantity) {
    const sl_results_layout *l = w->layout;
    const sl_results_column **column =
        sl_arena_alloc(&w->arena, ((size_t)n_quantity + 1) * sizeof(sl_results_column *));
    w->number = sl_arena_alloc(&w->arena, ((size_t)l->n_group + 1) * sizeof *w->number);
    if (!column || !w->number) {
        return SL_ERR_MEMORY;
    }
    for (int32_t g = 0, number = 0; g < l->n_group; g++) {
        const sl_results_group *of = &l->groups[g];
        w->number[g] = sl_arena_alloc(&w->arena, ((size_t)n_quantity + 1) * sizeof **w->number);
        if (!w->number[g]) {
            return SL_ERR_MEMORY;
        }
        memset(w->number[g], -1, (size_t)n_quantity * sizeof **w->number);
        for (int32_t q = 0; q < of->n_quantity; q++, number++) {
            const sl_results_column *x = &of->quantities[q];
            int32_t c = 0;
            while (c < w->n_column && (w->number[g][c] >= 0 || !is_same(column[c], x))) {
                c++;
            }
            if (of->n > 0) {
                w->n_column += c == w->n_column;
                column[c] = x;
                w->number[g][c] = number;
            }
        }
    }
    for (int32_t c = 0; c < w->n_column; c++) {
        put(w, ",", 1);
        put_cell(w, sl_csv_column_name(&w->arena, column[c]->name, column[c]->unit));
    }
    return SL_OK;
}

/* "node,junction,J1," of each element. */
static sl_status make_rows(csv *w) {
    const sl_results_layout *l = w->layout;
    w->row = sl_arena_alloc(&w->arena, ((size_t)l->n_group + 1) * sizeof(sl_str *));
    for (int32_t g = 0; w->row && g < l->n_group; g++) {
        const sl_results_group *of = &l->groups[g];
        const sl_results_column *kinds = sl_results_find_fact(of, "kind");
        const char *name = cell(w, of->name);
        sl_str *row = w->row[g] = sl_arena_alloc(&w->arena, ((size_t)of->n + 1) * sizeof *row);
        for (int32_t i = 0; row && i < of->n; i++) {
            const char *kind = kinds && kinds->text ? kinds->text[i] : "";
            const char *id = cell(w, of->ids[i]), *text = NULL;
            kind = *kind ? cell(w, kind) : kind;
            text = name && kind && id ? sl_arena_format(&w->arena, "%s,%s,%s,", name, kind, id) : NULL;
            if (!text) {
                return SL_ERR_MEMORY;
            }
            row[i] = sl_str_z(text);
        }
        if (!row) {
            return SL_ERR_MEMORY;
        }
    }
    return w->row ? SL_OK : SL_ERR_MEMORY;
}

/* A word that begins as a number is quoted. */
static const char *word_cell(csv *w, const char *word) {
    const char *text = cell(w, word);
    return text && *text && strchr("+-.0123456789", *text) ? sl_arena_format(&w->arena, "\"%s\"", text) : text;
}

/* Words of codes as cells. */
static sl_status make_words(csv *w, int32_t n_quantity) {
    const sl_results_layout *l = w->layout;
    w->words = sl_arena_alloc(&w->arena, ((size_t)n_quantity + 1) * sizeof(sl_str *));
    w->n_word = sl_arena_alloc(&w->arena, ((size_t)n_quantity + 1) * sizeof *w->n_word);
    if (!w->words || !w->n_word) {
        return SL_ERR_MEMORY;
    }
    for (int32_t g = 0, number = 0; g < l->n_group; g++) {
        for (int32_t q = 0; q < l->groups[g].n_quantity; q++, number++) {
            const sl_results_column *x = &l->groups[g].quantities[q];
            int32_t n = x->words ? x->n_word : 0;
            sl_str *words = sl_arena_alloc(&w->arena, ((size_t)n + 1) * sizeof *words);
            if (!words) {
                return SL_ERR_MEMORY;
            }
            w->n_word[number] = n;
            w->words[number] = words;
            for (int32_t i = 0; i < n; i++) {
                const char *word = word_cell(w, x->words[i]);
                if (!word) {
                    return SL_ERR_MEMORY;
                }
                words[i] = sl_str_z(word);
            }
        }
    }
    return SL_OK;
}

/* Of VALUES: what stands before and behind a value. */
static sl_status make_tails(csv *w, int32_t n_quantity) {
    const sl_results_layout *l = w->layout;
    w->name = sl_arena_alloc(&w->arena, ((size_t)n_quantity + 1) * sizeof *w->name);
    w->tail = sl_arena_alloc(&w->arena, ((size_t)n_quantity + 1) * sizeof *w->tail);
    for (int32_t g = 0, number = 0; w->name && w->tail && g < l->n_group; g++) {
        for (int32_t q = 0; q < l->groups[g].n_quantity; q++, number++) {
            const sl_results_column *x = &l->groups[g].quantities[q];
            const char *name = cell(w, x->name), *unit = *x->unit ? cell(w, x->unit) : "";
            name = name ? sl_arena_format(&w->arena, "%s,", name) : NULL;
            unit = unit ? sl_arena_format(&w->arena, ",%s\n", unit) : NULL;
            if (!name || !unit) {
                return SL_ERR_MEMORY;
            }
            w->name[number] = sl_str_z(name);
            w->tail[number] = sl_str_z(unit);
        }
    }
    return w->name && w->tail ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Columns of values -------------------------------------------------------------------------- */

/* "node.J1.head_m" */
static void put_column_name(csv *w, const sl_results_group *g, int32_t element, const sl_results_column *q) {
    const char *id = g->ids[element], *dot = strchr(q->name, '.');
    bool whole = strcmp(g->name, "model") == 0 && g->n == 1 && !*id && (!dot || !strchr(dot + 1, '.'));
    char *quoted = sl_arena_alloc(&w->arena, 2 * strlen(id) + 3);
    (void)(quoted && sl_csv_id_quote(id, quoted));
    const char *name = whole    ? q->name
                       : quoted ? sl_arena_format(&w->arena, "%s.%s.%s", g->name, quoted, q->name)
                                : NULL;
    put(w, ",", 1);
    put_cell(w, sl_csv_is_bare(g) ? quoted : name ? sl_csv_column_name(&w->arena, name, q->unit) : NULL);
}

static void put_column_names(csv *w) {
    const sl_results_layout *l = w->layout;
    for (int32_t g = 0; g < l->n_group; g++) {
        for (int32_t i = 0; i < l->groups[g].n; i++) {
            for (int32_t q = 0; q < l->groups[g].n_quantity; q++) {
                put_column_name(w, &l->groups[g], i, &l->groups[g].quantities[q]);
            }
        }
    }
}

/* ---- The format --------------------------------------------------------------------------------- */

static void destroy(void *writer) {
    csv *w = writer;
    sl_arena_fini(&w->arena);
    sl_free(w->ctx, w, sizeof *w);
}

static sl_status put_head(csv *w) {
    int32_t n_quantity = sl_results_count_quantities(w->layout);
    sl_status status = make_words(w, n_quantity);
    status = status == SL_OK ? make_rows(w) : status;
    if (w->table || status != SL_OK) {
        return status;
    }
    put_time_head(w);
    switch (w->form) {
    case SL_CSV_EVENTS: put_z(w, ",kind,class,element,quantity,from,to,cause"); break;
    case SL_CSV_VALUES:
        status = make_tails(w, n_quantity);
        put_z(w, ",element,kind,id,quantity,value,unit");
        break;
    case SL_CSV_COLUMNS: put_column_names(w); break;
    default:
        put_z(w, ",element,kind,id");
        status = find_columns(w, n_quantity);
        break;
    }
    put(w, "\n", 1);
    return status;
}

/* A network over an extended period: it says whether its values are a series or a statistic of one. */
static bool is_network(const sl_results_layout *l) {
    return sl_results_find_attribute(l->attributes, l->n_attribute, "statistic") != NULL;
}

static sl_status create(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **out) {
    (void)diags;
    csv *w = target->sink ? sl_alloc(ctx, sizeof *w) : NULL;
    if (!w) {
        return target->sink ? SL_ERR_MEMORY : SL_ERR_USE;
    }
    w->ctx = ctx;
    w->layout = layout;
    w->form = target->csv != SL_CSV_BY_MODEL ? target->csv : is_network(layout) ? SL_CSV_ROWS : SL_CSV_COLUMNS;
    sl_out_init(&w->out, target->sink);
    sl_arena_init(&w->arena, ctx);
    sl_status status = SL_OK;
    if (target->table) {
        w->table = sl_arena_copy(&w->arena, sl_str_z(target->table));
        status = w->table ? SL_OK : SL_ERR_MEMORY;
    }
    status = status == SL_OK ? put_head(w) : status;
    if (status != SL_OK) {
        destroy(w);
        return status;
    }
    *out = w;
    return SL_OK;
}

static void put_rows(csv *w, int32_t g, const sl_results_frame *frame, const char *time, size_t n_time) {
    const int32_t *number = w->number[g], n_column = w->n_column;
    for (int32_t i = 0; i < w->layout->groups[g].n; i++) {
        put(w, time, n_time);
        put(w, w->row[g][i].ptr, w->row[g][i].len);
        for (int32_t c = 0; c < n_column; c++) {
            int32_t q = number[c];
            if (q >= 0) {
                put_value(w, frame->values[q][i], w->words[q], w->n_word[q]);
            }
            put(w, c + 1 < n_column ? "," : "\n", 1);
        }
    }
}

static void put_values(csv *w, int32_t g, int32_t first, const sl_results_frame *frame, const char *time,
                       size_t n_time) {
    const sl_results_group *of = &w->layout->groups[g];
    for (int32_t i = 0; i < of->n; i++) {
        for (int32_t q = first; q < first + of->n_quantity; q++) {
            put(w, time, n_time);
            put(w, w->row[g][i].ptr, w->row[g][i].len);
            put(w, w->name[q].ptr, w->name[q].len);
            put_number(w, frame->values[q][i]);
            put(w, w->tail[q].ptr, w->tail[q].len);
        }
    }
}

static void put_columns(csv *w, int32_t g, int32_t first, const sl_results_frame *frame) {
    const sl_results_group *of = &w->layout->groups[g];
    for (int32_t i = 0; i < of->n; i++) {
        for (int32_t q = first; q < first + of->n_quantity; q++) {
            put(w, ",", 1);
            put_number(w, frame->values[q][i]);
        }
    }
}

static sl_status frame(void *writer, const sl_results_frame *frame, sl_diags *diags) {
    (void)diags;
    csv *w = writer;
    char time[2 * SL_NUMBER_MAX];
    size_t n = format_time(w, frame->execution, frame->time, time);
    if (w->table || w->form == SL_CSV_EVENTS) {
        return w->out.status;
    }
    if (w->form == SL_CSV_COLUMNS) {
        put(w, time, n);
    }
    time[n++] = ',';
    for (int32_t g = 0, first = 0; g < w->layout->n_group; first += w->layout->groups[g++].n_quantity) {
        if (w->layout->groups[g].n_quantity == 0) {
            continue;
        }
        switch (w->form) {
        case SL_CSV_COLUMNS: put_columns(w, g, first, frame); break;
        case SL_CSV_VALUES: put_values(w, g, first, frame, time, n); break;
        default: put_rows(w, g, frame, time, n); break;
        }
    }
    if (w->form == SL_CSV_COLUMNS) {
        put(w, "\n", 1);
    }
    return w->out.status;
}

static sl_status event(void *writer, const sl_event_info *e, sl_diags *diags) {
    (void)diags;
    csv *w = writer;
    if (w->table || w->form != SL_CSV_EVENTS) {
        return w->out.status;
    }
    char time[2 * SL_NUMBER_MAX];
    sl_event_info own = *e;
    sl_arena_clear(&w->arena); /* nothing of it is needed by events */
    put(w, time, format_time(w, e->execution, e->time, time));
    for (int i = 1; i < SL_EVENT_FIELDS - 1; i++) {
        const sl_event_field *part = &sl_event_fields[i];
        put(w, ",", 1);
        if (part->type == SL_EVENT_TEXT) {
            put_cell(w, *sl_event_field_text(&own, part));
        } else {
            put_number(w, *sl_event_field_real(&own, part));
        }
    }
    put(w, "\n", 1);
    return w->out.status;
}

/* ---- A table of the end ------------------------------------------------------------------------- */

static void put_table_cell(csv *w, const sl_results_column *c, int32_t i) {
    const char *text = c->text ? c->text[i] : sl_results_word(c, c->real[i]);
    if (text) {
        put_cell(w, text);
    } else {
        put_number(w, c->real[i]);
    }
}

static sl_status put_table(csv *w, const sl_results_table *t) {
    for (int32_t c = 0; c < t->n_column; c++) {
        put(w, ",", c > 0);
        put_cell(w, sl_csv_column_name(&w->arena, t->columns[c].name, t->columns[c].unit));
    }
    put(w, "\n", 1);
    for (int32_t i = 0; i < t->n; i++) {
        for (int32_t c = 0; c < t->n_column; c++) {
            put(w, ",", c > 0);
            put_table_cell(w, &t->columns[c], i);
        }
        put(w, "\n", 1);
    }
    return w->out.status;
}

static sl_status end(void *writer, const sl_results_end *end, sl_diags *diags) {
    csv *w = writer;
    const sl_results_table *table = w->table ? sl_results_find_table(end, w->table) : NULL;
    if (w->table && !table) {
        sl_report(diags, SL_ERROR, SL_CODE_IO, NULL, NULL, NULL, NULL, "these results have no table '%s'", w->table);
        return SL_ERR_INPUT;
    }
    sl_status status = table ? put_table(w, table) : SL_OK;
    send(w);
    return status == SL_OK ? sl_out_flush(&w->out) : status;
}

const sl_results_format sl_format_csv = {.ending = "csv",
                                         .what = "a table of results (.csv)",
                                         .create = create,
                                         .event = event,
                                         .frame = frame,
                                         .end = end,
                                         .destroy = destroy,
                                         .recognise = sl_csv_recognise,
                                         .open = sl_csv_open};
