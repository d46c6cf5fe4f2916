/* SPDX-License-Identifier: MIT */
/* explain.c: what there is to tell of an automaton: sections of items, which explain_write.c sets.
 *
 * An equation is kept as an expression that is to be 0. It is shown with a derivative alone on its left where it has the form
 * of a sum with one, else as the two sides that it was written with. Parts with the same left side stand together: the
 * alternatives for one variable.
 */
#include "automata/explain_impl.h"
#include "automata/sha_impl.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>

typedef struct explainer {
    const sl_sha *a;
    const sl_explain_def *def;
    const sl_explain_writer *writer;
    sl_explain_page page;
    sl_arena words;
    SL_ARRAY(sl_explain_item) items;
    bool short_of_memory;
} explainer;

/* ---- Equations ---------------------------------------------------------------------------------- */

static sl_expr negated(sl_exprs *g, sl_expr e) {
    if (sl_expr_op(g, e) == SL_OP_NEG) {
        return sl_expr_args(g, e)[0];
    }
    return sl_expr_op(g, e) == SL_OP_CONST ? sl_expr_const(g, -sl_expr_value(g, e)) : sl_expr_1(g, SL_OP_NEG, e);
}

static bool is_derivative(const sl_exprs *g, sl_expr e) {
    return (sl_expr_op(g, e) == SL_OP_VARIABLE || sl_expr_op(g, e) == SL_OP_ELEMENT) && sl_expr_order(g, e) > 0;
}

/* The sum of all terms of e but one, negated or as they are; terms are read anew each time, since making nodes moves them. */
static sl_expr others(sl_exprs *g, sl_expr e, int32_t but, bool negate) {
    sl_expr sum = SL_EXPR_NONE;
    for (int32_t i = 0; i < sl_expr_n_arg(g, e); i++) {
        if (i != but) {
            sl_expr term = sl_expr_args(g, e)[i];
            term = negate ? negated(g, term) : term;
            sum = sum == SL_EXPR_NONE ? term : sl_expr_2(g, SL_OP_ADD, sum, term);
        }
    }
    return sum;
}

/* e = 0 as two sides. */
static void split(sl_exprs *g, sl_expr e, sl_expr *left, sl_expr *right) {
    *left = e;
    *right = sl_expr_const(g, 0.0);
    if (sl_expr_op(g, e) != SL_OP_ADD) {
        return;
    }
    int32_t last = sl_expr_n_arg(g, e) - 1;
    sl_expr first = sl_expr_args(g, e)[0], end = sl_expr_args(g, e)[last];
    bool minus = sl_expr_op(g, end) == SL_OP_NEG || (sl_expr_op(g, end) == SL_OP_CONST && sl_expr_value(g, end) < 0.0);
    if (is_derivative(g, first)) {
        *left = first;
        *right = others(g, e, 0, true);
    } else if (minus) {
        *left = negated(g, end);
        *right = others(g, e, last, false);
        if (!is_derivative(g, *left)) {
            sl_expr other = *left;
            *left = *right;
            *right = other;
        }
    }
}

/* ---- Items -------------------------------------------------------------------------------------- */

static void add(explainer *t, sl_explain_item item) {
    item.location = (int32_t)t->items.n;
    t->short_of_memory |= !SL_PUSH(t->a->ctx, &t->items, item);
}

SL_PRINTF(2, 3) static const char *words(explainer *t, const char *fmt, ...) {
    char buf[512];
    va_list args;
    va_start(args, fmt);
    int n = sl_vformat(buf, sizeof buf, fmt, args);
    va_end(args);
    size_t most = sizeof buf - 1;
    const char *copy = sl_arena_copy(&t->words, (sl_str){buf, n < 0 ? 0 : (size_t)n < most ? (size_t)n : most});
    t->short_of_memory |= !copy;
    return copy ? copy : "";
}

/* A number as people want to read it. */
static sl_expr rounded(explainer *t, double value) {
    char buf[64];
    double shown = value;
    (void)sl_format(buf, sizeof buf, "%.9g", value);
    (void)sl_number_parse(sl_str_z(buf), &shown);
    return isfinite(shown) ? sl_expr_const(t->page.g, shown) : SL_EXPR_NONE;
}

static int by_left(const void *a, const void *b) {
    const sl_explain_item *x = a, *y = b;
    return x->left != y->left ? (x->left > y->left) - (x->left < y->left) : x->location - y->location;
}

static int by_group(const void *a, const void *b) {
    const sl_explain_item *x = a, *y = b;
    return x->group != y->group ? x->group - y->group : x->location - y->location;
}

/* Those with one left side together, where the first of them is. */
static void group(explainer *t) {
    sl_explain_item *items = t->items.at;
    size_t n = (size_t)t->items.n;
    if (n > 1) {
        qsort(items, n, sizeof *items, by_left);
        for (size_t i = 0; i < n; i++) {
            items[i].group = i > 0 && items[i].left == items[i - 1].left ? items[i - 1].group : items[i].location;
        }
        qsort(items, n, sizeof *items, by_group);
    }
}

/* Writes what was added, if anything was or a reason is given. */
static void section(explainer *t, const char *title, const char *note, const char *empty) {
    if (t->items.n > 0 || empty) {
        t->writer->section(&t->page, title, t->items.n > 0 ? note : empty, (int32_t)t->items.n, t->items.at);
    }
    t->items.n = 0;
}

/* What remains of a guard where variables are known; false: it cannot hold. */
static bool holds(explainer *t, sl_expr *guard) {
    sl_exprs *g = t->page.g;
    sl_expr_list leaves = {0};
    bool fine = t->def->q ? sl_expr_leaves(g, 1, guard, &leaves) == SL_OK : true;
    t->short_of_memory |= !fine;
    int64_t n = fine ? leaves.n : 0;
    for (int64_t k = 0; k < n; k++) {
        bool variable = sl_expr_op(g, leaves.at[k]) == SL_OP_VARIABLE;
        int32_t j = variable ? sl_sda_variable_of(t->a->discrete, sl_expr_symbol(g, leaves.at[k])) : -1;
        bool time = t->def->step && sl_expr_op(g, leaves.at[k]) == SL_OP_TIME;
        if (time || (j >= 0 && t->def->q[j] >= 0)) {
            sl_expr value = sl_expr_const(g, time ? *t->def->step : t->def->q[j]);
            *guard = sl_expr_substitute(g, *guard, 1, &leaves.at[k], &value);
        }
    }
    sl_expr_list_fini(g, &leaves);
    if (t->def->q && *guard >= 0) {
        *guard = sl_expr_simplify(g, *guard);
    }
    bool never = *guard >= 0 && sl_expr_is_const(g, *guard, 0.0);
    if (*guard >= 0 && sl_expr_op(g, *guard) == SL_OP_CONST && !never) {
        *guard = SL_EXPR_NONE;
    }
    return !never;
}

/* ---- Sections ----------------------------------------------------------------------------------- */

/* "0 or 1", "0 to 3" */
static const char *domain_text(explainer *t, int32_t n) {
    return n == 1 ? "0 only" : n == 2 ? "0 or 1" : words(t, "0 to %d", (int)n - 1);
}

static void report_discrete_variables(explainer *t) {
    const sl_sda *d = t->a->discrete;
    for (int32_t j = 0; j < sl_sda_n_variable(d); j++) {
        sl_explain_item item = {.label = "",
                                .left = sl_expr_variable(t->page.g, sl_sda_graph_variable(d, j), 0),
                                .right = SL_EXPR_NONE,
                                .guard = SL_EXPR_NONE};
        const char *domain = domain_text(t, sl_sda_domain(d, j));
        if (t->def->q && t->def->q[j] >= 0) {
            item.relation = SL_RELATION_EQUALS;
            item.right = sl_expr_const(t->page.g, t->def->q[j]);
            item.words = sl_sda_domain(d, j) > 2 ? words(t, "of %s", domain) : "";
        } else {
            item.words =
                t->def->q ? words(t, "any: %s", domain) : words(t, "%s; starts at %d", domain, (int)t->a->start.at[j]);
        }
        add(t, item);
    }
    section(t, "Discrete variables", t->def->q ? "" : "They count modulo the number of their values.", NULL);
}

/* "starts at 0.6, fixed", "starts at -0.8, computed from the guess -0.5" */
static const char *start_text(explainer *t, const sha_variable *v) {
    static const char *const kinds[SL_INITIAL_N_KIND] = {"start value", "fixed value", "guess"};
    if (t->a->at_start.n_unknown == 0) {
        return words(t, "starts at %.9g", v->start);
    }
    return v->kind == SL_INITIAL_FIXED ? words(t, "starts at %.9g, fixed", v->start)
           : v->is_held                ? words(t, "starts at %.9g", v->start)
                        : words(t, "starts at %.9g, computed; %s %.9g", v->start, kinds[v->kind], v->given);
}

enum { FEW = 10 }; /* elements of an array that are shown one by one */

/* p[1..100], of which the page names only the elements with the least and the greatest value. */
static void report_array(explainer *t, const sl_expr_array *array, int32_t first_value, const double *values,
                         double tolerance, const char *begin) {
    int32_t low = 0, high = 0;
    for (int32_t i = 0; i < array->n; i++) {
        double v = values[first_value + i];
        low = v < values[first_value + low] ? i : low;
        high = v > values[first_value + high] ? i : high;
    }
    double least = values[first_value + low], most = values[first_value + high];
    const char *text = least == most ? words(t, "%s%.9g", begin, least)
                                     : words(t, "%s%.9g in [%d] to %.9g in [%d]", begin, least,
                                             (int)(array->first + low), most, (int)(array->first + high));
    add(t, (sl_explain_item){.label = words(t, "%.*s[%d..%d]", (int)array->name.len, array->name.ptr, (int)array->first,
                                            (int)(array->first + (array->n - 1))),
                             .left = SL_EXPR_NONE,
                             .right = SL_EXPR_NONE,
                             .guard = SL_EXPR_NONE,
                             .words = tolerance > 0.0 ? words(t, "%s; tolerance %.3g", text, tolerance) : text});
}

static const char *begin_text(const explainer *t, const sha_variable *v) {
    static const char *const kinds[SL_INITIAL_N_KIND] = {"starts at ", "starts, fixed, at ",
                                                         "starts, computed from guesses, at "};
    return t->def->x ? "" : kinds[v->kind];
}

/* The array that begins with variable j, if the page lists its elements in one row: equal starts, or many of them. */
static bool report_elements_of(explainer *t, int32_t j, int32_t *next) {
    const sl_sha *a = t->a;
    const sha_variable *v = &a->variables.at[j];
    int32_t k = sl_exprs_array_of(a->g, false, v->graph);
    if (k < 0) {
        return false;
    }
    sl_expr_array array = sl_exprs_array(a->g, k);
    if (array.symbol != v->graph) {
        return false;
    }
    bool equal = !t->def->x;
    for (int32_t i = 1; i < array.n && equal; i++) {
        equal = a->variables.at[j + i].start == v->start;
    }
    double *starts = !equal && array.n <= FEW ? NULL : sl_alloc(a->ctx, (size_t)array.n * sizeof *starts);
    if (!starts) {
        t->short_of_memory |= equal || array.n > FEW;
        return false;
    }
    for (int32_t i = 0; i < array.n; i++) {
        starts[i] = t->def->x ? t->def->x[j + i] : a->variables.at[j + i].start;
    }
    report_array(t, &array, 0, starts, v->tolerance, begin_text(t, v));
    sl_free(a->ctx, starts, (size_t)array.n * sizeof *starts);
    *next = j + array.n - 1;
    return true;
}

static void report_continuous_variables(explainer *t) {
    const sl_explain_def *def = t->def;
    for (int32_t j = 0; j < t->a->variables.n; j++) {
        const sha_variable *v = &t->a->variables.at[j];
        if (report_elements_of(t, j, &j)) {
            continue;
        }
        sl_explain_item item = {.label = "",
                                .left = sl_expr_variable(t->page.g, v->graph, 0),
                                .right = SL_EXPR_NONE,
                                .guard = SL_EXPR_NONE};
        if (def->x) {
            item.relation = SL_RELATION_EQUALS;
            item.right = rounded(t, def->x[j]);
            item.words = def->dx ? words(t, "derivative %.6g", def->dx[j]) : "";
        } else {
            item.words =
                v->tolerance > 0.0 ? words(t, "%s; tolerance %.3g", start_text(t, v), v->tolerance) : start_text(t, v);
        }
        add(t, item);
    }
    section(t, "Continuous variables", "", NULL);
}

/* Equations of the start, and what was computed from them. */
static void report_start(explainer *t) {
    const sl_initial *s = &t->a->at_start;
    if (s->n_unknown == 0 || t->def->x) {
        return;
    }
    for (int32_t i = 0; i < t->a->initial.n; i++) {
        const sha_element *e = &t->a->initial.at[i];
        sl_explain_item item = {.label = e->symbol, .relation = SL_RELATION_EQUALS, .guard = SL_EXPR_NONE};
        split(t->page.g, e->expr, &item.left, &item.right);
        add(t, item);
    }
    const char *more = s->n_homotopy ? words(t, "; %d by homotopy", (int)s->n_homotopy) : "";
    const char *note =
        words(t,
              "%d unknowns, derivatives included, from %d equations, %d initial equations, %d fixed values and "
              "%d start values; %d blocks, the largest of %d%s.",
              (int)s->n_unknown, (int)s->n_equation, (int)s->n_initial, (int)s->n_fixed, (int)s->n_held,
              (int)s->n_block, (int)s->n_largest, more);
    section(t, "Start", note, note);
}

static void report_parameters(explainer *t) {
    for (int32_t j = 0; j < t->a->parameters.n; j++) {
        int32_t k = t->a->is_inner.at[j] ? -1 : sl_exprs_array_of(t->page.g, true, j);
        sl_expr_array array = k >= 0 ? sl_exprs_array(t->page.g, k) : (sl_expr_array){0};
        if (k >= 0 && array.n > FEW) {
            report_array(t, &array, j, t->a->parameters.at, 0.0, "");
            j += array.n - 1;
        } else if (!t->a->is_inner.at[j]) {
            add(t, (sl_explain_item){.label = "",
                                     .left = sl_expr_parameter(t->page.g, j),
                                     .relation = SL_RELATION_EQUALS,
                                     .right = sl_expr_const(t->page.g, t->a->parameters.at[j]),
                                     .guard = SL_EXPR_NONE});
        }
    }
    section(t, "Parameters", "", NULL);
}

static void report_tables(explainer *t) {
    enum { SHOWN = 6 };
    for (int32_t k = 0; k < sl_exprs_n_table(t->page.g); k++) {
        int32_t n;
        const double *x, *y;
        sl_str name = sl_exprs_table(t->page.g, k, &n, &x, &y);
        static const char *const betweens[] = {"", "; the value of the point before", "; cubic between points"};
        static const char *const beyonds[] = {"", "", "; goes on beyond them"};
        const char *text = "";
        sl_table_kind kind;
        sl_table_beyond beyond;
        sl_exprs_table_shape(t->page.g, k, &kind, &beyond);
        for (int32_t i = 0; i < n && i < SHOWN; i++) {
            text = words(t, "%s%s(%.6g, %.6g)", text, i ? ", " : "", x[i], y[i]);
        }
        text = n > SHOWN ? words(t, "%s and %d more", text, (int)n - SHOWN) : text;
        text = words(t, "%s%s%s", text, betweens[kind], beyonds[beyond]);
        add(t, (sl_explain_item){.label = words(t, "%.*s", (int)name.len, name.ptr),
                                 .left = SL_EXPR_NONE,
                                 .right = SL_EXPR_NONE,
                                 .guard = SL_EXPR_NONE,
                                 .words = text});
    }
    section(t, "Tables", "Functions, linear between points (x, y) and constant beyond them where nothing else is said.",
            NULL);
}

/* The parts of a kind, by their left sides. */
static void elements_section(explainer *t, const char *title, const char *note, int32_t n_all) {
    group(t);
    if (t->def->q && n_all > 0) {
        note = t->items.n > 0 ? words(t, "%d of %d in force. %s", (int)t->items.n, (int)n_all, note) : note;
        section(t, title, note, words(t, "none of %d in force.", (int)n_all));
    } else {
        section(t, title, note, NULL);
    }
}

static void report_transitions(explainer *t) {
    const sl_sda *d = t->a->discrete;
    for (int32_t i = 0; i < sl_sda_n_transition(d); i++) {
        sl_explain_item item = {
            .label = sl_sda_symbol(d, i), .relation = SL_RELATION_EQUALS, .guard = sl_sda_guard(d, i)};
        if (holds(t, &item.guard)) {
            split(t->page.g, sl_sda_equation(d, i), &item.left, &item.right);
            add(t, item);
        }
    }
    elements_section(t, "Transitions",
                     t->def->q
                         ? "Here t counts discrete steps."
                         : "A discrete step adds the derivative to its variable; here t counts these steps. Steps "
                           "follow until nothing changes.",
                     sl_sda_n_transition(d));
}

static void report_elements(explainer *t, sl_sha_kind kind) {
    static const struct {
        const char *title, *note;
    } heads[SL_SHA_N_KIND] = {
        [SL_SHA_ACTIVITY] = {"Activities", "Equations of motion."},
        [SL_SHA_ACTION] = {"Actions", "After discrete steps, before motion goes on; pre.x is the value before."},
        [SL_SHA_ROOT] = {"Roots", "1 where the condition holds, 0 elsewhere; a change is an event."}};
    sl_exprs *g = t->page.g;
    for (int32_t i = 0; i < sl_sha_n_element(t->a, kind); i++) {
        sl_sha_element part = sl_sha_get_element(t->a, kind, i);
        sl_explain_item item = {.label = part.symbol, .relation = SL_RELATION_BECOMES, .guard = part.guard};
        if (!holds(t, &item.guard)) {
            continue;
        }
        if (kind == SL_SHA_ROOT) {
            item.left = sl_expr_variable(g, sl_sda_graph_variable(t->a->discrete, part.variable), 0);
            item.right = sl_expr_2(g, SL_OP_LT, sl_expr_const(g, 0.0), part.expr);
        } else if (part.variable >= 0) {
            item.left = sl_expr_variable(g, t->a->variables.at[part.variable].graph, 0);
            item.right = part.expr;
        } else {
            item.relation = SL_RELATION_EQUALS;
            split(g, part.expr, &item.left, &item.right);
        }
        if (part.loop.n > 1) {
            item.loop = part.loop;
            item.words =
                words(t, "%sfor %.*s in %d..%d", item.guard != SL_EXPR_NONE ? " " : "", (int)part.loop.index.len,
                      part.loop.index.ptr, (int)part.loop.first, (int)(part.loop.first + (part.loop.n - 1)));
        }
        add(t, item);
    }
    elements_section(t, heads[kind].title, heads[kind].note, sl_sha_n_element(t->a, kind));
}

static void add_lines(explainer *t, int32_t n, const sl_explain_line *lines) {
    for (int32_t k = 0; k < n; k++) {
        add(t, (sl_explain_item){.label = lines[k].label,
                                 .left = SL_EXPR_NONE,
                                 .right = SL_EXPR_NONE,
                                 .guard = SL_EXPR_NONE,
                                 .words = lines[k].text});
    }
}

static void list_sections(explainer *t) {
    const sl_sha *a = t->a;
    bool hybrid = a->variables.n > 0 || a->n_guard > 0;
    const char *kind = hybrid ? "a hybrid automaton" : "a discrete automaton";
    t->writer->open(&t->page, t->def->name, t->def->q ? words(t, "%s %s", kind, t->def->when) : kind);
    report_discrete_variables(t);
    report_continuous_variables(t);
    report_start(t);
    report_parameters(t);
    report_tables(t);
    report_elements(t, SL_SHA_ACTIVITY);
    if (t->def->equations) {
        add_lines(t, t->def->n_reduced, t->def->reduced);
        section(t, "Equations in force", t->def->equations, t->def->equations);
    }
    report_elements(t, SL_SHA_ROOT);
    report_transitions(t);
    report_elements(t, SL_SHA_ACTION);
    add_lines(t, t->def->n_line, t->def->lines);
    section(t, "What happened last", "The latest first.", NULL);
    t->writer->close(&t->page);
}

sl_status sl_sha_explain(const sl_sha *a, const sl_explain_def *def, const sl_sink *sink) {
    sl_out *out = sl_alloc(a->ctx, sizeof *out);
    sl_exprs *g =
        out ? sl_exprs_copy(a->ctx, a->g) : NULL; /* guards at a state and sides of equations are new expressions */
    if (!g) {
        sl_free(a->ctx, out, out ? sizeof *out : 0);
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    explainer t = {.a = a, .def = def, .writer = &sl_explain_writers[def->form], .page = {.g = g, .out = out}};
    sl_arena_init(&t.words, a->ctx);
    sl_bytes_init(&t.page.room, a->ctx);
    list_sections(&t);
    sl_status status = sl_out_flush(out);
    t.short_of_memory |= sl_exprs_status(g) == SL_ERR_MEMORY;
    status = t.short_of_memory ? SL_ERR_MEMORY : t.page.status != SL_OK ? t.page.status : status;
    sl_bytes_fini(&t.page.room);
    SL_ARRAY_FINI(a->ctx, &t.items);
    sl_arena_fini(&t.words);
    sl_exprs_destroy(g);
    sl_free(a->ctx, out, sizeof *out);
    return status;
}
