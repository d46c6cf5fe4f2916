/* interrupt.h: Ctrl-C and its kin (SIGINT, SIGTERM, SIGHUP).
 *
 * The first signal only sets a flag: long work sees it through the progress callback and the streams, gives
 * up with SL_ERR_CANCELLED, and unfinished files are removed on the way out. A second signal ends the program
 * at once, after removing the one unfinished file that is registered here.
 */
#ifndef SL_CLI_INTERRUPT_H
#define SL_CLI_INTERRUPT_H

/* Installs the handlers; a signal that was ignored at the start stays ignored. */
void sl_interrupt_init(void);
/* The signal that came first, or 0. */
int sl_interrupt_signal(void);
/* The unfinished file to be removed by a second signal; NULL: none. Paths that are too long are left out. */
void sl_interrupt_guard(const char *path);

#endif
