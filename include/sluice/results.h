/* SPDX-License-Identifier: MIT */
/* sluice/results.h: results as files: EPANET's binary .out, read and written, compared and verified.
 */
#ifndef SLUICE_RESULTS_H
#define SLUICE_RESULTS_H

#include <sluice/eps.h>
#include <sluice/network.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes that can be read anywhere. No size: a function, its argument and what it reads, for good. read gives SL_OK when all n bytes at the offset were delivered. */
typedef struct sl_source_bytes {
    void *user;
    uint64_t size;
    sl_status (*read)(void *user, uint64_t offset, void *bytes, size_t n);
} sl_source_bytes;

/* Bytes that can be written in order and, earlier ones, over again. No size: functions and their argument, for good. */
typedef struct sl_patch_sink {
    void *user;
    sl_status (*write)(void *user, const void *bytes, size_t n);                  /* at the end */
    sl_status (*patch)(void *user, uint64_t offset, const void *bytes, size_t n); /* within what was written */
    void (*expect)(void *user, uint64_t size); /* told before the first byte: so many may come; NULL: no need */
} sl_patch_sink;

/* ---- Reading .out ------------------------------------------------------------------------------- */

typedef struct sl_outfile sl_outfile;

typedef enum sl_out_variable {
    SL_OUT_DEMAND = 0, /* nodes */
    SL_OUT_HEAD,
    SL_OUT_PRESSURE,
    SL_OUT_QUALITY,
    SL_OUT_FLOW, /* links from here */
    SL_OUT_VELOCITY,
    SL_OUT_HEADLOSS, /* per 1000 units of length of a pipe; the whole of a pump or valve */
    SL_OUT_LINK_QUALITY,
    SL_OUT_STATUS,
    SL_OUT_SETTING,
    SL_OUT_REACTION,
    SL_OUT_FRICTION,
    SL_OUT_VARIABLE_COUNT
} sl_out_variable;

/* Energy of one pump over the run, as the file has it. No size: an element of an array, whose stride caller and library share. */
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
    bool complete;   /* has a whole epilog; else n_period counts the whole periods there are */
} sl_outfile_info;

/* name is for diagnostics. The source must outlive the file. */
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

typedef struct sl_compare_def {
    size_t size;
    double head_abs, head_rel; /* heads and pressures: abs in file units + rel of the range of values */
    double flow_abs, flow_rel; /* flows and demands: rel of the largest */
    double quality_abs, quality_rel;
    double other_rel; /* velocity, head loss, energy: of the largest; setting: of the value itself */
} sl_compare_def;

SL_DEFAULT(sl_compare_def, sl_compare_default)

/* No size: a part of sl_compare_result, with which it changes. */
typedef struct sl_compare_row {
    double worst;     /* largest difference */
    double tolerance; /* what is allowed */
    double scale;     /* range or largest value of the first file */
    int32_t element, period;
    double a, b;       /* the two values there */
    int64_t n_over, n; /* values over the tolerance, values compared */
    bool decisive;     /* decides whether the files are the same; else for information */
} sl_compare_row;

typedef struct sl_compare_result {
    size_t size;
    int32_t n_period;   /* compared */
    int64_t n_isolated; /* (node, period) pairs cut off from every source, left out of heads and pressures */
    bool same;          /* all decisive rows within tolerance, same model, same periods, both files whole */
    /* The pumps' energies: differences are parts of the largest value of their column; period is the column, 0 to 5, or 6
     * for the demand charge (element -1). */
    sl_compare_row energy;
    /* For STATUS, worst is the number of open/closed differences, for SETTING a part of the value. Velocity and head
     * loss follow from the rest, friction and reaction mean little at small flows: they are not decisive. */
    sl_compare_row row[SL_OUT_VARIABLE_COUNT];
} sl_compare_result;

/* Compares b with a: elements by id, periods by time, in the units of a. Nodes that closed links cut off from every tank
 * and reservoir in a have no meaningful head: they are left out. SL_ERR_INPUT when the elements or the time statistic
 * differ; what else differs in kind is in the diagnostics. */
SL_API sl_status sl_compare(sl_context *ctx, sl_outfile *a, sl_outfile *b, const sl_compare_def *def, sl_diags *diags,
                            sl_compare_result *out);

/* ---- Verifying ---------------------------------------------------------------------------------- */

typedef struct sl_verify_def {
    size_t size;
    double head_abs; /* [m] a link's head-loss residual may have, beside what the file's 4-byte numbers cannot tell */
    double mass_rel; /* a junction's imbalance over the total inflow, beside the same */
} sl_verify_def;

SL_DEFAULT(sl_verify_def, sl_verify_default)

typedef enum sl_verify_check {
    SL_VERIFY_HEADLOSS = 0, /* h(Q) = H1 - H2 of every open link [m] */
    SL_VERIFY_MASS,         /* sum of flows = demand at every junction [m3/s] */
    SL_VERIFY_CLOSED,       /* closed links carry nothing [m3/s] */
    SL_VERIFY_STATUS,       /* valves hold their settings, check valves and pumps do not run backwards: number broken */
    SL_VERIFY_TANK,         /* levels follow from flows and stay within limits [m] */
    SL_VERIFY_DEMAND,       /* demands are what the file asks for (DDA) or its pressure law gives (PDA) [m3/s] */
    SL_VERIFY_FIXED,        /* reservoir heads are those of the file [m] */
    SL_VERIFY_QUALITY,      /* qualities of nodes within what can be, and as given where the model gives them [conc] */
    SL_VERIFY_LINK_QUALITY, /* those of links [conc] */
    SL_VERIFY_LEDGER,       /* what the water carried is still there, left, or reacted: share of all that it carried */
    SL_VERIFY_CHECK_COUNT
} sl_verify_check;

/* No size: a part of sl_verify_result, with which it changes. */
typedef struct sl_verify_row {
    int64_t n, n_bad;        /* looked at; out of tolerance */
    double worst;            /* largest residual; of STATUS the number broken */
    double worst_excess;     /* largest residual over its tolerance, 1: just within */
    int32_t element, period; /* where the excess is largest: the model's link for HEADLOSS, CLOSED, STATUS and
                                LINK_QUALITY, else its node; -1: nothing was looked at, or all of it (LEDGER) */
} sl_verify_row;

/* The mass that water carried, from the first period to the last [conc * m3]. No size: a part of sl_verify_result, with which
 * it changes. */
typedef struct sl_verify_ledger {
    double handled;   /* stored at first, and all that came; 0: not looked at */
    double imbalance; /* more (positive) or less than should be there */
    double bracket;   /* what the file leaves open */
} sl_verify_ledger;

typedef struct sl_verify_result {
    size_t size;
    int32_t n_period;
    int64_t n_isolated; /* (node, period) pairs without a source */
    bool consistent;    /* every check within tolerance */
    sl_verify_ledger ledger;
    sl_verify_row row[SL_VERIFY_CHECK_COUNT];
} sl_verify_result;

/* Recomputes what every saved period of a result should satisfy, from the model and the file alone, by formulas of its
 * own. Up to 20 violations of each check are diagnostics. def may be NULL: defaults. SL_ERR_INPUT when the file is not a
 * series of moments of this model. */
SL_API sl_status sl_verify(sl_context *ctx, const sl_network *net, sl_outfile *file, const sl_verify_def *def,
                           sl_diags *diags, sl_verify_result *out);

#ifdef __cplusplus
}
#endif
#endif
