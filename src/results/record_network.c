/* SPDX-License-Identifier: MIT */
/* record_network.c: networks in results: the units of the network, EPANET's order and conventions (network_values.h), facts about nodes
 * and links, the pumps' energy. Of pressure waves the same, with what they have in common.
 */
#include <string.h>

#include "results/display_units.h"
#include "results/network_columns.h"
#include "results/out_write.h"
#include "results/pump_energy.h"
#include "results/network_values.h"
#include "results/record.h"

typedef struct network {
    sl_network_unit_names units;
    sl_network_values values;
    double *scratch; /* values in the network's order */
} network;

/* ---- Units -------------------------------------------------------------------------------------- */

static void convert_all(sl_recorder *r) {
    const sl_display_units shown = sl_display_units_of(r->net);
    for (int64_t i = 0; i < r->groups.n && !r->def.si; i++) {
        for (int64_t k = 0; k < r->groups.at[i].quantities.n; k++) {
            sl_record_quantity *q = &r->groups.at[i].quantities.at[k];
            bool is_pressure = strcmp(q->column.name, "pressure") == 0;
            const sl_display_unit as = sl_display_unit_of(&shown, q->column.unit, is_pressure);
            q->column.unit = as.name;
            q->by = 1.0 / as.factor;
        }
    }
}

/* ---- Elements ----------------------------------------------------------------------------------- */

static bool is_identity(const int32_t *order, int32_t n) {
    int32_t i = 0;
    while (i < n && order[i] == i) {
        i++;
    }
    return i == n;
}

/* Ids, facts and order of a group. */
static sl_status describe(sl_recorder *r, const char *name, const sl_results_group *from, const int32_t *rank) {
    sl_record_group *g = sl_record_find_group(r, name);
    const int32_t *order = sl_network_order(&r->arena, rank, from->n);
    if (!order) {
        return SL_ERR_MEMORY;
    }
    if (g) {
        g->shown.ids = from->ids;
        g->shown.n_fact = from->n_fact;
        g->shown.facts = from->facts;
        g->order = is_identity(order, from->n) ? NULL : order;
    }
    return SL_OK;
}

sl_status sl_record_network_facts(sl_recorder *r) {
    sl_network_unit_names units;
    sl_network_facts facts;
    sl_results_group groups[SL_NETWORK_GROUPS];
    sl_status status = sl_network_units_show_own(&r->arena, r->net, r->def.si, &units);
    status = status == SL_OK ? sl_network_facts_collect(&r->arena, r->net, &units, &facts) : status;
    status = status == SL_OK ? sl_network_groups_make(&r->arena, &facts, &units, false, groups) : status;
    status = status == SL_OK ? describe(r, "node", &groups[SL_NETWORK_NODES], r->net->node_rank) : status;
    status = status == SL_OK ? describe(r, "link", &groups[SL_NETWORK_LINKS], r->net->link_rank) : status;
    if (status == SL_OK) {
        static const char *const among[][2] = {
            {"reservoir", "node"}, {"tank", "node"}, {"pipe", "link"}, {"pump", "link"}, {"valve", "link"}};
        for (size_t i = 0; i < sizeof among / sizeof *among; i++) {
            sl_record_group *g = sl_record_find_group(r, among[i][0]);
            if (g) {
                g->shown.among = among[i][1];
            }
        }
        convert_all(r);
        r->layout.title = sl_network_title_text(&r->arena, r->net->title, r->net->n_title);
        status = r->layout.title ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

/* ---- EPANET's quantities ------------------------------------------------------------------------ */

static void show(const sl_recorder *r, const sl_record_group *g, const sl_record_quantity *q, const double *const x[2],
                 double *to) {
    const network *k = r->known;
    const sl_network *net = r->net;
    bool links = q->number >= SL_OUT_FLOW;
    const int32_t kinds[] = {0, net->n_pipe, net->n_pipe + net->n_pump, net->n_link};
    const int32_t all[] = {0, net->n_node};
    const int32_t *run = links ? kinds : all;
    double *at = g->order ? k->scratch : to;
    for (int i = 0; i < (links ? 3 : 1); i++) {
        if (run[i + 1] > run[i]) {
            sl_network_values_show(&k->values, (sl_out_variable)q->number, x[0], x[1], run[i], run[i + 1] - run[i],
                                   at + run[i]);
        }
    }
    for (int32_t i = 0; g->order && i < g->shown.n; i++) {
        to[i] = at[g->order[i]];
    }
}

/* Quality that is not computed is no column of zeros. */
static void drop_quality(sl_record_group *g) {
    int64_t n = 0;
    for (int64_t i = 0; i < g->quantities.n; i++) {
        const char *name = g->quantities.at[i].column.name;
        bool quality = strcmp(name, "quality") == 0 || strcmp(name, "reaction") == 0;
        if (!quality) {
            g->quantities.at[n++] = g->quantities.at[i];
        }
    }
    g->quantities.n = n;
}

static void show_as_epanet(sl_recorder *r, const network *k) {
    int32_t status = sl_engine_find_full(r->ops, "link.status");
    for (int v = 0; v < SL_OUT_VARIABLE_COUNT; v++) {
        const sl_record_group *g = sl_record_find_group(r, v < SL_OUT_FLOW ? "node" : "link");
        sl_record_quantity *q = g ? sl_record_find_quantity(g, sl_network_quantities[v].name) : NULL;
        if (q && (v != SL_OUT_HEADLOSS || status >= 0)) {
            q->column = sl_network_quantity_column((sl_out_variable)v, &k->units);
            q->fields[1] = v == SL_OUT_HEADLOSS ? status : -1;
            q->number = v;
            q->show = show;
            q->sum = v == SL_OUT_FLOW ? SL_RECORD_SIZE : v == SL_OUT_STATUS ? SL_RECORD_OPEN : SL_RECORD_AS_IS;
        }
    }
}

/* ---- The style ---------------------------------------------------------------------------------- */

static sl_status fits(const sl_recorder *r, bool *out) {
    *out =
        r->net && (sl_engine_find_full(r->ops, "link.status") >= 0 || sl_engine_find_full(r->ops, "node.quality") >= 0);
    return SL_OK;
}

static sl_status add_attributes(sl_recorder *r) {
    sl_results_attribute all[SL_NETWORK_ATTRIBUTES];
    double start = 0.0, step = 0.0;
    const sl_network *net = r->net;
    bool traced = net->quality.kind == SL_QUALITY_TRACE && net->quality.trace_node >= 0;
    const char *trace = sl_results_text(&r->arena, traced ? sl_network_node_id(net, net->quality.trace_node) : "");
    if (!trace) {
        return SL_ERR_MEMORY;
    }
    r->ops->report(r->engine, &start, &step);
    sl_network_attributes_make(r->def.si ? SL_CMS : net->hydraulics.flow_unit,
                               r->def.si ? SL_METERS : net->hydraulics.pressure_unit, net->times.statistic, trace,
                               start, step, sl_session_end(r->session), all);
    for (int i = 0; i < SL_NETWORK_ATTRIBUTES; i++) {
        if (!SL_PUSH(r->ctx, &r->attributes, all[i])) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

static sl_status arrange(sl_recorder *r) {
    const sl_network *net = r->net;
    network *k = sl_arena_alloc(&r->arena, sizeof *k);
    size_t n = (size_t)(net->n_node > net->n_link ? net->n_node : net->n_link);
    sl_status status = k ? sl_network_units_show_own(&r->arena, net, r->def.si, &k->units) : SL_ERR_MEMORY;
    status = status == SL_OK ? sl_record_network_facts(r) : status;
    if (status != SL_OK) {
        return status;
    }
    const sl_unit_system units = sl_network_units(&net->hydraulics, &net->quality);
    r->known = k;
    r->statistic = (int)net->times.statistic;
    k->values = sl_network_values_of(net, &units, r->def.si);
    k->scratch = sl_arena_alloc(&r->arena, n * sizeof *k->scratch);
    for (int i = 0; i < 2 && net->quality.kind == SL_QUALITY_NONE; i++) {
        sl_record_group *g = sl_record_find_group(r, i == 0 ? "node" : "link");
        if (g) {
            drop_quality(g);
        }
    }
    show_as_epanet(r, k);
    return k->scratch ? add_attributes(r) : SL_ERR_MEMORY;
}

/* ---- The end ------------------------------------------------------------------------------------ */

/* The pumps among the links that were chosen, which keep their order and the addresses of their ids. ids and pumps have one per pump of
 * the network. */
static int32_t chosen_pumps(sl_recorder *r, const char **ids, int32_t *pumps) {
    const sl_network *net = r->net;
    const sl_record_group *all = sl_record_find_group(r, "link");
    const sl_results_group *links = sl_results_find_group(&r->choice.layout, "link");
    int32_t n = 0, at = 0;
    for (int32_t i = 0; links && i < all->shown.n && at < links->n; i++) {
        if (all->shown.ids[i] != links->ids[at]) {
            continue;
        }
        int32_t pump = (all->order ? all->order[i] : i) - net->n_pipe;
        if (pump >= 0 && pump < net->n_pump) {
            ids[n] = links->ids[at];
            pumps[n++] = pump;
        }
        at++;
    }
    return n;
}

static sl_status add_pumps(sl_recorder *r, const sl_pump_account *account) {
    const network *k = r->known;
    size_t n_all = (size_t)r->net->n_pump;
    const char **ids = sl_arena_alloc(&r->arena, n_all * sizeof *ids);
    int32_t *pumps = sl_arena_alloc(&r->arena, n_all * sizeof *pumps);
    double *x = sl_arena_alloc(&r->arena, SL_NETWORK_ENERGIES * n_all * sizeof *x);
    if (!ids || !pumps || !x) {
        return SL_ERR_MEMORY;
    }
    int32_t n = chosen_pumps(r, ids, pumps);
    for (int32_t i = 0; i < n; i++) {
        double row[SL_PUMP_ENERGIES];
        sl_pump_energies(account, pumps[i], row);
        for (int e = 0; e < SL_NETWORK_ENERGIES; e++) {
            x[e * n + i] = row[e];
        }
    }
    sl_results_table table;
    sl_status status = sl_network_pump_table(&r->arena, n, ids, x, &k->units, &table);
    return status == SL_OK && n > 0 && !SL_PUSH(r->ctx, &r->tables, table) ? SL_ERR_MEMORY : status;
}

static sl_status end(sl_recorder *r, bool complete) {
    double start = 0.0, step = 0.0;
    (void)complete;
    r->ops->report(r->engine, &start, &step);
    const sl_pump_account account = {.net = r->net,
                                     .ops = r->ops,
                                     .engine = r->engine,
                                     .elapsed = sl_session_time(r->session) - r->begin,
                                     .flow_unit = r->def.si ? SL_CMS : r->net->hydraulics.flow_unit};
    bool has_energy = sl_engine_find_full(r->ops, "pump.energy.kwh") >= 0;
    sl_results_attribute all[SL_NETWORK_END_ATTRIBUTES];
    sl_network_end_attributes_make(sl_out_warning_flag(sl_session_diags(r->session)),
                                   has_energy ? sl_pump_demand_charge(&account) : 0.0, all);
    for (int i = 0; i < SL_NETWORK_END_ATTRIBUTES; i++) {
        if (!SL_PUSH(r->ctx, &r->end_attributes, all[i])) {
            return SL_ERR_MEMORY;
        }
    }
    return has_energy ? add_pumps(r, &account) : SL_OK;
}

const sl_record_style sl_record_network = {.fits = fits, .arrange = arrange, .end = end, .at_report_times = true};
