/* SPDX-License-Identifier: MIT */
/* automaton_picture.c: options of pictures of an automaton. An execution that fails is drawn up to the failure, which is reported. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "automata/read.h"
#include "base/report.h"
#include "kinds/name_list.h"
#include "kinds/rows.h"

typedef struct plot_args {
    sl_texts over_time, where;
    const char *phase;
    int64_t steps; /* -1: not given */
    bool states, diagram, reached, equal;
} plot_args;

static void args_default(void *args) {
    *(plot_args *)args = (plot_args){.steps = -1};
}

static const sl_option options[] = {
    {SL_OPTION_ROW("over-time", 0, TEXTS, plot_args, over_time, "NAMES",
                   "draw these variables over time, separated by commas: continuous ones as curves,\n"
                   "discrete ones as lanes; default: all")},
    {SL_OPTION_ROW("states", 0, FLAG, plot_args, states, NULL, "draw all discrete variables over time")},
    {SL_OPTION_ROW("phase", 0, TEXT, plot_args, phase, "X,Y",
                   "draw one continuous variable over another: the trajectory up to --time, and the\n"
                   "directions of motion and the roots at that time")},
    {SL_OPTION_ROW("where", 0, TEXTS, plot_args, where, "COND",
                   "shade the region of the phase plane where this condition holds:\n'x0 + x1 <= 0 & x1 > 0'")},
    {SL_OPTION_ROW("equal", 0, FLAG, plot_args, equal, NULL, "use one scale for both axes of the phase plane")},
    {SL_OPTION_ROW("diagram", 0, FLAG, plot_args, diagram, NULL,
                   "draw the states and transitions, at most 200 states")},
    {SL_OPTION_ROW("reached", 0, FLAG, plot_args, reached, NULL,
                   "limit the diagram to states that executions from the start reach")},
    {SL_OPTION_ROW("steps", 0, COUNT, plot_args, steps, "N",
                   "number of discrete steps, also when the automaton has settled"),
     .min = 0, .max = 100000},
};

/* ---- Values of options -------------------------------------------------------------------------- */

static void take_time(const sl_option_time *time, double *to) {
    *to = time->is_given ? time->value : *to;
}

typedef struct job {
    sl_plot_automaton_def def;
    sl_name_list names, plane;
} job;

static const char *fill_def(job *j, const sl_picture_def *plot) {
    const plot_args *args = plot->args;
    sl_plot_automaton_def *def = &j->def;
    *def = sl_plot_automaton_default();
    for (int i = 0; i < args->over_time.n; i++) {
        sl_name_list_add(&j->names, args->over_time.at[i]);
    }
    sl_name_list_add(&j->plane, args->phase ? args->phase : "");
    bool phase = args->phase != NULL, over_time = !phase && !args->diagram;
    const struct {
        bool fine;
        const char *wrong;
    } checks[] = {
        {(args->over_time.n > 0) + phase + args->states + args->diagram <= 1,
         "a command draws one picture: --over-time, --states, --phase or --diagram"},
        {!j->names.full && !j->plane.full, "there are too many names; draw fewer variables"},
        {!phase || j->plane.n == 2, "--phase takes the names of two variables: --phase x,y"},
        {phase || !plot->time.is_given, "--time applies to a --phase plane; charts over time take --from and --until"},
        {!plot->time.word, "--time of a --phase plane must be a time, such as 2.5s, 90min or 1:30"},
        {over_time || !plot->from.is_given, "--from applies to charts over time"},
        {phase || (!args->equal && args->where.n == 0), "--where and --equal apply to a --phase plane only"},
        {args->diagram || !args->reached, "--reached applies to a --diagram only"},
        {!args->diagram || (isnan(plot->page->low) && isnan(plot->page->high)),
         "a --diagram has no axes; omit --range"},
        {args->diagram || !plot->dot, "only a --diagram can be written for Graphviz"},
        {!phase || args->steps < 0, "--steps applies to discrete time, and a --phase plane needs continuous time"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].fine) {
            return checks[i].wrong;
        }
    }
    take_time(&plot->time, &def->time);
    take_time(&plot->from, &def->from);
    take_time(&plot->to, &def->to);
    def->kind = phase ? SL_AUTOMATON_PHASE : args->diagram ? SL_AUTOMATON_DIAGRAM : SL_AUTOMATON_OVER_TIME;
    def->format = plot->page->format;
    def->dot = plot->dot;
    def->n_step = (int32_t)args->steps;
    def->names = j->names.at;
    def->n_name = j->names.n;
    def->states = args->states;
    def->plane[0] = j->plane.at[0];
    def->plane[1] = j->plane.at[1];
    def->where = args->where.at;
    def->n_where = args->where.n;
    def->equal = args->equal;
    def->reached = args->reached;
    def->low = plot->page->low;
    def->high = plot->page->high;
    def->width = plot->page->width;
    def->height = plot->page->height;
    def->title = plot->page->title;
    def->dark = plot->page->dark;
    return NULL;
}

/* ---- Functions of the row ----------------------------------------------------------------------- */

static bool fits(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]) {
    job j = {0};
    (void)name;
    const char *wrong = def->map || def->elements
                            ? "an automaton has no nodes or links; use --over-time, --states, --phase or --diagram"
                            : fill_def(&j, def);
    (void)sl_format(why, SL_REFUSAL_MAX, "%s", wrong ? wrong : "");
    return !wrong;
}

/* Are the times in the automaton's unit? What is wrong with the file is reported when it is drawn. */
static sl_status check_times(const sl_load *load, const sl_picture_def *def) {
    char why[SL_OPTION_ERROR_MAX];
    sl_automaton *a = NULL;
    if (!def->time.is_given && !def->from.is_given && !def->to.is_given) {
        return SL_OK;
    }
    const sl_source *source = load->source;
    sl_status status = sl_automaton_read(load->ctx, source->bytes, source->n, source->name, NULL, &a);
    bool steps = status == SL_OK && sl_automaton_is_discrete(a);
    bool fine = status != SL_OK || (sl_option_time_fits("--time", &def->time, steps, why) &&
                                    sl_option_time_fits("--from", &def->from, steps, why) &&
                                    sl_option_time_fits("--until", &def->to, steps, why));
    sl_automaton_destroy(a);
    if (!fine) {
        sl_report(load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, &(sl_text_location){.file = source->name}, NULL, NULL,
                  NULL, "%s", why);
    }
    return fine ? SL_OK : SL_ERR_UNSUPPORTED;
}

static sl_status draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    job j = {0};
    const sl_source *source = load->source;
    (void)fill_def(&j, def); /* it fits */
    sl_status status = check_times(load, def);
    return status != SL_OK
               ? status
               : sl_plot_automaton(load->ctx, source->bytes, source->n, source->name, &j.def, load->diags, sink, run);
}

const sl_plot_ops sl_automaton_plot = {
    .options = SL_OPTION_TABLE(options, plot_args, args_default), .fits = fits, .draw = draw};
