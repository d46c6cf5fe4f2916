/* SPDX-License-Identifier: MIT */
/* table.h: results as tables, for people and their tools: CSV, JSON, HDF5.
 *
 * A table says what there is (elements, quantities, units), frames bring the values of one report time each, an end
 * says how the run came out. A format writes them; it is one file and one row in table.c, and knows nothing of engines,
 * .out files or selections. docs/reference/results.md has the formats in words.
 *
 * The numbers are those of EPANET's .out: its units, signs and 4-byte floats. There are two sources of them,
 *
 *     sl_table_convert   a .out file, Sluice's or EPANET's
 *     sl_table_run       the bytes that a run would write into one, caught on their way
 *
 * so that a run and the conversion of its .out cannot differ. What a .out file lacks (coordinates, ids over 31 bytes,
 * long titles) comes from the network, where there is one. Nothing grows with the number of periods.
 */
#ifndef SL_RESULTS_TABLE_H
#define SL_RESULTS_TABLE_H

#include <sluice/results.h>

#include "engine/result_sink.h"

/* ---- What a format sees ------------------------------------------------------------------------- */

typedef enum sl_table_side { SL_TABLE_NODES = 0, SL_TABLE_LINKS, SL_TABLE_SIDES } sl_table_side;

/* Text here is valid UTF-8, whatever the ids of a model are made of. */
typedef struct sl_table_quantity {
    const char *name;         /* "pressure" */
    const char *unit;         /* "m"; "" for a pure number, or where it differs between elements */
    const char *meaning;      /* one line */
    const char *const *words; /* of a code: values are indices; NULL: a number */
    int32_t n_word;
    sl_out_variable variable;
} sl_table_quantity;

/* What does not change: one of the three is there, a value per element. */
typedef struct sl_table_fact {
    const char *name, *unit, *meaning;
    const float *real;
    const double *place; /* NaN: unknown */
    const char *const *text;
} sl_table_fact;

enum { SL_TABLE_QUANTITIES = 8, SL_TABLE_FACTS = 5, SL_TABLE_ENERGIES = 6 };

/* The nodes, or the links, that were selected. */
typedef struct sl_table_elements {
    const char *name; /* "node" | "link" */
    int32_t n;
    const char *const *id;
    const char *const *kind; /* junction reservoir tank | pipe pump prv psv pbv fcv tcv gpv pcv */
    int32_t n_fact;
    sl_table_fact fact[SL_TABLE_FACTS];
    int32_t n_quantity;
    sl_table_quantity quantity[SL_TABLE_QUANTITIES];
} sl_table_elements;

typedef struct sl_table {
    const char *model;                          /* name of the input */
    const char *title;                          /* its lines, separated by line ends */
    const char *flow_unit, *pressure_unit;      /* EPANET's words: LPS, METERS */
    const char *statistic;                      /* "series", or what the one frame is made of: "average", ... */
    double report_start, report_step, duration; /* of the run [s] */
    int64_t n_period;                           /* at most so many frames come */
    sl_table_elements side[SL_TABLE_SIDES];
    sl_table_fact energy[SL_TABLE_ENERGIES]; /* of a pump, at the end: names, units and meanings */
} sl_table;

typedef struct sl_table_frame {
    double time;                                             /* [s] */
    const float *value[SL_TABLE_SIDES][SL_TABLE_QUANTITIES]; /* one per element */
} sl_table_frame;

typedef struct sl_table_pump {
    const char *id;
    float energy[SL_TABLE_ENERGIES];
} sl_table_pump;

typedef struct sl_table_end {
    bool complete; /* the run came to its end */
    int64_t n_period;
    int32_t warning;          /* EPANET's flag */
    const char *warning_text; /* "none" */
    int32_t n_pump;           /* of the selected links */
    const sl_table_pump *pump;
    float demand_charge;
} sl_table_end;

/* ---- Formats ------------------------------------------------------------------------------------ */

/* Where and how. HDF5 is the one format for which this library opens a file by itself, because libhdf5 writes to
 * nothing else: it takes the path, and the caller sees to it that an unfinished file is never seen under its final name.
 * The others take the sink. */
typedef struct sl_table_target {
    const sl_sink *sink;
    const char *path;
    bool one_value_per_row; /* CSV */
    bool compress;          /* HDF5 */
} sl_table_target;

typedef struct sl_table_format {
    const char *ending; /* "csv" */
    bool needs_path;
    /* Can it be written here? Says why not. NULL: always. */
    sl_status (*ready)(sl_diags *diags);
    /* Writes what stands before the frames. The table is borrowed, the target copied. */
    sl_status (*create)(sl_context *ctx, const sl_table *table, const sl_table_target *target, sl_diags *diags,
                        void **out);
    sl_status (*frame)(void *writer, const sl_table_frame *frame, sl_diags *diags);
    sl_status (*end)(void *writer, const sl_table_end *end, sl_diags *diags);
    void (*destroy)(void *writer); /* without end: what was written is no file */
} sl_table_format;

extern const sl_table_format sl_table_csv, sl_table_json, sl_table_hdf5;
extern const sl_table_format *const sl_table_formats[]; /* NULL-terminated */
/* By its ending in any case; NULL: none. */
const sl_table_format *sl_table_format_find(const char *ending);

/* ---- Selecting ---------------------------------------------------------------------------------- */

/* Texts are as people give them. Each of node and link is an id, or, when no element has that id, a list of ids at
 * commas, or ALL or NONE in any case. Where one of node and link is given, only what is named is selected. */
typedef struct sl_table_select {
    const char *const *node, *const *link, *const *what; /* what: names of quantities, lists at commas */
    int32_t n_node, n_link, n_what;
    double from, to, every; /* [s]; negative: not given. every counts from `from`, or from the first report */
} sl_table_select;

sl_table_select sl_table_select_default(void);
/* Is this a name that --what can have? If not, *near is what was probably meant, or NULL. */
bool sl_table_is_quantity(sl_str name, const char **near);

/* ---- Sources ------------------------------------------------------------------------------------ */

typedef struct sl_table_def {
    const sl_table_format *format;
    sl_table_target target;
    sl_table_select select;
    const char *name; /* of the input, as the results show it */
} sl_table_def;

/* The whole file. The name is its own. An id that does not exist gives SL_ERR_INPUT, as does a selection of nothing. */
sl_status sl_table_convert(sl_context *ctx, sl_outfile *file, const sl_table_def *def, sl_diags *diags);

/* A run. The network and what def points to must outlive it. */
typedef struct sl_table_run sl_table_run;
sl_status sl_table_run_create(sl_context *ctx, const sl_network *net, const sl_table_def *def, sl_diags *diags,
                              sl_table_run **out);
void sl_table_run_destroy(sl_table_run *run);
sl_result_sink sl_table_run_sink(sl_table_run *run); /* takes the fields of a .out file */
/* EPANET's warning flag, before the end. */
void sl_table_run_warn(sl_table_run *run, int32_t flag);

#endif
