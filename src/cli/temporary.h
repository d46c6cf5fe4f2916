/* SPDX-License-Identifier: MIT */
/* temporary.h: files in the making, in the folder of what they are to become.
 *
 * Where the file system has files without a name (O_TMPFILE), one is in the making without: a run that dies, by whatever way, leaves
 * nothing. It gets the name ".sluice-PROCESS-NUMBER.tmp" when it is whole, for only a name can take another's place. Elsewhere it has
 * that name from the beginning, and a run that is killed leaves it. The next one in that folder removes those whose process is no more and that nobody has
 * locked: a process in another container, or on another machine, has a number that means nothing here, but its lock is seen.
 */
#ifndef SL_CLI_TEMPORARY_H
#define SL_CLI_TEMPORARY_H

#include <stddef.h>

enum { SL_TEMPORARY_NAME = 64 }; /* room for the name alone */

/* Opens a new one in the folder of the path; name has room for that folder and SL_TEMPORARY_NAME, and is empty as long as the file has
 * none. Returns 0 or errno. */
int sl_temporary_open(const char *path, char *name, size_t size, int *fd);
/* Gives it a name if it has none. Where the system refuses that, a copy takes its place, and *fd is that of the copy. 0 or errno. */
int sl_temporary_name(const char *path, char *name, size_t size, int *fd);

#endif
