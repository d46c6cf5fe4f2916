/* SPDX-License-Identifier: MIT */
/* arrays.c: arrays of variables and parameters, and what the expression of a loop is in one of its cells. An array has one name in the
 * table of names; those of its elements stand in one block, NUL-terminated, and are found by reading the index. */
#include <string.h>

#include "base/out.h"
#include "expr/impl.h"

sl_str sl_array_element_name(const sl_exprs *g, int32_t array, int32_t symbol) {
    const sl_named_array *a = &g->arrays.at[array];
    const char *at = a->names + (size_t)(symbol - a->symbol) * a->stride;
    return (sl_str){at, strlen(at)};
}

int32_t sl_exprs_n_array(const sl_exprs *g) {
    return (int32_t)g->arrays.n;
}

sl_expr_array sl_exprs_array(const sl_exprs *g, int32_t array) {
    const sl_named_array *a = &g->arrays.at[array];
    return (sl_expr_array){sl_ids_text(g->ids, a->id), a->is_parameter, a->first, a->n, a->symbol};
}

int32_t sl_exprs_array_of(const sl_exprs *g, bool is_parameter, int32_t symbol) {
    int32_t id = is_parameter ? g->parameters.at[symbol] : g->variables.at[symbol];
    return id < 0 ? -1 - id : -1;
}

/* [ and a whole number, as names are written: no sign +, no zeros in front. */
static bool read_index(sl_str s, int64_t *index) {
    bool negative = s.len > 0 && s.ptr[0] == '-';
    size_t i = negative;
    int64_t v = 0;
    if (i == s.len || s.len > 12 || (s.ptr[i] == '0' && s.len > i + 1)) {
        return false;
    }
    for (; i < s.len && s.ptr[i] >= '0' && s.ptr[i] <= '9'; i++) {
        v = 10 * v + (s.ptr[i] - '0');
    }
    *index = negative ? -v : v;
    return i == s.len && !(negative && v == 0);
}

const sl_named_array *sl_array_find(const sl_exprs *g, sl_str name, int64_t *index) {
    size_t open = name.len;
    if (g->arrays.n == 0 || name.len < 4 || name.ptr[name.len - 1] != ']') {
        return NULL;
    }
    while (open > 0 && name.ptr[open - 1] != '[') {
        open--;
    }
    int32_t id = open > 1 ? sl_ids_find(g->ids, (sl_str){name.ptr, open - 1}) : -1;
    if (id < 0 || g->names.at[id].kind != SL_NAME_ARRAY ||
        !read_index((sl_str){name.ptr + open, name.len - open - 1}, index)) {
        return NULL;
    }
    const sl_named_array *a = &g->arrays.at[g->names.at[id].index];
    return *index >= a->first && *index - a->first < a->n ? a : NULL;
}

int32_t sl_expr_find_symbol(const sl_exprs *g, sl_str name, bool *is_parameter) {
    int64_t index;
    int32_t id = sl_ids_find(g->ids, name);
    const sl_named_array *a = id < 0 ? sl_array_find(g, name, &index) : NULL;
    if (a) {
        *is_parameter = a->is_parameter;
        return a->symbol + (int32_t)(index - a->first);
    }
    if (id < 0 || g->names.at[id].kind >= SL_NAME_TABLE) {
        return -1;
    }
    *is_parameter = g->names.at[id].kind == SL_NAME_PARAMETER;
    return g->names.at[id].index;
}

/* An element that somebody has declared by itself. */
static bool is_taken(const sl_exprs *g, sl_str name, int32_t first, int32_t n, char text[SL_QUOTE_MAX]) {
    for (int32_t i = 0; i < n && g->n_bracketed > 0; i++) {
        int length = sl_format(text, SL_QUOTE_MAX, "%.*s[%d]", (int)name.len, name.ptr, (int)(first + i));
        if (sl_ids_find(g->ids, (sl_str){text, (size_t)length}) >= 0) {
            return true;
        }
    }
    return false;
}

static const char *write_names(sl_exprs *g, sl_str name, int32_t first, int32_t n, size_t *stride) {
    char longest[32];
    int a = sl_format(longest, sizeof longest, "%d", (int)first),
        b = sl_format(longest, sizeof longest, "%d", (int)(first + (n - 1)));
    *stride = name.len + 3 + (size_t)(a > b ? a : b);
    char *names = sl_arena_alloc(&g->arena, (size_t)n * *stride);
    for (int32_t i = 0; names && i < n; i++) {
        char *to = names + (size_t)i * *stride;
        memcpy(to, name.ptr, name.len);
        (void)sl_format(to + name.len, *stride - name.len, "[%d]", (int)(first + i));
    }
    return names;
}

sl_status sl_expr_declare_array(sl_exprs *g, sl_str name, bool is_parameter, int32_t first, int32_t n,
                                const sl_text_location *place, sl_diags *diags, int32_t *symbol) {
    char text[SL_QUOTE_MAX], quoted[SL_QUOTE_MAX];
    *symbol = -1;
    if (g->is_copy) {
        return SL_ERR_USE;
    }
    if (n < 1 || n > SL_EXPR_ARRAY || first < -SL_EXPR_ARRAY || first > SL_EXPR_ARRAY) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, place, NULL, NULL, "write its range as p[1..100]",
                  "an array has 1 to %d elements, which %s has not", (int)SL_EXPR_ARRAY, sl_quote(name, quoted));
        return SL_ERR_INPUT;
    }
    if (is_taken(g, name, first, n, text)) {
        sl_report(diags, SL_ERROR, SL_CODE_DUPLICATE_ID, place, NULL, NULL,
                  "variables, parameters and tables share their names", "'%s' is already declared", text);
        return SL_ERR_INPUT;
    }
    sl_named_array a = {.first = first, .n = n, .is_parameter = is_parameter};
    a.symbol = (int32_t)(is_parameter ? g->parameters.n : g->variables.n);
    int32_t number = (int32_t)g->arrays.n;
    bool fine = SL_RESERVE(g->ctx, &g->arrays, number + 1) &&
                (is_parameter ? SL_RESERVE(g->ctx, &g->parameters, a.symbol + (int64_t)n)
                              : SL_RESERVE(g->ctx, &g->variables, a.symbol + (int64_t)n));
    if (!fine) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_expr_declare(g, name, (sl_name){SL_NAME_ARRAY, number, 0}, place, diags, &a.id);
    if (status != SL_OK) {
        return status;
    }
    a.names = write_names(g, name, first, n, &a.stride);
    if (!a.names) {
        return SL_ERR_MEMORY;
    }
    g->arrays.at[g->arrays.n++] = a;
    for (int32_t i = 0; i < n; i++) {
        if (is_parameter) {
            g->parameters.at[g->parameters.n++] = -1 - number;
        } else {
            g->variables.at[g->variables.n++] = -1 - number;
        }
    }
    *symbol = a.symbol;
    return SL_OK;
}

/* ---- Leaves ------------------------------------------------------------------------------------- */

sl_expr sl_expr_element(sl_exprs *g, int32_t variable, int32_t order) {
    if (order < 0 || order >= SL_EXPR_ORDERS || variable < 0 || variable >= g->variables.n) {
        return sl_exprs_fail(g, SL_ERR_USE);
    }
    return sl_expr_cons(g, SL_OP_ELEMENT, variable, order, 0.0, 0, NULL);
}

sl_expr sl_expr_parameter_element(sl_exprs *g, int32_t parameter) {
    if (parameter < 0 || parameter >= g->parameters.n) {
        return sl_exprs_fail(g, SL_ERR_USE);
    }
    return sl_expr_cons(g, SL_OP_PARAMETER_ELEMENT, parameter, 0, 0.0, 0, NULL);
}

sl_expr sl_expr_index(sl_exprs *g, int32_t first) {
    return sl_expr_cons(g, SL_OP_CELL, first, 0, 0.0, 0, NULL);
}

static bool moves(sl_op op) {
    return op == SL_OP_ELEMENT || op == SL_OP_PARAMETER_ELEMENT || op == SL_OP_CELL;
}

bool sl_expr_is_loop(sl_exprs *g, sl_expr e) {
    sl_expr_list leaves = {0};
    bool any = e >= 0 && sl_expr_leaves(g, 1, &e, &leaves) != SL_OK;
    for (int64_t k = 0; k < leaves.n; k++) {
        any = any || moves(sl_node_op(g, leaves.at[k]));
    }
    sl_expr_list_fini(g, &leaves);
    return any;
}

static sl_expr leaf_in_cell(sl_exprs *g, sl_expr leaf, int32_t cell) {
    int32_t symbol = sl_node_at(g, leaf)->symbol + cell;
    switch ((int)sl_node_op(g, leaf)) {
    case SL_OP_ELEMENT: return sl_expr_variable(g, symbol, sl_node_at(g, leaf)->order);
    case SL_OP_PARAMETER_ELEMENT: return sl_expr_parameter(g, symbol);
    default: return sl_expr_const(g, symbol);
    }
}

sl_expr sl_expr_cell(sl_exprs *g, sl_expr e, int32_t cell) {
    sl_expr_list leaves = {0};
    bool found = e >= 0 && sl_expr_leaves(g, 1, &e, &leaves) == SL_OK;
    size_t bytes = (2 * (size_t)leaves.n + 1) * sizeof(sl_expr);
    sl_expr *from = found ? sl_alloc(g->ctx, bytes) : NULL, *to = from ? from + leaves.n : NULL;
    int32_t n = 0;
    for (int64_t k = 0; from && k < leaves.n; k++) {
        if (moves(sl_node_op(g, leaves.at[k]))) {
            from[n] = leaves.at[k];
            to[n++] = leaf_in_cell(g, leaves.at[k], cell);
        }
    }
    sl_expr result = !from ? (e < 0 ? e : sl_exprs_fail(g, SL_ERR_MEMORY)) : sl_expr_substitute(g, e, n, from, to);
    sl_free(g->ctx, from, from ? bytes : 0);
    sl_expr_list_fini(g, &leaves);
    return result;
}
