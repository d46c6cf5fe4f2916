/* SPDX-License-Identifier: MIT */
/* out_write.h: a run as EPANET's binary result file (.out), period by period.
 *
 * The writer is a result sink. It finds what it needs in the engine's field list by class and name:
 *
 *   node   demand [m3/s], head [m], pressure [m of head], quality [conc]
 *   link   flow [m3/s], velocity [m/s], headloss [m] (H_from - H_to), status (sl_out_status), setting (SI, NaN: none;
 *          of a pipe NaN or its roughness), friction (Darcy's factor), quality [conc], reaction [conc/s]
 *   pump   energy.online [s], energy.efficiency (fraction x s), energy.intensity (kW per m3/s x s), energy.kwh,
 *          energy.peak [kW], energy.cost
 *   model  energy.peak [kW] of all pumps at once; quality.bulk, .wall, .tank, .source: reacted or added so far
 *          [conc m3]
 *
 * Qualities, reactions and energies may be missing and are 0 in the file then. Energies and reactions are read from the
 * engine at the end; the others come in the frames. Bytes reach the sink in blocks of 64 KB: memory does not grow with the
 * duration, nor with the network unless it has a time statistic.
 */
#ifndef SL_RESULTS_OUT_WRITE_H
#define SL_RESULTS_OUT_WRITE_H

#include <sluice/results.h>

#include "engine/result_sink.h"

typedef struct sl_out_writer_def {
    size_t size;
    const char *input_name, *report_name; /* as the file shows them; NULL: the network's name, none */
    sl_flow_unit flow_unit; /* the model's by default; with another one, the pressure unit that goes with it */
} sl_out_writer_def;

typedef struct sl_out_writer sl_out_writer;

sl_out_writer_def sl_out_writer_default(const sl_network *net);
/* def may be NULL. The network, the sink and diags must outlive the writer. Ids that the file cuts are one warning, when the
 * run begins. */
sl_status sl_out_writer_create(sl_context *ctx, const sl_network *net, const sl_out_writer_def *def,
                               const sl_patch_sink *sink, sl_diags *diags, sl_out_writer **out);
void sl_out_writer_destroy(sl_out_writer *writer);
/* Borrowed. After begin, end writes a valid end also for a run that failed, unless the sink refuses. */
const sl_result_sink *sl_out_writer_sink(const sl_out_writer *writer);
/* Whether the writer has a variable's values itself and frames need not bring them: without a quality model nodes keep what
 * they begin with, and links have nothing. */
bool sl_out_writer_knows(const sl_network *net, sl_out_variable v);
/* The warning flag at the end of the file, EPANET's 1 to 6; 0 as long as nothing is said. A run that did not come to
 * its end has at least 1. */
void sl_out_writer_warn(sl_out_writer *writer, int32_t flag);

/* EPANET's flag at the end of the file: the highest of its warnings that came up. */
int32_t sl_out_warning_flag(const sl_diags *diags);

#endif
