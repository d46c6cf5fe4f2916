/* SPDX-License-Identifier: MIT */
/* surge_digest.c: the digest of a surge run: limits and alarms first, then where it is highest and lowest over all points, cavities,
 * and how it was computed; see surge.h and digest.h. */
#include <math.h>
#include <stdlib.h>

#include "results/surge.h"

static const double none = NAN;

static sl_digest_point point_of(const sl_surge_outcome *r, double value, double time, int32_t node, int32_t pipe,
                                double chainage) {
    sl_digest_point p = {.value = value, .time = time, .chainage = none};
    if (node >= 0) {
        p.kind = "node";
        p.id = sl_network_node_id(r->net, node);
    } else if (pipe >= 0) {
        p.kind = "pipe";
        p.id = sl_network_link_id(r->net, pipe);
        p.chainage = chainage;
    }
    return p;
}

static sl_digest_point point_of_verdict(const sl_surge_outcome *r, const sl_surge_verdict *v) {
    return point_of(r, v->value, v->time, v->node, v->pipe, v->chainage);
}

/* ---- Limits and alarms -------------------------------------------------------------------------- */

static void add_limits(const sl_surge_outcome *r, sl_digest *d) {
    static const struct {
        const char *key, *words;
    } bounds[SL_SURGE_BOUND_COUNT] = {{"pressure_max_m", "pressure at most"},
                                      {"pressure_min_m", "pressure at least"},
                                      {"cavity_max_m3", "cavity at most"}};
    sl_digest_list(d, SL_DIGEST_LIMITS, "limits", "Limits", "limit");
    for (int32_t i = 0; i < r->study->n_limit; i++) {
        const sl_study_limit *l = &r->study->limits[i];
        const double allowed[] = {l->pressure_max, l->pressure_min, l->cavity_max};
        for (int b = 0; b < SL_SURGE_BOUND_COUNT; b++) {
            sl_surge_verdict v;
            if (sl_surge_check_limit(r, l, (sl_surge_bound)b, &v)) {
                sl_digest_point worst = point_of_verdict(r, &v);
                sl_digest_limit(d, bounds[b].key, bounds[b].words, allowed[b],
                                b == SL_SURGE_CAVITY ? r->shown.volume : r->shown.pressure, v.kept, &worst);
            }
        }
    }
}

static void add_alarms(const sl_surge_outcome *r, sl_digest *d) {
    sl_digest_list(d, SL_DIGEST_LIMITS, "alarms", "Alarms", "alarm");
    for (int i = 0; i < SL_SURGE_ALARM_COUNT; i++) {
        const sl_surge_alarm_state *a = &r->view.alarms[i];
        if (a->count == 0) {
            continue;
        }
        const char *word = sl_surge_alarm_word((sl_surge_alarm)i), *meaning = sl_surge_alarm_meaning((sl_surge_alarm)i);
        sl_digest_point p = point_of(r, a->worst, a->time, a->node, a->pipe, a->chainage);
        sl_digest_row(d, NULL);
        sl_digest_text(
            d, "alarm", word,
            sl_digest_format(d, "%s in %lld steps from %s on", word, (long long)a->count, sl_digest_time(d, a->first)));
        sl_digest_text(d, "meaning", meaning, NULL);
        sl_digest_whole(d, "steps", a->count, NULL);
        sl_digest_number(d, "first_s", a->first, NULL);
        sl_digest_number(
            d, "worst", a->worst,
            sl_digest_format(d, "worst %.3g%s%s", a->worst, sl_digest_where(d, &p), sl_digest_when(d, a->time)));
        sl_digest_number(d, "time_s", a->time, NULL);
        if (p.kind) {
            sl_digest_text(d, p.kind, p.id, NULL);
            sl_digest_number(d, "chainage_m", p.chainage, NULL);
        }
        sl_digest_words(d, sl_digest_format(d, "\n%s", meaning));
    }
}

/* ---- The highest and the lowest ----------------------------------------------------------------- */

/* Over every junction and every point of every pipe: a limit without elements looks at all of them. */
static void add_extremes(const sl_surge_outcome *r, sl_digest *d) {
    static const sl_study_limit everywhere = {.pressure_max = 0.0, .pressure_min = 0.0, .cavity_max = 0.0};
    sl_digest_point p[SL_SURGE_BOUND_COUNT];
    for (int b = 0; b < SL_SURGE_BOUND_COUNT; b++) {
        sl_surge_verdict v;
        (void)sl_surge_check_limit(r, &everywhere, (sl_surge_bound)b, &v);
        p[b] = point_of_verdict(r, &v);
    }
    sl_digest_extreme(d, "pressure", "m", "Pressure", r->shown.pressure, &p[SL_SURGE_LOWEST], &p[SL_SURGE_HIGHEST]);
    p[SL_SURGE_CAVITY].value = p[SL_SURGE_CAVITY].value > 0.0 ? p[SL_SURGE_CAVITY].value : none;
    sl_digest_extreme(d, "cavity", "m3", "Cavity", r->shown.volume, NULL, &p[SL_SURGE_CAVITY]);
}

/* A junction, or a point within a pipe that goes beyond both its ends. */
typedef struct spot {
    double pressure, head, time;
    int32_t node, pipe; /* one is -1 */
    double chainage;
} spot;

static int by_pressure(const void *a, const void *b) {
    const spot *x = a, *y = b;
    return x->pressure != y->pressure ? (x->pressure > y->pressure) - (x->pressure < y->pressure)
           : x->node != y->node       ? (x->node > y->node) - (x->node < y->node)
                                      : x->pipe - y->pipe;
}

/* The worst point of a pipe. */
static spot worst_of_pipe(const sl_surge_outcome *r, int32_t pipe, bool high, bool *inside) {
    const sl_surge_view *w = &r->view;
    const double *head = high ? w->head_max : w->head_min, *time = high ? w->time_max : w->time_min;
    int64_t first = w->point_start[pipe], last = w->point_start[pipe + 1] - 1, worst = first;
    for (int64_t i = first; i <= last; i++) {
        double x = head[i] - w->elevation[i], best = head[worst] - w->elevation[worst];
        worst = (high ? x > best : x < best) ? i : worst;
    }
    double end = head[last] - w->elevation[last], x = head[worst] - w->elevation[worst];
    *inside = worst > first && worst < last && (high ? x > end : x < end); /* an end as high is the node's */
    return (spot){head[worst] - w->elevation[worst], head[worst], time[worst], -1, pipe, w->chainage[worst]};
}

static void put_spot(const sl_surge_outcome *r, sl_digest *d, const spot *s) {
    sl_digest_point p = point_of(r, s->pressure, s->time, s->node, s->pipe, s->chainage);
    sl_digest_row(d, NULL);
    sl_digest_words(d, sl_digest_format(d, "%s (head %s)%s%s", sl_digest_display(d, s->pressure, r->shown.pressure),
                                        sl_digest_display(d, s->head, r->shown.length), sl_digest_where(d, &p),
                                        sl_digest_when(d, s->time)));
}

/* For people: JSON has nodes and pipes one by one. */
static void list_spots(const sl_surge_outcome *r, sl_digest *d, bool high) {
    const double *head = high ? r->head_max : r->head_min, *time = high ? r->time_max : r->time_min;
    int32_t n = 0, room = r->net->n_junction + r->net->n_pipe;
    spot *spots = head && room > 0 ? sl_alloc(r->ctx, (size_t)room * sizeof *spots) : NULL;
    if (!spots) {
        d->status = head && room > 0 ? SL_ERR_MEMORY : d->status;
        return;
    }
    for (int32_t i = 0; i < r->net->n_junction; i++) {
        spots[n++] = (spot){head[i] - r->net->node_elevation[i], head[i], time ? time[i] : none, i, -1, none};
    }
    for (int32_t i = 0; i < r->net->n_pipe; i++) {
        bool inside = false;
        spot s = worst_of_pipe(r, i, high, &inside);
        if (inside) {
            spots[n++] = s;
        }
    }
    qsort(spots, (size_t)n, sizeof *spots, by_pressure);
    sl_digest_list(d, SL_DIGEST_EXTREMES, NULL, high ? "Highest" : "Lowest", "point");
    for (int32_t k = 0; k < n && k < d->rows_max; k++) {
        put_spot(r, d, &spots[high ? n - 1 - k : k]);
    }
    sl_digest_more(d, n > d->rows_max ? n - d->rows_max : 0);
    sl_free(r->ctx, spots, (size_t)room * sizeof *spots);
}

static void add_nodes(const sl_surge_outcome *r, sl_digest *d) {
    sl_digest_list(d, SL_DIGEST_SECTIONS, "nodes", NULL, NULL);
    for (int32_t i = 0; i < r->net->n_node; i++) {
        sl_digest_row(d, NULL);
        sl_digest_text(d, "id", sl_network_node_id(r->net, i), NULL);
        sl_digest_number(d, "elevation_m", r->net->node_elevation[i], NULL);
        sl_digest_number(d, "head_max_m", r->head_max ? r->head_max[i] : none, NULL);
        sl_digest_number(d, "time_max_s", r->time_max ? r->time_max[i] : none, NULL);
        sl_digest_number(d, "head_min_m", r->head_min ? r->head_min[i] : none, NULL);
        sl_digest_number(d, "time_min_s", r->time_min ? r->time_min[i] : none, NULL);
        sl_digest_number(d, "cavity_max_m3", r->cavity_max ? r->cavity_max[i] : 0.0, NULL);
    }
}

/* Extremes over the points of each pipe, and its cavities. */
static void add_pipes(const sl_surge_outcome *r, sl_digest *d) {
    sl_digest_list(d, SL_DIGEST_SECTIONS, "pipes", NULL, NULL);
    for (int32_t i = 0; i < r->net->n_pipe; i++) {
        bool inside = false;
        spot high = worst_of_pipe(r, i, true, &inside), low = worst_of_pipe(r, i, false, &inside);
        sl_digest_row(d, NULL);
        sl_digest_text(d, "id", sl_network_link_id(r->net, i), NULL);
        sl_digest_number(d, "pressure_max_m", high.pressure, NULL);
        sl_digest_number(d, "chainage_max_m", high.chainage, NULL);
        sl_digest_number(d, "time_max_s", high.time, NULL);
        sl_digest_number(d, "pressure_min_m", low.pressure, NULL);
        sl_digest_number(d, "chainage_min_m", low.chainage, NULL);
        sl_digest_number(d, "time_min_s", low.time, NULL);
    }
}

/* What a pipe and a node tell alike. */
static void put_cavity(sl_digest *d, const sl_surge_outcome *r, const char *kind, const char *id,
                       const sl_surge_cavities *c) {
    bool pipe = !isnan(c->chainage);
    const char *volume = sl_digest_display(d, c->volume, r->shown.volume);
    sl_digest_row(d, NULL);
    sl_digest_text(d, kind, id, sl_digest_format(d, "%s %s: column separation", kind, id));
    sl_digest_number(d, "first_s", c->first, sl_digest_format(d, "first at %s", sl_digest_time(d, c->first)));
    sl_digest_number(
        d, "volume_max_m3", c->volume,
        pipe ? sl_digest_format(d, "largest %s at %s", volume, sl_digest_display(d, c->chainage, r->shown.length))
             : sl_digest_format(d, "largest %s", volume));
    if (pipe) {
        sl_digest_number(d, "chainage_m", c->chainage, NULL);
    }
    sl_digest_number(d, "longest_s", c->longest, sl_digest_format(d, "open for %.3g s", c->longest));
    sl_digest_number(d, "collapses", c->collapses,
                     sl_digest_format(d, "%.0f collapse%s", c->collapses, c->collapses == 1.0 ? "" : "s"));
}

static void add_cavities(const sl_surge_outcome *r, sl_digest *d) {
    const sl_surge_view *w = &r->view;
    sl_digest_list(d, SL_DIGEST_SECTIONS, "cavities", "Cavities", "element");
    for (int32_t i = 0; i < r->net->n_node && w->node_cavity_first; i++) {
        sl_surge_cavities c = {.volume = w->node_cavity_max[i],
                               .chainage = none,
                               .first = w->node_cavity_first[i],
                               .longest = w->node_cavity_time[i],
                               .collapses = w->node_cavity_count[i]};
        if (!isnan(c.first)) {
            put_cavity(d, r, "node", sl_network_node_id(r->net, i), &c);
        }
    }
    for (int32_t i = 0; i < r->net->n_pipe; i++) {
        sl_surge_cavities c;
        if (sl_surge_cavities_of(r, i, &c)) {
            put_cavity(d, r, "pipe", sl_network_link_id(r->net, i), &c);
        }
    }
}

/* ---- How it was computed ------------------------------------------------------------------------ */

static void add_grid(const sl_surge_outcome *r, sl_digest *d) {
    const sl_surge_grid *g = &r->grid;
    const sl_surge_def *s = &r->study->def;
    bool changed = g->worst_pipe >= 0 && g->distortion_max > 0.0;
    const char *worst = changed ? sl_network_link_id(r->net, g->worst_pipe) : NULL;
    sl_digest_record(d, SL_DIGEST_RESIDUALS, "grid", "Grid");
    sl_digest_number(d, "dt_s", g->dt, sl_digest_format(d, "steps of %.6g s", g->dt));
    sl_digest_whole(d, "points", g->n_point,
                    sl_digest_format(d, "%lld points in %d pipe%s", (long long)g->n_point, (int)g->n_pipe,
                                     g->n_pipe == 1 ? "" : "s"));
    sl_digest_whole(d, "rigid_pipes", g->n_rigid,
                    g->n_rigid > 0 ? sl_digest_format(d, "%d of them rigid (too short for a wave)", (int)g->n_rigid)
                                   : NULL);
    sl_digest_number(d, "distortion_max", g->distortion_max,
                     changed ? sl_digest_format(d, "wave speeds changed by up to %.3g %% (pipe %s)",
                                                100.0 * g->distortion_max, worst)
                             : "wave speeds as asked for");
    sl_digest_text(d, "distortion_pipe", worst, NULL);
    sl_digest_record(d, SL_DIGEST_RESIDUALS, NULL, "Models");
    sl_digest_text(d, "friction", sl_surge_friction_word(s->friction),
                   sl_digest_format(d, "friction %s", sl_surge_friction_word(s->friction)));
    sl_digest_text(d, "cavitation", sl_surge_cavitation_word(s->cavitation),
                   sl_digest_format(d, "cavitation %s", sl_surge_cavitation_word(s->cavitation)));
    sl_digest_number(d, "start_s", s->start, NULL);
    if (s->friction == SL_SURGE_RTHYM_FILTER) {
        sl_digest_words(d,
                        "\nrthym-filter is no friction law: it adds energy. Use it to compare with that program only");
    }
}

/* Terms that are zero are left out in text but for the first two. */
static void add_water(const sl_surge_outcome *r, sl_digest *d) {
    const sl_surge_balance *b = &r->view.balance;
    const struct {
        const char *key, *words;
        double x;
    } rows[] = {{"inflow_m3", " in", b->inflow},
                {"outflow_m3", " out", b->outflow},
                {"demand_m3", " consumed", b->demand},
                {"outlets_m3", " by outlets", b->outlets},
                {"tanks_m3", " into tanks", b->tanks},
                {"spilled_m3", " overflowed", b->spilled},
                {"stored_m3", " into pipes", b->stored},
                {"cavities_m3", " of cavities", b->cavities},
                {"clamped_m3", " clamped", b->clamped},
                {"error_m3", NULL, b->error},
                {"scale_m3", NULL, b->scale}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool shown = rows[i].words && (i < 2 || rows[i].x != 0.0);
        sl_display_unit unit = {r->shown.volume.factor, i == 0 ? r->shown.volume.name : ""};
        sl_digest_number(d, rows[i].key, rows[i].x,
                         shown ? sl_digest_format(d, "%s%s", sl_digest_display(d, rows[i].x, unit), rows[i].words)
                               : NULL);
    }
    sl_digest_words(
        d, sl_digest_format(d, "; error %.2g of what moved", b->scale > 0.0 ? fabs(b->error) / b->scale : 0.0));
}

static void add_balance(const sl_surge_outcome *r, sl_digest *d) {
    const sl_surge_balance *b = &r->view.balance;
    sl_digest_record(d, SL_DIGEST_BALANCE, "balance", "Water");
    add_water(r, d);
    sl_digest_number(d, "kinetic_J", b->kinetic, NULL);
    sl_digest_number(d, "elastic_J", b->elastic, NULL);
    sl_digest_number(d, "energy_start_J", b->energy_start, NULL);
    sl_digest_number(d, "work_J", b->work, NULL);
    sl_digest_number(d, "friction_J", b->friction, NULL);
    sl_digest_record(d, SL_DIGEST_BALANCE, NULL, "Energy");
    sl_digest_words(
        d, sl_digest_format(d, "%.4g kJ at the start, %.4g kJ now, %.4g kJ by work, %.4g kJ lost to friction",
                            b->energy_start / 1e3, (b->kinetic + b->elastic) / 1e3, b->work / 1e3, b->friction / 1e3));
}

sl_status sl_surge_digest(const sl_surge_outcome *r, const sl_digest_events *events, int32_t rows, sl_digest *d) {
    double until = sl_session_end(r->session);
    sl_digest_head head = {.model = r->name,
                           .title = r->study->title,
                           .engine = sl_model_engine(r->model),
                           .clock = SL_DIGEST_SECONDS,
                           .end = r->view.time,
                           .until = until,
                           .complete = !(r->view.time < until),
                           .has_results = true,
                           .n_frame = -1};
    sl_digest_init(d, r->ctx, &head);
    d->length = r->shown.length;
    d->rows_max = rows;
    sl_digest_size(d, "nodes", r->net->n_node, "node");
    sl_digest_size(d, "links", r->net->n_link, "link");
    sl_digest_size(d, "points", r->grid.n_point, NULL);
    sl_digest_count(d, "steps", r->grid.n_step, "step");
    add_limits(r, d);
    add_alarms(r, d);
    add_extremes(r, d);
    list_spots(r, d, true);
    list_spots(r, d, false);
    add_cavities(r, d);
    add_nodes(r, d);
    add_pipes(r, d);
    sl_digest_put_events(d, events);
    if (r->study->def.balances) {
        add_balance(r, d);
    }
    add_grid(r, d);
    sl_digest_warnings(d, sl_session_diags(r->session));
    return d->status;
}
