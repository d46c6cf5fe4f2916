/* SPDX-License-Identifier: MIT */
/* table_args.h: --node, --link, --what, --from, --until, --every: options that say which results a table holds.
 *
 * The end of the times is --until, because --to is a format. */
#ifndef SL_RESULTS_TABLE_ARGS_H
#define SL_RESULTS_TABLE_ARGS_H

#include <stddef.h>

#include "base/option.h"
#include "results/table.h"

typedef struct sl_table_args {
    sl_texts node, link, what;
    sl_option_time from, until, every;
    bool one_value_per_row, compress;
} sl_table_args;

/* Rows of tables of options whose structs have a member `select`. */
#define SL_TABLE_OPTION_ROW(type, kind_, name_, member, value_, help_) \
    { .name = (name_), .kind = (kind_), .offset = offsetof(type, select.member), .value = (value_), .help = (help_) }
#define SL_TABLE_TIME_ROW(type, name_, member, help_)                                                      \
    {                                                                                                      \
        .name = (name_), .kind = SL_OPTION_TIME, .offset = offsetof(type, select.member), .value = "TIME", \
        .help = (help_), .may_count = true                                                                 \
    }
#define SL_TABLE_OPTION_ROWS(type)                                                                        \
    SL_TABLE_OPTION_ROW(type, SL_OPTION_TEXTS, "node", node, "ID,...",                                    \
                        "of .csv, .json and .h5: only these nodes, and only the links of\n"               \
                        "--link; ALL and NONE are words for it; may be given several times"),             \
        SL_TABLE_OPTION_ROW(type, SL_OPTION_TEXTS, "link", link, "ID,...", "likewise these links"),       \
        SL_TABLE_OPTION_ROW(type, SL_OPTION_TEXTS, "what", what, "NAME,...",                              \
                            "only these quantities: demand, head, pressure, flow, velocity,\n"            \
                            "headloss, status, setting, friction, quality, reaction"),                    \
        SL_TABLE_TIME_ROW(type, "from", from, "report times from here on: 6:00, 90min"),                  \
        SL_TABLE_TIME_ROW(type, "until", until, "report times up to here, included"),                     \
        SL_TABLE_TIME_ROW(type, "every", every, "report times so far apart, from the first one written"), \
        SL_TABLE_OPTION_ROW(type, SL_OPTION_FLAG, "long", one_value_per_row, NULL,                        \
                            "of .csv: one row per value instead of one per time and element"),            \
        SL_TABLE_OPTION_ROW(type, SL_OPTION_FLAG, "compress", compress, NULL, "of .h5: smaller and slower (gzip)")

/* What is written, for options that need something. */
typedef struct sl_table_fits {
    bool table, csv, h5;
} sl_table_fits;

/* Into def->select and def->target. args must outlive def. False: why not. */
bool sl_table_args_read(const sl_table_args *args, const sl_table_fits *fits, sl_table_def *def, char *why,
                        size_t size);

#endif
