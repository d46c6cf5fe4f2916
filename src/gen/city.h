/* SPDX-License-Identifier: MIT */
/* city.h: a made-up city of any size as .inp text, for trials, examples and speed measurements.
 *
 * A looped street network with mains, dead ends, hills and basins, pressure zones with pump stations, tanks and
 * pressure-reducing valves, day patterns and level controls. The bytes depend on the definition only: the same on
 * every machine. Time and memory are proportional to the number of junctions.
 */
#ifndef SL_GEN_CITY_H
#define SL_GEN_CITY_H

#include <sluice/diag.h>

enum { SL_GEN_CITY_MIN = 10, SL_GEN_CITY_MAX = 5000000 }; /* junctions */

typedef struct sl_gen_city_def {
    size_t size;         /* of this struct, set by sl_gen_city_default */
    int32_t n_junction;  /* exactly so many junctions (default 1000) */
    uint64_t seed;       /* another seed, another city (default 1) */
    bool darcy_weisbach; /* friction by Darcy-Weisbach instead of Hazen-Williams */
    int32_t duration;    /* simulated time [s], whole hours (default 86400) */
} sl_gen_city_def;

sl_gen_city_def sl_gen_city_default(void);

/* Writes the city's .inp text (litres per second, metres, millimetres) to the sink.
 * SL_ERR_USE with a diagnostic for a definition out of range; SL_ERR_MEMORY, SL_ERR_CANCELLED, or what the sink said. */
sl_status sl_gen_city(sl_context *ctx, const sl_gen_city_def *def, sl_diags *diags, const sl_sink *sink);

#endif
