/* SPDX-License-Identifier: MIT */
/* trace.c: a trace in the making: names, points, states; see trace_impl.h. */
#include "automata/trace_impl.h"

#include <math.h>
#include <string.h>

#include "base/out.h"
#include "base/report.h"

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
    r->before = sl_arena_alloc(&out->arena, 2 * n_x * sizeof *r->before);
    out->name = sl_arena_copy(&out->arena, sl_str_z(sl_automaton_name(r->m)));
    if (!r->columns || !out->x_names || !out->q_names || !out->q_domains || !out->lanes || !out->plane.q || !r->q ||
        !r->before || !out->name) {
        return false;
    }
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
#define KEEP(array) sl_arena_keep(&out->arena, (array).at, (size_t)(array).n * sizeof *(array).at)
static sl_status keep_all(sl_tracer *r) {
    sl_trace *out = r->out;
    out->n_point = r->t.n;
    out->t = KEEP(r->t);
    out->x = KEEP(r->x);
    out->n_change = r->changes.n;
    out->changes = KEEP(r->changes);
    out->n_event = r->events.n;
    out->events = KEEP(r->events);
    out->event_points = KEEP(r->event_points);
    return out->t && out->x && out->changes && out->events && out->event_points ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Points and states -------------------------------------------------------------------------- */

bool sl_tracer_add_point(sl_tracer *r, double t, const double *x) {
    bool good = SL_RESERVE(r->ctx, &r->x, r->x.n + r->out->n_x) && SL_PUSH(r->ctx, &r->t, t);
    for (int32_t i = 0; i < r->out->n_x && good; i++) {
        good = SL_PUSH(r->ctx, &r->x, x ? x[r->columns[i]] : (double)NAN);
    }
    return good;
}

/* Changes since the last look; all at the start. */
bool sl_tracer_add_changes(sl_tracer *r, double t, const int32_t *q) {
    int32_t n = r->out->n_q;
    bool first = r->changes.n == 0, good = true;
    for (int32_t i = first ? 0 : sl_next_change(q, r->q, 0, n); i < n && good;) {
        good = SL_PUSH(r->ctx, &r->changes, ((sl_trace_change){t, i, q[i]}));
        r->q[i] = q[i];
        i = first ? i + 1 : sl_next_change(q, r->q, i + 1, n);
    }
    return good;
}

/* The plane's time is now, within or at the end of the last step. */
void sl_tracer_sample_plane(sl_tracer *r, double t, const double *x, const int32_t *q) {
    memcpy(r->x_then, x, (size_t)r->out->n_all_x * sizeof *x);
    if (r->out->n_q > 0) {
        memcpy(r->out->plane.q, q, (size_t)r->out->n_q * sizeof *q);
    }
    r->out->plane.time = t;
    r->out->plane.n_point = r->t.n;
    r->is_looked = true;
}

/* The state that time passes in. */
sl_status sl_tracer_add_state(sl_tracer *r, double t, const int32_t *q) {
    if (!sl_tracer_add_changes(r, t, q)) {
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

/* ---- The whole ---------------------------------------------------------------------------------------- */

sl_status sl_tracer_init(sl_tracer *r, sl_context *ctx, const sl_automaton *m, const sl_trace_def *def, sl_diags *diags,
                         sl_trace *out) {
    *out = (sl_trace){.outcome = ""};
    sl_arena_init(&out->arena, ctx);
    *r = (sl_tracer){.ctx = ctx, .m = m, .a = sl_automaton_get(m), .def = def, .diags = diags, .out = out, .last = -1};
    sl_grapher_init(&r->graph, out, ctx);
    r->g = sl_exprs_copy(ctx, sl_sha_graph(r->a));
    if (!r->graph.states || !r->g || !take_memory(r)) {
        return SL_ERR_MEMORY;
    }
    out->discrete = out->n_all_x == 0 && sl_sha_n_element(r->a, SL_SHA_ROOT) == 0;
    sl_status status = choose(r);
    for (int32_t i = 0; i < out->n_x && status == SL_OK; i++) {
        out->x_names[i] = sl_arena_copy(&out->arena, sl_sha_variable_name(r->a, r->columns[i]));
        status = out->x_names[i] ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

sl_status sl_tracer_finish(sl_tracer *r) {
    sl_status status = keep_all(r);
    if (status == SL_OK && r->def->plane) {
        status = sl_trace_plane_fill(r);
    }
    if (status == SL_OK && r->def->diagram) {
        status = r->out->discrete ? sl_trace_diagram_fill(r) : sl_grapher_finish(&r->graph, r->diags);
    }
    return status;
}

void sl_tracer_fini(sl_tracer *r) {
    SL_ARRAY_FINI(r->ctx, &r->t);
    SL_ARRAY_FINI(r->ctx, &r->x);
    SL_ARRAY_FINI(r->ctx, &r->changes);
    SL_ARRAY_FINI(r->ctx, &r->events);
    SL_ARRAY_FINI(r->ctx, &r->event_points);
    sl_grapher_fini(&r->graph, r->ctx);
    sl_exprs_destroy(r->g);
}
