/* SPDX-License-Identifier: MIT */
/* read.h: automata from text: sl_automaton_read (sluice/automaton.h); docs/reference/automaton.md describes the files. */
#ifndef SL_AUTOMATA_READ_H
#define SL_AUTOMATA_READ_H

#include "automata/automaton.h"

/* As sl_automaton_read, but for the finish: how it is run may still be set. */
sl_status sl_automaton_read_unfinished(sl_context *ctx, const char *bytes, size_t n, const char *file, sl_diags *diags,
                                       sl_automaton **out);

#endif
