/* SPDX-License-Identifier: MIT */
/* set.h: sets of valves and pipes, as numbers of blocks: valves, then n_valve plus pipes. All costs go with the members, none with the
 * network: an event concerns few of many. */
#ifndef SL_TUNNEL_SET_H
#define SL_TUNNEL_SET_H

#include "tunnel/network.h"

typedef struct sl_tunnel_set {
    int32_t n, *list; /* in the order in which they came */
    uint8_t *has;
} sl_tunnel_set;

static inline bool sl_tunnel_set_init(sl_tunnel_set *s, sl_arena *arena, const sl_tunnel_network *net) {
    size_t n = (size_t)net->n_valve + (size_t)net->n_pipe;
    *s = (sl_tunnel_set){.list = sl_arena_alloc(arena, n * sizeof *s->list), .has = sl_arena_alloc(arena, n)};
    return s->list && s->has;
}
static inline void sl_tunnel_set_add(sl_tunnel_set *s, int32_t block) {
    if (!s->has[block]) {
        s->has[block] = 1;
        s->list[s->n++] = block;
    }
}
static inline void sl_tunnel_set_add_all(sl_tunnel_set *s, const sl_tunnel_set *other) {
    for (int32_t k = 0; k < other->n; k++) {
        sl_tunnel_set_add(s, other->list[k]);
    }
}
static inline void sl_tunnel_set_fill(sl_tunnel_set *s, const sl_tunnel_network *net) {
    for (int32_t block = 0; block < net->n_valve + net->n_pipe; block++) {
        sl_tunnel_set_add(s, block);
    }
}
static inline void sl_tunnel_set_clear(sl_tunnel_set *s) {
    for (int32_t k = 0; k < s->n; k++) {
        s->has[s->list[k]] = 0;
    }
    s->n = 0;
}

/* The valves at the ends of member pipes. */
static inline void sl_tunnel_set_add_valves(sl_tunnel_set *s, const sl_tunnel_network *net) {
    for (int32_t k = 0, n = s->n; k < n; k++) {
        for (int j = 0; j < 2 && s->list[k] >= net->n_valve; j++) {
            sl_tunnel_set_add(s, net->pipes[s->list[k] - net->n_valve].ends[j].valve);
        }
    }
}
/* The pipes at member valves. */
static inline void sl_tunnel_set_add_pipes(sl_tunnel_set *s, const sl_tunnel_network *net) {
    for (int32_t k = 0, n = s->n; k < n; k++) {
        int32_t v = s->list[k];
        for (int32_t i = v < net->n_valve ? net->start[v] : 0; v < net->n_valve && i < net->start[v + 1]; i++) {
            sl_tunnel_set_add(s, net->n_valve + net->ends[i] / 2);
        }
    }
}

#endif
