/* SPDX-License-Identifier: MIT */
/* map_values.c: where a network lies, and what its elements are worth at a moment.
 *
 * Maps have no unit. Lengths of pipes have: when the drawn lengths agree with them, the map is in metres (or feet), and
 * gets a scale; a schematic one gets none.
 */
#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/context.h"
#include "base/out.h"
#include "base/report.h"
#include "plot/map.h"

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
    m->west = m->south = INFINITY;
    m->east = m->north = -INFINITY;
    for (int32_t i = 0; i < net->n_node; i++) {
        if (sl_map_has(m, i)) {
            extend(m, net->node_x[i], net->node_y[i]);
        } else {
            m->n_lost++;
        }
    }
    for (int32_t k = 0; net->vertex_start && k < net->vertex_start[net->n_link]; k++) {
        extend(m, net->vertex_x[k], net->vertex_y[k]);
    }
    if (m->n_lost == net->n_node || !isfinite(m->east - m->west) || !isfinite(m->north - m->south)) {
        bool none = m->n_lost == net->n_node;
        sl_report(m->p->diags, SL_ERROR, SL_CODE_NO_COORDINATES, &(sl_text_location){.file = net->name}, NULL, NULL,
                  none ? "give the nodes places under [COORDINATES]; charts over time need none"
                       : "check the numbers under [COORDINATES] and [VERTICES]",
                  none ? "no node has coordinates: there is no map to draw"
                       : "the coordinates lie too far apart for a map");
        return SL_ERR_INPUT;
    }
    if (m->n_lost > 0) {
        sl_report(m->p->diags, SL_WARNING, SL_CODE_NO_COORDINATES, &(sl_text_location){.file = net->name}, NULL, NULL,
                  "give them places under [COORDINATES]",
                  "%d of %d nodes have no coordinates: they and their links are left out", (int)m->n_lost,
                  (int)net->n_node);
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
    int32_t first, n; /* periods */
    float *all;
    float *sum[2]; /* by element of the file: nodes, links */
} reader;

static sl_status find_periods(reader *r) {
    sl_picture *p = r->m->p;
    const sl_plot_def *def = p->def;
    int32_t last = p->info->n_period - 1;
    double begin = sl_outfile_time(p->file, 0), end = sl_outfile_time(p->file, last);
    char a[SL_LABEL_MAX], b[SL_LABEL_MAX];
    sl_time_format(begin, a, sizeof a);
    sl_time_format(end, b, sizeof b);
    if (def->moment != SL_PLOT_AT) {
        static const char *const words[] = {"", "least", "most", "mean"};
        r->n = last + 1;
        sl_format(r->m->when, sizeof r->m->when, "%s from %s to %s", words[def->moment], a, b);
        return SL_OK;
    }
    r->n = 1;
    if (p->info->statistic != SL_STAT_SERIES) {
        static const char *const words[] = {"", "average", "minimum", "maximum", "range"};
        sl_format(r->m->when, sizeof r->m->when, "%s over the run", words[p->info->statistic]);
        return SL_OK;
    }
    double time = isnan(def->time) ? begin : def->time;
    if (time < begin || time > end) {
        char t[SL_LABEL_MAX];
        sl_time_format(time, t, sizeof t);
        sl_report(p->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, NULL,
                  "the time %s is outside the result, which goes from %s to %s", t, a, b);
        return SL_ERR_INPUT;
    }
    while (r->first < last && sl_outfile_time(p->file, r->first + 1) <= time) {
        r->first++;
    }
    sl_time_format(sl_outfile_time(p->file, r->first), a, sizeof a);
    sl_format(r->m->when, sizeof r->m->when, "at %s", a);
    return SL_OK;
}

static void add_period(const reader *r, float *sum, int32_t n, int32_t period, bool size) {
    sl_plot_moment moment = r->m->p->def->moment;
    for (int32_t i = 0; i < n; i++) {
        float x = size ? fabsf(r->all[i]) : r->all[i];
        if (period == 0) {
            sum[i] = moment == SL_PLOT_MEAN ? x / (float)r->n : x;
        } else if (moment == SL_PLOT_MEAN) {
            sum[i] += x / (float)r->n;
        } else if (moment == SL_PLOT_MIN ? x < sum[i] : x > sum[i]) {
            sum[i] = x;
        }
    }
}

/* One variable over the periods into r->sum[side]. */
static sl_status read_side(reader *r, int side, int32_t variable) {
    sl_picture *p = r->m->p;
    int32_t n = side == 0 ? p->info->n_node : p->info->n_link;
    if (variable < 0) {
        return SL_OK;
    }
    r->sum[side] = sl_arena_alloc(&p->arena, (size_t)n * sizeof(float));
    if (!r->sum[side]) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < r->n; i++) {
        if (!sl_progress_report(p->ctx, "reading", i, r->n)) {
            return SL_ERR_CANCELLED;
        }
        sl_status status = sl_outfile_read(p->file, r->first + i, (sl_out_variable)variable, r->all);
        if (status != SL_OK) {
            return status;
        }
        add_period(r, r->sum[side], n, i, p->what->has_direction);
    }
    return SL_OK;
}

/* Where the network's elements are in the file; files may hold them in EPANET's order, ids cut to 31 bytes. */
static int32_t find(const sl_map *m, bool link, int32_t i) {
    const sl_outfile *file = m->p->file;
    const char *id = link ? sl_network_link_id(m->net, i) : sl_network_node_id(m->net, i);
    int32_t rank = link ? m->net->link_rank[i] : m->net->node_rank[i];
    int32_t n = link ? m->p->info->n_link : m->p->info->n_node;
    if (rank >= 0 && rank < n) {
        const char *there = link ? sl_outfile_link_id(file, rank) : sl_outfile_node_id(file, rank);
        if (strcmp(id, there) == 0 || (strlen(there) >= 28 && strncmp(id, there, strlen(there)) == 0)) {
            return rank;
        }
    }
    return link ? sl_outfile_find_link(file, sl_str_z(id)) : sl_outfile_find_node(file, sl_str_z(id));
}

/* Status and direction of links where the map shows one moment. */
static sl_status read_states(reader *r, const int32_t *in_file) {
    sl_map *m = r->m;
    sl_picture *p = m->p;
    if (p->def->moment != SL_PLOT_AT) {
        return SL_OK;
    }
    sl_status status = sl_outfile_read(p->file, r->first, SL_OUT_STATUS, r->all);
    for (int32_t i = 0; i < m->net->n_link && status == SL_OK; i++) {
        m->closed[i] = in_file[i] >= 0 && r->all[in_file[i]] < 3.0F;
    }
    if (status != SL_OK || p->what->link != SL_OUT_FLOW) {
        return status;
    }
    m->direction = sl_arena_alloc(&p->arena, (size_t)m->net->n_link);
    if (!m->direction) {
        return SL_ERR_MEMORY;
    }
    status = sl_outfile_read(p->file, r->first, SL_OUT_FLOW, r->all);
    for (int32_t i = 0; i < m->net->n_link && status == SL_OK; i++) {
        float q = in_file[i] >= 0 ? r->all[in_file[i]] : 0.0F;
        m->direction[i] = (int8_t)((q > 0.0F) - (q < 0.0F));
    }
    return status;
}

static sl_status read_result(sl_map *m) {
    sl_picture *p = m->p;
    const sl_network *net = m->net;
    reader r = {.m = m};
    int32_t most = p->info->n_node > p->info->n_link ? p->info->n_node : p->info->n_link;
    r.all = sl_arena_alloc(&p->arena, (size_t)most * sizeof *r.all);
    int32_t *in_file = sl_arena_alloc(&p->arena, (size_t)net->n_link * sizeof *in_file);
    sl_status status = r.all && in_file ? find_periods(&r) : SL_ERR_MEMORY;
    status = status == SL_OK ? read_side(&r, 0, p->what->node) : status;
    status = status == SL_OK ? read_side(&r, 1, p->what->link) : status;
    if (status != SL_OK) {
        return status;
    }
    int32_t n_found = 0;
    for (int32_t i = 0; i < net->n_node; i++) {
        int32_t k = find(m, false, i);
        m->node_value[i] = k >= 0 && r.sum[0] ? r.sum[0][k] : NAN;
        n_found += k >= 0;
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        in_file[i] = find(m, true, i);
        m->link_value[i] = in_file[i] >= 0 && r.sum[1] ? r.sum[1][in_file[i]] : NAN;
        n_found += in_file[i] >= 0;
    }
    if (n_found < net->n_node + net->n_link) {
        sl_report(p->diags, n_found == 0 ? SL_ERROR : SL_WARNING, SL_CODE_NOT_THIS_MODEL,
                  &(sl_text_location){.file = net->name}, NULL, NULL, "draw it on the network it was computed from",
                  "%d of %d nodes and links are not in the result", (int)(net->n_node + net->n_link - n_found),
                  (int)(net->n_node + net->n_link));
    }
    return n_found == 0 ? SL_ERR_INPUT : read_states(&r, in_file);
}

/* Elevations and diameters are the network's own. */
static void read_network(sl_map *m) {
    const sl_network *net = m->net;
    sl_display_units units = sl_picture_units(m->p);
    bool diameters = strcmp(m->p->what->word, "diameter") == 0;
    for (int32_t i = 0; i < net->n_node; i++) {
        m->node_value[i] = diameters ? NAN : (float)(net->node_elevation[i] / units.length.factor);
    }
    for (int32_t i = 0; i < net->n_link; i++) {
        m->link_value[i] = diameters && i < net->n_pipe ? (float)(net->pipe_diameter[i] / units.diameter.factor) : NAN;
        m->closed[i] = net->link_status[i] == SL_CLOSED;
    }
    m->by_nodes = !diameters;
}

/* A pipe without a value of its own takes the mean of its junctions. */
static void share_with_pipes(sl_map *m) {
    const sl_network *net = m->net;
    for (int32_t i = 0; i < net->n_pipe; i++) {
        int32_t a = net->link_from[i], b = net->link_to[i];
        float x = a < net->n_junction ? m->node_value[a] : NAN, y = b < net->n_junction ? m->node_value[b] : NAN;
        m->link_value[i] = isnan(x) ? y : isnan(y) ? x : 0.5F * (x + y);
    }
}

static sl_status classify(sl_map *m) {
    int32_t n = m->by_nodes ? m->net->n_junction : m->net->n_pipe;
    const float *value = m->by_nodes ? m->node_value : m->link_value;
    double *x = sl_arena_alloc(&m->p->arena, (size_t)n * sizeof *x);
    if (!x) {
        return SL_ERR_MEMORY;
    }
    m->highest = m->lowest = -1;
    for (int32_t i = 0; i < n; i++) {
        x[i] = (double)value[i];
        if (isfinite(value[i])) {
            m->highest = m->highest < 0 || value[i] > value[m->highest] ? i : m->highest;
            m->lowest = m->lowest < 0 || value[i] < value[m->lowest] ? i : m->lowest;
        }
    }
    /* Shares are of a whole, whatever there is of them. */
    const sl_picture *p = m->p;
    bool share = p->what->node == SL_OUT_QUALITY && p->info && p->info->quality == SL_QUALITY_TRACE;
    double low = share && isnan(p->def->low) ? 0.0 : p->def->low;
    double high = share && isnan(p->def->high) ? 100.0 : p->def->high;
    m->classes = sl_classes_of(x, n, low, high);
    return SL_OK;
}

sl_status sl_map_read(sl_map *m) {
    sl_picture *p = m->p;
    const sl_network *net = m->net;
    sl_status status = sl_picture_ask(p, p->info ? "pressure" : "elevation", true, true);
    if (status != SL_OK) {
        return status;
    }
    m->node_value = sl_arena_alloc(&p->arena, (size_t)net->n_node * sizeof *m->node_value);
    m->link_value = sl_arena_alloc(&p->arena, (size_t)net->n_link * sizeof *m->link_value);
    m->closed = sl_arena_alloc(&p->arena, (size_t)net->n_link);
    if (!m->node_value || !m->link_value || !m->closed) {
        return SL_ERR_MEMORY;
    }
    m->by_nodes = p->what->node >= 0;
    m->plain = p->what->link == SL_OUT_STATUS;
    if (p->what->node < 0 && p->what->link < 0) {
        read_network(m);
    } else {
        status = read_result(m);
    }
    if (status == SL_OK && m->by_nodes && p->what->link < 0) {
        share_with_pipes(m);
    }
    return status == SL_OK && !m->plain ? classify(m) : status;
}
