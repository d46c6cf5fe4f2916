/* SPDX-License-Identifier: MIT */
/* cmd_verify.c: `sluice verify`, an independent check of a result file against its model. Text is in the file's units,
 * JSON in SI. */
#include <stddef.h>

#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/result.h"
#include "network/epanet_units.h"

typedef struct verify_args {
    bool json, quiet;
    sl_verify_def def;
} verify_args;

typedef enum measure { MEASURE_HEAD, MEASURE_FLOW, MEASURE_COUNT, MEASURE_QUALITY, MEASURE_SHARE } measure;

/* What a row of the result is about. */
static const struct {
    const char *key, *title;
    measure measure;
    bool links;
} checks[SL_VERIFY_CHECK_COUNT] = {
    [SL_VERIFY_HEADLOSS] = {"headloss", "head loss of open links", MEASURE_HEAD, true},
    [SL_VERIFY_MASS] = {"mass", "balance of nodes", MEASURE_FLOW, false},
    [SL_VERIFY_CLOSED] = {"closed", "flow of closed links", MEASURE_FLOW, true},
    [SL_VERIFY_STATUS] = {"status", "statuses and settings", MEASURE_COUNT, true},
    [SL_VERIFY_TANK] = {"tank", "levels of tanks", MEASURE_HEAD, false},
    [SL_VERIFY_DEMAND] = {"demand", "demands", MEASURE_FLOW, false},
    [SL_VERIFY_FIXED] = {"fixed", "heads of reservoirs", MEASURE_HEAD, false},
    [SL_VERIFY_QUALITY] = {"quality", "qualities of nodes", MEASURE_QUALITY, false},
    [SL_VERIFY_LINK_QUALITY] = {"link_quality", "qualities of links", MEASURE_QUALITY, true},
    [SL_VERIFY_LEDGER] = {"ledger", "balance of mass", MEASURE_SHARE, false},
};

typedef struct page {
    sl_cli *cli;
    const sl_network *net;
    const sl_result *result;
    const sl_outfile_info *info;
    const sl_verify_result *verdict;
    const char *model_name;
} page;

static const char *element_id(const page *p, int check) {
    int32_t i = p->verdict->row[check].element;
    return i < 0 ? NULL : checks[check].links ? sl_network_link_id(p->net, i) : sl_network_node_id(p->net, i);
}

/* ---- Text --------------------------------------------------------------------------------------- */

static void put_row(const page *p, int check, double flow_unit, double length_unit) {
    sl_out *out = &p->cli->out;
    const sl_verify_row *row = &p->verdict->row[check];
    bool metric = sl_flow_unit_is_metric(p->info->flow_unit);
    if (row->n == 0 && checks[check].measure >= MEASURE_QUALITY) {
        return; /* without quality */
    }
    sl_out_printf(out, "\n  %s", checks[check].title);
    sl_out_pad(out, 28, 2);
    sl_out_printf(out, "%11lld %9lld", (long long)row->n, (long long)row->n_bad);
    if (row->n == 0) {
        return;
    }
    if (checks[check].measure == MEASURE_HEAD) {
        sl_out_printf(out, "  %10.3g %-4s", row->worst / length_unit, metric ? "m" : "ft");
    } else if (checks[check].measure == MEASURE_FLOW) {
        sl_out_printf(out, "  %10.3g %-4s", row->worst / flow_unit, sl_flow_unit_word(p->info->flow_unit));
    } else if (checks[check].measure == MEASURE_QUALITY) {
        static const char *const units[] = {"", NULL, "h", "%"}; /* a chemical's is its own */
        const char *unit = units[p->info->quality];
        sl_out_printf(out, "  %10.3g %-4s", row->worst, unit ? unit : p->info->chemical_unit);
    } else if (checks[check].measure == MEASURE_SHARE) {
        sl_out_printf(out, "  %10.3g %-4s", 100.0 * row->worst, "%");
    } else {
        sl_out_pad(out, 67, 2);
    }
    char time[64];
    sl_time_format(sl_outfile_time(p->result->file, row->period), time, sizeof time);
    if (row->element < 0) {
        sl_out_printf(out, " %9.3g  all of it, %.3g %% of which the file leaves open", row->worst_excess,
                      100.0 * p->verdict->ledger.bracket / p->verdict->ledger.handled);
        return;
    }
    sl_out_printf(out, " %9.3g  %s at %s", row->worst_excess, element_id(p, check), time);
}

static void write_text(const page *p) {
    sl_out *out = &p->cli->out;
    double factor[SL_Q_COUNT];
    sl_unit_system units = sl_network_units(&p->net->hydraulics, &p->net->quality);
    units.flow = p->info->flow_unit;
    sl_epanet_factors(&units, factor);
    char periods[SL_PLURAL_MAX];
    sl_out_printf(out, "%s against %s: %s\n\n", p->result->name, p->model_name,
                  sl_plural(p->verdict->n_period, "period", NULL, periods));
    sl_out_z(out, "  check                         looked at  violated      worst       of allowed  where");
    for (int i = 0; i < SL_VERIFY_CHECK_COUNT; i++) {
        put_row(p, i, factor[SL_Q_FLOW], factor[SL_Q_LENGTH]);
    }
    sl_out_z(out, "\n\n");
    if (p->verdict->n_isolated > 0) {
        char moments[SL_PLURAL_MAX];
        sl_out_printf(out, "Cut off from every source and not checked for head and demand: %s.\n",
                      sl_plural(p->verdict->n_isolated, "node and period", "pairs of node and period", moments));
    }
    sl_out_z(out, p->verdict->consistent ? "Consistent: every check is within tolerance.\n" : "NOT consistent.\n");
}

/* ---- JSON --------------------------------------------------------------------------------------- */

static void json_row(sl_json *json, const page *p, int check) {
    const sl_verify_row *row = &p->verdict->row[check];
    sl_json_object(json);
    sl_json_inline(json);
    sl_json_member_z(json, "check", checks[check].key);
    sl_json_member_int(json, "n", row->n);
    sl_json_member_int(json, "violated", row->n_bad);
    if (row->n > 0) {
        static const char *const keys[] = {"worst_m", "worst_m3_per_s", "broken", "worst", "worst_share"};
        sl_json_member_number(json, keys[checks[check].measure], row->worst);
        sl_json_member_number(json, "of_allowed", row->worst_excess);
        if (row->element >= 0) {
            sl_json_member_z(json, checks[check].links ? "link" : "node", element_id(p, check));
            sl_json_member_number(json, "time_s", sl_outfile_time(p->result->file, row->period));
        }
    }
    sl_json_end(json);
}

static void write_json(const page *p, const sl_verify_def *def) {
    sl_json json;
    sl_json_init(&json, &p->cli->out, 2);
    sl_json_object(&json);
    sl_json_member_z(&json, "model", p->model_name);
    sl_json_member_z(&json, "result", p->result->name);
    sl_json_member_bool(&json, "consistent", p->verdict->consistent);
    sl_json_member_int(&json, "periods", p->verdict->n_period);
    sl_json_member_int(&json, "isolated", p->verdict->n_isolated);
    sl_json_member_number(&json, "head_abs_m", def->head_abs);
    sl_json_member_number(&json, "mass_rel", def->mass_rel);
    sl_json_key(&json, "checks");
    sl_json_array(&json);
    for (int i = 0; i < SL_VERIFY_CHECK_COUNT; i++) {
        json_row(&json, p, i);
    }
    sl_json_end(&json);
    sl_json_end(&json);
    sl_out_char(&p->cli->out, '\n');
}

/* ---- The command -------------------------------------------------------------------------------- */

static const sl_option options[] = {
    {SL_OPTION_ROW("head-abs", 0, NUMBER, verify_args, def.head_abs, "M",
                   "allowed error of a head loss beyond rounding [m], default 0.001")},
    {SL_OPTION_ROW("mass-rel", 0, NUMBER, verify_args, def.mass_rel, "R",
                   "allowed imbalance of a node beyond rounding, as a fraction of the total\ninflow, default 1e-6")},
    SL_OPTION_ROW_JSON(verify_args, "print one JSON object, in SI units"),
    {SL_OPTION_ROW("quiet", 'q', FLAG, verify_args, quiet, NULL, "print nothing; only the exit code counts")},
};

static int judge(sl_cli *cli, const verify_args *args, const sl_input *input, const sl_result *result) {
    sl_verify_result verdict = {.size = sizeof verdict};
    sl_status status = sl_verify(cli->ctx, input->net, result->file, &args->def, result->diags, &verdict);
    sl_bar_clear(&cli->bar);
    if (status != SL_OK) {
        return sl_exit_of(cli, status);
    }
    page p = {cli, input->net, result, sl_outfile_get_info(result->file), &verdict, input->name};
    if (!args->quiet && args->json) {
        write_json(&p, &args->def);
    } else if (!args->quiet) {
        write_text(&p);
    }
    return verdict.consistent ? SL_EXIT_FINE : SL_EXIT_SOLVE;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    verify_args args = {.def = sl_verify_default()};
    int code = SL_EXIT_FINE;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
        return code;
    }
    sl_input input;
    code = sl_input_load_network(cli, argv[0], &(sl_show_options){.errors_only = true, .to_stderr = true}, &input);
    if (code == SL_EXIT_FINE) {
        sl_result result;
        code = sl_result_open_out(cli, argv[1], &result);
        if (code == SL_EXIT_FINE) {
            code = judge(cli, &args, &input, &result);
        }
        bool verdict = code == SL_EXIT_FINE || code == SL_EXIT_SOLVE;
        if (result.diags && code < SL_EXIT_SIGNAL && !(args.quiet && verdict)) {
            sl_show_diags(cli, result.diags, &(sl_show_options){.json = args.json, .to_stderr = true});
        }
        if (result.error) {
            sl_cli_message(cli, "%s: reading failed: %s", result.name, sl_file_reason(result.error));
        }
        sl_result_close(&result);
    }
    sl_input_close(&input);
    return code;
}

const sl_command sl_cmd_verify = {
    .name = "verify",
    .summary = "verify that a result file satisfies the equations of its model",
    .usage = "verify [OPTIONS] MODEL.inp RESULT.out",
    .about =
        "Checks the equations of a network in every period of a result file: head losses, balances, closed links,\n"
        "states of valves and pumps, tank levels, demands, reservoirs, and bounds and mass balance of water\n"
        "quality. Only the model and the result file are used; no formula is shared with the simulation. The\n"
        "result may come from Sluice or EPANET. A table goes to standard output, the first 20 violations of each\n"
        "check to standard error.",
    .options = SL_OPTION_TABLE(options, verify_args, NULL),
    .operands = {"MODEL.inp", "RESULT.out"},
    .examples = "sluice verify town.inp town.out                  verify a result\n"
                "sluice verify --head-abs 0.01 town.inp town.out  allow a centimetre of head\n"
                "sluice verify --json town.inp town.out           verify, for a program",
    .exits = "0  every check is within tolerance\n"
             "2  the model or the result cannot be read, or they do not belong together\n"
             "3  a check failed\n"
             "5  a file could not be read",
    .run = run,
};
