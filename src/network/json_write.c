/* SPDX-License-Identifier: MIT */
/* json_write.c: the whole network as JSON, in SI units with the unit in each member's name.
 *
 * Format: docs/reference/network-json.md. References are ids, not indices; absent things are left out.
 */
#include "base/memory.h"
#include "base/out.h"
#include "network/network_impl.h"
#include "network/words.h"
#include <sluice/network_io.h>

#include <math.h>

typedef struct writer {
    const sl_network *net;
    sl_json json;
    /* Walking along the sorted notes. */
    int32_t node_tag, node_note, link_tag, link_note, demand_note, pattern_note, curve_note;
} writer;

static void number(writer *w, const char *key, double x) {
    sl_json_key(&w->json, key);
    sl_json_number(&w->json, x);
}

/* Left out when it is nothing special. */
static void number_unless(writer *w, const char *key, double x, double usual) {
    if (x != usual && !isnan(x)) {
        number(w, key, x);
    }
}

static void text(writer *w, const char *key, const char *z) {
    sl_json_key(&w->json, key);
    sl_json_z(&w->json, z);
}

static void flag(writer *w, const char *key, bool x) {
    sl_json_key(&w->json, key);
    sl_json_bool(&w->json, x);
}

static void pattern(writer *w, const char *key, int32_t i) {
    if (i >= 0) {
        text(w, key, sl_network_pattern_id(w->net, i));
    }
}

static void curve(writer *w, const char *key, int32_t i) {
    if (i >= 0) {
        text(w, key, sl_network_curve_id(w->net, i));
    }
}

static void list(writer *w, const char *key) {
    sl_json_key(&w->json, key);
    sl_json_array(&w->json);
}

/* An object of a list, on one line. */
static void item(writer *w) {
    sl_json_object(&w->json);
    sl_json_inline(&w->json);
}

static void end(writer *w) {
    sl_json_end(&w->json);
}

static void note(writer *w, const char *key, const sl_note *notes, int32_t n, int32_t *at, int32_t index) {
    while (*at < n && notes[*at].index < index) {
        ++*at;
    }
    if (*at < n && notes[*at].index == index) {
        text(w, key, notes[*at].text);
    }
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static void finish_node(writer *w, int32_t i) {
    const sl_network *net = w->net;
    number_unless(w, "initial_quality", net->node_quality[i], 0.0);
    if (net->node_x && !isnan(net->node_x[i])) {
        number(w, "x", net->node_x[i]);
        number(w, "y", net->node_y[i]);
    }
    note(w, "tag", net->node_tags, net->n_node_tag, &w->node_tag, i);
    note(w, "note", net->node_notes, net->n_node_note, &w->node_note, i);
    end(w);
}

static void write_junctions(writer *w) {
    const sl_network *net = w->net;
    list(w, "junctions");
    for (int32_t i = 0; i < net->n_junction; i++) {
        item(w);
        text(w, "id", sl_network_node_id(net, i));
        number(w, "elevation_m", net->node_elevation[i]);
        list(w, "demands");
        for (int32_t k = net->demand_start[i]; k < net->demand_start[i + 1]; k++) {
            item(w);
            number(w, "base_m3_per_s", net->demand_base[k]);
            pattern(w, "pattern", net->demand_pattern[k]);
            note(w, "category", net->demand_note, net->n_demand_note, &w->demand_note, k);
            end(w);
        }
        end(w);
        number_unless(w, "emitter_coef", net->emitter_coef[i], 0.0);
        finish_node(w, i);
    }
    end(w);
}

static void write_reservoirs(writer *w) {
    const sl_network *net = w->net;
    list(w, "reservoirs");
    for (int32_t i = 0; i < net->n_reservoir; i++) {
        int32_t node = net->n_junction + i;
        item(w);
        text(w, "id", sl_network_node_id(net, node));
        number(w, "head_m", net->node_elevation[node]);
        pattern(w, "pattern", net->reservoir_pattern[i]);
        finish_node(w, node);
    }
    end(w);
}

static void write_tanks(writer *w) {
    const sl_network *net = w->net;
    list(w, "tanks");
    for (int32_t i = 0; i < net->n_tank; i++) {
        int32_t node = net->n_junction + net->n_reservoir + i;
        item(w);
        text(w, "id", sl_network_node_id(net, node));
        number(w, "elevation_m", net->node_elevation[node]);
        number(w, "level_init_m", net->tank_level_init[i]);
        number(w, "level_min_m", net->tank_level_min[i]);
        number(w, "level_max_m", net->tank_level_max[i]);
        number(w, "diameter_m", net->tank_diameter[i]);
        number_unless(w, "volume_min_m3", net->tank_volume_min[i], 0.0);
        curve(w, "volume_curve", net->tank_curve[i]);
        flag(w, "overflow", net->tank_overflow[i]);
        text(w, "mixing", sl_mixing_words[net->tank_mixing[i]]);
        number_unless(w, "mix_fraction", net->tank_mix_fraction[i], 1.0);
        number_unless(w, "bulk_coef_per_s", net->tank_bulk[i], NAN);
        finish_node(w, node);
    }
    end(w);
}

/* ---- Links -------------------------------------------------------------------------------------- */

static void start_link(writer *w, int32_t i) {
    const sl_network *net = w->net;
    item(w);
    text(w, "id", sl_network_link_id(net, i));
    text(w, "from", sl_network_node_id(net, net->link_from[i]));
    text(w, "to", sl_network_node_id(net, net->link_to[i]));
}

static void finish_link(writer *w, int32_t i) {
    const sl_network *net = w->net;
    if (net->vertex_start && net->vertex_start[i] < net->vertex_start[i + 1]) {
        list(w, "vertices");
        for (int32_t k = net->vertex_start[i]; k < net->vertex_start[i + 1]; k++) {
            sl_json_array(&w->json);
            sl_json_number(&w->json, net->vertex_x[k]);
            sl_json_number(&w->json, net->vertex_y[k]);
            end(w);
        }
        end(w);
    }
    note(w, "tag", net->link_tags, net->n_link_tag, &w->link_tag, i);
    note(w, "note", net->link_notes, net->n_link_note, &w->link_note, i);
    end(w);
}

static void write_pipes(writer *w) {
    const sl_network *net = w->net;
    const char *roughness = net->hydraulics.headloss == SL_DARCY_WEISBACH ? "roughness_m" : "roughness";
    list(w, "pipes");
    for (int32_t i = 0; i < net->n_pipe; i++) {
        start_link(w, i);
        number(w, "length_m", net->pipe_length[i]);
        number(w, "diameter_m", net->pipe_diameter[i]);
        number(w, roughness, net->pipe_roughness[i]);
        number_unless(w, "minor_loss", net->pipe_minor[i], 0.0);
        text(w, "status", net->pipe_check[i] ? "CV" : sl_status_words[net->link_status[i]]);
        if (net->pipe_bulk) {
            number_unless(w, "bulk_coef_per_s", net->pipe_bulk[i], NAN);
            number_unless(w, "wall_coef", net->pipe_wall[i], NAN);
        }
        if (net->pipe_leak_area) {
            number_unless(w, "leak_area_m2_per_m", net->pipe_leak_area[i], 0.0);
            number_unless(w, "leak_expansion_m2_per_m2", net->pipe_leak_expansion[i], 0.0);
        }
        finish_link(w, i);
    }
    end(w);
}

static void write_pumps(writer *w) {
    const sl_network *net = w->net;
    list(w, "pumps");
    for (int32_t i = 0; i < net->n_pump; i++) {
        int32_t link = net->n_pipe + i;
        start_link(w, link);
        curve(w, "head_curve", net->pump_curve[i]);
        number_unless(w, "power_w", net->pump_power[i], 0.0);
        number(w, "speed", net->pump_speed[i]);
        pattern(w, "speed_pattern", net->pump_pattern[i]);
        text(w, "status", sl_status_words[net->link_status[link]]);
        curve(w, "efficiency_curve", net->pump_efficiency_curve[i]);
        number_unless(w, "price_per_kwh", net->pump_price[i], NAN);
        pattern(w, "price_pattern", net->pump_price_pattern[i]);
        finish_link(w, link);
    }
    end(w);
}

static void write_valves(writer *w) {
    static const char *const setting[SL_VALVE_KIND_COUNT] = {
        "setting_m", "setting_m", "setting_m", "setting_m3_per_s", "setting", NULL, "setting_percent"};
    const sl_network *net = w->net;
    list(w, "valves");
    for (int32_t i = 0; i < net->n_valve; i++) {
        int32_t link = net->n_pipe + net->n_pump + i;
        start_link(w, link);
        text(w, "type", sl_valve_words[net->valve_kind[i]]);
        number(w, "diameter_m", net->valve_diameter[i]);
        if (setting[net->valve_kind[i]]) {
            number(w, setting[net->valve_kind[i]], net->valve_setting[i]);
        }
        number_unless(w, "minor_loss", net->valve_minor[i], 0.0);
        curve(w, "curve", net->valve_curve[i]);
        text(w, "status", sl_status_words[net->link_status[link]]);
        finish_link(w, link);
    }
    end(w);
}

/* ---- Tables ------------------------------------------------------------------------------------- */

static void numbers(writer *w, const char *key, const double *x, int32_t n) {
    list(w, key);
    for (int32_t i = 0; i < n; i++) {
        sl_json_number(&w->json, x[i]);
    }
    end(w);
}

static void write_tables(writer *w) {
    static const char *const axes[SL_CURVE_KIND_COUNT][2] = {{"x", "y"},
                                                             {"flow_m3_per_s", "head_m"},
                                                             {"flow_m3_per_s", "efficiency_percent"},
                                                             {"level_m", "volume_m3"},
                                                             {"flow_m3_per_s", "headloss_m"},
                                                             {"opening_percent", "coefficient_percent"}};
    const sl_network *net = w->net;
    list(w, "patterns");
    for (int32_t i = 0; i < net->n_pattern; i++) {
        item(w);
        text(w, "id", sl_network_pattern_id(net, i));
        numbers(w, "multipliers", net->pattern_factor + net->pattern_start[i],
                net->pattern_start[i + 1] - net->pattern_start[i]);
        note(w, "note", net->pattern_notes, net->n_pattern_note, &w->pattern_note, i);
        end(w);
    }
    end(w);
    list(w, "curves");
    for (int32_t i = 0; i < net->n_curve; i++) {
        int32_t first = net->curve_start[i], n = net->curve_start[i + 1] - first;
        item(w);
        text(w, "id", sl_network_curve_id(net, i));
        text(w, "use", sl_curve_words[net->curve_kind[i]]);
        numbers(w, axes[net->curve_kind[i]][0], net->curve_x + first, n);
        numbers(w, axes[net->curve_kind[i]][1], net->curve_y + first, n);
        note(w, "note", net->curve_notes, net->n_curve_note, &w->curve_note, i);
        end(w);
    }
    end(w);
}

/* ---- Controls, rules, sources ------------------------------------------------------------------- */

static void write_controls(writer *w) {
    static const char *const kinds[] = {"above", "below", "time", "clock"};
    const sl_network *net = w->net;
    list(w, "controls");
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        bool timed = c->kind == SL_CONTROL_TIME || c->kind == SL_CONTROL_CLOCK;
        item(w);
        text(w, "link", sl_network_link_id(net, c->link));
        text(w, "status", sl_status_words[c->status]);
        number_unless(w, "setting", c->setting, NAN);
        text(w, "when", kinds[c->kind]);
        if (!timed) {
            text(w, "node", sl_network_node_id(net, c->node));
        }
        number(w, timed ? "time_s" : "level_m", c->threshold);
        flag(w, "enabled", c->enabled);
        end(w);
    }
    end(w);
}

static void write_actions(writer *w, const char *key, int32_t start, int32_t n) {
    const sl_network *net = w->net;
    list(w, key);
    for (int32_t i = start; i < start + n; i++) {
        item(w);
        text(w, "link", sl_network_link_id(net, net->actions[i].link));
        text(w, "status", sl_status_words[net->actions[i].status]);
        number_unless(w, "setting", net->actions[i].setting, NAN);
        end(w);
    }
    end(w);
}

static void write_rules(writer *w) {
    static const char *const logic[] = {"IF", "AND", "OR"};
    const sl_network *net = w->net;
    list(w, "rules");
    for (int32_t i = 0; i < net->n_rule; i++) {
        const sl_rule *rule = &net->rules[i];
        sl_json_object(&w->json);
        text(w, "name", rule->name);
        list(w, "premises");
        for (int32_t k = rule->premise_start; k < rule->premise_start + rule->n_premise; k++) {
            const sl_premise *p = &net->premises[k];
            item(w);
            text(w, "logic", logic[p->logic]);
            if (p->object != SL_RULE_SYSTEM) {
                bool node = p->object == SL_RULE_NODE;
                text(w, node ? "node" : "link",
                     node ? sl_network_node_id(net, p->index) : sl_network_link_id(net, p->index));
            }
            text(w, "variable", sl_rule_variable_words[p->variable]);
            text(w, "relation", sl_rule_operator_words[p->relation]);
            if (p->variable == SL_RULE_STATUS) {
                text(w, "status", sl_status_words[p->status]);
            } else {
                number(w, "value", p->value);
            }
            end(w);
        }
        end(w);
        write_actions(w, "then", rule->then_start, rule->n_then);
        write_actions(w, "else", rule->else_start, rule->n_else);
        number(w, "priority", rule->priority);
        flag(w, "enabled", rule->enabled);
        end(w);
    }
    end(w);
    list(w, "sources");
    for (int32_t i = 0; i < net->n_source; i++) {
        item(w);
        text(w, "node", sl_network_node_id(net, net->sources[i].node));
        text(w, "type", sl_source_words[net->sources[i].kind]);
        number(w, "strength", net->sources[i].strength);
        pattern(w, "pattern", net->sources[i].pattern);
        end(w);
    }
    end(w);
}

/* ---- Options ------------------------------------------------------------------------------------ */

static void write_options(writer *w) {
    static const char *const kinds[] = {"none", "chemical", "age", "trace"};
    const sl_network *net = w->net;
    const sl_hydraulic_options *h = &net->hydraulics;
    const sl_quality_options *q = &net->quality;
    sl_json_key(&w->json, "hydraulics");
    sl_json_object(&w->json);
    text(w, "flow_unit", sl_flow_unit_word(h->flow_unit));
    text(w, "pressure_unit", sl_pressure_unit_word(h->pressure_unit));
    text(w, "headloss", sl_headloss_word(h->headloss));
    text(w, "demand_model", h->demand_model == SL_PDA ? "PDA" : "DDA");
    number(w, "pressure_min_m", h->pressure_min);
    number(w, "pressure_required_m", h->pressure_required);
    number(w, "pressure_exponent", h->pressure_exponent);
    number(w, "demand_multiplier", h->demand_multiplier);
    number(w, "emitter_exponent", h->emitter_exponent);
    flag(w, "emitter_backflow", h->emitter_backflow);
    number(w, "specific_gravity", h->specific_gravity);
    number(w, "viscosity_m2_per_s", h->viscosity);
    number(w, "trials", h->trials);
    number(w, "accuracy", h->accuracy);
    number(w, "unbalanced_extra_trials", h->unbalanced_extra);
    number(w, "head_error_m", h->head_error);
    number(w, "flow_change_m3_per_s", h->flow_change);
    number(w, "head_tolerance_m", h->head_tolerance);
    number(w, "flow_tolerance_m3_per_s", h->flow_tolerance);
    number(w, "rq_tolerance", h->rq_tolerance);
    number(w, "check_frequency", h->check_freq);
    number(w, "max_checks", h->max_check);
    number(w, "damp_limit", h->damp_limit);
    pattern(w, "default_pattern", h->default_pattern);
    end(w);
    sl_json_key(&w->json, "quality");
    sl_json_object(&w->json);
    text(w, "kind", kinds[q->kind]);
    text(w, "chemical", q->chemical);
    text(w, "mass_unit", q->mass_unit);
    if (q->trace_node >= 0) {
        text(w, "trace_node", sl_network_node_id(net, q->trace_node));
    }
    number(w, "tolerance", q->tolerance);
    number(w, "diffusivity_m2_per_s", q->diffusivity);
    number(w, "bulk_order", q->bulk_order);
    number(w, "tank_order", q->tank_order);
    number(w, "wall_order", q->wall_order);
    number(w, "bulk_coef_per_s", q->bulk_coef);
    number(w, "wall_coef", q->wall_coef);
    number(w, "limiting_potential", q->limit_potential);
    number(w, "roughness_correlation", q->roughness_factor);
    end(w);
    sl_json_key(&w->json, "energy");
    sl_json_object(&w->json);
    number(w, "price_per_kwh", net->energy.price);
    pattern(w, "price_pattern", net->energy.price_pattern);
    number(w, "efficiency_percent", net->energy.efficiency);
    number(w, "demand_charge_per_kw", net->energy.demand_charge);
    end(w);
}

static void write_times(writer *w) {
    const sl_times *t = &w->net->times;
    sl_json_key(&w->json, "times");
    sl_json_object(&w->json);
    number(w, "duration_s", t->duration);
    number(w, "hydraulic_step_s", t->hydraulic_step);
    number(w, "quality_step_s", t->quality_step);
    number(w, "rule_step_s", t->rule_step);
    number(w, "pattern_step_s", t->pattern_step);
    number(w, "pattern_start_s", t->pattern_start);
    number(w, "report_step_s", t->report_step);
    number(w, "report_start_s", t->report_start);
    number(w, "start_clock_s", t->start_clock);
    text(w, "statistic", sl_statistic_words[t->statistic]);
    end(w);
}

static void write_labels(writer *w) {
    const sl_network *net = w->net;
    list(w, "labels");
    for (int32_t i = 0; i < net->n_label; i++) {
        item(w);
        number(w, "x", net->labels[i].x);
        number(w, "y", net->labels[i].y);
        text(w, "text", net->labels[i].text);
        if (net->labels[i].anchor >= 0) {
            text(w, "anchor", sl_network_node_id(net, net->labels[i].anchor));
        }
        end(w);
    }
    end(w);
}

sl_status sl_network_write_json(const sl_network *net, const sl_sink *sink) {
    if (!net || !sink) {
        return SL_ERR_USE;
    }
    static void (*const step[])(writer *) = {write_options, write_times,    write_junctions, write_reservoirs,
                                             write_tanks,   write_pipes,    write_pumps,     write_valves,
                                             write_tables,  write_controls, write_rules,     write_labels};
    sl_context *ctx = sl_network_impl_of(net)->ctx;
    sl_out *out = sl_alloc(ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    writer w = {.net = net};
    sl_json_init(&w.json, out, 1);
    sl_json_object(&w.json);
    text(&w, "format", "sluice-network");
    number(&w, "version", 1);
    list(&w, "title");
    for (int32_t i = 0; i < net->n_title; i++) {
        sl_json_z(&w.json, net->title[i]);
    }
    end(&w);
    for (size_t i = 0; i < sizeof step / sizeof *step; i++) {
        step[i](&w);
    }
    end(&w);
    sl_out_char(out, '\n');
    sl_status status = sl_out_flush(out);
    sl_free(ctx, out, sizeof *out);
    return status;
}
