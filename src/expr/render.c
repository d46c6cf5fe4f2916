/* SPDX-License-Identifier: MIT */
/* render.c: expressions as text that reads back as the same node, as LaTeX, as C, and as MathML. A node is written as a list of
 * pieces, words and arguments; an argument that binds weaker than its place needs gets parentheses. The pieces wait on a stack:
 * nothing recurses. What is shared is written as often as it is used. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/out.h"
#include "expr/impl.h"

/* How strongly something binds, as parse.c reads it. A negation of logic is written as weak as a comparison, so that it
 * never stands beside one without parentheses. */
enum { ANY = 1, OR = 1, AND, COMPARISON, SUM, PRODUCT, SIGN, POWER, PRIMARY };

static const uint8_t strengths[SL_OP_COUNT] = {
    [SL_OP_OR] = OR,         [SL_OP_AND] = AND,       [SL_OP_LT] = COMPARISON,  [SL_OP_LE] = COMPARISON,
    [SL_OP_EQ] = COMPARISON, [SL_OP_NE] = COMPARISON, [SL_OP_NOT] = COMPARISON, [SL_OP_ADD] = SUM,
    [SL_OP_MUL] = PRODUCT,   [SL_OP_DIV] = PRODUCT,   [SL_OP_NEG] = SIGN,       [SL_OP_POW] = POWER,
};

typedef struct piece {
    const char *text; /* NULL: the expression */
    sl_expr e;
    int need;
} piece;

typedef struct renderer {
    const sl_exprs *g;
    sl_expr_form form;
    sl_out *out;
    bool short_of_memory;
    SL_ARRAY(piece) stack;
    int64_t bottom; /* of the pieces of the node at hand: to be turned round */
    sl_expr_loop loop;
} renderer;

static void say(renderer *r, const char *text) {
    r->short_of_memory |= !SL_PUSH(r->g->ctx, &r->stack, ((piece){text, SL_EXPR_NONE, 0}));
}
static void show(renderer *r, sl_expr e, int need) {
    r->short_of_memory |= !SL_PUSH(r->g->ctx, &r->stack, ((piece){NULL, e, need}));
}
static sl_expr arg(const renderer *r, sl_expr e, int32_t i) {
    return sl_node_args(r->g, e)[i];
}
static bool is_negative(const renderer *r, sl_expr e) {
    return sl_node_op(r->g, e) == SL_OP_CONST && sl_node_at(r->g, e)->u.value < 0.0;
}
static int strength(const renderer *r, sl_expr e) {
    sl_op op = sl_node_op(r->g, e);
    if (is_negative(r, e)) {
        return SIGN;
    }
    if (r->form == SL_EXPR_C && op == SL_OP_POW) {
        return PRIMARY;
    }
    return strengths[op] ? strengths[op] : PRIMARY;
}

/* ---- Leaves -------------------------------------------------------------------------------------- */

/* Is it set for people, with fractions and raised powers? */
static bool is_set(const renderer *r) {
    return r->form == SL_EXPR_LATEX || r->form == SL_EXPR_MATHML;
}

/* 1 times 10 to a power where it is set; whole numbers get a point in C, where 1/2 is 0. */
static void write_number(renderer *r, double value) {
    static const char *const parts[2][3] = {{"", " \\cdot 10^{", "}"},
                                            {"<mn>", "</mn><mo>\u22c5</mo><msup><mn>10</mn><mn>", "</mn></msup>"}};
    char buf[SL_NUMBER_MAX];
    size_t n = sl_number_format(value, buf);
    const char *exponent = memchr(buf, 'e', n);
    bool mathml = r->form == SL_EXPR_MATHML, negative = mathml && buf[0] == '-';
    sl_out_z(r->out, negative ? "<mrow><mo>\u2212</mo>" : "");
    sl_str digits = {buf + negative, (exponent ? (size_t)(exponent - buf) : n) - negative};
    if (is_set(r) && exponent) {
        int64_t power = 0;
        sl_number_parse_int(sl_str_z(exponent + 1), &power);
        sl_out_z(r->out, parts[mathml][0]);
        sl_out_str(r->out, digits);
        sl_out_z(r->out, parts[mathml][1]);
        sl_out_z(r->out, power >= 0 ? "" : mathml ? "\u2212" : "-");
        sl_out_int(r->out, power < 0 ? -power : power);
        sl_out_z(r->out, parts[mathml][2]);
    } else {
        sl_out_z(r->out, mathml ? "<mn>" : "");
        sl_out_str(r->out, mathml ? digits : (sl_str){buf, n});
        sl_out_z(r->out, mathml ? "</mn>" : r->form == SL_EXPR_C && !exponent && !memchr(buf, '.', n) ? ".0" : "");
    }
    sl_out_z(r->out, negative ? "</mrow>" : "");
}

static void write_name(renderer *r, sl_str name) {
    if (is_set(r)) {
        sl_expr_write_name(r->out, name, 0, r->form == SL_EXPR_MATHML);
    } else {
        sl_out_str(r->out, name);
    }
}

static void write_named(renderer *r, sl_str name, int order) {
    if (is_set(r)) {
        sl_expr_write_name(r->out, name, order, r->form == SL_EXPR_MATHML);
        return;
    }
    sl_out_z(r->out, order ? "der(" : "");
    write_name(r, name);
    if (order > 1) {
        sl_out_printf(r->out, ", %d", order);
    }
    sl_out_z(r->out, order ? ")" : "");
}

static void write_variable(renderer *r, const sl_node *node) {
    if (r->form == SL_EXPR_C) {
        sl_out_printf(r->out, node->order ? "x%d[%d]" : "x%.0d[%d]", (int)node->order, (int)node->symbol);
        return;
    }
    write_named(r, sl_exprs_variable_name(r->g, node->symbol), node->order);
}

/* An element that moves on with the cell, by the index of the loop: p[i + 1]. */
static void write_element(renderer *r, const sl_node *node) {
    bool is_parameter = node->op == SL_OP_PARAMETER_ELEMENT;
    int32_t array = sl_exprs_array_of(r->g, is_parameter, node->symbol);
    sl_expr_array a = sl_exprs_array(r->g, array);
    int64_t shift = (int64_t)a.first + (node->symbol - a.symbol) - r->loop.first;
    char name[256], index[64] = "", *tail = index;
    (void)sl_format(index, sizeof index, "%.*s", (int)(r->loop.index.len < 40 ? r->loop.index.len : 40),
                    r->loop.index.ptr);
    tail += strlen(index);
    if (shift != 0) {
        (void)sl_format(tail, sizeof index - (size_t)(tail - index),
                        is_set(r)   ? "%+lld"
                        : shift > 0 ? "+%lld"
                                    : "%lld",
                        (long long)shift);
    }
    if (r->form == SL_EXPR_C) {
        sl_out_printf(r->out,
                      is_parameter  ? "p[%d + cell]"
                      : node->order ? "x%d[%d + cell]"
                                    : "x%.0d[%d + cell]",
                      is_parameter ? (int)node->symbol : (int)node->order, (int)node->symbol);
        return;
    }
    int n = sl_format(name, sizeof name, "%.*s[%s]", (int)(a.name.len < 180 ? a.name.len : 180), a.name.ptr, index);
    write_named(r, (sl_str){name, (size_t)n}, node->order);
}

static void write_index(renderer *r, const sl_node *node) {
    int32_t shift = node->symbol - r->loop.first;
    if (r->form == SL_EXPR_C) {
        sl_out_printf(r->out, "(double)(cell + %d)", (int)node->symbol);
        return;
    }
    sl_out_z(r->out, shift != 0 ? r->form == SL_EXPR_MATHML ? "<mrow>" : "(" : "");
    write_name(r, r->loop.index);
    if (shift != 0) {
        sl_out_printf(r->out, r->form == SL_EXPR_MATHML ? "<mo>+</mo><mn>%d</mn></mrow>" : " + %d)", (int)shift);
    }
}

static void write_leaf(renderer *r, const sl_node *node) {
    if (node->op == SL_OP_ELEMENT || node->op == SL_OP_PARAMETER_ELEMENT) {
        write_element(r, node);
    } else if (node->op == SL_OP_CELL) {
        write_index(r, node);
    } else if (node->op == SL_OP_CONST) {
        write_number(r, node->u.value);
    } else if (node->op == SL_OP_VARIABLE) {
        write_variable(r, node);
    } else if (node->op == SL_OP_TIME) {
        sl_out_z(r->out, r->form == SL_EXPR_MATHML ? "<mi>t</mi>" : "t");
    } else if (r->form == SL_EXPR_C) {
        sl_out_printf(r->out, "p[%d]", (int)node->symbol);
    } else {
        write_name(r, sl_exprs_parameter_name(r->g, node->symbol));
    }
}

/* ---- Operations ---------------------------------------------------------------------------------- */

static void write_sum(renderer *r, sl_expr e) {
    bool mathml = r->form == SL_EXPR_MATHML;
    const char *plus_sign = mathml ? "<mo>+</mo>" : " + ", *minus_sign = mathml ? "<mo>\u2212</mo>" : " - ";
    show(r, arg(r, e, 0), PRODUCT);
    for (int32_t i = 1; i < sl_node_at(r->g, e)->n; i++) {
        sl_expr a = arg(r, e, i);
        bool minus = sl_node_op(r->g, a) == SL_OP_NEG || is_negative(r, a);
        say(r, minus ? minus_sign : plus_sign);
        if (is_negative(r, a)) {
            show(r, a, -1); /* without its sign */
        } else {
            show(r, minus ? arg(r, a, 0) : a, PRODUCT);
        }
    }
}
static void write_product(renderer *r, sl_expr e) {
    static const char *const signs[SL_EXPR_FORMS] = {"*", " \\, ", " * ", "<mo>\u2062</mo><mspace width='0.17em'/>"};
    int32_t n = sl_node_at(r->g, e)->n;
    for (int32_t i = 0; i < n; i++) {
        sl_expr a = arg(r, e, i);
        bool first = i == 0 && sl_node_op(r->g, a) != SL_OP_MUL;
        say(r, i == 0 ? "" : signs[r->form]);
        show(r, a, first ? PRODUCT : is_set(r) && sl_node_op(r->g, a) != SL_OP_DIV ? POWER : SIGN);
    }
}
static void write_division(renderer *r, sl_expr e) {
    if (is_set(r)) {
        bool mathml = r->form == SL_EXPR_MATHML;
        say(r, mathml ? "<mfrac><mrow>" : "\\frac{");
        show(r, arg(r, e, 0), ANY);
        say(r, mathml ? "</mrow><mrow>" : "}{");
        show(r, arg(r, e, 1), ANY);
        say(r, mathml ? "</mrow></mfrac>" : "}");
        return;
    }
    show(r, arg(r, e, 0), PRODUCT);
    say(r, r->form == SL_EXPR_C ? " / " : "/");
    show(r, arg(r, e, 1), SIGN);
}
static void write_negative(renderer *r, sl_expr e) {
    bool mathml = r->form == SL_EXPR_MATHML; /* in a row of its own it is a sign, not a difference */
    say(r, mathml ? "<mrow><mo>\u2212</mo>" : "-");
    show(r, arg(r, e, 0), is_set(r) ? PRODUCT : r->form == SL_EXPR_C ? POWER : SIGN);
    say(r, mathml ? "</mrow>" : "");
}
static void write_power(renderer *r, sl_expr e) {
    if (r->form == SL_EXPR_C) {
        say(r, "pow(");
        show(r, arg(r, e, 0), ANY);
        say(r, ", ");
        show(r, arg(r, e, 1), ANY);
        say(r, ")");
        return;
    }
    static const char *const parts[SL_EXPR_FORMS][3] = {
        {"", "^", ""}, {"", "^{", "}"}, {"", "", ""}, {"<msup><mrow>", "</mrow><mrow>", "</mrow></msup>"}};
    say(r, parts[r->form][0]);
    show(r, arg(r, e, 0), PRIMARY);
    say(r, parts[r->form][1]);
    show(r, arg(r, e, 1), is_set(r) ? ANY : SIGN);
    say(r, parts[r->form][2]);
}
static void write_comparison(renderer *r, sl_expr e) {
    static const char *const signs[SL_EXPR_FORMS][6] = {
        {" < ", " <= ", " = ", " != ", " > ", " >= "},
        {" < ", " \\le ", " = ", " \\ne ", " > ", " \\ge "},
        {" < ", " <= ", " == ", " != ", " > ", " >= "},
        {"<mo>&lt;</mo>", "<mo>\u2264</mo>", "<mo>=</mo>", "<mo>\u2260</mo>", "<mo>&gt;</mo>", "<mo>\u2265</mo>"}};
    int k = sl_node_op(r->g, e) - SL_OP_LT;
    bool swapped = k < 2 && sl_node_op(r->g, arg(r, e, 0)) == SL_OP_CONST; /* t > 0, not 0 < t */
    show(r, arg(r, e, swapped), SUM);
    say(r, signs[r->form][swapped ? k + 4 : k]);
    show(r, arg(r, e, !swapped), SUM);
}
static void write_not(renderer *r, sl_expr e) {
    static const char *const signs[SL_EXPR_FORMS] = {"!", "\\neg ", "!", "<mrow><mo>\u00ac</mo>"};
    say(r, signs[r->form]);
    show(r, arg(r, e, 0), r->form == SL_EXPR_C ? POWER : SIGN);
    say(r, r->form == SL_EXPR_MATHML ? "</mrow>" : "");
}
static void write_logic(renderer *r, sl_expr e) {
    static const char *const signs[SL_EXPR_FORMS][2] = {
        {" & ", " | "}, {" \\wedge ", " \\vee "}, {" && ", " || "}, {"<mo>\u2227</mo>", "<mo>\u2228</mo>"}};
    bool either = sl_node_op(r->g, e) == SL_OP_OR;
    for (int32_t i = 0; i < sl_node_at(r->g, e)->n; i++) {
        say(r, i == 0 ? "" : signs[r->form][either]);
        show(r, arg(r, e, i), either ? AND : COMPARISON);
    }
}
static void write_if(renderer *r, sl_expr e) {
    static const char *const texts[SL_EXPR_FORMS][4] = {
        {"if(", ", ", ", ", ")"},
        {"\\begin{cases} ", " & \\text{if } ", " \\\\ ", " & \\text{otherwise} \\end{cases}"},
        {"(", " ? ", " : ", ")"},
        {"<mrow><mo>{</mo><mtable columnalign='left'><mtr><mtd>", "</mtd><mtd><mtext>if\u00a0</mtext>",
         "</mtd></mtr><mtr><mtd>", "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>"}};
    const int *order = is_set(r) ? (const int[]){1, 0, 2} : (const int[]){0, 1, 2};
    for (int i = 0; i < 3; i++) {
        say(r, texts[r->form][i]);
        show(r, arg(r, e, order[i]), r->form == SL_EXPR_C ? SUM : ANY);
    }
    say(r, texts[r->form][3]);
}

/* word(a, b, ...) */
static void write_call(renderer *r, sl_expr e, const char *word, const char *open, const char *close) {
    say(r, word);
    say(r, open);
    for (int32_t i = 0; i < sl_node_at(r->g, e)->n; i++) {
        say(r, i == 0 ? "" : r->form == SL_EXPR_MATHML ? "<mo>,</mo>" : ", ");
        show(r, arg(r, e, i), ANY);
    }
    say(r, close);
}

/* In LaTeX, C and MathML; in text it is the word and a parenthesis. */
static const char *const calls[3][SL_OP_COUNT] = {
    {[SL_OP_SQRT] = "\\sqrt{",
     [SL_OP_EXP] = "\\exp\\left(",
     [SL_OP_LOG] = "\\ln\\left(",
     [SL_OP_LOG10] = "\\log_{10}\\left(",
     [SL_OP_SIN] = "\\sin\\left(",
     [SL_OP_COS] = "\\cos\\left(",
     [SL_OP_TAN] = "\\tan\\left(",
     [SL_OP_ASIN] = "\\arcsin\\left(",
     [SL_OP_ACOS] = "\\arccos\\left(",
     [SL_OP_ATAN] = "\\arctan\\left(",
     [SL_OP_SINH] = "\\sinh\\left(",
     [SL_OP_COSH] = "\\cosh\\left(",
     [SL_OP_TANH] = "\\tanh\\left(",
     [SL_OP_ABS] = "\\left|",
     [SL_OP_SIGN] = "\\operatorname{sign}\\left(",
     [SL_OP_FLOOR] = "\\left\\lfloor ",
     [SL_OP_CEIL] = "\\left\\lceil ",
     [SL_OP_ATAN2] = "\\operatorname{atan2}\\left(",
     [SL_OP_MOD] = "\\operatorname{mod}\\left(",
     [SL_OP_MIN] = "\\min\\left(",
     [SL_OP_MAX] = "\\max\\left(",
     [SL_OP_SMOOTH] = "\\operatorname{smooth}\\left(",
     [SL_OP_STICK] = "\\operatorname{stick}\\left("},
    {[SL_OP_SQRT] = "sqrt(",
     [SL_OP_EXP] = "exp(",
     [SL_OP_LOG] = "log(",
     [SL_OP_LOG10] = "log10(",
     [SL_OP_SIN] = "sin(",
     [SL_OP_COS] = "cos(",
     [SL_OP_TAN] = "tan(",
     [SL_OP_ASIN] = "asin(",
     [SL_OP_ACOS] = "acos(",
     [SL_OP_ATAN] = "atan(",
     [SL_OP_SINH] = "sinh(",
     [SL_OP_COSH] = "cosh(",
     [SL_OP_TANH] = "tanh(",
     [SL_OP_ABS] = "fabs(",
     [SL_OP_FLOOR] = "floor(",
     [SL_OP_CEIL] = "ceil(",
     [SL_OP_ATAN2] = "atan2(",
     [SL_OP_SMOOTH] = "("},
    {[SL_OP_SQRT] = "<msqrt>",
     [SL_OP_LOG10] = "<mrow><msub><mi>log</mi><mn>10</mn></msub><mo>(</mo>",
     [SL_OP_ABS] = "<mrow><mo>|</mo>",
     [SL_OP_FLOOR] = "<mrow><mo>\u230a</mo>",
     [SL_OP_CEIL] = "<mrow><mo>\u2308</mo>",
     [SL_OP_EXP] = "<mrow><mi>exp</mi><mo>(</mo>",
     [SL_OP_LOG] = "<mrow><mi>ln</mi><mo>(</mo>",
     [SL_OP_SIN] = "<mrow><mi>sin</mi><mo>(</mo>",
     [SL_OP_COS] = "<mrow><mi>cos</mi><mo>(</mo>",
     [SL_OP_TAN] = "<mrow><mi>tan</mi><mo>(</mo>",
     [SL_OP_ASIN] = "<mrow><mi>arcsin</mi><mo>(</mo>",
     [SL_OP_ACOS] = "<mrow><mi>arccos</mi><mo>(</mo>",
     [SL_OP_ATAN] = "<mrow><mi>arctan</mi><mo>(</mo>",
     [SL_OP_SINH] = "<mrow><mi>sinh</mi><mo>(</mo>",
     [SL_OP_COSH] = "<mrow><mi>cosh</mi><mo>(</mo>",
     [SL_OP_TANH] = "<mrow><mi>tanh</mi><mo>(</mo>",
     [SL_OP_SIGN] = "<mrow><mi>sign</mi><mo>(</mo>",
     [SL_OP_ATAN2] = "<mrow><mi>atan2</mi><mo>(</mo>",
     [SL_OP_MOD] = "<mrow><mi>mod</mi><mo>(</mo>",
     [SL_OP_MIN] = "<mrow><mi>min</mi><mo>(</mo>",
     [SL_OP_MAX] = "<mrow><mi>max</mi><mo>(</mo>",
     [SL_OP_SMOOTH] = "<mrow><mi>smooth</mi><mo>(</mo>",
     [SL_OP_STICK] = "<mrow><mi>stick</mi><mo>(</mo>"}};

/* What ends them: LaTeX, MathML. */
static const char *const closes_of[2][SL_OP_COUNT] = {
    {[SL_OP_SQRT] = "}", [SL_OP_ABS] = "\\right|", [SL_OP_FLOOR] = "\\right\\rfloor", [SL_OP_CEIL] = "\\right\\rceil"},
    {[SL_OP_SQRT] = "</msqrt>",
     [SL_OP_ABS] = "<mo>|</mo></mrow>",
     [SL_OP_FLOOR] = "<mo>\u230b</mo></mrow>",
     [SL_OP_CEIL] = "<mo>\u2309</mo></mrow>"}};

static const char *close_of(const renderer *r, sl_op op) {
    bool mathml = r->form == SL_EXPR_MATHML;
    const char *own = is_set(r) ? closes_of[mathml][op] : NULL;
    return own ? own : mathml ? "<mo>)</mo></mrow>" : r->form == SL_EXPR_LATEX ? "\\right)" : ")";
}

/* C has no such functions: fmin(fmin(a, b), c); a - b * floor(a / b); (a > 0.0) - (a < 0.0). */
static void write_c_extreme(renderer *r, sl_expr e) {
    int32_t n = sl_node_at(r->g, e)->n;
    for (int32_t i = 1; i < n; i++) {
        say(r, sl_node_op(r->g, e) == SL_OP_MIN ? "fmin(" : "fmax(");
    }
    for (int32_t i = 0; i < n; i++) {
        show(r, arg(r, e, i), SUM);
        say(r, i == 0 ? ", " : i + 1 < n ? "), " : ")");
    }
}
static void write_c_odd(renderer *r, sl_expr e) {
    bool sign = sl_node_op(r->g, e) != SL_OP_MOD;
    const sl_expr shown[4] = {arg(r, e, 0), sign ? arg(r, e, 0) : arg(r, e, 1), sign ? SL_EXPR_NONE : arg(r, e, 0),
                              sign ? SL_EXPR_NONE : arg(r, e, 1)};
    const char *const texts[2][5] = {{"(", " - ", " * floor(", " / ", "))"},
                                     {"(double)((", " > 0.0) - (", " < 0.0))", "", ""}};
    for (int i = 0; i < 4; i++) {
        say(r, texts[sign][i]);
        if (shown[i] != SL_EXPR_NONE) {
            show(r, shown[i], POWER);
        }
    }
    say(r, texts[sign][4]);
}

/* The name is written at once: pieces wait for what comes before them only, and nothing does. */
static void write_table(renderer *r, sl_expr e) {
    const sl_node *node = sl_node_at(r->g, e);
    bool slope = node->op == SL_OP_SLOPE;
    if (r->form == SL_EXPR_C) {
        sl_out_printf(r->out, slope ? "sl_slope_%d(" : "sl_table_%d(", (int)node->symbol);
    } else {
        static const char *const opens[SL_EXPR_FORMS][2] = {
            {"(", ", "}, {"\\left(", "'\\left("}, {"", ""}, {"<mo>(</mo>", "<mo>\u2032</mo><mo>(</mo>"}};
        sl_out_z(r->out, r->form == SL_EXPR_MATHML ? "<mrow>" : slope && !is_set(r) ? "slope(" : "");
        write_name(r, sl_ids_text(r->g->ids, r->g->table_ids.at[node->symbol]));
        sl_out_z(r->out, opens[r->form][slope]);
    }
    show(r, arg(r, e, 0), ANY);
    say(r, close_of(r, SL_OP_TABLE));
}

/* word(a, b): in C the value, as there is no such function. */
static void write_named_call(renderer *r, sl_expr e) {
    const sl_node *node = sl_node_at(r->g, e);
    if (r->form == SL_EXPR_C) {
        show(r, arg(r, e, 0), POWER);
        return;
    }
    static const char *const opens[SL_EXPR_FORMS][2] = {
        {"", "("}, {"\\operatorname{", "}\\left("}, {"", ""}, {"<mrow><mi>", "</mi><mo>(</mo>"}};
    say(r, opens[r->form][0]);
    say(r, sl_calls[node->symbol].word);
    say(r, opens[r->form][1]);
    for (int32_t i = 1; i < node->n; i++) {
        say(r, i == 1 ? "" : r->form == SL_EXPR_MATHML ? "<mo>,</mo>" : ", ");
        show(r, arg(r, e, i), ANY);
    }
    say(r, close_of(r, SL_OP_TABLE));
}

typedef void writer(renderer *r, sl_expr e);
static writer *const writers[SL_OP_COUNT] = {
    [SL_OP_ADD] = write_sum,         [SL_OP_MUL] = write_product,   [SL_OP_DIV] = write_division,
    [SL_OP_NEG] = write_negative,    [SL_OP_POW] = write_power,     [SL_OP_LT] = write_comparison,
    [SL_OP_LE] = write_comparison,   [SL_OP_EQ] = write_comparison, [SL_OP_NE] = write_comparison,
    [SL_OP_NOT] = write_not,         [SL_OP_AND] = write_logic,     [SL_OP_OR] = write_logic,
    [SL_OP_IF] = write_if,           [SL_OP_TABLE] = write_table,   [SL_OP_SLOPE] = write_table,
    [SL_OP_CALL] = write_named_call,
};
static writer *const c_writers[SL_OP_COUNT] = {[SL_OP_MIN] = write_c_extreme,
                                               [SL_OP_MAX] = write_c_extreme,
                                               [SL_OP_MOD] = write_c_odd,
                                               [SL_OP_SIGN] = write_c_odd,
                                               [SL_OP_STICK] = write_c_odd};

static void write_node(renderer *r, sl_expr e) {
    sl_op op = sl_node_op(r->g, e);
    r->bottom = r->stack.n;
    if (r->form == SL_EXPR_C && c_writers[op]) {
        c_writers[op](r, e);
    } else if (writers[op]) {
        writers[op](r, e);
    } else {
        bool text = r->form == SL_EXPR_TEXT;
        write_call(r, e, text ? sl_op_infos[op].word : calls[r->form - 1][op], text ? "(" : "", close_of(r, op));
    }
}

/* The pieces of a node were put on the stack first to last: the first must come off first. */
static void turn(renderer *r) {
    for (int64_t i = r->bottom, k = r->stack.n - 1; i < k; i++, k--) {
        piece p = r->stack.at[i];
        r->stack.at[i] = r->stack.at[k];
        r->stack.at[k] = p;
    }
}

static void open_node(renderer *r, sl_expr e, int need) {
    static const char *const opens[SL_EXPR_FORMS] = {"(", "\\left(", "(", "<mrow><mo>(</mo>"};
    static const char *const closes[SL_EXPR_FORMS] = {")", "\\right)", ")", "<mo>)</mo></mrow>"};
    const sl_node *node = sl_node_at(r->g, e);
    if (need < 0) { /* a negative number after a minus sign */
        write_number(r, -node->u.value);
        return;
    }
    bool wrap = strength(r, e) < need;
    if (wrap) {
        bool truth = r->form == SL_EXPR_C && node->op >= SL_OP_LT && node->op <= SL_OP_OR;
        sl_out_z(r->out, truth ? "(double)(" : opens[r->form]);
        say(r, closes[r->form]);
    }
    if (node->n == 0) {
        write_leaf(r, node);
    } else {
        write_node(r, e);
        turn(r);
    }
}

sl_status sl_expr_render(const sl_exprs *g, sl_expr e, sl_expr_form form, const sl_sink *sink) {
    return sl_expr_render_loop(g, e, &(sl_expr_loop){.index = {"i", 1}}, form, sink);
}

sl_status sl_expr_render_loop(const sl_exprs *g, sl_expr e, const sl_expr_loop *loop, sl_expr_form form,
                              const sl_sink *sink) {
    if (e < 0) {
        return g->status != SL_OK ? g->status : SL_ERR_USE;
    }
    sl_out out;
    sl_out_init(&out, sink);
    renderer r = {.g = g, .form = form, .out = &out, .loop = *loop};
    show(&r, e, ANY);
    while (r.stack.n > 0 && !r.short_of_memory && out.status == SL_OK) {
        piece p = r.stack.at[--r.stack.n];
        if (p.text) {
            sl_out_z(&out, p.text);
        } else {
            open_node(&r, p.e, p.need);
        }
    }
    sl_status status = sl_out_flush(&out);
    SL_ARRAY_FINI(g->ctx, &r.stack);
    return r.short_of_memory ? SL_ERR_MEMORY : status;
}
