/* SPDX-License-Identifier: MIT */
/* constants.h: the figures of the element laws.
 *
 * The laws are those of EPANET, whose coefficients are given in feet and cubic feet per second. They are turned to SI
 * exactly, by the foot of 0.3048 m, so that a model means the same here: see docs/theory/hydraulics.md.
 */
#ifndef SL_LAWS_CONSTANTS_H
#define SL_LAWS_CONSTANTS_H

#define SL_FOOT 0.3048
#define SL_CUBIC_FOOT (SL_FOOT * SL_FOOT * SL_FOOT)
#define SL_PI 3.14159265358979323846

/* Head per flow: 1 ft/(ft3/s) in s/m2. */
#define SL_FT_PER_CFS (SL_FOOT / SL_CUBIC_FOOT)

/* Hazen-Williams: h = 4.727 L C^-1.852 D^-4.871 Q^1.852 in feet. */
#define SL_HW_FIGURE 4.727
#define SL_HW_EXPONENT 1.852
/* Manning's 1.49 of the feet form, and the exponent of the hydraulic radius. */
#define SL_CM_FIGURE 1.49
#define SL_CM_EXPONENT 1.333
/* Gravity of the head-loss laws: 32.2 ft/s2; and the figure of minor losses, 8/(g pi^2) as 0.02517 s2/ft. */
#define SL_LOSS_GRAVITY (32.2 * SL_FOOT)
#define SL_MINOR_FIGURE 0.02517
/* Constant power: h = 8.814 P / Q in feet, horsepower and ft3/s; a horsepower is 745.7 W here. */
#define SL_POWER_FIGURE 8.814
#define SL_HORSEPOWER 745.7

/* An open valve without a loss coefficient: 1e-6 ft per ft3/s keeps it from being a short circuit. */
#define SL_OPEN_VALVE (1e-6 * SL_FT_PER_CFS)
/* The slope of laws that are all but vertical (a pressure breaker's drop, an outlet that does not run backwards) or
 * horizontal is 1e8 ft per ft3/s or the inverse of it. */
#define SL_STEEP (1e8 * SL_FT_PER_CFS)
#define SL_FLAT (1e-8 * SL_FT_PER_CFS)
/* The loss coefficient of a position control valve that is shut: 1e8 ft per (ft3/s)^2, as in EPANET. It lets a little
 * through. */
#define SL_SHUT (1e8 * SL_FOOT / (SL_CUBIC_FOOT * SL_CUBIC_FOOT))

#endif
