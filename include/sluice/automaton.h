/* sluice/automaton.h: automata, discrete and hybrid, from YAML (docs/reference/automaton.md).
 */
#ifndef SLUICE_AUTOMATON_H
#define SLUICE_AUTOMATON_H

#include <sluice/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A model for sessions; name: as messages call the text. Everything that is wrong is reported in one pass. */
SL_API sl_status sl_model_from_automaton(sl_context *ctx, const char *bytes, size_t n, const char *name,
                                         sl_diags *diags, sl_model **out);

/* What can be said of an automaton without running it. Verdicts are "proved", "refuted" or "unknown"; they are about the discrete
 * part, with variables that roots decide free to take any value. The equations are those of the mode at the start. */
typedef struct sl_automaton_facts {
    int32_t n_discrete, n_continuous, n_transition, n_activity, n_action, n_root;
    const char *exclusive;     /* no two transitions of one variable are active at once */
    const char *deterministic; /* there is exactly one derivative everywhere */
    const char *zeno_free;     /* every discrete execution ends */
    int32_t bound;             /* after so many steps, if zeno_free is proved */
    int32_t n_equation;        /* at the start */
    const char *form;          /* "linear, semi-explicit, constant coefficients" */
    int32_t index;             /* structural; -1: over- or underdetermined */
} sl_automaton_facts;

/* SL_ERR_INPUT when it is wrong: it cannot be read, a property is refuted, or the equations at the start are over- or
 * underdetermined; the diagnostics say why, with witnesses. facts are filled as far as it came. */
SL_API sl_status sl_automaton_check(sl_context *ctx, const char *bytes, size_t n, const char *name, sl_diags *diags,
                                    sl_automaton_facts *facts);

#ifdef __cplusplus
}
#endif
#endif
