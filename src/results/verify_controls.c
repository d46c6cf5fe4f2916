/* SPDX-License-Identifier: MIT */
/* verify_controls.c: what simple controls surely make of a link at a report time.
 *
 * Controls on levels and clocks are looked at when a step begins, in the order of the file, and report times begin steps. So a
 * tank that stands beyond a control's level by more than a second's flow makes it act there and then, and the link is what
 * the last such control says. Links that rules, patterns or controls on pressures may change as well are not judged: these depend
 * on what lies between the periods. Theory: docs/theory/verify.md.
 */
#include "results/verify.h"

#include <math.h>

typedef enum act { ACT_NO, ACT_MAYBE, ACT_YES } act;

static act level_acts(const sl_verifier *v, const sl_control *c, int32_t tank) {
    const sl_network *net = v->net;
    double level = v->head[c->node] - net->node_elevation[c->node];
    double past = sl_verify_tank_volume(net, tank, level) - sl_verify_tank_volume(net, tank, c->threshold);
    past = c->kind == SL_CONTROL_ABOVE ? past : -past;
    /* The flow is that of the step before, of which the file may not have the last: half as much again. */
    double flow = fmax(fabs(v->demand[c->node]), v->period > 0 ? fabs(v->inflow_before[tank]) : 0.0);
    double slack = 1.5 * flow + v->def.head_abs * sl_verify_tank_area(net, tank, level, level);
    return past > slack ? ACT_YES : past < -slack ? ACT_NO : ACT_MAYBE;
}

static act acts(const sl_verifier *v, const sl_control *c) {
    int32_t tank = c->node - v->net->n_junction - v->net->n_reservoir;
    if (c->kind == SL_CONTROL_TIME) {
        return v->time == c->threshold ? ACT_YES : ACT_NO;
    }
    if (c->kind == SL_CONTROL_CLOCK) {
        return fmod(v->time + v->net->times.start_clock - c->threshold + 86400.0, 86400.0) == 0.0 ? ACT_YES : ACT_NO;
    }
    return tank < 0 ? ACT_MAYBE : level_acts(v, c, tank);
}

const sl_control *sl_verify_sure_control(const sl_verifier *v, int32_t link) {
    const sl_network *net = v->net;
    const sl_control *sure = NULL;
    bool pump = link >= net->n_pipe && link < net->n_pipe + net->n_pump;
    if (v->steered[link] != SL_VERIFY_BY_CONTROL || (pump && net->pump_pattern[link - net->n_pipe] >= 0)) {
        return NULL;
    }
    for (int32_t i = 0; i < net->n_control; i++) {
        const sl_control *c = &net->controls[i];
        if (c->link != link || !c->enabled) {
            continue;
        }
        act a = acts(v, c);
        sure = a == ACT_YES ? c : a == ACT_MAYBE ? NULL : sure;
        if (c->node >= 0 && c->node < net->n_junction) {
            return NULL; /* part of the solution, and may come last whatever its line */
        }
    }
    return sure;
}
