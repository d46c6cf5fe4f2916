/* SPDX-License-Identifier: MIT */
/* parse_words.c: what was probably meant by the name of a function that there is not. */
#include "base/out.h"
#include "expr/impl.h"

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

/* The nearest of functions and of the parser's own words, if one is near. */
static sl_str find_nearest(sl_str name) {
    static const char *const own[] = {"sum", "count", "der"};
    enum { N_OWN = (int)(sizeof own / sizeof *own) };
    int best = name.len > 3 ? 5 : 3; /* two mistakes, or one */
    sl_str found = {NULL, 0};
    for (int op = 0; op < SL_OP_COUNT + N_OWN + sl_n_call; op++) {
        sl_str other = sl_str_z(op < SL_OP_COUNT           ? sl_op_infos[op].word
                                : op < SL_OP_COUNT + N_OWN ? own[op - SL_OP_COUNT]
                                                           : sl_calls[op - SL_OP_COUNT - N_OWN].word);
        int d = other.len > 1 ? sl_edit_distance(name, other, best) : best; /* t is no function */
        found = d < best ? other : found;
        best = d < best ? d : best;
    }
    return found;
}

void sl_function_hint(const sl_exprs *g, sl_str name, char hint[SL_FUNCTION_HINT]) {
    char quoted[SL_QUOTE_MAX];
    const char *here = find_elsewhere(name);
    if (here) {
        (void)sl_format(hint, SL_FUNCTION_HINT, "write %s", here);
        return;
    }
    sl_str found = find_nearest(name);
    int32_t near = sl_ids_nearest(g->ids, name);
    if (!found.ptr && near >= 0 && g->names.at[near].kind == SL_NAME_TABLE) {
        found = sl_ids_text(g->ids, near);
    }
    if (found.ptr) {
        (void)sl_format(hint, SL_FUNCTION_HINT, "did you mean %s?", sl_quote(found, quoted));
        return;
    }
    (void)sl_format(
        hint, SL_FUNCTION_HINT, "%s",
        "functions are sqrt exp log log10 sin cos tan asin acos atan sinh cosh tanh abs sign floor "
        "ceil atan2 mod min max if sum count der smooth stick slope curvature, those of hydraulics (smoothstep "
        "liquid_density friction_gradient orifice_flow ...), and tables by their names");
}
