/* SPDX-License-Identifier: MIT */
/* crash.c: see crash.h. An allocation of the C library that fails leaves ENOMEM in errno of the thread, where the handler finds it.
 * Handlers call what is async-signal-safe alone. */
#include "cli/crash.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"

static struct {
    volatile sig_atomic_t ended;
    char stack[1 << 16]; /* of the handler: the program's own may be what has run out */
} crash_state;

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) {
        return; /* standard error is gone */
    }
}

#ifdef SL_HEAP_SERVES /* sanitizers have handlers of their own */
static void on_crash(int sig) {
    bool no_memory = errno == ENOMEM;
    sl_interrupt_remove_guarded();
    if (no_memory) {
        say("sluice: out of memory in a library, which ended the run\n");
        _exit(SL_EXIT_WORLD);
    }
    signal(sig, SIG_DFL);
    raise(sig); /* delivered when the handler returns */
}
#endif

static void on_exit_of_library(void) {
    bool no_memory = errno == ENOMEM;
    if (!crash_state.ended) {
        sl_interrupt_remove_guarded();
        say(no_memory ? "sluice: out of memory in a library, which ended the run\n"
                      : "sluice: a library ended the run\n");
        _exit(SL_EXIT_WORLD);
    }
}

void sl_crash_init(void) {
    crash_state.ended = 0;
    (void)atexit(on_exit_of_library);
#ifdef SL_HEAP_SERVES
    const stack_t other = {.ss_sp = crash_state.stack, .ss_size = sizeof crash_state.stack};
    (void)sigaltstack(&other, NULL);
    static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct sigaction now = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND | SA_ONSTACK};
        sigemptyset(&now.sa_mask);
        sigaction(signals[i], &now, NULL);
    }
#endif
}

void sl_crash_end(void) {
    crash_state.ended = 1;
}
