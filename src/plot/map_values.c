/* SPDX-License-Identifier: MIT */
/* map_values.c: where a network lies, and what its elements are worth at a moment.
 *
 * Maps have no unit. Lengths of pipes have: when the drawn lengths agree with them, the map is in metres (or feet), and
 * gets a scale; a schematic one gets none.
 */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include "base/ids.h"
#include "base/out.h"
#include "base/report.h"
#include "plot/map.h"
#include "results/display_units.h"

/* ---- Place -------------------------------------------------------------------------------------- */

bool sl_map_has(const sl_map *m, int32_t node) {
    return m->net->node_x && isfinite(m->net->node_x[node]) && isfinite(m->net->node_y[node]);
}

double sl_map_x(const sl_map *m, double x) {
    return m->x + (x - m->west) * m->scale;
}

double sl_map_y(const sl_map *m, double y) {
    return m->y + (m->north - y) * m->scale;
}

int32_t sl_map_points(const sl_map *m, int32_t link) {
    const int32_t *start = m->net->vertex_start;
    if (!sl_map_has(m, m->net->link_from[link]) || !sl_map_has(m, m->net->link_to[link])) {
        return 0;
    }
    return 2 + (start ? start[link + 1] - start[link] : 0);
}

void sl_map_point(const sl_map *m, int32_t link, int32_t k, double at[2]) {
    const sl_network *net = m->net;
    int32_t n = sl_map_points(m, link);
    if (k > 0 && k + 1 < n) {
        at[0] = net->vertex_x[net->vertex_start[link] + k - 1];
        at[1] = net->vertex_y[net->vertex_start[link] + k - 1];
    } else {
        int32_t node = k == 0 ? net->link_from[link] : net->link_to[link];
        at[0] = net->node_x[node];
        at[1] = net->node_y[node];
    }
}

static void extend(sl_map *m, double x, double y) {
    if (isfinite(x) && isfinite(y)) {
        m->west = fmin(m->west, x);
        m->east = fmax(m->east, x);
        m->south = fmin(m->south, y);
        m->north = fmax(m->north, y);
    }
}

/* What a map unit is, from the lengths of pipes. */
static void find_unit(sl_map *m) {
    double drawn = 0.0, length = 0.0;
    for (int32_t i = 0; i < m->net->n_pipe; i++) {
        int32_t n = sl_map_points(m, i);
        double a[2] = {0}, b[2];
        for (int32_t k = 0; k < n; k++) {
            sl_map_point(m, i, k, b);
            drawn += k > 0 ? hypot(b[0] - a[0], b[1] - a[1]) : 0.0;
            memcpy(a, b, sizeof a);
        }
        length += n > 0 ? m->net->pipe_length[i] : 0.0;
    }
    const double foot = 0.3048, alike = 0.25;
    double ratio = drawn > 0.0 ? length / drawn : 0.0;
    m->feet = fabs(ratio / foot - 1.0) < alike;
    m->metres = m->feet ? foot : fabs(ratio - 1.0) < alike ? 1.0 : 0.0;
}

sl_status sl_map_find_bounds(sl_map *m) {
    const sl_network *net = m->net;
    int32_t n_lost = 0; /* nodes without coordinates */
    m->west = m->south = INFINITY;
    m->east = m->north = -INFINITY;
    for (int32_t i = 0; i < net->n_node; i++) {
        if (sl_map_has(m, i)) {
            extend(m, net->node_x[i], net->node_y[i]);
        } else {
            n_lost++;
        }
    }
    for (int32_t k = 0; net->vertex_start && k < net->vertex_start[net->n_link]; k++) {
        extend(m, net->vertex_x[k], net->vertex_y[k]);
    }
    if (n_lost == net->n_node || !isfinite(m->east - m->west) || !isfinite(m->north - m->south)) {
        bool none = n_lost == net->n_node;
        sl_report(m->p->diags, SL_ERROR, SL_CODE_NO_COORDINATES, &(sl_text_location){.file = net->name}, NULL, NULL,
                  none ? "add the nodes to [COORDINATES]; charts over time need no coordinates"
                       : "check the numbers under [COORDINATES] and [VERTICES]",
                  none ? "no node has coordinates: there is no map to draw"
                       : "the coordinates lie too far apart for a map");
        return SL_ERR_INPUT;
    }
    if (n_lost > 0) {
        sl_report(m->p->diags, SL_WARNING, SL_CODE_NO_COORDINATES, &(sl_text_location){.file = net->name}, NULL, NULL,
                  "add them to [COORDINATES]", "%d of %d nodes have no coordinates: they and their links are left out",
                  (int)n_lost, (int)net->n_node);
    }
    find_unit(m);
    return SL_OK;
}

bool sl_map_middle(const sl_map *m, int32_t link, double at[2], double direction[2], double *length) {
    int32_t n = sl_map_points(m, link);
    double a[2] = {0}, b[2], whole = 0.0, before = 0.0;
    for (int pass = 0; pass < 2 && n > 0; pass++) {
        for (int32_t k = 0; k < n; k++, memcpy(a, b, sizeof a)) {
            sl_map_point(m, link, k, b);
            double part = k > 0 ? hypot(b[0] - a[0], b[1] - a[1]) : 0.0;
            if (pass == 0) {
                whole += part;
                continue;
            }
            if (k > 0 && (before + part >= 0.5 * whole || k + 1 == n)) {
                double t = part > 0.0 ? fmin((0.5 * whole - before) / part, 1.0) : 0.0;
                at[0] = sl_map_x(m, a[0] + t * (b[0] - a[0]));
                at[1] = sl_map_y(m, a[1] + t * (b[1] - a[1]));
                direction[0] = part > 0.0 ? (b[0] - a[0]) / part : 1.0;
                direction[1] = part > 0.0 ? -(b[1] - a[1]) / part : 0.0;
                *length = whole * m->scale;
                return true;
            }
            before += part;
        }
    }
    return false;
}

/* ---- Values ------------------------------------------------------------------------------------- */

const char *sl_map_element_id(const sl_map *m, int32_t i) {
    return m->by_nodes ? sl_network_node_id(m->net, i) : sl_network_link_id(m->net, i);
}

typedef struct reader {
    sl_map *m;
    int64_t first, n; /* frames */
    double *all;
    double *sum[2];               /* by element of the result: nodes, links */
    const sl_results_group *g[2]; /* NULL: the result has none */
    const sl_results_column *q[2];
} reader;

static sl_status find_frames(reader *r) {
    sl_picture *p = r->m->p;
    const sl_plot_def *def = p->def;
    char a[SL_LABEL_MAX], b[SL_LABEL_MAX];
    const char *statistic = sl_picture_attribute(p, "statistic");
    if (def->moment != SL_PLOT_AT) {
        static const char *const words[] = {"", "least", "most", "mean"};
        r->n = p->n_time;
        sl_format(r->m->when, sizeof r->m->when, "%s from %s to %s", words[def->moment],
                  sl_picture_time_text(p, p->times[0], a), sl_picture_time_text(p, p->times[p->n_time - 1], b));
        return SL_OK;
    }
    r->n = 1;
    if (statistic && strcmp(statistic, "series") != 0) {
        sl_format(r->m->when, sizeof r->m->when, "%.40s over the run", statistic);
        return SL_OK;
    }
    r->first = sl_picture_frame(p, def->time);
    if (r->first < 0) {
        return SL_ERR_INPUT;
    }
    sl_format(r->m->when, sizeof r->m->when, "at %s", sl_picture_time_text(p, p->times[r->first], a));
    return SL_OK;
}

static void add_frame(const reader *r, double *sum, int32_t n, int64_t frame, bool size) {
    sl_plot_moment moment = r->m->p->def->moment;
    for (int32_t i = 0; i < n; i++) {
        double x = size ? fabs(r->all[i]) : r->all[i];
        if (frame == 0) {
            sum[i] = moment == SL_PLOT_MEAN ? x / (double)r->n : x;
        } else if (moment == SL_PLOT_MEAN) {
            sum[i] += x / (double)r->n;
        } else if (moment == SL_PLOT_MIN ? x < sum[i] : x > sum[i]) {
            sum[i] = x;
        }
    }
}

/* One quantity over the frames into r->sum[side]. */
static sl_status read_side(reader *r, int side) {
    sl_picture *p = r->m->p;
    if (!r->q[side]) {
        return SL_OK;
    }
    assert(r->g[side] && "the group of the quantity");
    int32_t n = r->g[side]->n, number = sl_results_find(p->results, r->g[side]->name, r->q[side]->name);
    r->sum[side] = sl_arena_alloc(&p->arena, (size_t)n * sizeof(double));
    if (!r->sum[side]) {
        return SL_ERR_MEMORY;
    }
    bool size = strcmp(r->q[side]->name, "flow") == 0;
    for (int64_t i = 0; i < r->n; i++) {
        sl_status status = sl_picture_read(p, r->first + i, number, r->all);
        if (status != SL_OK) {
            return status;
        }
        add_frame(r, r->sum[side], n, i, size);
    }
    return SL_OK;
}

/* Where the network's elements are in the result, which may hold a part of them; .out files have ids cut to 31 bytes. */
static int32_t find(const reader *r, int side, int32_t i) {
    const sl_network *net = r->m->net;
    const sl_results_group *g = r->g[side];
    const char *id = side == 1 ? sl_network_link_id(net, i) : sl_network_node_id(net, i);
    int32_t rank = side == 1 ? net->link_rank[i] : net->node_rank[i], n = side == 1 ? net->n_link : net->n_node;
    if (!g) {
        return -1;
    }
    if (rank >= 0 && rank < g->n && g->n == n) {
        const char *there = g->ids[rank];
        if (strcmp(id, there) == 0 || (strlen(there) >= 28 && strncmp(id, there, strlen(there)) == 0)) {
            return rank;
        }
    }
    return sl_group_find(g, sl_str_z(id));
}

/* Status and direction of links where the map shows one moment. */
static sl_status read_states(reader *r, const int32_t *in_result) {
    sl_map *m = r->m;
    sl_picture *p = m->p;
    const sl_results_column *code = sl_group_quantity(r->g[1], "status");
    if (p->def->moment != SL_PLOT_AT || !r->g[1]) {
        return SL_OK;
    }
    sl_status status =
        code ? sl_results_read(p->results, r->first, sl_results_find(p->results, "link", "status"), r->all) : SL_OK;
    for (int32_t i = 0; i < m->net->n_link && status == SL_OK; i++) {
        m->closed[i] = code && code->words ? in_result[i] >= 0 && sl_status_is_closed(code, r->all[in_result[i]])
                                           : m->net->link_status[i] == SL_CLOSED;
    }
    if (status != SL_OK || !r->q[1] || strcmp(r->q[1]->name, "flow") != 0) {
        return status;
    }
    m->direction = sl_arena_alloc(&p->arena, (size_t)m->net->n_link);
    if (!m->direction) {
        return SL_ERR_MEMORY;
    }
    status = sl_results_read(p->results, r->first, sl_results_find(p->results, "link", "flow"), r->all);
    for (int32_t i = 0; i < m->net->n_link && status == SL_OK; i++) {
        double q = in_result[i] >= 0 ? r->all[in_result[i]] : 0.0;
        m->direction[i] = (int8_t)((q > 0.0) - (q < 0.0));
    }
    return status;
}

static sl_status read_result(reader *r) {
    sl_map *m = r->m;
    sl_picture *p = m->p;
    const sl_network *net = m->net;
    int32_t n_node = r->g[0] ? r->g[0]->n : 0, n_link = r->g[1] ? r->g[1]->n : 0, n_found = 0;
    r->all = sl_arena_alloc(&p->arena, (size_t)(n_node > n_link ? n_node : n_link) * sizeof *r->all);
    int32_t *in_result = sl_arena_alloc(&p->arena, (size_t)net->n_link * sizeof *in_result);
    sl_status status = r->all && in_result ? find_frames(r) : SL_ERR_MEMORY;
    status = status == SL_OK ? read_side(r, 0) : status;
    status = status == SL_OK ? read_side(r, 1) : status;
    if (status != SL_OK) {
        return status;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        int32_t k = find(r, 0, i);
        m->node_value[i] = k >= 0 && r->sum[0] ? r->sum[0][k] : (double)NAN;
        n_found += k >= 0;
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        in_result[i] = find(r, 1, i);
        m->link_value[i] = in_result[i] >= 0 && r->sum[1] ? r->sum[1][in_result[i]] : (double)NAN;
        n_found += in_result[i] >= 0;
    }
    if (n_found < net->n_node + net->n_link) {
        sl_report(p->diags, n_found == 0 ? SL_ERROR : SL_WARNING, SL_CODE_NOT_THIS_MODEL,
                  &(sl_text_location){.file = net->name}, NULL, NULL, "draw it on the network it was computed from",
                  "%d of %d nodes and links are not in the result", (int)(net->n_node + net->n_link - n_found),
                  (int)(net->n_node + net->n_link));
    }
    return n_found == 0 ? SL_ERR_INPUT : read_states(r, in_result);
}

/* Elevations and diameters are the network's own, in its own units. */
static void read_network(sl_map *m, bool diameters) {
    const sl_network *net = m->net;
    sl_display_units units = sl_display_units_of(net);
    for (int32_t i = 0; i < net->n_node; i++) {
        m->node_value[i] = diameters ? (double)NAN : net->node_elevation[i] / units.length.factor;
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        m->link_value[i] = diameters && i < net->n_pipe ? net->pipe_diameter[i] / units.diameter.factor : (double)NAN;
        m->closed[i] = net->link_status[i] == SL_CLOSED;
    }
    m->by_nodes = !diameters;
    m->column = (sl_results_column){.name = diameters ? "diameter" : "elevation",
                                    .unit = diameters ? units.diameter.name : units.length.name,
                                    .meaning = ""};
}

/* ---- What is asked for -------------------------------------------------------------------------- */

/* Words that a map can show, and the nearest to the one that was given. */
static sl_status refuse(const reader *r, const char *word) {
    const sl_picture *p = r->m->p;
    char list[300] = "", hint[400], quoted[SL_QUOTE_MAX];
    const char *near = NULL;
    int best = 4;
    for (int side = 0; side < 3; side++) {
        static const char *const own[] = {"elevation", "diameter"};
        const sl_results_group *g = side < 2 ? r->g[side] : NULL;
        for (int32_t i = 0; i < (side < 2 ? g ? g->n_quantity : 0 : 2); i++) {
            const char *name = side < 2 ? g->quantities[i].name : own[i];
            if (!strstr(list, name)) {
                sl_append(list, sizeof list, "%s%s", list[0] ? ", " : "", name);
            }
            int d = sl_edit_distance(sl_str_z(word), sl_str_z(name), best);
            near = d <= best ? name : near;
            best = d <= best ? d - 1 : best;
        }
    }
    sl_format(hint, sizeof hint, "%s%s%sthere are: %s", near ? "did you mean '" : "", near ? near : "",
              near ? "'? " : "", list);
    sl_report(p->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, hint,
              "there is no quantity %s to be put on a map", sl_quote(sl_str_z(word), quoted));
    return SL_ERR_INPUT;
}

/* Sets r->q, or reads the network's own quantities. */
static sl_status find_quantity(reader *r) {
    sl_map *m = r->m;
    sl_picture *p = m->p;
    const char *word = p->def->what;
    if (!word) {
        word = sl_group_quantity(r->g[0], "pressure") ? "pressure"
               : r->g[0] && r->g[0]->n_quantity > 0   ? "head"
                                                      : "elevation";
    }
    for (int side = 0; side < 2; side++) {
        r->q[side] = sl_group_quantity(r->g[side], word);
    }
    if (r->q[0] || r->q[1]) {
        m->column = r->q[0] ? *r->q[0] : *r->q[1];
        m->by_nodes = r->q[0] != NULL;
        m->own_links = r->q[1] != NULL;
        m->plain = m->column.words != NULL;
        return SL_OK;
    }
    bool diameters = sl_str_equal_nocase(sl_str_z(word), sl_str_z("diameter"));
    if (!diameters && !sl_str_equal_nocase(sl_str_z(word), sl_str_z("elevation"))) {
        return refuse(r, word);
    }
    read_network(m, diameters);
    m->own_links = diameters;
    return SL_OK;
}

/* A pipe without a value of its own takes the mean of its junctions. */
static void share_with_pipes(sl_map *m) {
    const sl_network *net = m->net;
    for (int32_t i = 0; i < net->n_pipe; i++) {
        int32_t a = net->link_from[i], b = net->link_to[i];
        double x = a < net->n_junction ? m->node_value[a] : (double)NAN;
        double y = b < net->n_junction ? m->node_value[b] : (double)NAN;
        m->link_value[i] = isnan(x) ? y : isnan(y) ? x : 0.5 * (x + y);
    }
}

static sl_status classify(sl_map *m) {
    int32_t n = m->by_nodes ? m->net->n_junction : m->net->n_pipe;
    const double *value = m->by_nodes ? m->node_value : m->link_value;
    double *x = sl_arena_alloc(&m->p->arena, (size_t)n * sizeof *x);
    if (!x) {
        return SL_ERR_MEMORY;
    }
    m->highest = m->lowest = -1;
    for (int32_t i = 0; i < n; i++) {
        x[i] = value[i];
        if (isfinite(value[i])) {
            m->highest = m->highest < 0 || value[i] > value[m->highest] ? i : m->highest;
            m->lowest = m->lowest < 0 || value[i] < value[m->lowest] ? i : m->lowest;
        }
    }
    /* Shares are of a whole, whatever there is of them. */
    const sl_picture *p = m->p;
    bool share = strcmp(m->column.unit, "%") == 0;
    double low = share && isnan(p->def->low) ? 0.0 : p->def->low;
    double high = share && isnan(p->def->high) ? 100.0 : p->def->high;
    m->classes = sl_classes_of(x, n, low, high);
    return SL_OK;
}

sl_status sl_map_read(sl_map *m) {
    sl_picture *p = m->p;
    const sl_network *net = m->net;
    reader r = {.m = m, .g = {sl_picture_group(p, "node"), sl_picture_group(p, "link")}};
    m->node_value = sl_arena_alloc(&p->arena, (size_t)net->n_node * sizeof *m->node_value);
    m->link_value = sl_arena_alloc(&p->arena, (size_t)net->n_link * sizeof *m->link_value);
    m->closed = sl_arena_alloc(&p->arena, (size_t)net->n_link);
    if (!m->node_value || !m->link_value || !m->closed) {
        return SL_ERR_MEMORY;
    }
    sl_status status = find_quantity(&r);
    status = status == SL_OK && (r.q[0] || r.q[1]) ? read_result(&r) : status;
    if (status != SL_OK) {
        return status;
    }
    (void)sl_quantity_label(&m->column, m->label);
    (void)sl_unit_text(m->column.unit, m->unit);
    if (m->by_nodes && !m->own_links) {
        share_with_pipes(m);
    }
    return m->plain ? SL_OK : classify(m);
}
