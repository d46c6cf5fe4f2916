/* SPDX-License-Identifier: MIT */
/* plot_automaton.c: see plot_automaton.h. An execution that fails on the way is drawn up to there, and told. */
#include "cli/plot_automaton.h"

#include <math.h>
#include <string.h>

#include <sluice/units.h>

#include "base/number.h"
#include "cli/input.h"
#include "cli/output.h"

/* ---- Values of options -------------------------------------------------------------------------- */

/* Seconds as a plain number, or any time with a unit or colons. */
static bool read_seconds(const char *text, double *seconds) {
    return !text ||
           (sl_number_parse(sl_str_z(text), seconds) == SL_NUMBER_OK && *seconds >= 0.0 && isfinite(*seconds)) ||
           sl_time_parse_text(sl_str_z(text), seconds) == SL_OK;
}

enum { LIST = 64 };

typedef struct list {
    const char *at[LIST];
    int32_t n;
    char text[2000];
    size_t used;
    bool full;
} list;

/* Names at commas; brackets hold commas of their own: end[0,1]. */
static void add_names(list *l, const char *text) {
    while (*text && !l->full) {
        size_t n = 0;
        for (int depth = 0; text[n] && (text[n] != ',' || depth > 0); n++) {
            depth += (text[n] == '[') - (text[n] == ']');
        }
        l->full = l->n == LIST || l->used + n + 1 > sizeof l->text;
        if (!l->full && n > 0) {
            l->at[l->n++] = memcpy(l->text + l->used, text, n);
            l->used += n;
            l->text[l->used++] = '\0';
        }
        text += n + (text[n] == ',');
    }
}

typedef struct job {
    sl_plot_automaton_def def;
    list names, plane;
    sl_input input;
    sl_status run;
} job;

static const char *fill_def(job *j, const sl_automaton_plot *plot) {
    const sl_plot_automaton_args *args = plot->args;
    sl_plot_automaton_def *def = &j->def;
    *def = sl_plot_automaton_default();
    for (int i = 0; i < args->over_time.n; i++) {
        add_names(&j->names, args->over_time.at[i]);
    }
    add_names(&j->plane, args->phase ? args->phase : "");
    bool phase = args->phase != NULL, over_time = !phase && !args->diagram;
    const struct {
        bool fine;
        const char *wrong;
    } checks[] = {
        {(args->over_time.n > 0) + phase + args->states + args->diagram <= 1,
         "one picture at a time: --over-time, --states, --phase or --diagram"},
        {!j->names.full && !j->plane.full, "these are too many names"},
        {!phase || j->plane.n == 2, "--phase takes the names of two variables: --phase x,y"},
        {read_seconds(plot->time, &def->time) && read_seconds(plot->from, &def->from) &&
             read_seconds(plot->to, &def->to),
         "--time, --from and --to are times in seconds, or with a unit: 2.5, '90 min', 1:30"},
        {phase || !plot->time, "--time is the moment of a --phase plane; charts over time take --from and --to"},
        {over_time || !plot->from, "--from is for charts over time"},
        {phase || (!args->equal && args->where.n == 0), "--where and --equal are for the --phase plane"},
        {args->diagram || !args->reached, "--reached is for a --diagram"},
        {!args->diagram || (isnan(plot->page->low) && isnan(plot->page->high)), "a --diagram has no --range"},
        {args->diagram || !plot->dot, "only a --diagram can be written for Graphviz"},
        {!phase || args->steps < 0, "--steps is for discrete time; a --phase plane has none"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].fine) {
            return checks[i].wrong;
        }
    }
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

/* ---- The picture -------------------------------------------------------------------------------- */

static sl_status make(sl_cli *cli, void *user, const sl_sink *sink) {
    job *j = user;
    return sl_plot_automaton(cli->ctx, j->input.bytes.at, (size_t)j->input.bytes.n, j->input.name, &j->def,
                             j->input.diags, sink, &j->run);
}

int sl_plot_automaton_file(sl_cli *cli, const sl_command *command, const sl_automaton_plot *plot, const char *path) {
    job j = {.run = SL_OK};
    const char *wrong = fill_def(&j, plot);
    if (wrong) {
        return sl_args_wrong(cli, command, "%s", wrong);
    }
    int code = sl_input_open(cli, path, &j.input);
    if (code == SL_EXIT_FINE) {
        code = sl_output_make(cli, plot->output, make, &j);
        code = code == SL_EXIT_FINE && j.run != SL_OK ? sl_exit_of(cli, j.run) : code;
    }
    if (j.input.diags && code < SL_EXIT_SIGNAL) {
        sl_show_diags(cli, j.input.diags, &(sl_show_options){.to_stderr = true});
    }
    sl_input_close(&j.input);
    return code;
}
