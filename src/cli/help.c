/* SPDX-License-Identifier: MIT */
/* help.c: the pages of `sluice help`, from the tables of options. */
#include "cli/help.h"

#include <string.h>

/* ---- All options of a command ------------------------------------------------------------------- */

static void push(sl_option_list *list, const sl_option *option, const sl_kind *kind) {
    if (list->n < SL_OPTION_LIST_MAX) {
        list->at[list->n].option = option;
        list->at[list->n++].kind = kind;
    }
}

static void push_kind(sl_option_list *list, const sl_kind *kind, unsigned tables) {
    bool selects = kind->selected_by != NULL;
    for (unsigned which = SL_OPTIONS_OF_LOAD; which <= SL_OPTIONS_OF_PLOT; which *= 2) {
        sl_option_table t = which & tables ? sl_kind_options(kind, which) : (sl_option_table){0};
        if (selects && (t.size > 0 || t.n > 0)) {
            list->selects[list->n_select] = (sl_option){.name = kind->selected_by, .help = kind->selected_help};
            push(list, &list->selects[list->n_select++], kind);
            selects = false;
        }
        for (int i = 0; i < t.n; i++) {
            push(list, &t.options[i], kind);
        }
    }
}

void sl_option_list_init(const sl_cli *cli, const sl_command *command, sl_option_list *list) {
    *list = (sl_option_list){.help = {.name = "help",
                                      .letter = 'h',
                                      .help = "print this page; --help=KIND adds the options for a kind of model"}};
    if (!command->kind_options) {
        list->help.help = "print this page";
    }
    for (int i = 0; i < command->options.n; i++) {
        push(list, &command->options.options[i], NULL);
    }
    for (int i = 0; i < sl_limit_options.n; i++) {
        push(list, &sl_limit_options.options[i], NULL);
    }
    push(list, &list->help, NULL);
    for (int k = 0; cli->kinds[k]; k++) {
        if (sl_kind_is_selectable(cli->kinds[k])) {
            push_kind(list, cli->kinds[k], command->kind_options);
        }
    }
}

void sl_option_list_init_names(const sl_cli *cli, const sl_command *command, sl_option_list *list) {
    sl_option_list_init(cli, command, list);
    int n = list->n;
    list->n = 0;
    for (int i = 0; i < n; i++) {
        int k = 0;
        while (k < list->n && strcmp(list->at[k].option->name, list->at[i].option->name) != 0) {
            k++;
        }
        if (k == list->n) {
            list->at[list->n++] = list->at[i];
        }
    }
}

bool sl_option_is_file(const sl_option *option) {
    static const char *const files[] = {"FILE", "PICTURE", "OUT", "DIR", NULL};
    for (int i = 0; option->value && files[i]; i++) {
        if (strncmp(option->value, files[i], strlen(files[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* ---- Text --------------------------------------------------------------------------------------- */

enum { WIDTH = 100, COLUMN = 26 }; /* of a page, and of the text of its options */

/* Fills lines up to WIDTH with the words of text; lines after the first begin at indent. A line that is empty or begins with a blank
 * stays as it is. */
static void help_fill(sl_out *out, const char *text, size_t indent) {
    bool begins = true; /* at the beginning of a line */
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        if (n == 0 || *line == ' ') {
            sl_out_printf(out, "%s%.*s\n", begins ? "" : "\n", (int)n, line);
            begins = true;
        }
        for (size_t at = 0, word; at < n && *line != ' '; at += word + 1) {
            word = strcspn(line + at, " \n");
            if (!begins && out->column + 1 + word > WIDTH) {
                sl_out_char(out, '\n');
                sl_out_pad(out, indent, 0);
                begins = true;
            }
            sl_out_printf(out, "%s%.*s", begins ? "" : " ", (int)word, line + at);
            begins = false;
        }
        line += n + (line[n] == '\n');
    }
    if (!begins) {
        sl_out_char(out, '\n');
    }
}

static void help_option(sl_out *out, const sl_option *o) {
    sl_out_z(out, "  ");
    if (o->letter) {
        sl_out_printf(out, "-%c, ", o->letter);
    } else {
        sl_out_z(out, "    ");
    }
    sl_out_printf(out, "--%s%s%s", o->name, o->value ? " " : "", o->value ? o->value : "");
    sl_out_pad(out, COLUMN, 2);
    help_fill(out, o->help, COLUMN);
}

static void help_block(sl_out *out, const char *title, const char *text) {
    sl_out_printf(out, "\n%s\n", title);
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) : strlen(line);
        sl_out_z(out, "  ");
        sl_out_bytes(out, line, n);
        sl_out_char(out, '\n');
        line = end ? end + 1 : line + n;
    }
}

/* Options of a kind, or of all of them (which NULL). */
static void help_kinds(sl_out *out, const sl_option_list *list, const char *which) {
    const sl_kind *last = NULL;
    for (int i = 0; i < list->n; i++) {
        const sl_kind *kind = list->at[i].kind;
        if (!kind || (which && strcmp(kind->name, which) != 0)) {
            continue;
        }
        if (kind != last) {
            sl_out_printf(out, "\nOptions for %s:\n", kind->noun);
        }
        help_option(out, list->at[i].option);
        last = kind;
    }
}

/* Where the options of kinds are shown. */
static void help_of_kinds(sl_out *out, const sl_command *command, const sl_option_list *list) {
    const sl_kind *last = NULL;
    for (int i = 0; i < list->n; i++) {
        const sl_kind *kind = list->at[i].kind;
        if (!kind || kind == last) {
            continue;
        }
        if (!last) {
            sl_out_z(out, "\nMore options, by kind of model:\n");
        }
        sl_out_printf(out, "  sluice help %s %s", command->name, kind->name);
        sl_out_pad(out, 34, 2);
        sl_out_printf(out, "options for %s%s%s\n", kind->noun, kind->selected_by ? ", or a network with --" : "",
                      kind->selected_by ? kind->selected_by : "");
        last = kind;
    }
    if (last) {
        sl_out_printf(out, "  sluice help %s all", command->name);
        sl_out_pad(out, 34, 2);
        sl_out_z(out, "options for every kind of model\n");
    }
}

/* Is there such a kind among those whose options the command takes? */
static bool has_kind(const sl_option_list *list, const char *name) {
    for (int i = 0; i < list->n; i++) {
        if (list->at[i].kind && strcmp(list->at[i].kind->name, name) == 0) {
            return true;
        }
    }
    return false;
}

static int refuse_kind(sl_cli *cli, const sl_command *command, const char *which) {
    const sl_kind *kind = sl_kind_find(cli->kinds, which);
    if (kind) {
        return sl_args_wrong(cli, command, "there are no options for %s here; `sluice help %s` lists all options",
                             kind->noun, command->name);
    }
    return sl_args_wrong(cli, command, "there is no kind of model '%s'; `sluice help %s` lists the kinds with options",
                         which, command->name);
}

int sl_command_help(sl_cli *cli, const sl_command *command, const char *which) {
    sl_out *out = &cli->out;
    sl_option_list list;
    sl_option_list_init(cli, command, &list);
    bool all = which && strcmp(which, "all") == 0;
    if (which && !all && !has_kind(&list, which)) {
        return refuse_kind(cli, command, which);
    }
    sl_out_printf(out, "Usage: sluice %s\n\n", command->usage);
    help_fill(out, command->about, 0);
    sl_out_z(out, "\nOptions:\n");
    for (int i = 0; i < list.n && !list.at[i].kind; i++) {
        help_option(out, list.at[i].option);
    }
    if (which) {
        help_kinds(out, &list, all ? NULL : which);
    } else {
        help_of_kinds(out, command, &list);
    }
    help_block(out, "Examples:", command->examples);
    help_block(out, "Exit codes:", command->exits);
    return SL_EXIT_FINE;
}
