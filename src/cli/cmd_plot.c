/* SPDX-License-Identifier: MIT */
/* cmd_plot.c: `sluice plot`, pictures of results, and of models as their kinds draw them.
 *
 * What the file is, is seen from its content: a result (.out) or a model. The map of a result needs the coordinates of
 * its model: from --network, or from the file whose name the result carries, where it lies or beside the result.
 */
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <sluice/plot.h>

#include "base/number.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/result.h"
#include "kinds/rows.h"
#include "plot/picture.h"

typedef struct plot_args {
    sl_texts node, link, variable, what, via;
    bool map, dark;
    sl_option_time time, from, until;
    const char *profile, *network, *output, *size, *range, *title;
} plot_args;

static const char *const moments[] = {"max", "min", "mean", NULL};

static const sl_option options[] = {
    {SL_OPTION_ROW("node", 'n', TEXTS, plot_args, node, "ID",
                   "draw these nodes over time: ids separated by commas, or ALL; may be repeated")},
    {SL_OPTION_ROW("link", 'l', TEXTS, plot_args, link, "ID", "draw these links over time")},
    {SL_OPTION_ROW("map", 'm', FLAG, plot_args, map, NULL, "draw a map of the network, coloured by the quantity")},
    {SL_OPTION_ROW("profile", 'p', TEXT, plot_args, profile, "FROM,TO",
                   "draw the heads along the shortest path between two nodes; with the name of a route,\n"
                   "the heads along that route; for tunnels, the water between two valves")},
    {SL_OPTION_ROW("via", 0, TEXTS, plot_args, via, "ID,...",
                   "nodes that the path of a profile passes through, in this order")},
    {SL_OPTION_ROW("variable", 0, TEXTS, plot_args, variable, "PATTERN",
                   "draw the variables that match over time: 'node.*.head', 'pump.P1.*'; `sluice vars`\nlists them")},
    {SL_OPTION_ROW("what", 'w', TEXTS, plot_args, what, "QUANTITY",
                   "quantity to draw: pressure (default for nodes and maps), head, demand, quality;\n"
                   "flow (default for links), velocity, headloss, status, setting; a map also takes\n"
                   "elevation and diameter; charts over time take several, separated by commas")},
    {SL_OPTION_ROW(
        "output", 'o', TEXT, plot_args, output, "FILE",
        "write the picture to this file: .svg, .png, .pdf; diagrams also .dot (Graphviz);\n- writes SVG to standard output")},
    {SL_OPTION_ROW("time", 't', TIME, plot_args, time, "TIME",
                   "time of the map, profile, diagram or phase plane: 6:00, 90min, 2.5s; a map also takes\n"
                   "max, min or mean, the value of each element over the run. Default: the first\n"
                   "report; for a phase plane, the end"),
     .words = moments, .may_count = true},
    {SL_OPTION_ROW("from", 0, TIME, plot_args, from, "TIME",
                   "begin a chart over time here: 6:00, 90min; for a discrete automaton 5steps"),
     .may_count = true},
    {SL_OPTION_ROW("until", 0, TIME, plot_args, until, "TIME", "end a chart over time here"), .may_count = true},
    {SL_OPTION_ROW("network", 0, TEXT, plot_args, network, "FILE.inp",
                   "read the coordinates from this model, in place of the model that the result names")},
    {SL_OPTION_ROW(
        "range", 0, TEXT, plot_args, range, "LOW:HIGH",
        "limits of the value axis or of the colour scale: 20:80; 0: sets the lower limit only,\n:5 the upper limit only")},
    {SL_OPTION_ROW("size", 0, TEXT, plot_args, size, "WxH",
                   "width and height in pixels: 900x600; default: by the content")},
    {SL_OPTION_ROW("title", 0, TEXT, plot_args, title, "TEXT", "title, in place of the model's")},
    {.name = "dark", .offset = offsetof(plot_args, dark), .help = "draw on a dark background"},
};

/* ---- Values of options -------------------------------------------------------------------------- */

static bool ends_in(const char *path, const char *ending) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot, ending) == 0;
}

static bool read_format(const char *path, sl_plot_format *format) {
    static const char *const endings[SL_PLOT_FORMAT_COUNT] = {".svg", ".png", ".pdf"};
    for (int i = 0; i < SL_PLOT_FORMAT_COUNT; i++) {
        if (ends_in(path, endings[i])) {
            *format = (sl_plot_format)i;
            return true;
        }
    }
    return strcmp(path, "-") == 0;
}

static bool is_dot(const char *path) {
    return ends_in(path, ".dot") || ends_in(path, ".gv");
}

static bool read_size(const char *text, sl_plot_def *def) {
    const char *x = text ? strpbrk(text, "xX") : NULL;
    int64_t w = 0, h = 0;
    if (!text) {
        return true;
    }
    if (!x || sl_number_parse_int((sl_str){text, (size_t)(x - text)}, &w) != SL_NUMBER_OK ||
        sl_number_parse_int(sl_str_z(x + 1), &h) != SL_NUMBER_OK || w < SL_PLOT_SIZE_MIN || h < SL_PLOT_SIZE_MIN ||
        w > SL_PLOT_SIZE_MAX || h > SL_PLOT_SIZE_MAX) {
        return false;
    }
    def->width = (int32_t)w;
    def->height = (int32_t)h;
    return true;
}

static bool read_range(const char *text, sl_plot_def *def) {
    const char *colon = text ? strchr(text, ':') : NULL;
    if (!text) {
        return true;
    }
    sl_str low = {text, colon ? (size_t)(colon - text) : 0}, high = sl_str_z(colon ? colon + 1 : NULL);
    bool fine = colon && (low.len > 0 || high.len > 0);
    fine = fine && (low.len == 0 || sl_number_parse(low, &def->low) == SL_NUMBER_OK);
    fine = fine && (high.len == 0 || sl_number_parse(high, &def->high) == SL_NUMBER_OK);
    return fine && !(def->low >= def->high) && !(fabs(def->low) > 1e100) && !(fabs(def->high) > 1e100);
}

typedef struct check {
    bool fine;
    const char *wrong;
} check;

static const char *first_wrong(const check *checks, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (!checks[i].fine) {
            return checks[i].wrong;
        }
    }
    return NULL;
}

/* What all pictures have. */
static const char *fill_page(const plot_args *args, sl_plot_def *def) {
    *def = sl_plot_default();
    def->title = args->title;
    def->dark = args->dark;
    const check checks[] = {
        {args->output,
         "the output file is missing: add -o picture.svg (or .png, .pdf, or - for SVG on standard output)"},
        {args->output && (is_dot(args->output) || read_format(args->output, &def->format)),
         "the name of the picture must end in .svg, .png or .pdf (or .dot for a diagram)"},
        {read_size(args->size, def), "--size takes a width and a height of 200 to 16000 pixels: 900x600"},
        {read_range(args->range, def),
         "--range takes two numbers with a colon between them, the lower one first: 20:80"},
    };
    return first_wrong(checks, sizeof checks / sizeof *checks);
}

/* ---- What is asked for -------------------------------------------------------------------------- */

enum { ROUTE_MAX = 66, ROUTE_TEXT = 4096 };

/* What pictures of results have, in one piece. */
typedef struct request {
    sl_plot_def def;
    sl_results_select select;
    const char *route[ROUTE_MAX];
    char text[ROUTE_TEXT];
    char why[SL_OPTION_ERROR_MAX];
} request;

/* Ids at commas, one behind the other. */
static bool add_ids(request *r, size_t *used, const char *list) {
    while (*list) {
        size_t n = strcspn(list, ",");
        if (n > 0) {
            if (r->def.n_route == ROUTE_MAX || *used + n + 1 > ROUTE_TEXT) {
                return false;
            }
            char *at = memcpy(r->text + *used, list, n);
            at[n] = '\0';
            *used += n + 1;
            r->route[r->def.n_route++] = at;
        }
        list += n + (list[n] == ',');
    }
    return true;
}

/* FROM, the nodes of --via, TO. */
static bool fill_route(const plot_args *args, request *r) {
    const char *comma = args->profile ? strchr(args->profile, ',') : NULL;
    size_t used = 0;
    char first[ROUTE_TEXT];
    if (!args->profile) {
        return true;
    }
    int n = snprintf(first, sizeof first, "%.*s", (int)(comma ? comma - args->profile : (long)strlen(args->profile)),
                     args->profile);
    bool fine = n < ROUTE_TEXT && add_ids(r, &used, first);
    for (int i = 0; i < args->via.n; i++) {
        fine = fine && add_ids(r, &used, args->via.at[i]);
    }
    fine = fine && (!comma || (add_ids(r, &used, comma + 1) && !strchr(comma + 1, ',')));
    r->def.route = r->route;
    return fine && r->def.n_route > 0;
}

static const char *fill_request(const plot_args *args, request *r) {
    sl_plot_def *def = &r->def;
    bool over_time = !args->map && !args->profile;
    const char *wrong = fill_page(args, def);
    r->select = sl_results_select_default();
    const check checks[] = {
        {!is_dot(args->output ? args->output : ""), "the name of the picture must end in .svg, .png or .pdf"},
        {(args->map || args->profile) + (args->node.n + args->link.n + args->variable.n > 0) <= 1 &&
             !(args->map && args->profile),
         "a command draws one picture: --node, --link and --variable over time, or --map, or --profile"},
        {over_time || (!args->from.is_given && !args->until.is_given),
         "--from and --until apply to charts over time; maps and profiles take --time"},
        {!over_time || !args->time.is_given,
         "--time applies to maps and profiles; charts over time take --from and --until"},
        {!args->profile || !args->time.word, "--time of a profile must be a time, such as 6:00 or 90min"},
        {!args->profile || args->what.n == 0, "a profile always shows heads; omit --what"},
        {!args->map || args->what.n <= 1, "a map shows one quantity; name only one with --what"},
        {args->profile || args->via.n == 0, "--via applies to --profile only"},
        {fill_route(args, r), "--profile takes two nodes, FROM,TO; name nodes between them with --via"},
    };
    wrong = wrong ? wrong : first_wrong(checks, sizeof checks / sizeof *checks);
    def->kind = args->map ? SL_PLOT_MAP : args->profile ? SL_PLOT_PROFILE : SL_PLOT_SERIES;
    def->what = args->what.n > 0 ? args->what.at[0] : NULL;
    r->select.node = args->node.at;
    r->select.n_node = args->node.n;
    r->select.link = args->link.at;
    r->select.n_link = args->link.n;
    r->select.variable = args->variable.at;
    r->select.n_variable = args->variable.n;
    r->select.what = args->what.at;
    r->select.n_what = args->what.n;
    def->select = &r->select;
    for (int i = SL_PLOT_MIN; args->time.word && i <= SL_PLOT_MEAN; i++) {
        static const char *const words[] = {[SL_PLOT_MIN] = "min", [SL_PLOT_MAX] = "max", [SL_PLOT_MEAN] = "mean"};
        def->moment = strcmp(args->time.word, words[i]) == 0 ? (sl_plot_moment)i : def->moment;
    }
    return wrong;
}

/* Times, once their unit is known. */
static const char *fill_times(const plot_args *args, bool steps, request *r) {
    const struct {
        const char *shown;
        const sl_option_time *time;
        double *to;
    } times[] = {{"--time", &args->time, &r->def.time},
                 {"--from", &args->from, &r->select.from},
                 {"--until", &args->until, &r->select.to}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        if (!sl_option_time_fits(times[i].shown, times[i].time, steps, r->why)) {
            return r->why;
        }
        if (times[i].time->is_given && !times[i].time->word) {
            *times[i].to = times[i].time->value;
        }
    }
    return NULL;
}

/* ---- Files -------------------------------------------------------------------------------------- */

typedef struct job {
    const sl_plot_def *def;
    const sl_network *net;
    sl_results *results;
    sl_diags *diags;
} job;

static sl_status make(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch) {
    (void)patch;
    const job *j = user;
    return sl_plot(cli->ctx, j->net, j->results, j->def, j->diags, sink);
}

/* The model of a result: the one given, else where the result says, or beside the result. False: nowhere. */
static bool find_model(const plot_args *args, const sl_result *result, char path[PATH_MAX]) {
    const char *name = sl_results_get_layout(result->results)->model;
    const char *slash = strrchr(result->name, '/'), *base = strrchr(name, '/');
    if (args->network) {
        snprintf(path, PATH_MAX, "%s", args->network);
        return true;
    }
    snprintf(path, PATH_MAX, "%s", name);
    if (*name && access(path, R_OK) == 0) {
        return true;
    }
    snprintf(path, PATH_MAX, "%.*s%s", slash ? (int)(slash - result->name + 1) : 0, result->name,
             base ? base + 1 : name);
    return *name && access(path, R_OK) == 0;
}

/* Opens the network of a map; path must live as long as it. What is wrong with it does not matter as far as it can be
 * drawn. */
static int open_network(sl_cli *cli, const plot_args *args, const sl_result *result, char path[PATH_MAX],
                        sl_input *input) {
    if (!find_model(args, result, path)) {
        const char *name = sl_results_get_layout(result->results)->model;
        sl_cli_message(
            cli, "%s contains no coordinates, and its model%s%s was not found; name the model with --network FILE.inp",
            result->name, *name ? " " : "", name);
        return SL_EXIT_INPUT;
    }
    int code = sl_input_open(cli, path, input);
    if (code == SL_EXIT_FINE) {
        code = sl_input_read(cli, input, true);
        code = input->net ? SL_EXIT_FINE : code;
    }
    if (code != SL_EXIT_FINE && code < SL_EXIT_SIGNAL && input->diags) {
        sl_show_diags(cli, input->diags, &(sl_show_options){.errors_only = true});
    }
    return code;
}

/* A map needs the network; a profile where the result does not say how its links are joined, or holds a part of them. */
static bool needs_network(const sl_results *results, const plot_args *args, const request *r) {
    const sl_results_layout *l = sl_results_get_layout(results);
    bool joined = false, whole = true;
    for (int32_t g = 0; g < l->n_group; g++) {
        for (int32_t i = 0; i < l->groups[g].n_fact; i++) {
            joined = joined || strcmp(l->groups[g].facts[i].name, "from") == 0;
        }
        for (int32_t i = 0; i < r->def.n_route && strcmp(l->groups[g].name, "node") == 0; i++) {
            whole = whole && sl_group_find(&l->groups[g], sl_str_z(r->route[i])) >= 0;
        }
    }
    return args->map || (r->def.n_route > 1 && (args->network || !joined || !whole));
}

static int plot_opened(sl_cli *cli, const sl_command *command, const plot_args *args, request *r,
                       const sl_result *result) {
    sl_input input = {0};
    char model[PATH_MAX];
    assert(r);
    const char *wrong = fill_times(args, strcmp(sl_results_get_layout(result->results)->time_unit, "steps") == 0, r);
    if (wrong) {
        return sl_args_wrong(cli, command, "%s", wrong);
    }
    /* Without a network a profile says by itself what it lacks. */
    bool opens = needs_network(result->results, args, r) &&
                 (args->map || args->network || (find_model(args, result, model) && ends_in(model, ".inp")));
    int code = opens ? open_network(cli, args, result, model, &input) : SL_EXIT_FINE;
    if (code == SL_EXIT_FINE) {
        code = sl_output_make(cli, args->output, make, &(job){&r->def, input.net, result->results, result->diags});
    }
    sl_input_close(&input);
    return code;
}

/* ---- Models ------------------------------------------------------------------------------------- */

typedef struct model_job {
    const sl_plot_ops *ops;
    sl_load load;
    sl_picture_def picture;
    sl_status run;
} model_job;

static sl_status make_model(sl_cli *cli, void *user, const sl_sink *sink, const sl_patch_sink *patch) {
    (void)cli, (void)patch;
    model_job *j = user;
    return j->ops->draw(&j->load, &j->picture, sink, &j->run);
}

/* Pictures of the kind's own, or of what a run records: where the kind has none, and where values are named. */
static const sl_plot_ops *ops_of(const plot_args *args, const sl_kind *kind) {
    return kind->plot && args->variable.n == 0 ? kind->plot : &sl_run_plot;
}

/* Do the options ask for a picture that no other kind has? */
static bool asks_for_own(const sl_kind *kind, const sl_kind_args *kinds) {
    const sl_plot_ops *ops = kind->plot;
    return ops && ops->options.n > 0 && (!ops->is_own || ops->is_own(sl_kind_args_of(kinds, kind, SL_OPTIONS_OF_PLOT)));
}

static sl_picture_def picture_of(const plot_args *args, const sl_kind_args *kinds, const sl_kind *kind,
                                 const request *r) {
    return (sl_picture_def){.page = &r->def,
                            .kind = kind,
                            .map = args->map || args->profile,
                            .elements = args->node.n > 0 || args->link.n > 0 || args->what.n > 0 || args->network,
                            .dot = is_dot(args->output),
                            .nodes = &args->node,
                            .time = args->time,
                            .from = args->from,
                            .to = args->until,
                            .args = sl_kind_args_of(kinds, kind, SL_OPTIONS_OF_PLOT)};
}

static int plot_model(sl_cli *cli, const sl_command *command, const plot_args *args, const sl_kind_args *kinds,
                      sl_input *input, const sl_kind *kind) {
    request r = {0};
    char why[SL_REFUSAL_MAX] = "";
    const sl_plot_ops *ops = ops_of(args, kind);
    int code = sl_kind_args_fit(cli, command, kinds, kind, input->name);
    if (code != SL_EXIT_FINE) {
        return code;
    }
    bool own = args->variable.n == 0 && asks_for_own(kind, kinds);
    const char *wrong = own ? fill_page(args, &r.def) : fill_request(args, &r);
    if (!wrong && !own && ops != &sl_run_plot) { /* such a run has times of its own kind */
        wrong = fill_times(args, false, &r);
    }
    if (wrong) {
        return sl_args_wrong(cli, command, "%s", wrong);
    }
    model_job j = {
        .ops = ops, .load = sl_input_load_def(cli, input, NULL), .picture = picture_of(args, kinds, kind, &r)};
    if (!ops->fits(&j.picture, input->name, why)) {
        return sl_args_wrong(cli, command, "%s", why);
    }
    code = sl_output_make(cli, args->output, make_model, &j);
    return code == SL_EXIT_FINE && j.run != SL_OK ? sl_exit_of(cli, j.run) : code;
}

/* ---- Results ------------------------------------------------------------------------------------ */

typedef struct own_job {
    model_job j;
    sl_input input;
    const sl_kind *kind;
    char path[PATH_MAX];
} own_job;

/* The model of a result, of a kind that draws from results what is asked for. False: there is none. */
static bool find_drawing_kind(sl_cli *cli, const plot_args *args, const sl_kind_args *kinds, const sl_result *result,
                              own_job *o) {
    if (!find_model(args, result, o->path) || ends_in(o->path, ".inp") ||
        sl_input_open(cli, o->path, &o->input) != SL_EXIT_FINE ||
        sl_input_recognise(cli, &o->input, NULL, &o->kind) != SL_EXIT_FINE) {
        return false;
    }
    return o->kind->plot && o->kind->plot->takes_results && (asks_for_own(o->kind, kinds) || args->profile);
}

/* A picture of the result by its model's kind. */
static int plot_by_kind(sl_cli *cli, const sl_command *command, const plot_args *args, const sl_kind_args *kinds,
                        request *r, const sl_result *result, own_job *o) {
    char why[SL_REFUSAL_MAX] = "";
    const char *wrong = fill_times(args, false, r);
    int code = sl_kind_args_fit(cli, command, kinds, o->kind, o->input.name);
    if (code != SL_EXIT_FINE || wrong) {
        return code != SL_EXIT_FINE ? code : sl_args_wrong(cli, command, "%s", wrong);
    }
    o->j = (model_job){.ops = o->kind->plot,
                       .load = sl_input_load_def(cli, &o->input, NULL),
                       .picture = picture_of(args, kinds, o->kind, r)};
    o->j.picture.results = result->results;
    o->j.picture.elements = args->node.n > 0 || args->link.n > 0 || args->what.n > 0; /* --network names the model */
    if (!o->j.ops->fits(&o->j.picture, result->name, why)) {
        return sl_args_wrong(cli, command, "%s", why);
    }
    code = sl_output_make(cli, args->output, make_model, &o->j);
    if (o->input.diags && code < SL_EXIT_SIGNAL) {
        sl_show_diags(cli, o->input.diags, &(sl_show_options){.to_stderr = true});
    }
    return code;
}

static int plot_open_result(sl_cli *cli, const sl_command *command, const plot_args *args, const sl_kind_args *kinds,
                            const sl_result *result) {
    request r = {0};
    own_job o = {.kind = NULL};
    bool own = kinds->n_given > 0, by_kind = (own || args->profile) && find_drawing_kind(cli, args, kinds, result, &o);
    const char *wrong = by_kind && own ? fill_page(args, &r.def) : fill_request(args, &r);
    int code;
    if (own && !by_kind) {
        code = sl_args_wrong(cli, command, "--%s applies to models, and %s is a result%s", kinds->given[0],
                             result->name, o.kind ? "" : "; the model that it names was not found");
    } else if (wrong) {
        code = sl_args_wrong(cli, command, "%s", wrong);
    } else {
        code = by_kind ? plot_by_kind(cli, command, args, kinds, &r, result, &o)
                       : plot_opened(cli, command, args, &r, result);
    }
    sl_input_close(&o.input);
    return code;
}

static int plot_result(sl_cli *cli, const sl_command *command, const plot_args *args, const sl_kind_args *kinds,
                       const char *path) {
    sl_result result;
    int code = sl_result_open(cli, path, &result);
    if (code == SL_EXIT_FINE) {
        code = plot_open_result(cli, command, args, kinds, &result);
    }
    if (result.diags && code < SL_EXIT_SIGNAL) {
        sl_show_diags(cli, result.diags, &(sl_show_options){.to_stderr = true});
    }
    if (result.error) {
        sl_cli_message(cli, "%s: reading failed: %s", result.name, sl_file_reason(result.error));
    }
    sl_result_close(&result);
    return code;
}

/* ---- The command -------------------------------------------------------------------------------- */

static int plot_file(sl_cli *cli, const sl_command *command, const plot_args *args, const sl_kind_args *kinds,
                     const char *path) {
    sl_input input = {0};
    const sl_kind *kind = NULL;
    int code = SL_EXIT_FINE;
    bool result = sl_result_is(cli, path);
    if (!result) {
        code = sl_input_open(cli, path, &input);
        code = code == SL_EXIT_FINE ? sl_input_recognise(cli, &input, NULL, &kind) : code;
    }
    if (kind) {
        code = plot_model(cli, command, args, kinds, &input, kind);
    }
    if (!result && code < SL_EXIT_SIGNAL && input.diags) {
        sl_show_diags(cli, input.diags, &(sl_show_options){.to_stderr = true});
    }
    sl_input_close(&input);
    if (!result) {
        return code;
    }
    return plot_result(cli, command, args, kinds, path);
}

static int run(sl_cli *cli, const sl_command *command, int argc, char **argv, sl_kind_args *kinds) {
    plot_args args = {0};
    int code = SL_EXIT_FINE;
    bool fine = sl_args_parse(cli, command, argc, argv, &args, kinds, &code) >= 0;
    return fine ? plot_file(cli, command, &args, kinds, argv[0]) : code;
}

const sl_command sl_cmd_plot = {
    .name = "plot",
    .summary = "draw results over time, along a path or as a map",
    .usage = "plot [--node ID | --link ID | --profile FROM,TO | --map] [OPTIONS] FILE -o PICTURE",
    .about =
        "Draws quantities over time, heads along a path through a network, or a map of the network. FILE is a result\n"
        "(.out, .csv, .json, .h5), or a model, which is run first. Values are in the units of the result. Without a\n"
        "selection the chart shows pressures or heads of the nodes, or the variables of the model. Up to 24 elements\n"
        "are drawn as lines, more as bands: minimum to maximum, the middle 80 %, and the median. The map of a network\n"
        "(.inp) without --time shows pipes and nodes without results.\n"
        "\n"
        "For an automaton (.yaml) the command draws its variables over time, a phase plane, or a diagram of its states\n"
        "and transitions. For tunnels (.yaml) it also draws a longitudinal profile with the water in the tunnels, a\n"
        "diagram of their discrete state, or a film: one such diagram per discrete step. Results of tunnels (.json,\n"
        ".h5) give the same pictures.",
    .options = SL_OPTION_TABLE(options, plot_args, NULL),
    .kind_options = SL_OPTIONS_OF_PLOT,
    .operands = {"FILE"},
    .examples = "sluice plot town.out --node J1,J2,J3 -o pressure.svg            draw the pressures of three nodes\n"
                "sluice plot town.out --node ALL -o pressure.png                 draw all nodes, as bands\n"
                "sluice plot town.out --link P1 --what velocity -o p1.pdf        draw the velocity in a pipe\n"
                "sluice plot town.out --map --time 18:00 -o evening.svg          map the pressures at 18:00\n"
                "sluice plot town.out --map --what flow --time max -o peak.svg   map the largest flow of each link\n"
                "sluice plot town.h5 --profile Wells,Hill --time 7:00 -o up.svg  draw the heads along a path\n"
                "sluice plot town.inp --map -o town.svg                          map the network\n"
                "sluice plot room.yaml -o room.svg                               draw an automaton over time\n"
                "sluice plot flower.yaml --phase x0,x1 --time 2.43s -o x.svg     draw its phase plane at 2.43 s\n"
                "sluice plot room.yaml --diagram -o room.dot                     write its states for Graphviz\n"
                "sluice plot plant.yaml --film executions -o film.svg            draw the states of tunnels",
    .exits = "0  success\n"
             "2  the file has errors, or lacks a selected element; PICTURE was not changed\n"
             "3  the simulation failed; PICTURE shows the results up to then\n"
             "4  wrong use of the command line, or PNG or PDF with a program that was built without cairo\n"
             "5  a file could not be read or written, or the cairo library is missing",
    .run = run,
};
