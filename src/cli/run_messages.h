/* SPDX-License-Identifier: MIT */
/* run_messages.h: what a run had to say, for people: the same message at many times is one line.
 *
 * A day at hourly steps can complain about the same junction 24 times. Messages of one code about one object are a
 * group: the first one's text, how often, from when to when. Of each code ten groups are shown; JSON has all.
 */
#ifndef SL_CLI_RUN_MESSAGES_H
#define SL_CLI_RUN_MESSAGES_H

#include "cli/cli.h"

typedef struct sl_message_group {
    const sl_diag *first;
    int64_t n;
    double begin, end; /* times of the first and the last [s]; NaN: none */
} sl_message_group;

typedef struct sl_messages {
    sl_context *ctx;
    sl_message_group *at; /* in the order in which they came up */
    int64_t n, cap;
} sl_messages;

/* Warnings and errors of n lists; the diagnostics are borrowed. */
sl_status sl_messages_gather(sl_messages *m, sl_context *ctx, const sl_diags *const *lists, int n);
void sl_messages_fini(sl_messages *m);
/* Text on standard error. */
void sl_messages_show(sl_cli *cli, const sl_messages *m, bool errors_only);
/* An array. */
void sl_messages_write_json(const sl_messages *m, sl_json *json);

#endif
