/* SPDX-License-Identifier: MIT */
/* compile.h: shared by the files that turn records into arrays (compile.c, compile_objects.c). */
#ifndef SL_NETWORK_COMPILE_H
#define SL_NETWORK_COMPILE_H

#include "network/build.h"
#include "network/network_impl.h"

typedef struct sl_compiler {
    const sl_spec *s;
    sl_network_impl *impl;
    sl_network *net;
    bool oom;                         /* sticky */
    int32_t *node_final, *link_final; /* index by handle */
    int32_t *curve_final;             /* index by curve and kind */
} sl_compiler;

/* Zeroed array in the network's arena; NULL sets oom. */
void *sl_compile_array(sl_compiler *c, int64_t n, size_t elem);
#define NEW(c, T, n) ((T *)sl_compile_array((c), (n), sizeof(T)))

static inline int32_t sl_compile_curve(const sl_compiler *c, int32_t curve, sl_curve_kind kind) {
    return curve < 0 ? -1 : c->curve_final[curve * SL_CURVE_KIND_COUNT + (int)kind];
}

/* Node, tank, link, pipe, pump and valve arrays. */
void sl_compile_objects(sl_compiler *c);

#endif
