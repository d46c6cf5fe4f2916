/* SPDX-License-Identifier: MIT */
/* surge.c: what `sluice run` has to know about surges before it does one; see surge.h. Also in the static program. */
#include "cli/surge.h"

const char *const sl_surge_friction_words[] = {"steady",      "quasi-steady", "acceleration",
                                               "convolution", "rthym-filter", NULL};
const char *const sl_surge_cavitation_words[] = {"dgcm", "dvcm", "clamp", "liquid", NULL};
_Static_assert(sizeof sl_surge_friction_words / sizeof *sl_surge_friction_words == SL_SURGE_FRICTION_COUNT + 1,
               "one word for each model, in its order");
_Static_assert(sizeof sl_surge_cavitation_words / sizeof *sl_surge_cavitation_words == SL_SURGE_CAVITATION_COUNT + 1,
               "one word for each model, in its order");

const char *sl_surge_given(const sl_surge_args *a) {
    return a->close.n > 0        ? "close"
           : a->open.n > 0       ? "open"
           : a->trip.n > 0       ? "trip"
           : a->envelope.n > 0   ? "envelope"
           : a->route            ? "route"
           : a->step             ? "step"
           : a->wave_speed > 0.0 ? "wave-speed"
           : a->friction >= 0    ? "friction"
           : a->cavitation >= 0  ? "cavitation"
                                 : NULL;
}
