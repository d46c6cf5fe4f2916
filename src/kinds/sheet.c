/* SPDX-License-Identifier: MIT */
/* sheet.c: the four forms of a page; see sheet.h. */
#include "kinds/sheet.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/markup.h"
#include "base/number.h"
#include "session/session.h"

enum { DIGITS = 7, VALUE_COLUMN = 34, SI_COLUMN = 54, KEY_MAX = 96, TEXT_MAX = 1024 };

/* ---- Opening and closing ------------------------------------------------------------------------ */

static bool is_text(const sl_sheet *p) {
    return p->form == SL_PAGE_TEXT;
}

static void json_text(sl_sheet *p, const char *key, const char *text) {
    sl_json_key(&p->json, key);
    sl_json_z(&p->json, text);
}

static void json_value(sl_sheet *p, const char *key, double x, const char *unit);

sl_status sl_sheet_open(sl_sheet *p, sl_context *ctx, sl_page_form form, const sl_sink *sink, const char *name,
                        const char *kind, const char *what) {
    *p = (sl_sheet){.ctx = ctx, .form = form, .out = sl_alloc(ctx, sizeof *p->out)};
    if (!p->out) {
        return p->status = SL_ERR_MEMORY;
    }
    sl_out_init(p->out, sink);
    switch (form) {
    case SL_PAGE_HTML: sl_out_html_open(p->out, name, what); break;
    case SL_PAGE_TEX: sl_out_tex_open(p->out, name, what); break;
    case SL_PAGE_JSON:
        sl_json_init(&p->json, p->out, 2);
        sl_json_object(&p->json);
        json_text(p, "format", "sluice explain 1");
        json_text(p, "model", name);
        json_text(p, "kind", kind);
        json_text(p, "what", what);
        break;
    case SL_PAGE_TEXT:
    default: sl_out_printf(p->out, "%s: %s\n", name, what); break;
    }
    return SL_OK;
}

sl_status sl_sheet_begin(sl_sheet *p, const sl_kind *kind, const sl_load *load, const sl_page_def *def,
                         sl_session *session, bool clock, const sl_display_units *shown, const sl_sink *sink) {
    char what[256], when[SL_WHEN_MAX];
    (void)sl_format(what, sizeof what, "%.100s%s", kind->noun, sl_sheet_when(def, session, clock, when));
    sl_status status = sl_sheet_open(p, load->ctx, def->form, sink, load->source->name, kind->name, what);
    p->session = session;
    p->shown = shown;
    if (status == SL_OK && session && def->form == SL_PAGE_JSON) { /* people have it in the line below the name */
        json_value(p, "time", sl_session_time(session), "s");
    }
    return status;
}

/* The table of a section begins with its first row. */
static void open_rows(sl_sheet *p) {
    if (!p->in_rows && p->form == SL_PAGE_HTML) {
        sl_out_z(p->out, "<div><table>\n");
    } else if (!p->in_rows && p->form == SL_PAGE_TEX) {
        sl_out_z(p->out, "\\begin{description}\n");
    }
    p->in_rows = true;
}

static void end_section(sl_sheet *p) {
    if (p->in_rows && p->form == SL_PAGE_HTML) {
        sl_out_z(p->out, "</table></div>\n");
    } else if (p->in_rows && p->form == SL_PAGE_TEX) {
        sl_out_z(p->out, "\\end{description}\n");
    }
    if (p->in_section && p->form == SL_PAGE_HTML) {
        sl_out_z(p->out, "</section>\n");
    } else if (p->in_section && p->form == SL_PAGE_JSON) {
        sl_json_end(&p->json);
    }
    p->in_section = p->in_rows = false;
}

static void end_element(sl_sheet *p) {
    end_section(p);
    if (p->in_element && p->form == SL_PAGE_JSON) {
        sl_json_end(&p->json);
    }
    p->in_element = false;
}

sl_status sl_sheet_close(sl_sheet *p) {
    if (!p->out) {
        return p->status;
    }
    end_element(p);
    if (p->form == SL_PAGE_HTML) {
        sl_out_z(p->out, "</body>\n</html>\n");
    } else if (p->form == SL_PAGE_TEX) {
        sl_out_z(p->out, "\\end{document}\n");
    } else if (p->form == SL_PAGE_JSON) {
        if (p->in_elements) {
            sl_json_end(&p->json);
        }
        sl_json_end(&p->json);
        sl_out_char(p->out, '\n');
    }
    sl_status status = sl_out_flush(p->out);
    sl_exprs_destroy(p->g);
    sl_diags_destroy(p->diags);
    sl_free(p->ctx, p->out, sizeof *p->out);
    return p->status != SL_OK ? p->status : status;
}

/* ---- Elements and sections ---------------------------------------------------------------------- */

static void heading(sl_sheet *p, int level, const char *text) {
    switch (p->form) {
    case SL_PAGE_HTML:
        sl_out_printf(p->out, "<h%d>", level);
        sl_out_html(p->out, text);
        sl_out_printf(p->out, "</h%d>\n", level);
        break;
    case SL_PAGE_TEX:
        sl_out_printf(p->out, "\n\\%ssection*{", level == 2 ? "sub" : "subsub");
        sl_out_tex(p->out, text);
        sl_out_z(p->out, "}\n");
        break;
    case SL_PAGE_TEXT: sl_out_printf(p->out, "\n%s%s\n", level == 2 ? "" : "  ", text); break;
    default: break;
    }
}

void sl_sheet_element(sl_sheet *p, const char *of, const char *id, const char *is, const char *words) {
    end_element(p);
    if (p->form == SL_PAGE_JSON) {
        if (!p->in_elements) {
            sl_json_key(&p->json, "elements");
            sl_json_array(&p->json);
        }
        sl_json_object(&p->json);
        json_text(p, "class", of);
        json_text(p, "id", id);
        json_text(p, "kind", is);
        json_text(p, "what", words);
    } else {
        heading(p, 2, words);
    }
    p->in_elements = p->in_element = true;
}

void sl_sheet_section(sl_sheet *p, const char *key, const char *title) {
    end_section(p);
    if (p->form == SL_PAGE_JSON) {
        sl_json_key(&p->json, key);
        sl_json_object(&p->json);
    } else {
        sl_out_z(p->out, p->form == SL_PAGE_HTML ? "<section>\n" : "");
        heading(p, p->in_element ? 3 : 2, title);
    }
    p->in_section = true;
}

/* ---- Rows --------------------------------------------------------------------------------------- */

static void begin_row(sl_sheet *p, const char *label) {
    open_rows(p);
    switch (p->form) {
    case SL_PAGE_HTML:
        sl_out_z(p->out, "<tr><th>");
        sl_out_html(p->out, label);
        sl_out_z(p->out, "</th>");
        break;
    case SL_PAGE_TEX:
        sl_out_z(p->out, "\\item[{");
        sl_out_tex(p->out, label);
        sl_out_z(p->out, "}] ");
        break;
    default:
        sl_out_printf(p->out, "%s%s", p->in_element ? "    " : "  ", label);
        sl_out_pad(p->out, VALUE_COLUMN, 2);
        break;
    }
}

/* A cell of a row; the second one is the same in SI. */
static void cell(sl_sheet *p, int column, const char *text) {
    switch (p->form) {
    case SL_PAGE_HTML:
        sl_out_z(p->out, "<td>");
        sl_out_html(p->out, text);
        sl_out_z(p->out, "</td>");
        break;
    case SL_PAGE_TEX:
        sl_out_z(p->out, column > 0 ? " (" : "");
        sl_out_tex(p->out, text);
        sl_out_z(p->out, column > 0 ? ")" : "");
        break;
    default:
        if (column > 0) {
            sl_out_pad(p->out, SI_COLUMN, 2);
        }
        sl_out_z(p->out, text);
        break;
    }
}

static void end_row(sl_sheet *p) {
    sl_out_z(p->out, p->form == SL_PAGE_HTML ? "</tr>\n" : "\n");
}

static void text_row(sl_sheet *p, const char *label, const char *text) {
    begin_row(p, label);
    cell(p, 0, text);
    end_row(p);
}

void sl_sheet_words(sl_sheet *p, const char *key, const char *label, const char *fmt, ...) {
    char text[TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    if (p->form == SL_PAGE_JSON) {
        json_text(p, key, text);
    } else {
        text_row(p, label, text);
    }
}

void sl_sheet_count(sl_sheet *p, const char *key, const char *label, int64_t n) {
    char text[32];
    if (p->form == SL_PAGE_JSON) {
        sl_json_key(&p->json, key);
        sl_json_int(&p->json, n);
    } else {
        (void)sl_format(text, sizeof text, "%lld", (long long)n);
        text_row(p, label, text);
    }
}

static bool is_plain(const char *unit) {
    return !unit[0] || strcmp(unit, "1") == 0;
}

/* "flow" and "m3/s": "flow_m3_per_s" */
static void json_value(sl_sheet *p, const char *key, double x, const char *unit) {
    char name[KEY_MAX];
    size_t n = (size_t)sl_format(name, sizeof name, "%.40s%s", key, is_plain(unit) ? "" : "_");
    for (const char *c = is_plain(unit) ? "" : unit; *c && n < sizeof name - 6; c++) {
        if (*c == '/') {
            memcpy(name + n, "_per_", 5);
            n += 5;
        } else if (isalnum((unsigned char)*c) || *c == ' ') {
            name[n++] = *c == ' ' ? '_' : *c;
        } else if (*c == '%') {
            memcpy(name + n, "pct", 3);
            n += 3;
        }
    }
    name[n] = '\0';
    sl_json_key(&p->json, name);
    sl_json_number(&p->json, x);
}

static void number_text(double x, const char *unit, char text[KEY_MAX]) {
    char number[SL_NUMBER_MAX];
    if (isfinite(x)) {
        (void)sl_number_format_digits(x, DIGITS, number);
    }
    (void)sl_format(text, KEY_MAX, "%s%s%.32s", isfinite(x) ? number : "none", is_plain(unit) ? "" : " ",
                    is_plain(unit) ? "" : unit);
}

static void value_row(sl_sheet *p, const char *label, double x, const char *unit, sl_display_unit shown) {
    char text[KEY_MAX];
    number_text(x / shown.factor, shown.name, text);
    begin_row(p, label);
    cell(p, 0, text);
    if (strcmp(shown.name, unit) != 0 && isfinite(x)) {
        number_text(x, unit, text);
        cell(p, 1, text);
    }
    end_row(p);
}

void sl_sheet_value(sl_sheet *p, const char *key, const char *label, double x, const char *unit,
                    sl_display_unit shown) {
    if (p->form == SL_PAGE_JSON) {
        json_value(p, key, x, unit);
    } else {
        value_row(p, label, x, unit, shown);
    }
}

static sl_display_unit unit_of_people(const sl_sheet *p, const char *unit, bool is_pressure) {
    return p->shown ? sl_display_unit_of(p->shown, unit, is_pressure) : (sl_display_unit){1.0, unit};
}

void sl_sheet_quantity(sl_sheet *p, const char *key, const char *label, double x, const char *unit) {
    sl_sheet_value(p, key, label, x, unit, unit_of_people(p, unit, false));
}

void sl_sheet_field(sl_sheet *p, const char *key, const char *label, const char *field, int32_t index) {
    const void *engine;
    int32_t f = sl_session_field(p->session, field);
    const sl_field *of = f >= 0 ? &sl_session_ops(p->session, &engine)->fields[f] : NULL;
    const char *unit = of ? of->unit : "";
    bool is_pressure = of && strcmp(of->name, "pressure") == 0;
    sl_sheet_value(p, key, label, sl_sheet_get(p, field, index), unit, unit_of_people(p, unit, is_pressure));
}

void sl_sheet_si(sl_sheet *p, const char *key, const char *label, double x, const char *unit) {
    sl_sheet_value(p, key, label, x, unit, (sl_display_unit){1.0, unit});
}

/* ---- Formulas ----------------------------------------------------------------------------------- */

/* Declares the names in a formula that are not known yet; what a parenthesis follows is a function. */
static void declare_names(sl_sheet *p, const char *text) {
    for (const char *c = text; *c;) {
        if (!isalpha((unsigned char)*c)) {
            bool number = isdigit((unsigned char)*c) != 0;
            c++;
            while (number && (isalnum((unsigned char)*c) || *c == '.')) { /* 1e5 */
                c++;
            }
            continue;
        }
        const char *begin = c;
        while (isalnum((unsigned char)*c) || *c == '_') {
            c++;
        }
        sl_str name = {begin, (size_t)(c - begin)};
        sl_expr unused;
        if (*c != '(' && sl_expr_find(p->g, name) == SL_EXPR_NONE) {
            sl_status status = sl_expr_declare_variable(p->g, name, 0, NULL, p->diags, &unused);
            p->status = p->status == SL_OK ? status : p->status;
        }
    }
}

static void put_side(sl_sheet *p, const char *text) {
    sl_expr e = SL_EXPR_NONE;
    sl_sink sink = p->out->sink;
    declare_names(p, text);
    sl_status status = sl_expr_parse(p->g, sl_str_z(text), NULL, p->diags, &e);
    sl_status flushed = sl_out_flush(p->out); /* the formula goes past the buffer */
    status = status == SL_OK ? flushed : status;
    status = status == SL_OK ? sl_expr_render(p->g, e, p->form == SL_PAGE_HTML ? SL_EXPR_MATHML : SL_EXPR_LATEX, &sink)
                             : status;
    p->status = p->status == SL_OK ? status : p->status;
}

static void set_formula(sl_sheet *p, const char *left, const char *right) {
    bool html = p->form == SL_PAGE_HTML;
    p->g = p->g ? p->g : sl_exprs_create(p->ctx);
    if (!p->g || (!p->diags && sl_diags_create(p->ctx, &p->diags) != SL_OK)) {
        p->status = SL_ERR_MEMORY;
        return;
    }
    sl_out_z(p->out, html ? "<td><math displaystyle=\"true\"><mrow>" : "$\\displaystyle ");
    put_side(p, left);
    sl_out_z(p->out, html ? "<mo>=</mo>" : " = ");
    put_side(p, right);
    sl_out_z(p->out, html ? "</mrow></math></td>" : "$");
}

/* Formulas may be long. */
static void json_formula(sl_sheet *p, const char *key, const char *left, const char *right) {
    size_t size = strlen(left) + strlen(right) + 4;
    char *text = sl_alloc(p->ctx, size);
    if (!text) {
        p->status = SL_ERR_MEMORY;
        return;
    }
    (void)sl_format(text, size, "%s = %s", left, right);
    json_text(p, key, text);
    sl_free(p->ctx, text, size);
}

static void formula_row(sl_sheet *p, const char *label, const char *left, const char *right) {
    begin_row(p, label);
    if (is_text(p)) {
        sl_out_z(p->out, left);
        sl_out_z(p->out, " = ");
        sl_out_z(p->out, right);
    } else {
        set_formula(p, left, right);
    }
    end_row(p);
}

void sl_sheet_formula(sl_sheet *p, const char *key, const char *label, const char *left, const char *right) {
    if (p->form == SL_PAGE_JSON) {
        json_formula(p, key, left, right);
    } else {
        formula_row(p, label, left, right);
    }
}

void sl_sheet_item_formula(sl_sheet *p, const char *id, const char *left, const char *right) {
    if (p->form != SL_PAGE_JSON) {
        formula_row(p, id, left, right);
        return;
    }
    sl_json_object(&p->json);
    sl_json_inline(&p->json);
    json_text(p, "id", id);
    json_formula(p, "formula", left, right);
    sl_json_end(&p->json);
}

/* ---- Lists -------------------------------------------------------------------------------------- */

void sl_sheet_list(sl_sheet *p, const char *key) {
    if (p->form == SL_PAGE_JSON) {
        sl_json_key(&p->json, key);
        sl_json_array(&p->json);
    }
}

void sl_sheet_item_value(sl_sheet *p, const char *id, const char *label, const char *key, double x, const char *unit) {
    if (p->form != SL_PAGE_JSON) {
        value_row(p, label, x, unit, unit_of_people(p, unit, false));
        return;
    }
    sl_json_object(&p->json);
    sl_json_inline(&p->json);
    json_text(p, "id", id);
    json_text(p, "what", label);
    json_value(p, key, x, unit);
    sl_json_end(&p->json);
}

void sl_sheet_item_point(sl_sheet *p, const char *label, double x, const char *unit_x, sl_display_unit shown_x,
                         double y, const char *unit_y, sl_display_unit shown_y) {
    char text[2 * KEY_MAX + 4], first[KEY_MAX], second[KEY_MAX];
    if (p->form != SL_PAGE_JSON) {
        number_text(x / shown_x.factor, shown_x.name, first);
        number_text(y / shown_y.factor, shown_y.name, second);
        (void)sl_format(text, sizeof text, "%s: %s", first, second);
        text_row(p, label, text);
        return;
    }
    sl_json_object(&p->json);
    sl_json_inline(&p->json);
    json_value(p, "x", x, unit_x);
    json_value(p, "y", y, unit_y);
    sl_json_end(&p->json);
}

void sl_sheet_item_words(sl_sheet *p, const char *id, const char *fmt, ...) {
    char text[TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    (void)sl_vformat(text, sizeof text, fmt, args);
    va_end(args);
    sl_sheet_item_long(p, id, text);
}

void sl_sheet_item_long(sl_sheet *p, const char *id, const char *text) {
    if (p->form != SL_PAGE_JSON) {
        text_row(p, id, text);
        return;
    }
    sl_json_object(&p->json);
    sl_json_inline(&p->json);
    json_text(p, "id", id);
    json_text(p, "what", text);
    sl_json_end(&p->json);
}

void sl_sheet_list_end(sl_sheet *p) {
    if (p->form == SL_PAGE_JSON) {
        sl_json_end(&p->json);
    }
}
