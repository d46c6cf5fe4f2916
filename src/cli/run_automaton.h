/* run_automaton.h: `sluice run` of an automaton. */
#ifndef SL_CLI_RUN_AUTOMATON_H
#define SL_CLI_RUN_AUTOMATON_H

#include "cli/cli.h"
#include "cli/yaml_kind.h"

typedef struct sl_automaton_run {
    const char *output; /* .csv, - or NULL */
    double duration;    /* [s]; NaN: the file's */
    bool json, quiet;
} sl_automaton_run;

/* Returns an exit code. */
int sl_run_automaton(sl_cli *cli, const char *path, const sl_automaton_run *run);

#endif
