/* SPDX-License-Identifier: MIT */
/* check.c: is what a study says about something that exists, and can it be?
 *
 * All that is wrong is reported, with the line of the record.
 */
#include "surge/impl.h"

#include <math.h>

typedef struct checker {
    const sl_surge_model *m;
    sl_diags *diags;
    bool fine;
} checker;

static void wrong(checker *c, sl_code code, uint32_t line, const char *kind, const char *text, const char *hint) {
    sl_surge_add_diag(c->m, c->diags, SL_ERROR, code, line, kind, NULL, hint, "%s", text);
    c->fine = false;
}

static void need(checker *c, bool fine, uint32_t line, const char *kind, const char *text, const char *hint) {
    if (!fine) {
        wrong(c, SL_CODE_VALUE_RANGE, line, kind, text, hint);
    }
}

static bool within(int32_t i, int32_t first, int32_t end) {
    return i >= first && i < end;
}

static bool rises(const double *x, int32_t n) {
    for (int32_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || (i > 0 && !(x[i] > x[i - 1]))) {
            return false;
        }
    }
    return n > 0;
}

static bool finite_all(const double *x, int32_t first, int32_t n) {
    for (int32_t i = first; i < n; i++) {
        if (!isfinite(x[i])) {
            return false;
        }
    }
    return true;
}

static bool positive(double x) {
    return x > 0.0 && isfinite(x);
}

static void check_whole(checker *c) {
    const sl_surge_def *d = &c->m->def;
    need(c, d->start >= 0.0 && isfinite(d->start), 0, NULL, "the time to start from is below zero", NULL);
    need(c, d->duration >= 0.0 && isfinite(d->duration), 0, NULL, "the duration is below zero", NULL);
    need(c, d->report_step >= 0.0 && isfinite(d->report_step), 0, NULL, "the time between results is below zero", NULL);
    need(c, isnan(d->dt) || positive(d->dt), 0, NULL, "the time step is not above zero",
         "leave it out to have it found");
    need(c, d->distortion_max >= 0.0, 0, NULL, "the limit of wave-speed changes is below zero", NULL);
    need(c, d->reaches >= 0, 0, NULL, "the number of reaches is below zero", "leave it out to have it found");
    need(c, d->rigid_fraction >= 0.0 && d->rigid_fraction < 1e6, 0, NULL, "rigid_part is out of range", "use 0.5");
    need(c, d->gas_fraction > 0.0 && d->gas_fraction < 0.5, 0, NULL, "the gas fraction is not in (0, 0.5)", "use 1e-7");
    need(c, d->cavity_weight >= 0.5 && d->cavity_weight <= 1.0, 0, NULL, "the weight of cavities is not in 0.5 .. 1",
         "use 1");
    need(c, positive(d->filter_time), 0, NULL, "the filter's time is not above zero", "use 0.5 s");
    need(c, isnan(d->friction_k) || (d->friction_k >= 0.0 && d->friction_k <= 1.0), 0, NULL,
         "the coefficient of unsteady friction is not in 0 .. 1", "leave it out");
    need(c, positive(d->wave_speed), 0, NULL, "the wave speed is not above zero", NULL);
    for (int32_t k = 0; d->pipe_wave_speed && k < c->m->net->n_pipe; k++) {
        need(c, isnan(d->pipe_wave_speed[k]) || positive(d->pipe_wave_speed[k]), 0, "pipe",
             "a pipe's wave speed is not above zero", NULL);
    }
    need(c, within((int32_t)d->friction, 0, SL_SURGE_FRICTION_COUNT), 0, NULL, "no such friction model", NULL);
    need(c, within((int32_t)d->cavitation, 0, SL_SURGE_CAVITATION_COUNT), 0, NULL, "no such cavitation model", NULL);
}

static void check_things(checker *c) {
    const sl_surge_def *d = &c->m->def;
    const sl_network *net = c->m->net;
    for (int32_t i = 0; i < d->n_survey; i++) {
        const sl_surge_survey *v = &d->surveys[i];
        need(c, within(v->pipe, 0, net->n_pipe), v->line, "survey", "there is no such pipe", NULL);
        need(c, rises(v->chainage, v->n) && finite_all(v->elevation, 0, v->n), v->line, "survey",
             "its chainages do not rise", "give them in order along the pipe");
    }
    for (int32_t i = 0; i < d->n_valve; i++) {
        const sl_surge_valve *v = &d->valves[i];
        bool pump = within(v->link, net->n_pipe, net->n_pipe + net->n_pump);
        need(c, within(v->link, 0, net->n_link) && !pump, v->line, "valve", "it is neither a valve nor a pipe", NULL);
        need(c, isnan(v->opening) || (v->opening >= 0.0 && v->opening <= 1.0), v->line, "valve",
             "its opening is not in 0 .. 1", NULL);
        need(c, v->characteristic != SL_SURGE_TABLE || (rises(v->x, v->n) && finite_all(v->phi, 0, v->n)), v->line,
             "valve", "the openings of its curve do not rise", NULL);
        const double times[] = {v->opens_in, v->closes_in, v->lag};
        for (int k = 0; k < 3; k++) {
            need(c, isnan(times[k]) || (times[k] >= 0.0 && isfinite(times[k])), v->line, "valve",
                 "opens_in, closes_in and lag are 0 or more", "0 s: at once");
        }
        need(c, v->range > 1.0, v->line, "valve", "its range is not above 1", "use 30");
        need(c, isnan(v->k_open) || (v->k_open >= 0.0 && isfinite(v->k_open)), v->line, "valve",
             "its open loss coefficient is below zero", NULL);
    }
    for (int32_t i = 0; i < d->n_pump; i++) {
        const sl_surge_pump *v = &d->pumps[i];
        need(c, within(v->link, net->n_pipe, net->n_pipe + net->n_pump), v->line, "pump", "it is no pump", NULL);
        const double numbers[] = {v->rated_flow, v->rated_head, v->rated_speed, v->rated_efficiency, v->inertia};
        for (int k = 0; k < 5; k++) {
            need(c, isnan(numbers[k]) || positive(numbers[k]), v->line, "pump",
                 "rated flow, head, speed, efficiency and inertia are above zero", "leave out what is not known");
        }
        need(c, !(v->suter_head || v->suter_torque) || v->n_suter >= 3, v->line, "pump",
             "a table of its quadrants needs three points or more", NULL);
    }
    for (int32_t i = 0; i < d->n_outlet; i++) {
        const sl_surge_outlet *v = &d->outlets[i];
        bool at_node = within(v->node, 0, net->n_junction), at_pipe = v->node < 0 && within(v->pipe, 0, net->n_pipe);
        need(c, at_node || at_pipe, v->line, "outlet", "it is at no junction and no pipe", NULL);
        need(c, !at_pipe || (v->chainage >= 0.0 && v->chainage <= net->pipe_length[v->pipe]), v->line, "outlet",
             "its location is not on the pipe", NULL);
        need(c, isnan(v->coefficient) || (v->coefficient >= 0.0 && isfinite(v->coefficient)), v->line, "outlet",
             "its coefficient is below zero", NULL);
        need(c, v->exponent >= 0.1 && v->exponent <= 3.0, v->line, "outlet", "its exponent is not in 0.1 .. 3",
             "an orifice has 0.5");
        need(c, v->opening >= 0.0 && isfinite(v->opening), v->line, "outlet", "its opening is below zero", NULL);
    }
    for (int32_t i = 0; i < d->n_probe; i++) {
        const sl_surge_probe *v = &d->probes[i];
        bool on = within(v->pipe, 0, net->n_pipe);
        need(c, on && v->chainage >= 0.0 && v->chainage <= net->pipe_length[v->pipe], v->line, "probe",
             "its location is on no pipe", "give a chainage from 0 to the pipe's length");
        need(c, v->name && *v->name, v->line, "probe", "it has no name", NULL);
    }
}

/* Has the link a check valve, by the network or by the study? */
static bool is_checked(const sl_surge_model *m, int32_t link) {
    bool pump = within(link, m->net->n_pipe, m->net->n_pipe + m->net->n_pump), checked = pump;
    for (int32_t i = 0; i < m->def.n_pump; i++) {
        checked = m->def.pumps[i].link == link ? m->def.pumps[i].check_valve : checked;
    }
    return pump ? checked : within(link, 0, m->net->n_pipe) && m->net->pipe_check[link];
}

static void check_check_valves(checker *c) {
    for (int32_t i = 0; i < c->m->def.n_check_valve; i++) {
        const sl_surge_check_valve *v = &c->m->def.check_valves[i];
        bool fine = rises(v->deceleration, v->n) && finite_all(v->reverse, 0, v->n) && v->deceleration[0] >= 0.0;
        for (int32_t k = 0; k < v->n && fine; k++) {
            fine = v->reverse[k] >= 0.0;
        }
        need(c, is_checked(c->m, v->link), v->line, "check valve", "the link has no check valve",
             "write CV as the status of the pipe in the network, or `check_valve: true` of the pump");
        need(c, fine, v->line, "check valve", "its curve does not rise from 0, or runs forwards",
             "give pairs of deceleration and reverse velocity");
        need(c, isnan(v->bore) || positive(v->bore), v->line, "check valve", "its bore is not above zero", NULL);
    }
}

/* Which elements a quantity belongs to. */
static bool has_quantity(const sl_surge_model *m, const sl_surge_event *v) {
    const sl_network *net = m->net;
    bool pump = within(v->index, net->n_pipe, net->n_pipe + net->n_pump);
    switch (v->what) {
    case SL_SURGE_VALVE_OPENING: return within(v->index, 0, net->n_link) && !pump;
    case SL_SURGE_PUMP_SPEED:
    case SL_SURGE_PUMP_TRIP: return pump;
    case SL_SURGE_DEMAND_FACTOR:
    case SL_SURGE_DEMAND_FLOW: return within(v->index, 0, net->n_junction);
    case SL_SURGE_HEAD: return within(v->index, net->n_junction, net->n_node);
    case SL_SURGE_OUTLET_OPENING: return within(v->index, 0, m->def.n_outlet);
    default: return false;
    }
}

static void check_events(checker *c) {
    static const char *const needs[SL_SURGE_QUANTITY_COUNT] = {"an opening belongs to a valve or a pipe",
                                                               "a speed belongs to a pump",
                                                               "only a pump can trip",
                                                               "a demand belongs to a junction",
                                                               "a demand belongs to a junction",
                                                               "a head is given to reservoirs and tanks",
                                                               "there is no such outlet"};
    const sl_surge_def *d = &c->m->def;
    const sl_network *net = c->m->net;
    for (int32_t i = 0; i < d->n_trigger; i++) {
        const sl_surge_trigger *v = &d->triggers[i];
        bool node = v->watch == SL_SURGE_WATCH_PRESSURE || v->watch == SL_SURGE_WATCH_HEAD;
        bool pump = within(v->index, net->n_pipe, net->n_pipe + net->n_pump);
        need(c, within(v->index, 0, node ? net->n_node : net->n_link) && (v->watch != SL_SURGE_WATCH_SPEED || pump),
             v->line, "trigger", "what it watches does not exist", NULL);
        need(c, isfinite(v->threshold) && v->after >= 0.0, v->line, "trigger", "its threshold or time is no number",
             NULL);
    }
    for (int32_t i = 0; i < d->n_event; i++) {
        const sl_surge_event *v = &d->events[i];
        if (!within((int32_t)v->what, 0, SL_SURGE_QUANTITY_COUNT) || !has_quantity(c->m, v)) {
            bool known = within((int32_t)v->what, 0, SL_SURGE_QUANTITY_COUNT);
            wrong(c, SL_CODE_WRONG_KIND, v->line, "event", known ? needs[v->what] : "no such quantity", NULL);
            continue;
        }
        need(c, v->trigger >= -1 && v->trigger < d->n_trigger, v->line, "event", "there is no such trigger", NULL);
        need(c, v->start >= 0.0 && isfinite(v->start), v->line, "event", "its start is below zero",
             "times count from the start of the run");
        need(c, v->power > 0.0 && isfinite(v->power), v->line, "event", "its power is not above zero", NULL);
        need(c, v->what == SL_SURGE_PUMP_TRIP || (v->n > 0 && rises(v->t, v->n) && v->t[0] >= 0.0), v->line, "event",
             "its times do not rise from 0", NULL);
        need(c, v->what == SL_SURGE_PUMP_TRIP || v->n <= 0 || finite_all(v->x, 1, v->n), v->line, "event",
             "a value is no number", NULL);
        for (int32_t k = 0; k < v->n; k++) {
            bool low = v->what != SL_SURGE_HEAD && v->what != SL_SURGE_DEMAND_FLOW && v->x[k] < 0.0;
            bool high = v->what == SL_SURGE_VALVE_OPENING && v->x[k] > 1.0;
            need(c, !low && !high, v->line, "event", low ? "a value is below zero" : "an opening is above 1",
                 "openings are 0 .. 1");
        }
    }
}

bool sl_surge_check(const sl_surge_model *m, sl_diags *diags) {
    checker c = {m, diags, true};
    check_whole(&c);
    check_things(&c);
    check_check_valves(&c);
    check_events(&c);
    return c.fine;
}
