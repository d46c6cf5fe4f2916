/* branch.c: all executions from a state. Where a discrete step has several derivatives the execution is copied, one copy for each;
 * executions wait in one list, taken from its front (breadth first) or its end (depth first).
 */
#include "automata/execution.h"

#include <string.h>

sl_explore_def sl_explore_default(void) {
    return (sl_explore_def){
        .size = sizeof(sl_explore_def), .most_executions = 1000, .most_open = 1000, .most_pieces = 10000000};
}

typedef struct explorer {
    sl_context *ctx;
    sl_explore_def def;
    SL_ARRAY(sl_execution *) open; /* from first on */
    int64_t first;
    sl_explored *out;
} explorer;

static sl_execution *take(explorer *x) {
    if (x->first == x->open.n) {
        return NULL;
    }
    return x->def.depth_first ? x->open.at[--x->open.n] : x->open.at[x->first++];
}

/* One copy for each derivative, the first to come off first; the last one is the execution itself. */
static sl_status branch(explorer *x, sl_execution *e) {
    int64_t n = sl_hybrid_n_way(e->h), base = x->open.n, most = x->def.most_open - (x->open.n - x->first);
    x->out->complete = x->out->complete && !sl_sda_run_is_truncated(sl_sha_run_of(sl_hybrid_instance(e->h)));
    if (n > most) {
        x->out->complete = false;
        n = most > 1 ? most : 1;
    }
    if (!SL_RESERVE(x->ctx, &x->open, base + n)) {
        sl_execution_destroy(e);
        return SL_ERR_MEMORY;
    }
    for (int64_t k = 0; k < n; k++) {
        sl_execution *copy = e;
        sl_status status = k + 1 < n ? sl_execution_copy(e, &copy) : SL_OK;
        status = status == SL_OK ? sl_execution_choose(copy, k) : status;
        if (status != SL_OK) {
            if (copy != e) {
                sl_execution_destroy(copy);
            }
            sl_execution_destroy(e);
            return status;
        }
        x->open.at[x->open.n++] = copy;
    }
    for (int64_t i = base, k = x->open.n - 1; x->def.depth_first && i < k; i++, k--) {
        sl_execution *other = x->open.at[i];
        x->open.at[i] = x->open.at[k];
        x->open.at[k] = other;
    }
    return SL_OK;
}

/* Runs on to a choice, the end, or the limit of pieces. */
static sl_status go_on(explorer *x, sl_execution *e) {
    sl_status status = SL_OK;
    sl_execution_info info;
    while (status == SL_OK && e->last != SL_EVENT_STOP && (e->last != SL_EVENT_CHOICE || sl_hybrid_has_chosen(e->h)) &&
           x->out->n_piece < x->def.most_pieces) {
        status = sl_execution_next(e, SL_EVENT_ANY, &info);
        x->out->n_piece++;
    }
    return status;
}

/* Goes on with one execution, which is used up; *more: whether to go on with others. */
static sl_status explore(explorer *x, sl_execution *e, bool (*seen)(void *, sl_execution *, sl_status), void *user,
                         bool *more) {
    sl_status status = go_on(x, e);
    bool full = x->out->n_piece >= x->def.most_pieces || x->out->n_execution >= x->def.most_executions;
    if (status == SL_ERR_MEMORY || full) {
        x->out->complete = false;
        *more = false;
        sl_execution_destroy(e);
        return status == SL_ERR_MEMORY ? status : SL_OK;
    }
    if (status == SL_OK && e->last == SL_EVENT_CHOICE) {
        return branch(x, e);
    }
    x->out->n_execution++;
    *more = seen(user, e, status);
    x->out->complete = x->out->complete && *more;
    sl_execution_destroy(e);
    return SL_OK;
}

sl_status sl_execution_explore(const sl_execution *e, const sl_explore_def *def,
                               bool (*seen)(void *user, sl_execution *e, sl_status status), void *user,
                               sl_explored *out) {
    explorer x = {.ctx = e->ctx, .def = sl_explore_default(), .out = out};
    sl_execution *next = NULL;
    bool more = true;
    *out = (sl_explored){.complete = true};
    if (def) {
        memcpy(&x.def, def, def->size < sizeof x.def ? def->size : sizeof x.def);
    }
    sl_status status = e->def.ways == SL_WAYS_ASK ? sl_execution_copy(e, &next) : SL_ERR_USE;
    while (status == SL_OK && more && next) {
        status = explore(&x, next, seen, user, &more);
        next = take(&x);
    }
    for (; next; next = take(&x)) {
        sl_execution_destroy(next);
    }
    SL_ARRAY_FINI(x.ctx, &x.open);
    return status;
}
