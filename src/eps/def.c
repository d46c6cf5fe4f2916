/* SPDX-License-Identifier: MIT */
/* def.c: the definition of a run: its defaults, alone so that those who take one need not link the engine. */
#include <sluice/eps.h>

#include "base/sized.h"

#include <math.h>

void sl_eps_default_fill(sl_eps_def *def, size_t size) {
    const sl_eps_def all = {.duration = (double)NAN};
    sl_sized_default(def, size, &all, sizeof all);
}
