/* SPDX-License-Identifier: MIT */
/* digest.h: a run on one page, whichever engine made it: what was simulated, limits, extremes with element and time, events, balances,
 * residuals, warnings, and what only one kind of model has.
 *
 * A kind fills it when the run is over; one writer prints it as text, in the units of the model and four digits, another as the JSON
 * object `summary`, in SI units. Sections have the same order for all kinds, whatever the order in which they are filled.
 *
 *     sl_digest_init(&d, ctx, &head);
 *     sl_digest_extreme(&d, "pressure", "m", "Pressure", shown.pressure, &low, &high);
 *     sl_digest_record(&d, SL_DIGEST_BALANCE, "balance", "Water");
 *     sl_digest_number(&d, "inflow_m3", inflow, "2225 m3 in");
 *     sl_digest_write_text(&d, &out);
 *     sl_digest_fini(&d);
 *
 * What a call cannot keep for want of memory is in the status, which the writers give back.
 */
#ifndef SL_RESULTS_DIGEST_H
#define SL_RESULTS_DIGEST_H

#include <sluice/session.h>

#include "base/memory.h"
#include "base/out.h"
#include "engine/result_sink.h"
#include "results/display_units.h"

/* In the order in which they are written. */
typedef enum sl_digest_section {
    SL_DIGEST_LIMITS = 0,
    SL_DIGEST_EXTREMES,
    SL_DIGEST_SECTIONS, /* what only this kind has: tanks, pumps, cavities, steps of an execution */
    SL_DIGEST_EVENTS,
    SL_DIGEST_BALANCE,
    SL_DIGEST_RESIDUALS, /* how it was computed, and how well */
    SL_DIGEST_WARNINGS,
    SL_DIGEST_SECTION_COUNT
} sl_digest_section;

/* How text gives times: 14:30, "5.83 s", "t = 3". */
typedef enum sl_digest_clock { SL_DIGEST_HOURS = 0, SL_DIGEST_SECONDS, SL_DIGEST_STEPS } sl_digest_clock;

/* What was simulated. Texts are borrowed. */
typedef struct sl_digest_head {
    const char *model, *title, *engine; /* title NULL or "": none */
    sl_digest_clock clock;
    double begin, end, until; /* reached, and where it was to end (not finite: it had no end) */
    bool complete;
    bool has_results;
    bool several;    /* executions, of which the times are those of the last */
    int64_t n_frame; /* report times; -1: unknown */
} sl_digest_head;

/* A value, with element and time. kind NULL: no element; NaN: no value, no time, no chainage [m]. */
typedef struct sl_digest_point {
    double value, time;
    const char *kind, *id; /* "node", "link", "pipe" */
    double chainage;
} sl_digest_point;

typedef enum sl_digest_value {
    SL_DIGEST_NONE = 0, /* words only */
    SL_DIGEST_NUMBER,
    SL_DIGEST_WHOLE,
    SL_DIGEST_TEXT,
    SL_DIGEST_BOOL,
    SL_DIGEST_NUMBERS,
    SL_DIGEST_POINT,
    SL_DIGEST_OPEN, /* an object within the row */
    SL_DIGEST_CLOSE,
    SL_DIGEST_ROW /* the next row of a list; key: its name */
} sl_digest_value;

/* A value for JSON, words for text (NULL: none). */
typedef struct sl_digest_cell {
    const char *key, *words;
    sl_digest_value value;
    double number;
    int64_t whole; /* a whole number, a truth, how many numbers */
    const char *text;
    const double *numbers;
    const sl_digest_point *point; /* NULL: null */
} sl_digest_cell;

typedef enum sl_digest_form { SL_DIGEST_RECORD = 0, SL_DIGEST_LIST, SL_DIGEST_LINES } sl_digest_form;

/* One or more lines of text, one member of JSON. */
typedef struct sl_digest_item {
    sl_digest_section section;
    sl_digest_form form;
    const char *key, *label, *thing;
    const char *lines;
    size_t n_line_byte;
    int64_t first, n_cell; /* cells */
    int64_t n_more;        /* rows of a list that were left out */
} sl_digest_item;

typedef struct sl_digest {
    sl_context *ctx;
    sl_arena arena;
    sl_status status;
    sl_digest_head head;
    sl_display_unit length;          /* of chainages in text */
    int32_t rows_max;                /* of a list in text; INT32_MAX: all */
    SL_ARRAY(sl_digest_cell) sizes;  /* "nodes", 9 */
    SL_ARRAY(sl_digest_cell) counts; /* "steps", 1328 */
    SL_ARRAY(sl_digest_item) items;
    SL_ARRAY(sl_digest_cell) cells; /* of all items, in order */
} sl_digest;

void sl_digest_init(sl_digest *d, sl_context *ctx, const sl_digest_head *head);
void sl_digest_fini(sl_digest *d);

/* ---- Filling ------------------------------------------------------------------------------------ */

/* Elements of the model, and what a run counts: noun "trial" gives "55 trials"; NULL: JSON only. */
void sl_digest_size(sl_digest *d, const char *key, int64_t n, const char *noun);
void sl_digest_count(sl_digest *d, const char *key, int64_t n, const char *noun);

/* Begins one line of text and an object of JSON, whose cells follow. key NULL: the cells are members of the summary itself. label
 * NULL: JSON only. */
void sl_digest_record(sl_digest *d, sl_digest_section section, const char *key, const char *label);
/* Begins a list, whose rows follow: an array of objects and as many lines. thing: "tank", for those that are not shown. */
void sl_digest_list(sl_digest *d, sl_digest_section section, const char *key, const char *label, const char *thing);
/* The next row. name: rows are members of an object; NULL: they are elements of an array. */
void sl_digest_row(sl_digest *d, const char *name);
/* Rows of the list that are not there in text. */
void sl_digest_more(sl_digest *d, int64_t n);
/* Lines of text, as they are, each with its line end; no JSON. */
void sl_digest_lines(sl_digest *d, sl_digest_section section, const char *lines, size_t n);

/* Cells. In text, words are joined by commas, but for those that begin with ';'. */
void sl_digest_number(sl_digest *d, const char *key, double x, const char *words);
void sl_digest_whole(sl_digest *d, const char *key, int64_t x, const char *words);
void sl_digest_text(sl_digest *d, const char *key, const char *text, const char *words);
void sl_digest_bool(sl_digest *d, const char *key, bool x, const char *words);
void sl_digest_point_cell(sl_digest *d, const char *key, const sl_digest_point *p, const char *words);
/* n numbers; borrowed until the digest goes. */
void sl_digest_numbers(sl_digest *d, const char *key, const double *x, int32_t n, const char *words);
void sl_digest_words(sl_digest *d, const char *words);
/* An object within the row, until the group ends. */
void sl_digest_group(sl_digest *d, const char *key);
void sl_digest_group_end(sl_digest *d);

/* The least and greatest of a quantity: key "pressure" and unit "m" give pressure_min_m and pressure_max_m. Either may be NULL. */
void sl_digest_extreme(sl_digest *d, const char *key, const char *unit, const char *label, sl_display_unit shown,
                       const sl_digest_point *low, const sl_digest_point *high);
/* A bound of a quantity, and the worst value against it. key "pressure_max_m", what "pressure at most". */
void sl_digest_limit(sl_digest *d, const char *key, const char *what, double allowed, sl_display_unit shown, bool kept,
                     const sl_digest_point *worst);

/* Warnings and errors of a run, by code, with the first and the last time. */
void sl_digest_warnings(sl_digest *d, const sl_diags *diags);

/* Words, valid until the digest goes; "" without memory. */
const char *sl_digest_format(sl_digest *d, const char *fmt, ...) SL_PRINTF(2, 3);
const char *sl_digest_digits(sl_digest *d, double x);                         /* "33.32", "?" for none */
const char *sl_digest_display(sl_digest *d, double x, sl_display_unit shown); /* "33.32 m" */
const char *sl_digest_time(sl_digest *d, double t);                           /* "8:00", "5.83 s" */
const char *sl_digest_when(sl_digest *d, double t);                           /* " (8:00)"; "" of a run of one moment */
const char *sl_digest_where(sl_digest *d, const sl_digest_point *p);          /* " at J1", " in P1" */

/* ---- Events ------------------------------------------------------------------------------------- */

/* Events of a run, counted by kind, and the first few; memory does not grow. The sink of sl_digest_events_sink takes no fields. */
enum { SL_DIGEST_KINDS = 24, SL_DIGEST_FIRST = 5, SL_DIGEST_EVENT_TEXT = 96, SL_DIGEST_WORD = 24 };

typedef struct sl_digest_event {
    double time, from, to; /* NaN: none */
    const char *kind;
    char element_class[32], element[64], quantity[48], word[SL_DIGEST_WORD] /* of to */, cause[SL_DIGEST_EVENT_TEXT];
} sl_digest_event;

typedef struct sl_digest_events {
    const sl_engine_ops *ops;
    const void *engine;
    int64_t n;
    int32_t n_kind; /* those after SL_DIGEST_KINDS are in n alone */
    const char *kind[SL_DIGEST_KINDS];
    int64_t count[SL_DIGEST_KINDS];
    int32_t n_first;
    sl_digest_event first[SL_DIGEST_FIRST]; /* of elements */
} sl_digest_events;

sl_result_sink sl_digest_events_sink(sl_digest_events *e);
void sl_digest_events_note(sl_digest_events *e, const sl_engine_event *x);
void sl_digest_put_events(sl_digest *d, const sl_digest_events *e);

/* ---- Writing ------------------------------------------------------------------------------------ */

sl_status sl_digest_write_text(const sl_digest *d, sl_out *out);
/* The value of `summary`: an object. */
sl_status sl_digest_write_json(const sl_digest *d, sl_json *json);

#endif
