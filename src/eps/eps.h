/* SPDX-License-Identifier: MIT */
/* eps.h: the eps engine: network hydraulics through the day.
 *
 * A model is const and shared; the engine behind sl_eps_ops is one run of it. Theory: docs/theory/hydraulics.md.
 */
#ifndef SL_EPS_EPS_H
#define SL_EPS_EPS_H

#include <sluice/eps.h>
#include <sluice/network.h>
#include <sluice/quality.h>

#include "engine/engine.h"

typedef struct sl_eps_model sl_eps_model;

/* The model owns the network too. A rule on which the two readings of AND and OR differ is warned about. */
sl_status sl_eps_model_create(sl_context *ctx, const sl_network *net, const sl_eps_def *def, sl_diags *diags,
                              sl_eps_model **out);
void sl_eps_model_destroy(sl_eps_model *model);

extern const sl_engine_ops sl_eps_ops;

/* Keeps the flows of every step from now on; NULL: no longer. The engine stands at its beginning or at a boundary. */
sl_status sl_eps_store_hydraulics(void *engine, sl_hydraulics *stored_hydraulics);

#endif
