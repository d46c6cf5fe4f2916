/* read.h: automata from text, discrete and hybrid ones: docs/reference/automaton.md describes the files.
 */
#ifndef SL_AUTOMATA_READ_H
#define SL_AUTOMATA_READ_H

#include "automata/sha.h"
#include "hybrid/engine.h"

/* An automaton with all that it stands on, and how it is to be run. */
typedef struct sl_automaton sl_automaton;

/* Reads bytes, which need not outlive the call; name: as messages call the file. SL_ERR_INPUT and diagnostics: everything
 * that is wrong, in one pass. */
sl_status sl_automaton_read(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                            sl_automaton **out);
void sl_automaton_destroy(sl_automaton *m);
const char *sl_automaton_name(const sl_automaton *m);
const sl_sha *sl_automaton_get(const sl_automaton *m);
/* For sl_hybrid_engine. */
const sl_hybrid_model *sl_automaton_model(const sl_automaton *m);

#endif
