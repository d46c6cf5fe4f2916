/* SPDX-License-Identifier: MIT */
/* explore.c: all executions from a state. Where there are several derivatives the run is copied, one copy for each; runs wait in
 * one list, taken from its front (breadth first) or its end (depth first). */
#include "explore.h"

#include "automata/sda_impl.h"

explore_def explore_default(void) {
    return (explore_def){.run = sl_sda_default(), .max_executions = 1000, .most_steps = 1000000, .max_open = 10000};
}

typedef struct waiting {
    sl_sda_run *run;
} waiting;

typedef struct explorer {
    const explore_def *def;
    SL_ARRAY(waiting) open; /* from first on */
    int64_t first;
    explore_result *out;
} explorer;

/* One copy for each derivative, taken by it; the last one is the run itself. */
static sl_status branch(explorer *x, sl_sda_run *run) {
    sl_context *ctx = run->ctx;
    int64_t n = run->n_choice, base = x->open.n;
    x->out->complete = x->out->complete && !run->truncated;
    if (x->open.n - x->first + n > x->def->max_open) {
        x->out->complete = false;
        n = x->def->max_open - (x->open.n - x->first);
        n = n < 1 ? 1 : n;
    }
    if (!SL_RESERVE(ctx, &x->open, x->open.n + n)) {
        sl_sda_run_destroy(run);
        return SL_ERR_MEMORY;
    }
    for (int64_t k = 0; k < n; k++) {
        sl_sda_run *copy = run;
        if (k + 1 < n && sl_sda_run_copy(run, &copy) != SL_OK) {
            sl_sda_run_destroy(run);
            return SL_ERR_MEMORY;
        }
        x->open.at[x->open.n++].run = copy;
    }
    for (int64_t k = 0; k < n; k++) {
        sl_sda_run_step(x->open.at[base + k].run, k);
        x->out->n_step++;
    }
    for (int64_t i = base, k = x->open.n - 1; x->def->depth_first && i < k;
         i++, k--) { /* the first choice comes off first */
        waiting other = x->open.at[i];
        x->open.at[i] = x->open.at[k];
        x->open.at[k] = other;
    }
    return SL_OK;
}

static sl_sda_run *take(explorer *x) {
    if (x->first == x->open.n) {
        return NULL;
    }
    return x->def->depth_first ? x->open.at[--x->open.n].run : x->open.at[x->first++].run;
}

/* Runs on to the next choice or the end. */
static void go_on(explorer *x, sl_sda_run *run) {
    while (run->state == SL_SDA_RUNNING && x->out->n_step < x->def->most_steps) {
        sl_sda_run_step(run, 0);
        x->out->n_step++;
    }
}

sl_status explore_runs(const sl_sda *a, const int32_t *q0, const explore_def *def,
                       bool (*seen)(void *user, const sl_sda_run *run), void *user, explore_result *out) {
    explore_def fallback = explore_default();
    explorer x = {.def = def ? def : &fallback, .out = out};
    sl_sda_run *run = NULL;
    *out = (explore_result){.complete = true};
    sl_status status = sl_sda_run_create(a, q0, &x.def->run, &run);
    while (status == SL_OK && run) {
        go_on(&x, run);
        bool full = out->n_step >= x.def->most_steps || out->n_execution >= x.def->max_executions;
        bool ended = run->state != SL_SDA_RUNNING && run->state != SL_SDA_CHOICE;
        if (run->state == SL_SDA_FAILED) {
            status = SL_ERR_MEMORY;
        } else if (full) {
            out->complete = false;
            break;
        } else if (ended) {
            out->complete = out->complete && run->state != SL_SDA_BOUND && run->state != SL_SDA_GAVE_UP;
            out->n_execution++;
            if (!seen(user, run)) {
                out->complete = false;
                break;
            }
        } else {
            status = branch(&x, run);
            run = NULL;
        }
        sl_sda_run_destroy(run);
        run = status == SL_OK ? take(&x) : NULL;
    }
    sl_sda_run_destroy(run);
    while ((run = take(&x)) != NULL) {
        sl_sda_run_destroy(run);
    }
    SL_ARRAY_FINI(a->ctx, &x.open);
    return status;
}
