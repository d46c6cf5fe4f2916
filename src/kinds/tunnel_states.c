/* SPDX-License-Identifier: MIT */
/* tunnel_states.c: state diagrams of tunnels at a moment, and films: frames for the discrete steps of a run, of its result, or of
 * executions of the discrete model alone.
 */
#include "kinds/tunnel_picture.h"

#include <math.h>
#include <string.h>

#include "base/count_text.h"
#include "base/out.h"
#include "base/report.h"
#include "kinds/name_list.h"
#include "plot/flow_state.h"

enum { FILM_STEPS = 0, FILM_EXECUTIONS, FRAMES_MAX = 120, LINE = 200 };

/* Some valves and pipes of the network, numbered anew. */
typedef struct part {
    int32_t *valves, *pipes; /* [n_valve], [n_pipe] */
    int32_t *number;         /* [valves of the network] -1: not shown */
    int32_t n_valve, n_pipe;
} part;

typedef struct job {
    sl_tunnel_picture p;
    const sl_tunnel_plot_args *args;
    part part;
    bool alone; /* the discrete model */
} job;

/* ---- Options ------------------------------------------------------------------------------------ */

bool sl_tunnel_states_fit(const sl_picture_def *def, char why[SL_REFUSAL_MAX]) {
    const sl_tunnel_plot_args *a = def->args;
    bool alone = a->control.n > 0 || a->state.n > 0, film = a->film >= 0;
    const struct {
        bool fine;
        const char *wrong;
    } checks[] = {
        {!(a->diagram && film) && !def->map,
         "a command draws one picture: --diagram, --film, --profile or values over time"},
        {a->diagram || film, "--control and --state apply to a --diagram or a --film"},
        {!(alone && (def->time.is_given || def->from.is_given || def->to.is_given)),
         "--control and --state run the discrete model without time; omit --time, --from and --until"},
        {!(alone && def->results), "--control and --state apply to models, not to results"},
        {!film || !def->time.is_given, "a --film takes --from and --until; --time applies to a --diagram"},
        {film || (!def->from.is_given && !def->to.is_given),
         "a --diagram takes --time; --from and --until apply to a --film"},
        {!def->time.word, "--time of a diagram must be a time, such as 20s, 90min or 1:30"},
        {!def->elements || def->nodes->n > 0, "a diagram selects valves only: --node A,B"},
        {isnan(def->page->low) && isnan(def->page->high), "a diagram has no axes; omit --range"},
        {!def->dot, "the diagram of tunnels must be a picture: .svg, .png or .pdf"},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        if (!checks[i].fine) {
            (void)sl_format(why, SL_REFUSAL_MAX, "%s", checks[i].wrong);
            return false;
        }
    }
    return true;
}

/* ---- What is shown ------------------------------------------------------------------------------ */

/* The valves that were asked for, and those that pipes join with them; all, if none were. */
static sl_status choose(job *j) {
    const sl_tunnel_network *net = j->p.net;
    part *shown = &j->part;
    const sl_texts *nodes = j->p.def->nodes;
    shown->valves = sl_arena_alloc(&j->p.arena, ((size_t)net->n_valve + 1) * sizeof *shown->valves);
    shown->pipes = sl_arena_alloc(&j->p.arena, ((size_t)net->n_pipe + 1) * sizeof *shown->pipes);
    shown->number = sl_arena_alloc(&j->p.arena, ((size_t)net->n_valve + 1) * sizeof *shown->number);
    uint8_t *asked = sl_arena_alloc(&j->p.arena, (size_t)net->n_valve + 1);
    if (!shown->valves || !shown->pipes || !shown->number || !asked) {
        return SL_ERR_MEMORY;
    }
    sl_name_list list = {.n = 0};
    for (int i = 0; nodes && i < nodes->n; i++) {
        sl_name_list_add(&list, nodes->at[i]);
    }
    for (int32_t i = 0; i < list.n; i++) {
        int32_t v = sl_ids_find(net->valve_ids, sl_str_z(list.at[i]));
        if (v < 0) {
            int32_t near = sl_ids_nearest(net->valve_ids, sl_str_z(list.at[i]));
            const char *hint =
                near >= 0 ? sl_arena_format(&j->p.arena, "did you mean %s?", sl_ids_z(net->valve_ids, near)) : NULL;
            return sl_tunnel_picture_refuse(&j->p, SL_CODE_UNKNOWN_NAME, hint, list.at[i], "there is no such valve");
        }
        asked[v] |= 1;
    }
    for (int32_t i = 0; i < net->n_pipe; i++) {
        const sl_tunnel_end *ends = net->pipes[i].ends;
        if (list.n == 0 || (asked[ends[0].valve] & 1) || (asked[ends[1].valve] & 1)) {
            shown->pipes[shown->n_pipe++] = i;
            asked[ends[0].valve] |= 2;
            asked[ends[1].valve] |= 2;
        }
    }
    for (int32_t v = 0; v < net->n_valve; v++) {
        bool visible = list.n == 0 || asked[v];
        shown->number[v] = visible ? shown->n_valve : -1;
        if (visible) {
            shown->valves[shown->n_valve++] = v;
        }
    }
    return SL_OK;
}

static uint16_t word_if(const uint8_t *o, int bit, int word) {
    return (uint16_t)(o[bit] ? 1u << word : 0u);
}
static uint8_t is_if(const uint8_t *o, int bit, int flag, bool value) {
    return (uint8_t)((o[bit] != 0) == value ? flag : 0);
}

static sl_flow_mark valve_mark(const uint8_t *o) {
    return (sl_flow_mark){(uint16_t)(word_if(o, SL_VALVE_SEED, SL_FLOW_SEED) | word_if(o, SL_VALVE_COLL, SL_FLOW_COLL) |
                                     word_if(o, SL_VALVE_REC, SL_FLOW_REC)),
                          is_if(o, SL_VALVE_JOINT, SL_FLOW_WET, true)};
}

static sl_flow_mark tub_mark(const uint8_t *o) {
    return (sl_flow_mark){
        (uint16_t)(word_if(o, SL_TUB_BRANCH, SL_FLOW_BRANCH) | word_if(o, SL_TUB_SEED, SL_FLOW_SEED) |
                   word_if(o, SL_TUB_CUT, SL_FLOW_CUT) | word_if(o, SL_TUB_REC, SL_FLOW_REC) |
                   word_if(o, SL_TUB_LEGCTL, SL_FLOW_LEGCTL) | word_if(o, SL_TUB_FLOWCTL, SL_FLOW_FLOWCTL) |
                   word_if(o, SL_TUB_OPENCTL, SL_FLOW_OPENCTL)),
        (uint8_t)(is_if(o, SL_TUB_LEG, SL_FLOW_WET, true) | is_if(o, SL_TUB_JOINT, SL_FLOW_JOINED, true) |
                  is_if(o, SL_TUB_FLOW, SL_FLOW_BACK, true) | is_if(o, SL_TUB_SRC, SL_FLOW_SOURCE, true) |
                  is_if(o, SL_TUB_OPEN, SL_FLOW_SHUT, false))};
}

static sl_flow_mark mid_mark(const uint8_t *o) {
    return (sl_flow_mark){(uint16_t)(word_if(o, SL_MID_BRANCH, SL_FLOW_BRANCH) | word_if(o, SL_MID_COLL, SL_FLOW_COLL) |
                                     word_if(o, SL_MID_REC, SL_FLOW_REC) | word_if(o, SL_MID_CTL, SL_FLOW_CTL)),
                          is_if(o, SL_MID_JOINT, SL_FLOW_WET, true)};
}

static sl_flow_mark end_mark(const uint8_t *o) {
    return (sl_flow_mark){
        (uint16_t)(word_if(o, SL_END_BRANCH, SL_FLOW_BRANCH) | word_if(o, SL_END_SEED, SL_FLOW_SEED) |
                   word_if(o, SL_END_CUT, SL_FLOW_CUT) | word_if(o, SL_END_REC, SL_FLOW_REC) |
                   word_if(o, SL_END_LEGCTL, SL_FLOW_LEGCTL) | word_if(o, SL_END_FLOWCTL, SL_FLOW_FLOWCTL) |
                   word_if(o, SL_END_OPENCTL, SL_FLOW_OPENCTL)),
        (uint8_t)(is_if(o, SL_END_LEG, SL_FLOW_WET, true) | is_if(o, SL_END_JOINT, SL_FLOW_JOINED, true) |
                  is_if(o, SL_END_FLOW, SL_FLOW_BACK, true) | is_if(o, SL_END_SRC, SL_FLOW_SOURCE, true) |
                  is_if(o, SL_END_OPEN, SL_FLOW_SHUT, false))};
}

/* The marks of a state. */
static bool fill_frame(job *j, const uint8_t *q, sl_flow_frame *f) {
    const sl_tunnel_network *net = j->p.net;
    const part *shown = &j->part;
    size_t n_v = (size_t)shown->n_valve, n_p = (size_t)shown->n_pipe;
    sl_flow_mark *m = sl_arena_alloc(&j->p.arena, (2 * n_v + 3 * n_p + 1) * sizeof *m);
    if (!m) {
        return false;
    }
    sl_flow_mark *valves = m, *tubs = m + n_v, *mids = tubs + n_v, *ends = mids + n_p;
    for (int32_t k = 0; k < shown->n_valve; k++) {
        valves[k] = valve_mark(q + sl_valve_bits(shown->valves[k]));
        tubs[k] = tub_mark(q + sl_valve_bits(shown->valves[k]));
    }
    for (int32_t k = 0; k < shown->n_pipe; k++) {
        mids[k] = mid_mark(q + sl_pipe_bits(net, shown->pipes[k]));
        for (int32_t side = 0; side < 2; side++) {
            ends[2 * k + side] = end_mark(q + sl_end_bits(net, 2 * shown->pipes[k] + side));
        }
    }
    f->valves = valves;
    f->tubs = tubs;
    f->mids = mids;
    f->ends = ends;
    return true;
}

/* ---- Captions ----------------------------------------------------------------------------------- */

/* Events that are new, else whatever else has changed. */
static const char *news(job *j, const uint8_t *before, const uint8_t *q) {
    char line[LINE] = "";
    for (int pass = 0; pass < 2 && !line[0]; pass++) {
        for (int32_t k = 0; k < j->p.history.n_bit; k++) {
            bool event = sl_tunnel_bit_event(j->p.net, k) != NULL;
            if (q[k] != before[k] && (pass == 0 ? event && q[k] : !event)) {
                sl_append(line, sizeof line, "%s%s", line[0] ? ", " : "", sl_tunnel_history_name(&j->p.history, k));
            }
        }
    }
    return sl_arena_copy(&j->p.arena, sl_str_z(line));
}

static const char *head_of(job *j, const sl_tunnel_frame *f) {
    bool executions = j->args->film == FILM_EXECUTIONS;
    return isnan(f->t) ? executions
                             ? sl_arena_format(&j->p.arena, "execution %d, t = %d", (int)f->execution + 1, (int)f->step)
                             : sl_arena_format(&j->p.arena, "execution %d, t = %d%s", (int)f->execution + 1,
                                               (int)f->step, f->is_last ? ", settled" : "")
           : executions
               ? sl_arena_format(&j->p.arena, "%.6g s", f->t)
               : sl_arena_format(&j->p.arena, "%.6g s, t = %d%s", f->t, (int)f->step, f->is_last ? ", settled" : "");
}

static const char *line_of(job *j, int64_t k) {
    const sl_tunnel_history *h = &j->p.history;
    const sl_tunnel_frame *f = &h->frames.at[k];
    if (f->step > 0 && !h->only_last) {
        return news(j, h->states.at + f[-1].at, h->states.at + f->at);
    }
    return f->cause[0] ? f->cause : f->execution == 0 ? "the start" : "pending events";
}

/* ---- Executions --------------------------------------------------------------------------------- */

/* The numbers of variables; controls alone, if so. */
static sl_status find_names(job *j, const char *text, bool controls, sl_name_list *list, int32_t *found, int32_t *n) {
    *list = (sl_name_list){.n = 0};
    *n = 0;
    sl_name_list_add(list, strcmp(text, "-") == 0 ? "" : text);
    if (list->full) {
        return sl_tunnel_picture_refuse(&j->p, SL_CODE_VALUE_RANGE, "spread them over several options", NULL,
                                        "these are too many names");
    }
    for (int32_t i = 0; i < list->n; i++) {
        const char *name = list->at[i];
        int32_t k = sl_tunnel_history_find(&j->p.history, sl_str_z(name));
        size_t len = strlen(name);
        bool control = len > 3 && strcmp(name + len - 3, "ctl") == 0;
        sl_text_location place = {.file = j->p.load->source->name};
        if (k < 0) {
            const char *near = sl_tunnel_history_nearest(&j->p.history, sl_str_z(name));
            sl_report(j->p.load->diags, SL_ERROR, SL_CODE_VARIABLE, &place, NULL, NULL,
                      near ? sl_arena_format(&j->p.arena, "did you mean %s?", near) : NULL,
                      "the discrete model has no variable '%.100s'", name);
            return SL_ERR_INPUT;
        }
        if ((controls && !control) || sl_tunnel_bit_domain(j->p.net, k) < 2) {
            sl_report(j->p.load->diags, SL_ERROR, SL_CODE_VARIABLE, &place, NULL, NULL,
                      "controls are .ctl, .legctl, .flowctl and .openctl; a joint without a tub has none for one",
                      "'%.100s' cannot be raised", name);
            return SL_ERR_INPUT;
        }
        found[(*n)++] = k;
    }
    return SL_OK;
}

/* Where some openings are named, all others are shut; else all are open. */
static sl_status set_state(job *j) {
    sl_tunnel_history *h = &j->p.history;
    const sl_texts *texts = &j->args->state;
    sl_name_list list;
    int32_t found[SL_NAMES_MAX], n = 0;
    bool openings = false;
    memset(h->q, 0, (size_t)h->n_bit * sizeof *h->q);
    for (int i = 0; i < texts->n; i++) {
        sl_status status = find_names(j, texts->at[i], false, &list, found, &n);
        if (status != SL_OK) {
            return status;
        }
        for (int32_t k = 0; k < n; k++) {
            const char *name = sl_tunnel_history_name(h, found[k]);
            size_t len = strlen(name);
            h->q[found[k]] = 1;
            openings = openings || (len > 5 && strcmp(name + len - 5, ".open") == 0);
        }
    }
    for (int32_t v = 0; v < j->p.net->n_valve && !openings; v++) {
        h->q[sl_valve_bits(v) + SL_TUB_OPEN] = j->p.net->valves[v].tub != SL_TUB_NONE;
    }
    for (int32_t e = 0; e < 2 * j->p.net->n_pipe && !openings; e++) {
        h->q[sl_end_bits(j->p.net, e) + SL_END_OPEN] = 1;
    }
    return SL_OK;
}

/* The discrete model alone. */
static sl_status execute(job *j) {
    sl_status status = j->args->state.n > 0 ? set_state(j) : SL_OK;
    for (int i = 0; status == SL_OK && i < j->args->control.n; i++) {
        sl_name_list list;
        int32_t found[SL_NAMES_MAX], n = 0;
        status = find_names(j, j->args->control.at[i], true, &list, found, &n);
        status = status == SL_OK ? sl_tunnel_history_execute(&j->p.history, n, found) : status;
    }
    if (status == SL_OK && j->args->control.n == 0 && j->args->film >= 0) {
        status = sl_tunnel_history_execute(&j->p.history, 0, NULL);
    }
    return status;
}

static sl_status move(job *j, sl_status *run) {
    const sl_picture_def *def = j->p.def;
    sl_tunnel_history *h = &j->p.history;
    char why[SL_OPTION_ERROR_MAX];
    h->most = j->args->film >= 0 ? FRAMES_MAX : 0;
    h->only_last = j->args->film == FILM_EXECUTIONS;
    if (j->alone) {
        return execute(j);
    }
    if (!sl_option_time_fits("--time", &def->time, false, why) ||
        !sl_option_time_fits("--from", &def->from, false, why) ||
        !sl_option_time_fits("--until", &def->to, false, why)) {
        (void)sl_tunnel_picture_refuse(&j->p, SL_CODE_NOT_ALLOWED, NULL, NULL, why);
        return SL_ERR_UNSUPPORTED;
    }
    h->from = def->from.is_given ? def->from.value : -(double)INFINITY;
    double diagram = def->time.is_given ? def->time.value : 0.0,
           end = def->to.is_given ? def->to.value : (double)INFINITY;
    return sl_tunnel_picture_run(&j->p, j->args->film >= 0 ? end : diagram, run);
}

/* ---- The picture -------------------------------------------------------------------------------- */

static const char *second_line(job *j, const sl_tunnel_history *h) {
    const sl_picture_def *def = j->p.def;
    if (j->args->film < 0) {
        return j->alone ? sl_arena_format(&j->p.arena, "discrete state after %d execution%s", (int)h->execution,
                                          h->execution == 1 ? "" : "s")
                        : sl_arena_format(&j->p.arena, "discrete state at %.6g s",
                                          def->time.is_given ? def->time.value : 0.0);
    }
    char more[64] = "";
    if (h->n_left_out > 0) {
        (void)sl_format(more, sizeof more, "; %lld more left out", (long long)h->n_left_out);
    }
    return sl_arena_format(&j->p.arena, "%s%s%s",
                           j->args->film == FILM_EXECUTIONS ? "discrete states at the end of each execution"
                                                            : "discrete states, step by step",
                           j->alone ? ", without continuous time" : "", more);
}

static sl_status fill_film(job *j, sl_flow_film *film) {
    sl_arena *arena = &j->p.arena;
    const part *shown = &j->part;
    const sl_tunnel_network *net = j->p.net;
    const sl_tunnel_history *h = &j->p.history;
    bool one = j->args->film < 0;
    sl_flow_valve *valves = sl_arena_alloc(arena, ((size_t)shown->n_valve + 1) * sizeof *valves);
    sl_flow_pipe *pipes = sl_arena_alloc(arena, ((size_t)shown->n_pipe + 1) * sizeof *pipes);
    sl_flow_frame *frames = sl_arena_alloc(arena, ((size_t)h->frames.n + 1) * sizeof *frames);
    uint8_t *now = sl_arena_alloc(arena, (size_t)h->n_bit);
    const char *second = second_line(j, h);
    if (!valves || !pipes || !frames || !now || !second) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < shown->n_valve; k++) {
        int32_t v = shown->valves[k];
        valves[k] = (sl_flow_valve){sl_tunnel_valve_id(net, v), net->valves[v].tub != SL_TUB_NONE};
    }
    for (int32_t k = 0; k < shown->n_pipe; k++) {
        const sl_tunnel_end *ends = net->pipes[shown->pipes[k]].ends;
        pipes[k] = (sl_flow_pipe){sl_tunnel_pipe_id(net, shown->pipes[k]), shown->number[ends[0].valve],
                                  shown->number[ends[1].valve]};
    }
    for (int32_t k = 0; k < h->n_bit; k++) {
        now[k] = (uint8_t)(h->q[k] != 0);
    }
    int32_t n = one ? 1 : (int32_t)h->frames.n;
    for (int32_t k = 0; k < n; k++) {
        sl_flow_frame *f = &frames[k];
        f->head = one ? "" : head_of(j, &h->frames.at[k]);
        f->line = one ? "" : line_of(j, k);
        if (!f->head || !f->line || !fill_frame(j, one ? now : h->states.at + h->frames.at[k].at, f)) {
            return SL_ERR_MEMORY;
        }
    }
    *film = (sl_flow_film){.second = second,
                           .valves = valves,
                           .pipes = pipes,
                           .frames = frames,
                           .n_valve = shown->n_valve,
                           .n_pipe = shown->n_pipe,
                           .n_frame = n};
    return SL_OK;
}

sl_status sl_tunnel_states_draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    job j = {.args = def->args, .alone = false};
    sl_flow_film film = {.n_frame = 0};
    j.alone = j.args->control.n > 0 || j.args->state.n > 0;
    sl_status status = sl_tunnel_picture_open(&j.p, load, def, sink);
    status = status == SL_OK ? choose(&j) : status;
    status = status == SL_OK ? move(&j, run) : status;
    status = status == SL_OK ? fill_film(&j, &film) : status;
    if (status == SL_OK && film.n_frame == 0) {
        status = sl_tunnel_picture_refuse(&j.p, SL_CODE_NOT_ALLOWED, "give other times: --from, --until", NULL,
                                          "nothing happens then: the film has no frames");
    }
    status = status == SL_OK
                 ? sl_flow_film_draw(&j.p.page, &film,
                                     j.args->film >= 0 ? "show less: --from, --until, --node, --film executions"
                                                       : "select valves: --node A,B")
                 : status;
    return sl_tunnel_picture_close(&j.p, status);
}
