/* SPDX-License-Identifier: MIT */
/* map.c: a network on the page: pipes as wide as their diameter asks, pipes and junctions coloured by class.
 *
 * True to the coordinates: one scale for both directions. Up to some thousand elements each is a path of its own and says
 * its id and value when pointed at; beyond, all of one colour and width are one path, and junctions, which would be
 * smaller than a pixel, are left to the pipes between them.
 */
#include "plot/map.h"

#include <math.h>
#include <string.h>

#include "base/out.h"

enum { SINGLE_MAX = 3000, DOTS_MAX = 6000, RINGS_MAX = 500, ARROWS_MAX = 300, N_WIDTH = 4 };

static const double widths[N_WIDTH] = {0.6, 0.95, 1.4, 2.0}; /* of the pen, by quarters of the largest diameter */

static const double thinnest = 0.7; /* paler lines lose their colour */

/* ---- Layout ------------------------------------------------------------------------------------- */

static sl_status lay_out(sl_map *m) {
    sl_picture *p = m->p;
    double w = m->east - m->west, h = m->north - m->south, gap = SL_PAGE_MARGIN;
    double aspect = w > 0.0 && h > 0.0 ? fmin(fmax(h / w, 0.4), 1.4) : w > 0.0 ? 0.4 : 1.0;
    double fit_w = fmin(fmax(sqrt(470000.0 / aspect), 520.0), 900.0), fit_h = fmax(fit_w * aspect, 430.0);
    char second[SL_TITLE_MAX + 80];
    sl_format(second, sizeof second, "%s%s%s", m->label, m->when[0] ? ", " : "", m->when);
    sl_status status = sl_picture_open(p, fit_w + SL_MAP_LEGEND + 3.5 * gap, fit_h + SL_PAGE_HEAD + 1.5 * gap, second);
    if (status != SL_OK) {
        return status;
    }
    /* Symbols and names at the rim need some room. */
    double rim = 14.0;
    m->width = fmax(p->width - SL_MAP_LEGEND - 3.5 * gap - 2.0 * rim, 50.0);
    m->height = fmax(p->height - SL_PAGE_HEAD - p->extra - 1.5 * gap - 2.0 * rim, 50.0);
    double by_w = w > 0.0 ? m->width / w : HUGE_VAL, by_h = h > 0.0 ? m->height / h : HUGE_VAL;
    m->scale = fmin(by_w, by_h);
    if (!isfinite(m->scale)) { /* one place for all */
        m->scale = 1.0;
    }
    m->x = gap + rim + 0.5 * (m->width - w * m->scale);
    m->y = SL_PAGE_HEAD + p->extra + 0.5 * gap + rim + 0.5 * (m->height - h * m->scale);
    double n = m->net->n_link > 1 ? m->net->n_link : 1.0;
    m->pen = fmin(fmax(0.37 * sqrt(sqrt(m->width * m->height / n)), 0.45), 3.4);
    double n_symbol = m->net->n_node - m->net->n_junction + m->net->n_link - m->net->n_pipe;
    m->symbol = fmin(fmax(fmin(3.0 * m->pen, 42.0 / sqrt(n_symbol + 1.0)), 2.6), 8.0);
    return SL_OK;
}

/* ---- Pipes -------------------------------------------------------------------------------------- */

static void put_path(sl_map *m, int32_t link) {
    int32_t n = sl_map_points(m, link);
    for (int32_t k = 0; k < n; k++) {
        double at[2];
        sl_map_point(m, link, k, at);
        (k == 0 ? sl_draw_move : sl_draw_line)(m->p->draw, sl_map_x(m, at[0]), sl_map_y(m, at[1]));
    }
}

static void tip_text(const sl_map *m, const char *id, double value, char *buf, size_t size) {
    char label[SL_LABEL_MAX];
    if (m->plain || !isfinite(value)) {
        sl_format(buf, size, "%s", id);
    } else {
        sl_format(buf, size, "%s: %s %s", id, sl_value_label(value, label), m->unit);
    }
}

/* Which quarter of the largest diameter (but for the two largest in a hundred). */
static int width_of(double diameter, double largest) {
    int k = largest > 0.0 ? (int)(4.0 * diameter / largest * (1.0 - 1e-9)) : 1;
    return k < 0 ? 0 : k >= N_WIDTH ? N_WIDTH - 1 : k;
}

static double large_diameter(sl_map *m, double *room) {
    int32_t n = m->net->n_pipe;
    memcpy(room, m->net->pipe_diameter, (size_t)n * sizeof *room);
    sl_sort(room, n);
    /* All alike: ordinary ones. */
    return room[0] == room[n - 1] ? 2.5 * room[0] : sl_quantile(room, n, 0.98);
}

/* Pipes in order of groups: width, then class, closed ones first of all. */
typedef struct groups {
    int32_t n;
    int32_t *start; /* [n + 1] into pipe */
    int32_t *pipe;
} groups;

enum { N_TONE = SL_CLASS_MAX + 2 }; /* closed, no value, classes */

static int32_t group_of(const sl_map *m, int32_t i, double largest) {
    int32_t tone = m->closed[i] ? 0 : 2 + (m->plain ? -1 : sl_class_of(&m->classes, m->link_value[i]));
    return width_of(m->net->pipe_diameter[i], largest) * N_TONE + (tone < 1 && !m->closed[i] ? 1 : tone);
}

static bool group_pipes(sl_map *m, groups *g) {
    int32_t n = m->net->n_pipe;
    g->n = N_WIDTH * N_TONE;
    g->start = sl_arena_alloc(&m->p->arena, (size_t)(g->n + 2) * sizeof *g->start);
    g->pipe = sl_arena_alloc(&m->p->arena, (size_t)n * sizeof *g->pipe);
    double *room = sl_arena_alloc(&m->p->arena, (size_t)n * sizeof *room);
    if (!g->start || !g->pipe || !room) {
        return false;
    }
    double largest = n > 0 ? large_diameter(m, room) : 0.0;
    for (int32_t i = 0; i < n; i++) {
        g->start[group_of(m, i, largest) + 2]++;
    }
    for (int32_t k = 2; k < g->n + 2; k++) {
        g->start[k] += g->start[k - 1];
    }
    for (int32_t i = 0; i < n; i++) {
        g->pipe[g->start[group_of(m, i, largest) + 1]++] = i;
    }
    return true;
}

static void draw_group(sl_map *m, const groups *g, int32_t k, bool single) {
    sl_draw *d = m->p->draw;
    int32_t tone = k % N_TONE;
    double width = fmax(m->pen * widths[k / N_TONE], thinnest);
    uint32_t colour = tone < 2 ? m->p->theme->neutral : sl_class_colour(m->p->theme, tone - 2, m->classes.n);
    sl_draw_pen(d, colour, width, tone == 0 ? fmax(1.6 * width, 1.5) : 0.0);
    if (!single) {
        sl_draw_begin(d);
    }
    for (int32_t j = g->start[k]; j < g->start[k + 1]; j++) {
        int32_t i = g->pipe[j];
        if (!single) {
            put_path(m, i);
        } else if (sl_map_points(m, i) > 0) {
            char tip[2 * SL_TITLE_MAX];
            bool own = m->own_links;
            tip_text(m, sl_network_link_id(m->net, i), own ? m->link_value[i] : (double)NAN, tip, sizeof tip);
            sl_draw_begin(d);
            put_path(m, i);
            sl_draw_end(d, tip);
        }
    }
    if (!single) {
        sl_draw_end(d, NULL);
    }
}

static sl_status draw_pipes(sl_map *m) {
    groups g;
    if (!group_pipes(m, &g)) {
        return SL_ERR_MEMORY;
    }
    bool single = m->net->n_link + m->net->n_node <= SINGLE_MAX;
    for (int32_t k = 0; k < g.n; k++) {
        if (g.start[k + 1] > g.start[k]) {
            draw_group(m, &g, k, single);
        }
    }
    return SL_OK;
}

/* ---- Junctions and arrows ----------------------------------------------------------------------- */

static void draw_dots(sl_map *m, int32_t class, uint32_t colour, double size, bool tips) {
    sl_draw *d = m->p->draw;
    const sl_network *net = m->net;
    bool begun = false;
    sl_draw_pen(d, colour, size, 0.0);
    for (int32_t i = 0; i < net->n_junction; i++) {
        bool all = class < -1;
        if (!sl_map_has(m, i) || (!all && (m->plain ? -1 : sl_class_of(&m->classes, m->node_value[i])) != class)) {
            continue;
        }
        if (tips || !begun) {
            sl_draw_begin(d);
            begun = true;
        }
        sl_draw_dot(d, sl_map_x(m, net->node_x[i]), sl_map_y(m, net->node_y[i]));
        if (tips) {
            char tip[2 * SL_TITLE_MAX];
            tip_text(m, sl_network_node_id(net, i), m->node_value[i], tip, sizeof tip);
            sl_draw_end(d, tip);
        }
    }
    if (begun && !tips) {
        sl_draw_end(d, NULL);
    }
}

static void draw_junctions(sl_map *m) {
    int32_t n = m->net->n_junction;
    const sl_theme *theme = m->p->theme;
    double size = m->by_nodes ? fmax(2.7 * m->pen, 1.6) : 1.5 * m->pen;
    if (n > DOTS_MAX || (!m->by_nodes && n > RINGS_MAX)) {
        return;
    }
    bool tips = m->net->n_link + m->net->n_node <= SINGLE_MAX;
    if (!m->by_nodes) {
        draw_dots(m, -2, theme->soft, size, tips);
        return;
    }
    if (n <= RINGS_MAX) {
        draw_dots(m, -2, theme->paper, size + 2.2, false);
    }
    for (int32_t k = -1; k < m->classes.n; k++) {
        draw_dots(m, k, k < 0 ? theme->neutral : sl_class_colour(theme, k, m->classes.n), size, tips);
    }
}

/* Where the water goes, on pipes that have room for an arrow. */
static void draw_arrows(sl_map *m) {
    if (!m->direction || m->net->n_pipe > ARROWS_MAX) {
        return;
    }
    static const double head[][2] = {{1.1, 0.0}, {-0.7, 0.8}, {-0.7, -0.8}};
    double size = fmax(1.7 * m->pen, 3.0);
    sl_draw *d = m->p->draw;
    sl_draw_style(d, &(sl_style){.stroke = m->p->theme->paper, .fill = m->p->theme->ink, .width = 0.8, .opacity = 1.0});
    sl_draw_begin(d);
    for (int32_t i = 0; i < m->net->n_pipe; i++) {
        double at[2], to[2], length;
        if (m->direction[i] == 0 || m->closed[i] || !sl_map_middle(m, i, at, to, &length) || length < 4.0 * size) {
            continue;
        }
        const double along[2] = {to[0] * m->direction[i], to[1] * m->direction[i]};
        sl_map_put_turned(d, head, 3, at, along, size);
    }
    sl_draw_end(d, NULL);
}

sl_status sl_plot_map(sl_picture *p) {
    sl_map m = {.p = p, .net = p->net};
    sl_status status = sl_map_find_bounds(&m);
    status = status == SL_OK ? sl_map_read(&m) : status;
    status = status == SL_OK ? lay_out(&m) : status;
    status = status == SL_OK ? sl_map_spread(&m) : status;
    if (status == SL_OK) {
        sl_map_stubs(&m);
        status = draw_pipes(&m);
    }
    if (status != SL_OK) {
        return status;
    }
    draw_junctions(&m);
    draw_arrows(&m);
    sl_map_symbols(&m);
    sl_map_legend(&m, p->width - SL_PAGE_MARGIN - SL_MAP_LEGEND);
    return sl_map_names(&m);
}
