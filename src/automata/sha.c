/* SPDX-License-Identifier: MIT */
/* sha.c: building hybrid automata: declarations, what guards and equations may hold, and what executions need of them. */
#include "automata/sha_impl.h"

#include "base/out.h"

#include <math.h>
#include <string.h>

sl_status sl_sha_create(sl_context *ctx, sl_exprs *g, sl_sha **out) {
    *out = NULL;
    sl_sha *a = sl_alloc(ctx, sizeof *a);
    if (!a) {
        return SL_ERR_MEMORY;
    }
    *a = (sl_sha){.ctx = ctx, .g = g, .discrete_def = sl_sda_default()};
    sl_arena_init(&a->arena, ctx);
    sl_status status = sl_sda_create(g, &a->discrete);
    if (status != SL_OK) {
        sl_sha_destroy(a);
        return status;
    }
    *out = a;
    return SL_OK;
}

void sl_sha_destroy(sl_sha *a) {
    if (!a) {
        return;
    }
    if (a->cuts.ctx) {
        sl_cuts_fini(&a->cuts);
    }
    sl_live_plan_destroy(a->plan);
    for (int k = 0; k < 2; k++) {
        sl_equation_set_fini(&a->sets[k]);
    }
    for (int k = 0; k < SL_SHA_N_KIND; k++) {
        SL_ARRAY_FINI(a->ctx, &a->parts[k]);
    }
    SL_ARRAY_FINI(a->ctx, &a->initial);
    SL_ARRAY_FINI(a->ctx, &a->variables);
    SL_ARRAY_FINI(a->ctx, &a->parameters);
    SL_ARRAY_FINI(a->ctx, &a->is_inner);
    SL_ARRAY_FINI(a->ctx, &a->dimensions);
    SL_ARRAY_FINI(a->ctx, &a->start);
    sl_sda_destroy(a->discrete);
    sl_arena_fini(&a->arena);
    sl_free(a->ctx, a, sizeof *a);
}

sl_sda *sl_sha_discrete(const sl_sha *a) {
    return a->discrete;
}

void sl_sha_set_discrete_def(sl_sha *a, const sl_sda_def *def) {
    a->discrete_def = *def;
}

const sl_sda_def *sl_sha_discrete_def(const sl_sha *a) {
    return &a->discrete_def;
}

void sl_sha_set_slides(sl_sha *a, bool slides) {
    a->slides = slides;
}

bool sl_sha_slides(const sl_sha *a) {
    return a->slides;
}

/* ---- Declarations ------------------------------------------------------------------------------- */

static sl_status declare_parameter(sl_sha *a, sl_str name, double value, bool inner, const sl_text_location *place,
                                   sl_diags *diags, int32_t *number) {
    sl_expr p;
    sl_status status = sl_expr_declare_parameter(a->g, name, 0, place, diags, &p);
    if (status != SL_OK) {
        return status;
    }
    *number = sl_expr_symbol(a->g, p);
    if (!SL_RESERVE(a->ctx, &a->parameters, *number + 1) || !SL_RESERVE(a->ctx, &a->is_inner, *number + 1)) {
        return SL_ERR_MEMORY;
    }
    while (a->parameters.n <= *number) { /* the graph may have others */
        a->parameters.at[a->parameters.n++] = 0.0;
        a->is_inner.at[a->is_inner.n++] = 0;
    }
    a->parameters.at[*number] = value;
    a->is_inner.at[*number] = inner;
    return SL_OK;
}

sl_status sl_sha_add_parameter(sl_sha *a, sl_str name, double value, const sl_text_location *place, sl_diags *diags) {
    int32_t number;
    return declare_parameter(a, name, value, false, place, diags, &number);
}

bool sl_sha_is_valid(const sl_variable_def *def) {
    return isfinite(def->start) && isfinite(def->tolerance) && def->tolerance >= 0.0 && isfinite(def->nominal) &&
           def->nominal >= 0.0 && def->low <= def->high && (unsigned)def->kind < SL_INITIAL_N_KIND &&
           (unsigned)def->state < SL_STATE_N_CHOICE;
}

sl_status sl_sha_describe_variable(sl_sha *a, sl_str name, const sl_variable_def *def, const sl_text_location *place,
                                   sl_diags *diags, int32_t *out) {
    sl_expr v;
    char pre[256];
    if (!sl_sha_is_valid(def)) {
        return SL_ERR_USE;
    }
    sl_status status = sl_expr_declare_variable(a->g, name, 0, place, diags, &v);
    sha_variable variable = {.start = def->start,
                             .given = def->start,
                             .derivative = (double)NAN,
                             .tolerance = def->tolerance,
                             .nominal = def->nominal,
                             .low = def->low,
                             .high = def->high,
                             .kind = def->kind,
                             .state = def->state,
                             .is_held = def->kind != SL_INITIAL_GUESS};
    int n = sl_format(pre, sizeof pre, "pre.%.*s", (int)(name.len < 240 ? name.len : 240), name.ptr);
    if (status == SL_OK) {
        variable.graph = sl_expr_symbol(a->g, v);
        status = declare_parameter(a, (sl_str){pre, (size_t)n}, def->start, true, place, diags, &variable.pre);
    }
    if (status == SL_OK && !SL_PUSH(a->ctx, &a->variables, variable)) {
        status = SL_ERR_MEMORY;
    }
    if (status == SL_OK && out) {
        *out = (int32_t)a->variables.n - 1;
    }
    return status;
}

sl_status sl_sha_add_variable(sl_sha *a, sl_str name, double start, double tolerance, const sl_text_location *place,
                              sl_diags *diags, int32_t *out) {
    sl_variable_def def = sl_variable_default();
    def.start = start;
    def.tolerance = tolerance;
    return sl_sha_describe_variable(a, name, &def, place, diags, out);
}

sl_status sl_sha_set_start(sl_sha *a, int32_t variable, int32_t value) {
    if (variable < 0 || variable >= sl_sda_n_variable(a->discrete) || value < 0 ||
        value >= sl_sda_domain(a->discrete, variable)) {
        return SL_ERR_USE;
    }
    while (a->start.n <= variable) {
        if (!SL_PUSH(a->ctx, &a->start, 0)) {
            return SL_ERR_MEMORY;
        }
    }
    a->start.at[variable] = value;
    return SL_OK;
}

/* ---- What may be held --------------------------------------------------------------------------- */

enum { HOLDS_X = 1, HOLDS_DX = 2, HOLDS_Q = 4, HOLDS_TIME = 8, HOLDS_PRE = 16 };

/* What kind of leaf it is; 0: one that may be anywhere. */
static unsigned leaf_kind(const sl_sha *a, sl_expr leaf) {
    switch (sl_expr_op(a->g, leaf)) {
    case SL_OP_TIME: return HOLDS_TIME;
    case SL_OP_CELL: return 0;
    case SL_OP_PARAMETER_ELEMENT:
    case SL_OP_PARAMETER: {
        int32_t p = sl_expr_symbol(a->g, leaf);
        return p < a->is_inner.n && a->is_inner.at[p] ? HOLDS_PRE : 0;
    }
    default: break;
    }
    if (sl_sda_variable_of(a->discrete, sl_expr_symbol(a->g, leaf)) >= 0) {
        return HOLDS_Q;
    }
    return sl_expr_order(a->g, leaf) > 0 ? HOLDS_DX : HOLDS_X;
}

static sl_status check_leaves(sl_sha *a, sl_expr e, unsigned allowed, bool guard, const char *what, const char *symbol,
                              const sl_element_location *place, sl_diags *diags) {
    static const struct {
        unsigned kind;
        const char *text, *hint;
    } kinds[] = {
        {HOLDS_X, "the continuous variable", "let a root decide a discrete variable by it, which a guard may hold"},
        {HOLDS_DX, "a derivative of", "let a root decide a discrete variable by it, which a guard may hold"},
        {HOLDS_Q, "the discrete variable", "write one element for each of its values, with guards (when)"},
        {HOLDS_TIME, "time", "let a root decide a discrete variable by t"},
        {HOLDS_PRE, "a value before actions", "only equations of actions may"}};
    if (e == SL_EXPR_NONE) {
        return sl_exprs_status(a->g) == SL_OK ? SL_ERR_USE : sl_exprs_status(a->g);
    }
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(a->g, 1, &e, &leaves);
    for (int64_t k = 0; k < leaves.n && status == SL_OK; k++) {
        unsigned kind = leaf_kind(a, leaves.at[k]);
        if (!(kind & ~allowed)) {
            continue;
        }
        sl_op op = sl_expr_op(a->g, leaves.at[k]);
        bool named = op == SL_OP_VARIABLE || op == SL_OP_ELEMENT;
        sl_str name = named ? sl_exprs_variable_name(a->g, sl_expr_symbol(a->g, leaves.at[k])) : (sl_str){"", 0};
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            if (kinds[i].kind == kind) {
                sl_text_location room;
                const sl_text_location *at = sl_locate_leaf(place, guard, a->g, leaves.at[k], &room);
                sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, at, NULL, NULL, kinds[i].hint,
                          "%s '%s' must not hold %s%s%.*s%s", what, symbol, kinds[i].text, named ? " '" : "",
                          (int)name.len, name.ptr, named ? "'" : "");
            }
        }
        status = SL_ERR_INPUT;
    }
    sl_expr_list_fini(a->g, &leaves);
    return status;
}

/* ---- Parts -------------------------------------------------------------------------------------- */

static const struct {
    const char *word, *letter;
    unsigned in_guard, in_expr;
} rules[SL_SHA_N_KIND] = {
    [SL_SHA_ACTIVITY] = {"activity", "u", HOLDS_Q, HOLDS_X | HOLDS_DX | HOLDS_TIME},
    [SL_SHA_ACTION] = {"action", "v", HOLDS_Q | HOLDS_TIME, HOLDS_X | HOLDS_DX | HOLDS_TIME},
    [SL_SHA_ROOT] = {"root", "w", HOLDS_Q, HOLDS_X | HOLDS_DX | HOLDS_TIME},
};

static sl_status add_element(sl_sha *a, sl_sha_kind kind, sl_str symbol, sha_element part, unsigned in_expr,
                             const sl_element_location *place, sl_diags *diags) {
    char made[24];
    if (symbol.len == 0) {
        symbol =
            (sl_str){made, (size_t)sl_format(made, sizeof made, "%s%d", rules[kind].letter, (int)a->parts[kind].n)};
    }
    part.symbol = sl_arena_copy(&a->arena, symbol);
    if (!part.symbol || a->is_finished) {
        return part.symbol ? SL_ERR_USE : SL_ERR_MEMORY;
    }
    sl_status status =
        check_leaves(a, part.guard, rules[kind].in_guard, true, "the guard of", part.symbol, place, diags);
    status = status == SL_OK ? check_leaves(a, part.expr, in_expr, false, rules[kind].word, part.symbol, place, diags)
                             : status;
    return status != SL_OK ? status : SL_PUSH(a->ctx, &a->parts[kind], part) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_sha_add_activity(sl_sha *a, sl_str symbol, sl_expr equation, sl_expr guard,
                              const sl_element_location *place, sl_diags *diags) {
    sha_element part = {
        .guard = guard, .expr = sl_expr_residual(a->g, equation), .written = equation, .variable = -1, .parameter = -1};
    return add_element(a, SL_SHA_ACTIVITY, symbol, part, rules[SL_SHA_ACTIVITY].in_expr, place, diags);
}

sl_status sl_sha_add_initial(sl_sha *a, sl_str symbol, sl_expr equation, const sl_element_location *place,
                             sl_diags *diags) {
    char made[24];
    if (symbol.len == 0) {
        symbol = (sl_str){made, (size_t)sl_format(made, sizeof made, "i%d", (int)a->initial.n)};
    }
    sha_element part = {.symbol = sl_arena_copy(&a->arena, symbol),
                        .expr = sl_expr_residual(a->g, equation),
                        .written = equation,
                        .variable = -1,
                        .parameter = -1};
    if (!part.symbol || a->is_finished) {
        return part.symbol ? SL_ERR_USE : SL_ERR_MEMORY;
    }
    sl_status status = check_leaves(a, part.expr, HOLDS_X | HOLDS_DX | HOLDS_TIME, false, "initial equation",
                                    part.symbol, place, diags);
    return status != SL_OK ? status : SL_PUSH(a->ctx, &a->initial, part) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_sha_add_loop(sl_sha *a, sl_str symbol, sl_expr equation, const sl_expr_loop *loop, sl_expr guard,
                          const sl_element_location *place, sl_diags *diags) {
    sha_element part = {
        .guard = guard, .expr = sl_expr_residual(a->g, equation), .written = equation, .variable = -1, .parameter = -1};
    part.loop = (sl_expr_loop){{sl_arena_copy(&a->arena, loop->index), loop->index.len}, loop->first, loop->n};
    if (!part.loop.index.ptr) {
        return SL_ERR_MEMORY;
    }
    return add_element(a, SL_SHA_ACTIVITY, symbol, part, rules[SL_SHA_ACTIVITY].in_expr, place, diags);
}

sl_status sl_sha_add_action(sl_sha *a, sl_str symbol, int32_t variable, sl_expr value, sl_expr guard,
                            const sl_element_location *place, sl_diags *diags) {
    sha_element part = {.guard = guard, .expr = value, .written = value, .variable = variable};
    char name[32];
    int n = sl_format(name, sizeof name, "pre[%d]", (int)a->parts[SL_SHA_ACTION].n);
    if (variable < 0 || variable >= a->variables.n) {
        return SL_ERR_USE;
    }
    sl_status status = declare_parameter(a, (sl_str){name, (size_t)n}, 0.0, true, place ? place->element : NULL, diags,
                                         &part.parameter);
    return status != SL_OK ? status
                           : add_element(a, SL_SHA_ACTION, symbol, part, rules[SL_SHA_ACTION].in_expr, place, diags);
}

sl_status sl_sha_add_action_equation(sl_sha *a, sl_str symbol, sl_expr equation, sl_expr guard,
                                     const sl_element_location *place, sl_diags *diags) {
    sha_element part = {
        .guard = guard, .expr = sl_expr_residual(a->g, equation), .written = equation, .variable = -1, .parameter = -1};
    return add_element(a, SL_SHA_ACTION, symbol, part, HOLDS_X | HOLDS_TIME | HOLDS_PRE, place, diags);
}

sl_status sl_sha_add_root(sl_sha *a, sl_str symbol, int32_t variable, sl_expr function, sl_expr guard,
                          const sl_element_location *place, sl_diags *diags) {
    sha_element part = {.guard = guard, .expr = function, .written = function, .variable = variable, .parameter = -1};
    if (variable < 0 || variable >= sl_sda_n_variable(a->discrete)) {
        return SL_ERR_USE;
    }
    if (sl_sda_domain(a->discrete, variable) < 2) {
        sl_str name = sl_sda_variable_name(a->discrete, variable);
        sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, sl_locate_variable(place), "root", NULL, "give it two values",
                  "a root decides between 0 and 1, and '%.*s' has one value only", (int)name.len, name.ptr);
        return SL_ERR_INPUT;
    }
    return add_element(a, SL_SHA_ROOT, symbol, part, rules[SL_SHA_ROOT].in_expr, place, diags);
}

/* Cells of all rows, where there are loops. */
static sl_status list_cells(sl_sha *a) {
    bool any = false;
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTIVITY].n; i++) {
        any = any || sha_n_cell(a, i) > 1;
    }
    a->n_cell = any ? sl_arena_alloc(&a->arena, (size_t)a->n_equation * sizeof *a->n_cell) : NULL;
    for (int32_t i = 0; i < a->n_equation && a->n_cell; i++) {
        a->n_cell[i] = i < a->parts[SL_SHA_ACTIVITY].n ? sha_n_cell(a, i) : 1;
    }
    return any && !a->n_cell ? SL_ERR_MEMORY : SL_OK;
}

/* ---- Finish ------------------------------------------------------------------------------------- */

static const char *activity_symbol(const void *user, int32_t i) {
    const sl_sha *a = user;
    int64_t n = a->parts[SL_SHA_ACTIVITY].n;
    return i < n ? a->parts[SL_SHA_ACTIVITY].at[i].symbol : a->cut_names[i - n];
}

static const char *action_symbol(const void *user, int32_t i) {
    return ((const sl_sha *)user)->parts[SL_SHA_ACTION].at[i].symbol;
}

static bool take_memory(sl_sha *a) {
    size_t n_activity = (size_t)a->parts[SL_SHA_ACTIVITY].n, n_action = (size_t)a->parts[SL_SHA_ACTION].n,
           n_root = (size_t)a->parts[SL_SHA_ROOT].n;
    a->equations[0] = sl_arena_alloc(&a->arena, n_activity * sizeof(sl_expr));
    a->equations[1] = sl_arena_alloc(&a->arena, n_action * sizeof(sl_expr));
    a->roots = sl_arena_alloc(&a->arena, n_root * sizeof(sl_expr));
    a->root_variables = sl_arena_alloc(&a->arena, n_root * sizeof(int32_t));
    a->next_root = sl_arena_alloc(&a->arena, n_root * sizeof(int32_t));
    a->first_root = sl_arena_alloc(&a->arena, (size_t)sl_sda_n_variable(a->discrete) * sizeof(int32_t));
    return a->equations[0] && a->equations[1] && a->roots && a->root_variables && a->next_root && a->first_root;
}

static void fill(sl_sha *a) {
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTIVITY].n; i++) {
        a->equations[0][i] = a->parts[SL_SHA_ACTIVITY].at[i].expr;
    }
    for (int32_t i = 0; i < a->parts[SL_SHA_ACTION].n; i++) {
        const sha_element *p = &a->parts[SL_SHA_ACTION].at[i];
        bool is_explicit = p->variable >= 0;
        sl_expr x = is_explicit ? sl_expr_variable(a->g, a->variables.at[p->variable].graph, 0) : SL_EXPR_NONE;
        a->equations[1][i] = is_explicit ? sl_expr_minus(a->g, x, sl_expr_parameter(a->g, p->parameter)) : p->expr;
    }
    for (int32_t i = 0; i < a->parts[SL_SHA_ROOT].n; i++) {
        a->roots[i] = a->parts[SL_SHA_ROOT].at[i].expr;
        a->root_variables[i] = a->parts[SL_SHA_ROOT].at[i].variable;
    }
    for (int32_t j = 0; j < sl_sda_n_variable(a->discrete); j++) {
        a->first_root[j] = -1;
    }
    for (int32_t i = (int32_t)a->parts[SL_SHA_ROOT].n - 1; i >= 0; i--) {
        a->next_root[i] = a->first_root[a->root_variables[i]];
        a->first_root[a->root_variables[i]] = i;
    }
}

/* Which variable each of the graph is: those of the automaton, then one per cut. */
static sl_status map_variables(sl_sha *a) {
    a->n_graph = sl_exprs_n_variable(a->g);
    a->x_of = sl_arena_alloc(&a->arena, (size_t)a->n_graph * sizeof(int32_t));
    if (!a->x_of) {
        return SL_ERR_MEMORY;
    }
    memset(a->x_of, -1, (size_t)a->n_graph * sizeof *a->x_of);
    for (int32_t j = 0; j < a->variables.n; j++) {
        a->x_of[a->variables.at[j].graph] = j;
    }
    for (int32_t k = 0; k < a->cuts.n; k++) {
        if (a->cuts.at[k].unknown >= 0) {
            a->x_of[a->cuts.at[k].unknown] = (int32_t)a->variables.n + k;
        }
    }
    return SL_OK;
}

/* What is said of variables beside their starts. */
static sl_status list_hints(sl_sha *a) {
    bool any = false;
    for (int32_t j = 0; j < a->variables.n; j++) {
        const sha_variable *v = &a->variables.at[j];
        any = any || v->state != SL_STATE_DEFAULT || isfinite(v->low) || isfinite(v->high);
    }
    a->hints = any ? sl_arena_alloc(&a->arena, (size_t)a->n_graph * sizeof *a->hints) : NULL;
    for (int32_t k = 0; k < a->n_graph && a->hints; k++) {
        const sha_variable *v = a->x_of[k] >= 0 && a->x_of[k] < a->variables.n ? &a->variables.at[a->x_of[k]] : NULL;
        a->hints[k] = (sl_variable_hint){.state = v ? (uint8_t)v->state : 0,
                                         .low = v ? v->low : -(double)INFINITY,
                                         .high = v ? v->high : (double)INFINITY};
    }
    return any && !a->hints ? SL_ERR_MEMORY : SL_OK;
}

static sl_status plan_guards(sl_sha *a) {
    for (int k = 0; k < SL_SHA_N_KIND; k++) {
        a->n_guard += (int32_t)a->parts[k].n;
    }
    sl_expr *guards = sl_arena_alloc(&a->arena, (size_t)a->n_guard * sizeof *guards);
    if (!guards) {
        return SL_ERR_MEMORY;
    }
    int32_t n = 0;
    for (int k = 0; k < SL_SHA_N_KIND; k++) {
        for (int64_t i = 0; i < a->parts[k].n; i++) {
            uint8_t merged = k == SL_SHA_ACTIVITY && a->merged ? a->merged[i] : 0;
            guards[n++] = merged ? sl_expr_const(a->g, merged == SHA_MERGED) : a->parts[k].at[i].guard;
        }
    }
    return sl_live_plan_create(a->g, a->n_guard, guards, &a->plan);
}

sl_status sl_sha_finish(sl_sha *a, sl_diags *diags) {
    int32_t n_action = (int32_t)a->parts[SL_SHA_ACTION].n;
    if (a->is_finished) {
        return SL_ERR_USE;
    }
    sl_status status = sl_sda_finish(a->discrete);
    int32_t n_q = sl_sda_n_variable(a->discrete);
    while (status == SL_OK && a->start.n < n_q) {
        status = SL_PUSH(a->ctx, &a->start, 0) ? SL_OK : SL_ERR_MEMORY;
    }
    status = status == SL_OK && !take_memory(a) ? SL_ERR_MEMORY : status;
    if (status == SL_OK) {
        fill(a);
        status = sl_exprs_status(a->g);
    }
    status = status == SL_OK && a->slides ? sl_sha_merge_relays(a) : status;
    status = status == SL_OK ? sl_sha_split(a) : status;
    status = status == SL_OK ? map_variables(a) : status;
    status = status == SL_OK ? list_hints(a) : status;
    status = status == SL_OK ? sl_sha_list_roots(a) : status;
    status = status == SL_OK ? list_cells(a) : status;
    status = status == SL_OK ? sl_sha_list_held(a) : status;
    status = status == SL_OK ? sl_equation_set_init(&a->sets[0], a->ctx, a->g, a->n_equation, a->equations[0],
                                                    activity_symbol, a, diags)
                             : status;
    a->sets[0].of_parameter = a->marks;
    a->sets[0].hints = a->hints;
    a->sets[0].reduces = true;
    a->sets[0].n_cell = a->n_cell;
    status = status == SL_OK
                 ? sl_equation_set_init(&a->sets[1], a->ctx, a->g, n_action, a->equations[1], action_symbol, a, diags)
                 : status;
    status = status == SL_OK ? plan_guards(a) : status;
    a->is_finished = status == SL_OK;
    return status;
}

/* ---- Looking ------------------------------------------------------------------------------------ */

int32_t sl_sha_n_element(const sl_sha *a, sl_sha_kind kind) {
    return (int32_t)a->parts[kind].n;
}

sl_sha_element sl_sha_get_element(const sl_sha *a, sl_sha_kind kind, int32_t i) {
    const sha_element *p = &a->parts[kind].at[i];
    return (sl_sha_element){p->symbol,   p->guard,   p->expr,
                            p->variable, p->written, p->loop.n > 1 ? p->loop : (sl_expr_loop){{"i", 1}, 0, 1}};
}

int32_t sl_sha_n_variable(const sl_sha *a) {
    return (int32_t)a->variables.n;
}

int32_t sl_sha_graph_variable(const sl_sha *a, int32_t variable) {
    return a->variables.at[variable].graph;
}

sl_str sl_sha_variable_name(const sl_sha *a, int32_t variable) {
    return sl_exprs_variable_name(a->g, a->variables.at[variable].graph);
}

const int32_t *sl_sha_start(const sl_sha *a) {
    return a->start.at;
}

const sl_exprs *sl_sha_graph(const sl_sha *a) {
    return a->g;
}

int32_t sl_sha_find_variable(const sl_sha *a, sl_str name) {
    bool is_parameter = true;
    int32_t graph = sl_expr_find_symbol(a->g, name, &is_parameter), low = 0, high = (int32_t)a->variables.n;
    if (graph < 0 || is_parameter) {
        return -1;
    }
    while (low < high) { /* numbers of the graph rise as variables are declared */
        int32_t middle = low + (high - low) / 2;
        if (a->variables.at[middle].graph < graph) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < a->variables.n && a->variables.at[low].graph == graph ? low : -1;
}
