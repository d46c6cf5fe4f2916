/* SPDX-License-Identifier: MIT */
/* rows.h: the built-in kinds one by one: their options, what their loads leave, and what commands show of them beyond what every
 * session has.
 */
#ifndef SL_KINDS_ROWS_H
#define SL_KINDS_ROWS_H

#include "kinds/kind.h"
#include "surge/study.h"
#include "tunnel/read.h"

/* ---- Hybrid models ------------------------------------------------------------------------------ */

/* Report times of a run of n continuous variables up to `end` [s], where none are given (0). */
void sl_kind_choose_report(const sl_load *load, int32_t n, double end, double *report);

/* ---- Networks ----------------------------------------------------------------------------------- */

typedef struct sl_network_args {
    int unit; /* sl_flow_unit of results; -1: the file's */
    int rules, tanks, reactions;
    double head_error; /* [m] */
    double tank_error; /* [m] */
    int unbalanced;    /* sl_unbalanced, less one; -1: the file's */
} sl_network_args;

extern const sl_kind sl_kind_network;

/* The text of an .inp file, in the units of args; when tolerant in spite of errors. */
sl_status sl_network_load(const sl_load *load, int unit, sl_network **out);

/* SL_ERR_INPUT and a diagnostic: a run would take more steps than are allowed without --effort. */
sl_status sl_network_bound_steps(const sl_load *load, const sl_network *net);

/* What the options of a network mean. */
sl_eps_def sl_network_eps_def(const sl_load *load);

extern const sl_report_ops sl_network_report;
extern const sl_plot_ops sl_network_plot;
sl_status sl_network_check(const sl_load *load, sl_kind_facts *facts);
sl_status sl_network_info(const sl_load *load, sl_out *out, sl_json *json);

/* Transport along the hydraulics of a network, which are computed first and kept. Its options are those of a network. */
extern const sl_kind sl_kind_quality;
sl_status sl_quality_load(const sl_load *load, sl_loaded *out);

/* ---- Surges ------------------------------------------------------------------------------------- */

typedef struct sl_surge_kind_args {
    int unit; /* as above */
    sl_texts close, open, trip;
    sl_option_time step;
    const char *route;        /* FROM,TO */
    double wave_speed;        /* [m/s]; 0: not given */
    int friction, cavitation; /* -1: not given */
    bool no_envelopes, no_balances;
} sl_surge_kind_args;

/* What a load leaves: the study, and the network that it borrows. */
typedef struct sl_surge_origin {
    sl_context *ctx;
    sl_network *net; /* NULL: tolerant, and it cannot be read */
    sl_study *study;
    sl_study_route route; /* of --route, which takes the place of the study's; n == 0: none */
} sl_surge_origin;

extern const sl_kind sl_kind_surge;
extern const sl_report_ops sl_surge_study_report;
sl_status sl_surge_study_check(const sl_load *load, sl_kind_facts *facts);
sl_status sl_surge_study_info(const sl_load *load, sl_out *out, sl_json *json);

/* ---- Automata ----------------------------------------------------------------------------------- */

typedef struct sl_automaton_args {
    int64_t steps; /* of a discrete one; -1: by its rule */
    bool relax;    /* transitions that exclude each other are a choice */
    bool branches; /* all executions are followed */
} sl_automaton_args;

/* A load leaves the sl_automaton. */
extern const sl_kind sl_kind_automaton;
extern const sl_plot_ops sl_automaton_plot;

bool sl_automaton_fits(const sl_report_def *def, char why[SL_REFUSAL_MAX]);
sl_status sl_automaton_ending(const sl_model *model, sl_session *session, sl_arena *arena, sl_ending *out);
bool sl_automaton_asks_branches(const void *load_args);
sl_status sl_automaton_explore(const sl_model *model, sl_status (*run)(void *user, const sl_model *execution),
                               void *user, sl_diags *diags);

sl_status sl_automaton_source_check(const sl_load *load, const sl_check_set *set, sl_kind_facts *facts);
/* "q=1,p=0" into known, which is -1 where nothing is known; "t=2" into t, if that is there. False: diags say why. option: the name
 * of the option, for messages. */
bool sl_automaton_read_states(const sl_automaton *a, const char *option, const char *text, int32_t *known, int32_t *t,
                              sl_diags *diags);
/* SL_ERR_INPUT: the file or the mode is wrong. SL_ERR_SOLVE: the run failed before that time; nothing is written. */
sl_status sl_automaton_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink);

/* ---- Tunnels ------------------------------------------------------------------------------------ */

extern const sl_kind sl_kind_tunnel;
/* What the file says, with what the options say instead. */
sl_status sl_tunnel_study_load(const sl_load *load, sl_tunnel_study **out);
extern const sl_plot_ops sl_tunnel_plot;
sl_status sl_tunnel_check(const sl_load *load, sl_kind_facts *facts);
sl_status sl_tunnel_info(const sl_load *load, sl_out *out, sl_json *json);
/* All rows of a small network, or those of valves and tunnels that were asked for; those in force at a time, or in a mode. */
sl_status sl_tunnel_explain(const sl_load *load, const sl_page_def *def, const sl_sink *sink);

/* Pictures of what a run of any kind records. */
extern const sl_plot_ops sl_run_plot;

#endif
