/* SPDX-License-Identifier: MIT */
/* diag_render.c: diagnostics as text for people and as JSON lines.
 *
 * The caret must stand under the offending character in any terminal. So the padding above it is made from
 * the source line itself: a tab stays a tab, a wide character gives two blanks, a combining one none.
 * Characters that would act on the terminal are replaced by visible ones of one cell.
 */
#include <sluice/diag.h>

#include <math.h>

#include "base/out.h"
#include "base/utf8.h"
#include <sluice/units.h>

enum {
    SHOWN = 100,     /* characters of a source line shown at most */
    SHOWN_AFTER = 40 /* of those, kept for what follows the column */
};

typedef struct painter {
    sl_out *out;
    bool colour;
} painter;

static const char *const severity_word[] = {"info", "warning", "error"};

static void paint(painter *p, const char *escape) {
    if (p->colour) {
        sl_out_z(p->out, escape);
    }
}

#define PAINT_BOLD "\033[1m"
#define PAINT_BLUE "\033[1;34m"
#define PAINT_CARET "\033[1;32m"
#define PAINT_OFF "\033[0m"

static const char *const severity_paint[] = {"\033[1;36m", "\033[1;35m", "\033[1;31m"};

/* ---- Safe text ---------------------------------------------------------------------------------- */

static uint32_t next_char(sl_str *s) {
    uint32_t c;
    size_t n = sl_utf8_decode(*s, &c);
    s->ptr += n;
    s->len -= n;
    return c;
}

/* What is shown for a character: itself, the picture of a control character, or the replacement mark. */
static uint32_t shown(uint32_t c) {
    if (!sl_utf8_unsafe(c)) {
        return c;
    }
    return c < 0x20 ? 0x2400 + c : c == 0x7F ? 0x2421 : 0xFFFD;
}

static void put_char(sl_out *out, uint32_t c) {
    char u[4];
    sl_out_bytes(out, u, sl_utf8_encode(c, u));
}

static void put_safe(sl_out *out, const char *z) {
    for (sl_str s = sl_str_z(z); s.len;) {
        put_char(out, shown(next_char(&s)));
    }
}

/* An id of any length is no line of any length. */
static void put_id(sl_out *out, const char *z) {
    sl_str s = sl_str_z(z);
    for (int n = 0; s.len && n < SHOWN; n++) {
        put_char(out, shown(next_char(&s)));
    }
    sl_out_z(out, s.len ? "..." : "");
}

/* ---- The source line and its caret -------------------------------------------------------------- */

/* The characters [first, last) of a line that are shown, from 0. */
typedef struct window {
    size_t first, last, n;
} window;

static window choose_window(sl_str source, size_t column) {
    window w = {0, 0, sl_utf8_count(source)};
    w.last = w.n;
    if (w.n > SHOWN) {
        size_t end = column + SHOWN_AFTER;
        if (end < SHOWN) {
            end = SHOWN;
        }
        w.last = end < w.n ? end : w.n;
        w.first = w.last - SHOWN;
    }
    return w;
}

static void put_source(sl_out *out, sl_str source, window w) {
    if (w.first > 0) {
        sl_out_z(out, "...");
    }
    for (size_t i = 0; source.len && i < w.last; i++) {
        uint32_t c = next_char(&source);
        if (i >= w.first) {
            put_char(out, c == '\t' ? c : shown(c));
        }
    }
    if (w.last < w.n) {
        sl_out_z(out, "...");
    }
}

/* Blanks (and tabs) up to column, then the mark under length characters; column from 0. */
static void put_caret(painter *p, sl_str source, window w, size_t column, size_t length) {
    sl_out *out = p->out;
    if (w.first > 0) {
        sl_out_z(out, "   ");
    }
    size_t i = 0;
    for (; source.len && i < column; i++) {
        uint32_t c = next_char(&source);
        if (i < w.first) {
            continue;
        }
        if (c == '\t') {
            sl_out_char(out, '\t');
        } else {
            for (int k = sl_utf8_width(shown(c)); k > 0; k--) {
                sl_out_char(out, ' ');
            }
        }
    }
    paint(p, PAINT_CARET);
    int cells = 0;
    for (; source.len && i < w.last && i < column + length; i++) {
        uint32_t c = next_char(&source);
        cells += c == '\t' ? 1 : sl_utf8_width(shown(c));
    }
    sl_out_char(out, '^');
    for (; cells > 1; cells--) {
        sl_out_char(out, '~');
    }
    paint(p, PAINT_OFF);
}

static void put_gutter(painter *p, uint32_t line, const char *mark) {
    paint(p, PAINT_BLUE);
    if (line) {
        sl_out_printf(p->out, "%4u %s", (unsigned)line, mark);
    } else {
        sl_out_printf(p->out, "     %s", mark);
    }
    paint(p, PAINT_OFF);
    sl_out_char(p->out, ' ');
}

static void put_excerpt(painter *p, const sl_diag *d) {
    sl_str source = sl_str_z(d->source);
    size_t column = d->source_column ? d->source_column - 1 : 0;
    window w = choose_window(source, column);
    put_gutter(p, d->line, "|");
    put_source(p->out, source, w);
    sl_out_char(p->out, '\n');
    if (d->source_column && column <= w.n) {
        /* A line number of more than four digits moves the bar; the caret's bar moves with it. */
        for (uint32_t k = d->line / 10000; k; k /= 10) {
            sl_out_char(p->out, ' ');
        }
        put_gutter(p, 0, "|");
        put_caret(p, source, w, column, d->length);
        sl_out_char(p->out, '\n');
    }
}

/* ---- Text --------------------------------------------------------------------------------------- */

static void put_location(sl_out *out, const sl_diag *d) {
    if (d->file) {
        put_safe(out, d->file);
        if (d->line) {
            sl_out_printf(out, ":%u", (unsigned)d->line);
        }
    } else if (d->line) {
        sl_out_printf(out, "line %u", (unsigned)d->line);
    }
    if (d->line && d->column) {
        sl_out_printf(out, ":%u", (unsigned)d->column);
    }
    if (d->file || d->line) {
        sl_out_z(out, ": ");
    }
}

static void put_headline(painter *p, const sl_diag *d) {
    sl_out *out = p->out;
    paint(p, PAINT_BOLD);
    put_location(out, d);
    paint(p, PAINT_OFF);
    paint(p, severity_paint[d->severity]);
    sl_out_z(out, severity_word[d->severity]);
    sl_out_char(out, ':');
    paint(p, PAINT_OFF);
    sl_out_char(out, ' ');
    if (d->object_kind) {
        put_safe(out, d->object_kind);
    }
    if (d->object_id) {
        if (d->object_kind) {
            sl_out_char(out, ' ');
        }
        put_id(out, d->object_id);
    }
    if (d->object_kind || d->object_id) {
        sl_out_z(out, ": ");
    }
    put_safe(out, d->text ? d->text : sl_code_meaning(d->code));
    if (isfinite(d->time)) {
        char time[64];
        sl_time_format(d->time, time, sizeof time);
        sl_out_printf(out, " (at %s)", time);
    }
    if (d->code != SL_CODE_NONE) {
        sl_out_printf(out, " [%s]", sl_code_word(d->code));
    }
    sl_out_char(out, '\n');
}

static void put_record(painter *p, const sl_diag *d) {
    put_headline(p, d);
    if (d->source && d->line) {
        put_excerpt(p, d);
    }
    if (d->hint) {
        for (uint32_t k = d->source ? d->line / 10000 : 0; k; k /= 10) {
            sl_out_char(p->out, ' ');
        }
        put_gutter(p, 0, "=");
        put_safe(p->out, d->hint);
        sl_out_char(p->out, '\n');
    }
}

sl_status sl_diags_render_text(const sl_diags *diags, const sl_sink *sink, bool colour) {
    if (!sink) {
        return SL_ERR_USE;
    }
    sl_out out;
    sl_out_init(&out, sink);
    painter p = {&out, colour};
    int32_t n = sl_diags_size(diags);
    for (int32_t i = 0; i < n && out.status == SL_OK; i++) {
        put_record(&p, sl_diags_at(diags, i));
    }
    int64_t dropped = sl_diags_dropped(diags);
    if (dropped > 0) {
        sl_out_printf(&out, "%lld more not shown\n", (long long)dropped);
    }
    return sl_out_flush(&out);
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void json_text(sl_json *json, const char *key, const char *z) {
    if (z) {
        sl_json_key(json, key);
        sl_json_z(json, z);
    }
}

static void json_count(sl_json *json, const char *key, uint32_t n) {
    if (n) {
        sl_json_key(json, key);
        sl_json_int(json, n);
    }
}

static void json_record(sl_json *json, const sl_diag *d) {
    sl_json_object(json);
    json_text(json, "severity", severity_word[d->severity]);
    json_text(json, "code", sl_code_word(d->code));
    json_text(json, "text", d->text);
    json_text(json, "hint", d->hint);
    if (d->object_kind || d->object_id) {
        sl_json_key(json, "object");
        sl_json_object(json);
        json_text(json, "kind", d->object_kind);
        json_text(json, "id", d->object_id);
        sl_json_end(json);
    }
    json_text(json, "file", d->file);
    json_count(json, "line", d->line);
    json_count(json, "column", d->column);
    json_count(json, "length", d->length);
    json_text(json, "source", d->source);
    if (d->source && d->source_column != d->column) {
        json_count(json, "source_column", d->source_column);
    }
    if (isfinite(d->time)) {
        sl_json_key(json, "time");
        sl_json_number(json, d->time);
    }
    sl_json_end(json);
}

sl_status sl_diags_render_json(const sl_diags *diags, const sl_sink *sink) {
    if (!sink) {
        return SL_ERR_USE;
    }
    sl_out out;
    sl_out_init(&out, sink);
    int32_t n = sl_diags_size(diags);
    for (int32_t i = 0; i < n && out.status == SL_OK; i++) {
        sl_json json;
        sl_json_init(&json, &out, 0);
        json_record(&json, sl_diags_at(diags, i));
        sl_out_char(&out, '\n');
    }
    return sl_out_flush(&out);
}
