/* SPDX-License-Identifier: MIT */
/* messages.c: diagnostics of a step: an alarm that begins, and the first location where the column separates. Once each; how
 * often and how much is in the view. */
#include "surge/impl.h"

#include "base/out.h"
#include "network/epanet_units.h"

#include <stdio.h>

const char *sl_surge_length_text(const sl_network *net, double x, char buf[SL_SURGE_LENGTH_MAX]) {
    bool metric = sl_flow_unit_is_metric(net->hydraulics.flow_unit);
    (void)sl_format(buf, SL_SURGE_LENGTH_MAX, "%.6g %s", metric ? x : x / SL_EPANET_FOOT, metric ? "m" : "ft");
    return buf;
}

static void name_location(const sl_network *net, int32_t node, int32_t pipe, double chainage, sl_diag *d, char *text,
                          size_t n) {
    text[0] = '\0';
    if (node >= 0) {
        d->object_kind = "node";
        d->object_id = sl_network_node_id(net, node);
    } else if (pipe >= 0) {
        d->object_kind = "pipe";
        d->object_id = sl_network_link_id(net, pipe);
        char where[SL_SURGE_LENGTH_MAX];
        snprintf(text, n, " at chainage %s", sl_surge_length_text(net, chainage, where));
    }
}

static void report_alarm(const sl_surge_run *e, int alarm, sl_diags *diags) {
    const sl_surge_alarm_state *a = &e->now->x->alarms[alarm];
    char where[64], text[320];
    sl_diag d = {.size = sizeof d, .severity = SL_WARNING, .code = SL_CODE_ALARM, .time = e->now->x->time};
    name_location(e->m->net, a->node, a->pipe, a->chainage, &d, where, sizeof where);
    snprintf(text, sizeof text, "alarm %s%s: %s", sl_surge_alarm_word((sl_surge_alarm)alarm), where,
             sl_surge_alarm_meaning((sl_surge_alarm)alarm));
    d.text = text;
    sl_diags_add(diags, &d);
}

void sl_surge_report_events(const sl_surge_run *e, sl_diags *diags) {
    const sl_surge_scalars *x = e->now->x, *old = e->before->x;
    for (int i = 0; i < SL_SURGE_ALARM_COUNT; i++) {
        if (x->alarms[i].count > 0 && old->alarms[i].count == 0) {
            report_alarm(e, i, diags);
        }
    }
    if (x->broke && !old->broke) {
        char where[64], text[160];
        sl_diag d = {.size = sizeof d, .severity = SL_INFO, .code = SL_CODE_CAVITY, .time = x->time};
        name_location(e->m->net, x->broke_node, x->broke_pipe, x->broke_at, &d, where, sizeof where);
        snprintf(text, sizeof text, "the water column breaks%s: vapour pressure is reached here first", where);
        d.text = text;
        sl_diags_add(diags, &d);
    }
}
