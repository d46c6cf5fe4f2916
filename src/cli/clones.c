/* clones.c: the choice of clones.h. The linker leaves a list of places and of functions that say what belongs there; they ask
 * what the processor has, in a table that the compiler's own library would fill.
 *
 * That library asks the processor a dozen times before main, and on a virtual machine each answer comes from the host: 5 us,
 * together 0.06 of the 0.3 ms in which the program starts. Two answers are enough for two yes or no. So the table is filled
 * here, under the names that the compiler has for it, and its library is not linked.
 */
#include "cli/clones.h"

#ifndef SLUICE_STATIC

void sl_clones_choose(void) {}

#else

#include <cpuid.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

/* Names of the linker, which makes both 0 where there are no clones. */
extern const Elf64_Rela __rela_iplt_start[] __attribute__((weak)); /* NOLINT */
extern const Elf64_Rela __rela_iplt_end[] __attribute__((weak));   /* NOLINT */

/* Names of the compiler: a bit for each of its features, from number 32 on. x86-64-v3 is number 97, v4 is 98: they are part of
 * the binary interface. */
int __cpu_indicator_init(void);     /* NOLINT */
extern uint32_t __cpu_features2[3]; /* NOLINT */

uint32_t __cpu_features2[3];     /* NOLINT */
int __cpu_indicator_init(void) { /* NOLINT */
    return 0;
}

static bool has(uint32_t word, uint32_t bits) {
    return (word & bits) == bits;
}

/* What the operating system saves when it switches between programs. */
static uint32_t saved_registers(void) {
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    (void)high;
    return low;
}

/* Has it LZCNT? To others this is BSR, which finds the bit and does not count the zeros above it. */
static bool counts_zeros(void) {
    uint64_t n;
    __asm__("lzcnt %1, %0" : "=r"(n) : "r"(UINT64_C(1)) : "cc");
    return n == 63;
}

/* The levels of the x86-64 binary interface: what v3 has beyond v2, and v4 beyond that. A processor with FMA answers to 7.
 * LAHF, which belongs to v2, is in every processor that has the rest, and no compiler uses it. */
static void ask(bool *v3, bool *v4) {
    const uint32_t vectors = 6, wide = 0xe6; /* of xgetbv: SSE and AVX; and AVX-512 */
    uint32_t a, b, c, d, b7;
    __cpuid(1, a, b, c, d);
    bool v2 = has(c, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B);
    *v3 = *v4 = false;
    if (!v2 || !has(c, bit_OSXSAVE | bit_AVX | bit_FMA | bit_F16C | bit_MOVBE) || !has(saved_registers(), vectors)) {
        return;
    }
    __cpuid_count(7, 0, a, b7, c, d);
    *v3 = has(b7, bit_AVX2 | bit_BMI | bit_BMI2) && counts_zeros();
    *v4 = *v3 && has(b7, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL) &&
          has(saved_registers(), wide);
}

void sl_clones_choose(void) {
    bool v3, v4;
    ask(&v3, &v4);
    __cpu_features2[2] = (uint32_t)v3 << 1 | (uint32_t)v4 << 2;
    if (!__builtin_cpu_supports("x86-64-v3") != !v3 || !__builtin_cpu_supports("x86-64-v4") != !v4) {
        __cpu_features2[2] = 0; /* a compiler that counts otherwise: what runs anywhere */
    }
    /* cppcheck-suppress comparePointers ; two ends of one list */
    for (const Elf64_Rela *r = __rela_iplt_start; r < __rela_iplt_end; r++) {
        uintptr_t (*choose)(void) = (uintptr_t(*)(void))(uintptr_t)r->r_addend;
        *(uintptr_t *)(uintptr_t)r->r_offset = choose();
    }
}

#endif
