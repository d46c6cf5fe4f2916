/* clones.h: functions that were compiled for several processors (SL_CLONES of numeric/vecmath.h), in the static program.
 *
 * The dynamic linker chooses among them when a program is loaded; in a static one the C library does. musl does not.
 */
#ifndef SL_CLI_CLONES_H
#define SL_CLI_CLONES_H

/* To be called first in main. */
void sl_clones_choose(void);

#endif
