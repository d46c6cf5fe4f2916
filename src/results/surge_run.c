/* SPDX-License-Identifier: MIT */
/* surge_run.c: a surge run when it is over: limits, cavities, the way along a route; see surge.h. */
#include <math.h>

#include "results/surge.h"

static const double *view_of(sl_session *s, const char *field) {
    int32_t n = 0;
    return sl_session_view(s, sl_session_field(s, field), &n);
}

sl_status sl_surge_outcome_init(sl_surge_outcome *r, sl_context *ctx, const char *name, const sl_study *study,
                                const sl_model *model, sl_session *session) {
    *r = (sl_surge_outcome){.ctx = ctx,
                            .name = name,
                            .net = study->net,
                            .study = study,
                            .model = model,
                            .session = session,
                            .shown = sl_display_units_of(study->net)};
    r->grid.size = sizeof r->grid;
    sl_status status = sl_model_surge_grid(model, &r->grid);
    if (status != SL_OK || !session) {
        return status;
    }
    r->view.size = sizeof r->view;
    status = sl_session_surge(session, &r->view);
    r->head_max = view_of(session, "node.head.max");
    r->head_min = view_of(session, "node.head.min");
    r->time_max = view_of(session, "node.time.max");
    r->time_min = view_of(session, "node.time.min");
    r->cavity_max = view_of(session, "node.cavity.max");
    return status;
}

/* ---- Limits ------------------------------------------------------------------------------------- */

/* Is this value worse than the worst so far? Takes it then. */
static bool worse(sl_surge_verdict *v, sl_surge_bound bound, double value, double time) {
    bool is = !isnan(value) && (isnan(v->value) || (bound == SL_SURGE_LOWEST ? value < v->value : value > v->value));
    if (is) {
        v->value = value;
        v->time = time;
    }
    return is;
}

static void inspect_node(const sl_surge_outcome *r, int32_t i, sl_surge_bound bound, sl_surge_verdict *v) {
    double z = r->net->node_elevation[i];
    const double *value[] = {r->head_max, r->head_min, r->cavity_max}, *time[] = {r->time_max, r->time_min, NULL};
    if (!value[bound] || sl_network_node_kind(r->net, i) != SL_JUNCTION) {
        return; /* what stands in a reservoir or a tank is no pressure of a pipe */
    }
    const double *first = r->view.node_cavity_first;
    double x = bound != SL_SURGE_CAVITY    ? value[bound][i] - z
               : first && !isnan(first[i]) ? value[bound][i]
                                           : 0.0; /* gas is no cavity */
    if (worse(v, bound, x, time[bound] ? time[bound][i] : (double)NAN)) {
        v->node = i;
        v->pipe = -1;
    }
}

static void inspect_pipe(const sl_surge_outcome *r, int32_t pipe, sl_surge_bound bound, sl_surge_verdict *v) {
    const sl_surge_view *w = &r->view;
    for (int64_t i = w->point_start[pipe]; i < w->point_start[pipe + 1]; i++) {
        double x = bound == SL_SURGE_HIGHEST                                        ? w->head_max[i] - w->elevation[i]
                   : bound == SL_SURGE_LOWEST                                       ? w->head_min[i] - w->elevation[i]
                   : w->cavity_max && w->cavity_first && !isnan(w->cavity_first[i]) ? w->cavity_max[i]
                                                                                    : 0.0;
        double time = bound == SL_SURGE_HIGHEST  ? w->time_max[i]
                      : bound == SL_SURGE_LOWEST ? w->time_min[i]
                                                 : (double)NAN;
        if (worse(v, bound, x, time)) {
            v->node = -1;
            v->pipe = pipe;
            v->chainage = w->chainage[i];
        }
    }
}

bool sl_surge_check_limit(const sl_surge_outcome *r, const sl_study_limit *limit, sl_surge_bound bound,
                          sl_surge_verdict *out) {
    double allowed = bound == SL_SURGE_HIGHEST  ? limit->pressure_max
                     : bound == SL_SURGE_LOWEST ? limit->pressure_min
                                                : limit->cavity_max;
    *out = (sl_surge_verdict){.value = (double)NAN, .time = (double)NAN, .node = -1, .pipe = -1};
    if (isnan(allowed)) {
        return false;
    }
    bool everywhere = limit->n_node == 0 && limit->n_pipe == 0;
    for (int32_t k = 0; k < (everywhere ? r->net->n_node : limit->n_node); k++) {
        inspect_node(r, everywhere ? k : limit->nodes[k], bound, out);
    }
    for (int32_t k = 0; k < (everywhere ? r->net->n_pipe : limit->n_pipe); k++) {
        inspect_pipe(r, everywhere ? k : limit->pipes[k], bound, out);
    }
    out->kept = isnan(out->value) || (bound == SL_SURGE_LOWEST ? out->value >= allowed : out->value <= allowed);
    return true;
}

int32_t sl_surge_broken(const sl_surge_outcome *r) {
    int32_t n = 0;
    for (int32_t i = 0; i < r->study->n_limit; i++) {
        bool kept = true;
        for (int b = 0; b < SL_SURGE_BOUND_COUNT; b++) {
            sl_surge_verdict v;
            kept = (!sl_surge_check_limit(r, &r->study->limits[i], (sl_surge_bound)b, &v) || v.kept) && kept;
        }
        n += !kept;
    }
    return n;
}

/* ---- Cavities ----------------------------------------------------------------------------------- */

bool sl_surge_cavities_of(const sl_surge_outcome *r, int32_t pipe, sl_surge_cavities *out) {
    const sl_surge_view *w = &r->view;
    *out = (sl_surge_cavities){.first = (double)NAN};
    /* Between its ends: those belong to nodes. */
    for (int64_t i = w->point_start[pipe] + 1; w->cavity_first && i < w->point_start[pipe + 1] - 1; i++) {
        if (isnan(w->cavity_first[i])) {
            continue;
        }
        if (isnan(out->first) || w->cavity_max[i] > out->volume) {
            out->volume = w->cavity_max[i];
            out->chainage = w->chainage[i];
        }
        out->first = isnan(out->first) ? w->cavity_first[i] : fmin(out->first, w->cavity_first[i]);
        out->longest = fmax(out->longest, w->cavity_time[i]);
    }
    out->collapses = w->pipe_joined ? w->pipe_joined[pipe] : 0.0;
    return !isnan(out->first);
}

/* ---- Along a route ------------------------------------------------------------------------------ */

int64_t sl_surge_along(const sl_surge_outcome *r, const sl_study_route *route, double *distance, int64_t *point) {
    const sl_surge_view *w = &r->view;
    double gone = 0.0;
    int64_t n = 0;
    for (int32_t k = 0; k < route->n; k++) {
        int32_t pipe = route->links[k];
        if (pipe >= r->net->n_pipe) {
            continue; /* pumps and valves have no length: the ends of their pipes show what they do */
        }
        int64_t first = w->point_start[pipe], last = w->point_start[pipe + 1] - 1;
        bool forth = route->nodes[k] == r->net->link_from[pipe];
        double length = r->net->pipe_length[pipe];
        for (int64_t i = 0; i <= last - first; i++, n++) {
            int64_t p = forth ? first + i : last - i;
            if (distance) {
                distance[n] = gone + (forth ? w->chainage[p] : length - w->chainage[p]);
                point[n] = p;
            }
        }
        gone += length;
    }
    return n;
}
