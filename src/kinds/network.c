/* SPDX-License-Identifier: MIT */
/* network.c: networks under pressure as .inp text, in extended-period simulation. */
#include "kinds/network_explain.h"
#include "kinds/rows.h"

#include <math.h>
#include <stddef.h>

#include <sluice/network_io.h>

#include "network/words.h"

static const char *const readings[] = {"epanet", "precedence", NULL};        /* sl_rule_reading */
static const char *const updates[] = {"auto", "explicit", "implicit", NULL}; /* sl_tank_update */
static const char *const steps[] = {"explicit", "exact", NULL};              /* sl_reaction_step */

static const char *const unbalanced[] = {"stop", "continue", NULL}; /* sl_unbalanced, from STOP on */

static const sl_option options[] = {
    {SL_OPTION_ROW("units", 'u', WORD, sl_network_args, unit, "UNIT",
                   "show results in CFS, GPM, MGD, IMGD, AFD (feet, psi), LPS, LPM,\nMLD, CMH, CMD or CMS (metres)"),
     .words = sl_flow_words},
    {SL_OPTION_ROW(
         "rule-logic", 0, WORD, sl_network_args, rules, "HOW",
         "meaning of A OR B AND C in rules: epanet (from left to right, default) or\nprecedence (AND before OR)"),
     .words = readings},
    {SL_OPTION_ROW(
         "tanks", 0, WORD, sl_network_args, tanks, "HOW",
         "integration of tank levels: explicit (as EPANET), implicit, or auto\n(default: substeps where the explicit step is unstable)"),
     .words = updates},
    {SL_OPTION_ROW("reactions", 0, WORD, sl_network_args, reactions, "HOW",
                   "integration of reactions over a quality step: explicit (Euler, default,\n"
                   "the numbers of EPANET) or exact (exponential decay; other reactions to\n"
                   "fourth order)"),
     .words = steps},
    {SL_OPTION_ROW("head-error", 0, NUMBER, sl_network_args, head_error, "METRES",
                   "largest head-loss error of a balanced link [m]")},
    {SL_OPTION_ROW("tank-error", 0, NUMBER, sl_network_args, tank_error, "METRES",
                   "largest error of a tank level in one step [m], default 0.05;\nsubsteps are shortened to meet it")},
    {SL_OPTION_ROW("unbalanced", 0, WORD, sl_network_args, unbalanced, "WHAT",
                   "action at a step that is not balanced: stop or continue (default, unless\n"
                   "the file says UNBALANCED STOP); the exit code is 3 in both cases"),
     .words = unbalanced},
};

static void args_default(void *args) {
    *(sl_network_args *)args = (sl_network_args){.unit = -1, .unbalanced = -1};
}

static bool recognise(const sl_kind_head *head) {
    return sl_kind_head_has_heading(head);
}

sl_status sl_network_load(const sl_load *load, int unit, sl_network **out) {
    sl_inp_read_def def = sl_inp_read_default();
    sl_network *net = NULL;
    def.name = load->source->name;
    def.tolerant = load->tolerant;
    def.no_map = load->no_map;
    *out = NULL;
    sl_status status = sl_inp_read(load->ctx, load->source->bytes, load->source->n, &def, load->diags, &net);
    if (status == SL_OK && unit >= 0) {
        sl_network *converted = NULL;
        status = sl_network_with_units(load->ctx, net, (sl_flow_unit)unit, load->diags, &converted);
        sl_network_destroy(net);
        net = converted;
    }
    *out = net;
    return status;
}

sl_eps_def sl_network_eps_def(const sl_load *load) {
    const sl_network_args *args = load->args;
    sl_eps_def def = sl_eps_default();
    def.rules = (sl_rule_reading)args->rules;
    def.tanks = (sl_tank_update)args->tanks;
    def.reactions = (sl_reaction_step)args->reactions;
    def.head_error = args->head_error;
    def.tank_error = args->tank_error;
    def.unbalanced = (sl_unbalanced)(args->unbalanced + 1);
    def.duration = isnan(load->duration) ? def.duration : load->duration;
    return def;
}

static void release(void *origin) {
    sl_network_destroy(origin);
}

/* When tolerant, the network alone: it may have errors. */
static sl_status load_network(const sl_load *load, sl_loaded *out) {
    const sl_network_args *args = load->args;
    const sl_eps_def def = sl_network_eps_def(load);
    sl_network *net = NULL;
    sl_status status = sl_network_load(load, args->unit, &net);
    if (status == SL_OK && !load->tolerant) {
        status = sl_network_bound_steps(load, net);
    }
    if (status == SL_OK && !load->tolerant) {
        status = sl_model_from_network(load->ctx, net, &def, load->diags, &out->model);
    }
    if (status != SL_OK) {
        sl_network_destroy(net);
        return status;
    }
    out->origin = net;
    out->release = release;
    return SL_OK;
}

static const char *const forms[] = {"inp", "json", "geojson", NULL};

const sl_kind sl_kind_network = {.name = "network",
                                 .noun = "a network",
                                 .version = 1,
                                 .recognise = recognise,
                                 .load = load_network,
                                 .options = SL_OPTION_TABLE(options, sl_network_args, args_default),
                                 .forms = forms,
                                 .engine = "eps",
                                 .report = &sl_network_report,
                                 .check = sl_network_check,
                                 .info = sl_network_info,
                                 .explain = sl_network_explain,
                                 .plot = &sl_network_plot};

static const char *const taken[] = {"network", NULL};

const sl_kind sl_kind_quality = {.name = "quality",
                                 .noun = "transport with stored hydraulics",
                                 .takes = taken,
                                 .load = sl_quality_load,
                                 .options = SL_OPTION_TABLE(options, sl_network_args, args_default),
                                 .engine = "quality",
                                 .report = &sl_network_report};
