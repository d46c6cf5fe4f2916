/* SPDX-License-Identifier: MIT */
/* study_outputs.c: what a study wants to see: probes, routes, limits, and what is written. */
#include "surge/study_impl.h"

#include <math.h>

#include "base/context.h"
#include "base/report.h"

/* ---- Probes ------------------------------------------------------------------------------------- */

static bool read_probe(sl_study *s, sl_yaml_map *m, void *to) {
    sl_surge_probe *p = to;
    *p = (sl_surge_probe){.pipe = -1, .line = sl_yaml_line(s->doc, m->node)};
    sl_yaml_text(m, "name", SL_YAML_NEEDED, &p->name);
    const sl_yaml_node *pipe = sl_yaml_get(m, "pipe", SL_YAML_NEEDED);
    p->pipe = pipe ? sl_study_link(s, pipe, SL_STUDY_PIPE) : -1;
    sl_yaml_number(m, "at", SL_YAML_NEEDED | SL_YAML_NOT_NEGATIVE, "m", &p->chainage);
    sl_yaml_done(m);
    return p->pipe >= 0 && p->name;
}

/* ---- Routes ------------------------------------------------------------------------------------- */

/* Bellman's relaxation in rounds: networks are shallow, and this is done once. */
static void relax(const sl_network *net, double *length, int32_t *by) {
    bool changed = true;
    for (int32_t round = 0; changed && round < net->n_node; round++) {
        changed = false;
        for (int32_t k = 0; k < net->n_link; k++) {
            double l = k < net->n_pipe ? net->pipe_length[k] : 1e-3;
            for (int turn = 0; turn < 2; turn++) {
                int32_t a = turn ? net->link_to[k] : net->link_from[k], b = turn ? net->link_from[k] : net->link_to[k];
                if (length[a] + l < length[b]) {
                    length[b] = length[a] + l;
                    by[b] = k;
                    changed = true;
                }
            }
        }
    }
}

sl_status sl_study_find_route(sl_study *s, int32_t from, int32_t to, sl_study_route *out) {
    const sl_network *net = s->net;
    double *length = sl_study_alloc(s, (size_t)net->n_node, sizeof *length);
    int32_t *by = sl_study_alloc(s, (size_t)net->n_node, sizeof *by);
    if (!length || !by) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        length[i] = i == from ? 0.0 : (double)INFINITY;
        by[i] = -1;
    }
    relax(net, length, by);
    if (from == to || by[to] < 0) {
        return SL_ERR_INPUT;
    }
    int32_t n = 0;
    for (int32_t i = to; i != from; i = net->link_from[by[i]] == i ? net->link_to[by[i]] : net->link_from[by[i]]) {
        n++;
    }
    int32_t *links = sl_study_alloc(s, (size_t)n, sizeof *links),
            *nodes = sl_study_alloc(s, (size_t)n + 1, sizeof *nodes);
    if (!links || !nodes) {
        return SL_ERR_MEMORY;
    }
    nodes[n] = to;
    for (int32_t k = n - 1, i = to; k >= 0; k--) {
        links[k] = by[i];
        i = net->link_from[by[i]] == i ? net->link_to[by[i]] : net->link_from[by[i]];
        nodes[k] = i;
    }
    out->links = links;
    out->nodes = nodes;
    out->n = n;
    return SL_OK;
}

/* Links one after another: each begins where the one before ends. */
static bool follow(sl_study *s, const sl_yaml_node *list, sl_study_route *r) {
    const int32_t *links = NULL;
    char quoted[SL_QUOTE_MAX];
    int32_t n = sl_study_links(s, list, SL_STUDY_ANY_LINK, &links);
    int32_t *nodes = sl_study_alloc(s, (size_t)n + 1, sizeof *nodes);
    if (!nodes || !s->net || n == 0) {
        return false;
    }
    const int32_t *a = s->net->link_from, *b = s->net->link_to;
    nodes[0] = a[links[0]];
    if (n > 1 && (a[links[0]] == a[links[1]] || a[links[0]] == b[links[1]])) {
        nodes[0] = b[links[0]];
    }
    for (int32_t k = 0; k < n; k++) {
        if (nodes[k] != a[links[k]] && nodes[k] != b[links[k]]) {
            const char *id = sl_network_link_id(s->net, links[k]);
            sl_yaml_report(s->doc, list, SL_ERROR, SL_CODE_VALUE_RANGE, "name every link of the path, in order",
                           "the route breaks before link %s", sl_quote(sl_str_z(id), quoted));
            return false;
        }
        nodes[k + 1] = nodes[k] == a[links[k]] ? b[links[k]] : a[links[k]];
    }
    r->links = links;
    r->nodes = nodes;
    r->n = n;
    return true;
}

static bool read_route(sl_study *s, sl_yaml_map *m, void *route) {
    sl_study_route *r = route;
    *r = (sl_study_route){.line = sl_yaml_line(s->doc, m->node)};
    sl_yaml_text(m, "name", SL_YAML_NEEDED, &r->name);
    const sl_yaml_node *links = sl_study_list(m, "links"), *from = sl_yaml_get(m, "from", 0),
                       *to = sl_yaml_get(m, "to", 0);
    sl_yaml_done(m);
    if (links ? from || to : !from || !to) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_SYNTAX,
                       "write `from: NODE` and `to: NODE`, or `links: [P1, P2]`",
                       "a route is given by its two ends or by its links");
        return false;
    }
    if (links) {
        return follow(s, links, r);
    }
    int32_t a = sl_study_node(s, from, SL_STUDY_ANY_NODE), b = sl_study_node(s, to, SL_STUDY_ANY_NODE);
    if (a < 0 || b < 0) {
        return false;
    }
    sl_status status = sl_study_find_route(s, a, b, r);
    if (status == SL_ERR_INPUT) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_VALUE_RANGE, "choose two nodes that are connected",
                       "no path leads from %s to %s", sl_network_node_id(s->net, a), sl_network_node_id(s->net, b));
    }
    return status == SL_OK && r->name;
}

/* ---- Limits ------------------------------------------------------------------------------------- */

static bool read_limit(sl_study *s, sl_yaml_map *m, void *to) {
    sl_study_limit *l = to;
    *l = (sl_study_limit){NAN, NAN, NAN, .line = sl_yaml_line(s->doc, m->node)};
    const sl_yaml_node *max = sl_yaml_get(m, "pressure_max", 0), *min = sl_yaml_get(m, "pressure_min", 0),
                       *nodes = sl_yaml_get(m, "nodes", 0), *pipes = sl_yaml_get(m, "pipes", 0);
    sl_yaml_number(m, "cavity_max", SL_YAML_NOT_NEGATIVE, "m3", &l->cavity_max);
    sl_yaml_done(m);
    if (max) {
        sl_study_as_measure(s, max, 0, &sl_study_pressure, &l->pressure_max);
    }
    if (min) {
        sl_study_as_measure(s, min, 0, &sl_study_pressure, &l->pressure_min);
    }
    l->n_node = nodes ? sl_study_nodes(s, nodes, &l->nodes) : 0;
    l->n_pipe = pipes ? sl_study_links(s, pipes, SL_STUDY_PIPE, &l->pipes) : 0;
    if (isnan(l->pressure_max) && isnan(l->pressure_min) && isnan(l->cavity_max) && !max && !min) {
        sl_yaml_report(s->doc, m->node, SL_ERROR, SL_CODE_MISSING_VALUE, "add pressure_max, pressure_min or cavity_max",
                       "the limit limits nothing");
    }
    return true;
}

/* ---- What is written ---------------------------------------------------------------------------- */

static int32_t read_texts(sl_study *s, sl_yaml_map *m, const char *key, const char *const **out) {
    const sl_yaml_node *node = sl_yaml_get(m, key, 0);
    if (!node) {
        return 0;
    }
    bool list = node->kind == SL_YAML_LIST;
    const char **texts = sl_study_alloc(s, list ? (size_t)node->n : 1, sizeof *texts);
    int32_t n = 0;
    for (const sl_yaml_node *t = list ? node->first : node; t && texts; t = list ? t->next : NULL) {
        n += sl_yaml_as_text(s->doc, t, &texts[n]);
    }
    *out = texts;
    return n;
}

/* nodes: all, none, or a list of ids */
static void read_choice(sl_study *s, sl_yaml_map *m, const char *key, sl_study_choice *c) {
    const sl_yaml_node *node = sl_yaml_get(m, key, 0);
    if (!node) {
        return;
    }
    bool word = node->kind == SL_YAML_SCALAR; /* unless there is an element of that id */
    if (word && s->net) {
        word =
            (c == &s->nodes ? sl_network_find_node(s->net, node->text) : sl_network_find_link(s->net, node->text)) < 0;
    }
    c->all = word && sl_str_equal_nocase(node->text, sl_str_z("all"));
    c->none = word && sl_str_equal_nocase(node->text, sl_str_z("none"));
    if (node->kind == SL_YAML_LIST && node->n == 0) { /* an empty list selects nothing, not everything */
        c->all = false;
        c->none = true;
    } else if (!c->all && !c->none) {
        c->n = c == &s->nodes ? sl_study_nodes(s, node, &c->at) : sl_study_links(s, node, SL_STUDY_ANY_LINK, &c->at);
    }
}

void sl_study_read_outputs(sl_study *s, sl_yaml_map *m) {
    const sl_yaml_node *probes = sl_study_list(m, "probes"), *routes = sl_study_list(m, "routes"),
                       *limits = sl_study_list(m, "limits");
    sl_yaml_map sub;
    s->def.probes = sl_study_rows(s, probes, sizeof *s->def.probes, read_probe, &s->def.n_probe);
    s->routes = sl_study_rows(s, routes, sizeof *s->routes, read_route, &s->n_route);
    s->limits = sl_study_rows(s, limits, sizeof *s->limits, read_limit, &s->n_limit);
    if (sl_yaml_submap(m, "outputs", 0, &sub)) {
        sl_yaml_time(&sub, "step", SL_YAML_NOT_NEGATIVE, &s->def.report_step);
        double n = s->def.report_step > 0.0 ? s->def.duration / s->def.report_step : 0.0;
        if (!(n <= SL_STEPS_MOST * s->ctx->def.effort)) {
            sl_yaml_report(s->doc, sl_yaml_get(&sub, "step", 0), SL_ERROR, SL_CODE_VALUE_RANGE,
                           "write a longer step, or a shorter duration; --effort allows more",
                           "results every %g s of %g s: %.3g of them are too many", s->def.report_step, s->def.duration,
                           n);
        }
        read_choice(s, &sub, "nodes", &s->nodes);
        read_choice(s, &sub, "links", &s->links);
        s->n_what = read_texts(s, &sub, "what", &s->what);
        s->n_result = read_texts(s, &sub, "results", &s->results);
        s->n_envelope = read_texts(s, &sub, "envelopes", &s->envelopes);
        sl_yaml_bool(&sub, "keep_envelopes", 0, &s->def.envelopes);
        sl_yaml_bool(&sub, "keep_balances", 0, &s->def.balances);
        sl_yaml_done(&sub);
    }
}
