/* SPDX-License-Identifier: MIT */
/* profile_results.c: what a result gives for a profile: heads of the nodes of a line at a moment and their range over the run; of
 * pressure waves the envelope of every point of its pipes; or a group that is a profile by itself (heads along a route over time).
 */
#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/report.h"
#include "plot/profile.h"
#include "plot/route.h"

/* ---- Points ------------------------------------------------------------------------------------- */

enum { GROUND, HEAD, START, LOW, HIGH, VAPOUR, CAVITY, N_ARRAY };

typedef struct points {
    sl_picture *p;
    sl_route_graph graph;
    sl_route route;
    const sl_results_table *envelope; /* NULL: none */
    const sl_results_column *pipe, *chainage;
    const sl_results_column *column[N_ARRAY]; /* of the envelope; NULL: it has none */
    int64_t n, most;
    double *x, *y[N_ARRAY];
    int64_t *begin;  /* [route.n + 1] the first point of each link */
    double *head[3]; /* by node of the route: head, lowest, highest; NaN: unknown */
} points;

static void find_envelope(points *d) {
    static const char *const names[N_ARRAY] = {"elevation", NULL,          "head_start", "head_min",
                                               "head_max",  "vapour_head", "cavity_time"};
    const sl_results_table *all = sl_picture_table(d->p, "points"), *t = all ? all : sl_picture_table(d->p, "envelope");
    d->pipe = sl_table_column(t, "pipe");
    d->chainage = sl_table_column(t, "chainage");
    d->envelope = d->pipe && d->pipe->text && d->chainage && d->chainage->real ? t : NULL;
    for (int k = 0; k < N_ARRAY && d->envelope; k++) {
        d->column[k] = names[k] ? sl_table_column(t, names[k]) : NULL;
    }
}

/* Rows of a pipe, which stand together. */
static bool find_rows(const points *d, const char *pipe, int32_t rows[2]) {
    int32_t n = d->envelope ? d->envelope->n : 0, i = 0;
    while (i < n && strcmp(d->pipe->text[i], pipe) != 0) {
        i++;
    }
    rows[0] = rows[1] = i;
    while (rows[1] < n && strcmp(d->pipe->text[rows[1]], pipe) == 0) {
        rows[1]++;
    }
    return rows[1] > rows[0];
}

static bool reserve(points *d) {
    d->most = 2 * (int64_t)d->route.n + 2 + (d->envelope ? d->envelope->n : 0);
    d->x = sl_arena_alloc(&d->p->arena, (size_t)d->most * sizeof *d->x);
    d->begin = sl_arena_alloc(&d->p->arena, (size_t)(d->route.n + 1) * sizeof *d->begin);
    bool fine = d->x && d->begin;
    for (int k = 0; k < N_ARRAY; k++) {
        d->y[k] = sl_arena_alloc(&d->p->arena, (size_t)d->most * sizeof **d->y);
        fine = fine && d->y[k];
    }
    return fine;
}

/* Node `at` of the route. */
static void add_node(points *d, double x, int32_t at) {
    int64_t i = d->n++;
    d->x[i] = x;
    for (int k = 0; k < N_ARRAY; k++) {
        d->y[k][i] = NAN;
    }
    d->y[GROUND][i] = d->graph.elevation ? d->graph.elevation[d->route.node[at]] : (double)NAN;
    static const int heads[3] = {HEAD, LOW, HIGH};
    for (int k = 0; k < 3 && d->head[k]; k++) {
        d->y[heads[k]][i] = d->head[k][at];
    }
}

static void add_rows(points *d, double x, const int32_t rows[2], bool backward, double length) {
    for (int32_t j = rows[0]; j < rows[1] && d->n < d->most; j++) {
        int32_t row = backward ? rows[1] - 1 - (j - rows[0]) : j;
        int64_t i = d->n++;
        d->x[i] = x + (backward ? length - d->chainage->real[row] : d->chainage->real[row]);
        for (int k = 0; k < N_ARRAY; k++) {
            d->y[k][i] = d->column[k] ? d->column[k]->real[row] : (double)NAN;
        }
    }
}

static bool has_value(const points *d, int k) {
    for (int64_t i = 0; i < d->n; i++) {
        if (isfinite(d->y[k][i])) {
            return true;
        }
    }
    return false;
}

/* ---- Heads of nodes ----------------------------------------------------------------------------- */

/* The graph's nodes among those of the result: the same where the graph comes from its facts. */
static int32_t in_result(const points *d, const sl_results_group *g, int32_t node) {
    return d->graph.node_ids == g->ids ? node : sl_group_find(g, sl_str_z(d->graph.node_ids[node]));
}

static sl_status read_heads(points *d, int64_t frame) {
    const sl_results_group *g = sl_picture_group(d->p, "node");
    int32_t q = sl_results_find(d->p->results, "node", "head");
    if (!g || q < 0) {
        return SL_OK;
    }
    int32_t *at = sl_arena_alloc(&d->p->arena, (size_t)(d->route.n + 1) * sizeof *at);
    for (int32_t i = 0; at && i <= d->route.n; i++) {
        at[i] = in_result(d, g, d->route.node[i]);
    }
    return at ? sl_picture_range(d->p, g, q, at, d->route.n + 1, frame, d->head) : SL_ERR_MEMORY;
}

/* ---- Marks -------------------------------------------------------------------------------------- */

static bool is_off(points *d, int32_t link, const double *status) {
    const sl_results_group *g = sl_picture_group(d->p, "link");
    const sl_results_column *q = sl_group_quantity(g, "status");
    int32_t i = status && q && q->words
                    ? d->graph.link_ids == g->ids ? link : sl_group_find(g, sl_str_z(d->graph.link_ids[link]))
                    : -1;
    return i >= 0 && sl_status_is_closed(q, status[i]);
}

static sl_profile_mark node_mark(const points *d, double x, int32_t node) {
    const char *kind = d->graph.node_kind ? d->graph.node_kind[node] : "";
    bool source = strcmp(kind, "reservoir") == 0 || strcmp(kind, "tank") == 0;
    return (sl_profile_mark){
        .x = x, .name = d->graph.node_ids[node], .kind = source ? SL_PROFILE_SOURCE : SL_PROFILE_NODE, .y = {NAN, NAN}};
}

/* Points and marks along the line. */
static sl_status walk(points *d, int64_t frame, sl_profile *f) {
    sl_picture *p = d->p;
    const sl_results_group *links = sl_picture_group(p, "link");
    int32_t q = links ? sl_results_find(p->results, "link", "status") : -1;
    double *status = q >= 0 && frame >= 0 ? sl_arena_alloc(&p->arena, (size_t)(links->n + 1) * sizeof *status) : NULL;
    sl_profile_mark *marks = sl_arena_alloc(&p->arena, 2 * (size_t)(d->route.n + 1) * sizeof *marks);
    sl_status read = status ? sl_results_read(p->results, frame, q, status) : SL_OK;
    if (read != SL_OK || !marks || !reserve(d)) {
        return read != SL_OK ? read : SL_ERR_MEMORY;
    }
    double x = 0.0;
    marks[f->n_mark++] = node_mark(d, x, d->route.node[0]);
    for (int32_t i = 0; i < d->route.n; i++) {
        int32_t link = d->route.link[i], rows[2];
        d->begin[i] = d->n;
        double length = isfinite(d->graph.length[link]) ? fmax(d->graph.length[link], 0.0) : 0.0;
        if (find_rows(d, d->graph.link_ids[link], rows)) {
            if (f->n_mark >= 2 && marks[f->n_mark - 2].kind >= SL_PROFILE_PUMP) { /* the pipe behind a pump or valve */
                int32_t row = d->route.backward[i] ? rows[1] - 1 : rows[0];
                marks[f->n_mark - 2].y[1] = d->column[START] ? d->column[START]->real[row] : (double)NAN;
            }
            add_rows(d, x, rows, d->route.backward[i], length);
        } else if (!d->envelope) {
            add_node(d, x, i);
            add_node(d, x + length, i + 1);
        }
        if (d->graph.kind[link] != SL_ROUTE_PIPE) {
            marks[f->n_mark++] =
                (sl_profile_mark){.x = x,
                                  .name = d->graph.link_ids[link],
                                  .kind = d->graph.kind[link] == SL_ROUTE_PUMP ? SL_PROFILE_PUMP : SL_PROFILE_VALVE,
                                  .off = is_off(d, link, status),
                                  .y = {d->head[0]                ? d->head[0][i]
                                        : d->envelope && d->n > 0 ? d->y[START][d->n - 1]
                                                                  : (double)NAN,
                                        d->head[0] ? d->head[0][i + 1] : (double)NAN}};
        }
        x += length;
        marks[f->n_mark++] = node_mark(d, x, d->route.node[i + 1]);
    }
    d->begin[d->route.n] = d->n;
    f->marks = marks;
    return SL_OK;
}

/* ---- Limits ------------------------------------------------------------------------------------- */

/* The point of a pipe where a limit of pressure is nearest to being broken, or the node; -1: it is not on this line. */
static int64_t worst_point(const points *d, const char *where, bool highest) {
    const double *y = d->y[highest ? HIGH : LOW], *ground = d->y[GROUND];
    int64_t worst = -1;
    for (int32_t i = 0; i < d->route.n; i++) {
        bool pipe = strcmp(d->graph.link_ids[d->route.link[i]], where) == 0;
        for (int64_t k = d->begin[i]; k < d->begin[i + 1]; k++) {
            bool node = (k == d->begin[i] && strcmp(d->graph.node_ids[d->route.node[i]], where) == 0) ||
                        (k == d->begin[i + 1] - 1 && strcmp(d->graph.node_ids[d->route.node[i + 1]], where) == 0);
            double pressure = y[k] - ground[k];
            if ((pipe || node) && isfinite(pressure) &&
                (worst < 0 || (highest ? pressure > y[worst] - ground[worst] : pressure < y[worst] - ground[worst]))) {
                worst = k;
            }
        }
    }
    return worst;
}

/* Where the worst value is, as a head. Pressures in other units than lengths have no place among heads. */
static sl_status find_limits(points *d, sl_profile *f) {
    const sl_results_table *t = sl_picture_table(d->p, "limits");
    const sl_results_column *what = sl_table_column(t, "limit"), *where = sl_table_column(t, "where");
    const sl_results_column *allowed = sl_table_column(t, "allowed"), *kept = sl_table_column(t, "kept");
    if (!what || !what->text || !where || !where->text || !allowed || !allowed->real || !kept || !kept->real ||
        strcmp(allowed->unit, d->graph.unit) != 0 || d->n == 0) {
        return SL_OK;
    }
    sl_profile_limit *limits = sl_arena_alloc(&d->p->arena, (size_t)t->n * sizeof *limits);
    double half = 0.02 * (d->x[d->n - 1] - d->x[0]);
    for (int32_t i = 0; limits && i < t->n; i++) {
        bool highest = strcmp(what->text[i], "pressure_max") == 0, lowest = strcmp(what->text[i], "pressure_min") == 0;
        int64_t k = highest || lowest ? worst_point(d, where->text[i], highest) : -1;
        if (k >= 0) {
            limits[f->n_limit++] =
                (sl_profile_limit){fmax(d->x[k] - half, d->x[0]), fmin(d->x[k] + half, d->x[d->n - 1]),
                                   d->y[GROUND][k] + allowed->real[i], kept->real[i] == 0.0};
        }
    }
    f->limits = limits;
    return limits ? SL_OK : SL_ERR_MEMORY;
}

/* ---- The page ----------------------------------------------------------------------------------- */

typedef struct texts {
    char second[SL_TITLE_MAX], x[SL_AXIS_MAX], y[SL_AXIS_MAX], head[SL_LABEL_MAX + 16];
} texts;

static void put_labels(const char *unit, texts *t, sl_profile *f) {
    char shown[SL_UNIT_MAX];
    (void)sl_format(t->x, sizeof t->x, "Distance [%s]", sl_unit_text(unit, shown));
    (void)sl_format(t->y, sizeof t->y, "Head [%s]", shown);
    f->x_label = t->x;
    f->y_label = t->y;
    f->second = t->second;
    f->head_name = t->head;
}

static sl_status draw_line(sl_picture *p) {
    points d = {.p = p};
    texts t = {0};
    sl_profile f = {0};
    char time[SL_LABEL_MAX];
    find_envelope(&d);
    int64_t frame = sl_picture_frame(p, p->def->time);
    sl_status status = frame < 0 ? SL_ERR_INPUT : sl_route_graph_make(p, &d.graph);
    status = status == SL_OK ? sl_route_find(p, &d.graph, &d.route) : status;
    status = status == SL_OK && !d.envelope ? read_heads(&d, frame) : status;
    status = status == SL_OK ? walk(&d, d.envelope ? -1 : frame, &f) : status;
    status = status == SL_OK ? find_limits(&d, &f) : status;
    if (status != SL_OK) {
        return status;
    }
    if (!has_value(&d, HEAD) && !has_value(&d, HIGH)) {
        sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, NULL,
                  "the result has no heads along this line");
        return SL_ERR_INPUT;
    }
    f.n = d.n;
    f.x = d.x;
    const double **const shown[N_ARRAY] = {&f.ground, &f.head, &f.start, &f.low, &f.high, &f.vapour, &f.cavity};
    for (int k = 0; k < N_ARRAY; k++) {
        *shown[k] = has_value(&d, k) ? d.y[k] : NULL;
    }
    if (p->n_time == 1 && !d.envelope) { /* no range */
        f.low = f.high = NULL;
    }
    (void)sl_format(t.second, sizeof t.second, "Heads from %.70s to %.70s", d.graph.node_ids[d.route.node[0]],
                    d.graph.node_ids[d.route.node[d.route.n]]);
    (void)sl_format(t.head, sizeof t.head, "head at %s", sl_picture_time_text(p, p->times[frame], time));
    put_labels(d.graph.unit, &t, &f);
    return sl_profile_draw(p, &f);
}

/* A group that is a profile by itself: "mains" or "route mains". */
static const sl_results_group *find_profile(const sl_picture *p, const char *name) {
    for (int32_t i = 0; i < p->layout->n_group; i++) {
        const sl_results_group *g = &p->layout->groups[i];
        bool named =
            strcmp(g->name, name) == 0 || (strncmp(g->name, "route ", 6) == 0 && strcmp(g->name + 6, name) == 0);
        if (g->along && named) {
            return g;
        }
    }
    return NULL;
}

static sl_status draw_group(sl_picture *p, const sl_results_group *g) {
    texts t = {0};
    sl_profile f = {.n = g->n};
    char time[SL_LABEL_MAX];
    double *y[3];
    const sl_results_column *x = sl_group_fact(g, g->along), *ground = sl_group_fact(g, "elevation");
    int64_t frame = sl_picture_frame(p, p->def->time);
    if (frame < 0 || !x || !x->real || g->n_quantity == 0) {
        return SL_ERR_INPUT;
    }
    int32_t q = sl_results_find(p->results, g->name, g->quantities[0].name);
    sl_status status = sl_picture_range(p, g, q, NULL, g->n, frame, y);
    if (status != SL_OK) {
        return status;
    }
    f.x = x->real;
    f.ground = ground ? ground->real : NULL;
    f.head = y[0];
    f.low = y[1];
    f.high = y[2];
    put_labels(x->unit, &t, &f);
    (void)sl_quantity_label(x, t.x);
    (void)sl_quantity_label(&g->quantities[0], t.y);
    (void)sl_format(t.second, sizeof t.second, "%.120s", g->name);
    (void)sl_format(t.head, sizeof t.head, "at %s", sl_picture_time_text(p, p->times[frame], time));
    return sl_profile_draw(p, &f);
}

sl_status sl_plot_profile(sl_picture *p) {
    const sl_results_group *g = p->def->n_route == 1 ? find_profile(p, p->def->route[0]) : NULL;
    if (g) {
        return draw_group(p, g);
    }
    if (p->def->n_route >= 2) {
        return draw_line(p);
    }
    sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, NULL,
              "a profile goes from node to node: FROM,TO; or along a route whose heads the result has");
    return SL_ERR_INPUT;
}
