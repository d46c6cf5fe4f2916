/* SPDX-License-Identifier: MIT */
/* fuzz.h: what every fuzz target implements. One file fuzz_<name>.c is one target.
 *
 * A target feeds the bytes to a reader and returns 0. It must not depend on anything but the bytes, must release what it
 * takes, and should assert what holds for every input (what was read can be written and read again).
 */
#ifndef SL_FUZZ_H
#define SL_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
