/* SPDX-License-Identifier: MIT */
/* markup.c: text escaped for HTML and LaTeX, and the heads of pages; see markup.h. */
#include "base/markup.h"

#include <string.h>

/* A hyphen that is the sign of a number: -1, (-3, 2), 1e-9, and none of 2026-11 or P-1. */
static bool is_minus(const char *text, const char *at) {
    bool begins = at == text || !((at[-1] >= '0' && at[-1] <= '9') || (at[-1] >= 'a' && at[-1] <= 'z') ||
                                  (at[-1] >= 'A' && at[-1] <= 'Z') || at[-1] == '_' || at[-1] == '-');
    bool exponent = at - text > 1 && at[-1] == 'e' && at[-2] >= '0' && at[-2] <= '9';
    return *at == '-' && at[1] >= '0' && at[1] <= '9' && (begins || exponent);
}

/* What XML forbids even as a reference is left out. */
void sl_out_html(sl_out *out, const char *text) {
    for (const char *c = text; *c; c++) {
        switch (*c) {
        case '&': sl_out_z(out, "&amp;"); break;
        case '<': sl_out_z(out, "&lt;"); break;
        case '>': sl_out_z(out, "&gt;"); break;
        case '"': sl_out_z(out, "&quot;"); break;
        default:
            if ((unsigned char)*c >= 0x20) {
                sl_out_char(out, *c);
            }
        }
    }
}

/* Text up to the next sign of a number, by one of the functions for text; then the sign. */
static void put_words(sl_out *out, const char *text, void (*put)(sl_out *, const char *), const char *minus) {
    char piece[256];
    for (const char *at = text; *at;) {
        size_t n = 0;
        while (at[n] && !is_minus(text, at + n) && n < sizeof piece - 1) {
            piece[n] = at[n];
            n++;
        }
        piece[n] = '\0';
        put(out, piece);
        at += n;
        if (is_minus(text, at)) {
            sl_out_z(out, minus);
            at++;
        }
    }
}

void sl_out_html_words(sl_out *out, const char *text) {
    put_words(out, text, sl_out_html, "\u2212");
}

void sl_out_html_open(sl_out *out, const char *title, const char *what) {
    static const char *const style =
        "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;padding:2rem 1rem;max-width:60rem;color:#1b2a34;"
        "background:#fff}\n"
        "h1{margin:0}h2{margin:2rem 0 0;font-size:1.15rem;border-bottom:1px solid #cfd8de}p{margin:.3rem 0;color:#5a6b77}\n"
        "div{overflow-x:auto;overflow-y:hidden;padding:.2rem 0}table{border-collapse:collapse}td,th{padding:.25rem 1.2rem .25rem 0;text-align:left;"
        "vertical-align:baseline}th{font-weight:400;color:#5a6b77}td+td{color:#5a6b77}th:empty{padding:0}.when{white-space:nowrap}\n"
        "math{font-size:1.1em}mtd{text-align:left}\n"
        "@media(prefers-color-scheme:dark){body{color:#e4ebef;background:#141b20}h2{border-color:#3a4953}"
        "p,th,td+td{color:#9fb0bb}}\n";
    sl_out_z(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                  "<meta name=\"viewport\" content=\"width=device-width\"/>\n<title>");
    sl_out_html(out, title);
    sl_out_z(out, "</title>\n<style>\n");
    sl_out_z(out, style);
    sl_out_z(out, "</style>\n</head>\n<body>\n<h1>");
    sl_out_html(out, title);
    sl_out_z(out, "</h1>\n<p>");
    sl_out_html(out, what);
    sl_out_z(out, "</p>\n");
}

void sl_out_tex(sl_out *out, const char *text) {
    static const struct {
        char c;
        const char *to;
    } specials[] = {{'\\', "\\textbackslash{}"}, {'^', "\\textasciicircum{}"}, {'~', "\\textasciitilde{}"},
                    {'<', "\\ensuremath{<}"},    {'>', "\\ensuremath{>}"},     {'|', "\\ensuremath{|}"}};
    for (const char *c = text; *c; c++) {
        const char *to = NULL;
        for (size_t k = 0; k < sizeof specials / sizeof *specials; k++) {
            to = specials[k].c == *c ? specials[k].to : to;
        }
        if (to) {
            sl_out_z(out, to);
        } else if (strchr("{}$&#_%", *c)) {
            sl_out_printf(out, "\\%c", *c);
        } else if ((unsigned char)*c >= 0x20) {
            sl_out_char(out, *c);
        }
    }
}

void sl_out_tex_words(sl_out *out, const char *text) {
    put_words(out, text, sl_out_tex, "$-$");
}

void sl_out_tex_open(sl_out *out, const char *title, const char *what) {
    sl_out_z(out,
             "\\documentclass{article}\n\\usepackage{amsmath}\n\\allowdisplaybreaks\n\\setlength{\\parindent}{0pt}\n"
             "\\begin{document}\n\\section*{");
    sl_out_tex(out, title);
    sl_out_z(out, "}\n");
    sl_out_tex(out, what);
    sl_out_z(out, ".\n");
}
