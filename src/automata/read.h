/* SPDX-License-Identifier: MIT */
/* read.h: automata from text: sl_automaton_read (sluice/automaton.h); docs/reference/automaton.md describes the files. */
#ifndef SL_AUTOMATA_READ_H
#define SL_AUTOMATA_READ_H

#include "automata/automaton.h"

#endif
