/* SPDX-License-Identifier: MIT */
/* components.h: which nodes links join to one component. It is a tree in which every node leads to a lower one; the lowest
 * is its root and leads to itself.
 */
#ifndef SL_NETWORK_COMPONENTS_H
#define SL_NETWORK_COMPONENTS_H

#include <stdbool.h>
#include <stdint.h>

/* Joins the components of a and b, by M. Rem's algorithm (in Dijkstra, A Discipline of Programming, 1976): on the way up from both,
 * each node is led to the lower of the two, until the ways meet. True: they were two. Which of both leads higher is chance: it is
 * chosen without a branch, which would be guessed wrong half of the time. */
static inline bool sl_components_join(int32_t *up, int32_t a, int32_t b) {
    for (int32_t up_a, up_b; (up_a = up[a]) != (up_b = up[b]);) {
        int32_t other = (a ^ b) & -(up_a < up_b);
        a ^= other; /* the one that leads higher */
        b ^= other;
        int32_t high = up[a];
        up[a] = up[b];
        if (high == a) {
            return true;
        }
        a = high;
    }
    return false;
}

#endif
