/* SPDX-License-Identifier: MIT */
/* repair.c: an order of nodes in which few links turned.
 *
 * Links that turned are taken out of the order first, and come back one by one. One whose upper node stands behind its lower one
 * makes the lower one, and what it feeds between the two, move behind the upper one (Marchetti-Spaccamela, Nanni, Rohnert: Maintaining
 * a topological order under edge insertions, 1996). That takes steps as many as nodes lie between the two, often a few dozen of thousands.
 * Where it would take more than to make the order anew, or a circle shows, nothing is gained.
 */
#include "quality/impl.h"

#include <string.h>

/* Links whose directions differ, found by words of eight. */
static int32_t find_changed(sl_quality *q) {
    sl_quality_node_order *o = &q->order;
    int32_t n = 0;
    for (int32_t k = 0; k < q->m->net->n_link; k += 8) {
        uint64_t a, b;
        memcpy(&a, o->direction + k, sizeof a);
        memcpy(&b, o->next + k, sizeof b);
        for (int32_t i = k; a != b && i < k + 8; i++) {
            o->changed[n] = i;
            n += o->direction[i] != o->next[i];
        }
    }
    return n;
}

/* Marks all that a node feeds and that stands before `end`. False: `end` is fed by it. */
static bool mark_fed(sl_quality *q, int32_t from, int32_t end) {
    const sl_quality_model *m = q->m;
    sl_quality_node_order *o = &q->order;
    if (o->walk == INT32_MAX) {
        memset(o->seen, 0, (size_t)m->net->n_node * sizeof *o->seen);
        o->walk = 0;
    }
    int32_t n = 0, walk = ++o->walk;
    o->queue[n++] = from;
    o->seen[from] = walk;
    while (n > 0) {
        int32_t node = o->queue[--n];
        for (int32_t a = m->at_start[node]; a < m->at_start[node + 1]; a++) {
            int32_t far = m->at[a].far;
            if (sl_quality_side_of(q, m->at[a]) >= 0 || o->place[far] > end || o->seen[far] == walk ||
                sl_quality_is_reservoir(m->net, far)) {
                continue;
            }
            if (o->place[far] == end) {
                return false;
            }
            o->seen[far] = walk;
            o->queue[n++] = far;
        }
    }
    return true;
}

/* Moves what is marked, from the place `begin` on, behind the place `end`; all keeps its order else. */
static void move_marked(sl_quality *q, int32_t begin, int32_t end) {
    sl_quality_node_order *o = &q->order;
    int32_t n = 0, to = begin;
    for (int32_t i = begin; i <= end; i++) {
        sl_quality_node_visit stop = o->stop[i];
        if (o->seen[stop.node] == o->walk) {
            o->moved[n++] = stop;
            continue;
        }
        o->stop[to] = stop;
        o->place[stop.node] = to++;
    }
    for (int32_t i = 0; i < n; i++) {
        o->stop[to] = o->moved[i];
        o->place[o->moved[i].node] = to++;
    }
}

/* Puts a link back with its new direction. Returns over how many places nodes moved, -1: a circle. */
static int32_t put_back(sl_quality *q, int32_t k, int32_t most) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    bool forwards = o->next[k] > 0;
    int32_t up = forwards ? net->link_from[k] : net->link_to[k], down = forwards ? net->link_to[k] : net->link_from[k];
    int32_t places = o->place[up] - o->place[down];
    if (o->next[k] == 0 || places < 0 || sl_quality_is_reservoir(net, down)) {
        places = 0;
    } else if (places > most || !mark_fed(q, down, o->place[up])) {
        return -1;
    } else {
        move_marked(q, o->place[down], o->place[up]);
    }
    o->direction[k] = o->next[k];
    return places;
}

/* Places that nodes may move over, for each node of the network: as many as to make the order anew takes instructions. */
enum { WORTH = 8 };

bool sl_quality_repair_order(sl_quality *q) {
    const sl_network *net = q->m->net;
    sl_quality_node_order *o = &q->order;
    int32_t n = o->circles ? 0 : find_changed(q), left = WORTH * net->n_node;
    bool rest = false;
    if (o->circles || n > net->n_link / 8) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t k = o->changed[i];
        rest |= k < net->n_pipe && (o->direction[k] == 0 || o->next[k] == 0);
        o->direction[k] = 0;
    }
    for (int32_t i = 0; i < n; i++) {
        int32_t places = put_back(q, o->changed[i], left);
        if (places < 0) {
            return false;
        }
        left -= places;
    }
    for (int32_t i = 0; i < n; i++) {
        sl_quality_list_passes(q, net->link_from[o->changed[i]]);
        sl_quality_list_passes(q, net->link_to[o->changed[i]]);
    }
    if (rest) {
        sl_quality_list_still_pipes(q);
    }
    o->repaired = true;
    return true;
}
