/* SPDX-License-Identifier: MIT */
/* foreign.h: files that are no models: what they are, and the command that takes them. One table has the words for all commands. */
#ifndef SL_KINDS_FOREIGN_H
#define SL_KINDS_FOREIGN_H

#include "kinds/kind.h"

typedef enum sl_foreign_kind {
    SL_FOREIGN_OTHER = 0,
    SL_FOREIGN_OUT,     /* a result as EPANET's .out */
    SL_FOREIGN_RESULT,  /* a result in another form */
    SL_FOREIGN_COUPLING /* a run file of `sluice cosim` */
} sl_foreign_kind;

typedef struct sl_foreign {
    sl_foreign_kind kind;
    const char *what; /* "a picture (PNG)"; NULL: nothing that is known */
    const char *hint; /* what takes it, or what to do; NULL: nothing */
    sl_code code;
} sl_foreign;

/* By its first bytes and keys. */
sl_foreign sl_foreign_recognise(const sl_kind_head *head);

/* Reports that a source is not what a command takes (wanted: "a result"), but a model, of which hint says what to do with it, or a
 * file of the table. False: it is neither, and nothing is reported. */
bool sl_foreign_report(const sl_kind *const *kinds, const sl_kind_head *head, const char *wanted, const char *hint,
                       sl_diags *diags);

#endif
