/* SPDX-License-Identifier: MIT */
/* valves.c: the loss of a valve, or of a pipe with a shut-off, against its opening x in 0..1:
 *
 *     K(x) = K0 + k_open (1/phi(x)^2 - 1/phi(x0)^2)
 *
 * K0 is that of the steady start, which so holds exactly. phi is the characteristic of the study; a position control valve has its
 * opening and its curve from the network. A general purpose valve loses by its curve, times a factor that meets the start; its opening
 * adds to that. Units: K of velocity heads on the valve's bore, k = K/(2 g A^2) [s2/m5].
 */
#include "surge/regulators.h"

#include "laws/constants.h"
#include "laws/valve.h"
#include "numeric/lookup.h"

#include <math.h>

/* Least loss coefficient fully open: a valve without one could not shut. */
#define LEAST_OPEN 0.2

/* ---- Characteristics ---------------------------------------------------------------------------- */

double sl_surge_phi(const sl_surge_curve *c, double x) {
    x = fmin(fmax(x, 0.0), 1.0);
    switch (c->kind) {
    case SL_SURGE_EQUAL_PERCENTAGE:
        return x <= 0.0 ? 0.0 : c->to_zero ? (pow(c->range, x) - 1.0) / (c->range - 1.0) : pow(c->range, x - 1.0);
    case SL_SURGE_QUICK_OPENING: return sqrt(x);
    case SL_SURGE_TABLE:
        return sl_table_value(&(sl_lookup_table){.n = c->n, .x = c->x, .y = c->phi, .beyond = SL_TABLE_CONSTANT}, x);
    case SL_SURGE_LINEAR:
    default: return x;
    }
}

double sl_surge_phi_inverse(const sl_surge_curve *c, double phi) {
    switch (c->kind) {
    case SL_SURGE_LINEAR: return phi;
    case SL_SURGE_QUICK_OPENING: return phi * phi;
    default: break;
    }
    double low = 0.0, high = 1.0;
    for (int n = 0; n < 60; n++) {
        double x = 0.5 * (low + high);
        *(sl_surge_phi(c, x) < phi ? &low : &high) = x;
    }
    return 0.5 * (low + high);
}

/* That of a position control valve, led on to (0, 0) and (1, 1) as in its steady law; without a curve it is linear. */
static bool position_curve(sl_surge_model *m, sl_surge_joint *j, int32_t valve) {
    const sl_network *net = m->net;
    int32_t c = net->valve_curve[valve];
    if (c < 0) {
        return true;
    }
    int32_t first = net->curve_start[c], n = net->curve_start[c + 1] - first, k = 0;
    bool bad = false;
    double *x = sl_surge_alloc(m, (int64_t)n + 2, sizeof *x, &bad);
    double *phi = sl_surge_alloc(m, (int64_t)n + 2, sizeof *phi, &bad);
    if (bad) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) { /* x[0] = phi[0] = 0 */
        k += net->curve_x[first + i] > 0.0;
        x[k] = net->curve_x[first + i] / 100.0;
        phi[k] = net->curve_y[first + i] / 100.0;
    }
    if (x[k] < 1.0) {
        x[++k] = 1.0;
        phi[k] = 1.0;
    }
    j->curve = (sl_surge_curve){.kind = SL_SURGE_TABLE, .range = 1.0, .x = x, .phi = phi, .n = k + 1};
    return true;
}

/* ---- Matching ----------------------------------------------------------------------------------- */

const sl_surge_valve *sl_surge_valve_record(const sl_surge_model *m, int32_t link) {
    const sl_surge_valve *record = NULL;
    for (int32_t i = 0; i < m->def.n_valve; i++) {
        record = m->def.valves[i].link == link ? &m->def.valves[i] : record;
    }
    return record;
}

/* The curve of losses through the start: its loss there. */
static double match_curve(sl_surge_model *m, sl_surge_joint *j, double drop, bool flows) {
    double h, unused;
    sl_valve_loss(m->net, j->loss_curve, 0.0, (double)NAN, j->flow, SL_FLAT, &h, &unused);
    double factor = flows && h != 0.0 ? drop / h : 0.0;
    j->curve_factor = factor > 0.5 && factor < 2.0 ? factor : 1.0;
    return j->curve_factor * h;
}

/* Its characteristic, and its opening at the start. */
static bool match_opening(sl_surge_model *m, sl_surge_joint *j, int kind, const sl_surge_valve *record, bool shut,
                          const sl_surge_steady *s) {
    int32_t valve = j->link - m->net->n_pipe - m->net->n_pump;
    double setting = s->setting[j->link];
    bool placed = kind == SL_PCV && !isnan(setting);
    j->curve = (sl_surge_curve){record->characteristic, record->range, record->x, record->phi, record->n, false};
    if (kind == SL_PCV && record->characteristic == SL_SURGE_LINEAR && !position_curve(m, j, valve)) {
        return false;
    }
    j->opening = !isnan(record->opening) ? record->opening : shut ? 0.0 : placed ? fmin(setting / 100.0, 1.0) : 1.0;
    if (!shut && !(sl_surge_phi(&j->curve, j->opening) > 0.0)) { /* something passes: what there is counts as open */
        j->opening = isnan(record->opening) ? 1.0 : j->opening;
    }
    return true;
}

bool sl_surge_valve_match(sl_surge_model *m, sl_surge_joint *j, const sl_surge_steady *s) {
    const sl_network *net = m->net;
    const sl_surge_valve plain = sl_surge_valve_default(), *found = sl_surge_valve_record(m, j->link),
                         *record = found ? found : &plain;
    bool pipe = j->link < net->n_pipe;
    int32_t valve = pipe ? -1 : j->link - net->n_pipe - net->n_pump;
    int kind = pipe ? SL_TCV : net->valve_kind[valve];
    double bore = pipe ? net->pipe_diameter[j->link] : net->valve_diameter[valve];
    double q = j->flow, drop = m->start_head[j->from] - m->start_head[j->to];
    bool shut = (s->closed[j->link] && (!s->held_shut[j->link] || drop > 0.0)) ||
                (kind == SL_PBV && s->acts[j->link] && q == 0.0 && drop >= 0.0); /* it holds its water back */
    j->k_unit = sl_minor_loss(1.0, bore);
    j->linear = SL_OPEN_VALVE;
    j->opens_in = isnan(record->opens_in) ? 0.0 : record->opens_in;
    j->closes_in = isnan(record->closes_in) ? 0.0 : record->closes_in;
    j->loss_curve = kind == SL_GPV && net->valve_curve[valve] >= 0 ? valve : -1;
    if (!match_opening(m, j, kind, record, shut, s)) {
        return false;
    }
    double phi = sl_surge_phi(&j->curve, j->opening), minor = pipe ? 0.0 : net->valve_minor[valve];
    bool flows = fabs(q) > SL_SURGE_VELOCITY_SMALL * SL_PI * bore * bore / 4.0;
    double curve = j->loss_curve >= 0 ? match_curve(m, j, drop - j->linear * q, flows) : 0.0;
    j->k0 = j->loss_curve >= 0                     ? 0.0
            : flows && drop * q > 0.0 && !j->rigid ? fmax(drop / (q * fabs(q)) - j->linear / fabs(q), 0.0)
                                                   : minor * j->k_unit;
    j->inverse0 = phi > 0.0 ? 1.0 / (phi * phi) : 1.0;
    double open = kind == SL_PCV && minor > 0.0 ? minor : j->k0 / j->k_unit / j->inverse0;
    j->k_open = isnan(record->k_open) ? fmax(open, LEAST_OPEN) : record->k_open;
    if (shut) { /* what it loses once it opens: all of its open loss */
        j->k0 = j->k_open * j->k_unit;
    }
    if (j->rigid) {
        j->linear = 0.0;
    } else if (!shut && !s->held_shut[j->link]) {
        j->loss.offset = drop - (j->linear * q + j->k0 * q * fabs(q) + curve);
        sl_surge_note_residual(m, flows ? 0.0 : j->loss.offset);
    }
    if (!pipe) {
        sl_regulator_match(m, j, record, s);
    }
    return true;
}
