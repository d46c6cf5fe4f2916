/* SPDX-License-Identifier: MIT */
/* units.c: units by name with exact factors to SI.
 *
 * Each factor is the double nearest to the exact definition: inch 25.4 mm, pound 0.45359237 kg, standard
 * gravity 9.80665 m/s2, US gallon 231 in3, imperial gallon 4.54609 L, acre 43560 ft2, BTU and calorie of the
 * International Table. They are written out, not computed, so that no chain of roundings gets in.
 *
 * Spelling: names with an SI prefix are told apart by case (mPa, MPa); those marked ANY_CASE are also found
 * in any case when no exact name matches (GPM, Psi). Before the search "^" is dropped, "*" and a middle dot
 * become ".", superscript 2 and 3 become digits, a degree sign "deg" and a micro sign "u".
 */
#include <sluice/units.h>

#include <string.h>

typedef enum spelling { EXACT, ANY_CASE } spelling;

typedef struct entry {
    sl_unit unit;
    spelling spelling;
} entry;

/* name, factor, offset, exponents of m kg s K */
static const entry table[] = {
    /* length */
    {{"m", 1, 0, {1, 0, 0, 0}}, EXACT},
    {{"metre", 1, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"meter", 1, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"km", 1000, 0, {1, 0, 0, 0}}, EXACT},
    {{"dm", 0.1, 0, {1, 0, 0, 0}}, EXACT},
    {{"cm", 0.01, 0, {1, 0, 0, 0}}, EXACT},
    {{"mm", 0.001, 0, {1, 0, 0, 0}}, EXACT},
    {{"um", 1e-06, 0, {1, 0, 0, 0}}, EXACT},
    {{"nm", 1e-09, 0, {1, 0, 0, 0}}, EXACT},
    {{"in", 0.0254, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"inch", 0.0254, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"mil", 2.54e-05, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"ft", 0.3048, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"foot", 0.3048, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"feet", 0.3048, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"yd", 0.9144, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"yard", 0.9144, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"mi", 1609.344, 0, {1, 0, 0, 0}}, ANY_CASE},
    {{"mile", 1609.344, 0, {1, 0, 0, 0}}, ANY_CASE},
    /* area */
    {{"m2", 1, 0, {2, 0, 0, 0}}, EXACT},
    {{"km2", 1000000, 0, {2, 0, 0, 0}}, EXACT},
    {{"dm2", 0.01, 0, {2, 0, 0, 0}}, EXACT},
    {{"cm2", 0.0001, 0, {2, 0, 0, 0}}, EXACT},
    {{"mm2", 1e-06, 0, {2, 0, 0, 0}}, EXACT},
    {{"ha", 10000, 0, {2, 0, 0, 0}}, ANY_CASE},
    {{"in2", 0.00064516, 0, {2, 0, 0, 0}}, ANY_CASE},
    {{"ft2", 0.09290304, 0, {2, 0, 0, 0}}, ANY_CASE},
    {{"yd2", 0.83612736, 0, {2, 0, 0, 0}}, ANY_CASE},
    {{"mi2", 2589988.110336, 0, {2, 0, 0, 0}}, ANY_CASE},
    {{"acre", 4046.8564224, 0, {2, 0, 0, 0}}, ANY_CASE},
    /* volume; gal is the US gallon, bbl the barrel of 42 of them */
    {{"m3", 1, 0, {3, 0, 0, 0}}, EXACT},
    {{"dm3", 0.001, 0, {3, 0, 0, 0}}, EXACT},
    {{"cm3", 1e-06, 0, {3, 0, 0, 0}}, EXACT},
    {{"cc", 1e-06, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"mm3", 1e-09, 0, {3, 0, 0, 0}}, EXACT},
    {{"km3", 1000000000, 0, {3, 0, 0, 0}}, EXACT},
    {{"L", 0.001, 0, {3, 0, 0, 0}}, EXACT},
    {{"l", 0.001, 0, {3, 0, 0, 0}}, EXACT},
    {{"litre", 0.001, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"liter", 0.001, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"mL", 1e-06, 0, {3, 0, 0, 0}}, EXACT},
    {{"ml", 1e-06, 0, {3, 0, 0, 0}}, EXACT},
    {{"cL", 1e-05, 0, {3, 0, 0, 0}}, EXACT},
    {{"cl", 1e-05, 0, {3, 0, 0, 0}}, EXACT},
    {{"hL", 0.1, 0, {3, 0, 0, 0}}, EXACT},
    {{"hl", 0.1, 0, {3, 0, 0, 0}}, EXACT},
    {{"kL", 1, 0, {3, 0, 0, 0}}, EXACT},
    {{"kl", 1, 0, {3, 0, 0, 0}}, EXACT},
    {{"ML", 1000, 0, {3, 0, 0, 0}}, EXACT},
    {{"Ml", 1000, 0, {3, 0, 0, 0}}, EXACT},
    {{"GL", 1000000, 0, {3, 0, 0, 0}}, EXACT},
    {{"Gl", 1000000, 0, {3, 0, 0, 0}}, EXACT},
    {{"gal", 0.003785411784, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"usgal", 0.003785411784, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"gallon", 0.003785411784, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"kgal", 3.785411784, 0, {3, 0, 0, 0}}, EXACT},
    {{"Mgal", 3785.411784, 0, {3, 0, 0, 0}}, EXACT},
    {{"impgal", 0.00454609, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"igal", 0.00454609, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"impMgal", 4546.09, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"bbl", 0.158987294928, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"in3", 1.6387064e-05, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"ft3", 0.028316846592, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"cuft", 0.028316846592, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"yd3", 0.764554857984, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"acre-ft", 1233.48183754752, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"acre.ft", 1233.48183754752, 0, {3, 0, 0, 0}}, ANY_CASE},
    /* time */
    {{"s", 1, 0, {0, 0, 1, 0}}, EXACT},
    {{"sec", 1, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"second", 1, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"seconds", 1, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"ms", 0.001, 0, {0, 0, 1, 0}}, EXACT},
    {{"us", 1e-06, 0, {0, 0, 1, 0}}, EXACT},
    {{"ns", 1e-09, 0, {0, 0, 1, 0}}, EXACT},
    {{"min", 60, 0, {0, 0, 1, 0}}, EXACT},
    {{"minute", 60, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"minutes", 60, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"h", 3600, 0, {0, 0, 1, 0}}, EXACT},
    {{"hr", 3600, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"hour", 3600, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"hours", 3600, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"d", 86400, 0, {0, 0, 1, 0}}, EXACT},
    {{"day", 86400, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"days", 86400, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"week", 604800, 0, {0, 0, 1, 0}}, ANY_CASE},
    {{"weeks", 604800, 0, {0, 0, 1, 0}}, ANY_CASE},
    /* rate and angular speed; Hz is left out: it would convert to rad/s without its 2 pi */
    {{"1/s", 1, 0, {0, 0, -1, 0}}, EXACT},
    {{"1/min", 0.016666666666666666, 0, {0, 0, -1, 0}}, EXACT},
    {{"1/h", 0.0002777777777777778, 0, {0, 0, -1, 0}}, EXACT},
    {{"1/d", 1.1574074074074073e-05, 0, {0, 0, -1, 0}}, EXACT},
    {{"rad/s", 1, 0, {0, 0, -1, 0}}, EXACT},
    {{"deg/s", 0.017453292519943295, 0, {0, 0, -1, 0}}, EXACT},
    {{"rev/s", 6.283185307179586, 0, {0, 0, -1, 0}}, EXACT},
    {{"rps", 6.283185307179586, 0, {0, 0, -1, 0}}, ANY_CASE},
    {{"rev/min", 0.10471975511965978, 0, {0, 0, -1, 0}}, EXACT},
    {{"rpm", 0.10471975511965978, 0, {0, 0, -1, 0}}, ANY_CASE},
    {{"r/min", 0.10471975511965978, 0, {0, 0, -1, 0}}, ANY_CASE},
    /* velocity and acceleration */
    {{"m/s", 1, 0, {1, 0, -1, 0}}, EXACT},
    {{"cm/s", 0.01, 0, {1, 0, -1, 0}}, EXACT},
    {{"mm/s", 0.001, 0, {1, 0, -1, 0}}, EXACT},
    {{"m/min", 0.016666666666666666, 0, {1, 0, -1, 0}}, EXACT},
    {{"m/h", 0.0002777777777777778, 0, {1, 0, -1, 0}}, EXACT},
    {{"m/d", 1.1574074074074073e-05, 0, {1, 0, -1, 0}}, EXACT},
    {{"mm/h", 2.7777777777777776e-07, 0, {1, 0, -1, 0}}, EXACT},
    {{"mm/d", 1.1574074074074074e-08, 0, {1, 0, -1, 0}}, EXACT},
    {{"km/h", 0.2777777777777778, 0, {1, 0, -1, 0}}, EXACT},
    {{"ft/s", 0.3048, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"fps", 0.3048, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"ft/min", 0.00508, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"fpm", 0.00508, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"ft/d", 3.527777777777778e-06, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"in/s", 0.0254, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"in/h", 7.055555555555556e-06, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"mi/h", 0.44704, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"mph", 0.44704, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"knot", 0.5144444444444445, 0, {1, 0, -1, 0}}, ANY_CASE},
    {{"m/s2", 1, 0, {1, 0, -2, 0}}, EXACT},
    {{"ft/s2", 0.3048, 0, {1, 0, -2, 0}}, ANY_CASE},
    {{"gn", 9.80665, 0, {1, 0, -2, 0}}, EXACT},
    /* flow */
    {{"m3/s", 1, 0, {3, 0, -1, 0}}, EXACT},
    {{"cms", 1, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"m3/min", 0.016666666666666666, 0, {3, 0, -1, 0}}, EXACT},
    {{"m3/h", 0.0002777777777777778, 0, {3, 0, -1, 0}}, EXACT},
    {{"m3/hr", 0.0002777777777777778, 0, {3, 0, -1, 0}}, EXACT},
    {{"cmh", 0.0002777777777777778, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"m3/d", 1.1574074074074073e-05, 0, {3, 0, -1, 0}}, EXACT},
    {{"m3/day", 1.1574074074074073e-05, 0, {3, 0, -1, 0}}, EXACT},
    {{"cmd", 1.1574074074074073e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"L/s", 0.001, 0, {3, 0, -1, 0}}, EXACT},
    {{"l/s", 0.001, 0, {3, 0, -1, 0}}, EXACT},
    {{"lps", 0.001, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"L/min", 1.6666666666666667e-05, 0, {3, 0, -1, 0}}, EXACT},
    {{"l/min", 1.6666666666666667e-05, 0, {3, 0, -1, 0}}, EXACT},
    {{"lpm", 1.6666666666666667e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"L/h", 2.7777777777777776e-07, 0, {3, 0, -1, 0}}, EXACT},
    {{"l/h", 2.7777777777777776e-07, 0, {3, 0, -1, 0}}, EXACT},
    {{"lph", 2.7777777777777776e-07, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"L/d", 1.1574074074074074e-08, 0, {3, 0, -1, 0}}, EXACT},
    {{"l/d", 1.1574074074074074e-08, 0, {3, 0, -1, 0}}, EXACT},
    {{"lpd", 1.1574074074074074e-08, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"mL/s", 1e-06, 0, {3, 0, -1, 0}}, EXACT},
    {{"ml/s", 1e-06, 0, {3, 0, -1, 0}}, EXACT},
    {{"mL/min", 1.6666666666666667e-08, 0, {3, 0, -1, 0}}, EXACT},
    {{"ml/min", 1.6666666666666667e-08, 0, {3, 0, -1, 0}}, EXACT},
    {{"cm3/s", 1e-06, 0, {3, 0, -1, 0}}, EXACT},
    {{"cm3/min", 1.6666666666666667e-08, 0, {3, 0, -1, 0}}, EXACT},
    {{"mm3/s", 1e-09, 0, {3, 0, -1, 0}}, EXACT},
    {{"ML/d", 0.011574074074074073, 0, {3, 0, -1, 0}}, EXACT},
    {{"Ml/d", 0.011574074074074073, 0, {3, 0, -1, 0}}, EXACT},
    {{"ML/day", 0.011574074074074073, 0, {3, 0, -1, 0}}, EXACT},
    {{"mld", 0.011574074074074073, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gal/s", 0.003785411784, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gps", 0.003785411784, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gpm", 6.30901964e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gal/min", 6.30901964e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"usgpm", 6.30901964e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gph", 1.0515032733333334e-06, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gal/h", 1.0515032733333334e-06, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gpd", 4.3812636388888886e-08, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gal/d", 4.3812636388888886e-08, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"gal/day", 4.3812636388888886e-08, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"Mgal/d", 0.04381263638888889, 0, {3, 0, -1, 0}}, EXACT},
    {{"mgd", 0.04381263638888889, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"igpm", 7.576816666666667e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"impgal/min", 7.576816666666667e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"impgpm", 7.576816666666667e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"igpd", 5.2616782407407406e-08, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"impgal/d", 5.2616782407407406e-08, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"imgd", 0.05261678240740741, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"impMgal/d", 0.05261678240740741, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"cfs", 0.028316846592, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"ft3/s", 0.028316846592, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"cusec", 0.028316846592, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"cfm", 0.0004719474432, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"ft3/min", 0.0004719474432, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"cfh", 7.86579072e-06, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"ft3/h", 7.86579072e-06, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"cfd", 3.2774128e-07, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"ft3/d", 3.2774128e-07, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"acre-ft/d", 0.0142764101568, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"acre-ft/day", 0.0142764101568, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"afd", 0.0142764101568, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"acre-ft/h", 0.3426338437632, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"bbl/d", 1.8401307283333333e-06, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"bpd", 1.8401307283333333e-06, 0, {3, 0, -1, 0}}, ANY_CASE},
    {{"in3/s", 1.6387064e-05, 0, {3, 0, -1, 0}}, ANY_CASE},
    /* mass, mass flow, density and concentration */
    {{"kg", 1, 0, {0, 1, 0, 0}}, EXACT},
    {{"g", 0.001, 0, {0, 1, 0, 0}}, EXACT},
    {{"mg", 1e-06, 0, {0, 1, 0, 0}}, EXACT},
    {{"ug", 1e-09, 0, {0, 1, 0, 0}}, EXACT},
    {{"t", 1000, 0, {0, 1, 0, 0}}, EXACT},
    {{"tonne", 1000, 0, {0, 1, 0, 0}}, ANY_CASE},
    {{"lb", 0.45359237, 0, {0, 1, 0, 0}}, ANY_CASE},
    {{"lbm", 0.45359237, 0, {0, 1, 0, 0}}, ANY_CASE},
    {{"oz", 0.028349523125, 0, {0, 1, 0, 0}}, ANY_CASE},
    {{"slug", 14.593902937206364, 0, {0, 1, 0, 0}}, ANY_CASE},
    {{"kg/s", 1, 0, {0, 1, -1, 0}}, EXACT},
    {{"kg/min", 0.016666666666666666, 0, {0, 1, -1, 0}}, EXACT},
    {{"kg/h", 0.0002777777777777778, 0, {0, 1, -1, 0}}, EXACT},
    {{"t/h", 0.2777777777777778, 0, {0, 1, -1, 0}}, EXACT},
    {{"g/s", 0.001, 0, {0, 1, -1, 0}}, EXACT},
    {{"mg/s", 1e-06, 0, {0, 1, -1, 0}}, EXACT},
    {{"mg/min", 1.6666666666666667e-08, 0, {0, 1, -1, 0}}, EXACT},
    {{"lb/s", 0.45359237, 0, {0, 1, -1, 0}}, ANY_CASE},
    {{"lb/h", 0.00012599788055555556, 0, {0, 1, -1, 0}}, ANY_CASE},
    {{"kg/m3", 1, 0, {-3, 1, 0, 0}}, EXACT},
    {{"g/cm3", 1000, 0, {-3, 1, 0, 0}}, EXACT},
    {{"g/cc", 1000, 0, {-3, 1, 0, 0}}, ANY_CASE},
    {{"g/mL", 1000, 0, {-3, 1, 0, 0}}, EXACT},
    {{"g/ml", 1000, 0, {-3, 1, 0, 0}}, EXACT},
    {{"kg/L", 1000, 0, {-3, 1, 0, 0}}, EXACT},
    {{"kg/l", 1000, 0, {-3, 1, 0, 0}}, EXACT},
    {{"kg/dm3", 1000, 0, {-3, 1, 0, 0}}, EXACT},
    {{"g/L", 1, 0, {-3, 1, 0, 0}}, EXACT},
    {{"g/l", 1, 0, {-3, 1, 0, 0}}, EXACT},
    {{"g/m3", 0.001, 0, {-3, 1, 0, 0}}, EXACT},
    {{"mg/L", 0.001, 0, {-3, 1, 0, 0}}, EXACT},
    {{"mg/l", 0.001, 0, {-3, 1, 0, 0}}, EXACT},
    {{"mg/m3", 1e-06, 0, {-3, 1, 0, 0}}, EXACT},
    {{"ug/L", 1e-06, 0, {-3, 1, 0, 0}}, EXACT},
    {{"ug/l", 1e-06, 0, {-3, 1, 0, 0}}, EXACT},
    {{"lb/ft3", 16.018463373960138, 0, {-3, 1, 0, 0}}, ANY_CASE},
    {{"lbm/ft3", 16.018463373960138, 0, {-3, 1, 0, 0}}, ANY_CASE},
    {{"slug/ft3", 515.3788183931962, 0, {-3, 1, 0, 0}}, ANY_CASE},
    {{"lb/gal", 119.82642731689663, 0, {-3, 1, 0, 0}}, ANY_CASE},
    /* force, stiffness, specific weight */
    {{"N", 1, 0, {1, 1, -2, 0}}, EXACT},
    {{"kN", 1000, 0, {1, 1, -2, 0}}, EXACT},
    {{"MN", 1000000, 0, {1, 1, -2, 0}}, EXACT},
    {{"mN", 0.001, 0, {1, 1, -2, 0}}, EXACT},
    {{"dyn", 1e-05, 0, {1, 1, -2, 0}}, ANY_CASE},
    {{"kgf", 9.80665, 0, {1, 1, -2, 0}}, ANY_CASE},
    {{"lbf", 4.4482216152605, 0, {1, 1, -2, 0}}, ANY_CASE},
    {{"kip", 4448.2216152605, 0, {1, 1, -2, 0}}, EXACT},
    {{"N/m", 1, 0, {0, 1, -2, 0}}, EXACT},
    {{"kN/m", 1000, 0, {0, 1, -2, 0}}, EXACT},
    {{"N/mm", 1000, 0, {0, 1, -2, 0}}, EXACT},
    {{"N/cm", 100, 0, {0, 1, -2, 0}}, EXACT},
    {{"MN/m", 1000000, 0, {0, 1, -2, 0}}, EXACT},
    {{"lbf/in", 175.1268352464764, 0, {0, 1, -2, 0}}, ANY_CASE},
    {{"lbf/ft", 14.593902937206364, 0, {0, 1, -2, 0}}, ANY_CASE},
    {{"N/m3", 1, 0, {-2, 1, -2, 0}}, EXACT},
    {{"kN/m3", 1000, 0, {-2, 1, -2, 0}}, EXACT},
    {{"Pa/m", 1, 0, {-2, 1, -2, 0}}, EXACT},
    {{"kPa/m", 1000, 0, {-2, 1, -2, 0}}, EXACT},
    {{"bar/m", 100000, 0, {-2, 1, -2, 0}}, EXACT},
    {{"psi/ft", 22620.594793859455, 0, {-2, 1, -2, 0}}, ANY_CASE},
    /* pressure and elastic moduli; water columns are the conventional ones of 1000 kg/m3 and 9.80665 m/s2 */
    {{"Pa", 1, 0, {-1, 1, -2, 0}}, EXACT},
    {{"hPa", 100, 0, {-1, 1, -2, 0}}, EXACT},
    {{"kPa", 1000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"MPa", 1000000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"GPa", 1000000000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"mPa", 0.001, 0, {-1, 1, -2, 0}}, EXACT},
    {{"N/m2", 1, 0, {-1, 1, -2, 0}}, EXACT},
    {{"N/mm2", 1000000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"kN/m2", 1000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"MN/m2", 1000000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"bar", 100000, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"mbar", 100, 0, {-1, 1, -2, 0}}, EXACT},
    {{"kbar", 100000000, 0, {-1, 1, -2, 0}}, EXACT},
    {{"atm", 101325, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"at", 98066.5, 0, {-1, 1, -2, 0}}, EXACT},
    {{"kgf/cm2", 98066.5, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"torr", 133.32236842105263, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"mH2O", 9806.65, 0, {-1, 1, -2, 0}}, EXACT},
    {{"mWC", 9806.65, 0, {-1, 1, -2, 0}}, EXACT},
    {{"mwc", 9806.65, 0, {-1, 1, -2, 0}}, EXACT},
    {{"cmH2O", 98.0665, 0, {-1, 1, -2, 0}}, EXACT},
    {{"mmH2O", 9.80665, 0, {-1, 1, -2, 0}}, EXACT},
    {{"mmWC", 9.80665, 0, {-1, 1, -2, 0}}, EXACT},
    {{"ftH2O", 2989.06692, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"ftWC", 2989.06692, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"inH2O", 249.08891, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"inWC", 249.08891, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"mmHg", 133.322387415, 0, {-1, 1, -2, 0}}, EXACT},
    {{"inHg", 3386.388640341, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"psi", 6894.757293168362, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"lbf/in2", 6894.757293168362, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"ksi", 6894757.293168361, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"Mpsi", 6894757293.168362, 0, {-1, 1, -2, 0}}, EXACT},
    {{"psf", 47.880258980335846, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"lbf/ft2", 47.880258980335846, 0, {-1, 1, -2, 0}}, ANY_CASE},
    {{"1/Pa", 1, 0, {1, -1, 2, 0}}, EXACT},
    {{"1/MPa", 1e-06, 0, {1, -1, 2, 0}}, EXACT},
    {{"1/GPa", 1e-09, 0, {1, -1, 2, 0}}, EXACT},
    {{"1/bar", 1e-05, 0, {1, -1, 2, 0}}, EXACT},
    {{"1/psi", 0.0001450377377302092, 0, {1, -1, 2, 0}}, ANY_CASE},
    /* viscosity, dynamic and kinematic; m2/s is also diffusivity */
    {{"Pa.s", 1, 0, {-1, 1, -1, 0}}, EXACT},
    {{"mPa.s", 0.001, 0, {-1, 1, -1, 0}}, EXACT},
    {{"N.s/m2", 1, 0, {-1, 1, -1, 0}}, EXACT},
    {{"kg/(m.s)", 1, 0, {-1, 1, -1, 0}}, EXACT},
    {{"P", 0.1, 0, {-1, 1, -1, 0}}, EXACT},
    {{"poise", 0.1, 0, {-1, 1, -1, 0}}, ANY_CASE},
    {{"cP", 0.001, 0, {-1, 1, -1, 0}}, EXACT},
    {{"centipoise", 0.001, 0, {-1, 1, -1, 0}}, ANY_CASE},
    {{"lb/(ft.s)", 1.4881639435695537, 0, {-1, 1, -1, 0}}, ANY_CASE},
    {{"lbf.s/ft2", 47.880258980335846, 0, {-1, 1, -1, 0}}, ANY_CASE},
    {{"reyn", 6894.757293168362, 0, {-1, 1, -1, 0}}, EXACT},
    {{"m2/s", 1, 0, {2, 0, -1, 0}}, EXACT},
    {{"mm2/s", 1e-06, 0, {2, 0, -1, 0}}, EXACT},
    {{"cm2/s", 0.0001, 0, {2, 0, -1, 0}}, EXACT},
    {{"St", 0.0001, 0, {2, 0, -1, 0}}, EXACT},
    {{"stokes", 0.0001, 0, {2, 0, -1, 0}}, ANY_CASE},
    {{"cSt", 1e-06, 0, {2, 0, -1, 0}}, EXACT},
    {{"centistokes", 1e-06, 0, {2, 0, -1, 0}}, ANY_CASE},
    {{"ft2/s", 0.09290304, 0, {2, 0, -1, 0}}, ANY_CASE},
    {{"ft2/d", 1.0752666666666667e-06, 0, {2, 0, -1, 0}}, ANY_CASE},
    {{"m2/d", 1.1574074074074073e-05, 0, {2, 0, -1, 0}}, EXACT},
    {{"m2/h", 0.0002777777777777778, 0, {2, 0, -1, 0}}, EXACT},
    /* energy and torque (one dimension, no conversion is wrong between them) */
    {{"J", 1, 0, {2, 1, -2, 0}}, EXACT},
    {{"kJ", 1000, 0, {2, 1, -2, 0}}, EXACT},
    {{"MJ", 1000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"GJ", 1000000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"mJ", 0.001, 0, {2, 1, -2, 0}}, EXACT},
    {{"W.s", 1, 0, {2, 1, -2, 0}}, EXACT},
    {{"W.h", 3600, 0, {2, 1, -2, 0}}, EXACT},
    {{"Wh", 3600, 0, {2, 1, -2, 0}}, EXACT},
    {{"kW.h", 3600000, 0, {2, 1, -2, 0}}, EXACT},
    {{"kWh", 3600000, 0, {2, 1, -2, 0}}, EXACT},
    {{"MW.h", 3600000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"MWh", 3600000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"GW.h", 3600000000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"GWh", 3600000000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"cal", 4.1868, 0, {2, 1, -2, 0}}, EXACT},
    {{"kcal", 4186.8, 0, {2, 1, -2, 0}}, EXACT},
    {{"btu", 1055.05585262, 0, {2, 1, -2, 0}}, ANY_CASE},
    {{"hp.h", 2684519.537696173, 0, {2, 1, -2, 0}}, ANY_CASE},
    {{"N.m", 1, 0, {2, 1, -2, 0}}, EXACT},
    {{"Nm", 1, 0, {2, 1, -2, 0}}, EXACT},
    {{"kN.m", 1000, 0, {2, 1, -2, 0}}, EXACT},
    {{"kNm", 1000, 0, {2, 1, -2, 0}}, EXACT},
    {{"MN.m", 1000000, 0, {2, 1, -2, 0}}, EXACT},
    {{"N.mm", 0.001, 0, {2, 1, -2, 0}}, EXACT},
    {{"N.cm", 0.01, 0, {2, 1, -2, 0}}, EXACT},
    {{"kgf.m", 9.80665, 0, {2, 1, -2, 0}}, ANY_CASE},
    {{"lbf.ft", 1.3558179483314003, 0, {2, 1, -2, 0}}, ANY_CASE},
    {{"ft.lbf", 1.3558179483314003, 0, {2, 1, -2, 0}}, ANY_CASE},
    {{"lbf.in", 0.1129848290276167, 0, {2, 1, -2, 0}}, ANY_CASE},
    {{"in.lbf", 0.1129848290276167, 0, {2, 1, -2, 0}}, ANY_CASE},
    /* power; hp is the mechanical one of 550 ft lbf/s, PS the metric one */
    {{"W", 1, 0, {2, 1, -3, 0}}, EXACT},
    {{"kW", 1000, 0, {2, 1, -3, 0}}, EXACT},
    {{"MW", 1000000, 0, {2, 1, -3, 0}}, EXACT},
    {{"GW", 1000000000, 0, {2, 1, -3, 0}}, EXACT},
    {{"mW", 0.001, 0, {2, 1, -3, 0}}, EXACT},
    {{"J/s", 1, 0, {2, 1, -3, 0}}, EXACT},
    {{"N.m/s", 1, 0, {2, 1, -3, 0}}, EXACT},
    {{"hp", 745.6998715822702, 0, {2, 1, -3, 0}}, ANY_CASE},
    {{"PS", 735.49875, 0, {2, 1, -3, 0}}, EXACT},
    {{"CV", 735.49875, 0, {2, 1, -3, 0}}, EXACT},
    {{"btu/h", 0.2930710701722222, 0, {2, 1, -3, 0}}, ANY_CASE},
    {{"kcal/h", 1.163, 0, {2, 1, -3, 0}}, EXACT},
    {{"ft.lbf/s", 1.3558179483314003, 0, {2, 1, -3, 0}}, ANY_CASE},
    /* inertia */
    {{"kg.m2", 1, 0, {2, 1, 0, 0}}, EXACT},
    {{"kg.cm2", 0.0001, 0, {2, 1, 0, 0}}, EXACT},
    {{"g.cm2", 1e-07, 0, {2, 1, 0, 0}}, EXACT},
    {{"t.m2", 1000, 0, {2, 1, 0, 0}}, EXACT},
    {{"N.m.s2", 1, 0, {2, 1, 0, 0}}, EXACT},
    {{"lb.ft2", 0.0421401100938048, 0, {2, 1, 0, 0}}, ANY_CASE},
    {{"slug.ft2", 1.3558179483314003, 0, {2, 1, 0, 0}}, ANY_CASE},
    {{"lbf.ft.s2", 1.3558179483314003, 0, {2, 1, 0, 0}}, ANY_CASE},
    /* displacement of a machine per turn */
    {{"m3/rad", 1, 0, {3, 0, 0, 0}}, EXACT},
    {{"m3/rev", 0.15915494309189535, 0, {3, 0, 0, 0}}, EXACT},
    {{"L/rev", 0.00015915494309189532, 0, {3, 0, 0, 0}}, EXACT},
    {{"l/rev", 0.00015915494309189532, 0, {3, 0, 0, 0}}, EXACT},
    {{"cm3/rev", 1.5915494309189535e-07, 0, {3, 0, 0, 0}}, EXACT},
    {{"cc/rev", 1.5915494309189535e-07, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"in3/rev", 2.608082238363247e-06, 0, {3, 0, 0, 0}}, ANY_CASE},
    {{"gal/rev", 0.00060246699706191, 0, {3, 0, 0, 0}}, ANY_CASE},
    /* temperature and heat */
    {{"K", 1, 0, {0, 0, 0, 1}}, EXACT},
    {{"degC", 1, 273.15, {0, 0, 0, 1}}, EXACT},
    {{"celsius", 1, 273.15, {0, 0, 0, 1}}, ANY_CASE},
    {{"degF", 0.5555555555555556, 255.37222222222223, {0, 0, 0, 1}}, EXACT},
    {{"fahrenheit", 0.5555555555555556, 255.37222222222223, {0, 0, 0, 1}}, ANY_CASE},
    {{"degR", 0.5555555555555556, 0, {0, 0, 0, 1}}, EXACT},
    {{"1/K", 1, 0, {0, 0, 0, -1}}, EXACT},
    {{"1/degF", 1.8, 0, {0, 0, 0, -1}}, EXACT},
    {{"J/(kg.K)", 1, 0, {2, 0, -2, -1}}, EXACT},
    {{"kJ/(kg.K)", 1000, 0, {2, 0, -2, -1}}, EXACT},
    {{"W/(m.K)", 1, 0, {1, 1, -3, -1}}, EXACT},
    /* reaction rate of mass in water */
    {{"kg/(m3.s)", 1, 0, {-3, 1, -1, 0}}, EXACT},
    {{"mg/(L.d)", 1.1574074074074074e-08, 0, {-3, 1, -1, 0}}, EXACT},
    {{"mg/L/d", 1.1574074074074074e-08, 0, {-3, 1, -1, 0}}, EXACT},
    {{"mg/l/d", 1.1574074074074074e-08, 0, {-3, 1, -1, 0}}, EXACT},
    {{"mg/(L.h)", 2.7777777777777776e-07, 0, {-3, 1, -1, 0}}, EXACT},
    {{"mg/L/h", 2.7777777777777776e-07, 0, {-3, 1, -1, 0}}, EXACT},
    /* angle and pure numbers */
    {{"rad", 1, 0, {0, 0, 0, 0}}, EXACT},
    {{"mrad", 0.001, 0, {0, 0, 0, 0}}, EXACT},
    {{"deg", 0.017453292519943295, 0, {0, 0, 0, 0}}, EXACT},
    {{"degree", 0.017453292519943295, 0, {0, 0, 0, 0}}, ANY_CASE},
    {{"degrees", 0.017453292519943295, 0, {0, 0, 0, 0}}, ANY_CASE},
    {{"rev", 6.283185307179586, 0, {0, 0, 0, 0}}, EXACT},
    {{"turn", 6.283185307179586, 0, {0, 0, 0, 0}}, ANY_CASE},
    {{"grad", 0.015707963267948967, 0, {0, 0, 0, 0}}, EXACT},
    {{"gon", 0.015707963267948967, 0, {0, 0, 0, 0}}, EXACT},
    {{"1", 1, 0, {0, 0, 0, 0}}, EXACT},
    {{"-", 1, 0, {0, 0, 0, 0}}, EXACT},
    {{"%", 0.01, 0, {0, 0, 0, 0}}, EXACT},
    {{"percent", 0.01, 0, {0, 0, 0, 0}}, ANY_CASE},
    {{"permille", 0.001, 0, {0, 0, 0, 0}}, ANY_CASE},
    {{"ppm", 1e-06, 0, {0, 0, 0, 0}}, EXACT},
    {{"ppb", 1e-09, 0, {0, 0, 0, 0}}, EXACT},
    {{"m/m", 1, 0, {0, 0, 0, 0}}, EXACT},
    {{"mm/m", 0.001, 0, {0, 0, 0, 0}}, EXACT},
    {{"m/km", 0.001, 0, {0, 0, 0, 0}}, EXACT},
};

enum { N_UNIT = (int)(sizeof table / sizeof *table), LONGEST = 23 };

/* Ways to write one thing: what is found and what it becomes. */
static const struct {
    const char *from, *to;
} rewrites[] = {
    {"^", ""},         {"*", "."},          {"\xC2\xB7", "."}, {"\xE2\x8B\x85", "."}, {"\xC2\xB2", "2"},
    {"\xC2\xB3", "3"}, {"\xC2\xB0", "deg"}, {"\xC2\xB5", "u"}, {"\xCE\xBC", "u"},
};

/* The name in the table's spelling; false when it is longer than any name there. */
static bool normalise(sl_str name, char buf[LONGEST + 1], size_t *len) {
    size_t n = 0;
    while (name.len) {
        size_t used = 1;
        sl_str put = {name.ptr, 1};
        for (size_t i = 0; i < sizeof rewrites / sizeof *rewrites; i++) {
            sl_str from = sl_str_z(rewrites[i].from);
            if (name.len >= from.len && memcmp(name.ptr, from.ptr, from.len) == 0) {
                used = from.len;
                put = sl_str_z(rewrites[i].to);
                break;
            }
        }
        if (n + put.len > LONGEST) {
            return false;
        }
        memcpy(buf + n, put.ptr, put.len);
        n += put.len;
        name.ptr += used;
        name.len -= used;
    }
    *len = n;
    return n > 0;
}

const sl_unit *sl_unit_find(sl_str name) {
    char buf[LONGEST + 1];
    sl_str s = {buf, 0};
    if (!normalise(name, buf, &s.len)) {
        return NULL;
    }
    const sl_unit *similar = NULL;
    for (int i = 0; i < N_UNIT; i++) {
        const entry *e = &table[i];
        if ((e->unit.name[0] ^ s.ptr[0]) & ~32) {
            continue; /* the first letters differ in more than case: most do */
        }
        sl_str known = sl_str_z(e->unit.name);
        if (sl_str_equal(known, s)) {
            return &e->unit;
        }
        if (!similar && e->spelling == ANY_CASE && sl_str_equal_nocase(known, s)) {
            similar = &e->unit;
        }
    }
    return similar;
}

bool sl_unit_same_dimension(const sl_unit *a, const sl_unit *b) {
    if (!a || !b) {
        return false;
    }
    return memcmp(a->dim, b->dim, sizeof a->dim) == 0;
}

sl_status sl_unit_convert(double value, const sl_unit *from, const sl_unit *to, double *out) {
    if (!from || !to || !out) {
        return SL_ERR_USE;
    }
    *out = 0;
    if (!from || !to || !sl_unit_same_dimension(from, to)) {
        return SL_ERR_USE;
    }
    /* Equal units give the value back untouched, under whatever names. */
    if (from->factor == to->factor && from->offset == to->offset) {
        *out = value;
    } else {
        *out = (value * from->factor + (from->offset - to->offset)) / to->factor;
    }
    return SL_OK;
}
