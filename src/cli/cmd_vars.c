/* SPDX-License-Identifier: MIT */
/* cmd_vars.c: `sluice vars`, what a model can be asked and told: its variables by name. Values are SI.
 *
 * A city has millions of variables, so the plain list has one row per quantity, with the number of elements; single
 * variables are shown when a pattern or all of them are asked for.
 */
#include "base/count_text.h"
#include "base/utf8.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

typedef struct vars_args {
    const char *match, *engine;
    bool inputs, all, json;
} vars_args;

static const sl_option options[] = {
    {SL_OPTION_ROW("match", 'm', TEXT, vars_args, match, "GLOB",
                   "list the variables whose names match; * matches any text, ? one\n"
                   "character; quotes in names may be omitted")},
    {SL_OPTION_ROW("inputs", 'i', FLAG, vars_args, inputs, NULL, "list only inputs and parameters, which can be set")},
    {SL_OPTION_ROW("all", 'a', FLAG, vars_args, all, NULL, "list every variable")},
    {SL_OPTION_ROW("engine", 'e', TEXT, vars_args, engine, "ENGINE",
                   "list the variables of another engine. For a network: quality (transport\n"
                   "with stored hydraulics) or surge (pressure waves)")},
    SL_OPTION_ROW_JSON(vars_args, "print one JSON object per variable, one per line"),
};

static const char *const causality_words[] = {"output", "input", "parameter"};
static const char *const type_words[] = {"real", "int", "bool", "enum"};
static const char *const variability_words[] = {"continuous", "discrete", "fixed"};

enum { NAME_MAX_SHOWN = 512 };

/* The name as it is, or without its quotes and escapes. */
static bool name_fits(const char *glob, const char *name) {
    char plain[NAME_MAX_SHOWN];
    size_t n = 0;
    if (sl_glob_fits(glob, name)) {
        return true;
    }
    for (const char *c = name; *c && n + 1 < sizeof plain; c++) {
        if (*c == '\\' && c[1]) {
            plain[n++] = *++c;
        } else if (*c != '\'') {
            plain[n++] = *c;
        }
    }
    plain[n] = '\0';
    return sl_glob_fits(glob, plain);
}

/* node.'10'.pressure as node.*.pressure. */
static void field_name(const char *name, char *text, size_t size) {
    const char *first = strchr(name, '\''), *last = strrchr(name, '\'');
    if (first) {
        snprintf(text, size, "%.*s*%s", (int)(first - name), name, last + 1);
    } else {
        snprintf(text, size, "%s", name);
    }
}

static void put_number(sl_out *out, double x) {
    sl_out_printf(out, "%g", x);
}

static int64_t n_word(const sl_var_info *v) {
    int64_t n = 0;
    while (v->words && v->words[n]) {
        n++;
    }
    return n;
}

/* Which values are possible, if that is limited. */
static void put_range(sl_out *out, const sl_var_info *v) {
    for (int64_t i = 0; i < n_word(v); i++) {
        sl_out_z(out, i > 0 ? "|" : "");
        sl_out_z(out, v->words[i]);
    }
    if (!v->words && isfinite(v->min) && isfinite(v->max)) {
        put_number(out, v->min);
        sl_out_z(out, " .. ");
        put_number(out, v->max);
    }
}

static void put_start(sl_out *out, const sl_var_info *v) {
    if (v->words && v->start >= 0.0 && v->start < (double)n_word(v)) {
        sl_out_z(out, v->words[(int)v->start]);
    } else if (isfinite(v->start)) {
        put_number(out, v->start);
    } else {
        sl_out_char(out, '-');
    }
}

/* One row; n is the number of elements when it stands for a field, 0 for a single variable. */
static void row_text(sl_out *out, const sl_var_info *v, const char *name, int32_t n) {
    sl_out_z(out, name);
    sl_out_pad(out, 32, 2);
    sl_out_z(out, causality_words[v->causality]);
    sl_out_pad(out, 43, 2);
    sl_out_z(out, type_words[v->type]);
    sl_out_pad(out, 49, 2);
    sl_out_z(out, v->unit);
    sl_out_pad(out, 59, 2);
    if (n > 0 && strchr(name, '*')) {
        sl_out_printf(out, "%d of them", n);
    } else {
        put_start(out, v);
    }
    sl_out_pad(out, 74, 2);
    sl_out_z(out, v->meaning);
    if (v->causality != SL_VAR_OUTPUT && (v->words || (isfinite(v->min) && isfinite(v->max)))) {
        sl_out_z(out, " [");
        put_range(out, v);
        sl_out_char(out, ']');
    }
    sl_out_char(out, '\n');
}

static void row_json(sl_out *out, const sl_var_info *v, const char *name, int32_t n) {
    sl_json json;
    sl_json_init(&json, out, 0);
    sl_json_object(&json);
    sl_json_member_z(&json, "name", name);
    if (n > 0) {
        sl_json_member_int(&json, "count", n);
    } else {
        sl_json_member_int(&json, "ref", v->ref);
    }
    sl_json_member_z(&json, "causality", causality_words[v->causality]);
    sl_json_member_z(&json, "variability", variability_words[v->variability]);
    sl_json_member_z(&json, "type", type_words[v->type]);
    sl_json_member_z(&json, "unit", v->unit);
    if (n == 0) {
        sl_json_member_number(&json, "start", v->start);
    }
    sl_json_member_number(&json, "min", v->min);
    sl_json_member_number(&json, "max", v->max);
    if (v->words) {
        sl_json_key(&json, "words");
        sl_json_array(&json);
        for (int64_t i = 0; i < n_word(v); i++) {
            sl_json_z(&json, v->words[i]);
        }
        sl_json_end(&json);
    }
    sl_json_member_z(&json, "meaning", v->meaning);
    sl_json_end(&json);
    sl_out_char(out, '\n');
}

/* Rows of fields, or of single variables; *n_row counts them. */
static sl_status list(sl_cli *cli, const vars_args *args, sl_session *s, int64_t *n_row) {
    bool single = args->match || args->all;
    int64_t n_var = sl_session_n_var(s);
    for (int64_t ref = 0; ref < n_var;) {
        sl_var_info v = {.size = sizeof v};
        char name[NAME_MAX_SHOWN];
        int32_t n = 0;
        sl_status status = sl_session_var(s, (uint32_t)ref, &v);
        if (status != SL_OK) {
            return status;
        }
        (void)sl_session_view(s, v.var.field, &n);
        bool wanted = !args->inputs || v.causality != SL_VAR_OUTPUT;
        if (!single) {
            field_name(v.name, name, sizeof name);
        }
        if (wanted && (!args->match || name_fits(args->match, v.name))) {
            (args->json ? row_json : row_text)(&cli->out, &v, single ? v.name : name, single ? 0 : n);
            ++*n_row;
        }
        ref += single && wanted ? 1 : n; /* a whole field can be left out at once */
    }
    return SL_OK;
}

static int show(sl_cli *cli, const vars_args *args, sl_input *input, const sl_kind *kind, const void *values) {
    sl_model *model = NULL;
    sl_session *s = NULL;
    int64_t n_row = 0;
    sl_load load = sl_input_load_def(cli, input, values);
    load.listing = true;
    sl_status status = sl_kind_load(kind, &load, &model);
    status = status == SL_OK ? sl_session_create(cli->ctx, model, input->diags, &s) : status;
    status = status == SL_OK ? list(cli, args, s, &n_row) : status;
    sl_session_destroy(s);
    sl_model_destroy(model);
    if (status == SL_OK && n_row == 0 && args->match) {
        sl_cli_message(cli, "no variable fits '%s'; `sluice vars %s` lists the quantities", args->match, input->name);
        return SL_EXIT_USE;
    }
    return sl_load_exit(cli, status);
}

/* The kind that --engine names; a message when there is none. */
static int find_engine(sl_cli *cli, const sl_command *command, const char *engine, const char **kind) {
    const sl_kind *const *rows = cli->kinds;
    char list[256] = "";
    for (int i = 0; engine && rows[i]; i++) {
        if (rows[i]->engine && strcmp(rows[i]->engine, engine) == 0) {
            *kind = rows[i]->name;
            return SL_EXIT_FINE;
        }
        if (rows[i]->engine) {
            sl_append(list, sizeof list, "%s%s", list[0] ? ", " : "", rows[i]->engine);
        }
    }
    *kind = NULL;
    return engine ? sl_args_wrong(cli, command, "--engine does not know '%s' (it takes %s)", engine, list)
                  : SL_EXIT_FINE;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    vars_args args = {0};
    const sl_kind *kind = NULL;
    const char *asked = NULL;
    sl_input input;
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
        return code;
    }
    code = find_engine(cli, command, args.engine, &asked);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    code = sl_input_open(cli, argv[0], &input);
    code = code == SL_EXIT_FINE ? sl_input_recognise(cli, &input, asked, &kind) : code;
    const void *values = sl_kind_args_of(kinds, kind, SL_OPTIONS_OF_LOAD);
    code = code == SL_EXIT_FINE ? show(cli, &args, &input, kind, values) : code;
    if (code < SL_EXIT_SIGNAL && input.diags) {
        sl_show_diags(cli, input.diags, &(sl_show_options){.json = args.json, .errors_only = true});
    }
    sl_input_close(&input);
    return code;
}

const sl_command sl_cmd_vars = {
    .name = "vars",
    .summary = "list the variables of a model",
    .usage = "vars [OPTIONS] FILE",
    .about = "Lists the variables of a model: name, output or input, type, unit, initial value (- if it is computed),\n"
             "meaning and bounds. A program can read every variable during a run and set the inputs. All values are\n"
             "in SI units. Without options the list has one row per quantity, with the number of its elements.",
    .options = SL_OPTION_TABLE(options, vars_args, NULL),
    .kind_defaults = SL_OPTIONS_OF_LOAD,
    .operands = {"FILE"},
    .examples = "sluice vars town.inp                           list all quantities\n"
                "sluice vars --inputs town.inp                  list what can be set\n"
                "sluice vars --match 'tank.*' town.inp          list every variable of every tank\n"
                "sluice vars --engine quality town.inp          list the variables of water quality\n"
                "sluice vars --engine surge town.inp            list the variables of pressure waves\n"
                "sluice vars --all thermostat.yaml              list every variable of an automaton\n"
                "sluice vars --json --match '*.level' town.inp  list the tank levels, for a program",
    .exits = "0  success\n"
             "2  the file has errors\n"
             "4  no variable matches the pattern, or the model has no such engine\n"
             "5  the file could not be read",
    .run = run,
};
