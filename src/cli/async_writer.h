/* SPDX-License-Identifier: MIT */
/* async_writer.h: a file that a second thread writes while the run continues. */
#ifndef SL_CLI_ASYNC_WRITER_H
#define SL_CLI_ASYNC_WRITER_H

#include <sluice/results.h>

typedef struct sl_async_writer sl_async_writer;

/* Starts a thread that writes to `to`, which must outlive it. NULL: there is no thread or memory to be had; then `to` is
 * as good. */
sl_async_writer *sl_async_writer_start(const sl_patch_sink *to);
/* What is given to this sink is written soon, in order. A failure comes back with a later call. Borrowed. */
const sl_patch_sink *sl_async_writer_sink(const sl_async_writer *behind);
/* Waits until all is written, and ends the thread. NULL is fine. */
void sl_async_writer_stop(sl_async_writer *behind);

#endif
