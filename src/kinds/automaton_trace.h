/* SPDX-License-Identifier: MIT */
/* automaton_trace.h: the execution of an automaton as arrays (engine/trace.h), for pictures.
 *
 * A session is followed step by step: values at the ends of steps and so often within them that a curve looks smooth, states as they
 * are while time passes, crossings of roots from its events. All runs go from the start; a phase plane is sampled on the way.
 */
#ifndef SL_KINDS_AUTOMATON_TRACE_H
#define SL_KINDS_AUTOMATON_TRACE_H

#include <sluice/automaton.h>

#include "engine/trace.h"

/* SL_ERR_INPUT and a diagnostic: names that are not there, a time beyond the end, a condition that cannot be read, too many
 * states. *run says how the execution went: SL_ERR_SOLVE when it failed on the way (the diagnostics say why); the trace is
 * that of the time before, then. *out is the caller's when SL_OK is returned. */
sl_status sl_automaton_trace(sl_context *ctx, const sl_automaton *m, const sl_trace_def *def, sl_diags *diags,
                             sl_trace *out, sl_status *run);

#endif
