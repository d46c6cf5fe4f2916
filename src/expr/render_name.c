/* SPDX-License-Identifier: MIT */
/* render_name.c: names as they are set in formulas, in LaTeX and MathML. One letter is italic, a word upright; the name of a Greek
 * letter is that letter; digits at the end of a word, what follows _ and what stands in brackets are indices. The dots of a
 * derivative stand over the word, not over its indices; of a name with parts (end.flow) over the last.
 */
#include "expr/impl.h"

#include <string.h>

/* Those that LaTeX has a command for; small ones are one by one from U+03B1, capitals from U+0391. */
static const char *const greek[] = {"alpha", "beta",   "gamma",   "delta", "epsilon", "zeta", "eta",  "theta", "iota",
                                    "kappa", "lambda", "mu",      "nu",    "xi",      NULL,   "pi",   "rho",   NULL,
                                    "sigma", "tau",    "upsilon", "phi",   "chi",     "psi",  "omega"};
static const char *const capitals[] = {NULL,    NULL,     "Gamma",   "Delta", NULL, NULL,  NULL,   "Theta", NULL,
                                       NULL,    "Lambda", NULL,      NULL,    "Xi", NULL,  "Pi",   NULL,    NULL,
                                       "Sigma", NULL,     "Upsilon", "Phi",   NULL, "Psi", "Omega"};
enum { N_GREEK = sizeof greek / sizeof *greek, SMALL_ALPHA = 0x3B1, CAPITAL_ALPHA = 0x391 };

typedef struct letter {
    const char *word; /* NULL: no Greek letter */
    unsigned code;
} letter;

/* The letter that a word names or, in UTF-8, is. */
static letter find_letter(sl_str word) {
    unsigned code =
        word.len == 2 ? ((unsigned char)word.ptr[0] & 0x1Fu) << 6 | ((unsigned char)word.ptr[1] & 0x3Fu) : 0;
    bool utf8 = word.len == 2 && ((unsigned char)word.ptr[0] & 0xE0u) == 0xC0u;
    for (unsigned i = 0; i < N_GREEK; i++) {
        const letter both[] = {{greek[i], SMALL_ALPHA + i}, {capitals[i], CAPITAL_ALPHA + i}};
        for (int k = 0; k < 2; k++) {
            if (both[k].word && (sl_str_equal(word, sl_str_z(both[k].word)) || (utf8 && code == both[k].code))) {
                return both[k];
            }
        }
    }
    return (letter){NULL, 0};
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static void write_word(sl_out *out, sl_str word, bool mathml) {
    letter found = find_letter(word);
    bool number = word.len > 0 && is_digit(word.ptr[0]), ascii = true;
    for (size_t i = 0; i < word.len; i++) {
        ascii = ascii && (unsigned char)word.ptr[i] < 0x80;
    }
    if (mathml) {
        sl_out_z(out, number ? "<mn>" : "<mi>");
        if (found.word) {
            sl_out_char(out, (char)(0xC0u | found.code >> 6));
            sl_out_char(out, (char)(0x80u | (found.code & 0x3Fu)));
        } else {
            sl_out_str(out, word);
        }
        sl_out_z(out, number ? "</mn>" : "</mi>");
    } else if (found.word) {
        sl_out_printf(out, "\\%s", found.word);
    } else {
        bool plain = number || word.len <= 1;
        sl_out_z(out, plain ? "" : ascii ? "\\mathrm{" : "\\text{");
        sl_out_str(out, word);
        sl_out_z(out, plain ? "" : "}");
    }
}

/* Full stops over a letter, a little above it: accents run into letters where a browser has no font with measures of formulas. */
#define OVER(stops) "<mpadded depth='0.12em'><mtext>" stops "</mtext></mpadded></mover>"

static void write_base(sl_out *out, sl_str word, int order, bool mathml) {
    static const char *const dots[2][SL_EXPR_ORDERS][2] = {
        {{"", ""}, {"\\dot{", "}"}, {"\\ddot{", "}"}, {"\\dddot{", "}"}},
        {{"", ""}, {"<mover>", OVER(".")}, {"<mover>", OVER("..")}, {"<mover>", OVER("...")}}};
    static const char *const without_dot[2][2] = {{"\\imath", "\\jmath"}, {"<mi>\u0131</mi>", "<mi>\u0237</mi>"}};
    bool has_dot = order > 0 && word.len == 1 && (word.ptr[0] == 'i' || word.ptr[0] == 'j');
    sl_out_z(out, dots[mathml][order][0]);
    if (has_dot) {
        sl_out_z(out, without_dot[mathml][word.ptr[0] == 'j']);
    } else {
        write_word(out, word, mathml);
    }
    sl_out_z(out, dots[mathml][order][1]);
}

/* A part of a name: a word and its indices. */
static void write_part(sl_out *out, sl_str part, int order, bool mathml) {
    size_t n = 0, word = 0;
    while (n < part.len && part.ptr[n] != '_' && part.ptr[n] != '[') {
        n++;
        word = is_digit(part.ptr[n - 1]) && word > 0 ? word : n; /* digits at its end are no part of the word */
    }
    bool indexed = word < part.len, first = true;
    sl_out_z(out, indexed && mathml ? "<msub>" : "");
    write_base(out, (sl_str){part.ptr, word}, order, mathml);
    sl_out_z(out, !indexed ? "" : mathml ? "<mrow>" : "_{");
    for (size_t i = word; i < part.len;) {
        size_t k = i;
        while (k < part.len && !strchr("_[],", part.ptr[k])) {
            k++;
        }
        if (k > i) {
            sl_out_z(out, first ? "" : mathml ? "<mo>,</mo>" : ",");
            write_word(out, (sl_str){part.ptr + i, k - i}, mathml);
            first = false;
        }
        i = k > i ? k : k + 1;
    }
    sl_out_z(out, !indexed ? "" : mathml ? "</mrow></msub>" : "}");
}

void sl_expr_write_name(sl_out *out, sl_str name, int order, bool mathml) {
    bool row = mathml && memchr(name.ptr, '.', name.len);
    sl_out_z(out, row ? "<mrow>" : "");
    for (size_t i = 0; i <= name.len;) {
        const char *dot = memchr(name.ptr + i, '.', name.len - i);
        size_t n = dot ? (size_t)(dot - name.ptr) - i : name.len - i;
        sl_out_z(out, i == 0 ? "" : mathml ? "<mo lspace='0' rspace='0'>.</mo>" : ".");
        write_part(out, (sl_str){name.ptr + i, n}, dot ? 0 : order, mathml);
        i += n + 1;
    }
    sl_out_z(out, row ? "</mrow>" : "");
}
