/* SPDX-License-Identifier: MIT */
/* verify.h: what the files of the verifier share.
 *
 * The verifier recomputes what a saved result must satisfy from the model and the file alone. It is a second
 * implementation on purpose: it includes nothing of src/laws or src/eps, so that an error there cannot hide itself.
 * Theory, tolerances and their reasons: docs/theory/verify.md.
 *
 * Everything here is SI and numbered as in the model; the file's order and units end in verify.c.
 */
#ifndef SL_RESULTS_VERIFY_H
#define SL_RESULTS_VERIFY_H

#include <sluice/results.h>

#include "base/memory.h"

/* A 4-byte float is within 2^-24 of the number it stands for, as a share. EPANET rounds twice: in feet into its scratch
 * file, then in the file's units. */
#define SL_VERIFY_ROUND 1.2e-7
/* Flow that is nothing, whatever the size of the network [m3/s]: a fifth of a millilitre per second. EPANET's iteration
 * leaves up to half of this in stagnant pipes. */
#define SL_VERIFY_NO_FLOW 2e-7

enum { SL_VERIFY_BY_CONTROL = 1, SL_VERIFY_BY_RULE = 2 };

/* What the water carries; masses [conc * m3]. */
typedef struct sl_verify_quality {
    bool on;
    bool sources_told;                                   /* what sources added is taken from the epilogue */
    bool decays, grows;                                  /* some coefficient is negative, positive */
    double highest;                                      /* that anything brings, without ageing [conc] */
    double seen;                                         /* highest in the file so far */
    double *node, *link;                                 /* the period at hand [conc] */
    double *node_before, *link_before, *volume;          /* the period before; volumes of tanks [m3] */
    double *inflow_now, *inflow;                         /* [n_tank] into it, the period before [m3/s] */
    double *inflow_most;                                 /* [n_tank] of all periods so far [m3/s] */
    double *demand_before, *flow_before, *passed_before; /* [m3/s]; the last: half the flows at each node */
    double time_before, first_time;                      /* [s] */
    double first_low, first_high;                        /* stored at the first period */
    double low, high;                                    /* what came less what went since then */
    double handled, slack;                               /* all that came; what rounding can have done */
} sl_verify_quality;

typedef struct sl_verifier {
    sl_context *ctx;
    sl_arena arena;
    const sl_network *net;
    sl_outfile *file;
    const sl_outfile_info *info;
    sl_verify_def def;
    sl_diags *diags;
    sl_verify_result *out;
    int32_t n_said[SL_VERIFY_CHECK_COUNT]; /* diagnostics written */

    double flow_unit, length_unit, pressure_unit; /* SI per unit of the file */
    const char *flow_word, *length_word;
    int32_t *node_place, *link_place;   /* where the file has an element of the model */
    float *raw;                         /* a variable as read */
    uint8_t *steered;                   /* [n_link] what may act on it: SL_VERIFY_BY_CONTROL, SL_VERIFY_BY_RULE */
    double *leak_area, *leak_expansion; /* [n_junction] its share of the pipes' leaks [m2] [m2/m]; NULL: none */
    bool has_rules;                     /* some rule is enabled */

    /* The period at hand. */
    int32_t period;
    double time;                           /* [s] */
    double *demand, *head, *flow;          /* [m3/s] [m] [m3/s] */
    double *setting;                       /* PRV PSV PBV [m], FCV [m3/s], pump speed, else as is */
    uint8_t *status;                       /* sl_out_status */
    uint8_t *open, *open_before;           /* [n_link] is a way for water; of the period before */
    uint8_t *cut;                          /* [n_node] no open way to a reservoir or tank */
    double *part_demand;                   /* [n_node] of a cut-off node: what its part asks for [m3/s] */
    int32_t *parent, *other_parent;        /* [n_node] forests of connected nodes */
    double *net_inflow, *net_inflow_slack; /* [n_node] sum of flows, and what their rounding can make of it */
    double *throughput;                    /* [n_node] half the sum of the flows' sizes [m3/s] */
    double inflow;                         /* of the whole network [m3/s] */
    int32_t share_period;                  /* of share; another: all is served */
    int32_t supply_period;                 /* of the next one; another: not found yet */
    uint8_t *supplied;                     /* [n_node] a source could bring more */
    int32_t drain_period;                  /* of the next one; another: all inflow is taken */
    uint8_t *drained;                      /* [n_node] more could leave */
    double *share, *share_slack;           /* [n_junction] of its demand that is served; what is open about it */
    double flow_slack;                     /* imbalance allowed beside rounding [m3/s] */

    /* Tanks at the start of the step. */
    double time_before;
    double *level_before, *inflow_before; /* [n_tank] */
    double *planned;                      /* [n_tank] levels to which these flows lead [m] */
    double *head_then, *flow_then;        /* [n_node] [n_link] [m] [m3/s] */
    double *setting_then;                 /* [n_link] */
    uint8_t *status_then, *open_then;     /* [n_link] */
    bool one_step;                        /* nothing can have split the step to the period at hand */
    sl_verify_quality quality;
    double *pull; /* [n_tank] upper bound of -d(inflow)/d(level) then [m2/s] */
} sl_verifier;

/* ---- Judging (verify.c) ------------------------------------------------------------------------- */

/* Notes a residual; true when it is out of tolerance and there is still room for a diagnostic, which the caller then
 * words with sl_verify_add_diag. A residual that is not a number is out of any tolerance. */
bool sl_verify_check_residual(sl_verifier *v, sl_verify_check check, int32_t element, double residual,
                              double tolerance);
void sl_verify_add_diag(sl_verifier *v, sl_verify_check check, int32_t element, const char *fmt, ...) SL_PRINTF(4, 5);
/* What rounding to 4 bytes can have done to a number. */
double sl_verify_round(double x);
/* A pattern's factor at the time of the period; 1 for -1. */
double sl_verify_pattern(const sl_verifier *v, int32_t pattern);

/* ---- Laws (verify_laws.c) ----------------------------------------------------------------------- */

/* Head lost from start to end [m] at a flow [m3/s]: pipes, running pumps (negative), and valves that are a resistance. */
double sl_verify_loss(const sl_network *net, int32_t link, int status, double setting, double flow);
/* A position control valve that its setting shuts. */
bool sl_verify_is_shut(const sl_network *net, int32_t link, int status, double setting);
/* Loss of a valve's or pipe's fittings [m]. */
double sl_verify_minor_loss(double coefficient, double diameter, double flow);
/* Least lift beyond which a pump need not deliver at this speed [m]; infinite for constant power. */
double sl_verify_shutoff(const sl_network *net, int32_t pump, double speed);
/* What EPANET's rounded 1.33334 for 4/3 may change in a pump's head at a flow [m]. */
double sl_verify_pump_slack(const sl_network *net, int32_t pump, double speed, double flow);
/* Outflow of a junction at a pressure head: its share of the leaks [m3/s]. */
double sl_verify_leak(double area, double expansion, double pressure_head);
/* A curve, its end pieces going on. */
double sl_verify_curve(const sl_network *net, int32_t curve, double x);

/* Volume of a tank at a level, up to a constant, and its mean area between two levels (verify_tanks.c). */
double sl_verify_tank_volume(const sl_network *net, int32_t tank, double level);
double sl_verify_tank_area(const sl_network *net, int32_t tank, double a, double b);
/* Stands on its highest or lowest level: to the hysteresis of tanks and rounding. */
bool sl_verify_tank_full(const sl_verifier *v, int32_t tank);
bool sl_verify_tank_empty(const sl_verifier *v, int32_t tank);
/* What the categories of a junction ask for at the time of the period (verify_nodes.c). */
double sl_verify_base_demand(const sl_verifier *v, int32_t junction);

/* ---- Checks ------------------------------------------------------------------------------------- */

void sl_verify_connect(sl_verifier *v);                 /* verify_nodes.c: which nodes are cut off */
bool sl_verify_free_path(sl_verifier *v, int32_t node); /* has it a source without a flow controller in between? */
void sl_verify_sum(sl_verifier *v);                     /* flows at nodes, and what their rounding can make of them */
void sl_verify_links(sl_verifier *v);                   /* head loss, closed links, statuses */
void sl_verify_nodes(sl_verifier *v);                   /* mass, demand, reservoirs: after the links */
/* Could a source bring more to a node than it does? */
bool sl_verify_supplied(sl_verifier *v, int32_t node);
void sl_verify_unserved(sl_verifier *v, int32_t junction, double share); /* verify_supply.c: less than asked for */
void sl_verify_refused(sl_verifier *v, int32_t junction,
                       double flow);   /* verify_supply.c: less inflow than given [m3/s] */
void sl_verify_shares(sl_verifier *v); /* after all nodes: equal shares */
/* verify_controls.c: the control that surely set a link at this period; NULL: none did, or it is not known */
const sl_control *sl_verify_sure_control(const sl_verifier *v, int32_t link);
void sl_verify_tanks(sl_verifier *v); /* levels; keeps what the next period needs */

/* verify_quality.c: bounds and the balance of what water carries: begin, each period after its tanks, end. */
sl_status sl_verify_quality_begin(sl_verifier *v);
void sl_verify_quality_period(sl_verifier *v);
void sl_verify_quality_end(sl_verifier *v);

#endif
