/* SPDX-License-Identifier: MIT */
/* budget.c: see budget.h. */
#include "base/budget.h"

#include "base/context.h"

bool sl_budget_memory(sl_context *ctx, double bytes, sl_diags *diags, const sl_text_location *place, const char *what,
                      const char *hint) {
    double most = ctx->def.memory;
    if (most == 0.0 || bytes <= most) {
        return true;
    }
    sl_report(diags, SL_ERROR, SL_CODE_VALUE_RANGE, place, NULL, NULL, hint,
              "%s needs about %.3g GB of memory, and there are %.3g GB", what, 1e-9 * bytes, 1e-9 * most);
    return false;
}
