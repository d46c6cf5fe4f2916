/* read.c: automata from YAML. Names come first, whatever the order in the file, then what is written with them. */
#include "automata/read.h"

#include "base/memory.h"
#include "text/yaml.h"

typedef struct reader {
    sl_automaton *a;
    sl_yaml *doc;
    sl_diags *diags;
    sl_status status; /* the worst */
    SL_ARRAY(int32_t) q0;
    SL_ARRAY(double) x0;
    SL_ARRAY(double) p;
} reader;

static bool fine(reader *r, sl_status status) {
    if (status != SL_OK && r->status != SL_ERR_MEMORY) {
        r->status = status;
    }
    return status == SL_OK;
}

/* The name of an entry stands in its key. */
static sl_place key_place(reader *r, const sl_yaml_node *node) {
    sl_yaml_node key = {.kind = SL_YAML_SCALAR, .text = node->key, .begin = node->key_begin, .end = node->key_end};
    return sl_yaml_text_place(r->doc, &key);
}

/* ---- Names ------------------------------------------------------------------------------------------- */

typedef void entry_reader(reader *r, const sl_yaml_node *node);

static void read_entries(reader *r, sl_yaml_map *m, const char *key, entry_reader *read) {
    const sl_yaml_node *node = sl_yaml_take(m, key, 0);
    sl_yaml_map entries;
    if (!node || !sl_yaml_open_map(r->doc, node, &entries)) {
        return;
    }
    for (const sl_yaml_node *e = node->first; e && r->status != SL_ERR_MEMORY; e = e->next) {
        read(r, e);
    }
}

static void read_parameter(reader *r, const sl_yaml_node *node) {
    double value = 0.0;
    sl_expr e;
    sl_place place = key_place(r, node);
    sl_yaml_as_number(r->doc, node, 0, NULL, &value);
    if (fine(r, sl_expr_declare_parameter(r->a->g, node->key, 0, &place, r->diags, &e)) &&
        !SL_PUSH(r->a->ctx, &r->p, value)) {
        r->status = SL_ERR_MEMORY;
    }
}

/* A list of points [x, y]. */
static void read_table(reader *r, const sl_yaml_node *node) {
    sl_context *ctx = r->a->ctx;
    SL_ARRAY(double) x = {0}, y = {0};
    bool good = node->kind == SL_YAML_LIST, memory = true;
    for (const sl_yaml_node *point = node->first; good && memory && point; point = point->next) {
        double at[2];
        good = point->kind == SL_YAML_LIST && point->n == 2 &&
               sl_yaml_as_number(r->doc, point->first, 0, NULL, &at[0]) &&
               sl_yaml_as_number(r->doc, point->first->next, 0, NULL, &at[1]);
        memory = !good || (SL_PUSH(ctx, &x, at[0]) && SL_PUSH(ctx, &y, at[1]));
    }
    if (!good) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_TYPE, "[[0, 0], [1.5, 20]]",
                       "a table is a list of points [x, y]");
    } else if (memory) {
        int32_t table;
        sl_place place = key_place(r, node);
        fine(r, sl_expr_declare_table(r->a->g, node->key, (int32_t)x.n, x.at, y.at, &place, r->diags, &table));
    }
    if (!memory) {
        r->status = SL_ERR_MEMORY;
    }
    SL_ARRAY_FINI(ctx, &x);
    SL_ARRAY_FINI(ctx, &y);
}

static void read_discrete(reader *r, const sl_yaml_node *node) {
    int64_t values = 2, begin = 0;
    int32_t q;
    if (node->kind == SL_YAML_MAP) {
        sl_yaml_map m;
        sl_yaml_open_map(r->doc, node, &m);
        sl_yaml_int(&m, "values", 0, 1, SL_SDA_DOMAIN_MAX, &values);
        sl_yaml_int(&m, "start", 0, 0, values - 1, &begin);
        sl_yaml_done(&m);
    } else {
        sl_yaml_as_int(r->doc, node, 0, 1, &begin);
    }
    sl_place place = key_place(r, node);
    if (fine(r, sl_sda_add_variable(sl_sha_discrete(r->a->h), node->key, (int32_t)values, &place, r->diags, &q)) &&
        !SL_PUSH(r->a->ctx, &r->q0, (int32_t)begin)) {
        r->status = SL_ERR_MEMORY;
    }
}

static void read_continuous(reader *r, const sl_yaml_node *node) {
    double begin = 0.0;
    int32_t x;
    sl_place place = key_place(r, node);
    sl_yaml_as_number(r->doc, node, 0, NULL, &begin);
    if (fine(r, sl_sha_add_variable(r->a->h, node->key, &place, r->diags, &x)) && !SL_PUSH(r->a->ctx, &r->x0, begin)) {
        r->status = SL_ERR_MEMORY;
    }
}

/* ---- Expressions ---------------------------------------------------------------------------------------- */

static sl_expr read_expr(reader *r, const sl_yaml_node *node) {
    const char *text;
    sl_expr e = SL_EXPR_NONE;
    if (node && sl_yaml_as_text(r->doc, node, &text)) {
        sl_place place = sl_yaml_text_place(r->doc, node);
        fine(r, sl_expr_parse(r->a->g, node->text, &place, r->diags, &e));
    }
    return e;
}

/* when: one condition, or a list of which one has to hold; nothing: always. */
static sl_expr read_guard(reader *r, sl_yaml_map *m) {
    const sl_yaml_node *node = sl_yaml_take(m, "when", 0);
    if (!node) {
        return sl_expr_const(r->a->g, 1.0);
    }
    if (node->kind != SL_YAML_LIST) {
        return read_expr(r, node);
    }
    sl_expr_list any = {0};
    bool good = true;
    for (const sl_yaml_node *e = node->first; e; e = e->next) {
        sl_expr one = read_expr(r, e);
        good = good && one >= 0;
        if (good && !SL_PUSH(r->a->ctx, &any, one)) {
            r->status = SL_ERR_MEMORY;
            good = false;
        }
    }
    sl_expr e = !good   ? SL_EXPR_NONE
                : any.n ? sl_expr_make(r->a->g, SL_OP_OR, (int32_t)any.n, any.at)
                        : sl_expr_const(r->a->g, 0.0);
    sl_expr_list_fini(r->a->g, &any);
    return e;
}

/* The variable that an action or a root sets: its number among its kind, or -1 and an error. */
static int32_t read_subject(reader *r, sl_yaml_map *m, bool discrete) {
    const sl_yaml_node *node = sl_yaml_take(m, "variable", SL_YAML_NEEDED);
    const char *text;
    if (!node || !sl_yaml_as_text(r->doc, node, &text)) {
        return -1;
    }
    sl_expr e = read_expr(r, node);
    if (e < 0) {
        return -1;
    }
    bool variable = sl_expr_op(r->a->g, e) == SL_OP_VARIABLE && sl_expr_order(r->a->g, e) == 0;
    int32_t graph = variable ? sl_expr_symbol(r->a->g, e) : -1,
            q = variable ? sl_sda_variable_of(sl_sha_discrete(r->a->h), graph) : -1;
    int32_t subject = discrete ? q : -1;
    for (int32_t i = 0; !discrete && q < 0 && variable && i < sl_sha_n_variable(r->a->h); i++) {
        subject = sl_sha_graph_variable(r->a->h, i) == graph ? i : subject;
    }
    if (subject < 0) {
        sl_yaml_report(r->doc, node, SL_ERROR, SL_CODE_WRONG_KIND, NULL, "%s is no %s variable", text,
                       discrete ? "discrete" : "continuous");
    }
    return subject;
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

enum { TRANSITION = SL_SHA_KINDS };
static const struct {
    const char *list, *expression;
} rows[] = {[SL_SHA_ACTIVITY] = {"activities", "equation"},
            [SL_SHA_ACTION] = {"actions", "value"},
            [SL_SHA_ROOT] = {"roots", "function"},
            [TRANSITION] = {"transitions", "equation"}};

static void read_row(reader *r, const sl_yaml_node *node, int kind) {
    sl_yaml_map m;
    if (!sl_yaml_open_map(r->doc, node, &m)) {
        return;
    }
    const char *symbol = "";
    int32_t out, subject = kind == SL_SHA_ACTION || kind == SL_SHA_ROOT ? read_subject(r, &m, kind == SL_SHA_ROOT) : -1;
    sl_yaml_text(&m, "name", 0, &symbol);
    const sl_yaml_node *written = sl_yaml_take(&m, rows[kind].expression, SL_YAML_NEEDED);
    sl_expr e = read_expr(r, written), guard = read_guard(r, &m);
    sl_yaml_done(&m);
    bool named = subject >= 0 || kind == SL_SHA_ACTIVITY || kind == TRANSITION;
    if (e < 0 || guard < 0 || !named) {
        if (sl_exprs_status(r->a->g) != SL_OK) {
            fine(r, sl_exprs_status(r->a->g));
        }
        return;
    }
    sl_place place = sl_yaml_text_place(r->doc, written);
    sl_str name = sl_str_z(symbol);
    fine(r, kind == TRANSITION
                ? sl_sda_add_transition(sl_sha_discrete(r->a->h), name, e, guard, &place, r->diags, &out)
                : sl_sha_add(r->a->h, (sl_sha_kind)kind, name, subject, e, guard, &place, r->diags, &out));
}

static void read_rows(reader *r, sl_yaml_map *m, int kind) {
    const sl_yaml_node *list;
    if (sl_yaml_list(m, rows[kind].list, 0, &list)) {
        for (const sl_yaml_node *row = list->first; row && r->status != SL_ERR_MEMORY; row = row->next) {
            read_row(r, row, kind);
        }
    }
}

/* ---- The whole --------------------------------------------------------------------------------------------- */

static void read_document(reader *r) {
    sl_yaml_map m;
    sl_expr cj = SL_EXPR_NONE;
    if (!sl_yaml_open_map(r->doc, sl_yaml_root(r->doc), &m)) {
        return;
    }
    read_entries(r, &m, "parameters", read_parameter);
    read_entries(r, &m, "tables", read_table);
    read_entries(r, &m, "discrete", read_discrete);
    read_entries(r, &m, "continuous", read_continuous);
    read_rows(r, &m, TRANSITION);
    for (int kind = 0; kind < SL_SHA_KINDS; kind++) {
        read_rows(r, &m, kind);
    }
    sl_yaml_done(&m);
    if (fine(r, sl_expr_declare_parameter(r->a->g, sl_str_z("_cj"), 0, NULL, r->diags, &cj)) &&
        !SL_PUSH(r->a->ctx, &r->p, 0.0)) {
        r->status = SL_ERR_MEMORY;
    }
    if (r->status == SL_OK && sl_yaml_status(r->doc) == SL_OK) {
        fine(r, sl_sha_finish(r->a->h, cj, false));
    }
}

void sl_automaton_destroy(sl_automaton *a) {
    if (!a) {
        return;
    }
    sl_sha_destroy(a->h);
    sl_exprs_destroy(a->g);
    sl_free(a->ctx, a->q0, (size_t)a->cap_q * sizeof *a->q0);
    sl_free(a->ctx, a->x0, (size_t)a->cap_x * sizeof *a->x0);
    sl_free(a->ctx, a->p, (size_t)a->cap_p * sizeof *a->p);
    sl_free(a->ctx, a, sizeof *a);
}

sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                            sl_automaton **out) {
    *out = NULL;
    reader r = {.diags = diags, .a = sl_alloc(ctx, sizeof *r.a)};
    if (!r.a) {
        return SL_ERR_MEMORY;
    }
    r.a->ctx = ctx;
    r.a->g = sl_exprs_create(ctx);
    r.status = r.a->g ? sl_sha_create(r.a->g, &r.a->h) : SL_ERR_MEMORY;
    if (r.status == SL_OK) {
        r.status = sl_yaml_read(ctx, bytes, n, name, diags, &r.doc);
    }
    if (r.status == SL_OK) {
        read_document(&r);
        fine(&r, r.status == SL_OK ? sl_yaml_status(r.doc) : SL_OK);
    }
    /* The arrays become the automaton's, whatever room they have. */
    r.a->q0 = r.q0.at, r.a->cap_q = r.q0.cap;
    r.a->x0 = r.x0.at, r.a->cap_x = r.x0.cap;
    r.a->p = r.p.at, r.a->cap_p = r.p.cap;
    sl_yaml_destroy(r.doc);
    if (r.status != SL_OK) {
        sl_automaton_destroy(r.a);
        return r.status;
    }
    *out = r.a;
    return SL_OK;
}
