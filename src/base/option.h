/* SPDX-License-Identifier: MIT */
/* option.h: options as rows of a table: name, type, help. Values go straight into the struct of whoever has the table. A command
 * line and the definition of a load are read by the same rows.
 */
#ifndef SL_BASE_OPTION_H
#define SL_BASE_OPTION_H

#include <sluice/base.h>

typedef enum sl_option_kind {
    SL_OPTION_FLAG = 0, /* bool */
    SL_OPTION_TEXT,     /* const char *, not empty */
    SL_OPTION_WORD,     /* int: index into words (any case) */
    SL_OPTION_COUNT,    /* int64_t: 1000, 1e6, 1_000_000 */
    SL_OPTION_NUMBER,   /* double, 0 or more */
    SL_OPTION_TEXTS     /* sl_texts: may be given several times */
} sl_option_kind;

/* The values of an option that was given several times. */
enum { SL_TEXTS_MAX = 64 };
typedef struct sl_texts {
    int n;
    const char *at[SL_TEXTS_MAX];
} sl_texts;

typedef struct sl_option {
    const char *name;
    char letter; /* 0: none */
    sl_option_kind kind;
    size_t offset;            /* of the value in the struct */
    const char *value;        /* how the help calls the value */
    const char *help;         /* lines are separated by \n */
    const char *const *words; /* NULL-terminated */
    int64_t min, max;
} sl_option;

/* The row of this name, or NULL. */
const sl_option *sl_option_find(const sl_option *options, int32_t n, sl_str name);
/* Puts a value into *values; text is borrowed by options that are texts. False: why has a sentence that begins with shown, the
 * option as it was written ("--tanks"). */
enum { SL_OPTION_ERROR_MAX = 1024 };
bool sl_option_set(const sl_option *option, const char *shown, const char *text, void *values,
                   char why[SL_OPTION_ERROR_MAX]);
/* The same of a text "name=value", or "name" of a flag. */
bool sl_option_set_text(const sl_option *options, int32_t n, const char *text, void *values,
                        char why[SL_OPTION_ERROR_MAX]);

/* A whole number as people write it; false if it is none. */
bool sl_option_count(const char *text, int64_t *x);
/* A time, in seconds where there is no unit: "20", "20s", "500 ms", "1:00"; false if it is none. */
bool sl_option_seconds(const char *text, double *seconds);

#endif
