/* carry.h: transport along kept hydraulics, as an engine of its own. */
#ifndef SL_QUALITY_CARRY_H
#define SL_QUALITY_CARRY_H

#include "quality/kept.h"

typedef struct sl_carry_model sl_carry_model;

/* Network and hydraulics are borrowed. SL_ERR_INPUT with a diagnostic: the network asks for no quality, or the steps are of
 * another one, or there are none. */
sl_status sl_carry_model_create(sl_context *ctx, const sl_network *net, const sl_hydraulics *kept, bool exact,
                                sl_diags *diags, sl_carry_model **out);
void sl_carry_model_destroy(sl_carry_model *model);

extern const sl_engine_ops sl_carry_ops;

#endif
