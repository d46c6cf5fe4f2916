/* SPDX-License-Identifier: MIT */
/* explain_write.c: pages as text, HTML, LaTeX and JSON. Formulas come from the graph in the form of the page; everything else is escaped
 * here. HTML is well-formed XML too, so that other programs can read it; LaTeX needs amsmath and nothing else.
 */
#include "automata/explain_impl.h"
#include "base/markup.h"

#include <string.h>

static const sl_expr_form formula_forms[SL_EXPLAIN_FORMS] = {[SL_EXPLAIN_TEXT] = SL_EXPR_TEXT,
                                                             [SL_EXPLAIN_HTML] = SL_EXPR_MATHML,
                                                             [SL_EXPLAIN_TEX] = SL_EXPR_LATEX,
                                                             [SL_EXPLAIN_JSON] = SL_EXPR_TEXT};

/* Characters of UTF-8. */
static size_t width(sl_str text) {
    size_t n = 0;
    for (size_t i = 0; i < text.len; i++) {
        n += ((unsigned char)text.ptr[i] & 0xC0u) != 0x80u;
    }
    return n;
}

/* A formula; what cannot be made is remembered. Returns its length in characters. */
static size_t render(sl_explain_page *p, sl_explain_form form, sl_expr e) {
    sl_sink sink = sl_bytes_sink(&p->room);
    p->room.n = 0;
    sl_status status = sl_expr_render_loop(p->g, e, &p->loop, formula_forms[form], &sink);
    p->status = p->status == SL_OK ? status : p->status;
    return width((sl_str){p->room.at, (size_t)p->room.n});
}

static size_t put_expr(sl_explain_page *p, sl_explain_form form, sl_expr e) {
    size_t n = render(p, form, e);
    sl_out_bytes(p->out, p->room.at, (size_t)p->room.n);
    return n;
}

static bool has_words(const sl_explain_item *item) {
    return item->words && item->words[0];
}

/* ---- Text --------------------------------------------------------------------------------------- */

static void text_open(sl_explain_page *p, const char *title, const char *what) {
    sl_out_z(p->out, title);
    sl_out_printf(p->out, ": %s\n", what);
}

static const char *const text_signs[] = {"", " = ", " := "};

/* Returns its length. */
static size_t text_formula(sl_explain_page *p, const sl_explain_item *item) {
    if (item->left == SL_EXPR_NONE) {
        return 0;
    }
    size_t n = put_expr(p, SL_EXPLAIN_TEXT, item->left) + strlen(text_signs[item->relation]);
    sl_out_z(p->out, text_signs[item->relation]);
    return n + (item->right != SL_EXPR_NONE ? put_expr(p, SL_EXPLAIN_TEXT, item->right) : 0);
}

/* The widths of labels and formulas. Longer ones than is good for the others stick out. */
static void text_widths(sl_explain_page *p, int32_t n, const sl_explain_item *items, size_t widths[2]) {
    static const size_t most[] = {24, 52};
    widths[0] = widths[1] = 0;
    for (int32_t i = 0; i < n; i++) {
        p->loop = items[i].loop;
        size_t has[] = {width(sl_str_z(items[i].label)), strlen(text_signs[items[i].relation])};
        has[1] += items[i].left != SL_EXPR_NONE ? render(p, SL_EXPLAIN_TEXT, items[i].left) : 0;
        has[1] += items[i].right != SL_EXPR_NONE ? render(p, SL_EXPLAIN_TEXT, items[i].right) : 0;
        for (int k = 0; k < 2; k++) {
            widths[k] = has[k] > widths[k] && has[k] <= most[k] ? has[k] : widths[k];
        }
    }
}

/* Blanks behind n characters of a column, if there is such a column. */
static void text_gap(sl_explain_page *p, size_t n, size_t wide) {
    sl_out_printf(p->out, "%*s", wide == 0 ? 0 : n < wide ? (int)(wide - n) + 2 : 2, "");
}

static void text_section(sl_explain_page *p, const char *title, const char *note, int32_t n,
                         const sl_explain_item *items) {
    size_t widths[2];
    text_widths(p, n, items, widths);
    sl_out_printf(p->out, "\n%s\n", title);
    if (note[0]) {
        sl_out_printf(p->out, "  %s\n", note);
    }
    for (int32_t i = 0; i < n; i++) {
        const sl_explain_item *item = &items[i];
        p->loop = item->loop;
        sl_out_z(p->out, "  ");
        sl_out_z(p->out, item->label);
        text_gap(p, width(sl_str_z(item->label)), widths[0]);
        size_t formula = text_formula(p, item);
        if (item->guard != SL_EXPR_NONE || has_words(item)) {
            text_gap(p, formula, widths[1]);
        }
        if (item->guard != SL_EXPR_NONE) {
            sl_out_z(p->out, "when ");
            put_expr(p, SL_EXPLAIN_TEXT, item->guard);
        }
        sl_out_z(p->out, has_words(item) ? item->words : "");
        sl_out_char(p->out, '\n');
    }
}

static void text_close(sl_explain_page *p) {
    (void)p;
}

/* ---- HTML --------------------------------------------------------------------------------------- */

static void html_open(sl_explain_page *p, const char *title, const char *what) {
    sl_out_html_open(p->out, title, what);
}

static void html_row(sl_explain_page *p, const sl_explain_item *item) {
    static const char *const signs[] = {"", "<mo>=</mo>", "<mo>\u2190</mo>"};
    p->loop = item->loop;
    sl_out_z(p->out, "<tr><th>");
    sl_out_html(p->out, item->label);
    sl_out_z(p->out, "</th>");
    if (item->left != SL_EXPR_NONE) {
        sl_out_z(p->out, "<td><math displaystyle=\"true\"><mrow>");
        put_expr(p, SL_EXPLAIN_HTML, item->left);
        sl_out_z(p->out, signs[item->relation]);
        if (item->relation != SL_RELATION_NONE && item->right != SL_EXPR_NONE) {
            put_expr(p, SL_EXPLAIN_HTML, item->right);
        }
        sl_out_z(p->out, "</mrow></math></td>");
    }
    sl_out_z(p->out, item->guard != SL_EXPR_NONE ? "<td class=\"when\">" : "<td>");
    if (item->guard != SL_EXPR_NONE) {
        sl_out_z(p->out, "when <math><mrow>");
        put_expr(p, SL_EXPLAIN_HTML, item->guard);
        sl_out_z(p->out, "</mrow></math>");
    }
    sl_out_html_words(p->out, has_words(item) ? item->words : "");
    sl_out_z(p->out, "</td></tr>\n");
}

static void html_section(sl_explain_page *p, const char *title, const char *note, int32_t n,
                         const sl_explain_item *items) {
    sl_out_z(p->out, "<section>\n<h2>");
    sl_out_html(p->out, title);
    sl_out_z(p->out, "</h2>\n");
    if (note[0]) {
        sl_out_z(p->out, "<p>");
        sl_out_html(p->out, note);
        sl_out_z(p->out, "</p>\n");
    }
    if (n > 0) {
        sl_out_z(p->out, "<div><table>\n");
        for (int32_t i = 0; i < n; i++) {
            html_row(p, &items[i]);
        }
        sl_out_z(p->out, "</table></div>\n");
    }
    sl_out_z(p->out, "</section>\n");
}

static void html_close(sl_explain_page *p) {
    sl_out_z(p->out, "</body>\n</html>\n");
}

/* ---- LaTeX -------------------------------------------------------------------------------------- */

enum { CASES_MAX = 12 }; /* alternatives under one brace, which does not break over pages */

static void tex_open(sl_explain_page *p, const char *title, const char *what) {
    sl_out_tex_open(p->out, title, what);
}

/* What stands behind a formula: guard, words, label. */
static void tex_tail(sl_explain_page *p, const sl_explain_item *item) {
    if (item->guard != SL_EXPR_NONE) {
        sl_out_z(p->out, "\\text{if } ");
        put_expr(p, SL_EXPLAIN_TEX, item->guard);
        sl_out_z(p->out, " ");
    }
    if (has_words(item)) {
        sl_out_z(p->out, "\\text{");
        sl_out_tex_words(p->out, item->words);
        sl_out_z(p->out, "} ");
    }
    if (item->label[0]) {
        sl_out_z(p->out, "\\quad \\text{(");
        sl_out_tex(p->out, item->label);
        sl_out_z(p->out, ")}");
    }
}

static const char *tex_sign(const sl_explain_item *item) {
    static const char *const signs[] = {" & ", " &= ", " &\\leftarrow "};
    return signs[item->relation];
}

/* n items with the same left side: one line, or a brace of cases. */
static void tex_lines(sl_explain_page *p, int32_t n, const sl_explain_item *items) {
    p->loop = items[0].loop;
    put_expr(p, SL_EXPLAIN_TEX, items[0].left);
    sl_out_z(p->out, tex_sign(items));
    sl_out_z(p->out, n > 1 ? "\\begin{cases}\n" : "");
    for (int32_t i = 0; i < n; i++) {
        p->loop = items[i].loop;
        sl_out_z(p->out, n > 1 ? "  " : "");
        if (items[i].relation != SL_RELATION_NONE && items[i].right != SL_EXPR_NONE) {
            put_expr(p, SL_EXPLAIN_TEX, items[i].right);
        }
        sl_out_z(p->out, n > 1 ? " & " : " && ");
        tex_tail(p, &items[i]);
        sl_out_z(p->out, n == 1 ? "" : i + 1 < n ? " \\\\\n" : "\n\\end{cases}");
    }
}

static void tex_formulas(sl_explain_page *p, int32_t n, const sl_explain_item *items) {
    sl_out_z(p->out, "\\begin{align*}\n");
    for (int32_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n && items[k].left == items[i].left && items[k].relation == items[i].relation; k++) {}
        bool alone = k - i > CASES_MAX || items[i].relation == SL_RELATION_NONE;
        k = alone ? i + 1 : k;
        tex_lines(p, k - i, items + i);
        sl_out_z(p->out, k < n ? " \\\\\n" : "\n");
    }
    sl_out_z(p->out, "\\end{align*}\n");
}

static void tex_list(sl_explain_page *p, int32_t n, const sl_explain_item *items) {
    sl_out_z(p->out, "\\begin{description}\n");
    for (int32_t i = 0; i < n; i++) {
        sl_out_z(p->out, "\\item[{");
        sl_out_tex(p->out, items[i].label);
        sl_out_z(p->out, "}] ");
        sl_out_tex_words(p->out, has_words(&items[i]) ? items[i].words : "");
        sl_out_char(p->out, '\n');
    }
    sl_out_z(p->out, "\\end{description}\n");
}

static void tex_section(sl_explain_page *p, const char *title, const char *note, int32_t n,
                        const sl_explain_item *items) {
    sl_out_z(p->out, "\n\\subsection*{");
    sl_out_tex(p->out, title);
    sl_out_z(p->out, "}\n");
    sl_out_tex(p->out, note);
    sl_out_z(p->out, note[0] ? "\n" : "");
    if (n > 0) {
        (items[0].left != SL_EXPR_NONE ? tex_formulas : tex_list)(p, n, items);
    }
}

static void tex_close(sl_explain_page *p) {
    sl_out_z(p->out, "\\end{document}\n");
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void json_text(sl_explain_page *p, const char *key, const char *text) {
    sl_json_key(&p->json, key);
    sl_json_z(&p->json, text);
}

static void json_formula(sl_explain_page *p, const char *key, sl_expr e) {
    if (e != SL_EXPR_NONE) {
        (void)render(p, SL_EXPLAIN_JSON, e);
        sl_json_key(&p->json, key);
        sl_json_str(&p->json, (sl_str){p->room.at, (size_t)p->room.n});
    }
}

static void json_open(sl_explain_page *p, const char *title, const char *what) {
    sl_json_init(&p->json, p->out, 2);
    sl_json_object(&p->json);
    json_text(p, "format", "sluice explain 1");
    json_text(p, "model", title);
    json_text(p, "kind", "automaton");
    json_text(p, "what", what);
    sl_json_key(&p->json, "sections");
    sl_json_array(&p->json);
}

static void json_section(sl_explain_page *p, const char *title, const char *note, int32_t n,
                         const sl_explain_item *items) {
    static const char *const signs[] = {NULL, "=", ":="};
    sl_json_object(&p->json);
    json_text(p, "title", title);
    json_text(p, "note", note);
    sl_json_key(&p->json, "items");
    sl_json_array(&p->json);
    for (int32_t i = 0; i < n; i++) {
        p->loop = items[i].loop;
        sl_json_object(&p->json);
        json_text(p, "label", items[i].label);
        json_formula(p, "left", items[i].left);
        if (items[i].relation != SL_RELATION_NONE) {
            json_text(p, "relation", signs[items[i].relation]);
            json_formula(p, "right", items[i].right);
        }
        json_formula(p, "guard", items[i].guard);
        json_text(p, "words", has_words(&items[i]) ? items[i].words : "");
        sl_json_end(&p->json);
    }
    sl_json_end(&p->json);
    sl_json_end(&p->json);
}

static void json_close(sl_explain_page *p) {
    sl_json_end(&p->json);
    sl_json_end(&p->json);
    sl_out_char(p->out, '\n');
}

const sl_explain_writer sl_explain_writers[SL_EXPLAIN_FORMS] = {
    [SL_EXPLAIN_TEXT] = {text_open, text_section, text_close},
    [SL_EXPLAIN_HTML] = {html_open, html_section, html_close},
    [SL_EXPLAIN_TEX] = {tex_open, tex_section, tex_close},
    [SL_EXPLAIN_JSON] = {json_open, json_section, json_close},
};
