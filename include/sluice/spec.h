/* SPDX-License-Identifier: MIT */
/* sluice/spec.h: building a network by calls.
 *
 *     sl_spec *spec;
 *     sl_spec_create(ctx, diags, &spec);
 *     sl_junction_def j = sl_junction_default();
 *     j.id = "J1"; j.elevation = 12; j.demand = 0.005;
 *     sl_spec_add_junction(spec, &j);
 *     ...
 *     sl_spec_compile(spec, &net);
 *
 * Everything is in SI units. Objects refer to each other by id. Add an object before others refer to it: patterns and
 * curves, then nodes, then links, then all else. Text is copied. An add that fails writes to the diagnostics given at
 * creation, adds nothing and returns SL_ERR_INPUT. sl_spec_compile then fails too, after it has reported all other errors by
 * the same validation as for files. Data that a file cannot contain is refused: ids with blanks, infinite values, one
 * coordinate without the other. Times are rounded to whole seconds.
 */
#ifndef SLUICE_SPEC_H
#define SLUICE_SPEC_H

#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_spec sl_spec;

/* diags may be NULL; it must outlive the spec. */
SL_API sl_status sl_spec_create(sl_context *ctx, sl_diags *diags, sl_spec **out);
SL_API void sl_spec_destroy(sl_spec *spec);
/* Validates the spec and makes the network. The spec does not change; it may be extended and compiled again. */
SL_API sl_status sl_spec_compile(sl_spec *spec, sl_network **out);

/* Options, to be changed in place. They start with EPANET's defaults for the flow unit GPM, as SI values. Set ids of
 * patterns and nodes by the functions below, not by the index members. */
SL_API sl_hydraulic_options *sl_spec_hydraulics(sl_spec *spec);
SL_API sl_quality_options *sl_spec_quality(sl_spec *spec);
SL_API sl_energy_options *sl_spec_energy(sl_spec *spec);
SL_API sl_times *sl_spec_times(sl_spec *spec);
SL_API sl_report_options *sl_spec_report(sl_spec *spec);
/* Flow unit of results and files; it determines the pressure unit. */
SL_API void sl_spec_set_units(sl_spec *spec, sl_flow_unit unit);
/* id may be NULL: none. */
SL_API sl_status sl_spec_set_default_pattern(sl_spec *spec, const char *id);
SL_API sl_status sl_spec_set_price_pattern(sl_spec *spec, const char *id);
SL_API sl_status sl_spec_set_trace_node(sl_spec *spec, const char *id);
/* name NULL keeps "Chemical", mass_unit NULL "mg/L". */
SL_API sl_status sl_spec_set_chemical(sl_spec *spec, const char *name, const char *mass_unit);
/* Adds a node or link to the report, which then lists only the added nodes or links. */
SL_API sl_status sl_spec_add_report_node(sl_spec *spec, const char *id);
SL_API sl_status sl_spec_add_report_link(sl_spec *spec, const char *id);
SL_API sl_status sl_spec_add_title(sl_spec *spec, const char *line);
SL_API sl_status sl_spec_add_backdrop(sl_spec *spec, const char *line);

/* Every definition starts with its size and comes from its default function, so that members can be added
 * later. Text members may be NULL. Coordinates of NaN mean no coordinates. */
typedef struct sl_pattern_def {
    size_t size;
    const char *id;
    const double *factor;
    int32_t n_factor;
    const char *note;
} sl_pattern_def;

typedef struct sl_curve_def {
    size_t size;
    const char *id;
    sl_curve_kind kind; /* units of x and y: see sl_curve_kind */
    const double *x, *y;
    int32_t n_point;
    const char *note;
} sl_curve_def;

typedef struct sl_junction_def {
    size_t size;
    const char *id;
    double elevation;    /* [m] */
    double demand;       /* [m3/s] */
    const char *pattern; /* of the demand */
    double emitter_coef; /* [m3/s / m^exponent] */
    double quality;      /* initial [conc] */
    double x, y;
    const char *tag, *note;
} sl_junction_def;

typedef struct sl_demand_def {
    size_t size;
    const char *junction;
    double base; /* [m3/s] */
    const char *pattern;
    const char *category;
} sl_demand_def;

typedef struct sl_reservoir_def {
    size_t size;
    const char *id;
    double head; /* [m] */
    const char *pattern;
    double quality;
    double x, y;
    const char *tag, *note;
} sl_reservoir_def;

typedef struct sl_tank_def {
    size_t size;
    const char *id;
    double elevation;                        /* of the bottom [m] */
    double level_init, level_min, level_max; /* [m] */
    double diameter;                         /* [m], default 10 */
    double volume_min;                       /* [m3] */
    const char *volume_curve;
    bool overflow;
    sl_mixing mixing;
    double mix_fraction; /* default 1 */
    double bulk;         /* [conc^(1-order)/s], NaN: global */
    double quality;
    double x, y;
    const char *tag, *note;
} sl_tank_def;

typedef struct sl_pipe_def {
    size_t size;
    const char *id, *from, *to;
    double length, diameter; /* [m], defaults 100 and 0.254 */
    double roughness;        /* Hazen-Williams C, Darcy-Weisbach [m], Manning n; default 130 */
    double minor;
    sl_link_status status; /* OPEN or CLOSED */
    bool check_valve;
    double bulk, wall;                /* NaN: global */
    double leak_area, leak_expansion; /* [m2/m], [m2/m/m] */
    const char *tag, *note;
} sl_pipe_def;

typedef struct sl_pump_def {
    size_t size;
    const char *id, *from, *to;
    const char *curve; /* head curve, or */
    double power;      /* [W] */
    double speed;      /* default 1 */
    sl_link_status status;
    const char *pattern;
    const char *efficiency_curve;
    double price; /* per kWh, NaN: global */
    const char *price_pattern;
    const char *tag, *note;
} sl_pump_def;

typedef struct sl_valve_def {
    size_t size;
    const char *id, *from, *to;
    sl_valve_kind kind;
    double diameter; /* [m], default 0.254 */
    double setting;  /* see sl_network.valve_setting */
    double minor;
    const char *curve;     /* GPV, PCV */
    sl_link_status status; /* ACTIVE (default), or OPEN / CLOSED to fix it; a GPV is OPEN or CLOSED */
    const char *tag, *note;
} sl_valve_def;

typedef struct sl_control_def {
    size_t size;
    const char *link;
    sl_control_kind kind;
    const char *node;
    double threshold;      /* [m] or [s] */
    sl_link_status status; /* OPEN or CLOSED, used when setting is NaN */
    double setting;        /* NaN (default): status only */
    bool enabled;
} sl_control_def;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_premise_def {
    sl_rule_logic logic;
    sl_rule_object object;
    const char *id; /* NULL for the system */
    sl_rule_variable variable;
    sl_rule_operator relation;
    sl_link_status status; /* for STATUS */
    double value;          /* SI, for all else */
} sl_premise_def;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_action_def {
    const char *link;
    sl_link_status status;
    double setting; /* NaN: status only */
} sl_action_def;

typedef struct sl_rule_def {
    size_t size;
    const char *name;
    const sl_premise_def *premise;
    int32_t n_premise;
    const sl_action_def *then_action;
    int32_t n_then;
    const sl_action_def *else_action;
    int32_t n_else;
    double priority;
    bool enabled;
} sl_rule_def;

typedef struct sl_source_def {
    size_t size;
    const char *node;
    sl_source_kind kind;
    double strength;
    const char *pattern;
} sl_source_def;

typedef struct sl_label_def {
    size_t size;
    double x, y;
    const char *text;
    const char *anchor; /* node id */
} sl_label_def;

SL_DEFAULT(sl_pattern_def, sl_pattern_default)
SL_DEFAULT(sl_curve_def, sl_curve_default)
SL_DEFAULT(sl_junction_def, sl_junction_default)
SL_DEFAULT(sl_demand_def, sl_demand_default)
SL_DEFAULT(sl_reservoir_def, sl_reservoir_default)
SL_DEFAULT(sl_tank_def, sl_tank_default)
SL_DEFAULT(sl_pipe_def, sl_pipe_default)
SL_DEFAULT(sl_pump_def, sl_pump_default)
SL_DEFAULT(sl_valve_def, sl_valve_default)
SL_DEFAULT(sl_control_def, sl_control_default)
SL_DEFAULT(sl_rule_def, sl_rule_default)
SL_DEFAULT(sl_source_def, sl_source_default)
SL_DEFAULT(sl_label_def, sl_label_default)

SL_API sl_status sl_spec_add_pattern(sl_spec *spec, const sl_pattern_def *def);
SL_API sl_status sl_spec_add_curve(sl_spec *spec, const sl_curve_def *def);
SL_API sl_status sl_spec_add_junction(sl_spec *spec, const sl_junction_def *def);
SL_API sl_status sl_spec_add_reservoir(sl_spec *spec, const sl_reservoir_def *def);
SL_API sl_status sl_spec_add_tank(sl_spec *spec, const sl_tank_def *def);
/* Adds a demand category. The first one replaces the junction's own demand, as in files. */
SL_API sl_status sl_spec_add_demand(sl_spec *spec, const sl_demand_def *def);
SL_API sl_status sl_spec_add_pipe(sl_spec *spec, const sl_pipe_def *def);
SL_API sl_status sl_spec_add_pump(sl_spec *spec, const sl_pump_def *def);
SL_API sl_status sl_spec_add_valve(sl_spec *spec, const sl_valve_def *def);
SL_API sl_status sl_spec_add_vertices(sl_spec *spec, const char *link, const double *x, const double *y, int32_t n);
SL_API sl_status sl_spec_add_control(sl_spec *spec, const sl_control_def *def);
SL_API sl_status sl_spec_add_rule(sl_spec *spec, const sl_rule_def *def);
SL_API sl_status sl_spec_add_source(sl_spec *spec, const sl_source_def *def);
SL_API sl_status sl_spec_add_label(sl_spec *spec, const sl_label_def *def);

#ifdef __cplusplus
}
#endif
#endif
