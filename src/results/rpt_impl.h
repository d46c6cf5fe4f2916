/* SPDX-License-Identifier: MIT */
/* rpt_impl.h: the inside of the text report: lines on pages, and the tables.
 *
 * rpt.c     the sink, the head, the messages
 * rpt_page.c   lines and pages
 * rpt_table.c  nodes and links: columns, limits, statistics
 * rpt_sums.c   energy, water, and what it carried
 */
#ifndef SL_RESULTS_RPT_IMPL_H
#define SL_RESULTS_RPT_IMPL_H

#include "base/out.h"
#include "results/columns.h"
#include "results/rpt.h"
#include "results/display_units.h"

enum { SL_RPT_FIELDS = 10, SL_RPT_BLOCK = 512 };

/* The table of nodes or of links. Which elements, in the order of the file; which fields are shown or limit what is
 * shown. Values are worked out block by block; only a statistic keeps them, per element and field. */
typedef struct sl_rpt_table {
    bool links;
    int32_t *order; /* elements in the order of the file */
    int32_t n;
    int32_t width; /* of the column of ids */
    int32_t n_field;
    const struct sl_rpt_field *field[SL_RPT_FIELDS];
    double *sum, *low, *high; /* [n_field * n], of a statistic only */
} sl_rpt_table;

struct sl_rpt {
    sl_context *ctx;
    sl_rpt_def def;
    const sl_network *net;
    sl_display_units shown;
    sl_columns columns;
    sl_rpt_table nodes, links;
    double begin, end; /* times seen [s] */
    double until;      /* where the run is to end [s] */
    int64_t n_frame;
    int32_t next_diag;
    int32_t page, line, page_size; /* page_size 0: no pages */
    bool in_messages;              /* the last line was a message */
    bool counting;                 /* of a statistic: values are kept instead of shown */
    double *block;                 /* [SL_RPT_FIELDS * SL_RPT_BLOCK] */
    sl_out out;
};

/* rpt_page.c. A line is text without a line end. */
void sl_rpt_line(sl_rpt *r, const char *fmt, ...) SL_PRINTF(2, 3);
void sl_rpt_rule(sl_rpt *r, int32_t width);
/* A line that is written piece by piece: begin, pieces through r->out, end. True from begin: a new page was begun. */
bool sl_rpt_line_begin(sl_rpt *r);
void sl_rpt_line_end(sl_rpt *r);
/* A new page now unless so many lines fit on this one. */
void sl_rpt_need(sl_rpt *r, int32_t lines);
void sl_rpt_heading(sl_rpt *r, const char *text);
/* A number with so many decimals, right-aligned, with one blank before it at least. */
void sl_rpt_number(sl_out *out, double x, int32_t decimals, int32_t width);

/* rpt_table.c */
sl_status sl_rpt_table_init(sl_rpt *r, sl_rpt_table *t, bool links);
void sl_rpt_table_fini(sl_rpt *r, sl_rpt_table *t);
/* Shows the table of the columns' time, or adds them to the statistic. */
void sl_rpt_table_frame(sl_rpt *r, sl_rpt_table *t);
/* The table of a statistic, when the run is over. */
void sl_rpt_table_close(sl_rpt *r, sl_rpt_table *t);
/* "All nodes", "with Pressure below 20 m". */
void sl_rpt_table_criteria(sl_rpt *r, const sl_rpt_table *t);

/* rpt_sums.c */
void sl_rpt_energy(sl_rpt *r);
void sl_rpt_water(sl_rpt *r);
void sl_rpt_quality(sl_rpt *r);

#endif
