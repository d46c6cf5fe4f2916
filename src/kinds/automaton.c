/* SPDX-License-Identifier: MIT */
/* automaton.c: structured automata, discrete and hybrid, as YAML. */
#include "kinds/automaton_report.h"
#include "kinds/rows.h"

#include <math.h>
#include <stddef.h>

#include "automata/read.h"
#include "base/report.h"

enum { STEPS_MAX = 100000000 };

static const sl_option options[] = {
    {.name = "steps",
     .kind = SL_OPTION_COUNT,
     .offset = offsetof(sl_automaton_args, steps),
     .value = "N",
     .help = "of discrete automata: so many steps, also where nothing changes",
     .min = 0,
     .max = STEPS_MAX},
    {.name = "branches",
     .offset = offsetof(sl_automaton_args, branches),
     .help = "of discrete automata: all executions, where equations have several\nsolutions"},
    {.name = "relax",
     .offset = offsetof(sl_automaton_args, relax),
     .help = "of discrete automata: where equations exclude each other, executions\nbranch over the largest sets of "
             "them that do not"},
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

/* What is asked for instead of what the file says. Discrete time counts steps. */
static sl_status apply(const sl_load *load, const sl_automaton_args *args, sl_automaton *a) {
    bool discrete = sl_automaton_is_discrete(a), timed = !isnan(load->duration);
    int64_t steps = args->steps;
    if (!discrete && (steps >= 0 || args->branches || args->relax)) {
        return refuse(
            load,
            "--steps, --branches and --relax are for discrete automata, and this one moves in time: --duration ends it");
    }
    if (timed && !(load->duration >= 0.0 && (!discrete || load->duration <= STEPS_MAX))) {
        return refuse(load, "the duration makes no sense");
    }
    if (discrete && timed && steps < 0) {
        steps = (int64_t)load->duration;
    }
    if (args->relax) {
        (void)sl_automaton_set_conflicts(a, true);
    }
    if (steps >= 0) {
        return sl_automaton_set_termination(a, SL_TERMINATION_STEPS, (int32_t)steps);
    }
    sl_execution_def run = sl_execution_default();
    sl_status status = sl_automaton_get_run(a, &run);
    if (status == SL_OK && timed && !discrete) {
        run.end = load->duration;
        status = sl_automaton_set_run(a, &run);
    }
    return status;
}

static sl_status load_automaton(const sl_load *load, sl_loaded *out) {
    sl_automaton *a = NULL;
    const sl_source *source = load->source;
    sl_status status = sl_automaton_read_unfinished(load->ctx, source->bytes, source->n, source->name, load->diags, &a);
    status = status == SL_OK ? apply(load, load->args, a) : status;
    status = status == SL_OK ? sl_automaton_finish(a) : status;
    status = status == SL_OK ? sl_model_of_automaton(load->ctx, a, &out->model) : status;
    if (status != SL_OK) {
        sl_automaton_destroy(a);
        return status;
    }
    out->origin = a;
    out->release = release;
    return SL_OK;
}

static const char *const columns[] = {"variable.value", "discrete.state", NULL};

const sl_kind sl_kind_automaton = {.name = "automaton",
                                   .noun = "an automaton",
                                   .version = 1,
                                   .recognise = recognise,
                                   .load = load_automaton,
                                   .options = options,
                                   .n_option = sizeof options / sizeof *options,
                                   .args_size = sizeof(sl_automaton_args),
                                   .args_default = args_default,
                                   .driver = &sl_automaton_driver,
                                   .counted_event = "crossing",
                                   .columns = columns,
                                   .check = sl_automaton_source_check,
                                   .explain = sl_automaton_source_explain,
                                   .plot = &sl_automaton_plot};
