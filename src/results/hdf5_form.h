/* SPDX-License-Identifier: MIT */
/* hdf5_form.h: the part of the HDF5 format that Sluice's results use: what their writer and their reader share.
 *
 * Sluice writes and reads these files by itself. A library that interprets everything that a file could be is neither needed nor
 * wanted: it takes memory that it does not check, and can end the program over what a file says.
 *
 *     superblock   version 2, at the beginning; written last
 *     values       chunks of quantities, side by side
 *     structure    columns, heaps of texts, trees of chunks, at last the headers of all datasets and of the root group
 *     seal         behind the end of the HDF5 part (hdf5_seal.h)
 *
 * Object headers have version 2, with the order in which links and attributes were made; links and attributes stand in them. A
 * dataset is one piece or chunks under a B-tree of version 1; chunks may be shuffled and deflated. Texts have any length and stand
 * in global heaps. Numbers are little-endian, addresses and lengths have 8 bytes. Every piece of structure begins at a multiple of
 * 8 bytes.
 *
 * hdf5_put.c    the pieces of a file: bytes, texts, datasets
 * hdf5_header.c their headers, at the end
 * hdf5_write.c  the writer: frames gathered into chunks, tables
 * hdf5_events.c the events of the writer
 * hdf5_seal.c   the seal at the end of a file, which shows damage
 * hdf5_get.c    headers and texts out of a file
 * hdf5_column.c chunks and columns out of a file
 * hdf5_read.c   the reader: what a file has
 * hdf5_values.c its values, by frames and by elements
 *
 * Every dataset of a result says what it is by attributes, so that its name need not be taken apart:
 *
 *     sluice_role   time, execution, group, profile, fact, quantity, table, column, event
 *     sluice_of     the group of a fact or quantity, the table of a column
 *     sluice_name   its name in the result
 *     sluice_words  of a code: its words
 *     sluice_among  of a group: the group whose elements these are some of
 *     sluice_along  of a profile: the fact that is the distance
 *
 * Source: The HDF Group, HDF5 File Format Specification, version 3.0.
 */
#ifndef SL_RESULTS_HDF5_FORM_H
#define SL_RESULTS_HDF5_FORM_H

#include <stddef.h>
#include <stdint.h>

/* Attributes of the file, and their values. */
#define SL_HDF5_FORMAT "sluice_format"
#define SL_HDF5_FORMAT_NAME "sluice results 3"
#define SL_HDF5_ATTRIBUTES "sluice_attributes"         /* names of the layout's, in order */
#define SL_HDF5_END_ATTRIBUTES "sluice_end_attributes" /* of the end's */
/* An attribute whose name is taken, reserved or empty has this before it. */
#define SL_HDF5_OTHER "sluice_attribute_"
#define SL_HDF5_OTHER_END "sluice_end_attribute_"

enum {
    SL_HDF5_SUPERBLOCK = 48,    /* bytes */
    SL_HDF5_END_AT = 28,        /* where it has the end of the file; behind it the address of the root group */
    SL_HDF5_TREE_CHILDREN = 64, /* of a node, at most: what readers take for granted */
    SL_HDF5_TREE_HEAD = 24,
    SL_HDF5_HEAP_HEAD = 16,      /* of a heap, and of each text in it */
    SL_HDF5_HEAP_LEAST = 4096,   /* bytes of a heap: readers refuse a smaller one */
    SL_HDF5_HEADER_HEAD = 10,    /* of an object header, before its messages */
    SL_HDF5_HEADER_FLAGS = 0x0E, /* length of 4 bytes; attributes have their order */
    SL_HDF5_MESSAGE_HEAD = 6,
    SL_HDF5_MESSAGE_MAX = 65535,
    SL_HDF5_REFERENCE = 16 /* a text where it is used: length, address of its heap, number in it */
};

/* Kinds of messages in an object header. */
enum {
    SL_HDF5_SPACE = 1,
    SL_HDF5_LINK_INFO = 2,
    SL_HDF5_TYPE = 3,
    SL_HDF5_FILL = 5,
    SL_HDF5_LINK = 6,
    SL_HDF5_LAYOUT = 8,
    SL_HDF5_GROUP_INFO = 10,
    SL_HDF5_FILTERS = 11,
    SL_HDF5_ATTRIBUTE = 12,
    SL_HDF5_ATTRIBUTE_INFO = 21
};

#define SL_HDF5_NOWHERE UINT64_MAX /* an address of nothing */

extern const unsigned char sl_hdf5_mark[8];

/* Types of values. */
typedef enum sl_hdf5_type {
    SL_HDF5_REAL = 0, /* 8-byte floats */
    SL_HDF5_INT,      /* 4 bytes */
    SL_HDF5_CODE,     /* 1 byte, signed */
    SL_HDF5_TEXT,     /* UTF-8 of any length */
    SL_HDF5_TYPES
} sl_hdf5_type;

typedef struct sl_hdf5_type_form {
    size_t size; /* of a value in the file */
    size_t n;    /* bytes of the form */
    unsigned char form[20];
} sl_hdf5_type_form;

extern const sl_hdf5_type_form sl_hdf5_types[SL_HDF5_TYPES];

/* Bob Jenkins' lookup3, which the format has as its checksum. */
uint32_t sl_hdf5_checksum(const unsigned char *bytes, size_t n);

/* Bytes of a node of a tree over chunks of that rank; of a key of it. */
static inline size_t sl_hdf5_tree_key(int rank) {
    return 8 + 8 * ((size_t)rank + 1);
}

static inline size_t sl_hdf5_tree_node(int rank) {
    return SL_HDF5_TREE_HEAD + SL_HDF5_TREE_CHILDREN * 8 + (SL_HDF5_TREE_CHILDREN + 1) * sl_hdf5_tree_key(rank);
}

static inline uint64_t sl_hdf5_round_up(uint64_t n) {
    return (n + 7) & ~UINT64_C(7);
}

#endif
