/* sha_run.c: the subexecutions of a hybrid automaton that need no integration: roots, discrete, actions (definitions 3.2.2, 3.2.3,
 * 3.2.5, 3.2.6). Guards of activities, actions and roots are live values beside those of the transitions; what a discrete execution
 * has changed is carried over to them when it ends. */
#include <math.h>
#include <string.h>

#include "automata/sha_impl.h"

struct sl_sha_run {
    sl_sha *h;
    sl_sda_run *discrete;
    sl_live *guards;
    sl_int_array active[SL_SHA_KINDS]; /* ascending */
    double *values;                    /* of all variables of the graph, then of their derivatives */
    double *results;                   /* of roots or actions, one for each */
    int32_t *changed;
    int32_t *wanted_by; /* of a subject: the item that set it, -1: none yet */
};

static size_t n_graph(const sl_sha *h) {
    return (size_t)sl_exprs_n_variable(h->g);
}
static size_t n_result(const sl_sha *h) {
    size_t actions = (size_t)h->items[SL_SHA_ACTION].n, roots = (size_t)h->items[SL_SHA_ROOT].n;
    return (actions > roots ? actions : roots) + 1;
}
static size_t n_subject(const sl_sha *h) {
    size_t x = (size_t)h->variables.n, q = (size_t)sl_sda_n_variable(h->discrete);
    return (x > q ? x : q) + 1;
}

/* ---- Life -------------------------------------------------------------------------------------------------- */

static bool alloc_run(sl_sha_run *run) {
    sl_context *ctx = run->h->ctx;
    run->values = sl_alloc(ctx, (2 * n_graph(run->h) + 1) * sizeof *run->values);
    run->results = sl_alloc(ctx, n_result(run->h) * sizeof *run->results);
    run->changed = sl_alloc(ctx, ((size_t)run->h->first[SL_SHA_KINDS] + 1) * sizeof *run->changed);
    run->wanted_by = sl_alloc(ctx, n_subject(run->h) * sizeof *run->wanted_by);
    for (int k = 0; k < SL_SHA_KINDS; k++) {
        if (!SL_RESERVE(ctx, &run->active[k], run->h->items[k].n)) {
            return false;
        }
    }
    if (run->wanted_by) {
        memset(run->wanted_by, 0xFF, n_subject(run->h) * sizeof *run->wanted_by);
    }
    return run->values && run->results && run->changed && run->wanted_by;
}

void sl_sha_run_destroy(sl_sha_run *run) {
    if (!run) {
        return;
    }
    const sl_sha *h = run->h;
    sl_sda_run_destroy(run->discrete);
    sl_live_destroy(run->guards);
    for (int k = 0; k < SL_SHA_KINDS; k++) {
        SL_ARRAY_FINI(h->ctx, &run->active[k]);
    }
    sl_free(h->ctx, run->values, (2 * n_graph(h) + 1) * sizeof *run->values);
    sl_free(h->ctx, run->results, n_result(h) * sizeof *run->results);
    sl_free(h->ctx, run->changed, ((size_t)h->first[SL_SHA_KINDS] + 1) * sizeof *run->changed);
    sl_free(h->ctx, run->wanted_by, n_subject(h) * sizeof *run->wanted_by);
    sl_free(h->ctx, run, sizeof *run);
}

static int32_t kind_of(const sl_sha *h, int32_t guard) {
    return guard < h->first[SL_SHA_ACTION] ? SL_SHA_ACTIVITY
           : guard < h->first[SL_SHA_ROOT] ? SL_SHA_ACTION
                                           : SL_SHA_ROOT;
}

/* Into or out of the sorted list; there is room for all. */
static void set_active(sl_int_array *list, int32_t item, bool active) {
    int64_t low = 0, high = list->n;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (list->at[middle] < item) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool there = low < list->n && list->at[low] == item;
    if (active && !there) {
        memmove(list->at + low + 1, list->at + low, (size_t)(list->n - low) * sizeof *list->at);
        list->at[low] = item;
        list->n++;
    } else if (!active && there) {
        list->n--;
        memmove(list->at + low, list->at + low + 1, (size_t)(list->n - low) * sizeof *list->at);
    }
}

static void take_guard(sl_sha_run *run, int32_t guard) {
    int32_t kind = kind_of(run->h, guard);
    set_active(&run->active[kind], guard - run->h->first[kind], sl_live_root(run->guards, guard) != 0.0);
}

static void update_guards(sl_sha_run *run) {
    int32_t n = sl_live_update(run->guards, run->changed);
    for (int32_t i = 0; i < n; i++) {
        take_guard(run, run->changed[i]);
    }
}

static void carry_value(sl_sha_run *run, int32_t q) {
    int32_t graph = sl_sda_graph_variable(run->h->discrete, q);
    double value = sl_sda_run_value(run->discrete, q);
    run->values[graph] = value;
    sl_live_set_variable(run->guards, graph, 0, value);
}

sl_status sl_sha_run_create(sl_sha *h, const int32_t *q0, const sl_sda_def *def, sl_sha_run **out) {
    *out = NULL;
    if (!h->finished) {
        return SL_ERR_USE;
    }
    sl_sha_run *run = sl_alloc(h->ctx, sizeof *run);
    if (!run) {
        return SL_ERR_MEMORY;
    }
    run->h = h;
    sl_status status = alloc_run(run) ? sl_sda_run_create(h->discrete, q0, def, &run->discrete) : SL_ERR_MEMORY;
    if (status == SL_OK) {
        for (int32_t i = 0; i < sl_sda_n_variable(h->discrete); i++) {
            run->values[sl_sda_graph_variable(h->discrete, i)] = q0[i];
        }
        sl_expr_point at = {.x = {run->values}};
        status = sl_live_create(h->plan, &at, &run->guards);
    }
    for (int32_t i = 0; status == SL_OK && i < h->first[SL_SHA_KINDS]; i++) {
        take_guard(run, i);
    }
    if (status != SL_OK) {
        sl_sha_run_destroy(run);
        return status;
    }
    *out = run;
    return SL_OK;
}

sl_status sl_sha_run_copy(const sl_sha_run *run, sl_sha_run **out) {
    sl_sha_run *c = sl_alloc(run->h->ctx, sizeof *c);
    *out = NULL;
    if (!c) {
        return SL_ERR_MEMORY;
    }
    c->h = run->h;
    if (!alloc_run(c) || sl_sda_run_copy(run->discrete, &c->discrete) != SL_OK ||
        sl_live_copy(run->guards, &c->guards) != SL_OK) {
        sl_sha_run_destroy(c);
        return SL_ERR_MEMORY;
    }
    for (int k = 0; k < SL_SHA_KINDS; k++) {
        for (int64_t i = 0; i < run->active[k].n; i++) {
            c->active[k].at[c->active[k].n++] = run->active[k].at[i];
        }
    }
    memcpy(c->values, run->values, 2 * n_graph(run->h) * sizeof *c->values);
    *out = c;
    return SL_OK;
}

/* ---- Looking -------------------------------------------------------------------------------------------------- */

const int32_t *sl_sha_run_active(const sl_sha_run *run, sl_sha_kind kind, int32_t *n) {
    *n = (int32_t)run->active[kind].n;
    return run->active[kind].at;
}
int32_t sl_sha_run_value(const sl_sha_run *run, int32_t discrete_variable) {
    return sl_sda_run_value(run->discrete, discrete_variable);
}
const sl_sda_run *sl_sha_run_discrete(const sl_sha_run *run) {
    return run->discrete;
}
sl_status sl_sha_run_mode(sl_sha_run *run, const sl_mode **out) {
    const sl_int_array *f = &run->active[SL_SHA_ACTIVITY], *r = &run->active[SL_SHA_ROOT];
    return sl_modes_find(run->h->modes, (int32_t)f->n, f->at, (int32_t)r->n, r->at, out);
}

sl_expr_point sl_sha_run_point(sl_sha_run *run, const sl_sha_point *at) {
    const sl_sha *h = run->h;
    double *rates = run->values + n_graph(h);
    for (int32_t i = 0; i < h->variables.n; i++) {
        int32_t graph = h->variables.at[i];
        run->values[graph] = at->x[i];
        rates[graph] = at->dx ? at->dx[i] : 0.0;
    }
    return (sl_expr_point){.t = at->t, .x = {run->values, rates}, .p = at->p};
}

/* ---- Roots and actions ------------------------------------------------------------------------------------------ */

static sl_status conflict(const sl_sha_run *run, sl_sha_kind kind, int32_t a, int32_t b, double t, sl_diags *diags) {
    const sl_sha_item *x = &run->h->items[kind].at[a], *y = &run->h->items[kind].at[b];
    sl_str name = kind == SL_SHA_ROOT ? sl_sda_variable_name(run->h->discrete, x->subject)
                                      : sl_exprs_variable_name(run->h->g, run->h->variables.at[x->subject]);
    sl_report(diags, SL_ERROR, SL_CODE_NONDETERMINISTIC, NULL, NULL, NULL, "let their guards exclude each other",
              "at t = %g two %s want different values of %.*s: number %d%s%s and number %d%s%s", t,
              kind == SL_SHA_ROOT ? "roots" : "actions", (int)name.len, name.ptr, (int)a, x->symbol[0] ? " " : "",
              x->symbol, (int)b, y->symbol[0] ? " " : "", y->symbol);
    return SL_ERR_SOLVE;
}

/* The value of a root's variable at a point: definition 3.2.2. */
static sl_status root_value(sl_sha_run *run, const sl_sha_item *root, const sl_expr_point *at, double *out) {
    double h = 0.0;
    sl_status status = sl_expr_eval(run->h->g, root->e, at, &h);
    if (status == SL_OK && h == 0.0 && root->rate != SL_EXPR_NONE) {
        status = sl_expr_eval(run->h->g, root->rate, at, &h);
    }
    *out = h > 0.0 ? 1.0 : h < 0.0 ? 0.0 : sl_sda_run_value(run->discrete, root->subject);
    return status;
}

/* Values of all active items of a kind into results, and whether those of one subject agree. */
static sl_status evaluate(sl_sha_run *run, sl_sha_kind kind, const sl_sha_point *at, sl_diags *diags) {
    const sl_int_array *active = &run->active[kind];
    sl_expr_point point = sl_sha_run_point(run, at);
    sl_status status = SL_OK;
    int64_t i = 0;
    for (; status == SL_OK && i < active->n; i++) {
        const sl_sha_item *item = &run->h->items[kind].at[active->at[i]];
        double *value = &run->results[active->at[i]];
        status = kind == SL_SHA_ROOT ? root_value(run, item, &point, value)
                                     : sl_expr_eval(run->h->g, item->e, &point, value);
        int32_t *by = &run->wanted_by[item->subject];
        if (status == SL_OK && *by >= 0 && run->results[*by] != *value) {
            status = conflict(run, kind, *by, active->at[i], at->t, diags);
        }
        *by = *by < 0 ? active->at[i] : *by;
    }
    for (int64_t k = 0; k < i; k++) {
        run->wanted_by[run->h->items[kind].at[active->at[k]].subject] = -1;
    }
    return status;
}

sl_status sl_sha_run_roots(sl_sha_run *run, const sl_sha_point *at, sl_diags *diags, int32_t *n_changed) {
    const sl_int_array *active = &run->active[SL_SHA_ROOT];
    sl_status status = evaluate(run, SL_SHA_ROOT, at, diags);
    int32_t changed = 0;
    for (int64_t i = 0; status == SL_OK && i < active->n; i++) {
        int32_t q = run->h->items[SL_SHA_ROOT].at[active->at[i]].subject;
        changed += sl_sda_run_set(run->discrete, q, (int32_t)run->results[active->at[i]]);
    }
    if (n_changed) {
        *n_changed = changed;
    }
    return status;
}

sl_sda_state sl_sha_run_settle(sl_sha_run *run, int32_t *n_point) {
    int32_t n_set = 0;
    const int32_t *set = sl_sda_run_set_since(run->discrete, &n_set);
    for (int32_t i = 0; i < n_set; i++) {
        carry_value(run, set[i]);
    }
    sl_sda_run_restart(run->discrete, 0, NULL, NULL);
    sl_sda_state state = sl_sda_run_finish(run->discrete);
    int32_t end = sl_sda_run_time(run->discrete);
    for (int32_t t = 0; t < end; t++) {
        int32_t n;
        const sl_sda_change *c = sl_sda_run_changes(run->discrete, t, &n);
        for (int32_t i = 0; i < n; i++) {
            carry_value(run, c[i].variable);
        }
    }
    sl_live_set_time(run->guards, end);
    update_guards(run);
    *n_point = end + 1;
    return state;
}

sl_status sl_sha_run_act(sl_sha_run *run, const sl_sha_point *at, double *x_new, sl_diags *diags, int32_t *n_action) {
    const sl_int_array *active = &run->active[SL_SHA_ACTION];
    sl_status status = evaluate(run, SL_SHA_ACTION, at, diags);
    memmove(x_new, at->x, (size_t)run->h->variables.n * sizeof *x_new);
    for (int64_t i = 0; status == SL_OK && i < active->n; i++) {
        x_new[run->h->items[SL_SHA_ACTION].at[active->at[i]].subject] = run->results[active->at[i]];
    }
    *n_action = (int32_t)active->n;
    return status;
}
