/* SPDX-License-Identifier: MIT */
/* trace.c: the run; see trace.h. */
#include "automata/trace_impl.h"

#include <math.h>
#include <string.h>

#include "base/context.h"
#include "base/out.h"
#include "base/report.h"

enum {
    SMOOTH = 600,     /* points over the time that is seen, at least */
    INNER = 8,        /* ... within one step, in a phase plane: time does not say how far it goes there */
    INNER_MOST = 600, /* ... at most */
    LOOKS = 64        /* pieces between two looks at who wants to stop it */
};

/* ---- Names -------------------------------------------------------------------------------------- */

/* The one that was probably meant, or the first few that there are. */
static void report_names(const sl_ids *ids, const char *name, char *hint, size_t size) {
    int32_t near = sl_ids_nearest(ids, sl_str_z(name)), n = sl_ids_count(ids);
    if (near >= 0) {
        (void)sl_format(hint, size, "did you mean %s?", sl_ids_z(ids, near));
        return;
    }
    (void)sl_format(hint, size, "%s", n > 0 ? "there is" : "it has none");
    for (int32_t i = 0; i < n && i < 8; i++) {
        size_t used = strlen(hint);
        (void)sl_format(hint + used, size - used, "%s%.20s%s", i ? ", " : " ", sl_ids_z(ids, i),
                        i == 7 && n > 8 ? ", ..." : "");
    }
}

sl_status sl_trace_find(const sl_tracer *r, const char *name, int32_t *x, int32_t *q) {
    const sl_sda *d = sl_sha_discrete(r->a);
    const sl_exprs *g = r->g;
    sl_expr e = sl_expr_find(g, sl_str_z(name));
    *x = sl_sha_find_variable(r->a, sl_str_z(name));
    *q = e != SL_EXPR_NONE && sl_expr_op(g, e) == SL_OP_VARIABLE ? sl_sda_variable_of(d, sl_expr_symbol(g, e)) : -1;
    if (*x >= 0 || *q >= 0) {
        return SL_OK;
    }
    sl_ids *ids = sl_ids_create(r->ctx);
    bool good = ids != NULL;
    for (int32_t i = 0; good && i < sl_sha_n_variable(r->a); i++) {
        good = sl_ids_add(ids, sl_sha_variable_name(r->a, i)) != INT32_MIN;
    }
    for (int32_t i = 0; good && i < sl_sda_n_variable(d); i++) {
        good = sl_ids_add(ids, sl_sda_variable_name(d, i)) != INT32_MIN;
    }
    char hint[200] = "", quoted[SL_QUOTE_MAX];
    if (good) {
        report_names(ids, name, hint, sizeof hint);
    }
    sl_ids_destroy(ids);
    sl_report(r->diags, SL_ERROR, SL_CODE_VARIABLE, NULL, NULL, NULL, hint, "the automaton has no variable %s",
              sl_quote(sl_str_z(name), quoted));
    return good ? SL_ERR_INPUT : SL_ERR_MEMORY;
}

static void add_once(int32_t *list, int32_t *n, int32_t item) {
    int32_t i = 0;
    while (i < *n && list[i] != item) {
        i++;
    }
    list[i] = item;
    *n += i == *n;
}

static sl_status choose(sl_tracer *r) {
    const sl_trace_def *def = r->def;
    sl_trace *out = r->out;
    sl_status status = SL_OK;
    for (int32_t i = 0; i < def->n_name && !def->plane; i++) {
        int32_t x, q;
        sl_status found = sl_trace_find(r, def->names[i], &x, &q);
        status = found == SL_OK ? status : found;
        if (found == SL_OK && x >= 0) {
            add_once(r->columns, &out->n_asked, x);
        } else if (found == SL_OK) {
            add_once(out->lanes, &out->n_lane, q);
        }
    }
    for (int32_t i = 0; def->plane && i < 2; i++) {
        int32_t x, q;
        sl_status found = sl_trace_find(r, def->plane[i], &x, &q);
        if (found == SL_OK && x < 0) {
            sl_report(r->diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL,
                      "a phase plane has two continuous variables", "%s is a discrete variable", def->plane[i]);
            found = SL_ERR_INPUT;
        }
        status = found == SL_OK ? status : found;
        r->columns[out->n_asked++] = x;
    }
    if (def->n_name == 0 && !def->plane) {
        for (int32_t i = 0; i < out->n_all_x && !def->only_discrete; i++) {
            r->columns[out->n_asked++] = i;
        }
        for (int32_t i = 0; i < out->n_q; i++) {
            out->lanes[out->n_lane++] = i;
        }
    }
    out->n_x = out->n_asked < SL_TRACE_CURVES ? out->n_asked : SL_TRACE_CURVES;
    return status;
}

/* ---- Memory ------------------------------------------------------------------------------------- */

static bool take_memory(sl_tracer *r) {
    sl_trace *out = r->out;
    const sl_sda *d = sl_sha_discrete(r->a);
    out->n_all_x = sl_sha_n_variable(r->a);
    out->n_q = sl_sda_n_variable(d);
    size_t n_x = (size_t)out->n_all_x + 2, n_q = (size_t)out->n_q + 1;
    r->columns = sl_arena_alloc(&out->arena, n_x * sizeof *r->columns);
    out->x_names = sl_arena_alloc(&out->arena, n_x * sizeof *out->x_names);
    out->q_names = sl_arena_alloc(&out->arena, n_q * sizeof *out->q_names);
    out->q_domains = sl_arena_alloc(&out->arena, n_q * sizeof *out->q_domains);
    out->lanes = sl_arena_alloc(&out->arena, n_q * sizeof *out->lanes);
    out->plane.q = sl_arena_alloc(&out->arena, n_q * sizeof *out->plane.q);
    r->q = sl_arena_alloc(&out->arena, n_q * sizeof *r->q);
    r->at = sl_arena_alloc(&out->arena, 4 * n_x * sizeof *r->at);
    out->name = sl_arena_copy(&out->arena, sl_str_z(sl_automaton_name(r->m)));
    if (!r->columns || !out->x_names || !out->q_names || !out->q_domains || !out->lanes || !out->plane.q || !r->q ||
        !r->at || !out->name) {
        return false;
    }
    r->at_dx = r->at + n_x;
    r->before = r->at_dx + n_x;
    r->x_then = r->before + n_x;
    bool good = true;
    for (int32_t i = 0; i < out->n_q && good; i++) {
        out->q_names[i] = sl_arena_copy(&out->arena, sl_sda_variable_name(d, i));
        out->q_domains[i] = sl_sda_domain(d, i);
        good = out->q_names[i] != NULL;
    }
    return good;
}

/* What grew, into the arena. */
static void *keep(sl_trace *out, const void *at, int64_t n, size_t size) {
    void *copy = sl_arena_alloc(&out->arena, (size_t)n * size);
    if (copy && n > 0) {
        memcpy(copy, at, (size_t)n * size);
    }
    return copy;
}

static sl_status keep_all(sl_tracer *r) {
    sl_trace *out = r->out;
    out->n_point = r->t.n;
    out->t = keep(out, r->t.at, r->t.n, sizeof *r->t.at);
    out->x = keep(out, r->x.at, r->x.n, sizeof *r->x.at);
    out->n_change = r->changes.n;
    out->changes = keep(out, r->changes.at, r->changes.n, sizeof *r->changes.at);
    out->n_event = r->events.n;
    out->events = keep(out, r->events.at, r->events.n, sizeof *r->events.at);
    out->event_points = keep(out, r->event_points.at, r->event_points.n, sizeof *r->event_points.at);
    return out->t && out->x && out->changes && out->events && out->event_points ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Points and states -------------------------------------------------------------------------- */

static bool put_point(sl_tracer *r, double t, const double *x) {
    bool good = SL_PUSH(r->ctx, &r->t, t);
    for (int32_t i = 0; i < r->out->n_x && good; i++) {
        good = SL_PUSH(r->ctx, &r->x, x ? x[r->columns[i]] : (double)NAN);
    }
    return good;
}

/* Changes since the last look; all at the start. */
static bool put_changes(sl_tracer *r, double t, const int32_t *q) {
    int32_t n = r->out->n_q;
    bool first = r->changes.n == 0, good = true;
    for (int32_t i = first ? 0 : sl_next_change(q, r->q, 0, n); i < n && good;) {
        good = SL_PUSH(r->ctx, &r->changes, ((sl_trace_change){t, i, q[i]}));
        r->q[i] = q[i];
        i = first ? i + 1 : sl_next_change(q, r->q, i + 1, n);
    }
    return good;
}

/* ---- A hybrid run ------------------------------------------------------------------------------- */

/* The plane's time is now, within or at the end of the last step. */
static void sample_plane(sl_tracer *r, double t, const double *x, const int32_t *q) {
    memcpy(r->x_then, x, (size_t)r->out->n_all_x * sizeof *x);
    if (r->out->n_q > 0) {
        memcpy(r->out->plane.q, q, (size_t)r->out->n_q * sizeof *q);
    }
    r->out->plane.time = t;
    r->out->plane.n_point = r->t.n;
    r->is_looked = true;
}

/* Points within a step and at its end. */
static sl_status put_step(sl_tracer *r, const sl_hybrid *h, const sl_hybrid_info *info) {
    double length = info->t - info->begin, wanted = r->def->time, from = isnan(r->def->from) ? 0.0 : r->def->from;
    double least = r->def->plane ? INNER : 1.0, smooth = ceil(SMOOTH * length / fmax(r->out->end - from, length));
    int32_t n = info->t < from ? 1 : (int32_t)fmin(fmax(smooth, least), INNER_MOST);
    sl_status status = SL_OK;
    for (int32_t k = 1; k <= n && status == SL_OK; k++) {
        double t = k == n ? info->t : info->begin + length * k / n;
        double last = k == 1 ? info->begin : info->begin + length * (k - 1) / n;
        if (!r->is_looked && wanted >= last && wanted < t) { /* a point of its own */
            status = wanted > info->begin ? sl_hybrid_interpolate(h, wanted, r->at, r->at_dx) : SL_OK;
            const double *x = wanted > info->begin ? r->at : r->before;
            status = status == SL_OK && !put_point(r, wanted, x) ? SL_ERR_MEMORY : status;
            sample_plane(r, wanted, x, r->q);
        }
        if (status == SL_OK && k < n) {
            status = sl_hybrid_interpolate(h, t, r->at, r->at_dx);
        }
        status = status == SL_OK && !put_point(r, t, k < n ? r->at : sl_hybrid_x(h)) ? SL_ERR_MEMORY : status;
    }
    memcpy(r->before, sl_hybrid_x(h), (size_t)r->out->n_all_x * sizeof *r->before);
    return status;
}

/* The roots that were crossed, for the diagram: "hot ↑". A root without a name is called by what it decides. */
static void note_crossing(sl_tracer *r, const sl_hybrid *h) {
    int32_t n = 0;
    const int8_t *fired = sl_hybrid_fired(h, &n);
    for (int32_t i = 0; fired && i < n; i++) {
        size_t used = strlen(r->crossed);
        if (fired[i] == 0 || used + 40 > sizeof r->crossed) {
            continue;
        }
        sl_sha_element part = sl_sha_get_element(r->a, SL_SHA_ROOT, i);
        char made[24];
        (void)sl_format(made, sizeof made, "w%d", (int)i);
        bool named = strcmp(part.symbol, made) != 0;
        (void)sl_format(r->crossed + used, sizeof r->crossed - used, "%s%.24s %s", used ? ", " : "",
                        named ? part.symbol : r->out->q_names[part.variable], fired[i] > 0 ? "↑" : "↓");
    }
}

/* The state that time passes in. */
static sl_status put_state(sl_tracer *r, double t, const int32_t *q) {
    if (!put_changes(r, t, q)) {
        return SL_ERR_MEMORY;
    }
    if (!r->def->diagram || r->graph.nodes.n > SL_DIAGRAM_MAX) {
        return SL_OK;
    }
    int32_t node = sl_grapher_node(&r->graph, r->ctx, q);
    bool good = node >= 0;
    if (good && r->last < 0) {
        r->graph.nodes.at[node].flags |= SL_NODE_START;
    } else if (good && (node != r->last || r->crossed[0])) {
        good = sl_grapher_edge(&r->graph, r->ctx, r->last, node, r->crossed, false, 1);
    }
    r->crossed[0] = '\0';
    r->last = node;
    return good ? SL_OK : SL_ERR_MEMORY;
}

static sl_status put_piece(sl_tracer *r, const sl_hybrid *h, const sl_hybrid_info *info) {
    sl_status status = SL_OK;
    if (info->event & (SL_HYBRID_STEP | SL_HYBRID_CROSSING | SL_HYBRID_JUMP)) {
        if (r->t.n == 0 && !put_point(r, info->begin, r->before)) {
            return SL_ERR_MEMORY;
        }
        status = put_state(r, info->begin, sl_hybrid_q(h));
        status = status == SL_OK ? put_step(r, h, info) : status;
    } else if (info->event == SL_HYBRID_STOP) {
        status = put_state(r, info->t, sl_hybrid_q(h));
    } else if (memcmp(r->before, sl_hybrid_x(h), (size_t)r->out->n_all_x * sizeof(double)) != 0) {
        memcpy(r->before, sl_hybrid_x(h), (size_t)r->out->n_all_x * sizeof *r->before);
        bool jumps = r->t.n > 0; /* else these are values of the start, made consistent */
        if (jumps && !(put_point(r, info->t, NULL) && put_point(r, info->t, r->before))) {
            return SL_ERR_MEMORY;
        }
    }
    if (status == SL_OK && info->event == SL_HYBRID_CROSSING) {
        note_crossing(r, h);
        if (!SL_PUSH(r->ctx, &r->events, info->t) || !SL_PUSH(r->ctx, &r->event_points, r->t.n - 1)) {
            return SL_ERR_MEMORY;
        }
    }
    return status;
}

static sl_status check_times(const sl_tracer *r, double end) {
    const char *wrong = NULL, *hint = NULL;
    if (r->def->n_step >= 0) {
        wrong = "steps are those of discrete time, and this automaton has continuous time";
        hint = "leave --steps out";
    } else if (!isfinite(end)) {
        wrong = "the automaton does not say how long it runs";
        hint = "write run: {end: 60}, or use --to";
    } else if (r->def->time > end) {
        wrong = "the run ends before this time";
        hint = "choose an earlier --time";
    }
    if (wrong) {
        sl_report(r->diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL, hint, "%s", wrong);
    }
    return wrong ? SL_ERR_INPUT : SL_OK;
}

static sl_status run_hybrid(sl_tracer *r, sl_status *run) {
    const sl_hybrid_model *model = sl_automaton_model(r->m);
    sl_hybrid_def def = model->def;
    sl_hybrid *h = NULL;
    def.end = isnan(r->def->end) ? def.end : r->def->end;
    sl_status status = check_times(r, def.end);
    status = status == SL_OK ? sl_hybrid_create(r->ctx, model->ops, model->model, &def, r->diags, &h) : status;
    if (status != SL_OK) {
        return status;
    }
    r->out->end = def.end;
    memcpy(r->before, sl_hybrid_x(h), (size_t)r->out->n_all_x * sizeof *r->before);
    sl_hybrid_info info = {0};
    int64_t n_piece = 0;
    while (status == SL_OK && info.event != SL_HYBRID_STOP) {
        *run = sl_hybrid_next(h, SL_HYBRID_ANY, r->diags, &info);
        if (*run != SL_OK) {
            break;
        }
        status = put_piece(r, h, &info);
        if (status == SL_OK && ++n_piece % LOOKS == 0 && !sl_progress_report(r->ctx, "simulating", info.t, def.end)) {
            status = SL_ERR_CANCELLED;
        }
    }
    if (status == SL_OK && *run != SL_OK) {
        if (r->t.n == 0 || *run != SL_ERR_SOLVE) { /* there is nothing to be seen */
            status = *run;
        }
        r->out->end = sl_hybrid_time(h);
        r->out->outcome = "ended early";
    }
    if (status == SL_OK && r->t.n == 0 && !put_point(r, sl_hybrid_time(h), r->before)) { /* a run of no length */
        status = SL_ERR_MEMORY;
    }
    if (status == SL_OK && !r->is_looked) {
        sample_plane(r, sl_hybrid_time(h), r->before, r->q);
    }
    sl_hybrid_destroy(h);
    return status;
}

/* ---- A discrete run ----------------------------------------------------------------------------- */

static const char *report_outcome(sl_tracer *r, const sl_sda_run *run) {
    char text[120] = "";
    int32_t t = sl_sda_run_time(run), first, length;
    sl_sda_run_cycle(run, &first, &length);
    switch ((int)sl_sda_run_state(run)) {
    case SL_SDA_CONVERGED: (void)sl_format(text, sizeof text, "at rest from t = %d on", (int)t); break;
    case SL_SDA_UNSOLVABLE: (void)sl_format(text, sizeof text, "unsolvable at t = %d", (int)t); break;
    case SL_SDA_CHOICE:
        (void)sl_format(text, sizeof text, "%lld derivatives at t = %d", (long long)sl_sda_run_n_choice(run), (int)t);
        break;
    case SL_SDA_ZENO:
        (void)sl_format(text, sizeof text, "without end: at t = %d as at t = %d", (int)t, (int)first);
        break;
    case SL_SDA_GAVE_UP: (void)sl_format(text, sizeof text, "not decided at t = %d", (int)t); break;
    default:
        if (r->def->n_step < 0) {
            (void)sl_format(text, sizeof text, "not at rest after %d steps", (int)t);
        }
        break;
    }
    return sl_arena_copy(&r->out->arena, sl_str_z(text));
}

/* Diagrams show states without a derivative, or with several; other pictures end there, and that is told. */
static sl_status run_discrete(sl_tracer *r, sl_status *end) {
    const sl_sda *d = sl_sha_discrete(r->a);
    sl_sda_def def = r->a->discrete_def;
    sl_sda_run *run = NULL;
    if (r->def->plane) {
        sl_report(r->diags, SL_ERROR, SL_CODE_WRONG_KIND, NULL, NULL, NULL, "draw its --states, or a --diagram",
                  "the automaton has no continuous variables, and so no phase plane");
        return SL_ERR_INPUT;
    }
    if (r->def->n_step >= 0) {
        def.rule = SL_SDA_UNTIL_BOUND;
        def.most_steps = r->def->n_step;
    }
    sl_status status = sl_sda_run_create(d, r->a->start.at, &def, &run);
    bool good = true;
    while (status == SL_OK && good) {
        good = put_changes(r, sl_sda_run_time(run), sl_sda_run_values(run));
        if (sl_sda_run_state(run) != SL_SDA_RUNNING) {
            break;
        }
        (void)sl_sda_run_step(run, 0);
    }
    if (status == SL_OK) {
        r->out->end = sl_sda_run_time(run);
        r->out->outcome = report_outcome(r, run);
        sl_sda_state state = sl_sda_run_state(run);
        good = good && r->out->outcome && state != SL_SDA_FAILED;
        if (!r->def->diagram && (state == SL_SDA_UNSOLVABLE || state == SL_SDA_CHOICE || state == SL_SDA_GAVE_UP)) {
            sl_sda_run_explain(run, r->diags);
            *end = SL_ERR_SOLVE;
        }
    }
    sl_sda_run_destroy(run);
    return status == SL_OK && !good ? SL_ERR_MEMORY : status;
}

/* ---- All ---------------------------------------------------------------------------------------- */

static sl_status make(sl_tracer *r, sl_status *run) {
    sl_trace *out = r->out;
    if (!take_memory(r)) {
        return SL_ERR_MEMORY;
    }
    out->discrete = out->n_all_x == 0 && sl_sha_n_element(r->a, SL_SHA_ROOT) == 0;
    sl_status status = choose(r);
    for (int32_t i = 0; i < out->n_x && status == SL_OK; i++) {
        out->x_names[i] = sl_arena_copy(&out->arena, sl_sha_variable_name(r->a, r->columns[i]));
        status = out->x_names[i] ? SL_OK : SL_ERR_MEMORY;
    }
    if (status == SL_OK) {
        status = out->discrete ? run_discrete(r, run) : run_hybrid(r, run);
    }
    status = status == SL_OK ? keep_all(r) : status;
    if (status == SL_OK && r->def->plane) {
        status = sl_trace_plane_fill(r);
    }
    if (status == SL_OK && r->def->diagram) {
        status = out->discrete ? sl_trace_diagram_fill(r) : sl_grapher_finish(&r->graph, r->diags);
    }
    return status;
}

sl_status sl_automaton_trace(sl_context *ctx, const sl_automaton *m, const sl_trace_def *def, sl_diags *diags,
                             sl_trace *out, sl_status *run) {
    *out = (sl_trace){.outcome = ""};
    *run = SL_OK;
    sl_arena_init(&out->arena, ctx);
    sl_tracer r = {.ctx = ctx, .m = m, .a = sl_automaton_get(m), .def = def, .diags = diags, .out = out, .last = -1};
    sl_grapher_init(&r.graph, out, ctx);
    r.g = sl_exprs_copy(ctx, sl_sha_graph(r.a));
    sl_status status = r.graph.states && r.g ? make(&r, run) : SL_ERR_MEMORY;
    SL_ARRAY_FINI(ctx, &r.t);
    SL_ARRAY_FINI(ctx, &r.x);
    SL_ARRAY_FINI(ctx, &r.changes);
    SL_ARRAY_FINI(ctx, &r.events);
    SL_ARRAY_FINI(ctx, &r.event_points);
    sl_grapher_fini(&r.graph, ctx);
    sl_exprs_destroy(r.g);
    if (status != SL_OK) {
        sl_trace_fini(out);
    }
    return status;
}
