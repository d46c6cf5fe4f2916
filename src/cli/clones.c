/* clones.c: the choice of clones.h. The linker leaves a list of places and of functions that say what belongs there. */
#include "cli/clones.h"

#ifndef SLUICE_STATIC

void sl_clones_choose(void) {}

#else

#include <elf.h>
#include <stdint.h>

/* Names of the linker, which makes both 0 where there are no clones. */
extern const Elf64_Rela __rela_iplt_start[] __attribute__((weak)); /* NOLINT */
extern const Elf64_Rela __rela_iplt_end[] __attribute__((weak));   /* NOLINT */

void sl_clones_choose(void) {
    /* cppcheck-suppress comparePointers ; two ends of one list */
    for (const Elf64_Rela *r = __rela_iplt_start; r < __rela_iplt_end; r++) {
        uintptr_t (*choose)(void) = (uintptr_t(*)(void))(uintptr_t)r->r_addend;
        *(uintptr_t *)(uintptr_t)r->r_offset = choose();
    }
}

#endif
