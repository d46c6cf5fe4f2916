/* cmd_convert.c: `sluice convert`, a model in another form or other units.
 *
 * From .inp to .inp the text itself is rewritten (lines that need no change stay byte for byte), unless a clean
 * file is asked for; everything else goes through the network. OUT is touched only when all went well.
 */
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"

typedef enum format { FORMAT_INP = 0, FORMAT_JSON, FORMAT_GEOJSON, FORMAT_NONE = -1 } format;

static const char *const formats[] = {"inp", "json", "geojson", NULL};
static const char *const units[] = {"CFS", "GPM", "MGD", "IMGD", "AFD", "LPS", "LPM", "MLD", "CMH", "CMD", "CMS", NULL};
_Static_assert(sizeof units / sizeof *units == SL_FLOW_UNIT_COUNT + 1, "one word for each flow unit, in its order");

typedef struct convert_args {
    int unit, to;
    bool clean, json, strict;
} convert_args;

static const sl_option options[] = {
    {.name = "units",
     .letter = 'u',
     .kind = SL_OPTION_WORD,
     .offset = offsetof(convert_args, unit),
     .value = "UNIT",
     .help = "change the flow unit, and all units that go with it, to CFS, GPM,\n"
             "MGD, IMGD, AFD (feet), LPS, LPM, MLD, CMH, CMD or CMS (metres)",
     .words = units},
    {.name = "clean",
     .letter = 'c',
     .offset = offsetof(convert_args, clean),
     .help = "write a new file in EPANET's order with aligned columns,\n"
             "instead of keeping the lines as they are"},
    {.name = "to",
     .letter = 't',
     .kind = SL_OPTION_WORD,
     .offset = offsetof(convert_args, to),
     .value = "FORMAT",
     .help = "inp, json or geojson, instead of what OUT ends in",
     .words = formats},
    SL_OPTION_ROW_JSON(convert_args, "problems as JSON lines on standard output\n(on standard error when OUT is -)"),
    SL_OPTION_ROW_STRICT(convert_args),
};

static format format_of(const char *path) {
    const char *dot = strrchr(path, '.');
    for (int i = 0; dot && !strchr(dot, '/') && formats[i]; i++) {
        if (strcasecmp(dot + 1, formats[i]) == 0) {
            return (format)i;
        }
    }
    return FORMAT_NONE;
}

typedef struct job {
    const convert_args *args;
    const sl_input *input;
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
    return sl_inp_convert(cli->ctx, j->input->bytes, j->input->n, &def, j->input->diags, sink);
}

static sl_status write_model(sl_cli *cli, void *user, const sl_sink *sink) {
    const job *j = user;
    switch ((format)j->args->to) {
    case FORMAT_JSON: return sl_network_write_json(j->input->net, sink);
    case FORMAT_GEOJSON: return sl_network_write_geojson(j->input->net, j->input->diags, sink);
    default: return j->args->clean ? write_clean(cli, j, sink) : rewrite_text(cli, j, sink);
    }
}

/* Which form OUT is to have, and whether the options fit it. Returns an exit code. */
static int settle(sl_cli *cli, const sl_command *command, const char *path, convert_args *args) {
    if (args->to < 0 && strcmp(path, "-") == 0) {
        return sl_args_wrong(cli, command, "say in which form standard output is wanted: --to inp, json or geojson");
    }
    if (args->to < 0) {
        args->to = format_of(path);
    }
    if (args->to < 0) {
        return sl_args_wrong(cli, command, "%s does not end in .inp, .json or .geojson: rename it or say --to FORMAT",
                             path);
    }
    if (args->to != FORMAT_INP && (args->unit >= 0 || args->clean)) {
        return sl_args_wrong(cli, command, "--%s is for .inp files; %s is always in SI units and clean",
                             args->unit >= 0 ? "units" : "clean", args->to == FORMAT_JSON ? "JSON" : "GeoJSON");
    }
    return SL_EXIT_FINE;
}

static int convert(sl_cli *cli, const convert_args *args, const char *in, const char *out) {
    sl_input input;
    int code = sl_input_open(cli, in, &input);
    bool rewrite = args->to == FORMAT_INP && !args->clean; /* reads and validates the text itself */
    if (code == SL_EXIT_FINE && !rewrite) {
        code = sl_input_read(cli, &input, false);
    }
    if (code == SL_EXIT_FINE) {
        job j = {.args = args, .input = &input};
        code = sl_output_make(cli, out, write_model, &j);
    }
    if (code < SL_EXIT_SIGNAL && input.diags) {
        sl_show_diags(cli, input.diags, &(sl_show){.json = args->json, .to_stderr = strcmp(out, "-") == 0});
        if (code == SL_EXIT_FINE && args->strict && sl_diags_count(input.diags, SL_WARNING) > 0) {
            code = SL_EXIT_WARNINGS;
        }
    }
    sl_input_close(&input);
    return code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    convert_args args = {.unit = -1, .to = FORMAT_NONE};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, &code) < 0) {
        return code;
    }
    code = settle(cli, command, argv[1], &args);
    return code == SL_EXIT_FINE ? convert(cli, &args, argv[0], argv[1]) : code;
}

const sl_command sl_cmd_convert = {
    .name = "convert",
    .summary = "write a model in other units or another format",
    .usage = "convert [OPTIONS] IN OUT",
    .about = "Reads the .inp file IN and writes OUT in the format that its name ends in: .inp, .json or .geojson.\n"
             "From .inp to .inp every line that needs no change is kept as it is, with its comments. IN and OUT may\n"
             "be the same file, or - for standard input and output. OUT appears only when it is complete.",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .operands = {"IN", "OUT"},
    .examples = "sluice convert town.inp town-si.inp --units LPS   to litres per second, metres, millimetres\n"
                "sluice convert town.inp town.geojson              for a map\n"
                "sluice convert --clean town.inp town.inp          tidy up in place",
    .exits = "0  fine (warnings included)\n"
             "1  warnings, with --strict; OUT was written\n"
             "2  IN has errors; OUT was not touched\n"
             "4  wrong use\n"
             "5  IN could not be read or OUT not written",
    .run = run,
};
