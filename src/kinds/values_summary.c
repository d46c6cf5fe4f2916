/* SPDX-License-Identifier: MIT */
/* values_summary.c: the summary of sl_values_report: ranges of values; of a kind whose steps are counted and which says how
 * executions end, the first steps of each and that.
 */
#include "kinds/values_report.h"

#include <math.h>
#include <string.h>

#include "base/count_text.h"

enum {
    ROWS_MAX = 40,       /* of an execution, for people */
    COLUMNS_MAX = 16,    /* above: no rows for them */
    EXECUTIONS_MAX = 20, /* for people */
    CELL = 2             /* characters at least */
};

const char *sl_values_counted(const sl_values *r) {
    const sl_kind *row = sl_model_row(r->def.model);
    return row && !r->lists_steps ? row->counted_event : NULL;
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static void put_cell(sl_out *out, const char *name, double value, bool head) {
    size_t n = strlen(name), width = n > CELL ? n : CELL;
    if (head) {
        sl_out_printf(out, "  %*s", (int)width, name);
    } else {
        sl_out_printf(out, "  %*.0f", (int)width, value);
    }
}

static void put_row(sl_values *r, double t, bool head) {
    sl_out out;
    sl_sink sink = sl_bytes_sink(&r->table);
    sl_out_init(&out, &sink);
    put_cell(&out, "t", t, head);
    for (int64_t k = 0; k < r->n_column; k++) {
        put_cell(&out, r->columns[k].name, r->scratch[k], head);
    }
    sl_out_char(&out, '\n');
    (void)sl_out_flush(&out); /* without memory the summary fails at the end */
}

void sl_values_note_row(sl_values *r, double t) {
    if (r->lists_steps && r->n_row < ROWS_MAX && r->n_column <= COLUMNS_MAX && r->executions.n < EXECUTIONS_MAX) {
        if (r->n_row == 0) {
            put_row(r, t, true);
        }
        put_row(r, t, false);
    }
    r->n_row++;
}

/* ---- Executions --------------------------------------------------------------------------------- */

static void put_ranges(const sl_values *r, sl_out *out) {
    for (int64_t k = 0; k < r->n_column; k++) {
        const sl_values_column *c = &r->columns[k];
        sl_out_printf(out, "  %s", c->name);
        sl_out_pad(out, 16, 2);
        sl_out_printf(out, c->is_whole ? "%.0f to %.0f, at the end %.0f\n" : "%.6g to %.6g, at the end %.6g\n", c->min,
                      c->max, c->last);
    }
}

static void put_steps(const sl_values *r, sl_out *out, const sl_ending *e) {
    sl_out_bytes(out, r->table.at, (size_t)r->table.n);
    if (r->n_column > COLUMNS_MAX) {
        sl_out_printf(out, "  %lld variables: -o FILE.csv writes them, --events FILE.csv what changes\n",
                      (long long)r->n_column);
    } else if (r->n_row > ROWS_MAX) {
        sl_out_printf(out, "  ... and %lld rows more: -o FILE.csv writes them\n", (long long)(r->n_row - ROWS_MAX));
    }
    for (int32_t k = 0; k < e->n_shown; k++) {
        sl_out_printf(out, k == 0 ? "\n  either %s\n" : "  or     %s\n", e->choices[k]);
    }
    if (e->n_choice > 0) {
        sl_out_z(out, e->n_choice > e->n_shown ? "  or ...\n" : "");
        sl_out_printf(out, "  %s\n", e->hint);
    }
}

/* The execution at hand into the text for people. */
static sl_status add_text(sl_values *r, const sl_ending *e) {
    char events[SL_PLURAL_MAX];
    const char *counted = sl_values_counted(r);
    sl_out out;
    sl_sink sink = sl_bytes_sink(&r->text);
    sl_out_init(&out, &sink);
    if (r->def.several) {
        sl_out_printf(&out, "\n%lld: ", (long long)r->executions.n + 1);
    }
    if (r->lists_steps) {
        sl_out_printf(&out, "%s\n\n", e->text);
        put_steps(r, &out, e);
    } else {
        sl_out_printf(&out, "%.9g %s simulated, %s\n\n", r->row_time, sl_session_time_unit(r->session),
                      sl_plural(r->n_counted, counted ? counted : "event", NULL, events));
        put_ranges(r, &out);
    }
    return sl_out_flush(&out);
}

sl_status sl_values_note_end(sl_values *r, bool complete) {
    const sl_kind *row = sl_model_row(r->def.model);
    sl_values_execution e = {.ending.verdict = complete ? "complete" : "failed", .t = r->row_time};
    e.last = sl_arena_alloc(&r->arena, ((size_t)r->n_column + 1) * sizeof *e.last);
    sl_status status = e.last ? SL_OK : SL_ERR_MEMORY;
    for (int64_t k = 0; k < r->n_column && e.last; k++) {
        sl_values_column *c = &r->columns[k];
        e.last[k] = c->last;
        c->all_min = fmin(c->all_min, c->min); /* of NaN and a number the number */
        c->all_max = fmax(c->all_max, c->max);
    }
    if (status == SL_OK && r->lists_steps) {
        status = row->ending(r->def.model, r->session, &r->arena, &e.ending);
    }
    if (status == SL_OK && !isnan(r->row_time) && r->executions.n < EXECUTIONS_MAX) {
        status = add_text(r, &e.ending);
    }
    r->table.n = 0;
    return status == SL_OK && !SL_PUSH(r->def.ctx, &r->executions, e) ? SL_ERR_MEMORY : status;
}

/* ---- Text --------------------------------------------------------------------------------------- */

void sl_values_write_text(const sl_values *r, sl_out *out) {
    char text[SL_PLURAL_MAX];
    if (r->text.n == 0) {
        return;
    }
    sl_out_printf(out, "%s: ", r->def.name);
    if (r->def.several) {
        sl_out_printf(out, "%s\n", sl_plural(r->executions.n, "execution", NULL, text));
    }
    sl_out_bytes(out, r->text.at, (size_t)r->text.n);
    if (r->executions.n > EXECUTIONS_MAX) {
        sl_out_printf(out, "\n... and %lld more: -o FILE.csv writes them\n",
                      (long long)(r->executions.n - EXECUTIONS_MAX));
    }
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void put_execution(const sl_values *r, sl_json *json, const sl_values_execution *e) {
    sl_json_object(json);
    sl_json_inline(json);
    sl_json_key(json, "verdict");
    sl_json_z(json, e->ending.verdict);
    sl_json_key(json, "t");
    sl_json_number(json, e->t);
    if (e->ending.cycle_length > 0) {
        sl_json_key(json, "cycle");
        sl_json_array(json);
        sl_json_int(json, e->ending.cycle_first);
        sl_json_int(json, e->ending.cycle_length);
        sl_json_end(json);
    }
    if (e->ending.n_choice > 0) {
        sl_json_key(json, "derivatives");
        sl_json_int(json, e->ending.n_choice);
    }
    sl_json_key(json, "end");
    sl_json_object(json);
    for (int64_t k = 0; k < r->n_column; k++) {
        sl_json_key(json, r->columns[k].name);
        sl_json_number(json, e->last[k]);
    }
    sl_json_end(json);
    sl_json_end(json);
}

static void put_range(sl_json *json, const sl_values_column *c) {
    sl_json_key(json, c->name);
    sl_json_inline(json);
    sl_json_object(json);
    sl_json_key(json, "min");
    sl_json_number(json, c->all_min);
    sl_json_key(json, "max");
    sl_json_number(json, c->all_max);
    sl_json_key(json, "end");
    sl_json_number(json, c->last);
    sl_json_end(json);
}

void sl_values_write_json(const sl_values *r, sl_json *json) {
    const char *counted = sl_values_counted(r);
    sl_json_key(json, "time");
    sl_json_number(json, r->row_time);
    if (counted) {
        char key[SL_PLURAL_MAX];
        (void)sl_format(key, sizeof key, "%ss", counted);
        sl_json_key(json, key);
        sl_json_int(json, r->n_counted);
    }
    sl_json_key(json, "events");
    sl_json_int(json, r->n_event);
    if (r->lists_steps || r->def.several) {
        sl_json_key(json, "executions");
        sl_json_array(json);
        for (int64_t k = 0; k < r->executions.n; k++) {
            put_execution(r, json, &r->executions.at[k]);
        }
        sl_json_end(json);
    }
    sl_json_key(json, "variables");
    sl_json_object(json);
    for (int64_t k = 0; k < r->n_column; k++) {
        put_range(json, &r->columns[k]);
    }
    sl_json_end(json);
}
