/* SPDX-License-Identifier: MIT */
/* transport_engine.h: transport along stored hydraulics, as an engine of its own. */
#ifndef SL_QUALITY_TRANSPORT_ENGINE_H
#define SL_QUALITY_TRANSPORT_ENGINE_H

#include "quality/hydraulics.h"

typedef struct sl_transport_model sl_transport_model;

/* The model owns network and hydraulics too. SL_ERR_INPUT with a diagnostic: the network asks for no quality, or the steps are of
 * another one, or there are none. */
sl_status sl_transport_model_create(sl_context *ctx, const sl_network *net, const sl_hydraulics *hydraulics, bool exact,
                                    sl_diags *diags, sl_transport_model **out);
void sl_transport_model_destroy(sl_transport_model *model);

extern const sl_engine_ops sl_transport_ops;

#endif
