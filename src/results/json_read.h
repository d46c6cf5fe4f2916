/* SPDX-License-Identifier: MIT */
/* json_read.h: reading results as JSON, in two files: json_read.c has frames, events and the whole, json_read_layout.c what stands
 * before and behind them. */
#ifndef SL_RESULTS_JSON_READ_H
#define SL_RESULTS_JSON_READ_H

#include "base/ids.h"
#include "results/format.h"
#include "results/json_pull.h"

typedef struct sl_json_reader {
    sl_context *ctx;
    sl_results *r;
    sl_json_pull *p;
    sl_ids *groups;     /* names of groups, in order */
    sl_ids *quantities; /* "0/head": number of the group and name, in order */
    sl_bytes key;       /* of a quantity */
    int64_t *seen;      /* [r->n_quantity] frames that have it */
    int64_t n_seen;     /* quantities of this frame */
    bool has_groups, has_frames;
} sl_json_reader;

/* A member that is known: read puts it at the offset in what is read. */
typedef struct sl_json_member_row {
    const char *name;
    void (*read)(sl_json_reader *d, void *into, size_t offset);
    size_t offset;
} sl_json_member_row;

/* The row of a name, of rows that end with a name NULL; NULL: none. */
const sl_json_member_row *sl_json_find_member(const sl_json_member_row *rows, sl_str name);
/* An object: up to 32 members that are known, each once; others are passed over. Returns which there were, a bit each. */
uint32_t sl_json_read_members(sl_json_reader *d, const sl_json_member_row *rows, void *into);
void sl_json_read_text(sl_json_reader *d, void *into, size_t offset);
void sl_json_read_real(sl_json_reader *d, void *into, size_t offset);
void sl_json_read_bool(sl_json_reader *d, void *into, size_t offset);
/* A copy that lives as long as the results; "" when memory is short. */
const char *sl_json_keep(sl_json_reader *d, sl_str text);
/* The key of a quantity: the names may hold anything. Valid until the next. */
sl_str sl_json_quantity_key(sl_json_reader *d, int32_t number_of_group, sl_str name);

/* Members of the whole. */
void sl_json_read_attributes(sl_json_reader *d, const sl_results_attribute **out, int32_t *n);
void sl_json_read_groups(sl_json_reader *d, void *into, size_t offset);
void sl_json_read_tables(sl_json_reader *d, void *into, size_t offset);

#endif
