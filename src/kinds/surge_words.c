/* SPDX-License-Identifier: MIT */
/* surge_words.c: events, triggers and devices of a surge study in words. Values are in the units of the network. */
#include "kinds/surge_explain.h"

#include <math.h>

#include "network/words.h"

enum { PART_MAX = 200 };

static bool acts_on_link(const sl_surge_event *e) {
    return e->what == SL_SURGE_VALVE_OPENING || e->what == SL_SURGE_PUMP_SPEED || e->what == SL_SURGE_PUMP_TRIP;
}

/* The node at which an outlet is; -1: within a pipe. */
static int32_t node_of(const sl_surge_page *p, const sl_surge_event *e) {
    return e->what == SL_SURGE_OUTLET_OPENING ? p->def->outlets[e->index].node : acts_on_link(e) ? -1 : e->index;
}

static int32_t link_of(const sl_surge_page *p, const sl_surge_event *e) {
    return acts_on_link(e)                                                            ? e->index
           : e->what == SL_SURGE_OUTLET_OPENING && p->def->outlets[e->index].node < 0 ? p->def->outlets[e->index].pipe
                                                                                      : -1;
}

static const char *id_of(const sl_surge_page *p, const sl_surge_event *e) {
    const char *name = e->what == SL_SURGE_OUTLET_OPENING ? p->def->outlets[e->index].name : NULL;
    int32_t node = node_of(p, e), link = link_of(p, e);
    return name        ? name
           : node >= 0 ? sl_network_node_id(p->net, node)
           : link >= 0 ? sl_network_link_id(p->net, link)
                       : "";
}

/* "when the pressure of J1 rises to 30 m, and stays so for 0.5 s: 1 s later" */
static void put_start(const sl_surge_page *p, const sl_surge_event *e, char buf[PART_MAX]) {
    static const char *const watched[] = {"pressure", "head", "flow", "speed"};
    if (e->trigger < 0) {
        (void)sl_format(buf, PART_MAX, "from %.9g s on", e->start);
        return;
    }
    const sl_surge_trigger *t = &p->def->triggers[e->trigger];
    bool node = t->watch <= SL_SURGE_WATCH_HEAD;
    sl_display_unit unit = t->watch == SL_SURGE_WATCH_PRESSURE ? p->shown.pressure
                           : t->watch == SL_SURGE_WATCH_HEAD   ? p->shown.length
                           : t->watch == SL_SURGE_WATCH_FLOW   ? p->shown.flow
                                                               : (sl_display_unit){1.0, ""};
    (void)sl_format(buf, PART_MAX, "%.9g s after the %s of %.60s has been %.7g %s or %s for %.9g s", e->start,
                    watched[t->watch],
                    node ? sl_network_node_id(p->net, t->index) : sl_network_link_id(p->net, t->index),
                    t->threshold / unit.factor, unit.name, t->above ? "more" : "less", t->after);
}

/* What follows the points, and their last one. */
static void put_event(sl_surge_page *p, const sl_surge_event *e) {
    static const char *const whats[SL_SURGE_QUANTITY_COUNT] = {[SL_SURGE_VALVE_OPENING] = "opening",
                                                               [SL_SURGE_PUMP_SPEED] = "speed",
                                                               [SL_SURGE_PUMP_TRIP] = "the power fails",
                                                               [SL_SURGE_DEMAND_FACTOR] =
                                                                   "demand, times that of the start,",
                                                               [SL_SURGE_DEMAND_FLOW] = "demand",
                                                               [SL_SURGE_HEAD] = "head",
                                                               [SL_SURGE_OUTLET_OPENING] = "opening of the outlet"};
    char start[PART_MAX];
    sl_display_unit unit = e->what == SL_SURGE_DEMAND_FLOW ? p->shown.flow
                           : e->what == SL_SURGE_HEAD      ? p->shown.length
                                                           : (sl_display_unit){1.0, ""};
    put_start(p, e, start);
    if (e->what == SL_SURGE_PUMP_TRIP || e->n == 0) {
        sl_sheet_item_words(&p->page, id_of(p, e), "%s %s", whats[e->what], start);
    } else {
        sl_sheet_item_words(&p->page, id_of(p, e), "%s goes to %.7g%s%s within %.9g s, %s", whats[e->what],
                            e->x[e->n - 1] / unit.factor, unit.name[0] ? " " : "", unit.name, e->t[e->n - 1], start);
    }
}

int32_t sl_explain_events(sl_surge_page *p, int32_t node, int32_t link) {
    int32_t n = 0;
    for (int32_t i = 0; i < p->def->n_event; i++) {
        const sl_surge_event *e = &p->def->events[i];
        bool all = node < 0 && link < 0;
        if (all || (node >= 0 && node_of(p, e) == node) || (link >= 0 && link_of(p, e) == link)) {
            if (n++ == 0) {
                sl_sheet_list(&p->page, "list");
            }
            put_event(p, e);
        }
    }
    if (n > 0) {
        sl_sheet_list_end(&p->page);
    } else {
        sl_sheet_words(&p->page, "none", "none", "%s", node < 0 && link < 0 ? "nothing happens" : "none acts on it");
    }
    return n;
}

static void put_outlet(sl_surge_page *p, const sl_surge_outlet *o) {
    char where[PART_MAX] = "";
    if (o->node < 0) {
        (void)sl_format(where, sizeof where, " %.7g %s from the first node", o->chainage / p->shown.length.factor,
                        p->shown.length.name);
    }
    sl_sheet_item_words(&p->page, o->name ? o->name : "outlet",
                        "outlet%s: q = opening c (H - back)^%.4g, c = %.6g (SI), back %s, opening %.4g at the start%s",
                        where, o->exponent, o->coefficient, isnan(o->back) ? "the elevation" : "a given head",
                        o->opening, o->backflow ? ", water may come in" : "");
}

void sl_explain_devices(sl_surge_page *p, int32_t node, int32_t pipe) {
    const sl_surge_def *d = p->def;
    int32_t n = 0;
    sl_sheet_section(&p->page, "devices", "Devices");
    sl_sheet_list(&p->page, "list");
    for (int32_t i = 0; i < d->n_outlet; i++) {
        const sl_surge_outlet *o = &d->outlets[i];
        if ((node >= 0 && o->node == node) || (pipe >= 0 && o->node < 0 && o->pipe == pipe)) {
            put_outlet(p, o);
            n++;
        }
    }
    for (int32_t i = 0; pipe >= 0 && i < d->n_probe; i++) {
        if (d->probes[i].pipe == pipe) {
            sl_sheet_item_words(&p->page, d->probes[i].name, "probe at %.7g %s from the first node",
                                d->probes[i].chainage / p->shown.length.factor, p->shown.length.name);
            n++;
        }
    }
    for (int32_t i = 0; pipe >= 0 && i < d->n_survey; i++) {
        if (d->surveys[i].pipe == pipe) {
            sl_sheet_item_words(&p->page, "survey", "elevations at %d locations", (int)d->surveys[i].n);
            n++;
        }
    }
    for (int32_t k = p->net->n_pipe; node >= 0 && k < p->net->n_link; k++) {
        if (p->net->link_from[k] == node || p->net->link_to[k] == node) {
            sl_sheet_item_words(&p->page, sl_network_link_id(p->net, k), "%s",
                                sl_link_kind_words[sl_network_link_kind(p->net, k)]);
            n++;
        }
    }
    sl_sheet_list_end(&p->page);
    if (n == 0) {
        sl_sheet_words(&p->page, "none", "none", "only pipes and demand");
    }
}
