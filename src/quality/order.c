/* SPDX-License-Identifier: MIT */
/* order.c: the order in which a quality step meets the nodes.
 *
 * A node's turn comes when all that flows to it has arrived, so that water runs through any number of short pipes within
 * one step. Reservoirs give first and take last: what they give does not depend on what they take. Where water goes round
 * in a circle, only pumps can drive it: the link of the circle that holds most is taken to bring what it holds.
 * Below SL_QUALITY_STILL a flow is none: it is within the tolerance of the hydraulics, and its direction means nothing.
 * The order holds as long as the directions of flow do. Where few links turn, repair.c moves a few nodes; else, and wherever there
 * is a circle, the order is made anew, from the directions alone.
 */
#include "base/simd.h"
#include "quality/impl.h"

#include <math.h>
#include <string.h>

static int32_t up_of(const sl_quality *q, int32_t k) {
    const sl_network *net = q->m->net;
    return q->order.direction[k] > 0 ? net->link_from[k] : net->link_to[k];
}

static int32_t down_of(const sl_quality *q, int32_t k) {
    const sl_network *net = q->m->net;
    return q->order.direction[k] > 0 ? net->link_to[k] : net->link_from[k];
}

typedef struct making {
    sl_quality *q;
    int32_t n_queue, walk;
    int32_t set; /* the circle that is being ordered; 0: none */
} making;

static void arrived(making *w, int32_t node) {
    sl_quality_node_order *o = &w->q->order;
    if (--o->waits[node] == 0 && (w->set == 0 || o->set[node] == w->set)) {
        o->queue[w->n_queue++] = node;
    }
}

/* A node's turn: what it gives; the nodes downstream hear of it. */
static void emit(making *w, int32_t node) {
    const sl_quality *q = w->q;
    sl_quality_node_order *o = &w->q->order;
    const sl_quality_incidence *a = q->m->at + q->m->at_start[node], *end = q->m->at + q->m->at_start[node + 1];
    int32_t first = q->m->at_start[node];
    sl_quality_incidence *pass = o->pass + first;
    for (; a < end; a++) {
        if (sl_quality_side_of(q, *a) < 0) {
            *pass++ = *a;
            if (!o->cut[a->link]) {
                arrived(w, a->far);
            }
        }
    }
    o->stop[o->n_stop++] = (sl_quality_node_visit){node, first, (int32_t)(pass - (o->pass + first)), 0};
}

/* A link that this node still waits for. */
static int32_t missing(const sl_quality *q, int32_t node) {
    const sl_quality_model *m = q->m;
    for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
        int32_t k = m->at[a].link, up = up_of(q, k);
        if (sl_quality_side_of(q, m->at[a]) > 0 && !q->order.cut[k] && !sl_quality_is_reservoir(m->net, up) &&
            q->order.waits[up] > 0) {
            return k;
        }
    }
    return -1;
}

/* Upstream from a node that waits until a node is met twice: a circle. */
static void cut_circle(making *w, int32_t node, int32_t walk) {
    sl_quality_node_order *o = &w->q->order;
    while (o->seen[node] != walk) {
        o->seen[node] = walk;
        node = up_of(w->q, missing(w->q, node));
    }
    int32_t first = node, largest = -1;
    const double *volume = w->q->hold;
    do {
        int32_t k = missing(w->q, node);
        largest = largest < 0 || volume[k] > volume[largest] ? k : largest;
        node = up_of(w->q, k);
    } while (node != first);
    o->cut[largest] = 1;
    o->circles = true;
    arrived(w, down_of(w->q, largest));
}

/* Nodes of a set whose parts all lead to each other, in an order that holds but for the links that are cut. */
static void emit_circle(making *w, const int32_t *node, int32_t n) {
    sl_quality_node_order *o = &w->q->order;
    int32_t first = o->n_stop, waiting = 0;
    bool was = o->circles;
    o->circles = false;
    w->n_queue = 0;
    w->set = o->set[node[0]];
    for (int32_t done = 0; done < n; done++) {
        while (done == w->n_queue) {
            while (o->waits[node[waiting]] == 0) {
                waiting++;
            }
            cut_circle(w, node[waiting], ++w->walk);
        }
        emit(w, o->queue[done]);
    }
    o->stop[first].circle = o->circles ? n : 0;
    o->circles |= was;
}

/* What waits for each other, found by Tarjan's search along the flow: sets come out from downstream to upstream. */
static void emit_waiting(making *w) {
    sl_quality_node_order *o = &w->q->order;
    const sl_quality_model *m = w->q->m;
    int32_t n_node = m->net->n_node, number = 0, n_stack = 0, n_path = 0, n_list = 0, n_set = 0;
    int32_t *list = o->list, *stack = o->queue, *path = o->path, *at = o->seen; /* at: where a search stands */
    memset(o->number, 0, (size_t)n_node * sizeof *o->number);
    memset(o->set, 0, (size_t)n_node * sizeof *o->set);
    for (int32_t root = 0; root < n_node; root++) {
        if (o->waits[root] == 0 || sl_quality_is_reservoir(m->net, root) || o->number[root]) {
            continue;
        }
        path[n_path++] = root;
        at[root] = m->at_start[root];
        o->number[root] = o->low[root] = ++number;
        stack[n_stack++] = root;
        while (n_path > 0) {
            int32_t node = path[n_path - 1];
            if (at[node] < m->at_start[node + 1]) {
                sl_quality_incidence link = m->at[at[node]++];
                int32_t down;
                if (sl_quality_side_of(w->q, link) >= 0 ||
                    sl_quality_is_reservoir(m->net, down = down_of(w->q, link.link))) {
                    continue;
                }
                if (!o->number[down]) {
                    path[n_path++] = down;
                    at[down] = m->at_start[down];
                    o->number[down] = o->low[down] = ++number;
                    stack[n_stack++] = down;
                } else if (!o->set[down] && o->number[down] < o->low[node]) {
                    o->low[node] = o->number[down];
                }
                continue;
            }
            n_path--;
            if (n_path > 0 && o->low[node] < o->low[path[n_path - 1]]) {
                o->low[path[n_path - 1]] = o->low[node];
            }
            if (o->low[node] == o->number[node]) {
                n_set++;
                do {
                    list[n_list] = stack[--n_stack];
                    o->set[list[n_list]] = n_set;
                } while (list[n_list++] != node);
            }
        }
    }
    memset(o->seen, 0, (size_t)n_node * sizeof *o->seen);
    for (int32_t end = n_list, begin; end > 0; end = begin) {
        for (begin = end - 1; begin > 0 && o->set[list[begin - 1]] == o->set[list[end - 1]]; begin--) {}
        if (end - begin == 1) {
            emit(w, list[begin]);
        } else {
            emit_circle(w, list + begin, end - begin);
        }
    }
}

/* Counts what flows to each node. Which way it flows cannot be foretold: what follows does without branches on it. */
static void count_inflows(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    memset(o->waits, 0, (size_t)net->n_node * sizeof *o->waits);
    for (int32_t k = 0; k < net->n_link; k++) {
        int8_t d = o->direction[k];
        o->waits[d > 0 ? net->link_to[k] : net->link_from[k]] += d != 0;
    }
}

void sl_quality_list_still_pipes(sl_quality *q) {
    sl_quality_node_order *o = &q->order;
    int32_t n_rest = 0;
    for (int32_t k = 0; k < q->m->net->n_pipe; k++) {
        o->rest[n_rest] = k;
        n_rest += o->direction[k] == 0;
    }
    o->n_rest = n_rest;
}

void sl_quality_list_passes(sl_quality *q, int32_t node) {
    const sl_quality_model *m = q->m;
    sl_quality_node_order *o = &q->order;
    int32_t first = m->at_start[node], n_pass = first;
    for (int32_t a = first; a < m->at_start[node + 1]; a++) {
        if (sl_quality_side_of(q, m->at[a]) < 0) {
            o->pass[n_pass++] = m->at[a];
        }
    }
    o->stop[o->place[node]] = (sl_quality_node_visit){node, first, n_pass - first, 0};
}

/* The turns of reservoirs, and of all nodes that wait for each other in no circle. Returns how many of the latter. */
static int32_t emit_all(sl_quality *q) {
    const sl_quality_model *m = q->m;
    const sl_network *net = m->net;
    sl_quality_node_order *o = &q->order;
    int32_t n_stop = 0, n_queue = net->n_reservoir;
    int32_t *queue = o->queue, *waits = o->waits; /* reservoirs wait in front of it */
    for (int32_t i = 0; i < net->n_reservoir; i++) {
        queue[i] = net->n_junction + i;
        waits[net->n_junction + i]++; /* for itself: it takes last */
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        queue[n_queue] = i;
        n_queue += waits[i] == 0;
    }
    for (; n_stop < n_queue; n_stop++) {
        int32_t node = queue[n_stop], first = m->at_start[node], n_pass = first;
        for (int32_t a = first; a < m->at_start[node + 1]; a++) {
            sl_quality_incidence at = m->at[a];
            int32_t leaves = sl_quality_side_of(q, at) < 0, left = waits[at.far] -= leaves;
            o->pass[n_pass] = at;
            n_pass += leaves;
            queue[n_queue] = at.far;
            n_queue += leaves & (left == 0);
        }
        o->stop[n_stop] = (sl_quality_node_visit){node, first, n_pass - first, 0};
    }
    o->n_stop = n_stop;
    return n_stop - net->n_reservoir;
}

static void forget_circles(sl_quality *q) {
    sl_quality_node_order *o = &q->order;
    if (o->circles) {
        memset(o->cut, 0, (size_t)q->m->net->n_link);
    }
    o->circles = false;
}

static void make(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    forget_circles(q);
    count_inflows(q);
    if (emit_all(q) < net->n_node - net->n_reservoir) {
        making w = {.q = q};
        emit_waiting(&w);
        memset(o->seen, 0, (size_t)net->n_node * sizeof *o->seen);
        o->walk = 0;
    }
    for (int32_t i = 0; i < o->n_stop; i++) {
        o->place[o->stop[i].node] = i;
    }
    sl_quality_list_still_pipes(q);
    o->repaired = false;
    o->made = true;
}

void sl_quality_sequence(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    int32_t n = 0, end = net->n_link + net->n_tank;
    for (int32_t i = 0; i < o->n_stop; i++) {
        const sl_quality_node_visit *p = &o->stop[i];
        int32_t tank = p->node - net->n_junction - net->n_reservoir;
        if (tank >= 0) {
            o->sequence[n++] = net->n_link + tank;
        }
        for (int32_t a = p->first; a < p->first + p->n_out; a++) {
            if ((int32_t)o->pass[a].link < net->n_pipe) {
                o->sequence[n++] = (int32_t)o->pass[a].link;
            }
        }
    }
    for (int32_t i = 0; i < o->n_rest; i++) {
        o->sequence[n++] = o->rest[i];
    }
    for (int32_t k = net->n_pipe; n < end; k++) {
        o->sequence[n++] = k;
    }
}

/* The directions of the flows; are they other than they were? */
SL_SIMD(bool, direct, (int32_t n, const double *restrict flow, const int8_t *restrict was, int8_t *restrict direction),
        (n, flow, was, direction)) {
    int32_t changed = 0;
#pragma omp simd reduction(+ : changed)
    for (int32_t k = 0; k < n; k++) {
        int8_t d = (int8_t)((flow[k] >= SL_QUALITY_STILL) - (flow[k] <= -SL_QUALITY_STILL));
        changed += d != was[k];
        direction[k] = d;
    }
    return changed > 0;
}

void sl_quality_order(sl_quality *q) {
    sl_quality_node_order *o = &q->order;
    int32_t n = q->m->net->n_link;
    bool changed = direct(n, q->flow, o->direction, o->next);
    if (o->made && (!changed || sl_quality_repair_order(q))) {
        return;
    }
    memcpy(o->direction, o->next, (size_t)n);
    make(q);
}

bool sl_quality_take_order(sl_quality *q, const int32_t *node) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    (void)direct(net->n_link, q->flow, o->direction, o->next);
    memcpy(o->direction, o->next, (size_t)net->n_link);
    forget_circles(q);
    for (int32_t i = 0; i < net->n_node; i++) {
        o->place[i] = -1;
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        bool begins = i < net->n_reservoir; /* with the reservoirs */
        if (node[i] < 0 || node[i] >= net->n_node || o->place[node[i]] >= 0 ||
            begins != sl_quality_is_reservoir(net, node[i])) {
            return false;
        }
        o->place[node[i]] = i;
    }
    for (int32_t k = 0; k < net->n_link; k++) {
        int32_t down = down_of(q, k);
        if (o->direction[k] != 0 && !sl_quality_is_reservoir(net, down) && o->place[up_of(q, k)] > o->place[down]) {
            return false;
        }
    }
    for (int32_t i = 0; i < net->n_node; i++) {
        sl_quality_list_passes(q, i);
    }
    sl_quality_list_still_pipes(q);
    o->n_stop = net->n_node;
    o->made = o->repaired = true;
    return true;
}
