/* SPDX-License-Identifier: MIT */
/* levels.h: what is known of discrete variables that roots decide: levels of one quantity. h > 1 implies h > 0.5, so of two roots
 * h - 1 and h - 0.5 the variable of the first is never 1 while that of the second is 0. Theory: docs/theory/automata.md#levels.
 */
#ifndef SL_AUTOMATA_LEVELS_H
#define SL_AUTOMATA_LEVELS_H

#include "automata/check.h"
#include "automata/sha.h"

/* The levels of a finished automaton, by quantity and ascending; *out is to be freed: n entries of ctx. SL_ERR_MEMORY. */
sl_status sl_sha_levels(const sl_sha *a, sl_context *ctx, sl_check_level **out, int32_t *n);

#endif
