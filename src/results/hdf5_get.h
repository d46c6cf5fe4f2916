/* SPDX-License-Identifier: MIT */
/* hdf5_get.h: an HDF5 file with results as it is read (hdf5_form.h).
 *
 * Nothing that the file says is believed before it is compared with what the file has: every piece lies within the file, a header
 * has the checksum that it says, chunks follow each other in the order in which they were written, and what is read more than once
 * counts against a budget. The first failure is kept, and nothing is read after it.
 */
#ifndef SL_RESULTS_HDF5_GET_H
#define SL_RESULTS_HDF5_GET_H

#include <sluice/results.h>

#include "base/ids.h"
#include "base/memory.h"
#include "results/hdf5_form.h"

/* A heap of texts in memory: the last one that was needed. */
typedef struct sl_hdf5_heap {
    uint64_t at; /* 0: none */
    char *bytes;
    size_t size;     /* of the memory */
    size_t n;        /* of the heap */
    uint32_t *entry; /* [n_entry] where the text of a number stands, by numbers from 0; 0: there is none */
    size_t n_entry;
} sl_hdf5_heap;

typedef struct sl_hdf5_input {
    sl_context *ctx;
    const sl_source_bytes *bytes;
    uint64_t size;      /* of the HDF5 part */
    int64_t budget;     /* bytes that may still be read or kept: a file can name the same text again and again */
    sl_status status;   /* SL_ERR_INPUT: see reason */
    const char *reason; /* static */
    sl_hdf5_heap heap;
} sl_hdf5_input;

/* What a header says. */
typedef struct sl_hdf5_node {
    char *bytes; /* of the header */
    size_t n;
    SL_ARRAY(uint64_t) links;    /* addresses of headers, in order */
    sl_ids *names;               /* of its attributes */
    SL_ARRAY(size_t) attributes; /* where each begins in the header */
    sl_hdf5_type type;           /* SL_HDF5_TYPES: none of ours */
    int rank;                    /* -1: it is no dataset */
    uint64_t shape[2];
    bool chunked, packed;
    uint64_t data, chunk[2]; /* address of its values or its tree; of a chunk: rows and columns */
} sl_hdf5_node;

/* A chunk in the file. */
typedef struct sl_hdf5_piece {
    uint64_t at;
    uint32_t n; /* bytes */
} sl_hdf5_piece;

typedef SL_ARRAY(sl_hdf5_piece) sl_hdf5_pieces;

/* size: of the HDF5 part of the bytes. */
void sl_hdf5_input_init(sl_hdf5_input *in, sl_context *ctx, const sl_source_bytes *bytes, uint64_t size);
void sl_hdf5_input_fini(sl_hdf5_input *in);
/* SL_ERR_INPUT with a reason, or SL_ERR_MEMORY (reason NULL). */
void sl_hdf5_reject(sl_hdf5_input *in, const char *reason);
/* Notes that memory is short where kept is false. */
bool sl_hdf5_keep(sl_hdf5_input *in, bool kept);
/* Bytes of the file; false: there are none. */
bool sl_hdf5_read(sl_hdf5_input *in, uint64_t at, void *to, uint64_t n);

/* The address of the root group. */
uint64_t sl_hdf5_get_root(sl_hdf5_input *in);
/* Ends with sl_hdf5_node_fini, whatever it returned. False: it failed. */
bool sl_hdf5_get_node(sl_hdf5_input *in, uint64_t at, sl_hdf5_node *node);
void sl_hdf5_node_fini(sl_hdf5_input *in, sl_hdf5_node *node);

/* ---- Attributes --------------------------------------------------------------------------------- */

bool sl_hdf5_has(const sl_hdf5_node *of, const char *name);
/* Valid UTF-8 in the arena; "" where there is none, or it failed. */
const char *sl_hdf5_get_text(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *of, const char *name);
const char *const *sl_hdf5_get_list(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *of, const char *name,
                                    int32_t *n);
double sl_hdf5_get_number(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name);
bool sl_hdf5_get_flag(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name);
/* Is the attribute a text? Else it is a number. */
bool sl_hdf5_is_text(sl_hdf5_input *in, const sl_hdf5_node *of, const char *name);
/* A text that is referred to, in the arena. NULL: it failed. */
const char *sl_hdf5_get_reference(sl_hdf5_input *in, sl_arena *arena, const char *reference);

/* ---- Values (hdf5_column.c) --------------------------------------------------------------------- */

/* The chunks of a dataset that grows, in order: as many as its shape needs. False: it failed. */
bool sl_hdf5_get_chunks(sl_hdf5_input *in, const sl_hdf5_node *set, sl_hdf5_pieces *out);
/* A whole dataset of one dimension; NULL: it failed. */
const char *const *sl_hdf5_get_texts(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, int64_t *n);
const double *sl_hdf5_get_reals(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, int64_t *n);
const int32_t *sl_hdf5_get_ints(sl_hdf5_input *in, sl_arena *arena, const sl_hdf5_node *set, int64_t *n);

#endif
