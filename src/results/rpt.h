/* SPDX-License-Identifier: MIT */
/* rpt.h: the text report of a run (.rpt), as the network's [REPORT] section asks for it.
 *
 * A sink of results. What EPANET's users look for is there, in words of our own: what was run, what opened, closed and
 * went wrong with the time, the tables of nodes and links at every report time (or of one statistic), energy, and the
 * balance of water; the summary closes it, whatever [REPORT] says. It is written as the frames come, in order of time, with the sums at the end, so that memory does
 * not grow with the duration. Numbers are in the network's units. Nothing in it depends on the clock or the machine.
 */
#ifndef SL_RESULTS_RPT_H
#define SL_RESULTS_RPT_H

#include "engine/result_sink.h"
#include "results/summary.h"
#include <sluice/network.h>

typedef struct sl_rpt sl_rpt;

typedef struct sl_rpt_def {
    const sl_network *net;       /* all of these are borrowed until destroy */
    const char *name;            /* of the input, for the head */
    const sl_diags *input_diags; /* what reading it gave; may be NULL */
    const sl_diags *run_diags;   /* what the run says as it goes; may be NULL */
    const char *engine;          /* for the summary */
    const sl_summary *summary;   /* of the run, which has ended before; the last section. NULL: there is none */
    const sl_sink *sink;
} sl_rpt_def;

sl_status sl_rpt_create(sl_context *ctx, const sl_rpt_def *def, sl_rpt **out);
void sl_rpt_destroy(sl_rpt *rpt);
sl_result_sink sl_rpt_sink(sl_rpt *rpt);

#endif
