/* SPDX-License-Identifier: MIT */
/* automaton.c: automata built by calls: names and parts as texts, put together; see automaton.h.
 *
 * What is wrong is remembered: finish refuses an automaton of which something could not be added. A part without a place in a
 * file is named by its kind and symbol in messages. The hash tells automata apart by all that was added, in order.
 */
#include "automata/automaton_impl.h"

#include "base/handle.h"
#include "base/ids.h"
#include "base/memory.h"
#include "base/out.h"
#include "base/report.h"
#include "base/shared.h"
#include "base/sized.h"

#include <math.h>

/* ---- Life --------------------------------------------------------------------------------------- */

sl_status sl_automaton_create(sl_context *ctx, const char *name, sl_diags *diags, sl_automaton **out) {
    if (!ctx || !out) {
        return SL_ERR_USE;
    }
    *out = NULL;
    sl_automaton *m = sl_alloc(ctx, sizeof *m);
    if (!m) {
        return SL_ERR_MEMORY;
    }
    *m = (sl_automaton){.handle = SL_HANDLE_AUTOMATON,
                        .ctx = ctx,
                        .diags = diags,
                        .discrete = sl_sda_default(),
                        .run = sl_execution_default(),
                        .model = {.ops = &sl_sha_ops}};
    sl_arena_init(&m->arena, ctx);
    m->name = sl_arena_copy(&m->arena, sl_str_z(name));
    m->g = sl_exprs_create(ctx);
    sl_status status = m->g && m->name ? sl_sha_create(ctx, m->g, &m->a) : SL_ERR_MEMORY;
    if (status != SL_OK) {
        sl_automaton_destroy(m);
        return status;
    }
    m->model.model = m->a;
    (void)sl_execution_def_use(&m->run, &m->model.def);
    *out = m;
    return SL_OK;
}

void sl_automaton_retain(const sl_automaton *m) {
    sl_shared_retain(&((sl_automaton *)(uintptr_t)m)->owners);
}

void sl_automaton_destroy(sl_automaton *m) {
    if (SL_HANDLE_IS(m, SL_HANDLE_AUTOMATON) && sl_shared_release(&m->owners)) {
        m->handle = SL_HANDLE_GONE;
        sl_sha_destroy(m->a);
        sl_exprs_destroy(m->g);
        sl_arena_fini(&m->arena);
        sl_free(m->ctx, m, sizeof *m);
    }
}

static sl_status note(sl_automaton *m, sl_status status) {
    m->wrong = m->wrong == SL_OK || m->wrong == SL_ERR_INPUT ? (status != SL_OK ? status : m->wrong) : m->wrong;
    return status;
}

/* ---- Names -------------------------------------------------------------------------------------- */

/* What was declared, with its name, is kept. */
sl_status sl_automaton_declare(sl_automaton *m, sl_text_section section, sl_located_text name, sl_automaton_text text,
                               sl_status status) {
    if (status == SL_OK) {
        text.name = sl_arena_copy(&m->arena, name.text);
        text.location = name.location ? *name.location : text.location;
        status = text.name && sl_automaton_texts_add(&m->texts, &m->arena, section, &text) ? SL_OK : SL_ERR_MEMORY;
    }
    return note(m, status);
}

sl_status sl_automaton_declare_parameter(sl_automaton *m, sl_located_text name, double value) {
    sl_status status = isfinite(value) && !m->is_finished
                           ? sl_sha_add_parameter(m->a, name.text, value, name.location, m->diags)
                           : SL_ERR_USE;
    return sl_automaton_declare(m, SL_TEXT_PARAMETER, name, (sl_automaton_text){.first = value}, status);
}

static bool rises(int32_t n, const double *x, const double *y) {
    bool fine = n > 0;
    for (int32_t k = 0; fine && k < n; k++) {
        fine = isfinite(x[k]) && isfinite(y[k]) && (k == 0 || x[k] > x[k - 1]);
    }
    return fine;
}

sl_status sl_automaton_declare_table(sl_automaton *m, sl_located_text name, int32_t n, const double *x, const double *y,
                                     sl_between between, sl_beyond beyond) {
    static const sl_table_kind table_kinds[] = {SL_TABLE_LINEAR, SL_TABLE_HOLD, SL_TABLE_CUBIC};
    static const sl_table_beyond beyonds[] = {SL_TABLE_WARN, SL_TABLE_CONSTANT, SL_TABLE_EXTEND};
    bool known = (unsigned)between <= SL_BETWEEN_CUBIC && (unsigned)beyond <= SL_BEYOND_EXTEND;
    int32_t number;
    sl_status status = m->is_finished || !known ? SL_ERR_USE : SL_ERR_INPUT;
    if (status == SL_ERR_INPUT && rises(n, x, y)) {
        status = sl_expr_declare_table(m->g, name.text, n, x, y, name.location, m->diags, &number);
        status = status == SL_OK ? sl_expr_shape_table(m->g, number, table_kinds[between], beyonds[beyond]) : status;
    } else if (status == SL_ERR_INPUT) {
        char quoted[SL_QUOTE_MAX];
        sl_report(m->diags, SL_ERROR, SL_CODE_CURVE_SHAPE, name.location, NULL, NULL, NULL,
                  "the table %s needs as many x as y, at least one, and x must rise", sl_quote(name.text, quoted));
    }
    return sl_automaton_declare(m, SL_TEXT_TABLE, name,
                                (sl_automaton_text){.first = between, .second = beyond, .n = n, .x = x, .y = y},
                                status);
}

sl_status sl_automaton_declare_discrete(sl_automaton *m, sl_located_text name, int32_t n, int32_t start) {
    int32_t q;
    char quoted[SL_QUOTE_MAX];
    sl_status status = m->is_finished
                           ? SL_ERR_USE
                           : sl_sda_add_variable(sl_sha_discrete(m->a), name.text, n, name.location, m->diags, &q);
    if (status == SL_OK && (start < 0 || start >= n)) {
        sl_report(m->diags, SL_ERROR, SL_CODE_VALUE_RANGE, name.location, NULL, NULL, NULL,
                  "%s cannot start at %d: its values are 0 to %d", sl_quote(name.text, quoted), (int)start, (int)n - 1);
        status = SL_ERR_INPUT;
    }
    status = status == SL_OK ? sl_sha_set_start(m->a, q, start) : status;
    return sl_automaton_declare(m, SL_TEXT_DISCRETE, name, (sl_automaton_text){.first = n, .second = start}, status);
}

void sl_variable_default_fill(sl_variable_def *def, size_t size) {
    const sl_variable_def all = {.low = -(double)INFINITY, .high = (double)INFINITY};
    sl_sized_default(def, size, &all, sizeof all);
}

sl_status sl_automaton_declare_described(sl_automaton *m, sl_located_text name, sl_automaton_text text,
                                         const sl_variable_def *def, sl_status status) {
    const sl_variable_def usual = sl_variable_default();
    const double more[] = {def->kind, def->state, def->nominal, def->low, def->high},
                 nothing[] = {usual.kind, usual.state, usual.nominal, usual.low, usual.high};
    bool is_plain = memcmp(more, nothing, sizeof more) == 0;
    text.n = is_plain ? 0 : (int32_t)(sizeof more / sizeof *more);
    text.x = is_plain ? NULL : more;
    return sl_automaton_declare(m, SL_TEXT_CONTINUOUS, name, text, status);
}

sl_status sl_automaton_declare_continuous(sl_automaton *m, sl_located_text name, const sl_variable_def *def) {
    sl_status status =
        m->is_finished ? SL_ERR_USE : sl_sha_describe_variable(m->a, name.text, def, name.location, m->diags, NULL);
    return sl_automaton_declare_described(m, name, (sl_automaton_text){.first = def->start, .second = def->tolerance},
                                          def, status);
}

/* ---- Parts -------------------------------------------------------------------------------------- */

static const char *const words[SL_AUTOMATON_ELEMENT_COUNT] = {"transition", "activity", "action", "root"};

static sl_expr parse(sl_automaton *m, const sl_located_text *p, sl_diags *diags, sl_status *status) {
    sl_expr e = SL_EXPR_NONE;
    sl_expr_numbers numbers = sl_automaton_numbers(m);
    bool is_uniform;
    sl_status now = sl_expr_parse_loop(m->g, p->text, NULL, &numbers, p->location, diags, &e, &is_uniform);
    *status = *status == SL_OK ? now : *status;
    return e;
}

sl_expr sl_automaton_parse_guard(sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags,
                                 sl_status *status) {
    if (def->n_guard == 0) {
        return sl_expr_const(m->g, 1.0);
    }
    sl_expr any = sl_expr_const(m->g, 0.0);
    for (int32_t k = 0; k < def->n_guard; k++) {
        sl_expr one = parse(m, &def->guard[k], diags, status);
        any = def->n_guard == 1 ? one : sl_expr_2(m->g, SL_OP_OR, any, one);
    }
    return any;
}

/* The nearest name among the variables of a kind as a hint, in room. */
static const char *nearest(const sl_automaton *m, sl_str name, bool discrete, char *room, size_t size) {
    int best = 2 * (int)(name.len / 3 + 1) + 1;
    sl_str found = {NULL, 0};
    int32_t n = discrete ? sl_automaton_n_discrete(m) : sl_automaton_n_continuous(m);
    for (int32_t i = 0; i < n && i < 10000; i++) {
        sl_str other = discrete ? sl_automaton_discrete_name(m, i) : sl_automaton_continuous_name(m, i);
        int d = sl_edit_distance(name, other, best);
        if (d < best) {
            best = d;
            found = other;
        }
    }
    if (found.ptr) {
        (void)sl_format(room, size, "did you mean '%.*s'?", (int)found.len, found.ptr);
        return room;
    }
    return discrete ? "declare it as a discrete variable" : "declare it as a continuous variable";
}

static int32_t find(const sl_automaton *m, sl_str name, bool discrete) {
    if (!discrete) {
        return sl_sha_find_variable(m->a, name);
    }
    bool is_parameter = true;
    int32_t symbol = sl_expr_find_symbol(m->g, name, &is_parameter);
    return symbol >= 0 && !is_parameter ? sl_sda_variable_of(sl_sha_discrete(m->a), symbol) : -1;
}

static int32_t find_variable(const sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags,
                             sl_status *status) {
    if (!def->variable.text.ptr) {
        return -1;
    }
    bool discrete = def->kind == SL_AUTOMATON_ROOT;
    int32_t found = find(m, def->variable.text, discrete);
    if (found < 0) {
        char quoted[SL_QUOTE_MAX], room[300];
        sl_report(diags, SL_ERROR, SL_CODE_VARIABLE, def->variable.location, NULL, NULL,
                  nearest(m, def->variable.text, discrete, room, sizeof room), "there is no %s variable %s",
                  discrete ? "discrete" : "continuous", sl_quote(def->variable.text, quoted));
        *status = SL_ERR_INPUT;
    }
    return found;
}

/* Two sides: a sum alone, a comparison or what is true anyway would be taken for something that is zero. */
sl_status sl_automaton_check_equation(const sl_automaton *m, const sl_automaton_element_def *def, sl_expr formula,
                                      sl_diags *diags) {
    bool needed = def->kind != SL_AUTOMATON_ROOT && !def->variable.text.ptr;
    if (!needed || formula == SL_EXPR_NONE || sl_expr_op(m->g, formula) == SL_OP_EQ) {
        return SL_OK;
    }
    char quoted[SL_QUOTE_MAX];
    sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, def->formula.location, NULL, NULL,
              "write two sides with = between them, as der(x) = 1 - x", "%s is no equation",
              sl_quote(def->formula.text, quoted));
    return SL_ERR_INPUT;
}

static sl_status add_element(sl_automaton *m, const sl_automaton_element_def *def, sl_diags *diags) {
    sl_status status = SL_OK;
    if (def->range.text.ptr) {
        return sl_automaton_add_cells(m, def, diags);
    }
    sl_str symbol = sl_str_z(def->symbol);
    int32_t number, variable = find_variable(m, def, diags, &status);
    sl_expr guard = sl_automaton_parse_guard(m, def, diags, &status), formula = parse(m, &def->formula, diags, &status);
    status = status == SL_OK ? sl_automaton_check_equation(m, def, formula, diags) : status;
    if (status != SL_OK) {
        return status;
    }
    const sl_element_location location = {.element = def->location,
                                          .variable = def->variable.text.ptr ? &def->variable : NULL,
                                          .formula = &def->formula,
                                          .guard = def->guard,
                                          .n_guard = def->n_guard};
    if (def->kind != SL_AUTOMATON_TRANSITION) {
        int32_t sets = def->kind == SL_AUTOMATON_ACTION ? variable : -1;
        status = sl_automaton_check_units(m, formula, sets, &(sl_expr_loop){.index = {"i", 1}}, &location, diags);
    }
    if (status != SL_OK) {
        return status;
    }
    switch ((int)def->kind) {
    case SL_AUTOMATON_TRANSITION:
        return sl_sda_add_transition(sl_sha_discrete(m->a), symbol, formula, guard, &location, diags, &number);
    case SL_AUTOMATON_ACTIVITY: return sl_sha_add_activity(m->a, symbol, formula, guard, &location, diags);
    case SL_AUTOMATON_ROOT: return sl_sha_add_root(m->a, symbol, variable, formula, guard, &location, diags);
    default:
        return variable >= 0 ? sl_sha_add_action(m->a, symbol, variable, formula, guard, &location, diags)
                             : sl_sha_add_action_equation(m->a, symbol, formula, guard, &location, diags);
    }
}

static sl_status add_initial(sl_automaton *m, const char *symbol, const sl_located_text *equation) {
    const sl_automaton_element_def def = {.kind = SL_AUTOMATON_ACTIVITY, .symbol = symbol, .formula = *equation};
    const sl_element_location location = {.element = equation->location, .formula = equation};
    sl_status status = SL_OK;
    sl_expr e = parse(m, equation, m->diags, &status);
    status = status == SL_OK ? sl_automaton_check_equation(m, &def, e, m->diags) : status;
    const sl_expr_loop none = {.index = {"i", 1}};
    status = status == SL_OK ? sl_automaton_check_units(m, e, -1, &none, &location, m->diags) : status;
    return status == SL_OK ? sl_sha_add_initial(m->a, sl_str_z(symbol), e, &location, m->diags) : status;
}

sl_status sl_automaton_declare_initial(sl_automaton *m, const char *symbol, sl_located_text equation) {
    sl_status status = m->is_finished ? SL_ERR_USE : add_initial(m, symbol, &equation);
    if (status == SL_OK) {
        sl_automaton_text text = {.name = symbol && symbol[0] ? symbol : NULL,
                                  .formula = sl_arena_copy(&m->arena, equation.text)};
        text.location = equation.location ? *equation.location : text.location;
        status = text.formula && sl_automaton_texts_add(&m->texts, &m->arena, SL_TEXT_INITIAL, &text) ? SL_OK
                                                                                                      : SL_ERR_MEMORY;
    }
    return note(m, status);
}

/* Without a place: what is said is about the part. */
static sl_status add_named_element(sl_automaton *m, const sl_automaton_element_def *def) {
    sl_diags *said = NULL;
    sl_status status = m->diags ? sl_diags_create(m->ctx, &said) : SL_OK;
    status = status == SL_OK ? add_element(m, def, said) : status;
    for (int32_t i = 0; said && i < sl_diags_size(said); i++) {
        sl_diag d = *sl_diags_at(said, i);
        d.object_kind = words[def->kind];
        d.object_id = def->symbol && def->symbol[0] ? def->symbol : NULL;
        sl_diags_add(m->diags, &d);
    }
    sl_diags_destroy(said);
    return status;
}

sl_status sl_automaton_add_element(sl_automaton *m, const sl_automaton_element_def *def) {
    if (m->is_finished) {
        return SL_ERR_USE;
    }
    sl_status status = note(m, def->location ? add_element(m, def, m->diags) : add_named_element(m, def));
    bool kept = status != SL_OK || sl_automaton_texts_add_element(&m->texts, &m->arena, def);
    return kept ? status : note(m, SL_ERR_MEMORY);
}

/* ---- By calls without places -------------------------------------------------------------------- */

static sl_located_text bare(const char *text) {
    return (sl_located_text){.text = sl_str_z(text)};
}

sl_status sl_automaton_add_parameter(sl_automaton *a, const char *name, double value) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_parameter(a, bare(name), value);
}

sl_status sl_automaton_add_table(sl_automaton *a, const char *name, int32_t n, const double *x, const double *y) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name || (n > 0 && (!x || !y))) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_table(a, bare(name), n, x, y, SL_BETWEEN_LINEAR, SL_BEYOND_WARN);
}

sl_status sl_automaton_add_shaped_table(sl_automaton *a, const char *name, int32_t n, const double *x, const double *y,
                                        sl_between between, sl_beyond beyond) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name || (n > 0 && (!x || !y))) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_table(a, bare(name), n, x, y, between, beyond);
}

sl_status sl_automaton_add_discrete(sl_automaton *a, const char *name, int32_t n, int32_t start) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_discrete(a, bare(name), n, start);
}

sl_status sl_automaton_add_continuous(sl_automaton *a, const char *name, double start, double tolerance) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name) {
        return SL_ERR_USE;
    }
    sl_variable_def def = sl_variable_default();
    def.start = start;
    def.tolerance = tolerance;
    return sl_automaton_declare_continuous(a, bare(name), &def);
}

sl_status sl_automaton_add_variable(sl_automaton *a, const char *name, const sl_variable_def *def) {
    sl_variable_def own = sl_variable_default();
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name || !sl_sized_take(&own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_continuous(a, bare(name), &own);
}

sl_status sl_automaton_add_initial(sl_automaton *a, const char *symbol, const char *equation) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !equation) {
        return SL_ERR_USE;
    }
    return sl_automaton_declare_initial(a, symbol, bare(equation));
}

static sl_status add(sl_automaton *a, sl_automaton_element kind, const char *symbol, const char *variable,
                     const char *formula, const char *guard) {
    sl_located_text when = bare(guard);
    sl_automaton_element_def def = {.kind = kind,
                                    .symbol = symbol,
                                    .variable = {variable ? sl_str_z(variable) : (sl_str){NULL, 0}, NULL},
                                    .formula = bare(formula),
                                    .guard = &when,
                                    .n_guard = guard != NULL};
    return formula ? sl_automaton_add_element(a, &def) : note(a, SL_ERR_USE);
}

sl_status sl_automaton_add_transition(sl_automaton *a, const char *symbol, const char *equation, const char *guard) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !equation) {
        return SL_ERR_USE;
    }
    return add(a, SL_AUTOMATON_TRANSITION, symbol, NULL, equation, guard);
}

sl_status sl_automaton_add_activity(sl_automaton *a, const char *symbol, const char *equation, const char *guard) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !equation) {
        return SL_ERR_USE;
    }
    return add(a, SL_AUTOMATON_ACTIVITY, symbol, NULL, equation, guard);
}

sl_status sl_automaton_add_action(sl_automaton *a, const char *symbol, const char *variable, const char *value,
                                  const char *guard) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !variable || !value) {
        return SL_ERR_USE;
    }
    return variable ? add(a, SL_AUTOMATON_ACTION, symbol, variable, value, guard) : note(a, SL_ERR_USE);
}

sl_status sl_automaton_add_action_equation(sl_automaton *a, const char *symbol, const char *equation,
                                           const char *guard) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !equation) {
        return SL_ERR_USE;
    }
    return add(a, SL_AUTOMATON_ACTION, symbol, NULL, equation, guard);
}

sl_status sl_automaton_add_root(sl_automaton *a, const char *symbol, const char *variable, const char *function,
                                const char *guard) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !variable || !function) {
        return SL_ERR_USE;
    }
    return variable ? add(a, SL_AUTOMATON_ROOT, symbol, variable, function, guard) : note(a, SL_ERR_USE);
}

/* ---- How it runs -------------------------------------------------------------------------------- */

sl_status sl_automaton_set_termination(sl_automaton *a, sl_termination termination, int32_t n_step) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return SL_ERR_USE;
    }
    static const sl_sda_rule rules[] = {SL_SDA_UNTIL_ZERO, SL_SDA_UNTIL_QUIET, SL_SDA_UNTIL_BOUND};
    if (a->is_finished || (unsigned)termination > SL_TERMINATION_STEPS ||
        (termination == SL_TERMINATION_STEPS && n_step < 1)) {
        return note(a, SL_ERR_USE);
    }
    a->discrete.rule = rules[termination];
    a->discrete.most_steps = termination == SL_TERMINATION_STEPS ? n_step : sl_sda_default().most_steps;
    return SL_OK;
}

sl_status sl_automaton_set_conflicts(sl_automaton *a, bool branch) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return SL_ERR_USE;
    }
    if (a->is_finished) {
        return SL_ERR_USE;
    }
    a->discrete.overdetermined_branches = branch;
    return SL_OK;
}

void sl_execution_default_fill(sl_execution_def *def, size_t size) {
    sl_hybrid_def d = sl_hybrid_default();
    const sl_execution_def all = {.end = d.end,
                                  .rtol = d.dae.rtol,
                                  .atol = d.dae.atol,
                                  .root_tol = d.dae.root_tol,
                                  .max_discrete = d.max_discrete,
                                  .max_round = d.max_round,
                                  .max_event = d.max_event,
                                  .window = d.window,
                                  .n_step = -1};
    sl_sized_default(def, size, &all, sizeof all);
}

sl_status sl_execution_def_use(const sl_execution_def *def, sl_hybrid_def *out) {
    static const sl_hybrid_policy policies[] = {SL_HYBRID_POLICY_ERROR, SL_HYBRID_POLICY_SLIDE, SL_HYBRID_POLICY_HOLD};
    static const sl_hybrid_choices ways[] = {SL_HYBRID_CHOICES_ERROR, SL_HYBRID_CHOICES_FIRST, SL_HYBRID_CHOICES_ASK};
    sl_execution_def d = sl_execution_default();
    if (!sl_sized_take(&d, sizeof d, def) || !(d.end > 0.0) || !(d.report >= 0.0) || !(d.rtol > 0.0) ||
        !(d.atol > 0.0) || !(d.root_tol > 0.0) || !(d.max_step >= 0.0) || d.max_discrete < 1 || d.max_round < 1 ||
        d.max_event < 1 || !(d.window >= 0.0) || (unsigned)d.choices > SL_CHOICES_ASK ||
        (unsigned)d.chattering > SL_CHATTERING_HOLD || d.n_step < -1) {
        return SL_ERR_USE;
    }
    *out = sl_hybrid_default();
    out->end = d.end;
    out->dae.rtol = d.rtol;
    out->dae.atol = d.atol;
    out->dae.root_tol = d.root_tol;
    out->dae.max_step = d.max_step;
    out->max_discrete = d.max_discrete;
    out->max_round = d.max_round;
    out->max_event = d.max_event;
    out->window = d.window;
    out->choices = ways[d.choices];
    out->policy = policies[d.chattering];
    return SL_OK;
}

uint64_t sl_execution_def_hash(const sl_execution_def *def, uint64_t automaton) {
    const double numbers[] = {def->end,          def->rtol,      def->atol,      def->root_tol, def->max_step,
                              def->max_discrete, def->max_round, def->max_event, def->window,   def->choices,
                              def->n_step,       def->relax,     def->chattering};
    const uint64_t both[2] = {automaton, sl_hash_bytes(numbers, sizeof numbers)};
    return sl_hash_bytes(both, sizeof both);
}

sl_status sl_automaton_get_run(const sl_automaton *a, sl_execution_def *out) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !out) {
        return SL_ERR_USE;
    }
    if (!sl_sized_valid(out)) {
        return SL_ERR_USE;
    }
    sl_sized_give(out, &a->run, sizeof a->run);
    return SL_OK;
}

/* What the models of engines follow from: the automaton's own rules and how it is run. */
static sl_discrete_model steps_of(const sl_automaton *a, const sl_execution_def *run) {
    sl_sda_def def = a->discrete;
    if (run->n_step >= 0) {
        def.rule = SL_SDA_UNTIL_BOUND;
        def.most_steps = run->n_step;
    }
    def.overdetermined_branches = def.overdetermined_branches || a->run.relax;
    return (sl_discrete_model){.a = sl_sha_discrete(a->a),
                               .start = sl_sha_start(a->a),
                               .def = def,
                               .takes_first = run->choices == SL_CHOICES_FIRST,
                               .hash = sl_execution_def_hash(run, a->hash)};
}

static void use_run(sl_automaton *a) {
    a->steps = steps_of(a, &a->run);
    a->model.hash = a->steps.hash;
    sl_sha_set_discrete_def(a->a, &a->steps.def);
}

sl_status sl_automaton_models(const sl_automaton *m, const sl_execution_def *run, sl_hybrid_model *moves,
                              sl_discrete_model *steps) {
    sl_execution_def def = sl_execution_default();
    sl_hybrid_def use;
    sl_status status = sl_sized_take(&def, sizeof def, run) ? sl_execution_def_use(run, &use) : SL_ERR_USE;
    if (status != SL_OK || (def.n_step >= 0 && !sl_automaton_is_discrete(m))) {
        return SL_ERR_USE;
    }
    *steps = steps_of(m, &def);
    *moves = m->model;
    moves->def = use;
    moves->def.choices = use.choices == SL_HYBRID_CHOICES_ASK ? SL_HYBRID_CHOICES_ERROR : use.choices;
    moves->report_step = def.report;
    moves->hash = steps->hash;
    return SL_OK;
}

sl_status sl_automaton_set_run(sl_automaton *a, const sl_execution_def *def) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return SL_ERR_USE;
    }
    sl_hybrid_def use;
    sl_status status = sl_execution_def_use(def, &use);
    sl_execution_def run = sl_execution_default();
    (void)sl_sized_take(&run, sizeof run, def);
    bool too_late = a->is_finished && ((run.n_step >= 0 && !sl_automaton_is_discrete(a)) ||
                                       (run.chattering == SL_CHATTERING_SLIDE && !sl_sha_slides(a->a)));
    status = status == SL_OK && too_late ? SL_ERR_USE : status;
    if (status != SL_OK) {
        return status;
    }
    a->run = run;
    use.choices =
        use.choices == SL_HYBRID_CHOICES_ASK ? SL_HYBRID_CHOICES_ERROR : use.choices; /* sessions have nobody to ask */
    a->model.def = use;
    a->model.report_step = a->run.report;
    use_run(a);
    return SL_OK;
}

/* Where something that the start is about was read. */
static const sl_text_location *place_of(const void *user, bool is_variable, int32_t i) {
    const sl_automaton *a = user;
    const sl_automaton_text *text =
        sl_automaton_texts_get(&a->texts, is_variable ? SL_TEXT_CONTINUOUS : SL_TEXT_INITIAL, i);
    return text && text->location.line ? &text->location : NULL;
}

sl_status sl_automaton_finish(sl_automaton *a) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return SL_ERR_USE;
    }
    if (a->is_finished || a->wrong != SL_OK) {
        return a->wrong != SL_OK ? a->wrong : SL_ERR_USE;
    }
    if ((a->discrete.rule == SL_SDA_UNTIL_BOUND || a->run.n_step >= 0) && !sl_automaton_is_discrete(a)) {
        sl_report(a->diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL,
                  "write `rest: derivative` or `rest: guards`",
                  "a hybrid automaton cannot end its discrete executions after a number of steps");
        return note(a, SL_ERR_INPUT);
    }
    const double rules[] = {a->discrete.rule, a->discrete.overdetermined_branches, a->discrete.most_steps};
    const uint64_t both[2] = {sl_automaton_texts_hash(&a->texts), sl_hash_bytes(rules, sizeof rules)};
    a->hash = sl_hash_bytes(both, sizeof both) ^ sl_sha_hash_dimensions(a->a);
    sl_sha_set_slides(a->a, a->run.chattering == SL_CHATTERING_SLIDE);
    sl_status status = sl_sha_finish(a->a, a->diags);
    status = note(a, status == SL_OK ? sl_sha_find_start(a->a, place_of, a, a->diags) : status);
    a->is_finished = status == SL_OK;
    use_run(a);
    a->diags = NULL;
    return status;
}

/* ---- Looking ------------------------------------------------------------------------------------ */

const sl_automaton_texts *sl_automaton_texts_of(const sl_automaton *a) {
    return &a->texts;
}

const sl_sda_def *sl_automaton_rules(const sl_automaton *a) {
    return &a->discrete;
}

const char *sl_automaton_name(const sl_automaton *a) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return NULL;
    }
    return a->name;
}

sl_context *sl_automaton_context(const sl_automaton *m) {
    return m->ctx;
}

const sl_sha *sl_automaton_get(const sl_automaton *m) {
    return m->a;
}

const sl_engine_ops *sl_automaton_engine(const sl_automaton *m) {
    return sl_automaton_is_discrete(m) ? &sl_discrete_engine : &sl_hybrid_engine;
}

const void *sl_automaton_engine_model(const sl_automaton *m) {
    return sl_automaton_is_discrete(m) ? (const void *)&m->steps : &m->model;
}

const sl_hybrid_model *sl_automaton_model(const sl_automaton *m) {
    return &m->model;
}

bool sl_automaton_branches(const sl_automaton *m) {
    return m->discrete.overdetermined_branches || m->run.relax;
}

int32_t sl_automaton_n_step(const sl_automaton *m) {
    const sl_sda_def *def = sl_sha_discrete_def(m->a);
    return def->rule == SL_SDA_UNTIL_BOUND ? def->most_steps : 0;
}

bool sl_automaton_is_finished(const sl_automaton *m) {
    return m->is_finished;
}

sl_status sl_automaton_wrong(const sl_automaton *m) {
    return m->wrong;
}

uint64_t sl_automaton_hash(const sl_automaton *m) {
    return m->hash;
}

bool sl_automaton_is_discrete(const sl_automaton *m) {
    return sl_sha_n_variable(m->a) == 0 && sl_sha_n_element(m->a, SL_SHA_ROOT) == 0;
}

int32_t sl_automaton_n_discrete(const sl_automaton *a) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return 0;
    }
    return sl_sda_n_variable(sl_sha_discrete(a->a));
}

int32_t sl_automaton_n_continuous(const sl_automaton *a) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return 0;
    }
    return sl_sha_n_variable(a->a);
}

sl_str sl_automaton_discrete_name(const sl_automaton *a, int32_t i) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return (sl_str){0};
    }
    return sl_sda_variable_name(sl_sha_discrete(a->a), i);
}

sl_str sl_automaton_continuous_name(const sl_automaton *a, int32_t i) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return (sl_str){0};
    }
    return sl_sha_variable_name(a->a, i);
}

int32_t sl_automaton_domain(const sl_automaton *a, int32_t i) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return 0;
    }
    return sl_sda_domain(sl_sha_discrete(a->a), i);
}

int32_t sl_automaton_find_discrete(const sl_automaton *a, const char *name) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name) {
        return -1;
    }
    return find(a, sl_str_z(name), true);
}

int32_t sl_automaton_find_continuous(const sl_automaton *a, const char *name) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !name) {
        return -1;
    }
    return find(a, sl_str_z(name), false);
}

/* The kind of a part among those of the hybrid automaton; transitions are the discrete part's. */
static const sl_sha_kind kinds[SL_AUTOMATON_ELEMENT_COUNT] = {SL_SHA_N_KIND, SL_SHA_ACTIVITY, SL_SHA_ACTION,
                                                              SL_SHA_ROOT};

int32_t sl_automaton_n_element(const sl_automaton *a, sl_automaton_element kind) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return 0;
    }
    return kind == SL_AUTOMATON_TRANSITION ? sl_sda_n_transition(sl_sha_discrete(a->a))
                                           : sl_sha_n_element(a->a, kinds[kind]);
}

const char *sl_automaton_symbol(const sl_automaton *a, sl_automaton_element kind, int32_t i) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON)) {
        return NULL;
    }
    return kind == SL_AUTOMATON_TRANSITION ? sl_sda_symbol(sl_sha_discrete(a->a), i)
                                           : sl_sha_get_element(a->a, kinds[kind], i).symbol;
}

int32_t sl_automaton_element_variable(const sl_automaton *a, sl_automaton_element kind, int32_t i) {
    return kind == SL_AUTOMATON_TRANSITION ? -1 : sl_sha_get_element(a->a, kinds[kind], i).variable;
}

static sl_status render(const sl_automaton *a, sl_expr e, const sl_expr_loop *loop, sl_formula_form form,
                        const sl_sink *sink) {
    static const sl_expr_form forms[] = {SL_EXPR_TEXT, SL_EXPR_LATEX, SL_EXPR_C};
    return (unsigned)form > SL_FORMULA_C ? SL_ERR_USE : sl_expr_render_loop(a->g, e, loop, forms[form], sink);
}

sl_status sl_automaton_write_guard(const sl_automaton *a, sl_automaton_element kind, int32_t i, sl_formula_form form,
                                   const sl_sink *sink) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !sink) {
        return SL_ERR_USE;
    }
    sl_expr e = kind == SL_AUTOMATON_TRANSITION ? sl_sda_guard(sl_sha_discrete(a->a), i)
                                                : sl_sha_get_element(a->a, kinds[kind], i).guard;
    return render(a, e, &(sl_expr_loop){.index = {"i", 1}}, form, sink);
}

sl_status sl_automaton_write_formula(const sl_automaton *a, sl_automaton_element kind, int32_t i, sl_formula_form form,
                                     const sl_sink *sink) {
    if (!SL_HANDLE_IS(a, SL_HANDLE_AUTOMATON) || !sink) {
        return SL_ERR_USE;
    }
    if (kind == SL_AUTOMATON_TRANSITION) {
        return render(a, sl_sda_written(sl_sha_discrete(a->a), i), &(sl_expr_loop){.index = {"i", 1}}, form, sink);
    }
    sl_sha_element part = sl_sha_get_element(a->a, kinds[kind], i);
    return render(a, part.written, &part.loop, form, sink);
}
