/* SPDX-License-Identifier: MIT */
/* city_feeds.c: the trees of mains of a made-up city's zones, and the stations and valves between zones.
 *
 * Each zone has a tree of cheapest ways from its root (the tank, or the valve that feeds it); wide streets are cheap.
 * The design of diameters follows this tree. Dijkstra's method with buckets (Dial 1969): costs are small integers, so
 * the work is linear. A station goes where the way from tank to tank is cheapest, a valve where the feeding zone's tank
 * is nearest, spare valves far from the first.
 */
#include "gen/city_impl.h"

enum { SALT_BORDER = 300 };
enum { N_BUCKET = 1024, LARGE_BORDER = 60, MANY_VALVES = 200 };

/* ---- Trees ---------------------------------------------------------------------------------------------- */

typedef struct queue {
    int32_t head[N_BUCKET]; /* first cell of each bucket; -1: none */
    int32_t *next, *prev;   /* by cell */
    int64_t n;
} queue;

static void queue_push(queue *q, int32_t cell, int32_t cost) {
    int32_t k = cost % N_BUCKET;
    q->next[cell] = q->head[k];
    q->prev[cell] = -1;
    if (q->head[k] >= 0) q->prev[q->head[k]] = cell;
    q->head[k] = cell;
    q->n++;
}

static void queue_remove(queue *q, int32_t cell, int32_t cost) {
    if (q->prev[cell] >= 0)
        q->next[q->prev[cell]] = q->next[cell];
    else
        q->head[cost % N_BUCKET] = q->next[cell];
    if (q->next[cell] >= 0) q->prev[q->next[cell]] = q->prev[cell];
    q->n--;
}

/* Less than N_BUCKET. */
static int32_t street_cost(const sl_city *city, int32_t edge) {
    static const int32_t per_rank[] = {5, 3, 2};
    return (edge & 1 ? 118 : 94) * per_rank[city->rank[edge]];
}

static void relax(sl_city *city, queue *q, int32_t i) {
    for (int side = 0; side < 4; side++) {
        int32_t j = sl_city_neighbour(city, i, side);
        if (j < 0 || city->zone[j] != city->zone[i]) continue;
        int32_t e = sl_city_edge_of(city, i, side);
        if (!sl_city_is_pipe(city->kind[e])) continue;
        int32_t cost = city->cost[i] + street_cost(city, e);
        if (cost >= city->cost[j]) continue;
        if (city->cost[j] != INT32_MAX) queue_remove(q, j, city->cost[j]);
        city->cost[j] = cost;
        city->up[j] = (int8_t)((side + 2) % 4);
        queue_push(q, j, cost);
    }
}

/* Trees of the zones fed by valves, or of all others. */
static sl_status route(sl_city *city, bool by_valves) {
    size_t bytes = (size_t)city->n_cell * sizeof(int32_t);
    queue *q = sl_alloc(city->ctx, sizeof *q);
    int32_t *next = sl_alloc(city->ctx, bytes), *prev = sl_alloc(city->ctx, bytes);
    if (q && next && prev) {
        for (int32_t k = 0; k < N_BUCKET; k++) q->head[k] = -1;
        q->next = next;
        q->prev = prev;
        for (int32_t k = 0; k < city->zones.n; k++) {
            const sl_city_zone *zone = &city->zones.at[k];
            if ((zone->tank < 0) != by_valves) continue;
            city->cost[zone->root] = 0;
            queue_push(q, zone->root, 0);
        }
        for (int32_t cost = 0; q->n > 0; cost++) {
            int32_t i;
            while ((i = q->head[cost % N_BUCKET]) >= 0) {
                queue_remove(q, i, cost);
                city->order[city->n_order++] = i;
                relax(city, q, i);
            }
        }
    }
    bool ok = q && next && prev;
    if (q) sl_free(city->ctx, q, sizeof *q);
    if (next) sl_free(city->ctx, next, bytes);
    if (prev) sl_free(city->ctx, prev, bytes);
    return ok ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Stations and valves ---------------------------------------------------------------------------------- */

/* The best street so far for each zone. */
typedef struct pick {
    int32_t edge, from, to;
    double score; /* the less the better */
} pick;

typedef double (*pick_score)(const sl_city *city, const sl_city_zone *zone, int32_t from, int32_t to);

static double blocks(const sl_city *city, int32_t a, int32_t b) {
    double du = a % city->n_col - b % city->n_col, dv = a / city->n_col - b / city->n_col;
    return du * du + dv * dv;
}

static double path_between_tanks(const sl_city *city, const sl_city_zone *zone, int32_t from, int32_t to) {
    return (double)city->cost[from] + (zone->tank < 0 ? 0 : city->cost[to]);
}

/* Far from every station and valve of the zone. */
static double nearness(const sl_city *city, const sl_city_zone *zone, int32_t from, int32_t to) {
    (void)from;
    double nearest = 1e30;
    for (int32_t k = 0; k < zone->n_supply; k++) nearest = sl_city_min(nearest, blocks(city, zone->supply[k], to));
    return -nearest;
}

static void offer(const sl_city *city, pick *picks, int32_t edge, int32_t from, int32_t to, bool down,
                  pick_score score) {
    int32_t number = down ? city->zone[from] : city->zone[to];
    const sl_city_zone *zone = &city->zones.at[number];
    if (zone->feeder < 0 || zone->feeder != (down ? city->zone[to] : city->zone[from])) return;
    double x = down ? score(city, zone, to, from) : score(city, zone, from, to);
    pick *p = &picks[number];
    if (p->edge >= 0 && x >= p->score) return;
    *p = (pick){edge, from, to, x};
}

/* For every zone the street from (or, down, to) its feeder with the least score. */
static void pick_streets(const sl_city *city, pick *picks, bool down, pick_score score) {
    for (int32_t k = 0; k < city->zones.n; k++) picks[k].edge = -1;
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        int32_t a, b;
        if (!sl_city_is_pipe(city->kind[e]) || !sl_city_is_border(city, e, &a, &b)) continue;
        offer(city, picks, e, a, b, down, score);
        offer(city, picks, e, b, a, down, score);
    }
}

static bool place(sl_city *city, const pick *p, int32_t zone, int32_t rank) {
    sl_city_feed feed = {.edge = p->edge, .from = p->from, .to = p->to, .zone = zone, .rank = rank};
    sl_city_zone *z = &city->zones.at[zone];
    z->supply[z->n_supply++] = rank < 0 ? p->from : p->to;
    city->kind[p->edge] = rank == 0 && z->tank >= 0 ? SL_CITY_PUMPED : SL_CITY_REDUCED;
    city->n_special += 2;
    if (rank == 0) z->first_feed = (int32_t)city->feeds.n;
    return SL_PUSH(city->ctx, &city->feeds, feed);
}

/* The first station or valve of every fed zone. */
static bool place_first(sl_city *city, pick *picks) {
    pick_streets(city, picks, false, path_between_tanks);
    for (int32_t k = 0; k < city->zones.n; k++) {
        sl_city_zone *zone = &city->zones.at[k];
        if (zone->feeder < 0) continue;
        zone->entry = picks[k].to;
        if (zone->tank < 0) zone->root = zone->entry;
        if (!place(city, &picks[k], k, 0)) return false;
    }
    return true;
}

/* Spare valves of zones fed by valves; emergency valves down from the pumped ones. */
static bool place_spare(sl_city *city, pick *picks, int32_t rank) {
    bool down = rank < 0;
    pick_streets(city, picks, down, nearness);
    for (int32_t k = 0; k < city->zones.n; k++) {
        const sl_city_zone *zone = &city->zones.at[k];
        if (zone->feeder < 0 || picks[k].edge < 0 || down != (zone->tank >= 0)) continue;
        if (zone->n_crossing < (rank == 2 ? MANY_VALVES : LARGE_BORDER) || picks[k].score > -9) continue;
        if (!place(city, &picks[k], k, rank)) return false;
    }
    return true;
}

/* Streets between zones without station or valve are shut or not there. */
static void close_borders(sl_city *city) {
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        int32_t a, b;
        if (!sl_city_is_pipe(city->kind[e]) || !sl_city_is_border(city, e, &a, &b)) continue;
        bool shut = city->rank[e] != SL_CITY_STREET || sl_city_random(city->land.seed, SALT_BORDER, e, 0) < 0.35;
        city->kind[e] = shut ? SL_CITY_SHUT : SL_CITY_NONE;
    }
}

sl_status sl_city_feeds_place(sl_city *city) {
    for (int32_t i = 0; i < city->n_cell; i++) {
        city->cost[i] = INT32_MAX;
        city->up[i] = -1;
    }
    for (int32_t k = 0; k < city->zones.n; k++) city->n_special += city->zones.at[k].feeder < 0;
    sl_status status = route(city, false);
    if (status != SL_OK) return status;
    size_t bytes = (size_t)city->zones.n * sizeof(pick);
    pick *picks = sl_alloc(city->ctx, bytes);
    if (!picks) return SL_ERR_MEMORY;
    bool ok = place_first(city, picks) && place_spare(city, picks, 1) && place_spare(city, picks, 2) &&
              place_spare(city, picks, -1);
    sl_free(city->ctx, picks, bytes);
    if (!ok) return SL_ERR_MEMORY;
    close_borders(city);
    return route(city, true);
}
