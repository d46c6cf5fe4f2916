/* interrupt.c: Ctrl-C and its kin.
 *
 * A signal handler has no argument of its own, so this is the one place of the program with mutable state at
 * file scope. Everything the handler calls is async-signal-safe.
 */
#include "cli/interrupt.h"

#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

static struct {
    volatile sig_atomic_t signal;
    volatile sig_atomic_t guarded;
    char path[PATH_MAX];
} interrupt_state;

static void on_signal(int sig) {
    if (!interrupt_state.signal) {
        interrupt_state.signal = sig;
        return;
    }
    if (interrupt_state.guarded) {
        unlink(interrupt_state.path);
    }
    signal(sig, SIG_DFL);
    raise(sig); /* delivered when the handler returns */
}

void sl_interrupt_init(void) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction old;
        struct sigaction now = {.sa_handler = on_signal}; /* no SA_RESTART: a blocked read must return */
        sigemptyset(&now.sa_mask);
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(signals[i], &now, NULL);
        }
    }
}

int sl_interrupt_signal(void) {
    return interrupt_state.signal;
}

void sl_interrupt_guard(const char *path) {
    interrupt_state.guarded = 0;
    size_t size = path ? strlen(path) + 1 : 0;
    if (size > 0 && size <= sizeof interrupt_state.path) {
        memcpy(interrupt_state.path, path, size);
        interrupt_state.guarded = 1;
    }
}
