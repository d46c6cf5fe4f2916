/* SPDX-License-Identifier: MIT */
/* tape.c: compiles expressions to a tape.
 *
 * 1. The graph below the roots is cut into trees. A node belongs to the tree of its users; where users belong to several
 *    trees it becomes the top of one of its own, whose value is kept (work). Roots are tops. So nothing is computed twice.
 *    Long sums and the like are tops, and so are their terms: the terms become loops, the sum runs over their values.
 * 2. A tree is written down as a sequence of numbers, its shape: operations and the order of its leaves, without saying which
 *    variable or constant a leaf is. Trees of equal shape and level (after how many others it can be computed) are the
 *    cells of one loop.
 * 3. For every leaf of a loop it is seen whether its elements are all one, neighbours, or any (a list). Registers are given
 *    to values as long as they are needed (tape_code.c).
 *
 * Shapes do not depend on the numbers of nodes: cells that were built in another order are found equal. */
#include "expr/tape_build.h"

#include <stddef.h>
#include <string.h>

#include "base/ids.h"

enum { NOBODY = -1, SEVERAL = -2 };

/* ---- 1. Trees ------------------------------------------------------------------------------------ */

static bool is_long(const sl_tape_builder *b, const sl_node *node) {
    return sl_node_n_read(node) >= SL_TAPE_LONG && !b->is_template;
}

static bool is_leaf(const sl_tape_builder *b, int32_t k) {
    return sl_node_at(b->g, b->list.at[k])->n == 0;
}

/* tree[k]: the top (a place in the list) of the tree that node k belongs to. */
static void cut(sl_tape_builder *b, int32_t n_root, const sl_expr *roots) {
    const sl_exprs *g = b->g;
    for (int64_t k = 0; k < b->list.n; k++) {
        b->tree[k] = NOBODY;
        b->output[k] = NOBODY;
    }
    for (int32_t i = 0; i < n_root; i++) {
        int32_t k = b->walk->place[roots[i]];
        b->tree[k] = SEVERAL;
        b->output[k] = b->output[k] == NOBODY ? sl_tape_position(b, i) : SEVERAL;
    }
    for (int32_t k = (int32_t)b->list.n - 1; k >= 0; k--) {
        const sl_node *node = sl_node_at(g, b->list.at[k]);
        if (node->n == 0 || b->tree[k] == NOBODY) {
            continue;
        }
        if (b->tree[k] == SEVERAL || is_long(b, node)) {
            b->tree[k] = k;
        }
        for (int32_t i = 0, n = sl_node_n_read(node); i < n; i++) {
            int32_t a = b->walk->place[sl_node_args(g, b->list.at[k])[i]];
            b->uses[a]++;
            b->tree[a] = is_long(b, node) || (b->tree[a] != NOBODY && b->tree[a] != b->tree[k]) ? SEVERAL : b->tree[k];
        }
    }
}

/* Which tops others read, and after which level each can be computed. */
static void find_levels(sl_tape_builder *b) {
    const sl_exprs *g = b->g;
    for (int32_t k = 0; k < b->list.n; k++) {
        const sl_node *node = sl_node_at(g, b->list.at[k]);
        for (int32_t i = 0, n = b->tree[k] == NOBODY ? 0 : sl_node_n_read(node); i < n; i++) {
            int32_t a = b->walk->place[sl_node_args(g, b->list.at[k])[i]], top = b->tree[k];
            int32_t below = b->level[a];
            if (!is_leaf(b, a) && b->tree[a] != top) {
                b->kept[a] = true;
                below++;
            }
            b->level[k] = below > b->level[k] ? below : b->level[k];
        }
    }
}

/* ---- 2. Shapes ----------------------------------------------------------------------------------- */

static bool word(sl_tape_builder *b, int32_t w) {
    return SL_PUSH(b->walk->ctx, &b->shape, w);
}
static bool word_code(sl_tape_builder *b, int32_t op, int32_t x, int32_t y, int32_t z, double exponent) {
    int32_t bits[2];
    memcpy(bits, &exponent, sizeof bits);
    return word(b, op) && word(b, x) && word(b, y) && word(b, z) && word(b, bits[0]) && word(b, bits[1]);
}

sl_tape_leaf sl_tape_leaf_of(const sl_tape_builder *b, int32_t k) {
    const sl_node *node = sl_node_at(b->g, b->list.at[k]);
    if (node->n > 0) {
        return (sl_tape_leaf){.area = SL_AREA_WORK, .base = k};
    }
    switch ((int)node->op) {
    case SL_OP_VARIABLE: return (sl_tape_leaf){.area = node->order, .base = node->symbol};
    case SL_OP_ELEMENT: return (sl_tape_leaf){.area = node->order, .base = node->symbol, .mode = SL_MODE_STREAM};
    case SL_OP_PARAMETER_ELEMENT:
        return (sl_tape_leaf){.area = SL_AREA_PARAMETER, .base = node->symbol, .mode = SL_MODE_STREAM};
    case SL_OP_CELL: return (sl_tape_leaf){.area = SL_AREA_CONST, .base = k, .mode = SL_MODE_COUNT};
    case SL_OP_PARAMETER: return (sl_tape_leaf){.area = SL_AREA_PARAMETER, .base = node->symbol};
    case SL_OP_TIME: return (sl_tape_leaf){.area = SL_AREA_TIME};
    default: return (sl_tape_leaf){.area = SL_AREA_CONST, .base = k};
    }
}

/* The value of node k within the tree at hand, or -1: not written yet. */
static int32_t value_of(const sl_tape_builder *b, int32_t k) {
    return b->seen[k] == b->top ? b->value[k] : -1;
}
static void set_value(sl_tape_builder *b, int32_t k) {
    b->seen[k] = b->top;
    b->value[k] = b->n_value++;
}

static bool write_leaf(sl_tape_builder *b, int32_t k) {
    sl_tape_leaf leaf = sl_tape_leaf_of(b, k);
    set_value(b, k);
    return word(b, SL_SHAPE_LEAF) && word(b, leaf.area) &&
           SL_PUSH_BOTH(b->walk->ctx, &b->leaf_bases, leaf.base, &b->leaf_modes, leaf.mode);
}

static bool is_constant_power(const sl_tape_builder *b, int32_t k) {
    sl_expr e = b->list.at[k];
    return sl_node_op(b->g, e) == SL_OP_POW && sl_node_op(b->g, sl_node_args(b->g, e)[1]) == SL_OP_CONST;
}

/* The i-th operand of node k; of a sum a negative term is its opposite, to be subtracted. */
static int32_t operand(const sl_tape_builder *b, int32_t k, int32_t i, bool *minus) {
    const sl_exprs *g = b->g;
    sl_expr a = sl_node_args(g, b->list.at[k])[i];
    *minus = i > 0 && sl_node_op(g, b->list.at[k]) == SL_OP_ADD && sl_node_op(g, a) == SL_OP_NEG &&
             b->tree[b->walk->place[a]] == b->top;
    return b->walk->place[*minus ? sl_node_args(g, a)[0] : a];
}

/* Whether the i-th term of a sum is a product that nobody else needs: it is added in one operation. m: the product. */
static bool is_product_term(const sl_tape_builder *b, int32_t k, int32_t i, int32_t *m, bool *minus) {
    *m = operand(b, k, i, minus);
    sl_expr e = b->list.at[*m];
    bool sum = i > 0 && sl_node_op(b->g, b->list.at[k]) == SL_OP_ADD;
    int32_t a = b->walk->place[sl_node_args(b->g, b->list.at[k])[i]];
    return sum && sl_node_op(b->g, e) == SL_OP_MUL && b->tree[*m] == b->top && b->uses[*m] == 1 && b->uses[a] == 1;
}

/* x + a b c: the product of all factors but the last, then both at once. */
static bool write_product_term(sl_tape_builder *b, int32_t m, bool minus, int32_t *x) {
    const sl_exprs *g = b->g;
    int32_t n = sl_node_at(g, b->list.at[m])->n;
    int32_t y = b->value[b->walk->place[sl_node_args(g, b->list.at[m])[0]]];
    for (int32_t i = 1; i < n; i++) {
        int32_t z = b->value[b->walk->place[sl_node_args(g, b->list.at[m])[i]]];
        bool last = i + 1 == n;
        int32_t op = !last ? SL_OP_MUL : minus ? SL_TAPE_SUB_MUL : SL_TAPE_ADD_MUL;
        if (!word_code(b, op, last ? *x : y, last ? y : z, z, 0.0)) {
            return false;
        }
        y = b->n_value++;
    }
    *x = y;
    return true;
}

/* a + b + c, one after the other. */
static bool write_chain(sl_tape_builder *b, int32_t k, int32_t n, int32_t x) {
    int32_t op = sl_node_op(b->g, b->list.at[k]), m;
    bool minus;
    for (int32_t i = 1; i < n; i++) {
        if (is_product_term(b, k, i, &m, &minus)) {
            if (!write_product_term(b, m, minus, &x)) {
                return false;
            }
            continue;
        }
        if (!word_code(b, minus ? SL_TAPE_SUB : op, x, b->value[m], b->value[m], 0.0)) {
            return false;
        }
        x = b->n_value++;
    }
    b->n_value--; /* the last one is counted with the node */
    return true;
}

/* The operations of node k, its operands being written. */
static bool write_node(sl_tape_builder *b, int32_t k) {
    const sl_node *node = sl_node_at(b->g, b->list.at[k]);
    bool minus, good;
    int32_t x = b->value[operand(b, k, 0, &minus)];
    if (is_constant_power(b, k)) {
        double e = sl_node_at(b->g, sl_node_args(b->g, b->list.at[k])[1])->u.value;
        good = word_code(b, SL_TAPE_POWER, x, x, x, e);
    } else if (node->op == SL_OP_CALL) {
        good = word_code(b, SL_OP_SMOOTH, x, x, x, 0.0);
    } else if (node->n == 1) {
        bool table = node->op == SL_OP_TABLE || node->op == SL_OP_SLOPE;
        good = word_code(b, node->op, x, x, table ? node->symbol : x, 0.0);
    } else if (node->op == SL_OP_IF) {
        good = word_code(b, node->op, x, b->value[operand(b, k, 1, &minus)], b->value[operand(b, k, 2, &minus)], 0.0);
    } else {
        good = write_chain(b, k, node->n, x);
    }
    set_value(b, k);
    return good;
}

/* The next operand that node k needs; -1: it has them all. */
static int32_t next_operand(const sl_tape_builder *b, sl_tape_frame *frame) {
    const sl_exprs *g = b->g;
    int32_t n = is_constant_power(b, frame->k) ? 1 : sl_node_n_read(sl_node_at(g, b->list.at[frame->k])), m;
    if (frame->next == n) {
        return -1;
    }
    bool minus;
    if (!is_product_term(b, frame->k, frame->next, &m, &minus)) {
        frame->next++;
        return m;
    }
    int32_t a = b->walk->place[sl_node_args(g, b->list.at[m])[frame->factor++]];
    if (frame->factor == sl_node_at(g, b->list.at[m])->n) {
        frame->factor = 0;
        frame->next++;
    }
    return a;
}

/* The tree of b->top, operands first, into shape and leaf_bases. */
static bool write_tree(sl_tape_builder *b) {
    b->shape.n = b->leaf_bases.n = b->leaf_modes.n = b->stack.n = 0;
    b->n_value = 0;
    if (!word(b, b->level[b->top]) || !word(b, b->kept[b->top]) ||
        !SL_PUSH(b->walk->ctx, &b->stack, ((sl_tape_frame){b->top, 0, 0}))) {
        return false;
    }
    while (b->stack.n > 0) {
        sl_tape_frame *frame = &b->stack.at[b->stack.n - 1];
        int32_t k = frame->k, a = next_operand(b, frame);
        if (a < 0) {
            b->stack.n--;
            if (!write_node(b, k)) {
                return false;
            }
        } else if (value_of(b, a) < 0) {
            bool outside = is_leaf(b, a) || b->tree[a] != b->top;
            if (outside ? !write_leaf(b, a) : !SL_PUSH(b->walk->ctx, &b->stack, ((sl_tape_frame){a, 0, 0}))) {
                return false;
            }
        }
    }
    return true;
}

/* The group with the shape at hand; -1: memory */
static int32_t find_group(sl_tape_builder *b) {
    sl_context *ctx = b->walk->ctx;
    size_t size = (size_t)b->shape.n * sizeof *b->shape.at;
    int32_t id = sl_ids_add(b->shapes, (sl_str){(const char *)b->shape.at, size});
    if (id == INT32_MIN) {
        return -1;
    }
    if (id < 0) {
        return -1 - id;
    }
    sl_tape_group group = {.level = b->level[b->top],
                           .kept = b->kept[b->top],
                           .n_leaf = (int32_t)b->leaf_bases.n,
                           .first_word = b->words.n,
                           .n_word = b->shape.n};
    for (int64_t i = 0; i < b->shape.n; i++) {
        if (!SL_PUSH(ctx, &b->words, b->shape.at[i])) {
            return -1;
        }
    }
    return SL_PUSH(ctx, &b->groups, group) ? id : -1;
}

static bool add_cell(sl_tape_builder *b, int32_t top) {
    b->top = top;
    if (!write_tree(b)) {
        return false;
    }
    int32_t id = find_group(b);
    if (id < 0) {
        return false;
    }
    sl_tape_group *group = &b->groups.at[id];
    for (int64_t i = 0; i < b->leaf_bases.n; i++) {
        if (!SL_PUSH(b->walk->ctx, &group->bases, b->leaf_bases.at[i])) {
            return false;
        }
    }
    return SL_PUSH(b->walk->ctx, &group->tops, top);
}

/* Cells in the order of outputs, then those that are only kept, in the order of nodes. */
static bool add_cells(sl_tape_builder *b, int32_t n_root, const sl_expr *roots) {
    for (int32_t i = 0; i < n_root; i++) {
        int32_t k = b->walk->place[roots[i]];
        bool again = b->output[k] == SEVERAL; /* the value is kept, and copied to each */
        b->kept[k] = b->kept[k] || (again && !is_leaf(b, k));
    }
    for (int32_t i = 0; i < n_root; i++) {
        int32_t k = b->walk->place[roots[i]];
        if (!is_leaf(b, k) && !b->kept[k] && !is_long(b, sl_node_at(b->g, roots[i])) && !add_cell(b, k)) {
            return false;
        }
    }
    for (int32_t k = 0; k < b->list.n; k++) {
        bool top = b->tree[k] == k && b->kept[k];
        if (top && !is_long(b, sl_node_at(b->g, b->list.at[k])) && !add_cell(b, k)) {
            return false;
        }
    }
    return true;
}

/* ---- The whole ----------------------------------------------------------------------------------- */

static bool alloc_builder(sl_tape_builder *b) {
    size_t n = (size_t)b->list.n;
    sl_arena *arena = &b->arena;
    b->tree = sl_arena_alloc(arena, n * sizeof *b->tree);
    b->output = sl_arena_alloc(arena, n * sizeof *b->output);
    b->uses = sl_arena_alloc(arena, n * sizeof *b->uses);
    b->level = sl_arena_alloc(arena, n * sizeof *b->level);
    b->value = sl_arena_alloc(arena, n * sizeof *b->value);
    b->seen = sl_arena_alloc(arena, n * sizeof *b->seen);
    b->slot = sl_arena_alloc(arena, n * sizeof *b->slot);
    b->kept = sl_arena_alloc(arena, n * sizeof *b->kept);
    b->shapes = sl_ids_create(b->walk->ctx);
    if (!b->tree || !b->output || !b->uses || !b->level || !b->value || !b->seen || !b->slot || !b->kept ||
        !b->shapes) {
        return false;
    }
    memset(b->seen, 0xFF, n * sizeof *b->seen);
    return true;
}

static void fini_builder(sl_tape_builder *b) {
    sl_context *ctx = b->walk->ctx;
    for (int64_t i = 0; i < b->groups.n; i++) {
        SL_ARRAY_FINI(ctx, &b->groups.at[i].bases);
        SL_ARRAY_FINI(ctx, &b->groups.at[i].tops);
    }
    SL_ARRAY_FINI(ctx, &b->groups);
    SL_ARRAY_FINI(ctx, &b->words);
    SL_ARRAY_FINI(ctx, &b->shape);
    SL_ARRAY_FINI(ctx, &b->leaf_bases);
    SL_ARRAY_FINI(ctx, &b->leaf_modes);
    SL_ARRAY_FINI(ctx, &b->stack);
    SL_ARRAY_FINI(ctx, &b->order);
    SL_ARRAY_FINI(ctx, &b->registers);
    SL_ARRAY_FINI(ctx, &b->free);
    sl_ids_destroy(b->shapes);
    SL_ARRAY_FINI(ctx, &b->list);
    sl_arena_fini(&b->arena);
}

static sl_tape_stats count(const sl_tape *tape) {
    sl_tape_stats stats = {.n_loop = (int32_t)tape->loops.n,
                           .n_instruction = (int32_t)tape->code.n,
                           .n_operation = tape->n_operation,
                           .n_shared = (int32_t)tape->n_value,
                           .n_side = tape->n_side};
    for (int64_t i = 0; i < tape->loops.n; i++) {
        stats.n_cell += tape->loops.at[i].n_cell;
    }
    return stats;
}

sl_tape_stats sl_tape_get_stats(const sl_tape *tape) {
    return tape->stats;
}

size_t sl_tape_size(const sl_tape *tape) {
    return tape->n_byte;
}

/* ---- One block ----------------------------------------------------------------------------------- */

/* An array into the block. */
static void *put(char **to, const void *from, size_t n) {
    char *at = *to;
    *to += (n + 7) / 8 * 8;
    return n > 0 ? memcpy(at, from, n) : NULL;
}

static size_t size_of(int64_t n, size_t each) {
    return ((size_t)n * each + 7) / 8 * 8;
}

#define SMALL_ARRAYS(OF) OF(constants) OF(tables) OF(steps)
#define OTHER_ARRAYS(OF) OF(leaves) OF(loops) OF(code) OF(reductions) OF(copies) OF(lists)

/* The tape in a block of its own size; NULL: no memory. */
static sl_tape *pack(const sl_tape *tape) {
    bool small = tape->steps.n > 0;
    size_t head = small ? offsetof(sl_tape, loops) : sizeof *tape, n_byte = head;
#define ADD_SIZE(array) n_byte += size_of(tape->array.n, sizeof *tape->array.at);
    SMALL_ARRAYS(ADD_SIZE)
    if (!small) {
        OTHER_ARRAYS(ADD_SIZE)
    }
#undef ADD_SIZE
    sl_tape *packed = sl_alloc(tape->ctx, n_byte);
    if (!packed) {
        return NULL;
    }
    char *to = (char *)packed + head;
    memcpy(packed, tape, head);
    packed->n_byte = n_byte;
#define PUT(array)                                                                               \
    packed->array.at = put(&to, tape->array.at, (size_t)tape->array.n * sizeof *tape->array.at); \
    packed->array.cap = tape->array.n;
    SMALL_ARRAYS(PUT)
    if (!small) {
        OTHER_ARRAYS(PUT)
    }
#undef PUT
    return packed;
}

static void fini_arrays(sl_tape *tape) {
#define FINI(array) SL_ARRAY_FINI(tape->ctx, &tape->array);
    SMALL_ARRAYS(FINI)
    OTHER_ARRAYS(FINI)
#undef FINI
}

static sl_status begin(sl_tape_builder *b, int32_t n_root, const sl_expr *roots) {
    sl_arena_init(&b->arena, b->walk->ctx);
    sl_status status = sl_walk_below(b->walk, b->g, n_root, roots, &b->list);
    return status == SL_OK && !alloc_builder(b) ? SL_ERR_MEMORY : status;
}

/* The loop of one root: its tree as it is, or that which copies a leaf. */
static sl_status add_template(const sl_exprs *g, sl_walk *walk, sl_tape *tape, sl_expr root, int32_t n, int32_t to) {
    sl_tape_builder b = {.g = g, .walk = walk, .tape = tape, .is_template = true};
    sl_status status = begin(&b, 1, &root);
    if (status == SL_OK) {
        cut(&b, 1, &root);
        b.top = walk->place[root];
        bool good = is_leaf(&b, b.top) ? word(&b, 0) && word(&b, 0) && write_leaf(&b, b.top) &&
                                             word_code(&b, SL_OP_SMOOTH, 0, 0, 0, 0.0)
                                       : write_tree(&b);
        status = good && sl_tape_write_template(&b, n, to) && sl_tape_write_tables(&b) ? SL_OK : SL_ERR_MEMORY;
    }
    fini_builder(&b);
    return status;
}

/* What is no loop. */
static sl_status add_single(const sl_exprs *g, sl_walk *walk, sl_tape *tape, int32_t n_root, const sl_expr *roots,
                            const int32_t *positions) {
    sl_tape_builder b = {.g = g, .walk = walk, .tape = tape, .positions = positions};
    sl_status status = begin(&b, n_root, roots);
    if (status == SL_OK) {
        cut(&b, n_root, roots);
        find_levels(&b);
        status = add_cells(&b, n_root, roots) && sl_tape_write(&b, n_root, roots) ? SL_OK : SL_ERR_MEMORY;
    }
    fini_builder(&b);
    return status;
}

sl_status sl_tape_create_loops(const sl_exprs *g, sl_walk *walk, int32_t n_root, const sl_expr *roots,
                               const int32_t *n_cell, sl_tape **out) {
    size_t n = (size_t)n_root, bytes = n * (sizeof(sl_expr) + sizeof(int32_t)) + 1;
    sl_tape tape = {.ctx = walk->ctx};
    sl_expr *single = sl_alloc(walk->ctx, bytes);
    sl_status status = single ? SL_OK : SL_ERR_MEMORY;
    int32_t *positions = single ? single + n : NULL, n_single = 0, to = 0;
    for (int32_t i = 0; i < n_root && status == SL_OK; i++) {
        if (n_cell && n_cell[i] > 1) {
            status = add_template(g, walk, &tape, roots[i], n_cell[i], to);
        } else {
            single[n_single] = roots[i];
            positions[n_single++] = to;
        }
        to += n_cell ? n_cell[i] : 1;
    }
    status = status == SL_OK ? add_single(g, walk, &tape, n_single, single, positions) : status;
    sl_free(walk->ctx, single, single ? bytes : 0);
    if (status == SL_OK) {
        tape.stats = count(&tape);
        status = sl_tape_make_small(&tape) ? SL_OK : SL_ERR_MEMORY;
    }
    *out = status == SL_OK ? pack(&tape) : NULL;
    fini_arrays(&tape);
    return status == SL_OK && !*out ? SL_ERR_MEMORY : status;
}

sl_status sl_tape_create(const sl_exprs *g, sl_walk *walk, int32_t n_root, const sl_expr *roots, sl_tape **out) {
    return sl_tape_create_loops(g, walk, n_root, roots, NULL, out);
}
