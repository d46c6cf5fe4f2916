/* SPDX-License-Identifier: MIT */
/* results_args.c: what result files hold; see results_args.h. Ids are looked up where the results are. */
#include "results/results_args.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/out.h"

/* Says why; false. */
static bool refuse(char *why, size_t size, const char *fmt, ...) SL_PRINTF(3, 4);
static bool refuse(char *why, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(why, size, fmt, args);
    va_end(args);
    return false;
}

const char *const sl_results_csv_words[] = {"rows", "columns", "values", "events", NULL};

/* The first option that was given and needs a file of results, or NULL. */
static const char *first_given(const sl_results_args *a) {
    return a->node.n > 0       ? "node"
           : a->link.n > 0     ? "link"
           : a->variable.n > 0 ? "variable"
           : a->what.n > 0     ? "what"
           : a->from.is_given  ? "from"
           : a->until.is_given ? "until"
           : a->every.is_given ? "every"
                               : NULL;
}

static bool check_fit(const sl_results_args *a, const sl_results_fits *fits, char *why, size_t size) {
    const char *given = first_given(a);
    if (given && !fits->results) {
        return refuse(why, size,
                      "--%s selects what .csv, .json and .h5 files hold, and none is written here: other files "
                      "always have everything",
                      given);
    }
    if ((a->one_value_per_row || a->csv >= 0) && !fits->csv) {
        return refuse(why, size, "--%s is for .csv files, and none is written here", a->csv >= 0 ? "csv" : "long");
    }
    if (a->one_value_per_row && a->csv >= 0 && a->csv != SL_CSV_VALUES - 1) {
        return refuse(why, size, "--long is --csv values: give one of them");
    }
    if (a->compress && !fits->h5) {
        return refuse(why, size, "--compress is for .h5 files, and none is written here");
    }
    return true;
}

bool sl_results_args_read(const sl_results_args *a, const sl_results_fits *fits, sl_results_select *s,
                          sl_results_target *form, char *why, size_t size) {
    if (!check_fit(a, fits, why, size)) {
        return false;
    }
    *s = sl_results_select_default();
    s->node = a->node.at;
    s->n_node = a->node.n;
    s->link = a->link.at;
    s->n_link = a->link.n;
    s->variable = a->variable.at;
    s->n_variable = a->variable.n;
    s->what = a->what.at;
    s->n_what = a->what.n;
    form->csv = a->one_value_per_row ? SL_CSV_VALUES : (sl_csv_form)(a->csv + 1);
    form->compress = a->compress;
    s->from = a->from.is_given ? a->from.value : s->from;
    s->to = a->until.is_given ? a->until.value : s->to;
    s->every = a->every.is_given ? a->every.value : s->every;
    if (a->every.is_given && !(s->every > 0.0)) {
        return refuse(why, size, "--every %s is no time to go on by: it must be more than 0", a->every.text);
    }
    return true;
}

bool sl_results_args_fit_time(const sl_results_args *a, bool counts_steps, char *why, size_t size) {
    char wrong[SL_OPTION_ERROR_MAX];
    bool fine = sl_option_time_fits("--from", &a->from, counts_steps, wrong) &&
                sl_option_time_fits("--until", &a->until, counts_steps, wrong) &&
                sl_option_time_fits("--every", &a->every, counts_steps, wrong);
    return fine || refuse(why, size, "%s", wrong);
}
