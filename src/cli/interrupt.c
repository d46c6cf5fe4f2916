/* SPDX-License-Identifier: MIT */
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

enum { N_GUARD = 32 };

static struct {
    volatile sig_atomic_t signal;
    void (*volatile call)(void *user);
    void *volatile user;
    volatile sig_atomic_t guarded[N_GUARD];
    char path[N_GUARD][PATH_MAX];
} interrupt_state;

void sl_interrupt_remove_guarded(void) {
    for (int i = 0; i < N_GUARD; i++) {
        if (interrupt_state.guarded[i]) {
            unlink(interrupt_state.path[i]);
        }
    }
}

static void on_signal(int sig) {
    if (!interrupt_state.signal) {
        interrupt_state.signal = sig;
        void (*call)(void *user) = interrupt_state.call;
        if (call) {
            call(interrupt_state.user);
        }
        return;
    }
    sl_interrupt_remove_guarded();
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

void sl_interrupt_call(void (*call)(void *user), void *user) {
    interrupt_state.call = NULL;
    interrupt_state.user = user;
    interrupt_state.call = call;
}

void sl_interrupt_guard(const char *path) {
    size_t size = strlen(path) + 1;
    int i = 0;
    while (i < N_GUARD && interrupt_state.guarded[i]) {
        i++;
    }
    if (i < N_GUARD && size <= sizeof interrupt_state.path[i]) {
        memcpy(interrupt_state.path[i], path, size);
        interrupt_state.guarded[i] = 1; /* last: the handler may look at any time */
    }
}

void sl_interrupt_release(const char *path) {
    for (int i = 0; i < N_GUARD; i++) {
        if (interrupt_state.guarded[i] && strcmp(interrupt_state.path[i], path) == 0) {
            interrupt_state.guarded[i] = 0;
        }
    }
}
