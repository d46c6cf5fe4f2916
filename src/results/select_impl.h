/* SPDX-License-Identifier: MIT */
/* select_impl.h: a selection in the making, from inside.
 *
 * select.c        elements by id, times, and the part that comes out
 * select_names.c  values by patterns, quantities by name
 */
#ifndef SL_RESULTS_SELECT_IMPL_H
#define SL_RESULTS_SELECT_IMPL_H

#include "results/format.h"

typedef struct sl_results_selection {
    sl_arena *arena;
    const sl_results_layout *whole;
    sl_results_select d;
    sl_diags *diags;
    bool narrowed;      /* to named elements */
    uint8_t **element;  /* [group][element] picked, where narrowed */
    uint8_t *quantity;  /* [n_quantity] picked */
    int32_t *first;     /* [group] its first quantity */
    int32_t n_quantity; /* of all groups */
    bool wrong, no_memory;
} sl_results_selection;

/* Picks the elements and quantities of values whose names fit the patterns. */
void sl_selection_pick_variables(sl_results_selection *s);
/* Takes away the quantities that are not named, where some are. */
void sl_selection_choose_quantities(sl_results_selection *s);

/* The next piece of a list at commas; false at its end. Empty pieces are passed over. */
bool sl_selection_piece(sl_str *rest, sl_str *piece);
/* "node (head, pressure), link (flow)", as far as it fits. */
void sl_selection_describe(const sl_results_layout *l, bool quantities, char *buf, size_t size);

#endif
