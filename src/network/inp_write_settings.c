/* SPDX-License-Identifier: MIT */
/* inp_write_settings.c: [ENERGY] [QUALITY] [SOURCES] [REACTIONS] [MIXING] [TIMES] [OPTIONS] [REPORT] as text. */
#include "network/inp_write.h"

#include "base/number.h"
#include "network/inp_read.h"
#include "network/words.h"

#include <math.h>
#include <string.h>

/* "Keyword words ... value" lines; the keyword column is wide enough for two words. */
static void start_option(sl_writer *w, const char *keyword) {
    sl_write_line(w);
    sl_out_z(w->out, keyword);
    w->column = 22;
}

static void number_option(sl_writer *w, const char *keyword, double x, sl_quantity q) {
    start_option(w, keyword);
    sl_write_number(w, x, q);
    sl_write_end(w, NULL);
}

static void word_option(sl_writer *w, const char *keyword, const char *word) {
    start_option(w, keyword);
    sl_write_word(w, word);
    sl_write_end(w, NULL);
}

static void id_option(sl_writer *w, const char *keyword, const char *id) {
    start_option(w, keyword);
    sl_write_id(w, id);
    sl_write_end(w, NULL);
}

static void time_option(sl_writer *w, const char *keyword, double seconds) {
    start_option(w, keyword);
    sl_write_time(w, seconds);
    sl_write_end(w, NULL);
}

/* ---- [ENERGY] ----------------------------------------------------------------------------------- */

static void start_pump(sl_writer *w, int32_t pump, const char *word) {
    sl_write_line(w);
    sl_write_word(w, "Pump");
    sl_write_id(w, sl_network_link_id(w->net, w->net->n_pipe + pump));
    sl_write_word(w, word);
}

void sl_write_energy(sl_writer *w) {
    const sl_network *net = w->net;
    sl_write_section(w, "ENERGY", NULL);
    number_option(w, "Global Efficiency", net->energy.efficiency, SL_Q_NONE);
    number_option(w, "Global Price", net->energy.price, SL_Q_NONE);
    if (net->energy.price_pattern >= 0) {
        id_option(w, "Global Pattern", sl_network_pattern_id(net, net->energy.price_pattern));
    }
    number_option(w, "Demand Charge", net->energy.demand_charge, SL_Q_NONE);
    for (int32_t i = 0; i < net->n_pump; i++) {
        if (net->pump_efficiency_curve[i] >= 0) {
            start_pump(w, i, "Efficiency");
            sl_write_id(w, sl_network_curve_id(net, net->pump_efficiency_curve[i]));
            sl_write_end(w, NULL);
        }
        if (!isnan(net->pump_price[i])) {
            start_pump(w, i, "Price");
            sl_write_number(w, net->pump_price[i], SL_Q_NONE);
            sl_write_end(w, NULL);
        }
        if (net->pump_price_pattern[i] >= 0) {
            start_pump(w, i, "Pattern");
            sl_write_id(w, sl_network_pattern_id(net, net->pump_price_pattern[i]));
            sl_write_end(w, NULL);
        }
    }
}

/* ---- Quality ------------------------------------------------------------------------------------ */

static void write_initial(sl_writer *w) {
    const sl_network *net = w->net;
    bool open = false;
    for (int32_t i = 0; i < net->n_node; i++) {
        if (net->node_quality[i] != 0.0) {
            if (!open) {
                sl_write_section(w, "QUALITY", "node          initial");
                open = true;
            }
            sl_write_line(w);
            sl_write_id(w, sl_network_node_id(net, i));
            sl_write_number(w, net->node_quality[i], SL_Q_NONE);
            sl_write_end(w, NULL);
        }
    }
}

static void write_sources(sl_writer *w) {
    const sl_network *net = w->net;
    if (net->n_source) {
        sl_write_section(w, "SOURCES", "node          type       strength   pattern");
    }
    for (int32_t i = 0; i < net->n_source; i++) {
        const sl_quality_source *s = &net->sources[i];
        sl_write_line(w);
        sl_write_id(w, sl_network_node_id(net, s->node));
        sl_write_word(w, sl_source_words[s->kind]);
        sl_write_number(w, s->strength, SL_Q_NONE);
        if (s->pattern >= 0) {
            sl_write_id(w, sl_network_pattern_id(net, s->pattern));
        }
        sl_write_end(w, NULL);
    }
}

static void coefficient(sl_writer *w, const char *word, const char *id, double k, sl_quantity q) {
    if (!isnan(k)) {
        sl_write_line(w);
        sl_write_word(w, word);
        sl_write_id(w, id);
        sl_write_number(w, k, q);
        sl_write_end(w, NULL);
    }
}

static void write_reactions(sl_writer *w) {
    const sl_network *net = w->net;
    const sl_quality_options *q = &net->quality;
    sl_write_section(w, "REACTIONS", NULL);
    number_option(w, "Order Bulk", q->bulk_order, SL_Q_NONE);
    number_option(w, "Order Tank", q->tank_order, SL_Q_NONE);
    number_option(w, "Order Wall", q->wall_order, SL_Q_NONE);
    number_option(w, "Global Bulk", q->bulk_coef, SL_Q_PER_DAY);
    number_option(w, "Global Wall", q->wall_coef, SL_Q_WALL);
    number_option(w, "Limiting Potential", q->limit_potential, SL_Q_NONE);
    number_option(w, "Roughness Correlation", q->roughness_factor, SL_Q_WALL);
    for (int32_t i = 0; net->pipe_bulk && i < net->n_pipe; i++) {
        coefficient(w, "Bulk", sl_network_link_id(net, i), net->pipe_bulk[i], SL_Q_PER_DAY);
        coefficient(w, "Wall", sl_network_link_id(net, i), net->pipe_wall[i], SL_Q_WALL);
    }
    for (int32_t i = 0; i < net->n_tank; i++) {
        coefficient(w, "Tank", sl_network_node_id(net, net->n_junction + net->n_reservoir + i), net->tank_bulk[i],
                    SL_Q_PER_DAY);
    }
}

static void write_mixing(sl_writer *w) {
    const sl_network *net = w->net;
    bool open = false;
    for (int32_t i = 0; i < net->n_tank; i++) {
        if (net->tank_mixing[i] == SL_MIX_FULL) {
            continue;
        }
        if (!open) {
            sl_write_section(w, "MIXING", "tank          model      fraction");
            open = true;
        }
        sl_write_line(w);
        sl_write_id(w, sl_network_node_id(net, net->n_junction + net->n_reservoir + i));
        sl_write_word(w, sl_mixing_words[net->tank_mixing[i]]);
        if (net->tank_mixing[i] == SL_MIX_TWO_COMPARTMENT) {
            sl_write_number(w, net->tank_mix_fraction[i], SL_Q_NONE);
        }
        sl_write_end(w, NULL);
    }
}

void sl_write_quality(sl_writer *w) {
    write_initial(w);
    write_sources(w);
    write_reactions(w);
    write_mixing(w);
}

/* ---- [TIMES] and [OPTIONS] ---------------------------------------------------------------------- */

void sl_write_times(sl_writer *w) {
    const sl_times *t = &w->net->times;
    sl_write_section(w, "TIMES", NULL);
    time_option(w, "Duration", t->duration);
    time_option(w, "Hydraulic Timestep", t->hydraulic_step);
    time_option(w, "Quality Timestep", t->quality_step);
    time_option(w, "Rule Timestep", t->rule_step);
    time_option(w, "Pattern Timestep", t->pattern_step);
    time_option(w, "Pattern Start", t->pattern_start);
    time_option(w, "Report Timestep", t->report_step);
    time_option(w, "Report Start", t->report_start);
    time_option(w, "Start ClockTime", t->start_clock);
    word_option(w, "Statistic", sl_statistic_words[t->statistic]);
}

/* As a multiple of the usual value when that reads back exactly, else as the value itself. */
static void property_option(sl_writer *w, const char *keyword, double x, double standard, double limit) {
    char buf[SL_NUMBER_MAX];
    double multiple = 0.0;
    size_t n = sl_number_format_scaled(x, standard, buf);
    bool exact = sl_number_parse((sl_str){buf, n}, &multiple) == SL_NUMBER_OK && multiple * standard == x;
    if ((exact || x / w->factor[SL_Q_KINEMATIC] > limit) && (multiple > limit || x == 0.0)) {
        word_option(w, keyword, buf);
    } else {
        number_option(w, keyword, x, SL_Q_KINEMATIC);
    }
}

static void write_pda(sl_writer *w) {
    const sl_hydraulic_options *h = &w->net->hydraulics;
    bool pda = h->demand_model == SL_PDA;
    if (pda) {
        word_option(w, "Demand Model", "PDA");
    }
    /* EPANET refuses less than 0.1 of the unit above the minimum, to the last bit. That is also what a file without a
     * required pressure means, so it is left out there. */
    double unit = w->factor[SL_Q_PRESSURE];
    double above = h->pressure_required / unit - h->pressure_min / unit;
    bool sayable = h->pressure_min == 0.0 ? above >= 0.1 : above > 0.1 + 1e-9;
    if (pda || h->pressure_min != 0.0 || (sayable && h->pressure_required != 0.1 * unit)) {
        number_option(w, "Minimum Pressure", h->pressure_min, SL_Q_PRESSURE);
        if (sayable) {
            number_option(w, "Required Pressure", h->pressure_required, SL_Q_PRESSURE);
        }
    }
    if (pda || h->pressure_exponent != 0.5) {
        number_option(w, "Pressure Exponent", h->pressure_exponent, SL_Q_NONE);
    }
}

static void write_solver(sl_writer *w) {
    const sl_hydraulic_options *h = &w->net->hydraulics;
    char buf[48];
    number_option(w, "Trials", h->trials, SL_Q_NONE);
    number_option(w, "Accuracy", h->accuracy, SL_Q_NONE);
    memcpy(buf, "Continue ", 10);
    sl_number_format_int(h->unbalanced_extra, buf + 9);
    word_option(w, "Unbalanced", h->unbalanced_extra < 0 ? "Stop" : buf);
    number_option(w, "CHECKFREQ", h->check_freq, SL_Q_NONE);
    number_option(w, "MAXCHECK", h->max_check, SL_Q_NONE);
    number_option(w, "DAMPLIMIT", h->damp_limit, SL_Q_NONE);
    if (h->head_error != 0.0) {
        number_option(w, "HEADERROR", h->head_error, SL_Q_LENGTH);
    }
    if (h->flow_change != 0.0) {
        number_option(w, "FLOWCHANGE", h->flow_change, SL_Q_FLOW);
    }
    if (h->head_tolerance != 0.0005 * w->factor[SL_Q_FEET]) {
        number_option(w, "HTOL", h->head_tolerance, SL_Q_FEET);
    }
    if (h->flow_tolerance != 0.0001 * w->factor[SL_Q_CFS]) {
        number_option(w, "QTOL", h->flow_tolerance, SL_Q_CFS);
    }
    if (h->rq_tolerance != 1e-7) {
        number_option(w, "RQTOL", h->rq_tolerance, SL_Q_NONE);
    }
}

static void write_quality_kind(sl_writer *w) {
    const sl_quality_options *q = &w->net->quality;
    start_option(w, "Quality");
    if (q->kind == SL_QUALITY_NONE) {
        sl_write_word(w, "None");
    } else if (q->kind == SL_QUALITY_AGE) {
        sl_write_word(w, "Age");
    } else if (q->kind == SL_QUALITY_TRACE) {
        sl_write_word(w, "Trace");
        sl_write_id(w, sl_network_node_id(w->net, q->trace_node));
    } else {
        sl_write_id(w, q->chemical);
        sl_write_id(w, q->mass_unit);
    }
    sl_write_end(w, NULL);
}

void sl_write_options(sl_writer *w) {
    const sl_hydraulic_options *h = &w->net->hydraulics;
    sl_write_section(w, "OPTIONS", NULL);
    word_option(w, "Units", sl_flow_words[h->flow_unit]);
    if (h->pressure_unit != sl_default_pressure_unit(h->flow_unit)) {
        word_option(w, "Pressure", sl_pressure_words[h->pressure_unit]);
    }
    word_option(w, "Headloss", sl_headloss_words[h->headloss]);
    if (h->hydraulics_file) {
        id_option(w, h->hydraulics_file == 1 ? "Hydraulics Use" : "Hydraulics Save", h->hydraulics_path);
    }
    write_quality_kind(w);
    number_option(w, "Specific Gravity", h->specific_gravity, SL_Q_NONE);
    property_option(w, "Viscosity", h->viscosity, SL_EPANET_VISCOSITY, 1e-3);
    property_option(w, "Diffusivity", w->net->quality.diffusivity, SL_EPANET_DIFFUSIVITY, 1e-4);
    write_solver(w);
    id_option(w, "Pattern", h->default_pattern_id);
    number_option(w, "Demand Multiplier", h->demand_multiplier, SL_Q_NONE);
    write_pda(w);
    number_option(w, "Emitter Exponent", h->emitter_exponent, SL_Q_NONE);
    if (!h->emitter_backflow) {
        word_option(w, "Backflow Allowed", "NO");
    }
    number_option(w, "Tolerance", w->net->quality.tolerance, SL_Q_NONE);
    if (*h->map_file) {
        id_option(w, "Map", h->map_file);
    }
}

/* ---- [REPORT] ----------------------------------------------------------------------------------- */

static void write_field(sl_writer *w, int k) {
    const sl_report_field *f = &w->net->report.field[k];
    const char *word = sl_field_words[k];
    bool shown = k == SL_FIELD_DEMAND || k == SL_FIELD_HEAD || k == SL_FIELD_PRESSURE || k == SL_FIELD_QUALITY ||
                 k == SL_FIELD_FLOW || k == SL_FIELD_VELOCITY || k == SL_FIELD_HEADLOSS;
    if (f->precision != (k == SL_FIELD_FRICTION ? 3 : 2)) {
        start_option(w, word);
        sl_write_word(w, "Precision");
        sl_write_number(w, f->precision, SL_Q_NONE);
        sl_write_end(w, NULL);
        shown = true;
    }
    if (f->enabled != shown) {
        word_option(w, word, f->enabled ? "Yes" : "No");
    }
    for (int side = 0; side < 2; side++) {
        double limit = side ? f->above : f->below;
        if (!isnan(limit)) {
            start_option(w, word);
            sl_write_word(w, side ? "Above" : "Below");
            sl_write_number(w, limit, SL_Q_NONE);
            sl_write_end(w, NULL);
        }
    }
}

static void write_list(sl_writer *w, const char *word, sl_report_which which, const int32_t *list, int32_t n,
                       bool nodes) {
    if (which == SL_REPORT_ALL) {
        word_option(w, word, "All");
    }
    for (int32_t i = 0; which == SL_REPORT_SOME && i < n; i++) {
        id_option(w, word, nodes ? sl_network_node_id(w->net, list[i]) : sl_network_link_id(w->net, list[i]));
    }
}

void sl_write_report_section(sl_writer *w) {
    const sl_report_options *r = &w->net->report;
    static const char *const status[] = {"No", "Yes", "Full"};
    sl_write_section(w, "REPORT", NULL);
    word_option(w, "Status", status[r->status]);
    word_option(w, "Summary", r->summary ? "Yes" : "No");
    number_option(w, "Page", r->page_size, SL_Q_NONE);
    if (!r->messages) {
        word_option(w, "Messages", "No");
    }
    if (r->energy) {
        word_option(w, "Energy", "Yes");
    }
    write_list(w, "Nodes", r->nodes, r->node_list, r->n_node_list, true);
    write_list(w, "Links", r->links, r->link_list, r->n_link_list, false);
    if (*r->file) {
        id_option(w, "File", r->file);
    }
    for (int k = 0; k < SL_REPORT_FIELD_COUNT; k++) {
        write_field(w, k);
    }
}
