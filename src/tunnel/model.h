/* SPDX-License-Identifier: MIT */
/* model.h: the hybrid model of a multibody flow network, as src/hybrid executes it.
 *
 * Continuous variables: the volume of water at each end of a pipe [m3], its flow [m3/s] (positive downstream), the water of each tub [m3],
 * the head at each valve [m] (where it is wet), what a reservoir has flooded [m3]. Bodies of water that do not touch move by parts
 * of their own. Root functions only end a step; which flow bits and controls follow is decided by the values as a whole (sense.c).
 * The theory is docs/theory/tunnel.md.
 */
#ifndef SL_TUNNEL_MODEL_H
#define SL_TUNNEL_MODEL_H

#include "hybrid/hybrid.h"
#include "tunnel/network.h"

typedef struct sl_tunnel_model {
    sl_tunnel_network *net; /* borrowed */
    double rtol;            /* of the run: tolerances of variables follow it */
    bool all_reversals;     /* every reversal of flow is an event, not only those that structure depends on */
    double flow_tolerance;  /* at which a flow counts as none [m3/s] */
    double head_tolerance;  /* ... two heads as the same [m] */
} sl_tunnel_model;

sl_tunnel_model sl_tunnel_model_default(sl_tunnel_network *net);

/* Roots are in units of what they tolerate: sl_dae_def.root_tol. */
#define SL_TUNNEL_ROOT_TOLERANCE 0.5

extern const sl_hybrid_ops sl_tunnel_ops;

/* Variables of a network, and where they begin: at rest, at time 0. The first of q are those of bits.h. */
void sl_tunnel_sizes(const sl_tunnel_network *net, int32_t *n_x, int32_t *n_q);
void sl_tunnel_start(const sl_tunnel_network *net, double *x, int32_t *q);

/* Mechanical energy of all water that moves [J], and its volume with the reservoirs' [m3]: x as the execution has it. */
/* Volume: what does not change but by inflows that are set from outside: the inflows of the file are not counted. */
double sl_tunnel_kinetic_energy(const sl_tunnel_network *net, const double *x);
double sl_tunnel_volume(const sl_tunnel_network *net, const double *x);

#endif
