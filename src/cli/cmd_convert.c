/* SPDX-License-Identifier: MIT */
/* cmd_convert.c: `sluice convert`, a model in another form or other units, or a result in another format.
 *
 * What IN is its first bytes decide, not its name. From .inp to .inp the text itself is rewritten (lines that need no change stay byte for byte), unless a clean
 * file is asked for; everything else goes through the model. OUT is touched only when all went well.
 */
#include <assert.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "base/count_text.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/result.h"
#include "network/words.h"
#include "results/format.h"
#include "results/results_args.h"

typedef enum format {
    FORMAT_INP = 0,
    FORMAT_JSON,
    FORMAT_GEOJSON,
    FORMAT_CSV,
    FORMAT_H5,
    FORMAT_YAML,
    FORMAT_GPKG,
    FORMAT_NONE = -1
} format;

static const char *const formats[] = {"inp", "json", "geojson", "csv", "h5", "yaml", "gpkg", NULL};
typedef struct convert_args {
    int unit, to;
    sl_results_args select;
    bool clean, json, strict;
} convert_args;

static const sl_option options[] = {
    {SL_OPTION_ROW("units", 'u', WORD, convert_args, unit, "UNIT",
                   "convert to this flow unit and the units that belong to it: CFS, GPM,\n"
                   "MGD, IMGD, AFD (feet), LPS, LPM, MLD, CMH, CMD or CMS (metres)"),
     .words = sl_flow_words},
    {SL_OPTION_ROW("clean", 'c', FLAG, convert_args, clean, NULL,
                   "write the sections in EPANET's order with aligned columns, in place of\n"
                   "keeping unchanged lines")},
    {SL_OPTION_ROW("to", 't', WORD, convert_args, to, "FORMAT",
                   "output format, in place of the ending of OUT: inp, json, geojson, yaml,\n"
                   "csv, h5 or gpkg"),
     .words = formats},
    SL_RESULTS_OPTION_ROWS(convert_args),
    SL_OPTION_ROW_JSON(convert_args,
                       "print problems as JSON lines on standard output (on standard error when\nOUT is -)"),
    SL_OPTION_ROW_STRICT(convert_args),
};

static format format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && !strchr(dot, '/') && formats[i]; i++) {
        if (strcasecmp(dot + 1, formats[i]) == 0) {
            return (format)i;
        }
    }
    return dot && strcasecmp(dot, ".yml") == 0 ? FORMAT_YAML : FORMAT_NONE;
}

/* ---- Models ------------------------------------------------------------------------------------- */

typedef struct job {
    const convert_args *args;
    sl_input *input;
    const sl_kind *kind; /* NULL: it is no model */
} job;

static sl_status write_clean(sl_cli *cli, const job *j, const sl_sink *sink) {
    if (j->args->unit < 0) {
        return sl_inp_write(cli->ctx, j->input->net, sink);
    }
    sl_network *other = NULL;
    sl_status status =
        sl_network_with_units(cli->ctx, j->input->net, (sl_flow_unit)j->args->unit, j->input->diags, &other);
    if (status == SL_OK) {
        status = sl_inp_write(cli->ctx, other, sink);
    }
    sl_network_destroy(other);
    return status;
}

static sl_status rewrite_text(sl_cli *cli, const job *j, const sl_sink *sink) {
    sl_inp_convert_def def = sl_inp_convert_default();
    def.name = j->input->name;
    def.change_units = j->args->unit >= 0;
    def.flow_unit = j->args->unit >= 0 ? (sl_flow_unit)j->args->unit : SL_GPM;
    return sl_inp_convert(cli->ctx, j->input->bytes.at, j->input->n, &def, j->input->diags, sink);
}

static sl_status write_model(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch) {
    (void)patch;
    const job *j = user;
    if (j->kind->write) {
        const sl_load load = sl_input_load_def(cli, j->input, NULL);
        return j->kind->write(&load, sink);
    }
    switch ((format)j->args->to) {
    case FORMAT_JSON: return sl_network_write_json(j->input->net, sink);
    case FORMAT_GEOJSON: return sl_network_write_geojson(j->input->net, j->input->diags, sink);
    default: return j->args->clean ? write_clean(cli, j, sink) : rewrite_text(cli, j, sink);
    }
}

/* Which form OUT is to have. Returns an exit code. */
static int settle_form(sl_cli *cli, const sl_command *command, const char *path, bool results, convert_args *args) {
    if (args->to < 0 && strcmp(path, "-") == 0) {
        return sl_args_wrong(cli, command, "say in which form standard output is wanted: --to %s",
                             results ? "csv, json, h5, geojson or gpkg"
                                     : "inp, json or geojson (of an automaton yaml)");
    }
    if (args->to < 0) {
        args->to = format_of(path);
    }
    if (args->to < 0) {
        return sl_args_wrong(cli, command, "%s does not end in %s: rename it or say --to FORMAT", path,
                             results ? ".csv, .json, .h5, .geojson or .gpkg"
                                     : ".inp, .json or .geojson (of an automaton .yaml)");
    }
    return SL_EXIT_FINE;
}

static bool is_of_results(int to) {
    return to == FORMAT_CSV || to == FORMAT_H5 || to == FORMAT_GPKG;
}

/* Whether the options fit a model, in a form that models have. Returns an exit code. */
static int settle(sl_cli *cli, const sl_command *command, const convert_args *args) {
    if (is_of_results(args->to)) {
        return SL_EXIT_FINE; /* whether IN is a model is not known yet */
    }
    sl_results_select none;
    sl_results_target form = sl_results_target_default();
    char why[1024];
    if (!sl_results_args_read(&args->select, &(sl_results_fits){0}, &none, &form, why, sizeof why)) {
        return sl_args_wrong(cli, command, "%s", why);
    }
    if (args->to != FORMAT_INP && (args->unit >= 0 || args->clean)) {
        return sl_args_wrong(cli, command, "--%s is for .inp files; others are always in SI units and clean",
                             args->unit >= 0 ? "units" : "clean");
    }
    return SL_EXIT_FINE;
}

/* Can a model of this kind have the form? Returns an exit code. */
static int check_form(sl_cli *cli, const sl_command *command, const job *j) {
    const char *const *forms = j->kind->forms;
    if (is_of_results(j->args->to)) {
        const char *in = j->input->path, *form = formats[j->args->to];
        return sl_args_wrong(cli, command, "%s is a model, and .%s is for results: sluice run %s -o FILE.%s", in, form,
                             in, form);
    }
    if (!forms) {
        return sl_args_wrong(cli, command,
                             "%s is %s, which has no other form: `sluice run %s -o FILE.csv` writes its results",
                             j->input->name, j->kind->noun, j->input->name);
    }
    char list[128] = "";
    for (int i = 0; forms[i]; i++) {
        if (strcmp(forms[i], formats[j->args->to]) == 0) {
            return SL_EXIT_FINE;
        }
        sl_append(list, sizeof list, "%s.%s", i == 0 ? "" : forms[i + 1] ? ", " : " or ", forms[i]);
    }
    return sl_args_wrong(cli, command, "%s is %s, which is written as %s, not as .%s", j->input->name, j->kind->noun,
                         list, formats[j->args->to]);
}

/* Reads IN as far as the form needs it: a text that is rewritten reads and validates itself, and so does a kind that writes. */
static int read_model(sl_cli *cli, const sl_command *command, job *j) {
    int code = sl_input_recognise(cli, j->input, NULL, &j->kind);
    code = code == SL_EXIT_FINE ? check_form(cli, command, j) : code;
    bool rewrites = (j->kind && j->kind->write) || (j->args->to == FORMAT_INP && !j->args->clean);
    return code == SL_EXIT_FINE && !rewrites ? sl_input_read(cli, j->input, false) : code;
}

static int show_problems(sl_cli *cli, const convert_args *args, const char *out, const sl_diags *diags, int code) {
    if (code < SL_EXIT_SIGNAL && diags) {
        sl_show_diags(cli, diags, &(sl_show_options){.json = args->json, .to_stderr = strcmp(out, "-") == 0});
        return sl_strict_exit(code, args->strict, diags);
    }
    return code;
}

static int convert_model(sl_cli *cli, const sl_command *command, const convert_args *args, const char *in,
                         const char *out) {
    sl_input input;
    job j = {.args = args, .input = &input};
    int code = sl_input_open(cli, in, &input);
    code = code == SL_EXIT_FINE ? read_model(cli, command, &j) : code;
    code = code == SL_EXIT_FINE ? sl_output_make(cli, out, write_model, &j) : code;
    code = show_problems(cli, args, out, input.diags, code);
    sl_input_close(&input);
    return code;
}

/* ---- Results ------------------------------------------------------------------------------------ */

typedef struct results_job {
    sl_result *result;
    const sl_results_select *select;
    sl_results_target target;
} results_job;

static sl_status write_results(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch) {
    results_job *j = user;
    j->target.patch = patch;
    j->target.sink = sink;
    sl_status status = sl_results_write(cli->ctx, j->result->results, j->select, &j->target, j->result->diags);
    sl_result_report(j->result);
    return status;
}

static int convert_results(sl_cli *cli, const sl_command *command, const convert_args *args, const char *in,
                           const char *out) {
    assert(args->to >= 0 && "settled before");
    bool fits = args->to != FORMAT_INP && args->to != FORMAT_YAML;
    if (!fits) {
        return sl_args_wrong(cli, command, "%s has results, which become .csv, .json, .h5, .geojson or .gpkg, not .%s",
                             in, formats[args->to]);
    }
    if (args->unit >= 0 || args->clean) {
        return sl_args_wrong(cli, command, "--%s is for models: results stay as they are",
                             args->unit >= 0 ? "units" : "clean");
    }
    sl_results_select select;
    sl_result result;
    results_job j = {.result = &result, .select = &select, .target = sl_results_target_default()};
    j.target.format = formats[args->to];
    char why[1024];
    const sl_results_fits form = {.results = true, .csv = args->to == FORMAT_CSV, .h5 = args->to == FORMAT_H5};
    if (!sl_results_args_read(&args->select, &form, &select, &j.target, why, sizeof why)) {
        return sl_args_wrong(cli, command, "%s", why);
    }
    int code = sl_result_open(cli, in, &result);
    bool steps = code == SL_EXIT_FINE && strcmp(sl_results_get_layout(result.results)->time_unit, "steps") == 0;
    if (code == SL_EXIT_FINE && !sl_results_args_fit_time(&args->select, steps, why, sizeof why)) {
        code = sl_args_wrong(cli, command, "%s", why);
    }
    code = code == SL_EXIT_FINE ? sl_output_make(cli, out, write_results, &j) : code;
    code = show_problems(cli, args, out, result.diags, code);
    sl_result_close(&result);
    return code;
}

/* ---- The command -------------------------------------------------------------------------------- */

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    convert_args args = {.unit = -1, .to = FORMAT_NONE, .select = {.csv = -1}};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
        return code;
    }
    bool results = sl_result_is(cli, argv[0]);
    code = settle_form(cli, command, argv[1], results, &args);
    if (code == SL_EXIT_FINE && results) {
        return convert_results(cli, command, &args, argv[0], argv[1]);
    }
    code = code == SL_EXIT_FINE ? settle(cli, command, &args) : code;
    return code == SL_EXIT_FINE ? convert_model(cli, command, &args, argv[0], argv[1]) : code;
}

const sl_command sl_cmd_convert = {
    .name = "convert",
    .summary = "convert a model to other units or formats, or results to other formats",
    .usage = "convert [OPTIONS] IN OUT",
    .about = "Reads the .inp file IN and writes OUT in the format that its name ends in: .inp, .json or .geojson.\n"
             "From .inp to .inp, lines that need no change are kept with their comments. IN and OUT may be the same\n"
             "file; - means standard input or output. OUT appears only when it is complete.\n"
             "\n"
             "An automaton is written as .yaml, with its formulas as plain text.\n"
             "\n"
             "Results of any engine (.csv, .json, .h5, or .out of Sluice or EPANET) are written as .csv, .json or .h5\n"
             "(HDF5, which netCDF-4 programs read too), in the units of IN. Options select part of them;\n"
             "`--csv events` writes the events.",
    .options = SL_OPTION_TABLE(options, convert_args, NULL),
    .operands = {"IN", "OUT"},
    .examples = "sluice convert town.inp town-si.inp --units LPS   convert to L/s, metres, millimetres\n"
                "sluice convert town.inp town.geojson              write a map layer\n"
                "sluice convert --clean town.inp town.inp          reformat a file in place\n"
                "sluice convert town.out town.csv --node J1,J2     extract the results of two nodes\n"
                "sluice convert surge.h5 events.csv --csv events   extract the events, one per row",
    .exits = "0  success (warnings included)\n"
             "1  warnings, with --strict; OUT was written\n"
             "2  IN has errors, or lacks a selected element; OUT was not changed\n"
             "4  wrong use of the command line\n"
             "5  IN could not be read, or OUT not written",
    .run = run,
};
