/* SPDX-License-Identifier: MIT */
/* live.c: values of nodes kept up to date. The plan has the nodes below the roots by place, ascending, with their arguments
 * and their users. Changed nodes wait in a heap by place, so that a node is looked at once, after all its arguments. */
#include "expr/live.h"

#include <stdlib.h>
#include <math.h>
#include <string.h>

#include "expr/impl.h"

struct sl_live_plan {
    sl_context *ctx;
    const sl_exprs *g; /* for tables only */
    int64_t n;
    uint8_t *op;
    int32_t *symbol;
    double *value;  /* of constants */
    int64_t *first; /* n + 1: arguments of each, places */
    int32_t *args;
    int64_t *first_user; /* n + 1 */
    int32_t *users;
    int32_t n_root;
    int32_t *root;                                 /* places */
    int64_t *first_root_of;                        /* n + 1 */
    int32_t *roots_of;                             /* which roots a place is */
    int32_t *variable[SL_EXPR_ORDERS], *parameter; /* places of leaves by number, -1: none */
    int32_t n_variable, n_parameter, time;
    int32_t most_arg;
    sl_arena arena;
};

struct sl_live {
    sl_context *ctx;
    const sl_live_plan *plan;
    double *value;
    double *args;  /* of the node at hand */
    int32_t *heap; /* places that wait */
    int32_t n_heap;
    bool *waits;
    bool *root_changed;
    int32_t *changed; /* roots since the last update */
    int32_t n_changed;
    int64_t n_evaluated;
    size_t size;
};

/* ---- Plan ---------------------------------------------------------------------------------------- */

static int32_t *places(sl_arena *arena, int32_t n) {
    int32_t *at = sl_arena_alloc(arena, (size_t)n * sizeof *at);
    if (at) {
        memset(at, 0xFF, (size_t)n * sizeof *at);
    }
    return at;
}

static bool alloc_plan(sl_live_plan *p, int64_t n_arg) {
    size_t n = (size_t)p->n;
    sl_arena *a = &p->arena;
    p->op = sl_arena_alloc(a, n);
    p->symbol = sl_arena_alloc(a, n * sizeof *p->symbol);
    p->value = sl_arena_alloc(a, n * sizeof *p->value);
    p->first = sl_arena_alloc(a, (n + 1) * sizeof *p->first);
    p->args = sl_arena_alloc(a, (size_t)n_arg * sizeof *p->args);
    p->first_user = sl_arena_alloc(a, (n + 1) * sizeof *p->first_user);
    p->users = sl_arena_alloc(a, (size_t)n_arg * sizeof *p->users);
    p->root = sl_arena_alloc(a, (size_t)p->n_root * sizeof *p->root);
    p->first_root_of = sl_arena_alloc(a, (n + 1) * sizeof *p->first_root_of);
    p->roots_of = sl_arena_alloc(a, (size_t)p->n_root * sizeof *p->roots_of);
    p->parameter = places(a, p->n_parameter);
    bool good = p->op && p->symbol && p->value && p->first && p->args && p->first_user && p->users && p->root &&
                p->first_root_of && p->roots_of && p->parameter;
    for (int k = 0; good && k < SL_EXPR_ORDERS; k++) {
        p->variable[k] = places(a, p->n_variable);
        good = p->variable[k] != NULL;
    }
    return good;
}

/* Lists by counting: entry (key, item) for every item in order. */
static void list_by(int64_t n_key, int64_t n, const int32_t *key, const int32_t *item, int64_t *first, int32_t *out) {
    for (int64_t i = 0; i < n; i++) {
        first[key[i] + 1]++;
    }
    for (int64_t k = 0; k < n_key; k++) {
        first[k + 1] += first[k];
    }
    for (int64_t i = 0; i < n; i++) {
        out[first[key[i]]++] = item ? item[i] : (int32_t)i;
    }
    for (int64_t k = n_key; k > 0; k--) {
        first[k] = first[k - 1];
    }
    first[0] = 0;
}

static void note_leaf(sl_live_plan *p, const sl_node *node, int32_t k) {
    if (node->op == SL_OP_VARIABLE) {
        p->variable[node->order][node->symbol] = k;
    } else if (node->op == SL_OP_PARAMETER) {
        p->parameter[node->symbol] = k;
    } else if (node->op == SL_OP_TIME) {
        p->time = k;
    } else if (node->op == SL_OP_CONST) {
        p->value[k] = node->u.value;
    }
}

static bool fill_plan(sl_exprs *g, sl_live_plan *p, const sl_expr_list *list, const sl_expr *roots, int64_t n_arg) {
    int32_t *user = sl_arena_alloc(&p->arena, (size_t)n_arg * sizeof *user);
    if (!user) {
        return false;
    }
    int64_t at = 0;
    for (int32_t k = 0; k < p->n; k++) {
        const sl_node *node = sl_node_at(g, list->at[k]);
        p->op[k] = node->op;
        p->symbol[k] = node->symbol;
        p->first[k] = at;
        p->most_arg = node->n > p->most_arg ? node->n : p->most_arg;
        for (int32_t i = 0; i < node->n; i++) {
            p->args[at] = g->walk.place[sl_node_args(g, list->at[k])[i]];
            user[at++] = k;
        }
        if (node->n == 0) {
            note_leaf(p, node, k);
        }
    }
    p->first[p->n] = at;
    list_by(p->n, n_arg, p->args, user, p->first_user, p->users);
    for (int32_t i = 0; i < p->n_root; i++) {
        p->root[i] = g->walk.place[roots[i]];
    }
    list_by(p->n, p->n_root, p->root, NULL, p->first_root_of, p->roots_of);
    return true;
}

sl_status sl_live_plan_create(sl_exprs *g, int32_t n_root, const sl_expr *roots, sl_live_plan **out) {
    *out = NULL;
    sl_expr_list list = {0};
    sl_live_plan *p = NULL;
    sl_status status = sl_expr_below(g, n_root, roots, &list);
    if (status == SL_OK) {
        p = sl_alloc(g->ctx, sizeof *p);
        status = p ? SL_OK : SL_ERR_MEMORY;
    }
    if (status == SL_OK) {
        int64_t n_arg = 0;
        for (int64_t k = 0; k < list.n; k++) {
            n_arg += sl_node_at(g, list.at[k])->n;
        }
        p->ctx = g->ctx;
        p->g = g;
        p->n = list.n;
        p->n_root = n_root;
        p->n_variable = (int32_t)g->variables.n;
        p->n_parameter = (int32_t)g->parameters.n;
        p->time = -1;
        sl_arena_init(&p->arena, g->ctx);
        if (!alloc_plan(p, n_arg) || !fill_plan(g, p, &list, roots, n_arg)) {
            sl_live_plan_destroy(p);
            p = NULL;
            status = SL_ERR_MEMORY;
        }
    }
    sl_expr_list_fini(g, &list);
    *out = p;
    return status;
}

void sl_live_plan_destroy(sl_live_plan *plan) {
    if (plan) {
        sl_arena_fini(&plan->arena);
        sl_free(plan->ctx, plan, sizeof *plan);
    }
}

/* ---- Values -------------------------------------------------------------------------------------- */

static size_t align(size_t n) {
    return (n + 15) & ~(size_t)15;
}

/* One block: the struct, then its arrays. */
static sl_live *alloc_live(sl_context *ctx, const sl_live_plan *p) {
    size_t n = (size_t)p->n, r = (size_t)p->n_root, most = (size_t)p->most_arg;
    size_t value = align(sizeof(sl_live)), args = value + align(n * sizeof(double)),
           heap = args + align(most * sizeof(double)), waits = heap + align(n * sizeof(int32_t)),
           root_changed = waits + align(n), changed = root_changed + align(r),
           size = changed + align(r * sizeof(int32_t));
    char *base = sl_alloc(ctx, size);
    if (!base) {
        return NULL;
    }
    sl_live *l = (sl_live *)(void *)base;
    l->ctx = ctx;
    l->plan = p;
    l->size = size;
    l->value = (double *)(void *)(base + value);
    l->args = (double *)(void *)(base + args);
    l->heap = (int32_t *)(void *)(base + heap);
    l->waits = (bool *)(base + waits);
    l->root_changed = (bool *)(base + root_changed);
    l->changed = (int32_t *)(void *)(base + changed);
    return l;
}

static double evaluate(sl_live *l, int32_t k) {
    const sl_live_plan *p = l->plan;
    int64_t first = p->first[k];
    int32_t n = (int32_t)(p->first[k + 1] - first);
    for (int32_t i = 0; i < n; i++) {
        l->args[i] = l->value[p->args[first + i]];
    }
    l->n_evaluated++;
    return sl_expr_apply(p->g, (sl_op)p->op[k], p->symbol[k], n, l->args);
}

sl_status sl_live_create(sl_context *ctx, const sl_live_plan *plan, const sl_expr_point *at, sl_live **out) {
    sl_live *l = alloc_live(ctx, plan);
    *out = l;
    if (!l) {
        return SL_ERR_MEMORY;
    }
    memcpy(l->value, plan->value, (size_t)plan->n * sizeof *l->value);
    for (int order = 0; order < SL_EXPR_ORDERS; order++) {
        for (int32_t i = 0; i < plan->n_variable; i++) {
            if (plan->variable[order][i] >= 0) {
                l->value[plan->variable[order][i]] = at->x[order][i];
            }
        }
    }
    for (int32_t i = 0; i < plan->n_parameter; i++) {
        if (plan->parameter[i] >= 0) {
            l->value[plan->parameter[i]] = at->p[i];
        }
    }
    if (plan->time >= 0) {
        l->value[plan->time] = at->t;
    }
    for (int32_t k = 0; k < plan->n; k++) {
        if (plan->first[k + 1] > plan->first[k]) {
            l->value[k] = evaluate(l, k);
        }
    }
    l->n_evaluated = 0;
    return SL_OK;
}

sl_status sl_live_copy(const sl_live *live, sl_live **out) {
    const sl_live_plan *p = live->plan;
    sl_live *l = alloc_live(live->ctx, p);
    *out = l;
    if (!l) {
        return SL_ERR_MEMORY;
    }
    memcpy(l->value, live->value, (size_t)p->n * sizeof *l->value);
    memcpy(l->heap, live->heap, (size_t)live->n_heap * sizeof *l->heap);
    memcpy(l->waits, live->waits, (size_t)p->n);
    memcpy(l->root_changed, live->root_changed, (size_t)p->n_root);
    memcpy(l->changed, live->changed, (size_t)live->n_changed * sizeof *l->changed);
    l->n_heap = live->n_heap;
    l->n_changed = live->n_changed;
    l->n_evaluated = live->n_evaluated;
    return SL_OK;
}

void sl_live_destroy(sl_live *live) {
    if (live) {
        sl_free(live->ctx, live, live->size);
    }
}

double sl_live_root(const sl_live *live, int32_t root) {
    return live->value[live->plan->root[root]];
}
int64_t sl_live_n_evaluated(const sl_live *live) {
    return live->n_evaluated;
}

/* ---- Changes ------------------------------------------------------------------------------------- */

static void push(sl_live *l, int32_t k) {
    if (l->waits[k]) {
        return;
    }
    l->waits[k] = true;
    int32_t i = l->n_heap++;
    for (; i > 0 && l->heap[(i - 1) / 2] > k; i = (i - 1) / 2) {
        l->heap[i] = l->heap[(i - 1) / 2];
    }
    l->heap[i] = k;
}

static int32_t pop(sl_live *l) {
    int32_t top = l->heap[0], last = l->heap[--l->n_heap], i = 0;
    for (;;) {
        int32_t child = 2 * i + 1;
        if (child >= l->n_heap) {
            break;
        }
        child += child + 1 < l->n_heap && l->heap[child + 1] < l->heap[child];
        if (l->heap[child] >= last) {
            break;
        }
        l->heap[i] = l->heap[child];
        i = child;
    }
    l->heap[i] = last;
    l->waits[top] = false;
    return top;
}

static void take(sl_live *l, int32_t k, double value) {
    const sl_live_plan *p = l->plan;
    if (l->value[k] == value && signbit(l->value[k]) == signbit(value)) { /* 1/-0 is not 1/0 */
        return;
    }
    l->value[k] = value;
    for (int64_t i = p->first_root_of[k]; i < p->first_root_of[k + 1]; i++) {
        int32_t root = p->roots_of[i];
        if (!l->root_changed[root]) {
            l->root_changed[root] = true;
            l->changed[l->n_changed++] = root;
        }
    }
    for (int64_t i = p->first_user[k]; i < p->first_user[k + 1]; i++) {
        push(l, p->users[i]);
    }
}

static void set_leaf(sl_live *l, int32_t k, double value) {
    if (k >= 0) {
        take(l, k, value);
    }
}
void sl_live_set_variable(sl_live *live, int32_t variable, int32_t order, double value) {
    set_leaf(live, live->plan->variable[order][variable], value);
}
void sl_live_set_parameter(sl_live *live, int32_t parameter, double value) {
    set_leaf(live, live->plan->parameter[parameter], value);
}
void sl_live_set_time(sl_live *live, double t) {
    set_leaf(live, live->plan->time, t);
}

static int by_number(const void *a, const void *b) {
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

int32_t sl_live_update(sl_live *live, int32_t *changed) {
    while (live->n_heap > 0) {
        int32_t k = pop(live);
        take(live, k, evaluate(live, k));
    }
    int32_t n = live->n_changed;
    for (int32_t i = 0; i < n; i++) {
        live->root_changed[live->changed[i]] = false;
    }
    if (changed && n > 0) {
        memcpy(changed, live->changed, (size_t)n * sizeof *changed);
        qsort(changed, (size_t)n, sizeof *changed, by_number);
    }
    live->n_changed = 0;
    return n;
}
