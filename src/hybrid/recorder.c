/* SPDX-License-Identifier: MIT */
/* recorder.c: see recorder.h. A piece that changed nothing is no event, but for the beginning, crossings and discrete executions
 * that made steps. Within an instant events are in the order of the pieces, within a piece continuous variables come first, and
 * variables in their order. */
#include "hybrid/recorder.h"

#include "hybrid/engine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_variable(const void *a, const void *b) {
    int32_t x = ((const sl_hybrid_change *)a)->j, y = ((const sl_hybrid_change *)b)->j;
    return (x > y) - (x < y);
}

/* In the order of variables. */
static sl_status take_changes(sl_hybrid_recorder *r, const sl_hybrid_change *changes, int32_t n) {
    if (!SL_RESERVE(r->log.ctx, &r->changes, n + 1)) {
        return SL_ERR_MEMORY;
    }
    if (n > 0) {
        memcpy(r->changes.at, changes, (size_t)n * sizeof *changes);
        qsort(r->changes.at, (size_t)n, sizeof *changes, by_variable);
    }
    r->changes.n = n;
    return SL_OK;
}

static void name_causes(sl_hybrid_recorder *r, const sl_hybrid *h, sl_hybrid_event event, int32_t j) {
    if (r->ops->causes) {
        r->ops->causes(sl_hybrid_instance(h), (int)event, j, r->q, sl_event_log_name, &r->log);
    }
}

/* The discrete state before the last piece: that after the one before, which need not be copied. */
static void go_back(sl_hybrid_recorder *r, const sl_hybrid *h) {
    if (!r->follows) {
        memcpy(r->q, sl_hybrid_q(h), (size_t)r->n_q * sizeof *r->q);
    }
    for (int64_t k = 0; k < r->changes.n; k++) {
        r->q[r->changes.at[k].j] = (int32_t)r->changes.at[k].from;
    }
}

static void go_on(sl_hybrid_recorder *r, const sl_hybrid *h) {
    for (int64_t k = 0; k < r->changes.n; k++) {
        r->q[r->changes.at[k].j] = sl_hybrid_q(h)[r->changes.at[k].j];
    }
    r->follows = true;
}

static sl_status add_discrete(sl_hybrid_recorder *r, const sl_hybrid *h, double t, sl_hybrid_event event,
                              const char *kind) {
    int32_t n;
    const sl_hybrid_change *changes = sl_hybrid_q_changes(h, &n);
    sl_status status = take_changes(r, changes, n);
    if (status == SL_OK && n > 0) {
        go_back(r, h);
    }
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        int32_t j = r->changes.at[k].j;
        name_causes(r, h, event, j);
        sl_event_log_add(&r->log, (sl_engine_event){.time = t,
                                                    .kind = kind,
                                                    .of = SL_HYBRID_CLASS_DISCRETE,
                                                    .index = j,
                                                    .field = SL_HYBRID_STATE,
                                                    .from = r->changes.at[k].from,
                                                    .to = sl_hybrid_q(h)[j]});
    }
    if (status == SL_OK && n > 0) {
        go_on(r, h);
    }
    return status;
}

/* Changes by actions, or because values had to be made consistent: of the latter those that are more than an error of the
 * integrator. */
static sl_status add_continuous(sl_hybrid_recorder *r, const sl_hybrid *h, double t, bool actions) {
    int32_t n;
    const sl_hybrid_change *changes = sl_hybrid_x_changes(h, &n);
    sl_status status = take_changes(r, changes, n);
    for (int32_t k = 0; k < n && status == SL_OK; k++) {
        int32_t j = r->changes.at[k].j;
        double from = r->changes.at[k].from, to = j < r->n_x ? sl_hybrid_x_now(h, j) : from;
        if (to == from) {
            continue;
        }
        if (actions) {
            name_causes(r, h, SL_HYBRID_ACTION, j);
        }
        bool acted = actions && (!r->ops->causes || r->log.n_named > 0);
        if (acted || fabs(to - from) > r->rtol * fabs(to) + r->atol) {
            sl_event_log_add(&r->log, (sl_engine_event){.time = t,
                                                        .kind = acted ? "action" : "init",
                                                        .of = SL_HYBRID_CLASS_VARIABLE,
                                                        .index = j,
                                                        .field = SL_HYBRID_VALUE,
                                                        .from = from,
                                                        .to = to});
        }
    }
    return status;
}

static sl_status add_init(sl_hybrid_recorder *r, const sl_hybrid *h, double t) {
    int64_t before = r->log.events.n;
    sl_status status = add_continuous(r, h, t, false);
    if (!r->begun && r->log.events.n == before) {
        sl_event_log_add_plain(&r->log, t, "init");
    }
    r->begun = true;
    return status;
}

sl_status sl_hybrid_recorder_after(sl_hybrid_recorder *r, const sl_hybrid *h, const sl_hybrid_info *info) {
    sl_status status = SL_OK;
    switch ((int)info->event) {
    case SL_HYBRID_INIT: return add_init(r, h, info->t);
    case SL_HYBRID_ROOT: return add_discrete(r, h, info->t, SL_HYBRID_ROOT, "root");
    case SL_HYBRID_TRANSITION: return add_discrete(r, h, info->t, SL_HYBRID_TRANSITION, "transition");
    case SL_HYBRID_ACTION:
        status = add_continuous(r, h, info->t, true);
        return status == SL_OK ? add_discrete(r, h, info->t, SL_HYBRID_ROOT, "root") : status;
    case SL_HYBRID_SETTLED:
        if (info->i > 0) {
            sl_event_log_add_plain(&r->log, info->t, "settled");
        }
        return SL_OK;
    default: return SL_OK;
    }
}

void sl_hybrid_recorder_moved(sl_hybrid_recorder *r, const sl_hybrid *h, const sl_hybrid_info *info) {
    int32_t n = 0;
    const int8_t *fired = info->event == SL_HYBRID_CROSSING ? sl_hybrid_fired(h, &n) : NULL;
    for (int32_t i = 0; fired && i < n; i++) {
        if (fired[i] && r->ops->root_name) {
            sl_event_log_name(&r->log, r->ops->root_name(sl_hybrid_instance(h), i));
        }
    }
    if (fired) {
        sl_event_log_add_plain(&r->log, info->t, "crossing");
    }
}
