/* SPDX-License-Identifier: MIT */
/* cmd_compare.c: `sluice compare`, are two result files the same within tolerances? */
#include <math.h>
#include <stddef.h>

#include "base/number.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/result.h"

enum { EXIT_DIFFERENT = 1 };

typedef struct compare_args {
    bool json, quiet;
    sl_compare_def def;
} compare_args;

#define TOLERANCE(option, member, text)                                                                         \
    {                                                                                                           \
        .name = (option), .kind = SL_OPTION_NUMBER, .offset = offsetof(compare_args, def.member), .value = "X", \
        .help = (text)                                                                                          \
    }

static const sl_option options[] = {
    SL_OPTION_ROW_JSON(compare_args, "one JSON object on standard output instead of the table"),
    {.name = "quiet",
     .letter = 'q',
     .offset = offsetof(compare_args, quiet),
     .help = "no table: the closing line only"},
    TOLERANCE("head-abs", head_abs, "heads and pressures: allowed difference in the file's unit (0.001) ..."),
    TOLERANCE("head-rel", head_rel, "... plus this part of the range of all values (0.0001)"),
    TOLERANCE("flow-abs", flow_abs, "flows and demands: allowed difference in the file's unit (0) ..."),
    TOLERANCE("flow-rel", flow_rel, "... plus this part of the largest (0.001)"),
    TOLERANCE("quality-abs", quality_abs, "qualities: allowed difference in the file's unit (0.001) ..."),
    TOLERANCE("quality-rel", quality_rel, "... plus this part of the range (0.001)"),
    TOLERANCE("other-rel", other_rel, "settings and energies: this part of the largest (0.001)"),
};

static const char *const variable_words[SL_OUT_VARIABLE_COUNT] = {
    [SL_OUT_DEMAND] = "demand",     [SL_OUT_HEAD] = "head",         [SL_OUT_PRESSURE] = "pressure",
    [SL_OUT_QUALITY] = "quality",   [SL_OUT_FLOW] = "flow",         [SL_OUT_VELOCITY] = "velocity",
    [SL_OUT_HEADLOSS] = "headloss", [SL_OUT_STATUS] = "status",     [SL_OUT_LINK_QUALITY] = "link quality",
    [SL_OUT_SETTING] = "setting",   [SL_OUT_REACTION] = "reaction", [SL_OUT_FRICTION] = "friction",
};
static const char *const energy_words[] = {"utilization", "efficiency",   "kWh per volume", "average kW",
                                           "peak kW",     "cost per day", "demand charge"};
static const char *const status_words[] = {"closed (head)", "closed (temporarily)", "closed",     "open",
                                           "active",        "open (flow)",          "open (FCV)", "open (pressure)"};

/* ---- Text --------------------------------------------------------------------------------------- */

static void put_number(sl_out *out, double x, int digits) {
    char text[SL_NUMBER_MAX] = "not a number";
    if (isfinite(x)) {
        sl_number_format_digits(x, digits, text);
    }
    sl_out_z(out, text);
}

static void put_column(sl_out *out, double x, size_t end) {
    char text[SL_NUMBER_MAX] = "infinite";
    size_t n = isfinite(x) ? sl_number_format_digits(x, 3, text) : 8;
    sl_out_pad(out, end - n, 1);
    sl_out_z(out, text);
}

static const char *status_word(double code) {
    return code >= 0.0 && code <= SL_STATUS_XPRESSURE ? status_words[(int)code] : "unknown";
}

static void put_where(sl_out *out, sl_outfile *a, int v, const sl_compare_row *row) {
    char time[64];
    sl_time_format(sl_outfile_time(a, row->period), time, sizeof time);
    sl_out_printf(out, "%s %s", v < SL_OUT_FLOW ? "node" : "link",
                  v < SL_OUT_FLOW ? sl_outfile_node_id(a, row->element) : sl_outfile_link_id(a, row->element));
    if (sl_outfile_get_info(a)->statistic == SL_STAT_SERIES) {
        sl_out_printf(out, " at %s", time);
    }
    if (v == SL_OUT_STATUS) {
        sl_out_printf(out, ": %s, %s", status_word(row->a), status_word(row->b));
    } else {
        sl_out_z(out, ": ");
        put_number(out, row->a, 7);
        sl_out_z(out, ", ");
        put_number(out, row->b, 7);
    }
}

/* What is not judged stands in brackets. */
static void put_row(sl_out *out, const char *word, const sl_compare_row *row) {
    sl_out_printf(out, row->decisive ? "%s" : "(%s)", word);
    put_column(out, row->worst, 26);
    put_column(out, row->tolerance, 37);
    sl_out_printf(out, "%10lld of %lld", (long long)row->n_over, (long long)row->n);
    if (row->period >= 0) {
        sl_out_pad(out, 60, 2);
    }
}

static void put_energy_where(sl_out *out, sl_outfile *a, const sl_compare_row *row) {
    if (row->element >= 0) {
        sl_out_printf(out, "pump %s, ", sl_outfile_link_id(a, row->element));
    }
    sl_out_printf(out, "%s: ", energy_words[row->period]);
    put_number(out, row->a, 7);
    sl_out_z(out, ", ");
    put_number(out, row->b, 7);
}

static void put_table(sl_out *out, sl_outfile *a, const sl_compare_result *r) {
    sl_out_printf(out, "variable%18s%11s%10s", "worst", "allowed", "over");
    sl_out_pad(out, 60, 2);
    sl_out_z(out, "where: first, second\n");
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        const sl_compare_row *row = &r->row[v];
        if (row->n > 0 && (row->worst > 0.0 || row->scale > 0.0 || v == SL_OUT_STATUS)) {
            put_row(out, variable_words[v], row);
            if (row->element >= 0) {
                put_where(out, a, v, row);
            }
            sl_out_char(out, '\n');
        }
    }
    if (sl_outfile_get_info(a)->n_pump > 0) {
        put_row(out, "energy", &r->energy);
        if (r->energy.period >= 0) {
            put_energy_where(out, a, &r->energy);
        }
        sl_out_char(out, '\n');
    }
}

static void put_verdict(sl_out *out, sl_outfile *a, const sl_compare_result *r) {
    const sl_outfile_info *f = sl_outfile_get_info(a);
    char nodes[SL_PLURAL_MAX], links[SL_PLURAL_MAX], periods[SL_PLURAL_MAX], cut[SL_PLURAL_MAX];
    sl_out_printf(out, "%s: %s, %s, %s compared", r->same ? "the same within tolerance" : "different",
                  sl_plural(f->n_node, "node", NULL, nodes), sl_plural(f->n_link, "link", NULL, links),
                  sl_plural(r->n_period, "period", NULL, periods));
    if (r->n_isolated > 0) {
        sl_out_printf(out, "; without %s of nodes that closed links cut off",
                      sl_plural(r->n_isolated, "head", NULL, cut));
    }
    sl_out_char(out, '\n');
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void json_number(sl_json *json, const char *key, double x) {
    sl_json_key(json, key);
    sl_json_number(json, x);
}

/* id and time, or the column of the energy table. */
static void json_where(sl_json *json, sl_outfile *a, int v, const sl_compare_row *row) {
    if (row->period < 0) {
        return;
    }
    if (row->element >= 0) {
        sl_json_key(json, "id");
        sl_json_z(json, v < SL_OUT_FLOW ? sl_outfile_node_id(a, row->element) : sl_outfile_link_id(a, row->element));
    }
    if (v < SL_OUT_VARIABLE_COUNT) {
        json_number(json, "time", sl_outfile_time(a, row->period));
    } else {
        sl_json_key(json, "column");
        sl_json_z(json, energy_words[row->period]);
    }
    json_number(json, "first", row->a);
    json_number(json, "second", row->b);
}

static void put_json(sl_cli *cli, sl_outfile *a, const sl_compare_result *r) {
    sl_json json;
    sl_json_init(&json, &cli->out, 2);
    sl_json_object(&json);
    sl_json_key(&json, "same");
    sl_json_bool(&json, r->same);
    sl_json_key(&json, "periods");
    sl_json_int(&json, r->n_period);
    sl_json_key(&json, "isolated");
    sl_json_int(&json, r->n_isolated);
    sl_json_key(&json, "variables");
    sl_json_array(&json);
    for (int v = 0; v <= SL_OUT_VARIABLE_COUNT; v++) {
        const sl_compare_row *row = v < SL_OUT_VARIABLE_COUNT ? &r->row[v] : &r->energy;
        sl_json_object(&json);
        sl_json_inline(&json);
        sl_json_key(&json, "variable");
        sl_json_z(&json, v < SL_OUT_VARIABLE_COUNT ? variable_words[v] : "energy");
        json_number(&json, "worst", row->worst);
        json_number(&json, "tolerance", row->tolerance);
        json_number(&json, "scale", row->scale);
        sl_json_key(&json, "over");
        sl_json_int(&json, row->n_over);
        sl_json_key(&json, "compared");
        sl_json_int(&json, row->n);
        sl_json_key(&json, "judged");
        sl_json_bool(&json, row->decisive);
        json_where(&json, a, v, row);
        sl_json_end(&json);
    }
    sl_json_end(&json);
    sl_json_end(&json);
    sl_out_char(&cli->out, '\n');
}

/* ---- The command -------------------------------------------------------------------------------- */

static void show_problems(sl_cli *cli, const sl_result file[2]) {
    for (int i = 0; i < 2; i++) {
        if (file[i].error) {
            sl_cli_message(cli, "%s: reading failed: %s", file[i].name, sl_file_reason(file[i].error));
        }
        if (file[i].diags) {
            sl_show_diags(cli, file[i].diags, &(sl_show_options){.to_stderr = true});
        }
    }
}

static int compare(sl_cli *cli, const compare_args *args, sl_result file[2]) {
    sl_compare_result result = {.size = sizeof result};
    sl_outfile *a = file[0].file;
    sl_status status = sl_compare(cli->ctx, a, file[1].file, &args->def, file[0].diags, &result);
    show_problems(cli, file);
    if (status != SL_OK) {
        return sl_exit_of(cli, status);
    }
    if (args->json) {
        put_json(cli, a, &result);
    } else {
        if (!args->quiet) {
            put_table(&cli->out, a, &result);
        }
        put_verdict(&cli->out, a, &result);
    }
    return result.same ? SL_EXIT_FINE : EXIT_DIFFERENT;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv) {
    compare_args args = {.def = sl_compare_default()};
    int code;
    if (sl_args_parse(cli, command, argc, argv, &args, &code) < 0) {
        return code;
    }
    sl_result file[2];
    code = SL_EXIT_FINE;
    for (int i = 0; i < 2; i++) { /* both, so that both are told to be bad */
        int one = sl_result_open(cli, argv[i], &file[i]);
        code = one > code ? one : code;
    }
    if (code == SL_EXIT_FINE) {
        code = compare(cli, &args, file);
    } else {
        show_problems(cli, file);
    }
    sl_result_close(&file[0]);
    sl_result_close(&file[1]);
    return code;
}

const sl_command sl_cmd_compare = {
    .name = "compare",
    .summary = "tell whether two result files are the same",
    .usage = "compare [OPTIONS] FIRST.out SECOND.out",
    .about =
        "Compares two result files (EPANET's binary .out, written by any program) element by element, matched by\n"
        "id, and period by period, matched by time. A row per variable tells the largest difference, how much is\n"
        "allowed, how many values are over, and where the largest is. Tolerances are an absolute part plus a part\n"
        "of the values in FIRST. Rows in brackets are for information: they follow from the others. Nodes that\n"
        "closed links cut off from every tank and reservoir have no meaningful head and are left out.",
    .options = options,
    .n_option = sizeof options / sizeof *options,
    .operands = {"FIRST.out", "SECOND.out"},
    .examples = "sluice compare reference.out town.out                  did anything change?\n"
                "sluice compare --flow-rel 1e-5 reference.out town.out  a closer look at the flows\n"
                "sluice compare -q old.out new.out && echo same         in a script",
    .exits = "0  the same within the tolerances\n"
             "1  different\n"
             "2  not comparable, or not a result file\n"
             "5  a file could not be read",
    .run = run,
};
