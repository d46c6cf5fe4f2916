/* SPDX-License-Identifier: MIT */
/* engine.h: tunnels as an engine of sessions: sl_hybrid_engine with the quantities of valves and of ends of tunnels beside its own.
 *
 * It moves, saves and reports as every hybrid model does; what it adds are views of the same values under names of the field, and
 * inputs: openings, inflows, levels.
 */
#ifndef SL_TUNNEL_ENGINE_H
#define SL_TUNNEL_ENGINE_H

#include "hybrid/engine.h"
#include "tunnel/read.h"

/* What sessions take as a model. */
typedef struct sl_tunnel_engine_model {
    sl_hybrid_model moves; /* first: the engine beneath sees this */
    sl_tunnel_model tunnel;
    sl_tunnel_study *study; /* owned */
} sl_tunnel_engine_model;

/* Takes the study over when SL_OK. */
sl_status sl_tunnel_engine_model_create(sl_context *ctx, sl_tunnel_study *study, sl_tunnel_engine_model **out);
void sl_tunnel_engine_model_destroy(sl_tunnel_engine_model *model);

extern const sl_engine_ops sl_tunnel_engine;

#endif
