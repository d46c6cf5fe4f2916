/* SPDX-License-Identifier: MIT */
/* interrupt.h: Ctrl-C and its kin (SIGINT, SIGTERM, SIGHUP).
 *
 * The first signal only sets a flag: long work sees it through the progress callback and the streams, gives
 * up with SL_ERR_CANCELLED, and unfinished files are removed on the way out. A second signal ends the program
 * at once, after removing the unfinished files that are registered here.
 */
#ifndef SL_CLI_INTERRUPT_H
#define SL_CLI_INTERRUPT_H

/* Installs the handlers; a signal that was ignored at the start stays ignored. */
void sl_interrupt_init(void);
/* The signal that came first, or 0. */
int sl_interrupt_signal(void);
/* Called by the handler at the first signal, so what it does must be async-signal-safe; NULL: nothing. */
void sl_interrupt_call(void (*call)(void *user), void *user);
/* An unfinished file to be removed by a second signal, until it is let go. Paths that are too long, and those of more
 * than 32 files at once, are left out. */
void sl_interrupt_guard(const char *path);
void sl_interrupt_release(const char *path);
/* Removes them now; async-signal-safe. */
void sl_interrupt_remove_guarded(void);

#endif
