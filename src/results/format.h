/* SPDX-License-Identifier: MIT */
/* format.h: formats of result files, from inside. A format is a row: how a result is written, how one is recognised and read.
 *
 * results.c         readers behind sl_results: opening, finding, reading
 * writers.c         writers behind sl_results_writer, and their table
 * select.c, select_names.c: which elements, quantities and times
 * csv_write.c, csv_read.c, json_write.c, json_read.c, hdf5_write.c, hdf5_read.c: the formats
 * out_results.c     EPANET's .out as a result
 *
 * A writer gets what sluice/results.h describes and knows nothing of engines, units or selections. docs/reference/results.md has the
 * formats in words.
 */
#ifndef SL_RESULTS_FORMAT_H
#define SL_RESULTS_FORMAT_H

#include <sluice/results.h>

#include "base/handle.h"
#include "base/memory.h"

/* ---- Rows --------------------------------------------------------------------------------------- */

typedef struct sl_results_format {
    const char *ending; /* "csv" */
    const char *what;   /* for messages: "a table of results (.csv)" */

    /* Writing; NULL create: it is only read. */
    sl_status (*ready)(sl_diags *diags); /* can it be written here? Says why not. NULL: always */
    sl_status (*create)(sl_context *ctx, const sl_results_target *target, const sl_results_layout *layout,
                        sl_diags *diags, void **writer);
    sl_status (*event)(void *writer, const sl_event_info *event, sl_diags *diags); /* NULL: events are not written */
    sl_status (*frame)(void *writer, const sl_results_frame *frame, sl_diags *diags);
    sl_status (*end)(void *writer, const sl_results_end *end, sl_diags *diags);
    void (*destroy)(void *writer);

    /* Reading: is it one, by the beginning (n bytes, fewer only when the file is shorter) and the size of the whole? */
    bool (*recognise)(const unsigned char *head, size_t n, uint64_t size);
    /* Fills r, whose ctx, arena, bytes and name are there. What fails is cleaned up by sl_results_close. */
    sl_status (*open)(sl_results *r, sl_diags *diags);
} sl_results_format;

enum { SL_RESULTS_HEAD = 4096 }; /* bytes that recognise sees */

extern const sl_results_format sl_format_csv, sl_format_json, sl_format_hdf5, sl_format_out, sl_format_geojson,
    sl_format_gpkg;
/* hdf5_read.c: as the row has them. */
bool sl_hdf5_recognise(const unsigned char *head, size_t n, uint64_t size);
sl_status sl_hdf5_open(sl_results *r, sl_diags *diags);
/* NULL-terminated; those that recognise less surely come last. */
extern const sl_results_format *const sl_results_formats[];
/* By its ending in any case; NULL: none. */
const sl_results_format *sl_results_format_find(const char *ending);
/* By content; NULL: it is no result. */
const sl_results_format *sl_results_format_recognise(const unsigned char *head, size_t n, uint64_t size);

/* ---- Results that were read --------------------------------------------------------------------- */

typedef SL_ARRAY(double) sl_results_values;

struct sl_results {
    sl_handle_mark handle; /* first */
    sl_context *ctx;
    sl_arena arena; /* what is not given back before the close */
    sl_source_bytes bytes;
    const char *name;
    const sl_results_format *format;
    sl_csv_form form; /* of a .csv, which keeps it when it is written again; BY_MODEL: none */

    sl_results_layout layout;
    sl_results_end end;
    int64_t n_frame, n_event;
    const double *times;
    const int32_t *executions; /* [n_frame]; NULL: one */
    const sl_event_info *events;
    int32_t n_quantity;
    const int32_t *group_of; /* [n_quantity] */

    /* What is gathered in memory; given back at the close. */
    struct {
        SL_ARRAY(double) times;
        SL_ARRAY(int32_t) executions;
        SL_ARRAY(sl_event_info) events;
        sl_results_values *values; /* [n_quantity] frame by frame */
    } kept;
    void *reader;
    sl_status (*read)(void *reader, int64_t frame, int32_t quantity, double *x);          /* NULL: values are kept */
    sl_status (*read_series)(void *reader, int32_t quantity, int32_t element, double *x); /* NULL: by frames */
    void (*close)(void *reader);
};

/* A result of nothing. NULL: out of memory. */
sl_results *sl_results_create(sl_context *ctx, const sl_results_format *format);
/* Fills n_quantity and group_of from the layout, once, and makes room for values that are kept. */
sl_status sl_results_number_quantities(sl_results *r);
/* The time and execution of a frame that is kept. False: out of memory. */
bool sl_results_keep_frame(sl_results *r, double time, int32_t execution);
/* After the last: times, executions and events are those that were kept. */
sl_status sl_results_use_buffers(sl_results *r);

/* A writer by its functions alone, of which writer is the state. */
sl_status sl_results_writer_create_as(sl_context *ctx, const sl_results_format *format, const sl_results_layout *layout,
                                      void *writer, sl_results_writer **out);

/* ---- Selecting ---------------------------------------------------------------------------------- */

/* A part of a whole. */
typedef struct sl_results_choice {
    sl_results_layout layout; /* of the part */
    int32_t n_quantity;
    int32_t *quantity;  /* [n_quantity] its number in the whole */
    int32_t **elements; /* [n_quantity] indices in the whole's group; NULL: all, in order */
    int32_t *n_element; /* [n_quantity] */
    double **gathered;  /* [n_quantity] a choice of elements on its way; NULL: none is needed */
    const double **values;
    double first, last, every; /* times that are written; every 0: each */
} sl_results_choice;

/* Narrows the whole down to what select says (NULL: all of it). start: the first time there is or may be; end: the last (INFINITY:
 * unknown); step: between frames (0: unknown). Groups without a selected quantity stay when they have facts that say where they
 * are, so that a map can be drawn: nodes of selected links. All that is wrong is reported in one pass. */
sl_status sl_results_choose(sl_arena *arena, const sl_results_layout *whole, const sl_results_select *select,
                            double start, double end, double step, sl_diags *diags, sl_results_choice *out);
bool sl_results_choice_wants(const sl_results_choice *c, double time);
/* The part of a frame; borrowed until the next call. */
sl_results_frame sl_results_choice_gather(sl_results_choice *c, const sl_results_frame *whole);

/* ---- Finding ------------------------------------------------------------------------------------ */

/* By name; NULL: none. */
const sl_results_group *sl_results_find_group(const sl_results_layout *layout, const char *name);
const sl_results_column *sl_results_find_column(const sl_results_column *columns, int32_t n, const char *name);
const sl_results_column *sl_results_find_fact(const sl_results_group *group, const char *name);
const sl_results_attribute *sl_results_find_attribute(const sl_results_attribute *at, int32_t n, const char *name);
const sl_results_table *sl_results_find_table(const sl_results_end *end, const char *name);
/* The word of a code; NULL: it is a number. */
const char *sl_results_word(const sl_results_column *column, double code);
/* Of all groups. */
int32_t sl_results_count_quantities(const sl_results_layout *layout);

/* ---- Events ------------------------------------------------------------------------------------- */

/* A part of an event, as files name it. */
typedef struct sl_event_field {
    const char *name, *meaning;
    enum { SL_EVENT_REAL, SL_EVENT_TEXT, SL_EVENT_INT } type;
    size_t offset, size; /* in sl_event_info */
} sl_event_field;

/* The time first, the execution last. */
enum { SL_EVENT_FIELDS = 9 };
extern const sl_event_field sl_event_fields[SL_EVENT_FIELDS];
/* One without a time, a cause or anything else. */
extern const sl_event_info sl_event_none;

static inline const char **sl_event_field_text(sl_event_info *e, const sl_event_field *part) {
    return (const char **)(void *)((char *)e + part->offset);
}

static inline double *sl_event_field_real(sl_event_info *e, const sl_event_field *part) {
    return (double *)(void *)((char *)e + part->offset);
}

/* ---- Texts -------------------------------------------------------------------------------------- */

/* Valid UTF-8 of any bytes: what is not is taken as Latin-1. NULL: out of memory. */
const char *sl_results_text(sl_arena *arena, const char *bytes);

#endif
