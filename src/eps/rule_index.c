/* SPDX-License-Identifier: MIT */
/* rule_index.c: which premises read which quantity.
 *
 * Premises that read the same quantity of the same object stand together, by their thresholds. When that quantity moves from one
 * value to another, only premises whose threshold lies between the two, or within the tolerance of them, can change; the others are
 * not looked at. Made once of a network; const afterwards.
 */
#include "eps/impl.h"

#include <math.h>
#include <stdlib.h>

typedef struct key {
    int32_t variable, object, index, premise;
    double threshold;
} key;

static int order(const void *a, const void *b) {
    const key *x = a, *y = b;
    int32_t dx[] = {x->variable, x->object, x->index}, dy[] = {y->variable, y->object, y->index};
    for (int i = 0; i < 3; i++) {
        if (dx[i] != dy[i]) {
            return dx[i] < dy[i] ? -1 : 1;
        }
    }
    if (x->threshold != y->threshold) {
        return x->threshold < y->threshold ? -1 : 1;
    }
    return x->premise < y->premise ? -1 : x->premise > y->premise;
}

static sl_quantity quantity_of(const sl_network *net, const sl_premise *p) {
    int kind = p->object == SL_RULE_LINK ? sl_valve_kind_of(net, p->index) : -1;
    if (p->variable == SL_RULE_SETTING && kind >= 0) {
        return sl_valve_setting_quantity((sl_valve_kind)kind);
    }
    if (p->variable == SL_RULE_SETTING && p->index < net->n_pipe) {
        return SL_Q_ROUGHNESS;
    }
    return sl_rule_quantity(p->variable);
}

/* What a premise's values are divided by before they are compared. */
static double unit_of(const sl_eps_model *m, const sl_premise *p) {
    switch (p->variable) {
    case SL_RULE_STATUS:
    case SL_RULE_TIME:
    case SL_RULE_CLOCKTIME: return 1.0;
    case SL_RULE_FILLTIME:
    case SL_RULE_DRAINTIME: return 3600.0;
    default: return m->factor[quantity_of(m->net, p)];
    }
}

/* Premises of rules that are off stand for nothing. A status has no threshold. */
static int32_t list_keys(const sl_eps_model *m, sl_eps_rule_index *x, key *keys) {
    const sl_network *net = m->net;
    int32_t n = 0;
    for (int32_t r = 0; r < net->n_rule; r++) {
        const sl_rule *rule = &net->rules[r];
        for (int32_t i = rule->premise_start; i < rule->premise_start + rule->n_premise; i++) {
            const sl_premise *p = &net->premises[i];
            x->rule[i] = r;
            if (rule->enabled) {
                double threshold = p->variable == SL_RULE_STATUS ? 0.0 : p->value / unit_of(m, p);
                keys[n++] = (key){(int32_t)p->variable, (int32_t)p->object, p->index, i, threshold};
            }
        }
    }
    return n;
}

bool sl_eps_rule_index_create(sl_eps_model *m) {
    const sl_network *net = m->net;
    sl_eps_rule_index *x = &m->rules;
    size_t n = (size_t)net->n_premise;
    if (n == 0) {
        return true;
    }
    key *keys = sl_arena_alloc(&m->arena, n * sizeof *keys);
    x->reading = sl_arena_alloc(&m->arena, n * sizeof *x->reading);
    x->premise = sl_arena_alloc(&m->arena, n * sizeof *x->premise);
    x->threshold = sl_arena_alloc(&m->arena, n * sizeof *x->threshold);
    x->rule = sl_arena_alloc(&m->arena, n * sizeof *x->rule);
    if (!keys || !x->reading || !x->premise || !x->threshold || !x->rule) {
        return false;
    }
    int32_t used = list_keys(m, x, keys);
    qsort(keys, (size_t)used, sizeof *keys, order);
    for (int32_t i = 0; i < used; i++) {
        const key *k = &keys[i], *last = &keys[i > 0 ? i - 1 : 0];
        const sl_premise *p = &net->premises[k->premise];
        if (i == 0 || k->variable != last->variable || k->object != last->object || k->index != last->index) {
            x->reading[x->n_reading++] = (sl_eps_reading){.of = p, .unit = unit_of(m, p), .begin = i};
        }
        x->reading[x->n_reading - 1].end = i + 1;
        x->premise[i] = k->premise;
        x->threshold[i] = k->threshold;
    }
    return true;
}
