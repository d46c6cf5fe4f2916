/* SPDX-License-Identifier: MIT */
/* sluice/network.h: a pipe network as data.
 *
 * A network is immutable after sl_inp_read or sl_spec_compile; threads may share it. All
 * arrays are grouped by kind and in SI units:
 *
 *   nodes   0 .. n_junction-1 junctions, then n_reservoir reservoirs, then n_tank tanks
 *   links   0 .. n_pipe-1 pipes, then n_pump pumps, then n_valve valves
 *
 * so node arrays have n_node entries indexed by node, and arrays whose name starts with a kind
 * (tank_level_init) are indexed from 0 within that kind. Ranges are offsets with one entry more than there
 * are objects: the demands of junction j are demand_start[j] .. demand_start[j+1]-1. Within a kind the
 * order is that of the input. An index of -1 means none.
 *
 * Concentrations are in the model's own mass unit per litre (quality.mass_unit), because the unit is free text
 * in the file. [conc] below stands for that unit; it is hours for a water-age model and percent for a trace.
 */
#ifndef SLUICE_NETWORK_H
#define SLUICE_NETWORK_H

#include <sluice/diag.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum sl_flow_unit {
    SL_CFS = 0, /* US customary from here: ft, in, psi, hp */
    SL_GPM,
    SL_MGD,
    SL_IMGD,
    SL_AFD,
    SL_LPS, /* metric from here: m, mm, m of water, kW */
    SL_LPM,
    SL_MLD,
    SL_CMH,
    SL_CMD,
    SL_CMS,
    SL_FLOW_UNIT_COUNT
} sl_flow_unit;

typedef enum sl_pressure_unit {
    SL_PSI = 0,
    SL_KPA,
    SL_METERS,
    SL_BAR,
    SL_FEET,
    SL_PRESSURE_UNIT_COUNT
} sl_pressure_unit;
typedef enum sl_headloss { SL_HAZEN_WILLIAMS = 0, SL_DARCY_WEISBACH, SL_CHEZY_MANNING } sl_headloss;
typedef enum sl_demand_model { SL_DDA = 0, SL_PDA } sl_demand_model;
typedef enum sl_node_kind { SL_JUNCTION = 0, SL_RESERVOIR, SL_TANK } sl_node_kind;
typedef enum sl_link_kind { SL_PIPE = 0, SL_PUMP, SL_VALVE } sl_link_kind;
typedef enum sl_valve_kind {
    SL_PRV = 0,
    SL_PSV,
    SL_PBV,
    SL_FCV,
    SL_TCV,
    SL_GPV,
    SL_PCV,
    SL_VALVE_KIND_COUNT
} sl_valve_kind;

/* Status at the start. ACTIVE is a valve that follows its setting. */
typedef enum sl_link_status { SL_CLOSED = 0, SL_OPEN, SL_ACTIVE } sl_link_status;

typedef enum sl_curve_kind {
    SL_CURVE_GENERIC = 0, /* without a use: numbers as in the file */
    SL_CURVE_PUMP,        /* flow [m3/s] -> head gain [m] */
    SL_CURVE_EFFICIENCY,  /* flow [m3/s] -> efficiency [%] */
    SL_CURVE_VOLUME,      /* level [m] -> volume [m3] */
    SL_CURVE_HEADLOSS,    /* flow [m3/s] -> head loss [m] */
    SL_CURVE_VALVE,       /* opening [%] -> flow coefficient relative to fully open [%] */
    SL_CURVE_KIND_COUNT
} sl_curve_kind;

typedef enum sl_mixing { SL_MIX_FULL = 0, SL_MIX_TWO_COMPARTMENT, SL_MIX_FIFO, SL_MIX_LIFO } sl_mixing;
typedef enum sl_quality_kind {
    SL_QUALITY_NONE = 0,
    SL_QUALITY_CHEMICAL,
    SL_QUALITY_AGE,
    SL_QUALITY_TRACE
} sl_quality_kind;
typedef enum sl_source_kind {
    SL_SOURCE_CONCEN = 0,
    SL_SOURCE_MASS,
    SL_SOURCE_SETPOINT,
    SL_SOURCE_FLOWPACED
} sl_source_kind;
typedef enum sl_statistic {
    SL_STAT_SERIES = 0,
    SL_STAT_AVERAGE,
    SL_STAT_MINIMUM,
    SL_STAT_MAXIMUM,
    SL_STAT_RANGE
} sl_statistic;

/* ---- Controls and rules ------------------------------------------------------------------------- */

typedef enum sl_control_kind {
    SL_CONTROL_ABOVE = 0, /* level of a tank or pressure head of a junction rises to the threshold */
    SL_CONTROL_BELOW,
    SL_CONTROL_TIME,  /* once, at this time of the simulation */
    SL_CONTROL_CLOCK, /* every day at this time of day */
    SL_CONTROL_KIND_COUNT
} sl_control_kind;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_control {
    sl_control_kind kind;
    int32_t link;
    int32_t node;          /* -1 for time and clock */
    sl_link_status status; /* new status: OPEN or CLOSED; ACTIVE with a valve's setting */
    double setting;        /* speed, or valve setting in SI; NaN: status only (valves keep their setting) */
    double threshold;      /* [m] above the node's elevation, or [s] */
    bool enabled;
    uint32_t line; /* in the input; 0 if built by calls */
} sl_control;

typedef enum sl_rule_object { SL_RULE_NODE = 0, SL_RULE_LINK, SL_RULE_SYSTEM } sl_rule_object;
typedef enum sl_rule_variable {
    SL_RULE_DEMAND = 0,
    SL_RULE_HEAD,
    SL_RULE_GRADE,
    SL_RULE_LEVEL,
    SL_RULE_PRESSURE,
    SL_RULE_FLOW,
    SL_RULE_STATUS,
    SL_RULE_SETTING,
    SL_RULE_POWER,
    SL_RULE_TIME,
    SL_RULE_CLOCKTIME,
    SL_RULE_FILLTIME,
    SL_RULE_DRAINTIME,
    SL_RULE_VARIABLE_COUNT
} sl_rule_variable;
typedef enum sl_rule_operator {
    SL_RULE_EQ = 0,
    SL_RULE_NE,
    SL_RULE_LE,
    SL_RULE_GE,
    SL_RULE_LT,
    SL_RULE_GT,
    SL_RULE_OPERATOR_COUNT
} sl_rule_operator;
typedef enum sl_rule_logic { SL_RULE_IF = 0, SL_RULE_AND, SL_RULE_OR } sl_rule_logic;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_premise {
    sl_rule_logic logic; /* its connection with the premises before it */
    sl_rule_object object;
    sl_rule_variable variable;
    sl_rule_operator relation;
    int32_t index;         /* node or link; -1 for the system */
    sl_link_status status; /* for STATUS */
    double value;          /* else: [m3/s] [m] [s] or a setting in SI (a junction's or tank's PRESSURE is a head [m]);
                              FILLTIME and DRAINTIME [s]; NaN for STATUS */
    uint32_t line;
} sl_premise;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_action {
    int32_t link;
    sl_link_status status;
    double setting; /* NaN: status only */
    uint32_t line;
} sl_action;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_rule {
    const char *name;
    int32_t premise_start, n_premise; /* into premises */
    int32_t then_start, n_then;       /* into actions */
    int32_t else_start, n_else;
    double priority; /* 0 when not given */
    bool enabled;
    uint32_t line;
} sl_rule;

/* ---- Sources, notes, options ----------------------------------------------------------------------------------- */

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_quality_source {
    int32_t node;
    sl_source_kind kind;
    double strength; /* [conc]; for MASS [mass unit / min] */
    int32_t pattern;
} sl_quality_source;

/* Text attached to a node or link, sorted by index. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_note {
    int32_t index;
    const char *text;
} sl_note;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_label {
    double x, y; /* map units */
    const char *text;
    int32_t anchor; /* node, or -1 */
} sl_label;

/* The options. No size: only the library makes them, in a network or a spec; callers read or change them in place. */
typedef struct sl_hydraulic_options {
    sl_flow_unit flow_unit; /* of the file; results have this unit */
    sl_pressure_unit pressure_unit;
    sl_headloss headloss;
    sl_demand_model demand_model;
    double pressure_min, pressure_required; /* PDA [m] of head; in a spec, NaN: 0.1 pressure units above the minimum */
    double pressure_exponent;
    double demand_multiplier;
    double emitter_exponent;
    bool emitter_backflow;
    double specific_gravity;
    double viscosity; /* [m2/s] */
    int32_t trials;
    double accuracy;                       /* sum of flow changes over sum of flows */
    double head_error;                     /* largest head-loss error allowed [m], 0: no limit */
    double flow_change;                    /* largest flow change allowed [m3/s], 0: no limit */
    double head_tolerance, flow_tolerance; /* status checks, HTOL [m] and QTOL [m3/s] */
    double rq_tolerance;                   /* RQTOL */
    int32_t check_freq, max_check;
    double damp_limit;
    int32_t unbalanced_extra;       /* -1: stop; n: continue with n more trials; 0 if the file does not state it */
    int32_t default_pattern;        /* applied to demands without a pattern; -1: constant 1 */
    const char *default_pattern_id; /* as in the file, even if no such pattern exists */
    int32_t hydraulics_file;        /* 0 none, 1 USE, 2 SAVE: stored without effect */
    const char *hydraulics_path;
    const char *map_file;
} sl_hydraulic_options;

/* No size: as above. */
typedef struct sl_quality_options {
    sl_quality_kind kind;
    const char *chemical;  /* "Chlorine" */
    const char *mass_unit; /* "mg/L" */
    int32_t trace_node;
    double tolerance;   /* [conc] */
    double diffusivity; /* [m2/s] */
    double bulk_order, tank_order;
    int32_t wall_order;      /* 0 or 1 */
    double bulk_coef;        /* global [conc^(1-order)/s] */
    double wall_coef;        /* global: order 1 [m/s]; order 0 [conc * m/s] (mass unit / L * m / s) */
    double limit_potential;  /* [conc], 0: none */
    double roughness_factor; /* wall coefficient from roughness, in the unit of wall_coef; 0: none */
} sl_quality_options;

/* No size: as above. */
typedef struct sl_energy_options {
    double price; /* per kWh */
    int32_t price_pattern;
    double efficiency;    /* [%] of pumps without a curve */
    double demand_charge; /* per peak kW */
} sl_energy_options;

/* All [s], whole. No size: as above. */
typedef struct sl_times {
    double duration, hydraulic_step, quality_step, rule_step;
    double pattern_step, pattern_start, report_step, report_start, start_clock;
    sl_statistic statistic;
} sl_times;

typedef enum sl_report_field_id {
    SL_FIELD_ELEVATION = 0,
    SL_FIELD_DEMAND,
    SL_FIELD_HEAD,
    SL_FIELD_PRESSURE,
    SL_FIELD_QUALITY,
    SL_FIELD_LENGTH,
    SL_FIELD_DIAMETER,
    SL_FIELD_FLOW,
    SL_FIELD_VELOCITY,
    SL_FIELD_HEADLOSS,
    SL_FIELD_LINK_QUALITY,
    SL_FIELD_LINK_STATE,
    SL_FIELD_SETTING,
    SL_FIELD_REACTION,
    SL_FIELD_FRICTION,
    SL_REPORT_FIELD_COUNT
} sl_report_field_id;

/* No size: an element of an array, whose stride caller and library share. */
typedef struct sl_report_field {
    bool enabled;
    int32_t precision;
    double below, above; /* limits in the file's report units; NaN: none */
} sl_report_field;

typedef enum sl_report_which { SL_REPORT_NONE = 0, SL_REPORT_ALL, SL_REPORT_SOME } sl_report_which;

/* No size: as above. */
typedef struct sl_report_options {
    int32_t page_size;
    int32_t status; /* 0 no, 1 yes, 2 full */
    bool summary, messages, energy;
    sl_report_which nodes, links;
    const int32_t *node_list; /* sorted */
    int32_t n_node_list;
    const int32_t *link_list;
    int32_t n_link_list;
    const char *file;
    sl_report_field field[SL_REPORT_FIELD_COUNT];
} sl_report_options;

/* No size: only the library makes it; callers borrow it. */
typedef struct sl_network {
    const char *name; /* of the input, "" if none */
    const char *const *title;
    int32_t n_title;

    int32_t n_junction, n_reservoir, n_tank, n_node;
    int32_t n_pipe, n_pump, n_valve, n_link;

    /* Nodes. */
    const double *node_elevation;  /* [m]; a reservoir's head, a tank's bottom */
    const double *node_x, *node_y; /* map units; NaN: no coordinates; NULL: no node has coordinates */
    const double *node_quality;    /* initial [conc] */
    const uint32_t *node_line;     /* line of definition in the input; 0 if built by calls */
    const int32_t *node_rank; /* position in EPANET's order (junctions as read, then reservoirs and tanks as read) */

    /* Junctions. */
    const int32_t *demand_start;   /* [n_junction+1] */
    const double *demand_base;     /* [m3/s] */
    const int32_t *demand_pattern; /* -1: the default pattern */
    const sl_note *demand_note;    /* category names by demand index */
    int32_t n_demand, n_demand_note;
    const double *emitter_coef; /* [m3/s / m^exponent], 0: none */

    /* Reservoirs. */
    const int32_t *reservoir_pattern; /* of the head */

    /* Tanks: levels in [m] above the bottom. */
    const double *tank_level_init, *tank_level_min, *tank_level_max;
    const double *tank_diameter;   /* [m] */
    const double *tank_volume_min; /* [m3]; 0: area times minimum level */
    const int32_t *tank_curve;     /* volume curve */
    const uint8_t *tank_overflow;
    const uint8_t *tank_mixing;      /* sl_mixing */
    const double *tank_mix_fraction; /* of the volume, two-compartment model */
    const double *tank_bulk;         /* [conc^(1-order)/s]; NaN: the global coefficient */

    /* Links. */
    const int32_t *link_from, *link_to;
    const uint8_t *link_status; /* sl_link_status at the start */
    const uint32_t *link_line;
    const int32_t *link_rank; /* position in EPANET's order (all links as read) */

    /* Pipes. */
    const double *pipe_length, *pipe_diameter; /* [m] */
    const double *pipe_roughness;              /* Hazen-Williams C, Darcy-Weisbach [m], Manning n */
    const double *pipe_minor;                  /* loss coefficient K */
    const uint8_t *pipe_check;                 /* has a check valve */
    const double *pipe_bulk, *pipe_wall;       /* NaN: the global coefficient; NULL: no pipe has its own */
    const double *pipe_leak_area;              /* [m2 per m of pipe], NULL: no pipe leaks */
    const double *pipe_leak_expansion;         /* [m2 per m of head per m of pipe] */

    /* Pumps. */
    const int32_t *pump_curve; /* head curve, -1: constant power */
    const double *pump_power;  /* [W], 0 when there is a curve */
    const double *pump_speed;
    const int32_t *pump_pattern;          /* of the speed */
    const int32_t *pump_efficiency_curve; /* -1: the global efficiency */
    const double *pump_price;             /* per kWh, NaN: the global price */
    const int32_t *pump_price_pattern;    /* -1: the global one */

    /* Valves. */
    const uint8_t *valve_kind;    /* sl_valve_kind */
    const double *valve_diameter; /* [m] */
    const double *valve_setting;  /* PRV PSV PBV [m], FCV [m3/s], TCV K, PCV [%]; 0 for GPV */
    const double *valve_minor;
    const int32_t *valve_curve; /* GPV head loss, PCV characteristic (-1: linear) */

    /* Vertices of links, for the map: [n_link+1] offsets, NULL when no link has any. */
    const int32_t *vertex_start;
    const double *vertex_x, *vertex_y;

    /* Patterns and curves. */
    int32_t n_pattern, n_curve;
    const int32_t *pattern_start; /* [n_pattern+1] */
    const double *pattern_factor;
    const uint8_t *curve_kind;  /* sl_curve_kind */
    const int32_t *curve_start; /* [n_curve+1] */
    const double *curve_x, *curve_y;
    /* A curve with two uses (a pump's and a tank's) appears twice, the second time after all named curves.
     * n_curve_named is the number of ids. */
    int32_t n_curve_named;
    const int32_t *curve_twin; /* [n_curve - n_curve_named] the first appearance */
    const uint32_t *curve_line,
        *pattern_line; /* first line in the input; a second appearance has the line of the first */

    /* Controls, rules, sources. */
    int32_t n_control, n_rule, n_premise, n_action, n_source;
    const sl_control *controls;
    const sl_rule *rules;
    const sl_premise *premises;
    const sl_action *actions;
    const sl_quality_source *sources; /* sorted by node */

    /* Notes: tags and descriptions. */
    int32_t n_node_tag, n_link_tag, n_node_note, n_link_note, n_pattern_note, n_curve_note;
    const sl_note *node_tags, *link_tags, *node_notes, *link_notes, *pattern_notes, *curve_notes;

    /* Labels and backdrop of the map. */
    int32_t n_label, n_backdrop;
    const sl_label *labels;
    const char *const *backdrop; /* lines as in the file */

    sl_hydraulic_options hydraulics;
    sl_quality_options quality;
    sl_energy_options energy;
    sl_times times;
    sl_report_options report;
} sl_network;

SL_API void sl_network_destroy(sl_network *net);

/* Ids are NUL-terminated, never NULL for a valid index. */
SL_API const char *sl_network_node_id(const sl_network *net, int32_t node);
SL_API const char *sl_network_link_id(const sl_network *net, int32_t link);
SL_API const char *sl_network_pattern_id(const sl_network *net, int32_t pattern);
SL_API const char *sl_network_curve_id(const sl_network *net, int32_t curve);
/* Index by id, or -1. A curve that appears twice is found under its first index. */
SL_API int32_t sl_network_find_node(const sl_network *net, sl_str id);
SL_API int32_t sl_network_find_link(const sl_network *net, sl_str id);
SL_API int32_t sl_network_find_pattern(const sl_network *net, sl_str id);
SL_API int32_t sl_network_find_curve(const sl_network *net, sl_str id);
SL_API sl_node_kind sl_network_node_kind(const sl_network *net, int32_t node);
SL_API sl_link_kind sl_network_link_kind(const sl_network *net, int32_t link);

/* Words as in files: "LPS", "PSI", "H-W", "PRV", "OPEN", ... */
SL_API const char *sl_flow_unit_word(sl_flow_unit unit);
SL_API const char *sl_pressure_unit_word(sl_pressure_unit unit);
SL_API const char *sl_headloss_word(sl_headloss headloss);
SL_API const char *sl_valve_kind_word(sl_valve_kind kind);
SL_API bool sl_flow_unit_is_metric(sl_flow_unit unit);
/* Finds the unit of a word in any case; false: there is none. */
SL_API bool sl_flow_unit_parse(sl_str word, sl_flow_unit *out);

/* Whether two networks are the same model. Compares, bit for bit, everything that affects a simulation or a file (not line
 * numbers, not the name of the input). Writes a sentence about the first difference to why; why may be NULL. */
SL_API bool sl_network_equal(const sl_network *a, const sl_network *b, char *why, size_t why_size);

#ifdef __cplusplus
}
#endif
#endif
