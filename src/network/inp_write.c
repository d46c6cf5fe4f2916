/* SPDX-License-Identifier: MIT */
/* inp_write.c: a network as clean .inp text.
 *
 * Every section that has something to say, in EPANET's order. Numbers are the shortest that the reader turns into
 * the same bits, so that reading what is written gives an equal network and writing that gives the same bytes.
 */
#include "network/inp_write.h"

#include "base/context.h"
#include "base/memory.h"
#include "base/number.h"
#include "network/words.h"
#include <sluice/network_io.h>
#include <sluice/units.h>

#include <math.h>
#include <string.h>

enum { ID_WIDTH = 14, NUMBER_WIDTH = 11 };

void sl_write_line(sl_writer *w) {
    w->column = 0;
}

static void start_field(sl_writer *w, size_t width) {
    sl_out_pad(w->out, w->column, w->column ? 1 : 0);
    w->column = w->out->column + width;
}

void sl_write_id(sl_writer *w, const char *id) {
    bool quote = *id == '\0' || *id == '[' || strpbrk(id, " \t\r") != NULL;
    start_field(w, ID_WIDTH);
    sl_out_z(w->out, quote ? "\"" : "");
    sl_out_z(w->out, id);
    sl_out_z(w->out, quote ? "\"" : "");
}

void sl_write_word(sl_writer *w, const char *word) {
    start_field(w, NUMBER_WIDTH);
    sl_out_z(w->out, word);
}

void sl_write_scaled(sl_writer *w, double x, double factor) {
    char buf[SL_NUMBER_MAX];
    start_field(w, NUMBER_WIDTH);
    if (!isfinite(x / factor)) { /* beyond what other units can say */
        sl_out_z(w->out, x > 0.0 ? "1e308" : "-1e308");
        return;
    }
    sl_out_bytes(w->out, buf,
                 w->digits ? sl_number_format_digits(x / factor, w->digits, buf)
                           : sl_number_format_scaled(x, factor, buf));
}

void sl_write_number(sl_writer *w, double x, sl_quantity q) {
    sl_write_scaled(w, x, w->factor[q]);
}

void sl_write_time(sl_writer *w, double seconds) {
    char buf[48];
    start_field(w, NUMBER_WIDTH);
    sl_out_bytes(w->out, buf, sl_time_format(seconds, buf, sizeof buf));
}

void sl_write_end(sl_writer *w, const char *comment) {
    if (comment) {
        sl_out_z(w->out, " ;");
        sl_out_z(w->out, comment);
    }
    sl_out_char(w->out, '\n');
}

void sl_write_section(sl_writer *w, const char *name, const char *columns) {
    sl_out_printf(w->out, "\n[%s]\n", name);
    if (columns) {
        sl_out_printf(w->out, ";%s\n", columns);
    }
}

const char *sl_write_note(const sl_note *notes, int32_t n, int32_t *at, int32_t index) {
    while (*at < n && notes[*at].index < index) {
        ++*at;
    }
    return *at < n && notes[*at].index == index ? notes[*at].text : NULL;
}

bool sl_write_progress(sl_writer *w, int64_t done, int64_t total) {
    if ((done & 0xFFFF) == 0 && !w->cancelled) {
        w->cancelled = !sl_progress_report(w->ctx, "writing", (double)done, (double)total);
    }
    return !w->cancelled;
}

/* ---- Nodes -------------------------------------------------------------------------------------- */

static void write_title(sl_writer *w) {
    sl_out_z(w->out, "[TITLE]\n");
    for (int32_t i = 0; i < w->net->n_title; i++) {
        sl_out_z(w->out, w->net->title[i]);
        sl_out_char(w->out, '\n');
    }
}

/* A single demand without a name stands on the junction's own line. */
static bool own_demand(const sl_network *net, int32_t j, int32_t *note) {
    int32_t k = net->demand_start[j];
    return net->demand_start[j + 1] - k == 1 && !sl_write_note(net->demand_note, net->n_demand_note, note, k);
}

static void write_junctions(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0, named = 0;
    sl_write_section(w, "JUNCTIONS", "id            elevation  demand     pattern");
    for (int32_t j = 0; j < net->n_junction && sl_write_progress(w, j, net->n_node); j++) {
        int32_t k = net->demand_start[j];
        sl_write_line(w);
        sl_write_id(w, sl_network_node_id(net, j));
        sl_write_number(w, net->node_elevation[j], SL_Q_LENGTH);
        if (own_demand(net, j, &named) && (net->demand_base[k] != 0.0 || net->demand_pattern[k] >= 0)) {
            sl_write_number(w, net->demand_base[k], SL_Q_FLOW);
            if (net->demand_pattern[k] >= 0) {
                sl_write_id(w, sl_network_pattern_id(net, net->demand_pattern[k]));
            }
        }
        sl_write_end(w, sl_write_note(net->node_notes, net->n_node_note, &note, j));
    }
}

static void write_reservoirs(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_reservoir) {
        sl_write_section(w, "RESERVOIRS", "id            head       pattern");
    }
    for (int32_t i = 0; i < net->n_reservoir; i++) {
        int32_t node = net->n_junction + i;
        sl_write_line(w);
        sl_write_id(w, sl_network_node_id(net, node));
        sl_write_number(w, net->node_elevation[node], SL_Q_LENGTH);
        if (net->reservoir_pattern[i] >= 0) {
            sl_write_id(w, sl_network_pattern_id(net, net->reservoir_pattern[i]));
        }
        sl_write_end(w, sl_write_note(net->node_notes, net->n_node_note, &note, node));
    }
}

static void write_tanks(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_tank) {
        sl_write_section(
            w, "TANKS",
            "id            elevation  initial    minimum    maximum    diameter   volume     curve         overflow");
    }
    for (int32_t t = 0; t < net->n_tank; t++) {
        int32_t node = net->n_junction + net->n_reservoir + t;
        sl_write_line(w);
        sl_write_id(w, sl_network_node_id(net, node));
        sl_write_number(w, net->node_elevation[node], SL_Q_LENGTH);
        sl_write_number(w, net->tank_level_init[t], SL_Q_LENGTH);
        sl_write_number(w, net->tank_level_min[t], SL_Q_LENGTH);
        sl_write_number(w, net->tank_level_max[t], SL_Q_LENGTH);
        sl_write_number(w, net->tank_diameter[t], SL_Q_LENGTH);
        sl_write_number(w, net->tank_volume_min[t], SL_Q_VOLUME);
        if (net->tank_curve[t] >= 0) {
            sl_write_id(w, sl_network_curve_id(net, net->tank_curve[t]));
        } else if (net->tank_overflow[t]) {
            sl_write_id(w, "*");
        }
        if (net->tank_overflow[t]) {
            sl_write_word(w, "YES");
        }
        sl_write_end(w, sl_write_note(net->node_notes, net->n_node_note, &note, node));
    }
}

static void write_demands(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t named = 0, note = 0;
    bool open = false;
    for (int32_t j = 0; j < net->n_junction; j++) {
        if (own_demand(net, j, &named)) {
            continue;
        }
        if (!open) {
            sl_write_section(w, "DEMANDS", "junction      demand     pattern");
            open = true;
        }
        for (int32_t k = net->demand_start[j]; k < net->demand_start[j + 1]; k++) {
            sl_write_line(w);
            sl_write_id(w, sl_network_node_id(net, j));
            sl_write_number(w, net->demand_base[k], SL_Q_FLOW);
            if (net->demand_pattern[k] >= 0) {
                sl_write_id(w, sl_network_pattern_id(net, net->demand_pattern[k]));
            }
            sl_write_end(w, sl_write_note(net->demand_note, net->n_demand_note, &note, k));
        }
    }
}

static void write_emitters(sl_writer *w) {
    const sl_network *net = w->net;
    bool open = false;
    for (int32_t j = 0; j < net->n_junction; j++) {
        if (net->emitter_coef[j] != 0.0) {
            if (!open) {
                sl_write_section(w, "EMITTERS", "junction      coefficient");
                open = true;
            }
            sl_write_line(w);
            sl_write_id(w, sl_network_node_id(net, j));
            sl_write_number(w, net->emitter_coef[j], SL_Q_EMITTER);
            sl_write_end(w, NULL);
        }
    }
}

/* ---- Links -------------------------------------------------------------------------------------- */

static void start_link(sl_writer *w, int32_t link) {
    const sl_network *net = w->net;
    sl_write_line(w);
    sl_write_id(w, sl_network_link_id(net, link));
    sl_write_id(w, sl_network_node_id(net, net->link_from[link]));
    sl_write_id(w, sl_network_node_id(net, net->link_to[link]));
}

static void write_pipes(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_pipe) {
        sl_write_section(
            w, "PIPES", "id            node1         node2         length     diameter   roughness  minorloss  status");
    }
    for (int32_t i = 0; i < net->n_pipe && sl_write_progress(w, i, net->n_link); i++) {
        start_link(w, i);
        sl_write_number(w, net->pipe_length[i], SL_Q_LENGTH);
        sl_write_number(w, net->pipe_diameter[i], SL_Q_DIAMETER);
        sl_write_number(w, net->pipe_roughness[i], SL_Q_ROUGHNESS);
        sl_write_number(w, net->pipe_minor[i], SL_Q_NONE);
        sl_write_word(w, net->pipe_check[i] ? "CV" : sl_status_words[net->link_status[i]]);
        sl_write_end(w, sl_write_note(net->link_notes, net->n_link_note, &note, i));
    }
}

static void write_pumps(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_pump) {
        sl_write_section(w, "PUMPS", "id            node1         node2         parameters");
    }
    for (int32_t i = 0; i < net->n_pump; i++) {
        int32_t link = net->n_pipe + i;
        start_link(w, link);
        if (net->pump_curve[i] >= 0) {
            sl_write_word(w, "HEAD");
            sl_write_id(w, sl_network_curve_id(net, net->pump_curve[i]));
        } else if (net->pump_power[i] != 0.0) {
            sl_write_word(w, "POWER");
            sl_write_number(w, net->pump_power[i], SL_Q_POWER);
        }
        if (net->pump_speed[i] != 1.0 && net->link_status[link] != SL_CLOSED) {
            sl_write_word(w, "SPEED");
            sl_write_number(w, net->pump_speed[i], SL_Q_NONE);
        }
        if (net->pump_pattern[i] >= 0) {
            sl_write_word(w, "PATTERN");
            sl_write_id(w, sl_network_pattern_id(net, net->pump_pattern[i]));
        }
        sl_write_end(w, sl_write_note(net->link_notes, net->n_link_note, &note, link));
    }
}

static void write_valves(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_valve) {
        sl_write_section(w, "VALVES",
                         "id            node1         node2         diameter   type       setting    minorloss  curve");
    }
    for (int32_t i = 0; i < net->n_valve; i++) {
        int32_t link = net->n_pipe + net->n_pump + i;
        sl_valve_kind kind = (sl_valve_kind)net->valve_kind[i];
        start_link(w, link);
        sl_write_number(w, net->valve_diameter[i], SL_Q_DIAMETER);
        sl_write_word(w, sl_valve_words[kind]);
        if (kind != SL_GPV) {
            sl_write_number(w, net->valve_setting[i], sl_valve_setting_quantity(kind));
            sl_write_number(w, net->valve_minor[i], SL_Q_NONE);
        } else if (net->valve_curve[i] >= 0) { /* a GPV without a curve is broken: only tolerant reading gives one */
            sl_write_id(w, sl_network_curve_id(net, net->valve_curve[i]));
            sl_write_number(w, net->valve_minor[i], SL_Q_NONE);
        }
        if (kind == SL_PCV && net->valve_curve[i] >= 0) {
            sl_write_id(w, sl_network_curve_id(net, net->valve_curve[i]));
        }
        sl_write_end(w, sl_write_note(net->link_notes, net->n_link_note, &note, link));
    }
}

static void write_leakage(sl_writer *w) {
    const sl_network *net = w->net;
    if (!net->pipe_leak_area) {
        return;
    }
    sl_write_section(w, "LEAKAGE", "pipe          area       expansion");
    for (int32_t i = 0; i < net->n_pipe; i++) {
        if (net->pipe_leak_area[i] != 0.0 || net->pipe_leak_expansion[i] != 0.0) {
            sl_write_line(w);
            sl_write_id(w, sl_network_link_id(net, i));
            sl_write_number(w, net->pipe_leak_area[i], SL_Q_LEAK_AREA);
            sl_write_number(w, net->pipe_leak_expansion[i], SL_Q_LEAK_EXPANSION);
            sl_write_end(w, NULL);
        }
    }
}

/* Pumps that are closed, and valves whose status is fixed. */
static void write_status(sl_writer *w) {
    const sl_network *net = w->net;
    bool open = false;
    for (int32_t i = net->n_pipe; i < net->n_link; i++) {
        int32_t valve = i - net->n_pipe - net->n_pump;
        int usual = valve < 0 || net->valve_kind[valve] == SL_GPV ? SL_OPEN : SL_ACTIVE;
        if (net->link_status[i] == usual) {
            continue;
        }
        if (!open) {
            sl_write_section(w, "STATUS", "link          status");
            open = true;
        }
        sl_write_line(w);
        sl_write_id(w, sl_network_link_id(net, i));
        sl_write_word(w, sl_status_words[net->link_status[i]]);
        sl_write_end(w, NULL);
    }
}

/* ---- Patterns and curves ------------------------------------------------------------------------ */

static void write_description(sl_writer *w, const char *text) {
    if (text) {
        sl_out_printf(w->out, ";");
        sl_out_z(w->out, text);
        sl_out_char(w->out, '\n');
    }
}

static void write_patterns(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_pattern) {
        sl_write_section(w, "PATTERNS", "id            multipliers");
    }
    for (int32_t p = 0; p < net->n_pattern; p++) {
        write_description(w, sl_write_note(net->pattern_notes, net->n_pattern_note, &note, p));
        for (int32_t k = net->pattern_start[p]; k < net->pattern_start[p + 1]; k += 6) {
            sl_write_line(w);
            sl_write_id(w, sl_network_pattern_id(net, p));
            for (int32_t i = k; i < k + 6 && i < net->pattern_start[p + 1]; i++) {
                sl_write_number(w, net->pattern_factor[i], SL_Q_NONE);
            }
            sl_write_end(w, NULL);
        }
    }
}

static void write_curves(sl_writer *w) {
    const sl_network *net = w->net;
    int32_t note = 0;
    if (net->n_curve_named) {
        sl_write_section(w, "CURVES", "id            x          y          use");
    }
    for (int32_t c = 0; c < net->n_curve_named; c++) {
        double fx, fy;
        sl_epanet_curve_factors(w->factor, (sl_curve_kind)net->curve_kind[c], &fx, &fy);
        write_description(w, sl_write_note(net->curve_notes, net->n_curve_note, &note, c));
        for (int32_t k = net->curve_start[c]; k < net->curve_start[c + 1]; k++) {
            sl_write_line(w);
            sl_write_id(w, sl_network_curve_id(net, c));
            sl_write_scaled(w, net->curve_x[k], fx);
            sl_write_scaled(w, net->curve_y[k], fy);
            if (k == net->curve_start[c] && net->curve_kind[c] != SL_CURVE_GENERIC) {
                sl_write_word(w, sl_curve_words[net->curve_kind[c]]);
            }
            sl_write_end(w, NULL);
        }
    }
}

/* ---- Map ---------------------------------------------------------------------------------------- */

static void write_tags(sl_writer *w) {
    const sl_network *net = w->net;
    if (net->n_node_tag + net->n_link_tag == 0) {
        return;
    }
    sl_write_section(w, "TAGS", NULL);
    for (int32_t i = 0; i < net->n_node_tag + net->n_link_tag; i++) {
        bool node = i < net->n_node_tag;
        const sl_note *tag = node ? &net->node_tags[i] : &net->link_tags[i - net->n_node_tag];
        sl_write_line(w);
        sl_write_word(w, node ? "NODE" : "LINK");
        sl_write_id(w, node ? sl_network_node_id(net, tag->index) : sl_network_link_id(net, tag->index));
        if (strpbrk(tag->text, " \t") && !strchr(tag->text, '"')) {
            sl_write_id(w, tag->text); /* in quotes: EPANET takes the first word else */
        } else {
            sl_write_word(w, tag->text);
        }
        sl_write_end(w, NULL);
    }
}

static void write_coordinates(sl_writer *w) {
    const sl_network *net = w->net;
    if (!net->node_x) {
        return;
    }
    sl_write_section(w, "COORDINATES", "node          x          y");
    for (int32_t i = 0; i < net->n_node && sl_write_progress(w, i, net->n_node); i++) {
        if (!isnan(net->node_x[i])) {
            sl_write_line(w);
            sl_write_id(w, sl_network_node_id(net, i));
            sl_write_number(w, net->node_x[i], SL_Q_NONE);
            sl_write_number(w, net->node_y[i], SL_Q_NONE);
            sl_write_end(w, NULL);
        }
    }
}

static void write_vertices(sl_writer *w) {
    const sl_network *net = w->net;
    if (!net->vertex_start) {
        return;
    }
    sl_write_section(w, "VERTICES", "link          x          y");
    for (int32_t i = 0; i < net->n_link && sl_write_progress(w, i, net->n_link); i++) {
        for (int32_t k = net->vertex_start[i]; k < net->vertex_start[i + 1]; k++) {
            sl_write_line(w);
            sl_write_id(w, sl_network_link_id(net, i));
            sl_write_number(w, net->vertex_x[k], SL_Q_NONE);
            sl_write_number(w, net->vertex_y[k], SL_Q_NONE);
            sl_write_end(w, NULL);
        }
    }
}

static void write_labels(sl_writer *w) {
    const sl_network *net = w->net;
    if (net->n_label) {
        sl_write_section(w, "LABELS", "x          y          text");
    }
    for (int32_t i = 0; i < net->n_label; i++) {
        sl_write_line(w);
        sl_write_number(w, net->labels[i].x, SL_Q_NONE);
        sl_write_number(w, net->labels[i].y, SL_Q_NONE);
        sl_write_id(w, net->labels[i].text);
        if (net->labels[i].anchor >= 0) {
            sl_write_id(w, sl_network_node_id(net, net->labels[i].anchor));
        }
        sl_write_end(w, NULL);
    }
    if (net->n_backdrop) {
        sl_write_section(w, "BACKDROP", NULL);
    }
    for (int32_t i = 0; i < net->n_backdrop; i++) {
        sl_out_z(w->out, net->backdrop[i]);
        sl_out_char(w->out, '\n');
    }
}

sl_status sl_inp_write(sl_context *ctx, const sl_network *net, const sl_sink *sink) {
    if (!ctx || !net || !sink) {
        return SL_ERR_USE;
    }
    return sl_inp_write_digits(ctx, net, 0, sink);
}

sl_status sl_inp_write_digits(sl_context *ctx, const sl_network *net, int digits, const sl_sink *sink) {
    static void (*const section[])(sl_writer *) = {
        write_title,     write_junctions,   write_reservoirs, write_tanks,       write_pipes,
        write_pumps,     write_valves,      write_demands,    write_emitters,    write_leakage,
        write_status,    write_patterns,    write_curves,     sl_write_controls, sl_write_rules,
        sl_write_energy, sl_write_quality,  sl_write_times,   sl_write_options,  sl_write_report_section,
        write_tags,      write_coordinates, write_vertices,   write_labels};
    sl_out *out = sl_alloc(ctx, sizeof *out);
    if (!out) {
        return SL_ERR_MEMORY;
    }
    sl_out_init(out, sink);
    sl_writer w = {.ctx = ctx, .net = net, .out = out, .digits = digits};
    sl_unit_system units = sl_network_units(&net->hydraulics, &net->quality);
    sl_epanet_factors(&units, w.factor);
    for (size_t i = 0; i < sizeof section / sizeof *section && !w.cancelled; i++) {
        section[i](&w);
    }
    sl_out_z(out, "\n[END]\n");
    sl_status status = sl_out_flush(out);
    sl_free(ctx, out, sizeof *out);
    return w.cancelled ? SL_ERR_CANCELLED : status;
}
