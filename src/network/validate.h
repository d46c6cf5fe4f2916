/* SPDX-License-Identifier: MIT */
/* validate.h: is the network one that can be simulated? The same checks for files and for specs.
 *
 * Every finding names the object. Findings about a file also get a place: the value's token on the object's line.
 */
#ifndef SL_NETWORK_VALIDATE_H
#define SL_NETWORK_VALIDATE_H

#include "base/report.h"
#include "network/build.h"

typedef struct sl_validation {
    const sl_network *net;
    sl_diags *diags;
    /* The place of token tok (from 0; -1: the whole line) of a line. false: say nothing about this line, an error was
     * reported there already. NULL when there is no text. */
    bool (*locate)(void *user, uint32_t line, int32_t tok, sl_text_location *place);
    void *user;
    const sl_spec *spec;  /* where the network comes from: lines of curve points, links that could not be kept */
    uint32_t *point_line; /* validate_curves.c */
    bool oom;
    int64_t n_error;
} sl_validation;

/* For the files of the validator: reports unless the line has an error already. kind and id name the object. */
void sl_validate_report(sl_validation *v, sl_severity severity, sl_code code, const char *kind, const char *id,
                        uint32_t line, int32_t tok, const char *hint, const char *fmt, ...) SL_PRINTF(9, 10);
void sl_validate_curves(sl_validation *v); /* validate_curves.c: curves, patterns and the pumps that use them */
void sl_validate_graph(sl_validation *v);  /* validate_graph.c: connections, parts without a source, valve placement */

void sl_validate_settings(sl_validation *v); /* validate_settings.c: options of specs */

/* Returns the number of errors. */
int64_t sl_network_validate(sl_validation *v);

#endif
