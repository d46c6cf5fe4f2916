/* sha.c: building a structured hybrid automaton (definition 3.2.1). */
#include <string.h>

#include "automata/sha_impl.h"

sl_status sl_sha_create(sl_exprs *g, sl_sha **out) {
    sl_context *ctx = sl_exprs_context(g);
    sl_sha *h = sl_alloc(ctx, sizeof *h);
    *out = NULL;
    if (!h) {
        return SL_ERR_MEMORY;
    }
    h->ctx = ctx;
    h->g = g;
    sl_arena_init(&h->arena, ctx);
    if (sl_sda_create(g, &h->discrete) != SL_OK) {
        sl_sha_destroy(h);
        return SL_ERR_MEMORY;
    }
    *out = h;
    return SL_OK;
}

void sl_sha_destroy(sl_sha *h) {
    if (!h) {
        return;
    }
    sl_modes_destroy(h->modes);
    sl_live_plan_destroy(h->plan);
    sl_sda_destroy(h->discrete);
    SL_ARRAY_FINI(h->ctx, &h->variables);
    for (int k = 0; k < SL_SHA_KINDS; k++) {
        SL_ARRAY_FINI(h->ctx, &h->items[k]);
    }
    sl_arena_fini(&h->arena);
    sl_free(h->ctx, h, sizeof *h);
}

sl_sda *sl_sha_discrete(sl_sha *h) {
    return h->discrete;
}
int32_t sl_sha_n_variable(const sl_sha *h) {
    return (int32_t)h->variables.n;
}
int32_t sl_sha_count(const sl_sha *h, sl_sha_kind kind) {
    return (int32_t)h->items[kind].n;
}
int32_t sl_sha_graph_variable(const sl_sha *h, int32_t variable) {
    return h->variables.at[variable];
}
const char *sl_sha_symbol(const sl_sha *h, sl_sha_kind kind, int32_t i) {
    return h->items[kind].at[i].symbol;
}
int32_t sl_sha_subject(const sl_sha *h, sl_sha_kind kind, int32_t i) {
    return h->items[kind].at[i].subject;
}
sl_expr sl_sha_expr(const sl_sha *h, sl_sha_kind kind, int32_t i) {
    return h->items[kind].at[i].e;
}
sl_expr sl_sha_guard(const sl_sha *h, sl_sha_kind kind, int32_t i) {
    return h->items[kind].at[i].guard;
}

sl_status sl_sha_add_variable(sl_sha *h, sl_str name, const sl_place *place, sl_diags *diags, int32_t *out) {
    sl_expr e;
    *out = -1;
    if (!SL_RESERVE(h->ctx, &h->variables, h->variables.n + 1)) {
        return SL_ERR_MEMORY;
    }
    sl_status status = sl_expr_declare_variable(h->g, name, 0, place, diags, &e);
    if (status == SL_OK) {
        *out = (int32_t)h->variables.n;
        h->variables.at[h->variables.n++] = sl_expr_symbol(h->g, e);
    }
    return status;
}

/* ---- What may stand where ------------------------------------------------------------------------------ */

typedef struct contents {
    int32_t highest;    /* order of a derivative */
    bool continuous;    /* a continuous variable, a parameter */
    bool discrete_rate; /* the derivative of a discrete variable */
    bool time;
} contents;

static sl_status look_into(sl_sha *h, sl_expr e, contents *c) {
    sl_expr_list leaves = {0};
    sl_status status = sl_expr_leaves(h->g, 1, &e, &leaves);
    *c = (contents){0};
    for (int64_t i = 0; status == SL_OK && i < leaves.n; i++) {
        sl_expr leaf = leaves.at[i];
        if (sl_expr_op(h->g, leaf) == SL_OP_TIME) {
            c->time = true;
            continue;
        }
        bool discrete = sl_expr_op(h->g, leaf) == SL_OP_VARIABLE &&
                        sl_sda_variable_of(h->discrete, sl_expr_symbol(h->g, leaf)) >= 0;
        int32_t order = sl_expr_op(h->g, leaf) == SL_OP_VARIABLE ? sl_expr_order(h->g, leaf) : 0;
        c->continuous = c->continuous || !discrete;
        c->discrete_rate = c->discrete_rate || (discrete && order > 0);
        c->highest = order > c->highest ? order : c->highest;
    }
    sl_expr_list_fini(h->g, &leaves);
    return status;
}

static sl_status refuse(sl_diags *diags, const sl_place *place, const char *what, const char *hint) {
    sl_report(diags, SL_ERROR, SL_CODE_WRONG_KIND, place, NULL, NULL, hint, "%s", what);
    return SL_ERR_INPUT;
}

static sl_status check_item(sl_sha *h, sl_sha_kind kind, const sl_sha_item *item, const sl_place *place,
                            sl_diags *diags) {
    contents e, guard;
    sl_status status = look_into(h, item->e, &e);
    status = status == SL_OK ? look_into(h, item->guard, &guard) : status;
    if (status != SL_OK) {
        return status;
    }
    if (guard.continuous || guard.highest > 0) {
        return refuse(diags, place, "a guard may hold discrete variables only",
                      "let a discrete variable follow a continuous one by a root, and use that");
    }
    if (guard.time && kind != SL_SHA_ACTION) {
        return refuse(diags, place, "t has no place in the guard of an activity or a root",
                      "it is the time of discrete executions: guards of transitions and actions may hold it");
    }
    if (e.highest > 1 || e.discrete_rate) {
        return refuse(diags, place, "only first derivatives of continuous variables may stand here",
                      "give a second derivative a variable of its own: der(x) = v, der(v) = a");
    }
    if (kind == SL_SHA_ACTIVITY && !e.continuous) {
        return refuse(diags, place, "the equation holds nothing continuous", "it belongs to a transition");
    }
    int32_t n = kind == SL_SHA_ROOT ? sl_sda_n_variable(h->discrete) : (int32_t)h->variables.n;
    bool known = kind == SL_SHA_ACTIVITY || (item->subject >= 0 && item->subject < n);
    if (!known || (kind == SL_SHA_ROOT && sl_sda_domain(h->discrete, item->subject) != 2)) {
        return refuse(diags, place,
                      kind == SL_SHA_ROOT ? "a root sets a discrete variable with the values 0 and 1"
                                          : "an action sets a continuous variable",
                      NULL);
    }
    return SL_OK;
}

sl_status sl_sha_add(sl_sha *h, sl_sha_kind kind, sl_str symbol, int32_t subject, sl_expr e, sl_expr guard,
                     const sl_place *place, sl_diags *diags, int32_t *out) {
    *out = -1;
    sl_sha_item item = {.subject = kind == SL_SHA_ACTIVITY ? -1 : subject, .guard = guard, .rate = SL_EXPR_NONE};
    item.e = kind == SL_SHA_ACTIVITY ? sl_expr_residual(h->g, e) : e;
    if (item.e < 0 || guard < 0) {
        return sl_exprs_status(h->g) != SL_OK ? sl_exprs_status(h->g) : SL_ERR_USE;
    }
    sl_status status = check_item(h, kind, &item, place, diags);
    if (status == SL_OK && kind == SL_SHA_ROOT) {
        contents c;
        sl_expr rate = sl_expr_simplify(h->g, sl_expr_diff_time(h->g, item.e));
        status = rate < 0 ? SL_ERR_MEMORY : look_into(h, rate, &c);
        item.rate = status == SL_OK && c.highest <= 1 ? rate : SL_EXPR_NONE;
    }
    if (status != SL_OK) {
        return status;
    }
    item.symbol = sl_arena_copy(&h->arena, symbol);
    if (!item.symbol || !SL_PUSH(h->ctx, &h->items[kind], item)) {
        return SL_ERR_MEMORY;
    }
    *out = (int32_t)h->items[kind].n - 1;
    return SL_OK;
}

/* ---- Finishing ------------------------------------------------------------------------------------------- */

static sl_status make_modes(sl_sha *h, sl_expr cj, bool by_rows) {
    int32_t n_graph = sl_exprs_n_variable(h->g);
    sl_sha_items *activities = &h->items[SL_SHA_ACTIVITY], *roots = &h->items[SL_SHA_ROOT];
    int32_t *column = sl_arena_alloc(&h->arena, (size_t)n_graph * sizeof *column);
    sl_expr *f = sl_arena_alloc(&h->arena, (size_t)activities->n * sizeof *f);
    sl_expr *r = sl_arena_alloc(&h->arena, (size_t)roots->n * sizeof *r);
    if (!column || !f || !r) {
        return SL_ERR_MEMORY;
    }
    memset(column, 0xFF, (size_t)n_graph * sizeof *column);
    for (int32_t i = 0; i < h->variables.n; i++) {
        column[h->variables.at[i]] = i;
    }
    for (int64_t i = 0; i < activities->n; i++) {
        f[i] = activities->at[i].e;
    }
    for (int64_t i = 0; i < roots->n; i++) {
        r[i] = roots->at[i].e;
    }
    sl_modes_def def = {(int32_t)activities->n, (int32_t)roots->n, f, r, (int32_t)h->variables.n, column, cj, by_rows};
    return sl_modes_create(h->g, &def, &h->modes);
}

sl_status sl_sha_finish(sl_sha *h, sl_expr cj, bool by_rows) {
    if (h->finished) {
        return SL_ERR_USE;
    }
    sl_expr_list guards = {0};
    bool good = true;
    for (int k = 0; k < SL_SHA_KINDS; k++) {
        h->first[k] = (int32_t)guards.n;
        for (int64_t i = 0; good && i < h->items[k].n; i++) {
            sl_expr guard = sl_expr_simplify(h->g, h->items[k].at[i].guard);
            good = guard >= 0 && SL_PUSH(h->ctx, &guards, guard);
        }
    }
    h->first[SL_SHA_KINDS] = (int32_t)guards.n;
    sl_status status = good ? sl_sda_finish(h->discrete) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_live_plan_create(h->g, (int32_t)guards.n, guards.at, &h->plan) : status;
    status = status == SL_OK ? make_modes(h, cj, by_rows) : status;
    sl_expr_list_fini(h->g, &guards);
    h->finished = status == SL_OK;
    return status;
}
