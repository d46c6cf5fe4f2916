/* SPDX-License-Identifier: MIT */
/* columns.c: quantities by name; see columns.h. */
#include "results/columns.h"

#include <assert.h>
#include <math.h>

void sl_columns_open(sl_columns *c, const sl_result_layout *layout, const char *const *names, int32_t n) {
    assert(n <= SL_COLUMNS_MAX);
    *c = (sl_columns){.ops = layout->ops, .engine = layout->engine, .n = n, .time = -INFINITY};
    for (int32_t i = 0; i < n; i++) {
        c->place[i] = c->field[i] = -1;
        for (int32_t k = 0; k < layout->n_field && c->place[i] < 0; k++) {
            if (sl_field_has_name(layout->ops, layout->fields[k], names[i])) {
                c->place[i] = k;
                c->field[i] = layout->fields[k];
            }
        }
    }
}

void sl_columns_bind(sl_columns *c, const sl_result_frame *frame) {
    c->time = frame->time;
    for (int32_t i = 0; i < c->n; i++) {
        c->at[i] = c->place[i] >= 0 ? frame->data[c->place[i]] : NULL;
    }
}

bool sl_columns_bind_last(sl_columns *c) {
    double now = c->ops->time(c->engine);
    if (!isfinite(c->time) || !(now > c->time)) {
        return false;
    }
    c->time = now;
    for (int32_t i = 0; i < c->n; i++) {
        c->at[i] = c->field[i] >= 0 ? c->ops->data(c->engine, c->field[i]) : NULL;
    }
    return true;
}
