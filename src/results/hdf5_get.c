/* SPDX-License-Identifier: MIT */
/* hdf5_get.c: headers, attributes and texts out of an HDF5 file; see hdf5_get.h. */
#include "results/hdf5_get.h"

#include <string.h>

#include "base/bytes.h"
#include "results/format.h"

enum { BUDGET = 64 << 20, HEADER_MOST = 1 << 28 /* bytes */ };

static const char not_ours[] = "it is not as Sluice writes it", damaged[] = "it is damaged";

void sl_hdf5_reject(sl_hdf5_input *in, const char *reason) {
    if (in->status == SL_OK) {
        in->status = SL_ERR_INPUT;
        in->reason = reason;
    }
}

bool sl_hdf5_keep(sl_hdf5_input *in, bool kept) {
    if (!kept && in->status == SL_OK) {
        in->status = SL_ERR_MEMORY;
    }
    return kept;
}

void sl_hdf5_input_init(sl_hdf5_input *in, sl_context *ctx, const sl_source_bytes *bytes, uint64_t size) {
    *in = (sl_hdf5_input){.ctx = ctx, .bytes = bytes, .size = size};
    in->budget = (int64_t)(size < INT64_MAX / 64 ? size * 8 : INT64_MAX / 8) + BUDGET;
}

void sl_hdf5_input_fini(sl_hdf5_input *in) {
    if (in->ctx) {
        sl_free(in->ctx, in->heap.bytes, in->heap.size);
        sl_free(in->ctx, in->heap.entry, in->heap.n_entry * sizeof *in->heap.entry);
    }
}

/* Bytes that are read or kept once more. */
static bool spend(sl_hdf5_input *in, uint64_t n) {
    if (in->status == SL_OK && (in->budget < 0 || n > (uint64_t)in->budget)) {
        sl_hdf5_reject(in, "it has too many shared objects");
    } else {
        in->budget -= (int64_t)n;
    }
    return in->status == SL_OK;
}

bool sl_hdf5_read(sl_hdf5_input *in, uint64_t at, void *to, uint64_t n) {
    if (in->status == SL_OK && (at > in->size || n > in->size - at)) {
        sl_hdf5_reject(in, damaged);
    }
    if (in->status == SL_OK && n > 0) {
        sl_status status = in->bytes->read(in->bytes->user, at, to, (size_t)n);
        in->status = status;
        in->reason = status == SL_OK ? NULL : "it cannot be read";
    }
    return in->status == SL_OK;
}

/* ---- Headers ------------------------------------------------------------------------------------ */

/* Bytes in memory that are taken from the front. */
typedef struct view {
    const char *at;
    size_t n;
    bool failed;
} view;

static const char *take(view *v, size_t n) {
    const char *at = v->at;
    v->failed = v->failed || n > v->n;
    if (!v->failed) {
        v->at += n;
        v->n -= n;
    }
    return v->failed ? NULL : at;
}

static uint64_t take_word(view *v, size_t n) {
    const char *at = take(v, n);
    return at ? sl_load_up_to_8(at, n) : 0;
}

uint64_t sl_hdf5_get_root(sl_hdf5_input *in) {
    char block[SL_HDF5_SUPERBLOCK];
    if (!sl_hdf5_read(in, 0, block, sizeof block)) {
        return 0;
    }
    view v = {block, sizeof block, false};
    bool fine = memcmp(take(&v, 8), sl_hdf5_mark, 8) == 0 && take_word(&v, 4) == 0x00080802;
    fine = fine && take_word(&v, 8) == 0 && take_word(&v, 8) == SL_HDF5_NOWHERE && take_word(&v, 8) == in->size;
    uint64_t root = take_word(&v, 8);
    if (!fine || take_word(&v, 4) != sl_hdf5_checksum((unsigned char *)block, sizeof block - 4)) {
        sl_hdf5_reject(in, not_ours);
    }
    return root;
}

/* The header with its checksum. */
static bool load_header(sl_hdf5_input *in, uint64_t at, sl_hdf5_node *node) {
    char head[SL_HDF5_HEADER_HEAD];
    if (!sl_hdf5_read(in, at, head, sizeof head)) {
        return false;
    }
    uint64_t n = sl_load4(head + 6) + sizeof head + 4;
    if (memcmp(head, "OHDR\x02", 5) != 0 || head[5] != SL_HDF5_HEADER_FLAGS || n > HEADER_MOST || n > in->size) {
        sl_hdf5_reject(in, not_ours);
    }
    if (!spend(in, n)) {
        return false;
    }
    node->bytes = sl_alloc(in->ctx, (size_t)n);
    node->n = node->bytes ? (size_t)n : 0;
    if (!sl_hdf5_keep(in, node->bytes != NULL) || !sl_hdf5_read(in, at, node->bytes, n)) {
        return false;
    }
    if (sl_load4(node->bytes + n - 4) != sl_hdf5_checksum((unsigned char *)node->bytes, (size_t)n - 4)) {
        sl_hdf5_reject(in, damaged);
    }
    return in->status == SL_OK;
}

static bool take_space(view *v, sl_hdf5_node *node) {
    bool fine = take_word(v, 1) == 2;
    uint64_t rank = take_word(v, 1), flags = take_word(v, 1);
    fine = fine && rank >= 1 && rank <= 2 && flags <= 1 && take_word(v, 1) == 1;
    node->rank = fine ? (int)rank : -1;
    for (int i = 0; i < node->rank; i++) {
        node->shape[i] = take_word(v, 8);
    }
    return fine;
}

static sl_hdf5_type type_of(const char *form, size_t n) {
    int k = 0;
    while (k < SL_HDF5_TYPES && (n != sl_hdf5_types[k].n || memcmp(form, sl_hdf5_types[k].form, n) != 0)) {
        k++;
    }
    return (sl_hdf5_type)k;
}

static bool take_layout(view *v, sl_hdf5_node *node) {
    bool fine = take_word(v, 1) == 3;
    uint64_t class = take_word(v, 1);
    node->chunked = class == 2;
    if (node->chunked) {
        uint64_t n = take_word(v, 1);
        node->data = take_word(v, 8);
        for (uint64_t i = 0; i + 1 < n && i < 2; i++) {
            node->chunk[i] = take_word(v, 4);
        }
        return fine && n >= 2 && n <= 3 && node->chunk[0] > 0 && (n == 2 || node->chunk[1] > 0);
    }
    node->data = take_word(v, 8);
    return fine && class == 1;
}

/* Notes where an attribute begins, by its name. */
static bool note_attribute(sl_hdf5_input *in, sl_hdf5_node *node, const view *v) {
    view a = *v;
    bool fine = take_word(&a, 2) == 3;
    size_t n = (size_t)take_word(&a, 2);
    (void)take(&a, 5);
    const char *name = take(&a, n);
    fine = fine && name && n > 0 && name[n - 1] == '\0' && strlen(name) == n - 1;
    int32_t k = fine ? sl_ids_add(node->names, (sl_str){name, n - 1}) : -1;
    if (k == node->attributes.n) { /* else its name is there twice */
        return sl_hdf5_keep(in, SL_PUSH(in->ctx, &node->attributes, (size_t)(v->at - node->bytes)));
    }
    return sl_hdf5_keep(in, k != INT32_MIN) && false;
}

static bool take_link(sl_hdf5_input *in, view *v, sl_hdf5_node *node) {
    bool fine = take_word(v, 2) == 0x1601;
    (void)take(v, 9);
    (void)take(v, (size_t)take_word(v, 4));
    uint64_t at = take_word(v, 8);
    return fine && !v->failed && sl_hdf5_keep(in, SL_PUSH(in->ctx, &node->links, at));
}

static bool take_message(sl_hdf5_input *in, sl_hdf5_node *node, uint64_t kind, view *v) {
    switch (kind) {
    case SL_HDF5_SPACE: return take_space(v, node);
    case SL_HDF5_TYPE: node->type = type_of(v->at, v->n); return true;
    case SL_HDF5_LAYOUT: return take_layout(v, node);
    case SL_HDF5_FILTERS: node->packed = true; return true;
    case SL_HDF5_ATTRIBUTE: return note_attribute(in, node, v);
    case SL_HDF5_LINK: return take_link(in, v, node);
    case SL_HDF5_FILL:
    case SL_HDF5_LINK_INFO:
    case SL_HDF5_GROUP_INFO:
    case SL_HDF5_ATTRIBUTE_INFO: return true;
    default: return false;
    }
}

bool sl_hdf5_get_node(sl_hdf5_input *in, uint64_t at, sl_hdf5_node *node) {
    *node = (sl_hdf5_node){.type = SL_HDF5_TYPES, .rank = -1};
    if (!load_header(in, at, node)) {
        return false;
    }
    node->names = sl_ids_create(in->ctx);
    if (!sl_hdf5_keep(in, node->names != NULL)) {
        return false;
    }
    view all = {node->bytes + SL_HDF5_HEADER_HEAD, node->n - SL_HDF5_HEADER_HEAD - 4, false};
    while (all.n > 0 && in->status == SL_OK) {
        uint64_t kind = take_word(&all, 1);
        size_t n = (size_t)take_word(&all, 2);
        (void)take(&all, 3);
        view message = {take(&all, n), n, all.failed};
        if (all.failed || !take_message(in, node, kind, &message) || message.failed) {
            sl_hdf5_reject(in, not_ours);
        }
    }
    return in->status == SL_OK;
}

void sl_hdf5_node_fini(sl_hdf5_input *in, sl_hdf5_node *node) {
    sl_free(in->ctx, node->bytes, node->n);
    sl_ids_destroy(node->names);
    SL_ARRAY_FINI(in->ctx, &node->links);
    SL_ARRAY_FINI(in->ctx, &node->attributes);
    *node = (sl_hdf5_node){.rank = -1};
}

/* ---- Texts -------------------------------------------------------------------------------------- */

/* Where the texts of the heap in memory stand. */
static void list_entries(sl_hdf5_input *in) {
    sl_hdf5_heap *heap = &in->heap;
    memset(heap->entry, 0, heap->n_entry * sizeof *heap->entry);
    for (size_t at = SL_HDF5_HEAP_HEAD; at + SL_HDF5_HEAP_HEAD <= heap->n;) {
        size_t number = (size_t)sl_load_up_to_8(heap->bytes + at, 2);
        uint64_t n = sl_load8(heap->bytes + at + 8);
        if (number == 0) {
            return;
        }
        if (n > heap->n - at - SL_HDF5_HEAP_HEAD || number >= heap->n_entry) {
            sl_hdf5_reject(in, damaged);
            return;
        }
        heap->entry[number] = (uint32_t)at;
        at += SL_HDF5_HEAP_HEAD + (size_t)sl_hdf5_round_up(n);
    }
}

static bool load_heap(sl_hdf5_input *in, uint64_t at) {
    sl_hdf5_heap *heap = &in->heap;
    char head[SL_HDF5_HEAP_HEAD];
    if (heap->at == at) {
        return in->status == SL_OK;
    }
    heap->at = 0;
    if (!sl_hdf5_read(in, at, head, sizeof head)) {
        return false;
    }
    uint64_t n = sl_load8(head + 8);
    if (memcmp(head, "GCOL\x01", 5) != 0 || n < SL_HDF5_HEAP_LEAST || n > in->size || n > UINT32_MAX) {
        sl_hdf5_reject(in, damaged);
    }
    if (!spend(in, n)) {
        return false;
    }
    if (n > heap->size) {
        size_t n_entry = (size_t)n / SL_HDF5_HEAP_HEAD;
        sl_hdf5_input_fini(in);
        *heap = (sl_hdf5_heap){.bytes = sl_alloc(in->ctx, (size_t)n)};
        heap->size = heap->bytes ? (size_t)n : 0;
        heap->n_entry = n_entry < 65536 ? n_entry : 65536;
        heap->entry = sl_alloc(in->ctx, heap->n_entry * sizeof *heap->entry);
        heap->n_entry = heap->entry ? heap->n_entry : 0;
        if (!sl_hdf5_keep(in, heap->bytes && heap->entry)) {
            return false;
        }
    }
    heap->n = (size_t)n;
    if (sl_hdf5_read(in, at, heap->bytes, n)) {
        list_entries(in);
    }
    heap->at = in->status == SL_OK ? at : 0;
    return in->status == SL_OK;
}

const char *sl_hdf5_get_reference(sl_hdf5_input *in, sl_arena *arena, const char *reference) {
    uint64_t n = sl_load4(reference), at = sl_load8(reference + 4), number = sl_load4(reference + 12);
    if (n == 0) {
        return "";
    }
    if (!load_heap(in, at)) {
        return NULL;
    }
    uint32_t entry = number < in->heap.n_entry ? in->heap.entry[number] : 0;
    if (entry == 0 || sl_load8(in->heap.bytes + entry + 8) != n) {
        sl_hdf5_reject(in, damaged);
        return NULL;
    }
    if (!spend(in, n + 1)) {
        return NULL;
    }
    char *text = sl_arena_copy(arena, (sl_str){in->heap.bytes + entry + SL_HDF5_HEAP_HEAD, (size_t)n});
    const char *valid = text ? sl_results_text(arena, text) : NULL;
    (void)sl_hdf5_keep(in, valid != NULL);
    return valid;
}

/* ---- Attributes --------------------------------------------------------------------------------- */

bool sl_hdf5_has(const sl_hdf5_node *of, const char *name) {
    return of->names && sl_ids_find(of->names, sl_str_z(name)) >= 0;
}

/* The value of an attribute and its type; NULL: there is none of one value. */
static const char *find(const sl_hdf5_node *of, const char *name, sl_hdf5_type *type) {
    int32_t k = of->names ? sl_ids_find(of->names, sl_str_z(name)) : -1;
    if (k < 0) {
        return NULL;
    }
    view v = {of->bytes + of->attributes.at[k], of->n - of->attributes.at[k], false};
    (void)take(&v, 2);
    size_t n_name = (size_t)take_word(&v, 2), n_type = (size_t)take_word(&v, 2), n_space = (size_t)take_word(&v, 2);
    (void)take(&v, 1 + n_name);
    const char *form = take(&v, n_type);
    *type = form ? type_of(form, n_type) : SL_HDF5_TYPES;
    view space = {take(&v, n_space), n_space, v.failed};
    bool single = n_space == 4 && take_word(&space, 4) == 2;
    return single && *type < SL_HDF5_TYPES ? take(&v, sl_hdf5_types[*type].size) : NULL;
}

/* The value of an attribute of that type; NULL: it failed. */
static const char *find_value(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name, sl_hdf5_type wanted) {
    sl_hdf5_type type = SL_HDF5_TYPES;
    const char *value = in->status == SL_OK ? find(of, name, &type) : NULL;
    if (!value || type != wanted) {
        sl_hdf5_reject(in, "an attribute has another type than it should");
        return NULL;
    }
    return value;
}

const char *sl_hdf5_get_text(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *of, const char *name) {
    if (in->status != SL_OK || !sl_hdf5_has(of, name)) {
        return "";
    }
    const char *value = find_value(in, of, name, SL_HDF5_TEXT);
    const char *text = value ? sl_hdf5_get_reference(in, arena, value) : NULL;
    return text ? text : "";
}

const char *const *sl_hdf5_get_list(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *of, const char *name,
                                    int32_t *n) {
    const char *joined = sl_hdf5_get_text(in, arena, of, name);
    size_t size = strlen(joined);
    int32_t count = 0;
    for (size_t i = 0; i < size; i++) {
        count += joined[i] == '\n';
    }
    const char **list = sl_arena_alloc(arena, (size_t)count * sizeof *list);
    char *to = sl_arena_alloc(arena, size + 1);
    (void)sl_hdf5_keep(in, list && to);
    *n = 0;
    for (const char *c = joined; list && to && *n < count;) {
        list[(*n)++] = to;
        for (; *c != '\n'; c++) { /* there is one */
            bool escaped = c[0] == '\\' && c[1] != '\n';
            c += escaped;
            *to++ = (char)(escaped && *c == 'n' ? '\n' : *c);
        }
        *to++ = '\0';
        c++;
    }
    return list;
}

double sl_hdf5_get_number(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name) {
    double x = 0.0;
    const char *value = find_value(in, of, name, SL_HDF5_REAL);
    uint64_t word = value ? sl_load8(value) : 0;
    memcpy(&x, &word, sizeof x);
    return x;
}

bool sl_hdf5_get_flag(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name) {
    const char *value = find_value(in, of, name, SL_HDF5_CODE);
    return value && *value != 0;
}

bool sl_hdf5_is_text(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name) {
    sl_hdf5_type type = SL_HDF5_TYPES;
    if (in->status == SL_OK && !find(of, name, &type)) {
        sl_hdf5_reject(in, "an attribute has another type than it should");
    }
    return type == SL_HDF5_TEXT;
}
