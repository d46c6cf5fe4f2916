/* SPDX-License-Identifier: MIT */
/* args.c: reading a command line by table. The help that comes from the same table: help.c. */
#include "cli/args.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/ids.h"
#include "cli/help.h"

enum { NAMES_MAX = 160, TEXT_MAX = 1024 };

typedef struct parse {
    sl_cli *cli;
    const sl_command *command;
    int argc;
    char **argv;
    int next; /* the next argument to look at */
    void *values;
    sl_kind_args *kinds; /* NULL: the command takes no options of kinds */
    bool help;
    const char *help_kind; /* --help=surge; NULL: the page without options of kinds */
} parse;

int sl_args_wrong(sl_cli *cli, const sl_command *command, const char *fmt, ...) {
    char text[TEXT_MAX];
    va_list args;
    va_start(args, fmt);
    int n = vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    sl_cli_message(cli, "%s: %s", command->name, n >= 0 ? text : "wrong use");
    sl_cli_message(cli, "`sluice %s --help` shows how it is used", command->name);
    return SL_EXIT_USE;
}

/* ---- Values ------------------------------------------------------------------------------------- */

static bool is_own(const parse *p, const sl_option *o) {
    return o >= p->command->options.options && o < p->command->options.options + p->command->options.n;
}

/* An option that every command has. */
static bool is_limit(const sl_option *o) {
    return o >= sl_limit_options.options && o < sl_limit_options.options + sl_limit_options.n;
}

/* Of the command, or of every kind that has it. */
static bool set_value(parse *p, const char *shown, const sl_option *o, const char *text) {
    char why[SL_OPTION_ERROR_MAX];
    bool limit = is_limit(o);
    sl_kind_args *kinds = limit || is_own(p, o) ? NULL : p->kinds;
    bool fine = kinds || sl_option_set(o, shown, text, limit ? (void *)&p->cli->limits : p->values, why);
    for (int i = 0; kinds && i < kinds->n && fine; i++) {
        const sl_kind_values *v = &kinds->at[i];
        const sl_option *same = sl_option_find(&v->options, sl_str_z(o->name));
        fine = !same || sl_option_set(same, shown, text, v->values, why);
    }
    if (kinds && kinds->n_given < SL_GIVEN_MAX) {
        kinds->given[kinds->n_given++] = o->name;
    }
    if (!fine) {
        sl_args_wrong(p->cli, p->command, "%s", why);
    }
    return fine;
}

/* A time may be two arguments: --duration 20 min. */
static const char *join_unit(parse *p, const char *number, char text[SL_TIME_TEXT_MAX]) {
    const char *unit = p->next < p->argc ? p->argv[p->next] : "";
    if (!sl_option_wants_time_unit(number) || !sl_option_is_time_unit(unit)) {
        return number;
    }
    p->next++;
    snprintf(text, SL_TIME_TEXT_MAX, "%s %s", number, unit);
    return text;
}

/* The value of an option: attached, or the next argument. Another option in its place is a slip. */
static bool take_value(parse *p, const char *shown, const sl_option *o, const char *attached) {
    const char *text = attached;
    char joined[SL_TIME_TEXT_MAX];
    if (!text && p->next < p->argc && strncmp(p->argv[p->next], "--", 2) != 0) {
        text = p->argv[p->next++];
    }
    if (!text) {
        sl_args_wrong(p->cli, p->command, "%s needs a value: %s %s", shown, shown, o->value);
        return false;
    }
    text = o->kind == SL_OPTION_TIME ? join_unit(p, text, joined) : text;
    return set_value(p, shown, o, text);
}

/* ---- Options ------------------------------------------------------------------------------------ */

/* The names of all options, NULL-terminated. */
static void collect_names(const parse *p, const char *names[NAMES_MAX + 1]) {
    int n = 0;
    names[n++] = "help";
    for (int i = 0; i < p->command->options.n && n < NAMES_MAX; i++) {
        names[n++] = p->command->options.options[i].name;
    }
    for (int i = 0; i < sl_limit_options.n && n < NAMES_MAX; i++) {
        names[n++] = sl_limit_options.options[i].name;
    }
    for (int k = 0; p->kinds && k < p->kinds->n; k++) {
        for (int i = 0; i < p->kinds->at[k].options.n && n < NAMES_MAX; i++) {
            names[n++] = p->kinds->at[k].options.options[i].name;
        }
    }
    names[n] = NULL;
}

static void unknown_option(parse *p, sl_str name) {
    const char *names[NAMES_MAX + 1];
    collect_names(p, names);
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)(name.len < 60 ? name.len : 60), name.ptr);
    const char *near = sl_nearest_word(word, names);
    sl_args_wrong(p->cli, p->command, "there is no option --%s%s%s%s", word, near ? "; did you mean --" : "",
                  near ? near : "", near ? "?" : "");
}

/* By name, or by letter where there is no name. NULL: there is none. */
static const sl_option *find_option(const parse *p, sl_str name, char letter) {
    for (int k = -2; k < (p->kinds ? p->kinds->n : 0); k++) {
        const sl_option_table *t = k == -2 ? &p->command->options
                                   : k < 0 ? &sl_limit_options
                                           : &p->kinds->at[k].options;
        for (int32_t i = 0; i < t->n; i++) {
            const sl_option *o = &t->options[i];
            if (name.len > 0 ? sl_str_equal(name, sl_str_z(o->name)) : o->letter == letter) {
                return o;
            }
        }
    }
    return NULL;
}

/* An option that selects a kind. */
static bool select_kind(parse *p, sl_str name) {
    for (int k = 0; p->kinds && k < p->kinds->n; k++) {
        const sl_kind *kind = p->kinds->at[k].kind;
        if (kind->selected_by && sl_str_equal(name, sl_str_z(kind->selected_by))) {
            p->kinds->selected = kind;
            return true;
        }
    }
    return false;
}

static bool long_option(parse *p, const char *arg) {
    const char *equals = strchr(arg, '=');
    sl_str name = {arg + 2, equals ? (size_t)(equals - arg - 2) : strlen(arg + 2)};
    if (sl_str_equal(name, sl_str_z("help"))) {
        p->help = true;
        p->help_kind = equals ? equals + 1 : NULL;
        return false;
    }
    const sl_option *o = name.len > 0 ? find_option(p, name, 0) : NULL;
    bool selects = !o && select_kind(p, name);
    if (!o && !selects) {
        unknown_option(p, name);
        return false;
    }
    char shown[64];
    snprintf(shown, sizeof shown, "--%s", o ? o->name : p->kinds->selected->selected_by);
    if (o && o->kind != SL_OPTION_FLAG) {
        return take_value(p, shown, o, equals ? equals + 1 : NULL);
    }
    if (equals) {
        sl_args_wrong(p->cli, p->command, "%s takes no value", shown);
        return false;
    }
    return selects || set_value(p, shown, o, "");
}

static bool short_options(parse *p, const char *arg) {
    for (const char *c = arg + 1; *c; c++) {
        if (*c == 'h') {
            p->help = true;
            return false;
        }
        const sl_option *found = find_option(p, (sl_str){0}, *c);
        if (!found) {
            sl_args_wrong(p->cli, p->command, "there is no option -%.*s", (unsigned char)*c < 0x80 ? 1 : 8, c);
            return false;
        }
        char shown[3] = {'-', *c, 0};
        if (found->kind != SL_OPTION_FLAG) {
            return take_value(p, shown, found, c[1] ? c + 1 : NULL);
        }
        (void)set_value(p, shown, found, "");
    }
    return true;
}

/* Moves operands to the front; returns their number, or -1. */
static int scan(parse *p) {
    int n = 0;
    bool options = true;
    while (p->next < p->argc) {
        char *arg = p->argv[p->next++];
        if (options && strcmp(arg, "--") == 0) {
            options = false;
        } else if (options && arg[0] == '-' && arg[1]) {
            if (!(arg[1] == '-' ? long_option(p, arg) : short_options(p, arg))) {
                return -1;
            }
        } else {
            p->argv[n++] = arg;
        }
    }
    return n;
}

int sl_args_parse(sl_cli *cli, const sl_command *command, int argc, char **argv, void *values, sl_kind_args *kinds,
                  int *code) {
    parse p = {.cli = cli, .command = command, .argc = argc, .argv = argv, .values = values};
    p.kinds = command->kind_options ? kinds : NULL;
    int n = scan(&p);
    *code = p.help ? sl_command_help(cli, command, p.help_kind) : SL_EXIT_USE;
    char why[SL_OPTION_ERROR_MAX];
    if (n >= 0 && !sl_limits_apply(cli, why)) {
        sl_args_wrong(cli, command, "%s", why);
        return -1;
    }
    if (n < 0) {
        return -1;
    }
    int need = 0;
    while (need < 3 && command->operands[need]) {
        need++;
    }
    if (n < need) {
        sl_args_wrong(cli, command, "%s is missing: sluice %s", command->operands[n], command->usage);
        return -1;
    }
    if (n > need && !command->more_operands) {
        sl_args_wrong(cli, command, "'%s' is one argument too many: sluice %s", argv[need], command->usage);
        return -1;
    }
    for (int i = 0; i < n && need > 0; i++) {
        if (!*argv[i]) {
            sl_args_wrong(cli, command, "an empty name was given for %s", command->operands[i < need ? i : need - 1]);
            return -1;
        }
    }
    return n;
}
