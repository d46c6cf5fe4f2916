/* SPDX-License-Identifier: MIT */
/* run_automaton.h: `sluice run` of an automaton. */
#ifndef SL_CLI_RUN_AUTOMATON_H
#define SL_CLI_RUN_AUTOMATON_H

#include "cli/args.h"
#include "cli/yaml_kind.h"

/* The options that only automata have. */
typedef struct sl_run_automaton_args {
    const char *events; /* file */
    bool at_events, branches, relax;
    int64_t steps; /* -1: not given */
} sl_run_automaton_args;

typedef struct sl_automaton_run {
    const char *output; /* .csv, - or NULL */
    double duration;    /* [s]; NaN: the file's */
    bool json, quiet, strict;
    sl_run_automaton_args args;
} sl_automaton_run;

/* Returns an exit code. */
int sl_run_automaton(sl_cli *cli, const char *path, const sl_automaton_run *run);

#endif
