/* SPDX-License-Identifier: MIT */
/* spec_objects.c: adding nodes, links, controls, rules and the rest by calls; see sluice/spec.h. */
#include "network/spec_impl.h"

#include "base/bytes.h"

#include <math.h>

/* ---- Nodes -------------------------------------------------------------------------------------- */

/* Finite, or NaN where that means none. */
static bool no_infinity(double x, double y) {
    return !isinf(x) && !isinf(y);
}

/* A new node with its place and notes; negative after a report, *status says why. */
static int32_t add_node(sl_spec *s, sl_node_kind kind, const char *word, const char *id, double x, double y,
                        const char *tag, const char *note, sl_status *status) {
    *status = SL_ERR_INPUT;
    if (!sl_spec_good_id(id)) {
        sl_spec_refuse(s, SL_CODE_BAD_ID, word, id, NULL, "not a valid id", NULL);
        return -1;
    }
    if (!no_infinity(x, y) || isnan(x) != isnan(y)) {
        sl_spec_refuse(s, SL_CODE_VALUE_RANGE, word, id, NULL, "coordinates must be finite numbers, or both NaN", NULL);
        return -1;
    }
    if (!sl_spec_good_text(s, word, id, tag)) {
        return -1;
    }
    sl_str z = sl_str_z(id);
    int32_t at = sl_build_node(s, z, sl_last_word(z.ptr, z.len), kind, 0);
    if (at == SL_BUILD_MEMORY) {
        *status = SL_ERR_MEMORY;
        return at;
    }
    if (at < 0) {
        sl_spec_refuse(s, SL_CODE_DUPLICATE_ID, word, id, NULL, "this id is taken by another node", NULL);
        return at;
    }
    sl_point_rec place = {.owner = at, .x = x, .y = y};
    bool good = isnan(x) || SL_PUSH(s->ctx, &s->place, place);
    good = good && sl_spec_note(s, &s->node_tag, at, tag) && sl_spec_note(s, &s->node_note, at, note);
    *status = good ? SL_OK : SL_ERR_MEMORY;
    return at;
}

sl_status sl_spec_add_junction(sl_spec *s, const sl_junction_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_junction_def own = sl_junction_default();
    const sl_junction_def *d = &own;
    if (!sl_spec_take(s, "junction", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    int32_t pattern;
    sl_status status;
    if (!sl_spec_pattern(s, d->pattern, "junction", d->id, &pattern)) {
        return SL_ERR_INPUT;
    }
    int32_t at = add_node(s, SL_JUNCTION, "junction", d->id, d->x, d->y, d->tag, d->note, &status);
    if (at >= 0) {
        s->node.at[at].elevation = d->elevation;
        s->node.at[at].quality = d->quality;
        sl_junction_rec *j = sl_build_junction(s, at);
        j->demand = d->demand;
        j->pattern = pattern;
        j->emitter = d->emitter_coef;
    }
    return status;
}

sl_status sl_spec_add_reservoir(sl_spec *s, const sl_reservoir_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_reservoir_def own = sl_reservoir_default();
    const sl_reservoir_def *d = &own;
    if (!sl_spec_take(s, "reservoir", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    int32_t pattern;
    sl_status status;
    if (!sl_spec_pattern(s, d->pattern, "reservoir", d->id, &pattern)) {
        return SL_ERR_INPUT;
    }
    int32_t at = add_node(s, SL_RESERVOIR, "reservoir", d->id, d->x, d->y, d->tag, d->note, &status);
    if (at >= 0) {
        s->node.at[at].elevation = d->head;
        s->node.at[at].quality = d->quality;
        s->reservoir.at[s->node.at[at].index] = pattern;
    }
    return status;
}

sl_status sl_spec_add_tank(sl_spec *s, const sl_tank_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_tank_def own = sl_tank_default();
    const sl_tank_def *d = &own;
    if (!sl_spec_take(s, "tank", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    int32_t curve;
    sl_status status;
    bool two = d->mixing == SL_MIX_TWO_COMPARTMENT;
    if (!sl_spec_curve(s, d->volume_curve, "tank", d->id, &curve)) {
        return SL_ERR_INPUT;
    }
    if (isinf(d->bulk) || (two && !(d->mix_fraction >= 0.0 && d->mix_fraction <= 1.0))) {
        return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "tank", d->id, NULL,
                              isinf(d->bulk) ? "the bulk coefficient must be a finite number, or NaN"
                                             : "the compartment fraction must be between 0 and 1",
                              NULL);
    }
    int32_t at = add_node(s, SL_TANK, "tank", d->id, d->x, d->y, d->tag, d->note, &status);
    if (at >= 0) {
        s->node.at[at].elevation = d->elevation;
        s->node.at[at].quality = d->quality;
        *sl_build_tank(s, at) = (sl_tank_rec){.level_init = d->level_init,
                                              .level_min = d->level_min,
                                              .level_max = d->level_max,
                                              .diameter = d->diameter,
                                              .volume_min = d->volume_min,
                                              .mix_fraction = two && d->mix_fraction > 0.0 ? d->mix_fraction : 1.0,
                                              .bulk = d->bulk,
                                              .curve = curve,
                                              .overflow = d->overflow,
                                              .mixing = (uint8_t)d->mixing};
    }
    return status;
}

sl_status sl_spec_add_demand(sl_spec *s, const sl_demand_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_demand_def own = sl_demand_default();
    const sl_demand_def *d = &own;
    if (!sl_spec_take(s, "demand", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    int32_t node, pattern;
    if (!sl_spec_node(s, d->junction, "demand", d->junction, &node) ||
        !sl_spec_pattern(s, d->pattern, "demand", d->junction, &pattern)) {
        return SL_ERR_INPUT;
    }
    if (s->node.at[node].kind != SL_JUNCTION) {
        return sl_spec_refuse(s, SL_CODE_WRONG_KIND, "demand", d->junction, NULL, "only junctions have demands", NULL);
    }
    const char *category = NULL;
    return sl_spec_comment(s, d->category, &category) && sl_build_demand(s, node, d->base, pattern, category)
               ? SL_OK
               : SL_ERR_MEMORY;
}

/* ---- Links -------------------------------------------------------------------------------------- */

static int32_t add_link(sl_spec *s, sl_link_kind kind, const char *word, const char *id, const char *from,
                        const char *to, const char *tag, const char *note, sl_status *status) {
    int32_t a, b;
    *status = SL_ERR_INPUT;
    if (!sl_spec_good_id(id)) {
        sl_spec_refuse(s, SL_CODE_BAD_ID, word, id, NULL, "not a valid id", NULL);
        return -1;
    }
    if (!sl_spec_node(s, from, word, id, &a) || !sl_spec_node(s, to, word, id, &b) ||
        !sl_spec_good_text(s, word, id, tag)) {
        return -1;
    }
    sl_str z = sl_str_z(id);
    int32_t at = sl_build_link(s, z, sl_last_word(z.ptr, z.len), kind, a, b, 0);
    if (at == SL_BUILD_MEMORY) {
        *status = SL_ERR_MEMORY;
        return at;
    }
    if (at < 0) {
        sl_spec_refuse(s, SL_CODE_DUPLICATE_ID, word, id, NULL, "this id is taken by another link", NULL);
        return at;
    }
    *status =
        sl_spec_note(s, &s->link_tag, at, tag) && sl_spec_note(s, &s->link_note, at, note) ? SL_OK : SL_ERR_MEMORY;
    return at;
}

sl_status sl_spec_add_pipe(sl_spec *s, const sl_pipe_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_pipe_def own = sl_pipe_default();
    const sl_pipe_def *d = &own;
    if (!sl_spec_take(s, "pipe", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_status status;
    if (!no_infinity(d->bulk, d->wall)) {
        return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "pipe", d->id, NULL,
                              "coefficients must be finite numbers, or NaN", NULL);
    }
    int32_t at = add_link(s, SL_PIPE, "pipe", d->id, d->from, d->to, d->tag, d->note, &status);
    if (at >= 0) {
        s->link.at[at].status = d->status == SL_CLOSED && !d->check_valve ? SL_CLOSED : SL_OPEN;
        *sl_build_pipe(s, at) = (sl_pipe_rec){.length = d->length,
                                              .diameter = d->diameter,
                                              .roughness = d->roughness,
                                              .minor = d->minor,
                                              .extra = -1,
                                              .check = d->check_valve};
        bool more = !isnan(d->bulk) || !isnan(d->wall) || d->leak_area != 0.0 || d->leak_expansion != 0.0;
        sl_pipe_extra *extra = more ? sl_build_pipe_extra(s, at) : NULL;
        if (extra) {
            *extra = (sl_pipe_extra){d->bulk, d->wall, d->leak_area, d->leak_expansion};
        } else if (more) {
            status = SL_ERR_MEMORY;
        }
    }
    return status;
}

sl_status sl_spec_add_pump(sl_spec *s, const sl_pump_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_pump_def own = sl_pump_default();
    const sl_pump_def *d = &own;
    if (!sl_spec_take(s, "pump", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_status status;
    sl_pump_rec rec = {.power = d->power, .speed = d->speed, .price = d->price};
    if (!sl_spec_curve(s, d->curve, "pump", d->id, &rec.curve) ||
        !sl_spec_curve(s, d->efficiency_curve, "pump", d->id, &rec.efficiency_curve) ||
        !sl_spec_pattern(s, d->pattern, "pump", d->id, &rec.pattern) ||
        !sl_spec_pattern(s, d->price_pattern, "pump", d->id, &rec.price_pattern)) {
        return SL_ERR_INPUT;
    }
    int32_t at = add_link(s, SL_PUMP, "pump", d->id, d->from, d->to, d->tag, d->note, &status);
    if (at >= 0) {
        /* As in files: a closed pump has speed 0, and speed 0 is closed. */
        rec.speed = d->status == SL_CLOSED ? 0.0 : rec.speed;
        s->link.at[at].status = rec.speed == 0.0 ? SL_CLOSED : SL_OPEN;
        *sl_build_pump(s, at) = rec;
    }
    return status;
}

sl_status sl_spec_add_valve(sl_spec *s, const sl_valve_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_valve_def own = sl_valve_default();
    const sl_valve_def *d = &own;
    if (!sl_spec_take(s, "valve", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_status status;
    int32_t curve;
    if (!sl_spec_curve(s, d->curve, "valve", d->id, &curve)) {
        return SL_ERR_INPUT;
    }
    int32_t at = add_link(s, SL_VALVE, "valve", d->id, d->from, d->to, d->tag, d->note, &status);
    if (at >= 0) {
        bool curved = d->kind == SL_GPV || d->kind == SL_PCV;
        s->link.at[at].status = (uint8_t)(d->kind == SL_GPV && d->status == SL_ACTIVE ? SL_OPEN : d->status);
        *sl_build_valve(s, at) = (sl_valve_rec){.diameter = d->diameter,
                                                .setting = d->kind == SL_GPV ? 0.0 : d->setting,
                                                .minor = d->minor,
                                                .curve = curved ? curve : -1,
                                                .kind = (uint8_t)d->kind};
    }
    return status;
}

sl_status sl_spec_add_vertices(sl_spec *s, const char *link, const double *x, const double *y, int32_t n) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !link || (n > 0 && (!x || !y))) {
        return SL_ERR_USE;
    }
    int32_t at;
    if (!sl_spec_link(s, link, "vertices", link, &at)) {
        return SL_ERR_INPUT;
    }
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i])) {
            return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "vertices", link, NULL, "coordinates must be finite numbers",
                                  NULL);
        }
    }
    if (!SL_RESERVE(s->ctx, &s->vertex, s->vertex.n + n)) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < n; i++) {
        s->vertex.at[s->vertex.n++] = (sl_point_rec){.owner = at, .x = x[i], .y = y[i]};
    }
    return SL_OK;
}

/* ---- Controls and rules ------------------------------------------------------------------------- */

/* Status and setting as files mean them; false after a report. */
static bool settle(sl_spec *s, const char *word, const char *id, int32_t link, sl_link_status *status,
                   double *setting) {
    const sl_link_rec *rec = &s->link.at[link];
    bool number = !isnan(*setting);
    if (rec->kind == SL_PIPE && sl_build_pipe(s, link)->check) {
        sl_spec_refuse(s, SL_CODE_CONTROL, word, id, NULL, "a pipe with a check valve cannot be controlled", NULL);
        return false;
    }
    if (isinf(*setting)) {
        sl_spec_refuse(s, SL_CODE_VALUE_RANGE, word, id, NULL, "the setting must be a finite number, or NaN", NULL);
        return false;
    }
    if (rec->kind == SL_VALVE && number && sl_build_valve(s, link)->kind == SL_GPV) {
        sl_spec_refuse(s, SL_CODE_CONTROL, word, id, NULL, "a general purpose valve has no setting", NULL);
        return false;
    }
    if (rec->kind == SL_VALVE) {
        *status = number ? SL_ACTIVE : *status;
        return true;
    }
    if (number && !(*setting >= 0.0)) {
        sl_spec_refuse(s, SL_CODE_VALUE_RANGE, word, id, NULL, "the setting of a pump or pipe must not be negative",
                       NULL);
        return false;
    }
    *status = number ? (*setting == 0.0 ? SL_CLOSED : SL_OPEN) : *status;
    if (rec->kind == SL_PIPE) {
        *setting = NAN;
    }
    return true;
}

sl_status sl_spec_add_control(sl_spec *s, const sl_control_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_control_def own = sl_control_default();
    const sl_control_def *d = &own;
    if (!sl_spec_take(s, "control", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_control c = {.kind = d->kind,
                    .node = -1,
                    .status = d->status,
                    .setting = d->setting,
                    .threshold = d->threshold,
                    .enabled = d->enabled};
    bool level = d->kind == SL_CONTROL_ABOVE || d->kind == SL_CONTROL_BELOW;
    if (!sl_spec_link(s, d->link, "control", d->link, &c.link) ||
        (level && !sl_spec_node(s, d->node, "control", d->link, &c.node)) ||
        !settle(s, "control", d->link, c.link, &c.status, &c.setting)) {
        return SL_ERR_INPUT;
    }
    if (c.status == SL_ACTIVE && isnan(c.setting)) {
        return sl_spec_refuse(s, SL_CODE_CONTROL, "control", d->link, NULL,
                              "a control opens, closes or gives a setting", NULL);
    }
    if (s->link.at[c.link].kind == SL_PUMP && isnan(c.setting)) {
        c.setting = c.status == SL_OPEN ? 1.0 : 0.0;
    }
    if (!isfinite(c.threshold) || (!level && c.threshold < 0.0)) {
        return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "control", d->link, NULL,
                              level ? "the level must be a finite number" : "the time must be 0 or more", NULL);
    }
    if (!level) {
        c.threshold = floor(c.threshold + 0.5); /* whole seconds, within a day, as in files */
        c.threshold = c.kind == SL_CONTROL_CLOCK ? fmod(c.threshold, 86400.0) : c.threshold;
    }
    return SL_PUSH(s->ctx, &s->control, c) ? SL_OK : SL_ERR_MEMORY;
}

static sl_status add_actions(sl_spec *s, const sl_rule_def *d, const sl_action_def *action, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        sl_action a = {.status = action[i].status, .setting = action[i].setting};
        if (!sl_spec_link(s, action[i].link, "rule", d->name, &a.link) ||
            !settle(s, "rule", d->name, a.link, &a.status, &a.setting)) {
            return SL_ERR_INPUT;
        }
        if (a.setting < 0.0) {
            return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "rule", d->name, NULL,
                                  "a setting in a rule must not be negative", NULL);
        }
        if (!SL_PUSH(s->ctx, &s->action, a)) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

static sl_status add_premises(sl_spec *s, const sl_rule_def *d) {
    for (int32_t i = 0; i < d->n_premise; i++) {
        const sl_premise_def *q = &d->premise[i];
        sl_premise p = {.logic = i == 0                   ? SL_RULE_IF
                                 : q->logic == SL_RULE_OR ? SL_RULE_OR
                                                          : SL_RULE_AND,
                        .object = q->object,
                        .variable = q->variable,
                        .relation = q->relation,
                        .index = -1,
                        .status = q->status,
                        .value = q->value};
        if ((q->object == SL_RULE_NODE && !sl_spec_node(s, q->id, "rule", d->name, &p.index)) ||
            (q->object == SL_RULE_LINK && !sl_spec_link(s, q->id, "rule", d->name, &p.index))) {
            return SL_ERR_INPUT;
        }
        if (q->variable == SL_RULE_STATUS) {
            p.value = NAN;
        } else {
            p.status = SL_CLOSED;
            if (!isfinite(p.value)) {
                return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "rule", d->name, NULL,
                                      "a premise's value must be a finite number", NULL);
            }
        }
        if (p.variable >= SL_RULE_TIME) { /* TIME CLOCKTIME FILLTIME DRAINTIME */
            if (p.value < 0.0) {
                return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "rule", d->name, NULL, "a time must be 0 or more", NULL);
            }
            p.value = floor(p.value + 0.5);
        }
        if (!sl_premise_fits(s, &p)) {
            return sl_spec_refuse(s, SL_CODE_RULE, "rule", d->name, NULL,
                                  "a premise asks for what its object does not have", NULL);
        }
        if (!SL_PUSH(s->ctx, &s->premise, p)) {
            return SL_ERR_MEMORY;
        }
    }
    return SL_OK;
}

sl_status sl_spec_add_rule(sl_spec *s, const sl_rule_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_rule_def own = sl_rule_default();
    const sl_rule_def *d = &own;
    if (!sl_spec_take(s, "rule", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_rule rule = {.premise_start = (int32_t)s->premise.n,
                    .n_premise = d->n_premise,
                    .then_start = (int32_t)s->action.n,
                    .n_then = d->n_then,
                    .n_else = d->n_else,
                    .priority = d->priority,
                    .enabled = d->enabled};
    rule.else_start = rule.then_start + d->n_then;
    if (!sl_spec_good_id(d->name)) {
        return sl_spec_refuse(s, SL_CODE_BAD_ID, "rule", d->name, NULL, "not a valid name", NULL);
    }
    if (!isfinite(d->priority)) {
        return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "rule", d->name, NULL, "the priority must be a finite number",
                              NULL);
    }
    if (d->n_premise < 1 || d->n_then < 1) {
        return sl_spec_refuse(s, SL_CODE_RULE, "rule", d->name, NULL, "a rule needs a premise and an action", NULL);
    }
    sl_status status = add_premises(s, d);
    status = status == SL_OK ? add_actions(s, d, d->then_action, d->n_then) : status;
    status = status == SL_OK ? add_actions(s, d, d->else_action, d->n_else) : status;
    if (status == SL_OK) {
        rule.name = sl_spec_copy_text(s, d->name);
        status = rule.name && SL_PUSH(s->ctx, &s->rule, rule) ? SL_OK : SL_ERR_MEMORY;
    }
    if (status != SL_OK) { /* all or none */
        s->premise.n = rule.premise_start;
        s->action.n = rule.then_start;
    }
    return status;
}

/* ---- The rest ----------------------------------------------------------------------------------- */

sl_status sl_spec_add_source(sl_spec *s, const sl_source_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_source_def own = sl_source_default();
    const sl_source_def *d = &own;
    if (!sl_spec_take(s, "source", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    sl_quality_source x = {.kind = d->kind, .strength = d->strength};
    if (!sl_spec_node(s, d->node, "source", d->node, &x.node) ||
        !sl_spec_pattern(s, d->pattern, "source", d->node, &x.pattern)) {
        return SL_ERR_INPUT;
    }
    if (!isfinite(x.strength)) {
        return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "source", d->node, NULL, "the strength must be a finite number",
                              NULL);
    }
    return SL_PUSH(s->ctx, &s->source, x) ? SL_OK : SL_ERR_MEMORY;
}

sl_status sl_spec_add_label(sl_spec *s, const sl_label_def *def) {
    if (!SL_HANDLE_IS(s, SL_HANDLE_SPEC) || !def) {
        return SL_ERR_USE;
    }
    sl_label_def own = sl_label_default();
    const sl_label_def *d = &own;
    if (!sl_spec_take(s, "label", &own, sizeof own, def)) {
        return SL_ERR_USE;
    }
    if (!isfinite(d->x) || !isfinite(d->y)) {
        return sl_spec_refuse(s, SL_CODE_VALUE_RANGE, "label", d->text, NULL, "coordinates must be finite numbers",
                              NULL);
    }
    if (!sl_spec_good_text(s, "label", d->text, d->text)) {
        return SL_ERR_INPUT;
    }
    sl_label label = {.x = d->x, .y = d->y, .anchor = -1, .text = sl_spec_copy_text(s, d->text ? d->text : "")};
    if (d->anchor && !sl_spec_node(s, d->anchor, "label", d->text, &label.anchor)) {
        return SL_ERR_INPUT;
    }
    return label.text && SL_PUSH(s->ctx, &s->label, label) ? SL_OK : SL_ERR_MEMORY;
}
