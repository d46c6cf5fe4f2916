/* SPDX-License-Identifier: MIT */
/* results_args.h: options that say what result files hold and in which form, the same for every command and kind of model.
 *
 * The end of the times is --until, because --to is a format. */
#ifndef SL_RESULTS_RESULTS_ARGS_H
#define SL_RESULTS_RESULTS_ARGS_H

#include <stddef.h>

#include <sluice/results.h>

#include "base/option.h"

typedef struct sl_results_args {
    sl_texts node, link, variable, what;
    sl_option_time from, until, every;
    int csv; /* sl_csv_form less 1; -1: by the model */
    bool one_value_per_row, compress;
} sl_results_args;

extern const char *const sl_results_csv_words[];

/* Rows of tables of options whose structs have a member `select`. */
#define SL_RESULTS_OPTION_ROW(type, kind_, name_, member, value_, help_) \
    { .name = (name_), .kind = (kind_), .offset = offsetof(type, select.member), .value = (value_), .help = (help_) }
#define SL_RESULTS_TIME_ROW(type, name_, member, help_)                                                    \
    {                                                                                                      \
        .name = (name_), .kind = SL_OPTION_TIME, .offset = offsetof(type, select.member), .value = "TIME", \
        .help = (help_), .may_count = true                                                                 \
    }
#define SL_RESULTS_OPTION_ROWS(type)                                                                                 \
    SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "node", node, "ID,...",                                             \
                          "write only these nodes, and no links unless --link selects some (.csv,\n"                 \
                          ".json, .h5); ALL and NONE are allowed; may be repeated"),                                 \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "link", link, "ID,...",                                         \
                              "write only these links, and no nodes unless --node selects some"),                    \
        SL_RESULTS_OPTION_ROW(                                                                                       \
            type, SL_OPTION_TEXTS, "variable", variable, "PATTERN",                                                  \
            "write only the variables that match: 'node.*.head', 'pump.P1.*';\n`sluice vars` lists them"),           \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "what", what, "NAME,...",                                       \
                              "write only these quantities: pressure, flow, tank.level; `sluice vars`\nlists them"), \
        SL_RESULTS_TIME_ROW(type, "from", from, "first report time: 6:00, 90min"),                                   \
        SL_RESULTS_TIME_ROW(type, "until", until, "last report time"),                                               \
        SL_RESULTS_TIME_ROW(type, "every", every, "interval of the report times"),                                   \
        {.name = "csv",                                                                                              \
         .kind = SL_OPTION_WORD,                                                                                     \
         .offset = offsetof(type, select.csv),                                                                       \
         .value = "FORM",                                                                                            \
         .words = sl_results_csv_words,                                                                              \
         .help = "layout of .csv: rows (a row per time and element; default for networks),\n"                        \
                 "columns (a row per time; default for other models), values (a row per\n"                           \
                 "value), events (the events only)"},                                                                \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_FLAG, "long", one_value_per_row, NULL, "the same as --csv values"),    \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_FLAG, "compress", compress, NULL,                                      \
                              "compress .h5 with gzip: smaller, slower")

/* What is written, for options that need something. */
typedef struct sl_results_fits {
    bool results, csv, h5;
} sl_results_fits;

/* Into a selection and a form. args must outlive them. False: why not. */
bool sl_results_args_read(const sl_results_args *args, const sl_results_fits *fits, sl_results_select *select,
                          sl_results_target *form, char *why, size_t size);
/* Are the times in the unit of the model or result, once that is known? False: why not. */
bool sl_results_args_fit_time(const sl_results_args *args, bool counts_steps, char *why, size_t size);

#endif
