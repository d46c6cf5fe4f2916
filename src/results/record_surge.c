/* SPDX-License-Identifier: MIT */
/* record_surge.c: pressure waves in results: openings of valves, heads along routes over time, and at the end the envelope of every grid
 * point, the extremes of nodes, the grid and the balances (docs/reference/surge-results.md).
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "results/display_units.h"
#include "results/record.h"

typedef struct surge {
    double length, volume; /* SI of one shown unit */
    const char *length_name, *volume_name;
} surge;

/* ---- Before the run ----------------------------------------------------------------------------- */

static sl_status fits(const sl_recorder *r, bool *out) {
    sl_surge_grid grid = {.size = sizeof grid};
    sl_status status = r->net ? sl_model_surge_grid(sl_session_model(r->session), &grid) : SL_ERR_USE;
    *out = status == SL_OK;
    return status == SL_ERR_MEMORY ? status : SL_OK;
}

/* Valves have an opening that says something; of other links it is there when asked for. */
static sl_status add_valves(sl_recorder *r) {
    const sl_record_group *links = sl_record_find_group(r, "link");
    int32_t field = sl_engine_find_full(r->ops, "link.opening"), first = r->net->n_pipe + r->net->n_pump, n = 0;
    if (!links || field < 0 || r->net->n_valve == 0 || sl_record_find_group(r, "valve")) {
        return SL_OK;
    }
    size_t size = (size_t)r->net->n_valve;
    const char **ids = sl_arena_alloc(&r->arena, size * sizeof *ids);
    int32_t *order = sl_arena_alloc(&r->arena, size * sizeof *order);
    for (int32_t i = 0; ids && order && i < links->shown.n; i++) {
        int32_t link = links->order ? links->order[i] : i;
        if (link >= first) {
            ids[n] = links->shown.ids[i];
            order[n++] = link;
        }
    }
    const sl_results_group shown = {.name = "valve", .meaning = "valves", .among = "link", .n = n, .ids = ids};
    sl_record_group *g = ids && order ? sl_record_add_group(r, &shown, order) : NULL;
    const sl_record_quantity q = {
        .column = {.name = "opening", .unit = "", .meaning = r->ops->fields[field].meaning},
        .fields = {field, -1},
        .slots = {-1, -1},
        .by = 1.0,
        .usual = true,
    };
    return g && SL_PUSH(r->ctx, &g->quantities, q) ? SL_OK : SL_ERR_MEMORY;
}

static void show_heads(const sl_recorder *r, const sl_record_group *g, const sl_record_quantity *q,
                       const double *const x[2], double *to) {
    const sl_record_route *route = &r->routes[q->number];
    sl_surge_view view = {.size = sizeof view};
    (void)x;
    bool fine = sl_session_surge(r->session, &view) == SL_OK;
    for (int32_t i = 0; i < g->shown.n; i++) {
        to[i] = fine ? view.head[route->point[i]] * q->by : (double)NAN;
    }
}

/* Points of one route are numbered: their ids say the pipe and the chainage, twice where pipes meet. */
static const char **name_points(sl_recorder *r, const sl_record_route *route) {
    const char **ids = sl_arena_alloc(&r->arena, (size_t)route->n * sizeof *ids);
    for (int32_t i = 0; ids && i < route->n; i++) {
        ids[i] = sl_arena_format(&r->arena, "%d", (int)i + 1);
        ids = ids[i] ? ids : NULL;
    }
    return ids;
}

/* The heads along a route are a profile: a group whose elements have a distance. */
static sl_status add_route(sl_recorder *r, int32_t number) {
    const sl_record_route *route = &r->routes[number];
    const surge *k = r->known;
    size_t n = (size_t)route->n;
    const char **ids = name_points(r, route);
    double *distance = sl_arena_alloc(&r->arena, n * sizeof *distance);
    double *ground = sl_arena_alloc(&r->arena, n * sizeof *ground);
    sl_results_column *facts = sl_arena_alloc(&r->arena, 3 * sizeof *facts);
    const char *name = sl_arena_format(&r->arena, "route %s", route->name);
    if (!ids || !distance || !ground || !facts || !name) {
        return SL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        distance[i] = route->distance[i] / k->length;
        ground[i] = route->elevation[i] / k->length;
    }
    facts[0] =
        (sl_results_column){.name = "distance", .unit = k->length_name, .meaning = "along the route", .real = distance};
    facts[1] = (sl_results_column){.name = "elevation", .unit = k->length_name, .meaning = "elevation", .real = ground};
    facts[2] = (sl_results_column){.name = "pipe", .unit = "", .meaning = "pipe of the point", .text = route->pipe};
    const sl_results_group shown = {.name = name,
                                    .meaning = "points along a route",
                                    .along = "distance",
                                    .n = route->n,
                                    .ids = ids,
                                    .n_fact = 3,
                                    .facts = facts};
    sl_record_group *g = sl_record_add_group(r, &shown, NULL);
    const sl_record_quantity q = {
        .column = {.name = "head", .unit = k->length_name, .meaning = "piezometric head"},
        .fields = {-1, -1},
        .slots = {-1, -1},
        .by = 1.0 / k->length,
        .show = show_heads,
        .number = number,
        .usual = true,
    };
    return g && SL_PUSH(r->ctx, &g->quantities, q) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status arrange(sl_recorder *r) {
    surge *k = sl_arena_alloc(&r->arena, sizeof *k);
    if (!k) {
        return SL_ERR_MEMORY;
    }
    const sl_display_units shown = sl_display_units_of(r->net);
    *k = (surge){r->def.si ? 1.0 : shown.length.factor, r->def.si ? 1.0 : shown.volume.factor,
                 r->def.si ? "m" : shown.length.name, r->def.si ? "m3" : shown.volume.name};
    r->known = k;
    sl_status status = sl_record_network_facts(r);
    status = status == SL_OK ? add_valves(r) : status;
    for (int32_t i = 0; i < r->n_route && status == SL_OK; i++) {
        status = add_route(r, i);
    }
    return status;
}

/* ---- Envelopes ---------------------------------------------------------------------------------- */

/* One array over points, those of a list (NULL: all), in shown units. NULL: x is, or out of memory. */
static const double *gather(sl_recorder *r, const double *x, const int64_t *point, int64_t n, double unit) {
    double *to = x ? sl_arena_alloc(&r->arena, (size_t)n * sizeof *to) : NULL;
    for (int64_t i = 0; to && i < n; i++) {
        to[i] = x[point ? point[i] : i] / unit;
    }
    return to;
}

static const char **pipes_of_points(sl_recorder *r, const sl_surge_view *v) {
    const char **pipe = sl_arena_alloc(&r->arena, (size_t)v->n_point * sizeof *pipe);
    for (int32_t p = 0; pipe && p < r->net->n_pipe; p++) {
        const char *id = sl_results_text(&r->arena, sl_network_link_id(r->net, p));
        for (int64_t i = v->point_start[p]; i < v->point_start[p + 1]; i++) {
            pipe[i] = id;
        }
        pipe = id ? pipe : NULL;
    }
    return pipe;
}

sl_status sl_record_envelope(sl_recorder *r, const char *name, const sl_record_route *route) {
    enum { N_MAX = 14 };
    const surge *k = r->known;
    sl_surge_view v = {.size = sizeof v};
    sl_results_column c[N_MAX];
    sl_status known = sl_session_surge(r->session, &v);
    if (known != SL_OK) {
        return known;
    }
    const struct {
        const char *name, *unit, *meaning;
        const double *x;
        double factor;
    } all[] = {
        {"chainage", k->length_name, "distance from the pipe's first node", v.chainage, k->length},
        {"elevation", k->length_name, "elevation", v.elevation, k->length},
        {"head_start", k->length_name, "head at the steady start", v.head_start, k->length},
        {"head_max", k->length_name, "highest head", v.head_max, k->length},
        {"time_max", "s", "when it was first reached", v.time_max, 1.0},
        {"head_min", k->length_name, "lowest head", v.head_min, k->length},
        {"time_min", "s", "when it was first reached", v.time_min, 1.0},
        {"vapour_head", k->length_name, "head at which water turns to vapour", v.vapour_head, k->length},
        {"cavity_max", k->volume_name, "largest cavity", v.cavity_max, k->volume},
        {"cavity_first", "s", "when the first cavity opened", v.cavity_first, 1.0},
        {"cavity_time", "s", "how long there was one", v.cavity_time, 1.0},
        {"collapses", "", "how often one collapsed", v.cavity_count, 1.0},
    };
    int64_t n = route ? route->n : v.n_point;
    int32_t n_column = 0;
    const char *const *pipe = route ? route->pipe : pipes_of_points(r, &v);
    bool fine = pipe != NULL;
    if (route) {
        const double *x = gather(r, route->distance, NULL, n, k->length);
        c[n_column++] =
            (sl_results_column){.name = "distance", .unit = k->length_name, .meaning = "along the route", .real = x};
        fine = fine && x;
    }
    c[n_column++] = (sl_results_column){.name = "pipe", .unit = "", .meaning = "pipe of the point", .text = pipe};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double *x = gather(r, all[i].x, route ? route->point : NULL, n, all[i].factor);
        fine = fine && (x || !all[i].x);
        if (x) {
            c[n_column++] =
                (sl_results_column){.name = all[i].name, .unit = all[i].unit, .meaning = all[i].meaning, .real = x};
        }
    }
    const sl_results_table t = {.name = name,
                                .meaning = route ? "extremes along a route" : "extremes of every grid point",
                                .n = (int32_t)n,
                                .n_column = n_column,
                                .columns = c};
    return fine ? sl_record_add_table(r, &t) : SL_ERR_MEMORY;
}

/* ---- Nodes and pipes ---------------------------------------------------------------------------- */

/* A field of the session in the order of a group; NULL: there is none, or no memory. */
static const double *field_of(sl_recorder *r, const sl_record_group *g, const char *name, double unit) {
    int32_t n = 0;
    const double *x = sl_session_view(r->session, sl_session_field(r->session, name), &n);
    double *to = x && n == g->shown.n ? sl_arena_alloc(&r->arena, (size_t)n * sizeof *to) : NULL;
    for (int32_t i = 0; to && i < n; i++) {
        to[i] = x[g->order ? g->order[i] : i] / unit;
    }
    return to;
}

static sl_status add_nodes(sl_recorder *r) {
    enum { N_MAX = 6 };
    const surge *k = r->known;
    const sl_record_group *g = sl_record_find_group(r, "node");
    const struct {
        const char *field, *name, *unit, *meaning;
        double factor;
    } all[] = {
        {"node.head.max", "head_max", k->length_name, "highest head", k->length},
        {"node.time.max", "time_max", "s", "when it was first reached", 1.0},
        {"node.head.min", "head_min", k->length_name, "lowest head", k->length},
        {"node.time.min", "time_min", "s", "when it was first reached", 1.0},
        {"node.cavity.max", "cavity_max", k->volume_name, "largest cavity", k->volume},
    };
    if (!g) {
        return SL_OK;
    }
    sl_results_column c[N_MAX];
    sl_results_table t = {
        .name = "node_extremes", .meaning = "extremes of the nodes", .n = g->shown.n, .n_column = 1, .columns = c};
    c[0] = (sl_results_column){.name = "id", .unit = "", .meaning = "id of a node", .text = g->shown.ids};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const double *x = field_of(r, g, all[i].field, all[i].factor);
        if (x) {
            c[t.n_column++] =
                (sl_results_column){.name = all[i].name, .unit = all[i].unit, .meaning = all[i].meaning, .real = x};
        }
    }
    return sl_record_add_table(r, &t);
}

static sl_status add_grid(sl_recorder *r, const sl_surge_grid *grid) {
    enum { N = 7 };
    const surge *k = r->known;
    size_t n = (size_t)r->net->n_pipe;
    const char **id = sl_arena_alloc(&r->arena, n * sizeof *id);
    double *x = sl_arena_alloc(&r->arena, N * n * sizeof *x);
    bool fine = id && x;
    for (size_t p = 0; p < n && fine; p++) {
        const sl_surge_pipe *pipe = &grid->pipes[p];
        const double row[N] = {r->net->pipe_length[p] / k->length,
                               pipe->wave_speed,
                               pipe->wave_speed_used,
                               pipe->distortion,
                               (double)pipe->n_reach,
                               pipe->reach / k->length,
                               pipe->courant};
        id[p] = sl_results_text(&r->arena, sl_network_link_id(r->net, (int32_t)p));
        fine = id[p] != NULL;
        for (size_t i = 0; i < N; i++) {
            x[i * n + p] = row[i];
        }
    }
    if (!fine || n == 0) {
        return fine ? SL_OK : SL_ERR_MEMORY;
    }
    const sl_results_column c[N + 1] = {
        {.name = "id", .unit = "", .meaning = "id of a pipe", .text = id},
        {.name = "length", .unit = k->length_name, .meaning = "length", .real = x},
        {.name = "wave_speed_given", .unit = "m/s", .meaning = "wave speed asked for", .real = x + n},
        {.name = "wave_speed", .unit = "m/s", .meaning = "wave speed used", .real = x + 2 * n},
        {.name = "distortion", .unit = "", .meaning = "relative change of the wave speed", .real = x + 3 * n},
        {.name = "reaches", .unit = "", .meaning = "number of reaches", .real = x + 4 * n},
        {.name = "reach", .unit = k->length_name, .meaning = "length of a reach", .real = x + 5 * n},
        {.name = "courant", .unit = "", .meaning = "Courant number", .real = x + 6 * n},
    };
    const sl_results_table t = {
        .name = "grid", .meaning = "the grid of the pipes", .n = (int32_t)n, .n_column = N + 1, .columns = c};
    return sl_record_add_table(r, &t);
}

/* ---- The end ------------------------------------------------------------------------------------ */

static bool add_number(sl_recorder *r, const char *name, double x) {
    const sl_results_attribute a = {.name = name, .number = x};
    return SL_PUSH(r->ctx, &r->end_attributes, a);
}

/* Balances and alarms are fields of the model as a whole. */
static sl_status add_balances(sl_recorder *r) {
    bool fine = true;
    for (int32_t i = 0; i < r->ops->n_field && fine; i++) {
        const sl_field *f = &r->ops->fields[i];
        bool balance = strncmp(f->name, "balance.", 8) == 0 || strncmp(f->name, "energy.", 7) == 0 ||
                       strncmp(f->name, "alarm.", 6) == 0;
        const sl_var v = {.field = i};
        double x = 0.0; /* not by a view: that there is none does not say why */
        sl_status got = f->of == SL_CLASS_MODEL && balance ? sl_session_get(r->session, &v, 1, &x) : SL_ERR_USE;
        fine = got == SL_OK ? add_number(r, f->name, x) : got != SL_ERR_MEMORY;
    }
    return fine ? SL_OK : SL_ERR_MEMORY;
}

static sl_status end(sl_recorder *r, bool complete) {
    sl_surge_grid grid = {.size = sizeof grid};
    (void)complete;
    sl_status status = sl_model_surge_grid(sl_session_model(r->session), &grid);
    status = status == SL_OK ? sl_record_envelope(r, "points", NULL) : status;
    status = status == SL_OK ? add_nodes(r) : status;
    status = status == SL_OK ? add_grid(r, &grid) : status;
    status = status == SL_OK && !add_number(r, "dt_s", grid.dt) ? SL_ERR_MEMORY : status;
    return status == SL_OK ? add_balances(r) : status;
}

const sl_record_style sl_record_surge = {.fits = fits, .arrange = arrange, .end = end, .at_report_times = true};
