/* SPDX-License-Identifier: MIT */
/* reporter.h: what an exchange reports to its host: warnings, of each kind a limited number, and errors. */
#ifndef SL_EXCHANGE_REPORTER_H
#define SL_EXCHANGE_REPORTER_H

#include <sluice/cosim.h>

/* Kinds of warnings: those of one kind count as equal. */
typedef enum sl_warning_kind {
    SL_WARNING_FORM = 0,  /* a message is odd in its form */
    SL_WARNING_ROWS,      /* too few, too many */
    SL_WARNING_ENTITY,    /* entities are not those expected */
    SL_WARNING_TIME,      /* times do not fit */
    SL_WARNING_STEP,      /* the next step is no step */
    SL_WARNING_OWN_TIME,  /* the times of the two sides differ */
    SL_WARNING_MISSING,   /* a value to be written was not given */
    SL_WARNING_LEFT_OVER, /* files of an earlier run */
    SL_WARNING_WAIT,
    SL_WARNING_CLOSE,
    SL_WARNING_KIND_COUNT
} sl_warning_kind;

typedef struct sl_reporter {
    void (*warning)(void *user, const char *text);
    void (*error)(void *user, sl_cosim_code code, const char *text);
    void (*waiting)(void *user, const char *text); /* NULL: a warning */
    void *user;
    bool strict;
    int64_t count[SL_WARNING_KIND_COUNT], shown[SL_WARNING_KIND_COUNT];
    int64_t n_warning;
} sl_reporter;

void sl_reporter_warning(sl_reporter *t, sl_warning_kind kind, const char *fmt, ...) SL_PRINTF(3, 4);
/* A warning about contents; when strict an error. Returns SL_COSIM_OK or SL_COSIM_BAD_FORMAT. */
sl_cosim_code sl_reporter_content(sl_reporter *t, sl_warning_kind kind, const char *fmt, ...) SL_PRINTF(3, 4);
/* Returns the code. */
sl_cosim_code sl_reporter_error(sl_reporter *t, sl_cosim_code code, const char *fmt, ...) SL_PRINTF(3, 4);
/* Reports how many were not passed on. */
void sl_reporter_summary(sl_reporter *t);

#endif
