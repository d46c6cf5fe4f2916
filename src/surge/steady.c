/* SPDX-License-Identifier: MIT */
/* steady.c: the state a surge run starts from: the extended-period run of the same network, at the time asked for.
 *
 * The eps engine runs to that time and is looked at there. Its solution satisfies its equations to a tolerance; what is
 * left is settled in match.c, by laws that pass exactly through it. Here flows of closed links become exactly zero, the
 * demand of a junction exactly what its links deliver, and parts without a source stand still at the head of their
 * highest point.
 */
#include "surge/impl.h"

#include "eps/eps.h"
#include "eps/fields.h"
#include "laws/valve.h"
#include "network/network_impl.h"

#include <math.h>
#include <string.h>

/* Runs to the time asked for; diagnostics of the way there are the user's business only when it fails. */
static sl_status run_to(void *eps, double t, sl_diags *diags) {
    sl_status status = sl_eps_ops.refresh(eps, diags);
    sl_engine_step step;
    while (status == SL_OK && sl_eps_ops.time(eps) < t) {
        double before = sl_eps_ops.time(eps);
        status = sl_eps_ops.step(eps, diags, &step);
        if (status == SL_OK && step.finished && sl_eps_ops.time(eps) < t && sl_eps_ops.time(eps) <= before) {
            return SL_ERR_SOLVE;
        }
    }
    return status == SL_OK ? sl_eps_ops.show(eps, t, diags) : status;
}

static bool copy_field(const void *eps, int32_t field, double *to) {
    const double *from = sl_eps_ops.data(eps, field);
    int32_t n = sl_eps_ops.count(eps, field);
    if (from && n > 0) {
        memcpy(to, from, (size_t)n * sizeof *to);
    }
    return from || n == 0;
}

static sl_status take(sl_surge_model *m, const void *eps, sl_surge_steady *s, uint8_t *cut) {
    const sl_network *net = m->net;
    const double *status = sl_eps_ops.data(eps, SL_EPS_STATUS), *off = sl_eps_ops.data(eps, SL_EPS_CUT_OFF);
    const double *setting = sl_eps_ops.data(eps, SL_EPS_SETTING);
    if (!copy_field(eps, SL_EPS_HEAD, s->head) || !copy_field(eps, SL_EPS_EMITTER, s->emitter) ||
        !copy_field(eps, SL_EPS_LEAK, s->leak) || !copy_field(eps, SL_EPS_FLOW, s->flow) ||
        !copy_field(eps, SL_EPS_SPEED, s->speed + net->n_pipe) || !status || !off || !setting) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        cut[i] = off[i] != 0.0;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        bool pump = k >= net->n_pipe && k < net->n_pipe + net->n_pump;
        bool check = (k < net->n_pipe && net->pipe_check[k]) || pump;
        s->closed[k] = status[k] <= SL_STATUS_CLOSED;
        s->held_shut[k] = s->closed[k] && check && status[k] < SL_STATUS_CLOSED && (!pump || s->speed[k] > 0.0);
        s->setting[k] = setting[k];
        s->acts[k] = status[k] == SL_STATUS_ACTIVE;
        bool breaker = k >= net->n_pipe + net->n_pump && net->valve_kind[k - net->n_pipe - net->n_pump] == SL_PBV;
        /* A breaker that holds water back does so by a law with a little flow. */
        if (s->closed[k] || (breaker && s->flow[k] <= 0.0 && -s->flow[k] <= sl_valve_dead_band(setting[k]))) {
            s->flow[k] = 0.0;
        }
    }
    return SL_OK;
}

static int32_t root_of(int32_t *parent, int32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

/* Junctions without a way to a source: they show their elevation; at rest they have one head in common. */
static sl_status settle_parts(sl_surge_model *m, sl_surge_steady *s, const uint8_t *cut) {
    const sl_network *net = m->net;
    size_t bytes = (size_t)net->n_node * sizeof(int32_t);
    int32_t *parent = sl_alloc(m->ctx, bytes);
    if (!parent) {
        return SL_ERR_MEMORY;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        parent[i] = i;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t a = net->link_from[k], b = net->link_to[k];
        if (cut[a] || cut[b]) {
            s->flow[k] = 0.0;
            if (cut[a] && cut[b] && !s->closed[k]) {
                parent[root_of(parent, a)] = root_of(parent, b);
            }
        }
    }
    for (int pass = 0; pass < 2; pass++) {
        for (int32_t i = 0; i < net->n_node; i++) {
            int32_t root = root_of(parent, i);
            if (cut[i] && pass == 0) {
                s->head[root] = fmax(s->head[root], net->node_elevation[i]);
            } else if (cut[i]) {
                s->head[i] = s->head[root];
                s->emitter[i] = s->leak[i] = 0.0;
            }
        }
    }
    sl_free(m->ctx, parent, bytes);
    return SL_OK;
}

static void balance_demands(const sl_network *net, sl_surge_steady *s) {
    memset(s->demand, 0, (size_t)net->n_node * sizeof *s->demand);
    for (int32_t k = 0; k < net->n_link; k++) {
        s->demand[net->link_from[k]] -= s->flow[k];
        s->demand[net->link_to[k]] += s->flow[k];
    }
}

static sl_status solve(sl_surge_model *m, const sl_network *tight, sl_diags *diags, sl_surge_steady *s, uint8_t *cut) {
    sl_eps_def def = sl_eps_default();
    def.hydraulics_only = true;
    def.duration = fmax(m->net->times.duration, m->def.start);
    sl_eps_model *model = NULL;
    void *eps = NULL;
    sl_diags *own = NULL; /* the run to the start has its own messages; they matter when it fails */
    sl_status status = sl_diags_create(m->ctx, &own);
    status = status == SL_OK ? sl_eps_model_create(m->ctx, tight, &def, own, &model) : status;
    status = status == SL_OK ? sl_eps_ops.create(m->ctx, model, own, &eps) : status;
    status = status == SL_OK ? run_to(eps, m->def.start, own) : status;
    status = status == SL_OK ? take(m, eps, s, cut) : status;
    if (status != SL_OK && status != SL_ERR_MEMORY) {
        for (int32_t i = 0; i < sl_diags_size(own); i++) {
            if (sl_diags_at(own, i)->severity == SL_ERROR) {
                sl_diags_add(diags, sl_diags_at(own, i));
            }
        }
        sl_surge_add_diag(m, diags, SL_ERROR, SL_CODE_STEP_FAILED, 0, NULL, NULL,
                          "run the network by itself, and start from a time at which it works",
                          "there is no steady state to start from at %g s", m->def.start);
    }
    if (eps) {
        sl_eps_ops.destroy(eps);
    }
    sl_eps_model_destroy(model);
    sl_diags_destroy(own);
    return status;
}

sl_status sl_surge_steady_find(sl_surge_model *m, sl_diags *diags, sl_surge_steady *s) {
    const sl_network *net = m->net;
    bool bad = false;
    double **of_nodes[] = {&s->head, &s->demand, &s->emitter, &s->leak};
    for (int i = 0; i < 4; i++) {
        *of_nodes[i] = sl_surge_alloc(m, net->n_node, sizeof(double), &bad);
    }
    s->flow = sl_surge_alloc(m, net->n_link, sizeof(double), &bad);
    s->speed = sl_surge_alloc(m, net->n_link, sizeof(double), &bad);
    s->setting = sl_surge_alloc(m, net->n_link, sizeof(double), &bad);
    s->acts = sl_surge_alloc(m, net->n_link, 1, &bad);
    s->closed = sl_surge_alloc(m, net->n_link, 1, &bad);
    s->held_shut = sl_surge_alloc(m, net->n_link, 1, &bad);
    uint8_t *cut = sl_surge_alloc(m, net->n_node, 1, &bad);
    if (bad) {
        return SL_ERR_MEMORY;
    }
    /* The same network, solved more finely than its file asks for. */
    sl_network_impl tight = sl_network_borrow(net);
    tight.pub.hydraulics.accuracy = fmin(net->hydraulics.accuracy, 1e-10);
    tight.pub.hydraulics.trials = net->hydraulics.trials > 200 ? net->hydraulics.trials : 200;
    sl_status status = solve(m, &tight.pub, diags, s, cut);
    if (status == SL_OK) {
        status = settle_parts(m, s, cut);
    }
    if (status == SL_OK) {
        balance_demands(net, s);
    }
    return status;
}
