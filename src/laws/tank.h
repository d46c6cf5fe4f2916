/* SPDX-License-Identifier: MIT */
/* tank.h: level and volume of a tank. Heads [m], volumes [m3]. */
#ifndef SL_LAWS_TANK_H
#define SL_LAWS_TANK_H

#include <sluice/network.h>

typedef struct sl_tank_law {
    double bottom;       /* head at level 0 */
    double h_min, h_max; /* heads of the lowest and highest level */
    double v_min, v_max; /* volumes there */
    double v_init;
    double area;                  /* of a cylinder; the mean one of a volume curve */
    const double *level, *volume; /* volume curve, or NULL */
    int32_t n_point;
    bool overflows;
} sl_tank_law;

/* The law of a network's tank (index within the tanks). */
sl_tank_law sl_tank_law_of(const sl_network *net, int32_t tank);
double sl_tank_volume(const sl_tank_law *law, double head);
double sl_tank_head(const sl_tank_law *law, double volume);
/* dV/dH at a head. */
double sl_tank_surface(const sl_tank_law *law, double head);

#endif
