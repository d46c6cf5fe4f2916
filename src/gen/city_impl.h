/* SPDX-License-Identifier: MIT */
/* city_impl.h: the city while it is being made, shared by the city_*.c files.
 *
 * Streets live on a grid of crossings: crossing i = row * n_col + col, its street to the right is edge 2i, its street
 * down is edge 2i + 1. Places are grid coordinates (u along columns, v along rows); land_point turns them into metres.
 * Zones, mains and diameters are designed on the grid; only then the streets are cut into pipes.
 *
 * All arithmetic is + - * / sqrt on doubles and integer hashing, so that every machine makes the same city. SI units:
 * metres, m3/s; diameters are classes (sl_city_diameter_mm).
 */
#ifndef SL_GEN_CITY_IMPL_H
#define SL_GEN_CITY_IMPL_H

#include "base/memory.h"
#include "gen/city.h"

/* ---- Land: everything that is a function of place and seed ------------------------------------------- */

typedef struct sl_city_land {
    uint64_t seed;
    double mid_u, mid_v; /* the city's middle in grid coordinates */
    double half;         /* its half width [blocks] */
    double bump;         /* side of the squares that hold one hill or basin each [blocks]; 0: none */
    bool basins;         /* some squares hold a basin */
    bool river;
    int32_t avenue; /* every so many streets is an avenue */
} sl_city_land;

typedef struct sl_city_point {
    double x, y; /* [m] */
} sl_city_point;

uint64_t sl_city_hash(uint64_t seed, uint32_t salt, int64_t i, int64_t j);
/* In [0, 1). */
double sl_city_random(uint64_t seed, uint32_t salt, int64_t i, int64_t j);
/* Smooth noise in [-1, 1], features of about one unit of u and v. */
double sl_city_noise(uint64_t seed, uint32_t salt, double u, double v);

sl_city_point sl_city_land_point(const sl_city_land *land, double u, double v);
/* Height of the region [m], and of the place above the region. */
double sl_city_land_region(const sl_city_land *land, double u, double v);
double sl_city_land_relief(const sl_city_land *land, double u, double v);
bool sl_city_land_water(const sl_city_land *land, double u, double v);
bool sl_city_land_park(const sl_city_land *land, double u, double v);
/* Relative distance from the middle: the town is where this is smallest. */
double sl_city_land_remote(const sl_city_land *land, double u, double v);
/* Water use per junction relative to the average. */
double sl_city_land_density(const sl_city_land *land, double u, double v);
/* 0 homes, 1 shops and offices, 2 works, 3 homes of people who rise late. */
int sl_city_land_use(const sl_city_land *land, double u, double v);

/* ---- The city ----------------------------------------------------------------------------------------- */

/* What stands in a street. */
enum {
    SL_CITY_NONE = 0, /* no street */
    SL_CITY_PIPE,
    SL_CITY_SHUT,    /* a pipe closed for good at the border of two zones */
    SL_CITY_PUMPED,  /* a pump station lifts from one zone to the next */
    SL_CITY_REDUCED, /* a pressure-reducing valve lets water down from one zone to the next */
    SL_CITY_BRIDGE   /* a pipe over the river */
};

/* Rank of a street. */
enum { SL_CITY_STREET = 0, SL_CITY_AVENUE, SL_CITY_TRUNK };

/* Levels of zones: the ground of level 0 lies within [-14, 16] m of the region's. */
enum { SL_CITY_LEVEL_LOW = -1, SL_CITY_LEVEL_TOP = 2 };

enum { SL_CITY_N_DIAMETER = 13 };
extern const int32_t sl_city_diameter_mm[SL_CITY_N_DIAMETER];

typedef struct sl_city_zone {
    int32_t level;
    int32_t n_crossing;
    int32_t feeder;     /* zone that feeds this one; -1: own works */
    int32_t entry;      /* crossing where a pump station, valve or works feeds it */
    int32_t tank;       /* crossing of its tank; -1: none (fed through valves) */
    int32_t root;       /* crossing where its tree of mains begins: the tank, or the entry */
    int32_t ring;       /* half side of its ring main [streets]; 0: none */
    int32_t n_supply;   /* stations and valves between it and its feeder */
    int32_t supply[4];  /* their crossings on its side */
    int32_t first_feed; /* its first station or valve */
    int32_t works_a;    /* junction behind the pumps of its works; -1: none */
    double mean;        /* mean inflow it needs, zones fed from it included [m3/s] */
    double pumped;      /* what its pump station gives [m3/s] */
    double head;        /* head of the water at the root when the tank is low, or behind the valve [m] */
    double depth;       /* of the tank's water [m] */
    double area;        /* of the tank [m2] */
    double lift;        /* of the pump station [m] */
    double source_head; /* of the works [m] */
    uint8_t d_main;     /* largest diameter class */
} sl_city_zone;

/* A pump station or a valve in the street between two zones. */
typedef struct sl_city_feed {
    int32_t edge;
    int32_t from, to; /* crossings */
    int32_t zone;     /* the zone it feeds */
    int32_t rank;     /* 0 first, 1.. spare valves; -1: from a high zone down, for emergencies */
    int32_t a, b;     /* its two junctions */
    double setting;   /* pressure behind the valve [m] */
} sl_city_feed;

typedef struct sl_city_junction {
    double z;          /* [m] */
    float x, y;        /* [m], to be rounded to 0.1 m */
    int32_t demand;    /* [1e-7 m3/s] */
    int32_t second;    /* of a second category, 0: none */
    uint8_t use, use2; /* which pattern */
} sl_city_junction;

typedef struct sl_city_pipe {
    int32_t a, b;   /* junctions */
    int32_t edge;   /* street; -1: branch */
    int32_t length; /* [0.01 m] */
    uint8_t shut;
    uint8_t diameter; /* class, for branches */
} sl_city_pipe;

typedef struct sl_city_vertex {
    int32_t pipe;
    float x, y;
} sl_city_vertex;

typedef struct sl_city {
    sl_context *ctx;
    const sl_gen_city_def *def;
    sl_city_land land;
    int32_t n_row, n_col;
    int32_t n_cell;     /* n_row * n_col */
    int32_t n_crossing; /* that are part of the city */

    /* per crossing of the grid */
    int32_t *zone;     /* -1: not part of the city */
    double *z;         /* ground [m] */
    double *z_high;    /* highest junction at and near the crossing [m] */
    double *flow;      /* mean demand, then peak flow down the tree [m3/s] */
    double *loss;      /* from the root at peak [m] */
    int32_t *cost;     /* of the way from the root; INT32_MAX: not reached */
    int32_t *order;    /* crossings by cost */
    int32_t *junction; /* index of its junction */
    int8_t *up;        /* way to the root: 0 right, 1 down, 2 left, 3 up, -1 none */
    /* per street (two per crossing) */
    uint8_t *kind;
    uint8_t *rank;
    uint8_t *n_mid;    /* junctions between its ends */
    uint8_t *diameter; /* class */

    int32_t n_order;
    SL_ARRAY(sl_city_zone) zones;
    SL_ARRAY(sl_city_feed) feeds;
    SL_ARRAY(sl_city_junction) junctions;
    SL_ARRAY(sl_city_pipe) pipes;
    SL_ARRAY(sl_city_vertex) vertices;
    int32_t n_tank, n_works;
    int32_t n_special; /* junctions of stations and valves */
    double mean_total; /* [m3/s] */
} sl_city;

/* Sides: 0 right, 1 down, 2 left, 3 up. The neighbour may lie outside; then -1. */
int32_t sl_city_neighbour(const sl_city *city, int32_t cell, int side);
int32_t sl_city_edge_of(const sl_city *city, int32_t cell, int side);
void sl_city_edge_ends(const sl_city *city, int32_t edge, int32_t *a, int32_t *b);
/* A street between two zones; gives its ends. */
bool sl_city_is_border(const sl_city *city, int32_t edge, int32_t *a, int32_t *b);
/* Height of the ground for a zone of this level [m]: what sticks out of the level's band is cut. */
double sl_city_ground(const sl_city *city, int32_t level, double u, double v);
static inline bool sl_city_is_pipe(uint8_t kind) {
    return kind == SL_CITY_PIPE || kind == SL_CITY_BRIDGE;
}
static inline double sl_city_max(double a, double b) {
    return a > b ? a : b;
}
static inline double sl_city_min(double a, double b) {
    return a < b ? a : b;
}

/* The phases, in order. Each returns SL_OK or SL_ERR_MEMORY. */
sl_status sl_city_streets_lay(sl_city *city); /* grid, streets, the one connected town */
sl_status sl_city_zones_draw(sl_city *city);  /* zones, tanks, works, trunk mains */
sl_status sl_city_feeds_place(sl_city *city); /* trees of mains, pump stations and valves between zones */
sl_status sl_city_pipes_cut(sl_city *city);   /* junctions, pipes, demands */
void sl_city_mains_design(sl_city *city);     /* diameters, heads, pumps, tanks, settings */
sl_status sl_city_write(sl_city *city, const sl_sink *sink);

#endif
