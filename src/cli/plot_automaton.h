/* SPDX-License-Identifier: MIT */
/* plot_automaton.h: `sluice plot` of an automaton: its own options, and the picture. */
#ifndef SL_CLI_PLOT_AUTOMATON_H
#define SL_CLI_PLOT_AUTOMATON_H

#include <sluice/plot.h>

#include "cli/args.h"

typedef struct sl_plot_automaton_args {
    sl_texts over_time, where;
    const char *phase;
    int64_t steps; /* -1: not given */
    bool states, diagram, reached, equal;
} sl_plot_automaton_args;

/* What the command has read already. */
typedef struct sl_automaton_plot {
    const sl_plot_automaton_args *args;
    const sl_plot_def *page; /* format, size, range, title, dark */
    const char *time, *from, *to, *output;
    bool dot;
} sl_automaton_plot;

/* Returns an exit code. */
int sl_plot_automaton_file(sl_cli *cli, const sl_command *command, const sl_automaton_plot *plot, const char *path);

#endif
