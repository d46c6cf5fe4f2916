/* SPDX-License-Identifier: MIT */
/* map.h: a network as a map, in parts: where things are and what they are worth (map_values.c), lines and dots (map.c),
 * symbols and names (map_symbols.c), the column that explains them (map_legend.c).
 *
 * Pipes and junctions carry the colours. Reservoirs, tanks, pumps and valves are symbols: their values are of another
 * kind (the pressure at a reservoir, the head loss of a pump) and would spoil the scale.
 */
#ifndef SL_PLOT_MAP_H
#define SL_PLOT_MAP_H

#include "plot/picture.h"

typedef struct sl_map {
    sl_picture *p;
    const sl_network *net;

    /* Place: page = x + (X - west) * scale, y + (north - Y) * scale; X and Y in map units. */
    double x, y, width, height; /* the room on the page */
    double west, east, south, north;
    double scale;
    double metres; /* of a map unit; 0: unknown */
    bool feet;     /* map units are feet */

    /* Values, in the units of the page; NaN: none. */
    double *node_value, *link_value;
    sl_results_column column; /* what is shown */
    char label[SL_AXIS_MAX], unit[SL_UNIT_MAX];
    uint8_t *closed;         /* by link */
    int8_t *direction;       /* by link, of the flow: 1 forth, -1 back, 0 none; NULL: not shown */
    bool by_nodes;           /* colours begin at the nodes */
    bool own_links;          /* links have values of their own */
    bool plain;              /* there is nothing to colour */
    sl_classes classes;      /* of junctions or pipes */
    int32_t highest, lowest; /* junction or pipe with the extremes; -1: none */
    char when[SL_TITLE_MAX]; /* "at 6:00" */

    double *shift; /* by pump and valve, across the link: those between the same nodes stand side by side [symbols] */
    double pen;    /* width of an ordinary pipe */
    double symbol; /* half the size of a symbol */
} sl_map;

bool sl_map_has(const sl_map *m, int32_t node);
double sl_map_x(const sl_map *m, double x);
double sl_map_y(const sl_map *m, double y);
/* Points of a link in map units: its ends and vertices. */
int32_t sl_map_points(const sl_map *m, int32_t link);
void sl_map_point(const sl_map *m, int32_t link, int32_t k, double at[2]);
/* The middle of a link on the page, the direction there, and its length. False: it has no place. */
bool sl_map_middle(const sl_map *m, int32_t link, double at[2], double direction[2], double *length);
/* Its id; nodes or links, by what the colours begin at. */
const char *sl_map_element_id(const sl_map *m, int32_t i);

sl_status sl_map_find_bounds(sl_map *m);
sl_status sl_map_read(sl_map *m);
/* Places of pumps and valves that share their nodes. */
sl_status sl_map_spread(sl_map *m);
/* A node on the page. */
void sl_map_node(const sl_map *m, int32_t node, double at[2]);
/* The middle of a pump or valve, where its symbol stands. */
bool sl_map_place(const sl_map *m, int32_t link, double at[2], double direction[2]);
/* Lines of pumps and valves, under everything else. */
void sl_map_stubs(sl_map *m);
void sl_map_symbols(sl_map *m);
sl_status sl_map_names(sl_map *m);
/* The column at x. */
void sl_map_legend(sl_map *m, double x);
enum { SL_MAP_LEGEND = 168 };

/* Symbols, also for the legend. off: a pump that stands still, a closed valve. */
typedef enum sl_map_symbol {
    SL_MAP_RESERVOIR = 0,
    SL_MAP_TANK,
    SL_MAP_PUMP,
    SL_MAP_VALVE,
    SL_MAP_SYMBOL_COUNT
} sl_map_symbol;
/* Up to four points, turned so that their right is the direction. */
void sl_map_put_turned(sl_draw *d, const double (*shape)[2], int n, const double at[2], const double to[2],
                       double size);
void sl_map_put_symbol(sl_map *m, sl_map_symbol symbol, bool off, const double at[2], const double direction[2],
                       double size, const char *tip);

#endif
