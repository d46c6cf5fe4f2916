/* SPDX-License-Identifier: MIT */
/* surge.h: the surge engine: pressure waves in a network by the method of characteristics.
 *
 * A model is const and shared: network, grid, steady start, laws matched to it. The engine behind sl_surge_ops is one run.
 * Theory: docs/theory/surge.md.
 */
#ifndef SL_SURGE_SURGE_H
#define SL_SURGE_SURGE_H

#include <sluice/surge.h>

#include "engine/engine.h"

typedef struct sl_surge_model sl_surge_model;

/* The model owns the network too; def is copied. Runs the eps engine to def->start. */
sl_status sl_surge_model_create(sl_context *ctx, const sl_network *net, const sl_surge_def *def, sl_diags *diags,
                                sl_surge_model **out);
void sl_surge_model_destroy(sl_surge_model *model);
void sl_surge_model_grid(const sl_surge_model *model, sl_surge_grid *out);

extern const sl_engine_ops sl_surge_ops;

/* The grid points at the time shown; SL_ERR_USE before the first refresh. */
sl_status sl_surge_get_view(void *engine, sl_surge_view *out);

#endif
