/* clones.h: loops for wide vectors. Who chooses in the static program: cli/clones.h. */
#ifndef SL_BASE_CLONES_H
#define SL_BASE_CLONES_H

/* One function compiled for several widths of vectors, chosen when the program is loaded. Sanitizers run before such a
 * choice can be made; other compilers and processors use their own width. */
#if defined(__GNUC__) && __GNUC__ >= 12 && !defined(__clang__) && defined(__x86_64__) && defined(__gnu_linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SL_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
/* Where a function written for AVX2 stands beside one for all: its mark, and the question whether it can run here. */
#define SL_V3 __attribute__((target("arch=x86-64-v3")))
#define SL_HAS_V3() __builtin_cpu_supports("x86-64-v3")
#else
#define SL_CLONES
#endif

#endif
