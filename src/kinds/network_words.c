/* SPDX-License-Identifier: MIT */
/* network_words.c: controls and rules of a network in words. Values are in the units of the file. */
#include "kinds/network_explain.h"

#include <ctype.h>
#include <math.h>

#include <sluice/units.h>

#include "network/words.h"

enum { PART_MAX = 160 };

const char *sl_node_words(const sl_network *net, int32_t node, char buf[SL_WORDS_MAX]) {
    (void)sl_format(buf, SL_WORDS_MAX, "%s %.200s", sl_node_kind_words[sl_network_node_kind(net, node)],
                    sl_network_node_id(net, node));
    return buf;
}

static void lower_case(const char *word, char *buf, size_t size) {
    size_t i = 0;
    for (; word[i] && i + 1 < size; i++) {
        buf[i] = (char)tolower((unsigned char)word[i]);
    }
    buf[i] = '\0';
}

static sl_display_unit unit_of(const sl_network_page *p, sl_quantity q) {
    switch (q) {
    case SL_Q_LENGTH: return p->shown.length;
    case SL_Q_FLOW: return p->shown.flow;
    case SL_Q_PRESSURE: return p->shown.pressure;
    case SL_Q_POWER: return (sl_display_unit){p->shown.metric ? 1e3 : 745.7, p->shown.metric ? "kW" : "hp"};
    case SL_Q_HOURS: return (sl_display_unit){3600.0, "h"};
    default: return (sl_display_unit){1.0, ""};
    }
}

static void put_number(double x, sl_display_unit unit, char buf[PART_MAX]) {
    (void)sl_format(buf, PART_MAX, "%.7g%s%s", x / unit.factor, unit.name[0] ? " " : "", unit.name);
}

static sl_display_unit setting_unit(const sl_network_page *p, int32_t link) {
    int32_t valve = link - p->net->n_pipe - p->net->n_pump;
    return valve >= 0 ? sl_display_setting_unit(&p->shown, (sl_valve_kind)p->net->valve_kind[valve])
                      : (sl_display_unit){1.0, ""};
}

/* "opens", "closes", "runs at speed 0.8", "is set to 30 m" */
static void put_action(const sl_network_page *p, int32_t link, sl_link_status status, double setting,
                       char buf[PART_MAX]) {
    char value[PART_MAX];
    bool pump = sl_network_link_kind(p->net, link) == SL_PUMP;
    bool plain = isnan(setting) || (pump && setting == (status == SL_OPEN ? 1.0 : 0.0));
    put_number(setting, setting_unit(p, link), value);
    if (plain) {
        (void)sl_format(buf, PART_MAX, "%s",
                        status == SL_CLOSED ? "closes"
                        : status == SL_OPEN ? "opens"
                                            : "follows its setting");
    } else {
        (void)sl_format(buf, PART_MAX, pump ? "runs at speed %.120s" : "is set to %.120s", value);
    }
}

static void put_condition(const sl_network_page *p, const sl_control *c, char buf[SL_WORDS_MAX]) {
    char value[PART_MAX], node[SL_WORDS_MAX];
    if (c->kind == SL_CONTROL_TIME) {
        (void)sl_time_format(c->threshold, value, sizeof value);
        (void)sl_format(buf, SL_WORDS_MAX, "at %s of the run", value);
    } else if (c->kind == SL_CONTROL_CLOCK) {
        (void)sl_clock_format(c->threshold, value, sizeof value);
        (void)sl_format(buf, SL_WORDS_MAX, "every day at %s", value);
    } else {
        bool junction = c->node < p->net->n_junction;
        put_number(c->threshold, junction ? p->shown.pressure : p->shown.length, value);
        (void)sl_format(buf, SL_WORDS_MAX, "when the %s of %.200s is %.100s or %s", junction ? "pressure" : "level",
                        sl_node_words(p->net, c->node, node), value, c->kind == SL_CONTROL_ABOVE ? "more" : "less");
    }
}

int32_t sl_explain_controls(sl_network_page *p, int32_t link) {
    int32_t n = 0;
    for (int32_t i = 0; i < p->net->n_control; i++) {
        const sl_control *c = &p->net->controls[i];
        char action[PART_MAX], condition[SL_WORDS_MAX];
        if (link >= 0 && c->link != link) {
            continue;
        }
        if (n++ == 0) {
            sl_sheet_list(&p->page, "controls");
        }
        put_action(p, c->link, c->status, c->setting, action);
        put_condition(p, c, condition);
        sl_sheet_item_words(&p->page, sl_network_link_id(p->net, c->link), "%s %s%s", action, condition,
                            c->enabled ? "" : " (disabled)");
    }
    if (n > 0) {
        sl_sheet_list_end(&p->page);
    }
    return n;
}

/* ---- Rules -------------------------------------------------------------------------------------- */

static void put_premise(sl_network_page *p, const char *rule, const sl_premise *x) {
    static const char *const logic[] = {"if", "and", "or"};
    char object[SL_WORDS_MAX] = "the", variable[32], value[PART_MAX];
    lower_case(sl_rule_variable_words[x->variable], variable, sizeof variable);
    if (x->object == SL_RULE_NODE) {
        (void)sl_node_words(p->net, x->index, object);
    } else if (x->object == SL_RULE_LINK) {
        (void)sl_format(object, sizeof object, "%s %.200s", sl_link_kind_words[sl_network_link_kind(p->net, x->index)],
                        sl_network_link_id(p->net, x->index));
    }
    if (x->variable == SL_RULE_STATUS) {
        lower_case(sl_status_words[x->status], value, sizeof value);
    } else if (x->variable == SL_RULE_TIME) {
        (void)sl_time_format(x->value, value, sizeof value);
    } else if (x->variable == SL_RULE_CLOCKTIME) {
        (void)sl_clock_format(x->value, value, sizeof value);
    } else if (x->variable == SL_RULE_FILLTIME || x->variable == SL_RULE_DRAINTIME) {
        put_number(x->value, unit_of(p, SL_Q_HOURS), value);
    } else {
        put_number(x->value,
                   x->variable == SL_RULE_SETTING ? setting_unit(p, x->index)
                                                  : unit_of(p, sl_rule_quantity(x->variable)),
                   value);
    }
    sl_sheet_item_words(&p->page, rule, "%s %s %s %s %s", logic[x->logic], object, variable,
                        sl_rule_operator_words[x->relation], value);
}

static void put_actions(sl_network_page *p, const char *rule, const char *first, int32_t start, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        const sl_action *a = &p->net->actions[start + i];
        char action[PART_MAX];
        put_action(p, a->link, a->status, a->setting, action);
        sl_sheet_item_words(&p->page, rule, "%s %s %s %s", i == 0 ? first : "and",
                            sl_link_kind_words[sl_network_link_kind(p->net, a->link)],
                            sl_network_link_id(p->net, a->link), action);
    }
}

static bool rule_acts_on(const sl_network *net, const sl_rule *r, int32_t link) {
    bool acts = link < 0;
    for (int32_t i = 0; i < r->n_then; i++) {
        acts |= net->actions[r->then_start + i].link == link;
    }
    for (int32_t i = 0; i < r->n_else; i++) {
        acts |= net->actions[r->else_start + i].link == link;
    }
    return acts;
}

int32_t sl_explain_rules(sl_network_page *p, int32_t link) {
    int32_t n = 0;
    for (int32_t i = 0; i < p->net->n_rule; i++) {
        const sl_rule *r = &p->net->rules[i];
        char name[SL_WORDS_MAX];
        if (!rule_acts_on(p->net, r, link)) {
            continue;
        }
        if (n++ == 0) {
            sl_sheet_list(&p->page, "rules");
        }
        (void)sl_format(name, sizeof name, "rule %.200s", r->name);
        for (int32_t k = 0; k < r->n_premise; k++) {
            put_premise(p, name, &p->net->premises[r->premise_start + k]);
        }
        put_actions(p, name, "then", r->then_start, r->n_then);
        put_actions(p, name, "else", r->else_start, r->n_else);
        if (r->priority != 0.0 || !r->enabled) {
            sl_sheet_item_words(&p->page, name, "priority %g%s", r->priority, r->enabled ? "" : ", disabled");
        }
    }
    if (n > 0) {
        sl_sheet_list_end(&p->page);
    }
    return n;
}
