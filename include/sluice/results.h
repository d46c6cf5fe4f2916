/* SPDX-License-Identifier: MIT */
/* sluice/results.h: results of every engine: recording, writing, reading, comparing, verifying; and EPANET's result files.
 *
 * A result is independent of its model. It has groups of elements (the nodes of a network, the points along a route, the variables of
 * an automaton), whose quantities have a value at each report time. It also has events, and tables that are known at the end. A recorder
 * takes a result from a session, a writer writes it to a file, and a reader reads it:
 *
 *     sl_recorder_create(ctx, session, &def, diags, &recorder);         before the first step
 *     sl_recorder_add(recorder, &target, diags);                        one or several files
 *     sl_session_advance(session, INFINITY, 0, NULL);
 *     sl_recorder_end(recorder, true, diags);
 *
 *     sl_results_open(ctx, &bytes, "town.h5", diags, &results);
 *     sl_results_read(results, frame, quantity, x);
 *
 * A written result is read back equal, bit for bit. docs/reference/results.md describes the formats.
 */
#ifndef SLUICE_RESULTS_H
#define SLUICE_RESULTS_H

#include <sluice/eps.h>
#include <sluice/network.h>
#include <sluice/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes with random access. No size: a function, its argument and the number of bytes, fixed for good. read returns SL_OK when it
 * has read all n bytes at the offset. */
typedef struct sl_source_bytes {
    void *user;
    uint64_t size;
    sl_status (*read)(void *user, uint64_t offset, void *bytes, size_t n);
} sl_source_bytes;

/* A sink that can also replace bytes already written. No size: functions and their argument, fixed for good. */
typedef struct sl_patch_sink {
    void *user;
    sl_status (*write)(void *user, const void *bytes, size_t n);                  /* at the end */
    sl_status (*patch)(void *user, uint64_t offset, const void *bytes, size_t n); /* within what was written */
    void (*expect)(void *user,
                   uint64_t size); /* called before the first byte with the expected size; NULL: not called */
} sl_patch_sink;

/* ---- Contents of a result -------------------------------------------------------------------------- */

/* Texts are valid UTF-8, even if ids of the model are not. */

/* A column of numbers or texts. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_results_column {
    const char *name;    /* "pressure" */
    const char *unit;    /* of these values: "m", "L/s"; "": a pure number, a text, or different units by element */
    const char *meaning; /* one line; "": none */
    const char *const *words; /* of a code, whose values are indices into words; NULL: numbers */
    int32_t n_word;
    const double
        *real; /* one per element, NaN: unknown; NULL for texts, and for quantities, whose values are in frames */
    const char *const *text; /* one per element */
} sl_results_column;

/* Elements with the same quantities. A group whose elements follow each other along a line is a profile. No size: an element of an
 * array, whose stride caller and library share. */
typedef struct sl_results_group {
    const char *name;    /* "node", "link", "variable"; "model" for the model as a whole; unique */
    const char *meaning; /* one line; "": none */
    const char *among;   /* the group that contains these elements: "link" for pumps; NULL: none */
    const char *along;   /* of a profile: name of the fact with the distance along it, "distance"; NULL: no profile */
    int32_t n;
    const char *const *ids; /* unique */
    int32_t n_fact, n_quantity;
    const sl_results_column *facts;      /* constant properties: kind, elevation, x, y */
    const sl_results_column *quantities; /* values that change with time */
} sl_results_group;

/* A table that is known at the end: energies of pumps, envelopes, limits, balances.
 * No size: an element of an array, whose stride caller and library share. */
typedef struct sl_results_table {
    const char *name, *meaning; /* the name differs from those of groups */
    int32_t n;                  /* rows */
    int32_t n_column;
    const sl_results_column *columns; /* all with values */
} sl_results_table;

/* A property of the result as a whole. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_results_attribute {
    const char *name;
    const char *text; /* NULL: a number */
    double number;
} sl_results_attribute;

/* Data that is known before the first frame. */
typedef struct sl_results_layout {
    size_t size;
    const char *model, *title; /* name of the input; its title, lines separated by line ends */
    const char *engine;        /* "eps", "surge", "hybrid", ... */
    const char *time_unit;     /* "s" or "steps" */
    int32_t n_attribute, n_group;
    const sl_results_attribute *attributes;
    const sl_results_group *groups;
    double n_frame; /* expected number of frames; 0: unknown */
    bool several; /* several executions in sequence: frames and events have their number, and time restarts with each */
} sl_results_layout;

/* Values at a report time. The quantities of all groups are numbered consecutively from 0, in the order of the groups. No size: its
 * members are fixed for good. */
typedef struct sl_results_frame {
    double time;
    const double *const *values; /* values[quantity][element] */
    int32_t execution;           /* where there are several: from 1; else 0 */
} sl_results_frame;

/* Data that is known after the last frame. */
typedef struct sl_results_end {
    size_t size;
    bool complete; /* the run reached its end */
    int32_t n_attribute, n_table;
    const sl_results_attribute *attributes;
    const sl_results_table *tables;
} sl_results_end;

/* ---- Writing ------------------------------------------------------------------------------------ */

/* Forms of .csv files. */
typedef enum sl_csv_form {
    SL_CSV_BY_MODEL = 0, /* ROWS for networks in extended-period runs, else COLUMNS */
    SL_CSV_ROWS,         /* one row per time and element, one column per quantity */
    SL_CSV_COLUMNS,      /* one row per time, one column per quantity of an element */
    SL_CSV_VALUES,       /* one row per value */
    SL_CSV_EVENTS        /* one row per event; no values */
} sl_csv_form;

/* A file to write. HDF5 is written during the run to a patch sink, or at the end, from memory, to a sink. Other formats need a sink. The
 * caller must ensure that an incomplete file never has its final name. */
typedef struct sl_results_target {
    size_t size;
    const char *format;         /* "csv", "json", "h5" */
    const sl_sink *sink;        /* must exist until the writer is destroyed */
    const sl_patch_sink *patch; /* for h5, instead of the sink; must exist as long */
    sl_csv_form csv;
    const char *table; /* csv: write only this table, "envelope"; NULL: frames */
    bool compress;     /* h5: smaller and slower (gzip) */
} sl_results_target;

SL_DEFAULT(sl_results_target, sl_results_target_default)

typedef struct sl_results_writer sl_results_writer;

/* Creates a writer and writes the layout. The layout is borrowed until the writer is destroyed. SL_ERR_UNSUPPORTED: the format is
 * unknown, or a library that it needs is not installed (diagnostics). */
SL_API sl_status sl_results_writer_create(sl_context *ctx, const sl_results_target *target,
                                          const sl_results_layout *layout, sl_diags *diags, sl_results_writer **out);
/* Write in order of time, and events before the frame of the same time. */
SL_API sl_status sl_results_writer_event(sl_results_writer *w, const sl_event_info *event, sl_diags *diags);
SL_API sl_status sl_results_writer_frame(sl_results_writer *w, const sl_results_frame *frame, sl_diags *diags);
SL_API sl_status sl_results_writer_end(sl_results_writer *w, const sl_results_end *end, sl_diags *diags);
/* If end was not called before, the written bytes are not a valid file. */
SL_API void sl_results_writer_destroy(sl_results_writer *w);

/* ---- Reading ------------------------------------------------------------------------------------ */

typedef struct sl_results sl_results;

/* Opens a result: .csv, .json or .h5 of any engine, or EPANET's .out. The content decides which it is. name is for diagnostics; name may be
 * NULL. The bytes must outlive the results. The only facts in a .csv are kinds; it has no tables, and events only in the form EVENTS. */
SL_API sl_status sl_results_open(sl_context *ctx, const sl_source_bytes *bytes, const char *name, sl_diags *diags,
                                 sl_results **out);
SL_API void sl_results_close(sl_results *r);
/* Borrowed until the result is closed. */
SL_API const sl_results_layout *sl_results_get_layout(const sl_results *r);
SL_API const sl_results_end *sl_results_get_end(const sl_results *r);
SL_API const double *sl_results_times(const sl_results *r, int64_t *n); /* n may be NULL */
/* The execution of each frame; NULL: there is only one. */
SL_API const int32_t *sl_results_executions(const sl_results *r);
SL_API int64_t sl_results_n_event(const sl_results *r);
/* Texts are borrowed until the result is closed. SL_ERR_USE: there is no such event. */
SL_API sl_status sl_results_event(const sl_results *r, int64_t i, sl_event_info *out);
/* Number of a quantity, by group and name; group NULL: the first group that has it. -1: none. */
SL_API int32_t sl_results_find(const sl_results *r, const char *group, const char *quantity);
SL_API int32_t sl_results_n_quantity(const sl_results *r);
/* The group of a quantity, as an index into the layout's. */
SL_API int32_t sl_results_group_of(const sl_results *r, int32_t quantity);
/* The values of one quantity at one frame, or of one element at all frames (x has a value per frame). */
SL_API sl_status sl_results_read(sl_results *r, int64_t frame, int32_t quantity, double *x);
SL_API sl_status sl_results_read_series(sl_results *r, int32_t quantity, int32_t element, double *x);

/* ---- Selecting ---------------------------------------------------------------------------------- */

/* A selection, as texts of the command line. An entry of node and link is an id. If no element has that id, it is a list of ids separated
 * by commas, or ALL or NONE in any case. If node, link or variable is given, only the named items are selected. */
typedef struct sl_results_select {
    size_t size;
    const char *const *node, *const *link;
    const char *const *variable; /* full names with * and ?: node.*.head, pump.'P1'.*; quotes may be omitted */
    const char *const *what;     /* quantities: pressure, node.pressure; lists separated by commas */
    int32_t n_node, n_link, n_variable, n_what;
    double from, to,
        every; /* in the unit of time; negative: not given. every starts at `from`, or at the first frame */
} sl_results_select;

SL_DEFAULT(sl_results_select, sl_results_select_default)

/* Writes a result, or a selection of it, in another format. select may be NULL: all. SL_ERR_INPUT: a selected item does not exist;
 * diagnostics suggest the nearest name. */
SL_API sl_status sl_results_write(sl_context *ctx, sl_results *r, const sl_results_select *select,
                                  const sl_results_target *target, sl_diags *diags);

/* ---- Recording ---------------------------------------------------------------------------------- */

typedef struct sl_recorder_def {
    size_t size;
    const char *name;                /* name of the input in the results; NULL: "" */
    const sl_results_select *select; /* NULL: the default quantities of the engine, at every report time */
    bool si;                         /* values in SI units; else in the units of the model */
    bool at_events;                  /* frames also before and after every event */
} sl_recorder_def;

SL_DEFAULT(sl_recorder_def, sl_recorder_default)

typedef struct sl_recorder sl_recorder;

/* Call it before the session's first step. SL_ERR_INPUT: a selected item does not exist. */
SL_API sl_status sl_recorder_create(sl_context *ctx, sl_session *s, const sl_recorder_def *def, sl_diags *diags,
                                    sl_recorder **out);
/* Layout of the recorded result; borrowed. */
SL_API const sl_results_layout *sl_recorder_layout(const sl_recorder *r);
/* Adds a file, which is written while the session advances. Call it before the first step. Memory does not grow with the run, except for
 * h5 to a sink. SL_ERR_USE: the session has already advanced. */
SL_API sl_status sl_recorder_add(sl_recorder *r, const sl_results_target *target, sl_diags *diags);
/* Completes the files. Call it once after the last step, before the session is destroyed (else SL_ERR_USE). A file that fails does not
 * affect the others. complete: the run reached its end. */
SL_API sl_status sl_recorder_end(sl_recorder *r, bool complete, sl_diags *diags);
/* Call it before the session is destroyed. If end was not called before, the written bytes are not valid files. */
SL_API void sl_recorder_destroy(sl_recorder *r);

/* The least and greatest value of every quantity over all times and elements. No size: an element of an array, whose stride caller
 * and library share. */
typedef struct sl_results_range {
    int32_t quantity;
    double min, max;                        /* NaN: no value */
    int32_t element_of_min, element_of_max; /* -1: none */
    double time_of_min, time_of_max;
} sl_results_range;

/* ranges has one element per quantity. */
SL_API sl_status sl_results_ranges(sl_context *ctx, sl_results *r, sl_results_range *ranges);

/* ---- Reading .out ------------------------------------------------------------------------------- */

typedef struct sl_outfile sl_outfile;

typedef enum sl_out_variable {
    SL_OUT_DEMAND = 0, /* nodes */
    SL_OUT_HEAD,
    SL_OUT_PRESSURE,
    SL_OUT_QUALITY,
    SL_OUT_FLOW, /* links from here */
    SL_OUT_VELOCITY,
    SL_OUT_HEADLOSS, /* of a pipe per 1000 units of length; of a pump or valve the total */
    SL_OUT_LINK_QUALITY,
    SL_OUT_STATUS,
    SL_OUT_SETTING,
    SL_OUT_REACTION,
    SL_OUT_FRICTION,
    SL_OUT_VARIABLE_COUNT
} sl_out_variable;

/* Energy of one pump over the run, as in the file. No size: an element of an array, whose stride caller and library share. */
typedef struct sl_out_energy {
    int32_t link;         /* index from 0 */
    float utilization;    /* [%] of the time */
    float efficiency;     /* [%] while running */
    float kwh_per_volume; /* per m3, or per million gallons in US files */
    float average_kw, peak_kw;
    float cost_per_day;
} sl_out_energy;

/* No size: only the library makes it, and lends it. */
typedef struct sl_outfile_info {
    int32_t version;
    int32_t n_node, n_fixed /* reservoirs and tanks */, n_link, n_pump, n_valve;
    int32_t quality, trace_node; /* EPANET's codes; node from 1, 0: none */
    sl_flow_unit flow_unit;
    sl_pressure_unit pressure_unit;
    sl_statistic statistic;
    double report_start, report_step, duration; /* [s] */
    char title[3][81], input_name[261], report_name[261], chemical[33], chemical_unit[33];
    const int32_t *link_from, *link_to; /* nodes from 0 */
    const int32_t *link_type;  /* EPANET's: 0 pipe with check valve, 1 pipe, 2 pump, 3.. PRV PSV PBV FCV TCV GPV PCV */
    const int32_t *fixed_node; /* nodes from 0 */
    const float *fixed_area;   /* 0: a reservoir */
    const float *elevation, *length, *diameter;
    const sl_out_energy *energy;
    float demand_charge;
    float reaction[4]; /* bulk, wall, tank, source */
    int32_t n_period;
    int32_t warning; /* EPANET's flag */
    bool complete;   /* has a complete epilog; else n_period is the number of complete periods */
} sl_outfile_info;

/* name is for diagnostics; name may be NULL. The source must outlive the file. */
SL_API sl_status sl_outfile_open(sl_context *ctx, const sl_source_bytes *source, const char *name, sl_diags *diags,
                                 sl_outfile **out);
SL_API void sl_outfile_close(sl_outfile *file);
SL_API const sl_outfile_info *sl_outfile_get_info(const sl_outfile *file);
SL_API const char *sl_outfile_node_id(const sl_outfile *file, int32_t node);
SL_API const char *sl_outfile_link_id(const sl_outfile *file, int32_t link);
SL_API int32_t sl_outfile_find_node(const sl_outfile *file, sl_str id); /* -1: none */
SL_API int32_t sl_outfile_find_link(const sl_outfile *file, sl_str id);
/* One variable of one period for all nodes or links, in the file's units. */
SL_API sl_status sl_outfile_read(sl_outfile *file, int32_t period, sl_out_variable variable, float *x);
/* The time of a period [s]. */
SL_API double sl_outfile_time(const sl_outfile *file, int32_t period);

/* ---- Comparing ---------------------------------------------------------------------------------- */

/* Tolerances. Each is an absolute tolerance, in the unit of the first result, plus a relative one times a scale of its values. */
typedef struct sl_compare_def {
    size_t size;
    double head_abs, head_rel; /* heads and pressures of networks: rel of the range of values */
    double flow_abs, flow_rel; /* flows and demands: rel of the largest */
    double quality_abs, quality_rel;
    double other_rel; /* velocity, head loss, energy: of the largest; setting: of the value itself */
    double abs, rel;  /* every other quantity of networks and all of other engines: rel of the range; tables: rel of the
                         largest of their column */
} sl_compare_def;

SL_DEFAULT(sl_compare_def, sl_compare_default)

typedef enum sl_compare_subject {
    SL_COMPARE_QUANTITY = 0, /* of a group, at all common times */
    SL_COMPARE_TABLE,        /* differences relative to the largest value of their column */
    SL_COMPARE_EVENTS        /* one by one, in their order */
} sl_compare_subject;

/* Comparison of a quantity, a table or the events. No size: only the library makes it; callers borrow it. Texts belong to the results,
 * which must not be closed earlier. */
typedef struct sl_compare_row {
    sl_compare_subject subject;
    const char *group; /* "node"; the name of a table; "event" */
    const char *name;  /* "head"; of a table the column with the largest difference, NULL: none; of events "" */
    const char *unit;  /* unit of the comparison: that of the first */
    double worst;      /* largest difference; of codes and events the number of differences */
    double tolerance;  /* allowed difference */
    double scale;      /* range or largest value of the first */
    int32_t
        element; /* of the largest difference (codes, events: the first one), in the group of the first, or row of its table; -1: none */
    int64_t frame;               /* of the first; of events their number from 0; -1: none */
    const char *id;              /* of the element; NULL: none */
    double time;                 /* of the frame or event; NaN: none */
    double a, b;                 /* the two values there */
    const char *word_a, *word_b; /* of codes and texts; NULL: numbers */
    int64_t n_over, n;           /* values over the tolerance, values compared */
    bool decisive;               /* affects the member same of the result; else for information */
} sl_compare_row;

/* No size: only the library makes it, and lends it. */
typedef struct sl_compare_result {
    bool same;          /* all decisive rows within tolerance, same model, same times, both complete or both not */
    bool network;       /* tolerances of networks were applied */
    int64_t n_frame;    /* compared */
    int64_t n_isolated; /* (node, time) pairs without a source, omitted from heads and pressures */
    int32_t n_row;      /* quantities in the order of the first, tables, events */
    const sl_compare_row *rows;
} sl_compare_result;

typedef struct sl_comparison sl_comparison;

/* Compares b with a, in the units of a, whatever their formats. Groups and quantities are matched by name, elements by id, frames by
 * time and execution. Data that only one of them has is not compared; a diagnostic names it. Codes must be equal; of a link's status,
 * only open or closed matters. Nodes that closed links separate from every tank and reservoir in a have no meaningful head and are
 * omitted. Not decisive are: velocity and head loss of networks, which follow from other quantities; friction and reaction, which
 * are uncertain at small flows; events; and all tables except the energies of pumps. SL_ERR_INPUT: elements, time statistics or units
 * of time differ, or the results have no common quantity; *out is NULL then. def may be NULL: defaults. */
SL_API sl_status sl_compare(sl_context *ctx, sl_results *a, sl_results *b, const sl_compare_def *def, sl_diags *diags,
                            sl_comparison **out);
/* Borrowed until the comparison is destroyed. */
SL_API const sl_compare_result *sl_comparison_result(const sl_comparison *c);
SL_API void sl_comparison_destroy(sl_comparison *c);

/* ---- Verifying ---------------------------------------------------------------------------------- */

typedef struct sl_verify_def {
    size_t size;
    double
        head_abs; /* [m] allowed head-loss residual of a link, in addition to the rounding of the file's 4-byte numbers */
    double mass_rel; /* allowed imbalance of a junction over the total inflow, in addition to that rounding */
} sl_verify_def;

SL_DEFAULT(sl_verify_def, sl_verify_default)

typedef enum sl_verify_check {
    SL_VERIFY_HEADLOSS = 0, /* h(Q) = H1 - H2 of every open link [m] */
    SL_VERIFY_MASS,         /* sum of flows = demand at every junction [m3/s] */
    SL_VERIFY_CLOSED,       /* closed links have no flow [m3/s] */
    SL_VERIFY_STATUS,       /* valves hold their settings, check valves and pumps do not run backwards: number broken */
    SL_VERIFY_TANK,         /* levels follow from flows and stay within limits [m] */
    SL_VERIFY_DEMAND,       /* demands equal those of the file (DDA) or of its pressure law (PDA) [m3/s] */
    SL_VERIFY_FIXED,        /* reservoir heads are those of the file [m] */
    SL_VERIFY_QUALITY,      /* qualities of nodes are within possible bounds, and equal prescribed values [conc] */
    SL_VERIFY_LINK_QUALITY, /* the same for links [conc] */
    SL_VERIFY_LEDGER,       /* transported mass is stored, left or has reacted: imbalance over all transported mass */
    SL_VERIFY_CHECK_COUNT
} sl_verify_check;

/* No size: a part of sl_verify_result, with which it changes. */
typedef struct sl_verify_row {
    int64_t n, n_bad;        /* number checked; number out of tolerance */
    double worst;            /* largest residual; of STATUS the number broken */
    double worst_excess;     /* largest residual over its tolerance, 1: just within */
    int32_t element, period; /* of the largest excess: a link of the model for HEADLOSS, CLOSED, STATUS and
                                LINK_QUALITY, else a node; -1: nothing was checked, or LEDGER */
} sl_verify_row;

/* Transported mass from the first period to the last [conc * m3]. No size: a part of sl_verify_result, with which
 * it changes. */
typedef struct sl_verify_ledger {
    double handled;   /* stored at the start, plus all that entered; 0: not checked */
    double imbalance; /* excess (positive) or deficit */
    double bracket;   /* uncertainty due to the contents of the file */
} sl_verify_ledger;

typedef struct sl_verify_result {
    size_t size;
    int32_t n_period;
    int64_t n_isolated; /* (node, period) pairs without a source */
    bool consistent;    /* every check within tolerance */
    sl_verify_ledger ledger;
    sl_verify_row row[SL_VERIFY_CHECK_COUNT];
} sl_verify_result;

/* Checks the equations of every saved period of a result. It uses only the model and the file, and its own formulas. Up to 20
 * violations of each check are diagnostics. def may be NULL: defaults. SL_ERR_INPUT: the file is not a time series of this
 * model. */
SL_API sl_status sl_verify(sl_context *ctx, const sl_network *net, sl_outfile *file, const sl_verify_def *def,
                           sl_diags *diags, sl_verify_result *out);

/* ---- Writing EPANET's files --------------------------------------------------------------------- */

/* These functions write EPANET's result files while a session of a network (extended-period simulation) advances. Call them before its
 * first step; each adds a sink. The file ends when the session ends, fails or is destroyed; the functions of the sink are called until
 * then. A session may have any number of sinks, also if it is coupled or stepped by hand. Texts are copied. SL_ERR_USE: the session has
 * no such network, or has already advanced. */

/* EPANET's binary results (.out). The file contains both names; report_name may be NULL. flow_unit determines the units of the values;
 * SL_FLOW_UNIT_COUNT: those of the network. */
SL_API sl_status sl_write_out(sl_session *s, const sl_patch_sink *sink, const char *input_name, const char *report_name,
                              sl_flow_unit flow_unit);
/* The text report that the section [REPORT] of the network describes; its last section is the summary of the run. */
SL_API sl_status sl_write_report(sl_session *s, const sl_sink *sink, const char *input_name);

#ifdef __cplusplus
}
#endif
#endif
