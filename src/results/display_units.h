/* SPDX-License-Identifier: MIT */
/* display_units.h: units in which texts for people give the quantities of a network: factors and names.
 *
 *   displayed value = SI value / factor
 */
#ifndef SL_RESULTS_DISPLAY_UNITS_H
#define SL_RESULTS_DISPLAY_UNITS_H

#include "network/epanet_units.h"

typedef struct sl_display_unit {
    double factor;
    const char *name;
} sl_display_unit;

typedef struct sl_display_units {
    bool metric;
    sl_display_unit flow;      /* L/s, gpm, ... */
    sl_display_unit length;    /* m | ft: heads, levels, lengths */
    sl_display_unit pressure;  /* m, psi, kPa, ... of [m] of head */
    sl_display_unit diameter;  /* mm | in */
    sl_display_unit velocity;  /* m/s | ft/s */
    sl_display_unit volume;    /* m3 | ft3 */
    sl_display_unit slope;     /* m/km | ft/kft: head loss per 1000 units of length */
    sl_display_unit intensity; /* kWh/m3 | kWh/Mgal, of [kWh/m3] */
    double roughness;          /* factor of a pipe's roughness */
    sl_display_unit quality;   /* mg/L, h, %: numbers as they are; "" when there is none */
    sl_display_unit wall;      /* wall coefficients, of the order that they have */
    /* Quality times water: grams of a chemical, hours of age times a volume, the volume that came from a traced node; what
     * has no thousandth of it in its number is better shown in the larger one. */
    sl_display_unit mass, large_mass;
} sl_display_units;

const char *sl_display_flow_name(sl_flow_unit unit);
const char *sl_display_pressure_name(sl_pressure_unit unit);
sl_display_units sl_display_units_of(const sl_network *net);
/* A pressure as people give it, "28 psi", "2.5bar", in the network's unit without one, as head [m]. False: it is none. */
bool sl_display_read_pressure(const sl_network *net, const char *text, double *head);
/* The unit that people see for a quantity in this unit of SI: of a pressure (a head inside) that of pressures; itself, where there is
 * no other. */
sl_display_unit sl_display_unit_of(const sl_display_units *shown, const char *si, bool is_pressure);
/* The unit of a valve's setting; the name is "" for a plain number. */
sl_display_unit sl_display_setting_unit(const sl_display_units *shown, sl_valve_kind kind);

#endif
