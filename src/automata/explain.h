/* SPDX-License-Identifier: MIT */
/* explain.h: an automaton for people: its variables, parameters and parts as one page of text, HTML (formulas as MathML, nothing
 * is loaded from elsewhere), LaTeX (amsmath alone, compiles as it is) or JSON (formulas as text).
 *
 * A page shows all parts, or those in force where some discrete variables have known values: guards are evaluated as far as
 * these go, parts whose guard is false are left out, and of others what remains of the guard is shown.
 */
#ifndef SL_AUTOMATA_EXPLAIN_H
#define SL_AUTOMATA_EXPLAIN_H

#include "automata/sha.h"

typedef enum sl_explain_form {
    SL_EXPLAIN_TEXT = 0,
    SL_EXPLAIN_HTML,
    SL_EXPLAIN_TEX,
    SL_EXPLAIN_JSON,
    SL_EXPLAIN_FORMS
} sl_explain_form;

/* Something else to be told: a line of a list. */
typedef struct sl_explain_line {
    const char *label, *text;
} sl_explain_line;

typedef struct sl_explain_def {
    sl_explain_form form;
    const char *name;      /* of the automaton */
    const int32_t *q;      /* [discrete variables] known values, -1: any; NULL: all parts are shown */
    const int32_t *step;   /* discrete time, where it is known too */
    const char *when;      /* what these values are, "at 24.14 s"; NULL without them */
    const double *x, *dx;  /* [continuous variables] values then, and derivatives (NULL: none); NULL: not known */
    const char *equations; /* what is known of the equations in force, or NULL */
    const sl_explain_line *reduced; /* what is integrated of them, where that is not what is written */
    int32_t n_reduced;
    const sl_explain_line *lines; /* what happened last */
    int32_t n_line;
} sl_explain_def;

/* Makes expressions, in a copy of the automaton's graph. SL_ERR_MEMORY, or what the sink says. */
sl_status sl_sha_explain(const sl_sha *a, const sl_explain_def *def, const sl_sink *sink);

#endif
