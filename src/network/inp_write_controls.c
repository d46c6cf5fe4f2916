/* SPDX-License-Identifier: MIT */
/* inp_write_controls.c: [CONTROLS] and [RULES] as text. */
#include "network/inp_write.h"
#include "network/words.h"

#include <math.h>

/* The quantity of a setting of this link. */
static sl_quantity setting_quantity(const sl_network *net, int32_t link) {
    int32_t valve = link - net->n_pipe - net->n_pump;
    return valve >= 0 ? sl_valve_setting_quantity((sl_valve_kind)net->valve_kind[valve]) : SL_Q_NONE;
}

static void write_control(sl_writer *w, const sl_control *c) {
    const sl_network *net = w->net;
    sl_write_line(w);
    sl_out_z(w->out, "LINK ");
    sl_write_id(w, sl_network_link_id(net, c->link));
    bool pump = sl_network_link_kind(net, c->link) == SL_PUMP;
    bool plain = isnan(c->setting) || (pump && c->setting == (c->status == SL_OPEN ? 1.0 : 0.0));
    if (plain) {
        sl_write_word(w, sl_status_words[c->status]);
    } else {
        sl_write_number(w, c->setting, setting_quantity(net, c->link));
    }
    if (c->kind == SL_CONTROL_TIME || c->kind == SL_CONTROL_CLOCK) {
        sl_write_word(w, "AT");
        sl_write_word(w, c->kind == SL_CONTROL_TIME ? "TIME" : "CLOCKTIME");
        sl_write_time(w, c->threshold);
    } else {
        sl_write_word(w, "IF NODE");
        sl_write_id(w, sl_network_node_id(net, c->node));
        sl_write_word(w, c->kind == SL_CONTROL_ABOVE ? "ABOVE" : "BELOW");
        sl_write_number(w, c->threshold, c->node < net->n_junction ? SL_Q_PRESSURE : SL_Q_LENGTH);
    }
    if (!c->enabled) {
        sl_write_word(w, "DISABLED");
    }
    sl_write_end(w, NULL);
}

void sl_write_controls(sl_writer *w) {
    if (w->net->n_control) {
        sl_write_section(w, "CONTROLS", NULL);
    }
    for (int32_t i = 0; i < w->net->n_control; i++) {
        write_control(w, &w->net->controls[i]);
    }
}

static const char *const node_objects[] = {"JUNCTION", "RESERVOIR", "TANK"};
static const char *const link_objects[] = {"PIPE", "PUMP", "VALVE"};

static void write_premise(sl_writer *w, const sl_premise *p) {
    static const char *const logic[] = {"IF  ", "AND ", "OR  "};
    const sl_network *net = w->net;
    sl_write_line(w);
    sl_out_z(w->out, logic[p->logic]);
    if (p->object == SL_RULE_SYSTEM) {
        sl_write_word(w, "SYSTEM");
    } else {
        bool node = p->object == SL_RULE_NODE;
        sl_write_word(w, node ? node_objects[sl_network_node_kind(net, p->index)]
                              : link_objects[sl_network_link_kind(net, p->index)]);
        sl_write_id(w, node ? sl_network_node_id(net, p->index) : sl_network_link_id(net, p->index));
    }
    sl_write_word(w, sl_rule_variable_words[p->variable]);
    sl_write_word(w, sl_rule_operator_words[p->relation]);
    if (p->variable == SL_RULE_STATUS) {
        sl_write_word(w, sl_status_words[p->status]);
    } else if (p->variable == SL_RULE_TIME || p->variable == SL_RULE_CLOCKTIME) {
        sl_write_time(w, p->value);
    } else if (p->variable == SL_RULE_FILLTIME || p->variable == SL_RULE_DRAINTIME) {
        sl_write_number(w, p->value, SL_Q_HOURS); /* EPANET reads decimal hours only */
    } else {
        sl_write_number(w, p->value,
                        p->variable == SL_RULE_SETTING ? setting_quantity(net, p->index)
                                                       : sl_rule_quantity(p->variable));
    }
    sl_write_end(w, NULL);
}

static void write_actions(sl_writer *w, const char *first, int32_t start, int32_t n) {
    const sl_network *net = w->net;
    for (int32_t i = 0; i < n; i++) {
        const sl_action *a = &net->actions[start + i];
        sl_write_line(w);
        sl_out_z(w->out, i == 0 ? first : "AND ");
        sl_write_word(w, link_objects[sl_network_link_kind(net, a->link)]);
        sl_write_id(w, sl_network_link_id(net, a->link));
        sl_write_word(w, isnan(a->setting) ? "STATUS" : "SETTING");
        sl_write_word(w, "=");
        if (isnan(a->setting)) {
            sl_write_word(w, sl_status_words[a->status]);
        } else {
            sl_write_number(w, a->setting, setting_quantity(net, a->link));
        }
        sl_write_end(w, NULL);
    }
}

void sl_write_rules(sl_writer *w) {
    const sl_network *net = w->net;
    if (net->n_rule) {
        sl_write_section(w, "RULES", NULL);
    }
    for (int32_t i = 0; i < net->n_rule; i++) {
        const sl_rule *rule = &net->rules[i];
        sl_write_line(w);
        sl_out_z(w->out, i ? "\nRULE " : "RULE ");
        sl_write_id(w, rule->name);
        sl_write_end(w, NULL);
        for (int32_t k = 0; k < rule->n_premise; k++) {
            write_premise(w, &net->premises[rule->premise_start + k]);
        }
        write_actions(w, "THEN ", rule->then_start, rule->n_then);
        write_actions(w, "ELSE ", rule->else_start, rule->n_else);
        if (rule->priority != 0.0) {
            sl_write_line(w);
            sl_out_z(w->out, "PRIORITY ");
            sl_write_number(w, rule->priority, SL_Q_NONE);
            sl_write_end(w, NULL);
        }
        if (!rule->enabled) {
            sl_out_z(w->out, "DISABLED\n");
        }
    }
}
