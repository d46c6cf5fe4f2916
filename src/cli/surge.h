/* SPDX-License-Identifier: MIT */
/* surge.h: surge studies in the commands: `sluice run study.yaml`, `sluice run net.inp --surge`, check and info. */
#ifndef SL_CLI_SURGE_H
#define SL_CLI_SURGE_H

#include "cli/args.h"
#include "cli/yaml_kind.h"

/* The options of `sluice run` that count here. */
typedef struct sl_surge_args {
    bool on; /* --surge */
    sl_texts close, open, trip, envelope;
    const char *route, *step;
    double wave_speed;        /* [m/s]; 0: not given */
    int friction, cavitation; /* -1: not given */
    /* Of every run. */
    const sl_texts *output, *node, *link, *what;
    const char *report, *duration, *every;
    int unit, to;
    int64_t threads;
    bool strict, quiet, json;
} sl_surge_args;

extern const char *const sl_surge_friction_words[], *const sl_surge_cavitation_words[];

/* The first option that only makes sense with --surge, or NULL. */
const char *sl_surge_given(const sl_surge_args *args);
/* Each returns an exit code; everything is told. */
int sl_surge_run_study(sl_cli *cli, const sl_command *command, const sl_surge_args *args, const char *path);
int sl_surge_check_study(sl_cli *cli, const char *path, bool json, bool strict, bool quiet, bool all);
int sl_surge_info_study(sl_cli *cli, const char *path, bool json, bool strict);

#endif
