/* SPDX-License-Identifier: MIT */
/* parse.c: expressions from text, by recursive descent of bounded depth. The first thing that is wrong is reported with its
 * place and what would be right there. The grammar is in expr.h; docs/theory/expressions.md shows it with examples. */
#include <string.h>

#include "base/number.h"
#include "base/out.h"
#include "expr/impl.h"

typedef enum token_kind {
    T_END,
    T_NUMBER,
    T_NAME,
    T_PLUS,
    T_MINUS,
    T_TIMES,
    T_OVER,
    T_POWER,
    T_OPEN,
    T_CLOSE,
    T_COMMA,
    T_LT,
    T_LE,
    T_GT,
    T_GE,
    T_EQ,
    T_NE,
    T_AND,
    T_OR,
    T_NOT,
    T_BAD
} token_kind;

/* Longer ones first. */
static const struct {
    const char *text;
    token_kind kind;
} signs[] = {{"<=", T_LE},  {">=", T_GE},   {"==", T_EQ},  {"!=", T_NE},   {"&&", T_AND},
             {"||", T_OR},  {"<", T_LT},    {">", T_GT},   {"=", T_EQ},    {"&", T_AND},
             {"|", T_OR},   {"!", T_NOT},   {"+", T_PLUS}, {"-", T_MINUS}, {"*", T_TIMES},
             {"/", T_OVER}, {"^", T_POWER}, {"(", T_OPEN}, {")", T_CLOSE}, {",", T_COMMA}};
static const struct {
    const char *text;
    token_kind kind;
} words[] = {{"and", T_AND}, {"or", T_OR}, {"not", T_NOT}};

typedef struct parser {
    sl_exprs *g;
    sl_str text;
    const sl_text_location *place;
    sl_diags *diags;
    sl_status status;
    int depth;
    size_t begin, end; /* of the token at hand */
    token_kind kind;
    SL_ARRAY(sl_expr) args;   /* a stack of arguments being collected */
    const sl_expr_loop *loop; /* NULL: none */
    const sl_expr_numbers *numbers;
    bool is_uniform;
    /* Of a body of calls.c: the names of its arguments, and what they are. */
    const char *locals;
    const sl_expr *values;
} parser;

/* ---- What is wrong ------------------------------------------------------------------------------- */

static sl_expr fail_at(parser *p, size_t begin, size_t end, sl_code code, const char *hint, const char *what) {
    if (p->status == SL_OK) {
        sl_text_location place = p->place ? *p->place : (sl_text_location){.line = 1, .text = p->text};
        place.begin += begin;
        place.length = end - begin;
        char quoted[SL_QUOTE_MAX];
        sl_str token = {p->text.ptr + begin, end - begin};
        sl_report(p->diags, SL_ERROR, code, &place, NULL, NULL, hint, "%s%s%s", what, token.len ? " " : "",
                  token.len ? sl_quote(token, quoted) : "");
        p->status = SL_ERR_INPUT;
    }
    return SL_EXPR_NONE;
}
static sl_expr fail(parser *p, const char *hint, const char *what) {
    return fail_at(p, p->begin, p->end, SL_CODE_SYNTAX, hint, what);
}
/* What is said where something else should have come: after an operand another one may be a product. */
static const char *hint_here(const parser *p, const char *otherwise) {
    bool operand = p->kind == T_OPEN || p->kind == T_NAME || p->kind == T_NUMBER;
    return operand ? "write * to multiply" : otherwise;
}
/* A constructor failed: memory, or a derivative of too high an order (which the parser looks at itself). */
static sl_expr made(parser *p, sl_expr e) {
    if (e < 0 && p->status == SL_OK) {
        p->status = p->g->status != SL_OK ? p->g->status : SL_ERR_MEMORY;
    }
    return e;
}

/* ---- Tokens -------------------------------------------------------------------------------------- */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t number_length(sl_str s) {
    size_t i = 0;
    while (i < s.len && (is_digit(s.ptr[i]) || s.ptr[i] == '.')) {
        i++;
    }
    if (i < s.len && (s.ptr[i] == 'e' || s.ptr[i] == 'E')) {
        size_t k = i + 1;
        k += k < s.len && (s.ptr[k] == '+' || s.ptr[k] == '-');
        if (k < s.len && is_digit(s.ptr[k])) {
            for (i = k; i < s.len && is_digit(s.ptr[i]); i++) {}
        }
    }
    return i;
}

static token_kind name_kind(sl_str name) {
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (sl_str_equal(name, sl_str_z(words[i].text))) {
            return words[i].kind;
        }
    }
    return T_NAME;
}

static void next(parser *p) {
    size_t at = p->end;
    while (at < p->text.len &&
           (p->text.ptr[at] == ' ' || p->text.ptr[at] == '\t' || p->text.ptr[at] == '\n' || p->text.ptr[at] == '\r')) {
        at++;
    }
    sl_str rest = {p->text.ptr + at, p->text.len - at};
    p->begin = at;
    if (rest.len == 0) {
        p->kind = T_END;
        p->end = at;
        return;
    }
    size_t n = sl_expr_name_length(rest);
    if (n > 0) {
        p->kind = name_kind((sl_str){rest.ptr, n});
        p->end = at + n;
        return;
    }
    if (is_digit(rest.ptr[0]) || (rest.ptr[0] == '.' && rest.len > 1 && is_digit(rest.ptr[1]))) {
        p->kind = T_NUMBER;
        p->end = at + number_length(rest);
        return;
    }
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].text);
        if (length <= rest.len && memcmp(rest.ptr, signs[i].text, length) == 0) {
            p->kind = signs[i].kind;
            p->end = at + length;
            return;
        }
    }
    p->kind = T_BAD;
    p->end = at + 1;
}

static sl_str token_text(const parser *p) {
    return (sl_str){p->text.ptr + p->begin, p->end - p->begin};
}

/* ---- Grammar ------------------------------------------------------------------------------------- */

static sl_expr parse_or(parser *p);
static sl_expr parse_sign(parser *p);

static sl_expr parse_number(parser *p) {
    double value;
    sl_number read = sl_number_parse(token_text(p), &value);
    if (read != SL_NUMBER_OK) {
        return fail_at(p, p->begin, p->end, read == SL_NUMBER_RANGE ? SL_CODE_NUMBER_RANGE : SL_CODE_NOT_A_NUMBER,
                       read == SL_NUMBER_RANGE ? "numbers go up to 1.79e308" : "write it as 12, 0.5 or 1e-3",
                       "this is not a number that can be used:");
    }
    next(p);
    return made(p, sl_expr_const(p->g, value));
}

/* Collects arguments up to the closing parenthesis, the opening one being passed; they stay on the stack from *first. */
static bool parse_args(parser *p, int64_t *first) {
    *first = p->args.n;
    if (p->kind == T_CLOSE) {
        next(p);
        return true;
    }
    for (;;) {
        sl_expr e = parse_or(p);
        if (e < 0) {
            return false;
        }
        if (!SL_PUSH(p->g->ctx, &p->args, e)) {
            p->status = SL_ERR_MEMORY;
            return false;
        }
        if (p->kind == T_CLOSE) {
            next(p);
            return true;
        }
        if (p->kind != T_COMMA) {
            fail(p, hint_here(p, "arguments are separated by commas and end with )"),
                 p->kind == T_END ? "a ) is missing" : "unexpected");
            return false;
        }
        next(p);
    }
}

/* What stands before ( : an operation, or a word of the parser's own. Each takes n arguments a, or reports. */
typedef sl_expr maker(parser *p, int32_t n, const sl_expr *a, size_t begin, size_t end);

static sl_expr make_sum(parser *p, int32_t n, const sl_expr *a, size_t begin, size_t end) {
    (void)begin, (void)end;
    return n == 0 ? made(p, sl_expr_const(p->g, 0.0)) : made(p, sl_expr_make(p->g, SL_OP_ADD, n, a));
}
static sl_expr make_count(parser *p, int32_t n, const sl_expr *a, size_t begin, size_t end) {
    int64_t first = p->args.n - n; /* where a stands */
    for (int32_t i = 0; i < n; i++) {
        sl_expr e = p->args.at[first + i];
        e = sl_expr_is_boolean(p->g, e) ? e : sl_expr_2(p->g, SL_OP_NE, e, sl_expr_const(p->g, 0.0));
        if (made(p, e) < 0) {
            return SL_EXPR_NONE;
        }
        p->args.at[first + i] = e;
    }
    return make_sum(p, n, a, begin, end);
}
static sl_expr make_der(parser *p, int32_t n, const sl_expr *a, size_t begin, size_t end) {
    sl_exprs *g = p->g;
    bool is_element = n > 0 && sl_expr_op(g, a[0]) == SL_OP_ELEMENT;
    if ((n != 1 && n != 2) || (!is_element && sl_expr_op(g, a[0]) != SL_OP_VARIABLE) ||
        (n == 2 && sl_expr_op(g, a[1]) != SL_OP_CONST)) {
        return fail_at(p, begin, end, SL_CODE_SYNTAX,
                       "der(x) is the derivative of the variable x by time, der(x, 2) the second",
                       "a variable is expected in");
    }
    double order = n == 2 ? sl_expr_value(g, a[1]) : 1.0;
    double total = order + sl_expr_order(g, a[0]);
    if (!(order >= 1.0 && total < SL_EXPR_ORDERS) || order != (double)(int)order) {
        return fail_at(p, begin, end, SL_CODE_VALUE_RANGE, "derivatives go up to the third", "no such derivative:");
    }
    return made(p, (is_element ? sl_expr_element : sl_expr_variable)(g, sl_expr_symbol(g, a[0]), (int32_t)total));
}

/* The number of a local name, or -1. */
static int find_local(const parser *p, sl_str name) {
    const char *at = p->locals;
    for (int k = 0; at && *at; k++) {
        size_t n = strcspn(at, " ");
        if (n == name.len && memcmp(at, name.ptr, n) == 0) {
            return k;
        }
        at += n + (at[n] == ' ');
    }
    return -1;
}

/* A function of calls.c: its body, with these arguments. */
static sl_expr make_call(parser *p, int call, int32_t n, const sl_expr *a, size_t begin, size_t end) {
    enum { MOST = 8 };
    const sl_call_info *info = &sl_calls[call];
    const char *body = n >= info->least && n <= info->most ? info->body[n - info->least] : NULL;
    sl_expr all[MOST];
    if (!body) {
        char hint[160];
        (void)sl_format(hint, sizeof hint, "its arguments are %s%s", info->arguments,
                        info->least < info->most ? "; the last ones may be left out" : "");
        return fail_at(p, begin, end, SL_CODE_SYNTAX, hint, "wrong number of arguments:");
    }
    for (int32_t i = 0; i < n; i++) {
        all[i + 1] = a[i];
    }
    parser inner = {.g = p->g, .text = sl_str_z(body), .locals = info->arguments, .values = all + 1};
    next(&inner);
    all[0] = made(p, parse_or(&inner));
    SL_ARRAY_FINI(p->g->ctx, &inner.args);
    return all[0] < 0 ? all[0] : made(p, sl_expr_call(p->g, call, n + 1, all));
}

static const struct {
    const char *word;
    maker *make;
} makers[] = {{"sum", make_sum}, {"count", make_count}, {"der", make_der}};

static sl_expr call_op(parser *p, sl_op op, int32_t n, const sl_expr *a, size_t begin, size_t end) {
    int least = sl_op_infos[op].least, most = sl_op_infos[op].most;
    if (n < least || (most >= 0 && n > most)) {
        static const char *const hints[] = {"it takes no argument", "it takes one argument", "it takes two arguments",
                                            "it takes three arguments"};
        return fail_at(p, begin, end, SL_CODE_SYNTAX, most < 0 ? "it takes at least one argument" : hints[least],
                       "wrong number of arguments:");
    }
    return made(p, sl_expr_make(p->g, op, n, a));
}

static sl_expr unknown_name(parser *p, size_t begin, size_t end) {
    sl_str name = {p->text.ptr + begin, end - begin};
    char hint[SL_QUOTE_MAX + 32] = "declare it as a variable or a parameter";
    int32_t near = sl_ids_nearest(p->g->ids, name);
    if (near >= 0) {
        char quoted[SL_QUOTE_MAX];
        sl_quote(sl_ids_text(p->g->ids, near), quoted);
        sl_format(hint, sizeof hint, "did you mean %s?", quoted);
    }
    return fail_at(p, begin, end, SL_CODE_UNKNOWN_NAME, hint, "unknown name");
}

/* slope(table, x): the first argument is a name that is no expression. */
static sl_expr parse_slope(parser *p) {
    next(p);
    int32_t id = p->kind == T_NAME ? sl_ids_find(p->g->ids, token_text(p)) : -1;
    if (id < 0 || p->g->names.at[id].kind != SL_NAME_TABLE) {
        return fail(p, "slope(table, x) is the slope of a table at x", "the name of a table is expected, not");
    }
    next(p);
    if (p->kind != T_COMMA) {
        return fail(p, "slope(table, x) is the slope of a table at x", "a comma is expected");
    }
    next(p);
    sl_expr x = parse_or(p);
    if (x < 0) {
        return x;
    }
    if (p->kind != T_CLOSE) {
        return fail(p, NULL, "a ) is missing");
    }
    next(p);
    return made(p, sl_expr_table(p->g, p->g->names.at[id].index, true, x));
}

/* What functions of other languages and of mathematics are written here. */
static const struct {
    const char *word, *here;
} elsewhere[] = {
    {"sgn", "sign(x)"},
    {"signum", "sign(x)"},
    {"fabs", "abs(x)"},
    {"pow", "x^y"},
    {"power", "x^y"},
    {"sqr", "x^2"},
    {"square", "x^2"},
    {"cbrt", "x^(1/3)"},
    {"hypot", "sqrt(x^2 + y^2)"},
    {"ln", "log(x), the natural logarithm"},
    {"lg", "log10(x)"},
    {"log2", "log(x)/log(2)"},
    {"log1p", "log(1 + x)"},
    {"expm1", "exp(x) - 1"},
    {"arcsin", "asin(x)"},
    {"arccos", "acos(x)"},
    {"arctan", "atan(x)"},
    {"arctan2", "atan2(y, x)"},
    {"tg", "tan(x)"},
    {"cot", "1/tan(x)"},
    {"int", "floor(x)"},
    {"trunc", "sign(x)*floor(abs(x))"},
    {"round", "floor(x + 0.5)"},
    {"ceiling", "ceil(x)"},
    {"fmod", "mod(x, y)"},
    {"rem", "mod(x, y)"},
    {"fmin", "min(x, y)"},
    {"fmax", "max(x, y)"},
    {"minimum", "min(x, y)"},
    {"maximum", "max(x, y)"},
    {"clip", "min(max(x, low), high)"},
    {"clamp", "min(max(x, low), high)"},
    {"ifelse", "if(condition, x, y)"},
    {"where", "if(condition, x, y)"},
    {"heaviside", "if(x > 0, 1, 0)"},
    {"step", "if(x > 0, 1, 0)"},
    {"diff", "der(x)"},
    {"ddt", "der(x)"},
    {"noEvent", "smooth(x)"},
};

static const char *find_elsewhere(sl_str name) {
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        if (sl_str_equal(name, sl_str_z(elsewhere[i].word))) {
            return elsewhere[i].here;
        }
    }
    return NULL;
}

/* With the nearest function or table, if one is near. */
static sl_expr unknown_function(parser *p, size_t begin, size_t end) {
    sl_str name = {p->text.ptr + begin, end - begin}, found = {NULL, 0};
    char quoted[SL_QUOTE_MAX], hint[SL_QUOTE_MAX + 32];
    const char *here = find_elsewhere(name);
    if (here) {
        (void)sl_format(hint, sizeof hint, "write %s", here);
        return fail_at(p, begin, end, SL_CODE_UNKNOWN_NAME, hint, "unknown function");
    }
    int best = name.len > 3 ? 5 : 3; /* two mistakes, or one */
    enum { N_MAKER = (int)(sizeof makers / sizeof *makers) };
    for (int op = 0; op < SL_OP_COUNT + N_MAKER + sl_n_call; op++) {
        sl_str other = sl_str_z(op < SL_OP_COUNT             ? sl_op_infos[op].word
                                : op < SL_OP_COUNT + N_MAKER ? makers[op - SL_OP_COUNT].word
                                                             : sl_calls[op - SL_OP_COUNT - N_MAKER].word);
        int d = other.len > 1 ? sl_edit_distance(name, other, best) : best; /* t is no function */
        found = d < best ? other : found;
        best = d < best ? d : best;
    }
    int32_t near = sl_ids_nearest(p->g->ids, name);
    if (!found.ptr && near >= 0 && p->g->names.at[near].kind == SL_NAME_TABLE) {
        found = sl_ids_text(p->g->ids, near);
    }
    if (found.ptr) {
        (void)sl_format(hint, sizeof hint, "did you mean %s?", sl_quote(found, quoted));
    }
    return fail_at(p, begin, end, SL_CODE_UNKNOWN_NAME,
                   found.ptr
                       ? hint
                       : "functions are sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh abs sign floor "
                         "ceil atan2 mod min max if sum count der smooth stick slope, those of hydraulics (smoothstep "
                         "liquid_density friction_gradient orifice_flow ...), and tables by their names",
                   "unknown function");
}

static sl_expr parse_call(parser *p, sl_str name, size_t begin, size_t end) {
    sl_op op = sl_op_find(name);
    if (op == SL_OP_SLOPE) {
        return parse_slope(p);
    }
    int32_t id = sl_ids_find(p->g->ids, name);
    maker *make = NULL;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        make = sl_str_equal(name, sl_str_z(makers[i].word)) ? makers[i].make : make;
    }
    bool table = id >= 0 && p->g->names.at[id].kind == SL_NAME_TABLE;
    int call = sl_call_find(name);
    if (call < 0 && !make && !table && (op == SL_OP_COUNT || op == SL_OP_TIME)) {
        return id >= 0 || op == SL_OP_TIME
                   ? fail_at(p, begin, end, SL_CODE_SYNTAX, "write * to multiply", "this is no function:")
                   : unknown_function(p, begin, end);
    }
    int64_t first;
    next(p);
    sl_expr e = SL_EXPR_NONE;
    if (parse_args(p, &first)) {
        int32_t n = (int32_t)(p->args.n - first);
        const sl_expr *a = n > 0 ? p->args.at + first : NULL;
        if (table && n != 1) {
            e = fail_at(p, begin, end, SL_CODE_SYNTAX, "a table takes one argument", "wrong number of arguments:");
        } else {
            e = call >= 0 ? make_call(p, call, n, a, begin, end)
                : table   ? made(p, sl_expr_table(p->g, p->g->names.at[id].index, false, a[0]))
                : make    ? make(p, n, a, begin, end)
                          : call_op(p, op, n, a, begin, end);
        }
    }
    p->args.n = first;
    return e;
}

/* ---- Elements of arrays -------------------------------------------------------------------------- */

/* Where the brackets of an element begin, if the token at hand, with brackets behind it, is one of an array. */
static bool find_brackets(const parser *p, sl_str name, int32_t *array, size_t *open, size_t *close) {
    size_t i = p->end;
    if (p->g->arrays.n == 0) {
        return false;
    }
    if (name.ptr[name.len - 1] == ']') {
        for (i = p->end - 1; i > p->begin && p->text.ptr[i] != '['; i--) {}
    }
    *open = i;
    int32_t id = i < p->text.len && p->text.ptr[i] == '['
                     ? sl_ids_find(p->g->ids, (sl_str){p->text.ptr + p->begin, i - p->begin})
                     : -1;
    if (id < 0 || p->g->names.at[id].kind != SL_NAME_ARRAY) {
        return false;
    }
    *array = p->g->names.at[id].index;
    while (i < p->text.len && p->text.ptr[i] != ']') {
        i++;
    }
    *close = i;
    return true;
}

static sl_expr fail_range(parser *p, size_t begin, size_t end, const sl_named_array *a, int64_t index) {
    char hint[120];
    (void)sl_format(hint, sizeof hint, "its elements are %d to %d", (int)a->first, (int)(a->first + (a->n - 1)));
    char what[80];
    (void)sl_format(what, sizeof what, "there is no element %lld of the array:", (long long)index);
    return fail_at(p, begin, end, SL_CODE_VALUE_RANGE, hint, what);
}

/* p[3], p[i], p[i + 1], p[N]: the token at hand, and its brackets. */
static sl_expr parse_element(parser *p, int32_t array, size_t open, size_t close) {
    const sl_named_array *a = &p->g->arrays.at[array];
    size_t begin = p->begin, end = close + (close < p->text.len);
    sl_affine v = {0, 0};
    if (close == p->text.len ||
        !sl_index_read((sl_str){p->text.ptr + open + 1, close - open - 1}, p->loop, p->numbers, &v)) {
        return fail_at(
            p, begin, end, SL_CODE_SYNTAX,
            "an index is made of whole numbers, parameters that are whole, and the index of the loop: p[3], p[i+1]",
            "this index cannot be read:");
    }
    bool in_loop = v.a != 0;
    int64_t first = in_loop ? v.a * p->loop->first + v.b : v.b, last = in_loop ? first + v.a * (p->loop->n - 1) : first;
    if (first < a->first || first - a->first >= a->n || last < a->first || last - a->first >= a->n) {
        return fail_range(p, begin, end, a, first < a->first || first - a->first >= a->n ? first : last);
    }
    p->end = end;
    next(p);
    p->is_uniform = p->is_uniform && (!in_loop || v.a == 1);
    int32_t symbol = a->symbol + (int32_t)(first - a->first);
    bool moves = in_loop && v.a == 1;
    return made(p, a->is_parameter ? (moves ? sl_expr_parameter_element(p->g, symbol) : sl_expr_parameter(p->g, symbol))
                   : moves         ? sl_expr_element(p->g, symbol, 0)
                                   : sl_expr_variable(p->g, symbol, 0));
}

static sl_expr fail_array(parser *p, size_t begin, size_t end) {
    return fail_at(p, begin, end, SL_CODE_SYNTAX, "write one of its elements, with an index in brackets: p[3]",
                   "this is an array:");
}

static sl_expr parse_name(parser *p) {
    size_t begin = p->begin, end = p->end, open, close;
    sl_str name = token_text(p);
    int32_t array;
    if (sl_ids_find(p->g->ids, name) < 0 || (end < p->text.len && p->text.ptr[end] == '[')) {
        if (find_brackets(p, name, &array, &open, &close)) {
            return parse_element(p, array, open, close);
        }
    }
    next(p);
    int local = p->kind == T_OPEN ? -1 : find_local(p, name);
    if (local >= 0) {
        return p->values[local];
    }
    if (p->loop && p->kind != T_OPEN && sl_str_equal(name, p->loop->index)) {
        return made(p, p->loop->n == 1 ? sl_expr_const(p->g, p->loop->first) : sl_expr_index(p->g, p->loop->first));
    }
    if (p->kind == T_OPEN) {
        return parse_call(p, name, begin, end);
    }
    static const char *const truths[] = {"false", "true", "False", "True"};
    for (int i = 0; i < 4; i++) {
        if (sl_str_equal(name, sl_str_z(truths[i]))) {
            return made(p, sl_expr_const(p->g, i % 2));
        }
    }
    int32_t id = sl_ids_find(p->g->ids, name);
    sl_op op = sl_op_find(name);
    if (op == SL_OP_TIME) {
        return made(p, sl_expr_time(p->g));
    }
    if (op != SL_OP_COUNT || sl_call_find(name) >= 0 || sl_expr_word_is_reserved(name) ||
        (id >= 0 && p->g->names.at[id].kind == SL_NAME_TABLE)) {
        return fail_at(p, begin, end, SL_CODE_SYNTAX, "write its arguments in parentheses", "this is a function:");
    }
    if (id >= 0 && p->g->names.at[id].kind == SL_NAME_ARRAY) {
        return fail_array(p, begin, end);
    }
    return id < 0 ? unknown_name(p, begin, end) : made(p, sl_expr_find(p->g, name));
}

static sl_expr parse_primary(parser *p) {
    if (p->kind == T_NUMBER) {
        return parse_number(p);
    }
    if (p->kind == T_NAME) {
        return parse_name(p);
    }
    if (p->kind == T_OPEN) {
        next(p);
        sl_expr e = parse_or(p);
        if (e < 0) {
            return e;
        }
        if (p->kind != T_CLOSE) {
            return fail(p, hint_here(p, "every ( needs a )"), p->kind == T_END ? "a ) is missing" : "unexpected");
        }
        next(p);
        return e;
    }
    return fail(p, "a number, a name, a function or ( begins an operand",
                p->kind == T_END ? "the expression ends too early" : "an operand is expected, not");
}

static sl_expr parse_power(parser *p) {
    sl_expr base = parse_primary(p);
    if (base < 0 || p->kind != T_POWER) {
        return base;
    }
    next(p);
    sl_expr exponent = parse_sign(p);
    return exponent < 0 ? exponent : made(p, sl_expr_2(p->g, SL_OP_POW, base, exponent));
}

static bool is_comparison(token_kind kind) {
    return kind >= T_LT && kind <= T_NE;
}

/* All recursion comes through here: the depth is counted here. */
static sl_expr parse_sign(parser *p) {
    if (++p->depth > SL_EXPR_DEPTH) {
        return fail(p, "split it into named expressions", "the expression is nested too deeply at");
    }
    sl_expr e;
    token_kind kind = p->kind;
    if (kind == T_MINUS || kind == T_PLUS || kind == T_NOT) {
        next(p);
        e = parse_sign(p);
        if (e >= 0 && kind == T_NOT && is_comparison(p->kind)) {
            e = fail(p, "write !(a = b) or (!a) = b", "it is not clear what ! belongs to before");
        }
        if (e >= 0 && kind != T_PLUS) {
            e = made(p, sl_expr_1(p->g, kind == T_NOT ? SL_OP_NOT : SL_OP_NEG, e));
        }
    } else {
        e = parse_power(p);
    }
    p->depth--;
    return e;
}

/* Collects operands joined by one operator; subtraction is a sum with negative terms. */
typedef sl_expr operand(parser *p);
static sl_expr parse_joined(parser *p, operand *inner, token_kind join, token_kind minus, sl_op op) {
    sl_expr e = inner(p);
    if (e < 0 || (p->kind != join && p->kind != minus)) {
        return e;
    }
    int64_t first = p->args.n;
    bool good = SL_PUSH(p->g->ctx, &p->args, e);
    while (good && (p->kind == join || p->kind == minus)) {
        bool negative = p->kind != join;
        next(p);
        e = inner(p);
        if (e >= 0 && negative) {
            e = made(p, sl_expr_1(p->g, SL_OP_NEG, e));
        }
        if (e < 0) {
            p->args.n = first;
            return e;
        }
        good = SL_PUSH(p->g->ctx, &p->args, e);
    }
    e = good ? sl_expr_make(p->g, op, (int32_t)(p->args.n - first), p->args.at + first) : SL_EXPR_NONE;
    p->args.n = first;
    return made(p, e);
}

/* a * b * c is one product; a division closes what stands before it. */
static sl_expr parse_product(parser *p) {
    sl_expr e = parse_joined(p, parse_sign, T_TIMES, T_TIMES, SL_OP_MUL);
    while (e >= 0 && p->kind == T_OVER) {
        next(p);
        sl_expr below = parse_sign(p);
        e = below < 0 ? below : made(p, sl_expr_2(p->g, SL_OP_DIV, e, below));
        if (e >= 0 && p->kind == T_TIMES) {
            int64_t first = p->args.n;
            bool good = SL_PUSH(p->g->ctx, &p->args, e);
            while (good && p->kind == T_TIMES) {
                next(p);
                sl_expr factor = parse_sign(p);
                if (factor < 0) {
                    p->args.n = first;
                    return factor;
                }
                good = SL_PUSH(p->g->ctx, &p->args, factor);
            }
            e = good ? sl_expr_make(p->g, SL_OP_MUL, (int32_t)(p->args.n - first), p->args.at + first) : SL_EXPR_NONE;
            p->args.n = first;
            made(p, e);
        }
    }
    return e;
}
static sl_expr parse_sum(parser *p) {
    return parse_joined(p, parse_product, T_PLUS, T_MINUS, SL_OP_ADD);
}

static sl_expr parse_comparison(parser *p) {
    static const struct {
        sl_op op;
        bool swapped;
    } ops[] = {{SL_OP_LT, false}, {SL_OP_LE, false}, {SL_OP_LT, true},
               {SL_OP_LE, true},  {SL_OP_EQ, false}, {SL_OP_NE, false}};
    sl_expr a = parse_sum(p);
    if (a < 0 || !is_comparison(p->kind)) {
        return a;
    }
    int k = (int)p->kind - T_LT;
    next(p);
    sl_expr b = parse_sum(p);
    if (b < 0) {
        return b;
    }
    if (is_comparison(p->kind)) {
        return fail(p, "join comparisons with &: a < b & b < c", "comparisons cannot be chained:");
    }
    return made(p, sl_expr_2(p->g, ops[k].op, ops[k].swapped ? b : a, ops[k].swapped ? a : b));
}
static sl_expr parse_and(parser *p) {
    return parse_joined(p, parse_comparison, T_AND, T_AND, SL_OP_AND);
}
static sl_expr parse_or(parser *p) {
    return parse_joined(p, parse_and, T_OR, T_OR, SL_OP_OR);
}

sl_status sl_expr_parse(sl_exprs *g, sl_str text, const sl_text_location *place, sl_diags *diags, sl_expr *out) {
    bool is_uniform;
    return sl_expr_parse_loop(g, text, NULL, NULL, place, diags, out, &is_uniform);
}

sl_status sl_expr_parse_loop(sl_exprs *g, sl_str text, const sl_expr_loop *loop, const sl_expr_numbers *numbers,
                             const sl_text_location *place, sl_diags *diags, sl_expr *out, bool *is_uniform) {
    *out = SL_EXPR_NONE;
    *is_uniform = true;
    if (g->status != SL_OK) {
        return g->status;
    }
    parser p = {
        .g = g, .text = text, .place = place, .diags = diags, .loop = loop, .numbers = numbers, .is_uniform = true};
    next(&p);
    sl_expr e = parse_or(&p);
    if (e >= 0 && p.kind != T_END) {
        fail(&p, hint_here(&p, p.kind == T_CLOSE ? "there is no ( for it" : NULL), "unexpected");
    }
    SL_ARRAY_FINI(g->ctx, &p.args);
    if (p.status == SL_OK) {
        *out = e;
        *is_uniform = p.is_uniform;
    }
    return p.status;
}
