/* SPDX-License-Identifier: MIT */
/* trace.c: see trace.h. */
#include "engine/trace.h"

#include <math.h>
#include <string.h>

#include "base/out.h"

sl_trace_def sl_trace_default(void) {
    return (sl_trace_def){.end = (double)NAN,
                          .from = (double)NAN,
                          .n_step = -1,
                          .time = (double)NAN,
                          .low = (double)NAN,
                          .high = (double)NAN};
}

void sl_trace_fini(sl_trace *trace) {
    sl_arena_fini(&trace->arena);
    *trace = (sl_trace){0};
}

const char *sl_trace_state_text(const sl_trace *trace, const int32_t *q, int32_t most, char *buf, size_t size) {
    size_t used = 0;
    buf[0] = '\0';
    for (int32_t i = 0; i < trace->n_q && used + 1 < size; i++) {
        if (i == most) {
            (void)sl_format(buf + used, size - used, ", …");
            break;
        }
        (void)sl_format(buf + used, size - used, "%s%s = %d", i ? ", " : "", trace->q_names[i], (int)q[i]);
        used += strlen(buf + used);
    }
    return buf;
}
