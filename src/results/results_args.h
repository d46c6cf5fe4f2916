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
#define SL_RESULTS_OPTION_ROWS(type)                                                                                \
    SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "node", node, "ID,...",                                            \
                          "of .csv, .json and .h5: only these nodes, and only the links of\n"                       \
                          "--link; ALL and NONE are words for it; may be given several times"),                     \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "link", link, "ID,...", "likewise these links"),               \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "variable", variable, "PATTERN",                               \
                              "likewise variables by name: 'node.*.head', 'pump.P1.*'; `sluice vars`\nlists them"), \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_TEXTS, "what", what, "NAME,...",                                      \
                              "only these quantities: pressure, flow, tank.level; `sluice vars`\nlists them"),      \
        SL_RESULTS_TIME_ROW(type, "from", from, "report times from here on: 6:00, 90min"),                          \
        SL_RESULTS_TIME_ROW(type, "until", until, "report times up to here, included"),                             \
        SL_RESULTS_TIME_ROW(type, "every", every, "report times so far apart"),                                     \
        {.name = "csv",                                                                                             \
         .kind = SL_OPTION_WORD,                                                                                    \
         .offset = offsetof(type, select.csv),                                                                      \
         .value = "FORM",                                                                                           \
         .words = sl_results_csv_words,                                                                             \
         .help = "form of .csv: rows (one per time and element), columns (one row per\n"                            \
                 "time), values (one row per value), events (those alone); networks have\n"                         \
                 "rows, others columns"},                                                                           \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_FLAG, "long", one_value_per_row, NULL, "the same as --csv values"),   \
        SL_RESULTS_OPTION_ROW(type, SL_OPTION_FLAG, "compress", compress, NULL, "of .h5: smaller and slower (gzip)")

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
