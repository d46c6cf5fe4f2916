/* SPDX-License-Identifier: MIT */
/* cmd_info.c: `sluice info`, a model on one page. Text is in the file's units, JSON in SI. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "session/session.h"

typedef struct info_args {
    bool json, strict;
} info_args;

static const sl_option options[] = {
    SL_OPTION_ROW_JSON(info_args, "print one JSON object, in SI units"),
    SL_OPTION_ROW_STRICT(info_args),
};

/* ---- A model of a kind that has no page of its own ---------------------------------------------- */

/* What a session has of one class of elements. */
typedef struct class_row {
    const char *name;
    int32_t n_element, n_quantity;
} class_row;

enum { CLASSES_MAX = 64 };

/* In the order of the fields. */
static void gather_classes(const sl_session *s, class_row rows[CLASSES_MAX], int *n_row) {
    const void *engine;
    const sl_engine_ops *ops = sl_session_ops(s, &engine);
    for (int32_t f = 0; f < ops->n_field; f++) {
        const char *name = sl_field_class(ops, f);
        int32_t n = ops->count(engine, f);
        int at = 0;
        while (at < *n_row && strcmp(rows[at].name, name) != 0) {
            at++;
        }
        if (n > 0 && at == *n_row && at < CLASSES_MAX) {
            rows[at] = (class_row){.name = name, .n_element = n};
            ++*n_row;
        }
        if (n > 0 && at < CLASSES_MAX) {
            rows[at].n_quantity++;
        }
    }
}

typedef struct general {
    const char *engine, *time_unit;
    double end; /* INFINITY: none */
    int64_t n_variable;
    class_row rows[CLASSES_MAX];
    int n_row;
} general;

static sl_status look_at(const sl_kind *kind, const sl_load *load, general *g) {
    sl_model *model = NULL;
    sl_session *session = NULL;
    sl_status status = sl_kind_load(kind, load, &model);
    status = status == SL_OK ? sl_session_create(load->ctx, model, load->diags, &session) : status;
    if (status == SL_OK) {
        g->engine = sl_model_engine(model);
        g->time_unit = sl_session_time_unit(session);
        g->end = sl_session_end(session);
        g->n_variable = sl_session_n_var(session);
        gather_classes(session, g->rows, &g->n_row);
    }
    sl_session_destroy(session);
    sl_model_destroy(model);
    return status;
}

static void put_general(const general *g, const sl_kind *kind, const sl_load *load, sl_out *out) {
    char text[SL_PLURAL_MAX];
    sl_out_printf(out, "%s (%s)\n\n", load->source->name, sl_size_text(load->source->n, text));
    sl_out_printf(out, "  Kind          %s, engine %s\n", kind->name, g->engine);
    if (isfinite(g->end)) {
        sl_out_printf(out, "  Time          %g %s\n", g->end, g->time_unit);
    } else {
        sl_out_printf(out, "  Time          in %s, without an end of its own\n", g->time_unit);
    }
    sl_out_printf(out, "  Variables     %s\n", sl_plural(g->n_variable, "variable", NULL, text));
    for (int i = 0; i < g->n_row; i++) {
        sl_out_printf(out, "  %s", g->rows[i].name[0] ? g->rows[i].name : "model");
        sl_out_pad(out, 16, 2);
        sl_out_printf(out, "%s", sl_plural(g->rows[i].n_element, "element", NULL, text));
        sl_out_printf(out, " with %s\n", sl_plural(g->rows[i].n_quantity, "quantity", "quantities", text));
    }
    sl_out_printf(out, "\n`sluice vars %s` lists the variables", load->source->name);
    sl_out_printf(out, ", `sluice explain %s` shows what they are\n", load->source->name);
}

static void put_general_json(const general *g, const sl_kind *kind, sl_json *json) {
    sl_json_member_z(json, "kind", kind->name);
    sl_json_member_z(json, "engine", g->engine);
    sl_json_member_z(json, "time_unit", g->time_unit);
    sl_json_member_number(json, "end", g->end);
    sl_json_member_int(json, "variables", g->n_variable);
    sl_json_key(json, "counts");
    sl_json_object(json);
    for (int i = 0; i < g->n_row; i++) {
        sl_json_member_int(json, g->rows[i].name[0] ? g->rows[i].name : "model", g->rows[i].n_element);
    }
    sl_json_end(json);
}

/* The page of a model: by its row, or by a session's variables where the row has none. */
static sl_status put_page(const sl_kind *kind, const sl_load *load, sl_out *out, sl_json *json) {
    general g = {0};
    if (kind->info) {
        return kind->info(load, out, json);
    }
    sl_status status = look_at(kind, load, &g);
    if (status == SL_OK && out) {
        put_general(&g, kind, load, out);
    } else if (status == SL_OK) {
        put_general_json(&g, kind, json);
    }
    return status;
}

/* ---- The command -------------------------------------------------------------------------------- */

static int put_json(sl_cli *cli, const sl_input *input, const sl_kind *kind, const sl_load *load, int code) {
    sl_json json;
    sl_json_init(&json, &cli->out, 2);
    sl_json_object(&json);
    sl_json_member_z(&json, "file", input->name);
    sl_json_member_int(&json, "file_size_bytes", (int64_t)input->n);
    if (code == SL_EXIT_FINE && kind) {
        code = sl_load_exit(cli, put_page(kind, load, NULL, &json));
    }
    sl_json_member_int(&json, "errors", sl_diags_count(input->diags, SL_ERROR));
    sl_json_member_int(&json, "warnings", sl_diags_count(input->diags, SL_WARNING));
    sl_status status = sl_put_diags_member(&cli->out, cli->ctx, input->diags);
    sl_json_end(&json);
    sl_out_char(&cli->out, '\n');
    return status == SL_OK ? code : sl_exit_of(cli, status);
}

static int put_text(sl_cli *cli, const sl_input *input, const sl_kind *kind, const sl_load *load, int code) {
    if (code == SL_EXIT_FINE && kind) {
        code = sl_load_exit(cli, put_page(kind, load, &cli->out, NULL));
    }
    if (code < SL_EXIT_SIGNAL) {
        sl_show_diags(cli, input->diags, &(sl_show_options){.errors_only = true});
    }
    return code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    info_args args = {0};
    const sl_kind *kind = NULL;
    sl_input input;
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
        return code;
    }
    code = sl_input_open(cli, argv[0], &input);
    code = code == SL_EXIT_FINE ? sl_input_recognise(cli, &input, NULL, &kind) : code;
    if (code < SL_EXIT_SIGNAL && input.diags) {
        sl_load load = sl_input_load_def(cli, &input, sl_kind_args_of(kinds, kind, SL_OPTIONS_OF_LOAD));
        code = (args.json ? put_json : put_text)(cli, &input, kind, &load, code);
        code = sl_strict_exit(code, args.strict, input.diags);
    }
    sl_input_close(&input);
    return code;
}

const sl_command sl_cmd_info = {
    .name = "info",
    .summary = "show what a model consists of",
    .usage = "info [OPTIONS] FILE",
    .about =
        "Shows a model on one page. For a network: number of objects of each kind, pipe length, demand, units,\n"
        "options and times. For a surge study: the grid with its reaches and changed wave speeds, and the\n"
        "estimated memory and time. FILE is a model of any kind; - reads standard input. The page is in the units\n"
        "of the file. The JSON object is in SI units; its member names contain the unit (pipe_length_m).",
    .options = SL_OPTION_TABLE(options, info_args, NULL),
    .kind_defaults = SL_OPTIONS_OF_LOAD,
    .operands = {"FILE"},
    .examples = "sluice info town.inp\n"
                "sluice info --json town.inp | jq .counts.pipes",
    .exits = "0  success (warnings included)\n"
             "1  warnings, with --strict\n"
             "2  the file has errors\n"
             "5  the file could not be read",
    .run = run,
};
