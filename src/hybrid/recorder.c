/* SPDX-License-Identifier: MIT */
/* recorder.c: see recorder.h. A piece that changed nothing is no event, but for the beginning, crossings and discrete executions
 * that made steps. Within an instant events are in the order of the pieces, within a piece continuous variables come first, and
 * variables in their order. */
#include "hybrid/recorder.h"

#include "hybrid/engine.h"

#include <math.h>
#include <string.h>

void sl_hybrid_recorder_before(sl_hybrid_recorder *r, const sl_hybrid *h) {
    memcpy(r->x, sl_hybrid_x(h), (size_t)r->n_x * sizeof *r->x);
    memcpy(r->q, sl_hybrid_q(h), (size_t)r->n_q * sizeof *r->q);
}

static void name_causes(sl_hybrid_recorder *r, const sl_hybrid *h, sl_hybrid_event event, int32_t j) {
    if (r->ops->causes) {
        r->ops->causes(sl_hybrid_instance(h), (int)event, j, r->q, sl_event_log_name, &r->log);
    }
}

static void add_discrete(sl_hybrid_recorder *r, const sl_hybrid *h, double t, sl_hybrid_event event, const char *kind) {
    const int32_t *q = sl_hybrid_q(h);
    for (int32_t j = -1; (j = sl_next_change(q, r->q, j + 1, r->n_q)) < r->n_q;) {
        name_causes(r, h, event, j);
        sl_event_log_add(&r->log, (sl_engine_event){.time = t,
                                                    .kind = kind,
                                                    .of = SL_HYBRID_CLASS_DISCRETE,
                                                    .index = j,
                                                    .field = SL_HYBRID_STATE,
                                                    .from = r->q[j],
                                                    .to = q[j]});
    }
}

/* Changes by actions, or because values had to be made consistent: of the latter those that are more than an error of the
 * integrator. */
static void add_continuous(sl_hybrid_recorder *r, const sl_hybrid *h, double t, bool actions) {
    const double *x = sl_hybrid_x(h);
    for (int32_t j = 0; j < r->n_x; j++) {
        if (x[j] == r->x[j]) {
            continue;
        }
        if (actions) {
            name_causes(r, h, SL_HYBRID_ACTION, j);
        }
        bool acted = actions && (!r->ops->causes || r->log.n_named > 0);
        if (acted || fabs(x[j] - r->x[j]) > r->rtol * fabs(x[j]) + r->atol) {
            sl_event_log_add(&r->log, (sl_engine_event){.time = t,
                                                        .kind = acted ? "action" : "init",
                                                        .of = SL_HYBRID_CLASS_VARIABLE,
                                                        .index = j,
                                                        .field = SL_HYBRID_VALUE,
                                                        .from = r->x[j],
                                                        .to = x[j]});
        }
    }
}

static void add_init(sl_hybrid_recorder *r, const sl_hybrid *h, double t) {
    int64_t before = r->log.events.n;
    add_continuous(r, h, t, false);
    if (!r->begun && r->log.events.n == before) {
        sl_event_log_add_plain(&r->log, t, "init");
    }
    r->begun = true;
}

void sl_hybrid_recorder_after(sl_hybrid_recorder *r, const sl_hybrid *h, const sl_hybrid_info *info) {
    switch ((int)info->event) {
    case SL_HYBRID_INIT: add_init(r, h, info->t); break;
    case SL_HYBRID_ROOT: add_discrete(r, h, info->t, SL_HYBRID_ROOT, "root"); break;
    case SL_HYBRID_TRANSITION: add_discrete(r, h, info->t, SL_HYBRID_TRANSITION, "transition"); break;
    case SL_HYBRID_ACTION:
        add_continuous(r, h, info->t, true);
        add_discrete(r, h, info->t, SL_HYBRID_ROOT, "root");
        break;
    case SL_HYBRID_SETTLED:
        if (info->i > 0) {
            sl_event_log_add_plain(&r->log, info->t, "settled");
        }
        break;
    default: break;
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
