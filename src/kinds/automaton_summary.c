/* SPDX-License-Identifier: MIT */
/* automaton_summary.c: the summary of executions of an automaton: their steps, and how they ended. */
#include "kinds/automaton_report.h"

#include "base/count_text.h"

#include <math.h>
#include <string.h>

enum {
    ROWS_MAX = 40,       /* of an execution on the terminal */
    COLUMNS_MAX = 16,    /* above: no rows there */
    EXECUTIONS_MAX = 20, /* on the terminal */
    CELL = 2             /* characters at least */
};

/* ---- Notes -------------------------------------------------------------------------------------- */

static void put_cell(sl_out *out, const char *name, double value, bool head) {
    size_t n = strlen(name), width = n > CELL ? n : CELL;
    if (head) {
        sl_out_printf(out, "  %*s", (int)width, name);
    } else {
        sl_out_printf(out, "  %*.0f", (int)width, value);
    }
}

static void put_row(sl_automaton_report *j, double t, const double *values, bool head) {
    put_cell(j->text_out, "t", t, head);
    for (int32_t k = 0; k < j->columns.n; k++) {
        put_cell(j->text_out, j->columns.names[k], values[k], head);
    }
    sl_out_char(j->text_out, '\n');
}

sl_status sl_automaton_note_row(sl_automaton_report *j, double t, const double *values) {
    for (int32_t k = 0; k < j->columns.n; k++) {
        sl_automaton_range *r = &j->ranges[k];
        r->min = j->has_ranges ? fmin(r->min, values[k]) : values[k];
        r->max = j->has_ranges ? fmax(r->max, values[k]) : values[k];
    }
    j->has_ranges = true;
    for (int32_t k = 0; k < j->columns.n; k++) {
        j->ranges[k].last = values[k];
    }
    bool shown = j->n_shown < EXECUTIONS_MAX && j->columns.n <= COLUMNS_MAX;
    if (shown && j->n_row == 0) {
        put_row(j, t, values, true);
    }
    if (shown && j->n_row < ROWS_MAX) {
        put_row(j, t, values, false);
    }
    j->n_row++;
    return SL_OK;
}

sl_status sl_automaton_note_end(sl_automaton_report *j, const sl_execution_log_end *end) {
    sl_automaton_execution e = {.end = *end};
    j->end = *end;
    j->n_shown += j->n_row > 0;
    const char **choices = sl_arena_alloc(&j->arena, (size_t)end->n_shown * sizeof *choices);
    e.last = sl_arena_alloc(&j->arena, (size_t)j->columns.n * sizeof *e.last);
    bool fine = choices && e.last && sl_out_flush(j->text_out) == SL_OK;
    for (int32_t k = 0; fine && k < end->n_shown; k++) {
        choices[k] = sl_arena_copy(&j->arena, sl_str_z(end->choices[k]));
        fine = choices[k] != NULL;
    }
    for (int32_t k = 0; fine && k < j->columns.n; k++) {
        e.last[k] = j->ranges[k].last;
    }
    e.first = j->n_told;
    e.n_text = j->text.n - e.first;
    j->n_told = j->text.n;
    e.end.choices = choices;
    j->n_row = 0;
    return fine && SL_PUSH(j->def.ctx, &j->executions, e) ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Text --------------------------------------------------------------------------------------- */

static void report_verdict(sl_out *out, const sl_execution_log_end *end) {
    char text[SL_PLURAL_MAX];
    if (strcmp(end->verdict, "bound") == 0) {
        sl_out_printf(out, "%s", sl_plural((int64_t)end->t, "step", NULL, text));
    } else if (end->cycle_length > 0) {
        sl_out_printf(out, "zeno: the state at t = %d is that at t = %d again, a cycle of %s",
                      (int)(end->cycle_first + end->cycle_length), (int)end->cycle_first,
                      sl_plural(end->cycle_length, "step", NULL, text));
    } else {
        sl_out_printf(out, "%s at t = %.0f", end->verdict, end->t);
    }
    if (end->n_choice > 0) {
        sl_out_printf(out, ", where there are %lld derivatives", (long long)end->n_choice);
    }
    sl_out_char(out, '\n');
}

static void report_execution(sl_out *out, sl_automaton_report *j, const sl_automaton_execution *e) {
    report_verdict(out, &e->end);
    sl_out_char(out, '\n');
    sl_out_bytes(out, j->text.at + e->first, (size_t)e->n_text);
    if (j->columns.n > COLUMNS_MAX) {
        sl_out_printf(out, "  %d variables: -o FILE.csv writes them, --events FILE.csv what changes\n",
                      (int)j->columns.n);
    } else if (e->end.t >= ROWS_MAX) {
        sl_out_printf(out, "  ... and %.0f rows more: -o FILE.csv writes them\n", e->end.t + 1.0 - ROWS_MAX);
    }
    for (int32_t k = 0; k < e->end.n_shown; k++) {
        sl_out_printf(out, k == 0 ? "\n  either %s\n" : "  or     %s\n", e->end.choices[k]);
    }
    if (e->end.n_choice > 0) {
        sl_out_z(out, e->end.n_choice > e->end.n_shown ? "  or ...\n" : "");
        sl_out_z(out, "  --branches follows all of them\n");
    }
}

void sl_automaton_summary_text(sl_automaton_report *j, sl_out *out) {
    if (j->n_shown == 0) {
        return;
    }
    char text[SL_PLURAL_MAX];
    bool several = j->several;
    sl_out_printf(out, "%s: ", j->def.name);
    if (several) {
        sl_out_printf(out, "%s\n", sl_plural(j->executions.n, "execution", NULL, text));
    }
    for (int64_t k = 0; k < j->executions.n && k < EXECUTIONS_MAX; k++) {
        if (several) {
            sl_out_printf(out, "\n%lld: ", (long long)k + 1);
        }
        report_execution(out, j, &j->executions.at[k]);
    }
    if (j->executions.n > EXECUTIONS_MAX) {
        sl_out_printf(out, "\n... and %lld more: -o FILE.csv writes them\n",
                      (long long)(j->executions.n - EXECUTIONS_MAX));
    }
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void put_execution(sl_automaton_report *j, sl_json *json, const sl_automaton_execution *e) {
    sl_json_object(json);
    sl_json_inline(json);
    sl_json_key(json, "verdict");
    sl_json_z(json, e->end.verdict);
    sl_json_key(json, "t");
    sl_json_number(json, e->end.t);
    if (e->end.cycle_length > 0) {
        sl_json_key(json, "cycle");
        sl_json_array(json);
        sl_json_int(json, e->end.cycle_first);
        sl_json_int(json, e->end.cycle_length);
        sl_json_end(json);
    }
    if (e->end.n_choice > 0) {
        sl_json_key(json, "derivatives");
        sl_json_int(json, e->end.n_choice);
    }
    sl_json_key(json, "end");
    sl_json_object(json);
    for (int32_t k = 0; k < j->columns.n; k++) {
        sl_json_key(json, j->columns.names[k]);
        sl_json_number(json, e->last[k]);
    }
    sl_json_end(json);
    sl_json_end(json);
}

static void put_ranges(sl_automaton_report *j, sl_json *json) {
    sl_json_key(json, "variables");
    sl_json_object(json);
    for (int32_t k = 0; k < j->columns.n; k++) {
        const sl_automaton_range *r = &j->ranges[k];
        sl_json_key(json, j->columns.names[k]);
        sl_json_inline(json);
        sl_json_object(json);
        sl_json_key(json, "min");
        sl_json_number(json, r->min);
        sl_json_key(json, "max");
        sl_json_number(json, r->max);
        sl_json_key(json, "end");
        sl_json_number(json, r->last);
        sl_json_end(json);
    }
    sl_json_end(json);
}

void sl_automaton_summary_json(sl_automaton_report *j, sl_json *json) {
    if (!j->ranges) {
        return;
    }
    sl_json_key(json, "time");
    sl_json_number(json, j->end.t);
    sl_json_key(json, "events");
    sl_json_int(json, j->end.n_event);
    sl_json_key(json, "executions");
    sl_json_array(json);
    for (int64_t k = 0; k < j->executions.n; k++) {
        put_execution(j, json, &j->executions.at[k]);
    }
    sl_json_end(json);
    put_ranges(j, json);
}
