/* read.c: automata from YAML; see read.h. Names are declared first, then everything that uses them is read. */
#include "automata/read.h"

#include "base/ids.h"
#include "base/memory.h"
#include "base/report.h"
#include "text/yaml.h"

#include <math.h>
#include <string.h>

struct sl_automaton {
    sl_context *ctx;
    sl_arena arena;
    sl_exprs *g;
    sl_sha *a;
    const char *name;
    sl_hybrid_model model;
};

typedef struct reader {
    sl_automaton *m;
    sl_yaml *doc;
    sl_diags *diags;
    sl_status status; /* of anything but wrong input */
} reader;

/* Wrong input is counted and reading goes on; anything else ends it. */
static bool fine(reader *r, sl_status status) {
    if (status == SL_ERR_INPUT) {
        sl_yaml_count_error(r->doc);
    } else if (status != SL_OK && r->status == SL_OK) {
        r->status = status;
    }
    return status == SL_OK;
}

/* ---- Names -------------------------------------------------------------------------------------- */

static sl_place key_place(reader *r, const sl_yaml_node *node) {
    sl_yaml_node key = {.kind = SL_YAML_SCALAR, .begin = node->key_begin, .end = node->key_end, .text = node->key};
    return sl_yaml_text_place(r->doc, &key);
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
    int32_t q;
    sl_place place = key_place(r, node);
    if (fine(r, sl_sda_add_variable(sl_sha_discrete(r->m->a), node->key, (int32_t)n, &place, r->diags, &q))) {
        (void)fine(r, sl_sha_set_start(r->m->a, q, (int32_t)start));
    }
}

/* name: 20, or name: {start: 20, tolerance: 1e-9} */
static void read_continuous(reader *r, const sl_yaml_node *node) {
    double start = 0.0, tolerance = 0.0;
    if (node->kind == SL_YAML_MAP) {
        sl_yaml_map m;
        if (sl_yaml_open_map(r->doc, node, &m)) {
            sl_yaml_number(&m, "start", 0, NULL, &start);
            sl_yaml_number(&m, "tolerance", SL_YAML_POSITIVE, NULL, &tolerance);
            sl_yaml_done(&m);
        }
    } else {
        sl_yaml_as_number(r->doc, node, 0, NULL, &start);
    }
    sl_place place = key_place(r, node);
    (void)fine(r, sl_sha_add_variable(r->m->a, node->key, start, tolerance, &place, r->diags, NULL));
}

static void read_parameter(reader *r, const sl_yaml_node *node) {
    double value = 0.0;
    sl_place place = key_place(r, node);
    if (sl_yaml_as_number(r->doc, node, 0, NULL, &value)) {
        (void)fine(r, sl_sha_add_parameter(r->m->a, node->key, value, &place, r->diags));
    }
}

static double *read_numbers(reader *r, sl_yaml_map *m, const char *key, int32_t *n) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(m, key, SL_YAML_NEEDED, &list)) {
        return NULL;
    }
    *n = list->n;
    double *values = sl_arena_alloc(&r->m->arena, (size_t)list->n * sizeof *values);
    int32_t k = 0;
    for (const sl_yaml_node *e = list->first; values && e; e = e->next) {
        sl_yaml_as_number(r->doc, e, 0, NULL, &values[k++]);
    }
    r->status = values ? r->status : SL_ERR_MEMORY;
    return values;
}

/* name: {x: [0, 1], y: [0, 5]} */
static void read_table(reader *r, const sl_yaml_node *node) {
    sl_yaml_map m;
    int32_t n_x = 0, n_y = 0, number;
    if (!sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    double *x = read_numbers(r, &m, "x", &n_x), *y = read_numbers(r, &m, "y", &n_y);
    sl_yaml_done(&m);
    sl_place place = key_place(r, node);
    bool rising = n_x > 0;
    for (int32_t k = 1; x && k < n_x; k++) {
        rising = rising && x[k] > x[k - 1];
    }
    if (x && y && (n_x != n_y || !rising)) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_CURVE_SHAPE, NULL,
                       "a table needs as many x as y, at least one, and x must rise");
    } else if (x && y) {
        (void)fine(r, sl_expr_declare_table(r->m->g, node->key, n_x, x, y, &place, r->diags, &number));
    }
}

static void each(reader *r, sl_yaml_map *top, const char *key, void (*read)(reader *, const sl_yaml_node *)) {
    const sl_yaml_node *node = sl_yaml_take(top, key, 0);
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

/* ---- Expressions -------------------------------------------------------------------------------- */

static sl_expr read_expr(reader *r, const sl_yaml_node *node) {
    sl_expr e = SL_EXPR_NONE;
    if (node->kind != SL_YAML_SCALAR) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "put it in quotes", "an expression is needed here");
        return SL_EXPR_NONE;
    }
    sl_place place = sl_yaml_text_place(r->doc, node);
    (void)fine(r, sl_expr_parse(r->m->g, node->text, &place, r->diags, &e));
    return e;
}

/* An expression, or a list of which one has to hold. */
static sl_expr read_guard(reader *r, const sl_yaml_node *node) {
    if (node->kind != SL_YAML_LIST) {
        return read_expr(r, node);
    }
    sl_expr any = sl_expr_const(r->m->g, 0.0);
    for (const sl_yaml_node *e = node->first; e; e = e->next) {
        any = sl_expr_2(r->m->g, SL_OP_OR, any, read_expr(r, e));
    }
    return any;
}

/* A part: name, guard (when), and what else its kind has. */
typedef struct part {
    sl_yaml_map map;
    const char *symbol;
    sl_expr guard;
    sl_place place;
} part;

static bool open_part(reader *r, const sl_yaml_node *node, part *p) {
    *p = (part){.symbol = ""};
    if (!sl_yaml_open_map(r->doc, node, &p->map)) {
        return false;
    }
    sl_yaml_text(&p->map, "name", 0, &p->symbol);
    const sl_yaml_node *when = sl_yaml_take(&p->map, "when", 0);
    p->guard = when ? read_guard(r, when) : sl_expr_const(r->m->g, 1.0);
    p->place = sl_yaml_text_place(r->doc, node);
    return true;
}

static sl_expr take_expr(reader *r, part *p, const char *key, unsigned flags) {
    const sl_yaml_node *node = sl_yaml_take(&p->map, key, flags);
    return node ? read_expr(r, node) : SL_EXPR_NONE;
}

static void read_transition(reader *r, const sl_yaml_node *node) {
    part p;
    int32_t number;
    if (!open_part(r, node, &p)) {
        return;
    }
    sl_expr equation = take_expr(r, &p, "equation", SL_YAML_NEEDED);
    sl_yaml_done(&p.map);
    if (equation != SL_EXPR_NONE && p.guard != SL_EXPR_NONE) {
        (void)fine(r, sl_sda_add_transition(sl_sha_discrete(r->m->a), sl_str_z(p.symbol), equation, p.guard, &p.place,
                                            r->diags, &number));
    }
}

static void read_activity(reader *r, const sl_yaml_node *node) {
    part p;
    if (!open_part(r, node, &p)) {
        return;
    }
    sl_expr equation = take_expr(r, &p, "equation", SL_YAML_NEEDED);
    sl_yaml_done(&p.map);
    if (equation != SL_EXPR_NONE && p.guard != SL_EXPR_NONE) {
        (void)fine(r, sl_sha_add_activity(r->m->a, sl_str_z(p.symbol), equation, p.guard, &p.place, r->diags));
    }
}

/* A variable by its name: the number that find gives, or -1 and an error. */
static int32_t take_variable(reader *r, part *p, const char *key, bool discrete) {
    const sl_yaml_node *node = sl_yaml_take(&p->map, key, SL_YAML_NEEDED);
    const char *name = NULL;
    if (!node || !sl_yaml_as_text(r->doc, node, &name)) {
        return -1;
    }
    int32_t found = -1;
    sl_expr e = sl_expr_find(r->m->g, sl_str_z(name));
    if (discrete && e != SL_EXPR_NONE && sl_expr_op(r->m->g, e) == SL_OP_VARIABLE) {
        found = sl_sda_variable_of(sl_sha_discrete(r->m->a), sl_expr_symbol(r->m->g, e));
    } else if (!discrete) {
        found = sl_sha_find_variable(r->m->a, sl_str_z(name));
    }
    if (found < 0) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_VARIABLE,
                       discrete ? "declare it under discrete" : "declare it under continuous",
                       "there is no %s variable '%s'", discrete ? "discrete" : "continuous", name);
    }
    return found;
}

static void read_action(reader *r, const sl_yaml_node *node) {
    part p;
    if (!open_part(r, node, &p)) {
        return;
    }
    sl_expr equation = take_expr(r, &p, "equation", 0);
    bool implicit = sl_yaml_take(&p.map, "equation", 0) != NULL;
    int32_t x = implicit ? -1 : take_variable(r, &p, "set", false);
    sl_expr value = implicit ? SL_EXPR_NONE : take_expr(r, &p, "to", SL_YAML_NEEDED);
    sl_yaml_done(&p.map);
    if (p.guard == SL_EXPR_NONE) {
        return;
    }
    if (implicit && equation != SL_EXPR_NONE) {
        (void)fine(r, sl_sha_add_action_equation(r->m->a, sl_str_z(p.symbol), equation, p.guard, &p.place, r->diags));
    } else if (x >= 0 && value != SL_EXPR_NONE) {
        (void)fine(r, sl_sha_add_action(r->m->a, sl_str_z(p.symbol), x, value, p.guard, &p.place, r->diags));
    }
}

static void read_root(reader *r, const sl_yaml_node *node) {
    part p;
    if (!open_part(r, node, &p)) {
        return;
    }
    int32_t q = take_variable(r, &p, "decides", true);
    sl_expr function = take_expr(r, &p, "by", SL_YAML_NEEDED);
    sl_yaml_done(&p.map);
    if (q >= 0 && function != SL_EXPR_NONE && p.guard != SL_EXPR_NONE) {
        (void)fine(r, sl_sha_add_root(r->m->a, sl_str_z(p.symbol), q, function, p.guard, &p.place, r->diags));
    }
}

static void all(reader *r, sl_yaml_map *top, const char *key, void (*read)(reader *, const sl_yaml_node *)) {
    const sl_yaml_node *list = NULL;
    if (!sl_yaml_list(top, key, 0, &list)) {
        return;
    }
    for (const sl_yaml_node *e = list->first; e && r->status == SL_OK; e = e->next) {
        read(r, e);
    }
}

/* ---- The whole ---------------------------------------------------------------------------------- */

static void read_run(reader *r, sl_yaml_map *top) {
    sl_yaml_map m;
    sl_hybrid_model *model = &r->m->model;
    int64_t rounds = model->def.max_round, events = model->def.max_event;
    if (!sl_yaml_submap(top, "run", 0, &m)) {
        return;
    }
    sl_yaml_time(&m, "end", SL_YAML_POSITIVE, &model->def.end);
    sl_yaml_time(&m, "report", SL_YAML_POSITIVE, &model->report_step);
    if (sl_yaml_number(&m, "tolerance", SL_YAML_POSITIVE, NULL, &model->def.dae.rtol)) {
        model->def.dae.atol = 1e-3 * model->def.dae.rtol;
    }
    sl_yaml_number(&m, "absolute", SL_YAML_POSITIVE, NULL, &model->def.dae.atol);
    sl_yaml_number(&m, "root tolerance", SL_YAML_POSITIVE, NULL, &model->def.dae.root_tol);
    sl_yaml_time(&m, "longest step", SL_YAML_POSITIVE, &model->def.dae.max_step);
    sl_yaml_int(&m, "rounds", 0, 1, 1000000, &rounds);
    sl_yaml_int(&m, "events", 0, 1, 1000000, &events);
    sl_yaml_time(&m, "window", SL_YAML_POSITIVE, &model->def.window);
    model->def.max_round = (int32_t)rounds;
    model->def.max_event = (int32_t)events;
    sl_yaml_done(&m);
}

static void read_discrete_def(reader *r, sl_yaml_map *top) {
    static const char *const words[] = {"derivative", "guards", NULL};
    sl_sda_def def = sl_sda_default();
    int rest = 0;
    sl_yaml_word(top, "rest", 0, words, &rest);
    def.rule = rest == 1 ? SL_SDA_UNTIL_QUIET : SL_SDA_UNTIL_ZERO;
    sl_sha_set_discrete_def(r->m->a, &def);
}

static sl_status read_all(reader *r) {
    sl_yaml_map top;
    const char *name = "";
    if (!sl_yaml_open_map(r->doc, sl_yaml_root(r->doc), &top)) {
        return SL_ERR_INPUT;
    }
    sl_yaml_text(&top, "automaton", SL_YAML_NEEDED, &name);
    r->m->name = sl_arena_copy(&r->m->arena, sl_str_z(name));
    each(r, &top, "parameters", read_parameter);
    each(r, &top, "tables", read_table);
    each(r, &top, "discrete", read_discrete);
    each(r, &top, "continuous", read_continuous);
    all(r, &top, "transitions", read_transition);
    all(r, &top, "activities", read_activity);
    all(r, &top, "actions", read_action);
    all(r, &top, "roots", read_root);
    read_discrete_def(r, &top);
    read_run(r, &top);
    sl_yaml_done(&top);
    if (r->status != SL_OK || !r->m->name) {
        return r->status != SL_OK ? r->status : SL_ERR_MEMORY;
    }
    sl_status status = sl_yaml_status(r->doc);
    return status == SL_OK ? sl_sha_finish(r->m->a, r->diags) : status;
}

sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                            sl_automaton **out) {
    *out = NULL;
    sl_automaton *m = sl_alloc(ctx, sizeof *m);
    reader r = {.m = m, .diags = diags};
    if (!m) {
        return SL_ERR_MEMORY;
    }
    *m = (sl_automaton){.ctx = ctx, .model = {.ops = &sl_sha_ops, .def = sl_hybrid_default()}};
    sl_arena_init(&m->arena, ctx);
    m->model.hash = sl_hash_bytes(bytes, n);
    m->g = sl_exprs_create(ctx);
    sl_status status = m->g ? sl_sha_create(ctx, m->g, &m->a) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_yaml_read(ctx, bytes, n, name, diags, &r.doc) : status;
    status = status == SL_OK ? read_all(&r) : status;
    sl_yaml_destroy(r.doc);
    if (status != SL_OK) {
        sl_automaton_destroy(m);
        return status;
    }
    m->model.model = m->a;
    *out = m;
    return SL_OK;
}

void sl_automaton_destroy(sl_automaton *m) {
    if (m) {
        sl_sha_destroy(m->a);
        sl_exprs_destroy(m->g);
        sl_arena_fini(&m->arena);
        sl_free(m->ctx, m, sizeof *m);
    }
}

const char *sl_automaton_name(const sl_automaton *m) {
    return m->name;
}

const sl_sha *sl_automaton_get(const sl_automaton *m) {
    return m->a;
}

const sl_hybrid_model *sl_automaton_model(const sl_automaton *m) {
    return &m->model;
}
