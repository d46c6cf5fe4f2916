/* SPDX-License-Identifier: MIT */
/* network_columns.c: names, units, meanings and facts of a network's results; see network_columns.h. */
#include "results/network_columns.h"

#include <string.h>

#include "base/out.h"
#include "network/words.h"
#include "results/display_units.h"
#include "results/format.h"

/* ---- Units -------------------------------------------------------------------------------------- */

sl_status sl_network_units_show(sl_arena *arena, sl_flow_unit flow, sl_pressure_unit pressure, sl_quality_kind quality,
                                const char *of, const char *mass_unit, sl_network_unit_names *out) {
    static const char *const fixed[] = {
        [SL_QUALITY_NONE] = "", [SL_QUALITY_CHEMICAL] = NULL, [SL_QUALITY_AGE] = "h", [SL_QUALITY_TRACE] = "%"};
    bool metric = sl_flow_unit_is_metric(flow);
    const char *unit = fixed[quality] ? fixed[quality] : sl_results_text(arena, mass_unit ? mass_unit : "");
    const char *rate = unit ? sl_arena_format(arena, "%s/d", unit) : NULL;
    const char *name = of ? sl_results_text(arena, of) : "";
    name = name && quality == SL_QUALITY_TRACE ? sl_arena_format(arena, "water from %s", name) : name;
    name = name && quality == SL_QUALITY_AGE ? "age of the water" : name && !*name ? "water quality" : name;
    double factor[SL_Q_COUNT];
    sl_epanet_factors(&(sl_unit_system){.flow = flow, .pressure = pressure, .specific_gravity = 1.0}, factor);
    *out = (sl_network_unit_names){
        .name =
            {
                [SL_MEASURE_NONE] = "",
                [SL_MEASURE_FLOW] = sl_display_flow_name(flow),
                [SL_MEASURE_LENGTH] = metric ? "m" : "ft",
                [SL_MEASURE_DIAMETER] = metric ? "mm" : "in",
                [SL_MEASURE_PRESSURE] = sl_display_pressure_name(pressure),
                [SL_MEASURE_VELOCITY] = metric ? "m/s" : "ft/s",
                [SL_MEASURE_SLOPE] = metric ? "m/km" : "ft/kft",
                [SL_MEASURE_QUALITY] = unit,
                [SL_MEASURE_RATE] = rate,
                [SL_MEASURE_INTENSITY] = metric ? "kWh/m3" : "kWh/Mgal",
            },
        .length = factor[SL_Q_LENGTH],
        .diameter = factor[SL_Q_DIAMETER],
        .quality = name,
    };
    return rate && name ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_network_units_show_own(sl_arena *arena, const sl_network *net, bool si, sl_network_unit_names *out) {
    sl_flow_unit flow = si ? SL_CMS : net->hydraulics.flow_unit;
    sl_pressure_unit pressure = si ? SL_METERS : net->hydraulics.pressure_unit;
    const sl_quality_options *q = &net->quality;
    bool trace = q->kind == SL_QUALITY_TRACE && q->trace_node >= 0 && q->trace_node < net->n_node;
    const char *of = trace ? sl_network_node_id(net, q->trace_node) : q->chemical;
    sl_status status = sl_network_units_show(arena, flow, pressure, q->kind, of, q->mass_unit, out);
    if (si && status == SL_OK) {
        out->name[SL_MEASURE_DIAMETER] = "m";
        out->name[SL_MEASURE_RATE] = sl_arena_format(arena, "%s/s", out->name[SL_MEASURE_QUALITY]);
        out->length = out->diameter = 1.0;
        status = out->name[SL_MEASURE_RATE] ? SL_OK : SL_ERR_MEMORY;
    }
    return status;
}

/* ---- Quantities --------------------------------------------------------------------------------- */

const char *const sl_network_statuses[SL_NETWORK_STATUSES] = {"xhead",  "temp_closed", "closed", "open",
                                                              "active", "xflow",       "xfcv",   "xpressure"};

const sl_network_quantity sl_network_quantities[SL_OUT_VARIABLE_COUNT] = {
    [SL_OUT_DEMAND] = {"demand", "all that leaves a junction; net inflow of a reservoir or tank", SL_MEASURE_FLOW,
                       false},
    [SL_OUT_HEAD] = {"head", "hydraulic head", SL_MEASURE_LENGTH, false},
    [SL_OUT_PRESSURE] = {"pressure", "pressure", SL_MEASURE_PRESSURE, false},
    [SL_OUT_QUALITY] = {"quality", "water quality", SL_MEASURE_QUALITY, true},
    [SL_OUT_FLOW] = {"flow", "flow from the first to the second node", SL_MEASURE_FLOW, false},
    [SL_OUT_VELOCITY] = {"velocity", "mean velocity, without sign; 0 for pumps", SL_MEASURE_VELOCITY, false},
    [SL_OUT_HEADLOSS] = {"headloss",
                         "head loss: per thousand units of length of a pipe; the whole of a valve or (negative) pump",
                         SL_MEASURE_SLOPE, false},
    [SL_OUT_LINK_QUALITY] = {"quality", "mean water quality", SL_MEASURE_QUALITY, true},
    [SL_OUT_STATUS] = {"status", "open, closed, active, and why", SL_MEASURE_NONE, false},
    [SL_OUT_SETTING] = {"setting", "speed of a pump; setting of a valve in its unit; roughness of a pipe",
                        SL_MEASURE_NONE, false},
    [SL_OUT_REACTION] = {"reaction", "reaction rate", SL_MEASURE_RATE, true},
    [SL_OUT_FRICTION] = {"friction", "Darcy friction factor of a pipe", SL_MEASURE_NONE, false},
};

sl_results_column sl_network_quantity_column(sl_out_variable variable, const sl_network_unit_names *units) {
    const sl_network_quantity *q = &sl_network_quantities[variable];
    bool coded = variable == SL_OUT_STATUS;
    return (sl_results_column){.name = q->name,
                               .unit = units->name[q->measure],
                               .meaning = q->measure == SL_MEASURE_QUALITY ? units->quality : q->meaning,
                               .words = coded ? sl_network_statuses : NULL,
                               .n_word = coded ? SL_NETWORK_STATUSES : 0};
}

/* ---- Elements ----------------------------------------------------------------------------------- */

const char *const sl_network_link_types[10] = {"pipe", "pipe", "pump", "prv", "psv", "pbv", "fcv", "tcv", "gpv", "pcv"};

const int32_t *sl_network_order(sl_arena *arena, const int32_t *rank, int32_t n) {
    int32_t *at = sl_arena_alloc(arena, (size_t)n * sizeof *at);
    for (int32_t i = 0; at && i < n; i++) {
        at[rank[i]] = i;
    }
    return at;
}

/* x / unit of each, in order; x NULL: nothing is known. *out NULL then. False: out of memory. */
static bool gather(sl_arena *arena, const double *x, const int32_t *order, int32_t n, double unit, const double **out) {
    double *to = x ? sl_arena_alloc(arena, (size_t)n * sizeof *to) : NULL;
    for (int32_t i = 0; to && i < n; i++) {
        to[i] = x[order[i]] / unit;
    }
    *out = to;
    return to || !x;
}

static sl_status collect_nodes(sl_arena *arena, const sl_network *net, const sl_network_unit_names *units,
                               sl_network_facts *out) {
    size_t n = (size_t)net->n_node;
    const int32_t *order = sl_network_order(arena, net->node_rank, net->n_node);
    const char **id = sl_arena_alloc(arena, n * sizeof *id), **kind = sl_arena_alloc(arena, n * sizeof *kind);
    if (!order || !id || !kind ||
        !gather(arena, net->node_elevation, order, net->n_node, units->length, &out->elevation) ||
        !gather(arena, net->node_x, order, net->n_node, 1.0, &out->x) ||
        !gather(arena, net->node_y, order, net->n_node, 1.0, &out->y)) {
        return SL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        int32_t node = order[i];
        kind[i] = sl_node_kind_words[node < net->n_junction                      ? SL_JUNCTION
                                     : node < net->n_junction + net->n_reservoir ? SL_RESERVOIR
                                                                                 : SL_TANK];
        id[i] = sl_results_text(arena, sl_network_node_id(net, node));
        if (!id[i]) {
            return SL_ERR_MEMORY;
        }
    }
    out->n_node = net->n_node;
    out->node_id = id;
    out->node_kind = kind;
    return SL_OK;
}

/* As a .out file has them: a pump has no length and no diameter, a valve has no length. */
static void measure_link(const sl_network *net, int32_t link, const sl_network_unit_names *units, double *length,
                         double *diameter) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    *length = link < net->n_pipe ? net->pipe_length[link] / units->length : 0.0;
    *diameter = link < net->n_pipe ? net->pipe_diameter[link] / units->diameter
                : valve >= 0       ? net->valve_diameter[valve] / units->diameter
                                   : 0.0;
}

static sl_status collect_links(sl_arena *arena, const sl_network *net, const sl_network_unit_names *units,
                               sl_network_facts *out) {
    size_t n = (size_t)net->n_link;
    const int32_t *order = sl_network_order(arena, net->link_rank, net->n_link);
    const char **id = sl_arena_alloc(arena, n * sizeof *id), **kind = sl_arena_alloc(arena, n * sizeof *kind);
    const char **from = sl_arena_alloc(arena, n * sizeof *from), **to = sl_arena_alloc(arena, n * sizeof *to);
    double *length = sl_arena_alloc(arena, n * sizeof *length), *diameter = sl_arena_alloc(arena, n * sizeof *diameter);
    if (!order || !id || !kind || !from || !to || !length || !diameter) {
        return SL_ERR_MEMORY;
    }
    for (size_t i = 0; i < n; i++) {
        int32_t link = order[i], valve = link - net->n_pipe - net->n_pump;
        kind[i] = sl_network_link_types[link < net->n_pipe ? 1 : valve >= 0 ? 3 + (int)net->valve_kind[valve] : 2];
        from[i] = out->node_id[net->node_rank[net->link_from[link]]];
        to[i] = out->node_id[net->node_rank[net->link_to[link]]];
        measure_link(net, link, units, &length[i], &diameter[i]);
        id[i] = sl_results_text(arena, sl_network_link_id(net, link));
        if (!id[i]) {
            return SL_ERR_MEMORY;
        }
    }
    out->n_link = net->n_link;
    out->link_id = id;
    out->link_kind = kind;
    out->from = from;
    out->to = to;
    out->length = length;
    out->diameter = diameter;
    return SL_OK;
}

sl_status sl_network_facts_collect(sl_arena *arena, const sl_network *net, const sl_network_unit_names *units,
                                   sl_network_facts *out) {
    *out = (sl_network_facts){0};
    sl_status status = collect_nodes(arena, net, units, out);
    return status == SL_OK ? collect_links(arena, net, units, out) : status;
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static sl_status put_quantities(sl_arena *arena, const sl_network_unit_names *units, bool quality, int first, int end,
                                sl_results_group *group) {
    sl_results_column *q = sl_arena_alloc(arena, (size_t)(end - first) * sizeof *q);
    for (int v = first; q && v < end; v++) {
        if (quality || !sl_network_quantities[v].quality) {
            q[group->n_quantity++] = sl_network_quantity_column((sl_out_variable)v, units);
        }
    }
    group->quantities = q;
    return q ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_network_groups_make(sl_arena *arena, const sl_network_facts *facts, const sl_network_unit_names *units,
                                 bool quality, sl_results_group groups[SL_NETWORK_GROUPS]) {
    const char *length = units->name[SL_MEASURE_LENGTH], *diameter = units->name[SL_MEASURE_DIAMETER];
    const sl_results_column node[] = {
        {.name = "kind", .unit = "", .meaning = "what it is", .text = facts->node_kind},
        {.name = "elevation", .unit = length, .meaning = "elevation", .real = facts->elevation},
        {.name = "x", .unit = "", .meaning = "coordinate on the map", .real = facts->x},
        {.name = "y", .unit = "", .meaning = "coordinate on the map", .real = facts->y},
    };
    const sl_results_column link[] = {
        {.name = "kind", .unit = "", .meaning = "what it is", .text = facts->link_kind},
        {.name = "from", .unit = "", .meaning = "id of the first node", .text = facts->from},
        {.name = "to", .unit = "", .meaning = "id of the second node", .text = facts->to},
        {.name = "length", .unit = length, .meaning = "length of a pipe", .real = facts->length},
        {.name = "diameter", .unit = diameter, .meaning = "bore", .real = facts->diameter},
    };
    const sl_results_column *of_node = sl_arena_keep(arena, node, sizeof node),
                            *of_link = sl_arena_keep(arena, link, sizeof link);
    if (!of_node || !of_link) {
        return SL_ERR_MEMORY;
    }
    bool placed = facts->x && facts->y;
    groups[SL_NETWORK_NODES] = (sl_results_group){.name = "node",
                                                  .meaning = "nodes",
                                                  .n = facts->n_node,
                                                  .ids = facts->node_id,
                                                  .n_fact = placed ? 4 : 2,
                                                  .facts = of_node};
    groups[SL_NETWORK_LINKS] = (sl_results_group){
        .name = "link", .meaning = "links", .n = facts->n_link, .ids = facts->link_id, .n_fact = 5, .facts = of_link};
    sl_status status = put_quantities(arena, units, quality, 0, SL_OUT_FLOW, &groups[SL_NETWORK_NODES]);
    return status == SL_OK
               ? put_quantities(arena, units, quality, SL_OUT_FLOW, SL_OUT_VARIABLE_COUNT, &groups[SL_NETWORK_LINKS])
               : status;
}

/* ---- The whole ---------------------------------------------------------------------------------- */

void sl_network_attributes_make(sl_flow_unit flow, sl_pressure_unit pressure, sl_statistic statistic,
                                const char *trace_node, double start, double step, double duration,
                                sl_results_attribute out[SL_NETWORK_ATTRIBUTES]) {
    static const char *const statistics[] = {"series", "average", "minimum", "maximum", "range"};
    const sl_results_attribute all[SL_NETWORK_ATTRIBUTES] = {
        {.name = "flow_unit", .text = sl_flow_words[flow]},
        {.name = "pressure_unit", .text = sl_pressure_words[pressure]},
        {.name = "statistic", .text = statistics[statistic]},
        {.name = "trace_node", .text = trace_node},
        {.name = "report_start_s", .number = start},
        {.name = "report_step_s", .number = step},
        {.name = "duration_s", .number = duration},
    };
    memcpy(out, all, sizeof all);
}

void sl_network_end_attributes_make(int32_t warning, double demand_charge,
                                    sl_results_attribute out[SL_NETWORK_END_ATTRIBUTES]) {
    static const char *const warnings[] = {"none",
                                           "not balanced",
                                           "balanced, but perhaps not stable",
                                           "nodes without a source",
                                           "pumps that cannot deliver",
                                           "valves that cannot hold their setting",
                                           "negative pressures"};
    bool known = warning >= 0 && warning < (int32_t)(sizeof warnings / sizeof *warnings);
    out[0] = (sl_results_attribute){.name = "warning", .text = known ? warnings[warning] : "unknown"};
    out[1] = (sl_results_attribute){.name = "demand_charge", .number = demand_charge};
}

sl_status sl_network_pump_table(sl_arena *arena, int32_t n, const char *const *ids, const double *energy,
                                const sl_network_unit_names *units, sl_results_table *out) {
    const sl_results_column all[1 + SL_NETWORK_ENERGIES] = {
        {.name = "id", .unit = "", .meaning = "id of a pump", .text = ids},
        {.name = "utilization", .unit = "%", .meaning = "time on, of the duration"},
        {.name = "efficiency", .unit = "%", .meaning = "mean while on"},
        {.name = "energy_per_volume",
         .unit = units->name[SL_MEASURE_INTENSITY],
         .meaning = "mean of power / flow while on"},
        {.name = "average_power", .unit = "kW", .meaning = "mean power while on"},
        {.name = "peak_power", .unit = "kW", .meaning = "highest power"},
        {.name = "cost_per_day", .unit = "", .meaning = "cost of energy per day, in the currency of the prices"},
    };
    sl_results_column *columns = sl_arena_keep(arena, all, sizeof all);
    if (!columns) {
        return SL_ERR_MEMORY;
    }
    for (int k = 0; k < SL_NETWORK_ENERGIES; k++) {
        columns[1 + k].real = energy + (size_t)k * (size_t)n;
    }
    *out = (sl_results_table){.name = "pump_energy",
                              .meaning = "pumps over the run",
                              .n = n,
                              .n_column = 1 + SL_NETWORK_ENERGIES,
                              .columns = columns};
    return SL_OK;
}

const char *sl_network_title_text(sl_arena *arena, const char *const *line, int32_t n_line) {
    const char *text = "";
    while (n_line > 0 && !*line[n_line - 1]) {
        n_line--;
    }
    for (int32_t i = 0; text && i < n_line; i++) {
        text = sl_arena_format(arena, "%s%s%s", text, i > 0 ? "\n" : "", line[i]);
    }
    return text ? sl_results_text(arena, text) : NULL;
}
