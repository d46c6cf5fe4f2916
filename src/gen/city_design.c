/* SPDX-License-Identifier: MIT */
/* city_design.c: diameters, heads, pumps, tanks and valve settings of a made-up city.
 *
 * As an engineer would do it by hand: peak demand is summed up along each zone's tree of mains, each main gets the
 * smallest diameter whose friction slope and velocity are acceptable, the tank is put as high as the worst-placed
 * junction needs at peak, the pumps lift the zone's mean inflow with some spare to that head. Loops only help: with
 * them the water loses less energy than in the tree.
 *
 * Friction here is Darcy-Weisbach with one friction factor (0.026), on the safe side of what the pipes get.
 * SI units. Zones are designed before the zone that feeds them.
 */
#include "gen/city_impl.h"

static const double friction_factor = 0.026, gravity = 9.81, pi = 3.14159265358979;
static const double peak_factor = 1.65;   /* largest hour of the day over the mean */
static const double pumped_factor = 1.4;  /* what a station gives with all pumps, over the zone's mean */
static const double least_pressure = 27;  /* at peak with a low tank [m] */
static const double least_lift = 16;      /* of a pump station [m] */
static const double storage = 8 * 3600.0; /* of mean inflow [s] */

const int32_t sl_city_diameter_mm[SL_CITY_N_DIAMETER] = {100, 150, 200, 250, 300,  400, 500,
                                                         600, 700, 800, 900, 1000, 1200};

static double slope_of(double flow, uint8_t diameter) {
    double d = 0.001 * sl_city_diameter_mm[diameter];
    double v = flow / (0.25 * pi * d * d);
    return friction_factor / d * v * v / (2 * gravity);
}

/* The smallest class with an acceptable slope and velocity. */
static uint8_t class_for(double flow, double max_slope) {
    int k = 0;
    for (; k < SL_CITY_N_DIAMETER - 1; k++) {
        double d = 0.001 * sl_city_diameter_mm[k];
        if (slope_of(flow, k) <= max_slope && flow <= 1.5 * 0.25 * pi * d * d) break;
    }
    return (uint8_t)k;
}

/* About the length of a street [m]. */
static double street_length(int32_t edge) {
    return edge & 1 ? 125 : 100;
}

static int32_t parent_of(const sl_city *city, int32_t cell) {
    return city->up[cell] < 0 ? -1 : sl_city_neighbour(city, cell, city->up[cell]);
}

/* Adds what the zone takes to the flow of the zone that feeds it. */
static void load_feeder(sl_city *city, int32_t number) {
    sl_city_zone *zone = &city->zones.at[number];
    zone->pumped = pumped_factor * zone->mean;
    if (zone->feeder < 0) return;
    city->zones.at[zone->feeder].mean += zone->mean;
}

static void load_streets(sl_city *city, int32_t level) {
    for (int64_t k = 0; k < city->feeds.n; k++) {
        const sl_city_feed *f = &city->feeds.at[k];
        const sl_city_zone *zone = &city->zones.at[f->zone];
        if (f->rank != 0 || zone->level != level) continue;
        city->flow[f->from] += zone->tank >= 0 ? zone->pumped : peak_factor * zone->mean;
    }
}

/* Peak flows down the trees, and the rising mains from the entries to the tanks. */
static void sum_flows(sl_city *city) {
    static const int32_t levels[] = {SL_CITY_LEVEL_LOW, SL_CITY_LEVEL_TOP, 1, 0};
    for (int32_t i = 0; i < city->n_cell; i++) city->flow[i] *= peak_factor;
    for (int l = 0; l < 4; l++) {
        for (int32_t k = city->n_order - 1; k >= 0; k--) {
            int32_t i = city->order[k], p = parent_of(city, i);
            if (p >= 0 && city->zones.at[city->zone[i]].level == levels[l]) city->flow[p] += city->flow[i];
        }
        for (int32_t k = 0; k < city->zones.n; k++) {
            if (city->zones.at[k].level == levels[l]) load_feeder(city, k);
        }
        load_streets(city, levels[l]);
    }
    for (int32_t k = 0; k < city->zones.n; k++) {
        const sl_city_zone *zone = &city->zones.at[k];
        if (zone->tank < 0) continue;
        for (int32_t i = zone->entry; i >= 0; i = parent_of(city, i))
            city->flow[i] = sl_city_max(city->flow[i], zone->pumped);
    }
}

static uint8_t least_class(const sl_city *city, const sl_city_zone *zone, int32_t edge) {
    bool large = zone->n_crossing > 300;
    if (city->rank[edge] == SL_CITY_STREET) return 0;
    if (city->rank[edge] == SL_CITY_AVENUE) return large ? 2 : zone->n_crossing > 40 ? 1 : 0;
    uint8_t half = zone->d_main / 2;
    return half > 1 ? half : 1;
}

static void size_mains(sl_city *city) {
    for (int32_t k = 0; k < city->n_order; k++) {
        int32_t i = city->order[k];
        sl_city_zone *zone = &city->zones.at[city->zone[i]];
        if (city->up[i] < 0) continue;
        int32_t e = sl_city_edge_of(city, i, city->up[i]);
        double slope = city->rank[e] == SL_CITY_STREET ? 0.004 : zone->n_crossing > 2000 ? 0.0018 : 0.0025;
        city->diameter[e] = class_for(city->flow[i], slope);
        if (city->diameter[e] > zone->d_main) zone->d_main = city->diameter[e];
    }
    for (int32_t e = 0; e < 2 * city->n_cell; e++) {
        if (city->kind[e] == SL_CITY_NONE) continue;
        const sl_city_zone *zone = &city->zones.at[city->zone[e / 2]];
        uint8_t least = least_class(city, zone, e);
        if (city->diameter[e] < least) city->diameter[e] = least;
    }
    for (int64_t k = 0; k < city->feeds.n; k++) { /* as wide as what the station or valve has to carry */
        const sl_city_feed *f = &city->feeds.at[k];
        const sl_city_zone *zone = &city->zones.at[f->zone];
        double flow = zone->tank >= 0 ? zone->pumped : peak_factor * zone->mean;
        uint8_t least = class_for(f->rank == 0 ? flow : 0.5 * flow, 0.004);
        if (city->diameter[f->edge] < least) city->diameter[f->edge] = least;
    }
}

static void sum_losses(sl_city *city) {
    for (int32_t k = 0; k < city->n_order; k++) {
        int32_t i = city->order[k], p = parent_of(city, i);
        sl_city_zone *zone = &city->zones.at[city->zone[i]];
        city->loss[i] = 0;
        if (p >= 0) {
            int32_t e = sl_city_edge_of(city, i, city->up[i]);
            city->loss[i] = city->loss[p] + slope_of(city->flow[i], city->diameter[e]) * street_length(e);
        }
        zone->head = sl_city_max(zone->head, city->z_high[i] + city->loss[i] + least_pressure);
    }
}

/* Friction of the pumped flow from the entry to the tank [m]. */
static double rising_loss(const sl_city *city, const sl_city_zone *zone) {
    double loss = 0;
    for (int32_t i = zone->entry; city->up[i] >= 0; i = parent_of(city, i)) {
        int32_t e = sl_city_edge_of(city, i, city->up[i]);
        loss += slope_of(zone->pumped, city->diameter[e]) * street_length(e);
    }
    return loss;
}

static void size_tank(sl_city_zone *zone) {
    double volume = sl_city_max(20, storage * zone->mean);
    zone->depth = volume < 300 ? 4 : volume < 5000 ? 6 : 8;
    zone->area = volume / zone->depth;
}

/* Head that a station has to add: up to the tank at four fifths, from the works or from the feeder's tank when low. */
static double lift_of(const sl_city *city, const sl_city_zone *zone, double suction) {
    return zone->head + 0.4 * zone->depth + rising_loss(city, zone) - suction;
}

static void size_works(sl_city *city) {
    for (int32_t k = 0; k < city->zones.n; k++) {
        sl_city_zone *zone = &city->zones.at[k];
        if (zone->tank < 0 || zone->feeder >= 0) continue;
        zone->source_head = city->z[zone->entry] + 1.5;
        zone->lift = lift_of(city, zone, zone->source_head);
    }
}

/* Stations between zones, the lower ones first. Where the feeder's head is high anyway (it is a wide zone), the fed
 * zone's tank goes higher, so that its pumps have something to lift. */
static void size_stations(sl_city *city, int32_t level) {
    for (int64_t k = 0; k < city->feeds.n; k++) {
        const sl_city_feed *f = &city->feeds.at[k];
        sl_city_zone *zone = &city->zones.at[f->zone];
        const sl_city_zone *feeder = &city->zones.at[zone->feeder];
        if (f->rank != 0 || zone->tank < 0 || zone->level != level) continue;
        double suction = feeder->head + 0.2 * feeder->depth - 0.6 * city->loss[f->from];
        double swing = 0.6 * city->loss[f->from] + 0.8 * rising_loss(city, feeder); /* above that, with idle mains */
        zone->head += sl_city_max(0, sl_city_max(least_lift, 9 + swing) - lift_of(city, zone, suction));
        zone->lift = lift_of(city, zone, suction);
    }
}

/* Spare valves open when the first alone cannot hold the pressure; emergency valves stay shut on an ordinary day. */
static void set_valves(sl_city *city) {
    for (int64_t k = 0; k < city->feeds.n; k++) {
        sl_city_feed *f = &city->feeds.at[k];
        const sl_city_zone *zone = &city->zones.at[f->zone], *feeder = &city->zones.at[zone->feeder];
        double z = city->junctions.at[f->b].z;
        if (f->rank < 0) {
            f->setting = sl_city_max(8, feeder->head - city->loss[f->to] - 14 - z);
        } else if (zone->tank < 0) {
            double head = sl_city_min(zone->head + 1, feeder->head - city->loss[f->from] - 3);
            f->setting = head - z - (f->rank == 0 ? 0 : 1 + f->rank);
            f->setting = sl_city_max(10, f->setting);
        }
    }
}

void sl_city_mains_design(sl_city *city) {
    for (int32_t k = 0; k < city->zones.n; k++) city->mean_total += city->zones.at[k].mean;
    sum_flows(city);
    size_mains(city);
    sum_losses(city);
    for (int32_t k = 0; k < city->zones.n; k++) {
        if (city->zones.at[k].tank >= 0) size_tank(&city->zones.at[k]);
    }
    size_works(city);
    for (int32_t level = 1; level <= SL_CITY_LEVEL_TOP; level++) size_stations(city, level);
    set_valves(city);
}
