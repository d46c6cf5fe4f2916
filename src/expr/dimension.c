/* SPDX-License-Identifier: MIT */
/* dimension.c: see dimension.h. Nodes are gone through once, arguments first. */
#include "expr/dimension.h"

#include <sluice/units.h>

#include <math.h>
#include <string.h>

#include "base/out.h"
#include "expr/impl.h"

typedef struct finder {
    const sl_exprs *g;
    const sl_walk *walk;
    const sl_dimension *d; /* by place in the walk */
    sl_dimension_fault *fault;
} finder;

sl_dimension sl_dimension_none(void) {
    return (sl_dimension){.kind = SL_DIMENSION_KNOWN};
}

static sl_dimension number(void) {
    return (sl_dimension){.kind = SL_DIMENSION_NUMBER};
}

static bool is_none(const sl_dimension *d) {
    bool none = true;
    for (int k = 0; k < SL_BASE_UNITS; k++) {
        none = none && fabs(d->exponent[k]) < 1e-9;
    }
    return none;
}

bool sl_dimension_fits(const sl_dimension *a, const sl_dimension *b) {
    bool same = true;
    for (int k = 0; k < SL_BASE_UNITS; k++) {
        same = same && fabs(a->exponent[k] - b->exponent[k]) < 1e-9;
    }
    return same || a->kind != SL_DIMENSION_KNOWN || b->kind != SL_DIMENSION_KNOWN;
}

static sl_dimension times(sl_dimension a, const sl_dimension *b, double power) {
    for (int k = 0; k < SL_BASE_UNITS; k++) {
        a.exponent[k] += power * b->exponent[k];
    }
    a.kind = a.kind == SL_DIMENSION_UNKNOWN || b->kind == SL_DIMENSION_UNKNOWN ? SL_DIMENSION_UNKNOWN
             : a.kind > b->kind                                                ? a.kind
                                                                               : b->kind;
    return a;
}

static const sl_dimension *arg(const finder *f, sl_expr e, int32_t i) {
    return &f->d[f->walk->place[sl_node_args(f->g, e)[i]]];
}

static void note(finder *f, sl_expr first, sl_expr part, const sl_dimension *one, const sl_dimension *other) {
    if (f->fault->part == SL_EXPR_NONE) {
        *f->fault = (sl_dimension_fault){first, part, *one, *other};
    }
}

/* Arguments from the first on have one dimension, which is the result. */
static sl_dimension alike(finder *f, sl_expr e, int32_t from) {
    int32_t n = sl_node_at(f->g, e)->n, known = -1;
    bool numbers = true;
    for (int32_t i = from; i < n; i++) {
        const sl_dimension *d = arg(f, e, i);
        numbers = numbers && d->kind == SL_DIMENSION_NUMBER;
        if (d->kind == SL_DIMENSION_KNOWN && known < 0) {
            known = i;
        } else if (d->kind == SL_DIMENSION_KNOWN && !sl_dimension_fits(arg(f, e, known), d)) {
            note(f, sl_node_args(f->g, e)[known], sl_node_args(f->g, e)[i], arg(f, e, known), d);
        }
    }
    return known >= 0 ? *arg(f, e, known) : numbers ? number() : (sl_dimension){.kind = SL_DIMENSION_UNKNOWN};
}

/* An argument that must have none. */
static void needs_none(finder *f, sl_expr e, int32_t i) {
    const sl_dimension *d = arg(f, e, i), none = sl_dimension_none();
    if (d->kind == SL_DIMENSION_KNOWN && !is_none(d)) {
        note(f, SL_EXPR_NONE, sl_node_args(f->g, e)[i], &none, d);
    }
}

static sl_dimension of_power(finder *f, sl_expr e) {
    sl_expr exponent = sl_node_args(f->g, e)[1];
    const sl_dimension *base = arg(f, e, 0);
    needs_none(f, e, 1);
    if (sl_node_op(f->g, exponent) == SL_OP_CONST) {
        return base->kind == SL_DIMENSION_UNKNOWN
                   ? *base
                   : times((sl_dimension){.kind = base->kind}, base, sl_node_at(f->g, exponent)->u.value);
    }
    needs_none(f, e, 0);
    return base->kind == SL_DIMENSION_UNKNOWN ? *base : sl_dimension_none();
}

static sl_dimension of_product(const finder *f, sl_expr e) {
    sl_dimension d = number();
    for (int32_t i = 0; i < sl_node_at(f->g, e)->n; i++) {
        d = times(d, arg(f, e, i), 1.0);
    }
    return d;
}

static sl_dimension of_node(finder *f, sl_expr e) {
    switch ((int)sl_node_op(f->g, e)) {
    case SL_OP_ADD:
    case SL_OP_MIN:
    case SL_OP_MAX:
    case SL_OP_MOD: return alike(f, e, 0);
    case SL_OP_IF: return alike(f, e, 1);
    case SL_OP_MUL: return of_product(f, e);
    case SL_OP_DIV: return times(*arg(f, e, 0), arg(f, e, 1), -1.0);
    case SL_OP_POW: return of_power(f, e);
    case SL_OP_SQRT: return times((sl_dimension){.kind = arg(f, e, 0)->kind}, arg(f, e, 0), 0.5);
    case SL_OP_NEG:
    case SL_OP_ABS:
    case SL_OP_FLOOR:
    case SL_OP_CEIL:
    case SL_OP_SMOOTH:
    case SL_OP_CALL: return *arg(f, e, 0);
    case SL_OP_ATAN2:
    case SL_OP_LT:
    case SL_OP_LE:
    case SL_OP_EQ:
    case SL_OP_NE: (void)alike(f, e, 0); return number();
    case SL_OP_SIGN:
    case SL_OP_STICK:
    case SL_OP_NOT:
    case SL_OP_AND:
    case SL_OP_OR: return number();
    case SL_OP_TABLE:
    case SL_OP_SLOPE: return (sl_dimension){.kind = SL_DIMENSION_UNKNOWN};
    default: needs_none(f, e, 0); return sl_dimension_none(); /* exp, log, sin and the like */
    }
}

static sl_dimension of_leaf(const finder *f, sl_expr e, sl_dimension_of_symbol *of, const void *user) {
    const sl_node *node = sl_node_at(f->g, e);
    const sl_dimension second = {.kind = SL_DIMENSION_KNOWN, .exponent = {0, 0, 1, 0}};
    switch ((int)node->op) {
    case SL_OP_CONST:
    case SL_OP_CELL: return number();
    case SL_OP_TIME: return second;
    case SL_OP_PARAMETER:
    case SL_OP_PARAMETER_ELEMENT: return of(user, true, node->symbol);
    default: return times(of(user, false, node->symbol), &second, -(double)node->order);
    }
}

sl_status sl_expr_find_dimension(sl_exprs *g, sl_expr e, sl_dimension_of_symbol *of, const void *user,
                                 sl_dimension *out, sl_dimension_fault *fault) {
    sl_expr_list list = {0};
    *fault = (sl_dimension_fault){.first = SL_EXPR_NONE, .part = SL_EXPR_NONE};
    *out = (sl_dimension){.kind = SL_DIMENSION_UNKNOWN};
    sl_status status = sl_expr_below(g, 1, &e, &list);
    size_t bytes = ((size_t)list.n + 1) * sizeof(sl_dimension);
    sl_dimension *d = status == SL_OK ? sl_alloc(g->ctx, bytes) : NULL;
    finder f = {.g = g, .walk = &g->walk, .d = d, .fault = fault};
    for (int64_t k = 0; d && k < list.n; k++) {
        bool leaf = sl_node_at(g, list.at[k])->n == 0;
        d[k] = leaf ? of_leaf(&f, list.at[k], of, user) : of_node(&f, list.at[k]);
    }
    if (d && list.n > 0) {
        *out = d[list.n - 1];
    }
    status = status == SL_OK && !d ? SL_ERR_MEMORY : status;
    sl_free(g->ctx, d, d ? bytes : 0);
    sl_expr_list_fini(g, &list);
    return status;
}

/* ---- Text ---------------------------------------------------------------------------------------- */

static bool take_unit(sl_str name, double power, sl_dimension *out, double *factor) {
    const sl_unit *unit = sl_unit_find(name);
    if (!unit || unit->offset != 0.0) {
        return false;
    }
    for (int k = 0; k < SL_BASE_UNITS; k++) {
        out->exponent[k] += power * unit->dim[k];
    }
    *factor *= pow(unit->factor, power);
    return true;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/* m, m2, s-1, 1: a name, and perhaps its exponent. */
static bool take_factor(sl_str s, double sign, sl_dimension *out, double *factor) {
    size_t end = s.len;
    if (take_unit(s, sign, out, factor)) {
        return true;
    }
    while (end > 1 && is_digit(s.ptr[end - 1])) {
        end--;
    }
    double power = 0.0;
    if (s.len - end > 2) {
        return false;
    }
    for (size_t i = end; i < s.len; i++) {
        power = 10.0 * power + (s.ptr[i] - '0');
    }
    bool negative = end > 1 && s.ptr[end - 1] == '-';
    end -= negative;
    end -= end > 1 && s.ptr[end - 1] == '^';
    return power > 0.0 && take_unit((sl_str){s.ptr, end}, sign * (negative ? -power : power), out, factor);
}

static bool is_between(char c) {
    return c == ' ' || c == '*' || c == '.' || c == '/' || c == '(' || c == ')';
}

bool sl_dimension_parse(sl_str text, sl_dimension *out, double *factor) {
    double sign = 1.0;
    bool fine = text.len > 0, any = false, in_brackets = false;
    *out = sl_dimension_none();
    *factor = 1.0;
    if (take_unit(text, 1.0, out, factor)) {
        return true;
    }
    for (size_t i = 0; i < text.len && fine;) {
        size_t end = i;
        while (end < text.len && !is_between(text.ptr[end])) {
            end++;
        }
        if (end > i) {
            fine = take_factor((sl_str){text.ptr + i, end - i}, sign, out, factor);
            sign = in_brackets ? sign : 1.0; /* of a / only what follows it */
            any = true;
            i = end;
            continue;
        }
        char c = text.ptr[i++];
        fine = !(c == '/' && in_brackets) && !(c == '(' && in_brackets) && !(c == ')' && !in_brackets);
        sign = c == '/' ? -1.0 : c == ')' ? 1.0 : sign;
        in_brackets = c == '(' || (in_brackets && c != ')');
    }
    return fine && any && !in_brackets && isfinite(*factor) && *factor > 0.0;
}

void sl_dimension_text(const sl_dimension *d, char text[SL_DIMENSION_TEXT]) {
    static const char *const usual[] = {"Pa",   "N",     "J",    "W",   "Pa.s", "m/s", "m/s2", "m2", "m3", "m3/s",
                                        "kg/s", "kg/m3", "m2/s", "1/s", "m",    "kg",  "s",    "K",  "1"};
    static const char *const bases[SL_BASE_UNITS] = {"m", "kg", "s", "K"};
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
        sl_dimension u = sl_dimension_none();
        double factor = 1.0;
        if (take_unit((sl_str){usual[i], strlen(usual[i])}, 1.0, &u, &factor) && sl_dimension_fits(&u, d)) {
            (void)sl_format(text, SL_DIMENSION_TEXT, "%s", usual[i]);
            return;
        }
    }
    size_t at = 0;
    text[0] = '\0';
    for (int k = 0; k < SL_BASE_UNITS; k++) {
        double e = d->exponent[k];
        if (fabs(e) > 1e-9 && at + 24 < SL_DIMENSION_TEXT) {
            at += (size_t)sl_format(text + at, SL_DIMENSION_TEXT - at, "%s%s", at ? " " : "", bases[k]);
            at += e == 1.0 ? 0 : (size_t)sl_format(text + at, SL_DIMENSION_TEXT - at, "%.4g", e);
        }
    }
}
