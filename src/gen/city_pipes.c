/* SPDX-License-Identifier: MIT */
/* city_pipes.c: streets of a made-up city cut into pipes: junctions along them, dead ends off them, demands.
 *
 * The number of junctions comes out exactly: crossings and stations are given, those along streets are drawn to about
 * the wanted share, dead ends get all the rest, spread evenly by carrying a remainder from host to host.
 * A junction's mean demand follows the density of the place; it is booked half to each end of its street, for the
 * design of the mains.
 */
#include "gen/city_impl.h"

#include <assert.h>
#include <math.h>

enum { SALT_MID = 400, SALT_PLACE, SALT_BRANCH, SALT_DEMAND, SALT_BEND, SALT_WORKS };
enum { MAX_MID = 6 };

static const double mean_demand = 280; /* of a junction [1e-7 m3/s] */

/* Where a junction hangs: the crossings to which its demand is booked. */
typedef struct host {
    double u, v;
    int32_t a, b; /* crossings; equal at a crossing */
} host;

typedef struct branches {
    int32_t n_left; /* junctions still to be placed */
    double share;   /* per host */
    double carry;
    double wait; /* carry at which the next one starts */
    int64_t count;
} branches;

/* ---- Counting ---------------------------------------------------------------------------------------------- */

static bool is_wet(const sl_city *city, int32_t cell) {
    return sl_city_land_water(&city->land, cell % city->n_col, cell / city->n_col);
}

/* Draws the number of junctions between the ends of each street. */
static void draw_mids(sl_city *city) {
    int32_t n = city->def->n_junction, room = n - city->n_crossing - city->n_special;
    int64_t n_street = 0;
    for (int32_t e = 0; e < 2 * city->n_cell; e++) n_street += city->kind[e] == SL_CITY_PIPE;
    double share = sl_city_max(0, (0.78 * n - city->n_crossing - city->n_special) / (double)n_street);
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        city->n_mid[e] = city->kind[e] == SL_CITY_PUMPED || city->kind[e] == SL_CITY_REDUCED ? 2 : 0;
        if (city->kind[e] != SL_CITY_PIPE) continue;
        int32_t k = (int32_t)(share + sl_city_random(city->land.seed, SALT_MID, e, 0));
        k = k > MAX_MID ? MAX_MID : k;
        k = k > room ? room : k;
        city->n_mid[e] = (uint8_t)k;
        room -= k;
    }
}

/* A side of the crossing where there is no street but dry land; -1: none. */
static int gap_of(const sl_city *city, int32_t cell) {
    static const int du[] = {1, 0, -1, 0}, dv[] = {0, 1, 0, -1};
    int first = (int)(sl_city_hash(city->land.seed, SALT_BRANCH, cell, 1) % 4);
    for (int k = 0; k < 4; k++) {
        int side = (first + k) % 4;
        int32_t j = sl_city_neighbour(city, cell, side);
        if (j >= 0 && city->kind[sl_city_edge_of(city, cell, side)] != SL_CITY_NONE) continue;
        double u = cell % city->n_col + 0.45 * du[side], v = cell / city->n_col + 0.45 * dv[side];
        if (!sl_city_land_water(&city->land, u, v)) return side;
    }
    return -1;
}

static branches plan_branches(sl_city *city) {
    int32_t n_host = 0, n = city->n_crossing + city->n_special;
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] >= 0) n_host += gap_of(city, i) >= 0;
    }
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        if (city->kind[e] != SL_CITY_PIPE) continue;
        n += city->n_mid[e];
        n_host += city->n_mid[e];
    }
    branches b = {.n_left = city->def->n_junction - n, .wait = 1};
    assert(b.n_left >= 0);
    b.share = n_host > 0 ? (double)b.n_left / n_host : 0;
    return b;
}

/* ---- Junctions and pipes -------------------------------------------------------------------------------------- */

static void set_junction(sl_city *city, int32_t index, const host *h) {
    sl_city_point p = sl_city_land_point(&city->land, h->u, h->v);
    sl_city_junction *j = &city->junctions.at[index];
    j->x = (float)p.x;
    j->y = (float)p.y;
    j->z = sl_city_ground(city, city->zones.at[city->zone[h->a]].level, h->u, h->v);
    city->z_high[h->a] = sl_city_max(city->z_high[h->a], j->z);
    city->z_high[h->b] = sl_city_max(city->z_high[h->b], j->z);
}

static void book(sl_city *city, const host *h, int32_t demand) {
    city->flow[h->a] += 0.5e-7 * demand;
    city->flow[h->b] += 0.5e-7 * demand;
    city->zones.at[city->zone[h->a]].mean += 1e-7 * demand;
}

/* Homes mostly; here and there a large user, one in 25 with two categories. */
static void set_demand(sl_city *city, int32_t index, const host *h, bool branch) {
    const sl_city_land *land = &city->land;
    sl_city_junction *j = &city->junctions.at[index];
    double r = sl_city_random(land->seed, SALT_DEMAND, index, 0);
    double x = mean_demand * sl_city_land_density(land, h->u, h->v) *
               (0.5 + sl_city_random(land->seed, SALT_DEMAND, index, 1));
    j->use = (uint8_t)sl_city_land_use(land, h->u, h->v);
    if (branch) x *= 0.7;
    if (!branch && r < 0.012) {
        x *= 5 + 600 * r;
        j->use = (uint8_t)(1 + sl_city_hash(land->seed, SALT_DEMAND, index, 2) % 2);
    }
    j->demand = (int32_t)x;
    if (r > 0.96) {
        j->use2 = (uint8_t)(j->use == 1 ? 0 : 1);
        j->second = (int32_t)(x * (0.2 + 8 * (r - 0.96)));
    }
    book(city, h, j->demand + j->second);
}

static double length_between(const sl_city_junction *a, const sl_city_junction *b) {
    double dx = (double)a->x - (double)b->x, dy = (double)a->y - (double)b->y;
    return sqrt(dx * dx + dy * dy);
}

static sl_status add_pipe(sl_city *city, int32_t a, int32_t b, int32_t edge, bool shut, const sl_city_point *bend) {
    const sl_city_junction *ja = &city->junctions.at[a], *jb = &city->junctions.at[b];
    double length = length_between(ja, jb);
    if (bend) {
        sl_city_junction mid = {.x = (float)bend->x, .y = (float)bend->y};
        length = length_between(ja, &mid) + length_between(&mid, jb);
        sl_city_vertex vertex = {(int32_t)city->pipes.n, mid.x, mid.y};
        if (!SL_PUSH(city->ctx, &city->vertices, vertex)) return SL_ERR_MEMORY;
    }
    sl_city_pipe p = {
        .a = a, .b = b, .edge = edge, .length = (int32_t)(100 * sl_city_max(5, length) + 0.5), .shut = shut};
    return SL_PUSH(city->ctx, &city->pipes, p) ? SL_OK : SL_ERR_MEMORY;
}

/* A dead end of 1 to 3 junctions that leaves the host in a direction (in blocks). */
static sl_status add_branch(sl_city *city, branches *b, int32_t from, const host *h, double du, double dv,
                            int32_t size) {
    host at = *h;
    for (int32_t k = 0; k < size; k++) {
        int64_t n = b->count++;
        double step = 0.22 + 0.12 * sl_city_random(city->land.seed, SALT_BRANCH, n, 2);
        if (k == 1 && sl_city_random(city->land.seed, SALT_BRANCH, n, 3) < 0.45) { /* turns off */
            double turn = sl_city_random(city->land.seed, SALT_BRANCH, n, 4) < 0.5 ? -0.8 : 0.8, old = du;
            du = turn * dv;
            dv = -turn * old;
        }
        at.u += step * du;
        at.v += step * dv;
        int32_t index = (int32_t)city->junctions.n;
        if (!SL_PUSH(city->ctx, &city->junctions, ((sl_city_junction){0}))) return SL_ERR_MEMORY;
        set_junction(city, index, &at);
        set_demand(city, index, &at, true);
        sl_status status = add_pipe(city, from, index, -1, false, NULL);
        if (status != SL_OK) return status;
        from = index;
        b->n_left--;
    }
    return SL_OK;
}

static sl_status offer_branch(sl_city *city, branches *b, int32_t from, const host *h, double du, double dv) {
    b->carry += b->share;
    if (b->carry < b->wait || b->n_left == 0) return SL_OK;
    int32_t size = (int32_t)b->wait;
    size = size > b->n_left ? b->n_left : size;
    b->carry -= size;
    double r = sl_city_random(city->land.seed, SALT_BRANCH, b->count, 5);
    b->wait = r < 0.5 ? 1 : r < 0.8 ? 2 : 3;
    return add_branch(city, b, from, h, du, dv, size);
}

/* ---- A street --------------------------------------------------------------------------------------------------- */

static host street_host(const sl_city *city, int32_t edge, double t) {
    host h;
    sl_city_edge_ends(city, edge, &h.a, &h.b);
    h.u = h.a % city->n_col + (edge & 1 ? 0 : t);
    h.v = h.a / city->n_col + (edge & 1 ? t : 0);
    return h;
}

/* Index of the k-th junction of a street from its first end (-1) to its last (n_mid). */
static int32_t street_junction(const sl_city *city, int32_t edge, int32_t k) {
    int32_t a, b;
    sl_city_edge_ends(city, edge, &a, &b);
    if (k < 0) return city->junction[a];
    if (k == city->n_mid[edge]) return city->junction[b];
    return city->junction[a] + 1 + (edge & 1 ? city->n_mid[edge - 1] : 0) + k;
}

static sl_status cut_pipes(sl_city *city, int32_t edge) {
    int32_t n = city->n_mid[edge];
    uint8_t kind = city->kind[edge];
    bool gate = kind == SL_CITY_PUMPED || kind == SL_CITY_REDUCED;
    for (int32_t k = 0; k <= n; k++) {
        if (gate && k == 1) continue; /* the pumps or the valve stand here */
        sl_city_point bend;
        bool bent = !gate && sl_city_random(city->land.seed, SALT_BEND, edge, k) < (n == 0 ? 0.25 : 0.05);
        if (bent) {
            host h = street_host(city, edge, (k + 0.5) / (n + 1));
            double off = 0.12 * sl_city_random(city->land.seed, SALT_BEND, edge, k + 10) - 0.06;
            bend = sl_city_land_point(&city->land, h.u + (edge & 1 ? off : 0), h.v + (edge & 1 ? 0 : off));
        }
        int32_t a = street_junction(city, edge, k - 1), b = street_junction(city, edge, k);
        sl_status status = add_pipe(city, a, b, edge, kind == SL_CITY_SHUT, bent ? &bend : NULL);
        if (status != SL_OK) return status;
    }
    return SL_OK;
}

static sl_status cut_street(sl_city *city, branches *b, int32_t edge) {
    int32_t n = city->n_mid[edge];
    bool gate = city->kind[edge] != SL_CITY_PIPE;
    for (int32_t k = 0; k < n; k++) {
        double t = (k + 1.0) / (n + 1);
        if (gate)
            t = k == 0 ? 0.42 : 0.58;
        else
            t += 0.3 / (n + 1) * (sl_city_random(city->land.seed, SALT_PLACE, edge, k) - 0.5);
        host h = street_host(city, edge, t);
        if (gate && k == 1)
            h.a = h.b; /* the two sides lie in different zones */
        else if (gate)
            h.b = h.a;
        int32_t index = street_junction(city, edge, k);
        set_junction(city, index, &h);
        if (gate) continue;
        set_demand(city, index, &h, false);
        double turn = sl_city_hash(city->land.seed, SALT_PLACE, edge, 10 + k) & 1 ? 1 : -1;
        sl_status status = offer_branch(city, b, index, &h, edge & 1 ? turn : 0.1, edge & 1 ? 0.1 : turn);
        if (status != SL_OK) return status;
    }
    return city->kind[edge] == SL_CITY_NONE ? SL_OK : cut_pipes(city, edge);
}

static sl_status cut_crossing(sl_city *city, branches *b, int32_t cell) {
    static const int du[] = {1, 0, -1, 0}, dv[] = {0, 1, 0, -1};
    host h = {.u = cell % city->n_col, .v = cell / city->n_col, .a = cell, .b = cell};
    int32_t index = city->junction[cell];
    if (!is_wet(city, cell)) set_demand(city, index, &h, false);
    int side = gap_of(city, cell);
    if (side < 0) return SL_OK;
    return offer_branch(city, b, index, &h, du[side], dv[side]);
}

/* Numbers the junctions of crossings and streets; dead ends and works follow. */
static sl_status number_junctions(sl_city *city) {
    if (!SL_RESERVE(city->ctx, &city->junctions, city->def->n_junction)) return SL_ERR_MEMORY;
    int32_t n = 0;
    for (int32_t i = 0; i < city->n_cell; i++) {
        if (city->zone[i] < 0) continue;
        city->junction[i] = n;
        n += 1 + city->n_mid[2 * i] + city->n_mid[2 * i + 1];
    }
    for (int32_t i = 0; i < n; i++) city->junctions.at[i] = (sl_city_junction){0};
    city->junctions.n = n;
    for (int64_t k = 0; k < city->feeds.n; k++) {
        sl_city_feed *f = &city->feeds.at[k];
        bool forward = f->from == f->edge / 2;
        f->a = street_junction(city, f->edge, forward ? 0 : 1);
        f->b = street_junction(city, f->edge, forward ? 1 : 0);
    }
    return SL_OK;
}

/* The junction between the works' pumps and the street. */
static sl_status add_works(sl_city *city) {
    for (int32_t k = 0; k < city->zones.n; k++) {
        sl_city_zone *zone = &city->zones.at[k];
        if (zone->feeder >= 0) continue;
        zone->works_a = (int32_t)city->junctions.n;
        host h = {.u = zone->entry % city->n_col, .v = zone->entry / city->n_col, .a = zone->entry, .b = zone->entry};
        double turn = sl_city_random(city->land.seed, SALT_WORKS, k, 0) - 0.5;
        h.u += turn < 0 ? -0.3 : 0.3;
        h.v += sl_city_random(city->land.seed, SALT_WORKS, k, 1) < 0.5 ? -0.3 : 0.3;
        if (!SL_PUSH(city->ctx, &city->junctions, ((sl_city_junction){0}))) return SL_ERR_MEMORY;
        set_junction(city, zone->works_a, &h);
    }
    return SL_OK;
}

sl_status sl_city_pipes_cut(sl_city *city) {
    draw_mids(city);
    branches b = plan_branches(city);
    sl_status status = number_junctions(city);
    if (status == SL_OK) status = add_works(city);
    for (int32_t i = 0; status == SL_OK && i < city->n_cell; i++) { /* all places first: pipes need both ends */
        host h = {.u = i % city->n_col, .v = i / city->n_col, .a = i, .b = i};
        if (city->zone[i] >= 0) set_junction(city, city->junction[i], &h);
    }
    for (int32_t i = 0; status == SL_OK && i < city->n_cell; i++) {
        if (city->zone[i] < 0) continue;
        status = cut_crossing(city, &b, i);
        for (int side = 0; status == SL_OK && side < 2; side++) status = cut_street(city, &b, 2 * i + side);
    }
    while (status == SL_OK && b.n_left > 0) { /* the remainder: at the works */
        const sl_city_zone *zone = &city->zones.at[0];
        int32_t cell = zone->entry >= 0 ? zone->entry : zone->root;
        host h = {.u = cell % city->n_col, .v = cell / city->n_col, .a = cell, .b = cell};
        double turn = b.n_left & 1 ? 0.7 : -0.7;
        status = add_branch(city, &b, city->junction[cell], &h, turn, b.n_left & 2 ? 0.7 : -0.7,
                            b.n_left > 3 ? 3 : b.n_left);
    }
    return status;
}
