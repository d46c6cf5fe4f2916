/* SPDX-License-Identifier: MIT */
/* man.c: manual pages in the macros of man(7), from the tables of commands and options. They have no date: the same program writes the
 * same page. */
#include <ctype.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"

/* ---- Text for roff ------------------------------------------------------------------------------ */

/* n bytes of running text: a hyphen is a minus that can be copied, a backslash is one, a dot or quote at the beginning of a line is no request. */
static void put_roff(sl_out *out, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bool begins = i == 0 || text[i - 1] == '\n';
        if (begins && (text[i] == '.' || text[i] == '\'')) {
            sl_out_z(out, "\\&");
        }
        switch (text[i]) {
        case '\\': sl_out_z(out, "\\e"); break;
        case '-': sl_out_z(out, "\\-"); break;
        default: sl_out_char(out, text[i]); break;
        }
    }
}

static void put_z(sl_out *out, const char *text) {
    put_roff(out, text, strlen(text));
}

/* Paragraphs of filled text; lines that begin with a blank stay lines. */
static void put_paragraphs(sl_out *out, const char *text) {
    for (const char *line = text; line;) {
        const char *end = strchr(line, '\n');
        size_t n = end ? (size_t)(end - line) : strlen(line);
        if (n == 0) {
            sl_out_z(out, ".PP\n");
        } else {
            sl_out_z(out, line[0] == ' ' ? ".br\n" : "");
            put_roff(out, line, n);
            sl_out_char(out, '\n');
        }
        line = end ? end + 1 : NULL;
    }
}

static void put_block(sl_out *out, const char *text) {
    sl_out_z(out, ".nf\n");
    put_z(out, text);
    sl_out_z(out, "\n.fi\n");
}

static void put_upper(sl_out *out, const char *word) {
    for (; *word; word++) {
        sl_out_char(out, (char)toupper((unsigned char)*word));
    }
}

/* name NULL: of the program. */
static void put_head(sl_out *out, const char *name, const char *summary) {
    sl_out_z(out, ".\\\" Made by `sluice help --man` from the tables of options.\n.TH SLUICE");
    if (name) {
        sl_out_z(out, "\\-");
        put_upper(out, name);
    }
    sl_out_printf(out, " 1 \"\" \"sluice %s\" \"Sluice\"\n.ad l\n.nh\n.SH NAME\nsluice%s%s \\- ", sl_version(),
                  name ? "\\-" : "", name ? name : "");
    put_z(out, summary);
    sl_out_z(out, "\n");
}

/* ---- Pages -------------------------------------------------------------------------------------- */

static void put_option(sl_out *out, const sl_option *o) {
    sl_out_z(out, ".TP\n");
    if (o->letter) {
        sl_out_printf(out, "\\fB\\-%c\\fR, ", o->letter);
    }
    sl_out_z(out, "\\fB\\-\\-");
    put_z(out, o->name);
    sl_out_z(out, "\\fR");
    if (o->value) {
        sl_out_z(out, " \\fI");
        put_z(out, o->value);
        sl_out_z(out, "\\fR");
    }
    sl_out_char(out, '\n');
    put_paragraphs(out, o->help);
}

static void put_options(sl_out *out, const sl_option_list *list) {
    const sl_kind *last = NULL;
    sl_out_z(out, ".SH OPTIONS\n");
    for (int i = 0; i < list->n; i++) {
        const sl_kind *kind = list->at[i].kind;
        if (kind && kind != last) {
            sl_out_z(out, ".SS Options for ");
            put_z(out, kind->noun);
            sl_out_char(out, '\n');
        }
        put_option(out, list->at[i].option);
        last = kind;
    }
}

static void put_command(sl_cli *cli, const sl_command *command) {
    sl_out *out = &cli->out;
    sl_option_list list;
    sl_option_list_init(cli, command, &list);
    put_head(out, command->name, command->summary);
    sl_out_z(out, ".SH SYNOPSIS\n\\fBsluice\\fR ");
    put_z(out, command->usage);
    sl_out_z(out, "\n.SH DESCRIPTION\n");
    put_paragraphs(out, command->about);
    put_options(out, &list);
    sl_out_z(out, ".SH EXAMPLES\n");
    put_block(out, command->examples);
    sl_out_z(out, ".SH EXIT STATUS\n");
    put_block(out, command->exits);
    sl_out_z(out, ".SH SEE ALSO\n.BR sluice (1)\n");
}

static void put_program(sl_cli *cli) {
    sl_out *out = &cli->out;
    const sl_kind *const *kinds = cli->kinds;
    put_head(out, NULL, "water under pressure: networks of pipes, pumps, valves and tanks");
    sl_out_z(out, ".SH SYNOPSIS\n\\fBsluice\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n.SH DESCRIPTION\n"
                  "Simulates water under pressure. What a file is, is seen from its content. Kinds of model:\n");
    for (int k = 0; kinds[k]; k++) {
        if (sl_kind_is_selectable(kinds[k])) {
            sl_out_z(out, ".TP\n\\fB");
            put_z(out, kinds[k]->name);
            sl_out_z(out, "\\fR\n");
            put_z(out, kinds[k]->noun);
            sl_out_char(out, '\n');
        }
    }
    sl_out_z(out, ".SH COMMANDS\n");
    for (int i = 0; sl_commands[i]; i++) {
        sl_out_printf(out, ".TP\n.BR sluice\\-%s (1)\n", sl_commands[i]->name);
        put_z(out, sl_commands[i]->summary);
        sl_out_char(out, '\n');
    }
    sl_out_z(out, ".SH EXIT STATUS\n");
    put_block(out, "0  fine, warnings included\n"
                   "1  a limit was broken, or warnings with --strict\n"
                   "2  bad input\n"
                   "3  the simulation failed or is not balanced\n"
                   "4  wrong use\n"
                   "5  the outside world: a file, memory, a partner");
}

void sl_command_man(sl_cli *cli, const sl_command *command) {
    if (command) {
        put_command(cli, command);
    } else {
        put_program(cli);
    }
}
