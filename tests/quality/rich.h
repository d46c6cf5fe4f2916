/* SPDX-License-Identifier: MIT */
/* rich.h: a small network in which everything about quality happens at once, for tests of what must hold of any run. */
#ifndef QUALITY_RICH_H
#define QUALITY_RICH_H

#include "eps/eps_test.h"

/* Text of the network with the kind of quality (0 chemical, 1 age, 2 trace), from malloc. Tanks A, B, C, D with the four
 * models of mixing, sources of all kinds, flows that turn, a pump that stops, an emitter, leaks, demands under pressure,
 * a dead end. */
char *rich_text(int kind, size_t *n);
void rich_begin(eps_run *r, int kind, int32_t n_thread, bool exact);

#endif
