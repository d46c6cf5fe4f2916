/* SPDX-License-Identifier: MIT */
/* interrupt.h: Ctrl-C and its kin (SIGINT, SIGTERM, SIGHUP), and the end of --time-limit.
 *
 * The first of them only sets a flag: long work sees it through the progress callback and the streams, gives up with
 * SL_ERR_CANCELLED, and unfinished files are removed on the way out. What has not ended a second later, because it is inside a
 * library or a loop that does not look, is ended by a watchdog: it removes the unfinished files that are registered here and
 * exits with the code of the interruption. A second signal does so at once.
 */
#ifndef SL_CLI_INTERRUPT_H
#define SL_CLI_INTERRUPT_H

#include <stdbool.h>

/* Installs the handlers; a signal that was ignored at the start stays ignored. */
void sl_interrupt_init(void);
/* What came first: a signal, SIGALRM when the time limit is over; 0: nothing, or a time limit that was heard. */
int sl_interrupt_signal(void);
/* Called by the handler when the first comes, so what it does must be async-signal-safe; NULL: nothing. */
void sl_interrupt_call(void (*call)(void *user), void *user);
/* An unfinished file to be removed by the watchdog or a second signal, until it is let go. Paths that are too long, and those of
 * more than 72 files at once, are left out. */
void sl_interrupt_guard(const char *path);
void sl_interrupt_release(const char *path);
/* Removes them now; async-signal-safe. */
void sl_interrupt_remove_guarded(void);
/* The end may take this much longer, for partners to finish [s]: the watchdog waits as long. */
void sl_interrupt_grant(unsigned seconds);

/* From now on there are so many seconds. code: the program's exit code when the watchdog ends it. */
void sl_interrupt_limit_time(double seconds, int code);
/* Is the time over, and no signal came? */
bool sl_interrupt_time_is_over(void);
/* The same; work has stopped then, and what follows, as results are written, is neither interrupted nor watched. */
bool sl_interrupt_hear_time_limit(void);

#endif
