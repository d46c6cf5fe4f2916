/* SPDX-License-Identifier: MIT */
/* city_land.c: the land under a made-up city: hills and basins, a river, parks, bent streets, density.
 *
 * Everything here is a pure function of place (grid coordinates, one unit is one block) and seed. Heights are in
 * metres. Noise is value noise on a lattice of hashed numbers, joined by cubics: no library function whose last bits
 * differ between machines.
 */
#include "gen/city_impl.h"

#include <math.h>

enum { BLOCK_X = 94, BLOCK_Y = 118 }; /* a block's sides [m] */

enum {
    SALT_WARP_X = 1,
    SALT_WARP_Y,
    SALT_JITTER_X,
    SALT_JITTER_Y,
    SALT_REGION,
    SALT_RELIEF,
    SALT_BUMP,
    SALT_RIVER,
    SALT_PARK,
    SALT_EDGE,
    SALT_DENSITY,
    SALT_USE
};

static uint64_t mix(uint64_t h) {
    h ^= h >> 30;
    h *= UINT64_C(0xbf58476d1ce4e5b9);
    h ^= h >> 27;
    h *= UINT64_C(0x94d049bb133111eb);
    return h ^ (h >> 31);
}

uint64_t sl_city_hash(uint64_t seed, uint32_t salt, int64_t i, int64_t j) {
    uint64_t h = mix(seed + UINT64_C(0x9e3779b97f4a7c15) * (salt + 1));
    h = mix(h + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)i);
    return mix(h + UINT64_C(0xd1b54a32d192ed03) * (uint64_t)j);
}

double sl_city_random(uint64_t seed, uint32_t salt, int64_t i, int64_t j) {
    return (double)(sl_city_hash(seed, salt, i, j) >> 11) * (1.0 / 9007199254740992.0);
}

static int64_t whole(double x) {
    int64_t i = (int64_t)x;
    return (double)i > x ? i - 1 : i;
}

double sl_city_noise(uint64_t seed, uint32_t salt, double u, double v) {
    int64_t i = whole(u), j = whole(v);
    double a = u - (double)i, b = v - (double)j;
    a = a * a * (3 - 2 * a);
    b = b * b * (3 - 2 * b);
    double n00 = sl_city_random(seed, salt, i, j), n10 = sl_city_random(seed, salt, i + 1, j);
    double n01 = sl_city_random(seed, salt, i, j + 1), n11 = sl_city_random(seed, salt, i + 1, j + 1);
    double low = n00 + (n10 - n00) * a, high = n01 + (n11 - n01) * a;
    return 2 * (low + (high - low) * b) - 1;
}

/* Each crossing is off its place by up to an eighth of a block; in between the streets run straight. */
static double jitter(uint64_t seed, uint32_t salt, double u, double v) {
    int64_t i = whole(u), j = whole(v);
    double a = u - (double)i, b = v - (double)j;
    double low = sl_city_random(seed, salt, i, j) * (1 - a);
    double high = 0;
    if (a > 0) low += sl_city_random(seed, salt, i + 1, j) * a;
    if (b > 0) high = sl_city_random(seed, salt, i, j + 1) * (1 - a) + sl_city_random(seed, salt, i + 1, j + 1) * a;
    return 0.25 * (low * (1 - b) + high * b) - 0.125;
}

sl_city_point sl_city_land_point(const sl_city_land *land, double u, double v) {
    uint64_t s = land->seed;
    /* The slopes of the two waves and the jitter add up to less than one, so that the map never folds over. */
    double du =
        2.6 * sl_city_noise(s, SALT_WARP_X, u / 17, v / 17) + 0.45 * sl_city_noise(s, SALT_WARP_X, u / 5, v / 5 + 1000);
    double dv =
        2.2 * sl_city_noise(s, SALT_WARP_Y, u / 17, v / 17) + 0.40 * sl_city_noise(s, SALT_WARP_Y, u / 5, v / 5 + 1000);
    double x = (u + du + jitter(s, SALT_JITTER_X, u, v)) * BLOCK_X;
    double y = (v + dv + jitter(s, SALT_JITTER_Y, u, v)) * BLOCK_Y;
    /* Turned a little, so that the streets do not run north. */
    return (sl_city_point){0.96 * x - 0.28 * y + 0.28 * BLOCK_Y * 2 * land->mid_v, 0.28 * x + 0.96 * y};
}

/* Distance from the river's middle line, in blocks: it winds from the left to the right, past the middle. */
static double river_distance(const sl_city_land *land, double u, double v) {
    double s = u - land->mid_u;
    double line = land->mid_v + 0.22 * land->half +
                  0.22 * land->half * sl_city_noise(land->seed, SALT_RIVER, s / 40, 0) +
                  1.2 * sl_city_noise(land->seed, SALT_RIVER, s / 9, 50);
    return fabs(v - line);
}

bool sl_city_land_water(const sl_city_land *land, double u, double v) {
    double width = 0.55 + sl_city_min(1.2, land->half / 80);
    return land->river && river_distance(land, u, v) < width;
}

bool sl_city_land_park(const sl_city_land *land, double u, double v) {
    if (land->half < 5) return false;
    double n = sl_city_noise(land->seed, SALT_PARK, u / 6.5, v / 6.5) +
               0.4 * sl_city_noise(land->seed, SALT_PARK, u / 2.5, v / 2.5);
    return n > 0.88;
}

double sl_city_land_region(const sl_city_land *land, double u, double v) {
    return 60 + 15 * sl_city_noise(land->seed, SALT_REGION, u / 300, v / 300);
}

/* The hill or basin of the square around the place: height times (1 - (d/r)^2)^2, its foot bent by noise. */
static double bump(const sl_city_land *land, double u, double v) {
    double su = (u - land->mid_u) / land->bump, sv = (v - land->mid_v) / land->bump;
    int64_t i = whole(su), j = whole(sv);
    double chance = sl_city_random(land->seed, SALT_BUMP, i, 4 * j);
    bool first = i == 0 && j == -1, second = i == -1 && j == -1; /* any town with zones has these two */
    if (!first && !second && chance > 0.8) return 0;
    double size = sl_city_random(land->seed, SALT_BUMP, i, 4 * j + 1);
    double r = 0.34 + 0.12 * size;
    double room = 0.97 - 2 * r;
    double cu = r + 0.015 + room * sl_city_random(land->seed, SALT_BUMP, i, 4 * j + 2);
    double cv = r + 0.015 + room * sl_city_random(land->seed, SALT_BUMP, i, 4 * j + 3);
    double du = (su - (double)i - cu) / r, dv = (sv - (double)j - cv) / r;
    double bent = 1 + 0.22 * sl_city_noise(land->seed, SALT_BUMP, u / (0.3 * land->bump), v / (0.3 * land->bump));
    double d = (du * du + dv * dv) * bent;
    if (d >= 1) return 0;
    double steep = 8 * r * land->bump; /* no steeper than streets can be */
    bool basin = land->basins && (second || (!first && chance < 0.28));
    double height = basin ? -sl_city_min(steep, 26 + 12 * size)
                          : sl_city_min(steep, 40 + 42 * size * sl_city_min(1, land->bump / 30));
    return height * (1 - d) * (1 - d);
}

double sl_city_land_relief(const sl_city_land *land, double u, double v) {
    uint64_t s = land->seed;
    if (land->bump <= 0) { /* a small place on a slope */
        double wave = 1.5 * land->half + 3;
        return 9 * sl_city_noise(s, SALT_RELIEF, u / wave, v / wave) +
               1.5 * sl_city_noise(s, SALT_RELIEF, u / 4, v / 4 + 900);
    }
    double h =
        4.5 * sl_city_noise(s, SALT_RELIEF, u / 22, v / 22) + 1.5 * sl_city_noise(s, SALT_RELIEF, u / 7, v / 7 + 900);
    double b = bump(land, u, v);
    if (land->river) {
        double d = river_distance(land, u, v) / (0.15 * land->bump + 2);
        double near = d < 1 ? d * d * (3 - 2 * d) : 1;
        h = h * (0.5 + 0.5 * near) - 4 * (1 - near);
        b *= near;
    }
    return h + b;
}

double sl_city_land_remote(const sl_city_land *land, double u, double v) {
    double du = u - land->mid_u, dv = (v - land->mid_v) * ((double)BLOCK_Y / BLOCK_X);
    double wave = sl_city_max(4, 0.55 * land->half);
    double n = sl_city_noise(land->seed, SALT_EDGE, u / wave, v / wave) +
               0.5 * sl_city_noise(land->seed, SALT_EDGE, 2.6 * u / wave, 2.6 * v / wave + 400);
    return sqrt(du * du + dv * dv) / land->half * (1 + 0.3 * n);
}

double sl_city_land_density(const sl_city_land *land, double u, double v) {
    double n = sl_city_noise(land->seed, SALT_DENSITY, u / 30, v / 30) +
               0.4 * sl_city_noise(land->seed, SALT_DENSITY, u / 6, v / 6);
    double remote = sl_city_land_remote(land, u, v);
    return sl_city_max(0.25, 1.25 + 0.45 * n - 0.5 * sl_city_min(1.2, remote));
}

int sl_city_land_use(const sl_city_land *land, double u, double v) {
    double n =
        sl_city_noise(land->seed, SALT_USE, u / 9, v / 9) + 0.35 * sl_city_noise(land->seed, SALT_USE, u / 3, v / 3);
    if (n < -0.85) return 2;
    if (n > 0.72 || sl_city_land_remote(land, u, v) < 0.14) return 1;
    return n < -0.1 ? 3 : 0;
}
