/* SPDX-License-Identifier: MIT */
/* geo.h: results for maps: elements with their positions, facts, and what their quantities came to over the run.
 *
 * geo.c          collects: least, greatest and mean value of each quantity, which needs no memory that grows with the run
 * geo_json.c     GeoJSON (RFC 7946, coordinates as the model has them)
 * geo_package.c  GeoPackage (OGC 12-128), through libsqlite3
 *
 * Groups with facts x and y are points, groups with facts from and to are lines between nodes; others have no position and are
 * left out. Of one frame the values are written as they are (pressure_m), of several their least, greatest and mean
 * (pressure_min_m, pressure_max_m, pressure_mean_m; the mean is of the frames); codes are the word of the last frame.
 */
#ifndef SL_RESULTS_GEO_H
#define SL_RESULTS_GEO_H

#include "results/format.h"

/* A quantity over the run, a value per element. */
typedef struct sl_geo_quantity {
    double *min, *max, *sum, *last; /* NaN: no value */
    int64_t *n;                     /* frames with a value */
} sl_geo_quantity;

typedef struct sl_geo {
    sl_context *ctx;
    sl_arena arena;
    const sl_results_layout *layout;
    sl_sink sink;
    int64_t n_frame;
    double first, last; /* times */
    sl_geo_quantity *quantity;
    int32_t *first_of; /* [n_group] its first quantity */
    /* Lines: the element of the group "node" at each end, -1: unknown; NULL: the group has none. */
    int32_t nodes; /* the group "node"; -1: none */
    int32_t **from, **to;
} sl_geo;

/* Names and values of a feature; text NULL: a number, NaN: unknown. */
typedef struct sl_geo_column {
    const char *name;
    bool text;
} sl_geo_column;

typedef struct sl_geo_value {
    const char *text;
    double number;
} sl_geo_value;

/* SL_ERR_INPUT with a diagnostic when nothing has a position. geo is zeroed. Must be ended in any case. */
sl_status sl_geo_init(sl_geo *geo, sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                      sl_diags *diags);
void sl_geo_fini(sl_geo *geo);
/* The frame of a format, whose writer begins with its sl_geo. */
sl_status sl_geo_frame(void *geo, const sl_results_frame *frame, sl_diags *diags);

/* Are the elements points, or lines? Neither: they have no position. */
bool sl_geo_has_points(const sl_geo *geo, int32_t group);
bool sl_geo_has_lines(const sl_geo *geo, int32_t group);
bool sl_geo_is_located(const sl_geo *geo, int32_t group); /* either */
/* Coordinates x, y of a point, or of both ends of a line; the number of points, 0: not known. */
int sl_geo_position(const sl_geo *geo, int32_t group, int32_t element, double xy[4]);
/* The columns of a group: id, facts, quantities. NULL: out of memory. */
const sl_geo_column *sl_geo_columns(sl_geo *geo, int32_t group, int32_t *n);
/* The values of an element, one per column. */
void sl_geo_values(const sl_geo *geo, int32_t group, int32_t element, sl_geo_value *values);

#endif
