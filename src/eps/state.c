/* SPDX-License-Identifier: MIT */
/* state.c: the layout of a run's state: one block, arrays at offsets that depend on the model only. */
#include "eps/impl.h"

#include <math.h>
#include <string.h>

/* Lays out one array after the other; with a NULL block it only measures. */
typedef struct layout {
    unsigned char *block;
    size_t at;
} layout;

static void *layout_array(layout *l, int64_t n, size_t size) {
    size_t at = l->at;
    l->at += ((size_t)n * size + 7) / 8 * 8;
    return l->block ? l->block + at : NULL;
}

static size_t lay_out(const sl_eps_model *m, sl_eps_state *s, unsigned char *block) {
    const sl_network *net = m->net;
    layout l = {.block = block};
    s->block = block;
    s->x = layout_array(&l, 1, sizeof *s->x);
    s->flow = layout_array(&l, net->n_link, sizeof(double));
    s->head = layout_array(&l, net->n_node, sizeof(double));
    s->setting = layout_array(&l, net->n_pump + net->n_valve, sizeof(double));
    if (block) {
        s->setting -= net->n_pipe; /* pipes have none: still within the block, behind the flows */
    }
    s->outlet_flow = layout_array(&l, m->n_outlet, sizeof(double));
    s->wanted = layout_array(&l, net->n_junction, sizeof(double));
    s->unserved = m->limits_supply ? layout_array(&l, net->n_junction, sizeof(double)) : NULL;
    s->volume = layout_array(&l, net->n_tank, sizeof(double));
    s->inflow = layout_array(&l, net->n_tank, sizeof(double));
    s->mean_inflow = layout_array(&l, net->n_tank, sizeof(double));
    s->overflow = layout_array(&l, net->n_tank, sizeof(double));
    s->rate = layout_array(&l, net->n_tank, sizeof(double));
    s->arrived = layout_array(&l, 2 * (int64_t)net->n_tank, sizeof(double));
    s->energy = layout_array(&l, net->n_pump, sizeof *s->energy);
    s->status = layout_array(&l, net->n_link, 1);
    s->cut_off = layout_array(&l, net->n_junction, 1);
    s->stiff = layout_array(&l, net->n_tank, 1);
    s->limit = layout_array(&l, net->n_tank, 1);
    s->ran_empty = layout_array(&l, net->n_tank, 1);
    s->quick = layout_array(&l, net->n_tank, 1);
    s->held = layout_array(&l, net->n_tank, 1);
    s->reported = layout_array(&l, net->n_link, 1);
    return l.at;
}

size_t sl_eps_state_bytes(const sl_eps_model *m) {
    sl_eps_state s;
    return lay_out(m, &s, NULL);
}

void sl_eps_state_bind(const sl_eps_model *m, sl_eps_state *s, void *block) {
    lay_out(m, s, block);
}

/* ---- Bytes from outside ------------------------------------------------------------------------- */

static bool are_below(const uint8_t *x, int32_t n, uint8_t limit) {
    bool good = true;
    for (int32_t i = 0; i < n; i++) {
        good &= x[i] < limit;
    }
    return good;
}

static bool are_past(const double *t, int32_t n, double now) {
    bool good = true;
    for (int32_t i = 0; i < n; i++) {
        good &= t[i] <= now;
    }
    return good;
}

/* A bool must be 0 or 1 before it is one. */
static bool is_truth(const void *x) {
    unsigned char byte;
    memcpy(&byte, x, 1);
    return byte <= 1;
}

static bool is_count(int64_t n) {
    return n >= 0 && n < INT64_C(1) << 60;
}

static bool facts_are_consistent(const sl_eps_model *m, const sl_eps_solve_facts *f) {
    int32_t n_link = m->net->n_link, lowest = -1 - m->net->n_node; /* -2 less the node of an outlet */
    return is_truth(&f->balanced) && is_count(f->trials) && f->worst_link >= lowest && f->worst_link < n_link &&
           f->worst_node >= -1 && f->worst_node < m->net->n_node && f->chatters >= -1 && f->chatters < n_link &&
           f->method >= 0 && f->method <= SL_EPS_METHODS;
}

static bool scalars_are_consistent(const sl_eps_model *m, const sl_eps_scalars *x) {
    return x->time >= 0.0 && isfinite(x->time) && isfinite(x->rule_time) && is_count(x->n_step) &&
           is_count(x->n_trial) && is_count(x->n_unbalanced) && is_truth(&x->negative_reported) &&
           is_truth(&x->rounding_reported) && is_truth(&x->halted) && is_truth(&x->substepped) &&
           facts_are_consistent(m, &x->facts);
}

/* Statuses that there are, each of a kind of link that can have it. */
static bool statuses_are_consistent(const sl_network *net, const uint8_t *status) {
    bool good = are_below(status, net->n_link, SL_STATUS_XPRESSURE + 1);
    for (int32_t k = 0; k < net->n_link; k++) {
        bool of_pumps = status[k] == SL_STATUS_XHEAD || status[k] == SL_STATUS_XFLOW;
        bool of_valves =
            status[k] == SL_STATUS_ACTIVE || status[k] == SL_STATUS_XFCV || status[k] == SL_STATUS_XPRESSURE;
        good &= (!of_pumps || sl_is_pump(net, k)) && (!of_valves || sl_is_valve(net, k));
    }
    return good;
}

bool sl_eps_state_is_consistent(const sl_eps_model *m, void *block) {
    const sl_network *net = m->net;
    sl_eps_state s;
    lay_out(m, &s, block);
    return scalars_are_consistent(m, s.x) && statuses_are_consistent(net, s.status) &&
           are_below(s.cut_off, net->n_junction, 2) && are_below(s.stiff, net->n_tank, 2) &&
           are_below(s.limit, net->n_tank, 4) && are_below(s.ran_empty, net->n_tank, 2) &&
           are_below(s.held, net->n_tank, 2) && are_below(s.quick, net->n_tank, SL_EPS_QUICK_MAX + 1) &&
           are_past(s.arrived, 2 * net->n_tank, s.x->time);
}
