/* read.h: automata from files. Format: docs/reference/automata.md.
 *
 *     parameters: {k: 0.5}
 *     discrete: {heat: 0, gear: {values: 4, start: 1}}
 *     continuous: {x: 20}
 *     transitions: [{name: on, equation: der(heat) = 1, when: cold & !heat}]
 *     activities: [{equation: der(x) = -k*x, when: "!heat"}]
 *     actions: [{variable: x, value: x + 1, when: heat}]
 *     roots: [{variable: cold, function: 19 - x}]
 */
#ifndef SL_AUTOMATA_READ_H
#define SL_AUTOMATA_READ_H

#include "automata/sha.h"

typedef struct sl_automaton {
    sl_context *ctx;
    sl_exprs *g;
    sl_sha *h;                   /* finished; without continuous variables its discrete part is all */
    int32_t *q0;                 /* of the discrete variables */
    double *x0;                  /* of the continuous ones */
    double *p;                   /* of the parameters of the graph; the last one is cj, see modes.h */
    int64_t cap_q, cap_x, cap_p; /* of these arrays */
} sl_automaton;

/* name: as messages call the file. SL_ERR_INPUT and diagnostics, all that is wrong in one pass; SL_ERR_MEMORY. */
sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                            sl_automaton **out);
void sl_automaton_destroy(sl_automaton *a);

#endif
