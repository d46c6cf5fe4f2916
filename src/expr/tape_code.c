/* SPDX-License-Identifier: MIT */
/* tape_code.c: loops from groups of trees of equal shape: places of leaves and results, and registers, each given to a value
 * from its making to its last use. Then long sums, copies and tables. Third part of what tape.c tells. */
#include <string.h>

#include "expr/tape_build.h"

/* ---- Places -------------------------------------------------------------------------------------- */

static bool push_constant(sl_tape_builder *b, double value) {
    return SL_PUSH(b->walk->ctx, &b->tape->constants, value);
}

/* The number of an element in its area, constants being appended as they come. */
static bool resolve(sl_tape_builder *b, uint8_t area, int32_t base, int32_t *out) {
    if (area == SL_AREA_CONST) {
        *out = (int32_t)b->tape->constants.n;
        const sl_node *node = sl_node_at(b->g, b->list.at[base]);
        return push_constant(b, node->op == SL_OP_CELL ? node->symbol : node->u.value);
    }
    *out = area == SL_AREA_WORK ? b->slot[base] : base;
    return true;
}

/* How n numbers (with a step between them) lie. */
static bool place(sl_tape_builder *b, uint8_t area, int64_t n, const int32_t *at, int64_t step, bool result,
                  sl_tape_leaf *out) {
    bool uniform = true, stream = true;
    for (int64_t i = 1; i < n; i++) {
        uniform = uniform && at[i * step] == at[0];
        stream = stream && at[i * step] == at[0] + i;
    }
    *out = (sl_tape_leaf){.area = area, .base = at[0]};
    out->mode = uniform && !result ? SL_MODE_UNIFORM : stream ? SL_MODE_STREAM : SL_MODE_LISTED;
    if (out->mode == SL_MODE_LISTED) {
        out->list = b->tape->lists.n;
        if (!SL_RESERVE(b->walk->ctx, &b->tape->lists, b->tape->lists.n + n)) {
            return false;
        }
        for (int64_t i = 0; i < n; i++) {
            b->tape->lists.at[b->tape->lists.n++] = at[i * step];
        }
    }
    return true;
}

/* Leaf s of a group: bases become numbers in the area. Constants that are all one are one. */
static bool place_leaf(sl_tape_builder *b, sl_tape_group *group, uint8_t area, int32_t s) {
    int32_t *at = group->bases.at + s;
    int64_t n = group->tops.n, step = group->n_leaf;
    bool one = true;
    for (int64_t i = 1; i < n; i++) {
        one = one && at[i * step] == at[0];
    }
    for (int64_t i = 0; i < n; i++) {
        if (one && i > 0) {
            at[i * step] = at[0];
        } else if (!resolve(b, area, at[i * step], &at[i * step])) {
            return false;
        }
    }
    sl_tape_leaf leaf;
    return place(b, area, n, at, step, false, &leaf) && SL_PUSH(b->walk->ctx, &b->tape->leaves, leaf);
}

/* ---- Registers ----------------------------------------------------------------------------------- */

/* Values by number: leaves are places in the table of pointers from 0 on, others get registers behind them. last use of each
 * value first (b->registers), then, in a second pass, the place of each. */
typedef struct coder {
    sl_tape_builder *b;
    const int32_t *words;
    int64_t n_word;
    int32_t n_leaf;
    int32_t n_register; /* without those of leaves */
} coder;

static int64_t next_word(const coder *c, int64_t i) {
    return i + (c->words[i] == SL_SHAPE_LEAF ? 2 : 6);
}

/* last[v]: the number of the operation that reads value v last. */
static bool find_last_uses(coder *c, sl_ints *last) {
    int32_t at = 0;
    last->n = 0;
    for (int64_t i = SL_SHAPE_HEAD; i < c->n_word; i = next_word(c, i)) {
        if (!SL_PUSH(c->b->walk->ctx, last, -1)) {
            return false;
        }
        if (c->words[i] == SL_SHAPE_LEAF) {
            continue;
        }
        bool table = c->words[i] == SL_OP_TABLE || c->words[i] == SL_OP_SLOPE;
        for (int k = 1; k <= (table ? 2 : 3); k++) {
            last->at[c->words[i + k]] = at;
        }
        at++;
    }
    return true;
}

static bool release(coder *c, int32_t value, int32_t at, const sl_ints *last, sl_ints *places) {
    bool ends = last->at[value] == at && places->at[value] >= c->n_leaf;
    if (ends) {
        last->at[value] = -1; /* once, even if it is read twice */
        return SL_PUSH(c->b->walk->ctx, &c->b->free, places->at[value]);
    }
    return true;
}

static bool write_code(coder *c, const int32_t *w, int32_t at, const sl_ints *last, sl_ints *places) {
    sl_context *ctx = c->b->walk->ctx;
    bool table = w[0] == SL_OP_TABLE || w[0] == SL_OP_SLOPE;
    sl_tape_code code = {
        .op = w[0], .a = places->at[w[1]], .b = places->at[w[2]], .c = table ? w[3] : places->at[w[3]]};
    memcpy(&code.exponent, &w[4], sizeof code.exponent);
    if (!release(c, w[1], at, last, places) || !release(c, w[2], at, last, places) ||
        (!table && !release(c, w[3], at, last, places))) {
        return false;
    }
    code.to = c->b->free.n > 0 ? c->b->free.at[--c->b->free.n] : c->n_leaf + c->n_register++;
    return SL_PUSH_BOTH(ctx, places, code.to, &c->b->tape->code, code);
}

/* A side of a choice: the operations from first to end make it and nothing else. */
typedef struct side {
    int32_t first, end; /* by number */
    int32_t condition;  /* value */
    bool if_zero;       /* left out where the condition is 0 */
    int64_t code;       /* where the operation that leaves it out stands */
} side;
typedef SL_ARRAY(side) sides;

/* What is known of the values and operations of a shape, by number. */
typedef struct facts {
    const sl_ints *last; /* of values: the operation that reads it last */
    sl_ints uses, op, made,
        result; /* of values: how often it is read, by what it is made and in which operation, -1: it is a
                                       leaf; of operations: the value that it makes */
} facts;

static bool find_facts(const coder *c, facts *f) {
    sl_context *ctx = c->b->walk->ctx;
    bool good = true;
    for (int64_t i = SL_SHAPE_HEAD; good && i < c->n_word; i = next_word(c, i)) {
        const int32_t *w = c->words + i;
        bool leaf = w[0] == SL_SHAPE_LEAF, table = w[0] == SL_OP_TABLE || w[0] == SL_OP_SLOPE;
        good = SL_RESERVE(ctx, &f->made, f->made.n + 1) && SL_RESERVE(ctx, &f->result, f->result.n + 1) &&
               SL_PUSH_BOTH(ctx, &f->uses, 0, &f->op, w[0]) &&
               SL_PUSH(ctx, &f->made, leaf ? -1 : (int32_t)f->result.n) &&
               (leaf || SL_PUSH(ctx, &f->result, (int32_t)f->made.n - 1));
        for (int k = 1; good && !leaf && k <= (table ? 2 : 3); k++) {
            f->uses.at[w[k]]++;
        }
    }
    return good;
}

/* In additions. */
static int32_t weight_of(int32_t op) {
    static const uint8_t weights[SL_OP_COUNT] = {
        [SL_OP_DIV] = 3,    [SL_OP_SQRT] = 3,   [SL_OP_POW] = 16,  [SL_OP_EXP] = 16,  [SL_OP_LOG] = 16,
        [SL_OP_LOG10] = 16, [SL_OP_SIN] = 16,   [SL_OP_COS] = 16,  [SL_OP_TAN] = 16,  [SL_OP_ASIN] = 16,
        [SL_OP_ACOS] = 16,  [SL_OP_ATAN] = 16,  [SL_OP_SINH] = 16, [SL_OP_COSH] = 16, [SL_OP_TANH] = 16,
        [SL_OP_ATAN2] = 16, [SL_OP_TABLE] = 16, [SL_OP_SLOPE] = 16};
    return op < SL_OP_COUNT && weights[op] > 0 ? weights[op] : 1;
}

/* The side that value v is, which is read once: back from its making as long as nothing else reads what is made. */
static bool find_side(const coder *c, const facts *f, int32_t condition, int32_t v, bool if_zero, sides *out) {
    enum { LEAST = 12, MOST = 256 }; /* additions that are worth a look at the condition; operations */
    int32_t weight = 0, end = f->made.at[v], first = end + 1;
    if (end < 0 || f->uses.at[v] > 1) {
        return true;
    }
    while (first > 0 && end - first < MOST) {
        int32_t before = f->result.at[first - 1];
        if (before != v && f->last->at[before] > end) {
            break;
        }
        first--;
        weight += weight_of(f->op.at[before]);
    }
    side s = {.first = first, .end = end, .condition = condition, .if_zero = if_zero};
    return weight < LEAST || f->made.at[condition] >= first || SL_PUSH(c->b->walk->ctx, out, s);
}

/* Sides of choices that are worth leaving out, in the order of their choices. */
static bool find_sides(const coder *c, const sl_ints *last, sides *out) {
    sl_context *ctx = c->b->walk->ctx;
    facts f = {.last = last};
    bool good = find_facts(c, &f);
    for (int64_t i = SL_SHAPE_HEAD; good && i < c->n_word; i = next_word(c, i)) {
        const int32_t *w = c->words + i;
        if (w[0] == SL_OP_IF && w[2] != w[3] && w[1] != w[2] && w[1] != w[3]) {
            good = find_side(c, &f, w[1], w[2], true, out) && find_side(c, &f, w[1], w[3], false, out);
        }
    }
    SL_ARRAY_FINI(ctx, &f.uses);
    SL_ARRAY_FINI(ctx, &f.op);
    SL_ARRAY_FINI(ctx, &f.made);
    SL_ARRAY_FINI(ctx, &f.result);
    return good;
}

/* What begins at operation `at`: longer sides, of later choices, first. */
static bool open_sides(coder *c, int32_t at, const sl_ints *places, sides *all) {
    sl_tape *tape = c->b->tape;
    for (int64_t k = all->n - 1; k >= 0; k--) {
        side *s = &all->at[k];
        if (s->first == at) {
            sl_tape_code code = {.op = s->if_zero ? SL_TAPE_SKIP_IF_ZERO : SL_TAPE_SKIP_UNLESS_ZERO,
                                 .a = places->at[s->condition]};
            s->code = tape->code.n;
            tape->n_side++;
            if (!SL_PUSH(c->b->walk->ctx, &tape->code, code)) {
                return false;
            }
        }
    }
    return true;
}

static void close_sides(const coder *c, int32_t at, const sides *all) {
    sl_tape *tape = c->b->tape;
    for (int64_t k = 0; k < all->n; k++) {
        if (all->at[k].end == at) {
            tape->code.at[all->at[k].code].c = (int32_t)(tape->code.n - 1 - all->at[k].code);
        }
    }
}

static bool write_codes(coder *c) {
    sl_ints last = {0}, *places = &c->b->registers;
    sides all = {0};
    bool good = find_last_uses(c, &last) && find_sides(c, &last, &all);
    int32_t at = 0, leaf = 0;
    places->n = c->b->free.n = 0;
    for (int64_t i = SL_SHAPE_HEAD; good && i < c->n_word; i = next_word(c, i)) {
        if (c->words[i] == SL_SHAPE_LEAF) {
            good = SL_PUSH(c->b->walk->ctx, places, leaf++);
        } else {
            good = open_sides(c, at, places, &all) && write_code(c, c->words + i, at, &last, places);
            if (good) {
                close_sides(c, at++, &all);
            }
        }
    }
    SL_ARRAY_FINI(c->b->walk->ctx, &all);
    SL_ARRAY_FINI(c->b->walk->ctx, &last);
    return good;
}

/* ---- Loops --------------------------------------------------------------------------------------- */

static bool write_loop(sl_tape_builder *b, sl_tape_group *group) {
    sl_tape *tape = b->tape;
    sl_tape_loop loop = {.level = group->level,
                         .n_leaf = group->n_leaf,
                         .first_leaf = tape->leaves.n,
                         .first_code = tape->code.n,
                         .n_cell = group->tops.n};
    const int32_t *words = b->words.at + group->first_word;
    coder c = {.b = b, .words = words, .n_word = group->n_word, .n_leaf = group->n_leaf};
    int32_t s = 0, buffers = 0;
    for (int64_t i = SL_SHAPE_HEAD; i < group->n_word; i = next_word(&c, i)) {
        if (words[i] == SL_SHAPE_LEAF && !place_leaf(b, group, (uint8_t)words[i + 1], s++)) {
            return false;
        }
    }
    for (int32_t k = 0; k < loop.n_leaf; k++) {
        buffers += tape->leaves.at[loop.first_leaf + k].mode != SL_MODE_STREAM;
    }
    if (!write_codes(&c)) {
        return false;
    }
    for (int64_t i = 0; i < group->tops.n; i++) {
        int32_t top = group->tops.at[i];
        group->tops.at[i] = group->kept ? b->slot[top] : b->output[top];
    }
    uint8_t area = group->kept ? SL_AREA_WORK : SL_AREA_OUT;
    if (!place(b, area, group->tops.n, group->tops.at, 1, true, &loop.result)) {
        return false;
    }
    loop.n_code = tape->code.n - loop.first_code;
    loop.n_register = c.n_register + buffers;
    int64_t pointers = loop.n_leaf + c.n_register;
    tape->most_pointer = pointers > tape->most_pointer ? pointers : tape->most_pointer;
    tape->most_register = loop.n_register > tape->most_register ? loop.n_register : tape->most_register;
    tape->n_operation += loop.n_code * loop.n_cell;
    return SL_PUSH(b->walk->ctx, &tape->loops, loop);
}

bool sl_tape_write_template(sl_tape_builder *b, int32_t n, int32_t to) {
    sl_tape *tape = b->tape;
    sl_tape_loop loop = {.n_leaf = (int32_t)b->leaf_bases.n,
                         .first_leaf = tape->leaves.n,
                         .first_code = tape->code.n,
                         .n_cell = n,
                         .result = {.area = SL_AREA_OUT, .mode = SL_MODE_STREAM, .base = to}};
    coder c = {.b = b, .words = b->shape.at, .n_word = b->shape.n, .n_leaf = loop.n_leaf};
    int32_t s = 0, buffers = 0;
    for (int64_t i = SL_SHAPE_HEAD; i < c.n_word; i = next_word(&c, i)) {
        if (c.words[i] != SL_SHAPE_LEAF) {
            continue;
        }
        sl_tape_leaf leaf = {
            .area = (uint8_t)c.words[i + 1], .mode = (uint8_t)b->leaf_modes.at[s], .base = b->leaf_bases.at[s]};
        s++;
        leaf.base = leaf.mode == SL_MODE_COUNT ? sl_node_at(b->g, b->list.at[leaf.base])->symbol : leaf.base;
        buffers += leaf.mode != SL_MODE_STREAM;
        if ((leaf.mode == SL_MODE_UNIFORM && !resolve(b, leaf.area, leaf.base, &leaf.base)) ||
            !SL_PUSH(b->walk->ctx, &tape->leaves, leaf)) {
            return false;
        }
    }
    if (!write_codes(&c)) {
        return false;
    }
    loop.n_code = tape->code.n - loop.first_code;
    loop.n_register = c.n_register + buffers;
    int64_t pointers = loop.n_leaf + c.n_register;
    tape->n_level = tape->n_level > 1 ? tape->n_level : 1;
    tape->most_pointer = pointers > tape->most_pointer ? pointers : tape->most_pointer;
    tape->most_register = loop.n_register > tape->most_register ? loop.n_register : tape->most_register;
    tape->n_operation += loop.n_code * loop.n_cell;
    return SL_PUSH(b->walk->ctx, &tape->loops, loop);
}

/* ---- Order by level ------------------------------------------------------------------------------ */

/* items[i] goes before items[k] if its level is lower, or equal and i < k; levels stand in b->level by place, or in groups. */
static bool sort_by_level(sl_tape_builder *b, sl_ints *items, bool groups) {
    sl_context *ctx = b->walk->ctx;
    sl_ints start = {0}, sorted = {0};
    bool good = SL_RESERVE(ctx, &sorted, items->n + 1);
    for (int32_t level = 0; good && level <= b->tape->n_level; level++) {
        good = SL_PUSH(ctx, &start, 0);
    }
    if (good && start.at) {
        for (int64_t i = 0; i < items->n; i++) {
            start.at[(groups ? b->groups.at[items->at[i]].level : b->level[items->at[i]]) + 1]++;
        }
        for (int32_t level = 0; level < b->tape->n_level; level++) {
            start.at[level + 1] += start.at[level];
        }
        for (int64_t i = 0; i < items->n; i++) {
            sorted.at[start.at[groups ? b->groups.at[items->at[i]].level : b->level[items->at[i]]]++] = items->at[i];
        }
        for (int64_t i = 0; i < items->n; i++) {
            items->at[i] = sorted.at[i];
        }
    }
    SL_ARRAY_FINI(ctx, &start);
    SL_ARRAY_FINI(ctx, &sorted);
    return good;
}

/* Groups and long sums by level, and places in work for what is kept: first those of groups, cell by cell. */
static bool order_all(sl_tape_builder *b, sl_ints *sums) {
    bool good = true;
    for (int64_t i = 0; good && i < b->groups.n; i++) {
        good = SL_PUSH(b->walk->ctx, &b->order, (int32_t)i);
    }
    for (int32_t k = 0; good && k < b->list.n; k++) {
        bool is_long = b->tree[k] == k && sl_node_n_read(sl_node_at(b->g, b->list.at[k])) >= SL_TAPE_LONG;
        good = !is_long || SL_PUSH(b->walk->ctx, sums, k);
    }
    if (!good || !sort_by_level(b, &b->order, true) || !sort_by_level(b, sums, false)) {
        return false;
    }
    for (int64_t i = 0; i < b->order.n; i++) {
        const sl_tape_group *group = &b->groups.at[b->order.at[i]];
        for (int64_t k = 0; group->kept && k < group->tops.n; k++) {
            b->slot[group->tops.at[k]] = (int32_t)b->tape->n_value++;
        }
    }
    for (int64_t i = 0; i < sums->n; i++) {
        if (b->kept[sums->at[i]]) {
            b->slot[sums->at[i]] = (int32_t)b->tape->n_value++;
        }
    }
    return true;
}

/* ---- The rest ------------------------------------------------------------------------------------ */

static bool resolved_leaf(sl_tape_builder *b, int32_t k, sl_tape_leaf *leaf) {
    *leaf = sl_tape_leaf_of(b, k);
    leaf->mode = SL_MODE_UNIFORM;
    return resolve(b, leaf->area, leaf->base, &leaf->base);
}

static bool write_reduction(sl_tape_builder *b, int32_t k) {
    sl_tape *tape = b->tape;
    sl_expr e = b->list.at[k];
    sl_tape_reduction r = {
        .level = b->level[k], .op = sl_node_op(b->g, e), .first_leaf = tape->leaves.n, .n = sl_node_at(b->g, e)->n};
    r.result.area = b->kept[k] ? SL_AREA_WORK : SL_AREA_OUT;
    r.result.base = b->kept[k] ? b->slot[k] : b->output[k];
    for (int32_t i = 0; i < r.n; i++) {
        sl_tape_leaf leaf;
        if (!resolved_leaf(b, b->walk->place[sl_node_args(b->g, e)[i]], &leaf) ||
            !SL_PUSH(b->walk->ctx, &tape->leaves, leaf)) {
            return false;
        }
    }
    tape->n_operation += r.n - 1;
    return SL_PUSH(b->walk->ctx, &tape->reductions, r);
}

static bool write_copies(sl_tape_builder *b, int32_t n_root, const sl_expr *roots) {
    for (int area = 0; area < SL_AREAS; area++) {
        b->tape->first_copy[area] = b->tape->copies.n;
        for (int32_t i = 0; i < n_root; i++) {
            int32_t k = b->walk->place[roots[i]];
            bool copied = sl_node_at(b->g, roots[i])->n == 0 || b->kept[k];
            sl_tape_leaf leaf;
            if (!copied || sl_tape_leaf_of(b, k).area != area) {
                continue;
            }
            if (!resolved_leaf(b, k, &leaf) ||
                !SL_PUSH(b->walk->ctx, &b->tape->copies, ((sl_tape_copy){leaf.base, sl_tape_position(b, i)}))) {
                return false;
            }
        }
    }
    b->tape->first_copy[SL_AREAS] = b->tape->copies.n;
    return true;
}

static bool write_table(sl_tape_builder *b, int32_t i) {
    const sl_lookup_table *table = &b->g->tables.at[i];
    sl_tape_table *t = &b->tape->tables.at[i];
    const double *parts[3] = {table->x, table->y, table->slopes};
    if (t->n > 0) {
        return true;
    }
    *t = (sl_tape_table){table->n, b->tape->constants.n, table->kind, table->beyond};
    for (int part = 0; part < 3 && parts[part]; part++) {
        for (int32_t k = 0; k < table->n; k++) {
            if (!push_constant(b, parts[part][k])) {
                return false;
            }
        }
    }
    return true;
}

/* Those that the tape uses. */
bool sl_tape_write_tables(sl_tape_builder *b) {
    const sl_exprs *g = b->g;
    bool good = true;
    for (int64_t i = b->tape->tables.n; i < g->tables.n && good; i++) {
        good = SL_PUSH(b->walk->ctx, &b->tape->tables, (sl_tape_table){0});
    }
    for (int64_t k = 0; k < b->list.n && good && g->tables.n > 0; k++) {
        const sl_node *node = sl_node_at(g, b->list.at[k]);
        good = (node->op != SL_OP_TABLE && node->op != SL_OP_SLOPE) || write_table(b, node->symbol);
    }
    return good;
}

bool sl_tape_write(sl_tape_builder *b, int32_t n_root, const sl_expr *roots) {
    sl_ints sums = {0};
    for (int32_t k = 0; k < b->list.n; k++) {
        b->tape->n_level = b->level[k] >= b->tape->n_level ? b->level[k] + 1 : b->tape->n_level;
    }
    bool good = order_all(b, &sums);
    for (int64_t i = 0; good && i < sums.n; i++) {
        good = write_reduction(b, sums.at[i]);
    }
    for (int64_t i = 0; good && i < b->order.n; i++) {
        good = write_loop(b, &b->groups.at[b->order.at[i]]);
    }
    SL_ARRAY_FINI(b->walk->ctx, &sums);
    return good && write_copies(b, n_root, roots) && sl_tape_write_tables(b);
}
