/* SPDX-License-Identifier: MIT */
/* eps_test.h: what the tests of the eps engine share: a session from .inp text in one call, values by name, and the
 * element laws once more, from the theory page and not from src/laws, so that results are held against something else
 * than what made them.
 *
 * What is solved is solved to 1e-6 m of head in every link and 1e-5 of the largest flow (docs/theory/hydraulics.md, "When
 * is it solved?"): EPS_HEAD and EPS_FLOW are these limits, for one link in a row.
 */
#ifndef EPS_TEST_H
#define EPS_TEST_H

#include "sl_test.h"

#include <sluice/network_io.h>
#include <sluice/session.h>

#define EPS_HEAD 1e-6 /* [m] */
#define EPS_FLOW 1e-5 /* of the flow */

#define EPS_FOOT 0.3048
#define EPS_CFS (EPS_FOOT * EPS_FOOT * EPS_FOOT)
/* EPANET's litre per second and cubic metre per hour are 28.317 and 101.94 to the cubic foot (docs/theory/units.md). */
#define EPS_LPS (EPS_CFS / 28.317)
#define EPS_CMH (EPS_CFS / 101.94)
#define EPS_PI 3.14159265358979323846
#define EPS_VISCOSITY (1.1e-5 * EPS_FOOT * EPS_FOOT) /* the default */
/* FAVAD's 0.6 sqrt(2 g): EPANET's 4.8149866 in feet, which is that of g = 32.2 to 2e-6. [m^0.5/s] */
#define EPS_LEAK (4.8149866 * 0.55208694)

typedef struct eps_run {
    sl_test_memory memory;
    sl_context *ctx;
    sl_diags *diags; /* of reading */
    sl_network *net;
    sl_model *model;
    sl_session *s;
} eps_run;

/* Text is made as by printf, read without errors, and a session stands at its start, solved. */
void eps_begin(eps_run *r, const char *format, ...) SL_PRINTF(2, 3);
void eps_begin_def(eps_run *r, const sl_eps_def *def, const char *format, ...) SL_PRINTF(3, 4);
/* The same from bytes, with so many threads. */
void eps_begin_bytes(eps_run *r, const sl_eps_def *def, int32_t n_thread, const char *bytes, size_t n);
/* Releases all and checks that nothing is left. */
void eps_end(eps_run *r);

/* The value of a variable; its name is made as by printf: eps_get(&r, "node.'%s'.head", id). */
double eps_get(eps_run *r, const char *format, ...) SL_PRINTF(2, 3);
void eps_set(eps_run *r, double x, const char *format, ...) SL_PRINTF(3, 4);
double eps_head(eps_run *r, const char *node);
double eps_pressure(eps_run *r, const char *node);
double eps_flow(eps_run *r, const char *link);
int eps_status(eps_run *r, const char *link); /* sl_out_status */

/* Moves to t; must not fail. */
sl_stop_reason eps_to(eps_run *r, double t);
/* To the engine's next boundary; false at the end. */
bool eps_step(eps_run *r);
/* Runs to the end and gives the boundaries, the start and the end included; returns how many. */
int32_t eps_boundaries(eps_run *r, double *t, int32_t most);

/* Every value of both sessions, bit for bit, and the time. */
void eps_assert_same(sl_session *a, sl_session *b);

/* A run with a stop at t[0], where it is saved and something is set, one at t[1], where it is restored, and its end at t[2];
 * of memory that is refused, one request after the other: it is survived with the same bits or reported. */
typedef struct eps_refusals_case {
    const char *text; /* .inp */
    size_t n;
    const char *set, *shown; /* names of variables */
    double t[3];             /* [s] */
} eps_refusals_case;
void eps_refusals(const eps_refusals_case *c);

/* 32 sessions of one model in 8 threads: a value is set at `from`, of four kinds, then each has stops of its own until `until`,
 * and goes on to the end: those of a kind show the same bits. */
typedef struct eps_crowd_case {
    const char *set, *shown[2];
    double from, until; /* [s] */
} eps_crowd_case;
void eps_crowd(const eps_run *r, const eps_crowd_case *c);

/* How many diagnostics of the session have this code and are about this object (NULL: any). */
int32_t eps_said(const eps_run *r, sl_code code, const char *id);
/* The text of the first of them; "" without one. */
const char *eps_words(const eps_run *r, sl_code code, const char *id);

/* ---- Laws once more ----------------------------------------------------------------------------- */

double eps_hw(double length, double diameter, double c, double q);
double eps_cm(double length, double diameter, double n, double q);
double eps_dw(double length, double diameter, double roughness, double viscosity, double q);
double eps_minor(double k, double diameter, double q);

/* The x in [low, high] at which f, which has one sign at low and the other at high, is zero; to the last bit. */
double eps_root(double (*f)(double x, void *user), void *user, double low, double high);

/* Recomputes mass at every junction, the law of every link and outlet, and the sense of every status, from what the
 * session shows. Fails when a boundary that is called balanced is not. */
void eps_check(eps_run *r);

/* A whole file below the root of the sources (or an absolute path), from malloc; NULL when there is none. */
char *eps_file(const char *path, size_t *n);
extern const char *const eps_examples[]; /* paths of examples that can be simulated, NULL at the end */

#endif
