/* SPDX-License-Identifier: MIT */
/* city_zones.c: pressure zones of a made-up city, and where water enters them.
 *
 * Zones are connected parts of one level of the ground (steps of about 30 m); the ground level is divided further into
 * supply areas of about 9000 crossings, so that no main has to be wider than 1.2 m. Parts too small to be a zone join a
 * neighbour. A zone of the ground level has works of its own; a higher zone is fed by a pump station from the zone
 * below, a lower one through pressure-reducing valves from the zone above. All other streets between zones are shut
 * or missing, so that each zone's heads are set by its tank or valve alone: that keeps any city feasible.
 */
#include "gen/city_impl.h"

#include <assert.h>
#include <math.h>

enum { SALT_AREA = 200 };
enum { AREA_BLOCKS = 95, SMALL_ZONE = 5, SMALL_ZONE_BIG_CITY = 24 };

/* Bounds of a level's ground, relative to the region [m]. */
static const double level_low[] = {-60, -14, 16, 50}, level_high[] = {-14, 16, 50, 110};

double sl_city_ground(const sl_city *city, int32_t level, double u, double v) {
    double relief = sl_city_land_relief(&city->land, u, v);
    double low = level_low[level - SL_CITY_LEVEL_LOW] - 5, high = level_high[level - SL_CITY_LEVEL_LOW] + 5;
    return sl_city_land_region(&city->land, u, v) + sl_city_max(low, sl_city_min(high, relief));
}

static int32_t level_of(double relief) {
    int32_t level = SL_CITY_LEVEL_LOW;
    while (level < SL_CITY_LEVEL_TOP && relief > level_high[level - SL_CITY_LEVEL_LOW]) level++;
    return level;
}

/* Supply area of a place: the nearest of a jittered grid of centres. */
static int32_t area_of(const sl_city *city, double u, double v) {
    double width = 2 * city->land.half;
    int32_t n = (int32_t)(width / AREA_BLOCKS + 0.5);
    if (n < 2) return 0;
    double side = width / n;
    double su = (u - city->land.mid_u + city->land.half) / side, sv = (v - city->land.mid_v + city->land.half) / side;
    su = sl_city_max(0, sl_city_min(n - 1, su));
    sv = sl_city_max(0, sl_city_min(n - 1, sv));
    int32_t i0 = (int32_t)su, j0 = (int32_t)sv, best = 0;
    double d_best = 1e30;
    for (int32_t i = i0 - 1; i <= i0 + 1; i++) {
        for (int32_t j = j0 - 1; j <= j0 + 1; j++) {
            if (i < 0 || j < 0 || i >= n || j >= n) continue;
            double du = i + 0.3 + 0.4 * sl_city_random(city->land.seed, SALT_AREA, i, 2 * j) - su;
            double dv = j + 0.3 + 0.4 * sl_city_random(city->land.seed, SALT_AREA, i, 2 * j + 1) - sv;
            if (du * du + dv * dv >= d_best) continue;
            d_best = du * du + dv * dv;
            best = i * n + j;
        }
    }
    return best;
}

/* ---- Connected parts ----------------------------------------------------------------------------------- */

typedef struct city_component {
    int32_t level;
    int32_t n;
    int32_t into; /* union-find parent */
    int32_t best; /* best neighbour to join */
    int64_t score;
    int32_t number; /* of the zone */
} city_component;

typedef SL_ARRAY(city_component) city_component_list;

/* Numbers the connected parts of equal key into zone[]. */
static sl_status find_components(sl_city *city, const int32_t *key, city_component_list *parts) {
    for (int32_t start = 0; start < city->n_cell; start++) {
        if (city->zone[start] != INT32_MAX) continue;
        int32_t number = (int32_t)parts->n, n = 0;
        city->zone[start] = number;
        city->order[n++] = start;
        for (int32_t k = 0; k < n; k++) {
            int32_t i = city->order[k];
            for (int side = 0; side < 4; side++) {
                int32_t j = sl_city_neighbour(city, i, side);
                if (j < 0 || city->zone[j] != INT32_MAX || key[j] != key[i]) continue;
                if (city->kind[sl_city_edge_of(city, i, side)] == SL_CITY_NONE) continue;
                city->zone[j] = number;
                city->order[n++] = j;
            }
        }
        city_component p = {.level = key[start] & 3, .n = n, .into = number};
        p.level = p.level + SL_CITY_LEVEL_LOW;
        if (!SL_PUSH(city->ctx, parts, p)) return SL_ERR_MEMORY;
    }
    return SL_OK;
}

static int32_t find(city_component_list *parts, int32_t i) {
    assert(parts->at);
    while (parts->at[i].into != i) i = parts->at[i].into = parts->at[parts->at[i].into].into;
    return i;
}

/* Join the same level first, then the nearest, then the largest. */
static void offer(city_component *small, const city_component *other, int32_t number, int32_t smallest) {
    if (small->n >= smallest) return;
    int64_t gap = small->level - other->level;
    gap = gap < 0 ? -gap : gap;
    int64_t score = (8 - gap) * (INT64_C(1) << 32) + other->n;
    if (score > small->score || (score == small->score && number < small->best)) {
        small->score = score;
        small->best = number;
    }
}

/* Lets parts that are too small join a neighbour, until none is left. */
static void join_small(sl_city *city, city_component_list *parts, int32_t smallest) {
    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t i = 0; i < parts->n; i++) {
            parts->at[i].best = -1;
            parts->at[i].score = 0;
        }
        for (int32_t e = 0; e < 2 * city->n_cell; e++) {
            if (city->kind[e] == SL_CITY_NONE) continue;
            int32_t a, b;
            sl_city_edge_ends(city, e, &a, &b);
            if (city->zone[a] == city->zone[b]) continue;
            a = find(parts, city->zone[a]);
            b = find(parts, city->zone[b]);
            if (a == b) continue;
            offer(&parts->at[a], &parts->at[b], b, smallest);
            offer(&parts->at[b], &parts->at[a], a, smallest);
        }
        for (int32_t i = 0; i < parts->n; i++) {
            city_component *p = &parts->at[i];
            if (p->into != i || p->best < 0) continue;
            int32_t other = find(parts, p->best);
            if (other == i) continue;
            city_component *q = &parts->at[other];
            if (p->n > q->n) q->level = p->level;
            q->n += p->n;
            p->into = other;
            changed = true;
        }
    }
}

static sl_status make_zones(sl_city *city, city_component_list *parts) {
    for (int32_t i = 0; i < parts->n; i++) {
        city_component *p = &parts->at[i];
        if (p->into != i) continue;
        p->number = (int32_t)city->zones.n;
        sl_city_zone z = {
            .level = p->level, .n_crossing = p->n, .feeder = -1, .entry = -1, .tank = -1, .root = -1, .works_a = -1};
        if (!SL_PUSH(city->ctx, &city->zones, z)) return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] >= 0) city->zone[i] = parts->at[find(parts, city->zone[i])].number;
    }
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] < 0) continue;
        int32_t level = city->zones.at[city->zone[i]].level;
        city->z[i] = sl_city_ground(city, level, i % city->n_col, i / city->n_col);
        city->z_high[i] = city->z[i];
    }
    return SL_OK;
}

static sl_status divide(sl_city *city) {
    int32_t *key = city->junction; /* free until the pipes are cut */
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] < 0) continue;
        double u = i % city->n_col, v = i / city->n_col;
        int32_t level = level_of(sl_city_land_relief(&city->land, u, v));
        key[i] = 4 * (level == 0 ? area_of(city, u, v) : 0) + (level - SL_CITY_LEVEL_LOW);
        city->zone[i] = INT32_MAX;
    }
    city_component_list parts = {0};
    sl_status status = find_components(city, key, &parts);
    if (status == SL_OK) {
        join_small(city, &parts, city->n_crossing < 1500 ? SMALL_ZONE : SMALL_ZONE_BIG_CITY);
        status = make_zones(city, &parts);
    }
    SL_ARRAY_FINI(city->ctx, &parts);
    return status;
}

/* ---- Who feeds whom ------------------------------------------------------------------------------------ */

/* May the zone get its water from the other? Levels fall towards the works, so that nobody feeds himself. */
static bool may_feed(const sl_city_zone *zone, const sl_city_zone *other) {
    if (zone->level == 0 || other->level < 0) return false;
    return zone->level < 0 || other->level < zone->level;
}

static void offer_feeder(sl_city *city, int32_t zone, int32_t other) {
    sl_city_zone *z = &city->zones.at[zone];
    const sl_city_zone *o = &city->zones.at[other];
    if (!may_feed(z, o)) return;
    if (z->feeder >= 0) {
        const sl_city_zone *now = &city->zones.at[z->feeder];
        int gap = z->level > o->level ? z->level - o->level : o->level - z->level;
        int gap_now = z->level > now->level ? z->level - now->level : now->level - z->level;
        if (gap > gap_now || (gap == gap_now && o->n_crossing <= now->n_crossing)) return;
    }
    z->feeder = other;
}

bool sl_city_is_border(const sl_city *city, int32_t edge, int32_t *a, int32_t *b) {
    if (city->kind[edge] == SL_CITY_NONE) return false;
    sl_city_edge_ends(city, edge, a, b);
    return city->zone[*a] != city->zone[*b];
}

static void choose_feeders(sl_city *city) {
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        int32_t a, b;
        if (!sl_city_is_border(city, e, &a, &b)) continue;
        offer_feeder(city, city->zone[a], city->zone[b]);
        offer_feeder(city, city->zone[b], city->zone[a]);
    }
}

/* ---- Tanks and works ------------------------------------------------------------------------------------- */

static int n_street(const sl_city *city, int32_t cell) {
    int n = 0;
    for (int side = 0; side < 4; side++) {
        int32_t j = sl_city_neighbour(city, cell, side);
        if (j >= 0 && city->zone[j] == city->zone[cell] &&
            city->kind[sl_city_edge_of(city, cell, side)] != SL_CITY_NONE)
            n++;
    }
    return n;
}

static double blocks_between(const sl_city *city, int32_t a, double row, double col) {
    double du = a % city->n_col - col, dv = a / city->n_col - row;
    return sqrt(du * du + dv * dv);
}

typedef struct site {
    double row, col; /* the zone's middle */
    double tank_score, works_score;
} site;

/* How good a place is for the tank: high, central, where two avenues cross. */
static double tank_score(const sl_city *city, const sl_city_zone *zone, const site *s, int32_t i) {
    int32_t avenue = city->land.avenue;
    double radius = sqrt(zone->n_crossing / 3.14) + 0.5;
    int on = ((i % city->n_col) % avenue == 1) + ((i / city->n_col) % avenue == 1);
    double d = blocks_between(city, i, s->row, s->col) / radius;
    return 1.5 * on + city->z[i] / 7 - 2.5 * d - (n_street(city, i) < 2 ? 20 : 0);
}

/* Works stand low, on an avenue, some way from the tank. */
static double works_score(const sl_city *city, const sl_city_zone *zone, int32_t i) {
    int32_t avenue = city->land.avenue;
    double radius = sqrt(zone->n_crossing / 3.14) + 0.5;
    int on = ((i % city->n_col) % avenue == 1) + ((i / city->n_col) % avenue == 1);
    double d = blocks_between(city, i, zone->tank / city->n_col, zone->tank % city->n_col) / radius;
    double off = d > 0.7 ? d - 0.7 : 0.7 - d;
    return 0.8 * on - city->z[i] / 10 - 4 * off - (i == zone->tank ? 1000 : 0);
}

static sl_status choose_sites(sl_city *city) {
    size_t bytes = (size_t)city->zones.n * sizeof(site);
    site *sites = sl_alloc(city->ctx, bytes);
    if (!sites) return SL_ERR_MEMORY;
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] < 0) continue;
        sites[city->zone[i]].row += i / city->n_col;
        sites[city->zone[i]].col += i % city->n_col;
    }
    for (int32_t k = 0; k < city->zones.n; k++) {
        sites[k].row /= city->zones.at[k].n_crossing;
        sites[k].col /= city->zones.at[k].n_crossing;
        sites[k].tank_score = sites[k].works_score = -1e30;
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < city->n_cell; i++) {
            if (city->zone[i] < 0) continue;
            sl_city_zone *zone = &city->zones.at[city->zone[i]];
            site *s = &sites[city->zone[i]];
            if (pass == 0 ? zone->level < 0 && zone->feeder >= 0 : zone->feeder >= 0) continue;
            double score = pass == 0 ? tank_score(city, zone, s, i) : works_score(city, zone, i);
            double *best = pass == 0 ? &s->tank_score : &s->works_score;
            if (score <= *best) continue;
            *best = score;
            if (pass == 0) zone->tank = zone->root = i;
            if (pass == 1) zone->entry = i;
        }
    }
    sl_free(city->ctx, sites, bytes);
    return SL_OK;
}

static bool on_line(int32_t line, int32_t middle, int32_t ring) {
    return line == middle || (ring > 0 && (line == middle - ring || line == middle + ring));
}

/* Trunk mains: the avenues through the tank and a ring around it. */
static void rank_streets(sl_city *city) {
    int32_t avenue = city->land.avenue;
    for (int32_t k = 0; k < city->zones.n; k++) {
        sl_city_zone *zone = &city->zones.at[k];
        int32_t rings = (int32_t)(0.27 * sqrt(zone->n_crossing) / avenue + 0.5);
        zone->ring = zone->n_crossing < 100 ? 0 : avenue * (rings < 1 ? 1 : rings);
    }
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        int32_t a, b;
        if (city->kind[e] == SL_CITY_NONE || sl_city_is_border(city, e, &a, &b)) continue;
        sl_city_edge_ends(city, e, &a, &b);
        const sl_city_zone *zone = &city->zones.at[city->zone[a]];
        if (zone->tank < 0 || zone->n_crossing < 40) continue;
        int32_t row = a / city->n_col, col = a % city->n_col;
        int32_t line = e & 1 ? col : row, along = e & 1 ? row : col;
        int32_t middle = e & 1 ? zone->tank % city->n_col : zone->tank / city->n_col;
        int32_t across = e & 1 ? zone->tank / city->n_col : zone->tank % city->n_col;
        bool ring_side = along >= across - zone->ring && along < across + zone->ring;
        if (on_line(line, middle, ring_side ? zone->ring : 0)) city->rank[e] = SL_CITY_TRUNK;
    }
}

sl_status sl_city_zones_draw(sl_city *city) {
    sl_status status = divide(city);
    if (status != SL_OK) return status;
    choose_feeders(city);
    status = choose_sites(city);
    if (status != SL_OK) return status;
    rank_streets(city);
    return SL_OK;
}
