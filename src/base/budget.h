/* SPDX-License-Identifier: MIT */
/* budget.h: estimates of memory against what the context may take, before work begins. */
#ifndef SL_BASE_BUDGET_H
#define SL_BASE_BUDGET_H

#include "base/report.h"

/* Whether so many bytes are there, by an estimate. If not, an error at place (may be NULL) says: `what` needs so much, and there is so
 * much; hint says what to do. */
bool sl_budget_memory(sl_context *ctx, double bytes, sl_diags *diags, const sl_text_location *place, const char *what,
                      const char *hint);

#endif
