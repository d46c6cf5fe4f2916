/* SPDX-License-Identifier: MIT */
/* fuzz.h: what every fuzz target implements. One file fuzz_<name>.c is one target.
 *
 * A target feeds the bytes to a reader and returns 0. It must not depend on anything but the bytes, must release what it
 * takes, and should assert what holds for every input (what was read can be written and read again).
 */
#ifndef SL_FUZZ_H
#define SL_FUZZ_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/time.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An input that takes longer hangs, and that is a crash: [s] of processor time, under sanitizers and with coverage, which make a
 * program about 20 times slower. A target that runs a model several times defines more. (The fuzzer's own limit is by the clock,
 * and a busy machine would break it.) */
#ifndef SL_FUZZ_SECONDS
#define SL_FUZZ_SECONDS 10
#endif

static inline void sl_fuzz_hang(int sig) {
    (void)sig;
    abort();
}

/* Every target calls it first. */
static inline void sl_fuzz_begin(void) {
    const struct itimerval limit = {.it_value = {.tv_sec = SL_FUZZ_SECONDS}};
    signal(SIGVTALRM, sl_fuzz_hang); /* NOLINT: it ends the program */
    (void)setitimer(ITIMER_VIRTUAL, &limit, NULL);
}

#endif
