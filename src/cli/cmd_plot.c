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
                   "these nodes over time: ids at commas, or ALL; may be given several times")},
    {SL_OPTION_ROW("link", 'l', TEXTS, plot_args, link, "ID", "these links over time")},
    {SL_OPTION_ROW("map", 'm', FLAG, plot_args, map, NULL, "the network as a map, coloured by the quantity")},
    {SL_OPTION_ROW("profile", 'p', TEXT, plot_args, profile, "FROM,TO",
                   "heads along the shortest line of links between two nodes; or along a route\n"
                   "whose heads the result has, by its name; of tunnels the water between two valves")},
    {SL_OPTION_ROW("via", 0, TEXTS, plot_args, via, "ID,...",
                   "nodes that the line of a profile passes, in their order")},
    {SL_OPTION_ROW("variable", 0, TEXTS, plot_args, variable, "PATTERN",
                   "values over time by name: 'node.*.head', 'pump.P1.*'; `sluice vars` lists them")},
    {SL_OPTION_ROW("what", 'w', TEXTS, plot_args, what, "QUANTITY",
                   "pressure (default of nodes and maps), head, demand, quality; flow (of links),\n"
                   "velocity, headloss, status, setting, ...; over time several at commas;\n"
                   "on maps also elevation and diameter")},
    {SL_OPTION_ROW("output", 'o', TEXT, plot_args, output, "FILE",
                   "the picture: .svg, .png or .pdf; - is SVG on standard output; diagrams also .dot")},
    {SL_OPTION_ROW("time", 't', TIME, plot_args, time, "TIME",
                   "the moment of a map or profile: 6:00, 90min; or max, min, mean: that of each\n"
                   "element over the run (default: the first report); of a phase plane: 2.5s\n"
                   "(default: the end)"),
     .words = moments, .may_count = true},
    {SL_OPTION_ROW("from", 0, TIME, plot_args, from, "TIME", "over time: begin here; of a discrete automaton 5steps"),
     .may_count = true},
    {SL_OPTION_ROW("until", 0, TIME, plot_args, until, "TIME", "over time: end here"), .may_count = true},
    {SL_OPTION_ROW("network", 0, TEXT, plot_args, network, "FILE.inp",
                   "the model with the coordinates, when the result's own is not where it was")},
    {SL_OPTION_ROW("range", 0, TEXT, plot_args, range, "LOW:HIGH",
                   "ends of the value axis or of the colours: 20:80, 0: (only the lower), :5")},
    {SL_OPTION_ROW("size", 0, TEXT, plot_args, size, "WxH", "pixels: 900x600 (default: as fits)")},
    {SL_OPTION_ROW("title", 0, TEXT, plot_args, title, "TEXT", "instead of the model's")},
    {.name = "dark", .offset = offsetof(plot_args, dark), .help = "light on dark"},
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
        {args->output, "say where to draw: -o picture.svg (or .png, .pdf, or - for SVG on standard output)"},
        {args->output && (is_dot(args->output) || read_format(args->output, &def->format)),
         "the picture's name is to end in .svg, .png or .pdf (a diagram's also in .dot)"},
        {read_size(args->size, def), "--size is two numbers of pixels, 200 to 16000 each: 900x600"},
        {read_range(args->range, def), "--range is two numbers with a colon between, the lower one first: 20:80"},
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
        {!is_dot(args->output ? args->output : ""), "the picture's name is to end in .svg, .png or .pdf"},
        {(args->map || args->profile) + (args->node.n + args->link.n + args->variable.n > 0) <= 1 &&
             !(args->map && args->profile),
         "one picture at a time: --node, --link and --variable over time, a --map, or a --profile"},
        {over_time || (!args->from.is_given && !args->until.is_given),
         "--from and --until are for charts over time; maps and profiles take --time"},
        {!over_time || !args->time.is_given,
         "--time is for maps and profiles; charts over time take --from and --until"},
        {!args->profile || !args->time.word, "the --time of a profile is a time: 6:00, 90min"},
        {!args->profile || args->what.n == 0, "a profile shows heads: it has no --what"},
        {!args->map || args->what.n <= 1, "a map shows one quantity"},
        {args->profile || args->via.n == 0, "--via is for a --profile"},
        {fill_route(args, r), "--profile takes two nodes: --profile FROM,TO, and --via what lies between"},
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
        sl_cli_message(cli,
                       "%s has no coordinates in it, and its model%s%s is not there: name it by --network FILE.inp",
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
        code = sl_args_wrong(cli, command, "--%s is for models, and %s is none%s", kinds->given[0], result->name,
                             o.kind ? "" : "; the model that it names is not there");
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
    .summary = "draw results over time, along a line or as a map",
    .usage = "plot [--node ID | --link ID | --profile FROM,TO | --map] [OPTIONS] FILE -o PICTURE",
    .about =
        "Draws a result (.out, .csv, .json, .h5 of any model): quantities over time, heads along a line through the\n"
        "network, or the network at a moment. Many elements become bands: from least to most, the middle 80 %, the\n"
        "median. A model is run first; the map of a network (.inp) without --time is the bare network. Values are in\n"
        "the units of the result.\n"
        "An automaton (.yaml) is run and drawn: variables over time, states, a phase plane, or a diagram of states.\n"
        "Of tunnels (.yaml) there are also a long --profile with the water in them, and their discrete states as a\n"
        "--diagram or a --film; both also from their results (.json, .h5).",
    .options = SL_OPTION_TABLE(options, plot_args, NULL),
    .kind_options = SL_OPTIONS_OF_PLOT,
    .operands = {"FILE"},
    .examples = "sluice plot town.out --node J1,J2,J3 -o pressure.svg            three nodes\n"
                "sluice plot town.out --node ALL -o pressure.png                 all of them, as bands\n"
                "sluice plot town.out --link P1 --what velocity -o p1.pdf        a pipe\n"
                "sluice plot town.out --map --time 18:00 -o evening.svg          pressures in the evening\n"
                "sluice plot town.out --map --what flow --time max -o peak.svg   the largest flow of every pipe\n"
                "sluice plot town.h5 --profile Wells,Hill --time 7:00 -o up.svg  heads along a line\n"
                "sluice plot town.inp --map -o town.svg                          the network\n"
                "sluice plot room.yaml -o room.svg                               an automaton over time\n"
                "sluice plot flower.yaml --phase x0,x1 --time 2.43s -o x.svg     its phase plane at 2.43 s\n"
                "sluice plot room.yaml --diagram -o room.dot                     its states, for Graphviz\n"
                "sluice plot plant.yaml --film executions -o film.svg            what happens in tunnels, by pictures",
    .exits = "0  fine\n"
             "2  the file cannot be read, or what is asked for is not in it; PICTURE was not touched\n"
             "3  the run of a model failed; PICTURE shows it up to there\n"
             "4  wrong use, or PNG and PDF in a program that was built without cairo\n"
             "5  a file could not be read or written, or the cairo library is missing",
    .run = run,
};
