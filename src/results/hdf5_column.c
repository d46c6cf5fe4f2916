/* SPDX-License-Identifier: MIT */
/* hdf5_column.c: chunks and columns out of an HDF5 file; see hdf5_get.h.
 *
 * The chunks of a dataset were written one after the other: their addresses rise. What holds for a file of ours keeps a hostile one
 * from naming a chunk or a node again and again: the tree cannot have more nodes than the file has room for.
 */
#include <string.h>

#include "base/bytes.h"
#include "results/hdf5_get.h"

enum { LEVELS = 10, MOST_PACKED = 1100 /* bytes that deflate makes of one, at most: 1032 */ };

static const char wrong_tree[] = "a dataset has other chunks than it should";

/* ---- Chunks ------------------------------------------------------------------------------------- */

typedef struct walk {
    sl_hdf5_input *in;
    const sl_hdf5_node *set;
    sl_hdf5_pieces *out;
    int64_t n;        /* chunks that there must be */
    uint64_t columns; /* of chunks */
    uint64_t end;     /* of the last chunk */
    int64_t n_node;   /* that may still come */
} walk;

/* Bytes of a chunk that is not packed. */
static uint64_t whole_chunk(const sl_hdf5_node *set) {
    uint64_t columns = set->rank == 2 ? set->chunk[1] : 1; /* below 2^32 each */
    bool overflow = columns > (UINT64_MAX >> 8) / set->chunk[0];
    return overflow ? UINT64_MAX : columns * set->chunk[0] * sl_hdf5_types[set->type].size;
}

/* The chunk that a key and the address behind it name: is it the next one? */
static bool add_chunk(walk *w, const char *key) {
    const sl_hdf5_node *set = w->set;
    const uint64_t k = (uint64_t)w->out->n, at[2] = {k / w->columns, k % w->columns}, whole = whole_chunk(set);
    sl_hdf5_piece piece = {sl_load8(key + sl_hdf5_tree_key(set->rank)), (uint32_t)sl_load4(key)};
    bool fine = w->out->n < w->n && sl_load4(key + 4) == 0 && piece.at >= w->end && piece.n <= w->in->size &&
                piece.at <= w->in->size - piece.n && piece.n > 0;
    for (int i = 0; i < set->rank; i++) {
        fine = fine && sl_load8(key + 8 + 8 * i) == at[i] * set->chunk[i];
    }
    fine = fine && (set->packed ? whole <= (uint64_t)piece.n * MOST_PACKED : piece.n == whole);
    w->end = piece.at + piece.n;
    if (!fine) {
        sl_hdf5_reject(w->in, wrong_tree);
    }
    return fine && sl_hdf5_keep(w->in, SL_PUSH(w->in->ctx, w->out, piece));
}

/* The children of a node, from left to right. Its level is below the one above it, so that this ends. */
static bool walk_node(walk *w, uint64_t at, int most) { /* NOLINT(misc-no-recursion): at most LEVELS deep */
    const size_t key = sl_hdf5_tree_key(w->set->rank), size = sl_hdf5_tree_node(w->set->rank);
    char node[SL_HDF5_TREE_HEAD + SL_HDF5_TREE_CHILDREN * 8 + (SL_HDF5_TREE_CHILDREN + 1) * 32];
    if (!sl_hdf5_read(w->in, at, node, size)) {
        return false;
    }
    int level = (unsigned char)node[5];
    uint64_t n = sl_load_up_to_8(node + 6, 2);
    if (memcmp(node, "TREE\x01", 5) != 0 || level > most || n == 0 || n > SL_HDF5_TREE_CHILDREN || w->n_node-- <= 0) {
        sl_hdf5_reject(w->in, wrong_tree);
    }
    for (uint64_t i = 0; i < n && w->in->status == SL_OK; i++) {
        const char *child = node + SL_HDF5_TREE_HEAD + i * (key + 8);
        if (level == 0) {
            (void)add_chunk(w, child);
        } else {
            (void)walk_node(w, sl_load8(child + key), level - 1);
        }
    }
    return w->in->status == SL_OK;
}

static uint64_t ceil_of(uint64_t n, uint64_t each) {
    return n / each + (n % each > 0);
}

bool sl_hdf5_get_chunks(sl_hdf5_input *in, const sl_hdf5_node *set, sl_hdf5_pieces *out) {
    if (in->status == SL_OK && (!set->chunked || set->type == SL_HDF5_TYPES || set->chunk[0] == 0)) {
        sl_hdf5_reject(in, wrong_tree);
    }
    if (in->status != SL_OK) {
        return false;
    }
    walk w = {.in = in, .set = set, .out = out, .columns = 1};
    if (set->rank == 2) {
        w.columns = set->chunk[1] > 0 ? ceil_of(set->shape[1], set->chunk[1]) : 0;
    }
    uint64_t rows = ceil_of(set->shape[0], set->chunk[0]);
    if (rows > in->size || w.columns > in->size || (w.columns > 0 && rows > in->size / w.columns)) {
        sl_hdf5_reject(in, "a dataset has fewer values than it says");
        return false;
    }
    w.n = (int64_t)(rows * w.columns);
    w.n_node = (int64_t)(in->size / sl_hdf5_tree_node(set->rank)) + 1;
    if (w.n > 0 && walk_node(&w, set->data, LEVELS) && out->n != w.n) {
        sl_hdf5_reject(in, wrong_tree);
    }
    return in->status == SL_OK;
}

/* ---- Columns ------------------------------------------------------------------------------------ */

/* Bytes of all values of a dataset of one dimension; NULL: it failed, or there are none. Given back by sl_free, *size bytes. */
static char *load(sl_hdf5_input *in, const sl_hdf5_node *set, sl_hdf5_type type, size_t *size) {
    *size = 0;
    if (in->status == SL_OK && (set->type != type || set->rank != 1 || set->packed)) {
        sl_hdf5_reject(in, "a dataset has another type or shape than it should");
    }
    const uint64_t each = sl_hdf5_types[type].size, n = set->shape[0];
    if (in->status == SL_OK && n > in->size / each) {
        sl_hdf5_reject(in, "a dataset has more values than the file has bytes");
    }
    if (in->status != SL_OK || n == 0) {
        return NULL;
    }
    sl_hdf5_pieces pieces = {0};
    char *bytes = NULL;
    if (!set->chunked || sl_hdf5_get_chunks(in, set, &pieces)) {
        *size = (size_t)(n * each);
        bytes = sl_alloc(in->ctx, *size);
        (void)sl_hdf5_keep(in, bytes != NULL);
    }
    if (bytes && !set->chunked) {
        (void)sl_hdf5_read(in, set->data, bytes, *size);
    }
    size_t at = 0;
    for (int64_t i = 0; bytes && i < pieces.n; i++) {
        size_t k = pieces.at[i].n < *size - at ? pieces.at[i].n : *size - at;
        (void)sl_hdf5_read(in, pieces.at[i].at, bytes + at, k);
        at += k;
    }
    SL_ARRAY_FINI(in->ctx, &pieces);
    *size = bytes ? *size : 0;
    return bytes;
}

/* Memory for n values; NULL: it failed. */
static void *column_of(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, size_t each, int64_t *n) {
    *n = in->status == SL_OK ? (int64_t)set->shape[0] : 0;
    void *to = in->status == SL_OK ? sl_arena_alloc(arena, (size_t)*n * each) : NULL;
    (void)sl_hdf5_keep(in, to != NULL);
    return to;
}

const double *sl_hdf5_get_reals(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, int64_t *n) {
    size_t size = 0;
    char *bytes = load(in, set, SL_HDF5_REAL, &size);
    double *to = column_of(in, arena, set, sizeof *to, n);
    for (int64_t i = 0; to && i < *n; i++) {
        uint64_t word = sl_load8(bytes + 8 * i);
        memcpy(to + i, &word, sizeof word);
    }
    sl_free(in->ctx, bytes, size);
    return to;
}

const int32_t *sl_hdf5_get_ints(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, int64_t *n) {
    size_t size = 0;
    char *bytes = load(in, set, SL_HDF5_INT, &size);
    int32_t *to = column_of(in, arena, set, sizeof *to, n);
    for (int64_t i = 0; to && i < *n; i++) {
        to[i] = (int32_t)(uint32_t)sl_load4(bytes + 4 * i);
    }
    sl_free(in->ctx, bytes, size);
    return to;
}

const char *const *sl_hdf5_get_texts(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, int64_t *n) {
    size_t size = 0;
    char *bytes = load(in, set, SL_HDF5_TEXT, &size);
    const char **to = column_of(in, arena, set, sizeof *to, n);
    for (int64_t i = 0; to && i < *n && in->status == SL_OK; i++) {
        to[i] = sl_hdf5_get_reference(in, arena, bytes + SL_HDF5_REFERENCE * i);
    }
    sl_free(in->ctx, bytes, size);
    return in->status == SL_OK ? to : NULL;
}
