/* SPDX-License-Identifier: MIT */
/* ids.c: the table of interned ids and its hash. See ids.h for the layout.
 *
 * A find in a large table costs cache misses and little else. An id of up to 11 bytes, which is nearly every
 * id of a real network, lies in its slot whole and costs one; a longer one costs two more, for its offset
 * and its text, and only when what the slot says agrees. Most ids have up to 8 bytes: one word, from which all follows.
 */
#include "base/bytes.h"
#include "base/ids.h"

#include <assert.h>
#include <string.h>

#include "base/memory.h"

enum {
    WHOLE = 11, /* bytes of the longest id that a slot has whole */
    LONG = 255,
    PAD = 8 /* bytes in the pool before the first text and behind the last, so that short ones can be moved as words */
};

/* A new table of up to so many bytes is written through once. Ids then go to all ends of it: each would miss the cache, and
 * that takes longer (exnet, 4400 ids: a fiftieth of the whole run). */
enum { WARM = 1 << 18 };

typedef struct slot {
    int32_t index_1; /* index + 1; 0: free */
    uint32_t
        rest; /* length in bytes (LONG: more than WHOLE) and, above it, up to 3 bytes that the word has no room for */
    uint64_t last; /* the last 8 bytes, see sl_last_word */
} slot;

_Static_assert(sizeof(slot) == 16, "four slots to a cache line");

/* Ids that count, J1 J2 J3 ..., arrive in runs. Only the first of a run is in the table; the others are found by
 * arithmetic, without a cache miss: in a city of a million junctions that halves the time to read it. Ids in the order of
 * the alphabet (J1 J10 J100 J101 ... J11) make many short runs, and numbers in no order none, which only costs time: all ids
 * are put into the table then. */
enum {
    MAX_RUN = 16,    /* looked at one by one */
    SHORT_RUN = 64,  /* mean length below which they do not pay */
    MANY_LOOSE = 128 /* nor do they when so many ids, and more than half of all, belong to none */
};

typedef struct run {
    int64_t prefix;  /* of the text, in the pool */
    size_t n_prefix; /* bytes */
    uint64_t value;  /* number of the first id */
    int32_t index;   /* of the first id */
    int32_t n;       /* ids */
} run;

struct sl_ids {
    sl_context *ctx;
    slot *slots;
    size_t n_slot; /* 0 or a power of two */
    int32_t n;
    int32_t n_table; /* of these, in the table */
    size_t reserved; /* slots to take when the table first grows */
    run runs[MAX_RUN];
    int32_t n_run;
    bool plain;              /* runs did not pay: all ids are in the table */
    int32_t n_loose;         /* ids in the table that end with a number and belong to no run */
    run last;                /* the run that the last id belongs to, counted from 1 until it has a second member */
    SL_ARRAY(int64_t) begin; /* of each text in the pool, one more at the end */
    SL_ARRAY(char) text;
};

/* ---- Hash --------------------------------------------------------------------------------------- */

__extension__ typedef unsigned __int128 u128;

static uint64_t fold(uint64_t a, uint64_t b) {
    u128 p = (u128)a * b;
    return (uint64_t)p ^ (uint64_t)(p >> 64);
}

uint64_t sl_hash_bytes(const void *bytes, size_t n) {
    /* Odd constants with about half of their bits set; folding the 128-bit product mixes both halves. */
    const uint64_t k1 = UINT64_C(0x9E3779B97F4A7C15);
    const uint64_t k2 = UINT64_C(0xD1B54A32D192ED03);
    const uint64_t k3 = UINT64_C(0x8CB92BA72F3D8DD7);
    const char *p = bytes;
    uint64_t h = n * k3 ^ k1;
    size_t left = n;
    for (; left > 16; left -= 16, p += 16) {
        h = fold(sl_load8(p) ^ k1, sl_load8(p + 8) ^ h);
    }
    uint64_t a = 0;
    uint64_t b = 0;
    if (left >= 8) { /* two words that may overlap cover the rest */
        a = sl_load8(p);
        b = sl_load8(p + left - 8);
    } else if (left >= 4) {
        a = sl_load4(p);
        b = sl_load4(p + left - 4);
    } else if (left > 0) {
        a = sl_load_up_to_8(p, left);
    }
    return fold(fold(a ^ k1, b ^ h), k2 ^ n);
}

/* ---- Life --------------------------------------------------------------------------------------- */

sl_ids *sl_ids_create(sl_context *ctx) {
    sl_ids *ids = sl_alloc(ctx, sizeof *ids);
    if (ids) {
        ids->ctx = ctx;
    }
    return ids;
}

void sl_ids_destroy(sl_ids *ids) {
    if (ids) {
        sl_context *ctx = ids->ctx;
        sl_free(ctx, ids->slots, ids->n_slot * sizeof *ids->slots);
        SL_ARRAY_FINI(ctx, &ids->begin);
        SL_ARRAY_FINI(ctx, &ids->text);
        sl_free(ctx, ids, sizeof *ids);
    }
}

int32_t sl_ids_count(const sl_ids *ids) {
    return ids->n;
}

/* ---- Runs --------------------------------------------------------------------------------------- */

static bool split_long(sl_str id, size_t *n_prefix, uint64_t *value) {
    size_t i = id.len;
    while (i > 0 && (unsigned char)(id.ptr[i - 1] - '0') < 10) {
        i--;
    }
    if (id.len - i > 18 || id.ptr[i] == '0') {
        return false;
    }
    uint64_t v = 0;
    for (size_t k = i; k < id.len; k++) {
        v = v * 10 + (uint64_t)(id.ptr[k] - '0');
    }
    *n_prefix = i;
    *value = v;
    return true;
}

/* The number at the end of an id and the length of what stands before it. false: no number, or one that counting
 * would not write so (leading zeros, more than 18 digits). Up to 7 digits are taken together from the last 8 bytes. */
static inline bool split(sl_str id, uint64_t last, size_t *n_prefix, uint64_t *value) {
    const uint64_t zeros = UINT64_C(0x3030303030303030); /* "00000000" */
    uint64_t d = last ^ zeros;                           /* a digit is its value now */
    uint64_t other = sl_other_than_digits(d);
    if (!other) {
        return split_long(id, n_prefix, value);
    }
    unsigned n = (unsigned)__builtin_clzll(other) / 8; /* digits */
    uint64_t before = UINT64_MAX >> (8 * n), first = (before + 1) * 0xff;
    if (n == 0 || (n > 1 && (d & first) == 0)) {
        return false;
    }
    *n_prefix = id.len - n;
    *value = sl_value_of_digits(d & ~before);
    return true;
}

static inline bool same_prefix(const sl_ids *ids, const run *r, sl_str id, size_t n_prefix) {
    const char *prefix = ids->text.at + r->prefix;
    return r->n_prefix == n_prefix && sl_same_bytes(prefix, id.ptr, n_prefix);
}

/* The index of an id that is in a run, or -1. */
static inline int32_t find_in_runs(const sl_ids *ids, sl_str id, size_t n_prefix, uint64_t value) {
    for (int32_t k = 0; k < ids->n_run; k++) {
        const run *r = &ids->runs[k];
        if (value - r->value < (uint64_t)r->n && same_prefix(ids, r, id, n_prefix)) {
            return r->index + (int32_t)(value - r->value);
        }
    }
    return -1;
}

/* Does the id go on where the last one stopped? Then it needs no place in the table. A run that has reached 2 members
 * gets a place of its own if there is one. */
static inline bool continues(sl_ids *ids, sl_str id, size_t n_prefix, uint64_t value) {
    run *r = &ids->last;
    if (r->n == 0 || value != r->value + (uint64_t)r->n || !same_prefix(ids, r, id, n_prefix)) {
        return false;
    }
    if (r->n == 1) {
        if (ids->n_run == MAX_RUN) {
            return false;
        }
        ids->runs[ids->n_run++] = *r;
        ids->n_loose--;
    }
    return true;
}

/* ---- Table -------------------------------------------------------------------------------------- */

/* The slot that the id would have, its index left open. */
static inline slot make_key(sl_str id, uint64_t last) {
    if (id.len <= 8) {
        return (slot){0, (uint32_t)id.len, last};
    }
    uint32_t n_more = id.len <= WHOLE ? (uint32_t)id.len - 8 : WHOLE - 8;
    uint32_t more = (uint32_t)sl_load4(id.ptr) << (32 - 8 * n_more) >> (24 - 8 * n_more);
    return (slot){0, more | (id.len <= WHOLE ? (uint32_t)id.len : LONG), last};
}

/* Where to look first, by all that the key says; longer ids by all of their text. */
static inline uint64_t hash_key(const slot *key, sl_str id) {
    if ((key->rest & 255) == LONG) {
        return sl_hash_bytes(id.ptr, id.len);
    }
    return fold(key->last ^ UINT64_C(0x9E3779B97F4A7C15),
                key->rest * UINT64_C(0x8CB92BA72F3D8DD7) ^ UINT64_C(0xD1B54A32D192ED03));
}

static inline bool same_id(const sl_ids *ids, const slot *s, const slot *key, sl_str id) {
    return s->last == key->last && s->rest == key->rest &&
           ((key->rest & 255) != LONG || sl_str_equal(sl_ids_text(ids, s->index_1 - 1), id));
}

/* The slot of the id, or the free one where it belongs. n_slot is not 0. */
static inline slot *probe(const sl_ids *ids, const slot *key, sl_str id) {
    size_t mask = ids->n_slot - 1;
    for (size_t i = (size_t)hash_key(key, id) & mask;; i = (i + 1) & mask) {
        slot *s = &ids->slots[i];
        if (s->index_1 == 0 || same_id(ids, s, key, id)) {
            return s;
        }
    }
}

/* The same of an id of up to 8 bytes: most of all. The word and the length of a free slot are 0, as of an empty id. */
static inline slot *probe_short(const sl_ids *ids, size_t len, uint64_t last) {
    slot key = {0, (uint32_t)len, last};
    size_t mask = ids->n_slot - 1, i = (size_t)hash_key(&key, (sl_str){0}) & mask;
    while ((ids->slots[i].last != last || ids->slots[i].rest != key.rest) && ids->slots[i].index_1 > 0) {
        i = (i + 1) & mask;
    }
    return &ids->slots[i];
}

static inline int32_t find_in_table(const sl_ids *ids, sl_str id, uint64_t last) {
    if (ids->n_table == 0) {
        return -1;
    }
    slot key = make_key(id, last);
    return probe(ids, &key, id)->index_1 - 1;
}

/* A function of its own, so that the quick way has nothing to save. */
__attribute__((noinline)) static int32_t find_any(const sl_ids *ids, sl_str id, uint64_t last) {
    size_t n_prefix;
    uint64_t value;
    if (ids->n_run > 0 && split(id, last, &n_prefix, &value)) {
        int32_t index = find_in_runs(ids, id, n_prefix, value);
        if (index >= 0) {
            return index;
        }
    }
    return find_in_table(ids, id, last);
}

int32_t sl_ids_find_word(const sl_ids *ids, sl_str id, uint64_t last) {
    if (ids->n_run == 0 && ids->n_table > 0 && id.len <= 8) {
        return probe_short(ids, id.len, last)->index_1 - 1;
    }
    return find_any(ids, id, last);
}

int32_t sl_ids_find(const sl_ids *ids, sl_str id) {
    return sl_ids_find_word(ids, id, sl_last_word(id.ptr, id.len));
}

int32_t sl_ids_find_near(const sl_ids *ids, sl_str id, uint64_t last, int32_t *hint) {
    for (int32_t i = *hint < 0 ? 0 : *hint; i < ids->n && i <= *hint + 1; i++) {
        sl_str text = sl_ids_text(ids, i);
        if (text.len == id.len && sl_last_word_within(text.ptr, text.len) == last &&
            (id.len <= 8 || sl_same_bytes(text.ptr, id.ptr, id.len))) {
            return *hint = i;
        }
    }
    int32_t index = sl_ids_find_word(ids, id, last);
    *hint = index < 0 ? *hint : index;
    return index;
}

/* A new id into the table, which has room. */
static void put(sl_ids *ids, sl_str id, uint64_t last, int32_t index) {
    slot key = make_key(id, last);
    slot *s = probe(ids, &key, id);
    *s = key;
    s->index_1 = index + 1;
    ids->n_table++;
}

/* Moves the slots to a table of n_slot (a power of two). Taken in the order of the old slots, so that the new
 * ones are written in a few streams and not all over. */
static bool rehash(sl_ids *ids, size_t n_slot) {
    bool overflow = false;
    size_t bytes = sl_mul_size(n_slot, sizeof(slot), &overflow);
    slot *slots = overflow ? NULL : sl_alloc(ids->ctx, bytes);
    if (!slots) {
        return false;
    }
    if (bytes <= WARM) {
        memset(slots, 0, bytes); /* it is 0, but not in the cache */
    }
    for (size_t i = 0; i < ids->n_slot; i++) {
        slot s = ids->slots[i];
        if (s.index_1) {
            sl_str id = {0};
            if ((s.rest & 255) == LONG) { /* else the slot says it all */
                id = sl_ids_text(ids, s.index_1 - 1);
            }
            size_t j = (size_t)hash_key(&s, id) & (n_slot - 1);
            while (slots[j].index_1) {
                j = (j + 1) & (n_slot - 1);
            }
            slots[j] = s;
        }
    }
    sl_free(ids->ctx, ids->slots, ids->n_slot * sizeof *ids->slots);
    ids->slots = slots;
    ids->n_slot = n_slot;
    return true;
}

bool sl_ids_reserve(sl_ids *ids, int64_t n, int64_t n_byte) {
    if (n < 0 || n >= INT32_MAX || n_byte < 0 || n_byte > INT64_MAX / 2) {
        return false;
    }
    size_t n_slot = ids->n_slot ? ids->n_slot : 16;
    while (n_slot < (size_t)n * 2) {
        n_slot *= 2;
    }
    ids->reserved = n_slot > ids->reserved ? n_slot : ids->reserved; /* taken when ids do not count */
    return SL_RESERVE(ids->ctx, &ids->begin, n + 1) && SL_RESERVE(ids->ctx, &ids->text, n_byte + n + 2 * PAD);
}

/* Room for one more id of len bytes; nothing visible changes when it fails. */
static bool alloc_buffers(sl_ids *ids, size_t len) {
    if (ids->n >= INT32_MAX - 1 || len > (size_t)(INT64_MAX / 4)) {
        return false;
    }
    int64_t end = ids->text.n + (int64_t)len + 1 + 2 * PAD;
    if (!SL_RESERVE(ids->ctx, &ids->begin, (int64_t)ids->n + 2) || !SL_RESERVE(ids->ctx, &ids->text, end)) {
        return false;
    }
    assert(ids->text.at);
    if (ids->text.n == 0) {
        memset(ids->text.at, 0, PAD);
        ids->text.n = PAD;
    }
    return true;
}

static bool has_slot(const sl_ids *ids) {
    return ((size_t)ids->n_table + 1) * 2 <= ids->n_slot;
}

/* Room for one more slot. */
static bool make_slot(sl_ids *ids) {
    enum { SMALL = 1024 }; /* a table this small is no sign yet that ids do not count */
    if (has_slot(ids)) {
        return true;
    }
    size_t grown = ids->n_slot ? ids->n_slot * 2 : 16;
    return rehash(ids, grown > SMALL && ids->reserved > grown ? ids->reserved : grown);
}

static inline bool has_room(const sl_ids *ids, size_t len) {
    return ids->n > 0 && ids->n + 2 <= ids->begin.cap && len + PAD < (size_t)(ids->text.cap - ids->text.n);
}

/* The text goes to the end of the pool; the id may be a part of a text that is there, and moves with it. */
static bool add_text(sl_ids *ids, sl_str *id, uint64_t last) {
    if (!has_room(ids, id->len)) {
        uintptr_t offset = (uintptr_t)id->ptr - (uintptr_t)ids->text.at;
        bool inside = ids->text.at && offset < (uintptr_t)ids->text.n;
        if (!alloc_buffers(ids, id->len)) {
            return false;
        }
        id->ptr = inside ? ids->text.at + offset : id->ptr;
    }
    assert(ids->text.at);
    char *to = ids->text.at + ids->text.n;
    if (id->len > 8) {
        memcpy(to, id->ptr, id->len);
    } else if (id->len > 0) {
        sl_store8(to, last >> (64 - 8 * id->len));
    }
    to[id->len] = '\0';
    id->ptr = to;
    return true;
}

/* The text behind the pool's end becomes the next id's; returns where it begins. */
static int64_t take_text(sl_ids *ids, sl_str id) {
    int64_t begin = ids->text.n;
    ids->begin.at[ids->n++] = begin;
    ids->text.n += (int64_t)id.len + 1;
    ids->begin.at[ids->n] = ids->text.n;
    return begin;
}

/* Puts all members of the runs into the table and is done with runs. */
static bool give_up_runs(sl_ids *ids) {
    size_t n_slot = ids->n_slot, n = (size_t)ids->n + 1;
    while (n_slot < n * 2) {
        n_slot *= 2;
    }
    if (n_slot > ids->n_slot && !rehash(ids, n_slot > ids->reserved ? n_slot : ids->reserved)) {
        return false;
    }
    for (int32_t k = 0; k < ids->n_run; k++) {
        for (int32_t i = ids->runs[k].index + 1; i < ids->runs[k].index + ids->runs[k].n; i++) {
            sl_str id = sl_ids_text(ids, i);
            put(ids, id, sl_last_word_within(id.ptr, id.len), i);
        }
    }
    ids->n_run = ids->n_loose = 0;
    ids->last.n = 0;
    ids->plain = true;
    return true;
}

static bool runs_do_not_pay(const sl_ids *ids) {
    if (ids->n_loose >= MANY_LOOSE && ids->n_loose > ids->n / 2) {
        return true;
    }
    int64_t n = 0;
    for (int32_t k = 0; k < ids->n_run; k++) {
        n += ids->runs[k].n;
    }
    return ids->n_run == MAX_RUN && n < MAX_RUN * SHORT_RUN;
}

/* An id that counts, of the number value behind a prefix. */
static int32_t add_counting(sl_ids *ids, sl_str id, uint64_t last, size_t n_prefix, uint64_t value) {
    int32_t index = find_in_runs(ids, id, n_prefix, value);
    if (index >= 0) {
        return -1 - index;
    }
    /* An id that counts on is new if every id like it is in a run. */
    bool surely_new =
        ids->n_loose == (ids->last.n == 1) && ids->last.n > 0 && value == ids->last.value + (uint64_t)ids->last.n;
    index = surely_new ? -1 : find_in_table(ids, id, last);
    if (index >= 0) {
        return -1 - index;
    }
    if (!add_text(ids, &id, last) || !make_slot(ids)) {
        return INT32_MIN;
    }
    index = ids->n;
    int64_t begin = take_text(ids, id);
    if (continues(ids, id, n_prefix, value)) {
        ids->runs[ids->n_run - 1].n = ++ids->last.n;
    } else {
        put(ids, id, last, index);
        ids->n_loose++;
        ids->last = (run){.prefix = begin, .n_prefix = n_prefix, .value = value, .index = index, .n = 1};
    }
    return index;
}

/* Any other. */
static int32_t add_plain(sl_ids *ids, sl_str id, uint64_t last) {
    if (!make_slot(ids)) {
        return INT32_MIN;
    }
    slot key = make_key(id, last);
    slot *s = probe(ids, &key, id);
    if (s->index_1) {
        return -s->index_1; /* -1 - index */
    }
    if (!add_text(ids, &id, last)) {
        return INT32_MIN;
    }
    *s = key;
    s->index_1 = ids->n + 1;
    ids->n_table++;
    ids->last.n = 0;
    (void)take_text(ids, id);
    return ids->n - 1;
}

/* A function of its own, so that the quick way has nothing to save. */
__attribute__((noinline)) static int32_t add_any(sl_ids *ids, sl_str id, uint64_t last) {
    size_t n_prefix;
    uint64_t value;
    if ((ids->n_run == MAX_RUN || ids->n_loose >= MANY_LOOSE) && runs_do_not_pay(ids) && !give_up_runs(ids)) {
        return INT32_MIN;
    }
    return !ids->plain && split(id, last, &n_prefix, &value) ? add_counting(ids, id, last, n_prefix, value)
                                                             : add_plain(ids, id, last);
}

int32_t sl_ids_add_word(sl_ids *ids, sl_str id, uint64_t last) {
    if (!ids->plain || id.len - 1 >= 8 || !has_slot(ids) || !has_room(ids, id.len)) {
        return add_any(ids, id, last);
    }
    slot *s = probe_short(ids, id.len, last);
    if (s->index_1) {
        return -s->index_1; /* -1 - index */
    }
    char *to = ids->text.at + ids->text.n;
    sl_store8(to, last >> (64 - 8 * id.len));
    to[id.len] = '\0';
    (void)take_text(ids, id);
    *s = (slot){ids->n, (uint32_t)id.len, last};
    ids->n_table++;
    return ids->n - 1;
}

int32_t sl_ids_add(sl_ids *ids, sl_str id) {
    return sl_ids_add_word(ids, id, sl_last_word(id.ptr, id.len));
}

sl_str sl_ids_text(const sl_ids *ids, int32_t index) {
    assert(index >= 0 && index < ids->n);
    int64_t b = ids->begin.at[index];
    return (sl_str){ids->text.at + b, (size_t)(ids->begin.at[index + 1] - b - 1)};
}

const char *sl_ids_z(const sl_ids *ids, int32_t index) {
    return sl_ids_text(ids, index).ptr;
}
