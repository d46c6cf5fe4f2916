/* SPDX-License-Identifier: MIT */
/* simd.h: functions whose loops become vector code for the processor at hand.
 *
 * SL_SIMD defines a static function from one body, compiled three times: for any processor, for AVX2 with FMA (x86-64 since
 * 2013), and for AVX-512 (of the CPU time of BWSN 2 8 % with gcc and 2 % with clang, of L-Town 5 % with both). Each call asks
 * which one the processor has, by tests of a word that the compiler's library fills before main. All give the same bits: loops
 * say `#pragma omp simd`, sums of doubles are split by hand into strands of fixed number, nothing is contracted. Other
 * processors (aarch64 has vectors and FMA in its base) and compilers that know no such attribute have the first alone.
 *
 *     SL_SIMD(void, scale, (int32_t n, double by, double *restrict x), (n, by, x)) {
 *     #pragma omp simd
 *         for (int32_t i = 0; i < n; i++) {
 *             x[i] *= by;
 *         }
 *     }
 *
 * What the body calls is SL_INLINE: a call that is not inlined prevents vector code.
 */
#ifndef SL_BASE_SIMD_H
#define SL_BASE_SIMD_H

#define SL_INLINE inline __attribute__((always_inline))

/* Two doubles that are computed side by side: a vector of the base of x86-64 and of aarch64. */
typedef double sl_two __attribute__((vector_size(16)));

/* Not under AddressSanitizer: gcc's stacks for use after return are not aligned for 64-byte vectors. The debug preset so tests
 * the plain variant. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__SANITIZE_ADDRESS__) /* gcc or clang */
#define SL_SIMD(type, name, params, args)                                                              \
    static SL_INLINE type name##_body params;                                                          \
    static __attribute__((target("avx2,fma"))) type name##_avx2 params {                               \
        return name##_body args;                                                                       \
    }                                                                                                  \
    static __attribute__((target("avx2,fma,avx512f,avx512dq,avx512vl"))) type name##_avx512 params {   \
        return name##_body args;                                                                       \
    }                                                                                                  \
    static type name params {                                                                          \
        return SL_HAS_AVX512 ? name##_avx512 args : SL_HAS_AVX2 ? name##_avx2 args : name##_body args; \
    }                                                                                                  \
    static SL_INLINE type name##_body params
/* Highest variant: 0 plain, 1 AVX2, 2 AVX-512. scripts/same-bits builds with less. */
#ifndef SL_SIMD_LEVEL
#define SL_SIMD_LEVEL 2
#endif
#define SL_HAS_AVX2 (SL_SIMD_LEVEL >= 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#define SL_HAS_AVX512 \
    (SL_SIMD_LEVEL >= 2 && SL_HAS_AVX2 && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
#else
#define SL_SIMD(type, name, params, args) static type name params
#endif

#endif
