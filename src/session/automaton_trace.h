/* SPDX-License-Identifier: MIT */
/* automaton_trace.h: the execution of an automaton as arrays, from its text: for pictures, which know no engines. */
#ifndef SL_SESSION_AUTOMATON_TRACE_H
#define SL_SESSION_AUTOMATON_TRACE_H

#include "engine/trace.h"

/* Reads and runs; name: as messages call the text. SL_ERR_INPUT: what is wrong with text or request is in the diagnostics; *run:
 * how the execution went (SL_ERR_SOLVE: it failed on the way, and *out ends there). *out is the caller's when SL_OK is returned. */
sl_status sl_trace_of_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name, const sl_trace_def *def,
                                sl_diags *diags, sl_trace *out, sl_status *run);

#endif
