/* SPDX-License-Identifier: MIT */
/* inp_rules.c: [RULES]: RULE name, IF/AND/OR premises, THEN/ELSE/AND actions, PRIORITY, DISABLED, a clause a line.
 *
 * A rule with a mistake in any clause is left out as a whole; the rules after it are read.
 */
#include "network/inp_read.h"
#include "network/words.h"

#include <math.h>

enum stage { AT_RULE, AT_IF, AT_THEN, AT_ELSE, AT_PRIORITY };

static const char *const clause_words[] = {"RULE", "IF", "AND", "OR", "THEN", "ELSE", "PRIORITY", "DISABLED"};
enum clause { C_RULE, C_IF, C_AND, C_OR, C_THEN, C_ELSE, C_PRIORITY, C_DISABLED, N_CLAUSE };

static int32_t unknown_word(sl_reader *r, int32_t i, const char *const *words, int32_t n, const char *what) {
    char quoted[SL_QUOTE_MAX], near[64];
    sl_inp_fail(r, i, SL_CODE_UNKNOWN_KEYWORD, sl_inp_near_word(r->tok.at[i], words, n, near, sizeof near),
                "%s is not %s", sl_quote(r->tok.at[i], quoted), what);
    return -1;
}

/* Nothing may follow the n words of a clause: EPANET refuses it, and a second value would be lost. */
static bool line_ends(sl_reader *r, int32_t n) {
    char quoted[SL_QUOTE_MAX];
    if (r->n_tok > n) {
        sl_inp_fail(r, n, SL_CODE_SYNTAX, "put each clause on its own line", "%s is too much in this clause",
                    sl_quote(r->tok.at[n], quoted));
        return false;
    }
    return true;
}

/* ---- Premises ----------------------------------------------------------------------------------- */

static const char *const object_stems[] = {"JUNC", "RESER", "TANK", "NODE", "PIPE", "PUMP", "VALVE", "LINK", "SYSTEM"};
enum { N_OBJECT = 9, OBJECT_NODE = 3, OBJECT_LINK = 7, OBJECT_SYSTEM = 8 };

/* Warns when the rule calls a pump a pipe; EPANET does not mind. */
static void check_kind(sl_reader *r, int32_t object, int32_t index) {
    char quoted[SL_QUOTE_MAX];
    bool node = object <= OBJECT_NODE;
    if (object == OBJECT_NODE || object == OBJECT_LINK) {
        return;
    }
    int kind = node ? r->spec->node.at[index].kind : r->spec->link.at[index].kind;
    int named = node ? object : object - OBJECT_NODE - 1;
    if (kind != named) {
        sl_inp_warn(r, 1, SL_CODE_WRONG_KIND, NULL, "%s is a %s, not a %s", sl_quote(r->tok.at[2], quoted),
                    node ? sl_node_kind_words[kind] : sl_link_kind_words[kind],
                    node ? sl_node_kind_words[named] : sl_link_kind_words[named]);
    }
}

static bool premise_object(sl_reader *r, sl_premise *p, int32_t *next) {
    static const char *const words[] = {"JUNCTION", "RESERVOIR", "TANK", "NODE",  "PIPE",
                                        "PUMP",     "VALVE",     "LINK", "SYSTEM"};
    if (!sl_inp_need(r, 5, "a condition", "IF object id variable relation value")) {
        return false;
    }
    int32_t object = sl_inp_words(r, 1, object_stems, N_OBJECT);
    if (object < 0) {
        unknown_word(r, 1, words, N_OBJECT, "JUNCTION, TANK, RESERVOIR, NODE, PIPE, PUMP, VALVE, LINK or SYSTEM");
        return false;
    }
    *next = object == OBJECT_SYSTEM ? 2 : 3;
    p->index = -1;
    if (object == OBJECT_SYSTEM) {
        p->object = SL_RULE_SYSTEM;
        return true;
    }
    p->object = object <= OBJECT_NODE ? SL_RULE_NODE : SL_RULE_LINK;
    p->index = p->object == SL_RULE_NODE ? sl_inp_node(r, 2) : sl_inp_link(r, 2);
    if (p->index >= 0) {
        check_kind(r, object, p->index);
    }
    return p->index >= 0;
}

static sl_quantity variable_quantity(const sl_reader *r, const sl_premise *p) {
    if (p->variable != SL_RULE_SETTING) {
        return sl_rule_quantity(p->variable);
    }
    const sl_link_rec *rec = &r->spec->link.at[p->index];
    return rec->kind == SL_VALVE ? sl_valve_setting_quantity((sl_valve_kind)r->spec->valve.at[rec->index].kind)
                                 : SL_Q_NONE;
}

static int32_t status_word(sl_reader *r, int32_t i) {
    return sl_inp_word(r, i, "OPEN")     ? SL_OPEN
           : sl_inp_word(r, i, "CLOSED") ? SL_CLOSED
           : sl_inp_word(r, i, "ACTIVE") ? SL_ACTIVE
                                         : -1;
}

static bool premise_value(sl_reader *r, sl_premise *p, int32_t i) {
    static const char *const words[] = {"OPEN", "CLOSED", "ACTIVE"};
    p->value = NAN;
    if (p->variable == SL_RULE_STATUS) {
        int32_t status = status_word(r, i);
        if (status < 0) {
            unknown_word(r, i, words, 3, "OPEN, CLOSED or ACTIVE");
            return false;
        }
        p->status = (sl_link_status)status;
        return true;
    }
    if (p->variable == SL_RULE_TIME || p->variable == SL_RULE_CLOCKTIME || p->variable == SL_RULE_FILLTIME ||
        p->variable == SL_RULE_DRAINTIME) {
        return sl_inp_time(r, i, "time", &p->value);
    }
    return sl_inp_read_value(r, i, variable_quantity(r, p), "value", &p->value);
}

static bool read_premise(sl_reader *r, sl_rule_logic logic) {
    static const char *const stems[SL_RULE_VARIABLE_COUNT] = {"DEMAND",    "HEAD",     "GRADE",    "LEVEL", "PRESSURE",
                                                              "FLOW",      "STATUS",   "SETTING",  "POWER", "TIME",
                                                              "CLOCKTIME", "FILLTIME", "DRAINTIME"};
    /* Longer ones first where one starts with another; IS NOT BELOW ABOVE are words for the first four. */
    static const char *const relations[] = {"=", "<>", "<=", ">=", "<", ">", "IS", "NOT", "BELOW", "ABOVE"};
    static const sl_rule_operator meaning[] = {SL_RULE_EQ, SL_RULE_NE, SL_RULE_LE, SL_RULE_GE, SL_RULE_LT,
                                               SL_RULE_GT, SL_RULE_EQ, SL_RULE_NE, SL_RULE_LT, SL_RULE_GT};
    sl_premise p = {.logic = logic, .line = r->line_no};
    int32_t next;
    char quoted[SL_QUOTE_MAX];
    if (!premise_object(r, &p, &next)) {
        return false;
    }
    if (!sl_inp_need(r, next + 3, r->n_tok == next + 2 ? "a value" : "a relation such as = or ABOVE",
                     "IF object id variable relation value")) {
        return false;
    }
    int32_t variable = sl_inp_words(r, next, stems, SL_RULE_VARIABLE_COUNT);
    if (variable < 0) {
        unknown_word(r, next, stems, SL_RULE_VARIABLE_COUNT, "a variable that rules can ask for");
        return false;
    }
    p.variable = (sl_rule_variable)variable;
    if (!sl_premise_fits(r->spec, &p)) {
        sl_inp_fail(r, next, SL_CODE_RULE, "see the table of objects and variables in the manual",
                    "a %s has no %s here",
                    p.object == SL_RULE_SYSTEM ? "SYSTEM"
                    : p.object == SL_RULE_NODE ? sl_node_kind_words[r->spec->node.at[p.index].kind]
                                               : sl_link_kind_words[r->spec->link.at[p.index].kind],
                    sl_quote(r->tok.at[next], quoted));
        return false;
    }
    int32_t relation = sl_inp_words(r, next + 1, relations, 10);
    if (relation < 0) {
        unknown_word(r, next + 1, relations, 10, "a relation: = <> < > <= >= IS NOT BELOW ABOVE");
        return false;
    }
    p.relation = meaning[relation];
    if (!premise_value(r, &p, next + 2) || !line_ends(r, next + 3 + (p.variable >= SL_RULE_TIME ? 1 : 0))) {
        return false;
    }
    r->oom = r->oom || !SL_PUSH(r->ctx, &r->spec->premise, p);
    r->rule.rule.n_premise++;
    return !r->oom;
}

/* ---- Actions ------------------------------------------------------------------------------------ */

/* THEN object id STATUS|SETTING IS value */
static bool read_action(sl_reader *r, int32_t *count) {
    static const char *const words[] = {"OPEN", "CLOSED", "ACTIVE"};
    sl_action a = {.setting = NAN, .line = r->line_no};
    if (!sl_inp_need(r, 6, "an action", "THEN link-kind id STATUS|SETTING IS value") || !line_ends(r, 6)) {
        return false;
    }
    a.link = sl_inp_link(r, 2);
    if (a.link < 0) {
        return false;
    }
    const sl_link_rec *rec = &r->spec->link.at[a.link];
    if (rec->kind == SL_PIPE && sl_build_pipe(r->spec, a.link)->check) {
        sl_inp_fail(r, 2, SL_CODE_CONTROL, "a check valve opens and closes by itself",
                    "a pipe with a check valve cannot be controlled");
        return false;
    }
    int32_t object = sl_inp_words(r, 1, object_stems, N_OBJECT);
    if (object > OBJECT_NODE && object < OBJECT_SYSTEM) {
        check_kind(r, object, a.link);
    }
    int32_t status = status_word(r, 5);
    double x;
    if (status >= 0) {
        a.status = (sl_link_status)status;
    } else if (!sl_inp_number(r, 5, &x)) {
        unknown_word(r, 5, words, 3, "OPEN, CLOSED, ACTIVE or a number");
        return false;
    } else if (x < 0.0) {
        sl_inp_fail(r, 5, SL_CODE_VALUE_RANGE, NULL, "a setting in a rule must not be negative");
        return false;
    } else if (rec->kind == SL_VALVE) {
        sl_valve_kind kind = (sl_valve_kind)sl_build_valve(r->spec, a.link)->kind;
        if (kind == SL_GPV) {
            sl_inp_fail(r, 5, SL_CODE_CONTROL, "write OPEN or CLOSED", "a general purpose valve has no setting");
            return false;
        }
        a.status = SL_ACTIVE;
        if (!sl_inp_read_value(r, 5, sl_valve_setting_quantity(kind), "setting", &a.setting)) {
            return false;
        }
    } else {
        a.status = x == 0.0 ? SL_CLOSED : SL_OPEN;
        if (rec->kind == SL_PUMP) {
            a.setting = x;
        }
    }
    r->oom = r->oom || !SL_PUSH(r->ctx, &r->spec->action, a);
    ++*count;
    return !r->oom;
}

/* ---- Rules -------------------------------------------------------------------------------------- */

void sl_inp_rules_end(sl_reader *r) {
    sl_rule *rule = &r->rule.rule;
    if (!r->rule.open) {
        return;
    }
    r->rule.open = false;
    if (!r->rule.broken && (rule->n_premise == 0 || rule->n_then == 0)) {
        r->line = r->rule.place.text;
        r->line_no = r->rule.place.line;
        sl_inp_tokens(r, r->line);
        sl_inp_fail(r, 0, SL_CODE_RULE, "a rule needs RULE, IF and THEN", "rule %s has no %s clause", rule->name,
                    rule->n_premise ? "THEN" : "IF");
        r->rule.broken = true;
    }
    if (r->rule.broken) {
        r->spec->premise.n = rule->premise_start;
        r->spec->action.n = rule->then_start;
    } else {
        rule->else_start = rule->then_start + rule->n_then;
        r->oom = r->oom || !SL_PUSH(r->ctx, &r->spec->rule, *rule);
    }
}

static void open_rule(sl_reader *r) {
    sl_inp_rules_end(r);
    r->rule.rule = (sl_rule){.premise_start = (int32_t)r->spec->premise.n,
                             .then_start = (int32_t)r->spec->action.n,
                             .enabled = true,
                             .line = r->line_no};
    r->rule.open = true;
    r->rule.broken = false;
    r->rule.stage = AT_RULE;
    r->rule.place = sl_inp_location(r, 0);
    r->rule.rule.name = "";
    if (sl_inp_need(r, 2, "the rule's name", "RULE name")) {
        r->rule.rule.name = sl_inp_copy(r, r->tok.at[1]);
        if (r->n_tok > 2) {
            sl_inp_warn(r, 2, SL_CODE_SYNTAX, "a rule's name has no blanks; EPANET refuses this",
                        "the rule's name ends before this word");
        }
    } else {
        r->rule.broken = true;
    }
}

static bool read_priority(sl_reader *r) {
    r->rule.stage = AT_PRIORITY;
    return sl_inp_need(r, 2, "a number", "PRIORITY value") &&
           sl_inp_read_value(r, 1, SL_Q_NONE, "priority", &r->rule.rule.priority);
}

/* One clause of the open rule; false: reported, or out of order. */
static bool read_clause(sl_reader *r, int32_t clause) {
    sl_rule *rule = &r->rule.rule;
    int stage = r->rule.stage;
    if (clause == C_IF && stage == AT_RULE) {
        r->rule.stage = AT_IF;
        return read_premise(r, SL_RULE_IF);
    }
    if ((clause == C_AND || clause == C_OR) && stage == AT_IF) {
        return read_premise(r, clause == C_AND ? SL_RULE_AND : SL_RULE_OR);
    }
    if (clause == C_THEN && stage == AT_IF) {
        r->rule.stage = AT_THEN;
        return read_action(r, &rule->n_then);
    }
    if (clause == C_ELSE && stage == AT_THEN) {
        r->rule.stage = AT_ELSE;
        return read_action(r, &rule->n_else);
    }
    if (clause == C_AND && (stage == AT_THEN || stage == AT_ELSE)) {
        return read_action(r, stage == AT_THEN ? &rule->n_then : &rule->n_else);
    }
    if (clause == C_PRIORITY && (stage == AT_THEN || stage == AT_ELSE)) {
        return read_priority(r);
    }
    if (clause == C_DISABLED && stage >= AT_THEN && stage <= AT_PRIORITY) {
        rule->enabled = false; /* clauses may follow it, as in EPANET */
        return true;
    }
    sl_inp_fail(r, 0, SL_CODE_RULE, "the order is RULE, IF, AND/OR, THEN, AND, ELSE, AND, PRIORITY, DISABLED",
                "a clause %s cannot stand here", clause_words[clause]);
    return false;
}

void sl_inp_rules(sl_reader *r) {
    static const char *const stems[N_CLAUSE] = {"RULE", "IF", "AND", "OR", "THEN", "ELSE", "PRIO", "DISABLED"};
    int32_t clause = sl_inp_words(r, 0, stems, N_CLAUSE);
    if (clause == C_RULE) {
        open_rule(r);
    } else if (clause < 0) {
        unknown_word(r, 0, clause_words, N_CLAUSE, "a clause of a rule");
        r->rule.broken = true;
    } else if (!r->rule.open) {
        sl_inp_fail(r, 0, SL_CODE_ORPHAN_LINE, "start with RULE name", "this clause belongs to no rule");
    } else if (!read_clause(r, clause)) {
        r->rule.broken = true;
    }
}
