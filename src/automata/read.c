/* SPDX-License-Identifier: MIT */
/* read.c: automata from YAML: one way of building them. Names are declared first, then everything that uses them is read; the
 * calls are those of automaton.h, which take the place of each text along. docs/reference/automaton.md describes the files.
 */
#include "automata/read.h"

#include "automata/automaton_impl.h"

#include <math.h>

#include "base/context.h"
#include "base/memory.h"
#include "text/yaml.h"

typedef struct reader {
    sl_automaton *m;
    sl_yaml *doc;
    sl_arena arena;   /* for lists */
    sl_status status; /* memory */
} reader;

/* Start values or the like: one, or one for each element of an array. */
typedef struct start_values {
    int32_t n;
    double one, *at;
    bool is_good;
    sl_dimension unit; /* that a number was given with, or `unit` says; else unknown */
} start_values;

/* ---- Names -------------------------------------------------------------------------------------- */

static sl_text_location key_location(reader *r, const sl_yaml_node *node) {
    bool quoted = node->key_end - node->key_begin == node->key.len + 2;
    sl_yaml_node key = {
        .kind = SL_YAML_SCALAR, .begin = node->key_begin, .end = node->key_end, .text = node->key, .quoted = quoted};
    sl_text_location place = sl_yaml_text_location(r->doc, &key);
    return sl_text_location_resolve(&place);
}

/* name: 3, or name: {states: 3, start: 1} */
static void read_discrete(reader *r, const sl_yaml_node *node) {
    int64_t n = 2, start = 0;
    if (node->kind == SL_YAML_MAP) {
        sl_yaml_map m;
        if (sl_yaml_open_map(r->doc, node, &m)) {
            sl_yaml_int(&m, "states", 0, 1, SL_SDA_DOMAIN_MAX, &n);
            sl_yaml_int(&m, "start", 0, 0, n - 1, &start);
            sl_yaml_done(&m);
        }
    } else {
        sl_yaml_as_int(r->doc, node, 1, SL_SDA_DOMAIN_MAX, &n);
    }
    sl_text_location place = key_location(r, node);
    (void)sl_automaton_declare_discrete(r->m, (sl_located_text){node->key, &place}, (int32_t)n, (int32_t)start);
}

/* A number that may have a unit behind it, as 5 bar: in SI. */
static bool read_quantity(reader *r, const sl_yaml_node *node, start_values *into, double *out) {
    size_t blank = 0;
    while (node->kind == SL_YAML_SCALAR && blank < node->text.len && node->text.ptr[blank] != ' ') {
        blank++;
    }
    if (node->kind != SL_YAML_SCALAR || blank == node->text.len || blank == 0) {
        return sl_yaml_as_number(r->doc, node, 0, NULL, out);
    }
    sl_yaml_node number = *node;
    number.text.len = blank;
    sl_text_location place = sl_yaml_text_location(r->doc, node);
    place.begin += blank + 1;
    place.length = node->text.len - blank - 1;
    sl_located_text unit = {{node->text.ptr + blank + 1, node->text.len - blank - 1}, &place};
    sl_dimension d;
    double factor = 1.0;
    if (!sl_yaml_as_number(r->doc, &number, 0, NULL, out) ||
        sl_automaton_read_unit(r->m, &unit, &d, &factor) != SL_OK) {
        sl_automaton_spoil(r->m);
        return false;
    }
    *out *= factor;
    if (!sl_dimension_fits(&into->unit, &d)) {
        char one[SL_DIMENSION_TEXT], other[SL_DIMENSION_TEXT];
        sl_dimension_text(&into->unit, one);
        sl_dimension_text(&d, other);
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_UNIT, NULL, "it is in %s, and this is in %s", one, other);
        sl_automaton_spoil(r->m);
        return false;
    }
    into->unit = d;
    return true;
}

/* unit: Pa */
static void read_unit(reader *r, sl_yaml_map *m, start_values *into) {
    const sl_yaml_node *node = sl_yaml_get(m, "unit", 0);
    double factor = 1.0;
    if (!node) {
        return;
    }
    sl_text_location place = sl_yaml_text_location(r->doc, node);
    const sl_located_text text = {node->text, &place};
    if (node->kind != SL_YAML_SCALAR) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "write it as Pa or m3/s", "a unit is needed here");
    } else if (sl_automaton_read_unit(r->m, &text, &into->unit, &factor) == SL_OK && factor != 1.0) {
        char si[SL_DIMENSION_TEXT];
        sl_dimension_text(&into->unit, si);
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_UNIT, "numbers may have other units behind them, as 5 bar",
                       "variables and parameters are in SI units: %s", si);
    } else if (factor == 1.0 && into->unit.kind == SL_DIMENSION_KNOWN) {
        return;
    }
    into->unit.kind = SL_DIMENSION_UNKNOWN;
    sl_automaton_spoil(r->m);
}

static void declare_unit(reader *r, const sl_yaml_node *node, const start_values *v) {
    if (v->unit.kind == SL_DIMENSION_KNOWN) {
        (void)sl_automaton_declare_dimension(r->m, node->key, &v->unit);
    }
}

/* A number, or of an array a list of them. */
static void read_values(reader *r, const sl_yaml_node *node, bool is_array, start_values *out) {
    bool is_list = is_array && node->kind == SL_YAML_LIST && node->n > 0;
    double *at = is_list ? sl_arena_alloc(&r->arena, (size_t)node->n * sizeof *at) : &out->one;
    if (!at) {
        r->status = SL_ERR_MEMORY;
        return;
    }
    out->at = at;
    out->n = 0;
    for (const sl_yaml_node *e = is_list ? node->first : node; e; e = is_list ? e->next : NULL) {
        out->is_good = read_quantity(r, e, out, &at[out->n++]) && out->is_good;
    }
}

/* start, fixed or guess: which of them, and the value. */
static void read_start(reader *r, sl_yaml_map *m, bool is_array, start_values *start, sl_variable_def *def) {
    static const char *const kinds[SL_INITIAL_N_KIND] = {"start", "fixed", "guess"};
    const char *first = NULL;
    for (int k = 0; k < SL_INITIAL_N_KIND; k++) {
        const sl_yaml_node *node = sl_yaml_get(m, kinds[k], 0);
        if (node && first) {
            sl_yaml_report_key(r->doc, node, SL_ERROR, SL_CODE_WRONG_KIND, "keep one of them",
                               "%s and %s exclude each other", first, kinds[k]);
        } else if (node) {
            first = kinds[k];
            def->kind = (sl_initial_kind)k;
            read_values(r, node, is_array, start);
        }
    }
}

/* name: 20, or name: {fixed: 20, tolerance: 1e-9, nominal: 10, min: 0, max: 100, state: prefer} */
static void read_continuous(reader *r, const sl_yaml_node *node) {
    static const char *const states[] = {"default", "prefer", "avoid", "always", "never", NULL}; /* sl_state_choice */
    sl_variable_def def = sl_variable_default();
    int state = 0;
    bool is_array = sl_automaton_is_range(node->key);
    start_values start = {.n = 1, .at = &start.one, .is_good = true};
    if (node->kind == SL_YAML_MAP) {
        sl_yaml_map m;
        if (sl_yaml_open_map(r->doc, node, &m)) {
            read_unit(r, &m, &start);
            read_start(r, &m, is_array, &start, &def);
            sl_yaml_number(&m, "tolerance", SL_YAML_POSITIVE, NULL, &def.tolerance);
            sl_yaml_number(&m, "nominal", SL_YAML_POSITIVE, NULL, &def.nominal);
            sl_yaml_number(&m, "min", 0, NULL, &def.low);
            sl_yaml_number(&m, "max", 0, NULL, &def.high);
            sl_yaml_word(&m, "state", 0, states, &state);
            sl_yaml_done(&m);
            if (def.low > def.high) {
                sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_VALUE_RANGE, "exchange them", "min %g is above max %g",
                               def.low, def.high);
                def.low = def.high;
            }
        }
    } else {
        read_values(r, node, is_array, &start);
    }
    def.state = (sl_state_choice)state;
    def.start = start.at[0];
    sl_text_location place = key_location(r, node);
    if (is_array) {
        (void)sl_automaton_declare_array(r->m, (sl_located_text){node->key, &place}, start.n, start.at, &def);
        declare_unit(r, node, &start);
        sl_arena_clear(&r->arena);
        return;
    }
    (void)sl_automaton_declare_continuous(r->m, (sl_located_text){node->key, &place}, &def);
    declare_unit(r, node, &start);
}

static void read_parameter(reader *r, const sl_yaml_node *node) {
    bool is_array = sl_automaton_is_range(node->key);
    start_values v = {.n = 1, .at = &v.one, .is_good = true};
    sl_text_location place = key_location(r, node);
    sl_yaml_map m;
    if (node->kind == SL_YAML_MAP && sl_yaml_open_map(r->doc, node, &m)) {
        read_unit(r, &m, &v);
        const sl_yaml_node *value = sl_yaml_get(&m, "value", SL_YAML_NEEDED);
        v.is_good = value != NULL;
        if (value) {
            read_values(r, value, is_array, &v);
        }
        sl_yaml_done(&m);
    } else {
        read_values(r, node, is_array, &v);
    }
    if (is_array && v.is_good) {
        (void)sl_automaton_declare_parameter_array(r->m, (sl_located_text){node->key, &place}, v.n, v.at);
        sl_arena_clear(&r->arena);
    } else if (v.is_good) {
        (void)sl_automaton_declare_parameter(r->m, (sl_located_text){node->key, &place}, v.at[0]);
    }
    declare_unit(r, node, &v);
}

static double *read_numbers(reader *r, sl_yaml_map *m, const char *key, int32_t *n) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(m, key, SL_YAML_NEEDED, &list)) {
        return NULL;
    }
    *n = list->n;
    double *values = sl_arena_alloc(&r->arena, (size_t)list->n * sizeof *values);
    int32_t k = 0;
    for (const sl_yaml_node *e = list->first; values && e; e = e->next) {
        sl_yaml_as_number(r->doc, e, 0, NULL, &values[k++]);
    }
    r->status = values ? r->status : SL_ERR_MEMORY;
    return values;
}

/* What is wrong with a table: the first x that does not rise, or y if there are too many or too few; else its name. */
static sl_text_location table_location(reader *r, const sl_yaml_node *table, bool same, const double *x) {
    for (const sl_yaml_node *list = table->first; list; list = list->next) {
        bool is_x = sl_str_equal(list->key, sl_str_z("x")), is_y = sl_str_equal(list->key, sl_str_z("y"));
        int32_t k = 0;
        if (is_y && !same) {
            return key_location(r, list);
        }
        for (const sl_yaml_node *e = list->first; is_x && same && e; e = e->next, k++) {
            if (k > 0 && x[k] <= x[k - 1]) {
                return sl_yaml_text_location(r->doc, e);
            }
        }
    }
    return key_location(r, table);
}

/* points: [[0, 0], [1, 5]]; how many there are, 0 where they are wrong. */
static int32_t read_points(reader *r, sl_yaml_map *m, double **x, double **y) {
    const sl_yaml_node *list = NULL;
    *x = *y = NULL;
    if (!sl_yaml_list(m, "points", SL_YAML_NEEDED, &list)) {
        return 0;
    }
    *x = sl_arena_alloc(&r->arena, (size_t)list->n * sizeof **x);
    *y = sl_arena_alloc(&r->arena, (size_t)list->n * sizeof **y);
    if (!*x || !*y) {
        r->status = SL_ERR_MEMORY;
        return 0;
    }
    int32_t n = sl_yaml_as_points(r->doc, list, false, NULL, NULL, NULL, *x, *y);
    return n == list->n ? n : 0;
}

/* name: {x: [0, 1], y: [0, 5]} or {points: [[0, 0], [1, 5]]}, with between: hold, beyond: extend */
static void read_table(reader *r, const sl_yaml_node *node) {
    static const char *const betweens[] = {"linear", "hold", "cubic", NULL};   /* sl_between */
    static const char *const beyonds[] = {"warn", "constant", "extend", NULL}; /* sl_beyond */
    int between = 0, beyond = 0;
    sl_yaml_map m;
    int32_t n_x = 0, n_y = 0;
    if (!sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    double *x, *y;
    if (sl_yaml_get(&m, "points", 0)) {
        n_y = n_x = read_points(r, &m, &x, &y);
        x = n_x > 0 ? x : NULL; /* what is wrong has been reported */
    } else {
        x = read_numbers(r, &m, "x", &n_x);
        y = read_numbers(r, &m, "y", &n_y);
    }
    sl_yaml_word(&m, "between", 0, betweens, &between);
    sl_yaml_word(&m, "beyond", 0, beyonds, &beyond);
    sl_yaml_done(&m);
    if (x && y) {
        sl_text_location place = table_location(r, node, n_x == n_y, x);
        (void)sl_automaton_declare_table(r->m, (sl_located_text){node->key, &place}, n_x == n_y ? n_x : 0, x, y,
                                         (sl_between)between, (sl_beyond)beyond);
    }
}

static void each(reader *r, sl_yaml_map *top, const char *key, void (*read)(reader *, const sl_yaml_node *)) {
    const sl_yaml_node *node = sl_yaml_get(top, key, 0);
    if (!node) {
        return;
    }
    if (node->kind != SL_YAML_MAP) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "write a map of names", "%s: a map is needed", key);
        return;
    }
    for (const sl_yaml_node *e = node->first; e && r->status == SL_OK; e = e->next) {
        read(r, e);
    }
}

/* ---- Parts -------------------------------------------------------------------------------------- */

/* What the keys of a kind of part are called. */
typedef struct element_keys {
    sl_automaton_element kind;
    const char *variable, *formula; /* variable NULL: it has none */
} element_keys;

/* A part at work: the places of its texts. */
typedef struct element {
    sl_yaml_map map;
    sl_automaton_element_def def;
    sl_text_location location, variable, formula, range;
    bool bad; /* told already */
} element;

static sl_located_text text_of(reader *r, element *p, const sl_yaml_node *node, sl_text_location *place) {
    if (node->kind != SL_YAML_SCALAR) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "put it in quotes", "an expression is needed here");
        p->bad = true;
        return (sl_located_text){{NULL, 0}, NULL};
    }
    *place = sl_yaml_text_location(r->doc, node);
    return (sl_located_text){node->text, place};
}

static sl_located_text take_text(reader *r, element *p, const char *key, unsigned flags, sl_text_location *place) {
    const sl_yaml_node *node = sl_yaml_get(&p->map, key, flags);
    p->bad = p->bad || (!node && (flags & SL_YAML_NEEDED));
    return node ? text_of(r, p, node, place) : (sl_located_text){{NULL, 0}, NULL};
}

/* when: an expression, or a list of which one has to hold */
static void read_guard(reader *r, element *p) {
    const sl_yaml_node *when = sl_yaml_get(&p->map, "when", 0);
    bool list = when && when->kind == SL_YAML_LIST;
    int32_t n = !when ? 0 : list ? when->n : 1;
    if (list && n == 0) {
        sl_yaml_report(r->doc, when, SL_ERROR, SL_CODE_MISSING_VALUE, "omit it for an element that is always active",
                       "when: the list of guards is empty");
        p->bad = true;
    }
    sl_located_text *guard = sl_arena_alloc(&r->arena, (size_t)n * sizeof *guard);
    sl_text_location *places = sl_arena_alloc(&r->arena, (size_t)n * sizeof *places);
    r->status = guard && places ? r->status : SL_ERR_MEMORY;
    const sl_yaml_node *node = list ? when->first : when;
    for (int32_t k = 0; k < n && r->status == SL_OK; k++, node = node->next) {
        guard[k] = text_of(r, p, node, &places[k]);
    }
    p->def.guard = guard;
    p->def.n_guard = r->status == SL_OK ? n : 0;
}

static void read_element(reader *r, const sl_yaml_node *node, const element_keys *keys) {
    element p = {.def = {.kind = keys->kind}};
    if (!sl_yaml_open_map(r->doc, node, &p.map)) {
        return;
    }
    sl_yaml_text(&p.map, "name", 0, &p.def.symbol);
    read_guard(r, &p);
    if (keys->kind == SL_AUTOMATON_ACTIVITY || keys->kind == SL_AUTOMATON_ACTION) {
        p.def.range = take_text(r, &p, "for", 0, &p.range);
    }
    const sl_yaml_node *equation = keys->kind == SL_AUTOMATON_ACTION ? sl_yaml_get(&p.map, "equation", 0) : NULL;
    if (equation) {
        p.def.formula = text_of(r, &p, equation, &p.formula);
    } else {
        if (keys->variable) {
            p.def.variable = take_text(r, &p, keys->variable, SL_YAML_NEEDED, &p.variable);
        }
        p.def.formula = take_text(r, &p, keys->formula, SL_YAML_NEEDED, &p.formula);
    }
    sl_yaml_done(&p.map);
    p.location = sl_yaml_text_location(r->doc, node);
    p.def.location = &p.location;
    if (!p.bad && r->status == SL_OK) {
        (void)sl_automaton_add_element(r->m, &p.def);
    }
}

static void read_elements(reader *r, sl_yaml_map *top, const char *key, const element_keys *keys) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(top, key, 0, &list)) {
        return;
    }
    for (const sl_yaml_node *e = list->first; e && r->status == SL_OK; e = e->next) {
        read_element(r, e, keys);
        sl_arena_clear(&r->arena);
    }
}

/* {name: steady, equation: der(x) = 0} */
static void read_initial(reader *r, sl_yaml_map *top) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(top, "initial", 0, &list)) {
        return;
    }
    for (const sl_yaml_node *e = list->first; e && r->status == SL_OK; e = e->next) {
        element p = {.bad = false};
        const char *symbol = NULL;
        if (sl_yaml_open_map(r->doc, e, &p.map)) {
            sl_yaml_text(&p.map, "name", 0, &symbol);
            sl_located_text equation = take_text(r, &p, "equation", SL_YAML_NEEDED, &p.formula);
            sl_yaml_done(&p.map);
            if (!p.bad) {
                (void)sl_automaton_declare_initial(r->m, symbol, equation);
            }
        }
    }
}

/* ---- The whole ---------------------------------------------------------------------------------- */

/* So many steps of a run are a slip of the unit, as a rule. */
static void bound_steps(reader *r, sl_yaml_map *m, const char *key, double end, double step) {
    double most = SL_STEPS_MOST * sl_automaton_context(r->m)->def.effort, n = end / step;
    if (isfinite(end) && step > 0.0 && !(n <= most)) {
        sl_yaml_report(r->doc, sl_yaml_get(m, key, 0), SL_ERROR, SL_CODE_VALUE_RANGE,
                       "write a longer one, or a nearer end; --effort allows more",
                       "%s of %g s: %.3g until the end at %g s", key, step, n, end);
    }
}

/* Only what makes steps alone can end after a number of them: said at the key. True: it is said. */
static bool refuse_steps(reader *r, const sl_yaml_node *steps) {
    bool moves = steps && r->status == SL_OK && !sl_automaton_is_discrete(r->m);
    if (moves) {
        sl_yaml_report_key(r->doc, steps, SL_ERROR, SL_CODE_WRONG_KIND, "write `rest: derivative` or `rest: guards`",
                           "a hybrid automaton cannot end its discrete executions after a number of steps");
    }
    return moves;
}

static void read_run(reader *r, sl_yaml_map *top) {
    static const char *const choices[] = {"error", "first", "ask", NULL};     /* sl_choices */
    static const char *const chattering[] = {"error", "slide", "hold", NULL}; /* sl_chattering */
    sl_yaml_map m;
    sl_execution_def def = sl_execution_default();
    (void)sl_automaton_get_run(r->m, &def);
    int64_t rounds = def.max_round, events = def.max_event, discrete = def.max_discrete, steps = def.n_step;
    int choice = 0, policy = 0;
    if (!sl_yaml_submap(top, "run", 0, &m)) {
        return;
    }
    sl_yaml_time(&m, "end", SL_YAML_POSITIVE, &def.end);
    sl_yaml_time(&m, "report", SL_YAML_POSITIVE, &def.report);
    if (sl_yaml_number(&m, "tolerance", SL_YAML_POSITIVE, NULL, &def.rtol)) {
        def.atol = 1e-3 * def.rtol;
    }
    sl_yaml_number(&m, "absolute", SL_YAML_POSITIVE, NULL, &def.atol);
    sl_yaml_number(&m, "root tolerance", SL_YAML_POSITIVE, NULL, &def.root_tol);
    sl_yaml_time(&m, "longest step", SL_YAML_POSITIVE, &def.max_step);
    sl_yaml_int(&m, "rounds", 0, 1, 1000000, &rounds);
    sl_yaml_int(&m, "events", 0, 1, 1000000, &events);
    sl_yaml_int(&m, "discrete steps", 0, 1, INT32_MAX, &discrete);
    if (refuse_steps(r, sl_yaml_get(&m, "steps", 0))) {
        steps = -1;
    } else {
        sl_yaml_int(&m, "steps", 0, 0, INT32_MAX, &steps);
    }
    sl_yaml_time(&m, "window", SL_YAML_NOT_NEGATIVE, &def.window);
    sl_yaml_bool(&m, "relax", 0, &def.relax);
    sl_yaml_word(&m, "choices", 0, choices, &choice);
    bound_steps(r, &m, "report", def.end, def.report);
    bound_steps(r, &m, "longest step", def.end, def.max_step);
    sl_yaml_word(&m, "chattering", 0, chattering, &policy);
    def.max_round = (int32_t)rounds;
    def.max_event = (int32_t)events;
    def.max_discrete = (int32_t)discrete;
    def.n_step = (int32_t)steps;
    def.choices = (sl_choices)choice;
    def.chattering = (sl_chattering)policy;
    sl_yaml_done(&m);
    (void)sl_automaton_set_run(r->m, &def);
}

static void read_rules(reader *r, sl_yaml_map *top) {
    static const char *const rests[] = {"derivative", "guards", NULL}, *const conflicts[] = {"error", "branch", NULL};
    int rest = 0, conflict = 0;
    int64_t steps = 0;
    sl_yaml_word(top, "rest", 0, rests, &rest);
    sl_yaml_word(top, "conflicts", 0, conflicts, &conflict);
    if (!refuse_steps(r, sl_yaml_get(top, "steps", 0)) && sl_yaml_int(top, "steps", 0, 1, INT32_MAX, &steps)) {
        (void)sl_automaton_set_termination(r->m, SL_TERMINATION_STEPS, (int32_t)steps);
        (void)sl_automaton_set_conflicts(r->m, conflict == 1);
        return;
    }
    (void)sl_automaton_set_termination(r->m, rest == 1 ? SL_TERMINATION_GUARDS : SL_TERMINATION_DERIVATIVE, 0);
    (void)sl_automaton_set_conflicts(r->m, conflict == 1);
}

static void read_all(reader *r, sl_yaml_map *top) {
    static const element_keys transition = {SL_AUTOMATON_TRANSITION, NULL, "equation"},
                              activity = {SL_AUTOMATON_ACTIVITY, NULL, "equation"},
                              action = {SL_AUTOMATON_ACTION, "set", "to"}, root = {SL_AUTOMATON_ROOT, "decides", "by"};
    each(r, top, "parameters", read_parameter);
    each(r, top, "tables", read_table);
    each(r, top, "discrete", read_discrete);
    each(r, top, "continuous", read_continuous);
    read_initial(r, top);
    read_elements(r, top, "transitions", &transition);
    read_elements(r, top, "activities", &activity);
    read_elements(r, top, "actions", &action);
    read_elements(r, top, "roots", &root);
    read_rules(r, top);
    read_run(r, top);
    sl_yaml_done(top);
}

sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                            sl_automaton **out) {
    if (!ctx || !out || (n > 0 && !bytes)) {
        return SL_ERR_USE;
    }
    reader r = {0};
    sl_yaml_map top;
    const char *name = "";
    *out = NULL;
    sl_status status = sl_yaml_read(ctx, bytes, n, file, diags, &r.doc);
    status = status == SL_OK && !sl_yaml_open_map(r.doc, sl_yaml_root(r.doc), &top) ? SL_ERR_INPUT : status;
    if (status == SL_OK) {
        bool is_signed = sl_yaml_signature(&top, "automaton", 1);
        sl_yaml_text(&top, "automaton", is_signed ? 0 : SL_YAML_NEEDED, &name);
        status = sl_automaton_create(ctx, name, diags, &r.m);
    }
    if (status == SL_OK) {
        sl_arena_init(&r.arena, ctx);
        read_all(&r, &top);
        sl_arena_fini(&r.arena);
        status = r.status != SL_OK ? r.status : sl_automaton_wrong(r.m);
        status = status == SL_OK ? sl_yaml_status(r.doc) : status;
        status = status == SL_OK ? sl_automaton_finish(r.m) : status;
    }
    sl_yaml_destroy(r.doc);
    if (status != SL_OK) {
        sl_automaton_destroy(r.m);
        return status;
    }
    *out = r.m;
    return SL_OK;
}
