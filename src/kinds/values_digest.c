/* SPDX-License-Identifier: MIT */
/* values_digest.c: the digest of a kind that has no summary of its own; see values_summary.h. */
#include "kinds/values_summary.h"

#include <math.h>
#include <string.h>

#include "base/count_text.h"

enum { ROWS_MAX = 40 };

const char *sl_values_counted(const sl_values_summary *r) {
    const sl_kind *row = sl_model_row(r->def.model);
    return row && !r->lists_steps ? row->counted_event : NULL;
}

static sl_digest_clock clock_of(const sl_values_summary *r) {
    return strcmp(sl_session_time_unit(r->def.session), "steps") == 0 ? SL_DIGEST_STEPS : SL_DIGEST_SECONDS;
}

/* ---- Text of an execution ----------------------------------------------------------------------- */

/* When a value was reached is worth knowing of numbers that move, not of those that switch. */
static void put_value(const sl_values_summary *r, sl_out *out, const sl_values_column *c, double x, double t) {
    sl_out_printf(out, c->is_whole ? "%.0f" : "%.6g", x);
    if (!c->is_whole && c->min < c->max) {
        sl_out_printf(out, clock_of(r) == SL_DIGEST_STEPS ? " (t = %.9g)" : " (%.4g s)", t);
    }
}

/* Of an element with several quantities the unit is said, and nothing of a quantity that stands still. */
static void put_range(sl_values_summary *r, sl_out *out, const sl_values_column *c) {
    bool still = c->is_part && !(c->min < c->max);
    r->n_still += still;
    if (still) {
        return;
    }
    sl_out_printf(out, "  %s", c->name);
    if (c->is_part && c->unit[0]) {
        sl_out_printf(out, " [%s]", c->unit);
    }
    sl_out_pad(out, r->width > 16 ? r->width : 16, 2);
    put_value(r, out, c, c->min, c->time_of_min);
    sl_out_z(out, " to ");
    put_value(r, out, c, c->max, c->time_of_max);
    sl_out_printf(out, c->is_whole ? ", at the end %.0f\n" : ", at the end %.6g\n", c->last);
}

static void put_steps(const sl_values_summary *r, sl_out *out, const sl_ending *e) {
    sl_out_bytes(out, r->table.at, (size_t)r->table.n);
    if (r->n_column > SL_VALUES_COLUMNS_MAX) {
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

sl_status sl_values_add_text(sl_values_summary *r, const sl_ending *e) {
    char events[SL_PLURAL_MAX];
    const char *counted = sl_values_counted(r);
    sl_out out;
    sl_sink sink = sl_bytes_sink(&r->text);
    sl_out_init(&out, &sink);
    if (r->def.several) {
        sl_out_printf(&out, r->executions.n > 0 ? "%lld: " : "\n%lld: ", (long long)r->executions.n + 1);
        if (!r->lists_steps) {
            sl_out_printf(&out, "%.9g %s simulated, %s\n", r->row_time, sl_session_time_unit(r->session),
                          sl_plural(r->n_counted, counted ? counted : "event", NULL, events));
        }
    }
    if (r->lists_steps) {
        sl_out_printf(&out, r->def.several ? "%s\n\n" : "  Ending        %s\n\n", e->text);
        put_steps(r, &out, e);
        sl_out_char(&out, '\n');
    }
    r->n_still = 0;
    for (int64_t k = 0; k < r->n_column && !r->lists_steps; k++) {
        put_range(r, &out, &r->columns[k]);
    }
    if (r->def.several && !r->lists_steps) {
        sl_out_char(&out, '\n');
    }
    return sl_out_flush(&out);
}

/* ---- The digest --------------------------------------------------------------------------------- */

static void add_executions(sl_values_summary *r, sl_digest *d) {
    sl_digest_list(d, SL_DIGEST_SECTIONS, "executions", NULL, NULL);
    for (int64_t i = 0; i < r->executions.n; i++) {
        const sl_values_execution *e = &r->executions.at[i];
        sl_digest_row(d, NULL);
        sl_digest_text(d, "verdict", e->ending.verdict, NULL);
        sl_digest_number(d, "t", e->t, NULL);
        if (e->ending.cycle_length > 0) {
            double *cycle = sl_arena_alloc(&r->arena, 2 * sizeof *cycle);
            if (cycle) {
                cycle[0] = e->ending.cycle_first;
                cycle[1] = e->ending.cycle_length;
                sl_digest_numbers(d, "cycle", cycle, 2, NULL);
            }
        }
        if (e->ending.n_choice > 0) {
            sl_digest_whole(d, "derivatives", e->ending.n_choice, NULL);
        }
        sl_digest_group(d, "end");
        for (int64_t k = 0; k < r->n_column; k++) {
            sl_digest_number(d, r->columns[k].name, e->last[k], NULL);
        }
        sl_digest_group_end(d);
    }
}

static void add_ranges(sl_values_summary *r, sl_digest *d) {
    sl_digest_list(d, SL_DIGEST_EXTREMES, "variables", NULL, NULL);
    for (int64_t k = 0; k < r->n_column; k++) {
        const sl_values_column *c = &r->columns[k];
        sl_digest_row(d, c->name);
        sl_digest_number(d, "min", c->all_min, NULL);
        sl_digest_number(d, "max", c->all_max, NULL);
        sl_digest_number(d, "end", c->last, NULL);
        sl_digest_number(d, "time_min", c->time_of_all_min, NULL);
        sl_digest_number(d, "time_max", c->time_of_all_max, NULL);
    }
}

/* Lines of ranges, the first of them where not all are asked for. */
static void add_range_lines(sl_values_summary *r, int32_t rows, sl_digest *d) {
    const char *end = r->text.at, *line = end, *last = end + r->text.n, *more = "";
    int64_t n = 0;
    for (; line < last; n++) {
        line = (const char *)memchr(line, '\n', (size_t)(last - line)) + 1;
        end = n < SL_VALUES_RANGES_MAX || rows == INT32_MAX ? line : end;
    }
    if (end > r->text.at) {
        sl_digest_lines(d, SL_DIGEST_EXTREMES, r->text.at, (size_t)(end - r->text.at));
    }
    if (end < last) {
        more = sl_digest_format(d, "  ... and %lld more: --json has them\n", (long long)(n - SL_VALUES_RANGES_MAX));
        sl_digest_lines(d, SL_DIGEST_EXTREMES, more, strlen(more));
    }
    if (r->n_still > 0) {
        more = sl_digest_format(d, "  Unchanged     %lld values: --json has them\n", (long long)r->n_still);
        sl_digest_lines(d, SL_DIGEST_EXTREMES, more, strlen(more));
    }
}

/* The first executions in words; of a single one, its lines alone. */
static void add_lines(sl_values_summary *r, int32_t rows, sl_digest *d) {
    if (!r->lists_steps && !r->def.several) {
        add_range_lines(r, rows, d);
        return;
    }
    sl_digest_lines(d, SL_DIGEST_SECTIONS, r->text.at, (size_t)r->text.n);
    if (r->executions.n > SL_VALUES_EXECUTIONS_MAX) {
        const char *more = sl_digest_format(d, "... and %lld more: -o FILE.csv writes them\n",
                                            (long long)(r->executions.n - SL_VALUES_EXECUTIONS_MAX));
        sl_digest_lines(d, SL_DIGEST_SECTIONS, more, strlen(more));
    }
}

/* "20 crossings" beside what was simulated; executions where there are several. */
static void add_counts(sl_values_summary *r, sl_digest *d) {
    const char *counted = sl_values_counted(r);
    const char *key = counted ? sl_digest_format(d, "%ss", counted) : "events_counted";
    bool steps = r->lists_steps;
    sl_digest_count(d, "steps", r->n_step, NULL);
    if (r->def.several) {
        sl_digest_count(d, "n_executions", r->executions.n, "execution");
    } else if (counted || !steps) {
        sl_digest_count(d, key, r->n_counted, counted ? counted : "event");
    }
}

sl_status sl_values_digest(void *report, int32_t rows, sl_digest *d) {
    sl_values_summary *r = report;
    sl_digest_head head = {.model = r->def.name,
                           .engine = sl_model_engine(r->def.model),
                           .clock = clock_of(r),
                           .begin = r->begin,
                           .end = r->row_time,
                           .several = r->def.several,
                           .until = r->lists_steps || r->def.several ? (double)INFINITY : sl_session_end(r->session),
                           .complete = r->complete,
                           .has_results = r->text.n > 0 || r->n_still > 0,
                           .n_frame = r->n_frame};
    sl_digest_init(d, r->def.ctx, &head);
    sl_digest_size(d, "variables", r->n_column, "variable");
    add_counts(r, d);
    add_ranges(r, d);
    add_lines(r, rows, d);
    if (r->lists_steps || r->def.several) {
        add_executions(r, d);
    }
    sl_digest_put_events(d, &r->events);
    return d->status;
}
