/* twin.h: the twin of the program, which can load shared libraries.
 *
 * HDF5 and cairo are loaded when a file needs them. A program that is linked statically starts in a third of the time of
 * another, but must not load anything: it would need the very C library that it was linked with. So there are two, made
 * from the same sources (option SLUICE_STATIC): `sluice`, static, and beside it `sluice-dynamic`, which takes over the
 * commands that need such a library, and those that read YAML or exchange values with a partner, where a millisecond at
 * the start does not count. Without that option there is one, and nothing to take over.
 */
#ifndef SL_CLI_TWIN_H
#define SL_CLI_TWIN_H

#include "cli/cli.h"

/* To be called before a command that will load a library reads anything. If this program cannot, its twin starts anew with the
 * same arguments in its place, and this does not return; SL_EXIT_WORLD, told: the twin cannot be started. Else
 * SL_EXIT_FINE. */
int sl_twin_take_over(sl_cli *cli);
/* Whether the arguments name a file that only the twin reads (.yaml, .yml), or ask for a surge run. */
bool sl_twin_reads(int argc, char **argv);

#endif
