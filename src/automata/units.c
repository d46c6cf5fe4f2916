/* SPDX-License-Identifier: MIT */
/* units.c: units of an automaton: declared with names, checked in what is written of them. Everything is in SI units; a number may be given
 * in others.
 */
#include "automata/automaton_impl.h"

#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"

#include <string.h>

/* A variable or parameter, or all of an array by the name before its brackets. False: there is none. */
static bool find_named(const sl_automaton *m, sl_str name, bool *is_parameter, int32_t *symbol, int32_t *n) {
    sl_str base = name;
    if (sl_automaton_is_range(name)) {
        while (base.ptr[--base.len] != '[') {}
    }
    *n = 1;
    *symbol = sl_expr_find_symbol(m->g, name, is_parameter);
    for (int32_t k = sl_exprs_n_array(m->g) - 1; *symbol < 0 && k >= 0; k--) {
        sl_expr_array array = sl_exprs_array(m->g, k);
        if (sl_str_equal(array.name, base)) {
            *is_parameter = array.is_parameter;
            *symbol = array.symbol;
            *n = array.n;
        }
    }
    return *symbol >= 0;
}

sl_status sl_automaton_declare_dimension(sl_automaton *m, sl_str name, const sl_dimension *d) {
    bool is_parameter;
    int32_t symbol, n;
    if (m->is_finished || !find_named(m, name, &is_parameter, &symbol, &n)) {
        return SL_ERR_USE;
    }
    return sl_sha_set_dimension(m->a, is_parameter, symbol, n, d);
}

sl_status sl_automaton_read_unit(sl_automaton *m, const sl_located_text *text, sl_dimension *d, double *factor) {
    if (sl_dimension_parse(text->text, d, factor)) {
        return SL_OK;
    }
    char quoted[SL_QUOTE_MAX];
    d->kind = SL_DIMENSION_UNKNOWN;
    sl_report(m->diags, SL_ERROR, SL_CODE_UNIT, text->location, NULL, NULL,
              "units are as Pa, m3/s, kg/m3, Pa.s, 1/(Pa s) or m2 s-1; 1 is that of a plain number",
              "%s is not a known unit", sl_quote(text->text, quoted));
    return SL_ERR_INPUT;
}

bool sl_automaton_unit_text(const sl_automaton *m, sl_str name, char text[SL_DIMENSION_TEXT]) {
    bool is_parameter;
    int32_t symbol, n;
    sl_dimension d = {.kind = SL_DIMENSION_UNKNOWN};
    if (sl_sha_n_dimension(m->a) > 0 && find_named(m, name, &is_parameter, &symbol, &n)) {
        d = sl_sha_dimension(m->a, is_parameter, symbol);
    }
    if (d.kind == SL_DIMENSION_KNOWN) {
        sl_dimension_text(&d, text);
    }
    return d.kind == SL_DIMENSION_KNOWN;
}

/* ---- Checking ------------------------------------------------------------------------------------ */

typedef struct part_text {
    char at[96];
    size_t n;
} part_text;

static sl_status put(void *user, const void *bytes, size_t n) {
    part_text *t = user;
    size_t room = sizeof t->at - 1 - t->n, take = n < room ? n : room;
    memcpy(t->at + t->n, bytes, take);
    t->n += take;
    t->at[t->n] = '\0';
    return SL_OK;
}

static void write_part(const sl_automaton *m, sl_expr e, const sl_expr_loop *loop, part_text *out) {
    *out = (part_text){.n = 0};
    (void)sl_expr_render_loop(m->g, e, loop, SL_EXPR_TEXT, &(sl_sink){out, put});
    if (out->n == sizeof out->at - 1) {
        memcpy(out->at + sizeof out->at - 4, "...", 3);
    }
}

/* Where a part is: its first leaf with a name. */
static const sl_text_location *locate(const sl_automaton *m, sl_expr part, const sl_element_location *where,
                                      sl_text_location *room) {
    sl_expr_list leaves = {0};
    const sl_text_location *at = sl_locate_formula(where);
    bool found = sl_expr_leaves(m->g, 1, &part, &leaves) != SL_OK;
    for (int64_t k = 0; k < leaves.n && !found; k++) {
        const sl_text_location *leaf = sl_locate_leaf(where, false, m->g, leaves.at[k], room);
        found = leaf == room;
        at = found ? leaf : at;
    }
    sl_expr_list_fini(m->g, &leaves);
    return at;
}

static sl_status refuse(const sl_automaton *m, const sl_dimension_fault *fault, const sl_expr_loop *loop,
                        const sl_element_location *where, sl_diags *diags) {
    char one[SL_DIMENSION_TEXT], other[SL_DIMENSION_TEXT];
    sl_text_location room;
    part_text first, part;
    sl_dimension_text(&fault->one, one);
    sl_dimension_text(&fault->other, other);
    write_part(m, fault->part, loop, &part);
    const sl_text_location *at = locate(m, fault->part, where, &room);
    if (fault->first == SL_EXPR_NONE) {
        sl_report(diags, SL_ERROR, SL_CODE_UNIT, at, NULL, NULL, "divide it by a quantity of its own unit",
                  "a plain number is needed here, and '%s' is in %s", part.at, other);
        return SL_ERR_INPUT;
    }
    write_part(m, fault->first, loop, &first);
    sl_report(diags, SL_ERROR, SL_CODE_UNIT, at, NULL, NULL,
              "units of what is added or compared must be the same; write quantities as parameters with a unit",
              "'%s' is in %s, and '%s' in %s", first.at, one, part.at, other);
    return SL_ERR_INPUT;
}

sl_status sl_automaton_check_units(sl_automaton *m, sl_expr e, int32_t variable, const sl_expr_loop *loop,
                                   const sl_element_location *where, sl_diags *diags) {
    sl_dimension d;
    sl_dimension_fault fault;
    if (sl_sha_n_dimension(m->a) == 0) {
        return SL_OK;
    }
    sl_expr set = variable >= 0 ? sl_expr_variable(m->g, sl_sha_graph_variable(m->a, variable), 0) : SL_EXPR_NONE;
    sl_expr whole = set >= 0 ? sl_expr_2(m->g, SL_OP_EQ, set, e) : e;
    sl_status status = sl_expr_find_dimension(m->g, whole, sl_sha_dimension, m->a, &d, &fault);
    return status == SL_OK && fault.part != SL_EXPR_NONE ? refuse(m, &fault, loop, where, diags) : status;
}

sl_status sl_automaton_set_unit(sl_automaton *a, const char *name, const char *unit) {
    sl_dimension d;
    double factor;
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name || !unit || a->is_finished) {
        return SL_ERR_USE;
    }
    const sl_located_text text = {.text = sl_str_z(unit)};
    sl_status status = sl_automaton_read_unit(a, &text, &d, &factor);
    status = status == SL_OK && factor != 1.0 ? SL_ERR_USE : status;
    return status == SL_OK ? sl_automaton_declare_dimension(a, sl_str_z(name), &d) : status;
}
