/* SPDX-License-Identifier: MIT */
/* automaton.c: structured automata, discrete and hybrid, as YAML. */
#include "kinds/rows.h"

#include <math.h>
#include <stddef.h>

#include "automata/read.h"
#include "base/report.h"

enum { STEPS_MAX = 100000000 };

static const sl_option options[] = {
    {SL_OPTION_ROW("steps", 0, COUNT, sl_automaton_args, steps, "N",
                   "number of steps of a discrete automaton, also when it has settled"),
     .min = 0, .max = STEPS_MAX},
    {SL_OPTION_ROW("branches", 0, FLAG, sl_automaton_args, branches, NULL,
                   "compute every execution where the equations have several solutions, not just one")},
    {SL_OPTION_ROW(
        "relax", 0, FLAG, sl_automaton_args, relax, NULL,
        "continue where equations contradict each other: compute one execution for each\nlargest consistent set of them")},
};

static void args_default(void *args) {
    *(sl_automaton_args *)args = (sl_automaton_args){.steps = -1};
}

static bool recognise(const sl_kind_head *head) {
    return sl_kind_head_has_key(head, "automaton");
}

static void release(void *origin) {
    sl_automaton_destroy(origin);
}

static sl_status refuse(const sl_load *load, const char *text) {
    sl_text_location place = {.file = load->source->name};
    sl_report(load->diags, SL_ERROR, SL_CODE_NOT_ALLOWED, &place, NULL, NULL, NULL, "%s", text);
    return SL_ERR_USE;
}

/* How it is run: as the file says, but for what is asked for. Discrete time counts steps. */
static sl_status find_run(const sl_load *load, const sl_automaton *a, sl_execution_def *run) {
    const sl_automaton_args *args = load->args;
    bool discrete = sl_automaton_is_discrete(a), timed = !isnan(load->duration);
    double count = discrete && load->step > 0.0 ? load->duration / load->step : load->duration;
    if (!discrete && args->steps >= 0) {
        return refuse(load, "--steps is for discrete automata, and this one moves in time: --duration ends it");
    }
    if (timed && !(discrete ? count >= 0.0 && count <= STEPS_MAX : count > 0.0)) {
        return refuse(load, discrete ? "the duration is not within 0 and 100 000 000 steps"
                                     : "the duration must be more than 0 s");
    }
    sl_status status = sl_automaton_get_run(a, run);
    if (discrete && (args->steps >= 0 || timed)) {
        run->n_step = (int32_t)(args->steps >= 0 ? args->steps : (int64_t)floor(count + 1e-9));
    } else if (timed) {
        run->end = load->duration;
    }
    run->report = load->every > 0.0 ? load->every : run->report;
    if (!discrete) {
        sl_kind_choose_report(load, sl_automaton_n_continuous(a), run->end, &run->report);
    }
    run->relax = run->relax || args->relax;
    return status;
}

static sl_status load_automaton(const sl_load *load, sl_loaded *out) {
    sl_automaton *a = NULL;
    sl_execution_def run = sl_execution_default();
    const sl_source *source = load->source;
    sl_status status = sl_automaton_read(load->ctx, source->bytes, source->n, source->name, load->diags, &a);
    status = status == SL_OK ? find_run(load, a, &run) : status;
    status = status == SL_OK ? sl_automaton_set_run(a, &run) : status; /* its executions are run so too */
    status = status == SL_OK ? sl_model_of_automaton(load->ctx, a, &out->model) : status;
    if (status != SL_OK) {
        sl_automaton_destroy(a);
        return status;
    }
    out->origin = a;
    out->release = release;
    return SL_OK;
}

static const char *const forms[] = {"yaml", NULL};

static sl_status write_automaton(const sl_load *load, const sl_sink *sink) {
    sl_automaton *a = NULL;
    const sl_source *source = load->source;
    sl_status status = sl_automaton_read(load->ctx, source->bytes, source->n, source->name, load->diags, &a);
    status = status == SL_OK ? sl_automaton_write(a, sink) : status;
    sl_automaton_destroy(a);
    return status;
}

const sl_kind sl_kind_automaton = {.name = "automaton",
                                   .noun = "an automaton",
                                   .version = 1,
                                   .recognise = recognise,
                                   .load = load_automaton,
                                   .forms = forms,
                                   .write = write_automaton,
                                   .sets_reports = true,
                                   .options = SL_OPTION_TABLE(options, sl_automaton_args, args_default),
                                   .branches = sl_automaton_asks_branches,
                                   .explore = sl_automaton_explore,
                                   .counted_event = "crossing",
                                   .fits = sl_automaton_fits,
                                   .ending = sl_automaton_ending,
                                   .check_set = sl_automaton_source_check,
                                   .explain = sl_automaton_explain,
                                   .plot = &sl_automaton_plot};
