/* SPDX-License-Identifier: MIT */
/* city_write.c: a made-up city as .inp text.
 *
 * Litres per second, metres, millimetres. Numbers are whole multiples of a power of ten and written as such: fast, and
 * the same everywhere.
 */
#include "base/out.h"
#include "gen/city_impl.h"

#include <math.h>
#include <string.h>

enum { SALT_ROUGHNESS = 600, SALT_AGE, SALT_TANK };
enum { N_USE = 4, PUMPS_PER_STATION = 2 };

static const char *const use_name[N_USE] = {"HOME", "SHOP", "WORKS", "LATE"};

/* Hourly factors in hundredths, 24 in sum. */
static const uint8_t use_factor[N_USE][24] = {
    {41, 35, 32, 32, 38, 64, 118, 163, 157, 132, 117, 111, 115, 109, 101, 100, 109, 134, 157, 155, 134, 109, 80, 57},
    {28, 25, 25, 25, 28, 40, 64, 104, 143, 163, 168, 170, 173, 170, 164, 156, 153, 146, 130, 104, 81, 61, 44, 35},
    {59, 57, 57, 59, 69, 93, 123, 138, 140, 140, 138, 128, 118, 133, 138, 131, 123, 103, 88, 81, 77, 74, 69, 64},
    {63, 46, 38, 34, 34, 42, 69, 109, 139, 146, 131, 117, 113, 109, 103, 105, 105, 119, 137, 151, 153, 137, 113, 87},
};

/* A line under construction; lines here are shorter than 200 bytes. */
typedef struct line {
    char *end;
    char buf[256];
} line;

static void begin(line *l) {
    l->end = l->buf;
}

static void text(line *l, const char *z) {
    size_t n = strlen(z);
    memcpy(l->end, z, n);
    l->end += n;
}

static void whole(line *l, int64_t x) {
    char digit[24];
    int n = 0;
    if (x < 0) {
        *l->end++ = '-';
        x = -x;
    }
    do digit[n++] = (char)('0' + x % 10);
    while ((x /= 10) > 0);
    while (n > 0) *l->end++ = digit[--n];
}

/* x / 10^decimals. */
static void fixed(line *l, int64_t x, int decimals) {
    int64_t unit = 1;
    for (int k = 0; k < decimals; k++) unit *= 10;
    if (x < 0) {
        *l->end++ = '-';
        x = -x;
    }
    whole(l, x / unit);
    *l->end++ = '.';
    for (int64_t rest = x % unit, u = unit / 10; u > 0; u /= 10) *l->end++ = (char)('0' + rest / u % 10);
}

static int64_t nearest(double x) {
    return x < 0 ? -(int64_t)(0.5 - x) : (int64_t)(x + 0.5);
}

static void real(line *l, double x, int decimals) {
    double unit = 1;
    for (int k = 0; k < decimals; k++) unit *= 10;
    fixed(l, nearest(x * unit), decimals);
}

static void gap(line *l) {
    *l->end++ = ' ';
}

/* A blank, then an id: letters and a number. */
static void id(line *l, const char *letters, int64_t number) {
    if (l->end > l->buf) gap(l);
    text(l, letters);
    whole(l, number);
}

static void finish(line *l, sl_out *out) {
    *l->end++ = '\n';
    sl_out_bytes(out, l->buf, (size_t)(l->end - l->buf));
    begin(l);
}

/* ---- Nodes ---------------------------------------------------------------------------------------------------- */

static void write_junctions(const sl_city *city, sl_out *out) {
    line l;
    begin(&l);
    sl_out_z(out, "[JUNCTIONS]\n;id elevation demand pattern\n");
    for (int64_t i = 0; i < city->junctions.n; i++) {
        const sl_city_junction *j = &city->junctions.at[i];
        id(&l, "J", i + 1);
        gap(&l);
        real(&l, j->z, 2);
        gap(&l);
        fixed(&l, j->demand, 4);
        gap(&l);
        text(&l, use_name[j->use]);
        finish(&l, out);
    }
}

static void write_demands(const sl_city *city, sl_out *out) {
    line l;
    begin(&l);
    sl_out_z(out, "\n[DEMANDS]\n;junction demand pattern category\n");
    for (int64_t i = 0; i < city->junctions.n; i++) {
        const sl_city_junction *j = &city->junctions.at[i];
        for (int k = 0; k < 2 && j->second > 0; k++) {
            id(&l, "J", i + 1);
            gap(&l);
            fixed(&l, k == 0 ? j->demand : j->second, 4);
            gap(&l);
            text(&l, use_name[k == 0 ? j->use : j->use2]);
            text(&l, k == 0 ? " ;main" : " ;second");
            finish(&l, out);
        }
    }
}

static void write_sources(const sl_city *city, sl_out *out) {
    line l;
    int64_t n = 0;
    begin(&l);
    sl_out_z(out, "\n[RESERVOIRS]\n;id head\n");
    for (int64_t k = 0; k < city->zones.n; k++) {
        if (city->zones.at[k].feeder >= 0) continue;
        id(&l, "R", ++n);
        gap(&l);
        real(&l, city->zones.at[k].source_head, 2);
        finish(&l, out);
    }
    n = 0;
    sl_out_z(out, "\n[TANKS]\n;id bottom init min max diameter minvol\n");
    for (int64_t k = 0; k < city->zones.n; k++) {
        const sl_city_zone *zone = &city->zones.at[k];
        if (zone->tank < 0) continue;
        double values[] = {zone->head - 0.4 * zone->depth,
                           0.6 * zone->depth,
                           0.05 * zone->depth,
                           zone->depth,
                           sqrt(4 / 3.14159265358979 * zone->area),
                           0};
        id(&l, "T", ++n);
        for (int i = 0; i < 6; i++) {
            gap(&l);
            real(&l, values[i], 2);
        }
        finish(&l, out);
    }
}

/* ---- Links ---------------------------------------------------------------------------------------------------- */

/* Roughness by the age of the quarter: Hazen-Williams 100..140, or 0.1..0.5 mm. */
static void roughness(const sl_city *city, line *l, int64_t pipe, const sl_city_point *at) {
    double age = 0.5 + 0.5 * sl_city_noise(city->land.seed, SALT_AGE, at->x / 1500, at->y / 1500);
    age = 0.7 * age + 0.3 * sl_city_random(city->land.seed, SALT_ROUGHNESS, pipe, 0);
    if (city->def->darcy_weisbach)
        real(l, 0.1 + 0.4 * age, 2);
    else
        whole(l, nearest(140 - 40 * age));
}

static void write_pipe(const sl_city *city, line *l, int64_t number, const char *a, int64_t na, const char *b,
                       int64_t nb, int64_t length, uint8_t diameter, bool shut, const sl_city_point *at) {
    id(l, "P", number);
    id(l, a, na);
    id(l, b, nb);
    gap(l);
    fixed(l, length, 2);
    gap(l);
    whole(l, sl_city_diameter_mm[diameter]);
    gap(l);
    roughness(city, l, number, at);
    text(l, shut ? " 0 Closed" : " 0 Open");
}

/* Wide enough for the flow at 1.2 m/s. */
static uint8_t connection_class(double flow) {
    int k = 1;
    for (; k < SL_CITY_N_DIAMETER - 1; k++) {
        double d = 0.001 * sl_city_diameter_mm[k];
        if (flow < 1.2 * 0.785 * d * d) break;
    }
    return (uint8_t)k;
}

static void write_pipes(const sl_city *city, sl_out *out) {
    line l;
    begin(&l);
    sl_out_z(out, "\n[PIPES]\n;id node node length diameter roughness minorloss status\n");
    for (int64_t i = 0; i < city->pipes.n; i++) {
        const sl_city_pipe *p = &city->pipes.at[i];
        const sl_city_junction *j = &city->junctions.at[p->a];
        sl_city_point at = {(double)j->x, (double)j->y};
        uint8_t d = p->edge >= 0 ? city->diameter[p->edge] : 0;
        write_pipe(city, &l, i + 1, "J", p->a + 1, "J", p->b + 1, p->length, d, p->shut, &at);
        finish(&l, out);
    }
    int64_t number = city->pipes.n, n_tank = 0;
    for (int64_t k = 0; k < city->zones.n; k++) {
        const sl_city_zone *zone = &city->zones.at[k];
        sl_city_point at = sl_city_land_point(&city->land, zone->root % city->n_col, zone->root / city->n_col);
        double flow = sl_city_max(zone->pumped, 1.65 * zone->mean);
        if (zone->tank >= 0) {
            write_pipe(city, &l, ++number, "T", ++n_tank, "J", city->junction[zone->tank] + 1, 4000,
                       connection_class(flow), false, &at);
            finish(&l, out);
        }
        if (zone->works_a >= 0) {
            write_pipe(city, &l, ++number, "J", zone->works_a + 1, "J", city->junction[zone->entry] + 1, 5000,
                       connection_class(flow), false, &at);
            finish(&l, out);
        }
    }
}

/* What a pump station or works is made of: calls back for each, with its number from 1. */
typedef struct station {
    int64_t number;
    const sl_city_zone *zone;
    int64_t works; /* number of its reservoir, or 0 */
    int64_t tank;  /* number of the tank it fills */
    int32_t a, b;  /* junctions it stands between (a only without works) */
} station;

typedef void (*station_writer)(const station *s, line *l, sl_out *out);

static void each_station(const sl_city *city, sl_out *out, station_writer writer) {
    line l;
    station s = {0};
    int64_t n_works = 0;
    begin(&l);
    for (int64_t k = 0; k < city->zones.n; k++) {
        s.zone = &city->zones.at[k];
        if (s.zone->tank < 0) continue;
        s.tank++;
        s.number++;
        s.works = s.zone->feeder < 0 ? ++n_works : 0;
        s.a = -1;
        s.b = s.zone->works_a;
        if (s.zone->feeder >= 0) {
            s.a = city->feeds.at[s.zone->first_feed].a;
            s.b = city->feeds.at[s.zone->first_feed].b;
        }
        writer(&s, &l, out);
    }
}

static void station_pumps(const station *s, line *l, sl_out *out) {
    for (int k = 0; k < PUMPS_PER_STATION; k++) {
        id(l, "PU", PUMPS_PER_STATION * (s->number - 1) + k + 1);
        if (s->works)
            id(l, "R", s->works);
        else
            id(l, "J", s->a + 1);
        id(l, "J", s->b + 1);
        text(l, " HEAD");
        id(l, "C", s->number);
        finish(l, out);
    }
}

static void station_curve(const station *s, line *l, sl_out *out) {
    id(l, "C", s->number);
    gap(l);
    real(l, 1000 * s->zone->pumped / PUMPS_PER_STATION, 4);
    gap(l);
    real(l, s->zone->lift, 2);
    finish(l, out);
}

static void level_control(const station *s, line *l, sl_out *out, int pump, const char *status, const char *side,
                          double level) {
    text(l, "LINK");
    id(l, "PU", PUMPS_PER_STATION * (s->number - 1) + pump + 1);
    gap(l);
    text(l, status);
    text(l, " IF NODE");
    id(l, "T", s->tank);
    gap(l);
    text(l, side);
    gap(l);
    real(l, level * s->zone->depth, 2);
    finish(l, out);
}

static void station_controls(const station *s, line *l, sl_out *out) {
    level_control(s, l, out, 0, "OPEN", "BELOW", 0.65);
    level_control(s, l, out, 0, "CLOSED", "ABOVE", 0.93);
    level_control(s, l, out, 1, "OPEN", "BELOW", 0.50);
    level_control(s, l, out, 1, "CLOSED", "ABOVE", 0.80);
}

static void write_valves(const sl_city *city, sl_out *out) {
    line l;
    int64_t n = 0;
    begin(&l);
    sl_out_z(out, "\n[VALVES]\n;id node node diameter type setting minorloss\n");
    for (int64_t k = 0; k < city->feeds.n; k++) {
        const sl_city_feed *f = &city->feeds.at[k];
        if (city->kind[f->edge] != SL_CITY_REDUCED) continue;
        id(&l, "PRV", ++n);
        id(&l, "J", f->a + 1);
        id(&l, "J", f->b + 1);
        gap(&l);
        whole(&l, sl_city_diameter_mm[city->diameter[f->edge]]);
        text(&l, " PRV ");
        real(&l, f->setting, 1);
        text(&l, " 0");
        finish(&l, out);
    }
}

/* ---- The rest --------------------------------------------------------------------------------------------------- */

static void write_patterns(sl_out *out) {
    sl_out_z(out, "\n[PATTERNS]\n");
    for (int k = 0; k < N_USE; k++) {
        for (int h = 0; h < 24; h += 6) {
            sl_out_z(out, use_name[k]);
            for (int i = h; i < h + 6; i++)
                sl_out_printf(out, " %d.%02d", use_factor[k][i] / 100, use_factor[k][i] % 100);
            sl_out_char(out, '\n');
        }
    }
    sl_out_z(
        out,
        "TARIFF 0.6 0.6 0.6 0.6 0.6 0.6\nTARIFF 1 1.3 1.3 1.3 1 1\nTARIFF 1 1 1 1 1 1.4\nTARIFF 1.4 1.4 1.4 1 1 0.6\n");
}

static void write_coordinates(const sl_city *city, sl_out *out) {
    line l;
    begin(&l);
    sl_out_z(out, "\n[COORDINATES]\n");
    for (int64_t i = 0; i < city->junctions.n; i++) {
        id(&l, "J", i + 1);
        gap(&l);
        real(&l, (double)city->junctions.at[i].x, 1);
        gap(&l);
        real(&l, (double)city->junctions.at[i].y, 1);
        finish(&l, out);
    }
    int64_t n_tank = 0, n_works = 0;
    for (int64_t k = 0; k < city->zones.n; k++) {
        const sl_city_zone *zone = &city->zones.at[k];
        double side = sl_city_hash(city->land.seed, SALT_TANK, k, 0) & 1 ? 1 : -1;
        for (int what = 0; what < 2; what++) {
            if (what == 0 ? zone->tank < 0 : zone->works_a < 0) continue;
            int32_t cell = what == 0 ? zone->tank : zone->entry;
            sl_city_point p = sl_city_land_point(&city->land, cell % city->n_col, cell / city->n_col);
            if (what == 1) { /* beyond the pumps, as seen from the street */
                const sl_city_junction *j = &city->junctions.at[zone->works_a];
                p.x += 2.2 * ((double)j->x - p.x);
                p.y += 2.2 * ((double)j->y - p.y);
            } else {
                p.x += 26 * side;
                p.y += 26;
            }
            id(&l, what == 0 ? "T" : "R", what == 0 ? ++n_tank : ++n_works);
            gap(&l);
            real(&l, p.x, 1);
            gap(&l);
            real(&l, p.y, 1);
            finish(&l, out);
        }
    }
}

static void write_vertices(const sl_city *city, sl_out *out) {
    line l;
    begin(&l);
    sl_out_z(out, "\n[VERTICES]\n");
    for (int64_t i = 0; i < city->vertices.n; i++) {
        const sl_city_vertex *v = &city->vertices.at[i];
        id(&l, "P", v->pipe + 1);
        gap(&l);
        real(&l, (double)v->x, 1);
        gap(&l);
        real(&l, (double)v->y, 1);
        finish(&l, out);
    }
}

static void write_settings(const sl_city *city, sl_out *out) {
    sl_out_z(out, "\n[ENERGY]\nGlobal Efficiency 74\nGlobal Price 0.14\nGlobal Pattern TARIFF\nDemand Charge 0\n");
    sl_out_printf(out,
                  "\n[TIMES]\nDuration %d:00\nHydraulic Timestep 1:00\nPattern Timestep 1:00\nReport Timestep 1:00\n"
                  "Start ClockTime 12 am\nStatistic None\n",
                  (int)(city->def->duration / 3600));
    sl_out_z(out, "\n[REPORT]\nStatus No\nSummary No\n");
    sl_out_printf(
        out,
        "\n[OPTIONS]\nUnits LPS\nHeadloss %s\nSpecific Gravity 1\nViscosity 1\nTrials 200\nAccuracy 0.0001\nHEADERROR 0.001\nFLOWCHANGE 0.01\n"
        "Unbalanced Continue 10\nPattern HOME\nDemand Multiplier 1\nQuality None\n",
        city->def->darcy_weisbach ? "D-W" : "H-W");
}

static void write_title(const sl_city *city, sl_out *out) {
    sl_out_printf(out, "[TITLE]\nA made-up city of %d junctions in %d pressure zones, seed %llu\n",
                  (int)city->def->n_junction, (int)city->zones.n, (unsigned long long)city->def->seed);
    sl_out_z(out, "Mean demand ");
    sl_out_int(out, nearest(1000 * city->mean_total));
    sl_out_z(out, " L/s. Drawn by a program: any likeness to a real place is chance.\n\n");
}

sl_status sl_city_write(sl_city *city, const sl_sink *sink) {
    sl_out *out = sl_alloc(city->ctx, sizeof *out);
    if (!out) return SL_ERR_MEMORY;
    sl_out_init(out, sink);
    write_title(city, out);
    write_junctions(city, out);
    write_sources(city, out);
    write_pipes(city, out);
    sl_out_z(out, "\n[PUMPS]\n;id node node parameters\n");
    each_station(city, out, station_pumps);
    write_valves(city, out);
    write_demands(city, out);
    write_patterns(out);
    sl_out_z(out, "\n[CURVES]\n;id flow head\n");
    each_station(city, out, station_curve);
    sl_out_z(out, "\n[CONTROLS]\n");
    each_station(city, out, station_controls);
    write_settings(city, out);
    write_coordinates(city, out);
    write_vertices(city, out);
    sl_out_z(out, "\n[END]\n");
    sl_status status = sl_out_flush(out);
    sl_free(city->ctx, out, sizeof *out);
    return status;
}
