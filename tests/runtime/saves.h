/* SPDX-License-Identifier: MIT */
/* saves.h: save anywhere, restore elsewhere, go on: the same bits. */
#ifndef SL_TEST_SAVES_H
#define SL_TEST_SAVES_H

#include <stdint.h>

/* For every kind of model n points along random runs; of these so many in another process. self: this program's path. Returns the
 * number of points. */
int64_t saves_check(const char *self, int32_t n, int32_t n_process);
/* True: the program was started as the other process of saves_check, and *code is its exit code. */
bool saves_main(int argc, char **argv, int *code);

#endif
