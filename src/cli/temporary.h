/* SPDX-License-Identifier: MIT */
/* temporary.h: files in the making: ".sluice-PROCESS-NUMBER.tmp" beside what they are to become.
 *
 * A run that is killed leaves its own. The next one in that folder removes those whose process is no more and that nobody has
 * locked: a process in another container, or on another machine, has a number that means nothing here, but its lock is seen.
 */
#ifndef SL_CLI_TEMPORARY_H
#define SL_CLI_TEMPORARY_H

#include <stddef.h>

enum { SL_TEMPORARY_NAME = 64 }; /* room for the name alone */

/* Opens a new one in the folder of the path; name has room for that folder and SL_TEMPORARY_NAME. Returns 0 or errno. */
int sl_temporary_open(const char *path, char *name, size_t size, int *fd);

#endif
