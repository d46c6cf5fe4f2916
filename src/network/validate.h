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
    bool (*locate)(void *user, uint32_t line, int32_t tok, sl_place *place);
    void *user;
    const sl_spec *touched; /* tells which nodes a link mentions that could not be kept */
    bool oom;
    int64_t n_error;
} sl_validation;

/* Returns the number of errors. */
int64_t sl_network_validate(sl_validation *v);

#endif
