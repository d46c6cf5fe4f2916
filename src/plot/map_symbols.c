/* SPDX-License-Identifier: MIT */
/* map_symbols.c: reservoirs, tanks, pumps and valves on a map.
 *
 * Shapes tell the kinds apart, not colours, which belong to the values: a reservoir is a triangle on its point, a tank a
 * box, a pump a disc with an arrow in it, a valve a bow tie. A pump that stands still and a closed valve are hollow.
 */
#include <math.h>

#include "plot/map.h"

static const double reservoir[][2] = {{-1.15, -0.75}, {1.15, -0.75}, {0.0, 1.05}};
static const double tank[][2] = {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}};
static const double bow_tie[][2] = {{-1.1, -0.75}, {1.1, 0.75}, {1.1, -0.75}, {-1.1, 0.75}};
static const double arrow[][2] = {{0.68, 0.0}, {-0.42, 0.56}, {-0.42, -0.56}};

void sl_map_put_turned(sl_draw *d, const double (*shape)[2], int n, const double at[2], const double to[2],
                       double size) {
    double turned[4][2];
    for (int k = 0; k < n; k++) {
        turned[k][0] = to[0] * shape[k][0] - to[1] * shape[k][1];
        turned[k][1] = to[1] * shape[k][0] + to[0] * shape[k][1];
    }
    sl_draw_polygon(d, (const double(*)[2])turned, n, at[0], at[1], size);
}

void sl_map_put_symbol(sl_map *m, sl_map_symbol symbol, bool off, const double at[2], const double direction[2],
                       double size, const char *tip) {
    static const double right[2] = {1.0, 0.0};
    static const struct {
        const double (*shape)[2];
        int n;
        bool turns;
    } shapes[SL_MAP_SYMBOL_COUNT] = {[SL_MAP_RESERVOIR] = {reservoir, 3, false},
                                     [SL_MAP_TANK] = {tank, 4, false},
                                     [SL_MAP_PUMP] = {arrow, 3, true},
                                     [SL_MAP_VALVE] = {bow_tie, 4, true}};
    const sl_theme *theme = m->p->theme;
    sl_draw *d = m->p->draw;
    double rim = size < 5.0 ? 1.0 : 1.5;
    uint32_t fill = off ? theme->paper : theme->ink, mark = off ? theme->ink : theme->paper;
    sl_style halo = {.stroke = theme->paper, .fill = theme->paper, .width = 3.0 * rim, .opacity = 1.0};
    sl_style style = {.stroke = theme->ink, .fill = fill, .width = 0.8 * rim, .opacity = 1.0};
    if (symbol == SL_MAP_PUMP) {
        sl_draw_disc(d, theme->paper, 2.0 * size + 2.0 * rim, at[0], at[1], NULL);
        sl_draw_disc(d, theme->ink, 2.0 * size, at[0], at[1], tip);
        sl_draw_disc(d, fill, 2.0 * size - 2.0, at[0], at[1], tip);
        style = (sl_style){.stroke = SL_NO_COLOUR, .fill = mark, .opacity = 1.0};
    }
    for (int pass = symbol == SL_MAP_PUMP; pass < 2; pass++) {
        sl_draw_style(d, pass == 0 ? &halo : &style);
        sl_draw_begin(d);
        sl_map_put_turned(d, shapes[symbol].shape, shapes[symbol].n, at, shapes[symbol].turns ? direction : right,
                          size);
        sl_draw_end(d, symbol == SL_MAP_PUMP || pass == 0 ? NULL : tip);
    }
}

void sl_map_node(const sl_map *m, int32_t node, double at[2]) {
    at[0] = sl_map_x(m, m->net->node_x[node]);
    at[1] = sl_map_y(m, m->net->node_y[node]);
}

/* ---- Pumps and valves ---------------------------------------------------------------------------- */

enum { SPREAD_MAX = 3000 };

/* Do two links join the same nodes? */
static bool are_parallel(const sl_network *net, int32_t i, int32_t k) {
    return (net->link_from[i] == net->link_from[k] && net->link_to[i] == net->link_to[k]) ||
           (net->link_from[i] == net->link_to[k] && net->link_to[i] == net->link_from[k]);
}

sl_status sl_map_spread(sl_map *m) {
    const sl_network *net = m->net;
    m->shift = sl_arena_alloc(&m->p->arena, (size_t)(net->n_link + 1) * sizeof *m->shift);
    for (int32_t i = net->n_pipe; m->shift && i < net->n_link && net->n_link - net->n_pipe <= SPREAD_MAX; i++) {
        int32_t n = 0, before = 0;
        for (int32_t k = net->n_pipe; k < net->n_link; k++) {
            if (are_parallel(net, i, k)) {
                n++;
                before += k < i;
            }
        }
        m->shift[i] = 2.4 * (before - 0.5 * (n - 1));
    }
    return m->shift ? SL_OK : SL_ERR_MEMORY;
}

/* So far from a reservoir or tank at its end that the symbols do not cover each other. */
static void leave_source(const sl_map *m, int32_t node, double at[2], const double to[2], double sign) {
    const double room = 2.3 * m->symbol;
    if (node < m->net->n_junction || !sl_map_has(m, node)) {
        return;
    }
    double x = sl_map_x(m, m->net->node_x[node]), y = sl_map_y(m, m->net->node_y[node]);
    double d = (at[0] - x) * to[0] * sign + (at[1] - y) * to[1] * sign;
    if (hypot(at[0] - x, at[1] - y) < room && d < room) {
        at[0] += sign * to[0] * (room - d);
        at[1] += sign * to[1] * (room - d);
    }
}

bool sl_map_place(const sl_map *m, int32_t link, double at[2], double direction[2]) {
    double length;
    if (!sl_map_middle(m, link, at, direction, &length)) {
        return false;
    }
    leave_source(m, m->net->link_to[link], at, direction, -1.0);
    leave_source(m, m->net->link_from[link], at, direction, 1.0);
    at[0] -= direction[1] * m->shift[link] * m->symbol;
    at[1] += direction[0] * m->shift[link] * m->symbol;
    return true;
}

void sl_map_stubs(sl_map *m) {
    sl_draw *d = m->p->draw;
    sl_draw_pen(d, m->p->theme->soft, m->pen, 0.0);
    sl_draw_begin(d);
    for (int32_t i = m->net->n_pipe; i < m->net->n_link; i++) {
        int32_t n = sl_map_points(m, i);
        for (int32_t k = 0; k < n; k++) {
            double at[2], middle[2], to[2];
            if (k == n / 2 && m->shift[i] != 0.0 && sl_map_place(m, i, middle, to)) {
                sl_draw_line(d, middle[0], middle[1]);
            }
            sl_map_point(m, i, k, at);
            (k == 0 ? sl_draw_move : sl_draw_line)(d, sl_map_x(m, at[0]), sl_map_y(m, at[1]));
        }
    }
    sl_draw_end(d, NULL);
}

void sl_map_symbols(sl_map *m) {
    const sl_network *net = m->net;
    double at[2], to[2];
    for (int32_t i = net->n_link - 1; i >= net->n_pipe; i--) {
        if (sl_map_place(m, i, at, to)) {
            bool pump = i < net->n_pipe + net->n_pump;
            sl_map_put_symbol(m, pump ? SL_MAP_PUMP : SL_MAP_VALVE, m->closed[i], at, to,
                              pump ? m->symbol : 0.9 * m->symbol, sl_network_link_id(net, i));
        }
    }
    for (int32_t i = net->n_junction; i < net->n_node; i++) {
        if (sl_map_has(m, i)) {
            sl_map_node(m, i, at);
            sl_map_put_symbol(m, i < net->n_junction + net->n_reservoir ? SL_MAP_RESERVOIR : SL_MAP_TANK, false, at, to,
                              1.1 * m->symbol, sl_network_node_id(net, i));
        }
    }
}
