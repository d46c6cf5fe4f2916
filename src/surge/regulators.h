/* SPDX-License-Identifier: MIT */
/* regulators.h: valves that hold a head, a difference of heads or a flow; see regulators.c. */
#ifndef SL_SURGE_REGULATORS_H
#define SL_SURGE_REGULATORS_H

#include "surge/nodes.h"

/* Openings of all regulators that no event and nobody drives, for the end of the step. x, inflow: of the nodes with joints, in
 * their order; inflow: of their joints by now [m3/s]. */
void sl_regulators_move(sl_surge_run *e, const sl_node_line *x, const double *inflow);

/* At the end of a step: the flows that they follow slowly. */
void sl_regulators_remember(sl_surge_run *e);

/* Target, stroke and opening for the steady start, of a valve that is matched otherwise. */
void sl_regulator_match(sl_surge_model *m, sl_surge_joint *j, const sl_surge_valve *record, const sl_surge_steady *s);
/* Does the study give its stroke and its lag? */
bool sl_regulator_has_record(const sl_surge_model *m, const sl_surge_joint *j);

#endif
