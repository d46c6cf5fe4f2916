/* SPDX-License-Identifier: MIT */
/* select_args.h: --node, --link, --what, --from, --until, --every: which results a command writes as a table.
 *
 * The end of the times is --until, because --to is a format. */
#ifndef SL_CLI_SELECT_ARGS_H
#define SL_CLI_SELECT_ARGS_H

#include "cli/args.h"
#include "results/table.h"

typedef struct sl_select_args {
    sl_texts node, link, what;
    const char *from, *until, *every;
    bool one_value_per_row, compress;
} sl_select_args;

/* Rows of the tables of commands that have a member `select`. */
#define SL_OPTION_SELECT_TEXT(type, kind_, name_, member, value_, help_) \
    { .name = (name_), .kind = (kind_), .offset = offsetof(type, select.member), .value = (value_), .help = (help_) }
#define SL_OPTION_ROWS_SELECT(type)                                                                               \
    SL_OPTION_SELECT_TEXT(type, SL_OPTION_TEXTS, "node", node, "ID,...",                                          \
                          "of .csv, .json and .h5: only these nodes, and only the links of\n"                     \
                          "--link; ALL and NONE are words for it; may be given several times"),                   \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_TEXTS, "link", link, "ID,...", "likewise these links"),             \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_TEXTS, "what", what, "NAME,...",                                    \
                              "only these quantities: demand, head, pressure, flow, velocity,\n"                  \
                              "headloss, status, setting, friction, quality, reaction"),                          \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_TEXT, "from", from, "TIME",                                         \
                              "report times from here on: 6:00, '90 min'"),                                       \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_TEXT, "until", until, "TIME", "report times up to here, included"), \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_TEXT, "every", every, "TIME",                                       \
                              "report times so far apart, from the first one written"),                           \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_FLAG, "long", one_value_per_row, NULL,                              \
                              "of .csv: one row per value instead of one per time and element"),                  \
        SL_OPTION_SELECT_TEXT(type, SL_OPTION_FLAG, "compress", compress, NULL, "of .h5: smaller and slower (gzip)")

/* What is written, for options that need something. */
typedef struct sl_select_targets {
    bool table, csv, h5;
} sl_select_targets;

/* Into def->select and def->target. Returns an exit code; what is wrong is told. args must outlive def. */
int sl_select_read(sl_cli *cli, const sl_command *command, const sl_select_args *args, const sl_select_targets *fits,
                   sl_table_def *def);

#endif
