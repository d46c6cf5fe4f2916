/* SPDX-License-Identifier: MIT */
/* select_args.c: which results a command writes as a table; see select_args.h. Ids are looked up where the results are. */
#include "cli/select_args.h"

#include <string.h>

#include <sluice/units.h>

/* The first option that was given and needs a table, or NULL. */
static const char *first_given(const sl_select_args *a) {
    return a->node.n > 0   ? "node"
           : a->link.n > 0 ? "link"
           : a->what.n > 0 ? "what"
           : a->from       ? "from"
           : a->until      ? "until"
           : a->every      ? "every"
                           : NULL;
}

static bool read_time(const char *text, double *seconds) {
    return !text || sl_time_parse_text(sl_str_z(text), seconds) == SL_OK;
}

static int check_what(sl_cli *cli, const sl_command *command, const char *list) {
    for (const char *at = list; *at; at += strspn(at, ", ")) {
        sl_str name = {at, strcspn(at, ", ")};
        const char *near;
        if (name.len > 0 && !sl_table_is_quantity(name, &near)) {
            return sl_args_wrong(cli, command,
                                 "--what does not know '%.*s'%s%s%s (it takes demand, head, pressure, flow, velocity, "
                                 "headloss, status, setting, friction, quality and reaction)",
                                 (int)(name.len < 40 ? name.len : 40), name.ptr, near ? "; did you mean " : "",
                                 near ? near : "", near ? "?" : "");
        }
        at += name.len;
    }
    return SL_EXIT_FINE;
}

static int check_fit(sl_cli *cli, const sl_command *command, const sl_select_args *a, const sl_select_targets *fits) {
    const char *given = first_given(a);
    if (given && !fits->table) {
        return sl_args_wrong(cli, command,
                             "--%s selects what .csv, .json and .h5 files hold, and none is written here: other files "
                             "always have everything",
                             given);
    }
    if (a->one_value_per_row && !fits->csv) {
        return sl_args_wrong(cli, command, "--long is for .csv files, and none is written here");
    }
    if (a->compress && !fits->h5) {
        return sl_args_wrong(cli, command, "--compress is for .h5 files, and none is written here");
    }
    return SL_EXIT_FINE;
}

int sl_select_read(sl_cli *cli, const sl_command *command, const sl_select_args *a, const sl_select_targets *fits,
                   sl_table_def *def) {
    int code = check_fit(cli, command, a, fits);
    for (int i = 0; i < a->what.n && code == SL_EXIT_FINE; i++) {
        code = check_what(cli, command, a->what.at[i]);
    }
    if (code != SL_EXIT_FINE) {
        return code;
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
        const char *name, *text;
        double *seconds;
    } times[] = {{"from", a->from, &s->from}, {"until", a->until, &s->to}, {"every", a->every, &s->every}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!read_time(times[i].text, times[i].seconds)) {
            return sl_args_wrong(cli, command, "--%s '%s' is not a time: 6:00, 1.5 (hours), '90 min' or '3600 sec'",
                                 times[i].name, times[i].text);
        }
    }
    if (a->every && !(s->every > 0.0)) {
        return sl_args_wrong(cli, command, "--every %s is no time to go on by: it must be more than 0", a->every);
    }
    return SL_EXIT_FINE;
}
