/* cosim_wait.h: the waiting loop of an exchange, its end, and what the two files of the manager share. */
#ifndef SL_EXCHANGE_COSIM_WAIT_H
#define SL_EXCHANGE_COSIM_WAIT_H

#include "exchange/cosim_impl.h"

typedef sl_cosim_code (*sl_cosim_attempt)(sl_cosim *x, void *user);

/* Attempts until it is not AGAIN, limit seconds have passed (0: for ever), the partner has died or the exchange is aborted (END).
 * Tells what went wrong. */
sl_cosim_code sl_cosim_wait(sl_cosim *x, sl_cosim_attempt attempt, void *user, unsigned what, double limit);
/* One attempt. */
sl_cosim_code sl_cosim_look(sl_cosim *x, sl_cosim_attempt attempt, void *user);
/* Opens what tells that the partner has died, when its process is known. */
void sl_cosim_watch_partner(sl_cosim *x);

/* In cosim.c: makes x->bytes from x->put.row; puts them, *(bool *)dropped when the partner's END makes that pointless. */
sl_cosim_code sl_cosim_encode(sl_cosim *x, sl_message_kind kind, double t, double dt);
sl_cosim_code sl_cosim_try_put(sl_cosim *x, void *dropped);
void sl_cosim_free(sl_cosim *x);

#endif
