/* SPDX-License-Identifier: MIT */
/* digest.c: filling a digest: items, cells, and words in four digits; see digest.h. Writing is in digest_write.c. */
#include "results/digest.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "base/number.h"
#include <sluice/units.h>

enum { DIGITS = 4, ROWS_MAX = 5 };

void sl_digest_init(sl_digest *d, sl_context *ctx, const sl_digest_head *head) {
    *d = (sl_digest){.ctx = ctx, .head = *head, .length = {1.0, "m"}, .rows_max = ROWS_MAX};
    sl_arena_init(&d->arena, ctx);
}

void sl_digest_fini(sl_digest *d) {
    if (d->ctx) {
        SL_ARRAY_FINI(d->ctx, &d->sizes);
        SL_ARRAY_FINI(d->ctx, &d->counts);
        SL_ARRAY_FINI(d->ctx, &d->items);
        SL_ARRAY_FINI(d->ctx, &d->cells);
        sl_arena_fini(&d->arena);
    }
    *d = (sl_digest){0};
}

static void note(sl_digest *d, bool fine) {
    d->status = fine ? d->status : SL_ERR_MEMORY;
}

/* ---- Words -------------------------------------------------------------------------------------- */

const char *sl_digest_format(sl_digest *d, const char *fmt, ...) {
    char text[1024];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    const char *copy = sl_arena_copy(&d->arena, sl_str_z(text));
    note(d, copy != NULL);
    return copy ? copy : "";
}

const char *sl_digest_digits(sl_digest *d, double x) {
    char text[SL_NUMBER_MAX] = "?";
    if (isfinite(x)) {
        sl_number_format_digits(x, DIGITS, text);
    }
    return sl_digest_format(d, "%s", text);
}

const char *sl_digest_display(sl_digest *d, double x, sl_display_unit shown) {
    return sl_digest_format(d, "%s%s%s", sl_digest_digits(d, x / shown.factor), *shown.name ? " " : "", shown.name);
}

const char *sl_digest_time(sl_digest *d, double t) {
    char text[64];
    if (d->head.clock != SL_DIGEST_HOURS) {
        return sl_digest_format(d, d->head.clock == SL_DIGEST_STEPS ? "t = %.9g" : "%.4g s", t);
    }
    sl_time_format(t, text, sizeof text);
    return sl_digest_format(d, "%s", text);
}

const char *sl_digest_when(sl_digest *d, double t) {
    bool moves = d->head.end > d->head.begin && !isnan(t);
    return moves ? sl_digest_format(d, " (%s)", sl_digest_time(d, t)) : "";
}

const char *sl_digest_where(sl_digest *d, const sl_digest_point *p) {
    if (!p->kind) {
        return "";
    }
    if (!isnan(p->chainage)) {
        return sl_digest_format(d, " in %s at %s", p->id, sl_digest_display(d, p->chainage, d->length));
    }
    return sl_digest_format(d, " %s %s", strcmp(p->kind, "node") == 0 ? "at" : "in", p->id);
}

/* ---- Items and cells ---------------------------------------------------------------------------- */

void sl_digest_size(sl_digest *d, const char *key, int64_t n, const char *noun) {
    sl_digest_cell c = {.key = key, .value = SL_DIGEST_WHOLE, .whole = n, .text = noun};
    note(d, SL_PUSH(d->ctx, &d->sizes, c));
}

void sl_digest_count(sl_digest *d, const char *key, int64_t n, const char *noun) {
    sl_digest_cell c = {.key = key, .value = SL_DIGEST_WHOLE, .whole = n, .text = noun};
    note(d, SL_PUSH(d->ctx, &d->counts, c));
}

static void add_item(sl_digest *d, sl_digest_item item) {
    item.first = d->cells.n;
    note(d, SL_PUSH(d->ctx, &d->items, item));
}

void sl_digest_record(sl_digest *d, sl_digest_section section, const char *key, const char *label) {
    add_item(d, (sl_digest_item){.section = section, .form = SL_DIGEST_RECORD, .key = key, .label = label});
}

void sl_digest_list(sl_digest *d, sl_digest_section section, const char *key, const char *label, const char *thing) {
    add_item(d,
             (sl_digest_item){.section = section, .form = SL_DIGEST_LIST, .key = key, .label = label, .thing = thing});
}

void sl_digest_lines(sl_digest *d, sl_digest_section section, const char *lines, size_t n) {
    add_item(d, (sl_digest_item){.section = section, .form = SL_DIGEST_LINES, .lines = lines, .n_line_byte = n});
}

static void add(sl_digest *d, sl_digest_cell cell) {
    bool fine = d->status == SL_OK && d->items.n > 0 && SL_PUSH(d->ctx, &d->cells, cell);
    note(d, fine);
    if (fine) {
        d->items.at[d->items.n - 1].n_cell++;
    }
}

void sl_digest_row(sl_digest *d, const char *name) {
    add(d, (sl_digest_cell){.key = name, .value = SL_DIGEST_ROW});
}

void sl_digest_more(sl_digest *d, int64_t n) {
    if (d->items.n > 0) {
        d->items.at[d->items.n - 1].n_more = n;
    }
}

void sl_digest_number(sl_digest *d, const char *key, double x, const char *words) {
    add(d, (sl_digest_cell){.key = key, .words = words, .value = SL_DIGEST_NUMBER, .number = x});
}

void sl_digest_whole(sl_digest *d, const char *key, int64_t x, const char *words) {
    add(d, (sl_digest_cell){.key = key, .words = words, .value = SL_DIGEST_WHOLE, .whole = x});
}

void sl_digest_text(sl_digest *d, const char *key, const char *text, const char *words) {
    add(d, (sl_digest_cell){.key = key, .words = words, .value = SL_DIGEST_TEXT, .text = text});
}

void sl_digest_bool(sl_digest *d, const char *key, bool x, const char *words) {
    add(d, (sl_digest_cell){.key = key, .words = words, .value = SL_DIGEST_BOOL, .whole = x});
}

void sl_digest_numbers(sl_digest *d, const char *key, const double *x, int32_t n, const char *words) {
    add(d, (sl_digest_cell){.key = key, .words = words, .value = SL_DIGEST_NUMBERS, .numbers = x, .whole = n});
}

void sl_digest_words(sl_digest *d, const char *words) {
    add(d, (sl_digest_cell){.words = words});
}

void sl_digest_group(sl_digest *d, const char *key) {
    add(d, (sl_digest_cell){.key = key, .value = SL_DIGEST_OPEN});
}

void sl_digest_group_end(sl_digest *d) {
    add(d, (sl_digest_cell){.value = SL_DIGEST_CLOSE});
}

void sl_digest_point_cell(sl_digest *d, const char *key, const sl_digest_point *p, const char *words) {
    sl_digest_point *copy = p && !isnan(p->value) ? sl_arena_alloc(&d->arena, sizeof *copy) : NULL;
    note(d, copy || !p || isnan(p->value));
    if (copy) {
        *copy = *p;
    }
    add(d, (sl_digest_cell){.key = key, .words = words, .value = SL_DIGEST_POINT, .point = copy});
}

/* ---- Extremes and limits ------------------------------------------------------------------------ */

static const char *point_words(sl_digest *d, const sl_digest_point *p, sl_display_unit shown) {
    return sl_digest_format(d, "%s%s%s", sl_digest_display(d, p->value, shown), sl_digest_where(d, p),
                            sl_digest_when(d, p->time));
}

void sl_digest_extreme(sl_digest *d, const char *key, const char *unit, const char *label, sl_display_unit shown,
                       const sl_digest_point *low, const sl_digest_point *high) {
    bool has_low = low && !isnan(low->value), has_high = high && !isnan(high->value);
    const char *words = has_low && has_high
                            ? sl_digest_format(d, "%s to %s", point_words(d, low, shown), point_words(d, high, shown))
                        : has_high ? sl_digest_format(d, "at most %s", point_words(d, high, shown))
                        : has_low  ? sl_digest_format(d, "at least %s", point_words(d, low, shown))
                                   : NULL;
    sl_digest_record(d, SL_DIGEST_EXTREMES, NULL, label);
    if (low) {
        sl_digest_point_cell(d, sl_digest_format(d, "%s_min_%s", key, unit), low, NULL);
    }
    if (high) {
        sl_digest_point_cell(d, sl_digest_format(d, "%s_max_%s", key, unit), high, NULL);
    }
    sl_digest_words(d, words);
}

void sl_digest_limit(sl_digest *d, const char *key, const char *what, double allowed, sl_display_unit shown, bool kept,
                     const sl_digest_point *worst) {
    const char *words =
        sl_digest_format(d, "%s: %s %s", kept ? "kept" : "BROKEN", what, sl_digest_display(d, allowed, shown));
    sl_digest_row(d, NULL);
    sl_digest_text(d, "limit", key, words);
    sl_digest_number(d, "allowed", allowed, NULL);
    sl_digest_bool(d, "kept", kept, NULL);
    sl_digest_number(d, "worst", worst->value,
                     isnan(worst->value) ? NULL : sl_digest_format(d, "worst %s", point_words(d, worst, shown)));
    sl_digest_number(d, "time_s", worst->time, NULL);
    if (worst->kind) {
        sl_digest_text(d, worst->kind, worst->id, NULL);
    }
    if (!isnan(worst->chainage)) {
        sl_digest_number(d, "chainage_m", worst->chainage, NULL);
    }
}

/* ---- Warnings ----------------------------------------------------------------------------------- */

/* All of one code and severity, of which i is the first. */
static void add_warning(sl_digest *d, const sl_diags *diags, int32_t i) {
    const sl_diag *first = sl_diags_at(diags, i), *last = first;
    int64_t n = 0;
    for (int32_t k = i; k < sl_diags_size(diags); k++) {
        const sl_diag *x = sl_diags_at(diags, k);
        if (x->code == first->code && x->severity == first->severity) {
            n++;
            last = x;
        }
    }
    const char *word = sl_code_word(first->code), *id = first->object_id ? first->object_id : "";
    const char *times = isnan(first->time)          ? ""
                        : first->time == last->time ? sl_digest_when(d, first->time)
                                                    : sl_digest_format(d, " (%s to %s)", sl_digest_time(d, first->time),
                                                                       sl_digest_time(d, last->time));
    sl_digest_row(d, NULL);
    sl_digest_text(d, "code", word, NULL);
    sl_digest_text(d, "severity", first->severity == SL_ERROR ? "error" : "warning", NULL);
    sl_digest_whole(d, "count", n, NULL);
    sl_digest_number(d, "first_s", first->time, NULL);
    sl_digest_number(d, "last_s", last->time, NULL);
    sl_digest_text(d, "id", first->object_id, NULL);
    sl_digest_text(d, "text", first->text, NULL);
    sl_digest_words(d, sl_digest_format(d, "%lld %s%s%s%s%s", (long long)n, word, *id ? ", first at " : "", id,
                                        first->severity == SL_ERROR ? ", an error" : "", times));
}

void sl_digest_warnings(sl_digest *d, const sl_diags *diags) {
    sl_digest_list(d, SL_DIGEST_WARNINGS, "warnings", "Warnings", "warning");
    for (int32_t i = 0; i < sl_diags_size(diags); i++) {
        const sl_diag *x = sl_diags_at(diags, i);
        bool fresh = x->severity != SL_INFO;
        for (int32_t k = 0; k < i && fresh; k++) {
            const sl_diag *y = sl_diags_at(diags, k);
            fresh = y->code != x->code || y->severity != x->severity;
        }
        if (fresh) {
            add_warning(d, diags, i);
        }
    }
    if (sl_diags_dropped(diags) > 0) {
        sl_digest_row(d, NULL);
        sl_digest_whole(d, "not_kept", sl_diags_dropped(diags),
                        sl_digest_format(d, "%lld messages more, not kept", (long long)sl_diags_dropped(diags)));
    }
}
