/* SPDX-License-Identifier: MIT */
/* crash.h: an end that nobody planned.
 *
 * Libraries that take memory from the C library use what they did not get (docs/reference/memory.md lists where), or end the program.
 * The program then removes its unfinished files, says that memory ran out and exits with 5. A crash for another reason stays a
 * crash, without unfinished files.
 */
#ifndef SL_CLI_CRASH_H
#define SL_CLI_CRASH_H

void sl_crash_init(void);
/* From here on an exit is planned. */
void sl_crash_end(void);

#endif
