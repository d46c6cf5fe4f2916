/* SPDX-License-Identifier: MIT */
/* sluice/units.h: exact units by name, and time as people write it.
 *
 * A unit is a factor (and for temperatures an offset) to SI with the exponents of its dimension. The
 * factors here are the exact ones (1 ft = 0.3048 m, 1 psi = 6894.757293168361 Pa). EPANET's rounded
 * factors, which .inp files need, live apart in src/network/epanet_units.h.
 */
#ifndef SLUICE_UNITS_H
#define SLUICE_UNITS_H

#include <sluice/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* value_si = value * factor + offset. No size: only the library makes units, and lends them one by one. */
typedef struct sl_unit {
    const char *name;
    double factor;
    double offset;
    int8_t dim[4]; /* exponents of m, kg, s, K */
} sl_unit;

/* Finds a unit by name: "m3/h", "psi", "L/s", "degC", ... NULL if unknown. Names are case-sensitive
 * where case matters (mPa, MPa). "m^3/h", "N*m", superscripts, a degree or micro sign are understood. */
SL_API const sl_unit *sl_unit_find(sl_str name);
SL_API bool sl_unit_same_dimension(const sl_unit *a, const sl_unit *b);
/* Converts between two units of the same dimension; SL_ERR_USE otherwise. */
SL_API sl_status sl_unit_convert(double value, const sl_unit *from, const sl_unit *to, double *out);

/* Seconds from time text. Accepts what EPANET accepts: "1:30" and "1:30:15" (hours first), a number of
 * hours "1.5", a number with a unit "90 MIN", "2 days", "30 sec", and a clock time "6 PM", "6:30 am",
 * where 12 AM is 0 and 12 PM is 43200. The unit may be a second text (empty when there is none).
 * Returns SL_ERR_INPUT for anything else, including negative and non-finite times. */
SL_API sl_status sl_time_parse(sl_str value, sl_str unit, double *seconds);
/* As above from one text with blanks in it. */
SL_API sl_status sl_time_parse_text(sl_str text, double *seconds);
/* "1:30" or "1:30:15" for whole seconds, "0:00:07.25" else. buf holds at least 32 bytes. Returns the length. */
SL_API size_t sl_time_format(double seconds, char *buf, size_t size);
/* "6:30 PM" for a time of day; whole days are taken off. */
SL_API size_t sl_clock_format(double seconds, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
