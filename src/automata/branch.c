/* SPDX-License-Identifier: MIT */
/* branch.c: all executions from a state. One execution makes them one after the other: where a discrete step has several
 * derivatives its state is saved with each of them chosen, and these states wait in one list, taken from its front (breadth first)
 * or its end (depth first). So what waits is small, and modes are compiled once for all.
 */
#include "automata/execution.h"

#include <math.h>

#include "base/context.h"
#include "base/out.h"
#include "base/sized.h"

void sl_explore_default_fill(sl_explore_def *def, size_t size) {
    const sl_explore_def all = {.max_executions = 1000, .max_open = 1000, .max_pieces = 10000000};
    sl_sized_default(def, size, &all, sizeof all);
}

enum { MOST_TINY = 1000 }; /* steps of motion in a row without progress, as in a session */

typedef struct explorer {
    sl_explore_def def;
    sl_execution *e;         /* at work */
    SL_ARRAY(sl_bytes) open; /* states from first on */
    int64_t first;
    sl_explored *out;
} explorer;

/* Goes to a state that waits. */
static sl_status take(explorer *x, bool *any) {
    *any = x->first < x->open.n;
    if (!*any) {
        return SL_OK;
    }
    sl_bytes *state = &x->open.at[x->def.depth_first ? --x->open.n : x->first++];
    sl_diags_clear(x->e->diags);
    sl_status status = sl_execution_restore(x->e, state->at, (size_t)state->n);
    sl_bytes_fini(state);
    return status;
}

/* One state for each derivative; the first is to come off first. */
static sl_status branch(explorer *x) {
    int64_t n = sl_hybrid_n_choice(x->e->h), most = x->def.max_open - (x->open.n - x->first);
    x->out->complete = x->out->complete && !sl_sda_run_is_truncated(sl_sha_run_of(sl_hybrid_instance(x->e->h)));
    if (n > most) {
        x->out->complete = false;
        n = most > 1 ? most : 1;
    }
    sl_status status = SL_RESERVE(x->e->ctx, &x->open, x->open.n + n) ? SL_OK : SL_ERR_MEMORY;
    for (int64_t k = 0; k < n && status == SL_OK; k++) {
        status = sl_execution_choose(x->e, x->def.depth_first ? n - 1 - k : k);
        if (status == SL_OK) {
            sl_bytes *state = &x->open.at[x->open.n++];
            sl_bytes_init(state, x->e->ctx);
            sl_sink sink = sl_bytes_sink(state);
            status = sl_execution_save(x->e, &sink);
        }
    }
    return status;
}

/* Runs on to a choice, the end, or the limit of pieces. */
static sl_status go_on(explorer *x) {
    sl_execution *e = x->e;
    sl_status status = SL_OK;
    int n_tiny = 0;
    while (status == SL_OK && n_tiny <= MOST_TINY && e->last != SL_EVENT_STOP &&
           (e->last != SL_EVENT_CHOICE || sl_hybrid_choice_made(e->h)) && x->out->n_piece < x->def.max_pieces) {
        sl_execution_info piece = {.size = sizeof piece};
        status = sl_execution_next(e, SL_EVENT_ANY, &piece);
        bool tiny = piece.time > piece.begin && piece.time - piece.begin < fmax(1e-9 * fabs(piece.time), 1e-9);
        n_tiny = tiny ? n_tiny + 1 : piece.time > piece.begin ? 0 : n_tiny;
        x->out->n_piece++;
        if (status == SL_OK && x->out->n_piece % 1024 == 0 && !sl_progress_report(e->ctx, "exploring", 0.0, 0.0)) {
            return SL_ERR_CANCELLED;
        }
    }
    return n_tiny > MOST_TINY ? SL_ERR_SOLVE : status; /* its session will stop there too, and say so */
}

/* One execution to its end, or to where it branches. *more: whether to go on with others. */
static sl_status explore(explorer *x, bool (*seen)(void *, sl_execution *, sl_status), void *user, bool *more) {
    sl_status status = go_on(x);
    bool full = x->out->n_piece >= x->def.max_pieces || x->out->n_execution >= x->def.max_executions;
    if (status == SL_ERR_MEMORY || status == SL_ERR_CANCELLED || full) {
        x->out->complete = *more = false;
        return status == SL_ERR_MEMORY || status == SL_ERR_CANCELLED ? status : SL_OK;
    }
    if (status == SL_OK && x->e->last == SL_EVENT_CHOICE) {
        return branch(x);
    }
    x->out->n_execution++;
    *more = seen(user, x->e, status);
    x->out->complete = x->out->complete && *more;
    return SL_OK;
}

sl_status sl_execution_explore(const sl_execution *e, const sl_explore_def *def,
                               bool (*seen)(void *user, sl_execution *e, sl_status status), void *user,
                               sl_explored *out) {
    if (!SL_HANDLE_IS(e, SL_HANDLE_EXECUTION) || !out) {
        return SL_ERR_USE;
    }
    sl_explored done = {.complete = true};
    explorer x = {.def = sl_explore_default(), .out = &done};
    bool more = true, any = true;
    if (!sl_sized_valid(out) || !sl_sized_take(&x.def, sizeof x.def, def)) {
        return SL_ERR_USE;
    }
    sl_status status = e->def.choices == SL_HYBRID_CHOICES_ASK ? sl_execution_copy(e, &x.e) : SL_ERR_USE;
    while (status == SL_OK && more && any) {
        if (!sl_progress_report(e->ctx, "exploring", 0.0, 0.0)) {
            status = SL_ERR_CANCELLED;
            break;
        }
        status = explore(&x, seen, user, &more);
        status = status == SL_OK && more ? take(&x, &any) : status;
    }
    for (int64_t k = x.first; k < x.open.n; k++) {
        sl_bytes_fini(&x.open.at[k]);
    }
    SL_ARRAY_FINI(e->ctx, &x.open);
    sl_execution_destroy(x.e);
    sl_sized_give(out, &done, sizeof done);
    return status;
}
