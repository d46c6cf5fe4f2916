/* SPDX-License-Identifier: MIT */
/* columns.c: quantities by name; see columns.h. */
#include "results/columns.h"

#include <math.h>

#define NAME(id, name, users) name,
const char *const sl_run_columns[SL_COL_COUNT] = {SL_RUN_COLUMNS(NAME)};
#define USERS(id, name, users) users,
static const unsigned char users_of[SL_COL_COUNT] = {SL_RUN_COLUMNS(USERS)};

/* Those of quality mean nothing without it; a report may show the column even so. */
bool sl_run_column_is_for(const sl_network *net, sl_run_column column, int user) {
    bool quality = column >= SL_COL_Q_INITIAL || (column == SL_COL_QUALITY && user == SL_FOR_SUMMARY);
    return (users_of[column] & user) && (!quality || net->quality.kind != SL_QUALITY_NONE);
}

void sl_columns_open(sl_columns *c, const sl_result_layout *layout) {
    *c = (sl_columns){.ops = layout->ops, .engine = layout->engine, .time = -INFINITY};
    for (int32_t i = 0; i < SL_COL_COUNT; i++) {
        c->place[i] = c->field[i] = -1;
        for (int32_t k = 0; k < layout->n_field && c->place[i] < 0; k++) {
            if (sl_field_has_name(layout->ops, layout->fields[k], sl_run_columns[i])) {
                c->place[i] = k;
                c->field[i] = layout->fields[k];
            }
        }
    }
}

void sl_columns_bind(sl_columns *c, const sl_result_frame *frame) {
    c->time = frame->time;
    for (int32_t i = 0; i < SL_COL_COUNT; i++) {
        c->at[i] = c->place[i] >= 0 ? frame->data[c->place[i]] : NULL;
    }
}

bool sl_columns_bind_last(sl_columns *c) {
    double now = c->ops->time(c->engine);
    if (!isfinite(c->time) || !(now > c->time)) {
        return false;
    }
    c->time = now;
    for (int32_t i = 0; i < SL_COL_COUNT; i++) {
        c->at[i] = c->field[i] >= 0 ? c->ops->data(c->engine, c->field[i]) : NULL;
    }
    return true;
}
