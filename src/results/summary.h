/* SPDX-License-Identifier: MIT */
/* summary.h: what a run of a network comes to: extremes, tanks, pumps, water, energy, and how well the equations were met.
 *
 * A sink of results: it looks at every report frame and keeps a fixed amount (one byte per junction, a few numbers per
 * tank and pump, counts of pressures), however long the run. Extremes, pressures and starts of pumps are therefore those of
 * the report times; volumes, energies, times of pumps and of tanks that ran empty or full are the engine's own, of all
 * steps. SI.
 *
 *     sl_summary_init(&summary, ctx, net);
 *     sl_session_add_sink(session, &sink, fields, n);     the sink of sl_summary_sink, the columns for summaries
 *     ... advance ...
 *     sl_summary_digest(&summary, &facts, rows, &digest);
 */
#ifndef SL_RESULTS_SUMMARY_H
#define SL_RESULTS_SUMMARY_H

#include "base/out.h"
#include "results/columns.h"
#include "results/digest.h"
#include "results/percentiles.h"

/* A value, where and when; index -1: there is none. Of several equal ones the earliest, then the first. */
typedef struct sl_extreme {
    double value;
    double time; /* [s] */
    int32_t index;
} sl_extreme;

/* How often a tank came to a limit, and when: the first few times [s]. */
enum { SL_SUMMARY_TIMES = 8 };
typedef struct sl_summary_times {
    int64_t n;
    double at[SL_SUMMARY_TIMES];
} sl_summary_times;

typedef struct sl_summary_tank {
    sl_extreme low, high; /* level [m] */
    double overflow;      /* [m3] */
    sl_summary_times empty, full;
} sl_summary_tank;

typedef struct sl_summary_pump {
    double online;     /* [s] */
    double efficiency; /* mean while running [1], NaN: never ran */
    double kwh, peak /* [kW] */, cost;
    double power /* [kW] */, efficiency_now; /* at the last frame */
    int32_t starts;                          /* seen at report times; running at the beginning is not one */
    bool on;                                 /* at the last frame */
} sl_summary_pump;

typedef struct sl_summary {
    sl_context *ctx;
    const sl_network *net;
    sl_columns columns;

    int64_t n_frame;
    double begin, end; /* of what was seen [s]; sums are those at the end */
    double until;      /* where the run was to end [s] */
    bool complete;     /* it did */

    sl_extreme pressure_low, pressure_high; /* at junctions that are connected to a source [m] */
    /* Quality at connected junctions, in the last day of the run and never at its start: values there are given, and the
     * first hours of a run tell of them. */
    sl_extreme quality_low, quality_high;
    sl_extreme velocity, flow /* its amount */, unit_loss /* of pipes [1] */;
    sl_extreme under_zero; /* the first junction under 0, with its pressure then [m] */
    int32_t n_under_zero;  /* junctions that ever were */
    /* Junctions that were ever under the service pressure [m], and of those the ones with a demand. */
    double service;
    bool service_given;    /* asked for: a junction with a demand below it breaks a limit */
    double unserved_limit; /* largest share of the demand that may stay unserved [1]; infinite: any */
    bool unserved_given;
    int32_t n_under_service, n_unserved_demand;
    sl_extreme under_service; /* the first, with its pressure then */
    sl_extreme service_low;   /* the least pressure of junctions with a demand */
    sl_percentiles pressures; /* of all junctions at all report times */
    uint8_t *flags;           /* [n_junction] */
    double *watch;            /* [n_junction] a pressure below it is news of this junction */
    sl_digest_events events;
    sl_summary_tank *tanks;
    sl_summary_pump *pumps;
    double last[SL_COL_COUNT];                                /* single numbers at the last frame; NaN: not told */
    sl_extreme flow_change, head_error, mass_error, unserved; /* largest seen; index 0 */
    int64_t n_unbalanced;                                     /* solutions that were not, report times or not */
    double first_unbalanced; /* the report time at or after the first of them [s], NaN: none */
} sl_summary;

/* The network is borrowed. */
sl_status sl_summary_init(sl_summary *summary, sl_context *ctx, const sl_network *net);
void sl_summary_fini(sl_summary *summary);
sl_result_sink sl_summary_sink(sl_summary *summary);

/* Mean quality of the water that left: at consumers, emitters, leaks and rims of tanks; NaN when none did. */
double sl_summary_delivered(const sl_summary *summary);

/* A service pressure that is asked for [m]. Without one it is the pressure that PDA requires, else 20 m (28 psi in US units), for
 * information. */
void sl_summary_set_service(sl_summary *summary, double pressure);
bool sl_summary_breaks_service(const sl_summary *summary);
/* The share of the demand that may stay unserved [1]. Without one it is 1 % in demand-driven runs and any in pressure-driven ones, in
 * which consumers take what the pressure gives. */
void sl_summary_set_unserved(sl_summary *summary, double share);
bool sl_summary_breaks_unserved(const sl_summary *summary);
/* One warning for each limit that is broken, with its numbers. */
void sl_summary_report_limits(const sl_summary *summary, sl_diags *diags);

/* What the digest says of the run beside what was seen. */
typedef struct sl_summary_facts {
    const char *name, *engine;
    const sl_diags *diags; /* of the run; NULL: none */
} sl_summary_facts;

/* Fills d, which is initialised here and finished by the caller. rows: so many lines of a list; INT32_MAX: all. */
sl_status sl_summary_digest(const sl_summary *summary, const sl_summary_facts *facts, int32_t rows, sl_digest *d);

#endif
