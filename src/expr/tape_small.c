/* SPDX-License-Identifier: MIT */
/* tape_small.c: tapes of few operations as a plain sequence of steps on numbers.
 *
 * A loop over cells pays for thousands of cells. A model of many small parts has thousands of tapes of a few operations each, and there
 * what counts is how much memory an evaluation reads: a step is 8 bytes, and loops, leaves and lists are not kept. The operations are the
 * same in the same order, and so are the bits.
 */
#include "expr/tape_impl.h"

#include <math.h>
#include <stddef.h>

/* ---- Making -------------------------------------------------------------------------------------- */

enum { MOST_STEPS = 256 };

typedef struct maker {
    sl_tape *tape;
    int32_t places[SL_TAPE_PLACES]; /* of the leaves and registers of a loop */
    int32_t first_kept;             /* place of the first kept value: loops use those before it */
    bool is_short;
} maker;

static void add(maker *m, int32_t op, int32_t to, int32_t a, int32_t b, int32_t c) {
    const sl_tape_step step = {(uint8_t)op, (uint8_t)to, (uint8_t)a, (uint8_t)b, c};
    m->is_short = m->is_short || !SL_PUSH(m->tape->ctx, &m->tape->steps, step);
}

/* Element i of a leaf or result. */
static int32_t element(const sl_tape *tape, const sl_tape_leaf *leaf, int64_t i) {
    return leaf->mode == SL_MODE_UNIFORM  ? leaf->base
           : leaf->mode == SL_MODE_STREAM ? leaf->base + (int32_t)i
                                          : tape->lists.at[leaf->list + i];
}

/* The place of a leaf, which is loaded to `to` if it has none yet. */
static int32_t load(maker *m, const sl_tape_leaf *leaf, int64_t i, int32_t to) {
    int32_t at = element(m->tape, leaf, i);
    if (leaf->area == SL_AREA_WORK) {
        return m->first_kept + at;
    }
    add(m, SL_TAPE_LOAD, to, 0, leaf->area, at);
    return to;
}

static void store(maker *m, const sl_tape_leaf *result, int64_t i, int32_t from) {
    int32_t at = element(m->tape, result, i);
    if (result->area == SL_AREA_WORK) {
        add(m, SL_OP_SMOOTH, m->first_kept + at, from, 0, 0); /* the value itself */
    } else {
        add(m, SL_TAPE_STORE, 0, from, 0, at);
    }
}

static void add_cell(maker *m, const sl_tape_loop *loop, int64_t i) {
    sl_tape *tape = m->tape;
    const sl_tape_code *code = tape->code.at + loop->first_code;
    for (int32_t k = 0; k < m->first_kept; k++) {
        m->places[k] = k;
    }
    for (int32_t k = 0; k < loop->n_leaf; k++) {
        m->places[k] = load(m, &tape->leaves.at[loop->first_leaf + k], i, k);
    }
    for (int64_t k = 0; k < loop->n_code; k++) {
        const sl_tape_code *c = &code[k];
        bool number = c->op == SL_TAPE_SKIP_IF_ZERO || c->op == SL_TAPE_SKIP_UNLESS_ZERO || c->op == SL_OP_TABLE ||
                      c->op == SL_OP_SLOPE;
        int32_t third = number ? c->c : m->places[c->c];
        if (c->op == SL_TAPE_POWER) {
            third = (int32_t)tape->constants.n;
            m->is_short = m->is_short || !SL_PUSH(tape->ctx, &tape->constants, c->exponent);
        }
        add(m, c->op, c->to, m->places[c->a], m->places[c->b], third);
    }
    store(m, &loop->result, i, code[loop->n_code - 1].to);
}

static void add_reduction(maker *m, const sl_tape_reduction *r) {
    const sl_tape_leaf *leaves = m->tape->leaves.at + r->first_leaf;
    bool logic = r->op == SL_OP_AND || r->op == SL_OP_OR;
    int32_t first = load(m, &leaves[0], 0, 0);
    add(m, logic ? r->op : SL_OP_SMOOTH, 0, first, first, 0);
    for (int64_t i = 1; i < r->n; i++) {
        add(m, r->op, 0, 0, load(m, &leaves[i], 0, 1), 0);
    }
    store(m, &r->result, 0, 0);
}

static void add_all(maker *m) {
    const sl_tape *tape = m->tape;
    int64_t loop = 0, reduction = 0;
    for (int32_t level = 0; level < tape->n_level; level++) {
        for (; loop < tape->loops.n && tape->loops.at[loop].level == level; loop++) {
            for (int64_t i = 0; i < tape->loops.at[loop].n_cell; i++) {
                add_cell(m, &tape->loops.at[loop], i);
            }
        }
        for (; reduction < tape->reductions.n && tape->reductions.at[reduction].level == level; reduction++) {
            add_reduction(m, &tape->reductions.at[reduction]);
        }
    }
    for (int area = 0; area < SL_AREAS; area++) {
        for (int64_t i = tape->first_copy[area]; i < tape->first_copy[area + 1]; i++) {
            const sl_tape_leaf leaf = {.area = (uint8_t)area, .mode = SL_MODE_UNIFORM, .base = tape->copies.at[i].from};
            add(m, SL_TAPE_STORE, 0, load(m, &leaf, 0, 0), 0, tape->copies.at[i].to);
        }
    }
}

/* Steps that it would take; places that its loops need. */
static int64_t count(const sl_tape *tape, int32_t *n_place) {
    int64_t n = 2 * tape->copies.n;
    *n_place = 2;
    for (int64_t k = 0; k < tape->loops.n; k++) {
        const sl_tape_loop *loop = &tape->loops.at[k];
        int32_t places = loop->n_leaf + loop->n_register;
        n += loop->n_cell * (loop->n_leaf + loop->n_code + 1);
        *n_place = places > *n_place ? places : *n_place;
    }
    for (int64_t k = 0; k < tape->reductions.n; k++) {
        n += 2 * tape->reductions.at[k].n + 1;
    }
    return n;
}

bool sl_tape_make_small(sl_tape *tape) {
    maker m = {.tape = tape};
    int64_t n = count(tape, &m.first_kept);
    if (n > 0 && n <= MOST_STEPS && m.first_kept + tape->n_value <= SL_TAPE_PLACES) {
        add_all(&m);
    }
    return !m.is_short;
}

/* ---- Running ------------------------------------------------------------------------------------- */

/* Operations that are rare in small tapes are those of vectors of one element. */
static double apply(const sl_tape *tape, const sl_tape_step *s, const double *v) {
    double y = 0.0, exponent = s->op == SL_TAPE_POWER ? tape->constants.at[s->c] : 0.0;
    bool number = s->op == SL_TAPE_POWER || s->op == SL_OP_TABLE || s->op == SL_OP_SLOPE;
    const sl_tape_operands k = {1, &y, &v[s->a], &v[s->b], number ? NULL : &v[s->c]};
    sl_tape_run_op(tape, s->op, s->c, exponent, &k);
    return y;
}

void sl_tape_run_small(const sl_tape *tape, const sl_expr_point *at, double *out) {
    const double *areas[SL_AREAS] = {
        [SL_AREA_PARAMETER] = at->p, [SL_AREA_TIME] = &at->t, [SL_AREA_CONST] = tape->constants.at};
    double v[SL_TAPE_PLACES];
    for (int k = 0; k < SL_EXPR_ORDERS; k++) {
        areas[k] = at->x[k];
    }
    for (const sl_tape_step *s = tape->steps.at, *end = s + tape->steps.n; s < end; s++) {
        double *to = &v[s->to];
        switch (s->op) {
        case SL_TAPE_LOAD: *to = areas[s->b][s->c]; break;
        case SL_TAPE_STORE: out[s->c] = v[s->a]; break;
        case SL_OP_ADD: *to = v[s->a] + v[s->b]; break;
        case SL_TAPE_SUB: *to = v[s->a] - v[s->b]; break;
        case SL_OP_MUL: *to = v[s->a] * v[s->b]; break;
        case SL_OP_DIV: *to = v[s->a] / v[s->b]; break;
        case SL_OP_NEG: *to = -v[s->a]; break;
        case SL_OP_SQRT: *to = sqrt(v[s->a]); break;
        case SL_OP_SMOOTH: *to = v[s->a]; break;
        case SL_TAPE_ADD_MUL: *to = v[s->a] + v[s->b] * v[s->c]; break;
        case SL_TAPE_SUB_MUL: *to = v[s->a] - v[s->b] * v[s->c]; break;
        case SL_OP_IF: *to = v[s->a] != 0.0 ? v[s->b] : v[s->c]; break;
        case SL_TAPE_SKIP_IF_ZERO: s += v[s->a] == 0.0 ? s->c : 0; break;
        case SL_TAPE_SKIP_UNLESS_ZERO: s += v[s->a] != 0.0 ? s->c : 0; break;
        default: *to = apply(tape, s, v); break;
        }
    }
}
