/* SPDX-License-Identifier: MIT */
/* progress.h: a bar on standard error for work that takes long. It shows up after a moment only, is redrawn a
 * few times per second, is never drawn in a pipe, and leaves no trace. */
#ifndef SL_CLI_PROGRESS_H
#define SL_CLI_PROGRESS_H

#include <sluice/base.h>

typedef struct sl_bar {
    bool enabled;       /* standard error is a terminal */
    bool shown;         /* there is something to erase */
    double begun;       /* [s], 0: nothing reported yet */
    double drawn;       /* [s] when last drawn */
    double phase_begun; /* [s] */
    char phase[40];
} sl_bar;

void sl_bar_init(sl_bar *bar, bool enabled);
/* The context's progress callback; false after an interruption. */
bool sl_bar_progress(void *user, const sl_progress *progress);
/* Takes the bar away; the next report starts a new wait. */
void sl_bar_clear(sl_bar *bar);

#endif
