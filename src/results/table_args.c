/* SPDX-License-Identifier: MIT */
/* table_args.c: which results a table holds; see table_args.h. Ids are looked up where the results are. */
#include "results/table_args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* The first option that was given and needs a table, or NULL. */
static const char *first_given(const sl_table_args *a) {
    return a->node.n > 0       ? "node"
           : a->link.n > 0     ? "link"
           : a->what.n > 0     ? "what"
           : a->from.is_given  ? "from"
           : a->until.is_given ? "until"
           : a->every.is_given ? "every"
                               : NULL;
}

static bool check_what(const char *list, char *why, size_t size) {
    for (const char *at = list; *at; at += strspn(at, ", ")) {
        sl_str name = {at, strcspn(at, ", ")};
        const char *near;
        if (name.len > 0 && !sl_table_is_quantity(name, &near)) {
            return refuse(why, size,
                          "--what does not know '%.*s'%s%s%s (it takes demand, head, pressure, flow, velocity, "
                          "headloss, status, setting, friction, quality and reaction)",
                          (int)(name.len < 40 ? name.len : 40), name.ptr, near ? "; did you mean " : "",
                          near ? near : "", near ? "?" : "");
        }
        at += name.len;
    }
    return true;
}

static bool check_fit(const sl_table_args *a, const sl_table_fits *fits, char *why, size_t size) {
    const char *given = first_given(a);
    if (given && !fits->table) {
        return refuse(why, size,
                      "--%s selects what .csv, .json and .h5 files hold, and none is written here: other files "
                      "always have everything",
                      given);
    }
    if (a->one_value_per_row && !fits->csv) {
        return refuse(why, size, "--long is for .csv files, and none is written here");
    }
    if (a->compress && !fits->h5) {
        return refuse(why, size, "--compress is for .h5 files, and none is written here");
    }
    return true;
}

bool sl_table_args_read(const sl_table_args *a, const sl_table_fits *fits, sl_table_def *def, char *why, size_t size) {
    bool fine = check_fit(a, fits, why, size);
    for (int i = 0; i < a->what.n && fine; i++) {
        fine = check_what(a->what.at[i], why, size);
    }
    if (!fine) {
        return false;
    }
    sl_table_select *s = &def->select;
    *s = sl_table_select_default();
    s->node = a->node.at;
    s->n_node = a->node.n;
    s->link = a->link.at;
    s->n_link = a->link.n;
    s->what = a->what.at;
    s->n_what = a->what.n;
    def->target.one_value_per_row = a->one_value_per_row;
    def->target.compress = a->compress;
    const struct {
        const char *shown;
        const sl_option_time *time;
        double *seconds;
    } times[] = {{"--from", &a->from, &s->from}, {"--until", &a->until, &s->to}, {"--every", &a->every, &s->every}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char wrong[SL_OPTION_ERROR_MAX];
        if (!sl_option_time_fits(times[i].shown, times[i].time, false, wrong)) {
            return refuse(why, size, "%s", wrong);
        }
        if (times[i].time->is_given) {
            *times[i].seconds = times[i].time->value;
        }
    }
    if (a->every.is_given && !(s->every > 0.0)) {
        return refuse(why, size, "--every %s is no time to go on by: it must be more than 0", a->every.text);
    }
    return true;
}
