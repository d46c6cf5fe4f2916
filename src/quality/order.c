/* order.c: the order in which a quality step meets the nodes.
 *
 * A node's turn comes when all that flows to it has arrived, so that water runs through any number of short pipes within
 * one step. Reservoirs give first and take last: what they give does not depend on what they take. Where water goes round
 * in a circle (only pumps can do that), the link of the circle that holds most is taken to bring what it holds.
 * The order depends on the directions of flow only: it is made anew when one of them changes.
 */
#include "quality/impl.h"

#include <math.h>
#include <string.h>

/* Flows below this are the solver's rounding [m3/s]. */
#define NOTHING 1e-12

static int32_t up_of(const sl_quality *q, int32_t k) {
    const sl_network *net = q->m->net;
    return q->order.direction[k] > 0 ? net->link_from[k] : net->link_to[k];
}

static int32_t down_of(const sl_quality *q, int32_t k) {
    const sl_network *net = q->m->net;
    return q->order.direction[k] > 0 ? net->link_to[k] : net->link_from[k];
}

static bool is_reservoir(const sl_network *net, int32_t node) {
    return node >= net->n_junction && node < net->n_junction + net->n_reservoir;
}

/* A link into a node: 1, out of it: -1, neither: 0. */
static int side_of(const sl_quality *q, int32_t k, int32_t node) {
    int d = q->order.direction[k]; /* NOLINT(bugprone-signed-char-misuse,cert-str34-c): a number, no character */
    return q->m->net->link_to[k] == node ? d : -d;
}

typedef struct making {
    sl_quality *q;
    int32_t n_pass, n_queue;
} making;

static void add_stop(making *w, int32_t node, bool take, bool give) {
    sl_order *o = &w->q->order;
    const sl_quality_model *m = w->q->m;
    sl_stop *p = &o->stop[o->n_stop++];
    *p = (sl_stop){.node = node, .first = w->n_pass};
    for (int side = 1; side >= -1; side -= 2) {
        if (side > 0 ? !take : !give) {
            continue;
        }
        for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
            int32_t k = m->at_link[a];
            if (side_of(w->q, k, node) == side) {
                o->pass[w->n_pass++] = (sl_pass){.row = k, .front = m->net->link_from[k] == node};
                *(side > 0 ? &p->n_in : &p->n_out) += 1;
            }
        }
    }
}

static void arrived(making *w, int32_t node) {
    sl_order *o = &w->q->order;
    if (--o->waits[node] == 0) {
        o->queue[w->n_queue++] = node;
    }
}

/* Tells the nodes downstream that what this one gives is there. */
static void give(making *w, int32_t node) {
    const sl_quality_model *m = w->q->m;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        int32_t k = m->at_link[a];
        if (side_of(w->q, k, node) < 0 && !w->q->order.cut[k]) {
            arrived(w, down_of(w->q, k));
        }
    }
}

/* A link that this node still waits for. */
static int32_t missing(const sl_quality *q, int32_t node) {
    const sl_quality_model *m = q->m;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        int32_t k = m->at_link[a], up = up_of(q, k);
        if (side_of(q, k, node) > 0 && !q->order.cut[k] && !is_reservoir(m->net, up) && q->order.waits[up] > 0) {
            return k;
        }
    }
    return -1;
}

/* Upstream from a node that waits until a node is met twice: a circle. Cuts its link of largest volume. */
static void cut_circle(making *w, int32_t node, int32_t walk) {
    sl_order *o = &w->q->order;
    while (o->seen[node] != walk) {
        o->seen[node] = walk;
        node = up_of(w->q, missing(w->q, node));
    }
    int32_t first = node, best = -1;
    do {
        int32_t k = missing(w->q, node);
        best = best < 0 || w->q->space[k] > w->q->space[best] ? k : best;
        node = up_of(w->q, k);
    } while (node != first);
    o->cut[best] = 1;
    arrived(w, down_of(w->q, best));
}

static void make(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_order *o = &q->order;
    making w = {.q = q};
    o->n_stop = 0;
    memset(o->cut, 0, (size_t)net->n_link);
    memset(o->waits, 0, (size_t)net->n_node * sizeof *o->waits);
    memset(o->seen, 0, (size_t)net->n_node * sizeof *o->seen);
    for (int32_t k = 0; k < net->n_link; k++) {
        if (o->direction[k]) {
            o->waits[down_of(q, k)]++;
        }
    }
    for (int32_t i = net->n_junction; i < net->n_junction + net->n_reservoir; i++) {
        o->waits[i]++; /* its own: it takes last */
        add_stop(&w, i, false, true);
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        if (o->waits[i] == 0) {
            o->queue[w.n_queue++] = i;
        }
    }
    for (int32_t i = net->n_junction; i < net->n_junction + net->n_reservoir; i++) {
        give(&w, i);
    }
    int32_t walk = 0, waiting = 0;
    for (int32_t done = 0; done < net->n_node - net->n_reservoir; done++) {
        while (done == w.n_queue) {
            while (o->waits[waiting] == 0 || is_reservoir(net, waiting)) {
                waiting++;
            }
            cut_circle(&w, waiting, ++walk);
        }
        int32_t node = o->queue[done];
        add_stop(&w, node, true, true);
        give(&w, node);
    }
    for (int32_t i = net->n_junction; i < net->n_junction + net->n_reservoir; i++) {
        add_stop(&w, i, true, false);
        o->n_stop -= o->stop[o->n_stop - 1].n_in == 0;
    }
}

/* The step's flows along the order. */
static void carry(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_order *o = &q->order;
    for (int32_t i = 0; i < o->n_stop; i++) {
        sl_stop *p = &o->stop[i];
        p->outflow = p->node < net->n_junction ? q->outflow[p->node] : 0.0;
        p->out = fmax(p->outflow, 0.0);
        for (int32_t a = p->first; a < p->first + p->n_in + p->n_out; a++) {
            o->pass[a].q = fabs(q->flow[o->pass[a].row]);
            p->out += a >= p->first + p->n_in ? o->pass[a].q : 0.0;
        }
    }
}

void sl_quality_order(sl_quality *q) {
    sl_order *o = &q->order;
    bool same = o->made;
    for (int32_t k = 0; k < q->m->net->n_link; k++) {
        int8_t d = (int8_t)(fabs(q->flow[k]) < NOTHING ? 0 : q->flow[k] > 0.0 ? 1 : -1);
        same &= d == o->direction[k];
        o->direction[k] = d;
    }
    if (!same) {
        make(q);
        o->made = true;
    }
    carry(q);
}
