/* SPDX-License-Identifier: MIT */
/* points.h: a function of time as a table of two columns, as CSV: a time and a value in each row, the times rising.
 *
 *     time, inflow
 *     0, 2.5
 *     15 min, 3        numbers as in files of YAML: bare in SI units, or with a unit of their own
 *     1:30, 900 l/s
 *
 * A first row that begins with a word is a head, which nobody reads. Empty rows and those that begin with # are passed over. Cells may
 * stand in quotes. Columns end at commas, rows at line ends of any kind.
 */
#ifndef SL_TEXT_POINTS_H
#define SL_TEXT_POINTS_H

#include <sluice/diag.h>

#include "base/memory.h"

typedef struct sl_points {
    int32_t n;
    const double *x, *y; /* the arena's; x [s] */
} sl_points;

/* unit: of values, as in sl_yaml_number. name: as messages call the file. SL_ERR_INPUT: everything that is wrong has been reported;
 * SL_ERR_MEMORY. */
sl_status sl_points_read(sl_arena *arena, sl_str text, const char *name, const char *unit, sl_diags *diags,
                         sl_points *out);

#endif
