/* SPDX-License-Identifier: MIT */
/* hdf5_file.h: an open HDF5 file with the results of Sluice: what its writer and its reader share.
 *
 * A call on an id that could not be made fails like any other: only the first failure is kept, and asked for at the end of each
 * step. Calls stand between sl_hdf5_enter and sl_hdf5_leave (hdf5_api.h).
 *
 * hdf5_put.c    attributes and datasets into a file
 * hdf5_write.c  the writer: frames gathered into chunks, tables
 * hdf5_events.c the events of the writer
 * hdf5_seal.c   the seal at its end, which shows damage
 * hdf5_get.c    attributes and columns out of a file, with sizes checked before memory is asked for
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
 */
#ifndef SL_RESULTS_HDF5_FILE_H
#define SL_RESULTS_HDF5_FILE_H

#include "base/report.h"
#include "results/format.h"
#include "results/hdf5_api.h"
#include "results/hdf5_seal.h"

/* Attributes of the file, and their values. */
#define SL_HDF5_FORMAT "sluice_format"
#define SL_HDF5_FORMAT_NAME "sluice results 2"
#define SL_HDF5_ATTRIBUTES "sluice_attributes"         /* names of the layout's, in order */
#define SL_HDF5_END_ATTRIBUTES "sluice_end_attributes" /* of the end's */
/* An attribute whose name is taken, reserved or empty has this before it. */
#define SL_HDF5_OTHER "sluice_attribute_"
#define SL_HDF5_OTHER_END "sluice_end_attribute_"

typedef struct sl_hdf5_file {
    sl_hdf5 h;
    bool failed;
    bool
        is_lost; /* libhdf5 came short of memory: it is not called any more, as it crashes over what it has not finished */
    char reason[SL_QUOTE_MAX]; /* it failed */
    hid_t file, text;          /* text: type of variable-length UTF-8 */
    /* reading */
    uint64_t size;  /* of the file [bytes] */
    int64_t budget; /* bytes of text that may still be read: a damaged file can name the same text again and again */
    bool no_memory;
} sl_hdf5_file;

/* Loads the library and makes the type of texts. */
sl_status sl_hdf5_file_init(sl_hdf5_file *f, sl_diags *diags);
/* Closes what is open; a failure is noted. */
void sl_hdf5_file_close(sl_hdf5_file *f);

/* Notes a failure: the next call would forget why. */
#define sl_hdf5_id(f, call) sl_hdf5_note_id((f), (f)->is_lost ? -1 : (call))
#define sl_hdf5_check(f, call) sl_hdf5_note((f), (f)->is_lost ? -1 : (call))
/* Of an id that may be none. */
#define sl_hdf5_release(f, call) ((f)->is_lost ? -1 : (call))
hid_t sl_hdf5_note_id(sl_hdf5_file *f, hid_t id);
void sl_hdf5_note(sl_hdf5_file *f, herr_t result);
/* Closes a dataset where there is one (0: none). */
void sl_hdf5_close_set(sl_hdf5_file *f, hid_t *set);

/* ---- Writing ------------------------------------------------------------------------------------ */

void sl_hdf5_put_text(sl_hdf5_file *f, hid_t of, const char *name, const char *text);
/* A list as one text: a line each, with \\ for a backslash and \n for a line end within. False: out of memory. */
bool sl_hdf5_put_texts(sl_hdf5_file *f, sl_arena *arena, hid_t of, const char *name, const char *const *text,
                       int32_t n);
void sl_hdf5_put_number(sl_hdf5_file *f, hid_t of, const char *name, double x);
void sl_hdf5_put_flag(sl_hdf5_file *f, hid_t of, const char *name, bool x);
/* Attributes of the result as attributes of the file, and the list of their names. False: out of memory. */
bool sl_hdf5_put_attributes(sl_hdf5_file *f, sl_arena *arena, const sl_results_attribute *all, int32_t n,
                            const char *list, const char *other);
/* What a dataset is; of may be NULL. */
void sl_hdf5_put_role(sl_hdf5_file *f, hid_t set, const char *role, const char *of, const char *name);
void sl_hdf5_put_unit(sl_hdf5_file *f, hid_t set, const char *unit, const char *meaning);
/* What the numbers of a code stand for, as CF has it and exactly; n over 128: exactly only. False: out of memory. */
bool sl_hdf5_put_words(sl_hdf5_file *f, sl_arena *arena, hid_t set, const char *const *words, int32_t n);
/* A dataset of one dimension, whole. */
hid_t sl_hdf5_put_column(sl_hdf5_file *f, const char *name, hsize_t n, hid_t type, hid_t memory, const void *value);
/* A dataset that grows: rank 1, or rank 2 with n columns. */
hid_t sl_hdf5_put_series(sl_hdf5_file *f, const char *name, hid_t type, int rank, hsize_t n, const hsize_t chunk[2],
                         bool compress);
/* Grows a dataset of one dimension, which has old values, by n. */
void sl_hdf5_append(sl_hdf5_file *f, hid_t set, hsize_t old, hsize_t n, hid_t memory, const void *value);

/* Appends the seal to a file that is closed. */
sl_status sl_hdf5_put_seal(sl_hdf5_file *f, sl_context *ctx, const char *path, const sl_hdf5_ranges *ranges);

/* ---- Reading ------------------------------------------------------------------------------------ */

/* Of what is not as it should be, without libhdf5 noticing. */
void sl_hdf5_reject(sl_hdf5_file *f, const char *why);
bool sl_hdf5_has(sl_hdf5_file *f, hid_t of, const char *name);
/* Valid UTF-8 in the arena; "" where there is none, or it failed. */
const char *sl_hdf5_get_text(sl_hdf5_file *f, sl_arena *arena, hid_t of, const char *name);
const char *const *sl_hdf5_get_texts(sl_hdf5_file *f, sl_arena *arena, hid_t of, const char *name, int32_t *n);
double sl_hdf5_get_number(sl_hdf5_file *f, hid_t of, const char *name);
bool sl_hdf5_get_flag(sl_hdf5_file *f, hid_t of, const char *name);
/* Is the attribute a text? Else it is a number. */
bool sl_hdf5_is_text_attribute(sl_hdf5_file *f, hid_t of, const char *name);
H5T_class_t sl_hdf5_class(sl_hdf5_file *f, hid_t set);
/* The extent of a dataset of that rank; false: it has another rank, or too little storage. */
bool sl_hdf5_get_extent(sl_hdf5_file *f, hid_t set, int rank, hsize_t size[2]);
/* A whole dataset of one dimension; NULL: it failed. */
const char *const *sl_hdf5_get_text_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, int64_t *n);
const double *sl_hdf5_get_real_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, int64_t *n);
const int32_t *sl_hdf5_get_int_column(sl_hdf5_file *f, sl_arena *arena, hid_t set, int64_t *n);

#endif
