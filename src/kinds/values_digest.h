/* SPDX-License-Identifier: MIT */
/* values_digest.h: between values_summary.c (collecting) and values_digest.c (filling the digest). */
#ifndef SL_KINDS_VALUES_DIGEST_H
#define SL_KINDS_VALUES_DIGEST_H

#include "kinds/values_summary.h"

enum {
    SL_VALUES_COLUMNS_MAX = 16,   /* above: no rows for people */
    SL_VALUES_EXECUTIONS_MAX = 20 /* for people */
};

/* The kind of events that the summary counts; NULL: all. */
const char *sl_values_counted(const sl_values_summary *r);
/* Adds the execution at hand, which has ended, to the text for people. */
sl_status sl_values_add_text(sl_values_summary *r, const sl_ending *e);

#endif
