/* behind.h: a file that is written behind the run: a thread of its own writes while the run goes on. */
#ifndef SL_CLI_BEHIND_H
#define SL_CLI_BEHIND_H

#include <sluice/results.h>

typedef struct sl_behind sl_behind;

/* Starts a thread that writes to `to`, which must outlive it. NULL: there is no thread or memory to be had; then `to` is
 * as good. */
sl_behind *sl_behind_start(const sl_patch_sink *to);
/* What is given to this sink is written soon, in order. A failure comes back with a later call. Borrowed. */
const sl_patch_sink *sl_behind_sink(const sl_behind *behind);
/* Waits until all is written, and ends the thread. NULL is fine. */
void sl_behind_stop(sl_behind *behind);

#endif
