/* SPDX-License-Identifier: MIT */
/* digest_write.c: a digest as text and as JSON; see digest.h. */
#include "results/digest.h"

#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include <sluice/units.h>

enum { LABEL = 16, TITLE = 60 };

/* ---- Text --------------------------------------------------------------------------------------- */

static void put_label(sl_out *out, const char *label) {
    sl_out_printf(out, "  %s", label);
    sl_out_pad(out, LABEL, 2);
}

/* "24:00", "60 s", "7 steps". */
static void put_span(const sl_digest *d, sl_out *out, double t) {
    char text[SL_PLURAL_MAX];
    if (d->head.clock == SL_DIGEST_HOURS) {
        sl_time_format(t, text, sizeof text);
        sl_out_z(out, text);
    } else if (d->head.clock == SL_DIGEST_STEPS) {
        sl_out_z(out, sl_plural((int64_t)t, "step", NULL, text));
    } else {
        sl_out_printf(out, "%.9g s", t);
    }
}

/* How far it came. */
static void put_reached(const sl_digest *d, sl_out *out) {
    const sl_digest_head *h = &d->head;
    if (!h->complete && isfinite(h->until)) {
        sl_out_z(out, "STOPPED at ");
        put_span(d, out, h->end);
        sl_out_z(out, " of ");
        put_span(d, out, h->until);
    } else if (!(h->end > h->begin) && h->clock == SL_DIGEST_HOURS) {
        sl_out_z(out, "one moment simulated");
    } else {
        put_span(d, out, h->end);
        sl_out_z(out, " simulated");
    }
}

static void put_head(const sl_digest *d, sl_out *out) {
    char text[SL_PLURAL_MAX];
    const char *comma = d->head.several ? "" : ", ";
    sl_out_printf(out, "%s: ", d->head.model);
    if (!d->head.several) {
        put_reached(d, out);
    }
    for (int64_t i = 0; i < d->counts.n; i++) {
        const sl_digest_cell *c = &d->counts.at[i];
        if (c->text && c->whole > 0) {
            bool steps = strcmp(c->text, "step") == 0;
            sl_out_printf(out, "%s%s", steps ? " in " : comma, sl_plural(c->whole, c->text, NULL, text));
        }
    }
    sl_out_char(out, '\n');
}

/* The first line of a title, cut between words; what would disturb a terminal is left out. */
static void put_title(sl_out *out, const char *title) {
    size_t n = strcspn(title, "\n"), shown = n;
    for (; shown > TITLE || (shown < n && shown > 0 && title[shown] != ' ');) {
        shown--;
    }
    shown = shown == 0 ? n : shown;
    for (size_t i = 0; i < shown; i++) {
        bool plain = (unsigned char)title[i] >= ' ' && title[i] != 127;
        sl_out_char(out, plain ? title[i] : ' ');
    }
    sl_out_z(out, shown < n ? " ..." : "");
}

/* The first line of the title; engine and sizes. */
static void put_model(const sl_digest *d, sl_out *out) {
    char text[SL_PLURAL_MAX];
    const char *title = d->head.title ? d->head.title : "", *sep = "";
    put_label(out, "Model");
    if (*title) {
        put_title(out, title);
        sep = "; ";
    }
    sl_out_printf(out, "%s%s", sep, d->head.engine ? d->head.engine : "");
    for (int64_t i = 0; i < d->sizes.n; i++) {
        const sl_digest_cell *c = &d->sizes.at[i];
        if (c->text && c->whole > 0) {
            sl_out_printf(out, ", %s", sl_plural(c->whole, c->text, NULL, text));
        }
    }
    sl_out_char(out, '\n');
}

static bool has_words(const sl_digest_cell *c, int64_t n) {
    for (int64_t i = 0; i < n && c[i].value != SL_DIGEST_ROW; i++) {
        if (c[i].words) {
            return true;
        }
    }
    return false;
}

/* Words of a row, joined; those after a line end are put below the first ones. */
static void put_words(sl_out *out, const char *label, const sl_digest_cell *c, int64_t n) {
    bool any = false;
    put_label(out, label);
    for (int64_t i = 0; i < n && c[i].value != SL_DIGEST_ROW; i++) {
        const char *words = c[i].words;
        if (!words) {
            continue;
        }
        if (*words == '\n') {
            sl_out_z(out, any ? ";\n" : "\n");
            put_label(out, "");
            words++;
        } else if (any && *words != ';') {
            sl_out_z(out, ", ");
        }
        sl_out_z(out, words);
        any = true;
    }
    sl_out_char(out, '\n');
}

static void put_list(const sl_digest *d, sl_out *out, const sl_digest_item *item) {
    const sl_digest_cell *c = d->cells.at + item->first;
    int64_t n = 0;
    for (int64_t i = 0; i < item->n_cell; i++) {
        if (c[i].value != SL_DIGEST_ROW || !has_words(c + i + 1, item->n_cell - i - 1)) {
            continue;
        }
        n++;
        if (n <= d->rows_max) {
            put_words(out, n == 1 ? item->label : "", c + i + 1, item->n_cell - i - 1);
        }
    }
    n += item->n_more;
    if (n > d->rows_max) {
        put_label(out, "");
        sl_out_printf(out, "and %lld more %s%s (all of them: --json)\n", (long long)(n - d->rows_max), item->thing,
                      n - d->rows_max == 1 ? "" : "s");
    }
}

static void put_item(const sl_digest *d, sl_out *out, const sl_digest_item *item) {
    const sl_digest_cell *c = d->cells.at + item->first;
    if (item->form == SL_DIGEST_LINES) {
        sl_out_bytes(out, item->lines, item->n_line_byte);
    } else if (item->label && item->form == SL_DIGEST_LIST) {
        put_list(d, out, item);
    } else if (item->label && has_words(c, item->n_cell)) {
        put_words(out, item->label, c, item->n_cell);
    }
}

sl_status sl_digest_write_text(const sl_digest *d, sl_out *out) {
    if (!d->head.has_results) {
        sl_out_printf(out, "%s: no results\n", d->head.model);
        return d->status;
    }
    put_head(d, out);
    sl_out_char(out, '\n');
    put_model(d, out);
    for (int s = 0; s < SL_DIGEST_SECTION_COUNT; s++) {
        for (int64_t i = 0; i < d->items.n; i++) {
            if ((int)d->items.at[i].section == s) {
                put_item(d, out, &d->items.at[i]);
            }
        }
    }
    return d->status == SL_OK ? out->status : d->status;
}

/* ---- JSON --------------------------------------------------------------------------------------- */

/* "end_s" or "end_steps". */
static void time_member(const sl_digest *d, sl_json *json, const char *name, double t) {
    char key[32];
    (void)sl_format(key, sizeof key, "%s_%s", name, d->head.clock == SL_DIGEST_STEPS ? "steps" : "s");
    sl_json_member_number(json, key, t);
}

/* {"value": x, "node": "J1", "time_s": 3600}, or null. */
static void put_point(const sl_digest *d, sl_json *json, const sl_digest_point *p) {
    if (!p) {
        sl_json_null(json);
        return;
    }
    sl_json_inline(json);
    sl_json_object(json);
    sl_json_member_number(json, "value", p->value);
    if (p->kind) {
        sl_json_member_z(json, p->kind, p->id);
    }
    if (p->kind && !isnan(p->chainage)) {
        sl_json_member_number(json, "chainage_m", p->chainage);
    }
    time_member(d, json, "time", p->time);
    sl_json_end(json);
}

static void put_numbers(sl_json *json, const double *x, int64_t n) {
    sl_json_inline(json);
    sl_json_array(json);
    for (int64_t i = 0; i < n; i++) {
        sl_json_number(json, x[i]);
    }
    sl_json_end(json);
}

static void put_cell(const sl_digest *d, sl_json *json, const sl_digest_cell *c) {
    if (c->value == SL_DIGEST_CLOSE) {
        sl_json_end(json);
        return;
    }
    if (c->value == SL_DIGEST_NONE || !c->key) {
        return;
    }
    sl_json_key(json, c->key);
    switch (c->value) {
    case SL_DIGEST_NUMBER: sl_json_number(json, c->number); break;
    case SL_DIGEST_WHOLE: sl_json_int(json, c->whole); break;
    case SL_DIGEST_TEXT: sl_json_z(json, c->text); break;
    case SL_DIGEST_BOOL: sl_json_bool(json, c->whole != 0); break;
    case SL_DIGEST_NUMBERS: put_numbers(json, c->numbers, c->whole); break;
    case SL_DIGEST_POINT: put_point(d, json, c->point); break;
    case SL_DIGEST_OPEN: sl_json_object(json); break;
    case SL_DIGEST_NONE:
    case SL_DIGEST_CLOSE:
    case SL_DIGEST_ROW: break;
    }
}

/* Rows with names are members of an object. */
static void put_rows(const sl_digest *d, sl_json *json, const sl_digest_item *item) {
    const sl_digest_cell *c = d->cells.at + item->first;
    bool named = item->n_cell > 0 && c[0].key, open = false;
    sl_json_key(json, item->key);
    if (named) {
        sl_json_object(json);
    } else {
        sl_json_array(json);
    }
    for (int64_t i = 0; i < item->n_cell; i++) {
        if (c[i].value != SL_DIGEST_ROW) {
            put_cell(d, json, &c[i]);
            continue;
        }
        if (open) {
            sl_json_end(json);
        }
        if (named) {
            sl_json_key(json, c[i].key);
            sl_json_inline(json);
            sl_json_object(json);
        } else {
            sl_json_object(json);
            sl_json_inline(json);
        }
        open = true;
    }
    if (open) {
        sl_json_end(json);
    }
    sl_json_end(json);
}

static void put_member(const sl_digest *d, sl_json *json, const sl_digest_item *item) {
    if (item->form == SL_DIGEST_LIST && item->key) {
        put_rows(d, json, item);
    } else if (item->form == SL_DIGEST_RECORD) {
        if (item->key) {
            sl_json_key(json, item->key);
            sl_json_object(json);
        }
        for (int64_t i = 0; i < item->n_cell; i++) {
            put_cell(d, json, &d->cells.at[item->first + i]);
        }
        if (item->key) {
            sl_json_end(json);
        }
    }
}

static void put_whole_numbers(sl_json *json, const sl_digest_cell *c, int64_t n) {
    for (int64_t i = 0; i < n; i++) {
        sl_json_member_int(json, c[i].key, c[i].whole);
    }
}

sl_status sl_digest_write_json(const sl_digest *d, sl_json *json) {
    const sl_digest_head *h = &d->head;
    sl_json_object(json);
    sl_json_member_z(json, "model", h->model);
    sl_json_member_z(json, "title", h->title ? h->title : "");
    sl_json_member_z(json, "engine", h->engine);
    sl_json_key(json, "sizes");
    sl_json_object(json);
    put_whole_numbers(json, d->sizes.at, d->sizes.n);
    sl_json_end(json);
    sl_json_member_bool(json, "complete", h->complete);
    time_member(d, json, "begin", h->begin);
    time_member(d, json, "end", h->end);
    time_member(d, json, "until", h->until);
    if (h->n_frame >= 0) {
        sl_json_member_int(json, "report_times", h->n_frame);
    }
    put_whole_numbers(json, d->counts.at, d->counts.n);
    for (int s = 0; s < SL_DIGEST_SECTION_COUNT; s++) {
        for (int64_t i = 0; i < d->items.n; i++) {
            if ((int)d->items.at[i].section == s) {
                put_member(d, json, &d->items.at[i]);
            }
        }
    }
    sl_json_end(json);
    return d->status == SL_OK ? json->out->status : d->status;
}
