/* SPDX-License-Identifier: MIT */
/* coupler.h: a session that moves in step with a partner.
 *
 * Each step begins with a message from the partner, whose values are set, and ends with one to it. Of two partners one goes
 * first: it has an init phase of `skip` steps and writes before it reads. Who reads a message of the time where it stands
 * chooses the next step: the shorter of what both announced (sync: min), or what the partner announced (sync: sub). Who
 * reads a message of a later time goes there: the partner has been there already. Both are found from the first message
 * unless `phase` says which.
 *
 * Everything that is odd or wrong is in the coupler's diagnostics, with the simulation time.
 */
#ifndef SL_EXCHANGE_COUPLER_H
#define SL_EXCHANGE_COUPLER_H

#include "exchange/coupling.h"

typedef struct sl_coupler sl_coupler;

typedef enum sl_coupler_end_reason {
    SL_COUPLER_RUNNING = 0,
    SL_COUPLER_COMPLETE,      /* the model's end, together or alone */
    SL_COUPLER_PARTNER_ENDED, /* the partner's end, before that */
    SL_COUPLER_PARTNER_FAILED /* it died, was silent for too long, or sent what cannot be used */
} sl_coupler_end_reason;

/* Opens the exchange. The coupling was bound to the session; both are borrowed, and so is told, where messages go.
 * SL_ERR_IO: told. */
sl_status sl_coupler_open(sl_context *ctx, sl_coupling *coupling, sl_session *session, sl_diags *told,
                          sl_coupler **out);
/* Runs to the end. SL_OK: COMPLETE or PARTNER_ENDED; SL_ERR_IO: PARTNER_FAILED; SL_ERR_CANCELLED; else what the session
 * gave. */
sl_status sl_coupler_run(sl_coupler *c);
sl_coupler_end_reason sl_coupler_ended(const sl_coupler *c);
/* Tells the partner at once that this is the end; run then returns SL_ERR_CANCELLED. From a signal handler or another
 * thread. */
void sl_coupler_abort(sl_coupler *c);
/* Says good-bye: waits for the partner's end unless the run failed or was aborted. SL_ERR_IO: told. Once only; stats may be
 * NULL. Until destroyed it may be aborted, to no effect. */
sl_status sl_coupler_close(sl_coupler *c, sl_cosim_stats *stats);
/* Closes it first if need be. NULL: nothing. */
void sl_coupler_destroy(sl_coupler *c);

#endif
