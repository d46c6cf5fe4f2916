/* SPDX-License-Identifier: MIT */
/* compare_impl.h: comparing two results, from inside.
 *
 * compare.c          what is matched with what: groups, elements, facts, quantities, frames
 * compare_values.c   the values of quantities
 * compare_network.c  networks: tolerances, nodes that are cut off, units that differ by element
 * compare_units.c    factors between units
 * compare_tables.c   tables of the end, events
 */
#ifndef SL_RESULTS_COMPARE_IMPL_H
#define SL_RESULTS_COMPARE_IMPL_H

#include "base/handle.h"
#include "results/format.h"

typedef enum sl_compare_rule {
    SL_COMPARE_BY_RANGE = 0, /* rel of the range */
    SL_COMPARE_BY_LARGEST,   /* rel of the largest */
    SL_COMPARE_BY_SETTING,   /* a speed, a flow or a pressure: differences are parts of the larger value */
    SL_COMPARE_BY_STATUS,    /* open or closed */
    SL_COMPARE_BY_CODE       /* equal */
} sl_compare_rule;

/* Elements that both have. */
typedef struct sl_compared_group {
    const sl_results_group *a, *b;
    int32_t n, *in_a, *in_b;     /* [n] elements of a and of b */
    const char *bare_a, *bare_b; /* names of the quantity in each, where one of them is of bare names; NULL: by name */
} sl_compared_group;

typedef struct sl_compared_quantity {
    sl_compared_group *of;
    const sl_results_column *a, *b;
    int32_t in_a, in_b; /* numbers in the results */
    double by, plus;    /* a value of b in the unit of a: x * by + plus */
    double *by_element; /* likewise, instead of by; NULL: the same for all */
    sl_compare_rule rule;
    double abs, rel;
    const uint8_t *skip; /* elements of a that are left out at the time at hand; NULL: none */
    double low, high;    /* of a */
    bool is_convertible, is_over;
    sl_compare_row row;
} sl_compared_quantity;

/* Of networks: which nodes have a source, by the statuses of the links of a. */
typedef struct sl_compared_network {
    int32_t n_node, n_link;
    int32_t status; /* number in a; -1: nothing is known */
    const sl_results_column *status_column;
    double *statuses;
    int32_t *from, *to; /* of links, as elements of a */
    uint8_t *is_source; /* of nodes */
    int32_t *parent;    /* union-find over nodes */
    uint8_t *closed, *cut_node, *cut_link;
    int32_t n_cut;
    bool knows_cuts;
    bool other_quality; /* the analyses differ in kind */
} sl_compared_network;

struct sl_comparison {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    sl_arena arena;
    sl_results *a, *b;
    sl_compare_def def;
    sl_diags *diags;
    sl_compare_result result;
    SL_ARRAY(sl_compared_quantity) quantities;
    SL_ARRAY(sl_compare_row) rows;
    sl_compared_group *groups; /* in both */
    int32_t n_group;
    int64_t *frames[2]; /* that are at the same time */
    sl_compared_network net;
    double *x[2];
};

/* The results are not the same, for this reason. */
void sl_compare_differs(sl_comparison *c, sl_severity severity, const char *hint, const char *fmt, ...) SL_PRINTF(4, 5);
/* The same, but for what a .out file cut off. */
bool sl_compare_same_id(const sl_comparison *c, const char *a, const char *b);

/* The factor and the shift that turn the value of a quantity in one unit into another. False: there are none. */
bool sl_compare_convert(const char *quantity, const char *from, const char *to, double *by, double *plus);
/* Are numbers in these units the same numbers? */
bool sl_compare_same_unit(const char *a, const char *b);

/* A difference counts as the worst when it is larger than all before. True: it is. */
bool sl_compare_note(sl_compare_row *row, double difference);
/* Two values without units. NaN is equal to itself. */
double sl_compare_distance(double a, double b);
sl_status sl_compare_values(sl_comparison *c);

/* Do the tolerances of networks hold for these results? */
bool sl_compare_is_network(const sl_results *a, const sl_results *b);
/* Statistic and kind of quality: false when nothing can be compared. */
bool sl_compare_network_runs(sl_comparison *c);
sl_status sl_compare_network_begin(sl_comparison *c);
/* Rule, tolerance and units of a quantity. */
sl_status sl_compare_network_quantity(sl_comparison *c, sl_compared_quantity *q);
/* Is it left out altogether? */
bool sl_compare_network_omits(const sl_comparison *c, const sl_compared_quantity *q);
/* At a frame of a. */
sl_status sl_compare_network_frame(sl_comparison *c, int64_t frame);
bool sl_compare_is_closed(const sl_results_column *status, double code);

sl_status sl_compare_tables(sl_comparison *c);
sl_status sl_compare_events(sl_comparison *c);

#endif
