/* SPDX-License-Identifier: MIT */
/* option.h: options as rows of a table: name, type, help. Values go straight into the struct of whoever has the table. A command
 * line and the definition of a load are read by the same rows.
 */
#ifndef SL_BASE_OPTION_H
#define SL_BASE_OPTION_H

#include <stddef.h>

#include "base/memory.h"

typedef enum sl_option_kind {
    SL_OPTION_FLAG = 0, /* bool */
    SL_OPTION_TEXT,     /* const char *, not empty */
    SL_OPTION_WORD,     /* int: index into words (any case) */
    SL_OPTION_COUNT,    /* int64_t: 1000, 1e6, 1_000_000 */
    SL_OPTION_NUMBER,   /* double, 0 or more */
    SL_OPTION_TIME,     /* sl_option_time: 20 s, 90 min, 6:00, 5 steps, or one of words */
    SL_OPTION_TEXTS     /* sl_texts: may be given several times */
} sl_option_kind;

/* The values of an option that was given several times. */
enum { SL_TEXTS_MAX = 64 };
typedef struct sl_texts {
    int n;
    const char *at[SL_TEXTS_MAX];
} sl_texts;

/* The value of an option that is a time. */
enum { SL_TIME_TEXT_MAX = 48 };
typedef struct sl_option_time {
    bool is_given;
    bool counts_steps; /* value is a number of steps; else seconds */
    const char *word;  /* one of the option's words; NULL: it is a time */
    double value;
    char text[SL_TIME_TEXT_MAX]; /* as it was given */
} sl_option_time;

typedef struct sl_option {
    const char *name;
    char letter; /* 0: none */
    sl_option_kind kind;
    size_t offset;            /* of the value in the struct */
    const char *value;        /* how the help calls the value */
    const char *help;         /* lines are separated by \n */
    const char *const *words; /* NULL-terminated */
    int64_t min, max;
    bool may_count; /* of a time: in steps too, of models whose time counts them */
} sl_option;

/* The members that every row has: `{SL_OPTION_ROW("output", 'o', TEXT, run_args, output, "FILE", "where it goes")}`. member of type:
 * where the value goes; value NULL: a flag has none. */
#define SL_OPTION_ROW(option_name, option_letter, option_kind, type, member, option_value, text) \
    .name = (option_name), .letter = (option_letter), .kind = SL_OPTION_##option_kind,           \
    .offset = offsetof(type, member), .value = (option_value), .help = (text)

/* Options and the struct that their values go into. */
typedef struct sl_option_table {
    const sl_option *options;
    int32_t n;
    size_t size;
    void (*fill)(void *values); /* with the defaults; NULL: zeros */
} sl_option_table;

#define SL_OPTION_TABLE(rows, type, fill_with) \
    { (rows), sizeof(rows) / sizeof *(rows), sizeof(type), (fill_with) }

/* A struct with the defaults, also where there are no options; NULL: out of memory. */
void *sl_option_values_create(sl_context *ctx, const sl_option_table *table);
void sl_option_values_destroy(sl_context *ctx, const sl_option_table *table, void *values);

/* The row of this name, or NULL. */
const sl_option *sl_option_find(const sl_option_table *table, sl_str name);
/* Puts a value into *values; text is borrowed by options that are texts. False: why has a sentence that begins with shown, the
 * option as it was written ("--tanks"). */
enum { SL_OPTION_ERROR_MAX = 1024 };
bool sl_option_set(const sl_option *option, const char *shown, const char *text, void *values,
                   char why[SL_OPTION_ERROR_MAX]);
/* The same of a text "name=value", or "name" of a flag. */
bool sl_option_set_text(const sl_option_table *table, const char *text, void *values, char why[SL_OPTION_ERROR_MAX]);

/* ---- Times on a command line -------------------------------------------------------------------- */

typedef enum sl_time_fault {
    SL_TIME_FINE = 0,
    SL_TIME_NONE,       /* not a time */
    SL_TIME_BARE,       /* a number without a unit, and not 0 */
    SL_TIME_NEGATIVE,   /* less than 0 */
    SL_TIME_RANGE,      /* beyond the range of numbers */
    SL_TIME_BROKEN_STEP /* a number of steps that is not whole */
} sl_time_fault;

/* "20 s", "20s", "500 ms", "1.5 h", "6:00", "1:30:00", "6 am", "0"; "5 steps": *x in seconds, or *steps. */
sl_time_fault sl_time_read(sl_str text, double *x, bool *steps);
/* Is a word a unit that can follow the number of a time: "s", "min", "steps", "am"? */
bool sl_option_is_time_unit(const char *word);
/* Can a value be meant as a time whose unit follows in another argument: a number, or 7:00 before pm? */
bool sl_option_wants_time_unit(const char *text);
/* The time that an option says. False: why has a sentence that begins with shown and ends in what would be right. */
bool sl_option_time_read(const char *shown, const char *text, bool may_count, sl_option_time *time,
                         char why[SL_OPTION_ERROR_MAX]);
/* Is it in the unit of a model or result whose time counts steps, or moves? 0 and what was not given always are. */
bool sl_option_time_fits(const char *shown, const sl_option_time *time, bool counts_steps,
                         char why[SL_OPTION_ERROR_MAX]);

#endif
