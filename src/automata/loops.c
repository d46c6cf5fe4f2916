/* SPDX-License-Identifier: MIT */
/* loops.c: arrays and loops as texts: p[1..N] and i in 1..N-1. An activity that has no kinks and whose elements move on by one from cell to
 * cell stays one loop; every other element is made for each cell. The numbers of a range are fixed when it is read.
 */
#include "automata/automaton_impl.h"

#include "base/context.h"
#include "base/out.h"
#include "base/report.h"
#include "base/sized.h"

#include <math.h>
#include <string.h>

enum { MOST_ELEMENTS = 5000000 }; /* of all arrays together: more are a slip, as a rule; --effort allows more */
enum { MOST_CELLS = 1000000 };    /* of loops that are taken apart: each costs as much as an element that is written */

/* ---- Ranges -------------------------------------------------------------------------------------- */

static bool integer_parameter(void *user, sl_str name, int64_t *value) {
    const sl_automaton *m = user;
    double v;
    bool fine = sl_sha_find_parameter(m->a, name, &v) && v == floor(v) && fabs(v) <= 1e9;
    *value = fine ? (int64_t)v : 0;
    return fine;
}

sl_expr_numbers sl_automaton_numbers(const sl_automaton *m) {
    return (sl_expr_numbers){integer_parameter, (void *)(uintptr_t)m};
}

static sl_text_location part_of(const sl_text_location *whole, size_t begin, size_t length) {
    sl_text_location at = whole ? *whole : (sl_text_location){0};
    at.begin += begin;
    at.length = length;
    return at;
}

static sl_status refuse_range(const sl_located_text *text, size_t begin, size_t length, sl_diags *diags) {
    char quoted[SL_QUOTE_MAX];
    sl_text_location at = part_of(text->location, begin, length);
    sl_report(
        diags, SL_ERROR, SL_CODE_SYNTAX, text->location ? &at : NULL, NULL, NULL,
        "write it as 1..10 or 1..N-1, of whole numbers and parameters that are whole, the first not above the last",
        "%s is no range of an index", sl_quote((sl_str){text->text.ptr + begin, length}, quoted));
    return SL_ERR_INPUT;
}

/* a..b at begin. */
static sl_status read_range(sl_automaton *m, const sl_located_text *text, size_t begin, size_t length, sl_diags *diags,
                            int32_t *first, int32_t *n) {
    sl_str range = {text->text.ptr + begin, length};
    sl_expr_numbers numbers = sl_automaton_numbers(m);
    size_t dots = 0;
    int64_t low = 0, high = -1;
    while (dots + 1 < range.len && !(range.ptr[dots] == '.' && range.ptr[dots + 1] == '.')) {
        dots++;
    }
    bool fine = dots + 1 < range.len && sl_expr_read_whole((sl_str){range.ptr, dots}, &numbers, &low) &&
                sl_expr_read_whole((sl_str){range.ptr + dots + 2, range.len - dots - 2}, &numbers, &high) &&
                low <= high && high - low < SL_EXPR_ARRAY && low >= -SL_EXPR_ARRAY && high <= SL_EXPR_ARRAY;
    *first = (int32_t)(fine ? low : 0);
    *n = (int32_t)(fine ? high - low + 1 : 0);
    return fine ? SL_OK : refuse_range(text, begin, length, diags);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

/* i in 1..N */
static sl_status read_loop(sl_automaton *m, const sl_located_text *text, sl_diags *diags, sl_expr_loop *out) {
    sl_str s = text->text;
    size_t word = sl_expr_name_of(s), at = word;
    while (at < s.len && is_blank(s.ptr[at])) {
        at++;
    }
    bool fine =
        word > 0 && at > word && at + 2 < s.len && s.ptr[at] == 'i' && s.ptr[at + 1] == 'n' && is_blank(s.ptr[at + 2]);
    if (!fine || memchr(s.ptr, '[', word) || memchr(s.ptr, '.', word)) {
        char quoted[SL_QUOTE_MAX];
        sl_report(diags, SL_ERROR, SL_CODE_SYNTAX, text->location, NULL, NULL, "write it as i in 1..10",
                  "%s does not say which cells there are", sl_quote(s, quoted));
        return SL_ERR_INPUT;
    }
    out->index = (sl_str){s.ptr, word};
    if (sl_expr_is_taken(m->g, out->index)) {
        char quoted[SL_QUOTE_MAX];
        sl_text_location place = part_of(text->location, 0, word);
        sl_report(diags, SL_ERROR, SL_CODE_DUPLICATE_ID, text->location ? &place : NULL, NULL, NULL,
                  "give it another name", "the index %s is the name of something else", sl_quote(out->index, quoted));
        return SL_ERR_INPUT;
    }
    return read_range(m, text, at + 3, s.len - at - 3, diags, &out->first, &out->n);
}

/* ---- Arrays -------------------------------------------------------------------------------------- */

bool sl_automaton_is_range(sl_str name) {
    bool dots = false;
    for (size_t i = 0; i + 1 < name.len; i++) {
        dots = dots || (name.ptr[i] == '.' && name.ptr[i + 1] == '.');
    }
    return dots && name.ptr[name.len - 1] == ']' && memchr(name.ptr, '[', name.len);
}

/* p[1..N]: the name before the brackets, the range in them. */
static sl_status read_name(sl_automaton *m, const sl_located_text *name, sl_str *base, int32_t *first, int32_t *n) {
    size_t open = name->text.len - 1;
    while (open > 0 && name->text.ptr[open] != '[') {
        open--;
    }
    *base = (sl_str){name->text.ptr, open};
    sl_status status = read_range(m, name, open + 1, name->text.len - open - 2, m->diags, first, n);
    m->n_element += *n;
    if (status == SL_OK && (double)m->n_element > MOST_ELEMENTS * m->ctx->def.effort) {
        sl_report(m->diags, SL_ERROR, SL_CODE_VALUE_RANGE, name->location, NULL, NULL, "--effort allows more",
                  "arrays with %lld elements in all", (long long)m->n_element);
        status = SL_ERR_INPUT;
    }
    return status;
}

/* One number for each element: they are one, or as many. */
static sl_status spread(sl_automaton *m, const sl_located_text *name, int32_t n_given, const double *given, int32_t n,
                        double **out) {
    if (n_given != 1 && n_given != n) {
        sl_report(m->diags, SL_ERROR, SL_CODE_VALUE_RANGE, name->location, NULL, NULL,
                  "write one number, or a list with one for each element", "the array has %d elements, but %d values",
                  (int)n, (int)n_given);
        return SL_ERR_INPUT;
    }
    *out = sl_alloc(m->ctx, (size_t)n * sizeof **out);
    for (int32_t i = 0; *out && i < n; i++) {
        (*out)[i] = given[n_given == 1 ? 0 : i];
    }
    return *out ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_automaton_declare_array(sl_automaton *m, sl_located_text name, int32_t n_start, const double *starts,
                                     const sl_variable_def *def) {
    sl_str base;
    int32_t first = 0, n = 0, number;
    double *all = NULL;
    sl_status status = m->is_finished ? SL_ERR_USE : read_name(m, &name, &base, &first, &n);
    status = status == SL_OK ? spread(m, &name, n_start, starts, n, &all) : status;
    status =
        status == SL_OK ? sl_sha_add_array(m->a, base, first, n, all, def, name.location, m->diags, &number) : status;
    sl_free(m->ctx, all, all ? (size_t)n * sizeof *all : 0);
    sl_automaton_text text = {.first = n_start > 0 ? starts[0] : 0.0,
                              .second = def->tolerance,
                              .y = n_start > 1 ? starts : NULL,
                              .n_y = n_start > 1 ? n_start : 0,
                              .n_made = n};
    return sl_automaton_declare_described(m, name, text, def, status);
}

sl_status sl_automaton_declare_parameter_array(sl_automaton *m, sl_located_text name, int32_t n_value,
                                               const double *values) {
    sl_str base;
    int32_t first = 0, n = 0;
    double *all = NULL;
    sl_status status = m->is_finished ? SL_ERR_USE : read_name(m, &name, &base, &first, &n);
    status = status == SL_OK ? spread(m, &name, n_value, values, n, &all) : status;
    status = status == SL_OK ? sl_sha_add_parameter_array(m->a, base, first, n, all, name.location, m->diags) : status;
    sl_free(m->ctx, all, all ? (size_t)n * sizeof *all : 0);
    return sl_automaton_declare(m, SL_TEXT_PARAMETER, name,
                                (sl_automaton_text){.first = n_value > 0 ? values[0] : 0.0,
                                                    .y = n_value > 1 ? values : NULL,
                                                    .n_y = n_value > 1 ? n_value : 0,
                                                    .n_made = n},
                                status);
}

/* ---- Elements ------------------------------------------------------------------------------------ */

typedef struct cells {
    sl_automaton *m;
    const sl_automaton_element_def *def;
    sl_diags *diags;
    sl_expr guard;
    sl_element_location location;
} cells;

static sl_expr parse_in(cells *c, const sl_located_text *text, const sl_expr_loop *loop, bool *is_uniform,
                        sl_status *status) {
    sl_expr e = SL_EXPR_NONE;
    sl_expr_numbers numbers = sl_automaton_numbers(c->m);
    sl_status now = sl_expr_parse_loop(c->m->g, text->text, loop, &numbers, text->location, c->diags, &e, is_uniform);
    *status = *status == SL_OK ? now : *status;
    return e;
}

/* The continuous variable that an action sets in a cell. */
static int32_t variable_in(cells *c, const sl_expr_loop *loop, sl_status *status) {
    bool is_uniform;
    sl_expr e = parse_in(c, &c->def->variable, loop, &is_uniform, status);
    bool fine = *status == SL_OK && sl_expr_op(c->m->g, e) == SL_OP_VARIABLE && sl_expr_order(c->m->g, e) == 0;
    sl_str name = fine ? sl_exprs_variable_name(c->m->g, sl_expr_symbol(c->m->g, e)) : (sl_str){"", 0};
    int32_t found = fine ? sl_sha_find_variable(c->m->a, name) : -1;
    if (*status == SL_OK && found < 0) {
        char quoted[SL_QUOTE_MAX];
        sl_report(c->diags, SL_ERROR, SL_CODE_VARIABLE, c->def->variable.location, NULL, NULL,
                  "declare it as a continuous variable", "there is no continuous variable %s",
                  sl_quote(c->def->variable.text, quoted));
        *status = SL_ERR_INPUT;
    }
    return found;
}

static sl_status add_cell(cells *c, const sl_expr_loop *loop, sl_str symbol) {
    const sl_automaton_element_def *def = c->def;
    sl_status status = SL_OK;
    bool is_uniform;
    int32_t variable = def->variable.text.ptr ? variable_in(c, loop, &status) : -1;
    sl_expr e = parse_in(c, &def->formula, loop, &is_uniform, &status);
    status = status == SL_OK ? sl_automaton_check_equation(c->m, def, e, c->diags) : status;
    if (status != SL_OK) {
        return status;
    }
    if (def->kind == SL_AUTOMATON_ACTIVITY) {
        return sl_sha_add_activity(c->m->a, symbol, e, c->guard, &c->location, c->diags);
    }
    status = sl_automaton_check_units(c->m, e, variable, loop, &c->location, c->diags);
    return status != SL_OK ? status
           : variable >= 0 ? sl_sha_add_action(c->m->a, symbol, variable, e, c->guard, &c->location, c->diags)
                           : sl_sha_add_action_equation(c->m->a, symbol, e, c->guard, &c->location, c->diags);
}

static sl_status take_apart(cells *c, const sl_expr_loop *loop) {
    sl_str symbol = sl_str_z(c->def->symbol);
    sl_status status = SL_OK;
    char room[128];
    c->m->n_apart += loop->n;
    if ((double)c->m->n_apart > MOST_CELLS * c->m->ctx->def.effort) {
        sl_report(
            c->diags, SL_ERROR, SL_CODE_VALUE_RANGE, c->def->range.location, NULL, NULL,
            "only equations that neither jump nor bend, with indices as i and i+1, stay one loop; smooth(...) says that a "
            "kink needs no event",
            "loops that are taken apart have %lld cells in all", (long long)c->m->n_apart);
        return SL_ERR_INPUT;
    }
    for (int32_t k = 0; k < loop->n && status == SL_OK; k++) {
        const sl_expr_loop one = {loop->index, loop->first + k, 1};
        int n = symbol.len > 0 ? sl_format(room, sizeof room, "%.*s[%d]", (int)(symbol.len < 100 ? symbol.len : 100),
                                           symbol.ptr, (int)one.first)
                               : 0;
        status = add_cell(c, &one, (sl_str){room, (size_t)n});
    }
    return status;
}

sl_status sl_automaton_add_cells(sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags) {
    sl_expr_loop loop;
    if (def->kind != SL_AUTOMATON_ACTIVITY && def->kind != SL_AUTOMATON_ACTION) {
        sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, def->range.location, NULL, NULL, "write one for each cell",
                  "only activities and actions may be loops");
        return SL_ERR_INPUT;
    }
    sl_status status = read_loop(m, &def->range, diags, &loop);
    if (status != SL_OK) {
        return status;
    }
    cells c = {.m = m,
               .def = def,
               .diags = diags,
               .guard = sl_automaton_parse_guard(m, def, diags, &status),
               .location = {.element = def->location,
                            .variable = def->variable.text.ptr ? &def->variable : NULL,
                            .formula = &def->formula,
                            .guard = def->guard,
                            .n_guard = def->n_guard}};
    bool is_uniform = false;
    sl_expr e = SL_EXPR_NONE;
    if (def->kind == SL_AUTOMATON_ACTIVITY) {
        e = parse_in(&c, &def->formula, &loop, &is_uniform, &status);
        status = status == SL_OK ? sl_automaton_check_equation(m, def, e, diags) : status;
        status = status == SL_OK ? sl_automaton_check_units(m, e, -1, &loop, &c.location, diags) : status;
    }
    if (status != SL_OK) {
        return status;
    }
    bool stays = loop.n > 1 && is_uniform && sl_expr_is_loop(m->g, e) && !sl_expr_has_kinks(m->g, e);
    return stays ? sl_sha_add_loop(m->a, sl_str_z(def->symbol), e, &loop, c.guard, &c.location, diags)
                 : take_apart(&c, &loop);
}

/* ---- By calls ------------------------------------------------------------------------------------ */

static sl_located_text bare(const char *text) {
    return (sl_located_text){.text = sl_str_z(text)};
}

sl_status sl_automaton_add_array(sl_automaton *a, const char *name, int32_t n, const double *starts,
                                 const sl_variable_def *def) {
    sl_variable_def own = sl_variable_default();
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name || !sl_automaton_is_range(sl_str_z(name)) || (starts && n < 1) ||
        !sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_array(a, bare(name), starts ? n : 1, starts ? starts : &own.start, &own);
}

sl_status sl_automaton_add_parameter_array(sl_automaton *a, const char *name, int32_t n, const double *values) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name || !values || n < 1 || !sl_automaton_is_range(sl_str_z(name))) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_parameter_array(a, bare(name), n, values);
}

sl_status sl_automaton_add_loop(sl_automaton *a, sl_automaton_element kind, const char *symbol, const char *range,
                                const char *variable, const char *formula, const char *guard) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !range || !formula) {
        return SL_ERR_USE;
    }
    sl_located_text when = bare(guard);
    const sl_automaton_element_def def = {.kind = kind,
                                          .symbol = symbol,
                                          .range = bare(range),
                                          .variable = {variable ? sl_str_z(variable) : (sl_str){NULL, 0}, NULL},
                                          .formula = bare(formula),
                                          .guard = &when,
                                          .n_guard = guard != NULL};
    return (unsigned)kind < SL_AUTOMATON_ELEMENT_COUNT ? sl_automaton_add_element(a, &def) : SL_ERR_USE;
}
