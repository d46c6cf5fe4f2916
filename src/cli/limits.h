/* SPDX-License-Identifier: MIT */
/* limits.h: options that every command has: how much time and memory it may take, and how far the bounds go that catch slips. */
#ifndef SL_CLI_LIMITS_H
#define SL_CLI_LIMITS_H

#include "base/option.h"

struct sl_cli;

typedef struct sl_limits {
    sl_option_time time; /* from the start of the command */
    const char *memory;  /* as given: 500 MB; NULL: no limit */
    double effort;       /* factor on the bounds on steps, reports, cells and cases */
} sl_limits;

extern const sl_option_table sl_limit_options;

/* Puts them into force, for the context too, before anything is made from it. False: why not. */
bool sl_limits_apply(struct sl_cli *cli, char why[SL_OPTION_ERROR_MAX]);
/* [bytes] what the machine has, or the process may take of it; 0: nobody knows. */
double sl_limits_machine_memory(void);

#endif
