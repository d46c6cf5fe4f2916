/* SPDX-License-Identifier: MIT */
/* hdf5_header.c: what an HDF5 file has behind its values: trees over chunks, texts of attributes, headers, superblock, seal.
 *
 * Headers name each other: a dataset its scales, a scale its users. So their lengths are counted first, by the functions that write
 * them, and their addresses follow.
 */
#include <math.h>
#include <string.h>

#include "base/bytes.h"
#include "results/hdf5_put.h"

static const char too_long[] = "a name is longer than 64 kB, or an object has too many attributes";

/* Bytes that are counted (to NULL), or written. */
typedef struct cursor {
    char *to;
    size_t n;
    bool too_long;
} cursor;

static void put_bytes(cursor *c, const void *bytes, size_t n) {
    if (c->to && n > 0) {
        memcpy(c->to + c->n, bytes, n);
    }
    c->n += n;
}

/* The lower n bytes of a word. */
static void put_word(cursor *c, uint64_t word, size_t n) {
    char bytes[8];
    sl_store8(bytes, word);
    put_bytes(c, bytes, n);
}

static size_t begin_message(cursor *c, int kind, int flags, uint64_t order) {
    put_word(c, (uint64_t)kind, 1);
    put_word(c, 0, 2);
    put_word(c, (uint64_t)flags, 1);
    put_word(c, order, 2);
    return c->n;
}

static void end_message(cursor *c, size_t begin) {
    size_t n = c->n - begin;
    c->too_long = c->too_long || n > SL_HDF5_MESSAGE_MAX;
    if (c->to) {
        cursor size = {c->to + begin - SL_HDF5_MESSAGE_HEAD + 1, 0, false};
        put_word(&size, n, 2);
    }
}

/* ---- Attributes --------------------------------------------------------------------------------- */

/* Texts of attributes and lists of scales, as they are referred to. */
typedef struct references {
    char *text;      /* of texts: those of attributes first, in the order of objects and attributes */
    char *dimension; /* of the scales, in the order of objects and dimensions */
    int64_t n_text, n_dimension;
} references;

/* Head of an attribute; n: values of one dimension, 0: a single one. */
static size_t begin_attribute(cursor *c, uint64_t *order, const char *name, const void *type, size_t n_type,
                              uint64_t n) {
    size_t begin = begin_message(c, SL_HDF5_ATTRIBUTE, 0, (*order)++);
    c->too_long = c->too_long || *order > SL_HDF5_MESSAGE_MAX || strlen(name) >= SL_HDF5_MESSAGE_MAX;
    put_word(c, 3, 2); /* version, flags */
    put_word(c, strlen(name) + 1, 2);
    put_word(c, n_type, 2);
    put_word(c, n > 0 ? 12 : 4, 2);
    put_word(c, 1, 1); /* UTF-8 */
    put_bytes(c, name, strlen(name) + 1);
    put_bytes(c, type, n_type);
    put_word(c, n > 0 ? 0x01000102 : 0x00000002, 4); /* version, rank, flags, type */
    put_word(c, n, n > 0 ? 8 : 0);
    return begin;
}

static void put_attribute(cursor *c, uint64_t *order, const sl_hdf5_attribute *a, references *r) {
    const sl_hdf5_type_form *form = &sl_hdf5_types[a->type];
    size_t begin = begin_attribute(c, order, a->name, form->form, form->n, (uint64_t)a->n);
    uint64_t word;
    memcpy(&word, &a->number, sizeof word);
    switch (a->type) {
    case SL_HDF5_TEXT: put_bytes(c, r->text + r->n_text++ * SL_HDF5_REFERENCE, SL_HDF5_REFERENCE); break;
    case SL_HDF5_REAL: put_word(c, word, 8); break;
    default:
        for (int32_t i = 0; i < a->n; i++) {
            put_word(c, (uint64_t)i, 1);
        }
        put_word(c, a->number != 0.0, a->n > 0 ? 0 : 1);
    }
    end_message(c, begin);
}

/* A text of fixed length, with its end, as the specification of dimension scales has it. */
static void put_fixed_text(cursor *c, uint64_t *order, const char *name, const char *text) {
    char type[8] = {0x13, 0, 0, 0};
    cursor size = {type + 4, 0, false};
    put_word(&size, strlen(text) + 1, 4);
    size_t begin = begin_attribute(c, order, name, type, sizeof type, 0);
    put_bytes(c, text, strlen(text) + 1);
    end_message(c, begin);
}

/* Datasets and dimensions that have this scale: a structure of an address and a number. */
static void put_users(cursor *c, uint64_t *order, const sl_hdf5_object *o) {
    enum { MEMBER = 16, MEMBER_TYPE = 116, MOST = 4000 };
    char type[MEMBER_TYPE] = {0x16, 2, 0, 0, MEMBER};
    memcpy(type + 8, "dataset", 8);
    type[48] = 0x17;
    type[52] = 8;
    memcpy(type + 56, "dimension", 10);
    type[72] = 8;
    memcpy(type + 104, sl_hdf5_types[SL_HDF5_INT].form, sl_hdf5_types[SL_HDF5_INT].n);
    if (o->users.n == 0 || o->users.n > MOST) { /* more fit no message; readers find scales by the datasets */
        return;
    }
    size_t begin = begin_attribute(c, order, "REFERENCE_LIST", type, sizeof type, (uint64_t)o->users.n);
    for (int64_t i = 0; i < o->users.n; i++) {
        put_word(c, o->users.at[i].set->header, 8);
        put_word(c, (uint64_t)o->users.at[i].dimension, 8);
    }
    end_message(c, begin);
}

static void put_dimensions(cursor *c, uint64_t *order, const sl_hdf5_object *o, references *r) {
    static const unsigned char type[16] = {0x19, 0, 0, 0, 16, 0, 0, 0, 0x17, 0, 0, 0, 8};
    if (!o->dimension[0]) {
        return;
    }
    size_t begin = begin_attribute(c, order, "DIMENSION_LIST", type, sizeof type, (uint64_t)o->rank);
    for (int i = 0; i < o->rank; i++) {
        char *reference = r->dimension + r->n_dimension++ * SL_HDF5_REFERENCE;
        put_word(c, 1, 4); /* one address each */
        put_bytes(c, reference + 4, SL_HDF5_REFERENCE - 4);
    }
    end_message(c, begin);
}

/* ---- Headers ------------------------------------------------------------------------------------ */

static void put_links(cursor *c, const sl_hdf5_output *out) {
    size_t begin = begin_message(c, SL_HDF5_LINK_INFO, 0, 0);
    put_word(c, 0x0300, 2); /* version, order noted */
    put_word(c, (uint64_t)out->sets.n, 8);
    for (int i = 0; i < 3; i++) {
        put_word(c, SL_HDF5_NOWHERE, 8);
    }
    end_message(c, begin);
    begin = begin_message(c, SL_HDF5_GROUP_INFO, 0, 0);
    put_word(c, 0, 2);
    end_message(c, begin);
    for (int64_t i = 0; i < out->sets.n; i++) {
        const sl_hdf5_object *set = out->sets.at[i];
        begin = begin_message(c, SL_HDF5_LINK, 0, 0);
        put_word(c, 0x1601, 2); /* version; length of 4 bytes, order and encoding are there */
        put_word(c, (uint64_t)i, 8);
        put_word(c, 1, 1); /* UTF-8 */
        put_word(c, strlen(set->name), 4);
        put_bytes(c, set->name, strlen(set->name));
        put_word(c, set->header, 8);
        end_message(c, begin);
    }
}

static void put_filters(cursor *c, size_t each) {
    size_t begin = begin_message(c, SL_HDF5_FILTERS, 0, 0);
    const uint64_t shuffle = 2, deflate = 1, optional = 1, level = 4;
    put_word(c, 0x0202, 2); /* version, number */
    put_word(c, shuffle | optional << 16 | 1ULL << 32, 6);
    put_word(c, each, 4);
    put_word(c, deflate | optional << 16 | 1ULL << 32, 6);
    put_word(c, level, 4);
    end_message(c, begin);
}

static void put_shape(cursor *c, const sl_hdf5_object *o) {
    const sl_hdf5_type_form *form = &sl_hdf5_types[o->type];
    size_t begin = begin_message(c, SL_HDF5_SPACE, 0, 0);
    put_word(c, 0x01000002 | (uint64_t)o->rank << 8 | (uint64_t)o->grows << 16, 4);
    for (int i = 0; i < o->rank; i++) {
        put_word(c, o->size[i], 8);
    }
    for (int i = 0; i < o->rank && o->grows; i++) {
        put_word(c, i == 0 ? UINT64_MAX : o->size[i], 8);
    }
    end_message(c, begin);
    begin = begin_message(c, SL_HDF5_TYPE, 1, 0);
    put_bytes(c, form->form, form->n);
    end_message(c, begin);
    begin = begin_message(c, SL_HDF5_FILL, 1, 0);
    put_word(c, o->grows ? 0x0B03 : 0x0A03, 2); /* version; zeros, where storage is made late */
    end_message(c, begin);
    begin = begin_message(c, SL_HDF5_LAYOUT, 0, 0);
    if (o->grows) {
        put_word(c, 0x0203 | ((uint64_t)o->rank + 1) << 16, 3);
        put_word(c, o->data, 8);
        for (int i = 0; i < o->rank; i++) {
            put_word(c, o->chunk[i], 4);
        }
        put_word(c, form->size, 4);
    } else {
        put_word(c, 0x0103, 2);
        put_word(c, o->data, 8);
        put_word(c, o->size[0] * form->size, 8);
    }
    end_message(c, begin);
    if (o->packed) {
        put_filters(c, form->size);
    }
}

static void put_header(cursor *c, const sl_hdf5_output *out, const sl_hdf5_object *o, references *r) {
    size_t first = c->n;
    uint64_t order = 0;
    put_bytes(c, "OHDR", 4);
    put_word(c, 2 | SL_HDF5_HEADER_FLAGS << 8, 2);
    put_word(c, 0, 4);
    if (o->name) {
        put_shape(c, o);
    } else {
        put_links(c, out);
    }
    size_t info = begin_message(c, SL_HDF5_ATTRIBUTE_INFO, 0, 0);
    put_word(c, 0x0300, 4); /* version, order noted; how many is filled in below */
    for (int i = 0; i < 3; i++) {
        put_word(c, SL_HDF5_NOWHERE, 8);
    }
    end_message(c, info);
    if (o->is_scale) {
        put_fixed_text(c, &order, "CLASS", "DIMENSION_SCALE");
        put_fixed_text(c, &order, "NAME", o->name);
        put_users(c, &order, o);
    }
    put_dimensions(c, &order, o, r);
    for (int64_t i = 0; i < o->attributes.n; i++) {
        put_attribute(c, &order, &o->attributes.at[i], r);
    }
    if (c->to) {
        cursor number = {c->to + info + 2, 0, false}, size = {c->to + first + 6, 0, false};
        put_word(&number, order, 2);
        put_word(&size, c->n - first - SL_HDF5_HEADER_HEAD, 4);
        put_word(c, sl_hdf5_checksum((unsigned char *)c->to + first, c->n - first), 4);
    } else {
        c->too_long = c->too_long || c->n - first > UINT32_MAX;
        c->n += 4;
    }
}

/* ---- Trees -------------------------------------------------------------------------------------- */

/* The key before the k-th chunk; k = n: behind the last one. */
static void put_key(cursor *c, const sl_hdf5_object *o, int64_t k) {
    const uint64_t columns = o->rank == 2 && o->chunk[1] > 0 ? (o->size[1] + o->chunk[1] - 1) / o->chunk[1] : 1;
    bool end = k == o->chunks.n;
    uint64_t last = (uint64_t)(end ? k - 1 : k), at[2] = {last / columns, last % columns};
    put_word(c, end ? 0 : o->chunks.at[k].n, 8); /* no filter is left out */
    for (int i = 0; i < o->rank; i++) {
        put_word(c, (at[i] + end) * o->chunk[i], 8);
    }
    put_word(c, end ? sl_hdf5_types[o->type].size : 0, 8);
}

/* A node of a level whose children stand for `each` chunks: the i-th of them. */
static void put_node(sl_hdf5_output *out, const sl_hdf5_object *o, int level, int64_t each, int64_t i, int64_t n_node,
                     uint64_t below) {
    char node[SL_HDF5_TREE_HEAD + SL_HDF5_TREE_CHILDREN * 8 + (SL_HDF5_TREE_CHILDREN + 1) * 32] = "TREE";
    cursor c = {node, 4, false};
    const size_t size = sl_hdf5_tree_node(o->rank);
    const int64_t all = (o->chunks.n + each - 1) / each, first = i * SL_HDF5_TREE_CHILDREN;
    const int64_t n = all - first < SL_HDF5_TREE_CHILDREN ? all - first : SL_HDF5_TREE_CHILDREN;
    put_word(&c, 1 | (uint64_t)level << 8 | (uint64_t)n << 16, 4);
    put_word(&c, i > 0 ? out->at - size : SL_HDF5_NOWHERE, 8);
    put_word(&c, i + 1 < n_node ? out->at + size : SL_HDF5_NOWHERE, 8);
    for (int64_t k = first; k < first + n; k++) {
        put_key(&c, o, k * each);
        put_word(&c, level == 0 ? o->chunks.at[k].at : below + (uint64_t)k * size, 8);
    }
    put_key(&c, o, (first + n) * each < o->chunks.n ? (first + n) * each : o->chunks.n);
    sl_hdf5_put(out, node, size);
}

static void put_tree(sl_hdf5_output *out, sl_hdf5_object *o) {
    uint64_t below = 0;
    int64_t n_node = 0, each = 1;
    for (int level = 0; o->chunks.n > 0 && n_node != 1; level++) {
        uint64_t at = out->at;
        n_node = (o->chunks.n + each * SL_HDF5_TREE_CHILDREN - 1) / (each * SL_HDF5_TREE_CHILDREN);
        for (int64_t i = 0; i < n_node && out->status == SL_OK; i++) {
            put_node(out, o, level, each, i, n_node, below);
        }
        below = at;
        each *= SL_HDF5_TREE_CHILDREN;
    }
    o->data = n_node == 1 ? below : SL_HDF5_NOWHERE;
}

/* ---- The end ------------------------------------------------------------------------------------ */

static sl_hdf5_object *object_at(sl_hdf5_output *out, int64_t i) {
    return i < out->sets.n ? out->sets.at[i] : &out->root;
}

/* Texts that are still to be written, or how many: of attributes, then of columns, in the order of objects. */
static int64_t list_texts(sl_hdf5_output *out, bool of_columns, sl_str *to) {
    int64_t n = 0;
    for (int64_t i = 0; i <= out->sets.n; i++) {
        const sl_hdf5_object *o = object_at(out, i);
        const int64_t all = !of_columns ? o->attributes.n : o->texts ? (int64_t)o->size[0] : 0;
        for (int64_t k = 0; k < all; k++) {
            const char *text = of_columns ? o->texts[k] : o->attributes.at[k].text;
            bool is_text = of_columns || o->attributes.at[k].type == SL_HDF5_TEXT;
            if (is_text && to) {
                to[n] = sl_str_z(text);
            }
            n += is_text;
        }
    }
    return n;
}

/* False: out of memory. */
static bool put_texts(sl_hdf5_output *out, references *r, int64_t n_attribute, int64_t n) {
    size_t size = (size_t)n * sizeof(sl_str);
    sl_str *texts = sl_alloc(out->ctx, size);
    r->text = texts ? sl_alloc(out->ctx, (size_t)n * SL_HDF5_REFERENCE) : NULL;
    if (r->text) {
        (void)list_texts(out, false, texts);
        (void)list_texts(out, true, texts + n_attribute);
        sl_hdf5_put_texts(out, texts, n, r->text);
        const char *next = r->text + n_attribute * SL_HDF5_REFERENCE;
        for (int64_t i = 0; i < out->sets.n; i++) {
            sl_hdf5_object *o = out->sets.at[i];
            const size_t k = o->texts ? (size_t)o->size[0] * SL_HDF5_REFERENCE : 0;
            o->data = k > 0 ? out->at : o->data;
            sl_hdf5_put(out, next, k);
            next += k;
        }
    }
    sl_free(out->ctx, texts, texts ? size : 0);
    return r->text != NULL;
}

/* Addresses of the scales into heaps; before them, of the headers, the first of which stands behind. False: out of memory. */
static bool put_addresses(sl_hdf5_output *out, references *r, int64_t n) {
    const size_t size = (size_t)n * (sizeof(sl_str) + 8);
    sl_str *texts = n > 0 ? sl_alloc(out->ctx, size) : NULL;
    r->dimension = texts ? sl_alloc(out->ctx, (size_t)n * SL_HDF5_REFERENCE) : NULL;
    char *address = texts ? (char *)(texts + n) : NULL;
    for (int64_t i = 0; i < n && r->dimension; i++) {
        texts[i] = (sl_str){address + 8 * i, 8};
    }
    if (r->dimension || n == 0) {
        references counted = *r;
        uint64_t at = sl_hdf5_round_up(out->at) + sl_hdf5_heap_size(texts, n);
        int64_t k = 0;
        for (int64_t i = 0; i <= out->sets.n; i++) {
            sl_hdf5_object *o = object_at(out, i);
            cursor c = {NULL, 0, false};
            put_header(&c, out, o, &counted);
            if (c.too_long) {
                sl_hdf5_fail(out, SL_ERR_IO, too_long);
            }
            o->header = at;
            at += sl_hdf5_round_up(c.n);
        }
        for (int64_t i = 0; i < out->sets.n; i++) {
            const sl_hdf5_object *o = out->sets.at[i];
            for (int d = 0; d < o->rank && o->dimension[0]; d++) {
                sl_store8(address + 8 * k++, o->dimension[d]->header);
            }
        }
        sl_hdf5_put_texts(out, texts, n, r->dimension);
    }
    sl_free(out->ctx, texts, texts ? size : 0);
    return r->dimension || n == 0;
}

static bool put_headers(sl_hdf5_output *out, references *r) {
    bool fine = true;
    for (int64_t i = 0; i <= out->sets.n && fine && out->status == SL_OK; i++) {
        cursor c = {NULL, 0, false};
        references before = *r;
        put_header(&c, out, object_at(out, i), r);
        const size_t size = c.n;
        c = (cursor){sl_alloc(out->ctx, size), 0, false};
        fine = c.to != NULL;
        if (fine) {
            *r = before;
            put_header(&c, out, object_at(out, i), r);
            sl_hdf5_put(out, c.to, c.n);
            sl_hdf5_put_align(out);
        }
        sl_free(out->ctx, c.to, fine ? size : 0);
    }
    return fine;
}

/* What is hashed last, and the seal. */
static void put_seal(sl_hdf5_output *out) {
    char block[SL_HDF5_SUPERBLOCK];
    cursor c = {block, 0, false};
    put_bytes(&c, sl_hdf5_mark, sizeof sl_hdf5_mark);
    put_word(&c, 0x00080802, 4); /* version, bytes of addresses and lengths */
    put_word(&c, 0, 8);
    put_word(&c, SL_HDF5_NOWHERE, 8);
    put_word(&c, out->at, 8);
    put_word(&c, out->root.header, 8);
    put_word(&c, sl_hdf5_checksum((unsigned char *)block, c.n), 4);
    sl_hdf5_seal_add(&out->seal, out->buffer, out->n);
    sl_hdf5_seal_add(&out->seal, block, sizeof block);
    size_t n = 0;
    char *seal = sl_hdf5_seal_make(out->ctx, &out->seal, out->at, &n);
    if (!seal) {
        sl_hdf5_fail(out, SL_ERR_MEMORY, NULL);
    }
    const struct {
        const char *bytes;
        size_t n;
    } pieces[2] = {{out->buffer, out->n}, {seal, n}};
    for (int i = 0; i < 2 && out->status == SL_OK; i++) {
        sl_hdf5_fail(out, out->sink.write(out->sink.user, pieces[i].bytes, pieces[i].n), NULL);
    }
    sl_free(out->ctx, seal, seal ? n : 0);
    if (out->status == SL_OK) {
        sl_hdf5_fail(out, out->sink.patch(out->sink.user, 0, block, sizeof block), NULL);
    }
}

void sl_hdf5_output_end(sl_hdf5_output *out) {
    references r = {NULL, NULL, 0, 0};
    int64_t n_dimension = 0;
    for (int64_t i = 0; i <= out->sets.n && out->status == SL_OK; i++) {
        sl_hdf5_object *o = object_at(out, i);
        sl_hdf5_put_align(out);
        if (o->grows) {
            put_tree(out, o);
        }
        n_dimension += o->dimension[0] ? o->rank : 0;
    }
    const int64_t n_attribute = list_texts(out, false, NULL), n_text = n_attribute + list_texts(out, true, NULL);
    bool fine =
        out->status != SL_OK || (put_texts(out, &r, n_attribute, n_text) && put_addresses(out, &r, n_dimension));
    if (!fine || !put_headers(out, &r)) {
        sl_hdf5_fail(out, SL_ERR_MEMORY, NULL);
    }
    sl_free(out->ctx, r.text, r.text ? (size_t)n_text * SL_HDF5_REFERENCE : 0);
    sl_free(out->ctx, r.dimension, r.dimension ? (size_t)n_dimension * SL_HDF5_REFERENCE : 0);
    if (out->status == SL_OK) {
        put_seal(out);
    }
}
