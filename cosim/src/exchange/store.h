/* SPDX-License-Identifier: MIT */
/* store.h: values by (type, entity): one store for what was read and what is to be written. */
#ifndef SL_EXCHANGE_STORE_H
#define SL_EXCHANGE_STORE_H

#include <sluice/cosim.h>

#include "base/memory.h"

typedef struct sl_store_entry {
    sl_cosim_entity entity;
    sl_cosim_type type;
    int64_t in, out; /* places in the lists, or -1 */
    const char *in_text, *out_text;
    double value;
    uint64_t round;    /* the value holds while this is the store's */
    int64_t text;      /* where in the store's texts */
    int64_t text_room; /* bytes there */
    uint64_t text_round;
} sl_store_entry;

typedef struct sl_store {
    sl_context *ctx;
    SL_ARRAY(sl_store_entry) entry;
    SL_ARRAY(char) text;
    int64_t *slot; /* index of an entry + 1, or 0 */
    int64_t n_slot;
    uint64_t round;
} sl_store;

void sl_store_init(sl_store *s, sl_context *ctx);
void sl_store_fini(sl_store *s);
/* NULL: there is none. Pointers hold until the next sl_store_make. */
sl_store_entry *sl_store_find(const sl_store *s, sl_cosim_type type, sl_cosim_entity entity);
/* Finds or makes; NULL: no memory. */
sl_store_entry *sl_store_make(sl_store *s, sl_cosim_type type, sl_cosim_entity entity);
/* Drops all values. */
void sl_store_clear(sl_store *s);
/* False: no memory for the text, nothing changes. */
bool sl_store_set(sl_store *s, sl_store_entry *e, double value, sl_str text);
/* NaN: none. */
double sl_store_value(const sl_store *s, const sl_store_entry *e);
/* What was said with the value, else when the variable was added; or NULL. */
const char *sl_store_text(const sl_store *s, const sl_store_entry *e);

#endif
