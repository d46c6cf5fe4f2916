/* SPDX-License-Identifier: MIT */
/* table_json.c: results as one JSON object; docs/reference/results.md has its members.
 *
 * What there is comes first, then an array of periods, each with its time and an array of values per quantity, in the
 * order of the ids. Period by period, and not quantity by quantity, because that is how a run gives them: the file is
 * written as they come, and can be read so. Numbers that are none are null.
 */
#include <string.h>

#include "base/memory.h"
#include "base/out.h"
#include "results/table.h"

typedef struct json_writer {
    sl_context *ctx;
    const sl_table *table;
    sl_json json;
    sl_out out;
} json_writer;

static const char *const plural[SL_TABLE_SIDES] = {"nodes", "links"};

/* ---- Head --------------------------------------------------------------------------------------- */

static void member_text(sl_json *j, const char *key, const char *text) {
    sl_json_key(j, key);
    sl_json_z(j, text);
}

static void member_number(sl_json *j, const char *key, double x) {
    sl_json_key(j, key);
    sl_json_number(j, x);
}

static void put_texts(sl_json *j, const char *key, const char *const *text, int32_t n) {
    sl_json_key(j, key);
    sl_json_inline(j);
    sl_json_array(j);
    for (int32_t i = 0; i < n; i++) {
        sl_json_z(j, text[i]);
    }
    sl_json_end(j);
}

static void put_fact(sl_json *j, const sl_table_fact *fact, int32_t n) {
    if (fact->text) {
        put_texts(j, fact->name, fact->text, n);
        return;
    }
    sl_json_key(j, fact->name);
    if (fact->real) {
        sl_json_floats(j, fact->real, n);
        return;
    }
    sl_json_inline(j);
    sl_json_array(j);
    for (int32_t i = 0; i < n; i++) {
        sl_json_number(j, fact->place[i]);
    }
    sl_json_end(j);
}

static void put_quantity(sl_json *j, const sl_table_quantity *q) {
    sl_json_key(j, q->name);
    sl_json_inline(j);
    sl_json_object(j);
    member_text(j, "unit", q->unit);
    member_text(j, "meaning", q->meaning);
    if (q->words) {
        put_texts(j, "words", q->words, q->n_word);
    }
    sl_json_end(j);
}

static void put_side(sl_json *j, const sl_table_elements *e) {
    sl_json_object(j);
    put_texts(j, "ids", e->id, e->n);
    put_texts(j, "kinds", e->kind, e->n);
    for (int32_t i = 0; i < e->n_fact; i++) {
        put_fact(j, &e->fact[i], e->n);
    }
    sl_json_key(j, "quantities");
    sl_json_object(j);
    for (int32_t q = 0; q < e->n_quantity; q++) {
        put_quantity(j, &e->quantity[q]);
    }
    sl_json_end(j);
    sl_json_end(j);
}

static void put_units(sl_json *j, const sl_table *t) {
    sl_json_key(j, "units");
    sl_json_inline(j);
    sl_json_object(j);
    member_text(j, "flow", t->flow_unit);
    member_text(j, "pressure", t->pressure_unit);
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &t->side[side];
        for (int32_t i = 0; i < e->n_fact; i++) {
            if (*e->fact[i].unit) {
                member_text(j, e->fact[i].name, e->fact[i].unit);
            }
        }
    }
    sl_json_end(j);
}

static void put_head(sl_json *j, const sl_table *t) {
    sl_json_object(j);
    member_text(j, "format", "sluice results 1");
    member_text(j, "program_version", sl_version());
    member_text(j, "model", t->model);
    member_text(j, "title", t->title);
    put_units(j, t);
    member_text(j, "statistic", t->statistic);
    member_number(j, "report_start_s", t->report_start);
    member_number(j, "report_step_s", t->report_step);
    member_number(j, "duration_s", t->duration);
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        sl_json_key(j, plural[side]);
        put_side(j, &t->side[side]);
    }
    sl_json_key(j, "periods");
    sl_json_array(j);
}

/* ---- The format --------------------------------------------------------------------------------- */

static void destroy(void *writer) {
    json_writer *w = writer;
    sl_free(w->ctx, w, sizeof *w);
}

static sl_status create(sl_context *ctx, const sl_table *table, const sl_table_target *target, sl_diags *diags,
                        void **out) {
    (void)diags;
    json_writer *w = sl_alloc(ctx, sizeof *w);
    if (!w) {
        return SL_ERR_MEMORY;
    }
    w->ctx = ctx;
    w->table = table;
    sl_out_init(&w->out, target->sink);
    sl_json_init(&w->json, &w->out, 1);
    put_head(&w->json, table);
    *out = w;
    return SL_OK;
}

static sl_status frame(void *writer, const sl_table_frame *frame, sl_diags *diags) {
    (void)diags;
    json_writer *w = writer;
    sl_json *j = &w->json;
    sl_json_object(j);
    member_number(j, "time_s", frame->time);
    for (int side = 0; side < SL_TABLE_SIDES; side++) {
        const sl_table_elements *e = &w->table->side[side];
        sl_json_key(j, plural[side]);
        sl_json_object(j);
        for (int32_t q = 0; q < e->n_quantity; q++) {
            sl_json_key(j, e->quantity[q].name);
            sl_json_floats(j, frame->value[side][q], e->n);
        }
        sl_json_end(j);
    }
    sl_json_end(j);
    return w->out.status;
}

static void put_pumps(sl_json *j, const sl_table *t, const sl_table_end *end) {
    sl_json_key(j, "pumps");
    sl_json_object(j);
    sl_json_key(j, "ids");
    sl_json_inline(j);
    sl_json_array(j);
    for (int32_t i = 0; i < end->n_pump; i++) {
        sl_json_z(j, end->pump[i].id);
    }
    sl_json_end(j);
    for (int k = 0; k < SL_TABLE_ENERGIES; k++) {
        sl_json_key(j, t->energy[k].name);
        sl_json_inline(j);
        sl_json_object(j);
        member_text(j, "unit", t->energy[k].unit);
        member_text(j, "meaning", t->energy[k].meaning);
        sl_json_key(j, "values");
        sl_json_array(j);
        for (int32_t i = 0; i < end->n_pump; i++) {
            sl_json_float(j, end->pump[i].energy[k]);
        }
        sl_json_end(j);
        sl_json_end(j);
    }
    sl_json_end(j);
}

static sl_status end(void *writer, const sl_table_end *end, sl_diags *diags) {
    (void)diags;
    json_writer *w = writer;
    sl_json *j = &w->json;
    sl_json_end(j);
    sl_json_key(j, "summary");
    sl_json_object(j);
    sl_json_key(j, "complete");
    sl_json_bool(j, end->complete);
    sl_json_key(j, "periods");
    sl_json_int(j, end->n_period);
    member_text(j, "warning", end->warning_text);
    put_pumps(j, w->table, end);
    sl_json_key(j, "demand_charge");
    sl_json_float(j, end->demand_charge);
    sl_json_end(j);
    sl_json_end(j);
    sl_out_char(&w->out, '\n');
    return sl_out_flush(&w->out);
}

const sl_table_format sl_table_json = {
    .ending = "json", .create = create, .frame = frame, .end = end, .destroy = destroy};
