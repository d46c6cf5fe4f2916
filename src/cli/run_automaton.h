/* run_automaton.h: `sluice run` of an automaton. */
#ifndef SL_CLI_RUN_AUTOMATON_H
#define SL_CLI_RUN_AUTOMATON_H

#include "cli/args.h"
#include "cli/yaml_kind.h"

/* The options that only automata have. */
typedef struct sl_automaton_args {
    const char *events; /* file */
    bool at_events, branches, relax;
    int64_t steps; /* -1: not given */
} sl_automaton_args;

#define SL_OPTION_ROWS_AUTOMATON(type, member)                                                                   \
    {.name = "events",                                                                                           \
     .kind = SL_OPTION_TEXT,                                                                                     \
     .offset = offsetof(type, member.events),                                                                    \
     .value = "FILE",                                                                                            \
     .help = "of automata: write what happened, a row per event and variable: .csv"},                            \
        {.name = "at-events",                                                                                    \
         .offset = offsetof(type, member.at_events),                                                             \
         .help = "of automata: rows of -o also before and after every event"},                                   \
        {.name = "steps",                                                                                        \
         .kind = SL_OPTION_COUNT,                                                                                \
         .offset = offsetof(type, member.steps),                                                                 \
         .value = "N",                                                                                           \
         .help = "of discrete automata: so many steps, also where nothing changes",                              \
         .min = 0,                                                                                               \
         .max = 100000000},                                                                                      \
        {.name = "branches",                                                                                     \
         .offset = offsetof(type, member.branches),                                                              \
         .help = "of discrete automata: all executions, where equations have several\nsolutions"},               \
    {                                                                                                            \
        .name = "relax", .offset = offsetof(type, member.relax),                                                 \
        .help = "of discrete automata: where equations exclude each other, executions\nbranch over the largest " \
                "sets of them that do not"                                                                       \
    }

typedef struct sl_automaton_run {
    const char *output; /* .csv, - or NULL */
    double duration;    /* [s]; NaN: the file's */
    bool json, quiet;
    sl_automaton_args args;
} sl_automaton_run;

/* Returns an exit code. */
int sl_run_automaton(sl_cli *cli, const char *path, const sl_automaton_run *run);

#endif
