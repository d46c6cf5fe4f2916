/* SPDX-License-Identifier: MIT */
/* store.c: a hash table of entries that are never removed; dropping all values is counting up a round. */
#include "exchange/store.h"

#include <math.h>
#include <string.h>

void sl_store_init(sl_store *s, sl_context *ctx) {
    *s = (sl_store){.ctx = ctx, .round = 1};
}

void sl_store_fini(sl_store *s) {
    SL_ARRAY_FINI(s->ctx, &s->entry);
    SL_ARRAY_FINI(s->ctx, &s->text);
    sl_free(s->ctx, s->slot, (size_t)s->n_slot * sizeof *s->slot);
    *s = (sl_store){0};
}

static uint64_t mix(sl_cosim_type type, sl_cosim_entity entity) {
    uint64_t h =
        (uint64_t)entity * UINT64_C(0x9E3779B97F4A7C15) ^ (uint64_t)(uint32_t)type * UINT64_C(0xD6E8FEB86659FD93);
    return (h ^ h >> 32) * UINT64_C(0xD6E8FEB86659FD93);
}

/* Where the key is, or the free place where it belongs. */
static int64_t hash_slot(const sl_store *s, sl_cosim_type type, sl_cosim_entity entity) {
    uint64_t mask = (uint64_t)s->n_slot - 1, at = mix(type, entity) >> 20 & mask;
    while (s->slot[at] > 0) {
        const sl_store_entry *e = &s->entry.at[s->slot[at] - 1];
        if (e->type == type && e->entity == entity) {
            break;
        }
        at = (at + 1) & mask;
    }
    return (int64_t)at;
}

/* Index of an entry + 1, or 0. */
static int64_t index_of(const sl_store *s, sl_cosim_type type, sl_cosim_entity entity) {
    return s->n_slot > 0 ? s->slot[hash_slot(s, type, entity)] : 0;
}

sl_store_entry *sl_store_find(const sl_store *s, sl_cosim_type type, sl_cosim_entity entity) {
    int64_t index = index_of(s, type, entity);
    return index > 0 ? &s->entry.at[index - 1] : NULL;
}

static bool grow(sl_store *s) {
    int64_t n = s->n_slot ? 2 * s->n_slot : 16;
    int64_t *slot = sl_alloc(s->ctx, (size_t)n * sizeof *slot);
    if (!slot) {
        return false;
    }
    sl_free(s->ctx, s->slot, (size_t)s->n_slot * sizeof *s->slot);
    s->slot = slot;
    s->n_slot = n;
    for (int64_t i = 0; i < s->entry.n; i++) {
        s->slot[hash_slot(s, s->entry.at[i].type, s->entry.at[i].entity)] = i + 1;
    }
    return true;
}

sl_store_entry *sl_store_make(sl_store *s, sl_cosim_type type, sl_cosim_entity entity) {
    int64_t index = index_of(s, type, entity);
    if (index > 0) {
        return &s->entry.at[index - 1];
    }
    if (2 * (s->entry.n + 1) > s->n_slot && !grow(s)) {
        return NULL;
    }
    sl_store_entry fresh = {.entity = entity, .type = type, .in = -1, .out = -1};
    if (!SL_PUSH(s->ctx, &s->entry, fresh)) {
        return NULL;
    }
    s->slot[hash_slot(s, type, entity)] = s->entry.n;
    return &s->entry.at[s->entry.n - 1];
}

void sl_store_clear(sl_store *s) {
    s->round++;
    s->text.n = 0;
}

bool sl_store_set(sl_store *s, sl_store_entry *e, double value, sl_str text) {
    int64_t need = (int64_t)text.len + 1;
    if (text.len > 0) {
        if (e->text_round != s->round || e->text_room < need) {
            bool own = s->text.cap > 0 && text.ptr >= s->text.at && text.ptr < s->text.at + s->text.cap;
            size_t at = own ? (size_t)(text.ptr - s->text.at) : 0; /* what sl_cosim_text gave may come back */
            if (!SL_RESERVE(s->ctx, &s->text, s->text.n + need)) {
                return false;
            }
            text.ptr = own ? s->text.at + at : text.ptr;
            e->text = s->text.n;
            e->text_room = need;
            s->text.n += need;
        }
        memmove(s->text.at + e->text, text.ptr, text.len);
        s->text.at[e->text + (int64_t)text.len] = 0;
        e->text_round = s->round;
    }
    e->value = value;
    e->round = s->round;
    return true;
}

double sl_store_value(const sl_store *s, const sl_store_entry *e) {
    return e && e->round == s->round ? e->value : (double)NAN;
}

const char *sl_store_text(const sl_store *s, const sl_store_entry *e) {
    if (!e) {
        return NULL;
    }
    return e->text_round == s->round ? s->text.at + e->text : e->in_text ? e->in_text : e->out_text;
}
