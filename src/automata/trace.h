/* SPDX-License-Identifier: MIT */
/* trace.h: executions of automata as arrays (engine/trace.h), for pictures.
 *
 * A hybrid execution is followed piece by piece: values at the ends of steps and so often within them that a curve looks smooth,
 * states as they are while time passes, crossings of roots. An automaton without continuous variables and roots is followed in
 * discrete time. All runs go from the start, and a phase plane is looked at on the way.
 */
#ifndef SL_AUTOMATA_TRACE_H
#define SL_AUTOMATA_TRACE_H

#include "automata/read.h"
#include "engine/trace.h"

/* SL_ERR_INPUT and a diagnostic: names that are not there, a time beyond the end, a condition that cannot be read, too many
 * states. *run says how the execution went: SL_ERR_SOLVE when it failed on the way (the diagnostics say why); the trace is
 * that of the time before, then. */
sl_status sl_automaton_trace(sl_context *ctx, const sl_automaton *m, const sl_trace_def *def, sl_diags *diags,
                             sl_trace *out, sl_status *run);

#endif
