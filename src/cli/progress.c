/* SPDX-License-Identifier: MIT */
/* progress.c: the progress bar.
 *
 *     reading  [##########..............................]  26 %  3 s left
 */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/interrupt.h"
#include "cli/term.h"

static const double wait_before = 0.25;  /* [s] shorter work shows no bar */
static const double redraw_every = 0.08; /* [s] */

enum { LINE_MAX_BYTES = 256 };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void sl_bar_init(sl_bar *bar, bool enabled) {
    *bar = (sl_bar){.enabled = enabled};
}

void sl_bar_clear(sl_bar *bar) {
    if (bar->shown) {
        (void)!write(STDERR_FILENO, "\r\033[K", 4);
    }
    bar->shown = false;
    bar->begun = 0;
}

static void remaining_text(double spent, double part, char *buf, size_t size) {
    buf[0] = 0;
    if (spent > 1 && part > 0.02) {
        double left = spent * (1 - part) / part;
        if (left < 90) {
            snprintf(buf, size, "  %.0f s left", left);
        } else {
            snprintf(buf, size, "  %.0f min left", left / 60);
        }
    }
}

/* The time left is that of the phase: one knows nothing of those to come. */
static void note_phase(sl_bar *bar, const char *phase, double t) {
    if (strncmp(bar->phase, phase, sizeof bar->phase - 1) != 0) {
        snprintf(bar->phase, sizeof bar->phase, "%s", phase);
        bar->phase_begun = t;
    }
}

static void draw(const sl_bar *bar, const sl_progress *p, double t) {
    char line[LINE_MAX_BYTES + 8];
    char tail[64];
    int width = sl_term_width(STDERR_FILENO) - 1; /* the last column would wrap on some terminals */
    if (width > LINE_MAX_BYTES) {
        width = LINE_MAX_BYTES;
    }
    int n = 0;
    if (p->total > 0) {
        double part = p->done / p->total;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        char left[32];
        remaining_text(t - bar->phase_begun, part, left, sizeof left);
        int n_tail = snprintf(tail, sizeof tail, "] %3.0f %%%s", 100 * part, left);
        n = snprintf(line, LINE_MAX_BYTES, "%s  [", bar->phase);
        int cells = width - n - n_tail;
        if (cells > 40) {
            cells = 40;
        }
        for (int i = 0; i < cells; i++) {
            line[n++] = i < (int)(part * cells + 0.5) ? '#' : '.';
        }
        memcpy(line + n, tail, (size_t)n_tail);
        n += n_tail;
    } else {
        n = snprintf(line, LINE_MAX_BYTES, "%s  %.0f s", bar->phase, t - bar->phase_begun);
    }
    if (n > width) {
        n = width > 0 ? width : 0;
    }
    (void)dprintf(STDERR_FILENO, "\r%.*s\033[K", n, line);
}

bool sl_bar_progress(void *user, const sl_progress *progress) {
    sl_bar *bar = user;
    if (sl_interrupt_signal()) {
        return false;
    }
    if (!bar->enabled) {
        return true;
    }
    double t = now();
    if (bar->begun <= 0) {
        bar->begun = t;
        bar->drawn = t;
        bar->phase[0] = 0;
    }
    note_phase(bar, progress->phase ? progress->phase : "working", t);
    if (t - bar->begun >= wait_before && (!bar->shown || t - bar->drawn >= redraw_every)) {
        draw(bar, progress, t);
        bar->shown = true;
        bar->drawn = t;
    }
    return true;
}
