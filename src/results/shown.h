/* shown.h: how the quantities of a network are shown to people: factors and names of the file's units.
 *
 *   shown value = SI value / factor
 */
#ifndef SL_RESULTS_SHOWN_H
#define SL_RESULTS_SHOWN_H

#include "network/epanet_units.h"

typedef struct sl_shown_unit {
    double factor;
    const char *name;
} sl_shown_unit;

typedef struct sl_shown {
    bool metric;
    sl_shown_unit flow;      /* L/s, gpm, ... */
    sl_shown_unit length;    /* m | ft: heads, levels, lengths */
    sl_shown_unit pressure;  /* m, psi, kPa, ... of [m] of head */
    sl_shown_unit diameter;  /* mm | in */
    sl_shown_unit velocity;  /* m/s | ft/s */
    sl_shown_unit volume;    /* m3 | ft3 */
    sl_shown_unit slope;     /* m/km | ft/kft: head loss per 1000 units of length */
    sl_shown_unit intensity; /* kWh/m3 | kWh/Mgal, of [kWh/m3] */
    double roughness;        /* factor of a pipe's roughness */
    sl_shown_unit quality;   /* mg/L, h, %: numbers as they are; "" when there is none */
    sl_shown_unit wall;      /* wall coefficients, of the order that they have */
    /* Quality times water: grams of a chemical, hours of age times a volume, the volume that came from a traced node; what
     * has no thousandth of it in its number is better shown in the larger one. */
    sl_shown_unit mass, large_mass;
} sl_shown;

const char *sl_shown_flow_name(sl_flow_unit unit);
const char *sl_shown_pressure_name(sl_pressure_unit unit);
sl_shown sl_shown_of(const sl_network *net);
/* The unit of a valve's setting; the name is "" for a plain number. */
sl_shown_unit sl_shown_setting(const sl_shown *shown, sl_valve_kind kind);

#endif
