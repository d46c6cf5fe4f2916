/* tell.h: what an exchange says to its host: warnings, of each kind a limited number, and errors. */
#ifndef SL_EXCHANGE_TELL_H
#define SL_EXCHANGE_TELL_H

#include <sluice/cosim.h>

/* Kinds of warnings: those of one kind count as equal. */
typedef enum sl_tell_kind {
    SL_TELL_FORM = 0,  /* a message is odd in its form */
    SL_TELL_ROWS,      /* too few, too many */
    SL_TELL_ENTITY,    /* entities are not those expected */
    SL_TELL_TIME,      /* times do not fit */
    SL_TELL_STEP,      /* the next step is no step */
    SL_TELL_OWN_TIME,  /* the times of the two sides differ */
    SL_TELL_MISSING,   /* a value to be written was not given */
    SL_TELL_LEFT_OVER, /* files of an earlier run */
    SL_TELL_WAIT,
    SL_TELL_CLOSE,
    SL_TELL_KIND_COUNT
} sl_tell_kind;

typedef struct sl_teller {
    void (*warning)(void *user, const char *text);
    void (*error)(void *user, sl_cosim_code code, const char *text);
    void (*waiting)(void *user, const char *text); /* NULL: a warning */
    void *user;
    bool strict;
    int64_t count[SL_TELL_KIND_COUNT], shown[SL_TELL_KIND_COUNT];
    int64_t n_warning;
} sl_teller;

void sl_tell_warning(sl_teller *t, sl_tell_kind kind, const char *fmt, ...) SL_PRINTF(3, 4);
/* A warning about contents; when strict an error. Returns SL_COSIM_OK or SL_COSIM_BAD_FORMAT. */
sl_cosim_code sl_tell_content(sl_teller *t, sl_tell_kind kind, const char *fmt, ...) SL_PRINTF(3, 4);
/* Returns the code. */
sl_cosim_code sl_tell_error(sl_teller *t, sl_cosim_code code, const char *fmt, ...) SL_PRINTF(3, 4);
/* How many were not shown. */
void sl_tell_rest(sl_teller *t);

#endif
