/* SPDX-License-Identifier: MIT */
/* table_csv.c: results as comma-separated values; docs/reference/results.md says why so.
 *
 * One row per time and element, a column per quantity with its unit in the name; a quantity that nodes and links both
 * have is one column, one that an element does not have is an empty cell. Or one row per value. Text is quoted where
 * RFC 4180 wants it; lines end in a line feed.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/out.h"
#include "results/table.h"

enum { ROOM = 1 << 15, MAX_COLUMNS = 2 * SL_TABLE_QUANTITIES, LEAST = 64 };

typedef struct csv {
    sl_context *ctx;
    sl_arena arena;
    const sl_table *table;
    bool one_value_per_row;
    int32_t n_column;
    int32_t quantity[SL_TABLE_SIDES][MAX_COLUMNS]; /* of a column; -1: none */
    const sl_str *row[SL_TABLE_SIDES];             /* what stands between the time and the values, commas included */
    size_t n;                                      /* bytes in room */
    char room[ROOM];
    sl_out out;
} csv;

/* ---- Pieces ------------------------------------------------------------------------------------- */

static void put(csv *w, const char *text, size_t n) {
    if (n > ROOM - w->n) {
        sl_out_bytes(&w->out, w->room, w->n);
        w->n = 0;
    }
    if (n > ROOM) {
        sl_out_bytes(&w->out, text, n);
        return;
    }
    memcpy(w->room + w->n, text, n);
    w->n += n;
}

static void put_z(csv *w, const char *text) {
    put(w, text, strlen(text));
}

/* The word of a code, else the number, else nothing. */
static void put_value(csv *w, float x, const char *const *words, int32_t n_word) {
    if (ROOM - w->n < LEAST) {
        sl_out_bytes(&w->out, w->room, w->n);
        w->n = 0;
    }
    if (x >= 0.0f && x < (float)n_word && x == (float)(int)x) {
        put_z(w, words[(int)x]);
    } else if (isfinite(x)) {
        w->n += sl_number_format_float(x, w->room + w->n);
    }
}

static void put_time(char text[SL_NUMBER_MAX + 1], double time) {
    size_t n = sl_number_format(time, text);
    memcpy(text + n, ",", 2);
}

/* Quoted where it must be. Returns the bytes; to has room for twice the text and two. */
static size_t quote(const char *text, char *to) {
    size_t n = strlen(text);
    bool plain = !strpbrk(text, ",\"\r\n") && n > 0 && text[0] != ' ' && text[n - 1] != ' ';
    if (plain) {
        memcpy(to, text, n + 1);
        return n;
    }
    char *p = to;
    *p++ = '"';
    for (const char *c = text; *c; c++) {
        if (*c == '"') {
            *p++ = '"';
        }
        *p++ = *c;
    }
    *p++ = '"';
    return (size_t)(p - to);
}

/* "L/s" as a part of a name: L_per_s. */
static void put_unit(csv *w, const char *unit) {
    bool gap = true; /* one underscore before what follows */
    for (const char *c = unit; *c; c++) {
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                      (unsigned char)*c >= 0x80;
        if (*c == '/') {
            put_z(w, "_per");
            gap = true;
        } else if (*c == '%') {
            put_z(w, "_percent");
            gap = true;
        } else if (!letter) {
            gap = true;
        } else {
            put(w, gap ? "_" : "", gap);
            put(w, c, 1);
            gap = false;
        }
    }
}

/* ---- Head --------------------------------------------------------------------------------------- */

static void find_columns(csv *w) {
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &w->table->side[side];
        for (int32_t q = 0; q < e->n_quantity && e->n > 0; q++) {
            int32_t c = 0;
            for (; c < w->n_column; c++) { /* does a node's quantity have that name? */
                int32_t other = w->quantity[SL_TABLE_NODES][c];
                if (side != SL_TABLE_NODES && other >= 0 &&
                    strcmp(w->table->side[SL_TABLE_NODES].quantity[other].name, e->quantity[q].name) == 0) {
                    break;
                }
            }
            if (c == w->n_column) {
                w->quantity[SL_TABLE_NODES][c] = w->quantity[SL_TABLE_LINKS][c] = -1;
                w->n_column++;
            }
            w->quantity[side][c] = q;
        }
    }
}

static void put_head(csv *w) {
    put_z(w, "time_s,element,kind,id");
    for (int32_t c = 0; c < w->n_column && !w->one_value_per_row; c++) {
        int side = w->quantity[SL_TABLE_NODES][c] >= 0 ? SL_TABLE_NODES : SL_TABLE_LINKS;
        const sl_table_quantity *q = &w->table->side[side].quantity[w->quantity[side][c]];
        put_z(w, ",");
        put_z(w, q->name);
        put_unit(w, q->unit);
    }
    put_z(w, w->one_value_per_row ? ",quantity,value,unit\n" : "\n");
}

/* "node,junction,J1," of each element. */
static bool make_rows(csv *w, sl_table_side side) {
    const sl_table_elements *e = &w->table->side[side];
    sl_str *row = sl_arena_alloc(&w->arena, (size_t)e->n * sizeof *row);
    for (int32_t i = 0; row && i < e->n; i++) {
        size_t name = strlen(e->name), kind = strlen(e->kind[i]);
        char *text = sl_arena_alloc(&w->arena, name + kind + 2 * strlen(e->id[i]) + 6);
        if (!text) {
            return false;
        }
        char *p = text;
        memcpy(p, e->name, name);
        p += name;
        *p++ = ',';
        memcpy(p, e->kind[i], kind);
        p += kind;
        *p++ = ',';
        p += quote(e->id[i], p);
        *p++ = ',';
        row[i] = (sl_str){text, (size_t)(p - text)};
    }
    w->row[side] = row;
    return row != NULL;
}

/* ---- The format --------------------------------------------------------------------------------- */

static void destroy(void *writer) {
    csv *w = writer;
    sl_arena_fini(&w->arena);
    sl_free(w->ctx, w, sizeof *w);
}

static sl_status create(sl_context *ctx, const sl_table *table, const sl_table_target *target, sl_diags *diags,
                        void **out) {
    (void)diags;
    csv *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    w->ctx = ctx;
    w->table = table;
    w->one_value_per_row = target->one_value_per_row;
    sl_out_init(&w->out, target->sink);
    sl_arena_init(&w->arena, ctx);
    find_columns(w);
    if (!make_rows(w, SL_TABLE_NODES) || !make_rows(w, SL_TABLE_LINKS)) {
        destroy(w);
        return SL_ERR_MEMORY;
    }
    put_head(w);
    *out = w;
    return SL_OK;
}

/* All quantities of an element in one row. */
static void put_wide(csv *w, sl_table_side side, const sl_table_frame *frame, const char *time) {
    const sl_table_elements *e = &w->table->side[side];
    for (int32_t i = 0; i < e->n; i++) {
        put_z(w, time);
        put(w, w->row[side][i].ptr, w->row[side][i].len);
        for (int32_t c = 0; c < w->n_column; c++) {
            int32_t q = w->quantity[side][c];
            if (q >= 0) {
                put_value(w, frame->value[side][q][i], e->quantity[q].words, e->quantity[q].n_word);
            }
            put(w, c + 1 < w->n_column ? "," : "\n", 1);
        }
    }
}

static void put_long(csv *w, sl_table_side side, const sl_table_frame *frame, const char *time) {
    const sl_table_elements *e = &w->table->side[side];
    for (int32_t i = 0; i < e->n; i++) {
        for (int32_t q = 0; q < e->n_quantity; q++) {
            char unit[256];
            put_z(w, time);
            put(w, w->row[side][i].ptr, w->row[side][i].len);
            put_z(w, e->quantity[q].name);
            put(w, ",", 1);
            put_value(w, frame->value[side][q][i], NULL, 0);
            put(w, ",", 1);
            if (*e->quantity[q].unit) {
                size_t n = quote(e->quantity[q].unit, unit);
                put(w, unit, n);
            }
            put(w, "\n", 1);
        }
    }
}

static sl_status frame(void *writer, const sl_table_frame *frame, sl_diags *diags) {
    (void)diags;
    csv *w = writer;
    char time[SL_NUMBER_MAX + 1];
    put_time(time, frame->time);
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        if (w->table->side[side].n_quantity > 0) {
            (w->one_value_per_row ? put_long : put_wide)(w, (sl_table_side)side, frame, time);
        }
    }
    return w->out.status;
}

static sl_status end(void *writer, const sl_table_end *end, sl_diags *diags) {
    (void)end;
    (void)diags;
    csv *w = writer;
    sl_out_bytes(&w->out, w->room, w->n);
    w->n = 0;
    return sl_out_flush(&w->out);
}

const sl_table_format sl_table_csv = {
    .ending = "csv", .create = create, .frame = frame, .end = end, .destroy = destroy};
