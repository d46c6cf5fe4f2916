/* SPDX-License-Identifier: MIT */
/* graph.c: the nodes of a graph and their names. Equal nodes are found by a hash of what is written in them (open
 * addressing, at most half full), which does not depend on the order in which nodes were made: what is sorted by it is
 * sorted alike in every graph. */
#include <math.h>
#include <string.h>

#include "expr/impl.h"
#include "numeric/curve.h"

const sl_op_info sl_op_infos[SL_OP_COUNT] = {
#define INFO(name, word, least, most) [SL_OP_##name] = {word, least, most},
    SL_EXPR_OPS(INFO)
#undef INFO
};

sl_exprs *sl_exprs_create(sl_context *ctx) {
    sl_exprs *g = sl_alloc(ctx, sizeof *g);
    if (!g) {
        return NULL;
    }
    g->ctx = ctx;
    sl_walk_init(&g->walk, ctx);
    sl_arena_init(&g->arena, ctx);
    g->ids = sl_ids_create(ctx);
    if (!g->ids) {
        sl_exprs_destroy(g);
        return NULL;
    }
    return g;
}

void sl_exprs_destroy(sl_exprs *g) {
    if (!g) {
        return;
    }
    sl_context *ctx = g->ctx;
    SL_ARRAY_FINI(ctx, &g->nodes);
    SL_ARRAY_FINI(ctx, &g->args);
    SL_ARRAY_FINI(ctx, &g->simple);
    sl_free(ctx, g->slots, (size_t)g->n_slot * sizeof *g->slots);
    sl_walk_fini(&g->walk);
    if (!g->is_copy) {
        SL_ARRAY_FINI(ctx, &g->names);
        SL_ARRAY_FINI(ctx, &g->variables);
        SL_ARRAY_FINI(ctx, &g->parameters);
        SL_ARRAY_FINI(ctx, &g->tables);
        SL_ARRAY_FINI(ctx, &g->table_ids);
        SL_ARRAY_FINI(ctx, &g->arrays);
        sl_ids_destroy(g->ids);
        sl_arena_fini(&g->arena);
    }
    sl_free(ctx, g, sizeof *g);
}

static void *copy_of(sl_context *ctx, const void *from, int64_t n, size_t size, bool *good) {
    void *to = *good ? sl_alloc(ctx, (size_t)n * size) : NULL;
    *good = *good && (to || n == 0);
    if (to && n > 0) {
        memcpy(to, from, (size_t)n * size);
    }
    return to;
}

#define COPY_ARRAY(ctx, to, from, good)                                          \
    ((to)->at = copy_of((ctx), (from)->at, (from)->n, sizeof *(to)->at, (good)), \
     (to)->n = (to)->cap = (to)->at ? (from)->n : 0)

sl_exprs *sl_exprs_copy(sl_context *ctx, const sl_exprs *of) {
    sl_exprs *g = sl_alloc(ctx, sizeof *g);
    if (!g) {
        return NULL;
    }
    *g = *of;
    g->ctx = ctx;
    g->is_copy = true;
    sl_walk_init(&g->walk, ctx);
    bool good = true;
    COPY_ARRAY(ctx, &g->nodes, &of->nodes, &good);
    COPY_ARRAY(ctx, &g->args, &of->args, &good);
    COPY_ARRAY(ctx, &g->simple, &of->simple, &good);
    g->slots = copy_of(ctx, of->slots, of->n_slot, sizeof *of->slots, &good);
    g->n_slot = g->slots ? of->n_slot : 0;
    if (!good) {
        sl_exprs_destroy(g);
        return NULL;
    }
    return g;
}

sl_walk *sl_exprs_walk(sl_exprs *g) {
    return &g->walk;
}

sl_status sl_exprs_status(const sl_exprs *g) {
    return g->status;
}
int32_t sl_exprs_count(const sl_exprs *g) {
    return (int32_t)g->nodes.n;
}
sl_context *sl_exprs_context(const sl_exprs *g) {
    return g->ctx;
}
sl_expr sl_exprs_fail(sl_exprs *g, sl_status why) {
    if (g->status == SL_OK) {
        g->status = why;
    }
    return SL_EXPR_NONE;
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x) {
    h = (h ^ x) * UINT64_C(0x9E3779B97F4A7C15);
    return h ^ h >> 29;
}

static uint64_t hash_of(const sl_exprs *g, const sl_node *node, const sl_expr *args) {
    uint64_t h =
        mix(UINT64_C(0x51A1CE), (uint64_t)node->op << 40 | (uint64_t)node->order << 32 | (uint32_t)node->symbol);
    if (node->op == SL_OP_CONST) {
        uint64_t bits;
        memcpy(&bits, &node->u.value, sizeof bits);
        h = mix(h, bits);
    }
    for (int32_t i = 0; i < node->n; i++) {
        h = mix(h, g->nodes.at[args[i]].hash);
    }
    return mix(h, (uint64_t)node->n);
}

static bool same(const sl_exprs *g, const sl_node *a, const sl_node *b, const sl_expr *args) {
    if (a->hash != b->hash || a->op != b->op || a->order != b->order || a->symbol != b->symbol || a->n != b->n) {
        return false;
    }
    if (a->op == SL_OP_CONST) {
        return a->u.value == b->u.value;
    }
    return a->n == 0 || memcmp(g->args.at + a->u.first, args, (size_t)a->n * sizeof *args) == 0;
}

/* The slot of an equal node, or the free one where it belongs. */
static int64_t find_slot(const sl_exprs *g, const sl_node *node, const sl_expr *args) {
    int64_t mask = g->n_slot - 1;
    int64_t i = (int64_t)(node->hash >> 20) & mask;
    while (g->slots[i] >= 0 && !same(g, &g->nodes.at[g->slots[i]], node, args)) {
        i = (i + 1) & mask;
    }
    return i;
}

static bool grow_slots(sl_exprs *g) {
    int64_t n = g->n_slot ? 2 * g->n_slot : 256;
    int32_t *slots = sl_alloc(g->ctx, (size_t)n * sizeof *slots);
    if (!slots) {
        return false;
    }
    memset(slots, 0xFF, (size_t)n * sizeof *slots);
    for (int64_t k = 0; k < g->nodes.n; k++) {
        int64_t i = (int64_t)(g->nodes.at[k].hash >> 20) & (n - 1);
        while (slots[i] >= 0) {
            i = (i + 1) & (n - 1);
        }
        slots[i] = (int32_t)k;
    }
    sl_free(g->ctx, g->slots, (size_t)g->n_slot * sizeof *g->slots);
    g->slots = slots;
    g->n_slot = n;
    return true;
}

static bool is_boolean(const sl_exprs *g, const sl_node *node, const sl_expr *args) {
    if (node->op >= SL_OP_LT && node->op <= SL_OP_OR) {
        return true;
    }
    if (node->op == SL_OP_CONST) {
        return node->u.value == 0.0 || node->u.value == 1.0;
    }
    if ((node->op == SL_OP_VARIABLE && node->order == 0) || node->op == SL_OP_PARAMETER) {
        int32_t id = node->op == SL_OP_VARIABLE ? g->variables.at[node->symbol] : g->parameters.at[node->symbol];
        return id >= 0 && (g->names.at[id].flags & SL_SYMBOL_BOOLEAN);
    }
    if (node->op == SL_OP_CALL) {
        return g->nodes.at[args[0]].boolean;
    }
    if (node->op == SL_OP_IF) {
        return g->nodes.at[args[1]].boolean && g->nodes.at[args[2]].boolean;
    }
    bool all = node->op == SL_OP_MIN || node->op == SL_OP_MAX;
    for (int32_t i = 0; all && i < node->n; i++) {
        all = g->nodes.at[args[i]].boolean;
    }
    return all;
}

sl_expr sl_expr_cons(sl_exprs *g, sl_op op, int32_t symbol, int32_t order, double value, int32_t n,
                     const sl_expr *args) {
    sl_node node = {.op = (uint8_t)op, .order = (uint8_t)order, .symbol = symbol, .n = n};
    if (op == SL_OP_CONST) {
        node.u.value = value == 0.0 ? 0.0 : value; /* -0 is 0 */
    }
    for (int32_t i = 0; i < n; i++) {
        if (args[i] < 0) {
            return SL_EXPR_NONE;
        }
    }
    node.hash = hash_of(g, &node, args);
    node.boolean = is_boolean(g, &node, args);
    if (2 * (g->nodes.n + 1) > g->n_slot && !grow_slots(g)) {
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    int64_t slot = find_slot(g, &node, args);
    if (g->slots[slot] >= 0) {
        return g->slots[slot];
    }
    /* args may lie in the pool that grows: they are found again by their offset. */
    bool inside = n > 0 && g->args.n > 0 && args >= g->args.at && args < g->args.at + g->args.n;
    int64_t offset = inside ? args - g->args.at : 0;
    int64_t more = g->nodes.n + 1;
    if (more > INT32_MAX || !SL_RESERVE(g->ctx, &g->args, g->args.n + n) || !SL_RESERVE(g->ctx, &g->simple, more) ||
        !SL_RESERVE(g->ctx, &g->nodes, more)) {
        return sl_exprs_fail(g, SL_ERR_MEMORY);
    }
    if (n > 0) {
        node.u.first = g->args.n;
        memcpy(g->args.at + g->args.n, inside ? g->args.at + offset : args, (size_t)n * sizeof *args);
        g->args.n += n;
    }
    sl_expr e = (sl_expr)g->nodes.n;
    g->nodes.at[g->nodes.n++] = node;
    g->simple.at[g->simple.n++] = SL_EXPR_NONE;
    g->slots[slot] = e;
    return e;
}

sl_op sl_expr_op(const sl_exprs *g, sl_expr e) {
    return sl_node_op(g, e);
}
int32_t sl_expr_n_arg(const sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->n;
}
const sl_expr *sl_expr_args(const sl_exprs *g, sl_expr e) {
    return sl_node_args(g, e);
}
double sl_expr_value(const sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->u.value;
}
int32_t sl_expr_symbol(const sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->symbol;
}
int32_t sl_expr_order(const sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->order;
}
bool sl_expr_is_boolean(const sl_exprs *g, sl_expr e) {
    return sl_node_at(g, e)->boolean;
}
bool sl_expr_is_const(const sl_exprs *g, sl_expr e, double value) {
    return e >= 0 && sl_node_op(g, e) == SL_OP_CONST && sl_node_at(g, e)->u.value == value;
}

/* ---- Names -------------------------------------------------------------------------------------- */

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (unsigned char)c >= 0x80;
}
static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static size_t word_length(sl_str s, size_t at) {
    size_t i = at;
    if (i < s.len && is_letter(s.ptr[i])) {
        while (i < s.len && (is_letter(s.ptr[i]) || is_digit(s.ptr[i]))) {
            i++;
        }
    }
    return i - at;
}

/* [indices]: letters, digits, commas and minus signs; 0: none. */
static size_t bracket_length(sl_str s, size_t at) {
    size_t i = at;
    if (i >= s.len || s.ptr[i] != '[') {
        return 0;
    }
    for (i++; i < s.len && (is_letter(s.ptr[i]) || is_digit(s.ptr[i]) || s.ptr[i] == ',' || s.ptr[i] == '-'); i++) {}
    return i < s.len && s.ptr[i] == ']' && i > at + 1 ? i + 1 - at : 0;
}

size_t sl_expr_name_length(sl_str s) {
    size_t i = word_length(s, 0);
    while (i > 0 && i < s.len) {
        size_t more = s.ptr[i] == '.' ? word_length(s, i + 1) : bracket_length(s, i);
        if (more == 0) {
            break;
        }
        i += more + (s.ptr[i] == '.');
    }
    return i;
}

sl_op sl_op_find(sl_str word) {
    for (int op = 0; op < SL_OP_COUNT; op++) {
        if (sl_op_infos[op].word[0] && sl_str_equal(word, sl_str_z(sl_op_infos[op].word))) {
            return (sl_op)op;
        }
    }
    return SL_OP_COUNT;
}

bool sl_expr_word_is_reserved(sl_str word) {
    static const char *const words[] = {"der", "sum", "count", "and", "or", "not", "true", "false", "True", "False"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (sl_str_equal(word, sl_str_z(words[i]))) {
            return true;
        }
    }
    return false;
}

sl_status sl_expr_declare(sl_exprs *g, sl_str name, sl_name new_name, const sl_text_location *place, sl_diags *diags,
                          int32_t *id) {
    char quoted[SL_QUOTE_MAX];
    if (name.len == 0 || sl_expr_name_length(name) != name.len) {
        sl_report(diags, SL_ERROR, SL_CODE_BAD_ID, place, NULL, NULL,
                  "a name is a letter or _, then letters, digits and _, with indices in brackets and names after dots: "
                  "end[0,1].flow",
                  "%s cannot be a name in expressions", sl_quote(name, quoted));
        return SL_ERR_INPUT;
    }
    if (sl_expr_is_reserved(name)) {
        sl_report(diags, SL_ERROR, SL_CODE_BAD_ID, place, NULL, NULL, "give it another name",
                  "%s has a meaning of its own in expressions", sl_quote(name, quoted));
        return SL_ERR_INPUT;
    }
    int64_t index;
    if (sl_ids_find(g->ids, name) >= 0 || sl_array_find(g, name, &index)) {
        sl_report(diags, SL_ERROR, SL_CODE_DUPLICATE_ID, place, NULL, NULL,
                  "variables, parameters and tables share their names", "%s is already declared",
                  sl_quote(name, quoted));
        return SL_ERR_INPUT;
    }
    if (!SL_RESERVE(g->ctx, &g->names, g->names.n + 1)) {
        return SL_ERR_MEMORY;
    }
    *id = sl_ids_add(g->ids, name);
    if (*id < 0) {
        return SL_ERR_MEMORY;
    }
    g->names.at[g->names.n++] = new_name;
    g->n_bracketed += name.ptr[name.len - 1] == ']';
    return SL_OK;
}

sl_status sl_expr_declare_variable(sl_exprs *g, sl_str name, unsigned flags, const sl_text_location *place,
                                   sl_diags *diags, sl_expr *out) {
    int32_t n = (int32_t)g->variables.n, id;
    *out = SL_EXPR_NONE;
    if (g->is_copy || !SL_RESERVE(g->ctx, &g->variables, n + 1)) {
        return g->is_copy ? SL_ERR_USE : SL_ERR_MEMORY;
    }
    sl_status status = sl_expr_declare(g, name, (sl_name){SL_NAME_VARIABLE, n, flags}, place, diags, &id);
    if (status == SL_OK) {
        g->variables.at[g->variables.n++] = id;
        *out = sl_expr_variable(g, n, 0);
        status = *out >= 0 ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

sl_status sl_expr_declare_parameter(sl_exprs *g, sl_str name, unsigned flags, const sl_text_location *place,
                                    sl_diags *diags, sl_expr *out) {
    int32_t n = (int32_t)g->parameters.n, id;
    *out = SL_EXPR_NONE;
    if (g->is_copy || !SL_RESERVE(g->ctx, &g->parameters, n + 1)) {
        return g->is_copy ? SL_ERR_USE : SL_ERR_MEMORY;
    }
    sl_status status = sl_expr_declare(g, name, (sl_name){SL_NAME_PARAMETER, n, flags}, place, diags, &id);
    if (status == SL_OK) {
        g->parameters.at[g->parameters.n++] = id;
        *out = sl_expr_parameter(g, n);
        status = *out >= 0 ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

sl_status sl_expr_declare_table(sl_exprs *g, sl_str name, int32_t n, const double *x, const double *y,
                                const sl_text_location *place, sl_diags *diags, int32_t *out) {
    *out = -1;
    if (g->is_copy) {
        return SL_ERR_USE;
    }
    bool good = n >= 1 && sl_curve_first_fall(x, n) == n;
    for (int32_t i = 0; good && i < n; i++) {
        good = isfinite(x[i]) && isfinite(y[i]);
    }
    if (!good) {
        char quoted[SL_QUOTE_MAX];
        sl_report(diags, SL_ERROR, SL_CODE_CURVE_SHAPE, place, NULL, NULL, "give finite points with rising x",
                  "the points of %s do not make a function", sl_quote(name, quoted));
        return SL_ERR_INPUT;
    }
    int32_t id, index = (int32_t)g->tables.n;
    sl_lookup_table table = {.n = n,
                             .x = sl_arena_keep(&g->arena, x, (size_t)n * sizeof *x),
                             .y = sl_arena_keep(&g->arena, y, (size_t)n * sizeof *y)};
    if (!table.x || !table.y || !SL_RESERVE(g->ctx, &g->tables, index + 1) ||
        !SL_RESERVE(g->ctx, &g->table_ids, index + 1)) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_expr_declare(g, name, (sl_name){SL_NAME_TABLE, index, 0}, place, diags, &id);
    if (status == SL_OK) {
        g->tables.at[g->tables.n++] = table;
        g->table_ids.at[g->table_ids.n++] = id;
        *out = index;
    }
    return status;
}

sl_status sl_expr_shape_table(sl_exprs *g, int32_t table, sl_table_kind kind, sl_table_beyond beyond) {
    sl_lookup_table *t = &g->tables.at[table];
    if (kind == SL_TABLE_CUBIC && !t->slopes) {
        double *slopes = sl_arena_alloc(&g->arena, (size_t)t->n * sizeof *slopes);
        if (!slopes) {
            return SL_ERR_MEMORY;
        }
        sl_table_find_slopes(t->n, t->x, t->y, slopes);
        t->slopes = slopes;
    }
    t->kind = kind;
    t->beyond = beyond;
    return SL_OK;
}
void sl_exprs_table_shape(const sl_exprs *g, int32_t table, sl_table_kind *kind, sl_table_beyond *beyond) {
    *kind = g->tables.at[table].kind;
    *beyond = g->tables.at[table].beyond;
}

int32_t sl_exprs_n_parameter(const sl_exprs *g) {
    return (int32_t)g->parameters.n;
}
int32_t sl_exprs_n_variable(const sl_exprs *g) {
    return (int32_t)g->variables.n;
}
sl_str sl_exprs_variable_name(const sl_exprs *g, int32_t variable) {
    int32_t id = g->variables.at[variable];
    return id >= 0 ? sl_ids_text(g->ids, id) : sl_array_element_name(g, -1 - id, variable);
}
sl_str sl_exprs_parameter_name(const sl_exprs *g, int32_t parameter) {
    int32_t id = g->parameters.at[parameter];
    return id >= 0 ? sl_ids_text(g->ids, id) : sl_array_element_name(g, -1 - id, parameter);
}
int32_t sl_exprs_n_table(const sl_exprs *g) {
    return (int32_t)g->tables.n;
}
sl_str sl_exprs_table(const sl_exprs *g, int32_t table, int32_t *n, const double **x, const double **y) {
    const sl_lookup_table *of = &g->tables.at[table];
    *n = of->n;
    *x = of->x;
    *y = of->y;
    return sl_ids_text(g->ids, g->table_ids.at[table]);
}
sl_expr sl_expr_find(const sl_exprs *g, sl_str name) {
    int32_t id = sl_ids_find(g->ids, name);
    if (id < 0 || g->names.at[id].kind >= SL_NAME_TABLE) {
        return SL_EXPR_NONE; /* elements of arrays: sl_expr_find_symbol */
    }
    /* The node was made when the name was declared: looking for it makes none. */
    sl_node node = {.op = g->names.at[id].kind == SL_NAME_VARIABLE ? SL_OP_VARIABLE : SL_OP_PARAMETER,
                    .symbol = g->names.at[id].index};
    const sl_expr none = SL_EXPR_NONE;
    node.hash = hash_of(g, &node, &none);
    return g->n_slot ? g->slots[find_slot(g, &node, &none)] : SL_EXPR_NONE;
}
