/* SPDX-License-Identifier: MIT */
/* accounts.c: pump energy and volumes of water, added up step by step. Observers: nothing here acts on the run.
 *
 * Power is rho g Q H with 1000 kg/m3 times the specific gravity and 9.81 m/s2; the theory page has the formulas. (EPANET's
 * rounded figure for horsepower makes its power 0.08 % less.)
 */
#include "eps/impl.h"

#include "laws/energy.h"
#include "numeric/curve.h"
#include "numeric/vecmath.h"

#include <math.h>
#include <string.h>

/* rho g of water [N/m3], and a flow below which a pump counts as idle (1e-6 ft3/s) [m3/s]. */
#define WEIGHT 9810.0
#define IDLE 2.83168e-8

double sl_eps_pump_power(const sl_eps *e, const sl_eps_state *s, int32_t pump, double *efficiency) {
    const sl_network *net = e->m->net;
    int32_t k = net->n_pipe + pump;
    *efficiency = 0.0;
    if (s->status[k] <= SL_STATUS_CLOSED) {
        return 0.0;
    }
    double q = fmax(fabs(s->flow[k]), IDLE), gain = fabs(s->head[net->link_to[k]] - s->head[net->link_from[k]]);
    double speed = s->setting[k], percent = net->energy.efficiency;
    int32_t c = net->pump_efficiency_curve[pump];
    if (c >= 0) {
        int32_t at = net->curve_start[c], n = net->curve_start[c + 1] - at;
        percent = sl_curve_value(net->curve_x + at, net->curve_y + at, n, q / speed, false);
        if (speed != 1.0) { /* Sarbu and Borza: part of the losses does not shrink with the speed */
            percent = 100.0 - (100.0 - percent) / pow(speed, 0.1);
        }
    }
    *efficiency = fmin(fmax(percent / 100.0, 0.01), 1.0);
    return WEIGHT * net->hydraulics.specific_gravity * q * gain / *efficiency;
}

static void add_energy(const sl_eps *e, sl_eps_state *s, double dt) {
    const sl_eps_state *power = &e->before;
    const sl_network *net = e->m->net;
    double together = 0.0;
    for (int32_t i = 0; i < net->n_pump; i++) {
        int32_t k = net->n_pipe + i;
        double efficiency, kw = sl_eps_pump_power(e, power, i, &efficiency) / 1000.0;
        if (efficiency == 0.0) {
            continue; /* off */
        }
        sl_eps_energy *x = &s->energy[i];
        together += kw;
        if (power->flow[k] > IDLE) { /* it pumps: EPANET counts every pump that is on */
            x->online += dt;
            x->efficiency += efficiency * dt;
            x->intensity += kw / power->flow[k] * dt;
        }
        x->kwh += kw * dt / 3600.0;
        x->peak = fmax(x->peak, kw);
        x->cost += kw * dt / 3600.0 * sl_energy_price(net, i, power->x->time);
    }
    s->x->peak_kw = fmax(s->x->peak_kw, together);
}

/* Net flow into a node that is no junction. */
static double net_inflow(const sl_eps *e, const sl_eps_state *s, int32_t node) {
    double q = 0.0;
    for (int32_t a = e->m->at_start[node]; a < e->m->at_start[node + 1]; a++) {
        int32_t k = e->m->at_link[a];
        q += e->m->net->link_to[k] == node ? s->flow[k] : -s->flow[k];
    }
    return q;
}

/* What junctions ask for and what they bring, in strands: the same bits whatever the width of vectors. */
enum { STRANDS = 8 };

typedef struct demands {
    double wanted[STRANDS], brought[STRANDS];
} demands;

SL_SIMD(void, add_demands, (int32_t n, const double *restrict demand, demands *restrict x), (n, demand, x)) {
    double out[STRANDS] = {0}, in[STRANDS] = {0};
    int32_t i = 0;
    for (; i + STRANDS <= n; i += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            double d = demand[i + l];
            out[l] += d > 0.0 ? d : 0.0;
            in[l] += d < 0.0 ? -d : 0.0;
        }
    }
    for (int l = 0; i < n; i++, l++) {
        double d = demand[i];
        out[l] += d > 0.0 ? d : 0.0;
        in[l] += d < 0.0 ? -d : 0.0;
    }
    memcpy(x->wanted, out, sizeof out);
    memcpy(x->brought, in, sizeof in);
}

/* What outlets of each kind let out, in the same strands. */
typedef struct outflows {
    double emitters[STRANDS], leaks[STRANDS], served[STRANDS];
} outflows;

static SL_INLINE void add_outlet(uint8_t kind, double q, double *emitters, double *leaks, double *served) {
    *emitters += kind == SL_OUTLET_EMITTER ? q : 0.0;
    *served += kind == SL_OUTLET_DEMAND ? q : 0.0;
    *leaks += kind != SL_OUTLET_EMITTER && kind != SL_OUTLET_DEMAND ? q : 0.0;
}

SL_SIMD(void, add_outlets, (int32_t n, const uint8_t *restrict kind, const double *restrict q, outflows *restrict x),
        (n, kind, q, x)) {
    double emitters[STRANDS] = {0}, leaks[STRANDS] = {0}, served[STRANDS] = {0};
    int32_t i = 0;
    for (; i + STRANDS <= n; i += STRANDS) {
#pragma omp simd
        for (int l = 0; l < STRANDS; l++) {
            add_outlet(kind[i + l], q[i + l], &emitters[l], &leaks[l], &served[l]);
        }
    }
    for (int l = 0; i < n; i++, l++) {
        add_outlet(kind[i], q[i], &emitters[l], &leaks[l], &served[l]);
    }
    memcpy(x->emitters, emitters, sizeof emitters);
    memcpy(x->leaks, leaks, sizeof leaks);
    memcpy(x->served, served, sizeof served);
}

static double sum_of(const double x[STRANDS]) {
    return (x[0] + x[1]) + (x[2] + x[3]) + ((x[4] + x[5]) + (x[6] + x[7]));
}

sl_eps_balance sl_eps_rates(const sl_eps *e, const sl_eps_state *flows) {
    const sl_network *net = e->m->net;
    bool pressure_driven = net->hydraulics.demand_model == SL_PDA;
    sl_eps_balance r = {0};
    demands all;
    add_demands(net->n_junction, flows->wanted, &all);
    double wanted = sum_of(all.wanted), unserved = 0.0, unused = 0.0;
    const uint8_t *cut = net->n_junction > 0 ? memchr(flows->cut_off, 1, (size_t)net->n_junction) : NULL;
    int32_t first = flows->unserved ? 0 : cut ? (int32_t)(cut - flows->cut_off) : net->n_junction;
    for (int32_t i = first; i < net->n_junction; i++) {
        unserved += sl_eps_unserved(flows, i);
        unused += fmax(-(flows->cut_off[i] ? flows->wanted[i] : flows->unserved ? flows->unserved[i] : 0.0), 0.0);
    }
    r.inflow = fmax(sum_of(all.brought) - unused, 0.0);
    r.consumption = pressure_driven ? 0.0 : fmax(wanted - unserved, 0.0); /* or counted among the outlets */
    outflows out;
    add_outlets(e->m->n_outlet, e->m->outlet_kind, flows->outlet_flow, &out);
    r.consumption += sum_of(out.served);
    r.emitter = sum_of(out.emitters);
    r.leak = sum_of(out.leaks);
    r.outflow = r.consumption + r.emitter + r.leak;
    for (int32_t i = net->n_junction; i < sl_first_tank(net); i++) {
        double q = net_inflow(e, flows, i);
        r.inflow += fmax(-q, 0.0);
        r.outflow += fmax(q, 0.0);
    }
    r.unserved = unserved;
    r.deficit = pressure_driven ? fmax(wanted - unserved - r.consumption, 0.0) : 0.0;
    return r;
}

void sl_eps_add_balance(sl_eps_balance *to, const sl_eps_balance *rate, double dt) {
    to->inflow += rate->inflow * dt;
    to->outflow += rate->outflow * dt;
    to->consumption += rate->consumption * dt;
    to->emitter += rate->emitter * dt;
    to->leak += rate->leak * dt;
    to->deficit += rate->deficit * dt;
    to->unserved += rate->unserved * dt;
}

void sl_eps_accounts(const sl_eps *e, sl_eps_state *s, double dt) {
    add_energy(e, s, dt);
    sl_eps_add_balance(&s->x->balance, &e->before.x->rate, dt);
}
