/* SPDX-License-Identifier: MIT */
/* network_columns.h: what the results of a network have, whether they come from a run or from EPANET's .out: groups node and link,
 * their facts and quantities with units and meanings, the table of pumps at the end, the facts about the whole.
 *
 * Elements stand in EPANET's order (node_rank, link_rank), so that a run and its .out agree. A .out file has floats, cut ids and no
 * coordinates; a network has all of it.
 */
#ifndef SL_RESULTS_NETWORK_COLUMNS_H
#define SL_RESULTS_NETWORK_COLUMNS_H

#include <sluice/results.h>

#include "base/memory.h"

/* ---- Units -------------------------------------------------------------------------------------- */

typedef enum sl_network_measure {
    SL_MEASURE_NONE = 0,
    SL_MEASURE_FLOW,
    SL_MEASURE_LENGTH, /* heads, elevations, lengths */
    SL_MEASURE_DIAMETER,
    SL_MEASURE_PRESSURE,
    SL_MEASURE_VELOCITY,
    SL_MEASURE_SLOPE, /* per 1000 units of length */
    SL_MEASURE_QUALITY,
    SL_MEASURE_RATE,
    SL_MEASURE_INTENSITY, /* energy per volume */
    SL_MEASURE_COUNT
} sl_network_measure;

typedef struct sl_network_unit_names {
    const char *name[SL_MEASURE_COUNT]; /* "L/s" */
    double length, diameter;            /* [m] of one unit: value = SI value / this */
    const char *quality;                /* what quality is: "Chlorine", "age of the water", "water from SPRING" */
} sl_network_unit_names;

/* Of a file in these units. of: the name of a chemical, or the node that is traced; mass_unit: of a chemical; any bytes. */
sl_status sl_network_units_show(sl_arena *arena, sl_flow_unit flow, sl_pressure_unit pressure, sl_quality_kind quality,
                                const char *of, const char *mass_unit, sl_network_unit_names *out);
/* Of a network: its own, or SI (pressures in m of head). */
sl_status sl_network_units_show_own(sl_arena *arena, const sl_network *net, bool si, sl_network_unit_names *out);

/* ---- Quantities --------------------------------------------------------------------------------- */

typedef struct sl_network_quantity {
    const char *name, *meaning;
    sl_network_measure measure;
    bool quality; /* means something only where quality is computed */
} sl_network_quantity;

/* By sl_out_variable: those before SL_OUT_FLOW are of nodes, the others of links. */
extern const sl_network_quantity sl_network_quantities[SL_OUT_VARIABLE_COUNT];

enum { SL_NETWORK_STATUSES = 8 };
extern const char *const sl_network_statuses[SL_NETWORK_STATUSES]; /* by EPANET's code, as the session calls them */

/* The quantity as a column without values; of STATUS with its words. */
sl_results_column sl_network_quantity_column(sl_out_variable variable, const sl_network_unit_names *units);

/* ---- Elements ----------------------------------------------------------------------------------- */

enum { SL_NETWORK_NODES = 0, SL_NETWORK_LINKS, SL_NETWORK_GROUPS };

/* In the units given. One value per element. */
typedef struct sl_network_facts {
    int32_t n_node, n_link;
    const char *const *node_id, *const *node_kind; /* junction reservoir tank */
    const char *const *link_id, *const *link_kind; /* pipe pump prv psv pbv fcv tcv gpv pcv */
    const char *const *from, *const *to;           /* ids of the nodes of a link */
    const double *elevation, *length, *diameter;
    const double *x, *y; /* NULL: unknown */
} sl_network_facts;

/* EPANET's types of links, 0 (pipe with check valve) to 9. */
extern const char *const sl_network_link_types[10];

/* The network's element at each place of EPANET's order: the inverse of node_rank or link_rank. NULL: out of memory. */
const int32_t *sl_network_order(sl_arena *arena, const int32_t *rank, int32_t n);
sl_status sl_network_facts_collect(sl_arena *arena, const sl_network *net, const sl_network_unit_names *units,
                                   sl_network_facts *out);
/* The groups "node" and "link": facts kind, elevation, x, y; kind, from, to, length, diameter; all quantities in the order of
 * sl_out_variable, those of quality only with quality. */
sl_status sl_network_groups_make(sl_arena *arena, const sl_network_facts *facts, const sl_network_unit_names *units,
                                 bool quality, sl_results_group groups[SL_NETWORK_GROUPS]);

/* ---- The whole ---------------------------------------------------------------------------------- */

enum { SL_NETWORK_ATTRIBUTES = 7, SL_NETWORK_END_ATTRIBUTES = 2, SL_NETWORK_ENERGIES = 6 };

/* flow_unit, pressure_unit (EPANET's words), statistic, trace_node (its id; "": no trace), report_start_s, report_step_s, duration_s. */
void sl_network_attributes_make(sl_flow_unit flow, sl_pressure_unit pressure, sl_statistic statistic,
                                const char *trace_node, double start, double step, double duration,
                                sl_results_attribute out[SL_NETWORK_ATTRIBUTES]);
/* warning: the words of EPANET's flag; demand_charge. */
void sl_network_end_attributes_make(int32_t warning, double demand_charge,
                                    sl_results_attribute out[SL_NETWORK_END_ATTRIBUTES]);
/* The table "pump": id and energies [SL_NETWORK_ENERGIES][n]: utilization, efficiency, energy per volume, average power, peak power,
 * cost per day. */
sl_status sl_network_pump_table(sl_arena *arena, int32_t n, const char *const *ids, const double *energy,
                                const sl_network_unit_names *units, sl_results_table *out);
/* Lines of a title as one text, without empty ones at the end. NULL: out of memory. */
const char *sl_network_title_text(sl_arena *arena, const char *const *line, int32_t n);

#endif
