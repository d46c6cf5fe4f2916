/* SPDX-License-Identifier: MIT */
/* city_streets.c: the street grid of a made-up city.
 *
 * The crossings nearest to the middle (by a distance bent with noise) make the town; parks and the river are left out,
 * some streets are missing, avenues never are. What is not connected to the largest part is dropped. Small places get a
 * plain rectangle.
 */
#include "gen/city_impl.h"

#include <math.h>

enum { SALT_MISSING = 100 };
enum { N_BUCKET = 1 << 16 };

int32_t sl_city_neighbour(const sl_city *city, int32_t cell, int side) {
    int32_t col = cell % city->n_col;
    switch (side) {
    case 0: return col + 1 < city->n_col ? cell + 1 : -1;
    case 1: return cell + city->n_col < city->n_cell ? cell + city->n_col : -1;
    case 2: return col > 0 ? cell - 1 : -1;
    default: return cell >= city->n_col ? cell - city->n_col : -1;
    }
}

int32_t sl_city_edge_of(const sl_city *city, int32_t cell, int side) {
    switch (side) {
    case 0: return 2 * cell;
    case 1: return 2 * cell + 1;
    case 2: return 2 * (cell - 1);
    default: return 2 * (cell - city->n_col) + 1;
    }
}

void sl_city_edge_ends(const sl_city *city, int32_t edge, int32_t *a, int32_t *b) {
    *a = edge / 2;
    *b = edge & 1 ? *a + city->n_col : *a + 1;
}

/* A street lies on an avenue's line. */
static bool on_avenue(const sl_city *city, int32_t edge) {
    int32_t cell = edge / 2;
    int32_t line = edge & 1 ? cell % city->n_col : cell / city->n_col;
    return line % city->land.avenue == 1;
}

static sl_status allocate(sl_city *city) {
    sl_context *ctx = city->ctx;
    size_t n = (size_t)city->n_cell;
    city->zone = sl_alloc(ctx, n * sizeof *city->zone);
    city->z = sl_alloc(ctx, n * sizeof *city->z);
    city->z_high = sl_alloc(ctx, n * sizeof *city->z_high);
    city->flow = sl_alloc(ctx, n * sizeof *city->flow);
    city->loss = sl_alloc(ctx, n * sizeof *city->loss);
    city->cost = sl_alloc(ctx, n * sizeof *city->cost);
    city->order = sl_alloc(ctx, n * sizeof *city->order);
    city->junction = sl_alloc(ctx, n * sizeof *city->junction);
    city->up = sl_alloc(ctx, n);
    city->kind = sl_alloc(ctx, 2 * n);
    city->rank = sl_alloc(ctx, 2 * n);
    city->n_mid = sl_alloc(ctx, 2 * n);
    city->diameter = sl_alloc(ctx, 2 * n);
    bool ok = city->zone && city->z && city->z_high && city->flow && city->loss && city->cost && city->order &&
              city->junction && city->up && city->kind && city->rank && city->n_mid && city->diameter;
    return ok ? SL_OK : SL_ERR_MEMORY;
}

/* Size of the grid and of the features on it, for about n_wanted crossings. */
static void plan(sl_city *city, int32_t n_wanted) {
    sl_city_land *land = &city->land;
    double width = sqrt((double)n_wanted);
    bool plain = n_wanted < 30;
    if (plain) {
        city->n_col = (int32_t)(width + 0.999);
        city->n_row = n_wanted / city->n_col;
    } else {
        city->n_col = (int32_t)(1.7 * width) + 6;
        city->n_row = (int32_t)(1.5 * width) + 6;
    }
    city->n_cell = city->n_row * city->n_col;
    land->seed = city->def->seed;
    land->mid_u = city->n_col / 2;
    land->mid_v = city->n_row / 2;
    land->half = 0.6 * width;
    land->avenue = n_wanted < 150 ? 3 : n_wanted < 1500 ? 4 : 5;
    land->bump = n_wanted < 150 ? 0 : sl_city_min(42, 0.55 * width);
    land->basins = n_wanted >= 250;
    land->river = n_wanted >= 150;
}

/* zone = 0 for the n_wanted dry cells nearest to the middle, -1 for the rest. */
static sl_status choose(sl_city *city, int32_t n_wanted) {
    const sl_city_land *land = &city->land;
    if (n_wanted < 30) return SL_OK; /* a plain rectangle: all of it, as allocated */
    int32_t *bucket = sl_alloc(city->ctx, N_BUCKET * sizeof *bucket);
    if (!bucket) return SL_ERR_MEMORY;
    for (int32_t i = 0; i < city->n_cell; i++) {
        double u = i % city->n_col, v = i / city->n_col;
        int32_t k = (int32_t)sl_city_min(N_BUCKET - 1, sl_city_land_remote(land, u, v) * (N_BUCKET / 8));
        bool bridge = (i % city->n_col) % land->avenue == 1;
        bool dry = bridge || !sl_city_land_water(land, u, v);
        bool built = dry && (bridge || (i / city->n_col) % land->avenue == 1 || !sl_city_land_park(land, u, v));
        city->zone[i] = built ? k : -1;
        if (built) bucket[k]++;
    }
    int32_t limit = 0;
    for (int32_t sum = 0; limit < N_BUCKET && sum + bucket[limit] <= n_wanted; limit++) sum += bucket[limit];
    for (int32_t i = 0; i < city->n_cell; i++) city->zone[i] = city->zone[i] >= 0 && city->zone[i] < limit ? 0 : -1;
    sl_free(city->ctx, bucket, N_BUCKET * sizeof *bucket);
    return SL_OK;
}

static uint8_t street_kind(const sl_city *city, int32_t edge, bool plain) {
    const sl_city_land *land = &city->land;
    int32_t a, b;
    sl_city_edge_ends(city, edge, &a, &b);
    double u = a % city->n_col, v = a / city->n_col;
    bool wet_a = sl_city_land_water(land, u, v);
    bool wet_b = sl_city_land_water(land, b % city->n_col, b / city->n_col);
    if (wet_a || wet_b) return edge & 1 ? SL_CITY_BRIDGE : wet_a ? SL_CITY_NONE : SL_CITY_PIPE;
    if (plain || city->rank[edge] != SL_CITY_STREET) return SL_CITY_PIPE;
    double missing = 0.12 + 0.10 * sl_city_noise(land->seed, SALT_MISSING, u / 8, v / 8) +
                     0.08 * sl_city_min(1, sl_city_land_remote(land, u, v));
    return sl_city_random(land->seed, SALT_MISSING, edge, 0) < missing ? SL_CITY_NONE : SL_CITY_PIPE;
}

static void lay(sl_city *city, bool plain) {
    for (int32_t i = 0; i < city->n_cell; i++) {
        for (int side = 0; side < 2; side++) {
            int32_t e = 2 * i + side, j = sl_city_neighbour(city, i, side);
            city->kind[e] = SL_CITY_NONE;
            city->rank[e] = on_avenue(city, e) ? SL_CITY_AVENUE : SL_CITY_STREET;
            if (j < 0 || city->zone[i] < 0 || city->zone[j] < 0) continue;
            city->kind[e] = street_kind(city, e, plain);
        }
    }
}

/* Marks what is joined to the cell with its number and counts it. */
static int32_t flood(sl_city *city, int32_t start, int32_t *mark) {
    int32_t n = 0;
    mark[start] = start;
    city->order[n++] = start;
    for (int32_t k = 0; k < n; k++) {
        int32_t i = city->order[k];
        for (int side = 0; side < 4; side++) {
            int32_t j = sl_city_neighbour(city, i, side);
            if (j < 0 || mark[j] >= 0 || city->kind[sl_city_edge_of(city, i, side)] == SL_CITY_NONE) continue;
            mark[j] = start;
            city->order[n++] = j;
        }
    }
    return n;
}

/* Keeps the largest connected part. */
static void keep_largest(sl_city *city) {
    int32_t *mark = city->junction;
    int32_t best = -1, n_best = 0;
    for (int32_t i = 0; i < city->n_cell; i++) mark[i] = -1;
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] < 0 || mark[i] >= 0) continue;
        int32_t n = flood(city, i, mark);
        if (n > n_best) {
            n_best = n;
            best = i;
        }
    }
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] >= 0 && mark[i] == best) continue;
        city->zone[i] = -1;
        for (int side = 0; side < 4; side++) {
            if (sl_city_neighbour(city, i, side) >= 0) city->kind[sl_city_edge_of(city, i, side)] = SL_CITY_NONE;
        }
    }
    city->n_crossing = n_best;
}

sl_status sl_city_streets_lay(sl_city *city) {
    /* Of all junctions about 41 % are crossings, 37 % lie between them and 22 % in dead ends. */
    int32_t n_wanted = (int32_t)(0.412 * (city->def->n_junction - 1));
    if (n_wanted < 4) n_wanted = 4;
    plan(city, n_wanted);
    sl_status status = allocate(city);
    if (status == SL_OK) status = choose(city, n_wanted);
    if (status != SL_OK) return status;
    lay(city, n_wanted < 30);
    keep_largest(city);
    if (city->n_crossing < 0.93 * n_wanted && city->land.river) { /* the river cuts the town in two: no river then */
        city->land.river = false;
        status = choose(city, n_wanted);
        if (status != SL_OK) return status;
        lay(city, false);
        keep_largest(city);
    }
    return SL_OK;
}
