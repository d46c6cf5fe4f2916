/* SPDX-License-Identifier: MIT */
/* trace_diagram.c: states and transitions as a graph.
 *
 * In continuous time the states are those that time passes in, and edges carry the roots that led from one to the next
 * (trace.c). In discrete time the executions from all states, if there are few, or from the start are followed together, one
 * step at a time: what is done at a state depends on it and on t up to the horizon, so a state is looked at once for each such
 * t. An edge carries the symbols of the transitions that moved something, and t where not all times go that way.
 */
#include "automata/trace_impl.h"

#include <string.h>

#include "automata/sda_impl.h"
#include "base/out.h"
#include "base/report.h"

/* ---- The graph ---------------------------------------------------------------------------------- */

void sl_grapher_init(sl_grapher *g, sl_trace *out, sl_context *ctx) {
    *g = (sl_grapher){.out = out, .states = sl_ids_create(ctx)};
}

void sl_grapher_fini(sl_grapher *g, sl_context *ctx) {
    sl_ids_destroy(g->states);
    SL_ARRAY_FINI(ctx, &g->nodes);
    SL_ARRAY_FINI(ctx, &g->edges);
    SL_ARRAY_FINI(ctx, &g->edge_times);
    SL_ARRAY_FINI(ctx, &g->node_times);
    SL_ARRAY_FINI(ctx, &g->odd_times);
}

int32_t sl_grapher_node(sl_grapher *g, sl_context *ctx, const int32_t *q) {
    size_t bytes = (size_t)g->out->n_q * sizeof *q;
    int32_t added = sl_ids_add(g->states, (sl_str){(const char *)q, bytes});
    if (added < 0) {
        return added == INT32_MIN ? -1 : -1 - added;
    }
    int32_t *copy = sl_arena_keep(&g->out->arena, q, bytes);
    bool good = copy && SL_RESERVE(ctx, &g->nodes, g->nodes.n + 1) &&
                SL_PUSH_BOTH(ctx, &g->node_times, 0u, &g->odd_times, 0u) &&
                SL_PUSH(ctx, &g->nodes, ((sl_trace_node){.q = copy, .note = ""}));
    return good ? added : -1;
}

bool sl_grapher_edge(sl_grapher *g, sl_context *ctx, int32_t from, int32_t to, const char *label, bool choice,
                     uint32_t time) {
    for (int64_t i = 0; i < g->edges.n; i++) {
        const sl_trace_edge *e = &g->edges.at[i];
        if (e->from == from && e->to == to && e->choice == choice && strcmp(e->label, label) == 0) {
            g->edge_times.at[i] |= time;
            return true;
        }
    }
    const char *copy = sl_arena_copy(&g->out->arena, sl_str_z(label));
    return copy && SL_PUSH_BOTH(ctx, &g->edge_times, time, &g->edges, ((sl_trace_edge){from, to, copy, choice}));
}

sl_status sl_grapher_finish(sl_grapher *g, sl_diags *diags) {
    sl_trace_diagram *d = &g->out->diagram;
    if (g->nodes.n > SL_DIAGRAM_MAX) {
        sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, NULL, NULL, NULL,
                  "draw --states over time instead, or end the run earlier",
                  "the run comes to more than %d states: too many for a diagram", SL_DIAGRAM_MAX);
        return SL_ERR_INPUT;
    }
    d->n_node = (int32_t)g->nodes.n;
    d->n_edge = (int32_t)g->edges.n;
    d->nodes = sl_arena_keep(&g->out->arena, g->nodes.at, (size_t)d->n_node * sizeof *d->nodes);
    d->edges = sl_arena_keep(&g->out->arena, g->edges.at, (size_t)d->n_edge * sizeof *d->edges);
    return d->nodes && d->edges ? SL_OK : SL_ERR_MEMORY;
}

/* ---- Discrete time ------------------------------------------------------------------------------ */

typedef struct waiting {
    sl_sda_run *run;
} waiting;

typedef struct walker {
    sl_tracer *r;
    const sl_sda *d;
    sl_sda_def def;
    int32_t last_phase;     /* from this t on nothing depends on t */
    bool endless;           /* ... which is not known: times beyond are left out */
    sl_ids *seen;           /* q and phase */
    int32_t *key;           /* [n_q + 1] */
    SL_ARRAY(waiting) open; /* from first on */
    int64_t first;
} walker;

enum { CHOICES = 16, PHASES = 16 };

/* Takes the run over. */
static bool put_open(walker *w, sl_sda_run *run) {
    int32_t t = sl_sda_run_time(run), n_q = w->r->out->n_q;
    if (n_q > 0) {
        memcpy(w->key, sl_sda_run_values(run), (size_t)n_q * sizeof *w->key);
    }
    w->key[n_q] = t < w->last_phase ? t : w->last_phase;
    int32_t added = sl_ids_add(w->seen, (sl_str){(const char *)w->key, ((size_t)n_q + 1) * sizeof *w->key});
    bool keep = added >= 0 && SL_PUSH(w->r->ctx, &w->open, (waiting){run});
    if (!keep) {
        sl_sda_run_destroy(run);
    }
    return keep || (added < 0 && added != INT32_MIN);
}

static void append(char *buf, size_t size, const char *before, const char *text) {
    size_t used = strlen(buf);
    (void)sl_format(buf + used, size - used, "%s%.40s", used ? before : "", text);
}

/* The symbols of active transitions that hold the derivative of a changed variable; of a choice also the derivatives. */
static void label_of(const walker *w, const sl_sda_run *run, int64_t choice, bool several, char *buf, size_t size) {
    int32_t n = 0, shown = 0;
    const int32_t *active = sl_sda_run_active(run, &n);
    buf[0] = '\0';
    for (int32_t i = 0; i < n; i++) {
        const sl_sda_transition *e = &w->d->transitions.at[active[i]];
        bool moves = false;
        for (int32_t k = 0; k < e->n_unknown; k++) {
            int32_t v = w->d->unknowns.at[e->first_unknown + k];
            moves = moves || sl_sda_run_derivative(run, choice, v) != 0;
        }
        if (moves && ++shown <= 3) {
            char made[24];
            (void)sl_format(made, sizeof made, "e%d", (int)active[i]);
            append(buf, size, ", ", e->symbol[0] ? e->symbol : made);
        }
    }
    if (shown > 3) {
        append(buf, size, ", ", "…");
    }
    for (int32_t i = 0; i < w->r->out->n_q && several; i++) {
        int32_t dq = sl_sda_run_derivative(run, choice, i);
        if (dq != 0) {
            char text[24];
            (void)sl_format(text, sizeof text, "%s%d", dq > 0 ? "+" : "−", (int)(dq > 0 ? dq : -dq));
            append(buf, size, " ", text);
        }
    }
}

/* One step of a run by one of its derivatives. */
static bool take(walker *w, const sl_sda_run *run, int32_t node, int64_t choice, uint32_t time) {
    sl_tracer *r = w->r;
    sl_sda_run *next = NULL;
    bool several = sl_sda_run_n_choice(run) > 1;
    char label[200];
    label_of(w, run, choice, several, label, sizeof label);
    if (sl_sda_run_copy(run, &next) != SL_OK) {
        return false;
    }
    int32_t before = sl_sda_run_time(next);
    (void)sl_sda_run_step(next, choice);
    if (sl_sda_run_time(next) == before) { /* this derivative is 0, and the execution has ended */
        r->graph.nodes.at[node].flags |= SL_NODE_SETTLED;
        bool good = sl_sda_run_state(next) != SL_SDA_FAILED;
        sl_sda_run_destroy(next);
        return good;
    }
    int32_t to = sl_grapher_node(&r->graph, r->ctx, sl_sda_run_values(next));
    bool good = to >= 0 && sl_grapher_edge(&r->graph, r->ctx, node, to, label, several, time);
    if (!good || (w->endless && before + 1 > w->last_phase)) {
        sl_sda_run_destroy(next);
        return good;
    }
    return put_open(w, next);
}

static bool expand(walker *w, const sl_sda_run *run) {
    sl_tracer *r = w->r;
    int32_t node = sl_grapher_node(&r->graph, r->ctx, sl_sda_run_values(run)), t = sl_sda_run_time(run);
    if (node < 0) {
        return false;
    }
    uint32_t time = UINT32_C(1) << (t < w->last_phase ? t : w->last_phase);
    sl_sda_state state = sl_sda_run_state(run);
    sl_trace_node *at = &r->graph.nodes.at[node];
    bool none = state == SL_SDA_UNSOLVABLE || state == SL_SDA_GAVE_UP, several = state == SL_SDA_CHOICE;
    r->graph.node_times.at[node] |= time;
    r->graph.odd_times.at[node] |= none || several ? time : 0u;
    at->flags |= state == SL_SDA_CONVERGED ? SL_NODE_SETTLED
                 : none                    ? SL_NODE_UNSOLVABLE
                 : several                 ? SL_NODE_CHOICE
                                           : 0u;
    bool good = state != SL_SDA_FAILED;
    int64_t n = sl_sda_run_n_choice(run);
    for (int64_t k = 0; k < n && k < CHOICES && good && (state == SL_SDA_RUNNING || state == SL_SDA_CHOICE); k++) {
        good = take(w, run, node, k, time);
    }
    return good;
}

/* Where executions begin: everywhere if there are few states, else at the start. */
static sl_status begin(walker *w) {
    sl_tracer *r = w->r;
    int64_t n = 1;
    for (int32_t i = 0; i < r->out->n_q && n <= SL_DIAGRAM_ALL; i++) {
        n *= r->out->q_domains[i];
    }
    bool all = n <= SL_DIAGRAM_ALL && !r->def->reached;
    r->out->diagram.all = all;
    int32_t start = sl_grapher_node(&r->graph, r->ctx, r->a->start.at); /* the first */
    if (start < 0) {
        return SL_ERR_MEMORY;
    }
    r->graph.nodes.at[start].flags |= SL_NODE_START;
    sl_status status = SL_OK;
    for (int64_t s = 0; s < (all ? n : 1) && status == SL_OK; s++) {
        int64_t rest = s;
        for (int32_t i = r->out->n_q - 1; i >= 0; i--) {
            r->q[i] = all ? (int32_t)(rest % r->out->q_domains[i]) : r->a->start.at[i];
            rest /= r->out->q_domains[i];
        }
        sl_sda_run *run = NULL;
        status = sl_sda_run_create(w->d, r->q, &w->def, &run);
        status = status == SL_OK && !put_open(w, run) ? SL_ERR_MEMORY : status;
    }
    return status;
}

/* Adds " (t = 0)", " (t ≥ 1)"; nothing where all times of the node go this way. */
static void put_times(char *buf, size_t size, uint32_t edge, uint32_t node, int32_t last) {
    if (edge == node) {
        return;
    }
    int32_t from = last + 1; /* from here on all */
    while (from > 0 && (edge >> (from - 1) & 1)) {
        from--;
    }
    bool bare = buf[0] == '\0'; /* needs no brackets */
    append(buf, size, " (", "t ");
    const char *before = "= ";
    for (int32_t t = 0; t < from; t++) {
        if (edge >> t & 1) {
            char text[16];
            (void)sl_format(text, sizeof text, "%s%d", before, (int)t);
            append(buf, size, "", text);
            before = ", ";
        }
    }
    if (from <= last) {
        char text[24];
        (void)sl_format(text, sizeof text, "%s≥ %d", before[0] == ',' ? ", " : "", (int)from);
        append(buf, size, "", text);
    }
    append(buf, size, "", bare ? "" : ")");
}

/* Times into labels and notes; false: memory. */
static bool report_times(walker *w) {
    sl_grapher *g = &w->r->graph;
    for (int64_t i = 0; i < g->edges.n; i++) {
        sl_trace_edge *e = &g->edges.at[i];
        char label[240];
        (void)sl_format(label, sizeof label, "%s", e->label);
        put_times(label, sizeof label, g->edge_times.at[i], g->node_times.at[e->from], w->last_phase);
        e->label = sl_arena_copy(&g->out->arena, sl_str_z(label));
        if (!e->label) {
            return false;
        }
    }
    for (int64_t i = 0; i < g->nodes.n; i++) {
        sl_trace_node *node = &g->nodes.at[i];
        char note[100] = "";
        if (node->flags & (SL_NODE_UNSOLVABLE | SL_NODE_CHOICE)) {
            append(note, sizeof note, "", node->flags & SL_NODE_UNSOLVABLE ? "no derivative" : "several derivatives");
            put_times(note, sizeof note, g->odd_times.at[i], g->node_times.at[i], w->last_phase);
        }
        node->note = sl_arena_copy(&g->out->arena, sl_str_z(note));
        if (!node->note) {
            return false;
        }
    }
    return true;
}

sl_status sl_trace_diagram_fill(sl_tracer *r) {
    walker w = {.r = r, .d = sl_sha_discrete(r->a), .def = r->a->discrete_def};
    int32_t horizon = sl_sda_horizon(w.d);
    w.endless = horizon == SL_SDA_NO_HORIZON || horizon > PHASES;
    w.last_phase = w.endless ? PHASES : horizon;
    if (r->def->n_step >= 0) {
        w.def.rule = SL_SDA_UNTIL_BOUND;
        w.def.most_steps = r->def->n_step;
    }
    w.seen = sl_ids_create(r->ctx);
    w.key = sl_arena_alloc(&r->out->arena, ((size_t)r->out->n_q + 1) * sizeof *w.key);
    sl_status status = w.seen && w.key ? begin(&w) : SL_ERR_MEMORY;
    while (status == SL_OK && w.first < w.open.n && r->graph.nodes.n <= SL_DIAGRAM_MAX) {
        sl_sda_run *run = w.open.at[w.first++].run;
        status = expand(&w, run) ? SL_OK : SL_ERR_MEMORY;
        sl_sda_run_destroy(run);
    }
    while (w.first < w.open.n) {
        sl_sda_run_destroy(w.open.at[w.first++].run);
    }
    status = status == SL_OK && !report_times(&w) ? SL_ERR_MEMORY : status;
    SL_ARRAY_FINI(r->ctx, &w.open);
    sl_ids_destroy(w.seen);
    return status == SL_OK ? sl_grapher_finish(&r->graph, r->diags) : status;
}
