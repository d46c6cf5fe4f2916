/* SPDX-License-Identifier: MIT */
/* tunnel_plot.c: the long profile of tunnels at a moment, and the choice of the picture: one of these, or one of any run. SI. */
#include "kinds/tunnel_picture.h"

#include <math.h>
#include <stddef.h>

#include "plot/waterway.h"

typedef struct job {
    sl_tunnel_picture p;
    int32_t *pipes; /* [n] along the line */
    bool *back;     /* [n] against the pipe's own direction */
    int32_t n, from;
    const double *head, *level, *volume, *flow; /* of valves and ends at the moment */
} job;

/* ---- The line ----------------------------------------------------------------------------------- */

static int32_t far_end(const sl_tunnel_pipe *p, int32_t v) {
    return p->ends[p->ends[0].valve == v].valve;
}

/* The shortest way from a to b by length, whatever the direction of tunnels, is put behind what there is. before: the pipe by which each
 * valve is reached, found from b on. */
static bool add_way(job *j, int32_t a, int32_t b, double *distance, int32_t *before) {
    const sl_tunnel_network *net = j->p.net;
    for (int32_t v = 0; v < net->n_valve; v++) {
        distance[v] = v == b ? 0.0 : (double)INFINITY;
    }
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t e = 0; e < 2 * net->n_pipe; e++) {
            const sl_tunnel_pipe *p = &net->pipes[e / 2];
            int32_t to = p->ends[e % 2].valve, from = p->ends[!(e % 2)].valve;
            if (distance[from] + p->length < distance[to]) {
                distance[to] = distance[from] + p->length;
                before[to] = e / 2;
                moved = true;
            }
        }
    }
    while (isfinite(distance[a]) && a != b) {
        j->pipes[j->n] = before[a];
        j->back[j->n++] = net->pipes[before[a]].ends[0].valve != a;
        a = far_end(&net->pipes[before[a]], a);
    }
    return a == b;
}

static sl_status find_line(job *j) {
    const sl_tunnel_network *net = j->p.net;
    int32_t n_route = j->p.def->page->n_route, last = -1;
    size_t most = (size_t)n_route * (size_t)net->n_pipe;
    j->pipes = sl_arena_alloc(&j->p.arena, most * sizeof *j->pipes);
    j->back = sl_arena_alloc(&j->p.arena, most * sizeof *j->back);
    double *distance = sl_arena_alloc(&j->p.arena, (size_t)net->n_valve * sizeof *distance);
    int32_t *before = sl_arena_alloc(&j->p.arena, (size_t)net->n_valve * sizeof *before);
    if (!j->pipes || !j->back || !distance || !before) {
        return SL_ERR_MEMORY;
    }
    for (int32_t k = 0; k < n_route; k++) {
        int32_t v = sl_ids_find(net->valve_ids, sl_str_z(j->p.def->page->route[k]));
        if (v < 0) {
            int32_t near = sl_ids_nearest(net->valve_ids, sl_str_z(j->p.def->page->route[k]));
            const char *hint = near >= 0
                                   ? sl_arena_format(&j->p.arena, "did you mean %s?", sl_ids_z(net->valve_ids, near))
                                   : "name two valves: --profile FROM,TO";
            return sl_tunnel_picture_refuse(&j->p, SL_CODE_UNKNOWN_NAME, hint, j->p.def->page->route[k],
                                            "there is no such valve");
        }
        if (k > 0 && !add_way(j, last, v, distance, before)) {
            return sl_tunnel_picture_refuse(&j->p, SL_CODE_UNCONNECTED, NULL, j->p.def->page->route[k],
                                            "no tunnels lead there from the valve before it");
        }
        j->from = k == 0 ? v : j->from;
        last = v;
    }
    return j->n > 0 ? SL_OK
                    : sl_tunnel_picture_refuse(&j->p, SL_CODE_MISSING_VALUE, "name two valves: --profile FROM,TO", NULL,
                                               "the line of the profile has no length");
}

/* ---- Values ------------------------------------------------------------------------------------- */

static sl_status take_values(job *j) {
    j->head = sl_tunnel_picture_values(&j->p, "valve", "head");
    j->level = j->head ? sl_tunnel_picture_values(&j->p, "valve", "level") : NULL;
    j->volume = j->level ? sl_tunnel_picture_values(&j->p, "end", "volume") : NULL;
    j->flow = j->volume ? sl_tunnel_picture_values(&j->p, "end", "flow") : NULL;
    bool said = sl_diags_count(j->p.load->diags, SL_ERROR) > 0;
    return j->flow ? SL_OK : said ? SL_ERR_INPUT : SL_ERR_MEMORY;
}

static bool bit_of(const job *j, int32_t block, int32_t bit) {
    return j->p.history.q[block + bit] != 0;
}

/* The head at an end of a stretch; NaN: there is no water, or none that a head is known of. */
static double head_at(const job *j, int32_t e, bool full) {
    const sl_tunnel_pipe *p = &j->p.net->pipes[e / 2];
    const sl_tunnel_end *end = &p->ends[e % 2], *other = &p->ends[1 - e % 2];
    double part = j->volume[e] / (p->area * p->length);
    if (bit_of(j, sl_end_bits(j->p.net, e), SL_END_JOINT)) {
        return j->head[end->valve];
    }
    if (full) { /* it stands before a gate that is shut */
        bool joined = bit_of(j, sl_end_bits(j->p.net, e ^ 1), SL_END_JOINT);
        return joined ? j->head[other->valve] : fmax(end->elevation, other->elevation);
    }
    double front = end->elevation + part * (other->elevation - end->elevation);
    return part > 0.0 && front > end->elevation ? front : (double)NAN; /* it stands on the gate, or hangs there */
}

static sl_waterway_piece piece_of(const job *j, int32_t k, double x) {
    int32_t i = j->pipes[k];
    const sl_tunnel_pipe *p = &j->p.net->pipes[i];
    bool full = bit_of(j, sl_pipe_bits(j->p.net, i), SL_MID_JOINT);
    sl_waterway_piece t = {.name = sl_tunnel_pipe_id(j->p.net, i), .x = {x, x + p->length}};
    for (int side = 0; side < 2; side++) { /* of the picture: left, right */
        int32_t e = 2 * i + (side ^ (int)j->back[k]);
        t.z[side] = p->ends[e % 2].elevation;
        t.wet[side] = full ? side == 0 : j->volume[e] / (p->area * p->length);
        t.head[side] = head_at(j, e, full);
        t.flow[side] = (j->back[k] ? -1.0 : 1.0) * j->flow[e];
        t.shut[side] = !bit_of(j, sl_end_bits(j->p.net, e), SL_END_OPEN);
    }
    return t;
}

static sl_waterway_place place_of(const job *j, int32_t v, double x) {
    const sl_tunnel_valve *valve = &j->p.net->valves[v];
    bool has_level = valve->tub == SL_TUB_LEVEL || valve->tub == SL_TUB_RESERVOIR;
    return (sl_waterway_place){.name = sl_tunnel_valve_id(j->p.net, v),
                               .x = x,
                               .z = valve->elevation,
                               .level = has_level ? j->level[v] : (double)NAN};
}

/* A gate of an outside stands at the beginning of its tunnel, or at its end. */
static bool is_shut(const job *j, int32_t v) {
    return j->p.net->valves[v].tub != SL_TUB_NONE && !bit_of(j, sl_valve_bits(v), SL_TUB_OPEN);
}

static double time_of(const job *j) {
    int64_t n;
    return j->p.session ? sl_session_time(j->p.session) : sl_results_times(j->p.def->results, &n)[j->p.frame];
}

static sl_status draw_line(job *j) {
    sl_waterway_piece *pieces = sl_arena_alloc(&j->p.arena, (size_t)j->n * sizeof *pieces);
    sl_waterway_place *places = sl_arena_alloc(&j->p.arena, ((size_t)j->n + 1) * sizeof *places);
    char second[SL_TITLE_MAX];
    double x = 0.0;
    int32_t v = j->from;
    if (!pieces || !places) {
        return SL_ERR_MEMORY;
    }
    places[0] = place_of(j, v, x);
    for (int32_t k = 0; k < j->n; k++) {
        pieces[k] = piece_of(j, k, x);
        pieces[k].shut[0] = pieces[k].shut[0] || (k == 0 && is_shut(j, v));
        x = pieces[k].x[1];
        v = far_end(&j->p.net->pipes[j->pipes[k]], v);
        places[k + 1] = place_of(j, v, x);
    }
    pieces[j->n - 1].shut[1] = pieces[j->n - 1].shut[1] || is_shut(j, v);
    (void)sl_format(second, sizeof second, "from %.60s to %.60s, at %.6g s", places[0].name, places[j->n].name,
                    time_of(j));
    const sl_waterway w = {.second = second, .pieces = pieces, .places = places, .n_piece = j->n, .n_place = j->n + 1};
    return sl_waterway_draw(&j->p.page, &w);
}

/* ---- Functions of the row ----------------------------------------------------------------------- */

static sl_status draw_profile(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    job j = {.n = 0};
    double t = isnan(def->page->time) ? 0.0 : def->page->time;
    sl_status status = sl_tunnel_picture_open(&j.p, load, def, sink);
    status = status == SL_OK ? find_line(&j) : status;
    status = status == SL_OK ? sl_tunnel_picture_run(&j.p, t, run) : status;
    status = status == SL_OK ? take_values(&j) : status;
    status = status == SL_OK ? draw_line(&j) : status;
    return sl_tunnel_picture_close(&j.p, status);
}

static const char *const films[] = {"steps", "executions", NULL};

static void args_default(void *args) {
    *(sl_tunnel_plot_args *)args = (sl_tunnel_plot_args){.film = -1};
}

static const sl_option options[] = {
    {SL_OPTION_ROW("diagram", 0, FLAG, sl_tunnel_plot_args, diagram, NULL,
                   "draw the discrete state at --time (default: the start): which tunnels and valves\n"
                   "are wet, joints, flow directions; with --node only these valves and their tunnels")},
    {SL_OPTION_ROW("film", 0, WORD, sl_tunnel_plot_args, film, "FRAMES",
                   "draw such a diagram for every discrete step (steps) or at the end of every\n"
                   "discrete execution (executions), between --from and --until"),
     .words = films},
    {SL_OPTION_ROW("control", 0, TEXTS, sl_tunnel_plot_args, control, "NAMES",
                   "run the discrete model without flows: one execution with these controls, separated\n"
                   "by commas (- for none); repeat the option for further executions")},
    {SL_OPTION_ROW("state", 0, TEXTS, sl_tunnel_plot_args, state, "NAMES",
                   "begin the executions of --control in the state in which these variables are 1;\n"
                   "default: the initial state of the file")},
};

static bool is_own(const void *args) {
    const sl_tunnel_plot_args *a = args;
    return a && (a->diagram || a->film >= 0 || a->control.n > 0 || a->state.n > 0);
}

static bool fits(const sl_picture_def *def, const char *name, char why[SL_REFUSAL_MAX]) {
    if (is_own(def->args)) {
        return sl_tunnel_states_fit(def, why);
    }
    if (def->page->kind == SL_PLOT_MAP) {
        (void)sl_format(why, SL_REFUSAL_MAX,
                        "%s has no coordinates for a map; use --profile FROM,TO with two valves, or --diagram", name);
        return false;
    }
    return sl_run_plot.fits(def, name, why);
}

static sl_status draw(const sl_load *load, const sl_picture_def *def, const sl_sink *sink, sl_status *run) {
    *run = SL_OK;
    bool profile = def->page->kind == SL_PLOT_PROFILE;
    return (is_own(def->args) ? sl_tunnel_states_draw
            : profile         ? draw_profile
                              : sl_run_plot.draw)(load, def, sink, run);
}

const sl_plot_ops sl_tunnel_plot = {.options = SL_OPTION_TABLE(options, sl_tunnel_plot_args, args_default),
                                    .is_own = is_own,
                                    .takes_results = true,
                                    .fits = fits,
                                    .draw = draw};
