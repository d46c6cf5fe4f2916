/* SPDX-License-Identifier: MIT */
/* completion.c: scripts that complete command lines in bash, zsh and fish, from the tables of commands and options. They need nothing
 * but the shell.
 */
#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"

/* The first line of a help text, for lists. */
static sl_str first_line(const char *help) {
    const char *end = strchr(help, '\n');
    return (sl_str){help, end ? (size_t)(end - help) : strlen(help)};
}

/* Text within single quotes of a shell. In zsh a specification has : and [ ] of its own. */
static void put_quoted(sl_out *out, sl_str text, sl_shell shell) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\'') {
            sl_out_z(out, shell == SL_SHELL_FISH ? "\\'" : "'\\''");
        } else if (c == '\\') {
            sl_out_z(out, shell == SL_SHELL_BASH ? "\\" : "\\\\");
        } else {
            sl_out_z(out, shell == SL_SHELL_ZSH && strchr(":[]", c) ? "\\" : "");
            sl_out_char(out, c);
        }
    }
}

static void put_names(sl_out *out, const char *const *words, const char *between) {
    for (int i = 0; words && words[i]; i++) {
        sl_out_printf(out, "%s%s", i > 0 ? between : "", words[i]);
    }
}

static void put_commands(sl_out *out) {
    for (int i = 0; sl_commands[i]; i++) {
        sl_out_printf(out, "%s%s", i > 0 ? " " : "", sl_commands[i]->name);
    }
}

/* "network surge automaton all" */
static void put_kinds(sl_cli *cli, sl_out *out) {
    const sl_kind *const *kinds = cli->kinds;
    for (int k = 0; kinds[k]; k++) {
        if (sl_kind_is_selectable(kinds[k])) {
            sl_out_printf(out, "%s ", kinds[k]->name);
        }
    }
    sl_out_z(out, "all");
}

/* ---- bash --------------------------------------------------------------------------------------- */

/* Values of options of one command: words, files, or nothing that can be known. */
static void bash_values(sl_out *out, const sl_option_list *list) {
    for (int i = 0; i < list->n; i++) {
        const sl_option *o = list->at[i].option;
        if (o->kind == SL_OPTION_FLAG) {
            continue;
        }
        sl_out_printf(out, "            --%s", o->name);
        if (o->letter) {
            sl_out_printf(out, " | -%c", o->letter);
        }
        sl_out_z(out, ") values=");
        if (o->words) {
            sl_out_z(out, "'");
            put_names(out, o->words, " ");
            sl_out_z(out, "'");
        } else {
            sl_out_z(out, sl_option_is_file(o) ? "@files" : "@any");
        }
        sl_out_z(out, " ;;\n");
    }
}

static void bash_command(sl_cli *cli, const sl_command *command) {
    sl_out *out = &cli->out;
    sl_option_list list;
    sl_option_list_init_names(cli, command, &list);
    sl_out_printf(out, "    %s)\n        case $prev in\n", command->name);
    bash_values(out, &list);
    sl_out_z(out, "        esac\n        options='");
    for (int i = 0; i < list.n; i++) {
        const sl_option *o = list.at[i].option;
        sl_out_printf(out, "%s--%s", i > 0 ? " " : "", o->name);
        if (o->letter) {
            sl_out_printf(out, " -%c", o->letter);
        }
    }
    sl_out_z(out, "'\n        ;;\n");
}

static void bash(sl_cli *cli) {
    sl_out *out = &cli->out;
    sl_out_z(out, "# bash completion for sluice: made by `sluice help --completion bash` from the tables of options.\n"
                  "_sluice() {\n"
                  "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}\n"
                  "    local options='' values='' commands='");
    put_commands(out);
    sl_out_z(out, "'\n    COMPREPLY=()\n"
                  "    if [[ $cur == '=' ]]; then # --units=\n"
                  "        cur=''\n"
                  "    elif [[ $prev == '=' ]]; then # --units=L\n"
                  "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
                  "    fi\n"
                  "    if ((COMP_CWORD == 1)); then\n"
                  "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$cur\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    case $command in\n");
    for (int i = 0; sl_commands[i]; i++) {
        bash_command(cli, sl_commands[i]);
    }
    sl_out_z(out, "    *) return ;;\n    esac\n"
                  "    if [[ $values == @files ]]; then\n"
                  "        compopt -o filenames 2>/dev/null\n"
                  "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                  "    elif [[ $values == @any ]]; then\n"
                  "        COMPREPLY=()\n"
                  "    elif [[ -n $values ]]; then\n"
                  "        COMPREPLY=($(compgen -W \"$values\" -- \"$cur\"))\n"
                  "    elif [[ $cur == -* ]]; then\n"
                  "        COMPREPLY=($(compgen -W \"$options\" -- \"$cur\"))\n"
                  "    elif [[ $command == help ]]; then\n"
                  "        ((COMP_CWORD == 2)) || commands='");
    put_kinds(cli, out);
    sl_out_z(out, "'\n"
                  "        COMPREPLY=($(compgen -W \"$commands\" -- \"$cur\"))\n"
                  "    else\n"
                  "        compopt -o filenames 2>/dev/null\n"
                  "        mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
                  "    fi\n"
                  "}\n"
                  "complete -F _sluice sluice\n");
}

/* ---- zsh ---------------------------------------------------------------------------------------- */

/* '(-u --units)'{-u,--units}'[show results in ...]:UNIT:(CFS GPM)' */
static void zsh_option(sl_out *out, const sl_option *o) {
    bool many = o->kind == SL_OPTION_TEXTS;
    if (o->letter && many) {
        sl_out_printf(out, "            '*'{-%c,--%s}'[", o->letter, o->name);
    } else if (o->letter) {
        sl_out_printf(out, "            '(-%c --%s)'{-%c,--%s}'[", o->letter, o->name, o->letter, o->name);
    } else {
        sl_out_printf(out, "            '%s--%s[", many ? "*" : "", o->name);
    }
    put_quoted(out, first_line(o->help), SL_SHELL_ZSH);
    sl_out_z(out, "]");
    if (o->kind != SL_OPTION_FLAG) {
        sl_out_z(out, ":");
        put_quoted(out, sl_str_z(o->value ? o->value : "VALUE"), SL_SHELL_ZSH);
        sl_out_z(out, ":");
        if (o->words) {
            sl_out_z(out, "(");
            put_names(out, o->words, " ");
            sl_out_z(out, ")");
        } else if (sl_option_is_file(o)) {
            sl_out_z(out, "_files");
        }
    }
    sl_out_z(out, "' \\\n");
}

static void zsh_command(sl_cli *cli, const sl_command *command) {
    sl_out *out = &cli->out;
    sl_option_list list;
    sl_option_list_init_names(cli, command, &list);
    sl_out_printf(out, "    %s)\n        _arguments -s \\\n", command->name);
    for (int i = 0; i < list.n; i++) {
        zsh_option(out, list.at[i].option);
    }
    if (strcmp(command->name, "help") == 0) {
        sl_out_z(out, "            '1:command:(");
        put_commands(out);
        sl_out_z(out, ")' \\\n            '2:kind of model:(");
        put_kinds(cli, out);
        sl_out_z(out, ")'\n");
    } else {
        sl_out_z(out, "            '*:file:_files'\n");
    }
    sl_out_z(out, "        ;;\n");
}

static void zsh(sl_cli *cli) {
    sl_out *out = &cli->out;
    sl_out_z(out, "#compdef sluice\n"
                  "# zsh completion for sluice: made by `sluice help --completion zsh` from the tables of options.\n"
                  "_sluice() {\n"
                  "    if ((CURRENT == 2)); then\n"
                  "        local -a commands=(\n");
    for (int i = 0; sl_commands[i]; i++) {
        sl_out_printf(out, "            '%s:", sl_commands[i]->name);
        put_quoted(out, sl_str_z(sl_commands[i]->summary), SL_SHELL_ZSH);
        sl_out_z(out, "'\n");
    }
    sl_out_z(out, "        )\n"
                  "        _describe command commands\n"
                  "        return\n"
                  "    fi\n"
                  "    local command=$words[2]\n"
                  "    shift words\n"
                  "    ((CURRENT--))\n"
                  "    case $command in\n");
    for (int i = 0; sl_commands[i]; i++) {
        zsh_command(cli, sl_commands[i]);
    }
    sl_out_z(out, "    *) _files ;;\n    esac\n}\ncompdef _sluice sluice\n");
}

/* ---- fish --------------------------------------------------------------------------------------- */

static void fish_command(sl_cli *cli, const sl_command *command) {
    sl_out *out = &cli->out;
    sl_option_list list;
    sl_option_list_init_names(cli, command, &list);
    for (int i = 0; i < list.n; i++) {
        const sl_option *o = list.at[i].option;
        sl_out_printf(out, "complete -c sluice -n '__fish_seen_subcommand_from %s' -l %s", command->name, o->name);
        if (o->letter) {
            sl_out_printf(out, " -s %c", o->letter);
        }
        if (o->words) {
            sl_out_z(out, " -x -a '");
            put_names(out, o->words, " ");
            sl_out_z(out, "'");
        } else if (o->kind != SL_OPTION_FLAG) {
            sl_out_z(out, sl_option_is_file(o) ? " -r -F" : " -x");
        }
        sl_out_z(out, " -d '");
        put_quoted(out, first_line(o->help), SL_SHELL_FISH);
        sl_out_z(out, "'\n");
    }
}

static void fish(sl_cli *cli) {
    sl_out *out = &cli->out;
    sl_out_z(out,
             "# fish completion for sluice: made by `sluice help --completion fish` from the tables of options.\n");
    for (int i = 0; sl_commands[i]; i++) {
        sl_out_printf(out, "complete -c sluice -n __fish_use_subcommand -f -a %s -d '", sl_commands[i]->name);
        put_quoted(out, sl_str_z(sl_commands[i]->summary), SL_SHELL_FISH);
        sl_out_z(out, "'\n");
    }
    sl_out_z(out, "complete -c sluice -n '__fish_seen_subcommand_from help' -f -a '");
    put_commands(out);
    sl_out_char(out, ' ');
    put_kinds(cli, out);
    sl_out_z(out, "'\n");
    for (int i = 0; sl_commands[i]; i++) {
        fish_command(cli, sl_commands[i]);
    }
}

void sl_completion_write(sl_cli *cli, sl_shell shell) {
    static void (*const writers[])(sl_cli * cli) = {bash, zsh, fish}; /* by sl_shell */
    writers[shell](cli);
}
