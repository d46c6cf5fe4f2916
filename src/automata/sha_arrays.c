/* SPDX-License-Identifier: MIT */
/* sha_arrays.c: arrays of continuous variables and of parameters: each element is a variable of the automaton as any other, with a number, a
 * start and a value before actions, but their names and leaves are those of one array (expr.h).
 */
#include "automata/sha_impl.h"

#include "base/out.h"

#include <math.h>

static sl_status declare_parameters(sl_sha *a, sl_str name, int32_t first, int32_t n, const double *values, bool inner,
                                    const sl_text_location *place, sl_diags *diags, int32_t *number) {
    sl_status status = sl_expr_declare_array(a->g, name, true, first, n, place, diags, number);
    if (status != SL_OK) {
        return status;
    }
    int64_t end = *number + (int64_t)n;
    if (!SL_RESERVE(a->ctx, &a->parameters, end) || !SL_RESERVE(a->ctx, &a->is_inner, end)) {
        return SL_ERR_MEMORY;
    }
    while (a->parameters.n < end) { /* the graph may have others */
        int64_t i = a->parameters.n - *number;
        a->parameters.at[a->parameters.n++] = i >= 0 ? values[i] : 0.0;
        a->is_inner.at[a->is_inner.n++] = i >= 0 && inner;
    }
    return SL_OK;
}

sl_status sl_sha_add_parameter_array(sl_sha *a, sl_str name, int32_t first, int32_t n, const double *values,
                                     const sl_text_location *place, sl_diags *diags) {
    int32_t number;
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(values[i])) {
            return SL_ERR_USE;
        }
    }
    return a->is_finished ? SL_ERR_USE : declare_parameters(a, name, first, n, values, false, place, diags, &number);
}

sl_status sl_sha_add_array(sl_sha *a, sl_str name, int32_t first, int32_t n, const double *starts,
                           const sl_variable_def *def, const sl_text_location *place, sl_diags *diags, int32_t *out) {
    char pre[256];
    int32_t graph, number;
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(starts[i])) {
            return SL_ERR_USE;
        }
    }
    if (a->is_finished || !sl_sha_is_valid(def)) {
        return SL_ERR_USE;
    }
    int length = sl_format(pre, sizeof pre, "pre.%.*s", (int)(name.len < 240 ? name.len : 240), name.ptr);
    sl_status status = sl_expr_declare_array(a->g, name, false, first, n, place, diags, &graph);
    status = status == SL_OK
                 ? declare_parameters(a, (sl_str){pre, (size_t)length}, first, n, starts, true, place, diags, &number)
                 : status;
    if (status != SL_OK) {
        return status;
    }
    if (!SL_RESERVE(a->ctx, &a->variables, a->variables.n + n)) {
        return SL_ERR_MEMORY;
    }
    *out = (int32_t)a->variables.n;
    for (int32_t i = 0; i < n; i++) {
        a->variables.at[a->variables.n++] = (sha_variable){.graph = graph + i,
                                                           .pre = number + i,
                                                           .start = starts[i],
                                                           .given = starts[i],
                                                           .derivative = (double)NAN,
                                                           .tolerance = def->tolerance,
                                                           .nominal = def->nominal,
                                                           .low = def->low,
                                                           .high = def->high,
                                                           .kind = def->kind,
                                                           .state = def->state,
                                                           .is_held = def->kind != SL_INITIAL_GUESS};
    }
    return SL_OK;
}

bool sl_sha_find_parameter(const sl_sha *a, sl_str name, double *value) {
    bool is_parameter = false;
    int32_t p = sl_expr_find_symbol(a->g, name, &is_parameter);
    bool found = p >= 0 && is_parameter && p < a->parameters.n && !a->is_inner.at[p];
    *value = found ? a->parameters.at[p] : 0.0;
    return found;
}
