/* SPDX-License-Identifier: MIT */
/* cmd_compare.c: `sluice compare`, are two results the same within tolerances? */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/number.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/result.h"
#include "plot/picture.h"

enum { EXIT_DIFFERENT = 1 };

typedef struct compare_args {
    bool json, quiet;
    sl_compare_def def;
} compare_args;

#define TOLERANCE(option, member, text) \
    { SL_OPTION_ROW(option, 0, NUMBER, compare_args, def.member, "X", text) }

static const sl_option options[] = {
    SL_OPTION_ROW_JSON(compare_args, "print one JSON object in place of the table"),
    {SL_OPTION_ROW("quiet", 'q', FLAG, compare_args, quiet, NULL, "print the closing line only")},
    TOLERANCE("head-abs", head_abs, "heads and pressures: allowed difference in the file's unit (0.001) ..."),
    TOLERANCE("head-rel", head_rel, "... plus this fraction of the range of all values (0.0001)"),
    TOLERANCE("flow-abs", flow_abs, "flows and demands: allowed difference in the file's unit (0) ..."),
    TOLERANCE("flow-rel", flow_rel, "... plus this fraction of the largest (0.001)"),
    TOLERANCE("quality-abs", quality_abs, "qualities: allowed difference in the file's unit (0.001) ..."),
    TOLERANCE("quality-rel", quality_rel, "... plus this fraction of the range (0.001)"),
    TOLERANCE("other-rel", other_rel, "settings and energies: this fraction of the largest (0.001)"),
    TOLERANCE("abs", abs, "everything else, and all of other engines: allowed difference (0) ..."),
    TOLERANCE("rel", rel, "... plus this fraction of the range of all values (0.001)"),
};

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

/* Of networks the quantities of nodes and links have names of their own. */
static const char *row_word(const sl_compare_result *r, const sl_compare_row *row, char *buf, size_t size) {
    bool node = strcmp(row->group, "node") == 0, link = strcmp(row->group, "link") == 0;
    if (row->subject == SL_COMPARE_EVENTS) {
        return "events";
    }
    if (row->subject == SL_COMPARE_TABLE) {
        return strcmp(row->group, "pump_energy") == 0 ? "energy" : row->group;
    }
    if (r->network && link && strcmp(row->name, "quality") == 0) {
        return "link quality";
    }
    if (r->network && (node || link)) {
        return row->name;
    }
    sl_format(buf, size, "%s.%s", row->group, row->name);
    return buf;
}

static void put_pair(sl_out *out, const sl_compare_row *row) {
    if (row->word_a || row->word_b) {
        sl_out_printf(out, "%s, %s", row->word_a ? row->word_a : "none", row->word_b ? row->word_b : "none");
    } else {
        put_number(out, row->a, 7);
        sl_out_z(out, ", ");
        put_number(out, row->b, 7);
    }
}

static void put_time(sl_out *out, const sl_results *a, double t) {
    char time[64];
    if (strcmp(sl_results_get_layout(a)->time_unit, "s") == 0) {
        sl_time_format(t, time, sizeof time);
        sl_out_printf(out, " at %s", time);
    } else {
        sl_out_z(out, " at step ");
        put_number(out, t, 15);
    }
}

/* A statistic has no time. */
static bool has_times(const sl_results *a) {
    const sl_results_layout *l = sl_results_get_layout(a);
    for (int32_t i = 0; i < l->n_attribute; i++) {
        if (strcmp(l->attributes[i].name, "statistic") == 0 && l->attributes[i].text) {
            return strcmp(l->attributes[i].text, "series") == 0;
        }
    }
    return true;
}

static void put_where(sl_out *out, const sl_results *a, const sl_compare_row *row) {
    if (row->subject == SL_COMPARE_TABLE) {
        if (row->id) {
            sl_out_printf(out, "%s %s, ", strcmp(row->group, "pump_energy") == 0 ? "pump" : row->group, row->id);
        }
        sl_out_printf(out, "%s: ", row->name);
    } else if (row->subject == SL_COMPARE_EVENTS) {
        sl_out_printf(out, "event %lld%s%s", (long long)row->frame + 1, *row->id ? ", " : "", row->id);
        put_time(out, a, row->time);
        sl_out_z(out, ": ");
    } else {
        sl_out_printf(out, "%s %s", row->group, row->id);
        if (has_times(a)) {
            put_time(out, a, row->time);
        }
        sl_out_z(out, ": ");
    }
    put_pair(out, row);
}

/* Is there a value that can be shown? */
static bool has_where(const sl_compare_row *row) {
    return row->subject == SL_COMPARE_TABLE ? row->name != NULL : row->frame >= 0;
}

/* What is not judged stands in brackets. */
static void put_row(sl_out *out, const sl_results *a, const char *word, const sl_compare_row *row) {
    sl_out_printf(out, row->decisive ? "%s" : "(%s)", word);
    put_column(out, row->worst, 26);
    put_column(out, row->tolerance, 37);
    sl_out_printf(out, "%10lld of %lld", (long long)row->n_over, (long long)row->n);
    if (has_where(row)) {
        sl_out_pad(out, 60, 2);
        put_where(out, a, row);
    }
    sl_out_char(out, '\n');
}

static bool is_code(const sl_results *a, const sl_compare_row *row) {
    int32_t q = row->subject == SL_COMPARE_QUANTITY ? sl_results_find(a, row->group, row->name) : -1;
    const sl_results_group *g = q >= 0 ? &sl_results_get_layout(a)->groups[sl_results_group_of(a, q)] : NULL;
    const sl_results_column *column = sl_group_quantity(g, row->name);
    return column && column->words;
}

static void put_table(sl_out *out, const sl_results *a, const sl_compare_result *r) {
    char buf[256];
    sl_out_printf(out, "variable%18s%11s%10s", "worst", "allowed", "over");
    sl_out_pad(out, 60, 2);
    sl_out_z(out, "where: first, second\n");
    for (int32_t i = 0; i < r->n_row; i++) {
        const sl_compare_row *row = &r->rows[i];
        if (row->n > 0 && (row->worst > 0.0 || row->scale > 0.0 || is_code(a, row))) {
            put_row(out, a, row_word(r, row, buf, sizeof buf), row);
        }
    }
}

/* "5 nodes, 8 links": the groups that were compared. */
static void put_groups(sl_out *out, const sl_results *a, const sl_compare_result *r) {
    const sl_results_layout *l = sl_results_get_layout(a);
    for (int32_t g = 0; g < l->n_group; g++) {
        bool compared = false;
        for (int32_t i = 0; i < r->n_row && !compared; i++) {
            compared = r->rows[i].subject == SL_COMPARE_QUANTITY && strcmp(r->rows[i].group, l->groups[g].name) == 0;
        }
        if (compared) {
            char text[SL_PLURAL_MAX];
            const char *name = l->groups[g].name, *word = strcmp(name, "discrete") == 0 ? "discrete variable" : name;
            sl_out_printf(out, "%s, ", sl_plural(l->groups[g].n, word, NULL, text));
        }
    }
}

static void put_verdict(sl_out *out, const sl_results *a, const sl_compare_result *r) {
    char times[SL_PLURAL_MAX], cut[SL_PLURAL_MAX];
    sl_out_printf(out, "%s: ", r->same ? "the same within tolerance" : "different");
    put_groups(out, a, r);
    sl_out_printf(out, "%s compared", sl_plural(r->n_frame, r->network ? "period" : "time", NULL, times));
    if (r->n_isolated > 0) {
        sl_out_printf(out, "; without %s of nodes that closed links cut off",
                      sl_plural(r->n_isolated, "head", NULL, cut));
    }
    sl_out_char(out, '\n');
}

/* ---- JSON --------------------------------------------------------------------------------------- */

/* id and time, or the column of a table. */
static void json_where(sl_json *json, const sl_compare_row *row) {
    if (!has_where(row)) {
        return;
    }
    if (row->id) {
        sl_json_member_z(json, "id", row->id);
    }
    if (row->subject == SL_COMPARE_TABLE) {
        sl_json_member_z(json, "column", row->name);
    } else {
        sl_json_member_number(json, "time", row->time);
    }
    if (row->word_a || row->word_b) {
        sl_json_member_z(json, "first", row->word_a ? row->word_a : "");
        sl_json_member_z(json, "second", row->word_b ? row->word_b : "");
    } else {
        sl_json_member_number(json, "first", row->a);
        sl_json_member_number(json, "second", row->b);
    }
}

static void json_row(sl_json *json, const sl_compare_result *r, const sl_compare_row *row) {
    char buf[256];
    sl_json_object(json);
    sl_json_inline(json);
    sl_json_member_z(json, "variable", row_word(r, row, buf, sizeof buf));
    sl_json_member_z(json, "group", row->group);
    sl_json_member_z(json, "unit", row->unit);
    sl_json_member_number(json, "worst", row->worst);
    sl_json_member_number(json, "tolerance", row->tolerance);
    sl_json_member_number(json, "scale", row->scale);
    sl_json_member_int(json, "over", row->n_over);
    sl_json_member_int(json, "compared", row->n);
    sl_json_member_bool(json, "judged", row->decisive);
    json_where(json, row);
    sl_json_end(json);
}

static void put_json(sl_cli *cli, const sl_compare_result *r) {
    sl_json json;
    sl_json_init(&json, &cli->out, 2);
    sl_json_object(&json);
    sl_json_member_bool(&json, "same", r->same);
    sl_json_member_int(&json, "periods", r->n_frame);
    sl_json_member_int(&json, "isolated", r->n_isolated);
    sl_json_key(&json, "variables");
    sl_json_array(&json);
    for (int32_t i = 0; i < r->n_row; i++) {
        json_row(&json, r, &r->rows[i]);
    }
    sl_json_end(&json);
    sl_json_end(&json);
    sl_out_char(&cli->out, '\n');
}

/* ---- The command -------------------------------------------------------------------------------- */

static void show_problems(sl_cli *cli, const sl_result file[2]) {
    for (int i = 0; i < 2; i++) {
        sl_show_diags(cli, file[i].diags, &(sl_show_options){.to_stderr = true});
    }
}

static int compare(sl_cli *cli, const compare_args *args, sl_result file[2]) {
    sl_results *a = file[0].results;
    sl_comparison *c = NULL;
    sl_status status = sl_compare(cli->ctx, a, file[1].results, &args->def, file[0].diags, &c);
    sl_result_report(&file[0]);
    sl_result_report(&file[1]);
    show_problems(cli, file);
    if (status != SL_OK) {
        return sl_exit_of(cli, status);
    }
    const sl_compare_result *r = sl_comparison_result(c);
    if (args->json) {
        put_json(cli, r);
    } else {
        if (!args->quiet) {
            put_table(&cli->out, a, r);
        }
        put_verdict(&cli->out, a, r);
    }
    int code = r->same ? SL_EXIT_FINE : EXIT_DIFFERENT;
    sl_comparison_destroy(c);
    return code;
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    compare_args args = {.def = sl_compare_default()};
    int code;
    if (sl_args_parse(cli, command, argc, argv, &args, kinds, &code) < 0) {
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
    .summary = "compare two result files within tolerances",
    .usage = "compare [OPTIONS] FIRST SECOND",
    .about = "Compares two results of any engine and format (.out of Sluice or EPANET, .csv, .json, .h5). Quantities\n"
             "are matched by name, elements by id, values by time; the units are those of FIRST. The table has a row\n"
             "per quantity: largest difference, tolerance, number of values beyond it, and location of the largest\n"
             "difference. A tolerance is an absolute term plus a fraction of the values in FIRST. Rows in brackets\n"
             "follow from the others and do not count. Nodes that closed links separate from every tank and reservoir\n"
             "have no defined head and are left out.",
    .options = SL_OPTION_TABLE(options, compare_args, NULL),
    .operands = {"FIRST", "SECOND"},
    .examples = "sluice compare reference.out town.out                  find what changed\n"
                "sluice compare town.h5 town.out                        compare two files of one run\n"
                "sluice compare --flow-rel 1e-5 reference.out town.out  compare flows more strictly\n"
                "sluice compare --rel 1e-6 surge.h5 coarse.h5           compare pressure waves on two grids\n"
                "sluice compare -q old.out new.out && echo same         use in a script",
    .exits = "0  the results agree within the tolerances\n"
             "1  the results differ\n"
             "2  the files are not comparable, or not results\n"
             "5  a file could not be read",
    .run = run,
};
