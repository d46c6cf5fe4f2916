/* SPDX-License-Identifier: MIT */
/* interrupt.c: Ctrl-C and its kin, and the end of --time-limit.
 *
 * One alarm serves both the time limit and the watchdog: what comes first sets it anew.

 * A signal handler has no argument of its own, so this is the one place of the program with mutable state at
 * file scope. Everything the handler calls is async-signal-safe.
 */
#include "cli/interrupt.h"

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

enum { N_GUARD = 72, WATCH = 1 /* [s] */ };

static struct {
    volatile sig_atomic_t signal;
    volatile sig_atomic_t time_is_over; /* heard or not */
    volatile sig_atomic_t code;         /* of a program whose time is over */
    volatile sig_atomic_t terminal;     /* standard error is one */
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

static void note(int sig) {
    interrupt_state.signal = sig;
    alarm(WATCH);
    void (*call)(void *user) = interrupt_state.call;
    if (call) {
        call(interrupt_state.user);
    }
}

static void on_signal(int sig) {
    int first = interrupt_state.signal;
    if (!first || (first == SIGALRM && sig != SIGALRM)) { /* Ctrl-C counts after the time limit too */
        interrupt_state.time_is_over = interrupt_state.time_is_over || sig == SIGALRM;
        note(sig);
        return;
    }
    sl_interrupt_remove_guarded();
    if (sig == SIGALRM) { /* the watchdog */
        static const char clear[] = "\r\033[K", late[] = "sluice: the time limit is over\n",
                          text[] = "sluice: interrupted\n";
        if (interrupt_state.terminal) { /* there may be a bar */
            (void)!write(STDERR_FILENO, clear, sizeof clear - 1);
        }
        (void)!write(STDERR_FILENO, first == SIGALRM ? late : text, (first == SIGALRM ? sizeof late : sizeof text) - 1);
        _exit(first == SIGALRM ? (int)interrupt_state.code : 128 + first);
    }
    signal(sig, SIG_DFL);
    raise(sig); /* delivered when the handler returns */
}

static void handle(int sig, bool also_ignored) {
    struct sigaction old;
    struct sigaction now = {.sa_handler = on_signal}; /* no SA_RESTART: a blocked read must return */
    sigemptyset(&now.sa_mask);
    if (sigaction(sig, NULL, &old) == 0 && (also_ignored || old.sa_handler != SIG_IGN)) {
        sigaction(sig, &now, NULL);
    }
}

void sl_interrupt_init(void) {
    interrupt_state.terminal = isatty(STDERR_FILENO);
    handle(SIGINT, false);
    handle(SIGTERM, false);
    handle(SIGHUP, false);
    handle(SIGALRM, true);
}

void sl_interrupt_grant(unsigned seconds) {
    if (interrupt_state.signal) {
        alarm(WATCH + seconds);
    }
}

void sl_interrupt_limit_time(double seconds, int code) {
    enum { MOST = 1000000000 }; /* [s] what timers hold */
    double whole = fmin(floor(seconds), MOST);
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)whole, .tv_usec = (suseconds_t)((seconds - whole) * 1e6)}};
    if (whole == MOST || timer.it_value.tv_usec < 0 || timer.it_value.tv_usec > 999999) {
        timer.it_value.tv_usec = 0;
    }
    if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) {
        timer.it_value.tv_usec = 1; /* 0 would turn it off */
    }
    interrupt_state.code = code;
    setitimer(ITIMER_REAL, &timer, NULL);
}

bool sl_interrupt_time_is_over(void) {
    return interrupt_state.time_is_over && (interrupt_state.signal == SIGALRM || interrupt_state.signal == 0);
}

bool sl_interrupt_hear_time_limit(void) {
    if (interrupt_state.signal == SIGALRM) {
        alarm(0);
        interrupt_state.signal = 0;
    }
    return sl_interrupt_time_is_over();
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
